"""The schema of MJCF: MuJoCo refuses a model with an unknown element, attribute or keyword."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from converters.source.text import INFINITE, NUMBER, words

HOLDERS = ("body", "frame", "replicate", "worldbody")
"""Elements that may contain bodies: the schema treats them all as bodies."""
OF_HOLDERS: Mapping[str, frozenset[str]] = {
    "replicate": frozenset(("count", "euler", "offset", "sep")),
    "frame": frozenset(("scale", "scaling", "massscale")),
}
"""Additional attributes of these elements. MuJoCo 4.0.0 reads the scale of a frame, but its printed schema lacks it."""


class Figures(Struct, frozen=True):
    """How many numbers an attribute accepts, minimum to maximum (None: any), and whether they are integers."""

    least: int
    most: int | None
    whole: bool

    def wanted(self, count: int) -> str:
        """Return how many numbers are required if `count` is not valid; "" if it is."""
        if self.least <= count <= (self.most or count):
            return ""
        if self.least == self.most:
            return f"{self.least}"
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"


class Allowed(Struct, frozen=True):
    """What is allowed at a path: attributes, their keywords (True: several at once), and their numbers."""

    attributes: frozenset[str]
    words: Mapping[str, tuple[frozenset[str], bool]]
    figures: Mapping[str, Figures]


@cache
def places() -> Mapping[str, Allowed]:
    """Return what is allowed in each element below <mujoco>, by its path ("." is itself, bodies are not nested)."""
    return {path: Allowed(names, keywords().get(path, {}), figures().get(path, {})) for path, names in schema().items()}


@cache
def schema() -> Mapping[str, frozenset[str]]:
    """Return the attributes of each element by its path, as MuJoCo prints them."""
    return {path.rstrip("?"): frozenset(names) for path, *names in _rows()}


def attributes(path: str) -> frozenset[str]:
    """Return the attributes of an element."""
    return schema()[path]


def kinds(section: str) -> tuple[str, ...]:
    """Return the elements of a section."""
    return tuple(path.partition("/")[2] for path in schema() if path.startswith(f"{section}/") and path.count("/") == 1)


@cache
def once() -> frozenset[str]:
    """Return paths of elements that may occur only once in their parent; MuJoCo marks them with "?"."""
    return frozenset(path.rstrip("?") for path, *_ in _rows() if path.endswith("?"))


def _rows() -> list[list[str]]:
    return [*map(str.split, Path(__file__).with_name("schema.txt").read_text("ascii").splitlines())]


@cache
def keywords() -> Mapping[str, Mapping[str, tuple[frozenset[str], bool]]]:
    """Return the keywords of each attribute by the path of its element, and whether it accepts several at once."""
    found: dict[str, dict[str, tuple[frozenset[str], bool]]] = {}
    for row in Path(__file__).with_name("keywords.txt").read_text("ascii").splitlines():
        name, words, paths = re.split(r" [=:] ", row)
        for path in paths.split():
            found.setdefault(path, {})[name.rstrip("*")] = (frozenset(words.split()), name.endswith("*"))
    return found


@cache
def figures() -> Mapping[str, Mapping[str, Figures]]:
    """Return the numbers that each attribute accepts, by the path of its element."""
    found: dict[str, dict[str, Figures]] = {}
    for row in Path(__file__).with_name("numbers.txt").read_text("ascii").splitlines():
        head, _, paths = row.partition(" : ")
        name, count, *whole = head.split()
        least, dash, most = count.partition("-")
        known = Figures(int(least), int(most or least) if most or not dash else None, bool(whole))
        for path in paths.split():
            found.setdefault(path, {})[name] = known
    return found


LEAST, MOST = -(2**31), 2**31 - 1
"""Range of integers in MuJoCo: those of C (measured for all attributes, "number is too large")."""
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
_REAL = re.compile(
    r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?|inf(?:inity)?|nan)\Z",
    re.ASCII | re.IGNORECASE,
)


def misread(path: str, name: str, text: str) -> tuple[str, str]:
    """Return why MuJoCo refuses the numbers of an attribute, and the rule; ("", "") if it accepts them.

    An empty list is accepted. Counts are checked only in defaults: elsewhere the reader of an attribute checks them,
    and a newer version may accept more.
    """
    known = places()[path].figures[name]
    found = words(text)
    pattern = _WHOLE if known.whole else _REAL
    bad = next((word for word in found if not pattern.match(word)), None)
    if bad is not None:
        return f"{bad!r} is not a {'whole ' * known.whole}number", "NUM-PARSE"
    bad = next((word for word in found if not LEAST <= float(word) <= MOST), None) if known.whole else None
    if bad is not None:
        return f"{bad} is beyond the whole numbers of 32 bits", "NUM-RANGE"
    if any(NUMBER.match(word) and float(word) in INFINITE for word in found):
        return "a number is beyond the range of a double", "NUM-NONFINITE"
    wanted = known.wanted(len(found)) if path.startswith("default/") and found else ""
    return (f"needs {wanted} numbers, not {len(found)}", "NUM-COUNT") if wanted else ("", "")


def inner(path: str, tag: str) -> str:
    """Return the path of a child: a body in a body is a body, a default in a default is a default."""
    if path == "." and tag == "worldbody":
        return "body"
    if path == "body" and tag in HOLDERS:
        return "body"
    if path == tag == "default":
        return path
    return tag if path == "." else f"{path}/{tag}"


def unknown(path: str, tag: str, names: frozenset[str]) -> frozenset[str]:
    """Return which of these attributes MuJoCo does not know for an element."""
    return names if tag == "worldbody" else names - places()[path].attributes - OF_HOLDERS.get(tag, frozenset())


def wrong(path: str, name: str, text: str) -> frozenset[str]:
    """Return the keywords that an attribute accepts if its text is not valid; empty if it is."""
    words, several = places()[path].words.get(name, (frozenset(), True))
    if not words or (set(text.split()) <= words if several else text in words):
        return frozenset()
    return words
