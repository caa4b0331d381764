"""Sensors of one site in MuJoCo are one device elsewhere: an IMU, a force-torque sensor, a magnetometer."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.convert import convert, read
from converters.report.model import Report
from converters.sdf.parts.sensors import KNOWN
from tests.files import saved
from tests.formats.sdf_text import converted, joint, link, number, put, sdf, seen, xml
from tests.formats.uncarried import bare
from tests.oracles import in_mujoco, sdf_elements
from tests.oracles.in_mujoco import at_rest, drawn
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import explained, of_rule

MASS = '<inertial pos=".2 .1 0" mass="2" diaginertia=".1 .2 .25"/>'
MODEL = f"""<mujoco model="m"><option gravity="0 0 -10"/><worldbody><site name="still"/>
  <body name="base">{MASS}<site name="feet"/><site name="head" pos="0 0 .1" euler="10 20 30"/>
    <body name="arm" pos="0 0 .5"><joint name="j" axis="0 1 0" pos="0 .1 .2"/>{MASS}
      <site name="wrist" pos="0 .1 .2" euler="30 20 10"/><site name="off" pos=".3 0 0"/>
      <site name="needle" pos=".1 .2 .3" quat="1 1 0 0"/>
      <body name="tool" pos="0 0 .5">{MASS}<site name="grip" euler="0 0 40"/></body>
      <body name="two" pos="0 0 .9"><joint name="t" axis="1 0 0"/><joint name="u"/>{MASS}<site name="twice"/></body>
    </body></body>
  <body name="ball" pos="2 0 0"><freejoint name="free"/>{MASS}<site name="float"/></body></worldbody>
  <sensor><accelerometer name="acc" site="head" noise="0.1" cutoff="300"/><gyro name="turn" site="head"/>
    <framequat name="way" objtype="site" objname="head"/><gyro name="alone" site="needle" noise="0.2"/>
    <force name="wf" site="wrist"/><torque name="wt" site="wrist" noise="0.3"/><magnetometer site="needle"/>
    <force name="gf" site="grip"/><torque name="gt" site="grip"/><force name="ff" site="feet"/>
    <force name="of" site="off"/><torque name="ot" site="off"/><accelerometer name="swim" site="float"/>
    <force name="twf" site="twice"/><force name="flf" site="float"/><gyro name="sg" site="still"/></sensor></mujoco>"""
SAME = {
    "acc": "head_accelerometer",
    "turn": "head_gyro",
    "way": "head_framequat",
    "alone": "alone_gyro",
    "wf": "wrist_force",
    "wt": "wrist_torque",
    "gf": "grip_force",
    "gt": "grip_torque",
    "ff": "ff_force",
    "of": "off_force",
    "swim": "swim_accelerometer",
    "magnetometer_needle": "magnetometer_needle",
}
"""Maps a sensor of the source to the one with the same measurement in the conversion of the plain SDF."""
LEFT = {"sensor/twf", "sensor/flf", "sensor/sg"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return put(tmp_path, MODEL, "source.xml")


def told(report: Report, rule: str) -> set[tuple[str, str]]:
    return {(each.where, str(each.action)) for each in of_rule(report, rule)}


def readings(path: Path, seed: int) -> dict[str, np.ndarray]:
    """Return the sensor data in a random state of the joint j; the unnamed sensor has its name in the graph."""
    model = in_mujoco.mujoco_model(path)
    data = mujoco.MjData(model)
    chance = np.random.default_rng(seed)
    data.joint("j").qpos[:], data.joint("j").qvel[:] = chance.uniform(-1, 1, (2, 1))
    model.opt.magnetic[:] = 0.3, 0.4, 0.5
    mujoco.mj_forward(model, data)
    sensors = [model.sensor(each) for each in range(model.nsensor)]
    return {each.name or "magnetometer_needle": data.sensor(each.id).data.copy() for each in sensors}


def test_libsdformat_has_the_devices_at_links_and_joints(source: Path, tmp_path: Path) -> None:
    report, path = converted(tmp_path, source, "there.sdf")
    seen(path)
    holders = {each.get("name"): (each.get("type"), each.getparent().get("name")) for each in xml(path).iter("sensor")}
    assert holders == {
        "head": ("imu", "base"),
        "alone": ("imu", "arm"),
        "magnetometer_needle": ("magnetometer", "arm"),
        "wrist": ("force_torque", "j"),
        "grip": ("force_torque", "weld_tool"),
        "off": ("force_torque", "j"),
        "ff": ("force_torque", "weld_base"),
        "swim": ("imu", "ball"),
    }
    (imu,) = xml(path).iterfind(".//sensor[@name='head']/imu")
    deviations = [number(imu.find(f"linear_acceleration/{axis}/noise/stddev")) for axis in "xyz"]
    assert (deviations, imu.find("angular_velocity")) == ([0.1] * 3, None)
    assert {where for where, _ in told(report, "sdf/sensor")} == LEFT
    assert told(report, "mjcf/torque-origin") == {
        ("sensor/of", "approximated"),
        ("sensor/ot", "approximated"),
        ("sensor/off", "derived"),  # it stands for both, and the source has no such sensor
    }


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_mujoco_measures_the_same_with_what_comes_of_the_plain_file(target: str, source: Path, tmp_path: Path) -> None:
    _, path = converted(tmp_path, source, f"there.{target}")
    _, back = converted(tmp_path, bare(path), "plain.xml")
    text = back.read_text()
    back.write_text(text.replace("<worldbody>", '<option gravity="0 0 -10"/><worldbody>', 1))
    for seed in range(3):
        ours, theirs = readings(source, seed), readings(back, seed)
        for mine, other in SAME.items():
            assert theirs[other] == pytest.approx(ours[mine], abs=1e-9), mine
    _, data = drawn(source)
    lever = np.array([0.3, -0.1, -0.2])  # from the joint to the site
    moved = data.sensor("ot").data + np.cross(lever, data.sensor("of").data)
    theirs_model = in_mujoco.mujoco_model(back)
    other = at_rest(theirs_model)
    assert other.sensor("off_torque").data == pytest.approx(moved, abs=1e-9)
    assert not np.allclose(moved, data.sensor("ot").data)


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_the_sensors_come_back_as_they_were(target: str, source: Path, tmp_path: Path) -> None:
    report, path = converted(tmp_path, source, f"there.{target}")
    assert not [each for each in report.findings if each.action == "dropped"]
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []
    assert read(back) == read(source)


def test_libsdformat_has_the_devices_of_the_urdf_although_it_takes_fixed_joints_out(tmp_path: Path) -> None:
    text = re.sub(r'<body name="ball".*?</body>', "", MODEL)
    source = put(tmp_path, re.sub(r'<\w+ name="\w+" site="float"/>', "", text), "source.xml")
    _, path = converted(tmp_path, source, "there.urdf")
    answer = sdformat_expands(path)
    assert not answer["errors"]
    put(tmp_path, answer["document"], "expanded.sdf")
    found = {each.get("name"): each.getparent().get("name") for each in xml(tmp_path / "expanded.sdf").iter("sensor")}
    assert found == {
        "head": "base",
        "alone": "j_link",
        "magnetometer_needle": "j_link",
        "wrist": "j",
        "off": "j",
        "grip": "weld_tool",
        "ff": "weld_base",
    }  # the arm is fixed to j_link, and becomes a part of that


def test_what_an_sdf_calls_a_device_is_one_again_without_what_is_carried(tmp_path: Path) -> None:
    sensors = '<sensor name="s" type="imu"><pose>0 0 1 0 0 0.5</pose></sensor><sensor name="n" type="magnetometer"/>'
    held = '<sensor name="w" type="force_torque"><force_torque><frame>sensor</frame></force_torque></sensor>'
    joint = f'<joint name="j" type="ball"><parent>a</parent><child>b</child>{held}</joint>'
    _, path = converted(tmp_path, put(tmp_path, sdf(link("a", inner=sensors) + link("b") + joint)), "there.xml")
    path.write_text(re.sub(r"<custom>.*</custom>", "", path.read_text(), flags=re.DOTALL))
    report, back = converted(tmp_path, path, "back.sdf")
    seen(back)
    holders = {each.get("name"): (each.get("type"), each.getparent().get("name")) for each in xml(back).iter("sensor")}
    assert holders == {"s": ("imu", "a"), "n": ("magnetometer", "a"), "w": ("force_torque", "j")}
    assert xml(back).findtext(".//sensor[@name='s']/pose") == "0 0 1 0 0 0.5"
    assert told(report, "sdf/sensor") == set()


def test_an_edit_of_a_device_reaches_its_parts(source: Path, tmp_path: Path) -> None:
    _, path = converted(tmp_path, source, "there.sdf")
    document, mark, carried = path.read_text().partition("<kinegraph:carried")
    path.write_text(document.replace("<stddev>0.1<", "<stddev>0.7<") + mark + carried)
    _, back = converted(tmp_path, path, "back.xml")
    model = in_mujoco.mujoco_model(back)
    kinds = {model.sensor(each).name: model.sensor(each) for each in range(model.nsensor)}
    assert kinds["head_accelerometer"].noise[0] == 0.7


def test_a_camera_and_a_site_of_one_name_are_two_sensors(tmp_path: Path) -> None:
    text = MODEL.replace('<site name="feet"/>', '<site name="feet"/><camera name="head"/>')
    for target in ("sdf", "urdf"):
        source = put(tmp_path, text, "source.xml")
        _, path = converted(tmp_path, source, f"there.{target}")
        held = [each for each in xml(path).iter("sensor") if each.get("type") in ("camera", "imu")]
        names = [each.get("name") for each in held if each.getparent().get("name", "base") in ("base", None)]
        assert {"head", "head_1"} <= {*names}
        assert len(names) == len({*names})
        _, back = converted(tmp_path, path, "back.xml")
        assert read(back) == read(source)
    seen(tmp_path / "there.sdf")


@pytest.mark.parametrize(
    ("acc", "gyro", "rate"),
    [
        ('interval="0.02" nsample="1"', 'interval="0.02 -0.01" nsample="3"', 50.0),
        ('interval="0.02" nsample="1"', 'interval="0.01" nsample="1"', None),
        ('interval="0.02" nsample="1"', "", None),
        ('interval="0.02"', 'interval="0.02"', None),
        (f'interval="{1 / 49!r}" nsample="1"', f'interval="{1 / 49!r}" nsample="1"', 49.0),
    ],
)
def test_an_interval_of_all_parts_is_the_rate_of_the_device(
    acc: str, gyro: str, rate: float | None, tmp_path: Path
) -> None:
    """MuJoCo uses intervals only for sensors that keep samples."""
    sensors = f'<accelerometer name="a" site="s" {acc}/><gyro name="g" site="s" {gyro}/>'
    world = f'<worldbody><body name="b">{MASS}<joint/><site name="s"/></body></worldbody>'
    text = f"<mujoco>{world}<sensor>{sensors}</sensor></mujoco>"
    source = put(tmp_path, text, "source.xml")
    for suffix in ("sdf", "urdf"):
        written = tmp_path / f"out.{suffix}"
        explained(convert(source, written))
        found = re.findall(r"<update_rate>([^<]*)<", bare(written).read_text())
        assert [float(each) for each in found] == ([rate] if rate is not None else [])
        explained(convert(written, tmp_path / f"{suffix}.xml"))
    explained(convert(source, tmp_path / "same.xml"))
    same = (tmp_path / "same.xml").read_bytes()
    assert [(tmp_path / f"{suffix}.xml").read_bytes() for suffix in ("sdf", "urdf")] == [same, same]


@pytest.mark.parametrize("place", ["link", "joint"])
@pytest.mark.parametrize("kind", sorted(KNOWN))
def test_a_sensor_of_sdf_is_one_of_mujoco_or_none(tmp_path: Path, kind: str, place: str) -> None:
    """Also where both use the same name (contact, magnetometer)."""
    camera = "<camera/>" if kind.endswith("camera") and kind != "logical_camera" else ""
    sensor = f'<sensor name="s" type="{kind}"><pose>0.1 0 0 0 0 0.5</pose>{camera}</sensor>'
    inner = "<axis><xyz>0 0 1</xyz></axis>"
    model = link("a") + link("b", inner=sensor if place == "link" else "")
    model += joint("j", "a", "b", inner + (sensor if place == "joint" else ""))
    _, path = converted(tmp_path, sdf(model, "1.10"), "out.xml")
    found = in_mujoco.mujoco_model(path)
    assert found.nsensor <= 3
    _, back = converted(tmp_path, path, "back.sdf")
    assert read(back) == read(tmp_path / "source.sdf")


ROBOT = """<robot name="r"><link name="base">{mass}</link><link name="arm">{mass}</link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <sensor name="acc" type="accelerometer"><parent link="arm"/><origin xyz="0 0 .1" rpy="0 0 1"/></sensor>
  <sensor name="turn" type="gyroscope"><parent link="arm"/><origin xyz="0 0 .2" rpy="0 1 0"/></sensor>
  <sensor name="at joint" type="accelerometer"><parent joint="j"/><origin xyz="0 0 .3"/></sensor>
  <sensor name="felt" type="touch"><parent joint="j"/></sensor>
  <sensor name="angle" type="jointpos"><parent joint="j"/><origin xyz="0 0 .4"/></sensor></robot>""".format(
    mass='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def test_accelerometers_and_gyroscopes_of_a_urdf_measure_in_mujoco(tmp_path: Path) -> None:
    report, path = converted(tmp_path, put(tmp_path, ROBOT, "robot.urdf"), "robot.xml")
    model = in_mujoco.mujoco_model(path)
    kinds = {model.sensor(each).name: mujoco.mjtSensor(model.sensor_type[each]).name for each in range(model.nsensor)}
    assert kinds == {
        "acc": "mjSENS_ACCELEROMETER",
        "turn": "mjSENS_GYRO",
        "at joint": "mjSENS_ACCELEROMETER",
        "angle": "mjSENS_JOINTPOS",
    }
    assert [model.site(name).pos[2] for name in ("acc", "turn", "at joint")] == [0.1, 0.2, 0.3]
    assert told(report, "mjcf/sensor") == {("sensor/felt", "carried")}
    explained(report)
    _, back = converted(tmp_path, path, "back.urdf")
    assert back.read_bytes() == converted(tmp_path, tmp_path / "robot.urdf", "own.urdf")[1].read_bytes()


def test_a_site_may_have_the_name_of_a_joint(tmp_path: Path) -> None:
    """The document comes back in its author's words, and nothing needs to be carried for that."""
    arm = '<body name="a"><joint name="j"/><site name="j"/><geom size=".1"/></body>'
    block = '<body name="b" pos="1 0 .02"><freejoint name="b"/><geom name="b" size=".02"/></body>'
    first = f'<worldbody>{arm}</worldbody><sensor><framepos name="p" objtype="geom" objname="b"/></sensor>'
    second = f'<worldbody>{block}</worldbody><sensor><torque name="t" site="j"/></sensor>'
    source = saved(tmp_path / "m.xml", f'<mujoco model="m">{first}{second}</mujoco>')
    report = convert(source, tmp_path / "out.xml")
    assert report.findings == ()
    written = (tmp_path / "out.xml").read_text()
    assert "kinegraph" not in written
    assert written.count("<worldbody>") == written.count("<sensor>") == 2
