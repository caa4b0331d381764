"""References to replicated and attached objects, and references to those in turn. Judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.convert import convert, read
from tests.files import saved
from tests.formats.mjcf_tree import plainly
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule

FIELDS = ("actuator_trnid", "sensor_objid", "sensor_refid", "eq_obj1id", "eq_obj2id", "cam_targetbodyid")
FIELDS += ("light_targetbodyid", "wrap_objid", "exclude_signature", "sensor_type", "body_mass", "nbody", "npair")
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
    "attached models in the order of the document": '<asset><model name="sub" file="sub.xml"/></asset><worldbody>'
    '<body><body><attach model="sub" body="a" prefix="1_"/></body><attach model="sub" body="b" prefix="2_"/></body>'
    '<attach model="sub" body="a" prefix="3_"/></worldbody>',
    "equations between copies and others": "<worldbody>"
    + BODY.format("b", "")
    + COPY.format(INNER)
    + '</worldbody><equality><weld body1="b" body2="x"/><joint joint1="x" joint2="b"/><weld body1="x" body2="z"/>'
    '<weld body1="z"/><joint joint1="x"/></equality>',
    "actuators between copies and others": "<worldbody>"
    + BODY.format("b", '<site name="b"/>')
    + COPY.format('<site name="x"/>')
    + '</worldbody><actuator><motor site="x" refsite="b"/><motor site="b" refsite="x"/><motor site="x" joint="b"/>'
    '<motor cranksite="b" slidersite="x" cranklength="1"/></actuator>',
    "frames with names in copies": '<worldbody><replicate count="2"><frame name="f"><geom size=".1"/></frame>'
    '<body><frame name="g"><geom size=".1"/></frame></body></replicate></worldbody>',
    "an inertia that MuJoCo copies nowhere": '<worldbody><body><joint/><geom size=".1"/><replicate count="2">'
    '<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/></replicate></body></worldbody>',
    "what an actuator acts on of several things": "<worldbody>"
    + BODY.format("b", '<site name="b"/>')
    + COPY.format('<site name="x"/>')
    + '</worldbody><actuator><motor joint="x" site="b"/><motor site="x" joint="b"/><general body="b" joint="x"/>'
    "</actuator>",
    "what stands in the order of copies": '<asset><model name="sub" file="sub.xml"/></asset><worldbody>'
    + '<frame><attach model="sub" body="a" prefix="1_"/></frame>'
    + COPY.format(INNER)
    + '<replicate count="2" offset="3 1 0"><frame><attach model="sub" body="b" prefix="2_"/></frame></replicate>'
    + f"</worldbody>{TENDON.format('z')}{SPEAKING}",
    "a copy of the model and what stands outside of it": "<worldbody>"
    + BODY.format("o", '<geom name="o" size=".1"/>')
    + BODY.format("a", '<site name="a"/><geom name="a" size=".1"/>')
    + '<frame pos="1 0 0"><attach body="a" prefix="L_"/></frame></worldbody><tendon><fixed name="t">'
    '<joint joint="a" coef="2"/><joint joint="o" coef="1"/></fixed></tendon><contact><pair geom1="a" geom2="o"/>'
    '<exclude body1="o" body2="a"/></contact><equality><weld body1="o" body2="a"/></equality>'
    '<sensor><framepos objtype="body" objname="o" reftype="body" refname="a"/></sensor>',
    "what by chance is called like a copy": "<worldbody>"
    + BODY.format("o", "")
    + BODY.format("o-1", "")
    + COPY.format("")
    + '</worldbody><actuator><motor name="m" joint="o"/></actuator><sensor><actuatorfrc actuator="m"/></sensor>',
    "the model in itself": "<worldbody>"
    + BODY.format("a", AIMED.format("a"))
    + '<frame pos="1 0 0"><attach body="a" prefix="L_"/></frame></worldbody>'
    + TENDON.format("a")
    + SPEAKING,
    "what is attached inside itself: what stands before": "<worldbody>"
    + BODY.format("a", BODY.format("b", '<site name="b"/><attach body="a" prefix="L_"/><site name="c"/>'))
    + '</worldbody><sensor><framepos objtype="site" objname="b"/><framepos objtype="site" objname="c"/></sensor>'
    + TENDON.format("b")
    + SPEAKING,
    "twice inside itself": "<worldbody>"
    + BODY.format("a", '<attach body="a" prefix="L_"/><site name="c"/><attach body="a" prefix="R_"/>')
    + '</worldbody><sensor><framepos objtype="site" objname="c"/></sensor>'
    + TENDON.format("a")
    + SPEAKING,
    "a frame inside itself": '<worldbody><frame name="f" pos="1 0 0">'
    + BODY.format("a", "")
    + '<attach frame="f" prefix="L_"/></frame></worldbody>'
    + TENDON.format("a")
    + SPEAKING,
    "an attached model in a copy of the model": '<asset><model name="sub" file="sub.xml"/></asset><worldbody>'
    + BODY.format("o", '<attach model="sub" body="a" prefix="S_"/>')
    + '<frame pos="1 0 0"><attach body="o" prefix="L_"/></frame></worldbody>',
    "what a copy of the model shows": '<asset><material name="r"/><mesh name="m" builtin="sphere" params="2"/></asset>'
    + "<worldbody>"
    + BODY.format("a", '<site name="s" type="mesh" mesh="m" material="r"/><geom type="mesh" mesh="m" material="r"/>')
    + '<frame pos="1 0 0"><attach body="a" prefix="L_"/></frame></worldbody>'
    '<sensor><framepos objtype="site" objname="L_s"/></sensor>',
    "pairs of nothing in an attached model": '<asset><model name="sub" file="sub.xml"/></asset><worldbody>'
    + '<frame><attach model="sub" body="b" prefix="S_"/></frame></worldbody>',
}
SUB = f"""<mujoco model="sub"><worldbody>{BODY.format("a", AIMED.format("a"))}{BODY.format("b", "")}</worldbody>
  {TENDON.format("a")}<tendon><fixed name="u"><joint joint="b" coef="1"/></fixed></tendon>
  <actuator><motor name="m" tendon="t"/><motor name="n" tendon="u"/></actuator>
  <sensor><tendonpos tendon="t"/><tendonpos tendon="u"/><actuatorfrc actuator="m"/><actuatorfrc actuator="n"/></sensor>
  <contact><pair/><pair geom1="g"/></contact></mujoco>"""


@pytest.mark.parametrize("name", MODELS)
def test_what_speaks_of_a_copy_is_copied_with_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "sub.xml").write_text(SUB)
    source = saved(tmp_path / "in.xml", f"<mujoco>{MODELS[name]}</mujoco>")
    ours, theirs = plainly(source, read(source))
    for field in FIELDS:
        assert np.array_equal(getattr(ours, field), getattr(theirs, field)), field


OWNING = """<mujoco model="sub"><default><tendon material="r"/></default><asset><material name="r" rgba="1 0 0 1"/>
<texture name="t" type="2d" builtin="flat" width="4" height="4"/><mesh name="m" builtin="sphere" params="2"/></asset>
<worldbody><body name="a"><geom name="g" type="mesh" mesh="m"/><site name="s" material="r"/><site name="u"
 type="mesh" mesh="m"/><light type="image" texture="t"/></body></worldbody><tendon><spatial name="w"><site site="s"/>
