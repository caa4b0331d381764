"""Which places of a patch are not applied, because what they refer to is gone, or what they remove is referenced."""

from __future__ import annotations

from ir.diff import compare
from ir.grounds import without_ground
from ir.plain import as_json, to_plain
from ir.restore import restore
from ir.scene import Scene
from ir.types import Actuator, Body, Dof, DofKind, Joint, Sensor


def robot(*bodies: str) -> Scene:
    """Return a scene of bodies, the others attached to the first by hinges named after them."""
    scene = Scene("r")
    for name in bodies:
        scene.add_body(Body(name=name))
    for name in bodies[1:]:
        dofs = (Dof(name=f"{name}_joint", kind=DofKind.HINGE),)
        scene.add_joint(Joint(name=f"{name}_joint", parent=bodies[0], child=name, dofs=dofs))
    return scene


def motor(dof: str) -> Actuator:
    return Actuator(name="m", kind="motor", dof=dof)


def found(folded: Scene, carried: dict[str, str], lost: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the places of a patch that have no ground in a document."""
    restored, edited = restore(folded, carried)
    return [*without_ground(restored, folded, carried, lost, edited)]


def brought(dof: str) -> dict[str, str]:
    return {"actuator/m": as_json([to_plain(motor(dof))])}


def test_what_a_patch_brings_stands_on_what_is_there() -> None:
    assert found(robot("a", "b"), brought("b_joint")) == []
    assert found(robot("a"), brought("b_joint")) == [("actuator/m",)]


def test_what_the_source_refers_to_in_vain_may_be_brought_so() -> None:
    assert found(robot("a"), brought("b_joint"), ("dof b_joint",)) == []


def test_what_somebody_refers_to_now_is_not_taken_away() -> None:
    folded = robot("a", "b", "made")
    _, taken = compare(robot("a", "b"), folded)
    assert found(folded, taken) == []
    folded.add("sensor", Sensor(name="s", kind="imu", body="made"))
    assert found(folded, taken) == [("body/made",)]
