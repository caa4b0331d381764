"""Extensions that a document requires: those that only change the appearance, those that are read, and unknown ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TypeVar

from converters.faults import ToldError
from converters.source.json import JsonObject

T = TypeVar("T")
DRACO = "KHR_draco_mesh_compression"
WEBP = "EXT_texture_webp"
LIGHTS = "KHR_lights_punctual"
TRANSFORM = "KHR_texture_transform"
STRENGTH = "KHR_materials_emissive_strength"
QUANTISED = "KHR_mesh_quantization"
BODIES, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
OMI_BODIES, OMI_SHAPES, OMI_JOINTS = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
PARENT, CHILD = "/parent", "/child"
"""Suffixes of the joint name in the names of the two nodes we write as its frames."""
GLOSSINESS = "KHR_materials_pbrSpecularGlossiness"
INSTANCES = "EXT_mesh_gpu_instancing"
VISIBILITY = "KHR_node_visibility"
MARK = "gltf_version"
"""Notation key that marks a scene read from glTF; its value is the version of the document."""

READ = frozenset(
    {
        DRACO,
        WEBP,
        LIGHTS,
        TRANSFORM,
        STRENGTH,
        GLOSSINESS,
        INSTANCES,
        QUANTISED,
        SHAPES,
        BODIES,
        VISIBILITY,
        OMI_BODIES,
        OMI_SHAPES,
        OMI_JOINTS,
    }
)
"""Extensions that the reader interprets."""
HARMLESS = frozenset(
    {
        "KHR_animation_pointer",
        "KHR_audio_emitter",
        "KHR_interactivity",
        "KHR_node_hoverability",
        "KHR_node_selectability",
        "KHR_texture_basisu",
        "KHR_xmp",
        "KHR_xmp_json_ld",
        "EXT_lights_ies",
        "EXT_lights_image_based",
        "EXT_mesh_features",
        "EXT_mesh_manifold",
        "EXT_structural_metadata",
        "EXT_instance_features",
    }
)
"""Extensions that may be kept unread: geometry and poses do not depend on them."""
LOOKS = ("KHR_materials_", "EXT_materials_", "ADOBE_materials_")
"""Name prefixes of extensions that only define the appearance of a surface."""
HINTS = {
    "EXT_meshopt_compression": "decompress it first: npx @gltf-transform/cli copy IN OUT",
    "KHR_meshopt_compression": "decompress it first: npx @gltf-transform/cli copy IN OUT",
    "MPEG_media": "it streams its data from elsewhere",
}
UPGRADE = "upgrade it first: npx gltf-pipeline -i IN -o OUT"


def check_version(root: JsonObject) -> None:
    """Raise InputError for an unsupported version of glTF."""
    asset = root.child("asset")
    said = asset.members.get("version") if asset is not None else None
    if isinstance(root.members.get("buffers"), dict) and not str(said).startswith("2"):
        raise root.fail("buffers", f"is a table of names, as in glTF 1.0; known are 2.0 and 2.1: {UPGRADE}")
    version = asset.text("version") if asset is not None else None
    if asset is None or version is None:
        return
    least = asset.text("minVersion")
    if re.fullmatch(r"2\.\d+", version) is None or least not in (None, "2.0", "2.1"):
        advice = f": {UPGRADE}" if version.startswith("1.") else ""
        newer = f", at least {least}" if least else ""
        raise asset.fail("version", f"is {version}{newer}; known are 2.0 and 2.1{advice}")


def check_said(root: JsonObject) -> None:
    """Refuse a document that does not declare its version (3.2). Not required of a mesh file."""
    asset = root.child("asset")
    if asset is None or asset.text("version") is None:
        root.refuse("asset", "must contain the version of glTF")


def check_required(root: JsonObject) -> None:
    """Raise an error, naming it, for a required extension that is not known."""
    for key in ("extensionsUsed", "extensionsRequired"):
        names = root.members.get(key)
        if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            root.refuse(key, "must be an array of strings")
            del root.members[key]
    unknown = False
    for name in root.members.get("extensionsRequired") or ():
        if name == DRACO and find_spec("DracoPy") is None:
            message = f"names {DRACO}; install its decoder: pip install 'kinegraph[draco]'"
            root.refuse("extensionsRequired", message, "GLTF-EXTENSION")
            unknown = True
        elif name not in READ and name not in HARMLESS and not name.startswith(LOOKS):
            hint = HINTS.get(name, "the file requires it")
            message = f"names {name}, which is not known here; {hint}"
            root.refuse("extensionsRequired", message, "GLTF-EXTENSION")
            unknown = True
    if unknown:
        raise ToldError("these extensions are not known here")


def extension(node: JsonObject | None, name: str, *keys: str) -> JsonObject | None:
    """Return the object that an extension adds to a node of the document, or, following keys, one nested in it:
    extension(node, BODIES, "joint"). Returns None if node is None or one of them is absent. Raises InputError."""
    if node is None or not isinstance(node.members.get("extensions"), dict):
        return None
    return node.inner("extensions", name, *keys)


def table(root: JsonObject, name: str, key: str) -> list[JsonObject]:
    """Entries of a table that an extension adds to the document; empty if absent: table(root, LIGHTS, "lights")."""
    owner = extension(root, name)
    return owner.children(key) if owner is not None else []


def numbered(items: Sequence[T], number: object) -> T | None:
    """Return the item with this index, or None if it is out of range or not an integer (a boolean is not one)."""
    return items[number] if type(number) is int and 0 <= number < len(items) else None
