"""What MuJoCo refuses of an element, as its checks say it."""

from __future__ import annotations

from typing import NamedTuple

from converters.source.text import plain_numbers

MISSING, BOTH, RANGE = "mjcf/missing", "mjcf/both", "mjcf/empty-range"
COUNT, SIZE, NAME = "mjcf/count", "mjcf/size", "mjcf/name"
REFUSED, KIND = "mjcf/refused", "mjcf/kind"


class MjcfFault(NamedTuple):
    """What MuJoCo refuses of an element, and the attribute that it is about ("": the element itself)."""

    rule: str
    name: str
    said: str


def counted(text: str | None) -> tuple[float, ...]:
    """The numbers of an attribute; none where it says others, which is told as that."""
    return plain_numbers(text or "") or ()
