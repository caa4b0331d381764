"""Images as arrays: of any mode, reduced in size, and the heights that they encode."""

from __future__ import annotations

import math
from io import BytesIO
from pathlib import Path

from converters.assets import inside
from converters.assets.meshes.obj_text import obj_text
from converters.assets.meshes.parts import MeshPart
from converters.assets.tessellate import FINEST, tessellate
from converters.assets.textures import PIXELS, as_8_bit, content, decode_image, grey
from converters.context import InputError
from ir.arrays import Array, Floats, np
from ir.types import Asset, HeightField

MOST = 257
"""Most points along an edge of a height field that is converted to a mesh."""


def heights(asset: Asset | None) -> Floats:
    """The grid (rows, columns) of a height field in [0, 1], rows from -y to +y. Raises InputError where there is no
    image to read."""
    if asset is None or asset.file is None:
        raise InputError(asset.rule if asset is not None and asset.rule else "its file was not found")
    grid = open_image(inside.picture(asset), asset.uri, "L", FINEST)[::-1].astype(np.float64)
    span = float(np.ptp(grid)) if grid.size and np.isfinite(grid).all() else 0.0
    return (grid - grid.min()) / span if span else np.zeros((2, 2))


def field_mesh(grid: Floats, shape: HeightField) -> bytes:
    """A field (rows, columns), rows from -y to +y, as OBJ: of a fine grid every second, third ... row and column, and
    the last ones."""
    rows, columns = (np.unique(np.linspace(0, count - 1, min(count, MOST)).round().astype(int)) for count in grid.shape)
    coarse = grid[np.ix_(rows, columns)]
    span = float(np.ptp(grid))
    surface = tessellate(shape, heights=(coarse - grid.min()) / span if span else np.zeros_like(coarse))
    return obj_text(MeshPart(name=shape.asset, vertices=surface.vertices, faces=surface.faces))


def terrain(asset: Asset) -> bytes | None:
    """Return the height field of an image as Gazebo needs it (square_image); None where the image already is one.
    Raises InputError.

    Heights are stretched to the full range of the field, as MuJoCo does with any image.
    """
    with decode_image(content(inside.picture(asset), asset.uri), asset.uri) as image:
        width, height = image.size
        grid = np.array(grey(image), dtype=np.float64)
    low, span = float(grid.min()), float(np.ptp(grid))
    if width == height and width == side(width) and not (low and span):
        return None
    if min(width, height) < 2 or not np.isfinite(grid).all():
        raise InputError(f"{asset.uri}: a height field needs at least two rows and two columns")
    return square_image((grid - low) / span if span else np.zeros_like(grid))


def grey_values(asset: Asset) -> Floats | None:
    """The grey values (rows, columns) of an image, rows from -y to +y; None for what has no file, or is no image."""
    if asset.file is None:
        return None
    try:
        with decode_image(content(inside.picture(asset), asset.uri), asset.uri) as image:
            return np.asarray(grey(image), dtype=np.float64)[::-1]
    except InputError:
        return None


def side(longest: int) -> int:
    """Return the smallest 2^n + 1 that is at least this number of points."""
    return (1 << max(1, math.ceil(math.log2(max(longest - 1, 1))))) + 1


def square_image(grid: Floats) -> bytes:
    """A grid (rows, columns) in [0, 1] as a grey PNG of 16 bits, square with 2^n + 1 pixels a side, as terrains of
    Gazebo are.

    Raises InputError where that is too large.
    """
    from PIL import Image

    many = side(max(grid.shape))
    if many**2 > PIXELS:
        raise InputError(f"a square of {many} x {many} heights has more than {PIXELS}")
    for axis in (0, 1):
        if grid.shape[axis] != many:
            at = np.linspace(0, grid.shape[axis] - 1, many)
            below = np.minimum(at.astype(np.int64), grid.shape[axis] - 2)
            share = (at - below).reshape((-1, 1) if axis == 0 else (1, -1))
            low, high = np.take(grid, below, axis), np.take(grid, below + 1, axis)
            grid = low * (1 - share) + high * share
    buffer = BytesIO()
    Image.fromarray(np.round(grid * 65535).astype(np.uint16)).save(buffer, "PNG")
    return buffer.getvalue()


def open_image(picture: Path | bytes, name: str, mode: str, finest: int) -> Array:
    """The pixels (rows, columns), or (rows, columns, bands), of an image in a mode of Pillow, no longer than finest on
    an edge. Raises InputError."""
    with decode_image(content(picture, name), name) as image:
        image.draft("RGB", (finest, finest))
        made = grey(image) if mode == "L" else as_8_bit(image, mode)
        made.thumbnail((finest, finest))
        return np.array(made)
