"""Flags of <option> that disable something: what has no effect in MuJoCo has none elsewhere.

Judged by MuJoCo (effects), libsdformat and lxml (content of the output), and json for glTF.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import complete, explained, of_rule

ROBOT = """<mujoco model="f"><option><flag {}/></option><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="b"><joint name="j" type="hinge" axis="0 1 0" range="-30 30" damping=".1" frictionloss=".2" stiffness="3"/>
<geom name="g" size=".1"/><body name="c" pos="1 0 0"><joint name="k" type="slide" axis="0 1 0" range="-.3 .3"
damping=".1" frictionloss=".2" stiffness="3"/><geom name="h" size=".1"/></body></body></worldbody>
<tendon><fixed name="t" limited="true" range="0 1" stiffness="3" damping="2"><joint joint="j" coef="1"/></fixed>
</tendon></mujoco>"""
FLAGS = ("gravity", "contact", "limit", "spring", "damper", "frictionloss")


def put(folder: Path, *off: str) -> Path:
    return saved(folder / "f.xml", ROBOT.format(" ".join(f'{name}="disable"' for name in off)))


def still(model: mujoco.MjModel) -> bool:
    """Whether no force acts on the bent, moving model, and no constraint is active."""
    data = mujoco.MjData(model)
    data.qpos[:] = (1.0, 2.0)
    mujoco.mj_forward(model, data)
    at_rest = np.allclose(data.qfrc_bias, 0.0) and data.nefc == 0 and data.ncon == 0
    data.qvel[:] = (0.1, 0.1)
    mujoco.mj_forward(model, data)
    return bool(at_rest and np.allclose(data.qfrc_passive, 0.0) and data.nefc == 0)


def free_of(joint: etree._Element) -> bool:
    return all(float(each.text) == 0 for each in joint.findall(".//dynamics/*")) and joint.find(".//limit") is None


def test_what_is_off_is_not_in_an_sdf(tmp_path: Path):
    source = put(tmp_path, *FLAGS)
    assert still(mujoco_model(source))
    (tmp_path / "on").mkdir()
    assert not still(mujoco_model(put(tmp_path / "on")))
    report = convert(source, tmp_path / "f.sdf")
    assert sdformat_reads(tmp_path / "f.sdf")["errors"] == []
    tree = etree.parse(str(tmp_path / "f.sdf"))
    assert tree.findtext("world/gravity") == "0 0 0"
    assert all(free_of(each) for each in tree.iter("joint"))
    masks = [each.text for name in ("collide_bitmask", "category_bitmask") for each in tree.iter(name)]
    assert masks == ["0"] * 2 * len(list(tree.iter("collision"))) and masks
    told = of_rule(report, "mjcf/flag")
    assert {each.where for each in told} >= {"physics/physics.gravity", "joint/j.dofs.0.lower"}
    complete(report)


@pytest.mark.parametrize("target", ["sdf", "urdf", "glb"])
@pytest.mark.parametrize("off", [FLAGS, ("constraint",), ("gravity",), ("limit", "damper")])
def test_back_it_is_as_it_was(off: tuple[str, ...], target: str, tmp_path: Path):
    source = put(tmp_path, *off)
    convert(source, tmp_path / f"f.{target}")
    convert(tmp_path / f"f.{target}", tmp_path / "back.xml")
    ours, theirs = read(tmp_path / "back.xml"), read(source)
    assert ours == theirs
    compiled = [mujoco_model(path) for path in (source, tmp_path / "back.xml")]
    assert compiled[0].opt.disableflags == compiled[1].opt.disableflags != 0
    for field in ("jnt_range", "jnt_stiffness", "dof_damping", "dof_frictionloss", "geom_contype", "tendon_range"):
        assert np.array_equal(getattr(compiled[0], field), getattr(compiled[1], field)), field


def test_where_there_is_no_world_nothing_weighs_and_nothing_touches(tmp_path: Path):
    source = put(tmp_path, *FLAGS)
    convert(source, tmp_path / "f.urdf")
    tree = etree.parse(str(tmp_path / "f.urdf"))
    assert {each.get("reference") for each in tree.iter("gazebo") if each.findtext("gravity") == "false"} == {"b", "c"}
    kinds = {each.get("name"): (each.get("type"), each.find("dynamics")) for each in tree.iter("joint")}
    assert kinds == {"j": ("continuous", None), "k": ("prismatic", None)}
    apart = etree.parse(str(tmp_path / "f.srdf")).iter("disable_default_collisions")
    assert {each.get("link") for each in apart} == {"world", "b", "c"}
    convert(source, tmp_path / "f.glb")
    document = plain_gltf(tmp_path / "f.glb").document
    physics = "KHR_physics_rigid_bodies"
    bodies = [each["extensions"][physics] for each in document["nodes"] if physics in each.get("extensions", {})]
    assert [each["motion"]["gravityFactor"] for each in bodies if "motion" in each] == [0.0, 0.0]
    filters = document["extensions"][physics]["collisionFilters"]
    used = {each["collider"]["collisionFilter"] for each in bodies if "collider" in each}
    assert [filters[number]["collideWithSystems"] for number in used] == [[]]
    joints = document["extensions"][physics]["physicsJoints"]
    assert all(limit["min"] == limit["max"] == 0 for joint in joints for limit in joint["limits"])


def test_who_edits_what_was_off_has_it_act(tmp_path: Path):
    """A mass is not among what the flags disable: after editing it the flags come back."""
    source = put(tmp_path, *FLAGS)
    convert(source, tmp_path / "f.sdf")
    text = (tmp_path / "f.sdf").read_text()
    (tmp_path / "g.sdf").write_text(text.replace("<gravity>0 0 0", "<gravity>0 0 -3.7"))
    convert(tmp_path / "g.sdf", tmp_path / "g.xml")
    compiled = mujoco_model(tmp_path / "g.xml")
    assert compiled.opt.gravity.tolist() == [0, 0, -3.7] and compiled.opt.disableflags == 0
    assert not compiled.jnt_limited.any() and not compiled.dof_damping.any() and not compiled.jnt_stiffness.any()
    (tmp_path / "h.sdf").write_text(text.replace("<mass>4.188790204786391", "<mass>5", 1))
    convert(tmp_path / "h.sdf", tmp_path / "h.xml")
    compiled = mujoco_model(tmp_path / "h.xml")
    assert compiled.body("b").mass == 5 and compiled.opt.disableflags != 0 and compiled.jnt_limited.all()


LINKS = "".join(
    f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    '</inertial><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    for name in "abc"
)
JOINTS = "".join(
    f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
    for name, parent, child in (("j", "a", "b"), ("k", "b", "c"))
)
SWITCHED = "<option><flag limit='disable' contact='disable'/></option>"
OFF = mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT


def touching(path: Path) -> int:
    _, data = drawn(path)
    return int(data.ncon)


@pytest.mark.parametrize("home", ["urdf", "sdf"])
def test_flags_that_are_added_to_what_came_from_elsewhere_switch_off(home: str, tmp_path: Path):
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{LINKS}{JOINTS}</robot>')
    source = tmp_path / f"s.{home}"
    if home == "sdf":
        convert(tmp_path / "s.urdf", source)
        self_collide = source.read_text().replace("<link ", "<self_collide>true</self_collide><link ", 1)
        source.write_text(re.sub("<kinegraph:.*?/>", "", self_collide))
    convert(source, tmp_path / "w.xml")
    assert touching(tmp_path / "w.xml") > 0
    written = tmp_path / "w.xml"
    text = written.read_text()
    written.write_text(text.replace("<worldbody>", SWITCHED + "<worldbody>"))
    report = convert(written, tmp_path / "same.xml")
    assert "mjcf/flag" not in {each.rule for each in report.findings}
    assert mujoco_model(tmp_path / "same.xml").opt.disableflags == OFF
    assert touching(tmp_path / "same.xml") == 0
    for name in ("t.urdf", "t.sdf"):
        report = convert(tmp_path / "same.xml", tmp_path / name)
        root = etree.parse(str(tmp_path / name))
        assert not root.xpath("//limit/@lower | //limit/lower")
        told = {each.where for each in of_rule(report, "mjcf/flag")}
        assert {"joint/j.dofs.0.lower", "joint/j.dofs.0.upper"} <= told
        convert(tmp_path / name, tmp_path / "back.xml")
        assert mujoco_model(tmp_path / "back.xml").opt.disableflags == OFF
        assert mujoco_model(tmp_path / "back.xml").joint("k").range.tolist() == [-1, 1]
    masks = etree.parse(str(tmp_path / "t.sdf")).xpath("//*[self::collide_bitmask or self::category_bitmask]/text()")
    assert masks == ["0"] * 6
    assert sdformat_reads(tmp_path / "t.sdf")["errors"] == []


EQUAL = '<equality><joint joint1="j" joint2="k"/></equality>'


@pytest.mark.parametrize(
    ("option", "equality", "applied", "lost"),
    [
        ('<option density="1.2"><flag limit="disable"/></option>', "", [["flag/limit"]], [["density"]]),
        ('<option><flag constraint="disable"/></option>', "", [["flag/constraint"]], []),
        ('<option><flag constraint="disable"/></option>', EQUAL, [["flag/constraint"]], []),
        ('<option><flag warmstart="disable"/></option>', "", [], [["flag/warmstart"]]),
    ],
)
def test_a_flag_that_is_applied_is_not_told_as_unknown_and_hides_no_other_option(
    option: str, equality: str, applied: list[list[str]], lost: list[list[str]], tmp_path: Path
):
    text = ROBOT.replace("<option><flag {}/></option>", option).replace("</mujoco>", f"{equality}</mujoco>")
    report = convert(saved(tmp_path / "f.xml", text), tmp_path / "f.sdf")
    for rule, names in (("mjcf/flag", applied), ("sdf/physics", lost)):
        told = [each for each in of_rule(report, rule) if each.where == "physics/physics.parameters"]
        assert [[name for name, _ in json.loads(each.before)] for each in told] == names, rule
    complete(report)
    convert(tmp_path / "f.sdf", tmp_path / "back.xml")
    ours, theirs = (mujoco_model(tmp_path / name).opt for name in ("back.xml", "f.xml"))
    assert (ours.disableflags, ours.density) == (theirs.disableflags, theirs.density)


TIED = """<mujoco model="t"><option {}>{}</option><worldbody>
<body name="a"><joint name="j" axis="0 1 0"/><geom size=".1"/></body>
<body name="b" pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size=".1"/></body>
<body name="c" pos="2 0 0"><joint name="l" axis="0 1 0"/><geom size=".1"/></body></worldbody>
<equality><joint joint1="j" joint2="k" polycoef="0 2"/><joint name="n" joint1="k" joint2="l" polycoef="0 3"/>
<connect body1="b" body2="c" anchor=".5 0 0"/></equality><actuator>
<motor name="m" joint="j" ctrlrange="-9 9" group="2"/><position name="p" joint="j" kp="3" ctrlrange="-2 2"/></actuator>
<sensor><actuatorfrc actuator="m"/></sensor><keyframe><key name="home" ctrl="1 2"/></keyframe></mujoco>"""


def tied(folder: Path, *off: str, options: str = "") -> Path:
    flags = " ".join(f'{name}="disable"' for name in off)
    return saved(folder / "t.xml", TIED.format(options, f"<flag {flags}/>" if flags else ""))


def words(path: Path) -> set[str]:
    """The elements of an output that tie or drive joints."""
    root = etree.parse(path).getroot()
    names = {each.tag for each in root.iter("mimic", "plugin", "transmission", "ros2_control")}
    return names | {"loop" for each in root.iter("joint") if each.get("type") == "ball"}


def same_again(source: Path, there: Path) -> bool:
    convert(there, source.with_name("back.xml"))
    return read(source.with_name("back.xml")) == read(source)


@pytest.mark.parametrize("suffix, ties, drives", [
    ("sdf", {"mimic", "loop"}, {"plugin"}),
    ("urdf", {"mimic"}, {"transmission", "ros2_control", "plugin"}),
])  # fmt: skip
def test_equations_and_actuators_that_are_off_tie_and_drive_nothing(
    suffix: str, ties: set[str], drives: set[str], tmp_path: Path
) -> None:
    out = tmp_path / f"t.{suffix}"
    convert(tied(tmp_path), out)
    assert words(out) == ties | drives
    for off, left in (("equality", drives), ("constraint", drives), ("actuation", ties)):
        source = tied(tmp_path, off)
        report = convert(source, out)
        complete(report)
        assert words(out) == left and of_rule(report, "mjcf/flag")
        assert same_again(source, out)
        explained(convert(source, out, options=Options(carry=False)))
        assert words(out) == left


def test_of_two_drives_the_one_that_is_on_is_written(tmp_path: Path) -> None:
    source = tied(tmp_path, options='actuatorgroupdisable="2"')
    complete(convert(source, tmp_path / "t.sdf"))
    (plugin,) = etree.parse(tmp_path / "t.sdf").iter("plugin")
    assert plugin.get("name", "").endswith("JointPositionController") and plugin.findtext("p_gain") == "3"
    assert same_again(source, tmp_path / "t.sdf")


def test_controls_that_nothing_clamps_limit_no_effort(tmp_path: Path) -> None:
    source = saved(tmp_path / "t.xml", TIED.format("", '<flag clampctrl="disable"/>').replace('kp="3"', 'gear="2"'))
    model, data = drawn(source)
    data.ctrl[:] = 50.0
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[0] > 11
    convert(source, tmp_path / "t.urdf")
    limits = [each.get("effort") for each in etree.parse(tmp_path / "t.urdf").iterfind("joint/limit")]
    assert all(float(effort or "inf") > 1e6 for effort in limits)


@pytest.mark.parametrize(("flag", "bounds"), [("disable", set()), ("enable", {"-20", "20"})])
def test_controls_that_nothing_clamps_have_no_bounds_in_ros2_control(
    flag: str, bounds: set[str], tmp_path: Path
) -> None:
    world = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    motor = '<actuator><motor name="m" joint="j" gear="10" ctrlrange="-2 2"/></actuator>'
    text = f'<mujoco><option><flag clampctrl="{flag}"/></option>{world}{motor}</mujoco>'
    source = saved(tmp_path / "t.xml", text)
    complete(convert(source, tmp_path / "t.urdf"))
    found = etree.parse(tmp_path / "t.urdf").iterfind("ros2_control/joint/command_interface/param")
    assert {each.text for each in found} == bounds
    assert same_again(source, tmp_path / "t.urdf")
