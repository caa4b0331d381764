"""Conditions of the loss rows about MJCF default classes (converters.format.Loss.when)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from converters.facts import Facts
from converters.mjcf.tables import SPELLING
from converters.source.spelling_notes import PRESENT, notes_of
from converters.source.tree import Element, fragment, serialise
from ir.diff import Difference
from ir.types import Extra


def source_not_mjcf(_: Difference, facts: Facts) -> bool:
    """Whether the model comes from another format."""
    return SPELLING not in facts.scene.notation


def in_default_class_of_source(difference: Difference, facts: Facts) -> bool:
    """Whether the author of the model has this in a default class."""
    return isinstance(said := difference.after, Extra) and (said.path, said.text) in facts.once(_said_in_classes)


def _said_in_classes(facts: Facts) -> set[tuple[str, str]]:
    """Return the content of the default classes that the author wrote, from the notes on the document
    (converters.source.spelling): paths and values of attributes, and paths and texts of elements."""
    sections: list[Element] = []
    with suppress(ValueError, TypeError, AttributeError):  # the notes were edited
        notes = notes_of(facts.scene.notation.get(SPELLING, ""))
        own = (note for note in notes if not note.path and note.kind == PRESENT)
        sections = [fragment(note.value[1]) for note in own if note.key.endswith("default")]
    found: set[tuple[str, str]] = set()
    waiting = [(section, f"default[{number}]") for number, section in enumerate(sections, 1)]
    while waiting:
        element, path = waiting.pop()
        found |= {(path, serialise(element)), *((f"{path}/@{name}", value) for name, value in element.attrs.items())}
        tags = Counter[str]()
        for item in element.elements():
            tags[item.tag] += 1
            waiting.append((item, f"{path}/{item.tag}[{tags[item.tag]}]"))
    return found
