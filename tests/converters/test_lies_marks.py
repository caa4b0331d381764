"""What only some programs need beside a value, and a writer forgets: it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from converters.context import Output
from converters.convert import convert
from tests.converters.lying import TWO, lying_with, rules, unexplained
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

SEEN = """<robot name="m"><link name="a">
  <visual name="v"><geometry><mesh filename="two.obj"/></geometry></visual>
  <visual name="w"><geometry><mesh filename="two.obj" scale="2 2 2"/></geometry></visual>
  <collision name="c"><geometry><mesh filename="two.obj" scale="2 2 2"/></geometry></collision></link></robot>
"""
COLOURED = """<robot name="r"><link name="a"><visual name="v"><geometry><sphere radius="1"/></geometry>
  <material name="red"><color rgba="1 0 0 1"/></material></visual></link>
  <gazebo reference="a"><material>Gazebo/Red</material></gazebo></robot>"""


def forgetting(text: bytes, target: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let a writer forget a text from now on; the list is filled with how often it was there."""
    found: list[int] = []

    def forget(output: Output) -> Output:
        found.append(output.document.count(text))
        return replace(output, document=output.document.replace(text, b""))

    lying_with(forget, target, monkeypatch)
    return found


def test_a_mesh_that_is_only_seen_and_not_said_to_be_a_shell_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "two.obj").write_text(TWO)
    explained(convert(saved(tmp_path / "r.urdf", SEEN), tmp_path / "right" / "out.xml"))
    found = forgetting(b' inertia="shell"', "mjcf", monkeypatch)
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out.xml")
    assert rules(report) == {"beside.parameters"}
    assert [report.totals()["unexplained"], *found] == [2, 2], "each part of the file, but for those that collide"


def test_a_tiny_mesh_that_collides_and_is_not_said_to_be_a_shell_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """MuJoCo refuses it otherwise."""
    (tmp_path / "two.obj").write_text(TWO)
    text = "".join(line for line in SEEN.splitlines() if "visual" not in line).replace("2 2 2", "1e-5 1e-5 1e-5")
    explained(convert(saved(tmp_path / "r.urdf", text), tmp_path / "right" / "out.xml"))
    mujoco_model(tmp_path / "right" / "out.xml")
    found = forgetting(b' inertia="shell"', "mjcf", monkeypatch)
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out.xml")
    assert {rule for rule, _ in unexplained(report)} == {"unexplained/beside.parameters"} and found == [2]


@pytest.mark.parametrize("forgotten", ["diffuse", "ambient"])
def test_a_colour_that_is_forgotten_beside_a_script_is_told(
    forgotten: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Many programs read no scripts."""
    explained(convert(saved(tmp_path / "robot.urdf", COLOURED), tmp_path / "right.sdf"))
    found = forgetting(f"<{forgotten}>1 0 0 1</{forgotten}>".encode(), "sdf", monkeypatch)
    assert unexplained(convert(tmp_path / "robot.urdf", tmp_path / "wrong.sdf")) and found == [1]
