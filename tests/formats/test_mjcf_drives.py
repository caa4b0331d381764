"""MJCF actuators as drives of URDF and SDFormat joints: efforts, transmissions, ros2_control, and back."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree
from numpy.typing import NDArray
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

from converters.convert import convert, read
from converters.report.model import Action
from tests.files import saved
from tests.formats.uncarried import bare
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf, check_urdf_3
from tests.reports import comes_back, complete, of_rule

UNIT = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
HEAVY = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
ARM = """<body name="b1"><joint name="j1" axis="0 1 0" {0}/>{2}<body name="b2" pos="0 0 .5">
  <joint name="j2" axis="0 1 0" range="-90 90" {1}/>{2}</body></body>"""
TWO = ('actuatorfrcrange="-40 40"', 'actuatorfrcrange="-30 50"')
DRIVES = """<motor name="m1" joint="j1" gear="50" ctrlrange="-.5 .5"/>
  <position name="p2" joint="j2" kp="100" dampratio="1" forcerange="-20 20"/>"""


def written(folder: Path, drives: str, first: str = "", second: str = "", more: str = "") -> Path:
    path = folder / "m.xml"
    bodies = ARM.format(first, second, HEAVY)
    path.write_text(f'<mujoco model="arm"><worldbody>{bodies}</worldbody>{more}<actuator>{drives}</actuator></mujoco>')
    return path


def planted(path: Path) -> MultibodyPlant:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.Finalize()
    return plant


def in_drake(urdf: Path) -> dict[str, tuple[str, float]]:
    """Return actuator -> its joint and effort limit."""
    plant = planted(urdf)
    found = [plant.get_joint_actuator(index) for index in plant.GetJointActuatorIndices()]
    return {each.name(): (each.joint().name(), each.effort_limit()) for each in found}


def efforts(urdf: Path) -> dict[str, float]:
    return {
        joint.get("name"): float(joint.find("limit").get("effort"))
        for joint in etree.parse(urdf).iter("joint")
        if joint.find("limit") is not None
    }


def commands(urdf: Path) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return joint and command interface of ros2_control -> min and max, if given."""
    return {
        (joint.get("name"), command.get("name")): tuple(float(param.text) for param in command)
        for joint in etree.parse(urdf).findall("ros2_control/joint")
        for command in joint.findall("command_interface")
    }


def test_drake_has_the_actuators_of_a_urdf(tmp_path: Path) -> None:
    source = written(tmp_path, DRIVES, *TWO)
    complete(convert(source, tmp_path / "m.urdf"))
    assert check_urdf(tmp_path / "m.urdf") is check_urdf_3(tmp_path / "m.urdf") is None
    assert in_drake(tmp_path / "m.urdf") == {"m1": ("j1", 25.0), "p2": ("j2", 20.0)}
    root = etree.parse(tmp_path / "m.urdf").getroot()
    assert [item.text for item in root.iter("hardwareInterface")] == [
        "hardware_interface/EffortJointInterface",
        "hardware_interface/PositionJointInterface",
    ]
    assert [float(item.text) for item in root.iter("mechanicalReduction")] == [50.0, 1.0]
    assert root.find("ros2_control/hardware/plugin").text
    assert commands(tmp_path / "m.urdf") == {("j1", "effort"): (-25.0, 25.0), ("j2", "position"): ()}


def test_libsdformat_has_the_efforts(tmp_path: Path) -> None:
    complete(convert(written(tmp_path, DRIVES, *TWO), tmp_path / "m.sdf"))
    assert not sdformat_reads(tmp_path / "m.sdf")["errors"]
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(tmp_path / "m.sdf"))
    plant.Finalize()
    found = [plant.get_joint_actuator(index) for index in plant.GetJointActuatorIndices()]
    assert {each.joint().name(): each.effort_limit() for each in found} == {"j1": 25.0, "j2": 20.0}


def test_the_way_back_is_exact(tmp_path: Path) -> None:
    source = written(tmp_path, DRIVES, *TWO)
    for suffix in ("urdf", "sdf", "glb"):
        convert(source, tmp_path / f"m.{suffix}")
        assert read(tmp_path / f"m.{suffix}") == read(source)
        convert(tmp_path / f"m.{suffix}", tmp_path / f"{suffix}.xml")
        assert read(tmp_path / f"{suffix}.xml") == read(source)


