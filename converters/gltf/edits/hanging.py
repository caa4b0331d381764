"""Bodies of ours whose nodes were moved below those of other bodies: these become their parents."""

from __future__ import annotations

from collections.abc import Mapping

from converters.gltf.edits.baseline import POSE, Editor, Explained
from converters.gltf.ours.graph import TREE
from converters.gltf.ours.marks import mark
from ir.types import WORLD, DofKind, Joint


def rehung_bodies(editor: Editor) -> Mapping[str, str]:
    """Return joint -> the new parent of its child, where it has changed; each change is noted.

    Nodes moved to the model itself may have been flattened by a program, and where the node of a parent is gone its
    children move to another one: neither changes the parent. Floating bodies have no parent.
    """
    scene, tree = editor.scene, editor.tree
    held: dict[str, Joint] = {}
    for joint in scene.joints.values():
        now = tree.parents.get(joint.child, WORLD)
        gone = joint.parent != WORLD and joint.parent not in tree.seen
        free = any(dof.kind is DofKind.FREE for dof in joint.dofs)
        if joint.closes_loop or now in (WORLD, joint.parent) or now not in scene.bodies:
            continue
        if joint.child in tree.seen and not gone and not free:
            held[joint.child] = joint
    found = _without_circles(editor, held)
    if found:
        _tell_rehung(editor, found)
    return found


def _without_circles(editor: Editor, held: Mapping[str, Joint]) -> dict[str, str]:
    """Return joint -> the new parent of its child, without those that would form a cycle: where bodies were swapped,
    the new parent of one of them may be unknown."""
    tree, kept = editor.tree, dict(held)
    while kept:
        children: dict[str, list[str]] = {}
        for joint in editor.scene.joints.values():
            if not joint.closes_loop:
                parent = tree.parents[joint.child] if joint.child in kept else joint.parent
                children.setdefault(parent, []).append(joint.child)
        stack = [WORLD, *editor.scene.roots()]
        reached = {*stack}
        while stack:
            below = children.get(stack.pop(), ())
            reached.update(below)
            stack += below
        if kept.keys() <= reached:
            break
        kept = {child: joint for child, joint in kept.items() if child in reached}
    return {joint.name: tree.parents[child] for child, joint in kept.items()}


def _tell_rehung(editor: Editor, found: Mapping[str, str]) -> None:
    scene, roots = editor.scene, {mark(root) for root in editor.tree.roots}
    places: dict[str, list[str]] = {}
    for number, node in enumerate(editor.root.children("nodes")):
        kind, name = mark(node)
        if kind == "body" or (kind, name) in roots:
            places.setdefault(name if kind == "body" else WORLD, []).append(f"{TREE}/{number}")
    reason = "the node of the body was put below another body, which is its parent now"
    for name, body in found.items():
        joint = scene.joints[name]
        parts: list[Explained] = [*places.get(joint.parent, ()), *places.get(body, ())]
        editor.tell(f"joint/{name}", joint.parent, body, reason, (editor.tree.nodes[joint.child], POSE), *parts)
