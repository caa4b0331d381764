"""SRDF: what is read of it, where it is found, that it comes back, and what is told of a bad one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mujoco
import pytest
from lxml import etree
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.convert import convert, load, read
from converters.inspection import document, totals
from converters.report.model import Action, Report
from converters.srdf.beside import find
from converters.validating import validate
from ir.refs import prefix, rename
from ir.scene import Scene
from ir.types import Approximation, Ball, ContactRule, Dof, DofKind, EndEffector, Group, Joint, Keyframe
from tests.formats.srdf_text import ENDS, JOINT, LIMIT, LINK, LINKS, SRDF, URDF, placed, plain, reading_of

CONVERTIBLE = ("xml", "sdf", "glb")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return read(placed(tmp_path))


def rules(report: Report) -> list[tuple[str, str]]:
    return [(finding.rule, finding.action.value) for finding in report.findings if finding.rule.startswith("srdf/")]


# ------------------------------------------------------------------------------------------------------------ reading


def test_groups_have_links_joints_chains_and_groups(scene: Scene) -> None:
    assert list(scene.tables["group"].values()) == [
        Group(name="arm", chains=(("base", "hand"),)),
        Group(name="hand", bodies=("thumb", "finger"), joints=("left", "right")),
        Group(name="all", joints=("stand",), groups=("arm", "hand")),
    ]
    assert scene.tables["end_effector"] == {
        "gripper": EndEffector(name="gripper", group="hand", parent="hand", parent_group="arm")
    }


def test_a_state_is_a_keyframe_about_the_joints_that_it_names(scene: Scene) -> None:
    home, up, hand = scene.tables["keyframe"].values()
    assert home == Keyframe(name="home", group="arm", dofs=("shoulder", "elbow"), positions=(("shoulder", (0.5,)),))
    stands = ("stand", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    assert up == Keyframe(name="up", group="all", dofs=("left", "stand"), positions=(stands, ("left", (0.1,))))
    assert (hand.name, hand.label, hand.group) == ("hand_home", "home", "hand")


def test_a_virtual_joint_holds_the_robot_in_the_world(scene: Scene) -> None:
    joint = scene.joint_of("base")
    assert joint == Joint(
        name="stand", parent="world", child="base", dofs=(Dof(name="stand", kind=DofKind.FREE),), frame="odom"
    )
    assert scene.roots() == []


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("fixed", []),
        ("planar", [("b_TX", DofKind.SLIDE), ("b_TY", DofKind.SLIDE), ("b_RZ", DofKind.HINGE)]),
    ],
)
def test_a_virtual_joint_is_fixed_or_moves_in_a_plane(
    tmp_path: Path, word: str, kinds: list[tuple[str, DofKind]]
) -> None:
    text = f'<virtual_joint name="b" type="{word}" parent_frame="world" child_link="base"/>'
    state = '<group_state name="s" group="g"><joint name="b" value="1 2 3"/></group_state>'
    scene = reading_of(tmp_path, text, '<group name="g"><joint name="b"/></group>', state).scene
    joint = scene.joint_of("base")
    assert joint is not None
    assert [(dof.name, dof.kind) for dof in joint.dofs] == kinds
    assert dict(scene.tables["keyframe"]["s"].positions) == {
        name: (value,) for (name, _), value in zip(kinds, (1.0, 2.0, 3.0), strict=False)
    }


def test_joints_have_marks_and_bodies_have_balls(scene: Scene) -> None:
    assert [joint.name for joint in scene.joints.values() if joint.passive] == ["right"]
    assert scene.joints["elbow"].properties == (("weight", "0.3"), ("kind", "soft"))
    balls = (Ball(centre=(0.0, 0.0, 0.1), radius=0.05), Ball(centre=(0.0, 0.0, 0.0), radius=0.1))
    assert scene.tables["approximation"] == {"upper": Approximation(name="upper", body="upper", balls=balls)}


def test_who_may_not_touch_whom_is_a_rule(scene: Scene) -> None:
    assert list(scene.tables["contact"].values()) == [
        ContactRule(name="exclude_base_upper", first="base", second="upper", reason="Adjacent"),
        ContactRule(name="exclude_finger", first="finger"),
        ContactRule(name="exclude_base_hand", first="base", second="hand", reason="Never"),
        ContactRule(name="allow_finger_base", first="finger", second="base", allow=True),
        ContactRule(name="exclude_thumb_hand", first="thumb", second="hand"),
    ]


def test_what_is_not_srdf_is_kept_and_every_item_is_counted(tmp_path: Path) -> None:
    reading = load(placed(tmp_path))
    assert [(extra.format, extra.path) for extra in reading.scene.extras] == [("srdf", "rotor_params[1]")]
    urdf, srdf = reading.context.documents
    assert srdf.totals()[3] == 5
    report = convert(placed(tmp_path), tmp_path / "out.xml")
    assert report.source_items == urdf.totals()[0] + srdf.totals()[0]
    assert report.source_items == report.read + report.ignored + report.unread
    assert [Path(file).name for file in report.source.files] == ["arm.urdf", "arm.srdf"]


def test_names_follow(scene: Scene) -> None:
    renamed = rename(rename(scene, "joint", {"elbow": "e"}), "dof", {"elbow": "f"})
    renamed = rename(rename(renamed, "body", {"hand": "palm"}), "group", {"hand": "fingers"})
    tables = renamed.tables
    assert tables["keyframe"]["home"].dofs == ("shoulder", "f")
    assert tables["group"]["arm"].chains == (("base", "palm"),)
    assert tables["group"]["all"].groups == ("arm", "fingers")
    assert tables["end_effector"]["gripper"] == EndEffector(
        name="gripper", group="fingers", parent="palm", parent_group="arm"
    )
    assert tables["keyframe"]["hand_home"].group == "fingers"
    assert tables["contact"]["exclude_base_hand"].second == "palm"
    assert prefix(scene, "a_").tables["contact"]["a_exclude_finger"] == ContactRule(
        name="a_exclude_finger", first="a_finger"
    )


def test_a_link_of_another_name_in_the_graph_is_meant_by_its_own(tmp_path: Path) -> None:
    urdf = URDF.replace('"upper"', '"world"')
    element = '<disable_collisions link1="world" link2="hand"/>'
    path = placed(tmp_path, f'<robot name="arm">{element}<group name="g"><link name="world"/></group></robot>', urdf)
    found = read(path)
    assert found.tables["contact"]["exclude_world_1_hand"].first == "world_1"
    assert found.tables["group"]["g"].bodies == ("world_1",)
    convert(path, tmp_path / "out.urdf")
    assert plain(tmp_path / "out.srdf") == plain(path.with_suffix(".srdf"))


# ------------------------------------------------------------------------------------------------------------ finding


@pytest.mark.parametrize(
    ("model", "srdf"),
    [
        ("robot.urdf", "robot.srdf"),
        ("robot.urdf.xacro", "robot.srdf"),
        ("robot.xacro", "config/robot.srdf"),
        ("urdf/robot.urdf", "srdf/robot.srdf"),
        ("urdf/robot.urdf", "config/robot.srdf"),
        ("robots/robot.urdf", "srdf/robot.srdf.xacro"),
        ("robot_description/urdf/robot.urdf", "robot_moveit_config/config/robot.srdf"),
        ("urdf/robot_no_sensors.urdf", "srdf/robot.srdf"),
    ],
)
def test_an_srdf_is_found_where_packages_have_it(tmp_path: Path, model: str, srdf: str) -> None:
    for name in (model, srdf):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('<!-- <robot name="no"/> -->\n<robot version="1" name="arm"/>')
    assert find(str(tmp_path / model), "arm") == tmp_path / srdf


@pytest.mark.parametrize(
    "others",
    [["another.srdf"], ["one.srdf", "two.srdf"], ["robots.srdf/file"], ["deep/er/robot.srdf"]],
)
def test_the_srdf_of_another_robot_is_not_taken(tmp_path: Path, others: list[str]) -> None:
    for name in others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('<robot name="another"/>')
    assert find(str(tmp_path / "robot.urdf"), "arm") is None


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    path = placed(tmp_path / "model", None)
    (tmp_path / "secret").write_text(SRDF)
    path.with_suffix(".srdf").symlink_to(tmp_path / "secret")
    assert find(str(path), "arm") is None


@pytest.mark.parametrize("end", ["", "-->"])
def test_of_what_stands_in_a_comment_a_robot_is_not_named(end: str, tmp_path: Path) -> None:
    noise = f"<!-- <robot name='arm'/> --><robot name='no'/>{50_000 * '<!--'}{end}<robot name='arm'/>"
    (tmp_path / "other.srdf").write_text(noise)
    assert find(str(tmp_path / "robot.urdf"), "arm") is None
    assert find(str(tmp_path / "robot.urdf"), "no") == tmp_path / "other.srdf"


def test_one_that_was_found_is_told_and_can_be_left_alone(tmp_path: Path) -> None:
    path = placed(tmp_path)
    report = convert(path, tmp_path / "out.xml")
    assert ("srdf/found", "derived") in rules(report)
    without = convert(path, tmp_path / "alone" / "out.urdf", options=Options(find_srdf=False))
    assert rules(without) == []
    assert not (tmp_path / "alone" / "out.srdf").exists()
    assert not any(read(tmp_path / "alone" / "out.urdf").tables.values())


def test_one_that_was_found_and_is_none_is_told_and_the_model_converts(tmp_path: Path) -> None:
    path = placed(tmp_path, "<robot name='arm'><group")
    report = convert(path, tmp_path / "out.xml")
    assert rules(report) == [("srdf/unreadable", "dropped")]
    (finding,) = (each for each in report.findings if each.rule == "srdf/unreadable")
    assert finding.sources[0].file == str(path.with_suffix(".srdf"))
    assert not any(read(path).tables.values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "arm.srdf:1: the file is empty"),
        ("<robot name='arm'><group name='g'>\n</robot>", "arm.srdf:2: not well-formed XML"),
        ("<sdf/>", "arm.srdf:1: the root element is <sdf>, not <robot>"),
        ('<!DOCTYPE r [<!ENTITY x "y">]>\n<robot>&x;</robot>', "entities are refused"),
    ],
)
def test_one_that_was_asked_for_must_be_one(tmp_path: Path, text: str, said: str) -> None:
    path = placed(tmp_path, text)
    with pytest.raises(InputError) as caught:
        convert(path, tmp_path / "out.xml", options=Options(srdf=path.with_suffix(".srdf")))
    assert said in str(caught.value)
    assert not (tmp_path / "out.xml").exists()


def test_one_that_was_asked_for_must_be_there_and_go_with_a_urdf(tmp_path: Path, made: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read(placed(tmp_path), options=Options(srdf=tmp_path / "none.srdf"))
    with pytest.raises(InputError, match="an SRDF goes with a URDF"):
        read(made / "feature_mjcf_pendulum.xml", options=Options(srdf=tmp_path / "arm.srdf"))


def test_a_xacro_may_make_the_srdf(tmp_path: Path) -> None:
    path = placed(tmp_path, None)
    head = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    macro = '<xacro:macro name="off" params="a b">\n<disable_collisions link1="${a}" link2="${b}"/></xacro:macro>'
    used = '<xacro:off a="base" b="upper"/><xacro:off a="base" b="nobody"/>'
    (tmp_path / "arm.srdf.xacro").write_text(f"{head}\n{macro}\n{used}</robot>")
    reading = load(path)
    assert list(reading.scene.tables["contact"]) == ["exclude_base_upper"]
    (missing,) = (note for note in reading.context.notes if note.rule == "srdf/reference")
    assert missing.source is not None
    assert (Path(missing.source.file).name, missing.source.line) == ("arm.srdf.xacro", 3)


def test_inspect_shows_the_groups_and_the_states(tmp_path: Path) -> None:
    found = document(placed(tmp_path))
    assert found["counts"]["groups"] == 3
    assert [state["name"] for state in found["states"]] == ["home", "up", "home"]
    assert totals(found)[:3] == [
        "group arm: base to hand",
        "group hand: 2 bodies, 2 joints",
        "group all: 1 joint, 2 groups",
    ]


def test_validate_warns_of_names_that_lead_nowhere_and_errs_for_none(tmp_path: Path) -> None:
    element = '<group name="g"><link name="nobody"/></group>'
    path = placed(tmp_path, f'<robot name="arm">{element}<disable_collisions link1="no" link2="base"/></robot>')
    told = [(each.rule, each.severity) for each in validate(path).breaches if each.rule == "REF-MISSING"]
    assert told == [("REF-MISSING", "warning")] * 2


# ------------------------------------------------------------------------------------------------------------ writing


def test_it_comes_back_element_for_element_and_the_same_a_second_time(tmp_path: Path) -> None:
    path = placed(tmp_path)
    report = convert(path, tmp_path / "once" / "out.urdf")
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == report.total(Action.CARRIED) == 0
    assert b"kinegraph" not in (tmp_path / "once" / "out.urdf").read_bytes()
    assert plain(tmp_path / "once" / "out.srdf") == plain(path.with_suffix(".srdf"))
    assert plain(tmp_path / "once" / "out.urdf") == plain(path)
    convert(tmp_path / "once" / "out.urdf", tmp_path / "twice" / "out.urdf")
    for name in ("out.urdf", "out.srdf"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "once" / name).read_bytes()
    assert read(tmp_path / "once" / "out.urdf") == read(path)


@pytest.mark.parametrize("suffix", CONVERTIBLE)
def test_it_comes_back_from_every_format(tmp_path: Path, suffix: str) -> None:
    path = placed(tmp_path)
    convert(path, tmp_path / "straight.urdf")
    report = convert(path, tmp_path / f"out.{suffix}")
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
    convert(tmp_path / f"out.{suffix}", tmp_path / "back" / "straight.urdf")
    assert (tmp_path / "back/straight.srdf").read_bytes() == (tmp_path / "straight.srdf").read_bytes()
    assert (tmp_path / "back/straight.urdf").read_bytes() == (tmp_path / "straight.urdf").read_bytes()
    assert read(tmp_path / f"out.{suffix}") == read(path)


@pytest.mark.parametrize("suffix", CONVERTIBLE)
def test_what_a_target_does_not_hold_is_accounted_for(tmp_path: Path, suffix: str) -> None:
    report = convert(placed(tmp_path), tmp_path / f"out.{suffix}")
    told = {finding.where for finding in report.findings if finding.action is Action.CARRIED}
    lines = {source.line for finding in report.findings for source in finding.sources if source.file.endswith(".srdf")}
    assert {"end_effector/gripper", "approximation/upper"} <= told
    for tag in ("group name", "end_effector", "link_sphere", "enable_coll", "disable_default", "rotor_params"):
        assert {number for number, line in enumerate(SRDF.splitlines(), 1) if f"<{tag}" in line} <= lines, tag


def test_without_an_srdf_its_content_is_carried_in_the_urdf(tmp_path: Path) -> None:
    given = placed(tmp_path)
    options = Options(srdf=given.with_suffix(".srdf"), find_srdf=False)
    report = convert(given, tmp_path / "one.urdf", options=options)
    assert not (tmp_path / "one.srdf").exists()
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
    assert read(tmp_path / "one.urdf") == read(given)


def test_states_and_excludes_of_mjcf_stand_in_an_srdf(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="a"><freejoint name="f"/><geom size="1"/>
      <body name="b"><joint name="j"/><geom size="1"/></body></body></worldbody>
      <contact><exclude body1="a" body2="b"/></contact>
      <keyframe><key name="k" qpos="1 2 3 0 1 0 0 0.5"/></keyframe></mujoco>"""
    (tmp_path / "m.xml").write_text(text)
    report = convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
    joints = (("joint", (("name", "f"), ("value", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))), "", ()),)
    joints += (("joint", (("name", "j"), ("value", (0.5,))), "", ()),)
    assert plain(tmp_path / "m.srdf")[3] == (
        ("group_state", (("name", "k"),), "", joints),
        ("disable_collisions", (("link1", "a"), ("link2", "b")), "", ()),
    )
    told = {finding.where for finding in report.findings if finding.rule == "urdf/keyframe-joints"}
    assert told == {"keyframe/k.dofs"}
    assert read(tmp_path / "m.urdf") == read(tmp_path / "m.xml")
    robots = [etree.parse(tmp_path / name).getroot().get("name") for name in ("m.urdf", "m.srdf")]
    assert robots == ["m", "m"]  # planners refuse two names; the model has none


