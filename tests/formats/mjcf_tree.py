"""What MuJoCo compiles from a model, compared with the scene that is read, MJCF written again, and the URDF."""

from __future__ import annotations

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.convert import convert, read
from converters.format import Fits, Target
from converters.mjcf.interpret import passes
from converters.mjcf.writing.rendering import render
from converters.reading import loaded
from converters.source.tree import document
from ir.kinematics import forward
from ir.pose import body_tensor, matrix
from ir.scene import Scene
from ir.types import WORLD, DofKind
from tests.oracles.in_mujoco import matrix as rotation, mujoco_model
from tests.reports import complete

ARRAYS = (
    *(
        "body_pos",
        "body_quat",
        "body_mass",
        "body_inertia",
        "body_ipos",
        "body_iquat",
        "body_parentid",
        "body_gravcomp",
    ),
    *("jnt_type", "jnt_pos", "jnt_axis", "jnt_range", "jnt_limited", "jnt_stiffness", "dof_damping", "dof_armature"),
    *("dof_frictionloss", "qpos0", "qpos_spring", "jnt_actfrcrange", "jnt_solref", "jnt_margin"),
    *("geom_type", "geom_size", "geom_pos", "geom_quat", "geom_contype", "geom_conaffinity", "geom_friction"),
    *("geom_condim", "geom_group", "geom_rgba", "geom_solref", "geom_margin", "geom_matid", "site_pos", "site_quat"),
    *("site_size", "site_type", "mesh_vert", "mesh_face", "actuator_trnid", "actuator_gainprm", "exclude_signature"),
)


def saved(folder: Path, text: str, **others: str) -> Path:
    """Return the main file, saved with the other files: name__sub becomes sub/name.xml."""
    for name, content in others.items():
        path = folder / ("/".join(reversed(name.split("__"))) + ".xml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    main = folder / "in.xml"
    main.write_text(text)
    return main


def ordered(scene: Scene) -> list[str]:
    return [body.name for _, body in scene.walk()]


def meant(scene: Scene) -> Scene:
    """Return the scene as other formats receive it."""
    for each in passes():
        scene = each.apply(scene, Target(fits=Fits(), load=loaded))
    return scene


def check_poses(path: Path, scene: Scene) -> None:
    """Check the poses of bodies, geoms and sites at ten random configurations."""
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    names = ordered(scene)
    assert len(names) == model.nbody
    dofs = [dof for joint, _ in scene.walk() if joint is not None for dof in joint.dofs]
    dice = np.random.default_rng(1)
    for _ in range(10):
        data.qpos[:] = dice.normal(size=model.nq)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_kinematics(model, data)
        values, at = {}, 0
        for dof in dofs:
            size = {DofKind.FREE: 7, DofKind.BALL: 4}.get(dof.kind, 1)
            values[dof.name] = tuple(data.qpos[at : at + size].tolist())
            at += size
        assert at == model.nq
        poses = forward(scene, values)
        for index, name in enumerate(names):
            assert np.allclose(poses[name].pos, data.xpos[index], atol=1e-9)
            assert np.allclose(matrix(poses[name].rot), data.xmat[index].reshape(3, 3), atol=1e-9)
    for index, name in enumerate(names):
        body = scene.body(name)
        sites = [site for site in range(model.nsite) if model.site_bodyid[site] == index]
        for frame, site in zip(body.frames, sites, strict=True):
            assert np.allclose(frame.pose.pos, model.site_pos[site], atol=1e-9)
            assert np.allclose(matrix(frame.pose.rot), rotation(model.site_quat[site]), atol=1e-9)


def check_inertia(path: Path, scene: Scene, tolerance: float = 1e-9) -> None:
    model = mujoco_model(path)
    scene = meant(scene)
    for index, name in enumerate(ordered(scene)):
        inertial = scene.body(name).inertial
        if name == WORLD or (inertial is None and model.body_mass[index] == 0):
            continue
        assert inertial is not None
        assert inertial.mass == pytest.approx(model.body_mass[index], rel=tolerance)
        assert np.allclose(inertial.pose.pos, model.body_ipos[index], atol=tolerance)
        axes = rotation(model.body_iquat[index])
        tensor = axes @ np.diag(model.body_inertia[index]) @ axes.T
        xx, yy, zz, xy, xz, yz = body_tensor(inertial)
        found = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert np.allclose(found, tensor, atol=tolerance * np.abs(tensor).max())


def check_again(path: Path, folder: Path) -> str:
    """Check that MJCF written to another folder, and its plain spelling, compile to the same model; return its text."""
    target = folder / "again" / "out.xml"
    target.parent.mkdir()
    report = convert(path, target)
    complete(report)
    one, other = mujoco_model(path), mujoco_model(target)
    for name in ("nbody", "nq", "nv", "ngeom", "nsite", "nu", "nmesh", "nexclude"):
        assert getattr(one, name) == getattr(other, name), name
    for kind, count in ((mujoco.mjtObj.mjOBJ_BODY, one.nbody), (mujoco.mjtObj.mjOBJ_JOINT, one.njnt)):
        for index in range(count):
            assert mujoco.mj_id2name(one, kind, index) == mujoco.mj_id2name(other, kind, index)
    for name in ARRAYS:
        assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-12), name
    return target.read_text()


def check(folder: Path, text: str, **others: str) -> Scene:
    path = saved(folder, text, **others)
    scene = read(path)
    check_poses(path, scene)
    check_inertia(path, scene)
    check_again(path, folder)
    check_plain(path, scene)
    return scene


def check_plain(path: Path, scene: Scene) -> None:
    """Check that the scene has the same meaning without the notes on its spelling."""
    other, one = plainly(path, scene)
    for model in (one, other):  # MuJoCo leaves a range in degrees where it limits nothing
        model.jnt_range[model.jnt_limited == 0] = 0
    for name in ARRAYS:
        if name not in ("body_inertia", "body_iquat"):  # whose axes may change places
            assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9), name
    check_inertia(path.with_name("plain.xml"), scene)


def plainly(path: Path, scene: Scene) -> tuple[mujoco.MjModel, mujoco.MjModel]:
    """Return the compiled models of the scene, written next to the document without the author's spelling, and of the
    document."""
    plain = path.with_name("plain.xml")
    plain.write_bytes(document(render(scene)))
    return mujoco_model(plain), mujoco_model(path)


def body(inner: str, outer: str = "") -> str:
    return f"<mujoco>{outer}<worldbody><body name='b' pos='1 2 3'>{inner}</body></worldbody></mujoco>"


PRISM = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)


def stl(height: float = 1.0, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bytes:
    """Return an STL of an L-shaped prism, not at the origin, with a cross section of 3 m^2."""
    faces = []
    for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
        faces.append([(*PRISM[a], 0), (*PRISM[c], 0), (*PRISM[b], 0)])
        faces.append([(*PRISM[a], height), (*PRISM[b], height), (*PRISM[c], height)])
    for first, second in zip(PRISM, np.roll(PRISM, -1, axis=0), strict=True):
        faces.append([(*first, 0), (*second, 0), (*second, height)])
        faces.append([(*first, 0), (*second, height), (*first, height)])
    rows = [struct.pack("<12fH", 0, 0, 0, *(np.array(face, dtype=float) + shift).ravel(), 0) for face in faces]
    return b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(rows)
