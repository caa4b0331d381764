"""Conditions on values, used by the rows about elements of other versions of SDFormat (converters.format.Loss.when)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from converters.facts import Facts
from converters.report.reasons import geom_of
from converters.sdf.document.vocabulary import FREE, knows, since
from converters.sdf.tables import VERSION, version_of, version_text
from converters.sdf.writing.versions import ELEMENTS, ONE_NOISE, fit_to_version, same_version, written_version
from converters.source.tree import Element, fragment, serialise
from ir.diff import Difference
from ir.scene import Address
from ir.types import Extra, Role

OWNERS = {
    "scene": "sdf",
    "scope": "model",
    "block": "model",
    "body": "link",
    "body.inertial": "inertial",
    "body.lights": "light",
    "body.frames": "frame",
    "body.geoms.surface": "surface",
    "loop": "joint",
}
"""Address -> the element it is read from, if that has another name."""
STANDS_FOR = {"thread_pitch": "screw_thread_pitch"}
"""Word -> the newer one that it replaces in versions without that: extras with it cannot be written there."""


def of_other_version_or_role(difference: Difference, facts: Facts) -> bool:
    """Whether a word is not written because it belongs to another version, to an edited document or to the other role
    of a geom, and no contradicting value replaces it."""
    if _contradicted(difference, facts):
        return False
    geom = geom_of(difference, facts)
    word = difference.path[-1].partition("[")[0]
    strange = geom is not None and geom.role in (Role.VISUAL, Role.COLLISION) and not knows(geom.role, word)
    foreign = VERSION not in facts.scene.notation and not _in_both(difference, facts)
    return strange or foreign or _is_of_other_version(difference, facts)


def elsewhere_in_other_version(difference: Difference, facts: Facts) -> bool:
    """Whether the source gives it in another version, elsewhere in the element, and no contradicting value here."""
    moved = difference.path[:2] in facts.once(_owners_of_lost)
    return moved and not _contradicted(difference, facts) and _is_of_other_version(difference, facts)


def _owners_of_lost(facts: Facts) -> set[Address]:
    """Return the things of which the output lacks an extra of the source."""
    return {path[:2] for path, word in facts.lost.items() if isinstance(word, Extra)}


def other_version_or_edited(_: Difference, facts: Facts) -> bool:
    """Whether the source has another version, or has been edited since."""
    own, asked = facts.scene.notation.get(VERSION), facts.options.sdf_version
    if own is None:
        return asked is not None
    return own.strip() != version_text(written_version(asked, facts.fitted)) or bool(facts.scene.brought)


def _is_of_other_version(difference: Difference, facts: Facts) -> bool:
    return other_version_or_edited(difference, facts) and not _in_both(difference, facts)


def _in_both(difference: Difference, facts: Facts) -> bool:
    """Whether a block, as in the source or in a <gazebo> block, is valid in the version to be written too: that version
    knows all its words, fitting to it changes nothing (or nothing is fitted, since no version was requested), and the
    block is neither part of an extra that the source gives as a whole, nor has a part that the output gives."""
    path = difference.path
    block = facts.lost.get(path) or facts.gained.get(path)
    own = version_of(facts.scene.notation.get(VERSION))
    if not isinstance(block, Extra) or (own is not None and own < ELEMENTS) or facts.scene.brought:
        return False
    if path in facts.once(_taken_apart) or any(whole in facts.lost for whole in _enclosing_blocks(path)):
        return False
    geom, kind = geom_of(difference, facts), difference.field.partition(".extras")[0]
    root = _block_in_elements(geom.role if geom is not None and kind == "body.geoms" else OWNERS.get(kind, kind), block)
    if not _is_known_in_newest(root) or (own is not None and own <= ONE_NOISE and root.find("imu") is not None):
        return False
    version, word = written_version(facts.options.sdf_version, facts.fitted), str(path[-1]).partition("[")[0]
    if word in STANDS_FOR and since(root.tag, STANDS_FOR[word]) > version:
        return False
    if own is not None and same_version(facts.options.sdf_version, facts.scene):
        return True
    said = serialise(root)
    return serialise(fit_to_version(root, version)) == said


def _taken_apart(facts: Facts) -> set[Address]:
    """Return the blocks with a part that only the output has."""
    return {whole for path in facts.gained for whole in _enclosing_blocks(path)}


def _enclosing_blocks(path: Address) -> Iterator[Address]:
    """Yield the blocks that contain a block."""
    *owner, place = path
    *steps, _ = str(place).split("/")
    return ((*owner, whole) for whole in accumulate(steps, "{}/{}".format))


def _block_in_elements(tag: str, block: Extra) -> Element:
    """Return a block inside its ancestor elements, below a root with this tag."""
    *steps, last = (step.partition("[")[0] for step in block.path.split("/"))
    root = owner = Element(tag)
    for step in steps:
        owner = owner.add(step)
    if last.startswith("@"):
        owner.attrs[last[1:]] = block.text
    else:
        owner.content.append(block.text if last == "text()" else fragment(block.text))
    return root


def _is_known_in_newest(element: Element) -> bool:
    """Whether 1.12 has everything in an element, at any depth."""
    stack = [element]
    while stack:
        owner = stack.pop()
        if owner.tag not in FREE:
            below = owner.elements()
            said = (*(each.tag for each in below), *(f"@{name}" for name in owner.attrs))
            if not all(knows(owner.tag, each) for each in said):
                return False
            stack += below
    return True


def _contradicted(difference: Difference, facts: Facts) -> bool:
    """Whether the output has values here that the source does not have, or not in this order, except for angles in
    other units. A plugin without a name may get that of its file."""
    pair = facts.lost.get(difference.path), facts.gained.get(difference.path)
    texts = [each.text for each in pair if isinstance(each, Extra)]
    values = [iter(_VALUES.findall(_CALLED.sub("", text))) for text in texts if not _TURNED.search(text)]
    return len(values) == 2 and not all(value in values[0] for value in values[1])


_CALLED = re.compile(r'(?<=<plugin )name="([^"]*)" (?=filename="\1")')
_TURNED = re.compile(r" (?:degrees|rotation_format)=")
_VALUES = re.compile(r'(?<==")[^"]+(?=")|(?<=>)[^<>]*[^<>\s][^<>]*(?=<)|^[^<]+$')
