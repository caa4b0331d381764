"""URDF -> graph -> URDF: the graph is the same, the bytes are the same the second time, nothing is lost on the way."""

from __future__ import annotations

import pytest
from lxml import etree

from tests.formats.urdf_text import again, arm, output_of, robot, scene_of, stable

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
GEOMETRY = '<geometry><sphere radius="1"/></geometry>'

MIXED = (
    '<robot name="r" xmlns:xacro="http://ros.org/xacro" xmlns:sensor="urn:s" extra="1">'
    '<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>'
    '<link name="world"/>'
    '<joint name="fix" type="fixed" custom="yes"><origin xyz="0 0 0" note="n"/><parent link="world"/><child link="a"/>'
    '<limit effort="9"/></joint>'
    '<link name="a" type="big"><gravity>0</gravity><visual name="shell"><origin xyz="1 0 0" rpy="0 1.57 0"/>'
    '<geometry name="odd"><mesh filename="package://p/a.dae" scale="0.001 0.001 0.001"/></geometry>'
    '<material name="grey"><color rgba="0.5 0.5 0.5 1"/><specular rgb="1 1 1"/></material></visual>'
    '<inertial><mass value="1"/><origin xyz="0 0 1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1" iyx="0"/></inertial>'
    f'<collision>{GEOMETRY}<verbose value="loud"/><material name="grey"/></collision>'
    f'<self_collision_checking><origin xyz="0 1 0"/>{GEOMETRY}</self_collision_checking></link>'
    "<gazebo reference='a'><mu1>0.5</mu1></gazebo>"
    '<material name="blue"><texture filename="package://p/blue.png"/></material>'
    f'<link name="b"><visual>{GEOMETRY}<material name=""><color rgba="1 0 0 1"/></material></visual>'
    f'<visual>{GEOMETRY}<material name="red"><color rgba="1 0 0 1"/></material></visual></link>'
    '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1" rpy="0 0 0"/>'
    '<limit effort="1" velocity="2" lower="-1" upper="1" current="4"/><controller_gains Kp="1"/></joint>'
    '<transmission name="t" type="pr2/Simple"><actuator name="m"/><joint name="j"/></transmission>'
    '<loop_joint name="loop" type="revolute"><link1 link="a"/><link2 link="b"/></loop_joint>'
    '<frame name="hand" link="b" xyz="0 0 1" rpy="0 0 0"/>'
    "<sensor:camera name='eye'><p>text</p></sensor:camera><gazebo><static>true</static></gazebo>"
    "</robot>"
)


@pytest.mark.parametrize(
    "text",
    [
        MIXED,
        robot('<link name="a"/>'),
        arm(LIMIT),
        arm(LIMIT + "<foo/><bar/>", "fixed"),
        arm('<foo/><limit lower="0" upper="1" effort="1" velocity="1" bar="1"/><axis xyz="0 1 0" rpy="1"/>'),
        arm('<axis xyz="0 1 0"/><dynamics damping="1"/><limit effort="1"/>', "planar"),
        arm('<dynamics damping="1 2 3"/>', "planar"),
        arm('<axis xyz="0 1 0"/>', "floating"),
        arm('<dynamics damping="1"/>', "spherical"),
        arm(LIMIT + '<mimic joint="k"/><mimic joint="z"/>'),
        arm('<origin xyz="0 0 0" rpy="0 0 0" a="b"/><x/>', "fixed"),
        arm(LIMIT).replace("joint", "drake:joint").replace("revolute", "universal"),
        arm(LIMIT).replace("revolute", "continuous").replace('lower="-1" upper="1" ', ""),
    ],
)
def test_the_graph_and_the_bytes_are_stable(text: str):
    stable(text)


