"""Actuators from what URDF says about drives: transmissions and ros2_control."""

from __future__ import annotations

from collections.abc import Iterator

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.names import unique
from ir.scene import Scene
from ir.types import Actuator, Dof, DofKind, Hardware, Transmission

WORDS = (("effort", "motor"), ("position", "position"), ("velocity", "velocity"))
"""Part of an interface name -> kind of actuator; a drive that takes effort is a motor whatever else it takes."""


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    dofs = {name: dof for name, (_, dof) in scene.dofs().items() if dof.kind in (DofKind.HINGE, DofKind.SLIDE)}
    table = dict(scene.tables["actuator"])
    driven = {actuator.dof for actuator in table.values()}
    for name, joint, interfaces, gear in _drives(scene):
        if joint not in dofs or joint in driven:
            continue
        driven.add(joint)
        actuator = _actuator(unique(name, table), dofs[joint], interfaces, gear)
        table[actuator.name] = actuator
    return scene.evolve(tables={"actuator": table.values()}) if len(table) > len(scene.tables["actuator"]) else scene


def _drives(scene: Scene) -> Iterator[tuple[str, str, tuple[str, ...], float]]:
    """(actuator name, dof, interface names, gear) of every drive of one joint.

    Coupled ones (differential, four bar) have no single joint and stay carried.
    """
    transmission: Transmission
    for transmission in scene.tables["transmission"].values():
        if len(transmission.joints) == 1 and len(transmission.actuators) == 1:
            (joint,), (actuator,) = transmission.joints, transmission.actuators
            reduction = next(
                (value for value in (actuator.reduction, joint.reduction, transmission.reduction) if value), 1.0
            )
            yield actuator.name or transmission.name, joint.name, joint.interfaces + actuator.interfaces, reduction
    hardware: Hardware
    for hardware in scene.tables["hardware"].values():
        for channel in hardware.channels:
            if channel.kind == "joint" and channel.commands:
                yield channel.name, channel.name, tuple(interface.name for interface in channel.commands), 1.0


def _actuator(name: str, dof: Dof, interfaces: tuple[str, ...], gear: float) -> Actuator:
    """A motor is commanded on its own side of the gear, a servo in joint units.

    No gains are known, none are made up.
    """
    lower = " ".join(interfaces).lower()
    kind = next((kind for word, kind in WORDS if word in lower), "motor")
    if kind == "motor":
        limit = dof.effort / abs(gear) if dof.effort else None
    elif kind == "velocity":
        limit = dof.velocity or None
    else:
        limit = None
    bounds = (-limit, limit) if limit else None
    if kind == "position" and dof.lower is not None and dof.upper is not None and dof.lower < dof.upper:
        bounds = (dof.lower, dof.upper)
    return Actuator(
        name=name, kind=kind, dof=dof.name, gear=(gear,) if kind == "motor" else (1.0,), control_range=bounds
    )


PASS = Pass(
    loss=Loss(
        field="actuator",
        rule="actuators/from-transmission",
        reason="made from a transmission or ros2_control joint; "
        "the source has no gains, so those of the target's defaults hold",
        severity="note",
    ),
    wanted=lambda fits, options: fits.actuators,
    apply=_apply,
)
