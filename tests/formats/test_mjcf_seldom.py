"""Rare elements and combinations in MJCF: each loss has its reason, and each target reports its part."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
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
