"""Links and joints that are renamed in a document: data carried for them, and references to them, follow."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from converters.convert import convert
from tests.corpus.checks import placeless
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.mjcf_against_mjcf import differences
from tests.reports import explained, of_rule

ROBOT = """<mujoco model="m"><default><joint armature=".1"/></default><worldbody>
<body name="base"><geom name="bg" size=".1" friction=".3"/><body name="arm" pos="0 0 1">
<joint name="turn" type="hinge" axis="0 1 0" range="-1 1" stiffness="2" damping=".5" solreflimit=".03 1"/>
<geom name="ag" size=".1" solref=".05 1" rgba="1 0 0 1"/><site name="s" pos="0 0 .1"/>
<body name="tip" pos="0 0 .5"><joint name="slip" type="slide" margin=".1"/>
<joint name="spin" axis="1 0 0"/><geom name="tg" size=".05"/></body>
</body></body></worldbody>
<contact><exclude body1="base" body2="tip"/></contact>
<actuator><position name="p" joint="turn" kp="10" ctrlrange="-1.5 1.5" forcerange="-3 3"/>
<motor name="w" joint="slip" ctrlrange="-2 2"/><velocity name="v" joint="spin" kv="3"/></actuator>
<sensor><gyro site="s" name="g"/><jointpos joint="turn" name="jp"/><framepos objtype="body" objname="arm"/></sensor>
<keyframe><key name="k" qpos=".5 .1 .2"/></keyframe></mujoco>"""
CARRIED = re.compile(r'<(?:kinegraph:carried|text name="kinegraph:)\b.*?(?:/>|</kinegraph:carried>)', re.DOTALL)


def called(text: str, names: dict[str, str]) -> str:
    """Return a document with names replaced in attributes and texts, except in carried data."""
    kept = CARRIED.findall(text)
    text = CARRIED.sub("\0", text)
    for old, new in names.items():
        text = re.sub(rf'(["/>:]){old}(["<:/])', rf"\g<1>{new}\g<2>", text)
    for each in kept:
        text = text.replace("\0", each, 1)
    return text


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
@pytest.mark.parametrize(
    "names",
    [
        {"arm": "forearm"},
        {"turn": "elbow"},
        {"arm": "forearm", "turn": "elbow", "tip": "finger"},
        {"base": "foot", "slip": "slide"},
        {"spin": "twist"},
        {"slip": "slide", "spin": "twist", "tip": "finger", "turn": "elbow"},
    ],
)
def test_what_is_carried_follows_another_name(tmp_path: Path, names: dict[str, str], suffix: str):
    source, there, back = tmp_path / "m.xml", tmp_path / f"m.{suffix}", tmp_path / "back.xml"
    source.write_text(ROBOT)
    convert(source, there)
    for document in tmp_path.glob("m.*df"):  # states stand in an SRDF
        document.write_text(called(document.read_text(), names))
    report = convert(there, back)
    explained(report)
    assert not of_rule(report, "carried/stale")
    wanted = saved(tmp_path / "wanted.xml", called(ROBOT, names))
    found = differences(mujoco_model(wanted), mujoco_model(back), rollout=False)
    assert {part: texts for part, texts in found if texts} == {}


GRIPPER = """<mujoco><worldbody>
<body name="l"><joint name="left" type="slide" range="0 1"/><geom size=".1"/></body>
<body name="m"><joint name="mid" type="slide" range="0 1" damping="2"/><geom size=".1"/></body>
<body name="r"><joint name="right" type="slide" range="0 1" armature=".3"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="split"><joint joint="left" coef=".5"/><joint joint="right" coef=".5"/></fixed></tendon>
<equality><joint joint1="left" joint2="mid"/><joint joint1="mid" joint2="right" polycoef="0 2 0 0 0"/></equality>
<actuator><general name="grip" tendon="split" gainprm="5"/></actuator></mujoco>"""


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
def test_a_joint_that_mimics_another_is_known_where_both_have_another_name(tmp_path: Path, suffix: str):
    source, there, back = tmp_path / "m.xml", tmp_path / f"m.{suffix}", tmp_path / "back.xml"
    names = {"left": "r_left", "mid": "r_mid", "right": "r_right"}
    source.write_text(GRIPPER)
    convert(source, there)
    there.write_text(called(there.read_text(), names))
    report = explained(convert(there, back))
    assert not of_rule(report, "carried/stale")
    wanted = saved(tmp_path / "wanted.xml", called(GRIPPER, names))
    found = differences(mujoco_model(wanted), mujoco_model(back), rollout=False)
    assert {part: texts for part, texts in found if texts} == {}


MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
TWINS = f"""<robot name="r"><link name="leg">{MASS}<own/></link><link name="leg_1">{MASS}<own/></link>
<joint name="knee" type="revolute"><parent link="leg"/><child link="leg_1"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="3" velocity="2"/><safety_controller k_velocity="3"/></joint></robot>"""


@pytest.mark.parametrize("suffix", ["xml", "sdf"])
@pytest.mark.parametrize("others", [{}, {"knee": "my_knee"}], ids=["links", "links and joints"])
def test_links_that_are_alike_and_have_all_got_a_prefix_are_those_that_were(
    tmp_path: Path, suffix: str, others: dict[str, str]
):
    source, there, back = tmp_path / "m.urdf", tmp_path / f"m.{suffix}", tmp_path / "back.urdf"
    source.write_text(TWINS)
    convert(source, there)
    names = {"leg": "my_leg", "leg_1": "my_leg_1", **others}
    there.write_text(called(there.read_text(), names))
    assert not of_rule(explained(convert(there, back)), "carried/stale")
    wanted = saved(tmp_path / "wanted.urdf", called(TWINS, names))
    convert(wanted, tmp_path / "plain.urdf")
    assert placeless(back) == placeless(tmp_path / "plain.urdf")


LOCKED = TWINS.replace('<safety_controller k_velocity="3"/>', "").replace('lower="-1" upper="1"', 'lower="0" upper="0"')


@pytest.mark.parametrize("name", ["my_knee", "knee_of_mine"])
def test_a_locked_joint_of_which_nothing_carried_says_the_name_stays_locked(tmp_path: Path, name: str):
    source, there, back = tmp_path / "m.urdf", tmp_path / "m.xml", tmp_path / "back.urdf"
    source.write_text(LOCKED)
    convert(source, there)
    there.write_text(called(there.read_text(), {"knee": name}))
    assert not of_rule(explained(convert(there, back)), "carried/stale")
    assert '<limit lower="0" upper="0" effort="3" velocity="2"/>' in back.read_text()


def test_a_universal_joint_whose_axes_are_called_after_it_keeps_its_motors(tmp_path: Path):
    source, there, back = tmp_path / "m.xml", tmp_path / "m.sdf", tmp_path / "back.xml"
    source.write_text("""<mujoco><worldbody><body name="b"><geom size=".1"/><body name="a" pos="0 0 1">
