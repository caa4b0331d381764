"""Packed files are loaded by MuJoCo; face counts and bounds are compared with the source."""

from __future__ import annotations

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from converters.assets.meshes.files import load
from converters.assets.pack import Packed, PackedPart, pack
from converters.assets.textures import png
from converters.context import InputError
from ir.scene import Scene
from ir.types import Asset, Body, Geom, Material, Mesh, Vec3
from tests.converters.meshes import stl

BOX = np.array([[x, y, z] for x in (1, 1.2) for y in (2, 2.4) for z in (3, 3.6)])
SIDES = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ]
)
QUAD = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]], dtype=float)


def obj(vertices: np.ndarray, faces: np.ndarray, before: str = "") -> str:
    rows = "".join("v {} {} {}\n".format(*row) for row in vertices.tolist())
    return rows + before + "".join("f {} {} {}\n".format(*row) for row in (faces + 1).tolist())


def packed(tmp_path: Path, files: dict[str, bytes | str], scale: Vec3 = (1, 1, 1), texture: str = "") -> Packed:
    """Pack the files as mesh assets of one body; those with image suffixes only exist."""
    scene = Scene("robot")
    geoms = []
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if path.suffix.lower() in (".stl", ".obj", ".dae", ".msh", ".glb", ".ply"):
            scene.tables["asset"][name] = Asset(name=name, uri=name, file=str(path))
            geoms.append(Geom(name=name, role="visual", shape=Mesh(asset=name, scale=scale)))
    if texture:
        scene.tables["asset"]["image"] = Asset(name="image", uri=texture, kind="texture", file=str(tmp_path / texture))
        scene.tables["material"]["look"] = Material(name="look", texture="image")
    scene.add_body(Body(name="base", geoms=tuple(geoms)))
    return pack(scene, "robot_assets")


def content_of(result: Packed, file: str) -> bytes:
    content = result.files[file]
    return content if isinstance(content, bytes) else content.read_bytes()


