"""The graph embedded in a file survives other tools, and changes by tools or people are detected."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pygltflib
import pytest
import trimesh

from converters.assets import inside
from converters.context import InputError, Options, ReaderContext
from converters.convert import convert, load, read
from converters.gltf.reader import read as read_gltf
from ir.diff import differences
from ir.types import Mesh
from tests.files import saved
from tests.formats.gltf_arm import by_name
from tests.formats.gltf_written import ARM
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.node import asked, installed
from tests.reports import comes_back, of_rule

REWRITE = Path(__file__).parents[1] / "oracles" / "transform"


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    convert(saved(tmp_path / "robot.urdf", ARM), tmp_path / "robot.glb")
    return tmp_path / "robot.glb"


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[20 + length :]


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy of a GLB with its JSON changed."""
    document, rest = parts(path)
    change(document)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    target = path.with_name("edited.glb")
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return saved(target, head + text + rest)


def noted(path: Path, rules: Collection[str] = ("gltf/edited",)) -> dict[str, str]:
    """Return the findings of a conversion about edits: place -> reason."""
    report = convert(path, path.with_name("noted.urdf"))
    return {finding.where: finding.reason for finding in report.findings if finding.rule in rules}


def through(how: str, source: Path, target: Path) -> None:
    """Write what gltf-transform makes of a document; `how` is one of tests/oracles/transform."""
    request = {"source": str(source), "target": str(target), "how": how}
    asked(installed(REWRITE) / "rewrite.js", [json.dumps(request)])


def through_transform(source: Path, target: Path) -> None:
    through("copy", source, target)


def through_pruning(source: Path, target: Path) -> None:
    through("prune", source, target)


def through_trimesh(source: Path, target: Path) -> None:
    trimesh.load_scene(source).export(target)


def through_pygltflib(source: Path, target: Path) -> None:
    pygltflib.GLTF2().load(str(source)).save(str(target))


@pytest.mark.parametrize("tool", [through_transform, through_pruning, through_trimesh, through_pygltflib])
def test_the_graph_survives_other_tools(robot: Path, tool: Callable[[Path, Path], None]):
    target = robot.with_name("rewritten.glb")
    tool(robot, target)
    document, _ = parts(target)
    found = [
        item["extras"]["kinegraph"]
        for section in ("scenes", "nodes")
        for item in document[section]
        if "kinegraph" in (item.get("extras") or {})
    ]
    original, _ = parts(robot)
    assert original["scenes"][0]["extras"]["kinegraph"] in found
    source, back = read(robot), read(target)
    assert set(back.bodies) == set(source.bodies)
    assert {name: joint.dofs for name, joint in back.joints.items()} == {
        name: joint.dofs for name, joint in source.joints.items()
    }
    assert set(noted(target)) <= {"scene", "body"}  # nodes that show nothing are pruned
    assert differences(source, back) == []


# --------------------------------------------------------------------------------------------------------------- edits


def test_a_node_that_was_moved_moves_the_body(robot: Path):
    def move(document: dict[str, Any]) -> None:
        by_name(document, "finger")["translation"][2] += 0.25

    changed = edit(robot, move)
    assert list(noted(changed)) == ["joint/grip"]
    before, after = read(robot).joints["grip"].pose.pos, read(changed).joints["grip"].pose.pos
    assert after == pytest.approx((before[0], before[1], before[2] + 0.25))


def test_a_floating_joint_that_was_written_as_several_dofs_is_no_crash(tmp_path: Path):
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joint = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><origin xyz="1 0 0"/></joint>'
    joints = joint.format("f", "fixed", "a", "b") + joint.format("g", "floating", "b", "c")
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    convert(tmp_path / "robot.urdf", tmp_path / "robot.glb")

    def move(document: dict[str, Any]) -> None:
        by_name(document, "b")["translation"] = [1.0, 0.5, 0.0]

    changed = edit(tmp_path / "robot.glb", move)
    assert list(noted(changed)) == ["joint/f"]
    assert read(changed).joints["f"].pose.pos == pytest.approx((1.0, 0.5, 0.0))
    assert read(changed).joints["g"] == read(tmp_path / "robot.urdf").joints["g"]


def test_what_a_file_carries_is_read_if_it_is_wanted(robot: Path):
    whole, native = (
        read_gltf(robot.read_bytes(), ReaderContext(file=str(robot), folder=robot.parent, carrying=carrying))
        for carrying in (True, False)
    )
    assert whole.carried and not native.carried
    assert differences(whole, native) == []


