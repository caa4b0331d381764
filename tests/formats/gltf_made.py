"""Small glTF documents generated for tests, and the result of reading them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from converters.context import Note, ReaderContext
from converters.gltf.data.container import pack
from converters.gltf.reader import read
from ir.scene import Scene

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
NAMES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype=np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], dtype=np.uint16)
"""Faces of a tetrahedron of volume 1."""


class Made:
    """A document under construction: members of the root, and the bytes of its only buffer."""

    def __init__(self, **members: Any) -> None:
        self.root: dict[str, Any] = {"asset": {"version": "2.0"}} | members
        self.binary = b""

    def view(self, data: bytes, **members: Any) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        entry = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)} | members
        self.binary += data
        return self.add("bufferViews", entry)

    def array(self, values: np.ndarray[Any, Any], **members: Any) -> int:
        table = values.reshape(len(values), -1)
        entry = {
            "bufferView": self.view(table.tobytes()),
            "componentType": CODES[table.dtype.str[1:]],
            "count": len(table),
            "type": NAMES[table.shape[1]],
        }
        return self.add("accessors", entry | members)

    def add(self, key: str, entry: Any) -> int:
        self.root.setdefault(key, []).append(entry)
        return len(self.root[key]) - 1

    def primitive(
        self, corners: np.ndarray[Any, Any] = CORNERS, faces: np.ndarray[Any, Any] | None = FACES, **members: Any
    ) -> dict[str, Any]:
        """Return a primitive of triangles; `attributes` among the members are added to its own."""
        attributes = {"POSITION": self.array(corners)} | members.pop("attributes", {})
        found: dict[str, Any] = {"attributes": attributes}
        if faces is not None:
            found["indices"] = self.array(faces.reshape(-1))
        return found | members

    def mesh(self, *primitives: dict[str, Any], **members: Any) -> int:
        return self.add("meshes", {"primitives": list(primitives or (self.primitive(),))} | members)

    def node(self, **members: Any) -> int:
        return self.add("nodes", members)

    def scene(self, *tops: int, **members: Any) -> int:
        self.root.setdefault("scene", 0)
        return self.add("scenes", {"nodes": list(tops)} | members)

    def glb(self) -> bytes:
        if self.binary:
            self.root["buffers"] = [{"byteLength": len(self.binary)}]
        return pack(json.dumps(self.root).encode(), [self.binary])


def shown(**members: Any) -> Made:
    """Return a document with one mesh on one named node with these members."""
    made = Made()
    made.scene(made.node(**({"mesh": made.mesh(), "name": "part"} | members)))
    return made


def noted(data: bytes | Made, path: Path = Path("model.glb")) -> tuple[Scene, list[Note]]:
    """Return the scene and the notes of reading; every member of the document is accounted for."""
    data = data.glb() if isinstance(data, Made) else data
    context = ReaderContext(file=str(path), folder=path.parent)
    scene = read(data, context)
    for document in context.documents:
        document.totals()
    return scene, context.notes


def scene_of(data: bytes | Made) -> Scene:
    """Return the scene of a document whose reading leaves no notes except about bodies without mass."""
    scene, notes = noted(data)
    assert [note for note in notes if note.rule != "gltf/mass"] == []
    return scene


def left(scene: Scene) -> dict[str, str]:
    """Return everything that was not understood, by path; without a prefix where no entity owns it."""
    found = {extra.path: extra.text for extra in scene.extras if not extra.rule}
    for body in scene.bodies.values():
        for owner in (body, *body.geoms, *body.frames, *body.cameras, *body.lights):
            found |= {f"{owner.name}:{extra.path}": extra.text for extra in owner.extras}
    for table in (scene.materials, scene.assets):
        for entity in table.values():
            found |= {f"{entity.name}:{extra.path}": extra.text for extra in entity.extras}
    return found
