"""Images of glTF other than the base colour keep their roles in glTF, and come back from all other formats."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from converters.context import Options
from converters.convert import convert, read
from ir.types import Map
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.formats.test_gltf_writer import painted
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

PLACES = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.float32)
SHADES = {"paint": (200, 10, 25), "bumps": (128, 128, 255), "shade": (255, 90, 30), "glow": (9, 200, 9)}
SHEEN = {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 2}, "metallicFactor": 0.5}
LOOK = {
    "name": "m",
    "pbrMetallicRoughness": SHEEN,
    "normalTexture": {"index": 1},
    "emissiveTexture": {"index": 3},
    "emissiveFactor": [1, 0.5, 0],
}


def made(folder: Path, **look: Any) -> Path:
    """Return a tetrahedron with a material that has these members in addition to those of LOOK."""
    document = Made(materials=[LOOK | look])
    for name, colour in SHADES.items():
        data = BytesIO()
        Image.new("RGB", (2, 2), colour).save(data, "PNG")
        document.add("images", {"bufferView": document.view(data.getvalue()), "mimeType": "image/png", "name": name})
        document.add("textures", {"source": len(document.root["images"]) - 1})
    both = {"TEXCOORD_0": document.array(PLACES), "TEXCOORD_1": document.array(PLACES)}
    document.scene(document.node(mesh=document.mesh(document.primitive(attributes=both, material=0)), name="part"))
    return saved(folder / "made.glb", document.glb())


def seen(path: Path) -> dict[str, str]:
    """Return, for each texture of the only material of a .gltf, its image, identified by the colour of its pixels."""
    document = json.loads(path.read_bytes())
    (look,) = document["materials"]
    infos = {key: each for holder in (look, look["pbrMetallicRoughness"]) for key, each in holder.items()}
    found = {}
    for key, info in infos.items():
        if key.endswith("Texture"):
            image = document["images"][document["textures"][info["index"]]["source"]]
            with Image.open(path.parent / image["uri"]) as picture:
                colour = picture.getpixel((0, 0))
            found[key.removesuffix("Texture")] = next(name for name, shade in SHADES.items() if shade == colour)
    return found


ALL = {"baseColor": "paint", "normal": "bumps", "metallicRoughness": "shade", "emissive": "glow"}


def test_images_of_a_gltf_are_those_of_the_next_one(tmp_path: Path):
    source = made(tmp_path)
    assert read(source).materials["m"].maps == (
        Map(role="normal", texture="bumps"),
        Map(role="emissive", texture="glow"),
        Map(role="metallicRoughness", texture="shade"),
    )
    for name, target in (("made.glb", "one.gltf"), ("one.gltf", "two.gltf")):
        report = explained(convert(tmp_path / name, tmp_path / target))
        lost = [each.rule for each in report.findings if each.action in ("dropped", "approximated")]
        assert lost == (["gltf/unread"] if name == "made.glb" else []), "coordinates by which no image goes"
        assert seen(tmp_path / target) == ALL
        (look,) = json.loads((tmp_path / target).read_bytes())["materials"]
        assert look["pbrMetallicRoughness"]["metallicFactor"] == 0.5
        source.unlink(missing_ok=True)  # what the document holds stands for it
    assert complaints(khronos_reads([tmp_path / "two.gltf"])[0]) == []


def test_the_image_of_metal_that_is_gone_is_told_where_it_has_no_place(tmp_path: Path):
    """In SDFormat roughness and metalness have an image each, which cannot be made from an image that is missing."""
    convert(made(tmp_path), tmp_path / "to" / "one.xml")
    (tmp_path / "made.glb").unlink()
    (tmp_path / "to" / "one_assets" / "shade.png").unlink()
    report = explained(convert(tmp_path / "to" / "one.xml", tmp_path / "two" / "two.sdf"))
    assert [each.where for each in of_rule(report, "sdf/material")] == ["material/m.maps"]
    text = (tmp_path / "two" / "two.sdf").read_text()
    assert "<normal_map>" in text and "<emissive_map>" in text and "<roughness_map>" not in text


def test_occlusion_in_the_image_of_metal_is_one_image(tmp_path: Path):
    source = made(tmp_path, occlusionTexture={"index": 2})
    assert {each.role: each.texture for each in read(source).materials["m"].maps} == {
        "normal": "bumps", "emissive": "glow", "orm": "shade",
    }  # fmt: skip
    explained(convert(source, tmp_path / "one.gltf"))
    assert seen(tmp_path / "one.gltf") == ALL | {"occlusion": "shade"}
    explained(convert(made(tmp_path, occlusionTexture={"index": 0}), tmp_path / "two.gltf"))
    assert seen(tmp_path / "two.gltf") == ALL | {"occlusion": "paint"}


@pytest.mark.parametrize(
    ("look", "left"),
    [
        ({"normalTexture": {"index": 1, "texCoord": 1}}, "normalTexture"),
        ({"normalTexture": {"index": 1, "extensions": {"KHR_texture_transform": {"scale": [2, 2]}}}}, "normalTexture"),
        ({"normalTexture": {"index": 1, "scale": 0.5}}, "normalTexture/scale"),
        ({"emissiveFactor": [0, 0, 0]}, "emissiveTexture"),
    ],
)
def test_what_is_laid_out_otherwise_or_shows_nothing_is_left_over(tmp_path: Path, look: dict[str, Any], left: str):
    material = read(made(tmp_path, **look)).materials["m"]
    assert [extra.path for extra in material.extras] == [left]
    shown = {each.role for each in material.maps}
    assert shown == {"normal", "emissive", "metallicRoughness"} - {left.removesuffix("Texture")}


@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml"])
def test_images_come_back_from_formats_that_have_none(tmp_path: Path, suffix: str):
    source, other = made(tmp_path), tmp_path / f"made{suffix}"
    report = explained(convert(source, other))
    action = "derived" if suffix == ".sdf" else "carried"  # it has an image of roughness and one of metal
    assert [each.action for each in report.findings if each.where == "material/m.maps"] == [action]
    explained(convert(other, tmp_path / "back.gltf"))
    assert seen(tmp_path / "back.gltf") == ALL


def test_images_of_a_mesh_file_that_nobody_takes_are_told(tmp_path: Path):
    made(tmp_path)
    visual = '<visual><geometry><mesh filename="made.glb"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l">{visual}</link></robot>')
    report = convert(tmp_path / "r.urdf", tmp_path / "r.gltf")
    told = {each.reason for each in of_rule(report, "assets/mesh-content")}
    keys = ("normal", "emissive", "metallicRoughness")
    assert told == {f"not taken from the mesh file: {key}Texture of material 'm'" for key in keys}


@pytest.mark.parametrize("target", ["a.xml", "a.sdf", "a.urdf", "a.glb"])
def test_a_set_of_texture_coordinates_that_a_transform_replaces_is_told(tmp_path: Path, target: str):
    """KHR_texture_transform: its texCoord overrides that of the texture."""
    base = {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"texCoord": 0}}}
    report = explained(
        convert(made(tmp_path, pbrMetallicRoughness=SHEEN | {"baseColorTexture": base}), tmp_path / target)
    )
    assert {source.path for each in report.findings if each.rule == "gltf/overridden" for source in each.sources} == {
        "/materials/0/pbrMetallicRoughness/baseColorTexture/texCoord"
    }


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb", "png"])
def test_what_is_no_image_stands_in_a_glb_as_it_is(tmp_path: Path, suffix: str):
    """A texture that cannot be decoded comes back where files need not be decoded, and is reported elsewhere."""
    look = '<material name="m"><color rgba="1 0 0 1"/><texture filename="bad.png"/></material>'
    shape = '<geometry><box size="1 1 1"/></geometry>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l"><visual>{shape}{look}</visual></link></robot>')
    (tmp_path / "bad.png").write_bytes(b"no image")
    convert(tmp_path / "r.urdf", tmp_path / "there.glb")
    (tmp_path / "bad.png").unlink()
    report = explained(convert(tmp_path / "there.glb", tmp_path / "out" / f"back.{suffix}"))
    copies = [path.read_bytes() for path in (tmp_path / "out").rglob("bad.*")]
    assert copies == ([b"no image"] if suffix in ("urdf", "sdf") else [])
    assert bool(copies) or {each.rule for each in report.findings} & {"assets/unreadable", "picture/texture"}


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_a_photograph_stays_one_without_its_profile(tmp_path: Path, mode: str):
    Image.new("RGB", (16, 16), (200, 120, 40)).convert(mode).save(tmp_path / "a.jpg", icc_profile=b"profile" * 9)
    painted(tmp_path, "a.jpg")
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    assert complaints(khronos_reads([tmp_path / "robot.glb"])[0]) == []
    document = plain_gltf(tmp_path / "robot.glb")
    (found,) = document.document["images"]
    view = document.document["bufferViews"][found["bufferView"]]
    data = document.buffers[view["buffer"]][view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    assert found["mimeType"] == ("image/png" if mode == "CMYK" else "image/jpeg")
    with Image.open(BytesIO(data)) as picture, Image.open(tmp_path / "a.jpg") as source:
        assert "icc_profile" not in picture.info
        assert np.array_equal(picture.convert("RGB"), source.convert("RGB"))


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "gltf"])
def test_images_are_there_where_the_graph_inside_is_not_asked(suffix: str, target: str, tmp_path: Path) -> None:
    source = made(tmp_path)
    convert(source, tmp_path / f"ours.{suffix}")
    plain = read(tmp_path / f"ours.{suffix}", options=Options(carried=False))
    (look,) = plain.materials.values()
    assert look.texture == "paint"
    assert {each.texture for each in look.maps} == {"bumps", "shade", "glow"}
    assert {name for name, asset in plain.assets.items() if asset.kind == "texture"} == {*SHADES}
    explained(convert(tmp_path / f"ours.{suffix}", tmp_path / "far" / f"r.{target}", options=Options(carried=False)))
