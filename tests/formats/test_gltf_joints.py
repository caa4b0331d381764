"""Joints of several axes in a foreign glTF, as MuJoCo loads them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from converters.convert import convert
from ir.pose import Quat, multiply, rotate
from tests.files import saved
from tests.formats.gltf_made import Made, left, noted
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, complete, of_rule

BODIES, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
LOCKED = {"min": 0, "max": 0}
FIXED = {"linearAxes": [0, 1, 2], **LOCKED}
UPRIGHT: Quat = (0.5**0.5, 0.5**0.5, 0.0, 0.0)


def hung(limits: list[dict[str, Any]], turn: Quat = (1.0, 0.0, 0.0, 0.0), backwards: bool = False) -> Made:
    """Return a bob below a stand at a height of 1 m; in the initial pose it is rotated about the stand by `turn`. With
    `backwards`, the joint belongs to the bob and names the stand."""
    w, x, y, z = turn
    made = Made(
        extensionsUsed=[BODIES, SHAPES],
        extensions={
            BODIES: {"physicsJoints": [{"limits": limits}]},
            SHAPES: {"shapes": [{"type": "box", "box": {"size": [0.2, 0.3, 0.4]}}]},
        },
    )
    down = rotate(turn, (0.0, -1.0, 0.0))
    said = {"motion": {"mass": 2}, "collider": {"geometry": {"shape": 0}}}
    tilt = [math.sin(0.3), 0, 0, math.cos(0.3)]
    ends: list[dict[str, Any]] = [{"name": "far"}, {"name": "near"}]
    ends[0 if backwards else 1]["extensions"] = {
        BODIES: {"joint": {"joint": 0, "connectedNode": 1 if backwards else 0}}
    }
    made.node(**ends[0], translation=[0, 1, 0], rotation=tilt)
    made.node(**ends[1], translation=[0, 1, 0], rotation=tilt)
    stands = [down[0], 1 + down[1], down[2]]
    bob = made.node(name="bob", translation=stands, rotation=[x, y, z, w], children=[0], extensions={BODIES: said})
    made.scene(1, bob)
    return made


def taken(tmp_path: Path, made: Made) -> mujoco.MjModel:
    """Return the model in MuJoCo; check that it is the same after a glTF of Kinegraph."""
    complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "a.xml"))
    complete(convert(tmp_path / "a.xml", tmp_path / "b.glb"))
    complete(convert(tmp_path / "b.glb", tmp_path / "back" / "a.xml"))
    assert (tmp_path / "back" / "a.xml").read_bytes() == (tmp_path / "a.xml").read_bytes()
    return mujoco_model(tmp_path / "a.xml")


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("limit", [None, {"angularAxes": [0, 1, 2], "min": 0, "max": 2}])
def test_a_ball_is_one_whichever_of_its_bodies_names_the_other(tmp_path: Path, limit: object, backwards: bool):
    turn: Quat = (math.cos(0.4), 0.0, math.sin(0.4) * 0.6, math.sin(0.4) * 0.8)
    model = taken(tmp_path, hung([FIXED, *([limit] if isinstance(limit, dict) else [])], turn, backwards))
    assert model.jnt_type.tolist() == [mujoco.mjtJoint.mjJNT_BALL]
    assert model.jnt_range.tolist() == ([[0, 2]] if limit else [[0, 0]])
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    down = rotate(turn, (0.0, -1.0, 0.0))
    assert data.body("bob").xpos == pytest.approx([down[0], -down[2], 1 + down[1]], abs=1e-6)
    assert abs(np.dot(data.body("bob").xquat, multiply(UPRIGHT, turn))) == pytest.approx(1, abs=1e-9)


def without_extras(value: Any) -> Any:
    """Return the value as seen by programs that ignore what is not in the specification."""
    if isinstance(value, dict):
        return {key: without_extras(item) for key, item in value.items() if key not in ("extras", "generator")}
    return [without_extras(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("reach", ["", 'range="0 40"'])
def test_how_far_a_ball_of_mjcf_turns_is_the_angle_of_a_cone_in_physics(tmp_path: Path, reach: str):
    (tmp_path / "a.xml").write_text(
        f"""<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/><body name="b" pos="1 0 0">
        <joint name="ball" type="ball" {reach}/><geom size="0.1"/></body></body></worldbody></mujoco>"""
    )
    complete(convert(tmp_path / "a.xml", tmp_path / "a.gltf"))
    document = json.loads((tmp_path / "a.gltf").read_bytes())
    cones = [{"angularAxes": [0, 1, 2], "max": math.radians(40)}] if reach else []
    assert document["extensions"][BODIES]["physicsJoints"] == [{"limits": [FIXED, *cones]}]
    (tmp_path / "other.gltf").write_text(json.dumps(without_extras(document)))
    convert(tmp_path / "other.gltf", tmp_path / "other.xml")
    ours, theirs = mujoco_model(tmp_path / "a.xml"), mujoco_model(tmp_path / "other.xml")
    for model in (ours, theirs):
        (ball,) = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_BALL)
        assert model.jnt_range[ball] == pytest.approx([0, math.radians(40) if reach else 0])
        assert model.jnt_limited[ball] == bool(reach)
    complete(comes_back(tmp_path / "a.xml", tmp_path / "a.gltf"))


TOGETHER, OFF_ZERO = ("applies to each of them", "here it is left out")


@pytest.mark.parametrize(
    ("limits", "ranges", "told"),
    [
        ([{"linearAxes": [0, 1, 2], "min": 0, "max": 1}, {"angularAxes": [0, 1, 2], **LOCKED}], [(-1, 1)] * 3, "t"),
        ([{"linearAxes": [0, 1], "max": 1}, {"linearAxes": [2], **LOCKED}], [(-1, 1)] * 2, "t"),
        ([{"linearAxes": [0, 1, 2], "max": 0}, {"angularAxes": [0, 1], **LOCKED}], [None], ""),
        ([FIXED, {"angularAxes": [1, 2], "min": 0, "max": 0.5}], [None, (-0.5, 0.5), (-0.5, 0.5)], "t"),
        ([FIXED, {"angularAxes": [1, 2], "min": 0.1, "max": 0.5}], [None, (-0.5, 0.5), (-0.5, 0.5)], "to"),
        ([FIXED, {"angularAxes": [1, 2], "min": 0.1}, {"angularAxes": [0], **LOCKED}], [None, None], "o"),
        ([FIXED, {"angularAxes": [1, 2], "min": 0}, {"angularAxes": [0], **LOCKED}], [None, None], ""),
        ([FIXED, {"angularAxes": [1, 2], "min": -0.1, "max": 0.5}], [None, (-0.1, 0.5), (-0.1, 0.5)], "t"),
        ([FIXED, {"angularAxes": [0, 1, 2], "min": 0.1, "max": 0.5}], [(0, 0.5)], "o"),
        ([{"linearAxes": [0, 1, 2], "min": 1, "max": 1}, {"angularAxes": [0, 1, 2], **LOCKED}], [(-1, 1)] * 3, "to"),
        ([FIXED, {"angularAxes": [1], "min": 0, "max": 0.5}, {"angularAxes": [0, 2], **LOCKED}], [(0, 0.5)], ""),
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_how_far_several_axes_go_together_is_how_far_each_goes_either_way(
    tmp_path: Path, limits: list[dict[str, Any]], ranges: list[Any], told: str, backwards: bool
):
    """A distance, and the angle of a cone, have no sign (KHR_physics_rigid_bodies, limits of several axes)."""
    made = hung(limits, backwards=backwards)
    if not any("angularAxes" in limit for limit in limits):
        made.root["extensions"][BODIES]["physicsJoints"][0]["limits"].append({"angularAxes": [0, 1, 2], **LOCKED})
    model = taken(tmp_path, made)
    bounds = [tuple(model.jnt_range[i].tolist()) if model.jnt_limited[i] else None for i in range(model.njnt)]
    assert bounds == (ranges[::-1] if backwards else ranges)
    found = of_rule(convert(tmp_path / "a.glb", tmp_path / "again.xml"), "gltf/limit")
    assert {word for word, text in (("t", TOGETHER), ("o", OFF_ZERO)) for each in found if text in each.reason} == {
        *told
    }
    assert all(source.path.endswith("/physicsJoints/0") for each in found for source in each.sources)


@pytest.mark.parametrize("other", [0, 2])
def test_the_limits_of_a_joint_that_ties_nothing_are_left_over(other: int):
    """They affect no output: the connected node belongs to the same body (0), or to no scene (2)."""
    made = hung([FIXED])
    near, far = (made.root["nodes"][number] for number in (1, 0))
    far["extensions"] = near.pop("extensions")
    far["extensions"][BODIES]["joint"]["connectedNode"] = other
    made.node(name="elsewhere")
    scene, notes = noted(made)
    assert [note.action for note in notes if note.rule == "gltf/joint"] == ["ignored"]
    assert f"extensions/{BODIES}/physicsJoints/0" in {path.removesuffix("/limits") for path in left(scene)}
