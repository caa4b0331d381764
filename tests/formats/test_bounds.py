"""An impossible number (a radius below 0) is reported for every source and target format."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path

import mujoco
import pytest
from PIL import Image

from converters import convert
from converters.context import InputError
from converters.report.model import Action, Finding
from tests.conftest import MADE
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import comes_back, explained, of_rule

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
    path = saved(folder / f"m.{source}", SOURCES[source].format(**PLAIN | values))
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


HEIGHTS = '<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry><heightmap><uri>h.png</uri>'
HEIGHTS += "<size>{}</size></heightmap></geometry></collision></link></model></sdf>"
ROUGH = (
    '<sdf version="1.11"><model name="m"><link name="a">{}<collision name="c">{}<geometry><box><size>{}</size></box>'
)
ROUGH += "</geometry><surface>{}</surface></collision></link></model></sdf>"
FIELD = (
    '<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="{}"/></asset><worldbody>\n<geom type="hfield" hfield="h"/>'
)
FIELD += "</worldbody></mujoco>"
WEIGHT = "<mujoco><worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
WEIGHT += "<geom name='g' size='.1' {}/></body></worldbody></mujoco>"
SITE = '<mujoco><worldbody><site name="s" type="box" size="{}"/></worldbody></mujoco>'
BODIES = '<mujoco><worldbody><body name="a"><joint/><inertial pos="0 0 0" mass="{}" diaginertia="{}"/></body>'
BODIES += "</worldbody></mujoco>"
PLACES = [
    ("sdf", HEIGHTS.format("1 1 0"), "body/a.geoms.c.shape.size"),
    ("sdf", HEIGHTS.format("-1 1 1"), "body/a.geoms.c.shape.size"),
    ("sdf", ROUGH.format("", "", "1 -2 1", ""), "body/a.geoms.c.shape.size"),
    ("sdf", ROUGH.format("", "<density>-5</density>", "1 1 1", ""), "body/a.geoms.c.density"),
    (
        "sdf",
        ROUGH.format("<velocity_decay><linear>-1</linear></velocity_decay>", "", "1 1 1", ""),
        "body/a.linear_damping",
    ),
    *(
        ("sdf", ROUGH.format("", "", "1 1 1", surface), f"body/a.geoms.c.surface.{field}")
        for field, surface in {
            "slip1": "<friction><ode><slip1>-1</slip1></ode></friction>",
            "stiffness": "<contact><ode><kp>-1</kp></ode></contact>",
            "max_velocity": "<contact><ode><max_vel>-1</max_vel></ode></contact>",
        }.items()
    ),
    ("xml", FIELD.format("1 1 0 .1"), "body/world.geoms.world_geom_0.shape.size"),
    ("xml", WEIGHT.format("density='-1'"), "body/a.geoms.g.density"),
    ("xml", WEIGHT.format("mass='-1'"), "body/a.geoms.g.mass"),
    ("xml", BODIES.format("1e300", "1 1 1"), "body/a.inertial.mass"),
    ("urdf", URDF.format(**PLAIN | {"mass": "1e160"}), "body/a.inertial.mass"),
]


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize(("source", "text", "where"), PLACES)
def test_what_nothing_can_be_is_told_wherever_it_stands(
    source: str, text: str, where: str, target: str, tmp_path: Path
) -> None:
    Image.new("L", (3, 3), 100).save(tmp_path / "h.png")
    path = saved(tmp_path / f"m.{source}", text)
    report = explained(convert(path, tmp_path / f"out.{target}"))
    found = of_rule(report, "model/out-of-bounds")
    assert [(each.where, each.action, each.sources[0].file) for each in found] == [(where, Action.NOTED, str(path))]


@pytest.mark.parametrize(("target", "repaired"), [("urdf", False), ("sdf", True), ("xml", True)])
def test_an_inertia_is_not_told_as_kept_where_it_is_repaired(target: str, repaired: bool, tmp_path: Path) -> None:
    inertia = '<inertia ixx="0.04" ixy="0" ixz="0.03" iyy="0.04" iyz="0" izz="0.01"/>'
    link = f'<robot name="r"><link name="a"><inertial><mass value="1"/>{inertia}</inertial></link></robot>'
    report = explained(convert(saved(tmp_path / "m.urdf", link), tmp_path / f"out.{target}"))
    (fault,) = of_rule(report, "model/out-of-bounds")
    assert [each.where for each in of_rule(report, "inertia/impossible")] == [fault.where] * repaired
    assert fault.reason.endswith("has a repaired one" if repaired else "can express it")


@pytest.mark.parametrize(
    "surface",
    ["<friction><ode><mu>-1</mu></ode></friction>", "<friction><ode><mu2>-1</mu2></ode></friction>"]
    + [f"<bounce><restitution_coefficient>{value}</restitution_coefficient></bounce>" for value in ("-1", "2")],
)
def test_what_libsdformat_refuses_of_a_surface_is_told_in_its_words(surface: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "m.sdf", ROUGH.format("", "", "1 1 1", surface))
    assert sdformat_reads(path)["errors"] != []
    report = explained(convert(path, tmp_path / "out.xml"))
    found = [each.rule for each in report.findings if each.severity == "error"]
    assert found == ["sdf/element-invalid"]


JOINT = '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
JOINT += "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit>{}</limit></axis></joint></model></sdf>"

LIMITS = [
    ("<lower>{}</lower><upper>1</upper>", True),
    ("<lower>-1</lower><upper>-{}</upper>", True),
    ("<lower>-{}</lower><upper>{}</upper>", False),
]


@pytest.mark.parametrize("bound", ["inf", "1e16"])
@pytest.mark.parametrize(("limit", "refused"), LIMITS)
def test_a_joint_without_room_is_told_be_its_bound_infinite(
    limit: str, refused: bool, bound: str, tmp_path: Path
) -> None:
    path = saved(tmp_path / "m.sdf", JOINT.format(limit.format(bound, bound)))
    with pytest.raises(RuntimeError, match="lower limit must be lower") if refused else nullcontext():
        drake_reads(path)
    report = explained(convert(path, tmp_path / "out.xml"))
    found = [(each.rule, each.where) for each in report.findings if each.severity == "error"]
    assert found == ([("sdf/element-invalid", "joint/j")] if refused else [])


@pytest.mark.parametrize(
    "text", [SITE.format("1 0 1"), SITE.format("1 -1 1"), FIELD.format("1 1 1 0"), FIELD.format("1 1 1 -1")]
)
def test_what_mujoco_refuses_of_sizes_is_told_once(text: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "m.xml", text)
    with pytest.raises(ValueError, match="positive"):
        mujoco_model(path)
    report = explained(convert(path, tmp_path / "out.sdf"))
    assert [each.rule for each in report.findings if each.severity == "error"] == ["mjcf/size"]


@pytest.mark.parametrize("mass", [1e11, 1e150])
def test_a_large_mass_that_engines_compute_with_is_not_told(mass: float, tmp_path: Path) -> None:
    """MuJoCo's mjMAXVAL (1e10) bounds states and accelerations, not masses."""
    (tmp_path / "m.xml").write_text(BODIES.format(mass, "1 1 1"))
    report = explained(convert(tmp_path / "m.xml", tmp_path / "out.urdf"))
    assert of_rule(report, "model/out-of-bounds") == []
    model = mujoco_model(tmp_path / "m.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert model.body("a").mass[0] == mass and not any(warning.number for warning in data.warning)


def test_what_is_too_small_for_a_normal_double_is_none_in_sdf(tmp_path: Path) -> None:
    """libsdformat refuses a document with such a number; MuJoCo and urdfdom accept it."""
    axis = '<axis xyz="1e-320 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="1e-311"/>'
    joint = f'<origin xyz="1e-320 0 0" rpy="0 0 -1e-310"/><parent link="a"/><child link="b"/>{axis}'
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="1e-312" ixz="0" iyz="0"/></inertial>'
    links = f'<link name="a"/><link name="b">{mass}</link>'
    source = tmp_path / "r.urdf"
    source.write_text(f'<robot name="r">{links}<joint name="j" type="revolute">{joint}</joint></robot>')
    assert sdformat_reads(source)["errors"], "of the URDF itself, too"
    report = convert(source, tmp_path / "r.sdf")
    assert not sdformat_reads(tmp_path / "r.sdf")["errors"]
    explained(report)
    comes_back(source, tmp_path / "r.sdf")


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ('<inertial><mass value="1e-320"/>', "mass"),
        ('<visual><geometry><sphere radius="1e-320"/>', "radius"),
        ('<visual><geometry><box size="1e-320 2 3"/>', "size"),
        ('<visual><geometry><mesh filename="tetrahedron.stl" scale="1e-320 2 3"/>', "scale"),
        ('<visual><geometry><sphere radius="1"/></geometry><material name="m"><color rgba="1 1e-320 1 1"/>', "rgba"),
        ('<joint name="j" type="revolute"><limit lower="1e-320" upper="1" effort="1" velocity="1"/>', "lower"),
        ('<joint name="j" type="revolute"><limit lower="-1" upper="1" effort="1e-320" velocity="1"/>', "effort"),
        ('<joint name="j" type="continuous"><dynamics damping="1e-320"/>', "damping"),
        ('<joint name="j" type="continuous"><axis xyz="1e-320 1 0"/>', "axis"),
    ],
)
def test_what_is_too_small_for_a_normal_double_has_a_reason_of_its_own(said: str, field: str, tmp_path: Path) -> None:
    opened = re.findall(r"<(\w+)[^>/]*>", said)
    text = said + "".join(f"</{tag}>" for tag in reversed(opened) if f"</{tag}>" not in said)
    ends = '<parent link="a"/><child link="b"/></joint>'
    text = text.replace("</joint>", ends) if "joint" in opened else f'<link name="c">{text}</link>'
    (tmp_path / "tetrahedron.stl").write_bytes((MADE / "meshes" / "tetrahedron.stl").read_bytes())
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a"/><link name="b"/>{text}</robot>')
    report = explained(convert(source, tmp_path / "r.sdf"))
    assert [each.rule for each in report.findings if "1e-320" in each.before and field in each.aspect] == [
        "sdf/subnormal"
    ]


