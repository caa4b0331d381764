"""Materials that others assign in a document of Kinegraph, and colours they give to geoms without any, arrive."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_arm import back, by_name, edited, told
from tests.reports import of_rule

SCENE = """<mujoco model="arm">
<asset><material name="red" rgba="1 0 0 1"/><material name="blue" rgba="0 0 1 1"/></asset>
<worldbody><body name="base"><geom name="plate" type="box" size="0.2 0.2 0.1" material="red"/>
<geom name="lid" type="box" size="0.2 0.2 0.1" pos="0 0 1" material="blue"/>
<geom name="bar" type="cylinder" size="0.1 0.5"/></body></worldbody></mujoco>"""
LINK = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
<visual name="box"><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
<visual name="ball"><geometry><sphere radius="1"/></geometry></visual>
<visual name="mesh"><geometry><mesh filename="two.obj"/></geometry></visual></link></robot>"""
TWO = """mtllib two.mtl
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
usemtl first\nf 1 3 2\nf 1 2 4\nusemtl second\nf 1 4 3\nf 2 3 4
"""
GREEN = [0.0, 1.0, 0.0, 1.0]


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    convert(saved(tmp_path / "scene.xml", SCENE), tmp_path / "scene.gltf")
    return tmp_path / "scene.gltf"


@pytest.fixture
def link(tmp_path: Path) -> Path:
    (tmp_path / "two.obj").write_text(TWO)
    (tmp_path / "two.mtl").write_text("newmtl first\nKd 1 0 0\nnewmtl second\nKd 0 0 1\n")
    convert(saved(tmp_path / "link.urdf", LINK), tmp_path / "link.gltf")
    return tmp_path / "link.gltf"


def number(document: dict[str, Any], material: str) -> int:
    return next(index for index, each in enumerate(document["materials"]) if each["name"] == material)


def pieces(document: dict[str, Any], node: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["meshes"][by_name(document, node)["mesh"]]["primitives"]
    return found


def paint(document: dict[str, Any], material: str) -> None:
    document["materials"][number(document, material)]["pbrMetallicRoughness"]["baseColorFactor"] = GREEN


def colours(path: Path) -> dict[str, str]:
    """Return the colour of each visual of a URDF that has one, read by lxml."""
    root = etree.parse(path).getroot()
    shared = {each.get("name"): each.find("color").get("rgba") for each in root.findall("material")}
    found = {}
    for visual in root.iter("visual"):
        look = visual.find("material")
        if look is not None:
            own = look.find("color")
            found[visual.get("name")] = own.get("rgba") if own is not None else shared[look.get("name")]
    return found


def test_another_material_of_the_document_is_that_of_the_geom(scene: Path):
    def change(document: dict[str, Any]) -> None:
        pieces(document, "plate")[0]["material"] = number(document, "blue")

    changed = edited(scene, change)
    found = told(changed, scene.with_name("back.xml"))
    assert {where: (each.before, each.after) for where, each in found.items()} == {"geom/plate": ("red", "blue")}
    model = back(scene.with_name("back.xml"))
    assert [model.mat(int(model.geom(name).matid[0])).name for name in ("plate", "lid")] == ["blue", "blue"]
    told(changed, scene.with_name("back.urdf"))
    seen = colours(scene.with_name("back.urdf"))
    assert (seen["plate"], seen["lid"]) == ("0 0 1 1", "0 0 1 1")


def test_a_new_material_comes_to_the_graph(scene: Path):
    gold = {"name": "gold", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 1, 1], "metallicFactor": 0.5}}

    def change(document: dict[str, Any]) -> None:
        document["materials"].append(gold)
        pieces(document, "bar")[0]["material"] = len(document["materials"]) - 1

    assert set(told(edited(scene, change), scene.with_name("back.xml"))) == {"geom/bar"}
    model = back(scene.with_name("back.xml"))
    assert model.mat("gold").rgba == pytest.approx([1, 0, 1, 1])
    assert model.mat(int(model.geom("bar").matid[0])).name == "gold"
    assert model.mat_metallic[model.mat("gold").id] == 0.5


