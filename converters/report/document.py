"""The report as one plain document, and as JSON: schema_version 1, sorted, without timestamps."""

from __future__ import annotations

import os
from json import dumps
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from converters.paths import short_way
from converters.report.model import End, Finding, Report

SCHEMA_VERSION = 1


def document(report: Report) -> dict[str, Any]:
    """The dictionary of which all other forms are made. `audited` is only there if false: such a report proves less."""
    plain: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "kinegraph", "version": report.version},
        "source": _end(report.source),
        "target": _end(report.target),
        "totals": report.totals(),
        "findings": [_finding(finding) for finding in ordered(report)],
    }
    if not report.audited:
        plain["audited"] = False
    return plain


def json(report: Report) -> str:
    """The binding form for programs: the same input gives the same bytes."""
    return dumps(document(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def ordered(report: Report) -> list[Finding]:
    """Findings by rule, action and address, in whatever order they were found."""
    return sorted(
        report.findings,
        key=lambda item: (item.rule, item.action, item.where, item.before, item.after, item.reason, item.count),
    )


def nearer(report: Report, folder: str | None = None) -> Report:
    """The report for people: places of findings are relative to a folder, or to that of the source, whose path the
    report contains."""
    folder = os.path.abspath(PurePath(report.source.path).parent if folder is None else folder)
    known: dict[str, str] = {}

    def near(file: str) -> str:
        if file not in known:
            known[file] = short_way(file, folder) if file else file
        return known[file]

    findings = (
        replace(finding, sources=tuple(replace(place, file=near(place.file)) for place in finding.sources))
        for finding in report.findings
    )
    return replace(report, findings=tuple(findings))


def _end(end: End) -> dict[str, Any]:
    return {"path": end.path, "format": end.format, "files": list(end.files)}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "action": finding.action.value,
        "severity": finding.severity.value,
        "where": finding.where,
        "before": finding.before,
        "after": finding.after,
        "reason": finding.reason,
        "count": finding.count,
        "sources": [{"file": place.file, "line": place.line, "path": place.path} for place in finding.sources],
    }
