"""Keyframes as clips that stand still: what a viewer offers by name."""

from __future__ import annotations

from converters.context import Context, InputError
from converters.posing.clips import Clip
from converters.posing.coordinates import DofNames, start, turned
from converters.posing.states import keyframes
from ir.arrays import np
from ir.kinematics import configuration, size
from ir.scene import Scene

PREFIX = "pose:"
SECONDS = 1.0
"""For how long a pose is held: a clip needs two times."""


def named_poses(scene: Scene, context: Context) -> tuple[Clip, ...]:
    """A clip `pose:NAME` for each state of the scene (keyframes); one that no configuration fits has none."""
    found = []
    names = DofNames(scene)
    for keyframe in keyframes(scene):
        given = dict(keyframe.positions)
        chosen = {}
        try:
            for name, (joint, dof) in names.dofs.items():
                if name in given and len(given[name]) == size(dof):
                    chosen[name] = turned(dof, given[name])
                elif dof.mimic is None:
                    chosen[name] = start(joint, dof)
            values = configuration(scene, chosen)
        except (InputError, ValueError) as error:
            where = f"keyframe/{keyframe.name}"
            context.note("posing/keyframe", where, f"it cannot be shown: {error}", action="dropped")
            continue
        tracks = {name: np.array([value, value]) for name, value in values.items()}
        found.append(Clip(PREFIX + keyframe.name, np.array([0.0, SECONDS]), tracks))
    return tuple(found)
