"""python -m tests.bench.batch [FOLDER] [--runs N] [--most N] [-o FILE.md]: kinegraph batch against loops over files.

FOLDER contains real models (default: those of the installed example-robot-data). Every side converts the same files to
MJCF, unless stated otherwise; loops and other programs (--python gives an interpreter that has them) get URDFs, with
one process each. Two processes against one is measured by wall time; on a busy machine, processor time is more
reliable.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

from converters.batch.plan import jobs
from converters.discovery import find
from tests.batch.folders import MJCF, write
from tests.bench.measures import machine
from tests.bench.sides import ROOT, kinegraph
from tests.corpus.models import DISTRIBUTIONS

BARE = """
import sys
from converters.context import InputError
from converters.convert import convert
for line in sys.stdin.read().split(chr(0)):
    source, target = line.split(chr(1))
    try:
        convert(source, target, target="mjcf")
    except InputError:
        pass
"""
PEERS = {
    "MuJoCo's own import": (
        "mujoco",
        "model = mujoco.MjModel.from_xml_path(sys.argv[1]); mujoco.mj_saveLastXML(sys.argv[2], model)",
    ),
    "urdf2mjcf": ("urdf2mjcf.convert", "urdf2mjcf.convert.convert_urdf_to_mjcf(sys.argv[1], sys.argv[2])"),
    "robot-format-converter": (
        "robot_format_converter, runpy",
        "sys.argv[1:1] = ['convert']; runpy.run_module('robot_format_converter', run_name='__main__')",
    ),
    "yourdfpy, to GLB": ("yourdfpy", "yourdfpy.URDF.load(sys.argv[1]).scene.export(sys.argv[2], file_type='glb')"),
}
"""Maps other programs for the task to their module, and a program for one file; those not installed are omitted."""


@dataclass(frozen=True)
class Cost:
    """Wall time and processor time in seconds of a command and everything it started."""

    wall: float
    cpu: float


def cost(command: list[str], given: str = "") -> Cost:
    """Run a command to its end, whatever its exit code, and return its cost."""
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, cwd=ROOT, input=given.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(time.perf_counter() - start, cpu)


def least(runs: list[Cost]) -> Cost:
    """Return the minimum of each: noise only ever adds."""
    return Cost(min(run.wall for run in runs), min(run.cpu for run in runs))


def installed_peers(python: str) -> dict[str, str]:
    """Return the programs for one file of those peers that an interpreter can import."""
    found = {}
    for name, (module, program) in PEERS.items():
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
            found[name] = f"import sys, {module}\n{program}"
    return found


def sides(source: Path, folder: Path, models: list[str], few: list[str], python: str) -> dict[str, Callable[[], Cost]]:
    """Return ways to convert; those that start a process per file get only a few files."""
    whole = [str(kinegraph()), "batch", str(source), str(folder / "batch"), "--to", "mjcf"]
    pairs = chr(0).join(f"{source / name}{chr(1)}{folder / 'bare' / name}.xml" for name in models)

    def fresh(command: list[str], given: str = "") -> Callable[[], Cost]:
        def run() -> Cost:
            for place in ("batch", "bare", "loop"):
                shutil.rmtree(folder / place, ignore_errors=True)
                (folder / place).mkdir(parents=True)
            return cost(command, given)

        return run

    def loop(one: Callable[[str, str], list[str]]) -> Callable[[], Cost]:
        ends = [(str(source / name), str(folder / "loop" / f"{number}.xml")) for number, name in enumerate(few)]
        lines = [shlex.join(one(old, new)) for old, new in ends]
        return fresh(["sh", "-c", "\n".join(lines)])

    return {
        "batch --jobs 1": fresh([*whole, "--jobs", "1"]),
        "batch --jobs 2": fresh([*whole, "--jobs", "2"]),
        "in one process, no batch": fresh([sys.executable, "-c", BARE], pairs),
        "batch --resume, nothing changed": lambda: cost([*whole, "--resume", "--jobs", "1"]),
        "sh: kinegraph convert, each": loop(lambda old, new: [str(kinegraph()), "convert", old, new]),
    } | {f"sh: {name}, each": loop(partial(_by, python, program)) for name, program in installed_peers(python).items()}


def _by(python: str, program: str, old: str, new: str) -> list[str]:
    return [python, "-c", program, old, new]


def measured(source: Path, runs: int, most: int, python: str) -> Iterator[str]:
    models = [job.model for job in jobs([item for item in find(source) if not item.part], "mjcf")]
    urdfs = [name for name in models if name.endswith(".urdf")]
    few = urdfs[:: max(1, len(urdfs) // most)][:most]
    with tempfile.TemporaryDirectory() as text:
        ways, made = sides(source, Path(text), models, few, python), dict[str, int]()
        ways["batch --jobs 1"]()
        costs: dict[str, list[Cost]] = {name: [] for name in ways}
        for _ in range(runs):
            for name, way in ways.items():
                if "resume" in name:
                    ways["batch --jobs 2"]()
                costs[name].append(way())
                made[name] = sum(1 for _ in (Path(text) / "loop").glob("*.xml"))
    best = {name: least(each) for name, each in costs.items()}
    yield f"{len(models)} models; loops over {len(few)} of them; best of {runs} runs"
    yield ""
    yield "| way | models/s | seconds | of processor | ms of processor a model | made |\n|---|---:|---:|---:|---:|---:|"
    for name, found in best.items():
        count = len(few) if name.startswith("sh:") else len(models)
        figures = (
            f"{count / found.wall:.1f}",
            f"{found.wall:.2f}",
            f"{found.cpu:.2f}",
            f"{found.cpu / count * 1e3:.1f}",
        )
        told = f"{made[name]} of {count}" if name.startswith("sh:") else ""
        yield f"| {name} | {' | '.join((*figures, told))} |"
    one, two, bare = (best[name] for name in ("batch --jobs 1", "batch --jobs 2", "in one process, no batch"))
    over = Cost((one.wall - bare.wall) / len(models), (one.cpu - bare.cpu) / len(models))
    yield ""
    yield f"two processes against one: {one.wall / two.wall:.2f}x by the wall (goal 1.8x),"
    yield f"{2 * one.cpu / two.cpu:.2f}x with both processors free (processor: {one.cpu:.2f} and {two.cpu:.2f} s)"
    yield f"overhead of a batch over a bare loop: {over.cpu * 1e3:.1f} ms of processor a model,"
    yield f"{over.wall * 1e3:.1f} ms by the wall (goal below 10 ms)"


def memory(counts: tuple[int, ...]) -> Iterator[str]:
    """Yield the peak memory of the main process of a batch, for these numbers of tiny models."""
    yield ""
    for count in counts:
        with tempfile.TemporaryDirectory() as text:
            folder = write(Path(text), {f"src/{number // 100}/{number}.xml": MJCF for number in range(count)})
            command = [sys.executable, "-m", "converters", "batch", str(folder / "src"), str(folder / "out")]
            process = subprocess.Popen([*command, "--to", "mjcf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            peak = 0
            while process.poll() is None:
                peak = max(peak, _peak(process.pid))
                time.sleep(0.05)
        yield f"{count} models: the directing process holds {peak / 1024:.1f} MB at most"


def _peak(pid: int) -> int:
    """Return VmHWM in kB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def installed() -> Path:
    """The folder of the robots of example-robot-data."""
    marker = DISTRIBUTIONS["example-robot-data"]
    file = next(file for file in distribution("example-robot-data").files or [] if marker in file.as_posix())
    whole = Path(str(distribution("example-robot-data").locate_file(file))).as_posix()
    return Path(whole[: whole.index(marker) + len(marker)]).resolve()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.batch", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--most", type=int, default=20, metavar="N", help="files for a loop that starts processes")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has the peers")
    parser.add_argument("--memory", type=int, nargs="*", default=[100, 2000], metavar="N")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    lines = [machine(), ""]
    print("\n".join(lines), flush=True)
    for part in (
        measured((options.folder or installed()).resolve(), options.runs, options.most, options.python),
        memory(options.memory),
    ):
        for line in part:
            lines.append(line)
            print(line, flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
