"""Shapes of the graph as outward-facing triangles with normals: smooth where a shape is round, flat at its edges.

uv originates at the lower left corner of an image: u goes around, counterclockwise seen from above, and v goes up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ir.arrays import Floats, Ints, np
from ir.pose import from_z_to, matrix
from ir.types import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HeightField,
    Mesh,
    Plane,
    Polyline,
    Shape,
    Sphere,
    Vec2,
    Vec3,
)

DENSITY = 48
"""Corners of a circle."""

ENDLESS = 20.0
"""Edge in metres of the square drawn for an infinite plane."""

FINEST = 512
"""Most points along an edge of a height field; a finer one is drawn with every second, third ... of its points."""


class Tessellation(Struct, frozen=True, eq=False):
    """vertices (n, 3) in metres in the frame of the geom, unit normals (n, 3), faces (m, 3), uvs (n, 2) or None."""

    vertices: Floats
    normals: Floats
    faces: Ints
    uvs: Floats | None = None


def tessellate(shape: Shape, density: int = DENSITY, heights: Floats | None = None) -> Tessellation:
    """Return the surface of a shape. density: corners of a circle, at least 3; every vertex is on the shape.

    heights (rows, columns) of a height field in [0, 1], rows from -y to +y and columns from -x to +x; if not given it
    is flat. An infinite plane is a square. Raises ValueError for a mesh, whose triangles are in its file.
    """
    around = max(density, 3)
    match shape:
        case Box(size=size):
            return _box(size)
        case Sphere(radius=r):
            return _stretched(_ball(around), (r, r, r))
        case Ellipsoid(radii=radii):
            return _stretched(_ball(around), radii)
        case Cylinder(radius=r, length=length):
            h = length / 2
            side = [(r, -h, 1.0, 0.0), (r, h, 1.0, 0.0)]
            return _joined(_disk(r, -h, -1.0, around), _turned(side, around), _disk(r, h, 1.0, around))
        case Cone(radius=r, length=length):
            h, slope = length / 2, math.hypot(r, length) or 1.0
            side = [(r, -h, length / slope, r / slope), (0.0, h, length / slope, r / slope)]
            return _joined(_disk(r, -h, -1.0, around), _turned(side, around))
        case Capsule(radius=r, length=length):
            arc = _arc(around, split=length > 0)
            return _turned([(r * a, r * b + math.copysign(length / 2, b), a, b) for a, b in arc], around)
        case Plane(normal=normal, size=(x, y)):
            return _plane(normal, abs(x) or ENDLESS, abs(y) or ENDLESS)
        case Polyline(points=points, height=height):
            return _extruded(points, height)
        case HeightField(size=size, base=base):
            return _field(np.zeros((2, 2)) if heights is None else heights, size, base)
        case Mesh():
            raise ValueError("the triangles of a mesh are in its file")


def _joined(*parts: Tessellation) -> Tessellation:
    starts = np.cumsum([0, *[len(part.vertices) for part in parts[:-1]]])
    uvs = [part.uvs for part in parts if part.uvs is not None]
    return Tessellation(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate(uvs) if len(uvs) == len(parts) else None,
    )


def _stretched(surface: Tessellation, scale: Vec3) -> Tessellation:
    """Scale along the axes; the normals are scaled by the inverse."""
    x, y, z = (value / (max(map(abs, scale)) or 1.0) for value in scale)
    normals = surface.normals * (y * z, x * z, x * y)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 0, normals / np.where(length > 0, length, 1.0), surface.normals)
    return Tessellation(surface.vertices * scale, normals, surface.faces, surface.uvs)


# ------------------------------------------------------------------------------------------------------ round shapes


def _turned(profile: Sequence[tuple[float, float, float, float]], around: int) -> Tessellation:
    """Revolve a profile of (radius, z, outward and upward component of the normal), from bottom to top, about z."""
    rows = np.array(profile)
    count = len(rows)
    angle = np.linspace(0.0, math.tau, around + 1)
    cosine, sine = np.cos(angle), np.sin(angle)
    cosine[-1], sine[-1] = cosine[0], sine[0]
    vertices = _around(rows[:, 0], rows[:, 1], cosine, sine)
    normals = _around(rows[:, 2], rows[:, 3], cosine, sine)
    along = np.append(0.0, np.cumsum(np.hypot(np.diff(rows[:, 0]), np.diff(rows[:, 1]))))
    up = along / along[-1] if along[-1] > 0 else np.linspace(0.0, 1.0, count)
    uvs = np.stack(np.broadcast_arrays(angle / math.tau, up[:, None]), axis=-1).reshape(-1, 2)
    return Tessellation(vertices, normals, _grid(count, around, rows[:, 0] == 0.0), uvs)


def _around(radius: Floats, z: Floats, cosine: Floats, sine: Floats) -> Floats:
    points = np.broadcast_arrays(radius[:, None] * cosine, radius[:, None] * sine, z[:, None])
    found: Floats = np.stack(points, axis=-1).reshape(-1, 3)
    return found


def _grid(rows: int, columns: int, point: Ints | None = None) -> Ints:
    """Return two triangles per cell of a grid of (rows, columns + 1) points; one where a row is a single point."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    a = row * (columns + 1) + column
    b, d = a + 1, a + columns + 1
    c = d + 1
    lower, upper = np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)
    if point is None:
        return np.stack([lower, upper], axis=2).reshape(-1, 3)
    return np.concatenate([lower[~point[:-1]].reshape(-1, 3), upper[~point[1:]].reshape(-1, 3)])


