"""Faults for which MuJoCo refuses an element."""

from __future__ import annotations

from typing import NamedTuple

from converters.context import ReaderContext
from ir.types import Source

MISSING, BOTH, RANGE = "mjcf/missing", "mjcf/both", "mjcf/empty-range"
COUNT, SIZE, NAME = "mjcf/count", "mjcf/size", "mjcf/name"
REFUSED, KIND = "mjcf/refused", "mjcf/kind"


class MjcfFault(NamedTuple):
    """A reason why MuJoCo refuses an element, and the attribute concerned ("": the element itself)."""

    rule: str
    name: str
    said: str


REFUSES = "MuJoCo refuses the model; kept as it is"


def note_fault(
    context: ReaderContext, rule: str, where: str, said: str, source: Source | None, before: str = "", hint: str = ""
) -> None:
    """Report something for which MuJoCo refuses the model."""
    reason = f"{said}: {REFUSES}{hint}"
    context.note(rule, where, reason, source, before=before, action="noted", severity="error")
