"""The written glTF, judged by json and numpy only, by the Khronos validator, and by three.js."""

from __future__ import annotations

import json
import math
import struct
import zlib
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import trimesh
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from converters.context import InputError, Options
from converters.convert import convert, read
from ir.diff import differences
from ir.kinematics import forward
from tests.files import saved
from tests.formats.gltf_written import ARM, as_matrix, worlds, written
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import Plain, plain_gltf
from tests.reports import comes_back, explained, of_rule


def node(document: Plain, name: str) -> dict[str, Any]:
    return next(each for each in document.document["nodes"] if each.get("name") == name)


# ----------------------------------------------------------------------------------------------------------- standing


def test_a_node_for_each_link_upright(tmp_path: Path):
    document = written(tmp_path)
    tops = document.document["scenes"][0]["nodes"]
    assert [document.document["nodes"][top]["name"] for top in tops] == ["arm"]
    assert document.document["nodes"][tops[0]]["rotation"] == pytest.approx([-math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    assert set(worlds(document)) == {"base", "upper", "finger", "thumb"}


@pytest.mark.parametrize("pose", [("shoulder=0.7", "grip=0.03"), ("shoulder=-45deg",), ()])
def test_nodes_stand_where_kinematics_says(tmp_path: Path, pose: tuple[str, ...]):
    document = written(tmp_path, pose=pose)
    values = (
        {"shoulder": 0.7, "grip": 0.03} if len(pose) == 2 else {"shoulder": -math.pi / 4 if pose else 0.0, "grip": 0.01}
    )
    expected = forward(read(tmp_path / "robot.urdf"), values)
    for name, world in worlds(document).items():
        assert np.abs(world - as_matrix(expected[name])).max() < 1e-12


def test_a_follower_follows(tmp_path: Path):
    found = worlds(written(tmp_path, pose=("grip=0.04",)))
    apart = np.linalg.inv(found["upper"]) @ found["thumb"]
    assert apart[:3, 3] == pytest.approx([-(2 * 0.04 + 0.005), 0, 0.4])


def test_rest_outside_the_limits_is_the_nearest_limit(tmp_path: Path):
    found = worlds(written(tmp_path))
    assert (np.linalg.inv(found["upper"]) @ found["finger"])[0, 3] == pytest.approx(0.01)


def test_a_value_beyond_a_limit_is_refused_or_clamped_and_told(tmp_path: Path):
    with pytest.raises(InputError, match="shoulder"):
        written(tmp_path, pose=("shoulder=-3",))
    assert not (tmp_path / "robot.glb").exists()
    source = tmp_path / "robot.urdf"
    report = convert(source, tmp_path / "robot.glb", options=Options(pose=("shoulder=-3",), clamp=True))
    assert any("shoulder" in finding.where and "-3" in finding.before for finding in report.findings)


# ------------------------------------------------------------------------------------------------------------ looking


def test_colours_are_linear_and_alpha_blends(tmp_path: Path):
    document = written(tmp_path)
    material = next(each for each in document.document["materials"] if each["name"] == "glass")
    factor = material["pbrMetallicRoughness"]["baseColorFactor"]
    assert factor == pytest.approx([0.21404, 0.21404, 0.21404, 0.5], abs=1e-4)
    assert material["alphaMode"] == "BLEND"
    assert material["pbrMetallicRoughness"]["metallicFactor"] == 0


def test_collisions_stand_in_a_second_scene_and_share_the_meshes(tmp_path: Path):
    document = written(tmp_path)
    kinds = [
        [
            each["extras"]["kinegraph_role"]
            for each, _ in document.nodes(scene)
            if "kinegraph_role" in each.get("extras", {})
        ]
        for scene in (0, 1)
    ]
    assert kinds == [["visual"] * 3, ["collision"] * 2]
    assert len({each["mesh"] for each in document.document["nodes"] if "mesh" in each}) <= 5
    boxes = [each for each in document.document["meshes"] if each["name"] == "box"]
    assert len({each["primitives"][0]["attributes"]["POSITION"] for each in boxes}) == 1


def test_normals_have_length_one_and_faces_turn_outwards(tmp_path: Path):
    document = written(tmp_path)
    for mesh in document.document["meshes"]:
        for primitive in mesh["primitives"]:
            normals = document.array(primitive["attributes"]["NORMAL"])
            assert np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(len(normals)), abs=1e-6)
            positions, faces = document.triangles(primitive)
            a, b, c = (positions[faces[:, corner]] for corner in range(3))
            assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0


def painted(folder: Path, name: str) -> None:
    """Write a box with a texture."""
    look = f'<material name="m"><texture filename="{name}"/></material>'
    visual = f'<visual><geometry><box size="1 1 1"/></geometry>{look}</visual>'
    (folder / "robot.urdf").write_text(f'<robot name="r"><link name="l">{visual}</link></robot>')


def test_what_is_seen_through_blends_wherever_the_file_says_it(tmp_path: Path):
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putpixel((1, 0), 1)
    words = PngInfo()
    words.add_text("Comment", "x" * 5000)
    picture.save(tmp_path / "a.png", pnginfo=words, transparency=b"\x00\xff")
    assert (tmp_path / "a.png").read_bytes().index(b"tRNS") > 5000
    painted(tmp_path, "a.png")
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    assert complaints(khronos_reads([tmp_path / "robot.glb"])[0]) == []
    assert plain_gltf(tmp_path / "robot.glb").document["materials"][0]["alphaMode"] == "BLEND"


BARE_PNG = b"\x89PNG\r\n\x1a\n" + bytes(4) + b"IEND\xaeB`\x82"
BARE_JPEG = b"\xff\xd8\xff\xc0\0\x11"


@pytest.mark.parametrize("data", [BARE_PNG, BARE_JPEG, BARE_JPEG + b"\x08", BARE_JPEG + b"\x08\0\x01\0\x01\x03"])
def test_a_picture_that_is_cut_off_is_told(tmp_path: Path, data: bytes):
    (tmp_path / "a.jpg").write_bytes(data)
    painted(tmp_path, "a.jpg")
    report = explained(convert(tmp_path / "robot.urdf", tmp_path / "robot.glb"))
    (told,) = of_rule(report, "assets/unreadable")
    assert (told.action.value, told.before) == ("dropped", "a.jpg")
    assert told.reason.startswith(f"{tmp_path / 'a.jpg'}: ")
    assert complaints(khronos_reads([tmp_path / "robot.glb"])[0]) == []


def test_a_mirrored_mesh_is_instanced_and_the_node_mirrors_it(tmp_path: Path):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    visuals = "".join(
        f'<visual><geometry><mesh filename="part.obj" scale="{scale}"/></geometry></visual>'
        for scale in ("1 1 1", "1 -1 1", "2 2 2")
    )
    document = written(tmp_path, f'<robot name="r"><link name="l">{visuals}</link></robot>')
    assert len(document.document["meshes"]) == 1
    scales = [each.get("scale", [1, 1, 1]) for each in document.document["nodes"] if "mesh" in each]
    assert scales == [[1, 1, 1], [1, -1, 1], [2, 2, 2]]


def test_a_texture_is_embedded_and_right_way_up(tmp_path: Path):
    picture = Image.new("RGB", (2, 2))
    picture.putdata([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)])
    picture.save(tmp_path / "look.tga")
    (tmp_path / "part.mtl").write_text("newmtl paint\nKd 1 1 1\nmap_Kd look.tga\n")
    (tmp_path / "part.obj").write_text(
        "mtllib part.mtl\nusemtl paint\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
        "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n"
    )
    mesh = '<mesh filename="part.obj"/>'
    text = f'<robot name="r"><link name="l"><visual><geometry>{mesh}</geometry></visual></link></robot>'
    document = written(tmp_path, text)
    assert [each["mimeType"] for each in document.document["images"]] == ["image/png"]
    target, shot = tmp_path / "robot.glb", tmp_path / "shot.png"
    view = {"from": [0.5, -2, 0.5], "to": [0.5, 0, 0.5], "fovy": 30}
    answer = three_shows([{"file": str(target), "out": str(shot), "view": view, "width": 200, "height": 200}])[0]
    assert answer["errors"] == []
    with Image.open(shot) as seen:
        upper, lower = seen.convert("RGB").getpixel((60, 60)), seen.convert("RGB").getpixel((60, 140))
    assert isinstance(upper, tuple) and isinstance(lower, tuple)
    assert upper[0] > 2 * upper[2] and lower[2] > 2 * lower[0]


