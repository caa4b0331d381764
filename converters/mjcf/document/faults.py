"""What MuJoCo refuses of an element, as its checks say it."""

from __future__ import annotations

from typing import NamedTuple

MISSING, BOTH, RANGE = "mjcf/missing", "mjcf/both", "mjcf/empty-range"
COUNT, SIZE, NAME = "mjcf/count", "mjcf/size", "mjcf/name"
REFUSED, KIND = "mjcf/refused", "mjcf/kind"


class MjcfFault(NamedTuple):
    """What MuJoCo refuses of an element, and the attribute that it is about ("": the element itself)."""

    rule: str
    name: str
    said: str
