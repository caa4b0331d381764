"""The magnetic field of a world that says none, where something measures it, and its time step."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from ir.scene import Scene
from ir.types import WORLD, Physics

MEASURING = "magnetometer"


def magnetic(own: Fits, name: str, always: bool, rule: str) -> Pass:
    """The pass that gives a world with a magnetometer the field (T) that its format (own) has where it says none.

    name: the row of the settings that counts. always: a document is a world, whether it has such a row or not.
    """

    def apply(scene: Scene, _: Target) -> Scene:
        table: dict[str, Physics] = dict(scene.tables["physics"])
        world = table.get(name, Physics(name=name) if always else None)
        measured = any(sensor.kind == MEASURING for sensor in scene.tables["sensor"].values())
        if world is None or world.magnetic is not None or not measured:
            return scene
        table[name] = replace(world, magnetic=own.magnetic)
        return scene.evolve(tables={"physics": table.values()})

    return Pass(
        rule=rule,
        reason="a magnetometer measures the field of the world: where the source says none, it is that of its format",
        severity="note",
        wanted=lambda target: target.fits.magnetic not in (None, own.magnetic),
        apply=apply,
    )


def worldly(scene: Scene) -> bool:
    """Whether the scene is not just one model: it has settings, lights, things in the world itself, or no link."""
    world = scene.body(WORLD)
    there = scene.tables["physics"] or world.geoms or world.lights or world.cameras or world.frames
    return bool(there) or len(scene.bodies) == 1


def stepping(own: Fits, name: str, always: bool, rule: str) -> Pass:
    """The pass that gives a world the time step (s) that its format (own) has where it says none.

    name: the row of the settings that counts. always: also where it has no such row, and is more than one model.
    """

    def apply(scene: Scene, _: Target) -> Scene:
        table: dict[str, Physics] = dict(scene.tables["physics"])
        world = table.get(name, Physics(name=name) if always and worldly(scene) else None)
        if world is None or world.timestep is not None:
            return scene
        table[name] = replace(world, timestep=own.timestep)
        return scene.evolve(tables={"physics": table.values()})

    return Pass(
        rule=rule,
        reason="a world moves in steps of the length that its format has where the source says none",
        severity="note",
        wanted=lambda target: target.fits.timestep not in (None, own.timestep),
        apply=apply,
    )
