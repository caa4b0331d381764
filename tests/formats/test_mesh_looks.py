"""What mesh files contain about materials and faces is in the output made from them, or in its report.

Judged by MuJoCo's compiled model, trimesh for GLB, and the content of the files themselves.
"""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.assets.meshes.files import load
from converters.convert import convert
from converters.report.model import exit_code
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

URDF = '<robot name="r"><link name="l"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>'
FACES = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
OBJ = f"mtllib g.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl a\n{FACES}usemtl plain\n{FACES}"
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_effects><effect id="e"><profile_COMMON><technique><phong>{}<diffuse><color>0 0 1 1</color></diffuse></phong>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="a" name="a"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="f" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#f" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="a" target="#a"/></technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes></COLLADA>"""
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
WHOLE = f'<triangles count="4" material="a">{INPUT}<p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles>'


def model(folder: Path, library: str) -> Path:
    (folder / "g.obj").write_text(OBJ)
    (folder / "g.mtl").write_text(
        f"newmtl a\nKd 1 0.5 0\n{library}\nnewmtl plain\nKd 0 1 0\nKs 0 0 0\nNs 250\nKa 1 1 1\n"
    )
    return saved(folder / "r.urdf", URDF.format("g.obj"))


def collada(folder: Path, faces: str, shading: str = "") -> Path:
    (folder / "g.dae").write_text(DAE.format(shading, faces))
    return saved(folder / "r.urdf", URDF.format("g.dae"))


def material(compiled: mujoco.MjModel, name: str = "g_a") -> dict[str, float]:
    number = compiled.material(name).id
    words = ("emission", "specular", "shininess", "metallic", "roughness")
    return {word: float(getattr(compiled, f"mat_{word}")[number]) for word in words}


def said(path: Path) -> list[tuple[str, dict[str, str]]]:
    return [(each.tag, dict(each.attrib)) for each in etree.parse(str(path)).getroot().iter("*") if "{" not in each.tag]


def looks(path: Path, target: Path) -> list[tuple[str, str, str]]:
    found = of_rule(explained(convert(path, target)), "assets/mesh-look")
    return [(each.action, each.before, each.after) for each in found]


def test_mujoco_has_what_a_material_library_says_of_light(tmp_path: Path):
    source = model(tmp_path, "Ke 0.5 0.25 0\nKs 0.75 0.75 0.75\nNs 64\nPm 0.25\nPr 0.125\n")
    assert looks(source, tmp_path / "m.xml") == []
    compiled = mujoco_model(tmp_path / "m.xml")
    assert material(compiled) == {
        "emission": 0.5,
        "specular": 0.75,
        "shininess": 0.5,
        "metallic": 0.25,
        "roughness": 0.125,
    }
    assert material(compiled, "g_plain")["specular"] == 0
    convert(tmp_path / "m.xml", tmp_path / "back.urdf")
    assert said(tmp_path / "back.urdf") == said(source)


def test_what_mujoco_has_otherwise_or_not_is_told(tmp_path: Path):
    source = model(tmp_path, "Ke 1 1 0\nKs 0.9 0.6 0.3\nNs 300\n")
    assert looks(source, tmp_path / "m.xml") == [
        ("approximated", "emissive 1 1 0", "emissive 1.33333 0.666667 0"),
        ("approximated", "shininess 300", "shininess 128"),
        ("approximated", "specular 0.9 0.6 0.3", "specular 0.6 0.6 0.6"),
    ]
    glow, *_ = of_rule(convert(source, tmp_path / "m.xml"), "assets/mesh-look")
    assert "emission is a multiple of the material's own colour" in glow.reason
    found = material(mujoco_model(tmp_path / "m.xml"))
    assert (found["specular"], found["shininess"]) == (pytest.approx(0.6), 1)


def test_a_glb_has_metal_and_roughness_and_tells_of_highlights(tmp_path: Path):
    source = model(tmp_path, "Ke 1 0 0\nKs 0.75 0.75 0.75\nNs 64\nPm 0.25\nPr 0.125\n")
    assert looks(source, tmp_path / "m.glb") == [
        ("dropped", "shininess 64", ""),
        ("dropped", "specular 0.75 0.75 0.75", ""),
    ], "and nothing of the material that has no highlight"
    shown = {
        each.visual.material.name: each.visual.material
        for each in trimesh.load_scene(tmp_path / "m.glb").geometry.values()
    }
    assert (shown["a"].metallicFactor, shown["a"].roughnessFactor) == (0.25, 0.125)
    assert list(shown["a"].emissiveFactor) == [1, 0, 0]
    convert(tmp_path / "m.glb", tmp_path / "back.urdf")
    assert said(tmp_path / "back.urdf") == said(source)


