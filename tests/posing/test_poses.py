"""--pose: poses of bodies, against computations done here and against MuJoCo."""

from __future__ import annotations

import json
import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import InputError, Options, WriterContext
from converters.convert import convert, read
from converters.posing import clips, positions
from ir.kinematics import forward
from ir.scene import Scene
from ir.types import Body, Connect, Constraint, Dof, DofKind, Joint, Keyframe, Mimic
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.posing.chains import no_pose, posed, scene_of
from tests.reports import of_rule

# ----------------------------------------------------------------------------------------------------------- no words


def test_without_a_word_everything_rests_and_limits_hold(arm: Scene) -> None:
    found = positions(arm, posed())
    assert list(found) == list(arm.dofs())
    assert found["shoulder"] == (0.0,)
    assert found["lift"] == (0.1,), "zero is outside 0.1 to 0.5"
    assert found["ball"] == (1.0, 0.0, 0.0, 0.0)
    assert found["wheel"] == (0.25,), "the rest of a dof is its zero"
    assert found["thumb"] == pytest.approx((-2.0 * (0.0 - 0.005) + 0.01,)), "a follower follows, whatever its limits"


def test_a_free_body_rests_where_its_joint_has_it() -> None:
    scene = scene_of(Dof(name="base", kind=DofKind.FREE))
    assert positions(scene, posed())["base"] == (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def test_limits_that_leave_nothing_between_them_bind_nobody() -> None:
    scene = scene_of(Dof(name="odd", kind=DofKind.HINGE, lower=1.0, upper=-1.0))
    assert positions(scene, posed())["odd"] == (0.0,)
    assert positions(scene, posed("odd=7"))["odd"] == (7.0,)


# -------------------------------------------------------------------------------------------------------- JOINT=VALUE


@pytest.mark.parametrize(
    ("word", "name", "value"),
    [
        ("shoulder=0.5", "shoulder", (0.5,)),
        ("shoulder=-30deg", "shoulder", (math.radians(-30.0),)),
        ("shoulder= 30 deg", "shoulder", (math.radians(30.0),)),
        ("shoulder=1e-1rad", "shoulder", (0.1,)),
        ("shoulder=+.5", "shoulder", (0.5,)),
        ("shoulder=1.500004", "shoulder", (1.500004,)),  # a hair beyond 1.5 is rounding
        ("lift=20cm", "lift", (0.2,)),
        ("lift=300 mm", "lift", (0.3,)),
        ("lift=0.4m", "lift", (0.4,)),
        ("ball=0,0,0,-2", "ball", (0.0, 0.0, 0.0, -1.0)),
        ("ball=0.5 0.5 -0.5 0.5", "ball", (0.5, 0.5, -0.5, 0.5)),
        ("tilt=0.2", "tilt", (0.2,)),
    ],
)
def test_a_joint_takes_a_value(arm: Scene, word: str, name: str, value: tuple[float, ...]) -> None:
    found = positions(arm, posed(word))
    assert found[name] == pytest.approx(value, abs=1e-12)
    still = positions(arm, posed())
    assert {k: v for k, v in found.items() if k != name} == {k: v for k, v in still.items() if k != name}


def test_a_joint_of_several_dofs_takes_all_their_values(arm: Scene) -> None:
    found = positions(arm, posed("joint3=0.1,20deg"))
    assert found["pan"] == (0.1,)
    assert found["tilt"] == pytest.approx((math.radians(20),))


def test_a_free_body_takes_a_place_and_a_quaternion() -> None:
    scene = scene_of(Dof(name="base", kind=DofKind.FREE))
    assert positions(scene, posed("base=1,2,3,0,0,0,4"))["base"] == (1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0)


def test_later_words_win(arm: Scene) -> None:
    found = positions(arm, posed("shoulder=0.1", "lift=0.2", "shoulder=0.3"))
    assert (found["shoulder"], found["lift"]) == ((0.3,), (0.2,))


def test_a_name_of_the_source_finds_its_joint() -> None:
    scene = scene_of(Dof(name="elbow_1", label="elbow", kind=DofKind.HINGE), Dof(name="elbow_2", kind=DofKind.HINGE))
    assert positions(scene, posed("elbow=1"))["elbow_1"] == (1.0,)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("sholder=1", "--pose sholder=1: there is no joint 'sholder'; did you mean shoulder?"),
        ("xyz=1", "there is no joint 'xyz'; there are shoulder, lift"),
        ("shoulder=2", "2 is outside the limits of 'shoulder', -1.5 to 1.5 rad; --clamp takes the nearest"),
        ("shoulder=30", "-1.5 to 1.5 rad; --clamp takes the nearest; degrees are written 30deg"),
        ("lift=0", "0 is outside the limits of 'lift', 0.1 to 0.5 m"),
        ("shoulder=nan", "'nan' is not a number"),
        ("shoulder=90grad", "'90grad' is not a number"),
        ("shoulder=inf", "'inf' is not a number"),
        ("shoulder=1e999", "beyond the range"),
        ("shoulder=", "shoulder takes 1 number, not 0"),
        ("shoulder=1,2", "shoulder takes 1 number, not 2"),
        ("shoulder=1m", "is given in rad or deg"),
        ("lift=3deg", "is given in m or cm or mm"),
        ("ball=1deg,0,0,0", "without a unit"),
        ("ball=0,0,0,0", "no rotation"),
        ("ball=1,0,0", "ball takes 4 numbers (w x y z), not 3"),
        ("joint3=1", "pan, tilt together takes 2 numbers, not 1"),
        ("thumb=0.5", "'thumb' follows 'finger' (-2 * finger + 0.02 = 0.02) and cannot be 0.5; finger=-0.24 would do"),
        ("nothing", "is no JOINT=VALUE"),
        ("shoulder", "is a joint without a position: write shoulder=0.5, or 30deg, 20cm"),
        ("missing.yaml", "there is no such file"),
    ],
)
def test_what_cannot_be_is_said(arm: Scene, word: str, said: str) -> None:
    assert said in str(no_pose(arm, word))


