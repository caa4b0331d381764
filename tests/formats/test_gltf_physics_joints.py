"""Joints, drives and equations of physics in glTF."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from converters.context import InputError
from converters.convert import convert
from ir.kinematics import forward
from ir.pose import compose, invert, multiply, rotate
from ir.types import DofKind
from tests.files import saved
from tests.formats.gltf_bodies import BODIES, HINGE, LOCKED, body, one, pendulum, world
from tests.formats.gltf_made import left, noted, scene_of
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import comes_back, complete, explained, of_rule


def test_a_hinge_between_the_world_and_a_body():
    limit = {"angularAxes": [0], "min": -1, "max": 2}
    scene = scene_of(pendulum({"limits": [*HINGE, limit]}))
    joint, dof = one(scene, "bob")
    assert joint.parent == "model"
    assert (dof.kind, dof.lower, dof.upper) == (DofKind.HINGE, -1.0, 2.0)
    assert dof.axis == pytest.approx((1, 0, 0))
    assert dof.anchor == pytest.approx((0, 1, 0))
    assert forward(scene)["bob"].pos == pytest.approx((0, 0, 0))


def test_a_joint_from_the_body_to_the_world_is_the_same_motion_backwards():
    made = world(physicsJoints=[{"limits": [*HINGE, {"angularAxes": [0], "min": -1, "max": 2}]}])
    stand = made.node(name="stand", translation=[0, 1, 0])
    near = body(made, {"joint": {"joint": 0, "connectedNode": stand}}, name="near", translation=[0, 1, 0])
    made.scene(stand, body(made, {"motion": {}}, name="bob", children=[near]))
    scene = scene_of(made)
    joint, dof = one(scene, "bob")
    assert (dof.lower, dof.upper) == (-1.0, 2.0)
    assert dof.axis == pytest.approx((-1, 0, 0))
    poses = forward(scene, {dof.name: 0.5})
    frame = next(frame for frame in scene.bodies["model"].frames if frame.name == "stand")
    near_pose = compose(poses["bob"], scene.body("bob").frames[0].pose)
    far_in_near = compose(invert(near_pose), compose(poses["model"], frame.pose))
    assert far_in_near.rot == pytest.approx((math.cos(0.25), math.sin(0.25), 0, 0)), "+q turns the connected node"
    assert joint.parent == "model"


KINDS = {
    "fixed": ([{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [0, 1, 2], **LOCKED}], []),
    "one by one": ([{key: [axis], **LOCKED} for key in ("linearAxes", "angularAxes") for axis in range(3)], []),
    "slide": ([{"linearAxes": [0, 2], **LOCKED}, {"angularAxes": [0, 1, 2], **LOCKED}], [DofKind.SLIDE]),
    "ball": ([{"linearAxes": [0, 1, 2], **LOCKED}], [DofKind.BALL]),
    "universal": (
        [{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [2], **LOCKED}],
        [DofKind.HINGE, DofKind.HINGE],
    ),
    "cylindrical": (
        [{"linearAxes": [1, 2], **LOCKED}, {"angularAxes": [1, 2], **LOCKED}],
        [DofKind.SLIDE, DofKind.HINGE],
    ),
    "planar": (
        [{"linearAxes": [0], **LOCKED}, {"angularAxes": [1, 2], **LOCKED}],
        [DofKind.SLIDE] * 2 + [DofKind.HINGE],
    ),
    "turns with limits without bounds": (
        [{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [0]}, {"angularAxes": [1], **LOCKED}],
        [DofKind.HINGE] * 2,
    ),
    "three bounded turns": (
        [{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [0], "min": -1, "max": 1}],
        [DofKind.HINGE] * 3,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_locked_is_a_dof(kind: str):
    limits, expected = KINDS[kind]
    scene = scene_of(pendulum({"limits": limits}))
    joint = scene.joint_of("bob")
    assert [dof.kind for dof in joint.dofs] == expected
    assert len({dof.name for dof in joint.dofs}) == len(joint.dofs)


SHARED = {"angularAxes": [0, 1, 2]}


APART = [{"angularAxes": [axis], "min": -0.5, "max": 0.5} for axis in range(3)]


@pytest.mark.parametrize(
    ("limits", "ranges"),
    [
        ([SHARED | {"min": -0.5, "max": 0.5}], [[0, 0.5]]),
        ([SHARED | {"max": 0.5}], [[0, 0.5]]),
        ([SHARED | {"min": -0.1, "max": 0.5}], [[-0.1, 0.5]] * 3),
        ([SHARED | {"min": -0.1}], [[-0.1, 1e10]] * 3),
        (APART, [[-0.5, 0.5]] * 3),
    ],
)
def test_three_bounded_turns_are_a_ball_where_one_angle_bounds_them(
    tmp_path: Path, limits: list[dict[str, Any]], ranges: list[list[float]]
):
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": [HINGE[0], *limits]}).glb())
    report = complete(convert(tmp_path / "a.glb", tmp_path / "a.xml"))
    model = mujoco_model(tmp_path / "a.xml")
    assert model.jnt_range.tolist() == ranges and model.jnt_limited.all()
    told = [finding.where for finding in of_rule(report, "gltf/limit")]
    assert told == (["joint/swing"] if len(ranges) == 3 and limits is not APART else [])


def test_dofs_have_names_of_their_own(tmp_path: Path):
    """A joint of two rotations, and one that has the name of the first of them."""
    made = world(physicsJoints=[{"limits": [HINGE[0], {"angularAxes": [2], **LOCKED}]}, {"limits": HINGE}])
    for number, name in enumerate(("a", "a_0")):
        bob = body(made, {"motion": {"mass": 1, "inertiaDiagonal": [1, 1, 1]}}, name=f"bob_{number}")
        body(made, {"joint": {"joint": number, "connectedNode": bob}}, name=name)
    made.scene(*range(4))
    explained(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "a.xml"))
    model = mujoco_model(tmp_path / "a.xml")
    assert [model.joint(number).name for number in range(model.njnt)] == ["a_0", "a_1", "a_0_1"]


def test_a_joint_that_leaves_everything_free_is_told_and_ties_nothing():
    scene, notes = noted(pendulum({"limits": []}))
    assert [note.rule for note in notes] == ["gltf/joint"]
    assert [dof.kind for dof in scene.joint_of("bob").dofs] == [DofKind.FREE]


def test_a_joint_between_what_no_force_moves_names_both_bodies():
    made = world(physicsJoints=[{"limits": HINGE}])
    lift = body(made, {"motion": {"isKinematic": True}}, name="lift")
    made.scene(lift, body(made, {"joint": {"joint": 0, "connectedNode": lift}}, name="rail"))
    told = [note for note in noted(made)[1] if note.rule == "gltf/joint"]
    assert [(note.before, note.reason) for note in told] == [("model to lift", "a joint: both its bodies are static")]


@pytest.mark.parametrize(
    ("limits", "turn"),
    [
        ([*HINGE], [math.sin(0.2), 0, 0, math.cos(0.2)]),
        ([HINGE[0]], [0.5, 0.5, 0.5, 0.5]),
        ([HINGE[0], {"angularAxes": [2], **LOCKED}], [math.sin(0.2), 0, 0, math.cos(0.2)]),
    ],
)
def test_the_pose_in_which_bodies_are_drawn_is_a_keyframe(limits: list[dict[str, Any]], turn: list[float]):
    made = pendulum({"limits": limits}, rotation=turn)
    x, y, z = rotate((turn[3], turn[0], turn[1], turn[2]), (0.0, 1.0, 0.0))
    made.root["nodes"][1]["translation"] = [-x, 1 - y, -z]  # the hinge stays where it is
    scene = scene_of(made)
    (key,) = scene.tables["keyframe"].values()
    drawn = forward(scene, dict(key.positions))["bob"]
    assert drawn.pos == pytest.approx((-x, z, 1 - y))
    upright = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
    assert drawn.rot == pytest.approx(multiply(upright, (turn[3], turn[0], turn[1], turn[2])))


def test_bodies_that_are_drawn_where_their_joint_does_not_let_them_are_told():
    scene, notes = noted(pendulum({"limits": HINGE}, translation=[0.5, 0, 0]))
    assert {(note.rule, note.action) for note in notes} == {("gltf/joint-apart", "approximated")}
    assert {"/nodes/1"} < {note.source.path for note in notes}
    assert forward(scene)["bob"].pos == pytest.approx((0, 0, 0))


def test_a_turn_that_is_locked_elsewhere_than_at_zero_is_where_the_body_stands():
    locked = [{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [0], "min": 0.5, "max": 0.5}]
    scene, notes = noted(pendulum({"limits": [*locked, {"angularAxes": [1], **LOCKED}]}))
    assert {note.rule for note in notes} == {"gltf/joint-apart"}
    pose, half = forward(scene)["bob"], 0.25 + math.pi / 4  # y of glTF is up
    assert pose.pos == pytest.approx((0, math.sin(0.5), 1 - math.cos(0.5))), "it hangs a metre below the frame"
    assert pose.rot == pytest.approx((math.cos(half), math.sin(half), 0, 0))


def test_a_loop_is_closed_by_the_joint_that_is_left_over():
    made = world(physicsJoints=[{"limits": HINGE}])
    joint = {"joint": {"joint": 0, "connectedNode": 1}}
    body(made, {"motion": {}} | joint, name="a")
    body(made, {"motion": {}, "joint": {"joint": 0, "connectedNode": 2}}, name="b")
    body(made, {"motion": {}, "joint": {"joint": 0, "connectedNode": 0}}, name="c")
    made.scene(0, 1, 2)
    scene = scene_of(made)
    assert [(each.parent, each.child, each.closes_loop) for each in scene.joints.values()] == [
        ("world", "a", False),
        ("a", "b", False),
        ("b", "c", False),
        ("c", "a", True),
    ]


def test_a_drive_without_force_limit_is_a_spring_and_a_damper():
    drive = {
        "type": "angular",
        "mode": "force",
        "axis": 0,
        "positionTarget": 0.5,
        "stiffness": 3,
        "damping": 4,
        "velocityTarget": 0,
    }
    _, dof = one(scene_of(pendulum({"limits": HINGE, "drives": [drive]})), "bob")
    assert (dof.stiffness, dof.damping, dof.spring_reference, dof.effort) == (3.0, 4.0, 0.5, None)


def test_a_drive_with_a_force_limit_is_an_actuator():
    drive = {
        "type": "angular",
        "mode": "force",
        "axis": 0,
        "positionTarget": 0.5,
        "stiffness": 3,
        "damping": 4,
        "maxForce": 9,
    }
    scene = scene_of(pendulum({"limits": HINGE, "drives": [drive]}))
    _, dof = one(scene, "bob")
    assert dof.effort == 9.0
    (actuator,) = scene.tables["actuator"].values()
    assert (actuator.kind, actuator.dof, actuator.kp, actuator.kv) == ("position", dof.name, 3.0, 4.0)
    assert actuator.force_range == (-9.0, 9.0)
    assert scene.tables["keyframe"]["as_drawn"].controls == ((actuator.name, (0.5,)),)


SERVO = {"type": "angular", "mode": "force", "axis": 0, "maxForce": 9, "damping": 4}


@pytest.mark.parametrize(
    ("drive", "kind", "control", "unread"),
    [
        (SERVO | {"stiffness": 3, "positionTarget": 0.5, "velocityTarget": 2}, "position", 0.5, "velocityTarget"),
        (SERVO | {"positionTarget": 0.5, "velocityTarget": 2}, "velocity", 2.0, "positionTarget"),
    ],
)
def test_a_target_that_its_actuator_does_not_follow_is_told(
    tmp_path: Path, drive: dict[str, Any], kind: str, control: float, unread: str
):
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": HINGE, "drives": [drive]}).glb())
    report = complete(convert(tmp_path / "a.glb", tmp_path / "a.xml"))
    model = mujoco_model(tmp_path / "a.xml")
    assert model.key_ctrl[0].tolist() == [control]
    assert (kind == "position") == (model.actuator_biasprm[0][1] != 0)
    (told,) = [each for each in report.findings if each.where.endswith(unread)]
    assert (told.before, told.action.value) == (str(drive[unread]), "carried")


@pytest.mark.parametrize("said", [{"velocityTarget": 1}, {"maxForce": 4}, {"velocityTarget": 2, "maxForce": 4}])
def test_a_drive_without_a_damping_brakes_nothing(tmp_path: Path, said: dict[str, Any]):
    """The draft's default damping is 0, and no missing gain has to be invented."""
    drive = {"type": "angular", "mode": "force", "axis": 0} | said
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": HINGE, "drives": [drive]}).glb())
    report = complete(convert(tmp_path / "a.glb", tmp_path / "a.xml"))
    model = mujoco_model(tmp_path / "a.xml")
    assert (model.actuator_gainprm[0][0], model.actuator_biasprm[0][2]) == (0.0, 0.0)
    assert [each for each in report.findings if each.where.endswith("kv")] == []


