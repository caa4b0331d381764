"""What is asked of a mesh file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Colour = tuple[float, ...]


@dataclass(frozen=True)
class MeshFile:
    """points (n, 3) in metres are the corners that faces use. colours: rgb of each material in use that has no texture.
    problem: why it could not be read."""

    triangles: int = 0
    points: np.ndarray | None = None
    colours: tuple[Colour, ...] = ()
    textured: bool = False
    problem: str | None = None


def touched(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The points (n, 3) that corners of faces name, in their order; sorting the corners takes ten times as long."""
    used = np.zeros(len(points), bool)
    used[corners] = True
    return points[used]
