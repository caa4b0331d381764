"""A valid scene has no problems, and each possible error is found at its place."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from ir.check import Problem, problems
from ir.scene import Scene
from ir.types import WORLD, Actuator, Body, Box, Dof, DofKind, Geom, Inertial, Joint, Mimic, Plane, Pose, Source, Tensor
from tests.strategies import scenes

SOURCE = Source("arm.urdf", 7, "/robot/link[1]")


def arm(**changes: Any) -> Scene:
    """Return a base with a tip on a joint of two dofs; changes are fields of the first dof."""
    scene = Scene("arm")
    scene.add_body(Body(name="base"))
    scene.add_body(Body(name="tip", inertial=Inertial(mass=1.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)), source=SOURCE))
    dof = replace(Dof(name="q", kind=DofKind.HINGE), **changes)
    scene.add_joint(Joint(name="j", parent="base", child="tip", dofs=(dof, Dof(name="r", kind=DofKind.SLIDE))))
    return scene


def with_tip(scene: Scene, **changes: Any) -> Scene:
    return scene.evolve(bodies=[scene.body("base"), replace(scene.body("tip"), **changes)])


def found(scene: Scene) -> list[tuple[str, str, str]]:
    return [(problem.rule, problem.where, problem.severity) for problem in problems(scene)]


@settings(max_examples=25)
@given(scenes())
def test_a_valid_scene_has_no_problems_but_bodies_without_mass(scene: Scene):
    assert {problem.rule for problem in problems(scene)} <= {"model/massless"}


def test_a_problem_says_where_and_from_which_source():
    broken = with_tip(arm(), inertial=Inertial(mass=-1.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)))
    assert problems(broken)[0] == Problem(
        rule="model/negative-mass",
        where="body/tip.inertial.mass",
        message="the mass -1.0 is negative",
        severity="error",
        source=SOURCE,
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"axis": (0.0, 0.0, 2.0)}, ("model/not-unit", "joint/j.dofs.0.axis", "error")),
        ({"axis": (0.0, 0.0, 0.0)}, ("model/not-unit", "joint/j.dofs.0.axis", "error")),
        ({"upper": math.inf}, ("model/not-finite", "joint/j.dofs.0.upper", "error")),
        ({"anchor": (math.nan, 0.0, 0.0)}, ("model/not-finite", "joint/j.dofs.0.anchor.0", "error")),
        ({"lower": 1.0, "upper": 0.5}, ("model/limits-reversed", "joint/j.dofs.0.lower", "error")),
        ({"damping": -1.0}, ("model/negative", "joint/j.dofs.0.damping", "warning")),
        ({"mimic": Mimic(dof="QQQ")}, ("model/dangling-reference", "joint/j.dofs.0.mimic.dof", "error")),
        ({"mimic": Mimic(dof="q")}, ("model/mimic-cycle", "joint/j.dofs.0.mimic", "error")),
        ({"name": "r"}, ("model/duplicate-name", "joint/j.dofs.1.name", "error")),
        ({"kind": DofKind.FREE}, ("model/free-not-alone", "joint/j.dofs.0", "error")),
        ({"kind": DofKind.BALL, "mimic": Mimic(dof="r")}, ("model/mimic-kind", "joint/j.dofs.0.mimic", "error")),
    ],
)
def test_a_wrong_dof_is_found(changes: dict[str, Any], expected: tuple[str, str, str]):
    assert found(arm(**changes)) == [expected]


def test_equal_limits_and_axes_of_balls_are_no_problem():
    assert found(arm(lower=0.5, upper=0.5)) == []
    assert found(arm(kind=DofKind.BALL, axis=(0.0, 0.0, 0.0))) == []


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        ((1.0, 1.0, 2.1, 0.0, 0.0, 0.0), [("model/triangle-inequality", "warning")]),
        ((0.1, 0.2, math.nextafter(0.1 + 0.2, 1.0), 0.0, 0.0, 0.0), []),
        ((1.0, 1.0, 2.0, 0.0, 0.0, 0.0), []),
        ((-1.0, 1.0, 1.0, 0.0, 0.0, 0.0), [("model/not-positive-definite", "error")]),
        ((1.0, 1.0, 1.0, 2.0, 0.0, 0.0), [("model/not-positive-definite", "error")]),
        ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), [("model/not-positive-definite", "warning")]),
        ((math.nan, 1.0, 1.0, 0.0, 0.0, 0.0), [("model/not-finite", "error")]),
    ],
)
def test_an_inertia_that_no_body_has_is_found(tensor: Tensor, expected: list[tuple[str, str]]):
    scene = with_tip(arm(), inertial=Inertial(mass=1.0, tensor=tensor))
    assert [(rule, severity) for rule, _, severity in found(scene)] == expected


def test_a_moving_body_without_mass_is_a_note():
    assert found(with_tip(arm(), inertial=None)) == [("model/massless", "body/tip.inertial", "note")]


def test_mass_welded_to_a_moving_body_counts():
    scene = with_tip(arm(), inertial=None)
    scene.add_body(replace(arm().body("tip"), name="tool"))
    scene.add_joint(Joint(name="weld", parent="tip", child="tool"))
    assert found(scene) == []


def test_a_rotation_that_is_not_unit_is_found():
    geom = Geom(name="g", role="visual", shape=Plane(normal=(0.0, 0.0, 3.0)), pose=Pose(rot=(2.0, 0.0, 0.0, 0.0)))
    assert found(with_tip(arm(), geoms=(geom,))) == [
        ("model/not-unit", "body/tip.geoms.g.shape.normal", "error"),
        ("model/not-unit", "body/tip.geoms.g.pose.rot", "error"),
    ]


def test_geoms_of_one_name_are_found_once():
    geom = Geom(name="g", role="visual", shape=Box(size=(1.0, 1.0, 1.0)))
    assert found(with_tip(arm(), geoms=(geom, geom, geom))) == [
        ("model/duplicate-name", "body/tip.geoms.g.name", "error")
    ]


def test_a_missing_material_or_dof_of_an_actuator_is_a_warning():
    geom = Geom(name="g", role="visual", shape=Box(size=(1.0, 1.0, 1.0)), material="QQQ")
    scene = with_tip(arm(), geoms=(geom,))
    scene.add("actuator", Actuator(name="a", kind="motor", dof="QQQ"))
    assert found(scene) == [
        ("model/dangling-reference", "body/tip.geoms.g.material", "warning"),
        ("model/dangling-reference", "actuator/a.dof", "warning"),
    ]


def test_a_cycle_of_followers_is_found_once():
    dofs = [Dof(name=name, kind=DofKind.HINGE, mimic=Mimic(dof=leader)) for name, leader in ("ab", "bc", "cb")]
    scene = arm().evolve(joints=[replace(arm().joints["j"], dofs=tuple(dofs))])
    assert found(scene) == [("model/mimic-cycle", "joint/j.dofs.1.mimic", "error")]


def test_a_cycle_of_bodies_is_found_once():
    scene = Scene("cycle")
    for name in ("a", "b", "c"):
        scene.add_body(Body(name=name))
    for parent, child in ("ab", "ba", "bc"):
        scene.add_joint(Joint(name=parent + child, parent=parent, child=child))
    assert found(scene) == [("model/cycle", "body/a", "error")]
    assert problems(scene)[0].message == "bodies in a cycle: a <- b <- a"


def test_a_second_parent_is_found_however_it_came_about():
    scene = arm()
    scene.joints["k"] = Joint(name="k", parent=WORLD, child="tip")
    assert found(scene) == [("model/several-parents", "body/tip", "error")]


def test_the_world_has_no_parent():
    scene = arm()
    scene.add_joint(Joint(name="k", parent="tip", child=WORLD))
    assert found(scene)[0] == ("model/several-parents", "body/world", "error")


def test_a_loop_is_no_second_parent():
    scene = arm()
    scene.add_joint(Joint(name="loop", parent="base", child="tip", closes_loop=True))
    assert found(scene) == []


def test_a_long_chain_is_checked():
    scene = Scene("chain")
    for index in range(3000):
        scene.add_body(Body(name=f"b{index}"))
        if index:
            scene.add_joint(Joint(name=f"j{index}", parent=f"b{index - 1}", child=f"b{index}"))
    assert found(scene) == []
