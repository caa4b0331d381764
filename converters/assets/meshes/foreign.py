"""OFF (Geomview's object file format) as text, read with trimesh; malformed rows, which trimesh accepts, are detected
first."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

from converters.assets.meshes.parts import COLOURS, MeshFile, MeshPart, mesh_file
from converters.assets.meshes.rows import Walk, polygons, rows
from converters.context import InputError
from ir.arrays import np

_HEAD = re.compile(rb"\s*(?:C)?OFF\b")
_COMMENT = re.compile(rb"#[^\r\n]*")
_COUNTS = 2
"""Numbers of the first line that are used: vertices and faces; the number of edges is ignored."""
_MOST = 1 << 40
"""Upper limit on the number of vertices or faces."""


def load(path: Path, data: bytes) -> MeshFile:
    """Return one part. Raises InputError, with the line, for what cannot be read."""
    import trimesh

    lost, unlit = list[str](), list[str]()
    _check(path, data, lost, unlit)
    try:
        mesh = trimesh.load_mesh(BytesIO(data), file_type="off", process=False)
    except Exception as error:  # trimesh raises whatever its parsers raise
        raise InputError(f"{path}: this OFF cannot be read: {error or type(error).__name__}") from None
    vertices, faces = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
    return mesh_file([MeshPart(name=path.stem, vertices=vertices, faces=faces)], path, lost, unlit)


def _check(path: Path, data: bytes, lost: list[str], unlit: list[str]) -> None:
    """Raise InputError where a row has missing or invalid numbers; describe ignored content in lost and unlit."""
    text = _COMMENT.sub(b"", data)
    head = _HEAD.match(text)
    if head is None:
        raise InputError(f"{path}: not an OFF of text that is known here: it begins neither with OFF nor with COFF")
    table = rows(path, text[head.end() :], 1 + head[0].count(b"\n"))
    if not len(table.lines):
        raise InputError(f"{path}: this OFF ends before its numbers of vertices and faces")
    counting = Walk(path, table.some(0, 1))
    many = [float(counting.one()[0]) for _ in range(_COUNTS)]
    if not all(0 <= each <= _MOST and each == int(each) for each in many):
        raise InputError(f"{path}:{table.lines[0]}: {many[0]:g} {many[1]:g} are no valid numbers of vertices and faces")
    points, surfaces = map(int, many)
    vertices, faces = Walk(path, table.some(1, points)), Walk(path, table.some(1 + points, surfaces))
    if len(vertices.at) < points:
        raise InputError(f"{path}: this OFF is cut off: it declares {points} vertices and has {len(vertices.at)}")
    for _ in range(3):
        vertices.one()
    counts, named = faces.several()
    polygons(path, named, counts, points, lost)
    if vertices.more():
        unlit.append(COLOURS)
    if faces.more():
        unlit.append("colours of faces")
    if len(counts) < surfaces:
        lost.append(f"{surfaces - len(counts)} faces that it declares and does not have")
    if len(table.lines) > 1 + points + surfaces:
        lost.append(f"{len(table.lines) - 1 - points - surfaces} lines after the faces that it declares")
