"""What other programs read from an output, without its carried data."""

from __future__ import annotations

from pathlib import Path

from converters.comparing import compare
from converters.context import Options
from converters.convert import convert
from converters.reading import load


def test_left_without_its_graph_a_gltf_says_joints_and_masses_by_its_physics(tmp_path: Path):
    source = tmp_path / "m.urdf"
    source.write_text(
        '<robot name="m"><link name="a"/><link name="b"><inertial><mass value="2"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="0.5" effort="3" velocity="4"/></joint></robot>'
    )
    convert(source, tmp_path / "m.glb")
    plain = Options(carried=False)
    (dof,) = load(tmp_path / "m.glb", options=plain).scene.joints["j"].dofs
    assert (dof.kind, dof.lower, dof.upper) == ("hinge", -1, 0.5)
    found = {each.what for each in compare(source, tmp_path / "m.glb", options=plain)}
    assert not found & {"joints", "poses", "inertias", "mass matrix"}
