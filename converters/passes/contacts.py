"""Which bodies collide, where the rules of source and target differ.

Adjacent links, bodies of one model, geoms without masks, and bodies that collide with no other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from converters.format import Load, Pass, Target
from converters.passes.base import gazebo_block
from ir.brought import was_deleted
from ir.mapping import added, map_bodies, map_geoms
from ir.names import Spares
from ir.scene import Address, Origins, Scene
from ir.types import WORLD, Body, BodyPair, ContactRule, Geom, Scope, Surface


def collides(body: Body) -> bool:
    """Whether anything may collide with it."""
    return any(geom.collides for geom in body.geoms)


EVERY = -1
"""Mask of a geom without one: all bits."""


def both_collide(scene: Scene, pair: Iterable[str]) -> bool:
    """Whether anything may collide with each of two bodies."""
    return all(collides(scene.body(name)) for name in pair)


def masks(geoms: Iterable[Geom]) -> tuple[int, int]:
    """The categories of all these geoms, and all categories with which they collide: none of one that does not
    collide."""
    category = collide = 0
    for geom in geoms:
        if geom.collides:
            surface = geom.surface
            category |= EVERY if surface is None or surface.category is None else surface.category
            collide |= EVERY if surface is None or surface.collide is None else surface.collide
    return category, collide


MOST_PAIRS = 200_000
"""Largest number of pairs that are written one by one; a model with more of them keeps its rules as they are."""


def ruled_pairs(scene: Scene) -> set[BodyPair]:
    """Pairs of bodies (with "": a body and all others) that rules exclude, or allow."""
    rules: Iterable[ContactRule] = scene.tables["contact"].values()
    return {rule.pair for rule in rules if not rule.include}


def masks_meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two things with these masks (category, and the categories with which it collides) collide."""
    return bool(one[0] & other[1] or other[0] & one[1])


def with_exclusions(scene: Scene, pairs: Iterable[tuple[str, str]], reason: str, said: str = "") -> Scene:
    """The scene with an excluding rule for each of these pairs of bodies that has none, unless an edit removed it from
    the document. A rule has the source of the joint between the bodies, else that of the second body.

    said: the field of both bodies from which the rules are made, "" for none.
    """
    joints = {joint.pair: joint.source for joint in scene.joints.values()}
    table: dict[str, ContactRule] = scene.tables["contact"]
    known = ruled_pairs(scene)
    spares = Spares(table)
    rules: list[ContactRule] = []
    for first, second in pairs:
        pair = frozenset((first, second))
        if pair not in known:
            known.add(pair)
            name = spares.of(f"exclude_{first}_{second}")
            if not was_deleted(scene, f"contact/{name}"):
                source = joints.get(pair) or scene.body(second).source
                rules.append(ContactRule(name=name, first=first, second=second, reason=reason, source=source))
    origins: Origins = {
        ("contact/" + rule.name,): ((f"body/{rule.first}", said), (f"body/{rule.second}", said))
        for rule in (rules if said else ())
    }
    return added(scene, "contact", rules, origins)


def _exclude_adjacent(scene: Scene, _: Target) -> Scene:
    touched = {body.name for body in scene.bodies.values() if collides(body)}
    fixed = {WORLD}
    pairs = []
    for joint, body in scene.walk():
        if joint is None or joint.parent not in fixed:
            continue
        if not joint.dofs:
            fixed.add(body.name)
        elif body.name in touched and joint.parent in touched and joint.parent != WORLD:
            pairs.append((joint.parent, body.name))
    return with_exclusions(scene, pairs, "adjacent")


ADJACENT = Pass(
    rule="contacts/adjacent",
    reason="adjacent links do not collide in the source; the target excludes contacts of parent and child only "
    "where the parent can move",
    severity="note",
    wanted=lambda target: target.fits.parent_child_collide,
    apply=_exclude_adjacent,
    added=True,
)


