"""Applying the notes on an author's spelling (converters.source.spelling) to what is written: each if the written value
is unchanged, without those that would change the meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from converters.context import InputError
from converters.source.located import Located, located, steps_of
from converters.source.spelling import same_words, words_inside
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
)
from converters.source.tree import Comment, Element, Section, fragment
from ir.plain import as_json, to_plain

if TYPE_CHECKING:
    from ir.diff import Difference

TOLERANCE = 1e-9
"""Relative or absolute tolerance of numbers that went through another format and back."""
ATTEMPTS = 160
"""Largest number of readings to find notes that can be applied; the remaining ones are left out."""
ELEMENTS = 100_000
"""Largest number of elements in all these readings: it ends within seconds, however large the document is."""
UNREADABLE = frozenset({("unreadable",)})
Unlike = Callable[[Element], "Iterable[Difference]"]
"""Reads a document and returns the differences from its intended meaning, or raises InputError."""


def apply_notes(root: Element, spelling: str, unlike: Unlike) -> Element:
    """The document with all notes that do not change its meaning; root, the plain spelling, is not changed.

    If there are other differences than in the plain spelling, the notes at fault are found by names and by bisection,
    and left out.
    """
    try:
        notes = sorted(notes_of(spelling), key=_owner)
    except (ValueError, TypeError, AttributeError):  # the notes were edited: only the plain spelling is left
        return root
    if not notes:
        return root
    trials = _Trials(root, unlike)
    found, kept = _without_blamed(trials, notes)
    return _with_others(trials, notes, found or root, kept if found is not None else [])


class _Trials:
    """Readings of a document with some of its notes. left: how many there may still be. wrong: what the last one showed
    to differ."""

    def __init__(self, root: Element, unlike: Unlike) -> None:
        self.root = root
        self.unlike = unlike
        self.left = min(ATTEMPTS, max(2, ELEMENTS // sum(1 for _ in root.below())))
        self.wrong: Set[Any] = frozenset()

    def document(self, notes: list[SpellingNote]) -> Element | None:
        """The document with these notes; None if they cannot be applied, or change the meaning."""
        self.left -= 1
        copy = self.root.copy()
        try:
            _apply(copy, notes)
        except (ValueError, TypeError, AttributeError, LookupError, InputError):
            return None
        self.wrong = self._differing(copy)
        return copy if not self.wrong or self.wrong <= self._known else None

    @cached_property
    def _known(self) -> Set[Any]:
        return self._differing(self.root)

    def _differing(self, document: Element) -> Set[Any]:
        try:
            return {(each.path, as_json(to_plain(each.after))) for each in self.unlike(document)}
        except InputError:
            return UNREADABLE


def _without_blamed(trials: _Trials, notes: list[SpellingNote]) -> tuple[Element | None, list[SpellingNote]]:
    """The document with the notes that are left when those at fault by their names are gone, and these notes; None if
    they still change the meaning."""
    found, kept = trials.document(notes), notes
    while found is None and trials.left > 0 and (blamed := _blamed(trials.root, kept, trials.wrong - UNREADABLE)):
        kept = [note for note in kept if id(note) not in blamed]
        found = trials.document(kept)
    return found, kept


def _with_others(trials: _Trials, notes: list[SpellingNote], best: Element, kept: list[SpellingNote]) -> Element:
    """The document with as many of the other notes as bisection finds to change nothing. best: with those kept."""
    place, there = {id(note): number for number, note in enumerate(notes)}, {*map(id, kept)}
    out = [note for note in notes if id(note) not in there]
    waiting = [out[_middle(out) :], out[: _middle(out)]] if len(out) > 1 else []
    while waiting and trials.left > 0:
        part = waiting.pop()
        more = sorted(kept + part, key=lambda note: place[id(note)])
        found = trials.document(more)
        if found is not None:
            best, kept = found, more
        elif len(part) > 1:
            middle = _middle(part)
            waiting += [part[middle:], part[:middle]]
    return best


def replaced_elements(root: Element, spelling: str) -> list[Element]:
    """All elements that the author wrote in another form."""
    with suppress(ValueError, TypeError, AttributeError):  # the notes were edited
        return [item for _, item in _replaced(root, notes_of(spelling))]
    return []


def _replaced(root: Element, notes: Iterable[SpellingNote]) -> Iterator[tuple[SpellingNote, Element]]:
    """The notes on replacements, each with every element that it replaces."""
    for _, known, note in located(root, [note for note in notes if note.replaced]):
        yield from ((note, item) for step in note.replaced if step in known for item in known[step].below())


def _blamed(root: Element, notes: list[SpellingNote], wrong: Set[Any]) -> set[int]:
    """The notes (by id) at fault, by the innermost name in their paths: on an element itself, or on its replacement.
    That was edited."""
    standing = [(note, item.attrs.get("name")) for note, item in _replaced(root, notes)]
    standing += ((note, owner[-1].partition("@")[2]) for note in notes if (owner := _owner(note)))
    known = {name for _, name in standing}
    names = {next((part for part in reversed(path) if part in known), None) for path, _ in wrong} - {None}
    return {id(note) for note, name in standing if name in names}


def apply_all_notes(root: Element, spelling: str) -> Element:
    """The document with all notes that can be applied, even if they change its meaning; root is not changed."""
    copy = root.copy()
    with suppress(ValueError, TypeError, AttributeError, LookupError, InputError):
        _apply(copy, sorted(notes_of(spelling), key=_owner))
    return copy


def _owner(note: SpellingNote) -> ElementPath:
    """Path of the named element of a note: notes on one element often belong together, as on a pose and its frame."""
    path = note.path
    return path[: max((count for count, step in enumerate(path, 1) if "@" in step), default=0)]


def _middle(notes: list[SpellingNote]) -> int:
    """Where to bisect notes: between two owners, if there are two."""
    middle = len(notes) // 2
    bounds = [at for at in range(1, len(notes)) if _owner(notes[at - 1]) != _owner(notes[at])]
    return min(bounds, key=lambda at: abs(at - middle)) if bounds else middle


# ------------------------------------------------------------------------------------------------------------ applying


def _apply(root: Element, notes: Iterable[SpellingNote]) -> None:
    """All elements are located before the first of them changes: paths count what was written."""
    ends: dict[Element, tuple[int, int]] = {}
    several: dict[str, list[list[Any]]] = {}
    for element, known, (_, kind, key, value) in _cleared(located(root, [*notes])):
        if kind == ATTRIBUTE:
            _attribute(element, key, *value)
        elif kind == QUOTED and _quotable(element.attrs.get(key, "")):
            element.content = [Section(element.attrs.pop(key)), *element.content]
        elif kind == TEXT and same_words(words_inside(element), value[0], TOLERANCE):
            _rewrite(element, value[1])
        elif kind == PRESENT:
            known[key] = fragment(value[1])
            ends[element] = _insert(element, known[key], value[0], ends.get(element, (0, 0)))
            continue
        elif kind == ORDER:
            _sort(element, known, value)
        elif kind == PIECES:
            _place(element, value)
        elif kind == SEVERAL:
            several[key] = value
        ends.pop(element, None)
    made = [part for tag, places in several.items() for part in _parts(root, tag, places)]
    for index, part in sorted(made, key=lambda each: each[0]):
        alike = [at for at, item in enumerate(root.elements(), 1) if item.tag == part.tag]
        _insert(root, part, max(index, *alike), (0, 0))


def _parts(root: Element, tag: str, places: list[list[Any]]) -> Iterator[tuple[int, Element]]:
    """Take the contents of the further children of the root out of the first one; yields each as an element, with its
    place. Contents whose noted first child is missing stay in the preceding one."""
    first = root.find(tag)
    steps = steps_of(first) if first is not None else {}
    for index, step in reversed(places):
        at = [number for number, item in enumerate(first.content) if item is steps.get(step)] if first else []
        if first is not None and (at or step is None):
            part = Element(tag)
            part.content = first.content[at[0] :] if at else []
            del first.content[len(first.content) - len(part.content) :]
            yield index, part


def _cleared(found: list[Located]) -> list[Located]:
    """Remove from the elements what is missing in the source or has another form there; returns the remaining notes."""
    left, gone = list[Located](), dict[Element, dict[Element, Element | None]]()
    for each in found:
        element, known, note = each
        steps = [note.key] if note.kind == MISSING else note.replaced
        if all(step in known for step in steps) and not (note.kind == PRESENT and note.key in known):
            taken = [known.pop(step) for step in steps]
            gone.setdefault(element, {}).update(dict.fromkeys(taken))
            if note.kind == PRESENT and note.value[0] == IN_PLACE:
                known[note.key] = gone[element][taken[0]] = fragment(note.value[1])
            else:
                left.append(each)
    for element, others in gone.items():
        if others:
            content = (others.get(item, item) if isinstance(item, Element) else item for item in element.content)
            element.content = [item for item in content if item is not None]
    return left


def _attribute(element: Element, name: str, before: str | None, after: str | None) -> None:
    if not same_words(element.attrs.get(name), before, TOLERANCE):
        return
    if after is None:
        del element.attrs[name]
    else:
        element.attrs[name] = after


def _quotable(text: str) -> bool:
    """Whether a CDATA section can contain this (XML 1.0, 2.7)."""
    return bool(text) and "]]>" not in text


def _rewrite(element: Element, text: str) -> None:
    kept = [item for item in element.content if isinstance(item, (Element, Comment))]
    element.content = [text, *kept] if text else list(kept)


def _insert(element: Element, child: Element, index: int, end: tuple[int, int]) -> tuple[int, int]:
    """Insert a child before the index-th child element, or at the end. Takes and returns where to continue: the offset
    in the content after the child inserted last, and the number of child elements before that."""
    content = element.content
    place, count = end if end[1] <= index else (0, 0)
    while place < len(content) and (count < index or not isinstance(content[place], Element)):
        count += isinstance(content[place], Element)
        place += 1
    content.insert(place, child)
    return place + 1, count + 1


def _sort(element: Element, known: dict[str, Element], order: list[str]) -> None:
    """Children in the noted order; new ones stay after their present predecessors."""
    ranks = {id(known[step]): rank for rank, step in enumerate(order) if step in known}
    rank = -1
    keyed: list[tuple[int, Element | str]] = []
    for item in element.content:
        rank = ranks.get(id(item), rank)
        keyed.append((rank, item))
    element.content = [item for _, item in sorted(keyed, key=lambda pair: pair[0])]


def _place(element: Element, pieces: list[list[Any]]) -> None:
    """Move the text between the children to its noted place, if it is the same text."""
    if _letters(" ".join(text for _, text in pieces)) != _letters(words_inside(element)):
        return
    element.content = [item for item in element.content if isinstance(item, (Element, Comment))]
    places = [0, *(at for at, item in enumerate(element.content, 1) if isinstance(item, Element))]
    for count, text in reversed(pieces):  # before comments, after which it would be ignored
        element.content.insert(places[min(count, len(places) - 1)], text)


def _letters(text: str) -> list[str]:
    """The characters of a text, sorted: adjacent pieces of text have lost their boundaries and their order."""
    return sorted("".join(text.split()))