def test_what_a_file_says_of_light_from_everywhere_is_told(tmp_path: Path):
    """MuJoCo and glTF have no ambient colour; black, white and the diffuse colour itself have no effect."""
    source = model(tmp_path, "Ka 0.25 0.5 0.75\n")
    for target in ("m.xml", "m.glb"):
        assert ("dropped", "ambient 0.25 0.5 0.75", "") in looks(source, tmp_path / target)
    assert looks(source, tmp_path / "m.sdf") == []
    for idle in ("0 0 0", "1 1 1", "1 0.5 0"):
        assert looks(model(tmp_path, f"Ka {idle}\n"), tmp_path / "m.xml") == []


def test_ambient_light_in_collada(tmp_path: Path):
    source = collada(tmp_path, WHOLE, "<ambient><color>0.5 0 0 1</color></ambient>")
    assert looks(source, tmp_path / "m.xml") == [("dropped", "ambient 0.5 0 0", "")]
    assert looks(collada(tmp_path, WHOLE, "<ambient><color>0 0 1 1</color></ambient>"), tmp_path / "m.xml") == []


def test_an_edited_metal_of_a_mesh_file_counts(tmp_path: Path):
    """What was written of a mesh file is known: what differs from it is an edit, and nothing else."""
    convert(model(tmp_path, "Pm 0.25\nPr 0.125\n"), tmp_path / "m.gltf")
    document = json.loads((tmp_path / "m.gltf").read_text())
    (shown,) = [each["pbrMetallicRoughness"] for each in document["materials"] if each["name"] == "a"]
    assert (shown["metallicFactor"], shown["roughnessFactor"]) == (0.25, 0.125)
    shown["roughnessFactor"] = 0.5
    convert(saved(tmp_path / "m.gltf", json.dumps(document)), tmp_path / "n.glb")
    factors = [each["pbrMetallicRoughness"] for each in plain_gltf(tmp_path / "n.glb").document["materials"]]
    assert (0.25, 0.5) in {(each.get("metallicFactor"), each.get("roughnessFactor")) for each in factors}


def test_a_collada_file_glows_and_shines(tmp_path: Path):
    shading = (
        "<emission><color>0 0 0.5 1</color></emission><specular><color>0.25 0.25 0.25 1</color></specular>"
        "<shininess><float>32</float></shininess>"
    )
    source = collada(tmp_path, WHOLE, shading)
    assert looks(source, tmp_path / "m.xml") == []
    found = material(mujoco_model(tmp_path / "m.xml"))
    assert (found["emission"], found["specular"], found["shininess"]) == (0.5, 0.25, 0.25)
    assert looks(source, tmp_path / "m.glb") == [
        ("dropped", "shininess 32", ""),
        ("dropped", "specular 0.25 0.25 0.25", ""),
    ]
    assert looks(source, tmp_path / "m.sdf") == [], "the file goes along as it is"


def test_an_exponent_of_zero_is_no_highlight(tmp_path: Path):
    """MuJoCo would brighten the whole side, which is not the intended highlight."""
    shading = "<specular><color>1 1 1 1</color></specular><shininess><float>0</float></shininess>"
    source = collada(tmp_path, WHOLE, shading)
    assert looks(source, tmp_path / "m.xml") == []
    assert material(mujoco_model(tmp_path / "m.xml"))["specular"] == 0
    assert looks(source, tmp_path / "m.glb") == []


def test_what_a_mesh_file_says_wrongly_and_is_mended_is_no_loss(tmp_path: Path):
    """A colour above 1, and exporters that write an object as invisible."""
    for library, word in (("Ke 2 0 0", "the nearest"), ("d 0", "opaque"), ("d 7", "the nearest")):
        report = explained(convert(model(tmp_path, library), tmp_path / "m.xml"))
        (told,) = of_rule(report, "assets/mesh-content")
        assert (told.action, told.reason.endswith(f"; taken as {word}")) == ("repaired", True)
        assert told.reason.startswith("of the mesh file: ") and exit_code(report, "dropped") == 0


@pytest.mark.parametrize("target", ["m.xml", "m.glb"])
def test_what_a_mesh_names_and_nobody_finds_is_a_file_that_is_not_found(tmp_path: Path, target: str):
    """The conversion loses nothing of the model, but the exit code reports the missing file (--fail-on)."""
    for library, before in (("map_Kd gone.png", "texture 'gone.png' of material 'a'"), (None, "material file 'g.mtl'")):
        source = model(tmp_path, library or "Kd 1 0 0")
        if library is None:
            (tmp_path / "g.mtl").unlink()
        report = explained(convert(source, tmp_path / target))
        (told,) = of_rule(report, "assets/missing-look")
        assert (told.action, told.before) == ("noted", before)
        assert (report.missing(), report.totals()["dropped"], exit_code(report, "dropped")) == (1, 0, 1)
        assert of_rule(report, "assets/mesh-content") == []