def test_an_image_that_is_whole_outside_and_broken_inside_is_told(tmp_path: Path):
    """Every chunk has a valid checksum, but the content is not an image."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 6, 0, 0, 0)), (b"IDAT", b"rubbish"), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    (tmp_path / "look.png").write_bytes(data)
    (tmp_path / "part.mtl").write_text("newmtl paint\nKd 1 1 1\nmap_Kd look.png\n")
    (tmp_path / "part.obj").write_text(
        "mtllib part.mtl\nusemtl paint\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "f 1/1 2/2 3/3\nf 1/1 3/3 4/2\n"
    )
    mesh = '<mesh filename="part.obj"/>'
    source = tmp_path / "robot.urdf"
    source.write_text(f'<robot name="r"><link name="l"><visual><geometry>{mesh}</geometry></visual></link></robot>')
    report = convert(source, tmp_path / "robot.glb")
    assert [each.before for each in of_rule(report, "assets/unreadable")] == ["look.png"]
    assert "images" not in plain_gltf(tmp_path / "robot.glb").document


def test_a_height_field_has_its_heights(tmp_path: Path):
    text = """<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 0 0 0 1 0 0 0 0"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
    document = written(tmp_path, text, suffix=".xml")
    shown, world = next((each, world) for each, world in document.nodes() if "mesh" in each)
    points, _ = document.triangles(document.document["meshes"][shown["mesh"]]["primitives"][0])
    at = points @ world[:3, :3].T + world[:3, 3]
    assert at[:, 2].max() == pytest.approx(0.5, abs=1e-6)
    assert at[at[:, 2].argmax(), :2] == pytest.approx([0, 0], abs=1e-6)
    assert (at.min(axis=0)[:2], at.max(axis=0)[:2]) == (pytest.approx([-1, -1]), pytest.approx([1, 1]))


