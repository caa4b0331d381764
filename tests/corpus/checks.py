"""What is promised for every real model: each promise is a criterion with a verdict."""

from __future__ import annotations

import re
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from converters.context import InputError, Options
from converters.convert import convert
from converters.report.model import Action, Report
from tests.oracles import plain_urdf, recount
from tests.oracles.in_urdfdom import check_urdf
from tests.oracles.urdf_against_mjcf import compare
from tests.oracles.urdf_elements import differences
from tests.oracles.verdict import Naming, Verdicts

MJCF = (
    "converts",
    "explained",
    "loads",
    "links",
    "poses",
    "limits",
    "inertia",
    "mass",
    "matrix",
    "visuals",
    "triangles",
    "collisions",
)
TRIP = ("urdf", "same urdf", "second write", "check_urdf", "through mjcf", "same through mjcf", "defaults")
COUNT = ("conservation", "places", "lines")
CRITERIA = (*MJCF, *TRIP, *COUNT)


def everything(path: str) -> dict[str, Any]:
    """URDF -> MJCF compared with MuJoCo and Pinocchio; URDF -> URDF, written twice, and URDF -> MJCF -> URDF; the
    counts and places of the reports, recounted."""
    return judged(path, [_to_mjcf, _round_trip, _conservation])


def failures(answer: dict[str, Any], criteria: tuple[str, ...]) -> list[str]:
    """Return the messages of failed criteria, for a test to show."""
    found = [(name, answer["criteria"].get(name, {}).get("failures", ())) for name in ("converts", *criteria)]
    return list(dict.fromkeys(f"{name}: {message}" for name, messages in found for message in messages))


class Case:
    """One model, a working folder, and the findings so far."""

    def __init__(self, path: Path, work: Path, options: Options | None = None) -> None:
        self.path = path
        self.work = work
        self.options = options or Options(find_srdf=False)
        """The engines read no SRDF, which tests.corpus.srdf_checks covers."""
        self.verdicts = Verdicts()
        self.seconds: dict[str, float] = {}
        self.reports: dict[str, Report] = {}

    def convert(self, criterion: str, source: Path, target: Path) -> Report | None:
        """Return the report; None, and a failure of the criterion, if there is no output."""
        start = time.perf_counter()
        try:
            report = convert(source, target, options=self.options)
        except InputError as error:
            self.verdicts.fail(criterion, f"refused: {error}")
            return None
        except Exception as error:  # a defect of ours is a failure of this model, and the table goes on
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = "/".join(Path(place.filename).parts[-2:])
            self.verdicts.fail(
                criterion, f"crashed: {type(error).__name__}: {error} ({where}:{place.lineno} {place.name})"
            )
            return None
        self.seconds[criterion] = time.perf_counter() - start
        self.reports[criterion] = report
        self.verdicts.good(criterion)
        return report

    def explained(self, criterion: str, report: Report) -> None:
        self.verdicts.good(criterion)
        for finding in report.findings:
            if finding.action is Action.UNEXPLAINED:
                text = f"{finding.rule} at {finding.where}: {finding.before[:100]} -> {finding.after[:100]}"
                self.verdicts.fail(criterion, f"unexplained: {text}")


def judged(path: str, steps: list[Callable[[Case], None]], options: Options | None = None) -> dict[str, Any]:
    """Return the verdicts of the steps on one model, and the seconds that its conversions took."""
    with tempfile.TemporaryDirectory(prefix="kinegraph-corpus-") as folder:
        case = Case(Path(path), Path(folder), options)
        for step in steps:
            step(case)
        return {"criteria": case.verdicts.criteria, "seconds": case.seconds}


def _mjcf(case: Case) -> Path:
    return case.work / "mjcf" / "robot.xml"


def _to_mjcf(case: Case) -> None:
    report = case.convert("converts", case.path, _mjcf(case))
    if report is None:
        return
    case.explained("explained", report)
    start = time.perf_counter()
    compare(case.path, _mjcf(case), case.verdicts, naming(report))
    case.seconds["engines"] = time.perf_counter() - start


def naming(report: Report) -> Naming:
    """Return a function: whether a report names a place, something inside it, or its container (except the robot)."""
    places = {source.path for finding in report.findings for source in finding.sources}
    flat = {
        source.path for finding in report.findings if finding.rule == "mjcf/flat-part" for source in finding.sources
    }

    def named(place: str, exact: bool = False) -> bool:
        if exact:
            return place in places or place.rpartition("/")[0] in flat
        steps = place.split("/")
        above = {"/".join(steps[:length]) for length in range(3, len(steps) + 1)}
        inside = len(steps) > 2 and any(other.startswith(place + "/") for other in places)
        return inside or bool(above & places)

    return named


