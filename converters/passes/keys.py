"""Keyframes for a target whose keyframes are about every joint.

The initial positions of ros2_control become one, and joints that follow a named one are named too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from converters.registry import Pass, Target
from ir.kinematics import COORDINATES, configuration, followers
from ir.mapping import map_table
from ir.names import unique
from ir.scene import Address, Scene
from ir.types import Channel, Dof, Hardware, Joint, Keyframe

INITIAL = "initial"
"""Name of the state in which ros2_control starts."""


def _initial(scene: Scene, _: Target) -> Scene:
    """The initial positions of ros2_control's joints as a keyframe (state interface, param initial_value)."""
    dofs = scene.dofs()
    components: Iterable[Hardware] = scene.tables["hardware"].values()
    starts = {
        channel.name: (value, (f"hardware/{hardware.name}", "channels", channel.name, *at))
        for hardware in components
        for channel in hardware.channels
        if channel.kind == "joint" and channel.name in dofs and dofs[channel.name][1].kind not in COORDINATES
        for value, at in _starts(channel)[:1]
    }
    said = {name: (value,) for name, (value, _) in starts.items()}
    if not said:
        return scene
    table: Iterable[Keyframe] = scene.tables["keyframe"].values()
    name = unique(INITIAL, scene.tables["keyframe"])
    return scene.evolve(
        tables={"keyframe": [*table, Keyframe(name=name, positions=tuple(said.items()))]},
        origins={("keyframe/" + name,): tuple(at for _, at in starts.values())},
    )


def _starts(channel: Channel) -> list[tuple[float, Address]]:
    """Initial positions that the interfaces of a joint say, and where; those of states count first."""
    return [
        (each.initial, (field, each.name, "initial"))
        for field, interfaces in (("states", channel.states), ("commands", channel.commands))
        for each in interfaces
        if each.name == "position" and each.initial is not None
    ]


START = Pass(
    rule="keys/initial",
    reason="the positions in which ros2_control starts (initial_value), as a state of the target",
    severity="note",
    wanted=lambda target: target.fits.actuators,
    apply=_initial,
)


def _complete(scene: Scene, _: Target) -> Scene:
    """States that name a leader have its followers follow: equations hold these, and a state that breaks one pulls."""
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
    reason="a keyframe of the target names every joint: one that follows another (mimic) stands where it is led",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.constraints,
    apply=_complete,
)
