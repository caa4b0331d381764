"""Apply edits of a document of ours: the poses, triangles and looks of the document take precedence.

So do frames, cameras and lights (views), physics (physics), and glTF-specific extras (worded). Every other change is
noted and ignored, because the graph has no field for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.extensions import BODIES, VISIBILITY
from converters.gltf.edits.baseline import PLACE, POSE, SHAPES, Editor, Explained, hanging_nodes, palette_of
from converters.gltf.edits.hanging import rehung_bodies
from converters.gltf.edits.matching import triangles_of_mesh
from converters.gltf.edits.materials import added_geoms, edited_colours, edited_look
from converters.gltf.edits.names import renamed_things
from converters.gltf.edits.rest import tell_rest
from converters.gltf.edits.views import VIEWED, VIEWS, ViewEdits, added_views, extras_besides
from converters.gltf.edits.worded import edited_words
from converters.gltf.ours.graph import TREE, Inside, part_of, section
from converters.gltf.ours.marks import Leaf, Tree, mark
from converters.gltf.ours.members import Altered
from converters.gltf.scene.positions import NEAR, pose_text, position, same_pose
from converters.gltf.scene.primitives import Surfaces
from converters.gltf.writing.geometry import moments, same_moments, unit_of
from converters.posing import AS_DRAWN
from converters.source.json import JsonObject
from converters.source.text import six_digits
from ir.arrays import np
from ir.kinematics import configuration, placement
from ir.names import unique
from ir.pose import compose, invert, matrix
from ir.refs import Renames, entities
from ir.removal import without_bodies, without_unshown
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Body, DofKind, Geom, Joint, Keyframe, Mesh, Pose, Vec3


def apply_edits(
    scene: Scene,
    inside: Inside,
    root: JsonObject,
    tree: Tree,
    surfaces: Surfaces,
    changed: Sequence[str],
    altered: Altered,
    context: ReaderContext,
) -> tuple[Scene, Renames]:
    """Return the scene of the embedded graph with the poses, triangles and colours of the document, and the renamed
    things (names); notes report the differences."""
    graph, out = scene, _removed_bodies(scene, inside, tree)
    scene = without_bodies(graph, out) if out else graph
    palette = palette_of(scene, root, context, surfaces)
    editor = Editor(scene, inside, root, tree, surfaces, context, {*changed}, altered, palette)
    if out:
        _tell_removed(editor, graph)
    _tell_moved_roots(editor)
    elsewhere = rehung_bodies(editor)
    joints = [
        _joint_as_shown(editor, joint, elsewhere.get(joint.name, joint.parent)) for joint in scene.joints.values()
    ]
    materials = [edited_colours(editor, material) for material in scene.materials.values()]
    cameras = [each for each in inside.made if each[0][0].removeprefix("body/") in scene.bodies]
    from converters.gltf.edits.ties import added_joints

    tied = added_joints(editor)
    views = ViewEdits(editor, cameras)
    views.added()
    bodies = _bodies_as_shown(editor, tied.nodes)
    more = editor.palette.scene
    tables: dict[str, list[Any]] = {
        "material": [*materials, *(each for each in more.materials.values() if each.name not in scene.materials)],
        "asset": [*more.assets.values()],
    }
    if editor.moved:
        tables["keyframe"] = _keyframes_as_drawn(editor)
    names = renamed_things(editor)
    bodies, tables["sensor"] = views.bodies(bodies), views.sensors()
    made = tied.add_to(scene.evolve(joints=joints, bodies=bodies, tables=tables))
    if BODIES in (root.members.get("extensionsUsed") or ()):
        from converters.gltf.edits.physics import edited_physics

        made = edited_physics(graph, made, editor)
    made = edited_words(editor, made)
    tell_rest(editor, changed)
    seen = without_unshown(graph, made, ("asset",))
    _tell_unused_images(editor, graph, seen)
    return seen, names


def _tell_unused_images(editor: Editor, before: Scene, after: Scene) -> None:
    """Note images that materials of before no longer show, and that nothing in after uses."""
    for name, look in before.materials.items():
        asset = before.image_of(look)
        if asset is not None and asset.name not in after.assets and name in after.materials:
            said = f"material {name!r} shows another image now, or none, and nothing else shows this one"
            editor.tell(f"asset/{asset.name}", asset.uri, "", said, action="dropped")


def _keyframes_as_drawn(editor: Editor) -> list[Keyframe]:
    """Return the keyframes, including the one with the configuration to which bodies were moved."""
    scene = editor.scene
    frames = scene.tables["keyframe"]
    frame = frames.get(AS_DRAWN, Keyframe(name=AS_DRAWN))
    given, dofs = editor.drawn | editor.moved, scene.dofs()
    leading = {name: value for name, value in given.items() if name in dofs and dofs[name][1].mimic is None}
    now = configuration(scene, leading)
    frame = replace(frame, positions=tuple((name, now[name]) for name in given if name in dofs))
    return [*({**frames, AS_DRAWN: frame}).values()]


# ---------------------------------------------------------------------------------------------------- what is gone


def _removed_bodies(scene: Scene, inside: Inside, tree: Tree) -> set[str]:
    """Return the removed bodies: neither they, nor what they showed, nor their descendants have a displayed node.

    Programs remove nodes that show nothing, and merge meshes: bodies that showed nothing are kept, and so are all
    bodies if the owner of some mesh is unknown, or if no body would be left.
    """
    if tree.merged or any(leaf.mesh is not None and not leaf.kind and not leaf.apart for leaf in tree.strangers):
        return set()
    walk = [(joint, body) for joint, body in scene.walk() if body.name != WORLD]
    gone, showing = _without_seen_node(scene, inside, tree, [body for _, body in reversed(walk)])
    out: set[str] = set()
    for joint, body in walk:
        if body.name in gone and (body.name in showing or (joint is not None and joint.parent in out)):
            out.add(body.name)
    return out if len(out) < len(walk) else set()


def _without_seen_node(scene: Scene, inside: Inside, tree: Tree, bodies: Iterable[Body]) -> tuple[set[str], set[str]]:
    """Return the bodies without a node in the displayed scene, on them or below, and those of them that showed
    something, or below which something was shown. bodies: children come before their parents."""
    leaves = {name: leaf for (kind, name), leaf in tree.leaves.items() if kind == "geom"}
    touching = any(leaf.apart for leaf in leaves.values())
    gone: set[str] = set()
    showing: set[str] = set()
    for body in bodies:
        below = {joint.child for joint in scene.child_joints(body.name)}
        seen = (leaves[geom.name] for geom in body.geoms if geom.name in leaves)
        if body.name in tree.seen or below - gone or not all(leaf.apart for leaf in seen):
            continue
        gone.add(body.name)
        lost = (geom for geom in body.geoms if geom.name in inside.measures)
        if below & showing or any(geom.seen or (touching and geom.name not in leaves) for geom in lost):
            showing.add(body.name)
    return gone, showing


def _tell_removed(editor: Editor, graph: Scene) -> None:
    """Note bodies that were removed, and things that are gone or changed without them."""
    nodes: dict[str, list[JsonObject]] = {WORLD: editor.tree.roots}
    for node in editor.root.children("nodes"):
        kind, name = mark(node)
        if kind == "body":
            nodes.setdefault(name, []).append(node)
    then, now = ({(kind, each.name): each for kind, each in entities(scene)} for scene in (graph, editor.scene))
    for (kind, name), entity in then.items():
        left = now.get((kind, name))
        if left is entity or (kind == "joint" and left is None):  # unchanged, or removed with its body
            continue
        if kind == "body":
            joint = graph.joint_of(name)
            holders = nodes.get(WORLD if joint is None else joint.parent, ())
            reason = "the node of the body was taken out, with what it showed"
            editor.tell(f"body/{name}", name, "", reason, *hanging_nodes(*holders), TREE, "nodes")
        elif left is None:
            editor.tell(f"{kind}/{name}", name, "", "it only referred to, or was only shown by, what was taken out")
        else:
            editor.tell(f"{kind}/{name}", name, name, "its references to things that were taken out are gone")


# ------------------------------------------------------------------------------------------------------------- poses


def _tell_moved_roots(editor: Editor) -> None:
    """Note moved roots whose connection to the world is not in the graph."""
    scene, tree = editor.scene, editor.tree
    if tree.stand != IDENTITY:
        editor.explained |= {f"{part_of(node)}/{key}" for node in tree.roots for key in PLACE}
        editor.explained |= {part_of(node) for node in tree.holders}
        scenes = editor.root.children("scenes") if tree.holders else ()
        editor.explained |= {TREE, "nodes", *(f"{part_of(node)}/nodes" for node in scenes)}
    for name in scene.roots():
        pose = tree.bodies.get(name, IDENTITY)
        if not same_pose(pose, IDENTITY):
            node, what = _moved_node(editor, name, WORLD, IDENTITY, pose)
            reason = (
                f"{what}, and it is not known how this root is connected to the world: it stays where the graph has it"
            )
            editor.tell(f"body/{name}", pose_text(IDENTITY), pose_text(pose), reason, (node, POSE), action="dropped")


def _moved_node(editor: Editor, name: str, parent: str, before: Pose, now: Pose) -> tuple[JsonObject, str]:
    """Return the node by which a body was moved in its parent (its own, its parent's, or the root), and the reason."""
    tree = editor.tree
    if parent == WORLD and tree.stand != IDENTITY and same_pose(now, compose(tree.stand, before)):
        return tree.roots[0], "the whole model was moved"
    if parent in tree.nodes and tree.parents.get(name) == WORLD and not editor.touched(tree.nodes[name]):
        return tree.nodes[parent], "the node of its parent body was moved, and its own was not"
    return tree.nodes[name], "the node of the body was moved"


def _joint_as_shown(editor: Editor, joint: Joint, holder: str) -> Joint:
    """Return the joint as the nodes show it; holder: the current parent body (hanging.rehung_bodies)."""
    tree, values = editor.tree, editor.shown_positions
    if joint.closes_loop or joint.child not in tree.bodies or not (holder in tree.bodies or holder == WORLD):
        return joint
    moved = holder != joint.parent
    joint = replace(joint, parent=holder) if moved else joint
    parent = tree.bodies.get(holder, IDENTITY)
    found = compose(invert(parent), tree.bodies[joint.child])
    expected = placement(joint, values)
    if same_pose(found, expected):
        return joint
    node, what = _moved_node(editor, joint.child, joint.parent, expected, found)
    free = any(dof.kind is DofKind.FREE for dof in joint.dofs)
    bound = moved or (free and joint.dofs[0].name not in editor.drawn)
    turned = position(joint, found, values) if not bound else None
    if turned is not None:
        editor.moved |= {dof.name: turned[dof.name] for dof in joint.dofs if dof.mimic is None}
        reason = f"the body was moved as its joint allows: the keyframe {AS_DRAWN!r} has the new position"
        editor.tell(f"joint/{joint.name}", pose_text(expected), pose_text(found), reason, (node, POSE))
        return joint
    pose = found if free else compose(found, invert(placement(replace(joint, pose=IDENTITY), values)))
    editor.tell(f"joint/{joint.name}", pose_text(expected), pose_text(found), what, (node, POSE))
    return replace(joint, pose=pose)


# ---------------------------------------------------------------------------------------------------------- triangles


def _bodies_as_shown(editor: Editor, ties: Collection[str]) -> list[Body]:
    """Return the bodies with what the document shows of their geoms, and with added meshes. ties: nodes that declare an
    added joint."""
    scene = editor.scene
    if _meshes_were_joined(editor) or _missing_bodies_showed(editor):
        _forget_meshes_of_others(editor)
        return list(scene.bodies.values())
    added = _geoms_added_to_bodies(editor, ties)
    kept: dict[str, list[Geom]] = {}
    for body in scene.bodies.values():
        own = kept.setdefault(body.name, [])
        for geom in body.geoms:
            onto = _body_shown_on(editor, body, geom)
            (own if onto == body.name else added.setdefault(onto, [])).extend(
                _clear_where_hidden(editor, geom.name, _geom_as_shown(editor, body, geom, onto))
            )
    return [replace(body, geoms=(*kept[body.name], *added.get(body.name, ()))) for body in scene.bodies.values()]


def _body_shown_on(editor: Editor, body: Body, geom: Geom) -> str:
    """Return the body on which a geom is shown: another one if its node was moved to that body."""
    leaf = editor.tree.leaves.get(("geom", geom.name))
    shown = leaf is not None and leaf.mesh is not None and geom.name in editor.inside.measures
    return leaf.body if leaf is not None and shown and leaf.body in editor.scene.bodies else body.name


def _meshes_were_joined(editor: Editor) -> bool:
    """Whether meshes were merged or cut; this is noted."""
    tree = editor.tree
    if tree.merged:
        whole = "all of them together show the same as before, so they are as they were"
        reason = f"meshes were joined, or cut: {whole if tree.whole else 'they stay as the graph has them'}"
        meshes = [part for part in editor.changed if section(part) == "meshes"]
        action = "derived" if tree.whole else "dropped"
        editor.tell("body", "", "", reason, TREE, "nodes", *SHAPES, *meshes, action=action)
    return tree.merged


def _missing_bodies_showed(editor: Editor) -> bool:
    """Note bodies without a node; return whether they showed something that has no node either."""
    scene, tree = editor.scene, editor.tree
    missing = [body.name for body in scene.bodies.values() if body.name != WORLD and body.name not in tree.bodies]
    if not missing:
        return False
    names = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
    shapes = [geom.name for name in missing for geom in scene.body(name).geoms]
    shown = any(name in editor.inside.measures and ("geom", name) not in tree.leaves for name in shapes)
    held = any(joint.child in tree.bodies for name in missing for joint in scene.child_joints(name))
    why = ", and it is not known what would hold their children" if held else ""
    stays = "they and all triangles stay" if shown else "they stay"
    reason = f"these bodies have no node any more{why}: {stays} as the graph has them"
    editor.tell("body", names, "", reason, TREE, *hanging_nodes(*_nodes_of_holders(editor, missing)), action="dropped")
    return shown


def _geoms_added_to_bodies(editor: Editor, ties: Collection[str]) -> dict[str, list[Geom]]:
    """Return body -> the geoms of meshes added to it. Meshes outside of all bodies are added to the root body."""
    scene = editor.scene
    added: dict[str, list[Geom]] = {}
    empty: list[JsonObject] = []
    held = {joint.child for joint in scene.joints.values()}
    root = next((name for name in scene.bodies if name != WORLD and name not in held), WORLD)
    for leaf in editor.tree.strangers:
        mesh = leaf.mesh
        if mesh is None:
            if part_of(leaf.node) not in editor.explained:
                empty.append(leaf.node)
            continue
        name = unique(leaf.name or "mesh", editor.geom_names)
        onto = leaf.body if leaf.body != WORLD else root
        if onto != leaf.body:
            leaf = replace(leaf, pose=compose(invert(editor.tree.bodies.get(onto, editor.tree.stand)), leaf.pose))
        kinds = added_views(leaf, editor.tree, editor.root)
        told = [each for each, kind in zip(VIEWED, VIEWS, strict=False) if kind in kinds]
        told += [f"extensions/{BODIES}"] if part_of(leaf.node) in ties else []
        geoms = added_geoms(editor, leaf, mesh, name)
        left = extras_besides(leaf.node, told) if geoms else ()
        geoms = tuple(replace(geom, extras=(*geom.extras, *left)) if geom is geoms[0] else geom for geom in geoms)
        added.setdefault(onto, []).extend(geoms)
        reason = f"a node with a mesh was added to the body {onto!r}"
        reason += "" if geoms else ", and none of it is a triangle"
        editor.tell(f"geom/{name}", "", "mesh", reason, leaf.node, TREE, "nodes", *SHAPES)
    for node in empty:
        reason = "a node without a mesh was added"
        editor.tell("scene", node.text("name") or "node", "", reason, node, TREE, "nodes", action="dropped")
    return added


def _forget_meshes_of_others(editor: Editor) -> None:
    """Remove the leaves of geoms whose mesh no longer shows the geom."""
    for (kind, name), leaf in [*editor.tree.leaves.items()]:
        stored = editor.inside.measures.get(name) if kind == "geom" else None
        if stored is not None and leaf.mesh is not None:
            found = moments(triangles_of_mesh(editor.surfaces, leaf.mesh)).at(leaf.pose, leaf.scale)
            if not same_moments(found, stored):
                del editor.tree.leaves[kind, name]


def _place_text(body: str, pose: Pose, scale: Vec3, sides: Sequence[tuple[str, Pose, Vec3]]) -> str:
    """Text for the pose of a geom, with the body and the scale if these differ between the two sides."""
    other = {(each[0], each[2]) for each in sides}
    said = pose_text(pose)
    if len({name for name, _ in other}) > 1:
        said = f"{body}: {said}"
    return f"{said}, scale {six_digits(scale)}" if len({by for _, by in other}) > 1 else said


def _same_turn_and_scale(a: Pose, by: Vec3, b: Pose, times: Vec3) -> bool:
    """Whether two scaled rotations are equal: a mirror in one axis is a half turn and a mirror in another one."""
    away = np.abs(matrix(a.rot) * by - matrix(b.rot) * times).max()
    return bool(away <= NEAR * max(map(abs, times)))


def _nodes_of_holders(editor: Editor, missing: Sequence[str]) -> list[JsonObject]:
    """Return the nodes of the parents of the bodies that have none."""
    joints = [editor.scene.joint_of(name) for name in missing]
    return _nodes_of_bodies(editor, dict.fromkeys(WORLD if joint is None else joint.parent for joint in joints))


def _nodes_of_bodies(editor: Editor, bodies: Collection[str]) -> list[JsonObject]:
    """Return the nodes of bodies; for the world, those of the model."""
    nodes = editor.tree.nodes
    return [*(nodes[name] for name in bodies if name in nodes), *(editor.tree.roots if WORLD in bodies else ())]


def _geom_as_shown(editor: Editor, body: Body, geom: Geom, onto: str) -> tuple[Geom, ...]:
    """Return the geom as the document shows it on that body; nothing if its node is gone."""
    leaf = editor.tree.leaves.get(("geom", geom.name))
    stored = editor.inside.measures.get(geom.name)
    if leaf is None:
        return _without_node(editor, body, geom)
    if leaf.mesh is None:
        if stored is None:
            return (geom,)
    elif stored is not None:
        stands = _geom_where_its_node_stands(editor, body, geom, onto, leaf, stored)
        if stands is not None:
            return edited_look(editor, stands, leaf, leaf.mesh)
    where, before = f"geom/{geom.name}", type(geom.shape).__name__
    shows = leaf.mesh is not None and len(triangles_of_mesh(editor.surfaces, leaf.mesh)) > 0
    reason = f"the triangles of the geom were {'changed' if shows else 'taken out'}"
    mesh = f"meshes/{leaf.mesh}/primitives"
    editor.tell(where, before, "mesh" if shows else "", reason, (leaf.node, (*PLACE, "mesh")), mesh, *SHAPES)
    shape = editor.embedded(leaf, f"meshes/{leaf.mesh}", looks=True) if shows else None
    return (replace(geom, pose=leaf.pose, shape=shape),)


def _clear_where_hidden(editor: Editor, name: str, geoms: tuple[Geom, ...]) -> tuple[Geom, ...]:
    """Return the geoms made of a geom, fully transparent if its node, or an ancestor of it, was hidden."""
    leaf = editor.tree.leaves.get(("geom", name))
    if leaf is None or leaf.hidden is None or not any(geom.seen for geom in geoms):
        return geoms
    reason = "the node of the geom, or one above it, is hidden now"
    clear = f"{max(geom.transparency for geom in geoms):g}"
    editor.tell(f"geom/{name}", clear, "1", reason, (leaf.hidden, (f"extensions/{VISIBILITY}",)))
    return tuple(replace(geom, transparency=1.0) for geom in geoms)


def _without_node(editor: Editor, body: Body, geom: Geom) -> tuple[Geom, ...]:
    """Return nothing if the node of the geom was removed, otherwise the geom."""
    if geom.name not in editor.inside.measures or not (geom.seen or editor.has_colliders):
        return (geom,)
    node = editor.tree.nodes.get(body.name)
    at = [node] if node else editor.tree.roots
    editor.tell(f"geom/{geom.name}", geom.role, "", "the node of the geom was taken out", *hanging_nodes(*at), TREE)
    return ()


def _geom_where_its_node_stands(
    editor: Editor, body: Body, geom: Geom, onto: str, leaf: Leaf, stored: Sequence[float]
) -> Geom | None:
    """Return the geom with the pose and scale of its node; None if its triangles are no longer those that were
    stored."""
    assert leaf.mesh is not None
    scale = geom.shape.scale if isinstance(geom.shape, Mesh) else unit_of(geom.shape)[1]
    found = moments(triangles_of_mesh(editor.surfaces, leaf.mesh))
    shift = editor.inside.shifts.get(geom.name) or IDENTITY
    pose = compose(geom.pose, shift)
    placed = same_moments(found.at(pose, scale), stored)  # otherwise a pass wrote another shape
    turned = placed and not _same_turn_and_scale(leaf.pose, leaf.scale, pose, scale)
    if onto == body.name and not turned and same_moments(found.at(leaf.pose, leaf.scale), stored):
        return geom
    sizable = isinstance(geom.shape, Mesh) and shift == IDENTITY  # a shift holds for one scale only
    if not placed or not (sizable or leaf.scale == scale):
        return None
    sides = ((body.name, pose, scale), (onto, leaf.pose, leaf.scale))
    before, after = (_place_text(*side, sides) for side in sides)
    left: list[Explained] = [*hanging_nodes(*_nodes_of_bodies(editor, [body.name])), TREE] if onto != body.name else []
    reason = f"the node of the geom was {'moved' if onto == body.name else 'put on another body'}"
    editor.tell(f"geom/{geom.name}", before, after, reason, (leaf.node, PLACE), *left)
    sized = replace(geom.shape, scale=leaf.scale) if isinstance(geom.shape, Mesh) else geom.shape
    return replace(geom, pose=compose(leaf.pose, invert(shift)), shape=sized)
