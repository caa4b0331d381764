"""What a <gazebo> block without a reference says about the whole model: its pose, and its additional content. Judged by
libsdformat, which reads the URDF itself, and by MuJoCo."""

import re
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from converters.convert import convert, read
from tests.formats.test_urdf_gazebo import robot, to_sdf
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.reports import explained

TURNED = "<pose>1 2 3 0 0 0.5</pose>"
THIRD = """<link name="third"><pose>0 0 2 0 0 0.25</pose><inertial><mass>3</mass><inertia><ixx>2</ixx><iyy>2</iyy>
<izz>2</izz></inertia></inertial>%s</link>"""
SEEN = """<visual name="v"><geometry><box><size>1 1 1</size></box></geometry><material><diffuse>1 0 0 1
</diffuse></material></visual><collision name="v"><geometry><box><size>1 1 1</size></box></geometry></collision>
<sensor name="imu" type="imu"/><light name="lamp" type="point"/>"""
HINGE = '<joint name="%s" type="revolute"><parent>%s</parent><child>%s</child><axis><xyz>0 0 1</xyz></axis></joint>'
WELD = '<joint name="%s" type="fixed"><parent>%s</parent><child>%s</child></joint>'
BLOCKS = {
    "pose": TURNED,
    "two poses": TURNED + "<pose>4 5 6 0 0 0</pose>",
    "a loose link": THIRD % SEEN,
    "a hinged link": THIRD % SEEN + HINGE % ("k", "base", "third"),
    "a link beneath": THIRD % "" + WELD % ("k", "third", "base"),
    "a link held": THIRD % "" + WELD % ("k", "world", "third"),
    "a link in a loop": THIRD % "" + WELD % ("k", "base", "third") + HINGE % ("m", "arm", "third"),
    "a frame": '<frame name="f" attached_to="arm"><pose>0 0 1 0 0 0</pose></frame>',
    "a link in a frame": '<frame name="f" attached_to="arm"><pose>0 0 1 0 0 0</pose></frame>'
    '<link name="third"><pose relative_to="f">0 1 0 0 0 0</pose></link>',
    "all": TURNED + THIRD % SEEN + HINGE % ("k", "arm", "third"),
}


def placed(path: Path) -> dict[str, np.ndarray]:
    found = sdformat_reads(path)
    assert not found["errors"]
    return {kind + name: np.array(each["pose"]) for kind in ("links", "frames") for name, each in found[kind].items()}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_the_model_is_that_of_libsdformat(tmp_path: Path, block: str) -> None:
    root, report = to_sdf(tmp_path, f"<gazebo>{block}</gazebo>")
    explained(report)
    theirs, ours = placed(tmp_path / "robot.urdf"), placed(tmp_path / "robot.sdf")
    assert ours.keys() == theirs.keys()
    for name, pose in theirs.items():
        np.testing.assert_allclose(ours[name], pose, atol=1e-12, err_msg=name)
    joints = [sdformat_reads(tmp_path / name)["joints"] for name in ("robot.urdf", "robot.sdf")]
    ends = [{name: (each["parent"], each["child"]) for name, each in found.items()} for found in joints]
    assert ends[0] == ends[1]
    assert len(root.findall(".//sensor")) == len(root.findall(".//light")) == block.count("<sensor")


@pytest.mark.parametrize("target", ["robot.xml", "robot.glb", "robot.urdf.urdf"])
@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_all_of_it_comes_back(tmp_path: Path, block: str, target: str) -> None:
    source = robot(tmp_path, f"<gazebo>{block}</gazebo>")
    explained(convert(source, tmp_path / target))
    assert read(tmp_path / target) == read(source)


