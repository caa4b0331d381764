"""<gazebo> blocks as a stretch of SDFormat: a model of empty links and joints, and what the blocks say put where
libsdformat puts it (parser_urdf, InsertSDFExtension*). What they mean is then for the reader of SDFormat to say."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from converters.context import Context, InputError, Note
from converters.registry import format_named
from converters.source.gazebo import COLLISION, COPIED, FALSE, FLAGS, JOINT, KEPT, LINK, TRUE, text_of
from converters.source.text import numbers, parse_numbers
from converters.source.tree import Comment, Element, fragments, is_element, serialise
from converters.urdf.lumps import call, contact_of, of_scene
from converters.urdf.parting import parted
from ir.kinematics import drawn
from ir.names import Spares
from ir.scene import Scene
from ir.types import IDENTITY, WHITE, WORLD, Block, Body, Entity, Geom, Joint, Role, Source

SDF = "sdf"
VERSION = "1.11"
"""What libsdformat makes of a URDF says that it is of this version."""
WORDS = {"link": {*COLLISION, *LINK, "material"}, "joint": set(JOINT), "model": {"static"}}
"""Children that libsdformat has words of its own for."""
ONCE = frozenset().union(*WORDS.values(), {"pose", "velocity_decay"})
SPRINGS = frozenset({"springReference", "springStiffness"})
GAZEBO = frozenset({"plugin", "laserRetro", "maxContacts"} | JOINT.keys() - SPRINGS)
"""Children that say nothing in the terms of the graph."""
UNPLACED: Mapping[str, frozenset[str]] = {
    "link": frozenset({"inertial", "pose"}),
    "joint": frozenset({"axis", "canonicalBody", "child", "parent", "pose", *KEPT}),
    "part": frozenset({"density", "geometry", "pose"}),
    "model": frozenset({"canonicalBody", "include", "model"}),
}
"""What would stand there a second time, brings models along, or is for the parser of libsdformat alone."""
SCRIPT = "file://media/materials/scripts/gazebo.material"
ROUNDS = 16
"""Readings after which a model with ever new faults is given up, and its blocks stay as they are."""
SOLE = frozenset({"light", "sensor"})
"""Children of a link of which no two may have one name."""
PARTS = (Role.VISUAL, Role.COLLISION)


class Unit(NamedTuple):
    """A child of a block, parted into what SDFormat knows, which is placed as a whole or not at all, and the rest.

    kind: model, link or joint, as the block is about it; of a link and a joint of one name it is about both.
    """

    block: Block
    kind: str
    child: Element
    element: Element
    rest: Element | None

    @property
    def about(self) -> tuple[str, str]:
        return self.kind, self.block.target


class Insertion(NamedTuple):
    """What blocks mean: a model of SDFormat that has nothing else. links and joints give the names that bodies and
    joints have there, parts the geoms of a body, by position, that its geoms stand for."""

    scene: Scene
    links: Mapping[str, str]
    joints: Mapping[str, str]
    parts: Mapping[str, list[int]]
    units: Sequence[Unit]
    elements: Mapping[str, Element]
    """Blocks by name; of units their children are."""

    def left(self, lost: Container[int]) -> Mapping[str, Element | None]:
        """Block -> what of it has no place in SDFormat, None for nothing; but for blocks that stay as they are.

        lost: positions of units that the model has, and nobody took over.
        """
        rests = {id(unit.child): unit.rest for number, unit in enumerate(self.units) if number not in lost}
        found: dict[str, Element | None] = {}
        for name, element in self.elements.items():
            if rests.keys().isdisjoint(map(id, element.content)):
                continue
            parts = [rests.get(id(item), item) for item in element.content]
            rest = Element(element.tag, element.attrs)
            rest.content = [item for item in parts if item is not None]
            some = any(type(item) is not Comment for item in rest.content) or rest.attrs.keys() - {"reference"}
            found[name] = rest if some else None
        return found


def inserted(scene: Scene, blocks: Sequence[Block], whole: bool) -> Insertion | None:
    """What <gazebo> blocks say; None for nothing that SDFormat could say. whole: also what is for Gazebo alone.

    A unit that the reader of SDFormat takes only with an error or a loss is not placed.
    """
    texts = fragments([block.extras[0].text for block in blocks])
    elements = {block.name: text for block, text in zip(blocks, texts, strict=True)}
    units = _counting([unit for block in blocks for unit in _units(block, elements[block.name], scene)])
    whole_model = [block.name for block in blocks if not block.target]
    units = [unit for unit in units if unit.element.tag != "static" or unit.block.name == whole_model[-1]]
    if not whole:
        units = [unit for unit in units if unit.element.tag not in GAZEBO and not _painted(unit, scene)]
    if not units:
        return None
    model = _Skeleton(scene, units)
    sole = _sole(units)
    found = model.read(sole)[0] if len(sole) < len(units) else None  # else the reader would find that first
    units = sole if found is not None else units
    for _ in range(ROUNDS if found is None else 0):
        found, faulty = model.read(units)
        if found is not None:
            break
        units = [unit for number, unit in enumerate(units) if number not in faulty] if faulty else []
    if found is None or not units:
        return None
    return Insertion(found, model.links, model.joints, model.parts, units, elements)


def _kinds(block: Block, scene: Scene) -> list[str]:
    """What a block is about; nothing for what is not there."""
    if not block.target:
        return ["model"]
    found = ["link"] if block.target in scene.bodies and block.target != WORLD else []
    return [*found, "joint"] if block.target in scene.joints else found


def _units(block: Block, element: Element, scene: Scene) -> Iterator[Unit]:
    for kind in _kinds(block, scene):
        yield from _about(kind, block, element, scene)


def _about(kind: str, block: Block, element: Element, scene: Scene) -> Iterator[Unit]:
    """The children that can be placed in a link or joint of the name, or in the model."""
    for child in element.content:
        if not isinstance(child, Element) or child.tag in UNPLACED[kind] or _prefixed(child) or _brings_files(child):
            continue
        role = role_of(child.tag) if kind == "link" else None
        if role is not None and not any(geom.role in (role, Role.BOTH) for geom in scene.body(block.target).geoms):
            continue
        if child.tag in SPRINGS and kind == "joint" and len(scene.joints[block.target].dofs) != 1:
            continue
        if child.tag in WORDS[kind]:
            if child.attrs.keys() <= {"value"} and len(child.attrs) + len(child.content) <= 1 and _says(child):
                yield Unit(block, kind, child, child, None)
        elif role is not None or format_named(SDF).knows(kind, child.tag):
            yield Unit(block, kind, child, *parted(child, UNPLACED["part"] if role is not None else frozenset()))


def _says(word: Element) -> bool:
    """Whether a word says what it can: all but flags and names are numbers, and what is copied has a text."""
    try:
        if word.tag in COPIED and not text_of(word):
            return False
        return word.tag in (*FLAGS, "turnGravityOff", "material") or bool(parse_numbers(text_of(word)))
    except ValueError:
        return False


def _painted(unit: Unit, scene: Scene) -> bool:
    """Whether it is a look for visuals that have one: no more than another for Gazebo."""
    return unit.element.tag == "material" and all(
        geom.material for geom in scene.body(unit.block.target).geoms if geom.role == Role.VISUAL
    )


def role_of(tag: str) -> str | None:
    """What of a link a child of a block is about; None for the link itself."""
    if tag in (Role.VISUAL, "material"):
        return Role.VISUAL
    return Role.COLLISION if tag == Role.COLLISION or tag in COLLISION else None


def _counting(units: Sequence[Unit]) -> list[Unit]:
    """Those that count for libsdformat of what can be said once: the last word, or the first element that it copies.

    It copies what each block makes of dampingFactor, too. What a block says of each visual or collision at large comes
    first in it, so that words for single properties go into it.
    """
    said: dict[tuple[str, str, str], Unit] = {}
    for unit in units:
        first = said.setdefault(_key(unit), unit)
        if unit.element.tag not in COPIED and (unit.element.tag != "dampingFactor" or first.block is unit.block):
            said[_key(unit)] = unit
    found = [unit for unit in units if unit.element.tag not in ONCE or said[_key(unit)] is unit]
    order = {block: place for place, block in enumerate(dict.fromkeys(unit.block.name for unit in units))}
    return sorted(found, key=lambda unit: (order[unit.block.name], unit.element.tag not in PARTS))


def _sole(units: Sequence[Unit]) -> list[Unit]:
    """Without those that have the name of an earlier one of their kind in one of the links."""
    seen: set[tuple[tuple[str, str], str, str]] = set()
    sole: list[Unit] = []
    for unit in units:
        key = unit.about, unit.element.tag, unit.element.attrs.get("name", "")
        if key not in seen or unit.element.tag not in SOLE or unit.kind != "link":
            sole.append(unit)
        seen.add(key)
    return sole


def _key(unit: Unit) -> tuple[str, str, str]:
    """What can be said once: a place of the link or joint, whatever the word for it."""
    tag = unit.element.tag
    return *unit.about, {**JOINT, **LINK}.get(tag, (COLLISION.get(tag, tag),))[0].removesuffix("/linear")


def _prefixed(element: Element) -> bool:
    """Names with a prefix are of another document, or of what Gazebo was before SDFormat: whether it has one, or is or
    holds a plugin with one (what else is in it is parted from it)."""
    plugins = (each for each in element.below() if each.tag == "plugin")
    inside = (each for plugin in plugins for each in plugin.below())
    return any(":" in each.tag or any(":" in name for name in each.attrs) for each in (element, *inside))


def _brings_files(element: Element) -> bool:
    """Whether it is a link with a shape from a file: those of the robot have all been found by now."""
    return element.tag == "link" and any(each.tag in ("heightmap", "mesh") for each in element.below())


class _Skeleton:
    """The links and joints of a robot without anything in them."""

    def __init__(self, scene: Scene, units: Sequence[Unit]) -> None:
        self.format = format_named(SDF)
        self.looks = scene.materials
        about = {unit.about for unit in units}
        self.held = [joint for name, joint in scene.joints.items() if ("joint", name) in about]
        targets = {name for kind, name in about if kind == "link"}
        targets |= {end for joint in self.held for end in (joint.parent, joint.child)}
        whole = any(_looks_around(unit.element) for unit in units)
        self.poses = drawn(scene) if whole else {}
        bodies = [body for body in scene.bodies.values() if body.name != WORLD]
        self.bodies = [body for body in bodies if whole or body.name in targets] or bodies[:1]  # no model has no link
        self.roles = {(unit.block.target, role_of(unit.element.tag)) for unit in units if unit.kind == "link"}
        touching = {unit.block.target for unit in units if contact_of(unit.element) is not None}
        self.roles |= {(target, Role.COLLISION) for target in touching}
        self.called = of_scene(scene) if touching else {}
        self.parts: dict[str, list[int]] = {}
        spares = Spares()
        self.links = self._spared(self.bodies, spares)
        self.joints = self._spared(self.held, spares)

    def _spared(self, entities: Iterable[Entity], spares: Spares) -> dict[str, str]:
        """The names that entities have in the model, which no format forbids and none of it has."""
        return {entity.name: spares.of(self.format.fits.spare(entity.name)) for entity in entities}

    def read(self, units: Sequence[Unit]) -> tuple[Scene | None, set[int]]:
        """The model with these units in it, as the reader of SDFormat has it; None where it finds faults, with the
        positions of the units that have them, as far as they are known."""
        assert self.format.read is not None
        root = Element("sdf", {"version": VERSION})
        model = root.add("model", {"name": "gazebo"})
        places = {("link", body.name): self._link(model, body) for body in self.bodies}
        places |= {("joint", joint.name): self._joint(model, joint) for joint in self.held}
        tops = [list(_placed(unit, places.get(unit.about, model))) for unit in units]
        for unit, several in zip(units, tops, strict=True):
            for contact in filter(None, map(contact_of, several)):
                call(contact, self.called.get(unit.block.target, {}))
        origins = _origins(root, tops)
        displaced = {number for number, several in enumerate(tops) if any(id(top) not in origins for top in several)}
        if displaced:  # a later word counts
            return None, displaced
        sources = [(str(number) if number < len(units) else "", 0) for number in origins.values()]
        context = Context(file="gazebo", folder=Path(), again=True, strict=False, places=sources)
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
            part.add("material").add("diffuse").content.append(numbers(look.rgba or WHITE))

    def _joint(self, model: Element, joint: Joint) -> Element:
        element = model.add("joint", {"name": self.joints[joint.name], "type": "revolute" if joint.dofs else "fixed"})
        element.add("parent").content.append(self.links.get(joint.parent, WORLD))
        element.add("child").content.append(self.links[joint.child])
        if joint.dofs:
            element.add("axis").add("xyz").content.append("0 0 1")
        return element


def _origins(root: Element, tops: Sequence[Iterable[Element]]) -> dict[int, int]:
    """Every element by its id, in document order -> the first of those that placed it, or what it is in; their number
    for what was there before."""
    first = {id(top): number for number, several in reversed([*enumerate(tops)]) for top in several}
    origins: dict[int, int] = {}
    stack = [(root, len(tops))]
    while stack:
        element, number = stack.pop()
        origins[id(element)] = number = min(number, first.get(id(element), number))
        stack += [(item, number) for item in reversed(element.content) if isinstance(item, Element)]
    return origins


def _hurts(note: Note) -> bool:
    """Whether the reader has left something out, or Gazebo would; a look that only Gazebo knows is none of it."""
    return note.severity == "error" or note.action == "dropped" or note.rule == "sdf/gearbox"


def _numbers(sources: Iterable[Source | None]) -> set[int]:
    """The units that places of the model come from."""
    return {int(source.file) for source in sources if source is not None and source.file.isdigit()}


def _placed(unit: Unit, owner: Element) -> Iterator[Element]:
    """Put it there; gives what was added, or holds what was."""
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
    """A visual or a collision takes over what a block says of each of them."""
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
    """Say it there, in the stead of what an earlier block has said. Gives the topmost element on the way."""
    text = text_of(element)
    if element.tag in FLAGS:
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
    """Whether it may name other links than its own, or say a place relative to one or to the model."""
    return any(
        each.tag in ("joint", "frame", "link") or "relative_to" in each.attrs or "attached_to" in each.attrs
        for each in element.below()
    )
