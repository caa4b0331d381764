"""What others have changed in a document of ours: poses, triangles and colours count as the scene has them now.

Everything else that was changed is told, and does not count: the graph has no field that it could go to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.inside import LOOKS
from converters.context import Context
from converters.gltf.accessors import Accessors
from converters.gltf.drawn import position, same
from converters.gltf.geometry import moments, unit_of
from converters.gltf.layout import KIND, NAME, Values
from converters.gltf.looks import base_colour
from converters.gltf.marks import Leaf, Tree
from converters.gltf.surfaces import Surfaces
from converters.gltf.whole import BYTES, TREE, Inside, stood
from converters.posing import AS_DRAWN
from converters.source.json import Node
from ir.kinematics import configuration, placement
from ir.names import unique
from ir.pose import compose, invert
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Asset, Body, DofKind, Geom, Joint, Keyframe, Material, Mesh, Pose, Role, Source

ALIKE = 1e-4
"""Share of the extent within which triangles are the same."""
SHADE = 1 / 510
"""Half a step of eight bits: colours within it are the same."""
RULE = "gltf/edited"
FEW = 12
"""Parts that a note names one by one."""
SHAPES = ("meshes", "accessors", "bufferViews", "buffers", BYTES)
"""Sections that say what triangles there are."""


class _Editor(Struct):
    """The scene, and what the document shows. explained: items of the document of which notes speak."""

    scene: Scene
    inside: Inside
    root: Node
    tree: Tree
    surfaces: Surfaces
    context: Context
    assets: dict[str, Asset] = field(default_factory=dict)
    """Meshes inside the document that geoms now show, by their place in it."""
    explained: set[str] = field(default_factory=set)
    values: Values = field(default_factory=dict)
    """Coordinates of all dofs that the nodes show; one that was written as several stands at its rest."""
    touching: bool = False
    """Whether anything is there of what is not seen: some tools drop the second scene as a whole."""

    drawn: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Coordinates of dofs along which bodies were moved."""
    stood: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Those that the keyframe AS_DRAWN gives already."""
    looks: dict[str, Node] = field(default_factory=dict)
    """Materials of the document by name."""

    def __post_init__(self) -> None:
        dofs = self.scene.dofs()
        stored = {name: value for name, value in self.inside.values.items() if name in dofs}
        self.values = configuration(self.scene, stored)
        drawn = self.scene.tables["keyframe"].get(AS_DRAWN)
        self.stood = dict(drawn.positions) if drawn is not None else {}
        self.looks = {node.text("name") or "": node for node in reversed(self.root.children("materials"))}
        self.touching = any(leaf.kind == "geom" and leaf.role not in Role.SEEN for leaf in self.tree.leaves.values())

    def tell(
        self, where: str, before: str, after: str, reason: str, *parts: Node | str, action: str = "derived"
    ) -> None:
        """Note an edit; parts are what of the document it explains."""
        nodes = [part for part in parts if isinstance(part, Node)]
        self.explained |= {part.pointer.removeprefix("/") if isinstance(part, Node) else part for part in parts}
        source = nodes[0].source if nodes else None
        self.context.note(RULE, where, before=before, after=after, reason=reason, action=action, source=source)


def edited(
    scene: Scene,
    inside: Inside,
    root: Node,
    tree: Tree,
    buffers: Sequence[memoryview],
    changed: Sequence[str],
    context: Context,
) -> Scene:
    """The scene of the graph inside with the poses, triangles and colours of the document; notes say what differs."""
    editor = _Editor(scene, inside, root, tree, Surfaces(root, Accessors(root, buffers), context), context)
    joints = [_joint(editor, joint) for joint in scene.joints.values()]
    materials = [_material(editor, material) for material in scene.materials.values()]
    bodies = _bodies(editor)
    tables: dict[str, list[Any]] = {
        "material": materials,
        "asset": [*scene.assets.values(), *editor.assets.values()],
    }
    if editor.drawn:
        frames = scene.tables["keyframe"]
        frame = frames.get(AS_DRAWN, Keyframe(name=AS_DRAWN))
        given, dofs = editor.stood | editor.drawn, scene.dofs()
        leading = {name: value for name, value in given.items() if name in dofs and dofs[name][1].mimic is None}
        now = configuration(scene, leading)
        frame = replace(frame, positions=tuple((name, now[name]) for name in given if name in dofs))
        tables["keyframe"] = [*({**frames, AS_DRAWN: frame}).values()]
    for part in changed:
        _renamed(editor, part)
    made = scene.evolve(joints=joints, bodies=bodies, tables=tables)
    told = editor.explained
    others = [part for part in changed if part not in told and not (part.partition("/")[0] in SHAPES and BYTES in told)]
    reason = "was changed since; poses, motions, triangles and colours are as they are there now, nothing else counts"
    before = _listed(others)
    for source in dict.fromkeys(_place(root, part) for part in others):
        context.note(RULE, "scene", before=before, reason=reason, action="dropped", source=source)
    return made


def _renamed(editor: _Editor, part: str) -> None:
    """Tell of a node that is called otherwise and is the same in all else."""
    section, _, index = part.partition("/")
    nodes = editor.root.children("nodes")
    if section != "nodes" or not index or int(index) >= len(nodes):
        return
    node = nodes[int(index)]
    extras = node.members.get("extras")
    name = extras.get(NAME) if isinstance(extras, dict) else None
    if isinstance(name, str) and stood(node.members | {"name": name}, section, int(index), editor.inside.digests):
        reason = "the node was renamed: names are those of the graph inside"
        where = f"{extras.get(KIND)}/{name}" if isinstance(extras, dict) else "scene"
        editor.tell(where, name, str(node.members.get("name", "")), reason, node, action="dropped")


def _listed(parts: Sequence[str]) -> str:
    """Parts by name, or how many of each section."""
    if len(parts) <= FEW:
        return ", ".join(parts)
    counts = Counter(part.partition("/")[0] for part in parts)
    return ", ".join(f"{count} {section}" for section, count in counts.items())


def _place(root: Node, part: str) -> Source:
    """Where what a part names is in the document, or was."""
    name, _, index = part.partition("/")
    section = {TREE: "nodes", BYTES: "buffers"}.get(name, name)
    items = root.members.get(section)
    if isinstance(items, list) and index and int(index) < len(items) and isinstance(items[int(index)], dict):
        return root.children(section)[int(index)].source
    return root.place(section) if section in root.members else root.source


# ------------------------------------------------------------------------------------------------------------- poses


def _joint(editor: _Editor, joint: Joint) -> Joint:
    tree, values = editor.tree, editor.values
    if (
        joint.closes_loop
        or joint.child not in tree.bodies
        or not (joint.parent in tree.bodies or joint.parent == WORLD)
    ):
        return joint
    parent = tree.bodies.get(joint.parent, IDENTITY)
    found = compose(invert(parent), tree.bodies[joint.child])
    expected = placement(joint, values)
    if same(found, expected):
        return joint
    free = any(dof.kind is DofKind.FREE for dof in joint.dofs)
    turned = position(joint, found, values) if not free or joint.dofs[0].name in editor.stood else None
    if turned is not None:
        editor.drawn |= {dof.name: turned[dof.name] for dof in joint.dofs if dof.mimic is None}
        reason = f"the body was moved as its joint lets it: the keyframe {AS_DRAWN!r} says where it stands"
        editor.tell(f"joint/{joint.name}", _show(expected), _show(found), reason, tree.nodes[joint.child])
        return joint
    pose = found if free else compose(found, invert(placement(replace(joint, pose=IDENTITY), values)))
    editor.tell(
        f"joint/{joint.name}", _show(expected), _show(found), "the node of the body was moved", tree.nodes[joint.child]
    )
    return replace(joint, pose=pose)


def _show(pose: Pose) -> str:
    return " ".join(f"{value:.6g}" for value in (*pose.pos, *pose.rot))


# ---------------------------------------------------------------------------------------------------------- triangles


def _bodies(editor: _Editor) -> list[Body]:
    scene, tree = editor.scene, editor.tree
    missing = [body.name for body in scene.bodies.values() if body.name != WORLD and body.name not in tree.bodies]
    if missing:
        names = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        shown = any(geom.name in editor.inside.measures for name in missing for geom in scene.body(name).geoms)
        stays = "they and all triangles stay" if shown else "they stay"
        reason = f"these bodies have no node any more: {stays} as the graph has them"
        editor.tell("body", names, "", reason, TREE, action="dropped")
        if shown:
            return list(scene.bodies.values())
    taken = {geom.name for body in scene.bodies.values() for geom in body.geoms}
    added: dict[str, list[Geom]] = {}
    empty = 0
    joined = {joint.child for joint in scene.joints.values()}
    root = next((name for name in scene.bodies if name != WORLD and name not in joined), WORLD)
    """The body that stands where the world does when nobody says how: what is put beside it is part of it."""
    for leaf in tree.strangers:
        if leaf.mesh is None:
            empty += 1
            continue
        name = unique(leaf.name or "mesh", taken)
        taken.add(name)
        geom = Geom(name=name, role=Role.VISUAL, shape=_embedded(editor, leaf), pose=leaf.pose)
        onto = leaf.body if leaf.body != WORLD else root
        added.setdefault(onto, []).append(geom)
        reason = f"a node with a mesh was added to the body {onto!r}"
        editor.tell(f"geom/{name}", "", "mesh", reason, leaf.node, TREE, "nodes", *SHAPES)
    if empty:
        reason = "nodes without meshes were added"
        editor.tell("scene", f"{empty} nodes", "", reason, TREE, action="dropped")
    bodies = []
    for body in scene.bodies.values():
        geoms = [kept for geom in body.geoms if (kept := _geom(editor, geom)) is not None]
        bodies.append(replace(body, geoms=(*geoms, *added.get(body.name, ()))))
    return bodies


def _geom(editor: _Editor, geom: Geom) -> Geom | None:
    """The geom as the document shows it; None where its node is gone."""
    leaf = editor.tree.leaves.get(("geom", geom.name))
    where = f"geom/{geom.name}"
    if leaf is None:
        if geom.name in editor.inside.measures and (geom.role in Role.SEEN or editor.touching):
            editor.tell(where, geom.role, "", "the node of the geom was taken out", TREE)
            return None
        return geom
    stored = editor.inside.measures.get(geom.name)
    if stored is None and leaf.mesh is None:
        return geom
    scale = geom.shape.scale if isinstance(geom.shape, Mesh) else unit_of(geom.shape)[1]
    if stored is not None and leaf.mesh is not None:
        found = moments(_pieces(editor, leaf.mesh))
        turned = not same(Pose(rot=leaf.pose.rot), Pose(rot=geom.pose.rot))
        if not turned and _alike(found.at(leaf.pose, leaf.scale), stored):
            return geom
        sizable = isinstance(geom.shape, Mesh)
        if (sizable or leaf.scale == scale) and _alike(found.at(geom.pose, scale), stored):
            editor.tell(where, _show(geom.pose), _show(leaf.pose), "the node of the geom was moved", leaf.node)
            shape = replace(geom.shape, scale=leaf.scale) if isinstance(geom.shape, Mesh) else geom.shape
            return replace(geom, pose=leaf.pose, shape=shape)
    editor.tell(where, type(geom.shape).__name__, "mesh", "the triangles of the geom were changed", leaf.node, *SHAPES)
    return replace(geom, pose=leaf.pose, shape=_embedded(editor, leaf) if leaf.mesh is not None else None)


def _pieces(editor: _Editor, mesh: int) -> list[tuple[Any, Any]]:
    primitives = editor.surfaces.meshes[mesh].children("primitives")
    found = [editor.surfaces.arrays(primitive, f"mesh/{mesh}") for primitive in primitives]
    return [(arrays.positions, arrays.faces) for arrays in found if arrays is not None and len(arrays.faces)]


def _alike(now: Sequence[float], then: Sequence[float]) -> bool:
    """Whether triangles come to the same (geometry.Moments): as many, about the same point, as far from it."""
    if len(now) != len(then) or now[0] != then[0]:
        return False
    extent = max(float(np.sqrt(max(sum(then[4:7]), 0.0))), 1e-9)
    bounds = (extent,) * 3 + (extent**2,) * 6
    return all(abs(a - b) <= ALIKE * bound for a, b, bound in zip(now[1:], then[1:], bounds, strict=True))


def _embedded(editor: _Editor, leaf: Leaf) -> Mesh:
    """The mesh inside the document as an asset."""
    uri = f"{PurePath(editor.context.file).name}#/meshes/{leaf.mesh}"
    if uri not in editor.assets:
        label = editor.root.children("meshes")[leaf.mesh or 0].text("name") or "mesh"
        name = unique(label, {*editor.scene.assets, *(asset.name for asset in editor.assets.values())})
        parameters = ((LOOKS, "own"),)
        editor.assets[uri] = Asset(name=name, uri=uri, file=editor.context.file, parameters=parameters)
    return Mesh(asset=editor.assets[uri].name, scale=leaf.scale)


# ------------------------------------------------------------------------------------------------------------ colours


def _material(editor: _Editor, material: Material) -> Material:
    """The material with the colour that the document gives to its name."""
    node = editor.looks.get(material.name)
    if node is None:
        return material
    rgba = base_colour(node)
    own = material.rgba or (1.0, 1.0, 1.0, 1.0)
    if max(abs(a - min(max(b, 0.0), 1.0)) for a, b in zip(rgba, own, strict=True)) <= SHADE:
        return material
    editor.tell(f"material/{material.name}", str(own), str(rgba), "the colour was changed", node)
    return replace(material, rgba=rgba)
