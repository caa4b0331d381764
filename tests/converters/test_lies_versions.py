"""Another version of SDFormat explains what it cannot express, but no additional error of the writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
from converters.context import Options
from tests.converters.lying import lying, rules, unexplained
from tests.files import saved
from tests.reports import explained

KEEPING = """<sdf version="1.6"><world name="w"><model name="m"><link name="a">
  <sensor name="s" type="camera"><camera><horizontal_fov>1</horizontal_fov>
  <noise><type>gaussian</type><mean>0.1</mean><stddev>0.2</stddev></noise></camera>
  <plugin name="p" filename="q.so"><a>1</a><b><c>2</c></b></plugin></sensor></link>
  <plugin name="p2" filename="r.so"><a>1</a><e>5</e></plugin></model></world></sdf>
"""
OWNED = """<sdf version="1.6"><world name="w"><physics name="p" type="ode">
  <ode><solver><iters>50</iters></solver><constraints><cfm>0.1</cfm></constraints></ode></physics>
  <atmosphere type="adiabatic"><temperature>300</temperature></atmosphere><light name="l" type="point">
  <plugin name="z" filename="z.so"/></light><model name="m"><link name="a"><inertial><mass>2</mass></inertial>
  <must_be_base_link>true</must_be_base_link>
  <battery name="b"><voltage>12</voltage></battery>
  <visual name="v"><meta><layer>4</layer></meta><geometry><box><size>1 1 2</size></box></geometry></visual>
  <collision name="c"><max_contacts>7</max_contacts><geometry><box><size>1 1 2</size></box></geometry>
  <surface><friction><torsional><ode><slip>0.5</slip></ode></torsional></friction></surface></collision></link>
  <link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>
  <physics><ode><max_force>5</max_force></ode><provide_feedback>1</provide_feedback></physics></joint></model>
  </world></sdf>
"""


@pytest.mark.parametrize("version", ["1.9", "1.12"])
@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        (r"<noise>.*?</noise>", ""),
        (r"<mean>0.1</mean>", ""),
        (r"(<stddev>0.2</stddev>)", r"\1\1"),
        (r"(<noise>.*?</noise>)", r"\1\1"),
        (r"<c>2</c>", ""),
        (r'<plugin name="p" .*?</plugin>', ""),
        (r'(<plugin name="p" .*?</plugin>)', r"\1\1"),
        (r"<e>5</e>", ""),
        (r"(<e>5</e>)", r"\1\1"),
    ],
)
def test_a_kept_block_that_both_versions_know_is_the_same_in_both(
    version: str, written: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    options = Options(sdf_version=version)
    source = saved(tmp_path / "r.sdf", KEEPING)
    explained(convert(source, tmp_path / "right.sdf", options=options))
    lying(written, wrong, "sdf", monkeypatch)
    assert any(".extras.sdf" in rule for rule in rules(convert(source, tmp_path / "wrong.sdf", options=options)))


@pytest.mark.parametrize("version", [None, "1.6", "1.12"])
def test_a_sensor_of_a_kind_that_both_versions_know_is_in_both(
    version: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = saved(tmp_path / "r.sdf", KEEPING)
    lying(r"<sensor .*?</sensor>", "", "sdf", monkeypatch)
    assert "sensor" in rules(convert(source, tmp_path / "wrong.sdf", options=Options(sdf_version=version)))


@pytest.mark.parametrize("wrong", ["", r"\g<0>\g<0>"], ids=["gone", "twice"])
@pytest.mark.parametrize("version", [None, "1.6", "1.12"])
@pytest.mark.parametrize(
    "word",
    [
        "iters",
        "cfm",
        "solver",
        "ode",
        "atmosphere",
        "temperature",
        "must_be_base_link",
        "battery",
        "voltage",
        "meta",
        "max_contacts",
        "slip",
        "torsional",
        "max_force",
        "provide_feedback",
        "layer",
        "mass",
    ],
)
def test_so_is_one_of_whatever_owns_it(
    word: str, version: str | None, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    options = Options(sdf_version=version)
    source = saved(tmp_path / "r.sdf", OWNED)
    explained(convert(source, tmp_path / "right.sdf", options=options))
    lying(rf"<{word}\b[^>]*>.*?</{word}>", wrong, "sdf", monkeypatch)
    assert unexplained(convert(source, tmp_path / "wrong.sdf", options=options))
