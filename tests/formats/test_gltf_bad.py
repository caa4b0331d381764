"""Broken and hostile documents: one message with file and line, in bounded time and memory, no other file opened."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.gltf.data.container import pack
from tests.conftest import ROOT
from tests.formats.gltf_made import CORNERS, Made, noted, shown

SECONDS = 6
"""Limit of processor time per file in seconds: on the slowest machine so far, none takes a third of that by itself."""
GROWN = 500 << 20
"""Limit in bytes of the growth of a process that reads all of them."""
Bytes = bytes


def text(value: dict[str, Any]) -> Bytes:
    return json.dumps({"asset": {"version": "2.0"}} | value).encode()


def uri(address: str, length: int = 4) -> Bytes:
    return text({"buffers": [{"byteLength": length, "uri": address}]})


def with_root(change: Callable[[dict[str, Any]], object], **members: Any) -> Bytes:
    """Return a document that would be valid except for a change of its members."""
    made = shown(**members)
    change(made.root)
    return made.glb()


def accessor(**members: Any) -> Bytes:
    return with_root(lambda root: root["accessors"][0].update(members))


def chain(count: int) -> Bytes:
    made = Made()
    for number in range(count):
        made.node(children=[number + 1])
    made.node(mesh=made.mesh(), name="tip")
    made.scene(0)
    return made.glb()


def not_finite() -> Bytes:
    made = Made()
    corners = CORNERS.copy()
    corners[1, 1] = np.nan
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(corners))))
    return made.glb()


def shared_by_many() -> Bytes:
    """Return a thousand primitives, each with its own triangle, that share one table of a million corners."""
    made = Made()
    corners = np.zeros((1_000_000, 3), dtype=np.int8)
    corners[:1000, 0], corners[1000:2000, 1] = 1, 1
    position = made.array(corners)
    primitives = [
        {"attributes": {"POSITION": position}, "indices": made.array(np.array([n, n + 1000, 5000], dtype=np.uint32))}
        for n in range(1000)
    ]
    made.scene(made.node(name="part", mesh=made.mesh(*primitives)))
    return made.glb()


def overlapping() -> Bytes:
    """Return overlapping accessors: a small file that asks for very large arrays."""
    made = Made()
    view = made.view(bytes(12_000_000))
    common = {"bufferView": view, "componentType": 5121, "normalized": True, "type": "VEC3"}
    primitives = [
        {"attributes": {"POSITION": made.add("accessors", common | {"count": 3_999_000 - n})}} for n in range(100)
    ]
    made.scene(made.node(name="part", mesh=made.mesh(*primitives)))
    return made.glb()


def instances() -> Bytes:
    """Return a scene of many nodes that show the same mesh."""
    made = Made()
    mesh = made.mesh()
    made.scene(*(made.node(mesh=mesh, name=f"n{number}") for number in range(1000)))
    return made.glb()


def shown_often(count: int, parts: int) -> Bytes:
    """Return nodes that each show the same instances of one mesh with several primitives."""
    made = Made(extensionsUsed=["EXT_mesh_gpu_instancing"])
    held = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": made.array(np.zeros((count, 3), np.float32))}}}
    mesh = made.mesh(*[made.primitive()] * parts)
    made.scene(*(made.node(mesh=mesh, name=f"n{number}", extensions=held) for number in range(500)))
    return made.glb()


def namesakes() -> Bytes:
    """Return materials and meshes with the same name."""
    made = Made()
    made.root["materials"] = [{"name": "same"}] * 8000
    position = made.array(CORNERS)
    face = [{"attributes": {"POSITION": position}, "indices": made.array(np.array([0, 1, 2], dtype=np.uint16))}]
    for number in range(8000):
        face[0] = {**face[0], "material": number}
        primitives = [*face, made.primitive(CORNERS + np.float32(number))] if number < 4000 else face
        made.mesh(*primitives, name="same")
    made.scene(*(made.node(mesh=number, name="same") for number in range(8000)))
    return made.glb()


def glb(data: Bytes, at: int, value: int) -> Bytes:
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


GOOD = shown().glb()
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + b"\x08\x02\0\0\0"


def image_bomb() -> Bytes:
    made = Made()
    made.add("images", {"bufferView": made.view(PNG), "mimeType": "image/png"})
    made.add("textures", {"source": 0})
    made.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(material=0))))
    return made.glb()


SPARSE = {"count": 2, "indices": {"bufferView": 1, "componentType": 5121}, "values": {"bufferView": 0}}
"""Replaces the first two bytes of the face indices by 0."""


def pictured(root: dict[str, Any]) -> None:
    """Add an image that is missing."""
    root |= {"images": [{}], "textures": [{"source": 0}]}
    root["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    root["meshes"][0]["primitives"][0]["material"] = 0


def shaped(root: dict[str, Any]) -> None:
    """Add a mesh collider that does not name its mesh."""
    root["extensions"] = {"KHR_implicit_shapes": {"shapes": [{"type": "convex", "convex": {}}]}}
    root["nodes"][0]["extensions"] = {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}}}}
    root["extensionsUsed"] = ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"]


BAD: dict[str, tuple[Bytes, str]] = {
    # addresses
    "up.gltf": (uri("../../../../etc/passwd"), "leads out of the folder"),
    "up-encoded.gltf": (uri("%2e%2e/%2e%2e/etc/passwd"), "leads out of the folder"),
    "link.gltf": (uri("secret.bin"), "leads out of the folder"),
    "absolute.gltf": (uri("/etc/passwd"), "relative paths"),
    "file.gltf": (uri("file:///etc/passwd"), "relative paths"),
    "http.gltf": (uri("http://127.0.0.1:9/x.bin"), "relative paths"),
    "backslash.gltf": (uri("..\\secret.bin"), "relative paths"),
    "nul.gltf": (uri("a%00b"), "relative paths"),
    "itself.gltf": (uri("itself.gltf", 10_000_000), "bytes, but there are"),
    "pipe.gltf": (uri("pipe"), "no file"),
    "round.gltf": (uri("round.bin"), "cannot be read"),
    "long.gltf": (uri("x" * 300), "cannot be read"),
    "base64.gltf": (uri("data:application/octet-stream;base64,####"), "base64"),
    "type.gltf": (uri("data:text/html;base64,AAAA"), "type 'text/html'"),
    # containers
    "empty.glb": (b"", "well-formed"),
    "header.glb": (GOOD[:11], "cut off"),
    "cut.glb": (GOOD[:-40], "cut off"),
    "chunk.glb": (glb(GOOD, 12, 0xFFFFFFF0), "are left"),
    "total.glb": (glb(GOOD, 8, 0xFFFFFFFF), "cut off"),
    "version.glb": (glb(GOOD, 4, 1), "version 1; .*gltf-pipeline"),
    "version3.glb": (glb(GOOD, 4, 3), "only version 2 is known$"),
    "not-json.glb": (glb(GOOD, 16, 0x58585858), "not JSON"),
    "nested.gltf": (b'{"asset":' + b"[" * 200_000, "well-formed|nested"),
    "nan.gltf": (b'{"asset":{"version":"2.0"},"x":NaN}', "no number"),
    "digits.gltf": (b'{"asset":{"version":"2.0"},"x":' + b"9" * 100_000 + b"}", "digits"),
    "twice.gltf": (b'{"asset":{"version":"2.0"},"asset":{}}', "twice"),
    "utf16.gltf": ('{"asset":{}}'.encode("utf-16"), "UTF-8|well-formed"),
    "array.gltf": (b"[]", "no object"),
    "word.gltf": (text({"asset": {"version": "2.0_m"}}), "known are"),
    "old.gltf": (text({"asset": {"version": "1.0"}}), "known are 2.0 and 2.1: upgrade it first: npx gltf-pipeline"),
    "old-number.gltf": (text({"asset": {"version": 1}, "buffers": {"a": {}}}), "as in glTF 1.0; .*gltf-pipeline"),
    "future.gltf": (text({"asset": {"version": "2.1", "minVersion": "2.9"}}), "known are"),
    "tables.gltf": (b'{"buffers":{"a":{}}}', "as in glTF 1.0"),
    "no-version.gltf": (b'{"nodes":[]}', "must contain the version"),
    "null-version.gltf": (text({"asset": {"version": None}}), "must contain the version"),
    # numbers
    "count.glb": (accessor(count=2_000_000_000), "beyond its buffer view"),
    "zeros.glb": (
        with_root(
            lambda root: root["accessors"].__setitem__(
                0, {"componentType": 5126, "count": 2_000_000_000, "type": "VEC3"}
            )
        ),
        "bytes of zeros",
    ),
    "offset.glb": (accessor(byteOffset=10**15), "beyond its buffer view"),
    "negative.glb": (accessor(byteOffset=-4), "at least 0"),
    "boolean.glb": (accessor(count=True), "whole number"),
    "view.glb": (accessor(bufferView=99), "only"),
    "kind.glb": (accessor(type="VEC2"), "must have 3 numbers"),
    "index.glb": (with_root(lambda root: root["accessors"][0].update(count=3)), "hold vertex 3"),
    "signed.glb": (with_root(lambda root: root["accessors"][1].update(componentType=5122)), "unsigned"),
    "not-finite.glb": (not_finite(), "not finite"),
    "overlapping.glb": (overlapping(), "larger than"),
    "buffer.glb": (with_root(lambda root: root["bufferViews"][0].update(byteLength=10**9)), "beyond its buffer"),
    "huge.glb": (with_root(lambda root: None, translation=[1e300, 0, 0]), "beyond 1e"),
    "zero-turn.glb": (with_root(lambda root: None, rotation=[0, 0, 0, 0]), "no rotation"),
    "projective.glb": (with_root(lambda root: None, matrix=[1.0] * 16), "not affine"),
    "instances-again.glb": (shown_often(500, 1), "shown so often that the scene has more than"),
    "primitives-again.glb": (shown_often(1, 500), "shown so often that the scene has more than"),
    "sparse.glb": (accessor(sparse=SPARSE), "must hold increasing indices inside the accessor"),
    # images and physics
    "image.glb": (with_root(pictured), "neither a uri nor a"),
    "collider.glb": (with_root(shaped), "mesh.*is missing"),
    # nodes
    "self.gltf": (text({"nodes": [{"children": [0]}], "scenes": [{"nodes": [0]}]}), "its own child"),
    "cycle.gltf": (text({"nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}]}), "cycle|hangs"),
    "two-parents.gltf": (text({"nodes": [{"children": [2]}, {"children": [2]}, {}]}), "the child of node 0, too"),
    "child.gltf": (text({"nodes": [{"children": [7]}]}), "refer to one of 1"),
    "scene.gltf": (text({"scene": 3, "scenes": [{}]}), "only 1"),
    "top.gltf": (text({"nodes": [{"children": [1]}, {}], "scenes": [{"nodes": [1]}]}), "is a child of node 0"),
    "mesh.gltf": (text({"nodes": [{"mesh": 0}]}), "only 0"),
    # extensions
    "required.gltf": (text({"extensionsRequired": ["ACME_all"]}), "ACME_all, which is not known"),
    "meshopt.gltf": (text({"extensionsRequired": ["EXT_meshopt_compression"]}), "npx @gltf-transform/cli"),
    "names.gltf": (text({"extensionsRequired": [1]}), "array of strings"),
}
FINE: dict[str, Bytes] = {
    "bom.gltf": b"\xef\xbb\xbf" + text({}),
    "padding.glb": pack(text({}) + b"\0\0\0", []),
    "deep.glb": chain(2_000),
    "shared.glb": shared_by_many(),
    "instances.glb": instances(),
    "image-bomb.glb": image_bomb(),
    "flat.glb": with_root(lambda root: None, scale=[0, 0, 0]),
    "zero-matrix.glb": with_root(lambda root: None, matrix=[0.0] * 15 + [1.0]),
    "image-up.glb": with_root(
        lambda root: root.update(
            images=[{"uri": "../../secret.png"}],
            textures=[{"source": 0}],
            materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            meshes=[{"primitives": [root["meshes"][0]["primitives"][0] | {"material": 0}]}],
        )
    ),
}
"""Documents that look dangerous but are valid, or use no more resources than necessary."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The results of a child process for each file."""
    folder = tmp_path_factory.mktemp("hostile")
    for place in ("bad", "warm"):
        (folder / place).mkdir()
    (folder / "warm" / "good.glb").write_bytes(GOOD)
    for name, data in ({name: data for name, (data, _) in BAD.items()} | FINE).items():
        (folder / "bad" / name).write_bytes(data)
    (folder / "secret.bin").write_bytes(b"secret")
    (folder / "secret.png").write_bytes(b"secret")
    (folder / "bad" / "secret.bin").symlink_to(folder / "secret.bin")
    (folder / "bad" / "round.bin").symlink_to("round.bin")
    os.mkfifo(folder / "bad" / "pipe")
    command = [sys.executable, "-m", "tests.formats.gltf_hostile", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["name"]: each | {"folder": str(folder)} for each in found}


