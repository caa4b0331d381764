"""A fast reader of tables of numbers in text, for lines as exporters write them: a keyword, then numbers separated by
single characters.

Text is processed in blocks of lines that stay in the caches. In each block the runs of digits are found, and every
other character is accounted for. If one is left over, the text has another layout: None is returned, and the caller
must read it in another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ir.arrays import Bytes, Floats, Ints, np

BLOCK = 1 << 18
"""Bytes that are read at once."""

EXACT = 15
"""Digits exact in a double; divided by an exact power of ten they are rounded once, as strtod rounds."""

_BREAK, _BLANK, _MINUS, _POINT, _SLASH, _FACE, _ZERO = b"\n -./f0"


class _Runs(NamedTuple):
    """Runs of digits: the digit value of every character, where each run begins and ends, and its size.

    others counts the characters outside of them.
    """

    digits: Bytes
    first: Ints
    last: Ints
    size: Ints
    others: int


def decimals(text: bytes, word: bytes) -> Floats | None:
    """Return the numbers of lines that begin with the keyword, a row per line; all need digits around the point."""
    tables: list[Floats] = []
    for characters in _blocks(text):
        table = _decimals(characters, len(word))
        if table is None or (tables and tables[0].shape[1] != table.shape[1]):
            return None
        tables.append(table)
    return np.concatenate(tables) if tables else None


def corners(text: bytes) -> tuple[Ints, Ints] | None:
    """Return the corner count of each face on f lines, and the indices of each corner: vertex, texture, normal, 0 for
    none.

    Indices are one-based; relative (negative) indices are not read here.
    """
    counts, tables = [], []
    for characters in _blocks(text):
        found = _corners(characters)
        if found is None:
            return None
        counts.append(found[0])
        tables.append(found[1])
    return (np.concatenate(counts), np.concatenate(tables)) if tables else None


def wholes(text: bytes) -> Ints | None:
    """Return the numbers of a text that consists of digits and whitespace only; else None."""
    values = []
    for characters in _blocks(b" " + text + b" ", b" ", lead=1):
        runs = _runs(characters)
        if runs is None or runs.others != int(np.count_nonzero(characters <= _BLANK)):
            return None
        values.append(_values(runs.digits, runs.last, runs.size))
    return np.concatenate(values)


def _blocks(text: bytes, end: bytes = b"\n", lead: int = 0) -> Iterator[Bytes]:
    """Yield blocks of characters that stop after an end, with the last lead characters before each."""
    characters = np.frombuffer(text, dtype=np.uint8)
    start = 0
    while start < len(text):
        stop = text.rfind(end, start + 1, start + BLOCK) + 1 or text.index(end, start + 1) + 1
        yield characters[max(start - lead, 0) : stop]
        start = stop


def _runs(characters: Bytes) -> _Runs | None:
    """Find the runs of digits in a block, which begins with non-digits and ends with a separator."""
    digits = characters - np.uint8(_ZERO)
    inside = digits < 10
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    before, last = edges[0::2], edges[1::2]
    size = last - before
    if not len(size) or int(size.max()) > EXACT:
        return None
    return _Runs(digits, before + 1, last, size, len(characters) - int(np.count_nonzero(inside)))


def _values(digits: Bytes, last: Ints, size: Ints) -> Ints:
    """Return the values of runs of digits."""
    shortest, longest = int(size.min()), int(size.max())
    kind = np.int32 if longest < 10 else np.int64
    total: Any = digits[last].astype(kind)
    for place in range(1, longest):
        digit = digits[last - place]
        if place >= shortest:
            digit = digit * (size > place)
        total += digit * kind(10**place)
    values: Ints = total.astype(np.int64)
    return values


def _decimals(characters: Bytes, word: int) -> Floats | None:
    """Parse a block of decimals: an optional minus, digits, a point, digits, then a blank or a line break."""
    runs = _runs(characters)
    lines = int(np.count_nonzero(characters == _BREAK))
    if runs is None or len(runs.last) % (2 * lines):
        return None
    wholes, parts = runs.size[0::2], runs.size[1::2]
    point, before = runs.last[0::2] + 1, characters[runs.first[0::2] - 1]
    minus = before == _MINUS
    behind = characters[runs.last[1::2] + 1].reshape(lines, -1)
    if (
        runs.others != lines * (word + 1) + len(runs.last) + int(np.count_nonzero(minus))
        or int((wholes + parts).max()) > EXACT
        or not bool((runs.first[1::2] == point + 1).all())
        or not bool((characters[point] == _POINT).all())
        or not bool((minus | (before == _BLANK)).all())
        or not bool((behind[:, :-1] == _BLANK).all())
        or not bool((behind[:, -1] == _BREAK).all())
    ):
        return None
    tens = 10 ** np.arange(EXACT + 1)
    power = tens[parts]
    numbers = _values(runs.digits, runs.last[0::2], wholes) * power
    numbers += _values(runs.digits, runs.last[1::2], parts)
    np.negative(numbers, out=numbers, where=minus)
    return (numbers / power).reshape(lines, -1)


def _corners(characters: Bytes) -> tuple[Ints, Ints] | None:
    """Parse a block of faces: corners a, a/b, a//c and a/b/c, separated by single blanks."""
    runs = _runs(characters)
    if runs is None:
        return None
    lines = int(np.count_nonzero(characters == _BREAK))
    before, further = characters[runs.first - 1], characters[runs.first - 2]
    begins = before == _BLANK
    doubled = ~begins & (further == _SLASH)
    column = np.where(begins, 0, 2)
    column[1:][begins[:-1] & ~begins[1:] & ~doubled[1:]] = 1
    if (
        runs.others != 2 * lines + len(runs.last) + int(np.count_nonzero(doubled))
        or not bool((begins | (before == _SLASH)).all())
        or bool(((column[:-1] == 2) & ~begins[1:]).any())
    ):
        return None
    starts = np.flatnonzero(begins)
    faces = np.flatnonzero(further[starts] == _FACE)
    if len(faces) != lines:
        return None
    values = _values(runs.digits, runs.last, runs.size)
    table = np.zeros((len(starts), 3), dtype=np.int64)
    fields, uneven = divmod(len(values), len(starts))
    if not uneven and bool((column.reshape(-1, fields) == column[:fields]).all()):
        table[:, column[:fields]] = values.reshape(-1, fields)
    else:
        table[np.cumsum(begins) - 1, column] = values
    return np.diff(faces, append=len(starts)), table
