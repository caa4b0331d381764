"""Which colours are visible if a mesh file has some: those of the model or of the file, as in the source.

Judged by MuJoCo's compiled model, and for the outputs by json, lxml, trimesh and Pillow. Gazebo applies the <material>
of a visual to its mesh (gz-sim, SceneManager::CreateVisual); MuJoCo reads no material library.
"""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert, read
from converters.gltf.data.colours import to_linear
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

OBJ = """mtllib g.mtl
o thing
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
usemtl green
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
"""
GREEN, RED, BLUE = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
MJCF = """<mujoco model="m"><asset><mesh name="g" file="g.obj"/><material name="red" rgba="1 0 0 1"/></asset><worldbody>
<geom name="x" type="mesh" mesh="g" material="red"/><geom name="y" type="mesh" mesh="g" rgba="0 0 1 1" pos="2 0 0"/>
<geom name="z" type="mesh" mesh="g" pos="4 0 0"/></worldbody></mujoco>"""
SHAPE = "<geometry><mesh><uri>{}</uri></mesh></geometry>"
RED_SDF = "<material><diffuse>1 0 0 1</diffuse></material>"
SDF = '<sdf version="1.9"><model name="m"><link name="b">{}</link></model></sdf>'
URDF = """<robot name="m"><link name="b"><visual><geometry><mesh filename="g.obj"/></geometry>
<material name="red"><color rgba="1 0 0 1"/></material></visual></link></robot>"""


def put(folder: Path, name: str, text: str, library: bool = True) -> Path:
    (folder / "g.obj").write_text(OBJ)
    if library:
        (folder / "g.mtl").write_text("newmtl green\nKd 0 1 0\n")
    return saved(folder / name, text)


def visual(name: str, rest: str = "", file: str = "g.obj") -> str:
    return f'<visual name="{name}">{SHAPE.format(file)}{rest}</visual>'


def shown(path: Path) -> dict[str, tuple[float, ...]]:
    """Return the linear colour of each node of a GLB that has a mesh."""
    document = plain_gltf(path).document
    found = {}
    for node in document["nodes"]:
        if "mesh" in node:
            (primitive,) = document["meshes"][node["mesh"]]["primitives"]
            look = document["materials"][primitive["material"]]
            found[node["name"]] = tuple(look["pbrMetallicRoughness"]["baseColorFactor"][:3])
    return found


def colours(compiled: mujoco.MjModel) -> dict[str, tuple[float, ...]]:
    """Return the colour that MuJoCo shows: that of a geom, or of its material."""
    found = {}
    for number in range(compiled.ngeom):
        material = int(compiled.geom_matid[number])
        rgba = compiled.geom_rgba[number] if material < 0 else compiled.mat_rgba[material]
        found[compiled.geom(number).name] = tuple(float(value) for value in rgba[:3])
    return found


def test_mujoco_looks_into_no_mesh_file_for_colours(tmp_path: Path):
    source = put(tmp_path, "m.xml", MJCF)
    theirs = colours(mujoco_model(source))
    assert theirs["x"] == RED and theirs["y"] == BLUE and theirs["z"] == pytest.approx((0.5, 0.5, 0.5))
    report = convert(source, tmp_path / "m.glb")
    ours = shown(tmp_path / "m.glb")
    assert {name: ours[name] for name in theirs} == {name: pytest.approx(to_linear(theirs[name])) for name in theirs}
    assert not [each for each in report.findings if each.rule == "gltf/colour" or each.action == "dropped"]
    convert(tmp_path / "m.glb", tmp_path / "back.xml")
    assert colours(mujoco_model(tmp_path / "back.xml")) == theirs
    assert read(tmp_path / "back.xml").materials == read(source).materials
    convert(source, tmp_path / "m.png")
    seen = np.asarray(Image.open(tmp_path / "m.png").convert("RGB")).reshape(-1, 3).astype(int)
    assert (seen[:, 0] > seen[:, 1] + 60).any() and (seen[:, 2] > seen[:, 1] + 60).any()
    assert not ((seen[:, 1] > seen[:, 0] + 60) & (seen[:, 1] > seen[:, 2] + 60)).any()


