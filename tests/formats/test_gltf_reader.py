"""What any glTF document means in the graph: nodes as bodies, transforms, names, materials, views."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from converters.assets.inside import mesh
from converters.context import ReaderContext
from converters.convert import convert, read as load
from converters.gltf.scene.nodes import affine_matrix, local_transform
from converters.source.json_parsing import parse
from ir.kinematics import forward
from ir.pose import compose, matrix, rotate
from ir.scene import Scene
from ir.types import Mesh
from tests.files import saved
from tests.formats.gltf_made import CORNERS, FACES, Made, left, noted, scene_of, shown
from tests.reports import explained, of_rule

TURN = [0.5, 0.5, 0.5, 0.5]
"""Rotates x to y, y to z and z to x."""


def parts_in_world(scene: Scene, tmp_path: Path, data: bytes) -> np.ndarray:
    """Return all corners of all faces (n, 3) in the world, from the loaded assets."""
    saved(tmp_path / "model.glb", data)
    poses = forward(scene)
    found = []
    for body in scene.bodies.values():
        for geom in body.geoms:
            assert isinstance(geom.shape, Mesh)
            pose = compose(poses[body.name], geom.pose)
            for part in mesh(scene.assets[geom.shape.asset]).parts:
                corners = part.vertices[part.faces].reshape(-1, 3) * geom.shape.scale
                found.append(corners @ matrix(pose.rot).T + pose.pos)
    return np.concatenate(found)


def upright(points: np.ndarray) -> np.ndarray:
    """Return points of glTF with z up."""
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


# nodes and bodies


def test_a_named_node_is_a_body_and_y_up_is_a_pose_of_it():
    scene = scene_of(shown())
    assert list(scene.bodies) == ["model", "part", "world"]
    joint = scene.joint_of("part")
    assert (joint.parent, joint.dofs) == ("model", ())
    assert rotate(joint.pose.rot, (0.0, 1.0, 0.0)) == pytest.approx((0.0, 0.0, 1.0))
    assert scene.joint_of("model") is None
    assert [geom.role for geom in scene.body("part").geoms] == ["visual"]


def test_nodes_hang_on_each_other_as_in_the_document():
    made = Made()
    tip = made.node(name="tip", mesh=made.mesh(), translation=[0, 0, 3])
    arm = made.node(name="arm", children=[tip], rotation=TURN)
    made.scene(made.node(name="base", children=[arm]), name="robot")
    scene = scene_of(made)
    assert scene.name == "robot"
    assert [(joint.parent, joint.child) for joint in scene.joints.values()] == [
        ("robot", "base"),
        ("base", "arm"),
        ("arm", "tip"),
    ]
    assert scene.joint_of("tip").pose.pos == (0.0, 0.0, 3.0)
    assert scene.joint_of("arm").pose.rot == (0.5, 0.5, 0.5, 0.5)


def test_leaves_without_a_name_are_geoms_and_leaves_without_a_mesh_are_frames():
    made = Made()
    leaves = [
        made.node(mesh=made.mesh(name="lid"), translation=[1, 0, 0]),
        made.node(name="grip", translation=[0, 1, 0]),
    ]
    made.scene(made.node(name="base", children=leaves))
    body = scene_of(made).body("base")
    assert [(geom.name, geom.pose.pos) for geom in body.geoms] == [("lid", (1.0, 0.0, 0.0))]
    assert [(frame.name, frame.pose.pos) for frame in body.frames] == [("grip", (0.0, 1.0, 0.0))]


def test_names_that_stand_twice_are_numbered_and_remembered():
    made = Made()
    nodes = [made.node(name=name, mesh=made.mesh()) for name in ("a", "a", "world", "a_1")]
    made.scene(*nodes)
    scene, _ = noted(made)
    assert [(body.name, body.label) for body in scene.bodies.values()][1:5] == [
        ("a", None),
        ("a_1", "a"),
        ("world_1", "world"),
        ("a_1_1", "a_1"),
    ]


def test_only_the_scene_that_is_shown_is_read_and_the_rest_is_left_whole():
    made = Made()
    used = made.node(name="used", mesh=made.mesh())
    other = made.node(name="other", children=[made.node(name="child")])
    made.scene(used)
    made.scene(other, name="spare")
    scene = scene_of(made)
    assert "other" not in scene.bodies
    found = left(scene)
    assert json.loads(found["nodes/1"]) == {"name": "child"}
    assert json.loads(found["nodes/2"]) == {"name": "other", "children": [1]}
    assert json.loads(found["scenes/1"]) == {"nodes": [2], "name": "spare"}


def test_without_scenes_every_root_is_shown():
    made = Made()
    made.node(name="a", mesh=made.mesh())
    made.node(name="b", mesh=0)
    scene, notes = noted(made)
    assert list(scene.bodies) == ["model", "a", "b", "world"]
    assert [(note.rule, note.action, note.before) for note in notes] == [
        ("gltf/no-joints", "noted", "links that cannot move: 2")
    ]


def test_links_that_cannot_move_are_told_to_other_formats(tmp_path: Path):
    made = Made()
    made.scene(made.node(name="a", mesh=made.mesh(), children=[made.node(name="b", mesh=0)]))
    (tmp_path / "s.glb").write_bytes(made.glb())
    found = {
        target: [
            each.where for each in convert(tmp_path / "s.glb", tmp_path / target).findings if "no-joints" in each.rule
        ]
        for target in ("r.urdf", "r.xml", "r.glb")
    }
    assert found == {"r.urdf": ["document"], "r.xml": ["document"], "r.glb": []}


def test_what_nobody_knows_stays_with_its_owner_word_by_word():
    made = Made(extras={"who": "me"}, extensions={"ACME_thing": {"deep": [1, {"x": None}]}})
    made.root["asset"] |= {"copyright": "nobody", "extras": [1]}
    made.scene(
        made.node(name="base", children=[made.node(mesh=made.mesh(extras=7), weights=[0.5])], extras="text", skin=0)
    )
    found = left(scene_of(made))
    assert found == {
        "asset/copyright": '"nobody"',
        "asset/extras": "[1]",
        "extras": '{"who":"me"}',
        "extensions": '{"ACME_thing":{"deep":[1,{"x":null}]}}',
        "meshes/0/extras": "7",
        "base:extras": '"text"',
        "base:skin": "0",
        "mesh_0:weights": "[0.5]",
    }


def test_a_deep_chain_is_no_matter_of_recursion():
    made = Made()
    for number in range(20_000):
        made.node(name=f"n{number}", children=[number + 1])
    made.node(name="tip", mesh=made.mesh())
    made.scene(0)
    scene = scene_of(made)
    assert len(scene.bodies) == 20_003


# transforms


@pytest.mark.parametrize(
    "steps",
    [
        [{"translation": [1, 2, 3], "rotation": TURN}],
        [{"scale": [2, 2, 2], "translation": [1, 0, 0]}, {"rotation": [0.6, 0, 0, 0.8], "translation": [0, 1, 0]}],
        [{"scale": [1, 2, 3]}, {"translation": [1, 1, 1], "scale": [2, 0.5, 1]}],
        [{"scale": [1, 2, 3]}, {"rotation": TURN, "translation": [1, 1, 1]}],
        [
            {"scale": [1, 2, 3]},
            {"rotation": [0.6, 0, 0, 0.8]},
            {"rotation": [0, 0.28, 0, 0.96], "translation": [3, 0, 1]},
        ],
        [{"scale": [-1, 1, 1]}, {"translation": [0, 4, 0], "rotation": [0, 0, 0.6, 0.8]}],
        [{"scale": [-2, -2, -2]}, {"rotation": [0, 0, 0.6, 0.8]}],
        [{"matrix": [0, 0, -2, 0, 0, 3, 0, 0, 4, 0, 0, 0, 5, 6, 7, 1]}],
        [{"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]}],
        [{"matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}],
        [{"scale": [1, 0, 1]}],
    ],
    ids=str,
)
def test_corners_stand_where_the_product_of_all_transforms_puts_them(steps: list[dict[str, Any]], tmp_path: Path):
    made = Made()
    node = made.node(name="mesh", mesh=made.mesh(), **steps[-1])
    for step in reversed(steps[:-1]):
        node = made.node(name="step", children=[node], **step)
    made.scene(node)
    path = tmp_path / "model.glb"
    data = made.glb()
    scene, notes = noted(data, path)
    assert notes == []
    context = ReaderContext(file="", folder=tmp_path)
    places = [local_transform(parse(json.dumps(step).encode(), context, "gltf").root, "", context) for step in steps]
    whole = affine_matrix(places)
    expected = CORNERS[FACES].reshape(-1, 3) @ whole[:3, :3].T + whole[:3, 3]
    got = parts_in_world(scene, tmp_path, data).reshape(-1, 3, 3)
    given = upright(expected).reshape(-1, 3, 3)
    assert np.allclose(np.sort(got, axis=1), np.sort(given, axis=1), atol=1e-6)
    if len(scene.assets["mesh_0"].parameters) and np.linalg.det(whole[:3, :3]):
        across = np.cross(got[:, 1] - got[:, 0], got[:, 2] - got[:, 0])
        assert np.einsum("ij,ij->", across, got[:, 0] - got.mean(axis=(0, 1))) > 0, "faces look outwards"


def test_affine_is_translation_times_rotation_times_scale():
    context = ReaderContext(file="", folder=Path())
    text = b'{"translation": [1, 2, 3], "rotation": [0.6, 0, 0, 0.8], "scale": [1, 2, 3]}'
    found = affine_matrix([local_transform(parse(text, context, "gltf").root, "", context)])
    cos, sin = 0.28, 0.96
    assert found == pytest.approx(
        np.array([[1, 0, 0, 1], [0, 2 * cos, -3 * sin, 2], [0, 2 * sin, 3 * cos, 3], [0, 0, 0, 1]])
    )


def test_a_scale_ends_in_the_meshes_and_moves_what_hangs_below():
    made = Made()
    leaf = made.node(name="leaf", mesh=made.mesh(), translation=[1, 0, 0])
    made.scene(made.node(name="base", children=[leaf], scale=[0.001, 0.001, 0.001]))
    scene = scene_of(made)
    assert scene.joint_of("leaf").pose.pos == (0.001, 0.0, 0.0)
    assert scene.body("leaf").geoms[0].shape == Mesh(asset="mesh_0", scale=(0.001, 0.001, 0.001))


def test_what_a_document_says_of_itself_is_told_where_nothing_is_made_of_it(tmp_path: Path):
    made = shown()
    made.root |= {"extensionsUsed": ["EXT_mesh_features"], "asset": {"version": "2.0", "generator": "somebody"}}
    report = convert(saved(tmp_path / "model.glb", made.glb()), tmp_path / "model.sdf")
    named = {source.path for finding in report.findings for source in finding.sources}
    assert named >= {"/extensionsUsed", "/asset/generator"}
    assert load(tmp_path / "model.glb").notation == {"gltf_version": "2.0"}


def test_the_material_of_a_mesh_that_only_collides_is_told(tmp_path: Path):
    made = Made(extensionsUsed=["KHR_physics_rigid_bodies"], materials=[{"name": "a"}, {"name": "b"}])
    mesh = made.mesh(made.primitive(material=1))
    collider = {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}, "collider": {"geometry": {"mesh": mesh}}}}
    made.scene(made.node(name="part", extensions=collider))
    report = convert(saved(tmp_path / "model.glb", made.glb()), tmp_path / "model.urdf")
    named = {source.path for finding in report.findings for source in finding.sources}
    assert "/meshes/0/primitives/0/material" in named


def test_floats_that_are_said_to_be_normalised_are_told():
    made = shown()
    made.root["accessors"][0]["normalized"] = True
    _, notes = noted(made)
    assert [(note.rule, note.source.path) for note in notes] == [("gltf/normalized", "/accessors/0/normalized")]
    made.root["accessors"][0]["normalized"] = False
    assert noted(made)[1] == []


@pytest.mark.parametrize(("mode", "count", "made"), [(4, 11, 9), (4, 2, 0), (5, 2, 0), (6, 2, 0)])
def test_corners_that_make_no_triangle_are_told(mode: int, count: int, made: int):
    corners = FACES.reshape(-1)[:count].reshape(-1, 1)
    made_of = Made()
    made_of.scene(made_of.node(name="part", mesh=made_of.mesh(made_of.primitive(faces=corners, mode=mode))))
    _, notes = noted(made_of)
    assert [(note.rule, note.before, note.after) for note in notes] == [("gltf/corners", str(count), str(made))]
    assert notes[0].source.path == "/accessors/1/count"


def test_a_scale_that_nothing_shows_is_left_over():
    made = Made()
    empty = made.node(name="empty", scale=[1, 2, 3])
    made.scene(made.node(name="base", children=[empty, made.node(name="leaf", mesh=made.mesh())], scale=[2, 2, 2]))
    scene, notes = noted(made.glb())
    assert notes == []
    (frame,) = scene.body("base").frames
    assert frame.name == "empty"
    assert [(extra.path, extra.text, extra.source.path) for extra in frame.extras] == [
        ("scale", "[1,2,3]", "/nodes/0/scale")
    ]
    assert scene.body("base").extras == ()


@pytest.mark.parametrize("scale", [[0.9999999, 1, 1.0000002], [0.99999, 1, 1], [1, 2, 1]])
@pytest.mark.parametrize("target", ["urdf", "xml", "sdf", "glb"])
def test_a_scale_of_one_in_single_precision_is_worth_a_note(tmp_path: Path, scale: list[float], target: str):
    made = Made()
    empty = made.node(name="empty", scale=scale, children=[made.node(name="end")])
    made.scene(made.node(name="base", children=[empty, made.node(name="leaf", mesh=made.mesh())]))
    report = explained(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / f"b.{target}"))
    told = [each for each in report.findings if each.where == "body/empty.extras.scale"]
    rounded = scale[0] == 0.9999999
    assert [(each.rule.partition("/")[2] == "unit-scale", each.severity) for each in told] == [
        (rounded, "note" if rounded else "warning")
    ]


@pytest.mark.parametrize("rotation", [[0, 0, 0, 2], [1, 0, 0, 1e300], [0, 0, 0, 1e-200]])
def test_a_rotation_that_is_not_of_length_one_is_told(rotation: list[float]):
    """Also for a rotation whose square exceeds the range of a double."""
    scene, notes = noted(shown(rotation=rotation))
    assert [note.rule for note in notes] == ["gltf/not-unit"]
    assert scene.joint_of("part").pose.rot == pytest.approx((0.5**0.5, 0.5**0.5, 0, 0))


# meshes as parts of the file


def test_each_primitive_is_a_geom_and_points_into_the_file():
    made = Made()
    shape = made.mesh(made.primitive(), made.primitive(corners=CORNERS * 2), name="body")
    made.scene(made.node(name="part", mesh=shape))
    scene = scene_of(made)
    assert [(asset.name, asset.uri, asset.file) for asset in scene.assets.values()] == [
        ("body", "model.glb#/meshes/0/primitives/0", "model.glb"),
        ("body_1", "model.glb#/meshes/0/primitives/1", "model.glb"),
    ]
    assert [(geom.name, geom.shape.asset) for geom in scene.body("part").geoms] == [
        ("part_0", "body"),
        ("part_1", "body_1"),
    ]


def test_equal_triangles_are_one_asset_wherever_they_are_stored():
    made = Made()
    made.scene(*(made.node(name=f"n{n}", mesh=made.mesh()) for n in range(3)), made.node(name="again", mesh=0))
    scene, _ = noted(made)
    assert list(scene.assets) == ["mesh_0"]
    assert {geom.shape.asset for body in scene.bodies.values() for geom in body.geoms} == {"mesh_0"}


def test_points_and_lines_are_told_and_leave_their_body():
    made = Made()
    cloud = made.mesh(made.primitive(faces=None, mode=0), made.primitive(faces=None, mode=3))
    made.scene(made.node(name="cloud", mesh=cloud))
    scene, notes = noted(made)
    assert [(note.rule, note.action) for note in notes] == [("gltf/no-surface", "ignored")] * 2
    assert scene.body("cloud").geoms == ()


def test_a_skin_is_told_and_kept():
    made = shown(skin=0)
    made.root["skins"] = [{"joints": [0]}]
    scene, notes = noted(made)
    assert [note.rule for note in notes] == ["gltf/skin"]
    assert left(scene) == {"skins": '[{"joints":[0]}]', "part:skin": "0"}


def test_animations_and_morph_targets_are_kept():
    made = Made(animations=[{"channels": [], "samplers": []}])
    target = made.array(CORNERS)
    made.scene(made.node(name="face", mesh=made.mesh(made.primitive(targets=[{"POSITION": target}]), weights=[0.0])))
    scene, notes = noted(made)
    told = ("gltf/unread", "/accessors/0, of a morph target of mesh 0", "dropped")
    assert [(note.rule, note.before, note.action) for note in notes] == [told]
    found = left(scene)
    assert found["animations"] == '[{"channels":[],"samplers":[]}]'
    assert found["mesh_0:targets"] == '[{"POSITION":0}]'
    assert found["meshes/0/weights"] == "[0.0]"
    assert "accessors/0" in found, "what names the numbers that are gone"


def test_whose_numbers_are_gone_is_told():
    """Also of unread members that are not arrays, objects or numbers."""
    made = Made(skins=[{"joints": [0], "inverseBindMatrices": 1, "name": "hero"}])
    times, values = (made.array(np.zeros((2, width), dtype=np.float32)) for width in (1, 4))
    odd = [7, {"samplers": 7}, {"samplers": [7, {"input": "0", "output": True}]}]
    made.root["animations"] = [*odd, {"name": "wave", "samplers": [{"input": times, "output": 99}], "channels": []}]
    more = {"JOINTS_0": made.array(np.zeros((4, 4), dtype=np.uint8))}
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(attributes=more), name="body")))
    _, notes = noted(made)
    assert values == 1
    assert {note.before for note in notes if note.rule == "gltf/unread"} == {
        "/accessors/0, of animation 'wave'",
        "/accessors/1, of skin 'hero'",
        "/accessors/2, of JOINTS_0 of mesh 'body'",
    }


def test_numbers_and_bytes_that_nothing_is_made_of_are_told_as_gone():
    """The members that name them come back; the numbers and bytes do not."""
    made = Made(extensionsUsed=["EXT_structural_metadata"])
    weights = made.array(np.ones((4, 4), dtype=np.float32))
    made.root["extensions"] = {"EXT_structural_metadata": {"values": made.view(b"1234")}}
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(attributes={"WEIGHTS_0": weights}))))
    _, notes = noted(made)
    assert [(note.rule, note.action) for note in notes] == [("gltf/unread", "dropped")] * 2
    assert [note.before.split("/")[1] for note in notes] == ["accessors", "bufferViews"]


# looks


# cameras and lights


# going elsewhere


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf", "out.xml", "out.glb"])
def test_a_name_with_a_control_character_has_another_in_its_place(tmp_path: Path, target: str):
    made = Made()
    made.scene(made.node(name="a\x01b", children=[made.node(name="\x0c", children=[made.node(name="c")])]))
    report = explained(convert(saved(tmp_path / "in.glb", made.glb()), tmp_path / target))
    (told,) = of_rule(report, "gltf/name-control")
    assert told.action == "repaired"
    assert "a\ufffdb" in load(tmp_path / target).bodies
