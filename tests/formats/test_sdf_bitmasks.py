"""Bodies that do not collide, in SDFormat, which has no pairs: by bitmasks of their geoms.

Judged by MuJoCo: all bodies of these models are at the same place, so that all that may collide do. For an SDF, the
elements are read here: two links collide if they share a bit and no joint connects them. For a URDF, Gazebo's view is
that of libsdformat.
"""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from lxml import etree

from converters import Report, convert, read
from converters.context import Options
from converters.passes.bitmasks import covered
from tests.files import saved
from tests.oracles.in_mujoco import drawn, touching
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import comes_back, explained, of_rule, stale

BODY = '<body name="{0}"><freejoint/><geom name="g{0}" size="0.1"/>{1}</body>'
INNER = '<body name="{0}"><joint name="j{0}"/><geom name="g{0}" size="0.1"/>{1}</body>'
SHOULDER = '<joint name="j1" axis="1 0 0"/><joint name="j2" axis="0 1 0"/><joint name="j3" axis="0 0 1"/>'
EXCLUDE = '<exclude body1="{}" body2="{}"/>'
Pairs = set[frozenset[str]]


def mjcf(folder: Path, bodies: str, *excluded: tuple[str, str]) -> Path:
    contact = "".join(EXCLUDE.format(*pair) for pair in excluded)
    path = folder / "in.xml"
    return saved(path, f'<mujoco model="m"><worldbody>{bodies}</worldbody><contact>{contact}</contact></mujoco>')


def free(*names: str) -> str:
    return "".join(BODY.format(name, "") for name in names)


def chain(*names: str) -> str:
    inner = ""
    for name in reversed(names[1:]):
        inner = INNER.format(name, inner)
    return BODY.format(names[0], inner)


def by_mujoco(xml: Path) -> Pairs:
    return touching(drawn(xml)[1])


def by_sdf(path: Path) -> Pairs:
    """Return the pairs of links that collide, by the elements of an SDF in which every model has self_collide; for a
    URDF, as libsdformat converts it."""
    root = as_sdf(path)
    assert all(each.text == "true" for each in root.iter("self_collide"))
    bits: dict[str, int] = {}
    for collision in root.iter("collision"):
        said = collision.findtext("surface/contact/collide_bitmask")
        assert said == collision.findtext("surface/contact/category_bitmask")
        bits[collision.getparent().get("name", "")] = 0xFFFF if said is None else int(said)
    assert all(0 < mask <= 0xFFFF for mask in bits.values())
    joined = {frozenset((joint.findtext("parent"), joint.findtext("child"))) for joint in root.iter("joint")}
    return {pair for pair in map(frozenset, combinations(bits, 2)) if both(pair, bits) and pair not in joined}


def as_sdf(path: Path) -> etree._Element:
    """Return the document as SDF, or as the SDF that Gazebo makes of it."""
    if path.suffix == ".sdf":
        return etree.parse(path).getroot()
    return etree.fromstring(sdformat_expands(path)["document"].encode())


def both(pair: frozenset[str], bits: dict[str, int]) -> bool:
    one, other = pair
    return bool(bits[one] & bits[other])


def there_and_back(source: Path, **options: object) -> tuple[Report, Path, Path]:
    sdf, back = source.with_name("there.sdf"), source.with_name("back.xml")
    report = convert(source, sdf, options=Options(**options))
    convert(sdf, back)
    return report, sdf, back


MODELS = {
    "one pair": (free("a", "b", "c"), [("a", "b")]),
    "each from the next": (free(*"abcdefgh"), [*zip("abcdefg", "bcdefgh", strict=True)]),
    "one from all": (free(*"abcdef"), [("a", other) for other in "bcdef"]),
    "all from all": (free(*"abcdef"), [*combinations("abcdef", 2)]),
    "in a chain": (chain(*"abcde"), [("a", "c"), ("b", "e")]),
    "a joint's two bodies as well": (chain(*"abc"), [("a", "b"), ("a", "c")]),
    "a pair of three joints on one body": (
        f'<body name="a"><freejoint/><geom name="ga" size="0.1"/><body name="b">{SHOULDER}<geom name="gb" size="0.1"/>'
        f"{INNER.format('c', '')}</body></body>",
        [],
    ),
    "welded bodies": (
        '<body name="a"><freejoint/><geom name="ga" size="0.1"/><body name="b"><geom name="gb" size="0.1"/>'
        f"{INNER.format('c', '')}</body></body>{free('d')}",
        [],
    ),
}


