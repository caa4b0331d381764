"""Cameras that are sensors as cameras of their bodies, for a target that shows a model and senses nothing."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.mapping import map_bodies
from ir.names import unique
from ir.pose import compose
from ir.scene import Scene
from ir.types import Camera


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    taken = {camera.name for body in scene.bodies.values() for camera in body.cameras}
    added: dict[str, list[Camera]] = {}
    for sensor in scene.tables["sensor"].values():
        if sensor.camera is not None and sensor.body in scene.graph:
            name = unique(sensor.name, taken)
            taken.add(name)
            pose = compose(sensor.pose, sensor.camera.pose)
            camera = replace(sensor.camera, name=name, label=None, pose=pose, extras=(), source=sensor.source)
            added.setdefault(sensor.body, []).append(camera)
    return map_bodies(
        scene,
        lambda body: replace(body, cameras=(*body.cameras, *added[body.name])) if body.name in added else body,
    )


PASS = Pass(
    loss=Loss(
        field="body.cameras",
        rule="cameras/sensor",
        reason="the target has no sensors: one that sees is a camera of its body",
        severity="note",
    ),
    wanted=lambda fits, options: not fits.sensors,
    apply=_apply,
)
