"""The nodes of a document by what they say of themselves (README): bodies, leaves, and nodes that say nothing."""

from __future__ import annotations

from msgspec import Struct, field

from converters.context import Context
from converters.gltf.layout import JOINT, KIND, NAME, ROLE
from converters.gltf.nodes import PLAIN, Linear, below, children, forest, indices, local
from converters.source.json import Node
from ir.pose import compose, normalise
from ir.types import IDENTITY, WORLD, Pose, Vec3


class Leaf(Struct, frozen=True):
    """A node below a body (or below the world): where it is in the frame of that body, and what it shows."""

    node: Node
    kind: str
    name: str
    role: str
    body: str
    pose: Pose
    linear: Linear
    mesh: int | None

    @property
    def scale(self) -> Vec3:
        """The factors along the axes of the node; a shear has none (Linear)."""
        return self.linear.scale


class Tree(Struct):
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


class _Place(Struct, frozen=True):
    """Where the walk stands: the body, the pose of it in the model, and what lies between it and the node."""

    body: str
    model: Pose
    between: Pose
    linear: Linear


def tree_of(root: Node, context: Context) -> Tree:
    """The marked tree of all scenes. Refuses nodes that are no forest, and impossible numbers."""
    nodes = root.children("nodes")
    parents = forest(nodes)
    meshes = len(root.children("meshes"))
    tree = Tree()
    seen: set[int] = set()
    for scene in root.children("scenes"):
        tops = [top for top in indices(scene, "nodes", len(nodes)) if top not in seen]
        stack = [(index, _Place(WORLD, IDENTITY, IDENTITY, PLAIN)) for index in reversed(tops)]
        while stack:
            index, place = stack.pop()
            seen.add(index)
            below_it = _visit(nodes[index], place, tree, meshes, context)
            stack += [(child, below_it) for child in reversed(children(nodes, index, parents))]
    return tree


def _visit(node: Node, place: _Place, tree: Tree, meshes: int, context: Context) -> _Place:
    extras = node.child("extras") if isinstance(node.members.get("extras"), dict) else None
    kind = extras.text(KIND) if extras is not None else None
    name = (extras.text(NAME) if extras is not None else None) or ""
    pose, linear = below(place.linear, local(node, f"{kind or 'node'}/{name}", context))
    if kind == "model":
        tree.name = tree.name or name
        return _Place(WORLD, IDENTITY, IDENTITY, linear)
    here = compose(place.between, pose)
    here = Pose(here.pos, normalise(here.rot))
    if kind == "body" and name == WORLD:
        node.refuse("extras", "calls a body `world`, which is what all bodies stand in")
        return _Place(WORLD, place.model, here, linear)
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
        return _Place(name, model, IDENTITY, linear)
    mesh = node.index("mesh", meshes)
    role = (extras.text(ROLE) if extras is not None else None) or ""
    label = name or node.text("name") or ""
    leaf = Leaf(node, kind or "", label, role, place.body, here, linear, mesh)
    if kind is None:
        tree.strangers.append(leaf)
    else:
        tree.leaves.setdefault((kind, name), leaf)
    return _Place(place.body, place.model, here, linear)
