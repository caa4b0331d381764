"""The armature of an MJCF joint is the rotor inertia of Drake in URDF and SDFormat, and unknown to other engines:
reported. So are drives that only Drake reads."""

from __future__ import annotations

from pathlib import Path

import pinocchio as pin
import pytest

from converters.context import Options
from converters.convert import convert
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.reports import complete, of_rule

ARM = """<mujoco model="r"><worldbody><body name="a"><joint name="driven" armature=".5"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="b" pos="0 0 1"><joint name="loose"{0}/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body>
</worldbody><actuator><motor name="m" joint="driven"/></actuator></mujoco>"""


def armatures(path: Path) -> dict[str, float]:
    read = pin.buildModelFromUrdf if path.suffix == ".urdf" else pin.buildModelFromMJCF
    model = read(str(path))
    return {model.names[number]: model.armature[model.joints[number].idx_v] for number in range(1, model.njoints)}


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_a_rotor_that_drake_alone_feels_is_told(tmp_path: Path, target: str) -> None:
    source, out = saved(tmp_path / "r.xml", ARM.format("")), tmp_path / f"r.{target}"
    report = complete(convert(source, out))
    assert [finding.where for finding in of_rule(report, f"{target}/rotor")] == ["joint/driven.dofs.0.armature"]
    (there,) = drake_reads(out, at=[{}])["at"]
    column = there["columns"]["driven"]
    assert there["matrix"][column][column] == pytest.approx(1 + 1 + 0.5)
    assert armatures(source)["driven"] == 0.5
    assert target == "sdf" or armatures(out)["driven"] == 0


def test_what_has_no_rotor_in_a_urdf_is_lost_and_not_noted(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.xml", ARM.format(' armature=".2"'))
    report = complete(convert(source, tmp_path / "r.urdf"))
    assert len(of_rule(report, "urdf/rotor")) == 1
    assert "joint/loose.dofs.0.armature" in {finding.where for finding in of_rule(report, "urdf/joint-dynamics")}


def test_a_rotor_of_drake_stays_one_without_a_word(tmp_path: Path) -> None:
    convert(saved(tmp_path / "r.xml", ARM.format("")), tmp_path / "r.urdf", options=Options(carry=False))
    report = convert(tmp_path / "r.urdf", tmp_path / "r.sdf")
    assert "<drake:rotor_inertia>0.5" in (tmp_path / "r.sdf").read_text()
    assert not of_rule(report, "sdf/rotor")


LEG = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
<joint name="driven" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<joint name="loose" type="prismatic"><parent link="b"/><child link="c"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<joint name="idle" type="prismatic"><parent link="c"/><child link="d"/>
<limit lower="-1" upper="1" effort="0" velocity="1"/></joint>
<joint name="stiff" type="fixed"><parent link="d"/><child link="e"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="driven">
<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint><actuator name="m"/>
</transmission></robot>"""


def actuated(path: Path) -> set[str]:
    return set(drake_reads(path)["driven"])


@pytest.mark.parametrize(("name", "text"), [("r.xml", ARM.format("")), ("r.urdf", LEG)])
def test_what_drake_alone_drives_in_an_sdf_is_told(tmp_path: Path, name: str, text: str) -> None:
    source, out, back = saved(tmp_path / name, text), tmp_path / "o.sdf", tmp_path / "back.urdf"
    report = complete(convert(source, out))
    assert [finding.where for finding in of_rule(report, "sdf/drake-actuator")] == ["joint/loose.dofs.0.effort"]
    assert actuated(source) == {"driven"} and actuated(out) == {"driven", "loose"}
    assert not of_rule(convert(source, tmp_path / f"o{source.suffix}"), "sdf/drake-actuator")
    assert not of_rule(convert(out, tmp_path / "again.sdf"), "sdf/drake-actuator")
    assert not of_rule(convert(out, back), "urdf/drake-actuator")


def test_what_drake_drives_in_an_sdf_and_not_in_a_urdf_is_told(tmp_path: Path) -> None:
    source, out = tmp_path / "r.sdf", tmp_path / "r.urdf"
    convert(saved(tmp_path / "r.xml", ARM.format("")), source, options=Options(carry=False))
    report = complete(convert(source, out))
    assert [finding.count for finding in of_rule(report, "urdf/drake-actuator")] == [2]
    assert actuated(source) == {"driven", "loose"} and not actuated(out)


def test_a_joint_of_several_axes_has_no_drive_in_drake(tmp_path: Path) -> None:
    axes = "".join(f"<{tag}><xyz>{xyz}</xyz></{tag}>" for tag, xyz in (("axis", "1 0 0"), ("axis2", "0 1 0")))
    joint = f'<joint name="j" type="universal"><parent>a</parent><child>b</child>{axes}</joint>'
    text = f'<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>{joint}</model></sdf>'
    source = saved(tmp_path / "m.sdf", text)
    assert not of_rule(complete(convert(source, tmp_path / "m.urdf")), "urdf/drake-actuator")
    assert not actuated(source) | actuated(tmp_path / "m.urdf")
