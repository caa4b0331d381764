"""The transforms of a node of COLLADA, as matrices (4, 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from converters.assets.meshes.numerals import numbers
from ir.arrays import Floats, np


def transform(step: Any, lost: list[str]) -> Floats:
    """Return the matrix (4, 4) of an element of STEPS; lost records numbers that it has too many.

    Raises ValueError for too few numbers, or words that are none.
    """
    values, (width, matrix_of) = numbers(step.text), STEPS[step.tag]
    if len(values) > width:
        lost.append(f"{len(values) - width} numbers too many in a <{step.tag}>")
    if len(values) < width or not np.isfinite(values).all():
        raise ValueError(f"a <{step.tag}> does not have {width} finite numbers")
    return matrix_of(values[:width])


def _translate(values: Floats) -> Floats:
    matrix = np.eye(4)
    matrix[:3, 3] = values
    return matrix


def _scale(values: Floats) -> Floats:
    return np.diag([*values, 1.0])


def _rotate(values: Floats) -> Floats:
    """Rotation by axis x y z and degrees; identity for a zero axis or angle (Blender writes zeros for each axis)."""
    length = float(np.linalg.norm(values[:3]))
    matrix = np.eye(4)
    if length == 0 or values[3] == 0:
        return matrix
    x, y, z = values[:3] / length
    angle = np.radians(values[3])
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix[:3, :3] = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def _look_at(values: Floats) -> Floats:
    """Frame from eye, point of interest and up vector that looks along -z."""
    eye, target, up = values.reshape(3, 3)
    back = (eye - target) / np.linalg.norm(eye - target)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([right, np.cross(back, right), back, eye])
    return matrix


class _Step(NamedTuple):
    """How many numbers a transform has, and its matrix."""

    width: int
    matrix: Callable[[Floats], Floats]


STEPS = {
    "matrix": _Step(16, lambda values: values.reshape(4, 4)),
    "translate": _Step(3, _translate),
    "scale": _Step(3, _scale),
    "rotate": _Step(4, _rotate),
    "lookat": _Step(9, _look_at),
}