@pytest.mark.parametrize("bodies, excluded", MODELS.values(), ids=MODELS)
def test_the_same_bodies_collide(tmp_path: Path, bodies: str, excluded: list[tuple[str, str]]) -> None:
    source = mjcf(tmp_path, bodies, *excluded)
    expected = by_mujoco(source)
    report, sdf, back = there_and_back(source)
    assert by_sdf(sdf) == expected
    assert by_mujoco(back) == by_mujoco(source)
    assert not report.totals()["unexplained"] and not of_rule(report, "carried/stale")
    there_and_back(source, carry=False)
    assert by_mujoco(back) == by_mujoco(source)


def test_in_a_urdf_blocks_say_it_to_gazebo_beside_the_pairs(tmp_path: Path) -> None:
    bodies, excluded = MODELS["in a chain"]
    source = mjcf(tmp_path, bodies, *excluded)
    urdf = tmp_path / "out.urdf"
    report = convert(source, urdf)
    assert by_sdf(urdf) == by_mujoco(source)
    assert not report.totals()["unexplained"] and (tmp_path / "out.srdf").exists()
    comes_back(source, urdf)
    convert(source, urdf, options=Options(carry=False))
    convert(urdf, tmp_path / "out.xml")
    assert by_mujoco(tmp_path / "out.xml") == by_mujoco(source), "who has no bits meets all in Gazebo"


def test_a_chain_of_joints_in_a_urdf_keeps_apart_what_one_joint_joined(tmp_path: Path) -> None:
    """Bitmasks express it, because there are links in between: without them the two bodies collided unreported."""
    bodies, _ = MODELS["a pair of three joints on one body"]
    source, urdf = mjcf(tmp_path, bodies), tmp_path / "out.urdf"
    report = convert(source, urdf, options=Options(carry=False))
    assert not report.totals()["unexplained"]
    convert(urdf, back := tmp_path / "back.xml")
    assert by_mujoco(back) == by_mujoco(source)
    convert(source, carried := tmp_path / "carried.urdf")
    comes_back(source, carried)


BALL = '<body name="y"><joint name="ball" type="ball"/><geom name="gy" size="0.1"/></body>'


@pytest.mark.parametrize("inner", [BALL, f'<body name="y">{SHOULDER}<geom name="gy" size="0.1"/></body>'])
@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_where_bits_are_not_enough_a_rule_keeps_the_ends_of_a_chain_apart(inner: str, many: bool, tmp_path: Path):
    """Sixteen bodies that never collide use all bits; a ball joint is a chain of three hinges."""
    names = [f"b{index}" for index in range(16 if many else 2)]
    source = mjcf(tmp_path, free(*names) + BODY.format("x", inner), *combinations(names, 2))
    report = convert(source, tmp_path / "out.urdf", options=Options(carry=False))
    assert not report.totals()["unexplained"] and bool(of_rule(report, "contacts/chain")) == many
    convert(tmp_path / "out.urdf", tmp_path / "back.xml", options=Options(carry=False))
    assert by_mujoco(tmp_path / "back.xml") == by_mujoco(source)
    convert(source, carried := tmp_path / "carried.urdf")
    comes_back(source, carried)


