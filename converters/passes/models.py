"""One model of several, where the user names it."""

from __future__ import annotations

from converters.context import InputError, Options
from converters.registry import Fits, Load, Loss, Pass
from ir.refs import entities, references
from ir.scene import Scene
from ir.types import WORLD

DELIMITER = "::"


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """Keep the bodies of the model (or below the root body) of that name, and what speaks of them alone.

    Raises InputError for a name that no model and no root has.
    """
    name = options.model
    if name is None or name == scene.name:
        return scene
    kept = {body.name for body in scene.bodies.values() if (body.scope + DELIMITER).startswith(name + DELIMITER)}
    if not kept and any(joint.child == name and joint.parent == WORLD for joint in scene.joints.values()):
        kept = {name}
        for joint, body in scene.walk():
            if joint is not None and joint.parent in kept:
                kept.add(body.name)
    if not kept:
        models = sorted({body.scope.partition(DELIMITER)[0] for body in scene.bodies.values() if body.scope})
        roots = sorted(joint.child for joint in scene.joints.values() if joint.parent == WORLD)
        raise InputError(f"--model {name}: there is no such model; there are {', '.join(models or roots) or 'none'}")
    gone = {body for body in scene.bodies if body not in kept and body != WORLD}
    joints = [joint for joint in scene.joints.values() if joint.child in kept and joint.parent not in gone]
    names = gone | {joint.name for joint in scene.joints.values() if joint not in joints}
    names |= {dof.name for joint in scene.joints.values() if joint.name in names for dof in joint.dofs}
    away = {
        (kind, entity.name)
        for kind, entity in entities(scene)
        if kind not in ("body", "joint") and any(reference.name in names for reference in references(entity))
    }
    return scene.evolve(
        bodies=[body for body in scene.bodies.values() if body.name not in gone],
        joints=joints,
        constraints=[item for item in scene.constraints.values() if ("constraint", item.name) not in away],
        tables={
            kind: [item for item in table.values() if (kind, item.name) not in away]
            for kind, table in scene.tables.items()
        },
    )


PASS = Pass(
    loss=Loss(
        field="body",
        rule="models/chosen",
        reason="another model of the source; one was asked for (--model)",
    ),
    wanted=lambda fits, options: options.model is not None,
    apply=_apply,
    asked=True,
)
