"""<sensor>, in both directions. A camera of SDFormat looks along +x with z up, one of the graph along -z with y up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from converters.sdf.document.demands import FORMATS
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import put, real, refuse, scalar, text, write_pose
from converters.sdf.document.vocabulary import types
from converters.sdf.parts.lidars import is_naught, read_noise, read_scan, write_scan
from converters.sdf.tables import FORMAT
from converters.source.gazebo import NOISES as OLD_NOISES
from converters.source.lidars import LIDARS
from converters.source.text import NUMBER, numbers
from converters.source.tree import Element, fragment, restore
from converters.source.xml import Node
from ir.folds import without_trailing_zeros
from ir.optics import (
    FLAT,
    angle_of,
    aspect_of,
    focal_lengths,
    needs_matrix,
    principal_of,
    principal_point,
    valid_pinhole,
)
from ir.pose import compose, field_across, invert
from ir.types import IDENTITY, Camera, Extra, Geom, Pose, Role, Sensor, Vec2

KINDS = {
    "ray": "lidar",
    "gps": "navsat",
    "depth": "depth_camera",
    "rgbd": "rgbd_camera",
    "thermal": "thermal_camera",
    "segmentation": "segmentation_camera",
    "boundingbox": "boundingbox_camera",
    "wideanglecamera": "wide_angle_camera",
    "gpu_ray": "gpu_lidar",
}
"""Aliases -> the kind in the graph."""
KNOWN = frozenset(KINDS.get(word, word) for word in types("sensor") if word != "none")
WRENCH = "force_torque"
CONTACT = "contact"
WRENCHES = {"frame": ("child", "parent", "sensor"), "measure_direction": ("child_to_parent", "parent_to_child")}
NOISES: dict[str, tuple[tuple[str, ...], ...]] = {
    "imu": (("linear_acceleration",), ("angular_velocity",)),
    WRENCH: (("force",), ("torque",)),
    "magnetometer": ((),),
}
"""Paths of the noise of each quantity of a sensor (Sensor.noise), below the element of its kind."""
CAMERAS = frozenset(kind for kind in KNOWN if kind.endswith("camera") and kind not in ("logical_camera", "multicamera"))
VIEWS = (0.1, 6.283186)
"""Radians; the range that libsdformat accepts (camera.sdf). It refuses a whole document for another value."""
ANGLE = "camera[1]/horizontal_fov[1]"
"""Path among the extras of a sensor of an angle of view too wide for a flat image, or overridden by a lens."""
LENSES = {"camera[1]/lens[1]/projection[1]": "p_", "camera[1]/lens[1]/intrinsics[1]": ""}
"""Elements of a sensor that give the lens of its camera, in order of precedence, and the prefix of the names of their
numbers (camera.sdf: they override horizontal_fov, and <projection> overrides <intrinsics>)."""
PINHOLE = {"fx": 277.0, "fy": 277.0, "cx": 160.0, "cy": 120.0}
"""Pixels, from the upper left corner of the image, with their defaults."""
NAUGHTS = frozenset({"s", "tx", "ty"})
"""Numbers of a lens that have no effect if they are 0, and otherwise remain as extras."""
WIDE = "wide_angle_camera"
"""A camera without a flat image or such a lens (camera.sdf, intrinsics)."""
FORWARD = Pose(rot=(0.5, 0.5, -0.5, -0.5))
"""The camera frame of the graph in that of SDFormat: -z there is +x here, +y there is +z here."""
ENCODINGS = {
    "rgb8": "R8G8B8",
    "bgr8": "B8G8R8",
    "rgba8": "RGBA_INT8",
    "bgra8": "BGRA_INT8",
    "rgb16": "RGB_INT16",
    "bgr16": "BGR_INT16",
    "mono8": "L8",
    "mono16": "L16",
    "32fc1": "R_FLOAT32",
    "32fc3": "RGB_FLOAT32",
    **{f"bayer_{word}8": f"BAYER_{word.upper()}8" for word in ("rggb", "bggr", "gbrg", "grbg")},
}
"""ROS names of pixel formats, in lower case -> names in SDFormat."""
FOV, WIDTH, HEIGHT, NEAR, FAR, PIXELS = 1.047, 320.0, 240.0, 0.1, 100.0, "R8G8B8"


class Mount(NamedTuple):
    """What a sensor is attached to, and its pose."""

    body: str
    pose: Pose
    """Relative to the body."""
    local: Callable[[Node], Pose | None]
    """Returns an element's pose relative to the sensor; None, with an error noted, if its frame does not exist."""
    joint: str | None = None
    """The joint that it measures."""
    geoms: Sequence[Geom] = ()
    """Those of the body, if the sensor is a child of the body."""


