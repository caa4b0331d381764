"""python -m tests.bench.viewer [--runs N] [--python EXE]: pages of `kinegraph view` against those of meshcat and viser.

Sizes of self-contained pages of the same robot, and seconds from opening one from disk in headless Chromium (software
rendering) to its first frame. --python names an interpreter that has meshcat, viser and yourdfpy; meshcat's static_html
is given every visual mesh at its pose, and viser is measured by the size of its client alone, since it needs a server.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from converters.viewer import view
from tests.bench.measures import machine
from tests.corpus.models import models
from tests.oracles import in_pinocchio, plain_urdf
from tests.oracles.in_viewer import viewed

ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "talos_data/robots/talos_reduced.urdf",
)
BY_MESHCAT = """
import json, sys
import meshcat, meshcat.geometry as g, numpy, trimesh
out, shown = sys.argv[1], json.load(sys.stdin)
vis = meshcat.Visualizer()
for number, (file, pose) in enumerate(shown):
    mesh = trimesh.load(file, force="mesh")
    node = vis[f"m{number}"]
    node.set_object(g.TriangularMeshGeometry(mesh.vertices, mesh.faces), g.MeshLambertMaterial(color=0xcccccc))
    node.set_transform(numpy.array(pose))
open(out, "w").write(vis.static_html())
"""
BY_VISER = """
import pathlib, viser
client = pathlib.Path(viser.__file__).parent / "client" / "build"
print(sum(file.stat().st_size for file in client.rglob("*") if file.is_file()))
"""
MESHCAT_READY = (
    "window.viewer && window.viewer.renderer && window.viewer.renderer.info.render.triangles > 100"
    " || document.querySelector('canvas') && performance.now() > 500 && !window.viewer"
)


def placed(path: Path) -> list[tuple[str, list[list[float]]]]:
    """Every visual mesh file of a robot with its pose at zero, scale included."""
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


def seconds(page: Path, runs: int, ready: str | None = None) -> float:
    """Until the first frame, the middle of several runs in a fresh page each."""
    answers = viewed([{"file": str(page)} | ({"ready": ready} if ready else {}) for _ in range(runs)])
    wrong = [error for answer in answers for error in answer["errors"] if "waiting" in error.lower()]
    return float("nan") if wrong else median(answer["first"] for answer in answers)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.viewer", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="an interpreter with meshcat and viser")
    options = parser.parse_args()
    print(
        machine(),
        "",
        "| robot | side | MB | ratio | first frame s | ratio |",
        "|---|---|---:|---:|---:|---:|",
        sep="\n",
    )
    with tempfile.TemporaryDirectory() as text:
        for model in (each for each in models() if each.name.endswith(ROBOTS)):
            page, other = Path(text) / "ours.html", Path(text) / "meshcat.html"
            page.write_text(view(model.path)[0])
            size, time = page.stat().st_size / 1e6, seconds(page, options.runs)
            print(f"| {model.path.name} | kinegraph | {size:.2f} | | {time:.2f} | |", flush=True)
            command = [options.python, "-c", BY_MESHCAT, str(other)]
            subprocess.run(command, input=json.dumps(placed(model.path)), text=True, check=True, capture_output=True)
            their_size, their_time = other.stat().st_size / 1e6, seconds(other, options.runs, MESHCAT_READY)
            ratios = size / their_size, time / their_time
            print(
                f"| {model.path.name} | meshcat static_html | {their_size:.2f} | {ratios[0]:.2f} "
                f"| {their_time:.2f} | {ratios[1]:.2f} |",
                flush=True,
            )
    done = subprocess.run([options.python, "-c", BY_VISER], capture_output=True, text=True, check=True)
    print(f"viser's client without any robot: {int(done.stdout) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
