"""GLBs that other programs opened and saved, with their own software, and GLBs in which a number was changed."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converters import convert
from converters.convert import load
from ir.diff import differences
from tests.conftest import MADE
from tests.corpus.saves_checks import TOOLS
from tests.oracles.in_mujoco import drawn
from tests.oracles.in_three import three_saves
from tests.oracles.plain_gltf import plain_gltf

PHYSICS = "KHR_physics_rigid_bodies"
Change = Callable[[dict[str, Any], bytearray], None]


def told(path: Path) -> list[tuple[str, str, str]]:
    """Return place, action and previous value of each edit."""
    notes = load(path).context.notes
    return [(note.where, note.action, note.before) for note in notes if note.rule == "gltf/edited"]


def changed(path: Path, change: Change) -> Path:
    """Write the GLB with a changed document or changed bytes."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, rest = json.loads(data[20 : 20 + length]), bytearray(data[20 + length :])
    change(document, rest)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    target = path.with_name("changed.glb")
    target.write_bytes(head + text + rest)
    return target


def start(document: dict[str, Any], name: str) -> int:
    """Return where the values of an attribute of the first mesh start, after the header of the binary chunk."""
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"][name]]
    view = document["bufferViews"][accessor["bufferView"]]
    return 8 + int(view.get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))


def corner(document: dict[str, Any], rest: bytearray) -> None:
    struct.pack_into("<f", rest, start(document, "POSITION"), 0.5)


def normal(document: dict[str, Any], rest: bytearray) -> None:
    rest[start(document, "NORMAL") + 1] ^= 0x10


def colour(document: dict[str, Any], _: bytearray) -> None:
    document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0.3, 0.1, 0.7, 1.0]


def limit(document: dict[str, Any], _: bytearray) -> None:
    joints = document["extensions"][PHYSICS]["physicsJoints"]
    next(each for joint in joints for each in joint["limits"] if each.get("max"))["max"] += 0.05


def moments(document: dict[str, Any], _: bytearray) -> None:
    motions = [node.get("extensions", {}).get(PHYSICS, {}).get("motion", {}) for node in document["nodes"]]
    next(each for each in motions if "inertiaDiagonal" in each)["inertiaDiagonal"][0] *= 1.01


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (corner, "feature_wheeled.urdf"),
        (normal, "feature_wheeled.urdf"),
        (colour, "feature_wheeled.urdf"),
        (moments, "feature_wheeled.urdf"),
        (limit, "feature_joint_types.urdf"),
    ],
)
def test_what_was_changed_is_told(tmp_path: Path, change: Change, name: str) -> None:
    convert(MADE / name, tmp_path / "robot.glb")
    assert told(changed(tmp_path / "robot.glb", change))


def test_numbers_and_items_that_cannot_be_are_told_and_not_followed(tmp_path: Path) -> None:
    def odd(document: dict[str, Any], _: bytearray) -> None:
        document["extensionsUsed"].append("X_any")
        document["materials"][0]["extensions"] = {"X_any": {"large": 10**400, "index": -3, "source": [True, None]}}

    convert(MADE / "feature_wheeled.urdf", tmp_path / "robot.glb")
    assert any("materials/0" in before for _, _, before in told(changed(tmp_path / "robot.glb", odd)))


@pytest.mark.parametrize("scenes", [True, False])
@pytest.mark.parametrize("name", ["feature_wheeled.urdf", "feature_shapes.urdf", "feature_mjcf_pendulum.xml"])
def test_what_three_js_saves_is_the_same_robot(tmp_path: Path, name: str, scenes: bool) -> None:
    """GLTFLoader and GLTFExporter: more nodes around the scene, no physics, and, with one scene, no collisions."""
    robot, saved = tmp_path / "robot.glb", tmp_path / "saved.glb"
    convert(MADE / name, robot)
    three_saves(robot, saved, scenes=scenes)
    assert [*differences(load(robot).scene, load(saved).scene)] == []
    suffix = Path(name).suffix
    for path in (robot, saved):
        convert(path, path.with_suffix(suffix))
    assert saved.with_suffix(suffix).read_bytes() == robot.with_suffix(suffix).read_bytes()


def findings(path: Path, target: str) -> dict[str, set[str]]:
    """Return rule -> places for the findings of converting a saved file."""
    told: dict[str, set[str]] = {}
    for each in convert(path, path.with_name(target)).findings:
        told.setdefault(each.rule, set()).add(each.where)
    return told


