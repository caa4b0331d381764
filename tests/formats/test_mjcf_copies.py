"""What speaks of copies and of attached things, and what speaks of that in turn. The judge is MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.convert import read
from converters.mjcf.writing.rendering import render
from converters.source.tree import document
from tests.oracles.in_mujoco import mujoco_model

FIELDS = ("actuator_trnid", "sensor_objid", "sensor_refid", "eq_obj1id", "eq_obj2id", "cam_targetbodyid")
FIELDS += ("light_targetbodyid", "wrap_objid", "exclude_signature", "sensor_type")
COPY = """<replicate count="2" sep="-" offset="1 0 0"><body name="x"><joint name="x"/><geom name="g" size=".1"/>{}
  </body></replicate>"""
BODY = '<body name="{0}"><joint name="{0}"/><geom size=".1"/>{1}</body>'
TENDON = '<tendon><fixed name="t"><joint joint="{}" coef="2"/></fixed></tendon>'
SPEAKING = """<actuator><motor name="m" tendon="t"/></actuator><equality><tendon name="e" tendon1="t"/></equality>
  <sensor><tendonpos name="t" tendon="t"/><actuatorfrc name="m" actuator="m"/></sensor>"""
AIMED = '<camera name="c" mode="targetbody" target="{0}"/><light name="l" mode="targetbody" target="{0}"/>'
INNER = '<replicate count="2" sep="+" offset="0 1 0">' + BODY.format("z", AIMED.format("z")) + "</replicate>"
MODELS = {
    "a site that is called like a copied body": "<worldbody>"
    + COPY.format("")
    + '<site name="x"/></worldbody><sensor><framepos objtype="site" objname="x"/></sensor>',
    "a tendon of copies": f"<worldbody>{COPY.format('')}</worldbody>{TENDON.format('x')}{SPEAKING}",
    "a tendon of copies in copies": "<worldbody>" + COPY.format(INNER) + f"</worldbody>{TENDON.format('z')}{SPEAKING}",
    "an actuator of a copy": "<worldbody>"
    + COPY.format("")
    + '</worldbody><actuator><motor name="m" joint="x"/></actuator>'
    + '<sensor><actuatorfrc name="s" actuator="m"/></sensor>',
    "a camera in a copy": "<worldbody>" + COPY.format(AIMED.format("y") + BODY.format("y", "")) + "</worldbody>",
    "a camera in a copy of a copy": "<worldbody>" + COPY.format(INNER) + "</worldbody>",
    "an attached model": '<asset><model name="sub" file="sub.xml"/></asset><worldbody><body name="a"/>'
    '<frame pos="1 0 0"><attach model="sub" body="a" prefix="L_"/></frame></worldbody>',
    "the model in itself": "<worldbody>"
    + BODY.format("a", AIMED.format("a"))
    + '<frame pos="1 0 0"><attach body="a" prefix="L_"/></frame></worldbody>'
    + TENDON.format("a")
    + SPEAKING,
}
SUB = f"""<mujoco model="sub"><worldbody>{BODY.format("a", AIMED.format("a"))}{BODY.format("b", "")}</worldbody>
  {TENDON.format("a")}<tendon><fixed name="u"><joint joint="b" coef="1"/></fixed></tendon>
  <actuator><motor name="m" tendon="t"/><motor name="n" tendon="u"/></actuator>
  <sensor><tendonpos tendon="t"/><tendonpos tendon="u"/><actuatorfrc actuator="m"/><actuatorfrc actuator="n"/></sensor>
  </mujoco>"""


@pytest.mark.parametrize("name", MODELS)
def test_what_speaks_of_a_copy_is_copied_with_it(tmp_path: Path, name: str) -> None:
    source, plain = tmp_path / "in.xml", tmp_path / "plain.xml"
    (tmp_path / "sub.xml").write_text(SUB)
    source.write_text(f"<mujoco>{MODELS[name]}</mujoco>")
    plain.write_bytes(document(render(read(source))))
    ours, theirs = mujoco_model(plain), mujoco_model(source)
    for field in FIELDS:
        assert np.array_equal(getattr(ours, field), getattr(theirs, field)), field
