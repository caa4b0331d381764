"""Rare elements and combinations in MJCF: each loss has its reason, and each target reports its part."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

LAMP = """<mujoco><worldbody><light name="l" pos="0 0 3" active="true" exponent="5" bulbradius=".05"/>
  <geom size=".1"/></worldbody></mujoco>"""
LAYERS = """<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <texture name="o" type="2d" builtin="gradient" width="8" height="8"/>
  <material name="m"><layer texture="t" role="rgb"/>
  {}<layer texture="o" role="opacity"/></material></asset>
  <worldbody><geom type="box" size="1 1 1" material="m"/></worldbody></mujoco>"""


@pytest.mark.parametrize("target", ["sdf", "urdf", "glb"])
def test_a_lamp_that_is_said_to_shine_and_how_broad_it_is(target: str, tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(LAMP)
    report = explained(convert(tmp_path / "m.xml", tmp_path / f"m.{target}"))
    if target == "sdf":
        assert any("bulbradius" in each.before and "active" in each.after for each in of_rule(report, "sdf/light"))


@pytest.mark.parametrize(
    "layers",
    [
        "",
        '<layer texture="t" role="roughness"/>',
        '<layer texture="t" role="orm"/>',
        '<layer role="normal" texture="o"/>',
    ],
)
def test_an_image_of_opacity_beside_others(layers: str, tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(LAYERS.format(layers))
    report = explained(convert(tmp_path / "m.xml", tmp_path / "m.glb"))
    assert any("opacity" in each.before for each in of_rule(report, "gltf/words"))


REFERENCE = """<mujoco><compiler angle="radian"/><default><joint ref="-1.8" springref=".3" stiffness="3" range="-1 1"/>
  </default><worldbody><body name="a"><joint name="free" type="free"/><geom size=".1"/></body>
  <body name="b"><joint name="ball" type="ball" range="0 1"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("target", ["sdf", "urdf", "glb"])
def test_references_of_joints_without_an_angle_or_a_length_mean_nothing(target: str, tmp_path: Path) -> None:
    """Free and ball joints inherit ref, springref and range of a class; MuJoCo ignores them."""
    source = saved(tmp_path / "m.xml", REFERENCE)
    model = mujoco_model(source)
    assert model.qpos_spring.tolist() == model.qpos0.tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    assert model.jnt_limited.tolist() == [False, True]
    report = explained(convert(source, tmp_path / f"m.{target}"))
    told = {each.where for each in report.findings}
    assert not [each for each in told if each.endswith(("zero", "spring_reference"))]
    assert not [each for each in told if each.startswith("joint/free") and each.endswith(("lower", "upper"))]
    if target == "urdf":
        assert "springStiffness>3<" in (tmp_path / "m.urdf").read_text()
        assert "springReference" not in (tmp_path / "m.urdf").read_text()
    convert(tmp_path / f"m.{target}", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(source)
    assert "ref=" in (tmp_path / "back.xml").read_text()
