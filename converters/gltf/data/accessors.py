"""Conversion of accessors to numpy arrays: all component types, strides, sparse and normalised values (3.6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from converters.faults import sure
from converters.source.json import JsonObject
from ir.arrays import Array, np

COMPONENTS: dict[int, str] = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
"""componentType -> little-endian numpy type."""
TYPES: dict[str, tuple[int, int]] = {
    "SCALAR": (1, 1),
    "VEC2": (2, 1),
    "VEC3": (3, 1),
    "VEC4": (4, 1),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
"""type -> (rows, columns); each column of a matrix starts at a multiple of four bytes."""
KEPT = 256 * 1024 * 1024
"""Maximum bytes of cached arrays: primitives often share arrays, and those of a whole file may be large."""
SPARE, GROWTH = 512 * 1024 * 1024, 16
"""Limit on the total bytes of created arrays: a constant, plus a factor times the bytes of the buffers. Accessors may
overlap, so a small file could ask for any number; a byte may become a double, and evicted arrays are created again."""
MAX_EMPTY = 32 * 1024 * 1024
"""Limit on the bytes of accessors without a bufferView: their zeros are not stored in the file."""


class Accessors:
    """The accessors of a document. Arrays are read on demand; the most recent ones are cached."""

    def __init__(self, root: JsonObject, buffers: Sequence[memoryview]) -> None:
        self.nodes = root.children("accessors")
        self._views = root.children("bufferViews")
        self._buffers = buffers
        self._known: dict[int, Array] = {}
        self._written: dict[int, Array] = {}
        self.read: set[int] = set()
        """Accessors that were read, or whose lack of use is already explained."""
        self.used: dict[int, int] = {}
        """By buffer view, the end of the bytes that arrays were made of (or its length, if it was used as a whole)."""
        self.odd: dict[tuple[JsonObject, str], tuple[str, str]] = {}
        """Members with invalid values that are tolerated -> the rule of the note and its reason."""
        self._empty: dict[JsonObject, int] = {}
        self._made = self._held = 0
        self.size = sum(len(buffer) for buffer in buffers)
        """Total bytes of all buffers."""
        self._most = SPARE + GROWTH * self.size

    def array(self, index: int) -> Array:
        """Return the values of an accessor, shape (count, components): integers as stored, floats and normalised ones
        as float64.

        Raises InputError if data reach beyond their view or buffer, and for floats that are not finite.
        """
        self.read.add(index)
        found = self._known.pop(index, None)
        if found is None:
            found = self._read(self.nodes[index])
            self._made += found.nbytes
            if self._made > self._most:
                raise self.nodes[index].fail("count", f"makes the arrays of the file larger than {self._most} bytes")
            self._held += found.nbytes
            while self._known and self._held > KEPT:
                self._held -= self._known.pop(next(iter(self._known))).nbytes
        self._known[index] = found
        return found

    def _read(self, node: JsonObject) -> Array:
        values = self.stored(node)
        normalised = node.boolean("normalized")
        if normalised and values.dtype.kind == "f":  # 3.6.2.1
            self.odd[node, "normalized"] = "gltf/normalized", "floats cannot be normalised"
        return _as_meant(node, values, normalised)

    def stored(self, node: JsonObject) -> Array:
        """Return the values of an accessor as stored, shape (count, components). Raises InputError like array."""
        count = node.given("count", node.integer("count", low=1))
        kind = COMPONENTS.get(node.given("componentType", node.integer("componentType")) or 0)
        shape = TYPES.get(node.given("type", node.text("type")) or "")
        if count is None or kind is None or shape is None:
            raise node.fail(None, "has no count, no known componentType, or no known type")
        dtype = np.dtype(kind)
        view = node.given("bufferView", node.index("bufferView", len(self._views)))
        offset = node.integer("byteOffset") or 0
        width = shape[0] * shape[1]
        if view is None:
            self._empty[node] = count * width * dtype.itemsize
            if sum(self._empty.values()) > MAX_EMPTY:
                raise node.fail("count", f"asks for more than {MAX_EMPTY} bytes of zeros")
            values = np.zeros((count, width), dtype)
        else:
            values = self._strided(node, view, offset, count, dtype, shape)
        sparse = node.child("sparse")
        return values if sparse is None else self._sparse(sparse, values, dtype, shape)

    def written(self, index: int) -> Array:
        """Return the values of an accessor of a document that was just written, with few checks. Raises IndexError,
        KeyError, TypeError or ValueError if there is no such array."""
        found = self._written.get(index)
        if found is None:
            found = self._written[index] = self._at_once(index)
        return found

    def _at_once(self, index: int) -> Array:
        said = self.nodes[index].members
        view = self._views[said["bufferView"]].members
        dtype, (rows, columns) = np.dtype(COMPONENTS[said["componentType"]]), TYPES[said["type"]]
        width, buffer = rows * columns, self._buffers[view["buffer"]]
        if not buffer:  # numpy accepts an empty buffer without checking its size
            raise ValueError("no buffer")
        begins = view.get("byteOffset", 0) + said.get("byteOffset", 0)
        strides = view.get("byteStride", width * dtype.itemsize), dtype.itemsize
        return np.ndarray((said["count"], width), dtype, buffer, begins, strides)

    def view(self, index: int) -> memoryview:
        """Return the bytes of a buffer view. Raises InputError if it reaches beyond its buffer."""
        node = self._views[index]
        number = node.given("buffer", node.index("buffer", len(self._buffers)))
        if number is None:
            raise node.fail("buffer", "is missing")
        start = node.integer("byteOffset") or 0
        length = node.given("byteLength", node.integer("byteLength", low=1))
        self.used[index] = length or 0
        buffer = self._buffers[number]
        sure(buffer or None)  # a missing buffer is reported already
        if length is None or start + length > len(buffer):
            raise node.fail("byteLength", f"reaches beyond its buffer of {len(buffer)} bytes")
        return buffer[start : start + length]

    def _strided(
        self, node: JsonObject, view: int, offset: int, count: int, dtype: np.dtype[Any], shape: tuple[int, int]
    ) -> Array:
        before = self.used.get(view, 0)
        data = self.view(view)
        rows, columns = shape
        column = rows * dtype.itemsize
        padded = column if columns == 1 else column + -column % 4
        element = padded * (columns - 1) + column if columns > 1 else column
        stride = self._views[view].integer("byteStride", low=4, high=252) or padded * columns
        if stride < element:
            raise self._views[view].fail("byteStride", f"is {stride}, less than the {element} bytes of an element")
        if offset + stride * (count - 1) + element > len(data):
            raise node.fail("count", f"reaches beyond its buffer view of {len(data)} bytes")
        self.used[view] = max(before, min(offset + stride * count, len(data)))
        begins = self._views[view].integer("byteOffset") or 0
        steps = {(self._views[view], "byteOffset"): begins, (node, "byteOffset"): offset}
        steps[self._views[view], "byteStride"] = stride
        reason = f"elements must be aligned to multiples of {dtype.itemsize}; read from the given offset"
        odd = [step for step, size in steps.items() if size % dtype.itemsize]  # 3.6.2.4
        self.odd |= dict.fromkeys(odd, ("gltf/alignment", reason))
        if columns == 1:
            return np.ndarray((count, rows), dtype, data, offset, (stride, dtype.itemsize))
        strides = (stride, padded, dtype.itemsize)
        return np.ndarray((count, columns, rows), dtype, data, offset, strides).reshape(count, columns * rows)

    def _sparse(self, sparse: JsonObject, values: Array, dtype: np.dtype[Any], shape: tuple[int, int]) -> Array:
        count = sparse.given("count", sparse.integer("count", low=1, high=len(values)))
        where, what = sparse.child("indices"), sparse.child("values")
        if count is None or where is None or what is None:
            raise sparse.fail(None, "has no count, indices or values")
        kind = COMPONENTS.get(where.integer("componentType") or 0, "")
        if kind not in ("<u1", "<u2", "<u4"):
            raise where.fail("componentType", "of sparse indices must be an unsigned integer")
        places = self._part(where, count, np.dtype(kind), (1, 1))[:, 0]
        if len(places) and (int(places.max()) >= len(values) or bool(np.any(np.diff(places.astype(np.int64)) <= 0))):
            raise where.fail(None, "must hold increasing indices inside the accessor")
        changed = np.array(values)
        changed[places] = self._part(what, count, dtype, shape)
        return changed

    def _part(self, node: JsonObject, count: int, dtype: np.dtype[Any], shape: tuple[int, int]) -> Array:
        view = node.given("bufferView", node.index("bufferView", len(self._views)))
        if view is None:
            raise node.fail("bufferView", "is missing")
        return self._strided(node, view, node.integer("byteOffset") or 0, count, dtype, shape)


def _as_meant(node: JsonObject, values: Array, normalised: bool) -> Array:
    """Convert floats to float64 and normalised integers to fractions; signed ones are clamped at -1 (3.6.2.2)."""
    kind = values.dtype.kind
    if kind == "f":
        with np.errstate(invalid="ignore"):  # a signalling NaN is refused below
            values = values.astype(np.float64)
        if not bool(np.isfinite(values).all()):
            raise node.fail(None, "holds numbers that are not finite")
        return values
    if normalised:
        fractions = values / float(np.iinfo(values.dtype).max)
        return np.maximum(fractions, -1.0, out=fractions) if kind == "i" else fractions
    return values
