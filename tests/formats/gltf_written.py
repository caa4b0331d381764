"""An arm, written as glTF that the Khronos validator accepts, and the poses of its bodies in that glTF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from converters.context import Options
from converters.convert import convert
from ir.pose import matrix
from ir.types import Pose
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.plain_gltf import Plain, plain_gltf

ARM = """<robot name="arm">
  <material name="glass"><color rgba=".5 .5 .5 .5"/></material>
  <link name="base">
    <visual><geometry><box size="0.4 0.2 0.1"/></geometry><material name="glass"/></visual>
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 .2"/><mass value="2"/>
      <inertia ixx="0.2" iyy="0.3" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 .2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual>
    <visual name="second"><origin xyz="0 .3 0" rpy="0 0 1"/><geometry><box size="0.1 0.1 0.3"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="finger"/>
  <link name="thumb"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="5" effort="10" velocity="1"/><dynamics damping="0.5"/>
  </joint>
  <joint name="grip" type="prismatic">
    <origin xyz="0 0 0.4"/><parent link="upper"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0.01" upper="0.05" effort="10" velocity="1"/>
  </joint>
  <joint name="follow" type="prismatic">
    <origin xyz="0 0 0.4"/><parent link="upper"/><child link="thumb"/><axis xyz="-1 0 0"/>
    <limit lower="0" upper="0.2" effort="10" velocity="1"/><mimic joint="grip" multiplier="2" offset="0.005"/>
  </joint>
</robot>
"""


def written(tmp_path: Path, text: str = ARM, name: str = "robot.glb", suffix: str = ".urdf", **options: Any) -> Plain:
    source, target = tmp_path / f"robot{suffix}", tmp_path / name
    source.write_text(text)
    convert(source, target, options=Options(**options))
    assert complaints(khronos_reads([target])[0]) == []
    return plain_gltf(target)


def worlds(document: Plain) -> dict[str, np.ndarray]:
    found = {}
    for node, world in document.nodes():
        extras = node.get("extras", {})
        if extras.get("kinegraph_kind") == "body":
            found[extras["kinegraph_name"]] = world
    return found


UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
"""Rotation from z up to the y up of glTF."""


def as_matrix(pose: Pose) -> np.ndarray:
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = matrix(pose.rot), pose.pos
    return found
