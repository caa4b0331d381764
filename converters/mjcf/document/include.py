"""<include>: the content of another file replaces the element that references it, keeping its own file and lines."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from converters.context import ReaderContext
from converters.mjcf.document.faults import REFUSED, note_fault
from converters.mjcf.tables import SECTIONS
from converters.source.parsing import parse
from converters.source.tree import Comment, Element
from converters.source.xml import Document, Node

TAG = "include"

UNFOUND = "mjcf/include-missing"
"""Rule of the note on an <include> whose file is not there."""


def assemble(root: Node, context: ReaderContext) -> None:
    """Expand every included file in place, also inside included files.

    Extras are all counted with the first document. A missing file leaves its element in place, with a finding. Raises
    InputError if a file is included twice (as in MuJoCo, which also excludes cycles) or is not valid XML.
    """
    seen = {os.path.realpath(root.document.file)}
    for node in root.below():
        if TAG in node.tags():
            _splice(node, root.document, context, seen)


def _splice(parent: Node, account: Document, context: ReaderContext, seen: set[str]) -> None:
    content: list[Element | Comment | str] = []
    waiting = parent.content[::-1]
    while waiting:
        item = waiting.pop()
        content.append(item)
        if not isinstance(item, Node) or item.tag != TAG:
            continue
        document = item.attempt(_open_included, item, context, seen)
        if document is None:
            continue
        item.visit()
        document.account = account
        for child in document.root.elements():
            document.moved[child] = str(child)
            child.parent = parent
        waiting += document.root.content[::-1]
        document.root.content = []
    counts: dict[str, int] = {}
    positions: list[tuple[Node, int]] = []
    for item in content:
        if isinstance(item, Node):
            position = counts[item.tag] = counts.get(item.tag, 0) + 1
            if position != item.position:
                item.document.moved.setdefault(item, str(item))
                positions.append((item, position))
    for item, position in positions:
        item.position = position
    parent.content = content


def _place_in_folder(document: Document, file: str) -> str:
    return str((Path(document.file).parent / file).absolute())


def _open_included(node: Node, context: ReaderContext, seen: set[str]) -> Document | None:
    """Open the file relative to the first document, otherwise to the one that includes it (as MuJoCo 4 does)."""
    file = node.need("file").replace("\\", "/")
    if node.content:
        context.refuse(node.fail(f"<include file={file!r}> may hold nothing, not even a comment", "MJCF-INCLUDE"))
    account = node.document.account
    found, rule = context.find_model(file if account.file == context.file else _place_in_folder(account, file))
    if rule not in ("relative", "absolute") and node.document is not account:
        beside = context.find_model(_place_in_folder(node.document, file))
        found, rule = beside if beside[0] is not None else (found, rule)
    if found is None:
        context.note(
            UNFOUND,
            "document",
            f"it cannot be included: {rule or 'nothing is searched here'}",
            node.source,
            before=file,
            action="dropped",
            severity="error",
        )
        return None
    real = os.path.realpath(found)
    if real in seen:
        raise node.fail(
            f"<include file={file!r}>: the file is part of the model already; each is included once", "MJCF-INCLUDE"
        )
    seen.add(real)
    try:
        data = Path(found).read_bytes()
    except OSError as error:
        raise node.fail(f"<include file={file!r}>: {error.strerror or error}", "MJCF-INCLUDE") from error
    document = parse(data, context.of_file(found), node.document.format, sections=SECTIONS)
    if not any(True for _ in document.root.elements()):
        said = f"<include file={file!r}>: no element is in that file"
        note_fault(context, REFUSED, "document", said, node.source)
    _note_idle(
        document.root, document.root.attrs.keys(), "attributes of the root of an included file have no effect", context
    )
    _note_idle(node, node.attrs.keys() - {"file"}, "attributes of an include other than file have no effect", context)
    return document


def _note_idle(node: Node, names: Collection[str], reason: str, context: ReaderContext) -> None:
    for name in sorted(names):
        node.get(name)
        before = f"{name}={node.attrs[name]!r}"
        place = node.place(name)
        context.note("mjcf/include-root", "document", reason, place, before=before, action="ignored", severity="note")
