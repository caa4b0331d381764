"""python -m tests.bench.glb [--runs N] [--quick]: GLB export against trimesh, yourdfpy and the bare bytes.

All sides start from the URDF and its mesh files and end with the bytes of a GLB that shows the visuals. trimesh has no
URDF reader: it gets every mesh file with its pose, in a second row also those of collisions, which Kinegraph always
includes. yourdfpy is measured if it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from converters.context import Options
from converters.convert import convert
from tests.bench.measures import machine, muted
from tests.bench.sides import HEADER, Measured, Row, in_turns
from tests.corpus.models import models, readable
from tests.oracles import in_pinocchio, plain_urdf

SMALL = Path(__file__).parents[2] / "corpus" / "made" / "feature_mesh_tetrahedron.urdf"
QUIET = Options(audit=False, find_srdf=False)
ROBOTS = (
    "panda_description/urdf/panda.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "a1_description/urdf/a1.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "icub_description/robots/icub.urdf",
    "romeo_description/urdf/romeo.urdf",
)


def by_trimesh(path: Path, collisions: bool = False) -> Callable[[], bytes]:
    """Return a function that exports trimesh's scene of all visual meshes, and if requested of those of collisions."""
    robot = plain_urdf.load(path)
    model = in_pinocchio.pinocchio_model(path)
    poses = in_pinocchio.link_poses(model, in_pinocchio.configuration(model, {}))
    shown = [
        (str(shape.file), poses.get(name, np.eye(4)) @ shape.pose @ np.diag([*shape.size, 1.0]))
        for name, link in robot.links.items()
        for shape in (*link.visuals, *(link.collisions if collisions else ()))
        if shape.file is not None
    ]

    def export() -> bytes:
        scene = trimesh.Scene()
        for file, at in shown:
            for part in trimesh.load_scene(file).dump():
                scene.add_geometry(part, transform=at)
        made: bytes = scene.export(file_type="glb")
        return made

    return export


def by_yourdfpy(path: Path) -> Callable[[], bytes]:
    """Return a function that exports yourdfpy's scene; meshes are found as by the other sides."""
    import yourdfpy

    def export() -> bytes:
        robot = yourdfpy.URDF.load(
            str(path),
            filename_handler=lambda fname: str(plain_urdf.find(fname, path)),
            build_collision_scene_graph=False,
        )
        made: bytes = robot.scene.export(file_type="glb")
        return made

    return export


def bytes_alone(path: Path, size: int, folder: Path) -> Callable[[], None]:
    """Return a function that reads every mesh file once, and writes as many bytes as the GLB has."""
    links = plain_urdf.load(path).links.values()
    files = {shape.file for link in links for shape in (*link.visuals, *link.collisions) if shape.file}

    def run() -> None:
        for file in files:
            file.read_bytes()
        (folder / "floor.bin").write_bytes(bytes(size))

    return run


def export(path: Path, name: str, runs: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as text, muted():
        folder = Path(text)
        target = folder / "robot.glb"
        convert(path, target, options=QUIET)
        sides: dict[str, Callable[[], Any]] = {
            "ours": lambda: convert(path, target, options=QUIET),
            "trimesh": by_trimesh(path),
            "trimesh with collisions": by_trimesh(path, collisions=True),
            "floor": bytes_alone(path, target.stat().st_size, folder),
        }
        if importlib.util.find_spec("yourdfpy") is not None:
            sides["yourdfpy"] = by_yourdfpy(path)
        times = in_turns(sides, runs)
        size = target.stat().st_size
    for other, goal in (("trimesh", 0.2), ("trimesh with collisions", 0.2), ("yourdfpy", 0.2), ("floor", 10.0)):
        if other in times:
            yield Row(f"{name} -> GLB : {other}", times["ours"], times[other], goal)
    yield memory(path, name, size)


def memory(path: Path, name: str, size: int) -> Row:
    """Return the peak memory of a process that exports, minus that of one that has exported a tetrahedron (so that
    modules are loaded), in MB, against the output in MB."""
    program = (
        "import sys\n"
        "import converters\n"
        "from converters.context import Options\n"
        "def peak(source):\n"
        "    converters.convert(source, sys.argv[3], options=Options(audit=False))\n"
        "    return int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])\n"
        "small = peak(sys.argv[1])\n"
        "print(peak(sys.argv[2]) - small)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", program, str(SMALL), str(path), f"{folder}/robot.glb"]
        more = int(subprocess.run(command, capture_output=True, check=True).stdout.split()[-1]) * 1024
    return Row(f"{name}: peak memory (MB) : output", Measured((more / 1e9,)), Measured((size / 1e9,)), 10.0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.glb", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="two robots")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    print("\n".join([machine(), "", HEADER]), flush=True)
    paths = [model for model in readable(models())[0] if model.name.endswith(ROBOTS)]
    for model in paths[: 2 if options.quick else None]:
        for row in export(model.path, model.path.name, options.runs):
            print(row, flush=True)


if __name__ == "__main__":
    main()
