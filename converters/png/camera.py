"""Where a picture is taken from, and what of the world falls on which pixel."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ir.arrays import Floats, np

FIELD = math.radians(28.0)
"""Angle of the shorter edge of a perspective picture: that of a short telephoto lens."""
MARGIN = 0.06
"""Share of the picture that stays free on each side."""
NEAREST = 0.02
"""Distance of the plane before which nothing is drawn, as a share of that to the middle of the model."""
FARTHEST = 1e4
"""Depths on both sides of the middle that an orthographic picture tells apart, as multiples of the model's size."""
SMALLEST = 1e-6
"""Metres that a model is taken to be large when it has no extent."""

TOWARDS: Mapping[str, tuple[float, float, float]] = {
    "iso": (1.0, -0.8, 0.55),
    "front": (1.0, 0.0, 0.0),
    "back": (-1.0, 0.0, 0.0),
    "left": (0.0, 1.0, 0.0),
    "right": (0.0, -1.0, 0.0),
    "top": (0.0, 0.0, 1.0),
}
"""From the model to the camera. Robots look along +x with +y to their left (REP 103); seen from above +x is up."""


class Viewpoint(Struct, frozen=True, eq=False):
    """eye (3,) in metres; axes (3, 3) rows right, up and forward; scale in pixels for each metre (at depth 1 m in a
    perspective picture); near is that of the perspective, reach the half depth of an orthographic one."""

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
    """Of a camera that takes a band of a picture: rows above it, and rows of the whole picture (0: height)."""

    def band(self, top: int, height: int) -> Viewpoint:
        """The camera that takes some rows of the picture, and those below it as well where there are fewer."""
        return replace(self, top=top, height=min(height, self.height - top), whole=self.height)

    @property
    def middle(self) -> float:
        """The row, counted from the first of the band, on which the axis of the camera lies."""
        return (self.whole or self.height) / 2 - self.top

    def seen(self, points: Floats) -> Floats:
        """World points (..., 3) as (..., 3) to the right, up and away from the camera, in metres."""
        found: Floats = (points - self.eye) @ self.axes.T
        return found

    def screen(self, seen: Floats) -> Floats:
        """Pixels (..., 2) from the upper left corner, of points that seen gave and that are not before near."""
        factor = self.scale / seen[..., 2:] if self.perspective else self.scale
        found: Floats = seen[..., :2] * factor * (1.0, -1.0) + (self.width / 2, self.middle)
        return found

    def closeness(self, depth: Floats) -> Floats:
        """Depths in metres as numbers in [0, 1], greater where closer, linear on the screen over any triangle."""
        if self.perspective:
            return np.clip(self.near / depth, 0.0, 1.0)
        return np.clip(0.5 - depth / (2 * self.reach), 0.0, 1.0)

    def rays(self, rows: slice) -> tuple[Floats, Floats]:
        """Beginnings and directions of the rays of the pixels of some rows, both such that they broadcast to
        (h, w, 3); a direction is one metre deep."""
        x = (np.arange(self.width) + 0.5 - self.width / 2) / self.scale
        y = (self.middle - np.arange(self.height)[rows] - 0.5) / self.scale
        aside = x[None, :, None] * self.axes[0] + y[:, None, None] * self.axes[1]
        if self.perspective:
            return self.eye, aside + self.axes[2]
        return self.eye + aside, self.axes[2]


def looking(direction: tuple[float, float, float]) -> Floats:
    """Rows right, up and forward of a camera in that direction from the model; above it, +x is up."""
    back = np.array(direction) / np.linalg.norm(direction)
    upright = np.array((1.0, 0.0, 0.0)) if abs(back[2]) > 0.999 else np.array((0.0, 0.0, 1.0))
    right = np.cross(upright, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), -back])


def framed(points: Floats, view: str, width: int, height: int) -> Viewpoint:
    """The camera that has all points (n, 3) in its picture, as large as they fit. No points: a metre about the
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
