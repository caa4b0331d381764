"""Edited looks in a document of ours: other colours, other materials, and images that were added, changed, or
removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from converters.assets.stamps import stamp
from converters.context import InputError
from converters.gltf.data.extensions import STRENGTH, TRANSFORM, extension, numbered
from converters.gltf.edits.baseline import Editor, Explained
from converters.gltf.ours.graph import nearly_equal, part_of
from converters.gltf.ours.marks import Leaf
from converters.gltf.scene.materials import ONCE, alpha_of, base_colour, emission, image_bytes
from converters.gltf.writing.materials import silence_of
from converters.source.json import JsonObject
from ir.names import unique
from ir.types import WHITE, Geom, Map, Material, Role, Vec4

SHADE = 1 / 510
"""Half a step of eight bits: the tolerance for equal colours."""
PBR, ALPHA = "pbrMetallicRoughness", ("alphaMode", "alphaCutoff")
LOOK = {
    "rgba": (f"{PBR}/baseColorFactor", "alphaMode"),
    "texture": (f"{PBR}/baseColorTexture", "alphaMode"),
    "maps": ("normalTexture", "occlusionTexture", "emissiveTexture"),
    "repeat": (f"{PBR}/baseColorTexture",),
    "emissive": ("emissiveFactor", f"extensions/{STRENGTH}"),
    "metallic": (f"{PBR}/metallicFactor",),
    "roughness": (f"{PBR}/roughnessFactor",),
    "double_sided": ("doubleSided",),
    "parameters": ALPHA,
}
"""Fields that are read of materials, and the members that define them."""


def edited_colours(editor: Editor, material: Material) -> Material:
    """Return the material with the changes that the document made to the one of the same name."""
    node = editor.materials.get(material.name)
    if node is None or material.name in editor.inside.dyes:
        return material
    pictures = textures_of(node, editor.root)
    if not any(part_of(each) in editor.changed for each in (node, *pictures)):
        return material
    then = editor.inside.looks.get(material.name, material)
    now = with_images(
        editor, _material_as_shown(editor, then, node, editor.transparencies.get(material.name, 0.0)), node
    )
    names = _differing_fields(then, now)
    if not names:
        return material
    made = replace(material, **{name: getattr(now, name) for name in names})
    before, after = _field_texts(names, material, made)
    reason = "the colour was changed" if names == ["rgba"] else "the look was changed"
    parts = _explained_images(editor, pictures) if {"texture", "maps"} & {*names} else []
    editor.tell(f"material/{material.name}", before, after, reason, (node, _members_saying(names)), *parts)
    return made


def _members_saying(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(member for name in names for member in LOOK[name])


def _explained_images(editor: Editor, nodes: Sequence[JsonObject]) -> list[Explained]:
    """Return the changes that a note on images explains: new items, and the images that textures show."""
    return [*PICTURES, *(node if editor.is_new(node) else (node, SHOWING) for node in nodes)]


def _differing_fields(a: Material, b: Material) -> list[str]:
    """Return the fields of the look in which two materials differ."""
    return [name for name in LOOK if getattr(a, name) != getattr(b, name)]


def _field_texts(names: Sequence[str], *looks: Material) -> list[str]:
    """Return a text for each material with the values of these fields."""
    return [", ".join(f"{name}: {getattr(each, name)}" for name in names) for each in looks]


# --------------------------------------------------------------------------------------------------- other materials


def edited_look(editor: Editor, geom: Geom, leaf: Leaf, mesh: int) -> tuple[Geom, ...]:
    """Return the geom with the material that the pieces of its mesh have now, if they were written with another one."""
    if editor.inside.worn is None:
        return (geom,)
    given, pieces = _materials_of_pieces(editor, mesh)
    names = ["" if node is None else editor.material_name(node) for node in given]
    then = editor.inside.worn.get(geom.name) or [geom.material or ""]
    if len(then) != len(given):  # one look for all, or pieces were joined or cut
        then = [name if name in then else then[0] for name in names]
    others = [number for number, name in enumerate(then) if not _looks_as_written(editor, name, given[number])]
    if not others:
        return (geom,)
    part = f"meshes/{mesh}"
    nodes = {node.pointer: node for node in given if node is not None}.values()
    parts: list[Explained] = [(given[number] or pieces[number], ()) for number in others]  # nodes giving the new look
    parts += [node if editor.is_new(node) else (node, _explained_members(editor, node)) for node in nodes]
    parts += [(leaf.node, ("mesh",)), f"{part}/primitives/material", "materials"]
    parts += [part] if part in editor.changed and editor.is_new(editor.surfaces.meshes[mesh]) else []
    pictures = [each for node in nodes for each in textures_of(node, editor.root)]
    parts += _explained_images(editor, pictures) if pictures else []
    worn = [_material_in_graph(editor, node, piece) for node, piece in zip(given, pieces, strict=True)]
    before, after = ", ".join(dict.fromkeys(then)), ", ".join(dict.fromkeys(names))
    if any(dye is not None and dye.of is None for dye in map(editor.inside.dyes.get, then)) or len({*worn}) > 1:
        reason = "materials of its mesh were changed: the mesh of the document is used, in pieces if these differ"
        made = _geoms_of_pieces(editor, geom, leaf, mesh, worn)
    else:
        reason = "another material was given to the geom"
        ((name, clear),) = {*worn}
        made = (replace(geom, material=name, transparency=clear),)
        own = _written_look(editor, then[others[0]])
        if before == after and own is not None and name is not None:
            looks = own, editor.palette.scene.materials[name]
            if before in editor.inside.dyes:
                reason = "the look of something without a material of its own was changed: now it has one"
            before, after = _field_texts(_differing_fields(*looks), *looks)
    if made != (geom,):
        editor.tell(f"geom/{geom.name}", before, after, reason, *parts)
    return made


def _explained_members(editor: Editor, node: JsonObject) -> tuple[str, ...]:
    """Return the members explained for a material of the document that is not in the graph."""
    name = editor.material_name(node)
    known = name in editor.scene.materials and node is editor.materials.get(name)
    return () if known else _members_saying(LOOK)


def added_geoms(editor: Editor, leaf: Leaf, mesh: int, name: str) -> tuple[Geom, ...]:
    """Return an added mesh as one or more geoms, the first with this name: each piece with the material it has."""
    given, pieces = _materials_of_pieces(editor, mesh)
    worn = [_material_in_graph(editor, node, piece) for node, piece in zip(given, pieces, strict=True)]
    for material, _ in dict.fromkeys(worn):
        if material is not None and material not in editor.scene.materials:
            rgba = editor.palette.scene.materials[material].rgba
            editor.tell(f"material/{material}", "", f"rgba: {rgba}", f"a material of what was added, {name!r}")
    geom = Geom(name=name, role=Role.COLLISION if leaf.apart else Role.VISUAL, shape=None, pose=leaf.pose)
    return _geoms_of_pieces(editor, geom, leaf, mesh, worn)


def _materials_of_pieces(editor: Editor, mesh: int) -> tuple[list[JsonObject | None], list[JsonObject]]:
    """Return the materials of the pieces of a mesh (None for a piece without one), and the pieces."""
    materials, pieces = editor.root.children("materials"), editor.surfaces.meshes[mesh].children("primitives")
    numbers = [piece.index("material", len(materials)) for piece in pieces]
    return [None if number is None else materials[number] for number in numbers], pieces


def _geoms_of_pieces(
    editor: Editor, geom: Geom, leaf: Leaf, mesh: int, worn: Sequence[tuple[str | None, float]]
) -> tuple[Geom, ...]:
    """Return a geom that shows a mesh of the document, or one geom for each of its pieces, as each has one material.

    A geom that collides is not split: its mesh keeps its own looks.
    """
    part = f"meshes/{mesh}"
    editor.geom_names.add(geom.name)
    primitives = editor.surfaces.meshes[mesh].children("primitives")
    arrays = (editor.surfaces.arrays(each, part) for each in primitives)
    showing = [number for number, each in enumerate(arrays) if each is not None and len(each.faces)]
    if not showing:
        return ()
    worn = [worn[number] for number in showing]
    if len({*worn}) > 1 and geom.role != Role.VISUAL:
        return (replace(geom, pose=leaf.pose, shape=editor.embedded(leaf, part, looks=True)),)
    parts = [part] if len({*worn}) == 1 else [f"{part}/primitives/{number}" for number in showing]
    made = []
    for number, (place, (name, clear)) in enumerate(zip(parts, worn, strict=False)):
        own = (
            geom if not number else replace(geom, name=unique(geom.name, editor.geom_names), label=geom.label and None)
        )
        editor.geom_names.add(own.name)
        shape = editor.embedded(leaf, place)
        made.append(replace(own, pose=leaf.pose, shape=shape, material=name, transparency=clear))
    return tuple(made)


def _written_look(editor: Editor, name: str) -> Material | None:
    """Return the material of this name as it was written."""
    dye = editor.inside.dyes.get(name)
    own = editor.inside.looks.get(name) or editor.scene.materials.get(name)
    return dye.look if dye is not None else own


def _looks_as_written(editor: Editor, name: str, node: JsonObject | None) -> bool:
    """Whether a piece that was written with the material of this name still has this look. Changed colours of a graph
    material do not matter, because the graph takes them from the document."""
    dye, then = editor.inside.dyes.get(name), _written_look(editor, name)
    if node is None or then is None:
        return node is None and not name
    if node is editor.materials.get(name) and (dye is None or part_of(node) not in editor.changed):
        return True
    clear = editor.transparencies.get(name, 0.0) if dye is None else 0.0
    return (
        _has_colour_image(node) == (then.texture is not None) and _material_as_shown(editor, then, node, clear) == then
    )


def _material_in_graph(editor: Editor, node: JsonObject | None, piece: JsonObject) -> tuple[str | None, float]:
    """Return the graph material for a material node of the document, and the transparency of the geom that has it; a
    material that is not in the graph is added."""
    name = "" if node is None else editor.material_name(node)
    if node is None or node is not editor.materials.get(name):
        return editor.palette.of(piece), 0.0
    dye = editor.inside.dyes.get(name)
    if dye is None:
        known = name in editor.scene.materials
        return (name, editor.transparencies.get(name, 0.0)) if known else (editor.palette.of(piece), 0.0)
    if dye.look.texture == "" or _has_colour_image(node) != (dye.look.texture is not None):
        return editor.palette.of(piece), 0.0
    made = _material_as_shown(editor, dye.look, node, 0.0)
    if dye.of in editor.scene.materials and dye.of and made == dye.look:
        whole = (editor.scene.materials[dye.of].rgba or (1.0,))[-1]
        return dye.of, 1.0 - (made.rgba or (1.0,))[-1] / whole if whole else 0.0
    if name not in editor.added_materials:
        editor.added_materials[name] = unique(name, editor.palette.scene.materials)
        editor.palette.scene.add("material", replace(made, name=editor.added_materials[name]))
    return editor.added_materials[name], 0.0


def _has_colour_image(node: JsonObject) -> bool:
    return "baseColorTexture" in (node.child("pbrMetallicRoughness") or node)


# ------------------------------------------------------------------------------------------------------------ colours


def _material_as_shown(editor: Editor, material: Material, node: JsonObject, clear: float) -> Material:
    """Return the material as a node of the document shows it, where that differs from what was written; clear is the
    transparency of the geoms that have it."""
    made = replace(material, rgba=_colour_as_shown(material, node, clear), emissive=_emission_as_shown(material, node))
    pbr = node.child("pbrMetallicRoughness") or JsonObject({}, node.document, node.pointer)
    imaged, plain = "metallicRoughnessTexture" in pbr, silence_of(editor.scene)
    for key, given, silent in (
        ("metallic", material.metallic, 1.0 if imaged else plain.metallic),
        ("roughness", material.roughness, 1.0 if imaged else plain.roughness),
    ):
        factor = pbr.number(f"{key}Factor", 1.0)
        if not nearly_equal(factor, min(max(silent if given is None else given, 0.0), 1.0)):
            made = replace(made, **{key: factor})
    masked = alpha_of(node, "MASK", 1.0) if node.text("alphaMode") == "MASK" else ()
    if masked or any(item == ("alphaMode", "MASK") for item in material.parameters):
        rest = tuple(item for item in material.parameters if not item[0].startswith("alpha"))
        if {*rest, *masked} != {*material.parameters}:
            made = replace(made, parameters=rest + masked)
    if editor.differs(node, "doubleSided"):
        made = replace(made, double_sided=node.boolean("doubleSided"))
    return made


def _colour_as_shown(material: Material, node: JsonObject, clear: float) -> Vec4 | None:
    """Return the colour, its alpha without the transparency of the geoms."""
    red, green, blue, alpha = base_colour(node)
    own = material.rgba or WHITE
    if abs(alpha - min(max(own[3] * (1.0 - clear), 0.0), 1.0)) <= SHADE:
        alpha = own[3]
    elif clear < 1.0:
        alpha = min(alpha / (1.0 - clear), 1.0)
    return material.rgba if _same_colour((red, green, blue, alpha), own) else (red, green, blue, alpha)


def _emission_as_shown(material: Material, node: JsonObject) -> Vec4 | None:
    own = material.emissive or (0.0, 0.0, 0.0, 1.0)
    silent = (1.0, 1.0, 1.0) if "emissiveTexture" in node and material.emissive is None else own[:3]
    glow = emission(node) or (0.0, 0.0, 0.0, 1.0)
    if _same_colour(glow[:3], silent):
        return material.emissive
    return (*glow[:3], own[3])


def _same_colour(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether two colours are equal to eight bits."""
    return all(
        abs(x - max(y, 0.0)) <= SHADE or abs(x - min(max(y, 0.0), 1.0)) <= SHADE for x, y in zip(a, b, strict=True)
    )


