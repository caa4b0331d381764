"""Generated mesh files are read and compared with their numbers: STL, OBJ, and what trimesh reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from converters.assets.meshes.extent import dimensions
from converters.assets.meshes.files import load
from converters.assets.meshes.parts import compact
from converters.assets.meshes.sampled import ledger
from converters.context import InputError
from converters.convert import convert, read
from converters.validating import validate
from ir.base import Vec3
from ir.pose import from_rpy, matrix_rows
from tests.converters.meshes import INSTANCE, TETRAHEDRON, corners_of, dae, same_triangles, stl, write
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.oracles.in_mujoco import matrix, mujoco_model
from tests.reports import explained, of_rule

SIDES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


# STL


@pytest.mark.parametrize("head", [b"", b"solid but binary", b"COLOR=\xff\xff\xff\xff"])
def test_binary_stl_is_told_by_its_size_whatever_its_header_says(tmp_path: Path, head: bytes) -> None:
    content = load(write(tmp_path / "a.STL", stl(TETRAHEDRON[SIDES], head)))
    assert len(content.parts[0].vertices) == 4, "equal corners are one vertex"
    assert same_triangles(content, TETRAHEDRON[SIDES])
    assert content.lost == ()


def test_ascii_stl_keeps_every_digit(tmp_path: Path) -> None:
    rows = ["0.1 0 0", "1.23456789012 0 0", "0 1e-3 0"]
    text = "solid x\n facet normal 0 0 1\n  outer loop\n" + "".join(f"   vertex {row}\n" for row in rows)
    content = load(write(tmp_path / "a.stl", text + "  endloop\n endfacet\nendsolid x\n"))
    assert content.parts[0].vertices.tolist() == [[0.1, 0, 0], [1.23456789012, 0, 0], [0, 1e-3, 0]]


def test_bytes_after_the_last_face_are_reported(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.stl", stl(TETRAHEDRON[SIDES], tail=b"12345")))
    assert same_triangles(content, TETRAHEDRON[SIDES])
    assert content.lost == ("5 bytes after the last face",)


# OBJ

TWO_OBJECTS = """mtllib looks.mtl
o first thing
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
usemtl red
f 1/1/1 2/2/1 3/3/1 4/4/1
o second
v 0 0 5
v 1 0 5
v 0 1 5
v 1 1 5
v 2 2 6
usemtl glass
f -5//1 -4//1 -3//1
usemtl red
f 6 8 9 7 5
l 1 2
"""


def test_obj_gives_one_part_for_each_object_and_material(tmp_path: Path) -> None:
    write(tmp_path / "looks.mtl", "newmtl red\nKd 1 0 0\nnewmtl glass\nKd 0 0 1\nTr 0.75\n")
    content = load(write(tmp_path / "a.obj", TWO_OBJECTS))
    assert [(part.name, part.material and part.material.name, len(part.faces)) for part in content.parts] == [
        ("first thing", "red", 2),
        ("second", "glass", 1),
        ("second", "red", 3),
    ]
    assert [part.material and part.material.rgba for part in content.parts] == [
        (1, 0, 0, 1),
        (0, 0, 1, 0.25),
        (1, 0, 0, 1),
    ]
    first, glass, pentagon = content.parts
    assert first.uvs is not None and first.uv_faces is not None
    assert first.uvs[first.uv_faces[1]].tolist() == [[0, 0], [1, 1], [0, 1]]
    assert glass.vertices.tolist() == [[0, 0, 5], [1, 0, 5], [0, 1, 5]] and glass.uvs is None
    assert glass.normals is not None and glass.normals.tolist() == [[0, 0, 1]]
    assert pentagon.normals is None and len(pentagon.vertices) == 5
    assert content.lost == ("lines",)


def test_a_texture_is_found_after_options_and_with_blanks_in_its_name(tmp_path: Path) -> None:
    image = write(tmp_path / "textures" / "my wood.png", b"image")
    write(
        tmp_path / "m" / "a.mtl",
        "newmtl wood\nKd 0 0 0\nmap_Kd -clamp on -s 1 1 1 ../textures/my wood.png\nbump b.png\n",
    )
    text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl wood\nf 1 2 3\n"
    content = load(write(tmp_path / "m" / "a.obj", text))
    material = content.parts[0].material
    assert material is not None and material.texture is not None
    assert Path(material.texture).resolve() == image.resolve()
    assert material.rgba == (1, 1, 1, 1), "a black factor would hide the texture"
    assert content.lost == ("the texture's option -clamp of material 'wood'", "bump of material 'wood'")


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("mtllib ALX02-02-A01 Base Link.mtl", ["ALX02-02-A01 Base Link.mtl"]),
        ("mtllib  other.mtl looks.mtl", ["other.mtl", "looks.mtl"]),
        ("mtllib other.mtl Base Link.mtl", ["other.mtl", "Base Link.mtl"]),
    ],
)
def test_material_files_may_have_blanks_in_their_names(tmp_path: Path, line: str, files: list[str]) -> None:
    for name in files:
        write(tmp_path / name, f"newmtl {name}\nKd 0 0 1\n")
    text = f"{line}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl {files[-1]}\nf 1 2 3\n"
    content = load(write(tmp_path / "a.obj", text))
    assert content.parts[0].material is not None and content.parts[0].material.rgba == (0, 0, 1, 1)
    assert content.lost == ()


@pytest.mark.parametrize(
    ("corners", "has_uvs", "has_normals"),
    [
        ("1/1/1 2/2/1 3/3/1", True, True),
        ("1//1 2//1 3//1", False, True),
        ("1/1 2/2 3/3", True, False),
        ("1/1/ 2/2/ 3/3", True, False),
        ("1 2/2 3//1", False, False),
        ("1//1 2/2/1 3/3/1", False, True),
        ("-3/-3/-1 -2/-2/-1 -1/-1/-1", True, True),
        ("1 2 3 # end", False, False),
    ],
)
def test_corners_are_read_however_they_are_written(
    tmp_path: Path, corners: str, has_uvs: bool, has_normals: bool
) -> None:
    text = f"v 0 0 0\nvn 0 0 1\nvt 0 0\nv 1 0 0 # two\nvt 1 0 0\nv 0 1\nvt 0 1\nf {corners}\n"
    part = load(write(tmp_path / "a.obj", text)).parts[0]
    assert part.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]] and part.faces.tolist() == [[0, 1, 2]]
    assert (part.uvs is not None, part.normals is not None) == (has_uvs, has_normals)
    part = load(write(tmp_path / "b.obj", text + "f 1 2 3 1\n")).parts[0]
    assert part.faces.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 0]]
    assert part.uvs is None and part.normals is None, "not every corner has them"


def test_a_texture_outside_the_package_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "secret.png", b"image")
    write(tmp_path / "pack" / "package.xml", "<package><name>pack</name></package>")
    write(tmp_path / "pack" / "m" / "a.mtl", "newmtl x\nKd 1 1 1\nmap_Kd ../../secret.png\n")
    text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n"
    content = load(write(tmp_path / "pack" / "m" / "a.obj", text))
    assert content.parts[0].material is not None and content.parts[0].material.texture is None
    assert content.lost == ("texture '../../secret.png' of material 'x', which is not there",)


def test_entirely_transparent_is_taken_as_opaque_and_said(tmp_path: Path) -> None:
    write(tmp_path / "a.mtl", "newmtl x\nKd 1 1 1\nd 0\n")
    content = load(write(tmp_path / "a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n"))
    assert content.parts[0].material is not None and content.parts[0].material.rgba == (1, 1, 1, 1)
    assert len(content.lost) == 1 and "entirely transparent" in content.lost[0]


@pytest.mark.parametrize("line", ["d nan", "d inf", "Tr nan", "d nan\nTr 0", "Ns inf", "Ke nan 0 0"])
def test_a_look_that_is_no_number_is_none(tmp_path: Path, line: str) -> None:
    write(tmp_path / "a.mtl", f"newmtl x\nKd 1 1 1\n{line}\n")
    content = load(write(tmp_path / "a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n"))
    look = content.parts[0].material
    assert look is not None and (look.rgba, look.shininess, look.emissive) == ((1, 1, 1, 1), None, None)
    mesh = '<geometry><mesh filename="a.obj"/></geometry>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a"><visual>{mesh}</visual></link></robot>')
    for suffix in (".glb", ".xml", ".sdf"):
        explained(convert(source, tmp_path / "out" / f"r{suffix}"))


def test_a_part_with_a_broken_number_is_left_out_and_named(tmp_path: Path) -> None:
    text = "o good\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no bad\nv nan 0 0\nf 1 2 4\n"
    content = load(write(tmp_path / "a.obj", text))
    assert [part.name for part in content.parts] == ["good"]
    assert content.lost == ("'bad', with a vertex coordinate that is not finite",)


def test_continued_lines_line_endings_and_comments_do_not_matter(tmp_path: Path) -> None:
    plain = load(write(tmp_path / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n"))
    odd = "\ufeff# head\r\nv 0 0 0 1 0 0\r\nv\t1 0 0\r\nv 0 1 0\r\n  v 1 1 0\r\nf 1 2 \\\r\n 4 3 # tail\r\n"
    other = load(write(tmp_path / "b.obj", odd))
    assert np.array_equal(corners_of(plain), corners_of(other))


# other formats and bad files


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_gltf_that_a_model_names_is_taken_as_it_stands_and_that_is_told(tmp_path: Path, suffix: str) -> None:
    """Drake rotates it, by the specification of glTF; Gazebo does not: no result suits both."""
    part = trimesh.creation.box(bounds=[[0, 0, 0], [0.1, 0.2, 0.3]])
    if suffix == ".glb":
        part.export(tmp_path / "m.glb")
    else:
        for name, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(part)).items():
            (tmp_path / ("m.gltf" if name == "model.gltf" else name)).write_bytes(data)
    shape = f'<geometry><mesh filename="m{suffix}"/></geometry>'
    text = f'<robot name="r"><link name="l"><visual>{shape}</visual><collision>{shape}</collision></link></robot>'
    source = write(tmp_path / "r.urdf", text)
    if suffix == ".gltf":
        assert hull_in_drake(source) == pytest.approx(np.array([[0, -0.3, 0], [0.1, 0, 0.2]]))
    for target in ("r.xml", "r.sdf", "r.glb"):
        (told,) = of_rule(explained(convert(source, tmp_path / target)), "assets/up-axis")
        assert (told.action, told.before) == ("noted", f"m{suffix}")
        convert(tmp_path / target, tmp_path / "back.urdf")
        assert read(tmp_path / "back.urdf") == read(source)
    assert not of_rule(convert(source, tmp_path / "same.urdf"), "assets/up-axis")
    model = mujoco_model(tmp_path / "r.xml")
    corners = model.mesh_vert @ matrix(model.mesh_quat[0]).T + model.mesh_pos[0]
    assert [corners.min(axis=0), corners.max(axis=0)] == pytest.approx(np.array([[0, 0, 0], [0.1, 0.2, 0.3]]))
    assert [breach.rule for breach in validate(source).breaches if breach.rule == "MESH-UP"] == ["MESH-UP"]


def hull_in_drake(source: Path) -> np.ndarray:
    """Return the lowest and highest corner of the hull of the only collision."""
    from pydrake.geometry import Role
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder

    plant, graph = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.0)
    Parser(plant).AddModels(str(source))
    plant.Finalize()
    inspector = graph.model_inspector()
    (shape,) = inspector.GetAllGeometryIds(Role.kProximity)
    hull = inspector.GetConvexHull(shape)
    corners = np.array([hull.vertex(number) for number in range(hull.num_vertices())])
    return np.array([corners.min(axis=0), corners.max(axis=0)])


@pytest.mark.parametrize("suffix", ["glb", "ply", "off"])
def test_formats_that_trimesh_reads_keep_their_triangles(tmp_path: Path, suffix: str) -> None:
    import trimesh

    path = tmp_path / f"a.{suffix}"
    trimesh.Trimesh(TETRAHEDRON, SIDES, process=False).export(path)
    assert same_triangles(load(path), TETRAHEDRON[SIDES])


PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property float nx
property float ny
property float nz
property float s
property float t
element face 4
property list uchar int vertex_indices
end_header
0 0 0 -0.6 0 -0.8 0 0
1 0 0 1 0 0 0.25 0
0 1 0 0 1 0 0 0.5
0 0 1 0 0 1 0.75 1
3 0 2 1
3 0 1 3
3 1 2 3
3 0 3 2
"""


