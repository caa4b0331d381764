"""PLY and OFF through trimesh."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from converters.assets.meshes.parts import MeshFile, MeshPart, dyes, mesh_file
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
    return mesh_file(filter(None, parts), path, lost)


def _part(scene: Any, node: str, lost: list[str]) -> MeshPart | None:
    import numpy as np

    matrix, name = scene.graph[node]
    mesh = scene.geometry[name]
    if not hasattr(mesh, "faces"):
        lost.append("lines and points")
        return None
    mesh = mesh.copy()
    normals = mesh.vertex_normals.copy() if "vertex_normals" in mesh._cache else None
    mesh.apply_transform(matrix)
    faces = np.asarray(mesh.faces, dtype=np.int64)
    if normals is not None:
        normals = np.asarray(mesh.vertex_normals, dtype=np.float64)
    colours = colour_faces = None
    kind = getattr(mesh.visual, "kind", None)
    if kind in ("vertex", "face"):
        colours = dyes(np.asarray(getattr(mesh.visual, f"{kind}_colors"), dtype=np.float64), 255.0)
        rows = faces if kind == "vertex" else np.repeat(np.arange(len(faces)), 3).reshape(-1, 3)
        colour_faces = None if colours is None else rows
    return MeshPart(
        name=node,
        vertices=np.asarray(mesh.vertices, dtype=np.float64),
        faces=faces,
        normals=normals,
        normal_faces=None if normals is None else faces,
        colours=colours,
        colour_faces=colour_faces,
    )
