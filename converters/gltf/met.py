"""Whom the colliders of a document of ours meet, as an engine has it that reads their filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from msgspec import Struct, field

from converters.gltf.data.extensions import BODIES, extension, table
from converters.gltf.foreign.filters import MANY, Filter, filter_of
from converters.gltf.ours.marks import Tree
from converters.source.json import JsonObject
from ir.scene import Scene
from ir.types import Body, ContactRule, Geom, Role

Pair = frozenset[str]


class _Group(Struct):
    """Colliders of the same masks and filter. apart: they are of one body, which others have to keep away from."""

    category: int
    collide: int
    rule: Filter
    apart: bool
    bodies: set[str] = field(default_factory=set)


def met(root: JsonObject, tree: Tree, scene: Scene) -> Iterator[ContactRule]:
    """Pairs of bodies of which masks and rules of the scene say otherwise than the filters whether they touch, each as
    the filters have it. Bodies that a joint holds together are another matter."""
    rules: Iterable[ContactRule] = scene.tables["contact"].values()
    excluded = {frozenset((rule.first, rule.second)) for rule in rules if _excludes(rule)}
    groups = [*_groups(root, tree, scene, {name for pair in excluded for name in pair})]
    for one, other in combinations_with_replacement(groups if len(groups) <= MANY else (), 2):
        if len(one.bodies | other.bodies) < 2:
            continue
        touch = bool(one.category & other.collide or other.category & one.collide)
        if one.apart and other.apart:
            touch = touch and frozenset(one.bodies | other.bodies) not in excluded
        if touch != one.rule.meets(other.rule):
            first, second = min(one.bodies), max(other.bodies)
            yield ContactRule(name=f"{first} {second}", first=first, second=second, allow=not touch)


def _excludes(rule: ContactRule) -> bool:
    return bool(rule.second) and not rule.include and not rule.allow


def _groups(root: JsonObject, tree: Tree, scene: Scene, named: set[str]) -> Iterable[_Group]:
    filters = [filter_of(entry) for entry in table(root, BODIES, "collisionFilters")]
    found: dict[tuple[int, int, Filter, str], _Group] = {}
    for body in scene.bodies.values():
        for geom in body.geoms:
            leaf = tree.leaves.get(("collider", geom.name)) if geom.role in Role.COLLIDING else None
            said = extension(leaf.node, BODIES, "collider") if leaf is not None else None
            if said is None:
                continue
            number = said.index("collisionFilter", len(filters))
            rule = filters[number] if number is not None else Filter()
            masks, apart = _masks(body, geom), body.name in named
            key = (*masks, rule, body.name if apart else "")
            found.setdefault(key, _Group(*masks, rule, apart)).bodies.add(body.name)
    return found.values()


def _masks(body: Body, geom: Geom) -> tuple[int, int]:
    """What a geom is and what it meets; one that says nothing meets all others of that kind."""
    surface = geom.surface or body.surface
    category = 1 if surface is None or surface.category is None else surface.category
    return category, category if surface is None or surface.collide is None else surface.collide
