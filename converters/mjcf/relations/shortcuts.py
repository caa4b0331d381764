"""Kinds of actuator and their default classes: a class has one actuator, and each kind expresses the law of <general>
in its own attributes (MuJoCo 4, Modeling, Actuator shortcuts)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from converters.mjcf.document.attributes import PARTIAL
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.demands import TAKEN
from converters.mjcf.document.schema import attributes, kinds
from converters.mjcf.relations import laws, motors
from converters.mjcf.relations.laws import FIXED, Said, Texts
from converters.source.text import words
from converters.source.xml import Node

PLACED = frozenset(["name", "class", "joint", "tendon", "site", "refsite", "slidersite", "cranksite", "body"])
"""Attributes of identity and transmission of an actuator; without jointinparent, which a class may give."""
SHARED = (attributes("actuator/motor") - PLACED) | {"actlimited", "actrange"}
"""Attributes that an actuator inherits from a default of any kind: a motor has no others."""
OWN: Mapping[str, frozenset[str]] = {tag: attributes(f"actuator/{tag}") - PLACED - SHARED for tag in kinds("actuator")}
"""Kind of actuator -> its own attributes."""
LAWS = ("general", "plugin")
"""Kinds that give the law directly."""
EITHER = (frozenset(("kv", "dampratio")), frozenset(("area", "diameter")))
"""Alternative attributes for one value: giving one of them overrides an inherited other."""


class Law(NamedTuple):
    """The actuator of a class, or of the model."""

    tag: str
    own: Texts
    """Its attributes, in those of its kind."""
    general: Texts
    """The same expressed as attributes of <general>."""


def law(element: Resolved) -> Law:
    """Return the law of an actuator from its own attributes and those that its class gives for its kind, unmarked."""
    return _nearest_classes(element.node, _laws_of_classes(element))


def mark(said: Said) -> str:
    """Return the text and mark all its origins as read."""
    for node, name in said.givers:
        node.get(name)
    return said.text


def _laws_of_classes(element: Resolved) -> list[Law]:
    """Return the actuators of the class of an element and of its parent classes, nearest first."""
    found: list[tuple[str, Law]] = []
    for node in reversed(element.defaults):
        nested = node.parent is not None and node.parent.parent is not None and node.parent.parent.tag == "default"
        name = node.parent.attrs.get("class", MAIN) if nested and node.parent is not None else MAIN
        made = _nearest_classes(node, [each for _, each in reversed(found)])
        if found and found[-1][0] == name:
            found.pop()
        found.append((name, made))
    return [each for _, each in reversed(found)]


def _nearest_classes(node: Node, classes: Sequence[Law]) -> Law:
    attrs = {name: Said(text, ((node, name),)) for name, text in node.attrs.items() if name in OWN[node.tag]}
    if node.tag not in LAWS:
        base = _inherited_texts(node.tag, classes, bool(attrs))
        if any(name in node.attrs for name in TAKEN.get(node.tag, ())):
            base = {name: said for name, said in base.items() if name != "inheritrange"}
        own = _said_over(attrs, base)
        return Law(node.tag, own, GENERAL[node.tag](own))
    nearest = classes[0] if classes else Law(node.tag, {}, {})
    if nearest.tag in WORDY and not attrs:
        return nearest
    base = nearest.general
    if "gaintype" in attrs and attrs["gaintype"].text != base.get("gaintype", FIXED).text:
        base = {name: said for name, said in base.items() if name != "input"}
    return Law("general", {}, _said_over(attrs, base))


def _said_over(attrs: Texts, base: Texts) -> Texts:
    """Return the given attributes over the inherited ones; a short vector is completed from the inherited one."""
    hidden = {name for pair in EITHER if pair & attrs.keys() for name in pair}
    found = {name: said for name, said in base.items() if name not in hidden}
    for name, said in attrs.items():
        below = base.get(name)
        tail = words(below.text)[len(words(said.text)) :] if below is not None and name in PARTIAL else []
        whole = Said(" ".join([said.text, *tail]), (*said.givers, *(below.givers if below is not None else ())))
        found[name] = whole if tail else said
    return found


def _inherited_texts(tag: str, classes: Sequence[Law], speaks: bool) -> Texts:
    """Return the attributes of the nearest class actuator of this kind, or of a <general> with the gain of its kind."""
    for each in classes:
        if each.tag == tag:
            return SHORT[tag][1](each.general) if speaks and tag in COMPILED else each.own
        if each.tag == "general" and tag in SHORT:
            gain, read = SHORT[tag]
            if each.general.get("gaintype", FIXED).text == gain:
                return read(each.general)
    return {}


GENERAL: Mapping[str, Callable[[Texts], Texts]] = {
    "motor": laws.motor,
    "position": laws.position,
    "velocity": laws.velocity,
    "intvelocity": laws.intvelocity,
    "orientation": laws.orientation,
    "pid": laws.pid,
    "damper": laws.damper,
    "cylinder": laws.cylinder,
    "muscle": laws.muscle,
    "adhesion": laws.adhesion,
    "dcmotor": motors.dcmotor,
}
"""Kind -> a function that expresses its attributes as those of <general>."""
SHORT: Mapping[str, tuple[str, Callable[[Texts], Texts]]] = {
    "position": ("fixed", laws.from_position),
    "intvelocity": ("fixed", laws.from_servo),
    "velocity": ("fixed", lambda general: laws.kept(kv=laws.number_at(general, "gainprm", 0))),
    "orientation": ("so3", laws.from_orientation),
    "pid": ("pid", laws.from_pid),
    "damper": ("affine", lambda general: laws.kept(kv=laws.number_at(general, "gainprm", 2, "-"))),
    "cylinder": ("fixed", laws.from_cylinder),
    "muscle": ("muscle", laws.from_muscle),
    "adhesion": ("fixed", lambda general: laws.kept(gain=laws.number_at(general, "gainprm", 0))),
    "dcmotor": ("dcmotor", motors.from_dcmotor),
}
"""Kind -> the gain type of a <general> from which it inherits, and the function that reads its attributes."""
COMPILED = ("pid", "dcmotor")
"""Kinds whose classes give compiled values to actuators that have attributes of their own."""
WORDY = ("pid", "orientation", "dcmotor")
"""Kinds that a <general> with such a class becomes, unless it changes their law."""
