"""Default classes: an attribute that an element does not give is looked up in its class, and marked as read there."""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterable

from msgspec.structs import replace

from converters.mjcf.document.schema import kinds
from converters.mjcf.tables import FORMAT, MAPPED
from converters.source.shadow import shadow
from converters.source.text import number_fault, parse_numbers, plain_numbers, words
from converters.source.xml import Node
from ir.types import Extra, Parameters, Source, Vec3, Vec4

MAIN = "main"
LARGEST = 1e55
"""Maximum of sizes, masses and poses, which are used in computations: the fifth power must still be finite. Ends of a
range, which are only compared, may be larger: many URDF files use DBL_MAX for no limit."""
ENDLESS = 1e30
"""Used instead of inf where MuJoCo accepts that as the end of a range."""
_ENDLESS = re.compile(r"\b(inf|infinity)\b", re.IGNORECASE)
ACTUATORS = {*kinds("actuator")} - {"plugin"}
"""Kinds of actuator that share their defaults: a class has one actuator default, under any of these names."""


Line = tuple[Node, "Line"] | None
"""A node that gives defaults, and those that it overrides: classes share what they inherit."""


class Defaults:
    """Class -> kind of element -> the nodes that give its defaults, nearest first."""

    def __init__(self, root: Node) -> None:
        self.classes: dict[str, dict[str, Line]] = {MAIN: {}}
        self._named: dict[str, Node] = {}
        for node in root.children("default"):
            node.get("class")
            self._read(node, MAIN, None)

    def _read(self, top: Node, name: str, parent: str | None) -> None:
        """Read a class and its nested classes; its elements precede all nested classes, wherever they are.

        A nested class starts as a copy of its parent.
        """
        stack = [(top, name, parent)]
        while stack:
            node, name, parent = stack.pop()
            inherited = self.classes.get(parent, {}) if parent is not None else self.classes.get(name, {})
            if parent is not None and name in self.classes:
                node.refuse(f"default class {name!r} is defined twice", "MJCF-CLASS")
                inherited = self.classes[name]
            kinds = dict(inherited)
            nested: list[tuple[Node, str, str | None]] = []
            for child in node.elements():
                child.visit()
                if child.tag == "default":
                    inner = child.attrs.get("class") or child.attempt(child.need, "class")
                    nested += [(child, inner, name)] if inner is not None else []
                else:
                    kind = _kind(child.tag)
                    kinds[kind] = (child, kinds.get(kind))
            self.classes[name] = kinds
            self._named[name] = node
            stack.extend(reversed(nested))

    def use(self, name: str) -> None:
        """Mark the name of a class as read because an element uses it."""
        if name in self._named:
            self._named[name].get("class")

    def of(self, node: Node, childclass: str = MAIN) -> Resolved:
        """Return the element with the defaults of its class: its own, else the nearest childclass above, else main."""
        given = node.get("class")
        name = childclass if given is None else given
        if name not in self.classes:
            node.refuse(f"<{node.tag}> names the default class {name!r}, which does not exist", "MJCF-CLASS")
            name = childclass if childclass in self.classes else MAIN
        elif given is not None:
            self.use(name)
        return Resolved(node, self.nodes(name, _kind(node.tag)), name)

    def nodes(self, name: str, kind: str) -> list[Node]:
        """Return the nodes with defaults of a kind of element (all actuators: general) in a class, nearest first."""
        found: list[Node] = []
        line = self.classes[name].get(kind)
        while line is not None:
            node, line = line
            found.append(node)
        return found


def _kind(tag: str) -> str:
    return "general" if tag in ACTUATORS else tag


