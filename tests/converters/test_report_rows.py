"""Rows of tables: a writer that breaks what its format can say is found out, whatever the address of that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from converters import convert, registry
from converters.context import Context, Output
from converters.report.model import Action, Report
from ir.scene import Scene
from tests.formats.sdf_links import TETRAHEDRON

EXTRA = "body.geoms.extras.sdf"
ROBOT = """<robot name="r">
  <link name="a">
    <inertial><origin xyz="0.1 0 0"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
    <visual name="seen"><origin xyz="0.1 0.2 0.3" rpy="0 0 0.5"/><geometry><box size="0.1 0.2 0.3"/></geometry>
      <material name="blue"><color rgba="0 0 1 1"/></material></visual>
    <visual name="shaped"><geometry><mesh filename="solid.obj" scale="0.1 0.1 0.1"/></geometry></visual>
    <collision name="touched"><origin xyz="0.1 0.2 0.3"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="b">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <link name="c">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <joint name="j" type="revolute"><origin xyz="0.1 0.2 0.3"/><parent link="a"/><child link="b"/><axis xyz="0 0.6 0.8"/>
    <dynamics damping="0.3" friction="0.2"/><limit lower="-1.5" upper="0.5" effort="30" velocity="2"/></joint>
  <joint name="k" type="revolute"><origin xyz="0 0 0.4"/><parent link="b"/><child link="c"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/><mimic joint="j" multiplier="0.5" offset="0.1"/></joint>
  <transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="j"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
    <actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
