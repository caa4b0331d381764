"""What a repair is, and its input."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from converters.format import Target
from converters.validating.model import Breach
from ir.scene import Scene


class RepairJob(Struct, frozen=True, kw_only=True):
    """Input of repairs besides the scene: the breaches that were found, and the options of the user."""

    format: str
    """Name of the model's format, in which it is written again."""
    target: Target
    breaches: tuple[Breach, ...]

    def owners(self, *rules: str) -> set[str]:
        """Return the bodies whose inertia breaks one of the rules."""
        found = [breach.where for breach in self.breaches if breach.rule in rules]
        return {where.partition("/")[2].partition(".inertial")[0] for where in found}


class Repair(Struct, frozen=True):
    """formats: those whose documents are repaired in this way; empty: all."""

    rules: tuple[str, ...]
    fix: str
    apply: Callable[[Scene, RepairJob], Scene]
    reason: str = ""
    formats: tuple[str, ...] = ()