def test_circles_have_as_many_corners_as_asked_for(tmp_path: Path):
    found = {}
    for segments in (12, 48):
        document = written(tmp_path, segments=segments)
        node = next(each for each, _ in document.nodes() if each.get("name") == "upper_visual_0")
        points, _ = document.triangles(document.document["meshes"][node["mesh"]]["primitives"][0])
        rim = points[np.hypot(points[:, 0], points[:, 1]) > 0.5]
        found[segments] = len(np.unique(np.round(np.degrees(np.arctan2(rim[:, 1], rim[:, 0])) % 360, 3)))
    assert found == {12: 12, 48: 48}


def test_gltf_with_its_buffer_and_images_beside_it(tmp_path: Path):
    document = written(tmp_path, name="robot.gltf")
    assert [buffer["uri"] for buffer in document.document["buffers"]] == ["robot_assets/buffer.bin"]
    assert json.loads((tmp_path / "robot.gltf").read_text())["asset"]["version"] == "2.0"


def test_gltf_with_its_buffer_and_images_inside(tmp_path: Path):
    pixels = np.zeros((2, 2, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "black.png")
    text = ARM.replace('<color rgba=".5 .5 .5 .5"/>', '<texture filename="black.png"/>')
    document = written(tmp_path, text, name="robot.gltf", meshes="embed")
    glb = written(tmp_path, text)
    assert not (tmp_path / "robot_assets").exists()
    assert document.buffers[0] == glb.buffers[0]
    assert all("uri" not in image for image in document.document["images"])
    assert read(tmp_path / "robot.gltf") == read(tmp_path / "robot.glb")


@pytest.mark.parametrize("name", ["robot.xml", "robot.sdf", "again.urdf"])
def test_who_cannot_hold_meshes_says_who_can(tmp_path: Path, name: str):
    (tmp_path / "robot.urdf").write_text(ARM)
    with pytest.raises(InputError, match=r"--meshes embed: .* names the files of its meshes; glTF"):
        convert(tmp_path / "robot.urdf", tmp_path / name, options=Options(meshes="embed"))
    assert not (tmp_path / name).exists()


def test_the_same_input_gives_the_same_bytes(tmp_path: Path):
    written(tmp_path)
    first = (tmp_path / "robot.glb").read_bytes()
    written(tmp_path, name="again.glb")
    assert (tmp_path / "again.glb").read_bytes() == first


@pytest.mark.parametrize("how", ["quantize", "draco"])
def test_compressed_meshes_are_the_same_to_their_precision(tmp_path: Path, how: str):
    rows = [f"v {x / 10} {math.sin(x) / 5} {y / 7}" for x in range(30) for y in range(30)]
    faces = [f"f {x * 30 + y + 1} {x * 30 + y + 2} {x * 30 + y + 31}" for x in range(29) for y in range(29)]
    (tmp_path / "part.obj").write_text("\n".join([*rows, *faces]) + "\n")
    text = (
        '<robot name="r"><link name="l"><visual><origin rpy="0 0 1"/><geometry>'
        '<mesh filename="part.obj" scale="2 1 1"/></geometry></visual></link></robot>'
    )
    plain = written(tmp_path, text)
    packed = written(tmp_path, text, name="packed.glb", compress=how)
    small, large = (tmp_path / "packed.glb").stat().st_size, (tmp_path / "robot.glb").stat().st_size
    assert small < large
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "packed.glb")) == []
    if how == "quantize":
        boxes = []
        for document in (plain, packed):
            shown, world = next((each, world) for each, world in document.nodes() if "mesh" in each)
            points = document.triangles(document.document["meshes"][shown["mesh"]]["primitives"][0])[0]
            at = points @ world[:3, :3].T + world[:3, 3]
            boxes.append((at.min(axis=0), at.max(axis=0)))
        assert np.abs(np.array(boxes[0]) - np.array(boxes[1])).max() < 1e-4