def test_mujoco_has_the_drives_of_the_plain_urdf_once(tmp_path: Path) -> None:
    source = written(tmp_path, DRIVES, *TWO)
    convert(source, tmp_path / "m.urdf")
    plain = bare(tmp_path / "m.urdf")
    complete(convert(plain, tmp_path / "back.xml"))
    model = mujoco_model(tmp_path / "back.xml")
    assert [model.actuator(number).name for number in range(model.nu)] == ["m1", "p2"]
    assert model.actuator("m1").gear[0] == 50
    assert model.actuator("m1").ctrlrange.tolist() == [-0.5, 0.5]
    original = mujoco_model(source)
    assert model.actuator("m1").gainprm[0] == original.actuator("m1").gainprm[0]
    before = plain.read_text()
    convert(tmp_path / "back.xml", tmp_path / "again.urdf")
    assert (tmp_path / "again.urdf").read_text() == before
    convert(plain, tmp_path / "same.urdf")
    assert (tmp_path / "same.urdf").read_text() == before


LEFT = [
    # joints, actuators, efforts of j1 and j2: the range of the joint, and what the actuators do together
    ("", "", "", (1e9, 1e9)),
    ('actuatorfrcrange="-3 7"', "", "", (7.0, 1e9)),
    ('actuatorfrcrange="-3 3" actuatorfrclimited="false"', "", "", (1e9, 1e9)),
    ("", "", '<motor joint="j1" gear="-4" ctrlrange="-1 3"/>', (12.0, 1e9)),
    ("", "", '<motor joint="j1" gear="2" ctrlrange="-1 1" forcerange="-.5 .25"/>', (1.0, 1e9)),
    ("", "", '<motor joint="j1" ctrlrange="-1 1"/><motor jointinparent="j1" ctrlrange="-2 2"/>', (3.0, 1e9)),
    ("", "", '<motor joint="j1" ctrlrange="-1 1"/><motor joint="j1"/>', (1e9, 1e9)),
    ("", 'actuatorfrcrange="-5 5"', '<velocity joint="j2" kv="2" ctrlrange="-1 1"/>', (1e9, 5.0)),
    ("", "", '<general joint="j2" gainprm="9" ctrlrange="-1 1" forcerange="-4 4" gear="2"/>', (1e9, 8.0)),
    ("", "", '<motor joint="j1" ctrlrange="-1 1"/><motor tendon="t"/>', (1e9, 1e9)),
    ('actuatorfrcrange="-.5 9"', "", '<motor joint="j1" ctrlrange="-1.25 .25"/>', (0.5, 1e9)),
    ("", "", '<motor joint="j1" ctrlrange="-1 .5"/><motor joint="j1" gear="-1" ctrlrange="-2 .5"/>', (2.5, 1e9)),
]


@pytest.mark.parametrize(("first", "second", "drives", "expected"), LEFT)
def test_the_effort_of_a_joint(tmp_path: Path, first: str, second: str, drives: str, expected: tuple) -> None:
    more = '<tendon><fixed name="t"><joint joint="j1" coef="1"/></fixed></tendon>' if "tendon" in drives else ""
    source = written(tmp_path, drives, first, second, more)
    mujoco_model(source)
    complete(convert(source, tmp_path / "m.urdf"))
    found = efforts(tmp_path / "m.urdf")
    assert (found.get("j1", 1e9), found["j2"]) == expected
    assert read(tmp_path / "m.urdf") == read(source)


def test_no_more_than_the_effort_comes_out_of_the_actuators(tmp_path: Path) -> None:
    source = written(tmp_path, DRIVES, *TWO)
    convert(source, tmp_path / "m.urdf")
    model = mujoco_model(source)
    data = mujoco.MjData(model)
    most = np.zeros(2)
    for number in range(200):
        data.ctrl[:] = np.random.default_rng(number).uniform(-100, 100, 2)
        mujoco.mj_forward(model, data)
        most = np.maximum(most, np.abs(data.qfrc_actuator))
    assert most == pytest.approx(list(efforts(tmp_path / "m.urdf").values()))


