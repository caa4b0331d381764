"""The result of a comparison, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from converters.comparing.difference import Unlike
from converters.report.safe import printable

MOST = 12
"""Rows of an aspect that a table shows."""
FEW = 3
"""Largest number of properties that are listed as not compared."""
WIDEST = 40
WIDTH = 500
"""Columns if stdout is no terminal: names are not broken, and can be searched for."""


def titles(first: Path, second: Path) -> tuple[str, str]:
    """Names of two files: their file names, and folders that differ if these are the same."""
    ours, theirs = (path.absolute().parts for path in (first, second))
    pairs = zip(reversed(ours[:-1]), reversed(theirs[:-1]), strict=False)
    above = next((count for count, (one, other) in enumerate(pairs, 2) if one != other), None)
    if first.name != second.name or first.absolute() == second.absolute():
        return first.name, second.name
    if above is None:
        return str(first), str(second)
    gap = "/" if above == 2 else "/…/"
    return f"{ours[-above]}{gap}{first.name}", f"{theirs[-above]}{gap}{second.name}"


def show(found: Sequence[Unlike], first: str, second: str, aspects: Sequence[str], passed_over: Sequence[str]) -> None:
    """Print a table of differences, the aspects without differences, and what was not compared."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    counts = {aspect: sum(1 for each in found if each.what == aspect) for aspect in aspects}
    for aspect, count in counts.items():
        if not count:
            continue
        table = Table(title=f"{aspect} ({count})", title_justify="left", show_edge=False)
        for heading in ("where", first, second, "apart by"):
            table.add_column(Text(printable(heading)), overflow="fold", no_wrap=heading == "where")
        rows = [each for each in found if each.what == aspect]
        for each in rows[:MOST]:
            by = "" if each.by is None else f"{each.by:.3g}"
            cells = (each.where, brief(each.first), brief(each.second), by)
            table.add_row(*(Text(printable(cell)) for cell in cells))
        console.print(table)
        if len(rows) > MOST:
            console.print(f"… and {len(rows) - MOST} more (--json tells all)")
    same = [aspect for aspect, count in counts.items() if not count]
    common = " as far as both have the body or joint" if counts.get("structure") else ""
    whole = not console.is_terminal  # lines in a redirected output are not wrapped, so that they can be searched
    console.print(f"the same{common}: {', '.join(same) or 'nothing'}", soft_wrap=whole)
    left = f"; {len(passed_over) - FEW} more (--json tells all)" if len(passed_over) > FEW else ""
    console.print(f"not compared: {'; '.join(passed_over[:FEW])}{left}", soft_wrap=whole)


def brief(value: Any) -> str:
    """A value in few characters."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, (tuple, list)):
        return " ".join(brief(item) for item in value)
    text = str(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}…"


def document(
    found: Sequence[Unlike],
    first: str,
    second: str,
    tolerance: float,
    aspects: Sequence[str],
    passed_over: Mapping[str, str],
) -> dict[str, Any]:
    """A stable JSON document: schema_version 1. equal is about the aspects that were compared."""
    return {
        "schema_version": 1,
        "first": first,
        "second": second,
        "tolerance": tolerance,
        "equal": not found,
        "compared": list(aspects),
        "not_compared": dict(passed_over),
        "differences": [asdict(each) for each in found],
    }
