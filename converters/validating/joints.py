"""Joints: axes, angles, limits, mimics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from converters.source.text import six_digits
from converters.urdf.joints import word_of
from converters.validating.model import Breach, CheckedModel, broken_rule
from converters.validating.notes import of_problem
from ir.pose import rotate
from ir.scene import Scene
from ir.types import Cylinder, Dof, DofKind, Geom, Joint, Pose, Role

QUARTER = math.pi / 2
NEAR, EXACT = 2e-3, 1e-12
"""Radians: an angle closer than NEAR to a multiple of a quarter turn was meant to be one."""
FAR = 4 * math.pi
STRONG, UNKNOWN = 1e6, 1e8
"""N or Nm beyond any real joint; from UNKNOWN on the value means "unknown"."""
PARALLEL = 0.05
SLACK = 1e-3

DIALECT = ("ball", "universal", "screw")
"""Types of joints that URDF does not have."""
TURNS = (DofKind.HINGE, DofKind.SCREW)


def check(model: CheckedModel) -> Iterator[Breach]:
    scene = model.scene
    for joint in scene.joints.values():
        yield from _angles(joint.pose, f"joint/{joint.name}.pose", joint)
        if model.format == "urdf" and (word := word_of(joint.dofs)) in DIALECT:
            message = f"a {word} joint is known to Drake or Bullet, and few others"
            yield broken_rule("JOINT-DIALECT", "joint", joint, message)
        if model.format == "urdf" and word_of(joint.dofs) == "planar":
            message = "Drake and MuJoCo move it across its axis, Pinocchio always in x and y, others not at all"
            yield broken_rule("PLANAR-DIALECT", "joint", joint, message)
        for index, dof in enumerate(joint.dofs):
            where = f"joint/{joint.name}.dofs.{index}"
            yield from _limits(dof, where, joint, model.format)
            yield from _wheel(scene, dof, where, joint)
    for body in scene.bodies.values():
        for geom in body.geoms:
            yield from _angles(geom.pose, f"body/{body.name}.geoms.{geom.name}", geom)
    yield from _followers(scene)
    yield from _circles(model)


def _angles(pose: Pose, where: str, owner: Joint | Geom) -> Iterator[Breach]:
    if pose.rpy is None:
        return
    if any(abs(angle) > 2 * math.pi + NEAR for angle in pose.rpy):
        shown = six_digits(pose.rpy)
        yield Breach(rule="ROT-DEG", where=where, message=f"rpy {shown} is more than a turn", source=owner.source)
    off = [angle for angle in pose.rpy if abs(angle) > NEAR and EXACT < _apart(angle) < NEAR]
    if off:
        message = f"{', '.join(f'{angle:.12g}' for angle in off)} is {max(map(_apart, off)):.2g} rad off a quarter turn"
        yield Breach(rule="ROT-SNAP", where=where, message=message, source=owner.source)


def _apart(angle: float) -> float:
    return abs(angle - round(angle / QUARTER) * QUARTER)


# -------------------------------------------------------------------------------------------------------------- limits


def _limits(dof: Dof, where: str, joint: Joint, kind: str) -> Iterator[Breach]:
    def breach(rule: str, message: str, field: str = "") -> Breach:
        return Breach(rule=rule, where=f"{where}{field}", message=message, source=joint.source)

    if dof.effort == 0.0:
        yield breach("LIMIT-ZERO-EFF", "effort 0 is frozen to some, unlimited to MuJoCo", ".effort")
    if dof.velocity == 0.0:
        yield breach("LIMIT-ZERO-VEL", "velocity 0 is frozen, or unknown", ".velocity")
    if dof.effort is not None and STRONG < dof.effort < UNKNOWN:
        yield breach("LIMIT-RANGE", f"an effort of {dof.effort:g}", ".effort")
    lower, upper = dof.lower, dof.upper
    if lower is None or upper is None:
        return
    if lower == upper:
        yield breach("LIMIT-EMPTY", f"lower and upper limit are {lower:g}: the joint cannot move")
    elif dof.kind in TURNS and upper - lower > FAR and upper - lower < UNKNOWN:
        yield breach("LIMIT-RANGE", f"a range of {upper - lower:g} rad is more than two turns: degrees?")
    elif kind == "urdf" and lower <= upper and not lower <= dof.zero <= upper:
        yield breach("LIMIT-RANGE", f"the range {lower:g} to {upper:g} leaves out 0, where a joint starts")
    soft = dof.soft
    if soft is not None and (soft.lower or soft.upper) and (soft.lower < lower or soft.upper > upper):
        message = f"soft limits {soft.lower:g} to {soft.upper:g} reach beyond {lower:g} to {upper:g}"
        yield breach("SAFETY-RANGE", message, ".soft")


def _wheel(scene: Scene, dof: Dof, where: str, joint: Joint) -> Iterator[Breach]:
    """Yield a breach for a continuously rotating link with a flat cylinder whose axis is not the joint's."""
    if dof.kind is not DofKind.HINGE or dof.lower is not None or len(joint.dofs) > 1:
        return
    geoms = [geom for geom in scene.body(joint.child).geoms if geom.role in (Role.VISUAL, Role.COLLISION, Role.BOTH)]
    for geom in geoms[:1]:
        if isinstance(geom.shape, Cylinder) and geom.shape.length < 2 * geom.shape.radius:
            axis = rotate(geom.pose.rot, (0.0, 0.0, 1.0))
            aligned = abs(math.fsum(a * b for a, b in zip(axis, dof.axis, strict=True)))
            if aligned < 1 - PARALLEL:
                angle = math.degrees(math.acos(min(aligned, 1.0)))
                message = f"the cylinder of {joint.child!r} and the axis are {angle:.0f} degrees apart"
                yield Breach(rule="JOINT-AXIS-GEOM", where=where, message=message, source=joint.source)


