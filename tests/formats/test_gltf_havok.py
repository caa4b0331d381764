"""What is written as KHR_physics_rigid_bodies moves in Havok, under Babylon.js, according to mechanics (acceptance test
15).

No release of Babylon.js reads the extension: the oracle has its own reader, based only on the text of the extension.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert
from tests.files import saved
from tests.oracles.in_havok import havok_moves

STEP = 1 / 240
G = 9.81
START = 0.5
"""Initial angle in radians. Havok damps slower swings to rest."""


def robot(links: str, joints: str) -> str:
    return f'<robot name="r"><link name="base"/>{links}{joints}</robot>'


def link(name: str, mass: float, down: float, tensor: tuple[float, float, float], shapes: str = "") -> str:
    """Return a link whose centre of mass is at this distance below its origin."""
    ixx, iyy, izz = tensor
    return (
        f'<link name="{name}"><inertial><origin xyz="0 0 {-down}"/><mass value="{mass}"/>'
        f'<inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial>{shapes}</link>'
    )


def joint(name: str, kind: str, parent: str, child: str, xyz: str, rest: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><origin xyz="{xyz}" rpy="0 0 0.3"/><parent link="{parent}"/>'
        f'<child link="{child}"/>{rest}</joint>'
    )


TURNING = '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
SHAPES = (
    '<collision><origin xyz="0 0 -0.3" rpy="0.4 0 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry>'
    '</collision><collision><geometry><box size="0.1 0.2 0.1"/></geometry></collision>'
)


def moved(tmp_path: Path, text: str, seconds: float, **options: Any) -> dict[str, np.ndarray[Any, Any]]:
    convert(saved(tmp_path / "robot.urdf", text), tmp_path / "robot.glb", options=Options(**options))
    return havok_moves([tmp_path / "robot.glb"], seconds, STEP)[0]


def angles(way: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the signed angle between the z axis of a hanging body and the vertical."""
    x, y, z, w = way[:, 3:].T
    aside = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    flat = aside[:, [0, 2]]
    direction = flat[np.argmax(np.linalg.norm(flat, axis=1))]
    return np.arctan2(flat @ direction / np.linalg.norm(direction), aside[:, 1])


def period(swing: np.ndarray[Any, Any]) -> float:
    """Return the seconds of a full swing, from zero crossing to zero crossing."""
    at = np.flatnonzero(swing[1:] * swing[:-1] < 0)
    exact = at + swing[at] / (swing[at] - swing[at + 1])
    return float(2 * STEP * np.diff(exact).mean())


def expected(moment: float, torque: float) -> float:
    """Return the period of a pendulum that starts at START: its elliptic integral as a series, to a thousandth."""
    return 2 * math.pi * math.sqrt(moment / torque) * (1 + START**2 / 16)


def test_a_pendulum_has_the_period_of_its_moment(tmp_path: Path):
    mass, down, inertia = 2.0, 0.4, 0.05
    text = robot(
        link("bob", mass, down, (0.09, inertia, 0.07), SHAPES),
        joint("hinge", "revolute", "base", "bob", "0.1 0.2 1", TURNING),
    )
    way = moved(tmp_path, text, 8.0, pose=(f"hinge={START}",))["bob"]
    assert period(angles(way)) == pytest.approx(expected(inertia + mass * down**2, mass * G * down), rel=0.01)
    assert np.ptp(way[:, :3], axis=0).max() < 1e-3  # the hinge stays where it is
    assert np.abs(angles(way)[-480:]).max() > 0.85 * START  # nothing brakes it but the engine


def test_two_links_that_are_fixed_to_each_other_swing_as_one(tmp_path: Path):
    text = robot(
        link("upper", 1.0, 0.3, (0.02, 0.03, 0.02)) + link("lower", 1.5, 0.2, (0.01, 0.02, 0.02)),
        joint("hinge", "revolute", "base", "upper", "0 0 1", TURNING)
        + '<joint name="weld" type="fixed"><origin xyz="0 0 -0.6"/><parent link="upper"/><child link="lower"/></joint>',
    )
    way = moved(tmp_path, text, 10.0, pose=(f"hinge={START}",))["upper"]
    inertia = 0.03 + 1.0 * 0.3**2 + 0.02 + 1.5 * 0.8**2
    assert period(angles(way)) == pytest.approx(expected(inertia, G * (1.0 * 0.3 + 1.5 * 0.8)), rel=0.02)


