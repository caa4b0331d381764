"""What the checks are given, and what they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ir.refs import entities
from ir.scene import Scene
from ir.types import Entity, Extra, Source

if TYPE_CHECKING:
    from converters.convert import Reading
    from converters.validating.solids import Solids
    from ir.check import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
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


def extras(scene: Scene) -> Iterator[tuple[str, Any, Extra]]:
    """Everything in a scene that nobody understood: address of the owner, owner, extra."""
    yield from (("scene", scene, extra) for extra in scene.extras)
    for kind, entity in entities(scene):
        yield from _extras(entity, f"{kind}/{entity.name}")


def _extras(value: Any, where: str) -> Iterator[tuple[str, Any, Extra]]:
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            if is_dataclass(part) and not isinstance(part, Extra):
                yield from _extras(part, f"{where}.{part.name if isinstance(part, Entity) else index}")
    elif is_dataclass(value) and not isinstance(value, (Extra, Source)):
        yield from ((where, value, extra) for extra in getattr(value, "extras", ()))
        for item in fields(value):
            part = getattr(value, item.name)
            if (isinstance(part, tuple) and part) or is_dataclass(part):
                yield from _extras(part, f"{where}.{item.name}")
