"""What MuJoCo refuses although each word of it is known: long keyframes, ranges that do not grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from converters.validating.model import Breach, Model
from ir.kinematics import size
from ir.scene import Scene
from ir.types import Couple, DofKind


def check(model: Model) -> Iterator[Breach]:
    if model.format != "mjcf":
        return
    documents: list[Any] = [*model.reading.context.documents]
    for document in documents:
        yield from _keyframes(document.root, model.scene)
    yield from _sums(model.scene)
    for joint in model.scene.joints.values():
        kinds = [dof.kind for dof in joint.dofs]
        weights = {DofKind.FREE: 6, DofKind.BALL: 3}
        total = sum(weights.get(kind, 1) for kind in kinds)
        behind = DofKind.BALL in kinds and DofKind.HINGE in kinds[kinds.index(DofKind.BALL) :]
        if total > 6 or behind:
            message = f"{total} degrees of freedom" if total > 6 else "a hinge behind a ball"
            yield Breach(rule="MJCF-DOFS", where=f"joint/{joint.name}", message=message, source=joint.source)


def _sums(scene: Scene) -> Iterator[Breach]:
    """A sum of coordinates, or an equation of two, has no place for a joint that has more than one."""
    dofs = scene.dofs()
    named = [
        (f"tendon/{tendon.name}", point.target, tendon.source)
        for tendon in scene.tables["tendon"].values()
        for point in tendon.points
        if point.kind == "joint"
    ]
    named += [
        (f"constraint/{each.name}", dof, each.source)
        for each in scene.constraints.values()
        if isinstance(each.spec, Couple) and each.spec.of == "dof"
        for dof in (each.spec.first, each.spec.second)
        if dof is not None
    ]
    for where, dof, source in named:
        if dof in dofs and dofs[dof][1].kind in (DofKind.BALL, DofKind.FREE):
            message = f"the joint {dof!r} is neither a hinge nor a slide"
            yield Breach(rule="MJCF-TENDON", where=where, message=message, source=source)


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
