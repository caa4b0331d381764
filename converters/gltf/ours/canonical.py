"""What the items of a document mean, however they are laid out: programs that save a file write defaults out or leave
them away, put views and accessors elsewhere, and number things anew. None of that is an edit.

An item means what its members say without those at their defaults, with what it refers to in place of numbers. An
accessor is the values that it leads to, so layout (views, strides, bounds) means nothing by itself; the physics has a
digest of its own, since many programs take it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from converters.context import Context
from converters.gltf.data.accessors import COMPONENTS, TYPES
from converters.gltf.data.extensions import BODIES, DRACO, QUANTISED, SHAPES
from converters.gltf.ours.graph import BYTES, EXTRAS, OUTER, SECTIONS, TREE, Inside, changes, digest, section
from converters.gltf.scene.layout import KIND, NAME
from converters.source.json import Node
from ir.types import Source

Views = Callable[[int], bytes | memoryview]
"""The bytes of a view by its number; any others where it leads nowhere."""
LARGE = 1e300
SAVED, OURS = "gltf/saved", "kinegraph"
VALUES = ("meshes", "images", "animations")
"""Sections of what the bytes are for."""
FEW = 12
"""Parts that a note names one by one."""
PHYSICS, NAMES, TOUCHED = "physics", "names", "touched"
"""Among the digests: what each node says of physics, its name, and what hangs on it for the physics alone."""
TOUCHING = ("collider", "joint")
"""Kinds of nodes that are there for the physics alone."""
WORDS = ("extensionsUsed", "extensionsRequired")
"""Sections whose items are words."""
STORED = (BODIES, SHAPES, QUANTISED, DRACO)
"""Extensions that are used where other digests see it."""
LAYOUT: Mapping[str, tuple[str, ...]] = {
    "accessors": (
        "bufferView",
        "byteOffset",
        "componentType",
        "count",
        "max",
        "min",
        "normalized",
        "sparse",
        "type",
    ),
    "bufferViews": ("buffer", "byteLength", "byteOffset", "byteStride", "target"),
    "buffers": ("byteLength", "name", "uri"),
    "images": ("bufferView", "uri"),
    "asset": ("generator",),
}
"""Members of items by which other things are found, or that say who wrote the file."""
REFERENCES: Mapping[str, str] = {
    "mesh": "meshes",
    "camera": "cameras",
    "material": "materials",
    "indices": "accessors",
    "input": "accessors",
    "output": "accessors",
    "source": "images",
    "index": "textures",
    "node": "nodes",
    "nodes": "nodes",
    "scene": "scenes",
}
"""Members that hold numbers of items (or arrays of them), and of which; within extensions none does."""
DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "translation": ([0, 0, 0],),
    "rotation": ([0, 0, 0, 1], 0),
    "scale": ([1, 1, 1], [1, 1], 1),
    "offset": ([0, 0],),
    "mode": (4,),
    "baseColorFactor": ([1, 1, 1, 1],),
    "emissiveFactor": ([0, 0, 0],),
    "metallicFactor": (1,),
    "roughnessFactor": (1,),
    "doubleSided": (False,),
    "alphaMode": ("OPAQUE",),
    "alphaCutoff": (0.5,),
    "texCoord": (0,),
    "strength": (1,),
    "interpolation": ("LINEAR",),
    "wrapS": (10497,),
    "wrapT": (10497,),
    "pbrMetallicRoughness": ({},),
    "extensions": ({},),
    "extras": ({},),
    "name": ("",),
    "mimeType": ("image/png", "image/jpeg"),
}
"""Members that say nothing where they say this (glTF 2.0, 5.1 to 5.29); images tell their type themselves."""


def meanings(work: Work) -> dict[str, str]:
    """Digests as those of graph.digests, of what the items of a document mean."""
    document = work.document
    found = {
        name: " ".join(work.items(name))
        for name in SECTIONS
        if name in document and name not in ("extensions", "asset")
    }
    found["asset"] = work.digest("asset", document.get("asset"))
    nodes = work.table("nodes")
    found[PHYSICS] = " ".join(digest(_physics(node)) for node in nodes)
    found[NAMES] = " ".join(digest(node.get("name") if isinstance(node, dict) else node) for node in nodes)
    for name, touching in ((TREE, False), (TOUCHED, True)):
        found[name] = " ".join(digest([_label(each) for each in work.below(node, touching=touching)]) for node in nodes)
    extensions = document.get("extensions")
    tables = extensions if isinstance(extensions, dict) else {}
    found[OUTER] = digest({name: table for name, table in tables.items() if name not in (BODIES, SHAPES)})
    return found


def written_anew(
    changed: Sequence[str], root: Node, buffers: Sequence[bytes | memoryview], inside: Inside, context: Context
) -> list[str]:
    """Of the parts that are not what they were (graph.changes) those that mean something else. Notes tell of the rest:
    of what another program has written its own way, and of physics that it has taken out."""
    document = root.members
    try:
        now = meanings(Work(document, views_of(document, buffers))) if inside.meant else {}
    except RecursionError:
        now = {}
    bare = {*inside.meant.get(PHYSICS, "").split()} > {NOTHING} and not physical(document)
    anew = {part for part in changed if (part == BYTES and now) or kept(part, now, inside.meant, bare=bare)}
    rest = [part for part in changed if part not in anew]
    if now:
        rest += [part for part in changes(now, inside.meant) if section(part) in VALUES and part not in {*rest}]
    asset = root.child("asset")
    generator = asset.members.get("generator", OURS) if asset is not None else OURS
    written = [part for part in changed if part in anew]
    reason = f"written anew by {generator if generator != OURS else 'another program'}: it says what it said"
    places = written if len(written) <= FEW else map(section, written)
    for source in dict.fromkeys(place(root, each) for each in places):
        context.note(SAVED, "scene", reason, source, before=listed(written), action="noted", severity="note")
    if bare:
        reason = "the program that saved the file took this extension out: the physics is that of the graph inside"
        _note(context, BODIES, reason, root.source)
    return rest


def _note(context: Context, before: str, reason: str, source: Source | None) -> None:
    context.note(SAVED, "scene", reason, source, before=before, action="noted", severity="note")


def kept(part: str, now: Mapping[str, str], then: Mapping[str, str], *, bare: bool) -> bool:
    """Whether a part that is not what it was (graph.changes) means what it meant. bare: somebody has taken the physics
    out as a whole, and only the rest counts."""
    name = section(part)
    number = part.removeprefix(name).removeprefix("/") if name not in WORDS else ""
    if name in ("extensions", OUTER.rstrip("/")):
        name = OUTER
    if bare and name.startswith((f"{OUTER}{BODIES}", f"{OUTER}{SHAPES}")):
        return True
    sides = {"nodes": (NAMES, PHYSICS), TREE: (TOUCHED,)}.get(name, ())
    names = [name, *(each for each in sides if each in then and not (bare and each in (PHYSICS, TOUCHED)))]
    if number:
        return all(_at(each, int(number), now, then) for each in names)
    less = {EMPTY, BLANK} if bare else {EMPTY}
    found = [({*now.get(each, "").split()} - less, {*then.get(each, "").split()} - less) for each in names]
    return (name in now or name in then) and all(ours == theirs for ours, theirs in found)


def _at(name: str, number: int, now: Mapping[str, str], then: Mapping[str, str]) -> bool:
    """Whether an item means what that one meant, or any one where there are more or fewer of them."""
    ours, theirs = now.get(name, "").split(), then.get(name, "").split()
    if number >= len(ours) or (ours[number] == EMPTY and len(ours) != len(theirs)):
        return number < len(ours)
    return ours[number] == theirs[number] if len(ours) == len(theirs) else ours[number] in theirs


class Work:
    """What the items of a document mean, and digests of that, each made once."""

    def __init__(self, document: Mapping[str, Any], views: Views) -> None:
        self.document = document
        self.bytes = views
        self.known: dict[tuple[str, int], str] = {}
        self.names: dict[str, Counter[str]] = {}
        self.wholes: dict[int, dict[str, Any]] = {}

    def table(self, section: str) -> list[Any]:
        items = self.document.get(section)
        return items if isinstance(items, list) else []

    def items(self, section: str) -> list[str]:
        value = self.document[section]
        if section in WORDS and isinstance(value, list):
            return [digest(each) for each in value if each not in STORED]
        if section == "scene":
            return [self.refer("scenes", value)]
        return [self.digest(section, item) for item in (value if isinstance(value, list) else [value])]

    def below(self, node: Any, *, touching: bool) -> list[Any]:
        """What hangs on a node, either for the physics alone or for all else."""
        children = node.get("children") if isinstance(node, dict) else None
        nodes = self.table("nodes")
        numbers = [each for each in children or () if type(each) is int and 0 <= each < len(nodes)]
        return [nodes[each] for each in numbers if (_label(nodes[each])[0] in TOUCHING) is touching]

    def digest(self, section: str, item: Any) -> str:
        """The digest of what an item means; accessors and views mean nothing by themselves."""
        if not isinstance(item, dict):
            return digest(item)
        if section == "nodes" and _label(item)[0] in TOUCHING:
            return BLANK
        said = self.whole(section, item)
        if section == "nodes" and isinstance(said.get("extensions"), dict):
            left = {key: value for key, value in said["extensions"].items() if key != BODIES}
            said = {key: value for key, value in said.items() if key != "extensions"}
            said |= {"extensions": left} if left else {}
        return digest(said)

    def whole(self, section: str, item: Mapping[str, Any]) -> dict[str, Any]:
        """What an item means, but for its children, with all that it says of physics."""
        if id(item) in self.wholes:
            return self.wholes[id(item)]
        out = {*LAYOUT.get(section, ()), *(("children",) if section == "nodes" else ())}
        said = {key: value for key, value in item.items() if key not in out}
        if section in ("nodes", "scenes") and isinstance(said.get("extras"), dict):
            said["extras"] = {key: value for key, value in said["extras"].items() if key != EXTRAS}
        if section == "textures":
            said["name"] = item.get("name") or self.name_of("images", item.get("source"))
        if section == "images":
            said["bytes"] = self.view(item.get("bufferView")) if "bufferView" in item else item.get("uri")
        found: dict[str, Any] = self.meant(said, section)
        self.wholes[id(item)] = found
        return found

    def meant(self, value: Any, section: str) -> Any:
        """A value without defaults, with digests in place of numbers of items."""
        if isinstance(value, list):
            return [self.meant(each, section) for each in value]
        if not isinstance(value, dict):
            return _number(value)
        found = {}
        for key, each in value.items():
            if key in ("extras", "extensions"):
                found[key] = self.views(each)
            elif key in ("attributes", "targets"):
                found[key] = self.accessors(each)
            elif key == "sampler" and section == "textures":
                found[key] = self.refer("samplers", each)
            elif key in REFERENCES:
                found[key] = self.refer(REFERENCES[key], each)
            else:
                found[key] = self.meant(each, section)
        return {key: each for key, each in found.items() if each != EMPTY and each not in DEFAULTS.get(key, ())}

    def accessors(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.accessors(each) for each in value]
        if isinstance(value, dict):
            return {key: self.refer("accessors", each) for key, each in value.items()}
        return value

    def views(self, value: Any) -> Any:
        """What extensions say, with the bytes of views in place of their numbers (KHR_draco_mesh_compression)."""
        if isinstance(value, list):
            return [self.views(each) for each in value]
        if isinstance(value, dict):
            return {key: self.view(each) if key == "bufferView" else self.views(each) for key, each in value.items()}
        return _number(value)

    def refer(self, section: str, number: Any) -> Any:
        """The digest of an item; a number as it is where there is none. Of nodes and scenes, what they are called."""
        if isinstance(number, list):
            return [self.refer(section, each) for each in number]
        items = self.table(section)
        if type(number) is not int or not 0 <= number < len(items):
            return number
        if section in ("nodes", "scenes"):
            return digest(_label(items[number]))
        if section in ("materials", "cameras") and self.named(section, number):
            return digest(items[number]["name"])
        if (section, number) not in self.known:
            make = {"accessors": self.values, "meshes": self.shown}.get(section, partial(self.digest, section))
            self.known[section, number] = make(items[number])
        return self.known[section, number]

    def name_of(self, section: str, number: Any) -> Any:
        items = self.table(section)
        item = items[number] if type(number) is int and 0 <= number < len(items) else None
        return item.get("name") if isinstance(item, dict) else None

    def named(self, section: str, number: int) -> bool:
        """Whether an item has a name, and no other one has it."""
        if section not in self.names:
            items = (each.get("name") for each in self.table(section) if isinstance(each, dict))
            self.names[section] = Counter(name for name in items if isinstance(name, str))
        name = self.name_of(section, number)
        return isinstance(name, str) and self.names[section][name] == 1

    def shown(self, mesh: Any) -> str:
        """What a node means by its mesh: the name, where the corners are, and the materials."""
        if not isinstance(mesh, dict):
            return digest(mesh)
        pieces = [each for each in mesh.get("primitives") or () if isinstance(each, dict)]
        places = [each.get("attributes") for each in pieces]
        corners = [each.get("POSITION") if isinstance(each, dict) else each for each in places]
        looks = [self.refer("materials", each.get("material")) for each in pieces]
        return digest([mesh.get("name"), self.refer("accessors", corners), looks])

    def view(self, number: Any) -> Any:
        """The digest of the bytes of a view; a number as it is where there is none."""
        if type(number) is not int or not 0 <= number < len(self.table("bufferViews")):
            return number
        return f"{crc32(self.bytes(number)):08x}"

    def values(self, accessor: Any) -> str:
        """The digest of the values of an accessor; of what it says where it cannot be read, and of a sparse one."""
        try:
            kind, (rows, columns) = np.dtype(COMPONENTS[accessor["componentType"]]), TYPES[accessor["type"]]
            if columns > 1 or "sparse" in accessor or accessor.get("bufferView") is None:
                raise KeyError
            view = self.table("bufferViews")[accessor["bufferView"]]
            stride, offset = view.get("byteStride", rows * kind.itemsize), accessor.get("byteOffset", 0)
            shape, steps = (accessor["count"], rows), (stride, kind.itemsize)
            array = np.ndarray(shape, kind, self.bytes(accessor["bufferView"]), offset, steps)
        except (LookupError, TypeError, ValueError, AttributeError):
            return digest(self.views(accessor))
        said = [accessor["type"], kind.str, accessor.get("normalized", False)]
        return f"{crc32(np.ascontiguousarray(array).data, int(digest(said), 16)):08x}"


def _number(value: Any) -> Any:
    """Numbers as programs keep them: six digits."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(f"{value:.6g}") + 0.0 if abs(value) < LARGE else str(value)
    return value