def test_degrees_are_advised_only_to_those_who_wrote_none(arm: Scene) -> None:
    """100deg are 1.745 rad, which would be within the limits as degrees."""
    assert str(no_pose(arm, "shoulder=100deg")).endswith("-1.5 to 1.5 rad; --clamp takes the nearest")


def test_a_fixed_joint_has_no_position() -> None:
    scene = scene_of(Dof(name="a", kind=DofKind.HINGE))
    scene.add_body(Body(name="end"))
    scene.add_joint(Joint(name="mount", parent="b0", child="end"))
    assert "'mount' is fixed" in str(no_pose(scene, "mount=1"))


def test_a_model_without_joints_says_so() -> None:
    assert "no joint that moves" in str(no_pose(Scene("empty"), "a=1"))


def test_a_follower_may_be_given_what_it_has_anyway(arm: Scene) -> None:
    found = positions(arm, posed("finger=0.02", "thumb=-0.02"))
    assert found["thumb"] == pytest.approx((-2.0 * (0.02 - 0.005) + 0.01,))


def test_followers_follow_through_a_chain() -> None:
    scene = scene_of(
        Dof(name="c", kind=DofKind.HINGE, mimic=Mimic(dof="b", multiplier=3.0)),
        Dof(name="b", kind=DofKind.HINGE, mimic=Mimic(dof="a", offset=1.0)),
        Dof(name="a", kind=DofKind.HINGE),
    )
    found = positions(scene, posed("a=0.5"))
    assert (found["b"], found["c"]) == ((1.5,), (4.5,))


def test_mimics_in_a_circle_are_no_crash() -> None:
    scene = scene_of(
        Dof(name="a", kind=DofKind.HINGE, mimic=Mimic(dof="b")), Dof(name="b", kind=DofKind.HINGE, mimic=Mimic(dof="a"))
    )
    assert positions(scene, posed()) == {"a": (0.0,), "b": (0.0,)}


def test_clamp_takes_the_nearest_and_says_so(arm: Scene) -> None:
    used = posed("shoulder=2", "lift=0", "tilt=0.5", clamp=True)
    for _ in range(2):
        found = positions(arm, used)
        assert (found["shoulder"], found["lift"], found["tilt"]) == ((1.5,), (0.1,), (0.5,))
    assert [(note.rule, note.before, note.after) for note in used.notes] == [
        ("pose/clamped", "2", "1.5"),
        ("pose/clamped", "0", "0.1"),
    ], "each is said once, however often somebody asks"


BALL = """<mujoco><worldbody><body><joint name="ball" type="ball" range="0 60" limited="true"/><geom size=".1"/></body>
  </worldbody></mujoco>"""


