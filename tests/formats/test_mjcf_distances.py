"""Geoms of type sdf: the mesh itself collides, by the distance to its surface. Judged by MuJoCo and lxml."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree

from converters.convert import convert
from converters.report.model import exit_code
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf

MODEL = """<mujoco model="m">
  <asset>
    <mesh name="corner" file="corner.stl" scale="1 2 1"/>
    <mesh name="written" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <mesh name="nut"><plugin instance="nut"/></mesh>
  </asset>
  <extension><plugin plugin="mujoco.sdf.nut"><instance name="nut"/></plugin></extension>
  <worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom name="a" type="sdf" mesh="corner" rgba="1 0 0 1" density="100"/></body>
    <body name="b" pos="0 0 3"><joint/><geom name="b" type="sdf" mesh="written" pos=".1 0 0"/></body>
    <body name="c" pos="0 0 5"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="c" type="sdf" mesh="nut"><plugin instance="nut"/></geom></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Write a model whose first mesh has a concave corner, unlike its hull."""
    long, high = trimesh.creation.box((2, 1, 1)), trimesh.creation.box((1, 1, 1))
    high.apply_translation((-0.5, 0, 1))
    trimesh.util.concatenate([long, high]).export(tmp_path / "corner.stl")
    return saved(tmp_path / "m.xml", MODEL)


def without_plugin(path: Path) -> Path:
    """Write the model for a MuJoCo without that plugin."""
    root = etree.parse(str(path)).getroot()
    for each in [*root.iter("plugin"), *root.iter("extension"), *root.iterfind(".//mesh[@name='nut']")]:
        each.getparent().remove(each)
    for geom in root.iterfind(".//geom[@mesh='nut']"):
        geom.getparent().remove(geom)
    return saved(path.with_name(f"bare_{path.name}"), etree.tostring(root))


def test_masses_are_those_of_the_mesh_and_so_is_what_is_seen(model: Path, tmp_path: Path):
    compiled = mujoco_model(without_plugin(model))
    convert(model, tmp_path / "urdf" / "m.urdf")
    written = etree.parse(str(tmp_path / "urdf" / "m.urdf")).getroot()
    for name in "ab":
        inertial = written.find(f"link[@name='{name}']/inertial")
        assert float(inertial.find("mass").get("value")) == pytest.approx(compiled.body(name).mass[0], rel=1e-9)
        place = [float(word) for word in inertial.find("origin").get("xyz").split()]
        assert np.allclose(place, compiled.body(name).ipos, atol=1e-9)
        for role in ("visual", "collision"):
            assert written.find(f"link[@name='{name}']/{role}/geometry/mesh") is not None
    assert written.find("link[@name='c']/visual") is None  # only a plugin knows its triangles
    convert(model, tmp_path / "m.glb")
    document = plain_gltf(tmp_path / "m.glb").document
    assert {"a", "b"} <= {node["name"] for node in document["nodes"] if "mesh" in node}


@pytest.mark.parametrize("target", ["m.urdf", "m.sdf", "m.glb"])
def test_the_type_comes_back(model: Path, tmp_path: Path, target: str):
    convert(model, tmp_path / "out" / target)
    report = convert(tmp_path / "out" / target, tmp_path / "back" / "m.xml")
    assert exit_code(report) == 0
    root = etree.parse(str(tmp_path / "back" / "m.xml")).getroot()
    found = {each.get("name"): (each.get("type"), each.get("mesh")) for each in root.iter("geom")}
    assert found == {"a": ("sdf", "corner"), "b": ("sdf", "written"), "c": ("sdf", "nut")}
    before, after = (mujoco_model(without_plugin(path)) for path in (model, tmp_path / "back" / "m.xml"))
    assert np.allclose(before.body_mass, after.body_mass, rtol=1e-9)
    assert [*before.geom_type] == [*after.geom_type]
