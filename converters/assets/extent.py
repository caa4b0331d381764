"""How many dimensions a cloud of vertices has: hulls need three, and a surface needs two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from converters.assets.parts import Floats, Ints

TOLERANCE = 1e-6
"""Thickness over length below which single-precision vertices count as flat."""

_SAMPLE = 512


def dimensions(vertices: Floats) -> int:
    """0 point, 1 line, 2 plane, 3 solid, by the extents along the principal axes. A sample settles most."""
    if len(vertices) > 2 * _SAMPLE and _count(vertices[:: len(vertices) // _SAMPLE]) == 3:
        return 3
    return _count(vertices)


def _count(vertices: Floats) -> int:
    import numpy as np

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


def area(vertices: Floats, faces: Ints) -> float:
    """Surface in square metres."""
    import numpy as np

    corners = vertices[faces]
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(crossed, axis=1).sum()) / 2
