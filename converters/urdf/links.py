"""<link>, in both directions."""

from __future__ import annotations

from typing import Any

from converters.source.text import number
from converters.source.tree import Element, restore
from converters.source.xml import Node
from converters.urdf.geoms import Shapes, read_geom, write_geoms
from converters.urdf.loading import UrdfLoading, leftovers
from converters.urdf.materials import Materials
from converters.urdf.poses import read_origin, write_origin
from converters.urdf.tables import CONTACT, FORMAT, INERTIA, ROLES
from ir.types import Body, Frame, Geom, Inertial, Surface, Tensor


def read_link(
    node: Node, name: str, label: str | None, frames: tuple[Frame, ...], loading: UrdfLoading, materials: Materials
) -> Body:
    """Return a body with everything attached to it; frames are those defined elsewhere in the document."""
    inertial: Inertial | None = None
    surface: Surface | None = None
    geoms: list[Geom] = []
    counts: dict[str, int] = {}
    for item in node.elements():
        tag = item.tag
        if tag in ROLES or (tag not in ("inertial", "contact") and item.peek("geometry") is not None):
            index = counts[tag] = counts.get(tag, -1) + 1
            geoms.append(read_geom(item.visit(), name, index, loading, materials))
        elif tag == "inertial" and inertial is None:
            inertial = item.attempt(_read_inertial, item.visit(), f"body/{name}.inertial", loading)
        elif tag == "contact" and tag not in counts:
            counts[tag] = 1
            surface = item.attempt(_read_contact, item.visit())
        elif tag == "origin":
            node.ignore("origin", "urdf/link-origin")
    node.ignore("@type", "urdf/link-type")
    return Body(
        name=name,
        label=label,
        inertial=inertial,
        geoms=tuple(geoms),
        frames=frames,
        surface=surface,
        source=node.source,
        extras=leftovers(node),
    )


def _read_inertial(node: Node, where: str, loading: UrdfLoading) -> Inertial:
    """Missing values are zero, as in Drake and MuJoCo; urdfdom drops the rest of the link instead."""
    pose = read_origin(node, loading, where)
    mass_node, inertia = node.child("mass"), node.child("inertia")
    mass = mass_node.number("value") if mass_node is not None else None
    found = [inertia.number(name) for name in INERTIA] if inertia is not None else [None] * 6
    missing = [name for name, value in zip(INERTIA, found, strict=True) if value is None]
    if mass is None:
        missing.insert(0, "mass")
    if missing:
        loading.context.note(
            "urdf/inertial",
            where,
            "what is not given in an <inertial> is zero",
            node.source,
            after=f"{' '.join(missing)} = 0",
        )
    xx, yy, zz, xy, xz, yz = (value or 0.0 for value in found)
    tensor: Tensor = (xx, yy, zz, xy, xz, yz)
    return Inertial(mass=mass or 0.0, tensor=tensor, pose=pose, extras=leftovers(node))


def _read_contact(node: Node) -> Surface | None:
    """Read Bullet's contact properties; those without a field in Surface remain as extras. Without any others there is
    no surface: an edit can remove them all."""
    values: dict[str, Any] = {}
    for tag, name in CONTACT.items():
        item = node.peek(tag)
        if item is not None and "value" in item.attrs:
            values[name] = item.visit().number("value")
    return Surface(**values) if values or not node.elements() else None


def write_link(body: Body, name: str, shapes: Shapes) -> Element:
    """Return the <link> of a body, with this name."""
    element = Element("link", {"name": name})
    if body.inertial is not None:
        _write_inertial(element, body.inertial)
    write_geoms(element, body, shapes)
    if body.surface is not None:
        _write_contact(element, body.surface)
    restore(element, body.extras, FORMAT)
    return element


def _write_inertial(link: Element, inertial: Inertial) -> None:
    element = link.add("inertial")
    write_origin(element, inertial.pose, inertial.extras)
    element.add("mass", {"value": number(inertial.mass)})
    ixx, iyy, izz, ixy, ixz, iyz = map(number, inertial.tensor)
    element.add("inertia", {"ixx": ixx, "ixy": ixy, "ixz": ixz, "iyy": iyy, "iyz": iyz, "izz": izz})
    restore(element, inertial.extras, FORMAT)


def _write_contact(link: Element, surface: Surface) -> None:
    """Append the properties that Bullet reads from a link; URDF has no elements for the others."""
    values = [(tag, getattr(surface, name)) for tag, name in CONTACT.items()]
    if any(value is not None for _, value in values) or surface == Surface():
        element = link.add("contact")
        for tag, value in values:
            if value is not None:
                element.add(tag, {"value": number(value)})
