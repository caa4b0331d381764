"""Meaning of MuJoCo actuators for other formats: their maximum force on a joint, which is the effort of the joint
there, and the controls with which servos hold a state."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.mjcf.document.defaults import ENDLESS
from converters.mjcf.meaning.flags import is_off
from converters.mjcf.relations.actuators import activation_count, activation_flags, control_count
from converters.source.text import plain_numbers, so_many_numbers, words
from ir.mapping import map_joints, map_table
from ir.scene import Scene
from ir.types import SCALAR, Actuator, Dof, Joint, Tendon, Vec2

LAGS = ("none", "filter", "filterexact")
"""Dynamics of <general> that only delay the control."""


def _shortcut(actuator: Actuator) -> Actuator:
    """Return the motor or servo that a <general> is equivalent to, otherwise the actuator itself. A velocity servo with
    a kp pulls to the position at which its commands, summed up, have arrived (intvelocity).

    Its force is gain * control + bias, an affine bias b0 + b1 * length + b2 * velocity; for a motor control is force.
    """
    said = dict(actuator.parameters)
    if actuator.kind == "intvelocity":
        kp, kv = (1.0 if actuator.kp is None else actuator.kp, actuator.kv or 0.0)
        return replace(actuator, kind="velocity", kp=kp, kv=kv)
    gains = plain_numbers(said.get("gainprm", "1"))
    terms = plain_numbers(said.get("biasprm", "")) if said.get("biastype", "none") == "affine" else ()
    if actuator.kind != "general" or said.get("gaintype", "fixed") != "fixed" or not gains or terms is None:
        return actuator
    if said.get("biastype", "none") not in ("none", "affine"):
        return actuator
    gain, dynamics = gains[0], said.get("dyntype", "none")
    constant, stiffness, damping = (*terms, 0.0, 0.0, 0.0)[:3]
    if dynamics in LAGS and not any((constant, stiffness, damping)):
        low, high = sorted(gain * end for end in actuator.control_range or (0.0, 0.0))
        return replace(actuator, kind="motor", control_range=(low, high) if actuator.control_range else None)
    if gain <= 0.0 or constant or damping > 0.0:
        return actuator
    if stiffness == -gain and dynamics in (*LAGS, "integrator"):
        kind = "velocity" if dynamics == "integrator" else "position"
        return replace(actuator, kind=kind, kp=gain, kv=-damping)
    if not stiffness and damping == -gain and dynamics in LAGS:
        return replace(actuator, kind="velocity", kv=gain)
    return actuator


def _with_plain_actuators(scene: Scene, _: Target) -> Scene:
    """Apply _shortcut, and leave out the ranges of controls that the model does not keep to (flag clampctrl)."""
    clamped = not is_off(scene, "clampctrl")

    def plain(actuator: Actuator) -> Actuator:
        found = _shortcut(actuator)
        return found if clamped else replace(found, control_range=None)

    return map_table(scene, "actuator", plain)


def holding_control(actuator: Actuator, length: float) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Return the controls and activations with which a servo of MuJoCo holds a length; None for other actuators."""
    count = activation_count(actuator)
    if actuator.kind == "intvelocity" or _integrates(actuator):
        return (0.0,), (length,)
    if actuator.kind == "pid":
        said = words(dict(actuator.parameters).get("input", "pos"))
        active = (length if name == "slewmax" else 0.0 for name, kept in activation_flags(actuator).items() if kept)
        return ((length, *(0.0,) * ((control_count(actuator) or 1) - 1)), tuple(active)) if "pos" in said else None
    if count not in (0, 1) or _shortcut(actuator).kind != "position":
        return None
    return (length,), (length,) * count


def _integrates(actuator: Actuator) -> bool:
    """Whether it is a servo whose control is the velocity of its setpoint."""
    lag = dict(actuator.parameters).get("dyntype")
    return actuator.kind == "general" and lag == "integrator" and _shortcut(actuator).kind == "velocity"


def _with_efforts(scene: Scene, _: Target) -> Scene:
    pulling: dict[str, list[Actuator]] = {}
    actuator: Actuator
    for actuator in scene.tables["actuator"].values():
        for dof in _joints_acted_on(actuator, scene):
            pulling.setdefault(dof, []).append(actuator)

    clamped = not is_off(scene, "clampctrl")

    def bounded(joint: Joint) -> Joint:
        dofs = tuple(_with_effort(dof, pulling.get(dof.name, []), clamped) for dof in joint.dofs)
        return replace(joint, dofs=dofs) if dofs != joint.dofs else joint

    return map_joints(scene, bounded)


def _joints_acted_on(actuator: Actuator, scene: Scene) -> list[str]:
    """Return the joints on which an actuator acts, as far as the references show."""
    if actuator.transmission == "tendon":
        tendon: Tendon | None = scene.tables["tendon"].get(actuator.target or "")
        return [point.target for point in tendon.points if point.kind == "joint"] if tendon is not None else []
    return [actuator.dof] if actuator.dof is not None else []


def _with_effort(dof: Dof, actuators: list[Actuator], clamped: bool) -> Dof:
    """Return the dof with the effort that its actuators can exert together, within the limit of the joint. clamped:
    whether controls stay within their ranges."""
    if dof.kind not in SCALAR:
        return dof
    said = dict(dof.parameters)
    if said.get("actuatorfrclimited") == "false":
        dof = replace(dof, effort=None)
    spans = [_forces(actuator, clamped) for actuator in actuators] or [(-math.inf, math.inf)]
    let_through = _forces_let_through(dof, said)
    ends = (_within(sum(each), let_through) for each in zip(*spans, strict=True))
    most = max(map(abs, ends))
    return replace(dof, effort=most) if 0.0 < most < math.inf else dof


def _within(value: float, span: Vec2) -> float:
    return min(max(value, span[0]), span[1])


def _forces_let_through(dof: Dof, said: Mapping[str, str]) -> Vec2:
    """Return the range of the actuator force of a joint, which is its effort if the range is symmetric."""
    if dof.effort is not None and dof.effort > 0.0:
        return (-dof.effort, dof.effort)
    bounds = so_many_numbers(said.get("actuatorfrcrange"), 2)
    if bounds is None or bounds[0] >= bounds[1] or said.get("actuatorfrclimited") == "false":
        return (-math.inf, math.inf)
    return (bounds[0], bounds[1])


def _forces(actuator: Actuator, clamped: bool) -> Vec2:
    """Return the range of the force of an actuator on its joint; all numbers if that is not known or not limited."""
    low, high = -math.inf, math.inf
    if actuator.dof is None:
        return low, high
    for span in (actuator.control_range if clamped and actuator.kind == "motor" else None, actuator.force_range):
        if span is not None and max(map(abs, span)) < ENDLESS:
            low, high = _within(low, span), _within(high, span)
    gear = actuator.gear[0]
    ends = sorted((low * gear, high * gear)) if gear else (0.0, 0.0)
    return ends[0], ends[1]


PLAIN = Pass(
    rule="mjcf/plain-actuator",
    reason="an actuator whose gain and bias are those of a motor or servo is taken as one",
    severity="note",
    wanted=lambda target: not target.fits.actuators,
    apply=_with_plain_actuators,
)

EFFORT = Pass(
    rule="mjcf/actuator-effort",
    reason="the effort limit of a joint is the largest force of all its actuators together, as far as "
    "actuatorfrcrange allows it",
    severity="note",
    apply=_with_efforts,
)
