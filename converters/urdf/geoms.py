"""Visuals, collisions and similar elements with their shapes, in both directions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.beside import AssetFiles
from converters.assets.solids import capsule_parts, solid
from converters.faults import sure
from converters.source.text import number, numbers, parse_numbers
from converters.source.tree import Element, restore
from converters.source.xml import Node
from converters.urdf.files import asset_key
from converters.urdf.loading import UrdfLoading, leftovers
from converters.urdf.materials import Materials, Palette, parse_scale
from converters.urdf.poses import read_origin, same_axis, write_origin
from converters.urdf.tables import ELLIPSOID_TAGS, FORMAT, ROLES, SHAPE_TAGS, SHAPES, STANDARD
from ir.names import Spares, label_of, unique
from ir.pose import direction
from ir.shapes import sizeless
from ir.types import IDENTITY, ONES, Body, Capsule, Ellipsoid, Extra, Geom, Mesh, Plane, Pose, Role, Shape, Vec3

RADII = (("a", 1), ("b", 1), ("c", 1))
MATERIAL = "material["
"""Prefix of the paths of extras at the material of a geom."""


def read_geom(node: Node, body: str, index: int, loading: UrdfLoading, materials: Materials) -> Geom:
    """Read a child of a link with a <geometry>; any tag but visual and collision is a custom role."""
    authored = node.get("name") or ""
    name = loading.geoms.of(authored or f"{body}_{node.tag}_{index}")
    label = label_of(name, authored)
    where = f"body/{body}.geoms.{name}"
    role = ROLES.get(node.tag, node.tag)
    pose = node.attempt(read_origin, node, loading, where) or IDENTITY
    shape = node.attempt(_read_geometry, node, name, role, where, loading)
    material, inline = None, False
    if role == Role.VISUAL:
        material, inline = materials.read_inline(node, where)
    else:
        node.ignore("material", "urdf/collision-material")
    return Geom(
        name=name,
        label=label,
        role=role,
        shape=shape,
        pose=pose,
        material=material,
        inline=inline,
        source=node.source,
        extras=leftovers(node),
    )


def _read_geometry(node: Node, name: str, role: str, where: str, loading: UrdfLoading) -> Shape | None:
    geometry = node.peek("geometry")
    if geometry is None:
        reason = "there is no <geometry> here: a geom without a shape"
        loading.context.note("urdf/geometry-empty", where, reason, node.source, action="noted")
        loading.spelling[f"geom/{name}/geometry"] = "absent"
        return None
    geometry.visit()
    unread = ""
    for item in geometry.elements():
        fault = _fault_of_shape(item) if item.tag not in STANDARD or role not in ROLES.values() else ""
        unread = unread or fault
        if fault:
            continue
        if item.tag in SHAPES:
            kind, attributes = SHAPES[item.tag]
            item.visit()
            shape: Shape = kind(**{name: _measures(item, name, count) for name, count in attributes})
            shape = _read_plane(item, shape, name, where, loading) if isinstance(shape, Plane) else shape
        elif item.tag == "mesh" and item.get("filename"):
            shape = _read_mesh(item.visit(), name, where, loading)
        elif item.tag in ELLIPSOID_TAGS:
            item.visit()
            shape = Ellipsoid(radii=cast("Vec3", tuple(_measures(item, name, 1) for name, _ in RADII)))
        else:
            continue
        if item.tag != _tag_of(shape):
            loading.spelling[f"geom/{name}"] = item.tag
        return shape
    tags = geometry.tags()
    reason = f"not a shape of URDF: {', '.join(tags)}" if tags else "an empty geometry"
    if "mesh" in tags:
        reason = "a <mesh> without a filename"
    reason = f"{unread or reason}; kept as it is, without a shape"
    loading.context.note("urdf/geometry-empty", where, reason, geometry.source, action="noted")
    return None


def _fault_of_shape(item: Node) -> str:
    """Return why a shape is invalid, where this does not make the reader refuse the document; "" if it is valid."""
    attributes = RADII if item.tag in ELLIPSOID_TAGS else SHAPES[item.tag][1] if item.tag in SHAPES else ()
    for name, count in attributes:
        text = item.attrs.get(name)
        if text is None and item.tag == "plane":
            continue
        try:
            values = parse_numbers(text or "")
        except ValueError as error:
            return f"<{item.tag} {name}={text!r}>: {error}"
        if len(values) != count:
            return f"<{item.tag} {name}={text!r}> needs {count} numbers" if text else f"<{item.tag}> has no {name!r}"
        if item.tag == "plane" and not any(values):
            return f"<plane {name}={text!r}> has no direction"
    return ""


def _measures(item: Node, name: str, count: int) -> Any:
    if name not in item.attrs:
        if item.tag == "plane":
            return Plane().normal
        raise item.lacking(name)
    return sure(item.number(name) if count == 1 else item.vector(name, count))


def _read_plane(item: Node, plane: Plane, name: str, where: str, loading: UrdfLoading) -> Plane:
    """Scale the normal to length 1, keeping the original as spelling."""
    normal = direction(plane.normal)
    if normal == plane.normal:
        return plane
    said = loading.spelling[f"geom/{name}/normal"] = numbers(plane.normal)
    reason = "the normal of a plane is scaled to length 1"
    place = f"{where}.shape.normal"
    loading.context.note(
        "urdf/plane-normal", place, reason, item.place("normal"), before=said, after=numbers(normal), severity="note"
    )
    return replace(plane, normal=normal)


def _read_mesh(item: Node, name: str, where: str, loading: UrdfLoading) -> Mesh:
    scale = item.attempt(parse_scale, item)
    if scale == ONES:
        loading.spelling[f"geom/{name}/scale"] = "written"
    if scale is not None and len(scale) != 3:
        text = item.get("scale") or ""
        scale = scale * 3 if len(scale) == 1 else scale[:3]
        reason = "a scale is three numbers; one alone scales all axes, and only the first three are used"
        loading.context.note("urdf/mesh-scale", where, reason, item.place("scale"), before=text, after=numbers(scale))
    key = asset_key(loading, item.need("filename"), "mesh", item.source)
    hull = item.child("drake:declare_convex") is not None
    return Mesh(asset=key, scale=cast("Vec3", scale or ONES), hull=hull)


def _tag_of(shape: Shape) -> str:
    if isinstance(shape, Mesh):
        return "mesh"
    return ELLIPSOID_TAGS[0] if isinstance(shape, Ellipsoid) else SHAPE_TAGS.get(type(shape), "")


# -------------------------------------------------------------------------------------------------------------- writing


class Shapes(Struct):
    """What writing geoms requires to know of the whole scene, and the resulting folds."""

    palette: Palette
    files: AssetFiles
    spelling: Mapping[str, str]
    native: bool
    """The scene was read from URDF: its capsules, labels and geoms without a shape are written as they were."""
    brought: Collection[str]
    """Scene.brought: entities that an edit added or changed."""
    capsules: bool
    """The version has capsules."""
    kept: bool
    """Capsules are written as they were, in any version."""
    sized: bool
    """urdfdom refuses a robot of this version in which a shape has no size."""
    heard: Mapping[str, Collection[str]]
    """Link -> its parts (by tag) that <gazebo> blocks refer to; none if the names are from URDF."""
    taken: Spares = field(default_factory=lambda: Spares(()))
    folds: dict[str, list[str]] = field(default_factory=dict)
    """Geom -> the names that the reader gives to the elements written for it."""
    collisions: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Link -> source name of each colliding geom -> indices of the collisions written for it."""