</robot>
"""


@pytest.mark.parametrize(
    ("target", "written", "wrong", "address"),
    [
        ("mjcf", r' range="-1.5 0.5"', "", "joint.dofs.lower"),
        ("mjcf", r' range="-1.5 0.5"', ' range="-85.9 28.6"', "joint.dofs.upper"),
        ("mjcf", r' actuatorfrcrange="-30 30"', "", "joint.dofs.effort"),
        ("mjcf", r"<inertial pos[^>]* mass=\"2\"[^>]*/>", "", "body.inertial"),
        ("mjcf", r'(mass="2" diaginertia="\S+) (\S+)', r"\1 0.031", "body.inertial.tensor"),
        ("mjcf", r'(<geom name="seen"[^>]*) pos="\S+ \S+ \S+"', r"\1", "body.geoms.pose.pos"),
        ("mjcf", r'(<geom name="seen"[^>]*) material="\S+"', r"\1", "body.geoms.material"),
        ("mjcf", r'<geom name="touched"[^>]*/>', "", "body.geoms"),
        ("mjcf", r"<equality>.*</equality>", "", "joint.dofs.mimic"),
        ("mjcf", r'polycoef="0.1 0.5', 'polycoef="0.1 -0.5', "joint.dofs.mimic.multiplier"),
        ("mjcf", r"<motor [^>]*/>", "", "actuator"),
        ("mjcf", r'gear="50"', 'gear="0.02"', "actuator.gear"),
        ("urdf", r' lower="-1.5"', ' lower="-86"', "joint.dofs.lower"),
        ("urdf", r' effort="30"', ' effort="0"', "joint.dofs.effort"),
        ("urdf", r'<dynamics damping="0.3" friction="0.2"/>', "", "joint.dofs.friction"),
        ("urdf", r'<axis xyz="0 0.6 0.8"/>', '<axis xyz="0 -0.6 0.8"/>', "joint.dofs.axis"),
        ("urdf", r'(<joint name="j".*?)<origin xyz="0.1 0.2 0.3"[^>]*/>', r"\1", "joint.pose.pos"),
        ("urdf", r"<mimic [^>]*/>", '<mimic joint="j" multiplier="0.5"/>', "joint.dofs.mimic.offset"),
        ("urdf", r'<box size="0.1 0.2 0.3"/>', '<box size="0.2 0.1 0.3"/>', "body.geoms.shape.size"),
        ("urdf", r'<origin xyz="0.1 0.2 0.3" rpy="0 0 0.5"/>', '<origin xyz="0.1 0.2 0.3"/>', "body.geoms.pose.rot"),
        ("urdf", r'<collision name="touched".*?</collision>', "", "body.geoms"),
        ("urdf", r'<parent link="b"/>', '<parent link="a"/>', "joint.parent"),
        ("urdf", r'<material name="blue">.*?</material>', "", "material"),
        ("urdf", r'scale="0.1 0.1 0.1"', 'scale="0.1 0.2 0.1"', "body.geoms.shape.scale"),
        ("sdf", r"<mimic .*?</mimic>", "", "joint.dofs.mimic"),
        ("sdf", r'<link name="b">', '<link name="b"><sensor name="s" type="imu"/>', "sensor"),
        ("sdf", r'<collision name="touched">', '<collision name="touched"><max_contacts>3</max_contacts>', EXTRA),
        ("sdf", r"<scale>0.1 0.1 0.1</scale>", "<scale>0.1 0.2 0.1</scale>", "body.geoms.shape.scale"),
        ("sdf", r"<iyy>0.01</iyy>", "", "body.inertial.tensor"),
        ("mjcf", r'(<body name="b"[^>]*?) pos="[^"]*"', r"\1", "joint.pose.pos"),
        ("mjcf", r"</worldbody>", "</worldbody><sensor><clock name='c'/></sensor>", "sensor"),
        ("mjcf", r"<option [^>]*/>|(?=<worldbody>)", "<option timestep='0.5'/>", "physics"),
        ("sdf", r"<lower>-1.5</lower>", "", "joint.dofs.lower"),
        ("sdf", r"<effort>30</effort>", "<effort>-30</effort>", "joint.dofs.effort"),
        ("sdf", r"<damping>0.3</damping>", "", "joint.dofs.damping"),
        ("sdf", r"<xyz>0 0.6 0.8</xyz>", "<xyz>0.6 0 0.8</xyz>", "joint.dofs.axis"),
        ("sdf", r"<mass>2</mass>", "<mass>2000</mass>", "body.inertial.mass"),
        ("sdf", r"<ixy>0.001</ixy>", "<ixy>-0.001</ixy>", "body.inertial.tensor"),
        ("sdf", r"<size>0.1 0.2 0.3</size>", "<size>0.05 0.1 0.15</size>", "body.geoms.shape.size"),
        ("sdf", r'<collision name="touched".*?</collision>', "", "body.geoms"),
        ("sdf", r"<pose([^>]*)>0.1 0.2 0.3 0 -?0 -?0</pose>", r"<pose\1>0.2 0.1 0.3 0 0 0</pose>", "joint.pose.pos"),
    ],
)
def test_what_a_writer_breaks_has_no_reason(
    target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    report = broken(target, written, wrong, tmp_path, monkeypatch)
    found = {finding.rule for finding in report.findings if finding.action is Action.UNEXPLAINED}
    assert f"unexplained/{address}" in found


@pytest.mark.parametrize(("written", "address"), [(r"<motor [^>]*/>", "actuator"), (r'gear="50"', "actuator.gear")])
def test_what_a_pass_made_and_a_writer_loses_is_told(
    written: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    report = broken("mjcf", written, "", tmp_path, monkeypatch)
    assert address in {finding.aspect for finding in report.findings if finding.action is not Action.DERIVED}


def broken(target: str, written: str, wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """The report of a conversion whose writer says something else than it means to."""
    own = registry.format_named(target)
    assert own.write is not None
    write = own.write

    def lying(scene: Scene, context: Context) -> Output:
        output = write(scene, context)
        document, count = re.subn(written, wrong, output.document.decode(), flags=re.DOTALL)
        assert count, output.document.decode()
        return replace(output, document=document.encode())

    formats = {"urdf": registry.format_named("urdf"), target: replace(own, write=lying)}
    monkeypatch.setattr(registry, "_own", lambda: formats)
    (folder / "r.urdf").write_text(ROBOT)
    (folder / "solid.obj").write_text(TETRAHEDRON)
    return convert(folder / "r.urdf", folder / "out", target=target)
