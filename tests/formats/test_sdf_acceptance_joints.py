"""Requirements 15 to 19 and 23 to 26 of an SDFormat reader and writer: defaults, limits, joints."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import converters
from converters.context import Options
from tests.formats.sdf_text import (
    axis,
    codes,
    converted,
    faults,
    in_mjcf,
    in_urdf,
    joint,
    limit,
    link,
    number,
    put,
    rules,
    same_motion,
    sdf,
    seen,
    xml,
)
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import pinocchio_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import of_rule

PAIR = link("a") + link("b", "0 0 1 0 0 0")


def one(path: Path, where: str) -> str:
    """Return the only value that an XPath finds."""
    (found,) = xml(path).xpath(where)
    return str(found)


def test_15_joints_without_limits(tmp_path: Path):
    links = PAIR + link("c", "0 1 0 0 0 0")
    source = put(tmp_path, sdf(links + joint("j", "a", "b") + joint("k", "b", "c", kind="prismatic")))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert one(urdf, "joint[@name='j']/@type") == "continuous"
    low, high = (float(one(urdf, f"joint[@name='k']/limit/@{side}")) for side in ("lower", "upper"))
    assert -math.inf < low <= -1e3
    assert 1e3 <= high < math.inf
    assert [finding for finding in report.findings if finding.where.startswith("joint/k")]
    assert check_urdf(urdf) is None
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert not model.joint("j").limited[0]
    assert not model.joint("k").limited[0]
    for path in (urdf, mjcf):
        words = [value for value in xml(path).xpath("//@*[not(starts-with(., '{'))]") for value in str(value).split()]
        assert not {"inf", "-inf", "nan"} & set(words)


@pytest.mark.parametrize(
    ("version", "lower", "upper"), [("1.4", "-1e16", "1e16"), ("1.9", "-1e16", "1e16"), ("1.10", "-inf", "inf")]
)
def test_16_infinite_limits_are_none(version: str, lower: str, upper: str, tmp_path: Path):
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis(inner=limit(lower, upper))), version))
    (dof,) = converters.read(source).joints["j"].dofs
    assert (dof.lower, dof.upper) == (None, None)
    _, mjcf = converted(tmp_path, source, "out.xml")
    assert not mujoco_model(mjcf).joint("j").limited[0]
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert one(urdf, "joint[@name='j']/@type") == "continuous"
    _, back = converted(tmp_path, urdf, "back.sdf")
    (said,) = seen(back)["joints"]["j"]["axes"]
    assert said["lower"] <= -1e16
    assert said["upper"] >= 1e16
    assert number(xml(back).find(".//axis/limit/upper")) == float(upper)


def test_limits_of_a_continuous_joint_are_none_and_carried(tmp_path: Path):
    """Drake has no limits for it, either."""
    source = put(tmp_path, sdf(link("a") + link("b") + joint("j", "a", "b", axis(inner=limit(-1, 2)), "continuous")))
    report, path = converted(tmp_path, source, "out.urdf")
    found = {each.where: (each.before, each.action) for each in of_rule(report, "urdf/foreign")}
    at = "joint/j.extras.axis[1]/limit[1]"
    assert found == {
        f"{at}/lower[1]": ("<lower>-1</lower>", "carried"),
        f"{at}/upper[1]": ("<upper>2</upper>", "carried"),
    }
    assert xml(path).find("joint/limit") is None
    assert drake_reads(source)["limits"]["j"] == [-math.inf, math.inf]
    _, back = converted(tmp_path, path, "back.sdf")
    assert [xml(back).findtext(f".//axis/limit/{tag}") for tag in ("lower", "upper")] == ["-1", "2"]


def test_numbers_that_mean_no_limit_are_said_to(tmp_path: Path):
    """URDF has no values for no limit; libsdformat gives the same for these numbers as for missing ones."""
    limit = '<limit lower="-1e+16" upper="1e+16" effort="-1" velocity="1e+16"/>'
    ends = '<parent link="a"/><child link="b"/><axis xyz="1 0 0"/>'
    joints = f'<joint name="j" type="revolute">{ends}{limit}</joint>'
    source = put(tmp_path, f'<robot name="r"><link name="a"/><link name="b"/>{joints}</robot>', "source.urdf")
    report, path = converted(tmp_path, source, "out.sdf")
    told = {each.where.rpartition(".")[2]: each.reason for each in report.findings if each.where.startswith("joint/j.")}
    assert set(told) == {"lower", "upper", "effort", "velocity"}
    assert all("a number of 1e15 or more" in reason for reason in told.values())
    (found,) = seen(path)["joints"]["j"]["axes"]
    assert all(abs(found[name]) >= 1e15 for name in told)
    assert converted(tmp_path, path, "back.urdf")[1].read_text().count(limit) == 1


def test_17_a_limit_on_one_side(tmp_path: Path):
    inner = axis(inner="<limit><lower>-0.5</lower></limit>")
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", inner)))
    _, mjcf = converted(tmp_path, source, "out.xml")
    hinge = mujoco_model(mjcf).joint("j")
    assert hinge.limited[0]
    assert hinge.range[0] == -0.5
    assert 1e3 <= hinge.range[1] < math.inf
    _, urdf = converted(tmp_path, source, "out.urdf")
    model = pinocchio_model(urdf)
    index = model.joints[model.getJointId("j")].idx_q
    assert model.lowerPositionLimit[index] == -0.5
    assert 1e3 <= model.upperPositionLimit[index] < math.inf


@pytest.mark.parametrize(("said", "zero"), [("<effort>-1</effort>", False), ("<effort>0</effort>", True), ("", False)])
def test_18_effort(said: str, zero: bool, tmp_path: Path):
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis(inner=limit(-1, 1, said)))))
    report, urdf = converted(tmp_path, source, "out.urdf")
    model = pinocchio_model(urdf)
    effort = model.upperEffortLimit[model.joints[model.getJointId("j")].idx_v]
    assert effort == 0 if zero else 1e3 <= effort < math.inf
    assert xml(urdf).xpath("joint[@name='j']/limit/@effort")
    assert xml(urdf).xpath("joint[@name='j']/limit/@velocity")
    if zero:
        assert [finding for finding in report.findings if "effort" in finding.rule]


def test_19_axes(tmp_path: Path):
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis("0 1 0.05"))))
    expected = np.array([0, 1, 0.05]) / math.hypot(1, 0.05)
    assert seen(source)["joints"]["j"]["axes"][0]["xyz"] == pytest.approx(expected, abs=1e-15)
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert mujoco_model(mjcf).joint("j").axis == pytest.approx(expected, abs=1e-15)
    assert "sdf/axis-length" in rules(report)

    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", "<axis/>")))
    assert seen(source)["joints"]["j"]["axes"][0]["xyz"] == [0, 0, 1]
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert one(urdf, "joint[@name='j']/axis/@xyz") == "0 0 1"
    same_motion(tmp_path, source, ["j"])

    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis("0 0 0"))))
    assert 9 in codes(source)
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert faults(report) == ["sdf/element-invalid"]
    model = mujoco_model(mjcf)
    assert model.njnt == 1  # the root stands free, and the joint holds
    assert model.body("b").jntnum[0] == 0
    assert in_mjcf(mjcf, {})["b"][:3, 3] == pytest.approx([0, 0, 1])


FOUR_BAR = (
    link("base")
    + link("crank", "0 0 0.1 0 0 0")
    + link("coupler", "0 0 0.5 0 0 0")
    + link("rocker", "1 0 0.1 0 0 0")
    + joint("stand", "world", "base", "", "fixed")
    + joint("j1", "base", "crank", axis("0 1 0"))
    + joint("j2", "crank", "coupler", axis("0 1 0"))
    + joint("j3", "base", "rocker", axis("0 1 0"))
    + joint("j4", "rocker", "coupler", '<pose relative_to="coupler">1 0 0 0 0 0</pose>' + axis("0 1 0"))
)


@pytest.mark.parametrize(("length", "taken"), [("9e-7", False), ("1.1e-6", True)])
def test_19_an_axis_too_short_has_no_direction_as_in_libsdformat(tmp_path: Path, length: str, taken: bool):
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis(f"0 {length} 0"))))
    report, written = converted(tmp_path, source, "out.sdf")
    assert (faults(report) == [], codes(source) == set()) == (taken, taken)
    if taken:
        assert codes(written) == set()


def test_23_a_loop_is_kept_where_a_format_can(tmp_path: Path):
    source = put(tmp_path, sdf(FOUR_BAR))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert [finding for finding in report.findings if "j4" in finding.where]
    assert check_urdf(urdf) is None
    assert set(in_urdf(urdf, {})) >= {"base", "crank", "coupler", "rocker"}
    assert set(xml(urdf).xpath("joint[@type='continuous']/@name")) == {"j1", "j2", "j3"}

    _, again = converted(tmp_path, source, "out.sdf")
    assert seen(again)["joints"] == seen(source)["joints"]
    _, back = converted(tmp_path, urdf, "back.sdf")
    assert seen(back)["joints"].keys() == seen(source)["joints"].keys()

    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.neq >= 1
    data = mujoco.MjData(model)
    data.joint("j1").qvel[0] = 3.0
    for _ in range(300):
        mujoco.mj_step(model, data)
    assert abs(data.joint("j1").qpos[0]) > 0.01
    hinge = data.body("coupler").xpos + data.body("coupler").xmat.reshape(3, 3) @ [1, 0, 0]
    rocker = data.body("rocker").xpos + data.body("rocker").xmat.reshape(3, 3) @ [0, 0, 0.4]
    assert hinge == pytest.approx(rocker, abs=5e-3)


def two_axes(kind: str) -> str:
    inner = axis("1 0 0") + axis("0 1 0", tag="axis2")
    return sdf(PAIR + joint("j", "a", "b", "<pose>0.1 0 0.2 0 0 0.3</pose>" + inner, kind))


@pytest.mark.parametrize("kind", ["universal", "revolute2"])
def test_24_two_axes_in_one_joint(kind: str, tmp_path: Path):
    source = put(tmp_path, two_axes(kind))
    assert seen(source)["joints"]["j"]["type"] == kind
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.body("b").jntnum[0] == 2
    q = {"j": 0.4, "j_axis2": -0.7}
    anchor = np.eye(4)
    anchor[:3, :3] = _turn([0, 0, 1], 0.3)
    anchor[:3, 3] = [0.1, 0, 1.2]
    moved = np.eye(4)
    moved[:3, :3] = _turn([1, 0, 0], q["j"]) @ _turn([0, 1, 0], q["j_axis2"])
    back = np.eye(4)
    back[:3, :3] = _turn([0, 0, 1], -0.3)
    back[:3, 3] = back[:3, :3] @ [-0.1, 0, -0.2]
    expected = anchor @ moved @ back
    assert in_mjcf(mjcf, q)["b"] == pytest.approx(expected, abs=1e-12)
    _, urdf = converted(tmp_path, source, "out.urdf")
    names = [str(name) for name in xml(urdf).xpath("joint[@type!='fixed' and @type!='floating']/@name")]
    assert len(names) == 2
    assert check_urdf(urdf) is None
    assert in_urdf(urdf, dict(zip(names, q.values(), strict=True)))["b"] == pytest.approx(expected, abs=1e-12)
    _, again = converted(tmp_path, urdf, "again.sdf")
    assert seen(again)["joints"]["j"]["type"] == kind


def _turn(direction: list[float], angle: float) -> np.ndarray:
    quat, flat = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, np.array(direction, float), angle)
    mujoco.mju_quat2Mat(flat, quat)
    return flat.reshape(3, 3)


def test_24_ball(tmp_path: Path):
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", "<pose>0 0 0.5 0 0 0</pose>", "ball")))
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.joint("j").type[0] == mujoco.mjtJoint.mjJNT_BALL
    assert model.joint("j").pos == pytest.approx([0, 0, 0.5])
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert {"a", "b"} <= set(in_urdf(urdf, {}))
    assert [finding for finding in report.findings if finding.where.startswith("joint/j")]
    _, again = converted(tmp_path, urdf, "again.sdf")
    assert seen(again)["joints"]["j"]["type"] == "ball"


def test_24_gearbox(tmp_path: Path):
    links = PAIR + link("c", "0 1 0 0 0 0")
    joints = joint("j", "a", "b", axis("0 1 0")) + joint("k", "a", "c", axis("0 1 0"))
    inner = "<gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>"
    source = put(tmp_path, sdf(links + joints + joint("g", "b", "c", inner + axis("0 1 0"), "gearbox")))
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.neq == 1
    assert abs(model.eq_data[0][1]) == pytest.approx(3)
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert xml(urdf).xpath("joint/mimic") or [finding for finding in report.findings if "/g" in finding.where]
    _, again = converted(tmp_path, source, "out.sdf")
    assert seen(again)["joints"]["g"]["type"] == "gearbox"


def test_24_a_gearbox_that_nothing_comes_of_is_kept_and_not_said_to_be_dropped(tmp_path: Path):
    inner = "<gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>c</gearbox_reference_body>"
    gearbox = joint("g", "b", "c", inner + axis("0 1 0"), "gearbox")
    links = PAIR + link("c", "0 1 0 0 0 0") + joint("j", "a", "b", axis("0 1 0"))
    source = put(tmp_path, sdf(links + gearbox))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert "dropped" not in {finding.action for finding in report.findings}
    (note,) = of_rule(report, "sdf/gearbox")
    (kept,) = (finding for finding in report.findings if '<joint name="g"' in finding.before)
    assert (note.action, kept.action) == ("ignored", "carried")
    _, back = converted(tmp_path, urdf, "back.sdf")
    _, same = converted(tmp_path, source, "same.sdf")
    assert back.read_bytes() == same.read_bytes()
    assert seen(back)["joints"]["g"]["type"] == "gearbox"
    block = f"<gazebo>{gearbox}</gazebo>"
    text = urdf.read_text().partition("<kinegraph:carried")[0].rstrip()
    _, other = converted(tmp_path, put(tmp_path, f"{text}{block}</robot>", "block.urdf"), "other.sdf")
    assert set(seen(other)["joints"]) == {"j"}  # what Gazebo makes nothing of stays in its block


@pytest.mark.parametrize(
    ("version", "said", "metres"),
    [
        ("1.9", "<thread_pitch>-6283.185307179586</thread_pitch>", 0.001),
        ("1.10", "<screw_thread_pitch>0.001</screw_thread_pitch>", 0.001),
        ("1.10", "<screw_thread_pitch>0.1</screw_thread_pitch>", 0.1),
        ("1.10", "<thread_pitch>5</thread_pitch><screw_thread_pitch>0.001</screw_thread_pitch>", 0.001),
    ],
)
def test_25_the_pitch_of_a_screw(version: str, said: str, metres: float, tmp_path: Path):
    """In metres per turn: positive for a right-handed thread."""
    source = put(tmp_path, sdf(PAIR + joint("j", "a", "b", axis() + said, "screw"), version))
    (dof,) = converters.read(source).joints["j"].dofs
    assert dof.pitch * 2 * math.pi == pytest.approx(metres, rel=1e-9)
    _, again = converted(tmp_path, source, "again.sdf", Options(sdf_version="1.10"))
    pitch = xml(again).find(".//screw_thread_pitch")
    assert pitch.text == str(metres)
    report, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    told = [finding for finding in report.findings if finding.where.startswith("joint/j")]
    assert told
    assert model.body("b").jntnum[0] >= 1


def mimic(said: str) -> str:
    return axis(inner=f"{limit(-2, 2)}{said}")


def test_26_mimic(tmp_path: Path):
    """1.11: follower = multiplier (leader - reference) + offset."""
    said = '<mimic joint="j"><multiplier>-2</multiplier><offset>0.1</offset><reference>0.2</reference></mimic>'
    links = PAIR + link("c", "0 1 0 0 0 0")
    source = put(tmp_path, sdf(links + joint("j", "a", "b") + joint("k", "b", "c", mimic(said)), "1.11"))
    _, urdf = converted(tmp_path, source, "out.urdf")
    follower = xml(urdf).find("joint[@name='k']/mimic")
    assert follower is not None
    assert (follower.get("joint"), follower.get("multiplier")) == ("j", "-2")
    assert float(follower.get("offset", "0")) == pytest.approx(0.5, abs=1e-15)
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.neq == 1
    assert model.eq_data[0][:5] == pytest.approx([0.5, -2, 0, 0, 0])


@pytest.mark.parametrize(
    ("first", "second"),
    [("", '<mimic joint="QQQ"/>'), ("", '<mimic joint="k"/>'), ('<mimic joint="k"/>', '<mimic joint="j"/>')],
)
def test_26_a_mimic_that_follows_nothing_or_itself(first: str, second: str, tmp_path: Path):
    links = PAIR + link("c", "0 1 0 0 0 0")
    joints = joint("j", "a", "b", mimic(first)) + joint("k", "b", "c", mimic(second))
    report, mjcf = converted(tmp_path, sdf(links + joints, "1.11"), "out.xml")
    assert "sdf/joint-axis-mimic-invalid" in faults(report)
    assert len(faults(report)) == 1
    assert mujoco_model(mjcf).njnt == 3


def test_what_mujoco_names_are_degrees_of_freedom(tmp_path: Path):
    """A universal joint is two hinges of MuJoCo, a screw a hinge and a slide, a fixed joint none: no single MuJoCo
    joint can have its name."""
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    kinds = (("u", "universal", "b"), ("s", "screw", "c"), ("f", "fixed", "d"))
    axes = {
        "universal": "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>",
        "screw": "<axis><xyz>1 0 0</xyz></axis>",
    }
    joints = "".join(
        f'<joint name="{name}" type="{kind}"><parent>a</parent><child>{child}</child>{axes.get(kind, "")}</joint>'
        for name, kind, child in kinds
    )
    (tmp_path / "in.sdf").write_text(f'<sdf version="1.9"><model name="m">{links}{joints}</model></sdf>')
    report = converters.convert(tmp_path / "in.sdf", tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    counts = {name: int(model.body(child).dofnum[0]) for name, _, child in kinds}
    assert counts == {"u": 2, "s": 2, "f": 0}
    named = of_rule(report, "mjcf/joint-name")
    assert {finding.before for finding in named} == set(counts)
    assert all("fixed" in finding.reason and "several" in finding.reason for finding in named)
    assert converters.read(tmp_path / "out.xml") == converters.read(tmp_path / "in.sdf")
