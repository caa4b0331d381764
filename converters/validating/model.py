"""What the checks are given, and what they give."""

from __future__ import annotations

from msgspec import Struct

from converters.reading import Reading
from converters.validating.solids import Solids
from ir.check import Problem
from ir.scene import Scene
from ir.types import Entity, Source


class Breach(Struct, frozen=True, kw_only=True):
    """A rule that is broken at a place. where is the neutral address, as in a report of a conversion.

    severity and fix are "" where they are those of the rule; column counts from 1 (None: see positions).
    """

    rule: str
    where: str
    message: str
    source: Source | None = None
    severity: str = ""
    fix: str = ""
    column: int | None = None
    count: int = 1


def broken_rule(rule: str, kind: str, entity: Entity, message: str, severity: str = "") -> Breach:
    """A rule that an entity of a kind (body, joint, asset ...) breaks, at the entity."""
    where = f"{kind}/{entity.name}"
    return Breach(rule=rule, where=where, message=message, source=entity.source, severity=severity)


class CheckedModel(Struct, frozen=True, kw_only=True):
    """A model as it was read. format is that of the document (of a xacro: what it was expanded to)."""

    reading: Reading
    format: str
    data: bytes
    problems: tuple[Problem, ...]
    physical: Scene
    """The scene with what its engine makes of it: masses that follow from shapes."""
    solids: Solids

    @property
    def scene(self) -> Scene:
        return self.reading.scene
