"""Degrees of freedom by the names that users know, and the coordinates they may have."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from converters.context import Context, InputError, NoteDetails
from converters.faults import did_you_mean
from converters.source.text import number, parse_number
from ir.gathering import gathered
from ir.kinematics import COORDINATES, coordinate_size, followers, rest
from ir.pose import normalise
from ir.scene import Scene
from ir.types import Dof, DofKind, Joint, Source

SLACK = 1e-5
"""Radians or metres beyond a limit that are taken for rounding: 1.5708 exceeds pi / 2."""

AGREES = 1e-3
"""Radians or metres between the given and the computed position of a follower that are taken for rounding."""

LONGEST = 1000
"""Largest number of characters of a number; a double needs at most 770."""

_AMOUNT = re.compile(r"(?P<number>.*?)\s*(?P<unit>(?<![a-z])(?:deg|rad|mm|cm|m))?", re.DOTALL)
_UNITS: Mapping[DofKind, Mapping[str, float]] = {
    DofKind.SLIDE: {"m": 1.0, "cm": 0.01, "mm": 0.001},
    DofKind.HINGE: {"rad": 1.0, "deg": math.pi / 180},
    DofKind.SCREW: {"rad": 1.0, "deg": math.pi / 180},
}

Coordinates = tuple[float, ...]


class Asked(Struct, frozen=True):
    """Requested coordinates of a dof, and their origin: words for a message, and the place in a file.

    bare: written without units, so that a number may be meant in degrees.
    """

    value: Coordinates
    by: str
    source: Source | None = None
    bare: bool = False


class DofNames:
    """The dofs of a scene under every name that a user may know: the dof's, the joint's, those of the source."""

    def __init__(self, scene: Scene) -> None:
        led = followers(scene)
        self.dofs: dict[str, tuple[Joint, Dof]] = {
            name: (joint, dof if dof.mimic is None or name in led else replace(dof, mimic=None))
            for name, (joint, dof) in scene.dofs().items()
        }
        """A mimic that is ignored (ir.kinematics.followers) is removed here."""
        self._joints = scene.joints
        self._labels = gathered(
            (label, (joint, dof)) for joint, dof in self.dofs.values() for label in {joint.label, dof.label} if label
        )

    def find(self, name: str, source: Source | None = None) -> list[Dof]:
        """The dofs of a name: one, or all of a joint in order. Raises InputError with similar names."""
        if name in self.dofs:
            return [self.dofs[name][1]]
        joint = self._joints.get(name)
        if joint is not None and joint.dofs:
            return [self.dofs[dof.name][1] for dof in joint.dofs]
        labelled = self._labels.get(name, [])
        if labelled and len({joint.name for joint, _ in labelled}) == 1:
            return [dof for _, dof in labelled]
        if joint is not None:
            raise InputError(f"the joint {name!r} is fixed: it has no position", source)
        if labelled:
            options = ", ".join(dof.name for _, dof in labelled[:5])
            raise InputError(f"{name!r} may be any of {options}; say which", source)
        raise InputError(f"there is no joint {name[:200]!r}{self._hint(name)}", source)

    def knows(self, name: str) -> bool:
        return name in self.dofs or name in self._joints or name in self._labels

    def fixed(self, name: str) -> bool:
        return name in self._joints and not self._joints[name].dofs

    def _hint(self, name: str) -> str:
        known = [*self.dofs, *(joint.name for joint in self._joints.values() if joint.dofs)]
        return did_you_mean(name, known) or "; the model has no joint that moves"

    def movable(self) -> dict[str, tuple[Joint, Dof]]:
        """Dofs of the tree that are no followers, in document order: the columns of a table without a header."""
        return {
            name: (joint, dof)
            for name, (joint, dof) in self.dofs.items()
            if dof.mimic is None and not joint.closes_loop
        }


def words(text: str) -> list[str]:
    """The numbers of a text, with their units, separated by commas or blanks."""
    return [word for word in re.split(r" ?, ?| (?=[-+.\d])", " ".join(text.split())) if word]


def read(dofs: Sequence[Dof], texts: Sequence[str], by: str, source: Source | None = None) -> dict[str, Asked]:
    """Texts of numbers as the coordinates of dofs, one after the other. Raises InputError."""
    wanted = sum(map(coordinate_size, dofs))
    if len(texts) != wanted:
        name = dofs[0].name if len(dofs) == 1 else f"{', '.join(dof.name for dof in dofs[:6])} together"
        order = {DofKind.BALL: " (w x y z)", DofKind.FREE: " (x y z w x y z)"}.get(dofs[0].kind, "")
        comma = f"; decimals have a point, {'.'.join(texts)}" if (wanted, len(texts)) == (1, 2) else ""
        said = f"{name} takes {wanted} number{'s' * (wanted > 1)}{order}, not {len(texts)}{comma}"
        raise InputError(f"{by}: {said}", source)
    asked: dict[str, Asked] = {}
    rest_of = list(texts)
    for dof in dofs:
        mine, rest_of = rest_of[: coordinate_size(dof)], rest_of[coordinate_size(dof) :]
        try:
            value = turned(dof, [amount(word, dof) for word in mine])
        except ValueError as error:
            raise InputError(f"{by}: {error}", source) from None
        asked[dof.name] = Asked(value, by, source, bare=not any(word.strip()[-1:].isalpha() for word in mine))
    return asked


def amount(word: str, dof: Dof) -> float:
    """A number with or without a unit that fits the dof, in radians or metres. Raises ValueError."""
    if len(word) > LONGEST:
        raise ValueError(f"{word[:20]}...: a number of {len(word)} characters")
    matched = _AMOUNT.fullmatch(word.strip())
    assert matched is not None  # the pattern matches any text
    value = parse_number(matched["number"])
    unit = matched["unit"]
    if unit is None:
        return value
    units = _UNITS.get(dof.kind, {})
    if unit not in units:
        fits = f"in {' or '.join(units)}" if units else "without a unit"
        raise ValueError(f"{word.strip()[:200]!r}: the position of {dof.name!r} ({dof.kind}) is given {fits}")
    return math.radians(value) if unit == "deg" else value * units[unit]


def turned(dof: Dof, value: Sequence[float]) -> Coordinates:
    """Coordinates with a unit quaternion. Raises ValueError for one without a direction and for non-finite numbers."""
    if not all(map(math.isfinite, value)):
        raise ValueError(f"the position of {dof.name!r} is not finite")
    if dof.kind not in COORDINATES:
        return tuple(value)
    *place, w, x, y, z = value
    return (*place, *normalise((w, x, y, z)))


def bounds(dof: Dof) -> tuple[float, float]:
    """Limits of a scalar dof, infinite if there are none; limits that exclude everything are ignored."""
    lower, upper = dof.range
    return (lower, upper) if lower <= upper and dof.kind not in COORDINATES else (-math.inf, math.inf)


def largest_turn(dof: Dof) -> float:
    """The largest angle by which a BALL may be turned, from its rest about any axis; infinite without a limit."""
    return dof.upper if dof.kind is DofKind.BALL and dof.upper is not None and dof.upper > 0 else math.inf


def turn(w: float, x: float, y: float, z: float) -> float:
    """The angle of a rotation, 0 to half a turn."""
    return 2.0 * math.atan2(math.hypot(x, y, z), abs(w))


def turned_back(quaternion: Sequence[float], angle: float) -> Coordinates:
    """The rotation about the same axis by an angle; the rotation must not be the identity."""
    _, *axis = (math.copysign(1.0, quaternion[0]) * value for value in quaternion)
    length = math.hypot(*axis)
    return (math.cos(angle / 2), *(math.sin(angle / 2) * value / length for value in axis))


def limits_of(dof: Dof) -> str:
    """The limits of a dof for a message."""
    if dof.kind is DofKind.BALL:
        return f"a turn of at most {largest_turn(dof):.6g} rad"
    lower, upper = bounds(dof)
    unit = "m" if dof.kind is DofKind.SLIDE else "rad"
    if lower == -math.inf:
        return f"at most {upper:.6g} {unit}"
    return f"at least {lower:.6g} {unit}" if upper == math.inf else f"{lower:.6g} to {upper:.6g} {unit}"


def within_limits(joint: Joint, dof: Dof, asked: Asked, context: Context) -> Coordinates:
    """The requested value if the limits allow it, else the nearest with --clamp and a note. Raises InputError.

    A value that is not from a file is reported at the joint with the limits.
    """
    lower, upper = bounds(dof)
    value, place = asked.value[0], asked.source or joint.source
    if dof.kind is DofKind.BALL:
        upper, value = largest_turn(dof), turn(*asked.value)
    if dof.kind is DofKind.FREE or lower - SLACK <= value <= upper + SLACK:
        return asked.value
    if not context.options.clamp:
        degrees = asked.bare and dof.kind is DofKind.HINGE and lower <= math.radians(value) <= upper
        raise InputError(
            f"{asked.by}: {value:.6g} is outside the limits of {dof.name!r}, {limits_of(dof)}; "
            f"--clamp takes the nearest{f'; degrees are written {value:.6g}deg' if degrees else ''}",
            place,
        )
    nearest = min(max(value, lower), upper)
    reason, before, after = f"outside the limits, {limits_of(dof)}", number(value), number(nearest)
    note(context, "pose/clamped", f"joint/{dof.name}", reason, place, before=before, after=after)
    return turned_back(asked.value, nearest) if dof.kind is DofKind.BALL else (nearest,)


def start_of(joint: Joint, dof: Dof) -> Coordinates:
    """The default position of a dof: its rest position or, if the limits exclude that, the nearest one."""
    lower, upper = bounds(dof)
    value = rest(joint, dof)
    return value if dof.kind in COORDINATES else (min(max(value[0], lower), upper),)


def agree(dof: Dof, value: Coordinates, asked: Asked) -> None:
    """Raise InputError if a follower was given another value than follows from its leader."""
    mimic = dof.mimic
    assert mimic is not None
    if abs(asked.value[0] - value[0]) <= AGREES:
        return
    shift = mimic.constant
    rule = f"{mimic.multiplier:.6g} * {mimic.dof}" + (f" {'+' if shift > 0 else '-'} {abs(shift):.6g}" if shift else "")
    leader = (asked.value[0] - mimic.offset) / mimic.multiplier + mimic.reference if mimic.multiplier else math.nan
    hint = f"; {mimic.dof}={leader:.6g} would do" if math.isfinite(leader) else ""
    raise InputError(
        f"{asked.by}: {dof.name!r} follows {mimic.dof!r} ({rule} = {value[0]:.6g}) and cannot be {asked.value[0]:.6g}"
        f"{hint}",
        asked.source,
    )


def led_beyond(joint: Joint, dof: Dof, least: float, most: float, context: Context) -> None:
    """Note that a follower, which is between these two positions, is led outside its own limits."""
    lower, upper = bounds(dof)
    if least < lower - SLACK or most > upper + SLACK:
        assert dof.mimic is not None
        reason = f"it follows {dof.mimic.dof!r}, which leads it outside its own limits, {limits_of(dof)}"
        before = number(least if least < lower - SLACK else most)
        note(context, "pose/follower", f"joint/{dof.name}", reason, joint.source, before=before, action="noted")


def note(
    context: Context, rule: str, where: str, reason: str, source: Source | None, **more: Unpack[NoteDetails]
) -> None:
    """Add a note of the report, once: several functions may ask for the same configuration."""
    if (rule, where, more.get("before", "")) not in ((each.rule, each.where, each.before) for each in context.notes):
        more.setdefault("action", "approximated")
        context.note(rule, where, reason, source, **more)
