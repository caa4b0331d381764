"""`inspect --kinematics`: chains as people and programs see them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from converters.chains import described
from converters.cli import kinegraph
from converters.context import InputError

ARM = """<robot name="arm">
  <link name="base"/><link name="upper"/><link name="fore"/><link name="hand"/><link name="side"/>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="b" type="revolute"><origin xyz="0.5 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="c" type="fixed"><origin xyz="0.25 0 0"/><parent link="fore"/><child link="hand"/></joint>
  <joint name="d" type="floating"><parent link="base"/><child link="side"/></joint>
</robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "arm.urdf").write_text(ARM)
    return tmp_path / "arm.urdf"


def test_a_planar_arm(arm: Path):
    (found,) = described(arm, ("hand",))
    assert found["transforms"] == [["Rz", "a"], ["tx", 0.5], ["Rz", "b"], ["tx", 0.25]]
    rows = found["standard"]["rows"]
    assert [(row["joint"], row["moves"]) for row in rows] == [("a", "theta"), ("b", "theta")]
    assert rows[0]["a"] == pytest.approx(0.5)
    assert all(row["d"] == pytest.approx(0) and row["alpha"] == pytest.approx(0) for row in rows)
    assert np.array(found["modified"]["base"]) == pytest.approx(np.eye(4))
    assert found["residual"] < 1e-12


def test_every_leaf_and_why_not(arm: Path):
    found = {each["tip"]: each for each in described(arm)}
    assert set(found) == {"hand", "side"}
    assert "neither a hinge nor a slide" in found["side"]["why"]
    with pytest.raises(InputError, match="no link 'foot'"):
        described(arm, ("foot",))


def test_the_command(arm: Path):
    runner = CliRunner()
    shown = runner.invoke(kinegraph, ["inspect", str(arm), "--kinematics"], standalone_mode=False)
    assert "Rz(a) tx(0.5) Rz(b) tx(0.25)" in shown.output and "standard Denavit-Hartenberg" in shown.output
    data = runner.invoke(kinegraph, ["inspect", str(arm), "--tip", "hand", "--json"], standalone_mode=False)
    assert json.loads(data.output)["chains"][0]["root"] == "base"
