"""Vectors, rotations and poses as plain tuples: their algebra, and the angle forms of the formats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from msgspec.structs import replace

from ir.arrays import Floats, np
from ir.types import IDENTITY, Dof, DofKind, Inertial, Joint, Pose, Quat, Tensor, Vec3

V = TypeVar("V", Vec3, Quat)

ROUNDED = 1e-12
"""Tolerance of the length of an axis for rounding: of the matrices from which it was computed, or of twelve digits."""
ROUNDING = 4e-15
"""Tolerance of rotations and positions that were converted to another form and back."""


# -------------------------------------------------------------------------------------------------------------- vectors


def add(a: Vec3, b: Vec3) -> Vec3:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vec3, b: Vec3) -> Vec3:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(v: Vec3, factor: float) -> Vec3:
    """v, scaled by factor."""
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def dot(a: Vec3, b: Vec3) -> float:
    """a . b, which is |a| |b| cos of the angle between them."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """a x b, right-handed."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v: Vec3) -> Vec3:
    """The direction of a finite nonzero vector. Raises ZeroDivisionError for zero."""
    v = mild(v)
    length = math.sqrt(dot(v, v))
    return (v[0] / length, v[1] / length, v[2] / length)


def direction(v: Vec3) -> Vec3:
    """The direction of a nonzero vector; one that already has length 1 (ROUNDED) is returned unchanged.

    So every reader gets the same axis that a writer was given.
    """
    length = math.hypot(*v)
    return v if abs(length - 1.0) <= ROUNDED else unit(v)


def mild(v: V) -> V:
    """A vector of the same direction whose squares neither underflow nor overflow; most vectors, including zero, are
    returned unchanged."""
    largest = max(map(abs, v))
    return v if largest == 0 or 1e-100 < largest < 1e100 else cast("V", tuple(value / largest for value in v))


# ------------------------------------------------------------------------------------------------------------ rotations


def multiply(a: Quat, b: Quat) -> Quat:
    """Hamilton product: rotate by b, then by a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
    """The opposite rotation, of a unit quaternion (w, x, y, z)."""
    return (q[0], -q[1], -q[2], -q[3])


def normalise(q: Quat) -> Quat:
    """Unit quaternion; one that is unit to the last bits is returned unchanged, so that written values survive reading.

    Raises ValueError for zero or non-finite input.
    """
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if abs(square - 1.0) < 2e-15:
        return q
    if not 1e-200 < square < 1e200 and max(map(abs, q)) < math.inf:
        q = mild(q)
        square = sum(component * component for component in q)
    if not 0.0 < square < math.inf:
        raise ValueError(f"no rotation: quaternion {q}")
    length = math.sqrt(square)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def rotate(q: Quat, v: Vec3) -> Vec3:
    """The vector v rotated by a unit quaternion: q v q^-1, as v + 2 w (u x v) + 2 u x (u x v) of q = (w, u)."""
    w, x, y, z = q
    vx, vy, vz = v
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx)


def rotation_gap(a: Quat, b: Quat) -> float:
    """The largest difference between the components of two unit quaternions, where q and -q are equal."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0 else -1.0
    return max(abs(x - sign * y) for x, y in zip(a, b, strict=True))


def same_rotation(a: Quat, b: Quat) -> bool:
    """Whether two rotations are equal up to sign and the rounding of one change of representation."""
    return a == b or rotation_gap(a, b) <= ROUNDING


def same_place(a: Vec3, b: Vec3, near: float = ROUNDING) -> bool:
    """Equal up to the rounding of one change of frame, or by near (metres beside one), among coordinates of this
    size."""
    return a == b or max(abs(x - y) for x, y in zip(a, b, strict=True)) <= near * max(1.0, *map(abs, a))


def same_pose(a: Pose, b: Pose, near: float = ROUNDING) -> bool:
    """same_place and same_rotation; near bounds the components of quaternions, too."""
    return a == b or (same_place(a.pos, b.pos, near) and rotation_gap(a.rot, b.rot) <= near)


# ---------------------------------------------------------------------------------------------------------------- poses


def compose(a: Pose, b: Pose) -> Pose:
    """The transform a after b: b is given in the frame of a, the result in the parent frame of a."""
    x, y, z = rotate(a.rot, b.pos)
    return Pose((a.pos[0] + x, a.pos[1] + y, a.pos[2] + z), multiply(a.rot, b.rot))


