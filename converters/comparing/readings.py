"""What MuJoCo, Pinocchio and Drake read from a file: one row for each number that an engine keeps, and its poses."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ir.arrays import Floats, column_bounds, np

REACH = 1.0
"""Radians or metres to either side of zero, for a joint without limits."""
Folders = Mapping[str, Path]
"""Name of a package, or of a model of Gazebo -> its folder."""
SINGLE = 1e-6
"""Relative tolerance of shapes: vertices of meshes have single precision, and some boxes are computed from them."""


class Seen(Struct, frozen=True):
    """A configuration: 4x4 poses of bodies in the world, the mass matrix, and the forces that hold it (N, N m)."""

    poses: Mapping[str, Floats]
    matrix: Floats
    forces: Floats


class Quantity(Struct, frozen=True):
    """Numbers of a body or joint; unit and share: least scale and tolerance for comparing them (largest_gap)."""

    numbers: tuple[float, ...]
    unit: float = 0.0
    share: float = 0.0


Quantities = dict[tuple[str, str, str], Quantity]
"""(body/name or joint/name, aspect, part) -> numbers."""


class Engine(Struct, frozen=True):
    """A model in an engine: its bodies, joints of one degree of freedom with the range of their test configurations, in
    the order of the mass matrix, all constant numbers, and the state of the engine at coordinates by joint name."""

    bodies: tuple[str, ...]
    joints: Mapping[str, tuple[float, float]]
    rows: Quantities
    at: Callable[[Mapping[str, float]], Seen]


class EngineReader(Struct, frozen=True):
    """The format that an engine reads, its suffix, how it is opened, and the aspects that are compared.

    read: also gets the folders of the packages and models that the file names. blind: what it does not tell of these
    aspects. plain: if other files are included, it gets the document with these written out, since it does not find
    what we do.
    """

    format: str
    suffix: str
    read: Callable[[Path, Folders], Engine]
    aspects: frozenset[str]
    blind: tuple[str, ...] = ()
    plain: bool = False


def _bounds(lower: float, upper: float) -> tuple[float, float]:
    return (lower, upper) if -1e3 < lower < upper < 1e3 else (-REACH, REACH)


def _of_joint(rows: Quantities, name: str, aspect: str, **numbers: float) -> None:
    for part, value in numbers.items():
        rows[f"joint/{name}", aspect, part] = Quantity((float(value),))


def _solid(rows: Quantities, name: str, mass: float, centre: Floats, tensor: Floats, noise: float = 0.0) -> None:
    """The tensor is about the centre, in the axes of the body; noise is the rounding error of its computation."""
    six = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    rows[f"body/{name}", "masses", "mass"] = Quantity((mass,))
    if mass:
        rows[f"body/{name}", "masses", "centre"] = Quantity(tuple(centre.tolist()), unit=1e-3)
    rows[f"body/{name}", "inertias", "inertia"] = Quantity(tuple(six.tolist()), unit=noise)


# ------------------------------------------------------------------------------------------------------------- MuJoCo


def _mujoco(path: Path, _: Folders) -> Engine:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path.absolute()))
    data = mujoco.MjData(model)
    rows: Quantities = {}
    joints = _mujoco_joints(model, rows)
    dofs = [int(model.jnt_dofadr[index]) for index, _ in joints.values()]
    bodies = _mujoco_bodies(model, rows)

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

    return Engine(tuple(bodies), {name: bounds for name, (_, bounds) in joints.items()}, rows, at)


def _mujoco_joints(model: Any, rows: Quantities) -> dict[str, tuple[int, tuple[float, float]]]:
    """Hinges and slides by name: their number, and the range of their test configurations."""
    import mujoco

    scalar = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    joints = {}
    for index in range(model.njnt):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, index)
        if not name or int(model.jnt_type[index]) not in scalar:
            continue
        ends = model.jnt_range[index] if model.jnt_limited[index] else (-math.inf, math.inf)
        joints[name] = (index, _bounds(*ends))
        force = model.jnt_actfrcrange[index] if model.jnt_actfrclimited[index] else (-math.inf, math.inf)
        _of_joint(rows, name, "limits", lower=ends[0], upper=ends[1], least_force=force[0], most_force=force[1])
        dof, place = model.jnt_dofadr[index], model.jnt_qposadr[index]
        stiffness = float(np.ravel(model.jnt_stiffness[index])[0])
        damping, friction = (float(np.ravel(each[dof])[0]) for each in (model.dof_damping, model.dof_frictionloss))
        _of_joint(rows, name, "joints", damping=damping, friction=friction, armature=model.dof_armature[dof])
        _of_joint(rows, name, "joints", stiffness=stiffness)
        if stiffness:
            _of_joint(rows, name, "joints", spring_reference=model.qpos_spring[place])
    return joints


def _mujoco_bodies(model: Any, rows: Quantities) -> dict[str, int]:
    """The number of every named body except the world."""
    import mujoco

    def matrix(quat: Floats) -> Floats:
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, quat)
        return turn.reshape(3, 3)

    bodies = {}
    for index in range(1, model.nbody):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index)
        if not name:
            continue
        bodies[name] = index
        turn = matrix(model.body_iquat[index])
        tensor = turn @ np.diag(model.body_inertia[index]) @ turn.T
        _solid(rows, name, float(model.body_mass[index]), model.body_ipos[index], tensor)
        counts: dict[str, int] = {}
        for geom in range(model.body_geomadr[index], model.body_geomadr[index] + model.body_geomnum[index]):
            kind = mujoco.mjtGeom(int(model.geom_type[geom])).name.removeprefix("mjGEOM_").lower()
            solid = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
            said = f"{'collision' if solid else 'visual'} {kind}"
            number = counts[said] = counts.get(said, -1) + 1
            frame = matrix(model.geom_quat[geom]), model.geom_pos[geom]
            for part, row in _geom(model, geom, kind, *frame).items():
                rows[f"body/{name}", "geometry", f"{said} {number}.{part}"] = row
    return bodies


def _geom(model: Any, geom: int, kind: str, turn: Floats, place: Floats) -> dict[str, Quantity]:
    """A mesh is in the axes of its own inertia: it is compared by its bounds in the frame of the body."""
    if kind == "mesh":
        mesh = model.geom_dataid[geom]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points = model.mesh_vert[first : first + count] @ turn.T + place
        low, high = column_bounds(points)
        bounds = Quantity((*low.tolist(), *high.tolist()), share=SINGLE)
        return {"triangles": Quantity((float(model.mesh_facenum[mesh]),)), "bounds": bounds}
    size = model.hfield_size[model.geom_dataid[geom]] if kind == "hfield" else model.geom_size[geom]
    return {
        "size": Quantity(tuple(size.tolist()), share=SINGLE),
        "position": Quantity(tuple(place.tolist()), unit=1.0, share=SINGLE),
        "rotation": Quantity(tuple(turn.ravel().tolist()), unit=1.0, share=SINGLE),
    }


# ---------------------------------------------------------------------------------------------------------- Pinocchio


def _pinocchio(path: Path, _: Folders) -> Engine:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(path.absolute()))
    data = model.createData()
    rows: Quantities = {}
    frames = [(frame.name, index) for index, frame in enumerate(model.frames) if frame.type == pin.FrameType.BODY]
    bodies = _pinocchio_bodies(model, frames, rows)
    joints = _pinocchio_joints(model, rows)
    dofs = [joint.idx_v for joint, _ in joints.values()]

    def at(values: Mapping[str, float]) -> Seen:
        q = pin.neutral(model)
        for name, value in values.items():
            joint = joints[name][0]
            if joint.nq == 2:  # Pinocchio uses cosine and sine for joints without limits
                q[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                q[joint.idx_q] = value
        pin.framesForwardKinematics(model, data, q)
        upper = np.triu(pin.crba(model, data, q))
        whole = upper + np.triu(upper, 1).T
        forces = pin.computeGeneralizedGravity(model, data, q)
        poses = {name: data.oMf[index].homogeneous.copy() for name, index in frames}
        return Seen(poses, whole[np.ix_(dofs, dofs)], forces[dofs].copy())

    return Engine(bodies, {name: bounds for name, (_, bounds) in joints.items()}, rows, at)


def _pinocchio_bodies(model: Any, frames: list[tuple[str, int]], rows: Quantities) -> tuple[str, ...]:
    """Welded bodies are one body in Pinocchio, with the mass at the first of them."""
    first: dict[int, str] = {}
    for name, index in frames:
        first.setdefault(int(model.frames[index].parentJoint), name)
    for joint, name in first.items():
        inertia = model.inertias[joint]
        _solid(rows, name, float(inertia.mass), np.array(inertia.lever), np.array(inertia.inertia))
    return tuple(first.values())


def _pinocchio_joints(model: Any, rows: Quantities) -> dict[str, tuple[Any, tuple[float, float]]]:
    """Joints of one degree of freedom by name, and the range of their test configurations."""
    joints = {}
    for name, joint in list(zip(model.names, model.joints, strict=True))[1:]:
        if joint.nv != 1:
            continue
        turning = joint.nq != 1
        low, high = (float(each[joint.idx_q]) for each in (model.lowerPositionLimit, model.upperPositionLimit))
        joints[name] = joint, ((-REACH, REACH) if turning else _bounds(low, high))
        _of_joint(rows, name, "limits", lower=-math.inf if turning else low, upper=math.inf if turning else high)
        _of_joint(
            rows, name, "limits", effort=model.effortLimit[joint.idx_v], velocity=model.velocityLimit[joint.idx_v]
        )
        _of_joint(rows, name, "joints", damping=model.damping[joint.idx_v], friction=model.friction[joint.idx_v])
    return joints


# -------------------------------------------------------------------------------------------------------------- Drake


@contextmanager
def _silent() -> Iterator[None]:
    """Ignore Drake's warnings about unknown elements, such as our carried data."""
    logger = logging.getLogger("drake")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _drake(path: Path, folders: Folders) -> Engine:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant: Any = MultibodyPlant(0.0)
    with _silent():
        parser = Parser(plant)
        for name, folder in folders.items():
            if not parser.package_map().Contains(name):
                parser.package_map().Add(name, folder)
        parser.AddModels(path.absolute())
        plant.Finalize()
    context = plant.CreateDefaultContext()
    home = plant.GetPositions(context).copy()
    rows: Quantities = {}
    joints = _drake_joints(plant, rows)
    dofs = [joint.velocity_start() for joint, _ in joints.values()]
    bodies = _drake_bodies(plant, context, rows)

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

    return Engine(tuple(bodies), {name: bounds for name, (_, bounds) in joints.items()}, rows, at)