def test_a_mesh_for_a_urdf_leaves_its_colours_behind(tmp_path: Path):
    """RViz shows the materials of a mesh file: therefore the file must not have any."""
    source = put(tmp_path, "m.xml", MJCF)
    report = convert(source, tmp_path / "out" / "m.urdf")
    tree = etree.parse(str(tmp_path / "out" / "m.urdf"))
    (name,) = {each.get("filename") for each in tree.iterfind(".//visual/geometry/mesh")}
    text = (tmp_path / "out" / name).read_text()
    assert "mtllib" not in text and "usemtl" not in text
    ours, theirs = (trimesh.load_mesh(path, process=False) for path in (tmp_path / "out" / name, tmp_path / "g.obj"))
    assert np.array_equal(ours.triangles, theirs.triangles)
    assert not list((tmp_path / "out").rglob("*.mtl"))
    assert not [each for each in report.findings if each.action in ("dropped", "approximated", "unexplained")]
    convert(tmp_path / "out" / "m.urdf", tmp_path / "m.glb")
    assert shown(tmp_path / "m.glb")["x"] == RED
    convert(tmp_path / "out" / "m.urdf", tmp_path / "back.xml")
    ours, theirs = (etree.parse(str(path)).find("worldbody") for path in (tmp_path / "back.xml", source))
    assert [dict(each.attrib) for each in ours.iter()] == [dict(each.attrib) for each in theirs.iter()]
    beside = convert(source, tmp_path / "m.urdf")
    assert "mtllib" not in (tmp_path / "m_assets" / "g.obj").read_text() and (tmp_path / "g.obj").read_text() == OBJ
    explained(beside)


