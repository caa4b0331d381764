"""Collision filters of KHR_physics_rigid_bodies, and masks that say the same.

Two colliders touch where the filters of both let them; a filter that does not say its systems is of all of them, and
one that does not say what it touches touches all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from converters.source.json import JsonObject

SYSTEMS = 31
"""Bits of a mask that other formats have."""
MANY = 500
"""More filters than this are not looked at: each can touch each."""
REACHES = ("collideWithSystems", "notCollideWithSystems")
Masks = tuple[int, int]
"""What a collider is, and what it touches (Surface.category, collide)."""


class Filter(Struct, frozen=True):
    """A filter of the document. None: it does not say that."""

    own: frozenset[str] | None = None
    wanted: frozenset[str] | None = None
    refused: frozenset[str] = frozenset()

    def lets(self, other: Filter) -> bool:
        """Whether this filter alone allows the other to touch it."""
        if self.wanted is not None:
            return bool(self.wanted if other.own is None else self.wanted & other.own)
        return not (self.refused if other.own is None else self.refused & other.own)

    def meets(self, other: Filter) -> bool:
        """Whether the two can touch: each has to allow the other."""
        return self.lets(other) and other.lets(self)


def filter_of(entry: JsonObject) -> Filter:
    """An entry of collisionFilters. Refuses systems that are no words."""
    own, wanted, refused = (_systems(entry, key) for key in ("collisionSystems", *REACHES))
    return Filter(own, wanted, refused or frozenset())


def _systems(entry: JsonObject, key: str) -> frozenset[str] | None:
    value = entry.raw(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        entry.refuse(key, "must be an array of strings")
        return None
    return frozenset(map(str, value))


def masks_of(filters: Iterable[Filter]) -> dict[Filter, Masks] | None:
    """Masks for colliders with these filters; none where all touch all, None where SYSTEMS bits do not say it.

    A bit for those that meet the same, and what one meets is the bits of those: the same from both sides, for readers
    that ask one side and for readers that ask both.
    """
    every = [*dict.fromkeys(filters)]
    if len(every) > MANY:
        return None
    met = {one: frozenset(other for other in every if one.meets(other)) for one in every}
    bits = {row: 1 << index for index, row in enumerate(dict.fromkeys(met.values()))}
    if len(bits) > SYSTEMS:
        return None
    if all(len(row) == len(every) for row in bits):
        return {}
    return {one: (bits[row], sum({bits[met[other]] for other in row})) for one, row in met.items()}
