"""Scripts of SDF materials that a URDF carries: they stay where the material of a visual keeps its name or its
appearance, and depend on nothing else of the visual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from converters import convert
from converters.report.model import Action
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

RED = "<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Red</name></script>"
SHAPE = "<geometry><box><size>1 1 {}</size></box></geometry>"
VISUALS = "".join(
    f'<visual name="v{number}">{shadow}{SHAPE.format(number)}<material>{RED}</material></visual>'
    for number, shadow in enumerate(("<cast_shadows>false</cast_shadows>",) * 2 + ("",), 1)
)
COLOUR = r'(rgba=)"1 0 0 1"'
BLUE = r'\1"0 0 1 1"'
NAME = r'(<material name=)"v1_material"'


@pytest.mark.parametrize(
    ("edits", "blue", "scripts"),
    [
        ([(NAME, r'\1"mine"', 1)], 0, 3),
        ([(NAME, r'\1"mine"', 0)], 0, 3),
        ([(COLOUR, BLUE, 1)], 1, 3),
        ([(COLOUR, BLUE, 0)], 3, 3),
        ([(NAME, r'\1"mine"', 1), (COLOUR, BLUE, 1)], 1, 2),
        ([(NAME, r'\1"mine"', 0), (COLOUR, BLUE, 0)], 3, 0),
    ],
)
def test_a_script_stays_where_a_material_has_its_name_or_its_look(
    edits: list[tuple[str, str, int]], blue: int, scripts: int, tmp_path: Path
) -> None:
    source = tmp_path / "m.sdf"
    source.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{VISUALS}</link></model></sdf>')
    convert(source, tmp_path / "m.urdf")
    text = (tmp_path / "m.urdf").read_text()
    for pattern, new, count in edits:
        text = re.sub(pattern, new, text, count=count)
    report = convert(saved(tmp_path / "m.urdf", text), tmp_path / "back.sdf")
    visuals = etree.parse(tmp_path / "back.sdf").findall(".//visual")
    assert [each.find("material/script") is None for each in visuals] == [True] * (3 - scripts) + [False] * scripts
    assert [each.findtext("material/diffuse") for each in visuals[:blue]] == ["0 0 1 1"] * blue
    assert [each.findtext("cast_shadows") for each in visuals] == ["false", "false", None]
    told = {each.where for each in report.findings if each.rule == "carried/stale" and each.action is Action.DROPPED}
    assert len(told) == (scripts < 3) and all(each.endswith(".extras.material[1]/script[1]") for each in told)
    explained(report)


def test_what_an_edit_says_of_a_texture_of_a_model_from_elsewhere_stays(tmp_path: Path) -> None:
    """The colour space of an image, in the spelling with which MuJoCo saves a document."""
    Image.new("RGB", (2, 2)).save(tmp_path / "t.png")
    (tmp_path / "t.mtl").write_text("newmtl k\nmap_Kd t.png\n")
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl k\n"
    (tmp_path / "t.obj").write_text(
        f"mtllib t.mtl\n{corners}f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n"
    )
    visual = '<visual><geometry><mesh filename="t.obj"/></geometry></visual>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a">{visual}</link></robot>')
    made, out = tmp_path / "made.xml", tmp_path / "out.xml"
    convert(source, made)
    made.write_text(re.sub('(<texture [^>]*file="[^"]*")', r'\1 colorspace="sRGB"', made.read_text()))
    explained(convert(made, out))
    assert 'colorspace="sRGB"' in out.read_text()
    assert mujoco_model(out).tex_colorspace.tolist() == mujoco_model(made).tex_colorspace.tolist()
