"""MJCF equalities that connect bodies or couple joints, as SDFormat expresses them, and back."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters import convert, read
from converters.context import Options
from converters.report.model import Report
from ir.kinematics import forward
from ir.pose import compose, invert, matrix
from tests.files import saved
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import complete, of_rule

WORLD = """<mujoco model="m"><worldbody>%s</worldbody><equality>%s</equality></mujoco>"""
BAR = """<body name="base" pos="0 0 1" euler="10 20 30"><geom size=".02"/>
<body name="A" pos="0 .01 0"><joint name="ja" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/>
<body name="C" pos="0 0 .3" euler="0 5 0"><joint name="jc" axis="0 1 0"/><geom size=".02" pos=".1 0 0"/></body></body>
<body name="B" pos=".2 0 0"><joint name="jb" axis="0 1 0"/><geom size=".02" pos="0 0 .1"/></body></body>"""
LONG = """<body name="base"><geom size=".02"/>%s
<body name="a1"><joint name="j1"/><geom size=".02"/><body name="a2" pos="0 0 .1"><joint name="j2"/><geom size=".02"/>
<body name="a3" pos="0 0 .1"><joint name="j3"/><geom size=".02"/></body></body></body>
<body name="b1" pos=".1 0 0"><joint name="k1"/><geom size=".02"/></body></body>"""
ALONE = '<body name="f" pos="1 0 0"><freejoint/><geom size=".02"/></body>'
MOCAP = '<body name="m" mocap="true" pos="1 0 0"><geom size=".02"/></body>'
FINGERS = """<body name="p"><geom size=".02"/>
<body name="f1" pos="0 .1 0"><joint name="f1j" type="slide" axis="0 1 0" range="0 .1"/><geom size=".02"/></body>
<body name="f2" pos="0 -.1 0"><joint name="f2j" type="slide" axis="0 1 0" range="-.1 .1"/><geom size=".02"/></body>
</body>"""


NATIVE = Options(carried=False)


def converted(folder: Path, bodies: str, equality: str, version: str | None = None) -> tuple[Report, Path]:
    source = saved(folder / "m.xml", WORLD % (bodies, equality))
    report = complete(convert(source, folder / "m.sdf", options=Options(sdf_version=version)))
    return report, folder / "m.sdf"


def came_back(folder: Path) -> None:
    """Check that MJCF -> SDF -> MJCF equals MJCF -> MJCF, and that MuJoCo compiles it like the source."""
    report = convert(folder / "m.sdf", folder / "back.xml")
    assert report.findings == ()
    convert(folder / "m.xml", folder / "same.xml")
    assert (folder / "back.xml").read_text() == (folder / "same.xml").read_text()
    one, two = (mujoco_model(folder / name) for name in ("m.xml", "back.xml"))
    for field in ("eq_type", "eq_obj1id", "eq_obj2id", "eq_data", "eq_solref", "eq_active0", "body_mass", "jnt_type"):
        np.testing.assert_allclose(getattr(one, field), getattr(two, field), rtol=0, atol=1e-12)


def loops(sdf: Path) -> dict[str, tuple[str, str, str]]:
    """Return the joints that close a loop, as any reader finds them: name -> (type, parent, child)."""
    tree = etree.parse(sdf)
    for element in list(tree.getroot()):
        if not isinstance(element.tag, str) or "carried" in element.tag:
            tree.getroot().remove(element)
    bare = sdf.with_name("bare.sdf")
    tree.write(bare)
    told = sdformat_reads(bare)
    assert told["errors"] == []
    names = [joint.name for joint in read(bare).joints.values() if joint.closes_loop]
    return {name: tuple(told["joints"][name][key] for key in ("type", "parent", "child")) for name in names}


def told(report: Report, rule: str) -> set[str]:
    return {finding.where for finding in of_rule(report, rule)}


def test_a_point_that_two_bodies_share_is_a_ball_joint(tmp_path: Path):
    report, sdf = converted(tmp_path, BAR, '<connect body1="B" body2="C" anchor="0 .01 .3" solref=".01 1"/>')
    assert loops(sdf) == {"connect_B_C": ("ball", "B", "C")}
    assert told(report, "loops/joint") == {"constraint/connect_B_C", "loop/connect_B_C"}
    assert told(report, "sdf/constraint") == set()
    _, data = drawn(tmp_path / "m.xml")
    point = data.body("B").xpos + data.body("B").xmat.reshape(3, 3) @ [0, 0.01, 0.3]
    np.testing.assert_allclose(sdformat_reads(sdf)["joints"]["connect_B_C"]["pose"][:3], point, atol=1e-12)
    came_back(tmp_path)


@pytest.mark.parametrize(
    ("equality", "found"),
    [
        ('<weld name="w" body1="a3" body2="b1"/>', ("fixed", "a3", "b1")),
        ('<weld name="w" body1="b1" body2="a3"/>', ("fixed", "a3", "b1")),
        ('<weld name="w" body1="a3" body2="base"/>', ("fixed", "a3", "base")),
        ('<weld name="w" body1="base" body2="a3"/>', ("fixed", "a3", "base")),
        ('<connect name="w" body1="b1" body2="a2" anchor="0 0 .1"/>', ("ball", "b1", "a2")),
        ('<weld name="w" body1="a1" body2="a2"/>', ("fixed", "a1", "a2")),
        ('<weld name="w" body1="b1" body2="a3" relpose="-.1 0 .2 1 0 0 0"/>', ("fixed", "a3", "b1")),
    ],
)
def test_the_joints_of_the_tree_are_found_before_those_of_the_loops(
    tmp_path: Path, equality: str, found: tuple[str, str, str]
):
    _, sdf = converted(tmp_path, LONG % "", equality)
    assert loops(sdf) == {"w": found}
    came_back(tmp_path)


def test_a_chain_of_links_in_the_place_of_a_joint_of_several_axes_is_longer(tmp_path: Path):
    bodies = (LONG % "").replace('<joint name="j1"/>', '<joint name="j1"/><joint name="i1" type="slide"/>')
    report, sdf = converted(tmp_path, bodies, '<connect name="w" body1="b1" body2="a2" anchor="0 0 .1"/>')
    assert loops(sdf) == {"w": ("ball", "a2", "b1")}
    assert "joint/j2.parent" not in {finding.where for finding in report.findings}
    came_back(tmp_path)


@pytest.mark.parametrize(
    ("bodies", "equality"),
    [
        (LONG % "", '<weld name="w" body1="a3" body2="b1" active="false"/>'),
        (LONG % "", '<weld name="w" body1="a3" body2="b1" relpose="0 0 0 1 0 0 0"/>'),
        (LONG % "", '<weld name="w" body1="a3"/>'),
        (LONG % "<freejoint/>", '<weld name="w" body1="a3" body2="base"/>'),
        (LONG % "" + MOCAP, '<weld name="w" body1="m" body2="a3"/>'),
        (LONG % "<freejoint/>" + ALONE, '<weld name="w" body1="base" body2="f"/>'),
        (LONG % "", '<joint name="w" joint1="j1" joint2="j2" polycoef="0 1 2 0 0"/>'),
        (LONG % "", '<joint name="w" joint1="j1"/>'),
    ],
)
def test_what_no_joint_stands_for_is_carried_with_its_reason(tmp_path: Path, bodies: str, equality: str):
    report, sdf = converted(tmp_path, bodies, equality)
    assert loops(sdf) == {}
    assert told(report, "sdf/constraint") == {"constraint/w"}
    assert told(report, "loops/joint") == set()
    came_back(tmp_path)


def test_a_free_body_that_is_held_is_the_parent(tmp_path: Path):
    _, sdf = converted(tmp_path, LONG % "" + ALONE, '<weld name="w" body1="a3" body2="f"/>')
    joint = sdformat_reads(sdf)["joints"]["w"]
    assert (joint["parent"], joint["child"]) == ("f", "a3")
    assert loops(sdf) == {"w": ("fixed", "f", "a3")}
    came_back(tmp_path)


def test_sites_that_lie_apart_as_the_model_is_drawn_make_no_joint(tmp_path: Path):
    sites = '<site name="s" pos="0 0 %s"/><geom size=".02" pos="0 0 .1"/></body></body>'
    bodies = BAR.replace('<geom size=".02" pos="0 0 .1"/></body></body>', sites)
    bodies = bodies.replace('<geom size=".02" pos=".1 0 0"/>', '<geom size=".02" pos=".1 0 0"/><site name="t"/>')
    for place, found in (("0", {}), (".3", {"w": ("ball", "B", "C")})):
        model = bodies.replace("0 .01 0", "0 0 0").replace('name="B" pos=".2 0 0"', 'name="B"') % place
        _, sdf = converted(tmp_path, model, '<connect name="w" site1="s" site2="t"/>')
        assert loops(sdf) == found
        came_back(tmp_path)


def test_who_takes_the_joint_out_has_no_equation_either(tmp_path: Path):
    _, sdf = converted(tmp_path, BAR, '<connect name="w" body1="B" body2="C" anchor="0 .01 .3"/>')
    tree = etree.parse(sdf)
    (joint,) = tree.xpath("//joint[@name='w']")
    joint.getparent().remove(joint)
    tree.write(sdf)
    report = convert(sdf, tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").neq == 0
    assert "carried/stale" in {finding.rule for finding in report.findings}


@pytest.mark.parametrize(("version", "mimics"), [(None, 1), ("1.9", 0), ("1.11", 1)])
def test_a_coupling_is_called_a_mimic_where_one_is_written(tmp_path: Path, version: str | None, mimics: int):
    equality = '<joint name="e" joint1="f2j" joint2="f1j" polycoef="0.01 -2 0 0 0"/>'
    report, sdf = converted(tmp_path, FINGERS, equality, version)
    assert len(etree.parse(sdf).findall(".//mimic")) == mimics
    assert told(report, "couples/mimic") == ({"constraint/e", "joint/f2j.dofs.0.mimic"} if mimics else set())
    assert told(report, "sdf/constraint") == (set() if mimics else {"constraint/e"})
    came_back(tmp_path)


TURNED = """<sdf version="1.9"><model name="m"><link name="A"/><link name="B"><pose>1 0 0 0 0 0</pose></link>
<link name="D"><pose>2 0 0 .3 .2 .1</pose></link><link name="C"><pose>2 1 0 0 .5 1</pose></link>
<joint name="J" type="revolute"><parent>A</parent><child>B</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="ball" type="ball"><pose>.1 .2 .3 0 0 0</pose><parent>D</parent><child>C</child></joint>
<joint name="L" type="revolute"><parent>C</parent><child>B</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


