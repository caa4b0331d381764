"""`inspect --kinematics`: chains in the forms for people and for programs."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import mujoco
import numpy as np
import pytest
from click.testing import CliRunner

from converters.chains import denavit_hartenberg, describe, workspace
from converters.chains.describe import described
from converters.commands.program import kinegraph
from converters.context import InputError, Options
from ir.kinematics import forward
from ir.types import Dof, DofKind, Joint, Mimic
from tests.files import saved

ARM = """<robot name="arm">
  <link name="base"/><link name="upper"/><link name="fore"/><link name="hand"/><link name="side"/>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="b" type="revolute"><origin xyz="0.5 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="c" type="fixed"><origin xyz="0.25 0 0"/><parent link="fore"/><child link="hand"/></joint>
  <joint name="d" type="floating"><parent link="base"/><child link="side"/></joint>
</robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return saved(tmp_path / "arm.urdf", ARM)


def test_a_planar_arm(arm: Path):
    (found,) = described(arm, ("hand",))
    assert found["transforms"] == [["Rz", "a"], ["tx", 0.5], ["Rz", "b"], ["tx", 0.25]]
    rows = found["standard"]["rows"]
    assert [(row["joint"], row["moves"]) for row in rows] == [("a", "theta"), ("b", "theta")]
    assert rows[0]["a"] == pytest.approx(0.5)
    assert all(row["d"] == pytest.approx(0) and row["alpha"] == pytest.approx(0) for row in rows)
    assert np.array(found["modified"]["base"]) == pytest.approx(np.eye(4))
    assert found["residual"] < 1e-12


TURNED = """<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size=".1"/><body name="b" pos="0 0 1">
<joint name="j" axis="0 1 0" ref=".3"/><geom size=".1"/><body name="c" pos="1 0 0">
<joint name="k" type="slide" axis="1 0 0" ref=".2"/><geom size=".1"/><body name="d" pos="0 1 0">
<joint name="l" axis="1 0 0" pos="0 .1 .2" ref="-.1"/><geom size=".1"/>
</body></body></body></body></worldbody></mujoco>"""


def step(kind: str, value: float) -> np.ndarray:
    """Return an elementary transform, (4, 4)."""
    axis = np.eye(3)["xyz".index(kind[1])]
    if kind[0] == "t":
        return np.block([[np.eye(3), value * axis[:, None]], [np.zeros(3), 1.0]])
    across = np.cross(np.eye(3), axis)
    turn = np.eye(3) + np.sin(value) * across + (1 - np.cos(value)) * across @ across
    return np.block([[turn, np.zeros((3, 1))], [np.zeros(3), 1.0]])


def test_joints_that_count_from_elsewhere_lead_where_mujoco_has_the_tip(tmp_path: Path):
    (found,) = described(saved(tmp_path / "m.xml", TURNED), ("d",))
    model = mujoco.MjModel.from_xml_string(TURNED)
    data = mujoco.MjData(model)
    data.qpos[:] = 0.5, 0.7, -0.4
    mujoco.mj_kinematics(model, data)
    expected = np.block([[data.body("d").xmat.reshape(3, 3), data.body("d").xpos[:, None]], [np.zeros(3), 1.0]])
    values = dict(zip("jkl", data.qpos, strict=True))
    led = [step(kind, values.get(value, value)) for kind, value in found["transforms"]]
    assert np.linalg.multi_dot(led) == pytest.approx(expected, abs=1e-12)
    for craig, table in ((False, found["standard"]), (True, found["modified"])):
        pose = np.array(table["base"])
        for row in table["rows"]:
            now = row | {row["moves"]: row[row["moves"]] + values[row["joint"]]}
            along = step("Rz", now["theta"]) @ step("tz", now["d"])
            across = step("tx", now["a"]) @ step("Rx", now["alpha"])
            pose = pose @ (across @ along if craig else along @ across)
        assert pose @ np.array(table["tool"]) == pytest.approx(expected, abs=1e-12)


