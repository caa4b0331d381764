"""Edited limits and drives of one joint axis: values that differ from what would be written for the embedded graph go
to the dof, and to the actuator that drives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from converters.gltf.foreign.joints import positive
from converters.gltf.foreign.limits import AxisLimit
from converters.gltf.ours.graph import nearly_equal
from converters.passes.actuators import gains
from converters.source.json import JsonObject
from ir.types import Actuator, Dof, DofKind

Ways = tuple[list[AxisLimit], list[AxisLimit]]


def as_number(value: Any) -> float | None:
    """Return a JSON number as float; None for any other value."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def edited_limits(dofs: Sequence[Dof], axes: Sequence[int], now: Ways, then: Ways) -> Sequence[Dof]:
    """Return the dofs with the limits of the document; an axis that is or was locked keeps those of the graph."""
    made = []
    for dof, axis in zip(dofs, axes, strict=True):
        slide = dof.kind is DofKind.SLIDE
        new, old = now[0 if slide else 1][axis], then[0 if slide else 1][axis]
        if dof.kind is not DofKind.BALL and new.locked is None and old.locked is None:
            bounds = {
                key: None if value is None else value + dof.zero
                for key, value, before in (("lower", new.lower, old.lower), ("upper", new.upper, old.upper))
                if not nearly_equal(value, before)
            }
            if new.lower is None or new.upper is None or new.lower < new.upper:
                dof = replace(dof, **bounds)
        if new.locked is None and old.locked is None and new.stop != old.stop:
            dof = replace(dof, stop=new.stop)
        made.append(dof)
    return made


def edited_drive(
    dof: Dof, actuator: Actuator | None, axis: int, now: JsonObject, then: JsonObject
) -> tuple[Dof, Actuator | None]:
    """Return the dof with the spring and damper of the document. The part that its actuator contributes goes to the
    actuator; values below the dof's own reduce those of the dof. Raises InputError for negative numbers."""
    new, old = _drive_on_axis(now, dof, axis), _drive_on_axis(then, dof, axis)
    if nearly_equal(new, old) or dof.kind is DofKind.BALL:
        return dof, actuator
    more = {key: (new.get(key) or 0.0) - (old.get(key) or 0.0) for key in ("stiffness", "damping")}
    if actuator is not None:
        gear = abs(actuator.gear[0])
        changed: dict[str, float] = {}
        left: dict[str, float] = {}
        for name, key, before in zip(("kp", "kv"), ("stiffness", "damping"), gains(actuator), strict=True):
            gain = before + more[key] / gear**2
            changed |= {name: max(gain, 0.0)} if more[key] else {}
            own = getattr(dof, key) or 0.0
            rest = max(own + gain * gear**2, 0.0)
            left |= {key: 0.0 if nearly_equal(own + rest, own) else rest} if gain < 0 else {}
        force = as_number(new.get("maxForce"))
        made = replace(actuator, **changed)
        if not nearly_equal(force, old.get("maxForce")):
            made = replace(made, force_range=None if force is None else (-force / gear, force / gear))
        return (replace(dof, **left) if left else dof), made
    stiffness, damping = (as_number(new.get(key)) or 0.0 for key in ("stiffness", "damping"))
    made_ = dof if not more["stiffness"] else replace(dof, stiffness=stiffness)
    made_ = made_ if not more["damping"] else replace(made_, damping=damping)
    place = as_number(new.get("positionTarget"))
    if place is not None and stiffness and not nearly_equal(place, old.get("positionTarget")):
        made_ = replace(made_, spring_reference=place + dof.zero)
    return made_, None


def _drive_on_axis(entry: JsonObject, dof: Dof, axis: int) -> dict[str, Any]:
    kind = "linear" if dof.kind is DofKind.SLIDE else "angular"
    drives = [each for each in entry.children("drives") if each.members.get("type") == kind]
    found = next((each for each in drives if each.members.get("axis") == axis), None)
    if found is None:
        return {}
    for key in ("maxForce", "stiffness", "damping"):
        positive(found, key)
    return found.members
