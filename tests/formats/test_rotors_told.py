"""The armature of a joint of MJCF is the rotor of Drake in URDF and SDFormat, and nothing to other engines: told."""

from __future__ import annotations

from pathlib import Path

import pinocchio as pin
import pytest

from converters.context import Options
from converters.convert import convert
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.reports import complete, of_rule

ARM = """<mujoco><worldbody><body name="a"><joint name="driven" armature=".5"/>
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
