"""The outcomes of many changes, counted: the end of a run that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def tell(heading: str, outcomes: Mapping[str, int], column: str, lines: Iterable[str], output: Path | None) -> None:
    """Print a table of outcomes, the most frequent first, below its heading; write it to output with the lines."""
    rows = sorted(outcomes.items(), key=lambda pair: -pair[1])
    text = f"{heading}\n\n| outcome | {column} |\n|---|---:|\n"
    text += "".join(f"| {name} | {count} |\n" for name, count in rows)
    print("\n" + text)
    if output:
        output.write_text(text + "\n" + "".join(f"- {line}\n" for line in lines), encoding="utf-8")
