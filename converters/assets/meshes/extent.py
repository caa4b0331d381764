"""Dimension of a set of vertices: hulls need three dimensions, a surface needs two."""

from __future__ import annotations

from ir.arrays import Floats, Ints, np

TOLERANCE = 1e-6
"""Ratio of thickness to length below which single-precision vertices are considered flat."""

_CLEARLY = 1e-3
"""Ratio of the spread of some vertices across a plane to that along it above which all are not in one plane."""

_FEW, _SAMPLE = 64, 512


def dimensions(vertices: Floats) -> int:
    """Return 0 point, 1 line, 2 plane, 3 solid, by the extents along the principal axes. A sample usually suffices."""
    if _solid(vertices[:: max(1, len(vertices) // _FEW)]):
        return 3
    if len(vertices) > 2 * _SAMPLE and _count(vertices[:: len(vertices) // _SAMPLE]) == 3:
        return 3
    return _count(vertices)


def _solid(some: Floats) -> bool:
    """Whether points spread clearly in three directions, by the eigenvalues of their second moments."""
    points = np.asarray(some, dtype=np.float64)
    size = float(np.abs(points).max(initial=0.0))
    if size == 0:
        return False
    points = points / size
    points -= points.mean(axis=0)
    least, _, most = np.linalg.eigvalsh(points.T @ points).tolist()
    return bool(least > _CLEARLY * _CLEARLY * most)


def _count(vertices: Floats) -> int:
    if len(vertices) < 2:
        return 0
    points = np.asarray(vertices, dtype=np.float64)
    points = points - points.mean(axis=0)
    size = float(np.abs(points).max())
    if size == 0:
        return 0
    points /= size
    axes = np.linalg.eigh(points.T @ points)[1]
    extents = np.ptp(points @ axes, axis=0)
    return int((extents > TOLERANCE * extents.max()).sum())


def surface_area(vertices: Floats, faces: Ints, enough: float) -> float:
    """Return the surface in square metres, or only that of the first faces where it already is enough."""
    some = soup_area(vertices[faces[:_FEW]])
    return some if some > enough or len(faces) <= _FEW else soup_area(vertices[faces])


def soup_area(corners: Floats) -> float:
    """Return the total area of triangles (m, 3, 3)."""
    some = corners.astype(np.float64)
    crossed = _cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    return float(np.sqrt(np.einsum("ij,ij->i", crossed, crossed)).sum()) / 2


def _cross(left: Floats, right: Floats) -> Floats:
    """Row-wise cross product; numpy's own spends longer on argument checks than on multiplying a few rows."""
    product: Floats = left[:, [1, 2, 0]] * right[:, [2, 0, 1]] - left[:, [2, 0, 1]] * right[:, [1, 2, 0]]
    return product