def test_the_srdf_of_the_source_is_never_written_over(tmp_path: Path) -> None:
    path = placed(tmp_path)
    path.rename(tmp_path / "arm.urdf.xacro")
    before = (tmp_path / "arm.srdf").read_bytes()
    report = convert(tmp_path / "arm.urdf.xacro", tmp_path / "arm.urdf")
    assert ("srdf/kept", "derived") in rules(report)
    assert (tmp_path / "arm.srdf").read_bytes() == before
    assert str(tmp_path / "arm.srdf") not in report.target.files
    assert read(tmp_path / "arm.urdf") == read(tmp_path / "arm.urdf.xacro")


def test_an_older_srdf_beside_the_output_is_told(tmp_path: Path) -> None:
    path = placed(tmp_path, None)
    (tmp_path / "out.srdf").write_text('<robot name="leg"/>')
    report = convert(path, tmp_path / "out.urdf")
    assert rules(report) == [("srdf/left", "approximated")]
    assert (tmp_path / "out.srdf").read_text() == '<robot name="leg"/>'


# --------------------------------------------------------------------------------------------------------- bad content

G = '<group name="g"><joint name="elbow"/></group>'
BAD: tuple[tuple[str, str, str], ...] = (
    ('<group><joint name="elbow"/></group>', "srdf/element", "has no attribute 'name'"),
    ('<group name=""/>', "srdf/element", "has an empty attribute 'name'"),
    (f"{G}{G}", "srdf/element", "named 'g' already"),
    ('<group name="g"><link name="nobody"/></group>', "srdf/reference", "no link"),
    ('<group name="g"><joint name="nobody"/></group>', "srdf/reference", "no joint"),
    ('<group name="g"><chain base_link="base" tip_link="no"/></group>', "srdf/reference", "no link"),
    ('<group name="g"><chain base_link="base"/></group>', "srdf/element", "no member"),
    ('<group name="g"><group name="h"/></group>', "srdf/reference", "no group"),
    ('<group name="g"><group name="g"/></group>', "srdf/group-cycle", "member of itself"),
    ('<group name="g"><wheel/></group>', "srdf/element", "no member"),
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
        "named again",
    ),
    ('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="no"/>', "srdf/reference", "what is about it"),
    ('<virtual_joint name="v" type="round" parent_frame="w" child_link="base"/>', "srdf/element", "type 'round'"),
    ('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="hand"/>', "srdf/element", "its place already"),
    (
        '<virtual_joint name="elbow" type="fixed" parent_frame="w" child_link="base"/>',
        "srdf/element",
        "a joint 'elbow'",
    ),
    ('<virtual_joint type="fixed" parent_frame="w" child_link="base"/>', "srdf/element", "has no attribute 'name'"),
    ('<passive_joint name="no"/>', "srdf/reference", "what is about it"),
    ('<passive_joint name="elbow"/><passive_joint name="elbow"/>', "srdf/element", "passive already"),
    ('<joint_property joint_name="no" property_name="a" value="b"/>', "srdf/reference", "what is about it"),
    ('<joint_property joint_name="elbow" property_name="a"/>', "srdf/element", "'value'"),
    ('<end_effector name="e" parent_link="hand"/>', "srdf/element", "has no attribute 'group'"),
    (f'{G}<end_effector name="e" parent_link="no" group="g"/>', "srdf/reference", "no link"),
    ('<end_effector name="e" parent_link="hand" group="no"/>', "srdf/reference", "no group"),
    ('<disable_collisions link1="base" link2="no"/>', "srdf/reference", "what is about it"),
    ('<disable_collisions link1="base" link2="base"/>', "srdf/element", "with itself"),
    ('<disable_collisions link1="base" link2="hand"/>' * 2, "srdf/element", "already"),
    ('<disable_default_collisions link="base"/>' * 2, "srdf/element", "already"),
    (G + '<group_state name="s" group="g"/>' * 2, "srdf/element", "further down"),
    ('<disable_collisions link1="base"/>', "srdf/element", "has no attribute 'link2'"),
    ('<disable_default_collisions link="no"/>', "srdf/reference", "what is about it"),
    ('<link_sphere_approximation link="no"/>', "srdf/reference", "what is about it"),
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
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
    for suffix in CONVERTIBLE:
        report = convert(tmp_path / "arm.urdf", tmp_path / f"via.{suffix}")
        assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
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
    assert rules(report) == [("srdf/found", "derived"), ("srdf/robot-name", "ignored")]
    assert plain(tmp_path / "out.srdf") == plain(tmp_path / "arm.srdf")


