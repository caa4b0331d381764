"""Every element and attribute of SDFormat 1.12, and a small document that contains each.

sdf_1_12.txt lists them with their types; items found in several places, such as geometry in visuals and collisions, are
listed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from converters.audit.output import compared
from converters.carried.restore import apply_carried
from converters.context import Output, ReaderContext, WriterContext
from converters.format import Format, Target
from converters.passes import prepare
from converters.registry import format_named
from converters.source.tree import Element, fragment, serialise
from converters.source.xml import Document, Node
from ir.diff import compare
from ir.folds import fold
from ir.scene import Scene
from tests.formats.coverage import CARRIED, MAPPED, MEANINGLESS, Placed, Trip

SDF = format_named("sdf")

PART = '<link name="part_link"><pose>0 0 1 0 0 0</pose></link>'
LIST = Path(__file__).parent / "sdf_1_12.txt"
VERSION = "1.12"
JOINT = "<parent>a</parent><child>{}</child><axis><xyz>1 0 0</xyz></axis>"
TENSOR = "<inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz></inertia>"
SECOND = "<axis2><xyz>0 1 0</xyz></axis2>"
GEOMETRY = "<geometry><box><size>1 1 1</size></box></geometry>"
MODEL = f"""<model name="m">
  <link name="a"><inertial><mass>2</mass>{TENSOR}</inertial>
    <visual name="v">{GEOMETRY}</visual><collision name="c">{GEOMETRY}</collision></link>
  <link name="b"><pose>1 0 0 0 0 0.5</pose></link><link name="c"/>
  <joint name="j" type="revolute">{JOINT.format("b")}</joint>
  <joint name="k" type="universal">{JOINT.format("c")}{SECOND}</joint>
