"""Triangles in every storage form: modes, index types, sparse, normalised, strided and compressed values."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.assets.inside import mesh
from converters.assets.meshes.files import load
from converters.assets.meshes.parts import MeshPart
from converters.context import InputError
from converters.convert import read
from tests.files import saved
from tests.formats.gltf_made import CORNERS, FACES, Made, noted, scene_of, shown

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=np.float32)


def corners(part: MeshPart) -> list[list[list[float]]]:
    """Return sorted triangles, each rotated to start at its smallest corner."""
    found = [
        np.roll(each, -min(range(3), key=lambda i: tuple(each[i])), axis=0).tolist()
        for each in part.vertices[part.faces]
    ]
    return sorted(found)


def loaded(made: Made, tmp_path: Path) -> MeshPart:
    """Return the only part of the document loaded as a mesh file, read without notes."""
    scene_of(made)
    path = saved(tmp_path / "model.glb", made.glb())
    (part,) = load(path).parts
    return part


def document(primitive: dict[str, Any], made: Made, **node: Any) -> Made:
    made.scene(made.node(name="part", mesh=made.mesh(primitive), **node))
    return made


EXPECTED = [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]]


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
def test_triangles_by_every_kind_of_index(kind: type, tmp_path: Path):
    made = Made()
    faces = np.array([[0, 1, 2], [2, 1, 3]], dtype=kind)
    assert corners(loaded(document(made.primitive(SQUARE, faces), made), tmp_path)) == EXPECTED


def test_triangles_without_indices(tmp_path: Path):
    made = Made()
    six = SQUARE[[0, 1, 2, 2, 1, 3]]
    assert corners(loaded(document(made.primitive(six, None), made), tmp_path)) == EXPECTED


@pytest.mark.parametrize(("mode", "order"), [(5, [0, 1, 2, 3]), (6, [1, 3, 2, 0])])
def test_strips_and_fans_keep_their_winding(mode: int, order: list[int], tmp_path: Path):
    made = Made()
    found = corners(loaded(document(made.primitive(SQUARE[order], None, mode=mode), made), tmp_path))
    normals = [np.cross(np.subtract(b, a), np.subtract(c, a))[2] for a, b, c in found]
    assert normals == [1.0, 1.0]


def test_sparse_values_move_corners(tmp_path: Path):
    made = Made()
    primitive = made.primitive(SQUARE, np.array([[0, 1, 2], [2, 1, 3]], dtype=np.uint16))
    made.root["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": made.view(bytes([3])), "componentType": 5121},
        "values": {"bufferView": made.view(np.array([5, 5, 0], dtype=np.float32).tobytes())},
    }
    part = loaded(document(primitive, made), tmp_path)
    assert part.vertices.max() == 5.0


def test_quantised_positions_are_fractions_scaled_by_their_node(tmp_path: Path):
    made = Made(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
    values = np.array([[0, 0, 0, 0], [32767, 0, 0, 0], [0, -32767, 0, 0]], dtype=np.int16)
    index = made.view(values.tobytes(), byteStride=8)
    position = made.add(
        "accessors", {"bufferView": index, "componentType": 5122, "normalized": True, "count": 3, "type": "VEC3"}
    )
    part = loaded(document({"attributes": {"POSITION": position}}, made, scale=[2, 2, 2]), tmp_path)
    assert corners(part) == [[[0.0, -2.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]]


def test_interleaved_values(tmp_path: Path):
    made = Made()
    table = np.concatenate([SQUARE, np.tile(np.float32([0, 0, 1]), (4, 1)), SQUARE[:, :2]], axis=1)
    view = made.view(table.tobytes(), byteStride=32)
    common = {"bufferView": view, "componentType": 5126, "count": 4}
    attributes = {
        "POSITION": made.add("accessors", common | {"type": "VEC3"}),
        "NORMAL": made.add("accessors", common | {"type": "VEC3", "byteOffset": 12}),
        "TEXCOORD_0": made.add("accessors", common | {"type": "VEC2", "byteOffset": 24}),
    }
    indices = made.array(np.array([0, 1, 2, 2, 1, 3], dtype=np.uint16))
    part = loaded(document({"attributes": attributes, "indices": indices}, made), tmp_path)
    assert corners(part) == EXPECTED
    assert part.normals is not None
    assert part.normals.tolist() == [[0.0, 0.0, 1.0]] * 4
    assert part.uvs is not None
    assert part.uvs.tolist() == [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], "from the lower edge"


def with_texture(**info: Any) -> Made:
    made = Made(images=[{"uri": "none.png"}], textures=[{"source": 0}])
    made.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0} | info}})
    first = made.array(np.zeros((4, 2), dtype=np.float32))
    second = made.array(np.full((4, 2), 0.25, dtype=np.float32))
    attributes = {"TEXCOORD_0": first, "TEXCOORD_1": second}
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(material=0, attributes=attributes))))
    return made


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({}, [0.0, 0.0]),
        ({"texCoord": 1}, [0.25, 0.25]),
        ({"texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 1]}}}, [1.0, 0.25]),
        ({"extensions": {"KHR_texture_transform": {"texCoord": 1, "rotation": np.pi / 2}}}, [0.25, -0.25]),
    ],
)
def test_texture_coordinates_as_the_base_colour_takes_them(info: dict[str, Any], expected: list[float], tmp_path: Path):
    made = with_texture(**info)
    path = saved(tmp_path / "model.glb", made.glb())
    _, notes = noted(made, path)
    assert [note.rule for note in notes] == ["assets/missing", "gltf/unread"], "the other coordinates"
    (part,) = load(path).parts
    assert part.uvs is not None
    assert part.uvs[0] == pytest.approx([expected[0], 1 - expected[1]])


def test_bounds_that_are_not_those_of_the_values_are_told():
    made = Made()
    primitive = made.primitive()
    made.root["accessors"][0] |= {"min": [0, 0, 0], "max": [1, 2, 9]}
    _, notes = noted(document(primitive, made))
    assert [(note.rule, note.before, note.after) for note in notes] == [("gltf/bounds", "1 2 9", "1 2 3")]


def draco(required: bool, **said: int) -> Made:
    """Return a document compressed by Draco; `said` are members of the primitive."""
    import DracoPy

    data = DracoPy.encode(CORNERS, FACES, quantization_bits=0, preserve_order=True)
    name = "KHR_draco_mesh_compression"
    made = Made(extensionsUsed=[name]) if not required else Made(extensionsUsed=[name], extensionsRequired=[name])
    view = made.view(data)
    position = made.add("accessors", {"componentType": 5126, "count": 4, "type": "VEC3"})
    indices = made.add("accessors", {"componentType": 5123, "count": 12, "type": "SCALAR"})
    packed = {"bufferView": view, "attributes": {"POSITION": 0}}
    primitive = {"attributes": {"POSITION": position}, "indices": indices, "extensions": {name: packed}}
    return document(primitive | said, made)


@pytest.mark.parametrize("required", [True, False])
def test_draco_is_read_with_its_decoder(required: bool, tmp_path: Path):
    assert len(loaded(draco(required), tmp_path).faces) == 4


def test_what_draco_holds_and_stands_there_once_more_is_not_told_as_gone():
    """For programs without a decoder (KHR_draco_mesh_compression, fallback)."""
    made = draco(required=False)
    for entry, values in zip(made.root["accessors"], (CORNERS, FACES.reshape(-1)), strict=True):
        entry |= {"bufferView": made.view(np.ascontiguousarray(values).tobytes())}
    _, notes = noted(made)
    assert [note for note in notes if note.rule == "gltf/unread"] == []


@pytest.mark.parametrize("required", [True, False])
def test_without_the_decoder_of_draco_there_is_advice(required: bool, monkeypatch: pytest.MonkeyPatch):
    made = draco(required)
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(InputError, match=r"pip install 'kinegraph\[draco\]'"):
        noted(made)


def test_draco_that_is_damaged_is_an_error():
    made = draco(True)
    made.binary = made.binary[:20] + bytes(len(made.binary) - 20)
    with pytest.raises(InputError, match="cannot be decompressed"):
        noted(made)


def test_draco_has_triangles_or_strips_and_no_fans(tmp_path: Path):
    """Its decoder converts both to triangles."""
    assert len(loaded(draco(True, mode=5), tmp_path).faces) == 4
    with pytest.raises(InputError, match="mode is 6, and KHR_draco_mesh_compression holds triangles or strips"):
        noted(draco(True, mode=6))


def test_a_mesh_file_shows_what_its_nodes_show(tmp_path: Path):
    made = shown(scale=[-1, 1, 1], translation=[0, 0, 5])
    path = saved(tmp_path / "model.glb", made.glb())
    (part,) = load(path).parts
    assert (part.vertices.min(axis=0).tolist(), part.vertices.max(axis=0).tolist()) == ([-1, 0, 5], [0, 2, 8])
    a, b, c = (part.vertices[part.faces[:, corner]] for corner in range(3))
    assert np.einsum("ij,ij->", np.cross(a, b), c) / 6 == pytest.approx(1.0), "faces look outwards"


@pytest.mark.parametrize("scale", [(1, 2, 1), (-1, 2, 1), (-1, -2, 1), (-1, -2, -1)])
def test_normals_point_out_of_what_a_node_mirrors(scale: tuple[float, ...], tmp_path: Path):
    flat = CORNERS[FACES].reshape(-1, 3)
    across = np.cross(flat[1::3] - flat[::3], flat[2::3] - flat[::3])
    normals = (across / np.linalg.norm(across, axis=1, keepdims=True)).repeat(3, axis=0).astype(np.float32)
    made = Made()
    primitive = made.primitive(flat, np.arange(12, dtype=np.uint16), attributes={"NORMAL": made.array(normals)})
    leaning = made.node(name="leaning", mesh=made.mesh(primitive), rotation=[0.6, 0, 0, 0.8])
    made.scene(made.node(name="top", scale=list(scale), children=[leaning]))
    path = saved(tmp_path / "model.glb", made.glb())
    (asset,) = read(path).assets.values()
    for part in (*load(path).parts, *mesh(asset).parts):
        a, b, c = part.vertices[part.faces].swapaxes(0, 1)
        out = np.cross(b - a, c - a)
        assert np.einsum("ij,ij->", a, out) > 0, "the faces look out"
        length = np.linalg.norm(part.normals, axis=1)[part.normal_faces] * np.linalg.norm(out, axis=1)[:, None]
        assert np.einsum("ikj,ij->ik", part.normals[part.normal_faces], out) == pytest.approx(length, rel=1e-6)
