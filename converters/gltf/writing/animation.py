"""Clips as animations: a channel for each node that moves, all on the times of their clip (3.11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from pygltflib import Animation, AnimationChannel, AnimationChannelTarget, AnimationSampler

from converters.posing.clips import Clip
from converters.posing.sampling import divided

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from converters.gltf.data.binary import Binary
    from converters.gltf.scene.layout import Moving, Values
    from ir.scene import Scene
    from ir.types import Pose

NEAR = 1e-4
"""Metres, and radians, by which a node may stand elsewhere between two samples than its joints put it there."""
COARSE, FINE = 4, 2
"""Pieces of what lies between two samples, at whose ends it is looked where nodes stand: at first, and where samples
were put between."""
STILL = 1e-12
"""Metres, and components of a quaternion, below which nothing moves."""


def animation(clip: Clip, steps: Sequence[Moving], still: Values, binary: Binary) -> Animation:
    """The animation of a clip; still is the configuration that the nodes show without it.

    LINEAR turns go the shorter way: the samples of a clip lie close enough together.
    """
    times = np.asarray(clip.times, dtype=np.float32)
    kept = np.concatenate([[True], np.diff(times) > 0])  # times that single precision cannot tell apart are one
    made = Animation(name=clip.name)
    input_ = binary.array(times[kept], bounds=True)
    samples = _samples(clip.positions, np.flatnonzero(kept))
    posed = [[step.pose(values) for step in steps] for values in (still, *samples)]
    for step, *poses in zip(steps, *posed, strict=True):
        places = np.array([pose.pos for pose in poses])
        for path, whole in (("translation", places), ("rotation", _turns(poses))):
            rest, track = whole[0], whole[1:]
            if np.abs(track - rest).max() > STILL:
                sampler = AnimationSampler(input=input_, output=binary.array(track.astype(np.float32)))
                target = AnimationChannelTarget(node=step.node, path=path)
                made.channels.append(AnimationChannel(sampler=len(made.samplers), target=target))
                made.samplers.append(sampler)
    return made


def straightened(clip: Clip, steps: Sequence[Moving], scene: Scene) -> Clip:
    """The clip with so many samples more that nodes, which it moves on straight lines from one to the next (3.11,
    LINEAR), stand within NEAR of where the joints put them. What a body strays from its arc grows with the square of
    the time. Raises InputError for a clip that would need too many."""
    dofs = {name: dof for name, (_, dof) in scene.dofs().items()}
    times, tracks, inner = clip.times, dict(clip.positions), COARSE
    while steps and len(times) > 1:
        off = _strayed(*divided(times, tracks, np.full(len(times) - 1, float(inner)), dofs), steps, inner)
        pieces = np.maximum(np.ceil(np.sqrt(off / (NEAR / 2))), 1.0)
        pieces[off <= NEAR] = 1.0
        if bool((pieces == 1.0).all()):
            break
        (times, tracks), inner = divided(times, tracks, pieces, dofs), FINE
    return Clip(name=clip.name, times=times, positions=tracks)


def _strayed(
    times: NDArray[Any], tracks: Mapping[str, NDArray[Any]], steps: Sequence[Moving], inner: int
) -> NDArray[Any]:
    """By how much nodes that go straight from each inner-th sample to the next miss those between (n - 1,): metres, or
    radians, whatever is more."""
    rows = [[step.pose(values) for step in steps] for values in _samples(tracks, range(len(times)))]
    places = np.array([[pose.pos for pose in row] for row in rows])
    turns = np.array([_turns(column) for column in zip(*rows, strict=True)]).swapaxes(0, 1)
    found = np.zeros((len(times) - 1) // inner)
    for number in range(1, inner):
        part = number / inner
        straight = (1 - part) * places[:-1:inner] + part * places[inner::inner]
        away = np.linalg.norm(straight - places[number::inner], axis=2)
        between = _slerp(turns[:-1:inner], turns[inner::inner], part)
        same = np.abs(np.einsum("ijk,ijk->ij", between, turns[number::inner]))
        angles = 2.0 * np.arccos(np.clip(same, 0.0, 1.0))
        found = np.maximum(found, np.maximum(away, angles).max(axis=1))
    return found


def _slerp(one: NDArray[Any], other: NDArray[Any], part: float) -> NDArray[Any]:
    """The rotations between two that are on the same side, along the great circle."""
    cosine = np.clip(np.einsum("ijk,ijk->ij", one, other), -1.0, 1.0)[..., None]
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    close = sine < 1e-9
    safe = np.where(close, 1.0, sine)
    mixed = (np.sin((1 - part) * angle) * one + np.sin(part * angle) * other) / safe
    found: NDArray[Any] = np.where(close, one, mixed)
    return found


def _samples(tracks: Mapping[str, NDArray[Any]], rows: Iterable[int]) -> list[Values]:
    return [{name: tuple(map(float, track[row])) for name, track in tracks.items()} for row in rows]


def _turns(poses: Sequence[Pose]) -> NDArray[Any]:
    """Quaternions x y z w, each on the side of the one before: q and -q are one turn, but two ways."""
    turns = np.array([(*pose.rot[1:], pose.rot[0]) for pose in poses])
    sides = np.sign(np.einsum("ij,ij->i", turns[1:], turns[:-1]))
    sides[sides == 0] = 1.0
    turns[1:] *= np.cumprod(sides)[:, None]
    unit: NDArray[Any] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return unit