# ----------------------------------------------------------------------------------------------------------- followers


def _followers(scene: Scene) -> Iterator[Breach]:
    dofs = scene.dofs()
    for joint, dof in dofs.values():
        if dof.mimic is None:
            continue
        where = f"joint/{joint.name}.dofs.{joint.dofs.index(dof)}.mimic"
        found = dofs.get(dof.mimic.dof)
        if found is None:
            fixed = is_fixed(scene, dof.mimic.dof)
            rule = "MIMIC-FIXED" if fixed else "MIMIC-MISSING"
            message = f"it follows {dof.mimic.dof!r}, which {'does not move' if fixed else 'does not exist'}"
            yield Breach(rule=rule, where=where, message=message, source=joint.source)
            continue
        leader = found[1]
        if leader.mimic is not None and leader.name != dof.name:
            message = f"it follows {leader.name!r}, which follows {leader.mimic.dof!r}"
            yield Breach(rule="MIMIC-CHAIN", where=where, message=message, source=joint.source)
        if {leader.kind, dof.kind} == {DofKind.HINGE, DofKind.SLIDE}:
            message = f"a {dof.kind.value} follows a {leader.kind.value}"
            yield Breach(rule="MIMIC-TYPE", where=where, message=message, source=joint.source)
        yield from _driven(joint, dof, leader, where)


def is_fixed(scene: Scene, name: str) -> bool:
    """Whether this is a joint without a dof of its name."""
    return name in scene.joints and name not in scene.dofs()


def _driven(joint: Joint, dof: Dof, leader: Dof, where: str) -> Iterator[Breach]:
    mimic = dof.mimic
    assert mimic is not None
    if None in (dof.lower, dof.upper, leader.lower, leader.upper):
        return
    assert dof.lower is not None and dof.upper is not None
    ends = [mimic.led(end or 0.0) for end in (leader.lower, leader.upper)]
    slack = SLACK * max(1.0, dof.upper - dof.lower)
    if min(ends) < dof.lower - slack or max(ends) > dof.upper + slack:
        driven = f"{leader.name!r} drives it from {min(ends):g} to {max(ends):g}"
        message = f"{driven}, its limits are {dof.lower:g} to {dof.upper:g}"
        yield Breach(rule="MIMIC-RANGE", where=where, message=message, source=joint.source)


def _circles(model: CheckedModel) -> Iterator[Breach]:
    for problem in model.problems:
        if problem.rule == "model/mimic-cycle":
            alone = problem.message.count(" -> ") == 1
            yield of_problem(problem, "MIMIC-SELF" if alone else "MIMIC-CYCLE")