PBR = "pbrMetallicRoughness"
PICTURES = ("textures", "images", "samplers")
SHOWING = ("source", "bytes", "mimeType")
"""Members of textures and images that determine what is shown."""
REFERRED = (("image", "source"), ("sampler", "sampler"))
"""Tables that textures refer to, and the members that do so."""
MAPS = ("normal", "occlusion", "emissive")
"""Images other than that of the colour, by their role in the graph."""


def with_images(editor: Editor, material: Material, node: JsonObject) -> Material:
    """Return the material with the images that a node of the document shows, where they differ from those written."""
    infos = dict(_texture_infos(node))
    colour = infos.pop("colour", None)
    if colour is not None:
        texture = _texture_asset(editor, material.texture, colour, material.name)
        if texture != material.texture:
            material = replace(material, texture=texture, repeat=_image_repeat(colour))
    elif material.texture is not None and editor.differs(node, f"{PBR}/baseColorTexture"):
        material = replace(material, texture=None)
    known = {each.role: each for each in material.maps}
    packed = "orm" in known or "orm" in infos
    for role, info in infos.items():
        if role in known or role not in MAPS or (role == "occlusion" and packed):
            continue
        added = _texture_asset(editor, None, info, material.name)
        if added is not None:
            material = replace(material, maps=(*material.maps, Map(role=role, texture=added)))
    return material


