"""Payloads are values: equal and hashed by content, whatever their class leaves to Value."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import ir.types as types
from ir.plain import extras_in, fingerprint, from_plain, has_fingerprint, to_plain
from ir.types import (
    REQUIRED,
    Actuator,
    Body,
    Box,
    Camera,
    Couple,
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


@pytest.mark.parametrize(
    ("value", "same", "another"),
    [
        (Pose((0.0, 0.0, -0.29999999999999993)), Pose((0.0, 0.0, -0.3)), Pose((0.0, 0.0, -0.3001))),
        (Pose((0.1234567, 2.0, 0.0)), Pose((0.123457, 2.0, 0.0)), Pose((0.123457, 2.0, 0.1))),
        (Pose(rot=(0.9999999999999999, 0.0, 0.0, 0.0)), Pose(), Pose(rot=(0.0, 1.0, 0.0, 0.0))),
        (Sphere(radius=1000000000.0), Sphere(radius=1e9), Sphere(radius=1000000002.0)),
        (Sphere(radius=0.125), Sphere(radius=0.125), Sphere(radius=0.125001)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_value_is_known_but_for_digits_that_a_tool_does_not_save(value: Value, same: Value, another: Value):
    kept = fingerprint(value)
    assert has_fingerprint(value, kept)
    assert has_fingerprint(same, kept)
    assert not has_fingerprint(another, kept)


@pytest.mark.parametrize("value", ["PART-1491762", "1491762.25", "plain", 1491762.25, ("PART-1491762", 0.1234567891)])
def test_whatever_is_known_is_known_again(value: object):
    """Digits in a name are not rounded like those of a number."""
    assert has_fingerprint(value, fingerprint(value))
    assert not has_fingerprint("other", fingerprint(value))


@pytest.mark.parametrize(
    "value",
    [Pose(rot=(0.0, 0.0, 0.0, 0.0)), Actuator(name="m", kind="motor", gear=()), Couple(first="j", coefficients=(1.0,))],
    ids=lambda value: type(value).__name__,
)
def test_what_no_reader_makes_is_refused(value: Value):
    """Carried data may have been edited, and it is not checked again later."""
    with pytest.raises(ValueError, match=r"no (rotation|gear|polynomial)"):
        from_plain(type(value), to_plain(value))


@pytest.mark.parametrize(
    ("hint", "plain"),
    [
        (bool, "no"),
        (bool, 1),
        (int, 1.5),
        (int, True),
        (float, "1"),
        (float, False),
        (tuple[str, ...], "ab"),
        (tuple[float, ...], {}),
        (tuple[float, float], {"1": 2}),
    ],
)
def test_a_plain_value_of_another_class_is_none(hint: Any, plain: object):
    """A string is neither a boolean nor a list of letters: nothing is created from damaged carried data."""
    with pytest.raises(ValueError, match=r"^(Expected|Object)"):
        from_plain(hint, plain)


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ({"name": "g", "role": "visual", "shape": {"type": "Cube"}}, "Invalid value 'Cube' - at `\\$.shape.type`"),
        ({"name": "g", "role": "visual", "shape": None, "weight": 1}, "Object contains unknown field `weight`"),
    ],
)
def test_a_payload_that_is_not_known_is_refused(plain: dict[str, Any], why: str):
    with pytest.raises(ValueError, match=why):
        from_plain(types.Geom, plain)
