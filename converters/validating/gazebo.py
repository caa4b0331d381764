"""What Gazebo, which converts a URDF to SDFormat, refuses in its <gazebo> blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from converters.source.gazebo import FIGURES, text_of
from converters.source.text import NUMBER
from converters.source.xml import Node
from converters.urdf.insertion import refused_blocks
from converters.validating.model import Breach, CheckedModel

RULE = "EXT-GZ-BLOCK"
_STARTS = re.compile(r"[+-]?(\d|\.\d|inf|nan)", re.IGNORECASE | re.ASCII)
"""How numbers that C++ parses begin."""


def check(model: CheckedModel) -> Iterator[Breach]:
    if model.format != "urdf":
        return
    blocks = [each for each in model.scene.tables["block"].values() if each.dialect == "gazebo"]
    read = [(each.source.at, f"block/{block.name}") for block in blocks for each in block.extras if each.source]
    places = {node: where for node, where in read if isinstance(node, Node)}
    for node, where in places.items():
        yield from _words(where, node)
    for node, why in refused_blocks(model.scene, blocks):
        message = f"{why.partition(': libsdformat')[0]}: libsdformat refuses the URDF"
        where = next(places[each] for each in (node, *node.above()) if each in places)
        yield Breach(rule=RULE, where=where, message=message, source=node.source)


def _words(where: str, block: Node) -> Iterator[Breach]:
    """Yield breaches for text that is not a number where libsdformat parses one, which it does in all blocks."""
    for child in block.elements():
        text = text_of(child)
        if child.tag not in FIGURES or NUMBER.match(text):
            continue
        begun = _STARTS.match(text)
        why = "reads only its beginning" if begun else "and Gazebo with it, ends there"
        message = f"<{child.tag}> {text!r} is not a number: libsdformat{' ' if begun else ', '}{why}"
        yield Breach(rule=RULE, where=where, message=message, source=child.source)
