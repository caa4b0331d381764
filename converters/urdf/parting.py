"""A <gazebo> block in two: what SDFormat knows, and the rest, with which Drake would refuse the document."""

from __future__ import annotations

from collections.abc import Container

from converters.registry import named
from converters.source.tree import Element

SDF = "sdf"
DEEPEST = 32
"""Elements in elements; no sensor has half as many."""
TYPE = "type"
RATES = {"rate": "angular_velocity", "accel": "linear_acceleration"}
"""Child of the <noise> of an <imu> until SDFormat 1.4 -> where each axis has its own since 1.5."""


def parted(element: Element, without: Container[str] = (), depth: int = 0) -> tuple[Element, Element | None]:
    """The element with what the specification has, and one with the rest (None for nothing).

    without: children that are of the rest in any case.
    """
    knows = named(SDF).knows
    known, rest = Element(element.tag), Element(element.tag)
    for name, value in element.attrs.items():
        (known if knows(element.tag, f"@{name}") else rest).attrs[name] = value
    for item in _modern(element).content if element.tag == "imu" else element.content:
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


def _modern(imu: Element) -> Element:
    """<imu> with the one noise that all axes had until SDFormat 1.4 said of each of them."""
    noise = imu.find("noise")
    plain = [item for item in imu.content if item is not noise]
    if noise is None or any(item.tag in RATES.values() for item in imu.elements()):
        return imu
    said = {item.tag: item for item in noise.elements()}
    odd = len(said) < len(noise.content) or noise.attrs.keys() - {TYPE} or any(item.attrs for item in said.values())
    if odd or not said.keys() <= {TYPE, *RATES}:
        return imu
    kind = said[TYPE].content if TYPE in said else [noise.attrs.get(TYPE, "gaussian")]
    made = Element(imu.tag, imu.attrs)
    made.content = plain
    for tag, place in RATES.items():
        if tag in said:
            owner = made.add(place)
            for axis in "xyz":
                each = owner.add(axis).add("noise", {TYPE: "".join(str(item) for item in kind).strip()})
                each.content += said[tag].content
    return made
