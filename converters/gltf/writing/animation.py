"""Clips as animations: a channel for each moving node, with the times of its clip, or those when it moves (3.11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pygltflib import Animation, AnimationChannel, AnimationChannelTarget, AnimationSampler

from converters.context import Motion
from converters.gltf.data.binary import Binary
from converters.gltf.ours.motions import STILL as TOLD
from converters.gltf.scene.layout import Moving, Values
from converters.gltf.writing.tracks import Track, tracks_of
from converters.posing.clips import Clip
from converters.posing.sampling import divided, slerp
from ir.arrays import Array, Ints, np
from ir.scene import Scene

NEAR = 1e-4
"""Tolerance (m, rad) for the deviation of a node from its joint pose between two samples."""
COARSE, FINE = 4, 2
"""Number of intervals between two samples at which deviations are checked: at first, and after samples were added."""
SEEN = 2 * TOLD
"""Threshold (m, rad, quaternion components) above which a motion is unmistakable."""
STILL = 1e-12
"""Threshold (m, quaternion components) below which nothing moves."""


def animations(
    clips: Sequence[Clip], steps: Sequence[Moving], scene: Scene, still: Values, binary: Binary
) -> list[Animation]:
    """Return the animations of some clips; still is the configuration that the nodes show without them.

    LINEAR rotations take the shorter way, so the samples of a clip must be close enough together.
    """
    times = [np.asarray(clip.times, dtype=np.float32) for clip in clips]
    kept = [np.concatenate([[True], np.diff(each) > 0]) for each in times]  # equal in single precision: merged
    times = [each[new] for each, new in zip(times, kept, strict=True)]
    samples = {
        name: np.concatenate(
            [rows for c, new in zip(clips, kept, strict=True) for rows in (rest, c.positions[name][new])]
        )
        for name, rest in ((name, [still[name]]) for name in (clips[0].positions if clips else ()))
    }
    tracks: list[list[tuple[AnimationChannelTarget, Array]]] = [[] for _ in clips]
    ends = np.cumsum([0, *(len(each) + 1 for each in times)])
    for step, poses in tracks_of(steps, scene, samples):
        for own, first, last in zip(tracks, ends[:-1], ends[1:], strict=True):
            own += _channels(step, poses, poses.at[first:last])
    return [_animation(*each, binary) for each in zip(clips, times, tracks, strict=True)]


def _channels(step: Moving, poses: Track, at: Ints) -> Iterator[tuple[AnimationChannelTarget, Array]]:
    """Yield the paths by which a node moves in a clip, with the values (n, k) at its times; at: indices of its poses
    at rest and at these times (n + 1,), which increase."""
    for path, track in (("translation", poses.places), ("rotation", poses.turns)):
        rows = track[at[0] : at[-1] + 1]
        if np.abs(rows - rows[0]).max() > STILL:
            side = np.float32(
                -1.0 if path == "rotation" and rows[0] @ track[0] < 0 else 1.0
            )  # that of the node at rest
            yield AnimationChannelTarget(node=step.node, path=path), side * rows.astype(np.float32)[at[1:] - at[0]]


def _animation(
    clip: Clip, times: Array, tracks: Sequence[tuple[AnimationChannelTarget, Array]], binary: Binary
) -> Animation:
    made = Animation(name=clip.name)
    for (target, track), keys in zip(tracks, _samples_kept([track for _, track in tracks], len(times)), strict=True):
        sampler = AnimationSampler(input=binary.array(times[keys], bounds=True), output=binary.array(track[keys]))
        made.channels.append(AnimationChannel(sampler=len(made.samplers), target=target))
        made.samplers.append(sampler)
    return made


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
    while steps and tracks and len(times) > 1:
        _, closer = divided(times, tracks, np.full(len(times) - 1, float(inner)), dofs)
        off = _distances_off_the_way(closer, steps, scene, inner)
        pieces = np.maximum(np.ceil(np.sqrt(off / (NEAR / 2))), 1.0)
        pieces[off <= NEAR] = 1.0
        if bool((pieces == 1.0).all()):
            break
        (times, tracks), inner = divided(times, tracks, pieces, dofs), FINE
    return Clip(name=clip.name, times=times, positions=tracks)


def _distances_off_the_way(tracks: Mapping[str, Array], steps: Sequence[Moving], scene: Scene, inner: int) -> Array:
    """Return the deviation of linear motion between every inner-th sample from the samples in between (n - 1,): the
    maximum of metres and radians."""
    found = np.zeros((len(next(iter(tracks.values()))) - 1) // inner)
    for _, track in tracks_of(steps, scene, tracks):
        places, turns = track.places[track.at], track.turns[track.at]
        for number in range(1, inner):
            part = number / inner
            straight = (1 - part) * places[:-1:inner] + part * places[inner::inner]
            away = np.linalg.norm(straight - places[number::inner], axis=1)
            between = slerp(turns[:-1:inner], turns[inner::inner], part)
            same = np.abs(np.einsum("ij,ij->i", between, turns[number::inner]))
            found = np.maximum(found, np.maximum(away, 2.0 * np.arccos(np.clip(same, 0.0, 1.0))))
    return found
