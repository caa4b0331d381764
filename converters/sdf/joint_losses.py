"""Why a difference of a joint may remain when the target is SDFormat: reasons alone, the differences are computed."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Loss
from converters.report.reasons import all_of, any_of, before, between, edited, of_dof, of_joint, rounded, several
from converters.sdf.document.values import INFINITE
from converters.sdf.joint_reasons import (
    as_drawn,
    exchanged,
    loose,
    moved_to_zero,
    nameless_joint,
    of_joint_named,
    recomputed,
    unbounded,
    unfollowable,
    unheld,
)
from converters.sdf.reasons import older_than
from converters.sdf.table_losses import CUSTOM
from converters.sdf.tables import FRAMES

JOINTS = (
    Loss(
        "joint.name",
        "sdf/name",
        "joints of SDFormat share their names with links and frames, and roots have none",
        when=nameless_joint,
    ),
    Loss(
        "joint.name, joint.dofs.name",
        "sdf/name",
        "SDFormat names joints, not their axes; a joint of one axis has the name of that axis",
        when=any_of(several, of_joint(lambda joint: any(dof.name != joint.name for dof in joint.dofs)), nameless_joint),
    ),
    Loss(
        "joint.dofs.lower, joint.dofs.upper",
        "sdf/limits",
        "a ball joint has no limits in SDFormat, nor has a link that nothing holds; a number from 1e15 on means none "
        "there, and no reader takes a lower limit above the upper one",
        when=any_of(of_dof(unbounded), before(lambda value: abs(value) >= INFINITE)),
    ),
    Loss(
        "joint.dofs.mimic.parameters absent", "sdf/mimic-solver", "how hard MuJoCo's solver holds two joints together"
    ),
    Loss(
        "joint.dofs.mimic.dof",
        "sdf/name",
        "SDFormat names joints, not their axes; a joint of one axis has the name of that axis",
        "note",
        when=of_joint_named,
    ),
    Loss(
        "joint.dofs.mimic*",
        "sdf/mimic",
        "a joint follows another one that moves along an axis and does not follow in turn, of its own model or of one "
        "inside it, and does so since SDF 1.11 (see --sdf-version)",
        when=unfollowable,
    ),
    Loss("joint.dofs.soft absent", "sdf/soft-limits", "SDFormat has no safety_controller"),
    Loss(
        "joint.dofs.stop*",
        "sdf/stop",
        "what brakes a joint in a bound grows with the depth in SDFormat (<dissipation>, as Simbody reads it), and a "
        "ball joint has no bounds",
    ),
    Loss("joint.dofs.calibration absent", "sdf/calibration", "SDFormat has no calibration switches"),
    Loss(
        "joint.dofs.acceleration absent, joint.dofs.deceleration absent",
        "sdf/acceleration-limit",
        "SDFormat has no limit of joint acceleration",
    ),
    Loss("joint.dofs.jerk absent", "sdf/acceleration-limit", "SDFormat has no limit of joint jerk"),
    Loss("joint.dofs.armature absent", "sdf/armature", "SDFormat has no armature; Drake has, of joints of one axis"),
    Loss(
        "joint.dofs.effort, joint.dofs.velocity",
        "sdf/effort",
        "a ball joint has no such limit in SDFormat, nor has a link that nothing holds; a number from 1e15 on or below "
        "0 means none there",
        when=any_of(of_dof(loose), before(lambda value: not 0.0 <= value < INFINITE)),
    ),
    Loss("joint.dofs.parameters absent", "sdf/joint-parameters", CUSTOM),
    Loss(
        "joint.dofs.damping, joint.dofs.friction, joint.dofs.stiffness, joint.dofs.spring_reference",
        "sdf/joint-dynamics",
        "of the dynamics of a ball joint SDFormat's readers know its damping alone, and a link that nothing holds has "
        "none",
        when=of_dof(loose),
    ),
    Loss(
        "joint.dofs.zero, joint.dofs.anchor, joint.pose*, loop.pose*",
        "sdf/joint-zero",
        "a link of SDFormat stands where its joint is at zero, and in a chain of joints that makes the motions of one "
        "it stands in the link before it",
        when=moved_to_zero,
    ),
    Loss(
        "loop.pose*",
        "sdf/loop-open",
        "a joint that closes a loop is closed as the model is drawn: SDFormat does not say that its links have to be "
        "moved for it",
        when=as_drawn,
    ),
    Loss(
        "joint.pose*, loop.pose*",
        "sdf/frames",
        "SDFormat says where a link stands in its model: where that is in another link is computed, and rounded",
        "note",
        when=recomputed,
    ),
    Loss(
        "joint.dofs.axis",
        "sdf/frames",
        "before 1.7 an axis is said in the frame of its joint or of its model (see --sdf-version), and rounded",
        "note",
        when=all_of(older_than(FRAMES), rounded),
    ),
    Loss(
        "joint.dofs.pitch",
        "sdf/screw-pitch",
        "a pitch per turn is not always one per radian to the last bit",
        "note",
        when=rounded,
    ),
    Loss(
        "joint.dofs, joint.dofs.name, joint.dofs.kind, joint.dofs.axis*, joint.dofs.pitch*",
        "sdf/joint-chain",
        "SDFormat has no such joint: a chain of joints makes the same motions",
        when=any_of(several, of_dof(loose)),
    ),
    Loss("joint.mount.pos", "sdf/joint-frame", "the frame of a joint that turns stands where it turns", "note"),
    Loss(
        "joint.mount",
        "sdf/joint-chain",
        "the joints of a chain have frames of their own, in place of that of the one, and what nothing holds has none",
        "note",
        when=any_of(several, of_dof(loose), unheld),
    ),
    Loss(
        "joint.parent",
        "sdf/joint-chain",
        "the last joint of a chain that makes the same motions",
        when=any_of(several, of_dof(loose)),
    ),
    Loss(
        "joint extra, loop extra",
        "sdf/joint-chain",
        "one of a chain of joints that makes the motions of one, or what holds the model of what stands in the world",
        "note",
        when=between,
    ),
    Loss(
        "joint.dofs*, joint.mount*, joint.name, joint.parent, joint.pose*, loop absent, loop extra",
        "sdf/loop",
        "two joints hold one link, or joints make a ring: SDFormat does not say which of them closes a loop, and "
        "another is taken to",
        "note",
        when=exchanged,
    ),
    Loss("loop*", "sdf/loop", CUSTOM, when=edited),
    Loss(
        "constraint absent",
        "sdf/constraint",
        "SDFormat has no equations. A joint stands for an active connect or weld that holds as the model is drawn, "
        "between two links that hang on joints (no mocap); from 1.11 on (see --sdf-version) a mimic stands for a "
        "linear coupling of two joints. This is neither, or not in this version",
    ),
)


def _of_loops(loss: Loss) -> Loss:
    """What a row says of the dofs and the frame of a joint holds of those of a joint that closes a loop."""
    more = [
        each.replace("joint", "loop", 1) for each in loss.patterns() if each.startswith(("joint.dofs", "joint.mount"))
    ]
    return replace(loss, fields=", ".join((*loss.patterns(), *more)))


OF_JOINTS = tuple(map(_of_loops, JOINTS))
