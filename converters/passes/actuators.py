"""Actuators from the drives of URDF (transmissions and ros2_control), and the other way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.names import Spares, unique
from ir.scene import Address, Origins, Scene
from ir.types import (
    SCALAR,
    Actuator,
    Channel,
    Dof,
    Hardware,
    Interface,
    Tendon,
    TendonPoint,
    Transmission,
    TransmissionEnd,
    Vec2,
)

WORDS = (("effort", "motor"), ("position", "position"), ("posvel", "position"), ("velocity", "velocity"))
"""Part of an interface name -> kind of actuator; a drive that accepts effort is a motor whatever else it accepts.
Position, velocity and perhaps acceleration in one are PosVelJointInterface and PosVelAccJointInterface of ROS 1."""
INTERFACES = {
    "motor": ("effort", "hardware_interface/EffortJointInterface"),
    "position": ("position", "hardware_interface/PositionJointInterface"),
    "velocity": ("velocity", "hardware_interface/VelocityJointInterface"),
}
"""Kind of actuator -> its command interface in ros2_control and in transmissions of ROS 1."""
SIMPLE = "transmission_interface/SimpleTransmission"
STAND_IN = "mock_components/GenericSystem"
"""ros2_control's own plugin for missing hardware; it loads no description without a plugin."""
STATES = (Interface(name="position"), Interface(name="velocity"))
ONE_JOINT = ("joint", "jointinparent")


def _from_transmissions(scene: Scene, _: Target) -> Scene:
    dofs = {name: dof for name, (_, dof) in scene.dofs().items() if dof.kind in SCALAR}
    table = dict(scene.tables["actuator"])
    tendons = dict(scene.tables["tendon"])
    spares, ropes = Spares(table), Spares(tendons)
    origins: Origins = {}
    shared: set[str] = set()
    driven = {actuator.dof for name, actuator in table.items() if f"actuator/{name}" not in scene.brought}
    transmission: Transmission
    for transmission in scene.tables["transmission"].values():
        ends = {end.name for end in transmission.joints}
        coupled = _differential_drives(transmission)
        if not coupled or not ends <= dofs.keys() or ends & (driven | shared):
            continue
        shared |= ends
        for drive, shares in coupled:
            name = drive.name or transmission.name
            own = spares.of(name)
            tendon = Tendon(name=ropes.of(name), kind="fixed", points=shares, source=transmission.source)
            tendons[tendon.name] = tendon
            origins["actuator/" + own,] = (("transmission/" + transmission.name,),)
            table[own] = Actuator(
                name=own,
                kind=kind_of(drive.interfaces),
                transmission="tendon",
                target=tendon.name,
                gear=(drive.reduction or 1.0,),
            )
    made: dict[str, list[str]] = {}
    for name, joint, interfaces, gear, bounds, at in _drives(scene):
        drivers = made.setdefault(joint, [])
        another = at[0].startswith("transmission/") and name not in table and joint not in shared
        if drivers and not another:
            origins |= {("actuator/" + each,): (*origins["actuator/" + each,], at) for each in drivers}
        elif joint in dofs and (another or joint not in driven | shared):
            actuator = actuator_of(spares.of(name), dofs[joint], kind_of(interfaces), gear, bounds)
            table[actuator.name] = actuator
            drivers.append(actuator.name)
            origins["actuator/" + actuator.name,] = (at,)
    if len(table) == len(scene.tables["actuator"]):
        return scene
    return scene.evolve(tables={"actuator": table.values(), "tendon": tendons.values()}, origins=origins)


def _differential_drives(transmission: Transmission) -> list[tuple[TransmissionEnd, tuple[TendonPoint, ...]]]:
    """Each actuator of two that share two joints, with the coefficient of every joint in its length.

    That is the position of the actuator behind its gear, as ROS's transmission_interface computes it from the joints;
    the torques follow by virtual work. Without roles they are taken in order. Empty for every other transmission.
    """
    if len(transmission.joints) != 2 or len(transmission.actuators) != 2 or _only_measures(transmission):
        return []
    first, second = _by_role(transmission.joints, "joint")
    one, two = _by_role(transmission.actuators, "actuator")
    if first.name == second.name:
        return []
    a, b = first.reduction or 1.0, second.reduction or 1.0
    word = transmission.kind.lower()
    if "differential" in word:
        rows = ((a, b), (a, -b))
    elif "fourbar" in word:
        rows = ((a, 0.0), (1.0, b))
    else:
        return []
    return [
        (
            drive,
            tuple(
                TendonPoint(kind="joint", target=end.name, value=share)
                for end, share in zip((first, second), row, strict=True)
                if share
            ),
        )
        for drive, row in zip((one, two), rows, strict=True)
    ]


def _by_role(ends: Sequence[TransmissionEnd], word: str) -> Sequence[TransmissionEnd]:
    """In the order of their roles (joint1, joint2), if they have roles."""
    roles = [(end.role or "").strip() for end in ends]
    return ends[::-1] if roles == [f"{word}2", f"{word}1"] else ends


