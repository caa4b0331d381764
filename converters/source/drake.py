"""Words of Drake that stand in URDF and SDFormat alike: a value is an attribute in the one, a text in the other."""

from __future__ import annotations

from converters.source.text import so_many_numbers
from converters.source.tree import Element, fragment
from ir.types import Extra

PROXIMITY = "drake:proximity_properties"
GROUP = "drake:collision_filter_group"
FRICTIONS = ("drake:mu_dynamic", "drake:mu_static")
"""The first that is said: plants of Drake with discrete steps know the dynamic coefficient alone."""


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


def filter_group(element: Element) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
    """The name of the group that an element is, its members, the groups in it and those that it ignores; None for what
    is no such group, or is not to count."""
    if element.tag != GROUP or element.attrs.get("ignore", "false").strip().lower() in ("true", "1"):
        return None

    def names(tag: str, attribute: str) -> tuple[str, ...]:
        found = element.findall(f"drake:{tag}")
        return tuple(item.attrs.get(attribute, item.own_text().strip()) for item in found)

    inner, ignored = names("member_group", "name"), names("ignored_collision_filter_group", "name")
    return element.attrs.get("name", ""), names("member", "link"), inner, ignored
