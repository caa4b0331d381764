"""Payloads are values: equal and hashed by what they say, whatever their class leaves to Value."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import pytest

import ir.types as types
from ir.plain import extras_in
from ir.types import (
    Body,
    Box,
    Camera,
    Extra,
    Inertial,
    Pose,
    Source,
    Sphere,
    Transmission,
    TransmissionEnd,
    Value,
)

PAYLOADS = [item for item in vars(types).values() if isinstance(item, type) and is_dataclass(item)]


@pytest.mark.parametrize("cls", PAYLOADS, ids=lambda cls: cls.__name__)
def test_every_payload_is_equal_to_one_that_says_the_same(cls: type):
    required = {item.name: f"some {item.name}" for item in fields(cls) if str(item.default).startswith("<dataclasses")}
    one, other = cls(**required), cls(**required)
    assert issubclass(cls, Value)
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one).startswith(f"{cls.__name__}(")
    for item in fields(cls):
        changed = replace(one, **{item.name: "another"})
        assert (changed == one) is not item.compare, item.name


def test_notation_and_sources_are_no_part_of_a_value():
    assert Pose(rpy=(0.0, 0.0, 0.0)) == Pose()
    assert Extra(format="x", path="a", text="b", source=Source("f", 1, "/")) == Extra(format="x", path="a", text="b")


def test_values_of_two_classes_are_not_equal():
    assert Sphere(radius=1.0) != Box(size=(1.0, 1.0, 1.0))
    assert Body(name="a") != types.Frame(name="a")
    assert Body(name="a") != "a"


def test_extras_are_found_wherever_they_stand():
    extra = Extra(format="urdf", path="x[1]", text="<x/>", index=0)
    body = Body(
        name="arm",
        extras=(extra,),
        inertial=Inertial(mass=1.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0), extras=(extra,)),
        cameras=(Camera(name="eye", extras=(extra,)),),
    )
    ends = (TransmissionEnd(name="wrist"), TransmissionEnd(name="elbow", extras=(extra,)))
    transmission = Transmission(name="gears", kind="simple", joints=ends)
    assert {path: (owner, found) for path, owner, found in extras_in(body, ("body", "arm"))} == {
        ("body", "arm", "extras"): (body, extra),
        ("body", "arm", "inertial", "extras"): (body.inertial, extra),
        ("body", "arm", "cameras", "eye", "extras"): (body.cameras[0], extra),
    }
    assert [path for path, _, _ in extras_in(transmission)] == [("joints", "1", "extras")]