@pytest.mark.parametrize("name", ["feature_wheeled.urdf", "feature_sdf_materials.sdf", "feature_mjcf_actuators.xml"])
def test_a_save_that_changes_nothing_tells_of_no_edit(tmp_path: Path, name: str) -> None:
    """gltf-transform rewrites all views, writes defaults explicitly and drops the physics, which it does not know."""
    robot, saved = tmp_path / "robot.glb", tmp_path / "saved.glb"
    convert(MADE / name, robot)
    TOOLS["copied"](robot, saved)
    before, after = findings(robot, "a.urdf"), findings(saved, "b.urdf")
    assert after.pop("gltf/saved") == {"scene"}
    assert after == before
    notes = [note for note in load(saved).context.notes if note.rule == "gltf/saved"]
    assert any("glTF-Transform" in note.reason for note in notes)
    assert [note.before for note in notes].count(PHYSICS) == 1


def test_what_was_changed_in_a_file_that_was_laid_out_anew_is_told_alone(tmp_path: Path) -> None:
    robot, saved = tmp_path / "robot.glb", tmp_path / "saved.glb"
    convert(MADE / "feature_wheeled.urdf", robot)
    TOOLS["copied"](robot, saved)
    for change, where in ((colour, "material/blue"), (strange, "scene")):
        assert {place for place, _, _ in told(changed(saved, change))} == {where}
    notes = [note for note in load(changed(saved, strange)).context.notes if note.rule == "gltf/edited"]
    assert [(note.before, note.source and note.source.path) for note in notes] == [("meshes/1", "/meshes/1")]


def strange(document: dict[str, Any], _: bytearray) -> None:
    document["meshes"][1]["extras"] = {"mine": 1}


# -------------------------------------------------------------------------------------------- the model as a whole


def placed(document: dict[str, Any], **transform: list[float]) -> None:
    document["nodes"][document["scenes"][0]["nodes"][0]] |= transform


def shifted(document: dict[str, Any], _: bytearray) -> None:
    placed(document, translation=[1.0, 2.0, 3.0])


def turned(document: dict[str, Any], _: bytearray) -> None:
    placed(document, rotation=[-0.5, -0.5, -0.5, 0.5])


def held(document: dict[str, Any], _: bytearray) -> None:
    (root,) = document["scenes"][0]["nodes"]
    document["nodes"].append({"name": "table", "translation": [1.0, 2.0, 3.0], "children": [root]})
    document["scenes"][0]["nodes"] = [len(document["nodes"]) - 1]


@pytest.mark.parametrize("change", [shifted, turned, held])
def test_a_model_that_was_put_elsewhere_stands_there_and_that_is_told_once(tmp_path: Path, change: Change) -> None:
    """Bodies in MuJoCo have the poses of the nodes."""
    convert(MADE / "feature_mjcf_pendulum.xml", tmp_path / "robot.glb")
    path = changed(tmp_path / "robot.glb", change)
    assert [(where, action) for where, action, _ in told(path)] == [("joint/swing", "derived")]
    convert(path, tmp_path / "back.xml")
    model, data = drawn(tmp_path / "back.xml")
    nodes = [(node, at) for node, at in plain_gltf(path).nodes() if node["name"] == "arm"]
    for node, at in nodes:
        number = model.body(node["name"]).id
        assert data.xpos[number] == pytest.approx(at[:3, 3], abs=1e-6)
        assert data.xmat[number] == pytest.approx(at[:3, :3].ravel(), abs=1e-6)
    assert nodes


@pytest.mark.parametrize("change", [shifted, turned, held])
def test_a_root_of_which_nothing_says_how_it_stands_stays_and_that_is_told(tmp_path: Path, change: Change) -> None:
    convert(MADE / "feature_wheeled.urdf", tmp_path / "robot.glb")
    path = changed(tmp_path / "robot.glb", change)
    assert [(where, action) for where, action, _ in told(path)] == [("body/base_link", "dropped")]
    for source in (tmp_path / "robot.glb", path):
        convert(source, source.with_suffix(".urdf"))
    assert path.with_suffix(".urdf").read_bytes() == (tmp_path / "robot.urdf").read_bytes()
