"""Requirements of glTF that readers can do without: unambiguous transforms, bounds, names of extensions, cones.

A conversion continues, because nothing has to be guessed; strict readers refuse the file.
"""

from __future__ import annotations

import copy
from codecs import BOM_UTF8
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from converters.context import InputError
from converters.faults import Faults
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.container import BIN_CHUNK, JSON_CHUNK, MAGIC, chunks, unpack
from converters.gltf.data.extensions import LIGHTS, LOOKS, QUANTISED, READ, table
from converters.gltf.scene.nodes import forest, scene_roots
from converters.source.json import JsonDocument, JsonObject
from converters.validating import (
    gltf_moving as moving,
    gltf_schema as schema,
    gltf_strict as strict,
    gltf_uses as uses,
    gltf_values as values,
)
from converters.validating.model import Breach, CheckedModel
from converters.validating.notes import NOTES, of_error
from converters.validating.rules import NONE

APART = ("translation", "rotation", "scale")
BOUNDS = ("min", "max")
ABOUT = ("gltf/bounds", "gltf/alignment", "gltf/normalized", "gltf/colour-range")
ARRAYS = {row.note: row.rule for row in NOTES if row.note in ABOUT}
"""Notes of readers about arrays and their rules; readers check only the arrays that are shown."""
FAULTS = {"accessors": "GLTF-BOUNDS", "images": "GLTF-IMAGE-TYPE"}
"""Rules for faults of numbers and images, by table."""
NEEDED = (QUANTISED,)
"""Extensions without which a document cannot be read, so that it must list them as required."""
USED, REQUIRED = "extensionsUsed", "extensionsRequired"


def check(model: CheckedModel) -> Iterator[Breach]:
    if model.format != "gltf":
        return
    context = model.reading.context
    told = {error.message for error in context.faults.found}
    for document in context.documents:
        assert isinstance(document, JsonDocument)
        faults = Faults(gathered=True)
        root = _second(document, faults)
        yield from _transforms(root)
        yield from _bounds(root)
        yield from _declared(root)
        yield from _cones(root)
        _scenes(root)
        yield from _packed(root, model)
        accessors = Accessors(root, _buffers(model))
        apart = [*values.faults(root, accessors)]
        yield from (of_error(error, model.format) for error in faults.found if error.message not in told)
        known = {error.source.path for error in (*context.faults.found, *faults.found) if error.source is not None}
        noted = {note.source.path for note in context.notes if note.source is not None and note.rule in ARRAYS}
        odd = (_breach(ARRAYS[rule], node, key, reason) for (node, key), (rule, reason) in accessors.odd.items())
        yield from _but(noted, odd)
        yield from _but(known | noted, (_of_fault(_rule_of(fault), root, fault) for fault in apart))
        for module in (strict, uses, moving):
            yield from _but(known, (_of_fault("GLTF-STRICT", root, fault) for fault in module.faults(root.members)))
        for fault in schema.faults(root.members):
            breach = _of_fault("GLTF-SCHEMA", root, fault)
            if breach.source is None or not _about(breach.source.path, known):
                yield breach


def _but(told: Container[str], breaches: Iterable[Breach]) -> Iterator[Breach]:
    """Yield the breaches at places for which nothing has been reported yet."""
    return (each for each in breaches if each.source is None or each.source.path not in told)


def _of_fault(rule: str, root: JsonObject, fault: strict.Fault) -> Breach:
    return _breach(rule, JsonObject({}, root.document, fault.pointer), fault.key, fault.said)


def _rule_of(fault: strict.Fault) -> str:
    return FAULTS.get(fault.pointer.split("/")[1], "GLTF-VALUES")


def _packed(root: JsonObject, model: CheckedModel) -> Iterator[Breach]:
    """3.2 and 4.4.3: what readers of JSON and of a GLB ignore."""
    text = model.data
    if text[:4] == MAGIC:
        found = chunks(text, model.reading.context)
        text = bytes(found[0][1])
        kinds = [kind for kind, _ in found]
        if JSON_CHUNK in kinds[1:] or BIN_CHUNK in kinds[2:]:
            yield _breach("GLTF-STRICT", root, None, "is a GLB with another chunk of JSON or of a buffer behind these")
        if text.endswith(b"\0"):
            yield _breach("GLTF-STRICT", root, None, "is padded with zeros in the GLB, where spaces belong")
    if text.startswith(BOM_UTF8):
        yield _breach("GLTF-STRICT", root, None, "begins with a byte order mark")


