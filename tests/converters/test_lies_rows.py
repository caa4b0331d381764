"""A reason for one difference does not hide another at the same address: a writer's error there is detected."""

from __future__ import annotations

import struct
from base64 import b64encode
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert
from converters.context import Output
from tests.converters.lying import converted, lying_beside, lying_with, rules, rules_of_lie
from tests.converters.test_report_rows import WATCHED
from tests.reports import explained

SCENE = """<mujoco><asset><mesh name="solid" file="solid.obj"/>
  <texture name="sky" type="skybox" builtin="gradient" rgb1=".6 .6 .6" rgb2="0 0 0" width="8" height="8"/>
  <material name="red" rgba="1 0 0 1"/></asset><worldbody><camera name="eye" pos="0 0 2" fovy="60"/>
  <geom name="floor" type="plane" size="2 3 .1" pos="0 0 -1" material="red"/>
  <body name="a" pos="0 0 1"><joint name="j" pos="0 0 .1"/><geom name="m" type="mesh" mesh="solid" pos=".2 0 0"/>
  <camera name="own" pos="0 0 2" fovy="60"/>
  <body name="b" pos=".5 0 0"><joint name="k" damping=".3"/><geom name="g" size=".1" pos=".3 0 0" material="red"/>
  <body name="c" pos=".5 0 0"><joint name="x" type="slide" axis="1 0 0" range="-1 1"/><joint name="y" axis="0 1 0"/>
  <geom name="h" size=".1"/></body>
  <body name="d" pos="0 .5 0"><joint name="l" type="ball"/><geom name="i" size=".1"/></body></body></body>
  <body name="f" pos="2 0 0"><freejoint name="free"/><geom name="n" size=".1"/></body></worldbody>
  <equality><connect name="tie" body1="b" body2="f" anchor="0 0 0"/></equality></mujoco>
"""
CHAIN = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
  <joint name="i" type="continuous"><parent link="a"/><child link="b"/></joint>
  <joint name="j" type="continuous"><parent link="b"/><child link="c"/><mimic joint="i" multiplier="2"/></joint>
  <joint name="k" type="continuous"><parent link="c"/><child link="d"/><mimic joint="j" multiplier="3"/></joint></robot>
"""
LENS = """<sdf version="1.9"><world name="w"><light name="sun" type="point"><light_on>false</light_on></light>
  <model name="m"><link name="a"><sensor name="s" type="camera"><camera><horizontal_fov>1</horizontal_fov>
  <image><width>64</width><height>48</height></image><lens><projection><p_fx>90</p_fx><p_fy>80</p_fy><p_cx>32</p_cx>
  <p_cy>24</p_cy></projection></lens></camera></sensor>
  <visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry><material><pbr><metal>
  <emissive_map>one.png</emissive_map></metal></pbr></material></visual></link></model></world></sdf>
"""
WORLD = """<sdf version="1.6"><world name="w">
  <physics name="one" type="ode"><max_step_size>0.002</max_step_size></physics>
  <physics name="two" type="ode"><max_step_size>0.004</max_step_size></physics>
  <model name="m"><link name="a"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry>
  <surface><friction><bullet><friction2>2</friction2></bullet></friction></surface></collision></link>
  <link name="b"><pose>0 0 1 0 0 0</pose></link>
  <joint name="u" type="universal"><parent>a</parent><child>b</child>
  <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
  <link name="e"><pose>0 0 2 0 0 0</pose></link><joint name="v" type="ball"><parent>b</parent><child>e</child></joint>
  <plugin name="p" filename="f.so"><gain>3</gain></plugin></model></world></sdf>
"""
PAINTED = """<mujoco><asset><texture name="chk" type="2d" builtin="checker" rgb2="1 1 1" width="8" height="8"/>
  <material name="tiles" texture="chk"/></asset>
  <worldbody><geom name="floor" type="plane" size="1 1 .1" material="tiles"/></worldbody></mujoco>
"""
PAIRED = """<mujoco><worldbody><geom name="a" size="1"/><body pos="3 0 0"><freejoint/>
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom name="b" size="1" density="300"/></body></worldbody>
  <contact><pair geom1="a" geom2="b" friction=".5 .5 .1 .1 .1"/></contact></mujoco>
"""
RUBBING = """<mujoco><worldbody><body><freejoint/><geom size="1" friction=".5"/></body></worldbody></mujoco>"""
OWN = """<robot name="r"><material name="spare"><color rgba="1 0 0 1"/></material><link name="a">
  <visual name="v"><geometry><foo/></geometry></visual></link><gazebo><static>true</static></gazebo></robot>"""
STANDING = """<sdf version="1.9"><model name="m"><link name="a"><pose>1 2 3 0 0 0</pose></link></model></sdf>"""
PLANE = """<sdf version="1.9"><model name="m"><static>true</static><link name="a">
  <visual name="v"><transparency>0.5</transparency><geometry><plane><size>9 9</size></plane></geometry></visual>
  </link></model></sdf>
