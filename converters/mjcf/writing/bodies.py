"""Bodies, joints, geoms and sites of the MJCF writer."""

from __future__ import annotations

from collections.abc import Iterable

from converters.mjcf.bodies.views import write_camera, write_light
from converters.mjcf.document.attributes import pose_attributes
from converters.mjcf.document.compiler import FORMS
from converters.mjcf.relations.keyframes import is_mocap
from converters.mjcf.tables import ANGLES, DOF_NUMBERS, FAR, FORMAT, SURFACE
from converters.mjcf.writing.materials import WrittenLooks
from converters.source.text import number, numbers
from converters.source.tree import Element, restore
from ir.inertia import principal
from ir.pose import from_z_to, multiply
from ir.types import (
    SCALAR,
    TWIST,
    Body,
    Box,
    Capsule,
    Cylinder,
    Dof,
    DofKind,
    Ellipsoid,
    Extra,
    Geom,
    HeightField,
    Inertial,
    Joint,
    Mesh,
    Plane,
    Pose,
    Role,
    Shape,
    Sphere,
    Surface,
)

TYPES = {DofKind.HINGE: "hinge", DofKind.SLIDE: "slide", DofKind.BALL: "ball"}


def write_body(parent: Element, body: Body, joint: Joint | None, robot: str | None) -> Element:
    """Write a body with its name; every link becomes one, and the inertial is explicit if there is mass."""
    attrs = {"name": body.name}
    if robot is not None:
        attrs["childclass"] = robot
    if joint is not None:
        attrs |= pose_attributes(joint.pose)
    if joint is not None and is_mocap(body, joint):
        attrs["mocap"] = "true"
    if body.gravity != 1.0:
        attrs["gravcomp"] = number(1.0 - body.gravity)
    element = parent.add("body", attrs)
    if body.inertial is not None:
        _write_inertial(element, body.inertial)
    return element


def _write_inertial(element: Element, inertial: Inertial) -> None:
    """Write principal moments and axes.

    MuJoCo would refuse the fullinertia of exactly planar tensors in a quarter of all orientations.
    """
    rotation, moments = principal(inertial.tensor)
    quat = multiply(inertial.pose.rot, rotation)
    attrs = {"pos": numbers(inertial.pose.pos)}
    if quat != (1.0, 0.0, 0.0, 0.0):
        attrs["quat"] = numbers(quat)
    element.add("inertial", attrs | {"mass": number(inertial.mass), "diaginertia": numbers(flattened(moments))})


def flattened(moments: tuple[float, float, float]) -> tuple[float, float, float]:
    """Remove the rounding error by which the largest moment exceeds the sum of the others.

    MuJoCo compares without tolerance.
    """
    a, b, c = sorted(moments)
    if not a + b < c <= (a + b) * (1 + 1e-9):
        return moments
    first, second, third = (a + b if moment == c else moment for moment in moments)
    return (first, second, third)


def write_joints(element: Element, joint: Joint) -> None:
    """Write one element per degree of freedom, in order; passes.joints has removed free ones that MuJoCo refuses,
    except those of the author."""
    for dof in joint.dofs:
        if dof.kind is DofKind.FREE:
            _write_free(element, dof)
        elif dof.kind in TYPES:
            element.add("joint", _joint_attributes(dof))


def _write_free(element: Element, dof: Dof) -> None:
    """Write <freejoint>, or <joint> if there are attributes that only <joint> has."""
    parameters = dict(dof.parameters)
    attrs = {"name": dof.name} | _dof_numbers(dof)
    if len(attrs) == 1 and parameters.keys() <= {"group", "align"}:
        element.add("freejoint", {"name": dof.name} | parameters)
    else:
        element.add("joint", attrs | {"type": "free"} | parameters)


def _joint_attributes(dof: Dof) -> dict[str, str]:
    attrs = {"name": dof.name, "type": TYPES[dof.kind]}
    if dof.kind is not DofKind.BALL:
        attrs["axis"] = numbers(dof.axis)
    if dof.anchor != (0.0, 0.0, 0.0):
        attrs["pos"] = numbers(dof.anchor)
    if dof.lower is not None or dof.upper is not None:
        attrs["range"] = numbers((-FAR if dof.lower is None else dof.lower, FAR if dof.upper is None else dof.upper))
    attrs |= _dof_numbers(dof)
    if dof.effort and dof.effort > 0.0:  # 0 is unlimited in MuJoCo, and stands for unknown in URDF
        attrs["actuatorfrcrange"] = numbers((-dof.effort, dof.effort))
    return attrs | dict(dof.parameters)


