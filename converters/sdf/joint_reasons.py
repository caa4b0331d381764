"""Conditions on values, used by the rows about joints of SDFormat (converters.format.Loss.when)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Mapping
from typing import Any

from converters.facts import Facts
from converters.passes.compound import whole
from converters.report.reasons import CLOSE, before, joint_of, loose, of_dof, of_joint as of_some_joint
from converters.sdf.document.values import INFINITE
from converters.sdf.models.joints import HARD, axis_called, type_of, with_sdf_joints
from converters.sdf.tables import MIMICS, VERSION
from converters.sdf.writing.versions import written_version
from ir.diff import Difference
from ir.kinematics import circles, motion, poses_as_drawn, rings
from ir.pose import anchor_of, compose, invert, joint_frame, rotation_gap, same_place, same_rotation, subtract
from ir.scopes import of_joint, paths, within
from ir.types import IDENTITY, SCALAR, WORLD, Dof, DofKind, Joint, Mimic, Pose, Stop


def unbounded(dof: Dof) -> bool:
    """Whether no reader accepts the limits of the dof."""
    return loose(dof) or dof.crossed


def chained(difference: Difference, facts: Facts) -> bool:
    """Whether a joint is none or a chain of joints in SDFormat, also in the form that the passes made of it."""
    name, native = difference.path[1], VERSION in facts.fitted.notation
    joints = (joint_of(difference, facts), facts.fitted.joints.get(name))
    return any(
        joint is None or not whole(joint, lambda dofs: type_of(dofs, native) is not None, True) for joint in joints
    )


def stop_damping_or_default(difference: Difference, _: Facts) -> bool:
    """Whether it is the damping of a stop, which SDFormat lacks, or a stop with default stiffness and dissipation."""
    stop = difference.before
    if isinstance(stop, Stop):
        return (stop.stiffness, stop.dissipation) == (HARD.stiffness, HARD.dissipation)
    return difference.path[-1] == "damping"


def moves_freely(difference: Difference, facts: Facts) -> bool:
    """Whether a free joint of the source is one in the output, too."""
    joint = joint_of(difference, facts)
    written = facts.fitted.joint_of(joint.child) if joint is not None else None
    return joint is not None and joint.free and written is not None and written.free


def absent_split_or_name_taken(difference: Difference, facts: Facts) -> bool:
    """Whether SDFormat has no joint for a joint, or has several, or its name is that of a link or a frame."""
    joint, scene = joint_of(difference, facts), facts.fitted
    if joint is None:
        return True
    written = scene.joint_of(joint.child)
    if written is None or written.name != joint.name or len(joint.dofs) > 1:
        return True
    if any(map(loose, (*joint.dofs, *written.dofs))):
        return True
    if scene.body(joint.child).kinematic:  # a kinematic body is held by no joint
        return True
    return joint.name in scene.bodies or joint.name in scene.frames()


def written_without_joint(difference: Difference, facts: Facts) -> bool:
    """Whether the link is written without a joint (--base)."""
    joint = joint_of(difference, facts)
    written = facts.fitted.joint_of(joint.child) if joint is not None else None
    return written is None or any(map(loose, written.dofs))


def axis_named_after_joint(difference: Difference, facts: Facts) -> bool:
    """Whether the output names the followed axis after its joint."""
    leader, dof = facts.dofs.get(str(difference.before), (None, None))
    return leader is not None and axis_called(leader.name, leader.dofs.index(dof)) == difference.after


def mimic_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether a joint of SDFormat, or of the version to be written, cannot follow this leader."""
    joint, mimic = joint_of(difference, facts), difference.before
    if not isinstance(mimic, Mimic):
        return False
    leader = facts.dofs.get(mimic.dof)
    if joint is None or leader is None or written_version(facts.options.sdf_version, facts.fitted) < MIMICS:
        return True
    kinds = {dof.kind for dof in (*joint.dofs, leader[1])}
    scopes = facts.once(_scope_names)
    theirs, ours = (of_joint(each, facts.scene, scopes) for each in (leader[0], joint))
    circle = any(dof.name in facts.once(_followers_in_circles) for dof in joint.dofs)
    return circle or leader[0] is joint or not within(theirs, ours) or not kinds <= {*SCALAR, DofKind.SCREW}


