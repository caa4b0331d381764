"""Conversion between display (sRGB) and linear colours (3.9.2)."""

from __future__ import annotations

from ir.arrays import Floats, np
from ir.types import Vec3

STEEP, OFFSET, GAMMA = 12.92, 0.055, 2.4
"""Parameters of the curve of IEC 61966-2-1: linear for dark values, an offset power law above."""
DARK, DIM = 0.04045, 0.0031308
"""End of the linear part, as a display value and as a linear value."""


def to_linear(colour: tuple[float, ...], most: float = 1.0) -> Vec3:
    """Linear values of display (sRGB) values, clamped to [0, most] (IEC 61966-2-1, continued above 1)."""
    red, green, blue = (_linear(min(max(value, 0.0), most)) for value in colour)
    return red, green, blue


def _linear(value: float) -> float:
    return float(value / STEEP if value <= DARK else ((value + OFFSET) / (1.0 + OFFSET)) ** GAMMA)


def to_display(colour: tuple[float, ...], most: float = 1.0) -> Vec3:
    """Display values of linear values, clamped to [0, most] and rounded so that a round trip preserves them."""
    red, green, blue = (round(_display(min(max(value, 0.0), most)), 12) for value in colour)
    return red, green, blue


def _display(value: float) -> float:
    return float(value * STEEP if value <= DIM else (1.0 + OFFSET) * value ** (1 / GAMMA) - OFFSET)


def linear_array(colours: Floats) -> Floats:
    """Convert display values in [0, 1] (…, 3 or 4) to linear ones; a fourth component is alpha, unchanged."""
    found = colours.copy()
    rgb = colours[..., :3]
    found[..., :3] = np.where(rgb <= DARK, rgb / STEEP, ((rgb + OFFSET) / (1.0 + OFFSET)) ** GAMMA)
    return found


def display_array(colours: Floats) -> Floats:
    """Convert rows of linear values (n, 3 or 4) to display values in [0, 1]; a fourth column is alpha, unchanged."""
    found = np.clip(colours, 0.0, 1.0)
    rgb = found[:, :3]
    found[:, :3] = np.where(rgb <= DIM, rgb * STEEP, (1.0 + OFFSET) * rgb ** (1 / GAMMA) - OFFSET)
    return found
