"""Images that others change, replace or rename in a document of Kinegraph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from converters.convert import convert, read
from tests.files import saved
from tests.formats.gltf_arm import as_gltf, back, by_name, edited, told
from tests.formats.mjcf_tree import stl
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads

PAINTED = """<mujoco model="painted"><asset><texture name="t" type="2d" file="paint.png"/>
<material name="a" texture="t"/><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="0 0 1 0 0 1 1 1"/></asset>
<worldbody><body><geom name="g" type="mesh" mesh="m" material="a"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("same", [True, False])
def test_an_image_by_another_name_is_the_one_that_it_was(tmp_path: Path, same: bool):
    Image.new("RGB", (4, 4), (200, 30, 10)).save(tmp_path / "paint.png")
    source = as_gltf(PAINTED, tmp_path / "painted.gltf")
    Image.new("RGB", (4, 4), (200, 30, 10) if same else (10, 30, 200)).save(tmp_path / "saved.png")
    document = edited(source, lambda document: document["images"][0].update(uri="saved.png"))
    found = told(document, tmp_path / "back.xml")
    assert set(found) == (set() if same else {"asset/t", "material/a"})
    assert back(tmp_path / "back.xml").tex_data[:3].tolist() == ([200, 30, 10] if same else [10, 30, 200])


def test_textures_that_change_their_images_change_the_looks(tmp_path: Path):
    for name, colour in (("paint", (200, 30, 10)), ("other", (10, 30, 200))):
        Image.new("RGB", (4, 4), colour).save(tmp_path / f"{name}.png")
    two = PAINTED.replace(
        "<mesh", '<texture name="u" type="2d" file="other.png"/><material name="b" texture="u"/><mesh', 1
    )
    two = two.replace("</body>", '<geom name="h" type="mesh" mesh="m" material="b" pos="2 0 0"/></body>')

    def swap(document: dict[str, Any]) -> None:
        first, second = document["textures"]
        first["source"], second["source"] = second["source"], first["source"]

    document = edited(as_gltf(two, tmp_path / "painted.gltf"), swap)
    assert set(told(document, tmp_path / "back.xml")) == {"material/a", "material/b"}
    model = back(tmp_path / "back.xml")
    for name, colour in (("a", [10, 30, 200]), ("b", [200, 30, 10])):
        start = model.tex_adr[model.mat_texid[model.material(name).id].max()]
        assert model.tex_data[start : start + 3].tolist() == colour


def test_a_copy_of_a_material_that_was_painted_is_another_one(tmp_path: Path):
    """Recognised by the name of the first one, which programs keep when they copy a material."""
    shapes = '<geom name="u" size=".1" material="red"/><geom name="v" type="box" size=".1 .1 .1" material="red"/>'
    look = '<asset><material name="red" rgba="1 0 0 1"/></asset>'
    source = as_gltf(f"<mujoco>{look}<worldbody>{shapes}</worldbody></mujoco>", tmp_path / "red.gltf")

    def copy(document: dict[str, Any]) -> None:
        painted = {"baseColorFactor": [0, 1, 0, 1]}
        (first,) = document["materials"]
        document["materials"].append(first | {"pbrMetallicRoughness": first["pbrMetallicRoughness"] | painted})
        mesh = document["meshes"][by_name(document, "v")["mesh"]]
        mesh["primitives"][0]["material"] = 1

    found = told(edited(source, copy), tmp_path / "back.xml")
    assert {where: each.action for where, each in found.items()} == {"geom/v": "derived"}
    assert "rgba: (1.0, 0.0, 0.0, 1.0)" in found["geom/v"].before
    assert "rgba: (0.0, 1.0, 0.0, 1.0)" in found["geom/v"].after
    model = back(tmp_path / "back.xml")
    shown = {name: model.mat_rgba[model.geom(name).matid[0]].tolist() for name in "uv"}
    assert shown == {"u": [1, 0, 0, 1], "v": [0, 1, 0, 1]}


TWO = """mtllib m.mtl
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
usemtl a\nf 1 3 2\nf 1 2 4\nusemtl b\nf 2 3 4\nf 3 1 4
"""
VEILED = """<sdf version="1.9"><model name="m"><link name="l">
<visual name="v"><transparency>0.5</transparency><geometry><mesh><uri>m.obj</uri></mesh></geometry></visual>
<visual name="w"><transparency>0.25</transparency><geometry><mesh><uri>m.obj</uri></mesh></geometry>
<material><diffuse>0 1 0 1</diffuse></material></visual></link></model></sdf>"""


@pytest.mark.parametrize(("name", "left"), [("v", (0.0, 0.0, 1.0, 0.5)), ("w", (0.0, 1.0, 0.0, 0.75))])
def test_a_piece_of_a_mesh_that_was_painted_is_a_geom_with_a_name_of_its_own(
    tmp_path: Path, name: str, left: tuple[float, ...]
):
    """The other piece keeps its look, including its transparency."""
    (tmp_path / "m.obj").write_text(TWO)
    (tmp_path / "m.mtl").write_text("newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 0 1\n")
    convert(saved(tmp_path / "m.sdf", VEILED), tmp_path / "m.gltf")

    def paint(document: dict[str, Any]) -> None:
        document["materials"].append({"name": "fresh", "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 0, 1]}})
        mesh = document["meshes"][by_name(document, name)["mesh"]]
        mesh["primitives"][0]["material"] = len(document["materials"]) - 1

    document = edited(tmp_path / "m.gltf", paint)
    assert set(told(document, tmp_path / "back.sdf")) == {f"geom/{name}"}
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []
    scene = read(tmp_path / "back.sdf")
    (geom,) = [each for each in scene.body("l").geoms if each.name == f"{name}_1"]
    assert geom.material is not None
    *colour, alpha = scene.materials[geom.material].rgba or ()
    assert (*colour, alpha * (1 - geom.transparency)) == pytest.approx(left)


def test_a_collision_that_is_given_the_mesh_of_a_visual_changes_no_look_of_that(tmp_path: Path):
    """Their files are gone: one part of the document stands for two assets, of which one alone has looks."""
    for name, height in (("seen", 1.0), ("hit", 2.0)):
        (tmp_path / f"{name}.stl").write_bytes(stl(height))
    link = '<link name="{2}"><{0} name="{1}"><geometry><mesh filename="{1}.stl"/></geometry></{0}></link>'
    links = link.format("collision", "hit", "a") + link.format("visual", "seen", "b")
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    convert(saved(tmp_path / "r.urdf", f'<robot name="r">{links}{joint}</robot>'), tmp_path / "r.gltf")
    for name in ("seen", "hit"):
        (tmp_path / f"{name}.stl").unlink()

    def change(document: dict[str, Any]) -> None:
        by_name(document, "hit")["mesh"] = by_name(document, "seen")["mesh"]

    assert set(told(edited(tmp_path / "r.gltf", change), tmp_path / "back.xml")) == {"geom/hit"}
    model = mujoco_model(tmp_path / "back.xml")
    meshes = [model.mesh(model.geom(name).dataid[0]) for name in ("seen", "hit")]
    assert meshes[0].vertnum == meshes[1].vertnum
    assert model.geom("seen").matid[0] == -1
