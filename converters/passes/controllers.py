"""Joints driven by controllers of Gazebo and Drake: as actuators for a target that has some; and Gazebo's controllers
made of actuators."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.actuators import gains, of_one_joint
from ir.names import Spares, unique
from ir.scene import Address, Origins, Scene
from ir.scopes import bare, of_joint
from ir.types import SCALAR, Actuator, Block, Extra


class Drive(Struct, frozen=True):
    """A dof that a controller drives, the drive (named as the dof, if it has no name), and its place."""

    dof: str
    actuator: Actuator
    said: Address


SYSTEMS = {
    "motor": ("apply-joint-force", "ApplyJointForce"),
    "position": ("joint-position-controller", "JointPositionController"),
    "velocity": ("joint-controller", "JointController"),
}
"""Kind of actuator -> the equivalent system of gz-sim: part of its file name, and its class."""
ENDLESS = 1e16
"""N m, or N: no limit of a force, as elsewhere in SDFormat."""
ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

Said = Callable[[Scene], Iterable[Drive]]


def controller_drives(said: Said) -> Pass:
    """The pass that gives an actuator to each joint that is only driven by a controller."""
    return Pass(
        rule="actuators/from-controller",
        reason="a controller of Gazebo or Drake drives this joint, with its gains and limits; integral gains, offsets "
        "and topics cannot be written into an actuator",
        severity="note",
        action="derived",
        wanted=lambda target: target.fits.actuators,
        apply=lambda scene, _: _driven(scene, said(scene)),
    )


def _driven(scene: Scene, said: Iterable[Drive]) -> Scene:
    """The first controller of a joint is used. One of a follower, or of no hinge or slide, is ignored."""
    table = dict(scene.tables["actuator"])
    free = {name for name, (_, dof) in scene.dofs().items() if dof.kind in SCALAR and dof.mimic is None}
    free -= {actuator.dof for name, actuator in table.items() if f"actuator/{name}" not in scene.brought}
    spares = Spares(table)
    origins: Origins = {}
    for drive in said:
        if drive.dof in free:
            free.remove(drive.dof)
            name = spares.of(drive.actuator.name or drive.dof)
            table[name] = replace(drive.actuator, name=name, dof=drive.dof)
            origins["actuator/" + name,] = (drive.said,)
    return scene.evolve(tables={"actuator": table.values()}, origins=origins) if origins else scene


def _controlled(scene: Scene, target: Target) -> Scene:
    """A system of Gazebo for the first motor or servo of each joint."""
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
        called, text = _system(actuator, bare(joint.name, path), joint.dofs.index(dof))
        name = unique(called, table)
        extra = Extra(format=target.fits.gazebo, path="", text=text)
        table[name] = Block(name=name, dialect=target.fits.gazebo, target=path, extras=(extra,))
        origins["block/" + name,] = (("actuator/" + actuator.name,),)
    return scene.evolve(tables={"block": table.values()}, origins=origins) if origins else scene


def _system(actuator: Actuator, joint: str, axis: int) -> tuple[str, str]:
    """The name and the text of the <plugin> that drives an axis of a joint as a motor or servo does. The stiffness of a
    velocity servo is that of its summed commands, an integral gain: its force is kp * integral of the error."""
    file, called = SYSTEMS[actuator.kind]
    said = {"joint_name": joint.translate(ESCAPED)} | ({"joint_index": str(axis)} if axis else {})
    if actuator.kind != "motor":
        gear, bounds = actuator.gear[0], actuator.force_range
        stiffness, damping = gains(actuator) if actuator.kind == "position" else (gains(actuator)[1], 0.0)
        low, high = sorted(end * gear for end in bounds) if bounds is not None else (-ENDLESS, ENDLESS)
        integral = (actuator.kp or 0.0) if actuator.kind == "velocity" else 0.0
        numbers = {"p_gain": stiffness * gear**2, "d_gain": damping * gear**2, "i_gain": integral * gear**2}
        numbers |= {"i_min": -ENDLESS, "i_max": ENDLESS} if integral else {}
        numbers |= {"cmd_min": low, "cmd_max": high}
        said |= {"use_force_commands": "true"} if actuator.kind == "velocity" else {}
        said |= {name: repr(each).removesuffix(".0") for name, each in numbers.items()}
    name = f"gz::sim::systems::{called}"
    inner = "".join(f"<{tag}>{text}</{tag}>" for tag, text in said.items())
    return name, f'<plugin filename="gz-sim-{file}-system" name="{name}">{inner}</plugin>'


CONTROLLED = Pass(
    rule="actuators/to-controller",
    reason="a motor or servo becomes a Gazebo system that drives the joint, with its gains and force limits, "
    "and is commanded in units of the joint; limits and filters of the command cannot be written; of several that "
    "drive one joint the first is written",
    severity="note",
    wanted=lambda target: bool(target.fits.gazebo),
    apply=_controlled,
    lacking=True,
)
