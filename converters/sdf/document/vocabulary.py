"""Which elements and attributes SDFormat has inside which, in 1.12 and before (schema.txt).

A row is an element, and what may stand in it: children, attributes with an @, types of it with a =. Behind a word stand
! where it may not be empty (required="1" in the descriptions of libsdformat 12), + and the version that brought it, and
- where 1.12 has it no more. Elements of one name in several places count as one. What a version from before 1.7, or one
that nobody knows, brought bears no version: it is let be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

FREE = frozenset({"plugin"})
"""Elements that hold what their author likes."""
_WORD = re.compile(r"([@=]?\w+)(!?)(?:\+(\d+)\.(\d+))?(-?)")


class Word(NamedTuple):
    """What is known of a child of an element. since: the version that brought it; needed: it may not be empty."""

    since: tuple[int, int]
    needed: bool
    gone: bool


@cache
def words() -> Mapping[str, Mapping[str, Word]]:
    """Element -> its children, attributes (@) and types (=)."""
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
    """Whether an element may have had a child of that name, or with an @ in front an attribute, in some version."""
    return _word(owner, name) is not None


def knows(owner: str, name: str) -> bool:
    """The same of 1.12."""
    word = _word(owner, name)
    return owner in FREE or (word is not None and not word.gone)


def since(owner: str, name: str) -> tuple[int, int]:
    """The version that brought a child of an element; name as in knows, or a type with a = in front."""
    word = _word(owner, name)
    return word.since if word is not None else (1, 0)


def types(owner: str) -> frozenset[str]:
    """What an element may say that it is."""
    return frozenset(name[1:] for name in words()[owner] if name.startswith("="))


def needs(owner: str, name: str) -> bool:
    """Whether a child of an element may not be empty. Of others that says the default."""
    word = _word(owner, name)
    return word is not None and word.needed