def _dof_numbers(dof: Dof) -> dict[str, str]:
    """Return the numbers of a dof that are not the default; MuJoCo knows references of angles and lengths only."""
    known = (each for each in DOF_NUMBERS if dof.kind in SCALAR or each[0] not in ANGLES)
    return {name: number(value) for name, field, default in known if (value := getattr(dof, field)) != default}


def write_geoms(element: Element, body: Body, look: WrittenLooks, robot: str | None) -> None:
    """Write the geoms; a mesh in several files becomes several geoms, which the folds of the output combine again."""
    for geom in body.geoms:
        for index, (name, shape, pose, material) in enumerate(look.parts(geom)):
            attrs = {"name": name}
            if geom.role != Role.BOTH:
                attrs["class"] = geom.role
            elif robot is not None:
                attrs["class"] = robot
            attrs |= shape_attributes(shape)
            if isinstance(geom.shape, Mesh) and geom.shape.fit and isinstance(shape, str):
                attrs["type"] = geom.shape.fit
            attrs |= pose_attributes(
                Pose(pose.pos, _rotation_of_plane(geom, shape)) if isinstance(shape, Plane) else pose
            )
            if material is not None:
                attrs["material"] = material
            attrs |= weight_attributes(geom)
            attrs |= surface_attributes(geom)
            written = element.add("geom", attrs)
            if index == 0:
                restore(written, without_orientations(geom.extras), FORMAT)


def _rotation_of_plane(geom: Geom, plane: Plane) -> tuple[float, float, float, float]:
    return multiply(geom.pose.rot, from_z_to(plane.normal))


def shape_attributes(shape: Shape | str) -> dict[str, str]:
    """Return type and size of a geom in MJCF (half sizes); a string is the name of a mesh."""
    match shape:
        case str():
            return {"type": "mesh", "mesh": shape}
        case HeightField(asset=name):
            return {"type": "hfield", "hfield": name}
        case Box(size=(x, y, z)):
            return {"type": "box", "size": numbers((x / 2, y / 2, z / 2))}
        case Sphere(radius=radius):
            return {"type": "sphere", "size": number(radius)}
        case Cylinder(radius=radius, length=length):
            return {"type": "cylinder", "size": numbers((radius, length / 2))}
        case Capsule(radius=radius, length=length):
            return {"type": "capsule", "size": numbers((radius, length / 2))}
        case Ellipsoid(radii=radii):
            return {"type": "ellipsoid", "size": numbers(radii)}
        case Plane(size=(x, y), spacing=spacing):
            return {"type": "plane", "size": numbers((x / 2, y / 2, spacing))}
    raise AssertionError(f"{shape} is not for MJCF")


def surface_attributes(geom: Geom) -> dict[str, str]:
    """Return the attributes of a <geom> for contact, and its group."""
    attrs = {}
    surface = geom.surface
    if geom.group is not None:
        attrs["group"] = str(geom.group)
    if surface is None:
        return attrs
    masks = (0, 0) if surface.contactless else (surface.category, surface.collide)
    if geom.role not in Role.COLLIDING:
        masks = (None, None)  # a visual geom collides with nothing, whatever its masks are
    attrs |= {name: str(mask) for name, mask in zip(("contype", "conaffinity"), masks, strict=True) if mask is not None}
    friction = (surface.mu, _torsional_coefficient(surface), surface.rolling)
    given = [value is not None for value in friction]
    if any(given):
        last = 3 - given[::-1].index(True)
        defaults = (1.0, 0.005, 0.0001)
        attrs["friction"] = numbers(
            default if value is None else value for value, default in zip(friction[:last], defaults, strict=False)
        )
    return attrs | {name: text for name, text in surface.parameters if name in SURFACE}


def _torsional_coefficient(surface: Surface) -> float | None:
    if surface.torsional is not None or surface.torsional_coefficient is None or surface.patch_radius is None:
        return surface.torsional
    return TWIST * surface.torsional_coefficient * surface.patch_radius


def weight_attributes(geom: Geom) -> dict[str, str]:
    """Return mass and density, if the geom gives them."""
    return {name: number(value) for name in ("mass", "density") if (value := getattr(geom, name)) is not None}


def write_leaves(element: Element, body: Body) -> None:
    """Append the sites, cameras and lights of a body."""
    for frame in body.frames:
        attrs = {"name": frame.name, **pose_attributes(frame.pose)}
        restore(element.add("site", attrs), without_orientations(frame.extras), FORMAT)
    for camera in body.cameras:
        write_camera(element, camera)
    for light in body.lights:
        write_light(element, light)


def without_orientations(extras: Iterable[Extra]) -> list[Extra]:
    """Return the extras without orientations beside a fromto, which overrides them: the written pose has its own."""
    return [extra for extra in extras if extra.path.removeprefix("@") not in FORMS]
