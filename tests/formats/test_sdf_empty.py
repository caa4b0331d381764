"""Elements of SDFormat without a value: those that need one are refused, the others mean their default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from converters.context import InputError
from converters.convert import convert
from tests.formats.sdf_text import put
from tests.oracles.in_sdformat import sdformat_reads

INERTIA = "<ixx>1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz>"
LAMP = "<attenuation><range>1</range><constant>1</constant></attenuation><direction>0 0 -1</direction>"
LAMP += "<spot><inner_angle>1</inner_angle><outer_angle>1</outer_angle><falloff>1</falloff></spot>"
LAMP += "<intensity>1</intensity>"
CAMERA = "<horizontal_fov>1</horizontal_fov><image><width>3</width><height>3</height></image>"
CAMERA += "<clip><near>0.1</near><far>9</far></clip>"
MODEL = f"""<sdf version="1.9"><model name="m"><static>false</static><link name="l"><pose>0 0 0 0 0 0</pose>
<inertial><mass>1</mass><inertia>{INERTIA}</inertia></inertial><gravity>true</gravity>
<visual name="v"><geometry>%s</geometry><transparency>0</transparency>
<material><diffuse>1 1 1 1</diffuse></material></visual>
<light name="s" type="spot">{LAMP}</light><sensor name="s" type="camera"><camera>{CAMERA}</camera></sensor></link>
<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz><limit><lower>0</lower>
<upper>1</upper><effort>1</effort></limit><dynamics><spring_reference>0</spring_reference>
<spring_stiffness>0</spring_stiffness><damping>0</damping></dynamics></axis></joint></model></sdf>"""
SHAPES = (
    "<box><size>1 1 1</size></box>",
    "<sphere><radius>1</radius></sphere>",
    "<cylinder><radius>1</radius><length>1</length></cylinder>",
    "<capsule><radius>1</radius><length>1</length></capsule>",
    "<ellipsoid><radii>1 1 1</radii></ellipsoid>",
    "<plane><normal>0 0 1</normal><size>1 1</size></plane>",
)
TAGS = [(SHAPES[0], tag) for tag in dict.fromkeys(re.findall(r"<(\w+)>[^<%]+</", MODEL)) if tag != "falloff"]
TAGS += [(shape, tag) for shape in SHAPES for tag in re.findall(r"<(\w+)>[^<]+</", shape)]


@pytest.mark.parametrize(("shape", "tag"), TAGS)
def test_what_is_empty_is_refused_where_libsdformat_refuses_it(shape: str, tag: str, tmp_path: Path) -> None:
    whole = MODEL % shape
    assert sdformat_reads(put(tmp_path, whole, "whole.sdf"))["errors"] == []
    text, count = re.subn(f"<{tag}>[^<]+</{tag}>", f"<{tag}/>", whole)
    assert count == 1
    source = put(tmp_path, text)
    refused = any("Error reading element" in each["message"] for each in sdformat_reads(source)["errors"])
    if tag in ("parent", "child"):  # the joint alone is at fault, and told
        assert refused
        report = convert(source, tmp_path / "out.urdf")
        assert "sdf/element-missing" in {found.rule for found in report.findings}
    elif refused:
        with pytest.raises(InputError, match=f"<{tag}> is empty and needs a value"):
            convert(source, tmp_path / "out.urdf")
    else:
        convert(source, tmp_path / "out.urdf")
