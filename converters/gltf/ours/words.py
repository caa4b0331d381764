"""Extras and extensions of materials, nodes and the document without a field in the graph: written where they were
read, and found there again.

Each is an extra of its owner, with the location below the owner as its path. What refers to things by index, or belongs
to a partly read extension, cannot be written again: it is only kept in the embedded graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from converters.gltf.data.extensions import LIGHTS, STRENGTH, TRANSFORM
from converters.gltf.ours.marks import mark
from converters.gltf.scene.layout import KIND, NAME
from converters.gltf.scene.views import ITEM
from converters.source.json import JsonObject
from converters.source.pointers import escaped
from ir.plain import as_json
from ir.scene import Scene
from ir.types import Body, Camera, Extra, Frame, Geom, Light

FORMAT = "gltf"
OURS = "kinegraph"
"""Prefix of our own members of extras."""
DOCUMENT = ("asset/copyright", "asset/extras", "scenes/0/extras", "extras")
MATERIAL = ("extras", "pbrMetallicRoughness/extras", "normalTexture/scale", "occlusionTexture/strength")
FACTORS = {"normalTexture/scale": 1.0, "occlusionTexture/strength": 1.0}
"""Values at which members may be written or omitted."""
ENTRY = ("extras", "name")
TYPES: Mapping[str, tuple[type, ...]] = {
    "asset/copyright": (str,),
    f"{ITEM}name": (str,),
    "scenes/0/extras": (dict,),  # our own data is in there as well
    **dict.fromkeys(FACTORS, (int, float)),
}
"""Required types of members that do not accept every value."""


def write(members: dict[str, Any], scene: Scene, looks: Sequence[Iterable[Extra]]) -> None:
    """Write glTF-specific extras into a document. looks: the extras of the look of each of its materials."""
    _put_words(members, scene.extras, DOCUMENT)
    used = members.get("extensionsUsed", [])
    for entry, extras in zip(members.get("materials", ()), looks, strict=True):
        used += [name for name in _put_words(entry, extras, MATERIAL, extensions=True) if name not in used]
    if used:
        members["extensionsUsed"] = used
    said = {(kind, each.name): each.extras for kind, each in _owners_of_words(scene) if each.extras}
    for node in members.get("nodes", ()) if said else ():
        own = node.get("extras", {})
        extras = said.get((own.get(KIND), own.get(NAME)), ())
        _put_words(node, extras, ("extras",))
        entry = _entry_of_view(members, node)
        if entry is not None:
            inner = [replace(each, path=each.path.removeprefix(ITEM)) for each in extras if each.path.startswith(ITEM)]
            if any(each.path == "name" for each in inner):
                entry.pop("name", None)
            _put_words(entry, inner, ENTRY)


def pass_over(root: JsonObject) -> None:
    """Mark our members of the extras of nodes and scenes as read where they are not used."""
    for item in (*root.children("scenes"), *root.children("nodes")):
        if isinstance(item.members.get("extras"), dict) and (extras := item.child("extras")) is not None:
            for key in extras.members:
                if key.startswith(OURS):
                    extras.raw(key)


def of_document(root: JsonObject) -> tuple[Extra, ...]:
    """Extras of the document as a whole, except root members, which our reader already returns as unread."""
    return tuple(_words_found(root.members, DOCUMENT[:-1]))


def of_material(node: JsonObject) -> tuple[Extra, ...]:
    """What glTF alone says of a material."""
    return tuple(_words_found(node.members, MATERIAL, extensions=True))


def of_node(node: JsonObject | None) -> tuple[Extra, ...]:
    """Extras of a node with our marks."""
    return tuple(_words_found(node.members, ("extras",))) if node is not None and mark(node) != ("", "") else ()


def of_entry(entry: JsonObject | None, name: str) -> tuple[Extra, ...]:
    """Extras of the entry of a camera or light. name: of the camera or light, which is not an extra."""
    found = _words_found(entry.members, ENTRY) if entry is not None else ()
    return tuple([replace(each, path=f"{ITEM}{each.path}") for each in found if each.text != as_json(name)])


def taken(extras: Sequence[Extra], found: Iterable[Extra]) -> tuple[tuple[Extra, ...], list[tuple[Any, Extra]]]:
    """Return the extras, with those found in a document replacing those at the same path, and a list of those that
    differ, each with its earlier value (None: it is new)."""
    then = {each.path: _value_of(each) for each in extras if _is_word(each)}
    new = {each.path: each for each in found if each.path not in then or as_json(then[each.path]) != each.text}
    told = [(then.get(path), each) for path, each in new.items()]
    kept = [new.pop(each.path, each) if _is_word(each) else each for each in extras]
    return (*kept, *new.values()), told


def without(keys: Sequence[str], found: Iterable[Extra], extras: Iterable[Extra]) -> Iterator[Extra]:
    """Yield the found extras without these members (keys) of objects called extras, unless the extras of the graph have
    them."""
    then = {each.path: _value_of(each) for each in extras if _is_word(each)}
    for extra in found:
        value, known = json.loads(extra.text), then.get(extra.path)
        if extra.path == "extras" and isinstance(value, dict):
            kept = known if isinstance(known, dict) else {}
            value = {key: each for key, each in value.items() if key not in keys or key in kept}
        if value != {}:
            yield replace(extra, text=as_json(value))


def members_of(before: Any, extra: Extra) -> tuple[str, ...]:
    """Return the members in which an extra differs from the value before: for objects, the path of each member."""
    after: Any = json.loads(extra.text)
    if not isinstance(after, dict) or not isinstance(before, (dict, type(None))):
        return (extra.path,)
    then = before or {}
    said = [key for key in {**then, **after} if key not in then or key not in after or then[key] != after[key]]
    return tuple([f"{extra.path}/{escaped(key)}" for key in said]) or (extra.path,)


def earlier(root: JsonObject, extras: Iterable[Extra]) -> dict[str, Any]:
    """Return the asset and the scenes of a document with the given earlier extras in place of its own."""
    found = {each.path for each in of_document(root)}
    items: dict[str, Any] = {
        "asset": dict(root.members["asset"]),
        "scenes": [*map(dict, root.members.get("scenes", ()))],
    }
    for path in found:
        *above, key = path.split("/")
        place: Any = items
        for step in above:
            place = _member_below(place, step)
        own = place.pop(key)
        if isinstance(own, dict):
            place[key] = {key: each for key, each in own.items() if key.startswith(OURS)}
    _put_words(items, [each for each in extras if each.path in found], DOCUMENT[:-1])
    return items


def _is_word(extra: Extra) -> bool:
    return extra.format == FORMAT and not extra.rule


def _entry_of_view(members: Mapping[str, Any], node: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the entry of the camera or light that a node shows."""
    if "camera" in node:
        camera: dict[str, Any] = members["cameras"][node["camera"]]
        return camera
    lamp = node.get("extensions", {}).get(LIGHTS)
    found: dict[str, Any] | None = members["extensions"][LIGHTS]["lights"][lamp["light"]] if lamp is not None else None
    return found


