"""JSON documents read through a tracked cursor, as converters.source.xml reads XML.

A source item is one member of an object at any depth; the elements of an array are part of its member, except that
members of objects in it are items of their own. So anyone can recount with json and a hook.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

from converters.context import InputError
from converters.faults import Faults, sure
from converters.source.pointers import escaped, figures, lines
from ir.plain import as_json
from ir.types import Extra, Source

T = TypeVar("T")
P = ParamSpec("P")


class JsonObject:
    """An object of the document. Everything that is asked for is marked; rest() returns the remainder."""

    __slots__ = ("asked", "document", "known", "members", "pointer", "rested", "rules")

    def __init__(self, members: dict[str, Any], document: JsonDocument, pointer: str) -> None:
        self.members = members
        self.document = document
        self.pointer = pointer
        self.asked: set[str] = set()
        self.known: dict[str, JsonObject | list[JsonObject]] = {}
        self.rules: dict[str, str] = {}
        self.rested = False

    # ---------------------------------------------------------------- asking

    def __contains__(self, key: str) -> bool:
        """Testing whether a member is given is not reading it."""
        return self.members.get(key) is not None

    def raw(self, key: str) -> Any:
        """The value in Python, all of it marked as read; None when absent. A null means absent, since no member of
        glTF's schema may be null: it is not left over."""
        value = self.members.get(key)
        if value is not None:
            self.asked.add(key)
        return value

    def text(self, key: str) -> str | None:
        """A string member, None when absent; refuses anything else."""
        value = self.raw(key)
        if value is not None and not isinstance(value, str):
            self.refuse(key, "must be a string")
            return None
        return value

    def boolean(self, key: str, default: bool = False) -> bool:
        """A boolean member; refuses anything else."""
        value = self.raw(key)
        if value is not None and not isinstance(value, bool):
            self.refuse(key, "must be true or false")
            return default
        return default if value is None else value

    def integer(self, key: str, low: int = 0, high: int | None = None) -> int | None:
        """A whole number within [low, high], None when absent; refuses others, including booleans."""
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(key, "must be a whole number")
            return None
        if value < low or (high is not None and value > high):
            upper = "" if high is None else f" and at most {high}"
            self.refuse(key, f"is {value}, but must be at least {low}{upper}")
            return None
        return value

    def index(self, key: str, size: int) -> int | None:
        """A reference into a table of that size, None when absent; refuses others."""
        value = self.integer(key)
        if value is not None and value >= size:
            self.refuse(key, f"refers to number {value}, but there are only {size}")
            return None
        return value

    def number(self, key: str, default: float | None = None) -> float | None:
        """A finite number; refuses anything else."""
        value = self.raw(key)
        number = None if value is None else self._finite(key, value)
        return default if number is None else number

    def vector(self, key: str, size: int | None = None) -> tuple[float, ...] | None:
        """An array of finite numbers, None when absent; refuses another size (None: any)."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, list) or (size is not None and len(value) != size):
            self.refuse(key, f"must be an array of {'' if size is None else size} numbers".replace("  ", " "))
            return None
        numbers = [self._finite(key, item) for item in value]
        return None if None in numbers else tuple(number for number in numbers if number is not None)

    def given(self, key: str, value: T | None) -> T | None:
        """The value of a member; raises ToldError if it is given and wrong, and faults are gathered."""
        return value if value is not None or self.members.get(key) is None else sure(value)

    def child(self, key: str) -> JsonObject | None:
        """The member as an object, None when absent; refuses anything else."""
        if key not in self.members:
            return None
        found = self.known.get(key)
        if found is None:
            value = self.members[key]
            if not isinstance(value, dict):
                self.refuse(key, "must be an object")
                return None
            self.asked.add(key)
            found = self.known[key] = JsonObject(value, self.document, self._at(key))
        assert isinstance(found, JsonObject)
        return found

    def inner(self, *keys: str) -> JsonObject | None:
        """As child, for an object inside of objects: inner("asset", "extras"); None if one of them is absent."""
        found: JsonObject | None = self
        for key in keys:
            found = found.child(key) if found is not None else None
        return found

    def children(self, key: str) -> list[JsonObject]:
        """The member as an array of objects, empty when absent; refuses anything else."""
        if key not in self.members:
            return []
        found = self.known.get(key)
        if found is None:
            value = self.members[key]
            if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
                self.refuse(key, "must be an array of objects")
                value = [item if isinstance(item, dict) else {} for item in value] if isinstance(value, list) else []
            self.asked.add(key)
            pointer = self._at(key)
            found = self.known[key] = [
                JsonObject(item, self.document, f"{pointer}/{n}") for n, item in enumerate(value)
            ]
        assert isinstance(found, list)
        return found

    def ignore(self, key: str, rule: str) -> None:
        """The format gives no meaning to this member here: it is kept, and noted under rule."""
        self.rules[key] = rule

    # ---------------------------------------------------------------- placing

    @property
    def source(self) -> Source:
        return self.place()

    def _at(self, key: str | None) -> str:
        """The pointer of a member, or of the object (RFC 6901)."""
        return self.pointer if key is None else f"{self.pointer}/{escaped(key)}"

    def place(self, key: str | None = None) -> Source:
        """The place of the object, or of one of its members."""
        pointer = self._at(key)
        return Source(self.document.file, self.document.line(pointer), pointer or "/")

    def fail(self, key: str | None, message: str, rule: str = "") -> InputError:
        return InputError(f"{self._at(key) or 'the document'} {message}", self.place(key), rule)

    def refuse(self, key: str | None, message: str, rule: str = "") -> None:
        """Raise an InputError about a member, or the object; if faults are gathered keep it, and the reader goes on
        without the value."""
        self.document.faults.refuse(self.fail(key, message, rule))

    def attempt(self, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """The result of a function of the object; None if it fails, and faults are gathered."""
        return self.document.faults.attempt(self, read, *arguments, **named)

    def _finite(self, key: str, value: Any) -> float | None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.refuse(key, "must hold numbers")
            return None
        if value != value:  # NaN is reported when the text is parsed
            return None
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.refuse(key, "holds a number that is not finite")
            return None
        return number

    # ---------------------------------------------------------------- leftovers

    def rest(self) -> tuple[Extra, ...]:
        """The members of this object that were not asked for, in document order.

        Call it when the entity made of it is complete, children before parents.
        """
        return tuple(self._collect(""))

    def unused(self, key: str) -> Extra:
        """A member that was read, but of which nothing was made, as an extra: it counts as unread again."""
        self.asked.discard(key)
        return self._extra(key, key, self.members[key])

    def _collect(self, prefix: str) -> Iterator[Extra]:
        self.rested = True
        for key, value in self.members.items():
            inside = self.known.get(key)
            path = f"{prefix}{escaped(key)}"
            if value is None:
                self.document.ignored += 1
            elif key not in self.asked:
                yield self._extra(key, path, value)
            elif isinstance(inside, JsonObject):
                if not inside.rested:
                    yield from inside._collect(f"{path}/")
            elif inside is not None:
                for number, item in enumerate(inside):
                    if not item.rested:
                        yield from item._left(f"{path}/{number}")

    def _left(self, path: str) -> Iterator[Extra]:
        """The rest of an element of an array: the element itself if none of it was asked for."""
        if self.asked or self.rules or not self.members or None in self.members.values():
            yield from self._collect(f"{path}/")
            return
        self.rested = True
        items = members(self.members)
        self.document.unread += items
        yield Extra(
            format=self.document.format, path=path, text=as_json(self.members), items=items, source=self.place()
        )

    def _extra(self, key: str, path: str, value: Any) -> Extra:
        items = 1 + members(value)
        rule = self.rules.get(key, "")
        if rule:
            self.document.ignored += items
        else:
            self.document.unread += items
        return Extra(
            format=self.document.format, path=path, text=as_json(value), rule=rule, items=items, source=self.place(key)
        )


class JsonDocument:
    """A parsed source file: its root, and the count of what was read."""

    __slots__ = ("_lines", "_text", "faults", "file", "format", "ignored", "root", "unread")

    def __init__(self, file: str, dialect: str, text: str, root: dict[str, Any], faults: Faults) -> None:
        self.faults = faults
        self.file = file
        self.format = dialect
        self.unread = 0
        self.ignored = 0
        self._text = text
        self._lines: dict[str, int] | None = None if "\n" in text else {}  # scanned on demand; a GLB has a single line
        self.root = JsonObject(root, self, "")

    def line(self, pointer: str) -> int:
        """The line of a value. Lines are computed all at once when one is first needed."""
        if self._lines is None:
            self._lines = lines(self._text)
        return self._lines.get(pointer, 1)

    def numbers(self) -> Iterator[tuple[Source, tuple[float, ...]]]:
        """Every number and array of numbers, with its place."""
        for pointer, values in figures(self.root.members):
            yield Source(self.file, self.line(pointer), pointer), values

    def totals(self) -> tuple[int, int, int, int]:
        """(source_items, read, ignored, unread).

        Raises AssertionError when a member was neither read nor collected by rest().
        """
        items = members(self.root.members)
        read = 0
        stack = [self.root]
        while stack:
            node = stack.pop()
            for key in node.asked:
                inside = node.known.get(key)
                read += 1
                if inside is None:
                    read += members(node.members[key])
                else:
                    stack.extend([inside] if isinstance(inside, JsonObject) else inside)
        assert read + self.ignored + self.unread == items, (
            f"{self.file}: {items} items, but {read} + {self.ignored} + {self.unread}"
        )
        return items, read, self.ignored, self.unread


def members(value: Any) -> int:
    """The number of members of objects in a value, at any depth."""
    return sum(len(each) for each in nested(value) if isinstance(each, dict))


def nested(value: Any) -> Iterator[dict[str, Any] | list[Any]]:
    """The objects and arrays in a value, at any depth, and the value itself if it is one."""
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, (dict, list)):
            yield each
            stack += each.values() if isinstance(each, dict) else each
