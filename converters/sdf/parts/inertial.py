"""<inertial>, in both directions: the default is 1 kg and the unit tensor."""

from __future__ import annotations

import math
from collections.abc import Iterable

from converters.context import InputError
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, put, raw_pose, real, scalar, write_pose
from converters.sdf.document.vocabulary import since
from converters.sdf.parts.moments import accepts
from converters.sdf.tables import FORMAT, Version
from converters.source.text import number, numbers
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.addresses import without_positions
from ir.inertia import combine, of_mesh, of_shape
from ir.pose import compose
from ir.scenery import MASSLESS
from ir.types import Geom, Inertial, Mesh, Role, Tensor

UNIT = Inertial(mass=1.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
MOMENTS = (("ixx", 1.0), ("iyy", 1.0), ("izz", 1.0), ("ixy", 0.0), ("ixz", 0.0), ("iyz", 0.0))
_OVERWRITTEN = ("pose", "inertia")
"""Elements without effect if the inertia is computed (auto, SDF 1.11)."""
DENSITY = 1000.0
"""Default density in kg/m^3."""


def read_inertial(
    link: Node, version: Version, where: str, geoms: Iterable[Geom], still: bool, loading: SdfLoading
) -> Inertial:
    """Return mass, centre of mass and tensor of a link; geoms are those of the link, and version that of the document.

    still: its model is static, so that its mass has no effect, and a missing <inertial> is not noted. A physically
    impossible tensor is kept, with an error noted.
    """
    node = link.child("inertial")
    if node is None:
        reason = "a link without <inertial> has a mass of 1 kg and the unit tensor"
        if not still:
            loading.context.note("sdf/inertial-default", where, reason, link.source, action="noted", severity="note")
        return UNIT
    if boolean(node, "@auto", False):
        found = _sum_of_collisions(node, where, geoms, loading)
        if found is not None:
            for said in node.elements():
                if said.tag in _OVERWRITTEN:
                    reason = f"auto computes it from the collisions: <{said.tag}> has no effect"
                    loading.context.note("sdf/auto-overwritten", where, reason, said.source, action="ignored")
            return _tell_impossible(found, where, node, loading)
    pose, frame = raw_pose(node, version)
    if frame:
        reason = "the pose of an inertial is relative to its link; relative_to is not supported here"
        loading.context.note("sdf/inertial-relative-to", where, reason, node.source, before=frame)
    mass = real(node, "mass", 1.0)
    inertia = node.child("inertia")
    xx, yy, zz, xy, xz, yz = (
        real(inertia, name, default) if inertia is not None else default for name, default in MOMENTS
    )
    tensor: Tensor = (xx, yy, zz, xy, xz, yz)
    return _tell_impossible(Inertial(mass=mass, tensor=tensor, pose=pose), where, node, loading)


def _tell_impossible(inertial: Inertial, where: str, node: Node, loading: SdfLoading) -> Inertial:
    """Return the inertial; an error is noted if it is physically impossible."""
    if not accepts(inertial):
        reason = (
            "physically impossible mass or moments of inertia, to libsdformat's accuracy; they are read as they are"
        )
        before = f"{number(inertial.mass)} kg, ixx iyy izz ixy ixz iyz: {numbers(inertial.tensor)}"
        loading.fault("LINK_INERTIA_INVALID", where, reason, node.source, before)
    return inertial


def _sum_of_collisions(node: Node, where: str, geoms: Iterable[Geom], loading: SdfLoading) -> Inertial | None:
    """Return the sum over the collisions (SDF 1.11), scaled if a mass is given too; None if nothing can be computed."""
    density = real(node, "density", DENSITY)
    found = [(geom, _inertial_of_geom(geom, density, loading)) for geom in geoms if geom.role == Role.COLLISION]
    parts = [part for _, part in found if part is not None]
    unread = [geom for geom, part in found if part is None and isinstance(geom.shape, Mesh)]
    if unread:
        reason = "no readable mesh file: the mass of these collisions is missing in the computed inertia"
        names = ", ".join(geom.name for geom in unread)
        loading.context.note("sdf/auto-unread", where, reason, node.source, before=names, action="noted")
    elif not parts:
        reason = "there is no collision to compute the inertia from (ELEMENT_MISSING)"
        loading.context.note("sdf/element-missing", where, reason, node.source, action="noted", severity="error")
    if not parts:
        return None
    total = combine(parts)
    mass = scalar(node, "mass")
    if mass is not None and total.mass > 0:
        factor = mass / total.mass
        xx, yy, zz, xy, xz, yz = (value * factor for value in total.tensor)
        total = Inertial(mass=mass, tensor=(xx, yy, zz, xy, xz, yz), pose=total.pose)
    if not all(map(math.isfinite, (total.mass, *total.tensor, *total.pose.pos))):
        node.refuse("the inertia of the collisions is too large to compute with (LINK_INERTIA_INVALID)")
        return None
    return total


def _inertial_of_geom(geom: Geom, usual: float, loading: SdfLoading) -> Inertial | None:
    """Return the inertia of a geom, None if unknown. usual: the density of a geom without one."""
    shape, density = geom.shape, usual if geom.density is None else geom.density
    if shape is None:
        return None
    found = _inertial_of_mesh(shape, density, loading) if isinstance(shape, Mesh) else of_shape(shape, density)
    if found is None:
        return None
    return Inertial(mass=found.mass, tensor=found.tensor, pose=compose(geom.pose, found.pose))


def _inertial_of_mesh(mesh: Mesh, density: float, loading: SdfLoading) -> Inertial | None:
    from converters.assets.meshes.files import load

    file = loading.mesh_file(mesh.asset)
    if file is None:
        return None
    try:
        parts = [of_mesh(part.vertices, part.faces, mesh.scale, density) for part in load(*file).parts]
    except (InputError, ValueError):
        return None
    found = [part for part in parts if part is not None]
    return combine(found) if found else None


def write_inertial(link: Element, inertial: Inertial | None, version: tuple[int, int]) -> None:
    """Append <inertial>: always, because the default would be 1 kg.

    In a version without auto, the extras that auto overwrites (_OVERWRITTEN) would take effect: they are left out.
    """
    element = link.add("inertial")
    inertial = inertial or MASSLESS
    write_pose(element, inertial.pose, version=version)
    put(element, "mass", inertial.mass)
    inertia = element.add("inertia")
    xx, yy, zz, xy, xz, yz = inertial.tensor
    for tag, value in (("ixx", xx), ("ixy", xy), ("ixz", xz), ("iyy", yy), ("iyz", yz), ("izz", zz)):
        put(inertia, tag, value)
    known = version >= since("inertial", "@auto")
    extras = (each for each in inertial.extras if known or without_positions(each.path) not in _OVERWRITTEN)
    restore(element, extras, FORMAT)
