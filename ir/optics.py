"""The pinhole model of a camera (ir.types.Camera), and its focal lengths and principal point in pixels of the image.

Pixels are counted from the upper left corner to the right and down, as for the matrix K of computer vision (Hartley and
Zisserman, Multiple View Geometry, 6.1), which has no skew here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ir.types import Camera, Vec2

DIGITS = 9
"""Decimals of a pixel to which a number may be rounded, if it reads as the same camera."""

LEAST, MOST = 1e-9, 1e12
"""Pixels: shorter or longer focal lengths are not valid, and their angle would be lost to rounding."""


FLAT = math.pi - 1e-6
"""Radians: the largest angle of view of a flat image, across or up; it must be below half a turn."""


def valid_pinhole(focal: Vec2, point: Vec2) -> bool:
    """Whether numbers in pixels describe a valid camera."""
    return all(LEAST <= each <= MOST for each in focal) and all(abs(each) <= MOST for each in point)


def angle_of(focal: float, height: float) -> float:
    """The vertical field of view in radians of an image with this height in pixels."""
    return 2 * math.atan2(height / 2, focal)


def aspect_of(focal: Vec2, size: Vec2) -> float:
    """The ratio of the width and height of the view (Camera.aspect), from focal lengths and a size in pixels."""
    return (size[0] * focal[1]) / (size[1] * focal[0])


def principal_of(point: Vec2, size: Vec2) -> Vec2:
    """Camera.principal of a point in pixels."""
    return (point[0] - size[0] / 2) / size[0], (size[1] / 2 - point[1]) / size[1]


def needs_matrix(camera: Camera) -> bool:
    """Whether a camera is more than an angle: its pixels are not square, or its axis is not in the image centre."""
    return not camera.orthographic and (camera.aspect is not None or camera.principal != (0.0, 0.0))


def focal_lengths(camera: Camera, size: Vec2) -> Vec2:
    """Focal lengths in pixels, across and up, that are read as the angle and the aspect of the camera."""
    width, height = size
    up = _plain(height / 2 / math.tan(camera.fov_y / 2), lambda each: angle_of(each, height), camera.fov_y)
    aspect = camera.aspect
    if aspect is None:
        return up, up
    return _plain(width * up / (height * aspect), lambda each: aspect_of((each, up), size), aspect), up


def principal_point(camera: Camera, size: Vec2) -> Vec2:
    """The principal point in pixels that is read as that of the camera."""
    (width, height), (right, up) = size, camera.principal
    return (
        _plain(width / 2 + width * right, lambda each: principal_of((each, 0.0), size)[0], right),
        _plain(height / 2 - height * up, lambda each: principal_of((0.0, each), size)[1], up),
    )


def _plain(value: float, read: Callable[[float], float], wanted: float) -> float:
    """The shortest number near a value that is read as the wanted one, else the value."""
    near = [round(value, DIGITS), *neighbours(value)]
    return next((each for each in near if each and read(each) == wanted), value)


def neighbours(value: float) -> list[float]:
    """A number, and the next four floats above and below it."""
    near = [value]
    for towards in (math.inf, -math.inf):
        each = value
        for _ in range(4):
            each = math.nextafter(each, towards)
            near.append(each)
    return near
