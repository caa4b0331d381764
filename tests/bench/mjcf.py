"""python -m tests.bench.mjcf [--runs N] [--quick] [--corpus DIR]: MJCF as a source, against MuJoCo compiling the file.

MuJoCo compiles a model with its meshes; a conversion reads, writes and copies. Both start from the same file.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import mujoco

from converters.convert import convert
from tests.bench.measures import QUIET, machine, muted
from tests.bench.sides import HEADER, Measured, Row, in_turns
from tests.corpus.mjcf_models import mjcf_models
from tests.files import saved
from tests.oracles.mjcf_against_mjcf import loads

SMALLEST, MOST = 3000, 12
"""Minimum size in bytes of a file that is measured, and maximum number of files."""


def chain(bodies: int) -> str:
    """Return an MJCF of that many bodies in a row, each with a limited hinge and a capsule."""
    inner = "".join(
        f'<body name="b{index}" pos="0 0 .1"><joint name="j{index}" axis="0 1 0" range="-90 90" damping=".1"/>'
        f'<geom name="g{index}" type="capsule" fromto="0 0 0 0 0 .1"/>'
        for index in range(bodies)
    )
    default = '<default><geom size=".02"/><joint armature=".01"/></default>'
    return f'<mujoco model="chain">{default}<worldbody>{inner}{"</body>" * bodies}</worldbody></mujoco>'


def against_mujoco(source: Path, name: str, runs: int) -> Iterator[Row]:
    """MJCF -> URDF and MJCF -> MJCF of one file, both without audit."""

    def compiled() -> None:
        mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
        mujoco.MjModel.from_xml_path(str(source.absolute()))

    with tempfile.TemporaryDirectory() as text, contextlib.chdir(text), muted():
        folder = Path(text)
        sides = {
            "URDF": lambda: convert(source, folder / "urdf" / "robot.urdf", options=QUIET),
            "MJCF": lambda: convert(source, folder / "mjcf" / "robot.xml", options=QUIET),
            "mujoco": compiled,
        }
        times = in_turns(sides, runs)
    for target in ("URDF", "MJCF"):
        yield Row(f"{name} -> {target} : MuJoCo compiles it", times[target], times["mujoco"], 1)


def growth(sizes: tuple[int, ...], runs: int) -> Iterator[Row]:
    """Chains of bodies: per body, the longest may cost at most 1.2 times as much as the shortest."""
    measured: dict[int, Measured] = {}
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for size in sizes:
            source = saved(folder / f"chain_{size}.xml", chain(size))
            side = {"ours": lambda source=source: convert(source, folder / "out.urdf", options=QUIET)}
            measured[size] = in_turns(side, max(1, runs // (2 if size == max(sizes) else 1)))["ours"]
    first = min(sizes)
    for size in sizes[1:]:
        yield Row(f"MJCF chain of {size} : of {first}", measured[size], measured[first], 1.2 * size / first)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mjcf", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="fewer models, shorter chains")
    parser.add_argument("--corpus", action="append", default=[], metavar="DIR")
    options = parser.parse_args()
    print("\n".join([machine(), "", HEADER]), flush=True)
    worth = [model for model in mjcf_models(options.corpus) if model.path.stat().st_size >= SMALLEST]
    models = [model for model in worth if not isinstance(loads(model.path), str)]
    for model in models[:: max(1, len(models) // (3 if options.quick else MOST))]:
        for row in against_mujoco(model.path, model.name, options.runs):
            print(row, flush=True)
    for row in growth((100, 1000) if options.quick else (100, 1000, 10_000), options.runs):
        print(row, flush=True)


if __name__ == "__main__":
    main()
