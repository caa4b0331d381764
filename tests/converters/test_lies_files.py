"""Meshes, images and materials that a writer alters next to a document, and what other programs would not accept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import Options, convert
from converters.assets import solids
from converters.context import Output
from ir.pose import compose
from ir.types import Pose
from tests.converters.lying import MESH, lying, lying_with, rules, unexplained
from tests.converters.test_lies_gltf import robot as robot  # a fixture
from tests.files import saved
from tests.formats.sdf_links import TETRAHEDRON
from tests.reports import explained

Files = dict[str, bytes | Path]


def otherwise(change: Callable[[Files], None], target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(output: Output) -> Output:
        files = dict(output.files)
        change(files)
        assert files != output.files
        return replace(output, files=files)

    lying_with(changed, target, monkeypatch)


def place(files: Files, end: str) -> str:
    return next(name for name in files if name.endswith(end))


def swap(one: str, other: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        first, second = place(files, one), place(files, other)
        files[first], files[second] = files[second], files[first]

    return change


def written(end: str, pattern: bytes, wrong: bytes) -> Callable[[Files], None]:
    """Return a change of the content of a file."""

    def change(files: Files) -> None:
        name = place(files, end)
        held = files[name]
        files[name] = re.sub(pattern, wrong, held if isinstance(held, bytes) else held.read_bytes(), flags=re.DOTALL)

    return change


@pytest.mark.parametrize(
    ("target", "change", "rule"),
    [
        ("mjcf", swap("two_0.obj", "two_1.obj"), "content"),
        ("mjcf", written("two_0.obj", rb"vt (\S+) (\S+)", rb"vt \2 \1"), "content"),
        ("mjcf", written("two_0.obj", rb"vn (\S+) (\S+)", rb"vn \2 \1"), "content"),
        ("mjcf", written("two_0.obj", rb"\nvn [^\n]*", rb""), "content"),
        ("mjcf", swap("one.png", "other.png"), "look"),
        ("mjcf", written("one.png", rb"IDAT...", b"IDATabc"), "look"),
        ("sdf", swap("one.png", "other.png"), "content"),
        ("urdf", written("two.mtl", rb"Kd 0.8", b"Kd 0.1"), "content"),
        ("urdf", written("two.obj", rb"vt 0.3", b"vt 0.4"), "content"),
        ("urdf", written("dyed.ply", rb"250 120", b"120 250"), "content"),
        ("urdf", written("one.png", rb"IDAT...", b"IDATabc"), "content"),
    ],
)
def test_files_that_hold_something_else_are_told(
    target: str, change: Callable[[Files], None], rule: str, robot: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(robot, robot.parent / "right" / "out", target=target))
    otherwise(change, target, monkeypatch)
    assert f"beside.{rule}" in rules(convert(robot, robot.parent / "away" / "out", target=target))
    explained(convert(robot, robot.parent / "bare" / "out", target=target, options=Options(audit=False)))


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        (r'rgba="0.8 0.6 0.4 1"', 'rgba="0.4 0.6 0.8 1"'),
        (r' rgba="0.8 0.6 0.4 1"', ""),
        (r'(<material name="two_one"[^>]*texture=")one"', r'\1other"'),
        (r'(<material name="two_one"[^>]*) texture="one"', r"\1"),
        (r'(name="two"[^>]*) material="\w+"', r"\1"),
        (r'(name="two"[^>]* material=")two_one"', r'\1two_other"'),
    ],
)
def test_a_part_of_a_mesh_in_another_look_is_told(
    pattern: str, wrong: str, robot: Path, monkeypatch: pytest.MonkeyPatch
):
    lying(pattern, wrong, "mjcf", monkeypatch)
    report = convert(robot, robot.parent / "away" / "out.xml")
    assert ("unexplained/beside.look", "0.8 0.6 0.4 1") in unexplained(report)


SHINING = "Kd .2 .3 .4\nKs .8 .2 .4\nKe .1 0 .9\nPr .4"


@pytest.mark.parametrize(
    ("said", "pattern", "wrong"),
    [
        (SHINING, r' specular="[\d.]+"', ' specular="0.9"'),
        (SHINING, r' roughness="0.4"', ""),
        (SHINING, r' emission="[\d.]+"', ""),
        ("Ks 0 0 0", r' specular="0"', ""),
        ("Ks 0 0 0", r' specular="0"', ' specular="0.9"'),
        ("Ns 30", r"(<material)", r'\1 specular="0.9"'),
        ("Ks .2 .2 .2", r"(<material)", r'\1 shininess="0.9"'),
        ("Pm 0", r' metallic="0"', ""),
        ("Pr 1", r' roughness="1"', ""),
        ("Kd .1 .2 .3", r"(<material)", r'\1 emission="0.1"'),
        ("Kd .1 .2 .3", r"(<material)", r'\1 metallic="1"'),
    ],
)
def test_what_shines_otherwise_on_a_part_of_a_mesh_is_told(
    said: str, pattern: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The writer reports which properties of mesh materials a target lacks; that it keeps the others is verified.
    MuJoCo gives a highlight to a material that does not set one."""
    (tmp_path / "s.mtl").write_text(f"newmtl m\n{said}\n")
    (tmp_path / "s.obj").write_text("mtllib s.mtl\n" + TETRAHEDRON.replace("f 1 3 2", "usemtl m\nf 1 3 2"))
    mesh = '<visual><geometry><mesh filename="s.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    explained(convert(tmp_path / "r.urdf", tmp_path / "right" / "out.xml"))
    lying(pattern, wrong, "mjcf", monkeypatch)
    assert "beside.look" in rules(convert(tmp_path / "r.urdf", tmp_path / "away" / "out.xml"))


