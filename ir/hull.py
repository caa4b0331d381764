"""The convex hull of points, one point after the other (de Berg et al., Computational Geometry, chapter 11)."""

from __future__ import annotations

from typing import Any

from ir.arrays import Floats, Ints, np

MOST = 20_000
"""Points; with more nobody waits for a hull."""
FLAT = 1e-12
"""Of the extent: closer to a face counts as on it."""


def hull(points: Floats) -> Ints:
    """Triangles (m, 3) that look outwards, as indices of points (n, 3); none for points in a plane, or too many."""
    nothing = np.zeros((0, 3), dtype=np.int64)
    if len(points) > MOST or len(points) < 4:
        return nothing
    start = _tetrahedron(points)
    if start is None:
        return nothing
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
        new = _horizon(faces[seen], index)
        new = _outwards(new, points, middle)
        more, shifts = _planes(new, points)
        faces = np.concatenate([faces[~seen], new])
        normals, offsets = np.concatenate([normals[~seen], more]), np.concatenate([offsets[~seen], shifts])
    return faces


def _tetrahedron(points: Any) -> list[int] | None:
    """Four points that lie well apart."""
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
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals / np.where(lengths > 0, lengths, 1.0)[:, None]
    return normals, np.einsum("ij,ij->i", normals, a)


def _horizon(seen: Any, point: int) -> Any:
    """A face over every edge between what is seen from the point and what is not."""
    edges: set[tuple[int, int]] = set()
    for a, b, c in seen.tolist():
        for edge in ((a, b), (b, c), (c, a)):
            back = (edge[1], edge[0])
            if back in edges:
                edges.remove(back)
            else:
                edges.add(edge)
    return np.array([[a, b, point] for a, b in sorted(edges)])
