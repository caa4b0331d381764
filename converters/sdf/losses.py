"""Why a difference may remain where the target is SDF: reasons alone, in losses.txt; the differences are computed."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Loss, renamed
from converters.report.rows import rows
from converters.sdf import joint_reasons, reasons, sensor_reasons, version_reasons


def _for_loop_joints(loss: Loss) -> Loss:
    """What a row says of the dofs and the frame of a joint holds of those of a joint that closes a loop."""
    joints = [each for each in loss.patterns() if each.startswith(("joint.dofs", "joint.mount"))]
    more = [each.replace("joint", "loop", 1) for each in joints]
    return replace(loss, fields=", ".join((*loss.patterns(), *more)))


LOSSES = (renamed("sdf"), *map(_for_loop_joints, rows(reasons, joint_reasons, sensor_reasons, version_reasons)))


def losses() -> tuple[Loss, ...]:
    return LOSSES
