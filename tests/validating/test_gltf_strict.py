"""Contradictory members of a glTF: errors here are exactly those of the Khronos validator, which accepts the repaired
file."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from converters.validating import validate
from converters.validating.fixing import repair
from tests.oracles.in_khronos import khronos_reads
from tests.validating.test_gltf import errors

Document = dict[str, Any]
ARRAYS = {
    "corners": ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4", "VEC3"),
    "places": ([[0, 0], [1, 0], [0, 1]], "<f4", "VEC2"),
    "times": ([0, 1], "<f4", "SCALAR"),
    "turns": ([[0, 0, 0, 1], [0, 0, 0, 1]], "<f4", "VEC4"),
    "joints": ([[0, 0, 0, 0]] * 3, "<u2", "VEC4"),
}
LENS = {"yfov": 1, "znear": 1}
WIDE = {"xmag": 1, "ymag": 1, "zfar": 2, "znear": 1}


def scene() -> Document:
    """Return a textured triangle, and an animated node."""
    whole, views, accessors = b"", [], []
    for values, kind, form in ARRAYS.values():
        table = np.array(values, kind)
        views.append({"buffer": 0, "byteOffset": len(whole), "byteLength": table.nbytes})
        code = 5126 if kind == "<f4" else 5123
        accessors.append({"bufferView": len(views) - 1, "componentType": code, "count": len(table), "type": form})
        whole += table.tobytes()
    accessors[0] |= {"min": [0, 0, 0], "max": [1, 1, 0]}
    accessors[2] |= {"min": [0], "max": [1]}
    image = BytesIO()
    Image.new("RGB", (2, 2), (255, 0, 0)).save(image, "PNG")
    inside = {"uri": "data:application/octet-stream;base64," + base64.b64encode(whole).decode()}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "mesh": 0, "children": [1]}, {"name": "b"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "data:image/png;base64," + base64.b64encode(image.getvalue()).decode()}],
        "buffers": [{"byteLength": len(whole), **inside}],
        "bufferViews": views,
        "accessors": accessors,
        "animations": [
            {
                "samplers": [{"input": 2, "output": 3}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            }
        ],
    }


def attributes(it: Document) -> Document:
    found: Document = it["meshes"][0]["primitives"][0]["attributes"]
    return found


def looks(it: Document) -> Document:
    found: Document = it["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    return found


DAMAGES: dict[str, tuple[Callable[[Document], Any], str]] = {
    "an image twice": (lambda it: it["images"][0].update(bufferView=0, mimeType="image/png"), "ONE_OF_MISMATCH"),
    "a camera of two kinds": (
        lambda it: it.update(cameras=[{"type": "perspective", "perspective": LENS, "orthographic": WIDE}]),
        "ONE_OF_MISMATCH",
    ),
    "a camera without a lens": (lambda it: it.update(cameras=[{"type": "perspective"}]), "UNDEFINED_PROPERTY"),
    "a camera that ends before it begins": (
        lambda it: it.update(cameras=[{"type": "perspective", "perspective": LENS | {"zfar": 0.5}}]),
        "CAMERA_ZFAR_LEQUAL_ZNEAR",
    ),
    "a camera of no width": (
        lambda it: it.update(cameras=[{"type": "orthographic", "orthographic": WIDE | {"xmag": 0}}]),
        "CAMERA_XMAG_YMAG_ZERO",
    ),
    "no coordinates": (lambda it: attributes(it).pop("TEXCOORD_0"), "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"),
    "other coordinates": (lambda it: looks(it).update(texCoord=1), "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"),
    "an attribute of nobody": (lambda it: attributes(it).update(FOO=0), "MESH_PRIMITIVE_INVALID_ATTRIBUTE"),
    "coordinates left out": (
        lambda it: attributes(it).update(TEXCOORD_2=1),
        "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY",
    ),
    "joints without weights": (lambda it: attributes(it).update(JOINTS_0=4), "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"),
    "a skin without a mesh": (
        lambda it: (it["nodes"][1].update(skin=0), it.update(skins=[{"joints": [0]}])),
        "UNSATISFIED_DEPENDENCY",
    ),
    "weights of a node": (lambda it: it["nodes"][0].update(weights=[1]), "NODE_WEIGHTS_INVALID"),
    "weights of a mesh": (lambda it: it["meshes"][0].update(weights=[1]), "MESH_INVALID_WEIGHTS_COUNT"),
    "a motion twice": (
        lambda it: it["animations"][0]["channels"].append({**it["animations"][0]["channels"][0]}),
        "ANIMATION_DUPLICATE_TARGETS",
    ),
    "times without an end": (
        lambda it: it["accessors"][2].pop("max"),
        "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
    ),
    "a matrix that moves": (
        lambda it: it["nodes"][1].update(matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1]),
        "ANIMATION_CHANNEL_TARGET_NODE_MATRIX",
    ),
    "a later version": (lambda it: it["asset"].update(minVersion="2.1"), "ASSET_MIN_VERSION_GREATER_THAN_VERSION"),
    "an empty table": (lambda it: it.update(cameras=[]), "EMPTY_ENTITY"),
    "no children": (lambda it: it["nodes"][1].update(children=[]), "EMPTY_ENTITY"),
    "a name twice": (lambda it: it.update(extensionsUsed=["KHR_x", "KHR_x"]), "DUPLICATE_ELEMENTS"),
}
TAKEN: dict[str, Callable[[Document], Any]] = {
    "nothing": lambda it: None,
    "an attribute of an application": lambda it: attributes(it).update(_FOO=0),
    "two sets of coordinates": lambda it: (attributes(it).update(TEXCOORD_1=1), looks(it).update(texCoord=1)),
    "a lens": lambda it: it.update(cameras=[{"type": "orthographic", "orthographic": WIDE}]),
    "a texture that nothing shows": lambda it: it["meshes"][0]["primitives"][0].pop("material"),
    "an older version": lambda it: it["asset"].update(minVersion="2.0"),
}


def made(folder: Path, damages: dict[str, Callable[[Document], Any]]) -> list[Path]:
    files = []
    for number, damage in enumerate(damages.values()):
        document = scene()
        damage(document)
        files.append(folder / f"{number}.gltf")
        files[-1].write_text(json.dumps(document))
    return files


def test_what_contradicts_itself_is_an_error_and_is_repaired(tmp_path: Path) -> None:
    files = made(tmp_path, {name: damage for name, (damage, _) in DAMAGES.items()})
    for (name, (_, code)), file, answer in zip(DAMAGES.items(), files, khronos_reads(files), strict=True):
        assert code in {each["code"] for each in answer["messages"] if each["severity"] == 0}, name
        assert errors(file) == {"GLTF-STRICT"}, name
    repaired = [Path(repair(validate(file), tmp_path / f"fixed_{file.name}").files[0]) for file in files]
    for name, file, answer in zip(DAMAGES, repaired, khronos_reads(repaired), strict=True):
        assert (answer["errors"], errors(file)) == (0, set()), name


def test_what_khronos_takes_is_no_error(tmp_path: Path) -> None:
    files = made(tmp_path, TAKEN)
    for name, file, answer in zip(TAKEN, files, khronos_reads(files), strict=True):
        assert (answer["errors"], errors(file)) == (0, set()), name


@pytest.mark.parametrize(
    "value", [None, 3, "x", [], [3], {}, [{}], [{"primitives": 3}], [{"primitives": [3], "channels": [{}], "type": []}]]
)
def test_members_of_another_type_break_nothing(tmp_path: Path, value: object) -> None:
    for key in ("images", "cameras", "meshes", "nodes", "animations", "asset", "extensionsUsed", "materials"):
        document = scene() | {key: value}
        (tmp_path / "m.gltf").write_text(json.dumps(document))
        assert validate(tmp_path / "m.gltf").breaches is not None
