"""YAML, JSON and CSV as values that know their lines. Numbers stay text until their meaning is known."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from converters.context import InputError
from converters.faults import Faults
from converters.source.files import content
from converters.source.pointers import escaped
from ir.types import Source

MAX_DEPTH = 50
"""A limit of memory and time; what is read here is three levels deep."""


class YamlNode(NamedTuple):
    """A text (numbers too), a list of nodes, or nodes by name; line counts from 1."""

    value: str | list[Any] | dict[str, Any]
    line: int


NOTHING = frozenset({"", "0", "false", "null", "~"})
"""Texts that say nothing: ROS writes every member of a message, also of one that was never filled in."""


class File(NamedTuple):
    """A document and its name in messages."""

    path: Path
    text: str

    def place(self, line: int) -> Source:
        return Source(str(self.path), line, "/")

    def fail(self, message: str, line: int = 1) -> NoReturn:
        raise InputError(message, self.place(line))


def open_text(path: Path, what: str) -> File:
    """A text file. Raises InputError, with the line that is not UTF-8."""
    data = content(path, what)
    try:
        return File(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", Source(str(path), data.count(b"\n", 0, error.start) + 1, "/")) from None


def documents(file: File) -> list[YamlNode]:
    """The documents of a YAML stream, or the one of a JSON file; empty ones are left out. Raises InputError with the
    line."""
    found = [_json(file)] if file.path.suffix.lower() == ".json" else list(_yaml(file))
    return [each for each in found if each.value not in ("", "null", "~")]


def unread(node: YamlNode, known: Container[str]) -> Iterator[tuple[str, int]]:
    """Members of a mapping that say something and are none of those that are known; and their lines."""
    members = node.value if isinstance(node.value, dict) else {}
    return ((key, item.line) for key, item in members.items() if key not in known and _says(item))


def _says(node: YamlNode) -> bool:
    if isinstance(node.value, dict):
        return any(map(_says, node.value.values()))
    return node.value not in NOTHING if isinstance(node.value, str) else bool(node.value)


def _json(file: File) -> YamlNode:
    from converters.source.json import JsonDocument

    def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            names = [name for name, _ in pairs]
            file.fail(f"{next(name for name in names if names.count(name) > 1)[:200]!r} appears twice in one object")
        return made

    try:
        found = json.loads(file.text, object_pairs_hook=paired, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        file.fail(f"not well-formed JSON: {error.msg} (column {error.colno})", error.lineno)
    except RecursionError:
        file.fail("nested too deep")
    lines = JsonDocument(str(file.path), "json", file.text, {}, Faults())

    def made(value: Any, pointer: str, depth: int) -> YamlNode:
        line = lines.line(pointer)
        if depth > MAX_DEPTH:
            file.fail("nested too deep", line)
        if isinstance(value, list):
            return YamlNode([made(item, f"{pointer}/{number}", depth + 1) for number, item in enumerate(value)], line)
        if isinstance(value, dict):
            return YamlNode(
                {key: made(item, f"{pointer}/{escaped(key)}", depth + 1) for key, item in value.items()}, line
            )
        return YamlNode(value if isinstance(value, str) else json.dumps(value), line)

    return made(found, "", 0)


def _yaml(file: File) -> Iterator[YamlNode]:
    """From events, not objects: no tag creates an object, and aliases, which could expand endlessly, are refused."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack: list[tuple[YamlNode, str | None]] = []
    try:
        for event in yaml.parse(file.text, Loader=loader):
            line = event.start_mark.line + 1 if event.start_mark is not None else 1
            node: YamlNode | None = None
            if isinstance(event, yaml.AliasEvent):
                file.fail(f"the alias *{event.anchor} is not read here; write the value itself", line)
            elif isinstance(event, yaml.ScalarEvent):
                node = YamlNode(event.value, line)
            elif isinstance(event, yaml.CollectionStartEvent):
                if len(stack) >= MAX_DEPTH:
                    file.fail("nested too deep", line)
                stack.append((YamlNode({} if isinstance(event, yaml.MappingStartEvent) else [], line), None))
            elif isinstance(event, yaml.CollectionEndEvent):
                node = stack.pop()[0]
            if node is None:
                continue
            if not stack:
                yield node
            else:
                stack[-1] = _put(file, *stack[-1], node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        file.fail(f"not well-formed YAML: {error.problem or error.context}", mark.line + 1 if mark else 1)
    except yaml.YAMLError as error:
        file.fail(f"not well-formed YAML: {str(error).splitlines()[0] if str(error) else 'unreadable'}")


def _put(file: File, into: YamlNode, key: str | None, node: YamlNode) -> tuple[YamlNode, str | None]:
    """Add a node as the next item of a list, or as a key of a mapping and then as its value."""
    if isinstance(into.value, list):
        into.value.append(node)
        return into, None
    assert isinstance(into.value, dict)
    if key is not None:
        into.value[key] = node
        return into, None
    if not isinstance(node.value, str):
        file.fail("a name must be a text", node.line)
    if node.value in into.value:
        file.fail(f"{node.value[:200]!r} appears twice in one mapping", node.line)
    return into, node.value


def csv_rows(file: File) -> list[tuple[int, list[str]]]:
    """Line and cells of each row of a CSV file that is neither empty nor a comment. Raises InputError with the line."""
    found: list[tuple[int, list[str]]] = []
    lines = (line.strip() for line in io.StringIO(file.text))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    delimiter = next((each for each in ";\t," if each in first), ",")
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                found.append((reader.line_num, cells))
    except csv.Error as error:
        file.fail(f"not well-formed CSV: {error}", max(reader.line_num, 1))
    return found


def numeric(cell: str) -> bool:
    """Whether a cell is meant as a number, not as a name."""
    try:
        float(cell)
    except ValueError:
        return False
    return True
