"""The graph: what it refuses, how it is traversed, and that a changed scene shares what did not change."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings

from ir.diff import compare
from ir.restore import restore
from ir.scene import Scene
from ir.scenery import body_as_world
from ir.scopes import of_frame, paths
from ir.types import WORLD, Body, Connect, Constraint, ContactRule, Frame, Geom, Joint, Material, Scope
from tests.strategies import scenes

FAST = settings(max_examples=20)


def tree() -> Scene:
    """Return world - a - (b - d, c), and e on its own."""
    scene = Scene("tree")
    for name in "abcde":
        scene.add_body(Body(name=name))
    for parent, child in ((WORLD, "a"), ("a", "b"), ("a", "c"), ("b", "d")):
        scene.add_joint(Joint(name=f"to_{child}", parent=parent, child=child))
    return scene


@FAST
@given(scenes())
def test_evolving_without_a_change_shares_every_payload(scene: Scene):
    same = scene.evolve()
    assert same == scene
    assert all(same.body(name) is scene.body(name) for name in scene.bodies)
    assert all(same.joints[name] is joint for name, joint in scene.joints.items())
    assert all(
        same.tables[kind][name] is entity for kind, table in scene.tables.items() for name, entity in table.items()
    )


@FAST
@given(scenes())
def test_adding_to_an_evolved_scene_leaves_the_first_alone(scene: Scene):
    before = repr(scene)
    other = scene.evolve()
    other.add_body(Body(name="QQQ"))
    other.add("material", Material(name="QQQ"))
    assert repr(scene) == before
    assert other != scene


def test_an_evolved_scene_still_has_its_carried_data_until_that_is_applied():
    scene = Scene("robot")
    scene.carried = compare(Scene("author's"), scene)[1]
    other = scene.evolve(name="other")
    assert other.carried == scene.carried
    other.carried.clear()
    restored, _ = restore(scene, scene.carried)
    assert (restored.name, restored.carried) == ("author's", {})
    assert scene.carried


@FAST
@given(scenes())
def test_the_walk_reaches_every_body_once_after_its_parent(scene: Scene):
    seen: set[str] = set()
    for joint, body in scene.walk():
        assert body.name not in seen
        assert joint is None or joint.parent in seen
        seen.add(body.name)
    assert seen == set(scene.graph)


@FAST
@given(scenes())
def test_the_tree_is_a_forest_over_all_bodies(scene: Scene):
    assert nx.is_branching(nx.MultiDiGraph(scene.tree()))
    assert set(scene.tree()) == set(scene.graph)


def test_the_walk_goes_deep_before_wide_in_document_order():
    assert [body.name for _, body in tree().walk()] == [WORLD, "a", "b", "d", "c", "e"]


def test_a_body_without_a_joint_is_a_root_that_is_not_specified():
    assert tree().roots() == ["e"]


def test_bodies_come_in_document_order_and_the_world_last():
    assert list(tree().bodies) == [*"abcde", WORLD]


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (Joint(name="to_a", parent="a", child="e"), "two joints named 'to_a'"),
        (Joint(name="new", parent="a", child="QQQ"), "names the body 'QQQ', which does not exist"),
        (Joint(name="new", parent="c", child="d"), "body 'd' has two parents: 'to_d', 'new'"),
    ],
)
def test_a_joint_that_cannot_be_is_refused(joint: Joint, message: str):
    with pytest.raises(ValueError, match=message):
        tree().add_joint(joint)


def test_a_taken_name_is_refused():
    scene = tree()
    scene.add("material", Material(name="red"))
    with pytest.raises(ValueError, match="two bodies named 'a'"):
        scene.add_body(Body(name="a"))
    with pytest.raises(ValueError, match="two entities named 'red' among material"):
        scene.add("material", Material(name="red"))


def test_what_is_no_body_leaves_the_scene_as_it_was():
    scene = tree()
    before = [*scene.bodies]
    with pytest.raises(AttributeError):
        scene.add_body({"name": "b"})  # type: ignore[arg-type]
    assert [*scene.bodies] == before


def test_the_world_can_be_filled_once():
    scene = tree()
    scene.add_body(Body(name=WORLD, gravity=0.0))
    with pytest.raises(ValueError, match="two bodies named 'world'"):
        scene.add_body(Body(name=WORLD))


def test_a_joint_and_a_constraint_of_one_name_are_two_edges():
    scene = tree()
    scene.add_constraint(Constraint(name="to_b", parent="a", child="b", spec=Connect()))
    assert len(scene.graph.edges("a")) == 3
    assert scene.joint_of("b") is scene.joints["to_b"]


@FAST
@given(scenes())
def test_the_networkx_graph_holds_every_body_joint_and_constraint(scene: Scene):
    assert dict(scene.graph.nodes(data="body")) == scene.bodies
    edges = {key: (parent, child, held) for parent, child, key, held in scene.graph.edges(keys=True, data=True)}
    for name, joint in scene.joints.items():
        assert edges.pop(name) == (joint.parent, joint.child, {"joint": joint})
    for name, each in scene.constraints.items():
        assert edges.pop(f"constraint {name}") == (each.parent, each.child, {"constraint": each})
    assert not edges
    assert {name: scene.degree(name) for name in scene.bodies} == dict(scene.graph.degree)


def test_the_networkx_graph_follows_what_is_added_and_takes_nothing_itself():
    scene = tree()
    before = scene.graph
    scene.add_body(Body(name="f"))
    scene.add_joint(Joint(name="to_f", parent="e", child="f"))
    assert nx.descendants(scene.graph, "e") == {"f"}
    assert "f" not in before
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        scene.graph.add_node("g")


def test_a_scene_shows_itself_by_names_alone() -> None:
    bodies, joints = "['a', 'b', 'c', 'd', 'e', 'world']", "['to_a', 'to_b', 'to_c', 'to_d']"
    assert repr(tree()) == f"Scene('tree', bodies={bodies}, joints={joints}, tables={{}})"


def test_two_constraints_of_one_name_are_refused_and_only_a_scene_equals_a_scene():
    scene = tree()
    scene.add_constraint(Constraint(name="c", parent="a", child="e", spec=Connect()))
    with pytest.raises(ValueError, match="two constraints named 'c'"):
        scene.add_constraint(Constraint(name="c", parent="b", child="e", spec=Connect()))
    assert scene != "tree"


def test_scopes_of_which_only_a_body_tells_are_scopes_too():
    scene = Scene("nested")
    scene.add_body(Body(name="a::b::link", scope="a::b"))
    assert paths(scene) == {"", "a", "a::b"}


def test_a_frame_of_the_world_is_of_the_model_in_a_static_one_that_its_name_says():
    scene = Scene("nested")
    frame = Frame(name="a::b::frame")
    for static, scope in ((True, "a::b"), (False, "")):
        outer = [Scope(name="a", parent="", static=static), Scope(name="a::b", parent="a")]
        whole = scene.evolve(tables={"scope": outer})
        assert of_frame(frame, whole.body(WORLD), whole, paths(whole)) == scope


def test_only_what_is_there_for_its_geoms_alone_stands_in_the_world_itself():
    geom = Geom(name="g", role="visual", shape=None)
    for body, others, grounded in (
        (Body(name="shelf", geoms=(geom,)), [], True),
        (Body(name="shelf", geoms=(geom,), gravity=0.5), [], False),
        (Body(name="shelf", geoms=(geom,)), [ContactRule(name="c", first="shelf", second="lid")], False),
    ):
        scene = Scene("r")
        scene.add_body(body)
        scene.add_body(Body(name="lid"))
        scene.add_joint(Joint(name="weld", parent=WORLD, child="shelf"))
        scene = scene.evolve(tables={"contact": others})
        assert ("shelf" not in body_as_world(scene, "shelf").bodies) is grounded
