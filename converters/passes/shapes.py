"""Shapes that a target says in another way."""

from __future__ import annotations

from dataclasses import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.pose import from_z_to, multiply
from ir.scene import Scene
from ir.types import Geom, Plane, Pose

UP = (0.0, 0.0, 1.0)


def _upright(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """A plane whose normal is not z is one that is turned."""
    changed = {
        body.name: replace(body, geoms=tuple(map(_turned, body.geoms)))
        for body in scene.bodies.values()
        if any(isinstance(geom.shape, Plane) and geom.shape.normal != UP for geom in body.geoms)
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
