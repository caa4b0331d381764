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
"""Bytes of text below which np.fromstring alone is as fast."""

_BLOCK = 1 << 15
"""Bytes that are read at once: the numbers that Python makes of them stay in the caches."""

LONGEST = 40
"""Letters of a word that a message repeats."""

_DECIMAL_COMMA = re.compile(r"[-+]?\d{1,20},\d{1,20}")

_COMMAS = bytes.maketrans(b" \t\n\r\v\f", b",,,,,,")


def numbers(text: str | bytes | None) -> Floats:
    """The numbers of a text between blanks. Raises ValueError for what is none."""
    read = _listed(text.encode() if isinstance(text, str) else text) if text else None
    values: Floats = _from(text, "f8") if read is None else read
    return values


def number_rows(data: bytes) -> tuple[Floats, Ints]:
    """The numbers of a text and how many each of its lines (that end in \\n) has. Raises ValueError."""
    values, found = numbers(data), ends(data)
    if len(values) != len(found):
        raise ValueError("numbers that run into each other")
    return values, per_line(data, found)


def whole_numbers(text: str | bytes | None) -> Ints:
    """The whole numbers of a text. Raises ValueError for what is none."""
    if text is not None and len(text) >= _FEW and text.isascii():
        read = wholes(text.encode() if isinstance(text, str) else text)
        if read is not None:
            return read
    values: Ints = _from(text, "i8")
    return values


def ends(data: bytes) -> Ints:
    """Where the words of a text end: the place behind each."""
    blank = np.frombuffer(data + b" ", dtype=np.uint8) <= 32
    return np.flatnonzero(_after(blank))


def per_line(data: bytes, found: Ints) -> Ints:
    """How many words each line has, from where the words end."""
    lines = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    width = len(found) // len(lines) if len(lines) else 0
    if width and len(lines) * width == len(found):
        table = found.reshape(-1, width)
        if bool((table[:, -1] <= lines).all()) and bool((table[1:, 0] > lines[:-1]).all()):
            return np.full(len(lines), width, dtype=np.int64)
    return np.diff(np.searchsorted(found, lines, side="right"), prepend=0)


def _from(text: str | bytes | None, kind: str) -> Any:
    """numpy warns of text that is no number, and has announced that it will raise."""
    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):  # as of numpy 2.3 it is raised
            raise ValueError(stray(text, kind)) from None


def stray(text: str | bytes, kind: str) -> str:
    """Which word of a text is no number of this kind, as a sentence."""
    made, what = (int, "whole number") if kind == "i8" else (float, "number")
    for word in (text if isinstance(text, str) else text.decode("utf-8", "replace")).split():
        try:
            made(word)
        except ValueError:
            meant = f" (a decimal comma: {word.replace(',', '.')} is meant; export it anew in an English locale)"
            return f"{word[:LONGEST]!r} is no {what}{meant if _DECIMAL_COMMA.fullmatch(word) else ''}"
    return f"a {what} is spelled as none"


def _after(blank: Any) -> Any:
    """The blanks that follow something else."""
    last = np.zeros(len(blank), dtype=bool)
    np.greater(blank[1:], blank[:-1], out=last[1:])
    return last


def _listed(data: bytes) -> Floats | None:
    """The numbers of a text, None where one is not spelled as JSON spells it (RFC 8259, 6): +1, .5, 1., nan."""
    if b"," in data:
        return None
    read = _decoded(data.strip().translate(_COMMAS))
    return _decoded(b",".join(data.split())) if read is None else read  # two blanks in a row are no comma


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
    """A text cut at commas."""
    start = 0
    while start <= len(listed):
        stop = listed.find(b",", start + _BLOCK)
        stop = len(listed) if stop < 0 else stop
        yield listed[start:stop]
        start = stop + 1


@cache
def _decoder() -> Decoder[list[float]]:
    return Decoder(list[float])
