"""Conditions of the loss rows about MJCF sensors (converters.format.Loss.when)."""

from __future__ import annotations

import math

from converters.facts import Facts
from converters.mjcf.relations.lidars import measures_rarely, writable
from converters.mjcf.relations.sensors import CONTACT, MADE, NEAR, TARGETS, WRENCH, is_native
from converters.report.reasons import CLOSE, of_scene
from ir.diff import Difference
from ir.rays import TURN, angles_of_rays
from ir.seals import colliding, interval
from ir.types import Mesh, Sensor


@of_scene
def sensor_approximated_or_split(facts: Facts) -> bool:
    """Whether there is a sensor with only an approximate equivalent in MuJoCo, or whose parts are not recombined."""
    sensors = (*facts.scene.tables["sensor"].values(), *facts.fitted.tables["sensor"].values())
    return any(each.kind in NEAR or (each.kind in MADE and ("sensor", each.name) in facts.lost) for each in sensors)


def no_equivalent_sensor_there(difference: Difference, facts: Facts) -> bool:
    """Whether no sensor of MuJoCo measures the same as one of the source, or not at its place."""
    sensor = difference.before
    if sensor.kind == CONTACT and sensor.touching and sensor.body in facts.fitted.bodies:
        return not _feelable(sensor, facts)
    if sensor.scan is not None and sensor.body in facts.fitted.bodies:
        return not writable(sensor.scan)
    if sensor.kind not in MADE or sensor.kind in NEAR:
        return not is_native(sensor, facts.fitted)
    joint = facts.scene.joints.get(sensor.target or "")
    body = sensor.body or (joint.child if joint is not None else "")
    wrench = sensor.kind == WRENCH and (joint is None or joint.closes_loop)
    return body not in facts.scene.bodies or sensor.camera is not None or wrench


def measures_every_step(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor measures at every step: a rate is written only for many rays, and if it can be expressed."""
    sensor: Sensor = facts.fitted.tables["sensor"][difference.path[1]]
    return not measures_rarely(sensor.scan) or interval(sensor.rate) is None


def has_no_pose(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor measures contacts, or a joint itself."""
    sensor: Sensor = facts.fitted.tables["sensor"][difference.path[1]]
    return sensor.kind == CONTACT or TARGETS.get(sensor.kind) == "joint"


def same_rays(difference: Difference, facts: Facts) -> bool:
    """Whether the first and last rays of a lidar have the same directions as in the source."""
    scan = facts.fitted.tables["sensor"][difference.path[1]].scan
    count = scan.rows if difference.path[-1] == "tilts" else scan.count
    ours, step = angles_of_rays(difference.before, count)
    theirs, last = difference.after  # of the sites, where a single ray has the angle that it points at
    other = (last - theirs) / max(count - 1, 1)
    return abs(math.remainder(ours - theirs, TURN)) < CLOSE and abs(step - other) < CLOSE


def _feelable(sensor: Sensor, facts: Facts) -> bool:
    """Whether all geoms of a contact sensor are written: all colliding ones of a body, or no meshes, which may be
    split."""
    geoms = [facts.written.get((sensor.body or "", name)) for name in sensor.touching]
    there = all(("body", sensor.body, "geoms", name) not in facts.lost for name in sensor.touching)
    whole = sensor.touching == colliding(facts.fitted.body(sensor.body or ""))
    return there and (whole or not any(geom is None or isinstance(geom.shape, Mesh) for geom in geoms))


def on_child_link_of_joint(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor measures at a joint, and in the output on its child link."""
    sensor = facts.fitted.tables["sensor"].get(difference.path[1])
    joint = facts.fitted.joints.get(sensor.target or "") if sensor is not None else None
    return joint is not None and difference.after in (None, joint.child)