def read_sensor(node: Node, name: str, label: str, mount: Mount, loading: SdfLoading) -> Sensor:
    """Read a sensor. An unknown type is noted as an error."""
    word = node.get("type") or ""
    kind = KINDS.get(word, word)
    if kind not in KNOWN and kind != "none":
        loading.fault("ATTRIBUTE_INVALID", f"sensor/{name}", f"no sensor has the type {word!r}", node.source)
    camera = node.child("camera") if kind in CAMERAS else None
    rate = scalar(node, "update_rate")
    scan = read_scan(node) if kind in LIDARS else None
    frame, reaction = _axes_and_sense_of_wrench(node, name, loading) if kind == WRENCH else ("", False)
    return Sensor(
        name=name,
        label=label,
        kind=kind,
        word=word if word != kind else "",
        body=mount.body,
        target=mount.joint,
        pose=mount.pose,
        rate=rate or None,
        frame=frame,
        reaction=reaction,
        noise=read_noise(node) if scan is not None else _noise_of_kind(node, kind),
        touching=_geoms_felt(node, mount.geoms) if kind == CONTACT else (),
        camera=_read_camera(camera, name, kind, mount.local(camera) or IDENTITY, loading)
        if camera is not None
        else None,
        scan=scan,
        source=node.source,
        extras=node.rest(),
    )


def _geoms_felt(node: Node, geoms: Iterable[Geom]) -> tuple[str, ...]:
    """Return the geoms of the link whose contacts a sensor measures; the names remain as extras if one of them is
    unknown or ambiguous."""
    inner = node.peek(CONTACT)
    said = [item.own_text() for item in inner.elements() if item.tag == "collision"] if inner is not None else []
    parts = [geom for geom in geoms if geom.role == Role.COLLISION]
    counts = Counter(geom.label for geom in parts)
    names = {geom.label: geom.name for geom in parts if counts[geom.label] == 1}
    if inner is None or not said or not all(names.get(word) for word in said):
        return ()
    return tuple(names[item.text()] for item in inner.visit().children("collision"))


def _axes_and_sense_of_wrench(node: Node, name: str, loading: SdfLoading) -> tuple[str, bool]:
    """Return the frame in which a force_torque sensor reports, and whether it reports what the child does to the
    parent. The default is the child in every version, as in libsdformat (the description of 1.4 says parent)."""
    inner = node.child(WRENCH)
    said = dict.fromkeys(WRENCHES)
    for tag, words in WRENCHES.items():
        word = text(inner, tag) if inner is not None else None
        if word and word not in words:
            reason = f"<{tag}> is one of {', '.join(words)}"
            loading.fault("ELEMENT_INVALID", f"sensor/{name}", reason, node.source, before=word)
        elif word:
            said[tag] = word
    frame = said["frame"] or "child"
    return "" if frame == "sensor" else frame, said["measure_direction"] != "parent_to_child"


def _noise_of_kind(node: Node, kind: str) -> tuple[float, ...]:
    """Return standard deviations that are equal along x, y and z; others, and biases, remain as extras."""
    found = []
    version = (node.document.root.attrs.get("version") or "").strip()
    if kind == "imu" and version in ("1.3", "1.4", "1.5"):
        imu = node.child("imu")
        noise = imu.child("noise") if imu is not None else None
        if noise is not None:
            return _noise_of_all_axes(noise)
    for path in NOISES.get(kind, ()):
        said = [_text_of_deviation(node, (kind, *path, each, "noise")) for each in "xyz"]
        alike = len(set(said)) == 1 and bool(said[0]) and NUMBER.match(said[0]) and float(said[0]) > 0
        values = [_standard_deviation(node, (kind, *path, each, "noise")) for each in "xyz"] if alike else [0.0]
        found.append(values[0])
    return without_trailing_zeros(found)


def _noise_of_all_axes(noise: Node) -> tuple[float, ...]:
    """Return the standard deviations of an IMU with one noise for all axes."""
    if (text(noise, "type") or "gaussian") != "gaussian":
        return ()
    found = []
    quantities = {place: tag for tag, place in OLD_NOISES.items()}
    for (quantity,) in NOISES["imu"]:
        said = noise.child(quantities[quantity])
        found.append(max(0.0, real(said, "stddev", 0.0)) if said is not None else 0.0)
    return without_trailing_zeros(found)


def _text_of_deviation(node: Node, path: tuple[str, ...]) -> str:
    """Return the text of a standard deviation without marking it as read; "" for none."""
    at: Node | None = node
    for tag in (*path, "stddev"):
        at = at.peek(tag) if at is not None else None
        if tag == "noise" and at is not None and at.attrs.get("type") != "gaussian":
            return ""
    return at.own_text() if at is not None else ""


