"""Documents that this program wrote: what their nodes show, and the graph inside.

The scene that is returned holds what the nodes say; what the graph knows beyond that is carried in it, as in every
other format. A document that nobody touched gives its graph back exactly; gltf.edits says what becomes of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from converters.assets.inside import MARK
from converters.context import Context, InputError, Motion
from converters.gltf import whole
from converters.gltf.accessors import Accessors
from converters.gltf.adopted import adopt
from converters.gltf.called import Names, renamed
from converters.gltf.container import Container
from converters.gltf.drawn import NEAR, same
from converters.gltf.edits import edited
from converters.gltf.extensions import TRANSFORM, extension
from converters.gltf.looks import alpha_of, base_colour, emission
from converters.gltf.marks import Leaf, Tree, expected, tree_of
from converters.gltf.materials import KEPT, MAPS, ONCE
from converters.gltf.meant import written_anew
from converters.gltf.nodes import Linear, Local, affine
from converters.gltf.surfaces import Surfaces
from converters.gltf.views import lamp_of, read_camera, read_light
from converters.gltf.whole import Inside
from converters.source.json import Node
from ir.brought import between
from ir.diff import compare
from ir.grounds import loose
from ir.names import unique
from ir.plain import as_json
from ir.pose import compose
from ir.scene import Scene
from ir.types import (
    IDENTITY,
    WORLD,
    Asset,
    Body,
    Camera,
    Extra,
    Frame,
    Geom,
    Joint,
    Light,
    Map,
    Material,
    Mesh,
    Pose,
    Source,
    Vec3,
)

COLOUR = "colour"


def read(container: Container, blob: str, context: Context) -> Scene:
    """The scene of a document that holds a graph. Raises InputError for a damaged one, and for impossible numbers."""
    document = container.document
    extras = _account(document.root)
    root = Node(document.root.members, document, "")
    """A second cursor: the first one has accounted for everything."""
    try:
        inside = whole.opened(blob) if not context.bare else None
        if inside is not None and not context.written:
            whole.sound(inside.scene)
    except ValueError as error:
        raise _unusable(error, context) from None
    cameras = [address for address, _ in inside.made] if inside is not None else []
    accessors = Accessors(root, container.buffers)
    surfaces = Surfaces(root, accessors, context)
    tree = tree_of(root, accessors, context, expected(inside.scene, cameras) if inside is not None else ({}, {}))
    if inside is not None:
        adopt(tree, inside, surfaces)
    native = _native(root, tree, context)
    native.extras = extras
    if inside is None or context.faults.found:
        return native
    scene = inside.scene.evolve(extras=(*inside.scene.extras, *extras)) if extras else inside.scene
    changed = whole.changes(whole.digests(root.members, container.buffers), inside.digests)
    changed = written_anew(changed, root, container.buffers, inside, context) if changed else []
    names: Names = {}
    if changed:
        try:
            made = root.attempt(edited, scene, inside, root, tree, surfaces, changed, context)
            scene, names = made or (native, names)
        except ValueError as error:  # coordinates that no dof has
            raise _unusable(error, context) from None
    if not context.written and "animations" in root:
        from converters.gltf.motions import motions

        context.motions = root.attempt(motions, root, tree, scene, container.buffers, context) or ()
    if context.faults.found:
        return native
    parts, gone = _parts(scene, root, tree, inside.shifts), _gone(scene, inside, tree, names)
    if names:
        scene, native = renamed(scene, names), renamed(native, names)
        context.motions = [_retracked(each, names.get("joint", {})) for each in context.motions]
    differences, patch = compare(scene, native)
    found: dict[str, object] = {"loose": loose(scene, differences), "parts": parts, "stamps": inside.stamps}
    found |= {"derived": gone} if gone else {}
    if scene is not inside.scene and (edits := between(renamed(inside.scene, names) if names else inside.scene, scene)):
        found["brought"] = edits
    native.carried |= patch | {key: as_json(value) for key, value in found.items()}
    return native


def _gone(scene: Scene, inside: Inside, tree: Tree, names: Names) -> list[tuple[object, ...]]:
    """Cameras that passes made and that have no node any more, with what they were made of: rows of derived."""
    bodies = names.get("body", {})
    return [
        ([(f"body/{bodies.get(body, body)}", *rest)], ends, [""])
        for (place, *rest), ends in inside.made
        if (body := place.removeprefix("body/")) in scene.graph and ("camera", rest[-1]) not in tree.leaves
    ]


def _retracked(motion: Motion, names: Mapping[str, str]) -> Motion:
    """The motion of dofs that have the names of their joints."""
    return replace(motion, tracks={names.get(name, name): track for name, track in motion.tracks.items()})


def _unusable(error: ValueError, context: Context) -> InputError:
    message = f"the graph inside the file cannot be used ({error}); take it out of the extras to read the rest"
    return InputError(message, Source(context.file, 1, "/"))


def _parts(scene: Scene, root: Node, tree: Tree, shifts: Mapping[str, Pose | None]) -> dict[str, tuple[str, str]]:
    """Assets of the graph that the document holds: name -> where inside it, and the matrix that they go through ("":
    none), as assets.inside has them."""
    edited = {name: asset.uri for name, asset in scene.assets.items() if asset.file is not None}
    found = {name: (uri[uri.index(MARK) :], "") for name, uri in edited.items()}
    for name, part in _meshes(scene, tree, shifts):
        found.setdefault(name, part)
    found.update((name, (place, "")) for name, place in _images(scene, root))
    for table in ("images", "meshes"):
        for number, node in enumerate(root.children(table)):
            name = node.text("name") or ""
            if name.startswith(KEPT) and name.removeprefix(KEPT) in scene.assets:
                found[name.removeprefix(KEPT)] = (f"#/{table}/{number}", "")
    return found


def _meshes(scene: Scene, tree: Tree, shifts: Mapping[str, Pose | None]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Mesh files that geoms show whole, from the one of the document that stands where they do."""
    for geom in (geom for body in scene.bodies.values() for geom in body.geoms):
        leaf, shape = tree.leaves.get(("geom", geom.name)), geom.shape
        if leaf is None or leaf.mesh is None or not isinstance(shape, Mesh) or shape.submesh or shape.centred:
            continue
        shift = shifts.get(geom.name, IDENTITY)
        if shift is None:
            continue
        if all(shape.scale):
            yield shape.asset, (f"#/meshes/{leaf.mesh}", _step(leaf, compose(geom.pose, shift), shape.scale))


