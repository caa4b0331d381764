"""Mesh files made here, read, and held against their numbers; pycollada is the oracle for COLLADA."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh

from converters.assets.meshes.collada import UP
from converters.assets.meshes.files import MeshFile, load
from converters.context import InputError
from converters.convert import convert, read
from converters.validating import validate
from tests.oracles.in_mujoco import matrix
from tests.reports import explained, of_rule

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype=float)
SIDES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def stl(corners: np.ndarray, head: bytes = b"", tail: bytes = b"") -> bytes:
    """Binary STL of corners (m, 3, 3)."""
    table = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    table["corners"] = corners
    return head.ljust(80, b"\0") + struct.pack("<I", len(corners)) + table.tobytes() + tail


def corners_of(content: MeshFile) -> np.ndarray:
    """All triangles (m, 3, 3), each from its least corner, sorted."""
    triangles = np.concatenate([part.vertices[part.faces] for part in content.parts])
    turned = [np.roll(triangle, -min(range(3), key=lambda i: tuple(triangle[i])), axis=0) for triangle in triangles]
    return np.array(sorted(turned, key=lambda triangle: triangle.ravel().tolist()))


def same_triangles(content: MeshFile, expected: np.ndarray) -> bool:
    given = MeshFile(parts=content.parts)
    turned = [np.roll(triangle, -min(range(3), key=lambda i: tuple(triangle[i])), axis=0) for triangle in expected]
    wanted = np.array(sorted(turned, key=lambda triangle: triangle.ravel().tolist()))
    return corners_of(given).shape == wanted.shape and bool(np.allclose(corners_of(given), wanted, atol=1e-12))


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


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
    source = tmp_path / "r.urdf"
    mesh = '<geometry><mesh filename="a.obj"/></geometry>'
    source.write_text(f'<robot name="r"><link name="a"><visual>{mesh}</visual></link></robot>')
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


# COLLADA

SOURCE = (
    '<source id="{0}"><float_array id="{0}-a" count="{1}">{2}</float_array>'
    '<technique_common><accessor source="#{0}-a" count="{3}" stride="{4}">{5}</accessor></technique_common></source>'
)


def source(name: str, numbers: str, parameters: str) -> str:
    """A float source whose accessor has these one-letter parameters."""
    width, count = len(parameters), len(numbers.split())
    listed = "".join(f'<param name="{letter}" type="float"/>' for letter in parameters)
    return SOURCE.format(name, count, numbers, count // width, width, listed)


def dae(
    scene: str,
    unit: str = '<unit name="inch" meter="0.0254"/>',
    libraries: str = "",
    up: str = "Z_UP",
    primitives: str = '<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>',
) -> str:
    positions = source("pos", "0 0 0 1 0 0 0 2 0 0 0 3", "XYZ")
    normals = source("nor", "0 0 1 1 0 0", "XYZ")
    uvs = source("uv", "0 0 1 0 0 1", "ST")
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{unit}<up_axis>{up}</up_axis></asset>{libraries}
<library_geometries><geometry id="g" name="shape"><mesh>{positions}{normals}{uvs}
<vertices id="v"><input semantic="POSITION" source="#pos"/></vertices>
{primitives}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{scene}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


INSTANCE = '<instance_geometry url="#g"/>'
NESTED = f"""<node name="outer"><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
<node name="inner"><scale>2 2 2</scale><translate>1 0 0</translate>{INSTANCE}</node></node>"""


def test_nodes_are_baked_parent_times_child_with_the_unit_and_without_the_up_axis(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(NESTED, up="Y_UP")))
    # inner: 2 (v + x); outer: a quarter turn about z, then 10 x; all of it in inches
    expected = np.array([[[10, 2, 0], [10, 4, 0], [6, 2, 0]]]) * 0.0254
    assert same_triangles(content, expected)
    assert [part.name for part in content.parts] == ["inner"]


def test_an_up_axis_that_nobody_heeds_is_told_where_the_file_is_rewritten(tmp_path: Path) -> None:
    assert load(write(tmp_path / "a.dae", dae(NESTED, up="Y_UP"))).lost == (UP,)
    assert load(write(tmp_path / "b.dae", dae(NESTED))).lost == ()
    shown = '<visual><geometry><mesh filename="a.dae"/></geometry></visual>'
    source = write(tmp_path / "r.urdf", f'<robot name="r"><link name="l">{shown}</link></robot>')
    for target, said in (("r.xml", 1), ("r.glb", 1), ("r.sdf", 0), ("s.urdf", 0)):
        report = explained(convert(source, tmp_path / target))
        found = [each for each in of_rule(report, "assets/mesh-content") if UP in each.reason]
        assert [(each.action, each.severity, each.before) for each in found] == [("ignored", "note", "a.dae")] * said


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_gltf_that_a_model_names_is_taken_as_it_stands_and_that_is_told(tmp_path: Path, suffix: str) -> None:
    """Drake turns it, as the specification of glTF has it; Gazebo does not: nobody can be right."""
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
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "r.xml"))
    corners = model.mesh_vert @ matrix(model.mesh_quat[0]).T + model.mesh_pos[0]
    assert [corners.min(axis=0), corners.max(axis=0)] == pytest.approx(np.array([[0, 0, 0], [0.1, 0.2, 0.3]]))
    assert [breach.rule for breach in validate(source).breaches if breach.rule == "MESH-UP"] == ["MESH-UP"]


def hull_in_drake(source: Path) -> np.ndarray:
    """Lowest and highest corner of the hull of the only collision."""
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


@pytest.mark.parametrize("name", ["s", "g", "v"])
def test_one_id_may_be_that_of_a_scene_or_a_geometry_and_of_a_node(tmp_path: Path, name: str) -> None:
    """Autodesk's exporters write it so; each kind is looked for by itself, as assimp and Gazebo do."""
    content = load(write(tmp_path / "a.dae", dae(f'<node id="{name}">{INSTANCE}</node>', unit="")))
    assert same_triangles(content, TETRAHEDRON[np.array([[0, 1, 2]])]) and content.lost == ()