def _exclude_loop_ends(scene: Scene, _: Target) -> Scene:
    """A rule for each pair of bodies that only a joint closing a loop connects: the others depend on the tree."""
    loops = [joint for joint in scene.loops.values() if WORLD not in joint.pair]
    if not loops:
        return scene
    tree = {joint.pair for joint in scene.joints.values() if not joint.closes_loop}
    ends = ((joint.parent, joint.child) for joint in loops if joint.pair not in tree)
    return with_exclusions(scene, (pair for pair in ends if both_collide(scene, pair)), "adjacent")


LOOP_ENDS = Pass(
    rule="contacts/loop",
    reason="the two bodies of a joint do not collide in the source, not even those of a joint that closes a "
    "loop; the target excludes contacts of parent and child, but not of bodies that equality "
    "constraints connect",
    severity="note",
    wanted=lambda target: target.fits.parent_child_collide,
    apply=_exclude_loop_ends,
    lacking=True,
)


MOST_MODELS = 31
"""Number of bits that MuJoCo has for classes of contacts."""


def _separate_models(scene: Scene, _: Target) -> Scene:
    """Bodies of one model that do not collide with each other: by a bit for each model, else pair by pair."""
    changed, origins = _bodies_of_denied_models(scene)
    found = _by_masks_or_pairs(changed)
    return scene if found is changed else found.evolve(origins=origins)


def _bodies_of_denied_models(scene: Scene) -> tuple[Scene, Origins]:
    """The scene in which bodies do not collide with their model if an edit says so of the model; and the origins."""
    table: dict[str, Scope] = scene.tables["scope"]
    scopes = {name for name, scope in table.items() if scope.self_collide is False}
    bodies = {body.name: body for body in scene.bodies.values() if body.scope in scopes and body.self_collide is None}
    if not bodies:
        return scene, {}
    rest = (replace(scope, self_collide=None) if name in scopes else scope for name, scope in table.items())
    said = scene.evolve(tables={"scope": [scope for scope in rest if scope != Scope(name="")]})
    origins: Origins = {
        (f"body/{name}", "self_collide"): ((f"scope/{body.scope}", "self_collide"),) for name, body in bodies.items()
    }
    return map_bodies(said, lambda body: replace(body, self_collide=False) if body.name in bodies else body), origins


def _by_masks_or_pairs(scene: Scene) -> Scene:
    groups: dict[str, list[Body]] = {}
    for body in scene.bodies.values():
        if body.self_collide is False and collides(body) and body.name != WORLD:
            groups.setdefault(body.scope, []).append(body)
    groups = {scope: bodies for scope, bodies in groups.items() if len(bodies) > 1}
    if not groups:
        return scene
    if geoms_with_masks(scene) or len(groups) > MOST_MODELS:
        return _by_pairs(scene, groups)
    bits = {body.name: 1 << index for index, bodies in enumerate(groups.values()) for body in bodies}
    origins = masks_of(scene, {name: ((f"body/{name}", "self_collide"),) for name in bits})
    changed = map_bodies(scene, lambda body: _in_mask_class(body, bits[body.name]) if body.name in bits else body)
    return changed.evolve(origins=origins)


def masks_of(scene: Scene, said: Mapping[str, tuple[Address, ...]]) -> Origins:
    """The origins of the masks of geoms: for each body, what determines them."""
    return {
        (f"body/{name}", "geoms", geom.name, "surface", field): places
        for name, places in said.items()
        for geom in scene.body(name).geoms
        if geom.collides
        for field in ("category", "collide")
    }


def _in_mask_class(body: Body, bit: int) -> Body:
    """The geoms are of the class of their model, and collide with all classes but that one."""
    everything = (1 << MOST_MODELS) - 1
    return colliding_as(body, bit, everything & ~bit)


def colliding_as(body: Body, category: int | None, collide: int | None) -> Body:
    """The body with these masks at all of its colliding geoms."""
    geoms = (with_masks(geom, category, collide) if geom.collides else geom for geom in body.geoms)
    return replace(body, geoms=tuple(geoms))


def with_masks(geom: Geom, category: int | None, collide: int | None) -> Geom:
    """The geom with these masks."""
    return with_surface(geom, replace(geom.surface or Surface(), category=category, collide=collide))


