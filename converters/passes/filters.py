"""Collision filter groups of bodies that ignore each other, as rules about pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from converters.format import Pass, Target
from converters.passes.bitmasks import meet
from converters.passes.contacts import MOST_PAIRS, ruled_pairs
from ir.names import unique
from ir.scene import Address, Origins, Scene
from ir.types import WORLD, ContactRule

MOST_TRIED = 8 * MOST_PAIRS
"""Largest number of pairs to look at: groups may overlap, and one that ignores itself has each pair twice."""


class FilterGroup(NamedTuple):
    """A group: the names of its bodies, of its nested groups, and of the groups that it ignores; and its place."""

    name: str
    members: tuple[str, ...]
    inner: tuple[str, ...]
    ignored: tuple[str, ...]
    said: Address


def group_exclusions(find: Callable[[Scene], Iterator[FilterGroup]]) -> Pass:
    """The pass of a format whose models have such groups. Contacts of members of a group are excluded with those of
    each group that it ignores, which may be itself."""

    def apart(scene: Scene, target: Target) -> Scene:
        groups: dict[str, FilterGroup] = {}
        for group in find(scene):
            groups.setdefault(group.name, group)
        silent = target.fits.bodies_collide is False  # most pairs do not collide there, and bitmasks give the others
        members = {name: _members(name, groups, scene) for name in groups}
        lists = ((members[name], members.get(other, ())) for name, group in groups.items() for other in group.ignored)
        if sum(len(one) * len(other) for one, other in lists) > MOST_TRIED:
            return scene
        table: dict[str, ContactRule] = dict(scene.tables["contact"])
        known = ruled_pairs(scene)
        origins: Origins = {}
        for group in groups.values():
            for other in group.ignored:
                for first, second in product(members[group.name], members.get(other, ())):
                    pair = frozenset((first, second))
                    if first == second or pair in known or (silent and not meet(pair, scene)):
                        continue
                    known.add(pair)
                    if len(known) > MOST_PAIRS:
                        return scene
                    name = unique(f"exclude_{first}_{second}", table)
                    table[name] = ContactRule(name=name, first=first, second=second, reason="filter")
                    origins["contact/" + name,] = (group.said,)
        return scene.evolve(tables={"contact": table.values()}, origins=origins) if origins else scene

    return Pass(
        rule="drake/collision-filter",
        reason="two collision filter groups of Drake that ignore each other, written pair by pair",
        severity="note",
        apply=apart,
    )


def _members(name: str, groups: Mapping[str, FilterGroup], scene: Scene) -> list[str]:
    """Bodies of a group and of its nested groups."""
    found: dict[str, None] = {}
    seen: dict[str, None] = {name: None}
    waiting = [name]
    while waiting:
        group = groups.get(waiting.pop())
        if group is None:
            continue
        found |= {body: None for body in group.members if body in scene.bodies and body != WORLD}
        fresh = [inner for inner in group.inner if inner not in seen]
        seen |= dict.fromkeys(fresh)
        waiting += fresh
    return list(found)