@pytest.mark.parametrize(
    ("library", "told"),
    [
        ("Ke 2 0 0", "the colour 2 0 0 of material 'a', which is beyond 0 and 1; taken as the nearest"),
        ("Pm 5", "pm 5 of material 'a', which is beyond 0 and 1; taken as the nearest"),
        ("Tr -0.0000001", None),
        ("Ks x y z", "ks x y z of material 'a', which is not a colour of three numbers"),
        ("Pc 1", "pc of material 'a'"),
        ("Pc 0\nPs 0", None),
        ("Tf 1 0 0", "tf of material 'a'"),
        ("Tf 1 1 1\nNi 1.45\nillum 2", None),
        ("unheard_of 1", "unheard_of of material 'a'"),
        ("Ns 64  # a comment", None),
        ("Ns much", "ns much of material 'a', which is not a number"),
        ("newmtl a\nKd 0 0 1", "a second material 'a'"),
        ("map_Kd -clamp on -s 1 1 1 t.png", "the texture's option -clamp of material 'a'"),
        ("map_Kd -clamp off -mm 0 1 -blendu on t.png", None),
    ],
)
def test_what_of_a_material_library_is_not_taken_is_told(tmp_path: Path, library: str, told: str | None):
    Image.new("RGB", (2, 2)).save(tmp_path / "t.png")
    report = explained(convert(model(tmp_path, library), tmp_path / "m.xml"))
    found = [each.reason.partition(": ")[2] for each in of_rule(report, "assets/mesh-content")]
    assert found == ([] if told is None else [told])


@pytest.mark.parametrize(
    ("faces", "told"),
    [
        (WHOLE, ()),
        (WHOLE.replace(" 0 3 2<", " 0 3<"), ("1 faces that <triangles> declares without enough indices",)),
        (WHOLE.replace(" 0 3 2<", "<"), ("1 faces that <triangles> declares without enough indices",)),
        (WHOLE.replace('"4"', '"3"'), ()),
        (
            f'<polylist count="1">{INPUT}<vcount>3</vcount><p>0 2 1 0 1 3</p></polylist>',
            ("3 indices of <polylist> beyond those of whole faces",),
        ),
        (f'<polygons count="2">{INPUT}<p>0 2 1</p><p>0 1</p></polygons>', ("1 faces with fewer than three corners",)),
        (f'{WHOLE}<polygons count="1">{INPUT}<ph><p>0 1 2</p><h>1 2 3</h></ph></polygons>', ("1 polygons with holes",)),
        (f'<tristrips count="1">{INPUT}<p>0 1 2 3</p></tristrips>', ()),
        (
            f'<trifans count="2">{INPUT}<p>0 1 2 3</p></trifans>',
            ("1 faces that <trifans> declares without enough indices",),
        ),
    ],
)
def test_faces_that_a_collada_file_does_not_give_are_counted(tmp_path: Path, faces: str, told: tuple[str, ...]):
    source = collada(tmp_path, faces)
    for target in ("m.xml", "m.glb"):
        report = explained(convert(source, tmp_path / target))
        found = [each.reason.partition(": ")[2] for each in of_rule(report, "assets/mesh-content")]
        assert tuple(found) == told, target
    expected = {"tristrips": 2, "trifans": 2, "polylist": 1}
    kind = next((word for word in expected if f"<{word}" in faces), "")
    if kind:
        assert sum(len(part.faces) for part in load(tmp_path / "g.dae").parts) == expected[kind]


def test_a_text_stl_that_stops_before_its_end_is_told(tmp_path: Path):
    whole = trimesh.creation.box().export(file_type="stl_ascii")
    for text, told in ((whole, 0), (whole[: whole.rindex("facet normal")], 1)):
        (tmp_path / f"b{told}.stl").write_text(text)
        (tmp_path / "r.urdf").write_text(URDF.format(f"b{told}.stl"))
        report = explained(convert(tmp_path / "r.urdf", tmp_path / "m.xml"))
        assert len([each for each in of_rule(report, "assets/mesh-content") if "endsolid" in each.reason]) == told
        assert int(mujoco_model(tmp_path / "m.xml").mesh_facenum[0]) == 12 - told


def test_colours_of_the_faces_of_a_ply_are_told(tmp_path: Path):
    """One colour for all faces is a material, which MuJoCo supports."""
    box = trimesh.creation.box()
    for last, told in ((0, True), (255, False)):
        box.visual.face_colors = [[255, 0, 0, 255]] * 11 + [[last, 0, 0, 255]]
        box.export(tmp_path / "b.ply")
        report = explained(convert(saved(tmp_path / "r.urdf", URDF.format("b.ply")), tmp_path / "m.xml"))
        lost = [each.reason.endswith("vertex colours") for each in of_rule(report, "assets/mesh-content")]
        assert any(lost) is told
    assert mujoco_model(tmp_path / "m.xml").mat_rgba.tolist() == [[1, 0, 0, 1]]
