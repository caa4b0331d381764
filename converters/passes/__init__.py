"""Scene -> scene, chosen by what the target can hold. What a pass changed is computed by comparing, never declared."""

from __future__ import annotations

from collections.abc import Iterable

from converters.registry import Pass, Step, Target
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
    scene: Scene, target: Target, interpreting: Iterable[Pass] = (), older: Iterable[Pass] = ()
) -> tuple[Scene, tuple[Step, ...]]:
    """The scene as the target can take it, and what each pass changed on the way.

    interpreting are the passes of the source format, older those for a version of the target.
    """
    from ir.diff import compare, differences
    from ir.patches import leaves

    steps = []
    mark = target.fits.mark
    own = bool(mark) and mark in scene.notation  # it is the target's already: nothing to be made to fit
    for each in (*interpreting, *passes(), *older):
        if not each.wanted(target) or (own and not each.asked):
            continue
        changed = each.apply(scene, target)
        if changed is not scene:
            made, patch = compare(scene, changed) if each.moves else (differences(scene, changed), {})
            moved = tuple(leaves(patch)) if any(difference.kind == "absent" for difference in made) else ()
            steps.append(Step(cause=each, differences=tuple(made), moved=moved))
            scene = changed
    return scene, tuple(steps)
