"""Two models are the same robot or not, and where not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from converters.cli import kinegraph
from converters.comparing import compare, compare_in
from converters.context import InputError
from converters.convert import convert
from tests.formats.test_gltf_writer import ARM


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "arm.urdf").write_text(ARM)
    return tmp_path / "arm.urdf"


@pytest.mark.parametrize("name", ["other.xml", "other.sdf", "other.glb", "other.urdf"])
def test_a_robot_is_its_own_conversion(arm: Path, name: str):
    convert(arm, arm.with_name(name))
    assert compare(arm, arm.with_name(name)) == []
    assert compare(arm.with_name(name), arm) == []


CHANGES = {
    'lower="-2"': ('lower="-1.9998"', {"limits"}, "joint/shoulder.lower"),
    'upper="5"': ('upper="5.0005"', {"limits"}, "joint/shoulder.upper"),
    'xyz="0.1 0 0.2"': ('xyz="0.1001 0 0.2"', {"poses"}, "body/upper.position"),
    'rpy="0.3 0 0"': ('rpy="0.3001 0 0"', {"poses", "gravity torques"}, "body/upper.rotation"),
    'mass value="2"': ('mass value="2.0002"', {"masses", "mass matrix", "gravity torques"}, "body/upper.mass"),
    'ixy="0.01"': ('ixy="0.0101"', {"inertias"}, "body/upper.inertia"),
    'iyy="0.3"': ('iyy="0.30001"', {"inertias", "mass matrix"}, "body/upper.inertia"),
    'damping="0.5"': ('damping="0.5001"', {"joints"}, "joint/shoulder.damping"),
    'multiplier="2"': ('multiplier="2.0001"', {"joints", "poses"}, "joint/follow.mimic"),
    'size="0.1 0.1 0.3"': ('size="0.1 0.1 0.3001"', {"geometry"}, "body/upper.second.size"),
    'sphere radius="0.1"': ('sphere radius="0.1001"', {"geometry"}, "body/upper.upper_collision_0.radius"),
    'rgba=".5 .5 .5 .5"': ('rgba=".5 .5 .5001 .5"', {"colours"}, "body/base.base_visual_0.colour"),
}


@pytest.mark.parametrize("old", CHANGES)
def test_a_number_changed_by_a_ten_thousandth_is_named(arm: Path, old: str):
    new, aspects, where = CHANGES[old]
    other = arm.with_name("other.urdf")
    assert ARM.count(old) == 1
    other.write_text(ARM.replace(old, new))
    found = compare(arm, other)
    assert aspects <= {each.what for each in found}
    assert where in {each.where for each in found}
    assert all(each.by is None or each.by > 0 for each in found)


@pytest.mark.parametrize("target", ["other.xml", "other.sdf"])
def test_an_edit_of_the_conversion_is_named_too(arm: Path, target: str):
    convert(arm, arm.with_name(target))
    text = arm.with_name(target).read_text()
    edited = re.sub(r'(mass="2"|<mass>2</mass>)', lambda match: match[0].replace("2", "2.0002"), text, count=1)
    assert edited != text
    arm.with_name(target).write_text(edited)
    assert "body/upper.mass" in {each.where for each in compare(arm, arm.with_name(target))}


def test_structure(arm: Path):
    other = arm.with_name("other.urdf")
    other.write_text(ARM.replace('name="finger"', 'name="claw"').replace('link="finger"', 'link="claw"'))
    found = [(each.where, each.first, each.second) for each in compare(arm, other) if each.what == "structure"]
    assert found == [("body/finger", "there", "missing"), ("body/claw", "missing", "there")]


def test_the_command_tells_and_exits(arm: Path):
    convert(arm, arm.with_name("same.sdf"))
    other = arm.with_name("other.urdf")
    other.write_text(ARM.replace('mass value="2"', 'mass value="2.0002"'))
    runner = CliRunner()
    same = runner.invoke(kinegraph, ["compare", str(arm), str(arm.with_name("same.sdf"))], standalone_mode=False)
    assert same.return_value == 0 and "the same: structure" in same.output
    unlike = runner.invoke(kinegraph, ["compare", str(arm), str(other), "--json"], standalone_mode=False)
    assert unlike.return_value == 1
    document = json.loads(unlike.output)
    assert document["schema_version"] == 1 and not document["equal"]
    assert [each for each in document["differences"] if each["where"] == "body/upper.mass"] == [
        {"what": "masses", "where": "body/upper.mass", "first": 2.0, "second": 2.0002, "by": pytest.approx(0.0002)}
    ]


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
@pytest.mark.parametrize("target", ["other.xml", "other.sdf", "other.glb"])
def test_engines_see_one_robot_in_its_conversion(arm: Path, engine: str, target: str):
    convert(arm, arm.with_name(target))
    assert compare_in(engine, arm, arm.with_name(target), samples=3) == []


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
def test_engines_see_what_was_changed(arm: Path, engine: str):
    other = arm.with_name("other.urdf")
    other.write_text(
        ARM.replace('mass value="2"', 'mass value="2.0002"').replace('xyz="0.1 0 0.2"', 'xyz="0.1001 0 0.2"')
    )
    found = {(each.what, each.where) for each in compare_in(engine, arm, other, samples=3)}
    assert ("masses", "body/upper.mass") in found
    assert ("poses", "body/upper") in found
    assert any(what == "mass matrix" for what, _ in found)
    assert any(what == "gravity torques" for what, _ in found)


def test_an_engine_that_nobody_knows(arm: Path):
    with pytest.raises(InputError, match="mujoco, pinocchio, drake"):
        compare_in("bullet", arm, arm)


@pytest.mark.parametrize(
    ("old", "new", "what", "where"),
    [
        ('pos="0 0 1"', 'pos="0 0 1.0001"', "joints", "joint/f.position"),
        ('quat="1 0 0 0"', 'quat="1 1e-4 0 0"', "joints", "joint/f.rotation"),
        ('gravcomp=".5"', 'gravcomp=".5001"', "masses", "body/b.gravity"),
        ('mass="0" diaginertia="1', 'mass="0" diaginertia="1.0001', "inertias", "body/c.inertia"),
    ],
)
def test_where_a_free_root_starts_and_what_weighs_nothing(tmp_path: Path, old: str, new: str, what: str, where: str):
    text = (
        '<mujoco><worldbody><body name="b" pos="0 0 1" quat="1 0 0 0" gravcomp=".5"><freejoint name="f"/>'
        '<geom size=".1"/><body name="c"><inertial pos="0 0 0" mass="0" diaginertia="1 1 1"/></body></body>'
        "</worldbody></mujoco>"
    )
    assert text.count(old) == 1
    (tmp_path / "first.xml").write_text(text)
    (tmp_path / "second.xml").write_text(text.replace(old, new))
    assert (what, where) in [
        (each.what, each.where) for each in compare(tmp_path / "first.xml", tmp_path / "second.xml")
    ]


def test_transparency_without_a_colour(tmp_path: Path):
    text = (
        '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>'
        "<sphere><radius>1</radius></sphere></geometry><transparency>0.5</transparency></visual></link></model></sdf>"
    )
    (tmp_path / "first.sdf").write_text(text)
    (tmp_path / "second.sdf").write_text(text.replace("0.5", "0.5001"))
    (found,) = compare(tmp_path / "first.sdf", tmp_path / "second.sdf")
    assert (found.what, found.where, found.by) == ("colours", "body/l.v.transparency", pytest.approx(1e-4))
