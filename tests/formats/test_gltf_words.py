"""What only glTF can express is again in its place in a glTF, visible to every program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert, read
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained

LOOK: dict[str, Any] = {
    "name": "look",
    "extras": {"paint": [1, {"coats": 2}]},
    "pbrMetallicRoughness": {"extras": {"measured": True}},
    "extensions": {"KHR_materials_ior": {"ior": 1.25}, "KHR_materials_clearcoat": {"clearcoatFactor": 0.5}},
}


def source(folder: Path) -> Path:
    made = Made(extensionsUsed=sorted(LOOK["extensions"]), extras={"root": 1})
    made.add("materials", LOOK)
    leaf = made.node(name="leaf", extras={"spare": "yes"})
    mesh = made.mesh(made.primitive(material=0))
    made.scene(made.node(name="part", mesh=mesh, extras={"id": 7}, children=[leaf]), extras={"day": "Friday"})
    made.root["asset"] |= {"copyright": "somebody", "extras": {"ticket": 3}}
    for accessor in made.root["accessors"][:1]:
        accessor |= {"min": [0, 0, 0], "max": [1, 2, 3]}
    return saved(folder / "source.glb", made.glb())


@pytest.mark.parametrize("by", [(), ("by.urdf",), ("by.sdf", "by.xml")], ids=["at once", "URDF", "SDF and MJCF"])
def test_words_of_gltf_stand_where_they_stood(tmp_path: Path, by: tuple[str, ...]):
    last = source(tmp_path)
    for name in (*by, "out.glb"):
        explained(convert(last, tmp_path / name))
        last = tmp_path / name
    document = plain_gltf(last).document
    (look,) = document["materials"]
    assert (look["extras"], look["extensions"]) == (LOOK["extras"], LOOK["extensions"])
    assert look["pbrMetallicRoughness"]["extras"] == {"measured": True}
    assert set(document["extensionsUsed"]) == set(LOOK["extensions"])
    assert document["asset"]["copyright"] == "somebody"
    assert document["asset"]["extras"] == {"ticket": 3}
    assert document["extras"] == {"root": 1}
    assert document["scenes"][0]["extras"]["day"] == "Friday"
    nodes = {(each["extras"]["kinegraph_kind"], each["name"]): each["extras"] for each in document["nodes"]}
    assert nodes["body", "part"]["id"] == 7
    assert nodes["frame", "leaf"]["spare"] == "yes"
    assert complaints(khronos_reads([last])[0]) == []


def test_what_stands_there_is_no_loss_and_is_written_again(tmp_path: Path):
    report = explained(convert(source(tmp_path), tmp_path / "out.glb"))
    explained(convert(tmp_path / "out.glb", tmp_path / "again.glb"))
    assert (tmp_path / "again.glb").read_bytes() == (tmp_path / "out.glb").read_bytes()
    lost = [each.where for each in report.findings if ".extras." in each.where or each.where.startswith("scene/extras")]
    assert lost == ["scene/extras.extensionsUsed"]


def test_what_refers_to_numbers_of_another_document_is_not_written(tmp_path: Path):
    made = Made(extensionsUsed=["KHR_materials_specular", "KHR_materials_pbrSpecularGlossiness"])
    picture = {"specularColorTexture": {"index": 0}}
    made.add("textures", {})
    made.add(
        "materials", {"extensions": {"KHR_materials_specular": picture}, "normalTexture": {"index": 0, "scale": 2}}
    )
    glossy = {"diffuseFactor": [1, 0, 0, 1], "glossinessFactor": 0.5}
    made.add("materials", {"extensions": {"KHR_materials_pbrSpecularGlossiness": glossy}})
    made.scene(*(made.node(name=f"n{n}", mesh=made.mesh(made.primitive(material=n))) for n in range(2)))
    convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "b.gltf")
    document = json.loads((tmp_path / "b.gltf").read_text())
    assert [{"extensions", "normalTexture"} & each.keys() for each in document["materials"]] == [set(), set()]
    assert "extensionsUsed" not in document


@pytest.mark.parametrize("extras", [[1], 3, "text", True])
def test_extras_of_a_scene_that_are_no_object_are_carried(tmp_path: Path, extras: object):
    """Kinegraph's own extras there need an object; glTF allows any type."""
    made = Made(scenes=[{"nodes": [0], "extras": extras}], scene=0)
    made.node(name="part", mesh=made.mesh(made.primitive()))
    (tmp_path / "source.glb").write_bytes(made.glb())
    last = tmp_path / "source.glb"
    for name in ("out.glb", "out.sdf", "last.glb"):
        explained(convert(last, tmp_path / name))
        last = tmp_path / name
        (kept,) = (each.text for each in read(last).extras if each.path == "scenes/0/extras")
        assert json.loads(kept) == extras


def test_a_member_of_a_wrong_type_is_carried(tmp_path: Path):
    made = Made(asset={"version": "2.0", "copyright": [1]})
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive())))
    explained(convert(saved(tmp_path / "source.glb", made.glb()), tmp_path / "out.glb"))
    assert complaints(khronos_reads([tmp_path / "out.glb"])[0]) == []
    assert [each.text for each in read(tmp_path / "out.glb").extras if each.path == "asset/copyright"] == ["[1]"]


def test_what_somebody_has_damaged_stays_where_it_is(tmp_path: Path):
    convert(source(tmp_path), tmp_path / "out.sdf")
    text = (tmp_path / "out.sdf").read_text()
    broken = text.replace('\\"ticket\\":3', '\\"ticket\\":')
    assert broken != text
    explained(convert(saved(tmp_path / "out.sdf", broken), tmp_path / "out.glb"))
    assert "extras" not in plain_gltf(tmp_path / "out.glb").document["asset"]
