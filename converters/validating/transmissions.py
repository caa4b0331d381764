"""Transmissions: their joints, actuators, types and interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converters.validating.model import Breach, CheckedModel, broken_rule
from converters.validating.rules import INFO
from ir.scene import Scene
from ir.types import Entity, Transmission

TYPES = ("SimpleTransmission", "DifferentialTransmission", "FourBarLinkageTransmission")
WITH_ROLES = TYPES[1:]
PR2 = "pr2_mechanism_model/"
PREFIX = "hardware_interface/"
INTERFACES = (
    *("EffortJointInterface", "PositionJointInterface", "VelocityJointInterface", "JointStateInterface"),
    *("PosVelJointInterface", "PosVelAccJointInterface", "ActuatorStateInterface", "EffortActuatorInterface"),
    *("PositionActuatorInterface", "VelocityActuatorInterface", "ImuSensorInterface", "ForceTorqueSensorInterface"),
)


def check(model: CheckedModel) -> Iterator[Breach]:
    for transmission in model.scene.tables["transmission"].values():
        yield from _kind(transmission)
        if not (transmission.joints and transmission.actuators):
            message = "it moves no joint" if not transmission.joints else "it has no actuator"
            yield broken_rule("EXT-TR-EMPTY", "transmission", transmission, message)
        yield from _interfaces(transmission)
    for transmission, name in doubled(model.scene):
        message = f"another transmission drives with {name!r} already"
        yield broken_rule("NAME-DUP-ACTUATOR", "transmission", transmission, message)
    yield from _claimed(
        "EXT-TR-CLAIM",
        (
            ("transmission", transmission, (joint.name, interface.strip().removeprefix(PREFIX)))
            for transmission in model.scene.tables["transmission"].values()
            for joint in transmission.joints
            for interface in dict.fromkeys(joint.interfaces)
            if not interface.strip().endswith("StateInterface")
        ),
    )
    yield from _claimed(
        "EXT-HW-CLAIM",
        (
            ("hardware", hardware, (channel.name, interface.name))
            for hardware in model.scene.tables["hardware"].values()
            for channel in hardware.channels
            for interface in channel.commands
        ),
    )


def _claimed(rule: str, claims: Iterable[tuple[str, Entity, tuple[str, str]]]) -> Iterator[Breach]:
    """Yield a breach for each entity that claims a joint command already claimed by an earlier entity or itself: (kind,
    entity, (joint, interface))."""
    first: dict[tuple[str, str], str] = {}
    for kind, entity, (joint, interface) in claims:
        if (joint, interface) in first:
            owner = first[joint, interface]
            who = "it" if owner == entity.name else f"{kind} {owner!r}"
            yield broken_rule(rule, kind, entity, f"{who} takes {interface!r} of {joint!r} already")
        first.setdefault((joint, interface), entity.name)


def doubled(scene: Scene) -> Iterator[tuple[Transmission, str]]:
    """Yield transmissions with an actuator of an earlier one. Types other than simple ones may share theirs."""
    taken: set[str] = set()
    for transmission in scene.tables["transmission"].values():
        if TYPES[0] in transmission.kind:
            own = {end.name for end in transmission.actuators}
            yield from ((transmission, name) for name in sorted(own & taken))
            taken |= own


def _kind(transmission: Transmission) -> Iterator[Breach]:
    kind = transmission.kind.strip()
    plain = kind.replace("::", "/").rpartition("/")[2]
    where, source = f"transmission/{transmission.name}", transmission.source
    if plain not in TYPES and not kind.startswith(PR2):
        message = f"the type {kind!r} is none of {', '.join(TYPES)}" if kind else "it says no type"
        yield Breach(rule="EXT-TR-TYPE", where=f"{where}.kind", message=message, source=source)
    if plain in WITH_ROLES and not kind.startswith(PR2):
        bare = [end.name for end in (*transmission.joints, *transmission.actuators) if not end.role]
        if bare:
            message = f"which part has {', '.join(map(repr, bare))} in it? The loader of ROS wants a <role>"
            yield Breach(rule="EXT-TR-ROLE", where=where, message=message, source=source)


def _interfaces(transmission: Transmission) -> Iterator[Breach]:
    for end in (*transmission.joints, *transmission.actuators):
        for interface in end.interfaces:
            plain = interface.strip().removeprefix(PREFIX)
            old = plain == interface.strip()
            if plain in INTERFACES and not old:
                continue
            message = f"{interface!r} is no hardware interface" if plain not in INTERFACES else f"say {PREFIX}{plain}"
            severity = INFO if plain in INTERFACES else ""
            yield broken_rule("EXT-TR-HWIF", "transmission", transmission, message, severity)
