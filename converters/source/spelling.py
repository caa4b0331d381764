"""An author's spelling, where it differs from what a writer would write.

Notes are made while reading, and applied when the format is written again. spell(source, written) compares the document
of the author with what our writer makes of the same scene: defaults written out, another order, another form of the
same thing. apply_notes applies the notes to what is written later, each if the written value is unchanged, and leaves
out those that would change the meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from converters.context import InputError
from converters.source.located import Located, located, steps_of
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
from converters.source.tree import Comment, Element, Section, fragment, serialise
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
    with suppress(ValueError, TypeError, AttributeError):  # as in apply_notes
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
        if same and all(_equal(value, theirs.attrs[name]) for name, value in ours.attrs.items()):
            ours.attrs = dict(theirs.attrs)
        here, there = steps_of(ours), steps_of(theirs)
        if list(here) == list(there) and _words_inside(ours) == _words_inside(theirs):
            kept = iter(here.values())
            ours.content = [next(kept) if isinstance(item, Element) else item for item in theirs.content]
        stack += [(here[step], there[step]) for step in here if step in there]
    return document


def apply_notes(root: Element, spelling: str, unlike: Callable[[Element], Iterable[Difference]]) -> Element:
    """The document with all notes that do not change its meaning; root, the plain spelling, is not changed.

    unlike reads a document and returns the differences from its intended meaning, or raises InputError. If there are
    others than in the plain spelling, the notes at fault are found by names and by bisection, and left out.
    """
    try:
        notes = sorted(notes_of(spelling), key=_owner)
    except (ValueError, TypeError, AttributeError):  # the notes were edited: only the plain spelling is left
        return root
    if not notes:
        return root
    left = min(ATTEMPTS, max(2, ELEMENTS // sum(1 for _ in root.below())))

    wrong: Set[Any] = frozenset()

    def tried(chosen: list[SpellingNote]) -> Element | None:
        nonlocal left, wrong
        left -= 1
        copy = root.copy()
        try:
            _apply(copy, chosen)
        except (ValueError, TypeError, AttributeError, LookupError, InputError):
            return None
        wrong = _unlike(copy)
        return copy if not wrong or wrong <= known() else None

    def _unlike(document: Element) -> Set[Any]:
        try:
            return {(each.path, as_json(to_plain(each.after))) for each in unlike(document)}
        except InputError:
            return UNREADABLE

    @cache
    def known() -> Set[Any]:
        return _unlike(root)

    found, kept = tried(notes), notes
    while found is None and left > 0 and (blamed := _blamed(root, kept, wrong - UNREADABLE)):
        kept = [note for note in kept if id(note) not in blamed]
        found = tried(kept)
    best, kept = (found, kept) if found is not None else (root, [])
    place, there = {id(note): number for number, note in enumerate(notes)}, {*map(id, kept)}
    out = [note for note in notes if id(note) not in there]
    waiting = [out[_middle(out) :], out[: _middle(out)]] if len(out) > 1 else []
    while waiting and left > 0:
        part = waiting.pop()
        more = sorted(kept + part, key=lambda note: place[id(note)])
        found = tried(more)
        if found is not None:
            best, kept = found, more
        elif len(part) > 1:
            middle = _middle(part)
            waiting += [part[middle:], part[:middle]]
    return best


def replaced_elements(root: Element, spelling: str) -> list[Element]:
    """All elements that the author wrote in another form."""
    with suppress(ValueError, TypeError, AttributeError):  # as in apply_notes
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


def joined_notes(*spellings: str) -> str:
    """The notes of all of these."""
    return packed(note for each in spellings for note in notes_of(each))


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
            if not _equal(before, after):
                yield SpellingNote(path, ATTRIBUTE, name, [before, after])
            if isinstance(after, Section):
                yield SpellingNote(path, QUOTED, name, None)
        before, after = _words_inside(theirs), _words_inside(ours)
        if not _equal(before, after):
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


def _words_inside(element: Element) -> str:
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


def _equal(a: str | None, b: str | None, tolerance: float = 0.0) -> bool:
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
        elif kind == TEXT and _equal(_words_inside(element), value[0], TOLERANCE):
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
    if not _equal(element.attrs.get(name), before, TOLERANCE):
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
    if _letters(" ".join(text for _, text in pieces)) != _letters(_words_inside(element)):
        return
    element.content = [item for item in element.content if isinstance(item, (Element, Comment))]
    places = [0, *(at for at, item in enumerate(element.content, 1) if isinstance(item, Element))]
    for count, text in reversed(pieces):  # before comments, after which it would be ignored
        element.content.insert(places[min(count, len(places) - 1)], text)


def _letters(text: str) -> list[str]:
    """The characters of a text, sorted: adjacent pieces of text have lost their boundaries and their order."""
    return sorted("".join(text.split()))