def _drives(scene: Scene) -> Iterator[tuple[str, str, tuple[str, ...], float, Vec2 | None, Address]]:
    """(actuator name, dof, interface names, gear, bounds of the command if given, place) of drives of one joint.

    Drives of two joints are those of _differential_drives; all others stay carried, and so do those that only measure.
    """
    hardware: Hardware
    bounded: dict[tuple[str, str], Vec2 | None] = {}
    for hardware in scene.tables["hardware"].values():
        for channel in hardware.channels:
            if channel.kind == "joint" and channel.commands:
                kind = kind_of([each.name for each in channel.commands])
                bounded.setdefault((channel.name, kind), bounds_of(channel.commands))
    transmission: Transmission
    for transmission in scene.tables["transmission"].values():
        if len(transmission.joints) == 1 and len(transmission.actuators) == 1:
            (joint,), (actuator,) = transmission.joints, transmission.actuators
            interfaces, gear = joint.interfaces + actuator.interfaces, gear_of(transmission)
            if _only_measures(transmission):
                continue
            kind = kind_of(interfaces)
            bounds = bounded.get((joint.name, kind))
            if bounds is not None and kind == "motor":  # command bounds are for the joint, not for the motor side
                low, high = sorted(end / gear for end in bounds)
                bounds = (low, high)
            yield (
                actuator.name or transmission.name,
                joint.name,
                interfaces,
                gear,
                bounds,
                (f"transmission/{transmission.name}",),
            )
    for hardware in scene.tables["hardware"].values():
        for channel in hardware.channels:
            if channel.kind == "joint" and channel.commands:
                names = tuple(interface.name for interface in channel.commands)
                at = (f"hardware/{hardware.name}", "channels", channel.name, "commands")
                yield channel.name, channel.name, names, 1.0, bounds_of(channel.commands), at


def _only_measures(transmission: Transmission) -> bool:
    """Whether it only measures, and commands nothing (JointStateInterface of ROS 1)."""
    ends = (*transmission.joints, *transmission.actuators)
    interfaces = [interface.strip().lower() for end in ends for interface in end.interfaces]
    return bool(interfaces) and all(each.endswith("stateinterface") for each in interfaces)


def gear_of(transmission: Transmission) -> float:
    """The reduction of a transmission of one joint and one actuator."""
    ends = (*transmission.actuators, *transmission.joints)
    return next((value for value in (*(end.reduction for end in ends), transmission.reduction) if value), 1.0)


def command_of(commands: Sequence[Interface]) -> Interface:
    """The one of several commands that an actuator accepts."""
    kind = kind_of([interface.name for interface in commands])
    return next((interface for interface in commands if kind_of([interface.name]) == kind), commands[0])


def bounds_of(commands: Sequence[Interface]) -> Vec2 | None:
    """The bounds that ros2_control puts on the command of the actuator (params min and max)."""
    taken = command_of(commands)
    if taken.minimum is None or taken.maximum is None or not taken.minimum < taken.maximum:
        return None
    return taken.minimum, taken.maximum


def actuator_of(name: str, dof: Dof, kind: str, gear: float, bounds: Vec2 | None) -> Actuator:
    """A motor is commanded on its own side of the gear, a servo in joint units.

    The gains are not known, and none are made up.
    """
    limit = dof.effort / abs(gear) if kind == "motor" and dof.effort else dof.velocity if kind == "velocity" else None
    if bounds is None and limit and 0.0 < limit < math.inf:
        bounds = (-limit, limit)
    ends = (dof.lower, dof.upper)
    if bounds is None and kind == "position" and ends[0] is not None and ends[1] is not None and ends[0] < ends[1]:
        bounds = (ends[0], ends[1])
    return Actuator(
        name=name, kind=kind, dof=dof.name, gear=(gear,) if kind == "motor" else (1.0,), control_range=bounds
    )


def gains(actuator: Actuator) -> Vec2:
    """The stiffness and the damping of a position or velocity servo, on its own side of the gear.

    Missing gains are MuJoCo's defaults (XML reference, actuator/position kp and actuator/velocity kv: 1).
    """
    position = actuator.kind == "position"
    stiffness, damping = (1.0, 0.0) if position else (0.0, 1.0)
    return (stiffness if actuator.kp is None else actuator.kp, damping if actuator.kv is None else actuator.kv)


def kind_of(interfaces: Sequence[str]) -> str:
    """The kind of the actuator with these command interfaces: of several, effort is used, then position."""
    lower = " ".join(interfaces).lower()
    return next((kind for word, kind in WORDS if word in lower), "motor")


FROM_TRANSMISSIONS = Pass(
    rule="actuators/from-transmission",
    reason="made from a transmission or a ros2_control joint; of several command interfaces effort is taken "
    "before position, and position before velocity; the source has no gains, so the target's defaults "
    "apply",
    severity="note",
    wanted=lambda target: target.fits.actuators,
    apply=_from_transmissions,
)