# ------------------------------------------------------------------------------------------------------------- engines


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[..., mujoco.MjModel]:
    def model(srdf: str | None = SRDF, **options: object) -> mujoco.MjModel:
        convert(placed(tmp_path, srdf), tmp_path / "out.xml", options=Options(**options))
        return mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))

    return model


def touching(model: mujoco.MjModel) -> set[frozenset[str]]:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = ({model.geom_bodyid[geom] for geom in contact.geom} for contact in data.contact)
    return {frozenset(model.body(body).name for body in pair) for pair in bodies}


def test_mujoco_has_the_states_and_the_free_base(compiled: Callable[..., mujoco.MjModel]) -> None:
    model = compiled()
    assert model.joint("stand").type[0] == mujoco.mjtJoint.mjJNT_FREE
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("up").id)
    assert data.joint("stand").qpos.tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert data.joint("left").qpos[0] == 0.1
    mujoco.mj_resetDataKeyframe(model, data, model.key("home").id)
    assert (data.joint("shoulder").qpos[0], data.joint("elbow").qpos[0]) == (0.5, 0)


def test_mujoco_lets_touch_who_may(compiled: Callable[..., mujoco.MjModel]) -> None:
    """hand is welded to lower, whose children are thumb and finger: parents and children never touch."""
    without = touching(compiled(None))
    assert {frozenset(pair) for pair in (("base", "lower"), ("base", "hand"), ("finger", "base"))} <= without
    found = touching(compiled())
    forbidden = [
        ("base", "upper"),
        ("base", "hand"),
        ("thumb", "hand"),
        *(("finger", name) for name in LINKS if name != "base"),
    ]
    assert without - found == {frozenset(pair) for pair in forbidden} & without
    assert frozenset(("finger", "base")) in found


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_the_base_that_is_asked_for_wins(compiled: Callable[..., mujoco.MjModel], base: str) -> None:
    planar = '<robot name="arm"><virtual_joint name="v" type="{}" parent_frame="w" child_link="base"/></robot>'
    other = "floating" if base == "fixed" else "fixed"
    assert compiled(planar.format(other), base=base).nq == compiled(planar.format(base)).nq


