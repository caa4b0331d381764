"""SRDFs of real robots: they come back, and engines read the same from the output as from the source."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from converters.context import Options
from converters.convert import read
from converters.report.model import Report
from converters.srdf.beside import find
from tests.corpus.checks import Case
from tests.corpus.models import Model
from tests.corpus.mutation import lightened
from tests.formats.srdf_text import plain
from tests.oracles import recount
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule

MEANING = {
    "converts": "URDF + SRDF -> URDF converts, nothing unexplained or dropped",
    "same srdf": "the SRDF written is the same, element for element",
    "conservation": "lxml counts the items of both documents that the report counts",
    "through mjcf": "URDF + SRDF -> MJCF -> URDF + SRDF: the same bytes of the SRDF",
    "through sdf": "the same through SDF",
    "through glb": "the same through GLB",
    "references": "every name that leads nowhere is told, and no other",
    "pinocchio states": "Pinocchio reads the same reference configurations",
    "pinocchio pairs": "Pinocchio removes the same collision pairs",
    "mujoco loads": "MuJoCo loads the MJCF",
    "mujoco states": "keyframes are the group states, joint by joint",
    "mujoco pairs": "excluded are the pairs that the SRDF disables",
    "mujoco contacts": "no excluded pair touches in a state or anywhere at random",
}
SRDF_ROBOT = tuple(MEANING)
OTHERS = {
    "alexander.srdf": "urdf/alexander_v1.lowerBodyOnly.urdf",
    "pr2_manipulation.srdf": "urdf/pr2.urdf",
    "romeo_moveit.srdf": "urdf/romeo.urdf",
    "ur5.srdf": "urdf/ur5_robot.urdf",
}
"""URDFs of SRDFs for which names do not show it. That of Cassie belongs to an SDF."""
SEEDS = 10
DISABLE = "disable_collisions"


def pairs(folders: Iterable[str] = ()) -> list[tuple[Model, Path]]:
    """Return every SRDF of example-robot-data and of the folders, named by its place, with a URDF."""
    marker = "example-robot-data/robots/"
    files = [
        Path(str(distribution("example-robot-data").locate_file(file)))
        for file in distribution("example-robot-data").files or ()
        if file.suffix == ".srdf" and marker in file.as_posix()
    ]
    for folder in folders:
        files += Path(folder).resolve().rglob("*.srdf")
    found = []
    for srdf in sorted(files):
        urdf = _urdf_of(srdf)
        if urdf is not None:
            found.append((Model("/".join(srdf.parts[-3:]), urdf), srdf))
    return found


def _urdf_of(srdf: Path) -> Path | None:
    """Return, among the URDFs that find the SRDF, the one with its name, or else the first."""
    if srdf.name in OTHERS:
        return srdf.parents[1] / OTHERS[srdf.name]
    around = [*srdf.parent.glob("*.urdf"), *srdf.parents[1].glob("*/*.urdf")] if srdf.parent.name == "srdf" else []
    around = around or list(srdf.parent.glob("*.urdf"))
    finding = []
    for urdf in sorted(around, key=lambda path: (path.stem != srdf.stem, path)):
        try:
            robot = etree.parse(str(urdf), etree.XMLParser(recover=True)).getroot().get("name") or ""
        except (OSError, etree.XMLSyntaxError):
            continue
        if find(str(urdf), str(robot)) == srdf:
            finding.append(urdf)
    return finding[0] if finding else None


def srdf_robot(path: str, srdf: str, light: bool = False) -> dict[str, Any]:
    """Return the verdicts on one robot and its SRDF. light: with small meshes instead of its own."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="kinegraph-srdf-") as folder:
        source = lightened(Path(path), Path(folder, "source")) if light else Path(path)
        case = Case(source, Path(folder, "out"), Options(srdf=Path(srdf)))
        _check(case, Path(srdf))
        return {"criteria": case.verdicts.criteria, "seconds": case.seconds}


