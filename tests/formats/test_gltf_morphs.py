"""Morph targets: a mesh is deformed by its own default weights (glTF 2.0, 3.7.2.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from converters.context import InputError
from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_made import CORNERS, Made, noted
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

ASIDE, AWAY = ([[x, y, 0]] * 4 for x, y in ((1, 0), (0, 5)))


def bent(own: list[float] | None, **node: Any) -> Made:
    made = Made()
    upwards, across = (np.array([axis] * 4, dtype=np.float32) for axis in ([0, 0, 1], [1, 0, 0]))
    primitive = made.primitive(attributes={"NORMAL": made.array(upwards)})
    first = {"POSITION": made.array(np.array(ASIDE, dtype=np.float32)), "NORMAL": made.array(across)}
    primitive["targets"] = [first, {"POSITION": made.array(np.array(AWAY, dtype=np.float32))}]
    mesh = made.mesh(primitive, **({"weights": own} if own is not None else {}))
    made.scene(made.node(name="part", mesh=mesh, **node))
    return made


@pytest.mark.parametrize("weights", [[0.5, 0.2], [1, 0], [0, 0], None])
def test_a_mesh_is_bent_by_its_own_weights(tmp_path: Path, weights: list[float] | None):
    report = explained(convert(saved(tmp_path / "a.glb", bent(weights).glb()), tmp_path / "b.glb"))
    by = weights or [0, 0]
    expected = CORNERS + by[0] * np.array(ASIDE) + by[1] * np.array(AWAY)
    shown = plain_gltf(tmp_path / "b.glb")
    points, _ = shown.triangles(shown.document["meshes"][0]["primitives"][0])
    assert np.array(sorted(points.tolist())) == pytest.approx(np.array(sorted(expected.tolist())), abs=1e-6)
    assert len(of_rule(report, "gltf/morph")) == any(by)
    explained(convert(tmp_path / "a.glb", tmp_path / "c.urdf"))
    (mesh,) = (tmp_path / "c_assets").glob("*.obj")
    bounds = np.array([expected.min(axis=0), expected.max(axis=0)])
    assert trimesh.load(mesh).bounds == pytest.approx(bounds, abs=1e-6)


def test_the_weights_of_a_node_alone_are_told():
    _, notes = noted(bent(None, weights=[1, 0]))
    assert [(note.rule, note.where) for note in notes if note.rule == "gltf/morph"] == [("gltf/morph", "body/part")]
    _, notes = noted(bent([0, 0], weights=[0, 0]))
    assert [note for note in notes if note.rule == "gltf/morph"] == []


def test_a_target_for_another_number_of_vertices_is_an_error():
    made = bent([1, 0])
    made.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = made.array(np.zeros((3, 3), dtype=np.float32))
    with pytest.raises(InputError, match="targets/0/POSITION must have 3 numbers for each of 4 vertices"):
        noted(made)
