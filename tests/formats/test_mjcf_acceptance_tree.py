"""The tree of bodies against MuJoCo: what it compiles is what is read, written again, and written to URDF."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.context import InputError
from converters.convert import convert, read
from converters.validating import validate
from ir.types import WORLD
from tests.formats.mjcf_tree import body, check, check_again, check_poses, saved, stl
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import configuration, pinocchio_model
from tests.reports import complete, explained, of_rule

# --------------------------------------------------------------------------------------------------- compiler, classes


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "Xyz"])
def test_angles_follow_the_sequence_and_are_no_roll_pitch_yaw(sequence: str, tmp_path: Path):
    scene = check(tmp_path, body("<geom size='1' pos='1 0 0' euler='10 20 30'/>", f"<compiler eulerseq='{sequence}'/>"))
    assert scene.body("b").geoms[0].pose.rot[0] < 1


def test_the_last_compiler_counts_also_when_it_is_included(tmp_path: Path):
    text = """<mujoco><compiler angle="degree"/><include file="sub/late.xml"/><worldbody><body name="b">
      <joint name="j" range="-1 1"/><geom size="1"/></body></worldbody></mujoco>"""
    scene = check(tmp_path, text, late__sub='<mujocoinclude><compiler angle="radian"/></mujocoinclude>')
    assert scene.joints["j"].dofs[0].upper == 1.0


def test_classes_nest_and_frames_hand_them_on(tmp_path: Path):
    text = """<mujoco><default><default class="sub"><geom size=".2"/><site pos="1 0 0" size=".3"/></default>
        <geom size=".1" friction=".5 .01" solimp=".8 .9"/><joint damping="3" solreflimit=".01 1" margin=".1"/></default>
      <default><geom size=".3"/></default>
      <worldbody><body name="b" childclass="sub"><joint name="j" solreflimit=".02"/><geom/><geom class="main"/><site/>
        <body name="c"><geom friction=".7"/></body></body>
        <frame childclass="sub"><geom/></frame><geom/></worldbody></mujoco>"""
    scene = check(tmp_path, text)
    radii = [geom.shape.radius for name in ("b", "c", WORLD) for geom in scene.body(name).geoms]
    assert radii == [0.2, 0.3, 0.2, 0.2, 0.3]
    assert scene.body("c").geoms[0].surface.torsional == 0.01


def test_the_orientation_of_an_element_wins_over_another_form_of_its_default(tmp_path: Path):
    text = body("<geom size='1 2 3' type='box' quat='0 1 0 0'/>", "<default><geom euler='10 20 30'/></default>")
    assert check(tmp_path, text).body("b").geoms[0].pose.rot == (0.0, 1.0, 0.0, 0.0)


def test_a_limit_needs_autolimits_or_to_be_said(tmp_path: Path):
    inner = "<geom size='1'/><joint name='h' range='-90 90' limited='{}'/><joint name='s' type='slide' range='-2 2'/>"
    scene = check(tmp_path, body(inner.format("false")))
    hinge, slide = scene.joints["joint_b"].dofs
    assert (hinge.lower, slide.lower) == (None, -2.0)


# ------------------------------------------------------------------------------------------------ frames, copies, files


def test_frames_around_everything(tmp_path: Path):
    text = body(
        """<frame pos="1 0 0" euler="10 20 30"><frame name="f" pos="0 2 0" axisangle="0 1 0 40" childclass="main">
        <joint name="j" axis="1 0 0" pos="0 0 .5"/><inertial pos=".1 0 0" mass="2" diaginertia="1 2 2.5"/>
        <geom type="box" size=".1 .2 .3" pos="0 0 1"/><site name="s" zaxis="1 0 0"/>
        <body name="c" pos="0 0 3"><freejoint/><geom size="1"/></body></frame></frame>""".replace("<freejoint/>", "")
    )
    check(tmp_path, text)


def test_copies_are_counted_named_and_driven(tmp_path: Path):
    text = """<mujoco><worldbody><replicate count="12" sep="-" offset="1 0 0" euler="0 0 30">
        <body name="b" pos="0 0 1"><joint name="j"/><geom name="g" size=".1"/><geom size=".1"/></body></replicate>
      </worldbody><actuator><motor name="m" joint="j" gear="5"/></actuator></mujoco>"""
    scene = check(tmp_path, text)
    names = [f"b-{number:02}" for number in range(12)]
    assert list(scene.bodies) == [*names, WORLD]
    assert [actuator.dof for actuator in scene.tables["actuator"].values()] == [
        f"j-{number:02}" for number in range(12)
    ]


def test_copies_of_copies(tmp_path: Path):
    text = """<mujoco><worldbody><replicate count="2" offset="1 0 0" sep="-">
      <replicate count="2" offset="0 1 0" sep="+">
      <body name="r"><joint name="j"/><geom size=".1"/></body></replicate></replicate></worldbody></mujoco>"""
    assert list(check(tmp_path, text).bodies)[:-1] == ["r+0-0", "r+1-0", "r+0-1", "r+1-1"]


ARM = """<mujoco model="arm"><compiler angle="radian"/><default><geom size=".1"/></default>
  <worldbody><body name="base" euler="0.1 0.2 0.3"><joint name="j" range="-1 1"/><geom/></body></worldbody>
  <actuator><position name="p" joint="j" kp="7"/></actuator></mujoco>"""


def test_a_model_is_attached_twice_with_its_own_angles(tmp_path: Path):
    text = """<mujoco><asset><model name="arm" file="sub/arm.xml"/></asset><worldbody>
      <frame euler="0 0 90"><attach model="arm" body="base" prefix="l_"/></frame>
      <body name="b" pos="1 0 0"><geom size="1"/><attach model="arm" body="base" prefix="r_"/></body>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text, arm__sub=ARM)
    scene = read(path)
    check_poses(path, scene)
    check_again(path, tmp_path)
    assert list(scene.tables["actuator"]) == ["l_p", "r_p"]


