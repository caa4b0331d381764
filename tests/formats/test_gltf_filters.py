"""Collision filters that others change in a document of Kinegraph have the same effect in MuJoCo."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import pytest
from lxml import etree

from converters.context import InputError
from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_arm import BODIES, SHAPES, back, by_name, edited, told
from tests.formats.gltf_made import Made
from tests.oracles.in_mujoco import drawn, touching as meeting
from tests.reports import explained

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
    convert(saved(tmp_path / "balls.xml", SCENE), tmp_path / "balls.gltf")
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
    """Return the pairs of geoms that may collide by the rules of MuJoCo (Computation, Selection)."""
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
    """Add a filter with unknown system names, which collides with everything that does not refuse them."""
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
    convert(saved(tmp_path / "r.urdf", ROBOT), tmp_path / "r.gltf")

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


def met(document: Document) -> set[str]:
    """Return the pairs of geoms whose filters both allow the collision, by the text of the extension."""
    names = [each["name"].removesuffix("/collider") for each in document["nodes"] if each["name"].endswith("/collider")]
    rules = {name: entry(document, name) for name in names}

    def lets(one: Document, other: Document) -> bool:
        systems = {*other["collisionSystems"]}
        if "notCollideWithSystems" in one:
            return not systems & {*one["notCollideWithSystems"]}
        return bool(systems & {*one["collideWithSystems"]})

    return {
        f"{one} {other}"
        for number, one in enumerate(names)
        for other in names[number + 1 :]
        if lets(rules[one], rules[other]) and lets(rules[other], rules[one])
    }


def test_filters_of_many_bodies_say_the_fewer(tmp_path: Path):
    """Forty links, each of which never touches the next, and a floor that all but every third touch."""
    many = "".join(
        f'<body name="b{n}" pos="{n} 0 0"><freejoint/><geom name="g{n}" type="sphere" size=".1" '
        f'contype="{1 if n % 3 else 2}" conaffinity="{1 if n % 3 else 2}"/></body>'
        for n in range(40)
    )
    pairs = "".join(f'<exclude body1="b{n}" body2="b{n + 1}"/>' for n in range(39))
    (tmp_path / "many.xml").write_text(
        f'<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>{many}</worldbody>'
        f"<contact>{pairs}</contact></mujoco>"
    )
    convert(tmp_path / "many.xml", tmp_path / "many.gltf")
    document = json.loads((tmp_path / "many.gltf").read_bytes())
    assert met(document) == touching(back(tmp_path / "many.xml"))
    filters = document["extensions"][BODIES]["collisionFilters"]
    assert {key for each in filters for key in each} > {"collideWithSystems", "notCollideWithSystems"}
    assert max(len(words) for each in filters for words in each.values()) <= len(filters) / 2

    def change(document: Document) -> None:
        for one, other in (("g4", "g5"), ("g5", "g4")):
            (word,) = entry(document, other)["collisionSystems"]
            entry(document, one)["notCollideWithSystems"].remove(word)

    assert set(told(edited(tmp_path / "many.gltf", change), tmp_path / "back.xml")) == {"contact/exclude_b4_b5"}
    assert touching(back(tmp_path / "back.xml")) == touching(back(tmp_path / "many.xml")) | {"g4 g5"}


SYSTEMS = ("a", "b", "c", "d")


def overlapping(filters: list[Document | None]) -> Made:
    """Return a foreign glTF with balls at one place: one for each filter; None for no filter."""
    entries = [each for each in filters if each is not None]
    tables = {BODIES: {"collisionFilters": entries}, SHAPES: {"shapes": [{"type": "sphere"}]}}
    made = Made(extensionsUsed=[BODIES, SHAPES], extensions=tables)
    for number, each in enumerate(filters):
        said: Document = {"geometry": {"shape": 0}} | ({} if each is None else {"collisionFilter": entries.index(each)})
        moves = {"mass": 1, "inertiaDiagonal": [1, 1, 1]}
        made.node(
            name=f"b{number}",
            translation=[number / 100, 0, 0],
            extensions={BODIES: {"motion": moves, "collider": said}},
        )
    made.scene(*range(len(filters)))
    return made


def let(one: Document | None, other: Document | None) -> bool:
    """By the text of the extension: a filter without systems is a member of all of them."""
    systems = set((other or {}).get("collisionSystems", SYSTEMS))
    if one is not None and "collideWithSystems" in one:
        return bool(systems & {*one["collideWithSystems"]})
    return not systems & {*(one or {}).get("notCollideWithSystems", ())}


def drawn_filters(seed: int) -> list[Document | None]:
    dice = random.Random(seed)

    def some() -> list[str]:
        return sorted(dice.sample(SYSTEMS, dice.randint(1, 2)))

    found: list[Document | None] = []
    for _ in range(dice.randint(2, 7)):
        entry: Document = {"collisionSystems": some()} if dice.random() < 0.8 else {}
        word = dice.choice(("collideWithSystems", "notCollideWithSystems", ""))
        entry |= {word: some()} if word else {}
        found.append(entry or None)
    return found


TWO: list[Document | None] = [{"collisionSystems": ["a"], "notCollideWithSystems": ["b"]}, {"collisionSystems": ["b"]}]


@pytest.mark.parametrize("filters", [TWO, [*TWO, None], *map(drawn_filters, range(20))])
def test_what_filters_of_others_keep_apart_does_not_touch(tmp_path: Path, filters: list[Document | None]):
    (tmp_path / "a.glb").write_bytes(overlapping(filters).glb())
    names = [f"b{number}" for number in range(len(filters))]
    expected = {
        frozenset((names[i], names[j]))
        for i, one in enumerate(filters)
        for j, other in enumerate(filters)
        if i < j and let(one, other) and let(other, one)
    }
    for source, target in (("a.glb", "a.xml"), ("a.glb", "b.glb"), ("b.glb", "b.xml"), ("a.glb", "a.sdf")):
        explained(convert(tmp_path / source, tmp_path / target))
    for name in ("a.xml", "b.xml"):
        _, data = drawn(tmp_path / name)
        assert meeting(data) == expected
    masks = {
        link.get("name"): [int(link.findtext(f".//{word}_bitmask", "65535")) for word in ("category", "collide")]
        for link in etree.parse(tmp_path / "a.sdf").iter("link")
    }
    for ask in (all, any):  # engines ask one side or both
        assert expected == {
            frozenset((one, other))
            for one, other in itertools.combinations(names, 2)
            if ask((masks[one][0] & masks[other][1], masks[other][0] & masks[one][1]))
        }


def test_more_kinds_of_filters_than_masks_have_bits_are_refused(tmp_path: Path):
    filters: list[Document | None] = [
        {"collisionSystems": [f"s{n}"], "notCollideWithSystems": [f"s{n + 1}"]} for n in range(40)
    ]
    (tmp_path / "a.glb").write_bytes(overlapping(filters).glb())
    with pytest.raises(InputError, match="more than 31 kinds"):
        convert(tmp_path / "a.glb", tmp_path / "a.xml")
    equal: list[Document | None] = [
        {"collisionSystems": [f"s{n}"], "notCollideWithSystems": ["floor"]} for n in range(40)
    ]
    (tmp_path / "a.glb").write_bytes(overlapping([*equal, {"collisionSystems": ["floor"]}]).glb())
    explained(convert(tmp_path / "a.glb", tmp_path / "a.xml"))
    assert {tuple(pair) for pair in zip(*masks_in(tmp_path / "a.xml"), strict=True)} == {(1, 1), (2, 2)}


def masks_in(path: Path) -> tuple[list[int], list[int]]:
    model = back(path)
    return model.geom_contype.tolist(), model.geom_conaffinity.tolist()
