"""The elements and attributes that each element of SDFormat can contain, in 1.12 and before (schema.txt).

A row is an element followed by what it can contain: children, attributes (prefix @) and values of its type (prefix =).
Suffixes: ! if it must not be empty (required="1" in the descriptions of libsdformat 12), + and the version that
introduced it, and - if 1.12 no longer has it. Elements of one name in several places share a row. Words introduced
before 1.7, or in an unknown version, have no version and are accepted in all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

FREE = frozenset({"plugin"})
"""Elements with arbitrary content."""
_WORD = re.compile(r"([@=]?\w+)(!?)(?:\+(\d+)\.(\d+))?(-?)")


class Word(NamedTuple):
    """A child of an element. since: the version that introduced it; needed: it must not be empty; gone: not in 1.12."""

    since: tuple[int, int]
    needed: bool
    gone: bool


@cache
def words() -> Mapping[str, Mapping[str, Word]]:
    """Return the children, attributes (@) and types (=) of each element, with what is known of them."""
    rows = map(str.split, Path(__file__).with_name("schema.txt").read_text("ascii").splitlines())
    return {
        owner: {
            name: Word((int(major or 1), int(minor or 0)), bool(needed), bool(gone))
            for name, needed, major, minor, gone in _WORD.findall(" ".join(said))
        }
        for owner, *said in rows
    }


def _word(owner: str, name: str) -> Word | None:
    return words().get(owner, {}).get(name)


def knew(owner: str, name: str) -> bool:
    """Whether some version has a child of that name (with prefix @: an attribute) in the element."""
    return _word(owner, name) is not None


def knows(owner: str, name: str) -> bool:
    """Whether version 1.12 has it; name as in knew."""
    word = _word(owner, name)
    return owner in FREE or (word is not None and not word.gone)


def since(owner: str, name: str) -> tuple[int, int]:
    """Return the version that introduced a child of an element; name as in knows, or a type with prefix =."""
    word = _word(owner, name)
    return word.since if word is not None else (1, 0)


def types(owner: str) -> frozenset[str]:
    """Return the allowed values of an element's type."""
    return frozenset(name[1:] for name in words()[owner] if name.startswith("="))


def needs(owner: str, name: str) -> bool:
    """Whether a child of an element must not be empty. Any other empty child means its default."""
    word = _word(owner, name)
    return word is not None and word.needed
