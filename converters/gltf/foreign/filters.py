"""Collision filters of KHR_physics_rigid_bodies, and equivalent masks.

Two colliders touch if both filters allow it; a filter without systems belongs to all of them, and one without
restrictions touches all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from converters.source.json import JsonObject

SYSTEMS = 31
"""Number of mask bits available in other formats."""
MANY = 500
"""Maximum number of filters to process: the effort is quadratic."""
REACHES = ("collideWithSystems", "notCollideWithSystems")
Masks = tuple[int, int]
"""The category of a collider, and what it collides with (Surface.category, collide)."""


class Filter(Struct, frozen=True):
    """A filter of the document. None: not given."""

    own: frozenset[str] | None = None
    wanted: frozenset[str] | None = None
    refused: frozenset[str] = frozenset()

    def lets(self, other: Filter) -> bool:
        """Whether this filter, by itself, allows the other to touch it."""
        if self.wanted is not None:
            return bool(self.wanted if other.own is None else self.wanted & other.own)
        return not (self.refused if other.own is None else self.refused & other.own)

    def meets(self, other: Filter) -> bool:
        """Whether the two can touch: each has to allow the other."""
        return self.lets(other) and other.lets(self)


def filter_of(entry: JsonObject) -> Filter:
    """Read an entry of collisionFilters. Refuses systems that are not strings."""
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
    """Return masks for colliders with these filters; empty if all touch, None if SYSTEMS bits cannot express them.

    Filters that meet the same others share a bit, and a filter collides with the bits of those it meets: the masks are
    symmetric, for readers that check one side and for readers that check both.
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
