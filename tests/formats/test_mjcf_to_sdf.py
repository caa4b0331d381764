"""What MJCF and SDFormat express differently: the report is true."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree

from converters import convert
from converters.context import Options
from converters.report.model import Report
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import complete, explained, of_rule

MODEL = """<mujoco model="m"><worldbody>%s<body name="b" pos="0 0 1"><joint name="j" type="ball" range="0 40"/>
<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>%s</body></worldbody></mujoco>"""


def converted(folder: Path, world: str, body: str, version: str | None = None) -> tuple[Report, etree._ElementTree]:
    """Convert MJCF -> SDF, check that the way back equals MJCF -> MJCF, and return the report and the tree."""
    (folder / "m.xml").write_text(MODEL % (world, body))
    report = complete(convert(folder / "m.xml", folder / "m.sdf", options=Options(sdf_version=version)))
    assert sdformat_reads(folder / "m.sdf")["errors"] == []
    assert convert(folder / "m.sdf", folder / "back.xml").findings == ()
    convert(folder / "m.xml", folder / "same.xml")
    assert (folder / "back.xml").read_text() == (folder / "same.xml").read_text()
    return report, etree.parse(folder / "m.sdf")


def told(report: Report, rule: str) -> dict[str, str]:
    return {finding.where: finding.reason for finding in of_rule(report, rule)}


def test_the_limit_of_a_ball_joint_is_no_crossed_one(tmp_path: Path):
    report, _ = converted(tmp_path, "", "")
    reasons = told(report, "sdf/limits")
    assert set(reasons) == {"joint/j.dofs.0.lower", "joint/j.dofs.0.upper"}
    assert all("no limits on ball joints" in reason for reason in reasons.values())


def test_masks_of_what_is_seen_and_collides_are_not_lost(tmp_path: Path):
    both, solid = '<geom name="g" size=".1" contype="2"/>', '<geom name="c" size=".1" contype="4" group="3"/>'
    report, tree = converted(tmp_path, "", f'{both}{solid}<geom name="s" size=".1" solref=".01 1"/>')
    masks = {each.get("name"): each.findtext(".//category_bitmask") for each in tree.iter("collision")}
    assert masks == {"g": "2", "c": "4", "s": "1"}
    assert {each.get("name") for each in tree.iter("visual")} == {"g", "s"}
    assert told(report, "sdf/surface") == {}
    assert set(told(report, "sdf/contact-solver")) == {"body/b.geoms.s.surface.parameters"}
    assert told(report, "sdf/geom-twice") == {}


def test_the_collision_of_such_a_geom_may_be_edited(tmp_path: Path):
    converted(tmp_path, "", '<geom name="g" size=".1" contype="2"/>')
    text = (tmp_path / "m.sdf").read_text()
    (tmp_path / "m.sdf").write_text(text.replace("<category_bitmask>2<", "<category_bitmask>8<"))
    convert(tmp_path / "m.sdf", tmp_path / "edited.xml")
    model = mujoco_model(tmp_path / "edited.xml")
    assert list(model.geom_contype) == [8]


def test_the_floor_stands_in_a_model_and_the_report_says_so(tmp_path: Path):
    report, tree = converted(tmp_path, '<geom name="floor" type="plane" size="1 1 .1"/>', "")
    assert tree.xpath("//model[@name='ground']//collision/@name") == ["floor"]
    assert told(report, "sdf/geom") == {}
    assert "for geometry that belongs to the world" in told(report, "sdf/dummy-link")["body/ground"]
    assert "geometry of the world" in told(report, "sdf/joint-chain")["joint/ground_weld"]


@pytest.mark.parametrize(("version", "said"), [("1.7", {}), ("1.8", {"off": "false", "on": "true"})])
def test_a_light_that_is_off_stays_so(tmp_path: Path, version: str, said: dict[str, str]):
    lights = '<light name="off" active="false"/><light name="on" active="true"/><light name="any"/>'
    report, tree = converted(tmp_path, "", lights, version)
    found = {each.get("name"): each.findtext("light_on") for each in tree.iter("light")}
    assert {name: text for name, text in found.items() if text} == said
    lost = {where for where in told(report, "sdf/light-version") if where.endswith(".parameters")}
    assert lost == (set() if said else {"body/b.lights.off.parameters", "body/b.lights.on.parameters"})


def test_a_light_of_sdf_that_is_off_does_not_shine_in_mujoco(tmp_path: Path):
    light = '<light name="%s" type="point"><light_on>%s</light_on></light>'
    model = f"<link name='l'>{light % ('off', 'false')}{light % ('on', '1')}</link>"
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.9"><model name="m">{model}</model></sdf>')
    convert(tmp_path / "m.sdf", tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert [int(model.light(name).active[0]) for name in ("off", "on")] == [0, 1]
    convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    texts = [each.text for each in etree.parse(tmp_path / "back.sdf").iter("light_on")]
    assert texts == ["false", "1"]


def test_the_light_of_a_lamp_fades_as_in_mujoco(tmp_path: Path):
    lights = '<light name="a"/><light name="b" attenuation="1 .5 .25" range="7"/><light name="sun" type="directional"/>'
    report, tree = converted(tmp_path, "", lights)
    model = mujoco_model(tmp_path / "m.xml")
    said = {each.get("name"): each.find("attenuation") for each in tree.iter("light")}
    assert said.pop("sun") is None
    for name, attenuation in said.items():
        values = [float(attenuation.findtext(tag)) for tag in ("constant", "linear", "quadratic", "range")]
        assert values == [*model.light(name).attenuation, model.light_range[model.light(name).id]]
    assert set(told(report, "mjcf/default-attenuation")) == {"body/b.lights.a.attenuation"}


def test_the_light_of_a_lamp_of_sdf_fades_in_mujoco(tmp_path: Path):
    """By the specification: a range of 10, and equal constant and linear attenuation, unless given."""
    reach = "<attenuation><range>7</range></attenuation>"
    lights = f'<light name="a" type="point"/><light name="b" type="spot">{reach}</light>'
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.9"><model name="m"><link name="l">{lights}</link></model></sdf>')
    convert(tmp_path / "m.sdf", tmp_path / "m.xml")
    model = mujoco_model(tmp_path / "m.xml")
    assert [list(model.light(name).attenuation) for name in "ab"] == [[1, 1, 0], [1, 1, 0]]
    assert [model.light_range[model.light(name).id] for name in "ab"] == [10, 7]
    assert convert(tmp_path / "m.xml", tmp_path / "back.sdf").findings == ()
    assert [each.tag for each in etree.parse(tmp_path / "back.sdf").iter("range", "attenuation")] == [
        "attenuation",
        "range",
    ]


def test_the_camera_of_a_body_is_told_what_a_sensor_cannot(tmp_path: Path):
    report, _ = converted(tmp_path, "", '<camera name="c" projection="orthographic" mode="targetbody" target="b"/>')
    reason = told(report, "sdf/camera")["body/b.cameras.c"]
    assert "with perspective" in reason
    assert "without a target to track" in reason


def test_a_model_that_says_nothing_of_gravity_has_that_of_mujoco(tmp_path: Path):
    _, tree = converted(tmp_path, '<geom name="floor" type="plane" size="1 1 1"/>', "")
    model = mujoco_model(tmp_path / "m.xml")
    assert [float(word) for word in str(tree.findtext("world/gravity")).split()] == list(model.opt.gravity)
    (tmp_path / "m.sdf").write_text((tmp_path / "m.sdf").read_text().replace("-9.81<", "-1.6<"))
    convert(tmp_path / "m.sdf", tmp_path / "edited.xml")
    assert mujoco_model(tmp_path / "edited.xml").opt.gravity[2] == -1.6


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_one_file_under_two_names_is_one_file(target: str, tmp_path: Path):
    trimesh.creation.box().export(tmp_path / "m.stl")
    assets = '<mesh name="a" file="m.stl"/><mesh name="b" file="m.stl" scale="2 2 2"/>'
    geoms = '<geom name="g" type="mesh" mesh="a"/><geom name="h" type="mesh" mesh="b" pos="3 0 0"/>'
    body = f'<body name="x"><joint name="j"/>{geoms}</body>'
    (tmp_path / "m.xml").write_text(f"<mujoco><asset>{assets}</asset><worldbody>{body}</worldbody></mujoco>")
    report = convert(tmp_path / "m.xml", tmp_path / f"m.{target}")
    assert not [finding for finding in report.findings if finding.where.endswith(".shape.asset")]
    visuals = etree.parse(tmp_path / f"m.{target}").iter("visual")
    scales = {
        visual.get("name"): visual.findtext(".//scale") or visual.find(".//mesh").get("scale") for visual in visuals
    }
    assert scales == {"g": None, "h": "2 2 2"}
    convert(tmp_path / f"m.{target}", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert {model.mesh(index).name for index in range(model.nmesh)} == {"a", "b"}


@pytest.mark.parametrize("ends", [("b", "c"), ("c", "b")])
def test_a_body_of_several_joints_may_close_a_loop_too(tmp_path: Path, ends: tuple[str, str]):
    source = tmp_path / "m.xml"
    source.write_text(f"""<mujoco model="m"><worldbody><body name="a"><freejoint/><geom size=".1"/>
      <body name="b" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
      <geom size=".1"/></body><body name="c" pos="0 1 0"><joint name="z"/><geom size=".1"/></body></body></worldbody>
      <equality><connect body1="{ends[0]}" body2="{ends[1]}" anchor="0 0 .5"/></equality></mujoco>""")
    explained(convert(source, tmp_path / "m.sdf"))
    assert not sdformat_reads(tmp_path / "m.sdf")["errors"]
    convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    before, after = (mujoco_model(tmp_path / name) for name in ("m.xml", "back.xml"))
    assert [after.joint(number).name for number in range(4)] == [before.joint(number).name for number in range(4)]
    assert after.neq == before.neq == 1


def test_a_zero_elsewhere_makes_no_chain(tmp_path: Path):
    turned = """<body name="c"><joint name="h" axis="0 1 0" ref="30" range="0 60"/>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><body name="d"><joint name="s" type="slide" pos="0 .1 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/></body></body>"""
    report, tree = converted(tmp_path, "", turned)
    assert [each.get("name") for each in tree.iter("joint")] == ["j", "h", "s"]
    assert told(report, "sdf/joint-chain") == {}
    assert set(told(report, "sdf/joint-zero")) == {"joint/h.dofs.0.zero", "joint/h.pose.rot"}
    assert set(told(report, "joints/slide-anchor")) == {"joint/s.dofs.0.anchor"}


