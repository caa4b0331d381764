"""An author's spelling, where it differs from what a writer would write.

Notes are made while reading, and applied when the format is written again. spell(source, written) compares the document
of the author with what our writer makes of the same scene: defaults written out, another order, another form of the
same thing. converters.source.respelling applies them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from converters.source.located import steps_of
from converters.source.spelling_notes import (
    ATTRIBUTE,
    IN_PLACE,
    MISSING,
    ORDER,
    PIECES,
    PRESENT,
    QUOTED,
    SEVERAL,
    TEXT,
    ElementPath,
    SpellingNote,
    notes_of,
    packed,
)
from converters.source.tree import Comment, Element, Section, serialise

if TYPE_CHECKING:
    pass


DEEPEST = 250
"""Levels of elements whose spelling is noted: no robot has more."""

NOTHING: Mapping[Any, Any] = {}


def spell(source: Element, written: Element, brings: Mapping[Element, Iterable[str]] = NOTHING) -> str:
    """Notes that turn what is written into the source, as JSON text; "" if there is nothing to note.

    brings: elements of the source, with the steps of what is written in place of each.
    """
    return packed(note for note in _notes(source, written, brings) if len(note.path) <= DEEPEST)


def spell_parts(source: Element, written: Element, brings: Mapping[Element, Iterable[str]] = NOTHING) -> str:
    """The same if several children of the root, of one tag and without attributes, are equivalent to one: the contents
    of the further ones are noted thing by thing, and not as a whole."""
    tags = {item.tag for item in source.elements() if not item.attrs} - {
        item.tag for item in source.elements() if item.attrs
    }
    whole, known = Element(source.tag, source.attrs), dict[str, Element]()
    places: dict[str, list[tuple[int, int]]] = {}
    for index, item in enumerate(source.elements()):
        first = known.get(item.tag)
        if first is None:
            first = Element(item.tag, item.attrs)
            whole.content.append(first)
            known |= {item.tag: first} if item.tag in tags else {}
        else:
            places.setdefault(item.tag, []).append((index, sum(1 for _ in first.elements())))
        first.content += item.content
    notes = [*_notes(whole, written, brings)]
    for tag, several in places.items():
        steps = [*steps_of(known[tag]), None]
        notes.append(SpellingNote((), SEVERAL, tag, [[index, steps[before]] for index, before in several]))
    return packed(note for note in notes if len(note.path) <= DEEPEST)


def has_further_parts(spelling: str, document: Element) -> bool:
    """Whether the document has all further children of the root that are noted as a whole."""
    there = steps_of(document)
    with suppress(ValueError, TypeError, AttributeError):  # the notes were edited
        notes = (note for note in notes_of(spelling) if not note.path and note.kind == PRESENT)
        further = {note.key for note in notes if ":" in note.key}
        return further <= there.keys()
    return True


def in_authors_words(document: Element, author: Element) -> Element:
    """The document with the attributes as its author wrote them, if they have the same value, and comments between the
    same children; it is changed in place."""
    stack = [(document, author)]
    while stack:
        ours, theirs = stack.pop()
        same = ours.attrs.keys() == theirs.attrs.keys()
        if same and all(same_words(value, theirs.attrs[name]) for name, value in ours.attrs.items()):
            ours.attrs = dict(theirs.attrs)
        here, there = steps_of(ours), steps_of(theirs)
        if list(here) == list(there) and words_inside(ours) == words_inside(theirs):
            kept = iter(here.values())
            ours.content = [next(kept) if isinstance(item, Element) else item for item in theirs.content]
        stack += [(here[step], there[step]) for step in here if step in there]
    return document


def joined_notes(*spellings: str) -> str:
    """The notes of all of these."""
    return packed(note for each in spellings for note in notes_of(each))


def without_notes(spelling: str, gone: Callable[[SpellingNote], bool]) -> str:
    """The notes for which gone is false. Raises ValueError, TypeError or AttributeError for invalid ones."""
    return packed(note for note in notes_of(spelling) if not gone(note))


# ---------------------------------------------------------------------------------------------------------------- notes


def _notes(source: Element, written: Element, brings: Mapping[Element, Iterable[str]]) -> Iterator[SpellingNote]:
    stack: list[tuple[ElementPath, Element, Element]] = [((), source, written)]
    while stack:
        path, ours, theirs = stack.pop()
        for name in sorted({**ours.attrs, **theirs.attrs}) if ours.attrs != theirs.attrs or _quoting(ours) else ():
            before, after = theirs.attrs.get(name), ours.attrs.get(name)
            if not same_words(before, after):
                yield SpellingNote(path, ATTRIBUTE, name, [before, after])
            if isinstance(after, Section):
                yield SpellingNote(path, QUOTED, name, None)
        before, after = words_inside(theirs), words_inside(ours)
        if not same_words(before, after):
            yield SpellingNote(path, TEXT, "", [before, after])
        here, there = steps_of(ours), steps_of(theirs)
        order = [step for step in there if step in here]
        gone = {step: None for step in there if step not in here}
        for index, step in enumerate(here):
            if step not in there:
                order.insert(index, step)
                stands_for = [each for each in brings.get(here[step], ()) if each in gone]
                gone = {each: None for each in gone if each not in stands_for} if stands_for else gone
                there_too = stands_for and _before(here, step, there) == _before(there, stands_for[0], here)
                value = [IN_PLACE if there_too else index, serialise(here[step]), *stands_for]
                yield SpellingNote(path, PRESENT, step, value)
        yield from (SpellingNote(path, MISSING, step, None) for step in gone)
        if order != list(here):
            yield SpellingNote(path, ORDER, "", list(here))
        if after and here and (list(here) != list(there) or _pieces(ours) != _pieces(theirs)):
            yield SpellingNote(path, PIECES, "", _pieces(ours))
        stack.extend(((*path, step), here[step], there[step]) for step in here if step in there)


def _before(steps: Mapping[str, Element], step: str, others: Mapping[str, Element]) -> list[str]:
    """The steps before a step that are among others, too."""
    return [each for each in takewhile(step.__ne__, steps) if each in others]


def _quoting(element: Element) -> bool:
    return Section in map(type, element.attrs.values())


def words_inside(element: Element) -> str:
    """All text directly inside the element, including text between its children."""
    return " ".join("".join(item for item in element.content if type(item) is str).split()) if element.content else ""


def _pieces(element: Element) -> list[list[Any]]:
    """Text between the children: the number of children before it, and its words."""
    found: dict[int, str] = {}
    count = 0
    for item in element.content:
        if isinstance(item, Element):
            count += 1
        elif not isinstance(item, Comment) and item.strip():
            found[count] = f"{found.get(count, '')} {' '.join(item.split())}".strip()
    return [[count, text] for count, text in found.items()]


def same_words(a: str | None, b: str | None, tolerance: float = 0.0) -> bool:
    """Whether two texts mean the same: the same words, or the same numbers."""
    if a == b:
        return True
    if a is None or b is None:
        return False
    ours, theirs = a.split(), b.split()
    if len(ours) != len(theirs):
        return False
    try:
        return all(
            abs(float(x) - float(y)) <= tolerance * max(1.0, abs(float(x)))
            for x, y in zip(ours, theirs, strict=True)
            if x != y
        )
    except ValueError:
        return False
