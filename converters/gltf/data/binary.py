"""The binary buffer of a document being written: arrays and images, each distinct one stored once."""

from __future__ import annotations

from msgspec import Struct, field
from pygltflib import Accessor, BufferView

from converters.gltf.data.accessors import COMPONENTS
from ir.arrays import Array, column_bounds, np

CODES = {kind[1:]: code for code, kind in COMPONENTS.items()}
"""numpy type -> componentType."""
NAMES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
VERTICES, INDICES = 34962, 34963
"""bufferView.target of vertex attributes and of indices."""


class Binary(Struct):
    """Buffer views and accessors in byte order; each view starts at a multiple of four bytes (3.6.2.4)."""

    views: list[BufferView] = field(default_factory=list)
    accessors: list[Accessor] = field(default_factory=list)
    chunks: list[bytes] = field(default_factory=list)
    size: int = 0
    contents: list[bytes] = field(default_factory=list)
    """The bytes of each view."""
    _known: dict[tuple[bytes, object], int] = field(default_factory=dict)

    def array(self, values: Array, target: int | None = None, *, bounds: bool = False, normalised: bool = False) -> int:
        """Return the accessor of an array (count,) or (count, components) in its own type; vertex rows are padded.

        bounds: also write min and max, which positions and times require.
        """
        table = values.reshape(len(values), -1)
        row = table.shape[1] * table.itemsize
        padding = -row % 4 if target == VERTICES else 0
        data = table.tobytes()
        if padding:
            bytes_of = np.zeros((len(table), row + padding), dtype=np.uint8)
            bytes_of[:, :row] = np.frombuffer(data, dtype=np.uint8).reshape(len(table), row)
            data = bytes_of.tobytes()
        key = (data, (table.dtype.str, table.shape, target, bounds, normalised))
        if key not in self._known:
            self._known[key] = len(self.accessors)
            view = self._view(data, target, row + padding if padding else None)
            low, high = _bounds(table) if bounds else ([], [])
            self.accessors.append(
                Accessor(
                    bufferView=view,
                    componentType=CODES[table.dtype.str[1:]],
                    normalized=normalised,
                    count=len(table),
                    type=NAMES[table.shape[1]],
                    min=low,
                    max=high,
                )
            )
        return self._known[key]

    def empty(self, values: Array, *, bounds: bool = False) -> int:
        """Return the accessor of an array whose bytes are stored by an extension."""
        low, high = _bounds(values) if bounds else ([], [])
        self.accessors.append(
            Accessor(
                componentType=CODES[values.dtype.str[1:]],
                count=len(values),
                type=NAMES[values.shape[1]],
                min=low,
                max=high,
            )
        )
        return len(self.accessors) - 1

    def blob(self, data: bytes) -> int:
        """Return the view of an image or other opaque bytes."""
        key = (data, None)
        if key not in self._known:
            self._known[key] = self._view(data, None, None)
        return self._known[key]

    def _view(self, data: bytes, target: int | None, stride: int | None) -> int:
        self.views.append(
            BufferView(buffer=0, byteOffset=self.size, byteLength=len(data), byteStride=stride, target=target)
        )
        self.chunks.append(data)
        self.contents.append(data)
        self.size += len(data)
        padding = -len(data) % 4
        if padding:
            self.chunks.append(bytes(padding))
            self.size += padding
        return len(self.views) - 1


def _bounds(table: Array) -> list[list[float]]:
    return [corner.tolist() for corner in column_bounds(table)]