# -------------------------------------------------------------------------------------------------------------- whole


def test_the_way_back_gives_the_source_exactly(tmp_path: Path):
    written(tmp_path)  # with a pose there is a state of SRDF beside it: test_gltf_motions
    report = convert(tmp_path / "robot.glb", tmp_path / "back.urdf")
    convert(tmp_path / "robot.urdf", tmp_path / "straight.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "straight.urdf").read_bytes()
    assert report.findings == ()


@pytest.mark.parametrize("how", ["quantize", "draco"])
def test_how_far_compression_moves_corners_is_told(tmp_path: Path, how: Literal["quantize", "draco"]):
    """Once per mesh file, in metres of the file; the error of what is read is at most that, and not much less."""
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=3.0)
    mesh.apply_translation((10.0, 0.0, 0.0)).export(tmp_path / "q.stl")
    mesh.export(tmp_path / "same.stl")
    shape = '<visual><geometry><mesh filename="{}.stl"/></geometry></visual>'
    shown = "".join(map(shape.format, ("q", "q", "same")))
    source, target = tmp_path / "robot.urdf", tmp_path / "robot.glb"
    source.write_text(f'<robot name="r"><link name="base">{shown}</link></robot>')
    report = explained(convert(source, target, options=Options(compress=how)))
    (told,) = of_rule(report, "gltf/rounded")
    assert (told.where, told.action.value, told.count) == ("asset/q", "approximated", 2)
    off = float(told.after.removesuffix(" m"))
    source.unlink()
    for name in ("q", "same"):
        (tmp_path / f"{name}.stl").unlink()
    convert(target, tmp_path / "there" / "back.urdf", options=Options(meshes="copy"))
    (there,) = (tmp_path / "there").rglob("q.obj")
    found = trimesh.load(there)
    nearest = np.abs(found.vertices[:, None] - mesh.vertices[None]).max(axis=2).min(axis=1)
    assert off / 4 < nearest.max() < off * 1.05 + 1e-6  # single precision at 13 m


@pytest.mark.parametrize("compress", ["none", "draco"])
def test_a_mesh_is_no_loss(tmp_path: Path, compress: str):
    """The triangles of a file are in the document, one by one: only the name of the file differs."""
    source, target = tmp_path / "robot.urdf", tmp_path / "robot.glb"
    mesh = trimesh.creation.icosphere(subdivisions=1)
    mesh.export(tmp_path / "q.stl")
    shape = '<geometry><mesh filename="q.stl"/></geometry>'
    source.write_text(f'<robot name="r"><link name="base"><visual>{shape}</visual></link></robot>')
    report = convert(source, target, options=Options(compress=compress))
    assert all(
        finding.action.value in ("carried", "derived", "ignored") or finding.rule == "gltf/rounded"
        for finding in report.findings
    )
    assert [(each.action.value, each.before, each.after) for each in of_rule(report, "gltf/mesh")] == [
        ("derived", "q", "q#0")
    ]
    assert complaints(khronos_reads([target])[0]) == []
    if compress == "none":
        (seen,) = trimesh.load(target).geometry.values()
        assert np.array_equal(seen.triangles, trimesh.load(tmp_path / "q.stl").triangles)
    assert convert(target, tmp_path / "back.urdf").findings == ()


def test_factors_of_one_are_there(tmp_path: Path):
    """They are the defaults of glTF, so the document omits them."""
    text = """<mujoco><asset><material name="m" metallic="1" roughness="1" rgba="1 1 1 1"/></asset><worldbody>
    <geom type="sphere" size=".1" material="m"/></worldbody></mujoco>"""
    document = written(tmp_path, text, suffix=".xml")
    assert (
        not {"metallicFactor", "roughnessFactor"}
        & document.document["materials"][0].get("pbrMetallicRoughness", {}).keys()
    )
    report = convert(tmp_path / "robot.xml", tmp_path / "robot.glb")
    assert not [each.where for each in report.findings if each.where.startswith("material/")]


