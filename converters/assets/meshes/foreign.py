"""PLY and OFF through trimesh."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from converters.assets.meshes.parts import MeshFile, MeshPart, mesh_file
from converters.context import InputError


def load(path: Path, data: bytes) -> MeshFile:
    """Raises InputError for whatever trimesh cannot read."""
    kind = path.suffix.lower().removeprefix(".")
    lost, unlit = list[str](), list[str]()
    import trimesh

    try:
        scene = trimesh.load_scene(BytesIO(data), file_type=kind, process=False)
        parts = [_part(scene, node, lost, unlit) for node in scene.graph.nodes_geometry]
    except Exception as error:  # trimesh raises whatever its parsers raise
        raise InputError(f"{path}: this {kind.upper()} cannot be read: {error or type(error).__name__}") from None
    return mesh_file(filter(None, parts), path, lost, unlit)


def _part(scene: Any, node: str, lost: list[str], unlit: list[str]) -> MeshPart | None:
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
    kind = getattr(mesh.visual, "kind", None)
    if kind in ("vertex", "face"):
        unlit.append(f"{kind} colours")
    return MeshPart(
        name=node,
        vertices=np.asarray(mesh.vertices, dtype=np.float64),
        faces=faces,
        normals=normals,
        normal_faces=None if normals is None else faces,
    )
