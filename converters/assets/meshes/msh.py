"""MSH, MuJoCo's legacy binary mesh format: counts of vertices, normals, uvs and faces, then their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from converters.assets.meshes.parts import MeshFile, MeshPart
from converters.context import InputError
from ir.arrays import np


def load(path: Path, data: bytes) -> MeshFile:
    """Return one part. Raises InputError for a truncated file or a face that references a missing vertex."""
    counts = np.frombuffer(data[:16], dtype="<i4").tolist() if len(data) >= 16 else [0, 0, 0, 0]
    vertices, normals, texcoords, faces = counts
    if (
        min(vertices - 1, normals, texcoords, faces) < 0
        or len(data) != 16 + 12 * (vertices + normals + faces) + 8 * texcoords
    ):
        raise InputError(f"{path}: not an MSH file, or a truncated one")
    at = 16

    def table(kind: str, rows: int, width: int) -> Any:
        nonlocal at
        found = np.frombuffer(data, dtype=kind, count=rows * width, offset=at).reshape(-1, width)
        at += found.nbytes
        return found

    points = table("<f4", vertices, 3).astype(np.float64)
    directions = table("<f4", normals, 3).astype(np.float64)
    uvs = table("<f4", texcoords, 2).astype(np.float64)
    uvs[:, 1] = 1.0 - uvs[:, 1]  # MuJoCo counts v from the upper edge and reads MSH coordinates unchanged
    triangles = table("<i4", faces, 3).astype(np.int64)
    if not np.isfinite(points).all():
        raise InputError(f"{path}: a vertex coordinate is not finite")
    if triangles.size and not 0 <= int(triangles.min()) <= int(triangles.max()) < vertices:
        raise InputError(f"{path}: a face names a vertex that is not there")
    whole = normals == vertices
    painted = texcoords == vertices
    part = MeshPart(
        name=path.stem,
        vertices=points,
        faces=triangles,
        normals=directions if whole else None,
        normal_faces=triangles if whole else None,
        uvs=uvs if painted else None,
        uv_faces=triangles if painted else None,
    )
    return MeshFile(parts=(part,))
