"""What is promised for every real MJCF file: each promise is a criterion with a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from lxml import etree

from converters.context import InputError, Options
from converters.convert import load, read
from tests.corpus.checks import COUNT, Case, counted, first_difference, judged
from tests.oracles import in_pinocchio, plain_urdf
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import FREE, HINGE, SLIDE, mass_matrix, poses
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.mjcf_against_mjcf import compare, differences, loads, random_qpos

TOLERANCE = 1e-9
SAMPLES = 10
UNTURNED = 1e-12
"""Off-diagonal moments in kg m^2 up to which MuJoCo treats the tensor of a body as diagonal (mju_eig3): the computed
inertia of a body with a mesh may differ by that much from the mesh."""
LARGEST = 300
"""Maximum number of bodies for which Drake and Pinocchio are used: a heap of a thousand spheres reveals nothing new."""

MOST_DOFS = 640
"""Maximum number of dofs for Pinocchio: its data has four tensors of nv^3 numbers."""


def mjcf(path: str, only: str = "", folder: str = "") -> dict[str, Any]:
    """MJCF -> MJCF, -> URDF -> MJCF, -> SDF -> MJCF, compared with MuJoCo, Pinocchio, Drake, libsdformat and lxml.

    only: mjcf, urdf or sdf omits the others. folder: what a user gives as --resource-path if files of the model are
    above it.
    """
    steps = [_trip, *([_urdf] if only in ("", "urdf") else []), *([_sdf] if only in ("", "sdf") else []), _conservation]
    return judged(path, [partial(_reach, Path(folder)), *steps] if folder else steps)


def _reach(folder: Path, case: Case) -> None:
    """Set the folder only if needed: files above a model are read only if the user gives it; most need none."""
    missing = ("assets/missing", "mjcf/include-missing", "mjcf/attach-missing")
    try:
        reading = load(case.path)
    except InputError:
        return
    if any(note.rule in missing for note in reading.context.notes):
        case.options = Options(resource_paths=(folder,))
        case.verdicts.good("explained")
        case.verdicts.excuse("explained", "with --resource-path: it has files above its folder")


def _trip(case: Case) -> None:
    once, twice = case.work / "once" / "model.xml", case.work / "twice" / "model.xml"
    source = loads(case.path)
    report = case.convert("mjcf", case.path, once)
    case.verdicts.good("converts")
    case.verdicts.good("verdict")
    if report is None:
        if isinstance(source, str) and not _crashed(case, "mjcf"):
            message = case.verdicts.criteria.pop("mjcf")["failures"][0]
            case.verdicts.excuse("mjcf", f"{message[:120]}; by MuJoCo: {source[:120]}")
        elif not isinstance(source, str):
            case.verdicts.fail("verdict", "MuJoCo accepts it; " + case.verdicts.criteria["mjcf"]["failures"][0])
        return
    case.explained("explained", report)
    if case.convert("second write", once, twice) and once.read_bytes() != twice.read_bytes():
        case.verdicts.fail("second write", first_difference(once, twice))
    if isinstance(source, str):
        case.verdicts.excuse("loads", f"MuJoCo refuses the source: {source[:160]}")
        return
    written = loads(once)
    case.verdicts.good("loads")
    if isinstance(written, str):
        case.verdicts.fail("loads", written[:300])
        return
    compare(source, written, case.verdicts)


def _crashed(case: Case, criterion: str) -> bool:
    return case.verdicts.criteria[criterion]["failures"][0].startswith("crashed")


def _models(case: Case) -> tuple[mujoco.MjModel, list[str]] | None:
    """Return the compiled source, with a name for every body: unnamed ones get the names that the reader generates.

    The body frames are those of the document: MuJoCo would align those of free bodies with their inertia.
    """
    source = loads(case.path)
    if not isinstance(source, str):
        spec = mujoco.MjSpec.from_file(str(case.path))
        for joint in spec.joints:
            joint.align = mujoco.mjtAlignFree.mjALIGNFREE_FALSE
        source = spec.compile()
    bodies = [body.name for _, body in read(case.path, options=case.options).walk()]
    if isinstance(source, str) or len(bodies) != source.nbody or source.nbody > LARGEST:
        return None
    return source, bodies


def _joint_names(case: Case) -> list[str]:
    return [
        dof.name for joint, _ in read(case.path, options=case.options).walk() if joint is not None for dof in joint.dofs
    ]


def _urdf(case: Case) -> None:
    urdf, back = case.work / "urdf" / "model.urdf", case.work / "back_urdf" / "model.xml"
    if case.verdicts.failed("mjcf") or "loads" not in case.verdicts.criteria:
        return
    report = case.convert("urdf", case.path, urdf)
    if report is None:
        return
    case.explained("urdf explained", report)
    _through(case, "through urdf", urdf, back)
    found = _models(case)
    if found is None or found[0].nv > MOST_DOFS:
        return
    source, bodies = found
    joints = _joint_names(case)
    free = [name for name, kind in zip(joints, source.jnt_type, strict=True) if kind == FREE]
    alone = len(free) == 1 and "world" not in {body.get("name") for body in plain_urdf.parse(urdf).iter("link")}
    try:
        pinocchio = in_pinocchio.pinocchio_model(urdf, *(free if alone else ()))
    except Exception as error:  # Pinocchio has exceptions of several kinds
        case.verdicts.fail("urdf poses", f"Pinocchio refuses it: {str(error)[:200]}")
        return
    missing = [name for name in joints if not pinocchio.existJointName(name)]
    case.verdicts.good("urdf poses")
    case.verdicts.good("urdf matrix")
    if missing:
        case.verdicts.excuse("urdf poses", f"URDF cannot hold {missing[:3]}")
        case.verdicts.excuse("urdf matrix", f"URDF cannot hold {missing[:3]}")
    data = mujoco.MjData(source)
    generator = np.random.default_rng(3)
    for sample in range(SAMPLES):
        qpos = random_qpos(source, generator)
        _at_rest(source, qpos, {joint for joint, name in enumerate(joints) if name in missing})
        data.qpos[:] = qpos
        at = dict(zip(bodies, poses(source, data), strict=True))
        q = in_pinocchio.configuration(pinocchio, _coordinates(source, joints, missing, qpos, pinocchio))
        _hold(case, "urdf poses", at, _relative(in_pinocchio.link_poses(pinocchio, q), at), sample)
        columns = {
            name: int(pinocchio.joints[pinocchio.getJointId(name)].idx_v) for name in joints if name not in missing
        }
        _hold_matrix(case, "urdf matrix", source, data, joints, columns, in_pinocchio.mass_matrix(pinocchio, q))


def _at_rest(model: mujoco.MjModel, qpos: np.ndarray, still: set[int]) -> None:
    """Keep joints that the other side does not have in their initial position."""
    for joint in still:
        start = int(model.jnt_qposadr[joint])
        count = {FREE: 7, HINGE: 1, SLIDE: 1}.get(int(model.jnt_type[joint]), 4)
        qpos[start : start + count] = model.qpos0[start : start + count]


def _coordinates(
    model: mujoco.MjModel, joints: list[str], missing: list[str], qpos: np.ndarray, pinocchio: pin.Model
) -> dict[str, tuple[float, ...]]:
    """Return Pinocchio's coordinates; a free joint of MuJoCo is relative to the world, one of URDF to its origin."""
    found: dict[str, tuple[float, ...]] = {}
    for joint, name in enumerate(joints):
        start, kind = int(model.jnt_qposadr[joint]), int(model.jnt_type[joint])
        if name in missing:
            continue
        if kind == FREE:
            x, y, z, qw, qx, qy, qz = (float(value) for value in qpos[start : start + 7])
            pose = pin.XYZQUATToSE3(np.array([x, y, z, qx, qy, qz, qw]))
            origin = pinocchio.jointPlacements[pinocchio.getJointId(name)]
            found[name] = tuple(float(value) for value in pin.SE3ToXYZQUAT(origin.inverse() * pose))
        elif kind in (HINGE, SLIDE):
            found[name] = (float(qpos[start]),)
    return found