def write_geoms(link: Element, body: Body, shapes: Shapes) -> None:
    """Append every geom that URDF can express; names are omitted where the reader generates the same ones."""
    counts: dict[str, int] = {}
    for geom in body.geoms:
        native = _is_written_plainly(geom, shapes)
        if geom.shape is None and not native:
            continue
        parts = [
            (tag, name, shape, pose)
            for tag in ((Role.VISUAL, Role.COLLISION) if geom.role == Role.BOTH else (geom.role,))
            for name, shape, pose in _written_shapes(geom, tag, shapes)
            if shape is None
            or (
                _tag_of(shape)
                and not (isinstance(shape, Mesh) and not shapes.files.uri(shape.asset))
                and (native or solid(shape) is None or shapes.files.folder)
                and not (shapes.sized and sizeless(shape))
            )
        ]
        names: list[str] = []
        for tag, name, shape, pose in parts:
            index = counts[tag] = counts.get(tag, -1) + 1
            element = link.add(tag)
            heard = tag in shapes.heard.get(body.name, ())
            written, read = _name_and_owner(
                geom, name, f"{body.name}_{tag}_{index}", body.name if heard else "", shapes
            )
            if written:
                element.attrs["name"] = written
            names.append(read)
            if tag == Role.COLLISION:
                own = shapes.collisions.setdefault(link.attrs["name"], {})
                own.setdefault(geom.label or geom.name, []).append(index)
            write_origin(element, pose, geom.extras)
            if shape is not None:
                _write_shape(element.add("geometry"), shape, geom.name, shapes, native)
            elif f"geom/{geom.name}/geometry" not in shapes.spelling:
                element.add("geometry")
            defined = tag == Role.VISUAL and shapes.palette.write_inline(element, geom)
            restore(element, _extras_of_tag(geom, tag, defined), FORMAT)
        if names and names != [geom.name]:
            shapes.folds[geom.name] = names


