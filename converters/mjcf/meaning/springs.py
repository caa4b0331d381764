"""springdamper of a joint: time constant and damping ratio of the motion of the joint. Stiffness and damping follow
from them and the inertia. dampratio of a servo: its damping follows from it, the stiffness and the inertia."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.source.text import counted, so_many_numbers
from ir.arrays import np
from ir.dynamics import mass_matrix
from ir.kinematics import rest, velocity_dofs, velocity_size
from ir.mapping import map_dofs
from ir.scene import Origins, Scene, address
from ir.types import SCALAR, WORLD, Actuator, Dof

WORD, RATIO = "springdamper", "dampratio"
LEAST = 1e-15
"""mjMINVAL: lower bound of a divisor."""


def _with_springs_and_dampers(scene: Scene, _: Target) -> Scene:
    asked = {dof.name for joint in scene.joints.values() for dof in joint.dofs if _time_and_ratio(dof) is not None}
    if not asked or _has_other_armature(scene):
        return scene
    inertias = _moved_inertias(scene, asked)
    origins: Origins = {
        (*at, field): ((*at, "parameters", WORD),)
        for joint in scene.joints.values()
        for dof in joint.dofs
        if dof.name in inertias
        for at in [address(joint, dof)]
        for field in ("stiffness", "damping")
    }
    changed = map_dofs(
        scene, lambda dof: _with_spring_and_damper(dof, inertias[dof.name]) if dof.name in inertias else dof
    )
    return changed.evolve(origins=origins) if origins else scene


def _time_and_ratio(dof: Dof) -> tuple[float, float] | None:
    """Return time constant (seconds) and damping ratio; None if MuJoCo does not use them."""
    found = so_many_numbers(dict(dof.parameters).get(WORD), 2)
    return (found[0], found[1]) if found is not None and min(found) > 0.0 else None


def _with_spring_and_damper(dof: Dof, inertia: float) -> Dof:
    """Return the dof with the result of AutoSpringDamper (MuJoCo, user_model.cc) for its numbers and moved inertia."""
    found = _time_and_ratio(dof)
    if found is None:
        return dof
    time, ratio = found
    return replace(
        dof,
        stiffness=inertia / max(LEAST, time * time * ratio * ratio),
        damping=2.0 * inertia / max(LEAST, time),
        parameters=tuple(each for each in dof.parameters if each[0] != WORD),
    )


def _has_other_armature(scene: Scene) -> bool:
    """Whether a tendon or actuator has an armature, which is part of MuJoCo's mass matrix but not of that of the
    graph."""
    return any(tendon.armature for tendon in scene.tables["tendon"].values()) or any(
        any(counted(dict(actuator.parameters).get("armature", ""))) for actuator in scene.tables["actuator"].values()
    )


def _with_damping_of_servos(scene: Scene, _: Target) -> Scene:
    """The scene with kv in place of dampratio, for servos of a joint."""
    table: dict[str, Actuator] = scene.tables["actuator"]
    damped = {name: ratio for name, actuator in table.items() if (ratio := _damping_ratio(actuator))}
    if not damped or _has_other_armature(scene):
        return scene
    dofs = {name for name, (_, dof) in scene.dofs().items() if dof.kind in SCALAR}
    inertias = _moved_inertias(scene, dofs & {table[name].dof for name in damped})
    origins: Origins = {}
    for name, ratio in damped.items():
        actuator = table[name]
        if actuator.dof in inertias:
            mass = inertias[actuator.dof] / actuator.gear[0] ** 2
            left = tuple(each for each in actuator.parameters if each[0] != RATIO)
            kv = 2.0 * ratio * math.sqrt((1.0 if actuator.kp is None else actuator.kp) * mass)
            table = {**table, name: replace(actuator, kv=kv, parameters=left)}
            origins[f"actuator/{name}", "kv"] = ((f"actuator/{name}", "parameters", RATIO),)
    return scene.evolve(tables={"actuator": table.values()}, origins=origins) if origins else scene


def _damping_ratio(actuator: Actuator) -> float | None:
    """Return the damping ratio of a servo of a position; None if it has none."""
    if actuator.kind != "position" or actuator.dof is None or not actuator.gear[0]:
        return None
    (ratio,) = so_many_numbers(dict(actuator.parameters).get(RATIO), 1) or (0.0,)
    return ratio if ratio > 0.0 and (actuator.kp is None or actuator.kp > 0.0) else None


def _moved_inertias(scene: Scene, asked: set[str]) -> dict[str, float]:
    """The inertia that each of these dofs moves, as the model is drawn."""
    found = (each for tree in _trees_that_contain(scene, asked) for each in _inertias_of_dofs(tree))
    return {name: inertia for name, inertia in found if name in asked}


def _trees_that_contain(scene: Scene, asked: set[str]) -> Iterator[Scene]:
    """Yield the independently moving parts of the model that contain one of these dofs, each as a scene."""
    parts: list[Scene] = []
    part_of: dict[str, Scene] = {}
    for joint, body in scene.walk():
        if joint is None:
            continue
        part = part_of.get(joint.parent)
        if part is None and joint.dofs:
            part, joint = Scene(""), replace(joint, parent=WORLD)
            parts.append(part)
        if part is not None:
            part_of[body.name] = part
            part.add_body(body)
            part.add_joint(joint)
    return (part for part in parts if not asked.isdisjoint(part.dofs()))


def _inertias_of_dofs(tree: Scene) -> Iterator[tuple[str, float]]:
    """Yield for each dof the inverse of the mean of its diagonal entries in the inverse of M, as the model is drawn."""
    here = {dof.name: rest(joint, dof) for joint, dof, _ in velocity_dofs(tree)}
    try:
        inverse = np.linalg.inv(mass_matrix(tree, here)[1]).diagonal()
    except np.linalg.LinAlgError:  # what moves has no mass: MuJoCo refuses the model
        return
    for _, dof, index in velocity_dofs(tree):
        count = velocity_size(dof)
        yield dof.name, count / max(LEAST, float(inverse[index : index + count].sum()))


SPRINGS = Pass(
    rule="mjcf/springdamper",
    reason="in MuJoCo springdamper replaces stiffness and damping: its compiler computes them from the time "
    "constant, the damping ratio and the inertia that the joint moves as the model is drawn",
    severity="note",
    action="derived",
    apply=_with_springs_and_dampers,
    silent=True,
)
DAMPED = Pass(
    rule="mjcf/dampratio",
    reason="in MuJoCo dampratio gives the damping of a servo: its compiler computes kv from it, kp and the inertia "
    "that the joint moves as the model is drawn",
    severity="note",
    action="derived",
    apply=_with_damping_of_servos,
)
