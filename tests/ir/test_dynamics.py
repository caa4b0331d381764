"""Mass matrix and gravity against MuJoCo and Pinocchio."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from converters.comparing.models import differences
from ir.dynamics import mass_matrix, still, total_mass
from ir.kinematics import configuration, forward, random_configuration
from ir.mapping import map_dofs
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Inertial, Joint, Pose
from tests.ir.engines import MUJOCO_KINDS, in_mujoco, in_pinocchio, mujoco_mass_matrix, mujoco_order, pinocchio_velocity
from tests.strategies import scenes, trees

ENGINE = settings(max_examples=30)
SEED = st.integers(0, 2**32)


def largest(array: np.ndarray) -> float:
    return float(np.abs(array).max(initial=0.0))


@ENGINE
@given(trees(MUJOCO_KINDS, free_inside=False, massless=False), SEED)
def test_the_mass_matrix_is_that_of_mujoco(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    model, data = in_mujoco(scene, values)
    names, ours = mass_matrix(scene, values)
    order = mujoco_order(model, names)
    theirs = mujoco_mass_matrix(model, data)[np.ix_(order, order)]
    assert largest(ours - theirs) < 1e-11 * (1 + largest(theirs))


@ENGINE
@given(trees(), SEED)
def test_the_mass_matrix_without_rotors_is_that_of_pinocchio(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    engine = in_pinocchio(scene, values)
    names, ours = mass_matrix(map_dofs(scene, lambda dof: replace(dof, armature=0.0)), values)
    upper = np.triu(pin.crba(engine.model, engine.data, engine.q))
    change = pinocchio_velocity(scene, engine, names, values)
    theirs = change.T @ (upper + np.triu(upper, 1).T) @ change
    assert largest(ours - theirs) < 1e-11 * (1 + largest(theirs))


@ENGINE
@given(trees(MUJOCO_KINDS, free_inside=False, massless=False), SEED, st.sampled_from([1.0, 0.0, 0.25]))
def test_the_torques_against_gravity_are_those_of_mujoco(scene: Scene, seed: int, share: float):
    scene = scene.evolve(bodies=[replace(body, gravity=share) for body in scene.bodies.values() if body.name != WORLD])
    values = configuration(scene, random_configuration(scene, seed))
    model, data = in_mujoco(scene, values)
    _, names, _, ours = still(scene, values)
    theirs = (data.qfrc_bias - data.qfrc_gravcomp)[mujoco_order(model, names)]
    assert largest(ours - theirs) < 1e-11 * (1 + largest(data.qfrc_bias))


@ENGINE
@given(trees(), SEED)
def test_the_torques_against_gravity_are_those_of_pinocchio(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    engine = in_pinocchio(scene, values)
    engine.model.gravity.linear = np.array([1.0, -2.0, 3.0])
    _, names, _, ours = still(scene, values, (1.0, -2.0, 3.0))
    theirs = pin.computeGeneralizedGravity(engine.model, engine.data, engine.q)
    change = pinocchio_velocity(scene, engine, names, values)
    assert largest(ours - change.T @ theirs) < 1e-11 * (1 + largest(theirs))


@ENGINE
@given(scenes(), SEED)
def test_the_total_mass_is_that_of_pinocchio(scene: Scene, seed: int):
    engine = in_pinocchio(scene, configuration(scene, random_configuration(scene, seed)))
    assert total_mass(scene) == pytest.approx(sum(inertia.mass for inertia in engine.model.inertias), rel=1e-13)


@ENGINE
@given(trees(massless=False), SEED)
def test_the_mass_matrix_is_symmetric_and_positive(scene: Scene, seed: int):
    _, matrix = mass_matrix(scene, random_configuration(scene, seed))
    assert np.array_equal(matrix, matrix.T)
    assert len(matrix) == 0 or np.linalg.eigvalsh(matrix).min() > -1e-9 * largest(matrix)


def test_what_is_fixed_into_the_world_does_not_count():
    scene = Scene("room")
    scene.add_body(Body(name=WORLD, inertial=Inertial(mass=5.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))))
    assert total_mass(scene) == 0.0


def test_far_from_the_origin_no_digits_are_lost():
    scene = Scene("far")
    inertial = Inertial(mass=1.0, tensor=(0.01, 0.02, 0.025, 0.0, 0.0, 0.0))
    scene.add_body(Body(name="b", inertial=inertial))
    dof = Dof(name="q", kind=DofKind.HINGE)
    scene.add_joint(Joint(name="j", parent=WORLD, child="b", pose=Pose((1e6, 1e6, 0.0)), dofs=(dof,)))
    assert mass_matrix(scene, {"q": 0.3})[1][0, 0] == pytest.approx(0.025, rel=1e-9)


def test_a_pendulum_is_held_by_its_weight_times_its_arm():
    scene = Scene("pendulum")
    inertial = Inertial(mass=2.0, tensor=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), pose=Pose((0.0, 0.0, -0.5)))
    scene.add_body(Body(name="b", inertial=inertial))
    dof = Dof(name="q", kind=DofKind.HINGE, axis=(1.0, 0.0, 0.0), armature=0.25)
    scene.add_joint(Joint(name="j", parent=WORLD, child="b", dofs=(dof,)))
    found = still(scene, {"q": math.pi / 6})
    assert found.names == ["q"]
    assert found.torques[0] == pytest.approx(2.0 * 9.81 * 0.5 * 0.5)
    assert mass_matrix(scene)[1][0, 0] == pytest.approx(2.0 * 0.25 + 0.25)


@given(trees(), SEED)
def test_all_at_once_is_what_each_says_alone(scene: Scene, seed: int):
    values = random_configuration(scene, seed)
    found = still(scene, values)
    names, matrix = mass_matrix(scene, values)
    assert found.poses == forward(scene, values)
    assert found.names == names
    assert np.array_equal(found.momenta.dense(), matrix)


@ENGINE
@given(trees(MUJOCO_KINDS, free_inside=False, massless=False), SEED)
def test_the_matrix_asked_for_by_columns_is_that_of_mujoco(scene: Scene, seed: int):
    values = configuration(scene, random_configuration(scene, seed))
    model, data = in_mujoco(scene, values)
    found = still(scene, values)
    order = mujoco_order(model, found.names)
    theirs = mujoco_mass_matrix(model, data)[np.ix_(order, order)]
    columns = [found.momenta.column(place) for place in range(len(found.names))]
    ours = np.array(columns).reshape(theirs.shape)
    assert largest(ours - theirs) < 1e-11 * (1 + largest(theirs))
    assert largest(ours.diagonal() - found.momenta.diagonal()) <= 1e-12 * max(1.0, largest(theirs))


def test_two_of_many_joints_are_compared_without_their_matrices():
    """A matrix of 1500 coordinates takes 18 MB by itself."""
    scene = Scene("chain")
    inertial = Inertial(mass=1.0, pose=Pose((0.1, 0.0, 0.2)), tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    scene.add_body(Body(name="b0", inertial=inertial))
    for place in range(1500):
        scene.add_body(Body(name=f"b{place + 1}", inertial=inertial))
        dofs = (Dof(name=f"j{place}", kind=DofKind.HINGE, axis=(0.0, 1.0, 0.0)),)
        scene.add_joint(Joint(name=f"j{place}", parent=f"b{place}", child=f"b{place + 1}", dofs=dofs))
    tracemalloc.start()
    found = list(differences(scene, scene, samples=1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not found
    assert peak < 12_000_000