def test_actuators_that_are_switched_off_do_nothing(tmp_path: Path) -> None:
    drives = """<motor joint="j1" ctrlrange="-9 9" group="2"/><motor joint="j1" ctrlrange="-3 3"/>
      <motor joint="j2" ctrlrange="-9 9"/><motor joint="j2" group="2"/>"""
    source = written(tmp_path, drives, more='<option actuatorgroupdisable="1 2"/>')
    complete(convert(source, tmp_path / "m.urdf"))
    model = mujoco_model(source)
    data = mujoco.MjData(model)
    data.ctrl[:] = 100.0
    mujoco.mj_forward(model, data)
    assert list(efforts(tmp_path / "m.urdf").values()) == data.qfrc_actuator.tolist() == [3.0, 9.0]
    assert read(tmp_path / "m.urdf") == read(source)


def test_two_drives_of_a_joint_and_what_no_transmission_says(tmp_path: Path) -> None:
    drives = """<position name="p" joint="j1" ctrlrange="-1 2"/>
      <velocity name="v" joint="j1" gear="2" ctrlrange="-4 2"/>
      <motor name="a" joint="j2" ctrlrange="-1 1"/><motor name="b" joint="j2" ctrlrange="-1 1"/>
      <motor name="t" tendon="t"/><general name="g" joint="j2" biastype="affine" biasprm="1"/>
      <motor name="none" joint="j2" gear="0"/>"""
    more = '<tendon><fixed name="t"><joint joint="j1" coef="1"/></fixed></tendon>'
    source = written(tmp_path, drives, "", "", more)
    report = complete(convert(source, tmp_path / "m.urdf"))
    assert {name: joint for name, (joint, _) in in_drake(tmp_path / "m.urdf").items()} == {
        "p": "j1",
        "v": "j1",
        "a": "j2",
        "b": "j2",
    }
    assert commands(tmp_path / "m.urdf") == {
        ("j1", "position"): (-1.0, 2.0),
        ("j1", "velocity"): (-2.0, 1.0),
        ("j2", "effort"): (),
    }
    told = {finding.where for finding in of_rule(report, "urdf/actuator")}
    assert told == {f"actuator/{name}" for name in ("p", "v", "a", "b", "t", "g", "none")}
    assert all(finding.action == Action.CARRIED for finding in of_rule(report, "urdf/actuator"))
    made = of_rule(report, "actuators/to-transmission")
    assert {finding.action for finding in made} == {Action.DERIVED}
    assert sum(finding.count for finding in made) == 5
    assert read(tmp_path / "m.urdf") == read(source)


GENERAL = {
    # <general> -> what commands it, with its bounds in joint units
    'gainprm="4500" biastype="affine" biasprm="0 -4500 -450" ctrlrange="-2 1"': ("position", (-2.0, 1.0)),
    'gainprm="9" biastype="affine" biasprm="0 -9" dyntype="filter" dynprm=".1"': ("position", ()),
    'gainprm="7" biastype="affine" biasprm="0 0 -7" ctrlrange="-2 1" gear="2"': ("velocity", (-1.0, 0.5)),
    'gainprm="7" biastype="affine" biasprm="0 -7" dyntype="integrator" actrange="-1 1"': ("velocity", ()),
    'gainprm="9" ctrlrange="-1 .5" gear="2"': ("effort", (-18.0, 9.0)),
    'gainprm="-9" ctrlrange="-1 .5" forcerange="-8 8"': ("effort", (-4.5, 8.0)),
    'gainprm="9" biastype="affine" biasprm="1 -9"': None,
    'gainprm="9" biastype="affine" biasprm="0 -8"': None,
    'gainprm="9" biastype="affine" biasprm="0 -9 1"': None,
    'gaintype="affine" gainprm="9 1"': None,
    'dyntype="integrator" actrange="-1 1"': None,
    'gaintype="muscle" gainprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" lengthrange="-1 1"': None,
}


@pytest.mark.parametrize(("attributes", "expected"), GENERAL.items())
def test_a_general_actuator_that_amounts_to_a_motor_or_servo(
    tmp_path: Path, attributes: str, expected: tuple | None
) -> None:
    source = written(tmp_path, f'<general name="g" joint="j2" {attributes}/>')
    complete(convert(source, tmp_path / "m.urdf"))
    assert check_urdf(tmp_path / "m.urdf") is None
    assert commands(tmp_path / "m.urdf") == ({("j2", expected[0]): expected[1]} if expected is not None else {})
    assert read(tmp_path / "m.urdf") == read(source)
    model = mujoco_model(source)
    data = mujoco.MjData(model)
    if expected is not None and expected[0] == "effort":
        for end, most in zip(
            model.actuator("g").ctrlrange, sorted(expected[1], reverse="-9" in attributes), strict=True
        ):
            data.ctrl[:] = end
            mujoco.mj_forward(model, data)
            assert data.qfrc_actuator[1] == most


