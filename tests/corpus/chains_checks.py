"""Serial chains of one model: elementary transforms and Denavit-Hartenberg rows, compared with forward kinematics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from converters.chains.denavit_hartenberg import NoChainError, chain, elementary, modified, reached, square, standard
from converters.chains.describe import ILL, leaves
from converters.chains.workspace import chain_to
from converters.context import InputError, Options
from converters.convert import load
from converters.reading import interpreted
from ir.kinematics import configuration, forward, random_configuration
from ir.pose import compose, invert
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Pose
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.verdict import Verdicts

NEAR = 1e-9
"""Tolerance relative to the size of the chain, or to 1 m if it is shorter."""
SEEDS = 5
Values = Mapping[str, tuple[float, ...]]
Judge = Callable[[Values], Mapping[str, np.ndarray]]
"""Maps coordinates by dof to the 4x4 pose of each body that the engine knows."""


def chains(path: str, folders: list[str], engine: bool = True) -> dict[str, Any]:
    """Return the verdicts; `count`: number of chains, `worst`: the largest residual relative to the size of a chain."""
    verdicts, worst, count = Verdicts(), 0.0, 0
    try:
        options = Options(resource_paths=tuple(Path(folder) for folder in folders), find_srdf=False)
        reading = load(path, options=options)
        scene = interpreted(reading)
    except InputError as error:
        verdicts.excuse("reads", f"is refused: {error}")
        return _answer(verdicts, 0, 0.0)
    verdicts.good("reads")
    judge = _judge(Path(path), reading.format.name, scene, verdicts) if engine else None
    states = [configuration(scene, random_configuration(scene, seed)) for seed in range(SEEDS)]
    ours = [forward(scene, values) for values in states]
    theirs = [judge(values) for values in states] if judge is not None else []
    for tip in leaves(scene):
        try:
            root, joints = chain_to(scene, tip)
            steps = chain(joints)
            table = standard(steps)
        except NoChainError as error:
            verdicts.excuse("chains", str(error))
            continue
        verdicts.good("chains")
        count += 1
        scale = _size(steps)
        if table.sine < ILL:
            verdicts.excuse("conditioned", f"{root} -> {tip}: axes are parallel but for {table.sine:.3g}")
        wanted = [square(compose(invert(poses[root]), poses[tip])) for poses in ours]
        craig = modified(table)
        forms: dict[str, Callable[[Values], np.ndarray]] = {
            "elementary": lambda values, steps=steps: _walked(elementary(steps), values),
            "standard": lambda values, table=table: reached(table, values),
            "modified": lambda values, table=craig: reached(table, values),
        }
        for name, reach in forms.items():
            gaps = [np.abs(reach(values) - pose).max() for values, pose in zip(states, wanted, strict=True)]
            share = float(max(gaps)) / scale
            worst = max(worst, share)
            verdicts.good(name)
            if not share <= NEAR:
                verdicts.fail(name, f"{root} -> {tip}: {share:.3g} of {scale:.3g} m, smallest sine {table.sine:.3g}")
        _engine(verdicts, root, tip, scale, states, theirs, lambda values, table=table: reached(table, values))
    return _answer(verdicts, count, worst)


def _engine(
    verdicts: Verdicts,
    root: str,
    tip: str,
    scale: float,
    states: list[dict[str, tuple[float, ...]]],
    theirs: list[Mapping[str, np.ndarray]],
    reach: Callable[[Values], np.ndarray],
) -> None:
    known = [(values, poses) for values, poses in zip(states, theirs, strict=False) if {root, tip} <= set(poses)]
    if not known:
        return
    gaps = [float(np.abs(np.linalg.inv(poses[root]) @ poses[tip] - reach(values)).max()) for values, poses in known]
    verdicts.good("engine")
    if not max(gaps) / scale <= NEAR:
        verdicts.fail("engine", f"{root} -> {tip}: {max(gaps):.3g}")


def _answer(verdicts: Verdicts, count: int, worst: float) -> dict[str, Any]:
    return {"criteria": verdicts.criteria, "seconds": {}, "count": count, "worst": worst}


def _size(steps: list[Pose | Dof]) -> float:
    """Return the length of the stretched chain in metres, at least 1, to which residuals are relative."""
    return max(1.0, sum(math.hypot(*(step.pos if isinstance(step, Pose) else step.anchor)) for step in steps))


def _walked(steps: list[tuple[str, float | str]], values: Values) -> np.ndarray:
    """Return the product of elementary transforms, independently of the code that made them."""
    pose = np.eye(4)
    for kind, value in steps:
        if isinstance(value, str):
            name, sign = (value, 1.0) if value in values else (value.removeprefix("-"), -1.0)
            value = sign * values[name][0]
        step, axis = np.eye(4), "xyz".index(kind[1])
        if kind[0] == "t":
            step[axis, 3] = value
        else:
            a, b = (axis + 1) % 3, (axis + 2) % 3
            step[a, a] = step[b, b] = math.cos(value)
            step[a, b], step[b, a] = -math.sin(value), math.sin(value)
        pose = pose @ step
    return pose


# ------------------------------------------------------------------------------------------------------------ engines


def _judge(path: Path, form: str, scene: Scene, verdicts: Verdicts) -> Judge | None:
    try:
        if form == "urdf":
            return _pinocchio(path, scene)
        if form == "mjcf":
            return _mujoco(path, scene)
    except Exception as error:  # engines raise what they like for a model that they refuse
        verdicts.excuse("engine", f"the engine does not take it: {str(error).strip()[:80]}")
    return None


def _pinocchio(path: Path, scene: Scene) -> Judge:
    from tests.oracles import in_pinocchio

    model = in_pinocchio.pinocchio_model(path)
    names = {
        joint.name: joint.dofs for joint in scene.joints.values() if joint.dofs and model.existJointName(joint.name)
    }

    def poses(values: Values) -> Mapping[str, np.ndarray]:
        coordinates = {
            name: tuple(number for dof in dofs for number in _numbers(dof, values[dof.name]))
            for name, dofs in names.items()
        }
        return in_pinocchio.link_poses(model, in_pinocchio.configuration(model, coordinates))

    return poses


def _numbers(dof: Dof, value: tuple[float, ...]) -> tuple[float, ...]:
    if dof.kind is DofKind.FREE:
        x, y, z, w, *vector = value
        return (x, y, z, *vector, w)
    return value


def _mujoco(path: Path, scene: Scene) -> Judge:
    import mujoco

    model = mujoco_model(path)
    data = mujoco.MjData(model)
    joints = {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, index): int(model.jnt_qposadr[index])
        for index in range(model.njnt)
    }
    if not set(joints) <= set(scene.dofs()):
        raise ValueError("joints without a name of their own")
    bodies = {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index): index
        for index in range(1, model.nbody)
        if int(model.body_mocapid[index]) < 0
    }

    def poses(values: Values) -> Mapping[str, np.ndarray]:
        mujoco.mj_resetData(model, data)
        for name, start in joints.items():
            if name in values:
                data.qpos[start : start + len(values[name])] = values[name]
        mujoco.mj_kinematics(model, data)
        found = {WORLD: np.eye(4)}
        for name, index in bodies.items():
            if name:
                found[name] = pose = np.eye(4)
                pose[:3, :3], pose[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        return found

    return poses
