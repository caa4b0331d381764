"""Read and write <camera> and <light>. Both look along -z in the graph, as cameras do in MuJoCo."""

from __future__ import annotations

import math

from msgspec import Struct

from converters.mjcf.document.attributes import completed_vector, pose_attributes, put, settings
from converters.mjcf.document.compiler import NOWHERE, SHORTEST, CompilerSettings, read_pose, to_degrees
from converters.mjcf.document.copies import named_parameters
from converters.mjcf.document.defaults import Resolved
from converters.mjcf.tables import FORMAT
from converters.source.text import inverse_text, number, numbers, so_many_numbers
from converters.source.tree import Element, restore
from ir.optics import angle_of, aspect_of, focal_lengths, needs_matrix, valid_pinhole
from ir.pose import compose, down_to, rotate
from ir.types import IDENTITY, Camera, Light, Parameters, Pose, Vec2, Vec3

LENGTH = 45.0
FOVY = math.radians(LENGTH)
INTRINSIC = ("sensorsize", "focal", "focalpixel", "principal", "principalpixel")
CAMERA = (*INTRINSIC, "mode", "target", "ipd", "output", "user")
"""Attributes of a camera that are kept as written; those of a lens only if they do not form a valid one."""
SINGLE = 1e-6
"""Relative tolerance of lens values: MuJoCo stores them in single precision."""
PIXEL = 1e-6
"""Pixel size in metres of a sensor whose size is not given; a lens needs one, and images do not depend on it."""
METRES = 12
"""Decimal places of a focal length in metres that an author may have written."""
LIGHT = ("mode", "target", "active", "ambient", "exponent", "bulbradius", "softness", "texture")
NOTHING: Vec2 = (0.0, 0.0)
DOWN: Vec3 = (0.0, 0.0, -1.0)
DIFFUSE: Vec3 = (0.7, 0.7, 0.7)
SPECULAR: Vec3 = (0.3, 0.3, 0.3)
CUTOFF = math.radians(45.0)
KINDS = ("spot", "directional", "point", "image")
"""Light types (XML reference, body/light/type); lights of another kind shine in all directions."""


def read_camera(element: Resolved, name: str, label: str | None, compiler: CompilerSettings, outer: Pose) -> Camera:
    """Read a camera of a body; outer is the pose of the frames around it. fovy is in degrees whatever the compiler
    settings; for an orthographic camera it is the visible height in metres."""
    node = element.node
    size = element.vector("resolution", 2) or (1.0, 1.0)
    known = size != (1.0, 1.0)
    flat = element.get("projection") == "orthographic"
    fovy = element.number("fovy")
    pose = read_pose(element, compiler)
    lens = None if flat else _lens(element, (size[0], size[1]))
    square = lens is None or (known and math.isclose(*lens.focal, rel_tol=SINGLE))
    parameters = settings(element, CAMERA, lens.said if lens else ())
    return Camera(
        name=name,
        label=label,
        pose=pose if outer is IDENTITY else compose(outer, pose),
        fov_y=angle_of(lens.focal[1], size[1]) if lens else FOVY if flat or fovy is None else math.radians(fovy),
        width=int(size[0]) if known else None,
        height=int(size[1]) if known else None,
        orthographic=flat,
        span=_span_seen(element, (size[0], size[1]), fovy) if flat else None,
        aspect=None if lens is None or square else aspect_of(lens.focal, (size[0], size[1])),
        principal=lens.principal if lens else (0.0, 0.0),
        sensor_size=lens.sensor if lens else None,
        parameters=parameters,
        naming=named_parameters(parameters),
        source=element.source,
        extras=node.rest(),
    )


def _span_seen(element: Resolved, size: Vec2, fovy: float | None) -> float:
    """Return the visible height of an orthographic camera in metres: with a sensor, as many as the view angle of its
    lens has degrees."""
    sensor = so_many_numbers(element.get("sensorsize"), 2)
    if sensor is None or min(sensor) <= 0:
        return LENGTH if fovy is None else fovy
    lens = _lens(element, size)
    return math.degrees(angle_of(lens.focal[1], size[1])) if lens is not None else 180.0


class _Lens(Struct, frozen=True):
    """A lens: focal lengths in pixels, Camera.principal, sensor size in metres; the attributes that give them.

    MuJoCo shows the optical axis to the left of and above the image centre by the attribute principal
    (engine_vis_visualize.c, its frustum); the sensor camprojection ignores it.
    """

    focal: Vec2
    principal: Vec2
    sensor: Vec2
    said: frozenset[str]


def _lens(element: Resolved, size: Vec2) -> _Lens | None:
    """Return the lens of a camera whose image has this size in pixels; None if it is not given, or not valid, as for an
    image without pixels.

    If a length is given in both metres and pixels, pixels take precedence unless they are zero.
    """
    given = {name: values for name in INTRINSIC if (values := so_many_numbers(element.get(name), 2)) is not None}
    sensor = given.get("sensorsize", NOTHING)
    if min(*sensor, *size) <= 0:
        return None
    said = {"sensorsize"}

    def pixels(kind: str) -> Vec2:
        metres, counted = given.get(kind, NOTHING), given.get(f"{kind}pixel", NOTHING)
        said.update({f"{kind}pixel", *([] if all(counted) else [kind])} & given.keys())
        across, up = (counted[at] or metres[at] * size[at] / sensor[at] for at in (0, 1))
        return across, up

    focal, (left, up) = pixels("focal"), pixels("principal")
    if not valid_pinhole(focal, (left, up)):
        return None
    return _Lens(focal, (-left / size[0] or 0.0, up / size[1]), (sensor[0], sensor[1]), frozenset(said))


