"""What Gazebo can express and URDF cannot: cameras, lights and sensors of MJCF in <gazebo> blocks, and back."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert, read
from converters.report.model import Action
from tests.files import saved
from tests.formats.uncarried import bare
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.oracles.in_urdfdom import check_urdf, check_urdf_3
from tests.reports import complete, explained, of_rule, stale

MODEL = """<mujoco model="m"><worldbody><light name="sun" pos="0 0 3"/><camera name="over" pos="0 -2 1"/>
  <body name="base"><geom size=".1"/><site name="imu" pos="0 0 .1"/>
    <light name="lamp" pos="0 0 .2" dir="1 0 0" cutoff="30"/><light pos="0 1 0" type="directional"/>
    <camera name="eye" pos=".1 0 0" xyaxes="0 -1 0 0 0 1" fovy="60"/><camera name="flat" projection="orthographic"/>
    <camera pos="0 .1 0" euler="80 10 20" resolution="640 400" fovy="50"/>
    <body name="arm" pos="0 0 .5"><joint name="j" axis="0 1 0" range="-90 90"/><geom size=".1"/>
      <camera name="narrow" fovy=".5"/></body></body></worldbody>
  <sensor><accelerometer name="acc" site="imu"/><subtreecom name="com" body="base"/><jointpos name="jp" joint="j"/>
    <framepos name="fp" objtype="body" objname="arm"/><clock name="clk"/></sensor></mujoco>"""
SENSORS = ("com", "jp", "fp", "clk")
NAMED = ("eye", "base_camera_0")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return saved(tmp_path / "m.xml", MODEL)


def views(path: Path) -> dict[str, tuple[np.ndarray, np.ndarray, float]]:
    """Return camera -> position, axes and angle in MuJoCo."""
    model, data = drawn(path)
    return {
        model.camera(number).name: (data.cam_xpos[number], data.cam_xmat[number], model.cam_fovy[number])
        for number in range(model.ncam)
    }


def test_libsdformat_has_cameras_and_lights_on_the_links_of_the_urdf(source: Path, tmp_path: Path) -> None:
    complete(convert(source, tmp_path / "m.urdf"))
    assert check_urdf(tmp_path / "m.urdf") is check_urdf_3(tmp_path / "m.urdf") is None
    answer = sdformat_expands(tmp_path / "m.urdf")
    assert not answer["errors"]
    root = etree.fromstring(answer["document"].encode())
    cameras = {sensor.get("name"): sensor for sensor in root.iter("sensor") if sensor.get("type") == "camera"}
    assert set(cameras) == {"eye", "base_camera_0", "narrow"}
    assert cameras["narrow"].getparent().get("name") == "arm"
    angle = float(cameras["base_camera_0"].find("camera/horizontal_fov").text)
    assert angle == pytest.approx(2 * math.atan(math.tan(math.radians(25)) * 640 / 400))
    assert float(cameras["narrow"].find("camera/horizontal_fov").text) == 0.1  # libsdformat takes no narrower one
    lights = {light.get("name"): light for light in root.iter("light")}
    assert {name: light.get("type") for name, light in lights.items()} == {
        "lamp": "spot",
        "base_light_0": "directional",
    }
    assert float(lights["lamp"].find("spot/outer_angle").text) == pytest.approx(2 * math.radians(30))
    assert [float(word) for word in lights["lamp"].find("direction").text.split()] == pytest.approx([1, 0, 0])


def test_mujoco_has_the_views_of_the_plain_urdf(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "m.urdf")
    complete(convert(bare(tmp_path / "m.urdf"), tmp_path / "back.xml"))
    theirs, ours = views(tmp_path / "back.xml"), views(source)
    mine = {name: seen for name, seen in ours.items() if name == "eye"} | {"base_camera_0": list(ours.values())[3]}
    for name in NAMED:
        assert all(np.allclose(a, b, atol=1e-9) for a, b in zip(theirs[name], mine[name], strict=True)), name
    model = mujoco_model(tmp_path / "back.xml")
    assert model.light("lamp").dir == pytest.approx([1, 0, 0])
    assert model.light("lamp").cutoff[0] == pytest.approx(30)


def test_libsdformat_reads_what_becomes_of_the_plain_urdf(source: Path, tmp_path: Path) -> None:
    """A light of a block has one <falloff>, whatever its origin."""
    convert(source, tmp_path / "m.urdf")
    complete(convert(bare(tmp_path / "m.urdf"), tmp_path / "m.sdf"))
    assert not sdformat_reads(tmp_path / "m.sdf")["errors"]
    spots = etree.parse(tmp_path / "m.sdf").findall(".//spot")
    assert spots and all(len(spot.findall("falloff")) == 1 for spot in spots)


@pytest.mark.parametrize("sites", ["keep", "links"])
def test_sensors_of_no_device_are_carried_and_told(source: Path, tmp_path: Path, sites: str) -> None:
    """No <sensor> can reference a joint that is a site, a body or nothing."""
    report = complete(convert(source, tmp_path / "m.urdf", options=Options(sites=sites)))
    assert not etree.parse(tmp_path / "m.urdf").findall("sensor")
    told = {finding.where: finding for finding in of_rule(report, "urdf/sensor-target")}
    assert set(told) == {f"sensor/{name}" for name in SENSORS}
    assert {finding.action for finding in told.values()} == {Action.CARRIED}
    assert read(tmp_path / "m.urdf") == read(source)


def test_a_body_and_its_joint_of_one_name_have_sensors_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "m.xml"
    source.write_text("""<mujoco model="m"><worldbody><body name="torso"><freejoint name="torso"/><geom size=".1"/>
      <site name="imu"/><body name="leg"><joint name="leg"/><geom size=".1"/><site name="ankle"/>
      <body name="foot"><joint name="heel"/><geom size=".1"/><site name="sole"/></body></body></body></worldbody>
      <sensor><gyro name="turn" site="imu"/><force name="push" site="ankle"/><gyro name="swing" site="ankle"/>
      <force name="load" site="sole"/></sensor>
      </mujoco>""")
    report = complete(convert(source, tmp_path / "m.urdf"))
    told = {finding.where for finding in report.findings if finding.action is Action.CARRIED}
    assert "sensor/push.target" in told  # no block can say which of the two it is for
    root = etree.fromstring(sdformat_expands(tmp_path / "m.urdf")["document"].encode())
    held = {sensor.get("name"): sensor.getparent() for sensor in root.iter("sensor")}
    assert {name: (holder.tag, holder.get("name")) for name, holder in held.items()} == {
        "turn": ("link", "torso"),
        "swing": ("link", "leg"),
        "load": ("joint", "heel"),
    }
    complete(convert(tmp_path / "m.urdf", tmp_path / "back.xml"))
    back = mujoco_model(tmp_path / "back.xml")
    assert [back.sensor(number).name for number in range(back.nsensor)] == ["turn", "push", "swing", "load"]


def test_the_way_back_is_exact_and_told(source: Path, tmp_path: Path) -> None:
    report = complete(convert(source, tmp_path / "m.urdf"))
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(source)
    told = {(finding.where, finding.action) for finding in of_rule(report, "sdf/gazebo-words")}
    assert ("body/base.cameras.eye", Action.CARRIED) in told
    assert ("body/base.lights.lamp", Action.CARRIED) in told
    left = {finding.where for finding in of_rule(report, "urdf/camera-light")}
    assert left == {"body/base.cameras.flat", "body/world.cameras.over", "body/world.lights.sun"}


def edited(path: Path, pattern: str, text: str) -> Path:
    before = path.read_text()
    document, carried, rest = before.partition("<kinegraph:carried")
    changed = re.sub(pattern, text, document, flags=re.DOTALL)
    assert changed != document
    return saved(path, changed + carried + rest)


def test_an_edit_of_a_block_reaches_the_camera(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "m.urdf")
    convert(edited(tmp_path / "m.urdf", "<pose>0.1 0 0 0 0 0", "<pose>0.5 0 0 0 0 0"), tmp_path / "back.xml")
    found = views(tmp_path / "back.xml")
    assert found["eye"][0] == pytest.approx([0.5, 0, 0])
    model = mujoco_model(tmp_path / "back.xml")
    assert model.sensor("com").objid[0] == model.body("base").id  # what else the link carried stays


def test_a_block_taken_out_takes_its_cameras(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "m.urdf")
    convert(edited(tmp_path / "m.urdf", "<gazebo.*</gazebo>", ""), tmp_path / "back.xml")
    assert "eye" not in views(tmp_path / "back.xml")


def test_another_edit_of_the_link_leaves_its_cameras_as_they_were(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "m.urdf")
    report = convert(edited(tmp_path / "m.urdf", '<mass value="[^"]*"', '<mass value="7"'), tmp_path / "back.xml")
    assert stale(report) <= {"body/base.inertial", "body/arm.inertial"}
    assert read(tmp_path / "back.xml").body("base").cameras == read(source).body("base").cameras
    assert set(views(tmp_path / "back.xml")) == set(views(source))


# ---------------------------------------------------------------------------------------------------- gravity, contact

FELT = """<mujoco model="felt"><compiler angle="radian"/><worldbody>
  <body name="a" gravcomp="1"><freejoint/><geom size=".1" friction=".5 .01"/><geom size=".2" friction=".5"/>
    <body name="b" pos="0 0 .5"><joint name="j" axis="0 1 0" ref=".3" stiffness="3" springref=".2"/>
      <geom size=".1"/><geom size=".2" friction="2"/></body>
    <body name="c" gravcomp=".5"><joint name="k" type="slide" stiffness="4"/><geom size=".1" friction="3"/></body>
  </body></worldbody></mujoco>"""


def test_gravity_friction_and_springs_are_said_to_gazebo(tmp_path: Path) -> None:
    """libsdformat's own import of the URDF has them; friction that differs within a link is carried."""
    source = saved(tmp_path / "felt.xml", FELT)
    report = complete(convert(source, tmp_path / "m.urdf"))
    assert check_urdf(tmp_path / "m.urdf") is check_urdf_3(tmp_path / "m.urdf") is None
    root = etree.parse(tmp_path / "m.urdf").getroot()
    said = {block.get("reference"): {item.tag: item.text for item in block} for block in root.findall("gazebo")}
    assert said == {
        "a": {"gravity": "false", "mu1": "0.5", "mu2": "0.5"},
        "c": {"mu1": "3", "mu2": "3"},
        "j": {"springReference": "0.2", "springStiffness": "3"},
        "k": {"springStiffness": "4"},
        None: {"self_collide": "true"},
    }
    found = etree.fromstring(sdformat_expands(tmp_path / "m.urdf")["document"].encode())
    frictions = {link.get("name"): [float(mu.text) for mu in link.iter("mu", "mu2")] for link in found.iter("link")}
    assert frictions == {"a": [0.5] * 4, "b": [], "c": [3.0] * 2}
    springs = {joint.get("name"): float(joint.find(".//spring_stiffness").text) for joint in found.iter("joint")}
    assert springs == {"j": 3.0, "k": 4.0}
    told = {finding.where for finding in report.findings if finding.action == Action.CARRIED}
    assert {"body/c.gravity", "body/b.geoms.b_geom_1.surface"} <= told
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(source)


