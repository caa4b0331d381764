"""Elements beside links and joints: named frames, <sensor>, and blocks for one simulator, in both directions."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from converters.faults import sure
from converters.source.lidars import LIDARS
from converters.source.text import number, numbers
from converters.source.tree import Element, fragment, restore
from converters.source.xml import Node
from converters.urdf import CAMERA_ROT
from converters.urdf.control import table_name, written_name
from converters.urdf.loading import UrdfLoading, leftovers
from converters.urdf.poses import read_origin, read_pose, write_origin, written_rpy
from converters.urdf.rays import SCAN, read_ray, write_ray
from converters.urdf.tables import FORMAT
from ir.names import Spares, block_name, label_of
from ir.optics import neighbours
from ir.pose import field_across
from ir.types import IDENTITY, Block, Camera, Frame, Pose, Sensor

MEANT = {
    "drake:member": ("link", "link"),
    "drake:ball_constraint_body_A": ("name", "link"),
    "drake:ball_constraint_body_B": ("name", "link"),
    "drake:linear_spring_damper_body_A": ("name", "link"),
    "drake:linear_spring_damper_body_B": ("name", "link"),
    "drake:bushing_frameA": ("name", "frame"),
    "drake:bushing_frameC": ("name", "frame"),
    "drake:tendon_constraint_joint": ("name", "joint"),
}
"""Elements in blocks of Drake -> the attribute that refers to something, and its kind (a link is also a frame)."""
FRAME_ROLES = {"frame": "drake:frame", "fixed_frame": "isaac:fixed_frame"}
SENSOR_WORDS = {"ray": "lidar"}
OPTICAL = Pose(rot=CAMERA_ROT)

# --------------------------------------------------------------------------------------------------------------- frames


def read_frame(node: Node, links: Mapping[str, str], spares: Spares, loading: UrdfLoading) -> tuple[str, Frame] | None:
    """(body, frame) of Drake's <frame link> or Isaac's <fixed_frame>; None, leaving an extra, if on no known link."""
    holder = node if node.tag == "frame" else node.peek("parent")
    link = (holder.get("link") or "") if holder is not None else ""
    authored = node.get("name")
    if holder is None or link not in links or not authored:
        return None
    holder.visit()
    node.visit()
    name = spares.of(authored)
    where = f"body/{links[link]}.frames.{name}"
    read = read_pose if node.tag == "frame" else read_origin
    pose = node.attempt(read, node, loading, where) or IDENTITY
    label = label_of(name, authored)
    frame = Frame(
        name=name, label=label, pose=pose, role=FRAME_ROLES[node.tag], source=node.source, extras=leftovers(node)
    )
    return links[link], frame


def write_frame(frame: Frame, link: str, native: bool) -> Element:
    """Return the element of a dialect for a frame on the link of that name."""
    name = written_name(frame, native)
    if frame.role == FRAME_ROLES["frame"]:
        pose = {"xyz": numbers(frame.pose.pos), "rpy": numbers(written_rpy(frame.pose))}
        element = Element("frame", {**name, "link": link, **pose})
    else:
        element = Element("fixed_frame", name)
        element.add("parent", {"link": link})
        write_origin(element, frame.pose, frame.extras)
    restore(element, frame.extras, FORMAT)
    return element


# -------------------------------------------------------------------------------------------------------------- sensors


def read_sensor(node: Node, links: Mapping[str, str], loading: UrdfLoading) -> None:
    """Read urdfdom's <sensor>, also with the type attribute and the parent joint that others add."""
    node.visit()
    name, label = table_name(node, "sensor", loading)
    word = node.get("type")
    if word is not None:
        loading.spelling[f"sensor/{name}"] = word
    else:
        word = next((tag for tag in ("camera", "ray") if any(item.tag == tag for item in node.elements())), "")
    parent = node.peek("parent")
    body = target = None
    if parent is not None:
        parent.visit()
        if parent.attrs.get("link") in links:
            body = links[parent.need("link")]
        elif "link" not in parent.attrs:
            target = parent.get("joint")
    kind = SENSOR_WORDS.get(word, word)
    scan, said = (read_ray(node) if kind in LIDARS else None) or (None, ())
    if said:
        loading.spelling[f"sensor/{name}/ray"] = " ".join(said)
    loading.scene.tables["sensor"][name] = Sensor(
        name=name,
        label=label,
        kind=kind,
        body=body,
        target=target,
        pose=node.attempt(read_origin, node, loading, f"sensor/{name}.pose") or IDENTITY,
        rate=node.number("update_rate"),
        camera=node.attempt(_read_camera, node, name),
        scan=scan,
        source=node.source,
        extras=leftovers(node),
    )


