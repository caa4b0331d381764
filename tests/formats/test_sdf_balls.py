"""The damping of a ball joint, equal for all directions: in SDF (as Drake reads it), in MJCF, and both ways."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from tests.formats.sdf_text import converted, joint, link, put, sdf
from tests.oracles import sdf_elements
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import of_rule

MJCF = """<mujoco><worldbody><body name="a"><geom size="1"/><body name="b">
<joint name="j" type="ball" damping="0.25"%s/><geom size="1"/></body></body></worldbody></mujoco>"""


def ball(inner: str) -> str:
    return sdf(joint("w", "world", "a", "", "fixed") + link("a") + link("b") + joint("j", "a", "b", inner, "ball"))


@pytest.mark.parametrize(
    ("inner", "damping"),
    [
        ("<axis><dynamics><damping>0.25</damping></dynamics></axis>", 0.25),
        ("<axis><xyz>0 1 0</xyz><dynamics><damping>0.25</damping><friction>0.5</friction></dynamics></axis>", 0.25),
        ("<axis><dynamics><friction>0.5</friction></dynamics></axis>", 0.0),
        ("<axis/>", 0.0),
        ("", 0.0),
    ],
)
def test_mujoco_damps_a_ball_as_drake_does(tmp_path: Path, inner: str, damping: float) -> None:
    source = put(tmp_path, ball(inner))
    assert drake_reads(source)["damping"]["j"] == [damping] * 3
    _, there = converted(tmp_path, source, "there.xml")
    assert mujoco_model(there).dof_damping.tolist() == [damping] * 3
    _, back = converted(tmp_path, there, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []
    _, same = converted(tmp_path, source, "same.sdf")
    assert list(sdf_elements.differences(source, same)) == []


@pytest.mark.parametrize("more", ["", ' stiffness="3" frictionloss="0.5" armature="0.125"'])
def test_drake_damps_a_ball_as_mujoco_does(tmp_path: Path, more: str) -> None:
    """Drake reads no other dynamics of a ball joint, which is reported."""
    report, there = converted(tmp_path, put(tmp_path, MJCF % more, "source.xml"), "there.sdf")
    document = etree.parse(there)
    assert not sdformat_reads(there)["errors"]
    assert drake_reads(there)["damping"]["j"] == [0.25] * 3
    assert [each.tag for each in document.find(".//joint[@name='j']/axis/dynamics")] == ["damping"]
    lost = {each.where.rpartition(".")[2] for each in of_rule(report, "sdf/joint-dynamics")}
    assert lost == ({"stiffness", "friction"} if more else set())
    bare = re.sub("<kinegraph:carried.*?/>", "", there.read_text(), flags=re.DOTALL)
    _, back = converted(tmp_path, put(tmp_path, bare, "bare.sdf"), "back.xml")
    assert mujoco_model(back).joint("j").damping.tolist() == [0.25] * 3
