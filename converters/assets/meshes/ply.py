"""PLY (Stanford polygon format): text, and binary of either byte order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from struct import Struct, calcsize
from typing import NamedTuple

from converters.assets.meshes.numerals import LONGEST
from converters.assets.meshes.parts import MeshFile, MeshPart, dyes, mesh_file
from converters.assets.meshes.rows import Rows, Walk, polygons, rows
from converters.context import InputError
from ir.arrays import Floats, Ints, np

_LETTERS = {
    **dict.fromkeys(("char", "int8"), "b"),
    **dict.fromkeys(("uchar", "uint8"), "B"),
    **dict.fromkeys(("short", "int16"), "h"),
    **dict.fromkeys(("ushort", "uint16"), "H"),
    **dict.fromkeys(("int", "int32"), "i"),
    **dict.fromkeys(("uint", "uint32"), "I"),
    **dict.fromkeys(("float", "float32"), "f"),
    **dict.fromkeys(("double", "float64"), "d"),
}
"""PLY name of a number type -> its code in struct and numpy."""
_ORDERS = {b"ascii": "", b"binary_little_endian": "<", b"binary_big_endian": ">"}
_WORDS = {b"format", b"element", b"property"}
_CORNERS = ("vertex_indices", "vertex_index")
_COORDINATES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
_COLOURS = ("red", "green", "blue", "alpha")
_FULL = {"B": 255.0, "H": 65535.0}
"""Maximum of integer colours by type; for other types it is 1."""
_FIRST = re.compile(rb"ply[ \t]*(\r\n|\r|\n)")
_LARGEST = 1 << 20
"""Most bytes of a header."""
_MOST = 1 << 40
"""Upper limit on the rows of an element."""


class _Property(NamedTuple):
    name: str
    letter: str
    counted: str = ""
    """For a list: the type code of the count before it."""


class _Element(NamedTuple):
    name: str
    rows: int
    properties: list[_Property]


class _Column(NamedTuple):
    """The numbers of a property in all rows; counts: the length of each row, for a list."""

    values: Floats
    counts: Ints | None
    letter: str


_Table = dict[str, _Column]


def load(path: Path, data: bytes) -> MeshFile:
    """Return one part. Raises InputError, with the line where the file is text, for what cannot be read."""
    lost = list[str]()
    order, elements, images, body, line = _header(path, data, lost)
    if order:
        tables = _binary(path, order, elements, body, lost)
    else:
        tables = _tables_of_text(path, elements, rows(path, body, line), lost)
    idle = [f"its {each.name!r}" for each in elements if each.rows and each.name not in ("vertex", "face")]
    unlit = [f"image {name!r}" for name in images]
    part = _part(path, tables.get("vertex", {}), tables.get("face", {}), lost, unlit)
    return mesh_file([part], path, [*lost, *idle], unlit, tuple(idle))


def _header(path: Path, data: bytes, lost: list[str]) -> tuple[str, list[_Element], list[str], bytes, int]:
    """Return the byte order ("": text), the elements, the image names, the body, and the line where the body begins."""
    begin = _FIRST.match(data)
    stop = data.find(b"end_header", 0, _LARGEST)
    if begin is None or stop < 0:
        raise InputError(f"{path}: not a PLY, or its header does not end: export it again")
    end = begin[1]  # the line ending of the header: a binary body may begin with a byte of another one
    lines = data[:stop].split(end)
    body = data[stop:].partition(end)[2]
    elements, images = list[_Element](), list[str]()
    order: str | None = None
    for number, line in enumerate(lines[1:], 2):
        match line.split():
            case [b"format", kind, _] if kind in _ORDERS:
                order = _ORDERS[kind]
            case [b"comment" | b"obj_info", *rest]:
                images += [b" ".join(rest[1:]).decode("utf-8", "replace")] if rest[:1] == [b"TextureFile"] else []
            case [b"element", name, count] if count.isdigit() and int(count) <= _MOST:
                elements.append(_Element(name.decode("utf-8", "replace"), int(count), []))
            case [b"property", *kinds, name] if elements and (found := _property(name, kinds)):
                elements[-1].properties.append(found)
            case []:
                continue
            case [word, *_] if word not in _WORDS:  # old exporters omit the word "comment"
                lost.append(f"line {number} of its header")
            case _:
                said = line[:LONGEST].decode("utf-8", "replace")
                raise InputError(f"{path}:{number}: not a valid line of a PLY header: {said!r}")
    if order is None:
        raise InputError(f"{path}:2: the header of this PLY does not say its format: export it again")
    return order, elements, images, body, len(lines) + 1


def _property(name: bytes, kinds: list[bytes]) -> _Property | None:
    letters = [_LETTERS.get(kind.decode("utf-8", "replace"), "") for kind in kinds]
    match kinds, letters:
        case [_], [letter] if letter:
            return _Property(name.decode("utf-8", "replace"), letter)
        case [b"list", _, _], [_, counted, letter] if counted and letter:
            return _Property(name.decode("utf-8", "replace"), letter, counted)
        case _:
            return None


def _tables_of_text(path: Path, elements: Iterable[_Element], table: Rows, lost: list[str]) -> dict[str, _Table]:
    found: dict[str, _Table] = {}
    first = missing = more = 0
    for element in elements:
        walk = Walk(path, table.some(first, element.rows))
        here = len(walk.at)
        first, missing = first + here, missing + element.rows - here
        columns = found.setdefault(element.name, {})
        for each in element.properties:
            counts, values = walk.several() if each.counted else (None, walk.one())
            columns[each.name] = _Column(values, counts, each.letter)
        more += walk.more()
    if missing:
        lost.append(f"{missing} rows that its header declares and the file does not have")
    if more:
        lost.append(f"numbers of {more} rows beyond those that its header names")
    if len(table.lines) > first:
        lost.append(f"{len(table.lines) - first} rows after those that its header declares")
    return found


def _binary(path: Path, order: str, elements: Iterable[_Element], body: bytes, lost: list[str]) -> dict[str, _Table]:
    found: dict[str, _Table] = {}
    at = 0
    for element in elements:
        read, size = _alike(order, element, body, at) or _row_by_row(path, order, element, body, at)
        found[element.name] = read
        at += size
    if at < len(body):
        lost.append(f"{len(body) - at} bytes after the rows that its header declares")
    return found


def _alike(order: str, element: _Element, body: bytes, at: int) -> tuple[_Table, int] | None:
    """Return the rows of an element, and their size in bytes, if every list has the same length as in the first row;
    None where the lengths differ or rows are missing."""
    kinds, size = list[tuple[str, str, tuple[int, ...]]](), 0
    for number, each in enumerate(element.properties):
        length = 1
        if each.counted:
            letter = order + each.counted
            place = at + size
            size += calcsize(letter)
            if not element.rows or at + size > len(body):
                return None
            (said,) = Struct(letter).unpack_from(body, place)
            if not 0 <= said <= len(body) or said != int(said):
                return None
            length = int(said)
            kinds.append((f"n{number}", letter, (1,)))
        kinds.append((f"v{number}", order + each.letter, (length,)))
        size += length * calcsize(order + each.letter)
    total = size * element.rows
    if not size or at + total > len(body):
        return None if element.rows else ({}, 0)
    table = np.frombuffer(body, dtype=kinds, count=element.rows, offset=at)
    read: _Table = {}
    for number, each in enumerate(element.properties):
        counts = None
        if each.counted:
            counts = table[f"n{number}"].astype(np.int64).ravel()
            if bool((counts != counts[0]).any()):
                return None
        read[each.name] = _Column(table[f"v{number}"].astype(np.float64).ravel(), counts, each.letter)
    return read, total


def _row_by_row(path: Path, order: str, element: _Element, body: bytes, at: int) -> tuple[_Table, int]:
    """Like _alike, but row by row. Raises InputError where the file is truncated."""
    readers = [
        (Struct(order + each.counted) if each.counted else None, order, each.letter, calcsize(order + each.letter))
        for each in element.properties
    ]
    values: list[list[float]] = [[] for _ in readers]
    counts: list[list[int]] = [[] for _ in readers]
    place = at
    for row in range(element.rows if readers else 0):
        for number, (counter, said, letter, size) in enumerate(readers):
            length = 1
            end = place + (counter.size if counter else 0)
            if counter and end <= len(body):
                length = int(counter.unpack_from(body, place)[0])
            if length < 0 or end + length * size > len(body):
                what = f"it ends in row {row + 1} of {element.rows} of its {element.name!r}"
                raise InputError(f"{path}: this PLY is cut off or declares wrong numbers: {what}")
            values[number] += Struct(f"{said}{length}{letter}").unpack_from(body, end)
            counts[number].append(length)
            place = end + length * size
    return {
        each.name: _Column(np.array(column, dtype=np.float64), np.array(many) if each.counted else None, each.letter)
        for each, column, many in zip(element.properties, values, counts, strict=True)
    }, place - at


def _part(path: Path, vertex: _Table, face: _Table, lost: list[str], unlit: list[str]) -> MeshPart:
    vertices = _stacked(vertex, ("x", "y", "z"))
    if vertices is None:
        raise InputError(f"{path}: this PLY has no vertices with x, y and z")
    lists = [name for name, column in face.items() if column.counts is not None]
    column = face.get(next((name for name in (*_CORNERS, *lists[:1]) if name in lists), ""))
    counts = np.zeros(0, dtype=np.int64) if column is None or column.counts is None else column.counts
    faces, wedges = polygons(path, np.zeros(0) if column is None else column.values, counts, len(vertices), lost)
    normals = _stacked(vertex, ("nx", "ny", "nz"))
    uvs, uv_faces = next(filter(None, (_pair(vertex, names, faces) for names in _COORDINATES)), (None, None))
    said = face.get("texcoord")
    if uvs is None and said is not None and said.counts is not None and np.array_equal(said.counts, 2 * counts):
        uvs, uv_faces = said.values.reshape(-1, 2), wedges
    colours, colour_faces = _dyed(vertex), faces
    if colours is None:
        owners = np.repeat(np.arange(len(counts)), np.maximum(counts - 2, 0))
        colours, colour_faces = _dyed(face), np.repeat(owners, 3).reshape(-1, 3)
    elif _dyed(face) is not None:
        unlit.append("colours of faces beside those of vertices")
    return MeshPart(
        name=path.stem,
        vertices=vertices,
        faces=faces,
        normals=normals,
        normal_faces=None if normals is None else faces,
        uvs=uvs,
        uv_faces=uv_faces,
        colours=colours,
        colour_faces=None if colours is None else colour_faces,
    )


def _stacked(table: _Table, names: tuple[str, ...]) -> Floats | None:
    """Return properties as columns (n, width), if all exist and none is a list; else None."""
    found = [table[name] for name in names if name in table and table[name].counts is None]
    return np.column_stack([each.values for each in found]) if len(found) == len(names) else None


def _pair(vertex: _Table, names: tuple[str, ...], faces: Ints) -> tuple[Floats, Ints] | None:
    found = _stacked(vertex, names)
    return None if found is None else (found, faces)


def _dyed(table: _Table) -> Floats | None:
    """Return colours (n, 4) in [0, 1], None where there are none or all are white."""
    names = _COLOURS if _COLOURS[3] in table else _COLOURS[:3]
    found = _stacked(table, names)
    return None if found is None else dyes(found, _FULL.get(table[_COLOURS[0]].letter, 1.0))
