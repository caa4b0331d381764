"""A <gazebo> block in two: what SDFormat knows, and the rest, with which Drake would refuse the document."""

from __future__ import annotations

from collections.abc import Container

from converters.registry import format_named
from converters.source.gazebo import noise_of_each_axis
from converters.source.tree import Element

SDF = "sdf"
DEEPEST = 32
"""Elements in elements; no sensor has half as many."""


def parted(element: Element, without: Container[str] = (), depth: int = 0) -> tuple[Element, Element | None]:
    """The element with what the specification has, and one with the rest (None for nothing).

    without: children that are of the rest in any case.
    """
    knows = format_named(SDF).knows
    known, rest = Element(element.tag), Element(element.tag)
    for name, value in element.attrs.items():
        (known if knows(element.tag, f"@{name}") else rest).attrs[name] = value
    for item in noise_of_each_axis(element).content if element.tag == "imu" else element.content:
        if not isinstance(item, Element) or element.tag == "plugin":
            known.content.append(item)
        elif knows(element.tag, item.tag) and item.tag not in without and depth < DEEPEST:
            inner, left = parted(item, depth=depth + 1)
            known.content.append(inner)
            if left is not None:
                rest.content.append(left)
        else:
            rest.content.append(item)
    if not rest.attrs and not rest.content:
        return known, None
    if "name" in known.attrs:
        rest.attrs = {"name": known.attrs["name"], **rest.attrs}
    return known, rest
