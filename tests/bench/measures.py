"""What DESIGN asks to be measured, each measure a function that returns rows."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from converters.context import Options
from converters.convert import convert
from tests.bench.robots import chain, floor, loadable
from tests.bench.sides import Measured, Row, in_turns, kinegraph, process, python

QUIET = Options(audit=False)


def start_up(runs: int) -> Iterator[Row]:
    """(a) The command against bare Python."""
    sides = {"pass": python("-c", "pass")}
    sides |= {name: process(kinegraph(), *name.split()) for name in ("--help", "formats")}
    times = in_turns(sides, runs)
    for name in ("--help", "formats"):
        yield Row(f"`kinegraph {name}` - `python -c pass`", times[name], times["pass"], 100, "ms")


def whole_process(robot: Path, name: str, runs: int) -> Iterator[Row]:
    """(b) One conversion as a user starts it, against importing what it cannot do without."""
    with tempfile.TemporaryDirectory() as folder:
        bare = "import lxml.etree, numpy, networkx"
        sides = {
            "ours": process(kinegraph(), "convert", robot, Path(folder) / "robot.xml"),
            "bare": python("-c", bare),
        }
        times = in_turns(sides, runs)
    yield Row(f"`kinegraph convert {name}` : `python -c '{bare}'`", times["ours"], times["bare"], 1.5)


def in_process(robot: Path, name: str, runs: int) -> Iterator[Row]:
    """(c) One robot: against MuJoCo's own import, compiled and saved, against the floor, and the price of the audit."""
    import mujoco

    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        source = loadable(robot, folder / "source")

        def theirs() -> None:
            """Read, compile and save, each time from the files: a user imports a robot once."""
            mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
            model = mujoco.MjModel.from_xml_path(str(source))
            mujoco.mj_saveLastXML(str(folder / "theirs.xml"), model)

        sides = {
            "plain": lambda: convert(source, folder / "plain" / "robot.xml", options=QUIET),
            "mujoco": theirs,
            "floor": floor(source, folder / "floor"),
            "audited": lambda: convert(source, folder / "audited" / "robot.xml"),
        }
        with contextlib.chdir(folder):  # where MuJoCo may leave a log of its warnings
            try:
                theirs()
            except ValueError:
                del sides["mujoco"]
            times = in_turns(sides, runs)
    if "mujoco" in times:
        yield Row(f"{name}: without audit : MuJoCo's own import", times["plain"], times["mujoco"], 0.5)
    yield Row(f"{name}: without audit : floor", times["plain"], times["floor"], 10)
    yield Row(f"{name}: with audit : without", times["audited"], times["plain"], 2)


def growth(sizes: tuple[int, ...], runs: int) -> Iterator[Row]:
    """(d) Chains of links: the longest against the shortest may cost 1.2 times the ratio of their lengths."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        measured: dict[tuple[str, int], Measured] = {}
        for size in sizes:
            source = folder / f"chain_{size}.urdf"
            source.write_bytes(chain(size))
            sides = {
                "without audit": lambda source=source: convert(source, folder / "plain.xml", options=QUIET),
                "with audit": lambda source=source: convert(source, folder / "audited.xml"),
            }
            for name, times in in_turns(sides, max(1, runs if size < max(sizes) else runs // 2)).items():
                measured[name, size] = times
    first = min(sizes)
    for name in ("without audit", "with audit"):
        for size in sizes:
            if size != first:
                goal = 1.2 * size / first
                yield Row(f"chain of {size} : of {first}, {name}", measured[name, size], measured[name, first], goal)


def machine() -> str:
    """What the figures were measured on, as far as it says."""
    import platform

    return f"Python {platform.python_version()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
