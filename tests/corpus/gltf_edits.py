"""Edits of a .gltf: every value changed, every member deleted, and what modelling tools do to whole items."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from converters.context import InputError, ReaderContext
from converters.gltf import reader
from ir.scene import Scene
from tests.corpus.mutation import Edit
from tests.corpus.mutation_gltf import different, members

OURS = "kinegraph"
"""Members of extras with this prefix are marks of Kinegraph, removed to get what other programs read."""
TURNS = ("rotation", "inertiaOrientation")
"""Arrays that are quaternions: changed as a whole, so that their length stays 1."""

Change = Callable[[Any], None]
Found = tuple[str, str, Change]
"""Place, description, and a function that makes the edit in a freshly read document."""


def edits(document: Any, dice: random.Random) -> Iterator[Found]:
    """Yield changes of every value, deletions of every member, and edits of whole items, but for the embedded graph."""
    for member in members(document):
        steps = tuple(member.path.split("/")[1:])
        if steps[-1] == OURS or any(step in TURNS for step in steps):
            continue
        changed = different(member.value, dice)
        place = member.path.rstrip("/0123456789")  # a number in an array is part of the member that holds it
        at = f" at {member.path.removeprefix(place)}" if place != member.path else ""
        yield place, f"{str(member.value)[:60]!r} -> {str(changed)[:60]!r}{at}", _putting(steps, changed)
    for path, value in _members(document):
        steps = tuple(path.split("/")[1:])
        if steps[-1] in TURNS:
            yield path, "turned", _putting(steps, _turned(value))
        if steps[-1] != OURS:
            yield path, "deleted", _dropping(steps)
    yield from _wholes(document)


def plainly(data: bytes, path: Path) -> Scene | None:
    """Return what programs that do not know Kinegraph read from a document; None if it is invalid for them."""
    text = json.dumps(_unmarked(json.loads(data))).encode()
    context = ReaderContext(file=str(path), folder=path.parent)
    with suppress(InputError):
        return reader.read(text, context)
    return None


def _unmarked(plain: Any) -> Any:
    if isinstance(plain, dict):
        left = {key: _unmarked(value) for key, value in plain.items() if not key.startswith(OURS)}
        return {key: value for key, value in left.items() if key != "extras" or value != {}}
    return [_unmarked(value) for value in plain] if isinstance(plain, list) else plain


# ------------------------------------------------------------------------------------------------------------- members


def _members(plain: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every member of every object with its pointer."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            inner = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
            yield inner, value
            yield from _members(value, inner)
    elif isinstance(plain, list):
        for number, value in enumerate(plain):
            yield from _members(value, f"{path}/{number}")


def _holder(document: Any, steps: tuple[str, ...]) -> tuple[Any, Any]:
    """Return the container of a member, and its key or index there."""
    for step in steps[:-1]:
        document = document[int(step)] if isinstance(document, list) else document[_key(step)]
    return document, int(steps[-1]) if isinstance(document, list) else _key(steps[-1])


def _key(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _putting(steps: tuple[str, ...], value: Any) -> Change:
    def change(document: Any) -> None:
        holder, key = _holder(document, steps)
        holder[key] = value

    return change


def _dropping(steps: tuple[str, ...]) -> Change:
    def change(document: Any) -> None:
        holder, key = _holder(document, steps)
        del holder[key]

    return change


def _turned(rotation: list[float]) -> list[float]:
    """Return a rotation x y z w, turned by a further 1/3 rad about x."""
    x, y, z, w = rotation
    s, c = math.sin(1 / 6), math.cos(1 / 6)
    return [w * s + x * c, y * c + z * s, z * c - y * s, w * c - x * s]


# -------------------------------------------------------------------------------------------------------- whole things

TRIANGLES = ("/meshes", "/accessors", "/bufferViews", "/buffers")
TABLES = ("nodes", "meshes", "materials", "textures", "images", "cameras", "animations", "scenes")
BODIES = "/extensions/KHR_physics_rigid_bodies"
INNER = (
    f"{BODIES}/physicsJoints",
    f"{BODIES}/physicsMaterials",
    f"{BODIES}/collisionFilters",
    "/extensions/KHR_implicit_shapes/shapes",
    "/extensions/KHR_lights_punctual/lights",
)
REFERENCES: dict[str, tuple[str, int]] = {
    "scene": ("/scenes", 0),
    "mesh": ("/meshes", 0),
    "camera": ("/cameras", 0),
    "material": ("/materials", 0),
    "source": ("/images", 0),
    "index": ("/textures", 1),
    "node": ("/nodes", 2),
    "connectedNode": ("/nodes", 1),
    "children": ("/nodes", 0),
    "nodes": ("/nodes", 0),
    "light": ("/extensions/KHR_lights_punctual/lights", 1),
    "joint": (f"{BODIES}/physicsJoints", 1),
    "shape": ("/extensions/KHR_implicit_shapes/shapes", 2),
    "physicsMaterial": (f"{BODIES}/physicsMaterials", 0),
    "collisionFilter": (f"{BODIES}/collisionFilters", 0),
}
"""Members that are indices of items: the table, and how many levels above the member cannot exist without the item."""


def _wholes(document: Any) -> Iterator[Found]:
    for table in (*(f"/{name}" for name in TABLES), *INNER):
        items = _at(document, table)
        for number in range(len(items)):
            if table != "/nodes":
                yield table, f"without {number}, and what refers to it", _removing(table, [number])
                continue
            yield table, f"without {number}, and what is below", _removing(table, _below(items, number))
            yield table, f"without {number}, and what is below hung above", _dissolving(number)
            yield f"{table}/{number}", "moved", _moving(number)
            yield f"{table}/{len(items)}", f"added with a mesh below {number}", _adding(number)
            yield f"{table}/{len(items)}", f"added as a copy of {number}", _copying(number)
    yield "/nodes/0", "put last, and all others in front of it turned round", _reordering
    for number, accessor in enumerate(document.get("accessors", [])):
        if accessor.get("type") == "VEC3" and "min" in accessor:
            yield f"/accessors/{number}", "made larger", _growing(number)


def _at(document: Any, table: str) -> list[Any]:
    for step in table.split("/")[1:]:
        document = document.get(step, {})
    return document or []


def _below(nodes: list[Any], number: int) -> list[int]:
    found = [number]
    for each in found:
        found += nodes[each].get("children", [])
    return found


def _references(plain: Any, above: tuple[Any, ...] = (), key: Any = None) -> Iterator[tuple[tuple[Any, ...], Any, str]]:
    """Yield every index of an item: its containers, outermost first, its key in the last one, and the table."""
    if isinstance(plain, dict):
        for name, value in plain.items():
            if name != "extras":
                yield from _references(value, (*above, plain), name)
    elif isinstance(plain, list):
        inner = REFERENCES.get(key, ("", 0))[0] if key in ("children", "nodes") else ""
        for number, value in enumerate(plain):
            if type(value) is int and inner:
                yield (*above, plain), number, inner
            else:
                yield from _references(value, (*above, plain), number)
    elif type(plain) is int and key in REFERENCES and (key != "scene" or len(above) == 1):
        yield above, key, REFERENCES[key][0]


def _removing(table: str, numbers: list[int]) -> Change:
    def change(document: Any) -> None:
        items, gone = _at(document, table), set(numbers)
        left = [number for number in range(len(items)) if number not in gone]
        _numbered(document, table, {old: new for new, old in enumerate(left)})
        items[:] = [items[number] for number in left]
        _tidy(document)

    return change


def _numbered(document: Any, table: str, number_of: dict[int, int]) -> None:
    """Renumber the items of a table; references to removed items are removed."""
    lost: list[tuple[Any, Any]] = []
    for above, key, into in [*_references(document)]:
        if into != table:
            continue
        holder = above[-1]
        if holder[key] in number_of:
            holder[key] = number_of[holder[key]]
            continue
        depth = REFERENCES[key][1] if isinstance(key, str) else 0
        if key == "mesh" and "geometry" in above[-2]:
            depth = 2
        outer = above[-1 - depth]
        inner = key if depth == 0 else above[-depth]
        lost.append((outer, inner))
    for outer, inner in lost:
        if isinstance(outer, dict):
            name = inner if isinstance(inner, str) else next((k for k, v in outer.items() if v is inner), None)
            outer.pop(name, None)
        elif isinstance(inner, int):
            outer[inner] = None
        else:
            outer[:] = [each for each in outer if each is not inner]


def _tidy(plain: Any) -> None:
    """Remove containers that must not be empty, and removed entries of lists."""
    inside = plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    for value in inside:
        _tidy(value)
    if isinstance(plain, list):
        plain[:] = [value for value in plain if value is not None]
    elif isinstance(plain, dict):
        for name in [name for name, value in plain.items() if value in ([], {})]:
            if name != "plane" and not name.startswith("KHR_materials"):
                del plain[name]


def _dissolving(number: int) -> Change:
    def change(document: Any) -> None:
        nodes = document["nodes"]
        children = nodes[number].pop("children", [])
        for holder in (*nodes, *document["scenes"]):
            for key in ("children", "nodes"):
                if number in holder.get(key, ()):
                    holder[key] = [n for each in holder[key] for n in ([*children, each] if each == number else [each])]
        _removing("/nodes", [number])(document)

    return change


def _moving(number: int) -> Change:
    def change(document: Any) -> None:
        node = document["nodes"][number]
        x, y, z = node.get("translation", [0.0, 0.0, 0.0])
        node["translation"] = [x + 0.125, y - 0.25, z + 0.5]
        node["rotation"] = _turned(node.get("rotation", [0.0, 0.0, 0.0, 1.0]))

    return change


def _adding(number: int) -> Change:
    def change(document: Any) -> None:
        nodes = document["nodes"]
        added: dict[str, Any] = {"name": "bracket", "translation": [0.0, 0.0, 0.5]}
        nodes.append(added | ({"mesh": 0} if "meshes" in document else {}))
        nodes[number].setdefault("children", []).append(len(nodes) - 1)

    return change


def _copying(number: int) -> Change:
    """Return a change that adds a copy of a node, with all nodes below it, next to it."""

    def change(document: Any) -> None:
        nodes = document["nodes"]
        below = _below(nodes, number)
        copies = json.loads(json.dumps([nodes[each] for each in below]))
        new = {old: len(nodes) + place for place, old in enumerate(below)}
        for copy in copies:
            copy["name"] = f"{copy.get('name', 'node')}.001"
            if "children" in copy:
                copy["children"] = [new[each] for each in copy["children"]]
        nodes += copies
        for holder in (*nodes[: -len(copies)], *document["scenes"]):
            for key in ("children", "nodes"):
                if number in holder.get(key, ()):
                    holder[key].append(new[number])

    return change


def _reordering(document: Any) -> None:
    nodes = document["nodes"]
    _numbered(document, "/nodes", {number: len(nodes) - 1 - number for number in range(len(nodes))})
    nodes.reverse()


def _growing(number: int) -> Change:
    """Return a change that scales the corners of a mesh by 1.5 about its origin, in a buffer of its own."""

    def change(document: Any) -> None:
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = bytearray(document["read"][view["buffer"]])
        size = 12 * accessor["count"]
        data[start : start + size] = (np.frombuffer(data[start : start + size], "<f4") * np.float32(1.5)).tobytes()
        document["read"][view["buffer"]] = bytes(data)
        for key in ("min", "max"):
            accessor[key] = [float(np.float32(value) * np.float32(1.5)) for value in accessor[key]]

    return change


# ------------------------------------------------------------------------------------------------------------ document


class Document:
    """A .gltf that is edited; its buffers are next to it."""

    def __init__(self, data: bytes, folder: Path) -> None:
        self.text = data
        self.folder = folder
        self.now = json.loads(data)
        self.files = [self._file(buffer) for buffer in self.now.get("buffers", [])]
        self.buffers = [file.read_bytes() for file in self.files]

    def _file(self, buffer: Any) -> Path:
        return self.folder / unquote(buffer["uri"])

    def made(self, change: Change) -> Callable[[], None]:
        """Make an edit; return a function that reverts it."""
        self.now = json.loads(self.text) | {"read": [*self.buffers]}
        change(self.now)
        self._put(self.now.pop("read", []))

        def back() -> None:
            self.now = json.loads(self.text)
            self._put(self.buffers)

        return back

    def _put(self, buffers: list[bytes]) -> None:
        for file, data in zip(self.files, buffers, strict=True):
            if file.read_bytes() != data:
                file.write_bytes(data)

    def edits(self, dice: random.Random) -> Iterator[Edit]:
        for path, how, change in edits(self.now, dice):
            yield Edit(path, how, partial(self.made, change))

    def data(self) -> bytes:
        return json.dumps(self.now).encode()