def test_one_of_two_that_show_the_same_mesh_gets_one_of_its_own_to_be_painted(scene: Path):
    """As three.js and Blender do. An additional mesh that is not shown is reported."""

    def own(document: dict[str, Any]) -> None:
        document["meshes"].append(copy.deepcopy(document["meshes"][by_name(document, "plate")["mesh"]]))
        document["meshes"][-1]["primitives"][0]["material"] = number(document, "blue")

    def change(document: dict[str, Any]) -> None:
        own(document)
        by_name(document, "plate")["mesh"] = len(document["meshes"]) - 1

    found = told(edited(scene, change), scene.with_name("back.urdf"))
    assert {where: (each.before, each.after) for where, each in found.items()} == {"geom/plate": ("red", "blue")}
    assert colours(scene.with_name("back.urdf"))["plate"] == "0 0 1 1"
    report = convert(edited(scene, own), scene.with_name("back.urdf"))
    assert [each.before for each in of_rule(report, "gltf/saved")] == ["meshes"]


def test_what_lost_its_material_has_none(scene: Path):
    def change(document: dict[str, Any]) -> None:
        del pieces(document, "plate")[0]["material"]

    assert set(told(edited(scene, change), scene.with_name("back.xml"))) == {"geom/plate"}
    assert back(scene.with_name("back.xml")).geom("plate").matid[0] == -1


def test_the_grey_of_mujoco_can_be_painted(scene: Path):
    changed = edited(scene, lambda document: paint(document, "grey"))
    assert set(told(changed, scene.with_name("back.xml"))) == {"geom/bar"}
    model = back(scene.with_name("back.xml"))
    assert model.mat(int(model.geom("bar").matid[0])).rgba == pytest.approx(GREEN)
    assert model.mat(int(model.geom("plate").matid[0])).name == "red"
    told(changed, scene.with_name("back.urdf"))
    assert colours(scene.with_name("back.urdf")) == {"plate": "1 0 0 1", "lid": "0 0 1 1", "bar": "0 1 0 1"}


def test_the_white_of_what_says_no_colour_can_be_painted(link: Path):
    told(edited(link, lambda document: paint(document, "plain")), link.with_name("back.urdf"))
    assert colours(link.with_name("back.urdf")) == {"box": "1 0 0 1", "ball": "0 1 0 1"}


def test_what_the_file_of_a_mesh_brought_can_be_painted(link: Path):
    """One piece of two: each becomes a geom, because a geom has one material."""
    changed = edited(link, lambda document: paint(document, "second"))
    assert set(told(changed, link.with_name("back.urdf"))) == {"geom/mesh"}
    found = colours(link.with_name("back.urdf"))
    assert {name: found[name] for name in found if name.startswith("mesh")} == {"mesh": "1 0 0 1", "mesh_1": "0 1 0 1"}
    told(changed, link.with_name("back.xml"))
    model = back(link.with_name("back.xml"))
    seen = {model.geom(each).name: model.mat_rgba[model.geom_matid[each]].tolist() for each in range(model.ngeom)}
    assert (seen["mesh"], seen["mesh_1"]) == ([1, 0, 0, 1], GREEN)
    assert model.nmeshface == 4


def test_a_material_under_another_name_that_looks_the_same_is_no_edit(link: Path):
    """Programs merge equal materials."""

    def change(document: dict[str, Any]) -> None:
        twin = document["materials"][number(document, "plain")] | {"name": "first of all"}
        document["materials"].append(twin)
        pieces(document, "ball")[0]["material"] = len(document["materials"]) - 1

    assert set(told(edited(link, change), link.with_name("back.urdf"))) == {"scene"}
    assert colours(link.with_name("back.urdf")) == {"box": "1 0 0 1"}


def test_a_document_that_an_earlier_version_wrote_says_nothing_of_materials(link: Path):
    def older(document: dict[str, Any]) -> None:
        for holder in (document["scenes"][0], document["nodes"][0]):
            inside = json.loads(holder["extras"]["kinegraph"])
            del inside["worn"], inside["dyes"]
            holder["extras"]["kinegraph"] = json.dumps(inside)
        pieces(document, "ball")[0]["material"] = number(document, "red")

    assert set(told(edited(link, older), link.with_name("back.urdf"))) == {"scene"}
    assert colours(link.with_name("back.urdf")) == {"box": "1 0 0 1"}
