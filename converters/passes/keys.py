"""Keyframes for a target whose keyframes contain every joint and every actuator.

The initial positions of ros2_control become one, as do those and the states of SDFormat; followers of a named joint are
added, and position servos are commanded to the positions of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from converters.format import HoldingControl, Pass, Target
from converters.passes.actuators import ONE_JOINT
from ir.kinematics import COORDINATES, configuration, followers, rest
from ir.mapping import added, map_table
from ir.names import unique
from ir.scene import Address, Origins, Scene
from ir.types import Actuator, Channel, Dof, Hardware, Joint, Keyframe, Tendon

INITIAL = "initial"
"""Name of the state in which ros2_control, or Gazebo, starts."""
WORDED = (
    "scene.extras.sdf/world/state, scene.extras.sdf/model/model_state, joint.extras.sdf/axis/initial_position, "
    "joint.extras.sdf/axis2/initial_position"
)
"""Places in the graph of SDFormat elements that become a keyframe (as in format.Loss.fields)."""
STATED = "keys/stated"
Stated = tuple[Keyframe, tuple[Address, ...]]
"""A state in a document's own elements, and its place."""


def initial_state(scene: Scene) -> Keyframe | None:
    """The initial state of ros2_control (param initial_value); None if it has none. It is in no table."""
    said = tuple((name, (value,)) for name, (value, _) in _starts_of_joints(scene).items())
    return Keyframe(name=INITIAL, positions=said) if said else None


def _initial(scene: Scene, _: Target) -> Scene:
    key = initial_state(scene)
    if key is None:
        return scene
    key = replace(key, name=unique(INITIAL, scene.tables["keyframe"]))
    origins: Origins = {("keyframe/" + key.name,): tuple(at for _, at in _starts_of_joints(scene).values())}
    return added(scene, "keyframe", [key], origins)


def _starts_of_joints(scene: Scene) -> dict[str, tuple[float, Address]]:
    """Joint -> its initial position in ros2_control, and the place of that."""
    dofs = scene.dofs()
    components: Iterable[Hardware] = scene.tables["hardware"].values()
    return {
        channel.name: (value, (f"hardware/{hardware.name}", "channels", channel.name, *at))
        for hardware in components
        for channel in hardware.channels
        if channel.kind == "joint" and channel.name in dofs and dofs[channel.name][1].kind not in COORDINATES
        for value, at in _starts(channel)[:1]
    }


def _starts(channel: Channel) -> list[tuple[float, Address]]:
    """Initial positions of the interfaces of a joint, with their places; state interfaces take precedence."""
    return [
        (each.initial, (field, each.name, "initial"))
        for field, interfaces in (("states", channel.states), ("commands", channel.commands))
        for each in interfaces
        if each.name == "position" and each.initial is not None
    ]


START = Pass(
    rule="keys/initial",
    reason="the positions in which ros2_control starts (initial_value), as a keyframe or state of the target",
    severity="note",
    wanted=lambda target: target.fits.actuators,
    apply=_initial,
)


def stating(find: Callable[[Scene], Iterator[Stated]]) -> Pass:
    """The pass of a format whose documents express states in elements of their own: no state is made of an empty one,
    nor of one that the scene already has."""

    def stated(scene: Scene, _: Target) -> Scene:
        table: dict[str, Keyframe] = dict(scene.tables["keyframe"])
        origins: Origins = {}
        for key, said in find(scene):
            known = (replace(each, name=key.name, source=None) for each in table.values())
            if said and (key.positions or key.velocities or key.controls or key.time) and key not in known:
                name = unique(key.name, table)
                table[name] = replace(key, name=name)
                origins["keyframe/" + name,] = said
        return scene.evolve(tables={"keyframe": table.values()}, origins=origins) if origins else scene

    return Pass(
        rule=STATED,
        reason="initial or current positions and velocities of joints, and the first commands of their "
        "controllers, as a keyframe or state of the target",
        severity="note",
        action="derived",
        apply=stated,
    )


