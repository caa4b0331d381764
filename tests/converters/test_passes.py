"""Passes adapt a scene to a target, report what they did, and move nothing."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.convert import convert, read, write
from converters.format import Target
from converters.passes import prepare
from converters.passes.actuators import kind_of
from converters.passes.inertia import minimal
from converters.passes.loops import returned, reverse
from converters.registry import format_named
from converters.report.model import Report
from ir.inertia import principal
from ir.kinematics import forward, placement
from ir.pose import compose, from_rpy, invert, joint_frame, rotation_gap
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Asset,
    Body,
    Box,
    Dof,
    DofKind,
    Geom,
    Inertial,
    Joint,
    Mesh,
    Mimic,
    Plane,
    Pose,
    Role,
    Sphere,
    Transmission,
    TransmissionEnd,
    Vec3,
)
from tests.oracles.in_mujoco import drawn, mujoco_model, touching
from tests.reports import of_rule

HEAVY = Inertial(mass=1.0, tensor=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
BALL = Geom(name="solid", role=Role.COLLISION, shape=Sphere(radius=0.1))


def chain(*joints: Joint, bodies: dict[str, Body] | None = None) -> Scene:
    scene = Scene("made")
    for name in dict.fromkeys(end for joint in joints for end in (joint.parent, joint.child)):
        if name != WORLD:
            scene.add_body((bodies or {}).get(name, Body(name=name, inertial=HEAVY)))
    for joint in joints:
        scene.add_joint(joint)
    return scene


def hinge(name: str, parent: str, child: str, **values: object) -> Joint:
    return Joint(name=name, parent=parent, child=child, dofs=(Dof(name=name, kind=DofKind.HINGE, **values),))


def prepared(scene: Scene, **options: object) -> tuple[Scene, set[str]]:
    done, steps = prepare(scene, Target(fits=format_named("mjcf").fits, options=Options(**options)))
    return done, {step.cause.rule for step in steps}


def rules(report: Report) -> dict[str, str]:
    return {finding.rule: finding.action for finding in report.findings}


@pytest.mark.parametrize(("base", "kinds"), [("keep", []), ("fixed", []), ("floating", [DofKind.FREE])])
def test_an_open_root_is_held_as_asked(base: str, kinds: list[DofKind]):
    done, ran = prepared(chain(hinge("j", "a", "b")), base=base)
    assert [dof.kind for dof in done.joint_of("a").dofs] == kinds
    assert "base/chosen" in ran


def test_a_root_that_the_source_holds_is_left_alone_unless_asked():
    scene = chain(Joint(name="free", parent=WORLD, child="a", dofs=(Dof(name="free", kind=DofKind.FREE),)))
    assert prepared(scene)[0].joint_of("a") == scene.joint_of("a")
    assert prepared(scene, base="fixed")[0].joint_of("a").dofs == ()


def test_a_free_joint_inside_the_tree_makes_the_same_motions_in_other_coordinates():
    scene = chain(
        Joint(name="weld", parent=WORLD, child="a"),
        Joint(name="f", parent="a", child="b", dofs=(Dof(name="f", kind=DofKind.FREE),)),
    )
    done, ran = prepared(scene)
    turn = (0.5, 0.5, 0.5, 0.5)
    before = forward(scene, {"f": (1.0, 2.0, 3.0, *turn)})["b"]
    after = forward(done, {"f_TX": 1.0, "f_TY": 2.0, "f_TZ": 3.0, "f_R": turn})["b"]
    assert np.allclose(before.pos, after.pos) and np.allclose(before.rot, after.rot)
    assert "joints/free-inside-tree" in ran


def test_a_range_without_width_is_held_by_an_equation(tmp_path: Path):
    report = write(chain(hinge("j", "a", "b", lower=0.25, upper=0.25)), tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.neq == 1 and model.eq_data[0][0] == 0.25
    assert rules(report)["joints/empty-range"] == "derived"


def test_neighbours_of_a_fixed_base_do_not_collide_and_others_still_do(tmp_path: Path):
    bodies = {name: Body(name=name, inertial=HEAVY, geoms=(replace(BALL, name=name),)) for name in "abc"}
    write(chain(hinge("j", "a", "b"), hinge("k", "b", "c"), bodies=bodies), tmp_path / "out.xml")
    _, data = drawn(tmp_path / "out.xml")
    assert touching(data) == {frozenset("ac")}


def test_a_transmission_becomes_a_motor_within_the_effort_of_the_joint():
    scene = chain(hinge("j", "a", "b", effort=10.0))
    drive = Transmission(
        name="t",
        kind="transmission_interface/SimpleTransmission",
        joints=(TransmissionEnd(name="j", interfaces=("hardware_interface/EffortJointInterface",)),),
        actuators=(TransmissionEnd(name="m", reduction=50.0),),
    )
    scene.add("transmission", drive)
    (actuator,) = prepared(scene)[0].tables["actuator"].values()
    assert actuator == Actuator(name="m", kind="motor", dof="j", gear=(50.0,), control_range=(-0.2, 0.2))


@pytest.mark.parametrize("name", ["PosVelJointInterface", "PosVelAccJointInterface", "PositionJointInterface"])
def test_a_joint_that_ros_commands_by_its_position_gets_a_servo(name: str):
    assert kind_of([f"hardware_interface/{name}"]) == "position"


def test_what_is_driven_already_gets_no_second_actuator():
    scene = chain(hinge("j", "a", "b"))
    scene.add("actuator", Actuator(name="own", kind="motor", dof="j"))
    scene.add("transmission", Transmission(name="t", kind="x", joints=(TransmissionEnd(name="j"),), actuators=()))
    assert list(prepared(scene)[0].tables["actuator"]) == ["own"]


@pytest.mark.parametrize(
    "tensor",
    [
        (1.0, 1.0, 3.0, 0.0, 0.0, 0.0),
        (-0.1, 1.0, 1.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0, 0.9, 0.9, -0.9),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0125, 0.205, 0.2125, 0.0225, 0.045, -0.005),
    ],
)
def test_impossible_inertia_is_repaired_to_what_mujoco_takes(tensor: tuple[float, ...], tmp_path: Path):
    scene = chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", inertial=Inertial(mass=1.0, tensor=tensor))})
    report = write(scene, tmp_path / "out.xml")
    moments = sorted(mujoco_model(tmp_path / "out.xml").body("b").inertia)
    assert moments[0] > 0 and moments[2] <= moments[0] + moments[1]
    assert {"inertia/impossible", "inertia/missing"} & set(rules(report))
    assert read(tmp_path / "out.xml").body("b").inertial == scene.body("b").inertial


@pytest.mark.parametrize(
    ("moments", "nearest"),
    [((1.0, 1.0, 3.0), (1.0, 1.0, 2.0)), ((-0.1, 1.0, 1.0), (0.0, 1.0, 1.0)), ((0.0, 0.0, 1.0), (0.5, 0.5, 1.0))],
    ids=["too large", "negative", "of a rod about its length"],
)
def test_an_impossible_inertia_becomes_the_nearest_that_is_possible(
    moments: tuple[float, ...], nearest: tuple[float, ...], tmp_path: Path
):
    inertial = Inertial(mass=1.0, tensor=(*moments, 0.0, 0.0, 0.0))
    write(chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", inertial=inertial)}), tmp_path / "out.xml")
    found = sorted(mujoco_model(tmp_path / "out.xml").body("b").inertia)
    assert np.allclose(found, nearest, atol=1e-6)


def test_an_impossible_inertia_is_told_even_if_what_is_left_of_it_gets_a_minimum(tmp_path: Path):
    inertial = Inertial(mass=1.0, tensor=(0.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    report = write(chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", inertial=inertial)}), tmp_path / "out.xml")
    assert rules(report)["inertia/impossible"] == "repaired"
    assert "inertia/missing" not in rules(report)


def test_a_possible_inertia_is_not_touched():
    scene = chain(hinge("j", "a", "b"))
    done, ran = prepared(scene)
    assert done.body("b") is scene.body("b")
    assert not {"inertia/impossible", "inertia/missing"} & ran


@pytest.mark.parametrize("seed", range(100))
def test_a_planar_tensor_loads_whatever_its_orientation(seed: int, tmp_path: Path):
    random = np.random.default_rng(seed)
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    a, b = random.uniform(0.1, 1, 2)
    m = axes @ np.diag([a, b, a + b]) @ axes.T
    tensor = (m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2])
    body = Body(name="b", inertial=Inertial(mass=1.0, tensor=tuple(map(float, tensor))))
    write(chain(hinge("j", "a", "b"), bodies={"b": body}), tmp_path / "out.xml")
    found = sorted(mujoco_model(tmp_path / "out.xml").body("b").inertia)
    assert np.allclose(found, sorted(principal(body.inertial.tensor)[1]), rtol=1e-9)


def test_a_massless_body_between_moving_joints_gets_a_minimal_mass_and_says_so(tmp_path: Path):
    scene = chain(hinge("j", "a", "b"), hinge("k", "b", "c"), bodies={"b": Body(name="b")})
    report = write(scene, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.body("b").mass[0] == 1e-6
    assert rules(report)["inertia/missing"] == "derived"
    assert read(tmp_path / "out.xml").body("b").inertial is None


@pytest.mark.parametrize(
    ("geom", "mass"),
    [
        (Geom(name="g", role=Role.COLLISION, shape=Plane(), mass=2.0), 1e-6),
        (Geom(name="g", role=Role.COLLISION, shape=None, density=2.0), 1e-6),
        (Geom(name="g", role=Role.COLLISION, shape=Sphere(radius=1e-8), density=1.0), 1e-6),
        (Geom(name="g", role=Role.COLLISION, shape=Sphere(radius=1e-8), mass=0.5), 0.5),
        (Geom(name="g", role=Role.COLLISION, shape=Sphere(radius=0.1), mass=1e-4), 1e-4),
    ],
)
def test_a_geom_that_says_how_heavy_it_is_is_not_always_enough(tmp_path: Path, geom: Geom, mass: float):
    write(chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", geoms=(geom,))}), tmp_path / "out.xml")
    assert mujoco_model(tmp_path / "out.xml").body("b").mass[0] == pytest.approx(mass, rel=1e-9)


def test_a_mesh_that_is_not_at_hand_weighs_nothing_for_mujoco(tmp_path: Path):
    geom = Geom(name="g", role=Role.BOTH, shape=Mesh(asset="m"), mass=2.0)
    scene = chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", geoms=(geom,))})
    scene = scene.evolve(tables={"asset": [Asset(name="m", uri="nowhere.stl", kind="mesh")]})
    write(scene, tmp_path / "out.xml")
    assert mujoco_model(tmp_path / "out.xml").body("b").mass[0] == 1e-6


def test_mass_welded_to_a_massless_body_is_enough(tmp_path: Path):
    scene = chain(hinge("j", "a", "b"), Joint(name="w", parent="b", child="c"), bodies={"b": Body(name="b")})
    write(scene, tmp_path / "out.xml")
    assert mujoco_model(tmp_path / "out.xml").body("b").mass[0] == 0


def test_a_mass_without_moments_gets_them_where_it_is_welded_to_what_moves_and_none_is_made_up(tmp_path: Path):
    finger = Body(name="c", inertial=Inertial(mass=0.02, tensor=(0.0,) * 6))
    joints = (hinge("j", "a", "b"), Joint(name="w", parent="b", child="c"))
    report = write(chain(*joints, bodies={"b": Body(name="b"), "c": finger}), tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert (model.body("b").mass[0], model.body("c").mass[0]) == (0, 0.02)
    assert [each.where for each in of_rule(report, "inertia/missing")] == ["body/c.inertial.tensor"]
    assert read(tmp_path / "out.xml").body("c").inertial == finger.inertial


def test_missing_inertia_comes_from_the_shape_when_asked(tmp_path: Path):
    scene = chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", geoms=(BALL,))})
    write(scene, tmp_path / "out.xml", options=Options(missing_inertia="geometry"))
    mass = mujoco_model(tmp_path / "out.xml").body("b").mass[0]
    assert mass == pytest.approx(1000 * 4 / 3 * np.pi * 0.1**3, rel=1e-12)


def test_a_mimic_follows_in_the_right_direction(tmp_path: Path):
    follower = hinge("f", "a", "c", mimic=Mimic(dof="j", multiplier=-2.0, offset=0.3))
    write(chain(hinge("j", "a", "b"), follower), tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    data = mujoco.MjData(model)
    worst = 0.0
    for step in range(1000):
        mujoco.mj_step(model, data)
        if step > 300:
            error = data.joint("f").qpos[0] + 2 * data.joint("j").qpos[0] - 0.3
            worst = max(worst, abs(error))
    assert worst < 1e-3


def test_what_a_gazebo_block_says_is_given_to_mujoco_and_the_block_comes_back(tmp_path: Path):
    source = tmp_path / "in.urdf"
    source.write_text(
        """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
        <gazebo reference="b"><mu1>0.3</mu1><turnGravityOff>true</turnGravityOff></gazebo>
        <gazebo reference="j"><springStiffness>4</springStiffness></gazebo></robot>"""
    )
    report = convert(source, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.geom_friction[0][0] == 0.3
    assert model.body_gravcomp[model.body("b").id] == 1
    assert model.joint("j").stiffness[0] == 4
    assert rules(report)["gazebo/interpreted"] == "derived"
    assert read(tmp_path / "out.xml") == read(source)


def test_missing_inertia_has_the_density_or_the_total_mass_that_is_asked_for():
    bodies = {"b": Body(name="b", geoms=(BALL,)), "c": Body(name="c", geoms=(replace(BALL, name="other"),))}
    scene = chain(hinge("j", "a", "b"), hinge("k", "b", "c"), bodies=bodies)
    done, _ = prepared(scene, missing_inertia="geometry", density=10.0)
    ball = 4 / 3 * np.pi * 0.001
    assert [done.body(name).inertial.mass for name in "abc"] == pytest.approx([1.0, 10 * ball, 10 * ball])
    done, _ = prepared(scene, missing_inertia="geometry", total_mass=4.0)
    assert [done.body(name).inertial.mass for name in "abc"] == pytest.approx([1.0, 1.5, 1.5])
    assert done.body("b").inertial.tensor[:3] == pytest.approx([0.4 * 1.5 * 0.01] * 3)
    with pytest.raises(InputError, match="leaves nothing"):
        prepared(scene, missing_inertia="geometry", total_mass=1.0)


def test_the_hull_of_an_open_mesh_is_told_as_such():
    points = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = np.array([[0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7]])
    scene = chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", geoms=(replace(BALL, shape=Mesh(asset="m")),))})
    scene.add("asset", Asset(name="m", uri="m.obj"))
    options = Options(missing_inertia="geometry", density=2.0)
    target = Target(fits=format_named("mjcf").fits, options=options, load=lambda _: [(points, faces)])
    done, steps = prepare(scene, target)
    assert "inertia/hull" in {step.cause.rule for step in steps}
    assert done.body("b").inertial.mass == pytest.approx(2.0)
    assert done.body("b").inertial.pose.pos == pytest.approx((0.5, 0.5, 0.5))


@pytest.mark.parametrize(
    ("inertial", "mass"),
    [
        ('<mass value="3"/>', 3.0),
        ('<mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>', 2.7),
        ('<mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>', None),
    ],
)
def test_an_inertia_of_zeros_is_a_missing_one(tmp_path: Path, inertial: str, mass: float | None):
    source = tmp_path / "in.urdf"
    source.write_text(
        f"""<robot name="r"><link name="a"/><link name="b"><inertial>{inertial}</inertial>
        <collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
    )
    options = Options(missing_inertia="geometry", density=2700.0)
    report = convert(source, tmp_path / "out.xml", options=options)
    body = mujoco_model(tmp_path / "out.xml").body("b")
    if mass is None:
        assert body.mass[0] == 3 and body.inertia.tolist() == [1, 1, 1] and "inertia/missing" not in rules(report)
    else:
        assert body.mass[0] == pytest.approx(mass) and body.inertia == pytest.approx([mass * 0.01 / 6] * 3)
        assert rules(report)["inertia/missing"] == "derived"
    assert read(tmp_path / "out.xml") == read(source)


