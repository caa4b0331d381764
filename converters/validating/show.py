"""Output of the findings as text, as JSON, and as SARIF for code review tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from json import dumps
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from converters.columns import position
from converters.report.safe import printable
from converters.validating.model import Breach
from converters.validating.rules import ERROR, INFO, OPT_IN, SAFE, SEE, TABLE, WARNING
from converters.validating.run import SEVERITIES, Verdict, fix, severity
from converters.version import __version__
from ir.names import so_many
from ir.types import Source

if TYPE_CHECKING:
    from converters.validating.fixing import Fixed

SCHEMA_VERSION = 1
LINES = {ERROR: 100, WARNING: 10, INFO: 10}
"""Most lines per rule in text output."""
CHANGES = 10
"""Most lines for repairs."""
COLOURS = {ERROR: "red", WARNING: "yellow", INFO: "cyan"}
LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
WAYS = {SAFE: "--fix", OPT_IN: "--fix all"}


def place(breach: Breach, path: str) -> tuple[str, int, int | None]:
    """Return (file, line, column) of a breach; one without a source is at the beginning of the document."""
    if breach.source is None:
        return path, 1, None
    line, column = position(breach.source, breach.column)
    return breach.source.file, line, column


# ----------------------------------------------------------------------------------------------------------- for people


def show(verdict: Verdict, fixed: Fixed | None = None) -> None:
    """Print lines that editors understand (file:line:column: ...), with the severity in colour on a terminal."""
    import click

    def painted(how: str) -> str:
        return click.style(how, COLOURS[how])

    new = [] if fixed is None else lines(_new(verdict, fixed.after), painted)
    for line in (*lines(verdict, painted), *new, *summary(verdict, fixed)):
        click.echo(line)


def _new(before: Verdict, after: Verdict) -> Verdict:
    """Return the breaches that only the output has: for example an address that cannot be resolved from there."""
    known = {(breach.rule, breach.where) for breach in before.breaches}
    return replace(after, breaches=tuple(each for each in after.breaches if (each.rule, each.where) not in known))


def lines(verdict: Verdict, painted: Callable[[str], str] = str) -> list[str]:
    """Return a line for each breach; painted formats the word for its severity."""
    found = []
    for breach, more in _shortened(verdict):
        file, line, column = place(breach, verdict.path)
        at = f"{file}:{line}:{column}" if column else f"{file}:{line}"
        times = f" ({breach.count} of them)" if breach.count > 1 else ""
        said = f"{_subject(breach)}{breach.message}{times}{_advice(breach)}{_way_to_fix(breach)}"
        found.append(f"{printable(at)}: {painted(severity(breach))}: {printable(f'{breach.rule}: {said}')}")
        if more:
            found.append(f"  … and {more} more of {breach.rule} (--format json tells all)")
    return found


def _subject(breach: Breach) -> str:
    return "" if breach.where == "document" else f"{breach.where}: "


def _advice(breach: Breach) -> str:
    advice = TABLE[breach.rule].advice
    return "" if advice == SEE else f"; {advice}"


def _way_to_fix(breach: Breach) -> str:
    way = WAYS.get(fix(breach))
    return f" [{way}]" if way else ""


def _shortened(verdict: Verdict) -> list[tuple[Breach, int]]:
    """Return the breaches to show, the last of a rule with the number of hidden ones (else 0)."""
    totals = Counter((severity(breach), breach.rule) for breach in verdict.breaches)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for breach in verdict.breaches:
        key = (severity(breach), breach.rule)
        seen[key] += 1
        most = LINES[key[0]]
        if seen[key] <= most:
            found.append((breach, totals[key] - most if seen[key] == most else 0))
    return found


def summary(verdict: Verdict, fixed: Fixed | None = None) -> list[str]:
    """Return the last lines: the number of breaches by severity, and what was repaired."""
    counts = totals(verdict.breaches)
    numbers = [so_many(counts[name], f"{name}s") for name in SEVERITIES if counts[name]]
    head = f"{verdict.path}: {', '.join(numbers) or 'nothing found'}"
    if not verdict.complete:
        head += "; the reader stopped there: what comes behind was not looked at"
    found = [printable(head)]
    hidden = totals(verdict.following)[ERROR]
    if hidden:
        found.append(f"  … and {so_many(hidden, 'more errors')} that may follow from these (--format json tells all)")
    if verdict.more:
        found.append(f"  … and {so_many(verdict.more, 'more errors')}, of which nothing is said: mend these first")
    if fixed is not None:
        for change in fixed.changes[:CHANGES]:
            what = f"{change.before or 'nothing'} -> {change.after or 'nothing'}"
            why = f" ({change.reason})" if change.reason else ""
            found.append(printable(f"  {', '.join(change.rules)}: {change.where}: {_short(what)}{why}"))
        if len(fixed.changes) > CHANGES:
            found.append(f"  … and {so_many(len(fixed.changes) - CHANGES, 'more changes')} (--format json tells all)")
        left = totals(fixed.after.breaches)
        rest = ", ".join(so_many(left[name], f"{name}s") for name in SEVERITIES if left[name])
        done = len(fixed.repaired)
        what = f"{so_many(done, 'findings')} repaired, {rest or 'nothing'} left"
        found += [printable(f"{fixed.files[0]}: noted: {note}") for note in fixed.notes]
        found.append(printable(f"{verdict.path} -> {fixed.files[0]}: {what}"))
    return found


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 100 else f"{flat[:99]}…"


def totals(breaches: Iterable[Breach]) -> dict[str, int]:
    """Return the number of breaches by severity."""
    counts = Counter(severity(breach) for breach in breaches)
    return {name: counts[name] for name in SEVERITIES}


# --------------------------------------------------------------------------------------------------------- for programs


def document(verdict: Verdict, fixed: Fixed | None = None) -> dict[str, Any]:
    """schema_version 1. findings are sorted: the worst first, then by place and rule.

    following may be only consequences of them; more: number of errors beyond those listed.
    """
    plain = {
        "schema_version": SCHEMA_VERSION,
        "path": verdict.path,
        "format": verdict.format,
        "complete": verdict.complete,
        "more": verdict.more,
        "totals": totals(verdict.breaches),
        "findings": [_plain(breach, verdict.path) for breach in verdict.breaches],
        "following": [_plain(breach, verdict.path) for breach in verdict.following],
    }
    if fixed is not None:
        plain["fix"] = {
            "files": [*fixed.files],
            "changes": [
                {
                    "rules": [*each.rules],
                    "where": each.where,
                    "before": each.before,
                    "after": each.after,
                    "reason": each.reason,
                }
                for each in fixed.changes
            ],
            "notes": [*fixed.notes],
            "repaired": len(fixed.repaired),
            "left": [_plain(breach, fixed.files[0]) for breach in fixed.after.breaches],
        }
    return plain


def _plain(breach: Breach, path: str) -> dict[str, Any]:
    file, line, column = place(breach, path)
    return {
        "rule": breach.rule,
        "severity": severity(breach),
        "where": breach.where,
        "message": breach.message,
        "advice": TABLE[breach.rule].advice,
        "fix": fix(breach),
        "file": file,
        "line": line,
        "column": column,
        "path": breach.source.path if breach.source is not None else "/",
        "count": breach.count,
    }


def sarif(verdict: Verdict) -> str:
    """SARIF 2.1.0: a rule for each id that was found, a result for each breach."""
    from converters.report.sarif import log

    rules = list(dict.fromkeys(breach.rule for breach in verdict.breaches))
    driver = {"name": "kinegraph", "version": __version__, "rules": [_described(rule) for rule in rules]}
    results = [_result(breach, rules.index(breach.rule), verdict.path) for breach in verdict.breaches]
    files = [breach.source.file for breach in verdict.breaches if breach.source is not None]
    return log(
        driver,
        [verdict.path, *files],
        results,
        {"totals": totals(verdict.breaches), "complete": verdict.complete, "more": verdict.more},
    )


def _described(rule: str) -> dict[str, Any]:
    row = TABLE[rule]
    return {
        "id": rule,
        "shortDescription": {"text": row.message},
        "help": {"text": row.advice},
        "defaultConfiguration": {"level": LEVELS[row.severity]},
        "properties": {"fix": row.fix},
    }


def _result(breach: Breach, index: int, path: str) -> dict[str, Any]:
    from converters.report.sarif import location

    file, line, column = place(breach, path)
    at = location(Source(file, line, breach.source.path if breach.source is not None else "/"), column)
    at["logicalLocations"] = [{"fullyQualifiedName": breach.where}]
    return {
        "ruleId": breach.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": LEVELS[severity(breach)],
        "message": {"text": f"{_subject(breach)}{breach.message}{_advice(breach)}{_way_to_fix(breach)}"},
        "locations": [at],
        "occurrenceCount": breach.count,
        "properties": {"fix": fix(breach)},
    }


def text(form: str, verdict: Verdict, fixed: Fixed | None = None) -> str:
    """Return machine-readable output: json or sarif."""
    if form == "sarif":
        return sarif(verdict)
    return dumps(document(verdict, fixed), indent=2, ensure_ascii=False) + "\n"
