"""The scene that the nodes of a document of ours express without the graph: bodies at poses, and what is attached."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.extensions import TRANSFORM, extension
from converters.gltf.ours import words
from converters.gltf.ours.graph import SECTIONS
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.materials import MAPS, ONCE, PACKED, alpha_of, base_colour, emission
from converters.gltf.scene.views import camera_of, lamp_of, read_camera, read_light
from converters.source.json import JsonObject
from ir.gathering import gathered
from ir.names import unique
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Asset, Body, Camera, Extra, Frame, Geom, Joint, Light, Map, Material, Mesh

COLOUR = "colour"


def mark_as_read(root: JsonObject) -> tuple[Extra, ...]:
    """Mark everything that the writer writes as read; return what others have added."""
    stack: list[tuple[JsonObject, tuple[str, ...]]] = [(root, SECTIONS)]
    while stack:
        node, keys = stack.pop()
        for key in keys:
            node.raw(key)
            inside = node.known.get(key, [])
            stack += [(each, tuple(each.members)) for each in ([inside] if isinstance(inside, JsonObject) else inside)]
    return root.rest()


def native_scene(root: JsonObject, tree: Tree, context: ReaderContext) -> Scene:
    """Return the scene that the document expresses without the graph: bodies at poses, and what is attached to them."""
    scene = Scene(tree.name)
    images = [node.text("name") for node in root.children("textures")]
    for material in root.children("materials"):
        made = _material_of_node(material, scene.materials, images)
        scene.add("material", made)
    meshes = [mesh.text("name") or "mesh" for mesh in root.children("meshes")]
    by_body = gathered((leaf.body, leaf) for leaf in tree.leaves.values())
    for name in (WORLD, *tree.bodies):
        leaves = by_body.get(name, [])
        body = Body(
            name=name,
            geoms=tuple(_geom_of_leaf(leaf, root, meshes, scene, context) for leaf in leaves if leaf.kind == "geom"),
            frames=tuple(
                Frame(name=leaf.name, pose=leaf.pose, extras=words.of_node(leaf.node))
                for leaf in leaves
                if leaf.kind == "frame"
            ),
            cameras=tuple(_camera_of_leaf(leaf, root) for leaf in leaves if leaf.kind == "camera"),
            lights=tuple(_light_of_leaf(leaf, root) for leaf in leaves if leaf.kind == "light"),
            extras=words.of_node(tree.nodes.get(name)),
        )
        if name != WORLD or leaves:
            scene.add_body(body)
    _weld_bodies(scene, tree)
    return scene


def _weld_bodies(scene: Scene, tree: Tree) -> None:
    for name, pose in tree.local.items():
        joint = tree.joints.get(name)
        if joint is not None or pose != IDENTITY or tree.parents[name] != WORLD:
            shown = joint is not None and ("joint", joint) in tree.leaves  # otherwise only extras contain its name
            label = unique(joint if joint is not None and shown else f"weld_{name}", scene.joints)
            scene.add_joint(Joint(name=label, parent=tree.parents[name], child=name, pose=pose))


def _geom_of_leaf(leaf: Leaf, root: JsonObject, meshes: list[str], scene: Scene, context: ReaderContext) -> Geom:
    if leaf.mesh is None:
        return Geom(name=leaf.name, role=leaf.role, shape=None, pose=leaf.pose, extras=words.of_node(leaf.node))
    name = f"{meshes[leaf.mesh]}#{leaf.mesh}"
    if name not in scene.assets:
        scene.add("asset", Asset(name=name, uri=f"#/meshes/{leaf.mesh}", file=context.file))
    primitives = root.children("meshes")[leaf.mesh].children("primitives")
    looks = list(scene.materials)
    look = primitives[0].index("material", len(looks)) if primitives else None
    return Geom(
        name=leaf.name,
        role=leaf.role,
        shape=Mesh(asset=name, scale=leaf.scale),
        pose=leaf.pose,
        material=looks[look] if look is not None else None,
        extras=words.of_node(leaf.node),
    )


def _material_of_node(node: JsonObject, taken: Collection[str], images: Sequence[str | None]) -> Material:
    """Read a material of the document, with a name not in taken. images: the asset that each texture shows, by index
    (None: an image of a mesh file)."""
    pbr = node.child("pbrMetallicRoughness")
    places = [(COLOUR, pbr, "baseColorTexture"), ("orm", pbr, "metallicRoughnessTexture")]
    places += [(role, node, f"{role}Texture") for role in ("normal", "occlusion", "emissive")]
    infos = {role: info for role, holder, key in places if holder is not None and (info := holder.child(key))}
    numbers = {role: info.index("index", len(images)) for role, info in infos.items()}
    shown = {role: name for role, number in numbers.items() if number is not None and (name := images[number])}
    if (packed := shown.pop("orm", None)) is not None:
        together = shown.get("occlusion") == packed
        shown["orm" if together else PACKED] = packed
        shown.pop("occlusion" if together else "", None)
    moved = next((found for info in infos.values() if (found := extension(info, TRANSFORM)) is not None), None)
    scale = moved.vector("scale", 2) if moved is not None else None
    rgba = base_colour(node)
    return Material(
        name=unique(node.text("name") or "material", taken),
        rgba=rgba,
        texture=shown.get(COLOUR),
        emissive=emission(node),
        metallic=_factor(pbr, "metallicFactor"),
        roughness=_factor(pbr, "roughnessFactor"),
        double_sided=node.boolean("doubleSided"),
        maps=tuple(Map(role=role, texture=shown[role]) for role in MAPS if role in shown),
        repeat=(scale[0], scale[1]) if scale is not None else ONCE,
        parameters=alpha_of(node, node.text("alphaMode") or "OPAQUE", rgba[3]),
        extras=words.of_material(node),
    )


def _factor(pbr: JsonObject | None, key: str) -> float | None:
    """A factor of a material; it is 1 if not given (3.9.2)."""
    return pbr.number(key, 1.0) if pbr is not None else 1.0


def _camera_of_leaf(leaf: Leaf, root: JsonObject) -> Camera:
    entry = camera_of(leaf.node, root)
    extras = (*words.of_node(leaf.node), *words.of_entry(entry, leaf.name))
    if entry is None:
        return Camera(name=leaf.name, pose=leaf.pose, extras=extras)
    return replace(read_camera(entry, leaf.name, None, leaf.pose), extras=extras)


def _light_of_leaf(leaf: Leaf, root: JsonObject) -> Light:
    lamp = lamp_of(leaf.node, root)
    extras = (*words.of_node(leaf.node), *words.of_entry(lamp, leaf.name))
    if lamp is None:
        return Light(name=leaf.name, kind="", pose=leaf.pose, extras=extras)
    return replace(read_light(lamp, leaf.name, None, leaf.pose), extras=extras)
