"""Cameras, lights, frames and images that others add to a document of Kinegraph are kept, and are reported."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from converters.convert import convert, read
from ir.types import Map
from tests.files import saved
from tests.formats.gltf_arm import ARM, Change, back, by_name, edited, told
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.reports import explained

Document = dict[str, Any]
LIGHTS = "KHR_lights_punctual"
LOOK = """<mujoco><asset><texture name="t" type="2d" file="t.png"/><material name="m" texture="t"/>
<material name="red" rgba="1 0 0 1"/></asset><worldbody><geom name="a" type="box" size="1 1 1" material="m"/>
<geom name="b" type="box" size="1 1 1" material="red"/></worldbody></mujoco>"""


def add(document: Document, onto: str, **members: Any) -> None:
    document["nodes"].append(members)
    number = len(document["nodes"]) - 1
    above = by_name(document, onto) if onto else document["scenes"][0]
    above.setdefault("children" if onto else "nodes", []).append(number)


def _camera(document: Document) -> None:
    document["cameras"].append({"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}})
    add(document, "base", name="wide", camera=len(document["cameras"]) - 1, translation=[0, 0, 0.5])


def _copy(document: Document) -> None:
    node = {key: value for key, value in by_name(document, "eye").items() if key != "extras"}
    add(document, "base", **node | {"name": "wide", "translation": [0, 0, 0.5]})


@pytest.mark.parametrize("change", [_camera, _copy])
def test_a_camera_that_was_added_is_on_its_body(arm: Path, change: Change):
    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert {where: each.action for where, each in found.items()} == {"camera/wide": "derived"}
    model = back(arm.with_name("back.xml"))
    assert model.ncam == 2
    assert model.body(int(model.cam_bodyid[model.camera("wide").id])).name == "base"
    assert model.camera("wide").pos == pytest.approx([0, 0, 0.5])
    told(arm.with_name("edited.gltf"), arm.with_name("again.gltf"))
    assert told(arm.with_name("again.gltf"), arm.with_name("again.xml")) == {}
    assert back(arm.with_name("again.xml")).ncam == 2
    assert complaints(khronos_reads([arm.with_name("again.gltf")])[0]) == []


def test_a_light_that_was_added_beside_the_model_shines_in_the_world(tmp_path: Path):
    """The document did not use its extension before; the entry in extensionsUsed is not reported separately."""
    (tmp_path / "dark.xml").write_text(ARM.replace('<light name="lamp" pos="0 0 1" type="spot" cutoff="40"/>', ""))
    convert(tmp_path / "dark.xml", tmp_path / "dark.gltf")

    def change(document: Document) -> None:
        document["extensionsUsed"].append(LIGHTS)
        document["extensions"][LIGHTS] = {"lights": [{"type": "point", "color": [1, 0, 0], "intensity": 5}]}
        add(document, "", name="lamp", extensions={LIGHTS: {"light": 0}}, translation=[1, 2, 3])

    found = told(edited(tmp_path / "dark.gltf", change), tmp_path / "back.xml")
    assert {where: each.action for where, each in found.items()} == {"light/lamp": "derived"}
    model = back(tmp_path / "back.xml")
    assert (model.nlight, int(model.light_bodyid[0])) == (1, 0)
    assert model.light_pos[0] == pytest.approx([1, -3, 2])  # beside the model y is up
    assert model.light_diffuse[0] == pytest.approx([1, 0, 0])


def test_an_empty_node_with_a_name_is_a_frame_and_one_without_is_told(arm: Path):
    def change(document: Document) -> None:
        add(document, "upper", name="grip", translation=[0, 0, 0.9], extras={"by": "me"})
        add(document, "upper", translation=[0, 0, 0.1])

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert {where: each.action for where, each in found.items()} == {"frame/grip": "derived", "scene": "dropped"}
    assert back(arm.with_name("back.xml")).site("grip").pos == pytest.approx([0, 0, 0.9])


@pytest.mark.parametrize("kind", ["frame", "geom", "camera"])
def test_what_else_a_node_says_that_was_added_is_kept_and_told_where_it_stands(arm: Path, kind: str):
    """It is an extra of the item made from the node: the audit finds what each format does with it."""

    def change(document: Document) -> None:
        shows = {"geom": {"mesh": by_name(document, "bar")["mesh"]}, "camera": {"camera": 0}}.get(kind, {})
        add(document, "base", name="new", extras={"by/whom": "me"}, ACME=3, **shows)

    changed = edited(arm, change)
    report = explained(convert(changed, arm.with_name("back.xml")))
    lost = {each.where: each.action for each in report.findings if each.where.startswith(f"body/base.{kind}s.new.")}
    extras = f"body/base.{kind}s.new.extras."
    assert {where: lost[where] for where in lost if where.startswith(extras)} == {
        f"{extras}ACME": "carried",
        f"{extras}extras/by~1whom": "carried",
    }
    again = read(arm.with_name("back.xml")).body("base")
    (item,) = [each for each in (*again.geoms, *again.frames, *again.cameras) if each.name == "new"]
    assert {extra.path: extra.text for extra in item.extras if extra.format == "gltf"} == {
        "ACME": "3",
        "extras/by~1whom": '"me"',
    }


def test_a_node_that_shows_and_sees_is_both(arm: Path):
    def change(document: Document) -> None:
        add(document, "base", name="both", mesh=by_name(document, "bar")["mesh"], camera=0)

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert {"camera/both", "geom/both"} <= set(found)
    assert not [each for each in found.values() if each.action == "dropped"]
    model = back(arm.with_name("back.xml"))
    assert (model.ncam, model.ngeom) == (2, 3)


def test_the_lens_of_a_camera_of_ours_on_a_node_of_its_own_is_no_other_camera(arm: Path):
    """Blender writes cameras like this."""

    def change(document: Document) -> None:
        number = by_name(document, "eye").pop("camera")
        add(document, "eye", name="eye_Orientation", camera=number)

    told(edited(arm, change), arm.with_name("back.xml"))
    assert back(arm.with_name("back.xml")).ncam == 1


# -------------------------------------------------------------------------------------------------------------- images


@pytest.fixture
def look(tmp_path: Path) -> Path:
    Image.new("RGB", (4, 4), (200, 10, 25)).save(tmp_path / "t.png")
    convert(saved(tmp_path / "look.xml", LOOK), tmp_path / "look.gltf")
    return tmp_path / "look.gltf"


def paint(document: Document, material: str, place: str = "baseColorTexture", name: str = "stripes") -> None:
    """Replace the image of a material."""
    data = BytesIO()
    Image.new("RGB", (2, 2), (1, 2, 3)).save(data, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
    document["images"].append({"name": name, "uri": uri})
    document["textures"].append({"source": len(document["images"]) - 1})
    look = next(each for each in document["materials"] if each["name"] == material)
    holder = look["pbrMetallicRoughness"] if place.startswith("base") else look
    holder[place] = {"index": len(document["textures"]) - 1}


@pytest.mark.parametrize("material", ["m", "red"])
def test_an_image_that_was_put_on_a_material_is_its_texture(look: Path, material: str):
    found = told(edited(look, lambda document: paint(document, material)), look.with_name("back.xml"))
    gone = {"asset/t": "dropped"} if material == "m" else {}
    assert {where: each.action for where, each in found.items()} == {f"material/{material}": "derived"} | gone
    assert read(look.with_name("back.xml")).materials[material].texture == "stripes"
    model = back(look.with_name("back.xml"))
    number = int(model.mat_texid[model.material(material).id][1])
    assert model.tex_data[model.tex_adr[number] : model.tex_adr[number] + 3].tolist() == [1, 2, 3]


def test_an_image_without_a_name_is_found_again(look: Path):
    """trimesh writes images without names."""
    changed, there = edited(look, lambda document: paint(document, "red", name="")), look.with_name("back.xml")
    report = explained(convert(changed, there))
    texture = read(there).materials["red"].texture
    assert read(changed).materials["red"].texture == texture
    assert not [each for each in report.findings if each.rule in ("mjcf/texture", "mjcf/asset-not-written")]
    model = back(there)
    assert model.texture(model.mat_texid[model.material("red").id][1]).name == texture


def test_an_image_on_what_had_no_material_is_told_once(arm: Path):
    def change(document: Document) -> None:
        document |= {"images": [], "textures": []}
        plain = by_name(document, "bar")["mesh"]
        name = document["materials"][document["meshes"][plain]["primitives"][0]["material"]]["name"]
        paint(document, name)

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert {where: each.action for where, each in found.items()} == {"geom/bar": "derived"}
    assert back(arm.with_name("back.xml")).ntex == 1


def test_an_image_that_was_taken_off_is_gone(look: Path):
    def change(document: Document) -> None:
        del document["textures"], document["images"]
        for each in document["materials"]:
            each["pbrMetallicRoughness"].pop("baseColorTexture", None)

    found = told(edited(look, change), look.with_name("back.xml"))
    assert (found["material/m"].action, found["asset/t"].action) == ("derived", "dropped")
    assert read(look.with_name("back.xml")).materials["m"].texture is None
    assert back(look.with_name("back.xml")).ntex == 0


def test_an_image_of_normals_that_was_put_on_a_material_is_that(look: Path):
    changed = edited(look, lambda document: paint(document, "red", "normalTexture", "bumps"))
    found = told(changed, look.with_name("back.gltf"))
    assert {where: each.action for where, each in found.items()} == {"material/red": "derived"}
    assert read(look.with_name("back.gltf")).materials["red"].maps == (Map(role="normal", texture="bumps"),)
    assert complaints(khronos_reads([look.with_name("back.gltf")])[0]) == []


def test_a_word_among_the_extensions_that_nothing_uses_is_told(arm: Path):
    def change(document: Document) -> None:
        document["extensionsUsed"].append("KHR_materials_clearcoat")

    assert [each.action for each in told(edited(arm, change), arm.with_name("back.xml")).values()] == ["dropped"]


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf", "out.xml", "out.glb"])
def test_a_mesh_that_became_lines_shows_nothing_and_that_is_told(arm: Path, target: str):
    """Of the added pieces only those with triangles are used."""

    def change(document: Document) -> None:
        for name in ("bar", "wires", "mixed"):
            whole = document["meshes"][by_name(document, "plate")["mesh"]]["primitives"]
            lines = [{**each, "mode": 1} for each in whole]
            document["meshes"].append({"primitives": lines + whole * (name == "mixed")})
            number = len(document["meshes"]) - 1
            if name == "bar":
                by_name(document, name)["mesh"] = number
            else:
                add(document, "base", name=name, mesh=number)

    source = edited(arm, change)
    found = told(source, source.with_name(target))
    assert {"geom/bar", "geom/wires", "geom/mixed"} <= found.keys()
    geoms = {geom.name: geom.shape for geom in read(source).geoms()}
    assert geoms["bar"] is None and geoms["mixed"] is not None and "wires" not in geoms


def test_what_nobody_knows_of_a_material_that_was_put_in_is_counted_once(arm: Path):
    """The material of a geom that had none was generated, and is replaced."""

    def change(document: Document) -> None:
        number = document["meshes"][by_name(document, "bar")["mesh"]]["primitives"][0]["material"]
        document["materials"][number] = {"sheen": [1], "pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 1]}}

    assert told(edited(arm, change), arm.with_name("back.xml")).keys() >= {"geom/bar"}
    assert [0, 1, 0, 1] in back(arm.with_name("back.xml")).mat_rgba.tolist()
