"""glTF by json, struct and numpy only: node transforms, triangles, colours. Shares no code with what it judges."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
"""From glTF's world, which is y up, to a z-up world."""


@dataclass
class Plain:
    """A document and its buffers."""

    document: dict[str, Any]
    buffers: list[bytes]

    def nodes(self, scene: int = 0) -> Iterator[tuple[dict[str, Any], np.ndarray]]:
        """Yield every node of a scene with its 4x4 pose in a z-up world."""
        stack = [(index, UP) for index in reversed(self.document["scenes"][scene]["nodes"])]
        while stack:
            index, parent = stack.pop()
            node = self.document["nodes"][index]
            world = parent @ local(node)
            yield node, world
            stack += [(child, world) for child in reversed(node.get("children", []))]

    def array(self, index: int) -> np.ndarray:
        """Return an accessor as floats or integers, normalised if it says so."""
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(KINDS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        found = np.ndarray(
            (accessor["count"], width), kind, self.buffers[view["buffer"]], start, (stride, kind.itemsize)
        )
        if accessor.get("normalized"):
            return np.maximum(found / np.iinfo(kind).max, -1.0)
        return found.astype(float) if kind.kind == "f" else found

    def triangles(self, primitive: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (n, 3) and faces (m, 3) of a primitive of triangles."""
        positions = self.array(primitive["attributes"]["POSITION"])
        return positions, self.array(primitive["indices"]).reshape(-1, 3).astype(int)


def plain_gltf(path: Path) -> Plain:
    """Read a .glb or .gltf with its buffers."""
    data = path.read_bytes()
    binary = b""
    if data[:4] == b"glTF":
        length = struct.unpack_from("<I", data, 12)[0]
        binary = data[20 + length + 8 :]
        data = data[20 : 20 + length]
    document = json.loads(data)
    buffers = []
    for buffer in document.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            buffers.append(binary)
        elif uri.startswith("data:"):
            buffers.append(base64.b64decode(uri.partition(",")[2]))
        else:
            buffers.append((path.parent / unquote(uri)).read_bytes())
    return Plain(document, buffers)


def local(node: dict[str, Any]) -> np.ndarray:
    """Return the 4x4 transform of a node relative to its parent."""
    if "matrix" in node:
        return np.reshape(node["matrix"], (4, 4)).T.astype(float)
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    found = np.eye(4)
    found[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
    found[:3, 3] = node.get("translation", [0, 0, 0])
    return found
