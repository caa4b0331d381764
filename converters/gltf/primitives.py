"""Triangles of a primitive, whatever its mode (3.7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from converters.gltf.accessors import Accessors
from converters.source.json import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRIANGLES, STRIP, FAN = 4, 5, 6
NO_FACES = np.zeros((0, 3), dtype=np.int64)


def triangles(node: Node, accessors: Accessors) -> tuple[NDArray[Any], NDArray[Any]]:
    """Positions (n, 3) and faces (m, 3) of a primitive; no faces for points and lines.

    Raises InputError for indices that lead nowhere and for positions that are none.
    """
    attributes = node.child("attributes")
    number = attributes.index("POSITION", len(accessors.nodes)) if attributes is not None else None
    mode = node.integer("mode", 0, 6)
    if number is None:
        return np.zeros((0, 3)), NO_FACES
    positions = accessors.array(number)
    if positions.shape[1] != 3:
        raise node.fail("attributes", "has positions that are no vectors of three")
    which = node.index("indices", len(accessors.nodes))
    corners = accessors.array(which)[:, 0] if which is not None else np.arange(len(positions))
    if corners.dtype.kind not in "ui" or (len(corners) and int(corners.max()) >= len(positions)):
        raise node.fail("indices", f"must be whole numbers below {len(positions)}")
    return positions, faces(corners.astype(np.int64), TRIANGLES if mode is None else mode)


def faces(corners: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
    """Triangles (m, 3) of vertex numbers in order; corners that make no whole triangle are left over."""
    if mode == TRIANGLES:
        return corners[: len(corners) - len(corners) % 3].reshape(-1, 3)
    if mode not in (STRIP, FAN) or len(corners) < 3:
        return NO_FACES
    if mode == FAN:
        return np.stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]], axis=1)
    strip = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
    strip[1::2] = strip[1::2][:, [1, 0, 2]]
    return strip
