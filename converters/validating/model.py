"""Input and output of the checks."""

from __future__ import annotations

from msgspec import Struct

from converters.reading import Reading
from converters.validating.solids import Solids
from ir.check import Problem
from ir.scene import Scene
from ir.types import Entity, Source


class Breach(Struct, frozen=True, kw_only=True):
    """A breach of a rule at a place. where is the format-independent address, as in a conversion report.

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
    """Return a breach of a rule by an entity of a kind (body, joint, asset ...), at the entity."""
    where = f"{kind}/{entity.name}"
    return Breach(rule=rule, where=where, message=message, source=entity.source, severity=severity)


class CheckedModel(Struct, frozen=True, kw_only=True):
    """A model as it was read. format is that of the document (for a xacro: that of its expansion)."""

    reading: Reading
    format: str
    data: bytes
    problems: tuple[Problem, ...]
    physical: Scene
    """The scene as interpreted by its engine: with masses computed from shapes."""
    solids: Solids

    @property
    def scene(self) -> Scene:
        return self.reading.scene
