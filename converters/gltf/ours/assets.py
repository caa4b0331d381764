"""The assets of the embedded graph as stored in a document of ours."""

from __future__ import annotations

from collections.abc import Iterator

from converters.assets.inside import BYTES, FILE, MARK
from converters.gltf.ours.graph import KEPT, Inside
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.nodes import Linear, LocalTransform, affine_matrix
from converters.gltf.scene.positions import NEAR, same_pose
from converters.source.json import JsonObject
from ir.arrays import np
from ir.pose import compose
from ir.scene import Scene
from ir.types import IDENTITY, Geom, Mesh, Pose, Vec3

OWN = "own"
"""The part shows its own looks, those of the mesh file it was made from."""


InnerPart = tuple[str, ...]
"""Location inside the document, the matrix to apply ("": none), and whose looks it has ("": those of the graph), as in
assets.inside; FILE follows if the bytes of the file are embedded, too."""


def parts_of(scene: Scene, root: JsonObject, tree: Tree, inside: Inside) -> dict[str, InnerPart]:
    """Assets of the graph that the document contains: name -> location.

    A mesh shown with the looks of its file represents that file; any other, or one that only collides, its triangles.
    """
    edited = {name: asset.uri for name, asset in scene.assets.items() if asset.file is not None}
    found: dict[str, InnerPart] = {name: (uri[uri.index(MARK) :], "", OWN) for name, uri in edited.items()}
    meshes = sorted(_mesh_files(scene, tree, inside), key=lambda each: each[1][2] != OWN)
    for name, part in meshes:
        found.setdefault(name, part)
    found.update((name, (place, "", "")) for name, place in _images_of_graph(scene, root))
    for table in ("images", "meshes"):
        for number, node in enumerate(root.children(table)):
            name = node.text("name") or ""
            if name.startswith(KEPT) and name.removeprefix(KEPT) in scene.assets:
                found[name.removeprefix(KEPT)] = (f"#/{table}/{number}", "", OWN)
    for name in inside.files:
        if name in scene.assets:
            found[name] = (*found.get(name, (f"{BYTES}{name}", "", OWN)), FILE)
    return found


def _mesh_files(scene: Scene, tree: Tree, inside: Inside) -> Iterator[tuple[str, InnerPart]]:
    """Yield the mesh files that geoms show as a whole, with the document mesh that shows them."""
    for geom in scene.geoms():
        leaf, shape = tree.leaves.get(("geom", geom.name)), geom.shape
        if leaf is None or leaf.mesh is None or not isinstance(shape, Mesh) or shape.submesh or shape.centred:
            continue
        shift = inside.shifts.get(geom.name, IDENTITY)
        if shift is None:
            continue
        if all(shape.scale):
            step = _matrix_text(leaf, compose(geom.pose, shift), shape.scale)
            yield shape.asset, (f"#/meshes/{leaf.mesh}", step, _looks_written(geom, inside))


def _looks_written(geom: Geom, inside: Inside) -> str:
    """Whose looks a geom was written with: OWN for those of its mesh file."""
    if inside.worn is None:
        return OWN
    dyes = map(inside.dyes.get, inside.worn.get(geom.name, ()))
    return OWN if any(dye is not None and dye.of is None for dye in dyes) else ""


def _images_of_graph(scene: Scene, root: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the images of the graph: those that its materials show, and those of textures that have their name."""
    textures, images = root.children("textures"), len(root.children("images"))
    sources = [node.index("source", images) for node in textures]
    for node in root.children("materials"):
        material = scene.materials.get(node.text("name") or "")
        picture = node.inner("pbrMetallicRoughness", "baseColorTexture")
        number = picture.index("index", len(textures)) if picture is not None else None
        image = sources[number] if number is not None else None
        if material is not None and material.texture is not None and image is not None:
            yield material.texture, f"#/images/{image}"
    for node, image in zip(textures, sources, strict=True):
        if (name := node.text("name") or "") in scene.assets and image is not None:
            yield name, f"#/images/{image}"


def _matrix_text(leaf: Leaf, pose: Pose, scale: Vec3) -> str:
    """Sixteen numbers: the matrix from the triangles that a node shows to those of the mesh file that a geom shows at a
    pose and a scale. Quantised meshes and nodes rewritten by other programs have one. "": none is needed."""
    if leaf.scale == scale and leaf.linear.matrix is None and same_pose(leaf.pose, pose):
        return ""
    to_file = np.linalg.inv(affine_matrix([LocalTransform(pose.pos, pose.rot, Linear(scale))]))
    step = to_file @ affine_matrix([LocalTransform(leaf.pose.pos, leaf.pose.rot, leaf.linear)])
    if np.abs(step[:3, :3] - np.eye(3)).max() <= NEAR and same_pose(leaf.pose, pose):
        return ""
    return " ".join(repr(value) for value in step.ravel().tolist())
