"""What the rows about the words of other versions of SDFormat ask of the values (converters.format.Loss.when)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from converters.format import Facts
from converters.report.reasons import geom_of
from converters.sdf.document.vocabulary import FREE, knows, since
from converters.sdf.tables import VERSION, version_of, version_text
from converters.sdf.writing.versions import ELEMENTS, ONE_NOISE, fit_to_version, written_version
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
"""Elements of which things are made that have other names, by address."""
STANDS_FOR = {"thread_pitch": "screw_thread_pitch"}
"""Word -> the newer one for which it stands in versions without that: what the author says in it has no place there."""


def of_other_words(difference: Difference, facts: Facts) -> bool:
    """Whether the words are not those of a document of the same version, as its author left it, or of the other role of
    a geom, and no others stand in their place."""
    if _contradicted(difference, facts):
        return False
    geom = geom_of(difference, facts)
    word = difference.path[-1].partition("[")[0]
    strange = geom is not None and geom.role in (Role.VISUAL, Role.COLLISION) and not knows(geom.role, word)
    foreign = VERSION not in facts.scene.notation and not _in_both(difference, facts)
    return strange or foreign or _is_of_other_version(difference, facts)


def said_in_other_version(difference: Difference, facts: Facts) -> bool:
    """Whether the author says it in another version, elsewhere in the same thing, and nothing else in this place."""
    moved = difference.path[:2] in facts.once(_owners_of_lost)
    return moved and not _contradicted(difference, facts) and _is_of_other_version(difference, facts)


def _owners_of_lost(facts: Facts) -> set[Address]:
    """Things of which the output lacks a word of the author."""
    return {path[:2] for path, word in facts.lost.items() if isinstance(word, Extra)}


def of_other_version(_: Difference, facts: Facts) -> bool:
    """Whether the author says it in another version, or somebody has edited it since."""
    own, asked = facts.scene.notation.get(VERSION), facts.options.sdf_version
    if own is None:
        return asked is not None
    return own.strip() != version_text(written_version(asked, facts.fitted)) or bool(facts.scene.brought)


def _is_of_other_version(difference: Difference, facts: Facts) -> bool:
    return of_other_version(difference, facts) and not _in_both(difference, facts)


def _in_both(difference: Difference, facts: Facts) -> bool:
    """Whether a block that stands as its author left it, or as it was in a <gazebo> block, is one of the version that
    is written as well: that knows all its words, what fits a document to it changes nothing, and neither is it a part
    of what the source says as a whole, nor is a part of it what the output says."""
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
    said = serialise(root)
    return serialise(fit_to_version(root, version)) == said


def _taken_apart(facts: Facts) -> set[Address]:
    """What holds something that the output has and the source has not."""
    return {whole for path in facts.gained for whole in _enclosing_blocks(path)}


def _enclosing_blocks(path: Address) -> Iterator[Address]:
    """The blocks that a block stands in."""
    *owner, place = path
    *steps, _ = str(place).split("/")
    return ((*owner, whole) for whole in accumulate(steps, "{}/{}".format))


def _block_in_elements(tag: str, block: Extra) -> Element:
    """A block in the elements that it stands in, below an element of this name."""
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
    """Whether all that stands in an element, in any depth, stands there in 1.12 too."""
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
    """Whether the output has values in a place that the source does not, or not in this order, and these are no angles
    in other terms. A plugin that has no name may be called as its file."""
    pair = facts.lost.get(difference.path), facts.gained.get(difference.path)
    texts = [each.text for each in pair if isinstance(each, Extra)]
    values = [iter(_VALUES.findall(_CALLED.sub("", text))) for text in texts if not _TURNED.search(text)]
    return len(values) == 2 and not all(value in values[0] for value in values[1])


_CALLED = re.compile(r'(?<=<plugin )name="([^"]*)" (?=filename="\1")')
_TURNED = re.compile(r" (?:degrees|rotation_format)=")
_VALUES = re.compile(r'(?<==")[^"]+(?=")|(?<=>)[^<>]*[^<>\s][^<>]*(?=<)|^[^<]+$')
