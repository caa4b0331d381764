"""<origin>, in both directions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast

from converters.faults import sure
from converters.source.text import counted, numbers
from converters.source.tree import Element
from converters.source.xml import Node
from converters.urdf.loading import UrdfLoading
from ir.pose import direction, from_rpy, normalise, same_rotation, to_rpy
from ir.types import IDENTITY, ORIGIN, Extra, Pose, Quat, Vec3

SLACK = 1e-5
"""Deviation of a quaternion's length from 1 up to which it is rounding in the source."""


def read_origin(node: Node, loading: UrdfLoading, where: str) -> Pose:
    """Return the pose in the <origin> child of an element; identity if there is none."""
    origin = node.child("origin")
    return IDENTITY if origin is None else read_pose(origin, loading, where)


def read_pose(node: Node, loading: UrdfLoading, where: str) -> Pose:
    """Return the pose in the attributes of an element.

    Its angles are kept even if they are zero, so that an <origin> with zeros is written again.
    """
    pos = _three_numbers(node, "xyz", loading, where)
    if "quat_xyzw" in node.attrs:
        if loading.version >= (1, 1):
            return Pose(pos, _read_quaternion(node, loading, where))
        node.ignore("@quat_xyzw", "urdf/quaternion-version")
    rpy = _three_numbers(node, "rpy", loading, where)
    return Pose(pos, from_rpy(rpy), rpy)


def _three_numbers(node: Node, name: str, loading: UrdfLoading, where: str) -> Vec3:
    """Read three numbers; of more, the first three are used."""
    values = node.vector(name)
    if values is None:
        return ORIGIN
    if len(values) < 3:
        node.refuse(f"<{node.tag} {name}={node.get(name)!r}> needs 3 numbers, not {len(values)}", "NUM-COUNT")
        return ORIGIN
    if len(values) > 3:
        reason = "a position or rotation is three numbers; only the first three are used"
        loading.context.note(
            "urdf/origin", where, reason, node.place(name), before=node.get(name) or "", after=numbers(values[:3])
        )
    return (values[0], values[1], values[2])


def _read_quaternion(node: Node, loading: UrdfLoading, where: str) -> Quat:
    """URDF 1.1: x y z w, normalised, zero meaning identity, and not allowed beside rpy."""
    if "rpy" in node.attrs:
        node.refuse(f"<{node.tag}> has both rpy and quat_xyzw; keep one of them", "XML-ONE-OF")
    x, y, z, w = cast("Quat", sure(node.vector("quat_xyzw", 4)))
    if x == y == z == w == 0.0:
        loading.context.note(
            "urdf/quaternion",
            where,
            "a zero quaternion is no rotation",
            node.place("quat_xyzw"),
            before="0 0 0 0",
            after="0 0 0 1",
        )
        return (1.0, 0.0, 0.0, 0.0)
    rotation = normalise((w, x, y, z))
    if abs(math.hypot(w, x, y, z) - 1.0) > SLACK:
        loading.context.note(
            "urdf/quaternion-length",
            where,
            "a quaternion has length one: it is normalised, as urdfdom does",
            node.place("quat_xyzw"),
            before=node.get("quat_xyzw") or "",
            after=numbers((*rotation[1:], rotation[0])),
        )
    return rotation


def write_origin(parent: Element, pose: Pose, extras: Iterable[Extra]) -> None:
    """Append <origin>, unless it would be the default and no extras belong inside it."""
    if pose == IDENTITY and pose.rpy is None and not any(extra.path.startswith("origin[") for extra in extras):
        return
    parent.add("origin", {"xyz": numbers(pose.pos), "rpy": numbers(written_rpy(pose))})


def written_rpy(pose: Pose) -> Vec3:
    """Return the angles of the source if they still give this rotation, else computed ones."""
    if pose.rpy is not None and same_rotation(from_rpy(pose.rpy), pose.rot):
        return pose.rpy
    return to_rpy(pose.rot)


def same_axis(text: str, axis: Vec3) -> bool:
    """Whether numbers in the source, of any length, give this axis: then they are written again."""
    values = counted(text)
    return len(values) == 3 and any(values) and direction(values) == axis
