"""Collisions between neighbours: a source that never lets adjacent links collide, and a target that does."""

from __future__ import annotations

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.scene import Scene
from ir.types import WORLD, ContactRule, Role


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    solid = {
        body.name
        for body in scene.bodies.values()
        if any(geom.role in (Role.COLLISION, Role.BOTH) for geom in body.geoms)
    }
    known = {frozenset((rule.first, rule.second)) for rule in scene.tables["contact"].values()}
    fixed = {WORLD}
    rules = []
    for joint, body in scene.walk():
        if joint is None or joint.parent not in fixed:
            continue
        if not joint.dofs:
            fixed.add(body.name)
        elif body.name in solid and joint.parent in solid and joint.parent != WORLD:
            pair = frozenset((joint.parent, body.name))
            if pair not in known:
                name = f"exclude_{joint.parent}_{body.name}"
                rules.append(ContactRule(name=name, first=joint.parent, second=body.name, reason="adjacent"))
    return scene.evolve(tables={"contact": [*scene.tables["contact"].values(), *rules]}) if rules else scene


PASS = Pass(
    loss=Loss(
        field="contact",
        rule="contacts/adjacent",
        reason="adjacent links do not collide in the source; "
        "the target filters parent and child only where the parent can move",
        severity="note",
    ),
    wanted=lambda fits, options: fits.parent_child_collide,
    apply=_apply,
)
