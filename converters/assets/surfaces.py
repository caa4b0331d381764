"""Whether points are on the surface of a shape."""

from __future__ import annotations

from ir.arrays import Array, np
from ir.pose import ROUNDED, matrix
from ir.types import Box, Capsule, Cone, Cylinder, Ellipsoid, Geom, Polyline, Pose, Sphere, Vec3

NEAR = 1e-5
"""Tolerance relative to the size of a shape for points on its surface."""
STEP = 1.0 / 32767
"""The same for points stored in 16 bits."""

LAST = 1 << 18
"""The last cell of a grid on each side: shapes lie far within."""
ROW = (1 << 40, 1 << 20, 1)
"""Makes one number of the three of a cell."""


def half_extents(geom: Geom) -> Vec3:
    """Return half the extents of a shape along x, y and z; zeros for other shapes."""
    match geom.shape:
        case Box(size=(x, y, z)):
            return x / 2, y / 2, z / 2
        case Sphere(radius=r):
            return r, r, r
        case Ellipsoid(radii=radii):
            return radii
        case Cylinder(radius=r, length=length) | Cone(radius=r, length=length):
            return r, r, length / 2
        case Capsule(radius=r, length=length):
            return r, r, length / 2 + r
        case Polyline(points=points, height=height) if len({*points}) > 2:
            reach = max(max(map(abs, point)) for point in points)
            return reach, reach, abs(height)
    return 0.0, 0.0, 0.0


def in_frame(frame: Pose, points: Array, pose: Pose) -> Array:
    """Transform points (…, 3) from the frame of a pose to another frame on the same body. Where their rotations differ
    by rounding only, no precision is lost far from the body, or for a shape much longer than wide."""
    turn = matrix(frame.rot).T @ matrix(pose.rot)
    turned = points if np.abs(turn - np.eye(3)).max() <= ROUNDED else points @ turn.T
    return turned + np.subtract(pose.pos, frame.pos) @ matrix(frame.rot)


def on_surface(geom: Geom, points: Array) -> bool:
    """Whether points (n, 3) in the frame of a geom are on its surface, on flat ends only at the rim or the centre, and
    on both sides of the origin on each axis."""
    if isinstance(geom.shape, Polyline):
        return _standing(geom.shape, points)
    shares = np.abs(points) / half_extents(geom)
    round_ = np.hypot(shares[:, 0], shares[:, 1])
    match geom.shape:
        case Box():
            away = np.abs(shares - 1.0).max(axis=1)
        case Cylinder():
            side = np.maximum(np.abs(round_ - 1.0), shares[:, 2] - 1.0)
            away = np.minimum(side, np.maximum(np.abs(shares[:, 2] - 1.0), round_))
        case Cone(length=length):
            base = np.maximum(np.abs(points[:, 2] / length + 0.5), round_)
            away = np.minimum(np.abs(round_ + points[:, 2] / length - 0.5), base)
        case Capsule(radius=r, length=length):
            along = np.maximum(np.abs(points[:, 2]) - length / 2, 0.0)
            away = np.abs(np.sqrt(points[:, 0] ** 2 + points[:, 1] ** 2 + along**2) / r - 1.0)
        case _:
            away = np.abs(np.sqrt((shares**2).sum(axis=1)) - 1.0)
    least = half_extents(geom)
    far = NEAR * (1.0 + max(map(abs, geom.pose.pos), default=0.0) / min(least)) * max(least) / min(least)
    sides = points.min(axis=0) < 0.0, points.max(axis=0) > 0.0
    return bool(away.max() <= max(far, 4 * STEP * max(least) / min(least))) and all(bool(each.all()) for each in sides)


def _standing(shape: Polyline, points: Array) -> bool:
    """Whether points (n, 3) are the corners of a polygon at its bottom or top, including all of these."""
    corners = np.array([(*point, height) for point in shape.points for height in (0.0, shape.height)])
    far = max(NEAR, STEP) * float(np.abs(corners).max())
    return _all_near(points, corners, far) and _all_near(corners, points, far)


def _all_near(points: Array, others: Array, far: float) -> bool:
    """Whether each of the points (n, 3) has one of the others (m, 3) no further away than far, or hardly: one in its
    cell of a grid of that width, or in a cell beside it."""
    cells, there = (np.clip(np.floor(each / far), -LAST, LAST).astype(np.int64) @ ROW for each in (points, others))
    beside = np.stack(np.meshgrid(*[(-1, 0, 1)] * 3), axis=-1).reshape(-1, 3) @ ROW
    return bool(np.isin(cells, np.unique(there)[:, None] + beside).all())
