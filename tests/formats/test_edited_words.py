"""An edit of what a <gazebo> block was converted to changes that value in the author's block; the rest stays."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import Options, convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import complete, of_rule, stale

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
ROBOT = f"""<robot name="r"><link name="base">{MASS}<visual>{BOX}</visual><collision>{BOX}</collision></link>
<link name="arm">{MASS}<collision name="one">{BOX}</collision></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
<gazebo reference="base"><mu1>0.5</mu1><mu2 value="0.25"/><kp>1e5</kp><material>Gazebo/Red</material>
<selfCollide>true</selfCollide><note:mine/>
<sensor name="cam" type="camera"><update_rate>30.0</update_rate><pose>0.10 0 0 0 0 0</pose><camera>
<horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>48</height></image>
<clip><near>0.1</near><far>20</far></clip></camera><plugin name="cp" filename="libcam.so"><topic>/x</topic></plugin>
</sensor></gazebo>
<gazebo reference="arm"><mu1>0.5</mu1><dampingFactor>0.125</dampingFactor></gazebo>
<gazebo reference="j"><springStiffness>3</springStiffness><springReference>0.5</springReference></gazebo>
<gazebo><plugin name="ctl" filename="libctl.so"><ns>/a</ns></plugin><static>false</static></gazebo></robot>
"""
EDITS = {
    "friction": ("sdf", "(//mu)[1]", "0.75", "<mu1>0.5", "<mu1>0.75"),
    "friction in an attribute": ("sdf", "(//mu2)[1]", "0.75", '<mu2 value="0.25', '<mu2 value="0.75'),
    "stiffness of contacts": ("sdf", "//kp", "200", "<kp>1e5", "<kp>200"),
    "a view": ("sdf", "//horizontal_fov", "1.3", "1.2", "1.3"),
    "one number of a pose": ("sdf", "//sensor/pose", "0.1 0 2 0 0 0", "0.10 0 0 0 0 0", "0.10 0 2 0 0 0"),
    "how often": ("sdf", "//update_rate", "15", "30.0", "15"),
    "a word of a plugin": ("sdf", "//topic", "/y", "/x", "/y"),
    "an image": ("sdf", "//image/width", "32", "64", "32"),
    "true or false": ("sdf", "//self_collide", "false", "<selfCollide>true", "<selfCollide>false"),
    "a spring": ("sdf", "//spring_stiffness", "4", "<springStiffness>3", "<springStiffness>4"),
    "friction in MuJoCo": ("xml", "//geom[@name='one']/@friction", "0.75", "<mu1>0.5", "<mu1>0.75"),
    "a camera in MuJoCo": ("xml", "//camera/@pos", "0.1 0 2", "0.10 0 0 0 0 0", "0.10 0 2 0 0 0"),
    "a spring in MuJoCo": ("xml", "//joint/@stiffness", "4", "<springStiffness>3", "<springStiffness>4"),
}


@pytest.mark.parametrize(("form", "path", "now", "old", "new"), EDITS.values(), ids=EDITS)
def test_the_word_changes_and_nothing_else(tmp_path: Path, form: str, path: str, now: str, old: str, new: str) -> None:
    source, there, again = (tmp_path / name for name in ("s.urdf", f"w.{form}", "again.urdf"))
    source.write_text(ROBOT)
    convert(source, there)
    convert(source, again)
    tree = etree.parse(there)
    found = tree.xpath(path.rpartition("/@")[0] if "/@" in path else path)[0]
    if "/@" in path:
        found.set(path.rpartition("/@")[2], now)
    else:
        found.text = now
    tree.write(there)
    report = convert(there, tmp_path / "back.urdf")
    assert [each.rule for each in of_rule(report, "carried/stale")] == []
    complete(report)
    lines = difflib.ndiff(again.read_text().splitlines(), (tmp_path / "back.urdf").read_text().splitlines())
    changed = [line for line in lines if line[0] in "+-"]
    assert [line[0] for line in changed] == ["-", "+"]
    assert changed[0][1:].replace(old, new) == changed[1][1:]
    assert check_urdf(tmp_path / "back.urdf") is None


ADDED = {
    "a direction": ("(//friction/ode)[1]", "<fdir1>1 0 0</fdir1>", "fdir1", "1 0 0"),
    "another stiffness": ("(//contact/ode)[1]", "<kd>3</kd>", "kd", "3"),
    "restitution above": (
        "(//surface)[1]",
        "<bounce><restitution_coefficient>0.3</restitution_coefficient></bounce>",
        "collision/surface/bounce/restitution_coefficient",
        "0.3",
    ),
}


@pytest.mark.parametrize(("owner", "text", "path", "word"), ADDED.values(), ids=ADDED)
def test_a_word_that_is_new_is_put_into_the_block(tmp_path: Path, owner: str, text: str, path: str, word: str) -> None:
    (tmp_path / "s.urdf").write_text(ROBOT.replace("<note:mine/>", ""))
    convert(tmp_path / "s.urdf", tmp_path / "w.sdf")
    tree = etree.parse(tmp_path / "w.sdf")
    tree.xpath(owner)[0].append(etree.fromstring(text))
    tree.write(tmp_path / "w.sdf")
    assert sdformat_reads(tmp_path / "w.sdf")["errors"] == []
    complete(convert(tmp_path / "w.sdf", tmp_path / "back.urdf"))
    block = etree.parse(tmp_path / "back.urdf").xpath("gazebo[@reference='base']")[0]
    assert block.findtext(path) == word
    assert [each.tag for each in block[:4]] == ["mu1", "mu2", "kp", "material"], "the rest stays"


@pytest.mark.parametrize(
    ("now", "word"), [({"timestep": "0.002"}, "0.005"), ({"gravity": "0 1 -3"}, "0 0 -3"), ({"wind": "1 0 0"}, "")]
)
def test_so_does_a_word_of_a_mujoco_block(tmp_path: Path, now: dict[str, str], word: str) -> None:
    """A setting that the block does not contain has no value there to change: it is reported."""
    block = '<mujoco><compiler discardvisual="false"/><option timestep="0.005" gravity="0 0 -3"/></mujoco>'
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{block}<link name="base">{MASS}</link></robot>')
    convert(tmp_path / "s.urdf", tmp_path / "w.xml")
    tree = etree.parse(tmp_path / "w.xml")
    tree.find("option").attrib.update(now)
    tree.write(tmp_path / "w.xml")
    report = convert(tmp_path / "w.xml", tmp_path / "back.urdf")
    parser = etree.XMLParser(remove_blank_text=True)
    found = [etree.tostring(each).decode() for each in etree.parse(tmp_path / "back.urdf", parser).iter("mujoco")]
    told = [each.where for each in of_rule(report, "carried/stale")]
    if word:
        assert ([block.replace(word, *now.values())], []) == (found, told)
    else:
        assert "block/mujoco" in told


def test_what_the_block_cannot_say_stands_in_a_block_of_its_own_and_is_told(tmp_path: Path) -> None:
    """An edit that gives collisions of one link different surfaces: no block can describe only one of them."""
    second = f'<collision name="two">{BOX}</collision></link>\n<joint'
    (tmp_path / "s.urdf").write_text(ROBOT.replace("</link>\n<joint", second))
    convert(tmp_path / "s.urdf", tmp_path / "w.sdf")
    tree = etree.parse(tmp_path / "w.sdf")
    tree.xpath("//collision[@name='two']//mu")[0].text = "0.75"
    tree.write(tmp_path / "w.sdf")
    report = convert(tmp_path / "w.sdf", tmp_path / "back.urdf")
    assert "block/gazebo_arm" in stale(report)
    convert(tmp_path / "back.urdf", tmp_path / "again.sdf")
    assert etree.parse(tmp_path / "again.sdf").xpath("//collision[@name='two']//mu/text()") == ["0.75"]
    assert sdformat_reads(tmp_path / "again.sdf")["errors"] == []


CART = """<sdf version="1.9"><world name="w"><model name="cart"><link name="chassis"><collision name="c"><geometry><box>
<size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.7</mu><mu2>0.6</mu2></ode></friction></surface>
</collision>
<sensor name="lidar" type="gpu_lidar"><update_rate>10</update_rate><topic>scan</topic></sensor></link></model>
<model name="other"><link name="l"/></model></world></sdf>"""


def test_what_is_made_anew_of_an_edited_block_is_not_told_as_gone(tmp_path: Path) -> None:
    convert(saved(tmp_path / "w.sdf", CART), tmp_path / "cart.urdf", options=Options(model="cart"))
    text = (tmp_path / "cart.urdf").read_text()
    for before, after in (("<mu1>0.7<", "<mu1>0.9<"), ("<update_rate>10<", "<update_rate>20<")):
        assert text.count(before) == 1
        text = text.replace(before, after)
    report = convert(saved(tmp_path / "cart.urdf", text), tmp_path / "back.sdf")
    back = (tmp_path / "back.sdf").read_text()
    assert "<mu>0.9</mu>" in back and "<update_rate>20</update_rate>" in back
    stale = {each.where: each.action for each in of_rule(report, "carried/stale")}
    assert {"sensor/lidar", "body/chassis.geoms.c.surface"} <= stale.keys()
    assert {*stale.values()} == {"repaired"}
    (tmp_path / "cart.urdf").write_text(re.sub(r"(?s)  <gazebo.*?</gazebo>\n", "", text))
    report = convert(tmp_path / "cart.urdf", tmp_path / "gone.sdf")
    assert "lidar" not in (tmp_path / "gone.sdf").read_text().partition("kinegraph:carried")[0]
    assert "dropped" in {each.action for each in of_rule(report, "carried/stale")}


DEVICES = """<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial>
<sensor name="eye" type="camera"><camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width>
<height>48</height></image></camera></sensor><sensor name="scan" type="gpu_lidar"><topic>scan</topic></sensor>
<sensor name="balance" type="imu"/></link></model></sdf>
"""


@pytest.mark.parametrize("through", ["xml", "gltf", "urdf"])
def test_what_an_edited_block_says_is_there_after_another_format(tmp_path: Path, through: str) -> None:
    """A block of a URDF that came from SDFormat, with a renamed sensor, passes a format without a place for it: back in
    SDFormat all of its sensors are sensors."""
    source, there, far, back = (tmp_path / name for name in ("s.sdf", "w.urdf", f"far/f.{through}", "b.sdf"))
    source.write_text(DEVICES)
    convert(source, there)
    there.write_text(there.read_text().replace('sensor name="eye"', 'sensor name="view"'))
    far.parent.mkdir()
    convert(there, far)
    assert complete(convert(far, back))
    assert sdformat_reads(back)["errors"] == []
    names = [sensor.get("name") for sensor in etree.parse(back).iter("sensor")]
    assert sorted(names) == ["balance", "scan", "view"]


def test_so_is_a_device_of_a_block_that_was_edited_in_a_model_of_mujoco(tmp_path: Path) -> None:
    """MJCF -> URDF, where a block gets one more sensor, -> SDF -> MJCF: MuJoCo has both sensors."""
    convert(saved(tmp_path / "s.xml", MEASURED), tmp_path / "w.urdf")
    document = etree.parse(tmp_path / "w.urdf")
    sensor = document.find("gazebo/sensor")
    assert sensor is not None
    sensor.addnext(twin := etree.fromstring(etree.tostring(sensor)))
    twin.set("name", "twin")
    document.write(tmp_path / "w.urdf")
    convert(tmp_path / "w.urdf", tmp_path / "far.sdf")
    convert(tmp_path / "far.sdf", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    kinds = enumerate(model.sensor_type)
    gyros = [model.sensor(number).name for number, kind in kinds if kind == mujoco.mjtSensor.mjSENS_GYRO]
    assert gyros == ["gyro_gyro", "twin_gyro"]


MEASURED = """<mujoco><worldbody><body name="a"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
</worldbody><sensor><gyro name="gyro" site="s"/></sensor></mujoco>"""
