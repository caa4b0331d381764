"""python -m tests.corpus.side_by_side [--only TEXT] [--count N] [-o FOLDER]

Pictures of robots at the same pose, from the same side: MuJoCo's of the MJCF, three.js's of the GLB, and ours (PNG).
Prints how much of the outlines they share, and writes a strip of three pictures for each robot.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "osmesa")

import mujoco
import numpy as np
from PIL import Image

from converters.context import InputError, Options
from converters.convert import convert, load
from ir.kinematics import random_configuration
from tests.corpus.models import models, readable
from tests.oracles.in_three import three_shows

WIDTH, HEIGHT, FOVY = 480, 480, 45.0
AZIMUTH, ELEVATION = 130.0, -20.0
SEED = 7
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
        strip = options.output / f"{model.path.stem}.png"
        print(f"{model.name}: {shared(model.path, strip)}", flush=True)


def shared(path: Path, strip: Path) -> str:
    """How much of the outlines the pictures share, as text; the pictures go into the strip."""
    with tempfile.TemporaryDirectory(prefix="kinegraph-side-") as folder:
        work = Path(folder)
        asked = random_configuration(load(path).scene, SEED)
        pose = tuple(f"{name}={','.join(map(repr, value))}" for name, value in asked.items())
        try:
            convert(path, work / "robot.glb", options=Options(pose=pose, audit=False))
        except InputError as error:
            return f"refused: {error}"
        convert(path, work / "robot.xml", options=Options(pose=pose, audit=False))
        mine, ours, view = _mujoco(work / "robot.xml")
        request = {
            "file": str(work / "robot.glb"),
            "out": str(work / "three.png"),
            "view": view,
            "background": "#ff00ff",
        }
        answer = three_shows([request | {"width": WIDTH, "height": HEIGHT}])[0]
        if answer["errors"]:
            return f"three.js: {answer['errors']}"
        with Image.open(work / "three.png") as picture:
            theirs = np.array(picture.convert("RGB"))
        other = np.abs(theirs.astype(int) - (255, 0, 255)).max(axis=2) > 40
        theirs[~other] = 255
        Image.fromarray(np.hstack([mine, theirs])).save(strip)
        both = np.count_nonzero(ours & other) / max(np.count_nonzero(ours | other), 1)
        one, two = (each[ours & other].astype(float).mean(axis=0) for each in (mine, theirs))
        colour = np.abs(one - two)
        return f"outlines {both:.3f}, mean colours apart by {colour.max():.0f} of 255"


def _mujoco(path: Path) -> tuple[np.ndarray, np.ndarray, dict[str, object]]:
    """MuJoCo's picture on white, where the robot is in it, and the view it was taken from."""
    model = mujoco.MjModel.from_xml_path(str(path))
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
