"""Friction edited in MJCF, which has one value for both directions where SDFormat and Gazebo have two: both are set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from converters.report.model import Action
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

BOX = "<geometry><box{}</geometry>"
SDF = f"""<sdf version="1.9"><model name="m"><link name="a"><collision name="c">
{BOX.format("><size>1 1 1</size></box>")}
<surface><friction><ode><mu>0.9</mu><mu2>{{}}</mu2><slip1>0.01</slip1></ode></friction></surface></collision></link>
</model></sdf>"""
URDF = f"""<robot name="m"><link name="a"><collision>{BOX.format(' size="1 1 1"/>')}</collision></link>
<gazebo reference="a"><mu1>0.9</mu1><mu2>{{}}</mu2><kp>1000</kp></gazebo></robot>"""


def frictions(path: Path) -> list[tuple[str, float]]:
    tree = etree.parse(path)
    return [(each.tag, float(each.text or "")) for each in tree.iter("mu", "mu1", "mu2")]


@pytest.mark.parametrize("across", ["0.9", "0.7"])
@pytest.mark.parametrize(("form", "text"), [("sdf", SDF), ("urdf", URDF)])
def test_an_edited_friction_is_that_of_all_directions(tmp_path: Path, form: str, text: str, across: str) -> None:
    convert(saved(tmp_path / f"m.{form}", text.format(across)), tmp_path / "m.xml")
    written = (tmp_path / "m.xml").read_text()
    assert written.count('friction="0.9"') == 1
    convert(tmp_path / "m.xml", tmp_path / f"same.{form}")
    along = "mu" if form == "sdf" else "mu1"
    assert frictions(tmp_path / f"same.{form}") == [(along, 0.9), ("mu2", float(across))]
    (tmp_path / "m.xml").write_text(written.replace('friction="0.9"', 'friction="0.5"'))
    report = explained(convert(tmp_path / "m.xml", tmp_path / f"back.{form}"))
    assert frictions(tmp_path / f"back.{form}") == [(along, 0.5), ("mu2", 0.5)]
    rest = "slip1" if form == "sdf" else "kp"
    assert etree.parse(tmp_path / f"back.{form}").findtext(f".//{rest}") in ("0.01", "1000")
    if form == "sdf":  # of the one value that is no longer said anywhere
        told = [each.before for each in report.findings if each.where.endswith(".mu2")]
        assert told == ([] if across == "0.9" else [across])


@pytest.mark.parametrize(("form", "text"), [("sdf", SDF), ("urdf", URDF)])
def test_a_friction_that_is_deleted_leaves_none_across(tmp_path: Path, form: str, text: str) -> None:
    convert(saved(tmp_path / f"m.{form}", text.format("0.7")), tmp_path / "m.xml")
    (tmp_path / "m.xml").write_text(re.sub(' friction="0.9"', "", (tmp_path / "m.xml").read_text()))
    report = explained(convert(tmp_path / "m.xml", tmp_path / f"back.{form}"))
    assert frictions(tmp_path / f"back.{form}") == []
    told = {each.where for each in report.findings if each.action is Action.DROPPED}
    assert told == ({"body/a.geoms.c.surface.mu2"} if form == "sdf" else set())


def test_a_friction_that_is_edited_along_alone_leaves_that_across(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><body name="a"><geom name="g" size=".1" friction="0.9 0.01 0.001"/></body></worldbody>'
        "</mujoco>"
    )
    convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    assert frictions(tmp_path / "m.sdf") == [("mu", 0.9), ("mu2", 0.9)]
    convert(tmp_path / "m.sdf", tmp_path / "same.sdf")
    assert frictions(tmp_path / "same.sdf") == [("mu", 0.9), ("mu2", 0.9)]
    (tmp_path / "m.sdf").write_text((tmp_path / "m.sdf").read_text().replace("<mu>0.9<", "<mu>0.95<"))
    explained(convert(tmp_path / "m.sdf", tmp_path / "out.sdf"))
    assert frictions(tmp_path / "out.sdf") == [("mu", 0.95), ("mu2", 0.9)]
    report = explained(convert(tmp_path / "m.sdf", tmp_path / "out.xml"))
    (geom,) = etree.parse(tmp_path / "out.xml").xpath("//body/geom")
    assert geom.get("friction") == "0.95 0.01 0.001"
    assert "body/a.geoms.g.surface.mu2" in {each.where for each in report.findings}


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
def test_a_geom_that_is_edited_does_not_begin_to_roll(tmp_path: Path, suffix: str) -> None:
    """MuJoCo ignores the rolling friction of a geom unless condim enables it."""
    geom = '<geom name="g" size=".1" friction="0.3 0.02 0.01"/>'
    (tmp_path / "m.xml").write_text(f"<mujoco><worldbody><body><joint/>{geom}</body></worldbody></mujoco>")
    document = tmp_path / f"m.{suffix}"
    convert(tmp_path / "m.xml", document)
    text = document.read_text()
    document.write_text(text.replace('radius="0.1"', 'radius="0.3"').replace("<radius>0.1", "<radius>0.3"))
    convert(document, tmp_path / "back.xml")
    back = mujoco_model(tmp_path / "back.xml").geom("g")
    assert back.size[0] == 0.3
    assert back.condim == 3
    assert back.friction.tolist() == [0.3, 0.02, 0.01]


def test_a_geom_that_an_edit_has_twist_asks_for_that(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><body><joint/><geom name="g" size=".1"/></body></worldbody></mujoco>'
    )
    convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    twist = "<coefficient>0.5</coefficient><patch_radius>0.1</patch_radius>"
    surface = f"<surface><friction><torsional>{twist}</torsional></friction></surface></collision>"
    text = (tmp_path / "m.sdf").read_text()
    (tmp_path / "m.sdf").write_text(text.replace("</collision>", surface))
    convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").geom("g").condim == 4


@pytest.mark.parametrize("edit", [("<mu2>1</mu2>", "<mu2>0.5</mu2>"), ("<mu>1</mu>", "")], ids=["changed", "gone"])
def test_what_only_bullet_says_of_a_link_is_no_surface_beside_an_edited_friction(
    tmp_path: Path, edit: tuple[str, str]
) -> None:
    """It is in the <contact> whose friction, stiffness and damping the edit took away."""
    said = '<friction_anchor/><stiffness value="30000"/><damping value="1000"/><lateral_friction value="1"/>'
    shape = '<collision name="c"><geometry><box size="1 1 1"/></geometry></collision>'
    urdf = f'<robot name="r"><link name="a"><contact>{said}</contact>{shape}</link></robot>'
    convert(saved(tmp_path / "r.urdf", urdf), tmp_path / "r.sdf")
    text = (tmp_path / "r.sdf").read_text()
    assert edit[0] in text
    report = explained(convert(saved(tmp_path / "r.sdf", text.replace(*edit)), tmp_path / "back.urdf"))
    assert "body/a.surface" in [each.where for each in of_rule(report, "carried/stale")]
    contact = etree.parse(tmp_path / "back.urdf").find("link/contact")
    assert [each.tag for each in contact] == ["friction_anchor"]
