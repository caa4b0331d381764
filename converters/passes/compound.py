"""Compound joints: a joint that a target cannot hold becomes several, with links in between, of the same motions."""

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
"""Inertia of the links in between: simulators refuse a moving link without inertia. It is lost in the rounding of any
robot.

Only libsdformat needs more for a link of a URDF (1e-6 kg), which would be noticeable; the report tells it.
"""


def without_compound_joints(
    scene: Scene, has: Callable[[tuple[Dof, ...]], bool], anchors: bool = False, shared: bool = False
) -> Scene:
    """The scene with only joints that the target has: the same scene object if nothing is to be done.

    has tells whether the target has a joint of these dofs; anchors, whether it has anchors off the origin. A joint of
    one dof gets the name of its dof, since mimic and transmissions name joints by it, unless that is taken. The links
    in between are in the scope of the joint. shared: links, joints and frames share one name space.
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
    """Whether the target has such a joint, including its name."""
    named = joint.closes_loop or len(joint.dofs) != 1 or joint.dofs[0].name == joint.name
    return named and whole(joint, has, anchors)


def whole(joint: Joint, has: Callable[[tuple[Dof, ...]], bool], anchors: bool) -> bool:
    """Whether the target has such a joint, whatever its name (without_compound_joints)."""
    if joint.closes_loop or not joint.dofs:
        return True
    if any(
        dof.kind is not DofKind.FREE and ((dof.anchor != ORIGIN and not anchors) or dof.zero != 0.0)
        for dof in joint.dofs
    ):
        return False
    return has(joint.dofs)


def _centred(dof: Dof) -> bool:
    """Whether its axis can be moved to the origin of the child."""
    return dof.kind is DofKind.SLIDE or dof.anchor == ORIGIN


def _with_joints_as_axes(scene: Scene, single: Callable[[Joint], bool], shared: bool) -> Scene:
    """The scene in which joints that stay one (single) have the names of their only axes, in all references, too."""
    taken = {*scene.joints, *(scene.bodies.keys() | scene.frames().keys() if shared else ())}
    joints = (joint for joint in scene.joints.values() if len(joint.dofs) == 1 and not joint.closes_loop)
    called = {joint.name: joint.dofs[0].name for joint in joints if joint.dofs[0].name not in taken and single(joint)}
    return rename(scene, "joint", called) if called else scene


def _chain(joint: Joint, bodies: Spares, names: Spares, anchors: bool) -> Iterator[Joint]:
    """One joint for each dof; a final weld if the last axis misses the origin of the child, unless the target has
    anchors. Properties of a joint of several dofs apply to none of them."""
    parent, pose, at = joint.parent, joint.pose, ORIGIN
    for dof in joint.dofs:
        last = dof is joint.dofs[-1]
        there = dof.anchor if dof.kind is not DofKind.SLIDE else ORIGIN if last else at
        done = last and (anchors or there == ORIGIN)
        foot = ORIGIN if done else there  # position of the child's frame in the body
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