def _check(case: Case, srdf: Path) -> None:
    once = case.work / "once" / "robot.urdf"
    report = case.convert("converts", case.path, once)
    if report is None:
        return
    _nothing_lost(case, report)
    written = once.with_suffix(".srdf")
    case.verdicts.good("same srdf")
    if not written.is_file() or plain(written) != plain(srdf):
        case.verdicts.fail("same srdf", "another document")
    _conserved(case, report, srdf)
    for name, suffix in (("mjcf", "xml"), ("sdf", "sdf"), ("glb", "glb")):
        _through(case, f"through {name}", written, case.work / name / f"robot.{suffix}")
    _references(case, report, srdf)
    _pinocchio(case, srdf, written)
    _mujoco(case, srdf, case.work / "mjcf" / "robot.xml")


def _nothing_lost(case: Case, report: Report) -> None:
    for finding in report.findings:
        if finding.action in ("unexplained", "dropped") and not finding.rule.startswith("assets/"):
            case.verdicts.fail("converts", f"{finding.action}: {finding.rule} {finding.where}")


def _conserved(case: Case, report: Report, srdf: Path) -> None:
    case.verdicts.good("conservation")
    counted = recount.items(case.path) + recount.items(srdf)
    said = (report.source_items, report.read + report.ignored + report.unread)
    if said != (counted, counted):
        case.verdicts.fail("conservation", f"{said} instead of {counted}")


def _through(case: Case, criterion: str, written: Path, middle: Path) -> None:
    """Convert with the SRDF to another format, and back with carried data."""
    report = case.convert(criterion, case.path, middle)
    if report is None:
        return
    case.explained(criterion, report)
    given, case.options = case.options, Options()
    back = middle.parent / "back" / "robot.urdf"
    if case.convert(criterion, middle, back) is not None:
        found = back.with_suffix(".srdf")
        if not found.is_file() or found.read_bytes() != written.read_bytes():
            case.verdicts.fail(criterion, "another document")
    case.options = given


def _references(case: Case, report: Report, srdf: Path) -> None:
    """Compare unknown names of links and joints, as lxml finds them, with those that the report names."""
    case.verdicts.good("references")
    scene = read(case.path, options=Options(find_srdf=False))
    root = etree.parse(str(srdf)).getroot()
    links = {body.label or body.name for body in scene.bodies.values()} | {"world"}
    joints = set(scene.joints) | {str(each.get("name")) for each in root.iterfind("virtual_joint")}
    floats = root.find("virtual_joint[@type='floating']") is not None
    lost: set[int] = set()
    for tag, names in (
        ("group/link", ("name",)),
        ("group/chain", ("base_link", "tip_link")),
        (DISABLE, ("link1", "link2")),
        ("end_effector", ("parent_link",)),
        ("virtual_joint", ("child_link",)),
    ):
        lost |= {_line(each) for each in root.iterfind(tag) if any(each.get(name) not in links for name in names)}
    for tag in ("group/joint", "group_state/joint", "passive_joint"):
        for each in root.iterfind(tag):
            based = tag == "group_state/joint" and floats and len(str(each.get("value")).split()) == 7
            if each.get("name") not in joints and not based:
                lost.add(_line(each))
    told = of_rule(report, "srdf/reference")
    lines = {source.line for finding in told if "group " not in finding.before for source in finding.sources}
    if lines != lost:
        case.verdicts.fail("references", f"lines {sorted(lines ^ lost)[:9]}")


def _line(element: etree._Element) -> int:
    return int(element.sourceline or 0)


# ----------------------------------------------------------------------------------------------------------- Pinocchio


def _pinocchio(case: Case, srdf: Path, written: Path) -> None:
    import pinocchio as pin

    try:
        model = pin.buildModelFromUrdf(str(case.path), pin.JointModelFreeFlyer())
    except ValueError as error:
        for criterion in ("pinocchio states", "pinocchio pairs"):
            case.verdicts.excuse(criterion, f"Pinocchio refuses the URDF: {str(error).splitlines()[0]}")
        return
    states = []
    for file in (srdf, written):
        own = model.copy()
        pin.loadReferenceConfigurations(own, str(file), False)
        states.append({each.key(): each.data().tolist() for each in own.referenceConfigurations})
    _equal(case, "pinocchio states", *states, "the SRDF has no states")
    removed = []
    for file in (srdf, written):
        geometry = _points(model)
        geometry.addAllCollisionPairs()
        everything = _named(geometry)
        pin.removeCollisionPairs(model, geometry, str(file), False)
        removed.append(sorted(everything - _named(geometry)))
    _equal(case, "pinocchio pairs", *removed, "no pair of links that both exist")


