"""A scene in MuJoCo and Pinocchio, built from its definition only: nothing of ir.kinematics or ir.dynamics is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin

from ir.pose import matrix
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Inertial, Joint, Pose, Tensor

Array = np.ndarray
Values = Mapping[str, Sequence[float]]

MUJOCO_KINDS = (DofKind.HINGE, DofKind.SLIDE, DofKind.BALL, DofKind.FREE)


def transform(pose: Pose) -> Array:
    """Return a (4, 4) homogeneous matrix."""
    whole = np.eye(4)
    whole[:3, :3] = matrix(pose.rot)
    whole[:3, 3] = pose.pos
    return whole


def symmetric(tensor: Tensor) -> Array:
    """Return a tensor as a matrix (3, 3)."""
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def full(inertial: Inertial) -> Array:
    """Return the (3, 3) tensor about the centre of mass in the axes of the body."""
    r = matrix(inertial.pose.rot)
    return r @ symmetric(inertial.tensor) @ r.T


# -------------------------------------------------------------------------------------------------------------- MuJoCo


def numbers(values: Sequence[float]) -> str:
    return " ".join(map(repr, map(float, values)))


def mjcf(scene: Scene) -> str:
    """Return MJCF: several joints in a body, anchors and refs are the same there; unspecified roots are welded, as by
    MuJoCo."""
    lines = ['<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81"/><worldbody>']
    for root in scene.roots():
        _body(scene, None, scene.body(root), lines)
    for joint in scene.child_joints(WORLD):
        _body(scene, joint, scene.body(joint.child), lines)
    return "\n".join([*lines, "</worldbody></mujoco>"])


def _body(scene: Scene, joint: Joint | None, body: Body, lines: list[str]) -> None:
    pose = joint.pose if joint else Pose()
    placed = f'pos="{numbers(pose.pos)}" quat="{numbers(pose.rot)}" gravcomp="{1 - body.gravity}"'
    lines.append(f'<body name="{body.name}" {placed}>')
    for dof in joint.dofs if joint else ():
        if dof.kind is DofKind.FREE:
            lines.append(f'<joint name="{dof.name}" type="free" armature="{dof.armature}"/>')
            continue
        ref = "" if dof.kind is DofKind.BALL else f'ref="{dof.zero!r}" axis="{numbers(dof.axis)}"'
        kind = f'name="{dof.name}" type="{dof.kind}" pos="{numbers(dof.anchor)}" armature="{dof.armature}"'
        lines.append(f"<joint {kind} {ref}/>")
    if body.inertial:
        i = full(body.inertial)
        tensor = numbers([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
        at = numbers(body.inertial.pose.pos)
        lines.append(f'<inertial pos="{at}" mass="{body.inertial.mass!r}" fullinertia="{tensor}"/>')
    for child in scene.child_joints(body.name):
        _body(scene, child, scene.body(child.child), lines)
    lines.append("</body>")


def in_mujoco(scene: Scene, values: Values) -> tuple[Any, Any]:
    """Return model and data, with everything that depends on position computed at these coordinates."""
    model = mujoco.MjModel.from_xml_string(mjcf(scene))
    data = mujoco.MjData(model)
    for joint in scene.joints.values():
        for dof in joint.dofs if not joint.closes_loop else ():
            start = model.joint(dof.name).qposadr[0]
            data.qpos[start : start + len(values[dof.name])] = values[dof.name]
    stages = (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_makeM, mujoco.mj_comVel, mujoco.mj_passive)
    for (
        stage
    ) in stages:  # not mj_forward, which also solves for accelerations and complains in a log file where it cannot
        stage(model, data)
    mujoco.mj_rne(model, data, 0, data.qfrc_bias)
    return model, data


def mujoco_mass_matrix(model: Any, data: Any) -> Array:
    dense = np.zeros((model.nv, model.nv))
    mujoco.mju_sym2dense(dense, data.M, model.M_rownnz, model.M_rowadr, model.M_colind)
    return dense


def mujoco_order(model: Any, names: Sequence[str]) -> list[int]:
    """Return the index in MuJoCo's velocities of each velocity coordinate of the scene."""
    return [model.joint(base(name)).dofadr[0] + offset(name) for name in names]