def _round_trip(case: Case) -> None:
    once, twice, back = (case.work / folder / "robot.urdf" for folder in ("once", "twice", "back"))
    report = case.convert("urdf", case.path, once)
    if report is None:
        return
    case.explained("urdf", report)
    _same("same urdf", case, once, report)
    complaint = check_urdf(once)
    case.verdicts.good("check_urdf")
    if complaint:
        also = (check_urdf(case.path) or "").split("; ")
        new = [part for part in complaint.split("; ") if part not in also]
        if new:
            case.verdicts.fail("check_urdf", "; ".join(new))
        else:
            case.verdicts.excuse("check_urdf", f"as of the source: {complaint}")
    if case.convert("second write", once, twice) and once.read_bytes() != twice.read_bytes():
        case.verdicts.fail("second write", first_difference(once, twice))
    if case.verdicts.failed("converts"):
        return
    through = case.convert("through mjcf", _mjcf(case), back)
    if through is None:
        return
    case.explained("through mjcf", through)
    if once.read_bytes() != back.read_bytes():
        only_place = placeless(once) == placeless(back)
        say = case.verdicts.excuse if only_place else case.verdicts.fail
        say(
            "through mjcf",
            ("only other places of the same files: " if only_place else "") + first_difference(once, back),
        )
    _same("same through mjcf", case, back, report)


def _same(criterion: str, case: Case, written: Path, report: Report) -> None:
    """Compare element by element; what the report names as changed is excused, and shown in the table."""
    case.verdicts.good(criterion)
    case.verdicts.good("defaults")
    named = naming(report)
    for difference in differences(case.path, written):
        if difference.default:
            case.verdicts.excuse("defaults", f"{difference} (in {criterion.removeprefix('same ')})")
        elif difference.what.startswith("<kinegraph:"):
            case.verdicts.excuse(criterion, "carries data of ours")
        elif difference.path.endswith("/@filename") and moved(difference.what):
            case.verdicts.excuse(criterion, f"{difference} (the same file in another place)")
        elif named(difference.path):
            case.verdicts.excuse(criterion, f"{difference} (in the report)")
        else:
            case.verdicts.fail(criterion, str(difference))


def moved(what: str) -> bool:
    """Whether a path changed only with its folder: 'meshes/a.stl' became 'robot_assets/a.stl'. A mesh rewritten for
    MuJoCo exists only in its new form there ('a.dae' became 'robot_assets/a_1.obj')."""
    match = re.fullmatch(r"'([^']*)' became '([^']*)'.*", what)
    return match is not None and _stem(match[1]) == _stem(match[2])


def _stem(address: str) -> str:
    return re.sub(r"(_\d+)*$", "", Path(address).stem)


def placeless(path: Path) -> bytes:
    """Return a URDF without what depends on the place of its meshes: bare file names, and no carried data."""
    text = re.sub(
        rb'filename="([^"]*)"',
        lambda match: b'filename="' + _stem(match[1].decode()).encode() + b'"',
        path.read_bytes(),
    )
    return re.sub(rb'\s*<kinegraph:[^>]*>| xmlns:kinegraph="[^"]*"', b"", text)


def first_difference(a: Path, b: Path) -> str:
    """Return the first line in which two files differ."""
    ours, theirs = (path.read_text(encoding="utf-8", errors="replace").splitlines() for path in (a, b))
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if one != other:
            return f"line {number}: {one.strip()[:160]} | {other.strip()[:160]}"
    return f"{len(ours)} lines and {len(theirs)} lines"


def counted(case: Case, report: Report, documents: Iterable[Path]) -> None:
    """Recount the counts of the report over these documents of its source; check places and lines of findings."""
    files = {str(path.resolve()): path for path in documents}
    expected = sum(recount.items(file) for file in files.values())
    parts = report.read + report.ignored + report.unread
    if not expected == report.source_items == parts:
        text = f"lxml counts {expected} items in {len(files)} files, the report {report.source_items}"
        case.verdicts.fail("conservation", f"{text} = {report.read} + {report.ignored} + {report.unread} ({parts})")
    roots = {key: plain_urdf.parse(file) for key, file in files.items()}
    lines = {key: file.read_text(encoding="utf-8", errors="replace").split("\n") for key, file in files.items()}
    for finding in report.findings:
        for source in finding.sources:
            key = str(Path(source.file).resolve())
            if key not in roots:
                case.verdicts.fail("places", f"{finding.rule}: {source.file} is not among the files of the source")
                continue
            _placed(case, finding.rule, source, roots[key], lines[key])


def _placed(case: Case, rule: str, source: Any, root: Any, lines: list[str]) -> None:
    """Check that a place of a finding exists in the source, and that its line is right."""
    problem = recount.resolve(root, source.path)
    if problem:
        case.verdicts.fail("places", f"{rule}: {problem}")
    elif not recount.line_is_right(lines, source.path, source.line):
        case.verdicts.fail("lines", f"{rule}: {source.path} is not at line {source.line}")


def _conservation(case: Case) -> None:
    reports = {name: case.reports[name] for name in ("converts", "urdf") if name in case.reports}
    if not reports:
        return
    for name in COUNT:
        case.verdicts.good(name)
    for report in reports.values():
        counted(case, report, [case.path])
