"""GLBs in which a program has reordered items and renumbered all references to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from converters import convert
from converters.context import InputError
from converters.convert import load
from ir.diff import differences
from tests.files import saved
from tests.formats.test_gltf_saved import Change, changed, told
from tests.oracles.plain_gltf import plain_gltf

PHYSICS, SHAPES, LIGHTS = "KHR_physics_rigid_bodies", "KHR_implicit_shapes", "KHR_lights_punctual"
ROBOT = """<mujoco model="rich"><compiler angle="radian"/>
 <asset>
  <texture name="checks" type="2d" builtin="checker" width="16" height="16" rgb1="1 0 0" rgb2="0 1 0"/>
  <texture name="shades" type="2d" builtin="gradient" width="16" height="16" rgb1="1 0 0" rgb2="0 0 1"/>
  <material name="tiles" texture="checks" texrepeat="2 3"/><material name="glass" rgba=".2 .4 .6 .5"/>
  <material name="lamp" texture="shades" emission=".3"/>
 </asset>
 <worldbody>
  <light name="sun" dir="0 0 -1" type="directional"/><light name="spot" pos="1 0 3" dir="0 0 -1" cutoff="30"/>
  <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/><camera name="near" pos="0 -1 1" fovy="30"/>
  <body name="a" pos="0 0 1"><joint name="turn" axis="0 1 0" range="-1 1" damping=".5"/>
   <geom name="ga" type="box" size=".1 .2 .3" material="tiles" friction=".3"/>
   <body name="b" pos="0 0 .5">
    <inertial pos="0 0 0" mass="2" diaginertia=".1 .1 .1"/>
    <joint name="slide" type="slide" axis="1 0 0" range="-.2 .4"/>
    <geom name="gb" type="capsule" size=".05 .2" material="glass" friction=".7" contype="2" conaffinity="1"/>
    <body name="c" pos="0 0 .5">
     <inertial pos="0 0 0" mass="1" diaginertia=".2 .2 .2"/>
     <joint name="ball" type="ball" range="0 .7"/>
     <geom name="gc" type="sphere" size=".1" material="lamp"/></body></body></body>
 </worldbody>
