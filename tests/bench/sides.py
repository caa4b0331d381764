"""Measuring two things alternately, and reporting the result."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Measured:
    """Durations in seconds of several runs of one side."""

    runs: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def middle(self) -> float:
        return median(self.runs)

    def __str__(self) -> str:
        return f"{self.least * 1000:.1f} / {self.middle * 1000:.1f}"


@dataclass(frozen=True)
class Row:
    """One line of the table. The verdict compares the minimum times: noise only ever adds."""

    what: str
    ours: Measured
    theirs: Measured
    goal: float
    unit: str = "x"
    """x: ours / theirs; ms: ours - theirs."""

    @property
    def value(self) -> float:
        if self.unit == "ms":
            return (self.ours.least - self.theirs.least) * 1000
        return self.ours.least / self.theirs.least

    @property
    def middle(self) -> float:
        if self.unit == "ms":
            return (self.ours.middle - self.theirs.middle) * 1000
        return self.ours.middle / self.theirs.middle

    def __str__(self) -> str:
        verdict = "met" if self.value <= self.goal else "**missed**"
        sign = "+" if self.unit == "ms" else ""
        result = f"{sign}{self.value:.2f} {self.unit}" if self.unit == "x" else f"{sign}{self.value:.0f} {self.unit}"
        other = f"{sign}{self.middle:.2f}" if self.unit == "x" else f"{sign}{self.middle:.0f}"
        goal = f"{sign}{self.goal:g} {self.unit}"
        return f"| {self.what} | {self.ours} | {self.theirs} | {result} ({other}) | {goal} | {verdict} |"


HEADER = (
    "| what | ours, ms (min / median) | against, ms (min / median) | by min (by median) | goal | |\n"
    "|---|---:|---:|---:|---:|---|"
)


def _installed() -> dict[str, str]:
    """Return the environment of a user, where Python caches the bytecode of this package like that of libraries."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def in_turns(sides: Mapping[str, Callable[[], object]], runs: int) -> dict[str, Measured]:
    """Run every side once to warm up, then all alternately, so that slow moments of the machine affect all alike."""
    for side in sides.values():
        side()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(runs):
        for name, side in sides.items():
            gc.collect()
            start = time.perf_counter()
            side()
            times[name].append(time.perf_counter() - start)
    return {name: Measured(tuple(values)) for name, values in times.items()}


def process(*arguments: str | Path) -> Callable[[], object]:
    """Return a side that runs a whole process, which must succeed."""

    def run() -> None:
        done = subprocess.run(
            [*map(str, arguments)], capture_output=True, text=True, cwd=ROOT, timeout=600, env=_installed()
        )
        if done.returncode != 0:
            raise RuntimeError(f"{arguments} ended with {done.returncode}: {done.stderr[-1000:]}")

    return run


def python(*arguments: str | Path) -> Callable[[], object]:
    return process(sys.executable, *arguments)


def kinegraph() -> Path:
    """Return the path of the installed command."""
    return Path(sys.executable).parent / "kinegraph"
