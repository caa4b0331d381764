"""Common parts of elements outside the body tree: names, defaults, limits, and settings that are kept as written."""

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
"""Vectors whose short form sets only the first numbers: the others are those of the default class."""

ACTED = ("body", "site", "cranksite", "tendon", "jointinparent", "joint")
"""Transmission attributes of an actuator; the first that is given is used."""


def target_attribute(node: Node) -> str:
    """Return the attribute of an actuator that names its transmission target; "" if there is none."""
    return next((name for name in ACTED if name in node.attrs), "")


def inherited(defaults: Defaults, node: Node, kind: str) -> Resolved:
    """Return an element resolved with the defaults of another name: those of <spatial> are in <tendon>."""
    element = defaults.of(node)
    return Resolved(node, defaults.nodes(element.class_name, kind), element.class_name)


def settings(element: Resolved, known: Collection[str], taken: Container[str] = ()) -> Parameters:
    """Return attributes in `known` but not in `taken` that the element or its class gives, in order of the element."""
    return tuple(
        (name, text)
        for name in element.names
        if name in known and name not in taken and (text := completed_vector(element, name)) is not None
    )


def completed_vector(element: Resolved, name: str) -> str | None:
    """Return the text of an attribute; a short vector is completed from its class."""
    text = element.get(name)
    if text is None or name not in PARTIAL:
        return text
    found: list[str] = []
    for node in element.nodes:
        more = words(node.get(name) or "")
        found += more[len(found) :]
    return " ".join(found)


Things = Mapping[str, Container[str]]
"""Kinds of things and the names that exist."""


class ElementNames:
    """Names of one kind of element; names generated for nameless ones never collide with given names."""

    def __init__(self, sections: Iterable[Node], taken: Iterable[str] = ()) -> None:
        given = (name for section in sections for node in section.elements() if (name := node.attrs.get("name")))
        self.spares = Spares((*given, *taken))
        self.used = set(taken)

    def of(self, node: Node, stem: str) -> tuple[str, str | None]:
        """Return the name and the label, which is "" if the name is generated. Refuses a duplicate name."""
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
    """Return the name as an attribute if the author gave one."""
    return {} if entity.label == "" else {"name": entity.name}


def say_names(found: Sequence[tuple[Element, Entity, str]]) -> None:
    """Write the names of elements of one kind for which a reader (ElementNames) would generate other ones.

    found: the elements in document order, their entities, and the stems of generated names.
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
    """Return a range that limits, otherwise the parameters of one that does not: ctrlrange, ctrllimited and so on."""
    flag = f"{name.removesuffix('range') or ''}limited"
    return limiting(name, element.span(name), element.flag(flag), autolimits)


def limiting(
    name: str, values: tuple[float, ...] | None, limited: bool | None, autolimits: bool = True
) -> tuple[Vec2 | None, Parameters]:
    """Return the same for a range with known numbers; limited: None if the flag is not given."""
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
    """Set a number or a vector as an attribute, unless it is the default."""
    if value is not None and value != default:
        attrs[name] = number(value) if isinstance(value, (int, float)) else numbers(value)


def pose_attributes(pose: Pose) -> dict[str, str]:
    """Return pos and quat, omitting defaults."""
    attrs = {}
    if pose.pos != (0.0, 0.0, 0.0):
        attrs["pos"] = numbers(pose.pos)
    if pose.rot != (1.0, 0.0, 0.0, 0.0):
        attrs["quat"] = numbers(pose.rot)
    return attrs


def declared_names(scene: Scene) -> dict[str, Container[str]]:
    """Return the names that MJCF may reference, by kind; those of tendons and actuators grow while they are read."""
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
    """Return the name in an attribute that references something (declared_names). Raises InputError if missing."""
    value = node.need(name)
    if value not in there[what]:
        *_, root = node.above()
        gone = any(each.tag == "composite" for each in root.below())
        hint = "; what a <composite> makes is not read: MuJoCo 4.0 removed it" if gone else ""
        raise node.fail(f"<{node.tag}> names the {what} {value!r}, which does not exist{hint}", "REF-MISSING")
    return value


def linear_term(element: Resolved, name: str) -> tuple[float, Parameters]:
    """Return the linear coefficient of a polynomial, and the whole attribute if there are more coefficients."""
    text = completed_vector(element, name)
    if text is None:
        return 0.0, ()
    values = plain_numbers(text)
    if not values:
        element.wrong(name, f"={text!r}> needs numbers", number_fault(text))
        return 0.0, ()
    return values[0], ((name, text),) if len(values) > 1 else ()
