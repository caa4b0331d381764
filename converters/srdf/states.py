"""<group_state>: selecting one, and how SRDF writes the coordinates of a joint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from converters.context import InputError
from converters.source.text import numbers, parse_numbers
from converters.source.xml import Node
from ir.kinematics import COORDINATES, coordinate_size, rest
from ir.pose import compose, invert, normalise
from ir.types import IDENTITY, DofKind, Joint, Pose, Source

FLOATING = 7
"""Number of coordinates of a floating joint."""
SLACK = 1e-5
"""Radians or metres beyond a limit that are treated as rounding, as in poses given by the user."""


def state_named(states: Iterable[Node], wanted: str | None, path: Path) -> Node:
    """Return the state NAME or GROUP/NAME. Raises InputError, with the known ones, if it is missing or ambiguous."""
    named = [(each.attrs.get("group", ""), each.attrs.get("name", ""), each) for each in states]
    known = ", ".join(f"{group}/{name}" if group else name for group, name, _ in named[:20]) or "none"
    if not wanted:
        raise InputError(f"{path}: say which state, as in {path.name}:STATE; there are {known}")
    found = [each for _, name, each in named if name == wanted]
    if not found:
        found = [each for group, name, each in named if f"{group}/{name}" == wanted]
    if not found:
        raise InputError(f"there is no group_state {wanted[:200]!r}; there are {known}", Source(str(path), 1, "/"))
    if len(found) > 1:
        groups = ", ".join(f"{group}/{name}" for group, name, each in named if each in found)
        raise InputError(f"several groups have a state {wanted[:200]!r}; say which: {groups}", found[1].source)
    return found[0].visit()


def outside(joint: Joint, values: Mapping[str, tuple[float, ...]]) -> Iterator[tuple[str, str]]:
    """Yield (dof and value, why planners refuse it) for each coordinate of a state beyond the limits."""
    for dof in joint.dofs:
        low, high = dof.range
        value = values[dof.name][0]
        if dof.kind not in COORDINATES and not low - SLACK <= value <= high + SLACK:
            reason = f"it is outside the limits of the joint, {low:g} to {high:g}; kept as it is"
            yield f"{dof.name} {value:g}", reason


def scalar_first(value: Sequence[float]) -> tuple[float, ...]:
    """Convert a floating pose: SRDF has x y z and the quaternion x y z w, as MoveIt and Pinocchio; the graph w x y
    z."""
    px, py, pz, x, y, z, w = value
    return (px, py, pz, w, x, y, z)


def read_coordinates(joint: Joint, text: str) -> dict[str, tuple[float, ...]]:
    """Parse the coordinates of the dofs of a joint. Raises ValueError with the reason if the text is invalid."""
    values = parse_numbers(text)
    wanted = sum(map(coordinate_size, joint.dofs))
    if len(values) != wanted:
        raise ValueError(f"{joint.name!r} takes {wanted} number{'s' * (wanted > 1)}, not {len(values)}")
    found: dict[str, tuple[float, ...]] = {}
    for dof in joint.dofs:
        mine, values = values[: coordinate_size(dof)], values[coordinate_size(dof) :]
        if dof.kind is DofKind.FREE:
            x, y, z, *turn = scalar_first(mine)
            found[dof.name] = from_origin(joint, (x, y, z, *_turned(joint, turn)))
        else:
            found[dof.name] = _turned(joint, mine) if dof.kind is DofKind.BALL else tuple(mine)
    return found


def _turned(joint: Joint, turn: Sequence[float]) -> tuple[float, ...]:
    """Normalise a quaternion; one of unit length up to rounding stays as it is written."""
    w, x, y, z = turn
    if abs(w * w + x * x + y * y + z * z - 1.0) < 2e-15:
        return tuple(turn)
    try:
        return normalise((w, x, y, z))
    except ValueError:
        raise ValueError(f"{joint.name!r} has a quaternion without a direction") from None


def from_origin(joint: Joint, value: Sequence[float]) -> tuple[float, ...]:
    """Convert the coordinates of a FREE dof to the graph's, which are relative to the parent.

    In SRDF they are relative to the <origin> of a floating joint, as Pinocchio and MoveIt read it.
    """
    there = compose(joint.pose, _pose(value))
    return (*there.pos, *there.rot)


def _to_origin(joint: Joint, value: Sequence[float]) -> tuple[float, ...]:
    """The inverse of from_origin, with the scalar last."""
    there = compose(invert(joint.pose), _pose(value)) if value != rest(joint, joint.dofs[0]) else IDENTITY
    w, x, y, z = there.rot
    return (*there.pos, x, y, z, w)


def _pose(value: Sequence[float]) -> Pose:
    px, py, pz, w, x, y, z = value
    return Pose((px, py, pz), (w, x, y, z))


def write_coordinates(joint: Joint, positions: Mapping[str, tuple[float, ...]], rests: Mapping[str, float]) -> str:
    """Format the coordinates of the dofs of a joint; a dof without a position is as in the drawn pose.

    joint is as the URDF has it, whose coordinates are those of the graph: its zero is part of its pose
    (passes.compound). rests are the coordinates of the scalar dofs in the drawn pose.
    """
    said: list[float] = []
    for dof in joint.dofs:
        value = positions.get(dof.name)
        usual = rest(joint, dof)
        if value is None or len(value) != len(usual):
            value = (rests.get(dof.name, 0.0),) if len(usual) == 1 else usual
        said += _to_origin(joint, value) if dof.kind is DofKind.FREE else value
    return numbers(said)
