"""Inertia and damping that an actuator has of its own (MuJoCo 4): for other formats they are those of its joint."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Pass
from converters.source.text import so_many_numbers
from ir.mapping import map_dofs
from ir.scene import Origins, Scene, address
from ir.types import SCALAR, Actuator, Dof

JOINTS = ("joint", "jointinparent")


def _with_shares(scene: Scene, word: str) -> Scene:
    """The scene with what actuators of a hinge or slide say by this word, multiplied by the square of the gear, added
    to the field of that name of the dof."""
    shares: dict[str, float] = {}
    told: Origins = {}
    table: dict[str, Actuator] = dict(scene.tables["actuator"])
    dofs = scene.dofs()
    for name, actuator in table.items():
        joint, dof = dofs.get(actuator.dof or "", (None, None))
        share = _share(actuator, word)
        if joint is None or dof is None or not share or dof.kind not in SCALAR or actuator.transmission not in JOINTS:
            continue
        shares[dof.name] = shares.get(dof.name, 0.0) + share
        at = (*address(joint, dof), word)
        told = {**told, at: (*told.get(at, ()), (f"actuator/{name}", "parameters", word))}
        table[name] = replace(actuator, parameters=tuple(each for each in actuator.parameters if each[0] != word))
    if not shares:
        return scene

    def loaded(dof: Dof) -> Dof:
        return replace(dof, **{word: getattr(dof, word) + shares[dof.name]}) if dof.name in shares else dof

    return map_dofs(scene, loaded).evolve(tables={"actuator": table.values()}, origins=told)


def _share(actuator: Actuator, word: str) -> float:
    """A polynomial of the velocity has no counterpart."""
    (value,) = so_many_numbers(dict(actuator.parameters).get(word), 1) or (0.0,)
    return value * actuator.gear[0] ** 2


def _added(word: str) -> Pass:
    return Pass(
        rule=f"mjcf/actuator-{word}",
        reason=f"the {word} of an actuator is added to that of its joint, multiplied by the square of the gear",
        severity="note",
        action="derived",
        apply=lambda scene, _: _with_shares(scene, word),
        silent=True,
    )


ARMATURES, DAMPERS = _added("armature"), _added("damping")
"""In MuJoCo springdamper, which comes in between, depends on armatures, and replaces the damping of the joint only."""