def _standard_deviation(node: Node, path: tuple[str, ...]) -> float:
    at = node.inner(path)
    assert at is not None
    at.get("type")
    mean = at.peek("mean")
    if mean is not None and is_naught(mean.own_text()):
        text(at, "mean")
    return real(at, "stddev", 0.0)


def _read_camera(node: Node, name: str, kind: str, pose: Pose, loading: SdfLoading) -> Camera:
    image, clip = node.child("image"), node.child("clip")
    width, height = _pixel_count(image, "width", WIDTH), _pixel_count(image, "height", HEIGHT)
    if (width, height) != (int(width), int(height)):
        reason = "an image has whole pixels: fractions have no effect"
        before, after = numbers((width, height)), numbers((int(width), int(height)))
        loading.context.note("sdf/camera-image", f"sensor/{name}", reason, node.source, before=before, after=after)
    size = (float(int(width)), float(int(height)))
    lens = _camera_of_lens(node, size) if kind != WIDE else None
    seen = lens or Camera(name="", fov_y=field_across(_angle_of_view(node), size[1] / size[0]))
    return Camera(
        name=node.get("name") or name,
        pose=compose(pose, FORWARD),
        fov_y=seen.fov_y,
        width=int(width),
        height=int(height),
        near=real(clip, "near", NEAR) if clip is not None else NEAR,
        far=real(clip, "far", FAR) if clip is not None else FAR,
        pixel_format=(text(image, "format") if image is not None else None) or PIXELS,
        aspect=seen.aspect,
        principal=seen.principal,
    )


def _pixel_count(image: Node | None, tag: str, usual: float) -> float:
    """Read the width or height of an image in pixels; refuses an impossible one."""
    count = real(image, tag, usual) if image is not None else usual
    if image is not None and not 1 <= count <= 1e6:
        refuse(image, tag, f"{count:g}: an image has at least one pixel each way, and at most a million")
        return usual
    return count


def _angle_of_view(node: Node) -> float:
    """Read the angle of view. One of half a turn or more fits no flat image: it remains as an extra."""
    said = node.peek("horizontal_fov")
    word = said.own_text() if said is not None else ""
    if NUMBER.match(word) and FLAT <= float(word) <= VIEWS[1]:
        return FLAT
    fov = real(node, "horizontal_fov", FOV)
    if fov <= 0:
        refuse(node, "horizontal_fov", f"{fov} is no valid angle of view")
        return FOV
    return min(fov, FLAT)


def _camera_of_lens(node: Node, size: Vec2) -> Camera | None:
    """Return the angle, aspect and principal point that a lens gives a camera with an image of size pixels.

    None if none is given; an invalid lens (a focal length of 0) is kept as written.
    """
    outer = node.peek("lens")
    for path, prefix in LENSES.items() if outer is not None else ():
        tag = path.split("/")[-1].removesuffix("[1]")
        inner = outer.peek(tag) if outer is not None else None
        if outer is None or inner is None:
            continue
        said = {child.tag: child.own_text() for child in inner.elements()}
        words = [said.get(f"{prefix}{key}", str(default)) for key, default in PINHOLE.items()]
        if not all(NUMBER.match(word) for word in words):
            continue
        across, up, right, down = (float(word) for word in words)
        if not valid_pinhole((across, up), (right, down)):
            continue
        outer.child(tag)
        node.child("lens")
        for each in ["intrinsics"] if prefix else []:
            outer.ignore(each, "sdf/projection")
        for key, word in said.items():
            if key.removeprefix(prefix) in PINHOLE or (key in NAUGHTS and is_naught(word)):
                text(inner, key)
        _tell_overridden_angle(node, angle_of(across, size[0]))
        aspect = None if across == up else aspect_of((across, up), size)
        found = Camera(name="", fov_y=angle_of(up, size[1]), aspect=aspect)
        return replace(found, principal=principal_of((right, down), size))
    return None


def _tell_overridden_angle(node: Node, across: float) -> None:
    """Ignore an angle of view that contradicts the lens; the minimum is accepted for any smaller angle."""
    said = node.peek("horizontal_fov")
    word = said.own_text() if said is not None else ""
    if NUMBER.match(word) and float(word) > 0 and not math.isclose(float(word), max(across, VIEWS[0]), rel_tol=1e-9):
        node.ignore("horizontal_fov", "sdf/lens")
    else:
        _angle_of_view(node)


def type_of(sensor: Sensor) -> str:
    """Return the type to write: the alias that the source has, or the kind; "" for none."""
    return sensor.word if KINDS.get(sensor.word) == sensor.kind else sensor.kind