"""
BLOCKS = """<robot name="r"><link name="a"><visual name="v"><geometry><sphere radius="1"/></geometry></visual></link>
  <gazebo reference="a"><sensor name="s" type="imu"><always_on>true</always_on></sensor></gazebo></robot>
"""


LOOP = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>
  <link name="c"><pose>0 0 2 0 0 0</pose></link>
  <joint name="i" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="j" type="revolute"><parent>b</parent><child>c</child>
  <axis><xyz>0 1 0</xyz><dynamics><damping>0.5</damping></dynamics></axis></joint>
  <link name="d"/><joint name="k" type="fixed"><parent>a</parent><child>d</child></joint>
  <link name="e"/><joint name="l" type="fixed"><parent>d</parent><child>e</child></joint>
  <joint name="tie" type="revolute"><parent>e</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint>
  </model></sdf>
"""


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "address"),
    [
        (LOOP, "sdf", r"<pose>0 0 2 0", "<pose>0 0 3 0", "joint.pose.pos"),
        (LOOP, "sdf", r"<damping>0.5<", "<damping>0.6<", "joint.dofs.damping"),
        (LOOP, "sdf", r'(<joint name="j" type=)"revolute"', r'\1"prismatic"', "joint.dofs.kind"),
        (SCENE, "mjcf", r'(name="m"[^>]*) pos="[^"]*"', r"\1", "body.geoms.pose.pos"),
        (SCENE, "mjcf", r'(name="floor"[^>]*) pos="[^"]*"', r"\1", "body.geoms.pose.pos"),
        (SCENE, "mjcf", r' size="2 3 0?.1"', ' size="2 4 0.1"', "body.geoms.shape.size"),
        (SCENE, "mjcf", r' type="plane"', "", "body.geoms.shape"),
        (SCENE, "mjcf", r'<geom name="floor"[^>]*/>', "", "body.geoms"),
        (SCENE, "mjcf", r' material="red"', "", "body.geoms.material"),
        (SCENE, "mjcf", r"<texture [^>]*/>", "", "asset"),
        (SCENE, "mjcf", r' type="skybox"', ' type="cube"', "asset.parameters"),
        (PAINTED, "mjcf", r' texture="chk"', "", "material.texture"),
        (PAINTED, "sdf", r"<pbr>.*?</pbr>", "", "material.texture"),
        (SCENE, "sdf", r"<ambient>[^<]*</ambient>", "", "material.ambient"),
        (PAIRED, "mjcf", r' friction="[^"]*"', "", "contact.surface"),
        (PAIRED, "mjcf", r' density="300"', "", "body.geoms.density"),
        (LENS, "sdf", r"<light_on>false</light_on>", "", "body.lights.parameters"),
        (LENS, "sdf", r"<emissive_map>.*?</emissive_map>", "", "material.maps"),
        (LENS, "sdf", r"<p_fy>80", "<p_fy>90", "sensor.camera.aspect"),
        (RUBBING, "sdf", r"<mu2>0.5</mu2>", "", "body.geoms.surface.mu2"),
        (PAINTED, "urdf", r"<texture [^>]*/>", "", "material.texture"),
        (CHAIN, "mjcf", r'<joint joint1="k"[^>]*/>', "", "joint.dofs.mimic"),
        (CHAIN, "mjcf", r'(<joint joint1="k"[^>]*/>)', r"\1\1", "constraint"),
        (WORLD, "mjcf", r"<option [^>]*/>", "", "physics"),
        (SCENE, "sdf", r'<collision name="floor".*?</collision>', "", "body.geoms.role"),
        (SCENE, "sdf", r'<sensor name="own".*?</sensor>', "", "body.cameras"),
        (WATCHED, "sdf", r"R8G8B8", "L8", "sensor.camera.pixel_format"),
        (SCENE, "sdf", r"(<lower>-1)<", r"\1.5<", "joint.dofs.lower"),
        (SCENE, "sdf", r"<xyz>1 0 0<", "<xyz>0 0 1<", "beside.chain"),
        (SCENE, "sdf", r'<collision name="m".*?</collision>', "", "body.geoms.parts"),
        (SCENE, "sdf", r"<uri>([^<]*)solid.obj<", r"<uri>\1other.obj<", "asset"),
        (WORLD, "sdf", r"<lower>-1<", "<lower>-1.5<", "joint.dofs.lower"),
        (WORLD, "sdf", r"<friction2>2<", "<friction2>3<", "body.geoms.extras.sdf"),
        (WORLD, "sdf", r'<joint name="u".*?</joint>', "", "joint.dofs"),
        (WORLD, "sdf", r"<xyz>1 0 0(.*)<xyz>0 1 0", r"<xyz>0 1 0\1<xyz>1 0 0", "joint.dofs.axis"),
        (CHAIN, "sdf", r"<mass>0</mass>", "<mass>0</mass><mass>0</mass>", "body.inertial"),
        (WORLD, "sdf", r"<gain>3<", "<gain>4<", "block.extras.sdf"),
        (SCENE, "urdf", r'xyz="2 0 0"', 'xyz="2 0 1"', "joint.pose.pos"),
        (SCENE, "urdf", r'xyz="0 0.5 0"', 'xyz="0 0.5 1"', "beside.chain"),
        (SCENE, "urdf", r'<axis xyz="1 0 0"/>', '<axis xyz="0 0 1"/>', "beside.chain"),
        (SCENE, "urdf", r'(lower="-1)"', r'\1.5"', "joint.dofs.lower"),
        (SCENE, "urdf", r'<visual name="g">.*?</visual>', "", "body.geoms"),
        (PLANE, "sdf", r"<transparency>[^<]*</transparency>", "", "body.geoms.transparency"),
        (PLANE, "urdf", r"(<visual.*?) 0 -0.0005", r"\1 0 -0.001", "body.geoms.pose.pos"),
        (PLANE, "urdf", r'box size="9 9', 'box size="8 9', "body.geoms.shape.size"),
        (SCENE, "urdf", r'(<visual name="g">.*?)<material name="red"/>', r"\1", "body.geoms.material"),
        (SCENE, "urdf", r'<joint name="j" ', '<joint name="jj" ', "joint.dofs.name"),
        (SCENE, "urdf", r'<joint name="y".*?</joint>', "", "joint"),
        (WORLD, "urdf", r'type="revolute"', 'type="fixed"', "joint.dofs"),
        (BLOCKS, "urdf", r'type="imu"', 'type="sonar"', "block.extras.urdf"),
        (BLOCKS, "urdf", r">true<", ">false<", "block.extras.urdf"),
        (SCENE, "urdf", r'(<visual name="floor">.*?)<material name="red"/>', r"\1", "body.geoms.material"),
        (STANDING, "sdf", r"<pose>1 2 3 ", "<pose>1 2 4 ", "joint.pose.pos"),
        (OWN, "urdf", r'<material name="spare">.*?</material>', "", "material"),
        (OWN, "urdf", r"<visual.*?</visual>", "", "body.geoms"),
        (OWN, "urdf", r"(<gazebo>.*?</gazebo>)", r"\1\1", "block"),
    ],
)
def test_what_a_writer_breaks_has_not_the_reason_of_another_difference(
    source: str, target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert address in rules_of_lie(source, target, written, wrong, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "rule"),
    [
        (SCENE, "sdf", r'<sdf version="[^"]*"', "<sdf", "sdf/file-read"),
        (SCENE, "sdf", r'<visual name="g"', "<visual", "sdf/attribute-missing"),
        (WORLD, "sdf", r'<link name="e">', '<link name="e"><pose relative_to="none"/>', "sdf/pose-relative-to-invalid"),
        (BLOCKS, "mjcf", r'objtype="site"', 'objtype="sitex"', "mjcf/keyword"),
        (BLOCKS, "mjcf", r'<geom name="v"', '<geom name="v" group="2.5"', "mjcf/number"),
        (CHAIN, "mjcf", r"<worldbody>", "<size/><size/><option><flag/><flag/></option><worldbody>", "mjcf/refused"),
        (SCENE, "urdf", r' izz="[^"]*"', "", "urdf/inertial"),
        (BLOCKS, "urdf", r"<visual", '<inertial><mass value="1"/></inertial><visual', "urdf/inertial"),
    ],
)
def test_an_output_that_others_refuse_is_told(
    source: str, target: str, written: str, wrong: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert rule in rules_of_lie(source, target, written, wrong, tmp_path, monkeypatch)


IMAGES = """{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "a"}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}],
"materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}],
"images": [{"uri": "one.png"}], "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,DATA"}],
"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
{"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"}]}"""


@pytest.mark.parametrize("target", ["mjcf", "sdf", "urdf"])
def test_the_copy_of_another_image_on_a_mesh_is_told(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, colour in (("one.png", "red"), ("two.png", "blue")):
        Image.new("RGB", (2, 2), colour).save(tmp_path / name)
    numbers = struct.pack("<15f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1)
    (tmp_path / "r.gltf").write_text(IMAGES.replace("DATA", b64encode(numbers).decode()))
    explained(convert(tmp_path / "r.gltf", tmp_path / "right" / "out", target=target))

    def change(output: Output) -> Output:
        other = {name: tmp_path / "two.png" for name in output.files if name.endswith(".png")}
        assert other
        return replace(output, files={**output.files, **other})

    lying_with(change, target, monkeypatch)
    assert "beside.content" in rules(convert(tmp_path / "r.gltf", tmp_path / "wrong" / "out", target=target))


@pytest.mark.parametrize(
    ("written", "wrong"), [(rb"f 1 (\d+)", rb"f 9999 \1"), (rb"v (\S+) ", rb"v x "), (rb"f .*\n", b"")]
)
def test_a_mesh_that_is_made_for_a_shape_and_is_none_is_told(
    written: bytes, wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = SCENE.replace('name="g" size=".1"', 'name="g" type="ellipsoid" size=".1 .2 .3"')
    explained(converted(source, "urdf", tmp_path, "right"))
    lying_beside("", written, wrong, "urdf", monkeypatch)
    assert "beside.solid" in rules(converted(source, "urdf", tmp_path, "wrong"))
