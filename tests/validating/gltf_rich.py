"""A valid glTF that uses most of the specification and its ratified extensions, to be damaged."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

Document = dict[str, Any]
CODES = {"<f4": 5126, "<u2": 5123, "<u1": 5121}
CORNERS, INDICES = 34962, 34963
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
ARRAYS: dict[str, tuple[Any, str, str, int | None]] = {
    "positions": (TRIANGLE, "<f4", "VEC3", CORNERS),
    "normals": ([[0, 0, 1]] * 3, "<f4", "VEC3", CORNERS),
    "tangents": ([[1, 0, 0, 1]] * 3, "<f4", "VEC4", CORNERS),
    "places": ([[0, 0], [1, 0], [0, 1]], "<f4", "VEC2", CORNERS),
    "colours": ([[255, 0, 0, 255]] * 3, "<u1", "VEC4", CORNERS),
    "joints": ([[0, 1, 0, 0]] * 3, "<u1", "VEC4", CORNERS),
    "weights": ([[0.5, 0.5, 0, 0]] * 3, "<f4", "VEC4", CORNERS),
    "indices": ([0, 1, 2], "<u2", "SCALAR", INDICES),
    "bones": ([np.eye(4).flatten().tolist()] * 2, "<f4", "MAT4", None),
    "times": ([0, 1], "<f4", "SCALAR", None),
    "turns": ([[0, 0, 0, 1]] * 2, "<f4", "VEC4", None),
    "moves": ([[0, 0, 0]] * 2, "<f4", "VEC3", None),
    "morphs": ([0, 1], "<f4", "SCALAR", None),
    "deltas": ([[0, 0, 0.5]] * 3, "<f4", "VEC3", CORNERS),
    "lines": (TRIANGLE, "<f4", "VEC3", CORNERS),
    "sparse": (TRIANGLE, "<f4", "VEC3", CORNERS),
    "where": ([1], "<u2", "SCALAR", None),
    "what": ([[2, 0, 0]], "<f4", "VEC3", None),
}
"""The last two are the parts of the sparse accessor."""
N = {name: number for number, name in enumerate(ARRAYS)}
BOUNDED = ("positions", "times", "deltas", "lines", "sparse")
CLEARCOAT = {
    "clearcoatFactor": 0.5,
    "clearcoatTexture": {"index": 0},
    "clearcoatNormalTexture": {"index": 0, "scale": 1},
}
LOOKS: dict[str, Any] = {
    "KHR_materials_clearcoat": CLEARCOAT,
    "KHR_materials_emissive_strength": {"emissiveStrength": 2},
    "KHR_materials_ior": {"ior": 1.4},
    "KHR_materials_specular": {"specularFactor": 0.5, "specularColorFactor": [1, 1, 1]},
    "KHR_materials_transmission": {"transmissionFactor": 0.4},
    "KHR_materials_volume": {"thicknessFactor": 0.2, "attenuationDistance": 3, "attenuationColor": [1, 1, 1]},
    "KHR_materials_sheen": {"sheenColorFactor": [0.1, 0.1, 0.1], "sheenRoughnessFactor": 0.4},
    "KHR_materials_iridescence": {"iridescenceFactor": 0.3, "iridescenceIor": 1.3},
    "KHR_materials_anisotropy": {"anisotropyStrength": 0.3, "anisotropyRotation": 0.2},
}
OTHERS = ("KHR_lights_punctual", "KHR_texture_transform", "KHR_materials_unlit", "KHR_materials_variants")


def arrays() -> tuple[bytes, list[Document], list[Document]]:
    """Return the buffer, the views and the accessors."""
    whole, views, accessors = b"", [], []
    for name, (values, kind, form, target) in ARRAYS.items():
        table = np.array(values, kind)
        whole += b"\0" * (-len(whole) % 4)
        view: Document = {"buffer": 0, "byteOffset": len(whole), "byteLength": table.nbytes}
        views.append(view if target is None else view | {"target": target})
        whole += table.tobytes()
        accessor: Document = {
            "bufferView": len(views) - 1,
            "componentType": CODES[kind],
            "count": len(table),
            "type": form,
        }
        if name in BOUNDED:
            flat = table.reshape(len(table), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        accessors.append(accessor)
    accessors[N["colours"]]["normalized"] = True
    parts = {"indices": {"bufferView": N["where"], "componentType": 5123}, "values": {"bufferView": N["what"]}}
    accessors[N["sparse"]] |= {"max": [2, 1, 0], "sparse": {"count": 1, **parts}}
    return whole, views, accessors[: N["where"]]


def rich() -> Document:
    whole, views, accessors = arrays()
    picture = BytesIO()
    Image.new("RGB", (2, 2), (255, 0, 0)).save(picture, "PNG")
    pixels = picture.getvalue()
    whole += b"\0" * (-len(whole) % 4)
    views.append({"buffer": 0, "byteOffset": len(whole), "byteLength": len(pixels)})
    whole += pixels
    placed = {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0, 0], "scale": [1, 1], "rotation": 0}}}
    skinned = {
        "attributes": {
            "POSITION": N["positions"],
            "NORMAL": N["normals"],
            "TANGENT": N["tangents"],
            "TEXCOORD_0": N["places"],
            "COLOR_0": N["colours"],
            "JOINTS_0": N["joints"],
            "WEIGHTS_0": N["weights"],
        },
        "indices": N["indices"],
        "material": 0,
        "targets": [{"POSITION": N["deltas"]}],
        "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}},
    }
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 5, 6, 7]}, {"nodes": [8]}],
        "extensionsUsed": [*LOOKS, *OTHERS],
        "extensions": {
            "KHR_lights_punctual": {
                "lights": [
                    {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.5}, "color": [1, 1, 1]},
                    {"type": "point", "intensity": 2, "range": 5},
                ]
            },
            "KHR_materials_variants": {"variants": [{"name": "v"}]},
        },
        "nodes": [
            {"name": "root", "children": [1, 2, 3]},
            {"name": "skinned", "mesh": 0, "skin": 0, "weights": [0.5]},
            {"name": "bone", "children": [4]},
            {"name": "eye", "camera": 0},
            {"name": "end", "translation": [0, 0, 1], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]},
            {"name": "set", "mesh": 2, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]},
            {"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"name": "lines", "mesh": 1},
            {"name": "second", "camera": 1},
        ],
        "meshes": [
            {"primitives": [skinned], "weights": [0.1]},
            {"primitives": [{"attributes": {"POSITION": N["lines"]}, "mode": 0}]},
            {"primitives": [{"attributes": {"POSITION": N["sparse"]}}]},
        ],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 1, 1, 1],
                    "metallicFactor": 0,
                    "roughnessFactor": 1,
                    "baseColorTexture": placed,
                    "metallicRoughnessTexture": {"index": 0},
                },
                "normalTexture": {"index": 0, "scale": 1},
                "occlusionTexture": {"index": 0, "strength": 0.5},
                "emissiveTexture": {"index": 0},
                "emissiveFactor": [1, 0, 0],
                "alphaMode": "MASK",
                "alphaCutoff": 0.4,
                "extensions": LOOKS,
            },
            {"name": "flat", "extensions": {"KHR_materials_unlit": {}}, "doubleSided": True},
        ],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}],
        "images": [
            {"uri": "data:image/png;base64," + base64.b64encode(pixels).decode()},
            {"bufferView": len(views) - 1, "mimeType": "image/png"},
        ],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071}],
        "cameras": [
            {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 10, "aspectRatio": 1.5}},
            {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 10}},
        ],
        "skins": [{"joints": [2, 4], "inverseBindMatrices": N["bones"], "skeleton": 2}],
        "animations": [
            {
                "samplers": [
                    {"input": N["times"], "output": N["turns"]},
                    {"input": N["times"], "output": N["moves"], "interpolation": "STEP"},
                    {"input": N["times"], "output": N["morphs"]},
                ],
                "channels": [
                    {"sampler": 0, "target": {"node": 4, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 4, "path": "translation"}},
                    {"sampler": 2, "target": {"node": 1, "path": "weights"}},
                ],
            }
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [
            {
                "byteLength": len(whole),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(whole).decode(),
            }
        ],
    }