def test_masks_that_all_collisions_of_a_body_share_stand_in_blocks_of_a_urdf(tmp_path: Path) -> None:
    bodies = chain(*"abcd").replace('name="ga"', 'name="ga" contype="2"').replace('name="gc"', 'name="gc" contype="4"')
    urdf = tmp_path / "out.urdf"
    report = convert(source := mjcf(tmp_path, bodies), urdf)
    assert not report.totals()["unexplained"] and not of_rule(report, "urdf/surface")
    root = as_sdf(urdf)
    said = {
        each.getparent().get("name"): [
            each.findtext(f"surface/contact/{word}_bitmask") for word in ("category", "collide")
        ]
        for each in root.iter("collision")
    }
    assert said == {"a": ["2", "1"], "b": ["1", "1"], "c": ["4", "1"], "d": ["1", "1"]}
    convert(urdf, tmp_path / "back.xml", options=Options(find_srdf=False))
    assert by_mujoco(tmp_path / "back.xml") == by_mujoco(source)


def test_names_of_collisions_that_libsdformat_would_not_hear_are_told_as_they_are_written(tmp_path: Path) -> None:
    source, urdf = tmp_path / "m.sdf", tmp_path / "out.urdf"
    masked = "<surface><contact><collide_bitmask>2</collide_bitmask></contact></surface>"
    ball = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    geoms = f'<collision name="hit">{ball}{masked}</collision><visual name="seen">{ball}</visual>'
    links = "".join(f'<link name="{name}">{geoms}</link>' for name in ("a", "b"))
    fixed = '<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>'
    source.write_text(f'<sdf version="1.9"><model name="m">{links}{fixed}</model></sdf>')
    report = convert(source, urdf)
    told = {(each.where, each.before, each.after) for each in of_rule(report, "urdf/gazebo-name")}
    assert told == {("body/a.geoms.hit.name", "hit", "a_hit"), ("body/b.geoms.hit_1.name", "hit", "b_hit_1")}
    assert {*etree.parse(urdf).xpath("//collision/@name")} == {"a_hit", "b_hit_1"}
    report = convert(urdf, tmp_path / "back.sdf")
    assert not of_rule(report, "sdf/renamed")
    assert etree.parse(tmp_path / "back.sdf").xpath("//collision/@name") == ["hit", "hit"]


def test_the_rules_come_back_as_they_were(tmp_path: Path) -> None:
    source = mjcf(tmp_path, free("a", "b", "c"), ("a", "b"))
    report, _, back = there_and_back(source)
    moved = {(each.action, each.where.partition(".")[0]) for each in of_rule(report, "contacts/bitmask")}
    assert moved == {("carried", "contact/exclude_a_b"), ("derived", "body/a"), ("derived", "body/b")}
    root = etree.parse(back)
    assert [each.get("body2") for each in root.iter("exclude")] == ["b"]
    assert not [geom for geom in root.iter("geom") if geom.get("contype")]


def test_any_pairs_of_a_few_bodies_have_their_masks() -> None:
    draw = random.Random(5)
    names = [f"b{index}" for index in range(7)]
    every = [*map(frozenset, combinations(names, 2))]
    for _ in range(300):
        either = set(draw.sample(every, 3))
        apart = set(draw.sample(every, draw.randint(1, 12))) - either
        masks = covered(apart, either)
        assert masks.keys() == {name for pair in apart for name in pair}
        assert all(0 < mask <= 0xFFFF for mask in masks.values())
        for pair in map(frozenset, combinations(masks, 2)):
            assert both(pair, masks) is (pair not in apart) or (pair in either and pair not in apart)


def test_what_takes_too_many_bits_is_told(tmp_path: Path) -> None:
    names = [f"b{index}" for index in range(17)]
    report = convert(mjcf(tmp_path, free(*names), *combinations(names, 2)), tmp_path / "out.sdf")
    assert len(of_rule(report, "sdf/contact")) and not of_rule(report, "contacts/bitmask")
    assert "bitmask" not in (tmp_path / "out.sdf").read_text()
    assert by_sdf(tmp_path / "out.sdf") == {*map(frozenset, combinations(names, 2))}


