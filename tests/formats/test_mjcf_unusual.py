"""Valid MJCF that few readers expect, found in packages that were new to the project."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.context import InputError, Options
from converters.convert import convert, read
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

SIDES = ("right", "left", "up", "down", "front", "back")


def saved(tmp_path: Path, inside: str, name: str = "in.xml") -> Path:
    path = tmp_path / name
    path.write_text(f"<mujoco>{inside}</mujoco>")
    return path


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "glb"])
def test_an_orientation_beside_a_fromto_says_nothing_and_comes_back(tmp_path: Path, suffix: str):
    ends = 'type="capsule" size=".1" fromto="0 0 0 1 0 0" euler="10 20 30"'
    source = saved(tmp_path, f'<worldbody><body name="b"><geom {ends}/><site name="s" {ends}/></body></worldbody>')
    convert(source, tmp_path / "same.xml")
    assert (tmp_path / "same.xml").read_text().count('euler="10 20 30"') == 2
    explained(convert(source, tmp_path / f"there.{suffix}"))
    convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "same.xml").read_bytes()
    assert mujoco_model(tmp_path / "back.xml").geom_quat == pytest.approx(mujoco_model(source).geom_quat)


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "glb"])
def test_the_images_of_the_sides_of_a_cube_go_along(tmp_path: Path, suffix: str):
    (tmp_path / "images").mkdir()
    for number, side in enumerate(SIDES):
        Image.new("RGB", (4, 4), (40 * number, 0, 0)).save(tmp_path / "images" / f"{side}.png")
    files = " ".join(f'file{side}="images/{side}.png"' for side in SIDES)
    source = saved(
        tmp_path,
        f'<asset><texture name="t" type="cube" {files}/><material name="m" texture="t"/></asset>'
        '<worldbody><body name="b"><geom size=".1" material="m"/></body></worldbody>',
    )
    away = tmp_path / "far" / "away"
    away.mkdir(parents=True)
    explained(convert(source, away / f"there.{suffix}"))
    convert(away / f"there.{suffix}", away / "back.xml")
    assert mujoco_model(away / "back.xml").tex_data == pytest.approx(mujoco_model(source).tex_data)
    convert(away / "back.xml", away / "again.xml")
    assert (away / "again.xml").read_bytes() == (away / "back.xml").read_bytes()


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "glb"])
def test_colours_beyond_one_are_the_brightest_that_others_have(tmp_path: Path, suffix: str):
    source = saved(
        tmp_path,
        '<worldbody><body name="b"><light diffuse="2 1.6 0"/><geom size=".1" rgba="0.5 3 -1 2"/></body></worldbody>',
    )
    report = convert(source, tmp_path / f"there.{suffix}")
    told = {finding.before: finding.after for finding in of_rule(report, "looks/colour")}
    explained(report)
    assert told["0.5 3 -1 2"] == "0.5 1 0 1"
    if suffix == "sdf":
        assert sdformat_reads(tmp_path / "there.sdf")["errors"] == []
    convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
    assert 'rgba="0.5 3 -1 2"' in (tmp_path / "back.xml").read_text()


def test_what_carries_something_of_its_own_is_still_spelled_as_by_its_author(tmp_path: Path):
    source = saved(
        tmp_path,
        '<compiler inertiafromgeom="true" angle="degree"/><include file="none.xml"/>'
        '<default><geom density="100"/></default>'
        '<worldbody><body name="b"><joint limited="false"/><geom size=".1"/></body></worldbody>',
    )
    convert(source, tmp_path / "one.xml")
    convert(tmp_path / "one.xml", tmp_path / "two.xml")
    assert "kinegraph:scene" in (tmp_path / "one.xml").read_text()
    assert '<geom density="100"/>' in (tmp_path / "two.xml").read_text()
    assert (tmp_path / "two.xml").read_bytes() == (tmp_path / "one.xml").read_bytes()


def test_an_image_that_nothing_shows_goes_along_in_a_glb(tmp_path: Path):
    """A scene of glTF has no skyboxes."""
    here, away = tmp_path / "here", tmp_path / "away"
    here.mkdir()
    away.mkdir()
    Image.new("RGB", (4, 4), (1, 2, 3)).save(here / "sky.png")
    asset = '<asset><texture type="skybox" file="sky.png"/></asset>'
    source = saved(here, f'{asset}<worldbody><body name="b"><geom size=".1"/></body></worldbody>')
    before = mujoco_model(source).tex_data
    convert(source, away / "there.glb")
    (here / "sky.png").unlink()
    report = convert(away / "there.glb", away / "back.xml")
    assert [finding.before for finding in of_rule(report, "carried/inside")] == ["sky.png"]
    assert mujoco_model(away / "back.xml").tex_data == pytest.approx(before)


def test_a_file_that_a_glb_cannot_hold_is_told(tmp_path: Path):
    """A file with an absolute path, which has no relative place in the GLB."""
    here, away = tmp_path / "here", tmp_path / "away"
    here.mkdir()
    arm = saved(here, '<worldbody><body name="arm"><geom size=".1"/></body></worldbody>', "arm.xml")
    attached = f'<asset><model name="a" file="{arm}"/></asset><worldbody><attach model="a" body="arm" prefix="l_"/>'
    convert(saved(here, f"{attached}</worldbody>"), away / "there.glb")
    (here / "arm.xml").unlink()
    report = convert(away / "there.glb", away / "back.xml")
    assert [finding.before for finding in of_rule(report, "assets/missing")] == [str(arm)]
    assert mujoco_model(away / "back.xml").nbody == 2


def test_what_belongs_to_copies_comes_copy_by_copy_and_once(tmp_path: Path):
    """A body and its geom may share a name; references to a shared name are not copied twice."""
    arm = (
        '<body name="a"><joint name="ja"/><geom name="a" size=".1"/>'
        '<replicate count="2" sep="+" euler="0 0 10"><body name="b"><joint name="jb"/><geom name="b" size=".1"/></body>'
        "</replicate></body>"
    )
    source = saved(
        tmp_path,
        '<worldbody><body name="p"><joint name="jp"/><geom name="p" size=".1"/></body>'
        f'<replicate count="10" sep="-" euler="0 0 16">{arm}</replicate></worldbody>'
        '<contact><exclude body1="p" body2="a"/><exclude body1="a" body2="b"/></contact>'
        '<actuator><motor name="mb" joint="jb"/><motor name="mp" joint="jp"/><motor name="ma" joint="ja"/></actuator>'
        '<sensor><jointpos name="sa" joint="ja"/><jointpos name="sp" joint="jp"/></sensor>',
    )
    compiled, scene = mujoco_model(source), read(source)
    assert [*scene.bodies][:-1] == [compiled.body(index).name for index in range(1, compiled.nbody)]
    assert list(scene.tables["actuator"]) == [compiled.actuator(index).name for index in range(compiled.nu)]
    assert list(scene.tables["sensor"]) == [compiled.sensor(index).name for index in range(compiled.nsensor)]
    pairs = [divmod(int(signature), 1 << 16) for signature in compiled.exclude_signature]
    assert {frozenset((rule.first, rule.second)) for rule in scene.tables["contact"].values()} == {
        frozenset(compiled.body(index).name for index in pair) for pair in pairs
    }
    assert len(scene.tables["contact"]) == compiled.nexclude == 30


def test_an_empty_name_names_nothing(tmp_path: Path):
    source = saved(
        tmp_path,
        '<default><geom material="red"/></default><asset><material name="red" rgba="1 0 0 1" texture=""/></asset>'
        '<worldbody><body name="b"><joint name="j"/><geom name="worn" size=".1"/>'
        '<geom name="bare" size=".1" mass="1" material="" mesh="" hfield=""/><site name="s" material=""/></body>'
        "</worldbody>"
        '<equality><joint joint1="j" joint2=""/><weld body1="b" body2=""/></equality>',
    )
    compiled, scene = mujoco_model(source), read(source)
    looks = {geom.name: geom.material for geom in scene.body("b").geoms}
    assert looks == {"worn": "red", "bare": None}
    assert [compiled.geom(name).matid[0] for name in looks] == [0, -1]
    for name in ("same.xml", "there.urdf", "there.sdf", "there.glb"):
        explained(convert(source, tmp_path / "out" / name))
    assert 'material=""' in (tmp_path / "out" / "same.xml").read_text()
    convert(tmp_path / "out" / "there.sdf", tmp_path / "back.xml")
    back = mujoco_model(tmp_path / "back.xml")
    assert [back.geom(name).matid[0] for name in looks] == [0, -1]


@pytest.mark.parametrize("inside", ['<geom size=".1" class=""/>', '<body childclass=""><geom size=".1"/></body>'])
def test_an_empty_class_is_none_that_exists(tmp_path: Path, inside: str):
    source = saved(tmp_path, f"<worldbody>{inside}</worldbody>")
    with pytest.raises(ValueError, match="class"):
        mujoco_model(source)
    with pytest.raises(InputError, match="the default class ''"):
        read(source)


@pytest.mark.parametrize("mode", ["legacy", "exact", "convex", "shell"])
def test_of_an_obj_with_several_objects_mujoco_weighs_the_first(tmp_path: Path, mode: str):
    """Its hull is that of all corners. Materials do not separate objects."""
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    one = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces[:3]]
    one += ["usemtl other", *(f"f {face}" for face in faces[3:])]
    two = [f"v {x + 5} {y} {z}" for x, y, z in corners]
    two += ["f " + " ".join(str(int(corner) + 8) for corner in face.split()) for face in faces]
    (tmp_path / "boxes.obj").write_text("\n".join(["o one", *one, "o two", *two]) + "\n")
    source = saved(
        tmp_path,
        f'<asset><mesh name="m" file="boxes.obj" inertia="{mode}"/></asset><worldbody><body name="b"><freejoint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody>',
    )
    convert(source, tmp_path / "there.urdf")
    mass = float(etree.parse(tmp_path / "there.urdf").find("link[@name='b']/inertial/mass").get("value"))
    assert mass == pytest.approx(float(mujoco_model(source).body("b").mass[0]), rel=1e-6)


@pytest.mark.parametrize("angle", ["radian", "degree"])
def test_a_range_may_be_endless(tmp_path: Path, angle: str):
    (tmp_path / "m.xml").write_text(f"""<mujoco model="m"><compiler angle="{angle}"/><worldbody><body name="a">
      <joint name="j" range="-inf inf"/><geom size=".1"/><body name="b"><joint name="k" range="-INF 1"/>
      <geom size=".1"/></body></body></worldbody><actuator>
      <motor joint="j" ctrlrange="-inf inf"/><motor joint="k" ctrlrange="-1 inf"/>
      </actuator></mujoco>""")
    before = mujoco_model(tmp_path / "m.xml")
    assert convert(tmp_path / "m.xml", tmp_path / "again" / "m.xml").findings == ()
    convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    joints = etree.parse(tmp_path / "m.urdf").getroot().findall("joint")
    limits = {joint.get("name"): joint.find("limit") for joint in joints}
    assert limits["j"] is None
    assert float(limits["k"].get("lower")) <= -1e15
    assert float(limits["k"].get("upper")) == pytest.approx(1.0 if angle == "radian" else math.radians(1), rel=1e-15)
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    for path in (tmp_path / "again" / "m.xml", tmp_path / "back.xml"):
        after = mujoco_model(path)
        for array in ("jnt_range", "jnt_limited", "actuator_ctrlrange", "actuator_ctrllimited"):
            assert np.array_equal(getattr(after, array), getattr(before, array)), array


@pytest.mark.parametrize("far", ["1e16", "1e100", "1.7976931348623157e+308"])
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_limit_that_stands_for_none_keeps_no_robot_out(tmp_path: Path, kind: str, far: str):
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    (tmp_path / "m.urdf").write_text(f"""<robot name="m"><link name="a"/><link name="b">{mass}</link>
      <joint name="j" type="{kind}"><parent link="a"/><child link="b"/>
      <limit lower="-{far}" upper="{far}" effort="{far}" velocity="{far}"/></joint>
      <transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="j"/><actuator name="n"/>
      </transmission></robot>""")
    report = explained(convert(tmp_path / "m.urdf", tmp_path / "m.xml"))
    told = {each.where: each.reason for each in of_rule(report, "mjcf/empty-range")}
    assert sorted(told) == ["joint/j.dofs.0.lower", "joint/j.dofs.0.upper"]
    assert all("1e+10 or more" in reason for reason in told.values())
    model = mujoco_model(tmp_path / "m.xml")
    imported = mujoco_model(tmp_path / "m.urdf")
    assert np.array_equal(model.jnt_range, imported.jnt_range)
    assert np.array_equal(model.jnt_actfrcrange, imported.jnt_actfrcrange)
    moved = []
    for each in (model, imported):
        each.opt.gravity[:] = 0
        data = mujoco.MjData(each)
        data.qvel[:] = 2
        mujoco.mj_step(each, data, 200)
        assert not data.nefc
        moved.append(data.qpos[0])
    assert moved[0] == pytest.approx(moved[1]) and moved[0] > 0.1
    convert(tmp_path / "m.xml", tmp_path / "back" / "m.urdf")
    joints = [etree.parse(path).find("joint/limit") for path in (tmp_path / "m.urdf", tmp_path / "back" / "m.urdf")]
    assert [{name: float(value) for name, value in each.items()} for each in joints] == [
        dict.fromkeys(("lower",), -float(far)) | dict.fromkeys(("upper", "effort", "velocity"), float(far))
    ] * 2


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "glb", "xml"])
def test_an_equation_of_a_ball_is_told_and_comes_back(tmp_path: Path, suffix: str):
    bodies = (
        '<body><joint name="b" type="ball"/><geom size=".1"/><body><joint name="h"/><geom size=".1"/></body></body>'
    )
    equation = '<equality><joint name="e" joint1="b" joint2="h"/></equality>'
    source = saved(tmp_path, f"<worldbody>{bodies}</worldbody>{equation}")
    with pytest.raises(ValueError, match="only HINGE and SLIDE"):
        mujoco_model(source)
    explained(convert(source, tmp_path / f"there.{suffix}"))
    explained(convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml"))
    assert equation in (tmp_path / "back.xml").read_text().replace("\n    ", "").replace("\n  ", "")


DIRECTORIES = """<mujoco><compiler meshdir="nowhere" texturedir="neither"/><compiler assetdir="files"/>
<asset><model name="unused" file="parts/unused.xml"/><mesh name="m" file="m.stl"/></asset>
<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("through", ["xml", "urdf", "sdf", "glb"])
def test_the_last_directory_counts_and_a_model_that_nobody_attaches_comes_along(through: str, tmp_path: Path) -> None:
    """MuJoCo opens each of them."""
    source = tmp_path / "in" / "in.xml"
    (tmp_path / "in" / "files").mkdir(parents=True)
    (tmp_path / "in" / "parts").mkdir()
    trimesh.creation.icosahedron().export(tmp_path / "in" / "files" / "m.stl")
    (tmp_path / "in" / "parts" / "unused.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    source.write_text(DIRECTORIES)
    (tmp_path / "out").mkdir()
    convert(source, tmp_path / "out" / f"out.{through}")
    convert(tmp_path / "out" / f"out.{through}", tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").nmesh == mujoco_model(source).nmesh == 1


@pytest.mark.parametrize(
    "said", ['limited="false" range="0 90"', 'range="90 0"', 'type="ball" limited="false" range="0 9"']
)
@pytest.mark.parametrize("suffix", ["urdf", "sdf", "glb", "xml"])
def test_a_range_that_does_not_limit_is_in_no_unit(said: str, suffix: str, tmp_path: Path):
    drive = '<actuator><position joint="j" inheritrange="1"/></actuator>' if 'range="0 90"' in said else ""
    inside = f'<worldbody><body name="b"><joint name="j" {said}/><geom size=".1"/></body></worldbody>{drive}'
    source = saved(tmp_path, inside)
    explained(convert(source, tmp_path / f"there.{suffix}"))
    convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
    wanted, found = (mujoco_model(path) for path in (source, tmp_path / "back.xml"))
    assert found.jnt_range == pytest.approx(wanted.jnt_range)
    assert found.actuator_ctrlrange == pytest.approx(wanted.actuator_ctrlrange)
    convert(source, tmp_path / "plain.xml", options=Options(carry=False))
    assert mujoco_model(tmp_path / "plain.xml").jnt_range == pytest.approx(wanted.jnt_range)


@pytest.mark.parametrize("suffix", ["xml", "urdf", "sdf", "glb"])
@pytest.mark.parametrize(
    "said",
    [
        ('o_friction="1.1 1.2 1.3 1.4"', 'o_friction="2 3"'),
        ('o_solref=".5 .6" o_solimp=".1 .2 .3 .4 3"', 'o_solref=".7" o_solimp=".4"'),
        ('o_friction="2"', 'o_friction="1.1 1.2 1.3 1.4"'),
        ('actuatorgroupdisable="1 2"', 'actuatorgroupdisable="3 1"'),
    ],
)
def test_options_of_several_sections_come_together_number_by_number(said: tuple[str, str], suffix: str, tmp_path: Path):
    source = saved(tmp_path, "".join(f"<option {each}/>" for each in said) + "<worldbody/>")
    convert(source, tmp_path / f"there.{suffix}")
    convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
    ours, theirs = mujoco_model(source).opt, mujoco_model(tmp_path / "back.xml").opt
    for name in ("o_friction", "o_solref", "o_solimp", "disableactuator"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name))


def test_a_material_may_name_a_texture_of_a_later_section(tmp_path: Path):
    texture = '<texture name="t" type="2d" builtin="flat" width="4" height="4"/>'
    source = saved(
        tmp_path,
        f'<asset><material name="m" texture="t"/></asset><asset>{texture}</asset>'
        '<worldbody><body><geom size=".1" material="m"/></body></worldbody>',
    )
    assert read(source).materials["m"].texture == "t"
    convert(source, tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").mat_texid[0, 1] == 0


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
def test_a_plate_is_a_shell_whatever_is_said(inertia: str, tmp_path: Path):
    mesh = f'<mesh name="m" builtin="plate" params="3 3" scale=".1 .2 .1" inertia="{inertia}"/>'
    source = saved(
        tmp_path, f'<asset>{mesh}</asset><worldbody><body name="b"><joint/><geom mesh="m"/></body></worldbody>'
    )
    explained(convert(source, tmp_path / "there.urdf"))
    link = etree.parse(tmp_path / "there.urdf").getroot().find("link[@name='b']")
    assert link is not None
    mass = link.find("inertial/mass")
    assert mass is not None
    assert float(mass.get("value", "0")) == pytest.approx(mujoco_model(source).body_mass[1])


BODIES = """<worldbody>{0}<body name="a"><freejoint/><geom name="x" size=".1"/><geom size=".2"/><body><joint/>
<geom size=".3"/></body></body><frame><body name="b"><freejoint/><geom size=".4"/><geom name="y" size=".5"/></body>
</frame>{1}</worldbody>"""
FLOOR = '<geom type="plane" size="1 1 1"/>'


@pytest.mark.parametrize(
    "pair", ["<pair/>", '<pair geom1="x"/>', '<pair geom2="x" condim="1"/>', '<pair geom1="" geom2="y"/>']
)
@pytest.mark.parametrize(
    "world",
    [("", ""), (FLOOR, ""), ("", FLOOR), ("", "<body><freejoint/>" + FLOOR.replace("plane", "box") + "</body>")],
)
def test_a_pair_without_a_geom_means_the_last_one_without_a_name(tmp_path: Path, pair: str, world: tuple[str, str]):
    source, out = tmp_path / "s.xml", tmp_path / "out.xml"
    source.write_text(f"<mujoco>{BODIES.format(*world)}<contact>{pair}</contact></mujoco>")
    explained(convert(source, out))
    explained(convert(source, tmp_path / "between.sdf"))
    explained(convert(tmp_path / "between.sdf", tmp_path / "back.xml"))
    models = map(mujoco_model, (source, out, tmp_path / "back.xml"))
    pairs = [[*zip(each.pair_geom1, each.pair_geom2, strict=True)] for each in models]
    assert pairs[0] == pairs[1] == pairs[2] != []
