"""<sensor>, in both directions; what other formats call an IMU or a force sensor is several sensors at one site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from converters.mjcf.attributes import Names, named, settings
from converters.mjcf.defaults import MAIN, Resolved
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.names import unique
from ir.scene import Scene
from ir.types import Camera, Pose, Sensor

FORMAT = "mjcf"
TARGETS: Mapping[str, str] = {
    **dict.fromkeys(("touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer"), "site"),
    **dict.fromkeys(("jointpos", "jointvel", "jointactuatorfrc", "ballquat", "ballangvel"), "joint"),
    **dict.fromkeys(("jointlimitpos", "jointlimitvel", "jointlimitfrc"), "joint"),
    **dict.fromkeys(("tendonpos", "tendonvel", "tendonactuatorfrc"), "tendon"),
    **dict.fromkeys(("tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"), "tendon"),
    **dict.fromkeys(("actuatorpos", "actuatorvel", "actuatorfrc"), "actuator"),
    **dict.fromkeys(("subtreecom", "subtreelinvel", "subtreeangmom"), "body"),
    **dict.fromkeys(("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis"), "objname"),
    **dict.fromkeys(("framelinvel", "frameangvel", "framelinacc", "frameangacc"), "objname"),
    **dict.fromkeys(("rangefinder", "camprojection", "distance", "normal", "fromto", "contact", "insidesite"), ""),
    **dict.fromkeys(("e_potential", "e_kinetic", "clock", "tactile", "user", "plugin"), ""),
}
"""Kind of sensor -> the attribute that names what it measures; "" where there are several, or none."""
SETTINGS = frozenset(
    [
        *("cutoff", "delay", "interp", "interval", "noise", "nsample", "user", "objtype", "objname", "reftype"),
        *("refname", "site", "camera", "body1", "body2", "geom1", "geom2", "subtree1", "subtree2", "data", "num"),
        *("reduce", "enclosed", "geom", "mesh", "datatype", "dim", "needstage", "plugin", "instance"),
    ]
)
MADE = {"imu": ("accelerometer", "gyro"), "force_torque": ("force", "torque"), "magnetometer": ("magnetometer",)}
"""Neutral word -> what measures the same in MuJoCo."""


def read_sensors(sections: Sequence[Node], scene: Scene) -> None:
    """Fill the table of sensors, in the order of the file: that of the readings."""
    names = Names(sections, scene.tables["sensor"])
    for node in (node for section in sections for node in section.elements() if node.tag in TARGETS):
        attribute = TARGETS[node.visit().tag]
        target = node.need(attribute) if attribute else None
        name, label = names.of(node, f"{node.tag}_{target}" if target else node.tag)
        scene.add(
            "sensor",
            Sensor(
                name=name,
                label=label,
                kind=node.tag,
                target=target,
                parameters=settings(Resolved(node, [], MAIN), SETTINGS, {attribute}),
                source=node.source,
                extras=node.rest(),
            ),
        )


def write_sensors(root: Element, scene: Scene, bodies: Mapping[str, Element]) -> None:
    """Append <sensor>; sensors of other formats bring the sites and cameras that they need. bodies: by name."""
    section = Element("sensor")
    taken = {kind: set(names) for kind, names in _names(scene).items()}
    for sensor in scene.tables["sensor"].values():
        if sensor.kind in TARGETS and (sensor.target is not None or sensor.body is None):
            attrs = named(sensor)
            if TARGETS[sensor.kind] and sensor.target is not None:
                attrs[TARGETS[sensor.kind]] = sensor.target
            restore(section.add(sensor.kind, attrs | dict(sensor.parameters)), sensor.extras, FORMAT)
            continue
        holder, pose = _mount(scene, sensor)
        if holder not in bodies:
            continue
        if sensor.camera is not None:
            name = unique(sensor.name, taken["camera"])
            taken["camera"].add(name)
            _add_camera(bodies[holder], sensor.camera, pose, name)
        elif sensor.kind in MADE:
            site = unique(sensor.name, taken["site"])
            taken["site"].add(site)
            _add_site(bodies[holder], site, pose)
            for kind in MADE[sensor.kind]:
                name = unique(f"{sensor.name}_{kind}" if len(MADE[sensor.kind]) > 1 else sensor.name, taken["sensor"])
                taken["sensor"].add(name)
                section.add(kind, {"name": name, "site": site})
    if section.content:
        root.content.append(section)


def _names(scene: Scene) -> dict[str, set[str]]:
    bodies = scene.bodies.values()
    return {
        "site": {frame.name for body in bodies for frame in body.frames},
        "camera": {camera.name for body in bodies for camera in body.cameras},
        "sensor": {sensor.name for sensor in scene.tables["sensor"].values() if sensor.kind in TARGETS},
    }


def _mount(scene: Scene, sensor: Sensor) -> tuple[str, Pose]:
    """The body that carries it: for a sensor of a joint that is its child."""
    if sensor.target in scene.joints:
        return scene.joints[sensor.target].child, sensor.pose
    return sensor.body or "", sensor.pose


def _add_site(body: Element, name: str, pose: Pose) -> None:
    from converters.mjcf.bodies import placed

    body.add("site", {"name": name, **placed(pose)})


def _add_camera(body: Element, camera: Camera, pose: Pose, name: str) -> None:
    from msgspec.structs import replace

    from converters.mjcf.views import write_camera
    from ir.pose import compose

    write_camera(body, replace(camera, name=name, label=None, pose=compose(pose, camera.pose), extras=()))
