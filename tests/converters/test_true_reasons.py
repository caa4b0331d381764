"""Reasons of losses that were wrong in earlier versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
from converters.context import Options
from converters.report.model import Report
from tests.formats.sdf_links import TETRAHEDRON
from tests.reports import explained

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef"
    "0000000049454e44ae426082"
)
SEEN = """<mujoco><worldbody><body name="a"><geom name="g" size="0.1" contype="0" conaffinity="0" group="2"/>
<geom name="c" size="0.1"/></body><body name="b"><joint name="j"/><geom size="0.1"/></body>
<body name="d"><joint name="k"/><geom size="0.1"/></body></worldbody>
<equality><joint joint1="k" joint2="j"/></equality></mujoco>"""
FREE = """<mujoco><worldbody><body name="a"><joint name="root" type="free" damping="0.1"/><geom size="0.1"/></body>
</worldbody></mujoco>"""
ROLLING = """<sdf version="1.9"><model name="m"><link name="a"><collision name="c">
<geometry><sphere><radius>0.1</radius></sphere></geometry><surface><friction><ode><mu>0.7</mu></ode>
<bullet><rolling_friction>0.01</rolling_friction></bullet></friction></surface></collision></link></model></sdf>"""
BALL = "<geometry><sphere><radius>1</radius></sphere></geometry>"
SAID_FOR_NOTHING = f"""<sdf version="1.9"><model name="m"><link name="a"><self_collide>false</self_collide>
<collision name="k">{BALL}<surface><bounce><restitution_coefficient>0</restitution_coefficient></bounce><friction><ode>
<mu>2</mu><mu2>2</mu2><fdir1>0 0 0</fdir1><slip1>0</slip1></ode></friction></surface></collision></link>
<link name="b"><pose>9 0 0 0 0 0</pose><collision name="l">{BALL}</collision></link></model></sdf>"""
WORLD = """<sdf version="1.9"><world name="w"><gravity>0 0 -3</gravity>
<model name="m"><link name="a"/></model></world></sdf>"""


def converted(folder: Path, text: str, suffix: str, out: str, options: Options | None = None) -> Report:
    (folder / f"source{suffix}").write_text(text)
    return explained(convert(folder / f"source{suffix}", folder / out, options=options))


def reasons(report: Report, aspect: str) -> list[tuple[str, str]]:
    return [(each.where, each.reason) for each in report.findings if each.aspect == aspect]


@pytest.mark.parametrize(
    ("text", "suffix", "out", "aspect", "reason"),
    [
        (SEEN, ".xml", "o.sdf", "body.geoms.density", "a visual of SDFormat has no density"),
        (FREE, ".xml", "o.sdf", "joint.damping", "a link that nothing holds has no joint"),
        (ROLLING, ".sdf", "o.xml", "body.geoms.surface.torsional", "MuJoCo's default value"),
        (SAID_FOR_NOTHING, ".sdf", "o.xml", "body.self_collide", "exclusions express it where needed"),
        (SAID_FOR_NOTHING, ".sdf", "o.xml", "body.geoms.surface.mu2", "as this one does"),
        (SAID_FOR_NOTHING, ".sdf", "o.xml", "body.geoms.surface.slip1", "MuJoCo's contact model has none"),
        (SAID_FOR_NOTHING, ".sdf", "o.xml", "body.geoms.surface.fdir1", "MuJoCo's contact model has none"),
        (SAID_FOR_NOTHING, ".sdf", "o.xml", "body.geoms.surface.restitution", "MuJoCo's contact model has none"),
    ],
)
def test_the_reason_is_that_of_the_value(
    text: str, suffix: str, out: str, aspect: str, reason: str, tmp_path: Path
) -> None:
    found = reasons(converted(tmp_path, text, suffix, out), aspect)
    assert found
    assert all(said.endswith(reason) for where, said in found if "geoms.c." not in where)


def test_a_model_that_stands_alone_has_no_world_for_settings(tmp_path: Path) -> None:
    ((_, reason),) = reasons(converted(tmp_path, WORLD, ".sdf", "o.sdf", Options(model="m")), "physics")
    assert reason == "the settings are those of a world, and a model alone has none"


def test_a_mesh_and_a_texture_of_one_name_are_two_files(tmp_path: Path) -> None:
    """They are requested in the order of reading, which determines the names that reading gives them."""
    (tmp_path / "box.obj").write_text(TETRAHEDRON + "vt 0 0\nf 1/1 3/1 2/1\n")
    (tmp_path / "box.stl").write_text(STL)
    (tmp_path / "box.png").write_bytes(PNG)
    text = """<mujoco><asset><mesh name="shape" file="box.stl"/><texture name="image" type="2d" file="box.png"/>
    <material name="looks" texture="image"/></asset><worldbody><body>
    <geom type="mesh" mesh="shape" material="looks"/></body></worldbody></mujoco>"""
    report = converted(tmp_path, text, ".xml", "o.sdf")
    assert reasons(report, "asset.kind") == reasons(report, "material.texture") == []


STL = (
    "solid s\n"
    + "".join(
        f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n"
        for corners in (
            "vertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\n",
            "vertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n",
            "vertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\n",
            "vertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\n",
        )
    )
    + "endsolid s\n"
)


def test_a_joint_that_follows_itself_is_not_written_so(tmp_path: Path) -> None:
    """libsdformat: JOINT_AXIS_MIMIC_INVALID."""
    links = "".join(
        f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        "</inertial></link>"
        for name in "ab"
    )
    text = f"""<robot name="r">{links}<joint name="j" type="continuous"><parent link="a"/><child link="b"/>
    <mimic joint="j"/></joint></robot>"""
    report = converted(tmp_path, text, ".urdf", "o.sdf")
    assert reasons(report, "joint.extras.sdf") == []
    assert "<mimic" not in (tmp_path / "o.sdf").read_text().partition("kinegraph:")[0]


FITTED = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset><worldbody><body>
<geom type="capsule" mesh="m" name="fitted"/></body></worldbody></mujoco>"""
ELLIPTIC = FITTED.replace("capsule", "ellipsoid")
LONG = '<mujoco><worldbody><geom type="plane" size="1 0 1"/><body><geom size="0.1"/></body></worldbody></mujoco>'
LIT = '<mujoco><worldbody><light name="lit" type="image"/><body><geom size="0.1"/></body></worldbody></mujoco>'
FAR = """<sdf version="1.9"><world name="w"><model name="m"><include merge="true"><uri>r</uri>
<pose>100 0 0 0.7853981633974483 0 0</pose></include></model></world></sdf>"""
MERGED = """<sdf version="1.9"><model name="r" canonical_link="b"><pose>0 0 0.325 0 0 0</pose><link name="a">
<pose>-0.151427 0 0.175 0 0 0</pose></link><link name="b"><pose>0.6 0 0.7 0 0 0</pose></link><link name="c"/>
<joint name="first" type="fixed"><pose>1 2 3 0 0 0</pose><parent>a</parent><child>b</child></joint>
<joint name="second" type="fixed"><parent>c</parent><child>__model__</child></joint></model></sdf>"""
BROUGHT = """<sdf version="1.8"><world name="w"><include><uri>r</uri></include>
<include><uri>light</uri></include><include><uri>light</uri><name>second</name>
<pose>4 5 6 0 0 0</pose></include></world></sdf>"""
LIGHT = '<sdf version="1.8"><light type="directional" name="light"/></sdf>'
MEASURED = """<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<sensor name="s" type="force_torque"><parent joint="j"/></sensor></robot>"""
TWICE = """<mujoco><asset><mesh name="a" file="a.stl"/><mesh name="b" file="a.stl" inertia="shell"/></asset><worldbody>
<body><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></body></worldbody></mujoco>"""
MISPLACED = """<mujoco><worldbody><camera name="c"><mesh name="m" file="a.stl"/></camera><body><geom size="0.1"/></body>
</worldbody></mujoco>"""
FLAT = """<robot name="r"><link name="a"><collision><geometry><mesh filename="flat.obj"/></geometry></collision></link>
</robot>"""
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
HELD_TWICE = f"""<robot name="r"><gazebo><joint name="s" type="ball"><parent>a</parent><child>c</child></joint></gazebo>
<link name="a">{MASS}</link><link name="b">{MASS}</link><link name="c">{MASS}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>"""
BROKEN = """<mujoco><include file="there.xml"/><include file="not_there.xml"/>
<worldbody><body><geom size="0.1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("text", "suffix", "out"),
    [
        (FITTED, ".xml", "o.urdf"),
        (ELLIPTIC, ".xml", "o.urdf"),
        (LONG, ".xml", "o.sdf"),
        (LIT, ".xml", "o.sdf"),
        (FAR, ".sdf", "o.sdf"),
        (BROUGHT, ".sdf", "o.sdf"),
        (MEASURED, ".urdf", "o.sdf"),
        (BROKEN, ".xml", "o.xml"),
        (TWICE, ".xml", "o.sdf"),
        (FLAT, ".urdf", "o.xml"),
        (HELD_TWICE, ".urdf", "o.sdf"),
        (MISPLACED, ".xml", "o.xml"),
    ],
)
def test_these_have_a_reason(text: str, suffix: str, out: str, tmp_path: Path) -> None:
    (tmp_path / "there.xml").write_text("<mujoco/>")
    (tmp_path / "a.stl").write_text(STL)
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    for name, model in (("r", MERGED), ("light", LIGHT)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.sdf").write_text(model)
    assert converted(tmp_path, text, suffix, out).findings


SHINING = """<sdf version="1.9"><model name="m"><link name="a">
<light name="l" type="point"><intensity>0.5</intensity></light></link></model></sdf>"""
TURNED = """<sdf version="1.7"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">
<pose relative_to="f">0 0 0 0.1 0.2 0.3</pose><parent>a</parent><child>b</child><axis>
<xyz>0.4 0.5 -0.3</xyz></axis></joint><frame name="f"><pose>1 2 3 0.7 0.9 -0.2</pose></frame></model></sdf>"""
HARDLY = """<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/><body><joint name="k"/><geom size="0.1"/></body>
</body></worldbody><keyframe><key name="key" qpos="1 1.5e-7"/></keyframe></mujoco>"""
TWICE = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/></body><body name="b"><joint name="k"/>
<geom size=".1" pos="1 0 0"/></body></worldbody><contact><exclude body1="a" body2="b"/><exclude body1="b" body2="a"/>
</contact></mujoco>"""
NARROW = '<mujoco><worldbody><geom type="plane" size="250 0.8 0.2"/></worldbody></mujoco>'
THREADED = """<sdf version="1.10"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="screw">
<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.5</screw_thread_pitch>
<thread_pitch>3</thread_pitch></joint></model></sdf>"""
MOUNTED = """<sdf version="1.9"><model name="m"><link name="a"/><joint name="j" type="fixed"><pose>0 0 3 0 0 0</pose>
<parent>world</parent><child>a</child></joint></model></sdf>"""
STILL = """<robot name="r"><link name="world"/><link name="a"/><joint name="j" type="fixed"><parent link="world"/>
<child link="a"/></joint><gazebo><static>true</static></gazebo></robot>"""
UNSEEN = """<mujoco><asset><mesh name="m" builtin="plate" params="3 3"/></asset><worldbody><body>
<geom type="mesh" mesh="m" rgba="1 0 0 0"/><geom size="0.1"/></body></worldbody>
<contact><exclude body1="world" body2="world"/></contact></mujoco>"""
CANONICAL = """<sdf version="1.8"><model name="m" canonical_link="b"><link name="a"/><link name="b"/></model></sdf>"""
RESERVED = """<sdf version="1.6"><model name="m"><link name="a"><visual name="world">
<geometry><sphere><radius>1</radius></sphere></geometry>
<material><diffuse>0 1 0 1</diffuse></material></visual></link></model></sdf>"""
LIGHTER = f"""<robot name="r"><link name="a">{MASS}</link><link name="b"/><link name="c">
{MASS.replace('"1"/><inertia', '"-1"/><inertia')}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="c"/></joint></robot>"""
NOWHERE = """<sdf version="1.7"><model name="m"><link name="a"><visual name="v"><pose relative_to="nothing">0 0 1 0 0 0
</pose><geometry><sphere><radius>1</radius></sphere></geometry></visual></link><link name="b"/><joint name="j"
type="fixed"><pose relative_to="nothing"/><parent>a</parent><child>b</child></joint></model></sdf>"""
KINDLESS = """<robot name="r"><link name="a"/><sensor name="s"><parent link="a"/></sensor></robot>"""
PLANAR = f"""<robot name="r"><link name="a">{MASS.replace('izz="1"', 'izz="0"')}</link></robot>"""
LED_INWARDS = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<link name="c"><pose>2 0 0 0 0 0</pose></link><joint name="w" type="fixed"><parent>world</parent>
<child>a</child></joint>
<joint name="k" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="j" type="revolute"><parent>c</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
STARTING = """<sdf version="1.8"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="ball">
<parent>a</parent><child>b</child><axis><initial_position>0.5</initial_position></axis></joint><link name="c"/>
<joint name="k" type="revolute"><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint><link name="d"/>
<joint name="l" type="revolute"><parent>a</parent><child>d</child><axis><xyz>0 0 1</xyz>
<mimic joint="k"><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic></axis></joint></model>
</sdf>"""
LIT_BY_BLOCK = f"""<robot name="r"><link name="a">{MASS}<visual><geometry><sphere radius="1"/></geometry>
<material name=""><color rgba="0.1 0.1 0.1 1"/></material></visual></link><gazebo reference="a"><visual><material>
<ambient>0 1 0 1</ambient></material></visual></gazebo></robot>"""
SLENDER = """<mujoco><worldbody><body name="a"><geom type="capsule" size="0.01" fromto="0 0 -1 0 0 1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("text", "suffix", "out", "options"),
    [
        (SHINING, ".sdf", "o.sdf", Options(sdf_version="1.7")),
        (TURNED, ".sdf", "o.sdf", Options(sdf_version="1.6")),
        (FITTED, ".xml", "o.sdf", Options(sdf_version="1.6")),
        (SLENDER, ".xml", "o.glb", Options(compress="quantize")),
        (NARROW, ".xml", "o.glb", Options(compress="quantize")),
        (NARROW, ".xml", "o.glb", Options(compress="draco")),
        (HARDLY, ".xml", "o.glb", Options(hierarchy="flat")),
        (TWICE, ".xml", "o.urdf", Options()),
        (THREADED, ".sdf", "o.sdf", Options(sdf_version="1.9")),
        (MOUNTED, ".sdf", "o.sdf", Options(base="floating")),
        (STILL, ".urdf", "o.sdf", Options(base="floating")),
        (UNSEEN, ".xml", "o.urdf", Options()),
        (CANONICAL, ".sdf", "o.sdf", Options(sdf_version="1.6")),
        (STARTING, ".sdf", "o.xml", Options(base="floating")),
        (LIT_BY_BLOCK, ".urdf", "o.sdf", Options(base="floating")),
        (LED_INWARDS, ".sdf", "o.urdf", Options()),
        (KINDLESS, ".urdf", "o.sdf", Options(sdf_version="1.8")),
        (PLANAR, ".urdf", "o.glb", Options(physics="omi")),
        (NOWHERE, ".sdf", "o.sdf", Options(sdf_version="1.6")),
        (RESERVED, ".sdf", "o.sdf", Options(sdf_version="1.7")),
        (LIGHTER, ".urdf", "o.glb", Options(physics="omi")),
    ],
)
def test_these_have_a_reason_as_the_user_wants_them(
    text: str, suffix: str, out: str, options: Options, tmp_path: Path
) -> None:
    assert converted(tmp_path, text, suffix, out, options).findings


def test_a_face_without_an_area_is_none_in_draco(tmp_path: Path) -> None:
    """Two of its corners coincide; its texture coordinates are lost with it."""
    places = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 1\n"
    (tmp_path / "m.obj").write_text(
        f"{places}vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt .5 .3\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\nf 2/2 2/5 3/5\n"
    )
    text = (
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.obj"/></geometry></visual></link></robot>'
    )
    assert converted(tmp_path, text, ".urdf", "o.glb", Options(compress="draco")).findings


def test_a_material_that_a_mesh_file_replaces_loses_its_name_for_that(tmp_path: Path) -> None:
    (tmp_path / "m.mtl").write_text("newmtl p\nKd 0 1 0\nnewmtl q\nKd 0 0 1\n")
    faces = "usemtl p\nf 1 2 3\nusemtl q\nf 1 2 4\n"
    (tmp_path / "m.obj").write_text(f"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{faces}")
    text = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a"><visual>
<geometry><mesh filename="m.obj"/></geometry><material name="red"/></visual></link></robot>"""
    told = reasons(converted(tmp_path, text, ".urdf", "o.glb"), "material.name")
    assert told == [("material/red.name", "a mesh file that has looks of its own keeps them")]
