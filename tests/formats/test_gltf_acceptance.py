"""Requirements of the glTF acceptance list that no other file here tests; each test has its number in its name."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from converters.context import InputError, Options
from converters.convert import convert, read
from ir.kinematics import forward
from ir.pose import compose, rotate
from ir.types import Box, Cylinder, Vec3
from tests.corpus.models import models
from tests.files import saved
from tests.formats.gltf_written import ARM, written
from tests.oracles import plain_urdf
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule


def test_2_the_robot_stands_upright_in_the_box_of_its_shapes(tmp_path: Path):
    document = written(tmp_path)
    corners = []
    for node, world in document.nodes():
        if "mesh" in node:
            for primitive in document.document["meshes"][node["mesh"]]["primitives"]:
                corners.append(document.triangles(primitive)[0] @ world[:3, :3].T + world[:3, 3])
    found = np.vstack(corners)
    scene = read(tmp_path / "robot.urdf")
    poses = forward(scene, {"grip": 0.01})
    expected: list[Vec3] = []
    for body in scene.bodies.values():
        for geom in body.geoms:
            if geom.role != "visual":
                continue
            at = compose(poses[body.name], geom.pose)
            if isinstance(geom.shape, Box):
                x, y, z = (value / 2 for value in geom.shape.size)
                points = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
            else:
                assert isinstance(geom.shape, Cylinder)
                r, half = geom.shape.radius, geom.shape.length / 2
                turns = [2 * math.pi * n / 48 for n in range(48)]
                points = [(r * math.cos(t), r * math.sin(t), side * half) for t in turns for side in (-1, 1)]
            for point in points:
                x, y, z = rotate(at.rot, point)
                expected.append((at.pos[0] + x, at.pos[1] + y, at.pos[2] + z))
    assert found.min(axis=0) == pytest.approx(np.min(expected, axis=0), abs=1e-5)
    assert found.max(axis=0) == pytest.approx(np.max(expected, axis=0), abs=1e-5)


def test_3_bytes_do_not_depend_on_the_seed_of_hashes(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(ARM)
    found = set()
    for seed in ("0", "1", "42"):
        target = tmp_path / "robot.glb"
        command = [sys.executable, "-m", "converters", "convert", str(tmp_path / "robot.urdf"), str(target)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"PYTHONHASHSEED": seed})
        found.add(target.read_bytes())
    assert len(found) == 1


def test_8_a_cycle_of_mimics_names_both_joints(tmp_path: Path):
    text = ARM.replace(
        '<limit lower="0.01" upper="0.05" effort="10" velocity="1"/>',
        '<limit lower="0.01" upper="0.05" effort="10" velocity="1"/><mimic joint="follow"/>',
    )
    (tmp_path / "robot.urdf").write_text(text)
    with pytest.raises(InputError, match=r"(?s)grip.*follow|follow.*grip"):
        convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")


def test_11_every_form_of_a_trajectory_gives_the_same_buffers(tmp_path: Path):
    times, shoulder, grip = [0.0, 0.5, 1.25], [0.0, 0.4, -0.3], [0.01, 0.03, 0.02]
    rows = list(zip(times, shoulder, grip, strict=True))
    (tmp_path / "a.csv").write_text("time,shoulder,grip\n" + "".join(f"{t!r},{s!r},{g!r}\n" for t, s, g in rows))
    points = [{"time": t, "positions": {"shoulder": s, "grip": g}} for t, s, g in rows]
    (tmp_path / "b.json").write_text(json.dumps(points))
    ros = "joint_names: [shoulder, grip]\npoints:\n" + "".join(
        f"- positions: [{s!r}, {g!r}]\n  time_from_start: {{sec: {int(t)}, nanosec: {int((t % 1) * 1e9)}}}\n"
        for t, s, g in rows
    )
    (tmp_path / "c.yaml").write_text(ros)
    np.save(tmp_path / "d.npy", np.array(rows))
    np.savez(tmp_path / "e.npz", t=times, q=np.array([shoulder, grip]).T, names=["shoulder", "grip"])
    (tmp_path / "f.yaml").write_text(ros.replace("{sec:", "{secs:").replace("nanosec:", "nsecs:"))
    found = []
    for name in ("a.csv", "b.json", "c.yaml", "d.npy", "e.npz", "f.yaml"):
        document = written(tmp_path, trajectory=(f"move={tmp_path / name}",))
        clip = document.document["animations"][0]
        assert clip["name"] == "move"
        found.append([document.array(each[key]).tobytes() for each in clip["samplers"] for key in ("input", "output")])
    assert found[0] and all(each == found[0] for each in found)


def test_12_keyframes_are_clips_by_name(tmp_path: Path):
    text = """<mujoco><worldbody><body name="a"><joint name="h" axis="0 0 1" pos="0 .5 0"/><geom size="1"/></body>
      </worldbody><keyframe><key name="home" qpos="0.6"/><key name="zero" qpos="0"/></keyframe></mujoco>"""
    document = written(tmp_path, text, suffix=".xml")
    assert [clip["name"] for clip in document.document["animations"]] == ["pose:home"]
    answer = three_shows([{"file": str(tmp_path / "robot.glb"), "clip": "pose:home", "time": 0.5}])[0]
    expected = forward(read(tmp_path / "robot.xml"), {"h": 0.6})["a"].pos
    world = np.reshape(answer["worlds"]["a"], (4, 4)).T
    assert (world[0, 3], -world[2, 3], world[1, 3]) == pytest.approx(expected, abs=1e-6)


def test_14_a_colour_comes_back_exactly(tmp_path: Path):
    document = written(tmp_path).document
    glass = next(each for each in document["materials"] if each["name"] == "glass")
    assert glass["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0.2140, 0.2140, 0.2140, 0.5], abs=1e-4)
    assert glass["alphaMode"] == "BLEND"
    assert read(tmp_path / "robot.glb").materials["glass"].rgba == (0.5, 0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("lower", "upper", "free"),
    [(-math.pi, math.pi, False), (-3.1416, 3.1416, False), (0, 4.7, False), (-2 * math.pi, 2 * math.pi, True)],
)
def test_18_limits_of_more_than_a_turn_are_none_for_an_engine_and_told(
    tmp_path: Path, lower: float, upper: float, free: bool
):
    """What Havok makes of the same bounds is tested in test_gltf_havok."""
    text = ARM.replace('<limit lower="-2" upper="5"', f'<limit lower="{lower!r}" upper="{upper!r}"')
    report = explained(convert(saved(tmp_path / "robot.urdf", text), tmp_path / "robot.glb"))
    told = [(each.where, each.action, each.before, each.after) for each in of_rule(report, "gltf/turns")]
    bounds = [("lower", repr(lower), ""), ("upper", repr(upper), "")]
    expected = [(f"joint/shoulder.dofs.0.{key}", "approximated", *each) for key, *each in bounds]
    assert told == (expected if free else [])
    assert read(tmp_path / "robot.glb").dofs()["shoulder"][1].upper == upper


@pytest.mark.parametrize(("robot", "told"), [("ur5_robot", True), ("ur5_joint_limited_robot", False)])
def test_18_a_real_robot_whose_joints_turn_twice_or_once(tmp_path: Path, robot: str, told: bool):
    (ur5,) = [model.path for model in models() if model.name.endswith(f"/{robot}.urdf")]
    report = explained(convert(ur5, tmp_path / "robot.glb"))
    found = of_rule(report, "gltf/turns")
    places = {place.path for each in found for place in each.sources}
    moving = [joint for joint in plain_urdf.load(ur5).joints.values() if joint.kind == "revolute"]
    assert len(moving) == 6  # the elbow turns once
    assert (len(places), sum(each.count for each in found)) == ((5, 10) if told else (0, 0))


@pytest.mark.parametrize(
    ("joints", "told"),
    [
        ('<joint axis="1 0 0"/><joint axis="1 1 0"/>', True),
        ('<joint axis="1 0 0" pos="0 0 1"/><joint axis="0 1 0"/>', True),
        ('<joint axis="1 0 0"/><joint axis="0 1 0"/>', False),
        ('<joint axis="1 0 0"/><joint axis="1 0 0"/>', True),
        ('<joint type="slide" axis="1 0 0"/><joint axis="-1 0 0"/>', True),
        ('<joint type="slide" axis="1 0 0"/><joint axis="1 0 0"/>', False),
        ('<joint type="ball"/><joint type="slide" axis="1 0 0"/>', True),
        ("<freejoint/>", False),
    ],
    ids=["askew", "apart", "at right angles", "twice", "opposite", "along one", "ball", "free"],
)
def test_a_joint_that_the_draft_has_no_words_for_is_told(tmp_path: Path, joints: str, told: bool):
    """Engines that implement the draft find a body there that has no joint."""
    body = f'<body name="a">{joints}<geom size="1"/></body>'
    (tmp_path / "robot.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    report = explained(convert(tmp_path / "robot.xml", tmp_path / "robot.glb"))
    nodes = plain_gltf(tmp_path / "robot.glb").document["nodes"]
    held = [each for each in nodes if "joint" in each.get("extensions", {}).get("KHR_physics_rigid_bodies", {})]
    assert len(held) == (not told and "free" not in joints)
    assert [(each.where, each.action) for each in of_rule(report, "gltf/no-draft")] == (
        [("joint/joint_a.dofs", "approximated")] if told else []
    )


def test_a_screw_has_no_words_in_the_draft_and_its_bounds_are_not_the_reason(tmp_path: Path):
    pitch = '<drake:screw_thread_pitch value="0.1"/>'
    screw = ARM.replace('type="revolute"', 'type="screw"', 1).replace("<limit", f"{pitch}<limit", 1)
    report = explained(convert(saved(tmp_path / "robot.urdf", screw), tmp_path / "robot.glb"))
    assert of_rule(report, "gltf/turns") == []
    (told,) = of_rule(report, "gltf/no-draft")
    assert (told.aspect, told.before, told.after) == ("draft.joint.kind", "screw", "free")


def outwards(model: Path) -> float:
    """Return the signed volume of the visible mesh, as viewers of a GLB of the model see it."""
    last = model.with_name("last.glb")
    convert(model, last, options=Options(audit=False))
    assert complaints(khronos_reads([last])[0]) == []
    document = plain_gltf(last)
    node, world = next((each, world) for each, world in document.nodes() if "mesh" in each)
    points, faces = document.triangles(document.document["meshes"][node["mesh"]]["primitives"][0])
    corners = (points @ world[:3, :3].T + world[:3, 3])[faces]
    volume = float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()) / 6
    turned = np.linalg.det(world[:3, :3]) < 0  # a mirroring node turns the winding (3.7.4)
    return -volume if turned else volume


@pytest.mark.parametrize("target", ["robot.glb", "robot.xml", "robot.sdf", "again.urdf"])
def test_28_mirrored_meshes_stay_outwards(tmp_path: Path, target: str):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    mesh = '<mesh filename="part.obj" scale="-1 1 2"/>'
    text = f'<robot name="r"><link name="l"><visual><geometry>{mesh}</geometry></visual></link></robot>'
    convert(saved(tmp_path / "robot.urdf", text), tmp_path / target)
    assert outwards(tmp_path / target) == pytest.approx(2 / 6, rel=1e-6)
