"""The empty links and joints of a robot, as an SDFormat model in which <gazebo> blocks are read: each child of a block
(a unit) is inserted where libsdformat puts it (parser_urdf, InsertSDFExtension*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from converters.context import InputError, Note, ReaderContext
from converters.faults import Faults
from converters.registry import format_named
from converters.source.gazebo import COLLISION, COPIED, FALSE, FLAGS, JOINT, LINK, SCRIPT, TRUE, text_of
from converters.source.text import numbers
from converters.source.tree import Element, is_element, serialise
from converters.source.xml import Node
from converters.urdf.lumps import contact_of, of_scene, rename_collisions
from ir.kinematics import poses_as_drawn
from ir.names import Spares
from ir.scene import Scene
from ir.types import IDENTITY, WHITE, WORLD, Block, Body, Entity, Geom, Joint, Role, Source

SDF = "sdf"
VERSION = "1.11"
"""The version that libsdformat gives to the SDFormat it makes of a URDF."""
WORDS = {"link": {*COLLISION, *LINK, "material"}, "joint": set(JOINT), "model": {"static"}}
"""Children that libsdformat has its own elements for."""
PARTS = (Role.VISUAL, Role.COLLISION)


class Unit(NamedTuple):
    """A child of a block, split into what SDFormat has, which is inserted as a whole or not at all, and the rest.

    kind: the kind of the block's target: model, link or joint; a link and a joint of one name give units of both.
    """

    block: Block
    kind: str
    child: Element
    element: Element
    rest: Element | None

    @property
    def about(self) -> tuple[str, str]:
        return self.kind, self.block.target


def role_of(tag: str) -> str | None:
    """Return the role of the geoms that a child of a block is about; None for the link itself."""
    if tag in (Role.VISUAL, "material"):
        return Role.VISUAL
    return Role.COLLISION if tag == Role.COLLISION or tag in COLLISION else None


class Skeleton:
    """The empty links and joints of a robot."""

    def __init__(self, scene: Scene, units: Sequence[Unit]) -> None:
        self.format = format_named(SDF)
        self.looks = scene.materials
        about = {unit.about for unit in units}
        self.held = [joint for name, joint in scene.joints.items() if ("joint", name) in about]
        targets = {name for kind, name in about if kind == "link"}
        targets |= {end for joint in self.held for end in (joint.parent, joint.child)}
        whole = any(_looks_around(unit.element) for unit in units)
        self.poses = poses_as_drawn(scene) if whole else {}
        bodies = [body for body in scene.bodies.values() if body.name != WORLD]
        self.bodies = [body for body in bodies if whole or body.name in targets] or bodies[:1]  # a model needs a link
        self.roles = {(unit.block.target, role_of(unit.element.tag)) for unit in units if unit.kind == "link"}
        touching = {unit.block.target for unit in units if contact_of(unit.element) is not None}
        self.roles |= {(target, Role.COLLISION) for target in touching}
        self.called = of_scene(scene) if touching else {}
        self.parts: dict[str, list[int]] = {}
        spares = Spares()
        self.links = self._spared(self.bodies, spares)
        self.joints = self._spared(self.held, spares)

    def _spared(self, entities: Iterable[Entity], spares: Spares) -> dict[str, str]:
        """Return names of entities in the model, which are valid in every format and unique in the model."""
        return {entity.name: spares.of(self.format.fits.spare(entity.name)) for entity in entities}

    def _with(self, units: Sequence[Unit]) -> tuple[Element, list[list[Element]]]:
        """Return the document with these units inserted, and the elements added for each."""
        root = Element("sdf", {"version": VERSION})
        model = root.add("model", {"name": "gazebo"})
        places = {("link", body.name): self._link(model, body) for body in self.bodies}
        places |= {("joint", joint.name): self._joint(model, joint) for joint in self.held}
        return root, [list(_placed(unit, places.get(unit.about, model))) for unit in units]

    def faults(self, units: Sequence[Unit]) -> Iterator[tuple[Node, str]]:
        """Yield what the reader of SDFormat refuses of the units (whose elements are the document's), and why."""
        assert self.format.read is not None
        root, tops = self._with(units)
        made = {
            id(item): node for unit, several in zip(units, tops, strict=True) for item, node in _pairs(unit, several)
        }
        nodes = [made.get(id(item)) for item in root.below()]
        places = [(str(number), 0) for number in range(len(nodes))]
        faults = Faults(gathered=True)
        context = ReaderContext(file="gazebo", folder=Path(), again=True, places=places, faults=faults)
        try:
            self.format.read(serialise(root).encode(), context)
        except InputError as error:
            faults.refuse(error)
        told = [(error.source, error.message) for error in faults.found]
        told += [(note.source, note.reason) for note in context.notes if note.severity == "error"]
        for source, why in told:
            node = nodes[int(source.file)] if source is not None and source.file.isdigit() else None
            if node is not None:
                yield node, why

    def read(self, units: Sequence[Unit]) -> tuple[Scene | None, set[int]]:
        """Return the model with these units as read from SDFormat; None if there are errors, with the positions of
        their units where known."""
        assert self.format.read is not None
        root, tops = self._with(units)
        for unit, several in zip(units, tops, strict=True):
            for contact in filter(None, map(contact_of, several)):
                rename_collisions(contact, self.called.get(unit.block.target, {}))
        origins = _origins(root, tops)
        displaced = {number for number, several in enumerate(tops) if any(id(top) not in origins for top in several)}
        if displaced:  # overridden by a later element
            return None, displaced
        sources = [(str(number) if number < len(units) else "", 0) for number in origins.values()]
        context = ReaderContext(file="gazebo", folder=Path(), again=True, places=sources)
        try:
            scene = self.format.read(serialise(root).encode(), context)
        except InputError as error:
            return None, _numbers([error.source])
        bad = [note.source for note in context.notes if _hurts(note)]
        return (None, _numbers(bad)) if bad else (scene, set())

    def _link(self, model: Element, body: Body) -> Element:
        link = model.add("link", {"name": self.links[body.name]})
        pose = self.poses.get(body.name, IDENTITY)
        if pose != IDENTITY:
            w, x, y, z = pose.rot
            text = numbers((*pose.pos, x, y, z, w))
            link.add("pose", {"rotation_format": "quat_xyzw"}).content.append(text)
        parts = self.parts[body.name] = []
        roles = [role for role in PARTS if (body.name, role) in self.roles]
        for index, geom in enumerate(body.geoms) if roles else ():
            for role in roles:
                if geom.role in (role, Role.BOTH):
                    parts.append(index)
                    self._part(link, geom, role)
        return link

    def _part(self, link: Element, geom: Geom, role: str) -> None:
        part = link.add(role, {"name": geom.name})
        part.add("geometry").add("sphere").add("radius").content.append("1")
        look = self.looks.get(geom.material or "")
        if role == Role.VISUAL and look is not None:
            material = part.add("material")
            for word in ("ambient", "diffuse"):
                material.add(word).content.append(numbers(look.rgba or WHITE))

    def _joint(self, model: Element, joint: Joint) -> Element:
        element = model.add("joint", {"name": self.joints[joint.name], "type": "revolute" if joint.dofs else "fixed"})
        element.add("parent").content.append(self.links.get(joint.parent, WORLD))
        element.add("child").content.append(self.links[joint.child])
        if joint.dofs:
            element.add("axis").add("xyz").content.append("0 0 1")
        return element


def _pairs(unit: Unit, tops: Iterable[Element]) -> Iterator[tuple[Element, Node]]:
    """Yield the elements added for a unit, each with the element of the document that it was made from."""
    counts: Counter[str] = Counter()
    for top in tops:
        whole = top.tag == unit.child.tag
        inner = [] if whole else unit.child.findall(top.tag)
        node = inner[counts[top.tag] % len(inner)] if inner else unit.child
        counts[top.tag] += 1
        stack = [(top, node)]
        while stack:
            item, node = stack.pop()
            assert isinstance(node, Node)
            yield item, node
            ranks: Counter[str] = Counter()
            for each in item.elements():
                ranks[each.tag] += 1
                stack.append((each, node.find(each.tag, ranks[each.tag]) or node))


def _origins(root: Element, tops: Sequence[Iterable[Element]]) -> dict[int, int]:
    """Return id of every element, in document order -> the first unit that placed it or an ancestor; len(tops) for
    elements that were there before."""
    first = {id(top): number for number, several in reversed([*enumerate(tops)]) for top in several}
    origins: dict[int, int] = {}
    stack = [(root, len(tops))]
    while stack:
        element, number = stack.pop()
        origins[id(element)] = number = min(number, first.get(id(element), number))
        stack += [(item, number) for item in reversed(element.content) if isinstance(item, Element)]
    return origins


def _hurts(note: Note) -> bool:
    """Whether the reader dropped something, or Gazebo would; renaming, or a material that only Gazebo knows, does not
    matter."""
    if note.rule == "sdf/reserved-name":
        return False
    return note.severity == "error" or note.action == "dropped" or note.rule == "sdf/gearbox"


def _numbers(sources: Iterable[Source | None]) -> set[int]:
    """Return the units at these sources in the model."""
    return {int(source.file) for source in sources if source is not None and source.file.isdigit()}


def _placed(unit: Unit, owner: Element) -> Iterator[Element]:
    """Insert a unit; yield the added or changed elements."""
    element, tag = unit.element, unit.element.tag
    if owner.tag == "joint" and tag in JOINT:
        for place in JOINT[tag]:
            yield _put(owner, place, element)
    elif owner.tag == "link" and tag in LINK:
        for place in LINK[tag]:
            yield _put(owner, place, element)
    elif owner.tag == "model" and tag in WORDS["model"]:
        yield _put(owner, tag, element)
    elif owner.tag == "link" and (role := role_of(tag)) is not None:
        for part in owner.content:
            if is_element(part, role):
                yield from _into_part(part, element)
    else:
        copy = element.copy()
        owner.content.append(copy)
        yield copy


def _into_part(part: Element, element: Element) -> Iterator[Element]:
    """Apply what a block sets for all visuals or collisions to one of them."""
    if element.tag in COLLISION:
        yield _put(part, COLLISION[element.tag], element)
    elif element.tag == "material":
        script = Element("script")
        script.add("name").content.append(text_of(element))
        script.add("uri").content.append(SCRIPT)
        (part.find("material") or part.add("material")).content.append(script)
        yield script
    else:
        for item in element.elements():
            if item.tag in ("surface", "material"):
                part.content = [other for other in part.content if not is_element(other, item.tag)]
            copy = item.copy()
            part.content.append(copy)
            yield copy


def _put(owner: Element, path: str, element: Element) -> Element:
    """Set the value at path, replacing that of an earlier block. Returns the topmost element of the path."""
    text = text_of(element)
    if element.tag in FLAGS - COPIED:
        text = "true" if text.lower() in TRUE else "false"
    elif element.tag == "turnGravityOff":
        text = "true" if text.lower() in FALSE else "false"
    top = None
    for step in path.split("/"):
        owner = owner.find(step) or owner.add(step)
        top = top or owner
    owner.content[:] = [text]
    assert top is not None
    return top


def _looks_around(element: Element) -> bool:
    """Whether it may refer to other links, or give a pose relative to one or to the model."""
    return any(
        each.tag in ("joint", "frame", "link") or "relative_to" in each.attrs or "attached_to" in each.attrs
        for each in element.below()
    )
