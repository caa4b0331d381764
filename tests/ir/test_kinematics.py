"""Poses and motions against MuJoCo and Pinocchio, and the rules about coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ir.kinematics import configuration, forward, motion, random_configuration, velocity_dofs, velocity_names
from ir.pose import matrix
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Joint, Mimic, Pose, Quat
from tests.ir.engines import MUJOCO_KINDS, in_mujoco, in_pinocchio, transform
from tests.strategies import scenes, trees

ENGINE = settings(max_examples=30)
SEED = st.integers(0, 2**32)


def apart(a: Quat, b: Sequence[float]) -> float:
    """Return the largest difference of two quaternions, regardless of their sign."""
    return min(float(np.abs(np.array(a) - b).max()), float(np.abs(np.array(a) + b).max()))


def chain(*dofs: Dof) -> Scene:
    """Return one body for each dof, each 1 m above the one before."""
    scene = Scene("chain")
    parent = WORLD
    for index, dof in enumerate(dofs):
        scene.add_body(Body(name=f"b{index}"))
        pose = Pose((0.0, 0.0, 1.0))
        scene.add_joint(Joint(name=f"j{index}", parent=parent, child=f"b{index}", pose=pose, dofs=(dof,)))
        parent = f"b{index}"
    return scene


def hinge(name: str, leader: str | None = None, **mimic: float) -> Dof:
    return Dof(name=name, kind=DofKind.HINGE, mimic=Mimic(dof=leader, **mimic) if leader else None)


@ENGINE
@given(trees(MUJOCO_KINDS, free_inside=False, massless=False), SEED)
def test_bodies_stand_where_mujoco_puts_them(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    _, data = in_mujoco(scene, values)
    poses = forward(scene, values)
    for name, pose in poses.items():
        reach = 1e-12 * (1 + np.abs(data.body(name).xpos).max())
        assert np.abs(data.body(name).xpos - pose.pos).max() < reach
        assert apart(pose.rot, data.body(name).xquat) < 1e-12


@ENGINE
@given(trees(), SEED)
def test_bodies_stand_where_pinocchio_puts_them(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    engine = in_pinocchio(scene, values)
    for name, pose in forward(scene, values).items():
        there = engine.pose(name)
        assert np.abs(there - transform(pose)).max() < 1e-11 * (1 + np.abs(there).max())


@ENGINE
@given(scenes())
def test_at_rest_every_body_stands_at_its_joint_pose(scene: Scene):
    plain = {name: values for name, values in configuration(scene).items() if scene.dofs()[name][1].mimic is None}
    still = {name: (dof.zero,) for name, (_, dof) in scene.dofs().items() if dof.mimic is not None}
    poses = forward(scene, {**plain, **still})
    for joint, body in scene.walk():
        if joint is not None:
            expected = transform(poses[joint.parent]) @ transform(joint.pose)
            assert np.abs(transform(poses[body.name]) - expected).max() < 1e-11


@ENGINE
@given(scenes(), SEED)
def test_a_random_configuration_is_within_the_limits_and_repeatable(scene: Scene, seed: int):
    values = random_configuration(scene, seed)
    assert values == random_configuration(scene, seed)
    assert set(values) == {dof.name for _, dof, _ in velocity_dofs(scene) if dof.mimic is None}
    for name, value in values.items():
        dof = scene.dofs()[name][1]
        if dof.lower is not None and dof.upper is not None:
            assert dof.lower <= value[0] <= dof.upper


def test_a_bound_on_one_side_is_kept():
    scene = chain(Dof(name="a", kind=DofKind.HINGE, lower=5.0), Dof(name="b", kind=DofKind.SLIDE, upper=-5.0))
    values = random_configuration(scene, 1)
    assert values["a"][0] >= 5.0
    assert values["b"][0] <= -5.0


def test_limits_that_are_none_hold_nothing():
    """After 1e16 turns an angle has no significant digit left."""
    scene = chain(Dof(name="a", kind=DofKind.HINGE, lower=-1e16, upper=1e16))
    assert all(abs(random_configuration(scene, seed)["a"][0]) <= math.pi for seed in range(9))


def test_a_chain_of_followers_may_stand_in_any_order():
    scene = chain(
        hinge("a", "b", multiplier=2.0, offset=0.5), hinge("b", "c", multiplier=3.0, reference=1.0), hinge("c")
    )
    assert configuration(scene, {"c": 2.0}) == {"a": (6.5,), "b": (3.0,), "c": (2.0,)}


def test_a_follower_that_is_given_a_value_takes_it():
    scene = chain(hinge("a", "b"), hinge("b"))
    assert configuration(scene, {"a": 0.25, "b": 2.0}) == {"a": (0.25,), "b": (2.0,)}


def test_a_follower_of_a_zero_that_is_not_zero_follows_from_there():
    leader = Dof(name="a", kind=DofKind.HINGE, zero=0.75)
    assert configuration(chain(leader, hinge("b", "a", multiplier=2.0)))["b"] == (1.5,)


@pytest.mark.parametrize(
    "scene",
    [
        chain(hinge("a", "b"), hinge("b", "a"), hinge("c", "b")),
        chain(hinge("a", "a"), hinge("c", "a")),
        chain(hinge("a", "QQQ"), hinge("c", "a")),
        chain(hinge("a", "b"), Dof(name="b", kind=DofKind.BALL), hinge("c", "a")),
    ],
)
def test_who_has_nothing_to_follow_stands_at_rest_and_is_free(scene: Scene):
    """Drake refuses such models; displaying or comparing them still needs positions of their joints."""
    assert configuration(scene)["a"] == configuration(scene)["c"] == (0.0,)
    assert {"a", "c"} <= set(random_configuration(scene, 0))
    assert configuration(scene, {"a": 0.5})["a"] == (0.5,)


@pytest.mark.parametrize(
    ("scene", "positions", "message"),
    [
        (chain(hinge("a")), {"QQQ": 1.0}, "no dof named 'QQQ'"),
        (chain(hinge("a")), {"a": (1.0, 2.0)}, "has 1 coordinates, not 2"),
        (chain(Dof(name="a", kind=DofKind.BALL)), {"a": 1.0}, "has 4 coordinates, not 1"),
        (chain(Dof(name="a", kind=DofKind.BALL)), {"a": (0.0, 0.0, 0.0, 0.0)}, "no rotation"),
    ],
)
def test_wrong_coordinates_are_refused(scene: Scene, positions: Mapping[str, float], message: str):
    with pytest.raises(ValueError, match=message):
        forward(scene, positions)


def test_bodies_in_a_cycle_are_refused():
    scene = Scene("cycle")
    scene.add_body(Body(name="a"))
    scene.add_body(Body(name="b"))
    scene.add_joint(Joint(name="ab", parent="a", child="b"))
    scene.add_joint(Joint(name="ba", parent="b", child="a"))
    with pytest.raises(ValueError, match="bodies in a cycle: a, b"):
        forward(scene)


def test_a_screw_advances_by_its_pitch_for_each_radian():
    dof = Dof(name="s", kind=DofKind.SCREW, axis=(0.0, 0.0, 1.0), anchor=(1.0, 0.0, 0.0), pitch=0.5)
    pose = motion(dof, math.pi)
    assert np.allclose(pose.pos, (2.0, 0.0, math.pi / 2), atol=1e-15)
    assert np.allclose(pose.rot, (0.0, 0.0, 0.0, 1.0), atol=1e-15)


def test_free_coordinates_replace_the_pose_of_the_joint():
    scene = chain(Dof(name="f", kind=DofKind.FREE))
    assert forward(scene)["b0"] == Pose((0.0, 0.0, 1.0))
    assert forward(scene, {"f": (1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0)})["b0"] == Pose(
        (1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 0.0)
    )


def test_an_unspecified_root_stands_at_the_origin():
    scene = Scene("one")
    scene.add_body(Body(name="base"))
    assert forward(scene) == {"world": Pose(), "base": Pose()}


def test_a_joint_that_closes_a_loop_moves_nothing():
    scene = chain(hinge("a"), hinge("b"))
    loop = Joint(name="loop", parent=WORLD, child="b1", dofs=(hinge("c"),), closes_loop=True)
    scene.add_joint(loop)
    assert forward(scene, {"c": 1.0}) == forward(scene)
    assert velocity_names(scene) == ["a", "b"]


def test_the_velocity_coordinates_of_a_ball_are_numbered():
    assert velocity_names(chain(hinge("a"), Dof(name="b", kind=DofKind.BALL))) == ["a", "b[0]", "b[1]", "b[2]"]


def test_a_chain_of_ten_thousand_links_is_posed():
    scene = chain(*[hinge(f"q{index}", f"q{index - 1}" if index else None) for index in range(10_000)])
    pose = forward(scene, {"q0": math.pi / 5000})["b9999"]
    assert pose.pos == pytest.approx((0.0, 0.0, 10_000.0))
    assert np.abs(matrix(pose.rot) - np.eye(3)).max() < 1e-9


@given(st.floats(0.01, 3.0), SEED)
def test_a_ball_turns_no_further_than_it_may(most: float, seed: int):
    free, held = (
        random_configuration(chain(Dof(name="d", kind=DofKind.BALL, upper=upper)), seed)["d"] for upper in (None, most)
    )
    angles = [2 * math.acos(min(abs(turn[0]), 1.0)) for turn in (free, held)]
    assert angles[1] <= most + 1e-7
    assert angles[1] == pytest.approx(angles[0] * most / math.pi, abs=1e-6)
