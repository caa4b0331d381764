"""The tree of a scene as nodes: bodies posed by a configuration, and leaves for what is attached to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from pygltflib import Node

from ir.kinematics import forward, motion, placement
from ir.pose import compose, normalise, subtract
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Dof, DofKind, Joint, Pose

UPRIGHT = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)
"""Rotation x y z w from z up to y up (3.4: glTF is y up)."""
KIND, NAME, ROLE, JOINT = "kinegraph_kind", "kinegraph_name", "kinegraph_role", "kinegraph_joint"
"""Members of extras with which a node is marked (README)."""

Values = Mapping[str, tuple[float, ...]]


class Moving(Struct):
    """A node that moves with a joint: its pose while the dofs that move it are at their zero, and these.

    pose None: it has the pose of the body in the world.
    """

    node: int
    body: str
    pose: Pose | None = None
    dofs: tuple[Dof, ...] = ()


class Layout(Struct):
    """The nodes of all scenes."""

    nodes: list[Node] = field(default_factory=list)
    moving: list[Moving] = field(default_factory=list)
    """The moving nodes of joints that have dofs, in the displayed tree."""

    def add(self, kind: str, name: str, label: str, pose: Pose, parent: int | None, **members: Any) -> int:
        """Add a marked node below a parent."""
        extras = {KIND: kind, NAME: name} | members.pop("extras", {})
        node = Node(name=label, extras=extras, **members)
        put_pose(node, pose)
        return self.hang(node, parent)

    def hang(self, node: Node, parent: int | None) -> int:
        """Append a node below a parent (None: it is a root) and return its index."""
        self.nodes.append(node)
        number = len(self.nodes) - 1
        if parent is not None:
            self.nodes[parent].children.append(number)
        return number

    def root(self, name: str) -> int:
        """Add the node that turns the model from z up to y up."""
        return self.hang(Node(name=name, rotation=list(UPRIGHT), extras={KIND: "model", NAME: name}), None)

    def tree(
        self,
        scene: Scene,
        values: Values,
        root: int,
        leaves: Callable[[str, int], None],
        only: Collection[str] | None = None,
        split: Collection[str] = (),
        beside: Collection[str] = (),
    ) -> list[Moving]:
        """Add the bodies of a scene below a root node; leaves(body, node) adds to each what is attached to it. Returns
        the moving nodes of joints that have dofs.

        only: bodies to include (None: all). split: joints whose dofs get a node each. beside: bodies placed directly
        below the root, at their pose in the world.
        """
        node_of = {WORLD: root}
        in_world = forward(scene, values) if beside else {}
        moving: list[Moving] = []
        for joint, body in scene.walk():
            if body.name != WORLD:
                if only is not None and body.name not in only:
                    continue
                parent = node_of[joint.parent] if joint is not None else root
                if joint is None:
                    node_of[body.name] = self.add("body", body.name, body.name, IDENTITY, parent)
                else:
                    if body.name in beside:
                        parent = self._body(joint, in_world[body.name], root)
                        steps = [Moving(parent, body.name)]
                    else:
                        parent, steps = self._joint(joint, values, parent, joint.name in split)
                    node_of[body.name] = parent
                    moving += steps
            leaves(body.name, node_of[body.name])
        return moving

    def _body(self, joint: Joint, pose: Pose, parent: int) -> int:
        return self.add("body", joint.child, joint.child, pose, parent, extras={JOINT: joint.name})

    def _joint(self, joint: Joint, values: Values, parent: int, split: bool) -> tuple[int, list[Moving]]:
        body = joint.child
        if not split:
            number = self._body(joint, placement(joint, values), parent)
            return number, [Moving(number, body, joint.pose, joint.dofs)] if joint.dofs else []
        steps = []
        for before, dof in _pivots(joint):
            pose = compose(before, motion(dof, values[dof.name]))
            parent = self.add("pivot", body, f"{dof.name}/pivot", pose, parent)
            steps.append(Moving(parent, body, before, (dof,)))
        x, y, z = joint.dofs[-1].anchor
        return self._body(joint, Pose((-x, -y, -z)), parent), steps


def needs_split(joint: Joint) -> bool:
    """Whether one node cannot show the motion: several dofs, or an axis that does not pass through the origin."""
    turning = [dof for dof in joint.dofs if dof.kind not in (DofKind.SLIDE, DofKind.FREE)]
    return bool(turning) and (len(joint.dofs) > 1 or any(dof.anchor != (0.0, 0.0, 0.0) for dof in turning))


def _pivots(joint: Joint) -> Iterable[tuple[Pose, Dof]]:
    """Yield each dof, about the origin, with the pose of its anchor in the frame that the one before leaves at its own.

    The coordinates of a FREE dof replace the pose of the joint (ir.kinematics).
    """
    pose, at = joint.pose, (0.0, 0.0, 0.0)
    for dof in joint.dofs:
        if dof.kind is DofKind.FREE:
            pose = IDENTITY
        yield compose(pose, Pose(subtract(dof.anchor, at))), replace(dof, anchor=(0.0, 0.0, 0.0))
        pose, at = IDENTITY, dof.anchor


def put_pose(node: Node, pose: Pose) -> None:
    """Write a pose into a node; identity parts are omitted."""
    if pose.pos != (0.0, 0.0, 0.0):
        node.translation = list(pose.pos)
    w, x, y, z = normalise(pose.rot)
    if (x, y, z) != (0.0, 0.0, 0.0):
        node.rotation = [min(max(value, -1.0), 1.0) for value in (x, y, z, w)]


def with_ancestors(scene: Scene, bodies: Iterable[str]) -> set[str]:
    """Return these bodies and all their ancestors below the world."""
    wanted: set[str] = set()
    for name in bodies:
        while name not in wanted and name != WORLD:
            wanted.add(name)
            joint = scene.joint_of(name)
            name = joint.parent if joint is not None else WORLD
    return wanted
