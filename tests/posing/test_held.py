"""A state in MJCF is held by the actuators of the joints, and the initial values of ros2_control are a named state:
judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import Context, InputError, Options
from converters.convert import convert, read
from converters.passes.keys import INITIAL
from converters.posing import named_poses, positions
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.posing.chains import posed
from tests.reports import comes_back, explained, of_rule

LINK = """<link name="%s"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
HINGE = """<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="0.2 0 0"/>
<axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="50" velocity="3"/></joint>"""
DRIVE = """<joint name="%s"><command_interface name="position"/>
<state_interface name="position"><param name="initial_value">%s</param></state_interface></joint>"""
ARM = f"""<robot name="arm"><link name="base"/>{LINK % "upper"}{LINK % "lower"}{HINGE % ("a", "base", "upper")}
{HINGE % ("b", "upper", "lower")}<ros2_control name="s" type="system">{DRIVE % ("a", 0.5)}{DRIVE % ("b", -1)}
</ros2_control></robot>"""

BODIES = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="a" axis="0 0 1" ref="10"/><geom size="0.1"/>
<body pos="0.5 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1"/></body></body></worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
<actuator>%s</actuator></mujoco>"""
SERVOS = {
    "position": '<position joint="a" kp="5"/><position joint="b" kp="5" kv="1"/>',
    "gear": '<position joint="a" kp="5" gear="-3"/><position joint="b" kp="5" gear="2"/>',
    "general": '<general joint="a" gainprm="5" biastype="affine" biasprm="0 -5"/><position joint="b"/>',
    "lag": '<position joint="a" kp="5" timeconst="0.1"/><position joint="b" kp="5"/>',
    "integrated": '<intvelocity joint="a" kp="5"/><intvelocity joint="b" kp="5" actrange="-2 2"/>',
    "tendon": '<position tendon="t" kp="5"/><position joint="b" kp="5"/>',
    "pid": '<pid joint="a" kp="5" kv="1"/><position joint="b" kp="5"/>',
    "pid that keeps": '<pid joint="a" kp="5" ki="2" slewmax="3" input="pos ff"/><pid joint="b" kp="5" ki="1"/>',
    "pid of speed": '<pid joint="b" input="vel" kp="0" kv="1"/><pid joint="a" kp="5" slewmax="2"/>',
    "beside": '<velocity joint="a"/><motor joint="b"/><position joint="a"/><position joint="b"/>',
}


def moved(path: Path, key: str) -> float:
    """Return how far MuJoCo moves the joints within half a second, without gravity."""
    model = mujoco_model(path)
    model.opt.gravity[:] = 0.0
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    start = data.qpos.copy()
    assert np.abs(start).max() > 0.1
    mujoco.mj_step(model, data, nstep=250)
    return float(np.abs(data.qpos - start).max())


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return saved(tmp_path / "arm.urdf", ARM)


@pytest.mark.parametrize("pose", [("initial",), ("b=0.3",)])
def test_states_made_for_mujoco_are_held(arm: Path, tmp_path: Path, pose: tuple[str, ...]) -> None:
    report = convert(arm, tmp_path / "arm.xml", options=Options(pose=pose))
    assert moved(tmp_path / "arm.xml", "pose") < 1e-12
    assert moved(tmp_path / "arm.xml", INITIAL) < 1e-12
    told = [(finding.where, finding.action) for finding in of_rule(report, "keys/controls")]
    assert told == [("keyframe/pose.controls", "derived")]


def test_what_holds_a_state_is_not_left_in_the_urdf(arm: Path, tmp_path: Path) -> None:
    convert(arm, tmp_path / "arm.xml")
    comes_back(arm, tmp_path / "arm.xml")


@pytest.mark.parametrize("servo", SERVOS)
def test_a_pose_of_an_mjcf_is_held_by_its_own_servos(tmp_path: Path, servo: str) -> None:
    path = saved(tmp_path / "two.xml", BODIES % SERVOS[servo])
    convert(path, tmp_path / "posed.xml", options=Options(pose=("b=20deg",)))
    assert moved(tmp_path / "posed.xml", "pose") < 1e-12


@pytest.mark.parametrize("between", ["sdf", "urdf", "glb"])
def test_a_pose_of_an_mjcf_is_held_after_another_format(tmp_path: Path, between: str) -> None:
    path = saved(tmp_path / "two.xml", BODIES % SERVOS["gear"])
    explained(convert(path, tmp_path / f"posed.{between}", options=Options(pose=("b=20deg",))))
    explained(convert(tmp_path / f"posed.{between}", tmp_path / "posed.xml"))
    for key in range(mujoco_model(tmp_path / "posed.xml").nkey):
        assert moved(tmp_path / "posed.xml", mujoco_model(tmp_path / "posed.xml").key(key).name) < 1e-12


def test_a_state_of_the_source_keeps_the_controls_that_it_has(tmp_path: Path) -> None:
    """A keyframe of MJCF without controls has controls of 0."""
    keys = '<keyframe><key name="own" qpos="0.2 0.4"/></keyframe></mujoco>'
    path = saved(tmp_path / "two.xml", (BODIES % SERVOS["position"]).replace("</mujoco>", keys))
    convert(path, tmp_path / "same.xml", options=Options(pose=("own",)))
    model = mujoco_model(tmp_path / "same.xml")
    assert model.key("own").ctrl.tolist() == [0.0, 0.0]
    assert model.key("pose").ctrl.tolist() == [0.2, 0.4]
    convert(path, tmp_path / "two.urdf")
    convert(tmp_path / "two.urdf", tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").key("own").ctrl.tolist() == [0.0, 0.0]


def test_the_start_of_ros2_control_is_known_by_its_name(arm: Path) -> None:
    scene = read(arm)
    context = posed("initial", "b=0.2")
    assert positions(scene, context) == {"a": (0.5,), "b": (0.2,)}
    assert [clip.name for clip in named_poses(scene, context)] == ["pose:initial"]
    with pytest.raises(InputError, match="its keyframes are initial"):
        positions(scene, posed("start"))
    assert not scene.tables["keyframe"]


@pytest.mark.parametrize("name", ["arm.glb", "arm.sdf", "out.urdf", "arm.xml", "arm.png"])
def test_the_start_is_a_pose_for_every_target(arm: Path, tmp_path: Path, name: str) -> None:
    convert(arm, tmp_path / name, options=Options(pose=("initial",)))
    assert (tmp_path / name).exists()


def test_a_pose_has_a_name(arm: Path, tmp_path: Path) -> None:
    """--pose-name: a state of the model, which --pose overrides; otherwise the name of the new state."""
    named = Options(pose_name="initial", pose=("b=0.3",))
    assert positions(read(arm), Context(file="", folder=tmp_path, options=named)) == {"a": (0.5,), "b": (0.3,)}
    convert(arm, tmp_path / "own.xml", options=Options(pose_name="initial"))
    convert(arm, tmp_path / "arm.xml", options=Options(pose_name="home", pose=("a=0.2",)))
    model = mujoco_model(tmp_path / "arm.xml")
    assert model.key("home").qpos.tolist() == [0.2, 0.0]
    own = mujoco_model(tmp_path / "own.xml")
    assert own.key("pose").qpos.tolist() == own.key("initial").qpos.tolist() == [0.5, -1.0]
    with pytest.raises(InputError, match=r"--pose-name home: the model has no keyframe of that name; .* initial"):
        convert(arm, tmp_path / "arm.png", options=Options(pose_name="home"))
    for word in ("", " ", "a\x01", "\udcff"):
        with pytest.raises(InputError, match="pose_name cannot be "):
            Options(pose_name=word)


@pytest.mark.parametrize(("suffix", "idle"), [("xml", False), ("sdf", False), ("glb", True), ("png", True)])
def test_a_name_that_the_target_has_no_place_for_is_told(arm: Path, tmp_path: Path, suffix: str, idle: bool) -> None:
    for name, told in (("home", idle), ("initial", False)):
        options = Options(pose_name=name, pose=("a=0.2",))
        report = convert(arm, tmp_path / f"{name}.{suffix}", options=options)
        assert [each.before for each in of_rule(report, "options/idle")] == [f"--pose-name {name}"] * told
