"""Rows of tables: a writer that damages what its format can express is detected, at every address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from converters import convert, registry
from converters.context import Options, Output
from converters.report.model import Action
from tests.converters.lying import MESH, TWO, converted, lying, rules_of_lie
from tests.files import saved
from tests.reports import explained

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
    assert address in rules_of_lie(ROBOT, target, written, wrong, tmp_path, monkeypatch)


WATCHED = """<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
  <sensor name="eye" type="camera" update_rate="20"><parent link="a"/><origin xyz="0 0 1"/>
  <camera><image width="64" height="48" hfov="1" format="R8G8B8" near="0.1" far="9"/></camera></sensor></robot>
"""
RUBBING = """<robot name="r" xmlns:drake="http://drake.mit.edu"><link name="a"><collision name="c"><geometry>
  <sphere radius="0.1"/></geometry><drake:proximity_properties><drake:mu_dynamic value="0.4"/>
  <drake:hydroelastic_modulus value="1e5"/></drake:proximity_properties></collision></link></robot>
"""
MUSCLED = """<mujoco><worldbody><body name="a"><joint name="j"/><geom name="g" size="0.1" friction="0.3"/>
  <site name="s"/>  <geom name="seen" size="0.2" contype="0" conaffinity="0" rgba="1 0 0 1"/>
  <body name="b" pos="1 0 0"><joint name="k"/><geom name="h" size="0.1"/><site name="t"/></body></body>
  <body name="c" pos="3 0 0"><joint name="l"/><geom name="i" size="0.1"/></body></worldbody>
  <contact><exclude name="never" body1="a" body2="c"/></contact>
  <tendon><spatial name="cord"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor name="pull" tendon="cord"/><position name="serve" joint="j" kp="7"/></actuator>
  <keyframe><key name="up" qpos="0.5 0.3 0.2" ctrl="0 0.5"/></keyframe></mujoco>
"""


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "address"),
    [
        (WATCHED, "urdf", r'<sensor name="eye".*?</sensor>', "", "sensor"),
        (WATCHED, "urdf", r'update_rate="20"', 'update_rate="30"', "sensor.rate"),
        (WATCHED, "urdf", r'type="camera"', 'type="ray"', "sensor.kind"),
        (WATCHED, "urdf", r'hfov="[^"]*"', 'hfov="1.1"', "sensor.camera.fov_y"),
        (WATCHED, "urdf", r"<camera>.*?</camera>", "", "sensor.camera"),
        (WATCHED, "urdf", r'xyz="0 0 1"', 'xyz="0 0 2"', "sensor.pose.pos"),
        (MUSCLED, "urdf", r'<disable_collisions link1="a" link2="c"[^>]*>', "", "contact"),
        (MUSCLED, "urdf", r'<joint name="k" value="[^"]*"/>', "", "keyframe.positions"),
        (MUSCLED, "urdf", r'<joint name="k" value="[^"]*"/>', '<joint name="k" value="0.4"/>', "keyframe.positions"),
        (MUSCLED, "urdf", r"<group_state.*?</group_state>", "", "keyframe"),
        (MUSCLED, "urdf", r'rgba="1 0 0 1"', 'rgba="0 0 1 1"', "material.rgba"),
        (RUBBING, "mjcf", r' friction="[^"]*"', "", "body.geoms.surface"),
        (RUBBING, "mjcf", r' friction="[^"]*"', ' friction="0.9"', "body.geoms.surface.mu"),
        (MUSCLED, "mjcf", r'(<geom name="g"[^>]*) friction="[^"]*"', r"\1", "body.geoms.surface"),
        (MUSCLED, "mjcf", r'(<geom name="g"[^>]*)/>', r'\1 contype="0" conaffinity="0"/>', "body.geoms.role"),
        (MUSCLED, "mjcf", r'<motor name="pull"[^>]*/>', "", "actuator"),
        (MUSCLED, "mjcf", r'qpos="[^"]*"', "", "keyframe.positions"),
        (MUSCLED, "mjcf", r'ctrl="[^"]*"', "", "keyframe.controls"),
        (MUSCLED, "mjcf", r'qpos="[^"]*"', 'qpos="0.5 0.4 0.2"', "keyframe.positions"),
    ],
)
def test_what_a_writer_breaks_where_rows_asked_nothing_has_no_reason(
    source: str, target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert address in rules_of_lie(source, target, written, wrong, tmp_path, monkeypatch)


CAPSULE = """<mujoco><worldbody><body name="a">
  <geom name="g" type="capsule" size="0.1 0.3" pos="0 0 1" quat="1 1 0 0" friction="0.3"/></body></worldbody></mujoco>
