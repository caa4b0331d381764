"""Generated COLLADA files are read and compared with their numbers and with pycollada."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from converters.assets.meshes.files import load
from converters.assets.meshes.parts import UP
from converters.convert import convert
from tests.converters.meshes import INSTANCE, TETRAHEDRON, corners_of, dae, same_triangles, source, write
from tests.reports import explained, of_rule

NESTED = f"""<node name="outer"><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
<node name="inner"><scale>2 2 2</scale><translate>1 0 0</translate>{INSTANCE}</node></node>"""


def test_nodes_are_baked_parent_times_child_with_the_unit_and_without_the_up_axis(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(NESTED, up="Y_UP")))
    # inner: 2 (v + x); outer: a quarter turn about z, then 10 x; all of it in inches
    expected = np.array([[[10, 2, 0], [10, 4, 0], [6, 2, 0]]]) * 0.0254
    assert same_triangles(content, expected)
    assert [part.name for part in content.parts] == ["inner"]


def test_an_up_axis_that_nobody_heeds_is_told_where_the_file_is_rewritten_or_drawn(tmp_path: Path) -> None:
    assert load(write(tmp_path / "a.dae", dae(NESTED, up="Y_UP"))).lost == (UP,)
    assert load(write(tmp_path / "b.dae", dae(NESTED))).lost == ()
    shown = '<visual><geometry><mesh filename="a.dae"/></geometry></visual>'
    source = write(tmp_path / "r.urdf", f'<robot name="r"><link name="l">{shown}</link></robot>')
    for target, said in (("r.xml", 1), ("r.glb", 1), ("r.png", 1), ("r.sdf", 0), ("s.urdf", 0)):
        report = explained(convert(source, tmp_path / target))
        found = [each for each in of_rule(report, "assets/mesh-content") if UP in each.reason]
        assert [(each.action, each.severity, each.before) for each in found] == [("ignored", "note", "a.dae")] * said


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


SKIN = """<library_controllers><controller id="k"><skin source="#g">{}
<source id="names"><Name_array id="n" count="1">hip</Name_array><technique_common>
<accessor source="#n" count="1" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="binds"><float_array id="b" count="16">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common>
<accessor source="#b" count="1" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor>
</technique_common></source>
<source id="weights"><float_array id="w" count="1">1</float_array><technique_common>
<accessor source="#w" count="1" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#names"/><input semantic="INV_BIND_MATRIX" source="#binds"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#names" offset="0"/><input semantic="WEIGHT" source="#weights"
offset="1"/><vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers>"""


@pytest.mark.parametrize(
    "bound", ["", "<bind_shape_matrix>0 -2 0 1 2 0 0 2 0 0 2 3 0 0 0 1</bind_shape_matrix>"], ids=["none", "scaled"]
)
def test_a_skin_stands_where_its_bind_shape_does_as_in_pycollada(tmp_path: Path, bound: str) -> None:
    import collada

    shown = '<instance_controller url="#k"/>'
    scene = f"<node><translate>1 2 3</translate><rotate>0 0 1 15</rotate>{shown}</node>"
    path = write(tmp_path / "a.dae", dae(scene, libraries=SKIN.format(bound)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = collada.Collada(str(path))
        (skin,) = document.scene.objects("controller")
        bound_to = [item.vertex[item.vertex_index] for item in skin.geometry.primitives()]
    expected = np.concatenate(bound_to) * 0.0254
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
    told = {(each.action.value, each.reason.rpartition(": ")[2]) for each in of_rule(report, "assets/mesh-content")}
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


@pytest.mark.parametrize(("number", "expected"), [("0", "#uv"), ("1", "#back"), ("7", "#uv"), ("", "#uv")])
def test_a_texture_lies_by_the_coordinates_that_its_binding_names(tmp_path: Path, number: str, expected: str) -> None:
    """The coordinates of that set; those of the first if there is no such set."""
    two = TWO_MATERIALS.replace("<p>0 0 0", '<input semantic="TEXCOORD" source="#back" offset="2" set="1"/><p>0 0 0')
    text = dae(BOUND.replace('input_set="0"', f'input_set="{number}"'), libraries=LIBRARIES, primitives=two)
    text = text.replace("<vertices", source("back", "1 1 0 1 1 0", "ST") + "<vertices")
    part = load(write(tmp_path / "a.dae", text)).parts[0]
    assert part.uvs is not None and part.uv_faces is not None
    rows = {"#uv": [[0, 0], [1, 0], [0, 1]], "#back": [[1, 1], [0, 1], [1, 0]]}
    assert part.uvs[part.uv_faces].tolist() == [rows[expected]]


@pytest.mark.parametrize(
    ("right", "wrong", "left"),
    [
        ("0 0 1 1 0 0", "0 0 1 1 0 nan", ["uvs"]),
        ("0 0 1 0 0 1</float_array>", "0 0 1 0 0 inf</float_array>", ["normals"]),
        ("<p>0 0 0 1 0 1 2 1 2</p>", "<p>0 0 0 1 0 1 2 9 2</p>", ["uvs"]),
        ("<p>0 0 0 1 0 1 2 1 2</p>", "<p>0 0 0 1 0 1 2 1 9</p>", ["normals"]),
    ],
)
def test_what_a_mesh_can_do_without_is_left_out_where_it_is_broken(
    tmp_path: Path, right: str, wrong: str, left: list[str]
) -> None:
    text = dae(BOUND, libraries=LIBRARIES, primitives=TWO_MATERIALS)
    assert text.count(right) == 1
    part = load(write(tmp_path / "a.dae", text.replace(right, wrong))).parts[0]
    tables = {"normals": (part.normals, part.normal_faces), "uvs": (part.uvs, part.uv_faces)}
    assert [name for name, (table, faces) in tables.items() if table is not None and faces is not None] == left
    assert all((table is None) is (faces is None) for table, faces in tables.values())


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


@pytest.mark.parametrize("name", ["s", "g", "v"])
def test_one_id_may_be_that_of_a_scene_or_a_geometry_and_of_a_node(tmp_path: Path, name: str) -> None:
    """Autodesk's exporters write it so; each kind has its own ids, as in assimp and Gazebo."""
    content = load(write(tmp_path / "a.dae", dae(f'<node id="{name}">{INSTANCE}</node>', unit="")))
    assert same_triangles(content, TETRAHEDRON[np.array([[0, 1, 2]])]) and content.lost == ()


