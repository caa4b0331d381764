"""Images of a <metal> other than its colour: in the graph, in glTF, and back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from converters.context import Options
from converters.convert import read
from tests.formats.sdf_text import converted, link, put, sdf, xml
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.reports import of_rule

IMAGES = {"albedo": 10, "roughness": 98, "metalness": 200, "ambient_occlusion": 30, "normal": 128, "emissive": 40}
METAL = "".join(f"<{name}_map>{name}.png</{name}_map>" for name in IMAGES)


def source(folder: Path, metal: str = METAL) -> Path:
    """Write a box with these images, each of one grey value; the metalness image is twice as large."""
    for name, grey in IMAGES.items():
        side = 8 if name == "metalness" else 4
        Image.fromarray(np.full((side, side, 3), grey, np.uint8)).save(folder / f"{name}.png")
    look = f"<material><diffuse>1 1 1 1</diffuse><pbr><metal>{metal}</metal></pbr></material>"
    inner = f'<visual name="v"><geometry><box><size>1 1 1</size></box></geometry>{look}</visual>'
    return put(folder, sdf(link("a", inner=inner)))


def test_the_images_of_a_metal_are_those_of_the_material(tmp_path: Path):
    scene = read(source(tmp_path))
    (look,) = scene.materials.values()
    roles = {each.role: Path(scene.assets[each.texture].uri).stem for each in look.maps}
    assert roles == {
        "roughness": "roughness",
        "metallic": "metalness",
        "occlusion": "ambient_occlusion",
        "normal": "normal",
        "emissive": "emissive",
    }
    report, path = converted(tmp_path, tmp_path / "source.sdf", "new.sdf")
    assert report.findings == () or {each.rule for each in report.findings} == {"sdf/inertial-default"}
    assert read(path) == scene


def test_gltf_has_roughness_and_metal_in_one_image(tmp_path: Path):
    report, path = converted(tmp_path, source(tmp_path), "out.gltf")
    assert complaints(khronos_reads([path])[0]) == []
    document = json.loads(path.read_text())
    (look,) = document["materials"]

    def image(texture: dict[str, int]) -> Image.Image:
        place = document["images"][document["textures"][texture["index"]]["source"]]["uri"]
        return Image.open(path.parent / place)

    packed = image(look["pbrMetallicRoughness"]["metallicRoughnessTexture"])
    assert (packed.size, packed.getpixel((0, 0))) == ((8, 8), (255, IMAGES["roughness"], IMAGES["metalness"]))
    for name, key in (("ambient_occlusion", "occlusion"), ("normal", "normal"), ("emissive", "emissive")):
        assert image(look[f"{key}Texture"]).convert("L").getpixel((0, 0)) == IMAGES[name]
    assert of_rule(report, "gltf/texture")
    _, back = converted(tmp_path, path, "back.sdf")
    assert read(back).materials == read(tmp_path / "source.sdf").materials


@pytest.mark.parametrize(("one", "expected"), [("roughness", (255, 98, 255)), ("metalness", (255, 255, 200))])
def test_one_of_both_alone_leaves_the_other_to_its_number(tmp_path: Path, one: str, expected: tuple[int, ...]):
    _, path = converted(tmp_path, source(tmp_path, f"<{one}_map>{one}.png</{one}_map>"), "out.gltf")
    document = json.loads(path.read_text())
    (look,) = document["materials"]
    texture = document["textures"][look["pbrMetallicRoughness"]["metallicRoughnessTexture"]["index"]]
    assert Image.open(path.parent / document["images"][texture["source"]]["uri"]).getpixel((0, 0)) == expected
    assert look["pbrMetallicRoughness"]["roughnessFactor"] == look["pbrMetallicRoughness"]["metallicFactor"] == 0.5


def test_images_that_would_be_too_large_as_one_are_told(tmp_path: Path):
    """Each is one line of pixels; combined into one image they took 11 GB."""
    (tmp_path / "in").mkdir()
    made = source(tmp_path / "in", "<roughness_map>wide.png</roughness_map><metalness_map>high.png</metalness_map>")
    for name, size in (("wide", (9000, 1)), ("high", (1, 9000))):
        Image.new("L", size).save(tmp_path / "in" / f"{name}.png")
    report, path = converted(tmp_path, made, "out.gltf")
    (told,) = of_rule(report, "assets/unreadable")
    assert "9000 x 9000 pixels" in told.reason
    assert "metallicRoughnessTexture" not in path.read_text()


def test_normals_in_the_axes_of_the_object_stay_as_they_are(tmp_path: Path):
    metal = '<normal_map type="object">normal.png</normal_map><light_map uv_set="1">albedo.png</light_map>'
    (look,) = read(source(tmp_path, metal)).materials.values()
    assert look.maps == ()
    _, path = converted(tmp_path, tmp_path / "source.sdf", "new.sdf", Options(sdf_version="1.7"))
    assert [each.tag for each in xml(path).iter("normal_map", "light_map")] == ["normal_map", "light_map"]


def test_images_of_a_gltf_are_those_of_a_metal(tmp_path: Path):
    """Without carried data; one image in glTF becomes two in SDF, with the same pixels."""
    _, path = converted(tmp_path, source(tmp_path), "out.gltf")
    document = json.loads(path.read_text())
    for thing in (document, document["asset"], *document["nodes"], *document["scenes"]):
        thing.pop("extras", None)
    path.write_text(json.dumps(document))
    report, made = converted(tmp_path, path, "made.sdf", Options(carry=False))
    tags = {str(each.tag) for each in xml(made).iter() if str(each.tag).endswith("_map")}
    assert tags == {f"{name}_map" for name in IMAGES}
    assert {each.action for each in of_rule(report, "gltf/packed")} == {"derived"}
    for name in ("roughness", "metalness"):
        (element,) = xml(made).iter(f"{name}_map")
        with Image.open(tmp_path / str(element.text)) as picture:
            assert (picture.mode, picture.size) == ("L", (8, 8))
            assert picture.getextrema() == (IMAGES[name], IMAGES[name])
    _, again = converted(tmp_path, made, "again.gltf")
    looks = [json.loads(each.read_text())["materials"][0]["pbrMetallicRoughness"] for each in (path, again)]
    assert looks[0] == looks[1]


def test_occlusion_in_the_same_image_is_a_third_one(tmp_path: Path):
    """glTF -> SDF -> glTF: the original image, because its channels were not edited."""
    _, path = converted(tmp_path, source(tmp_path), "out.gltf")
    document = json.loads(path.read_text())
    for thing in (document, document["asset"], *document["nodes"], *document["scenes"]):
        thing.pop("extras", None)
    (look,) = document["materials"]
    packed = look["pbrMetallicRoughness"]["metallicRoughnessTexture"]["index"]
    look["occlusionTexture"] = {"index": packed}
    path.write_text(json.dumps(document))
    _, made = converted(tmp_path, path, "made.sdf")
    (element,) = xml(made).iter("ambient_occlusion_map")
    with Image.open(tmp_path / str(element.text)) as picture:
        assert (picture.mode, picture.getextrema()) == ("L", (255, 255))
    _, back = converted(tmp_path, made, "back.gltf")
    (look,) = json.loads(back.read_text())["materials"]
    assert look["occlusionTexture"] == look["pbrMetallicRoughness"]["metallicRoughnessTexture"]


@pytest.mark.parametrize("between", ["xml", "urdf"])
def test_images_come_back_from_a_format_without_a_place_for_them(
    between: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    """The files are gone, and so is the GLB that contained them."""
    start, far = source(tmp_path), tmp_path_factory.mktemp("far")
    path = start
    for name in ("m.glb", f"m.{between}", "m.sdf"):
        _, made = converted(far, path, f"to_{name}/{name}")
        shutil.rmtree(path.parent)
        path = made
    scene = read(path)
    (look,) = scene.materials.values()
    found = {str(scene.assets[each.texture].file) for each in look.maps}
    assert {Image.open(file).getpixel((0, 0))[0] for file in found} == {*IMAGES.values()} - {IMAGES["albedo"]}
