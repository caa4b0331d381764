"""--pose: files of every type, states of an SRDF, and the errors for bad ones."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from converters.posing import positions
from ir.scene import Scene
from ir.types import Body, Dof, DofKind, Joint
from tests.files import saved
from tests.posing.chains import no_pose, posed, scene_of, tells


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.yaml", "shoulder: 0.5\nball: [0, 1, 0, 0]\nlift: 20cm\n"),
        ("p.yml", "{shoulder: 5.0e-1, ball: '0 1 0 0', lift: 0.2}"),
        ("p.yaml", "positions:\n  shoulder: .5\n  ball:\n  - 0\n  - 1\n  - 0\n  - 0\n  lift: 0.2\n"),
        ("p.yaml", "shoulder: 9\n---\nshoulder: 0.5\nlift: 0.2\nball: 0,1,0,0\n---\n"),
        ("p.json", '{"shoulder": 0.5, "lift": "20 cm",\n\t"ball": [0, 1, 0, 0]}'),
        ("p.csv", "shoulder,0.5\nlift,0.2\nball,0,1,0,0\n"),
        ("p.csv", "\ufeffjoint,value\r\n# a remark\r\nshoulder, 0.5\r\n\r\nlift,0.2\r\nball,0,1,0,0\r\n"),
        ("p.csv", "shoulder;0.5\nlift;0.2\nball;0;1;0;0\n"),
        ("p.CSV", '"shoulder",0.5\nlift,0.2\nball,"0","1",0,0'),
    ],
)
def test_a_file_is_a_pose(arm: Scene, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    found = positions(arm, posed(str(path)))
    assert (found["shoulder"], found["lift"], found["ball"]) == ((0.5,), (0.2,), (0.0, 1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: [lift, shoulder]\nposition: [0.2, 0.5]\nvelocity: [1, 0]\neffort: []\n", [("s: velocity", 3)]),
        ("header: {stamp: {sec: 4}}\nname: [lift]\nposition: [0.2]\n", [("s: header", 1)]),
        (
            "joint_state: {name: [lift], position: [0.2], effort: [3]}\nis_diff: true\n",
            [("s: effort", 1), ("s: is_diff", 2)],
        ),
        ("header: {stamp: {sec: 0}, frame_id: ''}\nname: [lift]\nposition: [0.2]\n", []),
    ],
)
def test_what_a_pose_says_besides_positions_is_told(
    arm: Scene, tmp_path: Path, text: str, told: list[tuple[str, int]]
) -> None:
    used = posed(str(saved(tmp_path / "s.yaml", text)))
    positions(arm, used)
    found = [(note.before, note.source.line) for note in used.notes if note.rule == "pose/unused" and note.source]
    assert sorted(found) == told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.yaml", "header: {frame_id: ''}\nname: [lift, shoulder]\nposition: [0.2, 0.5]\nvelocity: []\neffort: []\n"),
        ("s.yaml", "joint_state:\n  name:\n  - lift\n  - shoulder\n  position:\n  - 0.2\n  - 0.5\n"),
        ("s.json", '{"name": ["lift", "shoulder"], "position": [0.2, 5e-1]}'),
        ("s.csv", "time,lift,shoulder\n3.5,0.2,0.5\n"),
        ("s.csv", "lift,shoulder\n0.2,0.5\n"),
    ],
)
def test_a_joint_state_is_a_pose(arm: Scene, tmp_path: Path, name: str, text: str) -> None:
    path = saved(tmp_path / name, text)
    found = positions(arm, posed(str(path)))
    assert (found["shoulder"], found["lift"]) == ((0.5,), (0.2,))


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("p.yaml", "shoulder: 0.1\nelbow: 1\n", 2, "there is no joint 'elbow'"),
        ("p.yaml", "shoulder: 0.1\nlift: 7\n", 2, "outside the limits of 'lift'"),
        ("p.yaml", "shoulder: .nan\n", 1, "'.nan' is not a number"),
        ("p.yaml", "shoulder: true\n", 1, "'true' is not a number"),
        ("p.yaml", "lift: 0.2\nshoulder: 0.1\nshoulder: 0.2\n", 3, "'shoulder' appears twice"),
        ("p.yaml", "a: &x [1]\nb: *x\n", 2, "the alias *x is not read here"),
        ("p.yaml", "a: [b: c\n", 2, "not well-formed YAML"),
        ("p.yaml", "!!python/object/apply:os.system ['true']\n", 1, "must be a mapping"),
        ("p.yaml", "- shoulder\n", 1, "must be a mapping"),
        ("p.yaml", "[" * 1000, 1, "nested too deep"),
        ("p.yaml", "shoulder: {a: 1}\n", 1, "a position is a number or a list of numbers"),
        ("p.yaml", "\n", 1, "holds no position"),
        ("p.yaml", "name: [shoulder, lift]\nposition: [1]\n", 1, "names 2 joints and has 1 positions"),
        ("p.yaml", "name: [shoulder]\nposition: 1\n", 1, "names 1 joints and has 0 positions"),
        ("p.yaml", "name: [[a]]\nposition: [1]\n", 1, "the name of a joint must be a text"),
        ("p.yaml", "? [a]\n: 1\n", 1, "a name must be a text"),
        ("p.json", '{"lift": 0.2,\n "shoulder": }', 2, "not well-formed JSON"),
        ("p.json", '{"lift": 0.2,\n "elbow": 1}', 2, "there is no joint 'elbow'"),
        ("p.json", '{"shoulder": NaN}', 1, "'NaN' is not a number"),
        ("p.yaml", "name: [lift,\n lift]\nposition: [0.2, 0.3]\n", 2, "'lift' appears twice"),
        ("p.json", '{"lift": 1, "lift": 2}', 1, "'lift' appears twice"),
        ("p.json", "[" * 100000, 1, "nested too deep"),
        ("p.json", "[" * 60 + "]" * 60, 1, "nested too deep"),
        ("p.json", '{"shoulder": ' + "9" * 5000 + "}", 1, "a number of 5000 characters"),
        ("p.csv", "shoulder,0.1\nelbow,1\n", 2, "there is no joint 'elbow'"),
        ("p.csv", "shoulder;0,1\n", 1, "'0,1' is not a number: decimals have a point, 0.1"),
        ("p.csv", "shoulder;lift\n0,1;0,2\n", 2, "decimals have a point, 0.1"),
        ("p.yaml", "shoulder: 0,1\n", 1, "decimals have a point, 0.1"),
        ("p.csv", "shoulder,0.1\nlift,a\n", 2, "'a' is not a number"),
        ("p.csv", "lift,shoulder\n0.1,0.2\n0.2,0.3\n", 3, "a motion is given with --trajectory"),
        ("p.csv", "lift,shoulder\n0.1,0.2,0.3\n", 2, "3 values below 2 names"),
        ("p.csv", "lift,0.1\nlift,0.2\n", 2, "'lift' appears twice"),
        ("p.csv", "lift,lift\n0.1,0.1\n", 2, "'lift' appears twice"),
        ("p.csv", "", 1, "holds no position"),
        ("p.csv", 'shoulder,"0.1\nlift', 2, "not well-formed CSV"),
    ],
)
def test_a_bad_file_is_said_with_its_line(
    arm: Scene, tmp_path: Path, name: str, text: str, line: int, said: str
) -> None:
    path = saved(tmp_path / name, text)
    tells(no_pose(arm, str(path)), said, path, line)


def test_a_name_that_no_file_can_have_is_none(arm: Scene) -> None:
    assert "File name too long" in str(no_pose(arm, f"{'a' * 300}.yaml"))
    assert "is not a number" in str(no_pose(arm, f"lift={'a' * 300}.yaml"))


def test_bytes_that_are_no_text_are_said_with_their_line(arm: Scene, tmp_path: Path) -> None:
    path = saved(tmp_path / "p.yaml", b"shoulder: 1\nlift: \xff\n")
    error = no_pose(arm, str(path))
    assert str(error) == f"{path}:2: not UTF-8"


def test_an_alias_bomb_costs_nothing(arm: Scene, tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text("a: &a [x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in pairwise("abcdefgh")))
    assert "alias" in str(no_pose(arm, str(path)))


def test_a_folder_is_no_pose(arm: Scene, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").mkdir()
    assert "is no file" in str(no_pose(arm, str(tmp_path / "x.yaml")))


# --------------------------------------------------------------------------------------------------------------- SRDF

SRDF = """<robot name="r">
  <virtual_joint name="to_world" type="floating" parent_frame="odom" child_link="b0"/>
  <group_state name="home" group="arm">
    <joint name="shoulder" value="0.5"/>
    <joint name="to_world" value="0 0 0 0 0 0 1"/>
    <joint name="joint3" value="0.1 0.2"/>
  </group_state>
  <group_state name="home" group="hand"><joint name="finger" value="0.03"/></group_state>
  <group_state name="open" group="hand"><joint name="finger" value="0.04"/></group_state>
  <group_state name="lost" group="hand">
    <joint name="fingers" value="0.04"/>
  </group_state>
