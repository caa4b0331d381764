"""A batch in numbers: results of its models, losses by rule, and causes of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from converters.batch.entries import FAILED, HERE, LOSSES, absent, code, losses, missing
from converters.batch.plan import Entry


class Totals(Struct):
    """A batch in numbers. found == converted + failed + skipped + waiting."""

    found: int = 0
    converted: int = 0
    unchanged: int = 0
    with_losses: int = 0
    failed: int = 0
    skipped: int = 0
    waiting: int = 0
    code: int = 0
    """The largest exit code of any model."""
    missing: int = 0
    """Number of files that were not found."""
    packages: Counter[str] = field(default_factory=Counter)
    """Packages and Gazebo models as named in addresses -> number of their files that were not found."""
    actions: Counter[str] = field(default_factory=Counter)
    rules: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """(action, rule) -> findings, models."""
    causes: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Cause of failures -> count, and the first model."""
    alone: dict[str, str] = field(default_factory=dict)
    """Cause with a single failed model -> its whole message."""
    left: dict[str, str] = field(default_factory=dict)
    """Models that no longer exist -> their output from an earlier batch."""


def tally(rows: Iterator[tuple[str, Entry | None, str]], fail_on: str | None) -> Totals:
    """Return the totals of rows."""
    totals = Totals()
    for model, entry, why in rows:
        totals.found += 1
        if entry is None:
            totals.skipped += bool(why)
            totals.waiting += not why
            continue
        totals.code = max(totals.code, code(entry, fail_on))
        if entry["status"] == FAILED:
            totals.failed += 1
            count, first = totals.causes.get(entry["cause"], (0, model))
            totals.causes[entry["cause"]] = count + 1, first
            if count == 0:
                totals.alone[entry["cause"]] = entry["message"].replace(HERE, "")
            else:
                totals.alone.pop(entry["cause"], None)
            continue
        totals.converted += 1
        totals.with_losses += losses(entry) > 0
        totals.missing += missing(entry)
        totals.packages.update(absent(entry) if missing(entry) else ())
        totals.actions.update({action: entry["totals"][action] for action in LOSSES})
        for action, rule, count in entry["rules"]:
            both = totals.rules.setdefault((action, rule), [0, 0])
            both[0] += count
            both[1] += 1
    totals.causes = dict(sorted(totals.causes.items(), key=lambda item: (-item[1][0], item[0])))
    return totals


def reasons(totals: Totals) -> list[tuple[int, str]]:
    """Return (count, cause) of failures: the whole message if there is only one, else with an example."""
    return [(count, totals.alone.get(why) or f"{why}  ({model})") for why, (count, model) in totals.causes.items()]


def commonest(totals: Totals) -> list[tuple[tuple[str, str], list[int]]]:
    """Return (action, rule) and (findings, models) of every rule, that with the most models first."""
    return sorted(totals.rules.items(), key=lambda item: (-item[1][1], item[0]))


def numbers(totals: Totals) -> dict[str, Any]:
    """Return the totals for machines, independent of how often the batch was resumed."""
    names = ("found", "converted", "with_losses", "missing", "failed", "skipped")
    plain = {name: getattr(totals, name) for name in names} | {action: totals.actions[action] for action in LOSSES}
    causes = [{"cause": why, "count": count, "first": model} for why, (count, model) in totals.causes.items()]
    rules = [
        {"action": a, "rule": r, "count": found, "models": models} for (a, r), (found, models) in commonest(totals)
    ]
    return plain | {"causes": causes, "rules": rules}
