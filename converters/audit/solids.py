"""Meshes that were made for shapes which a format lacks, compared with those shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from converters.assets.surfaces import half_extents, in_frame, on_surface
from converters.audit.readback import ReadBack
from ir.arrays import Array, np
from ir.diff import Difference
from ir.scene import Scene
from ir.types import Cone, Ellipsoid, Geom, Mesh, Polyline

Tables = tuple[Array, Array]

MADE = (Cone, Ellipsoid, Polyline)
PART = "_part"
"""Part of the names of geoms that stand beside another one, as the rest of its shape."""
CLOSED = 1e-6
"""Relative tolerance of the sum of the area vectors of a closed surface."""


def wrong_solids(scene: Scene, back: ReadBack) -> Iterator[Difference]:
    """Shapes of scene whose mesh, or meshes, do not have their surface."""
    shaped = [
        (body.name, geom) for body in scene.bodies.values() for geom in body.geoms if isinstance(geom.shape, MADE)
    ]
    if not shaped:
        return
    poses = {geom.name: geom.pose for geom in back.fitted.geoms()}
    beside = [name for name in poses if PART in name]
    known: dict[str, Tables | None] = {}
    for body, geom in shaped:
        names = [geom.name, *(name for name in beside if name.rpartition(PART)[0] == geom.name)]
        parts = [part for name in names for part in back.parts(name)]
        found: list[tuple[str, Tables]] = []
        for part in parts if geom.name in poses and min(half_extents(geom)) > 0.0 else ():
            asset = back.again.mesh_of(part.shape)
            if asset is None or not isinstance(part.shape, Mesh):
                continue
            if asset.uri not in known:
                content = back.files.content(asset.uri)
                known[asset.uri] = _parsed(content) if isinstance(content, bytes) else None
            points, faces = known[asset.uri] or (None, None)
            if points is not None and faces is not None:
                there = in_frame(poses[geom.name], points * part.shape.scale, part.pose)
                found.append((part.role, (there, faces)))
        for role in {role: None for role, _ in found}:
            if not _lies_on_surface(geom, [tables for own, tables in found if own == role]):
                path = ("body", body, "geoms", geom.name, "solid")
                yield Difference(path, "beside.solid", "different", geom.shape, role, geom.source)


def _parsed(text: bytes) -> Tables:
    """Vertices (n, 3) and faces (m, 3) of an OBJ that was written here; empty if it cannot be parsed."""
    lines = [line.split() for line in text.splitlines()]
    vertices = [line[1:4] for line in lines if line[:1] == [b"v"]]
    faces = [[word.partition(b"/")[0] for word in line[1:4]] for line in lines if line[:1] == [b"f"]]
    try:
        points = np.array(vertices, dtype=np.float64).reshape(-1, 3)
        corners = np.array(faces, dtype=np.int64).reshape(-1, 3) - 1
    except ValueError:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    there = corners.min(initial=0) >= 0 and corners.max(initial=-1) < len(points)
    return points, corners if there else corners[:0]


def _lies_on_surface(geom: Geom, pieces: Sequence[Tables]) -> bool:
    """Whether all vertices of meshes in the frame of a geom lie on its surface, and their triangles are closed and turn
    outwards."""
    used = []
    size = np.max([np.abs(points).max(axis=0, initial=0.0) for points, _ in pieces], axis=0)
    size[size == 0.0] = 1.0
    for points, faces in pieces:
        corners = points[faces] / size  # scaling changes no sign, and avoids products that underflow to 0
        areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        volume = np.einsum("ij,ij->i", areas, corners[:, 0]).sum()
        if np.abs(areas.sum(axis=0)).max() > CLOSED * np.abs(areas).sum() or volume <= 0.0:
            return False
        used.append(points[np.unique(faces)])
    return on_surface(geom, np.concatenate(used))