def write_camera(parent: Element, camera: Camera) -> None:
    """Append <camera>."""
    attrs = {"name": camera.name} | pose_attributes(camera.pose)
    if camera.orthographic:
        attrs["projection"] = "orthographic"
        if "sensorsize" not in dict(camera.parameters):
            put(attrs, "fovy", camera.span, LENGTH)
    elif camera.sensor_size is not None or needs_matrix(camera):
        attrs |= _sensor_attributes(camera)
    elif "sensorsize" not in dict(camera.parameters):
        put(attrs, "fovy", to_degrees(min(camera.fov_y, math.tau)), 45.0)
    if (pixels := _image_size(camera)) is not None:
        attrs["resolution"] = "{} {}".format(*pixels)
    restore(parent.add("camera", attrs | dict(camera.parameters)), camera.extras, FORMAT)


def _image_size(camera: Camera) -> tuple[int, int] | None:
    """Return the width and height of the image in pixels; None unless both are given."""
    return None if camera.width is None or camera.height is None else (camera.width, camera.height)


def _sensor_attributes(camera: Camera) -> dict[str, str]:
    size = _image_size(camera) or (1, 1)
    sensor = camera.sensor_size or (PIXEL * size[0], PIXEL * size[1])
    focal = focal_lengths(camera, size)
    metres = tuple(round(count * side / many, METRES) for count, side, many in zip(focal, sensor, size, strict=True))
    across, up = (length * many / side for length, many, side in zip(metres, size, sensor, strict=True))
    same = angle_of(up, size[1]) == camera.fov_y and math.isclose(across, focal[0], rel_tol=1e-15)
    attrs = {"sensorsize": numbers(sensor)}
    if same and len(numbers(metres)) < len(numbers(focal)):  # the shorter form is the author's
        attrs["focal"] = numbers(metres)
    else:
        attrs["focalpixel"] = numbers(focal)
    right, above = camera.principal
    put(attrs, "principalpixel", (_share_of_pixels(-right, size[0]), _share_of_pixels(above, size[1])), NOTHING)
    return attrs


def _share_of_pixels(share: float, count: int) -> float:
    """Return a fraction of a side in pixels: the shortest number that reads as that fraction, or the closest to it."""
    return inverse_text(lambda pixels: pixels / count, share, share * count) or 0.0


def read_light(element: Resolved, name: str, label: str | None, outer: Pose) -> Light:
    """Read a light of a body: a spot light by default."""
    node = element.node
    kind = element.get("type")
    straight = element.get("directional")
    nearest = next((each for each in (node, *element.defaults) if {"type", "directional"} & each.attrs.keys()), node)
    if straight is not None and "type" not in nearest.attrs:
        kind = "directional" if straight == "true" else None
    direction = element.triple("dir") or DOWN
    if math.hypot(*direction) < SHORTEST:
        element.wrong("dir", f"> {NOWHERE}", "ROT-ZERO")
        direction = DOWN
    pose = Pose(element.triple("pos") or (0.0, 0.0, 0.0), down_to(direction))
    cutoff = element.number("cutoff")
    parameters = _light_parameters(element)
    return Light(
        name=name,
        label=label,
        kind=kind or "spot",
        pose=pose if outer is IDENTITY else compose(outer, pose),
        diffuse=element.triple("diffuse") or DIFFUSE,
        specular=element.triple("specular") or SPECULAR,
        intensity=element.number("intensity") or None,
        range=element.number("range"),
        attenuation=element.triple("attenuation"),
        outer=_default_cone(kind) if cutoff is None else math.radians(cutoff),
        cast_shadows=element.flag("castshadow") is not False,
        parameters=parameters,
        naming=named_parameters(parameters),
        source=element.source,
        extras=node.rest(),
    )


def _default_cone(kind: str | None) -> float | None:
    """Return the default cutoff angle of a light; a directional light has none."""
    return None if kind == "directional" else CUTOFF


def _light_parameters(element: Resolved) -> Parameters:
    return tuple((name, text) for name in LIGHT if (text := completed_vector(element, name)) is not None)


def write_light(parent: Element, light: Light) -> None:
    """Append <light>."""
    attrs, kind = {"name": light.name}, light.kind if light.kind in KINDS else "point"
    put(attrs, "pos", light.pose.pos, (0.0, 0.0, 0.0))
    put(attrs, "dir", rotate(light.pose.rot, DOWN), DOWN)
    if kind != "spot":
        attrs["type"] = kind
    put(attrs, "diffuse", light.diffuse, DIFFUSE)
    put(attrs, "specular", light.specular, SPECULAR)
    put(attrs, "intensity", light.intensity)
    put(attrs, "range", light.range)
    put(attrs, "attenuation", light.attenuation)
    if light.outer is not None and light.outer != _default_cone(kind):
        attrs["cutoff"] = number(to_degrees(min(light.outer, math.tau)))
    if not light.cast_shadows:
        attrs["castshadow"] = "false"
    restore(parent.add("light", attrs | dict(light.parameters)), light.extras, FORMAT)
