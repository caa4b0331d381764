"""What MuJoCo refuses although each word of it is known: long keyframes, ranges that do not grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from converters.validating.model import Breach, Model
from ir.kinematics import size
from ir.scene import Scene
from ir.types import DofKind


def check(model: Model) -> Iterator[Breach]:
    if model.format != "mjcf":
        return
    documents: list[Any] = [*model.reading.context.documents]
    soft = any("flexcomp" in extra.path for body in model.scene.bodies.values() for extra in body.extras)
    for document in () if soft else documents:  # how many coordinates those have only MuJoCo knows
        yield from _keyframes(document.root, model.scene)
    for joint in model.scene.joints.values():
        kinds = [dof.kind for dof in joint.dofs]
        weights = {DofKind.FREE: 6, DofKind.BALL: 3}
        total = sum(weights.get(kind, 1) for kind in kinds)
        behind = DofKind.BALL in kinds and DofKind.HINGE in kinds[kinds.index(DofKind.BALL) :]
        if total > 6 or behind:
            message = f"{total} degrees of freedom" if total > 6 else "a hinge behind a ball"
            yield Breach(rule="MJCF-DOFS", where=f"joint/{joint.name}", message=message, source=joint.source)


def _keyframes(root: Any, scene: Scene) -> Iterator[Breach]:
    """MuJoCo fills up what is short, and refuses what is long."""
    count = sum(size(dof) for _, dof in scene.dofs().values())
    for section in root.elements():
        for key in section.elements() if section.tag == "keyframe" else ():
            given = len(key.attrs.get("qpos", "").split())
            if given > count:
                message = f"qpos has {given} numbers, the model {count}"
                where = f"keyframe/{key.attrs.get('name', '')}"
                yield Breach(rule="MJCF-KEYFRAME", where=where, message=message, source=key.place("qpos"))
