"""A world that was made around a model, to which an edit adds a copy of the model, or objects with its names."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from lxml import etree

from converters import convert, read
from tests.files import saved
from tests.formats.sdf_text import link, put, seen
from tests.reports import explained, of_rule

ROBOT = """<mujoco model="robot"><worldbody><geom type="plane" size="1 1 .1"/><body name="a"><freejoint/>
<geom size=".1"/><body name="b" pos="0 0 1"><joint name="j"/><geom size=".1"/></body></body></worldbody></mujoco>"""
TARGETS = ["out.sdf", "out.urdf", "out.xml", "out.glb"]
AROUND = """<sdf version="1.9" xmlns:kinegraph="https://kinegraph.dev/carried"><world name="w">
<model name="w" kinegraph:bare="w"><link name="a"/><frame name="f"/><model name="m"><link name="c"/></model></model>
%s</world></sdf>"""


@pytest.fixture
def world(tmp_path: Path) -> etree._ElementTree:
    convert(saved(tmp_path / "robot.xml", ROBOT), tmp_path / "world.sdf")
    return etree.parse(tmp_path / "world.sdf")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "own", "first"), [("robot", ["a", "b"], False), ("robot", ["a", "b"], True), ("ground", ["ground"], False)]
)
def test_a_copy_is_a_model_of_its_own(
    name: str, own: list[str], first: bool, target: str, world: etree._ElementTree, tmp_path: Path
) -> None:
    (original,) = world.xpath(f"//model[@name='{name}']")
    another = copy.deepcopy(original)
    another.set("name", "another")
    (original.addprevious if first else original.addnext)(another)
    world.write(tmp_path / "edited.sdf")
    links = {"a", "b", *(f"another::{each}" for each in own)}
    assert read(tmp_path / "edited.sdf").bodies.keys() == {"world", *links}
    explained(convert(tmp_path / "edited.sdf", tmp_path / target))
    if target == "out.sdf":
        found = [seen(tmp_path / name)["links"] for name in ("edited.sdf", target)]
        before, after = (
            sorted((name.split("::")[-1], each["pose"]) for name, each in links.items()) for links in found
        )
        assert before == after


@pytest.mark.parametrize(
    ("beside", "bodies"),
    [
        ('<model name="m"><link name="c"/></model>', {"w::a", "w::m::c", "m::c"}),
        ('<frame name="f"/>', {"w::a", "w::m::c"}),
        ('<model name="a"><link name="b"/></model>', {"a", "m::c", "a::b"}),
    ],
)
def test_names_in_it_have_its_own_in_front_where_another_has_them(
    beside: str, bodies: set[str], tmp_path: Path
) -> None:
    source = put(tmp_path, AROUND.replace("%s", beside))
    assert read(source).bodies.keys() - {"world"} == bodies
    for target in TARGETS:
        explained(convert(source, tmp_path / target))
    assert seen(tmp_path / "out.sdf")["links"] == seen(source)["links"]


def test_a_model_of_a_link_that_is_merged_into_such_a_world_stays_a_model(tmp_path: Path) -> None:
    put(tmp_path, f'<sdf version="1.9"><model name="p">{link("a")}</model></sdf>', "part.sdf")
    source = put(tmp_path, AROUND.replace("%s", '<include merge="true"><uri>part.sdf</uri></include>'))
    assert read(source).bodies.keys() >= {"a", "p::a"}
    assert of_rule(convert(source, tmp_path / "out.xml"), "sdf/merge-include-unsupported")


def test_what_is_merged_into_a_world_is_written_elsewhere(tmp_path: Path) -> None:
    put(tmp_path / "here", f'<sdf version="1.10"><model name="p">{link("a")}</model></sdf>', "part.sdf")
    inside = '<include merge="true"><uri>part.sdf</uri></include><model name="m"><link name="a"/></model>'
    source = put(tmp_path / "here", f'<sdf version="1.10"><world name="w">{inside}</world></sdf>')
    explained(convert(source, tmp_path / "there" / "out.sdf"))
    assert read(tmp_path / "there" / "out.sdf").bodies.keys() == read(source).bodies.keys()
