"""Read and write <sensor>; an IMU or force sensor of other formats becomes several sensors at one site."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from converters.mjcf.document.attributes import ElementNames, Things, name_attribute, pose_attributes, settings
from converters.mjcf.document.copies import TYPES, named_parameters
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.loading import Part
from converters.mjcf.document.schema import attributes, kinds
from converters.mjcf.relations.grounds import SectionElements
from converters.mjcf.relations.lidars import ends_of_copies, measures_rarely, rays, writable
from converters.mjcf.tables import SPELLING
from converters.source.text import number
from converters.source.tree import Element
from converters.source.xml import Node
from ir.names import Spares
from ir.refs import declared
from ir.scene import Scene
from ir.seals import INTERVAL, SENSOR, colliding, interval
from ir.types import WORLD, Sensor

NAMING = ("joint", "tendon", "actuator", "body", "site", "objname", "camera", "geom", "mesh", "geom1", "body1")
"""Attributes that reference the measured object, or a part of it."""
LOOSE = ("plugin", "user")
"""Kinds for which the object is optional."""


def _target_kind(kind: str) -> str:
    named = [name for name in NAMING if name in attributes(f"sensor/{kind}")]
    return named[0] if len(named) == 1 and kind not in LOOSE else ""


TARGETS: Mapping[str, str] = {kind: _target_kind(kind) for kind in kinds("sensor")}
"""Kind of sensor -> the attribute that references the measured object; "" if there are several, or none."""
WHOLE = ("e_potential", "e_kinetic", "clock")
"""Kinds that measure the whole model, without a reference."""
SETTINGS = frozenset().union(*(attributes(f"sensor/{kind}") - {"name", TARGETS[kind]} for kind in TARGETS))
WRENCH = "force_torque"
MADE = {
    "accelerometer": ("accelerometer",),
    "gyroscope": ("gyro",),
    "imu": ("accelerometer", "gyro", "framequat"),
    WRENCH: ("force", "torque"),
    "magnetometer": ("magnetometer",),
    "altimeter": ("framepos",),
    "navsat": ("framepos",),
}
"""Neutral kind -> the MuJoCo sensors that measure the same, or from which it can be computed. Of kinds that share
one, the last is what other formats have instead of it (meaning.sensors)."""
CONTACT = "contact"
TOUCH = {"num": "20", "data": "found force torque dist pos normal"}
"""Settings of a contact sensor as in other formats: for each contact position, depth and wrench; up to the default
number of contacts of an SDFormat model (physics.sdf, max_contacts)."""
NEAR = ("altimeter", "navsat")
"""Kinds that are computed: height above the start, degrees of latitude."""


def read_sensor(node: Node, names: ElementNames, part: Part, _: Things) -> Sensor:
    """Read a sensor; its references are checked after all of them have been read (references)."""
    attribute = TARGETS[node.tag]
    target = node.attempt(node.need, attribute) if attribute else None
    name, label = names.of(node, f"{node.tag}_{target}" if target else node.tag)
    said = settings(Resolved(node, [], MAIN), SETTINGS, {attribute})
    parameters = tuple((name, part.called(name, text)) for name, text in said)
    return Sensor(
        name=name,
        label=label,
        kind=node.tag,
        target=target,
        parameters=parameters,
        naming=named_parameters(parameters, attribute if attribute in TYPES else ""),
        source=node.source,
        extras=node.rest(),
    )


def write_sensors(
    scene: Scene, bodies: Mapping[str, Element], folds: dict[str, dict[str, list[str]]], own: bool
) -> SectionElements:
    """Yield the elements of <sensor>; sensors of other formats get the sites that they need. bodies: by name.

    folds (ir.folds) contains the split geoms; sensors that combine several parts are added to it. own: the document
    that was read is MJCF, and sensors edited there keep their rate.
    """
    spares = {kind: Spares(names) for kind, names in _names_there(scene).items()}
    scanning = any(sensor.scan is not None for sensor in scene.tables["sensor"].values())
    ends = ends_of_copies([*declared(scene).values(), scene.tables["sensor"]]) if scanning else frozenset()
    for sensor in scene.tables["sensor"].values():
        if is_native(sensor, scene):
            attrs, attribute = name_attribute(sensor), TARGETS[sensor.kind]
            if attribute:
                attrs[attribute] = sensor.target or ""
            stem = f"{sensor.kind}_{sensor.target}" if attribute else sensor.kind
            yield Element(sensor.kind, attrs | dict(sensor.parameters)), sensor, stem
            continue
        joint = scene.joints.get(sensor.target or "")
        body = bodies.get(sensor.body or (joint.child if joint is not None else ""))
        if body is None or sensor.camera is not None or (sensor.kind == WRENCH and joint is None):
            continue
        timed = measures_rarely(sensor.scan) or (own and f"sensor/{sensor.name}" in scene.brought)
        often = _rate_attributes(sensor) if timed else {}
        parts = list(_parts_of_device(sensor, body, spares, often)) if sensor.kind in MADE else []
        if writable(sensor.scan):
            parts, made = rays(sensor, sensor.scan, body, spares, often, ends)
            folds.setdefault(f"{SENSOR}{sensor.kind}", {})[sensor.name] = made
        elif sensor.kind == CONTACT:
            parts = list(_contact_elements(sensor, scene, body, spares["sensor"], folds.get("geom", ())))
        yield from ((part, None, "") for part in parts)
        if parts and sensor.scan is None and sensor.kind not in NEAR:
            folds.setdefault(f"{SENSOR}{sensor.kind}", {})[sensor.name] = [part.attrs["name"] for part in parts]


def _rate_attributes(sensor: Sensor) -> dict[str, str]:
    """Return the attributes of the rate of a sensor, which MuJoCo accepts since 3.5."""
    period = interval(sensor.rate)
    return dict(zip(INTERVAL, (number(period), "1"), strict=True)) if period is not None else {}


def _parts_of_device(
    sensor: Sensor, body: Element, spares: Mapping[str, Spares], often: Mapping[str, str]
) -> Iterator[Element]:
    """Yield the MuJoCo equivalents of a sensor of another format, at a site that is added to the body. often: the
    attributes of the rate."""
    site = spares["site"].of(sensor.name)
    body.add("site", {"name": site, **pose_attributes(sensor.pose)})
    made = MADE[sensor.kind]
    alone = len(made) == 1 and sensor.kind not in NEAR
    for kind, noise in zip(made, (*sensor.noise, 0.0, 0.0, 0.0), strict=False):
        name = sensor.name if alone else spares["sensor"].of(f"{sensor.name}_{kind}")
        place = {"site": site} if TARGETS[kind] == "site" else {"objtype": "site", "objname": site}
        yield Element(kind, {"name": name, **place, **often, **({"noise": number(noise)} if noise else {})})


def _contact_elements(
    sensor: Sensor, scene: Scene, body: Element, spares: Spares, split: Container[str]
) -> Iterator[Element]:
    """Yield sensors of the contacts of a body, or of each of its geoms; nothing if one of these is not written, or
    split."""
    written = {item.attrs.get("name") for item in body.findall("geom")}
    whole = sensor.touching == colliding(scene.body(sensor.body or WORLD))
    if not sensor.touching or not all(name in written and (whole or name not in split) for name in sensor.touching):
        return
    things = [("body1", sensor.body or WORLD)] if whole else [("geom1", name) for name in sensor.touching]
    for attribute, name in things:
        called = sensor.name if len(things) == 1 else spares.of(f"{sensor.name}_{name}")
        yield Element(CONTACT, {"name": called, attribute: name, **TOUCH})


def is_native(sensor: Sensor, scene: Scene) -> bool:
    """Whether a sensor is a native one of MuJoCo: a magnetometer or contact sensor of other formats is on a body,
    or at a joint where MuJoCo has a site. One without a measured object is not."""
    if sensor.kind not in TARGETS or sensor.body is not None:
        return False
    attribute = TARGETS[sensor.kind]
    if not attribute:
        return bool(sensor.parameters) or sensor.kind in WHOLE
    elsewhere = attribute != "joint" and sensor.target in scene.joints and SPELLING not in scene.notation
    return sensor.target is not None and not elsewhere


def _names_there(scene: Scene) -> dict[str, set[str]]:
    bodies = scene.bodies.values()
    return {"site": {frame.name for body in bodies for frame in body.frames}, "sensor": {*scene.tables["sensor"]}}
