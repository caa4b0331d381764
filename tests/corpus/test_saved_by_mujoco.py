"""What MuJoCo saves of an MJCF comes back to the source: it writes six digits, CDATA sections, and its own spelling of
servos, free joints and file contents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mujoco
import pytest
from lxml import etree

from converters.convert import convert, load
from ir.diff import Difference, differences
from tests.corpus.edits import made
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

MODELS = [path for path in made() if path.suffix != ".xml"]
MUJOCO = {
    "feature_ros2_control": ("scene/extras.size[1]",),  # how many keyframes there are
    "feature_sdf_world": ("physics/physics.timestep",),  # a step that is its default is left out
    "feature_texture": ("material/wood.rgba",),  # so is white
}
"""Items that MuJoCo itself adds or omits when it saves: edits, which are used."""


def saved(source: Path) -> Path:
    """Save a model by MuJoCo next to the source, and return the path."""
    target = source.with_suffix(".saved.xml")
    mujoco.mj_saveLastXML(str(target), mujoco_model(source))
    return target


def digits(before: Any, after: Any) -> bool:
    """Whether two values are the same numbers, up to six digits."""
    ours, theirs = (value if isinstance(value, Sequence) else (value,) for value in (before, after))
    if len(ours) != len(theirs) or not all(isinstance(item, float) for item in (*ours, *theirs)):
        return False
    return list(theirs) == pytest.approx(list(ours), abs=max(1e-12, 2e-5 * max(map(abs, ours))))


def other(difference: Difference, name: str) -> bool:
    if difference.field == "asset.uri" or difference.where.startswith(MUJOCO.get(name, ("-",))):
        return False
    return not digits(difference.before, difference.after)


@pytest.mark.parametrize("source", MODELS, ids=lambda path: path.name)
def test_a_model_that_mujoco_has_saved_comes_back(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "robot.xml")
    back = tmp_path / f"robot{source.suffix}"
    report = explained(convert(saved(tmp_path / "robot.xml"), back))
    assert all("." in each.where for each in of_rule(report, "carried/stale"))  # of numbers alone
    found = [each for each in differences(load(source).scene, load(back).scene) if other(each, source.stem)]
    assert [f"{each.where}: {each.before} -> {each.after}" for each in found] == []


def test_what_stands_for_another_thing_is_edited_by_more_than_digits_that_got_lost(tmp_path: Path) -> None:
    camera = (
        "<camera name='c'><horizontal_fov>1.0471234567</horizontal_fov><image><width>320</width><height>240</height>"
    )
    rest = "</image><clip><near>0.1</near><far>9</far></clip></camera><update_rate>30</update_rate>"
    link = (
        f"<link name='b'><sensor name='eye' type='camera'><pose>1 0 0 0.1 0.2 0.3</pose>{camera}{rest}</sensor></link>"
    )
    source = tmp_path / "in.sdf"
    source.write_text(f"<sdf version='1.9'><model name='m'>{link}</model></sdf>")
    convert(source, tmp_path / "there.xml")
    report = convert(saved(tmp_path / "there.xml"), tmp_path / "back.sdf")
    assert of_rule(report, "carried/stale") == []
    assert etree.parse(tmp_path / "back.sdf").findtext(".//update_rate") == "30"
    tree = etree.parse(tmp_path / "there.saved.xml")
    (view,) = tree.iter("camera")
    text = (tmp_path / "there.saved.xml").read_text()
    assert text.count(f'pos="{view.get("pos")}"') == 1
    (tmp_path / "edited.xml").write_text(text.replace(f'pos="{view.get("pos")}"', 'pos="1.0001 0 0"'))
    report = convert(tmp_path / "edited.xml", tmp_path / "edited.sdf")
    stale = {each.where: (each.action, '"rate":30.0' in each.before) for each in of_rule(report, "carried/stale")}
    assert stale == {"body/b.cameras.eye": ("repaired", False), "sensor/eye": ("dropped", True)}
    assert "1.0001 0 0" in (tmp_path / "edited.sdf").read_text()


TEXTS = """<text name="note"><![CDATA[he said "a" & 'b']]></text><text name="plain" data="x &lt; y"/>
  <text name="lines"><![CDATA[x
  ]]>&#10;</text>"""


