"""The meshes of a page: a GLB whose nodes are the geoms of a scene, each in the frame of its body."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.assets.textures import decode_image
from converters.context import InputError, WriterContext
from converters.gltf.data.container import pack
from converters.gltf.scene.layout import KIND, NAME
from converters.registry import format_named
from ir.arrays import np
from ir.plain import as_json
from ir.scene import Scene

KEPT = ("KHR_mesh_quantization", "KHR_materials_emissive_strength", "KHR_texture_transform")
"""Extensions needed for rendering."""
BYTE, SHORT = 5120, 5122
WIDTHS = {5123: 2, 5125: 4}
"""componentType of indices -> bytes of one."""
NODE = ("mesh", "translation", "rotation", "scale")


def meshes(scene: Scene, context: WriterContext, edge: int) -> bytes:
    """Return the GLB of all geoms that have a mesh: 16 bits per coordinate, 8 per normal component, images of `edge`
    pixels at most.

    Each node has the name of its geom in extras.geom and is in the frame of the geom's body, at whose pose the page
    places it. Other content of the glTF writer (bodies, physics, the graph) is omitted, because the page has it in
    another form. Indices are differences (see _lean). Notes of the writer are added to those of the context. Raises
    InputError as the writer of glTF does.
    """
    quiet = replace(context.options, compress="quantize", pose=(), pose_name=None, trajectory=())
    asked = replace(context, options=quiet, target=Path("page.glb"), original=Scene(scene.name))
    write = format_named("gltf").write
    assert write is not None
    output = write(scene.evolve(tables={"keyframe": []}, constraints=[]), asked)
    document, binary = _parts(output.document)
    flat = _flat(document)
    replaced = _lean(flat, binary) | (_images(flat, binary, edge) if edge else {})
    binary = _rebuilt(flat, binary, replaced)
    return pack(as_json(flat).encode(), [binary] if binary else [])


def _parts(glb: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the document and the buffer of a GLB written by this program."""
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
    tables = ("meshes", "materials", "samplers", "accessors", "bufferViews", "buffers")
    flat |= {table: document[table] for table in tables if document.get(table)} | _shown_images(document)
    for said in ("extensionsUsed", "extensionsRequired"):
        if words := [word for word in document.get(said, ()) if word in KEPT]:
            flat[said] = words
    return flat


def _shown_images(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the textures and the images they use: a GLB of this program also contains unused files."""
    if not (textures := document.get("textures")):
        return {}
    places = {source: place for place, source in enumerate(sorted({each["source"] for each in textures}))}
    return {
        "images": [document["images"][source] for source in places],
        "textures": [each | {"source": places[each["source"]]} for each in textures],
    }


def _images(document: Mapping[str, Any], binary: bytes, edge: int) -> dict[int, bytes]:
    """Return reduced copies of images that are too large, by their view; unreadable ones are left as in the GLB."""
    shrunk: dict[int, bytes] = {}
    for image in document.get("images", ()):
        view = image["bufferView"]
        with suppress(InputError), decode_image(_content(document, binary, view), "image") as picture:
            if max(picture.size) > edge:
                small = BytesIO()
                kind = picture.format or "PNG"
                picture.thumbnail((edge, edge))
                picture.save(small, kind)
                shrunk[view] = small.getvalue()
    return shrunk


def _lean(document: dict[str, Any], binary: bytes) -> dict[int, bytes]:
    """Return views of vertices without what rendering does not need: normals in 8 bits, no texture coordinates without
    a texture.

    Indices are stored as differences between consecutive ones, which are small and often equal, so that gzip compresses
    them; extras.differences of the document lists their views, and the page sums them up again.
    """
    accessors, found = document.get("accessors", ()), dict[int, bytes]()
    differences: set[tuple[int, int]] = set()
    alone = _alone(accessors)
    kept = {image["bufferView"] for image in document.get("images", ())}
    for primitive in (each for mesh in document.get("meshes", ()) for each in mesh["primitives"]):
        attributes = primitive["attributes"]
        _drop_coordinates(primitive, document.get("materials", ()))
        normal, corners = attributes.get("NORMAL"), primitive.get("indices")
        kept.update(accessors[number].get("bufferView") for number in attributes.values())
        if normal in alone and accessors[normal]["componentType"] == SHORT:
            view = accessors[normal]["bufferView"]
            found[view] = _bytes_of(accessors[normal], _content(document, binary, view))
            document["bufferViews"][view]["byteStride"] = 4
            accessors[normal]["componentType"] = BYTE
        if corners is not None:
            view, width = accessors[corners].get("bufferView"), WIDTHS.get(accessors[corners]["componentType"])
            kept.add(view)
            if corners in alone and width and view not in found:
                found[view] = _differences(_content(document, binary, view), width)
                differences.add((view, width))
    found |= {number: b"" for number in range(len(document.get("bufferViews", ()))) if number not in kept}
    if differences:
        document["extras"] = {"differences": sorted(differences)}
    return found


def _alone(accessors: Sequence[Mapping[str, Any]]) -> set[int]:
    """Return the accessors that cover a whole view and share it with no other."""
    users = Counter(accessor.get("bufferView") for accessor in accessors)
    whole = (each for each in enumerate(accessors) if not each[1].get("byteOffset") and "sparse" not in each[1])
    return {number for number, each in whole if "bufferView" in each and users[each["bufferView"]] == 1}


def _drop_coordinates(primitive: Mapping[str, Any], materials: Sequence[Any]) -> None:
    """Remove the texture coordinates of a primitive whose material has no texture."""
    if "Texture" not in json.dumps(materials[primitive["material"]] if "material" in primitive else {}):
        for name in [name for name in primitive["attributes"] if name.startswith("TEXCOORD")]:
            del primitive["attributes"][name]


def _bytes_of(accessor: Mapping[str, Any], data: bytes) -> bytes:
    """Convert normals in 16 bits (rows of 8 bytes) to 8 bits (rows of 4): an error of half a degree is not visible."""
    rows = np.frombuffer(data, "<i2").reshape(accessor["count"], -1)[:, :3]
    small = np.zeros((len(rows), 4), np.int8)
    small[:, :3] = np.rint(rows * (127 / 32767))
    return small.tobytes()


def _differences(data: bytes, width: int) -> bytes:
    """Return integers of that many bytes as their differences, modulo 2 ** (8 * width)."""
    numbers = np.frombuffer(data, f"<u{width}")
    return np.diff(numbers, prepend=numbers.dtype.type(0)).tobytes()


def _content(document: Mapping[str, Any], binary: bytes, view: int) -> bytes:
    said = document["bufferViews"][view]
    start = said.get("byteOffset", 0)
    return binary[start : start + said["byteLength"]]


def _rebuilt(document: dict[str, Any], binary: bytes, replaced: Mapping[int, bytes]) -> bytes:
    """Return the buffer with some views replaced, updating the offsets in the document."""
    pieces: list[bytes] = []
    at = 0
    for index, view in enumerate(document.get("bufferViews", ())):
        data = replaced[index] if index in replaced else _content(document, binary, index)
        view["byteOffset"], view["byteLength"] = at, len(data)
        pieces += [data, bytes(-len(data) % 4)]
        at += len(data) + -len(data) % 4
    if pieces:
        document["buffers"][0]["byteLength"] = at
    return b"".join(pieces)
