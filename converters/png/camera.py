"""The camera of a picture, and the mapping from world points to pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ir.arrays import Floats, np

FIELD = math.radians(28.0)
"""Field of view along the shorter edge of a perspective picture: that of a short telephoto lens."""
MARGIN = 0.06
"""Fraction of the picture left free on each side."""
NEAREST = 0.02
"""Distance of the near plane, as a fraction of the distance to the middle of the model."""
FARTHEST = 1e4
"""Depth range on both sides of the middle of an orthographic picture, as a multiple of the model's size."""
SMALLEST = 1e-6
"""Assumed size in metres of a model without extent."""

TOWARDS: Mapping[str, tuple[float, float, float]] = {
    "iso": (1.0, -0.8, 0.55),
    "front": (1.0, 0.0, 0.0),
    "back": (-1.0, 0.0, 0.0),
    "left": (0.0, 1.0, 0.0),
    "right": (0.0, -1.0, 0.0),
    "top": (0.0, 0.0, 1.0),
}
"""From the model to the camera. Robots look along +x with +y to their left (REP 103); from above, +x is up."""


class Viewpoint(Struct, frozen=True, eq=False):
    """eye (3,) in metres; axes (3, 3) rows right, up and forward; scale in pixels per metre (at depth 1 m in a
    perspective picture); near is the near plane of a perspective picture, reach the half depth of an orthographic
    one."""

    eye: Floats
    axes: Floats
    scale: float
    width: int
    height: int
    perspective: bool
    near: float
    reach: float
    top: int = 0
    whole: int = 0
    """For a camera of a band of a picture: rows above it, and rows of the whole picture (0: height)."""

    def band(self, top: int, height: int) -> Viewpoint:
        """Return the camera for at most that many rows of the picture from top on."""
        return replace(self, top=top, height=min(height, self.height - top), whole=self.height)

    @property
    def middle(self) -> float:
        """The row of the camera's axis, counted from the first row of the band."""
        return (self.whole or self.height) / 2 - self.top

    def seen(self, points: Floats) -> Floats:
        """Return world points (..., 3) as (..., 3) to the right, up and away from the camera, in metres."""
        found: Floats = (points - self.eye) @ self.axes.T
        return found

    def screen(self, seen: Floats) -> Floats:
        """Return pixels (..., 2) from the upper left corner, for points returned by seen and not before near."""
        factor = self.scale / seen[..., 2:] if self.perspective else self.scale
        found: Floats = seen[..., :2] * factor * (1.0, -1.0) + (self.width / 2, self.middle)
        return found

    def closeness(self, depth: Floats) -> Floats:
        """Return depths in metres as numbers in [0, 1], greater if closer, linear on the screen over any triangle."""
        if self.perspective:
            return np.clip(self.near / depth, 0.0, 1.0)
        return np.clip(0.5 - depth / (2 * self.reach), 0.0, 1.0)

    def rays(self, rows: slice) -> tuple[Floats, Floats]:
        """Return origins and directions of the rays of the pixels of some rows, which broadcast to (h, w, 3); a
        direction has a depth of one metre."""
        x = (np.arange(self.width) + 0.5 - self.width / 2) / self.scale
        y = (self.middle - np.arange(self.height)[rows] - 0.5) / self.scale
        aside = x[None, :, None] * self.axes[0] + y[:, None, None] * self.axes[1]
        if self.perspective:
            return self.eye, aside + self.axes[2]
        return self.eye + aside, self.axes[2]


def looking(direction: tuple[float, float, float]) -> Floats:
    """Return the rows right, up and forward of a camera in that direction from the model; from above, +x is up."""
    back = np.array(direction) / np.linalg.norm(direction)
    upright = np.array((1.0, 0.0, 0.0)) if abs(back[2]) > 0.999 else np.array((0.0, 0.0, 1.0))
    right = np.cross(upright, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), -back])


def framed(points: Floats, view: str, width: int, height: int) -> Viewpoint:
    """Return the camera that shows all points (n, 3) as large as possible. No points: a cube of one metre about the
    origin."""
    axes = looking(TOWARDS[view])
    if not len(points):
        points = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    seen = (points - middle) @ axes.T
    size = max(float(np.linalg.norm(np.ptp(points, axis=0))), SMALLEST)
    if view != "iso":
        low, high = seen.min(axis=0), seen.max(axis=0)
        span = np.maximum(high - low, size * 1e-3)
        scale = (1 - 2 * MARGIN) * min(width / span[0], height / span[1])
        eye = middle + ((low + high) / 2 * (1.0, 1.0, 0.0)) @ axes
        return Viewpoint(eye, axes, scale, width, height, False, 0.0, FARTHEST * size)
    scale = min(width, height) / (2 * math.tan(FIELD / 2))
    centre, distance = np.zeros(3), 0.0
    for axis, edge in enumerate((width, height)):
        slope = (1 - 2 * MARGIN) * edge / 2 / scale
        above, below = (float((sign * seen[:, axis] / slope - seen[:, 2]).max()) for sign in (1.0, -1.0))
        centre[axis] = slope * (above - below) / 2
        distance = max(distance, (above + below) / 2)
    distance = max(distance, -float(seen[:, 2].min()) + size * 0.1)
    centre[2] = -distance
    return Viewpoint(middle + centre @ axes, axes, scale, width, height, True, NEAREST * distance, 0.0)