"""


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "address"),
    [
        (ROBOT, "mjcf", r"<motor [^>]*/>", "", "actuator"),
        (ROBOT, "mjcf", r'gear="50"', "", "actuator.gear"),
        (CAPSULE, "sdf", r"<ambient>.*?</diffuse>", "", "material.rgba"),
    ],
)
def test_what_a_pass_made_and_a_writer_loses_is_told(
    source: str, target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    lying(written, wrong, target, monkeypatch)
    report = converted(source, target, tmp_path, "wrong")
    assert address in {finding.aspect for finding in report.findings if finding.action is not Action.DERIVED}


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "address"),
    [
        (CAPSULE, "urdf", r'(name="g_cap1">\s*<origin xyz=")\S+ \S+ ', r"\g<1>0 0.3 ", "parts"),
        (CAPSULE, "urdf", r'(name="a_g_collision_cap2">.*?<sphere radius=")0.1"', r'\g<1>0.2"', "parts"),
        (MESH, "mjcf", r'(<geom name="v_1".*?) pos="0 0 0.5"', r"\1", "parts"),
        (MESH, "mjcf", r'(<geom name="v_1".*?) mesh="two_1"', r'\1 mesh="two_0"', "parts"),
        (MESH, "mjcf", r'(<geom name="v_1".*?)/>', r'\1 group="4"/>', "group"),
    ],
)
def test_every_part_of_what_is_written_as_several_is_held_against_it(
    source: str, target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert f"body.geoms.{address}" in rules_of_lie(source, target, written, wrong, tmp_path, monkeypatch)


def test_a_name_that_the_parts_of_a_geom_have_lost_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("converters.urdf.geoms._name_and_owner", lambda geom, name, *rest: (f"my_{name}", f"my_{name}"))
    report = convert(saved(tmp_path / "c.xml", CAPSULE), tmp_path / "c.urdf")
    found = [(each.before, each.after) for each in report.findings if each.aspect == "called.geom"]
    assert found == [("g", "my_g")]


def test_a_name_with_a_number_behind_is_no_other_name(tmp_path: Path):
    """A visual and a collision with the same name are written for one geom of MuJoCo."""
    geoms = '<geom name="v" size="1"/><geom name="v_1" size="2"/>'
    source = saved(tmp_path / "c.xml", f"<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>")
    explained(convert(source, tmp_path / "c.sdf"))
    text = (tmp_path / "c.sdf").read_text()
    assert re.findall(r'<(visual|collision) name="(.*?)"', text) == [
        (role, name) for name in ("v", "v_1") for role in ("visual", "collision")
    ]


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_a_file_is_where_its_address_leads_from_a_folder_that_is_not_there_yet(target: str, tmp_path: Path):
    (tmp_path / "two.obj").write_text(TWO)
    (tmp_path / "r.urdf").write_text(MESH)
    explained(convert(tmp_path / "r.urdf", tmp_path / f"a/b/r.{target}", options=Options(meshes="reference")))


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_what_was_carried_and_does_not_come_back_has_no_reason(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = registry.format_named(target)
    assert own.carry is not None
    carry = own.carry

    def forgetting(output: Output, patch: Mapping[str, str]) -> Output:
        return carry(output, {key: text for key, text in patch.items() if not key.startswith("joint/")})

    (tmp_path / "r.xml").write_text(MUSCLED.replace('<joint name="k"/>', '<joint name="k" user="3"/>'))
    explained(convert(tmp_path / "r.xml", tmp_path / "right", target=target))
    formats = {"mjcf": registry.format_named("mjcf"), target: replace(own, carry=forgetting)}
    monkeypatch.setattr(registry, "_own", lambda: formats)
    report = convert(tmp_path / "r.xml", tmp_path / "wrong", target=target)
    found = {finding.where for finding in report.findings if finding.action is Action.UNEXPLAINED}
    assert found == {"joint/k.dofs.0.parameters", "document/carried"}