def _owners_of_words(scene: Scene) -> Iterator[tuple[str, Body | Geom | Frame | Camera | Light]]:
    for body in scene.bodies.values():
        yield "body", body
        yield from (("geom", geom) for geom in body.geoms)
        yield from (("frame", frame) for frame in body.frames)
        yield from (("camera", camera) for camera in body.cameras)
        yield from (("light", light) for light in body.lights)


def _put_words(
    holder: dict[str, Any], extras: Iterable[Extra], paths: Sequence[str], extensions: bool = False
) -> list[str]:
    """Write the extras at one of these paths (or below extensions) into an object, where it has no value yet; return
    the names of the extensions used."""
    used = []
    for extra in extras:
        *above, key = extra.path.split("/")
        extended = extensions and above == ["extensions"]
        if extra.format != FORMAT or extra.rule or not (extended or extra.path in paths):
            continue
        value = _value_of(extra)
        if value is None or (extended and (not isinstance(value, dict) or _names_by_number(value))):
            continue
        place: Any = holder
        for step in above:
            place = place.setdefault(step, {}) if extended else _member_below(place, step)
        if not isinstance(place, dict):
            continue
        if isinstance(value, dict) and isinstance(place.get(key), dict) and not extended:
            place[key] = value | place[key]
        elif key not in place:
            place[key] = value
            used += [key] if extended else []
    return used


def _value_of(extra: Extra) -> Any:
    """Return the value of a member; None if it is invalid here, in which case only the embedded graph keeps it."""
    try:
        value: Any = json.loads(extra.text)
    except ValueError:  # the carried text was edited
        return None
    return value if type(value) in TYPES.get(extra.path, (type(value),)) else None


def _words_found(holder: Mapping[str, Any], paths: Sequence[str], extensions: bool = False) -> Iterator[Extra]:
    known = [f"extensions/{name}" for name in holder.get("extensions", {})] if extensions else []
    for path in (*paths, *known):
        value: Any = holder
        for key in path.split("/"):
            value = _member_below(value, key)
        if path.endswith("extras") and isinstance(value, dict):
            value = {key: each for key, each in value.items() if not key.startswith(OURS)} or None
        extended = path in known
        if value is None or value == FACTORS.get(path) or (extended and path.endswith((STRENGTH, TRANSFORM))):
            continue
        if not (extended and (not isinstance(value, dict) or _names_by_number(value))):
            yield Extra(format=FORMAT, path=path, text=as_json(value))


def _member_below(value: Any, step: str) -> Any:
    """Return the value of an object or array at one step of a path; None if it has none."""
    if isinstance(value, list):
        return value[int(step)] if step.isdecimal() and int(step) < len(value) else None
    return value.get(step) if isinstance(value, dict) else None


def _names_by_number(value: Any) -> bool:
    """Whether a value refers to textures, or anything else, by index."""
    if isinstance(value, dict):
        return "index" in value or any(map(_names_by_number, value.values()))
    return isinstance(value, list) and any(map(_names_by_number, value))