@pytest.mark.parametrize("turn", ["0.5,0.1,-0.7,0.5", "0.7071067811865476,0.7071067811865476,0,0"])
@pytest.mark.parametrize("base", [(), ("D_free=4,5,6,0.6,0,0.8,0",)])
def test_the_state_of_a_ball_that_is_turned_round_is_turned_round(
    turn: str, base: tuple[str, ...], tmp_path: Path
) -> None:
    """The joint that moved the free base is gone: the tree is attached at the other body now."""
    source = saved(tmp_path / "m.sdf", TURNED)
    posed = (f"ball={turn}", "L=0", *base)
    complete(convert(source, tmp_path / "m.xml", options=Options(pose=posed)))
    model = mujoco_model(tmp_path / "m.xml")
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("pose").id)
    mujoco.mj_kinematics(model, data)
    poses = {
        name: np.vstack([np.column_stack([body.xmat.reshape(3, 3), body.xpos]), [0, 0, 0, 1]])
        for name, body in ((name, data.body(name)) for name in "CD")
    }
    scene = read(source)
    q = np.array([float(part) for part in turn.split(",")])
    there = forward(scene, {"ball": tuple(q / np.linalg.norm(q))})
    between = compose(invert(there["D"]), there["C"])
    found = np.linalg.inv(poses["D"]) @ poses["C"]
    assert found[:3, 3] == pytest.approx(between.pos, abs=1e-12)
    assert found[:3, :3] == pytest.approx(matrix(between.rot), abs=1e-12)
    convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf").joints == scene.joints


