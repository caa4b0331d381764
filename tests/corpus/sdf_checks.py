"""What is promised for every real SDF file: each promise is a criterion with a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from converters.context import Options
from converters.report.model import Report, Severity
from tests.corpus.checks import COUNT, Case, counted, first_difference, judged, moved
from tests.oracles import in_mujoco, in_pinocchio, plain_urdf
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.oracles.sdf_elements import differences

TRIP = ("sdf", "verdict", "explained", "same sdf", "second write", "libsdformat", "poses", "drake")
OTHERS = (
    *("urdf", "urdf explained", "check_urdf", "urdf poses", "urdf masses", "back from urdf"),
    *("mjcf", "mjcf explained", "loads", "mjcf poses", "mjcf masses", "back from mjcf"),
)
CRITERIA = (*TRIP, *COUNT)
TOLERANCE = 1e-9
LEAST_MASS = 1e-6
"""Minimum mass of moving bodies in MuJoCo, in kg."""
NEWER = (
    (1, r"Unable to read file", "<gazebo", "libsdformat 12 reads no <gazebo> root, which is that of SDF 1.0 to 1.2"),
    (19, r"\[(\S+::)?__model__\]", "", "newer than libsdformat 12: the frame of a model is an end of a joint"),
    (20, r"\[(\S+::)?__model__\]", "", "newer than libsdformat 12: the frame of a model is an end of a joint"),
    (31, "parent element of type world", "", "newer than libsdformat 12: a model merged into a world (SDF 1.10)"),
    (5, "sensor type is missing or invalid", "air_speed", "newer than libsdformat 12: air_speed (SDF 1.10)"),
    (4, r"attribute\[\w+:\w+\]", "", "libsdformat 12 takes an empty attribute of another vocabulary for a missing one"),
)
"""Files that libsdformat 12 refuses although they are valid: code, message, text of the file, reason."""
LOOKS_AT_NONE = "libsdformat 12 does not look at joints of a world (SDF 1.10)"
UNREAD = {-1, 1}
"""Error codes for a file that libsdformat cannot read at all."""
SAMPLES = 3
"""Number of configurations for which Drake computes poses and the mass matrix."""


def sdf(path: str, folders: Sequence[str]) -> dict[str, Any]:
    """SDF -> SDF, written twice, compared with libsdformat, Drake and lxml. folders: where models are searched."""
    search = [Path(folder) for folder in folders]

    def trip(case: Case) -> None:
        _trip(case, search)

    return judged(path, [trip, _conservation], Options(resource_paths=tuple(search)))


def sdf_to_others(path: str, folders: Sequence[str]) -> dict[str, Any]:
    """SDF -> URDF and MJCF: every link has the pose of libsdformat, and the same mass, in Pinocchio and MuJoCo."""
    search = [Path(folder) for folder in folders]

    def others(case: Case) -> None:
        source = _seen(case.path, search)
        for target in ("urdf", "mjcf"):
            _other(case, target, source)

    return judged(path, [others], Options(resource_paths=tuple(search)))


def _trip(case: Case, folders: list[Path]) -> None:
    once, twice = case.work / "once" / "model.sdf", case.work / "twice" / "model.sdf"
    source = _seen(case.path, folders)
    report = case.convert("sdf", case.path, once)
    _verdict(case, report, source["errors"])
    if report is None:
        if source["errors"]:
            del case.verdicts.criteria["sdf"]
            case.verdicts.excuse("sdf", f"refused, as by libsdformat: {source['errors'][0]['message'][:100]}")
        return
    case.explained("explained", report)
    _same(case, "same sdf", once)
    if case.convert("second write", once, twice) and once.read_bytes() != twice.read_bytes():
        case.verdicts.fail("second write", first_difference(once, twice))
    written = _seen(once, folders)
    case.verdicts.good("libsdformat")
    known = {error["code"] for error in source["errors"]}
    for error in written["errors"]:
        if UNREAD & known:
            case.verdicts.excuse("libsdformat", f"it does not even parse the source: {source['errors'][0]['message']}")
        elif error["code"] not in known:
            case.verdicts.fail("libsdformat", f"code {error['code']}: {error['message'][:200]}")
    if source["errors"]:
        case.verdicts.excuse("poses", f"libsdformat refuses the source: {source['errors'][0]['message'][:100]}")
        return
    case.verdicts.good("poses")
    for what in unlike(source, written):
        case.verdicts.fail("poses", what)
    _drake(case, once, folders)


def _same(case: Case, criterion: str, written: Path) -> None:
    """Check that the document equals the source, element by element."""
    case.verdicts.good(criterion)
    for difference in differences(case.path, written):
        if difference.path.endswith("/text()") and moved(difference.what):
            case.verdicts.excuse(criterion, f"{difference} (the same file in another place)")
        elif difference.what == "gone: nothing; made up: kinegraph:carried":
            case.verdicts.excuse(criterion, "carries data of ours")
        elif difference.what == "gone: include; made up: model" and not _includes(case.path, written):
            case.verdicts.excuse(
                criterion, f"{difference} (the include leads nowhere from there: the model is written)"
            )
        else:
            case.verdicts.fail(criterion, str(difference))


def _includes(source: Path, written: Path) -> bool:
    """Whether all files that a document includes by relative paths also exist next to the output."""
    uris = [str(uri.text).strip() for uri in plain_urdf.parse(source).iterfind(".//include/uri")]
    return all((written.parent / uri).exists() for uri in uris if (source.parent / uri).is_file())


def _other(case: Case, target: str, source: dict[str, Any]) -> None:
    written = case.work / target / f"model{'.urdf' if target == 'urdf' else '.xml'}"
    report = case.convert(target, case.path, written)
    if report is None:
        if source["errors"]:
            del case.verdicts.criteria[target]
            case.verdicts.excuse(target, f"refused, as by libsdformat: {source['errors'][0]['message'][:100]}")
        return
    case.explained(f"{target} explained", report)
    back = case.work / "back" / target / "model.sdf"
    if case.convert(f"back from {target}", written, back) is not None:
        _same(case, f"back from {target}", back)
    loads = "check_urdf" if target == "urdf" else "loads"
    case.verdicts.good(loads)
    try:
        complaint = check_urdf(written) if target == "urdf" else None
        poses, masses = _in_urdf(written) if target == "urdf" else _in_mjcf(written)
    except ValueError as error:
        case.verdicts.fail(loads, str(error).strip()[:300])
        return
    if complaint:
        case.verdicts.fail(loads, complaint)
    if source["errors"]:
        case.verdicts.excuse(f"{target} poses", f"libsdformat refuses it: {source['errors'][0]['message'][:100]}")
        return
    case.verdicts.good(f"{target} poses")
    case.verdicts.good(f"{target} masses")
    computed = {
        str(item.getparent().get("name")) for item in plain_urdf.parse(case.path).iter("inertial") if item.get("auto")
    }
    for name, link in source["links"].items():
        if name not in poses:
            case.verdicts.fail(f"{target} poses", f"no link {name!r}")
        elif not np.allclose(poses[name], _matrix(link["pose"]), rtol=1e-9, atol=TOLERANCE):
            case.verdicts.fail(f"{target} poses", f"{name!r} stands elsewhere")
        elif link["mass"] == 0 and masses[name] <= LEAST_MASS:
            case.verdicts.excuse(f"{target} masses", f"{name!r} weighs nothing, and the least that MuJoCo takes there")
        elif name.rpartition("::")[2] in computed:
            case.verdicts.excuse(
                f"{target} masses", f"the inertia of {name!r} is computed, which libsdformat 12 does not do"
            )
        elif not np.isclose(masses.get(name, 0.0), link["mass"], rtol=1e-9, atol=0):
            case.verdicts.fail(f"{target} masses", f"{name!r} weighs {masses.get(name, 0.0)}, not {link['mass']}")


def _in_urdf(path: Path) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    model = in_pinocchio.pinocchio_model(path)
    robot = plain_urdf.load(path)
    masses = {name: link.mass or 0.0 for name, link in robot.links.items()}
    return in_pinocchio.link_poses(model, in_pinocchio.configuration(model, {})), masses


def _in_mjcf(path: Path) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    model = in_mujoco.mujoco_model(path)
    found = in_mujoco.poses(model, mujoco.MjData(model))
    names = [model.body(index).name for index in range(model.nbody)]
    masses = {name: float(mass) for name, mass in zip(names, model.body_mass, strict=True)}
    return dict(zip(names, found, strict=True)), masses


def _matrix(pose: Sequence[float]) -> np.ndarray:
    whole = np.eye(4)
    quat = np.array(pose[3:])
    whole[:3, :3] = in_mujoco.matrix(quat / np.linalg.norm(quat))  # a quaternion of the file is kept as it was written
    whole[:3, 3] = pose[:3]
    return whole


def _seen(path: Path, folders: list[Path]) -> dict[str, Any]:
    try:
        return sdformat_reads(path, folders)
    except RuntimeError as error:
        return {"links": {}, "joints": {}, "frames": {}, "errors": [{"code": -1, "message": str(error)}]}


def _verdict(case: Case, report: Report | None, errors: list[dict[str, Any]]) -> None:
    """Check that Kinegraph accepts what libsdformat accepts, without an error in the report."""
    case.verdicts.good("verdict")
    found = [finding for finding in report.findings if finding.severity is Severity.ERROR] if report else []
    first = errors[0] if errors else {"code": 0, "message": ""}
    if errors and report is not None and not found and (reason := _newer(case.path, first)):
        case.verdicts.excuse("verdict", reason)
    elif not errors and found and all(_joins_models(source.path) for finding in found for source in finding.sources):
        case.verdicts.excuse("verdict", LOOKS_AT_NONE)
    elif errors and report is not None and not found:
        case.verdicts.fail("verdict", f"accepted; libsdformat: {errors[0]['code']} {errors[0]['message'][:160]}")
    elif not errors and report is None:
        case.verdicts.fail("verdict", "libsdformat accepts it; " + case.verdicts.criteria["sdf"]["failures"][0])
    elif not errors and found:
        case.verdicts.fail("verdict", f"libsdformat accepts it; {found[0].rule}: {found[0].reason[:160]}")


def _newer(path: Path, error: Mapping[str, Any]) -> str | None:
    """Return why libsdformat 12 refuses a file that is valid; None if it is not known to be."""
    content = path.read_text(encoding="utf-8", errors="replace")
    return next(
        (
            reason
            for code, message, text, reason in NEWER
            if code == error["code"] and re.search(message, error["message"]) and text in content
        ),
        None,
    )


def _joins_models(place: str) -> bool:
    return re.match(r"/sdf/world\[\d+\]/joint\[", str(place)) is not None


def unlike(source: Mapping[str, Any], written: Mapping[str, Any], tolerance: float = TOLERANCE) -> Iterator[str]:
    """Yield what libsdformat reads differently in two files: poses, ends, axes, limits, masses."""
    for kind in ("links", "joints", "frames"):
        ours, theirs = source[kind], written[kind]
        for name in ours.keys() | theirs.keys():
            if name not in theirs or name not in ours:
                yield f"{kind}: {name!r} is {'gone' if name in ours else 'new'}"
            else:
                for path, a, b in _leaves(ours[name], theirs[name]):
                    if not _close(path, a, b, tolerance):
                        yield f"{kind}: {name!r} {path}: {a} became {b}"


def _leaves(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from _leaves(a[key], b[key], f"{path}/{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and a and isinstance(a[0], dict):
        for number, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _leaves(one, other, f"{path}[{number}]")
    else:
        yield path, a, b


def _close(path: str, a: Any, b: Any, tolerance: float) -> bool:
    if not isinstance(a, (list, float, int)) or not isinstance(b, (list, float, int)):
        return bool(a == b)
    ours, theirs = np.atleast_1d(np.asarray(a, float)), np.atleast_1d(np.asarray(b, float))
    if ours.shape != theirs.shape:
        return False
    if path.endswith(("pose", "com")) and ours[3:] @ theirs[3:] < 0:
        theirs = np.concatenate([theirs[:3], -theirs[3:]])  # q and -q are one rotation
    same = ours == theirs
    return bool(np.all(same | (np.abs(ours - theirs) <= tolerance * np.maximum(1, np.abs(ours)))))


def _drake(case: Case, written: Path, folders: list[Path]) -> None:
    """Compare poses, masses and the mass matrix at random configurations, if Drake reads the source."""
    packages = {
        model.name: model for folder in folders for model in folder.iterdir() if (model / "model.config").is_file()
    }
    joints = plain_joints(case.path)
    generator = np.random.default_rng(7)
    at = [{name: float(generator.uniform(-1, 1)) for name in joints} for _ in range(SAMPLES)]
    try:
        theirs = drake_reads(case.path, at=at, packages=packages)
    except RuntimeError as error:
        case.verdicts.excuse("drake", f"Drake refuses the source: {str(error)[-120:]}")
        return
    try:
        ours = drake_reads(written, at=at, packages=packages)
    except RuntimeError as error:
        case.verdicts.fail("drake", str(error)[-300:])
        return
    case.verdicts.good("drake")
    for what in _drake_unlike(theirs, ours):
        case.verdicts.fail("drake", what)


def _drake_unlike(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    for key in ("joints", "masses"):
        if theirs[key] != ours[key]:
            yield f"{key}: {theirs[key]} became {ours[key]}"[:300]
    pairs = [(theirs["bodies"], ours["bodies"])]
    pairs += [(a["bodies"], b["bodies"]) for a, b in zip(theirs["at"], ours["at"], strict=True)]
    for a, b in pairs:
        if a.keys() != b.keys():
            yield f"bodies: {sorted(a)} became {sorted(b)}"[:300]
            return
        for name in a:
            if not np.allclose(a[name], b[name], rtol=0, atol=TOLERANCE):
                yield f"pose of {name}"
    for a, b in zip(theirs["at"], ours["at"], strict=True):
        one, other = np.array(a["matrix"]), np.array(b["matrix"])
        if one.shape != other.shape or not np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE):
            yield "mass matrix"


def plain_joints(path: Path) -> list[str]:
    return [str(joint.get("name")) for joint in plain_urdf.parse(path).iter("joint") if joint.get("name")]


def _conservation(case: Case) -> None:
    report = case.reports.get("sdf")
    if report is None:
        return
    for name in COUNT:
        case.verdicts.good(name)
    counted(case, report, [file for file in map(Path, report.source.files) if file.suffix in (".sdf", ".world")])