def test_what_came_from_a_transmission_does_not_come_twice(tmp_path: Path) -> None:
    source = written(tmp_path, DRIVES, *TWO)
    convert(source, tmp_path / "m.urdf")
    plain = bare(tmp_path / "m.urdf")
    for suffix in ("xml", "sdf"):
        convert(plain, tmp_path / f"via.{suffix}")
        complete(convert(tmp_path / f"via.{suffix}", tmp_path / f"{suffix}.urdf"))
        assert (tmp_path / f"{suffix}.urdf").read_text() == plain.read_text()


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('joint="j"', 'joint="j" kp="500" kv="20"', [("position", "-2", "2")]),
        ('<position name="j"', '<velocity name="j"', [("velocity", "-2", "2")]),
        ('ctrlrange="-2 2"', 'ctrlrange="-1 1"', [("position", "-1", "1")]),
    ],
)
def test_a_drive_that_somebody_tunes_is_commanded_by_the_system_of_its_author(
    tmp_path: Path, before: str, after: str, said: list[tuple[str, ...]]
) -> None:
    """Not by a transmission of ROS 1, and the plugin stays; gains come back with the next MJCF."""
    body = f'<link name="{{}}"><inertial><mass value="1"/>{UNIT}</inertial></link>'
    (tmp_path / "r.urdf").write_text(f"""<robot name="r">{body.format("a")}{body.format("b")}
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="9" velocity="1"/></joint>
<ros2_control name="hw" type="system"><hardware><plugin>own/Plugin</plugin></hardware><joint name="j">
<command_interface name="position"><param name="min">-2</param><param name="max">2</param></command_interface>
<state_interface name="position"/></joint></ros2_control></robot>""")
    convert(tmp_path / "r.urdf", tmp_path / "r.xml")
    text = (tmp_path / "r.xml").read_text()
    assert before in text
    (tmp_path / "tuned.xml").write_text(text.replace(before, after, 1))
    complete(convert(tmp_path / "tuned.xml", tmp_path / "tuned.urdf"))
    root = etree.parse(tmp_path / "tuned.urdf").getroot()
    assert root.find("transmission") is None
    (system,) = root.iterfind("ros2_control")
    assert system.findtext("hardware/plugin") == "own/Plugin" and len(system.findall("joint/state_interface")) == 1
    found = [(each.get("name"), *(one.text for one in each)) for each in system.iterfind("joint/command_interface")]
    assert found == said
    convert(tmp_path / "tuned.urdf", tmp_path / "again.xml")
    one, two = (mujoco_model(tmp_path / name) for name in ("tuned.xml", "again.xml"))
    for field in ("actuator_gainprm", "actuator_biasprm", "actuator_ctrlrange"):
        assert (getattr(one, field) == getattr(two, field)).all()


def mass_matrix(path: Path) -> NDArray[np.float64]:
    """Return the mass matrix of MuJoCo at rest."""
    model, data = drawn(path)
    found = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, found)
    return found


def test_an_armature_behind_a_drive_is_the_rotor_of_drake(tmp_path: Path) -> None:
    """Once for a joint with two motors; a joint without a drive has none, and keeps its armature for the way back."""
    drives = '<motor name="a" joint="j1"/><motor name="b" joint="j1" gear="3"/><position name="c" joint="j2"/>'
    source = written(tmp_path, drives, 'armature=".25"', 'armature="3"')
    report = complete(convert(source, tmp_path / "out.urdf"))
    assert {each.rule for each in report.findings if each.where.endswith(".armature")} == {"urdf/rotor"}
    assert check_urdf(tmp_path / "out.urdf") is None
    assert check_urdf_3(tmp_path / "out.urdf") is None
    plant, wanted = planted(tmp_path / "out.urdf"), mass_matrix(source)
    places = [plant.GetJointByName(name).velocity_start() for name in ("j1", "j2")]
    found = plant.CalcMassMatrix(plant.CreateDefaultContext())[np.ix_(places, places)]
    assert np.allclose(found, wanted, rtol=1e-12)
    for urdf in (tmp_path / "out.urdf", bare(tmp_path / "out.urdf")):
        assert [read(urdf).dofs()[name][1].armature for name in ("j1", "j2")] == [0.25, 3.0]
    complete(convert(tmp_path / "out.urdf", tmp_path / "back.xml"))
    assert mujoco_model(tmp_path / "back.xml").dof_armature.tolist() == [0.25, 3.0]
    edited = (tmp_path / "out.urdf").read_text().replace('rotor_inertia value="3"', 'rotor_inertia value="5"')
    convert(saved(tmp_path / "edited.urdf", edited), tmp_path / "edited.xml")
    assert mujoco_model(tmp_path / "edited.xml").dof_armature.tolist() == [0.25, 5.0]


