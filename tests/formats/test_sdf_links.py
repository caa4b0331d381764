"""What is attached to an SDF link, read and written again: values, shapes, geoms, the whole."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from lxml import etree

import converters
from converters.context import InputError, Options
from converters.report.model import Action
from converters.validating import validate
from ir.pose import compose, rotate
from ir.types import Box, Capsule, Cone, Cylinder, Ellipsoid, HeightField, Mesh, Plane, Polyline, Role, Shape, Sphere
from tests.formats.sdf_links import BOX, TETRAHEDRON, body_of, geom_of, refusal, survives, survives_as_text, told
from tests.formats.sdf_text import converted, faults, link, put, rules, sdf
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_sdformat import sdformat_reads

HALF = math.sqrt(0.5)


# --------------------------------------------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("word", "gravity"), [("1", 1.0), ("0", 0.0), ("true", 1.0), ("TRUE", 1.0), (" False\n", 0.0), ("", 1.0)]
)
def test_truth_has_four_words_in_any_case(word: str, gravity: float, tmp_path: Path) -> None:
    assert body_of(tmp_path, f"<gravity>{word}</gravity>").gravity == gravity


@pytest.mark.parametrize(
    ("word", "mass"),
    [("1", 1.0), (" +2.5\n", 2.5), (".5", 0.5), ("3.", 3.0), ("1e-3", 0.001), ("2E+2", 200.0), ("", 1.0)],
)
def test_numbers_are_those_of_c(word: str, mass: float, tmp_path: Path) -> None:
    assert body_of(tmp_path, f"<inertial><mass>{word}</mass></inertial>").inertial.mass == mass


def sized(text: str) -> str:
    return f'<visual name="v"><geometry><box><size>{text}</size></box></geometry></visual>'


def coloured(text: str) -> str:
    return f'<visual name="v">{BOX}<material><diffuse>{text}</diffuse></material></visual>'


def posed(text: str, attrs: str = "") -> str:
    return f'<visual name="v"><pose {attrs}>{text}</pose>{BOX}</visual>'


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("<gravity>yes</gravity>", "'yes' is neither true nor false"),
        ("<gravity>2</gravity>", "'2' is neither true nor false"),
        ('<inertial auto="t"/>', "<inertial auto>: 't' is neither true nor false"),
        ("<inertial><mass>heavy</mass></inertial>", "<mass>: 'heavy' is not a number"),
        ("<inertial><mass>nan</mass></inertial>", "<mass>: 'nan' is not a number"),
        ("<inertial><mass>-inf</mass></inertial>", "<mass>: '-inf' is not finite"),
        ("<inertial><mass>1e400</mass></inertial>", "<mass>: '1e400' is not finite"),
        ("<inertial><mass>1,5</mass></inertial>", "'1,5' is not a number"),
        ("<inertial><mass>1_0</mass></inertial>", "'1_0' is not a number"),
        ("<inertial><mass>\u00a01</mass></inertial>", "is not a number"),
        (posed("0 0 0\u00a00 0 0"), "is not a number"),
        (posed("0 0 0 0 0 0\u00a0"), "is not a number"),
        ("<inertial><inertia><ixx>one</ixx></inertia></inertial>", "<ixx>: 'one' is not a number"),
        (sized("1 2"), "<size>: '1 2' needs 3 numbers, not 2"),
        (sized("1,2,3"), "<size>: '1,2,3' needs 3 numbers, not 1"),
        (sized("1 2 inf"), "'inf' is not finite"),
        (coloured("1 0"), "needs 3 or 4 numbers, not 2"),
        (coloured("1 0 0 1 1"), "needs 3 or 4 numbers, not 5"),
        (coloured("255 0 0 1"), "its numbers lie between 0 and 1"),
        (coloured("-0.1 0 0 1"), "its numbers lie between 0 and 1"),
        (posed("1 2 3"), "<pose> needs 6 numbers, not 3"),
        (posed("1 2 3 0 0 nan"), "'nan' is not a number"),
        (posed("1e200 0 0 0 0 0"), "too large"),
        (posed("0 0 0 0 0 90", 'degrees="yes"'), "degrees='yes'"),
        (posed("0 0 0 0 0 0 1", 'rotation_format="wxyz"'), "rotation_format='wxyz'"),
        (posed("0 0 0 0 0 0", 'rotation_format="quat_xyzw"'), "needs 7 numbers, not 6"),
        (posed("0 0 0 0 0 0 0", 'rotation_format="quat_xyzw"'), "quaternion of zeros"),
        (posed("0 0 0 0 0 0 1", 'rotation_format="quat_xyzw" degrees="true"'), "degrees beside a quaternion"),
        ('<visual name="v"><geometry><plane><normal>0 0 0</normal></plane></geometry></visual>', "no direction"),
        ('<visual name="v"><geometry><polyline><point>1</point></polyline></geometry></visual>', "needs 2 numbers"),
        ('<visual name="v"><geometry><polyline><point>1 b</point></polyline></geometry></visual>', "'b'"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(inner: str, message: str, tmp_path: Path) -> None:
    found = refusal(tmp_path, inner)
    assert message in found
    assert found.endswith(("(ELEMENT_INVALID)", "(ATTRIBUTE_INVALID)"))


AUTO = (
    '<inertial auto="%s"><density>500</density></inertial><collision name="c">'
    "<geometry><box><size>1 2 1</size></box></geometry></collision>"
)


@pytest.mark.parametrize(("word", "mass"), [("true", 1000.0), (" 1 ", 1000.0), ("False", 1.0), ("", 1.0), ("t", None)])
def test_a_truth_of_an_attribute_is_one_or_refused_as_by_drake(word: str, mass: float | None, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=AUTO % word), "1.11"))
    if mass is None:
        with pytest.raises(RuntimeError, match="Unable to read attribute"):
            drake_reads(source)
        told = {(breach.rule, breach.source.line) for breach in validate(source).breaches}
        assert ("SDF-ATTRIBUTE-INVALID", 3) in told
    else:
        assert drake_reads(source)["masses"]["a"] == mass
        assert converters.read(source).body("a").inertial.mass == mass


def test_other_truths_are_refused_too(tmp_path: Path) -> None:
    put(tmp_path, sdf(link("a")), "arm.sdf")
    merged = put(tmp_path, sdf(link("base") + '<include merge="yes"><uri>arm.sdf</uri></include>'))
    assert [error["code"] for error in sdformat_reads(merged, [tmp_path])["errors"]] == [5, 9]
    with pytest.raises(InputError, match="<include merge>: 'yes' is neither true nor false"):
        converters.read(merged)
    turned = "<axis><xyz>0 0 1</xyz><use_parent_model_frame>t</use_parent_model_frame></axis>"
    ends = f"<parent>a</parent><child>b</child>{turned}"
    old = put(tmp_path, sdf(f'{link("a")}{link("b")}<joint name="j" type="revolute">{ends}</joint>', "1.5"))
    with pytest.raises(InputError, match="<use_parent_model_frame>: 't' is neither true nor false"):
        converters.read(old)


@pytest.mark.parametrize(
    ("pose", "pos", "rot"),
    [
        ("<pose/>", (0, 0, 0), (1, 0, 0, 0)),
        ("<pose> 1 2\n3  0 0\t0 </pose>", (1, 2, 3), (1, 0, 0, 0)),
        ('<pose degrees="true">1 0 0 0 0 90</pose>', (1, 0, 0), (HALF, 0, 0, HALF)),
        ('<pose degrees="1" rotation_format="euler_rpy">0 0 0 90 0 0</pose>', (0, 0, 0), (HALF, HALF, 0, 0)),
        ('<pose rotation_format="quat_xyzw">0 0 1 0 0 2 2</pose>', (0, 0, 1), (HALF, 0, 0, HALF)),
        ('<pose rotation_format="quat_xyzw">0 0 1 0 0 1e-200 1e-200</pose>', (0, 0, 1), (HALF, 0, 0, HALF)),
    ],
)
def test_a_pose_says_angles_or_a_quaternion(pose: str, pos: tuple[float, ...], rot: tuple[float, ...], tmp_path: Path):
    found = geom_of(tmp_path, pose + BOX).pose
    assert found.pos == pos
    assert found.rot == pytest.approx(rot, abs=1e-15)


def test_roll_pitch_yaw_turn_about_fixed_axes(tmp_path: Path) -> None:
    rot = geom_of(tmp_path, f"<pose>0 0 0 0.1 0.2 0.3</pose>{BOX}").pose.rot
    along_x = (math.cos(0.3) * math.cos(0.2), math.sin(0.3) * math.cos(0.2), -math.sin(0.2))
    assert rotate(rot, (1.0, 0.0, 0.0)) == pytest.approx(along_x, abs=1e-15)


def test_a_pitch_of_ninety_degrees_survives(tmp_path: Path) -> None:
    survives(tmp_path, posed("0.1 0 0 0.4 1.5707963267948966 0.2"))
    survives(tmp_path, posed("0 0 0 0.5 0.5 0.5 0.5", 'rotation_format="quat_xyzw"'))


# --------------------------------------------------------------------------------------------------------------- shapes

SHAPES: list[tuple[str, Shape]] = [
    ("<box/>", Box(size=(1.0, 1.0, 1.0))),
    ("<box><size>1 2 3</size></box>", Box(size=(1.0, 2.0, 3.0))),
    ("<sphere/>", Sphere(radius=1.0)),
    ("<sphere><radius>0.5</radius></sphere>", Sphere(radius=0.5)),
    ("<cylinder/>", Cylinder(radius=1.0, length=1.0)),
    ("<cylinder><radius>2</radius><length>3</length></cylinder>", Cylinder(radius=2.0, length=3.0)),
    ("<capsule/>", Capsule(radius=0.5, length=1.0)),
    ("<capsule><radius>2</radius><length>3</length></capsule>", Capsule(radius=2.0, length=3.0)),
    ("<cone/>", Cone(radius=1.0, length=1.0)),
    ("<cone><radius>2</radius><length>3</length></cone>", Cone(radius=2.0, length=3.0)),
    ("<ellipsoid/>", Ellipsoid(radii=(1.0, 1.0, 1.0))),
    ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", Ellipsoid(radii=(1.0, 2.0, 3.0))),
    ("<plane/>", Plane(normal=(0.0, 0.0, 1.0), size=(1.0, 1.0))),
    ("<plane><normal>0 3 4</normal><size>5 6</size></plane>", Plane(normal=(0.0, 0.6, 0.8), size=(5.0, 6.0))),
    (
        "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>2</height></polyline>",
        Polyline(points=((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), height=2.0),
    ),
    ("<mesh><uri>part.obj</uri></mesh>", Mesh(asset="part")),
    (
        '<mesh optimization="convex_hull"><scale>1 2 -3</scale><uri>part.obj</uri></mesh>',
        Mesh(asset="part", scale=(1.0, 2.0, -3.0), hull=True),
    ),
    (
        "<mesh><uri>part.obj</uri><submesh><name>lid</name><center>true</center></submesh></mesh>",
        Mesh(asset="part", submesh="lid", centred=True),
    ),
]


@pytest.mark.parametrize(("text", "shape"), SHAPES)
def test_every_shape_is_read_and_written(text: str, shape: Shape, tmp_path: Path) -> None:
    put(tmp_path, TETRAHEDRON, "part.obj")
    assert geom_of(tmp_path, f"<geometry>{text}</geometry>", version="1.11").shape == shape
    survives(tmp_path, f'<visual name="g"><geometry>{text}</geometry></visual>', "1.11")


LEFT = {
    '<geometry><mesh optimization="convex_decomposition"><uri>part.obj</uri></mesh></geometry>': "convex_decomposition",
    f'{BOX}<material><diffuse>1 0 0 1</diffuse><shader type="pixel"/></material>': '<shader type="pixel"/>',
}


@pytest.mark.parametrize(("text", "left"), LEFT.items())
def test_what_the_graph_has_no_field_for_is_left_over_and_told(text: str, left: str, tmp_path: Path) -> None:
    put(tmp_path, TETRAHEDRON, "part.obj")
    assert left in [extra.text for extra in geom_of(tmp_path, text, version="1.11").extras]
    survives(tmp_path, f'<visual name="g">{text}</visual>', "1.11")
    source = put(tmp_path, sdf(f'<link name="l"><visual name="g">{text}</visual></link>', "1.11"))
    for suffix in ("xml", "urdf", "glb"):
        report = converters.convert(source, tmp_path / f"out.{suffix}")
        assert any(found.before == left and found.action == "carried" for found in report.findings)


def test_a_height_map_has_a_file_and_a_size(tmp_path: Path) -> None:
    inner = "<geometry><heightmap><uri>hills.png</uri><size>4 5 6</size><pos>0 0 1</pos></heightmap></geometry>"
    geom = geom_of(tmp_path, inner, "collision")
    assert geom.shape == HeightField(asset="hills", size=(4.0, 5.0, 6.0))
    assert [extra.text for extra in geom.extras] == ["<pos>0 0 1</pos>"]


def test_drake_prefers_its_own_shapes(tmp_path: Path) -> None:
    egg = "<sphere/><drake:ellipsoid><drake:a>1</drake:a></drake:ellipsoid>"
    pill = "<box/><drake:capsule><radius>0.2</radius><length>0.4</length></drake:capsule>"
    namespace = 'xmlns:drake="http://drake.mit.edu"'
    assert isinstance(geom_of(tmp_path, f"<geometry {namespace}>{egg}</geometry>").shape, Ellipsoid)
    assert geom_of(tmp_path, f"<geometry>{pill}</geometry>").shape == Capsule(radius=0.2, length=0.4)


@pytest.mark.parametrize(
    ("geometry", "rule"),
    [
        ("", "sdf/geometry-missing"),
        ("<geometry/>", "sdf/geometry-without-shape"),
        ("<geometry><image><uri>maze.png</uri></image></geometry>", "assets/missing"),
        ("<geometry><box/><sphere/></geometry>", "sdf/geometry-two-shapes"),
        ("<geometry><mesh/></geometry>", "sdf/element-missing"),
    ],
)
def test_a_geometry_that_is_not_one_shape_is_told(geometry: str, rule: str, tmp_path: Path) -> None:
    assert rule in rules(told(tmp_path, f'<visual name="g">{geometry}</visual>'))
    survives_as_text(tmp_path)


def test_an_empty_geometry_is_no_fault(tmp_path: Path) -> None:
    inner = '<visual name="g"><geometry><empty/></geometry></visual>'
    assert geom_of(tmp_path, "<geometry><empty/></geometry>").shape is None
    assert not [rule for rule in rules(told(tmp_path, inner)) if "geometry" in rule]


def test_what_an_older_version_lacks_is_told(tmp_path: Path) -> None:
    source = sdf(link("a", inner='<visual name="g"><geometry><cone/></geometry></visual>'), "1.11")
    report, path = converted(tmp_path, source, "old.sdf", Options(sdf_version="1.9"))
    assert {"sdf/shape"} <= rules(report)
    assert "<cone" not in path.read_text().replace("&lt;", "")


# ---------------------------------------------------------------------------------------------------------------- geoms


def test_names_are_unique_in_the_scene_and_kept_as_labels(tmp_path: Path) -> None:
    part = f'<visual name="v">{BOX}</visual><collision name="v">{BOX}</collision><visual>{BOX}</visual>'
    scene = converters.read(put(tmp_path, sdf(link("a", inner=part) + link("b", inner=part))))
    geoms = [geom for name in "ab" for geom in scene.bodies[name].geoms]
    assert len({geom.name for geom in geoms}) == 6
    assert [geom.label for geom in geoms] == ["v", "v", "", "v", "v", ""]
    assert [geom.role for geom in geoms] == [Role.VISUAL, Role.COLLISION, Role.VISUAL] * 2


def test_names_that_several_share_come_back_beside_one_of_the_other_kind(tmp_path: Path) -> None:
    solids = [f'<collision name="v"><pose>0 0 {z} 0 0 0</pose>{BOX}</collision>' for z in (1, 2, 3)]
    inner = f'{solids[0]}<visual name="v">{BOX}</visual>{solids[1]}{solids[2]}'
    report, path = converted(tmp_path, sdf(link("a", inner=inner)), "out.sdf")
    assert not report.total(Action.UNEXPLAINED) and not report.total(Action.CARRIED)
    names = etree.parse(path).xpath("//collision/@name | //visual/@name")
    assert names == ["v"] * 4


def test_what_a_geom_says_beside_its_shape(tmp_path: Path) -> None:
    inner = f"<transparency>0.25</transparency><laser_retro>7</laser_retro>{BOX}"
    geom = geom_of(tmp_path, inner)
    assert geom.transparency == 0.25
    assert [extra.text for extra in geom.extras] == ["<laser_retro>7</laser_retro>"]
    assert geom_of(tmp_path, f"<density>2700</density>{BOX}", "collision", "1.11").density == 2700.0
    survives(tmp_path, f'<visual name="g">{inner}</visual>')
    survives(tmp_path, f'<collision name="g"><density>2700</density>{BOX}</collision>', "1.11")


def test_one_name_twice_in_a_link_is_told(tmp_path: Path) -> None:
    inner = f'<visual name="v">{BOX}</visual><visual name="v">{BOX}</visual>'
    assert faults(told(tmp_path, inner)) == ["sdf/duplicate-name"]
    assert len(body_of(tmp_path, inner).geoms) == 2


# -------------------------------------------------------------------------------------------------------------- surface


def test_wrong_surfaces(tmp_path: Path) -> None:
    mask = f'<collision name="g">{BOX}<surface><contact><collide_bitmask>%s</collide_bitmask></contact></surface>'
    for word in ("1.0", "0xZZ", "9" * 5000):
        assert "is not a whole number (ELEMENT_INVALID)" in refusal(tmp_path, f"{mask % word}</collision>")
    negative = f'<collision name="g">{BOX}<surface><friction><ode><mu>-1</mu></ode></friction></surface></collision>'
    assert faults(told(tmp_path, negative)) == ["sdf/element-invalid"]


def test_the_whole_of_a_link_survives(tmp_path: Path) -> None:
    put(tmp_path, TETRAHEDRON, "part.obj")
    decay = "<velocity_decay><linear>0.1</linear><angular>0.2</angular></velocity_decay>"
    inner = f'{decay}<self_collide>true</self_collide><kinematic>true</kinematic><visual name="v">{BOX}</visual>'
    survives(tmp_path, inner)
    body = body_of(tmp_path, inner)
    assert (body.linear_damping, body.angular_damping, body.self_collide, body.kinematic) == (0.1, 0.2, True, True)


def test_the_camera_of_another_format_becomes_a_sensor_that_looks_the_same_way(tmp_path: Path) -> None:
    camera = '<camera name="eye" pos="1 2 3" xyaxes="0 -1 0 0 0 1" fovy="60"/>'
    (tmp_path / "r.xml").write_text(f'<mujoco><worldbody><body name="a">{camera}</body></worldbody></mujoco>')
    before = converters.read(tmp_path / "r.xml").bodies["a"].cameras[0]
    converters.convert(tmp_path / "r.xml", tmp_path / "r.sdf")
    text = (tmp_path / "r.sdf").read_text()
    (tmp_path / "bare.sdf").write_text(
        text[: text.index("<kinegraph:carried")] + "</sdf>" if "carried" in text else text
    )
    sensor = next(iter(converters.read(tmp_path / "bare.sdf").tables["sensor"].values()))
    after = compose(sensor.pose, sensor.camera.pose)
    for axis in ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)):
        assert rotate(after.rot, axis) == pytest.approx(rotate(before.pose.rot, axis), abs=1e-12)
    assert after.pos == pytest.approx((1.0, 2.0, 3.0))
    assert rotate(after.rot, (0.0, 0.0, -1.0)) == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert sensor.camera.fov_y == pytest.approx(math.radians(60))
