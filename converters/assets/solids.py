"""Replacements for shapes that a target lacks: other shapes, or meshes of unit size with a fitting scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from converters.format import MadeMesh
from ir.pose import compose
from ir.types import Capsule, Cone, Cylinder, Ellipsoid, Polyline, Pose, Shape, Sphere, Vec2, Vec3

AROUND = 48
"""Corners of a circle."""
MOST = 1e30
"""Metres; engines store meshes in single precision, and some square coordinates."""
UP_AND_DOWN = 24
"""Rings of a sphere from pole to pole."""


def solid(shape: Shape | None) -> tuple[str, Vec3] | None:
    """Return the name of the solid that replaces a shape and its scale, exact at the vertices; None for others."""
    if isinstance(shape, Ellipsoid):
        return "sphere", shape.radii
    if isinstance(shape, Cone):
        return "cone", (shape.radius, shape.radius, shape.length)
    return None


def capsule_parts(name: str, shape: Capsule, pose: Pose) -> list[tuple[str, Shape, Pose]]:
    """Return a capsule as a cylinder and two spheres, each with name and pose."""
    half = shape.length / 2
    ball = Sphere(radius=shape.radius)
    return [
        (name, Cylinder(radius=shape.radius, length=shape.length), pose),
        (f"{name}_cap1", ball, compose(pose, Pose((0.0, 0.0, half)))),
        (f"{name}_cap2", ball, compose(pose, Pose((0.0, 0.0, -half)))),
    ]


@cache
def obj(name: str) -> bytes:
    """Return the unit solid as OBJ text: a sphere of radius 1, or a centred cone of radius 1 and length 1."""
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
    """Yield triangles, counterclockwise from outside; point 0 is the top, 1 the bottom, then ring by ring."""
    for i in range(AROUND):
        j = (i + 1) % AROUND
        yield 0, 2 + i, 2 + j
        for ring in range(rings - 1):
            upper, lower = 2 + ring * AROUND, 2 + (ring + 1) * AROUND
            yield upper + i, lower + i, lower + j
            yield upper + i, lower + j, upper + j
        last = 2 + (rings - 1) * AROUND
        yield last + i, 1, last + j


def whole(shape: Shape, collides: bool) -> Sequence[MadeMesh]:
    """Return a polyline as one mesh; empty for other shapes, and for one too large for engines."""
    if not isinstance(shape, Polyline) or max(map(abs, (shape.height, *chain.from_iterable(shape.points)))) > MOST:
        return ()
    return [_prism(shape.points, shape.height)] if shape.height and _area(shape.points) else ()


def convex(shape: Shape, collides: bool) -> Sequence[MadeMesh]:
    """Return meshes for targets that collide with hulls: a cone, and a polyline, in convex pieces if it collides."""
    if isinstance(shape, Cone) and shape.radius > 0 and shape.length > 0:
        return [("cone", obj("cone"), (shape.radius, shape.radius, shape.length))]
    together = whole(shape, collides)
    pieces = _pieces(shape.points) if collides and together and isinstance(shape, Polyline) else []
    if not isinstance(shape, Polyline) or len(pieces) < 2:
        return together
    return [_prism(piece, shape.height) for piece in pieces]


def _prism(points: Sequence[Vec2], height: float) -> MadeMesh:
    from converters.assets.meshes.obj_text import obj_text
    from converters.assets.meshes.parts import MeshPart
    from converters.assets.tessellate import tessellate

    surface = tessellate(Polyline(points=tuple(points), height=height))
    part = MeshPart(name="polyline", vertices=surface.vertices, faces=surface.faces)
    return "polyline", obj_text(part), (1.0, 1.0, 1.0)


def _area(points: Sequence[Vec2]) -> float:
    """Twice the signed area of a polygon; positive if counterclockwise."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, (*points[1:], *points[:1]), strict=True))


def _pieces(points: Sequence[Vec2]) -> list[list[Vec2]]:
    """Return a convex decomposition: triangles, merged with neighbours while the result is convex (Hertel and
    Mehlhorn).

    Empty for a polygon that intersects itself.
    """
    from converters.assets.tessellate import triangles

    outline = list(points) if _area(points) > 0 else list(points)[::-1]
    faces = [face for face in triangles(outline) if _turn(outline, *face) > 0]
    area = sum(_turn(outline, *face) for face in faces)
    if not math.isclose(area, _area(outline), rel_tol=1e-6):
        return []
    pieces: dict[int, list[int]] = {number: list(face) for number, face in enumerate(faces)}
    owner = {edge: number for number, face in pieces.items() for edge in _edges(face)}
    for a, b in list(owner):
        if (b, a) not in owner:
            continue  # on the outline, or merged already
        number, other = owner[a, b], owner[b, a]
        own, more = _from(pieces[number], b), _from(pieces[other], a)
        if _turn(outline, own[-2], a, more[1]) >= 0 and _turn(outline, more[-2], b, own[1]) >= 0:
            pieces[number] = own + more[1:-1]
            del pieces[other], owner[a, b], owner[b, a]
            owner |= dict.fromkeys((edge for edge in _edges(more) if edge in owner), number)
    return [[outline[corner] for corner in piece] for piece in pieces.values()]


def _turn(outline: Sequence[Vec2], a: int, b: int, c: int) -> float:
    """Twice the signed area of a triangle, positive if counterclockwise."""
    return _area((outline[a], outline[b], outline[c]))


def _edges(piece: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(piece, (*piece[1:], piece[0]), strict=True)


def _from(piece: list[int], corner: int) -> list[int]:
    at = piece.index(corner)
    return piece[at:] + piece[:at]
