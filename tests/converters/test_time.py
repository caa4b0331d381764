"""What a hostile text or a very long model costs grows no faster than its size."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from converters.columns import position
from converters.format import Target
from converters.mjcf.writing.classes import without_number
from converters.passes.names import in_texts
from converters.registry import format_named
from converters.validating.repairs.job import RepairJob
from converters.validating.repairs.joints import flat_followers
from ir.kinematics import mimics
from ir.scene import Scene
from ir.types import WORLD, Block, Body, Dof, DofKind, Extra, Joint, Mimic, Source
from tests.files import saved

JOB = RepairJob(format="urdf", target=Target(fits=format_named("urdf").fits), breaches=())


def scene_of(*joints: Joint) -> Scene:
    scene = Scene("made")
    for joint in joints:
        scene.add_body(Body(name=joint.child))
        scene.add_joint(joint)
    return scene


def renamed(text: str) -> str:
    scene = scene_of(Joint(name="j", parent=WORLD, child="a"))
    block = Block(name="b", dialect="gazebo", extras=(Extra(format="urdf", path="gazebo[1]", text=text),))
    (extra,) = in_texts(scene, {"joint": {"j": "elbow"}, "body": {"a": "hand"}})(block).extras
    return extra.text


@pytest.mark.parametrize("begun", ["<joint", "<x><joint", "<joint>", "<" + "jointlink" * 3])
def test_names_in_blocks_are_found_in_time(begun: str):
    started = process_time()
    hostile = begun + begun.lstrip("<") * (100_000 // len(begun))
    assert renamed(f"{hostile}<joint_name>j</joint_name>").endswith("<joint_name>elbow</joint_name>")
    assert renamed(f"<{'joint' * 20_000}>j</{'joint' * 20_000}>").count("elbow") == 1
    assert process_time() - started < 2


def test_the_last_word_of_a_tag_tells_what_it_names():
    assert renamed("<joint_link>a</joint_link><link_joint> j </link_joint><part>a</part>") == (
        "<joint_link>hand</joint_link><link_joint> elbow </link_joint><part>a</part>"
    )


def follower(number: int, leader: int) -> Joint:
    mimic = Mimic(dof=f"j{leader}", multiplier=2.0 if number % 2 else 0.5, offset=1.0)
    dof = Dof(name=f"j{number}", kind=DofKind.HINGE, mimic=mimic)
    return Joint(name=f"j{number}", parent=WORLD, child=f"l{number}", dofs=(dof,))


@pytest.mark.parametrize("step", [1, -1])
def test_long_chains_of_followers_become_flat_in_time(step: int):
    """Each follows the one before it, or the one after it."""
    count = 20_000
    joints = [follower(number, number - step) for number in range(1, count + 1)]
    started = process_time()
    flat = mimics(flat_followers(scene_of(*joints), JOB))
    assert process_time() - started < 5
    assert {each.dof for each in flat.values()} == {"j0" if step == 1 else f"j{count + 1}"}
    third = flat["j3" if step == 1 else f"j{count - 2}"]
    assert (third.multiplier, third.offset) == ((2.0, 4.0) if step == 1 else (0.5, 2.5))


def test_followers_of_a_cycle_stay():
    circle = [follower(1, 2), follower(2, 1), follower(3, 2), follower(4, 3), follower(5, 5)]
    joints = [*circle, follower(6, 7), follower(7, 0)]
    scene = scene_of(*joints)
    before, after = mimics(scene), mimics(flat_followers(scene, JOB))
    assert {name for name in before if before[name] != after[name]} == {"j6"}
    assert after["j6"].dof == "j0"


def test_numbers_of_names_are_found_in_time():
    started = process_time()
    many = "_1" * 50_000
    assert without_number(f"a{many}x") == f"a{many}x"
    assert [*map(without_number, (f"a{many}", f"b{many}c_23", "d_4_5x_6", "e_7_", "f__8", "g"))] == [
        *("a", f"b{many}c", "d_4_5x", "e_7_", "f_", "g")
    ]
    assert process_time() - started < 1


def test_columns_of_places_below_long_names_are_found_in_time(tmp_path: Path):
    long = "b" * 100_000
    path = saved(tmp_path / "r.urdf", f'<robot>\n<{long}><c d="1"/></{long}></robot>')
    started = process_time()
    assert position(Source(str(path), 2, f"/robot/{long}[1]/c[1]/@d")) == (2, len(long) + 6)
    assert position(Source(str(path), 2, f"/robot/{long}[1]")) == (2, 1)
    assert process_time() - started < 1
