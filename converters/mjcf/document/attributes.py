"""What elements outside the tree of bodies have in common: names, defaults, limits, and settings kept as they are."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from converters.mjcf.document.defaults import ENDLESS, Defaults, Resolved
from converters.mjcf.document.flexible import AllNamed, flexcomp_names
from converters.source.text import number, number_fault, numbers, plain_numbers, words
from converters.source.tree import Element
from converters.source.xml import Node
from ir.names import Spares
from ir.scene import Scene
from ir.types import Entity, Parameters, Pose, Vec2

PARTIAL = frozenset(
    [
        *("gear", "gainprm", "biasprm", "dynprm", "friction", "solreffriction", "damping", "stiffness"),
        *("solref", "solimp", "solreflimit", "solimplimit", "solimpfriction", "timeconst", "fluidcoef", "surfacevel"),
        *("saturation", "cogging", "controller", "thermal", "lugre"),
    ]
)
"""Vectors of which a short form changes the first numbers only: the others are those of the default class."""

ACTED = ("body", "site", "cranksite", "tendon", "jointinparent", "joint")
"""What an actuator may act on; of several the first one counts."""


def target_attribute(node: Node) -> str:
    """The attribute of an actuator that names what it acts on; "" if it acts on nothing."""
    return next((name for name in ACTED if name in node.attrs), "")


def inherited(defaults: Defaults, node: Node, kind: str) -> Resolved:
    """An element seen through the defaults of another name: those of <spatial> stand in <tendon>."""
    element = defaults.of(node)
    return Resolved(node, defaults.nodes(element.class_name, kind), element.class_name)


def settings(element: Resolved, known: Collection[str], taken: Container[str] = ()) -> Parameters:
    """Attributes among those known, and not taken, that the element or its class gives; in the order of the element."""
    return tuple(
        (name, text)
        for name in element.names
        if name in known and name not in taken and (text := completed_vector(element, name)) is not None
    )


def completed_vector(element: Resolved, name: str) -> str | None:
    """The text of an attribute; a short vector with the tail that its class has."""
    text = element.get(name)
    if text is None or name not in PARTIAL:
        return text
    found: list[str] = []
    for node in element.nodes:
        more = words(node.get(name) or "")
        found += more[len(found) :]
    return " ".join(found)


Things = Mapping[str, Container[str]]
"""Kinds of things and the names of those that exist."""


class ElementNames:
    """Names of one kind of element, those without one included: theirs are made up so that no given one is taken."""

    def __init__(self, sections: Iterable[Node], taken: Iterable[str] = ()) -> None:
        given = (name for section in sections for node in section.elements() if (name := node.attrs.get("name")))
        self.spares = Spares((*given, *taken))
        self.used = set(taken)

    def of(self, node: Node, stem: str) -> tuple[str, str | None]:
        """The name, and the label, which is "" where the author gave none. Refuses a second owner."""
        name = node.get("name")
        if name:
            if name in self.used:
                node.refuse(f"two elements <{node.tag}> are named {name!r}", "NAME-DUP")
                name = node.attrs["name"] = self.spares.of(name)
            self.used.add(name)
            return name, None
        name = self.spares.of(stem)
        self.used.add(name)
        return name, ""


def name_attribute(entity: Entity) -> dict[str, str]:
    """The name as an attribute, where its author gave one."""
    return {} if entity.label == "" else {"name": entity.name}


def say_names(found: Sequence[tuple[Element, Entity, str]]) -> None:
    """Say the names of elements of one kind for which a reader (ElementNames) would make up others.

    found: the elements in the order of the document, what they are, and the stems of names that are made up.
    """
    while True:
        spares = Spares(element.attrs["name"] for element, _, _ in found if "name" in element.attrs)
        nameless = [each for each in found if "name" not in each[0].attrs]
        others = [(element, entity) for element, entity, stem in nameless if spares.of(stem) != entity.name]
        if not others:
            return
        for element, entity in others:
            element.attrs = {"name": entity.name, **element.attrs}


def range_attributes(element: Resolved, name: str, autolimits: bool) -> tuple[Vec2 | None, Parameters]:
    """A range that limits, else what is said about one that does not: ctrlrange with ctrllimited, and the like."""
    flag = f"{name.removesuffix('range') or ''}limited"
    return limiting(name, element.span(name), element.flag(flag), autolimits)


def limiting(
    name: str, values: tuple[float, ...] | None, limited: bool | None, autolimits: bool = True
) -> tuple[Vec2 | None, Parameters]:
    """The same of a range whose numbers are known; limited: None where nothing is said of that."""
    flag = f"{name.removesuffix('range') or ''}limited"
    if values == (-ENDLESS, ENDLESS):
        return None, ()
    if values is None:
        return None, (((flag, "true" if limited else "false"),) if limited is not None else ())
    if limited or (limited is None and autolimits and values[0] < values[1]):
        return (values[0], values[1]), ()
    said = ((flag, "false"),) if limited is False or not autolimits else ()
    return None, (*said, (name, numbers(values)))


def put(attrs: dict[str, str], name: str, value: float | Iterable[float] | None, default: object = None) -> None:
    """Set a number or a vector, unless it is the default."""
    if value is not None and value != default:
        attrs[name] = number(value) if isinstance(value, (int, float)) else numbers(value)


def pose_attributes(pose: Pose) -> dict[str, str]:
    """pos and quat, each only where it is not the default."""
    attrs = {}
    if pose.pos != (0.0, 0.0, 0.0):
        attrs["pos"] = numbers(pose.pos)
    if pose.rot != (1.0, 0.0, 0.0, 0.0):
        attrs["quat"] = numbers(pose.rot)
    return attrs


def declared_names(scene: Scene) -> dict[str, Container[str]]:
    """The names of what MJCF refers to, by kind, with those of tendons and actuators that are still to come."""
    bodies, made = scene.bodies.values(), flexcomp_names(scene)
    return {
        "body": AllNamed("body", scene.bodies, made),
        "joint": AllNamed("joint", scene.dofs(), made),
        "geom": {geom.name for geom in scene.geoms()},
        "site": {frame.name for body in bodies for frame in body.frames},
        "camera": {camera.name for body in bodies for camera in body.cameras},
        "tendon": scene.tables["tendon"].keys(),
        "actuator": scene.tables["actuator"].keys(),
    }


def name_reference(node: Node, name: str, there: Things, what: str) -> str:
    """The name in an attribute that refers to something (declared_names). Raises InputError if there is none."""
    value = node.need(name)
    if value not in there[what]:
        raise node.fail(f"<{node.tag}> names the {what} {value!r}, which does not exist", "REF-MISSING")
    return value


def linear_term(element: Resolved, name: str) -> tuple[float, Parameters]:
    """The linear term of a polynomial, and all of it where there is more."""
    text = completed_vector(element, name)
    if text is None:
        return 0.0, ()
    values = plain_numbers(text)
    if not values:
        element.wrong(name, f"={text!r}> needs numbers", number_fault(text))
        return 0.0, ()
    return values[0], ((name, text),) if len(values) > 1 else ()
