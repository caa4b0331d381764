"""What was changed in a document of ours and does not count: all of which no other note speaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from converters.gltf.edits.baseline import SHAPES, Editor
from converters.gltf.edits.vocabulary import ITEMS, beside
from converters.gltf.ours.canonical import listed, place
from converters.gltf.ours.graph import BYTES, OUTER, RULE, TREE, digests, section, stood
from converters.source.json import Node

USED = "extensionsUsed"


def tell_rest(editor: Editor, changed: Sequence[str]) -> None:
    """Tell of the parts that were changed and of which no other note speaks, and of what no document of ours says in
    those of which one does."""
    others = [part for part in changed if not _covered(editor, part)]
    others += [each for part in changed if part not in others for each in _beside(editor, part)]
    reason = "was changed since; what else the report says of edits is as it is there now, nothing more of it counts"
    before = listed(others)
    for source in dict.fromkeys(place(editor.root, part) for part in others):
        editor.context.note(RULE, "scene", reason, source, before=before, action="dropped")


def _beside(editor: Editor, part: str) -> list[str]:
    """What was put into a part, of the rest of which notes speak; of a node that was added they tell all."""
    *above, table = section(part).split("/")
    number = part.rpartition("/")[2]
    node: Node | None = editor.root
    for name in above:
        node = node.child(name) if node is not None else None
    if not number.isdigit() or section(part) not in ("nodes", *ITEMS) or node is None or table not in node:
        return []
    items = node.children(table)
    if int(number) >= len(items):
        return []
    if any(leaf.node.pointer == f"/{part}" for leaf in editor.tree.strangers):
        return []
    return [f"{part}{pointer}" for pointer in beside(items[int(number)], section(part))]


def _covered(editor: Editor, part: str) -> bool:
    """Whether notes speak of a part that was changed."""
    told = editor.explained
    if part in told:
        return True
    number = part.rpartition("/")[2]
    if section(part) == TREE and part != TREE and TREE in told:
        children = editor.root.children("nodes")[int(number)].members.get("children") or ()
        return any(f"nodes/{each}" in told for each in (number, *children))
    if section(part) == "scenes" and part != "scenes":
        scene = editor.root.children("scenes")[int(number)].members
        left = [each for each in scene.get("nodes") or () if f"nodes/{each}" not in told]
        return stood({**scene, "nodes": left}, "scenes", int(number), editor.inside.digests)
    if section(part) == USED:
        words = editor.root.members.get(USED) or []
        return all(isinstance(each, str) for each in words) and {*words} == _extensions(editor.root.members)
    if part == OUTER.rstrip("/"):
        return _grown(editor)
    return BYTES in told and section(part) in SHAPES


def _extensions(document: Any) -> set[str]:
    """The extensions that a document uses: where that is what it says that it uses, who changed that changed these."""
    found: set[str] = set()
    stack = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            held = value.get("extensions")
            found |= held.keys() if isinstance(held, dict) else set()
            stack += [each for key, each in value.items() if key != "extras"]
        elif isinstance(value, list):
            stack += [each for each in value if isinstance(each, (dict, list))]
    return found


def _grown(editor: Editor) -> bool:
    """Whether the extensions of the document are those that there were, and others of whose tables notes speak."""
    now, then = editor.root.members.get("extensions"), editor.inside.digests
    outer = now if isinstance(now, dict) else {}
    told = {part.split("/")[1] for part in editor.explained if part.startswith(OUTER)}
    added = {name for name in told & outer.keys() if not any(key.startswith(f"{OUTER}{name}/") for key in then)}
    left = {name: tables for name, tables in outer.items() if name not in added}
    return digests({"extensions": left} if left else {}, ()).get(OUTER) == then.get(OUTER)
