"""A reason that applies elsewhere does not explain a writer's error; other content lost with it is reported, too."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert, registry
from converters.context import Output
from tests.converters.lying import Change, converted, lying_about, lying_with, rules, rules_of_lie
from tests.converters.test_lies_gltf import addresses
from tests.converters.test_lies_rows import IMAGES
from tests.files import saved
from tests.reports import explained

MESH = """<robot name="r"><link name="a"><visual name="v"><geometry><mesh filename="solid.obj"/></geometry>
  <material name="red"><color rgba="1 0 0 1"/></material></visual></link></robot>
"""
CLASSES = """<mujoco><compiler inertiafromgeom="true"/>
  <default><default class="c"><joint damping="3"/></default></default>
  <asset><mesh name="one" file="gone.obj"/><mesh name="two" file="gone_too.obj"/></asset>
  <worldbody><geom type="mesh" mesh="one"/><geom type="mesh" mesh="two"/></worldbody></mujoco>
"""
WATCHED = """<mujoco><option timestep="0.01"/>
  <asset><texture name="chk" type="2d" builtin="checker" width="8" height="8"/>
  <material name="m" texture="chk"/></asset>
  <worldbody><camera name="eye" pos="0 0 2"/><camera name="eye2" pos="0 1 2"/>
  <geom type="plane" size="1 1 1" material="m"/><body name="a"><joint name="j"/><geom size=".1"/>
  <body name="c" pos="0 0 1"><joint name="k"/><geom size=".1"/></body></body>
  <body name="b" gravcomp="1"><joint name="l"/><geom size=".1"/></body>
  </worldbody><equality><connect name="tie" body1="b" body2="c" anchor=".1 .2 .3"/></equality></mujoco>
"""
TOUCHING = """<robot name="r"><link name="a"><contact><lateral_friction value="0.3"/><stiffness value="5"/></contact>
  <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>
"""
ROLLING = """<sdf version="1.5"><world name="w"><physics type="ode"><ode><constraints><cfm>0.5</cfm></constraints>
  <solver><sor>1</sor></solver></ode></physics><model name="m"><link name="a"/>
  <link name="b"><pose>0 0 2 0 0 0</pose></link>
  <joint name="j" type="ball"><parent>a</parent><child>b</child></joint></model></world></sdf>
"""
TWISTING = """<mujoco><worldbody><body><freejoint/><geom size="1" condim="4" friction=".5 .3 .1"/></body></worldbody>
</mujoco>"""
STOPPED = """<sdf version="1.9"><model name="m"><link name="a"><collision name="c">
  <geometry><box><size>1 1 1</size></box></geometry>
  <surface><contact><collide_without_contact>true</collide_without_contact></contact></surface></collision></link>
  <link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit>
  <lower>-1</lower><upper>1</upper><stiffness>100</stiffness><dissipation>3</dissipation></limit></axis></joint></model>
</sdf>
"""
RATED = """<robot name="r" version="1.2"><link name="a"/><link name="b"/><joint name="j" type="revolute">
  <parent link="a"/><child link="b"/>
  <limit lower="-1" upper="1" effort="3" velocity="4" acceleration="5" deceleration="6" jerk="7"/></joint></robot>
"""
ABSENT = """<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry>
  <mesh><uri>gone.obj</uri></mesh></geometry></visual></link></model></sdf>
"""
FOLLOWING = """<mujoco><worldbody><body><freejoint/><geom size=".1"/><camera name="c" mode="trackcom"/></body>
</worldbody></mujoco>"""
PARTS = MESH.replace("solid", "two")
SLOWED = """<sdf version="1.9"><model name="m"><link name="a"><velocity_decay><linear>0.1</linear></velocity_decay>
  <self_collide>false</self_collide></link></model></sdf>
"""
TYPED = """<mujoco><asset><mesh name="typed" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
  <geom name="t" type="mesh" mesh="typed"/></worldbody></mujoco>
"""
CAPSULE = """<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><capsule><radius>1</radius>
  <length>2</length></capsule></geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link></model></sdf>
"""
CONE = """<sdf version="1.12"><model name="m"><link name="a"><visual name="v"><geometry><cone><radius>1</radius>
  <length>2</length></cone></geometry></visual></link></model></sdf>
"""
GROUND = '<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>'
COPIED = """<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh>
  <uri>solid.obj</uri></mesh></geometry></visual></link></model></sdf>
"""
WEIGHTY = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="m"><link name="a"/></model>
  </world></sdf>
"""
MOUNTED = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="fixed">
  <pose>0 0 1 0 0 0</pose><parent>a</parent><child>b</child></joint></model></sdf>
