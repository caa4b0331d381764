"""A small arm in a glTF written by Kinegraph, and changes to its document as other programs make them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco

from converters.convert import convert
from converters.report.model import Finding
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

BODIES, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
ARM = """<mujoco model="arm"><compiler angle="radian"/><worldbody>
<body name="base"><geom name="plate" type="box" size="0.2 0.2 0.1" rgba="1 0 0 1"/>
<body name="upper" pos="0 0 0.5"><joint name="turn" axis="0 1 0" range="-1 2" limited="true" damping="0.3"/>
<inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.2 0.25"/>
<geom name="bar" type="cylinder" size="0.1 0.5" friction="0.8"/>
<camera name="eye" pos="0.1 0 0" fovy="50"/><site name="tip" pos="0 0 0.4"/>
<light name="lamp" pos="0 0 1" type="spot" cutoff="40"/>
</body></body></worldbody>
<actuator><position name="servo" joint="turn" kp="10" forcerange="-5 5"/></actuator>
<sensor><framepos name="where" objtype="site" objname="tip"/></sensor></mujoco>
"""
Change = Callable[[dict[str, Any]], None]


def as_gltf(mjcf: str, path: Path) -> Path:
    """Write the MJCF next to `path`, convert it to glTF, and return the path of that."""
    source = saved(path.with_suffix(".xml"), mjcf)
    convert(source, path)
    return path


def edited(path: Path, change: Change) -> Path:
    document = json.loads(path.read_bytes())
    change(document)
    return saved(path.with_name("edited.gltf"), json.dumps(document))


def told(path: Path, target: Path) -> dict[str, Finding]:
    """Return the findings about edits by their place in the graph. Nothing may be unexplained."""
    report = convert(path, target)
    explained(report)
    return {finding.where: finding for finding in of_rule(report, "gltf/edited")}


def by_name(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in document["nodes"] if each.get("name") == name)


def back(path: Path) -> mujoco.MjModel:
    return mujoco_model(path)
