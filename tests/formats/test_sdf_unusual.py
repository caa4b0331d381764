"""Rare content of SDF files: several roots, models of one name that are merged, plugins of joints."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import InputError, convert, read
from converters.context import Options
from converters.validating import validate
from ir.diff import compare
from ir.kinematics import forward
from tests.formats.sdf_text import axis, converted, faults, joint, link, put, sdf, xml
from tests.formats.uncarried import bare
from tests.oracles.in_sdformat import sdformat_reads

MODEL = '<model name="m"><link name="a"/></model>'


@pytest.mark.parametrize(
    ("inner", "code", "rule"),
    [
        (f'{MODEL}<light name="l" type="point"/>', 11, "sdf/element-incorrect-type"),
        (f'<world name="w">{MODEL}</world><world name="w"/>', 2, "sdf/duplicate-name"),
    ],
)
def test_tops_that_do_not_go_together_are_told(inner: str, code: int, rule: str, tmp_path: Path) -> None:
    source = put(tmp_path, f'<sdf version="1.9">{inner}</sdf>')
    assert {each["code"] for each in sdformat_reads(source)["errors"]} == {code}
    report, again = converted(tmp_path, source, "again.sdf")
    assert rule in faults(report)
    assert compare(read(source), read(again)) == ([], {})


def test_two_models_of_one_name_are_merged_by_no_one_and_what_is_wrong_behind_them_is_told(tmp_path: Path) -> None:
    put(tmp_path, sdf(link("a")), "part/model.sdf")
    put(tmp_path, '<model><name>part</name><sdf version="1.9">model.sdf</sdf></model>', "part/model.config")
    merged = f'<include merge="true"><uri>{tmp_path}/part</uri></include>\n'
    source = put(tmp_path, sdf(merged + merged + link("b", "0 0 zero 0 0 0")))
    told = {(each.rule, each.source.line) for each in validate(source).breaches if each.source is not None}
    assert {("SDF-DUPLICATE-NAME", 4), ("SDF-ELEMENT-INVALID", 5)} <= told


def test_a_plugin_of_a_joint_comes_back_where_it_stood(tmp_path: Path) -> None:
    inner = axis() + '<plugin name="p" filename="libp.so"><x>1</x></plugin>'
    source = put(tmp_path, sdf(link("a") + link("b") + joint("j", "a", "b", inner)))
    for name in ("r.urdf", "r.xml", "r.glb", "again.sdf"):
        _, path = converted(tmp_path, source, name)
        _, back = converted(tmp_path, path, f"back_{name}.sdf")
        assert xml(back).xpath("//joint/plugin/@filename") == ["libp.so"]


def test_a_model_of_a_world_has_its_joints_in_their_order_and_by_their_words(tmp_path: Path) -> None:
    """One closes a loop; any of the others would be a joint of the tree, and a universal joint has two spellings."""
    two = axis() + axis("1 0 0", tag="axis2")
    joints = joint("k", "a", "c") + joint("l", "b", "c") + joint("j", "a", "b", two, "revolute2")
    model = f'<model name="m">{link("a")}{link("b")}{link("c")}{joints}</model>'
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{model}</world></sdf>')
    _, alone = converted(tmp_path, source, "alone.sdf", Options(model="m"))
    said = [(each.get("name"), each.get("type")) for each in xml(alone).iter("joint")]
    assert said == [("k", "continuous"), ("l", "continuous"), ("j", "revolute2")]


AT_WORLD = '<pose relative_to="world">1 0 0 0 0 0</pose>'


@pytest.mark.parametrize(
    ("inner", "wrong"),
    [
        (link("b", "1 0 0 0 0 0", relative_to="world"), True),
        (link("b") + '<frame name="f" attached_to="world"/>', True),
        (link("b") + f'<frame name="f">{AT_WORLD}</frame>', True),
        (link("b") + joint("j", "a", "b", AT_WORLD + axis()), True),
        (link("b") + joint("j", "a", "b", axis(attrs=' expressed_in="world"')), True),
        (link("b") + f'<model name="n">{AT_WORLD}{link("c")}</model>', True),
        (link("b") + joint("j", "world", "b"), False),
    ],
)
def test_inside_a_model_no_frame_is_that_of_the_world(inner: str, wrong: bool, tmp_path: Path) -> None:
    source = put(tmp_path, sdf("<pose>0 0 1 0 0 0</pose>" + link("a") + inner))
    assert bool(sdformat_reads(source)["errors"]) is wrong
    told = [each.rule for each in validate(source).breaches if each.rule.endswith("-INVALID")]
    assert len(told) == wrong
    if 'link name="b"><pose' in inner:
        assert forward(read(source))["b"].pos == (1.0, 0.0, 0.0)  # what its author means


def test_no_model_is_placed_by_the_world(tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a"), attrs=' placement_frame="world"'))
    assert sdformat_reads(source)["errors"]
    assert "SDF-MODEL-PLACEMENT-FRAME-INVALID" in {each.rule for each in validate(source).breaches}


LOOKS = "newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 0 1\n"
PARTS = "mtllib m.mtl\n" + "".join(
    f"o {name}\nv {x} 0 0\nv {x + 1} 0 0\nv {x} 1 0\nv {x} 0 1\nusemtl {look}\n"
    f"f {n} {n + 2} {n + 1}\nf {n} {n + 1} {n + 3}\nf {n + 1} {n + 2} {n + 3}\nf {n + 2} {n} {n + 3}\n"
    for name, look, x, n in (("left", "a", 0, 1), ("right", "b", 5, 5))
)


@pytest.mark.parametrize("target", ["xml", "urdf", "glb"])
def test_a_part_of_a_mesh_has_its_colour_where_it_is_seen_and_what_is_not_there_stays(
    target: str, tmp_path: Path
) -> None:
    put(tmp_path, PARTS, "m.obj")
    put(tmp_path, LOOKS, "m.mtl")
    put(tmp_path, "v x y z\n", "bad.obj")
    meshes = (("visual", "m.obj", "right"), ("visual", "gone.obj", "right"), ("visual", "bad.obj", "right"))
    inner = "".join(
        f'<{kind} name="{kind}{index}"><geometry><mesh><uri>{uri}</uri><submesh><name>{name}</name>'
        f"<center>true</center></submesh></mesh></geometry></{kind}>"
        for index, (kind, uri, name) in enumerate((*meshes, ("collision", "m.obj", "left")))
    )
    source = put(tmp_path, sdf(link("a", inner=inner)))
    _, path = converted(tmp_path, source, f"out/r.{target}")
    _, back = converted(tmp_path, path, "back.sdf")
    assert compare(read(source), read(back)) == ([], {})
    if target == "urdf":
        plain = read(bare(path))
        assert [each.rgba for each in plain.materials.values()] == [(0.0, 0.0, 1.0, 1.0)]


@pytest.mark.parametrize(
    ("inner", "refused"),
    [
        ('<plugin filename="x"/>', True),
        ('<plugin name="" filename="x"/>', True),
        ('<plugin name="p" filename="x"/>', False),
        ('<atmosphere type="moon"/>', True),
        ('<atmosphere type="adiabatic"/>', False),
    ],
)
def test_a_plugin_has_a_name_until_1_10_and_an_atmosphere_is_adiabatic(
    inner: str, refused: bool, tmp_path: Path
) -> None:
    text = f'<sdf version="1.9"><world name="w">{inner}{MODEL}</world></sdf>'
    source = put(tmp_path, text)
    assert bool(sdformat_reads(source)["errors"]) is refused
    told = {each.rule for each in validate(source).breaches} & {"SDF-ATTRIBUTE-MISSING", "SDF-ELEMENT-INVALID"}
    assert bool(told) is refused
    if "plugin" in inner:
        newer = put(tmp_path, text.replace("1.9", "1.10"), "newer.sdf")
        assert "SDF-ATTRIBUTE-MISSING" not in {each.rule for each in validate(newer).breaches}


@pytest.mark.parametrize("kind", ["fixed", "ball", "revolute", "universal"])
@pytest.mark.parametrize(
    "axes",
    [
        axis("0 0 0"),
        axis() + axis("0 0 0", tag="axis2"),
        axis(attrs=' expressed_in="nobody"'),
        axis() + axis("0 1 0", tag="axis2"),
    ],
)
def test_an_axis_about_which_nothing_turns_is_one_all_the_same(kind: str, axes: str, tmp_path: Path) -> None:
    """A joint that lacks one of its two axes is fixed."""
    source = put(tmp_path, sdf(link("a") + link("b") + joint("j", "a", "b", axes, kind)))
    rules = {"SDF-ELEMENT-INVALID", "SDF-JOINT-AXIS-EXPRESSED-IN-INVALID"}
    told = [each.rule for each in validate(source).breaches if each.rule in rules]
    assert len(told) == bool(sdformat_reads(source)["errors"])
    for name in ("r.xml", "r.urdf", "r.glb", "again.sdf"):
        converted(tmp_path, source, name)
    if kind == "universal" and "0 0 0" in axes:
        assert read(source).joints["j"].dofs == ()


def test_commas_after_the_numbers_of_a_pose_are_ignored_and_told(tmp_path: Path) -> None:
    put(tmp_path, sdf(link(" k ", "0, 0, 1,  0 0 0")), "part.sdf")
    include = f"<include><uri>{tmp_path}/part.sdf</uri><name>in</name><pose>1, 2, 3, 0, 0, 0</pose></include>\n"
    turned = '<pose degrees="true">.25, -.5, .4, -130.0, 0, 90.0</pose>'
    source = put(tmp_path, sdf(link("a", inner=turned) + include + joint("j", "a", "in::k", "", "fixed")))
    theirs = sdformat_reads(source)["links"]
    assert set(theirs) == {"a", "in::k"}
    report, again = converted(tmp_path, source, "again.sdf")
    assert [finding.rule for finding in report.findings].count("sdf/comma") == 3
    assert sdformat_reads(again)["links"] == theirs
    assert '<pose degrees="true">.25 -.5 .4 -130.0 0 90.0</pose>' in again.read_text()
    assert faults(convert(source, tmp_path / "robot.xml")) == []


@pytest.mark.parametrize("said", ["1,2,3,0,0,0", "1, 2, 3, 0, 0, ,", "1, 2, 3, 0, 0", "x, 2, 3, 0, 0, 0"])
def test_other_commas_in_a_pose_are_refused(tmp_path: Path, said: str) -> None:
    source = put(tmp_path, sdf(link("a", said)))
    assert sdformat_reads(source)["errors"]
    with pytest.raises(InputError, match="ELEMENT_INVALID"):
        read(source)
