"""COLLADA: where a node stands, by each of its elements that says so, as a matrix (4, 4)."""

from __future__ import annotations

from collections.abc import Callable

from ir.arrays import Floats, np


def _translate(values: Floats) -> Floats:
    matrix = np.eye(4)
    matrix[:3, 3] = values[:3]
    return matrix


def _scale(values: Floats) -> Floats:
    return np.diag([*values[:3], 1.0])


def _rotate(values: Floats) -> Floats:
    """Axis x y z and degrees; a zero axis turns nothing, nor do no degrees, which Blender writes for each axis."""
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
    """Eye, point of interest and up, as the frame that looks along -z."""
    eye, target, up = values.reshape(3, 3)
    back = (eye - target) / np.linalg.norm(eye - target)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([right, np.cross(back, right), back, eye])
    return matrix


STEPS: dict[str, Callable[[Floats], Floats]] = {
    "matrix": lambda values: values.reshape(4, 4),
    "translate": _translate,
    "scale": _scale,
    "rotate": _rotate,
    "lookat": _look_at,
}
