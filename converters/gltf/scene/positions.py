"""The coordinates of a joint at which its two bodies have the poses of their nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from converters.gltf.scene.layout import Values
from converters.source.text import six_digits
from ir.arrays import np
from ir.kinematics import placement
from ir.pose import compose, dot, invert, matrix, same_pose as same_within, scale, wrap
from ir.types import DofKind, Joint, Pose, Vec3

NEAR = 5e-6
"""Tolerance for equal poses, in metres and sines of half angles: single precision after a trip through Blender."""


def coordinates(joint: Joint, drawn: Pose) -> Mapping[str, tuple[float, ...]]:
    """Return the coordinates that best bring the child to the pose drawn in the parent.

    All dofs have the same anchor, and hinge axes are at right angles, each used at most once.
    """
    if not joint.dofs:
        return {}
    anchor = Pose(joint.dofs[0].anchor)
    moved = compose(compose(invert(anchor), compose(invert(joint.pose), drawn)), anchor)
    turning = [dof for dof in joint.dofs if dof.kind is not DofKind.SLIDE]
    before = joint.dofs[0].kind is not DofKind.SLIDE  # turns come first, so slides are along turned axes
    slid = scale(invert(moved).pos, -1.0) if before else moved.pos
    values: dict[str, tuple[float, ...]] = {}
    for dof in joint.dofs:
        if dof.kind is DofKind.SLIDE:
            values[dof.name] = (dot(dof.axis, slid),)
        elif dof.kind is DofKind.BALL:
            values[dof.name] = moved.rot
    hinges = [dof for dof in turning if dof.kind is DofKind.HINGE]
    angles = _angles([dof.axis for dof in hinges], moved)
    return values | {dof.name: (angle,) for dof, angle in zip(hinges, angles, strict=True)}


def _angles(axes: Sequence[Vec3], moved: Pose) -> list[float]:
    """Return the angles of successive turns whose product is a rotation; three reach any, further ones are 0."""
    if not axes:
        return []
    if len(axes) == 1:
        w, x, y, z = moved.rot
        return [wrap(2 * math.atan2(dot((x, y, z), axes[0]), w))]
    basis = np.array([axes[0], axes[1], np.cross(axes[0], axes[1])])
    m = (basis @ matrix(moved.rot) @ basis.T).tolist()
    a, b, c = math.atan2(-m[1][2], m[2][2]), math.asin(min(max(m[0][2], -1.0), 1.0)), math.atan2(-m[0][1], m[0][0])
    if len(axes) == 2:
        return [a, b]
    return [a, b, math.copysign(1.0, float(basis[2] @ axes[2])) * c, *(0.0 for _ in axes[3:])]


def position(joint: Joint, drawn: Pose, values: Values) -> Values | None:
    """Return the coordinates at which the joint puts its child at a pose; None if there are none."""
    if not joint.dofs:
        return None
    if joint.dofs[0].kind is DofKind.FREE:
        return {**values, joint.dofs[0].name: (*drawn.pos, *drawn.rot)}
    zero = {dof.name: dof.zero for dof in joint.dofs}
    found = {
        name: (value[0] + zero[name],) if len(value) == 1 else value
        for name, value in coordinates(joint, drawn).items()
    }
    made = {**values, **found}
    return made if same_pose(placement(joint, made), drawn) else None


def pose_text(pose: Pose) -> str:
    """Return a pose as text for a report."""
    return six_digits((*pose.pos, *pose.rot))


def same_pose(a: Pose, b: Pose) -> bool:
    """Whether two poses are equal to single precision."""
    return same_within(a, b, NEAR)