@pytest.mark.parametrize("suffix", ["xml", "urdf", "sdf", "glb"])
def test_a_text_in_a_section_is_that_text_and_comes_back_as_one(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "in.xml"
    source.write_text(
        f'<mujoco><custom>{TEXTS}</custom><worldbody><body name="b"><geom size=".1"/></body></worldbody></mujoco>'
    )
    explained(convert(source, tmp_path / f"there.{suffix}"))
    convert(tmp_path / f"there.{suffix}", tmp_path / "back.xml")
    text = (tmp_path / "back.xml").read_text()
    assert text.count("<![CDATA[") == 2
    assert """<![CDATA[he said "a" & 'b']]></text>""" in text
    assert mujoco_model(tmp_path / "back.xml").text_data == mujoco_model(source).text_data
    one = load(source).scene.extras
    plain = tmp_path / "plain.xml"
    plain.write_text(
        source.read_text().replace("<![CDATA[x\n  ]]>&#10;", "").replace('name="lines"', 'name="lines" data="x&#10;  "')
    )
    assert [each.text for each in load(plain).scene.extras] == [each.text for each in one]


def test_a_section_in_an_included_and_in_an_attached_file_counts(tmp_path: Path) -> None:
    (tmp_path / "more.xml").write_text(f"<mujoco><custom>{TEXTS}</custom></mujoco>")
    source = tmp_path / "in.xml"
    source.write_text('<mujoco><include file="more.xml"/><worldbody/></mujoco>')
    explained(convert(source, tmp_path / "out.xml"))
    assert mujoco_model(tmp_path / "out.xml").text_data == mujoco_model(source).text_data


SERVOS = """<motor name="a" joint="j" gear="3"/><position name="b" joint="j" kp="2.5" kv=".3"/>
  <velocity name="c" joint="j"/>
  <velocity name="d" joint="j" kv="3" ctrlrange="-1 1"/><position name="e" joint="j" kp="2" timeconst=".1"/>
  <damper name="f" joint="j" kv="2" ctrlrange="0 1"/><intvelocity name="g" joint="j" kp="3" actrange="-1 1"/>"""


def test_a_servo_that_is_saved_as_general_is_the_same_servo(tmp_path: Path) -> None:
    source = tmp_path / "in.xml"
    source.write_text(
        '<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>'
        f"<actuator>{SERVOS}</actuator></mujoco>"
    )
    table, again = (load(path).scene.tables["actuator"] for path in (source, saved(source)))
    kinds = dict(
        zip("abcdefg", ("motor", "position", "velocity", "velocity", "general", "general", "general"), strict=True)
    )
    assert {name: each.kind for name, each in again.items()} == kinds
    assert all(again[name] == table[name] for name in "abcd")
    convert(source.with_suffix(".saved.xml"), tmp_path / "out.xml")
    written = etree.parse(tmp_path / "out.xml")
    assert [each.tag for each in written.find("actuator")] == ["general"] * 7
    ours, theirs = (mujoco_model(tmp_path / name) for name in ("out.xml", "in.xml"))
    for field in ("actuator_gainprm", "actuator_biasprm", "actuator_gear", "actuator_ctrlrange"):
        assert getattr(ours, field) == pytest.approx(getattr(theirs, field))


VELOCITY = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <ros2_control name="c" type="system"><hardware><plugin>p</plugin></hardware>
  <joint name="j"><command_interface name="velocity"/></joint></ros2_control></robot>"""


@pytest.mark.parametrize("said", ["", ' input="vel"'])
def test_a_servo_in_the_words_of_general_stays_one_that_mujoco_takes(tmp_path: Path, said: str) -> None:
    source, there = tmp_path / "in.urdf", tmp_path / "there.xml"
    source.write_text(VELOCITY)
    convert(source, there)
    tree = etree.parse(there)
    (servo,) = tree.iter("velocity")
    servo.tag = "general"
    law = {"gainprm": "3", "biastype": "affine", "biasprm": "0 0 -3"} | ({"input": "vel"} if said else {})
    servo.attrib.update(law)
    tree.write(tmp_path / "edited.xml")
    explained(convert(tmp_path / "edited.xml", tmp_path / "out.xml"))
    model = mujoco_model(tmp_path / "out.xml")
    assert (model.actuator_gainprm[0, 0], *model.actuator_biasprm[0, :3]) == (3, 0, 0, -3)
    explained(convert(tmp_path / "edited.xml", tmp_path / "back.urdf"))


CLASSES = """<mujoco><default><default class="base"><geom group="1" solref=".02 1"/>
  <position ctrllimited="true" ctrlrange="0 1.57"/><default class="mine"><geom condim="4" solref=".01 1"/></default>
  </default></default><asset><mesh name="part" file="part.obj"/></asset></mujoco>"""


def test_classes_that_mujoco_saves_or_somebody_edits_are_those_of_the_document_at_hand(tmp_path: Path) -> None:
    source, there = tmp_path / "in.xml", tmp_path / "there" / "out.xml"
    source.write_text(
        '<mujoco><asset><texture name="a" builtin="flat" width="8" height="8"/></asset><include file="classes.xml"/>'
        '<worldbody><body name="b"><geom size=".1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "classes.xml").write_text(CLASSES)
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
    convert(source, there)
    explained(convert(saved(there), tmp_path / "back" / "in.xml"))
    mine = etree.parse(tmp_path / "back" / "in.xml").find(".//default[@class='mine']/geom")
    assert dict(mine.attrib) == {"condim": "4", "solref": "0.01"}
    there.write_text(there.read_text().replace('"4" solref=".01 1"', '"6" solref=".01 1"'))
    explained(convert(there, tmp_path / "back" / "edited.xml"))
    mine = etree.parse(tmp_path / "back" / "edited.xml").find(".//default[@class='mine']/geom")
    assert dict(mine.attrib) == {"condim": "6", "solref": ".01 1"}
    assert mujoco_model(tmp_path / "back" / "edited.xml").nmesh == 1
