"""Builtin meshes of MJCF: their vertices and faces, in the units that the MuJoCo compiler gives them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ir.arrays import Floats, Ints, np

MOST = 60
"""Maximum number of points along an edge of a builtin mesh; finer meshes are left to the MuJoCo compiler."""
GOLDEN = (1 + math.sqrt(5)) / 2
Maker = Callable[[tuple[float, ...]], "tuple[Floats, Ints] | None"]
"""Maps parameters to vertices (n, 3) and faces (m, 3), without faces where the hull is meant; None for invalid ones."""


def _points_for_hull(points: Sequence[tuple[float, float, float]]) -> tuple[Floats, Ints]:
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.zeros((0, 3), dtype=np.int64)


def whole(value: float, least: int, most: int) -> int | None:
    """The whole number that a value is, if it lies between the two; else None."""
    return int(value) if value == int(value) and least <= value <= most else None


def _count(value: float, least: int, most: int) -> int | None:
    """Return the value as an integer in the range, without its fractional part, as MuJoCo does; None outside of it."""
    return whole(float(int(value)), least, most) if math.isfinite(value) else None


def _sphere(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    """Return an icosahedron, subdivided the given number of times, with all vertices on the unit sphere."""
    times = _count(params[0], 0, 4) if len(params) == 1 else None
    if times is None:
        return None
    corners = [(a, b * GOLDEN, 0.0) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    points = np.array([corner[-turn:] + corner[:-turn] for turn in range(3) for corner in corners])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for _ in range(times):
        from ir.hull import hull

        faces = hull(points)
        edges = np.unique(
            np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1), axis=0
        )
        middles = points[edges].mean(axis=1)
        points = np.concatenate([points, middles / np.linalg.norm(middles, axis=1, keepdims=True)])
    return points, np.zeros((0, 3), dtype=np.int64)


def _hemisphere(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    """Return square rings of increasing size, projected onto the unit sphere; closed by a flat base."""
    rings = _count(params[0], 0, 10) if len(params) == 1 else None
    if rings is None:
        return None
    last = rings + 1
    points = [(0.0, 0.0, 1.0), (0.0, 0.0, 0.0)]
    for ring in range(1, last + 1):
        for step in range(ring):
            for x, y in ((ring - step, step), (-step, ring - step), (step - ring, -step), (step, step - ring)):
                length = math.sqrt(x * x + y * y + (last - ring) ** 2)
                points.append((x / length, y / length, (last - ring) / length))
    return _points_for_hull(points)


def _cone(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    count = _count(params[0], 3, 10_000) if len(params) == 2 else None
    if count is None or not 0 <= params[1] <= 1:
        return None
    circle = [(math.cos(math.tau * i / count), math.sin(math.tau * i / count)) for i in range(count)]
    above = [(params[1] * x, params[1] * y, 1.0) for x, y in circle] if params[1] > 0 else [(0.0, 0.0, 1.0)]
    return _points_for_hull([(x, y, -1.0) for x, y in circle] + above)


def _signed_power(value: float, exponent: float) -> float:
    return math.copysign(abs(value) ** exponent, value) if abs(value) > 1e-15 else 0.0


def _supersphere(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    """Return rings from pole to pole: a superellipsoid with an east-west and a north-south exponent."""
    count = _count(params[0], 3, MOST) if len(params) == 3 else None
    if count is None or min(params[1:]) < 0:
        return None
    east, north = params[1:]
    points = [(0.0, 0.0, -1.0)]
    for i in range(1, count):
        up = math.pi * i / count - math.pi / 2
        for j in range(count):
            turn = math.tau * j / count - math.pi
            wide = _signed_power(math.cos(up), north)
            points.append(
                (
                    wide * _signed_power(math.cos(turn), east),
                    wide * _signed_power(math.sin(turn), east),
                    _signed_power(math.sin(up), north),
                )
            )
    points.append((0.0, 0.0, 1.0))
    faces = []
    top, final = len(points) - 1, 1 + (count - 2) * count
    for j in range(count):
        k = (j + 1) % count
        faces += [(0, 1 + k, 1 + j), (top, final + j, final + k)]
        for i in range(count - 2):
            a, b = 1 + i * count, 1 + (i + 1) * count
            faces += [(a + j, a + k, b + k), (a + j, b + k, b + j)]
    return np.array(points), np.array(faces, dtype=np.int64)


def _supertorus(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    count = _count(params[0], 3, MOST) if len(params) == 4 else None
    if count is None or not 0 < params[1] <= 1 or min(params[2:]) <= 0:
        return None
    minor, small, large = params[1:]
    points, faces = [], []
    for i in range(count):
        around = math.tau * i / count
        x, y = _signed_power(math.cos(around), large), _signed_power(math.sin(around), large)
        for j in range(count):
            turn = math.tau * j / count
            wide = 1 + minor * _signed_power(math.cos(turn), small)
            points.append((wide * x, wide * y, minor * _signed_power(math.sin(turn), small)))
            a, b, k = i * count, (i + 1) % count * count, (j + 1) % count
            faces += [(a + j, b + j, a + k), (b + j, b + k, a + k)]
    return np.array(points), np.array(faces, dtype=np.int64)


def _midpoints(count: int) -> Floats:
    """Return the midpoints of that many equal intervals between -1 and 1."""
    return (2 * np.arange(count) + 1) / count - 1


def _foveal_midpoints(count: float, gamma: float) -> Floats:
    """As _midpoints, with the parts closer together in the middle."""
    edges = np.linspace(-1.0, 1.0, int(count) + 1)
    bent = gamma * edges**5 + (1 - gamma) * edges
    return (bent[1:] + bent[:-1]) / 2


def _wedge(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    """Return a part of the unit sphere around -z, within the given angles to both sides, along x and along y."""
    counts = [_count(value, 1, MOST) for value in params[:2]]
    if len(params) != 5 or None in counts:
        return None
    if not (0 < params[2] <= 180 and 0 < params[3] <= 90 and 0 <= params[4] <= 1):
        return None
    phi = np.radians(params[2]) * _foveal_midpoints(params[0], params[4])
    theta = np.radians(params[3]) * _foveal_midpoints(params[1], params[4])
    phi, theta = np.meshgrid(phi, theta, indexing="ij")
    points = np.stack([np.cos(theta) * np.sin(phi), np.sin(theta), -np.cos(theta) * np.cos(phi)], axis=-1)
    return points.reshape(-1, 3), np.zeros((0, 3), dtype=np.int64)


def _plate(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    counts = [_count(value, 1, MOST) for value in params]
    if len(params) != 2 or None in counts:
        return None
    x, y = np.meshgrid(_midpoints(int(params[0])), _midpoints(int(params[1])), indexing="ij")
    a, b, c, d = _cells(x.shape)
    points = np.stack([x, y, np.full_like(x, -1.0)], axis=-1).reshape(-1, 3)
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([d, c, b], axis=1)])


def _cells(shape: tuple[int, ...]) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the corners of the cells of a grid, first axis slowest: low low, high low, low high, high high."""
    number = np.arange(shape[0] * shape[1]).reshape(shape)
    corners = (number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:])
    a, b, c, d = (corner.ravel() for corner in corners)
    return a, b, c, d