BOTH = """<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0" range="-1 1" limited="true"/>
  <geom name="box" type="box" size="0.1 0.2 0.3" pos="0 0 0.5" rgba="1 0 0 1"/></body></worldbody></mujoco>
"""
URDF = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial><visual><geometry><box size="1 1 1"/></geometry>
  <material name="red"><color rgba="1 0 0 1"/></material></visual></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
  <limit lower="-1" upper="1" effort="3" velocity="2"/></joint></robot>
"""


@pytest.mark.parametrize(
    ("target", "pattern", "wrong", "rule"),
    [
        ("sdf", r"(<collision.*?<pose>0 0 )0.5", r"\g<1>0.4", "body.geoms.parts"),
        ("sdf", r"(<collision.*?<size>0.2 )0.4", r"\g<1>0.5", "body.geoms.parts"),
        ("urdf", r'(<collision.*?<origin xyz="0 0 )0.5', r"\g<1>0.4", "body.geoms.parts"),
        ("sdf", r'<sdf version="[\d.]+"', '<sdf version="2.9"', "sdf/version"),
        ("sdf", r'<sdf version="[\d.]+"', "<sdf", "sdf/file-read"),
        ("urdf", r' velocity="\d+"', "", "urdf/limit-missing"),
        ("urdf", r' ixy="0"', "", "urdf/inertial"),
        ("urdf", r'rgba="1 ', 'rgba="1.5 ', "urdf/colour"),
    ],
)
def test_what_other_programs_would_take_otherwise_is_told(
    target: str, pattern: str, wrong: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = saved(tmp_path / "r.xml", BOTH)
    explained(convert(path, tmp_path / "right" / f"r.{target}"))
    lying(pattern, wrong, target, monkeypatch)
    assert f"{rule}" in rules(convert(path, tmp_path / "away" / f"r.{target}"))


def test_what_the_source_says_wrongly_itself_is_no_lie(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(URDF.replace(' ixy="0"', "").replace('rgba="1 ', 'rgba="1.5 '))
    for target in ("urdf", "sdf", "mjcf"):
        explained(convert(tmp_path / "r.urdf", tmp_path / "out" / f"{target}.{target}", target=target))


def test_a_part_that_collides_and_should_not_is_told(robot: Path, monkeypatch: pytest.MonkeyPatch):
    lying(r'(name="two_1"[^>]*) class="visual"', r"\1", "mjcf", monkeypatch)
    report = convert(robot, robot.parent / "away" / "out.xml")
    assert "body.geoms.role" in rules(report)


def test_a_chain_of_joints_that_begins_elsewhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ball = '<joint name="j" type="ball"/><geom name="g" size="0.1"/>'
    (tmp_path / "r.xml").write_text(
        f'<mujoco><worldbody><body name="a"><freejoint/><geom name="f" size="0.1"/><body name="b" pos="0 0.5 0">{ball}'
        "</body></body></worldbody></mujoco>"
    )
    explained(convert(tmp_path / "r.xml", tmp_path / "right" / "r.urdf"))
    lying(r'xyz="0 0.5 0"', 'xyz="0 0.7 0"', "urdf", monkeypatch)
    assert "beside.chain" in rules(convert(tmp_path / "r.xml", tmp_path / "away" / "r.urdf"))


# ------------------------------------------------------------------------------------------------------------ solids

SOLIDS = """<sdf version="1.12"><model name="m"><link name="l"><inertial><mass>1</mass></inertial>
  {}<visual name="v"><pose>0 0 1 0.1 0 0</pose><geometry>{}</geometry></visual>
  <collision name="c"><geometry>{}</geometry></collision></link></model></sdf>
