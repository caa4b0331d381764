"""Geometry that stands in the document or that MuJoCo's compiler makes: meshes of vertices, of names, height fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from converters.source.text import plain_numbers

if TYPE_CHECKING:
    from converters.mjcf.inertia import Faces, Points

MOST = 60
"""Points along an edge of a mesh that the compiler makes; finer ones are left to it."""
MOST_CORNERS = 5000
"""Of a mesh that is given by its corners alone, whose hull is meant."""
MOST_HEIGHTS = 1 << 22
"""Of a height field that is made into an image."""
GOLDEN = (1 + math.sqrt(5)) / 2


def inline(said: Mapping[str, str]) -> tuple[Points, Faces] | None:
    """Vertices (n, 3) and faces (m, 3) of a mesh without a file, from its attributes; no faces where the hull is meant.

    None where there is nothing that can be made: no such mesh, or numbers that MuJoCo refuses.
    """
    import numpy as np

    if "builtin" in said:
        params = plain_numbers(said.get("params", "")) or ()
        maker = _MAKERS.get(said["builtin"])
        found = maker(params) if maker is not None and all(map(math.isfinite, params)) else None
        return found if found is None or len(found[0]) else None
    vertices, faces = plain_numbers(said.get("vertex", "")), plain_numbers(said.get("face", "")) or ()
    if not vertices or len(vertices) % 3 or len(faces) % 3:
        return None
    points, triangles = np.array(vertices).reshape(-1, 3), np.array(faces).reshape(-1, 3)
    if not np.isfinite(points).all() or (not triangles.size and len(points) > MOST_CORNERS):
        return None
    inside = not triangles.size or (triangles.min() >= 0 and triangles.max() < len(points))
    return (points, triangles.astype(np.int64)) if inside else None


# ------------------------------------------------------------------------------------------- meshes that have names


def _hulled(points: Sequence[tuple[float, float, float]]) -> tuple[Points, Faces]:
    import numpy as np

    return np.array(points, dtype=np.float64).reshape(-1, 3), np.zeros((0, 3), dtype=np.int64)


def _whole(value: float, least: int, most: int) -> int | None:
    return int(value) if value == int(value) and least <= value <= most else None


def _sphere(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
    """An icosahedron whose triangles are halved so many times, each corner on the unit sphere."""
    import numpy as np

    times = _whole(params[0], 0, 4) if len(params) == 1 else None
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


def _hemisphere(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
    """Square rings, one point wider each, thrown onto the unit sphere; closed below."""
    rings = _whole(params[0], 0, 10) if len(params) == 1 else None
    if rings is None:
        return None
    last = rings + 1
    points = [(0.0, 0.0, 1.0), (0.0, 0.0, 0.0)]
    for ring in range(1, last + 1):
        for step in range(ring):
            for x, y in ((ring - step, step), (-step, ring - step), (step - ring, -step), (step, step - ring)):
                length = math.sqrt(x * x + y * y + (last - ring) ** 2)
                points.append((x / length, y / length, (last - ring) / length))
    return _hulled(points)


def _cone(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
    count = _whole(params[0], 3, 10_000) if len(params) == 2 else None
    if count is None or not 0 <= params[1] <= 1:
        return None
    circle = [(math.cos(math.tau * i / count), math.sin(math.tau * i / count)) for i in range(count)]
    above = [(params[1] * x, params[1] * y, 1.0) for x, y in circle] if params[1] > 0 else [(0.0, 0.0, 1.0)]
    return _hulled([(x, y, -1.0) for x, y in circle] + above)


def _power(value: float, exponent: float) -> float:
    return math.copysign(abs(value) ** exponent, value) if abs(value) > 1e-15 else 0.0


def _supersphere(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
    """Rings from pole to pole: a superellipsoid with the exponents east-west and north-south."""
    import numpy as np

    count = _whole(params[0], 3, MOST) if len(params) == 3 else None
    if count is None or min(params[1:]) < 0:
        return None
    east, north = params[1:]
    points = [(0.0, 0.0, -1.0)]
    for i in range(1, count):
        up = math.pi * i / count - math.pi / 2
        for j in range(count):
            turn = math.tau * j / count - math.pi
            wide = _power(math.cos(up), north)
            points.append(
                (wide * _power(math.cos(turn), east), wide * _power(math.sin(turn), east), _power(math.sin(up), north))
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


def _supertorus(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
    import numpy as np

    count = _whole(params[0], 3, MOST) if len(params) == 4 else None
    if count is None or not 0 < params[1] <= 1 or min(params[2:]) <= 0:
        return None
    minor, small, large = params[1:]
    points, faces = [], []
    for i in range(count):
        around = math.tau * i / count
        x, y = _power(math.cos(around), large), _power(math.sin(around), large)
        for j in range(count):
            turn = math.tau * j / count
            wide = 1 + minor * _power(math.cos(turn), small)
            points.append((wide * x, wide * y, minor * _power(math.sin(turn), small)))
            a, b, k = i * count, (i + 1) % count * count, (j + 1) % count
            faces += [(a + j, b + j, a + k), (b + j, b + k, a + k)]
    return np.array(points), np.array(faces, dtype=np.int64)


def _lattice(rounded: int) -> Callable[[tuple[float, ...]], tuple[Points, Faces] | None]:
    """Points on a box; the first axes, so many, are those of a circle or a ball that the box is rounded to."""

    def make(params: tuple[float, ...]) -> tuple[Points, Faces] | None:
        import numpy as np

        if len(params) not in (6, 7) or params[6:7] == (2.0,):
            return None
        counts = [_whole(value, 2, MOST) for value in params[:3]]
        if None in counts:
            return None
        sides = [np.linspace(-1.0, 1.0, count) for count in counts if count is not None]
        points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)
        points = points[np.abs(points).max(axis=1) == 1.0]
        if rounded:
            round_part = points[:, :rounded]
            length = np.linalg.norm(round_part, axis=1, keepdims=True)
            reach = np.abs(round_part).max(axis=1, keepdims=True)
            points[:, :rounded] = np.where(length > 0, round_part * reach / np.where(length > 0, length, 1.0), 0.0)
        half = [(count - 1) * space / 2 for count, space in zip(params[:3], params[3:6], strict=True)]
        return points * half, np.zeros((0, 3), dtype=np.int64)

    return make


_MAKERS: Mapping[str, Callable[[tuple[float, ...]], tuple[Points, Faces] | None]] = {
    "sphere": _sphere,
    "hemisphere": _hemisphere,
    "cone": _cone,
    "supersphere": _supersphere,
    "supertorus": _supertorus,
    "grid": _lattice(0),
    "box": _lattice(0),
    "cylinder": _lattice(2),
    "ellipsoid": _lattice(3),
}
"""Those with a volume. A wedge, a plate and the flat ones are made for touch sensors, and have no hull."""


# ---------------------------------------------------------------------------------------------------- height fields


def heights(said: Mapping[str, str], file: str | None) -> Points | None:
    """The grid of a height field, first row at the far side (+y), between 0 and 1; None where it is an image file.

    file: of the custom binary format, two whole numbers and then single-precision ones from the near side on.
    """
    import numpy as np

    if file is not None and file.lower().endswith(".png"):
        return None
    if file is not None:
        grid = _binary(Path(file))
        if grid is None:
            return None
    else:
        counts = [_whole(float(said.get(name, "0")), 2, 1 << 20) if _plain(said.get(name)) else None for name in SIDES]
        rows, columns = counts
        if rows is None or columns is None or rows * columns > MOST_HEIGHTS:
            return None
        values = plain_numbers(said.get("elevation", "")) or ()
        if values and len(values) != rows * columns:
            return None
        grid = np.array(values or np.zeros(rows * columns)).reshape(rows, columns)
    if not np.isfinite(grid).all():
        return None
    with np.errstate(over="ignore"):
        grid = np.asarray(grid - grid.min(), dtype=np.float64)
    if not np.isfinite(grid).all():
        return None
    return grid / grid.max() if grid.max() > 0 else grid


SIDES = ("nrow", "ncol")


def _plain(text: str | None) -> bool:
    return text is not None and len(plain_numbers(text) or ()) == 1


def _binary(path: Path) -> Points | None:
    import numpy as np

    try:
        if path.stat().st_size > 4 * MOST_HEIGHTS + 8:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) < 8:
        return None
    rows, columns = (int(value) for value in np.frombuffer(data[:8], "<i4"))
    if rows < 2 or columns < 2 or len(data) != 8 + 4 * rows * columns:
        return None
    grid: Points = np.frombuffer(data[8:], "<f4").astype(np.float64).reshape(rows, columns)[::-1]
    return grid


def image(grid: Points) -> bytes:
    """A height field as a grey PNG of 16 bits, square with 2^n + 1 pixels a side, as terrains of Gazebo are."""
    from io import BytesIO

    import numpy as np
    from PIL import Image

    side = 2 ** max(1, math.ceil(math.log2(max(grid.shape) - 1))) + 1
    for axis in (0, 1):
        if grid.shape[axis] != side:
            at = np.linspace(0, grid.shape[axis] - 1, side)
            below = np.minimum(at.astype(np.int64), grid.shape[axis] - 2)
            share = (at - below).reshape((-1, 1) if axis == 0 else (1, -1))
            low, high = np.take(grid, below, axis), np.take(grid, below + 1, axis)
            grid = low * (1 - share) + high * share
    buffer = BytesIO()
    Image.fromarray(np.round(grid * 65535).astype(np.uint16)).save(buffer, "PNG")
    return buffer.getvalue()
