"""What moves in a written glTF, and its data for physics engines, judged by three.js and numpy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from converters.convert import convert, read
from ir.kinematics import forward
from tests.formats.gltf_written import UP, as_matrix, worlds, written
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained


def test_a_trajectory_turns_the_long_way_in_three(tmp_path: Path):
    """From 0 to 270 degrees: at half time it is at 135, although the short way would be at -45."""
    (tmp_path / "move.csv").write_text(f"time,shoulder\n0,0\n1,{math.radians(270)!r}\n")
    document = written(tmp_path, trajectory=(f"swing={tmp_path / 'move.csv'}",))
    clip = next(each for each in document.document["animations"] if each["name"] == "swing")
    turns = [
        document.array(clip["samplers"][channel["sampler"]]["output"])
        for channel in clip["channels"]
        if channel["target"]["path"] == "rotation"
    ]
    for track in turns:
        angles = 2 * np.arccos(np.clip(np.abs(np.einsum("ij,ij->i", track[1:], track[:-1])), 0, 1))
        assert angles.max() <= math.radians(60) + 1e-4
        assert np.einsum("ij,ij->i", track[1:], track[:-1]).min() > 0
    answer = three_shows([{"file": str(tmp_path / "robot.glb"), "clip": "swing", "time": 0.5}])[0]
    assert answer["errors"] == []
    expected = forward(read(tmp_path / "robot.urdf"), {"shoulder": math.radians(135), "grip": 0.01})
    for name, numbers in answer["worlds"].items():
        assert np.abs(np.reshape(numbers, (4, 4)).T - UP @ as_matrix(expected[name])).max() < 1e-4


def test_an_axis_beside_the_body_turns_about_itself_in_three(tmp_path: Path):
    """MuJoCo's joints have a position: a node that rotated and moved along straight lines would leave the circle."""
    text = """<mujoco><worldbody><body name="door" pos="1 0 0">
      <joint name="hinge" type="hinge" axis="0 0 1" pos="-1 0.5 0"/><joint name="tilt" axis="1 0 0" pos="0 0 1"/>
      <geom type="box" size="1 .1 1"/></body></worldbody></mujoco>"""
    (tmp_path / "move.csv").write_text("time,hinge,tilt\n0,0,0\n1,2,1\n")
    written(tmp_path, text, suffix=".xml", trajectory=(str(tmp_path / "move.csv"),))
    source = read(tmp_path / "robot.xml")
    name = plain_gltf(tmp_path / "robot.glb").document["animations"][0]["name"]
    times = (0.0, 0.13, 0.5, 0.77)
    answers = three_shows([{"file": str(tmp_path / "robot.glb"), "clip": name, "time": time} for time in times])
    for time, answer in zip(times, answers, strict=True):
        expected = forward(source, {"hinge": 2 * time, "tilt": time})
        found = np.reshape(answer["worlds"]["door"], (4, 4)).T
        assert np.abs(found - UP @ as_matrix(expected["door"])).max() < 1e-5


def test_what_floats_and_turns_besides_stands_where_it_floats_in_three(tmp_path: Path):
    """MuJoCo refuses a free joint with another joint; conversion to glTF works nevertheless."""
    text = """<mujoco><worldbody><body name="a" pos="1 2 3"><freejoint name="f"/><joint name="h" pos="0 .5 0"/>
      <geom size=".1"/></body></worldbody><keyframe><key name="home" qpos="4 5 6 0 1 0 0 .3"/></keyframe></mujoco>"""
    rest = worlds(written(tmp_path, text, suffix=".xml"))
    explained(convert(tmp_path / "robot.xml", tmp_path / "robot.glb"))
    source = read(tmp_path / "robot.xml")
    assert np.abs(rest["a"] - as_matrix(forward(source)["a"])).max() < 1e-6
    answer = three_shows([{"file": str(tmp_path / "robot.glb"), "clip": "pose:home", "time": 0.0}])[0]
    home = forward(source, dict(source.tables["keyframe"]["home"].positions))
    assert np.abs(np.reshape(answer["worlds"]["a"], (4, 4)).T - UP @ as_matrix(home["a"])).max() < 1e-6


def test_physics_says_masses_shapes_and_joints(tmp_path: Path):
    document = written(tmp_path).document
    assert {"KHR_physics_rigid_bodies", "KHR_implicit_shapes"} <= set(document["extensionsUsed"])
    assert "extensionsRequired" not in document
    upper = next(each for each in document["nodes"] if each.get("name") == "upper")
    motion = upper["extensions"]["KHR_physics_rigid_bodies"]["motion"]
    assert motion["mass"] == 2 and motion["centerOfMass"] == [0, 0, 0.2]
    tensor = np.array([[0.2, 0.01, 0], [0.01, 0.3, 0], [0, 0, 0.25]])
    assert sorted(motion["inertiaDiagonal"]) == pytest.approx(np.linalg.eigvalsh(tensor))
    shapes = document["extensions"]["KHR_implicit_shapes"]["shapes"]
    assert {shape["type"] for shape in shapes} == {"box", "sphere"}
    joints = document["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"]
    turning = next(joint for joint in joints if {"angularAxes": [0], "min": -2.0, "max": 5.0} in joint["limits"])
    assert {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0} in turning["limits"]
    assert {"angularAxes": [1, 2], "min": 0.0, "max": 0.0} in turning["limits"]
    assert turning["drives"] == [{"type": "angular", "mode": "force", "axis": 0, "velocityTarget": 0.0, "damping": 0.5}]


def test_attachment_frames_coincide_at_zero_and_their_x_is_the_axis(tmp_path: Path):
    document = written(tmp_path)
    number = {id(each): index for index, each in enumerate(document.document["nodes"])}
    places = {number[id(each)]: world for each, world in document.nodes()}
    for each, world in document.nodes():
        joint = each.get("extensions", {}).get("KHR_physics_rigid_bodies", {}).get("joint")
        if joint is not None and each["name"].startswith("shoulder"):
            other = places[joint["connectedNode"]]
            assert np.abs(world - other).max() < 1e-12
            upper = worlds(document)["upper"]
            assert world[:3, 0] == pytest.approx(upper[:3, 1])
            return
    raise AssertionError("no joint")
