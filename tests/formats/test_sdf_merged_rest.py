"""What is merged into another model besides links, judged by libsdformat."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from converters.context import Options
from tests.formats.sdf_text import converted, put
from tests.oracles import sdf_elements
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import explained

GRIPPER = """<gripper name="%s"><grasp_check><detach_steps>40</detach_steps></grasp_check><gripper_link>b</gripper_link>
<palm_link>a</palm_link></gripper>"""
INSIDE = f"""<sdf version="1.9"><model name="inc" own:said="1">
<self_collide>true</self_collide><link name="a"/><link name="b"/>
<joint name="j" type="ball"><parent>a</parent><child>b</child></joint>{GRIPPER % "g"}<own:word>3</own:word>
<plugin name="p" filename="p.so"/><strange>3</strange></model></sdf>"""
MERGED = '<include merge="true"><uri>inc</uri><name>k</name></include>'
PARENTS = {
    "a model": f'<model name="m"><link name="l"/>{MERGED}</model>',
    "a model with a gripper": f'<model name="m"><link name="l"/>{MERGED}{GRIPPER % "h"}</model>',
    "a model inside": f'<model name="m"><link name="l"/><model name="n">{MERGED}</model></model>',
    "a model of a world": f'<world name="w"><model name="m">{MERGED}</model></world>',
}


def folder(tmp_path: Path, parent: str) -> Path:
    put(tmp_path, "<model><name>inc</name><sdf version='1.9'>model.sdf</sdf></model>", "inc/model.config")
    put(tmp_path, INSIDE, "inc/model.sdf")
    return put(tmp_path, f'<sdf version="1.9">{parent}</sdf>')


def grippers(document: str) -> list[str]:
    """Return grippers and foreign elements, with the names of their models."""
    root = etree.fromstring(document.encode(), etree.XMLParser(recover=True))
    return sorted(
        re.sub(r"\s+", "", f"{each.getparent().get('name')} {each.tag} {''.join(each.itertext())}")
        for each in root.iter("gripper", "own:word", "{*}word", "strange")
        if each.getparent().tag == "model"
    )


@pytest.mark.parametrize("parent", PARENTS.values(), ids=PARENTS.keys())
@pytest.mark.parametrize("version", ["1.9", "1.8", "1.11"])
def test_it_stands_where_libsdformat_puts_it(tmp_path: Path, parent: str, version: str) -> None:
    source = folder(tmp_path, parent)
    theirs = sdformat_expands(source, [tmp_path])
    assert not theirs["errors"] and grippers(theirs["document"])
    (tmp_path / "away").mkdir()
    _, there = converted(tmp_path / "away", source, "out.sdf", Options(sdf_version=version))
    assert "<include" not in there.read_text().partition("<kinegraph")[0]
    assert grippers(there.read_text().partition("<kinegraph")[0] + "</sdf>") == grippers(theirs["document"])


@pytest.mark.parametrize("parent", PARENTS.values(), ids=PARENTS.keys())
@pytest.mark.parametrize("form", ["sdf", "xml", "urdf", "glb"])
def test_the_include_comes_back(tmp_path: Path, parent: str, form: str) -> None:
    source = folder(tmp_path, parent)
    _, there = converted(tmp_path, source, f"there.{form}")
    _, back = converted(tmp_path, there, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []


@pytest.mark.parametrize("parent", PARENTS.values(), ids=PARENTS.keys())
def test_what_is_left_over_inside_of_the_include_makes_no_other_one(tmp_path: Path, parent: str) -> None:
    """Content of params that libsdformat ignores, and a foreign element."""
    more = '<experimental:params><link element_id="a" action="add"><sensor/></link></experimental:params><own:word/>'
    source = folder(tmp_path, parent.replace("</name></include>", f"</name>{more}</include>"))
    (tmp_path / "away").mkdir()
    report, there = converted(tmp_path / "away", source, "out.sdf")
    explained(report)
    assert "<include" not in there.read_text().partition("<kinegraph")[0]
    _, back = converted(tmp_path, there, "back.sdf")
    assert [*sdf_elements.differences(source, back)] == []
