"""STL, binary and ASCII."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from converters.assets.meshes.distinct import unique_rows
from converters.assets.meshes.numerals import numbers
from converters.assets.meshes.parts import MeshFile, MeshPart, mesh_file
from converters.assets.meshes.stl_head import HEADER, RECORD, binary_faces, declared_faces, truncated
from converters.context import InputError
from ir.arrays import Array, Ints, np

_ODD = 0x9E3779B97F4A7C15
"""Odd multiplier that mixes 64-bit numbers for hashing, without making different numbers equal."""

_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)
_END = re.compile(rb"end\s*solid", re.IGNORECASE)


def records(data: bytes | memoryview, count: int) -> Any:
    """Return the face records as a structured array: normal (3), corners (3, 3), attribute."""
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    return np.frombuffer(data, dtype=kind, count=count, offset=HEADER)


def load(path: Path, data: bytes) -> MeshFile:
    """Return one part with equal vertices joined. Raises InputError for a truncated or empty file."""
    lost, unlit = list[str](), list[str]()
    count = binary_faces(data[:HEADER], len(data))
    if count is None and data[:512].lstrip()[:5].lower() == b"solid" and _VERTEX.search(data) is not None:
        try:
            values = np.array([float(text) for match in _VERTEX.findall(data) for text in match])
        except ValueError:
            raise _stray(path, data) from None
        if len(values) % 9:
            raise InputError(f"{path}: this ASCII STL has a facet without three vertices")
        soup = values.reshape(-1, 3)
        if _END.search(data, max(data.rfind(b"endfacet"), data.rfind(b"ENDFACET"), 0)) is None:
            lost.append("what is cut off, for it stops before endsolid")
    else:
        if count is None:
            if said := truncated(data[:HEADER], len(data)):
                raise InputError(f"{path}: {said}")
            count = declared_faces(data[:HEADER])
            lost.append(f"{len(data) - HEADER - RECORD * count} bytes after the last face")
        table = records(data, count)
        soup = table["corners"].reshape(-1, 3)
        if b"COLOR=" in data[:80] and table["attribute"].any():
            unlit.append("face colours in the attribute bytes")
    vertices, faces = join(soup)
    part = MeshPart(name=path.stem, vertices=vertices.astype(np.float64), faces=faces)
    return mesh_file([part], path, lost, unlit)


def _stray(path: Path, data: bytes) -> InputError:
    for match in _VERTEX.finditer(data):
        try:
            numbers(b" ".join(match.groups()))
        except ValueError as error:
            line = data.count(b"\n", 0, match.start()) + 1
            return InputError(f"{path}:{line}: a vertex of this ASCII STL is not a number: {error}")
    return InputError(f"{path}: a vertex of this ASCII STL is not a number")


def join(soup: Array) -> tuple[Array, Ints]:
    """Return triangle corners (3m, 3) as distinct vertices in order of first use and faces (m, 3)."""
    soup = soup + 0.0  # -0.0 and 0.0 are the same coordinate
    x, y, z = soup.view(f"u{soup.itemsize}").T.astype(np.uint64, order="C")
    key = (x * _ODD ^ y) * _ODD ^ z
    first, number = unique_rows(key)
    vertices = soup.take(first, axis=0)
    if np.array_equal(vertices.take(number, axis=0), soup):
        return vertices, number.reshape(-1, 3)
    # two vertices have the same key, or a coordinate is NaN
    _, first, inverse = np.unique(soup, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    number = np.empty(len(first), dtype=np.int64)
    number[order] = np.arange(len(first))
    return soup[first[order]], number[inverse.reshape(-1)].reshape(-1, 3)