def transmitted(scene: Scene) -> Scene:
    """A transmission for each motor or servo of one joint, and one ros2_control system with all of these joints.

    A joint that a system already has without a command gets its command there, and needs no transmission.
    """
    drives = [*of_one_joint(scene)]
    if not drives:
        return scene
    channels = {
        channel.name: (system, channel)
        for system, hardware in scene.tables["hardware"].items()
        for channel in hardware.channels
        if channel.kind == "joint"
    }
    taken = {name for name, (_, channel) in channels.items() if channel.commands}
    apart = [each for each in drives if each[1].name not in channels or each[1].name in taken]
    free = [each for each in drives if each[1].name not in taken]
    transmissions, origins = _transmissions(scene, apart)
    systems, more = _systems(scene, free, channels)
    tables = {"transmission": transmissions.values(), "hardware": systems.values()}
    return scene.evolve(tables=tables, origins=origins | more)


def _transmissions(scene: Scene, drives: Iterable[tuple[Actuator, Dof]]) -> tuple[Mapping[str, Transmission], Origins]:
    """The transmissions of a scene with one for each of these drives, and the origin of each."""
    table, origins = dict(scene.tables["transmission"]), Origins()
    spares = Spares(table)
    for actuator, dof in drives:
        made = spares.of(f"{actuator.name}_transmission")
        driven = TransmissionEnd(name=dof.name, interfaces=(INTERFACES[actuator.kind][1],))
        drive = TransmissionEnd(name=actuator.name, reduction=actuator.gear[0])
        table[made] = Transmission(name=made, kind=SIMPLE, joints=(driven,), actuators=(drive,))
        origins["transmission/" + made,] = (("actuator/" + actuator.name,),)
    return table, origins


def _systems(
    scene: Scene, drives: Iterable[tuple[Actuator, Dof]], channels: Mapping[str, tuple[str, Channel]]
) -> tuple[Mapping[str, Hardware], Origins]:
    """The hardware of a scene with a command for each of these drives, and the origin of each.

    channels: the system and the channel of a joint that has one; joints without become those of a new system.
    """
    systems, origins = dict(scene.tables["hardware"]), Origins()
    commands: dict[str, dict[str, Interface]] = {}
    moved: dict[str, list[Address]] = {}
    for actuator, dof in drives:
        word, words = INTERFACES[actuator.kind][0], commands.setdefault(dof.name, {})
        least, most = _command_range(actuator, dof) if word not in words else (None, None)  # none if there are two
        words[word] = Interface(name=word, minimum=least, maximum=most)
        moved.setdefault(dof.name, []).append(("actuator/" + actuator.name,))
    own = unique(scene.name or "robot", systems)
    new = []
    for name, words in commands.items():
        system, channel = channels.get(name, (own, Channel(name=name, states=STATES)))
        done = replace(channel, commands=tuple(words.values()))
        at: Address = (f"hardware/{system}", "channels", name)
        if name in channels:
            rest = tuple(done if each is channel else each for each in systems[system].channels)
            systems[system] = replace(systems[system], channels=rest)
            at = (*at, "commands")
        else:
            new.append(done)
        origins[at] = tuple(moved[name])
    if new:
        systems[own] = Hardware(name=own, kind="system", plugin=STAND_IN, channels=tuple(new))
    return systems, origins


def of_one_joint(scene: Scene) -> Iterator[tuple[Actuator, Dof]]:
    """Motors and servos of one hinge or slide that no transmission drives already."""
    known = {end.name for transmission in scene.tables["transmission"].values() for end in transmission.actuators}
    dofs = scene.dofs()
    actuator: Actuator
    for actuator in scene.tables["actuator"].values():
        if actuator.dof not in dofs or actuator.name in known or actuator.transmission not in ONE_JOINT:
            continue
        joint, dof = dofs[actuator.dof]
        moved = dof.kind in SCALAR and not joint.closes_loop
        if moved and actuator.kind in INTERFACES and actuator.gear[0]:
            yield actuator, dof


def _command_range(actuator: Actuator, dof: Dof) -> Vec2 | tuple[None, None]:
    """Smallest and largest command of the joint; the control of an actuator is on its own side of the gear."""
    gear = actuator.gear[0]
    bounds = actuator.control_range
    if actuator.kind == "motor":
        ends = [end * gear for end in bounds or ()]
        if dof.effort:
            ends = [min(max(end, -dof.effort), dof.effort) for end in ends or (-dof.effort, dof.effort)]
    else:
        ends = [end / gear for end in bounds or ()]
    return (min(ends), max(ends)) if ends and all(map(math.isfinite, ends)) else (None, None)


TO_TRANSMISSIONS = Pass(
    rule="actuators/to-transmission",
    reason="a motor or servo of one joint becomes a ROS 1 transmission and a ros2_control joint; the hardware "
    "plugin named there is a placeholder for that of your robot",
    severity="note",
    wanted=lambda target: target.fits.transmissions,
    apply=lambda scene, _: transmitted(scene),
    lacking=True,
)
