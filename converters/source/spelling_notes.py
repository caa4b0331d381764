"""Notes on an author's spelling (source.spelling): what one says, and how they are stored.

A note is found by the path of its element. A step is the tag, followed by @ and the name attribute if there is one, and
preceded by a number and a colon from the second of several equal ones on: link@base, 2:uri.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ir.plain import as_json

ElementPath = tuple[str, ...]

ATTRIBUTE = "@"
"""An attribute, key its name: value [written, spelled], null where it is absent."""
QUOTED = "c"
"""An attribute, key its name, that is given by a CDATA section (converters.source.parsing)."""
TEXT = "t"
"""The text: value as of an attribute."""
PRESENT = "+"
"""A child, key its step, in place of others or of none: value [index, verbatim, *steps of what it replaces]. It is used
if all of these are there, and goes to the place of the first of them if the index is IN_PLACE."""
MISSING = "-"
"""A child, key its step, that is written but not in the source."""
ORDER = "o"
"""The order of the children: value their steps."""
PIECES = "w"
"""The places of texts between children: value [children before it, text] for each piece."""
SEVERAL = "s"
"""A child, key its tag, that is several: value [index, step of the first child in it] for each further one."""

IN_PLACE = -1


class SpellingNote(NamedTuple):
    """One thing in which the author's spelling of an element differs from ours."""

    path: ElementPath
    kind: str
    """ATTRIBUTE to SEVERAL: what it is about, and the meaning of key and value."""
    key: str
    value: Any

    @property
    def replaced(self) -> Sequence[str]:
        """The steps of the children that a PRESENT one replaces."""
        steps: Sequence[str] = self.value[2:] if self.kind == PRESENT else ()
        return steps


def packed(notes: Iterable[SpellingNote]) -> str:
    """Notes as a tree, in JSON: a step leads deeper, "" has the notes of an element; "" if there are none."""
    tree: dict[str, Any] = {}
    for path, *note in notes:
        branch = tree
        for step in path:
            branch = branch.setdefault(step, {})
        branch.setdefault("", []).append(note)
    return as_json(tree) if tree else ""


def notes_of(spelling: str) -> list[SpellingNote]:
    """The notes in a text that spell wrote. Raises ValueError, TypeError or AttributeError for any other."""
    notes: list[SpellingNote] = []
    stack: list[tuple[ElementPath, Any]] = [((), json.loads(spelling) if spelling else {})]
    while stack:
        path, tree = stack.pop()
        for step, branch in tree.items():
            if step:
                stack.append(((*path, step), branch))
            else:
                notes += [SpellingNote(path, kind, key, value) for kind, key, value in branch]
    return notes