@pytest.mark.parametrize(
    ("painted", "bare", "made"),
    [
        ("m_assets/g.obj", "m_assets/g_plain.obj", "m_assets/g_plain_1.obj"),
        ("a/g.obj", "m_assets/g.obj", "m_assets/g_plain.obj"),
    ],
)
def test_a_mesh_without_its_colours_takes_no_place_of_another(tmp_path: Path, painted: str, bare: str, made: str):
    """Source files are never overwritten; giving the output another name does not help if the folder is Kinegraph's."""
    own = OBJ.replace("mtllib g.mtl\n", "").replace("usemtl green\n", "").replace("v 0 0 1", "v 0 0 2")
    for name, text in ((painted, OBJ), (bare, own)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    geom = '<geom name="w" type="mesh" mesh="p" material="red"/></worldbody>'
    both = MJCF.replace('file="g.obj"/>', f'file="{painted}"/><mesh name="p" file="{bare}"/>')
    source = saved(tmp_path / "m.xml", both.replace("</worldbody>", geom))
    report = convert(source, tmp_path / "m.urdf")
    assert not [each for each in report.findings if each.action in ("dropped", "approximated", "unexplained")]
    tree = etree.parse(str(tmp_path / "m.urdf"))
    assert {each.get("filename") for each in tree.iterfind(".//visual/geometry/mesh")} == {made, bare}
    assert (tmp_path / bare).read_text() == own and (tmp_path / painted).read_text() == OBJ


def test_a_material_library_that_mujoco_does_not_look_for_is_not_missing(tmp_path: Path):
    source = put(tmp_path, "m.xml", MJCF, library=False)
    for name in ("m.glb", "m.urdf", "m.sdf", "again/m.xml"):
        assert not [each for each in convert(source, tmp_path / name).findings if each.action == "dropped"], name
    model = put(tmp_path, "m.sdf", SDF.format(visual("v")), library=False)
    told = of_rule(convert(model, tmp_path / "s.glb"), "assets/missing-look")
    assert [(each.where, each.action) for each in told] == [("asset/g", "noted")]


@pytest.mark.parametrize(
    ("name", "text", "told"), [("m.xml", MJCF, 0), ("m.sdf", SDF, 0), ("n.sdf", SDF, 1), ("m.urdf", URDF, 1)]
)
def test_colours_of_faces_of_an_stl_are_lost_where_somebody_could_see_them(
    tmp_path: Path, name: str, text: str, told: int
):
    text = text.format(visual("v", "" if name == "n.sdf" else RED_SDF)) if text == SDF else text
    source = put(tmp_path, name, text.replace("g.obj", "g.stl"))
    data = bytearray(trimesh.load_mesh(tmp_path / "g.obj", process=False).export(file_type="stl"))
    data[:10], data[84 + 48] = b"COLOR=\xff\xff\xff\xff", 0x1F
    (tmp_path / "g.stl").write_bytes(data)
    report = convert(source, tmp_path / "m.glb")
    assert [each.reason.rpartition(": ")[2] for each in report.findings if each.action == "dropped"] == told * [
        "face colours in the attribute bytes"
    ]
    assert shown(tmp_path / "m.glb")


def test_in_sdf_a_material_of_the_visual_wins_and_else_the_mesh_shows(tmp_path: Path):
    clear = visual("c", "<transparency>0.25</transparency>")
    source = put(tmp_path, "m.sdf", SDF.format(visual("v", RED_SDF) + visual("w") + clear))
    convert(source, tmp_path / "m.glb")
    ours = shown(tmp_path / "m.glb")
    assert (ours["v"], ours["w"], ours["c"]) == (RED, GREEN, GREEN)
    convert(source, tmp_path / "m.xml")
    theirs = colours(mujoco_model(tmp_path / "m.xml"))
    assert (theirs["v"], theirs["w"], theirs["c"]) == (RED, GREEN, GREEN)
    report = convert(source, tmp_path / "m.urdf")  # one file cannot be both
    told = {each.where: each for each in of_rule(report, "assets/own-looks")}
    assert {(each.action, each.after) for each in told.values()} == {("approximated", "looks of g.obj")}
    assert sorted(told) == ["asset/g", "body/b.geoms.c.transparency"]
    convert(tmp_path / "m.xml", tmp_path / "back" / "m.sdf")
    before, after = (etree.parse(str(path)) for path in (source, tmp_path / "back" / "m.sdf"))
    assert [each.findtext("diffuse") for each in after.iter("material")] == [
        each.findtext("diffuse") for each in before.iter("material")
    ]


def test_what_one_sees_through_in_sdf_one_does_with_the_colours_of_the_file(tmp_path: Path):
    text = OBJ.replace("f 2 3 4", "usemtl red\nf 2 3 4")
    looks = ("", "<transparency>0.5</transparency>", "<transparency>0.75</transparency>")
    source = put(tmp_path, "m.sdf", SDF.format("".join(visual(f"v{index}", look) for index, look in enumerate(looks))))
    (tmp_path / "g.obj").write_text(text)
    (tmp_path / "g.mtl").write_text("newmtl green\nKd 0 1 0\nnewmtl red\nKd 1 0 0\nd 0.5\n")
    report = convert(source, tmp_path / "m.xml")
    assert not [each for each in report.findings if each.action in ("unexplained", "dropped", "approximated")]
    model = mujoco_model(tmp_path / "m.xml")
    seen = [tuple(model.mat_rgba[model.geom_matid[index]]) for index in range(model.ngeom)]
    alphas = [(*GREEN, 1), (*RED, 0.5), (*GREEN, 0.5), (*RED, 0.25), (*GREEN, 0.25), (*RED, 0.125)]
    assert np.array(seen) == pytest.approx(np.array(alphas))
    convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    before, after = (etree.parse(str(path)) for path in (source, tmp_path / "back.sdf"))
    assert [*before.xpath("//transparency/text()")] == [*after.xpath("//transparency/text()")]


def test_a_mesh_that_wears_a_material_everywhere_goes_to_a_urdf_bare(tmp_path: Path):
    source = put(tmp_path, "m.sdf", SDF.format(visual("v", RED_SDF)))
    report = convert(source, tmp_path / "out" / "m.urdf")
    assert "mtllib" not in next((tmp_path / "out").rglob("*.obj")).read_text()
    assert not of_rule(report, "assets/own-looks")
    told = convert(source, tmp_path / "ref" / "m.urdf", options=Options(meshes="reference")).findings
    assert [each.action for each in told if each.rule == "assets/own-looks"] == ["approximated"]


def test_in_urdf_the_mesh_wins_as_in_rviz(tmp_path: Path):
    source = put(tmp_path, "m.urdf", URDF)
    convert(source, tmp_path / "m.glb")
    assert set(shown(tmp_path / "m.glb").values()) == {GREEN}
    convert(source, tmp_path / "m.xml")
    assert set(colours(mujoco_model(tmp_path / "m.xml")).values()) == {GREEN}
    convert(tmp_path / "m.xml", tmp_path / "back" / "m.urdf")
    assert etree.parse(str(tmp_path / "back" / "m.urdf")).find(".//color").get("rgba") == "1 0 0 1"
    copied = next((tmp_path / "back").rglob("*.obj"), tmp_path / "g.obj")
    assert "mtllib" in copied.read_text(), "it is that of the author again"


def test_a_material_that_nobody_defines_is_none(tmp_path: Path):
    """urdfdom and MuJoCo's own import treat it so; an MJCF or glTF material without a colour would be white."""
    box = "<geometry><box size='1 1 1'/></geometry>"
    plain = '<robot name="m"><link name="b">{}</link></robot>'
    named = plain.format(f'<visual name="x">{box}<material name="red"/></visual><visual name="y">{box}</visual>')
    source = put(tmp_path, "m.urdf", named)
    report = convert(source, tmp_path / "m.xml")
    ours = colours(mujoco_model(tmp_path / "m.xml"))
    own = "<mujoco><compiler discardvisual='false'/></mujoco><link"
    theirs = colours(mujoco.MjModel.from_xml_string(named.replace("<link", own)))
    assert ours == theirs and ours["x"] == ours["y"]
    assert not [each for each in report.findings if each.action in ("dropped", "approximated", "unexplained")]
    convert(source, tmp_path / "m.glb")
    assert len(set(shown(tmp_path / "m.glb").values())) == 1
    for end in ("xml", "glb"):
        convert(tmp_path / f"m.{end}", tmp_path / "back.urdf")
        assert read(tmp_path / "back.urdf").materials == read(source).materials
        visuals = etree.parse(str(tmp_path / "back.urdf")).findall(".//visual")
        assert [[look.get("name") for look in each.findall("material")] for each in visuals] == [["red"], []]


def test_gazebo_shows_the_mesh_that_rviz_shows(tmp_path: Path):
    """In SDF a material of the visual would override it (gz-sim, SceneManager::CreateVisual)."""
    source = put(tmp_path, "m.urdf", URDF)
    report = convert(source, tmp_path / "out" / "m.sdf")
    assert etree.parse(str(tmp_path / "out" / "m.sdf")).find(".//visual/material") is None
    told = {(each.where, each.action, each.before) for each in of_rule(report, "urdf/own-looks")}
    assert told == {("body/b.geoms.b_visual_0.material", "carried", "red"), ("material/red", "carried", "material red")}
    explained(report)
    for name in ("m.glb", "back/m.urdf", "back/m.xml", "m.png"):
        convert(tmp_path / "out" / "m.sdf", tmp_path / name)
    assert set(shown(tmp_path / "m.glb").values()) == {GREEN}
    assert set(colours(mujoco_model(tmp_path / "back" / "m.xml")).values()) == {GREEN}
    assert etree.parse(str(tmp_path / "back" / "m.urdf")).find(".//color").get("rgba") == "1 0 0 1"


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("g.obj", OBJ, "urdf/own-looks"),
        ("g.obj", OBJ.replace("usemtl green\n", "f 1 3 2\nusemtl green\n"), "urdf/part-looks"),
        ("g.obj", OBJ.replace("f 2 3 4", "usemtl (null)\nf 2 3 4"), "urdf/part-looks"),
        ("g.dae", '<triangles count="1" material="m"><instance_material symbol="m"/>', "urdf/own-looks"),
        ("g.dae", '<triangles count="1"/><instance_material symbol="m"/>', "urdf/part-looks"),
    ],
)
def test_parts_without_looks_lose_the_colour_of_the_visual_and_that_is_told(
    tmp_path: Path, file: str, text: str, told: str
):
    """RViz shows them as assimp does: the DefaultMaterial of an OBJ, the first material of a DAE."""
    source = put(tmp_path, "m.urdf", URDF.replace("g.obj", file))
    (tmp_path / file).write_text(text)
    report = convert(source, tmp_path / "out" / "m.sdf")
    lost = [each for each in report.findings if each.rule.endswith("-looks")]
    assert {(each.rule, each.severity) for each in lost} == {(told, "warning" if "part" in told else "note")}


