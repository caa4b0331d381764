"""Shapes that a target lacks: others that stand for one, and meshes of unit size that a scale makes what they are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from ir.pose import compose
from ir.types import Capsule, Cone, Cylinder, Ellipsoid, Pose, Shape, Sphere, Vec3

AROUND = 48
"""Corners of a circle."""
UP_AND_DOWN = 24
"""Rings of a sphere from pole to pole."""


def solid(shape: Shape | None) -> tuple[str, Vec3] | None:
    """The name of the solid that stands for a shape and its scale, which is exact on the corners; None for others."""
    if isinstance(shape, Ellipsoid):
        return "sphere", shape.radii
    if isinstance(shape, Cone):
        return "cone", (shape.radius, shape.radius, shape.length)
    return None


def capsule_parts(name: str, shape: Capsule, pose: Pose) -> list[tuple[str, Shape, Pose]]:
    """A capsule as a cylinder and two spheres, each with name and pose."""
    half = shape.length / 2
    ball = Sphere(radius=shape.radius)
    return [
        (name, Cylinder(radius=shape.radius, length=shape.length), pose),
        (f"{name}_cap1", ball, compose(pose, Pose((0.0, 0.0, half)))),
        (f"{name}_cap2", ball, compose(pose, Pose((0.0, 0.0, -half)))),
    ]


@cache
def obj(name: str) -> bytes:
    """The unit solid as OBJ text: a sphere of radius 1, or a cone of radius 1 and length 1 about the origin."""
    rings = (
        [(math.sin(angle), math.cos(angle)) for angle in (math.pi * i / UP_AND_DOWN for i in range(1, UP_AND_DOWN))]
        if name == "sphere"
        else [(1.0, -0.5)]
    )
    top, bottom = (1.0, -1.0) if name == "sphere" else (0.5, -0.5)
    points: list[Vec3] = [(0.0, 0.0, top), (0.0, 0.0, bottom)]
    points += [
        (radius * math.cos(turn), radius * math.sin(turn), height)
        for radius, height in rings
        for turn in (2 * math.pi * i / AROUND for i in range(AROUND))
    ]
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in _faces(len(rings))]
    return ("\n".join([f"o {name}", *lines]) + "\n").encode()


def _faces(rings: int) -> Iterable[tuple[int, int, int]]:
    """Corners counted from the outside against the clock; point 0 is on top, 1 at the bottom, then ring by ring."""
    for i in range(AROUND):
        j = (i + 1) % AROUND
        yield 0, 2 + i, 2 + j
        for ring in range(rings - 1):
            upper, lower = 2 + ring * AROUND, 2 + (ring + 1) * AROUND
            yield upper + i, lower + i, lower + j
            yield upper + i, lower + j, upper + j
        last = 2 + (rings - 1) * AROUND
        yield last + i, 1, last + j
