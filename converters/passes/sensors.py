"""Force and torque sensors for a target that has them at a site of the child, in the axes of that site; and camera
sensors as cameras of their bodies, for a target without camera sensors."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.mapping import map_bodies, map_table
from ir.names import Spares
from ir.pose import compose, conjugate, invert, joint_frame
from ir.scene import Origins, Scene
from ir.types import Camera, Joint, Pose, Sensor


def _turned(sensor: Sensor, joint: Joint) -> bool:
    """Whether the axes in which it reports rotate relative to the body with its site."""
    return bool(joint.dofs) and sensor.frame in ("parent", "child") and _end(sensor, joint) != joint.child


def _end(sensor: Sensor, joint: Joint) -> str:
    """The body in whose axes it reports. Its own body is the child as the author wrote the joint, even if it was
    reversed."""
    other = joint.parent if sensor.body == joint.child else joint.child
    return other if sensor.frame == "parent" else sensor.body or ""


def _placed(sensor: Sensor, joint: Joint) -> Sensor:
    """The sensor at the origin of the joint on its child, with the axes in which it reports."""
    same = sensor.body == joint.child
    pose = sensor.pose if same else compose(invert(joint.pose), sensor.pose)
    rot = pose.rot
    if sensor.frame:
        rot = (1.0, 0.0, 0.0, 0.0) if _end(sensor, joint) == joint.child else conjugate(joint.pose.rot)
    at = Pose(joint_frame(joint).pos, rot)
    if same and at == sensor.pose and not sensor.frame:
        return sensor
    reaction = sensor.reaction if same else not sensor.reaction
    return replace(sensor, body=joint.child, pose=at, frame="", reaction=reaction)


def _applied(wanted: Callable[[Sensor, Joint], bool]) -> Callable[[Scene, Target], Scene]:
    def apply(scene: Scene, _: Target) -> Scene:
        def changed(sensor: Sensor) -> Sensor:
            joint = scene.joints.get(sensor.target or "") if sensor.kind == "force_torque" else None
            if joint is None or sensor.body not in (joint.parent, joint.child) or not wanted(sensor, joint):
                return sensor
            return _placed(sensor, joint)

        return map_table(scene, "sensor", changed)

    return apply


TURNING = Pass(
    rule="sensors/turning-axes",
    reason="the target reports a wrench in axes of the child body of the joint; the axes of the parent turn "
    "relative to these, and are taken as they are with the joint at zero",
    wanted=lambda target: target.fits.wrench_sites,
    apply=_applied(_turned),
)
PLACED = Pass(
    rule="sensors/site",
    reason="the target measures a wrench at a site: it is placed at the origin of the joint, on the child "
    "body, with the axes in which the sensor reports",
    severity="note",
    wanted=lambda target: target.fits.wrench_sites,
    apply=_applied(lambda sensor, joint: True),
)


def _of_parent_on_child(scene: Scene, _: Target) -> Scene:
    return map_table(scene, "sensor", lambda sensor: replace(sensor, reaction=False) if sensor.reaction else sensor)


SIGN = Pass(
    rule="sensors/sign",
    reason="the target measures what the parent of the joint does to its child (of a joint that is turned round, as "
    "its parent and child are in the target): the same with the opposite sign",
    action="approximated",
    wanted=lambda target: target.fits.wrench_sites,
    apply=_of_parent_on_child,
    told=True,
)


def body_camera(sensor: Sensor, camera: Camera, name: str) -> Camera:
    """The camera of a sensor as a camera of its body."""
    pose = compose(sensor.pose, camera.pose)
    return replace(camera, name=name, label=None, pose=pose, extras=(), source=sensor.source)


def moved_camera(sensor: Sensor, camera: Camera, by: Camera) -> Sensor:
    """The sensor with the values and the pose of a camera of its body (by) that was made of its own camera."""
    pose = (
        compose(by.pose, invert(camera.pose)) if by.pose != body_camera(sensor, camera, by.name).pose else sensor.pose
    )
    kept = {name: getattr(camera, name) for name in ("name", "label", "pose", "extras", "source")}
    return replace(sensor, pose=pose, camera=replace(by, **kept))


def _seeing(scene: Scene, _: Target) -> Scene:
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


SEEING = Pass(
    rule="cameras/sensor",
    reason="the target has no camera sensors: they become cameras of their bodies",
    severity="note",
    wanted=lambda target: not target.fits.sensors_see,
    apply=_seeing,
    silent=True,
)


def _in_one_place(scene: Scene, target: Target) -> Scene:
    assert target.fits.camera_rot is not None
    inside = Pose(rot=target.fits.camera_rot)

    def changed(sensor: Sensor) -> Sensor:
        camera = sensor.camera
        if camera is None or camera.pose == inside:
            return sensor
        at = compose(compose(sensor.pose, camera.pose), invert(inside))
        return replace(sensor, pose=at, camera=replace(camera, pose=inside))

    return map_table(scene, "sensor", changed)


IN_ONE_PLACE = Pass(
    rule="sensors/one-place",
    reason="a sensor of the target has one pose, which is that of its camera",
    severity="note",
    wanted=lambda target: target.fits.camera_rot is not None,
    apply=_in_one_place,
)
