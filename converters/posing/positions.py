"""One configuration: the values of --pose, of which later ones are preferred, over the default positions of joints."""

from __future__ import annotations

from contextlib import suppress

from converters.context import Context, NoteDetails
from converters.posing.coordinates import (
    Coordinates,
    DofNames,
    agree,
    led_beyond,
    limits_of,
    note,
    start_of,
    turned,
    within_limits,
)
from converters.posing.states import named_state, state
from converters.source.text import number
from ir.kinematics import configuration, coordinate_size, rest
from ir.scene import Scene
from ir.types import Dof, Joint

AS_DRAWN = "as_drawn"
"""Name of the keyframe in which bodies are placed as the nodes of a document; whatever shows the model uses it."""


def positions(scene: Scene, context: Context) -> dict[str, Coordinates]:
    """The coordinates of every dof (radians, metres; BALL w x y z, FREE x y z w x y z) that the user asked for.

    Dofs that are not named are at the keyframe AS_DRAWN of the scene, else at their rest position or, if the limits
    exclude that, at the nearest limit, with a note; followers follow. Clamped values are noted in the context, and so
    are followers outside their own limits. Raises InputError for a joint that does not exist, a value that is no
    number, outside the limits or against a mimic, and for a file that cannot be read.
    """
    names = DofNames(scene)
    asked = named_state(context.options, scene, names)
    for item in context.options.pose:
        asked.update(state(item, scene, names, context))
    drawn = stood(scene, names)
    chosen = {}
    for name, (joint, dof) in names.dofs.items():
        if dof.mimic is None:
            if name in asked:
                chosen[name] = within_limits(joint, dof, asked[name], context)
            else:
                chosen[name] = drawn[name] if name in drawn else _start(joint, dof, context)
    values = configuration(scene, chosen)
    for name, wanted in asked.items():
        dof = names.dofs[name][1]
        if dof.mimic is not None:
            agree(dof, values[name], wanted)
    if asked:
        note_open_loops(scene, context)
        for name, (joint, dof) in names.dofs.items():
            if dof.mimic is not None:
                led_beyond(joint, dof, values[name][0], values[name][0], context)
    return values


def _start(joint: Joint, dof: Dof, context: Context) -> Coordinates:
    """The default position of a dof; a note if its limits exclude the rest position."""
    value, wanted = start_of(joint, dof), rest(joint, dof)
    if value != wanted:
        near = (
            f"the rest position of the joint is outside its limits, {limits_of(dof)}: it is shown at the nearest "
            "limit (--pose moves it)"
        )
        said: NoteDetails = {"before": number(wanted[0]), "after": number(value[0]), "action": "derived"}
        said["severity"] = "note"
        note(context, "pose/limit", f"joint/{dof.name}", near, joint.source, **said)
    return value


def stood(scene: Scene, names: DofNames) -> dict[str, Coordinates]:
    """The positions in the keyframe AS_DRAWN of dofs that are no followers; nothing if there is none."""
    key = scene.tables["keyframe"].get(AS_DRAWN)
    found = {}
    for name, value in key.positions if key is not None else ():
        dof = names.dofs[name][1] if name in names.dofs else None
        if dof is not None and dof.mimic is None and len(value) == coordinate_size(dof):
            with suppress(ValueError):  # a quaternion of length 0 gives no rotation
                found[name] = turned(dof, value)
    return found


def note_open_loops(scene: Scene, context: Context) -> None:
    """Note that loops and constraints are not solved when joints are moved by hand."""
    loops = [*scene.loops]
    loops += [constraint.name for constraint in scene.constraints.values() if constraint.active]
    if loops:
        reason = "joints are shown at the given positions; loops and other constraints are not solved"
        before = f"{', '.join(loops[:8])}{' ...' if len(loops) > 8 else ''}"
        note(context, "pose/constraints", "document", reason, None, before=before, action="ignored", severity="note")
