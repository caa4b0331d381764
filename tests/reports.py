"""Checks of a report for tests."""

from __future__ import annotations

from pathlib import Path

from converters.convert import convert
from converters.report.model import Action, Finding, Report


def of_rule(report: Report, rule: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == rule]


def stale(report: Report) -> set[str]:
    """Return the places where carried data was no longer used."""
    return {finding.where for finding in of_rule(report, "carried/stale")}


def comes_back(source: Path, between: Path) -> Report:
    """Return the report of the way back: between, converted from source, gives the same bytes as source itself."""
    back, straight = (between.parent / folder / f"robot{source.suffix}" for folder in ("back", "straight"))
    report = convert(between, back)
    convert(source, straight)
    assert back.read_bytes() == straight.read_bytes()
    return report


def explained(report: Report) -> Report:
    """Return the report, after asserting that every difference has a reason."""
    found = [finding for finding in report.findings if finding.action is Action.UNEXPLAINED]
    assert not found, found
    return report


def complete(report: Report) -> Report:
    """Return the report, after asserting that every difference has a reason and nothing is lost for good."""
    assert [finding for finding in explained(report).findings if finding.action is Action.DROPPED] == []
    return report
