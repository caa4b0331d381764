"""What drives the joints: actuators, the transmissions between them, and the hardware of ros2_control."""

from typing import Annotated

from ir.base import DofRef, Entity, Extra, Naming, Parameters, Ref, Value, Vec2


class Actuator(Entity, kw_only=True):
    """kind: motor, position, velocity or an engine's own word. gear multiplies length and force.

    transmission: what is driven, a joint (dof), or a tendon, site, body ... (target). kp and kv: the gains of
    position and velocity servos, before the gear.
    """

    kind: str
    transmission: str = "joint"
    dof: DofRef | None = None
    target: str | None = None
    gear: tuple[float, ...] = (1.0,)
    kp: float | None = None
    kv: float | None = None
    control_range: Vec2 | None = None
    force_range: Vec2 | None = None
    parameters: Parameters = ()
    naming: Naming = ()


class TransmissionEnd(Value, kw_only=True):
    """One joint or one actuator of a transmission."""

    name: str
    interfaces: tuple[str, ...] = ()
    role: str | None = None
    reduction: float | None = None
    offset: float | None = None
    extras: tuple[Extra, ...] = ()


class Transmission(Entity, kw_only=True):
    """How actuators drive joints. kind is the plugin or class that the source names; joints are named by dof."""

    kind: str
    joints: tuple[Annotated[TransmissionEnd, Ref("dof")], ...] = ()
    actuators: tuple[TransmissionEnd, ...] = ()
    reduction: float | None = None


class Interface(Value, kw_only=True):
    """A ros2_control command or state interface: position, velocity, effort or a custom word."""

    name: str
    minimum: float | None = None
    maximum: float | None = None
    initial: float | None = None
    extras: tuple[Extra, ...] = ()


class Channel(Value, kw_only=True):
    """A joint, sensor or gpio of a hardware component, with its interfaces."""

    name: str
    kind: str = "joint"
    commands: tuple[Interface, ...] = ()
    states: tuple[Interface, ...] = ()
    extras: tuple[Extra, ...] = ()


class Hardware(Entity, kw_only=True):
    """A ros2_control component: kind is system, sensor or actuator."""

    kind: str
    plugin: str | None = None
    channels: tuple[Channel, ...] = ()
