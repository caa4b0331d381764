"""What an edit took from an output, or put beside what was there, is what the document says where it goes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from tests.formats.test_edited_parts import back
from tests.oracles.in_pinocchio import pinocchio_model
from tests.oracles.in_urdfdom import check_urdf

LOOKS = """<mujoco><worldbody><body name="b"><freejoint/>
<geom name="ball" size="0.1" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("edit", "colour"),
    [
        ((r'<material name="[^"]*">\s*<color[^>]*/>\s*</material>', "<material/>"), "0.5 0.5 0.5 1"),
        ((r' rgba="[^"]*"', ""), "1 1 1 1"),
    ],
)
def test_a_visual_whose_material_is_none_has_the_one_it_gets_instead(
    edit: tuple[str, str], colour: str, tmp_path: Path
) -> None:
    """urdfdom takes the first <material> of a visual."""
    (tmp_path / "s.xml").write_text(LOOKS)
    written, report = back(tmp_path, tmp_path / "s.xml", "w.urdf", [edit], "t.urdf")
    assert check_urdf(written) is None
    root = etree.parse(str(written)).getroot()
    name = root.find(".//visual/material").get("name")
    assert {each.get("rgba") for each in root.iterfind(f".//material[@name='{name}']/color")} == {colour}
    assert len(root.findall(".//visual/material")) == 1
    assert "urdf/no-material" in {each.rule for each in report.findings}


def test_of_several_trees_one_may_be_deleted(made: Path, tmp_path: Path) -> None:
    """The source leaves open how its trees stand in the world, and so does what comes back of it."""
    source = made / "feature_unreferenced_link.urdf"
    convert(source, tmp_path / "w.sdf")
    convert(tmp_path / "w.sdf", tmp_path / "same.urdf")
    assert (tmp_path / "same.urdf").read_bytes() == source.read_bytes()
    edit = r'<link name="alone">.*?</link>', ""
    written, report = back(tmp_path, source, "w.sdf", [edit], "t.urdf")
    assert check_urdf(written) is None
    assert pinocchio_model(written).nv == 2
    assert {finding.where for finding in report.findings if finding.rule == "carried/stale"} == {"body/alone"}