@pytest.mark.parametrize(("said", "armature"), [('<drake:rotor_inertia value="5"/>', 5.0), ("", 0.0)])
def test_an_edited_rotor_leaves_the_drive_as_it_is(tmp_path: Path, said: str, armature: float) -> None:
    drives = '<motor name="a" joint="j1"/><position name="c" joint="j2" kp="40" kv="2"/>'
    source = written(tmp_path, drives, 'armature=".25"', 'armature="3"')
    convert(source, tmp_path / "out.urdf")
    rotor = '<drake:rotor_inertia value="3"/>'
    text = (tmp_path / "out.urdf").read_text()
    assert rotor in text
    convert(saved(tmp_path / "edited.urdf", text.replace(rotor, said)), tmp_path / "edited.xml")
    found, model = (mujoco_model(each) for each in (tmp_path / "edited.xml", source))
    assert found.dof_armature.tolist() == [0.25, armature]
    assert found.actuator_gainprm.tolist() == model.actuator_gainprm.tolist()
    assert found.actuator_biasprm.tolist() == model.actuator_biasprm.tolist()


def test_an_edited_armature_is_in_the_transmission_of_the_author(tmp_path: Path) -> None:
    rotor = '<drake:rotor_inertia value="3"/>'
    convert(written(tmp_path, '<motor name="a" joint="j1"/>', 'armature="3"', ""), tmp_path / "mine.urdf")
    text = bare(tmp_path / "mine.urdf").read_text()
    assert rotor in text
    for before, after in ((rotor, "3"), ("", None)):
        (tmp_path / "author.urdf").write_text(text.replace(rotor, before))
        complete(convert(tmp_path / "author.urdf", tmp_path / "other.xml"))
        root = etree.parse(tmp_path / "other.xml")
        (joint,) = (each for each in root.iter("joint") if each.get("name") == "j1")
        assert joint.get("armature") == after
        joint.set("armature", "7")
        root.write(tmp_path / "other.xml")
        complete(convert(tmp_path / "other.xml", tmp_path / "back.urdf"))
        assert (tmp_path / "back.urdf").read_text().count('<drake:rotor_inertia value="7"/>') == 1
        assert planted(tmp_path / "back.urdf").GetJointActuatorByName("a").default_rotor_inertia() == 7.0


def test_an_armature_is_the_rotor_of_drake_in_sdf(tmp_path: Path) -> None:
    source = written(tmp_path, "", 'armature=".25"', 'armature="3"')
    report = complete(convert(source, tmp_path / "out.sdf"))
    assert {each.rule for each in report.findings if each.where.endswith(".armature")} == {"sdf/rotor"}
    assert sdformat_reads(tmp_path / "out.sdf")["errors"] == []
    plant, wanted = planted(tmp_path / "out.sdf"), mass_matrix(source)
    assert np.allclose(plant.CalcMassMatrix(plant.CreateDefaultContext()), wanted, rtol=1e-12)
    for sdf in (tmp_path / "out.sdf", bare(tmp_path / "out.sdf")):
        assert [read(sdf).dofs()[name][1].armature for name in ("j1", "j2")] == [0.25, 3.0]
    again = tmp_path / "again.sdf"
    complete(convert(tmp_path / "out.sdf", again))
    assert again.read_bytes() == (tmp_path / "out.sdf").read_bytes()
    edited = again.read_text().replace("rotor_inertia>3<", "rotor_inertia>5<")
    again.write_text(edited)
    convert(again, tmp_path / "edited.xml")
    assert mujoco_model(tmp_path / "edited.xml").dof_armature.tolist() == [0.25, 5.0]


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "screw", "universal", "ball"])
@pytest.mark.parametrize("twice", [False, True])
def test_a_rotor_counts_in_joints_of_one_axis_alone(tmp_path: Path, kind: str, twice: bool) -> None:
    mass = "<inertial><mass>1</mass></inertial>"
    axes = {"ball": "", "universal": "<axis/><axis2><xyz>0 1 0</xyz></axis2>"}.get(kind, "<axis/>")
    heard: list[NDArray[np.float64]] = []
    rotors = [f"<drake:rotor_inertia>{value}</drake:rotor_inertia>" for value in (0.5, 2)]
    for rotor in ("", "".join(rotors) if twice else rotors[0]):
        (tmp_path / "in.sdf").write_text(
            f'<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><link name="b">{mass}</link>'
            f'<joint name="j" type="{kind}"><parent>world</parent><child>b</child>{axes}{rotor}</joint></model></sdf>'
        )
        plant = planted(tmp_path / "in.sdf")
        heard.append(plant.CalcMassMatrix(plant.CreateDefaultContext()).diagonal())
    found = [dof.armature for joint in read(tmp_path / "in.sdf").joints.values() for dof in joint.dofs]
    assert {*found} == {*(heard[1] - heard[0]).round(12).tolist()}
    complete(convert(tmp_path / "in.sdf", tmp_path / "out.xml"))
    comes_back(tmp_path / "in.sdf", tmp_path / "out.xml")


