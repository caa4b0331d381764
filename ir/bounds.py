"""Bounds of numbers (a radius must be above 0, a mass not below), and which numbers of a scene violate them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import NamedTuple

from ir.scene import Scene
from ir.types import (
    Body,
    Box,
    Camera,
    Capsule,
    Cone,
    Cylinder,
    Dof,
    Ellipsoid,
    Geom,
    HeightField,
    Inertial,
    Light,
    Mesh,
    Plane,
    Polyline,
    Source,
    Sphere,
    Stop,
    Surface,
    Value,
)

ROUNDING = 1e-9
"""Relative tolerance of a tensor: smaller violations may be caused by a rotation."""


class Beyond(NamedTuple):
    """A number out of bounds: its address, its value, and what it must be."""

    where: str
    value: object
    said: str
    source: Source | None
    grave: bool
    """Whether engines refuse it or misread it."""


class _Bound(NamedTuple):
    said: str
    grave: bool
    broken: Callable[[float], bool]


ABOVE = _Bound("has to be above 0", True, lambda value: not value > 0.0)
_LENGTH = _Bound("must not be below 0", True, lambda value: value < 0.0)
_RATE = _Bound("must not be below 0", False, lambda value: value < 0.0)
_SHARE = _Bound("has to be from 0 to 1", True, lambda value: not 0.0 <= value <= 1.0)
_FINITE = _Bound(
    "is so large that its square, which engines compute, is infinite", True, lambda value: value * value == inf
)
_OTHER = _Bound("must not be 0", True, lambda value: value == 0.0)

BOUNDS: Mapping[type[Value], tuple[tuple[_Bound, tuple[str, ...]], ...]] = {
    Box: ((ABOVE, ("size",)),),
    Sphere: ((ABOVE, ("radius",)),),
    Cylinder: ((ABOVE, ("radius", "length")),),
    Capsule: ((ABOVE, ("radius",)), (_LENGTH, ("length",))),
    Cone: ((ABOVE, ("radius", "length")),),
    Ellipsoid: ((ABOVE, ("radii",)),),
    Plane: ((_LENGTH, ("size",)),),
    Polyline: ((ABOVE, ("height",)),),
    HeightField: ((ABOVE, ("size",)),),
    Mesh: ((_OTHER, ("scale",)),),
    Inertial: ((_LENGTH, ("mass",)), (_FINITE, ("mass",))),
    Body: ((_RATE, ("linear_damping", "angular_damping")),),
    Geom: ((_LENGTH, ("mass", "density")),),
    Dof: (
        (_RATE, ("effort", "velocity", "acceleration", "deceleration", "jerk")),
        (_RATE, ("damping", "friction", "armature", "stiffness")),
    ),
    Stop: ((_RATE, ("stiffness", "damping", "dissipation")),),
    Surface: (
        (_RATE, ("mu", "mu2", "torsional", "torsional_coefficient", "patch_radius", "rolling")),
        (_RATE, ("slip1", "slip2", "stiffness", "damping", "max_velocity")),
        (_SHARE, ("restitution",)),
    ),
    Camera: ((ABOVE, ("fov_y",)), (_LENGTH, ("near",)), (ABOVE, ("far", "span", "width", "height"))),
    Light: ((_RATE, ("intensity", "power", "range", "inner", "outer")),),
}
"""Fields of payloads and their bounds, which apply to each number of a field."""
ORDERED: Mapping[type[Value], tuple[str, str]] = {
    Dof: ("lower", "upper"),
    Camera: ("near", "far"),
    Light: ("inner", "outer"),
}
"""Pairs of fields of which the first must not exceed the second."""


def out_of_bounds(scene: Scene) -> Iterator[Beyond]:
    """Yield every number of a scene that is out of bounds. Linear in the scene; nothing is raised."""
    for body in scene.bodies.values():
        yield from _of_body(body)
    for joint in scene.joints.values():
        for index, dof in enumerate(joint.dofs):
            yield from faults_of(dof, f"joint/{joint.name}.dofs.{index}", joint.source)
            yield from faults_of(dof.stop, f"joint/{joint.name}.dofs.{index}.stop", joint.source)


def _of_body(body: Body) -> Iterator[Beyond]:
    where = f"body/{body.name}"
    yield from faults_of(body, where, body.source)
    if body.inertial is not None:
        yield from faults_of(body.inertial, f"{where}.inertial", body.source)
        yield from _moments(body.inertial, f"{where}.inertial.tensor", body.source)
    yield from faults_of(body.surface, f"{where}.surface", body.source)
    for geom in body.geoms:
        yield from faults_of(geom, f"{where}.geoms.{geom.name}", geom.source or body.source)
        yield from faults_of(geom.shape, f"{where}.geoms.{geom.name}.shape", geom.source or body.source)
        yield from faults_of(geom.surface, f"{where}.geoms.{geom.name}.surface", geom.source or body.source)
    for camera in body.cameras:
        yield from faults_of(camera, f"{where}.cameras.{camera.name}", camera.source or body.source)
    for light in body.lights:
        yield from faults_of(light, f"{where}.lights.{light.name}", light.source or body.source)


def _rows(payload: Value | None) -> tuple[tuple[_Bound, tuple[str, ...]], ...]:
    return BOUNDS.get(type(payload), ()) if payload is not None else ()


def lengths(shape: Value | None) -> tuple[float, ...]:
    """The numbers of a shape that must be above 0."""
    fields = (field for bound, names in _rows(shape) if bound is ABOVE for field in names)
    values = (getattr(shape, field) for field in fields)
    return tuple(number for value in values for number in (value if isinstance(value, tuple) else (value,)))


def faults_of(payload: Value | None, where: str, source: Source | None) -> Iterator[Beyond]:
    """The numbers of one payload that are out of bounds; where is the address of the payload."""
    if payload is None:
        return
    for bound, fields in _rows(payload):
        for field in fields:
            value = getattr(payload, field)
            numbers = value if isinstance(value, tuple) else () if value is None else (value,)
            if any(map(bound.broken, numbers)):
                yield Beyond(f"{where}.{field}", value, f"{field} {bound.said}", source, bound.grave)
    low, high = ORDERED.get(type(payload), ("", ""))
    first, second = (getattr(payload, low), getattr(payload, high)) if low else (None, None)
    if first is not None and second is not None and first > second:
        said = f"{low} must not be above {high}, which is {second:g}"
        yield Beyond(f"{where}.{low}", first, said, source, True)


def _moments(inertial: Inertial, where: str, source: Source | None) -> Iterator[Beyond]:
    """Yield a tensor with a negative principal moment: then one of its principal minors is negative (Sylvester)."""
    size = max(map(abs, inertial.tensor))
    if not size:
        return
    a, b, c, d, e, f = (part / size for part in inertial.tensor)
    minors = (a, b, c, a * b - d * d, a * c - e * e, b * c - f * f)
    if min(*minors, a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) < -ROUNDING:
        yield Beyond(where, inertial.tensor, "no principal moment of inertia may be below 0", source, True)
