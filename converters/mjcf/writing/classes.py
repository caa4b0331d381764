"""What elements have in common, said once in default classes: the layout of the Menagerie.

It works on a finished document. An attribute moves into a class only where every member of the class has it with the
same value, so that no element can tell the difference; of the types of geoms, which each one says, the commonest does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from converters.source.tree import Element
from ir.names import Spares
from ir.types import Role

OWN = frozenset({"name", "class", "pos", "quat", "mesh", "hfield", "material", "size"})
"""Attributes that an element keeps for itself, however often they are equal."""
FAMILY = ("type", "axis", "range", "damping", "frictionloss", "armature", "stiffness", "springref", "actuatorfrcrange")
"""Attributes by which joints are of one family."""
PLAIN = {"type": "hinge", "axis": "0 0 1"}
"""What a joint is anyway."""
FEW = 2
"""Members from which on a class of its own saves words."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^A-Za-z0-9]+|[A-Z]")
"""The words of a name, humps apart, and what stands between them."""
BETWEEN = "_-/:. "
NUMBER = re.compile(r"(_[0-9]+)+$")
"""By which geoms of a body that have no names are told apart."""


def factor_into_classes(root: Element) -> None:
    """Move what is common into the class of the robot and those nested in it; nothing where there is no such class."""
    default = root.find("default")
    robot = default.find("default") if default is not None else None
    world = root.find("worldbody")
    if robot is None or world is None:
        return
    elements = list(world.below())
    geoms = [element for element in elements if element.tag == "geom"]
    spares = Spares(["main", *(item.attrs["class"] for item in (robot, *robot.below()) if "class" in item.attrs)])
    for nested in robot.findall("default"):
        members = [geom for geom in geoms if geom.attrs.get("class") == nested.attrs["class"]]
        _lift_shared_attributes(members, nested)
        _lift_type(members, nested)
        if nested.attrs["class"] in (Role.VISUAL, Role.COLLISION):  # what class a geom has says its role, elsewhere
            _make_family_classes(
                members, nested, {name for geom in members for name in geom.attrs} - OWN - {"type"}, 1, spares
            )
    joints = [element for element in elements if element.tag == "joint" and element.attrs.get("type") != "free"]
    for joint in joints:
        for name, value in PLAIN.items():
            if joint.attrs.get(name) == value:
                del joint.attrs[name]
    if joints and not any(element.attrs.get("type") == "free" for element in elements if element.tag == "joint"):
        _lift_shared_attributes(joints, robot)
        _make_family_classes(joints, robot, FAMILY, 2, spares)


def _lift_shared_attributes(members: list[Element], section: Element) -> None:
    """Move the attributes that all of these elements have alike, but for their own ones, into their class."""
    if len(members) < FEW:
        return
    first, *others = members
    common = {
        name: value
        for name, value in first.attrs.items()
        if name not in OWN and all(other.attrs.get(name) == value for other in others)
    }
    if common:
        _class_element(section, first.tag).attrs |= common
        for member in members:
            member.attrs = {name: value for name, value in member.attrs.items() if name not in common}


def _class_element(section: Element, tag: str) -> Element:
    """The element of a class that speaks for all of this tag, before the classes in it."""
    found = section.find(tag)
    if found is None:
        found = Element(tag)
        place = next((index for index, item in enumerate(section.elements()) if item.tag == "default"), None)
        section.content.insert(len(section.content) if place is None else place, found)
    return found


def _lift_type(geoms: list[Element], section: Element) -> None:
    """Let the class say the commonest type; all others say their own."""
    types = Counter(geom.attrs.get("type", "") for geom in geoms)
    if len(types) < FEW or "" in types:
        return
    (commonest, count), *_ = types.most_common(1)
    if count < FEW:
        return
    _class_element(section, "geom").attrs["type"] = commonest
    for geom in geoms:
        if geom.attrs["type"] == commonest:
            del geom.attrs["type"]


def _make_family_classes(
    members: list[Element], section: Element, names: Collection[str], least: int, spares: Spares
) -> None:
    """Elements that agree in all that is no place of their own are a family, if that saves words.

    names: the attributes by which they are of one; least: how many of these a family has to say.
    """
    groups: dict[tuple[tuple[str, str], ...], list[Element]] = {}
    for member in members:
        key = tuple((name, member.attrs[name]) for name in FAMILY if name in member.attrs and name in names)
        key += tuple((name, value) for name, value in member.attrs.items() if name in names and name not in FAMILY)
        groups.setdefault(key, []).append(member)
    for key, family in groups.items():
        if len(family) < FEW or len(key) < least:
            continue
        tag = family[0].tag
        called = [member.attrs.get("name", "") for member in family]
        name = spares.of(
            _family_name(called if tag == "joint" else [NUMBER.sub("", each) for each in called]) or f"{tag}s"
        )
        section.add("default", {"class": name}).add(tag, dict(key))
        for member in family:
            kept = {each: value for each, value in member.attrs.items() if each not in dict(key)}
            member.attrs = {"name": kept.pop("name")} if "name" in kept else {}
            member.attrs |= kept | {"class": name} if "class" in kept else {"class": name, **kept}


def _family_name(names: Sequence[str]) -> str:
    """The words that the names of a family have in common, in their order: arm_joint of arm_1_joint and arm_2_joint.

    "" where that is hardly a name.
    """
    first, *others = [WORD.findall(name) for name in names]
    for other in others:
        first = _common_words(first, other)
    gaps = zip(first, ["", *first], strict=False)
    name = "".join(word for word, before in gaps if word != before or word.strip(BETWEEN)).strip(BETWEEN)
    return name if len(name) > 2 and not name.isdigit() else ""


def _common_words(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest list of words that stand in both in this order."""
    rest = iter(other)
    if all(word in rest for word in one):  # as of the third name of a family on
        return [*one]
    rows: list[list[list[str]]] = [[[] for _ in range(len(other) + 1)]]
    for word in one:
        above = rows[-1]
        row: list[list[str]] = [[]]
        for place, each in enumerate(other):
            row.append([*above[place], word] if word == each else max(above[place + 1], row[place], key=len))
        rows.append(row)
    return rows[-1][-1]
