"""Gazebo systems that drive joints become MuJoCo actuators; their forces are judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import Options, convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, complete, of_rule

SDF = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><link name="c"/>
<joint name="base" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="k" type="prismatic"><parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint>
{}</model></sdf>"""
URDF = """<robot name="m"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>
<gazebo>{}</gazebo></robot>"""
NAMES = {
    "joint-position-controller": "JointPositionController",
    "joint-controller": "JointController",
    "apply-joint-force": "ApplyJointForce",
    "diff-drive": "DiffDrive",
    "mecanum-drive": "MecanumDrive",
    "ackermann-steering": "AckermannSteering",
    "joint-trajectory-controller": "JointTrajectoryController",
}


def system(name: str, said: str, library: str = "gz-sim-{}-system") -> str:
    file = library.format(name)
    return f'<plugin filename="{file}" name="gz::sim::systems::{NAMES[name]}">{said}</plugin>'


def written(folder: Path, text: str, form: str = "sdf") -> Path:
    return saved(folder / f"in.{form}", (SDF if form == "sdf" else URDF).format(text))


def force(model: mujoco.MjModel, command: float, position: float, velocity: float) -> float:
    data = mujoco.MjData(model)
    data.qpos[0], data.qvel[0], data.ctrl[0] = position, velocity, command
    mujoco.mj_forward(model, data)
    return float(data.actuator_force[0])


PD = "<joint_name>j</joint_name><p_gain>50</p_gain><i_gain>2</i_gain><d_gain>4</d_gain><cmd_max>9</cmd_max>"


