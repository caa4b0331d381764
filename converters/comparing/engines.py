"""Two models as an engine that nobody here wrote reads them: each side is converted to what the engine reads.

Engines are optional (kinegraph[engines]): MuJoCo reads MJCF, Pinocchio URDF, Drake SDFormat.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from converters.comparing.unlike import TOLERANCE, Unlike, apart, named
from converters.context import InputError, Options
from converters.convert import convert
from converters.registry import detect, placed

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Array = NDArray[float64]

REACH = 1.0
"""Radians or metres to either side of zero, for a joint without limits."""


class Seen(Struct, frozen=True):
    """A configuration: 4x4 poses of bodies in the world, the mass matrix, and the forces that hold it (N, N m)."""

    poses: Mapping[str, Array]
    matrix: Array
    forces: Array


class Engine(Struct, frozen=True):
    """A model in an engine: masses of bodies (kg), joints of one degree of freedom with their bounds, in the order of
    the mass matrix, and what the engine sees at coordinates by joint name."""

    masses: Mapping[str, float]
    joints: Mapping[str, tuple[float, float]]
    at: Callable[[Mapping[str, float]], Seen]


def compare_in(
    engine: str,
    first: str | Path,
    second: str | Path,
    *,
    source: str | None = None,
    options: Options | None = None,
    tolerance: float = TOLERANCE,
    samples: int = 10,
) -> list[Unlike]:
    """Where an engine sees two models differ: masses, poses, mass matrix, gravity torques; names of joints and bodies.

    Raises InputError for an unknown engine or one that is not installed, and for a model that it does not take.
    """
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; known are {', '.join(ENGINES)}")
    options = replace(options or Options(), audit=False)
    with tempfile.TemporaryDirectory(prefix="kinegraph-compare-") as folder:
        models = [
            _opened(engine, Path(path), Path(folder) / side, source, options)
            for side, path in (("first", first), ("second", second))
        ]
        return list(_differences(models[0], models[1], tolerance, samples))


def _opened(engine: str, path: Path, folder: Path, source: str | None, options: Options) -> Engine:
    target, suffix, read = ENGINES[engine]
    file = path
    if detect(str(path), path.read_bytes()[:65536]).name != target or source not in (None, target):
        file = placed(folder / f"model{suffix}", None)
        convert(path, file, source=source, target=target, options=options)
    try:
        return read(file)
    except ImportError as error:
        advice = f"the engine {engine} is not installed ({error}): pip install 'kinegraph[engines]'"
        raise InputError(advice) from None
    except (ValueError, RuntimeError, MemoryError) as error:
        raise InputError(f"{path}: {engine} does not take it: {' '.join(str(error).split())[:300]}") from None


def _differences(a: Engine, b: Engine, tolerance: float, samples: int) -> Iterator[Unlike]:
    import numpy as np

    yield from named("structure", a.masses, b.masses, "body")
    yield from named("structure", a.joints, b.joints, "joint")
    for name in a.masses:
        if name in b.masses and (by := apart((a.masses[name],), (b.masses[name],), tolerance)) is not None:
            yield Unlike("masses", f"body/{name}.mass", a.masses[name], b.masses[name], by)
    common = [name for name in a.joints if name in b.joints]
    rows, columns = ([list(each.joints).index(name) for name in common] for each in (a, b))
    told: set[str] = set()
    dice = random.Random(0)
    for _ in range(samples):
        values = {name: dice.uniform(*a.joints[name]) for name in common}
        ours, theirs = a.at(values), b.at(values)
        found = []
        for name, pose in ours.poses.items():
            other = theirs.poses.get(name)
            if other is not None and (by := _gap(pose, other, tolerance)) is not None:
                found.append(Unlike("poses", f"body/{name}", pose.tolist(), other.tolist(), by))
        one, two = ours.matrix[np.ix_(rows, rows)], theirs.matrix[np.ix_(columns, columns)]
        scale = np.sqrt(np.maximum(np.diag(one), np.diag(two))) if common else np.zeros(0)
        for row, column in np.argwhere(np.triu(np.abs(one - two) > tolerance * np.outer(scale, scale))):
            where = f"joint/{common[row]}" + (f", joint/{common[column]}" if row != column else "")
            gap = abs(float(one[row, column] - two[row, column]))
            found.append(Unlike("mass matrix", where, float(one[row, column]), float(two[row, column]), gap))
        first, second = ours.forces[rows], theirs.forces[columns]
        size = max([1e-12, *np.abs(first).tolist(), *np.abs(second).tolist()])
        for index in np.flatnonzero(np.abs(first - second) > tolerance * size):
            gap = abs(float(first[index] - second[index]))
            where = f"joint/{common[index]}"
            found.append(Unlike("gravity torques", where, float(first[index]), float(second[index]), gap))
        for each in found:
            if each.what + each.where not in told:
                told.add(each.what + each.where)
                yield each


def _gap(a: Array, b: Array, tolerance: float) -> float | None:
    import numpy as np

    worst = float(np.abs(a - b).max())
    return worst if worst > tolerance * max(1.0, float(np.abs(a).max())) else None


def _bounds(lower: float, upper: float) -> tuple[float, float]:
    return (lower, upper) if -1e3 < lower < upper < 1e3 else (-REACH, REACH)


# ------------------------------------------------------------------------------------------------------------ engines


def _mujoco(path: Path) -> Engine:
    import mujoco
    import numpy as np

    model = mujoco.MjModel.from_xml_path(str(path.absolute()))
    data = mujoco.MjData(model)
    scalar = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    joints = {}
    for index in range(model.njnt):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, index)
        if name and int(model.jnt_type[index]) in scalar:
            limited = bool(model.jnt_limited[index])
            joints[name] = (index, _bounds(*model.jnt_range[index]) if limited else (-REACH, REACH))
    dofs = [int(model.jnt_dofadr[index]) for index, _ in joints.values()]
    bodies = {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index): index
        for index in range(1, model.nbody)
        if mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index)
    }

    def at(values: Mapping[str, float]) -> Seen:
        mujoco.mj_resetData(model, data)
        for name, value in values.items():
            data.qpos[model.jnt_qposadr[joints[name][0]]] = value
        mujoco.mj_forward(model, data)
        whole = np.zeros((model.nv, model.nv))
        mujoco.mju_sym2dense(whole, data.M, model.M_rownnz, model.M_rowadr, model.M_colind)
        poses = {}
        for name, index in bodies.items():
            poses[name] = pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        return Seen(poses, whole[np.ix_(dofs, dofs)], data.qfrc_bias[dofs].copy())

    masses = {name: float(model.body_mass[index]) for name, index in bodies.items()}
    return Engine(masses, {name: bounds for name, (_, bounds) in joints.items()}, at)


def _pinocchio(path: Path) -> Engine:
    import numpy as np
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(path.absolute()))
    data = model.createData()
    chosen = {name: joint for name, joint in list(zip(model.names, model.joints, strict=True))[1:] if joint.nv == 1}
    dofs = [joint.idx_v for joint in chosen.values()]
    frames = [(frame.name, index) for index, frame in enumerate(model.frames) if frame.type == pin.FrameType.BODY]

    def at(values: Mapping[str, float]) -> Seen:
        q = pin.neutral(model)
        for name, value in values.items():
            joint = chosen[name]
            if joint.nq == 2:  # without limits Pinocchio counts by cosine and sine
                q[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                q[joint.idx_q] = value
        pin.framesForwardKinematics(model, data, q)
        upper = np.triu(pin.crba(model, data, q))
        whole = upper + np.triu(upper, 1).T
        forces = pin.computeGeneralizedGravity(model, data, q)
        poses = {name: data.oMf[index].homogeneous.copy() for name, index in frames}
        return Seen(poses, whole[np.ix_(dofs, dofs)], forces[dofs].copy())

    # what is welded together is one for Pinocchio, and weighs where it begins
    first: dict[int, str] = {}
    for name, index in frames:
        first.setdefault(int(model.frames[index].parentJoint), name)
    masses = {name: float(model.inertias[joint].mass) for joint, name in first.items()}
    joints = {}
    for name, joint in chosen.items():
        low, high = (float(limits[joint.idx_q]) for limits in (model.lowerPositionLimit, model.upperPositionLimit))
        joints[name] = _bounds(low, high) if joint.nq == 1 else (-REACH, REACH)
    return Engine(masses, joints, at)


def _drake(path: Path) -> Engine:
    import numpy as np
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant: Any = MultibodyPlant(0.0)
    Parser(plant).AddModels(path.absolute())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    home = plant.GetPositions(context).copy()
    bodies = {plant.get_body(index).name(): plant.get_body(index) for index in _indices(plant)}
    joints = {}
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        if joint.num_positions() == 1 and joint.num_velocities() == 1:
            low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
            joints[joint.name()] = (joint, _bounds(low, high))
    dofs = [joint.velocity_start() for joint, _ in joints.values()]

    def at(values: Mapping[str, float]) -> Seen:
        q = home.copy()
        for name, value in values.items():
            q[joints[name][0].position_start()] = value
        plant.SetPositions(context, q)
        whole = plant.CalcMassMatrixViaInverseDynamics(context)
        forces = -plant.CalcGravityGeneralizedForces(context)
        poses = {
            name: np.array(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()) for name, body in bodies.items()
        }
        return Seen(poses, whole[np.ix_(dofs, dofs)], forces[dofs])

    masses = {name: float(body.default_mass()) for name, body in bodies.items()}
    return Engine(masses, {name: bounds for name, (_, bounds) in joints.items()}, at)


def _indices(plant: Any) -> list[Any]:
    """Every body but the world."""
    from pydrake.multibody.tree import BodyIndex

    return [BodyIndex(number) for number in range(1, plant.num_bodies())]


ENGINES: Mapping[str, tuple[str, str, Callable[[Path], Engine]]] = MappingProxyType(
    {
        "mujoco": ("mjcf", ".xml", _mujoco),
        "pinocchio": ("urdf", ".urdf", _pinocchio),
        "drake": ("sdf", ".sdf", _drake),
    }
)
"""Name -> the format that the engine is given, its suffix, and how it is opened."""
