"""Joints of KHR_physics_rigid_bodies added to a document of ours, as joints of the graph.

An added joint whose child has no parent yet becomes a joint of the tree; any other closes a loop, as in a document from
another program (foreign.joints).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from converters.gltf.data.extensions import BODIES, extension, table
from converters.gltf.edits.baseline import Editor
from converters.gltf.foreign.bodies import GltfLoading
from converters.gltf.foreign.joints import BoundTie, Linkage, joint_of
from converters.gltf.foreign.limits import AxisLimit, axis_limits
from converters.gltf.foreign.physics import Rigid, Tie
from converters.gltf.ours.graph import OUTER, RULE, TREE, part_of, section, was_written
from converters.gltf.ours.marks import mark
from converters.posing import AS_DRAWN
from converters.source.json import JsonObject
from converters.source.xml import joined_source
from ir.names import Spares, unique
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Actuator, ContactRule, Joint, Keyframe, Pose

TABLE = "physicsJoints"


class AddedJoints(Struct):
    """Additions: joints, and the drives and pairs of bodies that may touch which come with them. nodes: the nodes of
    the document that declare the joints."""

    joints: list[Joint] = field(default_factory=list)
    actuators: list[Actuator] = field(default_factory=list)
    controls: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    touching: list[tuple[str, str]] = field(default_factory=list)
    nodes: set[str] = field(default_factory=set)

    def add_to(self, made: Scene) -> Scene:
        """Return the scene with all of these."""
        if not self.joints:
            return made
        tables: dict[str, Any] = {"actuator": [*made.tables["actuator"].values(), *self.actuators]}
        contacts = {**made.tables["contact"]}
        for first, second in self.touching:
            name = unique(f"allow_{first}_{second}", contacts)
            contacts[name] = ContactRule(name=name, first=first, second=second, allow=True)
        tables["contact"] = [*contacts.values()]
        if self.controls:
            frames = {**made.tables["keyframe"]}
            drawn = frames.get(AS_DRAWN, Keyframe(name=AS_DRAWN))
            frames[AS_DRAWN] = replace(drawn, controls=(*drawn.controls, *self.controls))
            tables["keyframe"] = [*frames.values()]
        return made.evolve(joints=[*made.joints.values(), *self.joints], tables=tables)


def added_joints(editor: Editor) -> AddedJoints:
    """Return the joints that the document has and the embedded graph does not; notes report each. Raises InputError."""
    found = AddedJoints()
    if extension(editor.root, BODIES) is None:
        return found
    places, linkage = _places_of_nodes(editor), _linkage(editor)
    nodes = editor.root.children("nodes")
    for number, node in enumerate(nodes):
        tied = _new_tie(editor, number, node)
        if tied is None or not tied.other < len(nodes):
            continue
        found.nodes.add(part_of(node))
        edge = _bound_tie(editor, tied, places, node)
        if edge is None:
            continue
        joint = _new_joint(editor, edge, linkage)
        joint = replace(joint, extras=edge.tie.joint.rest())
        found.joints.append(joint)
        what = "closes a loop" if joint.closes_loop else "holds it"
        reason = f"a joint was added between {joint.parent!r} and {joint.child!r}: it {what}"
        _explain_joint(editor, node, edge.tie.joint)
        where, source = f"joint/{joint.name}", joined_source(node.source, edge.tie.joint.source)
        editor.context.note(RULE, where, reason, source, after="joint", action="derived")
    found.actuators = [*linkage.loading.scene.tables["actuator"].values()][len(editor.scene.tables["actuator"]) :]
    found.controls, found.touching = linkage.controls, [*linkage.touching]
    return found


def _linkage(editor: Editor) -> Linkage:
    """Return a Linkage that builds joints as in a foreign document, with names that are unused in the graph."""
    scene = editor.scene
    drives = Scene("").evolve(tables={"actuator": scene.tables["actuator"].values()})
    loading = GltfLoading(editor.root, drives, editor.context, editor.surfaces, editor.palette, Rigid(editor.root))
    return Linkage(loading, loading.rigid, names=Spares(scene.joints), dofs=Spares(scene.dofs()))


def _places_of_nodes(editor: Editor) -> dict[str, tuple[str, Pose]]:
    """Return the body that each node belongs to, and the pose of the node in it."""
    tree = editor.tree
    found = {part_of(node): (WORLD, tree.stand) for node in tree.roots}
    found |= {part_of(node): (name, IDENTITY) for name, node in tree.nodes.items()}
    return found | {part_of(leaf.node): (leaf.body, leaf.pose) for leaf in (*tree.leaves.values(), *tree.strangers)}


def _new_tie(editor: Editor, number: int, node: JsonObject) -> Tie | None:
    """Return the joint that a node declares, if it is new; None for joints of the graph, whose nodes are marked or have
    their old name. Its entry gets its own accounting: members left unread stay with the joint."""
    joint = extension(node, BODIES, "joint")
    known = mark(node)[0] == "joint" or any(node is each for each in editor.tree.ties.values())
    if joint is None or known or part_of(node) not in editor.changed:
        return None
    entries = table(editor.root, BODIES, TABLE)
    index, other = joint.index("joint", len(entries)), joint.members.get("connectedNode")
    if index is None or type(other) is not int:
        return None
    entry = JsonObject(entries[index].members, copy(editor.root.document), entries[index].pointer)
    return Tie(node=number, other=other, joint=entry, collide=joint.boolean("enableCollision"))


def _bound_tie(editor: Editor, tie: Tie, places: dict[str, tuple[str, Pose]], node: JsonObject) -> BoundTie | None:
    """Return the two ends of a joint; None, with a note, if it connects nothing."""
    near, far = places.get(part_of(node)), places.get(f"nodes/{tie.other}")
    slides, turns = axis_limits(tie.joint)
    reason = ""
    if near is None or far is None or not {near[0], far[0]} <= {WORLD, *editor.scene.bodies}:
        reason = "it connects a node that is not in the scene"
    elif near[0] == far[0]:
        reason = "it connects a body to itself"
    elif all(way == AxisLimit() for way in (*slides, *turns)):
        reason = "it restricts no motion"
    if near is None or far is None or reason:
        _explain_joint(editor, node, tie.joint)
        said = f"a joint was added: {reason}"
        editor.context.note(RULE, "scene", said, node.source, before="joint", action="ignored")
        return None
    return BoundTie(tie=tie, parent=near[0], child=far[0], frame_a=near[1], frame_b=far[1], slides=slides, turns=turns)


def _new_joint(editor: Editor, edge: BoundTie, linkage: Linkage) -> Joint:
    scene = editor.scene
    held = {joint.child for joint in (*scene.joints.values(), *linkage.joints) if not joint.closes_loop}
    for child, other, forward in ((edge.child, edge.parent, True), (edge.parent, edge.child, False)):
        if child != WORLD and child not in held and child not in _with_holders(scene, linkage.joints, other):
            joint = joint_of(linkage, edge, child, IDENTITY, forward)
            linkage.joints.append(joint)
            return joint
    forward = edge.child != WORLD
    joint = joint_of(linkage, edge, edge.child if forward else edge.parent, IDENTITY, forward)
    return replace(joint, closes_loop=True)


def _with_holders(scene: Scene, more: Sequence[Joint], name: str) -> set[str]:
    """Return a body and all its ancestors."""
    holders = {joint.child: joint.parent for joint in (*scene.joints.values(), *more) if not joint.closes_loop}
    found = {name}
    while (name := holders.get(name, WORLD)) != WORLD and name not in found:
        found.add(name)
    return found


def _explain_joint(editor: Editor, node: JsonObject, entry: JsonObject) -> None:
    """Mark what an added joint explains: its entry, if new, and its node, or only the joint extension of an existing
    node."""
    part = part_of(entry)
    if not was_written(entry.members, f"{OUTER}{BODIES}/{TABLE}", editor.inside.digests):
        editor.explained |= {section(part), part}
    part = part_of(node)
    if any(leaf.node is node for leaf in editor.tree.strangers):
        editor.explained |= {part, "nodes", TREE}
    else:
        editor.explained.add(f"{part}/extensions/{BODIES}/joint")
