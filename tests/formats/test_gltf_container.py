"""Containers and accessors of glTF: valid data is decoded exactly, errors are reported with their place."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.context import InputError, ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.container import Container, pack, unpack


def opened(value: dict[str, Any], binary: bytes = b"", folder: Path = Path()) -> Container:
    return unpack(pack(json.dumps(value).encode(), [binary]), ReaderContext(file="robot.glb", folder=folder))


def accessor(data: bytes, view: dict[str, Any] | None = None, **members: Any) -> np.ndarray[Any, Any]:
    whole = {"buffer": 0, "byteLength": len(data), **(view or {})}
    value = {
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [whole],
        "accessors": [{"bufferView": 0, **members}],
    }
    found = opened(value, data)
    return Accessors(found.document.root, found.buffers).array(0)


def test_a_glb_is_what_was_packed() -> None:
    found = opened({"buffers": [{"byteLength": 5}]}, b"12345")
    assert [bytes(buffer) for buffer in found.buffers] == [b"12345"]


@pytest.mark.parametrize(
    ("kind", "code"), [(5120, "b"), (5121, "B"), (5122, "h"), (5123, "H"), (5125, "I"), (5126, "f")]
)
def test_every_component_type(kind: int, code: str) -> None:
    values = (0, 1, 100)
    assert accessor(struct.pack(f"<3{code}", *values), componentType=kind, count=1, type="VEC3").tolist() == [
        list(values)
    ]


def test_strided_and_offset_values() -> None:
    data = b"xxxx" + b"".join(struct.pack("<fff4x", n, n + 0.5, -n) for n in (1.0, 2.0))
    got = accessor(
        data, {"byteOffset": 4, "byteLength": 32, "byteStride": 16}, componentType=5126, count=2, type="VEC3"
    )
    assert got.tolist() == [[1, 1.5, -1], [2, 2.5, -2]]


def test_columns_of_small_matrices_are_padded() -> None:
    data = bytes([1, 2, 0, 0, 3, 4, 0, 0])
    assert accessor(data, componentType=5121, count=1, type="MAT2").tolist() == [[1, 2, 3, 4]]


def test_normalised_integers_are_fractions() -> None:
    got = accessor(
        struct.pack("<4h", -32768, -32767, 0, 32767), componentType=5122, count=4, type="SCALAR", normalized=True
    )
    assert got[:, 0].tolist() == [-1, -1, 0, 1]


def test_sparse_values_replace_those_of_the_view() -> None:
    data = struct.pack("<3f", 1, 2, 3) + struct.pack("<HH", 0, 2) + struct.pack("<2f", 9, 8)
    value = {
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 12},
            {"buffer": 0, "byteOffset": 12, "byteLength": 4},
            {"buffer": 0, "byteOffset": 16, "byteLength": 8},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 3,
                "type": "SCALAR",
                "sparse": {
                    "count": 2,
                    "indices": {"bufferView": 1, "componentType": 5123},
                    "values": {"bufferView": 2},
                },
            }
        ],
    }
    found = opened(value, data)
    accessors = Accessors(found.document.root, found.buffers)
    assert accessors.array(0)[:, 0].tolist() == [9, 2, 8]


FLOATS = struct.pack("<4f", 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("data", "view", "members", "message"),
    [
        (FLOATS, {}, {"componentType": 5126, "count": 5, "type": "SCALAR"}, "beyond its buffer view"),
        (FLOATS, {}, {"componentType": 5126, "count": 2_000_000_000, "type": "VEC3"}, "beyond its buffer view"),
        (FLOATS, {"byteLength": 17}, {"componentType": 5126, "count": 1, "type": "SCALAR"}, "beyond its buffer"),
        (FLOATS, {"byteOffset": -4}, {"componentType": 5126, "count": 1, "type": "SCALAR"}, "at least 0"),
        (FLOATS, {"buffer": 1}, {"componentType": 5126, "count": 1, "type": "SCALAR"}, "only 1"),
        (FLOATS, {}, {"bufferView": 7, "componentType": 5126, "count": 1, "type": "SCALAR"}, "only 1"),
        (FLOATS, {"byteStride": 4}, {"componentType": 5126, "count": 1, "type": "VEC3"}, "less than the 12 bytes"),
        (FLOATS, {}, {"componentType": 5124, "count": 1, "type": "SCALAR"}, "no known componentType"),
        (FLOATS, {}, {"componentType": 5126, "count": 1.5, "type": "SCALAR"}, "whole number"),
        (struct.pack("<f", float("nan")), {}, {"componentType": 5126, "count": 1, "type": "SCALAR"}, "not finite"),
    ],
)
def test_an_accessor_never_reaches_beyond_its_data(
    data: bytes, view: dict[str, Any], members: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=rf"^robot\.glb:1: .*{message}"):
        accessor(data, view, **members)


def test_zeros_that_stand_in_no_file_are_bounded() -> None:
    value = {"accessors": [{"componentType": 5126, "count": 2_000_000_000, "type": "VEC3"}]}
    found = opened(value)
    with pytest.raises(InputError, match="bytes of zeros"):
        Accessors(found.document.root, found.buffers).array(0)


GLB = pack(b'{"asset":{"version":"2.0"}}', [b"1234"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (GLB[:10], "cut off inside its header"),
        (GLB[:-2], "cut off"),
        (GLB[:4] + struct.pack("<I", 1) + GLB[8:], "version 1"),
        (GLB[:12] + struct.pack("<I", 0xFFFFFFF0) + GLB[16:], "are left"),
        (GLB[:16] + b"XXXX" + GLB[20:], "not JSON"),
    ],
)
def test_a_broken_glb_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        unpack(data, ReaderContext(file="robot.glb", folder=Path()))


def buffer(uri: str, folder: Path, length: int = 4) -> bytes:
    value = {"buffers": [{"byteLength": length, "uri": uri}]}
    found = unpack(json.dumps(value).encode(), ReaderContext(file="robot.gltf", folder=folder))
    return bytes(found.buffers[0])


def test_buffers_inline_and_beside(tmp_path: Path) -> None:
    (tmp_path / "a b.bin").write_bytes(b"abcdef")
    assert buffer("a%20b.bin", tmp_path) == b"abcd"
    text = base64.b64encode(b"12345").decode()
    assert buffer(f"data:application/octet-stream;base64,{text}", tmp_path) == b"1234"


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "link.bin",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1/x.bin",
        "..\\secret.bin",
        "x%00.bin",
        "",
        "missing.bin",
        "short.bin",
        "data:application/octet-stream;base64,####",
        "data:text/html;base64,AAAA",
        "data:application/octet-stream,AAAA",
        "%ff.bin",
        ".",
    ],
)
def test_no_address_leads_out_of_the_folder(uri: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(b"secret")
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "short.bin").write_bytes(b"1")
    with pytest.raises(InputError, match=r"robot\.gltf:1: /buffers/0/"):
        buffer(uri, folder)


@pytest.mark.parametrize("said", [{}, {"byteLength": 0}, {"byteLength": 0, "uri": ""}])
def test_an_empty_buffer_that_nothing_uses_is_told(said: dict[str, object]) -> None:
    context = ReaderContext(file="robot.gltf", folder=Path())
    found = unpack(json.dumps({"asset": {"version": "2.0"}, "buffers": [said]}).encode(), context)
    assert [bytes(buffer) for buffer in found.buffers] == [b""]
    assert [(note.rule, note.source and note.source.path[:10]) for note in context.notes] == [
        ("gltf/slack", "/buffers/0")
    ]
    used = {"buffers": [said], "bufferViews": [{"buffer": 0, "byteLength": 4}]}
    with pytest.raises(InputError, match="byteLength"):
        unpack(json.dumps(used).encode(), ReaderContext(file="robot.gltf", folder=Path()))


@pytest.mark.parametrize(
    "behind",
    [b"more", struct.pack("<I4s4s", 4, b"QQQQ", b"1234"), struct.pack("<I4s4s", 4, b"BIN\0", b"1234")],
    ids=["bytes behind the end", "a chunk of another type", "a second buffer"],
)
def test_what_a_glb_holds_beside_its_two_chunks_is_told(behind: bytes) -> None:
    """Section 4.4.3 asks readers to ignore it: it is not kept, and the report says so."""
    data = pack(json.dumps({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}]}).encode(), [b"1234"])
    whole = data[:8] + struct.pack("<I", len(data) + (len(behind) if len(behind) > 4 else 0)) + data[12:] + behind
    context = ReaderContext(file="robot.glb", folder=Path())
    assert [bytes(buffer) for buffer in unpack(whole, context).buffers] == [b"1234"]
    (note,) = context.notes
    assert (note.rule, note.action) == ("gltf/slack", "ignored")
    assert note.before == f"{len(whole) - len(data)} of {len(whole)}"