def transform(pose: Pose, point: Vec3) -> Vec3:
    """A point given in the frame of the pose, expressed in the parent frame."""
    return add(pose.pos, rotate(pose.rot, point))


def about(point: Vec3, rotation: Quat) -> Pose:
    """The motion that turns about a point: transform(about(point, rotation), point) is the point."""
    if point == (0.0, 0.0, 0.0):
        return Pose(rot=rotation)
    return Pose(subtract(point, rotate(rotation, point)), rotation)


def invert(a: Pose) -> Pose:
    """The parent frame expressed in the frame of the pose: compose(a, invert(a)) is the identity."""
    back = conjugate(a.rot)
    x, y, z = rotate(back, a.pos)
    return Pose((-x, -y, -z), back)


# --------------------------------------------------------------------------------------------------------------- angles


def dof_in_frame(dof: Dof, pose: Pose, sign: float = 1.0) -> Dof:
    """The dof expressed in a frame in which its present frame has this pose; with sign -1, with reversed motion.

    BALL and FREE have no axis.
    """
    bare = dof.kind in (DofKind.BALL, DofKind.FREE)
    axis = dof.axis if bare else rotate(pose.rot, scale(dof.axis, sign))
    return replace(dof, axis=axis, anchor=transform(pose, dof.anchor))


def anchor_of(dofs: Iterable[Dof]) -> Vec3:
    """The anchor of a joint in the frame of its child; the origin if it does not rotate."""
    return next((dof.anchor for dof in dofs if dof.kind is not DofKind.SLIDE), IDENTITY.pos)


def joint_frame(joint: Joint) -> Pose:
    """The frame of the joint itself in that of its child: mount, moved to the anchor if the joint rotates."""
    mount = joint.mount or IDENTITY
    turns = any(dof.kind is not DofKind.SLIDE for dof in joint.dofs)
    return replace(mount, pos=anchor_of(joint.dofs)) if turns else mount


def from_rpy(rpy: Vec3) -> Quat:
    """Fixed-axis roll, pitch, yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll) (URDF and SDFormat)."""
    if rpy == (0.0, 0.0, 0.0):
        return (1.0, 0.0, 0.0, 0.0)
    cr, cp, cy = (math.cos(angle / 2) for angle in rpy)
    sr, sp, sy = (math.sin(angle / 2) for angle in rpy)
    return normalise(
        (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )
    )


def to_rpy(q: Quat) -> Vec3:
    """The inverse of from_rpy by half angles: exact to ROUNDING everywhere, also near a pitch of 90 degrees (the asin
    form is not)."""
    w, x, y, z = q
    if x == 0.0 and y == 0.0 and z == 0.0:
        return (0.0, 0.0, 0.0)
    plus = math.hypot(w + y, x - z)
    minus = math.hypot(w - y, x + z)
    pitch = 2 * math.atan2(plus, minus) - math.pi / 2
    if min(plus, minus) < ROUNDING / 4:  # gimbal lock: only roll - yaw (or roll + yaw) is defined; roll := 0
        yaw = 2 * (math.atan2(z - x, w + y) if minus < plus else math.atan2(x + z, w - y))
        return (0.0, pitch, wrap(yaw))
    a, b = math.atan2(x + z, w - y), math.atan2(z - x, w + y)
    return (wrap(a - b), pitch, wrap(a + b))


def wrap(angle: float) -> float:
    """An angle of at most three half turns in either direction, reduced to half a turn; in radians."""
    if angle > math.pi:
        return angle - 2 * math.pi
    return angle + 2 * math.pi if angle < -math.pi else angle


def pose_from_rpy(pos: Vec3, rpy: Vec3) -> Pose:
    """A pose that remembers its angles (None for no rotation: nothing to remember)."""
    if rpy == (0.0, 0.0, 0.0):
        return Pose(pos)
    return Pose(pos, from_rpy(rpy), rpy)


def pose_rpy(pose: Pose) -> Vec3:
    """The angles as the author wrote them, else computed."""
    return pose.rpy if pose.rpy is not None else to_rpy(pose.rot)


def from_axis_angle(axis: Vec3, angle: float) -> Quat:
    """A rotation by an angle in radians about an axis of length 1, right-handed: (cos a/2, axis sin a/2)."""
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s)


