"""<sensor>, in both directions; what other formats call an IMU or a force sensor is several sensors at one site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from converters.mjcf.document.attributes import Names, named, placed, say_names, settings
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.loading import Part
from converters.mjcf.relations.grounds import Grounds
from converters.source.text import number
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.folds import SENSOR
from ir.names import unique
from ir.scene import Scene
from ir.types import Entity, Sensor

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
WRENCH = "force_torque"
MADE = {
    "imu": ("accelerometer", "gyro", "framequat"),
    WRENCH: ("force", "torque"),
    "magnetometer": ("magnetometer",),
    "altimeter": ("framepos",),
    "navsat": ("framepos",),
}
"""Neutral word -> what measures the same in MuJoCo, or what it can be worked out of."""
NEAR = ("altimeter", "navsat")
"""Those that are worked out: a height above the start, degrees of latitude."""


def read_sensors(sections: Sequence[Node], scene: Scene, part: Part) -> None:
    """Fill the table of sensors, in the order of the file: that of the readings."""
    names = Names(sections, scene.tables["sensor"])
    for node in (node for section in sections for node in section.elements() if node.tag in TARGETS):
        attribute = TARGETS[node.visit().tag]
        target = node.attempt(node.need, attribute) if attribute else None
        name, label = names.of(node, f"{node.tag}_{target}" if target else node.tag)
        scene.add(
            "sensor",
            Sensor(
                name=name,
                label=label,
                kind=node.tag,
                target=target,
                parameters=tuple(
                    (name, part.called(name, text))
                    for name, text in settings(Resolved(node, [], MAIN), SETTINGS, {attribute})
                ),
                source=node.source,
                extras=node.rest(),
            ),
        )


def write_sensors(
    root: Element, scene: Scene, bodies: Mapping[str, Element], grounds: Grounds
) -> dict[str, dict[str, list[str]]]:
    """Append <sensor>; sensors of other formats bring the sites that they need. bodies: by name.

    Gives the folds (ir.folds) of those that are the same when their parts are taken together.
    """
    folds: dict[str, dict[str, list[str]]] = {}
    section = Element("sensor")
    own: list[tuple[Element, Entity, str]] = []
    taken = {kind: set(names) for kind, names in _names(scene).items()}
    for sensor in scene.tables["sensor"].values():
        if _native(sensor):
            attrs = named(sensor)
            if TARGETS[sensor.kind] and sensor.target is not None:
                attrs[TARGETS[sensor.kind]] = sensor.target
            found = Element(sensor.kind, attrs | dict(sensor.parameters))
            if grounds.hold(found, "sensor", sensor):
                stem = f"{sensor.kind}_{sensor.target}" if TARGETS[sensor.kind] and sensor.target else sensor.kind
                own.append((found, sensor, stem))
                section.content.append(found)
                restore(found, sensor.extras, FORMAT)
            continue
        joint = scene.joints.get(sensor.target or "")
        element = bodies.get(sensor.body or (joint.child if joint is not None else ""))
        if element is None or (sensor.kind == WRENCH and joint is None):
            continue
        if sensor.kind in MADE and sensor.camera is None:
            site = unique(sensor.name, taken["site"])
            taken["site"].add(site)
            element.add("site", {"name": site, **placed(sensor.pose)})
            parts = []
            for kind, noise in zip(MADE[sensor.kind], (*sensor.noise, 0.0, 0.0, 0.0), strict=False):
                name = unique(sensor.name if kind == sensor.kind else f"{sensor.name}_{kind}", taken["sensor"])
                taken["sensor"].add(name)
                parts.append(name)
                place = {"site": site} if TARGETS[kind] == "site" else {"objtype": "site", "objname": site}
                section.add(kind, {"name": name, **place, **({"noise": number(noise)} if noise else {})})
            if sensor.kind not in NEAR:
                folds.setdefault(f"{SENSOR}{sensor.kind}", {})[sensor.name] = parts
    say_names(own)
    if section.content:
        root.content.append(section)
    return folds


def _native(sensor: Sensor) -> bool:
    """Whether a sensor is one of MuJoCo; a magnetometer of other formats stands on a body."""
    return sensor.kind in TARGETS and (sensor.target is not None or sensor.body is None)


def _names(scene: Scene) -> dict[str, set[str]]:
    bodies = scene.bodies.values()
    return {
        "site": {frame.name for body in bodies for frame in body.frames},
        "sensor": {sensor.name for sensor in scene.tables["sensor"].values() if _native(sensor)},
    }
