"""What MuJoCo's compiler makes of unusual but valid values, in other formats and on the way back. Judged by MuJoCo."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from converters.convert import convert
from converters.report.model import exit_code
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model

INERTIAL = '<inertial pos="0 0 0" mass="5" diaginertia="1 1 1"/>'
FROM_GEOMS = '<compiler inertiafromgeom="true"/>'
FIELD = '<asset><hfield name="h" size="1 2 3 4" nrow="2" ncol="2" elevation="{}"/></asset>'
GEOM = '<geom name="g" type="box" size=".1 .1 .1"/>'
MASSES = {
    "nothing of no density": f'{FROM_GEOMS}|{INERTIAL}<joint/><geom type="box" size=".1 .1 .1" density="0"/>'
    '<geom size=".1" pos="1 0 0" mass="2"/>',
    "an inertial that stays": f'{FROM_GEOMS}|{INERTIAL}<joint/><geom type="box" size=".1 .1 .1" density="0"/>',
    "a field": f'{FIELD.format("0 1 2 3")}|<joint/><geom type="hfield" hfield="h"/>',
    "a flat field": f'{FIELD.format("0 0 0 0")}|<joint/><geom type="hfield" hfield="h"/>',
}


def written(path: Path, inside: str, before: str = "") -> Path:
    return saved(path, f'<mujoco model="m">{before}<worldbody><body name="b">{inside}</body></worldbody></mujoco>')


@pytest.mark.parametrize("name", MASSES)
def test_a_mass_is_the_one_that_is_compiled(tmp_path: Path, name: str):
    before, inside = MASSES[name].split("|")
    compiled = mujoco_model(written(tmp_path / "m.xml", inside, before)).body("b")
    assert exit_code(convert(tmp_path / "m.xml", tmp_path / "out" / "m.urdf")) == 0
    inertial = etree.parse(str(tmp_path / "out" / "m.urdf")).getroot().find("link[@name='b']/inertial")
    assert float(inertial.find("mass").get("value")) == pytest.approx(compiled.mass[0], rel=1e-9)
    tensor = [float(inertial.find("inertia").get(key)) for key in ("ixx", "iyy", "izz")]
    assert np.allclose(sorted(tensor), sorted(compiled.inertia), rtol=1e-9)


def test_a_joint_that_is_added_is_limited_though_the_author_wants_it_said(tmp_path: Path):
    inside = f'<joint name="j" limited="true" range="-1 1"/>{GEOM}'
    convert(written(tmp_path / "m.xml", inside, '<compiler autolimits="false" angle="radian"/>'), tmp_path / "m.urdf")
    root = etree.parse(str(tmp_path / "m.urdf")).getroot()
    for text in (
        '<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>",
        '<joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit lower="-1" upper="1" effort="1" '
        'velocity="1"/></joint>',
    ):
        root.append(etree.fromstring(text))
    convert(saved(tmp_path / "m.urdf", etree.tostring(root)), tmp_path / "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    for name in "jk":
        assert found.joint(name).limited[0] and np.allclose(found.joint(name).range, (-1, 1))


def test_what_nothing_is_added_to_keeps_its_own_words(tmp_path: Path):
    inside = f'<joint name="j" limited="true" range="-1 1"/>{GEOM}'
    written(tmp_path / "m.xml", inside, '<compiler autolimits="false" angle="radian"/>')
    convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    root = etree.parse(str(tmp_path / "back.xml")).getroot()
    assert root.find("compiler").get("autolimits") == "false"
    assert dict(root.find("worldbody/body/joint").attrib) == {"name": "j", "limited": "true", "range": "-1 1"}


@pytest.mark.parametrize("flag", ["", 'actuatorfrclimited="true"', 'actuatorfrclimited="false"'])
def test_an_effort_is_one_where_mujoco_limits_it(tmp_path: Path, flag: str):
    inside = f'<joint name="j" limited="true" range="-1 1" actuatorfrcrange="-5 5" {flag}/>{GEOM}'
    written(tmp_path / "m.xml", inside, '<compiler autolimits="false" angle="radian"/>')
    limited = bool(flag) and bool(mujoco_model(tmp_path / "m.xml").jnt_actfrclimited[0])  # it wants a flag now
    convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    limit = etree.parse(str(tmp_path / "m.urdf")).getroot().find("joint[@name='j']/limit")
    assert (limit.get("effort") == "5") == limited
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    if not flag:
        joint = etree.parse(str(tmp_path / "back.xml")).getroot().find(".//joint")
        assert (joint.get("actuatorfrcrange"), joint.get("actuatorfrclimited")) == ("-5 5", None)
        return
    back = mujoco_model(tmp_path / "back.xml")
    assert bool(back.jnt_actfrclimited[0]) == limited
    assert not limited or np.allclose(back.jnt_actfrcrange, (-5, 5))


@pytest.mark.parametrize(
    "words", ['directional="true"', "", 'type="spot"', 'directional="false"', 'type="point" directional="true"']
)
def test_a_light_has_the_type_of_who_says_it_nearest(tmp_path: Path, words: str):
    default = '<default><light type="point"/></default>'
    try:
        compiled = mujoco_model(written(tmp_path / "m.xml", f'<light name="l" {words}/>{GEOM}', default))
    except ValueError:
        return  # two words for one thing
    kind = ("spot", "directional", "point")[int(compiled.light("l").type[0])]
    convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    assert etree.parse(str(tmp_path / "m.sdf")).getroot().find(".//light").get("type") == kind


ODD = {
    "a time that is no number": f'<joint name="j"/>{GEOM}|<actuator><position joint="j" timeconst="abc"/></actuator>',
    "activations without end": f'<joint name="j"/>{GEOM}|<actuator><general joint="j" dyntype="user" '
    'actdim="1000000000000"/></actuator><keyframe><key name="k" act="1"/></keyframe>',
    "a shell as large as the sky": '<joint/><geom type="ellipsoid" size="1e11 1e11 1e11" shellinertia="true"/>|',
    "a sphere that is larger": '<joint/><geom size="1e59"/>|',
}


@pytest.mark.parametrize("name", ODD)
def test_odd_numbers_are_converted_or_refused_with_a_sentence(tmp_path: Path, name: str):
    from click.testing import CliRunner

    from converters.commands.program import kinegraph

    inside, after = ODD[name].split("|")
    written(tmp_path / "m.xml", inside)
    (tmp_path / "m.xml").write_text((tmp_path / "m.xml").read_text().replace("</mujoco>", f"{after}</mujoco>"))
    for target in ("m.urdf", "back.xml", "m.sdf", "m.glb"):
        result = CliRunner().invoke(kinegraph, ["convert", str(tmp_path / "m.xml"), str(tmp_path / "o" / target)])
        assert "defect" not in result.output
        assert result.exception is None or type(result.exception).__name__ in ("SystemExit", "InputError")


def test_a_large_image_is_painted_in_little_memory():
    from converters.mjcf.assets.procedural import painted_texture

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert painted_texture({"builtin": "gradient", "width": "4096", "height": "4096"})
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB


def test_references_to_copies_are_counted(tmp_path: Path):
    sensors = '<framepos objtype="site" objname="s"/>' * 1000
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><replicate count="2000"><site name="s"/></replicate></worldbody>'
        f"<sensor>{sensors}</sensor></mujoco>"
    )
    from converters.context import InputError

    with pytest.raises(InputError, match="make more than"):
        convert(tmp_path / "m.xml", tmp_path / "m.urdf")


@pytest.mark.parametrize("target", ["m.urdf", "m.sdf", "m.gltf", "m.xml"])
def test_names_of_assets_lead_nowhere(tmp_path: Path, target: str):
    (tmp_path / "m.xml").write_text(
        '<mujoco><asset><hfield name="../../z" size="1 1 1 1" nrow="2" ncol="2" elevation="0 1 2 3"/>'
        '<texture name="/../t" type="2d" builtin="checker" width="8" height="8"/>'
        '<material name="t" texture="/../t"/></asset><worldbody><geom type="hfield" hfield="../../z"/>'
        '<geom type="box" size="1 1 1" material="t"/></worldbody></mujoco>'
    )
    mujoco_model(tmp_path / "m.xml")
    convert(tmp_path / "m.xml", tmp_path / "deep" / "er" / "out" / target)
    out = tmp_path / "deep" / "er" / "out"
    made = [path for path in tmp_path.rglob("*") if path.is_file() and path != tmp_path / "m.xml"]
    assert out / target in made
    assert all(path.is_relative_to(out) for path in made)