def base(name: str) -> str:
    return name.partition("[")[0]


def offset(name: str) -> int:
    return int(name.partition("[")[2].rstrip("]") or 0)


# ----------------------------------------------------------------------------------------------------------- Pinocchio


@dataclass
class InPinocchio:
    """A model whose joints are named like dofs, and the placement of each body on them."""

    model: Any
    data: Any
    q: Array
    frames: dict[str, tuple[int, Any]]

    def pose(self, body: str) -> Array:
        joint, placement = self.frames[body]
        return (self.data.oMi[joint] * placement).homogeneous


def in_pinocchio(scene: Scene, values: Values) -> InPinocchio:
    """Return a model with one Pinocchio joint for each dof, its frame at the anchor; depth first, as crba requires."""
    model = pin.Model()
    frames: dict[str, tuple[int, Any]] = {WORLD: (0, pin.SE3.Identity())}
    coordinates: dict[int, Array] = {}
    stack = [*scene.roots(), *[joint.child for joint in scene.child_joints(WORLD)]]
    while stack:
        body = scene.body(stack.pop())
        joint = scene.joint_of(body.name)
        parent, at = frames[joint.parent] if joint else frames[WORLD]
        if joint and not (joint.dofs and joint.dofs[0].kind is DofKind.FREE):
            at = at * pin.SE3(transform(joint.pose))
        for dof in joint.dofs if joint else ():
            anchor = pin.SE3(np.eye(3), np.array(dof.anchor))
            parent = model.addJoint(parent, _joint(dof), at * anchor, dof.name)
            at = anchor.inverse()
            coordinates[parent] = _coordinates(dof, values[dof.name])
        frames[body.name] = parent, at
        if body.inertial:
            inertia = pin.Inertia(body.inertial.mass, np.array(body.inertial.pose.pos), full(body.inertial))
            model.appendBodyToJoint(parent, inertia, at)
        stack += [child.child for child in scene.child_joints(body.name)]
    q = pin.neutral(model)
    for index, part in coordinates.items():
        start = model.joints[index].idx_q
        q[start : start + len(part)] = part
    data = model.createData()
    pin.forwardKinematics(model, data, q)
    return InPinocchio(model, data, q, frames)


def _joint(dof: Dof) -> Any:
    axis = np.array(dof.axis)
    match dof.kind:
        case DofKind.HINGE:
            return pin.JointModelRevoluteUnaligned(axis)
        case DofKind.SLIDE:
            return pin.JointModelPrismaticUnaligned(axis)
        case DofKind.SCREW:
            return pin.JointModelHelicalUnaligned(axis, dof.pitch)
        case DofKind.BALL:
            return pin.JointModelSpherical()
    return pin.JointModelFreeFlyer()


def _coordinates(dof: Dof, value: Sequence[float]) -> Array:
    if dof.kind in (DofKind.BALL, DofKind.FREE):
        w, x, y, z = value[-4:]
        return np.array([*value[:-4], x, y, z, w])
    return np.array([value[0] - dof.zero])


def pinocchio_velocity(scene: Scene, engine: InPinocchio, names: Sequence[str], values: Values) -> Array:
    """Return the (nv, n) matrix that maps velocities of the scene to Pinocchio's, where the linear velocity of a free
    joint is in the child frame."""
    dofs = scene.dofs()
    change = np.zeros((engine.model.nv, len(names)))
    for column, name in enumerate(names):
        dof = dofs[base(name)][1]
        start = engine.model.joints[engine.model.getJointId(dof.name)].idx_v
        if dof.kind is DofKind.FREE and offset(name) < 3:
            w, x, y, z = values[dof.name][-4:]
            change[start : start + 3, column] = matrix((w, x, y, z)).T[:, offset(name)]
        else:
            change[start + offset(name), column] = 1.0
    return change
