"""<surface> of a collision, in both directions."""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from converters.sdf.document.values import boolean, integer, put, scalar, text, vector
from converters.source.tree import Element
from converters.source.xml import Node
from ir.base import slots
from ir.types import TWIST, Surface, Vec3

TagPath = tuple[str, ...]

NUMBERS: dict[str, TagPath] = {
    "mu": ("friction", "ode", "mu"),
    "mu2": ("friction", "ode", "mu2"),
    "slip1": ("friction", "ode", "slip1"),
    "slip2": ("friction", "ode", "slip2"),
    "torsional_coefficient": ("friction", "torsional", "coefficient"),
    "patch_radius": ("friction", "torsional", "patch_radius"),
    "rolling": ("friction", "bullet", "rolling_friction"),
    "restitution": ("bounce", "restitution_coefficient"),
    "stiffness": ("contact", "ode", "kp"),
    "damping": ("contact", "ode", "kd"),
    "max_velocity": ("contact", "ode", "max_vel"),
    "min_depth": ("contact", "ode", "min_depth"),
}
"""Field of a surface -> its path in SDFormat."""
MASKS: dict[str, TagPath] = {"collide": ("contact", "collide_bitmask"), "category": ("contact", "category_bitmask")}
FDIR: TagPath = ("friction", "ode", "fdir1")


def read_surface(collision: Node) -> Surface | None:
    """Read the <surface> of a collision; None if there is none. The category defaults to the collide mask."""
    node = collision.child("surface")
    if node is None:
        return None
    values: dict[str, Any] = {}
    for field, path in NUMBERS.items():
        owner = node.inner(path[:-1])
        if owner is not None and field == "patch_radius" and _uses_surface_radius(owner):
            continue
        if owner is not None and (value := scalar(owner, path[-1])) is not None:
            values[field] = value
    owner = node.inner(FDIR[:-1])
    if owner is not None and (direction := vector(owner, FDIR[-1], 3)) is not None:
        values["fdir1"] = cast("Vec3", direction)
    for field, path in MASKS.items():
        owner = node.inner(path[:-1])
        if owner is not None and text(owner, path[-1]):
            values[field] = integer(owner, path[-1]) & 0xFFFF
    if "collide" in values:
        values.setdefault("category", values["collide"])
    contact = node.child("contact")
    if contact is not None and boolean(contact, "collide_without_contact", False):
        values["contactless"] = True
    return Surface(**values) if values else None


def _uses_surface_radius(torsional: Node) -> bool:
    """Whether the patch is computed from the radius of the surface: then patch_radius has no effect."""
    said = torsional.findall("use_patch_radius")
    return any("".join(map(str, item.content)).strip().lower() in ("0", "false") for item in said)


def twisting(surface: Surface) -> Surface:
    """Convert a torsional friction in metres to a coefficient and the radius of the contact patch: the one of the
    source, if given."""
    if surface.torsional is None:
        return surface
    reach = surface.torsional / TWIST
    radius = surface.patch_radius or reach
    if TWIST * (surface.torsional_coefficient or 0.0) * radius == surface.torsional:
        return surface
    return replace(surface, torsional_coefficient=reach / radius if radius else 0.0, patch_radius=radius)


def writable_surface(surface: Surface | None) -> bool:
    """Whether SDFormat can express all of the surface."""
    if surface is None:
        return True
    places = {*NUMBERS, *MASKS, "fdir1", "contactless"}
    return all(slot.name in places or getattr(surface, slot.name) == slot.default for slot in slots(Surface))


def write_surface(parent: Element, surface: Surface | None) -> None:
    """Append <surface> with the fields that SDFormat can express."""
    if surface is None:
        return
    root = Element("surface")
    surface = twisting(surface)
    for field, path in (*NUMBERS.items(), ("fdir1", FDIR), *MASKS.items()):
        value = getattr(surface, field)
        if value is not None:
            put(_element_at(root, path[:-1]), path[-1], value)
    if surface.contactless:
        put(_element_at(root, ("contact",)), "collide_without_contact", True)
    if root.content:
        parent.content.append(root)


def _element_at(root: Element, path: TagPath) -> Element:
    for tag in path:
        root = root.find(tag) or root.add(tag)
    return root


def rougher_across(surface: Surface | None) -> tuple[float, float] | None:
    """Return mu and mu2 of a surface if mu2 is larger; both default to 1. Gazebo uses them for two directions. In Drake
    mu is the static friction and mu2 the dynamic one: it refuses a model in which the dynamic one is larger."""
    if surface is None:
        return None
    mu, mu2 = (1.0 if value is None else value for value in (surface.mu, surface.mu2))
    return (mu, mu2) if mu2 > mu else None
