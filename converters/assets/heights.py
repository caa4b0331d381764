"""Images as numbers: of any mode, made small enough, and the heights that they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from converters.assets import inside
from converters.assets.tessellate import FINEST
from converters.assets.textures import content, decoded, grey
from converters.context import InputError
from ir.types import Asset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from converters.assets.parts import Floats


def heights(asset: Asset | None) -> Floats:
    """The grid of a height field in [0, 1], rows from -y to +y. Raises InputError where there is no image to read."""
    if asset is None or asset.file is None:
        raise InputError(asset.rule if asset is not None and asset.rule else "its file was not found")
    grid = opened(inside.picture(asset), asset.uri, "L", FINEST)[::-1].astype(np.float64)
    span = float(np.ptp(grid)) if grid.size and np.isfinite(grid).all() else 0.0
    return (grid - grid.min()) / span if span else np.zeros((2, 2))


def opened(picture: Path | bytes, name: str, mode: str, finest: int) -> NDArray[Any]:
    """An image file in a mode of Pillow, no longer than finest on an edge. Raises InputError."""
    with decoded(content(picture, name), name) as image:
        image.draft("RGB", (finest, finest))
        made = grey(image) if mode == "L" else image.convert(mode)
        made.thumbnail((finest, finest))
        return np.array(made)
