"""The report as Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re

from converters.report.document import nearer
from converters.report.model import MEANINGS, Finding, Report
from converters.report.safe import printable
from converters.report.text import groups, total

PLACES = 20
"""Largest number of source places in one row; the JSON form has all."""


def markdown(report: Report) -> str:
    """A heading, the totals as a table, and one section for each action and rule with the values side by side."""
    lines = [f"# {_escaped(report.source.title)} → {_escaped(report.target.path)}", "", _escaped(_summary(report)), ""]
    lines += ["| what | count |", "| --- | ---: |"]
    lines += [f"| {name.replace('_', ' ')} | {count} |" for name, count in report.totals().items()]
    action = None
    for (found, rule), findings in groups(nearer(report)):
        if found is not action:
            lines += ["", f"## {found.value.capitalize()} ({report.total(found)})", "", MEANINGS[found]]
            action = found
        lines += ["", f"### {_escaped(rule)}"]
        for reason in dict.fromkeys(finding.reason for finding in findings):
            lines += ["", *([_escaped(reason), ""] if reason else [])]
            lines += ["| where | before | after | count | source |", "| --- | --- | --- | ---: | --- |"]
            lines += [_row(finding) for finding in findings if finding.reason == reason]
    lines += ["", f"kinegraph {report.version}"]
    return "\n".join(lines) + "\n"


def _summary(report: Report) -> str:
    """The totals without the paths, which are in the heading, and without a pointer to the report."""
    line = total(report).removeprefix(printable(f"{report.source.title} -> {report.target.path}: "))
    return line.partition("; details: ")[0]


def _row(finding: Finding) -> str:
    found = finding.sources
    shown = [_code(f"{place.file}:{place.line} {place.path}") for place in found[:PLACES]]
    if len(found) > PLACES:
        shown.append(f"… and {len(found) - PLACES} more")
    cells = (_code(finding.where), _code(finding.before), _code(finding.after), str(finding.count), "<br>".join(shown))
    return f"| {' | '.join(cells)} |"


def _code(value: str) -> str:
    """Verbatim in a table cell: between more back-ticks than it has in a row, and pipes escaped (GFM, tables)."""
    if not value:
        return ""
    text = printable(" ".join(value.split())).replace("|", "\\|")
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
    return f"{fence}{inner}{fence}"


def _escaped(value: str) -> str:
    """Text in which nothing is markup, whatever the model contains (CommonMark, backslash escapes)."""
    return re.sub(r"[&<>|`*_\[\]\\#~!]", r"\\\g<0>", printable(value))
