"""Rules for the notes that a reader has already added, so that nothing is checked twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from converters.context import InputError, Note
from converters.validating.model import Breach, CheckedModel
from converters.validating.rules import INFO, NONE, OPT_IN, SDF_CODES, TABLE, WARNING, of_code
from ir.check import Problem


class Row(NamedTuple):
    """A note whose address, value or reason contains the word breaks the rule ("": a check reports it better)."""

    note: str
    word: str
    rule: str


def _rows(rule: str, notes: str) -> tuple[Row, ...]:
    """Return rows for space-separated notes that always break a rule; rows with a word must precede these."""
    return tuple(Row(note, "", rule) for note in notes.split())


NOTES = (
    Row("xml/instruction", "", "XML-PI"),
    Row("xml/doctype", "", "XML-DOCTYPE"),
    Row("xml/encoding", "", "XML-ENC"),
    Row("xml/malformed", "before the XML declaration", "XML-DECL-POS"),
    Row("xml/malformed", "", "XML-LENIENT"),
    Row("carried/stale", "", "CARRIED-STALE"),
    Row("carried/changed", "", "CARRIED-STALE"),
    Row("assets/up-axis", "", "MESH-UP"),
    Row("urdf/axis", "without xyz", "JOINT-AXIS-EMPTY"),
    Row("urdf/joint-type", "", "JOINT-TYPE-CASE"),
    Row("urdf/mimic", "", "MIMIC-MISSING"),
    Row("urdf/dynamics", "", "JOINT-DYN-EMPTY"),
    Row("urdf/limit-missing", ".lower", "LIMIT-PARTIAL"),
    Row("urdf/limit-missing", ".upper", "LIMIT-PARTIAL"),
    Row("urdf/limit-missing", ".effort", "LIMIT-EFFVEL"),
    Row("urdf/limit-missing", ".velocity", "LIMIT-EFFVEL"),
    Row("urdf/limit-missing", "", "LIMIT-REQ"),
    Row("urdf/limit-infinite", "", "NUM-NONFINITE"),
    Row("urdf/safety-controller", "", "SAFETY-KVEL"),
    Row("urdf/origin", "", "NUM-SURPLUS"),
    Row("urdf/mesh-scale", "", "NUM-SURPLUS"),
    Row("urdf/quaternion", "", "ROT-ZERO-QUAT"),
    Row("urdf/quaternion-length", "", "ROT-NORM"),
    Row("urdf/inertial", "", "INERTIA-PARTIAL"),
    Row("urdf/robot-name", "", "NAME-ROBOT"),
    Row("urdf/version", "", "PORT-VERSION-TEXT"),
    Row("urdf/world", "", "TREE-MISSING-LINK"),
    Row("urdf/several-roots", "", "TREE-ROOTS"),
    Row("urdf/material-duplicate", "", "MAT-DUP"),
    Row("urdf/material-name", "", "MAT-NONAME"),
    Row("urdf/material-conflict", "", "MAT-CONFLICT"),
    Row("urdf/material-undefined", "", "MAT-UNDEF"),
    Row("urdf/colour", "", "MAT-RGBA"),
    Row("urdf/no-number", "", "EXT-NUMBER"),
    Row("sdf/several-worlds", "", "SDF-SEVERAL-WORLDS"),
    Row("sdf/version", "", "SDF-VERSION"),
    Row("sdf/gearbox", "", "SDF-GEARBOX"),
    Row("sdf/include-params", "", "SDF-INCLUDE-PARAMS"),
    Row("sdf/quaternion", "", "SDF-QUATERNION"),
    Row("sdf/merged-model", "", "SDF-MERGED-MODEL"),
    Row("sdf/inertial-default", "", "INERTIA-DEFAULT"),
    Row("sdf/material-black", "", "SDF-MATERIAL-BLACK"),
    Row("sdf/material-script", "", "SDF-MATERIAL-SCRIPT"),
    Row("sdf/geometry-two-shapes", "", "GEOM-COUNT"),
    *(Row(f"sdf/{code.lower().replace('_', '-')}", "", of_code(code)) for code in SDF_CODES),
    Row("srdf/reference", "", "REF-MISSING"),
    Row("srdf/state-limits", "", "STATE-LIMITS"),
    Row("mjcf/limited", "", "MJCF-LIMITED"),
    Row("mjcf/unknown", "such element", "MJCF-UNKNOWN-ELEMENT"),
    Row("mjcf/unknown", "", "MJCF-UNKNOWN-ATTRIBUTE"),
    Row("mjcf/keyword", "", "MJCF-KEYWORD"),
    Row("mjcf/number", "whole numbers of 32 bits", "NUM-RANGE"),
    Row("mjcf/number", "", "NUM-PARSE"),
    Row("mjcf/missing", "", "XML-REQUIRED"),
    Row("mjcf/both", "", "XML-ONE-OF"),
    Row("mjcf/empty-range", "", "LIMIT-ORDER"),
    Row("mjcf/count", "", "NUM-COUNT"),
    Row("mjcf/size", "a capsule has 2 sizes here, not 1:", "GEOM-DIM"),
    Row("mjcf/size", "a site that is", "GEOM-DIM"),
    Row("mjcf/name", "", "REF-MISSING"),
    Row("mjcf/refused", "must be on a child of the world", "TREE-FREE"),
    Row("mjcf/refused", "of the degrees of freedom of a body", "MJCF-DOFS"),
    Row("mjcf/refused", "", "MJCF-INVALID"),
    Row("mjcf/kind", "", "MJCF-TENDON"),
    Row("mjcf/include-missing", "", "MJCF-INCLUDE"),
    Row("mjcf/attach-missing", "", "MJCF-ATTACH"),
    Row("gltf/slack", "", "GLTF-SLACK"),
    Row("gltf/bounds", "", "GLTF-BOUNDS"),
    Row("gltf/alignment", "", "GLTF-ALIGNMENT"),
    Row("gltf/normalized", "", "GLTF-BOUNDS"),
    Row("gltf/colour-range", "", "GLTF-BOUNDS"),
    Row("gltf/not-unit", "", "ROT-NORM"),
    Row("gltf/image-type", "", "GLTF-IMAGE-TYPE"),
    Row("gltf/no-image", "", "GLTF-IMAGE"),
    Row("gltf/opaque-alpha", "", "GLTF-ALPHA"),
    Row("gltf/no-surface", "", "GLTF-SURFACE"),
    Row("gltf/corners", "", "GLTF-SURFACE"),
    Row("gltf/skin", "", "GLTF-SKIN"),
    Row("gltf/morph", "", "GLTF-SKIN"),
    Row("gltf/edited", "", "GLTF-EDITED"),
    *_rows("CARRIED-FILE", "carried/original-file carried/inside carried/made-file"),
    *_rows("JOINT-AXIS-NORM", "urdf/axis urdf/plane-normal sdf/axis-length"),
    *_rows("GEOM-EMPTY", "urdf/geometry-empty sdf/geometry-missing sdf/geometry-without-shape"),
    Row("mjcf/old-spelling", "", "MJCF-OLD"),
    *_rows("MJCF-GONE", "mjcf/removed mjcf/deprecated mjcf/gap"),
    *_rows(
        "GLTF-PHYSICS", "gltf/joint gltf/joint-apart gltf/shape gltf/inertia gltf/mass gltf/filter gltf/system-names"
    ),
    *_rows(
        "READ-OTHER",
        "gltf/name-control assets/missing-look assets/mesh-content sdf/no-axis sdf/drake-mimic sdf/auto-unread "
        "sdf/auto-overwritten sdf/comma sdf/inertial-relative-to sdf/light-alpha sdf/camera-image sdf/included-format "
        "gltf/limit mjcf/empty mjcf/frame-scale mjcf/free-frame mjcf/overridden mjcf/include-root gltf/unread "
        "xacro/include",
    ),
    *_rows(
        "",
        "assets/missing assets/far assets/unreadable urdf/zero-effort urdf/zero-velocity sdf/zero-effort "
        "sdf/zero-velocity sdf/model-name sdf/include-overrides srdf/found xacro/found mjcf/size "
        "mjcf/frame-scale-relation gltf/no-joints gltf/generator gltf/saved gltf/friction gltf/motion actuators/gain "
        "actuators/none gltf/height-image gltf/rounded",
    ),
)
"""The first matching row is used."""

EXTRAS = (
    Row("urdf/fixed-joint", "axis", "JOINT-AXIS-USELESS"),
    Row("urdf/fixed-joint", "mimic", "MIMIC-USELESS"),
    Row("urdf/fixed-joint", "", "LIMIT-FIXED"),
    Row("urdf/continuous-limit", "", "LIMIT-CONT"),
    *(
        row
        for kind in ("floating", "planar", "spherical", "ball", "universal")
        for row in (
            Row(f"urdf/{kind}-joint", "axis", "JOINT-AXIS-USELESS"),
            Row(f"urdf/{kind}-joint", "", "LIMIT-FIXED"),
        )
    ),
    Row("urdf/collision-material", "", "MAT-COLLISION"),
    Row("urdf/empty-texture", "", "MAT-TEXTURE"),
    Row("urdf/link-origin", "", "XML-MISPLACED"),
    Row("urdf/link-type", "", "XML-UNKNOWN"),
    Row("urdf/quaternion-version", "", "PORT-VERSION"),
    Row("urdf/limit-version", "", "PORT-VERSION"),
    *(Row(f"sdf/{each}", "", "") for each in ("lens", "projection")),  # camera.sdf: an override, not a fault
    *(Row(f"sdf/{each}", "", "") for each in ("fixed-joint", "ball-joint", "second-axis")),  # valid in joint.sdf
    Row("gltf/usage-hint", "", ""),
    Row("gltf/compressed", "", ""),
    Row("gltf/overridden", "", ""),
)
"""Content without a meaning in its place by the format itself: rule of the extra, prefix of its path."""

PROBLEMS = (
    Row("model/not-finite", "", "NUM-NONFINITE"),
    Row("model/not-unit", "", "ROT-NORM"),
    Row("model/duplicate-name", "", "NAME-DUP"),
    Row("model/several-parents", "", "TREE-2PARENTS"),
    Row("model/cycle", "", "TREE-CYCLE"),
    Row("model/limits-reversed", "", "LIMIT-ORDER"),
    Row("model/negative", ".effort", "LIMIT-NEG"),
    Row("model/negative", ".velocity", "LIMIT-NEG"),
    Row("model/negative", "", "JOINT-DYN-NEG"),
    Row("model/free-not-alone", "", ""),
    Row("model/mimic-kind", "", "MIMIC-KIND"),
    Row("model/dangling-reference", "block/", "EXT-GZ-REF"),
    Row("model/dangling-reference", "transmission/", "EXT-TR-JOINT"),
    Row("model/dangling-reference", "hardware/", "EXT-HW-JOINT"),
    Row("model/dangling-reference", ".mimic.dof", ""),
    *(Row("model/dangling-reference", f"{kind}/", "") for kind in ("group", "end_effector", "keyframe")),
    Row("model/dangling-reference", "", "REF-MISSING"),
    Row("model/mimic-cycle", "", ""),
    *(Row(f"model/{rule}", "", "") for rule in ("negative-mass", "not-positive-definite", "triangle-inequality")),
    Row("model/massless", "", ""),
)
"""Problems found by ir.check; where the rule is "", a check in this package reports more."""

MJCF_SEVERITIES = {"error": "", "warning": WARNING, "note": INFO}

TWICE = ("mjcf/number", "mjcf/count", "mjcf/missing")
"""Notes on content that a reader may also report as a fault."""
FATAL = {"xacro": "XACRO-EXPAND", "mjcf": "MJCF-INVALID", "sdf": "SDF-INVALID", "gltf": "GLTF-INVALID"}
"""Rule broken by a refused document for which the reader gives none."""


def rule_of(rows: tuple[Row, ...], note: str, text: str, start: bool = False) -> str | None:
    """Return the rule of a note; "" where it is reported elsewhere, None where no row matches."""
    for row in rows:
        if row.note == note and (text.startswith(row.word) if start else row.word in text):
            return row.rule
    return None


def check(model: CheckedModel) -> Iterator[Breach]:
    context = model.reading.context
    for note in context.notes:
        found = rule_of(NOTES, note.rule, f"{note.where} {note.before} {note.reason}")
        twice = note.rule in TWICE and note.source is not None and context.faults.stands_at(note.source)
        if found != "" and not twice:
            yield _noted(note, found or "READ-OTHER")
    absent = {note.source for note in context.notes if rule_of(NOTES, note.rule, "") == "REF-MISSING"} - {None}
    for problem in model.problems:
        found = rule_of(PROBLEMS, problem.rule, problem.where)
        if found != "" and not (found == "REF-MISSING" and problem.source in absent):
            milder = found == "REF-MISSING" and problem.severity == "warning" and model.format != "mjcf"
            yield of_problem(problem, found or "READ-OTHER", WARNING if milder else "")


def _noted(note: Note, rule: str) -> Breach:
    change = f" ({note.before} -> {note.after})" if note.before and note.after else ""
    said = note.reason or TABLE[rule].message
    if note.before and not note.after and note.before not in said:
        said = f"{said}: {note.before}"
    milder = INFO if rule in ("JOINT-AXIS-NORM", "SDF-INCLUDE-PARAMS") and note.severity == "note" else ""
    if note.rule == "srdf/reference":  # an SRDF may describe more than this robot, and no program refuses it
        milder = WARNING
    fix = NONE if note.rule == "sdf/duplicate-name" else ""  # both are kept, under their name
    kept = note.action in ("ignored", "noted")
    if kept and note.rule.startswith("mjcf/"):  # less severe, because MuJoCo accepts it anyway
        milder = MJCF_SEVERITIES[note.severity]
        fix = NONE
    return Breach(rule=rule, where=note.where, message=f"{said}{change}", source=note.source, severity=milder, fix=fix)


def of_problem(problem: Problem, rule: str, severity: str = "") -> Breach:
    """Return a problem of the graph as a breach of a rule; severity: if it differs from that of the rule."""
    return Breach(
        rule=rule,
        where=problem.where,
        message=problem.message,
        source=problem.source,
        severity=severity,
        fix=NONE if rule == "NAME-DUP" else "",
    )


def of_error(error: InputError, kind: str) -> Breach:
    """Return the breach for an error that stopped the reader, or would have."""
    rule = _rule_of_error(error, kind)
    return Breach(rule=rule, where="document", message=error.message, source=error.source, fix=_fix(rule))


def _rule_of_error(error: InputError, kind: str) -> str:
    if error.rule in TABLE:
        return error.rule
    code = error.message.rpartition("(")[2].rstrip(")")
    if kind == "sdf" and code in SDF_CODES:
        return of_code(code)
    if error.source is None:
        return "FILE-READ"
    if kind == "gltf" and error.source.path == "/":
        return "JSON-WF"
    return FATAL.get(kind, "FILE-READ")


def _fix(rule: str) -> str:
    """Return the repair for a refused document: possible where the reader can recover, but never a safe one."""
    return "" if TABLE[rule].fix == OPT_IN else NONE