</mujoco>"""
TABLES: Mapping[str, Sequence[str]] = {
    "nodes": ["nodes", "children", "node", "connectedNode"],
    "meshes": ["mesh"],
    "materials": ["material"],
    "textures": ["index"],
    "images": ["source"],
    "accessors": ["indices", "input", "output"],
    "bufferViews": ["bufferView"],
    "cameras": ["camera"],
    "scenes": ["scene"],
    f"{LIGHTS}/lights": ["light"],
    f"{SHAPES}/shapes": ["shape"],
    f"{PHYSICS}/physicsMaterials": ["physicsMaterial"],
    f"{PHYSICS}/collisionFilters": ["collisionFilter"],
    f"{PHYSICS}/physicsJoints": ["joint"],
}
"""Tables of a document, and the names of the members that contain indices of their items."""


def items(document: dict[str, Any], table: str) -> list[Any]:
    """Return the items of a table of the document, or of one of its extensions."""
    name, _, key = table.partition("/")
    found: list[Any] = document["extensions"][name][key] if key else document[name]
    return found


def turned(document: dict[str, Any], table: str) -> None:
    """Reverse the items of a table, and renumber all references."""
    every = items(document, table)
    every.reverse()
    last = len(every) - 1

    def anew(value: Any) -> Any:
        return [anew(each) for each in value] if isinstance(value, list) else last - value

    def walk(value: Any) -> None:
        for key, each in [*value.items()] if isinstance(value, dict) else enumerate(value):
            attributes = key == "attributes" and table == "accessors"
            if attributes:
                value[key] = {name: anew(number) for name, number in each.items()}
            elif key in TABLES[table] and type(each[0] if isinstance(each, list) and each else each) is int:
                value[key] = anew(each)
            elif isinstance(each, (dict, list)) and key != "extras":
                walk(each)

    walk(document)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    convert(saved(tmp_path / "robot.xml", ROBOT), tmp_path / "robot.glb")
    return tmp_path / "robot.glb"


@pytest.mark.parametrize("tables", [*([each] for each in TABLES), [*TABLES]], ids=lambda each: each[0])
def test_items_with_other_numbers_are_no_edit(robot: Path, tables: Sequence[str]) -> None:
    def change(document: dict[str, Any], _: bytearray) -> None:
        for table in tables:
            assert len(items(document, table)) > 1
            turned(document, table)

    path = changed(robot, change)
    assert told(path) == []
    assert [*differences(load(robot).scene, load(path).scene)] == []


def node(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in document["nodes"] if each["name"] == name)
    return found


def moved(document: dict[str, Any]) -> None:
    node(document, "b")["translation"] = [0.0, 0.25, 0.5]


def painted(document: dict[str, Any]) -> None:
    paint = next(each for each in document["materials"] if each["name"] == "glass")
    paint["pbrMetallicRoughness"]["baseColorFactor"] = [1.0, 0.0, 0.0, 0.5]


def bounded(document: dict[str, Any]) -> None:
    joints = document["extensions"][PHYSICS]["physicsJoints"]
    next(each for joint in joints for each in joint["limits"] if each.get("max") == 0.4)["max"] = 0.3


def shaped(document: dict[str, Any]) -> None:
    (shape,) = [each for each in document["extensions"][SHAPES]["shapes"] if each["type"] == "sphere"]
    shape["sphere"]["radius"] = 0.2
    node(document, "gc/collider")["translation"] = [0.0, 0.0, 0.1]


def dimmed(document: dict[str, Any]) -> None:
    lights = document["extensions"][LIGHTS]["lights"]
    next(each for each in lights if each["name"] == "spot")["color"] = [0.5, 0.25, 0.125]


def called(document: dict[str, Any]) -> None:
    node(document, "b")["name"] = "forearm"


@pytest.mark.parametrize("edit", [moved, painted, bounded, shaped, dimmed, called])
def test_an_edit_is_told_alike_whatever_the_numbers_are(robot: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    def alone(document: dict[str, Any], _: bytearray) -> None:
        edit(document)

    def both(document: dict[str, Any], _: bytearray) -> None:
        for table in TABLES:
            turned(document, table)
        edit(document)

    found = [(told(path), load(path).scene) for change in (alone, both) for path in [changed(robot, change)]]
    assert found[0][0] and sorted(found[0][0]) == sorted(found[1][0])
    assert "scene" not in {where for where, _, _ in found[0][0]}
    assert [*differences(found[0][1], found[1][1])] == []


@pytest.mark.parametrize("table", [each for each in TABLES if each not in ("bufferViews", "scenes")])
def test_items_that_change_places_while_nothing_follows_are_told(robot: Path, table: str) -> None:
    def change(document: dict[str, Any], _: bytearray) -> None:
        every = items(document, table)
        first = next(number for number, each in enumerate(every) if each != every[-1])
        every[first], every[-1] = every[-1], every[first]

    def exchanged(change: Change) -> Sequence[tuple[str, str, str]]:
        try:
            return told(changed(robot, change))
        except InputError as error:  # a tree that contradicts itself, or triangles out of place
            return [("refused", str(error), "")]

    assert exchanged(change)


def test_what_two_nodes_say_and_exchange_is_told(robot: Path) -> None:
    """Each of these values occurs in the document as often as before."""

    def masses(document: dict[str, Any], _: bytearray) -> None:
        first, second = (node(document, name)["extensions"][PHYSICS] for name in "bc")
        first["motion"], second["motion"] = second["motion"], first["motion"]

    def names(document: dict[str, Any], _: bytearray) -> None:
        first, second = (node(document, name) for name in "bc")
        first["name"], second["name"] = second["name"], first["name"]

    def children(document: dict[str, Any], _: bytearray) -> None:
        first, second = (node(document, name) for name in "ac")
        last = [number for number in first["children"] if document["nodes"][number]["name"] == "ga"]
        own = [number for number in second["children"] if document["nodes"][number]["name"] == "gc"]
        first["children"] = [number for number in first["children"] if number not in last] + own
        second["children"] = [number for number in second["children"] if number not in own] + last

    where = [{place for place, _, _ in told(changed(robot, change))} for change in (masses, names, children)]
    assert where == [{"body/b.inertial", "body/c.inertial"}, {"body/b", "body/c"}, {"geom/ga", "geom/gc"}]


@pytest.mark.parametrize(("members", "named"), [(200, "mine"), (201, "")])
def test_of_a_table_with_more_members_than_any_of_ours_items_are_told_whole(
    robot: Path, members: int, named: str
) -> None:
    """Each member of a table costs time for each changed item."""

    def change(document: dict[str, Any], _: bytearray) -> None:
        for item in (document["scenes"][0], document["nodes"][document["scenes"][0]["nodes"][0]]):
            inside = json.loads(item["extras"]["kinegraph"])
            there = sum(each.startswith("nodes/") for each in inside["members"])
            silent = " ".join("-" for _ in document["nodes"])
            inside["members"] |= {f"nodes/x{number}": silent for number in range(members - there)}
            item["extras"]["kinegraph"] = json.dumps(inside)
        node(document, "b")["mine"] = 1
        moved(document)

    path = changed(robot, change)
    (number,) = [number for number, each in enumerate(plain_gltf(path).document["nodes"]) if each["name"] == "b"][:1]
    rest = [before for where, _, before in told(path) if where == "scene"]
    assert rest == ["/".join(["nodes", str(number), named]).rstrip("/")]
