"""Geoms and sites of an MJCF body."""

from __future__ import annotations

from msgspec.structs import replace

from converters.mjcf.assets.elements import pick
from converters.mjcf.assets.shading import painted_over
from converters.mjcf.document.compiler import read_pose
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.demands import SPANNED
from converters.mjcf.document.loading import MjcfLoading, Nesting, Part
from converters.mjcf.document.scaling import sized_shape
from converters.mjcf.tables import FORMAT, GROUPS, SURFACE
from converters.source.text import numbers
from converters.source.xml import Node
from ir.names import unique
from ir.pose import from_z_to
from ir.scene import Scene
from ir.types import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Extra,
    Frame,
    Geom,
    HeightField,
    Mesh,
    Plane,
    Pose,
    Role,
    Shape,
    Sphere,
    Surface,
    Vec4,
)

FITTED = ("sphere", "capsule", "cylinder", "ellipsoid", "box")
"""Shapes that MuJoCo fits to a mesh if a geom of this type also names one."""
SHAPES = (*FITTED, "plane", "mesh", "hfield")
ITSELF = "sdf"
"""The geom type whose mesh collides with its own triangles instead of its convex hull."""
GREY: Vec4 = (0.5, 0.5, 0.5, 1.0)
"""The default colour of a geom; MuJoCo treats it as "not given" if there is a material."""


def read_geom(loading: MjcfLoading, node: Node, body: str, massive: bool, place: Nesting) -> Geom:
    """Read a geom. Its mass matters only in bodies without an inertial; a density of 0 means no mass."""
    node.visit()
    part = place.part
    element = part.defaults.of(node, place.childclass)
    contype, conaffinity, group = (element.number(name) for name in ("contype", "conaffinity", "group"))
    masks = (1 if contype is None else int(contype), 1 if conaffinity is None else int(conaffinity))
    shown = 0 if group is None else int(group)
    role = _role(masks, shown, element.class_name)
    natural = (0, 0) if role not in Role.COLLIDING else (1, 1)
    density, mass = _density_and_mass(element, massive, part.settings.from_geoms)
    name, label = loading.name(node, f"{body}_geom", place)
    shape, pose = _read_shape(part, element, loading.scene)
    shape = sized_shape(shape, place.size)
    if isinstance(shape, Mesh) and not shape.fit and role in Role.COLLIDING:
        shape = replace(shape, hull=True)  # MuJoCo collides with the hull, whatever is drawn
    material, inline = _read_look(loading, part, element)
    return Geom(
        name=name,
        label=label,
        role=role,
        shape=shape,
        pose=place.inside(pose),
        material=material,
        inline=inline,
        surface=_read_surface(element, masks if masks != natural else None),
        density=density,
        mass=mass,
        group=None if shown == GROUPS.get(role, GROUPS[""]) else shown,
        source=element.source,
        extras=element.leftover(loading.rest(node)),
    )


def _role(masks: tuple[int, int], group: int, class_name: str) -> str:
    """Return the role: colliding geoms are for collision, and also visual if their group is shown.

    A geom that neither collides nor is shown has the role that its class names.
    """
    if masks != (0, 0):
        return Role.COLLISION if group >= GROUPS[Role.COLLISION] else Role.BOTH
    return class_name if group >= GROUPS[""] and class_name != MAIN else Role.VISUAL


def _density_and_mass(element: Resolved, massive: bool, from_geoms: bool) -> tuple[float | None, float | None]:
    """Return density and mass. A density of 0 becomes None, except beside an inertial that is ignored, where None is
    the default; 1000 kg/m^3 if neither is given and there is no inertial."""
    density, mass = element.number("density"), element.number("mass")
    if density is None and mass is None and not massive:
        density = 1000.0
    return density if massive and from_geoms else density or None, mass


def _read_look(loading: MjcfLoading, part: Part, element: Resolved) -> tuple[str | None, bool]:
    """Return the material, and whether only this geom uses it: the colour of a geom replaces that of its material."""
    name = pick(element, "material", part)
    rgba = element.quadruple("rgba")
    if rgba is None or rgba == GREY:
        return name, False
    key = (name, rgba)
    if key not in loading.looks:
        materials = loading.scene.materials
        own = loading.looks[key] = unique(f"{name or 'rgba'}_{len(loading.looks)}", materials)
        base = materials[name] if name is not None else None
        loading.scene.add("material", replace(painted_over(base, own, rgba), source=element.source))
    return loading.looks[key], True


