"""Parts of a patch: what they restore, and a patch without some of them."""

from __future__ import annotations

from ir.addresses import exists
from ir.derivations import derived_places, groups_with_origins, overtaken
from ir.diff import compare
from ir.patches import leaves, linked_places, without_places
from ir.plain import as_json
from ir.restore import restore
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Body,
    Channel,
    Constraint,
    Couple,
    Dof,
    DofKind,
    Hardware,
    Interface,
    Joint,
    Transmission,
)

COMMANDS = ("hardware/h", "channels", "j", "commands")


def robot() -> Scene:
    scene = Scene("r")
    for name in ("a", "b"):
        scene.add_body(Body(name=name))
    dofs = (Dof(name="j", kind=DofKind.HINGE, velocity=2.0),)
    scene.add_joint(Joint(name="j", parent="a", child="b", dofs=dofs))
    channel = Channel(name="j", commands=(Interface(name="effort"),), states=(Interface(name="position"),))
    scene.add("hardware", Hardware(name="h", kind="system", channels=(channel,)))
    scene.add("transmission", Transmission(name="t", kind="simple"))
    return scene


def written() -> Scene:
    """Return a robot with an actuator as its only drive, and an equality constraint."""
    scene = robot().evolve(tables={"hardware": [], "transmission": []})
    scene.add("actuator", Actuator(name="m", kind="motor", dof="j"))
    scene.add_constraint(Constraint(name="c", parent="b", child="b", spec=Couple(first="j")))
    return scene


ORIGINS = {("actuator/m",): (("transmission/t",), COMMANDS), ("constraint/c",): (("actuator/m",),)}


def test_what_was_made_is_paired_with_what_the_patch_brings_back():
    _, patch = compare(robot(), written())
    groups = derived_places(ORIGINS, written(), patch)
    (group,) = groups
    assert group[:2] == ([("actuator/m",), ("constraint/c",)], [("transmission/t",), COMMANDS])
    assert derived_places({("actuator/other",): (("transmission/t",),)}, written(), patch) == []
    assert derived_places({("actuator/m",): (("joint/b", "dofs", "0", "velocity"),)}, written(), patch) == []
    moved = [[("body/a",)], [("transmission/t",)]]
    assert groups_with_origins(ORIGINS, moved) == [moved[0], [("transmission/t",), ("actuator/m",), ("constraint/c",)]]


def test_deleting_one_lets_go_of_its_origins_and_leaves_the_others():
    _, patch = compare(robot(), written())
    groups = derived_places(ORIGINS, written(), patch)
    assert overtaken(written(), groups) == ([], [])
    edited = written().evolve(constraints=[])
    cut, origins = overtaken(edited, groups)
    assert origins == [("transmission/t",), COMMANDS]
    restored, stale = restore(edited, without_places(patch, cut, within=True))
    assert stale == []
    assert list(restored.tables["actuator"]) == ["m"]
    assert restored.tables["transmission"] == {}
    (channel,) = restored.tables["hardware"]["h"].channels
    assert (channel.commands, [state.name for state in channel.states]) == ((), ["position"])


def test_a_part_goes_alone_or_with_what_it_is_a_part_of():
    _, patch = compare(robot(), written())
    assert ("hardware/h",) in set(leaves(patch))
    assert "hardware/h" not in without_places(patch, [COMMANDS])
    assert "commands" not in without_places(patch, [COMMANDS], within=True)["hardware/h"]
    for absent in (("hardware/h", "channels", "k"), ("hardware/h", "channels", "j", "commands", "7", "name")):
        assert without_places(patch, [absent], within=True) == patch
    nested = {"joint/b": '{"dofs":{"0":{"lower":[0.0],"upper":[0.0]}}}'}
    assert without_places(nested, [("joint/b", "dofs", "0", "lower")]) == {"joint/b": '{"dofs":{"0":{"upper":[0.0]}}}'}
    assert without_places(nested, [("joint/b", "dofs", "0", name) for name in ("lower", "upper")]) == {}


def test_where_something_stands():
    scene = robot()
    for address in (("body/a",), ("joint/b", "dofs", "0", "velocity"), COMMANDS, ("body/world",)):
        assert exists(scene, address)
    for address in (("body/x",), ("joint/a",), ("joint/b", "dofs", "0", "mimic"), ("loop/j",), ("nothing/j",)):
        assert not exists(scene, address)
    assert not exists(scene, ("joint/b", "dofs", "1"))
    assert exists(written(), ("constraint/c", "spec"))


def test_a_patch_of_a_joint_is_not_of_another_that_holds_its_body():
    bare = robot().joints["j"].dofs[0]
    slow = robot().evolve(joints=[Joint(name="j", parent="a", child="b", dofs=(Dof(name="j", kind=DofKind.HINGE),))])
    _, patch = compare(robot(), slow)
    assert restore(slow, patch)[0].joints["j"].dofs == (bare,)
    free = (Dof(name="f", kind=DofKind.FREE),)
    loose = slow.evolve(joints=[Joint(name="f", parent=WORLD, child="b", dofs=free)])
    restored, stale = restore(loose, patch)
    assert (restored.joints["f"].dofs, stale) == (free, [("joint/b",)])


def test_what_is_said_beside_a_follower_and_that_it_follows_go_together():
    """An order of dofs is not one of the dofs, whatever they are called."""
    extra = {"format": "urdf", "path": "mimic[1]/@foo", "text": "1"}
    dofs = {"": ["mimic", "k"], "0": {"mimic": [{"dof": "a"}]}, "1": {"velocity": [2.0]}}
    patch = {"dofs": dofs, "extras": [[extra]]}
    place = ("joint/j", "dofs", "0", "mimic")
    assert linked_places({"joint/j": as_json(patch)}) == [(place, ("joint/j", "extras", "mimic[1]/@foo"))]
