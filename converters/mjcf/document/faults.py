"""Faults for which MuJoCo refuses an element."""

from __future__ import annotations

from typing import NamedTuple

MISSING, BOTH, RANGE = "mjcf/missing", "mjcf/both", "mjcf/empty-range"
COUNT, SIZE, NAME = "mjcf/count", "mjcf/size", "mjcf/name"
REFUSED, KIND = "mjcf/refused", "mjcf/kind"


class MjcfFault(NamedTuple):
    """A reason why MuJoCo refuses an element, and the attribute concerned ("": the element itself)."""

    rule: str
    name: str
    said: str
