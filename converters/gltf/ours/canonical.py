"""Meaning of the items of a document, independent of their layout: programs that save a file write or omit defaults,
move views and accessors, and renumber items. None of that is an edit.

The meaning of an item is its members without those at their defaults, with references replaced by what they refer to.
An accessor is represented by its values, so layout (views, strides, bounds) has no meaning by itself; physics has a
digest of its own, since many programs remove it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any
from zlib import crc32

from converters.gltf.data.accessors import COMPONENTS, TYPES
from converters.gltf.data.extensions import BODIES, DRACO, INSTANCES, LIGHTS, QUANTISED, SHAPES, numbered
from converters.gltf.data.raw import listed, member, members
from converters.gltf.ours.graph import EXTRAS, OUTER, SECTIONS, TREE, Inside, digest, outer_tables, short_digest
from converters.gltf.scene.layout import KIND, NAME
from ir.arrays import np

ViewBytes = Callable[[int], bytes | memoryview]
"""Returns the bytes of a view by its index; arbitrary bytes for an invalid index."""
LARGE = 1e300
PHYSICS, NAMES, TOUCHED = "physics", "names", "touched"
"""Digest keys: the physics of each node, its name, and its children that exist for physics only."""
TOUCHING = ("collider", "joint")
"""Kinds of nodes that exist for physics only."""
WORDS = ("extensionsUsed", "extensionsRequired")
"""Sections whose items are strings."""
STORED = (BODIES, SHAPES, QUANTISED, DRACO)
"""Extensions whose use is visible in other digests."""
LAYOUT: Mapping[str, tuple[str, ...]] = {
    "accessors": ("bufferView", "byteOffset", "componentType", "count", "max", "min", "normalized", "sparse", "type"),
    "bufferViews": ("buffer", "byteLength", "byteOffset", "byteStride", "target"),
    "buffers": ("byteLength", "name", "uri"),
    "images": ("bufferView", "uri"),
    "asset": ("generator",),
}
"""Members of items that only describe storage, or which program wrote the file."""
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
"""Members that contain indices of items (or arrays of indices) -> the section they refer to."""
OUTER_REFERENCES: Mapping[str, str] = {
    **REFERENCES,
    "connectedNode": "nodes",
    "light": f"{OUTER}{LIGHTS}/lights",
    "shape": f"{OUTER}{SHAPES}/shapes",
    **{
        key: f"{OUTER}{BODIES}/{table}"
        for key, table in (
            ("joint", "physicsJoints"),
            ("physicsMaterial", "physicsMaterials"),
            ("collisionFilter", "collisionFilters"),
        )
    },
}
"""The same within extensions."""
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
"""Members that mean nothing at these default values (glTF 2.0, 5.1 to 5.29); images reveal their type themselves."""


def meanings(work: Canonical) -> dict[str, str]:
    """Digests like those of graph.digests, but of the meaning of the items of a document."""
    document = work.document
    found = {
        name: " ".join(work.items(name))
        for name in SECTIONS
        if name in document and name not in ("extensions", "asset")
    }
    found["asset"] = work.digest("asset", document.get("asset"))
    nodes = work.table("nodes")
    found[PHYSICS] = " ".join(map(work.physics, nodes))
    found[NAMES] = " ".join(
        digest([*_identity_of_node(node), node.get("name")] if isinstance(node, dict) else node) for node in nodes
    )
    for name, touching in ((TREE, False), (TOUCHED, True)):
        found[name] = " ".join(work.held_by(node, touching=touching) for node in nodes)
    tables = members(document, "extensions").items()
    found[OUTER] = digest(work.said({name: table for name, table in tables if name not in (BODIES, SHAPES)}))
    return found | {name: " ".join(work.items(name)) for name in outer_tables(document)}


class Canonical:
    """The meanings of the items of a document, and their digests, each computed once.

    then: the data embedded when the document was written, with the meanings its items had.
    """

    def __init__(self, document: Mapping[str, Any], views: ViewBytes, then: Inside | None = None) -> None:
        self.document = document
        self.bytes = views
        self.then = then
        self.tables: dict[str, list[str]] = {}
        self.known: dict[int, str] = {}
        self.wholes: dict[int, dict[str, Any]] = {}

    def table(self, section: str) -> list[Any]:
        """Return the items of a section, or of a table of an extension."""
        return listed(self.document, *section.split("/"))

    def items(self, section: str) -> list[str]:
        """The digests of what the items of a section mean, in their order."""
        value = self.table(section) or self.document.get(section)
        if section in WORDS and isinstance(value, list):
            return [digest(each) for each in value if each not in STORED]
        if section == "scene":
            return [self.refer("scenes", value)]
        return [self.digest(section, item) for item in (value if isinstance(value, list) else [value])]

    def held_by(self, node: Any, *, touching: bool) -> str:
        """Return the digest of a node and its children, either those for physics only or all others."""
        children = member(node, "children")
        nodes = self.table("nodes")
        labels = [
            _identity_of_node(nodes[each]) for each in children or () if type(each) is int and 0 <= each < len(nodes)
        ]
        below = [label for label in labels if (label[0] in TOUCHING) is touching]
        return digest([_identity_of_node(node), below] if below else [])

    def physics(self, node: Any) -> str:
        """Return the digest of the label and the physics of a node; of all of it if it exists for physics only."""
        if not isinstance(node, dict):
            return digest(node)
        if _identity_of_node(node)[0] in TOUCHING:
            return digest(self.whole("nodes", node))
        held = member(node, "extensions", BODIES)
        return NOTHING if held is None else digest([_identity_of_node(node), self.said({BODIES: held})])

    def digest(self, section: str, item: Any) -> str:
        """Return the digest of the meaning of an item; accessors and views have none by themselves."""
        if not isinstance(item, dict):
            return digest(item)
        if section == "nodes" and _identity_of_node(item)[0] in TOUCHING:
            return BLANK
        said = self.whole(section, item)
        if section == "nodes" and isinstance(said.get("extensions"), dict):
            left = {key: value for key, value in said["extensions"].items() if key != BODIES}
            said = {key: value for key, value in said.items() if key != "extensions"}
            said |= {"extensions": left} if left else {}
        return digest(said)

    def whole(self, section: str, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the meaning of an item without its children, including all its physics."""
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
        """Return a value without defaults, with indices of items replaced by digests."""
        if isinstance(value, list):
            return [self.meant(each, section) for each in value]
        if not isinstance(value, dict):
            return _six_digits(value)
        found = {}
        for key, each in value.items():
            if key == "extras":
                found[key] = _with_six_digits(each)
            elif key == "extensions":
                found[key] = self.said(each)
            elif key in ("attributes", "targets"):
                found[key] = self.accessors(each)
            elif key == "sampler" and section == "textures":
                found[key] = self.refer("samplers", each)
            elif key in REFERENCES:
                found[key] = self.refer(REFERENCES[key], each)
            else:
                found[key] = self.meant(each, section)
        return {key: each for key, each in found.items() if each not in (None, EMPTY, *DEFAULTS.get(key, ()))}

    def accessors(self, value: Any) -> Any:
        """A value of attributes, with digests in place of the numbers of accessors."""
        if isinstance(value, list):
            return [self.accessors(each) for each in value]
        if isinstance(value, dict):
            return {key: self.refer("accessors", each) for key, each in value.items()}
        return value

    def said(self, value: Any, name: str = "") -> Any:
        """Return what extensions contain, with item indices replaced by digests, and view indices by digests of the
        bytes of the views (KHR_draco_mesh_compression). name: of the extension that contains the value."""
        if isinstance(value, list):
            return [self.said(each, name) for each in value]
        if not isinstance(value, dict):
            return _six_digits(value)
        found = {}
        for key, each in value.items():
            if key == "bufferView":
                found[key] = self.view(each)
            elif key == "attributes" and name == INSTANCES:
                found[key] = self.accessors(each)
            elif key in OUTER_REFERENCES and not isinstance(each, dict):
                found[key] = self.refer(OUTER_REFERENCES[key], each)
            else:
                found[key] = self.said(each, name or key)
        return found

    def refer(self, section: str, number: Any) -> Any:
        """Return the digest of an item, or the index if there is none. For nodes and scenes, that of the label."""
        if isinstance(number, list):
            return [self.refer(section, each) for each in number]
        items = self.table(section)
        if type(number) is not int or not 0 <= number < len(items):
            return number
        if section in ("nodes", "scenes"):
            return digest(_identity_of_node(items[number]))
        if section != "accessors":
            return self.entries(section)[number]
        if number not in self.known:
            self.known[number] = self.values(items[number])
        return self.known[number]

    def entries(self, section: str) -> Sequence[str]:
        """Return the digests of items; changed ones have those they had, so that items referring to them stay equal."""
        if section not in self.tables:
            self.tables[section] = [*map(str, range(len(self.table(section))))]  # placeholders for circular references
            self.tables[section] = self._paired(section, self.items(section))
        return self.tables[section]

    def _paired(self, section: str, now: list[str]) -> list[str]:
        """Replace digests of changed items by those they had; items are matched by name, otherwise by order."""
        then = self.then.meant.get(section, "").split() if self.then is not None else []
        here, there = Counter(now), Counter(then)
        moved = [number for number, pair in enumerate(zip_longest(now, then)) if len({*pair}) > 1]
        changed = [number for number in moved if number < len(now) and here[now[number]] > there[now[number]]]
        lost = [number for number in moved if number < len(then) and there[then[number]] > here[then[number]]]
        if not changed or not lost or self.then is None:
            return now
        names = self.then.members.get(f"{section}/name", "").split(" ")
        called = {names[number]: number for number in lost if number < len(names)}
        found = {number: called.pop(short_digest(self.name_of(section, number)), None) for number in changed}
        taken, rest = {*found.values()}, [number for number, old in found.items() if old is None]
        left = [number for number in lost if number not in taken]
        if len(now) == len(then) and len(left) == len(rest):
            found |= dict(zip(rest, left, strict=True))
        return [each if (old := found.get(number)) is None else then[old] for number, each in enumerate(now)]

    def name_of(self, section: str, number: Any) -> Any:
        """The name of an item; None where it has none, or is none."""
        return member(numbered(self.table(section), number), "name")

    def view(self, number: Any) -> Any:
        """Return the digest of the bytes of a view, or the index itself if there is no such view."""
        if type(number) is not int or not 0 <= number < len(self.table("bufferViews")):
            return number
        return f"{crc32(self.bytes(number)):08x}"

    def values(self, accessor: Any) -> str:
        """Return the digest of the values of an accessor, or of its members if it is sparse or cannot be read."""
        try:
            kind, (rows, columns) = np.dtype(COMPONENTS[accessor["componentType"]]), TYPES[accessor["type"]]
            if columns > 1 or accessor.get("sparse") is not None or accessor.get("bufferView") is None:
                raise KeyError
            view = self.table("bufferViews")[accessor["bufferView"]]
            stride, offset = view.get("byteStride") or rows * kind.itemsize, accessor.get("byteOffset") or 0
            shape, steps, data = (accessor["count"], rows), (stride, kind.itemsize), self.bytes(accessor["bufferView"])
            if not data:  # numpy accepts an empty buffer without checking its size
                raise KeyError
            array = np.ndarray(shape, kind, data, offset, steps)
        except (LookupError, TypeError, ValueError, AttributeError):
            return digest(self.said(accessor))
        said = [accessor["type"], kind.str, accessor.get("normalized") or False]
        return f"{crc32(np.ascontiguousarray(array).data, int(digest(said), 16)):08x}"


