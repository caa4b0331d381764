"""What an <include> changes in the model: each <experimental:params> is compared with the result of libsdformat for the
same file, and what it overrides."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert, read
from converters.context import Options
from ir.diff import compare
from ir.scene import Scene
from tests.formats.sdf_text import converted, faults, put, rules, xml
from tests.oracles.in_sdformat import sdformat_expands
from tests.oracles.plain_urdf import parse
from tests.reports import complete, of_rule

CONFIG = '<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>'
INNER = """<sdf version="1.9"><model name="inner"><pose>1 0 0 0 0 0</pose>
<link name="kid"><pose>0 1 0 0 0 0</pose></link></model></sdf>"""
WORLD = '<sdf version="1.10"><world name="w">{}<model name="m"><link name="a"/></model></world></sdf>'
BASE = """<sdf version="1.9"><model name="base">
<link name="link"><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial>
<visual name="seen"><geometry><box><size>1 2 3</size></box></geometry>
<material><ambient>0 1 0 1</ambient><diffuse>1 0 0 1</diffuse></material><plugin name="p" filename="f"/></visual>
<collision name="hit"><geometry><box><size>1 2 3</size></box></geometry></collision>
<sensor name="eye" type="camera"><camera><horizontal_fov>2</horizontal_fov></camera></sensor></link>
<include><uri>inner</uri></include>
<include><uri>inner</uri><name>second</name><pose>5 0 0 0 0 0</pose></include>
<include merge="true"><uri>inner</uri><name>third</name></include>
</model></sdf>"""

DONE = {
    "nothing": "",
    "add a link": '<link element_id="" name="new" action="add"><pose>1 2 3 0 0 0</pose></link>',
    "add to a link": '<visual element_id="link" name="more" action="add"><geometry><sphere/></geometry></visual>',
    "add a second plugin": '<plugin element_id="link::seen" name="p" filename="g" action="add"/>',
    "add to an included model": '<frame element_id="second" name="tip" action="add"><pose>1 1 1 0 0 0</pose></frame>',
    "add a child": '<link element_id="link"><gravity action="add">0</gravity></link>',
    "add a joint": """<joint element_id="" name="j" type="fixed" action="add">
        <parent>link</parent><child>second::kid</child></joint>""",
    "remove": '<collision element_id="link::hit" action="remove"/>',
    "remove a plugin": '<plugin element_id="link::seen::p" action="remove"/>',
    "remove an included model": '<model element_id="second" action="remove"/>',
    "remove children": '<link element_id="link" action="remove"><visual name="seen"/><collision/></link>',
    "remove a child": '<link element_id="link"><visual name="seen" action="remove"/></link>',
    "remove of a child": '<visual element_id="link::seen"><material action="remove"><diffuse/></material></visual>',
    "replace": """<collision element_id="link::hit" name="other" action="replace">
        <geometry><cylinder><radius>2</radius></cylinder></geometry></collision>""",
    "replace a child": '<link element_id="link"><inertial action="replace"><mass>5</mass></inertial></link>',
    "replace a plugin": """<visual element_id="link::seen">
        <plugin name="p" action="replace" filename="z"><more>5</more></plugin></visual>""",
    "replace an included model": '<model element_id="second" action="replace" name="second"><link name="q"/></model>',
    "modify a value": '<link element_id="inner::kid"><pose action="modify">9 0 0 0 0 0</pose></link>',
    "modify what was merged": '<link element_id="kid"><pose action="modify">9 0 0 0 0 0</pose></link>',
    "modify to the default": """<link element_id="link" action="modify">
        <inertial><mass/></inertial><visual name="seen"><material><diffuse/></material></visual></link>""",
    "modify nothing": '<link element_id="link"><pose action="modify"/></link>',
    "modify a name": '<link element_id="link" action="modify" name="other"/>',
    "modify an attribute": '<visual element_id="link::seen"><plugin name="p" action="modify" filename="z"/></visual>',
    "modify what has no name": """<link element_id="link"><sensor name="eye" action="modify">
        <camera name="c"><horizontal_fov>1</horizontal_fov></camera></sensor></link>""",
    "modify deeper": """<link element_id="link"><visual name="seen" action="modify">
        <geometry><box><size>7 7 7</size></box></geometry></visual></link>""",
    "modify twice": """<visual element_id="link::seen" action="modify"><material>
        <diffuse>0 1 0 1</diffuse><diffuse>0 0 1 1</diffuse></material></visual>""",
    "modify a pose and its frame": """<model element_id="second" action="modify">
        <pose relative_to="link">1 0 0 0 0 0</pose><link name="kid"><pose>3 0 0 0 0 0</pose></link></model>""",
    "one after the other": """<link element_id="" name="new" action="add"><inertial><mass>3</mass></inertial></link>
        <link element_id="new" action="modify"><inertial><mass>4</mass></inertial></link>
        <link element_id="link" action="remove"/>""",
}
FAULTS = {
    "no element_id": ("<link/>", "attribute-missing", {4}),
    "no such element": ('<link element_id="nowhere" action="remove"/>', "element-missing", {8}),
    "no name at the end": ('<link element_id="link::" action="remove"/>', "attribute-invalid", {5}),
    "no such action": ('<link element_id="link" action="test"/>', "attribute-invalid", {5}),
    "add without a name": ('<visual element_id="link" action="add"/>', "attribute-missing", {4}),
    "add with an empty name": ('<visual element_id="link" name="" action="add"/>', "attribute-invalid", {5}),
    "add twice": ('<visual element_id="link" name="seen" action="add"/>', "duplicate-name", {2}),
    "add nowhere": ('<visual element_id="nowhere" name="x" action="add"/>', "element-missing", {8}),
    "add an include": (
        '<include element_id="" name="x" action="add"><uri>inner</uri></include>',
        "element-invalid",
        {9},
    ),
    "a child without an action": ('<link element_id="link"><gravity>0</gravity></link>', "attribute-missing", {4}),
    "no such child": ('<link element_id="link"><gravity action="remove"/></link>', "element-missing", {8}),
    "nothing to modify": (
        '<link element_id="link"><gravity action="modify">0</gravity></link>',
        "element-missing",
        {8},
    ),
    "replace without a name": (
        '<link element_id="link"><visual action="replace"><geometry/></visual></link>',
        "attribute-missing",
        {4},
    ),
}


def model(folder: Path, changes: str, more: str = "") -> Path:
    for name, content in (("base", BASE), ("inner", INNER)):
        put(folder, CONFIG, f"{name}/model.config")
        put(folder, content, f"{name}/model.sdf")
    params = f"<experimental:params>{changes}</experimental:params>"
    include = f"<include><uri>base</uri><name>B</name>{more}{params}</include>"
    return put(folder, f'<sdf version="1.9"><world name="w">{include}</world></sdf>')


def unlike(theirs: Scene, ours: Scene) -> list[str]:
    """Return the differences in what the file contains: libsdformat also writes the settings of a world."""
    return [str(item) for item in compare(theirs, ours)[0] if item.path[0] not in ("scene", "physics")]


@pytest.mark.parametrize("case", DONE)
def test_a_change_is_the_one_that_libsdformat_makes(case: str, tmp_path: Path) -> None:
    source = model(tmp_path, DONE[case])
    answer = sdformat_expands(source, [tmp_path])
    assert answer["errors"] == []
    ours = read(source, options=Options(resource_paths=(tmp_path,)))
    assert unlike(read(put(tmp_path, answer["document"], "expanded.sdf")), ours) == []


def test_what_an_include_says_of_the_model_that_it_changes_is_said_as_by_libsdformat(tmp_path: Path) -> None:
    placed = "<placement_frame>link</placement_frame><pose>1 0 0 0 0 0</pose><static>true</static>"
    source = model(tmp_path, DONE["add a link"], placed)
    answer = sdformat_expands(source, [tmp_path])
    assert answer["errors"] == []
    assert unlike(read(put(tmp_path, answer["document"], "expanded.sdf")), read(source)) == []


@pytest.mark.parametrize("case", DONE)
def test_a_changed_include_is_written_as_it_was(case: str, tmp_path: Path) -> None:
    source = model(tmp_path, DONE[case])
    report, again = converted(tmp_path, source, "again.sdf")
    assert faults(report) == []
    assert report.source_items == report.read + report.ignored + report.unread
    assert [item.tag for item in xml(again)[0][0]] == [item.tag for item in parse(source)[0][0]]
    assert unlike(read(source), read(again)) == []


@pytest.mark.parametrize("case", DONE)
def test_where_the_include_leads_nowhere_the_changed_model_is_written(case: str, tmp_path: Path) -> None:
    source = model(tmp_path / "a" / "here", DONE[case])
    there = tmp_path / "b" / "c" / "there" / "again.sdf"
    convert(source, there)
    assert b"<include" not in there.read_bytes()
    assert unlike(read(source), read(there)) == []


@pytest.mark.parametrize("case", FAULTS)
def test_a_change_that_cannot_be_is_a_fault_as_in_libsdformat(case: str, tmp_path: Path) -> None:
    change, rule, theirs = FAULTS[case]
    source = model(tmp_path, change)
    assert {error["code"] for error in sdformat_expands(source, [tmp_path])["errors"]} >= theirs
    report, _ = converted(tmp_path, source, "out.urdf")
    assert faults(report) == [f"sdf/{rule}"]
    (told,) = of_rule(report, f"sdf/{rule}")
    assert "experimental:params[1]" in told.sources[0].path
    assert told.sources[0].file == str(source)


@pytest.mark.parametrize("action", ["remove", "modify"])
def test_a_child_that_is_not_there_is_a_fault(action: str, tmp_path: Path) -> None:
    """libsdformat 12 aborts."""
    change = f'<link element_id="link" action="{action}"><visual name="unseen"><cast_shadows/></visual></link>'
    report, _ = converted(tmp_path, model(tmp_path, change), "out.urdf")
    (told,) = of_rule(report, "sdf/element-missing")
    assert f"there is no <visual> to {action}" in told.reason


def test_what_is_taken_out_is_told_where_it_stands(tmp_path: Path) -> None:
    source = model(tmp_path, DONE["remove"])
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert xml(urdf).findall("link[@name='B::link']/collision") == []
    (told,) = of_rule(report, "sdf/include-params")
    assert [(Path(place.file).parent.name, place.path) for place in told.sources] == [
        ("base", "/sdf/model[1]/link[1]/collision[1]")
    ]


def test_a_fault_in_what_is_added_is_told_where_it_was_written(tmp_path: Path) -> None:
    change = '<link element_id="" name="new" action="add">\n<foo:bar/>\n</link>'
    report, _ = converted(tmp_path, model(tmp_path, change), "out.urdf")
    (told,) = [finding for finding in report.findings if "foo:bar" in (finding.before or "")]
    assert (told.sources[0].line, told.sources[0].path[-22:]) == (2, "params[1]/link[1]/foo:bar[1]"[-22:])


def test_a_frame_that_a_changed_pose_does_not_find_is_told_where_it_is_named(tmp_path: Path) -> None:
    change = '<link element_id="link" action="modify">\n<pose relative_to="nowhere"/></link>'
    report, _ = converted(tmp_path, source := model(tmp_path, change), "out.urdf")
    (told,) = of_rule(report, "sdf/pose-relative-to-invalid")
    assert [(place.file, place.line) for place in told.sources] == [(str(source), 2)]


def test_two_lists_of_changes(tmp_path: Path) -> None:
    more = f"<experimental:params>{DONE['add a link']}</experimental:params>"
    source = model(tmp_path, DONE["remove"], more)
    expanded = put(tmp_path, sdformat_expands(source, [tmp_path])["document"], "expanded.sdf")
    report, urdf = converted(tmp_path, source, "out.urdf")
    (kept,) = unlike(read(expanded), read(source))
    assert "experimental:params[2]" in kept
    assert len(xml(urdf).findall("link[@name='B::link']/collision")) == 1
    assert "sdf/include-params" in rules(report)


def test_many_changes_of_one_model_cost_what_each_costs(tmp_path: Path) -> None:
    changes = "".join(f'<link element_id="" name="n{index}" action="add"/>' for index in range(3000))
    changes += "".join(f'<link element_id="n{index}" action="remove"/>' for index in range(2990))
    assert len(read(model(tmp_path, changes)).bodies) == 1 + 4 + 10


def test_what_an_include_says_instead_of_its_model_is_told_as_without_effect(tmp_path: Path) -> None:
    inside = (
        '<model name="own"><pose relative_to="here">1 0 0 0 0 0</pose><static>true</static><link name="a"/></model>'
    )
    put(tmp_path, f'<sdf version="1.10">{inside}</sdf>', "part.sdf")
    include = "<include><uri>part.sdf</uri><name>other</name><pose>2 0 0 0 0 0</pose><static>false</static></include>"
    source = put(tmp_path, WORLD.format(include))
    told = of_rule(complete(convert(source, tmp_path / "out.xml")), "sdf/include-overrides")
    assert {(found.where, found.before, found.after, found.action) for found in told} == {
        ("scope/other.label", "own", "other", "ignored"),
        ("scope/other.pose", "1 0 0 0 0 0 relative_to=here", "2 0 0 0 0 0", "ignored"),
        ("scope/other.static", "true", "false", "ignored"),
    }
    assert all(found.sources[0].file == str(tmp_path / "part.sdf") for found in told)
    assert not of_rule(convert(source, tmp_path / "out.sdf"), "sdf/include-overrides")
    put(tmp_path, WORLD.format("<include><uri>part.sdf</uri></include>"))
    assert not of_rule(convert(source, tmp_path / "out.xml"), "sdf/include-overrides")