@pytest.mark.parametrize(
    ("library", "more"),
    [(False, ""), (True, '<gazebo reference="b"><material>Gazebo/Red</material></gazebo></robot>')],
    ids=["its library is gone", "a block says so"],
)
def test_gazebo_shows_the_model_where_rviz_or_its_block_does(tmp_path: Path, library: bool, more: str):
    source = put(tmp_path, "m.urdf", URDF.replace("</robot>", more or "</robot>"), library=library)
    convert(source, tmp_path / "m.sdf")
    assert etree.parse(str(tmp_path / "m.sdf")).findtext(".//visual//diffuse") == "1 0 0 1"


@pytest.mark.parametrize("there", [True, False], ids=["original-there", "original-gone"])
@pytest.mark.parametrize("end", [".glb", ".sdf", ".xml"])
def test_what_the_output_says_of_a_mesh_without_its_looks_goes_on(tmp_path: Path, end: str, there: bool):
    """The OBJ next to the MJCF lost its library, and an edited colour is used."""
    source = put(tmp_path, "m.urdf", URDF.partition("<material")[0] + "</visual></link></robot>")
    convert(source, tmp_path / "out" / "m.xml")
    if not there:
        (tmp_path / "g.mtl").unlink()
        (tmp_path / "g.obj").unlink()
    text = (tmp_path / "out" / "m.xml").read_text()
    assert 'rgba="0 1 0 1"' in text
    (tmp_path / "out" / "m.xml").write_text(text.replace('rgba="0 1 0 1"', 'rgba="0 0 1 1"'))
    target = tmp_path / "on" / f"m{end}"
    convert(tmp_path / "out" / "m.xml", target)
    if end == ".glb":
        assert set(shown(target).values()) == {BLUE}
    elif end == ".sdf":
        assert etree.parse(str(target)).findtext(".//visual//diffuse") == "0 0 1 1"
    else:
        assert set(colours(mujoco_model(target)).values()) == {BLUE}