def _points(model: Any) -> Any:
    """Return a point on each link, instead of its meshes."""
    import coal
    import pinocchio as pin

    geometry = pin.GeometryModel()
    for index, frame in enumerate(model.frames):
        if frame.type == pin.FrameType.BODY:
            made = pin.GeometryObject(frame.name, frame.parentJoint, index, frame.placement, coal.Sphere(0.001))
            geometry.addGeometryObject(made)
    return geometry


def _named(geometry: Any) -> set[tuple[str, ...]]:
    names = [each.name for each in geometry.geometryObjects]
    return {tuple(sorted((names[pair.first], names[pair.second]))) for pair in geometry.collisionPairs}


def _equal(case: Case, criterion: str, theirs: Any, ours: Any, nothing: str) -> None:
    case.verdicts.good(criterion)
    if theirs != ours:
        case.verdicts.fail(criterion, f"{str(theirs)[:100]} instead of {str(ours)[:100]}")
    elif not theirs:
        case.verdicts.excuse(criterion, nothing)


# -------------------------------------------------------------------------------------------------------------- MuJoCo


def _mujoco(case: Case, srdf: Path, xml: Path) -> None:
    try:
        model = mujoco_model(xml)
    except (ValueError, OSError) as error:
        case.verdicts.fail("mujoco loads", str(error))
        return
    case.verdicts.good("mujoco loads")
    with contextlib.chdir(case.work):  # MuJoCo leaves a log of its warnings wherever it runs
        _moves(case, srdf, model)


def _moves(case: Case, srdf: Path, model: Any) -> None:
    root = etree.parse(str(srdf)).getroot()
    _states(case, model, root)
    forbidden = {
        frozenset((str(each.get("link1")), str(each.get("link2"))))
        for each in root.iterfind(DISABLE)
        if each.get("link1") != each.get("link2")
    }
    names = {model.body(index).name for index in range(model.nbody)}
    forbidden = {pair for pair in forbidden if pair <= names}
    excluded = {
        frozenset(model.body(index).name for index in divmod(int(each), 1 << 16)) for each in model.exclude_signature
    }
    _equal(case, "mujoco pairs", sorted(map(sorted, forbidden)), sorted(map(sorted, forbidden & excluded)), "none")
    _touch(case, model, forbidden)


def _states(case: Case, model: Any, root: etree._Element) -> None:
    """Compare states by joint name; the last component of a quaternion is the first in MuJoCo."""
    import mujoco

    case.verdicts.good("mujoco states")
    states = root.findall("group_state")
    if not states:
        case.verdicts.excuse("mujoco states", "the SRDF has no states")
    if model.nkey != len(states):
        case.verdicts.fail("mujoco states", f"{model.nkey} keyframes of {len(states)} states")
        return
    data = mujoco.MjData(model)
    for index, state in enumerate(states):
        mujoco.mj_resetDataKeyframe(model, data, index)
        last = {str(each.get("name")): str(each.get("value")).split() for each in state.iterfind("joint")}
        for name, words in last.items():
            joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
            if joint < 0:
                continue
            value = [float(word) for word in words]
            found = data.joint(name).qpos.tolist()
            if len(value) == 7:
                value = [*value[:3], value[6], *value[3:6]]
            if not np.allclose(found, value, atol=1e-9, rtol=0):
                case.verdicts.fail("mujoco states", f"{state.get('name')}: {name} is {found} instead of {value}")


def _touch(case: Case, model: Any, forbidden: set[frozenset[str]]) -> None:
    import mujoco

    case.verdicts.good("mujoco contacts")
    if not forbidden:
        case.verdicts.excuse("mujoco contacts", "no pair is disabled")
    data, random = mujoco.MjData(model), np.random.default_rng(0)
    for number in range(model.nkey + SEEDS):
        if number < model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, number)
        else:
            mujoco.mj_resetData(model, data)
            mujoco.mj_integratePos(model, data.qpos, random.uniform(-2.0, 2.0, model.nv), 1.0)
        mujoco.mj_fwdPosition(model, data)
        for contact in data.contact:
            pair = frozenset(model.body(model.geom_bodyid[geom]).name for geom in contact.geom)
            if pair in forbidden:
                case.verdicts.fail("mujoco contacts", f"{sorted(pair)} touch")
