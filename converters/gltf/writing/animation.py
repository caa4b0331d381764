"""Clips as animations: a channel for each node that moves, all on the times of their clip (3.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from pygltflib import Animation, AnimationChannel, AnimationChannelTarget, AnimationSampler

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from converters.gltf.data.binary import Binary
    from converters.gltf.scene.layout import Moving, Values
    from converters.posing import Clip
    from ir.types import Pose

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
    samples: list[Values] = [
        {name: tuple(map(float, rows[index])) for name, rows in clip.positions.items()}
        for index in np.flatnonzero(kept)
    ]
    for step in steps:
        poses = [step.pose(values) for values in (still, *samples)]
        places = np.array([pose.pos for pose in poses])
        for path, whole in (("translation", places), ("rotation", _turns(poses))):
            rest, track = whole[0], whole[1:]
            if np.abs(track - rest).max() > STILL:
                sampler = AnimationSampler(input=input_, output=binary.array(track.astype(np.float32)))
                target = AnimationChannelTarget(node=step.node, path=path)
                made.channels.append(AnimationChannel(sampler=len(made.samplers), target=target))
                made.samplers.append(sampler)
    return made


def _turns(poses: Sequence[Pose]) -> NDArray[Any]:
    """Quaternions x y z w, each on the side of the one before: q and -q are one turn, but two ways."""
    turns = np.array([(*pose.rot[1:], pose.rot[0]) for pose in poses])
    sides = np.sign(np.einsum("ij,ij->i", turns[1:], turns[:-1]))
    sides[sides == 0] = 1.0
    turns[1:] *= np.cumprod(sides)[:, None]
    unit: NDArray[Any] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return unit