@pytest.mark.parametrize("kept", ["original", "library", "nothing"])
@pytest.mark.parametrize("end", [".urdf", ".sdf"])
def test_the_way_back_shows_a_mesh_as_its_file_did(tmp_path: Path, end: str, kept: str):
    """Only the OBJ is next to the MJCF: the original is used if it is available, otherwise the file gets back what the
    document shows."""
    bare = {".urdf": URDF.partition("<material")[0] + "</visual></link></robot>", ".sdf": SDF.format(visual("x"))}
    home, back = tmp_path / "there", tmp_path / "back" / f"m{end}"
    home.mkdir()
    convert(put(home, f"m{end}", bare[end]), home / "m.xml")
    if kept != "original":
        (home / "g.obj").unlink()
        (home / "g.mtl").rename(home / "m_assets" / "g.mtl" if kept == "library" else home / "none")
    report = explained(convert(home / "m.xml", back))
    made = etree.parse(str(back))
    assert [*made.iter("color"), *made.iter("diffuse")] == [], "the model says nothing of it, as in the source"
    told = [(each.action, each.after) for each in of_rule(report, "assets/own-looks")]
    assert told == ([("derived", "g_look.mtl")] if kept == "nothing" else [])
    convert(back, tmp_path / "seen.glb")
    assert set(shown(tmp_path / "seen.glb").values()) == {GREEN}


def test_the_way_back_has_the_image_of_a_mesh_file(tmp_path: Path):
    Image.new("RGB", (2, 2), (200, 10, 20)).save(tmp_path / "i.jpg")
    bare = URDF.partition("<material")[0] + "</visual></link></robot>"
    source = put(tmp_path, "m.urdf", bare)
    (tmp_path / "g.obj").write_text(
        OBJ.replace("usemtl", "vt 0 0\nvt 1 0\nvt 0 1\nusemtl").replace("f 1 3 2", "f 1/1 3/2 2/3")
    )
    (tmp_path / "g.mtl").write_text("newmtl green\nKd 1 1 1\nmap_Kd i.jpg\n")
    convert(source, tmp_path / "out" / "m.xml")
    for each in ("g.obj", "g.mtl", "i.jpg"):
        (tmp_path / each).unlink()
    convert(tmp_path / "out" / "m.xml", tmp_path / "back" / "m.urdf")
    mesh = trimesh.load(next((tmp_path / "back").rglob("*.obj")), force="mesh")
    assert mesh.visual.material.image.getpixel((0, 0))[0] == pytest.approx(200, abs=8)


@pytest.mark.parametrize("edited", [False, True], ids=["as-written", "edited"])
def test_a_made_mesh_gives_way_to_its_original_unless_it_was_edited(tmp_path: Path, edited: bool):
    (tmp_path / "g.dae").write_bytes(trimesh.exchange.dae.export_collada(trimesh.creation.box((1, 2, 3))))
    source = put(tmp_path, "m.urdf", URDF.replace("g.obj", "g.dae"))
    convert(source, tmp_path / "m.xml")
    if edited:
        mesh = tmp_path / "m_assets" / "g.obj"
        mesh.write_text(mesh.read_text().replace("1", "2"))
    convert(tmp_path / "m.xml", tmp_path / "back.urdf")
    convert(source, tmp_path / "self.urdf")
    (said,) = (each.get("filename") for each in etree.parse(str(tmp_path / "back.urdf")).iter("mesh"))
    assert said == ("back_assets/g.obj" if edited else "g.dae")
    assert edited or (tmp_path / "back.urdf").read_bytes() == (tmp_path / "self.urdf").read_bytes()


