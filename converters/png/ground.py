"""The ground: a grid under the model that shows its size and the vertical, in the colour of a ground plane if it has
one."""

from __future__ import annotations

import math

from msgspec import Struct

from converters.png.camera import Viewpoint
from converters.png.raster import key_of
from ir.arrays import Bytes, Floats, Keys, np

ROWS = 64
"""Rows of the picture that are computed at once."""
LINE = np.array((0.42, 0.46, 0.5))
STRENGTH = 0.45
"""Colour of the grid lines, and their opacity."""
FADE = 2.2
"""Multiples of the model's radius over which the ground fades."""
LEVEL = 1e-3
"""Slope below which a viewing direction is parallel to the ground and never meets it."""


class Ground(Struct, frozen=True):
    """A level plane at height z below a model about centre, of that radius, in metres; rgba: of a plane that is a
    part of the model, of its image the mean."""

    z: float
    centre: tuple[float, float]
    radius: float
    rgba: tuple[float, float, float, float] | None = None

    @property
    def spacing(self) -> float:
        """Grid spacing: 1, 2 or 5 times a power of ten, at most two thirds of the radius."""
        power = 10.0 ** math.floor(math.log10(max(self.radius, 1e-9) * 2 / 3))
        return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= max(self.radius * 2 / 3, power))


def paint_ground(colours: Bytes, keys: Keys, camera: Viewpoint, floor: Ground) -> None:
    """Blend the ground into a picture (h * w, 3) where nothing is in front of it."""
    if not camera.perspective and abs(camera.axes[2][2]) < LEVEL:
        return
    width = camera.width
    for start in range(0, camera.height, ROWS):
        rows = slice(start, min(start + ROWS, camera.height))
        part = slice(rows.start * width, rows.stop * width)
        colour, alpha, depth = _ground_pixels(camera, floor, rows)
        met = depth > camera.near if camera.perspective else np.isfinite(depth)
        before = key_of(camera.closeness(np.where(met, depth, 1.0))) > keys[part]
        alpha = np.where(before & met, alpha, 0.0)[:, None]
        some = np.flatnonzero(alpha[:, 0] > 0)
        old = colours[part][some]
        mixed = colour[some] * 255.0 * alpha[some] + old * (1 - alpha[some])
        colours[part][some] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)


def _ground_pixels(camera: Viewpoint, floor: Ground, rows: slice) -> tuple[Floats, Floats, Floats]:
    """Return colour (n, 3), alpha and depth (n,) of the ground in the pixels of some rows; depth is negative where a
    ray does not meet it."""
    origin, direction = camera.rays(rows)
    shape = np.broadcast_shapes(origin.shape, direction.shape)
    falls = direction[..., 2]
    level = np.abs(falls) < 1e-9
    depth = np.where(level, -1.0, (floor.z - origin[..., 2]) / np.where(level, 1.0, falls))
    depth = np.broadcast_to(depth, shape[:2])
    point = origin + depth[..., None] * direction
    steps = [camera.axes[0] / camera.scale, -camera.axes[1] / camera.scale]
    grow = depth if camera.perspective else np.ones_like(depth)
    slope = np.where(level, 1.0, falls)
    strokes = np.zeros(shape[:2])
    for axis in (0, 1):
        footprint = sum(np.abs(grow * (step[axis] - direction[..., axis] * step[2] / slope)) for step in steps)
        size = np.maximum(footprint, 1e-12)
        where = point[..., axis] / floor.spacing
        away = np.abs(where - np.round(where)) * floor.spacing
        stroke = np.clip(1.25 - away / size, 0.0, 1.0) * np.clip(2.0 - 4.0 * size / floor.spacing, 0.0, 1.0)
        strokes = np.maximum(strokes, stroke)
    distance = np.hypot(point[..., 0] - floor.centre[0], point[..., 1] - floor.centre[1])
    fade = np.exp(-((distance / (FADE * floor.radius)) ** 2))
    strokes = strokes * STRENGTH
    if floor.rgba is None:
        return np.broadcast_to(LINE, (*shape[:2], 3)).reshape(-1, 3), (strokes * fade).ravel(), depth.ravel()
    colour = np.array(floor.rgba[:3]) * (1 - strokes[..., None] * 0.5)
    return colour.reshape(-1, 3), (fade * floor.rgba[3]).ravel(), depth.ravel()