@pytest.mark.parametrize("key", ["maxForce", "stiffness", "damping"])
def test_a_drive_below_zero_is_refused(key: str):
    with pytest.raises(InputError, match=f"/drives/0/{key} must not be below 0"):
        noted(pendulum({"limits": HINGE, "drives": [SERVO | {key: -5}]}))


def test_a_drive_of_an_axis_that_does_not_move_is_kept():
    drive = {"type": "angular", "mode": "acceleration", "axis": 2, "damping": 4}
    scene = scene_of(pendulum({"limits": HINGE, "drives": [drive]}))
    assert f"extensions/{BODIES}/physicsJoints/0/drives/0" in left(scene)


def test_a_limit_that_gives_way_around_a_value_is_a_spring():
    soft = {"angularAxes": [0], "min": 0.25, "max": 0.25, "stiffness": 7, "damping": 1}
    _, dof = one(scene_of(pendulum({"limits": [*HINGE, soft]})), "bob")
    assert (dof.lower, dof.stiffness, dof.damping, dof.spring_reference) == (None, 7.0, 1.0, 0.25)


def test_a_joint_that_names_nothing_is_an_error():
    for joint, message in (({"joint": 5, "connectedNode": 0}, "only 1"), ({"joint": 0, "connectedNode": 9}, "only 3")):
        made = pendulum({"limits": HINGE})
        made.root["nodes"][2]["extensions"][BODIES]["joint"] = joint
        with pytest.raises(InputError, match=message):
            noted(made)


