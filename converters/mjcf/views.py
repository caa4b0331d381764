"""<camera> and <light>, in both directions. Both look along -z in the graph, as cameras do in MuJoCo."""

from __future__ import annotations

import math
from collections.abc import Mapping

from converters.context import Context
from converters.mjcf.attributes import completed, named, placed, put, settings
from converters.mjcf.compiler import Settings, read_pose
from converters.mjcf.defaults import Resolved
from converters.source.text import number, so_many_numbers
from converters.source.tree import Element, restore
from ir.pose import compose, from_z_to, rotate
from ir.types import IDENTITY, Camera, Light, Parameters, Pose, Quat, Vec3

FORMAT = "mjcf"
LENGTH = 45.0
FOVY = math.radians(LENGTH)
INTRINSIC = ("sensorsize", "focal", "focalpixel", "principal", "principalpixel")
CAMERA = (*INTRINSIC, "mode", "target", "ipd", "output", "user")
"""Attributes of a camera that are kept as they are written. With a sensor size, fovy follows from the others."""
LIGHT = ("mode", "target", "active", "ambient", "exponent", "bulbradius", "softness", "texture")
DOWN: Vec3 = (0.0, 0.0, -1.0)
DIFFUSE: Vec3 = (0.7, 0.7, 0.7)
SPECULAR: Vec3 = (0.3, 0.3, 0.3)
CUTOFF = math.radians(45.0)


def read_camera(element: Resolved, name: str, label: str | None, compiler: Settings, outer: Pose = IDENTITY) -> Camera:
    """A camera of a body; outer is the pose of the frames around it. fovy is in degrees whatever the compiler says,
    and of an orthographic one the metres that it sees."""
    node = element.node
    size = element.vector("resolution", 2) or (1.0, 1.0)
    parameters = settings(element, CAMERA)
    flat = element.get("projection") == "orthographic"
    fovy = element.number("fovy")
    pose = read_pose(element, compiler)
    return Camera(
        name=name,
        label=label,
        pose=pose if outer is IDENTITY else compose(outer, pose),
        fov_y=FOVY if flat else _seen(dict(parameters), size, FOVY if fovy is None else math.radians(fovy)),
        width=int(size[0]) if size != (1.0, 1.0) else None,
        height=int(size[1]) if size != (1.0, 1.0) else None,
        orthographic=flat,
        span=(LENGTH if fovy is None else fovy) if flat else None,
        parameters=parameters,
        source=node.source,
        extras=node.rest(),
    )


def _seen(intrinsic: Mapping[str, str], size: tuple[float, ...], fovy: float) -> float:
    """The field of view of a sensor behind a lens; the angle that is said otherwise."""
    focal = _pixels(intrinsic, size)
    return fovy if focal is None or focal[1] <= 0 else 2 * math.atan2(size[1] / 2, focal[1])


def _pixels(intrinsic: Mapping[str, str], size: tuple[float, ...]) -> tuple[float, float] | None:
    """The focal length in the widths and in the heights of a pixel; None where none is said."""
    pixels, metres, sensor = (so_many_numbers(intrinsic.get(name), 2) for name in ("focalpixel", "focal", "sensorsize"))
    if pixels is None and metres is not None and sensor is not None and min(sensor) > 0:
        pixels = (metres[0] * size[0] / sensor[0], metres[1] * size[1] / sensor[1])
    return None if pixels is None else (pixels[0], pixels[1])


def tell_pixels(camera: Camera, body: str, context: Context) -> None:
    """Note a camera whose pixels are not square."""
    said = dict(camera.parameters)
    focal = _pixels(said, (camera.width or 1, camera.height or 1)) if "sensorsize" in said else None
    if focal is not None and min(focal) > 0 and not math.isclose(*focal, rel_tol=1e-6):
        reason = (
            "pixels of this camera are not square, and those of other formats are: from the upper edge to the lower "
            "one they see as much, and across as much as that and the size of the image make"
        )
        context.note(
            "mjcf/camera-pixels",
            f"body/{body}.cameras.{camera.name}",
            before=f"focal length: {number(focal[0])} pixels across, {number(focal[1])} up",
            action="approximated",
            reason=reason,
            source=camera.source,
            elsewhere=True,
        )


