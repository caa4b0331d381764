"""Elements for writers, their text, and putting extras back at their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self, TypeGuard, cast
from xml.parsers import expat

from msgspec.structs import replace

from converters.context import InputError
from converters.source.text import BLANK
from ir.gathering import gathered
from ir.types import Extra

MAX_INDENT = 40
"""Deeper levels are not indented further: the size of a long kinematic chain stays linear."""


class Comment(str):
    """A comment between elements: kept inside of verbatim text, no source item."""

    __slots__ = ()


class Section(str):
    """A text in a CDATA section (XML 1.0, 2.7)."""

    __slots__ = ()


class Element:
    """A tag, its attributes, and its content: elements, comments and non-blank texts in document order."""

    __slots__ = ("attrs", "content", "tag")

    def __init__(self, tag: str, attrs: dict[str, str] | None = None) -> None:
        self.tag = tag
        self.attrs: dict[str, str] = attrs if attrs is not None else {}
        self.content: list[Element | Comment | str] = []

    def add(self, tag: str, attrs: dict[str, str] | None = None) -> Element:
        """Append a new child element and return it."""
        child = Element(tag, attrs)
        self.content.append(child)
        return child

    def elements(self) -> Sequence[Element]:
        """The child elements, in their order."""
        return [item for item in self.content if isinstance(item, Element)]

    def findall(self, tag: str) -> list[Self]:
        """The child elements of that name, in their order, unmarked."""
        return [item for item in cast("Sequence[Self]", self.elements()) if item.tag == tag]

    def below(self) -> Iterator[Self]:
        """The element and all elements in it, in document order, unmarked; children added to an element when it is
        yielded are included."""
        stack = [self]
        while stack:
            found = stack.pop()
            yield found
            stack += reversed(cast("Sequence[Self]", found.elements()))

    def own_text(self) -> str:
        """The first text of the element, stripped; comments before it are ignored.

        Text after a comment or an element is not part of it: readers of robot models (tinyxml2's GetText) only take the
        first text.
        """
        return (self.first_text() or "").strip(BLANK)

    def first_text(self) -> str | None:
        """own_text as it is in the content, None if there is none."""
        for item in self.content:
            if type(item) is str:
                return item
            if isinstance(item, Element):
                break
        return None

    def copy(self) -> Element:
        top = Element(self.tag, dict(self.attrs))
        stack: list[tuple[Element, Element]] = [(self, top)]
        while stack:
            old, new = stack.pop()
            for item in old.content:
                if isinstance(item, Element):
                    stack.append((item, new.add(item.tag, dict(item.attrs))))
                else:
                    new.content.append(item)
        return top

    def find(self, tag: str, position: int = 1) -> Element | None:
        """The child element of that name, counted from 1."""
        return next(iter(self.findall(tag)[position - 1 : position]), None)


DRAKES = {"xmlns:drake": "http://drake.mit.edu"}
"""The declaration of Drake's namespace."""
UNDECLARED = "https://kinegraph.dev/undeclared/"
"""Start of the address of a prefix that its author did not declare, as readers of SDFormat allow: others refuse it."""


def declare_rest(root: Element, own: bool) -> None:
    """Declare the undeclared prefixes in the document (Namespaces in XML 1.0, 5.1).

    own: it is the author's document again, in which an edit may have brought elements of Drake: what the author does
    not declare stays so.
    """
    free = dict[str, None]()
    stack = [(root, frozenset({"xml", "xmlns", "kinegraph"}))]
    while stack:
        element, known = stack.pop()
        known |= {name[6:] for name in element.attrs if name.startswith("xmlns:")}
        named = (name.partition(":") for name in (element.tag, *element.attrs))
        free |= dict.fromkeys(prefix for prefix, colon, _ in named if colon and prefix not in known)
        stack += [(child, known) for child in element.content if isinstance(child, Element)]
    for name in [name for prefix in sorted(free) if (name := f"xmlns:{prefix}") in DRAKES or not own]:
        prefix = name.removeprefix("xmlns:")
        root.attrs.setdefault(name, DRAKES.get(name, UNDECLARED + prefix))


def declarations(notation: Mapping[str, str], native: bool) -> dict[str, str]:
    """The namespace declarations of the author. One without a prefix concerns the elements of the author's format: in
    another format (not native) it would apply to elements that are none of them, and Drake refuses it in an SDF."""
    return {name: uri for name, uri in notation.items() if name.startswith("xmlns:") or (native and name == "xmlns")}


def declare(root: Element, known: Mapping[str, str]) -> None:
    """Declare the prefixes in the document, as far as they are known (xmlns:PREFIX -> address)."""
    used = {name.partition(":")[0] for element in root.below() for name in (element.tag, *element.attrs) if ":" in name}
    root.attrs = {name: known[name] for prefix in sorted(used) if (name := f"xmlns:{prefix}") in known} | root.attrs


_ESCAPES = re.compile(r'[&<>"\t\n\r]')
_INSIDE = re.compile(r"[&<>\t\n\r]")
_ROOT = re.compile(r"<([^\s/>?]+)")
_NAMES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def attribute(value: str) -> str:
    """An attribute value with its quotes: single ones around a text that contains double ones, such as JSON."""
    if not _ESCAPES.search(value):
        return f'"{value}"'
    if '"' in value and "'" not in value:
        return f"'{_INSIDE.sub(_name, value)}'"
    return f'"{_ESCAPES.sub(_name, value)}"'


def _name(match: re.Match[str]) -> str:
    return _NAMES[match[0]]


def escape(text: str) -> str:
    """Character data."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def serialise(root: Element, *, indent: bool = False) -> str:
    """The element as text. Without indent on one line, which is the canonical form of verbatim text.

    Mixed content (text beside elements) is never indented: white space there would be a change.
    """
    out: list[str] = []
    stack: list[tuple[Element | str, int]] = [(root, 0)]
    while stack:
        item, depth = stack.pop()
        lead = "\n" + "  " * min(depth, MAX_INDENT) if indent and depth >= 0 and out else ""
        if isinstance(item, str):
            out.append(lead + f"<!--{item}-->" if isinstance(item, Comment) else item)
            continue
        if isinstance(item, _EndTag):
            out.append(f"{lead}</{item.tag}>")
            continue
        attrs = "".join([f" {name}={attribute(value)}" for name, value in item.attrs.items()])
        if not item.content:
            out.append(f"{lead}<{item.tag}{attrs}/>")
            continue
        if len(item.content) == 1 and type(item.content[0]) is str:  # most elements of SDFormat
            out.append(f"{lead}<{item.tag}{attrs}>{escape(item.content[0])}</{item.tag}>")
            continue
        out.append(f"{lead}<{item.tag}{attrs}>")
        mixed = depth < 0 or any(isinstance(part, str) and not isinstance(part, Comment) for part in item.content)
        inner = -1 if mixed else depth + 1
        stack.append((_EndTag(item.tag), -1 if mixed else depth))
        stack.extend(
            (part if isinstance(part, (Element, Comment)) else _raw(part), inner) for part in reversed(item.content)
        )
    return "".join(out)


class _EndTag(Element):
    """The end tag of an element whose content is above it on the stack."""

    __slots__ = ()


def _raw(text: str) -> str:
    return f"<![CDATA[{text}]]>" if isinstance(text, Section) else escape(text)


def document(root: Element) -> bytes:
    """A whole file: declaration first, UTF-8, two spaces a level, one newline at the end."""
    return f'<?xml version="1.0"?>\n{serialise(root, indent=True)}\n'.encode()


def appended(data: bytes, lines: Iterable[str], declaration: str = "") -> bytes:
    """A whole file with lines at the end of its root; declaration: an attribute that is added to the root."""
    text = data.decode()
    root = _ROOT.search(text)
    assert root is not None
    head, tail = text[: root.end()], text[root.end() :]
    if declaration and f" {declaration.partition('=')[0]}=" not in tail[: tail.index(">")]:
        head = f"{head} {declaration}"
    body, end, rest = tail.rpartition(f"</{root[1]}>")
    if not end:  # the root is empty
        body, _, rest = tail.rpartition("/>")
        body, end = f"{body}>\n", f"</{root[1]}>"
    return f"{head}{body}{''.join(lines)}{end}{rest}".encode()


def is_element(item: object, tag: str) -> TypeGuard[Element]:
    """Whether an item in an element is an element of that name, not a text or comment."""
    return isinstance(item, Element) and item.tag == tag


def fragment(text: str) -> Element:
    """Parse what serialise wrote. Raises InputError for anything else: such text comes from carried data."""
    return _parsed(text).elements()[0]


def fragments(texts: list[str]) -> Sequence[Element]:
    """Several at once: starting a parser for each takes longer than parsing it."""
    if len(texts) > 1:
        found = _parsed(f"<all>{''.join(texts)}</all>").content[0]
        assert isinstance(found, Element)
        parts = found.elements()
        if len(parts) == len(texts) == len(found.content):
            return parts
    return [fragment(text) for text in texts]


def as_read(extra: Extra) -> Extra:
    """An element that a program put into a scene, as a reader would have kept it. Raises InputError if it is invalid,
    or does not fit its path."""
    last = extra.path.rpartition("/")[2]
    if not extra.text.lstrip().startswith("<") or last.startswith(("@", "text()")):
        return extra
    try:
        element = _element_around(extra.text).elements()[0]
    except expat.ExpatError as error:
        raise InputError(f"an extra at {extra.path!r}: {extra.text[:60]!r} is no element ({error})") from error
    if last and step(last)[0] != element.tag:
        raise InputError(f"an extra at {extra.path!r} is a <{element.tag}>")
    text = serialise(element)
    return extra if text == extra.text else replace(extra, text=text)


def _parsed(text: str) -> Element:
    """An element that contains the one in the text. Raises InputError."""
    try:
        return _element_around(text)
    except expat.ExpatError as error:
        message = f"the carried data of an earlier conversion is damaged: {text[:60]!r} is no element ({error})"
        raise InputError(message) from error


def _element_around(text: str) -> Element:
    """An element that contains the one in the text. Raises ExpatError."""
    top = Element("")
    stack = [top]

    def start(tag: str, attrs: dict[str, str]) -> None:
        stack.append(stack[-1].add(tag, attrs))

    parser = filling(stack)
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: stack.pop()
    feed(parser, text)
    return top


def filling(stack: Sequence[Element]) -> expat.XMLParserType:
    """A parser that puts texts, unless they are blank, and comments into the last element of a stack."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True

    def characters(data: str) -> None:
        if not (data.isspace() and data.isascii()):
            stack[-1].content.append(data)

    parser.CharacterDataHandler = characters
    parser.CommentHandler = lambda data: stack[-1].content.append(Comment(data))
    return parser


def feed(parser: expat.XMLParserType, text: str) -> None:
    """Parse a whole document; each text in it arrives in one piece, however long it is. Raises ExpatError."""
    data = text.encode("utf-8")
    parser.buffer_size = len(data) + 1
    parser.Parse(data, True)


_STEP = re.compile(r"(.+)\[(\d+)\]\Z")
LATER = "text()["
"""The beginning of the last step in the path of a text that is not the first text of its element."""


def restore(element: Element, extras: Iterable[Extra], dialect: str) -> None:
    """Put the extras of an entity back at their places below its element.

    Missing elements on the way are made. An element gets its old index, or the nearest one that its rank among its
    equals allows: a second <limit> stays the second.
    """
    own = sorted((extra for extra in extras if extra.format == dialect), key=_turn)
    if not own:
        return
    cursors: dict[int, _Cursor] = {}
    children = _Children()
    whole = [extra for extra in own if not extra.path.rpartition("/")[2].startswith(("@", "text()"))]
    made = dict(zip(map(id, whole), fragments([extra.text for extra in whole]), strict=True))
    for extra in own:
        *steps, last = extra.path.split("/")
        owner = element
        for tag, position in map(step, steps):
            owner = children.find(owner, tag, position)
        if last.startswith("@"):
            owner.attrs.setdefault(last[1:], extra.text)
            continue
        cursor = cursors.get(id(owner)) or cursors.setdefault(id(owner), _Cursor(owner))
        if last.startswith(LATER) and not owner.own_text():
            continue  # what was not the text of the element must not become it
        if last.startswith("text()"):
            cursor.insert(extra.text, extra.index, "", 1)
        else:
            cursor.insert(made[id(extra)], extra.index, *step(last))


def _turn(extra: Extra) -> int:
    """Attributes first, then by position: each insertion finds everything before it in place."""
    return -1 if "@" in extra.path else extra.index


def step(text: str) -> tuple[str, int]:
    """Tag and position, from 1, of a step in the path of an extra (tag[position], or tag for the first of its tag)."""
    match = _STEP.match(text)
    return (match[1], int(match[2])) if match else (text, 1)


class _Children:
    """The children of elements by tag, as long as nothing is inserted between them."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, dict[str, list[Element]]]] = {}

    def find(self, owner: Element, tag: str, position: int) -> Element:
        """The child of that tag and position, from 1; made at the end if there is none."""
        size, known = self._known.get(id(owner), (-1, {}))
        if size != len(owner.content):
            known = gathered((child.tag, child) for child in owner.elements())
        alike = known.setdefault(tag, [])
        if not 0 < position <= len(alike):
            alike.append(owner.add(tag))
            position = len(alike)
        self._known[id(owner)] = (len(owner.content), known)
        return alike[position - 1]


class _Cursor:
    """A place in the content of an element: an insertion mostly belongs after the previous one."""

    __slots__ = ("counts", "elements", "owner", "place")

    def __init__(self, owner: Element) -> None:
        self.owner = owner
        self._rewind()

    def _rewind(self) -> None:
        self.place = self.elements = 0
        self.counts: dict[str, int] = {}

    def insert(self, item: Element | str, index: int, tag: str, position: int) -> None:
        """Insert before the first element that has as many equals before it as the item had, and is an equal or far
        enough behind."""
        content = self.owner.content
        if index < self.elements or position <= self.counts.get(tag, 0):
            self._rewind()
        while self.place < len(content):
            other = content[self.place]
            if isinstance(other, Element):
                equals = self.counts.get(tag, 0)
                if equals + 1 >= position and (self.elements >= index or other.tag == tag):
                    break
            self._pass(other)
        if type(item) is str and self.place and type(content[self.place - 1]) is str:
            content.insert(self.place, Comment(""))  # keeps the two texts apart
            self._pass(content[self.place])
        content.insert(self.place, item)
        self._pass(item)

    def _pass(self, item: object) -> None:
        self.place += 1
        if isinstance(item, Element):
            self.elements += 1
            self.counts[item.tag] = self.counts.get(item.tag, 0) + 1
