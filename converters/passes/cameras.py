"""Cameras that are sensors as cameras of their bodies, for a target whose sensors, if it has any, do not see."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.mapping import map_bodies
from ir.names import Spares
from ir.pose import compose, invert
from ir.scene import Origins, Scene
from ir.types import Camera, Sensor


def body_camera(sensor: Sensor, camera: Camera, name: str) -> Camera:
    """The camera of a sensor as one of its body."""
    pose = compose(sensor.pose, camera.pose)
    return replace(camera, name=name, label=None, pose=pose, extras=(), source=sensor.source)


def moved_camera(sensor: Sensor, camera: Camera, by: Camera) -> Sensor:
    """The sensor whose camera is another one as one of its body (by): what it sees is that, and where it is."""
    pose = (
        compose(by.pose, invert(camera.pose)) if by.pose != body_camera(sensor, camera, by.name).pose else sensor.pose
    )
    kept = {name: getattr(camera, name) for name in ("name", "label", "pose", "extras", "source")}
    return replace(sensor, pose=pose, camera=replace(by, **kept))


def _apply(scene: Scene, _: Target) -> Scene:
    spares = Spares(camera.name for body in scene.bodies.values() for camera in body.cameras)
    added: dict[str, list[Camera]] = {}
    origins: Origins = {}
    for sensor in scene.tables["sensor"].values():
        if sensor.camera is not None and sensor.body in scene.bodies:
            name = spares.of(sensor.name)
            camera = body_camera(sensor, sensor.camera, name)
            added.setdefault(sensor.body, []).append(camera)
            origins[f"body/{sensor.body}", "cameras", name] = ((f"sensor/{sensor.name}",),)
    if not added:
        return scene
    return map_bodies(
        scene, lambda body: replace(body, cameras=(*body.cameras, *added[body.name])) if body.name in added else body
    ).evolve(origins=origins)


PASS = Pass(
    rule="cameras/sensor",
    reason="no sensor of the target sees: one that does is a camera of its body",
    severity="note",
    wanted=lambda target: not target.fits.sensors_see,
    apply=_apply,
    silent=True,
)
