"""Conditions on values, used by the rows about sensors of SDFormat (converters.format.Loss.when)."""

from __future__ import annotations

import math
from collections import Counter

from converters.facts import Facts
from converters.report.reasons import CLOSE, after, loose
from converters.sdf.document.vocabulary import since
from converters.sdf.parts.lidars import FARTHEST
from converters.sdf.parts.sensors import CAMERAS, FAR, HEIGHT, KNOWN, NEAR, VIEWS, WIDTH, WRENCH, type_of
from converters.sdf.reasons import kept
from converters.sdf.writing.versions import written_version
from converters.source.gazebo import text_of
from converters.source.text import first
from converters.source.tree import fragment
from ir.diff import Difference
from ir.names import may_come_of
from ir.optics import FLAT
from ir.pose import compose, rotation_gap, same_place
from ir.types import WORLD, Extra, Sensor

NARROWEST, WIDEST = math.radians(10), math.radians(160)
"""Outside this range SDFormat may have another angle of view (sdf.parts.sensors.VIEWS, horizontal)."""
default_camera_value = after(WIDTH, HEIGHT, NEAR, FAR)
"""Whether the output has SDFormat's default."""
default_lidar_range = after(FARTHEST)
"""Whether the output has the maximum range written for a lidar without one."""


def view_of_180_degrees_or_more(difference: Difference, _: Facts) -> bool:
    """Whether an angle of view is too wide for a flat image."""
    said = difference.after
    return isinstance(said, Extra) and first(text_of(fragment(said.text))) >= FLAT


def sensor_kind_has_no_camera(difference: Difference, facts: Facts) -> bool:
    """Whether the sensor is of a kind that has no <camera>."""
    sensor = facts.fitted.tables["sensor"].get(difference.path[1])
    return sensor is not None and sensor.kind not in CAMERAS


def is_camera_of_source(difference: Difference, facts: Facts) -> bool:
    """Whether it is a camera of the source, with the same pose and angle."""
    sensor = difference.after
    if sensor.camera is None or sensor.body not in facts.fitted.bodies:
        return sensor.camera is not None
    pose, angle = compose(sensor.pose, sensor.camera.pose), sensor.camera.fov_y
    return any(
        same_place(camera.pose.pos, pose.pos)
        and rotation_gap(camera.pose.rot, pose.rot) < CLOSE
        and (not NARROWEST < camera.fov_y < WIDEST or math.isclose(camera.fov_y, angle))
        for camera in facts.fitted.body(sensor.body).cameras
    )


def became_sensor_or_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether a camera is a sensor in the output, or SDFormat has no such camera."""
    camera = difference.before
    if camera.orthographic or camera.parameters or not VIEWS[0] < camera.fov_y < FLAT:
        return True
    made = {each.name for each in facts.gained.values() if isinstance(each, Sensor) and each.camera is not None}
    others = made - facts.once(_cameras_as_sensors)
    return camera.name in made or any(may_come_of(name, camera.name) for name in others)


def _cameras_as_sensors(facts: Facts) -> set[str]:
    return {camera.name for body in facts.fitted.bodies.values() for camera in body.cameras}


def shares_name_and_place(difference: Difference, facts: Facts) -> bool:
    """Whether another sensor has the same name and place."""
    own = facts.fitted.tables["sensor"].get(difference.path[1])
    return own is not None and facts.once(_sensors_by_place)[_place_and_name(own)] > 1


def _sensors_by_place(facts: Facts) -> Counter[tuple[str | None, ...]]:
    return Counter(map(_place_and_name, facts.fitted.tables["sensor"].values()))


def _place_and_name(sensor: Sensor) -> tuple[str | None, ...]:
    return sensor.body, sensor.target, sensor.label or sensor.name


def kind_or_place_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether SDFormat, or the version that is written, has no sensor of that kind, or none at that place."""
    sensor, scene = difference.before, facts.fitted
    joint = scene.joints.get(sensor.target or "")
    there = joint is not None or sensor.body in scene.bodies.keys() - {WORLD}
    newer = since("sensor", f"={type_of(sensor)}") > written_version(facts.options.sdf_version, scene)
    if sensor.kind not in KNOWN or not there or newer:
        return True
    return sensor.kind == WRENCH and (joint is None or len(joint.dofs) > 1 or joint.closes_loop)


def is_child_of_measured_joint(difference: Difference, facts: Facts) -> bool:
    """Whether it is the child of the joint that a sensor measures."""
    sensor = facts.scene.tables["sensor"].get(difference.path[1])
    joint = facts.scene.joints.get(sensor.target or "") if sensor is not None else None
    return joint is not None and joint.child == difference.after


def joint_absent_or_split(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor measures a joint that SDFormat does not have, or has as several."""
    sensor = facts.fitted.tables["sensor"].get(difference.path[1])
    joint = facts.fitted.joints.get(sensor.target or "") if sensor is not None else None
    return joint is not None and (len(joint.dofs) > 1 or any(map(loose, joint.dofs)))


def order_kept_per_link_or_joint(difference: Difference, facts: Facts) -> bool:
    """Whether the sensors of each link or joint keep their order."""
    table = facts.fitted.tables["sensor"]
    return kept(difference, lambda name: (table[name].body, table[name].target))


def written_collisions_measured(difference: Difference, facts: Facts) -> bool:
    """Whether a contact sensor still measures all written collisions of its link that it measured in the source."""
    sensor = facts.fitted.tables["sensor"][difference.path[1]]
    geoms = {name: facts.written.get((sensor.body or "", name)) for name in difference.before}
    own = (name for name, geom in geoms.items() if geom is not None and geom.collides)
    there = tuple(name for name in own if ("body", sensor.body, "geoms", name) not in facts.lost)
    return there == (difference.after or ())
