"""Joints that controllers of Gazebo drive: as actuators where a target has some, and such controllers of actuators."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from converters.passes.actuators import of_one_joint
from converters.registry import Pass, Target
from converters.source.controllers import system
from converters.source.tree import serialise
from ir.names import Spares, unique
from ir.scene import Address, Origins, Scene
from ir.scopes import bare, of_joint
from ir.types import SCALAR, Actuator, Block, Extra


class Drive(Struct, frozen=True):
    """A dof that something drives, by what (without a name), and where that is said."""

    dof: str
    actuator: Actuator
    said: Address


Said = Callable[[Scene], Iterable[Drive]]


def driving(said: Said) -> Pass:
    """The pass that gives an actuator to each joint that nothing but a controller drives."""
    return Pass(
        rule="actuators/from-controller",
        reason="a controller of Gazebo drives this joint, with the gains and limits that it says; its integral gain, "
        "its topics and where it starts have no place in an actuator",
        severity="note",
        action="derived",
        wanted=lambda target: target.fits.actuators,
        apply=lambda scene, _: _driven(scene, said(scene)),
    )


def _driven(scene: Scene, said: Iterable[Drive]) -> Scene:
    """The first controller of a joint counts. One of what is no hinge or slide, or moves as another one does, stays."""
    table = dict(scene.tables["actuator"])
    free = {name for name, (_, dof) in scene.dofs().items() if dof.kind in SCALAR and dof.mimic is None}
    free -= {actuator.dof for name, actuator in table.items() if f"actuator/{name}" not in scene.brought}
    spares = Spares(table)
    origins: Origins = {}
    for drive in said:
        if drive.dof in free:
            free.remove(drive.dof)
            name = spares.of(drive.dof)
            table[name] = replace(drive.actuator, name=name, dof=drive.dof)
            origins["actuator/" + name,] = (drive.said,)
    return scene.evolve(tables={"actuator": table.values()}, origins=origins) if origins else scene


def _controlled(scene: Scene, target: Target) -> Scene:
    """A system of Gazebo for each motor or servo of one joint, the first of a joint."""
    table, paths = dict(scene.tables["block"]), {*scene.tables["scope"], ""}
    origins: Origins = {}
    drives: dict[str, Actuator] = {}
    for actuator, dof in of_one_joint(scene):
        if dof.mimic is None:
            drives.setdefault(dof.name, actuator)
    parted = target.fits.single(scene) if drives else scene
    dofs = parted.dofs()
    for dof_name, actuator in drives.items():
        joint, dof = dofs[dof_name]
        path = of_joint(joint, parted, paths)
        plugin = system(actuator, bare(joint.name, path), joint.dofs.index(dof))
        name = unique(plugin.attrs["name"], table)
        extra = Extra(format=target.fits.gazebo, path="", text=serialise(plugin))
        table[name] = Block(name=name, dialect=target.fits.gazebo, target=path, extras=(extra,))
        origins["block/" + name,] = (("actuator/" + actuator.name,),)
    return scene.evolve(tables={"block": table.values()}, origins=origins) if origins else scene


CONTROLLED = Pass(
    rule="actuators/to-controller",
    reason="a system of Gazebo drives the joint of a motor or servo, with its gains and the limits of its force, "
    "commanded in units of the joint; limits of the command have no place there",
    severity="note",
    wanted=lambda target: bool(target.fits.gazebo),
    apply=_controlled,
    lacking=True,
)
