"""A plane that was rotated or made a slab for its target: an edit of its pose or size makes both explicit."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.convert import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

TILTED = """<sdf version="1.9"><model name="m"><static>true</static><link name="l"><collision name="p"><geometry><plane>
<normal>0 0.6 0.8</normal><size>2 2</size></plane></geometry></collision><collision name="q"><pose>0 0 1 0 0 0</pose>
<geometry><plane><normal>0 0.6 0.8</normal><size>2 2</size></plane></geometry></collision></link></model></sdf>"""
UP = [0.0, 0.6, 0.8]


def there(tmp_path: Path, suffix: str, *edits: tuple[str, str, str]) -> Path:
    """Return the tilted planes in another format, with edited attributes of elements of the first one."""
    source = saved(tmp_path / "in.sdf", TILTED)
    target = tmp_path / f"there.{suffix}"
    convert(source, target)
    tree = etree.parse(target)
    geom = tree.find(".//geom[@name='p']") if suffix == "xml" else tree.find(".//collision[@name='p']")
    for step, name, value in edits:
        element = geom if step == "." else geom.find(f".//{step}")
        element.set(name, value)
    tree.write(target)
    return target


def back(document: Path, stale: int) -> tuple[list[float], list[float], str]:
    """Return position and z axis of the first geom, by MuJoCo, and its shape in the SDF made of the document."""
    sdf, again = document.with_name("back.sdf"), document.with_name("again.xml")
    report = explained(convert(document, sdf))
    assert sum(each.count for each in of_rule(report, "carried/stale")) == stale
    assert sdformat_reads(sdf)["errors"] == []
    tree = etree.parse(sdf)
    assert tree.findtext(".//collision[@name='q']//normal") == "0 0.6 0.8"
    (shape,) = tree.find(".//collision[@name='p']/geometry")
    convert(sdf, again)
    model = mujoco_model(again)
    geom, turned = model.geom("p").id, np.zeros(9)
    mujoco.mju_quat2Mat(turned, model.geom_quat[geom])
    return list(model.geom_pos[geom]), list(turned[2::3]), shape.tag


@pytest.mark.parametrize("suffix", ["xml", "urdf"])
def test_a_plane_that_nobody_edited_is_as_it_was(tmp_path: Path, suffix: str) -> None:
    pos, up, shape = back(there(tmp_path, suffix), 0)
    assert (pos, up, shape) == (pytest.approx([0, 0, 0]), pytest.approx(UP), "plane")


def test_a_plane_is_turned_once_where_its_turn_lost_digits(tmp_path: Path) -> None:
    pos, up, shape = back(there(tmp_path, "xml", (".", "quat", "0.948683 -0.316228 0 0")), 0)
    assert (pos, up, shape) == (pytest.approx([0, 0, 0]), pytest.approx(UP), "plane")


@pytest.mark.parametrize("quat", ["1 0 0 0", "0.95 -0.3122499 0 0"])
def test_a_plane_that_was_turned_anew_is_turned_so(tmp_path: Path, quat: str) -> None:
    document = there(tmp_path, "xml", (".", "quat", quat))
    model = mujoco_model(document)
    turned = np.zeros(9)
    mujoco.mju_quat2Mat(turned, model.geom_quat[model.geom("p").id])
    _, up, shape = back(document, 2)
    assert (up, shape) == (pytest.approx(list(turned[2::3])), "plane")


def test_a_plane_that_was_made_larger_stays_turned(tmp_path: Path) -> None:
    _, up, shape = back(there(tmp_path, "xml", (".", "size", "3 3 1")), 0)
    assert (up, shape) == (pytest.approx(UP), "plane")
    assert etree.parse(tmp_path / "back.sdf").findtext(".//collision[@name='p']//size") == "6 6"


LEVEL = (("origin", "xyz", "0 0 1"), ("origin", "rpy", "0 0 0"))
WIDER = (("box", "size", "3 3 0.001"),)


@pytest.mark.parametrize(
    ("edits", "pos", "normal"), [(LEVEL, [0, 0, 1], [0, 0, 1]), (WIDER, [0, -0.0003, -0.0004], UP)]
)
def test_a_slab_that_was_edited_is_a_box_where_the_document_has_it(
    tmp_path: Path, edits: tuple[tuple[str, str, str], ...], pos: list[float], normal: list[float]
) -> None:
    assert back(there(tmp_path, "urdf", *edits), 2) == (pytest.approx(pos), pytest.approx(normal), "box")


def test_a_level_plane_is_no_higher_than_its_slab(tmp_path: Path) -> None:
    source, urdf, again = (tmp_path / name for name in ("in.xml", "there.urdf", "back.xml"))
    plane = '<geom name="f" type="plane" size="1 1 .1" pos="0 0 .2"/>'
    source.write_text(f'<mujoco><worldbody><body name="b">{plane}<geom size=".1"/></body></worldbody></mujoco>')
    convert(source, urdf)
    text = urdf.read_text()
    urdf.write_text(text.replace('<box size="2 2 0.001"/>', '<box size="5 5 0.001"/>'))
    assert text != urdf.read_text()
    explained(convert(urdf, again))
    model = mujoco_model(again)
    assert list(model.geom_pos[model.geom("f").id]) == pytest.approx([0, 0, 0.1995])


@pytest.mark.parametrize("between", ["glb", "urdf"])
def test_a_plane_that_was_edited_on_the_way_is_made_to_fit_at_the_end(tmp_path: Path, between: str) -> None:
    """What an edit brought is recognised in whatever format the graph is converted to next."""
    source, sdf = tmp_path / "in.xml", tmp_path / "edited.sdf"
    source.write_text('<mujoco><worldbody><geom name="p" type="plane" size="1 1 1"/></worldbody></mujoco>')
    convert(source, sdf)
    sdf.write_text(sdf.read_text().replace("<normal>0 0 1</normal>", "<normal>0 0.6 0.8</normal>"))
    explained(convert(sdf, tmp_path / f"between.{between}"))
    explained(convert(tmp_path / f"between.{between}", tmp_path / "out.xml"))
    model, turned = mujoco_model(tmp_path / "out.xml"), np.zeros(9)
    mujoco.mju_quat2Mat(turned, model.geom_quat[model.geom("p").id])
    assert list(turned[2::3]) == pytest.approx(UP)
