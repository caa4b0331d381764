"""The whole graph embedded in a document: how it is stored and retrieved.

It is stored twice, as one JSON string: in the extras of scene 0 and of the root node, which other tools preserve. The
string also contains the configuration that the nodes show, measures of the triangles of each geom, a digest of every
part of the document, by which the reader finds what was edited, and the stamps of the source files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any
from zlib import crc32

from msgspec import Struct
from msgspec.json import Encoder

from converters.gltf.data.raw import listed, member, members
from converters.gltf.scene.forms import FORMS
from converters.source.json import JsonObject
from ir.check import impossible
from ir.diff import compare
from ir.kinematics import motion
from ir.plain import as_json, from_plain, sum_of, to_plain
from ir.pose import normalise
from ir.restore import apply_patches, restore
from ir.scene import Address, Scene
from ir.types import Material, Pose

_encoded = Encoder(order="sorted", enc_hook=float).encode  # enc_hook: numpy scalars have classes of their own

EXTRAS = "kinegraph"
"""Member of extras that contains the graph."""
RULE = "gltf/edited"
"""Rule of notes on edits."""
KEPT = "asset/"
"""Prefix of an asset name in the name of an image or mesh that nothing shows: the data of a height field, the sky, a
mesh that no geom uses."""
USUAL = "khr"
"""The default form of the physics (scene.forms); only others are recorded."""
VERSION = 1
FORM = 3
"""Version of the digests; those of other versions cannot be compared."""
SHOWN = ("scenes", "nodes", "meshes", "materials", "textures", "images", "samplers", "cameras")
"""Members that list visible content."""
SECTIONS = (
    "asset",
    "scene",
    *SHOWN,
    "animations",
    "accessors",
    "bufferViews",
    "buffers",
    "extensions",
    "extensionsUsed",
    "extensionsRequired",
)
"""Members of a document of ours."""
OUTER = "extensions/"
"""Digest key of the extensions without their tables, and prefix of the keys of these tables."""
SINGLE = 1e-6
"""Relative tolerance for equal numbers: single precision."""
SHORT = 6
"""Number of digits of a short digest."""
BYTES, TREE = "bytes", "tree"
"""Digest keys: the content of the buffers, and the children of each node."""
WHOLE = ("asset", "scene", "extensions", OUTER, BYTES)
"""Digest keys of parts that are not lists of items."""


class Dye(Struct, frozen=True):
    """A material of the document that is not in the graph: how it was written, and its origin. of: the material of the
    graph of which it is a variant, "" if nothing gives a colour, None if it is the look of a mesh file. The texture of
    look is "" if its image is from a mesh file."""

    of: str | None
    look: Material


class Inside(Struct, frozen=True, kw_only=True):
    """The data embedded in a document."""

    scene: Scene
    positions: Mapping[str, tuple[float, ...]]
    """Coordinates by dof."""
    measures: Mapping[str, Sequence[float]]
    """Measures of the triangles of each geom (writing.geometry.Moments.at)."""
    digests: Mapping[str, str] = {}
    stamps: Mapping[str, str] = {}
    """Stamps of the files of assets (assets.stamps)."""
    made: Sequence[tuple[Address, Sequence[Address]]] = ()
    """The cameras that passes created, with their origins (Scene.origins)."""
    said: Mapping[str, Any] = {}
    """What the physics declares for things that passes changed (writing.physics.fitted)."""
    worn: Mapping[str, Sequence[str]] | None = None
    """By geom, the materials of its pieces that differ from its own; None: not known."""
    dyes: Mapping[str, Dye] = {}
    """Those of these materials that are not in the graph."""
    shifts: Mapping[str, Pose | None] = {}
    """Poses, in their geoms, of mesh files that passes moved; None: what is shown is not the file."""
    meant: Mapping[str, str] = {}
    """Digests of the meaning of items (canonical.meanings)."""
    members: Mapping[str, str] = {}
    """Digests of the meaning of the members of items (members.members)."""
    form: int = FORM
    """Version of both kinds of digests."""
    asked: Mapping[str, Mapping[str, str]] = {}
    """The choices of the user (Restored.asked)."""
    looks: Mapping[str, Material] = {}
    """The materials of the graph that passes changed, as they were written."""
    files: Mapping[str, str] = {}
    """Files of assets that glTF does not show sufficiently, as text (files.files_inside)."""
    physics: str = USUAL
    """The form of the physics in the document (scene.forms)."""
    whole: bool = True
    """Whether the string is unmodified; also true for earlier versions, which have no checksum."""


def embedded(inside: Inside) -> str:
    """Encode the embedded data as a string; the graph as the patch that turns an empty scene into it."""
    patch = compare(inside.scene, Scene(""))[1]
    said = {key: inside.scene.brought if key == "brought" else getattr(inside, key) for key in _READ}
    rest = {
        key: _WRITTEN[key](value) if key in _WRITTEN else value
        for key, value in said.items()
        if key in ALWAYS or (value and value != USUAL)
    }
    graph = ",".join(f"{as_json(key)}:{value}" for key, value in patch.items())
    return _with_checksum(f'{{"version":{VERSION},"graph":{{{graph}}},{as_json(rest)[1:]}')


def _with_checksum(text: str) -> str:
    """Append the checksum of the other members to a JSON object, as its last member."""
    return f'{text[:-1]},"sum":"{sum_of(text)}"}}'


def decoded(blob: str) -> Inside:
    """Decode a string made by embedded. Raises ValueError for any other."""
    try:
        found = {"form": 1, **json.loads(blob)}
        if found["version"] != VERSION:
            raise ValueError(f"it is of version {str(found['version'])[:20]}, and only {VERSION} is known")
        scene, _ = apply_patches(Scene(""), dict(found["graph"].items()))
        rest = {key: read(found[key]) for key, read in _READ.items() if key in found}
        scene.brought = rest.pop("brought", {})
        for patch in rest.get("asked", {}).values():
            restore(scene, patch)  # fails here if it could not be applied later
        whole = "sum" not in found or blob == _with_checksum(blob.rpartition(',"sum":')[0] + "}")
        inside = Inside(scene=scene, whole=whole, **rest)
    except (TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__}: {str(error)[:200]})") from error
    if inside.physics not in FORMS:
        raise ValueError(f"its physics is of a form that is not known: {inside.physics[:20]}")
    return inside


def _read_each(read: Callable[[Any], Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda named: {name: read(each) for name, each in named.items()}


def _read_dye(said: Sequence[Any]) -> Dye:
    of, look = said
    return Dye(of and str(of), _read_look(look))


def _read_look(said: Mapping[str, Any]) -> Material:
    look: Material = from_plain(Material, said)
    return look


def _read_pose(numbers: Sequence[Any]) -> Pose:
    """Raises ValueError for anything but seven numbers."""
    x, y, z, *turn = map(float, numbers)
    w, a, b, c = turn
    return Pose((x, y, z), normalise((w, a, b, c)))


def check_inside(inside: Inside) -> None:
    """Raise ValueError for a graph that no reader produces (ir.check.impossible), and for invalid coordinates."""
    dofs = inside.scene.dofs()
    try:
        found = next(impossible(inside.scene), None)
        for name, value in inside.positions.items():
            if not all(map(isfinite, value)):
                raise ValueError(f"the coordinates of {name!r} are not finite")
            if name in dofs:
                motion(dofs[name][1], value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"it is damaged ({error})") from error
    if found is not None:
        raise ValueError(f"it is damaged: {found.where}: {found.message}")


def _read_origin(address: Sequence[Any], ends: Sequence[Sequence[Any]]) -> tuple[Address, list[Address]]:
    """Raises ValueError for anything but a camera with at least one origin."""
    body, kind, name = map(str, address)
    found = [tuple(map(str, end)) for end in ends]
    if kind != "cameras" or not found or () in found:
        raise ValueError("a camera in it was made of nothing")
    return (body, kind, name), found


_READ: Mapping[str, Callable[[Any], Any]] = {
    "positions": _read_each(lambda value: tuple(map(float, value))),
    "measures": _read_each(lambda value: [*map(float, value)]),
    "form": int,
    "digests": _read_each(str),
    "stamps": _read_each(str),
    "worn": _read_each(lambda value: [*map(str, value)]),
    "meant": _read_each(str),
    "members": _read_each(str),
    "dyes": _read_each(_read_dye),
    "brought": _read_each(bool),
    "asked": _read_each(_read_each(str)),
    "made": lambda rows: [_read_origin(address, ends) for address, ends in rows],
    "said": _read_each(dict),
    "looks": _read_each(_read_look),
    "files": _read_each(str),
    "physics": str,
    "shifts": _read_each(lambda value: value and _read_pose(value)),
}
"""Decoders of the members of the string, in order; "brought" belongs to the scene."""
ALWAYS = ("positions", "measures", "form", "digests", "stamps", "worn", "meant", "members", "dyes")
"""Members that are written even if they are empty."""
_WRITTEN: Mapping[str, Callable[[Any], Any]] = {
    "dyes": _read_each(lambda dye: [dye.of, to_plain(dye.look)]),
    "looks": _read_each(to_plain),
    "shifts": _read_each(lambda pose: pose and [*pose.pos, *pose.rot]),
}
"""Encoders of the members that are not JSON values already."""


def copies(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the embedded strings of a document, also those moved by other tools, with the pointers to them."""
    found = []
    for section in ("scenes", "nodes"):
        for number, item in enumerate(listed(document, section)):
            text = member(item, "extras", EXTRAS)
            if isinstance(text, str):
                found.append((f"/{section}/{number}/extras/{EXTRAS}", text))
    return found


