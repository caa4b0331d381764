"""python -m tests.corpus.side_by_side [--only TEXT] [--count N] [-o FOLDER]

Pictures of robots in the same pose, from the same side: MuJoCo's of the MJCF, three.js's of the GLB, and that of the
page of `kinegraph view`. Prints how much of the outline of MuJoCo's picture the others share, and writes a strip of the
three for each robot.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import tempfile
from base64 import b64decode
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "osmesa")

import mujoco
import numpy as np
from PIL import Image

from converters.context import InputError, Options
from converters.convert import convert, load
from converters.viewer import view
from ir.kinematics import random_configuration
from tests.corpus.models import models, readable
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_three import three_shows
from tests.oracles.in_viewer import viewed

WIDTH, HEIGHT, FOVY = 480, 480, 45.0
AZIMUTH, ELEVATION = 130.0, -20.0
SEED = 7
NOBODY = "#ff00ff"
"""The background colour, which no robot has."""
ROBOTS = ("panda.urdf", "talos_reduced.urdf", "tiago.urdf", "ur5_robot.urdf", "a1.urdf", "pr2.urdf", "icub.urdf")
ROBOTS += ("cassie.urdf", "baxter.urdf", "anymal.urdf", "r2d2.urdf", "husky.urdf", "racecar.urdf", "minitaur.urdf")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.side_by_side", description=__doc__)
    parser.add_argument("--only", metavar="TEXT", help="robots whose name contains this")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path, default=Path("side_by_side"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    found = readable(models([]))[0]
    chosen = [
        each for each in found if (options.only or "") in each.name and (options.only or each.path.name in ROBOTS)
    ]
    for model in chosen[: options.count]:
        strip = options.output / f"{model.name.removesuffix('.urdf').replace('/', '_')}.png"
        print(f"{model.name}: {shared(model.path, strip)}", flush=True)


def shared(path: Path, strip: Path) -> str:
    """Return as text how much of the outlines the pictures share; write the pictures into the strip."""
    with tempfile.TemporaryDirectory(prefix="kinegraph-side-") as folder:
        work = Path(folder)
        asked = random_configuration(load(path).scene, SEED)
        pose = tuple(f"{name}={','.join(map(repr, value))}" for name, value in asked.items())
        try:
            convert(path, work / "robot.glb", options=Options(pose=pose, audit=False))
        except InputError as error:
            return f"refused: {error}"
        convert(path, work / "robot.xml", options=Options(pose=pose, audit=False))
        mine, ours, place = _mujoco(work / "robot.xml")
        request = {"file": str(work / "robot.glb"), "out": str(work / "three.png"), "view": place, "background": NOBODY}
        answer = three_shows([request | {"width": WIDTH, "height": HEIGHT}])[0]
        if answer["errors"]:
            return f"three.js: {answer['errors']}"
        (work / "page.html").write_text(view(path, options=Options(pose=pose))[0])
        looked = {"file": str(work / "page.html"), "width": 1800, "height": 760, "steps": _steps(place)}
        seen = viewed([looked])[0]
        if seen["errors"]:
            return f"page: {seen['errors']}"
        (work / "page.png").write_bytes(b64decode(seen["seen"][-1].partition(",")[2]))
        strips, told = [mine], []
        for name in ("three", "page"):
            theirs, other = _cut(work / f"{name}.png")
            strips.append(theirs)
            both = np.count_nonzero(ours & other) / max(np.count_nonzero(ours | other), 1)
            one, two = (each[ours & other].astype(float).mean(axis=0) for each in (mine, theirs))
            told.append(f"{name}: outlines {both:.3f}, mean colours apart by {np.abs(one - two).max():.0f} of 255")
        Image.fromarray(np.hstack(strips)).save(strip)
        return "; ".join(told)


def _steps(place: dict[str, object]) -> list[list[str]]:
    """Return the steps that give a page the view and the background of a picture; the last one is its canvas."""
    aim = json.dumps([place["from"], place["to"], place["fovy"]])
    return [
        ["evaluate", f"document.documentElement.style.setProperty('--stage', '{NOBODY}')"],
        ["evaluate", "kinegraph.state.see({grid: false})"],
        ["evaluate", f"kinegraph.stage.look(...{aim})"],
        ["evaluate", "kinegraph.stage.drawn()"],
        ["evaluate", "document.querySelector('canvas').toDataURL()"],
    ]


def _cut(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the central square of a picture, on white, and the pixels of the robot in it."""
    with Image.open(path) as picture:
        edge, left = picture.height, (picture.width - picture.height) // 2
        square = picture.convert("RGB").crop((left, 0, left + edge, edge)).resize((WIDTH, HEIGHT))
    theirs = np.array(square)
    seen = np.abs(theirs.astype(int) - (255, 0, 255)).max(axis=2) > 40
    theirs[~seen] = 255
    return theirs, seen


def _mujoco(path: Path) -> tuple[np.ndarray, np.ndarray, dict[str, object]]:
    """Return MuJoCo's picture on white, the pixels of the robot in it, and its camera."""
    model = mujoco_model(path)
    model.vis.headlight.ambient[:] = 0.5
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, model.nkey - 1)
    mujoco.mj_forward(model, data)
    seen = [index for index in range(model.ngeom) if model.geom_group[index] < 3 and model.geom_rbound[index] > 0]
    low = np.min([data.geom_xpos[index] - model.geom_rbound[index] for index in seen], axis=0)
    high = np.max([data.geom_xpos[index] + model.geom_rbound[index] for index in seen], axis=0)
    middle, distance = (low + high) / 2, 0.75 * float(np.linalg.norm(high - low)) + 0.1
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = middle, distance, AZIMUTH, ELEVATION
    option = mujoco.MjvOption()
    option.geomgroup[3:] = 0
    model.vis.global_.fovy = FOVY
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data, camera, option)
        picture = renderer.render().copy()
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, camera, option)
        ids = renderer.render()[:, :, 0]
    picture[ids < 0] = 255
    side, up = math.radians(AZIMUTH), math.radians(ELEVATION)
    forward = np.array([math.cos(up) * math.cos(side), math.cos(up) * math.sin(side), math.sin(up)])
    return picture, ids >= 0, {"from": (middle - distance * forward).tolist(), "to": middle.tolist(), "fovy": FOVY}


if __name__ == "__main__":
    main()