def test_where_all_is_too_much_the_rules_come_first(tmp_path: Path) -> None:
    """Sixteen bodies that never collide use all bits; those of a joint that is written as a chain of links get none,
    which is reported."""
    names = [f"b{index}" for index in range(16)]
    inner = f'<body name="y">{SHOULDER}<geom name="gy" size="0.1"/></body>'
    source = mjcf(tmp_path, free(*names) + BODY.format("x", inner), *combinations(names, 2))
    report = convert(source, tmp_path / "out.sdf")
    assert of_rule(report, "contacts/bitmask")
    assert [each.where for each in of_rule(report, "sdf/contact")] == ["contact/exclude_x_y"]
    assert by_sdf(tmp_path / "out.sdf") ^ by_mujoco(source) == {frozenset("xy")}


def by_collisions(path: Path) -> Pairs:
    """Like by_sdf, for links with several collisions, by both masks of each."""
    root = as_sdf(path)
    masks: dict[str, list[list[int]]] = {}
    for collision in root.iter("collision"):
        words = (collision.findtext(f"surface/contact/{word}_bitmask") for word in ("category", "collide"))
        masks.setdefault(collision.getparent().get("name", ""), []).append([int(word or 0xFFFF) for word in words])
    joined = {frozenset((joint.findtext("parent"), joint.findtext("child"))) for joint in root.iter("joint")}
    pairs = set(map(frozenset, combinations(masks, 2))) - joined
    return {
        pair
        for pair in pairs
        if any(one[0] & other[1] or other[0] & one[1] for one in masks[min(pair)] for other in masks[max(pair)])
    }


