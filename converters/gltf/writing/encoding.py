"""Storage of the arrays of primitives: uncompressed, quantised (KHR_mesh_quantization), or compressed by Draco."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from converters.context import InputError
from converters.gltf.data.binary import INDICES, VERTICES, Binary
from converters.gltf.data.extensions import DRACO, QUANTISED
from converters.gltf.scene.primitives import COLOURS
from converters.gltf.writing.geometry import GeomPrimitive
from ir.arrays import Floats, Singles, column_bounds, np
from ir.types import Vec3

RESTART = 65535
"""The largest 16-bit index must not be used (3.7.2.1)."""
STEPS = 32767
"""Maximum of a signed 16-bit integer, which represents -1 to 1."""
SHARES = 65535
"""Maximum of an unsigned 16-bit integer, which represents 0 to 1."""
FAR = 1e4
"""Distance from the origin, in extents of a mesh, beyond which single precision resolves less than a thousand steps."""
DRACO_BITS = 16
"""log2 of the number of steps of a coordinate over the extent of a mesh."""


class Stored(Struct, frozen=True):
    """A primitive: accessors of its attributes and of its indices, and its extensions."""

    attributes: Mapping[str, int]
    indices: int
    extensions: Mapping[str, Any] = field(default_factory=dict)


class Encoded(Struct, frozen=True):
    """The primitives of a mesh. Its points are offset + factor * stored values; off is the maximum error of a
    coordinate (metres)."""

    primitives: tuple[Stored, ...]
    offset: Vec3 = (0.0, 0.0, 0.0)
    factor: float = 1.0
    off: float = 0.0


Encoder = Callable[[Sequence[GeomPrimitive], Binary], Encoded]


def _attributes_beside(piece: GeomPrimitive) -> Iterator[tuple[str, Singles]]:
    """Yield the attributes of a piece other than positions."""
    tables = (
        ("NORMAL", piece.normals),
        ("TEXCOORD_0", piece.uvs),
        (COLOURS, piece.colours),
        ("TANGENT", piece.tangents),
    )
    yield from ((name, values) for name, values in tables if values is not None)


def plain(pieces: Sequence[GeomPrimitive], binary: Binary) -> Encoded:
    """Store in single precision; the error is reported if a mesh is so far from its origin that it matters (FAR)."""
    stored = []
    reach = extent = 0.0
    for piece in pieces:
        attributes = {"POSITION": binary.array(piece.positions, VERTICES, bounds=True)}
        told = binary.accessors[attributes["POSITION"]]
        for low, high in zip(told.min, told.max, strict=True):
            reach, extent = max(reach, -low, high), max(extent, high - low)
        attributes |= {name: binary.array(values, VERTICES) for name, values in _attributes_beside(piece)}
        stored.append(Stored(attributes, _indices(piece, binary)))
    return Encoded(tuple(stored), off=float(np.spacing(np.float32(reach))) / 2 if reach > FAR * extent > 0.0 else 0.0)


def quantised(pieces: Sequence[GeomPrimitive], binary: Binary) -> Encoded:
    """Store 16 bits per number. One factor is used for all axes: with three, the nodes would distort the normals."""
    lows, highs = zip(*(column_bounds(piece.positions) for piece in pieces), strict=True)
    low, high = np.min(lows, axis=0).astype(np.float64), np.max(highs, axis=0).astype(np.float64)
    middle = (low + high) / 2
    reach = float(np.max(high - low)) / 2 or 1.0
    stored = []
    for piece in pieces:
        steps = np.rint((piece.positions - middle) / reach * STEPS).astype(np.int16)
        attributes = {"POSITION": binary.array(steps, VERTICES, bounds=True, normalised=True)}
        for name, values in _attributes_beside(piece):
            signed = name in ("NORMAL", "TANGENT")
            if name == "TEXCOORD_0" and not (float(values.min()) >= 0.0 and float(values.max()) <= 1.0):
                attributes[name] = binary.array(values, VERTICES)
            else:
                small = np.rint(values * np.float32(STEPS if signed else SHARES)).astype(
                    np.int16 if signed else np.uint16
                )
                attributes[name] = binary.array(small, VERTICES, normalised=True)
        stored.append(Stored(attributes, _indices(piece, binary)))
    x, y, z = middle.tolist()
    return Encoded(tuple(stored), (x, y, z), reach, reach / STEPS / 2)


def draco(pieces: Sequence[GeomPrimitive], binary: Binary) -> Encoded:
    """Compress by Draco. Raises InputError if DracoPy is not installed."""
    try:
        import DracoPy
    except ImportError:
        raise InputError("--compress draco needs DracoPy: pip install 'kinegraph[draco]'") from None
    stored = []
    for piece in pieces:
        data = DracoPy.encode(
            piece.positions.astype(np.float64),
            piece.faces,
            quantization_bits=DRACO_BITS,
            compression_level=7,
            normals=_for_draco(piece.normals),
            tex_coord=_for_draco(piece.uvs),
            tex_coord_quantization_bits=DRACO_BITS if piece.uvs is not None else None,
            normal_quantization_bits=DRACO_BITS if piece.normals is not None else None,
            generic_attributes=_generic_attributes(piece),
        )
        found = DracoPy.decode(data)  # the accessors describe the decoded data, not the input
        numbers = {_attribute_name(each): each for each in found.attributes}
        attributes = {
            name: binary.empty(each["data"], bounds=name == "POSITION") for name, each in sorted(numbers.items())
        }
        indices = binary.empty(np.asarray(found.faces, dtype=np.uint32).reshape(-1, 1))
        ids = {name: int(each["unique_id"]) for name, each in sorted(numbers.items())}
        stored.append(Stored(attributes, indices, {DRACO: {"bufferView": binary.blob(data), "attributes": ids}}))
    extents = [float(np.subtract(*reversed(column_bounds(piece.positions))).max()) for piece in pieces]
    return Encoded(tuple(stored), off=max(extents) / (2**DRACO_BITS - 1) / 2)


def _for_draco(values: Singles | None) -> Floats | None:
    return None if values is None else values.astype(np.float64)


_NAMES = {0: "POSITION", 1: "NORMAL", 3: "TEXCOORD_0"}
"""Draco's attribute types."""
_GENERIC = ("TANGENT", COLOURS)
"""Attributes that Draco has no type for, or only one of 8 bits; the position is the attribute's id in a mesh."""


def _generic_attributes(piece: GeomPrimitive) -> dict[int, Singles] | None:
    tables = {number: table for number, table in enumerate((piece.tangents, piece.colours)) if table is not None}
    return tables or None


def _attribute_name(attribute: Mapping[str, Any]) -> str:
    """Return the glTF name of an attribute."""
    return _NAMES.get(attribute["attribute_type"]) or _GENERIC[int(attribute["unique_id"])]


ENCODERS: Mapping[str, tuple[Encoder, str]] = MappingProxyType(
    {"none": (plain, ""), "quantize": (quantised, QUANTISED), "draco": (draco, DRACO)}
)
"""Value of --compress -> the encoder, and the extension that a reader must support."""


def _indices(piece: GeomPrimitive, binary: Binary) -> int:
    flat = piece.faces.reshape(-1)
    return binary.array(flat.astype("<u2") if len(piece.positions) <= RESTART else flat, INDICES)
