"""Elementary transform sequences in the notation of other tools and of textbooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING = 1e-12


class EtsNotation(NamedTuple):
    """How a step and a coordinate are written; letter is that of a translation, first the lowest coordinate number."""

    step: Callable[[str, str, str], str]
    """(R or the letter, axis, argument) -> text."""
    letter: str
    between: str
    first: int
    coordinate: str
    times: str
    number: Callable[[float, bool], str]
    """(value, whether it is an angle in radians) -> text."""


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 else repr(value)


def _degrees(value: float, angle: bool) -> str:
    return f"{math.degrees(value):.15g}\N{DEGREE SIGN}" if angle else _plain(value)


def _call(kind: str, axis: str, argument: str) -> str:
    return f"{kind}{axis}({argument})"


DIALECTS: Mapping[str, EtsNotation] = MappingProxyType(
    {
        # Robotics Toolbox for Python prints ETS like this (degrees, coordinates from 0)
        "rtb-py": EtsNotation(_call, "t", " \N{CIRCLED PLUS} ", 0, "q{}", "*", _degrees),
        # accepted by Robotics Toolbox for MATLAB: trchain, DHFactor (radians, coordinates from 1)
        "rtb-matlab": EtsNotation(_call, "T", "", 1, "q{}", "*", lambda value, angle: _plain(value)),
        "latex": EtsNotation(
            lambda kind, axis, argument: rf"\mathbf{{{kind}}}_{axis}({argument})",
            "t",
            r" \, ",
            1,
            "q_{{{}}}",
            r" \, ",
            lambda value, angle: f"{value:.6g}",
        ),
    }
)


def spelt(transforms: list[list[Any]], rows: list[dict[str, Any]], dialect: str) -> dict[str, Any]:
    """Return the sequence in a dialect, and the joint of each of its coordinates.

    transforms and rows are those of describe.described. A joint that mimics another one has no coordinate of its own:
    an expression in that of its leader (a factor, an offset in radians or metres) is used instead.
    """
    form = DIALECTS[dialect]
    follows = {row["joint"]: row["follows"] for row in rows}
    coordinates: dict[str, str] = {}

    def coordinate(joint: str) -> str:
        number = form.first + len(coordinates)
        return coordinates.setdefault(joint, form.coordinate.format(number))

    def argument(value: float | str, angle: bool) -> str:
        if not isinstance(value, str):
            return form.number(value, angle)
        sign, joint = (1.0, value) if value in follows else (-1.0, value.removeprefix("-"))
        leader, factor, offset = joint, sign, 0.0
        while (led := follows.get(leader)) is not None:
            leader, factor, offset = led[0], factor * led[1], factor * led[2] + offset
        shown = {1.0: "", -1.0: "-"}.get(factor, form.number(factor, False) + form.times)
        rest = form.number(abs(offset), angle) if abs(offset) > NOTHING else ""
        return f"{shown}{coordinate(leader)}" + (f" {'-' if offset < 0 else '+'} {rest}" if rest else "")

    steps = [
        form.step("R" if kind[0] == "R" else form.letter, kind[1], argument(value, kind[0] == "R"))
        for kind, value in transforms
    ]
    return {
        "dialect": dialect,
        "text": form.between.join(steps),
        "coordinates": {name: joint for joint, name in coordinates.items()},
    }