def _arc(around: int, split: bool = False) -> list[tuple[float, float]]:
    """Return points of the half circle from the lower pole to the upper one; split: include the equator twice."""
    half = max(around // 4, 1)
    quarter = [(math.cos(angle), math.sin(angle)) for angle in (math.pi / 2 * i / half for i in range(1, half))]
    upper = [*quarter, (0.0, 1.0)]
    lower = [(a, -b) for a, b in reversed(upper)]
    return [*lower, (1.0, -0.0), *([(1.0, 0.0)] if split else []), *upper]


def _ball(around: int) -> Tessellation:
    return _turned([(a, b, a, b) for a, b in _arc(around)], around)


def _disk(radius: float, z: float, up: float, around: int) -> Tessellation:
    """Return a fan about its centre, facing up (1) or down (-1)."""
    angle = np.arange(around) * (math.tau / around)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    plane = np.concatenate([[[0.0, 0.0]], circle])
    vertices = np.column_stack([plane * radius, np.full(around + 1, z)])
    first = np.arange(1, around + 1)
    other = np.roll(first, -1)
    faces = np.stack([np.zeros_like(first), *((first, other) if up > 0 else (other, first))], axis=1)
    return Tessellation(vertices, np.tile((0.0, 0.0, up), (around + 1, 1)), faces, (plane * (1.0, up) + 1.0) / 2)


# ------------------------------------------------------------------------------------------------------- flat shapes


def _square() -> Floats:
    """Return (4, 2) corners, counterclockwise."""
    return np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def _box(size: Vec3) -> Tessellation:
    """Return six squares, each with the whole image, upright on the four vertical ones."""
    vertices, normals, square = [], [], _square()
    sides = (  # directions to the right and up, as seen from outside
        ((0, 1, 0), (0, 0, 1)),
        ((0, -1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 1, 0)),
        ((1, 0, 0), (0, -1, 0)),
    )
    for right, up in sides:
        out = np.cross(right, up)
        vertices.append((square @ np.array([right, up]) + out) * np.array(size) / 2)
        normals.append(np.tile(out.astype(np.float64), (4, 1)))
    return Tessellation(
        np.concatenate(vertices), np.concatenate(normals), _quads(6), np.tile((square + 1.0) / 2, (6, 1))
    )


def _quads(count: int) -> Ints:
    """Return two triangles for every four points."""
    found: Ints = (4 * np.arange(count)[:, None, None] + np.array([(0, 1, 2), (0, 2, 3)])).reshape(-1, 3)
    return found


def _plane(normal: Vec3, x: float, y: float) -> Tessellation:
    turn, square = matrix(from_z_to(normal)) if any(normal) else np.eye(3), _square()
    vertices = np.column_stack([square * (x / 2, y / 2), np.zeros(4)]) @ turn.T
    return Tessellation(vertices, np.tile(turn[:, 2], (4, 1)), _quads(1), (square + 1.0) / 2)


def _extruded(points: Sequence[Vec2], height: float) -> Tessellation:
    """Extrude an outline of either orientation from z = 0 to z = height."""
    outline = _outline(points, height)
    if len(outline) < 3:
        nothing = np.zeros((0, 3))
        return Tessellation(nothing, nothing, np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2)))
    count, upwards = len(outline), math.copysign(1.0, height)
    span = np.ptp(outline, axis=0)
    flat = (outline - outline.min(axis=0)) / np.where(span > 0, span, 1.0)
    ears = _ears(outline if height >= 0 else outline * (1.0, -1.0))
    caps = [
        Tessellation(
            np.column_stack([outline, np.full(count, z)]),
            np.tile((0.0, 0.0, upwards * way), (count, 1)),
            ears if way > 0 else ears[:, ::-1],
            flat,
        )
        for z, way in ((0.0, -1.0), (height, 1.0))
    ]
    return _joined(*caps, _walls(outline, height))


