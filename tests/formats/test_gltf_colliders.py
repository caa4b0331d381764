"""Colliders of physics in glTF that differ from what their shape gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import astuple

from converters.convert import convert
from converters.report.model import Action
from ir.pose import from_rpy, matrix
from ir.types import Box, Capsule, Cylinder, Shape, Sphere
from tests.files import saved
from tests.formats.gltf_bodies import SHAPES, body, world
from tests.formats.gltf_made import noted
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule


@pytest.mark.parametrize("geometry", [{"shape": 0}, {"mesh": 0}])
def test_a_collider_without_any_size_is_switched_off(geometry: dict[str, Any]):
    """The draft's way of disabling a collider; no simulator accepts a box of zero size."""
    made = world({"type": "box"})
    made.mesh()
    off = body(made, {"collider": {"geometry": geometry}}, name="off", scale=[0, 0, 0])
    made.scene(body(made, {"motion": {}, "collider": {"geometry": {"shape": 0}}}, name="it", children=[off]))
    scene, notes = noted(made)
    assert [geom.shape for geom in scene.body("it").geoms] == [Box(size=(1.0, 1.0, 1.0))]
    assert [(note.where, note.action) for note in notes if note.rule == "gltf/shape"] == [("body/it", "ignored")]


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("sphere", Sphere(radius=1.0)),
        ("cylinder", Cylinder(radius=0.5, length=1.0)),
        ("capsule", Capsule(radius=0.5, length=1.0)),
    ],
)
def test_a_matrix_that_makes_all_larger_alike_makes_no_other_shape(kind: str, shape: Shape):
    """Its columns have equal lengths, up to single-precision rounding."""
    made = world({"type": kind})
    turned = np.float32(2.0) * matrix(from_rpy((0.3, 0.7, -1.1))).astype(np.float32)
    whole = np.eye(4, dtype=np.float32)
    whole[:3, :3] = turned
    said = {"motion": {}, "collider": {"geometry": {"shape": 0}}}
    made.scene(body(made, said, name="it", matrix=whole.T.ravel().tolist()))
    scene, notes = noted(made)
    (geom,) = scene.body("it").geoms
    assert geom.shape is not None and type(geom.shape) is type(shape)
    assert astuple(geom.shape) == pytest.approx(astuple(shape), rel=1e-6)
    assert {note.rule for note in notes} <= {"gltf/mass", "gltf/inertia"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", '<mujoco><worldbody><geom type="plane" size="2 3 1"/></worldbody></mujoco>'),
        (
            "a.sdf",
            '<sdf version="1.9"><model name="m"><static>1</static><link name="l"><collision name="c"><geometry><plane>'
            "<size>2 3</size></plane></geometry></collision></link></model></sdf>",
        ),
    ],
)
def test_a_plane_whose_size_is_for_the_eye_alone_collides_without_end(tmp_path: Path, name: str, text: str):
    """In MuJoCo (geom/size) and SDFormat (plane/size) the size is for rendering only; in the draft it is a bound."""
    explained(convert(saved(tmp_path / name, text), tmp_path / "a.glb"))
    document = plain_gltf(tmp_path / "a.glb").document
    assert document["extensions"][SHAPES]["shapes"] == [{"type": "plane", "plane": {}}]


def test_a_plane_of_the_draft_keeps_its_ends(tmp_path: Path):
    made = world({"type": "plane", "plane": {"sizeX": 2, "sizeZ": 3}})
    made.scene(body(made, {"collider": {"geometry": {"shape": 0}}}, name="it"))
    explained(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "b.glb"))
    shapes = plain_gltf(tmp_path / "b.glb").document["extensions"][SHAPES]["shapes"]
    assert shapes == [{"type": "plane", "plane": {"sizeX": 2.0, "sizeZ": 3.0}}]


@pytest.mark.parametrize("target", ["mjcf", "sdf"])
def test_where_planes_collide_without_end_that_is_told_of_one_that_does_not(tmp_path: Path, target: str):
    made = world({"type": "plane", "plane": {"sizeX": 2}}, {"type": "plane"})
    ends = body(made, {"collider": {"geometry": {"shape": 0}}}, name="ends")
    made.scene(ends, body(made, {"collider": {"geometry": {"shape": 1}}}, name="endless"))
    (tmp_path / "a.glb").write_bytes(made.glb())
    report = explained(convert(tmp_path / "a.glb", tmp_path / "b.xml", target=target))
    (found,) = of_rule(report, f"{target}/plane-end")
    assert (found.where, found.action) == ("body/ends.geoms.ends_collision.shape.bounded", Action.APPROXIMATED)
    explained(convert(tmp_path / "b.xml", tmp_path / "c.glb", source=target))
    shapes = plain_gltf(tmp_path / "c.glb").document["extensions"][SHAPES]["shapes"]
    assert shapes == [{"type": "plane", "plane": {"sizeX": 2.0}}, {"type": "plane", "plane": {}}]


def test_a_collider_that_somebody_gave_ends_has_them(tmp_path: Path):
    (tmp_path / "a.xml").write_text('<mujoco><worldbody><geom type="plane" size="2 3 1"/></worldbody></mujoco>')
    convert(tmp_path / "a.xml", tmp_path / "a.gltf")
    document = json.loads((tmp_path / "a.gltf").read_text())
    document["extensions"][SHAPES]["shapes"][0]["plane"] = {"sizeX": 1.5}
    report = explained(convert(saved(tmp_path / "a.gltf", json.dumps(document)), tmp_path / "b.xml"))
    assert [each.action for each in of_rule(report, "mjcf/plane-end")] == [Action.APPROXIMATED]
    explained(convert(tmp_path / "b.xml", tmp_path / "b.gltf"))
    document = json.loads((tmp_path / "b.gltf").read_text())
    assert document["extensions"][SHAPES]["shapes"] == [{"type": "plane", "plane": {"sizeX": 1.5}}]
