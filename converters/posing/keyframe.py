"""A pose as a named state of the model, which the audit follows like any other."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import Context
from converters.format import HoldingControl
from converters.passes.keys import controlled
from converters.posing.clips import clips
from converters.posing.positions import AS_DRAWN, positions
from converters.posing.states import keyframe
from converters.source.text import rounded
from ir.kinematics import rest
from ir.names import unique
from ir.scene import Scene
from ir.types import Keyframe

NAME = "pose"
"""Of what the user asks for, unless --pose-name says another."""


def unmoved(scene: Scene, context: Context) -> None:
    """Note each motion (clips) as lost. Raises InputError as clips does."""
    for clip in clips(scene, context):
        context.note(
            "pose/motion",
            "document",
            "the target holds no motion",
            before=f"{clip.name}: {len(clip.times)} samples, {clip.times[-1]:.6g} s",
            action="dropped",
        )


def posed(scene: Scene, context: Context, shown: bool, held: HoldingControl | None = None) -> Scene:
    """The scene with what --pose asks for as a keyframe, and a note; of a motion only a note says that it is lost.

    shown: the target shows the pose and the motions; the keyframe is AS_DRAWN, by which a reader finds the pose again.
    held: what the actuators of the scene are commanded to keep a position (Fits.held).
    The very same scene where nothing was asked. Raises InputError as positions and clips do.
    """
    if not shown:
        unmoved(scene, context)
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
    key = controlled(scene, key, held)
    context.note(
        "pose/keyframe",
        f"keyframe/{key.name}",
        "what --pose asks for is a named state of the model; the joints themselves are as they were",
        before=_said(before) if before is not None else "",
        after=_said(key),
        action="derived",
        severity="note",
    )
    return scene.evolve(tables={"keyframe": [*({**table, name: key}).values()]})


def _said(key: Keyframe) -> str:
    return ", ".join(f"{name} {rounded(value)}" for name, value in key.positions)