@pytest.mark.parametrize("what", ['model="none" body="c"', 'body="later"'])
def test_what_is_attached_and_not_found_is_told(what: str, tmp_path: Path):
    text = body(f'<geom size="1"/><attach {what} prefix="p_"/><body name="later"/>')
    report = convert(saved(tmp_path, text), tmp_path / "out.xml")
    assert "mjcf/attach-missing" in {finding.rule for finding in report.findings}
    assert "<attach" in (tmp_path / "out.xml").read_text()


def test_an_include_in_a_folder_finds_its_files(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.stl").write_bytes(stl())
    text = '<mujoco><include file="sub/part.xml"/></mujoco>'
    part = """<mujocoinclude><compiler meshdir="."/><asset><mesh name="m" file="m.stl"/></asset><worldbody>
      <body name="b">
      <joint/><geom type="mesh" mesh="m"/></body></worldbody></mujocoinclude>"""
    scene = check(tmp_path, text, part__sub=part)
    assert scene.body("b").source.file.endswith("part.xml")
    assert scene.body("b").source.path == "/mujocoinclude/worldbody[1]/body[1]"


def test_each_file_is_included_once(tmp_path: Path):
    path = saved(tmp_path, '<mujoco><include file="a.xml"/></mujoco>', a='<x>\n<include file="a.xml"/></x>')
    with pytest.raises(InputError, match=r"a\.xml:2: .*once"):
        read(path)


@pytest.mark.parametrize(("inside", "told"), [("<x/>", 1), ("<x><!-- later --></x>", 1), ("<x><asset/></x>", 0)])
def test_a_file_without_elements_is_told_as_mujoco_does(inside: str, told: int, tmp_path: Path):
    path = saved(tmp_path, '<mujoco><include file="a.xml"/></mujoco>', a=inside)
    if told:
        with pytest.raises(ValueError, match="Empty include file"):
            mujoco_model(path)
    else:
        mujoco_model(path)
    assert len(of_rule(convert(path, tmp_path / "out.xml"), "mjcf/refused")) == told
    assert len([each for each in validate(path).breaches if "no element" in each.message]) == told


@pytest.mark.parametrize(("said", "root"), [('prefix="p_"', ""), ("", 'model="x"'), ('model="x"', 'prefix="p_"')])
def test_what_else_an_include_says_is_nothing_and_told(said: str, root: str, tmp_path: Path):
    text = f'<mujoco><worldbody><include {said} file="a.xml"/></worldbody></mujoco>'
    part = f'<x {root}><body name="b"><joint/><geom size=".1"/></body></x>'
    path = saved(tmp_path, text, a=part)
    assert mujoco_model(path).body(1).name == "b"
    report = convert(path, tmp_path / "out" / "out.xml")
    assert mujoco_model(tmp_path / "out" / "out.xml").body(1).name == "b"
    assert len(of_rule(report, "mjcf/include-root")) == bool(said) + bool(root)
    assert not [each for each in report.findings if each.action == "carried"]


def test_nothing_above_the_folders_of_the_model_is_included(tmp_path: Path):
    (tmp_path / "secret.xml").write_text("<x><worldbody><geom size='1'/></worldbody></x>")
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    report = convert(saved(folder, '<mujoco><include file="../../../secret.xml"/></mujoco>'), folder / "out.xml")
    assert "mjcf/include-missing" in {finding.rule for finding in report.findings}


@pytest.mark.parametrize("geom", ["mesh='m' type='mesh'", "material='m' size='1'", "class='m' size='1'"])
def test_what_is_not_there_is_told_with_the_include_that_is_not_there(geom: str, tmp_path: Path):
    text = f"<mujoco>{{}}<worldbody><body><geom {geom}/></body></worldbody></mujoco>"
    for include in ("<include file='parts.xml'/>", ""):
        with pytest.raises(InputError, match="'m', which does not exist") as refusal:
            convert(saved(tmp_path, text.format(include)), tmp_path / "out.urdf")
        assert ("parts.xml may have it, but it cannot be included" in refusal.value.message) == bool(include)


def test_sensors_of_a_file_that_another_includes_are_told_with_that_one(tmp_path: Path):
    sensors = "<mujoco><sensor><force site='s'/></sensor></mujoco>"
    body = "<worldbody><body name='a'><geom size='1'/><site name='s'/></body></worldbody>"
    path = saved(tmp_path, sensors, scene=f"<mujoco><include file='in.xml'/>{body}</mujoco>")
    (found,) = of_rule(convert(path, tmp_path / "out.urdf"), "mjcf/name")
    assert found.reason.endswith(
        "'s', which does not exist: MuJoCo refuses the model; kept as it is; "
        "scene.xml includes this file: convert that one"
    )
    assert not of_rule(convert(tmp_path / "scene.xml", tmp_path / "out.urdf"), "mjcf/name")


# ------------------------------------------------------------------------------------------------------------- joints


CHAIN = """<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="1 2 3" euler=".1 .2 .3">
  <joint name="x" type="slide" axis="1 0 0" ref=".3"/><joint name="y" axis="0 1 0" pos="0 .2 .1" ref=".4"/>
  <joint name="z" axis="1 0 1" pos=".5 0 0"/><geom size=".1 .2 .3" type="box"/>
  <body name="c" pos="0 0 1"><joint name="w" axis="0 1 0" pos=".1 0 .2"/><geom size=".1"/></body></body>
  </worldbody></mujoco>"""


def test_several_joints_of_a_body_with_anchors_and_references(tmp_path: Path):
    scene = check(tmp_path, CHAIN)
    assert [dof.name for dof in scene.joint_of("b").dofs] == ["x", "y", "z"]
    convert(tmp_path / "in.xml", tmp_path / "out.urdf")
    urdf, model = pinocchio_model(tmp_path / "out.urdf"), mujoco_model(tmp_path / "in.xml")
    data, there = mujoco.MjData(model), urdf.createData()
    import pinocchio as pin

    dice = np.random.default_rng(2)
    for _ in range(20):
        data.qpos[:] = dice.normal(size=model.nq)
        mujoco.mj_kinematics(model, data)
        q = configuration(urdf, {name: (float(data.joint(name).qpos[0]),) for name in "xyzw"})
        pin.framesForwardKinematics(urdf, there, q)
        for name in "bc":
            pose = there.oMf[urdf.getFrameId(name)]
            assert np.allclose(pose.translation, data.body(name).xpos, atol=1e-9)
            assert np.allclose(pose.rotation, data.body(name).xmat.reshape(3, 3), atol=1e-9)
    explained(convert(tmp_path / "out.urdf", tmp_path / "back.xml"))
    assert read(tmp_path / "out.urdf") == scene
    assert np.allclose(mujoco_model(tmp_path / "back.xml").body_pos, model.body_pos)


def test_free_joints_take_defaults_only_where_they_are_joints(tmp_path: Path):
    text = """<mujoco><default><joint damping="3"/></default><worldbody>
      <body name="a"><freejoint name="f"/><geom size="1"/></body>
      <body name="b"><joint name="g" type="free"/><geom size="1"/></body>
      <body name="c"><joint name="h" type="ball" range="0 90" pos=".1 .2 .3"/><geom size="1"/></body>
      </worldbody></mujoco>"""
    scene = check(tmp_path, text)
    assert [scene.joint_of(name).dofs[0].damping for name in "abc"] == [0.0, 3.0, 3.0]


def test_a_ball_in_urdf_is_told(tmp_path: Path):
    path = saved(tmp_path, body("<joint name='j' type='ball'/><geom size='1'/>"))
    report = convert(path, tmp_path / "out.urdf")
    assert any(finding.where.startswith("joint/j") for finding in report.findings)
    assert 'type="fixed"' not in (tmp_path / "out.urdf").read_text().replace("world", "")
    assert read(tmp_path / "out.urdf") == read(path)


# ------------------------------------------------------------------------------------------------------ geoms, inertia


def test_unnamed_things_stay_unnamed(tmp_path: Path):
    text = """<mujoco><worldbody><body><joint/><geom size="1"/><site/><body name="world_body_1"><joint/><geom size="1"/>
      </body></body><body><freejoint/><geom size="1"/></body></worldbody></mujoco>"""
    scene = check(tmp_path, text)
    assert len(set(scene.bodies)) == 4
    again = (tmp_path / "again" / "out.xml").read_text()
    assert again.count("name=") == 1


def test_several_trees_and_a_floor_lose_nothing(tmp_path: Path):
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
      <body name="a"><freejoint/><geom size="1"/></body><body name="b" pos="3 0 0"><joint/><geom size="1"/></body>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text)
    for target in ("out.urdf", "out.sdf"):
        explained(convert(path, tmp_path / target))
        assert read(tmp_path / target) == read(path)


