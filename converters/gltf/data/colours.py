"""Display (sRGB) colours as linear ones, and back (3.9.2)."""

from __future__ import annotations

from ir.types import Vec3


def linear(colour: tuple[float, ...], most: float = 1.0) -> Vec3:
    """Linear values of display (sRGB) ones between 0 and most (IEC 61966-2-1; beyond 1 its curve goes on)."""
    red, green, blue = (_linear(min(max(value, 0.0), most)) for value in colour)
    return red, green, blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


def display(colour: tuple[float, ...], most: float = 1.0) -> Vec3:
    """Display values of linear ones between 0 and most, rounded to what survives the way there and back."""
    red, green, blue = (round(_display(min(max(value, 0.0), most)), 12) for value in colour)
    return red, green, blue


def _display(value: float) -> float:
    return float(value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)
