"""Motions: the values of --trajectory as tracks of every dof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from converters.choices import UNWRITABLE
from converters.context import InputError, WriterContext
from converters.posing.coordinates import (
    AGREES,
    SLACK,
    DofNames,
    bounds,
    largest_turn,
    led_beyond,
    limits_of,
    note,
    turn,
    turned_back,
)
from converters.posing.positions import note_open_loops, positions
from converters.source.files import is_file
from converters.source.text import number
from ir.arrays import Floats, np
from ir.kinematics import coordinate_size
from ir.names import unique
from ir.scene import Scene
from ir.types import Dof, DofKind, Source

if TYPE_CHECKING:
    from converters.posing.recorded import Recording

SWEEP = "sweep"
Rest = Mapping[str, tuple[float, ...]]


class Clip(Struct, frozen=True, eq=False):
    """A motion. times (n,) in seconds, increasing; positions of every dof by name as (n, k) in its coordinates
    (radians, metres; BALL w x y z, FREE x y z w x y z), including followers."""

    name: str
    times: Floats
    positions: Mapping[str, Floats]
    source: Source | None = None
    """The place of its first sample, if it is from a file."""


def moves_bodies(tracks: Iterable[str], scene: Scene) -> bool:
    """Whether one of these dofs moves a body: that of a joint that closes a loop moves none."""
    dofs = scene.dofs()
    return any(name in dofs and not dofs[name][0].closes_loop for name in tracks)


def clips(scene: Scene, context: WriterContext) -> tuple[Clip, ...]:
    """The motions of the source and those that --trajectory asks for.

    Dofs that a motion does not name are at `positions`.

    Between two samples no joint turns its body by more than 60 degrees: samples are inserted if the source has too few,
    linear in the coordinates, along the great circle for rotations. Raises InputError, with the line of the file if
    there is one, for what is no motion of this model.

    `sweep` moves each joint in turn from its rest position to its lower limit, its upper limit and back. It is one
    clip: most viewers play one at a time, and forty of them would hide those that the user brought.
    """
    if not context.options.trajectory and not context.motions:
        return ()
    names = DofNames(scene)
    still = positions(scene, context)
    note_open_loops(scene, context)
    made: dict[str, Clip] = {}
    for each in context.motions:
        given = {name: track for name, track in each.tracks.items() if name in names.dofs}
        title = unique(each.name, made, first=2)
        made[title] = _filled(title, each.times, given, names, still)
    for item in context.options.trajectory:
        title, word = _name_and_file(item)
        title = unique(title, made, first=2)
        made[title] = _clip(title, word, names, still, context)
    return tuple(made.values())


def _name_and_file(item: str) -> tuple[str, str]:
    """NAME=FILE, or a file that gives its name. Raises InputError for a name that no document can contain."""
    name, equals, word = item.partition("=")
    if not equals or is_file(item):
        name, word = "", item
    title = name.strip() or (SWEEP if word == SWEEP else Path(word).stem) or "motion"
    if UNWRITABLE.search(title):
        raise InputError(
            f"--trajectory {item[:200]}: a motion cannot be called {title!r}: NAME=FILE gives another name"
        )
    return title, word


def _clip(title: str, word: str, names: DofNames, still: Rest, context: WriterContext) -> Clip:
    """The motion of a value of --trajectory."""
    from converters.posing.motions import table
    from converters.posing.sampling import sweep

    if word == SWEEP and not is_file(word):
        return _with_notes_on_followers(_filled(title, *sweep(names, still), names, still), names, context)
    found = table(word, names)
    for key, line in found.unused.items():
        reason = f"only times and positions are used, not {key[:200]}; motion between samples is linear"
        place = Source(found.file, line, "/")
        note(context, "pose/unused", "document", reason, place, before=f"{title}: {key[:200]}", action="ignored")
    given = {name: _inside(names.dofs[name][1], track, found, context) for name, track in found.tracks.items()}
    return _with_notes_on_followers(_filled(title, found.times, given, names, still, found), names, context)


def _with_notes_on_followers(clip: Clip, names: DofNames, context: WriterContext) -> Clip:
    """The clip; followers that exceed their own limits are noted."""
    for name, (joint, dof) in names.dofs.items():
        if dof.mimic is not None:
            track = clip.positions[name][:, 0]
            led_beyond(joint, dof, float(track.min()), float(track.max()), context)
    return clip


def _filled(
    title: str, times: Floats, given: Mapping[str, Floats], names: DofNames, still: Rest, table: Recording | None = None
) -> Clip:
    """A clip of all dofs from the tracks of some: others stand still, followers follow, samples are inserted."""
    from converters.posing.sampling import bounded, following, refined

    bounded(len(times), still)
    leading = {
        name: given[name] if name in given else np.tile(np.array(value), (len(times), 1))
        for name, value in still.items()
        if names.dofs[name][1].mimic is None
    }
    tracks = following(names, leading, len(times))
    for name, track in given.items():
        if table is not None and names.dofs[name][1].mimic is not None:
            _agree(names.dofs[name][1], track, tracks[name], table)
    times, tracks = refined(times, tracks, names)
    return Clip(name=title, times=times, positions=tracks, source=None if table is None else table.place(0))


def _inside(dof: Dof, track: Floats, table: Recording, context: WriterContext) -> Floats:
    """The track within the limits; positions outside are an error, or clamped and noted."""
    assert track.shape[1] == coordinate_size(dof)
    lower, upper = bounds(dof)
    values = track[:, 0]
    if dof.kind is DofKind.BALL:
        upper, values = largest_turn(dof), np.array([turn(*row) for row in track.tolist()])
    beyond = np.flatnonzero((values < lower - SLACK) | (values > upper + SLACK))
    if not len(beyond) or dof.mimic is not None or dof.kind is DofKind.FREE:
        return track
    first = int(beyond[0])
    worst = float(values[beyond[np.argmax(np.maximum(lower - values[beyond], values[beyond] - upper))]])
    if not context.options.clamp:
        raise InputError(
            f"{dof.name!r} is {values[first]:.6g} at {table.times[first]:.6g} s, outside its limits, {limits_of(dof)}; "
            "--clamp takes the nearest",
            table.place(first),
        )
    reason = f"{len(beyond)} of {len(track)} samples of a trajectory are outside the limits, {limits_of(dof)}"
    before, after = number(worst), number(min(max(worst, lower), upper))
    note(context, "pose/clamped", f"joint/{dof.name}", reason, table.place(first), before=before, after=after)
    if dof.kind is not DofKind.BALL:
        return np.clip(track, lower, upper)
    track = track.copy()
    track[beyond] = [turned_back(row, upper) for row in track[beyond].tolist()]
    return track


def _agree(dof: Dof, track: Floats, follows: Floats, table: Recording) -> None:
    """Raise InputError if a follower is recorded elsewhere than where its leader puts it."""
    off = np.flatnonzero(np.abs(track[:, 0] - follows[:, 0]) > AGREES)
    if len(off):
        first = int(off[0])
        assert dof.mimic is not None
        raise InputError(
            f"{dof.name!r} follows {dof.mimic.dof!r} and is {follows[first, 0]:.6g} at {table.times[first]:.6g} s, "
            f"not {track[first, 0]:.6g}; leave it out",
            table.place(first),
        )