</model>"""
BASES = {
    "model": MODEL,
    "world": f'<world name="w">{MODEL}</world>',
    "light": '<light name="l" type="point"/>',
    "actor": '<actor name="p"/>',
}
"""Maps the first step below the root to the base document."""

VALUES = {
    "double": "0.25",
    "float": "0.25",
    "int": "3",
    "unsigned int": "3",
    "string": "word",
    "bool:false": "true",
    "bool:true": "false",
    "vector3": "0.5 0.25 0.75",
    "vector2d": "2 3",
    "pose": "1 2 3 0.1 0.2 0.3",
    "color": "0.1 0.2 0.3 0.4",
    "time": "1 5",
}
"""Maps a type to a value that is not the default."""
WORDS = {
    "sdf/@version": "1.11",
    "model/@canonical_link": "b",
    "model/@placement_frame": "b",
    "include/placement_frame": "part_link",
    "include/uri": "model://part",
    "frame/@attached_to": "b",
    "pose/@relative_to": "b",
    "pose/@rotation_format": "quat_xyzw",
    "xyz/@expressed_in": "a",
    "joint/@type": "prismatic",
    "joint/parent": "c",
    "joint/child": "c",
    "gearbox_reference_body": "a",
    "mimic/@joint": "k",
    "mimic/@axis": "axis2",
    "mesh/uri": "model://part/box.stl",
    "heightmap/uri": "model://part/field.png",
    "image/uri": "model://part/field.png",
    "mesh/@optimization": "convex_hull",
    "albedo_map": "model://part/field.png",
    "sensor/@type": "imu",
    "force_torque/frame": "parent",
    "force_torque/measure_direction": "parent_to_child",
    "light/@type": "spot",
    "physics/@type": "bullet",
    "image/format": "L8",
    "surface_model": "EARTH_WGS84",
    "world_frame_orientation": "ENU",
    "friction/ode/fdir1": "1 0 0",
    "friction/bullet/fdir1": "1 0 0",
    "camera/horizontal_fov": "1.5",
    "inertia/ixx": "0.75",
    "inertia/iyy": "1.25",
    "inertia/izz": "1.25",
    "collide_bitmask": "5",
    "category_bitmask": "5",
    "thread_pitch": "-6",
    "screw_thread_pitch": "0.5",
    "light/direction": "0 1 0",
    "pbr/metal/roughness": "0.2",
    "pbr/metal/metalness": "0.2",
}
"""Values by the last steps of the path, where the type is not sufficient."""
NEEDS = {
    "model/link": '<link name="d"/>',
    "model/frame": '<frame name="f"/>',
    "model/model": '<model name="n"><link name="d"/></model>',
    "model/include": "<include><uri>model://part</uri><pose>0 1 0 0 0 0</pose></include>",
    "world/include": "<include><uri>model://part</uri><pose>0 1 0 0 0 0</pose></include>",
    "world/frame": '<frame name="f"/>',
    "world/light": '<light name="l" type="point"/>',
    "link/light": '<light name="l" type="point"/>',
    "world/actor": '<actor name="p"/>',
    "world/joint": '<joint name="w" type="fixed"><parent>world</parent><child>m</child></joint>',
    "link/sensor": '<sensor name="s" type="imu"/>',
    "joint/sensor": '<sensor name="s" type="force_torque"/>',
    "sensor/lidar": "<lidar><range><max>10</max></range></lidar>",
    "sensor/ray": "<ray><range><max>10</max></range></ray>",
    "plugin": '<plugin name="p" filename="p.so"/>',
    "world/physics": '<physics name="p" type="ode"/>',
    "axis": "<axis><xyz>1 0 0</xyz></axis>",
    "axis2": "<axis2><xyz>0 1 0</xyz></axis2>",
    "mimic": '<mimic joint="k"><multiplier>2</multiplier></mimic>',
    "pose": "<pose>0.5 0 0 10 0 0</pose>",
    "geometry/mesh": "<mesh><uri>model://part/box.stl</uri></mesh>",
    "geometry/heightmap": "<heightmap><uri>model://part/field.png</uri></heightmap>",
    "geometry/image": "<image><uri>model://part/field.png</uri></image>",
    "geometry/polyline": "<polyline><point>0 0</point><point>1 0</point><point>0 1</point></polyline>",
    "mesh/submesh": "<submesh><name>box</name></submesh>",
    "gripper": '<gripper name="g"><gripper_link>b</gripper_link><palm_link>a</palm_link></gripper>',
    "material/script": "<script><uri>none.material</uri><name>Gazebo/Red</name></script>",
    "world/population": '<population name="p"/>',
    "world/road": '<road name="r"/>',
    "link/projector": '<projector name="r"/>',
    "link/battery": '<battery name="r"/>',
    "link/particle_emitter": '<particle_emitter name="r" type="point"/>',
    "world/state": '<state world_name="w"/>',
}
"""Elements that need more than a tag to be created, by the last steps of the path."""
TYPES = {"gearbox_ratio": "gearbox", "gearbox_reference_body": "gearbox", "axis2": "universal"}
TYPES |= {"thread_pitch": "screw", "screw_thread_pitch": "screw"}
"""Maps a child of a joint to the joint type for which it has a meaning."""
ROUND = ("capsule", "cone", "cylinder", "ellipsoid", "sphere")
SHAPES = frozenset({*ROUND, "box", "empty", "heightmap", "image", "mesh", "plane", "polyline"})


@cache
def items() -> dict[str, str]:
    """Return path -> type."""
    return dict(line.split(" ", 1) for line in LIST.read_text().splitlines())


def placed(path: str) -> Placed:
    """Return the base document with the item in it."""
    steps = path.split("/")
    attribute = steps.pop().removeprefix("@") if "@" in path else None
    value = _by_end(path, WORDS) or VALUES.get(items()[path], "")
    root = fragment(f'<sdf version="{VERSION}">{BASES[steps[1] if len(steps) > 1 else "model"]}</sdf>')
    element = root
    for number, step in enumerate(steps[1:], 2):
        element = _below(element, step, "/".join(steps[:number]))
    if attribute is not None:
        element.attrs[attribute] = value
        if attribute == "rotation_format":
            element.content = ["0 0 0 0 1 0 0"]
    elif value:
        element.content = [item for item in element.content if isinstance(item, Element)] + [value]
    return Placed(path, serialise(root), tuple(steps), attribute)


def _by_end(path: str, table: Mapping[str, str]) -> str:
    steps = path.split("/")
    return next((table[key] for start in range(len(steps)) if (key := "/".join(steps[start:])) in table), "")


def _below(parent: Element, tag: str, path: str) -> Element:
    """Return the child with that tag; create it, with what it needs, if it is missing."""
    if parent.tag == "sensor" and (tag in ("camera", "imu", "lidar", "ray", "contact") or tag in SENSORS):
        parent.attrs["type"] = SENSORS.get(tag, tag)
    if parent.tag == "joint" and tag in TYPES:
        parent.attrs["type"] = TYPES[tag]
    if parent.tag == "joint" and tag.startswith("gearbox") and parent.find("gearbox_reference_body") is None:
        parent.content = [*fragment(f"<x>{GEARBOX}</x>").content]
    found = parent.find(tag)
    if found is not None:
        return found
    if parent.tag == "geometry" and tag in SHAPES:
        parent.content = []
    made = _by_end(path, NEEDS)
    parent.content.append(fragment(made) if made else Element(tag))
    last = parent.content[-1]
    assert isinstance(last, Element)
    return last


SENSORS = {
    "gps": "gps",
    "navsat": "navsat",
    "air_pressure": "air_pressure",
    "air_speed": "air_speed",
    "altimeter": "altimeter",
    "force_torque": "force_torque",
    "logical_camera": "logical_camera",
    "magnetometer": "magnetometer",
    "rfid": "rfid",
    "rfidtag": "rfidtag",
    "sonar": "sonar",
    "transceiver": "wireless_receiver",
}
GEARBOX = "<parent>b</parent><child>c</child><gearbox_reference_body>a</gearbox_reference_body>"


def without(path: str) -> str:
    """Return the document of an item without the item itself; "" for the root."""
    found = placed(path)
    root = fragment(found.text)
    element = root
    parent = root
    for step in found.steps[1:]:
        inner = element.find(step)
        assert inner is not None
        parent, element = element, inner
    if found.attribute is not None:
        del element.attrs[found.attribute]
    elif element is root:
        return ""
    else:
        parent.content = [item for item in parent.content if item is not element]
    return serialise(root)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a model to include, a mesh and an image."""

    folder: Path

    def __post_init__(self) -> None:
        from PIL import Image

        part = self.folder / "part"
        part.mkdir()
        (part / "model.config").write_text('<model><sdf version="1.9">model.sdf</sdf></model>')
        (part / "model.sdf").write_text(f'<sdf version="1.9"><model name="part">{PART}</model></sdf>')
        (part / "box.stl").write_bytes(_tetrahedron())
        Image.new("L", (3, 3), 90).save(part / "field.png")

    def find(self, uri: str) -> tuple[str | None, str]:
        file = self.folder / uri.removeprefix("model://")
        return (str(file) if file.is_file() else None), "" if file.is_file() else "not found"

    def read(self, data: bytes, form: Format) -> tuple[Scene, Document]:
        """Return the scene and the tracked document; every item of the source is accounted for."""
        assert form.read is not None
        file = self.folder / f"model{form.suffixes[0]}"
        context = ReaderContext(file=str(file), folder=self.folder, find=self.find, find_model=self.find)
        scene = form.read(data, context)
        document = next(item for item in context.documents if item.file == str(file))
        document.totals()
        assert isinstance(document, Document)
        return scene, document

    def context(self, form: Format, source: str) -> WriterContext:
        """Return the context of a writer."""
        target = self.folder / f"out{form.suffixes[0]}"
        return WriterContext(
            file="model",
            folder=self.folder,
            find=self.find,
            find_model=self.find,
            asset_folder="out_assets",
            target=target,
            source=source,
        )

    def again(self, output: Output, form: Format) -> Scene:
        """Read an output again as the pipeline does."""
        assert form.read is not None
        return form.read(
            output.document,
            ReaderContext(
                file=str(self.folder / f"out{form.suffixes[0]}"),
                folder=self.folder,
                find_model=self.find,
                beside=output.files,
                again=True,
            ),
        )


