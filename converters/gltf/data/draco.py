"""Decompression of Draco primitives (KHR_draco_mesh_compression); the decoder is an optional package."""

from __future__ import annotations

from collections.abc import Mapping

from converters.context import ReaderContext
from converters.gltf.data.accessors import COMPONENTS, TYPES, Accessors
from converters.gltf.data.extensions import DRACO
from converters.source.json import JsonObject
from ir.arrays import Array, np

CORNERS = ""
"""Key of the vertex indices among the unpacked attributes."""


def unpack(
    primitive: JsonObject,
    packed: JsonObject,
    numbers: Mapping[str, int],
    accessors: Accessors,
    views: int,
    context: ReaderContext,
) -> dict[str, Array] | None:
    """Return the attributes (n, components) by name, and the vertex indices (3 m, 1) of the triangles under CORNERS.

    numbers: the accessors that describe the attributes. Returns None if the decoder is not installed and uncompressed
    values are present as a fallback. Raises InputError for anything that does not match its description.
    """
    described = dict(numbers)
    index = primitive.index("indices", len(accessors.nodes))
    if index is not None:
        described[CORNERS] = index
    try:
        import DracoPy
    except ImportError:
        if all("bufferView" in accessors.nodes[number] for number in described.values()):
            return None
        advice = f"uses {DRACO}; install its decoder: pip install 'kinegraph[draco]'"
        raise primitive.fail("extensions", advice) from None
    ids = packed.child("attributes")
    view = packed.index("bufferView", views)
    if ids is None or view is None:
        raise packed.fail(None, "has no bufferView or no attributes")
    data = bytes(accessors.view(view))
    try:
        content = DracoPy.decode(data)
        known = {int(each["unique_id"]): np.asarray(each["data"], dtype=np.float64) for each in content.attributes}
        found: dict[str, Array] = {CORNERS: np.asarray(content.faces, dtype=np.int64).reshape(-1, 1)}
        count = len(content.points)
    except Exception as error:  # whatever the decoder raises
        raise packed.fail("bufferView", f"cannot be decompressed: {error or type(error).__name__}") from None
    for name in numbers:
        values = known.get(ids.integer(name) or 0)
        if name not in ids or values is None or len(values) != count:
            raise packed.fail("attributes", f"has no {name}")
        found[name] = values.reshape(count, -1)
        if not bool(np.isfinite(found[name]).all()):
            raise packed.fail("bufferView", f"holds a {name} that is not finite")
    corners = found[CORNERS]
    if len(corners) and int(corners.max()) >= count:
        raise packed.fail("bufferView", "holds a face with a vertex that does not exist")
    for name, number in described.items():
        found[name] = _as_described(accessors.nodes[number], found[name], name, context)
    return found


def _as_described(node: JsonObject, values: Array, name: str, context: ReaderContext) -> Array:
    """Return the values as the accessor defines them. Its description is checked against the compressed data."""
    count, kind = node.integer("count"), node.text("type") or ""
    if TYPES.get(kind) != (values.shape[1], 1):
        raise node.fail("type", f"is {kind!r}, but the compressed values have {values.shape[1]} components")
    if count != len(values):
        reason = "the compressed mesh has another number of them, which is used"
        context.note("gltf/bounds", "scene", reason, node.place("count"), before=str(count), after=str(len(values)))
    if name == CORNERS or not node.boolean("normalized"):
        node.ignore("componentType", "gltf/compressed")
        return values
    stored = np.dtype(COMPONENTS.get(node.integer("componentType") or 0, "f4"))
    if stored.kind == "f":
        raise node.fail("componentType", "must be an integer where values are normalised")
    return np.maximum(values / float(np.iinfo(stored).max), -1.0)