def test_a_broken_name_of_an_element_is_read_over_and_said(tmp_path: Path) -> None:
    content = load(write(tmp_path / "a.dae", dae(f"<node>{INSTANCE}</node><a:2013-11-15T10:34:58/>")))
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


PLACED = f"<node><translate>1 2 3</translate>{INSTANCE}</node>"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('_scene url="#s"', '_scene url="#x"', "the scene '#x', which the file does not have; taken as 's'"),
        ('source="#v"', 'source="#x"', "the vertices '#x', which the mesh does not have; taken as 'v'"),
        ('id="v"', 'id="x"', "the vertices '#v', which the mesh does not have; taken as 'x'"),
        ("#pos-a", "#x", "the array 'x', which source 'pos' does not have; taken as 'pos-a'"),
        ("0 0 3<", "0 0 3 4<", "1 numbers of source 'pos' beyond those of whole rows"),
        ("1 2 3</translate>", "1 2 3 4 5</translate>", "2 numbers too many in a <translate>"),
        ("<translate>", "<skew>1 0 0 1 0 1 0</skew><translate>", "the skew of node ''"),
        ("</node>", '</node><node><instance_node url="#x"/></node>', "a node '#x', which the file does not have"),
    ],
)
def test_what_is_misnamed_or_too_much_is_told_and_the_rest_is_read(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    right = dae(PLACED)
    assert old in right and load(write(tmp_path / "a.dae", right)).lost == ()
    content = load(write(tmp_path / "b.dae", right.replace(old, new, 1)))
    assert content.lost == (told,)
    assert np.array_equal(corners_of(content), corners_of(load(tmp_path / "a.dae")))
