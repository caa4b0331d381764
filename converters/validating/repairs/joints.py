"""Joints: mimics, limits, angles, types that URDF does not have."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from converters.passes.compound import without_compound_joints
from converters.passes.joints import COMPOUND
from converters.urdf.joints import word_of
from converters.validating.joints import DIALECT, EXACT, NEAR, QUARTER, is_fixed
from converters.validating.repairs.documents import without_extras
from converters.validating.repairs.job import RepairJob
from ir.kinematics import mimics
from ir.mapping import map_bodies, map_dofs, map_geoms, map_joints
from ir.pose import from_rpy
from ir.refs import entities, references
from ir.scene import Scene
from ir.types import Dof, Geom, Joint, Mimic, Pose

PlacedT = TypeVar("PlacedT", Geom, Joint)


def flat_followers(scene: Scene, job: RepairJob) -> Scene:
    """Replace chains of mimics: q = m1 (q2 - r1) + o1 with q2 = m2 (q3 - r2) + o2. Chains into a cycle stay."""
    leaders = mimics(scene)
    flat: dict[str, Mimic | None] = {}
    for name, mimic in leaders.items():
        chain, last = {name: mimic}, mimic
        while last.dof in leaders and last.dof not in flat and last.dof not in chain:
            chain[last.dof] = last = leaders[last.dof]
        beyond = flat.get(last.dof)
        circular = last.dof in leaders and beyond is None
        for follower, own in reversed(chain.items()):
            beyond = flat[follower] = None if circular else own if beyond is None else _joined(own, beyond)

    def followed(dof: Dof) -> Dof:
        mimic = flat.get(dof.name)
        return dof if mimic is None or mimic is dof.mimic else replace(dof, mimic=mimic)

    return map_dofs(scene, followed)


def _joined(first: Mimic, second: Mimic) -> Mimic:
    return replace(second, multiplier=first.multiplier * second.multiplier, offset=first.led(second.offset))


def own_masters(scene: Scene, job: RepairJob) -> Scene:
    """Remove mimics of fixed joints: the joint could never move, but was presumably meant to."""
    fixed = {joint.name for joint in scene.joints.values() if is_fixed(scene, joint.name)}
    return map_dofs(scene, lambda dof: replace(dof, mimic=None) if dof.mimic and dof.mimic.dof in fixed else dof)


def known_types(scene: Scene, job: RepairJob) -> Scene:
    """Replace joints of types that URDF does not have by joints of one dof each; later repairs give inertia to the
    links in between."""
    apart = {dof.name for joint in scene.joints.values() if word_of(joint.dofs) in DIALECT for dof in joint.dofs}
    if not apart or apart & _used(scene):
        return scene
    known = scene.bodies
    scene = COMPOUND.apply(scene, job.target)
    scene = without_compound_joints(scene, lambda dofs: word_of(dofs) not in (*DIALECT, None))
    return map_bodies(scene, lambda body: body if body.name in known else replace(body, inertial=None))


def _used(scene: Scene) -> set[str]:
    """Return the names of dofs that other entities reference."""
    return {each.name for _, entity in entities(scene) for each in references(entity) if "dof" in each.kind}


def limits(scene: Scene, job: RepairJob) -> Scene:
    """Order limits, make negative values positive, and remove zero effort and velocity, which are never meant."""

    def sound(dof: Dof) -> Dof:
        values: dict[str, Any] = {}
        if dof.crossed:
            values |= {"lower": dof.upper, "upper": dof.lower}
        for name in ("effort", "velocity", "damping", "friction", "armature"):
            value = getattr(dof, name)
            if value is not None and value < 0.0:
                values[name] = -value
        for name in ("effort", "velocity"):
            if getattr(dof, name) == 0.0:
                values[name] = None
        return replace(dof, **values) if values else dof

    return map_dofs(without_extras(scene, ("LIMIT-CONT",)), sound)


def immobile(scene: Scene, job: RepairJob) -> Scene:
    """Make a joint that cannot move a fixed one, unless its dof is referenced elsewhere."""
    used = _used(scene)

    def held(joint: Joint) -> Joint:
        if len(joint.dofs) != 1 or joint.dofs[0].name in used:
            return joint
        lower, upper, zero = joint.dofs[0].lower, joint.dofs[0].upper, joint.dofs[0].zero
        return replace(joint, dofs=()) if lower is not None and lower == upper == zero == 0.0 else joint

    return map_joints(scene, held)


def snapped(scene: Scene, job: RepairJob) -> Scene:
    """Round angles close to quarter turns to them."""

    def exact(owner: PlacedT) -> PlacedT:
        pose = _snap(owner.pose)
        return owner if pose is owner.pose else replace(owner, pose=pose)

    return map_joints(map_geoms(scene, exact), exact)


def _snap(pose: Pose) -> Pose:
    if pose.rpy is None:
        return pose
    turns = [round(angle / QUARTER) * QUARTER for angle in pose.rpy]
    near = [
        turn if abs(angle) > NEAR and EXACT < abs(angle - turn) < NEAR else angle
        for angle, turn in zip(pose.rpy, turns, strict=True)
    ]
    rpy = (near[0], near[1], near[2])
    return pose if rpy == pose.rpy else Pose(pose.pos, from_rpy(rpy), rpy)