PLAIN_PLY = (
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 {}\n"
)


def test_a_ply_that_is_cut_off_says_what_it_lacks(tmp_path: Path) -> None:
    whole = PLAIN_PLY.format("2").replace("face 1", "face 5")
    assert load(write(tmp_path / "a.ply", PLAIN_PLY.format("2"))).lost == ()
    assert load(write(tmp_path / "b.ply", whole)).lost == (
        "4 rows that its header declares and the file does not have",
    )


def test_normals_and_texture_coordinates_of_a_ply_are_taken(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.ply", PLY))
    rows = np.array([line.split() for line in PLY.splitlines()[14:18]], dtype=float)
    (part,) = content.parts
    assert np.array_equal(part.vertices[part.faces], rows[SIDES][..., :3])
    assert part.normals[part.normal_faces] == pytest.approx(rows[SIDES][..., 3:6])
    assert part.uvs[part.uv_faces] == pytest.approx(rows[SIDES][..., 6:])
    assert content.lost == ()


@pytest.mark.parametrize(
    ("attributes", "more", "lost"),
    [({}, {"targets": [{"POSITION": 0}]}, ("morph targets",)), ({"TEXCOORD_1": True, "_MINE": True}, {}, ())],
)
def test_what_a_gltf_says_of_vertices_and_nobody_takes_is_told(
    tmp_path: Path, attributes: dict[str, bool], more: dict[str, Any], lost: tuple[str, ...]
) -> None:
    made = Made()
    colours = made.array(np.ones((4, 4), dtype=np.float32))
    made.scene(made.node(mesh=made.mesh(made.primitive(attributes=dict.fromkeys(attributes, colours), **more))))
    (tmp_path / "a.glb").write_bytes(made.glb())
    assert load(tmp_path / "a.glb").lost == lost
    told = [each.reason for each in load(tmp_path / "a.glb").untold(hidden=True)]
    assert [*told] == [f"not taken from the mesh file: {each}" for each in lost]


BOMB = '<?xml version="1.0"?><!DOCTYPE COLLADA [<!ENTITY a "aaaa">]><COLLADA>&a;</COLLADA>'
LOOP = f'<node id="n">{INSTANCE}<instance_node url="#n"/></node>'


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.stl", b"", "is empty"),
        ("a.stl", stl(TETRAHEDRON[SIDES])[:-7], "truncated"),
        ("a.stl", stl(np.zeros((0, 3, 3))), "no faces"),
        ("a.stl", stl(np.full((4, 3, 3), np.nan)), "not finite"),
        ("a.stl", b"solid x\nfacet\nvertex 1 2 x\n", "a.stl:3: .*not a number: .x. is no number"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\n", "no faces"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "a.obj:2: .*face index 2 is outside the file: there are 1 lines"),
        ("a.obj", b"v 0 0 x\nv 0 0 0\nv 1 1 1\nf 1 2 3\n", "a.obj:1: .*x. is no number"),
        ("a.obj", b"v 0 0 0\nv 0 1 0\nv 1 1 1\nf 1 2 y\n", "a.obj:4: .*y. is no corner of a face"),
        *(
            (f"a.{each}", b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull")
            for each in ("obj", "stl", "dae")
        ),
        ("a.stl", b"<!DOCTYPE html><html>", "is a web page"),
        ("a.obj", b"\x00\xff\x10", "no faces"),
        ("a.dae", b"", "is empty"),
        ("a.dae", b"PK\x03\x04", "not XML"),
        ("a.dae", b"<svg/>", "not COLLADA"),
        ("a.dae", BOMB.encode(), "document type"),
        ("a.dae", dae("").encode(), "no faces"),
        ("a.dae", dae("<node>" * 5000 + INSTANCE + "</node>" * 5000).encode(), "no faces; left out: .*xcessive depth"),
        ("a.dae", dae('<node><instance_geometry url="#QQQ"/></node>').encode(), "no faces; left out: .*'#QQQ'"),
        ("a.dae", dae(LOOP).encode(), "instances itself"),
        ("a.dae", dae(f"<node><matrix>1 0</matrix>{INSTANCE}</node>").encode(), "cannot be read"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace("0 1 2</p>", "0 1 9</p>").encode(), "cannot be read"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace('offset="0"', 'offset="-1"').encode(), "offset -1"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace("0 0 0 1", "0 x 0 1").encode(), "x. is no number"),
        ("a.glb", b"glTF", "cut off"),
        ("a.gltf", b'{"buffers":[{"byteLength":9,"uri":"../../etc/passwd"}]}', "leads out of the folder"),
        ("a.gltf", b'{"accessors":[{"count":2000000000}]}', "no faces"),
        ("a.gltf", b'{"extensionsRequired":["EXT_meshopt_compression"]}', "is not known here"),
        ("a.ply", b"ply\nnonsense", "not a PLY, or its header does not end"),
        ("a.ply", PLAIN_PLY.format("9").encode(), "face index 9 is outside the 3 rows"),
        ("a.ply", PLAIN_PLY.format("-2").encode(), "face index -2 is outside the 3 rows"),
        ("a.fbx", b"x", "no reader"),
        ("missing.stl", None, "cannot be read"),
    ],
)
def test_a_bad_file_is_one_message_with_its_path(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        load(path)
    assert str(path) in caught.value.message


def test_what_only_follows_from_a_material_file_that_is_not_there_is_not_told(tmp_path: Path) -> None:
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    (tmp_path / "a.obj").write_text(f"mtllib gone.mtl\n{corners}usemtl red\nf 1 2 3\n")
    assert load(tmp_path / "a.obj").lost == ("material file 'gone.mtl', which is not there",)
    (tmp_path / "gone.mtl").write_text("newmtl blue\nKd 0 0 1\n")
    assert load(tmp_path / "a.obj").lost == ("material 'red', which no material file defines",)


@pytest.mark.parametrize("count", [60, 300, 3000])
@pytest.mark.parametrize(
    ("sides", "found"),
    [((0, 0, 0), 0), ((1, 0, 0), 1), ((1, 1e-8, 1e-8), 1), ((1, 1, 1e-8), 2), ((1, 1, 1e-4), 3), ((1, 1, 1), 3)],
)
def test_what_is_thinner_than_single_precision_tells_is_flat(sides: Vec3, found: int, count: int) -> None:
    turn = np.array(matrix_rows(from_rpy((0.3, -0.7, 1.1))))
    points = np.random.default_rng(0).random((count, 3)) * sides @ turn.T * 40 + (5, -3, 0)
    assert dimensions(points) == found


@pytest.mark.parametrize(("faces", "said"), [([0, 1, -1], "face index -1"), ([0, 1, 3], "face index 3")])
def test_the_index_that_leads_nowhere_is_the_one_that_is_told(faces: list[int], said: str) -> None:
    with pytest.raises(IndexError, match=said):
        compact(np.zeros((3, 3)), np.array([faces], dtype=np.int64))


@pytest.mark.parametrize("corners", [True, False])
def test_of_a_mesh_only_what_is_compared_is_sampled(tmp_path: Path, corners: bool) -> None:
    file = write(tmp_path / "a.stl", stl(TETRAHEDRON[SIDES]))
    with ledger(corners=corners, tables=not corners) as opened:
        load(file)
    (sample,) = opened[str(file), ""]
    assert (sample.triangles, sample.vertices) == (4, 4)
    assert (sample.corners is not None, sample.tables is not None) == (corners, not corners)