def from_z_to(v: Vec3) -> Quat:
    """The smallest rotation that takes +z to the direction v; half a turn about x for exactly -z (MuJoCo's choice)."""
    x, y, z = unit(v)
    across = math.hypot(x, y)
    if z < 0.0 and across < 1e-100:
        return (0.0, 1.0, 0.0, 0.0)
    w = 1.0 + z if z > -0.5 else across * across / (1.0 - z)  # the same number: 1 + z cancels close to -z
    return normalise_exactly((w, -y, x, 0.0))


def down_to(v: Vec3) -> Quat:
    """The smallest rotation that takes -z, the direction of cameras and lights, to the direction v."""
    x, y, z = v
    return (1.0, 0.0, 0.0, 0.0) if x == 0 and y == 0 and z < 0 else from_z_to((-x, -y, -z))


def normalise_exactly(q: Quat) -> Quat:
    """Unit quaternion of a finite nonzero one, divided even where normalise would return it unchanged."""
    length = math.sqrt(sum(component * component for component in q))
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def matrix_rows(q: Quat) -> tuple[Vec3, Vec3, Vec3]:
    """The rows of the matrix R of a unit quaternion: R v is v rotated by q."""
    w, x, y, z = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def matrix(q: Quat) -> Floats:
    """The same as an array (3, 3)."""
    return np.array(matrix_rows(q))


def from_matrix(m: Floats) -> Quat:
    """Quaternion, w >= 0, of a (3, 3) rotation matrix."""
    return from_rows(m.tolist())


def from_rows(m: Sequence[Sequence[float]]) -> Quat:
    """Quaternion, w >= 0, of a rotation matrix given as rows, by the largest component (Shepperd 1978)."""
    trace = m[0][0] + m[1][1] + m[2][2]
    four = [1 + trace] + [1 + 2 * m[i][i] - trace for i in range(3)]  # 4 w^2, 4 x^2, 4 y^2, 4 z^2
    x, y, z = m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    yz, xz, xy = m[2][1] + m[1][2], m[0][2] + m[2][0], m[1][0] + m[0][1]
    rows = ((four[0], x, y, z), (x, four[1], xy, xz), (y, xy, four[2], yz), (z, xz, yz, four[3]))
    w, x, y, z = normalise_exactly(rows[four.index(max(four))])
    return (w, x, y, z) if w >= 0 else (-w, -x, -y, -z)


def rotate_tensor(q: Quat, tensor: Tensor) -> Tensor:
    """R I R^T for the symmetric tensor (xx, yy, zz, xy, xz, yz)."""
    if q == (1.0, 0.0, 0.0, 0.0):
        return tensor
    (r00, r01, r02), (r10, r11, r12), (r20, r21, r22) = matrix_rows(q)
    xx, yy, zz, xy, xz, yz = tensor
    a0, a1, a2 = r00 * xx + r01 * xy + r02 * xz, r00 * xy + r01 * yy + r02 * yz, r00 * xz + r01 * yz + r02 * zz
    b0, b1, b2 = r10 * xx + r11 * xy + r12 * xz, r10 * xy + r11 * yy + r12 * yz, r10 * xz + r11 * yz + r12 * zz
    c0, c1, c2 = r20 * xx + r21 * xy + r22 * xz, r20 * xy + r21 * yy + r22 * yz, r20 * xz + r21 * yz + r22 * zz
    return (
        a0 * r00 + a1 * r01 + a2 * r02,
        b0 * r10 + b1 * r11 + b2 * r12,
        c0 * r20 + c1 * r21 + c2 * r22,
        a0 * r10 + a1 * r11 + a2 * r12,
        a0 * r20 + a1 * r21 + a2 * r22,
        b0 * r20 + b1 * r21 + b2 * r22,
    )


def body_tensor(inertial: Inertial) -> Tensor:
    """The tensor about the centre of mass in the axes of the body."""
    return rotate_tensor(inertial.pose.rot, inertial.tensor)


def field_across(field: float, ratio: float) -> float:
    """The field of view of a camera along one side of its image from that along the other side, both in radians.

    ratio: the length of the first side over that of the other.
    """
    return 2 * math.atan(math.tan(field / 2) * ratio)