def _is_written_plainly(geom: Geom, shapes: Shapes) -> bool:
    return shapes.native and f"geom/{geom.name}" not in shapes.brought


def _extras_of_tag(geom: Geom, tag: str, defined: bool) -> tuple[Extra, ...]:
    """Return the extras to write. Those at the material of a geom without one do not belong to the visual if the geom
    also collides; those inside a material do not belong to the collision.

    An empty <material> is dropped if the geom has got a material since, because the first <material> of a visual is the
    one in use. So are the extras in it, if the new material is defined there.
    """
    none, shown = f"{MATERIAL}1]", geom.material is not None

    def kept(path: str) -> bool:
        if not path.startswith(MATERIAL):
            return True
        if tag != Role.VISUAL:
            return not (geom.role == Role.BOTH and shown and "/" in path)
        if shown:
            return path != none and not (defined and path.startswith(none))
        return geom.role != Role.BOTH and not path.startswith(f"{none}/")

    return tuple(extra for extra in geom.extras if kept(extra.path))


def _written_shapes(geom: Geom, tag: str, shapes: Shapes) -> list[tuple[str, Shape | None, Pose]]:
    """Return the geom as (name, shape, pose): three of them for a capsule if the version has none."""
    name = geom.name if tag == geom.role or tag == Role.VISUAL else f"{geom.name}_{tag}"
    shape = geom.shape
    if isinstance(shape, Mesh) and shape.hull and (tag, geom.role) == (Role.VISUAL, Role.BOTH):
        shape = replace(shape, hull=False)  # only the collision shape is a hull
    if not isinstance(shape, Capsule) or shapes.capsules or (shapes.kept and _is_written_plainly(geom, shapes)):
        return [(name, shape, geom.pose)]
    return [*capsule_parts(name, shape, geom.pose)]


def _name_and_owner(geom: Geom, name: str, made: str, above: str, shapes: Shapes) -> tuple[str, str]:
    """Return the name written for a geom or a part of it ("" for none), and the one its reader gives it.

    Several geoms can share a name in URDF: that of the source is kept. made: the reader's name for an unnamed one.
    above: a required prefix, the name of its link. libsdformat takes a part with any other name as one of another link,
    and ignores what a <gazebo> block sets for this one (parser_urdf.cc, InsertSDFExtensionCollision; sdformat issue
    333).
    """
    label = geom.label
    if label == "" and name == geom.name:
        written = "" if name == unique(made, shapes.taken) else name
    else:
        written = label + name.removeprefix(geom.name) if label and label in shapes.taken else name
    if written and not written.startswith(above):
        written = f"{above}_{written}"
    return written, shapes.taken.of(written or made)


def _write_shape(geometry: Element, shape: Shape, name: str, shapes: Shapes, native: bool) -> None:
    found = None if native else solid(shape)
    if found is not None:  # Drake and Tesseract have elements for them; all others refuse the link
        attrs = {"filename": shapes.files.made(found[0]), "scale": numbers(found[1])}
        geometry.add("mesh", attrs)
        return
    tag = shapes.spelling.get(f"geom/{name}", "")
    if (tag not in SHAPES and tag not in ELLIPSOID_TAGS) or SHAPES.get(tag, (Ellipsoid,))[0] is not type(shape):
        tag = _tag_of(shape)
    element = geometry.add(tag)
    if isinstance(shape, Mesh):
        element.attrs["filename"] = shapes.files.uri(shape.asset)
        if shape.scale != ONES or f"geom/{name}/scale" in shapes.spelling:
            element.attrs["scale"] = numbers(shape.scale)
        if shape.hull:
            element.add("drake:declare_convex")
    elif isinstance(shape, Ellipsoid):
        element.attrs.update(zip("abc", map(number, shape.radii), strict=True))
    else:
        for size, count in SHAPES[tag][1]:
            value = getattr(shape, size)
            element.attrs[size] = number(value) if count == 1 else numbers(value)
        said = shapes.spelling.get(f"geom/{name}/normal", "") if isinstance(shape, Plane) else ""
        if isinstance(shape, Plane) and same_axis(said, shape.normal):
            element.attrs["normal"] = said
