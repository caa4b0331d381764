"""Where the report locates items of an MJCF: the element itself, then its default classes.

Judged by lxml: a path leads to the element on that line.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import trimesh
from lxml import etree

from converters.context import Options
from converters.convert import convert
from converters.report.model import Finding
from converters.report.text import text
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

ARM = """<mujoco>
  <default>
    <joint armature="0.1" solreflimit="0.02 1"/>
    <position kp="30" ctrllimited="true" ctrlrange="-1 1"/>
    <tendon stiffness="3"/>
    <default class="strong">
      <position kp="60"/>
      <joint frictionloss="0.5"/>
    </default>
    <default class="unused">
      <position forcerange="-1 1"/>
    </default>
  </default>
  <worldbody>
    <body name="arm">
      <joint name="elbow" class="strong" axis="0 1 0"
             range="-90 90"/>
      <joint name="wrist" armature="0.2" axis="1 0 0"/>
      <geom size="0.1"/>
      <site name="tip"/>
    </body>
  </worldbody>
  <actuator>
    <position name="lift" class="strong" joint="elbow"/>
    <position name="turn" joint="wrist" kp="1" ctrllimited="true" ctrlrange="-2 2"/>
  </actuator>
  <tendon>
    <fixed name="both"><joint joint="elbow" coef="1"/><joint joint="wrist" coef="1"/></fixed>
  </tendon>
</mujoco>
"""


@pytest.fixture
def told(tmp_path: Path) -> tuple[Finding, ...]:
    (tmp_path / "arm.xml").write_text(ARM)
    report = convert(tmp_path / "arm.xml", tmp_path / "arm.sdf", options=Options(carry=False))
    document = etree.fromstring(ARM.encode())
    for place in (place for finding in report.findings for place in finding.sources if place.line > 1):
        (found,) = document.xpath(place.path.partition("/@")[0])
        assert found.sourceline in (place.line, place.line + 1)  # lxml counts to the end of a start tag
    return report.findings


def places(told: tuple[Finding, ...], where: str) -> list[int]:
    (found,) = {tuple(place.line for place in each.sources) for each in told if each.where.startswith(where)}
    return [*found]


def test_what_a_class_says_of_a_thing_that_is_lost_is_named_behind_it(told: tuple[Finding, ...]):
    assert places(told, "actuator/lift") == [24, 4, 7]


def test_a_class_of_which_everything_is_said_anew_is_not_named(told: tuple[Finding, ...]):
    assert places(told, "actuator/turn") == [25]


def test_each_joint_of_a_body_stands_at_its_own_element(told: tuple[Finding, ...]):
    found = {each.where: [place.line for place in each.sources] for each in told if ".dofs." in each.where}
    assert found["joint/joint_arm.dofs.0.armature"] == [16, 3, 8]
    assert found["joint/joint_arm.dofs.1.armature"] == [18, 3]


def test_people_are_shown_the_thing_itself(tmp_path: Path):
    shown = text(convert(saved(tmp_path / "arm.xml", ARM), tmp_path / "arm.sdf")).splitlines()
    assert any("arm.xml:24: actuator/lift" in line for line in shown)


def test_a_class_that_nobody_has_is_told_by_its_name(told: tuple[Finding, ...]):
    assert "/mujoco/default[1]/default[2]/@class" in {place.path for each in told for place in each.sources}
    assert "/mujoco/default[1]/default[1]/@class" not in {place.path for each in told for place in each.sources}


def test_a_world_that_several_options_describe_stands_at_all_of_them(tmp_path: Path):
    options = '<option solver="CG"/><option timestep=".01"/><option><flag energy="enable"/></option>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{options}<worldbody/></mujoco>")
    report = convert(tmp_path / "m.xml", tmp_path / "m.urdf", options=Options(carry=False))
    (world,) = [each for each in report.findings if each.where == "physics/physics"]
    assert [place.path for place in world.sources] == [f"/mujoco/option[{count}]" for count in (1, 2, 3)]


def test_what_a_joint_follows_stands_at_the_equation_too(tmp_path: Path):
    body = '<body><joint name="{0}"/><geom size=".1"/></body>'
    (tmp_path / "m.xml").write_text(
        f"<mujoco><worldbody>{body.format('a')}{body.format('b')}</worldbody>"
        '<equality><joint joint1="a" joint2="b" polycoef="1 2"/></equality></mujoco>'
    )
    report = convert(tmp_path / "m.xml", tmp_path / "m.sdf", options=Options(carry=False, sdf_version="1.9"))
    (lost,) = of_rule(report, "sdf/mimic")
    assert [place.path for place in lost.sources][1:] == ["/mujoco/equality[1]/joint[1]"]


@pytest.mark.parametrize(
    ("sections", "lost"),
    [
        ('<compiler angle="degree" meshdir="a"/><compiler angle="radian"/>', ["angle"]),
        ('<compiler angle="radian"/><option timestep=".1"/>' * 2, ["angle", "timestep"]),
        ('<option timestep="1" wind="1 0 0"/><option timestep=".1"/>', ["timestep"]),
        (
            '<option><flag contact="disable"/></option><option><flag contact="enable" limit="disable"/></option>',
            ["contact"],
        ),
        ('<option o_solref="1"/><option o_solref="1 2"/><compiler meshdir="a"/><compiler texturedir="a"/>', []),
    ],
)
def test_what_a_later_section_says_otherwise_is_told(sections: str, lost: list[str], tmp_path: Path):
    (tmp_path / "in.xml").write_text(f"<mujoco>{sections}<worldbody><geom size='1'/></worldbody></mujoco>")
    for suffix, expected in (("urdf", lost), ("xml", [])):
        report = convert(tmp_path / "in.xml", tmp_path / f"out.{suffix}")
        told = of_rule(report, "mjcf/overridden")
        assert [place.path.rpartition("@")[2] for each in told for place in each.sources] == expected


def test_a_folder_for_images_that_nothing_uses_goes_where_files_are_put_beside_the_output(tmp_path: Path):
    (tmp_path / "m").mkdir()
    trimesh.creation.box().export(tmp_path / "m" / "box.stl")
    body = '<asset><mesh name="b" file="box.stl"/></asset><worldbody><geom type="mesh" mesh="b"/></worldbody>'
    model = f'<mujoco><compiler meshdir="m" texturedir="../images"/>{body}</mujoco>'
    report = explained(convert(saved(tmp_path / "in.xml", model), tmp_path / "out.xml"))
    assert [each.where for each in of_rule(report, "mjcf/compiler")] == ["scene/extras.compiler[1]/@texturedir"]


@pytest.mark.parametrize("target", ["urdf", "sdf", "glb", "xml"])
def test_a_density_that_nobody_said_and_that_counts_for_nothing_is_no_loss(target: str, tmp_path: Path):
    body = '<body name="b"><freejoint/><geom name="g" size="1" mass="2"/></body>'
    (tmp_path / "m.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    report = explained(convert(tmp_path / "m.xml", tmp_path / f"out.{target}"))
    assert not [each for each in report.findings if "density" in each.where]
    convert(tmp_path / f"out.{target}", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert model.body("b").mass[0] == 2
    assert 'density="0"' not in (tmp_path / "back.xml").read_text()
