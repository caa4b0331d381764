"""One configuration: the words of --pose, later ones before earlier ones, over where the joints stand by themselves."""

from __future__ import annotations

from converters.context import Context
from converters.posing.coordinates import Coordinates, Names, agree, inside, note, start, whole
from converters.posing.states import state
from ir.scene import Scene


def positions(scene: Scene, context: Context) -> dict[str, Coordinates]:
    """The coordinates of every dof (radians, metres; BALL w x y z, FREE x y z w x y z) that the user asked for.

    Dofs that nobody named stand at their rest or, where the limits exclude that, at the nearest limit; followers
    follow. What --clamp moved is noted in the context. Raises InputError for a joint that does not exist, a value that
    is no number, outside the limits or against a mimic, and for a file that cannot be read.
    """
    names = Names(scene)
    asked = {}
    for item in context.options.pose:
        asked.update(state(item, scene, names, context))
    chosen = {}
    for name, (joint, dof) in names.dofs.items():
        if dof.mimic is None or dof.mimic.dof not in names.dofs:  # a leader that is not there leads nowhere
            chosen[name] = inside(dof, asked[name], context) if name in asked else start(joint, dof)
    values = whole(scene, chosen)
    for name, wanted in asked.items():
        dof = names.dofs[name][1]
        if dof.mimic is not None and dof.mimic.dof in names.dofs:
            agree(dof, values[name], wanted)
    if asked:
        unsolved(scene, context)
    return values


def unsolved(scene: Scene, context: Context) -> None:
    """Note that nobody looks after loops and constraints when joints are moved by hand."""
    loops = [joint.name for joint in scene.joints.values() if joint.closes_loop]
    loops += [constraint.name for constraint in scene.constraints.values() if constraint.active]
    if loops:
        note(
            context,
            "pose/constraints",
            "document",
            before=f"{', '.join(loops[:8])}{' ...' if len(loops) > 8 else ''}",
            reason="joints stand where they were put; what closes loops or constrains the model is not solved for",
            action="ignored",
            severity="note",
            source=None,
        )
