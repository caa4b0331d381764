"""OBJ and its MTL: one part for each object and material, polygons triangulated as fans."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from converters.assets.meshes import kept
from converters.assets.meshes.mtl import lines_of, of_libraries
from converters.assets.meshes.numerals import LONGEST, ends, number_rows, numbers, per_line, stray, whole_numbers
from converters.assets.meshes.parts import (
    MENDED,
    MeshFile,
    MeshPart,
    PartMaterial,
    compact,
    dyes,
    fan,
    mesh_file,
    plainly,
    rows_used,
)
from converters.assets.meshes.regular import corners as regular_corners, decimals
from converters.context import InputError
from ir.arrays import Floats, Ints, np

_GroupKey = tuple[bytes, bytes | None]
"""Object or group, and material."""

_IGNORED = frozenset({b"s", b"mg", b"vp", b"lod", b"shadow_obj", b"trace_obj", b"c_interp", b"d_interp", b"bevel"})
_TABLES = {b"v": 3, b"vt": 2, b"vn": 3}
"""Keywords of lines of numbers, and how many numbers on each line are used."""
_LEAST = {b"vt": 1}
"""Keywords of lines on which fewer numbers are enough."""
_WORDS = (*_TABLES, b"f")
_NAMING = frozenset({b"o", b"g", b"usemtl", b"mtllib"})
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_SLASHES = bytes.maketrans(b"/", b" ")
_INDENT = re.compile(rb"^ +", re.MULTILINE)
_WORD = re.compile(rb"^[a-z]+", re.MULTILINE)
_COMMENT = re.compile(rb"#[^\n]*")
_CHANNELS = 3
"""Numbers of a colour after the coordinates of a vertex, a common extension that is in no specification."""


def load(path: Path, data: bytes) -> MeshFile:
    """Read an OBJ file. Raises InputError for invalid numbers and for indices out of range."""
    return survey(path, data)[0]


def survey(path: Path, data: bytes) -> tuple[MeshFile, bool]:
    """Return the content, and whether a simple reader gets all of it.

    That is: no continued lines, no comments after faces, lines or points (MuJoCo 4.0.0 refuses them), triangles and
    quads, every vertex used, vn and vt at every corner or at none.
    """
    return kept.mesh(path, data, lambda: _surveyed(path, data))


def _surveyed(path: Path, data: bytes) -> tuple[MeshFile, bool]:
    lost, unlit = list[str](), list[str]()
    try:
        parts, plain = _parts(path, data, lost, unlit)
    except (ValueError, IndexError) as error:
        line, why = _culprit(data) or (0, str(error))
        raise InputError(f"{path}{f':{line}' if line else ''}: this OBJ cannot be read: {why}") from None
    return mesh_file(parts, path, lost, unlit), plain


def _culprit(data: bytes) -> tuple[int, str] | None:
    """Return the line of an unreadable file with the error, and what is wrong with it; None if none is found."""
    lines = [_COMMENT.sub(b"", line).split() or [b""] for line in _tidy(data).split(b"\n")]
    totals, have = Counter(words[0] for words in lines), Counter[bytes]()
    for number, (word, *rest) in enumerate(lines, 1):
        have[word] += 1
        if word in _TABLES:
            try:
                numbers(b" ".join(rest[: _TABLES[word]]))
            except ValueError as error:
                return number, str(error)
        for corner in rest if word == b"f" else ():
            for table, field in zip(_TABLES, corner.split(b"/"), strict=False):
                try:
                    index = int(field or (b"" if table == b"v" else b"1"))
                except ValueError:
                    return number, f"{corner[:LONGEST].decode('utf-8', 'replace')!r} is no corner of a face"
                if field and not (1 <= index <= totals[table] or -have[table] <= index < 0):
                    many = f"there are {totals[table]} lines {table.decode()!r}"
                    return number, f"face index {index} is outside the file: {many}, counted from 1"
    return None


def _parts(path: Path, data: bytes, lost: list[str], unlit: list[str]) -> tuple[list[MeshPart], bool]:
    text = _Lines(_tidy(data))
    counts, corners, clear = _corners(text)
    starts, libraries, bare = _statements(text, lost)
    short = int((counts < 3).sum())
    if short:
        lost.append(f"{short} faces with fewer than three corners")
    triangles = fan(corners, counts)
    pairs, owners = _belonging(starts, len(counts), np.maximum(counts - 2, 0))
    tables = {word: _table(text, word, width, lost) for word, width in _TABLES.items()}
    vertices, texture, normal = (table.numbers for table in tables.values())
    colours = _colours(tables[b"v"].beyond)
    materials, complete = of_libraries(libraries, path, unlit) if len(starts) > 1 else ({}, True)
    parts = []
    for (group, used), chosen in zip(pairs, _split(triangles, owners, len(pairs)), strict=True):
        name = group.decode("utf-8", "replace") or path.stem
        material = None if used is None else _worn(used, materials, bool(libraries and complete), unlit)
        parts.append(plainly(_part(name, material, chosen, text, tables, colours, unlit), unlit))
    reached = sum(len(part.vertices) for part in parts)
    even = all(not len(table) or _everywhere(corners[:, column]) for table, column in ((texture, 1), (normal, 2)))
    bare = bare and clear and b"\\" not in data and not data.startswith(b"\xef\xbb\xbf")
    return parts, bare and not short and reached == len(vertices) and even and bool((counts <= 4).all())


def _worn(used: bytes, materials: Mapping[str, PartMaterial], known: bool, unlit: list[str]) -> PartMaterial | None:
    """Return the material of that name; known: all libraries were found, so that a missing material is noted."""
    label = used.decode("utf-8", "replace")
    if known and label not in materials:
        unlit.append(f"material {label!r}, which no material file defines")
    return materials.get(label)


def _part(
    name: str,
    material: PartMaterial | None,
    triangles: Ints,
    text: _Lines,
    tables: Mapping[bytes, _NumberLines],
    colours: Floats | None,
    unlit: list[str],
) -> MeshPart:
    """Return the part with these triangles (n, 3 corners, 3: rows of the tables of vertices, texture coordinates and
    normals); colours are those of all vertices. unlit records what not every corner has."""
    vertices, texture, normal = (table.numbers for table in tables.values())
    points, faces = compact(vertices, triangles[:, :, 0])
    uvs, uv_faces = _optional(texture, triangles[:, :, 1], f"texture coordinates of {name!r}", unlit)
    normals, normal_faces = _optional(normal, triangles[:, :, 2], f"normals of {name!r}", unlit)
    tints, tint_faces = (None, None) if colours is None else compact(colours, triangles[:, :, 0])
    return MeshPart(
        name=name,
        vertices=points,
        faces=faces,
        uvs=uvs,
        uv_faces=uv_faces,
        normals=normals,
        normal_faces=normal_faces,
        colours=tints,
        colour_faces=tint_faces,
        material=material,
        spelled=partial(_spelled, text, [word for word, table in tables.items() if table.regular], triangles),
    )


def _spelled(text: _Lines, words: Iterable[bytes], triangles: Ints) -> dict[str, bytes]:
    """Return the lines of these keywords that triangles use, for keywords that every corner refers to."""
    found = {}
    for word in words:
        rows = triangles[:, :, [*_TABLES].index(word)]
        if int(rows.min()) >= 0:
            found[word.decode()] = text.text(word, rows_used(len(text.of(word)), rows))
    return found


def _statements(text: _Lines, lost: list[str]) -> tuple[list[tuple[int, _GroupKey]], list[str], bool]:
    """Return the first face of each group and material, the library names, and whether lines and points are without
    comments."""
    key: _GroupKey = (b"", None)
    bare = True
    starts: list[tuple[int, _GroupKey]] = [(0, key)]
    libraries: list[str] = []
    for faces_before, line in text.others():
        words = line.split(None, 1)
        if not words or words[0][:1] == b"#":
            continue
        word, rest = words[0], words[1] if len(words) > 1 else b""
        if not rest and word in _NAMING:
            if word in (b"usemtl", b"mtllib"):
                lost.append(f"{word.decode()} without a name")
        elif word in (b"o", b"g"):
            key = (rest.strip(), key[1])
            starts.append((faces_before, key))
        elif word == b"usemtl":
            key = (key[0], rest.strip())
            starts.append((faces_before, key))
        elif word == b"mtllib":
            libraries.append(rest.strip().decode("utf-8", "replace"))
        elif word not in _IGNORED:
            bare = bare and (word not in (b"l", b"p") or b"#" not in rest)
            lost.append({b"l": "lines", b"p": "points"}.get(word, f"{word.decode('utf-8', 'replace')[:32]} statements"))
    return starts, libraries, bare


def _tidy(data: bytes) -> bytes:
    """Join continued lines and normalise blanks and line ends."""
    if data.startswith(b"\xef\xbb\xbf") or b"\\" in data:
        data = b"\n".join(lines_of(data))
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if any(blank in data for blank in (b"\t", b"\v", b"\f")):
        data = data.translate(_BLANKS)
    return data if data.endswith(b"\n") else data + b"\n"


class _Lines:
    """The lines of a normalised text by keyword; runs of consecutive lines are extracted at once."""

    def __init__(self, data: bytes) -> None:
        self._text = data
        self._bounds = self._begins()
        if bool((np.frombuffer(data, dtype=np.uint8)[self._bounds[:-1]] == 32).any()):
            self._text = _INDENT.sub(b"", data)
            self._bounds = self._begins()
        padded = np.frombuffer(self._text + b"  ", dtype=np.uint8)
        first, second, third = (padded[self._bounds[:-1] + step] for step in range(3))
        self._numbers: dict[bytes, Ints] = {}
        known = np.zeros(len(first), dtype=bool)
        for word in _WORDS:
            spelled = (first == word[0]) & (second == (word + b" ")[1])
            if len(word) > 1:
                spelled &= third == 32
            self._numbers[word] = np.flatnonzero(spelled)
            known |= spelled
        self._unknown = np.flatnonzero(~known)

    def _begins(self) -> Ints:
        """Return the start of each line, and the end of the text."""
        breaks = np.flatnonzero(np.frombuffer(self._text, dtype=np.uint8) == 10)
        return np.concatenate([np.zeros(1, dtype=np.int64), breaks + 1])

    def of(self, word: bytes) -> Ints:
        """Return the indices of the lines that begin with a keyword."""
        return self._numbers[word]

    def text(self, word: bytes, used: Ints | None = None) -> bytes:
        """Return those lines, or some of them, in order."""
        lines = self.of(word) if used is None else self.of(word)[used]
        if not len(lines):
            return b""
        breaks = np.flatnonzero(np.diff(lines) != 1)
        begins = self._bounds[lines[np.concatenate([[0], breaks + 1])]].tolist()
        stops = self._bounds[lines[np.concatenate([breaks, [len(lines) - 1]])] + 1].tolist()
        view = memoryview(self._text)
        return b"".join([view[begin:stop] for begin, stop in zip(begins, stops, strict=True)])

    def others(self) -> list[tuple[int, bytes]]:
        """Return the lines that begin with none of the keywords, each with the number of faces before it."""
        lines = self._unknown
        faces = np.searchsorted(self.of(b"f"), lines).tolist()
        begins, stops = self._bounds[lines].tolist(), self._bounds[lines + 1].tolist()
        return [(before, self._text[i:j]) for before, i, j in zip(faces, begins, stops, strict=True)]


def _everywhere(column: Ints) -> bool:
    return bool(len(column)) and int(column.min()) >= 0


class _NumberLines(NamedTuple):
    """Numbers of lines of one kind, the numbers after them (NaN if missing), and whether all lines have the regular
    layout and no more numbers."""

    numbers: Floats
    beyond: Floats
    regular: bool = False


def _table(text: _Lines, word: bytes, width: int, lost: list[str]) -> _NumberLines:
    """Return the numbers up to the width and those after them (a weight, a colour); missing numbers are zero. lost
    records them, and words that are no numbers."""
    data = text.text(word)
    table = decimals(data, word)
    if table is not None and table.shape[1] >= width:
        return _NumberLines(table[:, :width], table[:, width:], table.shape[1] == width)
    data = _WORD.sub(b" ", data)
    if b"#" in data:
        data = _COMMENT.sub(b"", data)
    try:
        values, counts = number_rows(data)
    except ValueError:
        values, counts = np.zeros(0), np.zeros(1, dtype=np.int64)
    if len(counts) and int(counts.min()) == int(counts.max()) >= width:
        table = values.reshape(len(counts), -1)
        return _NumberLines(table[:, :width], table[:, width:])
    split = [words for line in data.splitlines() if (words := line.split())]
    if not split:
        return _NumberLines(np.zeros((0, width)), np.zeros((0, 0)))
    padded = [[*map(_plain_number, row[:width])] + [0.0] * (width - len(row)) for row in split]
    short = sum(len(row) < _LEAST.get(word, width) for row in split)
    junk = sum(math.isnan(_number(each)) for row in split for each in row[width:])
    lost += [f"{short} lines {word.decode()!r} of fewer than {width} numbers{MENDED} 0"] if short else []
    lost += [f"{junk} words in lines {word.decode()!r} that are no numbers"] if junk else []
    longest = max(width, *map(len, split))
    beyond = np.full((len(split), longest - width), np.nan)
    for row, words in zip(beyond, split, strict=True):
        row[: max(len(words) - width, 0)] = [*map(_number, words[width:])]
    return _NumberLines(np.array(padded, dtype=np.float64), beyond)


def _plain_number(text: bytes) -> float:
    """Parse a number without the underscores of Python. Raises ValueError."""
    if b"_" in text:
        raise ValueError(stray(text, "f8"))
    return float(text)


def _number(text: bytes) -> float:
    """Parse an optional number; NaN if it is not one."""
    try:
        return _plain_number(text)
    except ValueError:
        return math.nan


def _colours(beyond: Floats) -> Floats | None:
    """Return vertex colours from the numbers after the coordinates, with maximum 1 or 255; white where missing."""
    if beyond.shape[1] < _CHANNELS:
        return None
    values = np.nan_to_num(beyond[:, :_CHANNELS], nan=1.0)
    return dyes(values, 255.0 if float(values.max(initial=0.0)) > 1.0 else 1.0)


def _corners(text: _Lines) -> tuple[Ints, Ints, bool]:
    """Return the corner counts of the faces; vertex, texture and normal index of every corner (k, 3), zero-based, -1
    for none; and whether no comments follow them."""
    data = text.text(b"f")
    regular = regular_corners(data)
    if regular is not None:
        return regular[0], regular[1] - 1, True
    data = _WORD.sub(b" ", data)
    clear = b"#" not in data
    if not clear:
        data = _COMMENT.sub(b"", data)
    found = ends(data)
    counts = per_line(data, found)
    if not len(found):
        return counts, np.zeros((0, 3), dtype=np.int64), clear
    table = _fields(data, found)
    if int(table.min()) < 0:
        faces = text.of(b"f")
        bases = np.stack([np.searchsorted(text.of(word), faces) for word in (b"v", b"vt", b"vn")], axis=1)
        return counts, np.where(table < 0, table + np.repeat(bases, counts, axis=0), table - 1), clear
    return counts, table - 1, clear


def _fields(data: bytes, found: Ints) -> Ints:
    """Return the slash-separated numbers of the words ending at these positions, three a word, 0 if missing."""
    characters = np.frombuffer(data, dtype=np.uint8)
    stops = characters == 47
    stops[found] = True
    at = np.flatnonzero(stops)  # every field ends with a slash or with its word
    last = np.flatnonzero(characters[at] != 47)
    sizes = np.diff(last, prepend=-1)
    if int(sizes.max()) == int(sizes.min()) == 1:
        values = whole_numbers(data)
        if len(values) != len(found):
            raise ValueError("a corner of a face is not written in whole numbers")
        return np.pad(values[:, None], ((0, 0), (0, 2)))
    word = np.repeat(np.arange(len(found)), sizes)
    column = np.arange(len(at)) - np.repeat(last - sizes + 1, sizes)
    before = characters[at - 1]
    filled = (before != 47) & (before > 32)
    values = whole_numbers(data.translate(_SLASHES))
    if len(values) != np.count_nonzero(filled):
        raise ValueError("a corner of a face is not written in whole numbers")
    table = np.zeros((len(found), max(3, int(sizes.max()))), dtype=np.int64)
    table[word[filled], column[filled]] = values
    return table[:, :3]


def _belonging(starts: list[tuple[int, _GroupKey]], faces: int, triangles: Ints) -> tuple[dict[_GroupKey, int], Ints]:
    """Return the (object, material) pairs numbered in order of appearance, and the pair of every triangle."""
    numbers: dict[_GroupKey, int] = {}
    owner = np.zeros(faces, dtype=np.int64)
    for (first, key), (end, _) in zip(starts, [*starts[1:], (faces, None)], strict=True):
        if end > first:
            owner[first:end] = numbers.setdefault(key, len(numbers))
    return numbers, np.repeat(owner, triangles)


def _split(triangles: Ints, owners: Ints, count: int) -> list[Ints]:
    """Return the triangles of each owner, in order."""
    if count < 2:
        return [triangles] * count
    order = np.argsort(owners, kind="stable")
    return np.split(triangles[order], np.searchsorted(owners[order], np.arange(1, count)))


def _optional(table: Floats, faces: Ints, what: str, unlit: list[str]) -> tuple[Floats | None, Ints | None]:
    """Return a table of normals or texture coordinates (what) with its faces; None unless every corner has a finite
    one. unlit records where only some have."""
    if not len(table) or not len(faces) or int(faces.max()) < 0:
        return None, None
    if int(faces.min()) < 0:
        unlit.append(f"the {what}, which only some of its corners have")
        return None, None
    used, renumbered = compact(table, faces)
    if np.isfinite(used).all():
        return used, renumbered
    unlit.append(f"the {what}, which are not all finite numbers")
    return None, None