<joint name="pan" axis="0 0 1"/><joint name="tilt" axis="0 1 0"/><geom size=".1"/></body></body></worldbody>
<actuator><motor name="p" joint="pan"/><position name="t" joint="tilt" kp="3"/></actuator></mujoco>""")
    convert(source, there)
    (joint,) = re.findall(r'<joint name="([^"]*)" type="universal"', there.read_text())
    there.write_text(called(there.read_text(), {joint: f"my_{joint}"}))
    assert not of_rule(explained(convert(there, back)), "carried/stale")
    model = mujoco_model(back)
    assert [model.actuator(name).gainprm[0] for name in ("p", "t")] == [1, 3]


@pytest.mark.parametrize("most", [0, 1, 10])
def test_a_document_in_which_no_more_names_may_be_tried_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
):
    source, there, back = tmp_path / "m.xml", tmp_path / "m.urdf", tmp_path / "back.xml"
    particles = "".join(
        f'<body pos="0 {y} 0"><joint name="x{y}" type="slide"/><joint name="y{y}" type="slide" axis="0 1 0"/>'
        '<geom size=".1"/></body>'
        for y in range(4)
    )
    source.write_text(f"<mujoco><worldbody>{particles}</worldbody></mujoco>")
    convert(source, there)
    there.write_text(called(there.read_text(), {"x1": "other", "y2": "another"}))
    monkeypatch.setattr("converters.carried.names.MOST", most)
    explained(convert(there, back))
    assert mujoco_model(back).nq == 8


def test_a_name_of_a_million_letters_is_not_taken_apart(tmp_path: Path):
    source, there, back = tmp_path / "m.urdf", tmp_path / "m.xml", tmp_path / "back.urdf"
    source.write_text(TWINS)
    convert(source, there)
    long = "knee" * 250_000
    there.write_text(called(there.read_text(), {"knee": long}))
    explained(convert(there, back))
    assert f'<joint name="{long}" type="revolute">' in back.read_text()


def test_of_two_copies_none_is_the_link_that_was(tmp_path: Path):
    source, there, back = tmp_path / "m.xml", tmp_path / "m.urdf", tmp_path / "back.xml"
    source.write_text(
        '<mujoco><worldbody><body name="a" gravcomp=".5"><geom name="g" size=".1"/></body></worldbody></mujoco>'
    )
    convert(source, there)
    text = there.read_text()
    (link,) = re.findall(r'<link name="a">.*?</link>', text, re.DOTALL)
    (joint,) = re.findall(r'<joint name="weld_a".*?</joint>', text, re.DOTALL)
    twice = "".join(
        each.replace('"a"', f'"{name}"').replace('"weld_a"', f'"weld_{name}"')
        for name in ("b", "c")
        for each in (link, joint)
    )
    there.write_text(text.replace(joint, "").replace(link, twice))
    explained(convert(there, back))
    assert [mujoco_model(back).body(number).name for number in (1, 2)] == ["b", "c"]
