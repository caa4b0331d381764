"""What an edit of a document leaves in its order: the controls and coordinates of a simulation go by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from tests.formats.test_edited_joints import DRIVE, GEARED, SOLID, WORKING, back, model, of_xml, written


def test_controls_stay_in_the_order_of_the_document(tmp_path: Path) -> None:
    source = tmp_path / "m.urdf"
    inertial = etree.tostring(etree.fromstring(SOLID.format("a"))[0]).decode()
    source.write_text(WORKING.format(inertial, DRIVE.format(1), DRIVE.format(2)))
    tree = of_xml(written(tmp_path, source, "w.xml"), [("//motor[@name='m2']", "ctrlrange", "-2 2")])
    back(tmp_path, tree, "w.xml", "back.urdf")
    found = model(tmp_path / "again.xml")
    assert [found.actuator(index).name for index in range(found.nu)] == ["m1", "m2"]
    assert found.actuator("m2").ctrlrange[1] == 2


@pytest.mark.parametrize("target", ["again.xml", "back.sdf", "back.urdf"])
def test_coordinates_stay_in_the_order_of_the_document(target: str, tmp_path: Path) -> None:
    """The first body that hangs on a joint is renamed."""
    source = tmp_path / "m.sdf"
    source.write_text(GEARED.partition('<joint name="teeth"')[0] + "</model></sdf>")
    tree = of_xml(written(tmp_path, source, "w.xml"), [("//body[@name='s']", "name", "arm")])
    back(tmp_path, tree, "w.xml", "back.sdf")
    back(tmp_path, tree, "w.xml", "back.urdf")
    names = etree.parse(tmp_path / target).xpath("//joint/@name")
    assert [name for name in names if name in ("j1", "j2")] == ["j1", "j2"]
    assert etree.parse(tmp_path / target).xpath("(//link | //body)/@name")[-3:] == ["base", "arm", "l"]
    assert [model(tmp_path / "again.xml").joint(name).qposadr[0] for name in ("j1", "j2")] == [7, 8]
