"""Locating the elements of a document to which notes on spelling belong (source.spelling)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from converters.source.spelling_notes import ElementPath, SpellingNote
from converters.source.tree import Element
from ir.gathering import gathered


class Located(NamedTuple):
    """A note, with the element that it is about and the children of that by step."""

    element: Element
    children: dict[str, Element]
    note: SpellingNote


def steps_of(element: Element) -> dict[str, Element]:
    """The children of an element by step."""
    seen: dict[str, int] = {}
    found = {}
    for item in element.elements():
        name = item.attrs.get("name")
        step = item.tag if name is None else f"{item.tag}@{name}"
        count = seen[step] = seen.get(step, 0) + 1
        found[step if count == 1 else f"{count}:{step}"] = item
    return found


def located(root: Element, notes: Sequence[SpellingNote]) -> list[Located]:
    """The notes on elements that are present.

    If an element is not at its place, it was moved or renamed: the only one of its tag and name is taken, or the only
    one without notes of its own there if just one of its tag is missing.
    """
    where: dict[ElementPath, Element | None] = {(): root}
    children: dict[ElementPath, dict[str, Element]] = {}
    noted: dict[ElementPath, set[str]] = {}
    for path in {note.path for note in notes}:
        for length, step in enumerate(path):
            noted.setdefault(path[:length], set()).add(step)

    @cache
    def alone() -> Mapping[str, list[Element]]:
        return gathered((f"{item.tag}@{item.attrs['name']}", item) for item in root.below() if "name" in item.attrs)

    def inside(path: ElementPath, element: Element) -> dict[str, Element]:
        if path not in children:
            children[path] = steps_of(element)
        return children[path]

    def elsewhere(path: ElementPath, step: str, parent: Element | None) -> Element | None:
        if "@" not in step:
            return None
        if len(alike := alone().get(step, [])) == 1:
            return alike[0]
        start = f"{step.partition('@')[0]}@"
        here = inside(path, parent) if parent is not None else {}
        lost = [each for each in noted[path] if each.startswith(start) and each not in here and each not in alone()]
        new = [item for each, item in here.items() if each.startswith(start) and each not in noted[path]]
        return new[0] if len(lost) == len(new) == 1 else None

    def at(path: ElementPath) -> Element | None:
        known = len(path)
        while path[:known] not in where:
            known -= 1
        for length in range(known, len(path)):
            above, step = path[:length], path[length]
            parent = where[above]
            found = inside(above, parent).get(step) if parent is not None else None
            where[path[: length + 1]] = found if found is not None else elsewhere(above, step, parent)
        return where[path]

    return [
        Located(element, inside(note.path, element), note) for note in notes if (element := at(note.path)) is not None
    ]
