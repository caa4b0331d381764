"""Extensions that a document requires: those that change nothing but looks, those that are read, and the rest."""

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
"""What stands behind the name of a joint in those of the nodes that are its two frames, where we wrote them."""
GLOSSINESS = "KHR_materials_pbrSpecularGlossiness"
INSTANCES = "EXT_mesh_gpu_instancing"
VISIBILITY = "KHR_node_visibility"
MARK = "gltf_version"
"""Key of the notation of a scene that was read from glTF, with the version of the document."""

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
"""What the reader gives a meaning."""
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
"""What may be kept unread: shapes and places stay what they are without it."""
LOOKS = ("KHR_materials_", "EXT_materials_", "ADOBE_materials_")
"""Beginnings of the names of extensions that say how a surface looks and nothing else."""
HINTS = {
    "EXT_meshopt_compression": "decompress it first: npx @gltf-transform/cli copy IN OUT",
    "KHR_meshopt_compression": "decompress it first: npx @gltf-transform/cli copy IN OUT",
    "MPEG_media": "it streams its data from elsewhere",
}


def check_version(root: JsonObject) -> None:
    """Raises InputError for a version of glTF that is not known here."""
    asset = root.child("asset")
    version = asset.text("version") if asset is not None else None
    if asset is None or version is None:
        if isinstance(root.members.get("buffers"), dict):
            raise root.fail("buffers", "is a table of names, as in glTF 1.0; known are 2.0 and 2.1")
        return
    least = asset.text("minVersion")
    if re.fullmatch(r"2\.\d+", version) is None or least not in (None, "2.0", "2.1"):
        raise asset.fail("version", f"is {version}{f', at least {least}' if least else ''}; known are 2.0 and 2.1")


def check_said(root: JsonObject) -> None:
    """Refuses a document that does not say its version (3.2). Of a mesh file nobody asks for it."""
    asset = root.child("asset")
    if asset is None or asset.text("version") is None:
        root.refuse("asset", "must contain the version of glTF")


def check_required(root: JsonObject) -> None:
    """Raises InputError, naming it, for an extension that the document cannot be read without and that is not known."""
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
    """The object that an extension adds to a node of the document, or one inside of that, by keys:
    extension(node, BODIES, "joint"). None where there is no node, or one of them is absent. Raises InputError."""
    if node is None or not isinstance(node.members.get("extensions"), dict):
        return None
    return node.inner("extensions", name, *keys)


def table(root: JsonObject, name: str, key: str) -> list[JsonObject]:
    """Entries of a table that an extension adds to the document, none when absent: table(root, LIGHTS, "lights")."""
    owner = extension(root, name)
    return owner.children(key) if owner is not None else []


def numbered(items: Sequence[T], number: object) -> T | None:
    """The item of this number; None where there is none, or where it is no number: a boolean is none."""
    return items[number] if type(number) is int and 0 <= number < len(items) else None