@pytest.mark.parametrize("there", [True, False], ids=["original-there", "original-gone"])
@pytest.mark.parametrize("rest", ['<material name="red"><color rgba="1 0 0 1"/></material>', ""], ids=["red", "bare"])
@pytest.mark.parametrize("through", ["sdf", "xml"])
def test_a_look_that_an_edit_gives_goes_over_that_of_a_mesh_file(tmp_path: Path, through: str, rest: str, there: bool):
    """It already does in the SDF or MJCF, where it was set; and one of two visuals keeps that of the file."""
    second = f'<visual name="w"><origin xyz="2 0 0"/>{SHAPE.format("")}</visual></link>'
    second = second.replace("<uri></uri></mesh>", "</mesh>").replace("<mesh>", '<mesh filename="g.obj">')
    first = URDF.partition("<material")[0].replace("<visual>", '<visual name="v">')
    source = put(tmp_path, "m.urdf", f"{first}{rest}</visual>{second}</robot>")
    edited = tmp_path / "edited" / f"m.{through}"
    convert(source, edited)
    if not there:
        for each in ("g.obj", "g.mtl"):
            (tmp_path / each).unlink()
    tree = etree.parse(str(edited))
    if through == "sdf":
        tree.find(".//visual").append(etree.fromstring("<material><diffuse>0 0 1 1</diffuse></material>"))
    else:
        tree.find(".//asset").append(etree.fromstring('<material name="blue" rgba="0 0 1 1"/>'))
        tree.find(".//body/geom").set("material", "blue")
    tree.write(str(edited))
    for way in ("m.sdf", "m.xml", "m.glb"):
        explained(convert(edited, tmp_path / "way" / way))
        for end in ("m.xml", "m.glb"):
            explained(convert(tmp_path / "way" / way, tmp_path / "end" / end))
        ours = shown(tmp_path / "end" / "m.glb")
        assert (ours["v"], ours["w"]) == (BLUE, GREEN)
        theirs = colours(mujoco_model(tmp_path / "end" / "m.xml"))
        assert (theirs["v"], theirs["w"]) == (BLUE, GREEN)
        told = [each.rule for each in convert(tmp_path / "way" / way, tmp_path / "urdf" / "m.urdf").findings]
        convert(tmp_path / "urdf" / "m.urdf", tmp_path / "end" / "m.glb")
        assert shown(tmp_path / "end" / "m.glb")["v"] == BLUE or "assets/own-looks" in told
    (last,) = tree.xpath("//*[@name='w']")
    last.getparent().remove(last)
    tree.write(str(edited))
    report = convert(edited, tmp_path / "back" / "m.urdf")
    assert not [each for each in report.findings if each.rule == "assets/own-looks"]
    convert(tmp_path / "back" / "m.urdf", tmp_path / "end" / "m.glb")
    assert shown(tmp_path / "end" / "m.glb") == {"v": BLUE}


OVER = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
<visual name="v"><geometry><mesh filename="g.obj"/></geometry><material name="red"/></visual></link></robot>"""


@pytest.mark.parametrize("meshes", ["copy", "reference"])
@pytest.mark.parametrize("middle", ["m.glb", "m.sdf"])
def test_looks_that_mujoco_needs_beside_the_file_that_has_them_go_no_further(
    tmp_path: Path, meshes: str, middle: str
) -> None:
    """The file of the source lies where it did, with its looks: the document's are not its own."""
    saved(tmp_path / "g.obj", OBJ)
    saved(tmp_path / "g.mtl", "newmtl green\nKd 0 1 0\n")
    source = saved(tmp_path / "r.urdf", OVER)
    convert(source, tmp_path / "one" / "m.xml", options=Options(meshes=meshes))
    convert(tmp_path / "one" / "m.xml", tmp_path / "two" / middle)
    convert(tmp_path / "two" / middle, tmp_path / "back" / "r.urdf")
    convert(source, tmp_path / "straight" / "r.urdf")
    back, straight = (etree.parse(tmp_path / folder / "r.urdf") for folder in ("back", "straight"))
    assert [each.get("name") for each in back.iter("material")] == ["red", "red"]
    assert etree.tostring(back) == etree.tostring(straight)
