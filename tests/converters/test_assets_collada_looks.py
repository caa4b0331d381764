"""COLLADA files with missing or excess content: properties of materials other than colours, and invalid numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.assets.meshes.files import load
from converters.assets.meshes.parts import MeshFile, PartMaterial
from converters.context import InputError
from tests.converters.meshes import INSTANCE, dae, same_triangles, write
from tests.converters.test_assets_collada import BOUND, LIBRARIES, TWO_MATERIALS

PAINT = "<lambert><diffuse><color>0.1 0.2 0.3 1</color></diffuse>\nTRANSPARENCY</lambert>"
VERTEX = '<input semantic="VERTEX" source="#v" offset="0"/>'
MAP = '<texture texture="samp" texcoord="UV"/>'


def painted(folder: Path, shader: str, before: str = "", after: str = "") -> tuple[PartMaterial, MeshFile]:
    """Return the second material with another shader, and the file; before, after: content around the shader."""
    write(folder / "textures" / "wood.png", b"image")
    start = '<effect id="e2"><profile_COMMON>'
    libraries = LIBRARIES.replace(PAINT, shader).replace(start, start + before)
    libraries = libraries.replace(
        "</technique></profile_COMMON></effect></library_effects>",
        f"{after}</technique></profile_COMMON></effect></library_effects>",
    )
    content = load(write(folder / "meshes" / "a.dae", dae(BOUND, libraries=libraries, primitives=TWO_MATERIALS)))
    material = content.parts[1].material
    assert material is not None
    return material, content


SAMPLER = (
    '<newparam sid="surf"><surface type="2D"><init_from>wood.png</init_from></surface></newparam>'
    '<newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>'
)


@pytest.mark.parametrize(
    ("shader", "told"),
    [
        (
            "<reflective><color>1 1 1 1</color></reflective><reflectivity><float>0.5</float></reflectivity>",
            "what material 'Paint' reflects",
        ),
        (f"<ambient>{MAP}</ambient>", "the ambient map of material 'Paint'"),
        (f"<specular>{MAP}</specular>", "the specular map of material 'Paint'"),
        (f"<transparent>{MAP}</transparent>", "the opacity map of material 'Paint'"),
    ],
)
def test_what_no_part_holds_of_a_material_is_told(shader: str, told: str, tmp_path: Path) -> None:
    material, content = painted(tmp_path, f"<phong><diffuse><color>1 0 0 1</color></diffuse>{shader}</phong>", SAMPLER)
    assert content.lost == ("lines", told)
    assert material.rgba == (1.0, 0.0, 0.0, 1.0)


def test_an_ambient_map_that_is_that_of_the_colour_is_no_loss(tmp_path: Path) -> None:
    shader = f"<phong><ambient>{MAP}</ambient><diffuse>{MAP}</diffuse></phong>"
    material, content = painted(tmp_path, shader, SAMPLER, "<extra><technique><bump/></technique></extra>")
    assert material.texture is not None and Path(material.texture).name == "wood.png"
    assert content.lost == ("lines", "the bump map of material 'Paint'")


@pytest.mark.parametrize(
    ("shader", "rgba"),
    [
        ("<constant><emission><color>0 1 0 1</color></emission></constant>", (0.0, 1.0, 0.0, 1.0)),
        ('<phong><diffuse><param ref="tint"/></diffuse></phong>', (0.5, 0.25, 0.0, 1.0)),
        ('<phong><diffuse><param ref="shade"/></diffuse></phong>', (0.25, 0.5, 0.0, 0.5)),
        ('<phong><diffuse><param ref="nothing"/></diffuse></phong>', (1.0, 1.0, 1.0, 1.0)),
        ("<phong><diffuse><color>red</color></diffuse></phong>", (1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_a_colour_may_stand_elsewhere_or_be_none(shader: str, rgba: tuple[float, ...], tmp_path: Path) -> None:
    named = '<newparam sid="tint"><float3>0.5 0.25 0</float3></newparam>'
    named += '<newparam sid="shade"><float4>0.25 0.5 0 0.5</float4></newparam>'
    material, _ = painted(tmp_path, shader, named)
    assert material.rgba[:3] == rgba[:3]
    assert material.emissive is None


def test_a_sampler_of_collada_1_5_names_its_image_at_once(tmp_path: Path) -> None:
    named = '<newparam sid="samp"><sampler2D><instance_image url="#wood_png"/></sampler2D></newparam>'
    material, _ = painted(tmp_path, f"<phong><diffuse>{MAP}</diffuse></phong>", named)
    assert material.texture is not None and Path(material.texture).name == "wood.png"


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('meter="0.0254"', 'meter="0"', "the unit '0', which is not a length"),
        ('meter="0.0254"', 'meter="inch"', "the unit 'inch', which is not a length"),
        (
            "<library_visual_scenes>",
            "<library_animations><animation/></library_animations><library_visual_scenes>",
            "animations",
        ),
    ],
)
def test_what_a_document_says_beside_its_triangles_is_told(right: str, wrong: str, told: str, tmp_path: Path) -> None:
    text = dae(f"<node>{INSTANCE}</node>")
    assert right in text
    content = load(write(tmp_path / "a.dae", text.replace(right, wrong)))
    assert any(told in each for each in content.lost)
    unit = 0.0254 if "animation" in wrong else 1.0
    assert content.parts[0].vertices.max() == pytest.approx(2 * unit)


def test_a_geometry_that_is_no_mesh_and_a_flat_node_cost_nothing_else(tmp_path: Path) -> None:
    both = f'<node><scale>1 1 0</scale>{INSTANCE}</node><node name="n"><instance_geometry url="#spline"/></node>'
    lit = f'{VERTEX}<input semantic="NORMAL" source="#nor" offset="1"/><p>0 0 1 0 2 0</p>'
    text = dae(both, unit="", primitives=f'<triangles count="1">{lit}</triangles>')
    text = text.replace("</library_geometries>", '<geometry id="spline"><spline/></geometry></library_geometries>')
    content = load(write(tmp_path / "a.dae", text))
    (part,) = content.parts
    assert part.normals is None
    assert any("which is not a mesh" in each for each in content.lost)


def test_numbers_elsewhere_and_narrow_rows_are_read(tmp_path: Path) -> None:
    text = dae(f"<node>{INSTANCE}</node>", unit="")
    array = '<float_array id="pos-a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>'
    assert array in text
    moved = text.replace(array, "").replace("<vertices", f"<extra>{array}</extra><vertices")
    assert same_triangles(
        load(write(tmp_path / "a.dae", moved)), load(write(tmp_path / "b.dae", text)).parts[0].vertices[None]
    )
    narrow = text.replace(array, '<float_array id="pos-a" count="6">0 0 1 0 0 2</float_array>')
    narrow = narrow.replace('count="4" stride="3"', 'count="3" stride="2"')
    assert load(write(tmp_path / "c.dae", narrow)).parts[0].vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 2, 0]]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('source="#pos"', 'source="#nothing"', "the source 'nothing' is missing"),
        ('count="4" stride="3"', 'count="4" stride="0"', "accessor of 'pos' has stride 0, offset 0"),
        ('semantic="POSITION"', 'semantic="PLACE"', "geometry .* has no positions"),
        ("<vcount>4</vcount>", "<vcount>9</vcount>", "a polylist has fewer indices than its vcount promises"),
        ("</COLLADA>", "", "not XML|what a strict"),
    ],
)
def test_a_document_without_what_it_names_is_refused(right: str, wrong: str, told: str, tmp_path: Path) -> None:
    polylist = f'<polylist count="1">{VERTEX}<vcount>4</vcount><p>0 1 2 3</p></polylist>'
    text = dae(f"<node>{INSTANCE}</node>", primitives=polylist)
    assert right in text
    if not wrong:
        assert any(
            "what a strict XML parser stops at" in each
            for each in load(write(tmp_path / "a.dae", text.replace(right, wrong))).lost
        )
        return
    with pytest.raises(InputError, match=told):
        load(write(tmp_path / "a.dae", text.replace(right, wrong)))


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00", b"COLLADA"])
def test_what_no_parser_reads_is_no_document(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.dae: "):
        load(write(tmp_path / "a.dae", data))


@pytest.mark.parametrize(
    ("shader", "told"),
    [
        ("<diffuse><color>1,0 0 0 1</color></diffuse>", "diffuse 1,0 0 0 1 of material 'Paint', which is not a colour"),
        ("<specular><color>1 nan 0 1</color></specular>", "specular 1 nan 0 1 of material 'Paint', which is no"),
        ("<emission><color>1 0</color></emission>", "emission 1 0 of material 'Paint', which is not a colour"),
        ("<specular><color>0 0 0 1 7</color></specular>", "specular 0 0 0 1 7 of material 'Paint', which is not a"),
        ("<shininess><float>1e400</float></shininess>", "shininess 1e400 of material 'Paint', which is not a number"),
        ("<transparency><float>1 x</float></transparency>", "transparency 1 x of material 'Paint', which is not a"),
        (
            '<transparent opaque="A_TWO"><color>1 1 1 1</color></transparent>',
            "opaque 'A_TWO' of material 'Paint', which is no mode; taken as A_ONE",
        ),
    ],
)
def test_what_a_material_spells_wrongly_is_told(shader: str, told: str, tmp_path: Path) -> None:
    _, content = painted(tmp_path, f"<phong>{shader}</phong>")
    assert [line.startswith(told) for line in content.lost if line != "lines"] == [True]
