"""Bodies that are welded together: MuJoCo treats them as one body when it filters parent and child, while Gazebo, Drake
and glTF filter only the two bodies of a joint."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.comparing import compare
from converters.context import Options
from converters.convert import convert
from converters.report.model import Action
from tests.formats.sdf_text import axis, converted, joint, link, put, rules, sdf, xml
from tests.formats.uncarried import bare
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model, touching
from tests.reports import complete, of_rule

BALL = '<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>'
GEOM = '<geom type="sphere" size="1"/>'
SWITCH = "<self_collide>true</self_collide>"
LINKS = "".join(link(f"a{number}", f"{number / 10} 0 0 0 0 0", BALL) for number in range(1, 5))
JOINTS = f"{joint('j', 'a1', 'a2')}{joint('w', 'a2', 'a3', '', 'fixed')}{joint('k', 'a3', 'a4', axis('0 1 0'))}"
CHAIN = f"{SWITCH}{LINKS}{JOINTS}"
WELDED = f"""<mujoco><worldbody><body name="a1"><freejoint/>{GEOM}<body name="a2" pos=".1 0 0"><joint name="j"/>{GEOM}
<body name="a3" pos=".1 0 0">{GEOM}<body name="a4" pos=".1 0 0"><joint name="k"/>{GEOM}</body></body></body></body>
</worldbody></mujoco>"""
HIDDEN = {frozenset(("a1", "a3")), frozenset(("a2", "a4"))}
"""Pairs that are not joined, but that MuJoCo does not let collide."""
FAR = {frozenset(("a1", "a4"))}


def meeting(path: Path, samples: int = 4) -> set[frozenset[str]]:
    """Return the pairs of bodies with contacts in MuJoCo in random configurations."""
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    generator = np.random.default_rng(15)
    found = set()
    for _ in range(samples):
        hinges = model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE
        data.qpos[model.jnt_qposadr[hinges]] = generator.uniform(-0.3, 0.3, int(hinges.sum()))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        found |= touching(data)
    return found


def in_drake(path: Path) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in drake_reads(path, touch=True)["touch"]}


def in_khr(path: Path) -> set[frozenset[str]]:
    """Return the pairs of nodes of a .gltf whose filters allow collision, by the draft, except joined ones."""
    document = json.loads(path.read_text())
    table = document["extensions"]["KHR_physics_rigid_bodies"].get("collisionFilters", [])
    rules = {}
    for node in document["nodes"]:
        collider = node.get("extensions", {}).get("KHR_physics_rigid_bodies", {}).get("collider")
        if collider is not None:
            filtered = collider.get("collisionFilter")
            rules[node["name"][:2]] = {} if filtered is None else table[filtered]

    def lets(one: dict[str, list[str]], other: dict[str, list[str]]) -> bool:
        own = set(other.get("collisionSystems", []))
        if "collideWithSystems" in one:
            return bool(own & set(one["collideWithSystems"]))
        return not own & set(one.get("notCollideWithSystems", []))

    joined = ({"a1", "a2"}, {"a2", "a3"}, {"a3", "a4"})
    return {
        frozenset((a, b))
        for a, b in combinations(sorted(rules), 2)
        if {a, b} not in joined and lets(rules[a], rules[b]) and lets(rules[b], rules[a])
    }


def test_all_of_a_model_touch_in_mujoco_but_for_joined_pairs(tmp_path: Path):
    source = put(tmp_path, sdf(CHAIN))
    report, path = converted(tmp_path, source, "out.xml")
    assert "contacts/weld-groups" in rules(complete(report))
    assert meeting(path) == HIDDEN | FAR
    # Drake takes bodies that are welded to each other as one as well, but not their neighbours' neighbours
    assert in_drake(source) == HIDDEN | FAR
    assert xml(path).xpath("option/flag/@filterparent") == ["disable"]
    assert {frozenset(each.attrib.values()) for each in xml(path).iter("exclude")} == {
        frozenset(("a1", "a2")),
        frozenset(("a3", "a4")),
    }
    assert compare(source, path) == compare(source, bare(path)) == []
    usual = put(tmp_path, bare(path).read_text().replace('"disable"', '"enable"'), "usual.xml")
    assert meeting(usual) == FAR
    assert {each.what for each in compare(source, usual)} == {"contacts"}
    _, back = converted(tmp_path, path, "back.sdf")
    _, own = converted(tmp_path, source, "own.sdf")
    assert back.read_bytes() == own.read_bytes()


@pytest.mark.parametrize("text", [CHAIN.replace(SWITCH, ""), CHAIN.replace("revolute", "fixed")])
def test_where_it_makes_no_difference_nothing_is_said(text: str, tmp_path: Path):
    report, path = converted(tmp_path, sdf(text), "out.xml")
    assert "contacts/weld-groups" not in rules(report)
    assert xml(path).find("option/flag") is None
    assert meeting(path) == set()


def test_the_bodies_of_a_joint_that_closes_a_loop_do_not_touch(tmp_path: Path):
    """<self_collide> applies to links "except those connected by a joint" (model.sdf); the shorter path attaches a4."""
    more = f"{link('b1', '.2 0 0 0 0 0', BALL)}{joint('l', 'a1', 'b1')}{joint('loop', 'b1', 'a4', axis('0 1 0'))}"
    source = put(tmp_path, sdf(CHAIN + more))
    report, path = converted(tmp_path, source, "out.xml")
    (told,) = of_rule(complete(report), "contacts/loop")
    assert (told.action, told.where) == (Action.DERIVED, "contact/exclude_a3_a4")
    others = {frozenset(("b1", name)) for name in ("a2", "a3")}
    assert mujoco_model(path).neq == 2
    assert meeting(path) == HIDDEN | FAR | others
    _, again = converted(tmp_path, bare(path), "again.xml")
    assert meeting(again) == HIDDEN | FAR | others
    _, back = converted(tmp_path, path, "back.sdf")
    _, own = converted(tmp_path, source, "own.sdf")
    assert back.read_bytes() == own.read_bytes()


def test_a_loop_in_a_block_for_gazebo_keeps_its_links_apart(tmp_path: Path):
    shape = "<collision><geometry><sphere radius='1'/></geometry></collision>"
    inertia = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    links = "".join(f"<link name='{name}'>{inertia}{shape}</link>" for name in "abcd")
    joints = "".join(
        f"<joint name='{one}{two}' type='continuous'><parent link='{one}'/><child link='{two}'/></joint>"
        for one, two in ("ab", "bc", "ad")
    )
    ends = "<parent>d</parent><child>c</child><axis><xyz>1 0 0</xyz></axis>"
    block = f"<gazebo><joint name='dc' type='revolute'>{ends}</joint></gazebo>"
    for more, found in ((block, {"bd", "ac"}), ("", {"bd", "ac", "dc"})):
        source = put(tmp_path, f"<robot name='r'>{links}{joints}{more}</robot>", "source.urdf")
        report, path = converted(tmp_path, source, "out.xml", Options(base="floating"))
        assert len(of_rule(complete(report), "contacts/loop")) == bool(more)
        assert meeting(path) == {frozenset(pair) for pair in found}
        _, back = converted(tmp_path, path, "back.urdf")
        assert compare(source, back) == []


def test_models_that_are_joined_touch_but_for_the_pair(tmp_path: Path):
    """A hand on a wrist, which is another model: only the two links of the joint do not collide."""
    hand = f'<model name="hand">{link("palm", "0 0 0 0 0 0", BALL)}{link("cover", "0 0 0 0 0 0", BALL)}'
    hand += f"{joint('w', 'palm', 'cover', '', 'fixed')}</model>"
    text = sdf(f"{link('wrist', '', BALL)}{hand}{joint('j', 'wrist', 'hand::palm')}")
    _, path = converted(tmp_path, text, "out.xml")
    assert meeting(path) == {frozenset(("wrist", "hand::cover"))}


def test_what_mujoco_keeps_apart_is_said_to_others(tmp_path: Path):
    source = put(tmp_path, WELDED, "source.xml")
    assert meeting(source) == FAR
    report, path = converted(tmp_path, source, "out.urdf")
    assert "mjcf/weld-groups" in rules(complete(report))
    pairs = etree.parse(tmp_path / "out.srdf").iter("disable_collisions")
    assert {frozenset((each.get("link1"), each.get("link2"))) for each in pairs} == HIDDEN
    report, path = converted(tmp_path, source, "out.sdf")
    assert {each.action for each in of_rule(complete(report), "contacts/bitmask")} == {"derived"}
    assert in_drake(path) == HIDDEN | FAR, "Drake knows nothing of the bits that keep them apart in Gazebo"
    assert "contacts" not in {each.what for each in compare(source, bare(path))}
    _, path = converted(tmp_path, source, "out.gltf")
    assert in_khr(path) == FAR
    for name in ("out.urdf", "out.sdf", "out.gltf"):
        assert compare(source, tmp_path / name) == []
        _, back = converted(tmp_path, tmp_path / name, "back.xml")
        convert(source, tmp_path / "own.mjcf")
        assert back.read_bytes() == (tmp_path / "own.mjcf").read_bytes()


def test_where_parents_and_children_touch_in_mujoco_nothing_is_kept_apart(tmp_path: Path):
    flag = '<mujoco><option><flag filterparent="disable"/></option>'
    source = put(tmp_path, WELDED.replace("<mujoco>", flag), "source.xml")
    report, _ = converted(tmp_path, source, "out.urdf")
    assert meeting(source) >= HIDDEN | FAR
    assert "mjcf/weld-groups" not in rules(report)
    assert not (tmp_path / "out.srdf").exists()


def test_the_bodies_of_a_joint_that_touch_in_mujoco_are_told_where_they_cannot(tmp_path: Path):
    """mj_filterBodyPair does not filter a child and a parent welded to the world: a door touches its frame."""
    source = put(tmp_path, WELDED.replace("<freejoint/>", ""), "source.xml")
    pair = frozenset(("a1", "a2"))
    assert meeting(source) == FAR | {pair, frozenset(("a1", "a3"))}
    report, path = converted(tmp_path, source, "out.sdf")
    assert pair not in in_drake(path)
    (told,) = of_rule(complete(report), "sdf/contact")
    assert (told.action, told.where) == (Action.CARRIED, "contact/touch_a1_a2")
    _, back = converted(tmp_path, path, "back.xml")
    assert meeting(back) == meeting(source)
    _, path = converted(tmp_path, source, "out.gltf")
    nodes = json.loads(path.read_text())["nodes"]
    joints = [each.get("extensions", {}).get("KHR_physics_rigid_bodies", {}).get("joint") for each in nodes]
    assert [each.get("enableCollision", False) for each in joints if each] == [True, False, False]
    report, _ = converted(tmp_path, source, "out.urdf")
    assert "mjcf/touching-parent" not in rules(report), "each program decides for itself"