@pytest.mark.parametrize(
    ("link", "joint", "dof", "value"), [("upper", "shoulder", "shoulder", 0.7), ("finger", "grip", "grip", 0.03)]
)
def test_a_node_that_was_moved_along_its_joint_is_a_position(
    robot: Path, link: str, joint: str, dof: str, value: float
):
    """As Blender leaves it when it opens a file with a pose or a motion and saves what it shows."""
    posed = robot.with_name("posed.glb")
    convert(robot.with_name("robot.urdf"), posed, options=Options(pose=(f"{dof}={value}",), audit=False))
    there = by_name(parts(posed)[0], link)

    def move(document: dict[str, Any]) -> None:
        by_name(document, link).update({key: there[key] for key in ("translation", "rotation") if key in there})

    changed = edit(robot, move)
    assert list(noted(changed)) == [f"joint/{joint}"]
    before, after = read(robot), read(changed)
    assert after.joints[joint] == before.joints[joint]
    assert dict(after.tables["keyframe"]["as_drawn"].positions) == {dof: (pytest.approx(value, abs=1e-6),)}


def test_a_node_of_a_geom_that_was_moved_moves_the_geom(robot: Path):
    def move(document: dict[str, Any]) -> None:
        by_name(document, "second")["translation"] = [0.0, 0.5, 0.0]

    changed = edit(robot, move)
    assert list(noted(changed)) == ["geom/second"]
    geom = next(geom for geom in read(changed).body("upper").geoms if geom.name == "second")
    assert geom.pose.pos == (0.0, 0.5, 0.0)


def test_a_geom_that_was_taken_out_is_gone(robot: Path):
    def take_out(document: dict[str, Any]) -> None:
        index = document["nodes"].index(by_name(document, "second"))
        by_name(document, "upper")["children"].remove(index)

    changed = edit(robot, take_out)
    assert noted(changed) == {"geom/second": "the node of the geom was taken out"}
    assert [geom.name for geom in read(changed).body("upper").geoms if geom.role == "visual"] == ["upper_visual_0"]


def test_triangles_that_were_changed_replace_the_shape(robot: Path):
    def squeeze(document: dict[str, Any]) -> None:
        mesh = document["meshes"][by_name(document, "second")["mesh"]]
        sphere = document["meshes"][by_name(document, "upper_collision_0")["mesh"]]
        mesh["primitives"][0] |= {key: sphere["primitives"][0][key] for key in ("attributes", "indices")}

    changed = edit(robot, squeeze)
    assert "geom/second" in noted(changed)
    geom = next(geom for geom in read(changed).body("upper").geoms if geom.name == "second")
    assert isinstance(geom.shape, Mesh)
    assert geom.shape.scale == (0.1, 0.1, 0.3)


def test_a_mesh_that_was_added_is_a_visual(robot: Path):
    def add(document: dict[str, Any]) -> None:
        document["nodes"].append({"name": "hat", "mesh": 0, "translation": [0, 0, 1]})
        by_name(document, "upper").setdefault("children", []).append(len(document["nodes"]) - 1)

    changed = edit(robot, add)
    assert list(noted(changed)) == ["geom/hat"]
    geom = read(changed).body("upper").geoms[-1]
    assert (geom.name, geom.role, geom.pose.pos) == ("hat", "visual", (0.0, 0.0, 1.0))


def test_a_colour_that_was_changed_counts(robot: Path):
    def paint(document: dict[str, Any]) -> None:
        material = next(each for each in document["materials"] if each["name"] == "glass")
        material["pbrMetallicRoughness"]["baseColorFactor"] = [1.0, 0.0, 0.0, 1.0]

    changed = edit(robot, paint)
    assert list(noted(changed)) == ["material/glass"]
    assert read(changed).materials["glass"].rgba == (1.0, 0.0, 0.0, 1.0)


def test_an_edit_does_not_hide_another_one(robot: Path):
    def change(document: dict[str, Any]) -> None:
        by_name(document, "finger")["translation"][2] += 0.25
        by_name(document, "upper")["weight"] = "3 kg"

    changed = edit(robot, change)
    number = parts(changed)[0]["nodes"].index(by_name(parts(changed)[0], "upper"))
    report = convert(changed, changed.with_name("noted.urdf"))
    notes = {finding.where: finding.before for finding in of_rule(report, "gltf/edited")}
    assert set(notes) == {"joint/grip", "scene"}
    assert notes["scene"] == f"nodes/{number}"


