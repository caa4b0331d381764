"""What elements have in common, said once in default classes: the layout of the Menagerie.

It works on a finished document. An attribute moves into a class only where every member of the class has it with the
same value, so that no element can tell the difference.
"""

from __future__ import annotations

from converters.source.tree import Element
from ir.names import Spares

OWN = frozenset({"name", "class", "pos", "quat", "mesh", "hfield"})
"""Attributes that an element keeps for itself, however often they are equal."""
FAMILY = ("type", "axis", "range", "damping", "frictionloss", "armature", "stiffness", "springref", "actuatorfrcrange")
"""Attributes by which joints are of one family."""
PLAIN = {"type": "hinge", "axis": "0 0 1"}
"""What a joint is anyway."""


def factor(root: Element) -> None:
    """Move what is common into the class of the robot and those nested in it; nothing where there is no such class."""
    default = root.find("default")
    robot = default.find("default") if default is not None else None
    world = root.find("worldbody")
    if robot is None or world is None:
        return
    elements = list(world.below())
    geoms = [element for element in elements if element.tag == "geom"]
    for nested in [item for item in robot.elements() if item.tag == "default"]:
        _lift([geom for geom in geoms if geom.attrs.get("class") == nested.attrs["class"]], nested)
    joints = [element for element in elements if element.tag == "joint" and element.attrs.get("type") != "free"]
    for joint in joints:
        for name, value in PLAIN.items():
            if joint.attrs.get(name) == value:
                del joint.attrs[name]
    if joints and not any(element.attrs.get("type") == "free" for element in elements if element.tag == "joint"):
        _families(joints, robot)


def _lift(geoms: list[Element], section: Element) -> None:
    """Move the attributes that all of these geoms have alike into their class."""
    if len(geoms) < 2:
        return
    first, *others = geoms
    common = {
        name: value
        for name, value in first.attrs.items()
        if name not in OWN and all(other.attrs.get(name) == value for other in others)
    }
    if not common:
        return
    own = section.find("geom") or section.add("geom")
    own.attrs |= common
    for member in geoms:
        member.attrs = {name: value for name, value in member.attrs.items() if name not in common}


def _families(joints: list[Element], robot: Element) -> None:
    """Joints that agree in all that is no place of their own are a family, if that saves words."""
    groups: dict[tuple[tuple[str, str], ...], list[Element]] = {}
    for joint in joints:
        key = tuple((name, joint.attrs[name]) for name in FAMILY if name in joint.attrs)
        groups.setdefault(key, []).append(joint)
    spares = Spares(["main", *(item.attrs["class"] for item in robot.below() if "class" in item.attrs)])
    for key, members in groups.items():
        if len(members) < 2 or len(key) < 2:
            continue
        name = spares.of(_name([member.attrs.get("name", "") for member in members]))
        robot.add("default", {"class": name}).add("joint", dict(key))
        for member in members:
            kept = {each: value for each, value in member.attrs.items() if each not in dict(key)}
            member.attrs = {"name": kept.pop("name")} if "name" in kept else {}
            member.attrs |= {"class": name, **kept}


def _name(names: list[str]) -> str:
    """What the names of a family have in common at their ends or beginnings."""
    tail = _prefix([name[::-1] for name in names])[::-1].strip("_-/: ")
    head = _prefix(names).strip("_-/: ")
    best = max((tail, head), key=len)
    return best if len(best) > 2 and not best.isdigit() else "joints"


def _prefix(words: list[str]) -> str:
    """The letters with which all words begin."""
    first, last = min(words), max(words)  # what these two share, all share
    return next((first[:place] for place, letter in enumerate(first) if last[place : place + 1] != letter), first)
