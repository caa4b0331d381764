"""What materials, images, cameras and lights of a glTF document mean in the graph."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from converters.assets.inside import picture
from converters.context import InputError
from converters.convert import convert, read as load
from ir.diff import differences
from ir.optics import FLAT
from tests.files import saved
from tests.formats.gltf_made import Made, left, noted, scene_of
from tests.formats.test_gltf_reader import TURN
from tests.oracles import plain_urdf
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import complete, explained


def material(**members: Any) -> Made:
    made = Made()
    look = made.add("materials", members)
    uvs = made.array(np.linspace(0.1, 0.9, 8, dtype=np.float32).reshape(4, 2))
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(material=look, attributes={"TEXCOORD_0": uvs}))))
    return made


def image(kind: str = "PNG") -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (2, 2), (255, 0, 0)).save(buffer, kind)
    return buffer.getvalue()


def textured(data: bytes, mime: str, **info: Any) -> Made:
    made = material(name="m", pbrMetallicRoughness={"baseColorTexture": {"index": 0} | info})
    made.add("images", {"bufferView": made.view(data), "mimeType": mime, "name": "red"})
    made.add("textures", {"source": 0})
    return made


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
def test_a_document_goes_to_every_format_and_nothing_is_unexplained(target: str, tmp_path: Path):
    made = textured(image(), "image/png")
    made.node(name="second", mesh=0, scale=[2, -1, 1], translation=[0, 0, 1])
    made.root["scenes"][0]["nodes"].append(1)
    source = tmp_path / "in" / "model.glb"
    source.parent.mkdir()
    source.write_bytes(made.glb())
    report = explained(convert(source, tmp_path / f"made.{target}"))
    assert report.read + report.ignored + report.unread == report.source_items


def test_a_mesh_goes_to_urdf_with_its_library_and_image(tmp_path: Path):
    source = tmp_path / "in" / "model.glb"
    source.parent.mkdir()
    source.write_bytes(textured(image(), "image/png").glb())
    convert(source, tmp_path / "robot.urdf")
    folder = tmp_path / "robot_assets"
    assert sorted(path.name for path in folder.iterdir()) == ["mesh_0.mtl", "mesh_0.obj", "red.png"]
    assert (folder / "mesh_0.obj").read_text().startswith("mtllib mesh_0.mtl\nusemtl m\nv ")
    assert "map_Kd red.png" in (folder / "mesh_0.mtl").read_text()
    assert (folder / "red.png").read_bytes() == image()


def test_outputs_in_one_folder_leave_the_files_of_each_other_alone(tmp_path: Path):
    """A mesh of a URDF has a material library, that of an MJCF has none: overwriting it would lose its materials."""
    source = tmp_path / "in" / "model.glb"
    source.parent.mkdir()
    source.write_bytes(textured(image(), "image/png").glb())
    kept: dict[Path, bytes] = {}
    for suffix in ("urdf", "xml", "sdf", "gltf"):
        convert(source, tmp_path / f"robot.{suffix}")
        files = [path for path in tmp_path.glob("robot*/*") if path.is_file()]
        kept = {path: path.read_bytes() for path in files} | kept
        assert {path: path.read_bytes() for path in files} == kept


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
def test_a_scene_and_its_way_back_are_one(target: str, tmp_path: Path):
    made = textured(image(), "image/png", extensions={"KHR_texture_transform": {"offset": [0.5, 0]}})
    made.root["nodes"][0] |= {"rotation": TURN, "scale": [1, 2, 3], "skin": 3}
    made.root["extras"] = {"deep": [1, None]}
    source = saved(tmp_path / "model.glb", made.glb())
    convert(source, tmp_path / "out" / f"made.{target}")
    assert differences(load(source), load(tmp_path / "out" / f"made.{target}")) == []


@pytest.mark.parametrize(
    "said", [{"alphaMode": "MASK", "alphaCutoff": 0.3}, {"alphaMode": "MASK"}, {"alphaMode": "BLEND"}]
)
def test_what_alpha_means_is_shown_again(tmp_path: Path, said: dict[str, Any]):
    """An image with two half-transparent pixels before a background: rendered by three.js."""
    image = Image.new("RGBA", (2, 1))
    image.putdata([(255, 0, 0, 100), (0, 0, 255, 200)])
    data = BytesIO()
    image.save(data, "PNG")
    made = Made()
    made.add("images", {"bufferView": made.view(data.getvalue()), "mimeType": "image/png"})
    made.add("textures", {"source": 0})
    look = made.add("materials", {"name": "m", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}} | said)
    corners = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.uint16)
    uvs = made.array(np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32))
    square = made.primitive(corners, faces, material=look, attributes={"TEXCOORD_0": uvs})
    made.scene(made.node(name="part", mesh=made.mesh(square)))
    report = complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "b.glb"))
    assert not [each for each in report.findings if "parameters" in each.where]
    assert complaints(khronos_reads([tmp_path / "b.glb"])[0]) == []
    view = {"from": [1, -5, 1], "to": [1, 0, 1], "fovy": 30}
    request = {"view": view, "width": 100, "height": 100, "background": "#00ff00"}
    shots = [tmp_path / "a.png", tmp_path / "b.png"]
    for shot in shots:
        (answer,) = three_shows([request | {"file": str(shot.with_suffix(".glb")), "out": str(shot)}])
        assert answer["errors"] == []
    first, second = (np.asarray(Image.open(shot).convert("RGB"), int) for shot in shots)
    assert np.abs(first - second).max() <= 2
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 1


def test_images_beside_a_document_have_names_that_file_systems_take(tmp_path: Path):
    """Names of images inside a document may be any text."""
    names = ["x" * 300, "a\nb:c?", "a b c", "../up"]
    made = Made()
    for number, name in enumerate(names):
        colour = BytesIO()
        Image.new("RGB", (1, 1), (number, 0, 0)).save(colour, "PNG")
        made.add("images", {"bufferView": made.view(colour.getvalue()), "mimeType": "image/png", "name": name})
        made.add("textures", {"source": number})
        made.add("materials", {"name": f"m{number}", "pbrMetallicRoughness": {"baseColorTexture": {"index": number}}})
    uvs = made.array(np.zeros((4, 2), np.float32))
    pieces = [made.primitive(material=number, attributes={"TEXCOORD_0": uvs}) for number in range(4)]
    made.scene(made.node(name="part", mesh=made.mesh(*pieces)))
    complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "b.gltf"))
    document = json.loads((tmp_path / "b.gltf").read_bytes())
    uris = [image["uri"] for image in document["images"]]
    assert uris == [f"b_assets/{stem}.png" for stem in ("x" * 100, "a_b_c", "a_b_c_1", "up")]
    assert [Image.open(tmp_path / uri).getpixel((0, 0)) for uri in uris] == [(number, 0, 0) for number in range(4)]
    assert complaints(khronos_reads([tmp_path / "b.gltf"])[0]) == []
    assert [each.name for each in load(tmp_path / "b.gltf").assets.values() if each.kind == "texture"] == names


def test_factors_are_linear_and_colours_are_not():
    look = scene_of(
        material(
            name="paint",
            pbrMetallicRoughness={
                "baseColorFactor": [0.21404114048223255, 0, 1, 0.5],
                "metallicFactor": 0.25,
                "roughnessFactor": 0.75,
            },
            alphaMode="BLEND",
            emissiveFactor=[0, 0.21404114048223255, 0],
            extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
            doubleSided=True,
        )
    ).materials["paint"]
    assert look.rgba == (0.5, 0.0, 1.0, 0.5)
    assert (look.metallic, look.roughness, look.double_sided) == (0.25, 0.75, True)
    assert look.emissive == pytest.approx((0.0, 1.055 * 0.8561645619293021 ** (1 / 2.4) - 0.055, 0.0, 1.0))
    assert look.parameters == ()


def test_a_material_is_metal_and_rough_where_it_is_silent():
    look = scene_of(material(pbrMetallicRoughness={})).materials["material_0"]
    assert (look.rgba, look.metallic, look.roughness, look.label) == ((1.0, 1.0, 1.0, 1.0), 1.0, 1.0, "")


def test_what_alpha_means_is_kept():
    masked = scene_of(material(name="m", alphaMode="MASK", alphaCutoff=0.25)).materials["m"]
    assert masked.parameters == (("alphaMode", "MASK"), ("alphaCutoff", "0.25"))
    scene, notes = noted(material(name="m", pbrMetallicRoughness={"baseColorFactor": [1, 1, 1, 0.5]}))
    assert scene.materials["m"].rgba == (1.0, 1.0, 1.0, 1.0)
    assert [note.rule for note in notes] == ["gltf/opaque-alpha"]


@pytest.mark.parametrize(
    ("alpha", "cutoff", "seen"), [(0.4, 0.3, 1.0), (0.4, None, 0.0), (0.5, 0.5, 1.0), (1.0, 1.5, 0.0)]
)
def test_a_mask_without_an_image_shows_all_or_nothing(alpha: float, cutoff: float | None, seen: float):
    """3.9.4: the output is either fully opaque or fully transparent."""
    said = {"alphaMode": "MASK"} | ({} if cutoff is None else {"alphaCutoff": cutoff})
    scene, notes = noted(material(name="m", pbrMetallicRoughness={"baseColorFactor": [1, 0, 0, alpha]}, **said))
    assert scene.materials["m"].rgba[3] == seen
    assert [(note.rule, note.after) for note in notes] == (
        [("gltf/opaque-alpha", f"{seen:g}")] if seen != alpha else []
    )


def test_other_textures_and_extensions_of_a_material_stay_with_it():
    found = left(
        scene_of(
            material(
                name="m",
                normalTexture={"index": 0},
                extensions={"KHR_materials_clearcoat": {"clearcoatFactor": 1}},
                pbrMetallicRoughness={"metallicRoughnessTexture": {"index": 0}},
            )
        )
    )
    assert found == {
        "m:normalTexture": '{"index":0}',
        "m:extensions/KHR_materials_clearcoat": '{"clearcoatFactor":1}',
        "m:pbrMetallicRoughness/metallicRoughnessTexture": '{"index":0}',
    }


def test_gloss_gives_the_colour_where_there_is_no_roughness():
    gloss = {"diffuseFactor": [0, 1, 0, 1], "glossinessFactor": 0.5}
    scene = scene_of(material(name="m", extensions={"KHR_materials_pbrSpecularGlossiness": gloss}))
    assert scene.materials["m"].rgba == (0.0, 1.0, 0.0, 1.0)
    assert left(scene) == {"m:extensions/KHR_materials_pbrSpecularGlossiness/glossinessFactor": "0.5"}


def test_an_image_inside_is_a_part_of_the_file(tmp_path: Path):
    made = textured(image(), "image/png")
    path = saved(tmp_path / "model.glb", made.glb())
    scene, notes = noted(made, path)
    assert notes == []
    asset = scene.assets[scene.materials["m"].texture]
    assert (asset.uri, asset.kind, asset.file) == ("model.glb#/images/0", "texture", str(path))
    assert picture(asset) == image()


def test_an_image_of_another_type_than_it_says_is_told():
    _, notes = noted(textured(image(), "image/jpeg"))
    assert [(note.rule, note.before, note.after) for note in notes] == [("gltf/image-type", "image/jpeg", "image/png")]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_bytes_behind_an_image_are_told(kind: str):
    """They change the image as part of the file, but nothing visible."""
    data = image(kind)
    mime = f"image/{kind.lower()}"
    assert noted(textured(data, mime))[1] == []
    _, (note,) = noted(textured(data + b"more", mime))
    assert (note.rule, note.before) == ("gltf/slack", f"4 of {len(data) + 4}")


def test_an_image_beside_the_document_is_a_file(tmp_path: Path):
    made = material(name="m", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    made.add("images", {"uri": "my%20red.png"})
    made.add("textures", {"source": 0})
    (tmp_path / "my red.png").write_bytes(image())
    scene, notes = noted(made, tmp_path / "model.glb")
    assert notes == []
    assert scene.assets["my red"].file == str(tmp_path / "my red.png")
    (tmp_path / "my red.png").unlink()
    scene, notes = noted(made, tmp_path / "model.glb")
    assert [note.rule for note in notes] == ["assets/missing"]
    assert scene.assets["my red"].file is None


def test_webp_is_read_and_a_texture_nobody_reads_is_told(tmp_path: Path):
    made = textured(image("WEBP"), "image/webp")
    made.root["textures"] = [{"extensions": {"EXT_texture_webp": {"source": 0}}}]
    path = saved(tmp_path / "model.glb", made.glb())
    scene, notes = noted(made, path)
    assert notes == []
    report = convert(path, tmp_path / "out" / "model.urdf")
    assert any(name.endswith("red.png") for name in report.target.files)
    made.root["textures"] = [{"extensions": {"KHR_texture_basisu": {"source": 0}}}]
    scene, notes = noted(made)
    assert [note.rule for note in notes] == ["gltf/no-image", "gltf/unread"]
    assert scene.materials["m"].texture is None


def test_cameras_and_lights_stand_where_their_nodes_do():
    made = Made(
        cameras=[
            {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1, "zfar": 9, "aspectRatio": 2}},
            {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 2, "znear": 0.5, "zfar": 2}},
        ],
        extensions={
            "KHR_lights_punctual": {
                "lights": [
                    {
                        "type": "spot",
                        "color": [0.21404114048223255, 1, 1],
                        "intensity": 20,
                        "range": 5,
                        "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.2},
                        "name": "lamp",
                    }
                ]
            }
        },
    )
    nodes = [
        made.node(name="eye", camera=0, translation=[0, 1, 0]),
        made.node(name="plan", camera=1),
        made.node(name="lamp", extensions={"KHR_lights_punctual": {"light": 0}}),
    ]
    made.scene(made.node(name="base", children=nodes))
    scene = scene_of(made)
    eye, plan = scene.body("base").cameras
    assert (eye.name, eye.fov_y, eye.near, eye.far, eye.pose.pos) == ("eye", 0.5, 0.1, 9.0, (0.0, 1.0, 0.0))
    assert (plan.orthographic, plan.near, plan.far, plan.span) == (True, 0.5, 2.0, 4.0)
    (lamp,) = scene.body("base").lights
    assert (lamp.kind, lamp.diffuse, lamp.intensity, lamp.range) == ("spot", (0.5, 1.0, 1.0), 20.0, 5.0)
    assert (lamp.inner, lamp.outer) == (0.1, 0.2)
    assert set(left(scene)) == {
        "cameras/0/perspective/aspectRatio",
        "cameras/1/orthographic/xmag",
        "extensions/KHR_lights_punctual/lights/0/name",
    }


@pytest.mark.parametrize(("angle", "seen"), [(3.14, 3.14), (3.1416, FLAT), (5, FLAT)])
@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
def test_no_flat_picture_sees_half_a_turn(tmp_path: Path, angle: float, seen: float, target: str):
    """glTF 2.0, 3.10.3: "yfov SHOULD be less than pi"; MuJoCo refuses a model with such a camera. The given value is
    reported, as for SDFormat."""
    made = Made(cameras=[{"type": "perspective", "perspective": {"yfov": angle, "znear": 0.1}}])
    made.scene(made.node(name="base", children=[made.node(name="eye", camera=0)]))
    source, there = tmp_path / "scene.glb", tmp_path / f"there.{target}"
    source.write_bytes(made.glb())
    report = convert(source, there)
    explained(report)
    told = [each for each in report.findings if each.where.endswith("perspective/yfov") and each.before == str(angle)]
    assert len(told) == (seen != angle)
    if target == "xml":
        assert mujoco_model(there).cam_fovy[0] == pytest.approx(np.degrees(seen))
    again = tmp_path / "again.glb"
    explained(convert(there, again))
    assert plain_gltf(again).document["cameras"][0]["perspective"]["yfov"] == pytest.approx(seen, abs=1e-12)
    assert complaints(khronos_reads([again])[0]) == []


def test_a_camera_sees_something():
    made = Made(cameras=[{"type": "perspective", "perspective": {"yfov": 0, "znear": 0.1}}])
    made.scene(made.node(name="eye", camera=0))
    with pytest.raises(InputError, match="yfov must be an angle above zero"):
        scene_of(made)


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
def test_what_is_hidden_is_not_seen_in_any_format(tmp_path: Path, target: str):
    """A hidden node and its child, which has no visibility of its own; the value is not reported as lost."""
    made = Made(extensionsUsed=["KHR_node_visibility"])
    mesh = made.mesh(made.primitive())
    child = made.node(name="child", mesh=mesh)
    off, on = ({"KHR_node_visibility": {"visible": said}} for said in (False, True))
    hidden = made.node(name="hidden", mesh=mesh, children=[child], extensions=off)
    made.scene(hidden, made.node(name="seen", mesh=mesh, extensions=on))
    source, there = tmp_path / "scene.glb", tmp_path / "out" / f"there.{target}"
    source.write_bytes(made.glb())
    report = explained(convert(source, there))
    assert not [each for each in report.findings if "isib" in each.where + each.before]
    hidden_ones = {geom.name for geom in load(there).geoms() if geom.transparency == 1.0}
    assert hidden_ones == {"hidden", "child"}
    assert unseen(there) == 2


def unseen(path: Path) -> int:
    """Return how many of three visuals are invisible in other programs."""
    if path.suffix == ".xml":
        model = mujoco_model(path)
        worn = [model.geom_matid[number] for number in range(model.ngeom)]
        alphas = [(model.mat_rgba[look] if look >= 0 else model.geom_rgba[n])[3] for n, look in enumerate(worn)]
    elif path.suffix == ".glb":
        document = plain_gltf(path).document
        looks = [document["materials"][mesh["primitives"][0]["material"]] for mesh in document["meshes"]]
        clear = {n for n, look in enumerate(looks) if look["pbrMetallicRoughness"].get("baseColorFactor", [1])[-1] == 0}
        return sum(node.get("mesh") in clear for node in document["nodes"])
    else:
        tree = plain_urdf.parse(path)
        colours = {each.getparent().get("name"): each.get("rgba") for each in tree.findall(".//material/color")}
        alphas = [
            1.0 - float(each.findtext("transparency") or 0)
            if path.suffix == ".sdf"
            else float(colours[each.find("material").get("name")].split()[-1])
            for each in tree.findall(".//visual")
        ]
    assert len(alphas) == 3
    return sum(alpha == 0.0 for alpha in alphas)
