"""The measurements that DESIGN asks for; each is a function that yields rows."""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from converters.context import Options
from converters.convert import convert
from tests.bench.robots import chain, floor, loadable
from tests.bench.sides import Measured, Row, in_turns, kinegraph, process, python
from tests.files import saved
from tests.oracles import plain_urdf

QUIET = Options(audit=False, find_srdf=False)
AUDITED = Options(find_srdf=False)
"""The measured engines read no SRDF."""


def start_up(runs: int) -> Iterator[Row]:
    """(a) The command against bare Python."""
    sides = {"pass": python("-c", "pass")}
    sides |= {name: process(kinegraph(), *name.split()) for name in ("--help", "formats")}
    times = in_turns(sides, runs)
    for name in ("--help", "formats"):
        yield Row(f"`kinegraph {name}` - `python -c pass`", times[name], times["pass"], 100, "ms")


def whole_process(robot: Path, name: str, runs: int) -> Iterator[Row]:
    """(b) One conversion as a user starts it, against importing what it needs in any case."""
    with tempfile.TemporaryDirectory() as folder:
        bare = "import lxml.etree, numpy, networkx"
        sides = {"ours": process(kinegraph(), "convert", robot, Path(folder) / "robot.xml"), "bare": python("-c", bare)}
        times = in_turns(sides, runs)
    yield Row(f"`kinegraph convert {name}` : `python -c '{bare}'`", times["ours"], times["bare"], 1.5)


def in_process(robot: Path, name: str, runs: int) -> Iterator[Row]:
    """(c) One robot: against MuJoCo's own import, compiled and saved; against the lower bound; cost of the audit."""
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
            "audited": lambda: convert(source, folder / "audited" / "robot.xml", options=AUDITED),
        }
        report = sides["plain"]()
        if any(finding.rule == "assets/transcoded" for finding in report.findings):
            name += " (transcodes meshes)"
        with contextlib.chdir(folder), muted():  # MuJoCo may leave a log of its warnings where it runs
            try:
                theirs()
            except ValueError:
                del sides["mujoco"]
            times = in_turns(sides, runs)
    if "mujoco" in times:
        yield Row(f"{name}: without audit : MuJoCo's own import", times["plain"], times["mujoco"], 0.5)
    yield Row(f"{name}: without audit : floor", times["plain"], times["floor"], 10)
    yield Row(f"{name}: with audit : without", times["audited"], times["plain"], 2)


def collada(robot: Path, name: str, runs: int) -> Iterator[Row]:
    """(c) A robot with DAE, against pycollada reading the same files."""
    import collada as pycollada

    root = plain_urdf.parse(robot)
    found = {plain_urdf.find(mesh.get("filename", ""), robot) for mesh in root.iter("mesh")}
    files = sorted(file for file in found if file is not None and file.suffix.lower() == ".dae")

    def theirs() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for file in files:
                pycollada.Collada(str(file), ignore=[pycollada.common.DaeError])

    with tempfile.TemporaryDirectory() as text:
        sides = {"ours": lambda: convert(robot, Path(text) / "robot.xml", options=QUIET), "pycollada": theirs}
        times = in_turns(sides, runs)
    yield Row(f"{name} ({len(files)} DAE): without audit : pycollada", times["ours"], times["pycollada"], 1.5)


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """Discard what an engine prints."""
    kept = os.dup(1), os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        try:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            for number, descriptor in enumerate(kept, 1):
                os.dup2(descriptor, number)
                os.close(descriptor)


def growth(sizes: tuple[int, ...], runs: int) -> Iterator[Row]:
    """(d) Chains of links: per link, the longest may cost at most 1.2 times as much as the shortest."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        measured: dict[tuple[str, int], Measured] = {}
        for size in sizes:
            source = saved(folder / f"chain_{size}.urdf", chain(size))
            sides = {
                "without audit": lambda source=source: convert(source, folder / "plain.xml", options=QUIET),
                "with audit": lambda source=source: convert(source, folder / "audited.xml", options=AUDITED),
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
    """Return a description of the machine, as far as it is known."""
    import platform

    return f"Python {platform.python_version()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