def textures_of(node: JsonObject, root: JsonObject) -> list[JsonObject]:
    """Return the textures of a material, with their images and samplers."""
    found: dict[str, JsonObject] = {}
    for _, info in _texture_infos(node):
        for texture in _items_numbered(root, "textures", info.members.get("index")):
            parts = (_items_numbered(root, f"{key}s", texture.members.get(word)) for key, word in REFERRED)
            found |= {each.pointer: each for each in (texture, *chain.from_iterable(parts))}
    return [*found.values()]


def _items_numbered(root: JsonObject, table: str, number: Any) -> list[JsonObject]:
    """Return the item with this index in a list; an empty list if there is none."""
    item = numbered(root.children(table), number)
    return [item] if item is not None else []


def _texture_infos(node: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield each texture reference of a material with its role."""
    pbr = node.child("pbrMetallicRoughness")
    places = [("colour", pbr, "baseColorTexture"), ("orm", pbr, "metallicRoughnessTexture")]
    for role, holder, key in [*places, *((role, node, f"{role}Texture") for role in MAPS)]:
        info = holder.child(key) if holder is not None else None
        if info is not None:
            yield role, info


def _texture_asset(editor: Editor, then: str | None, info: JsonObject, material: str) -> str | None:
    """Return the asset of an image; then: the one that was written in its place."""
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
        if (known := _asset_of_image(editor, then, source)) is not None:
            editor.explained |= {f"{part_of(images[source])}/{member}" for member in SHOWING}
            return known
        if old:
            return there
    added: str | None = info.attempt(editor.palette.texture, info, f"material/{material}")
    return added or then


def _asset_of_image(editor: Editor, then: str, source: int) -> str | None:
    """Return the asset whose file an image of the document is, preferably the one that was written there: programs
    rename images when saving, and textures may show another image."""
    try:
        now = stamp(image_bytes(editor.root, editor.palette.accessors, source, editor.context))
    except InputError:
        return None
    return next((name for name in (then, *editor.scene.assets) if editor.inside.stamps.get(name) == now), None)


def _image_repeat(info: JsonObject) -> tuple[float, float]:
    """Return the number of repetitions of the image in each direction."""
    moved = extension(info, TRANSFORM)
    across, down = (moved.vector("scale", 2) if moved is not None else None) or ONCE
    return across, down