def _outline(points: Sequence[Vec2], height: float) -> Floats:
    """Return the corners (n, 2) without consecutive duplicates, counterclockwise seen from the end of height."""
    outline = np.array(points, dtype=np.float64).reshape(-1, 2)
    if len(outline):
        outline = outline[np.any(outline != np.roll(outline, 1, axis=0), axis=1)]
    following = np.roll(outline, -1, axis=0)
    turning = float((outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0]).sum())
    return outline[::-1] if turning * height < 0 else outline


def _walls(outline: Floats, height: float) -> Tessellation:
    """Return a quad for each edge of an outline; u goes around it once."""
    count, following = len(outline), np.roll(outline, -1, axis=0)
    low, high = np.zeros((count, 1)), np.full((count, 1), height)
    wall = np.stack(
        [np.hstack([p, z]) for p, z in ((outline, low), (following, low), (following, high), (outline, high))], axis=1
    )
    edge = following - outline
    outward = np.column_stack([edge[:, 1], -edge[:, 0], np.zeros(count)]) / np.linalg.norm(edge, axis=1, keepdims=True)
    outward = outward * math.copysign(1.0, height)
    around = np.append(0.0, np.cumsum(np.linalg.norm(edge, axis=1)))
    around /= around[-1]
    left, right, zero, one = around[:-1], around[1:], np.zeros(count), np.ones(count)
    uvs = np.stack([np.stack([left, right, right, left], axis=1), np.stack([zero, zero, one, one], axis=1)], axis=2)
    return Tessellation(wall.reshape(-1, 3), np.repeat(outward, 4, axis=0), _quads(count), uvs.reshape(-1, 2))


def triangles(outline: Sequence[Vec2]) -> list[tuple[int, int, int]]:
    """Return the triangles of a simple counterclockwise polygon, as indices of its corners."""
    return [(a, b, c) for a, b, c in _ears(np.array(outline, dtype=np.float64).reshape(-1, 2)).tolist()]


def _ears(outline: Floats) -> Ints:
    """Triangulate a simple counterclockwise polygon by ear clipping; a fan if it is not simple.

    Only a reflex corner can be inside the triangle of a corner and keep it from being an ear (Meisters' two ears
    theorem); the one found is remembered until it becomes convex, or the corner gets another neighbour.
    """
    left = list(range(len(outline)))
    inward = _side(np.roll(outline, 1, axis=0), outline, np.roll(outline, -1, axis=0)) <= 0
    blocked: dict[int, int] = {}
    faces: list[tuple[int, int, int]] = []
    rightwards = np.argsort(outline[:, 0], kind="stable")
    sorted_x, abscissa = outline[rightwards, 0], outline[:, 0].tolist()
    at, misses = 0, 0
    while len(left) > 3 and misses < len(left):
        before, here, after = (left[(at + step) % len(left)] for step in (-1, 0, 1))
        if inward[here] or (here in blocked and inward[blocked[here]]):
            at, misses = (at + 1) % len(left), misses + 1
            continue
        x = abscissa[before], abscissa[here], abscissa[after]
        nearby = rightwards[sorted_x.searchsorted(min(x)) : sorted_x.searchsorted(max(x), "right")]
        within = _within(outline, (before, here, after), nearby[inward[nearby]])
        if len(within):
            blocked[here] = int(within[0])
            continue
        faces.append((before, here, after))
        left.pop(at)
        at, misses = at % len(left), 0
        for place in (at - 1, at):
            corner, following = left[place], left[(place + 1) % len(left)]
            inward[corner] = _side(outline[left[place - 1]], outline[corner], outline[following]) <= 0
            blocked.pop(corner, None)
    faces += [(left[0], one, other) for one, other in pairwise(left[1:])]
    return np.array(faces, dtype=np.int64)


