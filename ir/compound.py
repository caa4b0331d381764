"""Compound joints: one joint that a format writes as a chain of several, with links in between, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from ir.pose import compose, dof_in_frame, invert
from ir.refs import entities, references
from ir.scene import Scene
from ir.types import IDENTITY, Body, Dof, DofKind, Joint, Pose

CHAIN = "chain"
"""Kind of a fold (ir.folds)."""


def chains(scene: Scene, written: Scene) -> dict[str, list[str]]:
    """The bodies that a chain of joints holds in written -> the links of their chain there, from the parent on."""
    found: dict[str, list[str]] = {}
    for body in scene.bodies if written is not scene else ():
        links: list[str] = []
        joint = written.joint_of(body)
        while joint is not None and joint.parent not in scene.bodies:
            links.append(joint.parent)
            joint = written.joint_of(joint.parent)
        if links:
            found[body] = links[::-1]
    return found


def chain_joints(scene: Scene, body: str, links: Iterable[str]) -> list[Joint] | None:
    """The joints of a chain; None if it is no chain, or something else is attached to its links."""
    found: list[Joint] = []
    for name in (*links, body):
        joint = scene.joint_of(name)
        if joint is None or (found and joint.parent != found[-1].child):
            return None
        found.append(joint)
    return found if all(scene.degree(link) == 2 for link in links) else None


def join_chains(scene: Scene, folds: Mapping[str, Sequence[str]]) -> Scene:
    """The scene with every such chain as one joint; anchors and axes follow from the poses of the chain at zero."""
    made: dict[str, Joint] = {}
    gone: set[str] = set()
    for body, links in folds.items():
        joints = chain_joints(scene, body, links)
        if joints is not None:
            made[body] = _one(joints)
            gone.update(links)
    if not made:
        return scene
    held = (joint for joint in scene.joints.values() if joint.child not in gone)
    joints = [joint if joint.closes_loop else made.get(joint.child, joint) for joint in held]
    return scene.evolve(bodies=[body for body in scene.bodies.values() if body.name not in gone], joints=joints)


def _one(joints: Sequence[Joint]) -> Joint:
    """The joint that replaces a chain: all its dofs in the frame of the last child, and the extras of all joints."""
    pose = IDENTITY
    dofs: list[Dof] = []
    for joint in reversed(joints):
        dofs += [_seen_from(pose, dof) for dof in reversed(joint.dofs)]
        pose = compose(joint.pose, pose) if pose != IDENTITY else joint.pose
    extras = tuple(extra for joint in joints for extra in joint.extras)
    return replace(joints[-1], parent=joints[0].parent, pose=pose, dofs=tuple(reversed(dofs)), extras=extras)


def _seen_from(child: Pose, dof: Dof) -> Dof:
    """A dof in the frame of a child that has this pose in the frame of the dof; a slide needs no anchor."""
    if child == IDENTITY:
        return dof
    found = dof_in_frame(dof, invert(child))
    return replace(found, anchor=dof.anchor) if dof.kind is DofKind.SLIDE else found


def surplus(scene: Scene, joints: Sequence[Joint]) -> tuple[Body | Joint, ...]:
    """What a chain contains that its joint cannot: properties of its links and of their joints."""
    links = [scene.body(joint.child) for joint in joints[:-1]]
    plain = Joint(name="", parent="", child="")
    held = [
        replace(plain, frame=joint.frame, passive=joint.passive, properties=joint.properties) for joint in joints[:-1]
    ]
    return (*(replace(link, name="", label=None, source=None) for link in links), *held)


def referred(scene: Scene) -> set[str]:
    """Names of bodies and joints to which rows of tables refer."""
    return {
        reference.name
        for kind, entity in entities(scene)
        if kind in scene.tables
        for reference in references(entity)
        if "body" in reference.kind or "joint" in reference.kind
    }