@pytest.mark.parametrize("least", ["1e-320", "1e-40"])
def test_colours_of_libsdformat_are_of_single_precision(least: str, tmp_path: Path) -> None:
    look = f'<material name="m"><color rgba="{least} 1e-37 1 1"/></material>'
    visual = f'<visual><geometry><sphere radius="1"/></geometry>{look}</visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{visual}</link></robot>')
    report = explained(convert(tmp_path / "r.urdf", tmp_path / "r.sdf"))
    assert not sdformat_reads(tmp_path / "r.sdf")["errors"]
    assert [(each.rule, each.after) for each in report.findings if "rgba" in each.aspect] == [
        ("sdf/subnormal", "0 1e-37 1 1")
    ]


def test_so_are_those_of_its_lights(tmp_path: Path) -> None:
    light = '<light diffuse="1e-40 1 1" specular="1 1e-40 1"/>'
    (tmp_path / "r.xml").write_text(f"<mujoco><worldbody>{light}</worldbody></mujoco>")
    report = explained(convert(tmp_path / "r.xml", tmp_path / "r.sdf"))
    assert not sdformat_reads(tmp_path / "r.sdf")["errors"]
    assert [each.after for each in report.findings if each.rule == "sdf/subnormal"] == ["0 1 1", "1 0 1"]


