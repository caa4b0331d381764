"""What the limits of a joint of KHR_physics_rigid_bodies leave of the three slides and the three turns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from converters.source.json import JsonObject
from ir.types import Stop

TURN = 2.0 * math.pi * (1.0 + 1e-4)
"""A whole turn, also where somebody wrote few digits of it."""
TOGETHER = "one limit applies to several axes together; here it applies to each of them"
OFF_ZERO = "one limit keeps several axes from being at zero together; here it is left out"


class AxisLimit(Struct, kw_only=True):
    """One of the six: a bound is None where it is open. locked holds the value it is locked at.

    shared: what is not said any more of bounds that were those of several ways together.
    """

    lower: float | None = None
    upper: float | None = None
    locked: float | None = None
    shared: frozenset[str] = frozenset()
    spring: tuple[float, float, float] | None = None
    """Stiffness, damping and rest of a limit that gives way around one value."""
    stop: Stop | None = None
    """How its bounds give way, where one limit alone says them."""


def axis_limits(joint: JsonObject) -> tuple[list[AxisLimit], list[AxisLimit]]:
    """What the limits of a joint leave of the three slides and the three turns. Raises InputError."""
    slides, turns = [AxisLimit() for _ in range(3)], [AxisLimit() for _ in range(3)]
    limits = joint.children("limits") or joint.children("constraints")
    for limit in limits:
        lower, upper = _first_number(limit, "min", "lowerLimit"), _first_number(limit, "max", "upperLimit")
        spring = None
        if lower is not None and lower == upper and limit.members.get("stiffness") is not None:
            spring = (limit.number("stiffness") or 0.0, limit.number("damping", 0.0) or 0.0, lower)
        stop = _stop_of_limit(limit, limits) if lower != upper else None
        for key, ways in (("linearAxes", slides), ("angularAxes", turns)):
            axes = limit.raw(key) or []
            if not isinstance(axes, list) or any(type(axis) is not int or not 0 <= axis < 3 for axis in axes):
                limit.refuse(key, "must be an array of axes, each 0, 1 or 2")
                continue
            low, high, shared = _bounds_of_each(lower, upper) if len(axes) > 1 else (lower, upper, frozenset())
            for axis in axes:
                _narrow(ways[axis], low, high, spring)
                ways[axis].stop = stop or ways[axis].stop
                ways[axis].shared |= shared - {OFF_ZERO} if spring else shared
    return slides, turns


def _stop_of_limit(limit: JsonObject, limits: Sequence[JsonObject]) -> Stop | None:
    """How a limit that leaves room gives way; None, and unread, where another one bounds an axis of it, too."""
    stiffness, damping = limit.members.get("stiffness"), limit.members.get("damping", 0.0)
    soft = all(isinstance(value, (int, float)) and value >= 0 for value in (stiffness, damping))
    if not soft or any(other is not limit and _bounded_axes(other) & _bounded_axes(limit) for other in limits):
        return None
    return Stop(stiffness=limit.number("stiffness") or 0.0, damping=limit.number("damping") or 0.0)


def _bounded_axes(limit: JsonObject) -> set[str]:
    """The axes that a limit bounds; looking is not reading."""
    said = {key: limit.members.get(key) for key in ("linearAxes", "angularAxes")}
    return {f"{key} {axis}" for key, axes in said.items() if isinstance(axes, list) for axis in axes}


def _first_number(limit: JsonObject, *keys: str) -> float | None:
    return next((limit.number(key) for key in keys if key in limit), None)


def _bounds_of_each(lower: float | None, upper: float | None) -> tuple[float | None, float | None, frozenset[str]]:
    """Bounds of each of several axes that are bounded together, and what these do not say.

    The limit is one of how far they go, a distance or the angle of a cone, which has no sign: each goes either way. One
    that is below zero can only be meant for each, and one that nothing meets is none of either.
    """
    if lower == upper == 0.0 or (lower is None and upper is None):
        return lower, upper, frozenset()
    least = lower or 0.0
    if least < 0 or (upper is not None and upper < least):
        return lower, upper, frozenset((TOGETHER,))
    if upper is None:
        return None, None, frozenset((OFF_ZERO,) if lower else ())
    return -upper, upper, frozenset((TOGETHER, OFF_ZERO) if lower else (TOGETHER,))


def _narrow(
    way: AxisLimit, lower: float | None, upper: float | None, spring: tuple[float, float, float] | None
) -> None:
    """One more limit on a way: bounds add up. How hard a bound is that leaves room stays unread: here it is hard."""
    if spring is not None:
        way.spring = spring
        return
    if lower is not None:
        way.lower = lower if way.lower is None else max(lower, way.lower)
    if upper is not None:
        way.upper = upper if way.upper is None else min(upper, way.upper)
    if way.lower is not None and way.lower == way.upper:
        way.locked = way.lower


def turn_limits(way: AxisLimit) -> AxisLimit:
    """A turn as engines know it, by where it stands and not how it came there: bounds that are further apart than a
    whole turn are none."""
    if way.lower is None or way.upper is None or way.upper - way.lower <= TURN:
        return way
    return replace(way, lower=None, upper=None)
