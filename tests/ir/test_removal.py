"""Removing bodies from a scene leaves no references to them."""

from __future__ import annotations

import pytest

from converters.convert import read
from ir.refs import declared, entities, references, resolve
from ir.removal import without_bodies
from ir.scene import Scene
from ir.types import WORLD
from tests.conftest import MADE

MODELS = (
    "feature_mimic_chain.urdf",
    "feature_ros2_control.urdf",
    "feature_mjcf_actuators.xml",
    "feature_mjcf_equality.xml",
    "feature_sdf_nested.sdf",
    "feature_sdf_loop.sdf",
)


def dangling(scene: Scene) -> set[str]:
    names = declared(scene)
    found = (each for _, entity in entities(scene) for each in references(entity))
    return {each.name for each in found if resolve(names, each.kind, each.name) is None}


@pytest.mark.parametrize("name", MODELS)
def test_nothing_speaks_of_what_was_taken_out(name: str):
    scene = read(MADE / name)
    before = dangling(scene)
    bodies = [body.name for body in scene.bodies.values() if body.name != WORLD]
    assert bodies
    for body in bodies:
        out = [body]
        for each in out:
            out += [joint.child for joint in scene.child_joints(each)]
        left = without_bodies(scene, {*out})
        assert set(left.bodies) == set(scene.bodies) - {*out}
        assert dangling(left) <= before
        assert not any({joint.parent, joint.child} & {*out} for joint in left.joints.values())


def test_what_says_nothing_of_the_bodies_is_shared():
    scene = read(MADE / "feature_mjcf_actuators.xml")
    left = without_bodies(scene, set())
    assert left == scene
    assert all(left.body(name) is scene.body(name) for name in scene.bodies)
