"""Rotations and poses against numpy, scipy and MuJoCo."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.spatial.transform import Rotation

from ir.pose import (
    body_tensor,
    compose,
    conjugate,
    from_axis_angle,
    from_matrix,
    from_rpy,
    from_z_to,
    invert,
    matrix,
    multiply,
    normalise,
    pose_from_rpy,
    pose_rpy,
    rotate,
    rotate_tensor,
    same_pose,
    same_rotation,
    to_rpy,
)
from ir.types import Dof, DofKind, Inertial, Pose, Quat, Tensor, Vec3
from tests.ir.engines import full, symmetric, transform
from tests.strategies import NUMBER, RPY, axes, between, inertials, poses, quaternions, vectors

FAST = settings(max_examples=100)
TURNS = [0.0, 1e-9, 1e-6, 1e-3, 4e-3]
ANGLES = [0.0, 1e-9, -1.1, 0.5, 3.1, math.pi, -math.pi, math.pi / 2]


@pytest.mark.parametrize("away", [side * turn for turn in TURNS for side in (-1.0, 1.0)])
@pytest.mark.parametrize("pole", [-math.pi / 2, math.pi / 2])
def test_rpy_near_the_poles_keeps_the_rotation(pole: float, away: float):
    for roll in ANGLES:
        for yaw in ANGLES:
            q = from_rpy((roll, pole + away, yaw))
            back = from_rpy(to_rpy(q))
            assert np.abs(matrix(back) - matrix(q)).max() < 1e-12


@FAST
@given(RPY)
def test_rpy_is_the_product_of_turns_about_fixed_axes(rpy: Vec3):
    expected = Rotation.from_euler("xyz", rpy).as_matrix()
    assert np.abs(matrix(from_rpy(rpy)) - expected).max() < 1e-15 * 4


@FAST
@given(quaternions())
def test_rpy_gives_any_rotation_back(q: Quat):
    assert np.abs(matrix(from_rpy(to_rpy(q))) - matrix(q)).max() < 4e-15


@FAST
@given(st.tuples(between(-3.14, 3.14), between(-1.57, 1.57), between(-3.14, 3.14)))
def test_angles_inside_their_ranges_come_back(rpy: Vec3):
    assert to_rpy(from_rpy(rpy)) == pytest.approx(rpy, abs=2e-12)


@FAST
@given(quaternions())
def test_angles_are_inside_their_ranges(q: Quat):
    roll, pitch, yaw = to_rpy(q)
    assert abs(roll) <= math.pi
    assert abs(pitch) <= math.pi / 2 + 1e-15
    assert abs(yaw) <= math.pi


@given(st.sampled_from([1, -1]), st.floats(-17, -1), quaternions(), st.floats(-3, 3))
def test_angles_near_the_poles_come_back(side: int, power: float, noise: Quat, yaw: float):
    """Within 1e-12 of a pole, too, where roll and yaw are nearly one angle."""
    pole = from_rpy((0.0, side * math.pi / 2, yaw))
    q = normalise(tuple(part + 10**power * other for part, other in zip(pole, noise, strict=True)))
    assert same_rotation(from_rpy(to_rpy(q)), q)


@pytest.mark.parametrize("rpy", [(0.0, math.pi / 2, 0.3), (0.0, -math.pi / 2, 0.3)])
def test_at_the_poles_roll_is_zero(rpy: Vec3):
    assert to_rpy(from_rpy(rpy)) == pytest.approx(rpy, abs=1e-12)
    assert to_rpy(from_rpy(rpy))[0] == 0.0


@FAST
@given(vectors(), RPY)
def test_a_pose_remembers_the_angles_of_its_author(pos: Vec3, rpy: Vec3):
    assert pose_rpy(pose_from_rpy(pos, rpy)) == rpy


def test_remembered_angles_are_no_part_of_the_value():
    assert Pose(rpy=(0.0, 0.0, 0.0)) == Pose()


@FAST
@given(quaternions(), quaternions(), vectors())
def test_a_product_turns_by_the_second_and_then_by_the_first(a: Quat, b: Quat, v: Vec3):
    assert np.abs(matrix(multiply(a, b)) - matrix(a) @ matrix(b)).max() < 4e-15
    assert np.abs(np.array(rotate(a, v)) - matrix(a) @ v).max() < 1e-14


@FAST
@given(quaternions())
def test_matrix_is_that_of_mujoco(q: Quat):
    theirs = np.empty(9)
    mujoco.mju_quat2Mat(theirs, np.array(q))
    assert np.abs(matrix(q).reshape(-1) - theirs).max() < 2e-15


@FAST
@given(quaternions())
def test_a_matrix_gives_its_quaternion_back(q: Quat):
    back = from_matrix(matrix(q))
    assert back[0] >= 0.0
    assert np.abs(matrix(back) - matrix(q)).max() < 4e-15


@pytest.mark.parametrize("q", [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.6, 0.8, 0.0)])
def test_half_turns_come_back_from_their_matrix(q: Quat):
    assert from_matrix(matrix(q)) == pytest.approx(q, abs=1e-15)


@FAST
@given(poses(), poses())
def test_composing_is_the_product_of_the_matrices(a: Pose, b: Pose):
    assert np.abs(transform(compose(a, b)) - transform(a) @ transform(b)).max() < 2e-14


@FAST
@given(poses())
def test_a_pose_and_its_inverse_are_nothing(a: Pose):
    for product in (compose(a, invert(a)), compose(invert(a), a)):
        assert np.abs(transform(product) - np.eye(4)).max() < 4e-15 * max(1.0, *map(abs, a.pos))


@FAST
@given(axes(), NUMBER)
def test_a_turn_about_an_axis_is_that_of_scipy(axis: Vec3, angle: float):
    expected = Rotation.from_rotvec(np.array(axis) * angle).as_matrix()
    assert np.abs(matrix(from_axis_angle(axis, angle)) - expected).max() < 4e-15


@FAST
@given(axes(), between(0.01, 5.0))
def test_the_turn_from_z_reaches_the_direction(axis: Vec3, length: float):
    direction = (axis[0] * length, axis[1] * length, axis[2] * length)
    assert rotate(from_z_to(direction), (0.0, 0.0, 1.0)) == pytest.approx(axis, abs=1e-12)


@pytest.mark.parametrize("tilt", [0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3])
def test_the_turn_from_z_reaches_directions_close_to_its_opposite(tilt: float):
    direction = (math.sin(tilt), 0.0, -math.cos(tilt))
    q = from_z_to(direction)
    assert math.fsum(part * part for part in q) == pytest.approx(1.0, abs=1e-15)
    assert rotate(q, (0.0, 0.0, 1.0)) == pytest.approx(direction, abs=1e-12)


@FAST
@given(quaternions(), between(0.001, 1000.0))
def test_normalising_keeps_the_rotation(q: Quat, factor: float):
    unit = normalise((q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor))
    assert unit == pytest.approx(q, abs=1e-15)


@given(quaternions())
def test_a_unit_quaternion_is_not_touched(q: Quat):
    assert normalise(q) is q


@pytest.mark.parametrize("q", [(0.0, 0.0, 0.0, 0.0), (math.nan, 0.0, 0.0, 0.0), (math.inf, 0.0, 0.0, 0.0)])
def test_what_is_no_rotation_is_refused(q: Quat):
    with pytest.raises(ValueError, match="no rotation"):
        normalise(q)


@FAST
@given(quaternions(), st.tuples(*[NUMBER] * 6))
def test_a_tensor_turns_like_a_matrix(q: Quat, tensor: Tensor):
    expected = matrix(q) @ symmetric(tensor) @ matrix(q).T
    ours = rotate_tensor(q, tensor)
    assert ours == pytest.approx(
        tuple(expected[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))), abs=1e-14
    )
    assert rotate_tensor(conjugate(q), ours) == pytest.approx(tensor, abs=1e-14)


@FAST
@given(inertials())
def test_the_tensor_of_a_body_is_in_its_own_axes(inertial: Inertial):
    expected = full(inertial)
    assert np.abs(expected - symmetric(body_tensor(inertial))).max() < 1e-14 * np.abs(expected).max()


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-154, 1e-150, 1e150, 1e200, 1e308])
def test_a_quaternion_has_a_direction_whatever_its_length(size: float):
    assert normalise((size, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
    assert normalise((0.0, size, 0.0, -size)) == pytest.approx((0.0, 0.5**0.5, 0.0, -(0.5**0.5)))


def test_poses_are_one_by_rotations_up_to_sign_and_places_among_their_size():
    turned = from_axis_angle((0.0, 0.0, 1.0), 1.0)
    here = Pose((1000.0, 2.0, 3.0), turned)
    w, x, y, z = turned
    assert same_pose(here, Pose((1000.0, 2.0, 3.0), (-w, -x, -y, -z)))
    assert same_pose(here, Pose((1000.0 + 1e-4, 2.0, 3.0), turned), 1e-6)
    assert not same_pose(here, Pose((1000.0 + 1e-4, 2.0, 3.0), turned))
    assert not same_pose(here, Pose((1000.0, 2.0, 3.0), from_axis_angle((0.0, 0.0, 1.0), 1.0001)), 1e-6)


@pytest.mark.parametrize(
    ("lower", "upper", "crossed"), [(1.0, -1.0, True), (1.0, 1.0, False), (None, -1.0, False), (None, None, False)]
)
def test_limits_are_crossed_where_the_lower_one_is_above_the_upper_one(
    lower: float | None, upper: float | None, crossed: bool
):
    assert Dof(name="j", kind=DofKind.HINGE, lower=lower, upper=upper).crossed == crossed