def edited_armature(source: Path) -> Path:
    """Convert the file to MJCF, where the armature of j is set to 7, and back; return the path."""
    middle, back = source.with_name("middle.xml"), source.with_name("back" + source.suffix)
    complete(convert(source, middle))
    root = etree.parse(middle)
    (joint,) = (each for each in root.iter("joint") if each.get("name") == "j")
    joint.set("armature", "7")
    root.write(middle)
    complete(convert(middle, back))
    return back


def test_what_else_a_rotor_says_stays_beside_an_edited_armature(tmp_path: Path) -> None:
    ends = '<parent link="a"/><child link="b"/>'
    drive = "<type>transmission_interface/SimpleTransmission</type>"
    rotor = '<drake:rotor_inertia value="3" from="maker"/>'
    (tmp_path / "in.urdf").write_text(
        '<robot name="m" xmlns:drake="http://drake.mit.edu"><link name="a"/><link name="b"/>'
        f'<joint name="j" type="Continuous">{ends}<axis xyz="0 1 0"/></joint>'
        f'<transmission name="t">{drive}<joint name="j"/><actuator name="n">{rotor}</actuator></transmission></robot>'
    )
    (tmp_path / "in.sdf").write_text(
        '<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><link name="a"/><link name="b"/>'
        '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis/>'
        '<drake:rotor_inertia from="maker">3</drake:rotor_inertia></joint></model></sdf>'
    )
    complete(convert(tmp_path / "in.urdf", tmp_path / "same.urdf"))
    assert '<drake:rotor_inertia value="3" from="maker"/>' in (tmp_path / "same.urdf").read_text()
    urdf = edited_armature(tmp_path / "in.urdf")
    assert '<drake:rotor_inertia value="7" from="maker"/>' in urdf.read_text()
    complete(convert(tmp_path / "in.sdf", tmp_path / "same.sdf"))
    assert '<drake:rotor_inertia from="maker">3<' in (tmp_path / "same.sdf").read_text()
    sdf = edited_armature(tmp_path / "in.sdf")
    assert '<drake:rotor_inertia from="maker">7<' in sdf.read_text()


def test_a_rotor_behind_a_gear_stays_as_it_is_written(tmp_path: Path) -> None:
    gear = "<drake:rotor_inertia>0.01</drake:rotor_inertia><drake:gear_ratio>5</drake:gear_ratio>"
    source = tmp_path / "in.sdf"
    source.write_text(
        '<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><link name="a"/><link name="b"/>'
        f'<joint name="j" type="revolute"><parent>a</parent><child>b</child>{gear}<axis/></joint></model></sdf>'
    )
    complete(convert(source, tmp_path / "out.sdf"))
    assert gear in (tmp_path / "out.sdf").read_text().replace("\n", "").replace("  ", "")
    complete(convert(source, tmp_path / "out.xml"))
    assert mujoco_model(tmp_path / "out.xml").dof_armature[-1] == 0.25
    complete(convert(tmp_path / "out.xml", tmp_path / "back.sdf"))
    assert (tmp_path / "back.sdf").read_bytes() == (tmp_path / "out.sdf").read_bytes()
