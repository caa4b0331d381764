"""Carried data that cannot be applied: which piece it is, and its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from converters.context import InputError
from ir.types import Source

WRONG = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""Exceptions that damaged data cause in code that applies it."""
FIRST = ("folds", "seals", "loose")
"""Pieces on which the meaning of the others depends."""


def damage_error(
    carried: Mapping[str, str],
    apply: Callable[[Mapping[str, str]], object],
    pieces: Mapping[str, Source],
    place: Source,
) -> InputError:
    """The error for damaged carried data of a document: about the first piece that cannot be applied, at its place in
    pieces.

    If each of them can be applied without the others, it is about all of them, at place.
    """
    known = {key: carried[key] for key in FIRST if key in carried}
    tried = ((key, {key: text} if key in known else known | {key: text}) for key, text in {**known, **carried}.items())
    key = next((key for key, some in tried if not _sound(carried[key], some, apply)), None)
    which = "" if key is None else f": what it says of {key!r} cannot be read"
    message = f"the carried data of an earlier conversion is damaged{which}; take it out or undo the edit"
    return InputError(message, place if key is None else pieces.get(key, place))


def _sound(text: str, some: Mapping[str, str], apply: Callable[[Mapping[str, str]], object]) -> bool:
    try:
        json.loads(text)
        apply(some)
    except WRONG:
        return False
    return True
