"""The drives of URDF joints, in MuJoCo and on the way back: two motors on two joints, rotors behind gears."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.convert import convert, read
from converters.report.model import Action
from converters.validating import validate
from tests.files import saved
from tests.formats.test_urdf_acceptance_others import LIMIT, SIMPLE, heavy, shown
from tests.formats.test_urdf_acceptance_reading import file
from tests.formats.urdf_text import arm, robot, stable
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, explained, of_rule


def shared(kind: str, roles: bool, turned: bool = False) -> str:
    """Return a transmission with reductions 2 and -5 for the motors m1 and m2, 3 and 7 for the joints j1 and j2."""
    ends = {"joint": [], "actuator": []}
    for tag, letter, gears in (("joint", "j", (3, 7)), ("actuator", "m", (2, -5))):
        for number, gear in enumerate(gears, 1):
            role = f"<role>{tag}{number}</role>" if roles else ""
            reduction = f"<mechanicalReduction>{gear}</mechanicalReduction>"
            ends[tag].append(f'<{tag} name="{letter}{number}">{role}{reduction}</{tag}>')
    if turned:
        ends = {tag: each[::-1] for tag, each in ends.items()}
    content = "".join(ends["joint"] + ends["actuator"])
    return f'<transmission name="t"><type>transmission_interface/{kind}</type>{content}</transmission>'


def two_joints(transmission: str) -> str:
    joints = [
        f'<joint name="{name}" type="revolute"><parent link="{a}"/><child link="{b}"/>{LIMIT}</joint>'
        for name, a, b in (("j1", "a", "b"), ("j2", "b", "c"))
    ]
    return heavy(robot(*(f'<link name="{name}"/>' for name in "abc"), *joints, transmission))


@pytest.mark.parametrize(("roles", "turned"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize(
    ("kind", "shares"),
    [
        # actuators = shares * joints: ROS's transmission_interface, jointToActuatorPosition
        ("DifferentialTransmission", [[2 * 3, 2 * 7], [-5 * 3, -5 * -7]]),
        ("FourBarLinkageTransmission", [[2 * 3, 0], [-5, -5 * 7]]),
    ],
)
def test_two_motors_that_share_two_joints(tmp_path: Path, kind: str, shares: list, roles: bool, turned: bool):
    """acceptance 38: also without roles. By virtual work each torque acts on both joints with these factors."""
    whole = two_joints(shared(kind, roles, turned))
    stable(whole)
    source = file(tmp_path, whole)
    report = convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    data = mujoco.MjData(model)
    assert model.nu == 2
    for number in (0, 1):
        data.ctrl[:] = 0.0
        motor = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, f"m{number + 1}")
        data.ctrl[motor] = 0.01
        mujoco.mj_forward(model, data)
        assert np.allclose(data.qfrc_actuator, 0.01 * np.array(shares[number])), number
    assert "actuators/from-transmission" in {finding.rule for finding in report.findings}
    comes_back(source, tmp_path / "other.xml")


WRIST = """<transmission type="pr2_mechanism_model/WristTransmission" name="t"><rightActuator name="m1"
mechanicalReduction="-75"/><leftActuator name="m2" mechanicalReduction="-75"/><flexJoint name="j1"
mechanicalReduction="-1"/><rollJoint name="j2" mechanicalReduction="-1"/></transmission>"""


@pytest.mark.parametrize(
    ("interface", "command", "reduction", "wanted"),
    [
        ("PositionJointInterface", "position", 1, [-0.25, 0.5]),
        ("VelocityJointInterface", "velocity", 1, [-0.25, 0.5]),
        ("EffortJointInterface", "effort", -4, [-0.125, 0.0625]),
        ("EffortJointInterface", "position", 1, None),
    ],
)
def test_what_ros2_control_lets_pass_counts_beside_a_transmission(
    tmp_path: Path, interface: str, command: str, reduction: int, wanted: list[float] | None
):
    transmission = f"""<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
