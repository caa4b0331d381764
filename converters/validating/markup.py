"""Properties visible only in the text of a document: its encoding, white space inside numbers, missing elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from converters.comments import COMMENT
from converters.source.lenient import encoded
from converters.source.text import NUMBER
from converters.validating.model import Breach, CheckedModel
from ir.types import Source

_COMMENT = re.compile(COMMENT.decode(), re.DOTALL)
_VALUE = re.compile(r"""\s([A-Za-z_:][\w:.-]*)\s*=\s*("[^"<]*"|'[^'<]*')""")
_PLAIN = ("utf-8", "utf8", "us-ascii", "ascii")
MOVING = ("revolute", "continuous", "prismatic", "planar")


def check(model: CheckedModel) -> Iterator[Breach]:
    if model.format == "gltf":
        return
    file = model.reading.context.file
    yield from _encoding(model.data, Source(file, 1, "/"))
    if model.format == "urdf" and model.reading.format.name == "urdf":
        yield from _separators(_text_without_comments(model.data), file)
        for document in model.reading.context.documents:
            yield from _axes(document)


def _encoding(data: bytes, place: Source) -> Iterator[Breach]:
    _, name = encoded(data)
    if name.lower().replace("_", "-") not in _PLAIN:
        yield Breach(rule="XML-ENC", where="document", message=f"the encoding is {name}, not UTF-8", source=place)


def _text_without_comments(data: bytes) -> str:
    mark, name = encoded(data)
    text = data[len(mark) :].decode(name if name in ("utf-16-le", "utf-16-be") else "utf-8", "replace")
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if match[0].endswith("-->") else match[0], text)


def _separators(text: str, file: str) -> Iterator[Breach]:
    """Yield breaches for white space: urdfdom splits at single spaces, and allows none around a single number."""
    for match in _VALUE.finditer(text):
        value = unescape(match[2][1:-1])
        words = value.split()
        if not words or not all(map(NUMBER.match, words)):
            continue
        if any(char in value for char in "\t\n\r"):
            message = f"{match[1]} holds a tab or a line break between its numbers"
        elif len(words) == 1 and value != words[0]:
            message = f"{match[1]} holds a space beside its number"
        else:
            continue
        at = match.start(1)
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        place = Source(file, line, f"/@{match[1]}")
        yield Breach(rule="NUM-SEP", where="document", message=message, source=place, column=column)


def _axes(document: Any) -> Iterator[Breach]:
    """Yield breaches for movable joints without an axis."""
    for node in document.root.elements():
        if node.tag == "joint" and node.attrs.get("type") in MOVING and "axis" not in node.tags():
            name = node.attrs.get("name", "")
            message = f"the {node.attrs['type']} joint has no axis: it is 1 0 0"
            yield Breach(rule="JOINT-AXIS-MISSING", where=f"joint/{name}", message=message, source=node.source)
