"""Compound joints: what a target cannot hold as one joint is several, with links in between, of the same motions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from ir.kinematics import COORDINATES, motion
from ir.names import Spares
from ir.pose import compose, subtract
from ir.refs import rename
from ir.scene import Scene
from ir.scopes import of_joint, paths
from ir.types import IDENTITY, ORIGIN, Body, Dof, DofKind, Inertial, Joint, Pose, Vec3

LINK = Inertial(mass=1e-14, tensor=(2e-15, 2e-15, 2e-15, 0.0, 0.0, 0.0))
"""Of the links in between: simulators refuse a moving link without inertia. It is lost in the rounding of any robot.

Only libsdformat wants more of a link of a URDF (1e-6 kg), which would be felt; the report says so."""


def without_compound_joints(
    scene: Scene, has: Callable[[tuple[Dof, ...]], bool], anchors: bool = False, shared: bool = False
) -> Scene:
    """The scene with every joint one that the target has: the very same scene where nothing is to be done.

    has says whether the target knows a joint of these dofs; anchors, whether it knows anchors off the origin. A joint
    of one dof takes the name of its dof, since mimic and transmissions name joints by it, unless that is taken. The
    links in between stand in the scope of the joint. shared: links, joints and frames share one space of names.
    """

    def plain(joint: Joint) -> bool:
        return _plain(joint, has, anchors)

    if all(map(plain, scene.joints.values())):
        return scene
    scene = _with_joints_as_axes(scene, lambda joint: has(joint.dofs) and (anchors or _centred(joint.dofs[0])), shared)
    kept = [joint.name for joint in scene.joints.values() if plain(joint)]
    if shared:
        bodies = names = Spares((*scene.bodies, *kept, *scene.frames()))
    else:
        bodies, names = Spares(scene.bodies), Spares(kept)
    links: list[Body] = []
    joints: list[Joint] = []
    scopes = paths(scene)
    for joint in scene.joints.values():
        for part in [joint] if plain(joint) else _chain(joint, bodies, names, anchors):
            joints.append(part)
            if part.child not in scene.bodies:
                links.append(Body(name=part.child, inertial=LINK, scope=of_joint(joint, scene, scopes)))
    return scene.evolve(bodies=[*scene.bodies.values(), *links], joints=joints)


def _plain(joint: Joint, has: Callable[[tuple[Dof, ...]], bool], anchors: bool) -> bool:
    """Whether the target has a joint, by its name as well."""
    named = joint.closes_loop or len(joint.dofs) != 1 or joint.dofs[0].name == joint.name
    return named and whole(joint, has, anchors)


def whole(joint: Joint, has: Callable[[tuple[Dof, ...]], bool], anchors: bool) -> bool:
    """Whether the target has a joint as one, whatever it is called (without_compound_joints)."""
    if joint.closes_loop or not joint.dofs:
        return True
    if any(
        dof.kind is not DofKind.FREE and ((dof.anchor != ORIGIN and not anchors) or dof.zero != 0.0)
        for dof in joint.dofs
    ):
        return False
    return has(joint.dofs)


def _centred(dof: Dof) -> bool:
    """Whether its axis may go through the origin of the child."""
    return dof.kind is DofKind.SLIDE or dof.anchor == ORIGIN


def _with_joints_as_axes(scene: Scene, single: Callable[[Joint], bool], shared: bool) -> Scene:
    """The scene with the joints that stay one (single) called as their one axis, and all that speaks of them."""
    taken = {*scene.joints, *(scene.bodies.keys() | scene.frames().keys() if shared else ())}
    joints = (joint for joint in scene.joints.values() if len(joint.dofs) == 1 and not joint.closes_loop)
    called = {joint.name: joint.dofs[0].name for joint in joints if joint.dofs[0].name not in taken and single(joint)}
    return rename(scene, "joint", called) if called else scene


def _chain(joint: Joint, bodies: Spares, names: Spares, anchors: bool) -> Iterator[Joint]:
    """One joint a dof; a last weld where the last axis misses the origin of the child, unless the target knows anchors.
    What is said beside a joint of several is said of none of them."""
    parent, pose, at = joint.parent, joint.pose, ORIGIN
    for dof in joint.dofs:
        last = dof is joint.dofs[-1]
        there = dof.anchor if dof.kind is not DofKind.SLIDE else ORIGIN if last else at
        done = last and (anchors or there == ORIGIN)
        foot = ORIGIN if done else there  # where in the body the frame of the child stands
        child = joint.child if done else bodies.of(f"{dof.name}_link")
        name = names.of(f"{dof.name}_joint" if bodies is names and dof.name in names else dof.name)
        pose = _moved(pose, foot, at) if foot != at else pose
        own = replace(dof, anchor=subtract(there, foot), zero=0.0)
        if dof.zero and dof.kind not in COORDINATES:
            pose = compose(pose, motion(own, -dof.zero))
        alone = done and len(joint.dofs) == 1
        extras, mount = (joint.extras if len(joint.dofs) == 1 else ()), joint.mount if alone else None
        source = joint.source if last else None
        yield Joint(
            name=name, parent=parent, child=child, pose=pose, dofs=(own,), mount=mount, extras=extras, source=source
        )
        parent, pose, at = child, IDENTITY, foot
    if at != ORIGIN:
        yield Joint(
            name=names.of(f"{joint.name}_offset"), parent=parent, child=joint.child, pose=_moved(pose, ORIGIN, at)
        )


def _moved(pose: Pose, there: Vec3, at: Vec3) -> Pose:
    return compose(pose, Pose(subtract(there, at)))