<joint name="j1"><hardwareInterface>hardware_interface/{interface}</hardwareInterface></joint>
<actuator name="m"><mechanicalReduction>{reduction}</mechanicalReduction></actuator></transmission>"""
    system = f"""<ros2_control name="s" type="system"><hardware><plugin>p</plugin></hardware><joint name="j1">
<command_interface name="{command}"><param name="min">-0.25</param><param name="max">0.5</param></command_interface>
</joint></ros2_control>"""
    source = file(tmp_path, two_joints(transmission + system))
    convert(source, tmp_path / "other.xml")
    found = mujoco_model(tmp_path / "other.xml").actuator_ctrlrange.tolist()
    assert (found == [wanted]) is (wanted is not None)
    comes_back(source, tmp_path / "other.xml")


@pytest.mark.parametrize(
    ("drives", "wanted"),
    [
        ([("Position", "m", 1), ("Velocity", "n", 1)], [("position", "m", 1.0), ("velocity", "n", 1.0)]),
        ([("Effort", "m", 3), ("Effort", "n", -2)], [("motor", "m", 3.0), ("motor", "n", -2.0)]),
        ([("Position", "m", 1), ("Effort", "m", 1)], [("position", "m", 1.0)]),
    ],
    ids=["servos", "motors", "one twice"],
)
@pytest.mark.parametrize("systems", [(), (0.5, 0.25)], ids=["alone", "commanded twice"])
def test_each_actuator_of_a_joint_drives_it(tmp_path: Path, drives: list, wanted: list, systems: tuple[float, ...]):
    """Each by its own transmission. Of two ros2_control systems with the same command of a joint, the first has it."""
    said = "".join(
        f"""<transmission name="t{place}"><type>transmission_interface/SimpleTransmission</type>
<joint name="j1"><hardwareInterface>hardware_interface/{word}JointInterface</hardwareInterface></joint>
<actuator name="{name}"><mechanicalReduction>{gear}</mechanicalReduction></actuator></transmission>"""
        for place, (word, name, gear) in enumerate(drives)
    )
    said += "".join(
        f"""<ros2_control name="s{most}" type="system"><hardware><plugin>p</plugin></hardware><joint name="j1">
