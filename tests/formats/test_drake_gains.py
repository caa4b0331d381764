"""Controller gains of Drake drive the joint in MuJoCo. Drake shows which it uses, MuJoCo what they do."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import convert
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, complete, of_rule

BODY = "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
SDF = f"""<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m">
<link name="a"/><link name="b"><inertial>{BODY}</inertial></link>
<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="j" type="revolute"><parent>a</parent><child>b</child>
<axis><xyz>0 1 0</xyz><limit><effort>{{effort}}</effort></limit></axis>{{gains}}</joint></model></sdf>"""
URDF = """<robot name="m" xmlns:drake="http://drake.mit.edu"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
<limit effort="{effort}" velocity="9"/></joint><transmission name="t">
<type>transmission_interface/SimpleTransmission</type>
<joint name="j"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
<actuator name="act">{gains}</actuator></transmission></robot>"""
FORMS = {"sdf": SDF, "urdf": URDF}
WORD = "drake:controller_gains"
GAINS = f"<{WORD} p='{{}}' d='{{}}'/>"


def written(folder: Path, form: str, gains: str, effort: str = "5") -> Path:
    return saved(folder / f"in.{form}", FORMS[form].format(gains=gains, effort=effort))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("p", "d"), [("10", "2"), ("0", "2"), ("10", "0")])
def test_gains_of_drake_drive_the_joint(tmp_path: Path, form: str, p: str, d: str) -> None:
    source = written(tmp_path, form, GAINS.format(p, d) + GAINS.format(70, 70))
    assert drake_reads(source)["gains"] == {"j": [float(p), float(d)]}
    complete(convert(source, tmp_path / "m.xml"))
    model = mujoco_model(tmp_path / "m.xml")
    data = mujoco.MjData(model)
    data.qpos[0], data.qvel[0], data.ctrl[0] = 0.3, -0.2, 0.1 if float(p) else 0.0
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[0] == pytest.approx(float(p) * (0.1 - 0.3) - float(d) * -0.2, abs=1e-12)
    data.qpos[0], data.qvel[0] = -100, -100
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[0] == 5  # the effort of the joint
    assert model.actuator(0).name == ("j" if form == "sdf" else "act")
    complete(comes_back(source, tmp_path / "m.xml"))


@pytest.mark.parametrize("form", FORMS)
def test_a_joint_of_no_effort_has_no_actuator_in_drake(tmp_path: Path, form: str) -> None:
    source = written(tmp_path, form, GAINS.format(10, 2), "0")
    assert drake_reads(source)["gains"] == {}
    convert(source, tmp_path / "m.xml")
    assert not [*etree.parse(tmp_path / "m.xml").iter("position", "velocity")]


@pytest.mark.parametrize("gains", [f"<{WORD} p='1'/>", f"<{WORD}><p>1</p></{WORD}>"])
@pytest.mark.parametrize("form", FORMS)
def test_what_drake_refuses_is_no_servo(tmp_path: Path, form: str, gains: str) -> None:
    source = written(tmp_path, form, gains)
    with pytest.raises(RuntimeError, match="controller_gains"):
        drake_reads(source)
    complete(convert(source, tmp_path / "m.xml"))
    assert not [*etree.parse(tmp_path / "m.xml").iter("position", "velocity")]


def test_what_becomes_of_words_about_a_drive_is_told(tmp_path: Path) -> None:
    rotor = "<drake:rotor_inertia>0.1</drake:rotor_inertia><drake:gear_ratio>2</drake:gear_ratio>"
    source = written(tmp_path, "sdf", GAINS.format(10, 2) + rotor)
    report = convert(source, tmp_path / "m.xml")
    assert len(of_rule(report, "mjcf/drake-gains")) == 1 and not of_rule(report, "mjcf/foreign-element")
    report = convert(source, tmp_path / "m.urdf")
    assert len(of_rule(report, "urdf/drake-drive")) == 3 and not of_rule(report, "urdf/foreign")
