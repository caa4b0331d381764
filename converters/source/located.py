"""Where in a document the elements are of which something is noted (source.spelling)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from converters.source.tree import Element
from ir.gathering import gathered

ElementPath = tuple[str, ...]
SpellingNote = tuple[ElementPath, str, str, Any]
"""Path of the element, kind, key inside the element, value.

@: an attribute, key its name, value [written, spelled] (null: absent). c: an attribute that is said by a CDATA section
(converters.source.parsing). t: the text, likewise. -: the child `key` is not
there. +: the child `key` is there, value [index, verbatim], and the steps of the children that it stands for, if any:
it counts where all of them are there, and is put where the first of them was where the index is -1. o: the order of the
children, value their steps. w: where the text among them stands, value [children before it, text] for each piece. s:
the child `key` is several, value the place of each further one, and the step of the first child in it.
"""
Located = tuple[Element, dict[str, Element], SpellingNote]


def steps_of(element: Element) -> dict[str, Element]:
    """The children of an element by their steps."""
    seen: dict[str, int] = {}
    found = {}
    for item in element.elements():
        name = item.attrs.get("name")
        step = item.tag if name is None else f"{item.tag}@{name}"
        count = seen[step] = seen.get(step, 0) + 1
        found[step if count == 1 else f"{count}:{step}"] = item
    return found


def located(root: Element, notes: Sequence[SpellingNote]) -> list[Located]:
    """The elements that are there, the children of each by their steps, and the notes on them.

    One that is not where it was is the only one of its tag and name, or the only one there without notes of its own
    where one of its tag is missing: somebody has moved it, or renamed it.
    """
    where: dict[ElementPath, Element | None] = {(): root}
    children: dict[ElementPath, dict[str, Element]] = {}
    noted: dict[ElementPath, set[str]] = {}
    for path in {note[0] for note in notes}:
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

    return [(element, inside(note[0], element), note) for note in notes if (element := at(note[0])) is not None]