def through(place: Place, scene: Scene, to: Format) -> Trip:
    """Write the scene in a format as the pipeline does, and read it again with and without carried data."""
    assert to.write is not None
    interpreting = () if to.name == SDF.name else SDF.passes()
    prepared, steps = prepare(scene, Target(fits=to.fits), interpreting)
    context = place.context(to, SDF.name)
    context.original = scene
    output = to.write(prepared, context)
    read = place.again(output, to)
    native, patch, _ = compared(scene, read, fold(read, output.folds), output.folds)
    if patch and to.carry is not None:
        output = to.carry(output, patch)
        read = place.again(output, to)
    _, again, stale = apply_carried(read)
    assert stale == []
    return Trip(scene, prepared, output, steps, native, compare(scene, again)[0])


def _tetrahedron() -> bytes:
    import struct

    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    facets = [(0, 0, 0, *corners[a], *corners[b], *corners[c], 0) for a, b, c in faces]
    return bytes(80) + struct.pack("<I", len(facets)) + b"".join(struct.pack("<12fH", *facet) for facet in facets)


def classed(document: Document, found: Placed) -> str:
    """Return the class that the account of the document gives the item; the text of an element is part of it."""
    node = document.root
    above: list[Node] = []
    for step in found.steps[1:]:
        above.append(node)
        node = next(item for item in node.elements() if item.tag == step)
    names = [*found.steps[1:], *([f"@{found.attribute}"] if found.attribute else [])]
    if any(owner.rules and owner.rules.get(name) for owner, name in zip([*above, node], names, strict=False)):
        return MEANINGLESS
    if not all(each.visited for each in [*above, node]):
        return CARRIED
    if found.attribute is not None:
        return MAPPED if node.has_read(found.attribute) else CARRIED
    texts = any(isinstance(item, str) for item in node.content)
    return MAPPED if node.text_read or not texts else CARRIED
