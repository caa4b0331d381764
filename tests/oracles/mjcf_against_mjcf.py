"""Two MJCF files as MuJoCo compiles them: the same model, array by array, and the same motion."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np

from tests.oracles.in_mujoco import body_tensor, mass_matrix, mujoco_model, poses
from tests.oracles.verdict import Verdicts

EXACT = 1e-9
ROLLED = 1e-6
SAMPLES = 10
ROLLOUT = 1.0
"""Seconds of simulated time."""
STEPS = 1000
"""Maximum number of steps of a roll-out; models with short time steps stop earlier."""
PATIENCE = 20.0
"""Maximum seconds of real time of a roll-out: a hundred humanoids falling in a heap stop earlier."""

COUNTED = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "camera": "ncam",
    "light": "nlight",
    "actuator": "nactuator",
    "sensor": "nsensor",
    "tendon": "ntendon",
    "equality": "neq",
    "key": "nkey",
    "pair": "npair",
    "exclude": "nexclude",
    "mesh": "nmesh",
    "hfield": "nhfield",
    "texture": "ntex",
    "material": "nmat",
    "flex": "nflex",
    "skin": "nskin",
    "numeric": "nnumeric",
    "tuple": "ntuple",
    "plugin": "nplugin",
}
"""Maps an object type (mjtObj) to the field with its count."""
PARTS = {
    "joints": ("jnt_", "dof_armature", "dof_damping", "dof_frictionloss", "dof_sol", "dof_jntid", "qpos"),
    "geoms": ("geom_",),
    "frames": ("site_",),
    "views": ("cam_", "light_"),
    "contacts": ("pair_", "exclude_"),
    "equalities": ("eq_",),
    "tendons": ("tendon_", "wrap_"),
    "actuators": ("actuator_",),
    "sensors": ("sensor_",),
    "keyframes": ("key_",),
    "custom": ("numeric_", "tuple_", "plugin_"),
    "soft": ("flex_", "skin_", "hfield_"),
}
"""Maps a criterion to the prefixes of its arrays of mjModel."""
BODIES = ("body_parentid", "body_gravcomp", "body_mocapid", "body_weldid", "body_user", "body_sameframe")
IDS = {"matid": "material", "texid": "texture"}
"""Suffixes of arrays with indices of materials and textures, which may be in another order."""
APART = ("adr", "num", "invweight0", "bvh", "aabb", "rbound", "dataid", "quat", "nodeid", "path", "sameframe")
"""Arrays of addresses in memory, and of what is compared in another way."""
LOOSE = ("acc0", "length0", "lengthrange", "lengthspring", "plugin", "cam_mat0")
"""Computed by the compiler from the whole model: compared to 1e-6."""


def loads(path: Path) -> mujoco.MjModel | str:
    """Return the compiled model, or why MuJoCo refuses it."""
    try:
        return mujoco_model(path)
    except (ValueError, mujoco.FatalError) as error:
        return " ".join(str(error).split()) or type(error).__name__


def compare(source: mujoco.MjModel, written: mujoco.MjModel, verdicts: Verdicts, rollout: bool = True) -> None:
    """Add every criterion of `differences` to the verdicts."""
    for criterion, found in differences(source, written, rollout):
        verdicts.good(criterion)
        for text in found:
            verdicts.fail(criterion, text)


def differences(
    source: mujoco.MjModel, written: mujoco.MjModel, rollout: bool = True
) -> Iterator[tuple[str, list[str]]]:
    """Yield each criterion and its differences. Arrays of unequal length are reported only by their counts."""
    yield "counts", list(_counts(source, written))
    yield "names", list(_names(source, written))
    yield "inertia", list(_inertia(source, written))
    for criterion, prefixes in PARTS.items():
        yield criterion, list(_arrays(source, written, prefixes))
    yield "looks", list(_looks(source, written))
    yield "settings", list(_settings(source, written))
    if (source.nq, source.nv, source.nbody) != (written.nq, written.nv, written.nbody):
        return
    with contextlib.chdir(tempfile.gettempdir()):  # MuJoCo leaves a log of its warnings wherever it runs
        yield from list(_motion(source, written, rollout))


def _counts(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    for name in ("nq", "nv", "na", "nu", "nsensordata", "nmocap", "nuserdata", *COUNTED.values()):
        if getattr(a, name) != getattr(b, name):
            yield f"{name}: {getattr(a, name)} became {getattr(b, name)}"


def _names(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    """Compare the names, in order; items without a name in the source may have got one."""
    for kind in COUNTED:
        ours, theirs = names(a, kind), names(b, kind)
        if kind in ("material", "texture", "mesh"):
            gone = sorted(set(ours) - set(theirs) - {""})
            if gone:
                yield f"{kind}: {gone[:3]} gone"
            continue
        for index, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if one and one != other:
                yield f"{kind} {index}: {one!r} became {other!r}"
                break


def names(model: mujoco.MjModel, kind: str) -> list[str]:
    code = int(mujoco.mju_str2Type(kind))
    return [mujoco.mj_id2name(model, code, index) or "" for index in range(getattr(model, COUNTED[kind]))]


def _inertia(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    if a.nbody != b.nbody:
        return
    for index in range(1, a.nbody):
        name = mujoco.mj_id2name(a, mujoco.mjtObj.mjOBJ_BODY, index) or index
        if not _near(a.body_mass[index], b.body_mass[index]):
            yield f"{name}: mass {a.body_mass[index]!r} became {b.body_mass[index]!r}"
        elif a.body_mass[index] > 0:
            one, other = body_tensor(a, index), body_tensor(b, index)
            if not np.allclose(a.body_ipos[index], b.body_ipos[index], rtol=0, atol=EXACT):
                yield f"{name}: centre of mass {a.body_ipos[index]} became {b.body_ipos[index]}"
            if np.abs(one - other).max() > EXACT * max(np.abs(one).max(), 1e-12):
                yield f"{name}: tensor off by {np.abs(one - other).max() / np.abs(one).max():.1e}"
    for name in BODIES:
        yield from _array(a, b, name)


def _near(a: float, b: float) -> bool:
    return bool(abs(a - b) <= EXACT * max(abs(a), abs(b)))


def _arrays(a: mujoco.MjModel, b: mujoco.MjModel, prefixes: tuple[str, ...]) -> Iterator[str]:
    for name in dir(a):
        if name.startswith(prefixes) and isinstance(getattr(a, name), np.ndarray):
            if name.endswith("quat") and name != "key_mquat":
                yield from _quats(a, b, name)
            elif not name.endswith(APART) and not any(part in name for part in ("bvh", "_path")):
                yield from _array(a, b, name)
    if "geom_" in prefixes and a.ngeom == b.ngeom:
        for index in range(a.ngeom):
            if _mesh(a, index) != _mesh(b, index):
                yield f"geom {index}: mesh of {_mesh(a, index)} vertices, faces became {_mesh(b, index)}"


def _mesh(model: mujoco.MjModel, geom: int) -> tuple[int, int] | None:
    mesh = int(model.geom_dataid[geom])
    if mesh < 0 or int(model.geom_type[geom]) != int(mujoco.mjtGeom.mjGEOM_MESH):
        return None
    return int(model.mesh_vertnum[mesh]), int(model.mesh_facenum[mesh])


def _quats(a: mujoco.MjModel, b: mujoco.MjModel, name: str) -> Iterator[str]:
    one, other = getattr(a, name), getattr(b, name)
    if one.shape == other.shape and one.size:
        dots = np.abs((one * other).sum(axis=-1))
        if (1 - dots).max() > EXACT:
            at = int(np.argmax(1 - dots))
            yield f"{name}[{at}]: {one[at]} became {other[at]}"


def _array(a: mujoco.MjModel, b: mujoco.MjModel, name: str) -> Iterator[str]:
    one, other = getattr(a, name), getattr(b, name)
    for end, kind in IDS.items():
        if name.endswith(end) and one.shape == other.shape:
            one, other = _named(a, kind, one), _named(b, kind, other)
            if not np.array_equal(one, other):
                at = np.argwhere(one != other)[0]
                yield f"{name}{at.tolist()}: {one[tuple(at)]!r} became {other[tuple(at)]!r}"
            return
    if one.shape != other.shape or not one.size:
        return
    tolerance = ROLLED if any(part in name for part in LOOSE) else EXACT
    ours, theirs = one.astype(float), other.astype(float)
    with np.errstate(invalid="ignore"):
        wrong = ~((ours == theirs) | (np.abs(ours - theirs) <= tolerance * np.maximum(1.0, np.abs(ours))))
    wrong &= ~(np.isnan(ours) & np.isnan(theirs))
    if wrong.any():
        at = np.argwhere(wrong)[0]
        yield f"{name}{at.tolist()}: {ours[tuple(at)]!r} became {theirs[tuple(at)]!r}"


def _named(model: mujoco.MjModel, kind: str, ids: np.ndarray) -> np.ndarray:
    found = names(model, kind)
    return np.array([found[index] if index >= 0 else "-" for index in ids.ravel()], dtype=object).reshape(ids.shape)


def _looks(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    """Compare materials and textures, by name."""
    for kind, prefix in (("material", "mat_"), ("texture", "tex_")):
        ours, theirs = names(a, kind), names(b, kind)
        for index, name in enumerate(ours):
            if name not in theirs:
                continue
            other = index if theirs[index : index + 1] == [name] else theirs.index(name)
            for field in dir(a):
                values = getattr(a, field) if field.startswith(prefix) else None
                if not isinstance(values, np.ndarray) or field in ("tex_data", "mat_texid") or field.endswith("adr"):
                    continue
                if not np.allclose(values[index], getattr(b, field)[other], rtol=EXACT, atol=1e-7):
                    yield f"{field} of {name!r}: {values[index]} became {getattr(b, field)[other]}"
            if kind == "material":
                one, two = (_named(model, "texture", model.mat_texid[at]) for model, at in ((a, index), (b, other)))
                if not np.array_equal(one, two):
                    yield f"textures of {name!r}: {[x for x in one if x != '-']} became {[x for x in two if x != '-']}"


def _settings(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    for what, fields in (("opt", dir(a.opt)), ("stat", ("center", "extent", "meansize"))):
        for field in fields:
            if field.startswith("_"):
                continue
            one, other = getattr(getattr(a, what), field), getattr(getattr(b, what), field)
            if not np.allclose(one, other, rtol=ROLLED if what == "stat" else EXACT, atol=1e-12):
                yield f"{what}.{field}: {one} became {other}"
    for part in ("global_", "headlight", "map", "quality", "rgba", "scale"):
        one, other = getattr(a.vis, part), getattr(b.vis, part)
        for field in dir(one):
            value = getattr(one, field)
            if field.startswith("_") or callable(value):
                continue
            if not np.allclose(value, getattr(other, field), rtol=EXACT, atol=1e-9):
                yield f"vis.{part}.{field}: {value} became {getattr(other, field)}"


def random_qpos(model: mujoco.MjModel, generator: np.random.Generator) -> np.ndarray:
    """Return random positions: angles and lengths around their reference, free and ball joints rotated."""
    qpos = model.qpos0 + generator.uniform(-1.0, 1.0, model.nq)
    for joint in range(model.njnt):
        start, kind = int(model.jnt_qposadr[joint]), int(model.jnt_type[joint])
        if kind in (int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)):
            start += 3 if kind == int(mujoco.mjtJoint.mjJNT_FREE) else 0
            quat = generator.normal(size=4)
            qpos[start : start + 4] = quat / np.linalg.norm(quat)
    return qpos


def _motion(a: mujoco.MjModel, b: mujoco.MjModel, rollout: bool) -> Iterator[tuple[str, list[str]]]:
    ours, theirs = mujoco.MjData(a), mujoco.MjData(b)
    generator = np.random.default_rng(5)
    wrong_poses: list[str] = []
    wrong_matrices: list[str] = []
    ended = list(_rolled(a, b)) if rollout else []
    for sample in range(SAMPLES):
        ours.qpos[:] = theirs.qpos[:] = random_qpos(a, generator)
        one, other = poses(a, ours), poses(b, theirs)
        scale = max(1.0, max(np.abs(pose).max() for pose in one))
        off = [float(np.abs(x - y).max()) for x, y in zip(one, other, strict=True)]
        if max(off) > EXACT * scale:
            index = int(np.argmax(off))
            name = mujoco.mj_id2name(a, mujoco.mjtObj.mjOBJ_BODY, index) or index
            wrong_poses.append(f"{name}: pose off by {off[index]:.1e} at sample {sample}")
        x, y = mass_matrix(a, ours), mass_matrix(b, theirs)
        if x.size and np.abs(x - y).max() > EXACT * np.abs(x).max():
            at = np.unravel_index(np.argmax(np.abs(x - y)), x.shape)
            wrong_matrices.append(f"M{[int(i) for i in at]}: {x[at]!r} became {y[at]!r} at sample {sample}")
    yield "poses", wrong_poses
    yield "matrix", wrong_matrices
    if rollout:
        yield "rollout", ended


def _rolled(a: mujoco.MjModel, b: mujoco.MjModel) -> Iterator[str]:
    """Compare both models in parallel, with the same steps."""
    models = (a, b)
    states = [mujoco.MjData(model) for model in models]
    for model, data in zip(models, states, strict=True):
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
            data.ctrl[:] = 0
    start, steps = time.monotonic(), 0
    while steps < min(STEPS, round(ROLLOUT / a.opt.timestep)) and time.monotonic() - start < PATIENCE:
        steps += 1
        for model, data in zip(models, states, strict=True):
            mujoco.mj_step(model, data)
    ends = [(data.time, data.qpos) for data in states]
    if abs(ends[0][0] - ends[1][0]) > EXACT:
        yield f"time {ends[0][0]} became {ends[1][0]}"
    off = np.abs(ends[0][1] - ends[1][1])
    if off.size and not np.nanmax(off) <= ROLLED:
        index = int(np.nanargmax(off))
        yield f"qpos[{index}] after {steps} steps: {ends[0][1][index]!r} became {ends[1][1][index]!r}"
