"""Inertia that MuJoCo infers from geoms, by its own rules (user_objects.cc, user_mesh.cc): shells and meshes."""

from __future__ import annotations

import math
from typing import Any

from ir.arrays import Floats, Ints, column_bounds, np
from ir.inertia import second_moments, tensor_of
from ir.pose import from_matrix
from ir.types import Box, Capsule, Cylinder, Ellipsoid, Pose, Shape, Sphere, Tensor, Vec3

THOMSEN = 1.6075
"""Exponent of Thomsen's approximation of the surface area of an ellipsoid."""
THIN = 1e-6
"""Thickness in metres of the shell that is used for the surface of an ellipsoid."""


def of_shell(shape: Shape) -> tuple[float, Vec3] | None:
    """Return the area, and the moments for 1 kg, of a shell of uniform thickness; None for shapes without one."""
    match shape:
        case Sphere(radius=r):
            moment = 2 / 3 * r * r
            return 4 * math.pi * r * r, (moment, moment, moment)
        case Box(size=(x, y, z)):
            return _box(x / 2, y / 2, z / 2)
        case Cylinder(radius=r, length=h):
            discs, tube = 2 * math.pi * r * r, 2 * math.pi * r * h
            across = discs * (r * r / 4 + h * h / 4) + tube * (r * r / 2 + h * h / 12)
            return _per_kilogram(discs + tube, across, across, discs * r * r / 2 + tube * r * r)
        case Capsule(radius=r, length=h):
            caps, tube = 4 * math.pi * r * r, 2 * math.pi * r * h
            across = caps * (5 / 12 * r * r + (h / 2 + r / 2) ** 2) + tube * (r * r / 2 + h * h / 12)
            return _per_kilogram(caps + tube, across, across, caps * 2 / 3 * r * r + tube * r * r)
        case Ellipsoid(radii=(a, b, c)):
            p = THOMSEN
            area = 4 * math.pi * (((a * b) ** p + (b * c) ** p + (c * a) ** p) / 3) ** (1 / p)
            moments = _hollow(a, b, c)
            return (area, moments) if moments is not None else None
    return None


def _per_kilogram(area: float, a: float, b: float, c: float) -> tuple[float, Vec3]:
    return (area, (a / area, b / area, c / area)) if area > 0 else (0.0, (0.0, 0.0, 0.0))


def _box(a: float, b: float, c: float) -> tuple[float, Vec3]:
    """Return the area and moments of a shell of six plates, from half edge lengths."""
    x, y, z = 8 * b * c, 8 * a * c, 8 * a * b
    aa, bb, cc = a * a, b * b, c * c
    return _per_kilogram(
        x + y + z,
        x * (bb + cc) / 3 + y * (cc / 3 + bb) + z * (bb / 3 + cc),
        x * (cc / 3 + aa) + y * (aa + cc) / 3 + z * (aa / 3 + cc),
        x * (bb / 3 + aa) + y * (aa / 3 + bb) + z * (aa + bb) / 3,
    )


def _hollow(a: float, b: float, c: float) -> Vec3 | None:
    """Return the moments for 1 kg of the difference of two ellipsoids; None if too large for double precision."""
    outer, inner = [(r + THIN) for r in (a, b, c)], [a, b, c]

    def moments(radii: list[float]) -> tuple[float, list[float]]:
        volume = math.prod(radii)
        x, y, z = (r * r for r in radii)
        return volume, [volume * (y + z) / 5, volume * (x + z) / 5, volume * (x + y) / 5]

    (big, more), (small, less) = moments(outer), moments(inner)
    if big == small:
        return None
    first, second, third = ((m - n) / (big - small) for m, n in zip(more, less, strict=True))
    return first, second, third


# -------------------------------------------------------------------------------------------------------------- meshes


def mujoco_moments(points: Floats, faces: Ints, mode: str) -> tuple[float, Vec3, Tensor] | None:
    """Return the volume (area of a shell), centre, and the tensor about it at a density of 1.

    points (n, 3) in metres, faces (m, 3). The mode legacy takes the volume of every pyramid over a face as positive,
    convex and exact with their signs. None for a mesh without a volume or area.
    """
    corners = points[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(across, axis=1) / 2
    if not areas.sum() > 0:
        return None
    middle = areas @ corners.mean(axis=1) / areas.sum()
    if mode == "shell":
        weights, centre, share = areas, middle, 12.0
    else:
        weights = _tetrahedron_volumes(corners - middle, mode)
        if weights.sum() == 0:
            return None
        centre = middle + weights @ (corners - middle).sum(axis=1) / (4 * weights.sum())
        weights, share = _tetrahedron_volumes(corners - centre, mode), 20.0
        if weights.sum() == 0:  # the volume was only a rounding error
            return None
    moved = corners - centre
    second = second_moments(moved, moved.sum(axis=1), weights) / share
    whole = float(weights.sum())
    if mode != "shell" and whole < 0:
        whole, second = -whole, -second
    x, y, z = centre.tolist()
    return whole, (x, y, z), tensor_of(second)


def _tetrahedron_volumes(corners: Any, mode: str) -> Any:
    signed = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return np.abs(signed) if mode == "legacy" else signed


def fitted(points: Floats, faces: Ints, mode: str, kind: str, aabb: bool, scale: float) -> tuple[Shape, Pose] | None:
    """Return the shape of a kind that MuJoCo fits to a mesh, and its pose in the frame of the mesh.

    Its size is that of the box with the inertia of the mesh, or of the bounding box along the same axes (aabb).
    """
    found = mujoco_moments(points, faces, mode)
    if found is None:
        return None
    volume, centre, tensor = found
    axes = _axes(tensor)
    local = (points[np.unique(faces)] - np.array(centre)) @ axes
    if aabb:
        low, high = column_bounds(local)
        half = ((high - low) / 2).tolist()
        offset = axes @ ((high + low) / 2)
    else:
        moments = np.einsum("ji,jk,ki->i", axes, _tensor_matrix(tensor), axes)
        squares = 3 * (moments.sum() - 2 * moments) / (2 * volume)
        half = np.sqrt(np.maximum(squares, 0)).tolist()
        offset = np.zeros(3)
    x, y, z = (np.array(centre) + offset).tolist()
    a, b, c = half
    radius = max(a, b) if aabb else (a + b) / 2
    shape: Shape
    match kind:
        case "sphere":
            shape = Sphere(radius=scale * (max(half) if aabb else sum(half) / 3))
        case "capsule":
            length = c - radius if aabb else c - radius / 2
            shape = Capsule(radius=scale * radius, length=2 * scale * max(0.0, length))
        case "cylinder":
            shape = Cylinder(radius=scale * radius, length=2 * scale * c)
        case "ellipsoid":
            shape = Ellipsoid(radii=(scale * a, scale * b, scale * c))
        case _:
            shape = Box(size=(2 * scale * a, 2 * scale * b, 2 * scale * c))
    return shape, Pose((x, y, z), from_matrix(axes))


def _axes(tensor: Tensor) -> Any:
    """Return the principal axes as columns, the largest moment first, right-handed."""
    values, vectors = np.linalg.eigh(_tensor_matrix(tensor))
    axes = vectors[:, np.argsort(-values, kind="stable")]
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return axes


def _tensor_matrix(tensor: Tensor) -> Any:
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