def test_every_single_change_of_a_member_is_seen(robot: Path):
    """Changes each number, string and boolean of the document in turn: all are detected."""
    original, _ = parts(robot)
    silent = []
    for path in places(original):
        if path[-1] == "kinegraph":
            continue

        def change(document: dict[str, Any], path: tuple[Any, ...] = path) -> None:
            holder: Any = document
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = other(holder[path[-1]])

        try:
            if not noted(edit(robot, change), ("gltf/edited", "gltf/saved")):
                silent.append(path)
        except InputError:
            pass
    assert silent == []


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in places(item, (*path, key))]
    if isinstance(value, list):
        return [found for index, item in enumerate(value) for found in places(item, (*path, index))]
    return [path]


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return f"{value}x" if isinstance(value, str) else value + 1


def test_bytes_of_the_buffer_that_were_changed_are_seen(robot: Path):
    data = bytearray(robot.read_bytes())
    length = struct.unpack_from("<I", data, 12)[0]
    start = 20 + length + 8
    positions = np.frombuffer(bytes(data[start : start + 12]), dtype="<f4") + 1
    data[start : start + 12] = positions.astype("<f4").tobytes()
    changed = saved(robot.with_name("bytes.glb"), data)
    assert noted(changed) != {}


def test_a_file_whose_digests_are_of_another_form_is_read_and_told(robot: Path):
    def age(document: dict[str, Any]) -> None:
        for holder in (document["scenes"][0], document["nodes"][document["scenes"][0]["nodes"][0]]):
            inside = json.loads(holder["extras"]["kinegraph"])
            del inside["form"], inside["sum"]
            inside["digests"] = {name: text[::-1] for name, text in inside["digests"].items()}
            holder["extras"]["kinegraph"] = json.dumps(inside)

    old = load(edit(robot, age))
    assert [*differences(read(robot), old.scene)] == []
    assert [note.rule for note in old.context.notes] == ["gltf/saved"]


def test_a_damaged_graph_is_refused_with_advice(robot: Path):
    def damage(document: dict[str, Any]) -> None:
        for holder in (document["scenes"][0], document["nodes"][0]):
            holder["extras"]["kinegraph"] = holder["extras"]["kinegraph"][:500]

    with pytest.raises(InputError, match="take it out"):
        read(edit(robot, damage))


@pytest.mark.parametrize(
    ("section", "old", "new", "told"),
    [
        ("nodes", '"shoulder"', '"elbow"', "nodes"),
        ("scenes", '"shoulder"', '"elbow"', "nodes"),  # the first one counts
        ("nodes", '"graph"', "", "nodes"),
        ("scenes", '"graph"', "", "scenes"),  # where it can be used
    ],
)
def test_a_copy_of_the_graph_that_was_changed_alone_is_told(robot: Path, section: str, old: str, new: str, told: str):
    def change(document: dict[str, Any]) -> None:
        extras = document[section][0]["extras"]
        extras["kinegraph"] = extras["kinegraph"].replace(old, new)

    notes = load(edit(robot, change)).context.notes
    found = [note for note in notes if note.reason.startswith("a copy of the graph")]
    assert {(note.action, note.source and note.source.path) for note in found} == {
        ("dropped", f"/{told}/0/extras/kinegraph")
    }


