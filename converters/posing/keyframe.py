"""A pose for targets that show nothing: a named state of the model, which the audit follows like any other."""

from __future__ import annotations

from converters.context import Context
from converters.posing.clips import clips
from converters.posing.positions import positions
from ir.kinematics import rest
from ir.names import unique
from ir.scene import Scene
from ir.types import Keyframe

NAME = "pose"


def unmoved(scene: Scene, context: Context) -> None:
    """Note each motion that --trajectory asks for as lost. Raises InputError as clips does."""
    for clip in clips(scene, context):
        context.note(
            "pose/motion",
            "document",
            before=f"{clip.name}: {len(clip.times)} samples, {clip.times[-1]:.6g} s",
            reason="the target holds no motion",
            action="dropped",
        )


def posed(scene: Scene, context: Context) -> Scene:
    """The scene with what --pose asks for as a keyframe, and a note; of a motion only a note says that it is lost.

    The very same scene where nothing was asked. Raises InputError as positions and clips do.
    """
    unmoved(scene, context)
    if not context.options.pose:
        return scene
    dofs = scene.dofs()
    values = positions(scene, context)
    table = scene.tables["keyframe"]
    moved = {name: value for name, value in values.items() if value != rest(*dofs[name])}
    key = Keyframe(
        name=unique(NAME, table),
        positions=tuple((name, value) for name, value in moved.items() if not dofs[name][0].closes_loop),
    )
    context.note(
        "pose/keyframe",
        f"keyframe/{key.name}",
        after=", ".join(f"{name} {' '.join(f'{number:.6g}' for number in value)}" for name, value in key.positions),
        reason="what --pose asks for is a named state of the model; the joints themselves are as they were",
        action="derived",
        severity="note",
    )
    return scene.evolve(tables={"keyframe": [*table.values(), key]})
