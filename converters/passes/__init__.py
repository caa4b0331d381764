"""Scene -> scene, chosen by what the target can hold. What a pass changed is computed by comparing, never declared.

base.py       how a robot stands in the world
joints.py     joints that a target cannot hold as they are
compound.py   joints of several axes as chains
loops.py      joints that close loops
followers.py  joints that follow others, by the word of their controllers or by equations
controllers.py  joints that controllers of a simulator drive
welded.py     bodies that are welded to each other, which MuJoCo filters as one
still.py      models that stand still as a whole, bodies that are moved without forces
inertia.py    tensors that are repaired, inertias that are made up
actuators.py  drives of URDF as actuators, and the other way
keys.py       keyframes that are about every joint and actuator
frames.py     frames as links, and links as frames
sensors.py    sensors of force and torque at a site, cameras that are sensors as cameras of bodies
fields.py     the magnetic field of a world that says none, and its time step
contacts.py   who collides with whom
filters.py    groups of bodies that ignore each other
bitmasks.py   bodies that do not, by bits of their geoms
friction.py   how two frictions make one
shapes.py     shapes in the form that a target has
looks.py      looks that a format knows without a word in the document
names.py      names that a target has no room for
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from converters.format import Pass, Ran, Target
from ir.scene import Address, Scene
from ir.types import Entity

if TYPE_CHECKING:
    from ir.diff import Difference


def passes() -> tuple[Pass, ...]:
    """All passes in the order in which they run."""
    from converters.passes import (
        actuators,
        base,
        bitmasks,
        contacts,
        controllers,
        followers,
        frames,
        friction,
        inertia,
        joints,
        keys,
        looks,
        loops,
        names,
        sensors,
        shapes,
        still,
        welded,
    )

    return (
        # placement in the world, and joints that form a tree
        *base.CHOICES,
        base.ASKED,
        still.MOCAP,
        loops.TURNED_ROUND,
        contacts.LOOP_ENDS,
        loops.NO_COORDINATE,
        loops.EQUATIONS,
        joints.NOWHERE,
        joints.FREE,
        joints.COMPOUND,
        joints.LOCKED,
        followers.COUPLED,
        loops.FROM_EQUATIONS,
        *base.OPEN,
        # drives and positions of the remaining joints
        actuators.FROM_TRANSMISSIONS,
        actuators.TO_TRANSMISSIONS,
        controllers.CONTROLLED,
        keys.START,
        keys.FOLLOWED,
        keys.CONTROLLED,
        # masses, from the shapes of the source
        inertia.REPAIR,
        inertia.AXES,
        inertia.HULLS,
        inertia.SOLIDS,
        inertia.FILL,
        # shapes and looks
        shapes.UPRIGHT,
        shapes.SLABS,
        shapes.HALVES,
        shapes.MESHES,
        shapes.HULLS,
        looks.OPAQUE,
        looks.POWER,
        looks.BOUNDED,
        # sensors and frames
        sensors.TURNING,
        sensors.PLACED,
        sensors.SIGN,
        frames.LINKS,
        frames.FRAMES,
        sensors.SEEING,
        sensors.IN_ONE_PLACE,
        # names, once all links and joints exist
        names.SHARED_NAMES,
        # collisions between bodies, by these names
        contacts.ONE_BY_ONE,
        contacts.ADJACENT,
        welded.FREE,
        contacts.SELF_COLLISION,
        contacts.TWISTING,
        friction.RANKED,
        friction.BOTH,
        friction.BOUNDED,
        *bitmasks.PASSES,
        contacts.GAZEBO_BLOCK,
    )


def prepare(
    scene: Scene,
    target: Target,
    interpreting: Iterable[Pass] = (),
    older: Iterable[Pass] = (),
    edited: Iterable[Pass] = (),
) -> tuple[Scene, tuple[Ran, ...]]:
    """The scene as the target can hold it, and what each pass changed on the way.

    interpreting are the passes of the source format, older those for a version of the target, edited those of the
    document in which an edit brought something in its own terms. A scene that belongs to the target already is only
    fitted as far as an edit brought something.
    """
    from ir.brought import limited_to_edits

    steps = []
    mark = target.fits.mark
    own = bool(mark) and mark in scene.notation
    rows = [(each, not each.lacking, True) for each in edited]
    rows += (
        (each, own and not (each.asked or each.lacking), each.added) for each in (*interpreting, *passes(), *older)
    )
    for each, edits_alone, new_alone in rows:
        if not each.wanted(target) or (edits_alone and not scene.brought):
            continue
        changed = each.apply(scene, target)
        if edits_alone and changed is not scene:
            changed = limited_to_edits(scene, changed, new_alone, each.moves)
        if changed is not scene:
            steps.append(_what_a_pass_did(each, scene, changed, each.chosen(target.options)))
            scene = changed
    return scene, tuple(steps)


def _what_a_pass_did(cause: Pass, scene: Scene, changed: Scene, option: str) -> Ran:
    """What a pass changed, and which places of the patch that undoes it belong together, or are choices of the user."""
    from ir.diff import compare, differences
    from ir.patches import grouped, leaves, of_geoms

    patching = cause.moves or cause.whole or cause.each or bool(option)
    made, patch = compare(scene, changed) if patching else (differences(scene, changed), {})
    lost = cause.moves and any(difference.kind == "absent" for difference in made)
    moved = tuple(map(tuple, grouped(leaves(patch), (scene, changed)))) if lost else ()
    places = leaves(patch) if cause.values else ((key,) for key in patch)
    whole = (tuple(places),) if cause.whole else tuple(map(tuple, of_geoms(leaves(patch)) if cause.each else ()))
    chosen = tuple(leaves(patch)) if option else ()
    placed = tuple(_placed(each, scene, changed.origins) for each in made)
    step = Ran(cause=cause, differences=placed, moved=moved, whole=whole, option=option, chosen=chosen)
    return replace(step, choice=compare(changed, scene)[1]) if option else step


def _placed(difference: Difference, scene: Scene, origins: Mapping[Address, tuple[Address, ...]]) -> Difference:
    """The difference, in which what a pass made has the source of what it was made of, unless the pass set one."""
    from ir.addresses import value_at

    made, (kind, name, *inner) = difference.after, difference.path
    if difference.kind != "extra" or not isinstance(made, Entity) or made.source is not None:
        return difference
    whole = (value_at(scene, each[:1]) for each in origins.get((f"{kind}/{name}", *inner), ()))
    source = next((each.source for each in whole if isinstance(each, Entity) and each.source is not None), None)
    return difference if source is None else replace(difference, after=replace(made, source=source))