@pytest.mark.parametrize("block", ["pose", "a loose link", "a hinged link", "a link beneath", "a link held", "all"])
def test_mujoco_has_the_bodies_where_libsdformat_has_them(tmp_path: Path, block: str) -> None:
    source = robot(tmp_path, f"<gazebo>{BLOCKS[block]}</gazebo>")
    convert(source, tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    data = at_rest(model)
    for name, pose in placed(source).items():
        body = model.body(name.removeprefix("links")).id
        np.testing.assert_allclose(data.xpos[body], pose[:3], atol=1e-9)
        turn = data.xquat[body] * np.sign(data.xquat[body] @ pose[3:])
        np.testing.assert_allclose(turn, pose[3:], atol=1e-9)
    if "third" in BLOCKS[block]:
        third = model.body("third").id
        assert model.body_mass[third] == 3
        assert model.body_geomnum[third] == 2 * BLOCKS[block].count("<sensor")


def test_a_static_model_stands_where_it_is_said_to(tmp_path: Path) -> None:
    source = robot(tmp_path, f"<gazebo><static>true</static>{TURNED}</gazebo>")
    convert(source, tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    np.testing.assert_allclose(at_rest(model).xpos[model.body("base").id], [1, 2, 3])
    assert model.nv == 0


def test_a_robot_that_hangs_from_the_world_is_moved_with_its_model(tmp_path: Path) -> None:
    hung = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="base"/>'
    hung += '<origin xyz="0 1 0"/></joint>'
    to_sdf(tmp_path, f"{hung}<gazebo>{TURNED}</gazebo>")
    theirs, ours = placed(tmp_path / "robot.urdf"), placed(tmp_path / "robot.sdf")
    np.testing.assert_allclose(ours["linksbase"], theirs["linksbase"], atol=1e-12)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    np.testing.assert_allclose(at_rest(model).xpos[model.body("base").id], theirs["linksbase"][:3], atol=1e-12)


@pytest.mark.parametrize(
    ("block", "rule"),
    [
        (THIRD.replace("third", "arm") % "", "simulator-block"),
        (
            THIRD % '<visual name="m"><geometry><mesh><uri>package://p/m.stl</uri></mesh></geometry></visual>',
            "simulator-block",
        ),
        ('<pose relative_to="arm">1 2 3 0 0 0</pose>', "simulator-block"),
        ("<pose>1 2</pose>", "block-refused"),
    ],
)
def test_what_it_cannot_say_is_told(tmp_path: Path, block: str, rule: str) -> None:
    source = robot(tmp_path, f"<gazebo>{block}</gazebo>")
    report = convert(source, tmp_path / "robot.sdf")
    assert not sdformat_reads(tmp_path / "robot.sdf")["errors"]
    assert [each.rule for each in report.findings if each.where == "block/gazebo"] == [f"sdf/{rule}"]


@pytest.mark.parametrize(
    ("word", "places"),
    [
        ("<turnGravityOff>true</turnGravityOff>", {"link/gravity": 1, "joint/gravity": 0}),
        ("<springStiffness>3</springStiffness>", {"joint/axis/dynamics/spring_stiffness": 1}),
        ("<provideFeedback>true</provideFeedback>", {"joint/physics/provide_feedback": 1}),
        ('<sensor name="s" type="imu"/>', {"link/sensor": 1, "joint/sensor": 1}),
    ],
)
def test_a_block_about_a_link_and_a_joint_of_one_name_is_about_both(
    tmp_path: Path, word: str, places: dict[str, int]
) -> None:
    """libsdformat looks up the blocks of both, then refuses the duplicate name, which Kinegraph changes."""
    source = robot(tmp_path, f'<gazebo reference="arm">{word}</gazebo>')
    source.write_text(source.read_text().replace('<joint name="j"', '<joint name="arm"'))
    explained(convert(source, tmp_path / "robot.sdf"))
    theirs = etree.fromstring(sdformat_expands(source)["document"].encode())
    ours = etree.parse(tmp_path / "robot.sdf").getroot()
    for place, count in places.items():
        found = [len(root.findall(f"model/{place}")) for root in (theirs, ours)]
        assert found == [count, count], place
    assert read(tmp_path / "robot.sdf") == read(source)


def test_a_block_about_a_floating_joint_is_about_the_link_of_its_name_alone(tmp_path: Path) -> None:
    """For libsdformat the child of such a joint is free, and there is no joint."""
    source = robot(tmp_path, '<gazebo reference="arm"><sensor name="s" type="imu"/></gazebo>')
    source.write_text(re.sub('<joint name="j" type="[a-z]+"', '<joint name="arm" type="floating"', source.read_text()))
    explained(convert(source, tmp_path / "robot.sdf"))
    theirs = etree.fromstring(sdformat_expands(source)["document"].encode())
    ours = etree.parse(tmp_path / "robot.sdf").getroot()
    assert [len([*root.iter("sensor")]) for root in (theirs, ours)] == [1, 1]
