"""The report as SARIF 2.1.0, which code review tools show beside the source lines."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps
from typing import Any
from urllib.parse import quote

from converters.report.document import ordered
from converters.report.model import Action, Finding, Report
from converters.report.text import change
from ir.types import Source

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Action.UNEXPLAINED: "error", Action.DROPPED: "warning", Action.APPROXIMATED: "warning"}
"""Severities of SARIF; all others become notes."""


def sarif(report: Report) -> str:
    """One run: a rule for each id, a result for each finding. Relative paths are relative to where the command ran."""
    findings = ordered(report)
    rules = list(dict.fromkeys(finding.rule for finding in findings))
    driver = {"name": "kinegraph", "version": report.version, "rules": [described(rule, findings) for rule in rules]}
    results = [result(finding, rules.index(finding.rule), report.source.path) for finding in findings]
    return log(driver, report.source.files, results, {"totals": report.totals(), "audited": report.audited})


def log(driver: dict[str, Any], files: Iterable[str], results: list[dict[str, Any]], properties: dict[str, Any]) -> str:
    """A SARIF document of one run."""
    run = {
        "tool": {"driver": driver},
        "artifacts": [{"location": {"uri": uri_of(path)}} for path in dict.fromkeys(files)],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": properties,
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def described(rule: str, findings: list[Finding]) -> dict[str, Any]:
    """A rule in SARIF, described by its findings and perhaps by others."""
    mine = [finding for finding in findings if finding.rule == rule]
    reason = next((finding.reason for finding in mine if finding.reason), rule)
    levels = [LEVELS.get(finding.action, "note") for finding in mine]
    worst = next(level for level in ("error", "warning", "note") if level in levels)
    return {"id": rule, "shortDescription": {"text": reason}, "defaultConfiguration": {"level": worst}}


def result(finding: Finding, index: int, path: str) -> dict[str, Any]:
    """A finding in SARIF. index is that of its rule; path is the file of a finding without a place ("": none)."""
    found = finding.sources
    logical = [{"fullyQualifiedName": finding.where}]
    locations = [location(place) for place in found] or [location(Source(path, 1, "/")) if path else {}]
    for each in locations:
        each["logicalLocations"] = logical
    said = f"{finding.action.value}: {finding.where}"
    what = change(finding)
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": LEVELS.get(finding.action, "note"),
        "message": {"text": f"{said}{f': {what}' if what else ''}{f' ({finding.reason})' if finding.reason else ''}"},
        "locations": locations[:1],
        "relatedLocations": locations[1:],
        "occurrenceCount": max(finding.count, 1),
        "properties": {"action": finding.action.value, "before": finding.before, "after": finding.after},
    }


def location(place: Source, column: int | None = None) -> dict[str, Any]:
    """A place in a file; lines and columns count from 1."""
    region = {"startLine": max(place.line, 1)} | ({"startColumn": column} if column else {})
    physical = {"artifactLocation": {"uri": uri_of(place.file)}, "region": region}
    return {"physicalLocation": physical, "properties": {"path": place.path}}


def uri_of(path: str) -> str:
    """A path as a URI reference; a colon in its first segment would be read as a scheme."""
    uri = quote(path.replace("\\", "/"), safe="/~!$&'()*+,;=@:", errors="surrogateescape")
    if path.startswith("/"):
        return f"file://{uri}"
    return f"./{uri}" if ":" in uri.partition("/")[0] else uri
