"""Every element and attribute of URDF: those of the schema in the trimesh wheel, and later additions."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

from lxml import etree

from converters.source.tree import fragment, serialise
from tests.formats.coverage import Placed, Setting, attributes

XS = "{http://www.w3.org/2001/XMLSchema}"

BASE = """<robot name="r" version="1.2" xmlns:drake="http://drake.mit.edu">
  <link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="b"/><link name="c"/>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
    <limit lower="-1" upper="1" effort="2" velocity="3"/></joint>
  <joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
</robot>"""

CHECKING = '<collision_checking><geometry><box size="1 1 1"/></geometry></collision_checking>'
INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>'
SHAPES = ("box", "cylinder", "sphere", "mesh", "capsule", "cone", "plane", "ellipsoid")
SHAPES += ("drake:capsule", "drake:ellipsoid")

ROUND = {"radius": "0.5", "length": "2"}
RADII = {"a": "1", "b": "2", "c": "3"}
MODEL = {"transmission": {"name": "t"}, "transmission/joint": {"name": "j"}, "transmission/actuator": {"name": "m"}}
CONTROL = {
    "ros2_control": {"name": "h"},
    **{f"ros2_control/{tag}": {"name": "j"} for tag in ("joint", "sensor", "gpio")},
    "command_interface": {"name": "position"},
    "state_interface": {"name": "position"},
    "command_interface/param": {"name": "stiff"},
}
SETTING = Setting(
    values={
        "robot/@name": "robo",
        "robot/@version": "1.1",
        "@xyz": "0 0 1",
        "@rpy": "0.1 0.2 0.3",
        "@multiplier": "2",
        "@quat_xyzw": "0 1 0 0",
        "@rgba": "0.1 0.2 0.3 0.4",
        "@size": "1 2 3",
        "@normal": "0 1 0",
        "@scale": "1 2 3",
        "@filename": "part.stl",
        "texture/@filename": "grain.png",
        "joint/@type": "prismatic",
        "joint/@name": "turn",
        "link/@name": "a",
        "mimic/@joint": "k",
        "parent/@link": "a",
        "parent/@joint": "j",
        "child/@link": "b",
        "frame/@link": "b",
        "transmission/joint/@name": "k",
        "contact/lateral_friction/@value": "0.8",
        "sensor/@type": "camera",
        "image/@hfov": "1.5",
        "image/@width": "640",
        "image/@height": "480",
        "image/@near": "0.1",
        "image/@far": "100",
        "image/@format": "RGB8",
        "transmission/@type": "pr2/Simple",
        "ros2_control/@type": "system",
        "gazebo/@reference": "a",
        "@name": "given",
        "@lower": "-0.5",
    },
    needs={
        "link": {"name": "a"},
        "inertial/mass": {"value": "2"},
        "inertia": {"ixx": "1", "iyy": "2", "izz": "2.5"} | dict.fromkeys(("ixy", "ixz", "iyz"), "0"),
        "color": {"rgba": "1 0 0 1"},
        "texture": {"filename": "grain.png"},
        "cylinder": ROUND,
        "capsule": ROUND,
        "drake:capsule": ROUND,
        "cone": ROUND,
        "sphere": {"radius": "0.5"},
        "mesh": {"filename": "part.stl"},
        "ellipsoid": RADII,
        "drake:ellipsoid": RADII,
        "robot/material": {"name": "m"},
        "visual/material": {"name": "m"},
        "axis": {"xyz": "0 0 1"},
        "mimic": {"joint": "k"},
        "dynamics": {"damping": "1"},
        "calibration": {"rising": "1"},
        "safety_controller": {"k_velocity": "10"},
        "joint/parent": {"link": "a"},
        "joint/child": {"link": "b"},
        "sensor": {"name": "eye"},
        "robot/sensor/parent": {"link": "a"},
        "image": {"width": "640", "height": "480", "hfov": "1.5"},
        "frame": {"name": "f", "link": "a"},
        "fixed_frame": {"name": "f"},
        "fixed_frame/parent": {"link": "a"},
        "drake:screw_thread_pitch": {"value": "1"},
        **{f"contact/{tag}": {"value": "0.5"} for tag in ("lateral_friction", "rolling_friction", "spinning_friction")},
        **{f"contact/{tag}": {"value": "0.5"} for tag in ("restitution", "stiffness", "damping")},
        **MODEL,
        **CONTROL,
    },
    rivals=(frozenset({"rpy", "quat_xyzw"}),),
    alone={f"geometry/{shape}": SHAPES for shape in SHAPES},
)

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "ball", "universal", "screw")

LATER = [
    *attributes("robot/link/visual/geometry/capsule", ROUND),
    *attributes("robot/link/visual/geometry/drake:capsule", ROUND),
    *attributes("robot/link/visual/geometry/cone", ROUND),
    *attributes("robot/link/visual/geometry/plane", ["normal"]),
    *attributes("robot/link/visual/geometry/ellipsoid", "abc"),
    *attributes("robot/link/visual/geometry/drake:ellipsoid", "abc"),
    "robot/link/visual/geometry/mesh/drake:declare_convex",
    "robot/link/visual/@name",
    "robot/link/visual/origin/@quat_xyzw",
    "robot/link/origin",
    "robot/link/collision/material",
    *attributes("robot/link/collision/drake:proximity_properties/drake:mu_static", ["value"]),
    *attributes("robot/link/collision", ["concave", "group", "mask"]),
    *attributes("robot/link/collision_checking", ["name"]),
    *attributes("robot/link/collision_checking/origin", ["xyz", "rpy"]),
    *attributes("robot/link/collision_checking/geometry/sphere", ["radius"]),
    "robot/link/collision_checking/tolerance",
    *(
        path
        for tag in ("lateral_friction", "rolling_friction", "spinning_friction", "restitution", "stiffness")
        for path in attributes(f"robot/link/contact/{tag}", ["value"])
    ),
    *attributes("robot/link/contact/damping", ["value"]),
    *attributes("robot/link/contact/inertia_scaling", ["value"]),
    *attributes("robot/joint/limit", ["acceleration", "deceleration", "jerk", "drake:acceleration"]),
    *attributes("robot/joint/drake:rotor_inertia", ["value"]),
    "robot/joint/origin/@quat_xyzw",
    *attributes("robot/frame", ["name", "link", "xyz", "rpy"]),
    *attributes("robot/fixed_frame", ["name"]),
    *attributes("robot/fixed_frame/parent", ["link"]),
    *attributes("robot/fixed_frame/origin", ["xyz", "rpy"]),
    *attributes("robot/loop_joint", ["name", "type"]),
    *attributes("robot/loop_joint/link1", ["link", "xyz", "rpy"]),
    *attributes("robot/sensor", ["name", "type", "update_rate"]),
    *attributes("robot/sensor/parent", ["link", "joint"]),
    *attributes("robot/sensor/origin", ["xyz", "rpy"]),
    *attributes("robot/sensor/camera/image", ["width", "height", "format", "hfov", "near", "far"]),
    *attributes("robot/sensor/ray/horizontal", ["samples", "resolution", "min_angle", "max_angle"]),
    *attributes("robot/sensor/ray/vertical", ["samples", "resolution", "min_angle", "max_angle"]),
    "robot/transmission/type",
    "robot/transmission/joint/hardwareInterface",
    "robot/transmission/joint/role",
    "robot/transmission/joint/offset",
    "robot/transmission/actuator/hardwareInterface",
    "robot/transmission/actuator/mechanicalReduction",
    *attributes("robot/transmission/actuator/drake:gear_ratio", ["value"]),
    *attributes("robot/transmission/compensator", ["k_belt"]),
    *attributes("robot/ros2_control", ["name", "type", "rw_rate"]),
    "robot/ros2_control/hardware/plugin",
    *attributes("robot/ros2_control/hardware/param", ["name"]),
    *(path for tag in ("joint", "sensor", "gpio") for path in attributes(f"robot/ros2_control/{tag}", ["name"])),
    *attributes("robot/ros2_control/joint/command_interface", ["name", "data_type"]),
    *attributes("robot/ros2_control/joint/command_interface/param", ["name"]),
    *attributes("robot/ros2_control/joint/state_interface", ["name"]),
    *attributes("robot/gazebo", ["reference"]),
    "robot/gazebo/mu1",
    *attributes("robot/gazebo/plugin", ["name", "filename"]),
    "robot/mujoco",
    *attributes("robot/mujoco/compiler", ["meshdir"]),
    *attributes("robot/drake:collision_filter_group", ["name"]),
    *attributes("robot/joint/drake:screw_thread_pitch", ["value"]),
    *(f"robot/joint/@type={kind}" for kind in KINDS),
]

TEXTS = {
    "mechanicalReduction": "100",
    "offset": "0.5",
    "hardware/plugin": "mock/System",
    "hardwareInterface": "EffortJointInterface",
    "transmission/type": "Simple",
    "role": "joint1",
}
"""Text of elements that contain nothing else, by the last steps of the path."""


def items() -> list[str]:
    """Return the paths of the schema and of LATER, sorted and without duplicates."""
    schema = etree.fromstring(files("trimesh").joinpath("resources/schema/urdf.xsd").read_bytes())
    types = {kind.get("name", ""): kind for kind in schema.iterfind(f"{XS}complexType")}
    root = schema.find(f"{XS}element")
    assert root is not None
    found: list[str] = []
    stack = [("robot", root)]
    while stack:
        path, element = stack.pop()
        inner = element.find(f"{XS}complexType")
        kind = types.get(element.get("type", "")) if inner is None else inner
        found.append(path)
        if kind is not None:
            found += [f"{path}/@{each.get('name')}" for each in kind.iterfind(f"{XS}attribute")]
            stack += [(f"{path}/{each.get('name')}", each) for each in kind.iterfind(f".//{XS}element")]
    return sorted({*found, *LATER})


def placed(path: str) -> Placed:
    """Return the base robot with the item in it."""
    screw = 'type="screw"><drake:screw_thread_pitch value="0.5"/>'
    base = BASE.replace('type="revolute">', screw, 1) if "screw" in path else BASE
    if "inertial/origin" in path:
        base = base.replace("<visual>", f"{INERTIAL}<visual>", 1)
    if "collision_checking" in path:
        base = base.replace("</collision></link>", f"</collision>{CHECKING}</link>", 1)
    found = SETTING.placed(base, path)
    text = next((TEXTS[end] for end in TEXTS if path.endswith(f"/{end}")), "")
    if not text:
        return found
    root = fragment(found.text)
    element = root
    for step in found.steps[1:]:
        inner = element.find(step)
        assert inner is not None
        element = inner
    element.content.append(text)
    return replace(found, text=serialise(root))
