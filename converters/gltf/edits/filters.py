"""Edited collision filters of a document of ours, expressed in the graph: masks of geoms, and rules for pairs of bodies
that never touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

from msgspec import Struct
from msgspec.structs import replace

from converters.gltf.data.extensions import BODIES, extension, table
from converters.gltf.edits.baseline import Editor
from converters.gltf.foreign.filters import MANY, SYSTEMS, Filter, Masks, filter_of
from converters.gltf.ours.graph import OUTER, digests, part_of
from converters.gltf.scene.forms import FORMS
from converters.gltf.writing.physics import PhysicsTables, System
from converters.passes.contacts import masks_meet
from converters.source.json import JsonObject
from ir.mapping import map_bodies
from ir.names import unique
from ir.scene import Scene
from ir.types import WORLD, Body, BodyPair, ContactRule, Surface

TABLE = f"{OUTER}{BODIES}/collisionFilters"
EVERY = (1 << SYSTEMS) - 1
CHANGED = "the collision filter of the collider was changed"
PAIR = "whether these bodies may collide was changed"
UNSAID = "no masks and no pairs of bodies can express the new filters: what may collide stays as it was"
FEW = 3
"""Up to this number of wrong pairs, excluding pairs of bodies is tried first; above it, masks are."""
ROUNDS = 3
"""Number of rounds in the search for masks, because the masks of groups depend on each other."""


_Apart = dict[BodyPair, list[str]]


class _FilterGroup(Struct):
    """Colliders that had the same filter when written and have the same one now. rule: the current filter. node: the
    item that declares it. masks: category and collide. geoms: geom -> its body. moved: whether the filter differs from
    the written one."""

    rule: Filter
    node: JsonObject
    masks: Masks
    geoms: dict[str, str]
    moved: bool

    @property
    def bodies(self) -> set[str]:
        return {*self.geoms.values()}


class _Filters(Struct):
    """The groups, and what keeps them apart. excluded: pairs of bodies that never touch -> the names of the rules that
    exclude them. pairs: all pairs of groups whose bodies could touch, and whether their filters permit it."""

    groups: Sequence[_FilterGroup]
    excluded: _Apart
    pairs: list[tuple[_FilterGroup, _FilterGroup, bool]] = []

    def __post_init__(self) -> None:
        self.pairs = [
            (one, other, one.rule.meets(other.rule))
            for one, other in combinations_with_replacement(self.groups, 2)
            if len(one.bodies | other.bodies) > 1
        ]

    def apart(self, one: _FilterGroup, other: _FilterGroup) -> bool:
        """Whether no body of one group may touch any of the other, whatever their masks are."""
        return bool(self.excluded) and all(
            a == b or frozenset((a, b)) in self.excluded for a, b in product(one.bodies, other.bodies)
        )

    def wrong(self) -> list[tuple[_FilterGroup, _FilterGroup]]:
        """Return the pairs of groups whose masks and excluded pairs contradict the filters."""
        return [
            (one, other)
            for one, other, now in self.pairs
            if now != (masks_meet(one.masks, other.masks) and not self.apart(one, other))
        ]


def edited_filters(scene: Scene, drawn: Scene, editor: Editor) -> Scene:
    """Return the scene with masks and excluded pairs that match the filters of the document.

    scene: the embedded graph; drawn: the same with all other edits, returned unchanged, with a note, if neither masks
    nor pairs can express the filters.
    """
    nodes = {name: leaf.node for (kind, name), leaf in editor.tree.leaves.items() if kind == "collider"}
    parts = {part for part in editor.changed if part.startswith(TABLE)}
    touched = [node for node in nodes.values() if part_of(node) in editor.changed]
    groups = _filter_groups(scene, drawn, editor, nodes) if parts or touched else []
    moved = [group.node for group in groups if group.moved]
    filters = _Filters(groups[: MANY + 1], _excluded_pairs(scene))
    wrong = filters.wrong()
    if not moved or not wrong:
        return drawn
    few = len(wrong) <= FEW and not any(WORLD in one.bodies | other.bodies for one, other in wrong)
    pairs, masks = dict(filters.excluded), [group.masks for group in groups]
    for step in (
        (_exclude_pairs, _choose_masks, _exclude_pairs, _choose_masks)
        if few
        else (_choose_masks, _exclude_pairs, _choose_masks)
    ):
        if filters.wrong():
            step(filters)
    if filters.wrong() or len(groups) > MANY:
        editor.tell("scene", "", "", UNSAID, (moved[0], ()), action="dropped")
        return drawn
    made = _with_excluded_pairs(drawn, editor, pairs, filters.excluded, moved[0])
    changed = [group for group, then in zip(groups, masks, strict=True) if group.masks != then]
    editor.explained |= parts | {f"{part_of(each)}/extensions/{BODIES}/collider/collisionFilter" for each in touched}
    return _with_masks(made, changed, editor)


def _excluded_pairs(scene: Scene) -> _Apart:
    """Return the pairs of bodies that never touch, with the names of the rules that exclude them."""
    excluded: _Apart = {}
    for rule in scene.tables["contact"].values():
        if rule.apart:
            excluded.setdefault(rule.pair, []).append(rule.name)
    return excluded


def _filter_groups(scene: Scene, drawn: Scene, editor: Editor, nodes: Mapping[str, JsonObject]) -> list[_FilterGroup]:
    """Group the colliders by filter; empty if it is not known how the filters were written."""
    physics = PhysicsTables(scene, FORMS[editor.inside.physics])
    found: dict[tuple[System, int | None], _FilterGroup] = {}
    entries = table(editor.root, BODIES, "collisionFilters")
    rules = [filter_of(entry) for entry in entries]
    for body, geom in [(each, geom) for each in scene.bodies.values() for geom in each.geoms]:
        collider = extension(nodes.get(geom.name), BODIES, "collider")
        made = physics.collider(body, geom, lambda: 0) if geom.collides else None
        if made is None or collider is None or body.name not in drawn.bodies:
            continue
        number, system = collider.index("collisionFilter", len(entries)), physics.system(body, geom)
        index = made[0].get("collisionFilter")
        then = Filter() if index is None else filter_of(JsonObject(physics.filters[index], editor.root.document, ""))
        now, node = (Filter(), collider) if number is None else (rules[number], entries[number])
        group = found.setdefault((system, number), _FilterGroup(now, node, system[:2], {}, now != then))
        group.geoms[geom.name] = body.name
    written = digests({"extensions": {BODIES: {"collisionFilters": physics.filters}}}, ())
    known = sorted(written.get(TABLE, "").split()) == sorted(editor.inside.digests.get(TABLE, "").split())
    return [*found.values()] if known else []


# ------------------------------------------------------------------------------------------------- pairs and masks


def _exclude_pairs(filters: _Filters) -> None:
    """Exclude pairs of bodies that masks permit to touch and no filter does; stop excluding a pair if the filters
    permit contact wherever its masks do."""
    said: dict[BodyPair, list[tuple[bool, bool]]] = {}
    for one, other, now in filters.pairs:
        for a, b in product(one.bodies, other.bodies):
            if a != b:
                said.setdefault(frozenset((a, b)), []).append((masks_meet(one.masks, other.masks), now))
    for pair, each in said.items():
        if pair in filters.excluded and all(now for touch, now in each if touch) and any(now for _, now in each):
            del filters.excluded[pair]
        elif pair not in filters.excluded and not any(now for _, now in each) and any(touch for touch, _ in each):
            filters.excluded[pair] = []


def _choose_masks(filters: _Filters) -> None:
    """Give each group with a changed filter the candidate masks that are wrong for the fewest other groups."""
    met: dict[int, list[tuple[_FilterGroup, bool]]] = {}
    for one, other, now in filters.pairs:
        if now or not filters.apart(one, other):
            met.setdefault(id(one), []).append((other, now))
            if one is not other:
                met.setdefault(id(other), []).append((one, now))
    for group in (group for _ in range(ROUNDS) for group in filters.groups if group.moved):
        others = met.get(id(group), [])
        found = dict.fromkeys(_candidate_masks(filters, group, others))
        group.masks = min(found, key=lambda masks: _count_faults(masks, group, others))


def _candidate_masks(
    filters: _Filters, group: _FilterGroup, met: Sequence[tuple[_FilterGroup, bool]]
) -> Iterator[Masks]:
    """Yield masks to try for a group: its own, those of groups with the same filter, and masks composed bit by bit that
    permit contact with exactly the required groups. met: the groups it could touch, and whether it should."""
    yield group.masks
    yield from (other.masks for other in filters.groups if other.rule == group.rule)
    yield from (other.masks for other in filters.groups if other.rule.own == group.rule.own)
    category = collide = EVERY
    for other, now in met:
        if not now and other is not group:
            category, collide = category & ~other.masks[1], collide & ~other.masks[0]
    least = [group.masks[0] & category, group.masks[1] & collide]
    for other, now in met:
        if now and other is not group and not masks_meet((least[0], least[1]), other.masks):
            if other.masks[0] & collide:
                least[1] |= other.masks[0] & collide
            else:
                least[0] |= other.masks[1] & category
    for a, b in ((least[0], least[1]), (category, collide)):
        yield from ((a, b), (a, 0), (0, b))


def _count_faults(masks: Masks, group: _FilterGroup, met: Sequence[tuple[_FilterGroup, bool]]) -> tuple[int, int]:
    """Return the number of groups it should touch and does not, and of those it touches and should not. The latter
    weigh less, because excluded pairs of bodies can fix them."""
    found = [(now, masks_meet(masks, masks if other is group else other.masks)) for other, now in met]
    return sum(now and not touch for now, touch in found), sum(touch and not now for now, touch in found)


# --------------------------------------------------------------------------------------------------------- the scene


def _with_excluded_pairs(scene: Scene, editor: Editor, then: _Apart, now: _Apart, node: JsonObject) -> Scene:
    """Return the scene with rules for the pairs that are excluded now."""
    rules: dict[str, ContactRule] = dict(scene.tables["contact"])
    for pair in then.keys() - now.keys():
        for name in then[pair]:
            rules.pop(name, None)
            editor.tell(f"contact/{name}", name, "", PAIR, (node, ()))
    for first, second in sorted(sorted(pair) for pair in now.keys() - then.keys()):
        name = unique(f"exclude_{first}_{second}", rules)
        rules[name] = ContactRule(name=name, first=first, second=second)
        editor.tell(f"contact/{name}", "", name, PAIR, (node, ()))
    return scene if rules == scene.tables["contact"] else scene.evolve(tables={"contact": rules.values()})


def _with_masks(scene: Scene, groups: Sequence[_FilterGroup], editor: Editor) -> Scene:
    """Return the scene with the masks of these groups."""
    fresh = {name: group for group in groups for name in group.geoms}

    def changed(body: Body) -> Body:
        geoms = []
        for geom in body.geoms:
            group = fresh.get(geom.name)
            if group is not None:
                surface = geom.surface or body.surface or Surface()
                made = replace(surface, category=group.masks[0], collide=group.masks[1])
                then, now = (f"category {each.category}, collide {each.collide}" for each in (surface, made))
                editor.tell(f"geom/{geom.name}", then, now, CHANGED, (group.node, ()))
                geom = replace(geom, surface=made)
            geoms.append(geom)
        return replace(body, geoms=tuple(geoms))

    return map_bodies(scene, changed) if groups else scene
