"""Words of Drake that stand in URDF and SDFormat alike: a value is an attribute in the one, a text in the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from converters.source.text import so_many_numbers
from converters.source.tree import Element, fragment
from ir.scene import Address
from ir.types import Extra

PROXIMITY = "drake:proximity_properties"
GROUP = "drake:collision_filter_group"
FRICTIONS = ("drake:mu_dynamic", "drake:mu_static")
"""The first that is said: plants of Drake with discrete steps know the dynamic coefficient alone."""


class FilterGroup(NamedTuple):
    """A group by the names of its bodies, of groups that are part of it, and of those that it ignores; what says so."""

    name: str
    members: tuple[str, ...]
    inner: tuple[str, ...]
    ignored: tuple[str, ...]
    said: Address


def friction(extra: Extra) -> float | None:
    """The coefficient of friction that proximity properties say; None for what is none."""
    if extra.path.partition("[")[0] != PROXIMITY:
        return None
    element = fragment(extra.text)
    for tag in FRICTIONS:
        for item in element.elements():
            if item.tag == tag:
                values = so_many_numbers(item.attrs.get("value", item.own_text()), 1)
                if values is not None and values[0] >= 0:
                    return values[0]
    return None


def filter_group(
    element: Element, said: Address, named: Callable[[str], str] = lambda name: name
) -> Iterator[FilterGroup]:
    """The group that an element is, if it is one that counts; named gives names from the top of the document."""
    if element.tag != GROUP or element.attrs.get("ignore", "false").strip().lower() in ("true", "1"):
        return

    def names(tag: str, attribute: str) -> tuple[str, ...]:
        found = element.findall(f"drake:{tag}")
        return tuple(named(item.attrs.get(attribute, item.own_text().strip())) for item in found)

    inner, ignored = names("member_group", "name"), names("ignored_collision_filter_group", "name")
    yield FilterGroup(named(element.attrs.get("name", "")), names("member", "link"), inner, ignored, said)