def test_a_motor_behind_a_gear_of_nothing_has_no_bound(tmp_path: Path):
    scene = chain(hinge("j", "a", "b", effort=1000.0))
    ends = {"joints": (TransmissionEnd(name="j"),), "actuators": (TransmissionEnd(name="m", reduction=1e-308),)}
    scene.add("transmission", Transmission(name="t", kind="transmission_interface/SimpleTransmission", **ends))
    write(scene, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.nu == 1 and not model.actuator_ctrllimited[0]
    assert "ctrlrange" not in (tmp_path / "out.xml").read_text()


def test_a_shape_beyond_all_numbers_weighs_nothing():
    vast = Geom(name="g", role=Role.COLLISION, shape=Box(size=(1e200, 1e200, 1e200)))
    done, _ = prepared(
        chain(hinge("j", "a", "b"), bodies={"b": Body(name="b", geoms=(vast,))}), missing_inertia="geometry"
    )
    assert done.body("b").inertial == minimal(None)


def test_reasons_of_inertia_hold_for_all_that_they_explain(tmp_path: Path):
    """A welded base does not move; moments without a mass are reported as such, not as negative or too large."""
    bodies = {"a": Body(name="a", geoms=(BALL,)), "b": Body(name="b", geoms=(replace(BALL, name="other"),))}
    report = write(
        chain(hinge("j", "a", "b"), bodies=bodies), tmp_path / "out.xml", options=Options(missing_inertia="geometry")
    )
    (found,) = of_rule(report, "inertia/missing")
    assert found.count == 2 and found.reason.startswith("a body without mass, or without moments of inertia")
    source = tmp_path / "in.urdf"
    source.write_text(
        """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1"
        ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="a"/><child link="b"/>
        </joint></robot>"""
    )
    report = convert(source, tmp_path / "out.sdf")
    (found,) = of_rule(report, "inertia/impossible")
    assert found.where == "body/b.inertial.mass" and "moments without a mass" in found.reason


@pytest.mark.parametrize("anchor", [(0.0, 0.0, 0.0), (0.3, -0.2, 0.1)])
def test_a_joint_that_is_turned_round_keeps_its_frame_where_it_was(anchor: Vec3):
    pose, mount = Pose((1.0, 2.0, 3.0), from_rpy((0.4, 0.5, 0.6))), Pose((0.0, 0.0, 0.0), from_rpy((0.1, 0.2, 0.3)))
    joint = hinge("j", "a", "b")
    joint = replace(joint, pose=pose, mount=mount, dofs=(replace(joint.dofs[0], anchor=anchor),))
    turned, there = joint_frame(reverse(joint)), compose(pose, joint_frame(joint))
    assert turned.pos == pytest.approx(there.pos, abs=1e-14)
    assert rotation_gap(turned.rot, there.rot) < 1e-15


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (DofKind.BALL, (0.5, 0.5, -0.5, 0.5)),
        (DofKind.FREE, (1.0, -2.0, 0.5, 0.6, 0.0, 0.8, 0.0)),
        (DofKind.HINGE, (0.7,)),
    ],
)
def test_a_coordinate_of_a_joint_that_is_turned_round_means_what_it_meant(kind: DofKind, value: tuple[float, ...]):
    dof = Dof(
        name="q", kind=kind, axis=(0.6, 0.0, 0.8), anchor=(0.3, -0.2, 0.1) if kind != DofKind.FREE else (0.0, 0.0, 0.0)
    )
    joint = Joint(name="j", parent="a", child="b", pose=Pose((1.0, 2.0, 3.0), from_rpy((0.4, 0.5, 0.6))), dofs=(dof,))
    turned = placement(reverse(joint), {"q": returned(joint, dof, value)})
    there = invert(placement(joint, {"q": value}))
    assert turned.pos == pytest.approx(there.pos, abs=1e-14)
    assert rotation_gap(turned.rot, there.rot) < 1e-15


