"""Documents whose faults (`{right|wrong RULE}`) are values that their readers refuse individually (test_gathering)."""

from __future__ import annotations

URDF = """<robot name="r">
  <link name="base"/>
  <link name="arm">
    <visual><geometry><box size="1 1{ 1| NUM-COUNT}"/></geometry></visual>
  </link>
  <link name="eye"/>
  <joint name="a" type="planar"><parent link="base"/><child link="arm"/>
    <dynamics damping="1{| 2 NUM-COUNT}"/></joint>
  <joint name="b" type="fixed"><parent link="arm"/><child link="eye"/></joint>
  <sensor name="s"><parent link="eye"/>
    <camera><image width="{64|0.5 NUM-RANGE}" height="64" format="RGB8" hfov="1" near="0.1" far="9"/></camera></sensor>
</robot>
"""
SDF = """<sdf version="1.9">
  <model name="m">
    <link name="base"><pose rotation_format="{euler_rpy|quat SDF-ATTRIBUTE-INVALID}">0 0 0 0 0 0</pose>
      <inertial><mass>{1|inf SDF-ELEMENT-INVALID}</mass></inertial>
      <collision name="c"><geometry><box><size>1 1 1</size></box></geometry>
        <surface><contact>
          <collide_bitmask>{1|one SDF-ELEMENT-INVALID}</collide_bitmask></contact></surface></collision>
      <visual name="v"><geometry><plane>
        <normal>0 0 {1|0 SDF-ELEMENT-INVALID}</normal></plane></geometry>
        <material><ambient>0 1{ 0| SDF-ELEMENT-INVALID}</ambient>
          <diffuse>0 {1|x SDF-ELEMENT-INVALID} 0 1</diffuse></material></visual>
      <sensor name="s" type="camera"><camera>
        <horizontal_fov>{1|0 SDF-ELEMENT-INVALID}</horizontal_fov></camera></sensor>
      <sensor name="t" type="camera">
        <camera><image><width>{64|0 SDF-ELEMENT-INVALID}</width><height>64</height></image></camera></sensor>
      <light name="l" type="{spot|sun SDF-ATTRIBUTE-INVALID}"/></link>
    <link name="arm"><pose>0 0 0 0 0{ 0| SDF-ELEMENT-INVALID}</pose></link>
    <joint name="j" type="screw"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis>
      <thread_pitch>{1|1e-320 SDF-ELEMENT-INVALID}</thread_pitch></joint>
    <model name="n"><link name="b"/></model>
    <model name="{o|n SDF-DUPLICATE-NAME}"><link name="c"/></model>
  </model>
</sdf>
"""
MJCF = """<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="2" height="2"/>
    <texture name="{u|t NAME-DUP}" type="2d" builtin="flat" width="2" height="2"/>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <light dir="0 0 {-1|0 ROT-ZERO}"/>
    <body name="a">
      <joint name="j"/><joint name="k" axis="1 0 0"/>
      <geom name="g" size=".1"/>
      <geom name="{h|g NAME-DUP}" size=".1"/>
      <geom type="mesh" mesh="{m|n REF-MISSING}"/>
      <geom type="mesh" {mesh="m"| REF-MISSING}/>
      <geom size=".1{| 1 1 1 NUM-COUNT}"/>
      <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" {|fullinertia="1 1 1 0 0 0" XML-ONE-OF}/></body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="j" joint2="k" polycoef="0 1 0 0 0{| 0 NUM-COUNT}"/>
    <joint joint1="{j|l REF-MISSING}" active="{true|yes MJCF-KEYWORD}"/>
  </equality>
  <actuator>
    <position joint="j" kp="1{| 2 NUM-COUNT}"/>
    <motor joint="j" gear="1" ctrllimited="{auto|maybe MJCF-KEYWORD}"/>
  </actuator>
</mujoco>
"""
GLTF = (
    """<"asset": <"version": "2.0">,
"extensionsUsed": ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
"scene": 0, "scenes": [<"nodes": [0, 1, 2, 3, 4]>],
"nodes": [
 <"name": "a", "children": [5]>,
 <"name": "b", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, {{0|1e30 GLTF-INVALID}}, 1]>,
 <"name": "c", "translation": [0, 0, {{0|1e400 GLTF-INVALID}}]>,
 <"name": "d", "translation": [0, 0, {{0|1e30 GLTF-INVALID}}]>,
 <"name": "e", "extensions": <"KHR_physics_rigid_bodies": <
  "motion": <"isKinematic": {{false|0 GLTF-INVALID}}, "mass": {{1|-1 GLTF-INVALID}},
   "inertiaDiagonal": [1, 1, {{1|-1 GLTF-INVALID}}]>,
  "collider": <"geometry": <"shape": 0>, "collisionFilter": 0>>>>,
 <"name": "f", "children": [6],
  "extensions": <"KHR_physics_rigid_bodies": <"joint": <"connectedNode": 4, "joint": 0>>>>,
 <"name": "g"{{|, "children": [5] GLTF-INVALID}}>],
"extensions": <
 "KHR_implicit_shapes": <"shapes": [<"type": "sphere", "sphere": <"radius": 1>>]>,
 "KHR_physics_rigid_bodies": <
  "physicsJoints": [<"limits": [<"linearAxes": [1, 2], "max": 0, "min": 0>,
    <"angularAxes": [0, 1, 2], "max": 0, "min": 0>],
   "drives": [<"type": "linear", "mode": "force", "axis": 0,
   "stiffness": {{1|-1 GLTF-INVALID}}>]>],
  "collisionFilters": [<"collisionSystems": {{["x"]|"x" GLTF-INVALID}}>]>>>
""".replace("<", "{ ")
    .replace(">", " }")
    .replace("{{", "{")
    .replace("}}", "}")
)
