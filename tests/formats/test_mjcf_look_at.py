"""Cameras and lights that MuJoCo aims at a body look there in the initial pose, in formats that cannot aim them."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.convert import read
from tests.formats.sdf_text import converted, put, seen
from tests.formats.uncarried import bare
from tests.oracles import in_mujoco, sdf_elements
from tests.oracles.in_sdformat import sdformat_expands
from tests.oracles.plain_gltf import local, plain_gltf
from tests.reports import of_rule

MODEL = """<mujoco model="m"><worldbody>
  <camera name="wide" pos="1 -2 1.5" mode="targetbody" target="tool" euler="10 20 30"/>
  <camera name="over" pos=".3 .1 5" mode="targetbody" target="post"/>
  <light name="spot" pos="1 -2 3" mode="targetbodycom" target="base"/>
  <light name="fixed" pos="0 0 4" dir="1 0 -1" mode="trackcom"/>
  <body name="post" pos=".3 .1 0"><geom size=".1"/></body>
  <body name="base" pos=".1 .2 .3" euler="10 20 30"><geom size=".1"/>
    <camera name="mass" pos=".1 .2 1" mode="targetbodycom" target="base" fovy="50"/>
    <camera name="all" pos=".5 .2 1" mode="targetbodycom" target="world"/>
    <light name="lamp" pos="0 1 0" mode="targetbody" target="tool"/>
    <body name="arm" pos="0 0 .5" euler="40 0 10"><joint name="j" axis="0 1 0" ref="20"/>
      <geom size=".1" pos=".3 0 0"/><camera name="self" mode="targetbody" target="arm"/>
      <camera name="seldom" pos="0 1 0" euler="0 50 0" mode="track"/>
      <body name="tool" pos="0 0 .5"><joint name="k" axis="1 1 0" pos="0 0 .1"/>
        <geom type="capsule" size=".1 .2" pos=".2 .1 0"/></body></body></body></worldbody></mujoco>"""
CAMERAS = ("wide", "over", "mass", "all", "self", "seldom")
LIGHTS = ("spot", "fixed", "lamp")
TURNED = {"body/world.lights.spot.pose.rot", "body/base.lights.lamp.pose.rot"}


def views(path: Path) -> dict[str, np.ndarray]:
    """Return camera or light -> its position, and its axes or direction, in MuJoCo in the initial pose."""
    model = in_mujoco.mujoco_model(path)
    data = mujoco.MjData(model)
    data.joint("j").qpos[0] = math.radians(20)
    mujoco.mj_forward(model, data)
    found = {
        model.camera(each).name: np.concatenate([data.cam_xpos[each], data.cam_xmat[each]])
        for each in range(model.ncam)
    }
    lights = range(model.nlight)
    found |= {model.light(each).name: np.concatenate([data.light_xpos[each], data.light_xdir[each]]) for each in lights}
    return found


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_mujoco_sees_the_same_with_what_comes_of_the_plain_file(target: str, tmp_path: Path) -> None:
    source = put(tmp_path, MODEL, "source.xml")
    report, path = converted(tmp_path, source, f"there.{target}")
    if target == "sdf":
        seen(path)
        told = {each.where for each in of_rule(report, "mjcf/aim")}
        assert told == TURNED
        (reason,) = {each.reason for each in report.findings if each.rule == "sdf/camera" and each.action == "carried"}
        assert "without a target to track" in reason
    else:
        assert not sdformat_expands(path)["errors"]
        (reason,) = {each.reason for each in of_rule(report, "sdf/gazebo-words")}
        assert "no camera tracks a target" in reason
    _, back = converted(tmp_path, bare(path), "plain.xml")
    ours, theirs = views(source), views(back)
    names = (*CAMERAS, *LIGHTS) if target == "sdf" else ("mass", "all", "self", "seldom", "lamp")
    for name in names:
        assert theirs[name] == pytest.approx(ours[name], abs=1e-9), name


def test_the_nodes_of_a_glb_look_where_mujoco_looks(tmp_path: Path) -> None:
    source = put(tmp_path, MODEL, "source.xml")
    report, path = converted(tmp_path, source, "there.glb")
    nodes = plain_gltf(path).document["nodes"]
    above = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}
    upright = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # y is up in glTF
    expected = views(source)
    found = set()
    for number, node in enumerate(nodes):
        if node.get("name") not in expected or "mesh" in node:
            continue
        whole, at = np.eye(4), number
        while True:
            whole = local(nodes[at]) @ whole
            if at not in above:
                break
            at = above[at]
        axes = upright @ whole[:3, :3]
        facing = expected[node["name"]]
        if len(facing) == 12:
            assert axes == pytest.approx(facing[3:].reshape(3, 3), abs=1e-9), node["name"]
        else:
            assert -axes[:, 2] == pytest.approx(facing[3:], abs=1e-9), node["name"]
        assert upright @ whole[:3, 3] == pytest.approx(facing[:3], abs=1e-9), node["name"]
        found.add(node["name"])
    assert found == {*CAMERAS, *LIGHTS}
    told = {each.where for each in report.findings if each.rule == "mjcf/aim" and each.action == "approximated"}
    assert told == TURNED | {
        *("body/world.cameras.wide.pose.rot", "body/base.cameras.mass.pose.rot"),
        *("body/base.cameras.all.pose.rot", "body/arm.cameras.self.pose.rot"),
    }


@pytest.mark.parametrize("target", ["sdf", "urdf", "glb"])
def test_the_targets_come_back(target: str, tmp_path: Path) -> None:
    source = put(tmp_path, MODEL, "source.xml")
    report, path = converted(tmp_path, source, f"there.{target}")
    assert not [each for each in report.findings if each.action == "dropped"]
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []
    assert read(back) == read(source)
