"""The properties of a mesh file that are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Colour = tuple[float, ...]


@dataclass(frozen=True)
class MeshFile:
    """points (n, 3) in metres are the corners that faces use. colours: rgb of each used material without a texture.
    problem: why it could not be read."""

    triangles: int = 0
    points: np.ndarray | None = None
    colours: tuple[Colour, ...] = ()
    textured: bool = False
    problem: str | None = None


def touched(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return the points (n, 3) that face corners use, in their order; sorting the corners takes ten times as long."""
    used = np.zeros(len(points), bool)
    used[corners] = True
    return points[used]