IMPOSSIBLE: dict[str, tuple[str, str, str]] = {
    "digits": ('"shoulder":[0.0]', '"shoulder":[1' + "0" * 400 + "]", "OverflowError"),
    "turn": ('"rot":[0.8', '"rot":[1.8', "no rotation"),
    "axis": ('"axis":[0.0,1.0,0.0]', '"axis":[0.0,1.0,1e308]', "not 1"),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_graph_with_numbers_that_cannot_be_is_refused_with_advice(robot: Path, what: str):
    old, new, reason = IMPOSSIBLE[what]

    def damage(document: dict[str, Any]) -> None:
        for holder in (document["scenes"][0], document["nodes"][0]):
            assert old in holder["extras"]["kinegraph"]
            holder["extras"]["kinegraph"] = holder["extras"]["kinegraph"].replace(old, new)

    with pytest.raises(InputError, match=f"{reason}.*take it out"):
        read(edit(robot, damage))


@pytest.mark.parametrize("top", [False, True])
def test_a_mesh_that_was_added_goes_into_every_format(robot: Path, top: bool):
    """With its own arrays, as modelling programs add it."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.uint32)
    document, rest = parts(robot)
    data = rest[8:] + corners.tobytes() + faces.tobytes()
    start = len(rest) - 8
    views, accessors = document["bufferViews"], document["accessors"]
    views += [
        {"buffer": 0, "byteOffset": start, "byteLength": 48},
        {"buffer": 0, "byteOffset": start + 48, "byteLength": 48},
    ]
    box = {"min": [0, 0, 0], "max": [1, 1, 1]}
    accessors += [
        {"bufferView": len(views) - 2, "componentType": 5126, "count": 4, "type": "VEC3", **box},
        {"bufferView": len(views) - 1, "componentType": 5125, "count": 12, "type": "SCALAR"},
    ]
    primitive = {"attributes": {"POSITION": len(accessors) - 2}, "indices": len(accessors) - 1}
    document["meshes"].append({"name": "part", "primitives": [primitive]})
    document["nodes"].append({"name": "bracket", "mesh": len(document["meshes"]) - 1, "translation": [0, 0, 0.5]})
    document["buffers"][0]["byteLength"] = len(data)
    above = document["nodes"][document["scenes"][0]["nodes"][0]] if top else by_name(document, "upper")
    above.setdefault("children", []).append(len(document["nodes"]) - 1)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    target = robot.with_name("added.glb")
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
    target.write_bytes(head + text + struct.pack("<II", len(data), 0x004E4942) + data)

    body = "base" if top else "upper"
    assert list(noted(target)) == ["geom/bracket"]
    reports = {suffix: convert(target, target.with_name(f"out{suffix}")) for suffix in (".urdf", ".xml", ".glb")}
    for report in reports.values():
        assert not any(each.rule == "assets/missing" or each.action == "unexplained" for each in report.findings)
    model = mujoco_model(target.with_name("out.xml"))
    geom = model.geom("bracket")
    assert model.body(geom.bodyid[0]).name == body
    assert model.mesh_facenum[geom.dataid[0]] == 4
    assert pin.buildModelFromUrdf(str(target.with_name("out.urdf"))).nq == model.nq
    shown = pin.buildGeomFromUrdf(
        pin.buildModelFromUrdf(str(target.with_name("out.urdf"))),
        str(target.with_name("out.urdf")),
        pin.GeometryType.VISUAL,
        package_dirs=[str(target.parent)],
    )
    assert any(each.meshPath.endswith("part.obj") for each in shown.geometryObjects)
    target.unlink()  # what is written stands by itself
    again = read(target.with_name("out.glb"))
    found = next(each for each in again.body(body).geoms if each.name == "bracket")
    assert isinstance(found.shape, Mesh)
    assert sum(len(part.faces) for part in inside.mesh(again.assets[found.shape.asset]).parts) == 4


def test_a_node_that_was_renamed_is_told_with_both_names(robot: Path):
    def rename(document: dict[str, Any]) -> None:
        by_name(document, "upper")["name"] = "Upper.001"

    report = convert(edit(robot, rename), robot.with_name("noted.urdf"))
    (told,) = of_rule(report, "gltf/edited")
    assert (told.where, told.before, told.after, told.action) == ("body/Upper.001", "upper", "Upper.001", "derived")

    def reweigh(document: dict[str, Any]) -> None:
        rename(document)
        by_name(document, "Upper.001")["weight"] = "9 kg"

    assert list(noted(edit(robot, reweigh))) == ["body/Upper.001", "scene"]


WELDED = """<robot name="r"><link name="a"/>
<link name="b"><visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="c"/>
<joint name="held" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="turned" type="continuous"><parent link="a"/><child link="c"/></joint></robot>
"""


def test_a_joint_that_only_the_graph_inside_names_is_told(tmp_path: Path):
    source, written = tmp_path / "r.urdf", tmp_path / "r.glb"
    source.write_text(WELDED)
    report = convert(source, written)
    (told,) = of_rule(report, "gltf/joint-name")
    assert (told.where, told.before, told.action) == ("joint/held.name", "held", "carried")
    assert [place.path for place in told.sources] == ["/robot/joint[1]"]
    names = {each.name for each in pygltflib.GLTF2().load(str(written)).nodes or ()}
    assert "turned/child" in names and not any("held" in str(name) for name in names)
    comes_back(source, written)


@pytest.mark.filterwarnings("error")
def test_a_geom_that_somebody_moved_out_of_all_reach_is_told_at_the_source(robot: Path):
    """Also without numpy warnings. A URDF may contain it; other formats refuse it, naming the source as the place."""

    def move(document: dict[str, Any]) -> None:
        next(node for node in document["nodes"] if "mesh" in node)["translation"] = [1e300, 0, 0]

    source = edit(robot, move)
    report = convert(source, source.with_name("moved.urdf"))
    assert "gltf/edited" in {each.rule for each in report.findings}
    for name, title in (("moved.sdf", "SDFormat"), ("moved.xml", "MJCF")):
        with pytest.raises(InputError, match=rf"edited\.glb:1: {title} .*cannot hold this model; .*(too large|above)"):
            convert(source, source.with_name(name))
        assert not source.with_name(name).exists()
