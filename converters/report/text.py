"""The report for a terminal: plain lines, the worst first, and always one last line with the totals.

Every rule is shown, with its number of places. The places are shown as far as a screen allows, those of losses first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from converters.paths import short_way
from converters.report.document import nearer, ordered
from converters.report.model import MISSING, Action, Finding, Report, Severity
from converters.report.safe import printable
from ir.gathering import gathered
from ir.names import so_many

WORST_FIRST = tuple(reversed(Action))
"""The order of actions: a defect, what is gone, what changed, and then the rest."""
LINES = 10
"""Largest number of lines of one rule; notes have three."""
SCREEN = 40
"""Lines of all rules together, if leaving out places achieves it."""
WIDTH = 60
"""Characters of a value in one line."""
LONG_WAY = 60
"""Largest length of the path prefix of places."""
_LONG = re.compile(r"(?<![\w.:/-])-?\d+\.\d{6,}(?:e[+-]?\d+)?(?![\w.:/-])")
"""A number of more than six digits, which is no part of a name or a path."""


def text(report: Report, details: str | None = None) -> str:
    """The whole report. Places are relative to the current folder, so that terminals find them, or to that of the
    source if that path is long: it is in the last line. details names the file with a fuller form (None: tell how to
    get one on the command line; "": tell nothing)."""
    folder = os.curdir if len(short_way(report.source.path, os.curdir)) <= LONG_WAY else None
    told = [alike for _, findings in groups(nearer(report, folder)) for alike in _by_reason(findings)]
    told.sort(key=_rank)
    lines = [line for alike, room in zip(told, _rooms(told), strict=True) for line in _group(alike, room)]
    return "\n".join([*lines, total(report, details)]) + "\n"


def _rooms(told: Sequence[Sequence[Finding]]) -> list[int]:
    """Lines for the places of each rule: one for each in turn while the screen has room, losses and changes first."""
    rooms = [0 if _one_reason(alike) else 1 for alike in told]  # differing reasons are shown with each place
    left = SCREEN - len(told) - sum(rooms)
    for grave in (True, False):
        wanted = {at: min(len(alike), _most(alike)) for at, alike in enumerate(told) if _grave(alike) is grave}
        for turn in range(1, LINES):
            for at, most in wanted.items():
                if left > 0 and rooms[at] < turn <= most:
                    rooms[at], left = turn, left - 1
    return rooms


def _most(findings: Sequence[Finding]) -> int:
    return 2 if all(finding.severity is Severity.NOTE for finding in findings) else LINES - 1


def _one_reason(findings: Sequence[Finding]) -> bool:
    return all(finding.reason == findings[0].reason for finding in findings)


def _rank(findings: Sequence[Finding]) -> int:
    """Files that are not found come first, since other losses follow from them; only our own defects precede them."""
    first = findings[0]
    return 0 if first.action is Action.UNEXPLAINED else 1 if first.rule in MISSING else 2


def _grave(findings: Sequence[Finding]) -> bool:
    first = findings[0]
    return WORST_FIRST.index(first.action) < WORST_FIRST.index(Action.CARRIED) or first.rule in MISSING


def groups(report: Report) -> list[tuple[tuple[Action, str], list[Finding]]]:
    """Findings by action, the worst first, and rule."""
    found = gathered(((finding.action, finding.rule), finding) for finding in ordered(report))
    return sorted(found.items(), key=lambda item: (WORST_FIRST.index(item[0][0]), item[0][1]))


def _by_reason(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of one rule that share a sentence, and last those that have one each."""
    found = gathered((finding.reason, finding) for finding in findings)
    single = [finding for alike in found.values() if len(alike) == 1 for finding in alike]
    return [*(alike for alike in found.values() if len(alike) > 1), *([single] if single else [])]


def total(report: Report, details: str | None = None) -> str:
    """The last line: the totals. dropped is left out like any other when there is none."""
    counted = (Action.UNEXPLAINED, Action.DROPPED, Action.APPROXIMATED, Action.CARRIED, Action.DERIVED, Action.REPAIRED)
    numbers = [f"{report.total(action)} {action.value}" for action in counted if report.total(action)]
    parts = [", ".join(numbers) or "nothing lost"]
    missing = report.missing()
    if missing:
        parts.append(f"{so_many(missing, 'files')} not found")
    idle = report.idle()
    if idle:
        parts.append(f"{so_many(idle, 'options')} without effect")
    if not report.audited:
        parts.append("not audited")
    if report.total(Action.UNEXPLAINED):
        parts.append("unexplained is a defect of kinegraph: please report it")
    if report.findings and details != "":
        parts.append(f"details: {details or 'add --report loss.html'}")
    return printable(f"{report.source.title} -> {report.target.path}: {'; '.join(parts)}")


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
    """A value with six digits of each longer number; quoted source text is unchanged."""
    return value if value.lstrip().startswith("<") else _LONG.sub(lambda found: _six_digits(found[0]), value)


def _six_digits(number: str) -> str:
    """A number in six digits, but whole where they would make it an integer: a scale of 0.9999999 is not 1."""
    six = f"{float(number):.6g}"
    return number if six.lstrip("-").isdecimal() and float(six) != float(number) else six


def short(value: str) -> str:
    """A value in WIDTH characters; both ends of an address, since the last one tells files apart."""
    flat = " ".join(value.split())
    if len(flat) <= WIDTH:
        return flat
    head = WIDTH // 3 if "/" in flat and " " not in flat else WIDTH - 1
    return f"{flat[:head]}…{flat[len(flat) - WIDTH + head + 1 :]}"


def _group(findings: Sequence[Finding], room: int) -> list[str]:
    """A rule, and its places in at most room lines, with the number of those left out."""
    first = findings[0]
    count = sum(finding.count for finding in findings)
    one = _one_reason(findings)
    shown = findings if len(findings) <= room else findings[: max(room - 1, min(room, 1))]
    head = f"{first.action.value}: {first.rule}" + (f" ({count})" if count > 1 else "")
    lines = [f"{head}: {first.reason}" if one and first.reason else head]
    if not shown and len(findings) == 1:  # a single place is shown on the same line
        lines[0] += f" ({_line(first, '').strip()})"
    lines += [_line(finding, "" if one else finding.reason) for finding in shown]
    left = count - sum(finding.count for finding in shown)
    if left and room > 1:
        lines.append(f"  … and {left} more")
    elif left and shown:
        lines[-1] += f", and {left} more"
    return [printable(line) for line in lines]


def _line(finding: Finding, reason: str) -> str:
    place = f"{finding.sources[0].file}:{finding.sources[0].line}: " if finding.sources else ""
    more = f" (and {finding.count - 1} like it)" if finding.count > 1 else ""
    what, why = change(finding), f" ({reason})" if reason else ""
    return f"  {place}{finding.where}{more}{': ' + what if what else ''}{why}"
