"""Whether bodies of one model collide: in MuJoCo they do, in Gazebo they do not, and a URDF leaves it open."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from converters.comparing import compare
from converters.convert import convert
from tests.formats.gltf_bodies import body, world
from tests.formats.sdf_text import converted, link, put, rules, sdf, seen, xml
from tests.formats.uncarried import bare
from tests.oracles.in_mujoco import drawn, touching
from tests.oracles.in_sdformat import sdformat_expands
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import of_rule

GEOM = '<geom type="box" size=".1 .1 .1"/>'
CHAIN = f"""<mujoco><worldbody><body name="a"><joint/>{GEOM}<body name="m" pos="1 0 0"><joint/>{GEOM}
<body name="e" pos="-1 0.1 0"><joint/>{GEOM}</body></body></body></worldbody></mujoco>"""
LOOSE = f"""<mujoco><worldbody><body name="a"><freejoint/>{GEOM}</body>
<body name="b" pos="0 0 .15"><freejoint/>{GEOM}</body></worldbody></mujoco>"""
BLOCK = '<inertial><mass>1</mass></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry>'
LINKS = "".join(link(name, inner=f"{BLOCK}</collision>") for name in ("b", "c"))
FLAT = '<origin xyz="0 0 -0.5"/><geometry><box size="9 9 1"/></geometry>'
CUBE = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
CUBE += '<collision><geometry><box size=".2 .2 .2"/></geometry></collision>'
LINKED = "".join(f'<link name="{name}">{CUBE}</link>' for name in "abc")
ENDS = {"a": ("world", "1 0 1"), "b": ("a", "0 0 -.95"), "c": ("b", "0 .1 .95")}
JOINED = "".join(
    f'<joint name="{child}_joint" type="continuous"><origin xyz="{at}"/><parent link="{parent}"/>'
    f'<child link="{child}"/></joint>'
    for child, (parent, at) in ENDS.items()
)
SWITCH = "<self_collide>true</self_collide>"


@pytest.mark.parametrize(("text", "pair"), [(CHAIN, {"a", "e"}), (LOOSE, {"a", "b"})])
def test_bodies_of_an_mjcf_touch_in_sdf(text: str, pair: set[str], tmp_path: Path):
    source = put(tmp_path, text, "source.xml")
    assert touching(drawn(source)[1]) == {frozenset(pair)}
    report, path = converted(tmp_path, source, "out.sdf")
    assert xml(path).findtext("model/self_collide") == "true"
    assert set(seen(path)["links"]) >= pair
    assert "mjcf/self-collide" in rules(report)
    for document in (path, bare(path)):
        _, back = converted(tmp_path, document, "back.xml")
        assert touching(drawn(back)[1]) == {frozenset(pair)}
    converted(tmp_path, path, "back.xml")
    assert compare(source, tmp_path / "back.xml") == []
    assert "self_collide" not in (tmp_path / "back.xml").read_text()
    own, again = (convert(each, tmp_path / f"{each.stem}.mjcf") for each in (source, tmp_path / "back.xml"))
    assert (tmp_path / "source.mjcf").read_bytes() == (tmp_path / "back.mjcf").read_bytes()
    assert {own.findings, again.findings} == {()}


FLOOR = '<geom name="floor" type="plane" size="1 1 1"/>'
ARM = f"""<robot name="r"><link name="world"><collision>{FLAT}</collision></link>{LINKED}{JOINED}</robot>"""


@pytest.mark.parametrize("suffix", ["xml", "urdf"])
def test_what_stands_in_the_world_is_touched_by_models_that_do_not_touch_themselves(suffix: str, tmp_path: Path):
    alone = f'<mujoco><worldbody>{FLOOR}<body name="b" pos="0 0 .05"><freejoint/>{GEOM}</body></worldbody></mujoco>'
    source = put(tmp_path, {"xml": alone, "urdf": ARM}[suffix], f"source.{suffix}")
    _, path = converted(tmp_path, source, "out.sdf")
    _, back = converted(tmp_path, bare(path), "back.xml")
    assert touching(drawn(back)[1]) == {frozenset({"b", "ground"})}
    _, again = converted(tmp_path, bare(path), "again.sdf")
    assert xml(again).find(".//self_collide") is None


def test_a_body_alone_needs_no_word(tmp_path: Path):
    _, path = converted(
        tmp_path, put(tmp_path, f"<mujoco><worldbody><body>{GEOM}</body></worldbody></mujoco>"), "o.sdf"
    )
    assert xml(path).find(".//self_collide") is None


def test_bodies_of_an_mjcf_touch_in_what_gazebo_makes_of_its_urdf(tmp_path: Path):
    source = put(tmp_path, CHAIN, "source.xml")
    report, path = converted(tmp_path, source, "out.urdf")
    assert check_urdf(path) is None
    assert SWITCH in re.sub(r"\s+", "", sdformat_expands(path)["document"])
    assert "contacts/gazebo-block" in rules(report)
    _, back = converted(tmp_path, path, "back.xml")
    assert compare(source, back) == []
    _, gazebo = converted(tmp_path, bare(path), "out.sdf")
    assert xml(gazebo).findtext("model/self_collide") == "true"


@pytest.mark.parametrize("said", ["true", "false"])
def test_what_a_model_says_of_itself_is_said_in_urdf(said: str, tmp_path: Path):
    source = sdf(f"<self_collide>{said}</self_collide>{LINKS}")
    report, path = converted(tmp_path, source, "out.urdf")
    assert xml(path).findtext("gazebo/self_collide") == said
    assert [each.where for each in of_rule(report, "urdf/scope")] == []
    _, back = converted(tmp_path, path, "back.sdf")
    assert xml(back).findtext("model/self_collide") == said
    assert compare(tmp_path / "source.sdf", back) == []
    _, gazebo = converted(tmp_path, bare(path), "bare.sdf")
    assert xml(gazebo).findtext("model/self_collide") == said
    assert SWITCH.replace("true", said) in re.sub(r"\s+", "", sdformat_expands(path)["document"])


@pytest.mark.parametrize("both", [True, False])
def test_models_of_a_world_become_one(both: bool, tmp_path: Path):
    """A common value is written once, different values on each link."""
    said = {"m": SWITCH, "n": SWITCH if both else ""}
    models = "".join(f'<model name="{name}">{word}{LINKS}</model>' for name, word in said.items())
    source = f'<sdf version="1.9"><world name="w">{models}</world></sdf>'
    _, path = converted(tmp_path, source, "out.urdf")
    blocks = {each.get("reference"): each.findtext("self_collide") for each in xml(path).findall("gazebo")}
    assert blocks == ({None: "true"} if both else {"m::b": "true", "m::c": "true"})
    _, back = converted(tmp_path, path, "back.sdf")
    words = {each.get("name"): each.findtext("self_collide") for each in xml(back).findall("world/model")}
    assert words == {"m": "true", "n": "true" if both else None}


@pytest.mark.parametrize("count", [31, 32])
def test_mujoco_keeps_the_bodies_of_many_models_apart(count: int, tmp_path: Path):
    """It has 31 bits for contact classes: with more models pairs are excluded instead."""
    place = "<pose>{} 0 0 0 0 0</pose>"
    models = "".join(f'<model name="m{n}">{place.format(n * 0.75)}{LINKS}</model>' for n in range(count))
    _, path = converted(tmp_path, f'<sdf version="1.9"><world name="w">{models}</world></sdf>', "out.xml")
    beside = {frozenset((f"m{n}::{a}", f"m{n + 1}::{b}")) for n in range(count - 1) for a in "bc" for b in "bc"}
    assert touching(drawn(path)[1]) == beside
    assert len(xml(path).findall("contact/exclude")) == (count if count > 31 else 0)


def test_a_switch_of_a_model_is_what_mjcf_means_anyway(tmp_path: Path):
    report, path = converted(tmp_path, sdf(SWITCH + LINKS), "out.xml")
    assert touching(drawn(path)[1]) == {frozenset({"b", "c"})}
    (told,) = [each for each in report.findings if each.where.startswith("scope/")]
    assert (told.rule, told.action) == ("sdf/self-collide", "carried")
    (place,) = told.sources
    assert "<model" in (tmp_path / Path(place.file).name).read_text().splitlines()[place.line - 1]
    _, back = converted(tmp_path, path, "back.sdf")
    assert xml(back).findtext("model/self_collide") == "true"


def test_colliders_of_a_gltf_touch(tmp_path: Path):
    made = world({"type": "sphere", "sphere": {"radius": 0.5}})
    said = {"motion": {"mass": 1}, "collider": {"geometry": {"shape": 0}}}
    made.scene(*(body(made, said, name=name) for name in ("a", "b")))
    source = put(tmp_path, "", "source.glb")
    source.write_bytes(made.glb())
    report, path = converted(tmp_path, source, "out.sdf")
    assert xml(path).findtext(".//self_collide") == "true"
    assert "gltf/self-collide" in rules(report)
    _, back = converted(tmp_path, bare(path), "back.xml")
    assert touching(drawn(back)[1]) == {frozenset({"a", "b"})}


def test_a_urdf_that_says_nothing_stays_silent(tmp_path: Path):
    """Gazebo's own import disables collisions between its links, MuJoCo's does not: the source gives neither."""
    collision = "<collision><geometry><sphere radius='1'/></geometry></collision>"
    links = "".join(f'<link name="{name}">{collision}</link>' for name in ("a", "b"))
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    source = put(tmp_path, f'<robot name="r">{links}{joint}</robot>', "source.urdf")
    _, path = converted(tmp_path, source, "out.sdf")
    _, glb = converted(tmp_path, source, "out.glb")
    _, far = converted(tmp_path, glb, "far.sdf")
    for document in (path, far):
        assert xml(document).find(".//self_collide") is None
    assert "contacts" not in {each.what for each in compare(source, bare(path))}


def test_who_touches_whom_is_compared(tmp_path: Path):
    """Across formats by the combined effect of switches, masks and pairs; within one format also each by itself."""

    def unlike(one: Path, other: Path) -> list[tuple[str, str, str]]:
        return [(each.where, each.first, each.second) for each in compare(one, other) if each.what == "contacts"]

    source = put(tmp_path, CHAIN, "source.xml")
    _, path = converted(tmp_path, source, "out.sdf")
    plain = bare(path)
    assert unlike(source, plain) == []
    silent = put(tmp_path, plain.read_text().replace(SWITCH, ""), "silent.sdf")
    assert unlike(source, silent) == [("body/a, body/e", "touch", "pass through each other")]
    _, masked = converted(tmp_path, silent, "masked.xml")
    assert touching(drawn(bare(masked))[1]) == set()
    assert unlike(silent, bare(masked)) == []
    assert unlike(source, bare(masked)) == [("body/a, body/e", "touch", "pass through each other")]
    pair = '<contact><exclude body1="e" body2="a"/></contact>'
    apart = put(tmp_path, CHAIN.replace("</mujoco>", f"{pair}</mujoco>"), "apart.xml")
    assert touching(drawn(apart)[1]) == set()
    assert unlike(apart, source) == [("contact/e, a", "never", "no rule")]
    assert unlike(apart, silent) == []


@pytest.mark.parametrize("said", ["ttt", "tff", "ftf", "t-f", "fff", "-ff"])
def test_two_links_touch_of_which_one_touches_the_others(said: str, tmp_path: Path):
    """link.sdf: link1.self_collide OR link2.self_collide. Here three links without joints are at one place."""
    words = {"t": SWITCH, "f": SWITCH.replace("true", "false"), "-": ""}
    links = "".join(
        link(name, inner=f"{words[word]}{BLOCK}</collision>") for name, word in zip("abc", said, strict=True)
    )
    source = put(tmp_path, sdf(links), "source.sdf")
    _, path = converted(tmp_path, source, "out.xml")
    wanted = {
        frozenset((a, b)) for a, b in combinations("abc", 2) if "t" in said["abc".index(a)] + said["abc".index(b)]
    }
    assert touching(drawn(bare(path))[1]) == wanted
    assert compare(source, bare(path)) == []


@pytest.mark.parametrize("edit", ["", SWITCH.replace("true", "false")], ids=["deleted", "false"])
@pytest.mark.parametrize("text", [CHAIN, LOOSE])
def test_an_edited_switch_keeps_the_bodies_of_an_mjcf_apart(text: str, edit: str, tmp_path: Path):
    _, path = converted(tmp_path, put(tmp_path, text, "source.xml"), "out.sdf")
    document = path.read_text()
    assert document.count(SWITCH) == 1
    path.write_text(document.replace(SWITCH, edit))
    _, back = converted(tmp_path, path, "back.xml")
    assert touching(drawn(back)[1]) == set()
    for each in ("again.xml", "again.sdf"):
        converted(tmp_path, back, each)
    assert touching(drawn(tmp_path / "again.xml")[1]) == set()
    assert SWITCH not in re.sub("kinegraph:.*", "", (tmp_path / "again.sdf").read_text())
    assert compare(back, tmp_path / "again.xml") == []
