"""Free bodies whose frame MuJoCo moves to their centre of mass (freejoint align, compiler alignfree)."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

MODEL = '<mujoco><compiler alignfree="%s"/><worldbody><body name="b" pos="0 0 1">%s</body></worldbody></mujoco>'
BOX = '<geom type="box" size=".1 .2 .3" pos="%s"/>'
ALIGNED = [
    ("false", '<freejoint align="true"/>' + BOX % ".5 0 0"),
    ("true", "<freejoint/>" + BOX % ".5 0 0"),
    ("true", '<joint type="free"/>' + BOX % ".5 0 0"),
    ("true", '<freejoint/><geom type="box" size=".1 .2 .3" euler="0 0 30"/>'),
    ("true", '<freejoint/><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/>' + BOX % "0 0 0"),
]
AS_WRITTEN = [
    ("false", "<freejoint/>" + BOX % ".5 0 0"),
    ("true", '<freejoint align="false"/>' + BOX % ".5 0 0"),
    ("true", "<freejoint/>" + BOX % ".5 0 0" + "<body><geom size='.1'/></body>"),
    ("true", '<joint type="ball"/>' + BOX % ".5 0 0"),
    ("true", '<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>' + BOX % ".5 0 0"),
    ("true", "<freejoint/>" + BOX % "0 0 0"),
]


def moved(source: Path) -> bool:
    """Whether MuJoCo gives the body another frame than the document."""
    model = mujoco_model(source)
    return [*model.body_pos[1], *model.body_quat[1]] != [0, 0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(("free", "body"), [*ALIGNED, *AS_WRITTEN])
def test_a_body_whose_frame_is_another_in_mujoco_is_told(tmp_path: Path, free: str, body: str):
    source = saved(tmp_path / "m.xml", MODEL % (free, body))
    found = of_rule(explained(convert(source, tmp_path / "m.sdf")), "mjcf/free-frame")
    assert [each.where for each in found] == (["body/b"] if moved(source) else [])
    assert moved(source) == ((free, body) in ALIGNED)
    assert not of_rule(convert(source, tmp_path / "same.xml"), "mjcf/free-frame")
