"""The magnetic field of a world without one, if something measures it, and its time step."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from ir.scene import Scene
from ir.types import WORLD, Physics

MEASURING = "magnetometer"


def worldly(scene: Scene, settings: bool = True) -> bool:
    """Whether the scene is not just one model: it has settings (which may not count), lights, things in the world
    itself, or no link."""
    world = scene.body(WORLD)
    there = (settings and scene.tables["physics"]) or world.geoms or world.lights or world.cameras or world.frames
    return bool(there) or len(scene.bodies) == 1


def worldwide(own: Fits, name: str, always: bool, form: str) -> tuple[Pass, Pass]:
    """The passes that give a world the defaults of its format (own): the magnetic field (T) if it has a magnetometer,
    and the time step (s).

    name: the row of the settings that is used. always: a document is a world, whether it has such a row or not; for the
    time step it must be more than one model.
    """

    def measuring(scene: Scene, _: Target) -> Scene:
        measured = any(sensor.kind == MEASURING for sensor in scene.tables["sensor"].values())
        return _with_setting(scene, name, always, "magnetic", own.magnetic) if measured else scene

    def stepping(scene: Scene, _: Target) -> Scene:
        return _with_setting(scene, name, always and worldly(scene), "timestep", own.timestep)

    return (
        Pass(
            rule=f"{form}/default-field",
            reason="a magnetometer measures the magnetic field of the world: where the source sets none, the default "
            "of its format applies",
            severity="note",
            wanted=lambda target: target.fits.magnetic not in (None, own.magnetic),
            apply=measuring,
        ),
        Pass(
            rule=f"{form}/default-step",
            reason="the time step of the simulation: the default of its format, where the source sets none",
            severity="note",
            wanted=lambda target: target.fits.timestep not in (None, own.timestep),
            apply=stepping,
        ),
    )


def _with_setting(scene: Scene, name: str, always: bool, field: str, value: object) -> Scene:
    """The scene in which the settings of this name have a value where they had none; always: even without settings."""
    table: dict[str, Physics] = dict(scene.tables["physics"])
    world = table.get(name, Physics(name=name) if always else None)
    if world is None or getattr(world, field) is not None:
        return scene
    table[name] = replace(world, **{field: value})
    return scene.evolve(tables={"physics": table.values()})
