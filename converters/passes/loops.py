"""Loops of joints: those that only a direction makes are opened by turning it round, the others become equations."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.names import unique
from ir.pose import compose, invert, rotate
from ir.scene import Scene
from ir.types import WORLD, Connect, Constraint, Dof, DofKind, Joint, Pose, Vec3, WeldTo

ARM = 0.1
"""Metres between the two points that hold the axis of a hinge."""


def reverse(joint: Joint) -> Joint:
    """The same joint from its child to its parent: q means the same motion, about the opposite axis.

    The inverse of pose M1(q1) M2(q2) is pose^-1 times what M2 and M1 do in the frame of the old parent, backwards.
    """
    return replace(
        joint,
        parent=joint.child,
        child=joint.parent,
        pose=invert(joint.pose),
        dofs=tuple(_reversed(dof, joint.pose) for dof in reversed(joint.dofs)),
        closes_loop=False,
    )


def _reversed(dof: Dof, pose: Pose) -> Dof:
    x, y, z = rotate(pose.rot, dof.axis)
    return replace(dof, axis=(-x, -y, -z), anchor=compose(pose, Pose(dof.anchor)).pos)


def _turn(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """Hang a tree whose root nothing holds under the joint that closes a loop to it, its own joints turned round."""
    joints = dict(scene.joints)
    holding = {joint.child: joint.name for joint in joints.values() if not joint.closes_loop}
    for loop in [joint for joint in joints.values() if joint.closes_loop]:
        path, free = _way_up(loop.parent, joints, holding)
        if not free or loop.child in path or loop.child == WORLD or path[-1] == _top(loop.child, joints, holding):
            continue
        root = path[-1]
        if root in holding:
            del joints[holding.pop(root)]
        for name in [holding.pop(body) for body in path[:-1]]:
            turned = reverse(joints[name])
            joints[turned.name] = turned
            holding[turned.child] = turned.name
        turned = reverse(loop)
        joints[turned.name] = turned
        holding[turned.child] = turned.name
    same = len(joints) == len(scene.joints) and all(joints[name] is scene.joints[name] for name in joints)
    return scene if same else scene.evolve(joints=list(joints.values()))


def _way_up(body: str, joints: dict[str, Joint], holding: dict[str, str]) -> tuple[list[str], bool]:
    """The bodies from one up to its root, and whether that root is free (or nothing is said about it)."""
    path = [body]
    while path[-1] in holding:
        joint = joints[holding[path[-1]]]
        if joint.parent == WORLD:
            return path, len(joint.dofs) == 1 and joint.dofs[0].kind is DofKind.FREE
        path.append(joint.parent)
    return path, body != WORLD


def _top(body: str, joints: dict[str, Joint], holding: dict[str, str]) -> str:
    return _way_up(body, joints, holding)[0][-1]


TURNED = Pass(
    loss=Loss(
        field="joint",
        rule="loops/turned",
        reason="a joint led from the outside in: turned round it makes the same motions, and the target has a tree",
        severity="note",
    ),
    wanted=lambda fits, options: not fits.loop_joints,
    apply=_turn,
)


def _equations(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """A joint that closes a loop as what holds its two bodies together."""
    taken = set(scene.constraints)
    made: list[Constraint] = []
    done = set()
    for joint in scene.joints.values():
        if joint.closes_loop:
            specs = _specs(joint)
            done |= {joint.name} if specs else set()
            for spec in specs:
                name = unique(joint.name, taken)
                taken.add(name)
                made.append(
                    Constraint(name=name, parent=joint.parent, child=joint.child, spec=spec, source=joint.source)
                )
    if not made:
        return scene
    return scene.evolve(
        joints=[joint for joint in scene.joints.values() if joint.name not in done],
        constraints=[*scene.constraints.values(), *made],
    )


def _specs(joint: Joint) -> list[Connect | WeldTo]:
    """Nothing for what no equation holds: a slide, a screw, several axes."""
    kinds = [dof.kind for dof in joint.dofs]
    if not kinds:
        return [WeldTo(pose=joint.pose)]
    if kinds == [DofKind.BALL]:
        return [Connect(anchor=_seen(joint, joint.dofs[0].anchor))]
    if kinds == [DofKind.HINGE]:
        dof = joint.dofs[0]
        along: Vec3 = (
            dof.anchor[0] + ARM * dof.axis[0],
            dof.anchor[1] + ARM * dof.axis[1],
            dof.anchor[2] + ARM * dof.axis[2],
        )
        return [Connect(anchor=_seen(joint, dof.anchor)), Connect(anchor=_seen(joint, along))]
    return []


def _seen(joint: Joint, point: Vec3) -> Vec3:
    """A point of the child as the parent sees it."""
    return compose(joint.pose, Pose(point)).pos


EQUATIONS = Pass(
    loss=Loss(
        field="constraint",
        rule="loops/equation",
        reason="the target has a tree of joints: the joint that closes the loop is held by equations",
        severity="note",
    ),
    wanted=lambda fits, options: not fits.loop_joints and fits.constraints,
    apply=_equations,
)
