"""Collision filters that others change in a document of ours arrive as what MuJoCo lets touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import pytest
from lxml import etree

from converters.context import InputError
from converters.convert import convert
from tests.formats.gltf_arm import BODIES, back, by_name, edited, told

SCENE = """<mujoco model="balls"><worldbody><geom name="floor" type="plane" size="1 1 1" contype="2" conaffinity="1"/>
<body name="a"><freejoint/><geom name="ga" type="sphere" size=".1"/></body>
<body name="b" pos="1 0 0"><freejoint/><geom name="gb" type="sphere" size=".1"/></body>
<body name="c" pos="2 0 0"><freejoint/><geom name="gc" type="sphere" size=".1" contype="2" conaffinity="2"/></body>
</worldbody><contact><exclude body1="a" body2="b"/></contact></mujoco>"""
FLOOR = {"floor ga", "floor gb", "floor gc"}
ROBOT = """<robot name="r"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="hand"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint></robot>"""
Document = dict[str, Any]


@pytest.fixture
def balls(tmp_path: Path) -> Path:
    (tmp_path / "balls.xml").write_text(SCENE)
    convert(tmp_path / "balls.xml", tmp_path / "balls.gltf")
    return tmp_path / "balls.gltf"


def collider(document: Document, geom: str) -> dict[str, Any]:
    found: dict[str, Any] = by_name(document, f"{geom}/collider")["extensions"][BODIES]["collider"]
    return found


def entry(document: Document, geom: str) -> dict[str, Any]:
    found: dict[str, Any] = document["extensions"][BODIES]["collisionFilters"][
        collider(document, geom)["collisionFilter"]
    ]
    return found


def touching(model: mujoco.MjModel) -> set[str]:
    """Pairs of geoms that may touch by the rules of MuJoCo (Computation, Selection)."""
    apart = {frozenset((int(each) >> 16, int(each) & 0xFFFF)) for each in model.exclude_signature}
    found = set()
    for one in range(model.ngeom):
        for two in range(one + 1, model.ngeom):
            bodies = frozenset((int(model.geom_bodyid[one]), int(model.geom_bodyid[two])))
            masks = model.geom_contype[one] & model.geom_conaffinity[two]
            masks |= model.geom_contype[two] & model.geom_conaffinity[one]
            if masks and len(bodies) == 2 and bodies not in apart:
                found.add(f"{model.geom(one).name} {model.geom(two).name}")
    return found


def nothing(document: Document) -> None:
    entry(document, "gc")["collideWithSystems"] = []


def together(document: Document) -> None:
    for one, other in (("ga", "gb"), ("gb", "ga")):
        entry(document, one)["collideWithSystems"] += entry(document, other)["collisionSystems"]


def another(document: Document) -> None:
    collider(document, "gc")["collisionFilter"] = collider(document, "ga")["collisionFilter"]


def none(document: Document) -> None:
    del collider(document, "gc")["collisionFilter"]


def fresh(document: Document) -> None:
    """A filter in words that nobody knows, which lets touch what does not refuse them."""
    filters = document["extensions"][BODIES]["collisionFilters"]
    filters.append({"collisionSystems": ["mine"], "notCollideWithSystems": entry(document, "gb")["collisionSystems"]})
    entry(document, "ga")["collideWithSystems"].append("mine")
    collider(document, "gc")["collisionFilter"] = len(filters) - 1


@pytest.mark.parametrize(
    ("change", "expected", "where"),
    [
        (nothing, FLOOR - {"floor gc"}, {"geom/gc"}),
        (together, FLOOR | {"ga gb"}, {"contact/exclude_a_b"}),
        (another, FLOOR | {"ga gc"}, {"geom/gc", "contact/exclude_b_c"}),
        (none, FLOOR | {"ga gc", "gb gc"}, {"geom/gc"}),
        (fresh, FLOOR - {"floor gc"} | {"ga gc"}, {"geom/ga", "geom/gc"}),
    ],
)
def test_what_filters_let_touch_may_touch(
    balls: Path, change: Callable[[Document], None], expected: set[str], where: set[str]
):
    found = told(edited(balls, change), balls.with_name("back.xml"))
    assert touching(back(balls.with_name("back.xml"))) == expected
    assert set(found) == where
    told(edited(balls, change), balls.with_name("again.gltf"))
    convert(balls.with_name("again.gltf"), balls.with_name("again.xml"))
    assert touching(back(balls.with_name("again.xml"))) == expected


def test_two_links_of_a_robot_that_may_not_touch_are_a_pair_of_its_semantics(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(ROBOT)
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf")

    def change(document: Document) -> None:
        filters = [{"collisionSystems": [name], "notCollideWithSystems": ["base", "hand"]} for name in ("base", "hand")]
        document["extensions"][BODIES]["collisionFilters"] = filters
        for number, name in enumerate(("base", "hand")):
            collider(document, f"{name}_collision_0")["collisionFilter"] = number

    assert "contact/exclude_base_hand" in told(edited(tmp_path / "r.gltf", change), tmp_path / "back.urdf")
    (pair,) = etree.parse(tmp_path / "back.srdf").getroot().findall("disable_collisions")
    assert {pair.get("link1"), pair.get("link2")} == {"base", "hand"}


def test_a_filter_that_only_one_side_has_changed_lets_nothing_touch(balls: Path):
    def change(document: Document) -> None:
        entry(document, "ga")["collideWithSystems"] += entry(document, "gb")["collisionSystems"]

    assert set(told(edited(balls, change), balls.with_name("back.xml"))) == {"scene"}
    assert touching(back(balls.with_name("back.xml"))) == FLOOR


def test_systems_that_are_no_words_are_refused(balls: Path):
    def change(document: Document) -> None:
        entry(document, "ga").update(collideWithSystems="all")

    with pytest.raises(InputError, match=r"/collisionFilters/\d+/collideWithSystems must be an array of strings"):
        convert(edited(balls, change), balls.with_name("back.xml"))
