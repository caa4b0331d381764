"""python -m tests.corpus.blender --python PROGRAM [ROBOT]...: GLBs that Blender opens and saves.

PROGRAM is a Python that can import bpy (`pip install bpy`: 400 MB, for one version of Python only, so this is not part
of the suite). Each robot is saved as it is, and once more with one of its links moved by 0.1 m: the graph must be
present, and no other difference may be unreported.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from converters.context import Options
from converters.convert import convert, load
from ir.scene import Scene
from ir.types import WORLD, Joint
from tests.corpus.checks import Case
from tests.corpus.models import models, readable
from tests.corpus.saves_checks import judge

RESAVE = Path(__file__).parents[1] / "oracles" / "blender" / "resave.py"
ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "a1_description/urdf/a1.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "icub_description/robots/icub.urdf",
)
METRES = 0.1
NEAR = 1e-5


def resaved(program: str, source: Path, target: Path, body: str) -> str:
    """Return the version of Blender that saved the file. Raises RuntimeError with its message if it fails."""
    command = [program, str(RESAVE), str(source), str(target), body, str(METRES)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0 or not target.is_file():
        raise RuntimeError(f"Blender saves nothing: {run.stderr[-400:]}")
    return next(line.partition(" ")[2] for line in run.stdout.splitlines() if line.startswith("BLENDER "))


def chosen(scene: Scene) -> Joint:
    """Return a joint in the middle of the tree."""
    joints = [joint for joint, body in scene.walk() if joint is not None and joint.parent != WORLD]
    return joints[len(joints) // 2]


def judged(program: str, robot: Path, work: Path) -> tuple[str, list[str]]:
    """Return the version of Blender, and a line for each file that it saved."""
    case = Case(robot, work)
    written, moved = work / "robot.glb", work / "moved.glb"
    convert(robot, written, options=case.options)
    options = Options(resource_paths=tuple(robot.parents)[:6])
    before = load(written, options=options)
    version = resaved(program, written, work / "saved.glb", "")
    judge(case, "saved", before, work / "saved.glb", options)
    joint = chosen(before.scene)
    resaved(program, written, moved, joint.child)
    judge(case, "moved", before, moved, options)
    after = load(moved, options=options).scene
    step = math.dist(joint.pose.pos, after.joint_of(joint.child).pose.pos)
    if abs(step - METRES) > NEAR:
        case.verdicts.fail("moved", f"{joint.child} stands {step:.6f} m from where it was")
    for other in before.scene.joints.values():
        found = after.joints.get(other.name)
        if other.name != joint.name and (found is None or math.dist(other.pose.pos, found.pose.pos) > NEAR):
            case.verdicts.fail("moved", f"{other.name} was moved too")
    lines = []
    for name, verdict in case.verdicts.criteria.items():
        told = "; ".join([*verdict["failures"], *verdict["excuses"]]) or "the graph is the same"
        lines.append(f"{name}: {verdict['verdict']}: {told}")
    return version, lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.blender", description=__doc__)
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM")
    parser.add_argument("robots", nargs="*", type=Path, metavar="ROBOT")
    options = parser.parse_args()
    found = [model.path for model in readable(models())[0] if model.name.endswith(ROBOTS)]
    for robot in options.robots or found:
        with tempfile.TemporaryDirectory() as folder:
            version, lines = judged(options.python, robot, Path(folder))
        print(f"{robot.name}, Blender {version}", *lines, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
