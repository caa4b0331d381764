"""<visual> and <collision>, in both directions."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import put, real, scalar, write_pose
from converters.sdf.parts.materials import read_material, write_material
from converters.sdf.parts.shapes import read_shape, write_shape
from converters.sdf.parts.surface import read_surface, write_surface
from converters.source.tree import Element
from converters.source.xml import Node
from ir.types import Geom, Material, Mesh, Pose, Role

ROLES = {"visual": Role.VISUAL, "collision": Role.COLLISION}
HULLS = (1, 11)
"""The version that lets a mesh say that its hull is meant."""


def read_geom(node: Node, body: str, index: int, pose: Pose, loading: SdfLoading) -> Geom:
    """A visual or collision at its pose on the body. Names are unique in a link, and become so in the scene."""
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


def write_geom(
    parent: Element,
    geom: Geom,
    role: str,
    name: str,
    uris: tuple[str, str, Mapping[str, str]],
    material: Material | None,
    version: tuple[int, int],
    native: bool,
) -> Element:
    """Append the geom in one of its roles; uris are those of its mesh, of its texture and of the other images of its
    material. The element."""
    tag = next(tag for tag, known in ROLES.items() if known == role)
    element = parent.add(tag, {"name": name})
    write_pose(element, geom.pose, version=version)
    shape = geom.shape
    looks = (role, geom.role) == (Role.VISUAL, Role.BOTH)  # the hull is what collides
    if isinstance(shape, Mesh) and shape.hull and not native and (looks or version < HULLS):
        shape = replace(shape, hull=False)
    write_shape(element, shape, uris[0])
    if role == Role.VISUAL:
        if geom.transparency:
            put(element, "transparency", geom.transparency)
        write_material(element, material, uris[1], geom.extras, uris[2])
        return element
    write_surface(element, geom.surface)
    if geom.density is not None and version >= (1, 11):
        put(element, "density", geom.density)
    return element