"""
SPINNING = TOUCHING.replace("</contact>", '<spinning_friction value="0.1"/></contact>')
SENSING = """<robot name="r"><link name="a"><inertial><mass value="1"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <gazebo reference="a"><sensor name="s" type="imu"><visualize>1</visualize><imu><angular_velocity><x>
  <noise type="gaussian"><bias_mean>0.3</bias_mean><mean>0</mean><stddev>0.1</stddev></noise></x></angular_velocity>
  </imu></sensor></gazebo></robot>
"""
OLDER = """<sdf version="1.7"><model name="m"><link name="a"><collision name="c"/><visual name="v"><geometry><mesh>
  <uri>dyed.obj</uri><submesh><name>s</name><center>true</center></submesh></mesh></geometry>
  <material><diffuse>1 0 0 1</diffuse></material></visual></link><link name="b"><pose>0 0 1 0 0 0</pose></link>
  <frame name="f" attached_to="a"><pose>1 0 0 0 0 0</pose></frame>
  <joint name="j" type="universal"><parent>a</parent><child>b</child><pose>0 0 1 0 0 0</pose>
  <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>
"""
DYED = OLDER.replace("<submesh><name>s</name><center>true</center></submesh>", "")
BLOCK = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a"><visual name="v">
  <geometry><box size="1 1 1"/></geometry><material name="red"/></visual></link><gazebo reference="a"><visual><material>
  <ambient>0 1 0 1</ambient><diffuse>0 0 1 1</diffuse></material></visual></gazebo></robot>
"""
FORMLESS = """<robot name="r"><link name="a"><visual name="v"><geometry/></visual></link></robot>
"""
SHINING = MESH.replace("</material>", '<specular rgb="1 1 1"/></material>')
LOOKING = """<sdf version="1.9"><model name="m"><link name="a"><sensor name="s" type="ray"><ray>
  <scan><horizontal><samples>1</samples><min_angle>0</min_angle><max_angle>0</max_angle></horizontal></scan>
  <range><min>0.01</min><max>4</max></range></ray></sensor></link></model></sdf>
"""
ROUND = """<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry>
  <ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision></link></model></sdf>
"""
HEIGHTS = "<geometry><heightmap><uri>heightmap.png</uri><size>1 1 1</size></heightmap></geometry>"
UNEVEN = f"""<sdf version="1.9"><model name="m"><link name="a"><visual name="v">{HEIGHTS}</visual>
  <collision name="c">{HEIGHTS}</collision></link></model></sdf>
"""
FLOATING = """<sdf version="1.6"><model name="m"><link name="a"><inertial><mass>1</mass><fluid_added_mass><xx>1</xx>
  <zr>1</zr></fluid_added_mass></inertial></link></model></sdf>
"""