<command_interface name="position"><param name="min">-{most}</param><param name="max">{most}</param></command_interface>
</joint></ros2_control>"""
        for most in systems
    )
    source = file(tmp_path, two_joints(said))
    explained(convert(source, tmp_path / "other.xml"))
    found = list(etree.parse(str(tmp_path / "other.xml")).iterfind("actuator/*"))
    model = mujoco_model(tmp_path / "other.xml")
    gears = model.actuator_gear[:, 0].tolist()
    assert [(each.tag, each.get("name"), gear) for each, gear in zip(found, gears, strict=True)] == wanted
    if systems and wanted[0][0] == "position":
        assert model.actuator_ctrlrange[0].tolist() == [-0.5, 0.5]
    comes_back(source, tmp_path / "other.xml")
    for edit, left in ((' name="m"', ' name="mm"'), (' joint="j1"', ' joint="j2"')):
        edited = saved(tmp_path / "edited.xml", (tmp_path / "other.xml").read_text().replace(edit, left, 1))
        explained(convert(edited, tmp_path / "edited.urdf"))
        explained(convert(tmp_path / "edited.urdf", tmp_path / "again.xml"))
        both = [mujoco_model(path) for path in (edited, tmp_path / "again.xml")]
        assert sorted(both[0].actuator_trnid.tolist()) == sorted(both[1].actuator_trnid.tolist())


@pytest.mark.parametrize(
    ("interfaces", "kinds"),
    [
        (("JointStateInterface",), []),
        (("hardware_interface/JointStateInterface", "hardware_interface/ActuatorStateInterface"), []),
        (("JointStateInterface", "PositionJointInterface"), ["position"]),
        ((), ["motor"]),
    ],
)
def test_a_joint_that_is_only_measured_has_no_motor(tmp_path: Path, interfaces: tuple[str, ...], kinds: list[str]):
    """33 of the 47 transmissions of TIAGo only measure the position of a joint of its hand."""
    said = "".join(f"<hardwareInterface>{each}</hardwareInterface>" for each in interfaces)
    kind = "<type>transmission_interface/SimpleTransmission</type>"
    text = f'<transmission name="t">{kind}<joint name="j1">{said}</joint><actuator name="m"/></transmission>'
    source = file(tmp_path, two_joints(text))
    convert(source, tmp_path / "other.xml")
    assert [each.tag for each in etree.parse(str(tmp_path / "other.xml")).iterfind("actuator/*")] == kinds
    assert mujoco_model(tmp_path / "other.xml").nu == len(kinds)
    comes_back(source, tmp_path / "other.xml")


@pytest.mark.parametrize("place", ["joint", "command_interface"])
@pytest.mark.parametrize(("enable", "wanted"), [("false", [-1.0, 1.0]), ("true", [-0.25, 0.5])])
def test_bounds_that_ros2_control_does_not_keep_are_none(tmp_path: Path, place: str, enable: str, wanted: list[float]):
    """<limits enable="false"> of the joint, or of one command: only the range of the joint itself is left."""
    off = {place: f'<limits enable="{enable}"/>'}
    bounds = '<param name="min">-0.25</param><param name="max">0.5</param>'
    command = f'<command_interface name="position">{off.get("command_interface", "")}{bounds}</command_interface>'
    state = '<state_interface name="position"><param name="initial_value">0.1</param></state_interface>'
    text = f"""<ros2_control name="s" type="system"><hardware><plugin>p</plugin></hardware><joint name="j1">
{off.get("joint", "")}{command}{state}</joint></ros2_control>"""
    stable(two_joints(text))
    source = file(tmp_path, two_joints(text))
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert model.actuator_ctrlrange.tolist() == [wanted]
    assert model.key_qpos.tolist() == [[0.1, 0.0]]
    comes_back(source, tmp_path / "other.xml")


def test_a_transmission_of_one_maker_is_kept_and_told(tmp_path: Path):
    """acceptance 38: no actuator is invented for what only its plugin knows."""
    whole = two_joints(WRIST)
    stable(whole)
    source = file(tmp_path, whole)
    report = convert(source, tmp_path / "other.xml")
    assert mujoco_model(tmp_path / "other.xml").nu == 0
    assert any(each.rule == "mjcf/transmission" and "transmission/t" in each.where for each in report.findings)
    convert(source, tmp_path / "again.urdf")
    convert(tmp_path / "other.xml", tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes()
    assert "<rightActuator" in shown(tmp_path / "back.urdf")


def drake_text(rotor: str) -> str:
    text = SIMPLE.format("1").replace("<mechanicalReduction>1</mechanicalReduction>", rotor)
    whole = heavy(arm(LIMIT)).replace("</robot>", text + "</robot>")
    return whole.replace('name="r"', 'name="r" xmlns:drake="http://drake.mit.edu"', 1)


def test_a_rotor_beyond_all_numbers_hides_no_other_fault(tmp_path: Path):
    text = drake_text('<drake:rotor_inertia value="1e308"/><drake:gear_ratio value="1e308"/>')
    source = saved(tmp_path / "robot.urdf", text.replace("</robot>", '<link name="a"/></robot>'))
    assert {"NUM-NONFINITE", "NAME-DUP-LINK"} <= {breach.rule for breach in validate(source).breaches}


def test_the_rotor_of_drake_is_an_armature(tmp_path: Path):
    """acceptance 38: rotor inertia times the square of the gear ratio; the elements themselves stay."""
    rotor = '<drake:rotor_inertia value="0.001"/><drake:gear_ratio value="20"/>'
    whole = drake_text(rotor)
    stable(whole)
    source = file(tmp_path, whole)
    plain = file(tmp_path, drake_text(""), "plain.urdf")
    assert read(source).joints["j"].dofs[0].armature == pytest.approx(0.4)
    convert(source, tmp_path / "other.xml")
    assert mujoco_model(tmp_path / "other.xml").dof_armature.tolist() == pytest.approx([0.4])
    with_rotor, without = (drake_reads(path, at=[{"j": 0.0}])["at"][0] for path in (source, plain))
    place = with_rotor["columns"]["j"]
    assert with_rotor["matrix"][place][place] - without["matrix"][place][place] == pytest.approx(0.4)
    convert(source, tmp_path / "again.urdf")
    convert(tmp_path / "other.xml", tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes()
    assert '<drake:rotor_inertia value="0.001"' in shown(tmp_path / "back.urdf")


@pytest.mark.parametrize(("first", "last"), [(0.5, 0.25), (0.5, None), (None, 0.25)])
def test_of_two_rotors_on_a_joint_the_last_counts(tmp_path: Path, first: float | None, last: float | None):
    rotors = ["" if value is None else f'<drake:rotor_inertia value="{value}"/>' for value in (first, last)]
    whole = drake_text(rotors[0])
    drive = whole[whole.index("<transmission") : whole.index("</robot>")]
    more = drive.replace(rotors[0], rotors[1]) if rotors[0] else drive.replace("</actuator>", f"{rotors[1]}</actuator>")
    more = more.replace('<transmission name="t"', '<transmission name="t2"').replace(
        '<actuator name="', '<actuator name="2'
    )
    whole = whole.replace("</robot>", more + "</robot>")
    stable(whole)
    source, plain = file(tmp_path, whole), file(tmp_path, drake_text(""), "plain.urdf")
    heard, without = (drake_reads(path, at=[{"j": 0.0}])["at"][0] for path in (source, plain))
    place = heard["columns"]["j"]
    inertia = heard["matrix"][place][place] - without["matrix"][place][place]
    assert inertia == pytest.approx(last or 0.0, abs=1e-12)
    assert read(source).joints["j"].dofs[0].armature == pytest.approx(inertia, abs=1e-12)
    explained(convert(source, tmp_path / "other.xml"))
    comes_back(source, tmp_path / "other.xml")


@pytest.mark.parametrize("value", ["", "much", "1e999", "NaN", "1 2"])
@pytest.mark.parametrize("tag", ["drake:rotor_inertia", "drake:gear_ratio"])
def test_a_rotor_that_is_no_number_says_nothing_and_is_told(tmp_path: Path, tag: str, value: str):
    rotor = '<drake:rotor_inertia value="0.001"/><drake:gear_ratio value="20"/>'
    whole = drake_text(re.sub(f'{tag} value="[^"]*"', f'{tag} value="{value}"', rotor))
    stable(whole)
    source = file(tmp_path, whole)
    with pytest.raises(RuntimeError, match="Expected single value for attribute"):
        drake_reads(source)
    report = convert(source, tmp_path / "other.xml")
    assert mujoco_model(tmp_path / "other.xml").dof_armature.tolist() == [0.0]
    (found,) = of_rule(report, "urdf/no-number")
    assert (found.where, found.before, found.action) == ("transmission/t", value, Action.IGNORED)
    assert [str(place.path).rpartition("actuator[1]/")[2] for place in found.sources] == [f"{tag}[1]/@value"]
    assert [breach.message for breach in validate(source).breaches if breach.rule == "EXT-NUMBER"]
    convert(tmp_path / "other.xml", tmp_path / "back.urdf")
    convert(source, tmp_path / "again.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes()
    assert f'{tag} value="{value}"' in shown(tmp_path / "back.urdf")


@pytest.mark.parametrize("word", ["1e", "reduction", "0x1F", "1\u00a0"])
def test_a_reduction_that_is_no_number_is_told_and_stays(tmp_path: Path, word: str):
    whole = heavy(arm(LIMIT)).replace("</robot>", f"{SIMPLE.format(word)}</robot>")
    stable(whole)
    source = file(tmp_path, whole)
    report = convert(source, tmp_path / "other.xml")
    assert mujoco_model(tmp_path / "other.xml").actuator_gear[0].tolist() == [1.0, 0, 0, 0, 0, 0]
    (found,) = of_rule(report, "urdf/no-number")
    assert found.before == word and "/actuator[1]/mechanicalReduction[1]" in found.sources[0].path
    convert(tmp_path / "other.xml", tmp_path / "back.urdf")
    assert f"<mechanicalReduction>{word}</mechanicalReduction>" in shown(tmp_path / "back.urdf")


@pytest.mark.parametrize("effort", ["-1", "0"])
def test_an_effort_that_is_no_bound_to_mujoco(tmp_path: Path, effort: str):
    """A range from 1 to -1 is invalid, both for the joint and for the motor made from a transmission."""
    whole = (
        heavy(arm(LIMIT))
        .replace('effort="1"', f'effort="{effort}"')
        .replace("</robot>", f"{SIMPLE.format(50)}</robot>")
    )
    source = file(tmp_path, whole)
    assert f'effort="{effort}"' in source.read_text()
    report = convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert not model.jnt_actfrclimited.any() and "frcrange" not in (tmp_path / "other.xml").read_text()
    assert model.nu == 1 and not model.actuator_ctrllimited.any()
    (found,) = of_rule(report, "mjcf/effort")
    assert found.before == effort and "above 0" in found.reason
    assert read(tmp_path / "other.xml") == read(source)


GAINS = {"effort": None, "position": "kp", "velocity": "kv"}


@pytest.mark.parametrize("command", GAINS)
def test_a_gain_that_only_mujoco_has_is_told_as_chosen(tmp_path: Path, command: str):
    interface = f"hardware_interface/{command.capitalize()}JointInterface"
    said = f'<joint name="j"><hardwareInterface>{interface}</hardwareInterface></joint><actuator name="m"/>'
    kind = "<type>transmission_interface/SimpleTransmission</type>"
    text = arm(LIMIT).replace("</robot>", f'<transmission name="t">{kind}{said}</transmission></robot>')
    source = file(tmp_path, heavy(text))
    report = explained(convert(source, tmp_path / "out.xml"))
    gain = GAINS[command]
    told = [(each.action, each.where, each.after) for each in of_rule(report, "actuators/gain")]
    assert told == ([("derived", f"actuator/m.{gain}", "1")] if gain else [])
    assert mujoco_model(tmp_path / "out.xml").actuator_gainprm[0][0] == 1.0
    assert not of_rule(report, "actuators/none")
    assert not of_rule(convert(tmp_path / "out.xml", tmp_path / "again.xml"), "actuators/gain")
    convert(tmp_path / "out.xml", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(source)


def test_a_robot_that_nothing_drives_is_told_so_once(tmp_path: Path):
    source = file(tmp_path, heavy(arm(LIMIT)))
    (told,) = of_rule(explained(convert(source, tmp_path / "out.xml")), "actuators/none")
    assert (told.action, told.severity, told.count) == ("noted", "note", 1)
    model = mujoco_model(tmp_path / "out.xml")
    assert model.nu == 0 and told.before == f"joints that nothing drives: {model.njnt}"
    for other in ("same.urdf", "out.sdf", "out.glb"):
        assert not of_rule(convert(source, tmp_path / other), "actuators/none")
    assert not of_rule(convert(tmp_path / "out.xml", tmp_path / "own.xml"), "actuators/none")
    still = saved(tmp_path / "still.urdf", robot('<link name="a"/>'))
    assert not of_rule(convert(still, tmp_path / "still.xml"), "actuators/none")
