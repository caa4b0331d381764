"""Pairs of bodies that do not collide, as bit masks of their geoms, for a target without contact pairs.

Two geoms of such a target collide if they have a bit in common. Each bit is for a set of bodies all of which collide
with each other, and each colliding pair needs a common bit: a cover of the edges of a graph by cliques. If geoms have
masks of their own, the new masks let those collide that collide by these and that no rule excludes.
"""

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
from ir.kinematics import still_bodies
from ir.mapping import map_bodies
from ir.scene import Address, Scene
from ir.types import WORLD, Body, BodyPair, ContactRule, Geom

BITS = 16
"""Bits of a mask that Gazebo's physics engines use."""
ALL = (1 << BITS) - 1


def _replacing_rules(
    masking: Callable[[Scene, Target], tuple[Scene, set[Address]]],
) -> Callable[[Scene, Target], Scene]:
    """Masks in place of the rules that exclude contacts."""

    def apply(scene: Scene, target: Target) -> Scene:
        masked, said = masking(scene, target)
        rules: dict[str, ContactRule] = scene.tables["contact"]
        rest = [rule for name, rule in rules.items() if (f"contact/{name}",) not in said]
        return masked.evolve(tables={"contact": rest}) if said else scene

    return apply


def _with_masks(scene: Scene, target: Target) -> tuple[Scene, set[Address]]:
    """The scene with masks in place of what excludes contacts, and what they replace: everything, only the rules if
    everything is too much, or nothing."""
    apart = _pairs_apart(scene, target)
    if not apart or geoms_with_masks(scene):
        return scene, set()
    ruled = {pair: said for pair, said in apart.items() if any(place[0].startswith("contact/") for place in said)}
    joined = _joined(scene, target)
    for pairs in (apart, ruled):
        bits = covered(pairs, joined | (apart.keys() - pairs.keys()))
        if bits:
            return _with_masks_for_pairs(scene, pairs, bits), {place for said in pairs.values() for place in said}
    return scene, set()


def _with_combined_masks(scene: Scene, target: Target) -> tuple[Scene, set[Address]]:
    """As _with_masks, if the source has masks: the new ones combine these and the rules. Everything is replaced, or
    nothing, since each mask affects all others."""
    apart = _pairs_apart(scene, target)
    if not apart or not geoms_with_masks(scene):
        return scene, set()
    joined = _joined(scene, target)
    nodes = {
        _node(body, geom): (body.name, *masks((geom,)))
        for body in scene.bodies.values()
        for geom in body.geoms
        if geom.collides
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


def _node(body: Body, geom: Geom) -> str:
    """A unit with masks of its own: the geoms of a body that have the same masks."""
    return " ".join(map(str, (body.name, *masks((geom,)))))


def _of_node(body: Body, geom: Geom, bits: Mapping[str, int]) -> Geom:
    """A unit that collides with all others has all bits."""
    mask = bits.get(_node(body, geom), ALL)
    return with_masks(geom, mask, mask) if geom.collides else geom


def _without_superfluous_rules(scene: Scene, target: Target) -> Scene:
    """The scene without rules for bodies whose contacts something else in it excludes in the target."""
    table: dict[str, ContactRule] = scene.tables["contact"]
    if not table:
        return scene
    joined = _joined(scene, target)

    def idle(rule: ContactRule) -> bool:
        if not rule.apart:
            return False
        pair = rule.pair
        if pair in joined or not meet(pair, scene):
            return pair in joined
        one, other = (masks(scene.body(name).geoms) for name in pair)
        return not masks_meet(one, other)

    kept = [rule for rule in table.values() if not idle(rule)]
    return scene.evolve(tables={"contact": kept}) if len(kept) < len(table) else scene


def _chain_end_rules(scene: Scene, target: Target) -> Scene:
    """The scene with a rule for the two bodies of each joint that becomes a chain of links in the target, if masks do
    not exclude them, because there are not enough bits."""
    apart = _pairs_apart(scene, target)
    met = {name: masks(scene.body(name).geoms) for pair in apart for name in pair}
    joints = (joint for joint in scene.joints.values() if joint.pair in apart)
    pairs = [(each.parent, each.child) for each in joints if masks_meet(met[each.parent], met[each.child])]
    return with_exclusions(scene, pairs, "adjacent") if pairs else scene


def _with_masks_for_pairs(scene: Scene, apart: Mapping[BodyPair, list[Address]], bits: Mapping[str, int]) -> Scene:
    """The scene with these masks in place of what excludes these pairs."""
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
    """Pairs of bodies that would collide in the target and do not in the source, with the reason: rules, and joints
    that become a chain of links in the target."""
    shown = target.fits.single(scene)
    found: dict[BodyPair, list[Address]] = {}
    for rule in scene.tables["contact"].values():
        if rule.apart:
            found.setdefault(rule.pair, []).append((f"contact/{rule.name}",))
    if shown is not scene and not parents_touch(scene):
        for joint in scene.joints.values():
            if joint.parent != WORLD:
                found.setdefault(joint.pair, []).append((f"joint/{joint.child}",))
    joined = _joined(scene, target) if found else set()
    return {pair: said for pair, said in found.items() if pair not in joined and meet(pair, scene)}


def _joined(scene: Scene, target: Target) -> set[BodyPair]:
    """Pairs of bodies that do not collide in the target because of a joint between them. What the world contains is a
    body of its own there (a floor), with which only those do not collide that, like it, never move."""
    still = still_bodies(scene)
    return {
        joint.pair
        for joint in target.fits.single(scene).joints.values()
        if joint.parent != WORLD or joint.child in still
    }


def meet(pair: BodyPair, scene: Scene) -> bool:
    """Whether two bodies collide by default: those of one model do if the model, or one of the two, says so."""
    bodies = [scene.bodies[name] for name in pair if name in scene.bodies]
    if len(bodies) != 2 or not all(map(collides, bodies)):
        return False
    one, other = bodies
    scope = scene.tables["scope"].get(one.scope)
    return one.scope != other.scope or bool((scope and scope.self_collide) or one.self_collide or other.self_collide)


def covered(apart: Collection[BodyPair], either: Collection[BodyPair]) -> dict[str, int]:
    """Masks of units in some pairs, so that two of them have a bit in common unless they are a pair of apart; pairs of
    either may or may not. Empty if that takes more bits than there are, or there are too many bodies to try."""
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
    """This body and others that all collide with each other: each time the one with the most uncovered pairs."""
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