def _drake_joints(plant: Any, rows: Quantities) -> dict[str, tuple[Any, tuple[float, float]]]:
    """Joints of one degree of freedom by name, and the range of their test configurations."""
    actuators = [plant.get_joint_actuator(index) for index in plant.GetJointActuatorIndices()]
    forces = {actuator.joint().index(): float(actuator.effort_limit()) for actuator in actuators}
    joints = {}
    for name, joint in _by_names(plant, map(plant.get_joint, plant.GetJointIndices())).items():
        if joint.num_positions() == 1 and joint.num_velocities() == 1:
            low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
            joints[name] = joint, _bounds(low, high)
            _of_joint(rows, name, "limits", lower=low, upper=high, velocity=joint.velocity_upper_limits()[0])
            _of_joint(rows, name, "limits", effort=forces.get(joint.index(), 0.0))
            _of_joint(rows, name, "joints", damping=joint.default_damping_vector()[0])
    return joints


def _drake_bodies(plant: Any, context: Any, rows: Quantities) -> dict[str, Any]:
    """Every body but the world, by name."""
    from pydrake.multibody.tree import BodyIndex

    bodies = _by_names(plant, (plant.get_body(BodyIndex(index)) for index in range(1, plant.num_bodies())))
    for name, body in bodies.items():
        solid = body.CalcSpatialInertiaInBodyFrame(context)
        mass, centre = float(solid.get_mass()), np.array(solid.get_com())
        shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        tensor = np.array(solid.CalcRotationalInertia().CopyToFullMatrix3()) - shift
        _solid(rows, name, mass, centre, tensor, noise=1e-6 * float(np.abs(shift).max()))
    return bodies


def _by_names(plant: Any, items: Iterable[Any]) -> dict[str, Any]:
    """Things by name; names that occur in several models get the name of the model as a prefix."""
    found = [*items]
    counts = Counter(item.name() for item in found)

    def named(item: Any) -> str:
        name: str = item.name()
        return name if counts[name] == 1 else f"{plant.GetModelInstanceName(item.model_instance())}::{name}"

    return {named(item): item for item in found}


SEEN = frozenset({"structure", "joints", "limits", "poses", "masses", "inertias", "mass matrix", "gravity torques"})
"""Aspects that are compared with every engine."""

ENGINES: Mapping[str, EngineReader] = MappingProxyType(
    {
        "mujoco": EngineReader(
            "mjcf",
            ".xml",
            _mujoco,
            SEEN | {"geometry"},
            ("limits of velocity", "mimic", "meshes where a file is not found"),
        ),
        "pinocchio": EngineReader("urdf", ".urdf", _pinocchio, SEEN, ("armature and springs of joints", "mimic")),
        "drake": EngineReader("sdf", ".sdf", _drake, SEEN, ("friction, armature and springs of joints", "mimic"), True),
    }
)