def _read_camera(node: Node, name: str) -> Camera | None:
    camera = node.peek("camera")
    image = camera.peek("image") if camera is not None else None
    if camera is None or image is None or not {"hfov", "width", "height"} <= image.attrs.keys():
        return None
    camera.visit()
    image.visit()
    said = [image.number(name) for name in ("width", "height", "hfov")]
    width, height, hfov = map(sure, said)
    if not (width > 0 and width.is_integer() and height > 0 and height.is_integer() and 0 < hfov < math.pi):
        message = f"the image of sensor {name!r} needs a size in whole pixels and a hfov between 0 and pi"
        raise image.fail(message, "NUM-RANGE")
    return Camera(
        name=name,
        pose=OPTICAL,
        fov_y=field_across(hfov, height / width),
        width=int(width),
        height=int(height),
        near=image.number("near"),
        far=image.number("far"),
        pixel_format=image.get("format"),
    )


def write_sensor(sensor: Sensor, spelling: Mapping[str, str], names: Mapping[str, str], native: bool) -> Element:
    """Return the <sensor>. native: the document was read from URDF, and the kind is given as in the source."""
    word = spelling.get(f"sensor/{sensor.name}", None if native else sensor.kind)
    element = Element("sensor", written_name(sensor, native))
    if word:
        element.attrs["type"] = word
    if sensor.rate is not None:
        element.attrs["update_rate"] = number(sensor.rate)
    write_origin(element, sensor.pose, sensor.extras)
    if sensor.body is not None:
        element.add("parent", {"link": names.get(sensor.body, sensor.body)})
    elif sensor.target is not None:
        element.add("parent", {"joint": sensor.target})
    camera = sensor.camera
    if camera is not None and camera.width and camera.height:
        image = {"width": str(camera.width), "height": str(camera.height), "format": camera.pixel_format}
        image["hfov"] = number(_hfov(camera.fov_y, camera.height / camera.width))
        image |= {"near": _text_or_none(camera.near), "far": _text_or_none(camera.far)}
        element.add("camera").add("image", {name: value for name, value in image.items() if value is not None})
    if sensor.scan is not None:
        write_ray(element, sensor.scan, spelling.get(f"sensor/{sensor.name}/ray", " ".join(SCAN)).split())
    restore(element, sensor.extras, FORMAT)
    return element


def says_all_of_sensor(sensor: Sensor) -> bool:
    """Whether <sensor> can express it: a pose on a link, a rate, a simple camera or a lidar without range limits."""
    camera, scan = sensor.camera, sensor.scan
    plain = replace(sensor, frame="", reaction=False, noise=(), touching=(), parameters=())
    seen = camera is None or (
        replace(camera, pose=OPTICAL, orthographic=False, span=None, aspect=None, principal=(0.0, 0.0)) == camera
        and None not in (camera.width, camera.height)
        and camera.sensor_size is None
        and not camera.parameters
    )
    return plain == sensor and sensor.body is not None and seen and (scan is None or scan.near == scan.far == 0.0)


def _text_or_none(value: float | None) -> str | None:
    return None if value is None else number(value)


def _hfov(fov_y: float, ratio: float) -> float:
    """Return the horizontal angle that converts back to this vertical one, to the last bit where a double allows it."""
    value = field_across(fov_y, 1 / ratio)
    return next((each for each in neighbours(value) if field_across(each, ratio) == fov_y), value)


# --------------------------------------------------------------------------------------------------------------- blocks

MESH_PLACES = {"meshdir", "strippath"}
"""Attributes of MuJoCo's compiler for the folder of meshes."""


def read_block(node: Node, dialect: str, loading: UrdfLoading) -> None:
    """Keep the element verbatim; passes interpret it if the target is not URDF."""
    table = loading.scene.tables["block"]
    target = node.get("reference") or ""
    name = loading.names.setdefault("block", Spares()).of(block_name(dialect, target))
    table[name] = Block(name=name, dialect=dialect, target=target, source=node.source, extras=(node.whole(),))


def dangling_names(block: Block, known: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the references in a block of Drake that nothing in the document (known: names by kind) matches."""
    own = _element(block)
    for element in own.below() if block.dialect == "drake" and own is not None else ():
        attribute, kind = MEANT.get(element.tag, ("", ""))
        name = element.attrs.get(attribute, "")
        if name and "::" not in name and name not in known[kind]:
            yield f"{kind} {name}"


def _element(block: Block) -> Element | None:
    """Return the element that a block was read from; None if it came from another format."""
    own = next((extra for extra in block.extras if extra.format == FORMAT and not extra.path), None)
    return fragment(own.text) if own is not None else None


def write_block(block: Block, moved: bool) -> Element | None:
    """Return the element as it was; None if it came from another format. moved: meshes have other paths than those that
    MuJoCo's block refers to, so its mesh folders are removed."""
    element = _element(block)
    if element is None:
        return None
    if block.target:  # it may have been renamed meanwhile
        element.attrs["reference"] = block.target
    for item in element.findall("compiler") if moved and block.dialect == "mujoco" else ():
        for name in MESH_PLACES & item.attrs.keys():
            del item.attrs[name]
    return element
