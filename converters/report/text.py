"""The report for people at a terminal: plain lines, the worst first, and always one last line with the totals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from converters.report.document import nearer, ordered
from converters.report.model import Action, Finding, Report, Severity
from converters.report.safe import printable

WORST_FIRST = tuple(reversed(Action))
"""The order in which people want to read actions: a defect, what is gone, what changed, and then the rest."""
LINES = 10
"""Lines that one rule may take, whatever it found; notes take three."""
WIDTH = 60
"""Characters of a value that one line shows."""
_LONG = re.compile(r"(?<![\w.:/-])-?\d+\.\d{6,}(?:e[+-]?\d+)?(?![\w.:/-])")
"""A number of more than six digits, which is no part of a name or a path."""


def text(report: Report, details: str | None = None) -> str:
    """The whole report. details names the file that a fuller form of it was written to (None: say how to get one)."""
    lines: list[str] = []
    for (_, rule), findings in groups(nearer(report)):
        for alike in _by_reason(findings):
            lines += _group(rule, alike)
    return "\n".join([*lines, total(report, details)]) + "\n"


def groups(report: Report) -> list[tuple[tuple[Action, str], list[Finding]]]:
    """Findings by action, the worst first, and rule."""
    found: dict[tuple[Action, str], list[Finding]] = {}
    for finding in ordered(report):
        found.setdefault((finding.action, finding.rule), []).append(finding)
    return sorted(found.items(), key=lambda item: (WORST_FIRST.index(item[0][0]), item[0][1]))


def _by_reason(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of one rule that share a sentence, and last those that have one each."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.reason, []).append(finding)
    single = [finding for alike in found.values() if len(alike) == 1 for finding in alike]
    return [*(alike for alike in found.values() if len(alike) > 1), *([single] if single else [])]


def total(report: Report, details: str | None = None) -> str:
    """The last line: what became of the source, in numbers. dropped is left out like any other when there is none."""
    counted = (
        Action.UNEXPLAINED,
        Action.DROPPED,
        Action.APPROXIMATED,
        Action.CARRIED,
        Action.DERIVED,
        Action.REPAIRED,
    )
    numbers = [f"{report.total(action)} {action.value}" for action in counted if report.total(action)]
    parts = [", ".join(numbers) or "nothing lost"]
    missing = report.missing()
    if missing:
        parts.append(f"{missing} file{'s' if missing > 1 else ''} not found")
    if not report.audited:
        parts.append("not audited")
    if report.total(Action.UNEXPLAINED):
        parts.append("unexplained is a defect of kinegraph: please report it")
    if report.findings:
        parts.append(f"details: {details or 'add --report loss.html'}")
    return printable(f"{report.source.path} -> {report.target.path}: {'; '.join(parts)}")


def change(finding: Finding) -> str:
    """before -> after on one line, "" when the finding has neither."""
    before, after = _rounded(finding.before), _rounded(finding.after)
    if before == after:
        before, after = finding.before, finding.after
    before, after = short(before), short(after)
    if finding.action in (Action.IGNORED, Action.NOTED) or before == after:
        return before
    if not after:
        return before
    return f"{before or 'nothing'} -> {after}"


def _rounded(value: str) -> str:
    """A value with six digits of each number that has more; what is quoted from a document as it stands there."""
    return value if value.lstrip().startswith("<") else _LONG.sub(lambda found: f"{float(found[0]):.6g}", value)


def short(value: str) -> str:
    flat = " ".join(value.split())
    return flat if len(flat) <= WIDTH else f"{flat[: WIDTH - 1]}…"


def _group(rule: str, findings: Sequence[Finding]) -> list[str]:
    first = findings[0]
    count = sum(finding.count for finding in findings)
    one = all(finding.reason == first.reason for finding in findings)
    head = f"{first.action.value}: {rule}" + (f" ({count})" if count > 1 else "")
    lines = [f"{head}: {first.reason}" if one and first.reason else head]
    room = 2 if all(finding.severity is Severity.NOTE for finding in findings) else LINES - 1
    shown = findings if len(findings) <= room else findings[: room - 1]
    lines += [_line(finding, "" if one else finding.reason) for finding in shown]
    if len(shown) < len(findings):
        lines.append(f"  … and {count - sum(finding.count for finding in shown)} more")
    return [printable(line) for line in lines]


def _line(finding: Finding, reason: str) -> str:
    place = f"{finding.sources[0].file}:{finding.sources[0].line}: " if finding.sources else ""
    more = f" (and {finding.count - 1} like it)" if finding.count > 1 else ""
    what, why = change(finding), f" ({reason})" if reason else ""
    return f"  {place}{finding.where}{more}{': ' + what if what else ''}{why}"