@pytest.mark.parametrize("target", ["sdf", "urdf"])
@pytest.mark.parametrize(("shift", "place"), [("", []), ('ref=".3"', ["joint/joint_c.dofs.0.anchor"])])
def test_where_a_slide_lies_is_no_loss_of_a_hinge(tmp_path: Path, target: str, shift: str, place: list[str]):
    """A chain is placed with its joints at zero, which moves the anchor of a hinge before a shifted slide."""
    solid = '<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
    joints = f"""<joint name="h" pos=".1 0 0" axis="0 1 0"/><joint name="s" type="slide" axis="1 0 0" pos="0 .2 0"
      {shift}/>"""
    source = saved(tmp_path / "m.xml", f'<mujoco><worldbody><body name="c">{joints}{solid}</body></worldbody></mujoco>')
    report = complete(convert(source, tmp_path / f"m.{target}"))
    assert set(told(report, "joints/slide-anchor")) == {"joint/joint_c.dofs.1.anchor"}
    zeros = {where for where in told(report, f"{target}/joint-zero") if where.endswith("anchor")}
    assert sorted(zeros) == place
    chain = told(report, {"sdf": "sdf/joint-chain", "urdf": "urdf/joint-split"}[target])
    assert bool(shift) or set(chain) == {"joint/joint_c.dofs", "joint/h"}


