"""The meaning of MJCF beyond the tree of bodies: actuators, sensors, tendons, equalities, contacts, keyframes, views.

MuJoCo compiles each model as it is and as Kinegraph writes it again, directly and through URDF and SDF.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import InputError
from converters.convert import convert, read, write
from ir.types import Connect, Couple, Keyframe, Mimic, Sensor, WeldTo
from tests.files import saved
from tests.oracles.mjcf_against_mjcf import differences, loads
from tests.reports import complete, explained

TREE = """
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0 1 -1" type="directional" diffuse=".5 .4 .3" castshadow="false"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <camera name="fixed" pos="1 0 1" xyaxes="0 1 0 -1 0 1" fovy="60"/>
    <site name="anchor" pos="0 .3 1"/>
    <body name="a" pos="0 0 1">
      <joint name="j" type="hinge" axis="0 1 0" range="-90 90" ref="10" damping=".1"/>
      <geom name="ga" type="capsule" size=".05 .2"/>
      <site name="sa" pos="0 0 .2"/>
      <camera name="lens" mode="targetbody" target="b" resolution="640 480" sensorsize=".006 .0045" focal=".008 .008"/>
      <body name="b" pos=".1 0 .4">
        <joint name="k" type="slide" axis="1 0 0" range="-.2 .3"/>
        <geom name="gb" size=".06"/>
        <site name="sb"/>
        <light name="torch" mode="trackcom" cutoff="20" exponent="3" attenuation="1 .1 .2"/>
      </body>
    </body>
    <body name="ball" pos="1 1 1"><joint name="socket" type="ball"/><geom name="gc" size=".1" contype="2"/></body>
    <body name="loose" pos="-1 0 1"><freejoint name="f"/><geom name="gd" type="box" size=".1 .1 .1"/></body>
    <body name="hand" mocap="true" pos="0 -1 1"><geom name="ge" size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>"""


def model(*sections: str, tree: str = TREE) -> str:
    return f'<mujoco model="m">{"".join(sections)}{tree}</mujoco>'


ACTUATORS = """<default>
  <default class="geared"><motor ctrlrange="-3 3" gear="2"/></default>
  <default class="servo"><position kp="7" kv=".5"/></default>
  <default class="raw"><general gainprm="4 1 2" biastype="affine" biasprm="0 -4 -1"/></default></default>
  <tendon><fixed name="t"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon>
  <actuator>
    <motor name="motor" class="geared" joint="j"/>
    <position name="position" class="servo" joint="k" ctrlrange="-1 1" forcelimited="false"/>
    <velocity joint="j" kv="3"/> <intvelocity name="iv" joint="k" kp="2" actrange="-1 1"/>
    <damper name="damper" joint="j" kv="2" ctrlrange="0 1"/> <cylinder name="cylinder" joint="k" area="2" bias="1 0 0"/>
    <muscle name="muscle" tendon="t" lengthrange=".1 .4"/> <adhesion name="adhesion" body="b" gain="3" ctrlrange="0 1"/>
    <general name="general" class="raw" joint="j" gainprm="9" dyntype="filter" dynprm=".1"/>
    <general name="on tendon" tendon="t" gear="1"/> <motor name="on site" site="sb" refsite="sa" gear="1 0 0 0 2 0"/>
    <motor name="in parent" jointinparent="socket" gear="0 1 0"/>
    <motor name="crank" cranksite="sa" slidersite="sb" cranklength=".3"/>
    <general class="servo" name="inherits" joint="k"/>
  </actuator>"""
SENSORS = """<sensor>
    <accelerometer name="acc" site="sa" cutoff="3" noise=".1"/> <gyro site="sa"/> <force name="force" site="sb"/>
    <touch name="touch" site="sb"/> <jointpos name="jp" joint="j"/> <ballquat joint="socket"/>
    <framepos name="fp" objtype="site" objname="sa" reftype="body" refname="b"/>
    <framelinvel objtype="xbody" objname="a"/> <subtreecom body="a"/> <rangefinder site="sa"/>
    <camprojection site="sa" camera="fixed"/> <distance geom1="ga" body2="ball" cutoff="1"/>
    <contact geom1="gd" num="2" data="force pos" reduce="mindist"/> <clock name="clock"/> <e_kinetic/>
    <user objtype="body" objname="b" datatype="real" needstage="acc" dim="3" name="own"/>
    <insidesite site="anchor" objtype="body" objname="a"/>
    <jointlimitpos joint="j"/> <magnetometer site="sb"/> <velocimeter site="sb"/> <torque site="sb"/>
  </sensor>"""
TENDONS = """<default><tendon group="2" stiffness="3" range="0 1"/></default><tendon>
    <spatial name="s" damping="2 .1" springlength=".1 .2" rgba="1 0 0 1" limited="true"><site site="anchor"/>
      <geom geom="gb" sidesite="sb"/> <site site="sb"/> <pulley divisor="2"/>
      <site site="sa"/> <site site="sb"/></spatial>
    <spatial class="main"><site site="anchor"/><site site="sa"/></spatial>
    <fixed name="x" range="-1 1" frictionloss=".3" armature=".1"><joint joint="j" coef=".5"/></fixed></tendon>
  <sensor><tendonpos tendon="s"/></sensor>"""
EQUALITIES = """<default><equality solref=".05 1"/></default>
  <tendon><fixed name="t1"><joint joint="j" coef="1"/></fixed>
  <fixed name="t2"><joint joint="k" coef="1"/></fixed></tendon>
  <equality><connect name="c" body1="b" body2="ball" anchor=".1 .2 .3"/> <weld body1="loose" active="false"/>
    <weld name="w" body1="a" body2="loose" relpose="1 2 3 1 0 0 0" torquescale="2" anchor="0 0 .1" solimp=".8 .9"/>
    <connect site1="sa" site2="anchor"/> <weld site1="sb" site2="anchor"/> <joint joint1="k" joint2="j" polycoef="0 2"/>
    <joint name="q" joint1="k" joint2="j" polycoef="0 1 .5 .2 .1"/> <joint joint1="j" active="false"/>
    <tendon name="tt" tendon1="t1" tendon2="t2" polycoef=".1 2"/></equality>"""
CONTACTS = """<default><pair condim="1"/></default><contact><exclude name="no" body1="a" body2="ball"/>
  <exclude body1="b" body2="loose"/>
  <pair geom1="gb" geom2="gd" friction=".5 .6 .01 .02 .03" solreffriction=".1 1" margin=".01" gap=".001"/>
  <pair name="yes" geom1="gc" geom2="gd" condim="4" solref=".01 1" solimp=".8 .9 .01"/></contact>"""
KEYS = """<actuator><motor name="m" joint="j"/><intvelocity name="i" joint="k" actrange="-1 1"/></actuator><keyframe>
  <key name="home" time="2" qpos=".1 .2 1 0 0 0 -1 0 1 0 1 0 0" qvel="1 2 3 4 5 6 7 8 9 10 11" act=".3" ctrl=".5 .6"
    mpos="1 2 3" mquat="0 1 0 0"/> <key/> <key qpos="0.17453292519943295 0 .6 .8 0 0 -1 0 1 1 0 0 0"/></keyframe>"""
WORLD = """<option timestep=".001" gravity="0 0 -3" integrator="implicitfast" cone="elliptic" wind="1 2 3"
  density="1.2">
  <flag contact="disable" energy="enable"/></option><option tolerance="1e-9"/><size nuser_body="2" memory="2M"/>
  <visual><headlight ambient=".1 .2 .3"/><map znear=".02"/></visual><statistic extent="3" center="1 1 1"/>
  <custom><numeric name="n" data="1 2 3" size="5"/><text name="words" data="x"/>
    <tuple name="t"><element objtype="body" objname="a" prm=".5"/></tuple></custom>"""
PLAIN = """<compiler angle="radian"/>"""
PARTS = {
    "actuators": ACTUATORS,
    "sensors": SENSORS,
    "tendons": TENDONS,
    "equalities": EQUALITIES,
    "contacts": CONTACTS,
    "keyframes": KEYS,
    "world": WORLD,
    "views": PLAIN,
}


def compiled(path: Path) -> mujoco.MjModel:
    found = loads(path)
    assert not isinstance(found, str), found
    return found


def unlike(source: Path, written: Path) -> list[str]:
    return [f"{part}: {text}" for part, found in differences(compiled(source), compiled(written)) for text in found]


@pytest.fixture
def source(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return saved(tmp_path / "source.xml", model(PARTS[request.param]))


@pytest.mark.parametrize("source", PARTS, indirect=True)
def test_written_again_it_compiles_to_the_same_model(source: Path, tmp_path: Path):
    report = convert(source, tmp_path / "out.xml")
    assert unlike(source, tmp_path / "out.xml") == []
    complete(report)


@pytest.mark.parametrize("source", PARTS, indirect=True)
@pytest.mark.parametrize("middle", ["middle.urdf", "middle.sdf"])
def test_what_only_mujoco_knows_comes_back_from_elsewhere(source: Path, middle: str, tmp_path: Path):
    complete(convert(source, tmp_path / middle))
    convert(tmp_path / middle, tmp_path / "back.xml")
    assert unlike(source, tmp_path / "back.xml") == []


@pytest.mark.parametrize("source", PARTS, indirect=True)
def test_a_scene_without_its_spelling_compiles_to_the_same_model(source: Path, tmp_path: Path):
    scene = read(source).evolve(notation={})
    write(scene, tmp_path / "out.xml")
    known = ("actuator_", "sensor_", "tendon_", "wrap_", "eq_", "pair_", "key_", "cam_", "light_", "opt.", "nsensor")
    wrong = [text for text in unlike(source, tmp_path / "out.xml") if text.split(": ", 1)[1].startswith(known)]
    assert wrong == []


@pytest.mark.parametrize("source", PARTS, indirect=True)
def test_the_second_write_is_the_first(source: Path, tmp_path: Path):
    convert(source, tmp_path / "once.xml")
    convert(tmp_path / "once.xml", tmp_path / "twice.xml")
    assert (tmp_path / "once.xml").read_bytes() == (tmp_path / "twice.xml").read_bytes()


def scene_of(tmp_path: Path, *sections: str):
    path = saved(tmp_path / "model.xml", model(*sections))
    return read(path)


def test_actuators_are_told_by_kind_and_transmission(tmp_path: Path):
    table = scene_of(tmp_path, ACTUATORS).tables["actuator"]
    assert {name: each.transmission for name, each in table.items() if each.transmission != "joint"} == {
        "muscle": "tendon",
        "adhesion": "body",
        "on tendon": "tendon",
        "on site": "site",
        "in parent": "jointinparent",
        "crank": "slidercrank",
    }
    assert (table["motor"].gear, table["motor"].control_range) == ((2.0,), (-3.0, 3.0))
    assert (table["position"].kp, table["position"].kv, table["motor"].kp) == (7.0, 0.5, None)
    assert dict(table["general"].parameters)["gainprm"] == "9 1 2"


def test_a_servo_in_degrees_keeps_its_range(tmp_path: Path):
    """Angles of actuators are never in degrees (mjcf.md 1.1)."""
    servo = '<actuator><position name="p" joint="j" ctrlrange="-90 90"/></actuator>'
    assert scene_of(tmp_path, servo).tables["actuator"]["p"].control_range == (-90.0, 90.0)


def test_a_linear_equality_is_a_mimic_of_urdf(tmp_path: Path):
    equality = '<equality><joint joint1="k" joint2="j" polycoef=".1 -2 0 0 0"/></equality>'
    scene = scene_of(tmp_path, equality)
    mimic = scene.dofs()["k"][1].mimic
    assert mimic == Mimic(dof="j", multiplier=-2.0, offset=pytest.approx(0.1 + 2 * np.radians(10)))
    convert(tmp_path / "model.xml", tmp_path / "out.urdf")
    assert 'mimic joint="j" multiplier="-2"' in (tmp_path / "out.urdf").read_text()


@pytest.mark.parametrize(
    "equality",
    [
        '<joint joint1="k" joint2="j" polycoef="0 1 .5"/>',
        '<joint joint1="k" joint2="j" active="false"/>',
        '<joint joint1="k" polycoef=".1"/>',
    ],
)
def test_an_equality_that_is_no_mimic_stays_a_constraint(equality: str, tmp_path: Path):
    scene = scene_of(tmp_path, f"<equality>{equality}</equality>")
    (constraint,) = scene.constraints.values()
    assert isinstance(constraint.spec, Couple) and scene.dofs()["k"][1].mimic is None
    report = convert(tmp_path / "model.xml", tmp_path / "out.urdf")
    assert "mimic" not in (tmp_path / "out.urdf").read_text().split("<kinegraph", 1)[0]
    assert any(finding.where.startswith("constraint/") for finding in report.findings)


def test_ties_are_poses_and_points(tmp_path: Path):
    scene = scene_of(tmp_path, EQUALITIES)
    specs = {name: constraint.spec for name, constraint in scene.constraints.items()}
    assert specs["c"] == Connect(anchor=(0.1, 0.2, 0.3))
    assert isinstance(specs["w"], WeldTo) and specs["w"].pose.pos == (1.0, 2.0, 3.0)
    drawn = next(spec for name, spec in specs.items() if name == "weld_loose_world")
    assert isinstance(drawn, WeldTo) and drawn.pose.pos == (1.0, 0.0, -1.0)


def test_keyframes_are_told_by_joint(tmp_path: Path):
    home: Keyframe = scene_of(tmp_path, KEYS).tables["keyframe"]["home"]
    assert dict(home.positions)["k"] == (0.2,)
    assert dict(home.positions)["f"] == (-1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
    assert dict(home.velocities)["socket"] == (3.0, 4.0, 5.0)
    assert (home.controls, home.activations) == ((("m", (0.5,)), ("i", (0.6,))), (("i", (0.3,)),))
    assert dict(home.poses)["hand"] == (1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0)


SHORT = """<mujoco><worldbody><body name="m" mocap="true" pos="1 2 3"/><body name="n" mocap="true" pos="4 5 6"/>
<body name="b"><joint name="j" ref="30"/><geom size=".1"/>
<body><joint name="k" ref="20"/><geom size=".1"/></body></body>
<body pos="7 8 9"><freejoint name="f"/><geom size=".1"/></body></worldbody>
<actuator><general name="x" joint="j" dyntype="integrator"/><general name="y" joint="k" dyntype="filter"/></actuator>
<keyframe><key name="key" {}/></keyframe></mujoco>"""


@pytest.mark.parametrize(
    "said",
    [
        'qpos=".1"',
        'qpos=".1 .2 1"',
        'qpos=".1 .2 1 2 3 0 1"',
        'qvel="1 2 3"',
        'act="1"',
        'ctrl="2"',
        'mpos="9 8 7"',
        'mpos="9 8 7 6"',
        'mquat="0 1 0 0 0"',
    ],
)
def test_what_a_keyframe_does_not_say_is_as_the_model_is_drawn(said: str, tmp_path: Path):
    """Vectors that are too short are completed; the pose of a mocap body is used if it is complete."""
    expected = compiled(saved(tmp_path / "source.xml", SHORT.format(said)))
    scene = read(tmp_path / "source.xml")
    write(scene.evolve(notation={}), tmp_path / "plain.xml")
    convert(tmp_path / "source.xml", tmp_path / "there.urdf")
    convert(tmp_path / "there.urdf", tmp_path / "back.xml")
    assert not scene.tables["keyframe"]["key"].parameters
    for name in ("plain.xml", "back.xml"):
        found = compiled(tmp_path / name)
        for array in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
            assert np.array_equal(getattr(found.key("key"), array), getattr(expected.key("key"), array)), (name, array)


@pytest.mark.parametrize("turn", ["2 0 0 0", "0 3 0 4", "0.6 0 0 0.8", "0.8 0 0 0.6000001", "0 0 0 0", "5"])
def test_a_rotation_of_a_keyframe_is_a_unit_as_in_mujoco(turn: str, tmp_path: Path):
    said = f'qpos="0 0 1 2 3 {turn}"', f'mquat="1 0 0 0 {turn}"'
    (tmp_path / "source.xml").write_text(SHORT.format(" ".join(said[: 2 - (turn in ("0 0 0 0", "5"))])))
    expected = compiled(tmp_path / "source.xml").key("key")
    key: Keyframe = read(tmp_path / "source.xml").tables["keyframe"]["key"]
    assert dict(key.positions)["f"] == pytest.approx([*expected.qpos[2:]], abs=1e-15)
    assert dict(key.poses).get("n", (4, 5, 6, 1, 0, 0, 0))[3:] == pytest.approx([*expected.mquat[4:]], abs=1e-15)


def test_a_keyframe_follows_its_joints_when_the_model_changes(tmp_path: Path):
    scene = scene_of(tmp_path, KEYS)
    joints = [joint for joint in scene.joints.values() if joint.child != "ball"]
    bodies = [body for body in scene.bodies.values() if body.name != "ball"]
    keys = [
        Keyframe(
            name=key.name,
            positions=tuple(item for item in key.positions if item[0] != "socket"),
            velocities=tuple(item for item in key.velocities if item[0] != "socket"),
        )
        for key in scene.tables["keyframe"].values()
    ]
    write(scene.evolve(bodies=bodies, joints=joints, tables={"keyframe": keys}, notation={}), tmp_path / "out.xml")
    found = compiled(tmp_path / "out.xml")
    home = found.key("home")
    assert list(home.qpos) == [0.1, 0.2, -1, 0, 1, 0, 1, 0, 0]
    assert list(home.qvel) == [1, 2, 6, 7, 8, 9, 10, 11]


def test_a_named_pose_of_some_joints_leaves_the_others_as_drawn(tmp_path: Path):
    scene = scene_of(tmp_path)
    key = Keyframe(name="half", positions=(("k", (0.25,)),))
    write(scene.evolve(tables={"keyframe": [key]}, notation={}), tmp_path / "out.xml")
    found = compiled(tmp_path / "out.xml")
    expected = found.qpos0.copy()
    expected[found.joint("k").qposadr[0]] = 0.25
    assert np.allclose(found.key("half").qpos, expected)


def test_an_imu_and_a_force_sensor_of_other_formats_are_sensors_at_a_site(tmp_path: Path):
    sensors = [Sensor(name="imu", kind="imu", body="b"), Sensor(name="ft", kind="force_torque", target="j")]
    report = write(scene_of(tmp_path).evolve(tables={"sensor": sensors}, notation={}), tmp_path / "out.xml")
    found = compiled(tmp_path / "out.xml")
    kinds = [mujoco.mjtSensor(kind).name[len("mjSENS_") :] for kind in found.sensor_type]
    assert kinds == ["ACCELEROMETER", "GYRO", "FRAMEQUAT", "FORCE", "TORQUE"]
    assert found.body(int(found.site("ft").bodyid[0])).name == "a"
    complete(report)


def test_what_joints_and_geoms_share_stands_in_classes(tmp_path: Path):
    links = "".join(
        f"""<link name="l{n}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link>"""
        for n in range(4)
    )
    joints = "".join(
        f"""<joint name="arm{n}_joint" type="revolute"><parent link="l{n}"/><child link="l{n + 1}"/><axis xyz="0 1 0"/>
        <origin xyz="0 0 1"/><limit lower="-1" upper="2" effort="5" velocity="1"/><dynamics damping=".5"/></joint>"""
        for n in range(3)
    )
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    report = convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    text = (tmp_path / "robot.xml").read_text()
    assert '<joint axis="0 1 0" range="-1 2" damping="0.5" actuatorfrcrange="-5 5"/>' in text
    assert text.count("damping") == 1 and text.count('type="sphere"') == 1
    found = compiled(tmp_path / "robot.xml")
    assert np.allclose(found.jnt_range, [[-1, 2]] * 3) and np.allclose(found.dof_damping, 0.5)
    assert np.allclose(found.jnt_axis, [[0, 1, 0]] * 3) and np.allclose(found.geom_size[:, 0], 0.1)
    explained(report)


