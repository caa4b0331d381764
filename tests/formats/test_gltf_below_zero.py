"""Impossible physics in glTF is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters import convert
from converters.context import InputError
from tests.formats.gltf_bodies import BODIES, body, world
from tests.formats.gltf_made import Made, noted, scene_of
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, explained

BELOW_ZERO: dict[str, dict[str, Any]] = {
    "mass": {"mass": -1},
    "inertiaDiagonal": {"mass": 1, "inertiaDiagonal": [1, -1, 1]},
    "inertiaOrientation": {"mass": 1, "inertiaDiagonal": [1, 1, 1], "inertiaOrientation": [0, 0, 0, 0]},
}


@pytest.mark.parametrize("key", BELOW_ZERO)
def test_a_motion_that_cannot_be_is_refused(key: str):
    made = world()
    made.scene(body(made, {"motion": BELOW_ZERO[key]}, name="it"))
    with pytest.raises(InputError, match=f"{key}.* is (negative|no rotation)"):
        scene_of(made)


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("sphere", "radius", -1),
        ("cylinder", "radiusTop", -1),
        ("capsule", "radiusTop", -1),
        ("box", "size", [1, -1, 1]),
    ],
)
def test_a_shape_below_zero_is_refused(kind: str, key: str, value: object):
    made = world({"type": kind, kind: {key: value}})
    made.scene(body(made, {"collider": {"geometry": {"shape": 0}}}, name="it"))
    with pytest.raises(InputError, match=f"{key} is negative"):
        scene_of(made)


def test_a_body_of_a_kind_that_omi_does_not_have_is_refused():
    made = Made(extensionsUsed=["OMI_physics_body"])
    made.scene(made.node(name="it", extensions={"OMI_physics_body": {"motion": {"type": "rigid"}}}))
    with pytest.raises(InputError, match="type must be static, kinematic or dynamic"):
        scene_of(made)


def test_what_two_drafts_say_of_a_node_counts_in_the_first_and_the_rest_is_told(tmp_path: Path):
    omi = {"motion": {"type": "dynamic", "mass": 5}}
    said = {BODIES: {"motion": {"mass": 2}}, "OMI_physics_body": omi}
    made = Made(extensionsUsed=[*said])
    made.scene(made.node(name="it", extensions=said))
    (tmp_path / "m.glb").write_bytes(made.glb())
    report = explained(convert(tmp_path / "m.glb", tmp_path / "m.xml"))
    assert mujoco_model(tmp_path / "m.xml").body("it").mass == 2
    places = {place.path for finding in report.findings for place in finding.sources}
    assert any(place.startswith("/nodes/0/extensions/OMI_physics_body") for place in places), places
    explained(comes_back(tmp_path / "m.glb", tmp_path / "m.xml"))


def test_a_node_that_two_drafts_tie_is_tied_once():
    limits = [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]
    drafts = {
        "OMI_physics_joint": {"physicsJoints": [{"limits": limits}]},
        BODIES: {"physicsJoints": [{"limits": limits}]},
    }
    made = Made(extensionsUsed=[*drafts], extensions=drafts)
    other = body(made, {"motion": {"mass": 2}}, name="other")
    tied = {"joint": {"joint": 0, "connectedNode": other}}
    made.scene(
        made.node(name="it", extensions={BODIES: {"motion": {"mass": 1}} | tied, "OMI_physics_joint": tied["joint"]}),
        other,
    )
    scene, _ = noted(made)
    assert sum(1 for joint in scene.joints.values() if "world" not in (joint.parent, joint.child)) == 1


@pytest.mark.parametrize(("kind", "moved"), [("static", False), ("kinematic", True)])
@pytest.mark.parametrize("mass", [None, 5.0])
def test_a_body_that_no_force_moves_weighs_what_is_said(kind: str, moved: bool, mass: float | None, tmp_path: Path):
    """A wall of Godot has no mass, and is not moved without forces either: it is static."""
    motion = {"type": kind} | ({} if mass is None else {"mass": mass})
    shapes = {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 1, 1]}}]}}
    made = Made(extensionsUsed=["OMI_physics_body", *shapes], extensions=shapes)
    said = {"OMI_physics_body": {"motion": motion, "collider": {"shape": 0}}}
    made.scene(made.node(name="it", extensions=said))
    scene, notes = noted(made)
    inertial = scene.body("it").inertial
    assert (None if inertial is None else inertial.mass) == mass
    assert scene.body("it").kinematic is moved
    assert ("gltf/inertia" in {each.rule for each in notes}) is (mass is not None)
    (tmp_path / "m.glb").write_bytes(made.glb())
    for name in ("out.urdf", "out.sdf", "out.xml", "out.glb"):
        explained(convert(tmp_path / "m.glb", tmp_path / name))
