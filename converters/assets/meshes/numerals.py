"""Many numbers in a text as arrays: decimals by msgspec as a JSON list, 30 ns each, whole numbers by numpy."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache
from struct import pack
from typing import Any

from msgspec import MsgspecError
from msgspec.json import Decoder

from converters.assets.meshes.regular import wholes
from ir.arrays import Floats, Ints, np

_FEW = 1500
"""Bytes of text below which np.fromstring is as fast."""

_BLOCK = 1 << 15
"""Bytes that are parsed at once: the Python numbers made of them stay in the caches."""

LONGEST = 40
"""Most characters of a word quoted in a message."""

_DECIMAL_COMMA = re.compile(r"[-+]?\d{1,20},\d{1,20}")

_COMMAS = bytes.maketrans(b" \t\n\r\v\f", b",,,,,,")


def numbers(text: str | bytes | None) -> Floats:
    """Return the numbers of a text separated by whitespace. Raises ValueError for a word that is not a number."""
    read = _listed(text.encode() if isinstance(text, str) else text) if text else None
    values: Floats = _from(text, "f8") if read is None else read
    return values


def number_rows(data: bytes) -> tuple[Floats, Ints]:
    """Return the numbers of a text and how many each of its newline-terminated lines has. Raises ValueError."""
    values, found = numbers(data), ends(data)
    if len(values) != len(found):
        raise ValueError("numbers that run into each other")
    return values, per_line(data, found)


def whole_numbers(text: str | bytes | None) -> Ints:
    """Return the whole numbers of a text. Raises ValueError for a word that is not one."""
    if text is not None and len(text) >= _FEW and text.isascii():
        read = wholes(text.encode() if isinstance(text, str) else text)
        if read is not None:
            return read
    values: Ints = _from(text, "i8")
    return values


def ends(data: bytes) -> Ints:
    """Return the position after each word of a text."""
    blank = np.frombuffer(data + b" ", dtype=np.uint8) <= 32
    return np.flatnonzero(_after(blank))


def per_line(data: bytes, found: Ints) -> Ints:
    """Return the number of words on each line, given the positions after the words."""
    lines = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    width = len(found) // len(lines) if len(lines) else 0
    if width and len(lines) * width == len(found):
        table = found.reshape(-1, width)
        if bool((table[:, -1] <= lines).all()) and bool((table[1:, 0] > lines[:-1]).all()):
            return np.full(len(lines), width, dtype=np.int64)
    return np.diff(np.searchsorted(found, lines, side="right"), prepend=0)


def _from(text: str | bytes | None, kind: str) -> Any:
    """Parse with np.fromstring; its DeprecationWarning for invalid text is raised as ValueError."""
    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):  # numpy 2.3 and later raise ValueError
            raise ValueError(stray(text, kind)) from None


def stray(text: str | bytes, kind: str) -> str:
    """Return a sentence about the first word of a text that is not a number of this kind."""
    made, what = (int, "whole number") if kind == "i8" else (float, "number")
    for word in (text if isinstance(text, str) else text.decode("utf-8", "replace")).split():
        try:
            made(word.replace("_", "x"))  # only Python reads underscores
        except ValueError:
            meant = f" (a decimal comma: {word.replace(',', '.')} is meant; export it anew in an English locale)"
            return f"{word[:LONGEST]!r} is no {what}{meant if _DECIMAL_COMMA.fullmatch(word) else ''}"
    return f"a {what} is spelled as none"


def _after(blank: Any) -> Any:
    """Whether each character is whitespace that follows a non-whitespace character."""
    last = np.zeros(len(blank), dtype=bool)
    np.greater(blank[1:], blank[:-1], out=last[1:])
    return last


def _listed(data: bytes) -> Floats | None:
    """Return the numbers of a text; None where one is not valid JSON (RFC 8259, 6): +1, .5, 1., nan."""
    if b"," in data:
        return None
    read = _decoded(data.strip().translate(_COMMAS))
    return _decoded(b",".join(data.split())) if read is None else read  # adjacent blanks had become empty items


def _decoded(listed: bytes) -> Floats | None:
    decode, read = _decoder().decode, []
    for block in _blocks(listed):
        try:
            values = decode(b"[%b]" % block)
        except MsgspecError:
            return None
        read.append(pack(f"{len(values)}d", *values))
    return np.frombuffer(bytearray().join(read))


def _blocks(listed: bytes) -> Iterator[bytes]:
    """Yield the text in blocks, cut at commas."""
    start = 0
    while start <= len(listed):
        stop = listed.find(b",", start + _BLOCK)
        stop = len(listed) if stop < 0 else stop
        yield listed[start:stop]
        start = stop + 1


@cache
def _decoder() -> Decoder[list[float]]:
    return Decoder(list[float])