def _images(scene: Scene, root: Node) -> Iterator[tuple[str, str]]:
    """Images of the graph: what its materials show, and what textures have the name of."""
    textures, images = root.children("textures"), len(root.children("images"))
    sources = [node.index("source", images) for node in textures]
    for node in root.children("materials"):
        material = scene.materials.get(node.text("name") or "")
        pbr = node.child("pbrMetallicRoughness")
        picture = pbr.child("baseColorTexture") if pbr is not None else None
        number = picture.index("index", len(textures)) if picture is not None else None
        image = sources[number] if number is not None else None
        if material is not None and material.texture is not None and image is not None:
            yield material.texture, f"#/images/{image}"
    for node, image in zip(textures, sources, strict=True):
        if (name := node.text("name") or "") in scene.assets and image is not None:
            yield name, f"#/images/{image}"


def _step(leaf: Leaf, pose: Pose, scale: Vec3) -> str:
    """Sixteen numbers: the matrix that leads from the triangles that a node shows to those of the mesh file that a geom
    shows at a pose and a scale. A grid has one, and nodes that other programs have written anew. "": none is needed."""
    if leaf.scale == scale and leaf.linear.matrix is None and same(leaf.pose, pose):
        return ""
    to_file = np.linalg.inv(affine([Local(pose.pos, pose.rot, Linear(scale))]))
    step = to_file @ affine([Local(leaf.pose.pos, leaf.pose.rot, leaf.linear)])
    if np.abs(step[:3, :3] - np.eye(3)).max() <= NEAR and same(leaf.pose, pose):
        return ""
    return " ".join(repr(value) for value in step.ravel().tolist())


