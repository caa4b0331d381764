"""Elementary transform sequences in the notation of others, evaluated from the text only."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from converters.chains.describe import described
from converters.chains.sequence import DIALECTS
from converters.convert import read
from ir.kinematics import configuration, forward
from tests.files import saved
from tests.formats.gltf_written import as_matrix

LED = """<robot name="led">{links}
<joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 .1 0" rpy="0 .5 0"/>
<axis xyz="0 -1 0"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
<joint name="turn" type="continuous"><parent link="b"/><child link="c"/><origin rpy="1 2 3"/><axis xyz="1 2 2"/>
<mimic joint="lift" multiplier="-2" offset=".25"/></joint>
<joint name="last" type="continuous"><parent link="c"/><child link="d"/><origin xyz="1e-3 0 12.678"/>
<axis xyz="1 0 0"/><mimic joint="turn" multiplier=".5" offset="-1"/></joint></robot>""".format(
    links="".join(f'<link name="{name}"/>' for name in "abcd")
)


def worked_out(text: str, values: dict[str, float]) -> np.ndarray:
    """Return the product of the steps of a sequence, with coordinates replaced by their values."""
    found = np.eye(4)
    for kind, axis, inside in re.findall(r"([RtT])([xyz])\(([^)]*)\)", text):
        for name, value in sorted(values.items(), reverse=True):
            inside = re.sub(rf"\b{name}\b", f"({value!r})", inside)
        inside = re.sub(r"([-+.\de]+)°", r"math.radians(\1)", inside)
        amount, step, index = eval(inside, {"math": math}), np.eye(4), "xyz".index(axis)
        if kind == "R":
            first, second = [each for each in range(3) if each != index]
            sign = -1 if index == 1 else 1
            step[first, first] = step[second, second] = math.cos(amount)
            step[second, first], step[first, second] = sign * math.sin(amount), -sign * math.sin(amount)
        else:
            step[index, 3] = amount
        found = found @ step
    return found


@pytest.mark.parametrize("dialect", ["rtb-py", "rtb-matlab"])
@pytest.mark.parametrize("name", ["feature_planar2", "feature_mimic_chain", "feature_axis_in_joint_frame", "led"])
def test_the_text_leads_where_the_robot_reaches(tmp_path: Path, made: Path, name: str, dialect: str):
    path = made / f"{name}.urdf"
    if name == "led":
        path = saved(tmp_path / "led.urdf", LED)
    scene = read(path)
    chains = described(path, ets=dialect)
    assert chains
    for each in chains:
        spelt = each["ets"]
        dice = random.Random(1)
        values = {short: dice.uniform(-1, 1) for short in spelt["coordinates"]}
        asked = {joint: (values[short],) for short, joint in spelt["coordinates"].items()}
        poses = forward(scene, configuration(scene, asked))
        first, last = (as_matrix(poses[each[end]]) for end in ("root", "tip"))
        wanted = np.linalg.inv(first) @ last
        assert worked_out(spelt["text"], values) == pytest.approx(wanted, abs=1e-9)


def test_the_planar_arm_as_others_write_it(made: Path):
    texts = {name: described(made / "feature_planar2.urdf", ets=name)[0]["ets"] for name in DIALECTS}
    assert texts["rtb-py"]["text"] == "Rz(q0) ⊕ tx(1) ⊕ Rz(q1) ⊕ tx(1)"
    assert texts["rtb-py"]["coordinates"] == {"q0": "q1", "q1": "q2"}
    assert texts["rtb-matlab"]["text"] == "Rz(q1)Tx(1)Rz(q2)Tx(1)"
    assert texts["latex"]["text"] == (
        r"\mathbf{R}_z(q_{1}) \, \mathbf{t}_x(1) \, \mathbf{R}_z(q_{2}) \, \mathbf{t}_x(1)"
    )


def test_a_joint_that_follows_one_which_follows_is_said_in_terms_of_the_first(made: Path):
    (chain,) = described(made / "feature_mimic_chain.urdf", ets="rtb-matlab")
    assert chain["ets"]["coordinates"] == {"q1": "lead"}
    assert chain["ets"]["text"] == "Rz(q1)Rz(-2*q1 + 0.1)Rz(-q1 + 0.05)"
