"""More conditions of rows (converters.report.reasons): those that ask only what the two values are."""

from __future__ import annotations

import json

from converters.facts import Facts
from converters.report.reasons import Asked, same_state
from ir.diff import Difference
from ir.types import Extra

SINGLE = 1e-6
"""Relative tolerance: as large as rounding errors of single precision that have added up, as programs for graphics have
them."""


def other_than(*values: object) -> Asked:
    """The condition that the source has none of these values."""
    return lambda difference, _: difference.before not in values


def one_in_single_precision(difference: Difference, _: Facts) -> bool:
    """Whether a scale that remained as an extra is 1 in every direction, but for rounding in single precision."""
    scale = json.loads(difference.before.text) if isinstance(difference.before, Extra) else None
    return isinstance(scale, list) and all(
        each == 1 or (isinstance(each, float) and abs(each - 1.0) <= SINGLE) for each in scale
    )


def emits_no_light(difference: Difference, _: Facts) -> bool:
    """Whether the emitted colour of a material is black, or not given, in the source and in the output."""
    colours = (each for each in (difference.before, difference.after) if each is not None)
    return not any(value > 0.0 for each in colours for value in each[:3])


def rounded_state(difference: Difference, _: Facts) -> bool:
    """Whether two states give the same joints the same positions, but for rounding."""
    ours, theirs = dict(difference.before), dict(difference.after)
    return ours.keys() == theirs.keys() and all(same_state(ours[name], theirs[name]) for name in ours)
