"""Joints that follow others through ros2_control or Gazebo's mimic plugin; judged by MuJoCo and Drake."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert
from converters.report.model import exit_code
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
LINKS = "".join(f'<link name="{name}">{MASS}</link>' for name in ("hand", "f1", "f2", "f3"))
JOINT = (
    '<joint name="j{0}" type="prismatic"><parent link="hand"/><child link="f{0}"/><axis xyz="0 1 0"/>'
    '<limit lower="-0.04" upper="0.04" effort="20" velocity="1"/>{1}</joint>'
)
JOINTS = "".join(JOINT.format(number, "") for number in (1, 2, 3))
LEADER = '<joint name="j1"><command_interface name="position"/></joint>'
CONTROL = f'<ros2_control name="s" type="system">{LEADER}{{}}</ros2_control>'
PARAM = '<joint name="j2">{}</joint>'
SAID = '<param name="mimic">j1</param><param name="multiplier">-2</param>'
WORDS = "<joint>{}</joint><mimicJoint>{}</mimicJoint>"
TURN = "<multiplier>-2.0</multiplier><offset>0.01</offset>"
FILE = "libroboticsgroup_gazebo_mimic_joint_plugin.so"


def plugin(words: str, file: str = FILE) -> str:
    return f'<plugin name="m" filename="{file}">{words}</plugin>'


def urdf(rest: str, joints: str = JOINTS) -> str:
    return f'<robot name="r">{LINKS}{joints}{rest}</robot>'


def followed(path: Path) -> dict[tuple[str, str], list[float]]:
    """Return (follower, leader) -> polynomial coefficients (offset, multiplier, …), as MuJoCo couples them."""
    model = mujoco_model(path)
    pairs = zip(model.eq_obj1id, model.eq_obj2id, model.eq_data, strict=True)
    return {(model.joint(a).name, model.joint(b).name): list(data[:5]) for a, b, data in pairs}


def same(first: Path, second: Path) -> bool:
    texts = [etree.canonicalize(path.read_text(), strip_text=True) for path in (first, second)]
    return texts[0] == texts[1]


def test_two_words_of_whom_a_joint_follows_go_to_gltf_and_back(tmp_path: Path) -> None:
    said = '<mimic joint="j1" multiplier="-2" offset="0"/><mimic joint="j3"/>'
    joints = JOINT.format(1, "") + JOINT.format(2, said) + JOINT.format(3, "")
    source = saved(tmp_path / "r.urdf", urdf("", joints))
    assert exit_code(convert(source, tmp_path / "r.gltf")) == 0
    convert(tmp_path / "r.gltf", tmp_path / "back.urdf")
    assert same(source, tmp_path / "back.urdf")


COUPLED = {
    "ros2_control": (CONTROL.format(PARAM.format(SAID)), [0, -2, 0, 0, 0]),
    "no multiplier": (CONTROL.format(PARAM.format('<param name="mimic">j1</param>')), [0, 1, 0, 0, 0]),
    "the plugin": (f"<gazebo>{plugin(WORDS.format('j1', 'j2') + TURN)}</gazebo>", [0.01, -2, 0, 0, 0]),
    "both": (
        CONTROL.format(PARAM.format(SAID)) + f"<gazebo>{plugin(WORDS.format('j1', 'j2'))}</gazebo>",
        [0, -2, 0, 0, 0],
    ),
}


@pytest.mark.parametrize("case", COUPLED)
def test_a_joint_follows_by_the_word_of_its_controller(case: str, tmp_path: Path):
    text, expected = COUPLED[case]
    report = convert(saved(tmp_path / "r.urdf", urdf(text)), tmp_path / "r.xml")
    assert followed(tmp_path / "r.xml") == {("j2", "j1"): expected}
    (told,) = of_rule(report, "mimic/interpreted")
    assert told.action == "derived" and told.where == "joint/j2.dofs.0.mimic"
    assert exit_code(report) == 0
    convert(tmp_path / "r.xml", tmp_path / "back" / "r.urdf")
    assert same(tmp_path / "r.urdf", tmp_path / "back" / "r.urdf")


def test_a_joint_that_ros2_control_says_to_follow_none_follows_none(tmp_path: Path):
    said = CONTROL.format(f'<joint name="j2" mimic="false">{SAID}</joint>')
    report = convert(saved(tmp_path / "r.urdf", urdf(said)), tmp_path / "r.xml")
    assert followed(tmp_path / "r.xml") == {} and of_rule(report, "mimic/interpreted") == []
    assert exit_code(report) == 0
    convert(tmp_path / "r.xml", tmp_path / "back" / "r.urdf")
    assert same(tmp_path / "r.urdf", tmp_path / "back" / "r.urdf")


def test_a_mimic_of_the_joint_itself_counts_and_no_circle_closes(tmp_path: Path):
    own = JOINTS.replace(JOINT.format(2, ""), JOINT.format(2, '<mimic joint="j3" multiplier="3" offset="0"/>'))
    marked = CONTROL.format('<joint name="j2" mimic="true"/>')
    for rest in (marked, COUPLED["ros2_control"][0]):
        report = convert(saved(tmp_path / "r.urdf", urdf(rest, own)), tmp_path / "r.xml")
        assert followed(tmp_path / "r.xml") == {("j2", "j3"): [0, 3, 0, 0, 0]}
        assert "mimic/interpreted" not in {each.rule for each in report.findings}
        convert(tmp_path / "r.xml", tmp_path / "back" / "r.urdf")
        assert same(tmp_path / "r.urdf", tmp_path / "back" / "r.urdf")
    ring = "".join(plugin(WORDS.format(a, b)) for a, b in (("j1", "j2"), ("j2", "j3"), ("j3", "j1"), ("j1", "lost")))
    (tmp_path / "r.urdf").write_text(urdf(f"<gazebo>{ring}</gazebo>"))
    convert(tmp_path / "r.urdf", tmp_path / "r.xml")
    assert sorted(followed(tmp_path / "r.xml")) == [("j2", "j1"), ("j3", "j2")]


def test_a_plugin_of_another_kind_and_a_factor_that_is_none_couple_nothing(tmp_path: Path):
    words = WORDS.format("j1", "j2")
    for rest in (
        plugin(words, "libother.so"),
        plugin(f"{words}<multiplier>fast</multiplier>"),
        plugin("<joint>j1</joint>"),
    ):
        (tmp_path / "r.urdf").write_text(urdf(f"<gazebo>{rest}</gazebo>"))
        report = convert(tmp_path / "r.urdf", tmp_path / "r.xml")
        assert not followed(tmp_path / "r.xml")
        assert [each.where for each in of_rule(report, "mjcf/simulator-block")] == ["block/gazebo"]


def test_in_sdf_it_is_a_mimic_where_the_version_has_some_and_a_plugin_stays_one(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(urdf(COUPLED["ros2_control"][0]))
    convert(tmp_path / "r.urdf", tmp_path / "r.sdf", options=Options(sdf_version="1.11"))
    (mimic,) = etree.parse(tmp_path / "r.sdf").xpath("//joint[@name='j2']/axis/mimic[@joint='j1']")
    assert float(mimic.findtext("multiplier")) == -2
    convert(tmp_path / "r.sdf", tmp_path / "back.urdf")
    assert same(tmp_path / "r.urdf", tmp_path / "back.urdf")
    (tmp_path / "r.urdf").write_text(urdf(COUPLED["the plugin"][0]))
    convert(tmp_path / "r.urdf", tmp_path / "r.sdf", options=Options(sdf_version="1.11"))
    document = etree.parse(tmp_path / "r.sdf")
    assert document.xpath("//plugin/mimicJoint/text()") == ["j2"] and not document.xpath("//mimic")


def test_the_plugin_of_a_model_of_sdf_means_the_joints_of_that_model(tmp_path: Path):
    joint = '<joint name="j{0}" type="revolute"><parent>hand</parent><child>f{0}</child><axis/></joint>'
    body = '<link name="hand"/><link name="f1"/><link name="f2"/>' + joint.format(1) + joint.format(2)
    model = f'<model name="{{}}">{body}{plugin(WORDS.format("j1", "j2") + TURN)}</model>'
    text = f'<sdf version="1.9"><world name="w">{model.format("a")}{model.format("b")}</world></sdf>'
    report = convert(saved(tmp_path / "w.sdf", text), tmp_path / "w.xml")
    coupled = [0.01, -2, 0, 0, 0]
    assert followed(tmp_path / "w.xml") == {("a::j2", "a::j1"): coupled, ("b::j2", "b::j1"): coupled}
    assert exit_code(report) == 0
    convert(tmp_path / "w.xml", tmp_path / "back.sdf")
    assert same(tmp_path / "w.sdf", tmp_path / "back.sdf")
    convert(tmp_path / "w.sdf", tmp_path / "w.urdf", options=Options(model="a"))
    found = etree.parse(tmp_path / "w.urdf")
    (mimic,) = found.xpath("//joint[@name='j2']/mimic")
    assert dict(mimic.attrib) == {"joint": "j1", "multiplier": "-2", "offset": "0.01"}
    assert found.xpath("//gazebo/plugin/mimicJoint/text()") == ["j2"]


def test_a_second_coupling_of_a_joint_in_another_section_is_another_one(tmp_path: Path) -> None:
    bodies = "".join(f'<body><joint name="{name}"/><geom size=".1"/></body>' for name in "abc")
    ties = (f'<equality><joint joint1="c" joint2="{name}"/></equality>' for name in "ab")
    (tmp_path / "r.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody>{''.join(ties)}</mujoco>")
    assert exit_code(convert(tmp_path / "r.xml", tmp_path / "o.xml")) == 0
    assert followed(tmp_path / "o.xml").keys() == followed(tmp_path / "r.xml").keys() == {("c", "a"), ("c", "b")}
