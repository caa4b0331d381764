"""The words of SDFormat: what libsdformat copies and nobody reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from converters.source.xml import Below, Node
from ir.types import Extra, Source

OPEN = ("plugin", "auto_inertia_params")
"""Elements that hold whatever their reader wants."""


@cache
def schema() -> Mapping[str, frozenset[str]]:
    """Tag -> the children and @attributes that an element of this name has in some version; leaves are left out."""
    rows = Path(__file__).with_name("sdf_schema.txt").read_text("ascii").splitlines()
    return {tag: frozenset(words) for tag, *words in map(str.split, rows)}


def unknown(extra: Extra) -> Iterator[tuple[str, str, Source | None]]:
    """What SDFormat does not have in a leftover: path below its owner, what is said, place."""
    at = extra.source.at if extra.source is not None else None
    if extra.rule:
        return
    if isinstance(at, Below):
        if at.step.startswith("text()"):
            why = "where only elements are read" if at.step == "text()" else "behind the text that is read"
            yield extra.path, f"text in <{at.node.tag}>, {why}", extra.source
        elif not _has(at.node.tag, at.step):
            yield extra.path, f"<{at.node.tag}> has no attribute {at.step[1:]!r} in SDFormat", extra.source
    elif isinstance(at, Node) and at.parent is not None:
        yield from _inside(at, at.parent.tag, extra.path)


def _inside(top: Node, parent: str, path: str) -> Iterator[tuple[str, str, Source | None]]:
    stack = [(top, parent, path)]
    while stack:
        node, parent, path = stack.pop()
        if not _has(parent, node.tag):
            yield path, f"<{parent}> takes no <{node.tag}> in SDFormat", node.source
        elif node.tag not in OPEN and ":" not in node.tag:
            for name in node.attrs:
                if not _has(node.tag, f"@{name}"):
                    message = f"<{node.tag}> has no attribute {name!r} in SDFormat"
                    yield f"{path}/@{name}".lstrip("/"), message, node.place(name)
            below = [(item, node.tag, f"{path}/{item.tag}[{item.position}]".lstrip("/")) for item in node.elements()]
            stack += reversed(below)


def _has(tag: str, word: str) -> bool:
    """Words with a prefix are an extension that says so."""
    return ":" in word or ":" in tag or tag in OPEN or word in schema().get(tag, ())
