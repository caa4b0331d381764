"""The meshes of a page: a GLB whose nodes are the geoms of a scene, each in the frame of its body."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from converters.assets.textures import decoded
from converters.context import Context
from converters.gltf.container import pack
from converters.registry import named
from ir.scene import Scene

KIND, NAME = "kinegraph_kind", "kinegraph_name"
"""What a node says of itself (converters/gltf/README.md)."""
KEPT = ("KHR_mesh_quantization", "KHR_materials_emissive_strength", "KHR_texture_transform")
"""Extensions that a picture needs."""
NODE = ("mesh", "translation", "rotation", "scale")


def meshes(scene: Scene, context: Context, edge: int) -> bytes:
    """The GLB of all geoms that have a mesh, 16 bits a coordinate; images have at most `edge` pixels to a side.

    Each node bears the name of its geom in extras.geom and stands in the frame of the body of the geom: the page puts
    it where the body is. What else the writer of glTF says (bodies, physics, the graph) the page has in another form.
    What the writer notes is added to the notes of the context. Raises InputError as the writer of glTF does.
    """
    quiet = replace(context.options, compress="quantize", pose=(), trajectory=())
    asked = replace(context, options=quiet, target=Path("page.glb"), original=Scene(scene.name))
    write = named("gltf").write
    assert write is not None
    output = write(scene.evolve(tables={"keyframe": []}, constraints=[]), asked)
    document, binary = _parts(output.document)
    flat = _flat(document)
    if edge:
        binary = _smaller(flat, binary, edge)
    return pack(json.dumps(flat, separators=(",", ":"), ensure_ascii=False).encode(), [binary] if binary else [])


def _parts(glb: bytes) -> tuple[dict[str, Any], bytes]:
    """The document and the buffer of a GLB of ours."""
    (length,) = struct.unpack_from("<I", glb, 12)
    document: dict[str, Any] = json.loads(glb[20 : 20 + length])
    return document, glb[28 + length :]


def _flat(document: Mapping[str, Any]) -> dict[str, Any]:
    nodes: dict[str, dict[str, Any]] = {}
    for node in document.get("nodes", ()):
        extras = node.get("extras", {})
        if extras.get(KIND) == "geom" and "mesh" in node and extras[NAME] not in nodes:
            kept = {key: node[key] for key in NODE if key in node}
            nodes[extras[NAME]] = kept | {"extras": {"geom": extras[NAME]}}
    flat: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}]}
    if not nodes:
        return flat | {"scenes": [{}]}
    flat["nodes"] = list(nodes.values())
    tables = ("meshes", "materials", "textures", "images", "samplers", "accessors", "bufferViews", "buffers")
    flat |= {table: document[table] for table in tables if document.get(table)}
    for said in ("extensionsUsed", "extensionsRequired"):
        if words := [word for word in document.get(said, ()) if word in KEPT]:
            flat[said] = words
    return flat


def _smaller(document: dict[str, Any], binary: bytes, edge: int) -> bytes:
    """The buffer with large images replaced by smaller ones; offsets and types in the document follow."""
    shrunk: dict[int, bytes] = {}
    for image in document.get("images", ()):
        view = document["bufferViews"][image["bufferView"]]
        data = binary[view.get("byteOffset", 0) :][: view["byteLength"]]
        with decoded(data, "image") as picture:
            if max(picture.size) > edge:
                small = BytesIO()
                kind = picture.format or "PNG"
                picture.thumbnail((edge, edge))
                picture.save(small, kind)
                shrunk[image["bufferView"]] = small.getvalue()
    if not shrunk:
        return binary
    pieces: list[bytes] = []
    at = 0
    for index, view in enumerate(document["bufferViews"]):
        data = shrunk.get(index, binary[view.get("byteOffset", 0) :][: view["byteLength"]])
        view["byteOffset"], view["byteLength"] = at, len(data)
        pieces += [data, bytes(-len(data) % 4)]
        at += len(data) + -len(data) % 4
    document["buffers"][0]["byteLength"] = at
    return b"".join(pieces)