@pytest.mark.parametrize("seed", range(8))
def test_masks_of_the_source_and_rules_are_said_together(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    words = [(1, 1), (1, 1), (1, 3), (2, 1), (4, 2), (0, 1)]

    def geom(name: str) -> str:
        category, collide = draw.choice(words)
        return f'<geom name="{name}" size="0.1" contype="{category}" conaffinity="{collide}"/>'

    def body(name: str, inner: str = "", joint: str = "<freejoint/>") -> str:
        more = geom(f"h{name}") if draw.random() < 0.3 else ""
        return f'<body name="{name}">{joint}{geom("g" + name)}{more}{inner}</body>'

    inner = body("d", body("e", joint='<joint name="je"/>'), joint='<joint name="jd"/>')
    excluded = draw.sample([*combinations("abcde", 2)], draw.randint(1, 4))
    source = mjcf(tmp_path, body("a") + body("b") + body("c", inner), *excluded)
    expected = by_mujoco(source)
    report, sdf, back = there_and_back(source)
    assert not report.totals()["unexplained"]
    assert by_collisions(sdf) == expected
    assert by_mujoco(back) == expected
    convert(source, tmp_path / "own.xml")
    assert back.read_bytes() == (tmp_path / "own.xml").read_bytes()
    there_and_back(source, carry=False)
    assert by_mujoco(back) == expected


def test_who_edits_one_of_these_masks_has_all_of_them_as_they_stand(tmp_path: Path) -> None:
    bodies = free("a", "b", "c").replace('name="ga"', 'name="ga" contype="2" conaffinity="3"')
    _, sdf, back = there_and_back(mjcf(tmp_path, bodies, ("a", "b")))
    text = sdf.read_text()
    masks = [each.text for each in etree.parse(sdf).iter("collide_bitmask")]
    assert masks[0] != masks[1]
    sdf.write_text(text.replace(f"bitmask>{masks[1]}<", f"bitmask>{masks[0]}<"))
    convert(sdf, back)
    assert by_mujoco(back) == by_collisions(sdf)


@pytest.mark.parametrize("words", [(4, None), (None, 4), (4, 8), (None, None)])
def test_a_mask_that_is_not_said_is_the_one_of_sdformat(tmp_path: Path, words: tuple[int | None, int | None]) -> None:
    """collision.sdf: collide_bitmask defaults to 65535, and category_bitmask to collide_bitmask."""

    def link(name: str, category: int | None, collide: int | None) -> str:
        said = "" if category is None else f"<category_bitmask>{category}</category_bitmask>"
        said += "" if collide is None else f"<collide_bitmask>{collide}</collide_bitmask>"
        shape = (
            f"<geometry><sphere><radius>0.1</radius></sphere></geometry><surface><contact>{said}</contact></surface>"
        )
        return f'<link name="{name}"><collision name="c">{shape}</collision></link>'

    links = link("a", *words) + link("b", 2, 2) + link("c", 8, 1) + link("d", 1, 4)
    model = f'<model name="m"><self_collide>true</self_collide>{links}</model>'
    source = saved(tmp_path / "in.sdf", f'<sdf version="1.9">{model}</sdf>')
    convert(source, tmp_path / "out.xml")
    category, collide = words
    collide = 0xFFFF if collide is None else collide
    category = category if category is not None else collide
    others = {"b": (2, 2), "c": (8, 1), "d": (1, 4)}
    met = {name for name, (own, theirs) in others.items() if own & collide or theirs & category}
    assert {max(pair) for pair in by_mujoco(tmp_path / "out.xml") if "a" in pair} == met


EDITS = {
    "they collide now": ("bitmask>2<", "bitmask>1<", {"ab", "bc", "ac"}),
    "another one does with one of them alone": ("", "", {"ac", "bc"}),
    "one collides with nothing": ("bitmask>2<", "bitmask>0<", {"ac"}),
}


@pytest.mark.parametrize("before, after, expected", EDITS.values(), ids=EDITS)
def test_who_edits_bits_is_heard(tmp_path: Path, before: str, after: str, expected: set[str]) -> None:
    _, sdf, back = there_and_back(mjcf(tmp_path, free("a", "b", "c"), ("a", "b")))
    assert before in sdf.read_text()
    sdf.write_text(sdf.read_text().replace(before, after) if before else sdf.read_text())
    report = convert(sdf, back)
    assert {"".join(sorted(pair)) for pair in by_mujoco(back)} == expected
    assert ("contact/exclude_a_b" in stale(report)) is bool(before)


def test_bits_that_another_geom_gets_count_beside_these(tmp_path: Path) -> None:
    """Masks that the source does not have now apply to all geoms, including those that replace the rule."""
    _, sdf, back = there_and_back(mjcf(tmp_path, free("a", "b", "c", "d"), ("a", "b")))
    masks = {
        each.getparent().get("name"): each.findtext("surface/contact/collide_bitmask")
        for each in etree.parse(sdf).iter("collision")
    }
    assert (masks["a"], masks["c"]) != (None, None) and masks["c"] is None
    text = sdf.read_text()
    at = text.index("</collision>", text.index('<collision name="gc">'))
    word = f"<surface><contact><collide_bitmask>{masks['a']}</collide_bitmask></contact></surface>"
    sdf.write_text(text[:at] + word + text[at:])
    convert(sdf, back)
    assert {"".join(sorted(pair)) for pair in by_mujoco(back)} == {"ac", "ad", "bd", "cd"}


def test_bodies_of_a_model_that_does_not_self_collide_need_no_bits(tmp_path: Path) -> None:
    link = '<link name="{0}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
    joint = '<joint name="j{1}" type="continuous"><parent link="{0}"/><child link="{1}"/></joint>'
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r">{"".join(map(link.format, "abc"))}{joint.format("a", "b")}{joint.format("b", "c")}</robot>'
    )
    (tmp_path / "r.srdf").write_text('<robot name="r"><disable_collisions link1="a" link2="c" reason="Never"/></robot>')
    report = convert(tmp_path / "r.urdf", tmp_path / "r.sdf")
    assert of_rule(report, "sdf/contact") and "bitmask" not in (tmp_path / "r.sdf").read_text()


APART = {
    "masks": ('contype="1" conaffinity="0"', '<freejoint/><geom size=".1" contype="1" conaffinity="0"/>'),
    "joint": ("", '<joint/><geom size=".1"/>'),
}