def test_a_ball_turns_as_far_as_mujoco_lets_it(tmp_path: Path) -> None:
    scene = read(saved(tmp_path / "ball.xml", BALL))
    model = mujoco.MjModel.from_xml_string(BALL)
    state = mujoco.MjData(model)
    for degrees, sign in ((59.9, 1), (60.1, 1), (120, -1), (300.5, 1), (299, 1)):
        half = math.radians(degrees) / 2
        quaternion = [sign * math.cos(half), 0.0, sign * 0.6 * math.sin(half), sign * 0.8 * math.sin(half)]
        state.qpos[:] = quaternion
        mujoco.mj_forward(model, state)
        word = f"ball={','.join(map(repr, quaternion))}"
        if state.nefc:
            assert "outside the limits of 'ball', a turn of at most 1.0472 rad" in str(no_pose(scene, word))
        else:
            assert positions(scene, posed(word))["ball"] == pytest.approx(tuple(quaternion))
        used = posed(word, clamp=True)
        state.qpos[:] = positions(scene, used)["ball"]
        assert [note.rule for note in used.notes] == ["pose/clamped"] * bool(state.nefc)
        angle = min(math.radians(degrees), math.tau - math.radians(degrees))
        assert abs(2 * math.acos(min(abs(state.qpos[0]), 1.0)) - min(angle, math.pi / 3)) < 1e-6
        nearest = abs(sum(one * other for one, other in zip(state.qpos, quaternion, strict=True)))
        assert nearest == pytest.approx(math.cos(max(angle - math.pi / 3, 0.0) / 2)), "about the same axis"


def test_a_motion_of_a_ball_stays_in_its_limit(tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(BALL)
    (tmp_path / "far.csv").write_text("time,ball[0],ball[1],ball[2],ball[3]\n0,1,0,0,0\n1,0.5,0.866,0,0\n")
    scene = read(tmp_path / "ball.xml")
    with pytest.raises(InputError, match=r"'ball' is 2.094.* at 1 s, outside its limits, a turn of at most 1.0472 rad"):
        clips(scene, posed(trajectory=(str(tmp_path / "far.csv"),)))
    used = posed(trajectory=(str(tmp_path / "far.csv"),), clamp=True)
    (clip,) = clips(scene, used)
    assert clip.positions["ball"][-1] == pytest.approx((math.cos(math.pi / 6), 0.5, 0, 0))
    assert [note.rule for note in used.notes] == ["pose/clamped"]


def test_a_joint_that_rests_beyond_its_limits_at_no_zero_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "ref.xml").write_text(
        """<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" ref="3" range="0 2" limited="true"/>
        <geom size=".1"/></body></worldbody></mujoco>"""
    )
    used = posed()
    assert positions(read(tmp_path / "ref.xml"), used) == {"j": (2.0,)}
    (note,) = used.notes
    assert (note.before, note.after) == ("3", "2")
    assert "rest position of the joint is outside its limits, 0 to 2 rad" in note.reason and "zero" not in note.reason


def test_loops_and_constraints_are_nobodys_business_and_the_report_says_so(arm: Scene) -> None:
    arm.add_joint(Joint(name="loop", parent="b0", child="b2", closes_loop=True))
    for active in (True, False):
        arm.add_constraint(Constraint(name=f"tie {active}", parent="b0", child="b1", spec=Connect(), active=active))
    used = posed()
    positions(arm, used)
    assert {each.rule for each in used.notes} == {"pose/limit"}
    used = posed("lift=0.2", trajectory=("sweep",))
    clips(arm, used)
    assert [(note.rule, note.before, note.action) for note in used.notes] == [
        ("pose/constraints", "loop, tie True", "ignored")
    ]


# ---------------------------------------------------------------------------------------------------------- keyframes


def test_a_keyframe_is_a_pose(arm: Scene) -> None:
    key = Keyframe(name="home", label="at home", positions=(("shoulder", (0.5,)), ("thumb", (9.0,))))
    scene = arm.evolve(tables={"keyframe": [key]})
    for word in ("home", "at home"):
        found = positions(scene, posed(word, "lift=0.2"))
        assert (found["shoulder"], found["lift"]) == ((0.5,), (0.2,))
        assert found["thumb"] == pytest.approx((0.02,)), "followers follow"
    assert "its keyframes are home" in str(no_pose(scene, "hone"))
    said = str(no_pose(scene, "initial"))
    assert "no ros2_control joint has an initial position" in said and "its keyframes are home" in said


def test_a_keyframe_with_too_few_numbers_is_refused(arm: Scene) -> None:
    scene = arm.evolve(tables={"keyframe": [Keyframe(name="home", positions=(("ball", (1.0,)),))]})
    assert "'ball' takes 4 numbers, not 1" in str(no_pose(scene, "home"))


# ---------------------------------------------------------------------------------------------------- whole conversion