RING = """<sdf version="1.9"><model name="m"><link name="tip"/>
<model name="arm"><link name="a"/><link name="b"/></model>
<joint name="hung" type="prismatic"><parent>arm::a</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint>
<joint name="there" type="revolute"><parent>arm::a</parent><child>arm::b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="back" type="revolute"><parent>arm::b</parent><child>arm::a</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def test_what_hangs_on_a_ring_of_joints_is_not_the_root(tmp_path: Path):
    joints = read(saved(tmp_path / "m.sdf", RING)).joints
    assert {name: joint.closes_loop for name, joint in joints.items()} == {
        "hung": False,
        "there": False,
        "back": True,
        "arm::a_free": False,
    }
    assert {each.rule for each in convert(tmp_path / "m.sdf", tmp_path / "again.sdf").findings} == {
        "sdf/inertial-default"
    }


HELD = """<sdf version="1.10"><world name="w"><model name="p">
<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model>
<joint name="wj" type="fixed"><parent>world</parent><child>p::b</child></joint></world></sdf>"""


@pytest.mark.parametrize("version", ["1.8", "1.10"])
def test_a_joint_of_the_world_that_base_lets_go_has_its_reasons_in_every_version(tmp_path: Path, version: str):
    """It connected a link that also has a joint in the model; before 1.10 it is a joint of the model."""
    source = saved(tmp_path / "w.sdf", HELD)
    complete(convert(source, tmp_path / "out.sdf", options=Options(base="floating", sdf_version=version)))
    assert not sdformat_reads(tmp_path / "out.sdf")["errors"]
    assert not any("weld" in name or name == "wj" for name in read(tmp_path / "out.sdf", options=NATIVE).joints)
