"""The differences between blocks for a simulator, value by value, and applying them to those of an author.

A word is the value of an attribute, or the text of an element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from converters.source.text import numbers
from converters.source.tree import Element
from ir.base import Value, slots


class Step(NamedTuple):
    """A step from an element to a child with this tag and name; turn: which one of several such, from 1."""

    tag: str
    name: str = ""
    turn: int = 1


class Word(NamedTuple):
    """The place of a word in a block: an attribute, or ("") the text, of the element to which the steps lead."""

    steps: tuple[Step, ...]
    attribute: str = ""


class WordChange(NamedTuple):
    """The old and the new word; None if there is no such attribute or text."""

    word: Word
    old: str | None
    new: str | None


def changes(before: Mapping[str, Element], after: Mapping[str, Element]) -> Iterator[WordChange]:
    """The differences between the blocks about the same things."""
    for target in dict.fromkeys((*before, *after)):
        old, new = (_words(blocks[target]) if target in blocks else {} for blocks in (before, after))
        for word in dict.fromkeys((*old, *new)):
            if old.get(word) != new.get(word):
                yield WordChange(word, old.get(word), new.get(word))


def _words(block: Element) -> dict[Word, str]:
    """The word in each attribute and text of an element."""
    found: dict[Word, str] = {}
    stack: list[tuple[Element, tuple[Step, ...]]] = [(block, ())]
    while stack:
        element, steps = stack.pop()
        found |= {Word(steps, name): value for name, value in element.attrs.items()}
        if text := element.own_text():
            found[Word(steps)] = text
        stack += [(child, (*steps, step)) for step, child in _children(element)]
    return found


def _children(element: Element) -> Iterator[tuple[Step, Element]]:
    """The child elements, with the steps to them."""
    turns: Counter[tuple[str, str]] = Counter()
    for child in element.elements():
        called = child.tag, child.attrs.get("name", "")
        turns[called] += 1
        yield Step(*called, turns[called]), child


def of_fields(own: Any, now: Any) -> Iterator[WordChange]:
    """The differences between two payloads, whose fields have the names of elements."""
    for slot in slots(type(own)) if isinstance(own, Value) else ():
        old, new = (_text_of_field(getattr(each, slot.name)) for each in (own, now))
        if old != new and old and new:
            yield WordChange(Word((Step(slot.name),)), old, new)


def _text_of_field(value: Any) -> str:
    """The text of a field; "" if it cannot be one word."""
    if isinstance(value, str):
        return value
    values = value if isinstance(value, tuple) else (value,)
    return numbers(values) if all(type(each) in (int, float) for each in values) else ""


def apply_change(blocks: Sequence[Element], change: WordChange) -> bool:
    """Apply a change to the blocks of an author; False if none of them contains the word.

    The word is searched at the given place, and then, since authors use other places and names for it, anywhere by its
    value: first under similar names.
    """
    (steps, attribute), old, new = change
    if old is None:
        assert new is not None
        _add(blocks[0], change.word, new)
        return True
    for block in blocks:
        way = _elements_on_path(block, steps)
        if len(way) > len(steps) and _put_word(way, attribute, old, new):
            return True
    alike = [(way, name) for block in blocks for way, name in _ways(block) if _means(way[-1], name, old)]
    own = _bare(steps[-1].tag if steps else attribute)
    called = [(way, name) for way, name in alike if own in (_bare(way[-1].tag), _bare(name))]
    if new is None:  # a default that the block does not write need not be removed
        return not called or _put_word(*called[0], old, new)
    best = called or alike
    return bool(best) and _put_word(*best[0], old, new)


def _elements_on_path(block: Element, steps: Iterable[Step]) -> list[Element]:
    """A block and the elements in it to which the steps lead, as far as they exist; an only child needs no name."""
    way = [block]
    for tag, name, turn in steps:
        alike = way[-1].findall(tag)
        named = [each for each in alike if each.attrs.get("name", "") == name]
        if len(named) >= turn:
            way.append(named[turn - 1])
        elif len(alike) == 1 and "name" not in alike[0].attrs:
            way.append(alike[0])
        else:
            break
    return way


def _add(block: Element, word: Word, text: str) -> None:
    """Put a word into a block, making the missing elements on the way to it."""
    way = _elements_on_path(block, word.steps)
    owner = way[-1]
    for tag, name, _ in word.steps[len(way) - 1 :]:
        owner = owner.add(tag, {"name": name} if name else {})
    if word.attribute:
        owner.attrs[word.attribute] = text
    else:
        owner.content.append(text)


def _ways(block: Element) -> Iterator[tuple[list[Element], str]]:
    """Each text ("") and attribute in a block, with the elements from the block to it."""
    stack = [[block]]
    while stack:
        way = stack.pop()
        yield from ((way, name) for name in ("", *way[-1].attrs))
        stack += [[*way, child] for child in reversed(way[-1].elements())]


def _put_word(way: Sequence[Element], name: str, old: str, new: str | None) -> bool:
    """Set a text ("") or attribute of the last element of a path, or remove it (None); False without one."""
    element = way[-1]
    if not name and not element.own_text():  # <mu1 value="1"/> is <mu1>1</mu1>
        if "value" not in element.attrs:
            return False
        name = "value"
    if new is None:
        return _taken(way, name)
    if not name:
        index = next(index for index, each in enumerate(element.content) if type(each) is str)
        element.content[index] = _mixed(element.own_text(), old, new)
    elif name in element.attrs:
        element.attrs[name] = _mixed(element.attrs[name], old, new)
    return not name or name in element.attrs


def _taken(way: Sequence[Element], name: str) -> bool:
    """Remove an attribute, or the element that exists only for its text or value; never a whole block."""
    if name not in ("", "value"):
        way[-1].attrs.pop(name, None)
        return True
    if len(way) > 1:
        way[-2].content.remove(way[-1])
    return len(way) > 1


def _mixed(said: str, old: str, new: str) -> str:
    """The new text, in which unchanged numbers are written as the author did."""
    own, before, after = said.split(), old.split(), new.split()
    if not len(own) == len(before) == len(after):
        return new
    return " ".join(a if b == c else c for a, b, c in zip(own, before, after, strict=True))


def _means(element: Element, name: str, text: str) -> bool:
    said = element.attrs[name] if name else element.own_text()
    return bool(said) and _value(said) == _value(text)


def _value(text: str) -> object:
    words = [{"true": "1", "false": "0"}.get(word.lower(), word) for word in text.split()]
    try:
        return [float(word) for word in words]
    except ValueError:
        return words


def _bare(name: str) -> str:
    """A tag or attribute without word separators: self_collide equals selfCollide."""
    return name.replace("_", "").lower()