def _counts(params: tuple[float, ...], flat: bool) -> list[int] | None:
    """Return the number of points along the three axes, or None if invalid; flat: one point along the last axis."""
    if len(params) not in (6, 7):
        return None
    counts = [whole(value, 2, MOST) for value in params[:2]] + [whole(params[2], *((1, 1) if flat else (2, MOST)))]
    return [count for count in counts if count is not None] if None not in counts else None


def _rounded(points: Floats, axes: int) -> Floats:
    """Map squares and boxes around the origin to circles and balls of the same extent, along the first `axes` axes."""
    part = points[:, :axes]
    length = np.linalg.norm(part, axis=1, keepdims=True)
    reach = np.abs(part).max(axis=1, keepdims=True)
    return np.hstack([np.where(length > 0, part * reach / np.where(length > 0, length, 1.0), 0.0), points[:, axes:]])


def _half_extents(params: tuple[float, ...]) -> list[float]:
    return [(count - 1) * space / 2 for count, space in zip(params[:3], params[3:6], strict=True)]


def _flat_maker(rounded: bool) -> Maker:
    """Return a maker of a square grid, or of a disc whose cells are split along the diagonals towards the centre."""

    def make(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
        counts = _counts(params, flat=True)
        if counts is None or params[6:7] not in ((), (2.0,)):
            return None
        half = _half_extents(params)
        sides = [np.linspace(-reach, reach, count) for count, reach in zip(counts[:2], half[:2], strict=True)]
        points = np.stack(np.meshgrid(*sides, [0.0], indexing="ij"), axis=-1).reshape(-1, 3)
        a, b, c, d = _cells((counts[0], counts[1]))
        one = np.stack([np.stack([a, b, d], axis=1), np.stack([a, d, c], axis=1)], axis=1)
        if not rounded:
            return points, one.reshape(-1, 3)
        other = np.stack([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)], axis=1)
        low = [np.arange(count - 1) < (count - 1) / 2 for count in counts[:2]]
        same = (low[0][:, None] == low[1][None, :]).ravel()
        faces = np.where(same[:, None, None], one, other).reshape(-1, 3)
        return _rounded(points, 2) * np.array(half), faces  # the compiler scales a disc twice

    return make