def _scope_names(facts: Facts) -> Container[str]:
    return paths(facts.scene)


def _followers_in_circles(facts: Facts) -> Container[str]:
    return {name for circle in circles(facts.scene) for name in circle}


def chained_or_moved_to_zero(difference: Difference, facts: Facts) -> bool:
    """Whether a joint is several in SDFormat, or the difference is that of its pose at position 0."""
    joint, (*_, field) = joint_of(difference, facts), difference.path
    if joint is None or (not joint.free and chained(difference, facts)):
        return True
    if field == "anchor":
        return math.dist(difference.before, difference.after) < CLOSE
    if joint.free:
        return joint.parent != WORLD
    if all(dof.zero == 0.0 for dof in joint.dofs):
        return False
    if len(joint.dofs) > 1:
        return True
    if field == "zero":
        return bool(difference.after == 0.0)
    pose = compose(joint.pose, motion(joint.dofs[0], 0.0))
    if field == "pos":
        return same_place(difference.after, pose.pos)
    return same_rotation(difference.after, pose.rot)


def frame_at_anchor(difference: Difference, facts: Facts) -> bool:
    """Whether the output has the frame of a joint at its anchor."""
    joint = facts.fitted.joints.get(difference.path[1])
    if joint is None:
        return True
    beside = subtract(joint_frame(joint).pos, anchor_of(joint.dofs))
    if difference.after is None:  # the whole mount, which is not turned
        return beside == IDENTITY.pos and same_rotation(difference.before.rot, IDENTITY.rot)
    return same_place(difference.after, beside)


def pose_of_joints_at_zero(difference: Difference, facts: Facts) -> bool:
    """Whether a loop joint is written for the poses of its links with all tree joints at 0, unlike in the source."""
    joint, poses = facts.fitted.joints.get(difference.path[1]), facts.once(_poses_at_zero)
    if joint is None:
        return False
    between, field = compose(invert(poses[joint.parent]), poses[joint.child]), difference.path[-1]
    return _is_near(field, getattr(between, field), difference.after)


def _poses_at_zero(facts: Facts) -> Mapping[str, Pose]:
    """The poses of bodies as they are written."""
    return poses_as_drawn(with_sdf_joints(facts.fitted, oblique=True))


def same_after_frame_change(difference: Difference, _: Facts) -> bool:
    """Whether a position or rotation is that of the source up to rounding in frame changes, also far from the
    origin."""
    return _is_near(difference.path[-1], difference.before, difference.after)


def _is_near(field: str, ours: Any, theirs: Any) -> bool:
    if field == "pos":
        return math.dist(ours, theirs) < CLOSE
    return field == "rot" and rotation_gap(ours, theirs) < CLOSE


def other_joint_taken_as_parent(difference: Difference, facts: Facts) -> bool:
    """Whether another joint than in the source may be read as the parent joint of a body; where the parent joint itself
    is compared, whether it is."""
    made, (kind, name, *inner) = difference.after, difference.path
    own = made if isinstance(made, Joint) else facts.fitted.joints.get(name)
    if own is None and name in facts.scene.joints:  # a pass has named it after the model that it is put into
        own = facts.fitted.joint_of(facts.scene.joints[name].child)
    if own is None or own.child not in facts.once(_bodies_of_several_joints):
        return False
    found = facts.gained.get(("joint", name, "name"))
    if kind == "loop":  # a joint that both have is the same one
        return not inner
    return found is not None and found not in {dof.name for dof in own.dofs}


def _bodies_of_several_joints(facts: Facts) -> Container[str]:
    """Bodies with several parent joints, and those of detached rings, where each body is the parent of the next."""
    joints = facts.fitted.joints.values()
    several = {child for child, count in Counter(joint.child for joint in joints).items() if count > 1}
    return several.union(*rings({joint.child: joint.parent for joint in joints if not joint.free}))


limits_not_accepted = of_dof(unbounded)
axis_has_another_name = of_some_joint(lambda joint: any(dof.name != joint.name for dof in joint.dofs))
"""Whether a dof of the joint has a name other than that of the joint."""
infinite = before(lambda value: abs(value) >= INFINITE)
limit_invalid_or_infinite = before(lambda value: not 0.0 <= value < INFINITE)
"""Whether the limit of effort or velocity is invalid or infinite."""
