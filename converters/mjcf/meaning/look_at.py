"""Cameras and lights that MuJoCo points at a body: their drawn direction replaces the tracking (mj_camlight)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.arrays import np
from ir.kinematics import poses_as_drawn
from ir.mapping import map_bodies
from ir.pose import add, compose, conjugate, cross, down_to, from_matrix, multiply, rotate, subtract
from ir.scene import Scene
from ir.types import UP, Body, Camera, Light, Parameters, Pose, Quat, Vec3

ViewT = TypeVar("ViewT", Camera, Light)
AT, AT_CENTRE = "targetbody", "targetbodycom"
LEAST = 1e-15
"""mjMINVAL: a shorter vector has no direction, and MuJoCo uses the x axis instead."""


def _mode_and_target(parameters: Parameters) -> tuple[str, str]:
    said = dict(parameters)
    return said.get("mode", ""), said.get("target", "")


def _unit(v: Vec3) -> Vec3:
    length = math.hypot(*v)
    return (v[0] / length, v[1] / length, v[2] / length) if length >= LEAST else (1.0, 0.0, 0.0)


def _toward(at: Vec3, target: Vec3) -> Quat:
    """Return an orientation in the world with -z toward the target and x horizontal."""
    z = _unit(subtract(at, target))
    x = _unit(cross(UP, z))
    return from_matrix(np.column_stack((x, _unit(cross(z, x)), z)))


def _centres(scene: Scene, poses: Mapping[str, Pose]) -> dict[str, Vec3]:
    """Return the centre of mass of the subtree of each body, in the world; without mass the body's own position."""
    sums: dict[str, tuple[float, Vec3]] = {}
    walk = list(scene.walk())
    for joint, body in reversed(walk):
        mass, moment = sums.get(body.name, (0.0, (0.0, 0.0, 0.0)))
        if body.inertial is not None and joint is not None:
            x, y, z = compose(poses[body.name], body.inertial.pose).pos
            own = body.inertial.mass
            mass, moment = mass + own, (moment[0] + own * x, moment[1] + own * y, moment[2] + own * z)
        sums[body.name] = mass, moment
        if joint is not None:
            above, whole = sums.get(joint.parent, (0.0, (0.0, 0.0, 0.0)))
            sums[joint.parent] = above + mass, add(whole, moment)
    return {
        name: (x / mass, y / mass, z / mass) if mass >= LEAST else poses[name].pos
        for name, (mass, (x, y, z)) in sums.items()
    }


def _turned_to_target(view: ViewT, body: Body, poses: Mapping[str, Pose], centres: Mapping[str, Vec3]) -> ViewT:
    mode, target = _mode_and_target(view.parameters)
    if mode not in (AT, AT_CENTRE) or target not in poses:
        return view
    own = poses[body.name]
    at = compose(own, view.pose).pos
    goal = poses[target].pos if mode == AT else centres[target]
    back = conjugate(own.rot)
    if isinstance(view, Camera):
        rot = multiply(back, _toward(at, goal))
    else:
        rot = down_to(rotate(back, _unit(subtract(goal, at))))
    return replace(view, pose=Pose(view.pose.pos, rot))


def _with_views_turned(scene: Scene, _: Target) -> Scene:
    modes = {_mode_and_target(view.parameters)[0] for body in scene.bodies.values() for view in body.cameras}
    modes |= {_mode_and_target(view.parameters)[0] for body in scene.bodies.values() for view in body.lights}
    if modes.isdisjoint((AT, AT_CENTRE)):
        return scene
    poses = poses_as_drawn(scene)
    centres = _centres(scene, poses) if AT_CENTRE in modes else {}

    def aimed(body: Body) -> Body:
        cameras = tuple(_turned_to_target(view, body, poses, centres) for view in body.cameras)
        lights = tuple(_turned_to_target(view, body, poses, centres) for view in body.lights)
        same = cameras == body.cameras and lights == body.lights
        return body if same else replace(body, cameras=cameras, lights=lights)

    return map_bodies(scene, aimed)


AIMED = Pass(
    rule="mjcf/aim",
    reason="MuJoCo turns it toward a body at every step, which the target cannot do: it keeps the direction "
    "that it has as the model is drawn",
    apply=_with_views_turned,
)
