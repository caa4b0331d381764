"""JSON pointers (RFC 6901): their steps, the places in a text to which they lead, and the numbers of a text."""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def escaped(key: str) -> str:
    """A member's name as a step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def lines(text: str, twice: list[tuple[str, str, int]] | None = None) -> dict[str, int]:
    """JSON pointer -> line on which the value, or the name of the member, begins. twice collects duplicate members."""
    starts = _starts(text)
    found: dict[str, int] = {}
    path: list[str | int] = []
    names: list[str] = [""]
    name: str | None = None
    waiting = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "}]":
            path.pop()
            names.pop()
        elif token == ":":
            name = waiting
        elif token == ",":
            if path and isinstance(path[-1], int):
                path[-1] += 1
        else:
            inside = path[-1] if path else None
            line = bisect_right(starts, match.start()) + 1
            if inside is None or isinstance(inside, int) or name is not None:
                step = "" if inside is None else f"/{inside if isinstance(inside, int) else escaped(name or '')}"
                pointer = names[-1] + step
                found.setdefault(pointer, line)
                name = None
                if token in "{[":
                    path.append("" if token == "{" else 0)
                    names.append(pointer)
            else:
                waiting = json.loads(token)
                pointer = f"{names[-1]}/{escaped(waiting)}"
                if twice is not None and pointer in found:
                    twice.append((waiting, pointer, line))
                found[pointer] = line
    return found


def constants(text: str) -> Iterator[tuple[str, int, int]]:
    """NaN and the infinities, which Python takes for numbers: the word, its offset, its line."""
    starts = _starts(text)
    for match in _TOKEN.finditer(text):
        if match[0] in ("NaN", "Infinity", "-Infinity"):
            yield match[0], match.start(), bisect_right(starts, match.start()) + 1


def _starts(text: str) -> list[int]:
    """The offset of each line but the first."""
    return [match.end() for match in re.finditer("\n", text)]


def figures(value: Any) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Every number and array of numbers inside of a value, with the pointer to it."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        pointer, each = stack.pop()
        if isinstance(each, dict):
            stack += ((f"{pointer}/{escaped(key)}", inner) for key, inner in each.items())
            continue
        values = each if isinstance(each, list) else [each]
        known = [item for item in values if isinstance(item, (int, float)) and not isinstance(item, bool)]
        said = [float(item) for item in known if abs(item) <= sys.float_info.max]
        if said and len(said) == len(values):
            yield pointer, tuple(said)
        elif isinstance(each, list):
            stack += ((f"{pointer}/{index}", inner) for index, inner in enumerate(each))
