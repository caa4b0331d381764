"""<visual> and <collision>, in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import put, real, scalar, write_pose
from converters.sdf.parts.materials import read_material, write_material
from converters.sdf.parts.shapes import read_shape, write_shape
from converters.sdf.parts.surface import read_surface, write_surface
from converters.sdf.tables import DENSITIES
from converters.source.tree import Element
from converters.source.xml import Node
from ir.types import Geom, Material, Pose, Role

ROLES = {"visual": Role.VISUAL, "collision": Role.COLLISION}


def read_geom(node: Node, body: str, index: int, pose: Pose, loading: SdfLoading) -> Geom:
    """Read a visual or collision with its pose on the body. Names, unique per link, are made unique in the scene."""
    label = node.get("name") or ""
    name = loading.name(label or f"{body}_{node.tag}_{index}")
    where = f"body/{body}.geoms.{name}"
    visual = node.tag == "visual"
    return Geom(
        name=name,
        label=label,
        role=ROLES[node.tag],
        shape=read_shape(node, where, loading),
        pose=pose,
        material=read_material(node, f"{name}_material", where, loading) if visual else None,
        surface=None if visual else read_surface(node),
        density=None if visual else scalar(node, "density"),
        transparency=real(node, "transparency", 0.0) if visual else 0.0,
        inline=visual,
        source=node.source,
        extras=node.rest(),
    )


class Look(NamedTuple):
    """The appearance of a visual."""

    material: Material | None
    texture: str
    """URI of the material's texture, "" for none."""
    maps: Mapping[str, str]
    """URIs of the other images of the material, by role."""


def write_geom(
    parent: Element, geom: Geom, name: str, uri: str, look: Look | None, version: tuple[int, int]
) -> Element:
    """Append and return the geom, as a visual if look is given, else as a collision; uri is that of its mesh."""
    element = parent.add("collision" if look is None else "visual", {"name": name})
    write_pose(element, geom.pose, version=version)
    write_shape(element, geom.shape, uri)
    if look is not None:
        if geom.transparency:
            put(element, "transparency", geom.transparency)
        write_material(element, look.material, look.texture, geom.extras, look.maps)
        return element
    write_surface(element, geom.surface)
    if geom.density is not None and version >= DENSITIES:
        put(element, "density", geom.density)
    return element
