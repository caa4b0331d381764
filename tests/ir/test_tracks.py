"""Poses over many samples are those of kinematics, one sample after another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ir.arrays import Floats
from ir.kinematics import configuration, placement, random_configuration
from ir.pose import invert, same_pose
from ir.scene import Scene
from ir.tracks import placements, pose_over, same_over
from ir.types import Dof, DofKind, Pose
from tests.strategies import trees

NEAR = 1e-13


def samples(pose: Pose, count: int) -> list[Pose]:
    """Return each of the poses of a pose over samples."""
    rows = np.stack(np.broadcast_arrays(*pose.pos, *pose.rot, np.zeros(count))[:7], axis=1).tolist()
    return [Pose((px, py, pz), (w, x, y, z)) for px, py, pz, w, x, y, z in rows]


@given(trees(), st.integers(0, 2**32))
def test_samples_are_placed_as_one_by_one(scene: Scene, seed: int):
    shots = [configuration(scene, random_configuration(scene, seed + number)) for number in range(3)]
    tracks: dict[str, Floats] = {name: np.array([shot[name] for shot in shots]) for name in scene.dofs()}
    for joint in scene.joints.values():
        found = samples(placements(joint.pose, joint.dofs, tracks), len(shots))
        for pose, shot in zip(found, shots, strict=True):
            assert same_pose(placement(joint, shot), pose, NEAR)


def test_equal_poses_of_samples():
    turns = np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -2.0]])
    pose = pose_over(np.array([[1.0, 2.0, 3.0]] * 3), turns)
    assert same_over(pose, pose, 0.0).all()
    assert same_over(Pose((1.0, 2.0, 3.0)), pose, 1e-9).tolist() == [True, False, True]
    assert same_over(Pose((1.0, 2.0, 3.1)), pose, 1e-9).tolist() == [False, False, False]
    assert same_over(Pose((1.0, 2.0, 3.1)), pose, 0.1).tolist() == [True, False, True], "relative to 3"
    assert same_over(Pose(), invert(Pose()), 0.0).all()


def test_a_quaternion_without_a_direction_is_refused():
    ball = Dof(name="ball", kind=DofKind.BALL)
    with pytest.raises(ValueError, match="without a direction"):
        placements(Pose(), (ball,), {"ball": np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])})
