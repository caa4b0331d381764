"""Elements of Drake common to URDF and SDFormat: a value is an attribute in the former, a text in the latter."""

from __future__ import annotations

from collections.abc import Iterable

from converters.source.text import so_many_numbers
from converters.source.tree import Element, fragment
from ir.types import Actuator, Dof, Extra

PROXIMITY = "drake:proximity_properties"
GAINS = "drake:controller_gains"
GROUP = "drake:collision_filter_group"
FRICTIONS = ("drake:mu_dynamic", "drake:mu_static")
"""The first one given is used: plants of Drake with discrete steps only know the dynamic coefficient."""


def friction(extra: Extra) -> float | None:
    """The friction coefficient of proximity properties; None if it is invalid."""
    if extra.path.partition("[")[0] != PROXIMITY:
        return None
    element = fragment(extra.text)
    for tag in FRICTIONS:
        for item in element.findall(tag):
            values = so_many_numbers(item.attrs.get("value", item.own_text()), 1)
            if values is not None and values[0] >= 0:
                return values[0]
    return None


def servo(extras: Iterable[Extra], dof: Dof) -> Actuator | None:
    """The actuator of a joint with the gains of its first controller (p: N m/rad or N/m, d: N m s/rad or N s/m); None
    if Drake accepts none: it refuses the file, or has no actuator, for a joint without effort."""
    said = next((each for each in extras if each.path.partition("[")[0] == GAINS and "/" not in each.path), None)
    if said is None or dof.effort == 0:
        return None
    attrs = fragment(said.text).attrs
    stiffness, damping = (so_many_numbers(attrs.get(name, ""), 1) for name in ("p", "d"))
    if stiffness is None or damping is None or min(*stiffness, *damping) < 0:
        return None
    if not stiffness[0]:
        return Actuator(name="", kind="velocity", kv=damping[0]) if damping[0] else None
    return Actuator(name="", kind="position", kp=stiffness[0], kv=damping[0])


def filter_group(element: Element) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
    """The name of the group in an element, its members, its nested groups and those that it ignores; None if it is no
    such group, or disabled."""
    if element.tag != GROUP or element.attrs.get("ignore", "false").strip().lower() in ("true", "1"):
        return None

    def names(tag: str, attribute: str) -> tuple[str, ...]:
        found = element.findall(f"drake:{tag}")
        return tuple(item.attrs.get(attribute, item.own_text().strip()) for item in found)

    inner, ignored = names("member_group", "name"), names("ignored_collision_filter_group", "name")
    return element.attrs.get("name", ""), names("member", "link"), inner, ignored
