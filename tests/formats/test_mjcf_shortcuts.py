"""Actuators with what default classes of the same and of other kinds set for them. Judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.convert import read
from tests.formats.mjcf_tree import plainly

BODY = '<body name="a"><joint name="j" range="-30 40"/><geom size=".1"/></body>'
GENERAL = '<general gainprm="7" biastype="affine" biasprm="0 -7 -3" dyntype="filterexact" dynprm=".3"/>'
CLASSES = {
    "another kind in the class": (['<position kp="7"/>'], "motor velocity general position"),
    "another kind below it": (['<position kp="7"/>', '<velocity kv="2"/>'], "position general intvelocity"),
    "two kinds in one class": (['<position kp="7"/><motor gear="3"/>'], "position general"),
    "a law besides": (['<velocity kv="3"/><general gear="2"/>'], "position velocity general"),
    "a law": (['<general gainprm="5"/>', '<general biasprm="0 -3 -2"/>'], "position velocity intvelocity motor"),
    "a law with a lag": ([GENERAL], "position velocity cylinder"),
    "a law and a part of it": ([GENERAL, '<position kv=".5"/>'], "position general"),
    "a law that multiplies": (
        ['<general gaintype="affine" gainprm="0 0 -2"/>'],
        "position damper:ctrlrange=0,1 general",
    ),
    "a ratio of damping": (['<position kp="4" dampratio="1"/>'], "position position:kv=2 position:kp=3 general"),
    "a lag": (['<position timeconst=".2"/>'], "position position:timeconst=0 general"),
    "another servo": (['<intvelocity kp="3" kv=".2"/>'], "general intvelocity position"),
    "a damper": (['<damper kv="3" ctrlrange="0 1"/>'], "general damper motor"),
    "a cylinder": (['<cylinder diameter="2" bias="1 2 3" timeconst=".4"/>'], "general cylinder cylinder:area=3"),
    "a muscle": (['<muscle force="4" range=".5 1"/>'], "general:lengthrange=0,1 muscle:lengthrange=0,1"),
    "the law of a muscle": (
        ['<general gaintype="muscle" gainprm=".5 1 4 200 .5 1.6 1.5 1.3 1.2" dynprm=".02 .05"/>'],
        "muscle:lengthrange=0,1",
    ),
    "adhesion": (['<adhesion gain="3" ctrlrange="0 1"/>'], "general motor"),
    "a controller": (['<pid kp="3" ki="2" kv=".1"/>'], "general pid position"),
    "a range of its own": (['<position inheritrange="1"/>'], "position:ctrlrange=-3,3 position motor"),
    "the range of its joint": (['<motor ctrlrange="-2 2"/>'], "position:inheritrange=1 position"),
    "a range that is hidden": (
        ['<motor ctrlrange="-2 2"/>', '<position inheritrange="1"/>'],
        "position motor velocity general",
    ),
    "a range of activations": (['<intvelocity inheritrange="1"/>'], "intvelocity:actrange=-3,3 intvelocity"),
}


@pytest.mark.parametrize("name", CLASSES)
def test_an_actuator_is_what_its_classes_make_of_it(tmp_path: Path, name: str) -> None:
    classes, asked = CLASSES[name]
    nested = "".join(f'<default class="c{number}">{inside}' for number, inside in enumerate(classes))
    elements = [
        f'<{tag} name="a{number}" joint="j" class="c{len(classes) - 1}" '
        + " ".join(f'{key}="{value.replace(",", " ")}"' for key, _, value in [more.partition("=")] if key)
        + "/>"
        for number, (tag, _, more) in enumerate(each.partition(":") for each in asked.split())
    ]
    source = tmp_path / "in.xml"
    source.write_text(
        f"<mujoco><default>{nested}{'</default>' * len(classes)}</default><worldbody>{BODY}</worldbody>"
        f"<actuator>{''.join(elements)}</actuator></mujoco>"
    )
    ours, theirs = plainly(source, read(source))
    for field in (each for each in dir(theirs) if each.startswith("actuator_")):
        assert np.allclose(getattr(ours, field), getattr(theirs, field)), field


@pytest.mark.parametrize(
    "said",
    [
        '<general body="a"/>',
        '<motor joint="j" site="s"/>',
        '<general site="s" joint="j" body="a"/>',
        '<motor joint="j" jointinparent="j"/>',
        '<position joint="j" tendon="t"/>',
        '<motor tendon="t" cranksite="s" slidersite="s" cranklength=".2"/>',
        '<motor site="s" tendon="nothing"/>',
    ],
)
def test_of_several_transmissions_the_last_one_counts(tmp_path: Path, said: str) -> None:
    source = tmp_path / "in.xml"
    source.write_text(
        '<mujoco><default><motor cranklength=".3"/></default>'  # which only a crank can say itself
        f'<worldbody>{BODY.replace("</body>", "")}<site name="s"/></body></worldbody><tendon><fixed name="t">'
        f'<joint joint="j" coef="1"/></fixed></tendon><actuator>{said}</actuator></mujoco>'
    )
    scene = read(source)
    ours, theirs = plainly(source, scene)
    for field in ("actuator_trntype", "actuator_trnid", "actuator_gainprm", "actuator_biasprm"):
        assert np.array_equal(getattr(ours, field), getattr(theirs, field)), field
    counts = {"joint": 0, "jointinparent": 1, "slidercrank": 2, "tendon": 3, "site": 4, "body": 5}
    (actuator,) = scene.tables["actuator"].values()
    assert counts[actuator.transmission] == theirs.actuator_trntype[0]
