"""The nodes of a document by what they say of themselves (README): bodies, leaves, and nodes that say nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from converters.gltf.layout import JOINT, KIND, NAME, ROLE
from converters.source.json import Node
from ir.pose import compose, from_matrix, normalise
from ir.types import IDENTITY, WORLD, Pose, Quat, Vec3

ONE: Vec3 = (1.0, 1.0, 1.0)
DEEPEST = 100_000
"""Nodes below each other; a cycle is found by it, too."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A node below a body (or below the world): where it is in the frame of that body, and what it shows."""

    node: Node
    kind: str
    name: str
    role: str
    body: str
    pose: Pose
    scale: Vec3
    mesh: int | None


@dataclass(slots=True)
class Tree:
    """bodies: pose in the model, by name, of the first node that says it is that body; local: in the body above.

    joints: names of the joints that hold them. strangers say nothing.
    """

    name: str = ""
    bodies: dict[str, Pose] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    local: dict[str, Pose] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    leaves: dict[tuple[str, str], Leaf] = field(default_factory=dict)
    strangers: list[Leaf] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: the body, the pose of it in the model, and what lies between it and the node."""

    body: str
    model: Pose
    between: Pose
    scale: Vec3


def tree_of(root: Node) -> Tree:
    """The marked tree of all scenes. Raises InputError for nodes that are no forest, and for impossible numbers."""
    nodes = root.children("nodes")
    meshes = len(root.children("meshes"))
    tree = Tree()
    seen: set[int] = set()
    for scene in root.children("scenes"):
        tops = _indices(scene, "nodes", len(nodes))
        stack = [(index, _Place(WORLD, IDENTITY, IDENTITY, ONE)) for index in reversed(tops)]
        while stack:
            index, place = stack.pop()
            if index in seen:
                raise nodes[index].fail(None, "has two parents, or is one of its own")
            seen.add(index)
            below = _visit(nodes[index], place, tree, meshes)
            children = _indices(nodes[index], "children", len(nodes))
            stack += [(child, below) for child in reversed(children)]
    return tree


def _visit(node: Node, place: _Place, tree: Tree, meshes: int) -> _Place:
    pose, scale = transform(node)
    extras = node.child("extras") if isinstance(node.members.get("extras"), dict) else None
    kind = extras.text(KIND) if extras is not None else None
    name = (extras.text(NAME) if extras is not None else None) or ""
    if kind == "model":
        tree.name = tree.name or name
        return _Place(WORLD, IDENTITY, IDENTITY, scale)
    here = compose(place.between, replace(pose, pos=_times(pose.pos, place.scale)))
    here = Pose(here.pos, normalise(here.rot))
    size = _times(place.scale, scale)
    if kind == "body" and name == WORLD:
        raise node.fail("extras", "calls a body `world`, which is what all bodies stand in")
    if kind == "body":
        model = compose(place.model, here)
        if name not in tree.bodies:
            tree.bodies[name] = model
            tree.parents[name] = place.body
            tree.local[name] = here
            tree.nodes[name] = node
            joint = extras.text(JOINT) if extras is not None else None
            if joint is not None:
                tree.joints[name] = joint
        return _Place(name, model, IDENTITY, size)
    mesh = node.index("mesh", meshes)
    role = (extras.text(ROLE) if extras is not None else None) or ""
    leaf = Leaf(node, kind or "", name or node.text("name") or "", role, place.body, here, size, mesh)
    if kind is None:
        tree.strangers.append(leaf)
    else:
        tree.leaves.setdefault((kind, name), leaf)
    return _Place(place.body, place.model, here, size)


def transform(node: Node) -> tuple[Pose, Vec3]:
    """The pose and the scale of a node; what a matrix holds beyond them is lost. Raises InputError."""
    flat = node.vector("matrix", 16)
    if flat is not None:
        return _decomposed(node, flat)
    x, y, z = node.vector("translation", 3) or (0.0, 0.0, 0.0)
    turn = node.vector("rotation", 4) or (0.0, 0.0, 0.0, 1.0)
    a, b, c = node.vector("scale", 3) or ONE
    quaternion: Quat = (turn[3], turn[0], turn[1], turn[2])
    try:
        return Pose((x, y, z), normalise(quaternion)), (a, b, c)
    except ValueError:
        raise node.fail("rotation", "is no rotation") from None


def _decomposed(node: Node, flat: tuple[float, ...]) -> tuple[Pose, Vec3]:
    import numpy as np

    matrix = np.reshape(flat, (4, 4)).T
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if scale.min() <= 0:
        raise node.fail("matrix", "has a direction without length")
    if np.linalg.det(matrix[:3, :3]) < 0:
        scale[0] = -scale[0]
    x, y, z = matrix[:3, 3].tolist()
    a, b, c = scale.tolist()
    return Pose((x, y, z), normalise(from_matrix(matrix[:3, :3] / scale))), (a, b, c)


def _indices(node: Node, key: str, size: int) -> list[int]:
    values = node.raw(key)
    if values is None:
        return []
    if not isinstance(values, list) or not all(type(value) is int and 0 <= value < size for value in values):
        raise node.fail(key, f"must be an array of numbers of nodes, below {size}")
    return list(values)


def _times(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])