def test_what_a_pass_makes_stands_where_that_does_of_which_it_is_made(tmp_path: Path):
    solid = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>'
    links = "\n".join(f'<link name="{name}">{solid}' for name in "abc")
    joint = (
        '<joint name="{0}{1}" type="{2}"><parent>{0}</parent><child>{1}</child><axis><xyz>0 0 1</xyz></axis></joint>'
    )
    ends = (("world", "a", "fixed"), ("a", "b", "revolute"), ("b", "c", "revolute"), ("a", "c", "revolute"))
    joints = "\n".join(joint.format(*each) for each in ends)
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.9"><model name="m">\n{links}\n{joints}\n</model></sdf>')
    report = convert(tmp_path / "m.sdf", tmp_path / "m.xml")
    made = {each.where: [place.line for place in each.sources] for each in report.findings if each.action == "derived"}
    pairs = {"contact/exclude_a_b": [6], "contact/exclude_a_c": [8], "contact/exclude_b_c": [7]}
    assert made.items() >= (pairs | {"constraint/bc": [7], "constraint/bc_1": [7]}).items()
    (tmp_path / "m.urdf").write_text('<robot name="m">\n<link name="a"/></robot>')
    (found,) = [each for each in convert(tmp_path / "m.urdf", tmp_path / "n.xml").findings if each.action == "derived"]
    assert (found.where, [place.path for place in found.sources]) == ("joint/weld_a", ["/robot/link[1]"])


def test_what_is_made_of_a_transmission_stands_where_it_does(tmp_path: Path):
    source = Path(__file__).parents[2] / "corpus/made/feature_transmission_differential.urdf"
    report = convert(source, tmp_path / "m.xml")
    made = {each.where: each.sources for each in of_rule(report, "actuators/from-transmission")}
    assert {where.partition("/")[0] for where in made} == {"actuator", "tendon"}
    assert {place.path for places in made.values() for place in places} == {"/robot/transmission[1]"}
