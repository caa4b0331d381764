"""When two rows of numbers are equal."""

from __future__ import annotations

import math

import pytest

from converters.comparing.difference import largest_gap, pose_numbers
from ir.pose import from_rpy
from ir.types import Pose

SOON = 1.0 + 2.0**-21
"""Within the tolerance of 2^-20."""


@pytest.mark.parametrize(
    ("first", "second", "unit", "by"),
    [
        ((1.0, 5.0), (1.0, 5.0), 0.0, None),
        ((1.0,), (SOON,), 0.0, None),
        ((1.0,), (1.0 + 2.0**-19,), 0.0, 2.0**-19),
        ((1.0, 1000.0), (SOON, 1000.0), 0.0, None),
        ((1000.0, 1.0), (1000.0, 1.0 + 2.0**-11), 0.0, None),
        ((0.0,), (1e-300,), 0.0, 1e-300),
        ((0.0,), (2.0**-21,), 1.0, None),
        ((0.0,), (2.0**-19,), 1.0, 2.0**-19),
        ((math.inf,), (math.inf,), 0.0, None),
        ((math.inf, 1.0), (1.0, 1.0), 0.0, math.inf),
        ((math.nan,), (math.nan,), 0.0, None),
        ((math.nan,), (1.0,), 0.0, math.inf),
    ],
)
def test_a_tolerance_is_a_share_of_the_largest_number(
    first: tuple[float, ...], second: tuple[float, ...], unit: float, by: float | None
) -> None:
    assert largest_gap(first, second, 2.0**-20, unit) == by
    assert largest_gap(second, first, 2.0**-20, unit) == by


def test_places_are_compared_by_metres_and_rotations_whichever_sign_they_have() -> None:
    turned = Pose((0.0, 0.0, 2e-9), from_rpy((0.0, 0.0, 1e-3)))
    negative = Pose(turned.pos, tuple(-value for value in turned.rot))
    assert [each.where for each in pose_numbers("poses", "a", Pose(), turned, 1e-9)] == ["a.position", "a.rotation"]
    assert [each.where for each in pose_numbers("poses", "a", Pose(), turned, 1e-8)] == ["a.rotation"]
    assert [*pose_numbers("poses", "a", turned, negative, 1e-9)] == []
