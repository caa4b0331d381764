"""Carried data as elements with a prefix of their own, which all readers of URDF and SDFormat ignore."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from converters.context import Output, ReaderContext
from converters.source.parsing import NAMESPACE, PREFIX
from converters.source.tree import appended, attribute
from converters.source.xml import Node
from ir.plain import as_json, sum_of
from ir.scene import Scene

CARRIED = "kinegraph:carried"
SUM = "sum"
"""The key of the checksum of all other carried data of a document."""
CHANGED = "carried/changed"
_PLAIN = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<&'"}
"""Escapes of JSON (RFC 8259, 7): libsdformat prints attributes between single quotes, and escapes nothing in them."""
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\u(00(?:3c|26|27))")
REASON = "data that an earlier conversion carried was changed, or is partly missing: what is there now is used"


def with_checksum(carried: Mapping[str, str]) -> dict[str, str]:
    """Carried data with the checksum by which readers recognise it as complete (verify_checksum)."""
    return {**carried, SUM: as_json(_sum(carried))}


def verify_checksum(scene: Scene, context: ReaderContext) -> None:
    """Remove the checksum from the carried data of a scene, with a note if the rest has been changed since."""
    said = scene.carried.pop(SUM, None)
    if said not in (None, as_json(_sum(scene.carried))) and not context.bare:
        context.note(CHANGED, "document", REASON, context.pieces.get(SUM), action="noted")


def _sum(carried: Mapping[str, str]) -> str:
    return sum_of(as_json(sorted(carried.items())))


def carry(output: Output, carried: Mapping[str, str]) -> Output:
    """Append carried data at the end of the document (converters.format.Format.carry)."""
    said = {key: value.translate(_PLAIN) for key, value in carried.items()}
    lines = [f"  <{CARRIED} key={attribute(key)} value={attribute(value)}/>\n" for key, value in said.items()]
    return replace(output, document=appended(output.document, lines, f'{PREFIX}="{NAMESPACE}"'))


def read_carried(root: Node, scene: Scene, context: ReaderContext) -> None:
    """Fill Scene.carried, and the place of each piece of it."""

    def read(node: Node) -> None:
        scene.carried[node.need("key")] = _ESCAPED.sub(
            lambda match: match[1] + chr(int(match[2], 16)), node.need("value")
        )
        context.pieces[node.need("key")] = node.source

    for node in root.children(CARRIED):
        node.attempt(read, node)
    verify_checksum(scene, context)