@pytest.mark.parametrize(
    "transform",
    [
        "<matrix>0 -1 0 1 1 0 0 2 0 0 1 3 0 0 0 1</matrix>",
        "<rotate>0.6 0 0.8 40</rotate><translate>1 2 3</translate><scale>1 2 3</scale>",
        "<translate>1 2 3</translate><rotate>0 0 1 30</rotate><rotate>0 1 0 -20</rotate>",
    ],
)
def test_transforms_agree_with_pycollada(tmp_path: Path, transform: str) -> None:
    import collada

    scene = f"<node>{transform}<node><rotate>0 0 1 15</rotate>{INSTANCE}</node></node>"
    path = write(tmp_path / "a.dae", dae(scene))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = collada.Collada(str(path))
        bound = [item for geometry in document.scene.objects("geometry") for item in geometry.primitives()]
    expected = np.concatenate([item.vertex[item.vertex_index] for item in bound]) * 0.0254
    got = corners_of(load(path))
    assert np.allclose(np.sort(got.reshape(-1, 3), axis=0), np.sort(expected.reshape(-1, 3), axis=0), atol=1e-6)


def test_look_at_puts_the_origin_at_the_eye_and_minus_z_towards_the_point(tmp_path: Path) -> None:
    # Not against pycollada 0.9.3, which makes a singular matrix of it.
    scene = f"<node><lookat>0 0 5 0 0 0 0 1 0</lookat>{INSTANCE}</node>"
    content = load(write(tmp_path / "a.dae", dae(scene, unit="")))
    assert same_triangles(content, TETRAHEDRON[np.array([[0, 1, 2]])] + [0, 0, 5])
    scene = f"<node><lookat>5 0 0 0 0 0 0 0 1</lookat>{INSTANCE}</node>"
    content = load(write(tmp_path / "b.dae", dae(scene, unit="")))
    assert same_triangles(content, np.array([[[5, 0, 0], [5, 1, 0], [5, 0, 2]]]))


def test_a_rotation_about_an_axis_that_is_not_a_unit_vector_keeps_lengths(tmp_path: Path) -> None:
    # Not against pycollada 0.9.3, which shears.
    scene = f"<node><rotate>0 0 7 90</rotate>{INSTANCE}</node>"
    content = load(write(tmp_path / "a.dae", dae(scene, unit="")))
    assert same_triangles(content, np.array([[[0, 0, 0], [0, 1, 0], [-2, 0, 0]]]))


def test_a_mirroring_node_turns_its_faces_round(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(f"<node><scale>-1 1 1</scale>{INSTANCE}</node>", unit="")))
    assert same_triangles(content, np.array([[[0, 0, 0], [0, 2, 0], [-1, 0, 0]]]))