@pytest.mark.parametrize(
    ("joints", "links"),
    [
        ('<joint name="h" axis="0 1 0" pos=".1 .2 .3" ref="30"/>', 0),
        ('<joint name="h" axis="0 1 1" pos="0 .2 0" ref="-50"/><joint name="x" axis="1 0 0" pos=".3 0 0" ref="9"/>', 1),
        ('<joint name="s" type="slide" axis="1 0 0" ref=".2"/><joint name="h" axis="0 1 0" pos="0 0 .3"/>', 1),
    ],
)
def test_an_anchor_takes_no_link(tmp_path: Path, joints: str, links: int):
    """It is the position of the SDFormat joint; links are added only between several axes."""
    solid = '<inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .1"/>'
    turned = f"""<body name="c" pos="0 0 .5" euler="10 20 30">{joints}{solid}
      <body name="d" pos=".2 .3 0"><joint name="k"/>{solid}</body></body>"""
    _, tree = converted(tmp_path, "", turned)
    names = [each.get("name") for each in tree.iter("link")]
    assert len(names) == len(set(names) & {"b", "c", "d"}) + links
    model = mujoco_model(tmp_path / "m.xml")
    data = mujoco.MjData(model)
    at = {model.joint(index).name: 0.1 * index for index in range(1, model.njnt)}
    for name, value in at.items():
        data.joint(name).qpos[0] = value
    mujoco.mj_kinematics(model, data)
    (seen,) = drake_reads(tmp_path / "m.sdf", at=[at])["at"]
    for name in ("c", "d"):
        pose = np.array(seen["bodies"][name]).reshape(4, 4)
        assert np.allclose(pose[:3, 3], data.body(name).xpos, atol=1e-12)
        assert np.allclose(pose[:3, :3].ravel(), data.body(name).xmat, atol=1e-12)


