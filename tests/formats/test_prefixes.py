"""Undeclared namespace prefixes: readers that check them must accept the conversions of the model."""

from pathlib import Path

from lxml import etree

from converters import convert
from tests.files import saved

SDF = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="m">
    <link name="a">
      <foo:bar>x</foo:bar>
      <sensor name="s" type="imu" foo:x="1">
        <update_rate>5</update_rate>
        <foo:y a:b="2">t</foo:y>
        <in:y xmlns:in="urn:in" in:b="2">t</in:y>
      </sensor>
    </link>
  </model>
</sdf>
"""


def test_what_is_made_of_undeclared_prefixes_declares_them(tmp_path: Path) -> None:
    convert(saved(tmp_path / "m.sdf", SDF), tmp_path / "m.urdf")
    assert {"foo", "a"} <= {*etree.parse(tmp_path / "m.urdf").getroot().nsmap}
    convert(tmp_path / "m.sdf", tmp_path / "same.sdf")
    convert(tmp_path / "m.urdf", tmp_path / "back.sdf")
    assert (tmp_path / "back.sdf").read_text() == (tmp_path / "same.sdf").read_text()
