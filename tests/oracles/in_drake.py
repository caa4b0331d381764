"""URDF and MJCF as Drake reads them, in a process of its own: Drake aborts on input that others only refuse.

python -m tests.oracles.in_drake FILE prints {"bodies": {name: [16 numbers of its pose at zero]}, "mass": total}.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def drake_reads(path: Path, timeout: float = 60.0) -> dict[str, Any]:
    """What Drake makes of a file. Raises RuntimeError with the end of its complaint."""
    run = subprocess.run(
        [sys.executable, "-m", __name__, path],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=ROOT,
        errors="replace",
    )
    if run.returncode != 0:
        raise RuntimeError(f"Drake ended with {run.returncode}: {run.stderr.strip()[-500:]}")
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


def _main(path: str) -> None:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    (model,) = Parser(plant).AddModels(path)
    if path.endswith(".urdf"):
        held = {plant.get_joint(index).child_body().index() for index in plant.GetJointIndices(model)}
        for index in plant.GetBodyIndices(model):
            if index not in held:  # none where the root is the link `world`: Drake takes it for its own
                plant.WeldFrames(plant.world_frame(), plant.get_body(index).body_frame())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    bodies = {}
    mass = 0.0
    for index in plant.GetBodyIndices(model):
        body = plant.get_body(index)
        pose = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
        bodies[body.name()] = [float(value) for value in pose.ravel()]
        mass += body.default_mass()
    print(json.dumps({"bodies": bodies, "mass": mass}))


if __name__ == "__main__":
    _main(sys.argv[1])
