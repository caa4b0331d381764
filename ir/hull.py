"""The convex hull of points by incremental construction (de Berg et al., Computational Geometry, chapter 11)."""

from __future__ import annotations

from typing import Any

from ir.arrays import Floats, Ints, np
from ir.pose import cross

MOST = 20_000
"""Largest number of points: more take too long."""
FLAT = 1e-12
"""Relative to the extent: points closer to a face are on it."""
SHAKEN = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
"""Relative to the extent: perturbation of points whose hull cannot be built otherwise."""


def hull(points: Floats) -> Ints:
    """Triangles (m, 3) facing outwards, as indices of points (n, 3); none for coplanar points, or too many."""
    nothing = np.zeros((0, 3), dtype=np.int64)
    if len(points) > MOST or len(points) < 4:
        return nothing
    start = _tetrahedron(points)
    if start is None:
        return nothing
    size, dice = float(np.ptp(points, axis=0).max()), np.random.default_rng(0)
    for share in (0.0, *SHAKEN):
        faces = _around(points + share * size * dice.uniform(-1.0, 1.0, points.shape), start)
        if faces is not None:
            return faces
    return nothing


def _around(points: Floats, start: list[int]) -> Ints | None:
    """The hull, starting from this tetrahedron; None if rounding breaks it, as for nearly collinear points: a face
    would face inwards, or the horizon of a point is not one loop."""
    middle = points[start].mean(axis=0)
    a, b, c, d = start
    faces: Ints = _outwards(np.array([[a, b, c], [a, b, d], [a, c, d], [b, c, d]]), points, middle)
    normals, offsets = _planes(faces, points)
    limit = FLAT * float(np.ptp(points, axis=0).max())
    far = np.argsort(-np.linalg.norm(points - middle, axis=1), kind="stable")
    for index in far.tolist():
        seen = normals @ points[index] - offsets > limit
        if not seen.any():
            continue
        edges = _horizon(faces[seen])
        if not _one_loop(edges):
            return None
        new = np.array([[a, b, index] for a, b in edges])
        more, shifts = _planes(new, points)
        if (more @ middle > shifts).any():
            return None
        faces = np.concatenate([faces[~seen], new])
        normals, offsets = np.concatenate([normals[~seen], more]), np.concatenate([offsets[~seen], shifts])
    return faces


def _tetrahedron(points: Any) -> list[int] | None:
    """Four points that are far apart."""
    size = float(np.ptp(points, axis=0).max())
    first = int(points[:, 0].argmin())
    second = int(np.linalg.norm(points - points[first], axis=1).argmax())
    along = points[second] - points[first]
    across = np.linalg.norm(np.cross(points - points[first], along), axis=1)
    third = int(across.argmax())
    normal = np.cross(along, points[third] - points[first])
    height = np.abs((points - points[first]) @ normal)
    fourth = int(height.argmax())
    found = [first, second, third, fourth]
    return found if size > 0 and height[fourth] > FLAT * size * size * size else None


def _outwards(faces: Any, points: Any, middle: Any) -> Any:
    normals, offsets = _planes(faces, points)
    inside = normals @ middle > offsets
    return np.where(inside[:, None], faces[:, ::-1], faces)


def _planes(faces: Any, points: Any) -> tuple[Any, Any]:
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    normals = np.stack(cross((b - a).T, (c - a).T), axis=1)  # np.cross gives the same, and takes twice as long
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals / np.where(lengths > 0, lengths, 1.0)[:, None]
    return normals, np.einsum("ij,ij->i", normals, a)


def _horizon(seen: Any) -> list[tuple[int, int]]:
    """The horizon of a point: the edges between visible and hidden faces."""
    edges: set[tuple[int, int]] = set()
    for a, b, c in seen.tolist():
        for edge in ((a, b), (b, c), (c, a)):
            back = (edge[1], edge[0])
            if back in edges:
                edges.remove(back)
            else:
                edges.add(edge)
    return sorted(edges)


def _one_loop(edges: list[tuple[int, int]]) -> bool:
    after = dict(edges)
    at, length = edges[0][1] if edges else -1, 1
    while at in after and at != edges[0][0] and length < len(edges):
        at, length = after[at], length + 1
    return length == len(edges) == len(after) and at == edges[0][0]
