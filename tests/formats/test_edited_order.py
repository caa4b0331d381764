"""Which order an edit of a document preserves: controls and coordinates of a simulation depend on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from tests.files import saved
from tests.formats.test_edited_ground import GEARED, of_xml, working
from tests.formats.test_edited_joints import back, written
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule


def test_controls_stay_in_the_order_of_the_document(tmp_path: Path) -> None:
    tree = of_xml(written(tmp_path, working(tmp_path), "w.xml"), [("//motor[@name='m2']", "ctrlrange", "-2 2")])
    back(tmp_path, tree, "w.xml", "back.urdf")
    found = mujoco_model(tmp_path / "again.xml")
    assert [found.actuator(index).name for index in range(found.nu)] == ["m1", "m2"]
    assert found.actuator("m2").ctrlrange[1] == 2


@pytest.mark.parametrize("target", ["again.xml", "back.sdf", "back.urdf"])
def test_coordinates_stay_in_the_order_of_the_document(target: str, tmp_path: Path) -> None:
    """The first body that is attached by a joint is renamed."""
    source = saved(tmp_path / "m.sdf", GEARED.partition('<joint name="teeth"')[0] + "</model></sdf>")
    tree = of_xml(written(tmp_path, source, "w.xml"), [("//body[@name='s']", "name", "arm")])
    back(tmp_path, tree, "w.xml", "back.sdf")
    back(tmp_path, tree, "w.xml", "back.urdf")
    names = etree.parse(tmp_path / target).xpath("//joint/@name")
    assert [name for name in names if name in ("j1", "j2")] == ["j1", "j2"]
    assert etree.parse(tmp_path / target).xpath("(//link | //body)/@name")[-3:] == ["base", "arm", "l"]
    assert [mujoco_model(tmp_path / "again.xml").joint(name).qposadr[0] for name in ("j1", "j2")] == [7, 8]


def test_bodies_stay_in_the_order_of_the_document_whatever_the_joints_of_the_source(tmp_path: Path) -> None:
    """A URDF may say its joints in any order, and a weld has no name in MJCF."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joints = [("a", "l", "continuous"), ("a", "n", "fixed"), ("r", "m", "continuous"), ("r", "a", "fixed")]
    said = "".join(
        f'<joint name="to_{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/></joint>'
        for parent, child, kind in joints
    )
    links = "".join(f'<link name="{name}">{mass}</link>' for name in "ralnm")
    source = saved(tmp_path / "in.urdf", f'<robot name="r">{links}{said}</robot>')
    tree = of_xml(written(tmp_path, source, "w.xml"), [("//body[@name='l']/inertial", "mass", "2")])
    tree.write(tmp_path / "edited.xml")
    explained(convert(tmp_path / "edited.xml", tmp_path / "again.xml"))
    assert etree.parse(tmp_path / "again.xml").xpath("//body/@name") == tree.xpath("//body/@name")


PLUGIN = "<plugin name='p' filename='libp.so'><topic c='1' d='{}'>3.1415926535</topic></plugin>"
BLOCK = f"<robot name='r'><link name='b'/><gazebo>{PLUGIN.format('x &quot; y')}</gazebo></robot>"


def turned(tree: etree._ElementTree) -> None:
    for element in tree.iter("plugin", "topic"):
        said = dict(reversed(element.items()))
        element.attrib.clear()
        element.attrib.update(said)


@pytest.mark.parametrize(("value", "edits"), [('x " y', 0), ("z", 1)])
def test_the_order_of_attributes_alone_is_no_edit(value: str, edits: int, tmp_path: Path) -> None:
    source, between = tmp_path / "in.urdf", tmp_path / "there.sdf"
    source.write_text(BLOCK)
    explained(convert(source, between))
    tree = etree.parse(between)
    turned(tree)
    (topic,) = tree.iter("topic")
    topic.set("d", value)
    tree.write(between)
    report = explained(convert(between, tmp_path / "back.urdf"))
    assert bool(of_rule(report, "carried/stale")) == bool(edits)
    (again,) = etree.parse(tmp_path / "back.urdf").iter("topic")
    assert (again.keys(), again.get("d")) == ((["c", "d"], value) if not edits else (["d", "c"], value))
    if not edits:
        texts = [etree.canonicalize(path.read_text(), strip_text=True) for path in (source, tmp_path / "back.urdf")]
        assert texts[0] == texts[1]
