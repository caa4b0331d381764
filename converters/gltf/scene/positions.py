"""The coordinates of a joint at which its two bodies have the poses of their nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from converters.gltf.scene.layout import Values
from converters.source.text import six_digits
from ir.arrays import Flags, Floats, np
from ir.pose import compose, dot, invert, matrix_rows, same_pose as same_within, scale
from ir.tracks import placements, same_over
from ir.types import DofKind, Joint, Pose, Quat, Vec3

NEAR = 5e-6
"""Tolerance for equal poses, in metres and sines of half angles: single precision after a trip through Blender."""


def coordinates(joint: Joint, drawn: Pose) -> dict[str, tuple[float, ...]]:
    """Return the coordinates that best bring the child to the pose drawn in the parent.

    All dofs have the same anchor, and hinge axes are at right angles, each used at most once.
    """
    return {name: tuple(track[0].tolist()) for name, track in coordinates_over(joint, drawn).items()}


def coordinates_over(joint: Joint, drawn: Pose) -> dict[str, Floats]:
    """Return the same for each sample of a pose (ir.tracks): coordinates (n, k) by dof."""
    if not joint.dofs:
        return {}
    anchor = Pose(joint.dofs[0].anchor)
    moved = compose(compose(invert(anchor), compose(invert(joint.pose), drawn)), anchor)
    turning = [dof for dof in joint.dofs if dof.kind is not DofKind.SLIDE]
    before = joint.dofs[0].kind is not DofKind.SLIDE  # turns come first, so slides are along turned axes
    slid = scale(invert(moved).pos, -1.0) if before else moved.pos
    values: dict[str, Floats] = {}
    for dof in joint.dofs:
        if dof.kind is DofKind.SLIDE:
            values[dof.name] = _columns(dot(dof.axis, slid))
        elif dof.kind is DofKind.BALL:
            values[dof.name] = _columns(*moved.rot)
        elif dof.kind is DofKind.SCREW and turning == [dof]:
            (angle,) = _angles([dof.axis], moved.rot)
            whole = np.round((dot(dof.axis, slid) / dof.pitch - angle) / math.tau) if dof.pitch else 0.0
            values[dof.name] = _columns(angle + whole * math.tau)
    hinges = [dof for dof in turning if dof.kind is DofKind.HINGE]
    angles = _angles([dof.axis for dof in hinges], moved.rot)
    return values | {dof.name: _columns(angle) for dof, angle in zip(hinges, angles, strict=True)}


def _columns(*columns: Floats | float) -> Floats:
    """Return numbers, or arrays (n,), as the columns of an array (n, k)."""
    return np.stack(np.broadcast_arrays(*map(np.atleast_1d, columns)), axis=1)


def _angles(axes: Sequence[Vec3], rotation: Quat) -> list[Floats]:
    """Return the angles of successive turns whose product is a rotation; three reach any, further ones are 0."""
    if not axes:
        return []
    if len(axes) == 1:
        w, x, y, z = rotation
        angle = 2 * np.arctan2(dot((x, y, z), axes[0]), w)
        return [angle - math.tau * np.round(angle / math.tau)]
    basis = np.array([axes[0], axes[1], np.cross(axes[0], axes[1])])
    parts: Any = np.broadcast_arrays(*rotation)
    rows: Any = matrix_rows(parts)
    m = np.einsum("ia,ab...,jb->ij...", basis, np.array(rows), basis)
    a, b, c = np.arctan2(-m[1, 2], m[2, 2]), np.arcsin(np.clip(m[0, 2], -1.0, 1.0)), np.arctan2(-m[0, 1], m[0, 0])
    if len(axes) == 2:
        return [a, b]
    return [a, b, math.copysign(1.0, float(basis[2] @ axes[2])) * c, *(np.zeros_like(c) for _ in axes[3:])]


def position(joint: Joint, drawn: Pose, values: Values) -> Values | None:
    """Return the coordinates at which the joint puts its child at a pose; None if there are none."""
    found, possible = positions_over(joint, drawn, values)
    here = {name: tuple(track[0].tolist()) for name, track in found.items()}
    return {**values, **here} if here and possible.all() else None


def positions_over(joint: Joint, drawn: Pose, values: Values) -> tuple[dict[str, Floats], Flags]:
    """Return the coordinates (n, k) of the dofs of a joint at which it puts its child at each sample of a pose
    (ir.tracks); and whether there are such coordinates (n,). values: those of dofs that a pose does not tell (of
    several that turn, a screw; any beside a FREE one)."""
    placed = _columns(*drawn.pos, *drawn.rot)
    found = {dof.name: np.tile(values[dof.name], (len(placed), 1)) for dof in joint.dofs}
    if joint.dofs and joint.dofs[0].kind is DofKind.FREE:
        return found | {joint.dofs[0].name: placed}, np.ones(len(placed), dtype=bool)
    zero = {dof.name: 0.0 if dof.kind is DofKind.BALL else dof.zero for dof in joint.dofs}
    found |= {name: track + zero[name] for name, track in coordinates_over(joint, drawn).items()}
    return found, same_over(placements(joint.pose, joint.dofs, found), drawn, NEAR)


def pose_text(pose: Pose) -> str:
    """Return a pose as text for a report."""
    return six_digits((*pose.pos, *pose.rot))


def same_pose(a: Pose, b: Pose) -> bool:
    """Whether two poses are equal to single precision."""
    return same_within(a, b, NEAR)
