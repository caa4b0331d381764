"""The freedom that the limits of a joint of KHR_physics_rigid_bodies leave to the three slides and the three turns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from converters.source.json import JsonObject
from ir.types import Stop

TURN = 2.0 * math.pi * (1.0 + 1e-4)
"""A full turn, with a tolerance for values written with few digits."""
TOGETHER = "one limit applies to several axes together; here it applies to each of them"
OFF_ZERO = "one limit keeps several axes from being at zero together; here it is left out"


class AxisLimit(Struct, kw_only=True):
    """One of the six ways of motion: a bound is None if open; locked is the value at which it is locked.

    shared: what is lost of limits that apply to several ways together.
    """

    lower: float | None = None
    upper: float | None = None
    locked: float | None = None
    shared: frozenset[str] = frozenset()
    spring: tuple[float, float, float] | None = None
    """Stiffness, damping and rest value of a soft limit at a single value."""
    stop: Stop | None = None
    """The softness of its bounds, if a single limit sets them."""


def axis_limits(joint: JsonObject) -> tuple[list[AxisLimit], list[AxisLimit]]:
    """Return the limits of a joint for the three slides and the three turns; a bound that is absent is open (field
    reference of KHR_physics_rigid_bodies, joint limit: min, max). Raises InputError."""
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
    """Return the softness of a limit with a range; None, and unread, if another limit bounds one of its axes, too."""
    stiffness, damping = limit.members.get("stiffness"), limit.members.get("damping", 0.0)
    soft = all(isinstance(value, (int, float)) and value >= 0 for value in (stiffness, damping))
    if not soft or any(other is not limit and _bounded_axes(other) & _bounded_axes(limit) for other in limits):
        return None
    return Stop(stiffness=limit.number("stiffness") or 0.0, damping=limit.number("damping") or 0.0)


def _bounded_axes(limit: JsonObject) -> set[str]:
    """Return the axes that a limit bounds, without marking them as read."""
    said = {key: limit.members.get(key) for key in ("linearAxes", "angularAxes")}
    return {f"{key} {axis}" for key, axes in said.items() if isinstance(axes, list) for axis in axes}


def _first_number(limit: JsonObject, *keys: str) -> float | None:
    return next((limit.number(key) for key in keys if key in limit), None)


def _bounds_of_each(lower: float | None, upper: float | None) -> tuple[float | None, float | None, frozenset[str]]:
    """Return the bounds of each of several axes that are limited together, and what these bounds do not express.

    The limit is on their combined magnitude, a distance or the angle of a cone, which has no sign: each axis may move
    either way. Bounds with a negative minimum, or that nothing can meet, are applied to each axis as given.
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
    """Apply another limit to a way: bounds are intersected. The stiffness of bounds with a range is not read here."""
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
    """Return a turn as engines see it, by its orientation rather than its history: bounds more than a full turn apart
    have no effect."""
    if way.lower is None or way.upper is None or way.upper - way.lower <= TURN:
        return way
    return replace(way, lower=None, upper=None)
