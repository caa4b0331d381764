"""What SDF and MJCF both have words for, with the numbers that mean the same; the other says so in the report."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import converters
from converters.report.model import Report
from tests.formats.sdf_text import axis, converted, joint, link, put, sdf
from tests.oracles import in_mujoco, sdf_elements


def there(folder: Path, text: str) -> tuple[Report, mujoco.MjModel]:
    """What SDF -> MJCF tells, and what MuJoCo takes; SDF comes back element for element."""
    source = put(folder, text)
    report, path = converted(folder, source, "there.xml")
    _, back = converted(folder, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []
    return report, in_mujoco.mujoco_model(path)


def told(report: Report, *rules: str) -> set[tuple[str, str, str]]:
    """Rule, action and reason of the findings of some rules."""
    return {(each.rule, each.action, each.reason) for each in report.findings if each.rule in rules}


def actions(report: Report, rule: str) -> set[str]:
    return {action for _, action, _ in told(report, rule)}


def surface(inner: str, name: str = "c") -> str:
    shape = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    return f'<collision name="{name}">{shape}<surface>{inner}</surface></collision>'


SENSING = "<contact><collide_without_contact>true</collide_without_contact></contact>"


def test_what_collides_without_contact_stops_nothing_in_mujoco(tmp_path: Path) -> None:
    links = link("a", "0 0 1 0 0 0", surface(SENSING)) + link("b", "0 0 1.1 0 0 0", surface("", "d"))
    report, model = there(tmp_path, sdf(f"{links}<self_collide>true</self_collide>"))
    assert (model.geom("c").contype, model.geom("c").conaffinity) == (0, 0)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    assert actions(report, "mjcf/no-contact") == {"approximated", "derived"}
    assert "unless it says otherwise" not in {reason for _, _, reason in told(report, "mjcf/surface")}


# -------------------------------------------------------------------------------------------------------------- sensors

INERTIAL = (
    "<inertial><pose>{at} 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
)
TURNED = math.pi / 2


def wrench(name: str, frame: str, direction: str, pose: str = "") -> str:
    said = f"<frame>{frame}</frame><measure_direction>{direction}</measure_direction>"
    return f'<sensor name="{name}" type="force_torque">{pose}<force_torque>{said}</force_torque></sensor>'


def measured(model: mujoco.MjModel, name: str) -> np.ndarray:
    """Force and torque of a sensor at rest."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return np.concatenate([data.sensor(f"{name}_force").data, data.sensor(f"{name}_torque").data])


def held(kind: str, sensors: str, pose: str = "", parent: str = "base", child: str = "tip") -> str:
    """A link of 2 kg, its mass 0.5 m beside it, turned about y; a joint about the vertical holds it."""
    return sdf(
        link("base", inner=INERTIAL.format(at="0 0 0"))
        + link("tip", f"0 0 1 0 {TURNED} 0", INERTIAL.format(at="0 0.5 0"))
        + joint("w", "world", "base", "", "fixed")
        + joint("j", parent, child, pose + axis(AXES[child] if kind == "revolute" else "0 0 1") + sensors, kind)
    )


AXES = {"tip": "-1 0 0", "base": "0 0 1"}
"""The vertical in the frame of the child."""
WEIGHT = 2 * 9.81


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_a_wrench_is_measured_in_the_axes_that_its_sensor_names(kind: str, tmp_path: Path) -> None:
    """By its definition in forcetorque.sdf: what the parent does to the child holds its weight."""
    sensors = (
        wrench("child", "child", "child_to_parent")
        + wrench("parent", "parent", "parent_to_child")
        + wrench("own", "sensor", "parent_to_child", f"<pose>0 0 0 0 0 {TURNED}</pose>")
    )
    report, model = there(tmp_path, held(kind, sensors))
    up, lever = np.array([0, 0, WEIGHT]), np.array([0, 0.5, 0])
    expected = np.concatenate([up, np.cross(lever, up)])  # in the axes of the base
    child = in_mujoco.matrix(model.body("tip").quat).T
    turn = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    for name, rotation in (("child", child), ("parent", np.eye(3)), ("own", turn @ child)):
        assert measured(model, name) == pytest.approx(np.kron(np.eye(2), rotation) @ expected, abs=1e-9), name
    signs = {(each.where, each.before, each.after) for each in report.findings if each.rule == "mjcf/sensor-sign"}
    assert signs == {("sensor/child.reaction", "True", "False")}
    turning = {each.where for each in report.findings if each.rule == "sensors/turning-axes"}
    assert (turning != set()) == (kind == "revolute")
    assert all(where.startswith("sensor/parent.") for where in turning)


def test_a_torque_is_about_the_origin_of_the_joint(tmp_path: Path) -> None:
    sensors = wrench("far", "parent", "parent_to_child", "<pose>0.1 0.2 0.3 0 0 0</pose>")
    _, model = there(tmp_path, held("revolute", sensors, "<pose>0 0.2 0 0 0 0</pose>"))
    assert measured(model, "far") == pytest.approx([0, 0, WEIGHT, 0.3 * WEIGHT, 0, 0], abs=1e-9)


def test_a_joint_that_leads_inwards_measures_the_other_way_round(tmp_path: Path) -> None:
    """The base is the child of its author: what it does to the tip holds the weight of the tip."""
    sensors = wrench("s", "child", "child_to_parent")
    report, model = there(tmp_path, held("revolute", sensors, "<pose>0 0 1 0 0 0</pose>", "tip", "base"))
    assert measured(model, "s")[:3] == pytest.approx([0, 0, WEIGHT], abs=1e-9)
    assert actions(report, "mjcf/sensor-sign") == set()


def test_a_wrench_of_sdf_1_4_is_in_the_axes_of_the_parent(tmp_path: Path) -> None:
    sensor = '<sensor name="s" type="force_torque"/>'
    frames = {}
    for version in ("1.4", "1.5"):
        text = held("fixed", sensor).replace('version="1.9"', f'version="{version}"')
        frames[version] = converters.read(put(tmp_path, text)).tables["sensor"]["s"].frame
    assert frames == {"1.4": "parent", "1.5": "child"}
