"""The two ends of a <joint>: which bodies it connects, and where; which joints form the tree."""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from converters.sdf.document.loading import SdfLoading
from converters.sdf.models.frames import Frames, joint_end
from converters.sdf.models.models import Item, Model
from ir.gathering import gathered
from ir.kinematics import rings
from ir.scene import Scene
from ir.scopes import join
from ir.types import WORLD, DofKind, Pose

AXES: dict[str, tuple[DofKind, ...]] = {
    "revolute": (DofKind.HINGE,),
    "continuous": (DofKind.HINGE,),
    "prismatic": (DofKind.SLIDE,),
    "fixed": (),
    "ball": (DofKind.BALL,),
    "universal": (DofKind.HINGE, DofKind.HINGE),
    "revolute2": (DofKind.HINGE, DofKind.HINGE),
    "screw": (DofKind.SCREW,),
    "gearbox": (),
}
"""Type -> the kinds of its degrees of freedom, in order."""


class Link(Struct, frozen=True):
    """A joint of the document with both ends resolved: parent and child body, and the joint frame in the child."""

    model: Model
    name: str
    item: Item
    kind: str
    parent: str
    child: str
    frame: Pose
    vertex: str

    @property
    def path(self) -> str:
        return join(self.model.path, self.name)


def find_ends(model: Model, name: str, item: Item, frames: Frames, loading: SdfLoading) -> Link | None:
    """Resolve the bodies that a joint connects; None, with an error noted, if it connects none."""
    node = item.node
    where = f"joint/{join(model.path, name)}"
    kind = (node.get("type") or "").strip().lower()
    if kind not in AXES:
        known = ", ".join(AXES)
        loading.fault("ATTRIBUTE_INVALID", where, f"{kind!r} is no type of joint; known are {known}", node.source)
        return None
    bodies = {}
    for tag, code in (("parent", "JOINT_PARENT_LINK_INVALID"), ("child", "JOINT_CHILD_LINK_INVALID")):
        named = joint_end(node, tag)
        if not named:
            loading.fault("ELEMENT_MISSING", where, f"the joint has no <{tag}>", node.source)
            return None
        vertex = WORLD if named == WORLD else frames.vertex(model, named, item.base)
        if vertex is None or (tag == "child" and vertex == WORLD):
            reason = f"its {tag} is {named!r}, but " + (
                "the world can only be a parent" if named == WORLD else "there is no such link or frame"
            )
            loading.fault(code, where, reason, node.source, before=named)
            return None
        bodies[tag] = frames.body(vertex)
        if bodies[tag] is None or (tag == "child" and bodies[tag] == WORLD):
            loading.fault(code, where, f"its {tag} {named!r} is attached to no link", node.source, before=named)
            return None
    parent, child = bodies["parent"], bodies["child"]
    assert parent is not None and child is not None
    if parent == child:
        reason = f"both ends of the joint are on {child!r}"
        loading.fault("JOINT_PARENT_SAME_AS_CHILD", where, reason, node.source)
        return None
    vertex = frames.joint_vertex(model, name)
    frame = frames.between(vertex, child)
    if frame is None or frames.pose(parent) is None or frames.pose(child) is None:
        return None
    return Link(model, name, item, kind, parent, child, frame, vertex)


def tree_of(links: list[Link], scene: Scene) -> tuple[dict[str, str], list[str]]:
    """Return the path of the tree joint of each body, and the bodies without a tree joint.

    A breadth-first search from the world, then from the links that are no child, then from the first link of each ring
    that is attached to nothing.
    """
    leaving = gathered((link.parent, link) for link in links)
    children = {link.child for link in links}
    bodies = [name for name in scene.bodies if name != WORLD]
    holding: dict[str, str] = {}
    seen = {WORLD}
    roots = []
    order = {name: place for place, name in enumerate(scene.bodies)}
    closed = rings({link.child: link.parent for link in reversed(links)})
    firsts = sorted((min(ring, key=order.__getitem__) for ring in closed), key=order.__getitem__)
    starts = [WORLD, *(name for name in bodies if name not in children), *firsts, *bodies]
    for start in starts:
        if start != WORLD:
            if start in seen:
                continue
            seen.add(start)
            roots.append(start)
        queue = deque([start])
        while queue:
            for link in leaving.get(queue.popleft(), ()):
                if link.child not in seen:
                    seen.add(link.child)
                    holding[link.child] = link.path
                    queue.append(link.child)
    return holding, sorted(roots, key=order.__getitem__)
