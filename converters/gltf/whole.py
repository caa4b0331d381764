"""The whole graph inside a document: how it is put in, and how it is found again.

It stands twice, as one JSON string: in the extras of scene 0 and of the root node, which are what other tools keep.
With it stand the configuration that the nodes show, what the triangles of each geom come to, a digest of every part of
the document, by which its reader sees what others have changed, and the stamps of the files that it was made of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from msgspec import Struct

from converters.assets.stamps import stamps
from ir.diff import compare, restore
from ir.plain import as_json
from ir.scene import Scene

if TYPE_CHECKING:
    from converters.gltf.layout import Values

_sorted_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True, check_circular=False).encode

EXTRAS = "kinegraph"
"""Member of extras that holds the graph."""
VERSION = 1
SECTIONS = (
    "asset",
    "scene",
    "scenes",
    "nodes",
    "meshes",
    "materials",
    "textures",
    "images",
    "samplers",
    "cameras",
    "animations",
    "accessors",
    "bufferViews",
    "buffers",
    "extensions",
    "extensionsUsed",
    "extensionsRequired",
)
"""Members of a document of ours."""
BYTES, TREE = "bytes", "tree"
"""Among the digests: what the buffers hold, and which nodes are children of which."""


class Inside(Struct, frozen=True):
    """What stands inside a document: values are coordinates by dof, measures those of geoms (geometry.Moments.at),
    stamps those of the files of its assets (assets.stamps)."""

    scene: Scene
    values: Mapping[str, tuple[float, ...]]
    measures: Mapping[str, Sequence[float]]
    digests: Mapping[str, str]
    stamps: Mapping[str, str]


def embedded(scene: Scene, values: Values, measures: Mapping[str, Sequence[float]], digests: Mapping[str, str]) -> str:
    """The graph as a string: the patch that makes an empty scene into this one."""
    patch = compare(scene, Scene(""))[1]
    rest = {
        "positions": {name: list(value) for name, value in values.items()},
        "measures": measures,
        "digests": digests,
        "stamps": stamps(scene.assets.values()),
    }
    graph = ",".join(f"{as_json(key)}:{value}" for key, value in patch.items())
    return f'{{"version":{VERSION},"graph":{{{graph}}},{as_json(rest)[1:]}'


def opened(blob: str) -> Inside:
    """What a string of embedded holds. Raises ValueError for any other."""
    try:
        found = json.loads(blob)
        if found["version"] != VERSION:
            raise ValueError(f"it is of version {found['version']}, and only {VERSION} is known")
        scene, _ = restore(Scene(""), {key: as_json(value) for key, value in found["graph"].items()})
        values = {name: tuple([float(number) for number in value]) for name, value in found["positions"].items()}
        measures = {name: [float(number) for number in value] for name, value in found["measures"].items()}
        digests, stamped = (
            {str(name): str(value) for name, value in found.get(key, {}).items()} for key in ("digests", "stamps")
        )
    except (TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__}: {error})") from error
    return Inside(scene, values, measures, digests, stamped)


def find(document: Mapping[str, Any]) -> str | None:
    """The string in a document, wherever another tool has moved it; None where there is none."""
    for section in ("scenes", "nodes"):
        items = document.get(section)
        for item in items if isinstance(items, list) else ():
            extras = item.get("extras") if isinstance(item, dict) else None
            if isinstance(extras, dict) and isinstance(extras.get(EXTRAS), str):
                return str(extras[EXTRAS])
    return None


def digests(document: Mapping[str, Any], buffers: Iterable[bytes | memoryview]) -> dict[str, str]:
    """A digest of each section, without the graph, and of the bytes of all buffers together.

    A section that is a list has one for each item, in one text; those of nodes are without their children, which have
    a digest of their own, TREE.
    """
    found = {}
    for section in SECTIONS:
        if section in document:
            value = document[section]
            items = value if isinstance(value, list) else [value]
            found[section] = " ".join(_digest(_bare(item)) for item in items)
    nodes = document.get("nodes")
    if isinstance(nodes, list):
        found[TREE] = _digest([item.get("children") if isinstance(item, dict) else None for item in nodes])
    total = 0
    for buffer in buffers:
        total = crc32(buffer, total)
    found[BYTES] = f"{total:08x}"
    return found


def stood(item: Mapping[str, Any], section: str, number: int, then: Mapping[str, str]) -> bool:
    """Whether an item is the one that stood at this place when the document was written."""
    digests = then.get(section, "").split()
    return number < len(digests) and _digest(_bare(dict(item))) == digests[number]


def changes(now: Mapping[str, str], then: Mapping[str, str]) -> list[str]:
    """What is not what it was: `nodes/3` for an item, the name of a section for what is not an item."""
    found = []
    for section in dict.fromkeys([*then, *now]):
        ours, theirs = now.get(section, "").split(), then.get(section, "").split()
        if section in (TREE, BYTES) or len(ours) != len(theirs):
            found += [section] if ours != theirs else []
        found += [f"{section}/{n}" for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
    return [name for name in found if not name.startswith((f"{TREE}/", f"{BYTES}/"))]


def _digest(value: Any) -> str:
    return f"{crc32(_sorted_json(value).encode()):08x}"


def _bare(item: Any) -> Any:
    """An item without the graph and, of a node, without its children."""
    if not isinstance(item, dict):
        return item
    extras = item.get("extras")
    kept = {key: value for key, value in item.items() if key not in ("children", "extras")}
    if isinstance(extras, dict):
        rest = {key: value for key, value in extras.items() if key != EXTRAS}
        return kept | {"extras": rest} if rest else kept
    return kept | ({"extras": extras} if "extras" in item else {})
