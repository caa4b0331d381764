"""One mesh at many places (EXT_mesh_gpu_instancing): in scenes of others, in mesh files, in what was made of ours;
other trees of nodes that show the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from converters.context import InputError
from converters.convert import convert, read
from ir.diff import differences
from ir.pose import matrix
from tests.formats.gltf_made import CORNERS, Made, scene_of
from tests.formats.test_gltf_whole import edit, noted, parts, through
from tests.oracles import plain_gltf

WALKER = """<robot name="walker">
  <link name="trunk">{box}</link>
  <link name="left">{foot}</link>
  <link name="right">{foot}</link>
  <link name="tail">{foot}</link>
  <joint name="l" type="revolute"><parent link="trunk"/><child link="left"/><origin xyz="0 .3 0" rpy=".1 .2 .3"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3" velocity="2"/></joint>
  <joint name="r" type="revolute"><parent link="trunk"/><child link="right"/><origin xyz="0 -.3 0"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="3" velocity="2"/></joint>
  <joint name="t" type="revolute"><parent link="right"/><child link="tail"/><origin xyz="-.3 0 .1"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="3" velocity="2"/></joint>
</robot>
""".format(
    box='<visual><geometry><box size=".4 .2 .1"/></geometry></visual>',
    foot="""<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 -.1" rpy=".3 0 0"/><geometry><box size=".1 .2 .3"/></geometry></visual>
    <collision><origin xyz="0 0 -.1"/><geometry><box size=".1 .2 .3"/></geometry></collision>""",
)


def instanced(places: np.ndarray[Any, Any], **more: np.ndarray[Any, Any]) -> Made:
    """A document in which one mesh stands at these places, of a node that is moved, turned and scaled itself."""
    made = Made(extensionsUsed=["EXT_mesh_gpu_instancing"], extensionsRequired=["EXT_mesh_gpu_instancing"])
    attributes = {"TRANSLATION": places} | more
    numbers = {name: made.array(values.astype(np.float32)) for name, values in attributes.items()}
    held = {"EXT_mesh_gpu_instancing": {"attributes": numbers}}
    node = made.node(mesh=made.mesh(), name="trees", translation=[1, 2, 3], scale=[2, 2, 2], extensions=held)
    made.scene(node)
    return made


def turned(count: int, seed: int = 3) -> np.ndarray[Any, Any]:
    found = np.random.default_rng(seed).normal(size=(count, 4))
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def worlds(places: np.ndarray[Any, Any], turns: np.ndarray[Any, Any], scales: np.ndarray[Any, Any]) -> Any:
    """(n, 4, 4): where instances stand with z up, by the extension: the node, then translation, rotation, scale."""
    node = plain_gltf.UP @ plain_gltf.local({"translation": [1, 2, 3], "scale": [2, 2, 2]})
    each = zip(places, turns, scales, strict=True)
    return [node @ plain_gltf.local({"translation": t, "rotation": r, "scale": s}) for t, r, s in each]


def test_each_instance_is_a_geom(tmp_path: Path):
    places, turns = np.arange(15.0).reshape(5, 3), turned(5)
    scales = np.repeat(np.linspace(1.0, 2.0, 5)[:, None], 3, axis=1)
    made = instanced(places, ROTATION=turns, SCALE=scales)
    (body,) = (body for body in scene_of(made).bodies.values() if body.geoms)
    assert [geom.name for geom in body.geoms] == ["trees", "trees_1", "trees_2", "trees_3", "trees_4"]
    assert len({geom.shape.asset for geom in body.geoms}) == 1  # type: ignore[union-attr]

    (tmp_path / "wood.glb").write_bytes(made.glb())
    convert(tmp_path / "wood.glb", tmp_path / "wood.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "wood.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    expected = worlds(places, turns, scales)
    assert model.ngeom == 5
    starts, counts = model.mesh_vertadr, model.mesh_vertnum
    for geom in range(5):
        mesh = model.geom_dataid[geom]
        points = model.mesh_vert[starts[mesh] : starts[mesh] + counts[mesh]]
        there = points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        wanted = [((each @ [*corner, 1.0])[:3]) for each in expected[geom : geom + 1] for corner in CORNERS]
        assert all(min(np.linalg.norm(there - point, axis=1)) < 1e-5 for point in wanted)


def test_a_mesh_file_has_all_its_instances(tmp_path: Path):
    places = np.arange(9.0).reshape(3, 3)
    (tmp_path / "wood.glb").write_bytes(instanced(places).glb())
    link = '<visual><geometry><mesh filename="wood.glb"/></geometry></visual>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r"><link name="a">{link}</link></robot>')
    convert(tmp_path / "robot.urdf", tmp_path / "robot.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    assert model.mesh_facenum.sum() == 3 * 4


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"ROTATION": turned(4)}, "says 3 and 4 instances at once"),
        ({"SCALE": np.ones((3, 2))}, "must have 3 numbers for each instance"),
        ({"ROTATION": np.zeros((3, 4))}, "is zero"),
    ],
)
def test_impossible_instances_are_refused(attributes: dict[str, Any], words: str):
    with pytest.raises(InputError, match=words):
        scene_of(instanced(np.zeros((3, 3)), **attributes))


def test_more_instances_than_anybody_needs_are_refused():
    made = Made(extensionsUsed=["EXT_mesh_gpu_instancing"])
    many = made.add("accessors", {"componentType": 5120, "count": 10_000_000, "type": "VEC3"})
    held = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": many}}}
    made.scene(made.node(mesh=made.mesh(), extensions=held))
    with pytest.raises(InputError, match="asks for 10000000 instances"):
        scene_of(made)


@pytest.mark.parametrize("how", ["flatten", "weld", "quantize"])
def test_another_tree_of_nodes_or_other_vertices_of_the_same_robot_are_the_same_robot(tmp_path: Path, how: str):
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    through(how, tmp_path / "robot.glb", tmp_path / "other.glb")
    told = noted(tmp_path / "other.glb")
    assert set(told) <= {"scene", "body"}
    if how == "flatten":
        assert not any(node.get("children") for node in parts(tmp_path / "other.glb")[0]["nodes"])
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "other.glb")) == []


def test_meshes_that_were_made_one_are_still_those_of_their_bodies(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    through("join", tmp_path / "robot.glb", tmp_path / "one.glb")
    document, _ = parts(tmp_path / "one.glb")
    assert len([node for node in document["nodes"] if "mesh" in node]) == 2  # what is seen, and what collides
    assert "one mesh was made of several" in noted(tmp_path / "one.glb")["body"]
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "one.glb")) == []


def test_a_part_less_in_the_one_mesh_is_told(tmp_path: Path):
    """Joined without the tail: the sum of what is shown is another one, and nothing says that all is as it was."""
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")

    def cut(document: dict[str, Any]) -> None:
        for node in document["nodes"]:
            if node.get("name", "").startswith("tail_"):
                node.pop("mesh", None)

    through("join", edit(tmp_path / "robot.glb", cut), tmp_path / "one.glb")
    told = noted(tmp_path / "one.glb")
    assert "one mesh was made of several" not in json.dumps(told)
    assert set(told) - {"scene"}


def test_a_robot_of_ours_that_gltf_transform_made_instances_of_is_the_same(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    through("instance", tmp_path / "robot.glb", tmp_path / "many.glb")
    document, _ = parts(tmp_path / "many.glb")
    held = [node for node in document["nodes"] if "EXT_mesh_gpu_instancing" in node.get("extensions", {})]
    assert len(held) == 2  # feet that are seen, and feet that collide
    assert not any("mesh" in node and node.get("name", "").startswith("left") for node in document["nodes"])
    assert set(noted(tmp_path / "many.glb")) <= {"scene", "body"}
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "many.glb")) == []


def test_an_instance_that_was_moved_is_another_geom(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    through("instance", tmp_path / "robot.glb", tmp_path / "many.glb")

    def move(document: dict[str, Any]) -> None:
        for node in document["nodes"]:
            if "EXT_mesh_gpu_instancing" in node.get("extensions", {}):
                node["translation"] = [0, 5, 0]

    moved = read(edit(tmp_path / "many.glb", move))
    names = {geom.name: geom.pose.pos[2] for body in moved.bodies.values() for geom in body.geoms}
    assert not names.keys() & {"left_visual_0", "right_visual_0", "tail_visual_0"}
    assert sum(height > 4 for height in names.values()) == 7  # four that are seen, three that collide


@pytest.mark.parametrize("wrapped", [False, True])
def test_what_is_put_beside_the_robot_stands_upright(tmp_path: Path, wrapped: bool):
    """Programs put new things at the top of the scene, which stands on y, and some put a node above everything."""
    (tmp_path / "robot.urdf").write_text(WALKER)
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")

    def put(document: dict[str, Any]) -> None:
        nodes, scene = document["nodes"], document["scenes"][0]
        nodes.append({"name": "hat", "mesh": 0, "translation": [1, 2, 3]})
        scene["nodes"].append(len(nodes) - 1)
        if wrapped:
            nodes.append({"name": "Scene", "children": scene["nodes"], "translation": [7, 8, 9]})
            scene["nodes"] = [len(nodes) - 1]

    path = edit(tmp_path / "robot.glb", put)
    scene = read(path)
    (hat,) = (geom for body in scene.bodies.values() for geom in body.geoms if geom.name == "hat")
    upright = plain_gltf.UP @ plain_gltf.local({"translation": [1, 2, 3]})
    assert np.allclose(hat.pose.pos, upright[:3, 3], atol=1e-6)
    assert np.allclose(matrix(hat.pose.rot), upright[:3, :3], atol=1e-6)
    assert "geom/hat" in noted(path)
    assert json.dumps(noted(path)).count("added to the body 'trunk'") == 1
