"""Passes create unique names: models that already use those they would choose convert like all others."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert, read
from converters.passes import contacts
from ir.scene import Scene
from ir.types import ContactRule
from tests.formats.sdf_text import put, seen
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import complete, of_rule

HEAVY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
FORWARD = "<axis><xyz>0 0 1</xyz></axis>"


def urdf(links: str, *joints: str) -> str:
    """joints: name type parent child."""
    made = [f'<link name="{name}">{HEAVY}{BOX}</link>' for name in links.split()]
    for name, kind, parent, child in map(str.split, joints):
        limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>' if kind == "revolute" else ""
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        made.append(f'<joint name="{name}" type="{kind}">{ends}<axis xyz="0 0 1"/>{limit}</joint>')
    return f'<robot name="r">{"".join(made)}</robot>'


def sdf(links: str, *joints: str) -> str:
    """joints: name type parent child, and further content after a |."""
    made = [f'<link name="{name}"/>' for name in links.split()]
    for each in joints:
        words, _, more = each.partition("|")
        name, kind, parent, child = words.split()
        axis = more or (FORWARD if kind != "ball" else "")
        made.append(f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{axis}</joint>')
    return f'<sdf version="1.9"><model name="m">{"".join(made)}</model></sdf>'


def apart(path: Path) -> set[frozenset[str]]:
    """Return the pairs of bodies that MuJoCo excludes by name."""
    model = mujoco_model(path)
    return {frozenset(model.body(index).name for index in divmod(int(e), 1 << 16)) for e in model.exclude_signature}


NEIGHBOURS = {frozenset(("a", "b_c")), frozenset(("a_b", "c"))}
CLASHING = urdf("a a_b b_c c", "f fixed a a_b", "j1 revolute a b_c", "j2 revolute a_b c")


def test_pairs_whose_names_run_together_are_both_kept_apart(tmp_path: Path) -> None:
    put(tmp_path, CLASHING, "in.urdf")
    complete(convert(tmp_path / "in.urdf", tmp_path / "out.xml"))
    assert apart(tmp_path / "out.xml") == NEIGHBOURS
    convert(tmp_path / "out.xml", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(tmp_path / "in.urdf")


def test_so_are_those_of_a_body_that_collides_with_no_other(tmp_path: Path) -> None:
    put(tmp_path, CLASHING, "in.urdf")
    rules = '<disable_default_collisions link="a"/><disable_default_collisions link="a_b"/>'
    put(tmp_path, f'<robot name="r">{rules}</robot>', "in.srdf")
    complete(convert(tmp_path / "in.urdf", tmp_path / "out.xml"))
    every = {frozenset(pair) for pair in combinations(("a", "a_b", "b_c", "c"), 2)}
    assert apart(tmp_path / "out.xml") == every - {frozenset(("b_c", "c"))}


def masked(links: str) -> str:
    """Return a model whose links do not collide with each other, with masks of their own."""
    ball = "<geometry><sphere><radius>1</radius></sphere></geometry>"
    mask = "<surface><contact><collide_bitmask>3</collide_bitmask></contact></surface>"
    made = "".join(
        f'<link name="{name}"><self_collide>false</self_collide><collision name="c">{ball}{mask}</collision></link>'
        for name in links.split()
    )
    return f'<sdf version="1.9"><model name="m">{made}</model></sdf>'


def test_so_are_those_of_a_model_with_masks(tmp_path: Path) -> None:
    put(tmp_path, masked("a a_b b_c c"), "in.sdf")
    complete(convert(tmp_path / "in.sdf", tmp_path / "out.xml"))
    assert apart(tmp_path / "out.xml") == {frozenset(pair) for pair in combinations(("a", "a_b", "b_c", "c"), 2)}


def test_pairs_without_end_are_not_named_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contacts, "MOST_PAIRS", 5)
    put(tmp_path, masked("a b c d"), "in.sdf")
    report = complete(convert(tmp_path / "in.sdf", tmp_path / "out.xml"))
    assert apart(tmp_path / "out.xml") == set()
    (told,) = of_rule(report, "mjcf/self-collide")
    assert told.count == 4
    put(tmp_path, masked("a b c"), "in.sdf")
    report = complete(convert(tmp_path / "in.sdf", tmp_path / "out.xml"))
    assert len(apart(tmp_path / "out.xml")) == 3 and len(of_rule(report, "contacts/self-collide")) > 0


def test_two_entities_of_one_name_are_no_table() -> None:
    rule = ContactRule(name="same", first="a", second="b")
    with pytest.raises(ValueError, match="two entities named 'same'"):
        Scene("s").evolve(tables={"contact": [rule, rule]})


@pytest.mark.parametrize(
    ("model", "base", "dofs"),
    [
        (urdf("base a", "weld_base revolute base a"), "keep", 1),
        (urdf("base a", "base_free revolute base a"), "floating", 7),
        (urdf("base a b", "f floating base a", "f_TX revolute a b"), "keep", 7),
        (urdf("base a b", "f floating base a", "f_R revolute a b"), "keep", 7),
    ],
)
def test_a_urdf_with_our_names_is_an_mjcf(model: str, base: str, dofs: int, tmp_path: Path) -> None:
    put(tmp_path, model, "in.urdf")
    complete(convert(tmp_path / "in.urdf", tmp_path / "out.xml", options=Options(base=base)))
    assert mujoco_model(tmp_path / "out.xml").nv == dofs
    convert(tmp_path / "out.xml", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(tmp_path / "in.urdf")


def test_a_urdf_with_our_name_for_a_free_base_is_an_sdf(tmp_path: Path) -> None:
    put(tmp_path, urdf("base a", "base_free revolute base a"), "in.urdf")
    complete(convert(tmp_path / "in.urdf", tmp_path / "out.sdf"))
    assert set(seen(tmp_path / "out.sdf")["joints"]) == {"base_free"}
    convert(tmp_path / "out.sdf", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(tmp_path / "in.urdf")


LOCKED = "<axis><xyz>0 0 1</xyz><limit><lower>.2</lower><upper>.2</upper></limit></axis>"
PITCH = "<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>.5</screw_thread_pitch>"


@pytest.mark.parametrize(
    ("model", "equations", "joints"),
    [
        (sdf("A B C", f"j revolute A B|{LOCKED}", "k revolute A C", "lock_j ball B C"), 2, {"j", "k"}),
        (sdf("A B C", f"j screw A B|{PITCH}", "j_T revolute B C"), 1, {"j", "j_T", "j_T_1"}),
    ],
)
def test_an_sdf_with_our_names_is_an_mjcf(model: str, equations: int, joints: set[str], tmp_path: Path) -> None:
    put(tmp_path, model, "in.sdf")
    complete(convert(tmp_path / "in.sdf", tmp_path / "out.xml", options=Options(base="fixed")))
    found = mujoco_model(tmp_path / "out.xml")
    assert found.neq == equations
    assert {found.joint(number).name for number in range(found.njnt)} == joints


def test_an_sdf_with_our_names_is_a_urdf(tmp_path: Path) -> None:
    put(tmp_path, sdf("A B C D", f"j screw A B|{PITCH}", "j_T revolute B C", "j_T_link revolute C D"), "in.sdf")
    complete(convert(tmp_path / "in.sdf", tmp_path / "out.urdf"))
    assert check_urdf(tmp_path / "out.urdf") is None
    joints = etree.parse(tmp_path / "out.urdf").findall("joint")
    assert [joint.get("name") for joint in joints if joint.find("mimic") is not None] == ["j_T_1"]
    convert(tmp_path / "out.urdf", tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == read(tmp_path / "in.sdf")


def test_a_mocap_body_of_mjcf_whose_free_joint_would_have_the_name_of_another(tmp_path: Path) -> None:
    bodies = """<body name="a" mocap="true"><geom size="1"/></body>
      <body name="b"><joint name="a_free"/><geom size="1"/></body>"""
    put(tmp_path, f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", "in.xml")
    complete(convert(tmp_path / "in.xml", tmp_path / "out.sdf"))
    assert "a_free" in seen(tmp_path / "out.sdf")["joints"]
    convert(tmp_path / "out.sdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(tmp_path / "in.xml")
