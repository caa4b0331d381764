"""Pairs of bodies that do not collide, as bits of their geoms, for a target that knows no pairs.

Two geoms of such a target collide where they have a bit in common. Each bit stands for bodies all of which collide with
each other, and each pair that collides needs one: a cover of the edges of a graph by cliques. Where geoms have masks of
their own, who collides by these, and no rule keeps them apart, has new ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.contacts import (
    MOST_PAIRS,
    collides,
    colliding_as,
    geoms_with_masks,
    masks,
    masks_meet,
    masks_of,
    with_exclusions,
    with_masks,
)
from converters.passes.welded import parents_touch
from ir.mapping import map_bodies
from ir.scene import Address, Scene
from ir.types import WORLD, Body, BodyPair, ContactRule, Geom, Role

BITS = 16
"""Of a mask of Gazebo, as its physics take it."""
ALL = (1 << BITS) - 1


def _replacing_rules(
    masking: Callable[[Scene, Target], tuple[Scene, set[Address]]],
) -> Callable[[Scene, Target], Scene]:
    """Masks in the stead of what keeps bodies apart."""

    def apply(scene: Scene, target: Target) -> Scene:
        masked, said = masking(scene, target)
        rules: dict[str, ContactRule] = scene.tables["contact"]
        rest = [rule for name, rule in rules.items() if (f"contact/{name}",) not in said]
        return masked.evolve(tables={"contact": rest}) if said else scene

    return apply


def _with_masks(scene: Scene, target: Target) -> tuple[Scene, set[Address]]:
    """The scene with masks for what keeps bodies apart, and what that is: all, the rules alone where all is too much,
    or nothing."""
    apart = _pairs_apart(scene, target)
    if not apart or geoms_with_masks(scene):
        return scene, set()
    ruled = {pair: said for pair, said in apart.items() if any(place[0].startswith("contact/") for place in said)}
    joined = target.fits.single(scene).joined()
    for pairs in (apart, ruled):
        bits = covered(pairs, joined | (apart.keys() - pairs.keys()))
        if bits:
            return _with_masks_for_pairs(scene, pairs, bits), {place for said in pairs.values() for place in said}
    return scene, set()


def _with_combined_masks(scene: Scene, target: Target) -> tuple[Scene, set[Address]]:
    """As _with_masks, where the source has masks: what these say and what the rules say is said by masks. All of it, or
    nothing, since each mask is about all others."""
    apart = _pairs_apart(scene, target)
    if not apart or not geoms_with_masks(scene):
        return scene, set()
    joined = target.fits.single(scene).joined()
    nodes = {
        _node(body, geom): (body.name, *_masks_of(geom))
        for body in scene.bodies.values()
        for geom in body.geoms
        if geom.role in Role.COLLIDING
    }
    if math.comb(len(nodes), 2) > MOST_PAIRS:
        return scene, set()
    kept: set[BodyPair] = set()
    either: set[BodyPair] = set()
    idle = True
    for (one, (first, *ours)), (other, (second, *theirs)) in combinations(nodes.items(), 2):
        pair = frozenset((first, second))
        touching = masks_meet((ours[0], ours[1]), (theirs[0], theirs[1]))
        if len(pair) == 1 or pair in joined or not (WORLD in pair or meet(pair, scene)):
            either.add(frozenset((one, other)))
        elif pair in apart or not touching:
            kept.add(frozenset((one, other)))
            idle &= not touching
    bits = {} if idle else covered(kept, either)
    if not bits:
        return scene, set()
    places = dict.fromkeys(place for said in apart.values() for place in said)
    masked = map_bodies(
        scene, lambda body: replace(body, geoms=tuple(_of_node(body, geom, bits) for geom in body.geoms))
    )
    return masked.evolve(origins=masks_of(scene, {name: tuple(places) for name, _, _ in nodes.values()})), {*places}


def _masks_of(geom: Geom) -> tuple[int, int]:
    """Its category, and those that it meets; what nothing touches has none."""
    return masks(Body(name="", geoms=(geom,)))


def _node(body: Body, geom: Geom) -> str:
    """What has bits of its own: the geoms of a body that have the same masks."""
    return " ".join(map(str, (body.name, *_masks_of(geom))))


def _of_node(body: Body, geom: Geom, bits: Mapping[str, int]) -> Geom:
    """One that meets all others has all bits."""
    mask = bits.get(_node(body, geom), ALL)
    return with_masks(geom, mask, mask) if geom.role in Role.COLLIDING else geom


def _without_superfluous_rules(scene: Scene, target: Target) -> Scene:
    """The scene without rules for bodies that something else in it keeps apart in the target."""
    table: dict[str, ContactRule] = scene.tables["contact"]
    if not table:
        return scene
    joined = target.fits.single(scene).joined()

    def idle(rule: ContactRule) -> bool:
        if not rule.apart:
            return False
        pair = rule.pair
        if pair in joined or not meet(pair, scene):
            return pair in joined
        one, other = (masks(scene.body(name)) for name in pair)
        return not masks_meet(one, other)

    kept = [rule for rule in table.values() if not idle(rule)]
    return scene.evolve(tables={"contact": kept}) if len(kept) < len(table) else scene


def _chain_end_rules(scene: Scene, target: Target) -> Scene:
    """The scene with a rule for the two bodies of each joint that the target has as a chain of links, where no bits
    keep them apart: there are not enough for all."""
    apart = _pairs_apart(scene, target)
    met = {name: masks(scene.body(name)) for pair in apart for name in pair}
    joints = (joint for joint in scene.joints.values() if joint.pair in apart)
    pairs = [(each.parent, each.child) for each in joints if masks_meet(met[each.parent], met[each.child])]
    return with_exclusions(scene, pairs, "adjacent") if pairs else scene


def _with_masks_for_pairs(scene: Scene, apart: Mapping[BodyPair, list[Address]], bits: Mapping[str, int]) -> Scene:
    """The scene with these masks in the stead of what keeps these pairs apart."""
    told: dict[str, dict[Address, None]] = {name: {} for name in bits}
    for pair, said in apart.items():
        for name in pair:
            told[name] |= dict.fromkeys(said)

    def masked(body: Body) -> Body:
        return colliding_as(body, bits[body.name], bits[body.name]) if body.name in bits else body

    return map_bodies(scene, masked).evolve(
        origins=masks_of(scene, {name: tuple(places) for name, places in told.items()})
    )


def _pairs_apart(scene: Scene, target: Target) -> dict[BodyPair, list[Address]]:
    """Pairs of bodies that would collide in the target and do not in the source, and what says so: rules, and joints
    between bodies that the target joins by a chain of links."""
    shown = target.fits.single(scene)
    found: dict[BodyPair, list[Address]] = {}
    for rule in scene.tables["contact"].values():
        if rule.apart:
            found.setdefault(rule.pair, []).append((f"contact/{rule.name}",))
    if shown is not scene and not parents_touch(scene):
        for joint in scene.joints.values():
            if joint.parent != WORLD:
                found.setdefault(joint.pair, []).append((f"joint/{joint.child}",))
    joined = shown.joined() if found else set()
    return {pair: said for pair, said in found.items() if pair not in joined and meet(pair, scene)}


def meet(pair: BodyPair, scene: Scene) -> bool:
    """Whether two bodies collide where nothing else is said: those of a model do where it says so."""
    bodies = [scene.bodies[name] for name in pair if name in scene.bodies]
    if len(bodies) != 2 or not all(map(collides, bodies)):
        return False
    one, other = bodies
    scope = scene.tables["scope"].get(one.scope)
    return one.scope != other.scope or bool((scope and scope.self_collide) or one.self_collide or other.self_collide)


def covered(apart: Collection[BodyPair], either: Collection[BodyPair]) -> dict[str, int]:
    """Masks of what is in some pairs, so that two of them have a bit in common unless they are such a pair; of those
    of either, nobody minds. Empty where that takes more bits than there are, or there are too many bodies to try."""
    names = sorted({name for pair in apart for name in pair})
    if math.comb(len(names), 2) > MOST_PAIRS:
        return {}
    friends = {name: {*names} - {name} for name in names}
    for one, other in map(tuple, apart):
        friends[one].discard(other)
        friends[other].discard(one)
    waiting = {name: {other for other in friends[name] if frozenset((name, other)) not in either} for name in names}
    masks = dict.fromkeys(names, 0)
    for bit in range(BITS + 1):
        bare = [name for name in names if waiting[name] or not masks[name]]
        if not bare:
            return masks
        clique = _clique(max(bare, key=lambda name: len(waiting[name])), names, friends, waiting)
        for name in clique:
            masks[name] |= 1 << bit
            waiting[name] -= clique
    return {}


def _clique(
    first: str, names: Sequence[str], friends: Mapping[str, set[str]], waiting: Mapping[str, set[str]]
) -> set[str]:
    """This body and as many more as collide with each other: each time the one that waits for the most of them."""
    found = {first}
    left = [name for name in names if name in friends[first]]
    score = {name: int(name in waiting[first]) for name in left}
    while left:
        best = max(left, key=score.__getitem__)
        found.add(best)
        left = [name for name in left if name in friends[best]]
        for name in left:
            score[name] += name in waiting[best]
    return found


REASON = (
    "bodies that do not collide: Gazebo has no contact pairs, so bit masks of their geoms express it: "
    "geoms that collide share a bit; Drake does not read these masks"
)
PLAIN = Pass(
    rule="contacts/bitmask",
    reason=REASON,
    severity="note",
    wanted=lambda target: target.fits.bodies_collide is False,
    apply=_replacing_rules(_with_masks),
    lacking=True,
    moves=True,
)
ENDS = Pass(
    rule="contacts/chain",
    reason="the two bodies of a joint never collide in the source; in the output a chain of joints is between "
    "them, and the 16 bits of Gazebo's masks are not enough for all pairs",
    severity="note",
    wanted=PLAIN.wanted,
    apply=_chain_end_rules,
    lacking=True,
    silent=True,
)
PASSES = (
    Pass(
        rule="contacts/apart",
        reason="two bodies that do not collide: in the output the joint between them, or their contact masks, have "
        "this effect",
        severity="note",
        action="derived",
        wanted=PLAIN.wanted,
        apply=_without_superfluous_rules,
        lacking=True,
        moves=True,
    ),
    PLAIN,
    replace(
        PLAIN,
        reason=f"{REASON}; the source has masks as well, and the new ones combine both",
        apply=_replacing_rules(_with_combined_masks),
        whole=True,
        values=True,
    ),
    ENDS,
)
ASIDE = Pass(
    rule="contacts/gazebo-bitmask",
    reason=f"{REASON}; the pairs are written where other programs look for them",
    severity="note",
    wanted=lambda target: bool(target.fits.blocks),
    apply=lambda scene, target: _with_masks(scene, target)[0],
)
BLOCK_PASSES = (
    ASIDE,
    replace(
        ASIDE,
        reason=f"{ASIDE.reason}; the source has masks as well, and the new ones combine both",
        apply=lambda scene, target: _with_combined_masks(scene, target)[0],
        whole=True,
        values=True,
    ),
    replace(ENDS, wanted=ASIDE.wanted, lacking=False),
)
