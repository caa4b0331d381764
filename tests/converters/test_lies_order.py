"""Simulators number bodies, actuators, sensors, cameras and states: another order is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
from converters.report.model import Report
from tests.converters.lying import lying, rules
from tests.files import saved
from tests.reports import explained

ROBOT = """<mujoco model="r"><worldbody><body name="base"><geom size=".1"/>
  <body name="a" pos="1 0 0"><joint name="i"/><geom size=".1"/><site name="s"/><site name="x" pos="0 0 .1"/>
  <camera name="one" pos="0 0 2"/><camera name="two" pos="0 0 3"/></body>
  <body name="b" pos="0 1 0"><joint name="j"/><geom size=".1"/><site name="t"/></body></body>
  <body name="ball" pos="0 0 3"><freejoint name="free"/><geom size=".1"/></body>
  <body name="table" pos="0 0 -1"><geom size=".2"/></body></worldbody>
  <equality><joint name="p" joint1="i" joint2="j"/>
  <connect name="q" body1="ball" body2="table" anchor="0 0 0"/></equality>
  <actuator><motor name="m" joint="j"/><motor name="n" joint="i"/></actuator>
  <sensor><gyro name="u" site="t"/><gyro name="v" site="s"/><gyro name="w" site="x"/></sensor>
  <keyframe><key name="up" qpos="1 1 0 0 3 1 0 0 0"/><key name="down" qpos="-1 1 0 0 3 1 0 0 0"/></keyframe></mujoco>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    return saved(tmp_path / "r.xml", ROBOT)


def sent(robot: Path, target: str, folder: str) -> Report:
    return convert(robot, robot.parent / folder / "out", target=target)


@pytest.mark.parametrize(
    ("target", "first", "second", "kind"),
    [
        ("mjcf", r'<body name="a".*?</body>', r'<body name="b".*?</body>', "body"),
        ("mjcf", r'<camera name="one"[^>]*>', r'<camera name="two"[^>]*>', "camera"),
        ("mjcf", r'<joint name="p"[^>]*>', r'<connect name="q"[^>]*>', "constraint"),
        ("mjcf", r'<motor name="m"[^>]*>', r'<motor name="n"[^>]*>', "actuator"),
        ("mjcf", r'<gyro name="u"[^>]*>', r'<gyro name="v"[^>]*>', "sensor"),
        ("mjcf", r'<key name="up"[^>]*>', r'<key name="down"[^>]*>', "keyframe"),
        ("urdf", r'<joint name="i".*?</joint>', r'<joint name="j".*?</joint>', "body"),
        ("sdf", r'<joint name="i".*?</joint>', r'<joint name="j".*?</joint>', "body"),
        ("sdf", r'<sensor name="v"[^>]*/>', r'<sensor name="w".*?</sensor>', "sensor"),
    ],
)
def test_what_is_counted_in_another_order_is_told(
    target: str, first: str, second: str, kind: str, robot: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(sent(robot, target, "right"))
    lying(f"({first})(.*?)({second})", r"\3\2\1", target, monkeypatch)
    assert f"order.{kind}" in rules(sent(robot, target, "wrong"))


def test_sensors_and_free_bodies_stand_elsewhere_in_sdformat_and_come_back_in_their_order(robot: Path):
    report = sent(robot, "sdf", "there")
    told = {finding.where: finding.after for finding in report.findings if finding.rule == "sdf/order"}
    assert told == {"order/sensor": '["v", "w", "u"]', "order/body": '["world", "base", "a", "b", "table", "ball"]'}
    convert(robot.parent / "there" / "out", robot.parent / "back.xml")
    back = (robot.parent / "back.xml").read_text()
    places = [back.index(f'name="{name}"') for name in ("ball", "table", "m", "n", "u", "v", "w", "up", "down")]
    assert places == sorted(places)
