"""`kinegraph validate --engine`: the result of an engine for a model as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from converters.convert import convert
from converters.validating import validate
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.reports import of_rule

MJCF = '<mujoco><worldbody><body><joint/><geom type="capsule" size="%s"/></body></worldbody></mujoco>'
URDF = '<robot name="r"><link name="a"/><link name="b"/>%s</robot>'
JOINT = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
SDF = """<sdf version="1.9"><model name="m"><link name="a"/><frame name="%s"/></model></sdf>"""


def ran(path: Path, engine: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "converters", "validate", str(path), "--engine", engine, "--format", "json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def asked(path: Path, engine: str) -> tuple[int, list[str]]:
    done = ran(path, engine)
    found = json.loads(done.stdout)["findings"]
    return done.returncode, [each["message"] for each in found if each["rule"] == "ENGINE"]


@pytest.mark.parametrize(
    ("engine", "name", "good", "bad", "words"),
    [
        ("mujoco", "m.xml", MJCF % ".1 .2", MJCF % ".1", "size 1 must be positive"),
        ("pinocchio", "r.urdf", URDF % JOINT, URDF % "", "valid urdf"),
        ("drake", "m.sdf", SDF % "f", SDF % "a", "non-unique"),
    ],
)
def test_an_engine_has_the_last_word(tmp_path: Path, engine: str, name: str, good: str, bad: str, words: str):
    code, said = asked(saved(tmp_path / name, good), engine)
    assert (code in (0, 1), said) == (True, [])
    code, said = asked(saved(tmp_path / name, bad), engine)
    assert code == 1
    (message,) = said
    assert message.startswith(f"{engine}: ") and words in message.lower()


@pytest.mark.parametrize(
    ("name", "text", "engine", "words"),
    [
        ("m.xml", MJCF % ".1 .2", "drake", "this is mjcf, and drake is asked about sdf: ask mujoco"),
        (
            "r.urdf.xacro",
            URDF % JOINT,
            "pinocchio",
            "this is xacro, and pinocchio is asked about urdf: convert it to urdf first",
        ),
    ],
)
def test_an_engine_is_asked_about_its_own_format(tmp_path: Path, name: str, text: str, engine: str, words: str):
    done = ran(saved(tmp_path / name, text), engine)
    assert done.returncode == 2
    assert done.stderr == f"kinegraph: {tmp_path / name}: {words}\n"


ROUGH = """<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry><sphere/></geometry><surface>
<friction>{}</friction></surface></collision></link></model></sdf>"""


@pytest.mark.parametrize(
    ("said", "above"),
    [
        ("<ode><mu>1</mu><mu2>2</mu2></ode>", True),
        ("<ode><mu>0.5</mu></ode>", True),
        ("<ode><mu2>1.5</mu2></ode>", True),
        ("<ode><mu>0.5</mu><mu2>0.5</mu2></ode>", False),
        ("<ode><mu>2</mu></ode>", False),
        ("<ode><mu2>0.5</mu2></ode>", False),
        ("<torsional><coefficient>3</coefficient></torsional>", False),
    ],
)
def test_frictions_that_drake_refuses_are_told(tmp_path: Path, said: str, above: bool):
    path = saved(tmp_path / "m.sdf", ROUGH.format(said))
    with pytest.raises(RuntimeError, match="static friction") if above else nullcontext():
        drake_reads(path)
    assert ("SDF-FRICTION" in {breach.rule for breach in validate(path).breaches}) == above


@pytest.mark.parametrize(
    ("said", "above"),
    [
        ("<mu1>0.2</mu1><mu2>0.9</mu2>", True),
        ("<mu1>0.2</mu1>", True),  # across it is 1, as of any surface
        ("<mu2>1.5</mu2>", True),
        ("<mu1>0.9</mu1><mu2>0.2</mu2>", False),
        ("", False),
    ],
)
def test_frictions_of_a_block_that_drake_refuses_in_sdf_are_told(tmp_path: Path, said: str, above: bool):
    link = '<link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link>'
    (tmp_path / "m.urdf").write_text(f'<robot name="m">{link}<gazebo reference="a">{said}</gazebo></robot>')
    report = convert(tmp_path / "m.urdf", tmp_path / "m.sdf")
    with pytest.raises(RuntimeError, match="static friction") if above else nullcontext():
        drake_reads(tmp_path / "m.sdf")
    assert [each.action for each in of_rule(report, "sdf/drake-friction")] == ["noted"] * above