@pytest.mark.parametrize("suffix", ["xml", "glb"])
def test_what_nobody_shows_of_a_mesh_file_is_ignored_and_told(tmp_path: Path, suffix: str) -> None:
    scene = f'<node>{INSTANCE}</node><node><instance_camera url="#c"/></node><node><instance_light url="#l"/></node>'
    write(tmp_path / "a.dae", dae(scene))
    mesh = '<link name="a"><visual><geometry><mesh filename="a.dae"/></geometry></visual></link>'
    source = write(tmp_path / "m.urdf", f'<robot name="m">{mesh}</robot>')
    report = convert(source, tmp_path / f"m.{suffix}")
    told = {
        (each.action.value, each.reason.rpartition(": ")[2])
        for each in report.findings
        if each.rule == "assets/mesh-content"
    }
    assert told == {("ignored", "cameras"), ("ignored", "lights")}


LIBRARIES = """<library_images>
<image id="wood_png"><init_from>../textures/wood.png</init_from></image></library_images>
<library_effects><effect id="e1"><profile_COMMON>
<newparam sid="surf"><surface type="2D"><init_from>wood.png</init_from></surface></newparam>
<newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam><technique sid="c"><phong>
<emission><color>0 0 0 1</color></emission>
<diffuse><texture texture="samp" texcoord="UV"/></diffuse></phong></technique>
</profile_COMMON></effect>
<effect id="e2"><profile_COMMON><technique sid="c"><lambert><diffuse><color>0.1 0.2 0.3 1</color></diffuse>
TRANSPARENCY</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m1" name="Wood"><instance_effect url="#e1"/></material>
<material id="m2" name="Paint"><instance_effect url="#e2"/></material></library_materials>"""

BOUND = """<node name="body"><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="a" target="#m1">
<bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material>
<instance_material symbol="b" target="#m2"/></technique_common></bind_material></instance_geometry></node>"""

TWO_MATERIALS = """<triangles count="1" material="a"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#nor" offset="1"/><input semantic="TEXCOORD" source="#uv" offset="2" set="0"/>
<p>0 0 0 1 0 1 2 1 2</p></triangles>
<polylist count="1" material="b">
<input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
<lines count="1" material="b"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>"""


def test_two_materials_are_two_parts_and_a_texture_whose_image_id_is_misspelt_is_found(tmp_path: Path) -> None:
    image = write(tmp_path / "pack" / "textures" / "wood.png", b"image")
    text = dae(BOUND, libraries=LIBRARIES.replace("TRANSPARENCY", ""), primitives=TWO_MATERIALS)
    content = load(write(tmp_path / "pack" / "meshes" / "a.dae", text))
    wood, paint = content.parts
    assert wood.material is not None and wood.material.texture is not None and paint.material is not None
    assert Path(wood.material.texture).resolve() == image.resolve()
    assert (wood.material.name, paint.material.name) == ("Wood", "Paint")
    assert paint.material.rgba == (0.1, 0.2, 0.3, 1.0)
    assert (len(wood.faces), len(paint.faces)) == (1, 2)
    assert (
        wood.uvs is not None
        and wood.uv_faces is not None
        and wood.normals is not None
        and wood.normal_faces is not None
    )
    assert wood.uvs[wood.uv_faces].tolist() == [[[0, 0], [1, 0], [0, 1]]]
    assert wood.normals[wood.normal_faces].tolist() == [[[0, 0, 1], [0, 0, 1], [1, 0, 0]]]
    assert content.lost == ("lines",)


@pytest.mark.parametrize(
    ("words", "alpha"),
    [
        ("", 1.0),
        ("<transparent><color>1 1 1 1</color></transparent><transparency><float>1</float></transparency>", 1.0),
        ("<transparent><color>1 1 1 0.5</color></transparent><transparency><float>0.5</float></transparency>", 0.25),
        (
            '<transparent opaque="RGB_ZERO"><color>0 0 0 1</color></transparent>'
            "<transparency><float>1</float></transparency>",
            1.0,
        ),
        (
            '<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>'
            "<transparency><float>0.4</float></transparency>",
            0.6,
        ),
        ('<transparent opaque="A_ZERO"><color>1 1 1 0.25</color></transparent>', 0.75),
        ("<transparency><float>0.3</float></transparency>", 0.3),
        ("<transparency><float>0</float></transparency>", 1.0),
        ("<transparent><color>1 1 1 .5</color></transparent><transparency><float>inf</float></transparency>", 0.5),
    ],
)
def test_opacity_follows_the_mode_of_the_effect(tmp_path: Path, words: str, alpha: float) -> None:
    text = dae(BOUND, libraries=LIBRARIES.replace("TRANSPARENCY", words), primitives=TWO_MATERIALS)
    content = load(write(tmp_path / "a.dae", text))
    material = content.parts[1].material
    assert material is not None
    assert material.rgba[3] == pytest.approx(alpha, abs=1e-6)
    assert any("entirely transparent" in sentence for sentence in content.lost) is ("<float>0<" in words)


