"""Real robots of all formats as pages: no errors, no requests, and every link has the pose of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from converters.convert import convert, load
from converters.reading import interpreted
from converters.viewer import view
from ir.kinematics import random_configuration
from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import has, models
from tests.corpus.sdf_models import sdf_models
from tests.files import saved
from tests.oracles.in_viewer import misplaced, viewed

pytestmark = pytest.mark.corpus

ROBOTS = (
    "example-robot-data/panda_description/urdf/panda.urdf",
    "example-robot-data/talos_data/robots/talos_reduced.urdf",
    "example-robot-data/icub_description/robots/icub.urdf",
    "example-robot-data/allegro_hand_description/urdf/allegro_right_hand.urdf",
    "pybullet/laikago/laikago_toes_limits.urdf",
    "pybullet/quadruped/minitaur_derpy.urdf",
    "pybullet/mjcf/ant.xml",
    "pybullet/mjcf/swimmer.xml",
    "pybullet/mjcf/humanoid.xml",
    "pybullet/mjcf/humanoid_symmetric_no_ground.xml",
    "pybullet/mjcf/pusher.xml",
    "drake/examples/acrobot/Acrobot.sdf",
    "drake/examples/planar_gripper/planar_gripper.sdf",
    "example-robot-data/cassie_description/robots/cassie_v2.sdf",
    "drake/examples/multibody/cart_pole/cart_pole.sdf",
    "pybullet/kuka_iiwa/model.sdf",
)
AS_GLB = ("example-robot-data/ur_description/urdf/ur5_robot.urdf", "pybullet/mjcf/thrower.xml")
"""None of the distributions contains a glTF robot: these are converted first."""
SEEDS = (1, 2)
CLOSE = 1e-5


@cache
def found() -> Mapping[str, Path]:
    return {model.name: model.path for each in (models, mjcf_models, sdf_models) for model in each()}


@pytest.mark.parametrize("name", [*filter(has, (*ROBOTS, *AS_GLB))])
def test_a_robot_stands_where_the_graph_says(name: str, tmp_path: Path):
    if name not in found():
        pytest.fail(f"{name} is not there: pip install -e '.[test,corpus]'")
    path = found()[name]
    if name in AS_GLB:
        convert(path, tmp_path / "robot.glb")
        path = tmp_path / "robot.glb"
    page = saved(tmp_path / "robot.html", view(path)[0])
    scene = interpreted(load(path))
    configurations = [random_configuration(scene, seed) for seed in SEEDS]
    asked = [{dof: list(value) for dof, value in values.items()} for values in configurations]
    (answer,) = viewed([{"file": str(page), "steps": [["worlds", asked, 0]], "width": 500, "height": 400}])
    assert answer["errors"] == []
    assert answer["requests"] == []
    (worlds,) = answer["seen"]
    for values, drawn in zip(configurations, worlds, strict=True):
        far = dict(misplaced(scene, values, drawn))
        assert far and max(far.values()) < CLOSE, far