def digests(document: Mapping[str, Any], buffers: Iterable[bytes | memoryview]) -> dict[str, str]:
    """Digests of each section, without the graph, and of the bytes of all buffers together.

    A section that is a list has one digest per item, joined in one text, and so has a table of an extension; those of
    nodes do not cover their children, which have digests of their own, TREE.
    """
    found = {}
    for name in SECTIONS:
        if name in document:
            value = document[name]
            items = value if isinstance(value, list) else [value]
            found[name] = " ".join(digest(_without_graph(item)) for item in items)
    tables = outer_tables(document)
    if "extensions" in document:
        found[OUTER] = digest(
            [[name, *_without_tables(value)] for name, value in sorted(members(document, "extensions").items())]
        )
    found |= {name: " ".join(map(digest, items)) for name, items in tables.items()}
    nodes = document.get("nodes")
    if isinstance(nodes, list):
        found[TREE] = " ".join(digest(member(item, "children")) for item in nodes)
    total = 0
    for buffer in buffers:
        total = crc32(buffer, total)
    found[BYTES] = f"{total:08x}"
    return found


def _without_tables(value: Any) -> list[Any]:
    """Return an extension without its tables, but with their names."""
    if not isinstance(value, dict):
        return [value]
    return [[key, None if isinstance(inner, list) else inner] for key, inner in sorted(value.items())]


