"""Materials of MJCF in other formats: procedural textures, layers, repetition, emission, shininess.

Judged by the compiled model of MuJoCo, the Khronos validator, and the documents themselves.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from lxml import etree
from PIL import Image

from converters.convert import convert, read
from converters.mjcf.assets.procedural import painted_texture
from converters.report.model import exit_code
from ir.scene import Scene
from tests.files import saved
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import Plain, plain_gltf
from tests.reports import complete, of_rule

MESH = (
    '<mesh name="s" vertex="-1 -1 0 1 -1 0 1 1 0 -1 1 0 0 0 -1" texcoord="0 1 1 1 1 0 0 0 .25 .5" '
    'face="0 1 2 0 2 3 0 4 1 1 4 2 2 4 3 3 4 0"/>'
)
ASSETS = f"""
<texture name="tiles" type="2d" file="t.png"/>
<texture name="bumps" type="2d" builtin="flat" rgb1=".5 .5 1" width="8" height="8"/>
<texture name="parts" type="2d" builtin="checker" width="8" height="4"/>
<texture name="glow" type="2d" builtin="gradient" width="8" height="8" mark="edge"/>
<texture name="around" builtin="checker" width="8" height="8"/>
<material name="steel" specular=".3" shininess=".7" emission=".5" rgba=".4 .5 .6 1"/>
<material name="bright" emission="3" rgba=".4 .5 .6 1"/>
<material name="tiled" texture="tiles" texrepeat="4 2"/>
<material name="painted" texture="parts"/>
<material name="layered"><layer role="rgb" texture="tiles"/><layer role="emissive" texture="glow"/>
<layer role="normal" texture="bumps"/><layer role="orm" texture="parts"/></material>
<material name="open"><layer role="opacity" texture="parts"/></material>
<material name="boxed" texture="around"/>
{MESH}"""
LOOKS = ("steel", "bright", "tiled", "painted", "layered", "open", "boxed")
GEOMS = "".join(
    f'<geom name="g_{name}" type="mesh" mesh="s" pos="{3 * n} 0 0" material="{name}"/>' for n, name in enumerate(LOOKS)
)
RED = '<geom name="red" type="mesh" mesh="s" pos="0 5 0" material="layered" rgba="1 0 0 1"/>'
TRANSFORM = "KHR_texture_transform"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    pixels = np.random.default_rng(5).integers(0, 256, (4, 6, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "t.png")
    text = f'<mujoco model="m"><asset>{ASSETS}</asset><worldbody>{GEOMS}{RED}</worldbody></mujoco>'
    mujoco_model(saved(tmp_path / "m.xml", text))
    return tmp_path / "m.xml"


def told(report: Any) -> dict[str, tuple[str, str]]:
    return {each.where: (each.action, each.rule) for each in report.findings}


def materials(document: Plain) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in document.document["materials"]}


def image(document: Plain, info: dict[str, Any]) -> np.ndarray:
    data = document.document
    view = data["bufferViews"][data["images"][data["textures"][info["index"]]["source"]]["bufferView"]]
    start = view.get("byteOffset", 0)
    return np.asarray(Image.open(io.BytesIO(document.buffers[0][start : start + view["byteLength"]])))


def compiled_image(compiled: mujoco.MjModel, name: str) -> np.ndarray:
    found = compiled.tex(name)
    start, height, width = int(found.adr[0]), int(found.height[0]), int(found.width[0])
    return compiled.tex_data[start : start + height * width * 3].reshape(height, width, 3)


def same(found: Scene, scene: Scene) -> bool:
    kinds = ("material", "asset")
    return found.bodies == scene.bodies and all(found.tables[kind] == scene.tables[kind] for kind in kinds)


# ------------------------------------------------------------------------------------------------------ what is painted


@pytest.mark.parametrize("size", [(7, 5), (32, 16), (2, 4), (64, 65)])
@pytest.mark.parametrize("mark", ["none", "edge", "cross", "random"])
@pytest.mark.parametrize("builtin", ["gradient", "checker", "flat"])
def test_an_image_is_painted_as_the_compiler_does_it(builtin: str, mark: str, size: tuple[int, int]):
    said = {"builtin": builtin, "mark": mark, "width": str(size[0]), "height": str(size[1]), "random": ".2"}
    said |= {"rgb1": ".1 .2 .95", "rgb2": ".7 .33 .2", "markrgb": "1 .5 .25"}
    attributes = " ".join(f'{name}="{value}"' for name, value in said.items())
    text = f'<mujoco><asset><texture name="t" type="2d" {attributes}/></asset></mujoco>'
    theirs = compiled_image(mujoco.MjModel.from_xml_string(text), "t")
    content = painted_texture(said)
    assert content is not None
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(content))), theirs)


@pytest.mark.parametrize(
    "said",
    [
        {"builtin": "none", "width": "8", "height": "8"},
        {"builtin": "checker", "width": "8"},
        {"builtin": "checker", "width": "1e9", "height": "1e9"},
        {"builtin": "checker", "width": "8", "height": "8", "rgb1": "1 nan 0"},
        {"builtin": "gradient", "width": "1", "height": "4"},
    ],
)
def test_what_cannot_be_painted_is_not(said: dict[str, str]):
    assert painted_texture(said) is None


# ----------------------------------------------------------------------------------------------------------------- glTF


def test_gltf_shows_what_a_material_of_mjcf_says(model: Path):
    convert(model, model.with_name("m.glb"))
    (answer,) = khronos_reads([model.with_name("m.glb")])
    assert [each for each in complaints(answer) if "GENERATED_TANGENT_SPACE" not in each] == []  # of the normal map
    document, compiled = plain_gltf(model.with_name("m.glb")), mujoco_model(model)
    looks = materials(document)
    steel = looks["steel"]
    assert steel["emissiveFactor"] == pytest.approx([((c + 0.055) / 1.055) ** 2.4 for c in (0.2, 0.25, 0.3)])
    assert steel["pbrMetallicRoughness"]["roughnessFactor"] == pytest.approx((2 / (128 * 0.7 + 2)) ** 0.25)
    tiled = looks["tiled"]["pbrMetallicRoughness"]["baseColorTexture"]
    assert tiled["extensions"][TRANSFORM] == {"scale": [4, 2]}
    assert TRANSFORM in document.document["extensionsUsed"]
    assert np.array_equal(image(document, tiled), np.asarray(Image.open(model.with_name("t.png"))))
    checker = looks["painted"]["pbrMetallicRoughness"]["baseColorTexture"]
    assert np.array_equal(image(document, checker), compiled_image(compiled, "parts"))
    for name in ("layered", "layered_0"):
        layered = looks[name]
        pbr = layered["pbrMetallicRoughness"]
        assert np.array_equal(image(document, layered["normalTexture"]), compiled_image(compiled, "bumps"))
        assert np.array_equal(image(document, layered["emissiveTexture"]), compiled_image(compiled, "glow"))
        assert layered["emissiveFactor"] == [1, 1, 1]
        assert layered["occlusionTexture"]["index"] == pbr["metallicRoughnessTexture"]["index"]
        assert np.array_equal(image(document, layered["occlusionTexture"]), compiled_image(compiled, "parts"))
        assert (pbr.get("metallicFactor", 1), pbr.get("roughnessFactor", 1)) == (1, 1)
        assert pbr["baseColorTexture"] == {"index": tiled["index"]}
    assert looks["layered_0"]["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0, 0, 1]


def test_coordinates_of_vertices_in_the_document_are_those_of_gltf(model: Path):
    convert(model, model.with_name("m.glb"))
    document = plain_gltf(model.with_name("m.glb"))
    mesh = document.document["meshes"][0]
    primitive = mesh["primitives"][0]
    corners = document.array(primitive["attributes"]["POSITION"])
    uvs = document.array(primitive["attributes"]["TEXCOORD_0"])
    compiled = mujoco_model(model)
    theirs = {tuple(np.round(corner, 5)): tuple(uv) for corner, uv in zip(corners, uvs, strict=True)}
    assert theirs[-1.0, -1.0, 0.0] == (0.0, 1.0)
    assert theirs[0.0, 0.0, -1.0] == (0.25, 0.5)
    assert sorted(map(tuple, compiled.mesh_texcoord.tolist())) == sorted(theirs.values())


@pytest.mark.parametrize("target", ["m.glb", "m.urdf"])
def test_coordinates_of_an_msh_file_are_those_that_mujoco_reads(tmp_path: Path, target: str):
    """MuJoCo flips those of an OBJ and uses these as they are; its table has the convention of glTF."""
    points = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (0, 0, -1)], "<f4")
    uvs = np.array([(0, 0.125), (0.5, 1), (1, 0.25), (0.75, 0)], "<f4")
    faces = np.array([(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)], "<i4")
    head = np.array([len(points), 0, len(uvs), len(faces)], "<i4")
    (tmp_path / "t.msh").write_bytes(b"".join(each.tobytes() for each in (head, points, uvs, faces)))
    (tmp_path / "m.xml").write_text(
        '<mujoco><asset><mesh name="t" file="t.msh"/></asset><worldbody><body name="b">'
        '<geom type="mesh" mesh="t"/></body></worldbody></mujoco>'
    )
    theirs = mujoco_model(tmp_path / "m.xml").mesh_texcoord
    assert np.allclose(theirs, uvs)
    convert(tmp_path / "m.xml", tmp_path / "out" / target)
    if target == "m.glb":
        document = plain_gltf(tmp_path / "out" / target)
        (primitive,) = document.document["meshes"][0]["primitives"]
        found = document.array(primitive["attributes"]["TEXCOORD_0"])
    else:
        convert(tmp_path / "out" / target, tmp_path / "again" / "m.xml")
        found = mujoco_model(tmp_path / "again" / "m.xml").mesh_texcoord
    assert {tuple(uv) for uv in np.round(found, 5).tolist()} == {tuple(uv) for uv in np.round(theirs, 5).tolist()}


def test_the_report_says_what_gltf_does_not_show(model: Path):
    report = convert(model, model.with_name("m.glb"))
    found = told(report)
    assert found["material/boxed.texture"] == ("carried", "gltf/texture")
    assert found["material/steel.shininess"] == ("carried", "gltf/shading")
    shown = {each.where for each in of_rule(report, "gltf/texture")}
    assert shown == {"material/boxed.texture"}
    words = of_rule(report, "gltf/words")
    assert any("opacity" in each.before for each in words)
    complete(report)


def test_a_texture_that_no_coordinates_lay_out_is_told(model: Path):
    bare = MESH.replace('texcoord="0 1 1 1 1 0 0 0 .25 .5" ', "")
    model.write_text(model.read_text().replace(MESH, bare))
    report = convert(model, model.with_name("m.glb"))
    shown = {each.where for each in of_rule(report, "gltf/texture")}
    assert {"material/tiled.texture", "material/painted.texture"} <= shown


@pytest.mark.parametrize("target", ["m.glb", "m.gltf", "m.sdf", "m.urdf"])
def test_looks_come_back(model: Path, target: str):
    (model.parent / "out").mkdir()
    complete(convert(model, model.parent / "out" / target))
    convert(model.parent / "out" / target, model.with_name("back.xml"))
    assert same(read(model.with_name("back.xml")), read(model))


# --------------------------------------------------------------------------------------------------------- SDF and URDF


def test_sdf_has_no_black_and_no_empty_materials(model: Path):
    report = convert(model, model.with_name("m.sdf"))
    assert sdformat_reads(model.with_name("m.sdf"))["errors"] == []
    visuals = {each.get("name"): each for each in etree.parse(model.with_name("m.sdf")).getroot().iter("visual")}
    for name, visual in visuals.items():
        assert visual.findtext("material/diffuse") != "0 0 0 1", name
        assert visual.find("material") is None or len(visual.find("material")), name
    assert visuals["g_open"].findtext("material/diffuse") == "1 1 1 1"
    maps = {name: visual.findtext("material/pbr/metal/albedo_map") for name, visual in visuals.items()}
    assert maps["g_layered"] == maps["g_tiled"]
    assert maps["g_boxed"] is None
    pixels = np.asarray(Image.open(model.parent / maps["g_painted"]))
    assert np.array_equal(pixels, compiled_image(mujoco_model(model), "parts"))
    found = told(report)
    assert found["material/boxed.texture"] == ("carried", "sdf/texture")
    assert "material/layered.texture" in found  # derived: from the layer


def test_urdf_has_the_colour_layer_as_its_texture(model: Path):
    report = convert(model, model.with_name("m.urdf"))
    root = etree.parse(model.with_name("m.urdf")).getroot()
    images = {each.get("name"): each.find("texture") for each in root.iterfind("material")}
    assert images["layered"].get("filename") == images["tiled"].get("filename")
    assert images["boxed"] is None
    assert told(report)["material/boxed.texture"] == ("carried", "urdf/texture")


def test_layers_of_an_attached_model_are_its_own(tmp_path: Path):
    painted_ = '<texture name="t" type="2d" builtin="flat" rgb1="{}" width="2" height="2"/>'
    layered = '<material name="m"><layer role="rgb" texture="t"/></material>'
    geom = '<geom type="mesh" mesh="s" material="m"/>'
    part = f'<mujoco model="p"><asset>{painted_.format("0 1 0")}{layered}{MESH}</asset>'
    (tmp_path / "p.xml").write_text(f'{part}<worldbody><body name="b">{geom}</body></worldbody></mujoco>')
    whole = f'<mujoco><asset>{painted_.format("1 0 0")}<model name="p" file="p.xml"/></asset><worldbody>'
    whole += '<frame><attach model="p" body="b" prefix="p_"/></frame></worldbody></mujoco>'
    convert(saved(tmp_path / "m.xml", whole), tmp_path / "m.glb")
    document = plain_gltf(tmp_path / "m.glb")
    shown = image(document, materials(document)["p_m"]["pbrMetallicRoughness"]["baseColorTexture"])
    assert (shown == (0, 255, 0)).all()


SILENT = """<mujoco model="m"><worldbody><body name="b"><joint name="j"/><geom name="silent" size="1"/>
<geom name="said" size="1" rgba=".5 .5 .5 1"/><geom name="red" size="1" rgba="1 0 0 1"/>
<geom name="solid" size="1" group="3"/></body></worldbody></mujoco>"""


def shown(path: Path) -> dict[str, list[float]]:
    """Return the colours of the visuals in a document, between 0 and 255."""
    if path.suffix == ".gltf":
        plain, said = plain_gltf(path).document, {}
        for node in plain["nodes"]:
            if "mesh" in node:
                (part,) = plain["meshes"][node["mesh"]]["primitives"]
                factor = plain["materials"][part["material"]]["pbrMetallicRoughness"]["baseColorFactor"]
                said[node["name"]] = [255 * max(1.055 * value ** (1 / 2.4) - 0.055, 0.0) for value in factor[:3]]
        return said
    root = etree.parse(path).getroot()
    named = {each.get("name"): each.find("color").get("rgba") for each in root.iterfind("material") if len(each)}
    said = {}
    for visual in root.iter("visual"):
        look = visual.find("material")
        text = look.findtext("diffuse") or named.get(look.get("name")) or look.find("color").get("rgba")
        said[visual.get("name")] = [255 * float(word) for word in text.split()[:3]]
    return said


@pytest.mark.parametrize("target", ["urdf", "sdf", "gltf"])
def test_what_has_no_colour_is_grey_as_in_mujoco(target: str, tmp_path: Path):
    compiled = mujoco_model(saved(tmp_path / "m.xml", SILENT))
    report = convert(tmp_path / "m.xml", tmp_path / f"m.{target}")
    assert ("derived", "mjcf/grey") in told(report).values()
    colours = {name: list(255 * compiled.geom(name).rgba[:3]) for name in ("silent", "said", "red")}
    found = shown(tmp_path / f"m.{target}")
    assert {name: found[name] for name in colours} == {
        name: pytest.approx(each, abs=1e-4) for name, each in colours.items()
    }
    assert convert(tmp_path / f"m.{target}", tmp_path / "back.xml").findings == ()
    convert(tmp_path / "m.xml", tmp_path / "same.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "same.xml").read_bytes()


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_who_edits_that_grey_sees_it_in_mujoco(target: str, tmp_path: Path):
    convert(saved(tmp_path / "m.xml", SILENT), tmp_path / f"m.{target}")
    text = (tmp_path / f"m.{target}").read_text()
    (tmp_path / f"m.{target}").write_text(text.replace("0.5 0.5 0.5 1", "0 1 0 1"))
    convert(tmp_path / f"m.{target}", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    looks = [model.geom(name) for name in ("silent", "said", "red")]
    seen = [list(model.mat_rgba[look.matid[0]] if look.matid[0] >= 0 else look.rgba) for look in looks]
    assert seen == [[0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1]]


PLANES = {
    "once": ('texrepeat="2 4"', "4 2 .1", (2.0, 4.0)),
    "uniform": ('texrepeat="2 4" texuniform="true"', "4 2 .1", (8.0, 8.0)),
    "a third": ('texrepeat="1.5 1" texuniform="true"', "3 2 .1", (4.5, 2.0)),
    "silent": ('texuniform="true"', "4 2 .1", (4.0, 2.0)),
    "endless": ('texrepeat="2 4"', "0 0 .1", (20.0, 40.0)),
    "endless and uniform": ('texrepeat="2 4" texuniform="true"', "0 0 .1", (20.0, 40.0)),
    "endless one way": ('texrepeat="2 4"', "0 2 .1", (20.0, 4.0)),
}
"""Attributes of a material, size of the plane, and repetitions over the whole plane, counted in MuJoCo's renderings
(orthographic, from above); an infinite plane is 20 m wide in glTF."""


@pytest.mark.parametrize("name", PLANES)
def test_a_floor_is_tiled_as_mujoco_tiles_it(tmp_path: Path, name: str):
    words, size, repeats = PLANES[name]
    (tmp_path / "m.xml").write_text(
        '<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>'
        f'<material name="floor" texture="t" {words}/></asset>'
        f'<worldbody><geom type="plane" size="{size}" material="floor"/></worldbody></mujoco>'
    )
    convert(tmp_path / "m.xml", tmp_path / "m.glb")
    document = plain_gltf(tmp_path / "m.glb")
    info = materials(document)["floor"]["pbrMetallicRoughness"]["baseColorTexture"]
    assert info["extensions"][TRANSFORM]["scale"] == list(repeats)
    back = convert(tmp_path / "m.glb", tmp_path / "back.xml")
    assert exit_code(back) == 0
    found = etree.parse(str(tmp_path / "back.xml")).getroot().find("asset/material")
    given = etree.fromstring(f"<material {words}/>")
    assert {key: found.get(key) for key in ("texrepeat", "texuniform")} == {
        key: given.get(key) for key in ("texrepeat", "texuniform")
    }


def test_floors_of_several_sizes_are_not_tiled_alike(tmp_path: Path):
    (tmp_path / "m.xml").write_text(
        '<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>'
        '<material name="floor" texture="t" texuniform="true"/></asset><worldbody>'
        '<geom type="plane" size="1 1 .1" material="floor"/><geom type="plane" size="2 1 .1" material="floor"/>'
        "</worldbody></mujoco>"
    )
    report = convert(tmp_path / "m.xml", tmp_path / "m.glb")
    info = materials(plain_gltf(tmp_path / "m.glb"))["floor"]["pbrMetallicRoughness"]["baseColorTexture"]
    assert "extensions" not in info
    assert told(report)["material/floor.extras.@texuniform"][0] == "carried"
