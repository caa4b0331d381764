"""A pose as a named state of the model, which the audit checks like any other; and named states as clips that stand
still, which a viewer offers by name."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import InputError, WriterContext
from converters.format import HoldingControl
from converters.passes.keys import with_controls
from converters.posing.clips import Clip, clips
from converters.posing.coordinates import DofNames, start_of, turned
from converters.posing.positions import AS_DRAWN, positions
from converters.posing.states import keyframe, keyframes
from converters.source.text import six_digits
from ir.arrays import np
from ir.kinematics import configuration, coordinate_size, rest
from ir.names import so_many, unique
from ir.scene import Scene
from ir.types import Keyframe

NAME = "pose"
"""The name of the requested pose, unless --pose-name gives another."""


def note_lost_motions(scene: Scene, context: WriterContext) -> None:
    """Note each motion (clips) as lost. Raises InputError as clips does."""
    for clip in clips(scene, context):
        context.note(
            "pose/motion",
            "document",
            "the target holds no motion",
            clip.source,
            before=f"{clip.name}: {so_many(len(clip.times), 'samples')}, {clip.times[-1]:.6g} s",
            action="dropped",
        )


def with_pose(scene: Scene, context: WriterContext, shown: bool, held: HoldingControl | None) -> Scene:
    """The scene with the pose of --pose as a keyframe, and a note; a motion is only noted as lost.

    shown: the target shows the pose and the motions; the keyframe is AS_DRAWN, by which a reader finds the pose again.
    held: the controls with which actuators hold a position (Fits.held). The same scene object if nothing was asked for.
    Raises InputError as positions and clips do.
    """
    if not shown:
        note_lost_motions(scene, context)
    if not context.options.posed:
        return scene
    dofs = scene.dofs()
    values = positions(scene, context)
    table = scene.tables["keyframe"]
    moved = {name: value for name, value in values.items() if value != rest(*dofs[name])}
    called = context.options.pose_name
    own = NAME if called is None or keyframe(called, scene) is not None else called
    name = AS_DRAWN if shown else unique(own, table)
    before = table.get(name)
    if shown and before is None and not moved:
        return scene
    tree = [dof for dof, (joint, _) in dofs.items() if not joint.closes_loop]
    key = replace(
        before or Keyframe(name=name),
        positions=tuple((dof, moved[dof]) for dof in tree if dof in moved),
        dofs=tuple(tree) if shown else (),
    )
    if key == before:
        return scene
    key = with_controls(scene, key, held)
    context.note(
        "pose/keyframe",
        f"keyframe/{key.name}",
        "what --pose asks for is a named state of the model; the joints themselves are as they were",
        next((dofs[name][0].source for name in moved), None),
        before=_positions_text(before) if before is not None else "",
        after=_positions_text(key),
        action="derived",
        severity="note",
    )
    return scene.evolve(tables={"keyframe": [*({**table, name: key}).values()]})


def _positions_text(key: Keyframe) -> str:
    return ", ".join(f"{name} {six_digits(value)}" for name, value in key.positions)


PREFIX = "pose:"
SECONDS = 1.0
"""Seconds for which a pose is held: a clip needs two times."""


def named_poses(scene: Scene, context: WriterContext) -> tuple[Clip, ...]:
    """A clip `pose:NAME` for each state of the scene (keyframes), except those that no configuration fits."""
    found = []
    names = DofNames(scene)
    for key in keyframes(scene):
        given = dict(key.positions)
        chosen = {}
        try:
            for name, (joint, dof) in names.dofs.items():
                if name in given and len(given[name]) == coordinate_size(dof):
                    chosen[name] = turned(dof, given[name])
                elif dof.mimic is None:
                    chosen[name] = start_of(joint, dof)
            values = configuration(scene, chosen)
        except (InputError, ValueError) as error:
            where = f"keyframe/{key.name}"
            context.note("posing/keyframe", where, f"it cannot be shown: {error}", action="dropped")
            continue
        tracks = {name: np.array([value, value]) for name, value in values.items()}
        found.append(Clip(PREFIX + key.name, np.array([0.0, SECONDS]), tracks))
    return tuple(found)