</robot>"""


@pytest.fixture
def srdf(tmp_path: Path) -> str:
    path = saved(tmp_path / "r.srdf", SRDF)
    return str(path)


def test_a_state_of_an_srdf_file_is_a_pose(arm: Scene, srdf: str) -> None:
    found = positions(arm, posed(f"{srdf}:arm/home", f"{srdf}:open"))
    assert (found["shoulder"], found["pan"], found["tilt"], found["finger"]) == ((0.5,), (0.1,), (0.2,), (0.04,))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (":home", "several groups have a state 'home'; say which: arm/home, hand/home"),
        (":shut", "there is no group_state 'shut'; there are arm/home, hand/home, hand/open"),
        ("", "say which state, as in r.srdf:STATE"),
        (":lost", "11: there is no joint 'fingers'; did you mean finger?"),
    ],
)
def test_a_state_that_is_not_there_is_said(arm: Scene, srdf: str, state: str, said: str) -> None:
    assert said in str(no_pose(arm, srdf + state))


@pytest.mark.parametrize("name", ["root_joint", "to_world"])
def test_where_the_robot_stands_goes_to_its_base_or_into_the_report(tmp_path: Path, name: str) -> None:
    virtual = '<virtual_joint name="to_world" type="floating" parent_frame="odom" child_link="b0"/>'
    states = f'<joint name="{name}" value="1 2 3 0 0 0 1"/><joint name="a" value="0.5"/><joint name="end" value="0"/>'
    path = saved(tmp_path / "r.srdf", f'<robot>{virtual}<group_state name="s" group="g">{states}</group_state></robot>')

    def ended(scene: Scene) -> Scene:
        scene.add_body(Body(name="end"))
        scene.add_joint(Joint(name="end", parent="b0", child="end"))
        return scene

    hinge = Dof(name="a", kind=DofKind.HINGE)
    used = posed(f"{path}:s")
    assert positions(ended(scene_of(hinge)), used) == {"a": (0.5,)}
    assert [(note.rule, note.action, note.before) for note in used.notes] == [
        ("pose/base", "ignored", f"{name} 1 2 3 0 0 0 1")
    ]
    used = posed(f"{path}:s")
    found = positions(ended(scene_of(Dof(name="base", kind=DofKind.FREE), hinge)), used)
    assert found["base"] == (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    assert used.notes == []


def test_a_floating_joint_has_its_scalar_last_in_srdf(tmp_path: Path) -> None:
    path = tmp_path / "r.srdf"
    path.write_text(
        '<robot><group_state name="s" group="g"><joint name="base" value="1 2 3 0 0 1 0"/></group_state></robot>'
    )
    scene = scene_of(Dof(name="base", kind=DofKind.FREE))
    above = scene.joints["base"].pose.pos[2]  # SRDF counts from the <origin> of the joint, the graph from its parent
    assert positions(scene, posed(f"{path}:s"))["base"] == (1.0, 2.0, 3.0 + above, 0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<mujoco/>", "its root is <mujoco>"),
        ("<robot>", "not well-formed XML"),
        ('<!DOCTYPE r [<!ENTITY x "y">]><robot>&x;</robot>', "entities are refused"),
        ("", "the file is empty"),
        ('<robot><group_state name="s"><joint value="1"/></group_state></robot>', "has no attribute 'name'"),
        ('<robot><group_state name="s"><joint name="lift"/></group_state></robot>', "takes 1 number, not 0"),
    ],
)
def test_a_bad_srdf_is_said_with_its_line(arm: Scene, tmp_path: Path, text: str, said: str) -> None:
    path = saved(tmp_path / "r.srdf", text)
    error = no_pose(arm, f"{path}:s")
    assert said in str(error)
    assert str(error).startswith(f"{path}:1: ")
