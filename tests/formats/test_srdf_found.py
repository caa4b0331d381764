"""Which SRDF belongs to a URDF: next to it, in packages, given as an option, or made by xacro."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.convert import convert, load, read
from converters.inspection import document, totals
from converters.report.model import Action
from converters.srdf.beside import find
from converters.validating import validate
from tests.formats.srdf_text import SRDF, placed, plain
from tests.formats.test_srdf import rules
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule


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
    "others", [["another.srdf"], ["one.srdf", "two.srdf"], ["robots.srdf/file"], ["deep/er/robot.srdf"]]
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
    assert ("srdf/found", "noted") in rules(report)
    without = convert(path, tmp_path / "alone" / "out.urdf", options=Options(find_srdf=False))
    assert rules(without) == []
    assert not (tmp_path / "alone" / "out.srdf").exists()
    assert not any(read(tmp_path / "alone" / "out.urdf").tables.values())


def test_one_that_was_found_and_is_none_is_told_and_the_model_converts(tmp_path: Path) -> None:
    path = placed(tmp_path, "<robot name='arm'><group")
    report = convert(path, tmp_path / "out.xml")
    assert rules(report) == [("srdf/unreadable", "dropped")]
    (finding,) = of_rule(report, "srdf/unreadable")
    assert finding.sources[0].file == str(path.with_suffix(".srdf"))
    assert not any(read(path).tables.values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "arm.srdf:1: the file is empty"),
        ("<robot name='arm'><group name='g'>\n</robot>", "arm.srdf:2: not well-formed XML"),
        ("<robot name='arm'>\n<link name='base'/></robot>", "arm.srdf:1: it is a URDF, not an SRDF"),
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
    mujoco_model(tmp_path / "m.xml")

    def told(find_srdf: bool) -> set[tuple[str, str]]:
        options = Options(find_srdf=find_srdf)
        report = convert(tmp_path / "m.xml", tmp_path / f"{find_srdf}" / "m.urdf", options=options)
        tables = ("contact/", "keyframe/")
        return {(each.rule, each.where) for each in report.findings if each.where.startswith(tables)}

    pair = ("urdf/contact", "contact/pair_g_h")
    assert told(True) == {pair, ("urdf/keyframe", "keyframe/home.time"), ("urdf/keyframe-joints", "keyframe/home.dofs")}
    assert told(False) == {pair, ("urdf/planning", "contact/exclude_a_b"), ("urdf/planning", "keyframe/home")}
