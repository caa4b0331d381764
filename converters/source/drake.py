"""Words of Drake that stand in URDF and SDFormat alike: a value is an attribute in the one, a text in the other."""

from __future__ import annotations

from converters.source.text import so_many_numbers
from converters.source.tree import fragment
from ir.types import Extra

PROXIMITY = "drake:proximity_properties"
FRICTIONS = ("drake:mu_dynamic", "drake:mu_static")
"""The first that is said: plants of Drake with discrete steps know the dynamic coefficient alone."""


def friction(extra: Extra) -> float | None:
    """The coefficient of friction that proximity properties say; None for what is none."""
    if extra.path.partition("[")[0] != PROXIMITY:
        return None
    element = fragment(extra.text)
    for tag in FRICTIONS:
        for item in element.findall(tag):
            values = so_many_numbers(item.attrs.get("value", item.own_text()), 1)
            if values is not None and values[0] >= 0:
                return values[0]
    return None
