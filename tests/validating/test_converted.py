"""An output is judged as the readers of its format see it, whatever it carries for the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from converters.validating import validate
from converters.validating.run import severity
from tests.conftest import MADE
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model

LIGHT = """<robot name="r"><link name="base"/><link name="arm"/><joint name="j" type="revolute"><parent link="base"/>
<child link="arm"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def errors(path: Path) -> list[str]:
    return [f"{each.rule} {each.where}" for each in validate(path).breaches if severity(each) == "error"]


def test_a_mass_that_was_made_for_mujoco_counts(tmp_path: Path) -> None:
    convert(saved(tmp_path / "r.urdf", LIGHT), tmp_path / "r.xml")
    assert mujoco_model(tmp_path / "r.xml").nv == 1
    assert errors(tmp_path / "r.xml") == []
    text = (tmp_path / "r.xml").read_text()
    start = text.index("<inertial", text.index('name="arm"'))
    (tmp_path / "r.xml").write_text(text[:start] + text[text.index("/>", start) + 2 :])
    with pytest.raises(ValueError, match="mass and inertia"):
        mujoco_model(tmp_path / "r.xml")
    assert errors(tmp_path / "r.xml") == ["MJCF-MASSLESS body/arm.inertial"]


@pytest.mark.parametrize("name", ["feature_joint_types", "feature_mesh_missing", "feature_wheeled", "feature_planar2"])
def test_what_mujoco_takes_of_a_urdf_has_no_error(tmp_path: Path, name: str) -> None:
    convert(MADE / f"{name}.urdf", tmp_path / "m.xml")
    mujoco_model(tmp_path / "m.xml")
    assert errors(tmp_path / "m.xml") == []


def test_an_edit_of_what_was_made_counts(tmp_path: Path) -> None:
    convert(saved(tmp_path / "r.urdf", LIGHT), tmp_path / "r.xml")
    text = (tmp_path / "r.xml").read_text()
    assert 'mass="1e-06"' in text
    (tmp_path / "r.xml").write_text(text.replace('mass="1e-06"', 'mass="-1"'))
    assert "INERTIA-MASS body/arm.inertial.mass" in errors(tmp_path / "r.xml")
