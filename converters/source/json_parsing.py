"""JSON text as a document of objects, as converters.source.parsing does it for XML: within limits, and without what
parsers of JSON disagree about."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from converters.context import InputError, ReaderContext
from converters.source.files import MAX_BYTES
from converters.source.json import JsonDocument, nested
from converters.source.lenient import CONTROLS
from converters.source.pointers import constants, lines
from ir.plain import as_json
from ir.types import Source

MAX_MEMBERS = 4_000_000
"""Limits of memory and time."""
DEEPEST = 250
TOO_DEEP = f"the JSON is nested too deep: more than {DEEPEST} values in each other"


def parse(data: bytes, context: ReaderContext, dialect: str) -> JsonDocument:
    """Parse a JSON source and register it with the context.

    Raises InputError, with the line, if it is no JSON object or exceeds the limits of this module; refuses NaN and
    infinities, and duplicate members of an object.
    """
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{len(data)} bytes of JSON are more than the limit of {MAX_BYTES >> 20} MiB", Source(context.file, 1, "/")
        )
    text = _decoded(data, context.file)
    value, odd = _value(text, context.file)
    for fault in _odd(text, context.file) if odd else ():
        context.refuse(fault)
    half = _HALF.search(text)
    if half is not None and not _encodable(value):
        line = text.count("\n", 0, half.start()) + 1
        raise InputError(f"{half[0]} is half of a character", Source(context.file, line, "/"))
    if (control := _CONTROL.search(text)) is not None and _renamed(value):
        reason = "a name contains a control character, which XML cannot hold: another character replaces it"
        place = Source(context.file, text.count("\n", 0, control.start()) + 1, "/")
        context.note(f"{dialect}/name-control", "document", reason, place, before=control[0], action="repaired")
    document = JsonDocument(context.file, dialect, text, value, context.faults)
    context.documents.append(document)
    return document


def _renamed(value: Any) -> bool:
    """Replace control characters in names by those that replace them in XML text; whether there were any."""
    found = False
    for each in nested(value):
        if isinstance(each, dict):
            name = each.get("name")
            if isinstance(name, str) and (plain := name.translate(CONTROLS)) != name:
                each["name"], found = plain, True
    return found


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig").rstrip("\0")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = "not UTF-8, as JSON must be (a GLB begins with the letters glTF)"
        raise InputError(what, Source(file, line, "/")) from None


def _value(text: str, file: str) -> tuple[dict[str, Any], bool]:
    """The object in a text, and whether json accepted something that is not valid JSON."""
    place = Source(file, 1, "/")
    count, odd = 0, False

    def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal count, odd
        count += len(pairs)
        if count > MAX_MEMBERS:
            raise InputError(f"there are more than {MAX_MEMBERS} members", place)
        made = dict(pairs)
        odd |= len(made) != len(pairs)
        return made

    def constant(word: str) -> float:
        nonlocal odd
        odd = True
        return math.nan

    try:
        value = json.loads(text, object_pairs_hook=paired, parse_constant=constant)
    except json.JSONDecodeError as error:
        what = f"{error.msg} (column {error.colno})" if text.strip() else "the file is empty"
        raise InputError(f"not well-formed JSON: {what}", Source(file, error.lineno, "/")) from None
    except RecursionError:
        raise InputError(TOO_DEEP, place) from None
    except ValueError:
        raise InputError("a number has too many digits", place) from None
    if _deeper(value, DEEPEST):
        raise InputError(TOO_DEEP, place)
    if not isinstance(value, dict):
        raise InputError("the JSON is no object", place)
    return value, odd


def _odd(text: str, file: str) -> list[InputError]:
    """NaN and infinities, which json takes for numbers, and duplicate members of an object, by line."""
    twice: list[tuple[str, str, int]] = []
    lines(text, twice)
    found = [
        InputError(f"an object has the member {name!r} twice", Source(file, line, pointer))
        for name, pointer, line in twice
    ]
    for word, offset, line in constants(text):
        place = Source(file, line, f"/text()[{offset}]")
        found.append(InputError(f"{word} is no number of JSON", place, "NUM-NONFINITE"))
    return sorted(found, key=lambda error: error.source.line if error.source is not None else 0)


def _deeper(value: Any, most: int) -> bool:
    """Whether values are nested deeper than this: writing JSON needs more stack than reading it, and the caller has
    used some already."""
    level = [value]
    for _ in range(most):
        inner = (item.values() if isinstance(item, dict) else item for item in level)
        level = [each for items in inner for each in items if isinstance(each, (dict, list))]
        if not level:
            return False
    return True


_CONTROL = re.compile(r"\\u(?:00[01]|[fF]{3}[eEfF])")
"""An escape of a character that XML cannot contain, or of a few that it can."""
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half of a surrogate pair, or a whole pair: UTF-8 cannot contain a half (RFC 8259, 8.2)."""


def _encodable(value: Any) -> bool:
    try:
        as_json(value).encode()
    except UnicodeEncodeError:
        return False
    return True
