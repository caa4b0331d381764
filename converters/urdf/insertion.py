"""<gazebo> blocks as SDFormat: selects what takes effect and can be inserted into a model of empty links and joints
(skeleton). The reader of SDFormat then interprets it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from converters.registry import format_named
from converters.source.gazebo import COLLISION, COPIED, FLAGS, JOINT, KEPT, LINK, noise_of_each_axis, text_of
from converters.source.text import parse_numbers
from converters.source.tree import Comment, Element, fragments
from converters.source.xml import Node
from converters.urdf.skeleton import PARTS, SDF, WORDS, Skeleton, Unit, role_of
from ir.scene import Scene
from ir.types import WORLD, Block, Role

ONCE = frozenset().union(*WORDS.values(), {"pose", "velocity_decay"})
SPRINGS = frozenset({"springReference", "springStiffness"})
GAZEBO = frozenset({"plugin", "laserRetro", "maxContacts"} | JOINT.keys() - SPRINGS)
"""Children without a counterpart in the graph."""
UNPLACED: Mapping[str, frozenset[str]] = {
    "link": frozenset({"inertial", "pose"}),
    "joint": frozenset({"axis", "canonicalBody", "child", "parent", "pose", *KEPT}),
    "part": frozenset({"density", "geometry", "pose"}),
    "model": frozenset({"canonicalBody", "include", "model"}),
}
"""Children that would be duplicates there, add models, or only concern the parser of libsdformat."""
ROUNDS = 16
"""Attempts after which a model with ever new errors is given up, and its blocks stay as they are."""
FRAME_ID, FRAME_IDS = "frame_id", ("gz_frame_id", "ignition_frame_id")
"""The frame id in the messages of a sensor: in SDFormat since 1.12, and in older elements of Gazebo."""
SOLE = frozenset({"light", "sensor"})
"""Children of a link whose names must be unique."""


class Insertion(NamedTuple):
    """The content of blocks: an SDFormat model with nothing else. links and joints map bodies and joints to their names
    there, parts a body to the indices of the geoms that its geoms there represent."""

    scene: Scene
    links: Mapping[str, str]
    joints: Mapping[str, str]
    parts: Mapping[str, list[int]]
    units: Sequence[Unit]
    elements: Mapping[str, Element]
    """Blocks by name; the children of units are in them."""

    def left(self, lost: Container[int]) -> Mapping[str, Element | None]:
        """Return block -> the part without a counterpart in SDFormat, or None; without blocks that stay as they are.

        lost: positions of units that are in the model but were not used.
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


def meaning_of_blocks(scene: Scene, blocks: Sequence[Block], whole: bool, framed: bool) -> Insertion | None:
    """Return the content of <gazebo> blocks; None if SDFormat can express none of it. whole: include data for Gazebo
    only; framed: convert the frame id of a sensor to the element that SDFormat has since 1.12.

    A unit that the reader of SDFormat accepts only with an error or a loss is left out.
    """
    texts = fragments([block.extras[0].text for block in blocks])
    elements = {block.name: text for block, text in zip(blocks, texts, strict=True)}
    units = _units_that_count(
        [unit for block in blocks for unit in _units_of_block(block, elements[block.name], scene, framed)]
    )
    whole_model = [block.name for block in blocks if not block.target]
    units = [unit for unit in units if unit.element.tag != "static" or unit.block.name == whole_model[-1]]
    if not whole:
        units = [unit for unit in units if unit.element.tag not in GAZEBO and not _is_extra_look(unit, scene)]
    if not units:
        return None
    model = Skeleton(scene, units)
    sole = _without_repeated_names(units)
    found = model.read(sole)[0] if len(sole) < len(units) else None  # otherwise duplicates are the first fault found
    units = sole if found is not None else units
    for _ in range(ROUNDS if found is None else 0):
        found, faulty = model.read(units)
        if found is not None:
            break
        units = [unit for number, unit in enumerate(units) if number not in faulty] if faulty else []
    if found is None or not units:
        return None
    return Insertion(found, model.links, model.joints, model.parts, units, elements)


def refused_blocks(scene: Scene, blocks: Iterable[Block]) -> Iterator[tuple[Node, str]]:
    """Yield what a reader of SDFormat refuses in <gazebo> blocks of the document that was read, with the reason."""
    units = [
        unit._replace(element=unit.child, rest=None)
        for block in blocks
        for extra in block.extras
        if extra.source is not None and isinstance(extra.source.at, Node)
        for unit in _units_of_block(block, extra.source.at, scene)
    ]
    if units:
        yield from Skeleton(scene, units).faults(_units_that_count(units))


def _kinds_of_target(block: Block, scene: Scene) -> list[str]:
    """Return the kinds of a block's target; none if it does not exist, as a floating joint in SDFormat."""
    if not block.target:
        return ["model"]
    found = ["link"] if block.target in scene.bodies and block.target != WORLD else []
    joint = scene.joints.get(block.target)
    return [*found, "joint"] if joint is not None and not joint.free else found


def _units_of_block(block: Block, element: Element, scene: Scene, framed: bool = False) -> Iterator[Unit]:
    for kind in _kinds_of_target(block, scene):
        yield from _units_about(kind, block, element, scene, framed)


