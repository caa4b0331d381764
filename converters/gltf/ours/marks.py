"""The nodes of a document by their marks (README): bodies, leaves, and unmarked nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import BODIES, VISIBILITY, extension
from converters.gltf.scene.layout import JOINT, KIND, NAME, ROLE
from converters.gltf.scene.nodes import (
    PLAIN,
    UP,
    Linear,
    LocalTransform,
    children,
    forest,
    instances,
    local_transform,
    pose_below,
    scene_number,
    scene_roots,
    with_ancestors,
)
from converters.gltf.scene.positions import same_pose
from converters.source.json import JsonObject
from ir.pose import compose, normalise
from ir.scene import Address, Scene
from ir.types import IDENTITY, WORLD, Pose, Role, Vec3


class Leaf(Struct, frozen=True):
    """A node below a body (or the world) and what it shows; pose is in the frame of that body.

    apart: it is in the second scene, which is not displayed. hidden: the node, or its ancestor, that hides it.
    """

    node: JsonObject
    kind: str
    name: str
    role: str
    body: str
    pose: Pose
    linear: Linear
    mesh: int | None
    apart: bool = False
    hidden: JsonObject | None = None

    @property
    def scale(self) -> Vec3:
        """The factors along the axes of the node, without any shear (Linear)."""
        return self.linear.scale


class Tree(Struct):
    """The nodes of a document according to their marks.

    bodies: poses in the world, of the first node of each name; local: the same in the parent body. seen: bodies with a
    node in the displayed scene. again, second: poses in the second scene of bodies that the first one has too, and
    nodes there of geoms that it has too. joints: body -> the joint that holds it; ties: joint -> the node that declares
    it as a physics joint; ends: joint -> its attachment frames. strangers: nodes without marks, and duplicates of
    marked nodes of the same scene.

    roots: the nodes that turn z up to y up; holders: nodes inserted above them; stand: pose of the first of them.
    merged: meshes were merged, or one was cut; whole: all together still show what was shown (edits.matching).
    """

    name: str = ""
    roots: list[JsonObject] = field(default_factory=list)
    holders: list[JsonObject] = field(default_factory=list)
    stand: Pose = IDENTITY
    bodies: dict[str, Pose] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    parents: dict[str, str] = field(default_factory=dict)
    local: dict[str, Pose] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, JsonObject] = field(default_factory=dict)
    ties: dict[str, JsonObject] = field(default_factory=dict)
    ends: dict[str, list[Leaf]] = field(default_factory=dict)
    leaves: dict[tuple[str, str], Leaf] = field(default_factory=dict)
    again: dict[str, Pose] = field(default_factory=dict)
    second: dict[str, Leaf] = field(default_factory=dict)
    strangers: list[Leaf] = field(default_factory=list)
    merged: bool = False
    whole: bool = False


class _Standpoint(Struct, frozen=True):
    """State of the tree walk: the body, its pose in the world, and the transform between it and the node."""

    body: str
    model: Pose
    between: Pose
    linear: Linear
    said: set[tuple[str, str]]
    wanted: dict[tuple[str, str], str]
    apart: bool = False
    hidden: JsonObject | None = None


KINDS = ("model", "body", "geom", "frame", "camera", "light", "collider", "pivot", "joint")
DIGITS = 12
SEVERAL = ("pivot", "joint")
"""Kinds of which several nodes have the same name."""


ENDS = {"joint": ("child", "parent"), "collider": ("collider",)}
"""Suffixes of the names of nodes that declare the physics of a thing."""
Expected = Mapping[tuple[str, str], str]
"""(kind, name) of the nodes of a written scene -> the role of geoms, or the name of what a node of ENDS describes."""


def expected(scene: Scene, made: Iterable[Address]) -> tuple[Expected, Expected]:
    """The marks of the nodes written into the displayed scene, and into the second one. made: cameras that passes
    created from something else."""
    seen = {("model", scene.name or "robot"): ""} | {("camera", address[-1]): "" for address in made}
    apart = dict(seen)
    told = {"joint": [*scene.joints, *scene.constraints], "collider": [geom.name for geom in scene.geoms()]}
    seen |= {(kind, f"{name}/{end}"): name for kind, ends in ENDS.items() for name in told[kind] for end in ends}
    for body in scene.bodies.values():
        both = {("body", body.name): ""} if body.name != WORLD else {}
        seen |= both | {("geom", geom.name): geom.role for geom in body.geoms if geom.seen}
        apart |= both | {("geom", geom.name): geom.role for geom in body.geoms if geom.role != Role.VISUAL}
        for kind, items in (("frame", body.frames), ("camera", body.cameras), ("light", body.lights)):
            seen |= {(kind, item.name): "" for item in items}
    return seen, apart


def tree_of(root: JsonObject, accessors: Accessors, context: ReaderContext, known: tuple[Expected, Expected]) -> Tree:
    """Return the marked tree of all scenes. A node that has lost its marks is identified by its name, if the graph has
    such a thing and no other node claims it. Refuses nodes that do not form a forest, scenes whose nodes are not roots,
    and impossible numbers."""
    nodes = root.children("nodes")
    parents = forest(nodes)
    meshes = len(root.children("meshes"))
    tree = Tree()
    seen: set[int] = set()
    scenes = root.children("scenes")
    scene_number(root, len(scenes))
    for number, scene in enumerate(scenes):
        roots = [index for index in scene_roots(scene, nodes, parents) if index not in seen]
        wanted = dict(known[number > 0])
        below_roots = [*roots] if wanted else []
        for index in below_roots:
            below_roots += children(nodes, index, parents)
            wanted.pop(mark(nodes[index]), None)
        top = _Standpoint(WORLD, IDENTITY, UP, PLAIN, set(), wanted, number > 0)
        stack = [(index, top) for index in reversed(roots)]
        while stack:
            index, place = stack.pop()
            seen.add(index)
            below_it = _put_into_tree(nodes[index], place, tree, meshes, accessors, context)
            stack += [(child, below_it) for child in reversed(children(nodes, index, parents))]
    above = (parents[nodes.index(node)] for node in tree.roots)
    tree.holders = [nodes[number] for number in with_ancestors(above, parents)]
    return tree


def _rounded_pose(pose: Pose) -> Pose:
    """Return a pose without its last digits, which conversions to y up and back introduce."""
    w, x, y, z = (round(value, DIGITS) for value in pose.rot)
    a, b, c = (round(value, DIGITS) for value in pose.pos)
    return Pose((a, b, c), normalise((w, x, y, z)))


def _leaf_of_each_instance(leaf: Leaf, accessors: Accessors, context: ReaderContext) -> list[Leaf]:
    """Return one leaf for each instance of its mesh."""
    several = leaf.node.attempt(instances, leaf.node, accessors, context) if leaf.mesh is not None else None
    found = []
    for each in several or [LocalTransform()]:
        pose, linear = pose_below(leaf.linear, each)
        found.append(replace(leaf, pose=compose(leaf.pose, pose), linear=linear))
    return found


def mark(node: JsonObject) -> tuple[str, str]:
    """Return the kind and name with which a node is marked; ("", "") unless it has both."""
    kind, name = _text_in_extras(node, KIND), _text_in_extras(node, NAME)
    return (kind, name) if kind in KINDS and name else ("", "")


def _text_in_extras(node: JsonObject, key: str) -> str | None:
    """Return a string from the extras of a node."""
    extras = node.child("extras") if isinstance(node.members.get("extras"), dict) else None
    return extras.text(key) if extras is not None else None


def _kind_and_name(node: JsonObject, place: _Standpoint) -> tuple[str, str]:
    """Kind and name of an unmarked node, from its name and content; each expected one is assigned only once."""
    name = node.text("name") or ""
    bare = ("model", "body", "light", "frame", *ENDS)
    kinds = ("geom",) if "mesh" in node else ("camera",) if "camera" in node else bare
    return next(((kind, name) for kind in kinds if (kind, name) in place.wanted), ("", ""))


def _put_into_tree(
    node: JsonObject, place: _Standpoint, tree: Tree, meshes: int, accessors: Accessors, context: ReaderContext
) -> _Standpoint:
    """Put a node into the tree and return the state for its children."""
    said = extension(node, VISIBILITY)
    if place.hidden is None and said is not None and not said.boolean("visible", True):
        place = replace(place, hidden=node)
    kind, name = mark(node)
    lost = None
    if not kind and place.wanted:
        kind, name = _kind_and_name(node, place)
        lost = place.wanted.pop((kind, name), None)
        name, lost = (lost, None) if kind in ENDS and lost is not None else (name, lost)
    pose, linear = pose_below(place.linear, local_transform(node, f"{kind or 'node'}/{name}", context))
    here = compose(place.between, pose)
    here = Pose(here.pos, normalise(here.rot))
    if kind == "model":
        here = IDENTITY if same_pose(here, IDENTITY) else _rounded_pose(here)
        if not tree.roots:
            tree.name, tree.stand = name, here
        tree.roots.append(node)
        return replace(place, body=WORLD, model=IDENTITY, between=here, linear=linear)
    if kind == "body" and name == WORLD:
        node.refuse("extras", "calls a body `world`, which is the name of the world itself")
        return replace(place, body=WORLD, between=here, linear=linear)
    copy = kind not in SEVERAL and (kind, name) in place.said
    place.said.add((kind, name))
    model = compose(place.model, here) if kind == "body" else IDENTITY
    if kind == "body" and (not copy or same_pose(model, tree.bodies[name])):  # merged scenes contain bodies twice
        _add_body(node, name, here, model, place, tree)
        return replace(place, body=name, model=model, between=IDENTITY, linear=linear)
    role = lost if lost is not None else _text_in_extras(node, ROLE) or ""
    label = name if name and not copy else node.text("name") or ""
    leaf = Leaf(
        node, kind, label, role, place.body, here, linear, node.index("mesh", meshes), place.apart, place.hidden
    )
    if not kind or copy:
        known = tree.leaves.get((kind, name)) if role == Role.BOTH else None
        both = copy and known is not None and known.body == leaf.body and same_pose(known.pose, here)
        tree.strangers += () if both else _leaf_of_each_instance(leaf, accessors, context)
    else:
        _add_leaf(leaf, name, tree)
    return replace(place, between=here, linear=linear)


def _add_leaf(leaf: Leaf, name: str, tree: Tree) -> None:
    first = tree.leaves.setdefault((leaf.kind, name), leaf)
    if first is not leaf and leaf.apart and leaf.kind == "geom":
        tree.second[name] = leaf
    if leaf.kind == "joint":
        tree.ends.setdefault(name, []).append(leaf)
    if leaf.kind == "joint" and extension(leaf.node, BODIES) is not None:
        tree.ties.setdefault(name, leaf.node)


def _add_body(node: JsonObject, name: str, here: Pose, model: Pose, place: _Standpoint, tree: Tree) -> None:
    """Add a body, here in the frame of its parent, model in the world; the first node of a name takes precedence."""
    if not place.apart:
        tree.seen.add(name)
    if name in tree.bodies:
        if place.apart:
            tree.again[name] = model
        return
    tree.bodies[name] = model
    tree.parents[name] = place.body
    tree.local[name] = here
    tree.nodes[name] = node
    joint = _text_in_extras(node, JOINT)
    if joint is not None:
        tree.joints[name] = joint
