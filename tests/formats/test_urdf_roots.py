"""A free-floating robot as a URDF: with --base open its base is the root, and Gazebo places it."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert, read
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import configuration, link_poses, pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import complete, of_rule

HEAVY = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/><light pos="0 0 3"/><site name="goal" pos="1 0 0"/>'
OPEN = Options(base="open")
KEY = '<keyframe><key name="home" qpos="3 2 1 .6 0 .8 0 .2"/><key name="rest"/></keyframe>'


def robot(folder: Path, around: str = "", rest: str = "", more: str = "") -> Path:
    path = folder / "robot.xml"
    path.write_text(
        f"""<mujoco model="robot"><worldbody>{around}<body name="base" pos="1 2 .3" euler="10 20 30"><freejoint/>
        <geom name="b" size=".1"/>{HEAVY}<body name="arm" pos=".2 0 .1" euler="0 40 50">
        <joint name="j" axis="0 1 0"/>{HEAVY}<geom name="a" size=".1"/></body></body>{more}</worldbody>{rest}
        </mujoco>"""
    )
    return path


def placed(path: Path) -> dict[str, np.ndarray]:
    """Return body -> its initial pose, by MuJoCo."""
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return {name: np.concatenate([data.body(name).xpos, data.body(name).xquat]) for name in ("base", "arm")}


def same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> bool:
    return all(
        np.allclose(ours[name][:3], theirs[name][:3], rtol=0, atol=1e-9)
        and abs(abs(np.dot(ours[name][3:], theirs[name][3:])) - 1.0) < 1e-9
        for name in ("base", "arm")
    )


def in_gazebo(path: Path) -> dict[str, np.ndarray]:
    found = sdformat_reads(path)
    assert not found["errors"], found["errors"]
    assert found["links"].keys() == {"base", "arm"}
    return {name: np.array(link["pose"]) for name, link in found["links"].items()}


@pytest.mark.parametrize("around", ["", FLOOR])
@pytest.mark.parametrize("rest", ["", KEY])
def test_gazebo_has_the_robot_where_mujoco_has_it(tmp_path: Path, around: str, rest: str) -> None:
    source = robot(tmp_path, around, rest)
    out = tmp_path / "out" / "robot.urdf"
    report = complete(convert(source, out, options=OPEN))
    assert same(placed(source), in_gazebo(out))
    document = etree.parse(out)
    assert document.xpath("//link/@name") == ["base", "arm"]
    assert (out.with_suffix(".srdf").exists(), bool(of_rule(report, "base/surroundings"))) == (bool(rest), bool(around))
    back = tmp_path / "back.xml"
    complete(convert(out, back))
    assert same(placed(source), placed(back))
    assert read(back) == read(source)
    ours, theirs = mujoco_model(source), mujoco_model(back)
    assert (ours.nq, ours.ngeom, ours.nlight, ours.nsite) == (theirs.nq, theirs.ngeom, theirs.nlight, theirs.nsite)
    assert np.array_equal(ours.key_qpos, theirs.key_qpos)


@pytest.mark.parametrize("rest", ["", KEY])
def test_another_place_arrives_in_mujoco_and_gazebo(tmp_path: Path, rest: str) -> None:
    out = tmp_path / "out" / "robot.urdf"
    convert(robot(tmp_path, FLOOR, rest), out, options=OPEN)
    (place,) = etree.parse(out).xpath("//gazebo/pose/text()")
    out.write_text(out.read_text().replace(place, "7 8 9 .1 .2 .3", 1))
    back, sdf = tmp_path / "back.xml", tmp_path / "back.sdf"
    convert(out, back)
    convert(out, sdf)
    assert mujoco_model(back).nq == 8
    assert same(in_gazebo(out), placed(back))
    found = {name.split("::")[-1]: np.array(link["pose"]) for name, link in sdformat_reads(sdf)["links"].items()}
    assert same(in_gazebo(out), found)


def test_a_model_that_an_sdf_places_is_there_in_its_urdf(tmp_path: Path) -> None:
    link = '<link name="{}"><pose>{} 0 .5 .1 .2 .3</pose></link>'
    joint = (
        '<joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint>'
    )
    source, out = tmp_path / "model.sdf", tmp_path / "model.urdf"
    links = link.format("base", 0) + link.format("arm", 0.2)
    source.write_text(f'<sdf version="1.9"><model name="m"><pose>1 2 3 .3 .2 .1</pose>{links}{joint}</model></sdf>')
    complete(convert(source, out, options=OPEN))
    assert same(in_gazebo(source), in_gazebo(out))
    complete(convert(out, tmp_path / "back.sdf"))
    assert same(in_gazebo(source), in_gazebo(tmp_path / "back.sdf"))


def test_a_floating_joint_says_the_same_to_others_and_that_gazebo_refuses_it_is_told(tmp_path: Path) -> None:
    source, out = robot(tmp_path, FLOOR, KEY), tmp_path / "robot.urdf"
    report = complete(convert(source, out))
    assert [finding.count for finding in of_rule(report, "urdf/floating-joint")] == [1]
    assert sdformat_reads(out)["errors"]
    model = pinocchio_model(out)
    there = link_poses(model, configuration(model, {}))
    for name, place in placed(source).items():
        assert np.allclose(there[name][:3, 3], place[:3], rtol=0, atol=1e-9)


def test_where_several_move_freely_it_is_told_that_gazebo_refuses_them(tmp_path: Path) -> None:
    cube = f'<body name="cube" pos="0 1 1"><freejoint/>{HEAVY}<geom name="c" type="box" size=".1 .1 .1"/></body>'
    out = tmp_path / "robot.urdf"
    report = complete(convert(robot(tmp_path, FLOOR, more=cube), out, options=OPEN))
    assert sdformat_reads(out)["errors"]
    assert [finding.count for finding in of_rule(report, "urdf/floating-joint")] == [2]


@pytest.mark.parametrize("name", ["robot.sdf", "again.xml", "robot.glb"])
def test_elsewhere_no_root_is_open_and_that_is_told(tmp_path: Path, name: str) -> None:
    source = robot(tmp_path)
    convert(source, tmp_path / "unasked" / name)
    report = convert(source, tmp_path / "asked" / name, options=OPEN)
    assert [each.before for each in of_rule(report, "options/idle")] == ["--base open"]
    assert (tmp_path / "asked" / name).read_bytes() == (tmp_path / "unasked" / name).read_bytes()
