"""Geometry without a file as arrays: meshes of vertices or builtin names, and height fields of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from converters.mjcf.assets.builtin import MAKERS, whole
from converters.source.text import counted, plain_numbers, so_many_numbers
from ir.arrays import Floats, Ints, np
from ir.types import Asset

MOST_CORNERS = 5000
"""Maximum number of vertices of a mesh without faces, for which the convex hull is computed."""
MOST_HEIGHTS = 1 << 22
"""Maximum number of values of a height field that is converted to an image."""


def with_content(asset: Asset, content: bytes) -> Asset:
    """Return an asset with generated content instead of a file."""
    return replace(asset, made=content, file=asset.source.file if asset.source is not None else asset.name)


def is_shell(said: Mapping[str, str]) -> bool:
    """Whether this is a mesh without a volume, whose default inertia is that of a shell."""
    flat = said.get("builtin") in ("square", "disc", "plate")
    return flat or ("builtin" in said and counted(said.get("params"))[6:] == (2.0,))


def inline(said: Mapping[str, str]) -> tuple[Floats, Ints] | None:
    """Return vertices (n, 3) and faces (m, 3) of a mesh without a file, from its attributes; no faces: hull is meant.

    Return None for an unknown builtin mesh or for numbers that MuJoCo refuses.
    """
    if "builtin" in said:
        params = counted(said.get("params"))
        maker = MAKERS.get(said["builtin"])
        found = maker(params) if maker is not None and all(map(math.isfinite, params)) else None
        return found if found is None or len(found[0]) else None
    vertices, faces = plain_numbers(said.get("vertex", "")), counted(said.get("face"))
    if not vertices or len(vertices) % 3 or len(faces) % 3:
        return None
    points, triangles = np.array(vertices).reshape(-1, 3), np.array(faces).reshape(-1, 3)
    if not np.isfinite(points).all() or (not triangles.size and len(points) > MOST_CORNERS):
        return None
    inside = not triangles.size or (triangles.min() >= 0 and triangles.max() < len(points))
    return (points, triangles.astype(np.int64)) if inside else None


def texcoords(said: Mapping[str, str], count: int) -> Floats | None:
    """Return texture coordinates (n, 2) of `count` vertices, with v from the lower edge of the image; None if there are
    none. MuJoCo measures v from the upper edge."""
    values = counted(said.get("texcoord"))
    if "builtin" in said or len(values) != 2 * count or not all(map(math.isfinite, values)):
        return None
    found: Floats = np.array(values).reshape(-1, 2)
    found[:, 1] = 1.0 - found[:, 1]
    return found


def corners(file: str | None) -> Floats | None:
    """Return the vertices (n, 3) of an OBJ file without faces, whose hull is meant; None for every other file."""
    if file is None or not file.lower().endswith(".obj"):
        return None
    data = Path(file).read_bytes()
    if b"\nf " in data or b"\nf\t" in data or data.startswith((b"f ", b"f\t")):
        return None
    lines = [line.split()[1:4] for line in data.splitlines() if line.startswith((b"v ", b"v\t"))]
    try:
        points = np.array(lines, np.float64).reshape(-1, 3)
    except ValueError:
        return None
    return points if 0 < len(points) <= MOST_CORNERS and np.isfinite(points).all() else None


# ---------------------------------------------------------------------------------------------------- height fields


def heights(said: Mapping[str, str], file: str | None) -> Floats | None:
    """The grid (rows, columns) of a height field, first row at the far side (+y), between 0 and 1; None for an image.

    file: of the custom binary format, two whole numbers and then single-precision ones from the near side on.
    """
    if file is not None and file.lower().endswith(".png"):
        return None
    if file is not None:
        grid = _binary_heights(Path(file))
        if grid is None:
            return None
    else:
        counts = [
            whole(float(said.get(name, "0")), 2, 1 << 20) if _is_one_number(said.get(name)) else None for name in SIDES
        ]
        rows, columns = counts
        if rows is None or columns is None or rows * columns > MOST_HEIGHTS:
            return None
        values = counted(said.get("elevation"))
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


def exact(said: Mapping[str, str], image: bytes) -> bool:
    """Whether an image contains the heights that the numbers give; a flat field equals one with any grid."""
    from converters.assets.textures import decode_image

    grid = heights(said, None)
    if grid is None:
        return False
    with decode_image(image, "heights") as opened:
        shades = np.asarray(opened, dtype=np.float64) / WHITE
    same: bool = not grid.any() or (shades.shape == grid.shape and np.allclose(shades, grid, rtol=0, atol=LEAST))
    return same


WHITE = 65535
LEAST = 1e-7
"""Tolerance of heights between 0 and 1: MuJoCo stores them in single precision."""
SIDES = ("nrow", "ncol")


def _is_one_number(text: str | None) -> bool:
    return so_many_numbers(text, 1) is not None


def _binary_heights(path: Path) -> Floats | None:
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
    grid: Floats = np.frombuffer(data[8:], "<f4").astype(np.float64).reshape(rows, columns)[::-1]
    return grid


def parts_of_first_object(asset: Asset, count: int) -> int:
    """Return how many parts of a mesh file belong to its first object: MuJoCo reads only its faces from an OBJ."""
    if count < 2 or not (asset.file or "").lower().endswith(".obj"):
        return count
    from converters.assets.inside import mesh

    names = [part.name for part in mesh(asset).parts]
    return next((place for place, name in enumerate(names) if name != names[0]), count)