def test_what_a_ball_cannot_say_is_not_laid_to_a_chain(tmp_path: Path):
    (tmp_path / "m.xml").write_text(MODEL.replace('range="0 40"', 'springref="3" stiffness="2"') % ("", ""))
    report = convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    assert told(report, "sdf/joint-dynamics").keys() == {"joint/j.dofs.0.stiffness"}
    assert told(report, "sdf/joint-parameters").keys() == {"joint/j.dofs.0.parameters"}, "springref has no effect"
    assert told(report, "sdf/joint-chain") == {}


@pytest.mark.parametrize("place", ["world", "body"])
def test_a_narrow_camera_sees_by_a_lens(tmp_path: Path, place: str):
    """libsdformat accepts no angle below 0.1; focal lengths override it."""
    cameras = '<camera name="near" fovy="4"/><camera name="wide" fovy="40"/>'
    report, tree = converted(tmp_path, *((cameras, "") if place == "world" else ("", cameras)))
    seen = {each.getparent().get("name"): each for each in tree.iter("camera")}
    angles = {name: float(each.findtext("horizontal_fov")) for name, each in seen.items()}
    assert angles["near"] == 0.1 < angles["wide"]
    assert float(seen["near"].findtext("lens/intrinsics/fx")) == pytest.approx(120 / np.tan(np.radians(2)), rel=1e-12)
    assert seen["wide"].find("lens") is None
    assert not [each for each in report.findings if each.where.endswith(".near.fov_y")]
    convert(tmp_path / "m.sdf", tmp_path / "back.xml", options=Options(carried=False))
    assert mujoco_model(tmp_path / "back.xml").camera("near").fovy[0] == pytest.approx(4)


@pytest.mark.parametrize("target", ["m.sdf", "m.urdf"])
def test_a_camera_is_where_its_sensor_is(tmp_path: Path, target: str):
    """Gazebo looks along x of the sensor, z up; a second <pose>, in <camera>, would have to be considered, too."""
    report, _ = converted(tmp_path, "", '<camera name="c" pos=".1 .2 .3" quat=".7 -.1 .4 .2"/>')
    convert(tmp_path / "m.xml", tmp_path / target)
    assert "body/b.cameras.c.pose" not in {finding.where for finding in report.findings}
    (sensor,) = etree.parse(tmp_path / target).iter("sensor")
    assert sensor.find("camera/pose") is None
    x, y, z, *angles = map(float, sensor.findtext("pose").split())
    axes = trimesh.transformations.euler_matrix(*angles, "sxyz")[:3, :3]
    model = mujoco_model(tmp_path / "m.xml")
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, model.camera("c").quat)
    right, up, back = turn.reshape(3, 3).T
    assert np.abs(np.array([x, y, z]) - model.camera("c").pos).max() < 1e-9
    assert np.abs(axes.T - [-back, -right, up]).max() < 1e-9


def test_an_equation_of_one_joint_closes_no_loop(tmp_path: Path):
    hinge = MODEL.replace('type="ball" range="0 40"', "") % ("", "")
    lock = '<equality><joint joint1="j" polycoef=".1 0 0 0 0"/></equality></mujoco>'
    (tmp_path / "m.xml").write_text(hinge.replace("</mujoco>", lock))
    report = convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    assert told(report, "urdf/loop") == {}
    (reason,) = told(report, "urdf/constraint").values()
    assert "loop" not in reason
    assert etree.parse(tmp_path / "m.urdf").findall(".//mimic") == []


@pytest.mark.parametrize("shell", [False, True])
def test_a_mesh_inside_another_file_is_told_apart_from_a_shell(tmp_path: Path, shell: bool):
    mesh = trimesh.Trimesh(np.eye(3), [[0, 1, 2]]) if shell else trimesh.creation.box()
    (tmp_path / "g.obj").write_text(f"mtllib g.mtl\nusemtl red\n{mesh.export(file_type='obj', header=None)}")
    (tmp_path / "g.mtl").write_text("newmtl red\nKd 1 0 0\n")
    seen = '<visual><geometry><mesh filename="g.obj"/></geometry></visual>'
    solid = "" if shell else seen.replace("visual", "collision")
    (tmp_path / "m.urdf").write_text(f'<robot name="m"><link name="a">{seen}{solid}</link></robot>')
    convert(tmp_path / "m.urdf", tmp_path / "m.glb")
    (tmp_path / "g.obj").unlink()
    report = convert(tmp_path / "m.glb", tmp_path / "m.xml")
    found = [each for each in report.findings if each.before.startswith('[["looks", "own"')]
    assert {(each.rule, str(each.action)) for each in found} == {
        ("mjcf/part-of-file", "derived" if shell else "carried")
    }
    assert mujoco_model(tmp_path / "m.xml").nmesh == 1
    assert ('inertia="shell"' in (tmp_path / "m.xml").read_text()) is shell
    assert ["inertia='shell'" in each.reason for each in found] == [shell]