@pytest.mark.parametrize("pitch", [f"{count / 1000:g}" for count in (1, 3, 7, 100, 101, 125, 300, 700, 999)])
def test_the_pitch_of_a_screw_has_no_more_digits_than_its_author_gave_it(pitch: str):
    """It is in metres per turn in the document, and per radian in the graph."""
    drake = robot("", head='name="r" xmlns:drake="http://drake.mit.edu"').partition("</robot>")[0]
    ends = '<link name="a"/><link name="b"/><drake:joint name="j" type="screw"><parent link="a"/><child link="b"/>'
    text = f'{drake}{ends}<drake:screw_thread_pitch value="{pitch}"/></drake:joint></robot>'
    assert f'<drake:screw_thread_pitch value="{pitch}"/>' in output_of(scene_of(text)).document.decode()


def test_a_document_of_many_dialects_comes_back_in_its_order():
    assert [child.tag for child in again(MIXED)] == [child.tag for child in etree.fromstring(MIXED)]


def _lost(original: etree._Element, written: etree._Element, path: str) -> list[str]:
    """Return what the output lacks of elements, attributes and texts; shares no code with the product."""
    lost = [f"{path}/@{name}" for name, value in original.attrib.items() if not _same(value, written.get(name))]
    lost += [] if _same(original.text, written.text) else [f"{path}/text()"]
    counts: dict[str, int] = {}
    for child in original:
        counts[child.tag] = counts.get(child.tag, 0) + 1
        equals = written.findall(child.tag)
        if len(equals) >= counts[child.tag]:
            lost += _lost(child, equals[counts[child.tag] - 1], f"{path}/{child.tag}[{counts[child.tag]}]")
        else:
            lost.append(f"{path}/{child.tag}[{counts[child.tag]}]")
    return lost


def _same(original: str | None, written: str | None) -> bool:
    one, other = (original or "").split(), (written or "").split()
    try:
        return list(map(float, one)) == list(map(float, other))
    except ValueError:
        return one == other


def test_every_element_attribute_and_text_comes_back():
    assert _lost(etree.fromstring(MIXED), again(MIXED), "/robot") == []


def test_global_materials_stay_global_and_inline_ones_inline():
    root = again(MIXED)
    assert [material.get("name") for material in root.findall("material")] == ["grey", "blue"]
    inline = [material.get("name") for material in root.iterfind("link/visual/material") if len(material)]
    assert inline == ["grey", "", "red"]


def test_an_undefined_material_comes_back_as_a_reference():
    root = again(robot(f'<link name="a"><visual>{GEOMETRY}<material name="ghost"/></visual></link>'))
    assert root.find("material") is None
    assert [(item.get("name"), len(item)) for item in root.iterfind("link/visual/material")] == [("ghost", 0)]


def test_an_unused_global_material_comes_back():
    root = again(robot('<material name="m"><color rgba="0 0 1 1"/></material><link name="a"/>'))
    assert root.find("material").get("name") == "m"


def test_a_declared_world_comes_back_even_when_nothing_hangs_on_it():
    root = again(robot('<link name="a"/><link name="world"/>'))
    assert [link.get("name") for link in root.findall("link")] == ["a", "world"]


def test_a_link_named_world_inside_the_tree_comes_back_under_its_name():
    text = robot(
        '<link name="base"/><link name="world"/>',
        '<joint name="j" type="fixed"><parent link="base"/><child link="world"/></joint>',
    )
    stable(text)
    assert again(text).find("joint/child").get("link") == "world"


def test_prefixes_are_declared_again():
    assert b'xmlns:xacro="http://ros.org/xacro"' in output_of(scene_of(MIXED)).document


def test_an_undeclared_prefix_is_kept():
    text = robot('<link name="a"/><sensor:camera name="eye"/>')
    assert b'<sensor:camera name="eye"/>' in output_of(scene_of(text)).document
    stable(text)


def test_a_chain_of_ten_thousand_links_is_no_problem():
    count = 10_000
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(count - 1)
    )
    scene = scene_of(robot(links, joints))
    assert scene_of(output_of(scene).document) == scene