def _box_maker(rounded: int) -> Maker:
    """Return a maker of points on a box, rounded to a circle or ball along the first `rounded` axes.

    With 2 as the seventh parameter the mesh is a surface without its upper side, otherwise the hull is meant.
    """

    def make(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
        counts = _counts(params, flat=False)
        if counts is None or params[6:7] not in ((), (2.0,), (3.0,)):
            return None
        sides = [np.linspace(-1.0, 1.0, count) for count in counts]
        points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)
        faces = _open_above(counts) if params[6:7] == (2.0,) else np.zeros((0, 3), dtype=np.int64)
        kept = np.abs(points).max(axis=1) == 1.0
        if len(faces):
            kept &= np.isin(np.arange(len(points)), faces)
            faces = (np.cumsum(kept) - 1)[faces]
        points = points[kept]
        return (_rounded(points, rounded) if rounded else points) * _half_extents(params), faces

    return make


def _open_above(counts: Sequence[int]) -> Ints:
    """Return the triangles on a box of points except its upper side, as indices into the whole lattice."""
    number = np.arange(math.prod(counts)).reshape(counts)
    sides = [(number[:, :, 0], False), (number[:, 0], True), (number[:, -1], False)]
    sides += [(number[0], False), (number[-1], True)]
    found = []
    for index, (side, ahead) in enumerate(sides):
        a, b, c, d = (side.ravel()[corner] for corner in _cells(side.shape))
        if index == 0:
            found += [(a, d, b), (a, c, d)]
        else:
            found += [(a, b, d), (a, d, c)] if ahead else [(b, a, c), (b, c, d)]
    return np.concatenate([np.stack(triangle, axis=1) for triangle in found])


def _grid(params: tuple[float, ...]) -> tuple[Floats, Ints] | None:
    return _flat_maker(False)(params) if params[6:7] == (2.0,) else _box_maker(0)(params)


MAKERS: Mapping[str, Maker] = {
    "sphere": _sphere,
    "hemisphere": _hemisphere,
    "cone": _cone,
    "supersphere": _supersphere,
    "supertorus": _supertorus,
    "wedge": _wedge,
    "plate": _plate,
    "grid": _grid,
    "square": _flat_maker(False),
    "disc": _flat_maker(True),
    "box": _box_maker(0),
    "cylinder": _box_maker(2),
    "ellipsoid": _box_maker(3),
}
