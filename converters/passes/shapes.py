"""Shapes that a target says in another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.pose import compose, from_z_to, multiply
from ir.scene import Scene
from ir.types import Box, Geom, Plane, Pose

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
