"""A mesh with a skin is placed by its joints; the transform of its own node is ignored (glTF 2.0, 3.7.3.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ir.kinematics import forward
from ir.pose import compose, matrix
from ir.types import Mesh
from tests.formats.gltf_made import CORNERS, FACES, Made, left, noted

Matrix = np.ndarray[Any, Any]
HALF = [0.0, 0.0, 0.5**0.5, 0.5**0.5]


def skinned(inverse: list[Matrix] | None, **node: Any) -> Made:
    """Return a mesh on a node with these members, and two bones in an armature scaled by 1/100."""
    made = Made()
    mesh = made.mesh(made.primitive(CORNERS, FACES))
    tip = made.node(name="tip", translation=[0, 50, 0], rotation=HALF)
    root = made.node(name="root", translation=[100, 0, 0], children=[tip])
    skin: dict[str, Any] = {"joints": [root, tip]}
    if inverse is not None:
        table = np.array([each.T for each in inverse], dtype=np.float32).reshape(2, 16)
        number = made.add("accessors", {"componentType": 5126, "count": 2, "type": "MAT4"})
        made.root["accessors"][number]["bufferView"] = made.view(table.tobytes())
        skin["inverseBindMatrices"] = number
    made.add("skins", skin)
    shown = made.node(name="shown", mesh=mesh, skin=0, **node)
    made.scene(made.node(name="armature", children=[root], scale=[0.01] * 3), shown)
    return made


def moved(x: float, y: float, z: float, turn: Matrix | None = None, scale: float = 1.0) -> Matrix:
    found = np.eye(4)
    found[:3, :3] = (np.eye(3) if turn is None else turn) * scale
    found[:3, 3] = (x, y, z)
    return found


ROOT = moved(1, 0, 0, scale=0.01)
TIP = ROOT @ moved(0, 50, 0, np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]))


def corners(made: Made) -> tuple[Matrix, list[str]]:
    """Return the corners in the scene, y up, and what is reported about the skin."""
    scene, notes = noted(made)
    (where,) = ((body, geom) for body in scene.bodies.values() for geom in body.geoms)
    pose = compose(forward(scene)[where[0].name], where[1].pose)
    assert isinstance(where[1].shape, Mesh)
    points = (CORNERS * where[1].shape.scale) @ matrix(pose.rot).T + pose.pos
    assert "shown:skin" in left(scene)
    return points[:, [0, 2, 1]] * (1, 1, -1), [note.reason.split(";")[0] for note in notes if note.rule == "gltf/skin"]


@pytest.mark.parametrize("node", [{}, {"translation": [5, 6, 7], "rotation": HALF, "scale": [2, 2, 2]}])
@pytest.mark.parametrize("bind", [moved(0, 0, 0), moved(1, 2, 3, scale=0.01)])
def test_a_mesh_stands_as_it_is_bound(node: dict[str, Any], bind: Matrix):
    points, told = corners(skinned([np.linalg.inv(each) @ bind for each in (ROOT, TIP)], **node))
    assert points == pytest.approx(CORNERS @ bind[:3, :3].T + bind[:3, 3], abs=1e-5)
    assert told == ["the mesh is read as it is bound"]


@pytest.mark.parametrize("inverse", [None, [np.eye(4), np.linalg.inv(TIP)]])
def test_a_mesh_that_its_joints_bend_stands_as_its_node_does(inverse: list[Matrix] | None):
    points, told = corners(skinned(inverse, translation=[5, 6, 7]))
    assert points == pytest.approx(CORNERS + np.array([5, 6, 7]), abs=1e-5)
    assert told == ["the mesh is read as its node is placed"]


def test_a_skin_without_any_size_moves_nothing():
    made = skinned([np.eye(4)] * 2)
    made.root["nodes"][2]["scale"] = [0, 0, 0]  # the armature
    made.root["nodes"][3]["scale"] = [0, 1, 1]
    _, notes = noted(made)
    assert len([note for note in notes if note.rule == "gltf/skin"]) == 1


@pytest.mark.parametrize(
    "damage",
    [
        {"joints": []},
        {"joints": [99]},
        {"joints": "all"},
        {"inverseBindMatrices": 99},
        {"inverseBindMatrices": 0},
        {"joints": [0, 1, 0]},
    ],
    ids=["none", "unknown", "no list", "no matrices", "corners for matrices", "too few matrices"],
)
def test_a_mesh_whose_skin_is_damaged_stands_as_its_node_does(damage: dict[str, Any]):
    made = skinned([np.linalg.inv(each) for each in (ROOT, TIP)], translation=[5, 6, 7])
    made.root["skins"][0] |= damage
    points, told = corners(made)
    assert points == pytest.approx(CORNERS + np.array([5, 6, 7]), abs=1e-5)
    assert told == ["the mesh is read as its node is placed"]


def test_a_skin_that_is_not_there_bends_nothing():
    made = skinned(None, translation=[5, 6, 7])
    del made.root["skins"]
    points, _ = corners(made)
    assert points == pytest.approx(CORNERS + np.array([5, 6, 7]), abs=1e-5)