@pytest.mark.parametrize("form", ["sdf", "urdf"])
@pytest.mark.parametrize(
    "library",
    ["gz-sim-{}-system", "libgz-sim8-{}-system.so", "ignition-gazebo-{}-system", "libignition-gazebo6-{}-system.so"],
)
def test_a_position_controller_is_a_servo_with_its_gains(tmp_path: Path, form: str, library: str) -> None:
    source = written(tmp_path, system("joint-position-controller", PD, library), form)
    report = convert(source, tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert force(model, 0.1, 0.3, -0.2) == pytest.approx(50 * (0.1 - 0.3) - 4 * -0.2, abs=1e-12)
    assert force(model, 1.0, 0.0, 0.0) == 9  # cmd_max
    assert force(model, -90.0, 0.0, 0.0) == -1000  # what cmd_min is where nothing says it
    assert not [each for each in report.findings if each.rule in ("actuators/none", "actuators/gain")]
    complete(comes_back(source, tmp_path / "m.xml"))


def test_velocities_and_forces(tmp_path: Path) -> None:
    forced = "<joint_name>j</joint_name><use_force_commands>true</use_force_commands><p_gain>3</p_gain>"
    convert(written(tmp_path, system("joint-controller", forced)), tmp_path / "v.xml")
    model = mujoco_model(tmp_path / "v.xml")
    assert force(model, 2.0, 0.7, 0.5) == pytest.approx(3 * 1.5, abs=1e-12)
    convert(written(tmp_path, system("apply-joint-force", "<joint_name>j</joint_name>")), tmp_path / "f.xml")
    assert force(mujoco_model(tmp_path / "f.xml"), 2.5, 0.7, 0.5) == 2.5


@pytest.mark.parametrize(
    ("name", "wheels", "first"),
    [
        ("diff-drive", "<left_joint>j</left_joint><right_joint>k</right_joint>", "velocity"),
        ("mecanum-drive", "<front_left_joint>j</front_left_joint><back_right_joint>k</back_right_joint>", "velocity"),
        ("ackermann-steering", "<left_steering_joint>j</left_steering_joint><left_joint>k</left_joint>", "position"),
    ],
)
def test_a_command_that_is_met_at_once_has_no_gains_and_that_is_told(
    tmp_path: Path, name: str, wheels: str, first: str
) -> None:
    said = f"{wheels}<wheel_separation>1</wheel_separation>"
    report = convert(written(tmp_path, system(name, said)), tmp_path / "m.xml")
    drives = etree.parse(tmp_path / "m.xml").find("actuator")
    assert [(each.tag, each.get("joint")) for each in drives] == [(first, "j"), ("velocity", "k")]
    assert [each.count for each in report.findings if each.rule == "actuators/gain"] == [2]


GAINS = """<position_p_gain>20</position_p_gain><position_i_gain>0.4</position_i_gain>
<position_d_gain>3</position_d_gain><position_cmd_min>-6</position_cmd_min><position_cmd_max>5</position_cmd_max>
<velocity_p_gain>0</velocity_p_gain><velocity_p_gain>0.6</velocity_p_gain>"""


@pytest.mark.parametrize("named", ["<joint_name>j</joint_name><joint_name>k</joint_name>", ""], ids=["named", "all"])
@pytest.mark.parametrize("form", ["sdf", "urdf"])
def test_each_joint_of_a_trajectory_has_its_own_gains(tmp_path: Path, form: str, named: str) -> None:
    source = written(tmp_path, system("joint-trajectory-controller", f"{named}{GAINS}"), form)
    convert(source, tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert force(model, 0.1, 0.3, -0.2) == pytest.approx(20 * (0.1 - 0.3) - 3 * -0.2, abs=1e-12)
    assert (force(model, 9.0, 0.0, 0.0), force(model, -9.0, 0.0, 0.0)) == (5, -6)
    if form == "sdf":
        (second,) = etree.parse(tmp_path / "m.xml").iter("velocity")
        assert dict(second.attrib) == {"name": "k", "joint": "k", "kv": "0.6"}
    complete(comes_back(source, tmp_path / "m.xml"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", 0.7),
        ("<velocity_p_gain>3</velocity_p_gain>", 3 * (0.7 - -0.2)),
        ("<position_p_gain>2</position_p_gain><velocity_p_gain>3</velocity_p_gain>", 2 * (0.7 - 0.3) - 3 * -0.2),
        ("<position_p_gain>2</position_p_gain><position_cmd_max>0.5</position_cmd_max>", 0.5),
        ("<position_p_gain>2</position_p_gain><position_cmd_max>-3</position_cmd_max>", 2 * (0.7 - 0.3)),
    ],
    ids=["a force", "a velocity", "both", "from 0 on", "limits the wrong way round"],
)
def test_what_drives_a_joint_along_a_trajectory(tmp_path: Path, said: str, expected: float) -> None:
    convert(
        written(tmp_path, system("joint-trajectory-controller", f"<joint_name>j</joint_name>{said}")),
        tmp_path / "m.xml",
    )
    model = mujoco_model(tmp_path / "m.xml")
    assert (model.nu, force(model, 0.7, 0.3, -0.2)) == (1, pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize(
    "plugins",
    [
        system("joint-trajectory-controller", "<joint_name>j</joint_name><position_p_gain>much</position_p_gain>"),
        system("joint-position-controller", PD.replace(">j<", ">nobody<")),
        system("joint-position-controller", PD.replace(">50<", ">many<")),
        system("joint-position-controller", f"{PD}<joint_index>1</joint_index>"),
        system("joint-position-controller", f"{PD}<joint_index>0.5</joint_index>"),
        '<plugin filename="gz-sim-wheel-slip-system" name="x"><joint_name>j</joint_name></plugin>',
        '<plugin filename="my-joint-controller-system-of-mine" name="x"><joint_name>j</joint_name></plugin>',
    ],
    ids=["no gain", "nobody", "no number", "an axis that is not there", "no axis", "another system", "another library"],
)
def test_what_drives_nothing_stays_carried(tmp_path: Path, plugins: str) -> None:
    report = convert(written(tmp_path, plugins), tmp_path / "m.xml")
    assert mujoco_model(tmp_path / "m.xml").nu == 0
    assert [each.action for each in report.findings if each.rule == "mjcf/simulator-block"] == ["carried"]


def test_of_two_controllers_of_a_joint_the_first_counts(tmp_path: Path) -> None:
    both = system("apply-joint-force", "<joint_name>j</joint_name>") + system("joint-position-controller", PD)
    convert(written(tmp_path, both), tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert model.nu == 1
    assert force(model, 2.5, 0.7, 0.5) == 2.5


def test_an_edited_gain_is_one_of_a_controller_again(tmp_path: Path) -> None:
    convert(written(tmp_path, system("joint-position-controller", PD)), tmp_path / "m.xml")
    (tmp_path / "m.xml").write_text((tmp_path / "m.xml").read_text().replace('kp="50"', 'kp="60"'))
    convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    (plugin,) = etree.parse(tmp_path / "back.sdf").iter("plugin")
    assert (plugin.findtext("p_gain"), plugin.findtext("d_gain"), plugin.findtext("cmd_max")) == ("60", "4", "9")


MJCF = """<mujoco model="m"><worldbody><geom type="plane" size="1 1 1"/><body name="b">
<inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/><joint name="i" axis="1 0 0"/><joint name="j" axis="0 1 0"/>
<geom size=".1"/><body name="c"><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/><joint name="k" type="slide"/>
<body name="d"><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/><joint name="l"/></body></body></body></worldbody>
<actuator>
<general name="J" joint="j" gainprm="4500" biastype="affine" biasprm="0 -4500 -450" ctrlrange="-2 2"
forcerange="-87 80"/>
<position name="K" joint="k" kp="3" kv="1" gear="-2" forcerange="-5 7"/><motor name="I" joint="i" gear="5"/>
<velocity name="L" joint="l" kv="8"/><motor name="second" joint="j"/></actuator></mujoco>"""


def places(plugin: etree._Element) -> tuple[str, str]:
    return plugin.findtext("joint_name"), plugin.findtext("joint_index", "0")


def test_motors_and_servos_of_mujoco_are_systems_of_gazebo(tmp_path: Path) -> None:
    report = complete(convert(saved(tmp_path / "m.xml", MJCF), tmp_path / "m.sdf"))
    root = etree.parse(tmp_path / "m.sdf")
    (model,) = {each.getparent() for each in root.iter("plugin")}
    found = {
        "ijkl"[count]: {item.tag: item.text for item in each if item.tag != "joint_name"}
        | {"": each.get("filename").removeprefix("gz-sim-").removesuffix("-system")}
        for count, each in enumerate(sorted(root.iter("plugin"), key=places))
    }
    names = [each.findtext("joint_name") for each in sorted(root.iter("plugin"), key=places)]
    assert names == ["joint_b", "joint_b", "k", "l"]
    assert model.find("joint[@name='joint_b']").get("type") == "universal"  # two axes of one body
    limits = {"cmd_min": "-1e+16", "cmd_max": "1e+16"}
    assert found == {
        "i": {"": "apply-joint-force"},
        "j": {
            "joint_index": "1",
            "": "joint-position-controller",
            "p_gain": "4500",
            "d_gain": "450",
            "i_gain": "0",
            "cmd_min": "-87",
            "cmd_max": "80",
        },
        "k": {
            "": "joint-position-controller",
            "p_gain": "12",
            "d_gain": "4",
            "i_gain": "0",
            "cmd_min": "-14",
            "cmd_max": "10",
        },
        "l": {"": "joint-controller", "use_force_commands": "true", "p_gain": "8", "d_gain": "0", "i_gain": "0"}
        | limits,
    }
    assert {each.action for each in report.findings if each.aspect == "actuator"} == {"carried"}  # none of it is silent
    comes_back(tmp_path / "m.xml", tmp_path / "m.sdf")


def test_a_controller_that_is_edited_or_taken_out_is_so_in_mujoco(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(MJCF.replace('<motor name="second" joint="j"/>', ""))
    convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    tree = etree.parse(tmp_path / "m.sdf")
    for plugin in list(tree.iter("plugin")):
        if places(plugin) == ("joint_b", "1"):
            plugin.find("p_gain").text = "4600"
        elif places(plugin) == ("l", "0"):
            plugin.getparent().remove(plugin)
    tree.write(tmp_path / "m.sdf")
    report = convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    driven = [model.joint(int(model.actuator_trnid[index][0])).name for index in range(model.nu)]
    assert sorted(driven) == ["i", "j", "k"]
    gains = {
        name: model.actuator_gainprm[index][0] for index, name in enumerate(driven) if model.actuator_biasprm[index][1]
    }
    assert gains == {"j": 4600.0, "k": 3.0}
    assert {"actuator/J", "actuator/L"} <= {each.where for each in report.findings if each.rule == "carried/stale"}


@pytest.mark.parametrize("parameter", ["joint_name", "left_joint", "joint"])
def test_a_controller_names_its_joint_as_the_sdf_does(tmp_path: Path, parameter: str) -> None:
    """A URDF may have a link and a joint with the same name, an SDF may not."""
    library = "gz-sim-joint-position-controller-system"
    said = f"<{parameter}> b </{parameter}><joint_name>other</joint_name><p_gain>50</p_gain>"
    plugin = f'<plugin filename="{library}" name="x">{said}</plugin>'
    (tmp_path / "m.urdf").write_text(URDF.format(plugin).replace('joint name="j"', 'joint name="b"'))
    complete(convert(tmp_path / "m.urdf", tmp_path / "m.sdf"))
    root = etree.parse(tmp_path / "m.sdf")
    assert [each.get("name") for each in root.findall("model/joint")] == ["b_joint"]
    said = root.findtext(f".//plugin/{parameter}"), root.findtext(".//plugin/joint_name[last()]")
    assert said == (" b_joint ", "other")
    convert(tmp_path / "m.urdf", tmp_path / "same.urdf")
    complete(convert(tmp_path / "m.sdf", tmp_path / "back.urdf"))
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()
    (tmp_path / "m.sdf").write_text((tmp_path / "m.sdf").read_text().replace("<p_gain>50<", "<p_gain>60<"))
    convert(tmp_path / "m.sdf", tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_text() == (tmp_path / "same.urdf").read_text().replace(">50<", ">60<")


def test_which_actuators_of_a_joint_have_no_system_is_told(tmp_path: Path) -> None:
    body = '<body><joint name="j"/><geom size="0.1"/></body>'
    drives = '<position name="p" joint="j" kp="3"/><motor name="m" joint="j"/><velocity name="v" joint="j" kv="2"/>'
    (tmp_path / "a.xml").write_text(f"<mujoco><worldbody>{body}</worldbody><actuator>{drives}</actuator></mujoco>")
    report = convert(tmp_path / "a.xml", tmp_path / "a.sdf")
    assert (tmp_path / "a.sdf").read_text().count("<joint_name>") == 1
    assert {each.where for each in of_rule(report, "sdf/second-actuator")} == {"actuator/m", "actuator/v"}
    assert [each.where for each in of_rule(report, "sdf/actuator")] == ["actuator/p"]


TRAJECTORY = "<joint_name>j</joint_name><position_p_gain>5</position_p_gain><position_d_gain>-4</position_d_gain>"


@pytest.mark.parametrize(
    ("name", "said"),
    [("joint-position-controller", PD.replace("<d_gain>", "<d_gain>-")), ("joint-trajectory-controller", TRAJECTORY)],
)
def test_a_controller_that_drives_on_is_no_servo_of_mujoco_which_refuses_one(
    tmp_path: Path, name: str, said: str
) -> None:
    source = written(tmp_path, system(name, said))
    report = convert(source, tmp_path / "m.xml")
    assert mujoco_model(tmp_path / "m.xml").nu == 0
    assert [each.before for each in of_rule(report, "actuators/none")] == ["joints that nothing drives: 2"]
    complete(comes_back(source, tmp_path / "m.xml"))


INTEGRATED = 'dyntype="integrator" gainprm="20" biastype="affine" biasprm="0 -20 -3"'
SUMMED = [
    '<intvelocity name="s" joint="j" gear="2" kp="20" kv="3"/>',
    f'<general name="s" joint="j" gear="2" {INTEGRATED}/>',
]


@pytest.mark.parametrize("actuator", SUMMED)
def test_a_servo_of_summed_velocities_has_an_integral_gain(tmp_path: Path, actuator: str) -> None:
    """Its force is kp * (setpoint - q) - kv * v, and the setpoint the integral of the commands."""
    world = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    text = f"<mujoco>{world}<actuator>{actuator}</actuator></mujoco>"
    convert(saved(tmp_path / "m.xml", text), tmp_path / "m.sdf")
    (plugin,) = etree.parse(tmp_path / "m.sdf").iter("plugin")
    gains = {item.tag: item.text for item in plugin}
    # at the joint: gear squared; i_gain is of the velocity error, whose integral is the error of the position
    assert (gains["p_gain"], gains["i_gain"], gains["d_gain"]) == ("12", "80", "0")
    assert (gains["i_min"], gains["i_max"]) == ("-1e+16", "1e+16")  # without them the integral is at most 1 N m
    comes_back(tmp_path / "m.xml", tmp_path / "m.sdf")
    convert(tmp_path / "m.sdf", tmp_path / "bare.sdf", options=Options(carry=False))
    convert(tmp_path / "bare.sdf", tmp_path / "n.xml")
    model = mujoco_model(tmp_path / "n.xml")
    data = mujoco.MjData(model)
    data.act[0], data.qpos[0], data.qvel[0] = 0.5, 0.2, 0.1
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[0] == pytest.approx(80 * 0.3 - 12 * 0.1, abs=1e-12)


@pytest.mark.parametrize(("first", "expected"), [("joint-controller", [1.5]), ("apply-joint-force", [0.0])])
def test_the_first_velocity_of_a_controller_is_the_first_command(
    tmp_path: Path, first: str, expected: list[float]
) -> None:
    said = "<joint_name>j</joint_name><initial_velocity>1.5</initial_velocity>"
    plugins = system(first, said) + system("joint-controller", said)
    convert(written(tmp_path, plugins), tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert model.nkey == (expected != [0.0])
    assert not model.nkey or [*model.key_ctrl[0]] == expected


def test_a_trajectory_starts_where_its_joints_are_told_to(tmp_path: Path) -> None:
    gains = "<position_p_gain>5</position_p_gain>" * 2
    starts = "<initial_position>0.5</initial_position><initial_position>0.2</initial_position>"
    plugin = system(
        "joint-trajectory-controller", f"<joint_name>k</joint_name><joint_name>j</joint_name>{gains}{starts}"
    )
    convert(written(tmp_path, plugin), tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    commands = {model.joint(int(model.actuator_trnid[n][0])).name: model.key_ctrl[0][n] for n in range(model.nu)}
    assert commands == {"k": 0.5, "j": 0.2}