@pytest.mark.parametrize(
    ("source", "target", "written", "wrong", "address"),
    [
        (MESH, "mjcf", r' material="red"', "", "body.geoms.material"),
        (MESH, "mjcf", r'<mesh name="solid"([^>]*)/>', r'<mesh name="solid"\1/><mesh name="more"\1/>', "asset"),
        (CLASSES, "mjcf", r'damping="3"', 'damping="4"', "scene.extras.mjcf"),
        (CLASSES, "mjcf", r'(<default class="c">)', r'<default class="d"/>\1', "scene.extras.mjcf"),
        (CLASSES, "mjcf", r'inertiafromgeom="true"', 'inertiafromgeom="auto"', "scene.extras.mjcf"),
        (CLASSES, "mjcf", r'mesh="one"', 'mesh="two"', "body.geoms.shape.asset"),
        (WATCHED, "sdf", r'<sensor name="eye2".*?</sensor>', "", "body.cameras"),
        (WATCHED, "sdf", r"(<link name=.b.>.*?<gravity>)false", r"\1true", "body.gravity"),
        (WATCHED, "sdf", r"<metalness>0</metalness>", "", "material.metallic"),
        (WATCHED, "sdf", r"(<physics .*?</physics>)", r"\1\1", "physics"),
        (WATCHED, "sdf", r'(<joint name="[^"]*tie.*?<pose[^>]*>)[^<]*', r"\g<1>0 0 1 0 0 0", "loop.dofs.anchor"),
        (TOUCHING, "urdf", r"<contact>.*?</contact>", "", "body.surface"),
        (TOUCHING, "urdf", r"<lateral_friction [^>]*/>", "", "body.surface.mu"),
        (ROLLING, "sdf", r"<pose>0 0 2 ", "<pose>0 0 3 ", "joint.pose.pos"),
        (ROLLING, "sdf", r"<cfm>0.5<(.*?)<sor>1<", r"<cfm>1<\1<sor>0.5<", "physics.extras.sdf"),
        (ROLLING, "sdf", r"<cfm>0.5<", "<cfm>1<", "physics.extras.sdf"),
        (TWISTING, "sdf", r"<coefficient>[^<]*", "<coefficient>9", "body.geoms.surface.torsional_coefficient"),
        (TWISTING, "sdf", r"<patch_radius>[^<]*", "<patch_radius>9", "body.geoms.surface.patch_radius"),
        (STOPPED, "sdf", r"<collide_without_contact>true", r"<collide_without_contact>false", "body.geoms.surface"),
        (STOPPED, "sdf", r"<stiffness>100<", r"<stiffness>200<", "joint.dofs.stop.stiffness"),
        (STOPPED, "sdf", r"<dissipation>3</dissipation>", "", "joint.dofs.stop.dissipation"),
        (RATED, "urdf", r' acceleration="5"', "", "joint.dofs.acceleration"),
        (RATED, "urdf", r' jerk="7"', "", "joint.dofs.jerk"),
        (CLASSES, "mjcf", r'file="gone.obj"', 'file="gone_too.obj"', "asset.uri"),
        (ABSENT, "urdf", r"gone.obj", "gone.stl", "asset.uri"),
        (ABSENT, "urdf", r"<visual name=.v.>.*?</visual>", "", "body.geoms"),
        (ABSENT, "sdf", r"<visual name=.v.>.*?</visual>", "", "body.geoms"),
        (CLASSES, "mjcf", r'<geom [^>]*mesh="one"[^>]*/>', "", "body.geoms"),
        (TYPED, "mjcf", r'<geom name="t" [^>]*/>', "", "body.geoms"),
        (SLOWED, "sdf", r"<velocity_decay>.*?</velocity_decay>", "", "body.linear_damping"),
        (SLOWED, "sdf", r"<self_collide>.*?</self_collide>", "", "body.self_collide"),
        (FOLLOWING, "mjcf", r' mode="trackcom"', "", "body.cameras.parameters"),
        (PARTS, "mjcf", r"<asset>", '<asset><material name="more"/>', "beside.material"),
        (CAPSULE, "urdf", r'(.*)<material name="v_material">.*?</material>', r"\1", "body.geoms.material"),
        (CAPSULE, "urdf", r'(.*)rgba="1 0 0 1"', r'\1rgba="1 1 0 1"', "body.geoms.material"),
        (CONE, "mjcf", r"<compiler [^>]*/>", "", "beside.asset"),
        (GROUND, "sdf", r"</physics>", '</physics><physics type="dart"/>', "physics"),
        (WEIGHTY, "mjcf", r"<option [^>]*/>|(?=<worldbody>)", '<option timestep="0.5"/>', "physics.timestep"),
        (COPIED, "sdf", r"solid.obj", "solidity.obj", "body.geoms.shape.asset"),
        (STOPPED.replace("1.9", "1.4"), "sdf", r"(<box>.*?</box>)", r"\1\1", "body.geoms.extras.sdf"),
        (WATCHED, "sdf", r"(<horizontal_fov>.*?</horizontal_fov>)", r"\1\1", "sensor.extras.sdf"),
        (MOUNTED, "sdf", r"<pose>0 0 1 ", "<pose>0 0 2 ", "joint.mount.pos"),
        (SPINNING, "sdf", r"<torsional>.*?</torsional>", "", "body.geoms.surface.torsional"),
        (SPINNING, "sdf", r"<patch_radius>.*?</patch_radius>", "", "body.geoms.surface.torsional"),
        (SENSING, "sdf", r"<visualize>1</visualize>", "", "sensor.extras.sdf"),
        (SENSING, "sdf", r"<bias_mean>.*?</bias_mean>", "", "sensor.extras.sdf"),
        (OLDER, "sdf", r"<frame .*?</frame>", "", "body.frames"),
        (OLDER, "sdf", r"<center>true</center>", "", "body.geoms.shape.centred"),
        (OLDER, "sdf", r'<collision name="c".*?(/>|</collision>)', "", "body.geoms"),
        (OLDER, "sdf", r'(<joint name="j".*?)<pose.*?</pose>', r"\1", "joint.dofs.anchor"),
        (PARTS, "mjcf", r"<geom [^>]* mesh=.*?/>", "", "body.geoms"),
        (DYED, "mjcf", r' material="[^"]*"', "", "body.geoms.material"),
        (BLOCK, "sdf", r"<ambient>0 1 0 1", "<ambient>0 1 1 1", "material.ambient"),
        (BLOCK, "sdf", r"<diffuse>0 0 1 1", "<diffuse>0 0 0 1", "material.rgba"),
        (FORMLESS, "urdf", r"<visual .*?</visual>", "", "body.geoms"),
        (SHINING, "urdf", r"<specular [^>]*/>", "", "material.extras.urdf"),
        (LOOKING, "mjcf", r"(<site [^>]*_ray[^>]*) quat=.[^>]*>", r"\1/>", "sensor.scan.tilts"),
        (ROUND, "urdf", r"(<collision.*?)<mesh [^>]*/>", r"\1", "body.geoms.shape"),
        (UNEVEN, "sdf", r"(<visual.*?)<uri>[^<]*</uri>", r"\1", "asset.uri"),
        (UNEVEN, "sdf", r"(<collision.*?)<uri>[^<]*</uri>", r"\1", "body.geoms.shape.asset"),
        (FLOATING, "sdf", r"<zr>1</zr>", "", "body.inertial.extras.sdf"),
        (PARTS, "mjcf", r' mesh="two_1"', ' type="box" mesh="two_1"', "body.geoms.parts"),
    ],
)
def test_what_a_writer_breaks_is_not_explained(
    source: str, target: str, written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert address in rules_of_lie(source, target, written, wrong, tmp_path, monkeypatch)


COLLIDING = """<robot name="r"><link name="a"><inertial><mass value="1"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  <visual name="v"><geometry><box size="1 2 3"/></geometry></visual>
  <collision name="c"><geometry><box size="1 2 3"/></geometry></collision></link></robot>
"""


def node(document: Any, kind: str) -> Any:
    return next(each for each in document["nodes"] if each["extras"]["kinegraph_kind"] == kind)


def shows(document: Any) -> None:
    node(document, "collider")["mesh"] = 0


def weighs(document: Any) -> None:
    node(document, "collider")["extensions"]["KHR_physics_rigid_bodies"]["motion"] = {"mass": 3.0}


def one_more(document: Any) -> None:
    node(document, "body")["children"].append(len(document["nodes"]))
    document["nodes"].append({"name": "stray", "translation": [1, 2, 3]})


@pytest.mark.parametrize("change", [shows, weighs, one_more])
def test_a_node_that_shows_or_weighs_what_no_thing_of_the_scene_does_is_told(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(saved(tmp_path / "r.urdf", COLLIDING), tmp_path / "right.glb"))
    lying_about(change, monkeypatch)
    assert "document" in addresses(convert(tmp_path / "r.urdf", tmp_path / "wrong.glb"))


@pytest.mark.parametrize("target", ["sdf", "urdf"])
@pytest.mark.parametrize(
    ("written", "wrong"), [(rb"\nv (\S+) \S+", rb"\nv \1 5"), (rb"\nf (\S+) (\S+)", rb"\nf \2 \1")]
)
def test_a_mesh_with_materials_is_heard(
    target: str, written: bytes, wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its faces are between the names of materials."""
    Image.new("RGB", (2, 2), "red").save(tmp_path / "one.png")
    numbers = struct.pack("<15f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1)
    (tmp_path / "r.gltf").write_text(IMAGES.replace("DATA", b64encode(numbers).decode()))
    explained(convert(tmp_path / "r.gltf", tmp_path / "right" / "out", target=target))

    def change(output: Output) -> Output:
        made = {place: bytes(held) for place, held in output.files.items() if place.endswith(".obj")}
        others = {place: re.sub(written, wrong, text, count=1) for place, text in made.items()}
        assert all(b"usemtl" in text for text in made.values())
        assert others != made
        return replace(output, files={**output.files, **others})

    lying_with(change, target, monkeypatch)
    assert "beside.content" in rules(convert(tmp_path / "r.gltf", tmp_path / "wrong" / "out", target=target))


@pytest.mark.parametrize("target", ["sdf", "urdf"])
@pytest.mark.parametrize(("written", "wrong"), [(rb"1000\.0", b"2000.0"), (rb"1000\.0", b"3000.0")])
def test_carried_data_that_is_not_what_was_to_be_carried_is_told(
    target: str, written: bytes, wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(converted(WATCHED, target, tmp_path, "right"))
    own = registry.format_named(target)

    def lying(output: Output, carried: Mapping[str, str]) -> Output:
        assert own.carry is not None
        whole = own.carry(output, carried)
        head, mark, data = whole.document.partition(b"kinegraph:")
        document = head + mark + re.sub(written, wrong, data)
        assert document != whole.document
        return replace(whole, document=document)

    formats = {each: registry.format_named(each) for each in ("urdf", "mjcf", "sdf", "gltf")}
    monkeypatch.setattr(registry, "_own", lambda: formats | {target: replace(own, carry=lying)})
    assert "carried" in rules(converted(WATCHED, target, tmp_path, "wrong"))