def test_every_leaf_and_why_not(arm: Path):
    found = {each["tip"]: each for each in described(arm)}
    assert set(found) == {"hand", "side"}
    assert "neither a hinge nor a slide" in found["side"]["why"]
    with pytest.raises(InputError, match="no link or frame 'foot'"):
        described(arm, ("foot",))


def test_the_command(arm: Path):
    runner = CliRunner()
    shown = runner.invoke(kinegraph, ["inspect", str(arm), "--kinematics"], standalone_mode=False)
    assert "Rz(a) tx(0.5) Rz(b) tx(0.25)" in shown.output and "standard Denavit-Hartenberg" in shown.output
    data = runner.invoke(kinegraph, ["inspect", str(arm), "--tip", "hand", "--json"], standalone_mode=False)
    assert json.loads(data.output)["chains"][0]["root"] == "base"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_joint_has_its_whole_name_in_a_narrow_terminal_and_where_it_looks_like_markup(
    arm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm.write_text(arm.read_text().replace('name="a"', 'name="shoulder[bold]_of_the_left_arm"'))
    for width, stream in (("60", Terminal()), ("60", StringIO())):
        monkeypatch.setenv("COLUMNS", width)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr("sys.stdout", stream)
        describe.show(described(arm, ("hand",)))
        cells = "".join(re.findall(r"(?m)^│ (\S+) +│", re.sub("\x1b\\[[0-9;]*m", "", stream.getvalue())))
        assert cells.count("shoulder[bold]_of_the_left_arm") == 3


BENT = """<robot name="bent">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="tip"/>
  <joint name="q1" type="revolute"><origin xyz="0 0 .3" rpy=".1 0 0"/><parent link="base"/><child link="a"/>
    <axis xyz="0 1 1"/><limit lower="-1" upper="2" effort="7" velocity="3"/></joint>
  <joint name="q2" type="prismatic"><origin xyz="1 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 0 -1"/>
    <limit lower="-.1" upper=".4" effort="5" velocity="1"/></joint>
  <joint name="q3" type="continuous"><origin xyz="0 .2 0" rpy="0 .3 0"/><parent link="b"/><child link="c"/>
    <axis xyz="1 0 0"/><mimic joint="q1" multiplier="-2" offset=".1"/></joint>
  <joint name="q4" type="fixed"><origin xyz=".1 .2 .3" rpy="1 2 3"/><parent link="c"/><child link="tip"/></joint>
</robot>"""


def test_the_tip_at_a_pose_is_where_pinocchio_has_it(tmp_path: Path):
    import pinocchio

    path = saved(tmp_path / "bent.urdf", BENT)
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    q = pinocchio.neutral(model)
    values = {"q1": 0.7, "q2": 0.25, "q3": -2 * 0.7 + 0.1}
    for name, value in values.items():
        joint = model.joints[model.getJointId(name)]
        q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else [np.cos(value), np.sin(value)]
    pinocchio.framesForwardKinematics(model, data, q)
    wanted = data.oMf[model.getFrameId("tip")]
    runner = CliRunner()
    asked = ["inspect", str(path), "--pose", "q1=0.7", "--pose", "q2=25cm"]
    (found,) = json.loads(runner.invoke(kinegraph, [*asked, "--json"], standalone_mode=False).output)["chains"]
    pose = found["pose"]
    assert pose["coordinates"] == {"q1": [0.7], "q2": [0.25], "q3": [pytest.approx(-1.3)]}
    assert np.array(pose["matrix"]) == pytest.approx(wanted.homogeneous, abs=1e-12)
    assert pose["xyz"] == pytest.approx(wanted.translation.tolist(), abs=1e-12)
    assert pose["rpy"] == pytest.approx(pinocchio.rpy.matrixToRpy(wanted.rotation).tolist(), abs=1e-12)
    x, y, z, w = pinocchio.Quaternion(wanted.rotation).coeffs()
    assert np.abs(np.dot(pose["quaternion"], [w, x, y, z])) == pytest.approx(1, abs=1e-12)
    joints = {row["joint"]: row for row in found["joints"]}
    limits = {"lower": -1.0, "upper": 2.0, "velocity": 3.0, "effort": 7.0}
    assert joints["q1"]["type"] == "hinge" and limits.items() <= joints["q1"].items()
    assert joints["q1"]["axis"] == pytest.approx([0, 0.5**0.5, 0.5**0.5])
    assert joints["q3"]["follows"] == ["q1", -2.0, 0.1] and joints["q4"]["type"] == "weld"
    text = runner.invoke(kinegraph, asked, standalone_mode=False).output
    assert "at q1 = 0.7, q2 = 0.25, q3 = -1.3:" in text and "-2 * q1 + 0.1" in text and "[-0.1, 0.4]" in text
    assert "pure: no" in text and "residual" in text and "q + -" not in text and "q + 0 " not in text
    outside = runner.invoke(kinegraph, ["inspect", str(path), "--pose", "q1=9"], standalone_mode=False)
    assert isinstance(outside.exception, InputError) and "q1" in str(outside.exception)
    clamped = runner.invoke(kinegraph, ["inspect", str(path), "--pose", "q1=9", "--clamp"], standalone_mode=False)
    assert "at q1 = 2," in clamped.output and "limit" in clamped.output


def test_reach_is_bounded_by_no_less_than_pinocchio_finds(tmp_path: Path):
    import pinocchio

    path = saved(tmp_path / "bent.urdf", BENT)
    (found,) = described(path)
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    dice = np.random.default_rng(3)
    farthest = 0.0
    for first in np.linspace(-1, 2, 40):
        for second in (-0.1, 0.4, dice.uniform(-0.1, 0.4)):
            third = -2 * first + 0.1
            pinocchio.framesForwardKinematics(model, data, np.array([first, second, np.cos(third), np.sin(third)]))
            farthest = max(farthest, float(np.linalg.norm(data.oMf[model.getFrameId("tip")].translation)))
    reach = found["reach"]
    # 0.3 to the first axis, from there to the second one sideways of a slide, and to the tip
    assert reach["bound"] == pytest.approx(0.3 + np.linalg.norm([1, 0.2, 0.4]) + np.linalg.norm([0.1, 0.2, 0.3]))
    assert reach["seen"] == pytest.approx(farthest, rel=1e-2) and farthest <= reach["bound"]
    path.write_text(BENT.replace('type="prismatic"', 'type="floating"'))
    (found,) = described(path)
    assert found["reach"] == {"bound": None, "seen": None, "samples": 0} and "why" in found
    assert len(found["pose"]["coordinates"]["q2"]) == 7


def robot(links: int, *joints: str) -> str:
    """joints: type, parent, child and further content, separated by |."""
    made = [f'<link name="l{number}"/>' for number in range(links)]
    for number, each in enumerate(joints):
        kind, parent, child, more = each.split("|")
        ends = f'<parent link="l{parent}"/><child link="l{child}"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>'
        made.append(f'<joint name="j{number}" type="{kind}">{ends}{more}</joint>')
    return f'<robot name="r">{"".join(made)}</robot>'


def test_the_robot_stands_in_as_many_states_whatever_the_number_of_its_chains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    counts, calls = [], []
    for module in (describe, denavit_hartenberg):
        monkeypatch.setattr(module, "forward", lambda *given: calls.append(given) or forward(*given))
    for tips in (3, 30):
        path = tmp_path / f"{tips}.urdf"
        path.write_text(robot(tips + 1, *(f"continuous|0|{tip}|" for tip in range(1, tips + 1))))
        calls.clear()
        found = describe.described(path)
        assert len(found) == tips and all(each["residual"] < 1e-12 for each in found)
        counts.append(len(calls))
    assert counts[0] == counts[1]


def test_a_slide_is_seen_at_its_end(tmp_path: Path):
    path = saved(tmp_path / "r.urdf", robot(2, 'prismatic|0|1|<limit lower="0" upper="10" effort="1" velocity="1"/>'))
    (found,) = described(path)
    assert found["reach"]["bound"] == found["reach"]["seen"] == 11.0


def test_a_joint_may_follow_through_a_thousand_others(tmp_path: Path):
    count = 1100
    limit = '<limit lower="0" upper="10" effort="1" velocity="1"/>'
    follows = [f'{limit}<mimic joint="j{number + 1}"/>' if number < count else limit for number in range(count + 1)]
    path = tmp_path / "r.urdf"
    path.write_text(robot(count + 2, *(f"prismatic|0|{number + 1}|{more}" for number, more in enumerate(follows))))
    (found,) = described(path, ("l1",))
    assert found["reach"]["bound"] == found["reach"]["seen"] == 11.0


def test_what_follows_through_many_others_costs_as_much_as_they_are(monkeypatch: pytest.MonkeyPatch):
    counts, asked, ends = [], [], Dof.range.fget
    monkeypatch.setattr(Dof, "range", property(lambda dof: asked.append(dof) or ends(dof)))
    for count in (10, 40):
        led = [Mimic(dof=f"{number - 1}", multiplier=0.5) if number else None for number in range(count)]
        dofs = {
            f"{number}": Dof(name=f"{number}", kind=DofKind.SLIDE, lower=0.0, upper=1.0, mimic=mimic)
            for number, mimic in enumerate(led)
        }
        joints = [Joint(name=name, parent="a", child="b", dofs=(dof,)) for name, dof in dofs.items()]
        asked.clear()
        assert workspace.reach(dofs, joints)["bound"] == pytest.approx(sum(0.5**number for number in range(count)))
        counts.append(len(asked))
    assert counts[1] <= 4 * counts[0]


@pytest.mark.parametrize("kind", ["prismatic", "revolute"])
def test_numbers_at_the_end_of_all_are_no_defect(kind: str, tmp_path: Path):
    far = '<limit lower="-1e308" upper="1e308" effort="1" velocity="1"/>'
    led = '<mimic joint="j0" multiplier="1e308" offset="1e308"/>'
    path = saved(tmp_path / "r.urdf", robot(3, f"{kind}|0|1|{far}", f"revolute|1|2|{far}{led}"))
    (found,) = described(path)
    assert found["root"] == "l0" and json.dumps(found, allow_nan=False)


def test_a_link_that_is_not_there_is_told_with_what_may_be_meant(tmp_path: Path) -> None:
    path = saved(tmp_path / "robot.urdf", '<robot name="r"><link name="forearm"/></robot>')
    with pytest.raises(InputError, match=r"there is no link or frame 'foream'; did you mean forearm\?"):
        described(path, ("foream",))
    with pytest.raises(InputError, match="there is no link or frame 'world'; there is forearm"):
        described(path, ("world",))


def test_what_is_to_be_said_of_a_pose_has_a_place(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "r.urdf",
        '<robot name="r"><link name="a"/><link name="b"/>\n<joint name="j" type="revolute"><parent link="a"/>'
        '<child link="b"/><limit lower="1" upper="2" effort="1" velocity="1"/></joint></robot>',
    )
    (found,) = described(path)
    assert [note.partition(": the rest position of the joint is outside")[0] for note in found["notes"]] == [
        f"{path}:2: joint/j"
    ]


def test_a_site_is_a_tip(tmp_path: Path):
    """The tool of an arm is a site in MJCF. Judged by MuJoCo."""
    joint = '<body pos="0.1 0.2 0.3" euler="10 20 30"><joint name="{}" axis="0 1 1"/><geom size="0.1"/>{}</body>'
    tool = joint.format("b", '<site name="tool" pos="0 0.1 0.2" euler="40 0 50"/>')
    text = f"<mujoco><worldbody><body><geom size='.1'/>{joint.format('a', tool)}</body></worldbody></mujoco>"
    arm = saved(tmp_path / "arm.xml", text)
    (found,) = described(arm, ("tool",), options=Options(pose=("a=0.3", "b=-0.4")))
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = 0.3, -0.4
    mujoco.mj_forward(model, data)
    assert found["pose"]["xyz"] == pytest.approx(data.site("tool").xpos.tolist(), abs=1e-12)
    assert np.array(found["pose"]["matrix"])[:3, :3].ravel() == pytest.approx(data.site("tool").xmat, abs=1e-12)
    assert found["residual"] < 1e-12
    assert [each["joint"] for each in found["joints"]] == ["a", "b", "tool_joint"]