class Resolved:
    """An element with its defaults; its source is that of the element."""

    __slots__ = ("class_name", "defaults", "node", "nodes")

    def __init__(self, node: Node, defaults: list[Node], class_name: str) -> None:
        self.node = node
        self.defaults = defaults
        self.nodes = (node, *defaults)
        """The element and its default nodes, nearest first."""
        self.class_name = class_name

    # ---------------------------------------------------------------- placing

    @property
    def source(self) -> Source:
        """The place of the element, and of the defaults that contribute to it (Source.others)."""
        return Source(self.node.file, self.node.line, self) if self.defaults else self.node.source

    @property
    def turn(self) -> int:
        return self.node.turn

    @property
    def others(self) -> tuple[Source, ...]:
        """The places of the defaults that say something which the element does not say itself."""
        said = set(self.node.attrs)
        found = []
        for default in self.defaults:
            if default.attrs.keys() - said:
                found.append(default.source)
                said |= default.attrs.keys()
        return tuple(found)

    def __str__(self) -> str:
        return str(self.node)

    # ---------------------------------------------------------------- asking

    @property
    def names(self) -> dict[str, None]:
        """The attributes that the element or its class gives, in the order of the element."""
        return dict.fromkeys(name for node in self.nodes for name in node.attrs)

    def look(self, name: str) -> str | None:
        """Return the value without marking it as read, for readers that leave unsupported values to the extras."""
        return next((node.attrs[name] for node in self.nodes if name in node.attrs), None)

    def get(self, name: str) -> str | None:
        """The text of an attribute, of the element or of the nearest default that has it; marked as read."""
        if name in self.node.attrs:
            return self.node.get(name)
        for default in self.defaults:
            if name in default.attrs:
                return default.get(name)
        return None

    def texts(self, names: Iterable[str]) -> Parameters:
        """Return the attributes that are given, as written; a short vector is completed from its defaults."""
        given = self.names
        return tuple((name, value) for name in names if name in given and (value := self.merged(name)) is not None)

    def merged(self, name: str) -> str | None:
        """Return the text of an attribute; a list of numbers is completed from longer lists in defaults.

        A default that contributes nothing is not marked as read; user data is not completed.
        """
        found: list[str] = []
        for node in self.nodes if name != "user" else ():
            more = words(node.attrs[name])[len(found) :] if name in node.attrs else ()
            if more and (not found or plain_numbers(" ".join(more)) is not None):
                found += more
                node.get(name)
        return " ".join(found) if found else self.get(name)

    def leftover(self, rest: Iterable[Extra]) -> tuple[Extra, ...]:
        """Return the remaining extras of the element, with short vectors completed, and the attributes of defaults that
        no reader uses, as if the element gave them itself."""
        if not self.defaults:
            return tuple(rest)
        own = (self._whole(each) if each.path[:1] == "@" else each for each in rest)
        return (*own, *self._inherited())

    def _whole(self, extra: Extra) -> Extra:
        """Return the extra with its short vector completed, without marking the element as read."""
        text = Resolved(shadow(self.node), self.defaults, self.class_name).merged(extra.path[1:])
        return extra if text is None or words(text) == words(extra.text) else replace(extra, text=text)

    def _inherited(self) -> tuple[Extra, ...]:
        kind = _kind(self.node.tag)
        known = MAPPED.get(kind, frozenset())
        found: dict[str, Extra] = {}
        for node in self.defaults:
            for name in node.attrs:
                if name not in known and name not in self.node.attrs and name not in found:
                    text = self.merged(name) or ""
                    found[name] = Extra(format=FORMAT, path=f"@{name}", text=text, source=node.place(name))
        return tuple(found.values())

    def rest(self, known: Container[str]) -> Parameters:
        """Return every attribute except the known ones, of the element and of its defaults."""
        return self.texts(name for name in self.names if name not in known)

    def number(self, name: str) -> float | None:
        values = self.vector(name, 1)
        return values[0] if values is not None else None

    def span(self, name: str) -> tuple[float, ...] | None:
        """Return both ends of a range, which may be infinite; None when absent. Refuses other values."""
        return self.vector(name, 2, endless=True)

    def vector(self, name: str, size: int | None = None, endless: bool = False) -> tuple[float, ...] | None:
        """Return the numbers of an attribute, None when absent; size None accepts any count. Refuses other values."""
        text = self.get(name)
        if text is None:
            return None
        if endless:
            text = _ENDLESS.sub(f"{ENDLESS:g}", text)
        values = self.parsed(name, text, sys.float_info.max if endless else LARGEST)
        if size is not None and values is not None and len(values) != size:
            self.wrong(name, f"={text!r}> needs {size} numbers, not {len(values)}", "NUM-COUNT")
            return None
        return values

    def giver(self, name: str) -> Node:
        """Return the node that gives the attribute, or the element itself: errors are reported there."""
        return next((node for node in self.nodes if name in node.attrs), self.node)

    def parsed(self, name: str, text: str, largest: float = LARGEST) -> tuple[float, ...] | None:
        """Return the numbers in the text of an attribute; refuses invalid numbers and those above `largest`."""
        try:
            values = parse_numbers(text)
        except ValueError as error:
            self.wrong(name, f"={text!r}>: {error}", number_fault(text))
            return None
        if values and max(map(abs, values)) > largest:
            self.wrong(name, f"={text!r}>: numbers above {largest:g} are too large to compute with", "NUM-RANGE")
            return None
        return values

    def wrong(self, name: str, message: str, rule: str) -> None:
        """Refuse an attribute at the node that gives it: an error in a default is reported once for all its users."""
        node = self.giver(name)
        node.wrong(name, f"<{node.tag} {name}{message}", rule)

    def triple(self, name: str) -> Vec3 | None:
        values = self.vector(name, 3)
        return (values[0], values[1], values[2]) if values is not None else None

    def quadruple(self, name: str) -> Vec4 | None:
        values = self.vector(name, 4)
        return (values[0], values[1], values[2], values[3]) if values is not None else None

    def leading(self, name: str, base: tuple[float, ...]) -> tuple[float, ...]:
        """Return a vector whose missing tail is taken from the defaults, and finally from base.

        A default that contributes nothing is not marked as read.
        """
        values: list[float] = []
        for node in self.nodes:
            text = node.attrs.get(name)
            if text is None:
                continue
            own = Resolved(node, [], self.class_name)
            given = own.parsed(name, text) or ()
            if len(given) > len(base):
                own.wrong(name, f"> takes {len(base)} numbers at most, not {len(given)}", "NUM-COUNT")
            elif len(given) > len(values) or not given:
                values += given[len(values) :]
                node.get(name)
        return (*values, *base[len(values) :])

    def flag(self, name: str) -> bool | None:
        """Return True or False; None for auto or absent. Raises InputError for anything else."""
        value = self.get(name)
        if value not in (None, "auto", "true", "false"):
            self.wrong(name, f"={value!r}> must be true, false or auto", "MJCF-KEYWORD")
            return None
        return None if value in (None, "auto") else value == "true"
