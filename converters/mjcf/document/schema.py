"""The schema of MJCF: MuJoCo refuses a model with an element, attribute or word that it does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from converters.source.text import INFINITE, NUMBER, words

HOLDERS = ("body", "frame", "replicate", "worldbody")
"""Elements inside which bodies stand: to the schema they are all a body."""
OF_HOLDERS: Mapping[str, frozenset[str]] = {
    "replicate": frozenset(("count", "euler", "offset", "sep")),
    "frame": frozenset(("scale", "scaling", "massscale")),
}
"""What they say of their own. MuJoCo 4.0.0 reads the sizes of a frame; the schema that it prints lacks them."""


class Figures(Struct, frozen=True):
    """How many numbers an attribute takes, from least to most (None: any), and whether they are whole."""

    least: int
    most: int | None
    whole: bool

    def wanted(self, count: int) -> str:
        """How many it takes, where that is not this many; "" where it is."""
        if self.least <= count <= (self.most or count):
            return ""
        if self.least == self.most:
            return f"{self.least}"
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"


class Allowed(Struct, frozen=True):
    """What may stand at a path: attributes, and of those that take words the words (True: several of them)."""

    attributes: frozenset[str]
    words: Mapping[str, tuple[frozenset[str], bool]]
    figures: Mapping[str, Figures]


@cache
def places() -> Mapping[str, Allowed]:
    """Path of an element below <mujoco> ("." is itself, bodies are not nested) -> what may stand there."""
    return {path: Allowed(names, keywords().get(path, {}), figures().get(path, {})) for path, names in schema().items()}


@cache
def schema() -> Mapping[str, frozenset[str]]:
    """Path of an element -> its attributes, as MuJoCo prints them."""
    return {path.rstrip("?"): frozenset(names) for path, *names in _rows()}


def attributes(path: str) -> frozenset[str]:
    """What an element says."""
    return schema()[path]


def kinds(section: str) -> tuple[str, ...]:
    """The elements that stand in a section."""
    return tuple(path.partition("/")[2] for path in schema() if path.startswith(f"{section}/") and path.count("/") == 1)


@cache
def once() -> frozenset[str]:
    """Paths of elements that stand at most once in the one above them; MuJoCo marks them with "?"."""
    return frozenset(path.rstrip("?") for path, *_ in _rows() if path.endswith("?"))


def _rows() -> list[list[str]]:
    return [*map(str.split, Path(__file__).with_name("schema.txt").read_text("ascii").splitlines())]


@cache
def keywords() -> Mapping[str, Mapping[str, tuple[frozenset[str], bool]]]:
    """Path of an element -> attribute -> the words that it takes, and whether it takes several."""
    found: dict[str, dict[str, tuple[frozenset[str], bool]]] = {}
    for row in Path(__file__).with_name("keywords.txt").read_text("ascii").splitlines():
        name, words, paths = re.split(r" [=:] ", row)
        for path in paths.split():
            found.setdefault(path, {})[name.rstrip("*")] = (frozenset(words.split()), name.endswith("*"))
    return found


@cache
def figures() -> Mapping[str, Mapping[str, Figures]]:
    """Path of an element -> attribute -> the numbers that it takes."""
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
"""Whole numbers of MuJoCo are those of C (measured for all attributes): "number is too large"."""
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
_REAL = re.compile(
    r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?|inf(?:inity)?|nan)\Z",
    re.ASCII | re.IGNORECASE,
)


def misread(path: str, name: str, text: str) -> tuple[str, str]:
    """What MuJoCo refuses about numbers, and the rule that it breaks; ("", "") where it takes them.

    An attribute without any says nothing. Counts are of defaults alone: elsewhere whoever reads an attribute counts,
    and a newer version may take more.
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
    """The path of a child: a body in a body is a body, a default in a default a default."""
    if path == "." and tag == "worldbody":
        return "body"
    if path == "body" and tag in HOLDERS:
        return "body"
    if path == tag == "default":
        return path
    return tag if path == "." else f"{path}/{tag}"


def unknown(path: str, tag: str, names: frozenset[str]) -> frozenset[str]:
    """Attributes among these that MuJoCo does not know of an element."""
    return names if tag == "worldbody" else names - places()[path].attributes - OF_HOLDERS.get(tag, frozenset())


def wrong(path: str, name: str, text: str) -> frozenset[str]:
    """The words that an attribute takes, where it says others; none where all is well."""
    words, several = places()[path].words.get(name, (frozenset(), True))
    if not words or (set(text.split()) <= words if several else text in words):
        return frozenset()
    return words