def test_the_report_says_what_other_tools_do_not_see(tmp_path: Path):
    source = saved(tmp_path / "robot.urdf", ARM)
    report = convert(source, tmp_path / "robot.glb")
    rules = {finding.rule: finding.action.value for finding in report.findings}
    assert rules["gltf/joint"] == "carried"
    assert rules["gltf/inertia"] == "carried"
    assert rules["gltf/triangles"] == "approximated"
    assert "unexplained" not in rules.values()


@pytest.mark.parametrize(
    ("nothing", "shape"),
    [
        ('<box size="0 0 0"/>', '<box size="1 2 3"/>'),
        ('<sphere radius="0"/>', '<sphere radius="1"/>'),
        ('<cylinder radius="0" length="1"/>', '<cylinder radius="1" length="2"/>'),
    ],
)
def test_a_shape_of_no_size_hides_no_other_of_its_kind(tmp_path: Path, nothing: str, shape: str):
    """All boxes are one mesh, scaled by their nodes; a box of zero size is not shown, in any order."""
    visuals = "".join(f"<visual><geometry>{each}</geometry></visual>" for each in (nothing, shape, nothing, shape))
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l">{visuals}</link></robot>')
    convert(tmp_path / "r.urdf", tmp_path / "r.glb")
    nodes = plain_gltf(tmp_path / "r.glb").document["nodes"]
    shown = {node["name"]: "mesh" in node for node in nodes if node["name"].startswith("l_visual")}
    assert shown == {"l_visual_0": False, "l_visual_1": True, "l_visual_2": False, "l_visual_3": True}


def test_a_serial_number_in_the_name_of_a_part_is_no_edit(tmp_path: Path):
    """Numbers may lose digits when other tools save them, names do not."""
    (tmp_path / "m.obj").write_text(
        "o PART-1491762\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    text = (
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="m.obj"/></geometry></visual></link></robot>'
    )
    convert(saved(tmp_path / "r.urdf", text), tmp_path / "r.glb")
    report = convert(tmp_path / "r.glb", tmp_path / "back.urdf")
    convert(tmp_path / "r.urdf", tmp_path / "same.urdf")
    assert not of_rule(report, "carried/stale")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()


def test_joints_that_follow_themselves_stand_at_their_zero(tmp_path: Path):
    """As in the other formats: the mimic is carried, and comes back."""
    joints = "".join(
        f'<joint name="{name}" type="revolute"><origin xyz="0 0 1"/><parent link="{parent}"/><child link="{child}"/>'
        f'<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="{name}"/></joint>'
        for name, parent, child in zip(("turn", "bend"), "ab", "bc", strict=True)
    )
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    found = worlds(written(tmp_path, f'<robot name="r">{links}{joints}</robot>'))
    assert [found[name][2, 3] for name in "abc"] == pytest.approx([0, 1, 2])
    report = explained(convert(tmp_path / "robot.urdf", tmp_path / "robot.glb"))
    assert "mimic" in "".join(each.before for each in of_rule(report, "gltf/joint"))
    comes_back(tmp_path / "robot.urdf", tmp_path / "robot.glb")


def test_a_field_of_heights_that_cannot_be_read_is_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "hills.png").write_bytes(b"no image")
    field = "<geometry><heightmap><uri>hills.png</uri><size>1 1 1</size></heightmap></geometry>"
    link = f'<link name="a"><visual name="v">{field}</visual></link>'
    (tmp_path / "r.sdf").write_text(f'<sdf version="1.9"><model name="r">{link}</model></sdf>')
    report = convert(tmp_path / "r.sdf", tmp_path / "r.glb")
    (finding,) = of_rule(report, "assets/unreadable")
    assert (finding.action.value, finding.before) == ("dropped", "hills.png")
    assert "shown flat" in finding.reason


@pytest.mark.parametrize(("away", "told"), [(100_000.0001, True), (10.0, False)])
def test_a_mesh_far_from_its_origin_tells_how_coarse_it_is(tmp_path: Path, away: float, told: bool):
    corners = "".join(f"v {away + x!r} {y} {z}\n" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    (tmp_path / "far.obj").write_text(corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = '<visual><geometry><mesh filename="far.obj"/></geometry></visual>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r"><link name="base">{shape}</link></robot>')
    report = explained(convert(tmp_path / "robot.urdf", tmp_path / "robot.glb"))
    found = [(each.where, float(each.after.removesuffix(" m"))) for each in of_rule(report, "gltf/rounded")]
    assert found == ([("asset/far", pytest.approx(2.0**-8, rel=0.01))] if told else [])
