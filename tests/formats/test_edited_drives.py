"""MJCF actuators in a URDF: editing a transmission or a ros2_control joint tunes them, value by value."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters import convert
from converters.report.model import Action, Report
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule, stale

ARM = """<mujoco model="m"><compiler angle="radian" autolimits="true"/><worldbody><body name="a"><geom size=".1"/>
<body name="b" pos="0 0 1"><joint name="j" range="-1 1"/><geom size=".1"/><body name="c" pos="0 0 1">
<joint name="k" range="-3 3"/><geom size=".1"/></body></body></body></worldbody><actuator>
<motor name="mj" joint="j" gear="50" ctrlrange="-2 2"/>
<position name="pk" joint="k" kp="30" kv="2" ctrlrange="-1 1" forcerange="-5 5"/></actuator>
<sensor><actuatorfrc name="f" actuator="pk"/></sensor></mujoco>"""
SYSTEM = "//ros2_control/joint[@name='{}']/command_interface"
J, K = "//transmission[joint/@name='j']", "//transmission[joint/@name='k']"


def tuned(folder: Path, path: str, value: str | None) -> tuple[Report, mujoco.MjModel, etree._Element]:
    """Change the text at a path of the URDF (an attribute: @name at its end); return the report, MuJoCo's model, and
    the URDF made of it."""
    convert(saved(folder / "m.xml", ARM), folder / "m.urdf")
    tree = etree.parse(folder / "m.urdf")
    name = path.rpartition("/@")[2] if path.endswith("/@name") else ""
    (element,) = tree.xpath(path.removesuffix("/@name"))
    if value is None:
        element.getparent().remove(element)
    elif name:
        element.set(name, value)
    else:
        element.text = value
    tree.write(folder / "edited.urdf")
    report = explained(convert(folder / "edited.urdf", folder / "back.xml"))
    explained(convert(folder / "back.xml", folder / "again.urdf"))
    model = mujoco_model(folder / "back.xml")
    return report, model, etree.parse(folder / "again.urdf").getroot()


@pytest.mark.parametrize(
    ("path", "value", "gear", "first", "second"),
    [
        (f"{J}//mechanicalReduction", "25", (25, 1), (-4, 4), (-1, 1)),
        (f"{J}//mechanicalReduction", "-25", (-25, 1), (-4, 4), (-1, 1)),
        (f"{K}//mechanicalReduction", "2", (50, 2), (-2, 2), (-2, 2)),
        (f"{SYSTEM.format('k')}/param[@name='min']", "-0.5", (50, 1), (-2, 2), (-0.5, 1)),
        (f"{SYSTEM.format('j')}/param[@name='max']", "50", (50, 1), (-2, 1), (-1, 1)),
        ("//ros2_control//plugin", "my/System", (50, 1), (-2, 2), (-1, 1)),
        ("//ros2_control/@name", "robot", (50, 1), (-2, 2), (-1, 1)),
        (f"{J}/@name", "first", (50, 1), (-2, 2), (-1, 1)),
        (f"{J}/type", "own/Transmission", (50, 1), (-2, 2), (-1, 1)),
        ("//ros2_control/joint[@name='k']/state_interface[2]", None, (50, 1), (-2, 2), (-1, 1)),
        ("//ros2_control", None, (50, 1), (-2, 2), (-1, 1)),
    ],
)
def test_what_is_edited_of_a_drive_arrives_and_the_rest_stays(
    path: str,
    value: str | None,
    gear: tuple[float, ...],
    first: tuple[float, ...],
    second: tuple[float, ...],
    tmp_path: Path,
) -> None:
    report, model, again = tuned(tmp_path, path, value)
    assert not [each for each in report.findings if each.rule == "carried/stale" and each.action is Action.DROPPED]
    assert tuple(model.actuator_gear[:, 0]) == gear
    assert np.allclose(model.actuator_ctrlrange, (first, second))
    assert np.allclose(model.actuator_gainprm[:, 0], (1, 30))
    assert np.allclose(model.actuator_biasprm[1, :3], (0, -30, -2))
    assert np.allclose(model.actuator_forcerange[1], (-5, 5))
    assert model.nsensor == 1
    if value is not None:
        said = again.xpath(path)
        assert said == [value] or [each.text for each in said] == [value]


def test_an_actuator_of_another_name_is_that_actuator(tmp_path: Path) -> None:
    report, model, again = tuned(tmp_path, f"{K}//actuator/@name", "elbow_motor")
    assert "carried/stale" not in {each.rule for each in report.findings}
    assert [model.actuator(index).name for index in range(2)] == ["mj", "elbow_motor"]
    assert model.actuator_gainprm[1, 0] == 30 and model.sensor_objid[0] == 1
    assert again.xpath(f"{K}/@name") == ["pk_transmission"]
    assert again.xpath(f"{K}//actuator/@name") == ["elbow_motor"]


@pytest.mark.parametrize(
    ("path", "word", "gain", "bias", "bounds", "lost"),
    [
        (f"{K}//hardwareInterface", "hardware_interface/VelocityJointInterface", 2, (0, 0, -2), None, {"kp"}),
        (f"{SYSTEM.format('k')}/@name", "velocity", 2, (0, 0, -2), (-1, 1), {"kp"}),
        (f"{K}//hardwareInterface", "hardware_interface/EffortJointInterface", 1, (0, 0, 0), None, {"kp", "kv"}),
        (f"{SYSTEM.format('k')}/@name", "effort", 1, (0, 0, 0), (-1, 1), {"kp", "kv"}),
    ],
)
def test_an_actuator_that_is_commanded_otherwise_keeps_what_goes_with_that(
    path: str,
    word: str,
    gain: float,
    bias: tuple[float, ...],
    bounds: tuple[float, float] | None,
    lost: set[str],
    tmp_path: Path,
) -> None:
    report, model, _ = tuned(tmp_path, path, word)
    told = {each.where: each.action for each in of_rule(report, "carried/stale")}
    assert told == {f"actuator/pk.{name}": Action.DROPPED for name in lost}
    assert model.actuator_gainprm[1, 0] == gain and tuple(model.actuator_biasprm[1, :3]) == bias
    assert tuple(model.actuator_forcerange[1]) == (-5, 5) and model.nsensor == 1
    assert bounds is None or tuple(model.actuator_ctrlrange[1]) == bounds
    assert tuple(model.actuator_ctrlrange[0]) == (-2, 2)


def test_another_joint_is_another_drive(tmp_path: Path) -> None:
    report, _, _ = tuned(tmp_path, f"{K}/joint/@name", "j")
    assert "actuator/pk" in stale(report)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{SYSTEM.format('k')}/param[@name='min']", None),
        (f"{SYSTEM.format('k')}/param[@name='max']", "-9"),
        (f"{K}/actuator", None),
        (SYSTEM.format("k"), None),
    ],
)
def test_what_stands_on_a_drive_that_is_another_one_is_told_to_be_gone(
    path: str, value: str | None, tmp_path: Path
) -> None:
    """Half a range, a reversed range or no command is not an actuator any more: it is made anew without its gains, and
    the sensor that referenced it has nothing to measure."""
    report, model, _ = tuned(tmp_path, path, value)
    assert model.nsensor == 0
    told = {each.where: each.action for each in of_rule(report, "carried/stale")}
    assert told["sensor/f"] is Action.DROPPED
    assert "actuator/pk" in told


def test_commands_without_bounds_are_those_of_an_actuator_without_a_range(tmp_path: Path) -> None:
    convert(saved(tmp_path / "m.xml", ARM), tmp_path / "m.urdf")
    tree = etree.parse(tmp_path / "m.urdf")
    for bound in tree.xpath(f"{SYSTEM.format('k')}/param"):
        bound.getparent().remove(bound)
    tree.write(tmp_path / "edited.urdf")
    report = explained(convert(tmp_path / "edited.urdf", tmp_path / "back.xml"))
    assert of_rule(report, "carried/stale") == []
    model = mujoco_model(tmp_path / "back.xml")
    assert model.actuator_ctrllimited.tolist() == [True, False]
    assert (model.actuator_gainprm[1, 0], model.nsensor) == (30, 1)