def _six_digits(value: Any) -> Any:
    """Round numbers to six digits, the precision that other programs keep."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(f"{value:.6g}") + 0.0 if abs(value) < LARGE else str(value)
    return value


def _with_six_digits(value: Any) -> Any:
    """Round the numbers in extras, whose structure is up to the user."""
    if isinstance(value, list):
        return [_with_six_digits(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_six_digits(each) for key, each in value.items()}
    return _six_digits(value)


def _identity_of_node(node: Any) -> list[Any]:
    """Return the kind and name with which a node is marked, otherwise its name."""
    if not isinstance(node, dict):
        return [node]
    said = members(node, "extras")
    return [said[KIND], said.get(NAME)] if KIND in said else ["", node.get("name")]


def physical(document: Mapping[str, Any]) -> bool:
    """Whether a document, or any node of it, still contains physics."""
    return any(BODIES in members(each, "extensions") for each in (document, *listed(document, "nodes")))


def views_of(document: Mapping[str, Any], buffers: Sequence[bytes | memoryview]) -> ViewBytes:
    """Number of a buffer view -> its bytes; none where it reaches beyond its buffer, or is no view."""

    def bytes_of(number: int) -> bytes | memoryview:
        try:
            view = document["bufferViews"][number]
            start = view.get("byteOffset", 0)
            return memoryview(buffers[view["buffer"]])[start : start + view["byteLength"]]
        except (LookupError, TypeError, ValueError, AttributeError):
            return b""

    return bytes_of


EMPTY = digest({})
"""Digest of an empty item."""
BLANK = digest("")
"""Digest of a node that means nothing without physics."""
NOTHING = digest([None])
"""Digest of a node without physics."""