def write_sensor(
    parent: Element, sensor: Sensor, name: str, version: tuple[int, int], collisions: Iterable[str] = ()
) -> None:
    """Append <sensor> with all its properties; collisions are the names of those whose contacts it measures."""
    kind = type_of(sensor)
    element = parent.add("sensor", {"name": name, "type": kind or "custom"})
    write_pose(element, sensor.pose, version=version)
    if sensor.rate is not None:
        put(element, "update_rate", sensor.rate)
    if kind == WRENCH:
        inner = element.add(WRENCH)
        put(inner, "frame", sensor.frame or "sensor")
        put(inner, "measure_direction", WRENCHES["measure_direction"][not sensor.reaction])
    for called in collisions:
        put(element.find(CONTACT) or element.add(CONTACT), "collision", called)
    for path, deviation in zip(NOISES.get(kind, ()), sensor.noise, strict=False):
        owner = element
        for tag in (kind, *path) if deviation else ():
            owner = owner.find(tag) or owner.add(tag)
        for each in "xyz" if deviation else "":
            put(owner.add(each).add("noise", {"type": "gaussian"}), "stddev", deviation)
    if sensor.scan is not None and sensor.kind in LIDARS:
        write_scan(element, sensor, version)
    if sensor.camera is not None and sensor.kind in CAMERAS:
        write_camera(element, sensor.camera, version, extras=sensor.extras)
    restore(element, sensor.extras, FORMAT)


def write_view(parent: Element, name: str, camera: Camera, version: tuple[int, int]) -> None:
    """Append a camera of a body as a <sensor> with this name. The sensor has the camera's pose, so that readers that
    ignore the inner <pose> agree."""
    element = parent.add("sensor", {"name": name, "type": "camera"})
    write_pose(element, _in_axes_of_camera(camera.pose), version=version)
    write_camera(element, replace(camera, pose=FORWARD), version, VIEWS)


def write_camera(
    parent: Element,
    camera: Camera,
    version: tuple[int, int],
    views: tuple[float, float] = (VIEWS[0], math.inf),
    extras: Sequence[Extra] = (),
) -> None:
    """Append <camera>; fields missing in the graph get SDFormat's default.

    views: the range of its angle, unless extras give one; a lens gives an angle below it.
    """
    element = parent.add("camera", {"name": camera.name})
    write_pose(element, _in_axes_of_camera(camera.pose), version=version)
    width, height = camera.width or int(WIDTH), camera.height or int(HEIGHT)
    taken = {extra.path for extra in extras}
    across = _angle_across(camera)
    lens = needs_matrix(camera) or 0 < across < views[0] or _angle_is_overridden(extras)
    size = (float(width), float(height)) if lens else (0.0, 0.0)
    focal = focal_lengths(camera, size) if lens else (0.0, 0.0)
    lens = lens and valid_pinhole(focal, (0.0, 0.0))
    if ANGLE not in taken:
        put(element, "horizontal_fov", max(across, VIEWS[0] if lens else views[0]))
    image = element.add("image")
    put(image, "width", width)
    put(image, "height", height)
    put(image, "format", pixels(camera.pixel_format or PIXELS))
    clip = element.add("clip")
    put(clip, "near", NEAR if camera.near is None else camera.near)
    put(clip, "far", FAR if camera.far is None else camera.far)
    if lens:
        path, prefix = _lens_with_extras(taken)
        inner = element.add("lens").add(path.split("/")[-1].removesuffix("[1]"))
        for key, value in zip(PINHOLE, (*focal, *principal_point(camera, size)), strict=True):
            put(inner, f"{prefix}{key}", value)


def _lens_with_extras(taken: Collection[str]) -> tuple[str, str]:
    """Return the entry of LENSES to write: the one that extras are part of, since <projection> overrides
    <intrinsics>."""
    free = [each for each in LENSES.items() if each[0] not in taken]
    return next((each for each in free if any(path.startswith(f"{each[0]}/") for path in taken)), free[-1])


def pixels(word: str) -> str:
    """Return SDFormat's name for a pixel format, which a URDF <sensor> names as ROS does
    (sensor_msgs/image_encodings)."""
    return word if word in FORMATS else ENCODINGS.get(word.lower(), word)


def _angle_across(camera: Camera) -> float:
    square = (camera.width or int(WIDTH)) / (camera.height or int(HEIGHT))
    return field_across(min(camera.fov_y, FLAT), camera.aspect or square)


def _angle_is_overridden(extras: Sequence[Extra]) -> bool:
    """Whether extras give an angle that fits a flat image: it is kept beside a lens that gives another one."""
    word = next((fragment(extra.text).own_text() for extra in extras if extra.path == ANGLE), "")
    return bool(NUMBER.match(word)) and float(word) < FLAT


def _in_axes_of_camera(pose: Pose) -> Pose:
    found = compose(pose, invert(FORWARD))
    near = max(abs(value) for value in (*found.pos, *found.rot[1:]))
    return IDENTITY if near < 1e-15 else found
