"""Which masses and moments of inertia libsdformat accepts (gz-math, MassMatrix3::IsValid), with its rounding."""

from __future__ import annotations

import math
import sys

from ir.types import Inertial, Vec3

NEAR_DIAGONAL = 1e-6
"""Products of inertia below this part of the largest moment are ignored."""


def accepts(inertial: Inertial) -> bool:
    """Whether libsdformat accepts it. Where two principal moments nearly agree, it computes them with half the digits,
    and refuses bodies that are possible."""
    xx, yy, zz, xy, xz, yz = inertial.tensor
    slack = _slack((xx, yy, zz))
    determinant = xx * (yy * zz - yz * yz) + xy * (yz * xz - xy * zz) + xz * (xy * yz - yy * xz)
    minors = (inertial.mass, xx + slack, xx * yy - xy * xy + slack, determinant + slack)
    moments = _principal_moments((xx, yy, zz), (xy, xz, yz))
    a, b, c = sorted(moments)
    slack = _slack(moments)
    return min(minors) >= 0 and a + slack >= 0 and a + b + slack >= c


def _slack(moments: Vec3) -> float:
    return 10 * sys.float_info.epsilon * 0.5 * abs(sum(moments))


def _principal_moments(moments: Vec3, products: Vec3) -> Vec3:
    tolerance = NEAR_DIAGONAL * max(moments)
    if max(map(abs, products)) <= tolerance:
        return moments
    (xx, yy, zz), (xy, xz, yz) = moments, products
    b = xx + yy + zz
    c = xx * yy - xy**2 + xx * zz - xz**2 + yy * zz - yz**2
    d = xx * yz**2 + yy * xz**2 + zz * xy**2 - xx * yy * zz - 2 * xy * xz * yz
    p = b**2 - 3 * c
    if p < tolerance**2:
        return (b / 3, b / 3, b / 3)
    q = 2 * b**3 - 9 * b * c - 27 * d
    angle = math.acos(min(max(0.5 * q / p**1.5, -1.0), 1.0))
    first, second, third = (
        (b + 2 * math.sqrt(p) * math.cos((angle + turn * 2 * math.pi) / 3)) / 3 for turn in (0.0, 1.0, -1.0)
    )
    return first, second, third
