"""Primitives with all visible data: indices, normals, texture coordinates; also quantised and compressed (3.7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from converters.assets.meshes.parts import MeshPart, PartMaterial, compact, dyes, strip
from converters.context import ReaderContext
from converters.gltf.data import draco
from converters.gltf.data.accessors import COMPONENTS, Accessors
from converters.gltf.data.colours import display_array
from converters.gltf.data.extensions import DRACO, TRANSFORM, extension, numbered
from converters.source.json import JsonObject
from converters.source.text import six_digits
from ir.arrays import Array, Ints, column_bounds, np

COLOURS = "COLOR_0"
TRIANGLES, STRIP, FAN = 4, 5, 6
NO_FACES = np.zeros((0, 3), dtype=np.int64)
MODES = {0: "points", 1: "lines", 2: "a line loop", 3: "a line strip"}
"""Modes without a surface."""
BEYOND = "vertex colours are between 0 and 1, as integers only if normalised (3.7.2.1): the nearest valid value is used"
CLOSE = 1e-5
"""Relative tolerance for bounds, as a share of the largest coordinate: they are often written with few digits."""


class Arrays(Struct, frozen=True, eq=False):
    """A primitive as stored: positions (n, 3) in metres, faces (m, 3), and the other data per vertex.

    uvs have their origin at the upper left of the image, before their transform. colours (n, 3 or 4) are linear. mode
    and stored (accessors by what they contain) identify the data: Surfaces.key.
    """

    positions: Array
    faces: Array
    normals: Array | None
    uvs: Array | None
    colours: Array | None
    moved: Moved
    mode: int
    stored: Mapping[str, int]


Moved = tuple[float, float, float, float, float]
"""KHR_texture_transform: offset, rotation (radians), scale."""
STILL: Moved = (0.0, 0.0, 0.0, 1.0, 1.0)


def _digest(array: Array) -> bytes:
    from hashlib import sha256

    total = sha256(f"{array.dtype.str}{array.shape}".encode())
    total.update(np.ascontiguousarray(array).data)
    return total.digest()


class Surfaces(Struct):
    """The meshes of a document. Raises InputError for any access beyond its data."""

    root: JsonObject
    accessors: Accessors
    context: ReaderContext
    meshes: list[JsonObject] = field(default_factory=list)
    _checked: set[int] = field(default_factory=set)
    _fitting: set[tuple[int, int]] = field(default_factory=set)
    _digests: dict[int, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.meshes = self.root.children("meshes")

    def arrays(self, primitive: JsonObject, where: str) -> Arrays | None:
        """The triangles of a primitive, in metres in the frame of its node; None, and a note, when it has none. Raises
        InputError for what its arrays cannot be."""
        mode = primitive.integer("mode", high=6)
        mode = TRIANGLES if mode is None else mode
        attributes = primitive.child("attributes")
        if primitive.given("attributes", attributes) is None or attributes is None:
            raise primitive.fail("attributes", "is missing")
        if mode in MODES or "POSITION" not in attributes:
            self._tell_no_surface(primitive, attributes, mode, where)
            return None
        number = uv_set(self.root, primitive)
        wanted = {"POSITION": (3,), "NORMAL": (3,), f"TEXCOORD_{number}": (2,), COLOURS: (3, 4)}
        packed = extension(primitive, DRACO)
        ids = packed.child("attributes") if packed is not None else None
        if ids is not None and COLOURS not in ids:  # colours outside the compressed data stay unread
            del wanted[COLOURS]
        numbers = {
            name: index for name in wanted if (index := attributes.index(name, len(self.accessors.nodes))) is not None
        }
        if "POSITION" not in numbers:
            raise attributes.given("POSITION", None) or attributes.fail("POSITION", "is missing")
        unpacked = self._unpacked(primitive, packed, numbers) if packed is not None else None
        if unpacked is None:
            found = {name: self._array(index) for name, index in numbers.items()}
            corners, indices = self._indices(primitive, len(found["POSITION"]))
            stored = numbers | indices
        else:
            if mode == FAN:
                raise primitive.fail("mode", f"is {FAN}, and {DRACO} holds triangles or strips")
            found, mode, stored = unpacked, TRIANGLES, {}  # strips are decoded to triangles, too
            primitive.ignore("mode", "gltf/compressed")
            corners = found.pop(draco.CORNERS)[:, 0]
        positions = found["POSITION"]
        for name, values in found.items():
            if values.shape[1] not in wanted[name] or len(values) != len(positions):
                widths = " or ".join(map(str, wanted[name]))
                raise attributes.fail(name, f"must have {widths} numbers for each of {len(positions)} vertices")
        found |= self._bent(primitive, found, where)
        stored = stored if found["POSITION"] is positions else {}
        faces = faces_of(corners.astype(np.int64, copy=False), mode)
        self._tell_left(primitive, attributes, len(corners), faces, mode, where)
        return Arrays(
            positions=found["POSITION"],
            faces=faces,
            normals=found.get("NORMAL"),
            uvs=found.get(f"TEXCOORD_{number}"),
            colours=self._tints(found.get(COLOURS), primitive, attributes, where),
            moved=_texture_transform(self.root, primitive),
            mode=mode,
            stored=stored,
        )

    def _tell_no_surface(self, primitive: JsonObject, attributes: JsonObject, mode: int, where: str) -> None:
        """Note a primitive of points or lines, or without positions: its accessors count as read."""
        what = MODES.get(mode, "a primitive without positions")
        reason = f"{what}: neither drawn nor used for contacts here"
        place = primitive.place("mode" if mode in MODES else None)
        self.context.note("gltf/no-surface", where, reason, place, before=what, action="ignored")
        named = (*attributes.members.values(), primitive.members.get("indices"))
        self.accessors.read.update(each for each in named if isinstance(each, int))

    def _unpacked(
        self, primitive: JsonObject, packed: JsonObject, numbers: Mapping[str, int]
    ) -> dict[str, Array] | None:
        """Return data compressed by Draco (draco.unpack), checked against the bounds of its accessors."""
        views, nodes = len(self.root.children("bufferViews")), self.accessors.nodes
        found = draco.unpack(primitive, packed, numbers, self.accessors, views, self.context)
        if found is None:
            return None
        described = primitive.index("indices", len(nodes))
        for name, index in (numbers if described is None else {**numbers, draco.CORNERS: described}).items():
            self._check_bounds(nodes[index], found[name])
            self.accessors.read.add(index)  # an uncompressed copy in its view would be the same
        return found

    def _bent(self, primitive: JsonObject, found: Mapping[str, Array], where: str) -> dict[str, Array]:
        """Return positions and normals deformed by the morph targets with the weights of the mesh (3.7.2.2); empty if
        they stay as they are."""
        mesh = self.meshes[int(primitive.pointer.split("/")[2])]
        said = mesh.members.get("weights")
        if not primitive.members.get("targets") or not isinstance(said, list) or not any(said):
            return {}
        bent = {name: found[name].astype(np.float64) for name in ("POSITION", "NORMAL") if name in found}
        before = set(self.accessors.read)
        for target, weight in zip(primitive.children("targets"), mesh.vector("weights") or (), strict=False):
            for name in bent if weight else ():
                index = target.index(name, len(self.accessors.nodes))
                moved = self._array(index) if index is not None else None
                if moved is not None and moved.shape != bent[name].shape:
                    raise target.fail(name, f"must have 3 numbers for each of {len(bent[name])} vertices")
                bent[name] += 0.0 if moved is None else weight * moved
        if "NORMAL" in bent:
            bent["NORMAL"] /= np.maximum(np.linalg.norm(bent["NORMAL"], axis=1, keepdims=True), 1e-12)
        primitive.asked.discard("targets")  # morph targets are not in the graph: they and their accessors stay unread
        self.accessors.read.intersection_update(before)
        reason = "the mesh is read with its own morph weights; deformation by other weights is not applied"
        self.context.note("gltf/morph", where, reason, mesh.place("weights"), action="approximated")
        return bent

    def key(self, arrays: Arrays) -> bytes:
        """Return a key, equal for equal triangles with equal normals, texture coordinates and colours, stored alike."""
        from hashlib import sha256

        dyes = None if arrays.colours is None else arrays.colours.shape
        said = repr((arrays.mode, len(arrays.faces), arrays.moved, dyes, sorted(arrays.stored))).encode()
        if arrays.stored:
            parts = [self._known_digest(number) for _, number in sorted(arrays.stored.items())]
        else:
            tables = (arrays.positions, arrays.faces, arrays.normals, arrays.uvs, arrays.colours)
            parts = [b"" if table is None else _digest(table) for table in tables]
        return sha256(b"".join((said, *parts))).digest()

    def _tints(self, colours: Array | None, primitive: JsonObject, attributes: JsonObject, where: str) -> Array | None:
        """Return the vertex colours, without alpha if the material is opaque, which ignores it (3.9.4). None if all are
        equal: the material then has that colour."""
        if colours is not None and len(colours) and (colours.min() < 0.0 or colours.max() > 1.0):
            before, accessor = f"{colours.min():g} to {colours.max():g}", attributes.members[COLOURS]
            place = self.accessors.nodes[accessor].source
            self.context.note("gltf/colour-range", where, BEYOND, place, before=before, action="repaired")
            colours = np.clip(colours, 0.0, 1.0)
        if colours is None or one_colour(self.root, primitive, self.accessors) is not None:
            return None
        return colours if _lets_through(self.root, primitive) else colours[:, :3]

    def _tell_left(
        self, primitive: JsonObject, attributes: JsonObject, corners: int, faces: Ints, mode: int, where: str
    ) -> None:
        """Note vertices that do not make a whole triangle (3.7.2.1)."""
        made = 3 * len(faces) if mode == TRIANGLES else len(faces) + 2 * bool(len(faces))
        if corners == made:
            return
        said = primitive.members.get("indices", attributes.members.get("POSITION"))
        node = numbered(self.accessors.nodes, said)
        at = node.place("count") if node is not None else primitive.source
        self.context.note(
            "gltf/corners",
            where,
            "vertices that do not make a whole triangle are not drawn",
            at,
            before=str(corners),
            after=str(made),
            action="ignored",
        )

    def _known_digest(self, index: int) -> bytes:
        """Return the digest of an accessor, computed once: many primitives may share a large one."""
        if index not in self._digests:
            self._digests[index] = _digest(self.accessors.stored(self.accessors.nodes[index]))
        return self._digests[index]

    def _array(self, index: int) -> Array:
        values = self.accessors.array(index)
        if index not in self._checked:
            self._checked.add(index)
            self._check_bounds(self.accessors.nodes[index], values)
        return values

    def _check_bounds(self, node: JsonObject, values: Array) -> None:
        """Check min and max of an accessor against its values: programs relying on wrong ones misplace the mesh."""
        if not ("min" in node or "max" in node):
            return
        factor = 1.0
        if node.boolean("normalized"):
            stored = np.dtype(COMPONENTS.get(node.integer("componentType") or 0, "f4"))
            factor = 1.0 if stored.kind == "f" else float(np.iinfo(stored).max)
        for key, extreme in zip(("min", "max"), column_bounds(values), strict=True):
            bound = extreme * factor
            said = node.vector(key)
            if said is None:
                continue
            near = CLOSE * max(1.0, float(np.abs(bound).max()))
            if len(said) != len(bound) or bool(np.any(np.abs(np.array(said) - bound) > near)):
                self.context.note(
                    "gltf/bounds",
                    "scene",
                    f"the {key} of an accessor differs from its values; the values are used",
                    node.place(key),
                    before=six_digits(said),
                    after=six_digits(bound.tolist()),
                )

    def _indices(self, primitive: JsonObject, count: int) -> tuple[Array, dict[str, int]]:
        """Return vertex indices in order, each below count; and the accessor they are from, if there is one."""
        index = primitive.index("indices", len(self.accessors.nodes))
        if index is None:
            return np.arange(count), {}
        values = self._array(index)
        if values.shape[1] != 1 or values.dtype.kind != "u":
            raise primitive.fail("indices", "must refer to single unsigned whole numbers")
        if (index, count) not in self._fitting:
            if int(values.max()) >= count:
                raise primitive.fail("indices", f"hold vertex {int(values.max())}, but there are only {count}")
            self._fitting.add((index, count))
        return values[:, 0], {"indices": index}


def faces_of(corners: Ints, mode: int) -> Ints:
    """Return triangles (m, 3) of successive vertex indices; those that do not make a whole triangle are left over."""
    if mode == TRIANGLES:
        return corners[: len(corners) - len(corners) % 3].reshape(-1, 3)
    if mode not in (STRIP, FAN) or len(corners) < 3:
        return NO_FACES
    if mode == FAN:
        return np.stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]], axis=1)
    return strip(corners)


def _material_of_primitive(root: JsonObject, primitive: JsonObject) -> JsonObject | None:
    """Return the material of a primitive, without marking the reference as read."""
    return numbered(root.children("materials"), primitive.members.get("material"))


def _lets_through(root: JsonObject, primitive: JsonObject) -> bool:
    """Whether alpha is used in a primitive."""
    look = _material_of_primitive(root, primitive)
    return look is not None and look.members.get("alphaMode", "OPAQUE") != "OPAQUE"


def one_colour(root: JsonObject, primitive: JsonObject, accessors: Accessors) -> tuple[float, ...] | None:
    """Return the linear colour, with alpha, that all vertices of a primitive share; None if there is no such one."""
    attributes = primitive.child("attributes")
    if attributes is None or extension(primitive, DRACO) is not None:
        return None
    index = attributes.index(COLOURS, len(accessors.nodes))
    rows = accessors.array(index) if index is not None else None
    if rows is None or not len(rows) or rows.shape[1] not in (3, 4) or bool((rows != rows[0]).any()):
        return None
    first = [min(max(float(each), 0.0), 1.0) for each in rows[0]]
    return (*first[:3], *(first[3:] if _lets_through(root, primitive) else ()), 1.0)[:4]


def _base_texture(root: JsonObject, primitive: JsonObject) -> JsonObject | None:
    """Return the base colour texture of the material of a primitive."""
    look = _material_of_primitive(root, primitive)
    return look.inner("pbrMetallicRoughness", "baseColorTexture") if look is not None else None


def uv_set(root: JsonObject, primitive: JsonObject) -> int:
    """Return the index of the texture coordinate set of the base colour."""
    texture = _base_texture(root, primitive)
    if texture is None:
        return 0
    moved = extension(texture, TRANSFORM)
    other = moved.integer("texCoord") if moved is not None else None
    return other if other is not None else texture.integer("texCoord") or 0


def _texture_transform(root: JsonObject, primitive: JsonObject) -> Moved:
    """Return the KHR_texture_transform of the texture coordinates of a primitive."""
    moved = extension(_base_texture(root, primitive), TRANSFORM)
    if moved is None:
        return STILL
    x, y = moved.vector("offset", 2) or (0.0, 0.0)
    u, v = moved.vector("scale", 2) or (1.0, 1.0)
    return (x, y, moved.number("rotation", 0.0) or 0.0, u, v)


def _transformed_uvs(uvs: Array, moved: Moved) -> Array:
    """Return scaled, rotated and shifted texture coordinates."""
    if moved == STILL:
        return uvs
    x, y, angle, across, down = moved
    cos, sin = np.cos(angle), np.sin(angle)
    u, v = uvs[:, 0] * across, uvs[:, 1] * down
    return np.stack([cos * u + sin * v + x, cos * v - sin * u + y], axis=1)


def part(arrays: Arrays, name: str, linear: Array | None = None, material: PartMaterial | None = None) -> MeshPart:
    """Return the arrays as a part of a mesh file. linear (3, 3) or (4, 4) is applied; a mirror reverses the faces."""
    faces = arrays.faces
    tables: dict[str, Any] = {}
    positions, tables["faces"] = _compacted(arrays.positions, faces)
    normals: Array | None = None
    if arrays.normals is not None:
        normals, tables["normal_faces"] = _compacted(arrays.normals, faces)
    determinant = 1.0
    if linear is not None:
        inner = linear[:3, :3]
        determinant = float(np.linalg.det(inner))
        positions = positions @ inner.T
        if linear.shape == (4, 4):
            positions = positions + linear[:3, 3]
        if normals is not None:
            normals = normals @ np.linalg.inv(inner) if determinant else None
    tables["vertices"], tables["normals"] = positions, normals
    if normals is None:
        tables["normal_faces"] = None
    if arrays.uvs is not None:
        uvs, tables["uv_faces"] = _compacted(arrays.uvs, faces)
        uvs = _transformed_uvs(uvs, arrays.moved)
        tables["uvs"] = np.stack([uvs[:, 0], 1.0 - uvs[:, 1]], axis=1)  # mesh files count v from the lower edge
    if arrays.colours is not None:
        colours, tables["colour_faces"] = _compacted(arrays.colours, faces)
        tables["colours"] = dyes(display_array(colours))
        if tables["colours"] is None:
            del tables["colour_faces"]
    if determinant < 0:
        for key in ("faces", "normal_faces", "uv_faces", "colour_faces"):
            if tables.get(key) is not None:
                tables[key] = tables[key][:, ::-1]
    return MeshPart(name=name, material=material, **tables)


def _compacted(table: Array, faces: Array) -> tuple[Array, Array]:
    """Like compact, in double precision, but also efficient if few faces use a large table shared by primitives."""
    if faces.size * 8 >= len(table):
        used, numbers = compact(table, faces)
        return used.astype(np.float64, copy=False), numbers
    rows, numbers = np.unique(faces, return_inverse=True)
    return table[rows].astype(np.float64, copy=False), numbers.reshape(-1, 3)
