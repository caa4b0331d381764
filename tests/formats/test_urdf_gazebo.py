"""<gazebo> blocks of a URDF in SDFormat and elsewhere, judged by libsdformat, MuJoCo and Drake."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from scipy.spatial.transform import Rotation

from converters import registry
from converters.choices import Base
from converters.context import Options
from converters.convert import convert, read
from converters.report.model import Report
from converters.validating import validate
from tests.corpus.models import models
from tests.corpus.urdf_sdf_checks import sensors_and_plugins
from tests.files import saved
from tests.formats.sdf_items import LIST
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.reports import comes_back, explained, of_rule

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
ROBOT = f"""<robot name="r">
<link name="base">{MASS}<visual>{BOX}<material name="m"><color rgba="0 1 0 1"/></material></visual>
<collision>{BOX}</collision></link>
<link name="arm">{MASS}<visual>{BOX}</visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="1 0 0"/></joint>
%s</robot>"""
IMU = '<sensor name="imu" type="imu"><update_rate>50</update_rate>%s</sensor>'
CAMERA = """<sensor name="cam" type="%s"><pose>0 0 1 0 0 0</pose><camera><horizontal_fov>1</horizontal_fov>
<image><width>40</width><height>30</height></image><clip><near>0.1</near><far>9</far></clip></camera>
<plugin name="eye" filename="libeye.so"><topic a="1">x</topic></plugin></sensor>"""


def robot(folder: Path, blocks: str) -> Path:
    return saved(folder / "robot.urdf", ROBOT % blocks)


def to_sdf(folder: Path, blocks: str) -> tuple[etree._Element, Report]:
    """Return the SDF without carried data, and the report; libsdformat loads the SDF, and the URDF comes back."""
    source, target = robot(folder, blocks), folder / "robot.sdf"
    report = convert(source, target)
    assert not sdformat_reads(target)["errors"]
    comes_back(source, target)
    root = etree.parse(target).getroot()
    assert all([each.tag for each in geometry] == ["box"] for geometry in root.iter("geometry"))
    for carried in root.findall("{*}carried"):
        root.remove(carried)
    return root, report


def rests(report: Report) -> list[str]:
    """Return what has no place in SDFormat, and what is invalid."""
    rules = ("simulator-block", "block-refused", "unknown-word")
    return [each.before for rule in rules for each in of_rule(report, f"sdf/{rule}")]


def test_sensors_and_plugins_stand_where_gazebo_looks_for_them(tmp_path: Path):
    blocks = f"""<gazebo reference="base">{IMU % ""}</gazebo><gazebo reference="arm">{CAMERA % "depth"}</gazebo>
    <gazebo reference="j"><sensor name="ft" type="force_torque"><always_on>1</always_on></sensor></gazebo>
    <gazebo><plugin name="drive" filename="libdrive.so"><left_joint>j</left_joint></plugin></gazebo>"""
    root, report = to_sdf(tmp_path, blocks)
    assert root.xpath("string(//link[@name='base']/sensor[@name='imu']/update_rate)") == "50"
    eye = root.find("model/link[@name='arm']/sensor")
    assert (eye.get("type"), eye.findtext("pose"), eye.findtext("camera/image/width")) == ("depth", "0 0 1 0 0 0", "40")
    topic = eye.find("plugin/topic")
    assert (topic.get("a"), topic.text) == ("1", "x")
    assert root.find("model/joint/sensor").get("type") == "force_torque"
    assert root.findtext("model/plugin/left_joint") == "j"
    assert not rests(report)
    assert drake_reads(tmp_path / "robot.sdf")
    told = of_rule(report, "gazebo/interpreted")
    assert {(each.action, each.severity) for each in told} == {("derived", "note")}, "nothing of it is out of sight"
    assert {each.where for each in told} >= {f"block/gazebo{about}" for about in ("_base", "_arm", "_j", "")}


def test_what_sdformat_does_not_know_is_told_alone_and_the_rest_stands(tmp_path: Path):
    """Drake refuses a document with an element that is in no specification."""
    inner = '<imu><own_word level="2"/></imu><api>spy</api>'
    blocks = f"""<gazebo reference="base">{IMU % inner}<strange>4</strange><mu1>1.5</mu1></gazebo>
    <gazebo><include><uri>x</uri></include><enable_wind>true</enable_wind></gazebo>"""
    root, report = to_sdf(tmp_path, blocks)
    assert root.findtext("model/link/sensor/update_rate") == "50"
    assert root.findtext("model/enable_wind") == "true"
    assert root.findtext(".//mu") == "1.5"
    assert drake_reads(tmp_path / "robot.sdf")
    assert sorted(rests(report)) == [
        '<gazebo reference="base"><sensor name="imu"><imu><own_word level="2"/></imu><api>spy</api></sensor>'
        "<strange>4</strange></gazebo>",
        "<gazebo><include><uri>x</uri></include></gazebo>",
    ]


def test_names_with_a_prefix_are_parted_from_a_sensor(tmp_path: Path):
    space = 'xmlns:f="http://example.org/f"'
    inner = f'<f:thing {space}>3</f:thing><noise {space} f:level="2"/>'
    root, report = to_sdf(tmp_path, f'<gazebo reference="base">{IMU % inner}</gazebo>')
    assert root.findtext("model/link/sensor/update_rate") == "50"
    assert ":thing" in str(rests(report)) and ":level" in str(rests(report))


@pytest.mark.parametrize(
    "block",
    [
        '<gazebo reference="arm"><mu1>0.5</mu1></gazebo>',  # nothing of it collides
        '<gazebo reference="nowhere"><mu1>0.5</mu1></gazebo>',
        '<gazebo reference="base"><mu1>a lot</mu1></gazebo>',
        '<gazebo reference="base"><mu1 unit="none">0.5</mu1></gazebo>',
        '<gazebo reference="base"><collision><density>7</density><pose>1 0 0 0 0 0</pose></collision></gazebo>',
        '<gazebo reference="base"><gravity>1</gravity><turnGravityOff>0</turnGravityOff></gazebo>',
        '<gazebo reference="k"><springStiffness>3</springStiffness></gazebo>',
        '<gazebo reference="base"><sensor name="s" type="sixth"/></gazebo>',
        '<gazebo reference="base"><sensor:camera xmlns:sensor="x" name="s"/></gazebo>',
        '<gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
        '<gazebo><model name="third"/></gazebo>',
        f"<gazebo>{'<model_state>' * 2000}{'</model_state>' * 2000}</gazebo>",
        "<gazebo/>",
    ],
)
def test_what_has_no_place_is_told_and_hinders_nothing(tmp_path: Path, block: str):
    good = '<gazebo reference="base"><mu2>0.25</mu2></gazebo>'
    good += (
        f'<link name="tip">{MASS}</link><joint name="k" type="fixed"><parent link="arm"/><child link="tip"/></joint>'
    )
    root, report = to_sdf(tmp_path, block + good)
    assert root.findtext(".//mu2") == "0.25"
    assert root.find(".//mu") is None
    assert len(rests(report)) == 1


def test_of_what_is_said_twice_the_last_word_counts_and_the_first_is_told(tmp_path: Path):
    blocks = """<gazebo reference="base"><mu1>0.25</mu1><mu1>0.5</mu1>
    <collision><surface><bounce><threshold>3</threshold></bounce></surface></collision></gazebo>
    <gazebo reference="base"><mu1>0.75</mu1><kp>1000</kp></gazebo>"""
    root, report = to_sdf(tmp_path, blocks)
    theirs = etree.fromstring(sdformat_expands(tmp_path / "robot.urdf")["document"].encode())
    for tag in ("mu", "kp", "threshold"):
        assert float(root.findtext(f".//surface//{tag}")) == float(theirs.findtext(f".//surface//{tag}"))
    assert root.findtext(".//mu") == "0.75"
    assert rests(report) == ['<gazebo reference="base"><mu1>0.25</mu1><mu1>0.5</mu1></gazebo>']


def test_a_surface_that_would_displace_another_is_told(tmp_path: Path):
    one = "<collision><surface><bounce><threshold>%s</threshold></bounce></surface></collision>"
    root, report = to_sdf(tmp_path, f'<gazebo reference="base">{one % 3}{one % 4}</gazebo>')
    assert root.findtext(".//threshold") == "4"
    assert rests(report) == [f'<gazebo reference="base">{one % 3}</gazebo>']


def test_one_noise_for_all_axes_becomes_that_of_each(tmp_path: Path):
    """Gazebo used this form until SDFormat 1.4, and URDFs of today still do."""
    rate = "<mean>0.5</mean><stddev>0.25</stddev><bias_mean>1</bias_mean><bias_stddev>2</bias_stddev>"
    noise = f"<noise><type>gaussian</type><rate>{rate}</rate><accel><mean>4</mean><stddev>8</stddev></accel></noise>"
    root, report = to_sdf(tmp_path, f'<gazebo reference="base">{IMU % f"<imu>{noise}</imu>"}</gazebo>')
    imu = root.find(".//imu")
    for axis in "xyz":
        each = imu.find(f"angular_velocity/{axis}/noise")
        assert each.get("type") == "gaussian"
        assert [float(item.text) for item in each] == [0.5, 0.25, 1, 2]
        assert imu.findtext(f"linear_acceleration/{axis}/noise/stddev") == "8"
    assert not rests(report)


def test_of_several_noises_for_all_axes_the_first_counts_and_the_others_are_told(tmp_path: Path):
    one = "<noise><type>gaussian</type><rate><mean>0</mean><stddev>%s</stddev></rate></noise>"
    block = f'<gazebo reference="base">{IMU % f"<imu>{one % 3}{one % 4}</imu>"}</gazebo>'
    root, report = to_sdf(tmp_path, block)
    assert {each.text for each in root.iterfind(".//angular_velocity/*/noise/stddev")} == {"3"}
    (rest,) = rests(report)
    assert one % 4 in rest and one % 3 not in rest


def test_looks_for_gazebo_join_those_of_the_urdf(tmp_path: Path):
    """A colour of the URDF is kept, as in libsdformat; a visual without one gets that of the block."""
    blocks = '<gazebo reference="base"><material>Gazebo/Red</material></gazebo>'
    blocks += '<gazebo reference="arm"><material>Gazebo/Blue</material></gazebo>'
    root, _ = to_sdf(tmp_path, blocks)
    seen = {link.get("name"): link.find("visual/material") for link in root.iter("link")}
    assert [seen[name].findtext("diffuse") for name in ("base", "arm")] == ["0 1 0 1", "0 0 1 1"]
    assert [seen[name].findtext("script/name") for name in ("base", "arm")] == ["Gazebo/Red", "Gazebo/Blue"]
    convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    visuals = [index for index in range(model.ngeom) if model.geom_group[index] != 3]
    colours = [model.mat_rgba[model.geom_matid[index]] for index in visuals]
    np.testing.assert_allclose(colours, [[0, 1, 0, 1], [0, 0, 1, 1]])


def test_a_block_about_a_visual_leaves_its_colour_alone(tmp_path: Path):
    """libsdformat writes the colour of a URDF to <ambient> and <diffuse>; a visual with a block has it in both, too."""
    colour = '<material name="m"><color rgba="1 .5 0 1"/></material>'
    box = f'<visual><geometry><box size="1 1 1"/></geometry>{colour}</visual>'
    block = '<gazebo reference="a"><visual><cast_shadows>false</cast_shadows></visual></gazebo>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a">{box}</link>{block}</robot>')
    explained(convert(source, tmp_path / "r.sdf"))
    look = etree.parse(tmp_path / "r.sdf").find(".//visual/material")
    assert [(word.tag, word.text) for word in look] == [("ambient", "1 0.5 0 1"), ("diffuse", "1 0.5 0 1")]


def test_a_look_that_nobody_knows_is_left_to_gazebo(tmp_path: Path):
    blocks = '<gazebo reference="base"><material>Nobody/Knows</material></gazebo>'
    root, report = to_sdf(tmp_path, blocks)
    material = root.find("model/link[@name='base']/visual/material")
    assert (material.findtext("diffuse"), material.findtext("script/name")) == ("0 1 0 1", "Nobody/Knows")
    assert not rests(report)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    assert "Nobody" not in (tmp_path / "robot.xml").read_text().partition("<custom>")[0]


def test_sensors_loops_and_a_fixed_base_reach_mujoco(tmp_path: Path):
    blocks = f"""<gazebo reference="base">{IMU % ""}</gazebo><gazebo reference="arm">{CAMERA % "camera"}</gazebo>
    <gazebo><static>1</static><joint name="loop" type="ball"><parent>base</parent><child>arm</child></joint></gazebo>"""
    report = convert(robot(tmp_path, blocks), tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    assert model.nsensor == 3 and model.ncam == 1 and model.neq == 1 and model.nv == 0
    data = at_rest(model)
    np.testing.assert_allclose(data.cam_xpos[0], [1, 0, 1], atol=1e-12)
    assert len(of_rule(report, "mjcf/simulator-block")) == 3
    assert read(tmp_path / "robot.xml") == read(tmp_path / "robot.urdf")


def test_a_sensor_that_is_said_twice_is_one(tmp_path: Path):
    """iCub has its sensors next to the links and in blocks; libsdformat refuses duplicate names at one place."""
    beside = '<sensor name="%s" type="imu" update_rate="7"><parent link="base"/></sensor>'
    block = '<gazebo reference="base"><sensor name="imu" type="%s"><update_rate>9</update_rate></sensor></gazebo>'
    root, _ = to_sdf(tmp_path, beside % "imu" + block % "imu")
    assert [(each.get("name"), each.findtext("update_rate")) for each in root.iter("sensor")] == [("imu", "9")]
    root, _ = to_sdf(tmp_path, (beside % "imu").replace('type="imu"', 'type="accelerometer"') + block % "imu")
    assert [(each.get("name"), each.get("type")) for each in root.iter("sensor")] == [("imu", "imu")]
    root, report = to_sdf(tmp_path, beside % "imu" + block % "contact" + block % "imu")
    assert len({each.get("name") for each in root.iter("sensor")}) == len(root.findall(".//sensor")) == 2
    assert len(rests(report)) == 1


def test_a_camera_for_gazebo_is_one_of_gltf(tmp_path: Path):
    """It looks along +x of its sensor with +z up; a camera of glTF looks along -z with +y up."""
    blocks = f'<gazebo reference="arm">{CAMERA % "camera"}</gazebo>'
    convert(robot(tmp_path, blocks), tmp_path / "robot.gltf")
    document = json.loads((tmp_path / "robot.gltf").read_text())
    node = next(node for node in document["nodes"] if "camera" in node)
    turned = Rotation.from_quat(node["rotation"])
    np.testing.assert_allclose(turned.apply([[0, 0, -1], [0, 1, 0]]), [[1, 0, 0], [0, 0, 1]], atol=1e-12)
    assert node["translation"] == [0, 0, 1]
    view = document["cameras"][node["camera"]]["perspective"]
    assert view["yfov"] == pytest.approx(2 * np.arctan(np.tan(0.5) * 30 / 40))
    assert (view["aspectRatio"], view["znear"], view["zfar"]) == pytest.approx((4 / 3, 0.1, 9))
    assert read(tmp_path / "robot.gltf") == read(tmp_path / "robot.urdf")


def test_a_joint_that_only_gazebo_has_holds_the_base(tmp_path: Path):
    joint = '<joint name="anchor" type="fixed"><parent>world</parent><child>base</child></joint>'
    root, report = to_sdf(tmp_path, f"<gazebo>{joint}</gazebo>")
    assert [root.findtext(f"model/joint[@name='anchor']/{end}") for end in ("parent", "child")] == ["world", "base"]
    assert not rests(report)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    assert (model.nv, model.neq) == (1, 0)


@pytest.mark.parametrize("target", ["robot.xml", "robot.glb", "robot.sdf"])
def test_a_weld_that_only_gazebo_has_is_explained(tmp_path: Path, target: str):
    """In formats with nested bodies it has no name; a loop keeps its name."""
    ends = {"anchor": ("world", "base"), "second": ("world", "base"), "third": ("base", "arm")}
    joints = "".join(
        f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
        for name, (parent, child) in ends.items()
    )
    explained(convert(robot(tmp_path, f"<gazebo>{joints}</gazebo>"), tmp_path / target))
    assert read(tmp_path / target) == read(tmp_path / "robot.urdf")
    if target == "robot.xml":
        model = mujoco_model(tmp_path / target)
        assert (model.nv, [model.equality(index).name for index in range(model.neq)]) == (1, ["second", "third"])


@pytest.mark.parametrize(
    ("base", "ways", "held"),
    [("keep", 1, {"swing"}), ("fixed", 1, {"swing", "weld_base"}), ("fixed", 0, {"weld_bar", "weld_base"})],
)
def test_a_body_that_only_gazebo_has_is_explained_whatever_holds_it(
    tmp_path: Path, base: Base, ways: int, held: set[str]
):
    """Its joint ends up with another name: that of the joint which attaches it to the robot, or of a weld."""
    block = '<gazebo><link name="bar"><pose>2 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link></gazebo>'
    ends = "<parent>bar</parent><child>arm</child>"
    swing = f'<gazebo><joint name="swing" type="revolute">{ends}<axis><xyz>0 0 1</xyz></axis></joint></gazebo>'
    source = robot(tmp_path, block + swing * ways)
    report = convert(source, tmp_path / "robot.xml", options=Options(base=base))
    made = {finding.after: finding.rule for finding in explained(report).findings}
    assert made[f"joint {min(held)}"] == "gazebo/interpreted"
    model = mujoco_model(tmp_path / "robot.xml")
    assert (model.body("bar").jntnum, model.neq) == (ways, 0)
    convert(source, tmp_path / "robot.sdf", options=Options(base=base))
    assert len(sdformat_reads(tmp_path / "robot.sdf")["joints"]) == 1 + len(held)


def test_a_sensor_on_a_link_without_mass_goes_to_the_one_that_has_some(tmp_path: Path):
    """Gazebo requires a mass in each link: a massless link becomes a frame, and its sensor keeps its pose."""
    more = """<link name="eye"/><joint name="k" type="fixed"><parent link="arm"/><child link="eye"/>
    <origin xyz="0 2 0"/></joint><gazebo reference="eye">%s</gazebo>"""
    root, _ = to_sdf(tmp_path, more % (CAMERA % "camera"))
    assert root.findtext("model/link[@name='arm']/sensor/pose") == "0 2 1 0 0 0"
    assert root.find("model/frame[@name='eye']") is not None


@pytest.mark.parametrize("name", ["tiago.urdf", "hyq_no_sensors.urdf", "go1.urdf"])
def test_a_real_robot_has_the_sensors_and_plugins_that_libsdformat_gives_it(tmp_path: Path, name: str):
    path = next(model.path for model in models() if model.path.name == name)
    convert(path, tmp_path / "robot.sdf")
    theirs = sensors_and_plugins(sdformat_expands(path)["document"].encode())
    assert theirs and sensors_and_plugins((tmp_path / "robot.sdf").read_bytes()) == theirs


def test_the_vocabulary_is_that_of_the_specification():
    knows = registry.format_named("sdf").knows
    pairs = {pair for line in LIST.read_text().splitlines() for pair in pairwise(line.split()[0].split("/"))}
    assert pairs and all(knows(owner, name) for owner, name in pairs)
    owners, names = {owner for owner, _ in pairs}, {name for _, name in pairs}
    known = {(owner, name) for owner in owners - {"plugin"} for name in names if knows(owner, name)}
    assert known == {pair for pair in pairs if pair[0] != "plugin"}


@pytest.mark.parametrize(
    "block", ["<turnGravityOff>true</turnGravityOff>", "<selfCollide>true</selfCollide>", IMU % ""]
)
def test_a_block_about_the_root_says_nothing_of_how_it_stands(tmp_path: Path, block: str):
    convert(robot(tmp_path, f'<gazebo reference="base">{block}</gazebo>'), tmp_path / "robot.xml")
    assert mujoco_model(tmp_path / "robot.xml").nv == 1


EMPTY = CAMERA.replace("<far>9</far>", "\n<far/>") % "camera"


@pytest.mark.parametrize(
    ("block", "line", "dies"),
    [
        (f'<gazebo reference="arm"><kp>1</kp>{EMPTY}</gazebo>', 8, False),
        ('<gazebo reference="arm">\n<sensor name="s" type="sixth"/></gazebo>', 7, False),
        ('<gazebo reference="arm">\n<sensor type="imu"/></gazebo>', 7, False),
        ('<gazebo reference="arm"><visual>\n<material>\n<ambient>red</ambient></material></visual></gazebo>', 8, False),
        ('<gazebo reference="arm">\n<gravity>no</gravity></gazebo>', 7, False),
        (
            '<gazebo reference="arm"><projector name="p"><texture>t</texture>\n<fov>x</fov></projector></gazebo>',
            7,
            False,
        ),
        ('<gazebo reference="j"><physics><ode>\n<cfm_damping>x</cfm_damping></ode></physics></gazebo>', 7, False),
        ("<gazebo>\n<pose>1 2 3</pose></gazebo>", 7, False),
        ('<gazebo>\n<plugin name="a"/></gazebo>', 7, False),
        ('<gazebo reference="arm">\n<kp>\n</kp></gazebo>', 7, True),
        ('<gazebo reference="nowhere">\n<stopErp>much</stopErp></gazebo>', 7, True),
    ],
)
def test_a_block_for_which_libsdformat_refuses_the_urdf_is_told_by_validate(
    tmp_path: Path, block: str, line: int, dies: bool
):
    """It is reported at the element; the conversion omits it, so that it loads."""
    source = robot(tmp_path, block)
    if dies:
        with pytest.raises(RuntimeError, match="died"):
            sdformat_reads(source)
    else:
        assert sdformat_reads(source)["errors"]
    told = [each.source.line for each in validate(source).breaches if each.rule == "EXT-GZ-BLOCK" and each.source]
    assert told == [line]
    explained(convert(source, tmp_path / "robot.sdf"))
    assert not sdformat_reads(tmp_path / "robot.sdf")["errors"]
    comes_back(source, tmp_path / "robot.sdf")


@pytest.mark.parametrize("target", ["out.sdf", "out.xml", "out.glb"])
def test_a_material_of_two_links_that_a_block_changes_in_one(tmp_path: Path, target: str):
    green = f'<visual>{BOX}<material name="m"/></visual>'
    looks = '<gazebo reference="tip"><visual><material><ambient>1 0 0 1</ambient></material></visual></gazebo>'
    joint = '<joint name="k" type="continuous"><parent link="arm"/><child link="tip"/></joint>'
    source = robot(tmp_path, f'<link name="tip">{MASS}{green}</link>{joint}{looks}')
    explained(convert(source, tmp_path / target))


def test_a_sensor_that_libsdformat_refuses_is_told_as_such_and_the_output_loads(tmp_path: Path):
    """It is reported at its own line; a valid sensor is converted."""
    camera = CAMERA % "camera"
    for far, rule in (("<far/>", "sdf/block-refused"), ("<far>ten</far>", "sdf/block-refused"), ("<far>9</far>", "")):
        source = robot(tmp_path, f'<gazebo reference="arm">{camera.replace("<far>9</far>", far)}</gazebo>')
        assert bool(sdformat_reads(source)["errors"]) == bool(rule), far
        report = convert(source, tmp_path / "robot.sdf")
        told = [(each.rule, each.sources[0].line) for each in report.findings if "block" in each.rule]
        assert told == ([(rule, 6)] if rule else []), far
        assert not sdformat_reads(tmp_path / "robot.sdf")["errors"]
        comes_back(source, tmp_path / "robot.sdf")


@pytest.mark.parametrize("word", ["<gz_frame_id>arm</gz_frame_id>", "<camera><fov>3</fov></camera>"])
def test_a_word_of_a_sensor_that_sdformat_does_not_have_is_told_as_such(tmp_path: Path, word: str):
    """libsdformat accepts and copies it, without an error."""
    sensor = f'<sensor name="eye" type="camera">{word}</sensor>'
    _, report = to_sdf(tmp_path, f'<gazebo reference="arm">{sensor}</gazebo>')
    assert not sdformat_reads(tmp_path / "robot.urdf")["errors"]
    assert [each.rule for each in report.findings if each.where == "block/gazebo_arm_rest"] == ["sdf/unknown-word"]


@pytest.mark.parametrize("word", ["gz_frame_id", "ignition_frame_id"])
def test_the_frame_of_a_sensor_is_a_word_of_the_newest_sdformat(tmp_path: Path, word: str):
    sensor = f'<sensor name="s" type="imu"><{word}>arm</{word}><update_rate>9</update_rate></sensor>'
    source, target = robot(tmp_path, f'<gazebo reference="arm">{sensor}</gazebo>'), tmp_path / "robot.sdf"
    report = explained(convert(source, target, options=Options(sdf_version="1.12")))
    assert not of_rule(report, "sdf/unknown-word")
    (found,) = etree.parse(target).iter("sensor")
    assert sorted((each.tag, each.text) for each in found) == [("frame_id", "arm"), ("update_rate", "9")]
    drake_reads(target)
    comes_back(source, target)
    target.write_text(target.read_text().replace("<frame_id>arm", "<frame_id>base"))
    explained(convert(target, tmp_path / "edited.urdf"))
    assert etree.parse(tmp_path / "edited.urdf").findtext("gazebo/sensor/frame_id") == "base"


def test_a_block_of_gazebo_before_sdformat_is_of_no_use_to_anybody(tmp_path: Path):
    sensor = '<sensor:ray name="l" xmlns:sensor="http://playerstage"><rayCount>640</rayCount></sensor:ray>'
    _, report = to_sdf(tmp_path, f'<gazebo reference="arm">{sensor}</gazebo>')
    assert [each.rule for each in report.findings if each.where == "block/gazebo_arm"] == ["sdf/simulator-block"]
