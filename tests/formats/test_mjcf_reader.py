"""The MJCF reader against MuJoCo itself: the scene is what the engine compiles."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import InputError, ReaderContext
from converters.convert import convert, read as read_file
from converters.mjcf.reader import read
from ir.pose import matrix
from ir.scene import Scene
from ir.types import Box, Capsule, Couple, Cylinder, DofKind, Ellipsoid, Extra, Geom, Role
from tests.files import saved
from tests.oracles import in_mujoco
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete, explained


def scene_of(text: str) -> Scene:
    context = ReaderContext(file="made.xml", folder=Path())
    scene = read(text.encode(), context)
    for document in context.documents:
        document.totals()
    return scene


def engine(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


def geom(scene: Scene, body: str, name: str) -> Geom:
    return next(each for each in scene.body(body).geoms if each.name == name)


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "ZYX", "Xyz", "xYz"])
def test_euler_angles_follow_eulerseq_and_degrees(sequence: str):
    text = f"""<mujoco><compiler eulerseq="{sequence}"/><worldbody>
      <body name="b" euler="10 20 30"><geom size="1"/></body></worldbody></mujoco>"""
    pose = scene_of(text).joint_of("b").pose
    assert np.allclose(matrix(pose.rot), in_mujoco.matrix(engine(text).body("b").quat), atol=1e-14)


@pytest.mark.parametrize(
    "orientation",
    [
        'quat="1 2 3 4"',
        'axisangle="1 2 3 40"',
        'euler="10 -20 30"',
        'xyaxes="1 1 0 0 1 1"',
        'zaxis="1 -2 3"',
        'zaxis="0 0 -1"',
    ],
)
def test_every_form_of_orientation_is_that_of_the_engine(orientation: str):
    text = f'<mujoco><worldbody><body name="b" {orientation}><geom size="1"/></body></worldbody></mujoco>'
    pose = scene_of(text).joint_of("b").pose
    assert np.allclose(matrix(pose.rot), in_mujoco.matrix(engine(text).body("b").quat), atol=1e-14)


DEFAULTS = """<mujoco>
  <default><default class="sub"><geom size=".2"/></default><geom size=".1"/><joint damping="3"/></default>
  <default><geom size=".3"/></default>
  <worldbody>
    <body name="b" childclass="sub">
      <geom name="sub"/> <geom name="main" class="main"/>
      <body name="c"><joint name="j" axis="0 1 0"/><geom name="inherited"/></body>
    </body>
    <geom name="world"/>
  </worldbody></mujoco>"""


def test_default_classes_resolve_as_in_the_engine():
    scene, model = scene_of(DEFAULTS), engine(DEFAULTS)
    for body, name in (("b", "sub"), ("b", "main"), ("c", "inherited"), ("world", "world")):
        assert geom(scene, body, name).shape.radius == model.geom(name).size[0]
    assert scene.joints["j"].dofs[0].damping == model.joint("j").damping[0]


def test_a_short_vector_keeps_the_tail_of_its_default():
    text = """<mujoco><default><geom type="box" size=".1 .2 .3"/></default>
      <worldbody><geom name="g" size=".5"/></worldbody></mujoco>"""
    assert geom(scene_of(text), "world", "g").shape == Box(size=(1.0, 0.4, 0.6))
    assert list(engine(text).geom("g").size) == [0.5, 0.2, 0.3]


def test_an_attribute_of_a_default_that_the_graph_does_not_know_is_kept_on_its_elements():
    text = '<mujoco><default><geom solmix="2"/></default><worldbody><geom size="1"/></worldbody></mujoco>'
    scene = scene_of(text)
    assert [(extra.path, extra.text) for extra in scene.body("world").geoms[0].extras] == [("@solmix", "2")]


def test_a_default_that_no_element_has_is_kept():
    text = '<mujoco><default><site rgba="1 0 0 1"/></default><worldbody><geom size="1"/></worldbody></mujoco>'
    assert [extra.path for extra in scene_of(text).extras] == ["default[1]/site[1]/@rgba"]


@pytest.mark.parametrize("kind", ["capsule", "cylinder", "box", "ellipsoid"])
def test_fromto_gives_size_place_and_direction(kind: str):
    text = (
        f'<mujoco><worldbody><geom name="g" type="{kind}" size=".1 .2 .3" fromto="1 2 3 2 4 7"/></worldbody></mujoco>'
    )
    found, model = geom(scene_of(text), "world", "g"), engine(text).geom("g")
    assert np.allclose(found.pose.pos, model.pos) and np.allclose(matrix(found.pose.rot), in_mujoco.matrix(model.quat))
    match found.shape:
        case Capsule(radius=radius, length=length) | Cylinder(radius=radius, length=length):
            sizes = [radius, length / 2, 0.3]
        case Box(size=size):
            sizes = [edge / 2 for edge in size]
        case Ellipsoid(radii=radii):
            sizes = list(radii)
    assert np.allclose(sizes, model.size)


def test_degrees_turn_hinges_but_not_slides():
    text = """<mujoco><worldbody><body name="b"><geom size="1"/>
      <joint name="h" range="-90 90" ref="45" axis="1 0 0"/>
      <joint name="s" type="slide" range="-90 90" ref="45"/></body></worldbody></mujoco>"""
    dofs = {dof.name: dof for dof in scene_of(text).joints["joint_b"].dofs}
    model = engine(text)
    for name in ("h", "s"):
        assert (dofs[name].lower, dofs[name].upper) == pytest.approx(tuple(model.joint(name).range))
        assert dofs[name].zero == pytest.approx(model.qpos0[model.joint(name).qposadr[0]])


@pytest.mark.parametrize(
    ("attributes", "limited"),
    [('range="-1 1"', True), ('range="-1 1" limited="false"', False), ('range="1 1"', False), ("", False)],
)
def test_limits_follow_autolimits(attributes: str, limited: bool):
    text = f"""<mujoco><compiler angle="radian"/><worldbody><body name="b"><geom size="1"/>
      <joint name="j" {attributes}/></body></worldbody></mujoco>"""
    assert bool(engine(text).joint("j").limited[0]) == limited
    assert (scene_of(text).joints["j"].dofs[0].lower is not None) == limited


def test_the_role_of_a_geom_comes_from_what_collides_and_what_is_shown():
    text = """<mujoco>
      <default><default class="collision_checking"><geom contype="0" conaffinity="0" group="4"/></default></default>
      <worldbody><geom name="v" size="1" contype="0" conaffinity="0" group="2"/><geom name="c" size="1" group="3"/>
      <geom name="both" size="1"/><geom name="q" class="collision_checking" size="1"/></worldbody></mujoco>"""
    roles = {each.name: each.role for each in scene_of(text).body("world").geoms}
    assert roles == {"v": Role.VISUAL, "c": Role.COLLISION, "both": Role.BOTH, "q": "collision_checking"}


def test_a_linear_equality_is_a_mimic_and_another_a_constraint():
    text = """<mujoco><worldbody><body name="b"><geom size="1"/>
      <joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
      <joint name="z"/></body></worldbody>
      <equality><joint joint1="y" joint2="x" polycoef="0.1 -2 0 0 0"/>
      <joint joint1="z" joint2="x" polycoef="0 1 2"/></equality></mujoco>"""
    scene = scene_of(text)
    x, y, z = scene.joints["joint_b"].dofs
    assert x.mimic is None and z.mimic is None
    assert (y.mimic.dof, y.mimic.multiplier, y.mimic.offset) == ("x", -2.0, 0.1)
    (constraint,) = scene.constraints.values()
    assert constraint.spec == Couple(first="z", second="x", coefficients=(0.0, 1.0, 2.0, 0.0, 0.0))


def test_bodies_without_names_get_the_same_ones_every_time():
    text = (
        "<mujoco><worldbody><body><geom size='1'/><body><freejoint/><geom size='1'/></body></body></worldbody></mujoco>"
    )
    text = text.replace("<freejoint/>", "<joint/>")
    first, second = scene_of(text), scene_of(text)
    assert list(first.bodies) == ["world_body_0", "world_body_0_body_0", "world"]
    assert first == second


def test_free_joints_and_welds_are_told_apart():
    text = """<mujoco><worldbody><body name="a"><freejoint name="f"/><geom size="1"/></body>
      <body name="b"><geom size="1"/></body></worldbody></mujoco>"""
    scene = scene_of(text)
    assert [dof.kind for dof in scene.joint_of("a").dofs] == [DofKind.FREE]
    assert scene.joint_of("b").dofs == ()
    assert scene.roots() == []


def test_what_the_reader_does_not_know_is_kept_with_its_place():
    text = """<mujoco><worldbody><body name="b"><geom size="1" QQQ="1"/></body></worldbody>
      <statistic extent="2"/></mujoco>"""
    scene = scene_of(text)
    assert [(extra.path, extra.text) for extra in scene.body("b").geoms[0].extras] == [("@QQQ", "1")]
    assert scene.extras == (Extra(format="mjcf", path="statistic[1]", text='<statistic extent="2"/>', index=1),)


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ('<body name="world"/>', "belongs to the world"),
        ('<body name="b"/><body name="b"/>', "named 'b'"),
        ('<geom class="QQQ"/>', "default class 'QQQ'"),
        ('<geom type="mesh" mesh="QQQ"/>', "mesh 'QQQ'"),
        ('<body name="b"><joint axis="0 0 0"/></body>', "no direction"),
        ('<body name="b" quat="0 0 0 0"/>', "is zero"),
        ('<body name="b" pos="0 0"/>', "needs 3 numbers"),
        ('<body name="b"><inertial mass="1"/></body>', "needs pos and mass"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(inner: str, message: str):
    with pytest.raises(InputError, match=message) as caught:
        scene_of(f"<mujoco>\n<worldbody>\n{inner}</worldbody></mujoco>")
    assert str(caught.value).startswith("made.xml:3: ")


@pytest.mark.parametrize(
    ("default", "inner", "message"),
    [
        ('<joint damping="nan"/>', "<joint/>", "<joint damping='nan'>: 'nan' is not a number"),
        ('<joint axis="0 0 0"/>', "<joint/>", "<joint axis> has no direction"),
        ('<geom friction="inf"/>', '<geom size="1"/>', "<geom friction='inf'>: 'inf' is not a number"),
        ('<geom pos="1e70 0 0"/>', '<geom size="1"/>', "above 1e\\+55"),
        ('<geom material="QQQ"/>', '<geom size="1"/>', "<geom> names the material 'QQQ'"),
        ('<light dir="0 0 0"/>', "<light/>", "<light dir> has no direction"),
        ('<joint type="Hinge"/>', "<joint/>", "<joint type='Hinge'> must be"),
        ('<joint armature="0x1F"/>', "<joint/>", "'0x1F' is not a number: write 31.0 instead"),
    ],
)
def test_what_is_wrong_in_a_default_is_named_with_the_line_of_the_default(default: str, inner: str, message: str):
    with pytest.raises(InputError, match=message) as caught:
        scene_of(f"<mujoco>\n<default>\n{default}</default><worldbody>\n<body>{inner}</body></worldbody></mujoco>")
    assert str(caught.value).startswith("made.xml:3: ")


def test_a_range_that_limits_nothing_and_a_polynomial_are_kept():
    joint = '<joint name="j" range="10 20" limited="false" damping="1 2 3"/>'
    (dof,) = scene_of(f'<mujoco><worldbody><body>{joint}<geom size="1"/></body></worldbody></mujoco>').joints["j"].dofs
    assert (dof.lower, dof.upper, dof.damping) == (None, None, 1.0)
    kept = dict(dof.parameters)
    assert kept["limited"] == "false" and kept["damping"] == "1 2 3" and kept["range"] == "10 20"


def test_actuators_of_all_kinds_share_the_defaults_of_a_class():
    text = """<mujoco><default><position kp="3"/><default class="x"><general gear="7"/></default></default>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><motor name="m" joint="j" class="x"/></actuator></mujoco>"""
    motor = scene_of(text).tables["actuator"]["m"]
    assert motor.gear[0] == engine(text).actuator_gear[0][0] == 7
    assert motor.kp is None


def test_a_shape_that_the_graph_does_not_know_keeps_its_name():
    scene = scene_of('<mujoco><worldbody><geom name="g" type="sdf"/></worldbody></mujoco>')
    assert geom(scene, "world", "g").shape is None
    assert [extra.text for extra in geom(scene, "world", "g").extras] == ["sdf"]


def test_a_default_that_no_element_needed_does_not_reach_any_when_written(tmp_path: Path):
    source = tmp_path / "in.xml"
    source.write_text(
        """<mujoco><default><joint damping="0.5" solreflimit="0.01 1"/></default><worldbody><body name="b">
        <joint name="j" damping="0"/><geom size="1"/></body></worldbody></mujoco>"""
    )
    report = convert(source, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.joint("j").damping[0] == 0
    assert model.jnt_solref[0][0] == 0.01
    assert read_file(tmp_path / "out.xml") == read_file(source)
    explained(report)


@pytest.mark.parametrize(
    ("inner", "kept"),
    [
        ('<geom name="g" type="plane" size="2 2 0.1"/>', 'size="2 2 0.1"'),
        ('<body name="b"><geom size="1"/><joint name="j" range="20 10"/></body>', "range="),
        (
            '<body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="1" mass="5"/></body>',
            'mass="5"',
        ),
    ],
)
def test_what_has_no_effect_comes_back_all_the_same(inner: str, kept: str, tmp_path: Path):
    source = saved(tmp_path / "in.xml", f"<mujoco><worldbody>{inner}</worldbody></mujoco>")
    report = convert(source, tmp_path / "out.xml")
    assert kept in (tmp_path / "out.xml").read_text()
    assert read_file(tmp_path / "out.xml") == read_file(source)
    complete(report)


def test_defaults_of_one_class_do_not_reach_geoms_of_another(tmp_path: Path):
    source = tmp_path / "in.xml"
    source.write_text(
        """<mujoco><default><default class="red"><geom rgba="1 0 0 1"/></default></default><worldbody>
        <geom name="r" class="red" size="1"/><geom name="g" size="1"/></worldbody></mujoco>"""
    )
    convert(source, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert list(model.geom("g").rgba) == [0.5, 0.5, 0.5, 1]
    assert list(model.geom("r").rgba) == [1, 0, 0, 1]


def test_a_default_density_beside_inertials_is_kept():
    text = """<mujoco><default><geom density="500"/></default><worldbody><body name="b">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom name="g" size="1"/></body></worldbody></mujoco>"""
    assert geom(scene_of(text), "b", "g").density == 500


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml"])
@pytest.mark.parametrize(
    "said", ['meshdir="far"', 'texturedir="far"', 'strippath="true"', 'angle="degree"', 'eulerseq="zyx"']
)
def test_a_setting_that_nothing_depends_on_is_not_lost(said: str, target: str, tmp_path: Path) -> None:
    source, out = tmp_path / "model.xml", tmp_path / "out" / f"model.{target}"
    source.write_text(f'<mujoco><compiler {said}/><worldbody><body><geom size="1"/></body></worldbody></mujoco>')
    report = convert(source, out)
    assert said.partition("=")[2].strip('"') in out.read_text()
    if target != "xml":
        name = said.partition("=")[0]
        assert any(place.path.endswith(f"@{name}") for finding in report.findings for place in finding.sources)
    convert(out, tmp_path / "back.xml")
    assert said in (tmp_path / "back.xml").read_text()


@pytest.mark.parametrize(
    "part", ['<actuator><motor joint="elbow"/></actuator>', '<worldbody><geom class="arm" size=".1"/></worldbody>']
)
def test_a_part_without_bodies_that_names_things_of_another_file_is_refused_with_a_hint(part: str):
    with pytest.raises(InputError, match="does not exist; this file has no bodies: if another file includes it"):
        scene_of(f"<mujoco>{part}</mujoco>")
    body = '<worldbody><body name="b"/></worldbody>'
    with pytest.raises(InputError, match=r"does not exist$"):
        scene_of(f"<mujoco>{body}{part}</mujoco>")


def test_a_robot_that_names_things_of_its_scene_is_refused_with_a_hint_at_the_scene(tmp_path: Path):
    pair = '<contact><pair geom1="foot" geom2="floor"/></contact>'
    body = '<worldbody><body name="b"><joint/><geom name="foot" size=".1"/></body></worldbody>'
    robot = saved(tmp_path / "robot.xml", f"<mujoco>{body}{pair}</mujoco>")
    saved(tmp_path / "another.xml", '<mujoco><include file="my_robot.xml"/></mujoco>')
    with pytest.raises(InputError, match=r"'floor', which does not exist$"):
        convert(robot, tmp_path / "o.urdf")
    floor = '<worldbody><geom name="floor" type="plane" size="1 1 1"/></worldbody>'
    saved(tmp_path / "scene.xml", f'<mujoco><include file="robot.xml"/>{floor}</mujoco>')
    with pytest.raises(InputError, match=r"does not exist; scene\.xml includes this file: convert that one$"):
        convert(robot, tmp_path / "o.urdf")
    convert(tmp_path / "scene.xml", tmp_path / "o.urdf")
