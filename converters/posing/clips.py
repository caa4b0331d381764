"""Motions: the words of --trajectory as tracks of every dof."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from converters.context import Context, InputError
from converters.posing.coordinates import AGREES, SLACK, Names, bounds, note, said, size, whole
from converters.posing.positions import positions, unsolved
from converters.source.text import number
from ir.kinematics import COORDINATES
from ir.names import unique
from ir.scene import Scene
from ir.types import Dof

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from converters.posing.motions import Table

    Floats = NDArray[float64]

SWEEP = "sweep"


class Clip(Struct, frozen=True, eq=False):
    """A motion. times (n,) in seconds, increasing; positions of every dof by name as (n, k) in its coordinates
    (radians, metres; BALL w x y z, FREE x y z w x y z), followers following."""

    name: str
    times: Floats
    positions: Mapping[str, Floats]


def clips(scene: Scene, context: Context) -> tuple[Clip, ...]:
    """The motions that --trajectory asks for; dofs that one does not name stand as `positions` says.

    Between two samples no joint turns its body by more than 60 degrees: samples are put between where the source has
    too few, linear in the coordinates, along the great circle for rotations. Raises InputError, with the line of the
    file where there is one, for what is no motion of this model.

    The word `sweep` moves each joint in turn from its rest to its lower end, its upper end and back. It is one clip:
    most viewers play one at a time, and forty of them would hide those that the user brought.
    """
    if not context.options.trajectory:
        return ()
    names = Names(scene)
    still = positions(scene, context)
    unsolved(scene, context)
    made: dict[str, Clip] = {}
    for item in context.options.trajectory:
        title, word = _named(item)
        title = unique(title, made, first=2)
        made[title] = _clip(title, word, scene, names, still, context)
    return tuple(made.values())


def _named(item: str) -> tuple[str, str]:
    """NAME=FILE, or a file that gives its name."""
    name, equals, word = item.partition("=")
    if not equals or Path(item).is_file():
        name, word = "", item
    return name.strip() or (SWEEP if word == SWEEP else Path(word).stem) or "motion", word


def _clip(
    title: str, word: str, scene: Scene, names: Names, still: Mapping[str, tuple[float, ...]], context: Context
) -> Clip:
    import numpy as np

    from converters.posing.motions import table
    from converters.posing.sampling import bounded, following, refined, sweep

    if word == SWEEP and not Path(word).is_file():
        times, tracks = sweep(names, still)
        found, given = None, dict[str, "Floats"]()
    else:
        found = table(word, names)
        times = found.times
        given = {name: _inside(names.dofs[name][1], track, found, context) for name, track in found.tracks.items()}
        bounded(len(times), still)
        tracks = {name: np.tile(np.array(value), (len(times), 1)) for name, value in still.items()} | given
    whole(scene, {name: value for name, value in still.items() if names.dofs[name][1].mimic is None})
    leading = {name: track for name, track in tracks.items() if names.dofs[name][1].mimic is None}
    tracks = following(names, leading, len(times))
    for name, track in given.items():
        if found is not None and names.dofs[name][1].mimic is not None:
            _agree(names.dofs[name][1], track, tracks[name], found)
    times, tracks = refined(times, tracks, names)
    return Clip(name=title, times=times, positions=tracks)


def _inside(dof: Dof, track: Floats, table: Table, context: Context) -> Floats:
    """The track within the limits; what is outside is an error, or clamped and noted."""
    import numpy as np

    if dof.kind in COORDINATES:
        assert track.shape[1] == size(dof)
        return track
    lower, upper = bounds(dof)
    beyond = np.flatnonzero((track[:, 0] < lower - SLACK) | (track[:, 0] > upper + SLACK))
    if not len(beyond) or dof.mimic is not None:
        return track
    first = int(beyond[0])
    worst = float(track[beyond[np.argmax(np.maximum(lower - track[beyond, 0], track[beyond, 0] - upper))], 0])
    if not context.options.clamp:
        raise InputError(
            f"{dof.name!r} is {track[first, 0]:.6g} at {table.times[first]:.6g} s, outside its limits, {said(dof)}; "
            "--clamp takes the nearest",
            table.place(first),
        )
    note(
        context,
        "pose/clamped",
        f"joint/{dof.name}",
        before=number(worst),
        after=number(min(max(worst, lower), upper)),
        reason=f"{len(beyond)} of {len(track)} samples of a trajectory are outside the limits, {said(dof)}",
        source=table.place(first),
    )
    return np.clip(track, lower, upper)


def _agree(dof: Dof, track: Floats, follows: Floats, table: Table) -> None:
    """A follower may stand in a recording, but only where it follows."""
    import numpy as np

    off = np.flatnonzero(np.abs(track[:, 0] - follows[:, 0]) > AGREES)
    if len(off):
        first = int(off[0])
        assert dof.mimic is not None
        raise InputError(
            f"{dof.name!r} follows {dof.mimic.dof!r} and is {follows[first, 0]:.6g} at {table.times[first]:.6g} s, "
            f"not {track[first, 0]:.6g}; leave it out",
            table.place(first),
        )
