"""An address that is too long for a file system leads nowhere, as any other that does."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.context import Options
from converters.convert import convert
from tests.files import saved
from tests.reports import explained, of_rule

LONG = "a" * 5000
SOURCES = {
    "m.urdf": f"""<robot name="r"><link name="a"><visual><geometry><mesh filename="{LONG}.stl"/></geometry>
  <material name="t"><texture filename="{LONG}.png"/></material></visual></link></robot>""",
    "m.sdf": f"""<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh>
  <uri>{LONG}.dae</uri></mesh></geometry><material><script><uri>{LONG}</uri><name>N</name></script><pbr><metal>
  <albedo_map>{LONG}.png</albedo_map></metal></pbr></material></visual></link></model></sdf>""",
    "m.xml": f"""<mujoco><asset><mesh file="{LONG}.stl"/><texture name="t" type="2d" file="{LONG}.png"/>
  <material name="m" texture="t"/></asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>""",
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", ["o.urdf", "o.sdf", "o.xml", "o.glb"])
@pytest.mark.parametrize("options", [Options(), Options(ros_package="here"), Options(meshes="reference")])
def test_an_address_of_any_length_is_told(source: str, target: str, options: Options, tmp_path: Path) -> None:
    report = explained(convert(saved(tmp_path / source, SOURCES[source]), tmp_path / target, options=options))
    assert {each.rule for each in of_rule(report, "assets/missing")} == {"assets/missing"}
