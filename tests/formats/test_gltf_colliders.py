"""Colliders of physics in glTF that are less, or more, than their shape says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert
from ir.types import Box
from tests.formats.gltf_bodies import SHAPES, body, world
from tests.formats.gltf_made import noted
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained


@pytest.mark.parametrize("geometry", [{"shape": 0}, {"mesh": 0}])
def test_a_collider_without_any_size_is_switched_off(geometry: dict[str, Any]):
    """The draft's way of saying so; no simulator takes a box of no size."""
    made = world({"type": "box"})
    made.mesh()
    off = body(made, {"collider": {"geometry": geometry}}, name="off", scale=[0, 0, 0])
    made.scene(body(made, {"motion": {}, "collider": {"geometry": {"shape": 0}}}, name="it", children=[off]))
    scene, notes = noted(made)
    assert [geom.shape for geom in scene.body("it").geoms] == [Box(size=(1.0, 1.0, 1.0))]
    assert [(note.where, note.action) for note in notes if note.rule == "gltf/shape"] == [("body/it", "ignored")]


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
    """MuJoCo (geom/size) and SDFormat (plane/size) say so; in the draft the size bounds the collider."""
    (tmp_path / name).write_text(text)
    explained(convert(tmp_path / name, tmp_path / "a.glb"))
    document = plain_gltf(tmp_path / "a.glb").document
    assert document["extensions"][SHAPES]["shapes"] == [{"type": "plane", "plane": {}}]


def test_a_plane_of_the_draft_keeps_its_ends(tmp_path: Path):
    made = world({"type": "plane", "plane": {"sizeX": 2, "sizeZ": 3}})
    made.scene(body(made, {"collider": {"geometry": {"shape": 0}}}, name="it"))
    (tmp_path / "a.glb").write_bytes(made.glb())
    explained(convert(tmp_path / "a.glb", tmp_path / "b.glb"))
    shapes = plain_gltf(tmp_path / "b.glb").document["extensions"][SHAPES]["shapes"]
    assert shapes == [{"type": "plane", "plane": {"sizeX": 2.0, "sizeZ": 3.0}}]