<site site="u"/></spatial></tendon><sensor><tactile geom="g" mesh="m"/></sensor></mujoco>"""


def test_what_is_attached_shows_the_assets_of_its_own_model(tmp_path: Path) -> None:
    source = tmp_path / "in.xml"
    (tmp_path / "sub.xml").write_text(OWNING)
    attached = (f'<frame><attach model="sub" body="a" prefix="{prefix}"/></frame>' for prefix in ("A_", "B_"))
    source.write_text(
        f'<mujoco><asset><model name="sub" file="sub.xml"/></asset><worldbody>{"".join(attached)}</worldbody></mujoco>'
    )
    ours, theirs = plainly(source, read(source))
    for field in ("site_matid", "tendon_matid", "geom_dataid", "light_texid", "sensor_objid", "sensor_refid"):
        assert np.array_equal(getattr(ours, field), getattr(theirs, field)), field


def test_sensors_of_nothing_that_mujoco_makes_more_of_are_told(tmp_path: Path) -> None:
    source = tmp_path / "in.xml"
    source.write_text(f"<mujoco><worldbody>{COPY.format('')}</worldbody><sensor><clock/></sensor></mujoco>")
    (told,) = of_rule(convert(source, tmp_path / "out.urdf"), "mjcf/copies-alone")
    assert [each.line for each in told.sources] == [2]


@pytest.mark.parametrize("body", ["x", "x0"])
def test_a_body_that_is_replicated_is_attached_under_no_name_of_its_own(tmp_path: Path, body: str) -> None:
    source = tmp_path / "in.xml"
    (tmp_path / "sub.xml").write_text(f"<mujoco model='sub'><worldbody>{COPY.format('')}</worldbody></mujoco>")
    source.write_text(
        '<mujoco><asset><model name="sub" file="sub.xml"/></asset><worldbody><body name="a"><geom size=".1"/>'
        f'<attach model="sub" body="{body}" prefix="P_"/></body></worldbody></mujoco>'
    )
    (told,) = of_rule(convert(source, tmp_path / "out.urdf"), "mjcf/attach-missing")
    assert told.severity == "error"


EQUAL = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body name="b">
<replicate count="2" offset="1 0 0"><body><geom size=".1"/></body></replicate>
<body pos="1 2 3"><geom mesh="m" size=".1"/></body></body></worldbody></mujoco>"""


def test_digits_in_which_a_copy_is_written_cost_no_spelling(tmp_path: Path) -> None:
    """An unnamed body is matched with copies by its place: its spelling is applied to what is written for a copy."""
    convert(saved(tmp_path / "in.xml", EQUAL), tmp_path / "out.xml")
    assert "<replicate" in (tmp_path / "out.xml").read_text()


ORDERED = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
<frame><body><joint name="first"/><frame scale="2"><body><geom mesh="m"/></body></frame><geom mesh="m"/></body></frame>
<body name="b"><joint name="second"/><geom size=".1"/></body><site/></worldbody></mujoco>"""


@pytest.mark.parametrize("through", ["sdf", "urdf", "xml"])
def test_coordinates_stay_in_order_where_a_frame_cannot_be_kept(through: str, tmp_path: Path) -> None:
    convert(saved(tmp_path / "in.xml", ORDERED), tmp_path / f"out.{through}")
    convert(tmp_path / f"out.{through}", tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert [model.joint(index).name for index in range(model.njnt)] == ["first", "second"]


@pytest.mark.parametrize("through", ["sdf", "urdf"])
def test_a_copy_with_a_frame_of_a_name_may_be_edited(through: str, tmp_path: Path) -> None:
    (tmp_path / "in.xml").write_text(
        '<mujoco><worldbody><body name="b"><joint/><replicate count="2" offset="1 0 0"><frame name="f">'
        '<geom name="g" size="0.125"/></frame></replicate></body></worldbody></mujoco>'
    )
    edited = tmp_path / f"out.{through}"
    convert(tmp_path / "in.xml", edited)
    edited.write_text(edited.read_text().replace("0.125", "0.25"))
    convert(edited, tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").geom_size[:, 0].tolist() == [0.25, 0.25]
