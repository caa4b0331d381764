"""Members that only glTF has, added or changed by an edit in a document of ours, are kept in further conversions."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.convert import convert
from tests.formats.gltf_arm import by_name, edited, told
from tests.formats.test_gltf_words import source
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.reports import explained

Document = dict[str, Any]
IOR, COAT, SHEEN = (f"KHR_materials_{name}" for name in ("ior", "clearcoat", "sheen"))


def change(document: Document) -> None:
    by_name(document, "part")["extras"] |= {"id": 8, "kin": [1]}
    by_name(document, "leaf")["extras"]["spare"] = "no"
    (look,) = document["materials"]
    look["extras"] = {"paint": "dry"}
    look["extensions"] |= {IOR: {"ior": 1.5}, SHEEN: {"sheenRoughnessFactor": 0.25}}
    document["extensionsUsed"] = sorted([*document["extensionsUsed"], SHEEN])
    document["asset"] |= {"copyright": "somebody else", "extras": {"ticket": 4}}
    document["extras"] = {"root": 2}
    document["scenes"][0]["extras"]["day"] = "Monday"


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    convert(source(tmp_path), tmp_path / "ours.gltf")
    return tmp_path / "ours.gltf"


@pytest.mark.parametrize("by", [(), ("by.xml",), ("by.urdf", "by.sdf")], ids=["at once", "MJCF", "URDF and SDF"])
def test_words_that_somebody_changed_stand_there(ours: Path, by: tuple[str, ...]):
    last = edited(ours, change)
    for name in (*by, "out.gltf"):
        explained(convert(last, ours.with_name(name)))
        last = ours.with_name(name)
    document = json.loads(last.read_text())
    (look,) = document["materials"]
    assert look["extras"] == {"paint": "dry"}
    assert look["extensions"] == {
        IOR: {"ior": 1.5},
        COAT: {"clearcoatFactor": 0.5},
        SHEEN: {"sheenRoughnessFactor": 0.25},
    }
    assert (by_name(document, "part")["extras"]["id"], by_name(document, "part")["extras"]["kin"]) == (8, [1])
    assert by_name(document, "leaf")["extras"]["spare"] == "no"
    assert (document["asset"]["copyright"], document["asset"]["extras"]) == ("somebody else", {"ticket": 4})
    assert (document["extras"], document["scenes"][0]["extras"]["day"]) == ({"root": 2}, "Monday")
    assert complaints(khronos_reads([last])[0]) == []


def test_that_is_told_and_nothing_is_lost(ours: Path):
    found = told(edited(ours, change), ours.with_name("out.gltf"))
    assert {where: each.action.value for where, each in found.items()} == dict.fromkeys(
        ("scene", "body/part", "frame/leaf", "material/look"), "derived"
    )


@pytest.mark.parametrize(
    "more",
    [
        lambda document: document["asset"].update(minVersion="2.0"),
        lambda document: document["scenes"][0].update(name="another"),
        lambda document: document["asset"].pop("copyright"),
        lambda document: (
            by_name(document, "part")["extras"].pop("kinegraph_joint", None)
            or by_name(document, "part").update(extensions={"ACME_thing": {}})
        ),
        lambda document: document["materials"][0]["extensions"].pop(COAT),
    ],
    ids=["version", "name", "word", "extension", "coat"],
)
def test_what_does_not_count_is_told_beside_that_which_does(ours: Path, more: Callable[[Document], Any]):
    def both(document: Document) -> None:
        change(document)
        more(document)

    report = convert(edited(ours, both), ours.with_name("out.gltf"))
    assert [each.where for each in report.findings if each.rule == "gltf/edited" and each.action.value == "dropped"]


@pytest.mark.parametrize(("said", "left"), [({}, ""), ({"extras": {"take": 2}}, "animations, animations/0/extras")])
def test_an_animation_that_somebody_put_there_counts(arm: Path, said: Document, left: str):
    content = np.array([0, 1, 0, 0, 0, 1, 0, 0.6, 0, 0.8], "<f4").tobytes()

    def wave(document: Document) -> None:
        uri = f"data:application/octet-stream;base64,{base64.b64encode(content).decode()}"
        document["buffers"].append({"byteLength": len(content), "uri": uri})
        views = document["bufferViews"]
        start, buffer = len(document["accessors"]), len(document["buffers"]) - 1
        for kind, count, offset, size in (("SCALAR", 2, 0, 8), ("VEC4", 2, 8, 32)):
            views.append({"buffer": buffer, "byteOffset": offset, "byteLength": size})
            entry = {"bufferView": len(views) - 1, "componentType": 5126, "count": count, "type": kind}
            document["accessors"].append(entry | ({"min": [0], "max": [1]} if kind == "SCALAR" else {}))
        target = {"node": document["nodes"].index(by_name(document, "upper")), "path": "rotation"}
        clip = {"samplers": [{"input": start, "output": start + 1}], "channels": [{"sampler": 0, "target": target}]}
        document["animations"] = [{"name": "wave", **clip, **said}]

    changed = edited(arm, wave)
    found = told(changed, changed.with_name("out.gltf"))
    assert [each.before for each in found.values()] == ([left] if left else [])
    (clip,) = json.loads(changed.with_name("out.gltf").read_text())["animations"]
    assert clip["name"] == "wave"
    assert {each.rule for each in convert(changed, changed.with_name("out.urdf")).findings} >= {"pose/motion"}
