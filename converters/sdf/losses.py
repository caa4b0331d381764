"""Reasons why a difference may remain if the target is SDF: only reasons, in losses.txt; differences are computed."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Loss, renamed
from converters.report.rows import conditions, rows


def _for_loop_joints(loss: Loss) -> Loss:
    """Extend a row about the dofs and the frame of a joint to those of a joint that closes a loop."""
    joints = [each for each in loss.patterns() if each.startswith(("joint.dofs", "joint.mount"))]
    more = [each.replace("joint", "loop", 1) for each in joints]
    return replace(loss, fields=", ".join((*loss.patterns(), *more)))


LOSSES = (renamed("sdf"), *map(_for_loop_joints, rows(*conditions("sdf"))))


def losses() -> tuple[Loss, ...]:
    return LOSSES