def test_what_newer_and_older_versions_say_is_kept(tmp_path: Path):
    text = body(
        "<geom size='1' brandnew='3'/><composite type='grid' count='2 2 1' spacing='.1'><geom size='.01'/></composite>",
        "<option collision='dynamic' apirate='50'/>",
    )
    report = complete(convert(saved(tmp_path, text), tmp_path / "out.xml"))
    again = (tmp_path / "out.xml").read_text()
    assert all(word in again for word in ("brandnew", "<composite", 'collision="dynamic"'))
    assert "apirate" not in again
    told = {finding.rule: finding for finding in report.findings}
    assert set(told) == {"mjcf/unknown", "mjcf/removed", "mjcf/old-spelling"}
    assert {finding.before for finding in of_rule(report, "mjcf/removed")} == {
        "<composite>",
        "<option collision='dynamic'>",
    }


def test_the_file_comes_back_as_it_was_and_the_second_time_too(tmp_path: Path):
    text = """<mujoco model="m">
  <compiler angle="degree" eulerseq="XYZ"/>
  <default>
    <default class="big">
      <geom size="2" rgba="1 0 0 1"/>
    </default>
  </default>
  <worldbody>
    <light pos="0 0 3"/>
    <frame pos="0 0 1" euler="0 90 0">
      <body name="a" childclass="big">
        <joint name="j" range="-90 90"/>
        <geom/>
      </body>
    </frame>
  </worldbody>
</mujoco>
"""
    path = saved(tmp_path, text)
    convert(path, tmp_path / "one.xml")
    convert(tmp_path / "one.xml", tmp_path / "two.xml")
    assert (tmp_path / "one.xml").read_text().partition("\n")[2] == text
    assert (tmp_path / "two.xml").read_text() == (tmp_path / "one.xml").read_text()


