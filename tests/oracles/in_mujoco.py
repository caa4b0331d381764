"""MJCF as MuJoCo compiles it: poses, mass matrix, geoms with their effective colours, by name."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from converters.context import Output
from tests.oracles.mesh_file import touched

VISUAL, COLLISION = 2, 3
"""Geom groups by the convention of the Menagerie."""
KINDS = {
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_PLANE): "plane",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
}
FREE, BALL, SLIDE, HINGE = (
    int(mujoco.mjtJoint.mjJNT_FREE),
    int(mujoco.mjtJoint.mjJNT_BALL),
    int(mujoco.mjtJoint.mjJNT_SLIDE),
    int(mujoco.mjtJoint.mjJNT_HINGE),
)


def mujoco_model(xml: Path) -> mujoco.MjModel:
    """Return the compiled model. Raises ValueError with MuJoCo's message."""
    with contextlib.chdir(tempfile.gettempdir()):  # MuJoCo leaves a log of its warnings wherever it runs
        return mujoco.MjModel.from_xml_path(str(xml.absolute()))


def drawn(xml: Path) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return the compiled model and its initial state, with contacts and forces."""
    model = mujoco_model(xml)
    return model, at_rest(model)


def at_rest(model: mujoco.MjModel) -> mujoco.MjData:
    """Return the initial state of a model, with contacts and forces."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def touching(data: mujoco.MjData) -> set[frozenset[str]]:
    """Return the pairs of bodies with contacts in a state."""
    model = data.model
    return {frozenset(model.body(model.geom_bodyid[geom]).name for geom in contact.geom) for contact in data.contact}


def takes(output: Output) -> mujoco.MjModel:
    """Return MuJoCo's model of an output that is not on disk. Raises ValueError with its message."""
    files = {name: file if isinstance(file, bytes) else file.read_bytes() for name, file in output.files.items()}
    return mujoco.MjModel.from_xml_string(output.document.decode(), files)


def body(model: mujoco.MjModel, name: str) -> int | None:
    """Return the body of a link; the link `world` is MuJoCo's own."""
    index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
    return index if index >= 0 else None


def joint(model: mujoco.MjModel, name: str) -> int | None:
    index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
    return index if index >= 0 else None


def joints_of(model: mujoco.MjModel, index: int) -> list[int]:
    start = int(model.body_jntadr[index])
    return list(range(start, start + int(model.body_jntnum[index]))) if start >= 0 else []


def matrix(quat: np.ndarray) -> np.ndarray:
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, np.asarray(quat, dtype=float))
    return flat.reshape(3, 3)


def poses(model: mujoco.MjModel, data: mujoco.MjData) -> list[np.ndarray]:
    """Return the 4x4 pose of every body at data.qpos."""
    mujoco.mj_kinematics(model, data)
    found = []
    for index in range(model.nbody):
        at = np.eye(4)
        at[:3, :3] = data.xmat[index].reshape(3, 3)
        at[:3, 3] = data.xpos[index]
        found.append(at)
    return found


def mass_matrix(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Return the mass matrix at data.qpos, without armature.

    MuJoCo treats principal axes that are rotated by 1e-8 or less as those of the body, which changes the matrix by
    1e-9: that shortcut is disabled, to judge what the file says.
    """
    model.body_sameframe[:] = 0
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_crb(model, data)
    dense = np.zeros((model.nv, model.nv))
    mujoco.mju_sym2dense(dense, data.M, model.M_rownnz, model.M_rowadr, model.M_colind)
    return dense - np.diag(model.dof_armature)


def body_tensor(model: mujoco.MjModel, index: int) -> np.ndarray:
    """Return the tensor about the centre of mass in the axes of the body."""
    axes = matrix(model.body_iquat[index])
    return axes @ np.diag(model.body_inertia[index]) @ axes.T


@dataclass(frozen=True)
class Geom:
    name: str
    kind: str
    size: tuple[float, ...]
    pose: np.ndarray
    rgba: tuple[float, ...]
    textured: bool
    triangles: int
    points: np.ndarray
    """Corners of the faces of a mesh in the frame of the body, shape (n, 3)."""
    collides: bool


def geoms(model: mujoco.MjModel, index: int, group: int) -> list[Geom]:
    start = int(model.body_geomadr[index])
    found = []
    for geom in range(start, start + int(model.body_geomnum[index])) if start >= 0 else ():
        if model.geom_group[geom] != group:
            continue
        at = np.eye(4)
        at[:3, :3] = matrix(model.geom_quat[geom])
        at[:3, 3] = model.geom_pos[geom]
        material = int(model.geom_matid[geom])
        triangles, points = 0, np.zeros((0, 3))
        kind = KINDS.get(int(model.geom_type[geom]), "other")
        if kind == "mesh":
            mesh = int(model.geom_dataid[geom])
            faces = model.mesh_face[model.mesh_faceadr[mesh] :][: model.mesh_facenum[mesh]]
            vertices = model.mesh_vert[model.mesh_vertadr[mesh] :][: model.mesh_vertnum[mesh]].astype(float)
            triangles = len(faces)
            points = touched(vertices, faces) @ at[:3, :3].T + at[:3, 3]
        found.append(
            Geom(
                name=mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, geom) or "",
                kind=kind,
                size=tuple(float(value) for value in model.geom_size[geom]),
                pose=at,
                rgba=tuple(
                    float(value) for value in (model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom])
                ),
                textured=material >= 0 and bool((np.asarray(model.mat_texid[material]) >= 0).any()),
                triangles=triangles,
                points=points,
                collides=bool(model.geom_contype[geom] or model.geom_conaffinity[geom]),
            )
        )
    return found