@pytest.mark.parametrize("name", BAD)
def test_what_is_broken_is_refused_with_its_place(name: str, answers: dict[str, dict[str, Any]]):
    answer = answers[name]
    assert answer["verdict"] == "refused", answer
    assert re.match(rf".*/{re.escape(name)}:\d+: ", answer["message"]), answer["message"]
    assert re.search(BAD[name][1], answer["message"]), answer["message"]


@pytest.mark.parametrize("name", FINE)
def test_what_only_looks_dangerous_is_read(name: str, answers: dict[str, dict[str, Any]]):
    assert answers[name]["verdict"] == "read", answers[name]["message"]


@pytest.mark.parametrize("name", [*BAD, *FINE])
def test_nothing_else_is_opened_and_it_ends(name: str, answers: dict[str, dict[str, Any]]):
    answer = answers[name]
    bad = Path(answer["folder"]) / "bad"
    own = {str(bad / name), str(bad / "package.xml")}
    assert {path for path in answer["opened"] if "passwd" in path or "secret" in path or "socket" in path} == set()
    assert {path for path in answer["opened"] if path.startswith(answer["folder"])} <= own
    assert answer["seconds"] < SECONDS
    assert answer["grown"] < GROWN


def test_names_that_many_have_cost_no_more_than_others():
    data, start = namesakes(), time.process_time()
    scene, _ = noted(data)
    assert time.process_time() - start < 5 * SECONDS  # 16 000 primitives: what grows with their square takes far more
    assert (len(scene.materials), len(scene.assets)) == (8000, 4001)
