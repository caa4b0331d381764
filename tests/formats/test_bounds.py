"""A number that no thing has (a radius below 0) is told, whichever format says it, and whatever it goes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from converters import convert
from converters.context import InputError
from converters.report.model import Action, Finding

URDF = """<robot name="r"><link name="a">
<inertial><mass value="{mass}"/><inertia ixx="{ixx}" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry>
<sphere radius="{radius}"/></geometry></visual>
<collision><geometry><box size="1 {size} 1"/></geometry></collision></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="{lower}" upper="1" effort="{effort}" velocity="{velocity}"/>
<dynamics damping="{damping}" friction="{friction}"/></joint></robot>"""
SDF = """<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry><surface><friction><ode><mu>1</mu></ode>
</friction></surface></collision>
<visual name="v"><geometry><mesh><uri>x.stl</uri><scale>1 {scale} 1</scale></mesh></geometry></visual>
<light name="l" type="spot"><spot><inner_angle>{inner}</inner_angle><outer_angle>0.5</outer_angle><falloff>1</falloff>
</spot></light></link><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>
<xyz>0 0 1</xyz><limit><lower>{lower}</lower><upper>1</upper></limit><dynamics><damping>{damping}</damping></dynamics>
</axis></joint></model></sdf>"""
MJCF = """<mujoco><worldbody><body name="a"><joint name="j" damping="{damping}"/>
<geom type="sphere" size="{radius}"/></body></worldbody></mujoco>"""
GLTF = json.dumps(
    {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "camera": 0}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 2.0, "zfar": "FAR"}}],
    }
).replace('"FAR"', "{far}")
GLTF = GLTF.replace("{", "{{").replace("}", "}}").replace("{{far}}", "{far}")
SOURCES = {"urdf": URDF, "sdf": SDF, "xml": MJCF, "gltf": GLTF}
PLAIN = dict.fromkeys(("mass", "ixx", "radius", "size", "effort", "velocity", "scale"), "1")
PLAIN |= {"lower": "-1", "damping": "0", "friction": "0", "inner": "0.1", "far": "5"}


def told(source: str, values: dict[str, str], target: str, folder: Path) -> list[Finding]:
    path = folder / f"m.{source}"
    path.write_text(SOURCES[source].format(**PLAIN | values))
    report = convert(path, folder / f"out.{target}")
    return [each for each in report.findings if each.rule in ("model/out-of-bounds", "mjcf/size")]


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize(
    ("source", "name", "value", "where"),
    [
        ("urdf", "mass", "-1", "body/a.inertial.mass"),
        ("urdf", "ixx", "-1", "body/a.inertial.tensor"),
        ("urdf", "radius", "-0.5", "body/a.geoms.a_visual_0.shape.radius"),
        ("urdf", "radius", "0", "body/a.geoms.a_visual_0.shape.radius"),
        ("urdf", "size", "0", "body/a.geoms.a_collision_0.shape.size"),
        ("urdf", "lower", "2", "joint/j.dofs.0.lower"),
        ("urdf", "effort", "-1", "joint/j.dofs.0.effort"),
        ("urdf", "velocity", "-1", "joint/j.dofs.0.velocity"),
        ("urdf", "damping", "-1", "joint/j.dofs.0.damping"),
        ("urdf", "friction", "-1", "joint/j.dofs.0.friction"),
        ("sdf", "scale", "0", "body/a.geoms.v.shape.scale"),
        ("sdf", "inner", "-0.5", "body/a.lights.l.inner"),
        ("sdf", "inner", "0.7", "body/a.lights.l.inner"),
        ("sdf", "lower", "2", "joint/j.dofs.0.lower"),
        ("sdf", "damping", "-1", "joint/j.dofs.0.damping"),
        ("xml", "damping", "-1", "joint/j.dofs.0.damping"),
        ("xml", "radius", "0", "document"),
        ("gltf", "far", "1", "body/m.cameras.a.near"),
    ],
)
def test_what_nothing_can_be_is_told(
    source: str, name: str, value: str, where: str, target: str, tmp_path: Path
) -> None:
    assert told(source, {}, target, tmp_path) == []
    try:
        found = told(source, {name: value}, target, tmp_path)
    except InputError as error:
        assert error.source is not None and error.source.file == str(tmp_path / f"m.{source}")
        return
    assert [(each.where, each.action) for each in found] == [(where, Action.NOTED)]
    assert found[0].sources[0].file == str(tmp_path / f"m.{source}")
