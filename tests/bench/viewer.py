"""python -m tests.bench.viewer [--runs N] [--python EXE]: pages of `kinegraph view` against those of meshcat and viser.

Sizes of self-contained pages of the same robot, and seconds from opening one from disk in headless Chromium (software
rendering) to its first complete frame. That is measured alike for all: the triangles that WebGL draws in each frame,
and the first frame with the final number of them. The pages alternate, and the median of all runs is used. --python
gives an interpreter that has meshcat, viser and trimesh; both get every visual mesh at its pose, in one grey, which is
the least work. --large is a page of Kinegraph only: a mesh of that many triangles.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from converters.viewer import view
from tests.bench.measures import machine
from tests.corpus.models import models
from tests.files import saved
from tests.oracles import in_pinocchio, plain_urdf
from tests.oracles.in_viewer import viewed

ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "talos_data/robots/talos_reduced.urdf",
)
PATIENCE = 3.0
"""Seconds without new drawing after which a page is complete."""
LOADED = """
import json, sys
import numpy, trimesh
out, shown = sys.argv[1], json.load(sys.stdin)
meshes = []
for file, pose in shown:
    mesh = trimesh.load(file, force="mesh")
    mesh.apply_transform(numpy.array(pose))
    meshes.append((mesh.vertices, mesh.faces))
"""
BY_MESHCAT = f"""{LOADED}
import meshcat, meshcat.geometry as g
vis = meshcat.Visualizer()
for number, (vertices, faces) in enumerate(meshes):
    vis[f"m{{number}}"].set_object(g.TriangularMeshGeometry(vertices, faces), g.MeshLambertMaterial(color=0xcccccc))
open(out, "w").write(vis.static_html())
"""
BY_VISER = f"""{LOADED}
import viser
server = viser.ViserServer(port=0, verbose=False)
for number, (vertices, faces) in enumerate(meshes):
    server.scene.add_mesh_simple(f"/m{{number}}", vertices, faces, color=(204, 204, 204))
open(out, "w").write(server.scene.as_html())
server.stop()
"""
OTHERS = {"meshcat static_html": BY_MESHCAT, "viser as_html": BY_VISER}


def placed(path: Path) -> list[tuple[str, list[list[float]]]]:
    """Return every visual mesh file of a robot with its pose at zero, scale included."""
    import numpy as np

    robot = plain_urdf.load(path)
    model = in_pinocchio.pinocchio_model(path)
    poses = in_pinocchio.link_poses(model, in_pinocchio.configuration(model, {}))
    return [
        (str(shape.file), (poses.get(name, np.eye(4)) @ shape.pose @ np.diag([*shape.size, 1.0])).tolist())
        for name, link in robot.links.items()
        for shape in link.visuals
        if shape.file is not None
    ]


def first_frames(pages: Mapping[str, Path], runs: int) -> dict[str, tuple[float, float]]:
    """Return the median seconds to the first complete frame, and its triangles, for alternating pages."""
    asked = [{"file": str(file), "patience": PATIENCE} for _ in range(runs) for file in pages.values()]
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in pages}
    for number, answer in enumerate(viewed(asked)):
        if answer["first"] is None:
            raise RuntimeError(f"{asked[number]['file']}: {answer['errors']}")
        found[[*pages][number % len(pages)]].append((answer["first"], answer["triangles"]))
    return {name: (median(first for first, _ in each), each[-1][1]) for name, each in found.items()}


def sides(model: Path, folder: Path, python: str) -> dict[str, Path]:
    """Write the page of each program, and return their paths."""
    pages = {"kinegraph": folder / "kinegraph.html"}
    pages["kinegraph"].write_text(view(model)[0])
    given = json.dumps(placed(model))
    for number, (name, program) in enumerate(OTHERS.items()):
        pages[name] = folder / f"other_{number}.html"
        command = [python, "-c", program, str(pages[name])]
        subprocess.run(command, input=given, text=True, check=True, capture_output=True)
    return pages


def large(folder: Path, triangles: int) -> Path:
    """Write the page of a robot with one wavy mesh of that many triangles."""
    import numpy as np

    edge = int((triangles / 2) ** 0.5) + 1
    x, y = np.meshgrid(np.linspace(0, 1, edge + 1), np.linspace(0, 1, edge + 1))
    points = np.stack([x, y, 0.1 * np.sin(9 * x) * np.cos(7 * y)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    corners = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
    record = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("word", "<u2")])
    record["corners"] = corners
    (folder / "wave.stl").write_bytes(bytes(80) + np.uint32(len(corners)).tobytes() + record.tobytes())
    shape = '<visual><geometry><mesh filename="wave.stl"/></geometry></visual>'
    (folder / "wave.urdf").write_text(f'<robot name="wave"><link name="sea">{shape}</link></robot>')
    return saved(folder / "wave.html", view(folder / "wave.urdf")[0])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.viewer", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="robots whose name contains this")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="an interpreter with meshcat and viser")
    parser.add_argument("--large", type=int, default=1_000_000, metavar="TRIANGLES")
    options = parser.parse_args()
    head = "| robot | page | MB | ratio | first frame s | ratio | triangles in it |\n|---|---|---:|---:|---:|---:|---:|"
    print(machine(), "", head, sep="\n", flush=True)
    for model in (each for each in models() if each.name.endswith(ROBOTS) and options.only in each.name):
        with tempfile.TemporaryDirectory() as text:
            pages = sides(model.path, Path(text), options.python)
            times = first_frames(pages, options.runs)
            ours, (our_time, _) = pages["kinegraph"].stat().st_size, times["kinegraph"]
            for name, page in pages.items():
                size, (time, triangles) = page.stat().st_size, times[name]
                ratios = ("", "") if name == "kinegraph" else (f"{ours / size:.2f}", f"{our_time / time:.2f}")
                cells = (model.path.name, name, f"{size / 1e6:.2f}", ratios[0], f"{time:.2f}", ratios[1])
                print(f"| {' | '.join(cells)} | {triangles:.0f} |", flush=True)
    with tempfile.TemporaryDirectory() as text:
        page = large(Path(text), options.large)
        ((time, triangles),) = first_frames({"large": page}, options.runs).values()
        print(f"| wave | kinegraph | {page.stat().st_size / 1e6:.2f} | | {time:.2f} | | {triangles:.0f} |")


if __name__ == "__main__":
    main()