BALL = '<collision><geometry><sphere radius="1"/></geometry></collision>'
BALL = f'<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>{BALL}'
RUBS = "<lateral_friction value='-1'/><spinning_friction value='-2'/><restitution value='-3'/>"
RUBBING = {
    "xml": '<mujoco><worldbody><body name="a"><freejoint/><geom size="1" friction="-1 -2 0" condim="4"/></body>'
    "</worldbody></mujoco>",
    "urdf": f'<robot name="r"><link name="a">{BALL}<contact>{RUBS}</contact></link></robot>',
}


@pytest.mark.parametrize(("form", "text"), RUBBING.items())
def test_friction_below_zero_which_libsdformat_refuses_is_none_there_and_comes_back(
    form: str, text: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / f"m.{form}", text)
    report = explained(convert(source, tmp_path / "m.sdf"))
    told = [(each.before, each.after) for each in of_rule(report, "contacts/bounds") if each.where.endswith(".mu")]
    assert told == ([("-1", "0")] if form == "xml" else [])  # what Bullet reads in a URDF is told as put into words
    assert "<mu>0</mu>" in (tmp_path / "m.sdf").read_text()
    assert sdformat_reads(tmp_path / "m.sdf")["errors"] == []
    explained(comes_back(source, tmp_path / "m.sdf"))