@pytest.mark.parametrize("said", [True, False, None])
def test_whether_the_bodies_of_a_joint_touch_goes_both_ways(tmp_path: Path, said: bool | None):
    """MuJoCo excludes these neighbours only by an <exclude>, because the stand is static."""
    made = pendulum({"limits": HINGE})
    stand = made.root["nodes"][2]["extensions"][BODIES]
    stand["collider"] = {"geometry": {"shape": 0}}
    if said is not None:
        stand["joint"]["enableCollision"] = said
    (tmp_path / "touch.glb").write_bytes(made.glb())
    for source, name in (("touch.glb", "ours.glb"), ("ours.glb", "far.xml"), ("touch.glb", "near.xml")):
        explained(convert(tmp_path / source, tmp_path / name))
    for name in ("near.xml", "far.xml"):
        assert mujoco_model(tmp_path / name).nexclude == (0 if said else 1)
    (joint,) = (
        extension["joint"]
        for node in plain_gltf(tmp_path / "ours.glb").document["nodes"]
        if "joint" in (extension := node.get("extensions", {}).get(BODIES, {}))
    )
    assert joint.get("enableCollision", False) is bool(said)


@pytest.mark.parametrize("apart", [False, True])
def test_equations_of_mujoco_keep_no_bodies_apart(tmp_path: Path, apart: bool):
    """Bodies of a loop joint collide, except for excluded pairs; those of a joint of the tree do not."""
    ball = '<geom size="1"/>'
    bodies = "".join(f'<body name="{name}"><joint/>{ball}' for name in "abc")
    ties = "".join(
        f'<connect name="{one}{two}" body1="{one}" body2="{two}" anchor="0 0 0"/>' for one, two in ("ac", "bc")
    )
    rules = '<contact><exclude body1="a" body2="c"/></contact>' if apart else ""
    text = f'<mujoco><worldbody><body name="r">{ball}{bodies}</body></body></body></body></worldbody>'
    source = saved(tmp_path / "m.xml", f"{text}<equality>{ties}</equality>{rules}</mujoco>")
    complete(convert(source, tmp_path / "m.glb"))
    nodes = plain_gltf(tmp_path / "m.glb").document["nodes"]
    said = {node["name"].partition("/")[0]: node["extensions"][BODIES] for node in nodes if "extensions" in node}
    ties_said = {name: each["joint"].get("enableCollision", False) for name, each in said.items() if "joint" in each}
    assert {name: ties_said[name] for name in ("ac", "bc")} == {"ac": True, "bc": False}
    assert any("collisionFilter" in each.get("collider", {}) for each in said.values()) is apart
    comes_back(source, tmp_path / "m.glb")


@pytest.mark.parametrize("length", [1.0, 2.0])
def test_axes_of_moments_that_are_no_unit_quaternion_are_told(length: float):
    turn = [0, 0, 0.6 * length, 0.8 * length]
    made = world()
    motion = {"mass": 3, "inertiaDiagonal": [1, 2, 3], "inertiaOrientation": turn}
    made.scene(body(made, {"motion": motion}, name="ball"))
    scene, notes = noted(made)
    assert [note.rule for note in notes] == ["gltf/not-unit"] * (length != 1.0)
    assert scene.body("ball").inertial.pose.rot == pytest.approx((0.8, 0, 0, 0.6))