def _units_about(kind: str, block: Block, element: Element, scene: Scene, framed: bool) -> Iterator[Unit]:
    """Yield the children that can be placed in the link or joint of that name, or in the model."""
    for child in element.content:
        if not isinstance(child, Element) or child.tag in UNPLACED[kind] or _has_prefix(child) or _brings_files(child):
            continue
        role = role_of(child.tag) if kind == "link" else None
        if role is not None and not any(geom.role in (role, Role.BOTH) for geom in scene.body(block.target).geoms):
            continue
        if child.tag in SPRINGS and kind == "joint" and len(scene.joints[block.target].dofs) != 1:
            continue
        if child.tag in WORDS[kind]:
            if (
                child.attrs.keys() <= {"value"}
                and len(child.attrs) + len(child.content) <= 1
                and _says_what_it_can(child)
            ):
                yield Unit(block, kind, child, child, None)
        elif role is not None or format_named(SDF).knows(kind, child.tag):
            said = _with_frame_word(child) if framed and child.tag == "sensor" else child
            yield Unit(block, kind, child, *parted(said, UNPLACED["part"] if role is not None else frozenset()))


def _with_frame_word(sensor: Element) -> Element:
    """Return the sensor with its frame id in SDFormat's element, if it gives one in an older element of Gazebo."""
    old = next((item for item in sensor.elements() if item.tag in FRAME_IDS), None)
    if old is None or sensor.find(FRAME_ID) is not None:
        return sensor
    made, new = Element(sensor.tag, sensor.attrs), Element(FRAME_ID, old.attrs)
    new.content = old.content
    made.content = [new if item is old else item for item in sensor.content]
    return made


def _says_what_it_can(word: Element) -> bool:
    """Whether an element has a valid value: all but flags and names are numbers, and copied elements need a text."""
    try:
        if word.tag in COPIED and not text_of(word):
            return False
        return word.tag in (*FLAGS, "turnGravityOff", "material") or bool(parse_numbers(text_of(word)))
    except ValueError:
        return False


def _is_extra_look(unit: Unit, scene: Scene) -> bool:
    """Whether it is a material for visuals that have one: it only matters to Gazebo."""
    return unit.element.tag == "material" and all(
        geom.material for geom in scene.body(unit.block.target).geoms if geom.role == Role.VISUAL
    )


def _units_that_count(units: Sequence[Unit]) -> list[Unit]:
    """Return the units that libsdformat uses, of those that can be given once: the last, or the first if it is copied.

    What each block makes of dampingFactor is copied, too: the last one of the first block is used. Within a block,
    elements for all visuals or collisions come first, so that single properties are set in them.
    """
    said: dict[tuple[str, str, str], Unit] = {}
    for unit in units:
        first = said.setdefault(_place_of_unit(unit), unit)
        if unit.element.tag not in COPIED and (unit.element.tag != "dampingFactor" or first.block is unit.block):
            said[_place_of_unit(unit)] = unit
    found = [unit for unit in units if unit.element.tag not in ONCE or said[_place_of_unit(unit)] is unit]
    order = {block: place for place, block in enumerate(dict.fromkeys(unit.block.name for unit in units))}
    return sorted(found, key=lambda unit: (order[unit.block.name], unit.element.tag not in PARTS))


def _without_repeated_names(units: Sequence[Unit]) -> list[Unit]:
    """Return the units without those that duplicate the name of an earlier one of their kind in a link."""
    seen: set[tuple[tuple[str, str], str, str]] = set()
    sole: list[Unit] = []
    for unit in units:
        key = unit.about, unit.element.tag, unit.element.attrs.get("name", "")
        if key not in seen or unit.element.tag not in SOLE or unit.kind != "link":
            sole.append(unit)
        seen.add(key)
    return sole


def _place_of_unit(unit: Unit) -> tuple[str, str, str]:
    """Return the key of what can be given once: a path in the link or joint, whatever the element for it."""
    tag = unit.element.tag
    return *unit.about, {**JOINT, **LINK}.get(tag, (COLLISION.get(tag, tag),))[0].removesuffix("/linear")


def _has_prefix(element: Element) -> bool:
    """Whether the element has a namespace prefix, or is or contains a plugin with one: such names belong to another
    document, or to Gazebo before SDFormat (other prefixed content is separated from it)."""
    plugins = (each for each in element.below() if each.tag == "plugin")
    inside = (each for plugin in plugins for each in plugin.below())
    return any(":" in each.tag or any(":" in name for name in each.attrs) for each in (element, *inside))


def _brings_files(element: Element) -> bool:
    """Whether it is a link with a shape from a file: the files of the robot have all been searched by now."""
    return element.tag == "link" and any(each.tag in ("heightmap", "mesh") for each in element.below())


DEEPEST = 32
"""Maximum nesting of elements; no sensor has half as many levels."""


def parted(element: Element, without: Container[str] = (), depth: int = 0) -> tuple[Element, Element | None]:
    """Return the element with what the specification has, and one with the rest (None if empty).

    without: children that belong to the rest in any case.
    """
    knows = format_named(SDF).knows
    known, rest = Element(element.tag), Element(element.tag)
    for name, value in element.attrs.items():
        (known if knows(element.tag, f"@{name}") else rest).attrs[name] = value
    for item in noise_of_each_axis(element).content if element.tag == "imu" else element.content:
        if not isinstance(item, Element) or element.tag == "plugin":
            known.content.append(item)
        elif knows(element.tag, item.tag) and item.tag not in without and depth < DEEPEST:
            inner, left = parted(item, depth=depth + 1)
            known.content.append(inner)
            if left is not None:
                rest.content.append(left)
        else:
            rest.content.append(item)
    if not rest.attrs and not rest.content:
        return known, None
    if "name" in known.attrs:
        rest.attrs = {"name": known.attrs["name"], **rest.attrs}
    return known, rest
