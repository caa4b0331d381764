"""One difference of two models, and when two numbers count as equal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ir.pose import conjugate, multiply
from ir.types import Pose

TOLERANCE = 1e-9
METRE = 1.0
"""The smallest scale of the tolerance of positions."""


class Unlike(Struct, frozen=True):
    """what is one of ASPECTS; by is the largest difference of the numbers, in their own units (None: no numbers)."""

    what: str
    where: str
    first: Any
    second: Any
    by: float | None = None


ASPECTS = (
    "structure",
    "joints",
    "limits",
    "poses",
    "masses",
    "inertias",
    "mass matrix",
    "gravity torques",
    "constraints",
    "contacts",
    "geometry",
    "colours",
)
"""The compared aspects, in this order."""


NOT_COMPARED = {
    "transmissions, actuators, hardware": "how it is driven; the inertia that this adds is compared as armature",
    "sensors, cameras, lights": "they see the robot and are no part of its motion",
    "friction and stiffness of contacts": "each engine has its own model of contact: no number means the same in two",
    "keyframes and named poses": "where somebody put the robot, not what it is",
    "physics and blocks for one simulator": "settings of the world",
    "length of an axis, colours beyond 0 and 1": "no reader looks at them",
    "name": "bodies, joints and geoms are found by it; the name of the robot is no property of it",
    "soft limits, calibration, limits of acceleration and jerk": "only URDF has them, for controllers",
    "mass and density of a geom": "the inertia of its body is compared, which follows from them or takes their place",
    "frames and sites that only one of the two has": "not every format has a place for them, nor do they move anything",
    "highlights, light, metal and roughness that only one of the two has": "silence means another thing in each format",
    "what is in an image file, how images are laid on": "files go by their names; repetition is compared",
    "axes of a gearbox": "it is compared as a coupling of the joints that it names, of which the axes are compared",
    "a <loop_joint> whose ends are apart as the model is drawn": "no loop is closed there",
    "tendons, how a constraint is solved": "only engines that have them can judge them (--engine)",
    "what planners are told": "groups, end effectors, passive joints: they are no part of its motion",
}
"""Properties of a model that a comparison ignores, and why; the most frequently asked for first."""


def largest_gap(first: Sequence[float], second: Sequence[float], tolerance: float, unit: float) -> float | None:
    """The largest difference of two rows of numbers if it exceeds the tolerance, else None.

    tolerance is relative to the largest number, or to unit if that is larger. Numbers that are not finite are only
    equal to themselves.
    """
    size = max([unit, *(abs(value) for value in (*first, *second) if math.isfinite(value))])
    worst = max((_gap(a, b) for a, b in zip(first, second, strict=True)), default=0.0)
    return worst if worst > tolerance * size else None


def _gap(a: float, b: float) -> float:
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    gap = abs(a - b)
    return gap if not math.isnan(gap) else math.inf


def differing_numbers(
    what: str,
    where: str,
    first: Sequence[float],
    second: Sequence[float],
    tolerance: float,
    unit: float = 0.0,
    told: tuple[Any, Any] | None = None,
) -> Iterator[Unlike]:
    """Two rows of numbers that differ by more than largest_gap allows. told: their text, if it is not the row, or the
    number that each is."""
    by = largest_gap(first, second, tolerance, unit)
    if by is not None:
        one, other = told or (row[0] if len(row) == 1 else row for row in (first, second))
        yield Unlike(what, where, one, other, by)


def each_once(found: Iterable[Unlike]) -> Iterator[Unlike]:
    """Each difference of two models, where it is found first."""
    told: set[tuple[str, str]] = set()
    for each in found:
        if (each.what, each.where) not in told:
            told.add((each.what, each.where))
            yield each


def pose_numbers(what: str, where: str, ours: Pose, theirs: Pose, tolerance: float) -> Iterator[Unlike]:
    """Positions, and rotations by the relative rotation (x y z of its w x y z)."""
    yield from differing_numbers(what, f"{where}.position", ours.pos, theirs.pos, tolerance, METRE)
    turn = multiply(conjugate(ours.rot), theirs.rot)[1:]
    yield from differing_numbers(what, f"{where}.rotation", (0.0,) * 3, turn, tolerance, 1.0, (ours.rot, theirs.rot))


def one_sided(what: str, first: Iterable[str], second: Iterable[str], kind: str) -> Iterable[Unlike]:
    """Names that only one of the two has."""
    ours, theirs = dict.fromkeys(first), dict.fromkeys(second)
    for name in ours:
        if name not in theirs:
            yield Unlike(what, f"{kind}/{name}", "there", "missing")
    for name in theirs:
        if name not in ours:
            yield Unlike(what, f"{kind}/{name}", "missing", "there")
