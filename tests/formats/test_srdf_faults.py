"""What cannot be used in an SRDF is reported at its line, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters.context import InputError, Options
from converters.convert import convert, load, read
from converters.validating import validate
from tests.formats.srdf_text import ENDS, JOINT, LIMIT, LINK, placed, plain, reading_of
from tests.formats.test_srdf import CONVERTIBLE, rules
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete

G = '<group name="g"><joint name="elbow"/></group>'


HELD = (
    '<virtual_joint name="v" type="floating" parent_frame="w" child_link="base"/>'
    '<group name="g"><joint name="v"/></group>'
)


BAD: tuple[tuple[str, str, str], ...] = (
    ('<group><joint name="elbow"/></group>', "srdf/element", "has no attribute 'name'"),
    ('<group name=""/>', "srdf/element", "has an empty attribute 'name'"),
    (f"{G}{G}", "srdf/element", "named 'g' already"),
    ('<group name="g"><link name="nobody"/></group>', "srdf/reference", "no link"),
    ('<group name="g"><joint name="nobody"/></group>', "srdf/reference", "no joint"),
    ('<group name="g"><chain base_link="base" tip_link="no"/></group>', "srdf/reference", "no link"),
    ('<group name="g"><chain base_link="base"/></group>', "srdf/element", "not a member"),
    ('<group name="g"><group name="h"/></group>', "srdf/reference", "no group"),
    ('<group name="g"><group name="g"/></group>', "srdf/group-cycle", "contains itself"),
    ('<group name="g"><wheel/></group>', "srdf/element", "not a member"),
    ('<group_state group="g"/>', "srdf/element", "has no attribute 'name'"),
    ('<group_state name="s" group="h"/>', "srdf/reference", "no group"),
    (f'{G}<group_state name="s" group="g"><joint name="no" value="0"/></group_state>', "srdf/reference", "no joint"),
    (f'{G}<group_state name="s" group="g"><joint name="elbow" value="x"/></group_state>', "srdf/state", "not a number"),
    (f'{G}<group_state name="s" group="g"><joint name="elbow" value="nan"/></group_state>', "srdf/state", "number"),
    (f'{G}<group_state name="s" group="g"><joint name="elbow"/></group_state>', "srdf/state", "1 number, not 0"),
    (f'{G}<group_state name="s" group="g"><joint name="elbow" value="1 2"/></group_state>', "srdf/state", "not 2"),
    (f'{G}<group_state name="s" group="g"><joint name="wrist" value="1"/></group_state>', "srdf/state", "fixed"),
    (
        f'{G}<group_state name="s" group="g"><joint name="elbow" value="1"/><joint name="elbow" value="2"/>'
        "</group_state>",
        "srdf/state",
        "set again",
    ),
    ('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="no"/>', "srdf/reference", "what it is about"),
    ('<virtual_joint name="v" type="round" parent_frame="w" child_link="base"/>', "srdf/element", "type 'round'"),
    (
        '<virtual_joint name="v" type="fixed" parent_frame="w" child_link="hand"/>',
        "srdf/element",
        "already has a place",
    ),
    (
        '<virtual_joint name="elbow" type="fixed" parent_frame="w" child_link="base"/>',
        "srdf/element",
        "a joint 'elbow'",
    ),
    ('<virtual_joint type="fixed" parent_frame="w" child_link="base"/>', "srdf/element", "has no attribute 'name'"),
    ('<passive_joint name="no"/>', "srdf/reference", "what it is about"),
    ('<passive_joint name="elbow"/><passive_joint name="elbow"/>', "srdf/element", "passive already"),
    ('<joint_property joint_name="no" property_name="a" value="b"/>', "srdf/reference", "what it is about"),
    ('<joint_property joint_name="elbow" property_name="a"/>', "srdf/element", "'value'"),
    ('<end_effector name="e" parent_link="hand"/>', "srdf/element", "has no attribute 'group'"),
    (f'{G}<end_effector name="e" parent_link="no" group="g"/>', "srdf/reference", "no link"),
    ('<end_effector name="e" parent_link="hand" group="no"/>', "srdf/reference", "no group"),
    ('<disable_collisions link1="base" link2="no"/>', "srdf/reference", "what it is about"),
    ('<disable_collisions link1="base" link2="base"/>', "srdf/element", "with itself"),
    ('<disable_collisions link1="base" link2="hand"/>' * 2, "srdf/element", "already"),
    ('<disable_default_collisions link="base"/>' * 2, "srdf/element", "already"),
    (G + '<group_state name="s" group="g"/>' * 2, "srdf/element", "again later"),
    ('<disable_collisions link1="base"/>', "srdf/element", "has no attribute 'link2'"),
    ('<disable_default_collisions link="no"/>', "srdf/reference", "what it is about"),
    ('<link_sphere_approximation link="no"/>', "srdf/reference", "what it is about"),
    (
        '<link_sphere_approximation link="base"><sphere center="0 0" radius="1"/></link_sphere_approximation>',
        "srdf/element",
        "needs 3 numbers",
    ),
    (
        '<link_sphere_approximation link="base"><sphere center="0 0 0" radius="-1"/></link_sphere_approximation>',
        "srdf/element",
        "not negative",
    ),
    ('<link_sphere_approximation link="base"/>' * 2, "srdf/element", "has its spheres already"),
    (
        f'{HELD}<group_state name="s" group="g"><joint name="v" value="0 0 0 0 0 0 0"/></group_state>',
        "srdf/state",
        "has a quaternion without a direction",
    ),
    (
        '<link_sphere_approximation link="base"><sphere radius="1"/></link_sphere_approximation>',
        "srdf/element",
        "center",
    ),
)


@pytest.mark.parametrize(("element", "rule", "said"), BAD)
def test_what_cannot_be_used_is_told_and_kept(tmp_path: Path, element: str, rule: str, said: str) -> None:
    reading = reading_of(tmp_path, element)
    (note,) = (note for note in reading.context.notes if note.rule.startswith("srdf/"))
    assert (note.rule, note.action) == (rule, "ignored")
    assert said in note.reason
    assert note.source is not None
    assert (Path(note.source.file).name, note.source.line) == ("arm.srdf", 2)
    report = convert(tmp_path / "arm.urdf", tmp_path / "out.urdf")
    assert plain(tmp_path / "out.srdf") == plain(tmp_path / "arm.srdf")
    complete(report)
    for suffix in CONVERTIBLE:
        report = complete(convert(tmp_path / "arm.urdf", tmp_path / f"via.{suffix}"))
        convert(tmp_path / f"via.{suffix}", tmp_path / f"{suffix}.urdf")
        assert plain(tmp_path / f"{suffix}.srdf") == plain(tmp_path / "arm.srdf")


def test_a_long_cycle_of_groups_is_told_for_each_in_it(tmp_path: Path) -> None:
    count = 3000
    groups = (f'<group name="g{i}"><group name="g{(i + 1) % count}"/></group>' for i in range(count))
    notes = reading_of(tmp_path, *groups, '<group name="outside"><group name="g0"/></group>').context.notes
    assert sum(note.rule == "srdf/group-cycle" for note in notes) == count + 1


def test_many_of_one_name_take_no_longer_than_others(tmp_path: Path) -> None:
    elements = ['<disable_collisions link1="base" link2="hand"/>', '<group_state name="s" group="g"/>']
    elements += ['<end_effector name="e" parent_link="hand" group="g"/>', '<passive_joint name="left"/>']
    path = placed(tmp_path, f'<robot name="arm">{"".join(elements) * 10_000}</robot>')
    reading = load(path)
    (note,) = reading.context.notes
    assert (note.rule, note.action) == ("srdf/unreadable", "dropped")
    assert "seems to be about another robot" in note.reason
    assert not any(reading.scene.tables.values())
    assert len(convert(path, tmp_path / "out.xml").source.files) == 1
    with pytest.raises(InputError, match="more than 4000 elements cannot be used"):
        load(path, options=Options(srdf=path.with_suffix(".srdf")))


def test_a_name_that_is_another_robots_is_told(tmp_path: Path) -> None:
    path = placed(tmp_path, '<robot name="leg"/>')
    report = convert(path, tmp_path / "out.urdf")
    assert rules(report) == [("srdf/found", "noted"), ("srdf/robot-name", "ignored")]
    assert plain(tmp_path / "out.srdf") == plain(tmp_path / "arm.srdf")


def test_many_links_and_rules_take_linear_time(tmp_path: Path) -> None:
    count = 1500
    links = "".join(LINK.format(f"l{i}") for i in range(count))
    joints = "".join(JOINT.format(f"j{i}", f"l{i}", f"l{i + 1}", ENDS[0][3], LIMIT) for i in range(count - 1))
    lines = [f'<disable_collisions link1="l{i}" link2="l{i + 1}" reason="Adjacent"/>' for i in range(count - 1)]
    lines += [f'<group name="g{i}"><joint name="j{i}"/></group>' for i in range(count - 1)]
    values = "".join(f'<joint name="j{i}" value="0.1"/>' for i in range(count - 1))
    states = [f'<group_state name="s{i}" group="g0">{values}</group_state>' for i in range(3)]
    scene = reading_of(tmp_path, *lines, *states, urdf=f'<robot name="arm">{links}{joints}</robot>').scene
    assert len(scene.tables["contact"]) == count - 1
    convert(tmp_path / "arm.urdf", tmp_path / "out.urdf")
    assert plain(tmp_path / "out.srdf") == plain(tmp_path / "arm.srdf")


@pytest.mark.parametrize("suffix", ["xml", "sdf"])
def test_each_finding_stands_at_the_line_of_its_own_element(tmp_path: Path, suffix: str) -> None:
    """Grouped findings name the first one in the file; lxml gives the expected line."""
    source = placed(tmp_path)
    report = convert(source, tmp_path / f"out.{suffix}")
    root = etree.parse(str(source.with_suffix(".srdf"))).getroot()
    places = {finding.where: finding.sources[0] for finding in report.findings if finding.sources}
    for tag, attribute, field in (("passive_joint", "name", "passive"), ("joint_property", "joint_name", "properties")):
        element = next(root.iter(tag))
        found = places[f"joint/{element.get(attribute)}.{field}"]
        assert (Path(found.file).suffix, found.line) == (".srdf", element.sourceline)
    for where, place in places.items():
        kind, _, name = where.partition("/")
        if kind in ("group", "end_effector") and "." not in name:
            (element,) = root.xpath(f"/robot/{kind}[@name='{name}']")
            assert place.line == element.sourceline
    states = [finding for finding in report.findings if finding.where.startswith("keyframe/up")]
    (up,) = root.xpath("//group_state[@name='up']")
    assert states and {finding.sources[0].line for finding in states} == {up.sourceline}


def test_a_state_outside_the_limits_is_told_and_kept(tmp_path: Path) -> None:
    states = [
        f'<group_state name="s{value}" group="g"><joint name="shoulder" value="{value}"/></group_state>'
        for value in (2, 2.1)
    ]
    group = '<group name="g"><joint name="shoulder"/></group>'
    path = placed(tmp_path, '<robot name="arm">\n' + "\n".join([group, *states]) + "</robot>")
    told = [each for each in validate(path).breaches if each.rule == "STATE-LIMITS"]
    assert [(each.source.line, "2.1" in each.message) for each in told if each.source] == [(4, True)]
    report = convert(path, tmp_path / "out.xml")
    assert ("srdf/state-limits", "ignored") in rules(report)
    model = mujoco_model(tmp_path / "out.xml")
    limits, at = model.joint("shoulder").range, model.joint("shoulder").qposadr[0]
    assert [float(key[at]) for key in model.key_qpos] == [2.0, 2.1] and limits[1] == 2.0
    assert read(tmp_path / "out.xml") == read(path)