def _read_surface(element: Resolved, masks: tuple[int, int] | None) -> Surface | None:
    text = element.merged("friction")
    parameters = element.texts(SURFACE)
    if text is None and masks is None and not parameters:
        return None
    friction = (element.parsed("friction", text) if text is not None else None) or ()
    given: list[float | None] = [*friction[:3], None, None, None]
    mu, torsional, rolling = given[:3]
    return Surface(
        mu=mu,
        torsional=torsional,
        rolling=rolling,
        category=masks[0] if masks else None,
        collide=masks[1] if masks else None,
        parameters=parameters,
    )


def _read_shape(part: Part, element: Resolved, scene: Scene) -> tuple[Shape | None, Pose]:
    """Return the shape in full sizes and its pose; fromto sets length and pose, z from its second to first point."""
    settings = part.settings
    word = element.look("type") or "sphere"
    if word not in SHAPES and not (word == ITSELF and _has_triangles(part, element, scene)):  # kept as it stands
        return None, read_pose(element, settings)
    element.get("type")
    if word == "hfield":
        return _height_field(part, element), read_pose(element, settings)
    if word in ("mesh", ITSELF) or (word in FITTED and element.look("mesh")):
        return _mesh(part, element, word), read_pose(element, settings)
    a, b, c = element.leading("size", (0.0, 0.0, 0.0))
    ends = element.vector("fromto", 6) if word in SPANNED else None
    if ends is not None:
        pose, half = between(ends)
        b, c = (half, c) if word in ("capsule", "cylinder") else (a, half)
    else:
        pose = read_pose(element, settings)
    match word:
        case "sphere":
            shape: Shape = Sphere(radius=a)
        case "capsule":
            shape = Capsule(radius=a, length=2 * b)
        case "cylinder":
            shape = Cylinder(radius=a, length=2 * b)
        case "box":
            shape = Box(size=(2 * a, 2 * b, 2 * c))
        case "ellipsoid":
            shape = Ellipsoid(radii=(a, b, c))
        case _:
            shape = Plane(size=(2 * a, 2 * b), spacing=c)
    return shape, pose


def _has_triangles(part: Part, element: Resolved, scene: Scene) -> bool:
    """Whether the mesh of a geom has triangles, and no plugin that generates them at compile time."""
    asset = scene.assets.get(part.names.get(("mesh", element.look("mesh") or ""), ""))
    return asset is not None and not any(each.path.startswith("plugin") for each in asset.extras)


def _mesh(part: Part, element: Resolved, word: str) -> Mesh | None:
    authored = element.look("mesh") or ""
    asset = pick(element, "mesh", part)
    if asset is None and authored:
        return None
    if asset is None:
        element.node.refuse("<geom type='mesh'> names no mesh", "REF-MISSING")
        return None
    scale = part.scales.get(authored, (1.0, 1.0, 1.0))
    return Mesh(asset=asset, scale=scale, fit="" if word == "mesh" else word)


def _height_field(part: Part, element: Resolved) -> HeightField | None:
    authored = element.look("hfield")
    asset = pick(element, "hfield", part)
    if asset is None or authored is None:
        return None
    x, y, height, base = part.fields.get(authored, (1.0, 1.0, 1.0, 1.0))
    return HeightField(asset=asset, size=(2 * x, 2 * y, height), base=base)


def between(ends: tuple[float, ...]) -> tuple[Pose, float]:
    """Return the midpoint of two points as a pose with z from the second to the first, and half their distance."""
    x, y, z = (ends[axis] - ends[axis + 3] for axis in range(3))
    middle = tuple((ends[axis] + ends[axis + 3]) / 2 for axis in range(3))
    length = (x * x + y * y + z * z) ** 0.5
    rotation = from_z_to((x, y, z)) if length else (1.0, 0.0, 0.0, 0.0)
    return Pose((middle[0], middle[1], middle[2]), rotation), length / 2


def read_site(loading: MjcfLoading, node: Node, body: str, place: Nesting) -> Frame:
    """Read a site as a frame; the appearance of its marker is kept in its extras."""
    node.visit()
    element = place.part.defaults.of(node, place.childclass)
    name, label = loading.name(node, f"{body}_site", place)
    made: tuple[Extra, ...] = ()
    ends = element.vector("fromto", 6)
    if ends is not None:
        pose, half = between(ends)
        a, *_ = element.leading("size", (0.005, 0.005, 0.005))
        sizes = (a, half) if element.look("type") in ("capsule", "cylinder") else (a, a, half)
        node.get("size")
        made = (Extra(format=FORMAT, path="@size", text=numbers(sizes), source=element.source),)
    else:
        pose = read_pose(element, place.part.settings)
    extras = element.leftover(loading.rest(node))
    if made:
        extras = (*(extra for extra in extras if extra.path != "@size"), *made)
    if place.part.prefix:
        extras = tuple(replace(each, text=place.part.called(each.path[1:], each.text)) for each in extras)
    return Frame(name=name, label=label, pose=place.inside(pose), role="site", source=element.source, extras=extras)