def compiled(result: Packed, part: PackedPart, collide: bool = False, scale: str = "1 1 1") -> mujoco.MjModel:
    """Return MuJoCo's model of the part, on a body with an inertial of its own."""
    role = "" if collide else 'contype="0" conaffinity="0" group="2"'
    name = part.file.rpartition("/")[2]
    xml = f"""<mujoco><asset><mesh name="m" file="{name}" inertia="shell" scale="{scale}"/></asset>
    <worldbody><body><joint/><inertial pos="0.1 0 0" mass="3" diaginertia="1 2 2.5"/>
    <geom type="mesh" mesh="m" {role}/></body></worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml, assets={name: content_of(result, part.file)})


def bounds_in_body(model: mujoco.MjModel) -> tuple[list[float], list[float]]:
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.geom_quat[0])
    points = model.mesh_vert @ rotation.reshape(3, 3).T + model.geom_pos[0]
    return points.min(axis=0).tolist(), points.max(axis=0).tolist()


def check_loads(result: Packed, part: PackedPart, collide: bool = True) -> None:
    for colliding in {False, collide}:
        model = compiled(result, part, colliding)
        assert model.mesh_facenum[0] == part.faces
        low, high = bounds_in_body(model)
        assert low == pytest.approx(part.bounds[0], abs=1e-5)
        assert high == pytest.approx(part.bounds[1], abs=1e-5)
        assert model.body_mass[1] == 3 and model.body_inertia[1].tolist() == [1, 2, 2.5]
        assert model.body_ipos[1].tolist() == [0.1, 0, 0]


def parts_of(result: Packed, name: str) -> tuple[PackedPart, ...]:
    return result.meshes[name, 1.0]


def rules(result: Packed) -> list[str]:
    return [note.rule for note in result.notes]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.stl", stl(BOX[SIDES])),
        ("a.STL", stl(BOX[SIDES], b"solid yet binary")),
        ("inside out.stl", stl(BOX[SIDES][:, ::-1])),
        ("degenerate.stl", stl(np.concatenate([BOX[SIDES], [[BOX[0]] * 3]]))),
        ("a.obj", obj(BOX, SIDES)),
        ("a.OBJ", "mtllib none.mtl\no box\n" + obj(BOX, SIDES, "usemtl x\ns off\n")),
        ("open.obj", obj(BOX[:7], SIDES[(SIDES < 7).all(axis=1)])),
        ("quads.obj", obj(BOX, SIDES[:10]) + "f 2 6 8 4\n"),
    ],
)
def test_what_mujoco_reads_is_copied_byte_for_byte(tmp_path: Path, name: str, content: bytes | str) -> None:
    result = packed(tmp_path, {name: content})
    (part,) = parts_of(result, name)
    assert result.files == {part.file: tmp_path / name}
    assert part.file == "robot_assets/" + name.replace(" ", "_")
    assert "assets/transcoded" not in rules(result) and not part.flat
    check_loads(result, part)


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("ascii.stl", "solid\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in BOX[SIDES].reshape(-1, 3)), 1),
        ("trailing.stl", stl(BOX[SIDES]) + b"12345", 1),
        ("two.obj", "o a\n" + obj(BOX, SIDES) + "o b\n" + obj(BOX + 5, SIDES + 8), 2),
        ("unused.obj", obj(np.vstack([BOX, [[50, 50, 50]]]), SIDES), 1),
        ("bom.obj", "\ufeff" + obj(BOX, SIDES), 1),
        ("continued.obj", obj(BOX, SIDES[1:]) + "f 1 \\\n2 4\n", 1),
        ("some normals.obj", obj(BOX, SIDES[1:], "vn 0 0 1\n") + "f 1//1 2//1 4//1\n", 1),
        ("comments.obj", obj(BOX, SIDES).replace("\nf", " # here\nf") + " # the last\n", 1),
        ("lines.obj", obj(BOX, SIDES) + "l 1 2 # an edge\n", 1),
        ("pentagon.obj", obj(np.vstack([BOX, [[1.1, 2.5, 3]]]), SIDES) + "f 1 3 9 7 5\n", 1),
    ],
)
def test_what_mujoco_would_refuse_or_misread_is_written_anew(
    tmp_path: Path, name: str, content: bytes | str, parts: int
) -> None:
    result = packed(tmp_path, {name: content})
    assert len(parts_of(result, name)) == parts
    assert all(isinstance(written, bytes) for written in result.files.values())
    assert rules(result).count("assets/transcoded") == 1
    for part in parts_of(result, name):
        check_loads(result, part)
    source = load(tmp_path / name)
    assert sum(part.faces for part in parts_of(result, name)) == sum(len(part.faces) for part in source.parts)


@pytest.mark.parametrize("colour", [" 1 0 0", " 1 1 0 0"])
def test_colours_of_vertices_are_told(tmp_path: Path, colour: str) -> None:
    coloured = obj(BOX, SIDES).replace("\nv", f"{colour}\nv", 7)
    result = packed(tmp_path, {"a.obj": coloured})
    assert [(note.rule, note.action, note.reason) for note in result.notes] == [
        ("assets/mesh-content", "dropped", "not taken from the mesh file: vertex colours")
    ]
    check_loads(result, *parts_of(result, "a.obj"))


@pytest.mark.parametrize("end", ["", "# right behind"])
def test_a_comment_behind_a_vertex_changes_nothing(tmp_path: Path, end: str) -> None:
    result = packed(tmp_path, {"a.obj": obj(BOX, SIDES).replace("\nv", f"{end or ' # apart'}\nv")})
    assert result.notes == ()
    check_loads(result, *parts_of(result, "a.obj"))


@pytest.mark.parametrize("line", ["f 1 2 4 # c", "l 1 2 # c"])
def test_mujoco_refuses_comments_behind_faces_and_lines(line: str) -> None:
    text = obj(BOX, SIDES) + line + "\n"
    xml = '<mujoco><asset><mesh name="m" file="a.obj"/></asset></mujoco>'
    with pytest.raises(ValueError, match="Failed to parse"):
        mujoco.MjModel.from_xml_string(xml, assets={"a.obj": text.encode()})


def test_the_note_of_a_transcoded_file_names_old_and_new(tmp_path: Path) -> None:
    result = packed(tmp_path, {"two.obj": "o a\n" + obj(BOX, SIDES) + "o b\n" + obj(BOX + 5, SIDES + 8)})
    (note,) = result.notes
    assert (note.action, note.severity, note.where) == ("derived", "note", "asset/two.obj")
    assert (note.before, note.after) == ("two.obj", "two_0.obj, two_1.obj")


def test_an_stl_above_the_limit_of_faces_becomes_obj_with_all_of_them(tmp_path: Path) -> None:
    side = np.linspace(0, 1, 320)
    x, y = np.meshgrid(side, side)
    points = np.stack([x, y, np.sin(5 * x) * y], axis=-1)
    low, right, up, far = points[:-1, :-1], points[:-1, 1:], points[1:, :-1], points[1:, 1:]
    corners = np.concatenate([np.stack([low, right, far], axis=2), np.stack([low, far, up], axis=2)]).reshape(-1, 3, 3)
    assert len(corners) > 200_000
    result = packed(tmp_path, {"big.stl": stl(corners)})
    (part,) = parts_of(result, "big.stl")
    assert part.file == "robot_assets/big.obj" and part.faces == len(corners) and part.vertices == 320 * 320
    model = compiled(result, part)
    assert model.mesh_facenum[0] == len(corners)
    assert bounds_in_body(model)[0] == pytest.approx(part.bounds[0], abs=1e-5)


def test_parts_of_an_obj_have_the_numbers_that_their_author_wrote(tmp_path: Path) -> None:
    corners = [[f"v {x}.0 {y}.5 0.100000000001\n" for x, y in ((n, 0), (n, 1), (n + 1, 0), (n, 2))] for n in (0, 3)]
    normals = ["vn 0.0 0.0 1.000000000\n", "vn 0 1 0\n"]
    faces = ["f 1//1 2//1 3//1\nf 1//1 4//1 3//1\n", "f 5 6 7\nf 5 8 7\n"]
    result = packed(tmp_path, {"a.obj": f"{''.join(corners[0] + corners[1] + normals)}o b\n{faces[0]}o c\n{faces[1]}"})
    first, second = (result.files[part.file] for part in parts_of(result, "a.obj"))
    assert first == f"{''.join(corners[0])}vn 0 0 1\n{faces[0]}".encode()
    assert second == f"{''.join(corners[1])}f 1 2 3\nf 1 4 3\n".encode()


@pytest.mark.parametrize("turn", [0, 0.3, 1.1])
@pytest.mark.parametrize("suffix", ["stl", "obj"])
def test_a_flat_mesh_is_marked_and_loads_for_looks_alone(tmp_path: Path, turn: float, suffix: str) -> None:
    rotation = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], [0, np.sin(turn), np.cos(turn)]])
    corners = QUAD @ rotation.T
    vertices = corners.reshape(-1, 3)
    content = stl(corners) if suffix == "stl" else obj(vertices, np.arange(6).reshape(2, 3))
    name = f"quad.{suffix}"
    result = packed(tmp_path, {name: content})
    (part,) = parts_of(result, name)
    assert part.flat and isinstance(result.files[part.file], Path)
    check_loads(result, part, collide=False)


def test_mujoco_refuses_a_flat_mesh_that_collides(tmp_path: Path) -> None:
    result = packed(tmp_path, {"quad.stl": stl(QUAD)})
    with pytest.raises(ValueError, match="coplanar"):
        compiled(result, parts_of(result, "quad.stl")[0], collide=True)


@pytest.mark.parametrize(
    ("name", "content"), [("t.stl", stl(QUAD[:1])), ("t.obj", obj(QUAD[0], np.array([[0, 1, 2]])))]
)
def test_a_single_triangle_gets_the_fourth_vertex_that_mujoco_wants(
    tmp_path: Path, name: str, content: bytes | str
) -> None:
    result = packed(tmp_path, {name: content})
    (part,) = parts_of(result, name)
    assert part.faces == 1 and part.flat
    assert "assets/too-few-vertices" in rules(result)
    check_loads(result, part, collide=False)


@pytest.mark.parametrize(
    ("corners", "scale"),
    [
        (np.zeros((3, 3, 3)), (1, 1, 1)),
        (np.array([[[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 0, 0], [3, 0, 0], [1, 0, 0]]]), (1, 1, 1)),
        (BOX[SIDES] * 1e-5, (1e-3, 1e-3, 1e-3)),
    ],
)
def test_a_mesh_without_surface_is_dropped_and_said(tmp_path: Path, corners: np.ndarray, scale: Vec3) -> None:
    result = packed(tmp_path, {"none.stl": stl(corners)}, scale)
    assert result.meshes == {} and result.files == {}
    assert rules(result) == ["assets/degenerate"]


def test_what_has_no_surface_at_one_scale_has_one_at_another(tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(stl(BOX[SIDES]))
    scene = Scene("robot")
    scene.tables["asset"]["a"] = Asset(name="a", uri="a.stl", file=str(tmp_path / "a.stl"))
    scales: tuple[Vec3, ...] = ((0, 0, 0), (1, 1, 1), (-1, 1, 0), (1e-5, 1e-5, 1e-5), (2, 2, 2))
    shapes = [Mesh(asset="a", scale=scale) for scale in scales]
    scene.add_body(
        Body(name="base", geoms=tuple(Geom(name=str(shape.scale), role="visual", shape=shape) for shape in shapes))
    )
    result = pack(scene, "assets")
    assert {shrunk: parts[0].file for (_, shrunk), parts in result.meshes.items()} == {
        4.0: "assets/a.stl",
        1.0: "assets/a.stl",
        1e-5**2: "assets/a.stl",
    }
    assert rules(result) == ["assets/degenerate"]


def test_an_unreadable_file_is_a_note_and_the_others_are_packed(tmp_path: Path) -> None:
    result = packed(
        tmp_path, {"bad.stl": b"nothing", "nan.stl": stl(np.full((4, 3, 3), np.nan)), "a.stl": stl(BOX[SIDES])}
    )
    assert list(result.meshes) == [("a.stl", 1.0)]
    assert [(note.rule, note.action, note.where) for note in result.notes] == [
        ("assets/unreadable", "dropped", "asset/bad.stl"),
        ("assets/unreadable", "dropped", "asset/nan.stl"),
    ]
    assert str(tmp_path / "bad.stl") in result.notes[0].reason


@pytest.mark.parametrize("last", [3, 9])
def test_an_msh_is_copied_where_mujoco_takes_it(tmp_path: Path, last: int) -> None:
    points, faces = BOX[:4].astype("<f4"), np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, last, 2)], "<i4")
    points[3, 0] += 1
    data = struct.pack("<4i", 4, 0, 0, 4) + points.tobytes() + faces.tobytes()
    asset, geom = '<mesh name="m" file="a.msh"/>', '<geom type="mesh" mesh="m"/>'
    xml = f"<mujoco><asset>{asset}</asset><worldbody>{geom}</worldbody></mujoco>"
    result = packed(tmp_path, {"a.msh": data})
    if last == 3:
        assert content_of(result, "robot_assets/a.msh") == data
        assert mujoco.MjModel.from_xml_string(xml, assets={"a.msh": data}).mesh_facenum[0] == 4
    else:
        assert (result.files, rules(result)) == ({}, ["assets/unreadable"])
        with pytest.raises(ValueError, match="vertex index 9 does not exist"):
            mujoco.MjModel.from_xml_string(xml, assets={"a.msh": data})


def test_equal_content_is_one_file_and_equal_names_are_told_apart(tmp_path: Path) -> None:
    box, other = stl(BOX[SIDES]), stl(BOX[SIDES] + 1)
    result = packed(
        tmp_path, {"a/part.stl": box, "b/Part.STL": other, "c/copy.stl": box, "d/pa rt!.stl": stl(BOX[SIDES] + 2)}
    )
    assert {name: parts[0].file for (name, _), parts in result.meshes.items()} == {
        "a/part.stl": "robot_assets/part.stl",
        "b/Part.STL": "robot_assets/Part_1.STL",
        "c/copy.stl": "robot_assets/part.stl",
        "d/pa rt!.stl": "robot_assets/pa_rt.stl",
    }
    assert len(result.files) == 3


def test_names_cannot_leave_the_folder_or_speak_to_a_shell(tmp_path: Path) -> None:
    result = packed(tmp_path, {"..$(rm -rf x);é.stl": stl(BOX[SIDES])})
    assert list(result.files) == ["robot_assets/rm_-rf_x.stl"]


def test_assets_that_nothing_uses_are_left_alone(tmp_path: Path) -> None:
    scene = Scene("robot")
    (tmp_path / "a.stl").write_bytes(stl(BOX[SIDES]))
    scene.tables["asset"]["a"] = Asset(name="a", uri="a.stl", file=str(tmp_path / "a.stl"))
    scene.tables["asset"]["missing"] = Asset(name="missing", uri="b.stl")
    scene.add_body(Body(name="base", geoms=(Geom(name="g", role="visual", shape=Mesh(asset="missing")),)))
    assert pack(scene, "assets") == Packed()


def test_the_material_of_a_copied_obj_travels_with_its_texture(tmp_path: Path) -> None:
    Image.new("RGB", (4, 2), (200, 100, 50)).save(tmp_path / "wood.jpg")
    material = "newmtl wood\nKd 1 1 1\nmap_Kd wood.jpg\n"
    result = packed(tmp_path, {"a.mtl": material, "a.obj": "mtllib a.mtl\n" + obj(BOX, SIDES, "usemtl wood\n")})
    (part,) = parts_of(result, "a.obj")
    assert isinstance(result.files[part.file], Path)
    assert part.material is not None and part.material.texture == "robot_assets/wood.png"
    xml = '<mujoco><asset><texture type="2d" name="t" file="t.png"/></asset></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml, assets={"t.png": content_of(result, "robot_assets/wood.png")})
    assert (model.tex_width[0], model.tex_height[0]) == (4, 2)


def test_a_texture_of_a_material_is_placed_under_its_asset(tmp_path: Path) -> None:
    Image.new("RGB", (4, 2)).save(tmp_path / "skin.png")
    result = packed(tmp_path, {}, texture="skin.png")
    assert result.textures == {"image": "robot_assets/skin.png"}
    assert result.files == {"robot_assets/skin.png": tmp_path / "skin.png"}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_png_of_every_kind_is_kept_and_read_by_mujoco(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "t.png"
    Image.new(mode, (8, 4)).save(path)
    assert png(path, "t") == path
    xml = '<mujoco><asset><texture type="2d" name="t" file="t.png"/></asset></mujoco>'
    assert mujoco.MjModel.from_xml_string(xml, assets={"t.png": path.read_bytes()}).tex_width[0] == 8


@pytest.mark.parametrize(
    ("suffix", "mode"), [("jpg", "RGB"), ("bmp", "RGB"), ("tga", "RGBA"), ("tif", "RGB"), ("webp", "RGB")]
)
def test_other_images_become_png(tmp_path: Path, suffix: str, mode: str) -> None:
    path = tmp_path / f"t.{suffix}"
    Image.new(mode, (8, 4), (0, 0, 255, 255)[: len(mode)]).save(path)
    content = png(path, "t")
    assert isinstance(content, bytes)
    (tmp_path / "out.png").write_bytes(content)
    with Image.open(tmp_path / "out.png") as image:
        assert (image.mode, image.size) == (mode, (8, 4))


def test_images_that_are_broken_or_too_large_are_refused(tmp_path: Path) -> None:
    Image.new("1", (9000, 9000)).save(tmp_path / "bomb.png")
    Image.new("RGB", (64, 64)).save(tmp_path / "cut.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "cut.png").read_bytes()[:-30])
    (tmp_path / "text.png").write_text("no image")
    whole = (tmp_path / "cut.png").read_bytes()
    (tmp_path / "headless.png").write_bytes(whole[:8] + b"\0\0\0\0IEND\xaeB`\x82")
    for name in ("bomb.png", "cut.png", "text.png", "missing.png", "headless.png"):
        with pytest.raises(InputError, match=r"large|pixels|cannot be read"):
            png(tmp_path / name, name)
