"""Differences that mean nothing to the robot are notes, and keep the value: what emits no light, and last digits."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from tests.files import saved
from tests.reports import explained, of_rule

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
SDF = '<sdf version="1.9"><model name="m"><link name="a"><visual name="v">{}{}</visual></link></model></sdf>'
MATERIAL = "<material><diffuse>1 0 0 1</diffuse><emissive>{}</emissive></material>"
STANDING = (
    "<mujoco><worldbody><body name='a' pos='0 0 1.282'><freejoint name='root'/><geom size='1'/>"
    "<body name='b'><joint name='j'/><geom size='1'/></body></body></worldbody>"
    "<keyframe><key name='k' qpos='.4 0 .0757706 1 0 0 0 .5'/></keyframe></mujoco>"
)


@pytest.mark.parametrize(("target", "rule"), [("xml", "mjcf/material"), ("urdf", "urdf/material"), ("glb", "gltf/")])
@pytest.mark.parametrize(("emitted", "dark"), [("0 0 0 0", True), ("0 0 0 1", True), ("0 1 0 1", False)])
def test_a_material_that_emits_no_light_needs_no_warning(
    emitted: str, dark: bool, target: str, rule: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "m.sdf", SDF.format(BOX, MATERIAL.format(emitted)))
    report = explained(convert(source, tmp_path / f"out.{target}"))
    found = [each for each in report.findings if each.where.endswith(".emissive")]
    assert all(each.rule.startswith(rule) for each in found)
    assert ({each.severity for each in found} <= {"note"}) == (dark or target == "glb")


def test_a_state_of_which_only_last_digits_differ_needs_no_warning(tmp_path: Path) -> None:
    """The position of a floating joint is relative to its <origin> in URDF."""
    report = explained(convert(saved(tmp_path / "m.xml", STANDING), tmp_path / "out.urdf"))
    (found,) = of_rule(report, "urdf/keyframe-zero")
    assert found.before.replace("0.0757706,", "0.07577060000000002,") == found.after
    assert found.severity == "note"
