"""What default classes set, as it applies to the elements themselves. Judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.convert import read
from tests.files import saved
from tests.formats.mjcf_tree import plainly

JOINT = '<body name="b"><joint name="j" class="c" type="{}" springyield="5" stiffness="1"/><geom size=".1"/></body>'
TENDON = """<worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
  <tendon><fixed name="t" {}><joint joint="j" coef="1"/></fixed></tendon>"""
LATER = '<default><default class="c"/></default><default>{}</default>'
MODELS = {
    "a yield in degrees": f"<default><default class='c'/></default><worldbody>{JOINT.format('hinge')}</worldbody>",
    "a yield in metres": f"<default><default class='c'/></default><worldbody>{JOINT.format('slide')}</worldbody>",
    "a yield of a class": "<default><default class='c'><joint springyield='5'/></default></default>"
    "<worldbody><body><joint class='c'/><geom size='.1'/></body></worldbody>",
    "a part of a velocity": "<default><geom surfacevel='1 2 3 4 5 6'/></default>"
    "<worldbody><geom size='.1' surfacevel='7 8 9'/></worldbody>",
    "what a user keeps": "<size nuser_geom='3' nuser_jnt='3'/>"
    "<default><geom user='1 2 3'/><joint user='1 2 3'/></default>"
    "<worldbody><body><joint user='4'/><geom size='.1' user='5'/></body></worldbody>",
    "one length of a spring": "<default><tendon springlength='.1 .2'/></default>" + TENDON.format('springlength=".3"'),
    "two lengths of a spring": "<default><tendon springlength='.1'/></default>" + TENDON.format('springlength=".2 .3"'),
    "a class before the main one has a light": LATER.format('<light range="4" diffuse="1 0 0"/>')
    + '<worldbody><light name="l" class="c"/></worldbody>',
    "a class before the main one has a camera": LATER.format('<camera pos="1 2 3" ipd=".1"/>')
    + '<worldbody><camera name="c" class="c"/></worldbody>',
    "a class before the main one has a tendon": LATER.format('<tendon damping="3" armature=".1"/>')
    + TENDON.format('class="c"'),
}


@pytest.mark.parametrize("name", MODELS)
def test_what_a_class_says_stands_on_the_element(tmp_path: Path, name: str) -> None:
    source = saved(tmp_path / "in.xml", f"<mujoco>{MODELS[name]}</mujoco>")
    ours, theirs = plainly(source, read(source))
    for field in (
        each for each in dir(theirs) if each.startswith(("jnt_", "dof_", "geom_", "tendon_", "light_", "cam_"))
    ):
        assert np.allclose(getattr(ours, field), getattr(theirs, field)), field
