"""One mesh at many places (EXT_mesh_gpu_instancing): in foreign scenes, in mesh files, in edited outputs; other node
trees with the same appearance."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from converters.context import InputError
from converters.convert import convert, load, read
from ir.diff import differences
from ir.pose import matrix
from ir.types import Mesh
from tests.conftest import MADE
from tests.files import saved
from tests.formats.gltf_made import CORNERS, Made, scene_of
from tests.formats.test_gltf_graph import edit, noted, parts, through
from tests.oracles import plain_gltf
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.reports import of_rule

MESH = "tetrahedron.stl"
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
    """Return a document with one mesh at these places, in a node that is translated, rotated and scaled itself."""
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
    """Return the world matrices (n, 4, 4) of instances, z up, by the extension: node, translation, rotation, scale."""
    node = plain_gltf.UP @ plain_gltf.local({"translation": [1, 2, 3], "scale": [2, 2, 2]})
    each = zip(places, turns, scales, strict=True)
    return [node @ plain_gltf.local({"translation": t, "rotation": r, "scale": s}) for t, r, s in each]


def test_each_instance_is_a_geom(tmp_path: Path):
    places, turns = np.arange(15.0).reshape(5, 3), turned(5)
    scales = np.repeat(np.linspace(1.0, 2.0, 5)[:, None], 3, axis=1)
    made = instanced(places, ROTATION=turns, SCALE=scales)
    (body,) = (body for body in scene_of(made).bodies.values() if body.geoms)
    assert [geom.name for geom in body.geoms] == ["trees", "trees_1", "trees_2", "trees_3", "trees_4"]
    assert len({geom.shape.asset for geom in body.geoms if isinstance(geom.shape, Mesh)}) == 1

    convert(saved(tmp_path / "wood.glb", made.glb()), tmp_path / "wood.xml")
    model, data = drawn(tmp_path / "wood.xml")
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
    model = mujoco_model(tmp_path / "robot.xml")
    assert model.mesh_facenum.sum() == 3 * 4


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"ROTATION": turned(4)}, "has 3 and 4 instances at once"),
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
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")
    through(how, tmp_path / "robot.glb", tmp_path / "other.glb")
    told = noted(tmp_path / "other.glb")
    assert set(told) <= {"scene", "body"}
    if how == "flatten":
        assert not any(node.get("children") for node in parts(tmp_path / "other.glb")[0]["nodes"])
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "other.glb")) == []


def test_meshes_that_were_made_one_are_still_those_of_their_bodies(tmp_path: Path):
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")
    through("join", tmp_path / "robot.glb", tmp_path / "one.glb")
    document, _ = parts(tmp_path / "one.glb")
    assert len([node for node in document["nodes"] if "mesh" in node]) == 2  # what is seen, and what collides
    assert "meshes were joined, or cut" in noted(tmp_path / "one.glb")["body"]
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "one.glb")) == []


def test_a_part_less_in_the_one_mesh_is_told(tmp_path: Path):
    """Joined without the tail: the sum of what is shown differs, and nothing indicates that all is unchanged."""
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")

    def cut(document: dict[str, Any]) -> None:
        for node in document["nodes"]:
            if node.get("name", "").startswith("tail_"):
                node.pop("mesh", None)

    through("join", edit(tmp_path / "robot.glb", cut), tmp_path / "one.glb")
    assert noted(tmp_path / "one.glb")["body"] == "meshes were joined, or cut: they stay as the graph has them"


def test_a_robot_of_ours_that_gltf_transform_made_instances_of_is_the_same(tmp_path: Path):
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")
    through("instance", tmp_path / "robot.glb", tmp_path / "many.glb")
    document, _ = parts(tmp_path / "many.glb")
    held = [node for node in document["nodes"] if "EXT_mesh_gpu_instancing" in node.get("extensions", {})]
    assert len(held) == 2  # feet that are seen, and feet that collide
    assert not any("mesh" in node and node.get("name", "").startswith("left") for node in document["nodes"])
    assert set(noted(tmp_path / "many.glb")) <= {"scene", "body"}
    assert differences(read(tmp_path / "robot.glb"), read(tmp_path / "many.glb")) == []


def test_an_instance_that_was_moved_is_another_geom(tmp_path: Path):
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")
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
    """Programs put new objects at the top of the scene, which is y up, and some add a node above everything."""
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")

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


# ----------------------------------------------------------------------------------------- meshes whose files are gone


@pytest.fixture
def meshed(tmp_path: Path) -> Path:
    """A robot with a mesh at an unusual pose and scale, as a GLB; the mesh file is deleted."""
    places = ('xyz=".1 .2 .3" rpy=".3 .4 .5"', 'xyz=".1 0 0" rpy="1.1 .4 -.5"')
    links = [
        f'<link name="l{number}"><visual><origin {place}/><geometry><mesh filename="{MESH}" scale="{scale}"/>'
        "</geometry></visual></link>"
        for number, (place, scale) in enumerate(zip(places, ("0.001 0.001 0.001", ".3 .2 .7"), strict=True))
    ]
    joint = (
        '<joint name="j" type="fixed"><parent link="l0"/><child link="l1"/><origin xyz="0 0 1" rpy=".2 .3 .4"/></joint>'
    )
    (tmp_path / MESH).write_bytes((MADE / "meshes" / MESH).read_bytes())
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{"".join(links)}{joint}</robot>')
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")
    (tmp_path / MESH).unlink()
    return tmp_path / "robot.glb"


def corners(path: Path) -> np.ndarray[Any, Any]:
    """Return all corners of what MuJoCo shows of a model, sorted."""
    model, data = drawn(path)
    found = []
    for geom in range(model.ngeom):
        mesh = model.geom_dataid[geom]
        start = model.mesh_vertadr[mesh]
        points = model.mesh_vert[start : start + model.mesh_vertnum[mesh]]
        found += (points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]).round(4).tolist()
    return np.array(sorted(found))


def matrices(document: dict[str, Any]) -> None:
    """Give every node a matrix, as three.js and others do: the scales decomposed from it differ in the last digit."""
    for node in document["nodes"]:
        if {"translation", "rotation", "scale"} & node.keys():
            node["matrix"] = plain_gltf.local(node).T.ravel().tolist()
            for key in ("translation", "rotation", "scale"):
                node.pop(key, None)


@pytest.mark.parametrize("how", ["flatten", "quantize", "matrices"])
def test_triangles_inside_stand_for_a_file_that_is_gone_however_the_nodes_are_spelt(meshed: Path, how: str):
    convert(meshed, meshed.with_name("plain.xml"))
    expected = corners(meshed.with_name("plain.xml"))
    assert len(expected) >= 8
    if how == "matrices":
        other = edit(meshed, matrices)
    else:
        other = meshed.with_name("other.glb")
        through(how, meshed, other)
    report = convert(other, meshed.with_name("other.xml"))
    assert not of_rule(report, "assets/missing")
    assert np.allclose(corners(meshed.with_name("other.xml")), expected, atol=2e-4)


def test_one_mesh_of_several_stands_for_none_of_their_files(meshed: Path):
    through("join", meshed, meshed.with_name("one.glb"))
    report = convert(meshed.with_name("one.glb"), meshed.with_name("one.xml"))
    assert of_rule(report, "assets/missing")
    assert not of_rule(report, "carried/inside")


# ---------------------------------------------------------------------------------------------------- what is put there


@pytest.mark.parametrize("flat", [False, True])
def test_what_is_put_into_the_glb_of_an_mjcf_has_its_colour_and_loads(tmp_path: Path, flat: bool):
    """MuJoCo shows what has no material in grey, but not what was painted. It refuses flat meshes that are not declared
    as shells."""
    (tmp_path / "arm.xml").write_text(
        '<mujoco><worldbody><body name="tip"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    convert(tmp_path / "arm.xml", tmp_path / "arm.gltf")
    document = json.loads((tmp_path / "arm.gltf").read_text())
    data = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.0, 0.0, not flat]], np.float32).tobytes()
    data += np.array([0, 2, 1, 1, 3, 2] if flat else [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], np.uint16).tobytes()
    buffer = len(document["buffers"])
    document["buffers"].append(
        {"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}
    )
    view = len(document["bufferViews"])
    document["bufferViews"] += [
        {"buffer": buffer, "byteLength": 48},
        {"buffer": buffer, "byteOffset": 48, "byteLength": len(data) - 48},
    ]
    accessor = len(document["accessors"])
    document["accessors"] += [
        {"bufferView": view, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": view + 1, "componentType": 5123, "count": (len(data) - 48) // 2, "type": "SCALAR"},
    ]
    document["materials"].append({"name": "paint", "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}})
    primitive = {
        "attributes": {"POSITION": accessor},
        "indices": accessor + 1,
        "material": len(document["materials"]) - 1,
    }
    document["meshes"].append({"name": "thing", "primitives": [primitive]})
    tip = next(node for node in document["nodes"] if node.get("name") == "tip")
    document["nodes"].append({"name": "thing", "mesh": len(document["meshes"]) - 1})
    tip.setdefault("children", []).append(len(document["nodes"]) - 1)
    (tmp_path / "edited.gltf").write_text(json.dumps(document))
    for suffix in ("xml", "urdf"):
        convert(tmp_path / "edited.gltf", tmp_path / f"back.{suffix}")
    model = mujoco_model(tmp_path / "back.xml")
    painted = model.geom_matid[model.geom("thing").id]
    assert model.mat_rgba[painted].tolist() == [0, 0, 1, 1]
    colours = ElementTree.parse(tmp_path / "back.urdf").findall(".//material[@name='paint']/color")
    assert [colour.get("rgba") for colour in colours] == ["0 0 1 1"]


def test_scenes_that_somebody_has_made_one_are_the_same_robot(tmp_path: Path):
    """three.js exports everything as one scene, in which visible and colliding objects are two trees."""
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")

    def together(document: dict[str, Any]) -> None:
        for scene in document["scenes"]:
            document["nodes"].append({"name": scene["name"], "children": scene["nodes"]})
        tops = [len(document["nodes"]) - 2, len(document["nodes"]) - 1]
        document["scenes"] = [document["scenes"][0] | {"nodes": tops}]

    both = edit(tmp_path / "robot.glb", together)
    assert not [where for where in noted(both) if where.startswith("geom/")]
    assert differences(read(tmp_path / "robot.glb"), read(both)) == []


def test_a_mirror_in_another_axis_is_no_move(meshed: Path):
    """A mirror in y is a half turn about z and a mirror in x: gltf-transform writes the latter."""

    def turn(document: dict[str, Any]) -> None:
        (node,) = (node for node in document["nodes"] if node.get("scale") == [0.3, -0.2, 0.7])
        x, y, z, w = node["rotation"]
        node["rotation"], node["scale"] = [y, -x, w, -z], [-0.3, 0.2, 0.7]

    source = meshed.with_name("robot.urdf")
    source.write_text(source.read_text().replace(".3 .2 .7", ".3 -.2 .7"))
    (meshed.parent / MESH).write_bytes((MADE / "meshes" / MESH).read_bytes())
    convert(source, meshed)
    assert not [where for where in noted(edit(meshed, turn)) if where != "scene"]
    assert differences(read(meshed), read(edit(meshed, turn))) == []


def test_a_joint_that_names_a_node_that_is_gone_is_that_of_the_graph(tmp_path: Path):
    """trimesh omits nodes, and does not update node numbers in extensions."""
    convert(saved(tmp_path / "robot.urdf", WALKER), tmp_path / "robot.glb")

    def stale(document: dict[str, Any]) -> None:
        said = [node.get("extensions", {}).get("KHR_physics_rigid_bodies", {}) for node in document["nodes"]]
        ties = [each["joint"] for each in said if "joint" in each]
        assert len(ties) == 3
        for tie in ties:
            tie["connectedNode"] += 100

    path = edit(tmp_path / "robot.glb", stale)
    assert "refers to a node that is not there" in json.dumps(
        [note.reason for note in load(path).context.notes if note.rule == "gltf/edited"]
    )
    assert differences(read(tmp_path / "robot.glb"), read(path)) == []


def test_the_only_shape_that_collides_is_taken_out_and_told(tmp_path: Path):
    """What is left of the second scene shows nothing: that is not a mesh joined from several."""
    shape = '<geometry><box size="1 1 1"/></geometry>'
    link = f'<link name="a"><visual>{shape}</visual><collision>{shape}</collision></link>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{link}</robot>')
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")

    def take(document: dict[str, Any]) -> None:
        (number,) = (
            number
            for number, node in enumerate(document["nodes"])
            if "mesh" in node and node["extras"]["kinegraph_role"] == "collision"
        )
        for node in document["nodes"]:
            if number in node.get("children", ()):
                del node["children"]

    told = noted(edit(tmp_path / "robot.glb", take))
    assert "joined" not in json.dumps(told)
    assert "was changed since" in told["scene"]


def test_a_mesh_that_is_drawn_out_in_two_ways_is_counted_once(tmp_path: Path):
    """Each variant is its own asset: unread members of the primitive stay with the first."""
    made = instanced(np.zeros((2, 3)), ROTATION=turned(2))
    made.root["meshes"][0]["primitives"][0]["extras"] = {"by": "hand"}
    made.root["nodes"][0] |= {"scale": [1, 2, 3]}
    (tmp_path / "a.glb").write_bytes(made.glb())
    for name in ("a.sdf", "a.xml", "a.urdf", "b.glb"):
        report = convert(tmp_path / "a.glb", tmp_path / name)
        assert report.read + report.ignored + report.unread == report.source_items
    kept = [extra.path for asset in read(tmp_path / "a.glb").assets.values() for extra in asset.extras]
    assert kept == ["extras"]