"""
CONE = "<cone><radius>0.2</radius><length>0.5</length></cone>"
EGG = "<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>"
POINTS = "".join(f"<point>{point}</point>" for point in ("0 0", "1 0", "1 1", "0.5 0.2"))
WALL = f"<polyline>{POINTS}<height>0.4</height></polyline>"
obj, solid, prism = solids.obj, solids.solid, solids._prism


def half(name: str) -> bytes:
    return re.sub(rb"v (\S+) ", lambda found: b"v %r " % (float(found[1]) / 2), obj(name))


def taller(shape: Any) -> Any:
    found = solid(shape)
    return found and (found[0], (found[1][0], found[1][1], 2 * found[1][2]))


@pytest.mark.parametrize("target", ["urdf", "mjcf"])
@pytest.mark.parametrize(
    ("shape", "name", "wrong"),
    [
        (CONE, "obj", half),
        (CONE, "obj", lambda name: obj(name).replace(b"f 1 3 4\n", b"")),
        (CONE, "obj", lambda name: re.sub(rb"f (\d+) (\d+)", rb"f \2 \1", obj(name))),
        (EGG, "obj", half),
        (EGG, "solid", taller),
        (CONE, "solid", taller),
        (WALL, "_prism", lambda points, height: prism([(2 * x, y) for x, y in points], height)),
        (WALL, "_prism", lambda points, height: prism([*points[:-1], (0.4, 0.3)], height)),
    ],
)
def test_a_mesh_that_is_another_solid_than_it_stands_for_is_told(
    target: str, shape: str, name: str, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "r.sdf").write_text(SOLIDS.format("", shape, shape))
    explained(convert(tmp_path / "r.sdf", tmp_path / "right" / "out", target=target))
    for module in ("converters.assets.solids", "converters.urdf.geoms", "converters.sdf.writing.models"):
        monkeypatch.setattr(f"{module}.{name}", wrong, raising=False)
    report = convert(tmp_path / "r.sdf", tmp_path / "away" / "out", target=target)
    made = target == "urdf" or (name != "solid" and shape is not EGG)  # MuJoCo has ellipsoids, and cones without scale
    assert ("beside.solid" in rules(report)) == made


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_a_mesh_that_stands_for_a_solid_elsewhere_is_told(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = solids.capsule_parts

    def aside(*of: Any) -> Any:
        return [(name, shape, compose(pose, Pose((0.0, 0.0, 0.1)))) for name, shape, pose in whole(*of)]

    (tmp_path / "r.sdf").write_text(
        SOLIDS.format("", CONE, "<capsule><radius>0.1</radius><length>1</length></capsule>")
    )
    for module in ("converters.urdf.geoms", "converters.sdf.writing.models"):
        monkeypatch.setattr(f"{module}.capsule_parts", aside)
    report = convert(tmp_path / "r.sdf", tmp_path / "away" / "out", target=target)
    assert ("body.geoms.parts" in rules(report)) == (target == "urdf")  # SDFormat 1.12 has capsules


# ------------------------------------------------------------------------------------------- models in other models


def test_an_included_model_at_another_address_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, size in (("pole", "1 1 9"), ("wall", "9 1 1")):
        box = f"<box><size>{size}</size></box>"
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.config").write_text(f"<model><name>{name}</name><sdf>model.sdf</sdf></model>")
        (tmp_path / name / "model.sdf").write_text(SOLIDS.format("", box, box))
    (tmp_path / "w.sdf").write_text(
        '<sdf version="1.9"><world name="w"><include><uri>pole</uri></include></world></sdf>'
    )
    explained(convert(tmp_path / "w.sdf", tmp_path / "right.sdf"))
    lying(r"<uri>pole", "<uri>wall", "sdf", monkeypatch)
    assert rules(convert(tmp_path / "w.sdf", tmp_path / "wrong.sdf"))


def test_an_attached_model_at_another_address_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, size in (("hand", 0.1), ("foot", 0.2)):
        body = f'<body name="end"><geom name="g" size="{size}"/></body>'
        (tmp_path / f"{name}.xml").write_text(f'<mujoco model="{name}"><worldbody>{body}</worldbody></mujoco>')
    (tmp_path / "r.xml").write_text(
        '<mujoco><asset><model name="hand" file="hand.xml"/><model name="foot" file="foot.xml"/></asset><worldbody>'
        '<frame pos="1 0 0"><attach model="hand" body="end" prefix="h_"/></frame></worldbody></mujoco>'
    )
    explained(convert(tmp_path / "r.xml", tmp_path / "right.xml"))
    lying(r'attach model="hand"', 'attach model="foot"', "mjcf", monkeypatch)
    assert rules(convert(tmp_path / "r.xml", tmp_path / "wrong.xml"))


PARTS = Path(__file__).parents[2] / "corpus" / "made" / "feature_mesh_parts.urdf"


def test_parts_of_a_mesh_that_are_seen_in_the_looks_of_each_other_are_told_where_others_collide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pattern = r'(name="v"[^>]*mesh=")two_materials_0(".*?name="v_1"[^>]*mesh=")two_materials_1"'
    lying(pattern, r'\1two_materials_1\2two_materials_0"', "mjcf", monkeypatch)
    assert "beside.content" in rules(convert(PARTS, tmp_path / "out.xml"))


def test_a_vertex_that_is_missing_in_the_middle_of_a_mesh_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    points = "".join(f"{turn} {turn % 2} {turn % 3}\n" for turn in range(12))
    faces = "".join(f"3 {turn} {turn + 1} {turn + 2}\n" for turn in range(10))
    lists = (
        "property float x\nproperty float y\nproperty float z\nelement face 10\nproperty list uchar int vertex_indices"
    )
    (tmp_path / "m.ply").write_text(f"ply\nformat ascii 1.0\nelement vertex 12\n{lists}\nend_header\n{points}{faces}")
    (tmp_path / "r.urdf").write_text(MESH.replace("visual", "collision").replace("two.obj", "m.ply"))
    explained(convert(tmp_path / "r.urdf", tmp_path / "right" / "out.xml"))
    otherwise(written("m.obj", rb"((?:v [^\n]*\n){6})v [^\n]*\n", rb"\1"), "mjcf", monkeypatch)
    assert "beside.content" in rules(convert(tmp_path / "r.urdf", tmp_path / "away" / "out.xml"))


def test_an_image_that_a_mesh_brings_along_and_that_is_named_where_it_is_not_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not an image of the source, so only its address shows that it exists."""
    saved(tmp_path / "solid.obj", "mtllib solid.mtl\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\n" + TETRAHEDRON)
    saved(tmp_path / "solid.mtl", "newmtl m\nmap_Kd wood.png\n")
    Image.new("RGB", (2, 2), "red").save(tmp_path / "wood.png")
    visual = '<visual><geometry><mesh filename="solid.obj"/></geometry></visual>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a">{visual}</link></robot>')
    explained(convert(source, tmp_path / "right" / "r.xml"))
    lying(r' texturedir="[^"]*"', "", "mjcf", monkeypatch)
    assert "beside.asset" in rules(convert(source, tmp_path / "wrong" / "r.xml"))
