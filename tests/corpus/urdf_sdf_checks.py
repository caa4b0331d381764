"""URDF -> SDF, judged by libsdformat and Drake against Pinocchio's reading of the source, and back to URDF."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from converters.report.model import Report
from tests.corpus.checks import Case, first_difference, judged
from tests.files import saved
from tests.oracles import in_pinocchio
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.reports import of_rule

URDF_SDF = ("sdf", "explained", "libsdformat", "names", "drake", "poses", "matrix", "blocks", "back")
TOLERANCE = 1e-9
SAMPLES = 3
RENAMED = "names/shared"
REPAIRED = "inertia/"


def urdf_to_sdf(path: str) -> dict[str, Any]:
    """URDF -> SDF compared with the engines, and URDF -> SDF -> URDF with URDF -> URDF."""
    return judged(path, [_to_sdf])


def _to_sdf(case: Case) -> None:
    written = case.work / "there" / "robot.sdf"
    report = case.convert("sdf", case.path, written)
    if report is None:
        return
    case.explained("explained", report)
    seen = sdformat_reads(written, [])
    case.verdicts.good("libsdformat")
    for error in seen["errors"]:
        case.verdicts.fail("libsdformat", f"code {error['code']}: {error['message'][:200]}")
    model = in_pinocchio.pinocchio_model(case.path)
    _names(case, model, seen, report)
    _motion(case, model, written, report)
    _blocks(case, written)
    _back(case, written)


def _names(case: Case, model: Any, seen: dict[str, Any], report: Report) -> None:
    """Check that every link is a link, or a frame if it has no mass and no content, also in the model of a world."""
    case.verdicts.good("names")
    found, joints = (
        {name.rpartition("::")[2] for name in (*seen[kind], *seen["frames"])} for kind in ("links", "joints")
    )
    for frame in model.frames:
        if frame.type.name == "BODY" and frame.name not in found and frame.name not in ("universe", "world"):
            case.verdicts.fail("names", f"no link {frame.name!r}")
    renamed = {finding.where for finding in of_rule(report, RENAMED)}
    for name, joint in list(zip(model.names, model.joints, strict=True))[1:]:
        if name not in joints and "root_joint" not in name:
            if joint.nv > 1:
                case.verdicts.excuse("names", f"joint {name!r} has several axes: a chain in SDF")
            elif renamed:
                case.verdicts.excuse("names", f"joint {name!r} is named as a link is")
            else:
                case.verdicts.fail("names", f"no joint {name!r}")


def _motion(case: Case, model: Any, written: Path, report: Report) -> None:
    dice = np.random.default_rng(1)
    pairs = list(zip(model.names, model.joints, strict=True))[1:]  # the first is the universe
    single = {name: joint for name, joint in pairs if joint.nv == 1}
    samples = [{name: float(dice.uniform(-1, 1)) for name in single} for _ in range(SAMPLES)]
    try:
        answer = drake_reads(written, at=samples)
    except RuntimeError as error:
        case.verdicts.fail("drake", str(error)[-300:])
        return
    for criterion in ("drake", "poses", "matrix"):
        case.verdicts.good(criterion)
    repaired = any(finding.rule.startswith(REPAIRED) for finding in report.findings)
    for sample, at in zip(samples, answer["at"], strict=True):
        q = in_pinocchio.configuration(model, {name: (value,) for name, value in sample.items()})
        names = [name for name in single if name in at["columns"]]
        if len(names) < len(single):
            case.verdicts.excuse("poses", "a joint of several axes, or of another name, is posed otherwise")
            return
        for name, pose in in_pinocchio.link_poses(model, q).items():
            theirs = at["bodies"].get(name)
            if theirs is not None and not np.allclose(pose, np.reshape(theirs, (4, 4)), rtol=0, atol=TOLERANCE):
                case.verdicts.fail("poses", f"{name!r} stands elsewhere")
        if not names:
            continue
        ours = in_pinocchio.mass_matrix(model, q)[np.ix_(*[[single[name].idx_v for name in names]] * 2)]
        theirs = np.array(at["matrix"])[np.ix_(*[[at["columns"][name] for name in names]] * 2)]
        if not np.allclose(ours, theirs, rtol=0, atol=TOLERANCE * max(np.abs(ours).max(), TOLERANCE)):
            if repaired:
                case.verdicts.excuse("matrix", "an impossible inertia was repaired")
            else:
                case.verdicts.fail("matrix", f"off by {np.abs(ours - theirs).max():.3g}")


def _blocks(case: Case, written: Path) -> None:
    """Compare sensors and plugins with those libsdformat makes of <gazebo> blocks; it loses some of merged links."""
    try:
        document = sdformat_expands(case.path)["document"].encode()
        theirs = sensors_and_plugins(document) if document else Counter()
    except RuntimeError as error:
        case.verdicts.excuse("blocks", str(error)[-100:])
        return
    if not theirs:
        case.verdicts.excuse("blocks", "libsdformat makes no sensors and plugins of it")
        return
    case.verdicts.good("blocks")
    for kind, name, *_ in theirs - sensors_and_plugins(written.read_bytes()):
        case.verdicts.fail("blocks", f"no {kind} {name!r}")


def sensors_and_plugins(document: bytes) -> Counter[tuple[str | None, ...]]:
    """Return (sensor or plugin, name, type, file) of each in an SDF document."""
    root = etree.fromstring(document, etree.XMLParser(recover=True))
    found = [each for tag in ("sensor", "plugin") for each in root.iter(tag)]
    return Counter((str(each.tag), each.get("name"), each.get("type"), each.get("filename")) for each in found)


def _back(case: Case, written: Path) -> None:
    """Check for the same bytes as URDF -> URDF in the same folder, except for other paths of the same files."""
    straight, back = case.work / "back" / "straight.urdf", case.work / "back" / "robot.urdf"
    one, other = case.convert("back", case.path, straight), case.convert("back", written, back)
    if one is None or other is None:
        return
    ours = straight.read_text().replace("straight_assets", "robot_assets").partition("<kinegraph:")[0]
    theirs = back.read_text().partition("<kinegraph:")[0]
    if ours == theirs:
        return
    plain = saved(case.work / "back" / "plain.urdf", ours)
    other_text = saved(case.work / "back" / "other.urdf", theirs)
    told = first_difference(plain, other_text)
    if "_assets/" in told:
        case.verdicts.excuse("back", f"{told} (the same file in another place)")
    else:
        case.verdicts.fail("back", told)
