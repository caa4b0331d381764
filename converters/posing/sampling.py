"""Motions as arrays: samples close enough for players that only interpolate, and the sweep through all joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Sized

from converters.context import InputError
from converters.posing.coordinates import Coordinates, DofNames, bounds, largest_turn
from ir.arrays import Floats, np
from ir.kinematics import COORDINATES, FAR
from ir.pose import from_axis_angle, multiply
from ir.types import Dof, DofKind

STEP = math.pi / 3
"""Radians that a body may turn between two samples: players take the shorter way, which half a turn leaves open."""

MOST_SAMPLES = 1_000_000
MOST_NUMBERS = 50_000_000
"""Limits of memory."""

SWEEP_SECONDS = 2.0
"""Seconds that a joint takes from its rest position to both limits and back."""

REACH = {DofKind.SLIDE: 1.0, DofKind.BALL: math.pi / 4}
"""Metres or radians to either side of the rest position if there is no limit; half a turn for others."""


def refined(times: Floats, tracks: Mapping[str, Floats], names: DofNames) -> tuple[Floats, dict[str, Floats]]:
    """Times (n,) and coordinates (n, k) of every dof with so many samples inserted that no joint turns its body by more
    than STEP from one to the next; given samples stay.

    Raises InputError for a motion that would need more than MOST_SAMPLES.
    """
    tracks = {name: _continuous(names.dofs[name][1], track) for name, track in tracks.items()}
    turns = np.zeros(max(len(times) - 1, 0))
    by_joint: dict[str, Floats] = {}
    for name, track in tracks.items():
        joint, dof = names.dofs[name]
        if len(times) > 1 and dof.kind is not DofKind.SLIDE:
            by_joint[joint.name] = by_joint.get(joint.name, 0.0) + _turns(track)
    for each in by_joint.values():
        turns = np.maximum(turns, each)
    pieces = np.maximum(np.ceil(turns / STEP - 1e-9), 1.0)
    if pieces.sum() + 1 > MOST_SAMPLES:
        raise InputError(f"a motion turns a joint {turns.max() / math.tau:.3g} times at once: that is too far to show")
    return divided(times, tracks, pieces, {name: dof for name, (_, dof) in names.dofs.items()})


def divided(
    times: Floats, tracks: Mapping[str, Floats], pieces: Floats, dofs: Mapping[str, Dof]
) -> tuple[Floats, dict[str, Floats]]:
    """Times (n,) and coordinates (n, k) by dof, with each interval divided into this many equal pieces (n - 1,).

    Raises InputError if the samples would take too much memory.
    """
    if len(times) < 2 or bool((pieces == 1).all()):
        return times, dict(tracks)
    bounded(int(pieces.sum()) + 1, tracks)
    counts = pieces.astype(np.int64)
    first = np.repeat(np.arange(len(counts)), counts)
    part = (np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[first]
    first, part = np.append(first, len(counts) - 1), np.append(part, 1.0)
    found = times[first] + (times[first + 1] - times[first]) * part
    found[part == 1.0] = times[-1]
    return found, {name: _between(dofs[name], track[first], track[first + 1], part) for name, track in tracks.items()}


def bounded(count: int, coordinates: Mapping[str, Sized]) -> None:
    """Raise InputError if these samples of these dofs would take too much memory."""
    if count * len(coordinates) > MOST_NUMBERS:
        raise InputError(f"{count} samples of {len(coordinates)} joints are more than {MOST_NUMBERS} numbers")


def _continuous(dof: Dof, track: Floats) -> Floats:
    """Quaternions, each the one of q and -q (which are one rotation) that is closer to the sample before."""
    if dof.kind not in COORDINATES or len(track) < 2:
        return track
    quaternions = track[:, -4:]
    signs = np.where(np.einsum("ij,ij->i", quaternions[:-1], quaternions[1:]) < 0, -1.0, 1.0)
    turned = track.copy()
    turned[1:, -4:] *= np.cumprod(signs)[:, None]
    return turned


def _turns(track: Floats) -> Floats:
    """Radians between neighbouring samples."""
    if track.shape[1] == 1:
        return np.abs(np.diff(track[:, 0]))
    cosine = np.abs(np.einsum("ij,ij->i", track[:-1, -4:], track[1:, -4:]))
    turned: Floats = 2.0 * np.arccos(np.clip(cosine, 0.0, 1.0))
    return turned


def _between(dof: Dof, before: Floats, after: Floats, part: Floats) -> Floats:
    """Linear in numbers and positions, along the great circle in rotations."""
    column = part[:, None]
    found = before + (after - before) * column
    if dof.kind in COORDINATES:
        one, other = before[:, -4:], after[:, -4:]
        mixed = slerp(one, other, column)
        found[:, -4:] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    found[part == 0.0], found[part == 1.0] = before[part == 0.0], after[part == 1.0]
    return found


def slerp(one: Floats, other: Floats, part: Floats | float) -> Floats:
    """The unit quaternions (..., 4) between two that are on the same side, along the great circle; part: a number, or
    one for each, (..., 1)."""
    angle = np.arccos(np.clip(np.sum(one * other, axis=-1, keepdims=True), -1.0, 1.0))
    sine = np.sin(angle)
    close = sine < 1e-9
    safe = np.where(close, 1.0, sine)
    mixed = (np.sin((1 - part) * angle) * one + np.sin(part * angle) * other) / safe
    found: Floats = np.where(close, one + (other - one) * part, mixed)
    return found


def following(names: DofNames, tracks: Mapping[str, Floats], count: int) -> dict[str, Floats]:
    """The tracks (n, 1) of all followers."""
    found: dict[str, Floats] = dict(tracks)
    for name, (_, dof) in names.dofs.items():
        chain: list[Dof] = []
        while dof.mimic is not None and dof.name not in found:
            chain.append(dof)
            dof = names.dofs[dof.mimic.dof][1]
        for follower in reversed(chain):
            mimic = follower.mimic
            assert mimic is not None
            found[follower.name] = mimic.multiplier * (found[mimic.dof] - mimic.reference) + mimic.offset
        assert found[name].shape[0] == count
    return {name: found[name] for name in names.dofs}


def sweep(names: DofNames, still: Mapping[str, Coordinates]) -> tuple[Floats, dict[str, Floats]]:
    """Times and key positions of the motion of each movable joint in turn, with the others as in `still`.

    A base that moves freely stays: it would only carry the robot out of sight.
    """
    times = [0.0]
    marks: list[tuple[str, Coordinates]] = [("", ())]
    for name, (_, dof) in names.movable().items():
        path = _path(dof, still[name])
        lengths = [_distance(dof, a, b) for a, b in zip([still[name], *path], path, strict=False)]
        if not sum(lengths):
            continue
        for length, mark in zip(lengths, path, strict=True):
            if length:
                times.append(times[-1] + SWEEP_SECONDS * length / sum(lengths))
                marks.append((name, mark))
    bounded(len(times), still)
    tracks = {name: np.tile(np.array(value), (len(times), 1)) for name, value in still.items()}
    for row, (name, mark) in enumerate(marks):
        if name:
            tracks[name][row] = mark
    return np.array(times), tracks


def _path(dof: Dof, rest: Coordinates) -> Sequence[Coordinates]:
    if dof.kind is DofKind.FREE:
        return ()
    far = min(REACH.get(dof.kind, math.pi), largest_turn(dof))
    if dof.kind is DofKind.BALL:
        sides = [(axis, side * far) for axis in range(3) for side in (-1.0, 1.0)]
        turns = [_turned(rest, axis, angle) for axis, angle in sides]
        return (*turns[:2], rest, *turns[2:4], rest, *turns[4:], rest)
    lower, upper = bounds(dof)
    if (math.isinf(lower) and math.isinf(upper)) or FAR < upper - lower < math.inf:
        lower, upper = rest[0] - far, rest[0] + far
    elif math.isinf(lower):
        lower = min(upper - 2 * far, rest[0])
    elif math.isinf(upper):
        upper = max(lower + 2 * far, rest[0])
    return ((lower,), (upper,), rest)


def _turned(rest: Coordinates, axis: int, angle: float) -> Coordinates:
    unit = (float(axis == 0), float(axis == 1), float(axis == 2))
    w, x, y, z = rest
    return multiply((w, x, y, z), from_axis_angle(unit, angle))


def _distance(dof: Dof, one: Coordinates, other: Coordinates) -> float:
    if dof.kind is DofKind.BALL:
        return 2.0 * math.acos(min(abs(sum(a * b for a, b in zip(one, other, strict=True))), 1.0))
    return abs(other[0] - one[0])