def _account(root: Node) -> tuple[Extra, ...]:
    """Everything that the writer writes is read; what others have added is left over."""
    stack: list[tuple[Node, tuple[str, ...]]] = [(root, whole.SECTIONS)]
    while stack:
        node, keys = stack.pop()
        for key in keys:
            node.raw(key)
            inside = node.known.get(key, [])
            stack += [(each, tuple(each.members)) for each in ([inside] if isinstance(inside, Node) else inside)]
    return root.rest()


def _native(root: Node, tree: Tree, context: Context) -> Scene:
    """What the document says to anybody: bodies at poses, and what hangs on them."""
    scene = Scene(tree.name)
    images = [node.text("name") for node in root.children("textures")]
    for material in root.children("materials"):
        made = _material(material, scene.materials, images)
        scene.add("material", made)
    meshes = [mesh.text("name") or "mesh" for mesh in root.children("meshes")]
    by_body: dict[str, list[Leaf]] = {}
    for leaf in tree.leaves.values():
        by_body.setdefault(leaf.body, []).append(leaf)
    for name in (WORLD, *tree.bodies):
        leaves = by_body.get(name, [])
        body = Body(
            name=name,
            geoms=tuple(_geom(leaf, root, meshes, scene, context) for leaf in leaves if leaf.kind == "geom"),
            frames=tuple(Frame(name=leaf.name, pose=leaf.pose) for leaf in leaves if leaf.kind == "frame"),
            cameras=tuple(_camera(leaf, root) for leaf in leaves if leaf.kind == "camera"),
            lights=tuple(_light(leaf, root) for leaf in leaves if leaf.kind == "light"),
        )
        if name != WORLD or leaves:
            scene.add_body(body)
    for name, pose in tree.local.items():
        joint = tree.joints.get(name)
        if joint is not None or pose != IDENTITY or tree.parents[name] != WORLD:
            shown = joint is not None and ("joint", joint) in tree.leaves  # else its name is in extras alone
            label = unique(joint if joint is not None and shown else f"weld_{name}", scene.joints)
            scene.add_joint(Joint(name=label, parent=tree.parents[name], child=name, pose=pose))
    return scene


def _geom(leaf: Leaf, root: Node, meshes: list[str], scene: Scene, context: Context) -> Geom:
    if leaf.mesh is None:
        return Geom(name=leaf.name, role=leaf.role, shape=None, pose=leaf.pose)
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
    )


def _material(node: Node, taken: Collection[str], images: Sequence[str | None]) -> Material:
    """images: the asset that each texture shows, by its number (None: one of a mesh file)."""
    pbr = node.child("pbrMetallicRoughness")
    places = [(COLOUR, pbr, "baseColorTexture"), ("orm", pbr, "metallicRoughnessTexture")]
    places += [(role, node, f"{role}Texture") for role in ("normal", "occlusion", "emissive")]
    infos = {role: info for role, holder, key in places if holder is not None and (info := holder.child(key))}
    numbers = {role: info.index("index", len(images)) for role, info in infos.items()}
    shown = {role: name for role, number in numbers.items() if number is not None and (name := images[number])}
    if "orm" in shown:
        shown.pop("occlusion", None)
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
    )


def _factor(pbr: Node | None, key: str) -> float | None:
    """A factor of a material, which is 1 where the document is silent (3.9.2)."""
    return pbr.number(key, 1.0) if pbr is not None else 1.0


def _camera(leaf: Leaf, root: Node) -> Camera:
    cameras = root.children("cameras")
    number = leaf.node.index("camera", len(cameras))
    if number is None:
        return Camera(name=leaf.name, pose=leaf.pose)
    return read_camera(cameras[number], leaf.name, None, leaf.pose)


def _light(leaf: Leaf, root: Node) -> Light:
    lamp = lamp_of(leaf.node, root)
    if lamp is None:
        return Light(name=leaf.name, kind="", pose=leaf.pose)
    return read_light(lamp, leaf.name, None, leaf.pose)
