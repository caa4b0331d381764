"""Equations of MJCF that couple two joints, as joints of URDF and SDF that follow others."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert, read
from ir.kinematics import configuration, mimics
from tests.files import saved
from tests.reports import comes_back, explained, of_rule

HAND = """<mujoco model="hand"><compiler angle="radian"/><worldbody>
<body name="palm"><geom size=".1"/>{fingers}</body></worldbody>
<equality>{equality}</equality><actuator>{actuator}</actuator></mujoco>"""
FINGER = '<body name="f{0}" pos="{0} 0 0"><joint name="j{0}" axis="0 1 0" ref="{1}"/><geom size=".1"/></body>'
MOTOR = '<motor joint="j{}"/>'
HUB = (
    '<joint joint1="j1" joint2="j2" polycoef="0.1 2 0 0 0"/><joint joint1="j1" joint2="j3"/>'
    '<joint joint1="j1" joint2="j4" polycoef="0 -0.5 0 0 0"/>'
)


TIES = '<connect body1="f1" body2="f2" anchor="0 0 0"/><weld body1="f3" body2="f4"/>{}'


def hand(folder: Path, equality: str, actuator: str = "", ref: float = 0.0) -> Path:
    fingers = "".join(FINGER.format(number, ref if number == 1 else 0) for number in (1, 2, 3, 4))
    return saved(folder / "in.xml", HAND.format(fingers=fingers, equality=equality, actuator=actuator))


def followers(urdf: Path) -> dict[str, tuple[str, float, float]]:
    """Follower -> (leader, multiplier, offset)."""
    found = [(each, each.getparent().get("name")) for each in etree.parse(urdf).iter("mimic")]
    return {name: (each.get("joint"), float(each.get("multiplier")), float(each.get("offset"))) for each, name in found}


def test_a_chain_that_equations_close_is_told_to_be_open_in_urdf(tmp_path: Path) -> None:
    off = '<connect name="off" active="false" body1="f1" body2="f3" anchor="0 0 0"/>'
    report = explained(convert(hand(tmp_path, TIES.format(off)), tmp_path / "out.urdf"))
    told = of_rule(report, "urdf/loop")
    assert len(told) == 2
    assert "open in the output" in told[0].reason
    assert [each.where for each in of_rule(report, "urdf/constraint")] == ["constraint/off"]


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
def test_equations_that_share_their_first_joint_are_all_written(tmp_path: Path, suffix: str) -> None:
    source = hand(tmp_path, HUB)
    report = explained(convert(source, tmp_path / f"out.{suffix}"))
    assert not of_rule(report, f"{suffix}/constraint")
    assert len(list(etree.parse(tmp_path / f"out.{suffix}").iter("mimic"))) == 3
    comes_back(source, tmp_path / f"out.{suffix}")
    if suffix == "urdf":
        said = {"j1": ("j2", 2.0, 0.1), "j3": ("j1", 1.0, 0.0), "j4": ("j1", -2.0, 0.0)}
        assert followers(tmp_path / "out.urdf") == said


def test_the_joint_with_the_motor_leads(tmp_path: Path) -> None:
    """Programs for URDF command leaders only."""
    source = hand(tmp_path, HUB, MOTOR.format(1), ref=0.3)
    report = explained(convert(source, tmp_path / "out.urdf"))
    found = followers(tmp_path / "out.urdf")
    assert {name: leader for name, (leader, _, _) in found.items()} == {"j2": "j1", "j3": "j1", "j4": "j1"}
    assert found["j2"] == ("j1", 0.5, pytest.approx(-(0.1 + 0.3) / 2))
    assert {each.action for each in of_rule(report, "couples/driven")} <= {"derived", "carried"}
    assert of_rule(report, "couples/driven")
    comes_back(source, tmp_path / "out.urdf")


def test_a_joint_that_follows_does_not_turn_if_both_have_motors_or_the_leader_follows_itself(tmp_path: Path) -> None:
    chain = '<joint joint1="j2" joint2="j1"/><joint joint1="j3" joint2="j2"/>'
    convert(hand(tmp_path, chain, MOTOR.format(3)), tmp_path / "out.urdf")
    assert {name: leader for name, (leader, _, _) in followers(tmp_path / "out.urdf").items()} == {
        "j2": "j1",
        "j3": "j2",
    }
    convert(hand(tmp_path, HUB, MOTOR.format(1) + MOTOR.format(2)), tmp_path / "both.urdf")
    assert followers(tmp_path / "both.urdf")["j1"][0] == "j2"


PAIRS = (
    '<joint joint1="j1" joint2="j2" polycoef="0.1 2 0 0 0"/><joint joint1="j3" joint2="j4" polycoef="0.2 -4 0 0 0"/>'
)
ACROSS = '<joint joint1="j1" joint2="j3" polycoef="0.3 0.5 0 0 0"/>'


@pytest.mark.parametrize("ref", [0.0, 0.7])
@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
@pytest.mark.parametrize("motor", [2, 4])
def test_an_equation_between_two_followers_couples_their_leaders(
    suffix: str, motor: int, ref: float, tmp_path: Path
) -> None:
    source = hand(tmp_path, PAIRS + ACROSS, MOTOR.format(motor), ref)
    report = explained(convert(source, tmp_path / f"out.{suffix}"))
    assert not of_rule(report, f"{suffix}/constraint")
    comes_back(source, tmp_path / f"out.{suffix}")
    scene = read(tmp_path / f"out.{suffix}", options=Options(carried=False))
    assert len(mimics(scene)) == 3
    zero, free = ref, next(name for name in ("j2", "j4") if name not in mimics(scene))
    for value in (-1.0, 0.4):
        q = {name: found[0] for name, found in configuration(scene, {free: value}).items() if len(found) == 1}
        assert q["j1"] - zero == pytest.approx(0.1 + 2 * q["j2"])
        assert q["j3"] == pytest.approx(0.2 - 4 * q["j4"])
        assert q["j1"] - zero == pytest.approx(0.3 + 0.5 * q["j3"])


def test_an_equation_too_many_is_told(tmp_path: Path) -> None:
    """It leaves no joint of the group free, or says the same again."""
    again = '<joint joint1="j2" joint2="j4"/>'
    report = explained(convert(hand(tmp_path, PAIRS + ACROSS + again), tmp_path / "out.urdf"))
    assert len(of_rule(report, "urdf/constraint")) == 1
    assert len(followers(tmp_path / "out.urdf")) == 3
    still = PAIRS.replace(" 2 0 0 0", " 0 0 0 0") + ACROSS.replace(" 0.5 0", " 0 0")
    report = explained(convert(hand(tmp_path, still), tmp_path / "still.urdf"))
    assert len(of_rule(report, "urdf/constraint")) == 1