def _within(outline: Floats, corners: tuple[int, int, int], others: Ints) -> Ints:
    """Return the others that are inside a triangle or on its edges, except those that coincide with a corner of it."""
    a, b, c = outline[list(corners)]
    points = outline[others]
    within = (_side(a, b, points) >= 0) & (_side(b, c, points) >= 0) & (_side(c, a, points) >= 0)
    touching = (points == a).all(axis=1) | (points == b).all(axis=1) | (points == c).all(axis=1)
    found: Ints = others[within & ~touching]
    return found


def _side(a: Floats, b: Floats, points: Floats) -> Floats:
    """Return a value that is positive where points are to the left of the line from a to b."""
    found: Floats = (b[..., 0] - a[..., 0]) * (points[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        points[..., 0] - a[..., 0]
    )
    return found


def _field(heights: Floats, size: Vec3, base: float) -> Tessellation:
    """Return the ground, and with a base also four skirts and a floor."""
    step = max(1, math.ceil((max(heights.shape) - 1) / FINEST))
    some = np.asarray(heights, dtype=np.float64)[::step, ::step]
    if min(some.shape) < 2:
        some = np.full((2, 2), float(some.flat[0]) if some.size else 0.0)
    rows, columns = some.shape
    x, y = np.linspace(-size[0] / 2, size[0] / 2, columns), np.linspace(-size[1] / 2, size[1] / 2, rows)
    z = some * size[2]
    across, down = np.meshgrid(x, y)
    vertices = np.stack([across, down, z], axis=-1)
    slopes = np.gradient(z, *[axis if np.ptp(axis) > 0 else np.arange(len(axis)) for axis in (y, x)])
    normals = np.stack([-slopes[1], -slopes[0], np.ones_like(z)], axis=-1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    u, v = np.meshgrid(np.linspace(0.0, 1.0, columns), np.linspace(0.0, 1.0, rows))
    ground = Tessellation(
        vertices.reshape(-1, 3), normals, _grid(rows, columns - 1), np.stack([u, v], axis=-1).reshape(-1, 2)
    )
    if base <= 0:
        return ground
    edges = (
        (vertices[0], (0.0, -1.0, 0.0)),
        (vertices[:, -1], (1.0, 0.0, 0.0)),
        (vertices[-1, ::-1], (0.0, 1.0, 0.0)),
        (vertices[::-1, 0], (-1.0, 0.0, 0.0)),
    )
    skirts = [_skirt(edge, normal, -base) for edge, normal in edges]
    floor = _plane((0.0, 0.0, -1.0), size[0], size[1])
    return _joined(
        ground, *skirts, Tessellation(floor.vertices - (0.0, 0.0, base), floor.normals, floor.faces, floor.uvs)
    )


def _skirt(edge: Floats, normal: Vec3, low: float) -> Tessellation:
    count = len(edge)
    below = np.column_stack([edge[:, :2], np.full(count, low)])
    u = np.linspace(0.0, 1.0, count)
    uvs = np.concatenate([np.column_stack([u, np.zeros(count)]), np.column_stack([u, np.ones(count)])])
    return Tessellation(np.concatenate([below, edge]), np.tile(normal, (2 * count, 1)), _grid(2, count - 1), uvs)
