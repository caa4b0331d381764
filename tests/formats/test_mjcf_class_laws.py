"""An actuator with a default class of any other kind: written without classes it is the same for MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.convert import read
from converters.mjcf.relations.shortcuts import OWN
from tests.files import saved
from tests.formats.mjcf_tree import plainly
from tests.oracles.in_mujoco import mujoco_model

BODIES = (
    '<body name="a"><joint name="j" range="-30 40"/><geom size=".1"/></body>'
    '<body name="c"><joint name="ball" type="ball"/><geom size=".1"/></body>'
)
CLASSES = {
    "general": ('gainprm="5" biastype="affine" biasprm="0 -5 -1" velrange="-3 4"', 'gaintype="affine" gainprm="1 2 3"'),
    "general of a pid": ('gaintype="pid" gainprm="2" biastype="affine" biasprm="0 -3 -.1" dyntype="pid" dynprm="1 2"',),
    "general of a motor": ('gaintype="dcmotor" gainprm="1 .1 .2 20 3" dynprm=".1 4 2 3 30 10 1" input="pos vel"',),
    "general of orientations": ('gaintype="so3" gainprm="2" biastype="so3" biasprm="0 -2 .4" input="quat"',),
    "general with a lag": ('dyntype="integrator" actlimited="false" actrange="-1 1"', 'dyntype="filterexact"'),
    "motor": ('ctrllimited="false" ctrlrange="-1 1" forcerange="-5 6" gear="3" armature=".1" cranklength=".3"',),
    "position": ('kp="7" kv=".5" damping=".2"', 'kp="7" dampratio="1" timeconst=".2"', 'inheritrange="1"'),
    "velocity": ('kv="3"',),
    "intvelocity": ('kp="4" kv=".1" actrange="-1 1"', 'kp="4" inheritrange="1"'),
    "orientation": ('kp="3" kv=".3"', 'kp="3" dampratio="1" input="quat"'),
    "pid": (
        'kp="3" ki="2" kv=".1"',
        'kp="3" ki="2" imax="1" slewmax="2" posrange="-1 1" velrange="-2 2" input="pos vel ff" ffrange="-3 3"',
        'kp="2" inheritrange="1" imax="3"',
        'kp="3" input="pos" dampratio="1"',
    ),
    "damper": ('kv="2" ctrlrange="0 1"',),
    "cylinder": ('diameter="3" bias="1 2 3" timeconst=".4"',),
    "muscle": ('force="4" range=".5 1"',),
    "adhesion": ('gain="3" ctrlrange="0 1"',),
    "dcmotor": (
        'motorconst=".1 .2" resistance="1" inductance=".01 .3" thermal="2 0 3 .1 20 30" saturation="0 3 4"',
        'nominal="12 2 30" controller="3 .1 .2 1 2 12" input="pos vel"',
        'motorconst=".1" nominal="12 2 30" cogging=".1 2 .3" lugre="10 1 .2 .3 .1" saturation="2"',
    ),
}
SAID = dict(
    each.strip().split("=")
    for line in (
        "ctrlrange=0 3; ctrllimited=true; forcerange=-7 8; forcelimited=false; gear=2; actrange=-.5 .25",
        "actlimited=true; armature=.3; damping=.4; group=2; actdim=2; actearly=true; biasprm=1 -4; biastype=none",
        "dynprm=.3; dyntype=filter; gainprm=6; gaintype=fixed; ffrange=-1 2; inheritrange=.5; input=pos",
        "velrange=-1 4; kp=8; kv=.6; dampratio=.8; timeconst=.2; ki=.9; imax=.7; posrange=-.4 .5; slewmax=0",
        "area=2; bias=1 5 3; diameter=.4; force=9; fpmax=1.1; fvmax=1.4; lmax=1.7; lmin=.4; range=.6 1.2",
        "scale=300; tausmooth=.01; vmax=1.7; gain=4; cogging=.2; controller=4; inductance=.02; lugre=0",
        "motorconst=.3; nominal=9 3 20; resistance=2; saturation=0 4; thermal=4",
    )
    for each in line.split(";")
)
"""Maps an attribute to its value on an element that has it."""
NEEDED = {"muscle": {"lengthrange": "0 1"}, "damper": {"ctrlrange": "0 1"}, "adhesion": {"ctrlrange": "0 1"}}
ACTS_ON = {"orientation": 'joint="ball"', "adhesion": 'body="a"'}
SILENT = ("actuator_cranklength", "actuator_user")
"""Fields without effect on the forces at a joint."""


def model(tag: str, said: str, elements: str) -> str:
    return (
        f'<mujoco><default><default class="k"><{tag} {said}/></default></default>'
        f"<worldbody>{BODIES}</worldbody><actuator>{elements}</actuator></mujoco>"
    )


def elements() -> Iterator[str]:
    for tag in (tag for tag in OWN if tag != "plugin"):
        for name, text in ("", ""), *SAID.items():
            attrs = NEEDED.get(tag, {}) | ({name: text} if name else {})
            words = " ".join(f'{each}="{value}"' for each, value in attrs.items())
            for target in {ACTS_ON.get(tag, 'joint="j"'), 'joint="ball"' if tag == "general" else ""} - {""}:
                yield f'<{tag} class="k" {target} {words}/>'


@cache
def known() -> list[str]:
    """Return the elements except those with an attribute that they do not have, whatever the class sets."""
    return [each for each in elements() if "unrecognized attribute" not in refused(model("general", "", each))]


def refused(text: str) -> str:
    """Return why MuJoCo refuses a model; "" if it accepts it."""
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", CLASSES)
def test_without_classes_it_is_the_same_actuator(tmp_path: Path, name: str) -> None:
    tag = name.partition(" ")[0]
    for number, said in enumerate(CLASSES[name]):
        kept = [each for each in known() if not refused(model(tag, said, each))]
        assert len(kept) > 20
        source = saved(tmp_path / f"{number}.xml", model(tag, said, "\n".join(kept)))
        ours, theirs = plainly(source, read(source))
        assert (ours.nu, ours.na) == (theirs.nu, theirs.na)
        motors = theirs.actuator_gaintype == mujoco.mjtGain.mjGAIN_DCMOTOR
        for field in (each for each in dir(theirs) if each.startswith("actuator_") and each not in SILENT):
            mine, wanted = np.array(getattr(ours, field)), np.array(getattr(theirs, field))
            if field == "actuator_actrange":  # never limits what a motor keeps
                mine[motors] = wanted[motors] = 0.0
            if field == "actuator_dynprm":  # of no dynamics
                mine[theirs.actuator_dyntype == 0] = wanted[theirs.actuator_dyntype == 0] = 0.0
            same = np.isclose(mine, wanted).reshape(len(wanted), -1).all(axis=1)
            assert same.all(), (field, said, kept[int(np.argmin(same))] if len(same) == len(kept) else "")


COIL = 'motorconst=".1" resistance="1"'


@pytest.mark.parametrize(
    ("outer", "inner", "element"),
    [
        (f'<dcmotor {COIL} saturation="2"/>', '<motor forcerange="-3 3"/>', "<dcmotor {}/>"),
        (f'<dcmotor {COIL} saturation="0 4"/>', '<general forcerange="-3 3"/>', '<dcmotor {} controller="0"/>'),
        (f'<dcmotor {COIL} saturation="2"/>', '<motor forcerange="-3 3"/>', '<dcmotor {} saturation="0 0"/>'),
        (f'<dcmotor {COIL} saturation="2"/>', '<motor forcerange="-3 3"/>', "<motor {}/>"),
        ('<position timeconst="0"/>', "<general/>", "<cylinder {}/>"),
        ('<position timeconst="0"/>', "<general/>", '<general {} dyntype="filter"/>'),
        ('<position timeconst="0"/>', '<position kp="3"/>', "<cylinder {}/>"),
        ('<position kp="7" inheritrange="1"/>', '<general gainprm="3"/>', "<general {}/>"),
        ('<general inheritrange=".7"/>', '<motor gear="3"/>', "<position {}/>"),
    ],
)
def test_without_nested_classes_it_is_the_same_actuator(tmp_path: Path, outer: str, inner: str, element: str) -> None:
    classes = f'<default><default class="o">{outer}<default class="k">{inner}</default></default></default>'
    source = tmp_path / "in.xml"
    drive = element.format('class="k" joint="j"')
    source.write_text(f"<mujoco>{classes}<worldbody>{BODIES}</worldbody><actuator>{drive}</actuator></mujoco>")
    ours, theirs = plainly(source, read(source))
    for field in (each for each in dir(theirs) if each.startswith("actuator_") and each not in SILENT):
        assert np.allclose(getattr(ours, field), getattr(theirs, field)), field


@pytest.mark.parametrize(
    ("word", "drive"),
    [
        *((word, f'<dcmotor {COIL} class="k" joint="j"/>') for word in ("auto", "true", "false")),
        *(("auto", f'<{kind} class="k" joint="j"/>') for kind in ("motor", "position", "pid", "cylinder")),
    ],
)
def test_what_a_class_says_in_vain_of_the_activation_is_no_parameter(tmp_path: Path, word: str, drive: str) -> None:
    classes = f'<default><default class="k"><general actlimited="{word}"/></default></default>'
    source = tmp_path / "in.xml"
    source.write_text(f"<mujoco>{classes}<worldbody>{BODIES}</worldbody><actuator>{drive}</actuator></mujoco>")
    assert not mujoco_model(source).actuator_actlimited.any()
    (found,) = read(source).tables["actuator"].values()
    assert drive.startswith(f"<{found.kind} ")
    assert "actlimited" not in dict(found.parameters)
