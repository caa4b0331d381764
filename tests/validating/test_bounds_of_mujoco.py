"""Well-formed numbers and keywords that MuJoCo refuses: reported by validate and by a conversion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mujoco
import pytest

from converters.context import InputError
from converters.convert import convert
from tests.validating.by_mujoco import refused, taken
from tests.validating.test_demands import GEOM, acted, body, pulled, shaped, usual, world

JOINTED = '<joint name="j" {}/>'
WIRE = '<spatial {}><site site="s"/><site site="t"/></spatial>'


def asset(element: str) -> str:
    return world(GEOM, before=f"<asset>{element}</asset>")


def mesh(said: str) -> str:
    return asset(f'<mesh name="m" {said}/>')


BEYOND = [
    body(JOINTED.format('springdamper="-1 1"'), GEOM),
    body(JOINTED.format('springdamper="1 0"'), GEOM),
    body(JOINTED.format('springyield="-1"'), GEOM),
    body(JOINTED.format(""), GEOM, before=usual('<joint springyield="-1"/>')),
    world(GEOM, before='<size memory=""/>'),
    world(GEOM, before='<size memory="1.5M"/>'),
    world(GEOM, before='<option actuatorgroupdisable="31"/>'),
    world(GEOM, before='<visual><global realtime="0"/></visual>'),
    world(GEOM, before='<visual><map znear="-1"/></visual>'),
    world(GEOM, '<light softness="1.5"/>'),
    world(GEOM, '<light texture="no"/>'),
    world(GEOM, '<site mesh="no"/>'),
    shaped('size="1" condim="2"'),
    shaped('size="1"', usual('<geom condim="5"/>')),
    shaped('size="1" hfield="no"'),
    mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1 1"'),
    mesh('builtin="sphere" params="2" maxhullvert="3"'),
    world(GEOM, before=usual('<mesh maxhullvert=""/>')),
    asset('<hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="1 2 3"/>'),
    asset('<hfield name="h" nrow="2" size="1 1 1 1"/>'),
    asset('<texture name="t" builtin="flat" width="4"/><material name="m"><layer texture="t" role="no"/></material>'),
    world(GEOM, before='<custom><text name="t" data=""/></custom>'),
    acted('<position joint="j" kv="-1"/>'),
    acted('<position joint="j" timeconst="-1"/>'),
    acted('<pid joint="j" slewmax="-1"/>'),
    acted('<damper joint="j" kv="-1" ctrlrange="0 1"/>'),
    world(GEOM, before=usual('<intvelocity dampratio="-1"/>')),
    pulled(WIRE.format('width="0"')),
    pulled(WIRE.format('springlength="2 1"')),
    pulled('<spatial><site site="s"/><site site="t"/><pulley divisor="0"/><site site="s"/><site site="t"/></spatial>'),
]
WITHIN = [
    body(JOINTED.format('springdamper="0 0"'), GEOM),
    world(GEOM, before='<size memory=" 1k "/><option actuatorgroupdisable="0 30"/>'),
    world('<geom size=".1" condim="3"/>', before=usual('<geom condim="5"/><joint springyield="-1"/>')),
    shaped('size="1" condim="6"', usual('<geom condim="5"/>')),
    mesh('builtin="sphere" params="2" maxhullvert="-1" face="0 1 2"'),
    acted('<velocity joint="j" kv="-1"/>'),
    pulled('<fixed springlength="-1 1"><joint joint="j" coef="1"/></fixed>').replace(
        "<worldbody>", usual('<tendon width="0"/>') + "<worldbody>"
    ),
    pulled(WIRE.format('springlength="-1 -1"')),
]


@pytest.mark.parametrize("text", BEYOND)
def test_what_is_beyond_its_bounds_is_told(text: str, tmp_path: Path) -> None:
    assert len(refused(text, tmp_path)) == 1


@pytest.mark.parametrize("text", WITHIN)
def test_what_is_within_its_bounds_is_no_error(text: str, tmp_path: Path) -> None:
    assert taken(text, tmp_path) == []


@pytest.mark.parametrize(
    "said",
    [
        lambda length: body(JOINTED.format(f'axis="0 0 {length}"'), GEOM),
        lambda length: world(f'<body axisangle="0 {length} 0 1"><geom size="1"/></body>'),
        lambda length: world(f'<body zaxis="{length} 0 0"><geom size="1"/></body>'),
        lambda length: world(f'<body xyaxes="1 0 0 0 {length} 0"><geom size="1"/></body>'),
        lambda length: world(GEOM, f'<light dir="{length} 0 0"/>'),
    ],
    ids=["axis", "axisangle", "zaxis", "xyaxes", "dir"],
)
def test_how_long_a_direction_is_at_least(said: Callable[[str], str], tmp_path: Path) -> None:
    assert taken(said("1.1e-7"), tmp_path) == []
    with pytest.raises(ValueError, match=r"too small|zero direction"):
        mujoco.MjModel.from_xml_string(said("9e-8"))
    (tmp_path / "in.xml").write_text(said("9e-8"))
    with pytest.raises(InputError, match="no direction"):
        convert(tmp_path / "in.xml", tmp_path / "out.xml")