def _relative(found: Mapping[str, np.ndarray], at: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return world poses for links whose poses are relative to a root that the URDF does not place."""
    root = next((name for name, pose in found.items() if np.array_equal(pose, np.eye(4))), None)
    base = at[root] if root in at else np.eye(4)
    return {name: base @ pose for name, pose in found.items()}


def _hold(
    case: Case, criterion: str, expected: Mapping[str, np.ndarray], found: Mapping[str, np.ndarray], sample: int
) -> None:
    for name, pose in expected.items():
        if name == "world":
            continue
        if name not in found:
            case.verdicts.fail(criterion, f"body {name!r} is gone")
        else:
            off = float(np.abs(pose - found[name]).max())
            if off > TOLERANCE * max(1.0, float(np.abs(pose).max())):
                case.verdicts.fail(criterion, f"body {name!r} off by {off:.1e} at sample {sample}")


def _hold_matrix(
    case: Case,
    criterion: str,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    joints: list[str],
    columns: Mapping[str, int],
    theirs: np.ndarray,
    rotors: bool = False,
) -> None:
    """Compare over the joints with one dof that both sides have; rotors: whether theirs includes armature."""
    scalar = [joint for joint in range(model.njnt) if int(model.jnt_type[joint]) in (HINGE, SLIDE)]
    scalar = [joint for joint in scalar if joints[joint] in columns]
    if not scalar:
        return
    ours = mass_matrix(model, data) + (np.diag(model.dof_armature) if rotors else 0.0)
    rows = [int(model.jnt_dofadr[joint]) for joint in scalar]
    others = [columns[joints[joint]] for joint in scalar]
    one, other = ours[np.ix_(rows, rows)], theirs[np.ix_(others, others)]
    off = np.abs(one - other)
    if off.max() > TOLERANCE * max(float(np.abs(ours).max()), 1e-9):
        at = np.unravel_index(np.argmax(off), off.shape)
        if off.max() <= model.nbody * UNTURNED:
            case.verdicts.excuse(criterion, "MuJoCo ends its search for principal axes at 1e-12 kg m^2")
            return
        case.verdicts.fail(
            criterion, f"M of {joints[scalar[at[0]]]!r}, {joints[scalar[at[1]]]!r}: {one[at]!r} became {other[at]!r}"
        )


def _through(case: Case, criterion: str, middle: Path, back: Path) -> None:
    """Check that the way back gives the model of the source, including what only MuJoCo has."""
    if case.convert(criterion, middle, back) is None:
        return
    source = loads(case.path)
    if isinstance(source, str):
        case.verdicts.excuse(criterion, "MuJoCo refuses the source")
        return
    written = loads(back)
    if isinstance(written, str):
        case.verdicts.fail(criterion, f"MuJoCo refuses it: {written[:200]}")
        return
    for part, found in differences(source, written, rollout=False):
        for text in found:
            case.verdicts.fail(criterion, f"{part}: {text}")


def _sdf(case: Case) -> None:
    sdf, back = case.work / "sdf" / "model.sdf", case.work / "back_sdf" / "model.xml"
    if case.verdicts.failed("mjcf") or "loads" not in case.verdicts.criteria:
        return
    report = case.convert("sdf", case.path, sdf)
    if report is None:
        return
    case.explained("sdf explained", report)
    case.verdicts.good("sdf loads")
    for error in sdformat_reads(sdf)["errors"] if len(read(case.path, options=case.options).bodies) <= LARGEST else ():
        case.verdicts.fail("sdf loads", f"{error['code']}: {error['message'][:200]}")
    _through(case, "through sdf", sdf, back)
    found = _models(case)
    if found is None:
        return
    source, bodies = found
    _open_loops(case, sdf, {finding.where.partition("/")[2] for finding in report.findings if "loop/" in finding.where})
    joints = _joint_names(case)
    scalar = [joint for joint in range(source.njnt) if int(source.jnt_type[joint]) in (HINGE, SLIDE)]
    generator = np.random.default_rng(3)
    configurations = [random_qpos(source, generator) for _ in range(SAMPLES)]
    try:
        known = _asked(case, sdf, [{}])[0]["columns"]
        there = {joint: name for joint in scalar for name in _aliases(joints[joint]) if name in known}
        for qpos in configurations:  # Drake names joints, not their axes: those of two stay at zero
            _at_rest(source, qpos, set(range(source.njnt)) - set(scalar))
            qpos[[source.jnt_qposadr[joint] for joint in scalar if joint not in there]] = 0.0
        at = [
            {name: float(qpos[source.jnt_qposadr[joint]]) for joint, name in there.items()} for qpos in configurations
        ]
        answers = _asked(case, sdf, at)
    except RuntimeError as error:
        case.verdicts.fail("sdf poses", f"Drake refuses it: {str(error)[-200:]}")
        return
    case.verdicts.good("sdf poses")
    case.verdicts.good("sdf matrix")
    data = mujoco.MjData(source)
    for sample, (qpos, seen) in enumerate(zip(configurations, answers, strict=True)):
        data.qpos[:] = qpos
        expected = dict(zip(bodies, poses(source, data), strict=True))
        found = {**seen["frames"], **seen["bodies"]}  # a body without anything is a frame in SDF
        placed = {name.rpartition("::")[2]: np.array(pose).reshape(4, 4) for name, pose in found.items()}
        placed |= {name: np.array(pose).reshape(4, 4) for name, pose in found.items()}
        _hold(case, "sdf poses", expected, placed, sample)
        columns = {joints[joint]: seen["columns"][name] for joint, name in there.items()}
        _hold_matrix(case, "sdf matrix", source, data, joints, columns, np.array(seen["matrix"]), rotors=True)


def _aliases(joint: str) -> tuple[str, str]:
    """Return possible names: links and joints share their names in SDF, where a joint named like a link is renamed."""
    return f"{joint}_joint", joint


def _open_loops(case: Case, sdf: Path, loops: set[str]) -> None:
    """Write a copy without the joints that close loops, which Drake does not support."""
    if not loops:
        return
    document = etree.parse(str(sdf))
    for element in [each for each in document.iter("joint") if each.get("name") in loops]:
        element.getparent().remove(element)
    document.write(str(sdf.with_name("bare.sdf")))
    case.verdicts.good("sdf poses")
    case.verdicts.excuse("sdf poses", "Drake takes no loops; asked without the joints that close them")


def _asked(case: Case, sdf: Path, at: list[dict[str, float]]) -> list[dict[str, Any]]:
    """Return Drake's answer at the configurations; if it crashes because of contacts, it is run without them."""
    bare = sdf.with_name("bare.sdf")
    try:
        return list(drake_reads(bare if bare.is_file() else sdf, at=at)["at"])
    except RuntimeError as error:
        if not str(error).startswith("Drake died") or bare.is_file():
            raise
    document = etree.parse(str(sdf))
    for element in list(document.iter("collision")):
        element.getparent().remove(element)
    document.write(str(bare))
    case.verdicts.good("sdf poses")
    case.verdicts.excuse("sdf poses", "Drake ends with a segmentation fault; asked without the collisions")
    return _asked(case, sdf, at)


def _conservation(case: Case) -> None:
    report = case.reports.get("mjcf")
    if report is None:
        return
    for name in COUNT:
        case.verdicts.good(name)
    files = [file for file in map(Path, report.source.files) if file.suffix in (".xml", ".mjcf")]
    try:
        for file in files:
            etree.parse(str(file))
    except etree.XMLSyntaxError as error:
        case.verdicts.excuse("conservation", f"no well-formed XML, which MuJoCo reads: {error}")
        return
    counted(case, report, files)
