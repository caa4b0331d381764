"""Common attributes of elements, moved into default classes: the layout of the Menagerie.

It processes a finished document. An attribute moves into a class only if every member has it with the same value, so
that no element changes; the exception is the type of geoms, which all of them give: the most common one moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from converters.source.tree import Element
from ir.names import Spares
from ir.types import Role

OWN = frozenset({"name", "class", "pos", "quat", "mesh", "hfield", "material", "size"})
"""Attributes that always remain on the element, even if they are equal."""
FAMILY = ("type", "axis", "range", "damping", "frictionloss", "armature", "stiffness", "springref", "actuatorfrcrange")
"""Attributes that define a family of joints."""
PLAIN = {"type": "hinge", "axis": "0 0 1"}
"""Defaults of a joint."""
FEW = 2
"""Minimum number of members for a class of their own."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^A-Za-z0-9]+|[A-Z]")
"""The words of a name, split at capitals, and the separators between them."""
BETWEEN = "_-/:. "
NUMBERS = re.compile(r"(?:_[0-9]+)+")
"""Number suffixes that distinguish nameless geoms of a body, if they end a name."""


def factor_into_classes(root: Element) -> None:
    """Move common attributes into the class of the robot and its nested classes; nothing if there is no such class."""
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
        if nested.attrs["class"] in (Role.VISUAL, Role.COLLISION):  # in other classes, the class is a geom's role
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
    """Move the attributes that all these elements share, except those in OWN, into their class."""
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
    """Return the default element of a class for this tag, inserted before its nested classes if missing."""
    found = section.find(tag)
    if found is None:
        found = Element(tag)
        place = next((index for index, item in enumerate(section.elements()) if item.tag == "default"), None)
        section.content.insert(len(section.content) if place is None else place, found)
    return found


def _lift_type(geoms: list[Element], section: Element) -> None:
    """Move the most common type into the class; other geoms keep their own."""
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
    """Give each group of elements with equal attributes a class of its own, if it is large enough.

    names: the attributes that must agree; least: how many of them a group needs at least.
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
        name = spares.of(_family_name(called if tag == "joint" else [*map(without_number, called)]) or f"{tag}s")
        section.add("default", {"class": name}).add(tag, dict(key))
        for member in family:
            kept = {each: value for each, value in member.attrs.items() if each not in dict(key)}
            member.attrs = {"name": kept.pop("name")} if "name" in kept else {}
            member.attrs |= kept | {"class": name} if "class" in kept else {"class": name, **kept}


def without_number(name: str) -> str:
    """Return a name without the number suffixes at its end."""
    return NUMBERS.sub(lambda match: "" if match.end() == len(name) else match[0], name)


def _family_name(names: Sequence[str]) -> str:
    """Return the words that the names of a family share, in order: arm_joint for arm_1_joint and arm_2_joint.

    "" if the result is not useful as a name.
    """
    first, *others = [WORD.findall(name) for name in names]
    for other in others:
        first = _common_words(first, other)
    gaps = zip(first, ["", *first], strict=False)
    name = "".join(word for word, before in gaps if word != before or word.strip(BETWEEN)).strip(BETWEEN)
    return name if len(name) > 2 and not name.isdigit() else ""


def _common_words(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the longest common subsequence of words."""
    rest = iter(other)
    if all(word in rest for word in one):  # usual from the third name of a family on
        return [*one]
    rows: list[list[list[str]]] = [[[] for _ in range(len(other) + 1)]]
    for word in one:
        above = rows[-1]
        row: list[list[str]] = [[]]
        for place, each in enumerate(other):
            row.append([*above[place], word] if word == each else max(above[place + 1], row[place], key=len))
        rows.append(row)
    return rows[-1][-1]
