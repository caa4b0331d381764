"""Every reference is found, and renaming reaches all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ir.refs import KINDS, declared, entities, references, rename, resolve
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Block,
    Body,
    Box,
    Channel,
    Constraint,
    ContactRule,
    Couple,
    Dof,
    DofKind,
    Geom,
    Hardware,
    Joint,
    Keyframe,
    Mesh,
    Mimic,
    Scope,
    Sensor,
    Tendon,
    TendonPoint,
    Transmission,
    TransmissionEnd,
)
from tests.strategies import scenes

FAST = settings(max_examples=20)


def arm() -> Scene:
    """Return a scene with one item of every kind that references something."""
    scene = Scene("arm")
    mesh = Geom(name="shell", role="visual", shape=Mesh(asset="mesh"), material="red")
    scene.add_body(Body(name="base", geoms=(mesh,), scope="left"))
    scene.add_body(Body(name="tip", geoms=(Geom(name="pad", role="collision", shape=Box(size=(1.0, 1.0, 1.0))),)))
    dofs = (Dof(name="q", kind=DofKind.HINGE), Dof(name="r", kind=DofKind.SLIDE, mimic=Mimic(dof="q")))
    scene.add_joint(Joint(name="q", parent="base", child="tip", dofs=dofs))
    scene.add_constraint(Constraint(name="c", parent="tip", child="tip", spec=Couple(first="q", second="r")))
    scene.add("scope", Scope(name="left", canonical="base"))
    scene.add("actuator", Actuator(name="q", kind="motor", dof="q"))
    ends = (TransmissionEnd(name="q"),)
    scene.add("transmission", Transmission(name="t", kind="simple", joints=ends, actuators=ends))
    channels = (Channel(name="q"), Channel(name="q", kind="gpio"))
    scene.add("hardware", Hardware(name="h", kind="system", channels=channels))
    scene.add("sensor", Sensor(name="s", kind="joint", body="tip", target="q"))
    points = (TendonPoint(kind="joint", target="q", value=1.0), TendonPoint(kind="pulley"))
    scene.add("tendon", Tendon(name="cable", kind="fixed", points=points))
    scene.add("contact", ContactRule(name="never", first="base", second="tip"))
    scene.add("contact", ContactRule(name="always", first="shell", second="pad", include=True))
    scene.add("keyframe", Keyframe(name="home", positions=(("q", (1.0,)),), controls=(("q", (2.0,)),)))
    scene.add("block", Block(name="gazebo", dialect="gazebo", target="tip"))
    return scene


def all_references(scene: Scene) -> list[tuple[str, str, str]]:
    return [
        (f"{kind}/{entity.name}.{path}", what, name)
        for kind, entity in entities(scene)
        for path, what, name in references(entity)
    ]


def test_references_are_found_at_any_depth():
    body, joint = arm().body("base"), arm().joints["q"]
    assert references(body) == [
        ("geoms.shell.shape.asset", "asset", "mesh"),
        ("geoms.shell.material", "material", "red"),
        ("scope", "scope", "left"),
    ]
    assert references(joint) == [("parent", "body", "base"), ("child", "body", "tip"), ("dofs.1.mimic.dof", "dof", "q")]


def test_what_a_field_names_may_hang_on_its_owner():
    tables = arm().tables
    assert references(tables["contact"]["never"]) == [("first", "body", "base"), ("second", "body", "tip")]
    assert references(tables["contact"]["always"]) == [("first", "geom", "shell"), ("second", "geom", "pad")]
    assert references(tables["hardware"]["h"]) == [("channels.0.name", "dof", "q")]
    assert references(tables["tendon"]["cable"]) == [("points.0.target", "dof", "q")]
    assert references(tables["transmission"]["t"]) == [("joints.0.name", "dof", "q")]


def test_a_field_that_may_name_several_kinds_means_the_first_that_exists():
    names = declared(arm())
    assert resolve(names, "joint|body", "tip") == "body"
    assert resolve(names, "dof|joint", "q") == "dof"
    assert resolve(names, "joint|body", "QQQ") is None


def test_renaming_a_dof_reaches_everything_that_names_it_and_nothing_else():
    renamed = rename(arm(), "dof", {"q": "elbow"})
    changed = {a[0] for a, b in zip(all_references(arm()), all_references(renamed), strict=True) if a != b}
    assert changed == {
        "joint/q.dofs.1.mimic.dof",
        "constraint/c.spec.first",
        "actuator/q.dof",
        "transmission/t.joints.0.name",
        "hardware/h.channels.0.name",
        "sensor/s.target",
        "tendon/cable.points.0.target",
        "keyframe/home.positions.0.0",
    }
    assert list(renamed.joints) == ["q"]
    assert list(renamed.tables["actuator"]) == ["q"]


def test_a_parameter_that_a_reader_knows_to_name_something_follows_and_nothing_stands_on_it():
    scene = arm()
    said = (("refname", "tip"), ("note", "tip"), ("gone", "tip"))
    naming = (("refname", "body"), ("gone", "frame"), ("target", "body"))
    scene.add("sensor", Sensor(name="pose", kind="pose", target="tip", parameters=said, naming=naming))
    assert references(scene.tables["sensor"]["pose"]) == [("target", "body", "tip")]
    renamed = rename(scene, "body", {"tip": "end"}).tables["sensor"]["pose"]
    assert renamed.parameters == (("refname", "end"), ("note", "tip"), ("gone", "tip"))
    assert renamed.target == "end"


def test_renaming_a_body_reaches_its_edges_in_the_graph():
    renamed = rename(arm(), "body", {"base": "foot"})
    assert list(renamed.graph.edges) == [("foot", "tip", "q"), ("tip", "tip", "constraint c")]
    assert renamed.tables["scope"]["left"].canonical == "foot"


def test_two_names_can_be_exchanged():
    swapped = rename(arm(), "body", {"base": "tip", "tip": "base"})
    assert (swapped.joints["q"].parent, swapped.joints["q"].child) == ("tip", "base")


@pytest.mark.parametrize(
    ("kind", "mapping", "message"),
    [
        ("QQQ", {}, "no kind 'QQQ'"),
        ("body", {"QQQ": "x"}, "no body named 'QQQ'"),
        ("body", {WORLD: "x"}, "the world cannot be renamed"),
        ("body", {"base": "tip"}, "would both be named 'tip'"),
        ("body", {"base": "world"}, "would both be named 'world'"),
        ("dof", {"q": "x", "r": "x"}, "would both be named 'x'"),
    ],
)
def test_a_renaming_that_cannot_be_is_refused(kind: str, mapping: dict[str, str], message: str):
    with pytest.raises(ValueError, match=message):
        rename(arm(), kind, mapping)


def test_what_is_not_renamed_is_shared():
    scene = arm()
    renamed = rename(scene, "body", {"tip": "end"})
    assert renamed.body("base") is scene.body("base")
    assert renamed.tables["actuator"]["q"] is scene.tables["actuator"]["q"]
    assert renamed.body("end").geoms is scene.body("tip").geoms


@FAST
@given(scenes())
def test_renaming_and_renaming_back_is_nothing(scene: Scene):
    for kind in sorted(set(KINDS.values())):
        names = sorted(declared(scene)[kind] - {WORLD})
        there = rename(scene, kind, {name: f"new {name}" for name in names})
        assert rename(there, kind, {f"new {name}": name for name in names}) == scene
        assert (there == scene) == (not names)