@pytest.mark.parametrize("why", APART)
def test_a_rule_that_says_what_holds_anyway_is_no_loss(tmp_path: Path, why: str) -> None:
    masks, other = APART[why]
    first = f'<body name="a"><freejoint/><geom size=".1" {masks}/>'
    second = f'<body name="b">{other}</body>'
    bodies = f"{first}{second}</body>" if why == "joint" else f"{first}</body>{second}"
    (tmp_path / "m.xml").write_text(
        f"""<mujoco><worldbody>{bodies}<body name="c"><freejoint/><geom size=".1"/></body></worldbody>
        <contact><exclude body1="a" body2="b"/></contact></mujoco>"""
    )
    report = convert(tmp_path / "m.xml", tmp_path / "m.sdf")
    assert [finding.action for finding in of_rule(report, "contacts/apart")] == ["derived"]
    assert not of_rule(report, "sdf/contact") and not of_rule(report, "contacts/bitmask")
    convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(tmp_path / "m.xml")


WORN = 'contype="{}" conaffinity="{}"'


@pytest.mark.parametrize("held", ["<freejoint/>", '<joint name="j"/>'], ids=["free", "hinged to the world"])
@pytest.mark.parametrize("floor, body", [((1, 1), (1, 2)), ((6, 2), (2, 1)), ((2, 1), (2, 1))])
def test_a_body_touches_the_floor_as_before(
    floor: tuple[int, int], body: tuple[int, int], held: str, tmp_path: Path
) -> None:
    """The floor is a model of its own in SDFormat, which no joint with the world keeps apart from anything."""
    ground = f'<geom name="floor" type="plane" size="1 1 .1" {WORN.format(*floor)}/>'
    robot = f'<body name="a">{held}<geom size=".1" {WORN.format(*body)}/></body>'
    source = mjcf(tmp_path, ground + robot + free("b", "c"), ("a", "b"))
    report, sdf, back = there_and_back(source)
    assert not report.totals()["unexplained"]
    assert of_rule(report, "contacts/bitmask")
    expected = by_mujoco(source)
    assert by_mujoco(back) == expected
    written = {frozenset("ground" if name == "world" else name for name in pair) for pair in expected}
    assert by_collisions(sdf) == written
    there_and_back(source, carry=False)
    assert by_mujoco(back) == written


@pytest.mark.parametrize("held", ["<freejoint/>", '<joint name="j"/>'], ids=["free", "hinged to the world"])
def test_a_body_that_is_excluded_from_the_world_does_not_touch_the_floor(held: str, tmp_path: Path) -> None:
    floor = '<geom name="floor" type="plane" size="1 1 .1"/>'
    robot = f'<body name="a">{held}<geom size=".1"/></body>'
    _, sdf, _ = there_and_back(mjcf(tmp_path, floor + robot + free("b"), ("world", "a")))
    assert by_collisions(sdf) == {frozenset(("ground", "b")), frozenset("ab")}


def test_a_default_mask_of_the_world_that_a_urdf_cannot_say_is_told(tmp_path: Path) -> None:
    """In Gazebo a floor without masks collides with everything: also with what falls through it in MuJoCo."""
    floor = '<geom name="floor" type="plane" size="1 1 1"/>'
    ghost = '<body name="b" pos="0 0 1"><freejoint/><geom name="g" size=".1" contype="2" conaffinity="0"/></body>'
    source = saved(tmp_path / "m.xml", f"<mujoco><worldbody>{floor}{ghost}</worldbody></mujoco>")
    report = explained(convert(source, tmp_path / "m.urdf"))
    assert [each.where for each in of_rule(report, "urdf/surface")] == ["body/world.geoms.floor.surface"]
    comes_back(source, tmp_path / "m.urdf")
    report = explained(convert(source, tmp_path / "m.sdf"))
    assert not [each for each in report.findings if "floor.surface" in each.where and each.action != "derived"]