def commanded(
    scene: Scene, said: Iterable[tuple[str, str, float, Address]]
) -> tuple[tuple[tuple[str, tuple[float]], ...], tuple[Address, ...]]:
    """Controls of the servos of dofs, by their initial commands (dof, kind of servo, radians or metres, or these per
    second, place), and the place of each."""
    table: Iterable[Actuator] = scene.tables["actuator"].values()
    servos = {each.dof: (each.kind.removeprefix("int"), each.name) for each in reversed([*table])}
    found = {
        servos[dof][1]: (value, at)
        for dof, kind, value, at in said
        if value and dof in servos and servos[dof][0] == kind
    }
    return tuple((name, (value,)) for name, (value, _) in found.items()), tuple(at for _, at in found.values())


def _with_followers(scene: Scene, _: Target) -> Scene:
    """States get the positions of followers: equations couple these, and pull at a state that violates them."""
    led = followers(scene)
    dofs = scene.dofs()
    return map_table(scene, "keyframe", lambda key: _followed(scene, key, led, dofs)) if led else scene


def _followed(scene: Scene, key: Keyframe, led: set[str], dofs: Mapping[str, tuple[Joint, Dof]]) -> Keyframe:
    said = {name: value for name, value in key.positions if name in dofs}
    if not said:
        return key
    whole = configuration(scene, said)
    more = tuple(
        (name, whole[name])
        for name in whole
        if name in led and name not in said and whole[name] != (dofs[name][1].zero,)
    )
    return replace(key, positions=(*key.positions, *more)) if more else key


FOLLOWED = Pass(
    rule="keys/followers",
    reason="a keyframe of the target contains every joint: one that follows another one (mimic) has the "
    "position that follows from it",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.constraints,
    apply=_with_followers,
)


def with_controls(scene: Scene, key: Keyframe, held: HoldingControl | None) -> Keyframe:
    """The state with the controls and activations that hold it, of actuators that drive to a position (held: as
    Fits.held). A state with controls or activations, or without positions, is unchanged."""
    if held is None or key.controls or key.activations or not key.positions:
        return key
    said = dict(key.positions)
    places = {
        name: said.get(name) or rest(joint, dof)
        for name, (joint, dof) in scene.dofs().items()
        if dof.kind not in COORDINATES
    }
    lengths = {name: value for name, (value,) in places.items()}
    table: Iterable[Actuator] = scene.tables["actuator"].values()
    found = {
        each.name: orders
        for each in table
        if (length := _length_of_actuator(scene, each, lengths)) and (orders := held(each, length)) is not None
    }
    return replace(
        key,
        controls=tuple((name, control) for name, (control, _) in found.items() if any(control)),
        activations=tuple((name, active) for name, (_, active) in found.items() if active),
    )


def _length_of_actuator(scene: Scene, actuator: Actuator, places: Mapping[str, float]) -> float | None:
    """The position of an actuator, behind its gear; None if the state does not determine it."""
    if actuator.transmission in ONE_JOINT and actuator.dof is not None and actuator.dof in places:
        return actuator.gear[0] * places[actuator.dof]
    tendon: Tendon | None = scene.tables["tendon"].get(actuator.target or "")
    if actuator.transmission != "tendon" or tendon is None:
        return None
    shares = [
        (point.value or 0.0) * places[point.target]
        for point in tendon.points
        if point.kind == "joint" and point.target in places
    ]
    return actuator.gear[0] * sum(shares) if len(shares) == len(tendon.points) else None


CONTROLLED = Pass(
    rule="keys/controls",
    reason="a keyframe of the target contains controls, too: position servos are commanded to the positions of "
    "the keyframe, since they would pull the joints to zero otherwise",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.held is not None,
    apply=lambda scene, target: map_table(scene, "keyframe", lambda key: with_controls(scene, key, target.fits.held)),
)
