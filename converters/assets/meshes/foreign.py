"""PLY and OFF through trimesh."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

from converters.assets.meshes.parts import MeshFile, MeshPart, dyes, mesh_file, within
from converters.context import InputError


def load(path: Path, data: bytes) -> MeshFile:
    """Raises InputError for whatever trimesh cannot read."""
    kind = path.suffix.lower().removeprefix(".")
    lost = list[str]()
    import trimesh

    try:
        scene = trimesh.load_scene(BytesIO(data), file_type=kind, process=False)
        parts = [_part(scene, node, lost) for node in scene.graph.nodes_geometry]
    except Exception as error:  # trimesh raises whatever its parsers raise
        raise InputError(f"{path}: this {kind.upper()} cannot be read: {error or type(error).__name__}") from None
    missing = _promised(data) if kind == "ply" else 0
    if missing > 0:  # of a binary one trimesh tells
        lost.append(f"{missing} rows that its header counts and the file does not have")
    return mesh_file(filter(None, parts), path, lost)


def _promised(data: bytes) -> int:
    """How many rows, one for each element, the header of a PLY of text counts beyond those that are there."""
    head, _, body = data.partition(b"end_header")
    if not re.search(rb"^format\s+ascii", head, re.MULTILINE):
        return 0
    counts = re.findall(rb"^element\s+\S+\s+(\d{1,18})\s", head, re.MULTILINE)
    return sum(map(int, counts)) - sum(map(bool, map(bytes.strip, body.splitlines())))


def _part(scene: Any, node: str, lost: list[str]) -> MeshPart | None:
    import numpy as np

    mesh = scene.geometry[scene.graph[node][1]]
    if not hasattr(mesh, "faces"):
        lost.append("lines and points")
        return None
    vertices, faces = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
    within(len(vertices), faces)  # trimesh does not look
    given = "vertex_normals" in mesh._cache  # others trimesh makes up when it is asked
    normals = np.asarray(mesh.vertex_normals, dtype=np.float64) if given else None
    uvs = getattr(mesh.visual, "uv", None)
    colours = colour_faces = None
    kind = getattr(mesh.visual, "kind", None)
    if kind in ("vertex", "face"):
        colours = dyes(np.asarray(getattr(mesh.visual, f"{kind}_colors"), dtype=np.float64), 255.0)
        rows = faces if kind == "vertex" else np.repeat(np.arange(len(faces)), 3).reshape(-1, 3)
        colour_faces = None if colours is None else rows
    return MeshPart(
        name=node,
        vertices=vertices,
        faces=faces,
        normals=normals,
        normal_faces=None if normals is None else faces,
        uvs=None if uvs is None else np.asarray(uvs, dtype=np.float64),
        uv_faces=None if uvs is None else faces,
        colours=colours,
        colour_faces=colour_faces,
    )
