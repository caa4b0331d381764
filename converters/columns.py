"""Line and column of a place. Readers know the line of an element; its tag is searched there, then the attribute."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ir.types import Source

_STEP = re.compile(r"([^\[\]]+)(?:\[\d+\])?")
"""The last step of a path."""


def position(place: Source, column: int | None = None) -> tuple[int, int | None]:
    """(line, column), both from 1. The column is None if the line has more than one such thing."""
    if column is not None:
        return place.line, column
    lines = _lines(place.file)
    if not 1 <= place.line <= len(lines):
        return max(place.line, 1), None
    path = place.path
    element, at, name = path.rpartition("/@")
    step = _STEP.fullmatch((element if at else path).rpartition("/")[2])
    if step is None:
        return place.line, None
    if place.file.lower().endswith((".gltf", ".json")):
        return place.line, _only(re.escape(f'"{step[1]}"'), lines[place.line - 1])
    start = _only(rf"<{re.escape(step[1])}(?=[\s/>]|$)", lines[place.line - 1])
    if start is None or not at:
        return place.line, start
    return _attribute(lines, place.line, start, name) or (place.line, start)


def _attribute(lines: tuple[str, ...], line: int, start: int, name: str) -> tuple[int, int] | None:
    """Line and column of an attribute of the tag that begins there; a tag may extend over several lines."""
    pattern = re.compile(rf"(?<![\w:.-]){re.escape(name)}\s*=")
    at = start
    for number in range(line, min(line + 50, len(lines)) + 1):
        text = lines[number - 1]
        match = pattern.search(text, at)
        end = text.find(">", at)
        if match is not None and (end < 0 or match.start() < end or "'" in text or '"' in text[:end]):
            return number, match.start() + 1
        if end >= 0:
            return None
        at = 0
    return None


def _only(pattern: str, text: str) -> int | None:
    found = [match.start() + 1 for match in re.finditer(pattern, text)]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=16)
def _lines(file: str) -> tuple[str, ...]:
    """The lines of a text file; none if it is no text, or does not exist any more."""
    try:
        data = Path(file).read_bytes()
    except OSError:
        return ()
    if data[:4] == b"glTF":
        return ()
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return tuple(data.decode(encoding, "replace").split("\n"))
