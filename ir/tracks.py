"""Poses over many samples at once: a Pose of which each component is an array (n,), or a number if all share it.
The functions of ir.pose that have no branches (compose, invert, rotate, multiply) hold for it as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ir.arrays import Flags, Floats, Ints, np
from ir.kinematics import motion_by
from ir.pose import compose, scale
from ir.types import Dof, DofKind, Pose, Quat, Vec3


def placements(pose: Pose, dofs: Sequence[Dof], values: Mapping[str, Floats]) -> Pose:
    """The poses of a frame that is moved by some dofs, in turn, from a pose at which all of them are at their zero;
    values (n, k) by dof. For a single sample, pose of a joint and all its dofs: kinematics.placement.

    Raises ValueError for a quaternion without a direction.
    """
    for dof in dofs:
        step = motion_by(dof, [*values[dof.name].T], _turned, _units)
        pose = step if dof.kind is DofKind.FREE else compose(pose, step)
    return Pose(pose.pos, _units(pose.rot))


def pose_over(places: Floats, turns: Floats) -> Pose:
    """The pose of these places (n, 3) and rotations (n, 4), given as x y z w; not necessarily unit quaternions."""
    (px, py, pz), (x, y, z, w) = places.T, turns.T
    return Pose((px, py, pz), _units((w, x, y, z)))


def changed(*tracks: Floats | Ints) -> Flags:
    """Whether a sample differs in any of these tracks (n, k) from the one before (n,); the first one does."""
    new = np.ones(len(tracks[0]), dtype=bool)
    new[1:] = np.any([(track[1:] != track[:-1]).any(axis=1) for track in tracks], axis=0)
    return new


def same_over(a: Pose, b: Pose, near: float) -> Flags:
    """pose.same_pose for each sample (n,)."""
    one, other = np.array([*np.broadcast_arrays(*a.pos, *b.pos)]).reshape(2, 3, -1)
    apart = np.abs(one - other).max(axis=0) <= near * np.maximum(1.0, np.abs(one).max(axis=0))
    one, other = np.array([*np.broadcast_arrays(*a.rot, *b.rot)]).reshape(2, 4, -1)
    side = np.where((one * other).sum(axis=0) >= 0, 1.0, -1.0)
    found: Flags = apart & (np.abs(one - side * other).max(axis=0) <= near)
    return found


def _turned(axis: Vec3, angle: Any) -> Quat:
    """pose.from_axis_angle of many angles."""
    x, y, z = scale(axis, np.sin(angle / 2))
    return (np.cos(angle / 2), x, y, z)


def _units(q: Quat) -> Quat:
    """pose.normalise of many quaternions. Raises ValueError for one without a direction."""
    w, x, y, z = q
    length: Any = np.sqrt(w * w + x * x + y * y + z * z)
    if not np.all((length > 0) & (length < np.inf)):
        raise ValueError("no rotation: a quaternion without a direction")
    return (w / length, x / length, y / length, z / length)
