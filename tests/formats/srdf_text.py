"""A robot with everything SRDF can express, for tests: an arm with a gripper on a freely movable base."""

from __future__ import annotations

import math
from pathlib import Path

from lxml import etree

from converters.context import Options
from converters.convert import load
from converters.reading import Reading
from tests.files import saved

BOX = '<geometry><box size="0.2 0.2 0.2"/></geometry>'
LINK = (
    '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    f"<collision>{BOX}</collision></link>"
)
JOINT = '<joint name="{0}" type="{3}"><parent link="{1}"/><child link="{2}"/><axis xyz="0 1 0"/>{4}</joint>'
LIMIT = '<limit lower="-2" upper="2" effort="9" velocity="9"/>'
ENDS = (
    ("shoulder", "base", "upper", "revolute", LIMIT),
    ("elbow", "upper", "lower", "continuous", ""),
    ("wrist", "lower", "hand", "fixed", ""),
    ("left", "hand", "thumb", "prismatic", LIMIT),
    ("right", "hand", "finger", "prismatic", f'{LIMIT}<mimic joint="left" multiplier="-1" offset="0"/>'),
)
LINKS = ("base", "upper", "lower", "hand", "thumb", "finger")
URDF = f"""<?xml version="1.0"?>
<robot name="arm">
  {"".join(LINK.format(name) for name in LINKS)}
  {"".join(JOINT.format(*ends) for ends in ENDS)}
</robot>
"""
"""All six links are at the same place, so that each would collide with each."""

SRDF = """<?xml version="1.0"?>
<robot name="arm">
  <!-- no order of a kind -->
  <passive_joint name="right"/>
  <group name="arm"><chain base_link="base" tip_link="hand"/></group>
  <group name="hand"><joint name="left"/><link name="thumb"/><joint name="right"/><link name="finger"/></group>
  <group name="all"><group name="arm"/><joint name="stand"/><group name="hand"/></group>
  <virtual_joint name="stand" type="floating" parent_frame="odom" child_link="base"/>
  <group_state name="home" group="arm">
    <joint name="shoulder" value="0.50"/>
    <joint name="elbow" value="0"/>
  </group_state>
  <group_state name="up" group="all">
    <joint name="left" value=".1"/>
    <joint name="stand" value="1 2 3 0 0 0 1"/>
  </group_state>
  <group_state name="home" group="hand"><joint name="left" value="0.2"/></group_state>
  <end_effector name="gripper" parent_link="hand" group="hand" parent_group="arm"/>
  <joint_property joint_name="elbow" property_name="weight" value="0.3"/>
  <joint_property joint_name="elbow" property_name="kind" value="soft"/>
  <link_sphere_approximation link="upper">
    <sphere center="0 0 0.1" radius="0.05"/>
    <sphere center="0 0 0" radius="0.1"/>
  </link_sphere_approximation>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
  <disable_default_collisions link="finger"/>
  <disable_collisions link1="base" link2="hand" reason="Never"/>
  <enable_collisions link1="finger" link2="base"/>
  <disable_collisions link1="thumb" link2="hand"/>
  <rotor_params><joint name="elbow" mass="0.1" gear_ratio="9"/></rotor_params>
</robot>
"""


def placed(folder: Path, srdf: str | None = SRDF, urdf: str = URDF, name: str = "arm") -> Path:
    """Write a URDF into a folder, with an SRDF next to it if given; return the path of the URDF."""
    folder.mkdir(parents=True, exist_ok=True)
    path = saved(folder / f"{name}.urdf", urdf)
    if srdf is not None:
        path.with_suffix(".srdf").write_text(srdf)
    return path


def reading_of(folder: Path, *elements: str, urdf: str = URDF) -> Reading:
    """Return the result of reading with an SRDF of these elements; all items of both documents are accounted for."""
    path = placed(folder, "\n".join(['<robot name="arm">', *elements, "</robot>"]), urdf)
    reading = load(path, options=Options(srdf=path.with_suffix(".srdf")))
    assert len(reading.context.documents) == 2
    for document in reading.context.documents:
        document.totals()
    return reading


Plain = tuple[str, tuple[tuple[str, object], ...], object, tuple[object, ...]]


def plain(path: Path) -> Plain:
    """Return a document, element by element, as lxml reads it, with numbers compared by value."""
    return _plain(etree.parse(str(path)).getroot())


def _plain(element: etree._Element) -> Plain:
    attributes = tuple(sorted((str(name), _value(str(value))) for name, value in element.attrib.items()))
    children = tuple(_plain(child) for child in element.iterchildren(etree.Element))
    return str(element.tag), attributes, _value((element.text or "").strip()), children


def _value(text: str) -> object:
    try:
        numbers = tuple(float(word) for word in text.split())
    except ValueError:
        return text
    return numbers if numbers and all(map(math.isfinite, numbers)) else text