def write_camera(parent: Element, camera: Camera) -> None:
    """Append <camera>."""
    attrs = named(camera) | placed(camera.pose)
    if camera.orthographic:
        attrs["projection"] = "orthographic"
        put(attrs, "fovy", camera.span, LENGTH)
    elif "sensorsize" not in dict(camera.parameters):
        put(attrs, "fovy", _degrees(min(camera.fov_y, math.tau)), 45.0)
    if camera.width is not None and camera.height is not None:
        attrs["resolution"] = f"{camera.width} {camera.height}"
    restore(parent.add("camera", attrs | dict(camera.parameters)), camera.extras, FORMAT)


def _degrees(angle: float) -> float:
    """The shortest number of degrees that reads as this angle, or the closest to it."""
    degrees = math.degrees(angle)
    near = (round(degrees, 9), degrees, math.nextafter(degrees, 0.0), math.nextafter(degrees, math.inf))
    return next((each for each in near if math.radians(each) == angle), degrees)


def read_light(element: Resolved, name: str, label: str | None, outer: Pose = IDENTITY) -> Light:
    """A light of a body: a cone around its direction unless it says otherwise."""
    node = element.node
    kind = element.get("type")
    straight = element.get("directional")
    nearest = next((each for each in (node, *element.defaults) if {"type", "directional"} & each.attrs.keys()), node)
    if straight is not None and "type" not in nearest.attrs:
        kind = "directional" if straight == "true" else None
    direction = element.triple("dir") or DOWN
    if not math.hypot(*direction):
        element.wrong("dir", "> has no direction: it is zero", "ROT-ZERO")
        direction = DOWN
    pose = Pose(element.triple("pos") or (0.0, 0.0, 0.0), down_to(direction))
    cutoff = element.number("cutoff")
    return Light(
        name=name,
        label=label,
        kind=kind or "spot",
        pose=pose if outer is IDENTITY else compose(outer, pose),
        diffuse=element.triple("diffuse") or DIFFUSE,
        specular=element.triple("specular") or SPECULAR,
        intensity=element.number("intensity"),
        range=element.number("range"),
        attenuation=element.triple("attenuation"),
        outer=CUTOFF if cutoff is None else math.radians(cutoff),
        cast_shadows=element.flag("castshadow") is not False,
        parameters=_kept(element),
        source=node.source,
        extras=node.rest(),
    )


def _kept(element: Resolved) -> Parameters:
    return tuple((name, text) for name in LIGHT if (text := completed(element, name)) is not None)


def down_to(direction: Vec3) -> Quat:
    """A rotation that takes -z to a direction."""
    x, y, z = direction
    return (1.0, 0.0, 0.0, 0.0) if x == 0 and y == 0 and z < 0 else from_z_to((-x, -y, -z))


def write_light(parent: Element, light: Light) -> None:
    """Append <light>."""
    attrs = named(light)
    put(attrs, "pos", light.pose.pos, (0.0, 0.0, 0.0))
    put(attrs, "dir", rotate(light.pose.rot, DOWN), DOWN)
    if light.kind != "spot":
        attrs["type"] = light.kind
    put(attrs, "diffuse", light.diffuse, DIFFUSE)
    put(attrs, "specular", light.specular, SPECULAR)
    put(attrs, "intensity", light.intensity)
    put(attrs, "range", light.range)
    put(attrs, "attenuation", light.attenuation)
    if light.outer is not None and light.outer != CUTOFF:
        degrees = math.degrees(min(light.outer, math.tau))
        nice = round(degrees, 9)
        attrs["cutoff"] = number(nice if math.radians(nice) == light.outer else degrees)
    if not light.cast_shadows:
        attrs["castshadow"] = "false"
    restore(parent.add("light", attrs | dict(light.parameters)), light.extras, FORMAT)
