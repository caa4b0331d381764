"""Static models: Gazebo moves nothing in them, whatever joints they have."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters.comparing import compare
from converters.context import Options
from converters.convert import convert, read
from converters.report.model import Action
from tests.files import saved
from tests.formats.sdf_text import axis, converted, in_urdf, joint, link, put, seen
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import comes_back, complete, of_rule

BOOM = "<inertial><pose>1 0 0 0 0 0</pose><mass>1</mass></inertial>"
INNER = f"{link('hook', '0 0 -1 0 0 0')}{joint('k', 'boom', 'hook', axis('1 0 0'), 'prismatic')}"
CRANE = f"{link('base')}{link('boom', '0 0 1 0 0 0', BOOM)}{joint('j', 'base', 'boom', axis('0 1 0'))}{INNER}"
STILL = "<static>true</static>"
WORLD = '<sdf version="1.9"><world name="w">%s</world></sdf>'
CRANES = {
    "said": WORLD % f'<model name="crane">{STILL}{CRANE}</model>',
    "around": WORLD % f'<model name="site">{STILL}<model name="crane">{CRANE}</model></model>',
    "included": WORLD % f"<include><uri>model://crane</uri>{STILL}</include>",
}
URDF = """<robot name="crane"><link name="base"/><link name="boom"><inertial><origin xyz="1 0 0"/><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute">
<parent link="base"/><child link="boom"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3" velocity="4"/>
</joint><gazebo><static>true</static></gazebo><gazebo reference="j"><springStiffness>4</springStiffness></gazebo>
</robot>"""


def crane(folder: Path, text: str) -> Path:
    put(folder, f'<sdf version="1.9"><model name="crane">{CRANE}</model></sdf>', "crane/model.sdf")
    put(folder, "<model><name>crane</name><sdf>model.sdf</sdf></model>", "crane/model.config")
    return put(folder, text)


def falls(path: Path) -> int:
    """Return the number of dofs in MuJoCo, after checking that nothing moves."""
    model, data = drawn(path)
    before = data.xpos.copy()
    mujoco.mj_step(model, data, nstep=100)
    assert (before == data.xpos).all()
    return int(model.nv)


@pytest.mark.parametrize("way", CRANES)
def test_joints_of_a_static_model_are_fixed_elsewhere(way: str, tmp_path: Path):
    source = crane(tmp_path, CRANES[way])
    assert "boom" in str(seen(source, tmp_path)["links"])
    for name in ("o.xml", "o.urdf", "o.glb"):
        report, path = converted(tmp_path, source, name)
        (told,) = {finding.action for finding in of_rule(complete(report), "joints/static")}
        assert told is Action.DERIVED
        assert compare(source, path) == []
        if way != "included":
            _, back = converted(tmp_path, path, "back.sdf")
            _, own = converted(tmp_path, source, "own.sdf")
            assert back.read_bytes() == own.read_bytes()
    assert falls(tmp_path / "o.xml") == 0
    assert check_urdf(tmp_path / "o.urdf") is None
    assert in_urdf(tmp_path / "o.urdf", {})
    assert b'type="revolute"' not in (tmp_path / "o.urdf").read_bytes()
    data = (tmp_path / "o.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert "animations" not in document
    motions = [
        node["extensions"]["KHR_physics_rigid_bodies"].get("motion")
        for node in document["nodes"]
        if "KHR_physics_rigid_bodies" in node.get("extensions", {})
    ]
    assert all(motion["isKinematic"] for motion in motions if motion)


def test_sdf_keeps_the_joints_of_a_static_model(tmp_path: Path):
    report, path = converted(tmp_path, crane(tmp_path, CRANES["said"]), "o.sdf")
    assert of_rule(report, "joints/static") == []
    assert b'type="revolute"' in path.read_bytes()


def test_a_model_that_is_not_static_moves(tmp_path: Path):
    report, path = converted(tmp_path, crane(tmp_path, CRANES["said"].replace(STILL, "")), "o.xml")
    assert of_rule(report, "joints/static") == []
    assert mujoco_model(path).nv == 8


def test_a_urdf_that_a_block_makes_static(tmp_path: Path):
    source = put(tmp_path, URDF, "source.urdf")
    for name in ("o.xml", "o.glb", "o.sdf"):
        complete(convert(source, tmp_path / name))
        comes_back(source, tmp_path / name)
        assert compare(source, tmp_path / name) == []
    assert falls(tmp_path / "o.xml") == 0
    assert b'type="revolute"' in (tmp_path / "o.sdf").read_bytes()


FLOATING = Options(base="floating")


@pytest.mark.parametrize("way", CRANES)
def test_joints_of_a_static_model_that_is_to_float_move(way: str, tmp_path: Path):
    source = crane(tmp_path, CRANES[way])
    for name in ("o.xml", "o.urdf", "o.glb", "o.sdf"):
        report, path = converted(tmp_path, source, name, FLOATING)
        assert of_rule(complete(report), "joints/static") == []
        assert of_rule(report, "base/asked")
        if way != "included":
            _, back = converted(tmp_path, path, "back.sdf")
            _, own = converted(tmp_path, source, "own.sdf")
            assert back.read_bytes() == own.read_bytes()
    assert mujoco_model(tmp_path / "o.xml").nv == 8
    assert check_urdf(tmp_path / "o.urdf") is None
    kinds = [each.get("type") for each in etree.parse(tmp_path / "o.urdf").iter("joint")]
    assert sorted(kinds) == ["continuous", "floating", "prismatic"]
    assert seen(tmp_path / "o.sdf", tmp_path)["joints"]
    assert etree.parse(tmp_path / "o.sdf").find(".//static") is None


def test_so_do_those_of_a_urdf_that_a_block_makes_static(tmp_path: Path):
    source = put(tmp_path, URDF, "source.urdf")
    report = complete(convert(source, tmp_path / "o.xml", options=FLOATING))
    assert of_rule(report, "joints/static") == []
    assert mujoco_model(tmp_path / "o.xml").nv == 7
    comes_back(source, tmp_path / "o.xml")


def test_what_holds_a_link_stands_where_it_is_said(tmp_path: Path) -> None:
    """A weld has the place of the <static> behind it, around the model or in its <include>; a free root its link's."""
    part = '<sdf version="1.9"><model name="p">\n<static>true</static>\n<link name="l"/></model></sdf>'
    (tmp_path / "part.sdf").write_text(part)
    text = """<sdf version="1.9"><world name="w"><model name="m">
<static>true</static>
<link name="a"/><model name="in">
<link name="b"/></model></model>
<include><uri>part.sdf</uri></include><include><uri>part.sdf</uri><name>q</name>
<static>1</static></include><model name="free">
<link name="c"/></model></world></sdf>"""
    scene = read(saved(tmp_path / "w.sdf", text))
    places = {
        name: (Path(joint.source.file).name, joint.source.line) for name, joint in scene.joints.items() if joint.source
    }
    assert places == {
        "m::a_weld": ("w.sdf", 2),
        "m::in::b_weld": ("w.sdf", 2),
        "p::l_weld": ("part.sdf", 2),
        "q::l_weld": ("w.sdf", 6),
        "free::c_free": ("w.sdf", 7),
    }
