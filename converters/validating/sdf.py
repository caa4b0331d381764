"""The words of SDFormat: what libsdformat copies and nobody reads, and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from converters.source.xml import Below, Node
from converters.validating.model import Breach, Model
from ir.types import Extra, Source

OPEN = ("plugin", "auto_inertia_params")
"""Elements that hold whatever their reader wants."""


@cache
def schema() -> Mapping[str, frozenset[str]]:
    """Tag -> the children and @attributes that an element of this name has in some version; leaves are left out."""
    rows = Path(__file__).with_name("sdf_schema.txt").read_text().splitlines()
    return {tag: frozenset(words) for tag, *words in map(str.split, rows)}


def unknown(extra: Extra) -> Iterator[tuple[str, str, Source | None]]:
    """What SDFormat does not have in a leftover: path below its owner, what is said, place."""
    at = extra.source.at if extra.source is not None else None
    if extra.rule:
        return
    if isinstance(at, Below):
        if at.step == "text()":
            yield extra.path, f"text in <{at.node.tag}>, where only elements are read", extra.source
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


REQUIRED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("visual", "collision", "sensor", "actor", "population", "gripper", "projector"), ("name",)),
    **dict.fromkeys(("light", "particle_emitter"), ("name", "type")),
    "plugin": ("filename",),
}
"""Attributes without which, or with nothing in them, libsdformat 12 refuses the file, and which our reader can do
without: those that it needs itself it asks for."""
IN_LINKS = ("visual", "collision")
"""Elements whose names are texts elsewhere: in the <contact> of a sensor, say."""
NOISES = ("none", "gaussian", "gaussian_quantized")


def check(model: Model) -> Iterator[Breach]:
    """What the descriptions of SDFormat require. What no description knows may hold whatever it likes."""
    if model.format != "sdf":
        return
    documents: list[Any] = [*model.reading.context.documents]
    stack: list[Node] = [document.root for document in documents if document.root.tag in ("sdf", "gazebo")]
    while stack:
        node = stack.pop()
        named = node.tag in IN_LINKS and (node.parent is None or node.parent.tag != "link")
        for name in REQUIRED.get(node.tag, ()) if not named else ():
            if not node.attrs.get(name):
                said = "has an empty" if name in node.attrs else "has no"
                yield Breach(
                    rule="SDF-ATTRIBUTE-MISSING",
                    where="document",
                    message=f"<{node.tag}> {said} attribute {name!r}: libsdformat 12 refuses the file",
                    source=node.source,
                )
        if node.tag in OPEN:
            continue
        for child in node.elements():
            if node.tag == "mesh" and child.tag == "uri" and not child.own_text().strip():
                message = "an empty <uri>: libsdformat 12 refuses the file"
                yield Breach(rule="SDF-ELEMENT-INVALID", where="document", message=message, source=child.source)
            elif node.tag == "noise" and child.tag == "type" and (text := child.own_text().strip()) not in NOISES:
                message = f"no <noise> is of type {text!r}: libsdformat 12 reports an error, and takes none"
                yield Breach(rule="SDF-ELEMENT-INVALID", where="document", message=message, source=child.source)
            if ":" not in child.tag and child.tag in schema().get(node.tag, ()):
                stack.append(child)