def with_missing_masks(geom: Geom, category: int, collide: int) -> Geom:
    """The geom with these masks where it has none."""
    own = geom.surface or Surface()
    return with_masks(
        geom, category if own.category is None else own.category, collide if own.collide is None else own.collide
    )


def with_surface(geom: Geom, surface: Surface) -> Geom:
    """The geom with this surface; one that says nothing is none."""
    return geom if surface == geom.surface else replace(geom, surface=surface if surface != Surface() else None)


def _by_pairs(scene: Scene, groups: dict[str, list[Body]]) -> Scene:
    if sum(math.comb(len(bodies), 2) for bodies in groups.values()) > MOST_PAIRS:
        return scene
    pairs = (
        (a.name, b.name) for bodies in groups.values() for place, a in enumerate(bodies) for b in bodies[place + 1 :]
    )
    return with_exclusions(scene, pairs, "self_collide", "self_collide")


SELF_COLLISION = Pass(
    rule="contacts/self-collide",
    reason="bodies of one model do not collide with each other in the source; contact masks and excluded pairs "
    "express it",
    severity="note",
    wanted=lambda target: target.fits.bodies_collide is True,
    apply=_separate_models,
    lacking=True,
)


def default_self_collision(rule: str) -> Pass:
    """The pass of a format in which bodies of one model collide: states it if the target has another default."""

    def apply(scene: Scene, _: Target) -> Scene:
        held = Counter(body.scope for body in scene.bodies.values() if body.name != WORLD and collides(body))
        scopes: dict[str, Scope] = dict(scene.tables["scope"])
        silent = [name for name, count in held.items() if count > 1 and _silent(scopes.get(name))]
        for name in silent:
            scopes[name] = replace(scopes.get(name, Scope(name=name)), self_collide=True)
        origins: Origins = {(f"scope/{name}", "self_collide"): () for name in silent}
        return scene.evolve(tables={"scope": scopes.values()}, origins=origins) if silent else scene

    reason = "bodies of one model collide with each other in the source; the target needs this stated"
    return Pass(
        rule=rule, reason=reason, severity="note", wanted=lambda target: not target.fits.bodies_collide, apply=apply
    )


def _silent(scope: Scope | None) -> bool:
    return scope is None or scope.self_collide is None


def _as_gazebo_block(scene: Scene, target: Target) -> Scene:
    """The self-collision of the whole model as a block for Gazebo."""
    scopes: dict[str, Scope] = dict(scene.tables["scope"])
    own = scopes.pop("", None)
    if own is None or own.self_collide is None:
        return scene
    rest = replace(own, self_collide=None)
    if rest != Scope(name=""):
        scopes = {"": rest, **scopes}
    block = gazebo_block(scene, target, f"<self_collide>{str(own.self_collide).lower()}</self_collide>")
    return added(scene.evolve(tables={"scope": scopes.values()}), "block", [block])


GAZEBO_BLOCK = Pass(
    rule="contacts/gazebo-block",
    reason="whether bodies of the model collide with each other is written into a <gazebo> block, which Gazebo "
    "reads; other readers of the target ignore it and have rules of their own",
    severity="note",
    wanted=lambda target: bool(target.fits.blocks),
    apply=_as_gazebo_block,
    moves=True,
)


