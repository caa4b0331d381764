"""Edited rates of a sensor that is one device or several sensors: update_rate and interval.

Judged by MuJoCo's compiled model; SDF and URDF are read by lxml.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained

LINK = '<link name="a"><inertial><mass>1</mass></inertial>{}</link><link name="b"/>'
JOINT = '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>{}</joint>'
IMU = '<sensor name="s" type="imu"><update_rate>50</update_rate><topic>t</topic>{}</sensor>'
NOISE = '<imu><angular_velocity><x><noise type="gaussian"><stddev>0.1</stddev></noise></x></angular_velocity></imu>'
SOURCES = {
    "imu.sdf": f'<sdf version="1.9"><model name="m">{LINK.format(IMU.format(NOISE))}{JOINT.format("")}</model></sdf>',
    "wrench.sdf": f'<sdf version="1.9"><model name="m">{LINK.format("")}'
    f"{JOINT.format(IMU.format('').replace('imu', 'force_torque'))}</model></sdf>",
    "block.urdf": f'<robot name="m"><link name="a"/><gazebo reference="a">{IMU.format("")}</gazebo></robot>',
    "own.urdf": '<robot name="m"><link name="a"/><sensor name="s" type="imu" update_rate="50"><parent link="a"/>'
    '<origin xyz="0 0 0" rpy="0 0 0"/><imu/></sensor></robot>',
}
MJCF = """<mujoco model="m"><worldbody><body name="a"><geom size=".1"/><site name="p"/></body></worldbody><sensor>
<accelerometer name="acc" site="p" interval="0.02" nsample="2" cutoff="3"/>
<gyro name="gy" site="p" interval="0.02" nsample="1"/></sensor></mujoco>"""


def intervals(path: Path) -> dict[str, float]:
    """Return the seconds between two measurements of each sensor, by MuJoCo."""
    model = mujoco_model(path)
    return {model.sensor(index).name: float(model.sensor_interval[index][0]) for index in range(model.nsensor)}


def rates(path: Path) -> list[str]:
    return re.findall(r'\bupdate_rate(?:>|=")([0-9.]+)', re.sub("<kinegraph:.*", "", path.read_text()))


@pytest.mark.parametrize("name", SOURCES)
def test_an_interval_of_all_sensors_is_the_rate_of_the_device_that_they_were(tmp_path: Path, name: str) -> None:
    source = saved(tmp_path / name, SOURCES[name])
    convert(source, tmp_path / "m.xml")
    tree = etree.parse(tmp_path / "m.xml")
    for each in tree.xpath("//sensor/*"):
        each.set("interval", "0.05")
        each.set("nsample", "1")
    tree.write(tmp_path / "m.xml")
    back = tmp_path / f"back{source.suffix}"
    explained(convert(tmp_path / "m.xml", back))
    assert [float(each) for each in rates(back)] == [20.0]
    convert(source, tmp_path / f"same{source.suffix}")
    wanted = (tmp_path / f"same{source.suffix}").read_text().replace("50", "20").replace("20.0", "20")
    if name != "own.urdf":  # what is edited of that is said in words of Gazebo
        assert back.read_text().replace("20.0", "20") == wanted, "and all else as its author wrote it"
    explained(convert(tmp_path / "m.xml", tmp_path / "again.xml"))
    assert set(intervals(tmp_path / "again.xml").values()) == {0.05}


def test_an_interval_of_one_of_several_sensors_is_no_rate_of_all(tmp_path: Path) -> None:
    convert(saved(tmp_path / "imu.sdf", SOURCES["imu.sdf"]), tmp_path / "m.xml")
    text = (tmp_path / "m.xml").read_text()
    (tmp_path / "m.xml").write_text(text.replace("<gyro ", '<gyro interval="0.05" nsample="1" '))
    report = explained(convert(tmp_path / "m.xml", tmp_path / "back.sdf"))
    assert "carried/stale" in {each.rule for each in report.findings}
    assert rates(tmp_path / "back.sdf") == []


@pytest.mark.parametrize(("edited", "seconds"), [("<update_rate>20</update_rate>", 0.05), ("", 0.0)])
def test_the_rate_of_a_device_is_the_interval_of_each_sensor_that_it_was_made_of(
    tmp_path: Path, edited: str, seconds: float
) -> None:
    convert(saved(tmp_path / "in.xml", MJCF), tmp_path / "m.sdf")
    text = (tmp_path / "m.sdf").read_text()
    assert text.count("<update_rate>50</update_rate>") == 1
    (tmp_path / "m.sdf").write_text(text.replace("<update_rate>50</update_rate>", edited))
    explained(convert(tmp_path / "m.sdf", tmp_path / "back.xml"))
    assert intervals(tmp_path / "back.xml") == {"acc": seconds, "gy": seconds}
    (first,) = etree.parse(tmp_path / "back.xml").xpath("//accelerometer")
    assert (first.get("nsample"), first.get("cutoff")) == ("2", "3")
    explained(convert(tmp_path / "m.sdf", tmp_path / "again.sdf"))
    assert rates(tmp_path / "again.sdf") == rates(tmp_path / "m.sdf")


def test_a_rate_whose_interval_is_no_number_is_told(tmp_path: Path) -> None:
    """A rate of 1e-320 Hz is an interval that exceeds the range of a double."""
    convert(saved(tmp_path / "in.xml", MJCF), tmp_path / "m.sdf")
    text = (tmp_path / "m.sdf").read_text()
    (tmp_path / "m.sdf").write_text(text.replace(">50</update_rate>", ">1e-320</update_rate>"))
    report = explained(convert(tmp_path / "m.sdf", tmp_path / "back.xml"))
    assert "carried/stale" in {each.rule for each in report.findings}
    assert set(intervals(tmp_path / "back.xml").values()) == {0.0}


@pytest.mark.parametrize("end", ["urdf", "sdf", "xml"])
@pytest.mark.parametrize("through", ["urdf", "sdf"])
def test_an_edited_device_is_there_once(tmp_path: Path, through: str, end: str) -> None:
    convert(saved(tmp_path / "in.xml", MJCF), tmp_path / f"m.{through}")
    text = (tmp_path / f"m.{through}").read_text()
    edited = re.sub(r'(<sensor name="p" type="imu">)', r"\1<topic>mine</topic>", text)
    assert edited != text
    explained(convert(saved(tmp_path / f"m.{through}", edited), tmp_path / f"out.{end}"))
    out = re.sub("kinegraph:.*", "", (tmp_path / f"out.{end}").read_text())
    assert len(re.findall("<accelerometer" if end == "xml" else 'type="imu"', out)) == 1


AT_A_SITE = """<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial>
<sensor name="eye" type="imu"><pose>0 0 1 0 0 0</pose><imu/></sensor></link></model></sdf>"""


def test_a_site_of_a_sensor_that_gets_another_name_is_a_frame_of_that_name(tmp_path: Path) -> None:
    """The sensors keep their names, and so does the device that combines them."""
    source, there, back = tmp_path / "m.sdf", tmp_path / "m.xml", tmp_path / "back.sdf"
    source.write_text(AT_A_SITE)
    convert(source, there)
    convert(there, back)
    assert "frame" not in back.read_text().partition("<kinegraph")[0]
    tree = etree.parse(there)
    for each in tree.xpath("//*[@site='eye'] | //*[@objname='eye'] | //site[@name='eye']"):
        word = "name" if each.tag == "site" else "site" if "site" in each.attrib else "objname"
        each.set(word, "mast")
    tree.write(there)
    explained(convert(there, back))
    model = etree.parse(back).find("model")
    assert model is not None
    assert [(each.get("name"), each.findtext("pose")) for each in model.iter("sensor")] == [("eye", "0 0 1 0 0 0")]
    frames = [(each.get("name"), each.get("attached_to"), each.findtext("pose")) for each in model.iter("frame")]
    assert frames == [("mast", "a", "0 0 1 0 0 0")]
    assert not sdformat_reads(back)["errors"]


def test_an_edited_sensor_says_nothing_of_one_whose_name_begins_with_its_own_and_a_dot(tmp_path: Path) -> None:
    heavy = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    (tmp_path / "m.xml").write_text(
        f"""<mujoco><worldbody><body name="a">{heavy}<freejoint/><site name="s"/><body name="a.b" pos="0 0 1">{heavy}
        <joint name="j"/><site name="t"/></body></body></worldbody>
        <sensor><gyro name="q" site="s" noise="0.1"/><force name="q.b" site="t"/></sensor></mujoco>"""
    )
    convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    text = (tmp_path / "m.urdf").read_text()
    (tmp_path / "m.urdf").write_text(text.replace("<stddev>0.1</stddev>", "<stddev>0.2</stddev>"))
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    back = mujoco_model(tmp_path / "back.xml")
    assert back.sensor("q.b").objid == back.site("t").id
    assert back.sensor("q_gyro").noise == 0.2, "it is in the words of the document"


def test_a_sensor_of_the_world_stands_in_a_urdf_where_its_camera_does(tmp_path: Path) -> None:
    """A <sensor> of URDF has one pose and looks along z; no <gazebo> block is about the world."""
    eye = '<worldbody><camera name="eye" pos="1 2 3" resolution="32 24"/><body><geom size=".1"/></body></worldbody>'
    convert(saved(tmp_path / "m.xml", f"<mujoco>{eye}</mujoco>"), tmp_path / "m.sdf")
    text = (tmp_path / "m.sdf").read_text()
    saved(tmp_path / "m.sdf", re.sub("<near>.*?<", "<near>0.25<", text))
    explained(convert(tmp_path / "m.sdf", tmp_path / "m.urdf"))
    (origin,) = etree.parse(tmp_path / "m.urdf").xpath("//sensor[@name='eye']/origin")
    assert origin.get("xyz") == "1 2 3"
    assert [abs(float(each)) for each in origin.get("rpy").split()] == pytest.approx([math.pi, 0, 0])