def _label(node: Any) -> list[Any]:
    """What a node says that it is, else its name."""
    if not isinstance(node, dict):
        return [node]
    extras = node.get("extras")
    said = extras if isinstance(extras, dict) else {}
    return [said[KIND], said.get(NAME)] if KIND in said else ["", node.get("name")]


def physical(document: Mapping[str, Any]) -> bool:
    """Whether a document, or any node of it, still says a word of physics."""
    nodes = document.get("nodes")
    items = [document, *(nodes if isinstance(nodes, list) else [])]
    found = [each.get("extensions") for each in items if isinstance(each, dict)]
    return any(isinstance(each, dict) and BODIES in each for each in found)


def views_of(document: Mapping[str, Any], buffers: Sequence[bytes | memoryview]) -> Views:
    def bytes_of(number: int) -> bytes | memoryview:
        try:
            view = document["bufferViews"][number]
            start = view.get("byteOffset", 0)
            return memoryview(buffers[view["buffer"]])[start : start + view["byteLength"]]
        except (LookupError, TypeError, ValueError, AttributeError):
            return b""

    return bytes_of


def _physics(node: Any) -> Any:
    """What a node says of physics: all of it where it is there for that alone."""
    if not isinstance(node, dict):
        return node
    if _label(node)[0] in TOUCHING:
        return [{key: value for key, value in node.items() if key != "children"}]
    extensions = node.get("extensions")
    return [extensions.get(BODIES) if isinstance(extensions, dict) else None]


EMPTY = digest({})
"""Of an item that says nothing."""
BLANK = digest("")
"""Of a node that means nothing without physics."""
NOTHING = digest([None])
"""Of a node without physics."""


def listed(parts: Sequence[str]) -> str:
    """Parts by name, or how many of each section."""
    if len(parts) <= FEW:
        return ", ".join(parts)
    counts = Counter(section(part) for part in parts)
    return ", ".join(f"{count} {section}" for section, count in counts.items())


def place(root: Node, part: str) -> Source:
    """Where what a part names is in the document, or was."""
    document = root.document
    if section(part) in WORDS:  # they are one item of the document
        part = section(part)
    if part.startswith(f"{TREE}/"):
        part = f"nodes/{part.partition('/')[2]}/children"
    pointer = "/" + {TREE: "nodes", BYTES: "buffers"}.get(part, part)
    return Source(document.file, document.line(pointer), pointer)