def default_masks(category: int, collide: int, rule: str) -> Pass:
    """The pass that gives geoms without masks, or with one of two, the defaults of their format, if other geoms have
    masks."""

    def said(geom: Geom) -> Geom:
        return with_missing_masks(geom, category, collide) if geom.collides else geom

    def apply(scene: Scene, _: Target) -> Scene:
        return map_geoms(scene, said) if geoms_with_masks(scene) else scene

    def spread(scene: Scene, document: Scene, _: Load) -> Scene:
        """If an edit gives masks to geoms of a document that had none, the default masks of the others matter; if it
        removes masks from one of several geoms, the default of that one matters. Masks that the conversion wrote for
        something else count beside those of an edit."""
        there = geoms_with_masks(document)
        marks = there & geoms_with_masks(scene)
        if not marks:
            return scene
        alone = scene.brought.keys() >= marks
        masks = {geom.name: geom.surface for geom in document.geoms() if f"geom/{geom.name}" in there}

        def meant(geom: Geom) -> Geom:
            key = f"geom/{geom.name}"
            if key in marks or not (alone or key in scene.brought):
                return geom
            surface = masks.get(geom.name)
            return said(geom) if surface is None else with_masks(geom, surface.category, surface.collide)

        return map_geoms(scene, meant)

    reason = f"in the source a geom without contact masks has {category} and {collide} wherever masks are used"
    return Pass(rule=rule, reason=reason, severity="note", apply=apply, spreads=spread, silent=True)


def geoms_with_masks(scene: Scene) -> set[str]:
    """Keys (Scene.brought) of the geoms that have masks."""
    return {f"geom/{geom.name}" for geom in scene.geoms() if _has_masks(geom)}


def _has_masks(geom: Geom) -> bool:
    return geom.surface is not None and (geom.surface.category is not None or geom.surface.collide is not None)


def _exclude_one_by_one(scene: Scene, _: Target) -> Scene:
    """A rule for each pair of a body that collides with no other, except for the pairs that may collide."""
    table: dict[str, ContactRule] = scene.tables["contact"]
    alone = dict.fromkeys(rule.first for rule in table.values() if not rule.second and not rule.include)
    if not alone:
        return scene
    touched = [body.name for body in scene.bodies.values() if collides(body)]
    if len(alone) * len(touched) > MOST_PAIRS:
        return scene
    solids = set(touched)
    pairs = ((first, second) for first in alone if first in solids for second in touched if first != second)
    return with_exclusions(scene, pairs, "default")


ONE_BY_ONE = Pass(
    rule="contacts/default",
    reason="a body that collides with no other one is excluded pair by pair, except for pairs that may collide",
    severity="note",
    wanted=lambda target: target.fits.bodies_collide is True,
    apply=_exclude_one_by_one,
)


def _ask_for_condim(scene: Scene, target: Target) -> Scene:
    """If any geom has torsional or rolling friction, each geom asks for its own, and sets 0 for what it does not have.

    In a scene of the target itself, friction in metres is in its own terms: without a condim it has no effect.
    """
    own = target.fits.mark in scene.notation
    if not any(_condim_for(geom.surface, own) for geom in scene.geoms() if geom.surface and geom.collides):
        return scene
    return map_geoms(scene, lambda geom: _with_condim(geom, own) if geom.collides else geom)


def _condim_for(surface: Surface, own: bool) -> str:
    """The condim that the friction of a geom needs, "" for the default. own: without friction in metres."""
    if own:
        surface = replace(surface, torsional=None, rolling=None)
    twist = surface.torsional
    if twist is None:
        twist = (surface.torsional_coefficient or 0.0) * (surface.patch_radius or 0.0)
    return "6" if (surface.rolling or 0.0) > 0 else "4" if twist > 0 else ""


def _with_condim(geom: Geom, own: bool) -> Geom:
    surface = geom.surface or Surface()
    said = surface.torsional_coefficient is not None and surface.patch_radius is not None
    condim = _condim_for(surface, own)
    known = "condim" in dict(surface.parameters)
    return replace(
        geom,
        surface=replace(
            surface,
            torsional=0.0 if surface.torsional is None and not said else surface.torsional,
            rolling=0.0 if surface.rolling is None else surface.rolling,
            parameters=surface.parameters if known or not condim else (*surface.parameters, ("condim", condim)),
        ),
    )


TWISTING = Pass(
    rule="contacts/condim",
    reason="in the target torsional and rolling friction act where one of the two geoms asks for it by condim "
    "4 or 6, with the larger number of both: a geom that has none gets 0, since the defaults are 0.005 "
    "m and 0.0001 m",
    severity="note",
    wanted=lambda target: target.fits.contact_dimensions,
    apply=_ask_for_condim,
)