def test_a_hinge_stops_at_its_bounds(tmp_path: Path):
    bounded = TURNING.replace('lower="-1"', 'lower="-0.1"')
    text = robot(link("bob", 2.0, 0.4, (0.05, 0.05, 0.05)), joint("hinge", "revolute", "base", "bob", "0 0 1", bounded))
    swing = angles(moved(tmp_path, text, 3.0, pose=(f"hinge={START}",))["bob"])
    assert swing[0] == pytest.approx(START, abs=0.01)
    assert swing.min() == pytest.approx(-0.1, abs=0.02)


@pytest.mark.parametrize(
    ("lower", "upper", "stop"), [(0, 4.712, 4.712), (0, 4.3, 4.3), (-2 * math.pi, 2 * math.pi, None), (-4, 3, None)]
)
def test_bounds_are_bounds_within_a_whole_turn(tmp_path: Path, lower: float, upper: float, stop: float | None):
    """It starts at 2.9, hangs down at 4.2, and swings to 5.5 without a limit (gltf/turns reports that)."""
    down, start = 4.2, 2.9
    hinge = (
        f'<joint name="hinge" type="revolute"><origin xyz="0 0 1" rpy="0 {-down} 0"/><parent link="base"/>'
        f'<child link="bob"/><axis xyz="0 1 0"/>'
        f'<limit lower="{lower!r}" upper="{upper!r}" effort="1" velocity="1"/></joint>'
    )
    text = robot(link("bob", 2.0, 0.4, (0.05, 0.05, 0.05)), hinge)
    swing = angles(moved(tmp_path, text, 3.0, pose=(f"hinge={start}",), clamp=start > upper)["bob"])
    reached = down - swing.min() * math.copysign(1.0, swing[0])
    assert reached == pytest.approx(stop if stop is not None else 2 * down - start, abs=0.03)


def test_a_slider_falls_along_its_axis_to_its_bound(tmp_path: Path):
    sliding = '<axis xyz="0 0 1"/><limit lower="-0.25" upper="0.1" effort="1" velocity="1"/>'
    text = robot(link("sled", 1.0, 0.0, (0.1, 0.1, 0.1)), joint("rail", "prismatic", "base", "sled", "0 0 1", sliding))
    way = moved(tmp_path, text, 1.0)["sled"]
    times = STEP * np.arange(1, 41)
    assert way[:40, 1] == pytest.approx(1 - G * times**2 / 2, abs=0.02)
    assert way[-1, 1] == pytest.approx(0.75, abs=0.01)
    assert np.ptp(way[:, [0, 2]], axis=0).max() < 1e-3


@pytest.mark.parametrize("order", ["xzy", "xyz", "zxy"], ids=lambda order: f"axes {order}")
def test_a_body_in_a_plane_falls_in_it_to_its_bound(tmp_path: Path, order: str):
    """Axes in any order, also left-handed, are converted to those of one right-handed frame."""
    joints = {
        "x": '<joint name="x" type="slide" axis="1 0 0" range="-1 1" limited="true"/>',
        "z": '<joint name="z" type="slide" axis="0 0 1" range="-0.2 1" limited="true"/>',
        "y": '<joint name="y" type="hinge" axis="0 1 0"/>',
    }
    text = "".join(joints[axis] for axis in order)
    (tmp_path / "walker.xml").write_text(
        f'<mujoco><worldbody><body name="torso" pos="0 0 1">{text}<geom type="box" size="0.1 0.1 0.1"/></body>'
        "</worldbody></mujoco>"
    )
    convert(tmp_path / "walker.xml", tmp_path / "walker.glb")
    way = havok_moves([tmp_path / "walker.glb"], 1.0, STEP)[0]["torso"]
    assert np.ptp(way[:, [0, 2]], axis=0).max() < 1e-3, "it falls straight down"
    assert way[-1, 1] == pytest.approx(0.8, abs=0.01)
