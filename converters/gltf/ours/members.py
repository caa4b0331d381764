"""Which members of the items of a document of ours have changed.

In addition to the digest of the meaning of an item (canonical), one is stored for each of its members:
`nodes/translation` has one per node, "-" for a node without it. Members of objects are members of their own
(`pbrMetallicRoughness/baseColorFactor`), and members of the same name of the objects in an array are combined into one
(`primitives/material`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from converters.gltf.data.extensions import BODIES, LIGHTS
from converters.gltf.ours.canonical import Canonical, physical, views_of
from converters.gltf.ours.graph import OUTER, SHOWN, Inside, section, short_digest
from converters.gltf.scene.layout import KIND, NAME
from converters.source.pointers import escaped
from ir.gathering import gathered

Altered = Mapping[str, Mapping[str, str] | None]
"""Changed items of a document (graph.changes), with the earlier digests of their changed members (short; "" if a member
was absent). Empty for an item that is new; None if unknown, as in a document written before these digests."""
ITEMS = (*SHOWN, f"{OUTER}{LIGHTS}/lights")
"""Entries of the physics tables are instead compared as a whole with what would be written (edits.physics)."""
SILENT = "-"
WHOLE = ("motion", "joint")
"""Members of physics that are compared as a whole with what would be written."""
MARKS = (f"extras/{KIND}", f"extras/{NAME}")
"""Members that identify a node; other items are identified by their name."""
FEW = 8
"""Maximum number of items of the same name to compare."""
MOST = 200
"""Maximum number of member keys of a table: no document of ours has that many."""


def members(work: Canonical) -> dict[str, str]:
    """Return the digests of the members of all items, by table and member."""
    found: dict[str, str] = {}
    for table in ITEMS:
        rows = [_member_digests(work, table, item) for item in work.table(table)]
        for key in dict.fromkeys(key for row in rows for key in row):
            found[f"{table}/{key}"] = " ".join([row.get(key, SILENT) for row in rows])
    return found


def changed_members(
    changed: Sequence[str], document: Mapping[str, Any], buffers: Sequence[bytes | memoryview], inside: Inside
) -> Altered:
    """Return the changed members of items (Inside.members)."""
    work, then = Canonical(document, views_of(document, buffers), inside), inside.members
    tables: dict[str, _Columns] = {}
    found: dict[str, Mapping[str, str] | None] = {}
    bare = not physical(document)  # physics removed entirely: reported, but not as an edit
    for part in changed:
        table, number = section(part), part.rpartition("/")[2]
        if table not in ITEMS or part == table:
            continue
        found[part] = None
        items = work.table(table)
        if table not in tables:
            tables[table] = _Columns(work, table, then)
        if not then or len(tables[table].columns) > MOST:
            continue
        try:
            row = _member_digests(work, table, items[int(number)])
            earlier = tables[table].of(int(number), row)
        except RecursionError:
            continue
        keys = [] if earlier is None else [key for key in {**row, **earlier} if row.get(key) != earlier.get(key)]
        keys = [key for key in keys if not (bare and key.startswith(f"extensions/{BODIES}"))]
        found[part] = {key: (earlier or {}).get(key, "") for key in keys}
    return found


class _Columns:
    """The members of the items of a table as they were written."""

    def __init__(self, work: Canonical, table: str, then: Mapping[str, str]) -> None:
        self.work, self.table, start = work, table, f"{table}/"
        self.columns = {
            name.removeprefix(start): each.split(" ") for name, each in then.items() if name.startswith(start)
        }
        self.marks = MARKS if table == "nodes" else ("name",)
        rows = max(map(len, self.columns.values()), default=0)
        self.same = rows == len(work.table(table))
        said = [self.columns.get(key, []) for key in self.marks]
        self.marked = [
            tuple([column[number] if number < len(column) and column[number] != SILENT else "" for column in said])
            for number in range(rows)
        ]
        self.known = gathered((mark, number) for number, mark in enumerate(self.marked))

    def at(self, number: int) -> dict[str, str]:
        """Return the digests an item was written with, by member."""
        found = {key: column[number] for key, column in self.columns.items() if number < len(column)}
        return {key: said for key, said in found.items() if said != SILENT}

    def of(self, number: int, row: Mapping[str, str]) -> dict[str, str] | None:
        """Return the earlier digests of the item that is at this index now; None if it is new."""
        mark = self.mark(row)
        places = self.known.get(mark, ())[:FEW] if any(mark) else ()
        if self.same and len(places) == 1 and places[0] != number and self.stays(places[0]):
            places = ()  # the earlier item is still there, this one only has the same mark
        if not places:
            return self.at(number) if self.same else None
        earlier = {each: self.at(each) for each in places}

        def unlike(place: int) -> tuple[bool, int, bool]:
            then = earlier[place]
            return then.get("name") != row.get("name"), len({*then.items()} ^ {*row.items()}), place != number

        return earlier[min(places, key=unlike)]

    def mark(self, row: Mapping[str, str]) -> tuple[str, ...]:
        return tuple([row.get(key, "") for key in self.marks])

    def stays(self, number: int) -> bool:
        """Whether the item that was at an index is still there."""
        return (
            self.mark(_member_digests(self.work, self.table, self.work.table(self.table)[number]))
            == self.marked[number]
        )


def _member_digests(work: Canonical, table: str, item: Any) -> dict[str, str]:
    """Return the digest of each member of an item."""
    if not isinstance(item, dict):
        return {"": short_digest(item)}
    found: dict[str, Any] = {}
    _flatten(work.whole(table, item), "", found)
    return {key: short_digest(value) for key, value in found.items()}


def _flatten(value: Mapping[str, Any], above: str, found: dict[str, Any]) -> None:
    for key, each in value.items():
        name = above + (escaped(key) if "/" in key or "~" in key else key)
        if isinstance(each, dict) and each and key not in WHOLE:
            _flatten(each, f"{name}/", found)
        elif (
            isinstance(each, list) and each and isinstance(each[0], dict) and all(isinstance(one, dict) for one in each)
        ):
            parts: list[dict[str, Any]] = [{} for _ in each]
            for one, part in zip(each, parts, strict=True):
                _flatten(one, f"{name}/", part)
            found[f"{name}/"] = len(parts)
            inners = dict.fromkeys(inner for part in parts for inner in part)
            found |= {inner: [part.get(inner) for part in parts] for inner in inners}
        else:
            found[name] = each
