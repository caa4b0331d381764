"""GLB, glTF, PLY and OFF through trimesh. glTF coordinates are literal: turning y-up is for whoever reads scenes."""

from __future__ import annotations

import json
import struct
from io import BytesIO
from pathlib import Path
from typing import Any

from converters.assets.parts import MeshFile, MeshPart, PartMaterial, check
from converters.context import InputError

_EXTENSIONS = ("KHR_draco_mesh_compression", "KHR_mesh_quantization", "EXT_meshopt_compression")
_NOT_CARRIED = ("animations", "skins", "cameras")
_ROWS = 50_000_000


def load(path: Path, data: bytes) -> MeshFile:
    """Raises InputError for whatever trimesh cannot read, for compressed glTF and for uris that leave the folder."""
    kind = path.suffix.lower().removeprefix(".")
    lost: list[str] = []
    if kind in ("glb", "gltf"):
        _examine(path, data, kind, lost)
    import trimesh

    try:
        resolver = trimesh.resolvers.FilePathResolver(str(path)) if kind == "gltf" else None
        scene = trimesh.load_scene(BytesIO(data), file_type=kind, resolver=resolver, process=False)
        parts = [_part(scene, node, lost) for node in scene.graph.nodes_geometry]
    except InputError:
        raise
    except Exception as error:  # trimesh raises whatever its parsers raise
        raise InputError(f"{path}: this {kind.upper()} cannot be read: {error or type(error).__name__}") from None
    return MeshFile(
        parts=check([part for part in parts if part is not None], path, lost), lost=tuple(dict.fromkeys(lost))
    )


def _examine(path: Path, data: bytes, kind: str, lost: list[str]) -> None:
    """Refuses what trimesh would take wrongly or at any cost, before it sees the file."""
    try:
        text: bytes = data
        if kind == "glb":
            length: int = struct.unpack_from("<I", data, 12)[0]
            text = data[20 : 20 + length]
        document = json.loads(text)
        if not isinstance(document, dict):
            raise ValueError("the document is not an object")
        uris = [item["uri"] for name in ("buffers", "images") for item in document.get(name, []) if "uri" in item]
        rows = [item.get("count", 0) for item in document.get("accessors", [])]
        required = [name for name in document.get("extensionsRequired", []) if name in _EXTENSIONS]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error) as error:
        raise InputError(f"{path}: not a glTF file: {error}") from None
    if required:
        raise InputError(f"{path}: glTF extension {required[0]} is not read")
    if not all(isinstance(count, int) and 0 <= count <= _ROWS for count in rows) or sum(rows) > 4 * _ROWS:
        raise InputError(f"{path}: an accessor has more than {_ROWS} rows")
    for uri in uris:
        if (
            not isinstance(uri, str)
            or (":" in uri and not uri.startswith("data:"))
            or uri.startswith(("/", "\\"))
            or ".." in uri
        ):
            raise InputError(f"{path}: the uri {str(uri)[:80]!r} leaves the folder of the file")
    lost += [name for name in _NOT_CARRIED if document.get(name)]


def _part(scene: Any, node: str, lost: list[str]) -> MeshPart | None:
    import numpy as np

    matrix, name = scene.graph[node]
    mesh = scene.geometry[name]
    if not hasattr(mesh, "faces"):
        lost.append("lines and points")
        return None
    mesh = mesh.copy()
    normals = mesh.vertex_normals.copy() if "vertex_normals" in mesh._cache else None
    mesh.apply_transform(matrix)
    faces = np.asarray(mesh.faces, dtype=np.int64)
    if normals is not None:
        normals = np.asarray(mesh.vertex_normals, dtype=np.float64)
    uvs = getattr(mesh.visual, "uv", None)
    if getattr(mesh.visual, "kind", None) == "vertex":
        lost.append("vertex colours")
    return MeshPart(
        name=node,
        vertices=np.asarray(mesh.vertices, dtype=np.float64),
        faces=faces,
        normals=normals,
        normal_faces=None if normals is None else faces,
        uvs=None if uvs is None else np.asarray(uvs, dtype=np.float64)[:, :2],
        uv_faces=None if uvs is None else faces,
        material=_material(getattr(mesh.visual, "material", None), lost),
    )


def _material(source: Any, lost: list[str]) -> PartMaterial | None:
    """trimesh's PBR material with its linear factors as display values; an image that it decoded travels as PNG."""
    if source is None or not hasattr(source, "baseColorFactor"):
        return None
    factor = source.baseColorFactor
    values = (
        [1.0] * 4
        if factor is None
        else [float(value) / (255.0 if factor.dtype.kind == "u" else 1.0) for value in factor]
    )
    red, green, blue = (_display(value) for value in values[:3])
    name = str(source.name or "material")
    for field in ("normalTexture", "emissiveTexture", "occlusionTexture", "metallicRoughnessTexture"):
        if getattr(source, field, None) is not None:
            lost.append(f"the {field} of material {name!r}")
    image = None
    if source.baseColorTexture is not None:
        buffer = BytesIO()
        source.baseColorTexture.save(buffer, "png")
        image = buffer.getvalue()
    glow = source.emissiveFactor
    return PartMaterial(
        name=name,
        rgba=(red, green, blue, values[3]),
        image=image,
        emissive=None if glow is None or not any(glow) else (_display(glow[0]), _display(glow[1]), _display(glow[2])),
        double_sided=bool(source.doubleSided),
    )


def _display(linear: float) -> float:
    """sRGB value of a linear one, both in [0, 1]."""
    linear = min(max(float(linear), 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
