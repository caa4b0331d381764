"""What tests ask of a report."""

from __future__ import annotations

from pathlib import Path

from converters.convert import convert
from converters.report.model import Action, Finding, Report


def of_rule(report: Report, rule: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == rule]


def stale(report: Report) -> set[str]:
    """The places of which what was carried no longer counts."""
    return {finding.where for finding in of_rule(report, "carried/stale")}


def comes_back(source: Path, between: Path) -> Report:
    """The report of the way back: between, which was made of source, gives what source itself gives, byte for byte."""
    back, straight = (between.parent / folder / f"robot{source.suffix}" for folder in ("back", "straight"))
    report = convert(between, back)
    convert(source, straight)
    assert back.read_bytes() == straight.read_bytes()
    return report


def explained(report: Report) -> Report:
    """The report, in which every difference has a reason."""
    found = [finding for finding in report.findings if finding.action is Action.UNEXPLAINED]
    assert not found, found
    return report


def complete(report: Report) -> Report:
    """The report, in which every difference has a reason and nothing is lost for good."""
    assert [finding for finding in explained(report).findings if finding.action is Action.DROPPED] == []
    return report