def test_a_pair_named_twice_is_no_fault_for_mujoco(compiled: Callable[..., mujoco.MjModel]) -> None:
    twice = '<disable_collisions link1="base" link2="hand"/><disable_collisions link1="hand" link2="base"/>'
    model = compiled(f'<robot name="arm">{twice}</robot>')
    assert frozenset(("base", "hand")) not in touching(model)


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
    """Of findings that are grouped the first in the file is named; lxml says where what is named stands."""
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
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    limits, at = model.joint("shoulder").range, model.joint("shoulder").qposadr[0]
    assert [float(key[at]) for key in model.key_qpos] == [2.0, 2.1] and limits[1] == 2.0
    assert read(tmp_path / "out.xml") == read(path)


@pytest.mark.parametrize("options", [Options(), Options(pose=("shoulder=0.3",))], ids=["as it is", "with a pose"])
def test_where_no_srdf_is_wanted_all_that_would_stand_in_it_is_told_to_be_lost_for_that(
    options: Options, tmp_path: Path
) -> None:
    path = placed(tmp_path)
    wanted = replace(options, srdf=path.with_suffix(".srdf"))
    report = convert(path, tmp_path / "bare" / "out.urdf", options=replace(wanted, find_srdf=False))
    assert [each.name for each in (tmp_path / "bare").iterdir()] == ["out.urdf"]
    told = {each.rule: each for each in report.findings if each.action is Action.CARRIED}
    assert set(told) == {"urdf/planning", "urdf/virtual"}
    assert all("--no-srdf" in each.reason for each in told.values())
    convert(path, tmp_path / "with" / "out.urdf", options=wanted)
    elements = plain(tmp_path / "with" / "out.srdf")[3]
    assert report.total(Action.CARRIED) == len(elements) - 1  # two properties of one joint are one place
    convert(tmp_path / "bare" / "out.urdf", tmp_path / "back.urdf")
    assert plain(tmp_path / "back.srdf") == plain(tmp_path / "with" / "out.srdf")
    assert plain(tmp_path / "back.urdf") == plain(tmp_path / "with" / "out.urdf")


def test_what_srdf_has_no_place_for_is_told_for_that_with_and_without_it(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><body name="a"><geom name="g" size=".1"/><body name="b"><joint name="j"/>'
        '<geom name="h" size=".1"/></body></body></worldbody><contact><exclude body1="a" body2="b"/>'
        '<pair geom1="g" geom2="h"/></contact><keyframe><key name="home" qpos="1" time="4"/></keyframe></mujoco>'
    )
    mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))

    def told(find_srdf: bool) -> set[tuple[str, str]]:
        options = Options(find_srdf=find_srdf)
        report = convert(tmp_path / "m.xml", tmp_path / f"{find_srdf}" / "m.urdf", options=options)
        tables = ("contact/", "keyframe/")
        return {(each.rule, each.where) for each in report.findings if each.where.startswith(tables)}

    pair = ("urdf/contact", "contact/pair_g_h")
    assert told(True) == {
        pair,
        ("urdf/keyframe", "keyframe/home.time"),
        ("urdf/keyframe-joints", "keyframe/home.dofs"),
    }
    assert told(False) == {pair, ("urdf/planning", "contact/exclude_a_b"), ("urdf/planning", "keyframe/home")}