def test_light_whose_colour_has_more_digits_than_the_curve_of_the_screen_keeps_is_explained(tmp_path: Path) -> None:
    light = '<light name="l" diffuse="0.8000000800000001 .8 .8"/>'
    source = saved(tmp_path / "m.xml", f"<mujoco><worldbody>{light}</worldbody></mujoco>")
    report = explained(convert(source, tmp_path / "m.gltf"))
    assert [each.where for each in of_rule(report, "gltf/colour")] == ["body/world.lights.l.diffuse"]
    explained(comes_back(source, tmp_path / "m.gltf"))


def test_a_box_that_stands_further_off_than_it_has_digits_is_that_box(tmp_path: Path) -> None:
    visual = '<visual><origin xyz="0 0 1e20" rpy="0 0 3.14"/><geometry><box size=".1 .1 .1"/></geometry></visual>'
    source = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a">{visual}</link></robot>')
    explained(convert(source, tmp_path / "m.gltf"))


@pytest.mark.parametrize(
    "shape",
    [
        "<ellipsoid><radii>-.3 .5 .1</radii></ellipsoid>",
        "<ellipsoid><radii>.3 .5 1e-20</radii></ellipsoid>",
        "<ellipsoid><radii>.3 .5 1e39</radii></ellipsoid>",
        "<cone><radius>1</radius><length>1e20</length></cone>",
    ],
)
def test_a_mesh_for_a_shape_of_very_unlike_sizes_is_that_shape(shape: str, tmp_path: Path) -> None:
    visual = f'<visual name="v"><pose>1 2 3 .1 .2 .3</pose><geometry>{shape}</geometry></visual>'
    sdf = f'<sdf version="1.12"><model name="m"><link name="a">{visual}</link></model></sdf>'
    explained(convert(saved(tmp_path / "m.sdf", sdf), tmp_path / "m.urdf"))


def test_a_block_with_a_friction_below_zero_is_told_as_refused(tmp_path: Path) -> None:
    """libsdformat refuses the whole URDF because of such a block."""
    block = "<gazebo reference='a'><mu1>-1</mu1><mu2>-2</mu2></gazebo>"
    source = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a">{BALL}</link>{block}</robot>')
    report = explained(convert(source, tmp_path / "m.sdf"))
    assert [each.where for each in of_rule(report, "sdf/block-refused")] == ["block/gazebo_a"]
    assert sdformat_reads(source)["errors"] != []
    assert sdformat_reads(tmp_path / "m.sdf")["errors"] == []


@pytest.mark.parametrize("way", ["urdf", "xml", "glb"])
def test_a_friction_below_zero_of_the_author_comes_back(way: str, tmp_path: Path) -> None:
    """Old Gazebo models use -1; the value is bounded only for other formats and where an edit brought it."""
    rubs = "<surface><friction><ode><mu>-1</mu><mu2>-1</mu2></ode></friction></surface>"
    shape = "<geometry><sphere><radius>1</radius></sphere></geometry>"
    link = f'<link name="a"><collision name="c">{shape}{rubs}</collision></link>'
    source = saved(tmp_path / "m.sdf", f'<sdf version="1.5"><model name="m">{link}</model></sdf>')
    explained(convert(source, tmp_path / f"m.{way}"))
    explained(convert(tmp_path / f"m.{way}", tmp_path / "back.sdf"))
    assert re.findall("<mu2?>(.*?)<", (tmp_path / "back.sdf").read_text().partition("<kinegraph:")[0]) == ["-1", "-1"]
