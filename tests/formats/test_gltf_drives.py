"""The drive of an axis in glTF has the stiffness and damping of everything that acts on the joint in MuJoCo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import pytest

from converters.convert import convert
from ir.types import DofKind
from tests.files import saved
from tests.formats.gltf_arm import edited, told
from tests.formats.gltf_bodies import BODIES, HINGE, one, pendulum
from tests.formats.gltf_made import left, scene_of
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained

SPRING = 'damping="0.5" stiffness="3" springref="10"'
POSITION = '<position name="p" joint="j" kp="20" kv="1.5"{}/>'


def model(joint: str, actuators: str, key: str = "") -> str:
    body = f'<body><joint name="j" axis="0 1 0" {joint}/><geom size="0.1"/></body>'
    drives = f"<actuator>{actuators}</actuator>" if actuators else ""
    return f"<mujoco><worldbody>{body}</worldbody>{drives}{key}</mujoco>"


def drive(path: Path) -> dict[str, Any]:
    (joint,) = plain_gltf(path).document["extensions"][BODIES]["physicsJoints"]
    (found,) = joint["drives"]
    assert (found["type"], found["mode"]) == ("angular", "force")
    return found


@pytest.mark.parametrize(
    ("joint", "actuators", "aims"),
    [
        (SPRING, "", []),
        (SPRING + ' ref="20"', POSITION.format(""), [0.0]),
        ("", POSITION.format("") + '<motor name="m" joint="j"/>', [0.0, 0.0]),
        ("", POSITION.format("") + '<velocity name="v" joint="j" kv="2"/>', [0.0, 0.0]),
        (SPRING, POSITION.format(' gear="3"'), [0.0]),
        ("", '<position name="p" joint="j" gear="3"/>', [0.6]),
        ("", '<velocity name="v" joint="j" gear="2"/>', [0.6]),
        ("", POSITION.format(' gear="-3"') + '<velocity name="v" joint="j" kv="2" gear="0.5"/>', [1.2, 0.7]),
    ],
    ids=["spring", "zero", "motor", "two", "gear", "no kp", "no kv", "aims"],
)
def test_a_drive_pulls_as_all_actuators_of_its_joint_do(tmp_path: Path, joint: str, actuators: str, aims: list[float]):
    key = f'<keyframe><key name="as_drawn" ctrl="{" ".join(map(str, aims))}"/></keyframe>' if any(aims) else ""
    explained(convert(saved(tmp_path / "a.xml", model(joint, actuators, key)), tmp_path / "a.glb"))
    said = drive(tmp_path / "a.glb")
    assert "maxForce" not in said
    built = mujoco_model(tmp_path / "a.xml")
    built.opt.gravity[:] = 0
    data = mujoco.MjData(built)
    for place, speed in ((0.4, -0.7), (-1.1, 2.0)):
        data.qpos[0], data.qvel[0] = built.qpos0[0] + place, speed
        data.ctrl[:] = aims
        mujoco.mj_forward(built, data)
        pulled = said.get("stiffness", 0.0) * (said.get("positionTarget", 0.0) - place)
        braked = said.get("damping", 0.0) * (said.get("velocityTarget", 0.0) - speed)
        assert pulled + braked == pytest.approx(data.qfrc_passive[0] + data.qfrc_actuator[0])


@pytest.mark.parametrize(
    ("joint", "actuators", "most"),
    [
        ('damping="1" actuatorfrcrange="-6 6"', '<motor joint="j"/>', None),
        ('actuatorfrcrange="-6 6"', POSITION.format(""), 6.0),
        ('actuatorfrcrange="-6 6"', POSITION.format(' forcerange="-4 7"'), 4.0),
        ("", POSITION.format(' forcerange="-4 7" gear="3"'), 12.0),
        ("", POSITION.format(' forcerange="-4 4"') + '<velocity joint="j" kv="2" forcerange="-3 3"/>', 7.0),
    ],
    ids=["no servo", "joint", "both", "gear", "two"],
)
def test_a_drive_is_no_stronger_than_its_servos_and_its_joint(
    tmp_path: Path, joint: str, actuators: str, most: float | None
):
    """The actuator force range of a joint bounds actuators, but no damper."""
    explained(convert(saved(tmp_path / "a.xml", model(joint, actuators)), tmp_path / "a.glb"))
    assert drive(tmp_path / "a.glb").get("maxForce") == most


def test_what_drives_a_ball_about_one_axis_is_no_drive(tmp_path: Path):
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><body><joint name="j" type="ball"/><geom size="0.1"/></body></worldbody><actuator>'
        '<velocity joint="j" kv="2"/></actuator></mujoco>'
    )
    explained(convert(tmp_path / "m.xml", tmp_path / "m.glb"))


def test_a_ball_is_braked_about_all_axes(tmp_path: Path):
    body = '<body><joint name="j" type="ball" damping="2" stiffness="3"/><geom size="0.1"/></body>'
    (tmp_path / "a.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    explained(convert(tmp_path / "a.xml", tmp_path / "a.gltf"))
    document = json.loads((tmp_path / "a.gltf").read_text())
    (joint,) = document["extensions"][BODIES]["physicsJoints"]
    pull = {"positionTarget": 0.0, "stiffness": 3.0, "velocityTarget": 0.0, "damping": 2.0}
    drives = [{"type": "angular", "mode": "force", "axis": axis} | pull for axis in range(3)]
    assert joint["drives"] == drives
    for item in (*document["scenes"], *document["nodes"]):
        item.pop("extras", None)
    explained(convert(saved(tmp_path / "a.gltf", json.dumps(document)), tmp_path / "b.xml"))
    built = mujoco_model(tmp_path / "b.xml")
    assert (built.dof_damping.tolist(), built.jnt_stiffness.tolist()) == ([2.0] * 3, [3.0])


@pytest.mark.parametrize(
    "odd", [{"damping": 5.0}, {"mode": "acceleration"}, {"maxForce": 3.0}, {"velocityTarget": 1.0}]
)
def test_drives_that_turn_a_ball_unevenly_are_kept(odd: dict[str, Any]):
    drives = [{"type": "angular", "mode": "force", "axis": axis, "damping": 2.0} for axis in range(3)]
    drives[1] |= odd
    scene = scene_of(pendulum({"limits": HINGE[:1], "drives": drives}))
    _, dof = one(scene, "bob")
    assert (dof.kind, dof.damping) == (DofKind.BALL, 0.0)
    assert f"extensions/{BODIES}/physicsJoints/0/drives/0" in left(scene)


@pytest.mark.parametrize("said", [{"stiffness": 3.0, "positionTarget": 0.5, "damping": 1.0}, {"velocityTarget": 2.0}])
def test_what_a_drive_aims_at_comes_through(tmp_path: Path, said: dict[str, Any]):
    whole = {"type": "angular", "mode": "force", "axis": 0, "maxForce": 9.0, "damping": 0.5} | said
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": HINGE, "drives": [whole]}).glb())
    explained(convert(tmp_path / "a.glb", tmp_path / "b.glb"))
    assert drive(tmp_path / "b.glb") == {"velocityTarget": 0.0} | whole


def test_a_drive_that_was_edited_is_that_of_an_actuator_with_a_gear(tmp_path: Path):
    (tmp_path / "a.xml").write_text(model("", POSITION.format(' gear="2" forcerange="-4 4"')))
    convert(tmp_path / "a.xml", tmp_path / "a.gltf")

    def change(document: dict[str, Any]) -> None:
        document["extensions"][BODIES]["physicsJoints"][0]["drives"][0] |= {"stiffness": 120.0, "maxForce": 6.0}

    told(edited(tmp_path / "a.gltf", change), tmp_path / "b.xml")
    built = mujoco_model(tmp_path / "b.xml")
    assert (built.actuator_gainprm[0][0], built.actuator_gear[0][0]) == (30.0, 2.0)
    assert built.actuator_forcerange[0].tolist() == [-3.0, 3.0]


def test_a_servo_without_a_gain_of_its_own_that_is_edited_has_one(tmp_path: Path):
    (tmp_path / "a.xml").write_text(model("", '<position name="p" joint="j"/>'))
    convert(tmp_path / "a.xml", tmp_path / "a.gltf")

    def change(document: dict[str, Any]) -> None:
        document["extensions"][BODIES]["physicsJoints"][0]["drives"][0]["stiffness"] += 4.0

    told(edited(tmp_path / "a.gltf", change), tmp_path / "b.xml")
    assert mujoco_model(tmp_path / "b.xml").actuator_gainprm[0][0] == 5.0


@pytest.mark.parametrize("taken_out", [False, True])
def test_drives_that_were_taken_out_are_told_as_what_they_are(tmp_path: Path, taken_out: bool):
    (tmp_path / "a.xml").write_text(model('damping="0.3"', POSITION.format("").replace("1.5", "2")))
    convert(tmp_path / "a.xml", tmp_path / "a.gltf")

    def change(document: dict[str, Any]) -> None:
        joint = document["extensions"][BODIES]["physicsJoints"][0]
        joint.pop("drives") if taken_out else joint["drives"].clear()

    assert told(edited(tmp_path / "a.gltf", change), tmp_path / "b.xml").keys() == {"joint/j"}
    built = mujoco_model(tmp_path / "b.xml")
    assert (built.dof_damping[0], built.actuator_gainprm[0][0]) == (0.0, 0.0)


def test_joints_of_a_document_of_ours_without_its_graph_keep_their_names(tmp_path: Path):
    convert(saved(tmp_path / "a.xml", model("", POSITION.format(""))), tmp_path / "a.gltf")

    def bare(document: dict[str, Any]) -> None:
        for item in (*document["scenes"], *document["nodes"]):
            item.pop("extras", None)

    explained(convert(edited(tmp_path / "a.gltf", bare), tmp_path / "b.xml"))
    built = mujoco_model(tmp_path / "b.xml")
    assert [built.joint(number).name for number in range(built.njnt)] == ["j"]


def test_the_report_says_of_each_joint_and_mass_what_stands_in_the_draft(tmp_path: Path):
    inertia = '<inertial pos="0 0 0" mass="{}" diaginertia="{}"/>'
    bodies = "".join(
        f'<body>{inertia.format(*weight)}<joint name="{name}" axis="0 1 0" {words}/></body>'
        for name, words, weight in (
            ("plain", 'damping="1" range="-1 1" limited="true"', (2, "1 1 1")),
            ("more", 'armature="0.1"', (2, "1 1 1")),
            ("wide", 'range="-5 5" limited="true"', (2, "1 1 1")),
        )
    )
    bodies += f"<body>{inertia.format(2, '1 1 1')}<freejoint name='free'/></body>"
    (tmp_path / "a.xml").write_text(f"<mujoco><compiler angle='radian'/><worldbody>{bodies}</worldbody></mujoco>")
    report = convert(tmp_path / "a.xml", tmp_path / "a.glb")
    said = {each.where: each.reason for each in report.findings if each.rule == "gltf/joint"}
    whole = {where.partition(".")[0] for where, reason in said.items() if "all of it" in reason}
    part = {where.partition(".")[0] for where, reason in said.items() if "dampers are in" in reason}
    none = {where.partition(".")[0] for where, reason in said.items() if "cannot express this" in reason}
    assert (whole, part, none) == ({"joint/plain"}, {"joint/more", "joint/wide"}, {"joint/free"})
    assert all("all of it" in each.reason for each in report.findings if each.rule == "gltf/inertia")
    joints = plain_gltf(tmp_path / "a.glb").document["extensions"][BODIES]["physicsJoints"]
    assert {"angularAxes": [0], "min": -1.0, "max": 1.0} in joints[0]["limits"]
