"""<geometry>, in both directions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from converters.faults import sure
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, parse, put, real, refuse, text, triple, vector
from converters.source.text import words
from converters.source.tree import Element
from converters.source.xml import Node
from ir.pose import direction
from ir.types import (
    ONES,
    UP,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HeightField,
    Mesh,
    Plane,
    Polyline,
    Shape,
    Sphere,
    Vec2,
    Vec3,
)

SINCE: dict[type, tuple[int, int]] = {Capsule: (1, 8), Ellipsoid: (1, 8), Cone: (1, 11)}
"""Shape -> the version that introduced it."""
DRAKE = ("drake:ellipsoid", "drake:capsule")


def read_shape(node: Node, where: str, loading: SdfLoading) -> Shape | None:
    """Read the shape in the <geometry> of a visual or collision; None if there is none with a meaning."""
    geometry = node.child("geometry")
    if geometry is None:
        reason = "there is no <geometry>: a geom without a shape"
        loading.context.note("sdf/geometry-missing", where, reason, node.source, action="noted")
        return None
    drake = geometry.peek(*DRAKE)
    if drake is not None:  # Drake uses it instead of the shape given for other programs
        return _drake_shape(drake.visit())
    found = [item for item in geometry.elements() if item.tag in _READERS]
    if not found:
        tags = ", ".join(geometry.tags())
        image = geometry.peek("image")
        if image is not None:  # the pass for images converts it for other formats
            uri = image.peek("uri")
            loading.asset(uri.own_text() if uri is not None else "", "image", image)
        elif tags != "empty":
            reason = f"no shape that is known here: {tags or 'nothing'}; kept as it is, without a shape"
            loading.context.note("sdf/geometry-without-shape", where, reason, geometry.source, action="noted")
        return None
    if len({item.tag for item in found}) > 1:
        reason = "two shapes in one <geometry>; the first one is used"
        loading.context.note("sdf/geometry-two-shapes", where, reason, found[1].source)
    return _READERS[found[0].tag](found[0].visit(), where, loading)


def _drake_shape(item: Node) -> Shape:
    if item.tag == "drake:ellipsoid":
        a, b, c = (real(item, name, 1.0) for name in "abc")
        return Ellipsoid(radii=(a, b, c))
    return Capsule(radius=real(item, "radius", 0.5), length=real(item, "length", 1.0))


HEIGHTS = "heightmap"
"""Kind of the asset of a height field."""
SIZED: Mapping[str, tuple[type[Shape], Mapping[str, float | Vec3]]] = {
    "box": (Box, {"size": ONES}),
    "sphere": (Sphere, {"radius": 1.0}),
    "cylinder": (Cylinder, {"radius": 1.0, "length": 1.0}),
    "capsule": (Capsule, {"radius": 0.5, "length": 1.0}),
    "cone": (Cone, {"radius": 1.0, "length": 1.0}),
    "ellipsoid": (Ellipsoid, {"radii": ONES}),
}
"""Tag -> the shape and its fields, named as their elements, with their defaults."""
TAGS: Mapping[type, str] = {kind: tag for tag, (kind, _) in SIZED.items()}


def _sized_shape(item: Node, where: str, loading: SdfLoading) -> Shape:
    kind, sizes = SIZED[item.tag]
    values: dict[str, Any] = {
        name: triple(item, name, default) if isinstance(default, tuple) else real(item, name, default)
        for name, default in sizes.items()
    }
    return kind(**values)


def _plane(item: Node, where: str, loading: SdfLoading) -> Shape:
    normal = triple(item, "normal", UP)
    if not 0 < math.hypot(*normal) < math.inf:
        refuse(item, "normal", f"{normal} has no direction")
        normal = UP
    return Plane(normal=direction(normal), size=cast("Vec2", vector(item, "size", 2) or (1.0, 1.0)))


HULL = "convex_hull"
"""The only value of mesh/@optimization (collision geometry made from a mesh) that the graph knows."""


def _mesh(item: Node, where: str, loading: SdfLoading) -> Shape:
    uri = _file_address(item)
    if not uri:
        loading.fault("ELEMENT_MISSING", where, "the mesh has no <uri>", item.source)
    submesh = item.child("submesh")
    convex = item.attrs.get("optimization") == HULL
    if convex:  # any other value stays unread
        item.get("optimization")
    return Mesh(
        asset=loading.asset(uri, "mesh", item),
        scale=triple(item, "scale", ONES),
        submesh=(text(submesh, "name") or None) if submesh is not None else None,
        centred=submesh is not None and boolean(submesh, "center", False),
        hull=item.child("drake:declare_convex") is not None or convex,
    )


def _file_address(item: Node) -> str:
    """Return the URI of a shape's file: its <uri>, the <filename> of 1.2, or the attribute of 1.0; "" if not given."""
    return text(item, "uri") or text(item, "filename") or ""


def _heightmap(item: Node, where: str, loading: SdfLoading) -> Shape:
    return HeightField(asset=loading.asset(_file_address(item), HEIGHTS, item), size=triple(item, "size", ONES))


def _polyline(item: Node, where: str, loading: SdfLoading) -> Shape:
    """Read one outline; further <polyline> elements, which make holes, remain as extras."""
    read = [point.attempt(_read_point, point) for point in item.children("point")]
    points = tuple(point for point in read if point is not None)
    return Polyline(points=points, height=real(item, "height", 1.0))


def _read_point(point: Node) -> Vec2:
    found = words(point.text())
    if len(found) != 2:
        raise point.fail(f"<point>: {' '.join(found)!r} needs 2 numbers (ELEMENT_INVALID)")
    x, y = (sure(parse(point, "point", word)) for word in found)
    return x, y


_READERS = {
    **dict.fromkeys(SIZED, _sized_shape),
    "plane": _plane,
    "mesh": _mesh,
    "heightmap": _heightmap,
    "polyline": _polyline,
}


def writable(shape: Shape | None, version: tuple[int, int]) -> bool:
    """Whether this version of SDFormat has the shape."""
    return shape is not None and version >= SINCE.get(type(shape), (1, 0))


def write_shape(parent: Element, shape: Shape | None, uri: str) -> None:
    """Append <geometry>; uri is the URI of the file of a mesh or height field."""
    geometry = parent.add("geometry")
    match shape:
        case Box() | Sphere() | Cylinder() | Capsule() | Cone() | Ellipsoid():
            element = geometry.add(TAGS[type(shape)])
            for name in SIZED[element.tag][1]:
                put(element, name, getattr(shape, name))
        case Plane(normal=normal, size=plane):
            element = geometry.add("plane")
            put(element, "normal", normal)
            put(element, "size", tuple(value or 100.0 for value in plane))
        case Mesh():
            _write_mesh(geometry.add("mesh"), shape, uri)
        case HeightField(size=size):
            element = geometry.add("heightmap")
            put(element, "uri", uri)
            put(element, "size", size)
        case Polyline(points=points, height=height):
            element = geometry.add("polyline")
            for point in points:
                put(element, "point", point)
            put(element, "height", height)


def _write_mesh(element: Element, mesh: Mesh, uri: str) -> None:
    if mesh.hull:
        element.attrs["optimization"] = HULL
    if mesh.scale != ONES:
        put(element, "scale", mesh.scale)
    put(element, "uri", uri)
    if mesh.submesh is not None:
        submesh = element.add("submesh")
        put(submesh, "name", mesh.submesh)
        if mesh.centred:
            put(submesh, "center", True)
