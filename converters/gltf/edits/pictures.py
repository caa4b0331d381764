"""Images that others have put on what a document of ours shows, changed, or taken off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec.structs import replace

from converters.assets.stamps import stamp
from converters.context import InputError
from converters.gltf.data.extensions import TRANSFORM, extension
from converters.gltf.edits.baseline import Editor
from converters.gltf.ours.graph import part_of
from converters.gltf.scene.materials import ONCE, image_bytes
from converters.source.json import JsonObject
from ir.types import Map, Material

PBR = "pbrMetallicRoughness"
PICTURES = ("textures", "images", "samplers")
SHOWING = ("source", "bytes", "mimeType")
"""Members of textures and of images that say what is shown."""
REFERRED = (("image", "source"), ("sampler", "sampler"))
"""Tables that textures refer to, and by which member."""
MAPS = ("normal", "occlusion", "emissive")
"""Images beside that of the colour, by the role that they have in the graph."""


def painted(editor: Editor, material: Material, node: JsonObject) -> Material:
    """The material with the images that a node of the document shows, where they are not those that were written."""
    infos = dict(_infos(node))
    colour = infos.pop("colour", None)
    if colour is not None:
        texture = _texture(editor, material.texture, colour, material.name)
        if texture != material.texture:
            material = replace(material, texture=texture, repeat=_repeat(colour))
    elif material.texture is not None and editor.differs(node, f"{PBR}/baseColorTexture"):
        material = replace(material, texture=None)
    known = {each.role: each for each in material.maps}
    packed = "orm" in known or "orm" in infos
    for role, info in infos.items():
        if role in known or role not in MAPS or (role == "occlusion" and packed):
            continue
        added = _texture(editor, None, info, material.name)
        if added is not None:
            material = replace(material, maps=(*material.maps, Map(role=role, texture=added)))
    return material


def shown(node: JsonObject, root: JsonObject) -> list[JsonObject]:
    """The textures of a material, with their images and samplers."""
    found: dict[str, JsonObject] = {}
    for _, info in _infos(node):
        for texture in _item(root, "textures", info.members.get("index")):
            parts = (_item(root, f"{key}s", texture.members.get(word)) for key, word in REFERRED)
            found |= {each.pointer: each for each in (texture, *chain.from_iterable(parts))}
    return [*found.values()]


def _item(root: JsonObject, table: str, number: Any) -> list[JsonObject]:
    """The item of this number; nothing where there is none."""
    items = root.children(table)
    return [items[number]] if type(number) is int and 0 <= number < len(items) else []


def _infos(node: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Each image that a material refers to, by what it is for."""
    pbr = node.child("pbrMetallicRoughness")
    places = [("colour", pbr, "baseColorTexture"), ("orm", pbr, "metallicRoughnessTexture")]
    for role, holder, key in [*places, *((role, node, f"{role}Texture") for role in MAPS)]:
        info = holder.child(key) if holder is not None else None
        if info is not None:
            yield role, info


def _texture(editor: Editor, then: str | None, info: JsonObject, material: str) -> str | None:
    """The asset of an image; then: the one that was written in its place."""
    textures, images = editor.root.children("textures"), editor.root.children("images")
    number = info.index("index", len(textures))
    source = textures[number].index("source", len(images)) if number is not None else None
    if number is None or source is None:
        return then
    if then is not None:
        name = textures[number].text("name") or images[source].text("name")
        there = name if name in editor.scene.tables["asset"] else then
        old = part_of(images[source]) not in editor.changed
        if old and part_of(textures[number]) not in editor.changed:
            return there
        if (known := _known(editor, then, source)) is not None:
            editor.explained |= {f"{part_of(images[source])}/{member}" for member in SHOWING}
            return known
        if old:
            return there
    added: str | None = info.attempt(editor.palette.texture, info, f"material/{material}")
    return added or then


def _known(editor: Editor, then: str, source: int) -> str | None:
    """The asset whose file an image of the document is, first the one that was written there: programs that save a
    document call it otherwise, and textures may show another one."""
    try:
        now = stamp(image_bytes(editor.root, editor.palette.accessors, source, editor.context))
    except InputError:
        return None
    return next((name for name in (then, *editor.scene.assets) if editor.inside.stamps.get(name) == now), None)


def _repeat(info: JsonObject) -> tuple[float, float]:
    """How often the image stands side by side."""
    moved = extension(info, TRANSFORM)
    across, down = (moved.vector("scale", 2) if moved is not None else None) or ONCE
    return across, down
