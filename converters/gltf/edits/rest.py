"""Ignored edits of a document of ours: everything that was changed and that no other note explains."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from converters.gltf.data.raw import members
from converters.gltf.edits.baseline import SHAPES, Editor
from converters.gltf.ours.graph import BYTES, OUTER, RULE, TREE, digests, outer_tables, section, unchanged, was_written
from converters.gltf.ours.saved import place_of, short_list
from converters.posing.keyframe import PREFIX

USED = "extensionsUsed"
CLIPS = "animations"
"""Section that is read as motions (ours.motions), which reports animations that are none."""
CLIP = {
    "": ("name", "samplers", "channels"),
    "samplers": ("input", "output", "interpolation"),
    "channels": ("sampler", "target"),
    "target": ("node", "path"),
}
"""The members that are read of an animation, and of each of its parts."""


def tell_rest(editor: Editor, changed: Sequence[str]) -> None:
    """Note all changed parts of the document that no other note explains; of those explained in part, the remaining
    members. changed: the parts, such as "meshes/3"."""
    spoken = {"/".join(part.split("/")[:2]) for part in editor.explained if part.startswith("nodes/")}
    others = [
        each
        for part in changed
        if not _is_all_explained(editor, part, spoken)
        for each in _unexplained_members(editor, part)
    ]
    reason = "was changed since the file was written; apart from the edits that the report names, the change is ignored"
    before = short_list(others)
    for source in dict.fromkeys(place_of(editor.root, part) for part in others):
        editor.context.note(RULE, "scene", reason, source, before=before, action="dropped")


def _unexplained_members(editor: Editor, part: str) -> list[str]:
    """Return what the note lists for a changed part: the members that no other note explains, or the part itself if
    none is explained."""
    if (unread := _unread_of_animation(editor, part)) is not None:
        return unread
    known: Collection[str] = editor.altered.get(part) or ()
    left = [key for key in sorted(known) if not _is_explained(editor, part, key)]
    return [part] if len(left) == len(known) else [f"{part}/{key}" for key in left]


def _unread_of_animation(editor: Editor, part: str) -> list[str] | None:
    """Return the members of an animation that motions do not use. None if it is not an animation, or is the clip of a
    keyframe, which is taken from the keyframe."""
    if section(part) != CLIPS or part == CLIPS:
        return None
    said = editor.root.children(CLIPS)[int(part.rpartition("/")[2])].members
    kept = str(said.get("name", "")).startswith(PREFIX)
    return None if kept else [*_members_not_read(part, "", said)]


def _members_not_read(place: str, kind: str, said: Any) -> Iterator[str]:
    """Yield the members of an animation, or of a part of one, that are not read, at any depth."""
    items = enumerate(said) if isinstance(said, list) else said.items() if isinstance(said, dict) else ()
    for key, value in items:
        if isinstance(said, dict) and key not in CLIP[kind]:
            yield f"{place}/{key}"
        else:
            yield from _members_not_read(f"{place}/{key}", key if key in CLIP else kind, value)


def _is_explained(editor: Editor, part: str, member: str) -> bool:
    """Whether a note explains a member of an item, or an enclosing member."""
    steps = member.split("/")
    return any("/".join([part, *steps[: end + 1]]) in editor.explained for end in range(len(steps)))


def _is_all_explained(editor: Editor, part: str, spoken: Collection[str]) -> bool:
    """Whether other notes explain all changes of a part. spoken: the nodes they explain."""
    told = editor.explained
    if part in told or _unread_of_animation(editor, part) == []:
        return True
    known = editor.altered.get(part)
    if known is not None and (all(_is_explained(editor, part, key) for key in known) if known else part in spoken):
        return True
    number = part.rpartition("/")[2]
    if section(part) == TREE and part != TREE and TREE in told:
        children = editor.root.children("nodes")[int(number)].members.get("children") or ()
        return any(f"nodes/{each}" in spoken for each in (number, *children))
    if section(part) == "scenes" and part != "scenes":
        scene = editor.root.children("scenes")[int(number)].members
        left = [each for each in scene.get("nodes") or () if f"nodes/{each}" not in spoken]
        return was_written({**scene, "nodes": left}, "scenes", editor.inside.digests)
    if section(part) == USED:
        words = editor.root.members.get(USED) or []
        return all(isinstance(each, str) for each in words) and {*words} == _used_extensions(editor.root.members)
    if part == OUTER.rstrip("/"):
        return _only_told_extensions_are_new(editor)
    items = editor.root.members.get(part) or outer_tables(editor.root.members).get(part)
    if part == section(part) and isinstance(items, list):
        then = editor.inside.digests
        new = [f"{part}/{place}" for place, item in enumerate(items) if not was_written(item, part, then)]
        return unchanged(items, part, then, len(new)) and all(_is_all_explained(editor, each, spoken) for each in new)
    return BYTES in told and section(part) in SHAPES and not known


def _used_extensions(document: Any) -> set[str]:
    """Return the extensions that a document uses: if they match its list, a change of the list just reflects them."""
    found: set[str] = set()
    stack = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            found |= members(value, "extensions").keys()
            stack += [each for key, each in value.items() if key != "extras"]
        elif isinstance(value, list):
            stack += [each for each in value if isinstance(each, (dict, list))]
    return found


def _only_told_extensions_are_new(editor: Editor) -> bool:
    """Whether the extensions of the document are the original ones, plus others whose tables notes explain."""
    outer, then = members(editor.root.members, "extensions"), editor.inside.digests
    told = {part.split("/")[1] for part in editor.explained if part.startswith(OUTER)}
    added = {name for name in told & outer.keys() if not any(key.startswith(f"{OUTER}{name}/") for key in then)}
    new = {key for part in told if part.startswith(OUTER) and (key := section(part)) not in then}
    left = {
        name: {key: each for key, each in tables.items() if f"{OUTER}{name}/{key}" not in new}
        for name, tables in outer.items()
        if name not in added and isinstance(tables, dict)
    }
    return digests({"extensions": left} if left else {}, ()).get(OUTER) == then.get(OUTER)
