"""What another program has rewritten when saving a document of ours without changing its meaning (canonical).

Programs renumber items: an item is looked up among all with the same meaning, wherever they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from converters.context import ReaderContext
from converters.gltf.data.extensions import BODIES, SHAPES
from converters.gltf.ours.canonical import (
    BLANK,
    EMPTY,
    NAMES,
    NOTHING,
    PHYSICS,
    TOUCHED,
    WORDS,
    Canonical,
    meanings,
    physical,
    views_of,
)
from converters.gltf.ours.graph import BYTES, OUTER, TREE, Inside, changes, section
from converters.source.json import JsonObject
from ir.types import Source

SAVED, OURS = "gltf/saved", "kinegraph"
FEW = 12
"""Maximum number of parts that a note lists individually."""


def written_anew(
    changed: Sequence[str],
    root: JsonObject,
    buffers: Sequence[bytes | memoryview],
    inside: Inside,
    context: ReaderContext,
) -> list[str]:
    """Return the changed parts (graph.changes) whose meaning has changed. Notes report the others, which another
    program has only written differently, and physics that it has removed."""
    document = root.members
    try:
        now = meanings(Canonical(document, views_of(document, buffers), inside)) if inside.meant else {}
    except RecursionError:
        now = {}
    sides = Sides(now, inside.meant)
    bare = {*inside.meant.get(PHYSICS, "").split()} > {NOTHING} and not physical(document)
    anew = {part for part in changed if (part == BYTES and now) or sides.kept(part, bare=bare)}
    rest = [part for part in changed if part not in anew]
    known = {*rest}
    rest += [part for part in sides.elsewhere(bare=bare) if part not in known]
    asset = root.child("asset")
    generator = asset.members.get("generator", OURS) if asset is not None else OURS
    written = [part for part in changed if part in anew]
    reason = f"saved by {generator if generator != OURS else 'another program'}: its content is the same"
    places = written if len(written) <= FEW else map(section, written)
    for source in dict.fromkeys(place_of(root, each) for each in places):
        _note_saved(context, short_list(written), reason, source)
    if bare:
        reason = "the program that saved the file removed this extension: the physics is taken from the graph inside"
        _note_saved(context, BODIES, reason, root.source)
    return rest


def _note_saved(context: ReaderContext, before: str, reason: str, source: Source | None) -> None:
    context.note(SAVED, "scene", reason, source, before=before, action="noted", severity="note")


class Sides:
    """The digests of meanings now and when written (canonical.meanings), each text split and counted once."""

    def __init__(self, now: Mapping[str, str], then: Mapping[str, str]) -> None:
        self.now, self.then = now, then
        self.known: dict[str, tuple[list[str], list[str], Counter[str], Counter[str]]] = {}

    def of(self, name: str) -> tuple[list[str], list[str], Counter[str], Counter[str]]:
        """Return the digests of a section now and when written, and their counts."""
        if name not in self.known:
            ours, theirs = self.now.get(name, "").split(), self.then.get(name, "").split()
            self.known[name] = ours, theirs, Counter(ours), Counter(theirs)
        return self.known[name]

    def kept(self, part: str, *, bare: bool = False) -> bool:
        """Whether a changed part has a meaning that it, or after renumbering another item, had before. bare: all
        physics was removed, and only the rest is compared."""
        name = section(part)
        number = part.removeprefix(name).removeprefix("/") if name not in WORDS else ""
        if name in ("extensions", OUTER.rstrip("/")):
            name = OUTER
        if bare and name.startswith((f"{OUTER}{BODIES}", f"{OUTER}{SHAPES}")):
            return True
        sides = {"nodes": (NAMES, PHYSICS), TREE: (TOUCHED,)}.get(name, ())
        names = [name, *(each for each in sides if each in self.then and not (bare and each in (PHYSICS, TOUCHED)))]
        if number:
            return all(self._at(each, int(number)) for each in names)
        less = {EMPTY, BLANK} if bare else {EMPTY}
        found = [({*self.of(each)[2]} - less, {*self.of(each)[3]} - less) for each in names]
        return (name in self.now or name in self.then) and all(ours == theirs for ours, theirs in found)

    def elsewhere(self, *, bare: bool) -> list[str]:
        """Return items whose meaning changed though their own members did not, because what they refer to changed."""
        found = [*map(_part_of_meaning, changes(self.now, self.then))] if self.now else []
        return [part for part in dict.fromkeys(found) if part and not self.kept(part, bare=bare)]

    def _at(self, name: str, number: int) -> bool:
        ours, theirs, here, there = self.of(name)
        if number >= len(ours) or (ours[number] == EMPTY and len(ours) != len(theirs)):
            return number < len(ours)
        said = ours[number]
        if len(ours) != len(theirs):
            return said in there
        return said == theirs[number] or here[said] <= there[said]


def _part_of_meaning(part: str) -> str:
    """Return the document part of a key of the meanings: an item, or the default scene."""
    name = section(part)
    sides = {PHYSICS: "nodes", NAMES: "nodes", TOUCHED: TREE}
    return sides.get(name, name) + part.removeprefix(name) if name != part or name == "scene" else ""


def short_list(parts: Sequence[str]) -> str:
    """List parts by name, or their number per section."""
    if len(parts) <= FEW:
        return ", ".join(parts)
    counts = Counter(section(part) for part in parts)
    return ", ".join(f"{count} {section}" for section, count in counts.items())


def place_of(root: JsonObject, part: str) -> Source:
    """Return where the named part is, or was, in the document."""
    document = root.document
    if section(part) in WORDS:  # a list of words is one item of the document
        part = section(part)
    if part.startswith(f"{TREE}/"):
        part = f"nodes/{part.partition('/')[2]}/children"
    pointer = "/" + {TREE: "nodes", BYTES: "buffers"}.get(part, part)
    return Source(document.file, document.line(pointer), pointer)
