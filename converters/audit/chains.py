"""Joints of several axes that a target has as chains of joints: one difference for each chain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ir.compound import chain_joints
from ir.diff import Difference
from ir.kinematics import COORDINATES, configuration, placement
from ir.pose import rotation_gap
from ir.scene import Scene
from ir.types import DofKind, Joint, Pose

NEAR = 1e-9
"""Metres and radians: a chain is several changes of frame."""
STEP = 0.3
"""Radians or metres by which the first axis of a chain is moved, to see whether all move alike."""


def with_chains(
    native: Iterable[Difference],
    lasting: Iterable[Difference],
    scene: Scene,
    written: Scene,
    folds: Mapping[str, Sequence[str]],
) -> Iterator[Difference]:
    """The differences (native) of a scene from what was written, with one difference for each joint that is a chain of
    the same motions there, in place of those of its last joint and of its names.

    lasting are the differences when each chain is read as one joint again.
    """
    others = {each.path for each in lasting}
    moved = {each.path[:2] for each in lasting if _decides_motion(each.path[2:]) and not _of_slide(each.path, scene)}
    spelt: dict[tuple[str, ...], Difference] = {}
    for body, links in folds.items():
        joint, chain = scene.joint_of(body), chain_joints(written, body, links)
        if joint is not None and chain is not None and ("joint", joint.name) not in moved:
            path, after = ("joint", joint.name, "dofs"), f"chain {', '.join(part.name for part in chain)}"
            spelt[path[:2]] = Difference(path, "joint.dofs", "different", f"joint {joint.name}", after, joint.source)
    yield from spelt.values()
    for each in native:
        field = each.path[2] if len(each.path) > 2 and each.path[:2] in spelt else ""
        if field != "name" and (field not in ("parent", "pose", "dofs") or each.path in others):
            yield each


def misplaced_chains(fitted: Scene, folded: Scene, folds: Mapping[str, Sequence[str]]) -> Iterator[Difference]:
    """Chains that, read as one joint again (folded), put the child elsewhere than the joint that was written (fitted)
    does at the same coordinates: at 0, and with each axis moved by a different amount."""
    rests = [configuration(each) for each in (fitted, folded)] if folds else []
    for body in folds:
        own, there = (each.joint_of(body) if body in each.bodies else None for each in (fitted, folded))
        if own is None or there is None or len(own.dofs) != len(there.dofs):
            continue
        path = ("joint", own.name, "chain")
        for step in (0.0, STEP):
            meant, found = (_child_pose(*each, step) for each in zip((own, there), rests, strict=True))
            far = NEAR * max(1.0, *map(abs, meant.pos))
            if math.dist(meant.pos, found.pos) > far or rotation_gap(meant.rot, found.rot) > NEAR:
                yield Difference(path, "beside.chain", "different", meant, found, own.source)
                break


def _child_pose(joint: Joint, rest: Mapping[str, tuple[float, ...]], step: float) -> Pose:
    """The pose of the child when the scalar coordinates of a joint are step, twice step, three times step, and the
    others at rest."""
    steps = (((number * step,), dof) for number, dof in enumerate(joint.dofs, 1))
    return placement(joint, {dof.name: rest[dof.name] if dof.kind in COORDINATES else value for value, dof in steps})


def _of_slide(path: tuple[str, ...], scene: Scene) -> bool:
    """Whether an address is the anchor of a slide, on which its motion does not depend."""
    if path[0] != "joint" or path[2:3] != ("dofs",) or path[4:] != ("anchor",):
        return False
    return scene.joints[path[1]].dofs[int(path[3])].kind is DofKind.SLIDE


def _decides_motion(field: tuple[str, ...]) -> bool:
    """Whether a field of a joint decides its motion."""
    if field[:1] == ("dofs",):
        return len(field) < 3 or field[2] in ("kind", "axis", "anchor", "zero", "pitch")
    return field[:1] in (("parent",), ("pose",))
