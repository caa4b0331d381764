"""The joints of a document of ours as an engine sees them that reads KHR_physics_rigid_bodies, and nothing of the graph
inside."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from converters.gltf.data.extensions import BODIES, extension, table
from converters.gltf.foreign.limits import turned, ways
from converters.gltf.ours.graph import close
from converters.gltf.ours.marks import Tree
from converters.gltf.writing.physics import attached
from converters.source.json import JsonObject
from ir.scene import Scene
from ir.types import Dof, DofKind, Joint


def drafted(scene: Scene, root: JsonObject, tree: Tree) -> dict[str, Joint]:
    """The joints, by name, that such an engine takes for others, each as it reads them: with the bounds that the
    extension says, and FREE where the extension has no joint of that kind. Those that it reads as the graph has them
    are left out."""
    if BODIES not in root.members.get("extensionsUsed", ()):
        return {}
    entries = table(root, BODIES, "physicsJoints")
    seen = {name: _joint(joint, tree.ties.get(name), entries) for name, joint in scene.joints.items()}
    return {name: joint for name, joint in seen.items() if joint is not scene.joints[name]}


def _joint(joint: Joint, node: JsonObject | None, entries: list[JsonObject]) -> Joint:
    tie = extension(node, BODIES, "joint")
    number = tie.index("joint", len(entries)) if tie is not None else None
    frame = attached(joint.dofs)
    if number is None or frame is None:
        unsaid = node is None and frame is None and joint.dofs[0].kind is not DofKind.FREE
        return replace(joint, dofs=(replace(joint.dofs[0], kind=DofKind.FREE),)) if unsaid else joint
    slides, turns = ways(entries[number])
    dofs = []
    for dof, axis in zip(joint.dofs, frame[1], strict=True):
        way = slides[axis] if dof.kind is DofKind.SLIDE else turned(turns[axis])
        dof = dof if dof.kind is DofKind.BALL else _bounded(dof, way.lower, way.upper)
        hard = dof.stop is None or (dof.lower is None and dof.upper is None)
        dofs.append(dof if hard or dof.stop == way.stop else replace(dof, stop=way.stop))
    same = all(one is other for one, other in zip(dofs, joint.dofs, strict=True))
    return joint if same else replace(joint, dofs=tuple(dofs))


def _bounded(dof: Dof, lower: float | None, upper: float | None) -> Dof:
    """The dof with these bounds, counted from where its frames coincide."""
    bounds: dict[str, Any] = {}
    for key, value, own in (("lower", lower, dof.lower), ("upper", upper, dof.upper)):
        found = None if value is None else value + dof.zero
        if not (found is own is None or (found is not None and own is not None and close(found, own))):
            bounds[key] = found
    return replace(dof, **bounds) if bounds else dof
