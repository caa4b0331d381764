"""Scene -> scene, chosen by what the target can hold. What a pass changed is computed by comparing, never declared."""

from __future__ import annotations

from collections.abc import Iterable

from converters.context import Options
from converters.registry import Fits, Load, Pass, Step
from ir.scene import Scene


def passes() -> tuple[Pass, ...]:
    """All passes in the order in which they run."""
    from converters.passes import (
        actuators,
        base,
        cameras,
        contacts,
        couples,
        frames,
        inertia,
        joints,
        keys,
        kinematic,
        loops,
        names,
        sensors,
        shapes,
    )

    return (
        base.PASS,
        kinematic.HELD,
        loops.TURNED,
        loops.EQUATIONS,
        joints.FREE,
        joints.COMPOUND,
        joints.LOCKED,
        couples.PASS,
        loops.JOINTS,
        actuators.PASS,
        actuators.NAMED,
        keys.START,
        keys.FOLLOWED,
        inertia.REPAIR,
        inertia.HULLS,
        inertia.FILL,
        shapes.UPRIGHT,
        shapes.SLABS,
        shapes.HALVES,
        shapes.MESHES,
        joints.OPEN,
        sensors.TURNING,
        sensors.PLACED,
        frames.LINKS,
        frames.FRAMES,
        cameras.PASS,
        names.PASS,
        contacts.ALONE,
        contacts.PASS,
        contacts.APART,
        contacts.TWISTING,
        contacts.BLOCK,
    )


def prepare(
    scene: Scene,
    interpreting: Iterable[Pass],
    fits: Fits,
    options: Options,
    load: Load,
    older: Iterable[Pass] = (),
) -> tuple[Scene, tuple[Step, ...]]:
    """The scene as the target can take it, and what each pass changed on the way.

    interpreting are the passes of the source format, older those for a version of the target.
    """
    from ir.diff import compare, differences
    from ir.patches import leaves

    steps = []
    own = bool(fits.mark) and fits.mark in scene.notation  # it is the target's already: nothing to be made to fit
    for each in (*interpreting, *passes(), *older):
        if not each.wanted(fits, options) or (own and not each.asked):
            continue
        changed = each.apply(scene, fits, options, load)
        if changed is not scene:
            made, patch = compare(scene, changed) if each.moves else (differences(scene, changed), {})
            moved = tuple(leaves(patch)) if any(difference.kind == "absent" for difference in made) else ()
            steps.append(Step(loss=each.loss, differences=tuple(made), moved=moved))
            scene = changed
    return scene, tuple(steps)
