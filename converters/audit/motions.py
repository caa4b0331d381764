"""Motions that a document was to play and that are not found in it, or differ. The graph does not hold motions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from converters.context import Motion
from converters.posing.clips import moves_bodies
from converters.posing.keyframe import PREFIX
from ir.arrays import Ints, np
from ir.diff import Difference
from ir.kinematics import COORDINATES
from ir.names import so_many
from ir.scene import Scene
from ir.tracks import placements
from ir.types import DofKind, Joint

NEAR = 1e-4
"""Radians, metres, and components of quaternions: far above the rounding of single precision, far below what is
visible."""
ROUNDING = 2.0**-21
"""Of lengths in single precision (2^-24), with room for sums of several."""


def missing_motions(asked: Iterable[Motion], found: Iterable[Motion], scene: Scene) -> list[Difference]:
    """The differences of the motions in a document (found) from those that were asked for. Samples are matched by their
    times, rounded to single precision, and compared dof by dof, except for dofs that follow others."""
    known = {each.name: each for each in found}
    dofs = {name: each for name, each in scene.dofs().items() if each[1].mimic is None}
    kinds = {name: dof.kind for name, (_, dof) in dofs.items()}
    loops = {name: joint.closes_loop for name, (joint, _) in dofs.items()}
    made: list[Difference] = []
    for each in asked:
        there = known.get(each.name)
        if there is None or not each.tracks:
            said = f"{so_many(len(each.times), 'samples')}, {float(each.times[-1]):.6g} s"
            field = "motion" if moves_bodies(each.tracks, scene) else "motion.still"
            made.append(Difference(("motion", each.name), field, "absent", said, None, None))
            continue
        if not there.tracks:
            if not each.name.startswith(PREFIX):
                made.append(Difference(("motion", each.name), "motion.unread", "absent", len(each.times), None, None))
            continue
        near = NEAR + ROUNDING * _reach(each, kinds, scene.joints.values())
        rows = np.searchsorted(each.times.astype(np.float32), there.times)
        for name in (name for name in each.tracks if name in kinds):
            path, track = ("motion", each.name, name), there.tracks.get(name)
            if track is None or len(rows) == 0 or rows[-1] >= len(each.times):
                field = "motion.loop" if loops[name] else "motion.tracks"
                made.append(Difference(path, field, "absent", name, None, None))
                continue
            wanted = each.tracks[name][rows]
            away = _away(wanted, track, kinds[name], near)
            worst, far = int(away.argmax()), np.flatnonzero(away > 1.0)
            if len(far) > 0 and not _moves_alike(dofs[name][0], each, there, rows, far, near):
                then, now = (tuple(each[worst].tolist()) for each in (wanted, track))
                made.append(Difference(path, "motion.tracks", "different", then, now, None))
    return made


def _reach(asked: Motion, kinds: Mapping[str, DofKind], joints: Iterable[Joint]) -> float:
    """The largest length in a motion and in the poses of joints, in metres: the farther, the coarser is single
    precision."""
    moving = (DofKind.SLIDE, DofKind.FREE)
    lengths = [track[:, :3] for name, track in asked.tracks.items() if kinds.get(name) in moving]
    poses = [abs(each) for joint in joints for each in joint.pose.pos]
    return max((float(np.abs(each).max(initial=0.0)) for each in lengths), default=0.0) + max(poses, default=0.0)


def _moves_alike(joint: Joint, asked: Motion, found: Motion, rows: Ints, samples: Ints, near: float) -> bool:
    """Whether a joint of several dofs has the same pose at samples at which its coordinates differ. rows: index of the
    sample in asked, for each sample of found. near: the tolerance of lengths."""
    if len(joint.dofs) < 2 or any(dof.name not in found.tracks for dof in joint.dofs):
        return False
    there = {dof.name: found.tracks[dof.name][samples] for dof in joint.dofs}
    given = {name: track[rows[samples]] for name, track in asked.tracks.items() if name in there}
    one, other = (placements(joint.pose, joint.dofs, values) for values in (there, there | given))
    apart = sum((a - b) ** 2 for a, b in zip(one.pos, other.pos, strict=True))
    turned = abs(abs(sum(a * b for a, b in zip(one.rot, other.rot, strict=True))) - 1.0)
    return bool(np.all((np.sqrt(apart) <= near) & (turned <= NEAR**2)))


def _away(wanted: Any, found: Any, kind: DofKind, near: float) -> Any:
    """The distance (n,) between two tracks (n, k) at each sample, by its tolerance, which for lengths is near: of
    angles modulo a turn, of quaternions up to the sign."""
    if kind is DofKind.HINGE:
        return np.abs((wanted - found + math.pi) % math.tau - math.pi).max(axis=1) / NEAR
    if kind in COORDINATES:
        turns = np.minimum(*(np.abs(wanted[:, -4:] - sign * found[:, -4:]).max(axis=1) for sign in (1, -1)))
        return np.maximum(turns / NEAR, np.abs(wanted[:, :-4] - found[:, :-4]).max(axis=1, initial=0.0) / near)
    return np.abs(wanted - found).max(axis=1) / near
