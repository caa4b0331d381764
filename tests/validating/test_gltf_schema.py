"""Content that no reader here uses: skins, morph targets, animations, members of a wrong type. Judged by Khronos."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.mutation_gltf import members
from tests.oracles.in_khronos import khronos_reads
from tests.validating.gltf_rich import rich
from tests.validating.models import CLEAN
from tests.validating.test_gltf import errors

Document = dict[str, Any]


def whole() -> Document:
    """Return a mesh with a morph target and a skin, an animation of it, a texture and extras of any type."""
    document: Document = json.loads(CLEAN["gltf"])
    accessors, (mesh,) = document["accessors"], document["meshes"]
    corners = accessors[mesh["primitives"][0]["attributes"]["POSITION"]]["count"]
    zeros = {"componentType": 5126, "count": corners, "type": "VEC3"}
    accessors.append({**zeros, "min": [0, 0, 0], "max": [0, 0, 0]})
    mesh["primitives"][0]["targets"] = [{"POSITION": len(accessors) - 1}]
    mesh["weights"] = [0.5]
    times = {"componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]}
    accessors += [times, {"componentType": 5126, "count": 1, "type": "SCALAR"}]
    accessors.append({"componentType": 5126, "count": 1, "type": "MAT4"})
    channel = {"sampler": 0, "target": {"node": 0, "path": "weights"}}
    sampler = {"input": len(accessors) - 3, "output": len(accessors) - 2}
    document["animations"] = [{"channels": [channel], "samplers": [sampler]}]
    document["skins"] = [{"joints": [0], "skeleton": 0}]
    document["extras"] = [{"nodes": "any"}]
    return document


def primitive(document: Document) -> Document:
    found: Document = document["meshes"][0]["primitives"][0]
    return found


def extended(document: Document, owner: Document, name: str, **said: Any) -> None:
    """Add an extension to an owner, and to the list of those used."""
    document.setdefault("extensionsUsed", []).append(name)
    owner.setdefault("extensions", {})[name] = said


DAMAGES: dict[str, Callable[[Document], object]] = {
    "a joint that is not there": lambda it: it["skins"][0].update(joints=[99]),
    "a joint twice": lambda it: it["skins"][0].update(joints=[0, 0]),
    "a skin without joints": lambda it: it["skins"][0].pop("joints"),
    "a skin that is a word": lambda it: it.update(skins=["x"]),
    "a skeleton of text": lambda it: it["skins"][0].update(skeleton="root"),
    "matrices that are none": lambda it: it["skins"][0].update(inverseBindMatrices=0),
    "a skin on triangles without joints": lambda it: it["nodes"][0].update(skin=0),
    "a skin that is not there": lambda it: it["nodes"][0].update(skin=5),
    "a morph target of nothing": lambda it: primitive(it)["targets"].__setitem__(0, {}),
    "a morph target of what is not there": lambda it: primitive(it)["targets"][0].update(NORMAL=0),
    "a morph target of another size": lambda it: it["accessors"][primitive(it)["targets"][0]["POSITION"]].update(
        count=1
    ),
    "weights of text": lambda it: it["meshes"][0].update(weights=["much"]),
    "colours by two": lambda it: primitive(it)["attributes"].update(COLOR_0=len(it["accessors"]) - 2),
    "a channel without a target": lambda it: it["animations"][0]["channels"][0].pop("target"),
    "an interpolation by number": lambda it: it["animations"][0]["samplers"][0].update(interpolation=1),
    "an accessor of half a value": lambda it: it["accessors"][-1].update(count=0.5),
    "bounds of two numbers": lambda it: it["accessors"][-3].update(min=[0, 0]),
    "a scale of two numbers nobody sees": lambda it: it["nodes"].append({"name": "aside", "scale": [1, 1]}),
    "more than all of the light": lambda it: it["materials"].append({"emissiveFactor": [2, 0, 0]}),
    "corners among the indices": lambda it: it["bufferViews"][0].update(target=34963),
    "extensions in a list": lambda it: it["skins"][0].update(extensions=[]),
    "an image in the buffer of no kind": lambda it: it.setdefault("images", []).append({"bufferView": 0}),
    "a camera that begins at the eye": lambda it: it.update(
        cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 0}}]
    ),
    "a lamp without an edge": lambda it: extended(
        it, it, "KHR_lights_punctual", lights=[{"type": "spot", "spot": {"innerConeAngle": 0.5, "outerConeAngle": 0.5}}]
    ),
    "light that is slower than nothing": lambda it: extended(
        it, it.setdefault("materials", [{}])[0], "KHR_materials_ior", ior=0.5
    ),
    "light in a node": lambda it: extended(it, it["nodes"][0], "KHR_materials_ior", ior=1.5),
    "a part without morph targets": lambda it: it["meshes"][0]["primitives"].append(
        {"attributes": primitive(it)["attributes"]}
    ),
    "a morph target of nobody's word": lambda it: primitive(it)["targets"][0].update(
        FOO=primitive(it)["targets"][0]["POSITION"]
    ),
    "an offset into nothing": lambda it: it["accessors"].append(
        {"componentType": 5126, "count": 1, "type": "SCALAR", "byteOffset": 4}
    ),
    "a spline of one time": lambda it: (
        it["animations"][0]["samplers"][0].update(interpolation="CUBICSPLINE"),
        it["accessors"][-2].update(count=3),
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_khronos_calls_an_error_where_nobody_reads_is_one(tmp_path: Path, name: str) -> None:
    clean, path = tmp_path / "clean.gltf", tmp_path / "damaged.gltf"
    document = whole()
    clean.write_text(json.dumps(document))
    DAMAGES[name](document)
    path.write_text(json.dumps(document))
    before, after = khronos_reads([clean, path])
    assert before["errors"] == 0
    assert after["errors"] > 0
    assert errors(clean) == set()
    assert errors(path)


def test_truth_is_no_number_anywhere(tmp_path: Path) -> None:
    """In Python a boolean is an int: code that accepts it would find item 1."""
    path, document = tmp_path / "odd.gltf", rich()
    numbers = [each for each in members(document) if type(each.value) in (int, float) and "extras" not in each.path]
    assert len(numbers) > 100
    for member in numbers:
        value = member.value
        member.put(True)
        path.write_text(json.dumps(document))
        member.put(value)
        assert errors(path), member.path
