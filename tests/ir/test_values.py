"""Payloads are values: equal and hashed by what they say, whatever their class leaves to Value."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import ir.types as types
from ir.plain import extras_in
from ir.types import (
    REQUIRED,
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
    slots,
)

PAYLOADS = [
    item for item in vars(types).values() if isinstance(item, type) and issubclass(item, Value) and item is not Value
]


@pytest.mark.parametrize("cls", PAYLOADS, ids=lambda cls: cls.__name__)
def test_every_payload_is_equal_to_one_that_says_the_same(cls: type):
    required = {slot.name: f"some {slot.name}" for slot in slots(cls) if slot.default is REQUIRED}
    one, other = cls(**required), cls(**required)
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one).startswith(f"{cls.__name__}(")
    for slot in slots(cls):
        changed = replace(one, **{slot.name: "another"})
        assert (changed == one) is (slot.mark is not None), slot.name
        assert (changed != one) is (slot.mark is None), slot.name
        with pytest.raises(AttributeError):
            setattr(one, slot.name, "another")


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
