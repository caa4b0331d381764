"""What only glTF can express about cameras and lights, their nodes and their entries, arrives in the next glTF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_arm import ARM, as_gltf, by_name, edited, told
from tests.formats.gltf_made import Made
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.reports import explained

LIGHTS = "KHR_lights_punctual"
Document = dict[str, Any]


def entries(document: Document) -> tuple[Document, Document]:
    return document["cameras"][0], document["extensions"][LIGHTS]["lights"][0]


def change(document: Document) -> None:
    camera, light = entries(document)
    camera |= {"extras": {"lens": 50}, "name": "Kamera"}
    light |= {"extras": {"socket": "E27"}, "name": "Licht"}
    by_name(document, "eye")["extras"]["tripod"] = True
    by_name(document, "lamp")["extras"]["watts"] = 60


@pytest.mark.parametrize("by", [(), ("by.xml",), ("by.urdf", "by.sdf")], ids=["at once", "MJCF", "URDF and SDF"])
def test_words_of_cameras_and_lights_that_somebody_changed_stand_there(tmp_path: Path, by: tuple[str, ...]):
    last = edited(as_gltf(ARM, tmp_path / "arm.gltf"), change)
    for name in (*by, "out.gltf", "again.gltf"):
        explained(convert(last, tmp_path / name))
        last = tmp_path / name
    document = json.loads(last.read_text())
    camera, light = entries(document)
    assert (camera["extras"], camera["name"]) == ({"lens": 50}, "Kamera")
    assert (light["extras"], light["name"]) == ({"socket": "E27"}, "Licht")
    assert by_name(document, "eye")["extras"]["tripod"] is True
    assert by_name(document, "lamp")["extras"]["watts"] == 60
    assert complaints(khronos_reads([last])[0]) == []


def test_that_is_told_and_nothing_of_it_is_lost(tmp_path: Path):
    found = told(edited(as_gltf(ARM, tmp_path / "arm.gltf"), change), tmp_path / "out.gltf")
    assert {where: each.action.value for where, each in found.items()} == {
        "camera/eye": "derived",
        "light/lamp": "derived",
    }


def test_words_of_cameras_and_lights_of_others_stand_where_they_stood(tmp_path: Path):
    """A leaf with nothing else visible keeps the members of its node, and no geom next to it gets them."""
    made = Made(extensionsUsed=[LIGHTS], extensions={LIGHTS: {"lights": [{"type": "point", "extras": {"b": 2}}]}})
    made.root["cameras"] = [
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1, "zfar": 9.0}, "extras": {"a": 1}}
    ]
    leaves = [
        made.node(mesh=made.mesh()),
        made.node(name="eye", camera=0, extras={"c": 3}),
        made.node(name="lamp", extras={"d": 4}, extensions={LIGHTS: {"light": 0}}),
    ]
    made.scene(made.node(name="base", children=leaves))
    explained(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "by.xml"))
    explained(convert(tmp_path / "by.xml", tmp_path / "b.gltf"))
    document = json.loads((tmp_path / "b.gltf").read_text())
    assert [each["extras"] for each in entries(document)] == [{"a": 1}, {"b": 2}]
    said = [
        {key: value for key, value in each.get("extras", {}).items() if key in "abcd"} for each in document["nodes"]
    ]
    assert [each for each in said if each] == [{"c": 3}, {"d": 4}]
    assert (by_name(document, "eye")["extras"]["c"], by_name(document, "lamp")["extras"]["d"]) == (3, 4)