def test_a_material_that_is_missing_does_not_cost_the_geometry(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(BOUND, primitives=TWO_MATERIALS)))
    assert sum(len(part.faces) for part in content.parts) == 3
    missing = {f"material {name!r}, which the file does not define" for name in ("m1", "m2")}
    assert set(content.lost) == missing | {"lines"}


def test_garbage_after_the_document_is_read_over_and_said(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(f"<node>{INSTANCE}</node>") + "<trailing/>"))
    assert len(content.parts[0].faces) == 1
    assert "strict XML parser" in content.lost[0]


@pytest.mark.parametrize("kind", ["tristrips", "trifans", "polygons"])
def test_strips_fans_and_polygons_keep_their_winding(tmp_path: Path, kind: str) -> None:
    order = {"tristrips": "0 1 2 3", "trifans": "0 1 3 2", "polygons": "0 1 3 2"}[kind]
    primitives = f'<{kind} count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>{order}</p></{kind}>'
    content = load(write(tmp_path / "a.dae", dae(f"<node>{INSTANCE}</node>", unit="", primitives=primitives)))
    wanted = [[0, 1, 2], [2, 1, 3]] if kind == "tristrips" else [[0, 1, 3], [0, 3, 2]]
    assert same_triangles(content, TETRAHEDRON[np.array(wanted)])


def test_lights_and_cameras_of_the_scene_are_reported(tmp_path: Path) -> None:
    scene = f'<node>{INSTANCE}<instance_light url="#l"/></node><node><instance_camera url="#c"/></node>'
    assert load(write(tmp_path / "a.dae", dae(scene))).lost == ("lights", "cameras")


# other formats and bad files


@pytest.mark.parametrize("suffix", ["glb", "ply", "off"])
def test_formats_that_trimesh_reads_keep_their_triangles(tmp_path: Path, suffix: str) -> None:
    import trimesh

    path = tmp_path / f"a.{suffix}"
    trimesh.Trimesh(TETRAHEDRON, SIDES, process=False).export(path)
    assert same_triangles(load(path), TETRAHEDRON[SIDES])


BOMB = '<?xml version="1.0"?><!DOCTYPE COLLADA [<!ENTITY a "aaaa">]><COLLADA>&a;</COLLADA>'
LOOP = f'<node id="n">{INSTANCE}<instance_node url="#n"/></node>'


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.stl", b"", "not an STL"),
        ("a.stl", stl(TETRAHEDRON[SIDES])[:-7], "truncated"),
        ("a.stl", stl(np.zeros((0, 3, 3))), "no faces"),
        ("a.stl", stl(np.full((4, 3, 3), np.nan)), "not finite"),
        ("a.stl", b"solid x\nfacet\nvertex 1 2 x\n", "not a number"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\n", "no faces"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "cannot be read"),
        ("a.obj", b"v 0 0 x\nv 0 0 0\nv 1 1 1\nf 1 2 3\n", "cannot be read"),
        ("a.obj", b"\x00\xff\x10", "no faces"),
        ("a.dae", b"", "not XML"),
        ("a.dae", b"PK\x03\x04", "not XML"),
        ("a.dae", b"<svg/>", "not COLLADA"),
        ("a.dae", BOMB.encode(), "document type"),
        ("a.dae", dae("").encode(), "no faces"),
        ("a.dae", dae(LOOP).encode(), "instances itself"),
        ("a.dae", dae(f"<node><matrix>1 0</matrix>{INSTANCE}</node>").encode(), "cannot be read"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace("0 1 2</p>", "0 1 9</p>").encode(), "cannot be read"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace('offset="0"', 'offset="-1"').encode(), "offset -1"),
        ("a.dae", dae(f"<node>{INSTANCE}</node>").replace("0 0 0 1", "0 x 0 1").encode(), "cannot be read"),
        ("a.glb", b"glTF", "cut off"),
        ("a.gltf", b'{"buffers":[{"byteLength":9,"uri":"../../etc/passwd"}]}', "leads out of the folder"),
        ("a.gltf", b'{"accessors":[{"count":2000000000}]}', "no faces"),
        ("a.gltf", b'{"extensionsRequired":["EXT_meshopt_compression"]}', "is not known here"),
        ("a.ply", b"ply\nnonsense", "cannot be read"),
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