def test_an_edit_on_the_way_wins(tmp_path: Path):
    text = """<mujoco><compiler angle="degree"/><default><joint damping="2"/></default><worldbody>
      <frame euler="0 0 90"><body name="a"><joint name="j" range="-90 90"/><geom size="1"/></body></frame>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text)
    convert(path, tmp_path / "out.urdf")
    urdf = (tmp_path / "out.urdf").read_text()
    assert "1.5707963267948966" in urdf
    (tmp_path / "out.urdf").write_text(urdf.replace('upper="1.5707963267948966"', 'upper="1"'))
    convert(tmp_path / "out.urdf", tmp_path / "back.xml")
    joint = mujoco_model(tmp_path / "back.xml").joint("j")
    assert joint.range[1] == pytest.approx(1.0) and joint.damping[0] == 2.0
    assert np.allclose(mujoco_model(tmp_path / "back.xml").body_quat, mujoco_model(path).body_quat)


@pytest.mark.parametrize(
    "inner",
    [
        "<replicate count='-1'><geom size='1'/></replicate>",
        "<replicate count='2.5'><geom size='1'/></replicate>",
        "<replicate count='2 3'><geom size='1'/></replicate>",
        "<replicate count=''><geom size='1'/></replicate>",
        "<geom size='1' quat='1 0 0 0' euler='0 0 0'/>",
        "<frame quat='0 0 0 0'><geom size='1'/></frame>",
        "<geom type='mesh'/>",
        "<frame childclass='none'><geom size='1'/></frame>",
    ],
)
def test_what_cannot_be_is_refused_with_its_line(inner: str, tmp_path: Path):
    path = saved(tmp_path, body(f"\n{inner}"))
    with pytest.raises(InputError, match=r"in\.xml:2: "):
        read(path)


def test_copies_of_copies_do_not_fill_the_memory(tmp_path: Path):
    bomb = "<replicate count='100000'><replicate count='100000'><geom size='1'/></replicate></replicate>"
    with pytest.raises(InputError, match="more than"):
        read(saved(tmp_path, body(bomb)))


def test_what_the_file_says_itself_is_no_copy(tmp_path: Path):
    path = saved(tmp_path, body("<x/>" * 50_100))
    assert len(read(path).bodies["b"].extras) == 50_100


@pytest.mark.parametrize("inner", ["<geom size='1e200'/>", "<geom size='1' pos='0 0 1e300'/>"])
def test_numbers_that_nobody_can_compute_with_are_refused(inner: str, tmp_path: Path):
    with pytest.raises(InputError, match=r"in\.xml:\d+: "):
        read(saved(tmp_path, body(inner)))


@pytest.mark.parametrize("way", ["xml", "urdf", "sdf", "glb"])
def test_a_prefix_that_the_root_declares_stays_declared(way: str, tmp_path: Path):
    """MuJoCo accepts it either way; every other XML reader refuses an undeclared prefix."""
    said = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="mujoco.xsd"'
    text = f'<mujoco {said}><default><geom size=".1"/></default><worldbody><geom/></worldbody></mujoco>'
    path = saved(tmp_path, text)
    mujoco_model(path)
    convert(path, tmp_path / "there" / f"model.{way}")
    report = convert(tmp_path / "there" / f"model.{way}", tmp_path / "back" / "model.xml")
    complete(report)
    root = etree.parse(tmp_path / "back" / "model.xml").getroot()
    assert root.attrib == {"{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation": "mujoco.xsd"}
    assert root.find("default/geom").attrib == {"size": ".1"}
    mujoco_model(tmp_path / "back" / "model.xml")
