"""The tree as SVG: it has every link and joint, names are escaped, and long chains are bounded."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from msgspec.structs import replace

import converters
from converters.drawing import DEEPEST, svg
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Joint, Mimic

NAME = "{http://www.w3.org/2000/svg}"


def chain(count: int) -> Scene:
    scene = Scene("chain")
    scene.add_body(Body(name="l0"))
    for number in range(1, count):
        scene.add_body(Body(name=f"l{number}"))
        dof = Dof(name=f"j{number}", kind=DofKind.HINGE)
        scene.add_joint(Joint(name=f"j{number}", parent=f"l{number - 1}", child=f"l{number}", dofs=(dof,)))
    return scene


def titles(text: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(text).iter(f"{NAME}title")]


def test_every_link_and_joint_is_there(made: Path):
    scene = converters.read(made / "feature_wheeled.urdf")
    found = titles(svg(scene))
    assert {name for name in scene.bodies if name != WORLD} <= set(found)
    assert {each.partition(":")[0] for each in found if ": " in each} >= set(scene.joints)


def test_limits_and_leaders_are_told():
    scene = chain(3)
    hinge = scene.joints["j1"]
    told = replace(hinge.dofs[0], lower=-1.0, upper=0.5), replace(hinge.dofs[0], mimic=Mimic(dof="j1"), name="j2")
    joints = [replace(joint, dofs=(dof,)) for joint, dof in zip(scene.joints.values(), told, strict=True)]
    found = titles(svg(scene.evolve(joints=joints)))
    assert [each.partition(", ")[2] for each in found if each[0] == "j"] == ["-1 to 0.5 rad", "follows j1"]


def test_loops_are_dashed(made: Path):
    text = svg(converters.read(made / "feature_sdf_loop.sdf"))
    assert len(re.findall(r'class="line loop"', text)) == 1


def test_names_are_text_and_never_markup():
    scene = Scene("<script>&")
    scene.add_body(Body(name="<a href='x'>\x1b\x00&\"]]>"))
    scene.add_body(Body(name="b"))
    scene.add_joint(Joint(name="</text><script/>", parent="<a href='x'>\x1b\x00&\"]]>", child="b"))
    root = ElementTree.fromstring(svg(scene))
    tags = {each.tag.removeprefix(NAME) for each in root.iter()}
    assert tags == {"svg", "title", "style", "rect", "path", "text", "g"}


def test_a_long_chain_is_neither_wide_nor_large():
    text = svg(chain(10_000))
    root = ElementTree.fromstring(text)
    assert float(root.attrib["width"]) < 3000
    assert len(text) < 10_000_000
    assert text.count("(see below)") == (10_000 - 2) // DEEPEST


def test_a_model_without_links_is_a_picture():
    assert ElementTree.fromstring(svg(Scene("nothing"))).tag == f"{NAME}svg"
