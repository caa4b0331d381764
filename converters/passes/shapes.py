"""Shapes that a target says in another way."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.pose import compose, from_z_to, multiply
from ir.scene import Scene
from ir.types import Box, Capsule, Cylinder, Geom, Plane, Pose, Shape

UP = (0.0, 0.0, 1.0)
THICK, WIDE = 0.001, 100.0
"""Metres: thickness of a slab that stands for a plane, and its sides where the plane has no end."""


def _upright(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """A plane whose normal is not z is one that is turned."""
    return _planes(scene, _turned)


def _planes(scene: Scene, change: Callable[[Geom], Geom]) -> Scene:
    changed = {
        body.name: replace(body, geoms=geoms)
        for body in scene.bodies.values()
        if any(isinstance(geom.shape, Plane) for geom in body.geoms)
        and (geoms := tuple(map(change, body.geoms))) != body.geoms
    }
    if not changed:
        return scene
    return scene.evolve(bodies=[changed.get(body.name, body) for body in scene.bodies.values()])


def _turned(geom: Geom) -> Geom:
    if not isinstance(geom.shape, Plane) or geom.shape.normal == UP:
        return geom
    rot = multiply(geom.pose.rot, from_z_to(geom.shape.normal))
    return replace(geom, shape=replace(geom.shape, normal=UP), pose=Pose(geom.pose.pos, rot))


UPRIGHT = Pass(
    loss=Loss(
        field="body.geoms",
        rule="shapes/plane",
        reason="the normal of a plane is its z axis in the target: the plane is turned",
        severity="note",
    ),
    wanted=lambda fits, options: not fits.plane_normals,
    apply=_upright,
)


def _halved(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """Sizes that are twice a number: of the least ones only every second is."""
    changed = {
        body.name: replace(body, geoms=geoms)
        for body in scene.bodies.values()
        if any(geom.shape is not _even(geom.shape) for geom in body.geoms)
        and (geoms := tuple(replace(geom, shape=_even(geom.shape)) for geom in body.geoms))
    }
    if not changed:
        return scene
    return scene.evolve(bodies=[changed.get(body.name, body) for body in scene.bodies.values()])


def _even(shape: Shape | None) -> Shape | None:
    match shape:
        case Box(size=size) if any(value / 2 * 2 != value for value in size):
            return Box(size=(size[0] / 2 * 2, size[1] / 2 * 2, size[2] / 2 * 2))
        case Cylinder(length=length) | Capsule(length=length) if length / 2 * 2 != length:
            return replace(shape, length=length / 2 * 2)
    return shape


HALVES = Pass(
    loss=Loss(
        field="body.geoms.shape",
        rule="shapes/half",
        reason="the target says the half of a size, which the least of all numbers do not have",
        severity="note",
    ),
    wanted=lambda fits, options: fits.half_sizes,
    apply=_halved,
)


def _slabs(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """A thin box whose upper side is the plane."""
    return _planes(scene, _slab)


def _slab(geom: Geom) -> Geom:
    if not isinstance(geom.shape, Plane):
        return geom
    size = (geom.shape.size[0] or WIDE, geom.shape.size[1] or WIDE, THICK)
    below = compose(Pose(rot=from_z_to(geom.shape.normal)), Pose((0.0, 0.0, -THICK / 2)))
    return replace(geom, shape=Box(size=size), pose=compose(geom.pose, below))


SLABS = Pass(
    loss=Loss(
        field="body.geoms",
        rule="shapes/slab",
        reason="the target has no planes: a box of a millimetre stands for one, of 100 m where the plane has no end",
    ),
    wanted=lambda fits, options: not fits.planes,
    apply=_slabs,
)
