"""Four clean models, and changes of them."""

from __future__ import annotations

from dataclasses import dataclass, field

BOX = '<geometry><box size="0.2 0.2 0.2"/></geometry>'
INERTIAL = (
    '<inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="8"/>'
    '<inertia ixx="0.053" ixy="0" ixz="0" iyy="0.053" iyz="0" izz="0.0533"/></inertial>'
)
LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
URDF = f"""<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base_link">
    <visual>{BOX}<material name="grey"/></visual>
    <collision>{BOX}</collision>
  </link>
  <link name="upper">
    {INERTIAL}
    <visual>{BOX}<material name="grey"/></visual>
    <collision>{BOX}</collision>
  </link>
  <link name="lower">
    {INERTIAL}
    <visual>{BOX}<material name="grey"/></visual>
    <collision>{BOX}</collision>
  </link>
  <link name="tip"/>
  <joint name="turn" type="revolute">
    <parent link="base_link"/><child link="upper"/><origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 0 1"/>
    {LIMIT}
  </joint>
  <joint name="bend" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 1" rpy="0.1 0 0"/><axis xyz="0 1 0"/>
    {LIMIT}
    <mimic joint="turn"/>
  </joint>
  <joint name="end" type="fixed">
    <parent link="lower"/><child link="tip"/>
  </joint>
  <transmission name="drive">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="turn"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
    <actuator name="motor"><mechanicalReduction>1</mechanicalReduction></actuator>
  </transmission>
  <ros2_control name="system" type="system"><joint name="turn"/></ros2_control>
  <gazebo reference="upper"><mu1>0.5</mu1></gazebo>
</robot>
"""
SDF = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="arm">
    <link name="base">
      <inertial><mass>8</mass><inertia><ixx>0.053</ixx><iyy>0.053</iyy><izz>0.0533</izz></inertia></inertial>
      <visual name="v"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual>
      <collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
    </link>
    <link name="upper">
      <inertial><mass>8</mass><inertia><ixx>0.053</ixx><iyy>0.053</iyy><izz>0.0533</izz></inertia></inertial>
      <visual name="v"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual>
      <collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
    </link>
    <frame name="mark" attached_to="upper"><pose relative_to="base">0 0 1 0 0 0</pose></frame>
    <joint name="turn" type="revolute">
      <parent>base</parent><child>upper</child>
      <axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper><effort>10</effort></limit></axis>
    </joint>
  </model>
</sdf>
"""
MJCF = """<mujoco model="arm">
  <default><default class="small"><geom density="500"/></default></default>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body name="upper">
      <joint name="turn" type="hinge" axis="0 0 1" range="-60 60"/>
      <geom name="g" type="box" size="0.1 0.1 0.1"/>
      <body name="lower" pos="0 0 1">
        <joint name="bend" type="hinge" axis="0 1 0" range="-60 60"/>
        <geom name="h" type="box" size="0.1 0.1 0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="a" joint="turn"/></actuator>
</mujoco>
"""
TRIANGLE = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
GLTF = (
    '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],\n'
    '"nodes": [{"name": "a", "mesh": 0, "rotation": [0, 0, 0, 1]}],\n'
    '"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],\n'
    '"materials": [{"name": "m", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],\n'
    '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",\n'
    ' "min": [0, 0, 0], "max": [1, 1, 0]}],\n'
    '"bufferViews": [{"buffer": 0, "byteLength": 36}],\n'
    f'"buffers": [{{"byteLength": 36, "uri": "{TRIANGLE}"}}]}}\n'
)
CLEAN = {"urdf": URDF, "sdf": SDF, "mjcf": MJCF, "gltf": GLTF}
SUFFIX = {"urdf": ".urdf", "sdf": ".sdf", "mjcf": ".xml", "gltf": ".gltf", "xacro": ".xacro"}

Changes = tuple[tuple[str, str], ...]
"""(text of the clean model, replacement); only the first occurrence is replaced."""


@dataclass(frozen=True)
class Case:
    """firing breaks the rule, silent does not; files are next to the model."""

    rule: str
    firing: Changes
    silent: Changes = ()
    format: str = "urdf"
    files: dict[str, bytes] = field(default_factory=dict)

    def text(self, changes: Changes) -> bytes:
        """Return the model with the changes; a change ("", text) replaces the whole document."""
        text = CLEAN.get(self.format, URDF)
        for old, new in changes:
            assert old in text, (self.rule, old)
            text = text.replace(old, new, 1) if old else new
        return text.encode("latin-1") if self.rule == "XML-ENC" else text.encode()


def root(text: str) -> Changes:
    """Insert text directly inside the robot."""
    return (("</robot>", f"{text}</robot>"),)


def urdf(rule: str, firing: Changes, silent: Changes = (), **files: bytes) -> Case:
    return Case(rule, firing, silent, "urdf", {name.replace("__", "."): data for name, data in files.items()})


def sdf(rule: str, firing: Changes, silent: Changes = ()) -> Case:
    return Case(rule, firing, silent, "sdf")


def mjcf(rule: str, firing: Changes, silent: Changes = ()) -> Case:
    return Case(rule, firing, silent, "mjcf")


def gltf(rule: str, firing: Changes, silent: Changes = ()) -> Case:
    return Case(rule, firing, silent, "gltf")
