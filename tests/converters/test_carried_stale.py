"""How the report describes carried data that is no longer used."""

from __future__ import annotations

import json

import pytest

from converters.carried.stale import describe_stale
from ir.scene import Address, Scene
from ir.types import Body

EXTRA = {"format": "urdf", "path": "spring[1]", "text": "<spring/>"}
CARRIED = {
    "block/own": [
        {"name": "own", "dialect": "gazebo", "extras": [{"format": "urdf", "path": "", "text": "<gazebo/>"}]}
    ],
    "body/a": [{"name": "a", "extras": [EXTRA]}],
    "body/b": {"extras": [[EXTRA]], "inertial": {"mass": [2.5, "1a2b"]}},
    "body/gone": [None, "1a2b3c4d"],
    "material/red": [{"name": "red", "rgba": [1, 0, 0, 1]}],
}


@pytest.mark.parametrize(
    ("place", "key", "before", "action"),
    [
        (("block/own",), "block/own", "<gazebo/>", "dropped"),
        (("body/a",), "body/a", json.dumps(CARRIED["body/a"][0], separators=(",", ":")), "dropped"),
        (("body/a", "extras", "spring[1]"), "body/a", "<spring/>", "dropped"),
        (("body/b", "extras", "spring[1]"), "body/b", "<spring/>", "dropped"),
        (("body/b", "inertial", "mass"), "body/b", 2.5, "dropped"),
        (("body/gone",), "body/gone", None, "repaired"),
        (("material/red",), "material/red", '{"name":"red","rgba":[1,0,0,1]}', "dropped"),
        (("material/red", "rgba"), "material/red", "[1,0,0,1]", "dropped"),
        (("material/blue",), "", None, "repaired"),
    ],
)
def test_it_is_told_as_its_author_wrote_it(place: Address, key: str, before: object, action: str) -> None:
    scene = Scene("s")
    scene.add_body(Body(name="b"))
    carried = {name: json.dumps(patch) for name, patch in CARRIED.items()}
    assert [*describe_stale([place, place], carried, scene)] == [(".".join(place), key, before, action)]


def test_what_has_something_in_its_place_is_not_gone() -> None:
    scene = Scene("s")
    scene.add_body(Body(name="a"))
    assert [action for *_, action in describe_stale([("body/a",)], {"body/a": '[{"name":"a"}]'}, scene)] == ["repaired"]