def test_a_camera_behind_a_lens_sees_what_the_engine_says(tmp_path: Path):
    scene = scene_of(tmp_path)
    found = compiled(tmp_path / "model.xml")
    lens = next(camera for camera in scene.body("a").cameras if camera.name == "lens")
    assert np.degrees(lens.fov_y) == pytest.approx(found.camera("lens").fovy[0])
    assert (lens.width, lens.height) == (640, 480)


def test_lights_shine_along_their_direction(tmp_path: Path):
    from ir.pose import rotate

    scene = scene_of(tmp_path)
    (sun,) = scene.body("world").lights
    assert sun.kind == "directional" and not sun.cast_shadows
    assert np.allclose(rotate(sun.pose.rot, (0, 0, -1)), compiled(tmp_path / "model.xml").light("sun").dir)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ('<actuator><motor joint="QQQ"/></actuator>', "the joint 'QQQ'"),
        ("<sensor><gyro/></sensor>", "has no attribute 'site'"),
        ('<tendon><fixed name="t"><joint joint="QQQ" coef="1"/></fixed></tendon>', "the joint 'QQQ'"),
        ('<equality><weld body1="QQQ"/></equality>', "the body 'QQQ'"),
        ('<equality><joint joint1="j" joint2="k" polycoef="1 2 3 4 5 6"/></equality>', "5 numbers at most"),
        ('<contact><exclude body1="a" body2="QQQ"/></contact>', "the body 'QQQ'"),
        ('<actuator><motor name="x" joint="j"/><motor name="x" joint="k"/></actuator>', "named 'x'"),
        ('<actuator><motor joint="j" ctrlrange="1"/></actuator>', "needs 2 numbers"),
        ('<keyframe><key qpos="QQQ"/></keyframe>', "is not a number"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(section: str, message: str, tmp_path: Path):
    with pytest.raises(InputError, match=message) as caught:
        scene_of(tmp_path, section)
    assert "model.xml:" in str(caught.value)


@pytest.fixture
def shallow() -> Iterator[int]:
    """Lower the recursion limit below Python's default, so that a shorter chain is sufficient; yield the limit."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    yield sys.getrecursionlimit()
    sys.setrecursionlimit(before)


def test_a_chain_longer_than_calls_may_be_deep_is_no_matter_of_recursion(tmp_path: Path, shallow: int):
    from tests.bench.mjcf import chain

    length = shallow + 50
    (tmp_path / "chain.xml").write_text(chain(length))
    for name in ("out.xml", "out.urdf", "back.xml"):
        convert(tmp_path / ("out.urdf" if name == "back.xml" else "chain.xml"), tmp_path / name)
    assert len(read(tmp_path / "back.xml").bodies) == length + 1
