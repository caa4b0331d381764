"""What is wrong with an input: the exception for it, and gathering several faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    from ir.types import Source


class InputError(Exception):
    """The input cannot be converted. The message tells what is wrong and what to do; source tells where.

    rule is the rule of `kinegraph validate` that the input breaks, "" if none is known.
    """

    def __init__(self, message: str, source: Source | None = None, rule: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.source.file}:{self.source.line}: {self.message}" if self.source else self.message


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: similar known names, else some of the known ones."""
    from difflib import get_close_matches

    some = list(dict.fromkeys(known))
    found = get_close_matches(name[:100], some[:5000], n=3, cutoff=0.6)
    if found:
        return f"; did you mean {', '.join(found)}?"
    there = f"; there {'is' if len(some) == 1 else 'are'}"
    return f"{there} {', '.join(some[:8])}{' and others' if len(some) > 8 else ''}" if some else ""


class ToldError(InputError):
    """A part cannot be read because of a fault that has been reported already: it is left out without a message."""


T = TypeVar("T")
P = ParamSpec("P")


def sure(value: T | None) -> T:
    """A value from a cursor, which is None only if it was wrong, was reported, and faults are gathered. Raises
    ToldError then."""
    if value is None:
        raise ToldError("told already")
    return value


MOST_FAULTS = 1000
"""Faults of one model that are kept; further ones are only counted."""


class Placed(Protocol):
    """An element of a document that knows its place."""

    @property
    def source(self) -> Source: ...


class Faults:
    """What is wrong with a document: the first fault is raised (a conversion), or all are gathered (validate).

    A reader that goes on treats a wrong value as absent, or leaves the element out. A document with faults is never
    converted.
    """

    __slots__ = ("_places", "found", "gathered", "left", "more", "seen")

    def __init__(self, *, gathered: bool = False) -> None:
        self.gathered = gathered
        self.found: list[InputError] = []
        self.more = 0
        """The number of faults beyond those in found."""
        self.left: list[tuple[Source, InputError]] = []
        """Elements that were left out, each with its fault."""
        self.seen: set[int] = set()
        self._places: set[int] = set()

    def stands_at(self, place: Source) -> bool:
        """Whether something was refused at this very place."""
        return hash((place.file, place.line, *place.turn)) in self._places

    def refuse(self, error: InputError) -> None:
        """Raise the error, or keep it. One that occurs again, in a class that many elements have, is kept once."""
        if not self.gathered:
            raise error
        if isinstance(error, ToldError):
            return
        place = hash((error.source.file, error.source.line, *error.source.turn)) if error.source is not None else 0
        key = hash((error.message, place))
        if key in self.seen:
            return
        self.seen.add(key)
        self._places.add(place)
        if len(self.found) < MOST_FAULTS:
            self.found.append(error)
        else:
            self.more += 1

    def attempt(self, node: Placed, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """The result of read for an element; None if it raises an InputError and faults are gathered."""
        try:
            return read(*arguments, **named)
        except InputError as error:
            self.refuse(error)
            if len(self.left) < MOST_FAULTS:
                self.left.append((node.source, error))
            return None
