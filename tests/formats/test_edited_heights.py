"""Height fields of an MJCF that are edited in another format: MuJoCo gets them as edited."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from PIL import Image

from converters import convert
from tests.files import saved
from tests.formats.test_edited import Edit, back, put, there
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import of_rule

HILL = """<mujoco><asset><hfield name="rough" file="hill.png" size="1 2 .5 .1"/></asset><worldbody>
<geom type="hfield" hfield="rough"/><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(params=[0, 40], ids=["black", "grey"])
def hill(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """An image whose darkest pixel is black, or is not: in the second case Gazebo gets another image."""
    Image.fromarray(np.linspace(request.param, 200, 25).reshape(5, 5).astype(np.uint8)).save(tmp_path / "hill.png")
    return saved(tmp_path / "in.xml", HILL)


def sized(number: int) -> Edit:
    def edit(tree: etree._ElementTree) -> None:
        for each in tree.findall(".//heightmap/size")[:number]:
            each.text = "2 6 0.5"

    return edit


def test_the_size_of_a_field_is_that_of_the_edited_document(hill: Path, tmp_path: Path) -> None:
    there(hill, tmp_path / "there.sdf", sized(2))
    assert sdformat_reads(tmp_path / "there.sdf")["errors"] == []
    report, _ = back(tmp_path / "there.sdf", tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").hfield_size.tolist() == [[1, 3, 0.5, 0.1]]
    assert [each.where for each in report.findings if ".shape" in each.where] == []
    convert(tmp_path / "back.xml", tmp_path / "again.sdf")
    sizes = {each.text for each in etree.parse(tmp_path / "again.sdf").findall(".//heightmap/size")}
    assert sizes == {"2 6 0.5"}


def test_a_field_that_is_seen_larger_than_it_is_has_two_sizes(hill: Path, tmp_path: Path) -> None:
    there(hill, tmp_path / "there.sdf", sized(1))
    report, _ = back(tmp_path / "there.sdf", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    sizes = {int(model.geom_contype[at]): model.hfield_size[model.geom_dataid[at]].tolist() for at in range(2)}
    assert {kind: size[:3] for kind, size in sizes.items()} == {0: [1, 3, 0.5], 1: [1, 2, 0.5]}
    assert model.geom_pos[:2, 2].tolist() == [0, 0]
    assert len(of_rule(report, "carried/stale")) == 2


def test_what_holds_a_field_by_another_name_holds_it_as_high(hill: Path, tmp_path: Path) -> None:
    there(hill, tmp_path / "there.sdf", put("//link[@name='ground']", "name", "soil"))
    report, _ = back(tmp_path / "there.sdf", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    fields = model.body("soil").id == model.geom_bodyid
    assert fields.sum() == 2
    assert model.geom_pos[fields, 2].tolist() == [0, 0]
    assert {each.where for each in of_rule(report, "sdf/heightmap")} == set()


def test_a_field_comes_back_to_its_size(hill: Path, tmp_path: Path) -> None:
    convert(hill, tmp_path / "plain.xml")
    for suffix in ("sdf", "urdf", "glb"):
        convert(hill, tmp_path / f"there.{suffix}")
        report = convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
        assert of_rule(report, "carried/stale") == []
        (field,) = etree.parse(tmp_path / "back.xml").iter("hfield")
        (plain,) = etree.parse(tmp_path / "plain.xml").iter("hfield")
        assert dict(field.attrib) == dict(plain.attrib) == {"name": "rough", "file": "hill.png", "size": "1 2 0.5 0.1"}


def test_a_frame_that_makes_a_field_larger_makes_it_as_large_again(tmp_path: Path) -> None:
    Image.fromarray(np.linspace(0, 200, 25).reshape(5, 5).astype(np.uint8)).save(tmp_path / "hill.png")
    frame = '<frame scale="2"><geom type="hfield" hfield="rough"/></frame></worldbody>'
    source = saved(tmp_path / "in.xml", HILL.replace("</worldbody>", frame))
    convert(source, tmp_path / "back.xml")
    ours, theirs = mujoco_model(tmp_path / "back.xml"), mujoco_model(source)
    found = [[model.hfield_size[at].tolist() for at in model.geom_dataid if at >= 0] for model in (ours, theirs)]
    assert found[0] == found[1]
    assert sorted(map(tuple, found[0])) == [(1, 2, 0.5, 0.1), (2, 4, 1, 0.2)]