URDF = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="one" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>
<axis xyz="0 0.6 0.8"/><limit lower="0.2" upper="1" effort="1" velocity="1"/></joint>
<joint name="two" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="three" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0 1 0" rpy="0 0.5 0"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/>
<mimic joint="one" multiplier="-2" offset="0.5"/></joint></robot>"""


def test_mujoco_finds_the_pose_as_a_keyframe(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.urdf", URDF)
    options = Options(pose=("two=-0.5", "one=0.7"))
    report = convert(source, tmp_path / "r.xml", options=options)
    notes = of_rule(report, "pose/keyframe")
    assert [(note.where, note.after) for note in notes] == [("keyframe/pose", "one 0.7, two -0.5, three -0.9")]
    assert [place.line for place in notes[0].sources] == [2]
    scene = read(source)
    used = WriterContext(file="", folder=tmp_path, options=options)
    values = positions(scene, used)
    assert values["three"] == pytest.approx((-0.9,))
    poses = forward(scene, values)
    model = mujoco_model(tmp_path / "r.xml")
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("pose").id)
    mujoco.mj_kinematics(model, data)
    for name in "bcd":
        assert data.body(name).xpos == pytest.approx(poses[name].pos, abs=1e-12)
        assert abs(np.dot(data.body(name).xquat, poses[name].rot)) == pytest.approx(1.0, abs=1e-12)


def test_what_is_beyond_a_limit_is_told_where_the_joint_has_it(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.urdf", URDF)
    with pytest.raises(InputError, match=r"r\.urdf:4: --pose two=2: 2 is outside the limits"):
        convert(source, tmp_path / "r.xml", options=Options(pose=("two=2",)))
    report = convert(source, tmp_path / "r.xml", options=Options(pose=("two=2",), clamp=True))
    assert [(Path(place.file).name, place.line) for place in of_rule(report, "pose/clamped")[0].sources] == [
        ("r.urdf", 4)
    ]


def test_the_pose_comes_back_from_urdf_whose_srdf_has_it(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.urdf", URDF)
    report = convert(source, tmp_path / "out.urdf", options=Options(pose=("one=0.7",)))
    assert [(f.rule, f.action.value) for f in report.findings if f.where.startswith("keyframe/pose")] == [
        ("pose/keyframe", "derived"),
        ("urdf/keyframe-joints", "derived"),
    ]
    key = read(tmp_path / "out.urdf").tables["keyframe"]["pose"]
    assert dict(key.positions)["one"] == (0.7,)
    again = convert(tmp_path / "out.urdf", tmp_path / "again.xml", options=Options(pose=("pose", "two=0.1")))
    assert again.total(type(again.findings[0].action)("unexplained")) == 0
    assert set(read(tmp_path / "again.xml").tables["keyframe"]) == {"pose", "pose_1"}


def test_a_motion_that_a_target_cannot_hold_is_dropped_and_said(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.urdf", URDF)
    (tmp_path / "wave.json").write_text(json.dumps([{"time": t, "positions": {"two": t / 9}} for t in range(3)]))
    options = Options(trajectory=(str(tmp_path / "wave.json"),))
    report = convert(source, tmp_path / "r.sdf", options=options)
    found = [(f.before, f.action.value) for f in of_rule(report, "pose/motion")]
    assert found == [("wave: 3 samples, 2 s", "dropped")]
    assert [place.file for place in of_rule(report, "pose/motion")[0].sources] == [str(tmp_path / "wave.json")]
    with pytest.raises(InputError, match="there is no joint 'four'"):
        convert(source, tmp_path / "not.sdf", options=Options(pose=("four=1",)))
    assert not (tmp_path / "not.sdf").exists()


def test_a_follower_that_is_led_beyond_its_own_limits_is_told(tmp_path: Path) -> None:
    scene = scene_of(
        Dof(name="a", kind=DofKind.HINGE, lower=-1.0, upper=1.0),
        Dof(name="b", kind=DofKind.HINGE, lower=-1.0, upper=1.0, mimic=Mimic(dof="a", multiplier=2.0)),
    )
    for value, told in (("0.4", []), ("0.6", ["1.2"]), ("-1", ["-2"])):
        used = posed(f"a={value}")
        positions(scene, used)
        assert [(note.rule, note.where, note.before) for note in used.notes] == [
            ("pose/follower", "joint/b", each) for each in told
        ]
    (tmp_path / "m.csv").write_text("time,a\n0,0\n1,-0.7\n")
    used = posed(trajectory=(str(tmp_path / "m.csv"),))
    clips(scene, used)
    assert [(note.rule, note.before) for note in used.notes] == [("pose/follower", "-1.4")]
