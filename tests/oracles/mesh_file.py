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