def outer_tables(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the tables of extensions, by the pointer to them."""
    return {
        f"{OUTER}{name}/{key}": table
        for name, tables in members(document, "extensions").items()
        for key, table in members(tables).items()
        if isinstance(table, list)
    }


def part_of(node: JsonObject) -> str:
    """Return the part of the document (see changes) for one of its items."""
    return node.pointer.removeprefix("/")


def section(part: str) -> str:
    """Return the section of a part (see changes)."""
    above, _, last = part.rpartition("/")
    return above if last.isdigit() and above else part


def was_written(item: Any, name: str, then: Mapping[str, str]) -> bool:
    """Whether an item was in a section when the document was written."""
    return digest(_without_graph(item)) in then.get(name, "").split()


def unchanged(items: Sequence[Any], name: str, then: Mapping[str, str], new: int) -> bool:
    """Whether a section has all the items it was written with, and exactly new further items."""
    stood_there = then.get(name, "").split()
    return len(items) == len(stood_there) + new and {*stood_there} <= {digest(_without_graph(item)) for item in items}


def changes(now: Mapping[str, str], then: Mapping[str, str]) -> list[str]:
    """Return what has changed: `nodes/3` for an item, the name of a section if it is not a list.

    If the number of items has changed, the section itself and the items that were at no index before are returned.
    """
    fine = OUTER in then or "extensions" not in then  # otherwise written when tables had no digests of their own
    found = []
    for name in dict.fromkeys([*then, *now]):
        if (name == "extensions") if fine else name.startswith(OUTER):
            continue
        ours, theirs = now.get(name, "").split(), then.get(name, "").split()
        if name in WHOLE or len(ours) != len(theirs):
            found += [name.rstrip("/")] if ours != theirs else []
        if name not in WHOLE and not (name == TREE and len(ours) != len(theirs)):
            known = theirs if len(ours) == len(theirs) else [each if each in theirs else "" for each in ours]
            found += [f"{name}/{n}" for n, (a, b) in enumerate(zip(ours, known, strict=True)) if a != b]
    return found


def digest(value: Any) -> str:
    """Digest of a JSON value."""
    return f"{crc32(_encoded(value)):08x}"


def short_digest(value: Any) -> str:
    """Return a digest just long enough to detect a change, because all of them are stored."""
    return digest(value)[:SHORT]


def _without_graph(item: Any) -> Any:
    """Return an item without the graph and, for a node, without its children."""
    if not isinstance(item, dict):
        return item
    extras = item.get("extras")
    kept = {key: value for key, value in item.items() if key not in ("children", "extras")}
    if isinstance(extras, dict):
        rest = {key: value for key, value in extras.items() if key != EXTRAS}
        return kept | {"extras": rest} if rest else kept
    return kept | ({"extras": extras} if "extras" in item else {})


def nearly_equal(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal up to rounding."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= SINGLE * max(1.0, abs(a), abs(b))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(nearly_equal(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(nearly_equal(value, b[key]) for key, value in a.items())
    return bool(a == b)
