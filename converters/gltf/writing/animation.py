"""Clips as animations: a channel for each moving node, with the times of its clip, or those when it moves (3.11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pygltflib import Animation, AnimationChannel, AnimationChannelTarget, AnimationSampler

from converters.context import Motion
from converters.gltf.data.binary import Binary
from converters.gltf.ours.motions import STILL as TOLD
from converters.gltf.scene.layout import Moving, Values
from converters.posing.clips import Clip
from converters.posing.sampling import divided, slerp
from ir.arrays import Array, np
from ir.scene import Scene
from ir.types import Pose

NEAR = 1e-4
"""Tolerance (m, rad) for the deviation of a node from its joint pose between two samples."""
COARSE, FINE = 4, 2
"""Number of intervals between two samples at which deviations are checked: at first, and after samples were added."""
SEEN = 2 * TOLD
"""Threshold (m, rad, quaternion components) above which a motion is unmistakable."""
STILL = 1e-12
"""Threshold (m, quaternion components) below which nothing moves."""


def animation(clip: Clip, steps: Sequence[Moving], still: Values, binary: Binary) -> Animation:
    """Return the animation of a clip; still is the configuration that the nodes show without it.

    LINEAR rotations take the shorter way, so the samples of a clip must be close enough together.
    """
    times = np.asarray(clip.times, dtype=np.float32)
    kept = np.concatenate([[True], np.diff(times) > 0])  # times equal in single precision are merged
    times = times[kept]
    tracks: list[tuple[AnimationChannelTarget, Array]] = []
    for step, poses, rows in _pose_rows(steps, still, clip.positions, np.flatnonzero(kept)):
        places = np.array([pose.pos for pose in poses])
        for path, whole in (("translation", places), ("rotation", _continuous_turns(poses))):
            rest, track = whole[0], whole[1:]
            if np.abs(track - rest).max() > STILL:
                target = AnimationChannelTarget(node=step.node, path=path)
                tracks.append((target, track.astype(np.float32)[rows]))
    made = Animation(name=clip.name)
    for (target, track), keys in zip(tracks, _samples_kept([track for _, track in tracks], len(times)), strict=True):
        sampler = AnimationSampler(input=binary.array(times[keys], bounds=True), output=binary.array(track[keys]))
        made.channels.append(AnimationChannel(sampler=len(made.samplers), target=target))
        made.samplers.append(sampler)
    return made


def _pose_rows(
    steps: Sequence[Moving], still: Values, tracks: Mapping[str, Array], rows: Array
) -> Iterator[tuple[Moving, list[Pose], Array]]:
    """Yield each step with its poses, the static one first, and by row (n,) the index of its pose among the others."""
    worldly = [step for step in steps if step.dofs is None]
    shots = (still, *_values_of_samples(tracks, rows)) if worldly else ()
    columns = zip(*[[step.pose(values) for step in worldly] for values in shots], strict=True)
    for step in steps:
        if step.dofs is None:
            yield step, list(next(columns)), np.arange(len(rows))
            continue
        own = {name: tracks[name][rows] for name in step.dofs}
        new = np.ones(len(rows), dtype=bool)
        new[1:] = np.any([(track[1:] != track[:-1]).any(axis=1) for track in own.values()], axis=0)
        values = (still, *_values_of_samples(own, np.flatnonzero(new)))
        yield step, [step.pose(each) for each in values], np.cumsum(new) - 1


def _samples_kept(tracks: Sequence[Array], count: int) -> list[Array]:
    """Return the samples that each channel is written with, (count,) of bool: all, or, if it mostly rests, those
    between which it moves. Each sample is in at least one channel, so that a clip keeps all of its times."""
    found = []
    for track in tracks:
        moved = (track[1:] != track[:-1]).any(axis=1)
        ends = np.ones(count, dtype=bool)
        ends[1:-1] = moved[1:] | moved[:-1]
        found.append(ends if 2 * np.count_nonzero(ends) < count else np.ones(count, dtype=bool))
    if found:
        found[0] |= ~np.any(found, axis=0)
    return found


def moving_tracks(clip: Clip, still: Values) -> Motion:
    """Return the motion of a clip relative to the shown configuration, separated by whether a reader can detect it."""
    by = {name: _distance_from_rest(track, np.array(still[name])) for name, track in clip.positions.items()}
    told, slight = ({name: clip.positions[name] for name in by if (by[name] > SEEN) is far} for far in (True, False))
    return Motion(clip.name, clip.times, told, slight)


def _distance_from_rest(track: Array, rest: Array) -> float:
    """Return the maximum distance of a track (n, k) from a coordinate (k,); for ball and free dofs, q equals -q."""
    signs = np.ones((2, len(rest)))
    signs[1, len(rest) - 4 if len(rest) > 1 else 1 :] = -1.0
    return float(np.abs(track[:, None] - signs * rest).max(axis=2).min(axis=1).max())


def with_straight_ways(clip: Clip, steps: Sequence[Moving], scene: Scene) -> Clip:
    """Return the clip with samples added so that nodes, which move linearly between samples (3.11, LINEAR), stay within
    NEAR of their joint poses. The deviation of a body from its arc grows with the square of the time. Raises InputError
    if too many samples would be needed."""
    dofs = {name: dof for name, (_, dof) in scene.dofs().items()}
    times, tracks, inner = clip.times, dict(clip.positions), COARSE
    while steps and len(times) > 1:
        off = _distances_off_the_way(*divided(times, tracks, np.full(len(times) - 1, float(inner)), dofs), steps, inner)
        pieces = np.maximum(np.ceil(np.sqrt(off / (NEAR / 2))), 1.0)
        pieces[off <= NEAR] = 1.0
        if bool((pieces == 1.0).all()):
            break
        (times, tracks), inner = divided(times, tracks, pieces, dofs), FINE
    return Clip(name=clip.name, times=times, positions=tracks)


def _distances_off_the_way(times: Array, tracks: Mapping[str, Array], steps: Sequence[Moving], inner: int) -> Array:
    """Return the deviation of linear motion between every inner-th sample from the samples in between (n - 1,): the
    maximum of metres and radians."""
    rows = [[step.pose(values) for step in steps] for values in _values_of_samples(tracks, range(len(times)))]
    places = np.array([[pose.pos for pose in row] for row in rows])
    turns = np.array([_continuous_turns(column) for column in zip(*rows, strict=True)]).swapaxes(0, 1)
    found = np.zeros((len(times) - 1) // inner)
    for number in range(1, inner):
        part = number / inner
        straight = (1 - part) * places[:-1:inner] + part * places[inner::inner]
        away = np.linalg.norm(straight - places[number::inner], axis=2)
        between = slerp(turns[:-1:inner], turns[inner::inner], part)
        same = np.abs(np.einsum("ijk,ijk->ij", between, turns[number::inner]))
        angles = 2.0 * np.arccos(np.clip(same, 0.0, 1.0))
        found = np.maximum(found, np.maximum(away, angles).max(axis=1))
    return found


def _values_of_samples(tracks: Mapping[str, Array], rows: Iterable[int]) -> list[Values]:
    return [{name: tuple(map(float, track[row])) for name, track in tracks.items()} for row in rows]


def _continuous_turns(poses: Sequence[Pose]) -> Array:
    """Return quaternions x y z w, each on the side of the one before: q and -q interpolate differently."""
    turns = np.array([(*pose.rot[1:], pose.rot[0]) for pose in poses])
    sides = np.sign(np.einsum("ij,ij->i", turns[1:], turns[:-1]))
    sides[sides == 0] = 1.0
    turns[1:] *= np.cumprod(sides)[:, None]
    unit: Array = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return unit