def test_mujoco_has_what_the_plain_blocks_say(tmp_path: Path) -> None:
    source = saved(tmp_path / "felt.xml", FELT)
    convert(source, tmp_path / "m.urdf")
    convert(bare(tmp_path / "m.urdf"), tmp_path / "back.xml")
    found, model = (mujoco_model(path) for path in (tmp_path / "back.xml", source))
    for name in ("j", "k"):
        assert found.joint(name).stiffness == model.joint(name).stiffness
    assert found.qpos_spring[found.joint("j").qposadr] == 0.2
    assert found.body_gravcomp[found.body("a").id] == 1
    colliding = found.geom_contype > 0
    assert sorted(found.geom_friction[colliding, 0]) == [0.5, 0.5, 1, 1, 3]


@pytest.mark.parametrize("spring", [' type="slide" stiffness="4"', ""])
def test_an_edit_of_the_friction_reaches_mujoco(spring: str, tmp_path: Path) -> None:
    """The friction of a geom in a block depends only on the block, whatever the joint contains."""
    source = saved(tmp_path / "felt.xml", FELT.replace(' type="slide" stiffness="4"', spring))
    convert(source, tmp_path / "m.urdf")
    convert(edited(tmp_path / "m.urdf", "<mu1>3</mu1>", "<mu1>0.7</mu1>"), tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    geoms = [number for number in range(model.ngeom) if model.geom_bodyid[number] == model.body("c").id]
    assert 0.7 in [model.geom_friction[number, 0] for number in geoms]


@pytest.mark.parametrize("there", [True, False])
def test_an_image_that_a_block_names_is_found_from_the_robot_and_put_beside_the_output(tmp_path: Path, there: bool):
    (tmp_path / "robot").mkdir()
    if there:
        Image.new("RGB", (4, 4), (200, 30, 10)).save(tmp_path / "robot" / "wood.png")
    look = "<material><diffuse>1 1 1 1</diffuse><pbr><metal><albedo_map>wood.png</albedo_map></metal></pbr></material>"
    visual = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
    block = f'<gazebo reference="a"><visual>{look}</visual></gazebo>'
    source = saved(tmp_path / "robot" / "r.urdf", f'<robot name="r"><link name="a">{visual}</link>{block}</robot>')
    explained(convert(source, tmp_path / "out" / "r.xml"))
    model = mujoco_model(tmp_path / "out" / "r.xml")
    assert model.ntex == there
    assert not there or model.tex_data[:3].tolist() == [200, 30, 10]
    explained(convert(source, tmp_path / "out" / "r.sdf"))
    (said,) = etree.parse(tmp_path / "out" / "r.sdf").xpath("//albedo_map/text()")
    assert (tmp_path / "out" / said).is_file() is there
    for name in ("r.xml", "r.sdf"):
        explained(convert(tmp_path / "out" / name, tmp_path / "out" / f"{name}.urdf"))
        assert etree.parse(tmp_path / "out" / f"{name}.urdf").xpath("//albedo_map/text()") == ["wood.png"]
