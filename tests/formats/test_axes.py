"""Axes of joints: which changes are not repairs, and what of the axis arrives. Judged by lxml and MuJoCo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from converters.convert import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

SOURCES = {
    "urdf": '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
    '<child link="b"/><axis xyz="{}"/></joint></robot>',
    "sdf": '<sdf version="1.9"><model name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
    "<parent>a</parent><child>b</child><axis><xyz>{}</xyz></axis></joint></model></sdf>",
    "xml": '<mujoco model="r"><worldbody><body name="a"><body name="b"><joint name="j" axis="{}"/>'
    '<geom size=".1"/></body></body></worldbody></mujoco>',
}
SUFFIXES = [*SOURCES, "glb"]
ROUNDED = [
    "0.57735026918963 0.57735026918963 0.57735026918963",
    "0 0 1.000000000000005",
    "0.577350269189 0.577350269190 0.577350269190",
]
SMALL = ["1e-12 0 1", "1e-200 0 1", "0 1e-08 1"]


def written(target: Path) -> list[float]:
    """Return the axis of the only joint that turns, as written in the document."""
    (text,) = etree.parse(target).xpath("//joint/axis/@xyz | //axis/xyz/text() | //joint/@axis")
    return [float(word) for word in text.split()]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("axis", ROUNDED + SMALL)
@pytest.mark.parametrize("source", SOURCES)
def test_an_axis_of_length_one_but_for_rounding_arrives_as_it_is_and_is_not_told(
    tmp_path: Path, source: str, axis: str, suffix: str
) -> None:
    path, target = tmp_path / f"in.{source}", tmp_path / f"out.{suffix}"
    path.write_text(SOURCES[source].format(axis))
    report = explained(convert(path, target))
    assert [each.where for each in report.findings if "axis" in f"{each.where} {each.rule}"] == []
    numbers = [float(word) for word in axis.split()]
    assert read(target).joint_of("b").dofs[0].axis == tuple(numbers)
    if suffix != "glb":
        assert written(target) == numbers
    if suffix == "xml":
        compiled = mujoco_model(target)
        assert list(compiled.jnt_axis[compiled.joint("j").id]) == pytest.approx(numbers, abs=1e-12)


@pytest.mark.parametrize("axis", ["0.57735 0.57735 0.57735", "0 0 1.00000000001", "0 0 2"])
def test_an_axis_of_another_length_is_made_one_of_length_one_and_told(tmp_path: Path, axis: str) -> None:
    path, target = tmp_path / "in.urdf", tmp_path / "out.xml"
    path.write_text(SOURCES["urdf"].format(axis))
    report = explained(convert(path, target))
    assert [(each.where, each.before) for each in of_rule(report, "urdf/axis")] == [("joint/j.dofs.0.axis", axis)]
    assert sum(number * number for number in written(target)) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(("suffix", "action"), [("sdf", "noted"), ("xml", "repaired")])
def test_what_stands_as_it_did_is_not_called_repaired(suffix: str, action: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "in.sdf", SOURCES["sdf"].format("0 0 2"))
    report = explained(convert(source, tmp_path / f"out.{suffix}"))
    (found,) = of_rule(report, "sdf/axis-length")
    after = "" if action == "noted" else "0 0 1"
    assert (found.where, found.action, found.before, found.after) == ("joint/j.dofs.0.axis", action, "0 0 2", after)
    assert found.sources[0].path.endswith("/joint[1]/axis[1]/xyz[1]")
    assert written(tmp_path / f"out.{suffix}") == [0, 0, 2.0 if action == "noted" else 1.0]


@pytest.mark.parametrize(("kind", "dofs"), [("revolute", 1), ("screw", 1), ("universal", 2), ("ball", 0), ("fixed", 0)])
def test_an_axis_that_an_sdf_does_not_say_is_told(kind: str, dofs: int, tmp_path: Path) -> None:
    """libsdformat has no axis then and Drake refuses the model, so that the axis of the output is invented."""
    source, axes = tmp_path / "in.sdf", "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>"
    text = SOURCES["sdf"].replace("continuous", kind).partition("<axis>")[0]
    source.write_text(f"{text}</joint></model></sdf>")
    assert sdformat_reads(source)["joints"]["j"]["axes"] == []
    for target in ("xml", "urdf", "sdf"):
        told = of_rule(explained(convert(source, tmp_path / f"out.{target}")), "sdf/no-axis")
        assert [each.where for each in told] == [f"joint/j.dofs.{index}.axis" for index in range(dofs)]
        assert {each.action for each in told} <= {"noted" if target == "sdf" else "repaired"}
    source.write_text(f"{text}{axes if dofs else ''}</joint></model></sdf>")
    assert of_rule(explained(convert(source, tmp_path / "out.xml")), "sdf/no-axis") == []


@pytest.mark.parametrize("through", ["", *SUFFIXES])
@pytest.mark.parametrize("axis", ["0 0 2", "0.573576 0.819152 1.05097e-07", "-1e-3 0 0"])
def test_an_axis_comes_back_in_the_numbers_of_its_author(axis: str, through: str, tmp_path: Path) -> None:
    source = first = tmp_path / "in.urdf"
    source.write_text(SOURCES["urdf"].format(axis))
    if through:
        first = tmp_path / f"between.{through}"
        convert(source, first)
    back = tmp_path / "back.urdf"
    report = explained(convert(first, back))
    assert written(back) == [float(word) for word in axis.split()]
    assert {each.action for each in of_rule(report, "urdf/axis")} <= {"noted"}


def test_an_axis_that_was_edited_on_the_way_is_the_new_one(tmp_path: Path) -> None:
    source, between, back = tmp_path / "in.urdf", tmp_path / "between.xml", tmp_path / "back.urdf"
    source.write_text(SOURCES["urdf"].format("0 0 2"))
    convert(source, between)
    text = re.sub(r' axis="[^"]*"', "", between.read_text())
    between.write_text(text.replace('<joint name="j"', '<joint name="j" axis="0 1 0"'))
    convert(between, back)
    assert written(back) == [0, 1, 0]


@pytest.mark.parametrize("suffix", [".sdf", ".xml", ".glb", ".urdf"])
def test_the_normal_of_a_plane_is_a_direction_and_its_author_has_the_numbers_back(suffix: str, tmp_path: Path) -> None:
    plane = '<plane normal="1.5 0 2"/>'
    source = tmp_path / "r.urdf"
    source.write_text(
        f'<robot name="r"><link name="a"><collision><geometry>{plane}</geometry></collision></link></robot>'
    )
    (geom,) = read(source).body("a").geoms
    assert geom.shape.normal == pytest.approx((0.6, 0.0, 0.8))
    there = tmp_path / "out" / f"r{suffix}"
    report = convert(source, there)
    assert "urdf/plane-normal" in {finding.rule for finding in report.findings}
    convert(there, tmp_path / "back.urdf")
    assert plane in (tmp_path / "back.urdf").read_text()
