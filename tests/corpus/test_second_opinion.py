"""Drake, which shares no code with MuJoCo and Pinocchio, reads the same robot from the outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from tests.corpus.models import has, models
from tests.oracles.in_drake import drake_reads

pytestmark = pytest.mark.corpus

PRIMITIVE = (
    "drake/examples/acrobot/Acrobot_no_collision.urdf",
    "drake/examples/pendulum/Pendulum.urdf",
    "drake/examples/kuka_iiwa_arm/models/objects/folding_table.urdf",
    "pybullet/pendulum5.urdf",
)
"""Models without meshes: Drake reads only OBJ."""


@pytest.mark.parametrize("name", [*filter(has, PRIMITIVE)])
@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_drake_sees_the_same_bodies_and_mass(name: str, suffix: str, tmp_path: Path):
    source = next(model.path for model in models() if model.name == name)
    target = tmp_path / f"robot.{suffix}"
    convert(source, target)
    ours, theirs = drake_reads(target), drake_reads(source)
    assert ours["mass"] == pytest.approx(theirs["mass"], rel=1e-9)
    for body, pose in theirs["bodies"].items():
        assert ours["bodies"][body] == pytest.approx(pose, abs=1e-9), body