def _buffers(model: CheckedModel) -> Sequence[memoryview]:
    """Return the buffers; the reader has already reported their faults."""
    context = replace(model.reading.context, notes=[], documents=[], faults=Faults(gathered=True))
    try:
        return unpack(model.data, context).buffers
    except InputError:
        return ()


def _about(path: str, known: Collection[str]) -> bool:
    """Whether a known fault is about the same member, one that contains it, or one inside it."""
    above = [path, *(path[:end] for end in range(2, len(path)) if path[end] == "/")]
    return any(each in known for each in above) or any(each.startswith(f"{path.rstrip('/')}/") for each in known)


def _second(document: JsonDocument, faults: Faults) -> JsonObject:
    """Return a separate cursor, so that accesses here are not recorded as reading."""
    again = copy.copy(document)
    again.faults = faults
    return JsonObject(document.root.members, again, "")


def _breach(rule: str, node: JsonObject, key: str | None, message: str, fix: str = "") -> Breach:
    error = node.fail(key, message)
    return Breach(rule=rule, where="document", message=error.message, source=error.source, fix=fix)


def _transforms(root: JsonObject) -> Iterator[Breach]:
    """3.5.3. The matrix is used, because it determines the whole transform."""
    for node in root.children("nodes"):
        beside = [key for key in APART if key in node]
        if "matrix" in node and beside:
            yield _breach("GLTF-MATRIX", node, "matrix", f"is given beside {' and '.join(beside)}; the matrix is used")


def _bounds(root: JsonObject) -> Iterator[Breach]:
    """3.7.2.1: bounds of positions. They are computed from the values."""
    accessors = root.children("accessors")
    told: set[int] = set()
    for primitive in (each for mesh in root.children("meshes") for each in mesh.children("primitives")):
        for attributes in (primitive.child("attributes"), *primitive.children("targets")):
            index = attributes.index("POSITION", len(accessors)) if attributes is not None else None
            if index is None or index in told:
                continue
            told.add(index)
            missing = [key for key in BOUNDS if key not in accessors[index]]
            if missing:
                yield _breach(
                    "GLTF-NO-BOUNDS", accessors[index], None, f"holds positions and has no {' and no '.join(missing)}"
                )


def _declared(root: JsonObject) -> Iterator[Breach]:
    """3.12. An extension is read where it occurs; the list only announces it. On writing, extensions known here are
    listed, and the others are kept for the way back only."""
    used = {name for name in root.raw(USED) or () if isinstance(name, str)}
    for name in root.raw(REQUIRED) or ():
        if name not in used:
            message = f"names {name}, which is not in {USED}"
            yield _breach("GLTF-UNDECLARED", root, REQUIRED, message, "" if name in READ else NONE)
    for name in NEEDED:
        if name in used and name not in (root.raw(REQUIRED) or ()):
            yield _breach("GLTF-UNDECLARED", root, USED, f"names {name}, which is not in {REQUIRED}")
    for pointer, name in _extensions(root.members):
        if name not in used:
            used.add(name)  # reported once
            holder = JsonObject({}, root.document, pointer)
            message = f"is given, and {name} is not in {USED}"
            yield _breach("GLTF-UNDECLARED", holder, name, message, "" if name in READ else NONE)


def _extensions(members: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield where objects of the document have extensions, and their names. The content of extras, or of an extension
    not known here, is arbitrary and not searched."""
    stack: list[tuple[str, Any]] = [("", members)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, list):
            stack += [(f"{pointer}/{n}", each) for n, each in enumerate(value) if isinstance(each, (dict, list))]
            continue
        for key, inner in value.items():
            if key == "extensions" and isinstance(inner, dict):
                yield from ((f"{pointer}/{key}", name) for name in inner)
                known = {name: each for name, each in inner.items() if name in READ or name.startswith(LOOKS)}
                stack += [(f"{pointer}/{key}/{name}", each) for name, each in known.items() if isinstance(each, dict)]
            elif key != "extras" and isinstance(inner, (dict, list)):
                stack.append((f"{pointer}/{key}", inner))


def _cones(root: JsonObject) -> Iterator[Breach]:
    """KHR_lights_punctual, Spot. The angles have defaults."""
    for lamp in table(root, LIGHTS, "lights"):
        if lamp.raw("type") == "spot" and "spot" not in lamp:
            yield _breach("GLTF-LIGHT", lamp, None, "is a spot light and has no member `spot`")


def _scenes(root: JsonObject) -> None:
    """3.5.1: check all scenes, including those not shown."""
    nodes = root.children("nodes")
    parents = forest(nodes)
    for scene in root.children("scenes"):
        scene_roots(scene, nodes, parents)
