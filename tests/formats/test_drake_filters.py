"""Drake collision filter groups in URDF and SDF: what Drake filters does not collide in other engines."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from lxml import etree

from converters.convert import convert, read
from converters.format import Target
from converters.passes.filters import FilterGroup, group_exclusions
from converters.registry import format_named
from ir.scene import Scene
from ir.types import Body, Joint
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import at_rest, mujoco_model, touching
from tests.reports import complete

Pairs = set[frozenset[str]]
NAMES = "abcdef"
INNER = "ef"
"""Bodies of the nested model in an SDF."""
EVERY = {frozenset(pair) for pair in combinations(NAMES, 2)}
SPHERE = "<geometry><sphere>{}</sphere></geometry>"


def bare(name: str) -> str:
    return name.rpartition("::")[2]


def groups(dice: random.Random, spelled: dict[str, str]) -> list[tuple[str, list[str], list[str], list[str]]]:
    """Return name, members, member groups and ignored groups of four random groups."""
    names = [f"g{number}" for number in range(4)]
    return [
        (
            name,
            [spelled[each] for each in dice.sample(NAMES, dice.randint(1, 3))],
            dice.sample(names, dice.choice([0, 0, 1])),
            dice.sample(names, dice.choice([0, 1, 2])),
        )
        for name in names
    ]


def urdf(path: Path, dice: random.Random) -> Path:
    sphere = SPHERE.format("").replace("<sphere>", '<sphere radius=".1">')
    heavy = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{heavy}<collision>{sphere}</collision></link>' for name in NAMES)
    ends = '<parent link="base"/><child link="{0}"/><axis xyz="0 0 1"/>'
    joints = "".join(f'<joint name="j{name}" type="continuous">{ends.format(name)}</joint>' for name in NAMES)
    said = ""
    for name, members, inner, ignored in groups(dice, {each: each for each in NAMES}):
        content = "".join(f'<drake:member link="{each}"/>' for each in members)
        content += "".join(f'<drake:member_group name="{each}"/>' for each in inner)
        content += "".join(f'<drake:ignored_collision_filter_group name="{each}"/>' for each in ignored)
        said += f'<drake:collision_filter_group name="{name}">{content}</drake:collision_filter_group>'
    more = "<gazebo><self_collide>true</self_collide></gazebo>"
    robot = '<robot xmlns:drake="http://drake.mit.edu" name="r"><link name="base">'
    return saved(path, f"{robot}{heavy}</link>{links}{joints}{said}{more}</robot>")


def sdf(path: Path, dice: random.Random) -> Path:
    sphere = SPHERE.format("<radius>.1</radius>")
    links = {name: f'<link name="{name}"><collision name="c">{sphere}</collision></link>' for name in NAMES}
    said = ""
    for name, members, inner, ignored in groups(
        dice, {each: f"n::{each}" if each in INNER else each for each in NAMES}
    ):
        content = "".join(f"<drake:member>{each}</drake:member>" for each in members)
        content += "".join(f"<drake:member_group>{each}</drake:member_group>" for each in inner)
        word = "drake:ignored_collision_filter_group"
        content += "".join(f"<{word}>{each}</{word}>" for each in ignored)
        said += f'<drake:collision_filter_group name="{name}">{content}</drake:collision_filter_group>'
    nested = "".join(links[name] for name in INNER)
    nested = f'<model name="n"><self_collide>true</self_collide>{nested}</model>'
    outer = "".join(links[name] for name in NAMES if name not in INNER)
    path.write_text(
        f"""<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><self_collide>true</self_collide>
        {outer}{nested}{said}</model></sdf>"""
    )
    return path


def apart_in_drake(path: Path) -> Pairs:
    return EVERY - {frozenset(map(bare, pair)) for pair in drake_reads(path, touch=True)["touch"]}


def apart_in_mujoco(path: Path) -> Pairs:
    found = {frozenset(map(bare, pair)) for pair in touching(at_rest(mujoco_model(path)))}
    return EVERY - found


def apart_in_gazebo(path: Path) -> Pairs:
    """Return the pairs that the collision bitmasks keep apart; two collide if they share a bit."""
    masks = {}
    for link in etree.parse(path).iterfind(".//link"):
        word = link.findtext("collision/surface/contact/collide_bitmask")
        masks[link.get("name")] = int(word) if word else 0xFFFF
    return {pair for pair in EVERY if not masks[min(pair)] & masks[max(pair)]}


@pytest.mark.parametrize("made", [urdf, sdf])
@pytest.mark.parametrize("seed", range(6))
def test_what_drake_keeps_apart_does_not_touch_elsewhere(tmp_path: Path, made, seed: int) -> None:
    source = made(tmp_path / f"r.{made.__name__}", random.Random(seed))
    apart = apart_in_drake(source)
    for target in ("xml", "sdf", "urdf"):
        out = tmp_path / "out" / f"r.{target}"
        complete(convert(source, out))
        if target == "xml":
            assert apart_in_mujoco(out) == apart
        elif target == "sdf" and made is urdf:
            assert apart_in_gazebo(out) == apart
        elif target == "urdf" and made is sdf:
            rules = etree.parse(out.with_suffix(".srdf")).xpath("disable_collisions") if apart else []
            assert {frozenset((bare(rule.get("link1")), bare(rule.get("link2")))) for rule in rules} == apart
        back = tmp_path / "back" / source.name
        convert(out, back)
        assert read(back) == read(source)
        assert back.read_text().count("drake:collision_filter_group") == 8


@pytest.mark.parametrize(("times", "kept_apart"), [(2, 1), (500_000, 0)])
def test_groups_that_ask_for_too_many_pairs_stay_groups(times: int, kept_apart: int) -> None:
    bodies = [Body(name=name) for name in "ab"]
    joints = [Joint(name=f"j{body.name}", parent="world", child=body.name) for body in bodies]
    scene = Scene("r").evolve(bodies=[*bodies, Body(name="world")], joints=joints)
    group = FilterGroup("g", ("a", "b"), (), ("g",) * times, ("block/g",))
    made = group_exclusions(lambda _: iter([group])).apply(scene, Target(fits=format_named("mjcf").fits))
    assert len(made.tables["contact"]) == kept_apart
