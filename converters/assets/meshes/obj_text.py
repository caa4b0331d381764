"""A mesh part as OBJ text: one object, triangles.

Numbers are formatted in numpy, four digits per machine word with zero bytes for absent characters, which are removed at
the end: Python's own formatting, at 200 ns a number, took half of a conversion.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from converters.assets.meshes import kept
from converters.assets.meshes.parts import MeshPart
from ir.arrays import Floats, Ints, np

DIGITS = 9
"""Significant digits: enough for any single-precision number, the precision to which MuJoCo reads OBJ text."""

NORMAL_DIGITS = 7

_PLACES = 16
"""Decimals; all nine digits are kept down to 1e-8."""
_NORMAL_PLACES = 8
_SMALLEST, _LARGEST = 1e-3, 900.0
"""Range of the largest number for which the decimals and 64 bits are enough. Others are formatted by Python."""

_SHARED = 1 << 15
"""Most numbers in a cached table."""

_BLOCK = 1 << 12
"""Rows formatted at once, to stay in the caches."""


def obj_text(part: MeshPart, vertices_at_least: int = 0) -> bytes:
    """Return the part as OBJ; numbers are spelled as in the source OBJ where that is known.

    vertices_at_least: repeat the last vertex until there are that many; no face uses the copies, so nothing visible
    changes.
    """
    tables = (part.vertices, part.faces, part.uvs, part.uv_faces, part.normals, part.normal_faces)
    spelled = part.spelled() if len(part.vertices) >= vertices_at_least else {}
    lines = (np.frombuffer(text, np.uint8) for text in spelled.values())
    kind = f"obj {vertices_at_least} {' '.join(spelled)}"
    return kept.text(kind, (*tables, *lines), lambda: _text_of_part(part, spelled, vertices_at_least))


def _text_of_part(part: MeshPart, spelled: Mapping[str, bytes], vertices_at_least: int) -> bytes:
    vertices = part.vertices
    short = vertices_at_least - len(vertices)
    if short > 0:
        vertices = np.concatenate([vertices, np.repeat(vertices[-1:], short, axis=0)])
    text = [spelled.get("v") or _rows("v", vertices, DIGITS, _PLACES)]
    tables = [part.faces]
    marks = " "
    if part.uvs is not None and part.uv_faces is not None:
        text.append(spelled.get("vt") or _rows("vt", part.uvs, DIGITS, _PLACES))
        tables.append(part.uv_faces)
        marks += "/"
    if part.normals is not None and part.normal_faces is not None:
        text.append(spelled.get("vn") or _rows("vn", part.normals, NORMAL_DIGITS, _NORMAL_PLACES))
        tables.append(part.normal_faces)
        marks += "/" if len(tables) == 3 else "|"
    return b"".join([*text, _faces(tables, marks)])


# ------------------------------------------------------------------------------------------- numbers


def _rows(word: str, table: Floats, digits: int, places: int) -> bytes:
    """Return lines of a keyword and numbers with that many significant digits and at most that many decimals."""
    blocks = (table[start : start + _BLOCK] for start in range(0, len(table), _BLOCK))
    return b"".join(_set(word, block, digits, places) for block in blocks)


def _set(word: str, table: Floats, digits: int, places: int) -> bytes:
    values = np.ascontiguousarray(table, dtype=np.float64) + 0.0  # own copy; adding 0.0 turns -0.0 into 0.0
    size = np.abs(values)
    largest = float(size.max(initial=0.0))
    if largest != 0 and not _SMALLEST <= largest < _LARGEST:
        line = word + f" %.{digits}g" * table.shape[1] + "\n"
        text: str = (line * len(table)) % tuple(values.ravel().tolist())
        return text.encode()
    scale, rest = _scales(digits, places)
    binade = size.view(np.int64) >> 52
    # Rounded to the digits first, then scaled to the places: both are exact because each factor is below 2^53.
    whole = np.rint(size * scale[binade]).astype(np.int64) * rest[binade]
    rows, columns = table.shape
    four, unit = places // 4, 10**places
    words = np.zeros((rows, 1 + columns * (2 + four)), dtype=np.uint32)
    words[:, 0] = np.frombuffer(b"\n" + word.encode().ljust(3, b"\0"), dtype=np.uint32)[0]
    at = words[:, 1:].reshape(rows, columns, 2 + four)
    front = whole // unit
    whole -= front * unit
    at[:, :, 0] = np.frombuffer(b" \0\0\0 -\0\0", dtype=np.uint32)[((values < 0) & (front + whole > 0)).view(np.int8)]
    at[:, :, 1] = _fronts()[front + 1000 * (whole == 0)]
    for group in range(four):
        unit //= 10**4
        digit = whole // unit
        whole -= digit * unit
        at[:, :, 2 + group] = _fours()[digit + 10_000 * (whole == 0)]
    return _pressed(words)[1:] + b"\n"


def _pressed(words: Any) -> bytes:
    """Return the non-zero bytes."""
    pressed: bytes = words.tobytes().translate(None, b"\0")
    return pressed


@cache
def _scales(digits: int, places: int) -> tuple[Any, Any]:
    """By binary exponent: the power of ten that scales to digits before the point, and the rest up to places."""
    lowest = np.log10(2.0) * (np.arange(2048) - 1023)  # log10 of the smallest number with this exponent
    power = np.clip(digits - 1 - np.floor(lowest), 0, places).astype(np.int64)
    return 10.0**power, 10 ** (places - power)


@cache
def _fours() -> Any:
    """Table of four digits as a word; from 10 000 on without trailing zeros, for the last group that is not zero."""
    number = np.arange(10_000)
    digits = np.stack([number // 1000, number // 100 % 10, number // 10 % 10, number % 10], axis=1)
    full = (digits + 48).astype(np.uint8)
    ended = full * (np.cumsum(digits[:, ::-1], axis=1)[:, ::-1] > 0)
    return np.concatenate([full, ended.astype(np.uint8)]).view(np.uint32).reshape(-1)


@cache
def _fronts() -> Any:
    """Table of the digits before the decimals, with the point; from 1000 on without it."""
    texts = [f"{number}." for number in range(1000)] + [str(number) for number in range(1000)]
    return np.array(texts, dtype="S4").view(np.uint32)


# --------------------------------------------------------------------------------------------- faces


def _faces(tables: list[Ints], marks: str) -> bytes:
    """Return lines `f a/b/c a/b/c a/b/c`, one-based. marks precede the numbers, a bar means two slashes."""
    count = len(tables[0])
    largest = max((int(table.max()) for table in tables), default=0) + 1
    if largest >= 10**6:
        line = "f" + "".join(f"{mark}%d" for mark in marks).replace("|", "//") * 3 + "\n"
        numbers = np.stack(tables, axis=2) + 1
        lines: str = (line * count) % tuple(numbers.ravel().tolist())
        return lines.encode()
    wide = np.dtype(np.uint32 if largest < 100 else np.uint64)
    names = [_numbered(mark, int(table.max()) + 1, wide) for mark, table in zip(marks, tables, strict=True)]
    text = []
    for start in range(0, count, _BLOCK):
        some = [table[start : start + _BLOCK] for table in tables]
        words = np.empty((len(some[0]), 1 + 3 * len(tables)), dtype=wide)
        words[:, 0] = np.frombuffer(b"\nf".ljust(wide.itemsize, b"\0"), dtype=wide)[0]
        for column, (named, table) in enumerate(zip(names, some, strict=True)):
            words[:, 1 + column :: len(tables)] = named[table]
        text.append(_pressed(words))
    return b"".join(text)[1:] + b"\n"


def _numbered(mark: str, count: int, wide: Any) -> Any:
    """Return at least the numbers from 1 to count, each a word with a mark before it; short tables are cached."""
    if count > _SHARED:
        return _names(mark, count, wide)
    return _shared(mark, 99 if wide == "u4" else 1 << (count - 1).bit_length(), wide)


def _names(mark: str, count: int, wide: Any) -> Any:
    """Return the numbers from 1 to count, each a word with a mark before it."""
    front = np.frombuffer(mark.replace("|", "//").encode(), dtype=np.uint8)
    number = np.arange(1, count + 1)
    text = np.zeros((count, wide.itemsize), dtype=np.uint8)
    text[:, : len(front)] = front
    power = 1
    for column in range(len(front) + len(str(count)) - 1, len(front) - 1, -1):
        text[:, column] = (number // power % 10 + 48) * (number >= power)
        power *= 10
    return text.view(wide).reshape(-1)


_shared = lru_cache(maxsize=16)(_names)
