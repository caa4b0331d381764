"""XML documents read through a tracked cursor: whatever a reader does not ask for is left over, counted, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from converters.context import InputError
from converters.faults import Faults
from converters.source.bits import Bits
from converters.source.text import BLANK, closest_word, number_fault, parse_number, parse_numbers, plain_numbers
from converters.source.tree import Element, serialise
from ir.types import Extra, Source

MAX_DEPTH = 20_000
"""Deep enough for a chain of ten thousand nested bodies, shallow enough to refuse a nesting bomb at once."""

T = TypeVar("T")
P = ParamSpec("P")


class Node(Element):
    """An element of a source document. get, number, vector, text, child and children mark what they return as read."""

    __slots__ = ("asked", "document", "line", "parent", "position", "rested", "rules", "text_read", "turn", "visited")

    def __init__(
        self,
        tag: str,
        attrs: dict[str, str],
        document: Document,
        parent: Node | None,
        line: int,
        position: int,
        turn: int,
    ) -> None:
        self.tag = tag
        self.attrs = attrs
        self.content = []
        self.document = document
        self.parent = parent
        self.line = line
        self.position = position
        self.turn = turn
        self.asked = 0
        self.rules: dict[str, str] | None = None
        self.visited = False
        self.text_read = False
        self.rested = False

    # ---------------------------------------------------------------- asking

    def get(self, name: str) -> str | None:
        """The value of an attribute, None when it is absent."""
        value = self.attrs.get(name)
        if value is not None:
            self.asked |= self.document.bits[name]
        return value

    def has_read(self, name: str) -> bool:
        """Whether that attribute was asked for."""
        return bool(self.asked & self.document.bits.get(name, 0))

    def need(self, name: str) -> str:
        """The value of a required, nonempty attribute; raises InputError."""
        value = self.get(name)
        if value is None:
            raise self.lacking(name)
        if not value:
            raise self.fail(f"<{self.tag}> has an empty attribute {name!r}", "XML-REQUIRED")
        return value

    def lacking(self, name: str) -> InputError:
        """The error for a missing attribute, with the one that may be a misspelling of it."""
        close = closest_word(name, self.attrs)
        return self.fail(f"<{self.tag}> has no attribute {name!r}{f', but {close!r}' if close else ''}", "XML-REQUIRED")

    def number(self, name: str) -> float | None:
        """A number attribute, None when absent; refuses anything else."""
        value = self.get(name)
        if value is None:
            return None
        try:
            return parse_number(value.strip(BLANK))
        except ValueError as error:
            self.wrong(name, f"<{self.tag} {name}>: {error}", number_fault(value))
            return None

    def vector(self, name: str, size: int | None = None) -> tuple[float, ...] | None:
        """Numbers separated by white space, None when absent; refuses a wrong count (size None: any) or no number."""
        value = self.get(name)
        if value is None:
            return None
        try:
            values = parse_numbers(value)
        except ValueError as error:
            self.wrong(name, f"<{self.tag} {name}={value!r}>: {error}", number_fault(value))
            return None
        if size is not None and len(values) != size:
            message = f"<{self.tag} {name}={value!r}> needs {size} numbers, not {len(values)}"
            self.wrong(name, message, "NUM-COUNT")
            return None
        return values

    def text(self) -> str:
        """The text of the element (own_text), and mark it as read; later ones stay unread."""
        self.text_read = True
        return self.own_text()

    def child(self, tag: str) -> Node | None:
        """The first child of that name. Later ones stay unread and are therefore kept and reported."""
        for item in self.content:
            if type(item) is Node and item.tag == tag:
                item.visited = True
                return item
        return None

    def peek(self, *tags: str) -> Node | None:
        """The first child with one of these names, unmarked."""
        return next((item for item in self.elements() if item.tag in tags), None)

    def children(self, *tags: str) -> list[Node]:
        """All children with one of these names, in document order."""
        found: list[Node] = [item for item in self.content if type(item) is Node and item.tag in tags]
        for item in found:
            item.visited = True
        return found

    def tags(self) -> list[str]:
        """Names of the child elements in document order; looking at a name is not reading."""
        return [item.tag for item in self.elements()]

    def elements(self) -> Sequence[Node]:
        """The child elements, unmarked; for readers that decide by position and then call visit."""
        return [item for item in self.content if type(item) is Node] if self.content else ()

    def above(self) -> Iterator[Node]:
        """The enclosing elements, from the parent to the root, unmarked."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def visit(self) -> Node:
        """Mark the element itself as read."""
        self.visited = True
        return self

    def ignore(self, name: str, rule: str) -> None:
        """The format itself gives no meaning to this attribute ("@name") or child element ("name").

        It is kept, and noted under rule.
        """
        if self.rules is None:
            self.rules = {}
        self.rules[name] = rule

    # ---------------------------------------------------------------- placing

    @property
    def source(self) -> Source:
        return Source(self.file, self.line, self)

    @property
    def file(self) -> str:
        """The file in which the element was written; in a generated document the file from which it was generated."""
        return self.document.files.get(self, self.document.file) if self.document.files else self.document.file

    def place(self, name: str) -> Source:
        """The place of an attribute."""
        return Source(self.file, self.line, Below(self, f"@{name}"))

    def __str__(self) -> str:
        """Absolute XPath with positions."""
        steps: list[str] = []
        node: Node | None = self
        while node is not None:
            if node in node.document.moved:
                return "/".join([node.document.moved[node], *reversed(steps)])
            steps.append(f"{node.tag}[{node.position}]" if node.parent is not None else node.tag)
            node = node.parent
        return "/" + "/".join(reversed(steps))

    def inner(self, path: Iterable[str]) -> Node | None:
        """As child, for an element inside of elements, by their tags; None if one of them is absent."""
        found: Node | None = self
        for tag in path:
            found = found.child(tag) if found is not None else None
        return found

    def __repr__(self) -> str:
        return f"<{self.tag} at {self.file}:{self.line}>"

    def fail(self, message: str, rule: str = "") -> InputError:
        return InputError(message, self.source, rule)

    # ---------------------------------------------------------------- refusing

    def refuse(self, message: str, rule: str = "") -> None:
        """Raise an InputError at the element; if faults are gathered keep it, and the reader goes on."""
        self.document.faults.refuse(self.fail(message, rule))

    def wrong(self, name: str, message: str, rule: str = "") -> None:
        """As refuse, at an attribute, which is then treated as absent."""
        self.document.faults.refuse(InputError(message, self.place(name), rule))

    def attempt(self, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """What is made of the element; None where that cannot be, and faults are gathered."""
        return self.document.faults.attempt(self, read, *arguments, **named)

    # ---------------------------------------------------------------- leftovers

    def rest(self) -> tuple[Extra, ...]:
        """The parts of this element that were not asked for, in document order.

        Call it when the entity made of this element is complete, children before parents: what an inner entity has
        already collected is not collected again.
        """
        found: list[Extra] = []
        self._collect(found)
        return tuple(found)

    def whole(self) -> Extra:
        """The element itself, unread, as one extra with an empty path.

        For elements that are kept verbatim and only examined later.
        """
        self.rested = True
        return self._extra("", serialise(self), 0, self.count(), self.tag, self.source)

    def _collect(self, found: list[Extra]) -> None:
        """Without recursion: elements may be nested as deep as the parser allows."""
        self._unasked(None, found)
        stack = [self._unread(None, found)] if self.content else []
        while stack:
            deeper = next(stack[-1], None)
            if deeper is None:
                stack.pop()
            else:
                stack.append(deeper[0]._unread(deeper[1], found))

    def _unasked(self, way: _Way, found: list[Extra]) -> None:
        """The attributes that were not asked for."""
        self.rested = True
        if self.attrs and self.asked.bit_count() < len(self.attrs):
            for name, value in self.attrs.items():
                if not self.has_read(name):
                    path = f"{_prefix(way)}@{name}"
                    items = 0 if name.startswith("xmlns") else 1
                    found.append(self._extra(path, value, 0, items, f"@{name}", self.place(name)))

    def _unread(self, way: _Way, found: list[Extra]) -> Iterator[tuple[Node, _Way]]:
        """The content that was not asked for; yields the children whose content belongs in between."""
        index = 0
        text, texts = self._read_text(), 0
        for item in self.content:
            if type(item) is Node:
                if item.rested:
                    pass
                elif not item.visited:
                    item.rested = True
                    path = f"{_prefix(way)}{item.tag}[{item.position}]"
                    count = item.count()
                    account = item.document.account
                    found.append(self._extra(path, serialise(item), index, count, item.tag, item.source, account))
                else:
                    item._unasked((way, item), found)
                    if item.content:
                        yield item, (way, item)
                index += 1
            elif type(item) is str:
                texts += 1
                if text is None or texts > 1:
                    step = f"text()[{texts}]" if text is not None else "text()"
                    place = Source(self.file, self.line, Below(self, step))
                    found.append(self._extra(f"{_prefix(way)}{step}", item.strip(BLANK), index, 1, "text()", place))

    def _read_text(self) -> str | None:
        """The text that was asked for, as it is in the content; None if there is none."""
        return self.first_text() if self.text_read else None

    def _extra(
        self, path: str, text: str, index: int, items: int, name: str, source: Source, account: Document | None = None
    ) -> Extra:
        """The leftovers of this element, or of those below it, counted by this or another document."""
        account = account or self.document.account
        rule = self.rules.get(name, "") if self.rules else ""
        if rule:
            account.ignored += items
        else:
            account.unread += items
        return Extra(
            format=self.document.format, path=path, text=text, index=index, rule=rule, items=items, source=source
        )

    def count(self) -> int:
        """Source items of the whole element: each element, attribute and non-blank text once.

        Items that another document counts are counted there.
        """
        total = 0
        account = self.document.account
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            total += 1 + len(node.attrs)
            if node.document.declares:
                total -= sum(name.startswith("xmlns") for name in node.attrs)
            for item in node.content:
                if type(item) is Node and item.document.account is account:
                    stack.append(item)
                elif type(item) is str:
                    total += 1
        return total


class Below(NamedTuple):
    """An attribute or a text of an element, as a place: its path is computed when it is needed."""

    node: Node
    step: str

    @property
    def turn(self) -> tuple[int, str]:
        return self.node.turn, self.step

    def __str__(self) -> str:
        return f"{self.node}/{self.step}"


class Together:
    """Places that together contribute to one thing, as the first of them."""

    __slots__ = ("others", "places")

    def __init__(self, places: Sequence[Source]) -> None:
        self.places = places
        self.others = (*places[0].others, *places[1:])

    @property
    def turn(self) -> tuple[int, str]:
        return self.places[0].turn

    def __str__(self) -> str:
        return self.places[0].path


def joined_source(*places: Source) -> Source:
    """The place of something that several places contribute to."""
    return places[0] if len(places) == 1 else Source(places[0].file, places[0].line, Together(places))


_Way = tuple["_Way", Node] | None
"""The elements from an owner down to one inside it."""


def _prefix(way: _Way) -> str:
    steps: list[str] = []
    while way is not None:
        way, node = way
        steps.append(f"{node.tag}[{node.position}]/")
    return "".join(reversed(steps))


class Document:
    """A parsed source file: its root, and the count of what was read."""

    __slots__ = (
        "account",
        "bits",
        "declares",
        "faults",
        "file",
        "files",
        "format",
        "gone",
        "ignored",
        "moved",
        "namespaces",
        "reworded",
        "root",
        "unread",
    )

    def __init__(self, file: str, dialect: str, faults: Faults) -> None:
        self.file = file
        self.format = dialect
        self.faults = faults
        self.bits = Bits(file)
        """The bits of attribute names: Node.asked is a set of them in the least memory."""
        self.namespaces: dict[str, str] = {}
        """xmlns declarations that apply everywhere, by attribute name.

        They are no source items, but needed to write prefixed elements back.
        """
        self.declares = False
        """Whether some element has such declarations as attributes: these only apply in it."""
        self.root: Node
        self.unread = 0
        self.ignored = 0
        self.account: Document = self
        """The document that counts the leftovers: the one that includes this one."""
        self.files: dict[Node, str] = {}
        """Files of elements that come from other files than this one."""
        self.moved: dict[Node, str] = {}
        """The original places of elements that an include has moved."""
        self.gone: list[Node] = []
        """Elements that were removed from the tree: they count as read."""
        self.reworded = 0
        """The number of attributes removed from the tree because others mean the same, minus the number of those."""

    def numbers(self) -> Iterator[tuple[Source, tuple[float, ...]]]:
        """Every attribute and text that consists of numbers only, with its place."""
        for node in self.root.below():
            said = [(f"@{name}", value) for name, value in node.attrs.items()]
            said += [("text()", item) for item in node.content if type(item) is str]
            for step, value in said:
                if values := plain_numbers(value):
                    yield Source(node.file, node.line, Below(node, step)), values

    def totals(self) -> tuple[int, int, int, int]:
        """(source_items, read, ignored, unread).

        Raises AssertionError when an item was neither read nor collected by rest().
        """
        gone = sum(node.count() for node in self.gone) + self.reworded
        items = self.root.count() + gone
        read = gone
        stack = [self.root]
        while stack:
            node = stack.pop()
            if not node.visited:
                continue
            read += 1 + node.asked.bit_count() + (node._read_text() is not None)
            for item in node.content:
                if type(item) is Node and item.document.account is self:
                    stack.append(item)
        assert read + self.ignored + self.unread == items, (
            f"{self.file}: {items} items, but {read} + {self.ignored} + {self.unread}"
        )
        return items, read, self.ignored, self.unread
