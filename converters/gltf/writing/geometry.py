"""Shapes of the graph as arrays for primitives: each distinct one is made once; its size is the scale of the node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from converters.assets import inside
from converters.assets.meshes.distinct import unique_rows
from converters.assets.meshes.files import MeshFile, MeshPart, PartMaterial
from converters.assets.meshes.parts import submesh_of
from converters.assets.shown import meshes_without_shown_looks
from converters.assets.stamps import originals
from converters.context import InputError, WriterContext
from converters.gltf.data.colours import linear_array
from ir.arrays import Array, Floats, Indices, Ints, Singles, np
from ir.pose import matrix
from ir.scene import Scene
from ir.types import (
    IDENTITY,
    ONES,
    Asset,
    Box,
    Cone,
    Cylinder,
    Ellipsoid,
    Geom,
    HeightField,
    Mesh,
    Pose,
    Shape,
    Sphere,
    Vec3,
)

SHORT = 1e-12
"""Length below which a normal has no direction."""


class Finish(Struct, frozen=True):
    """What determines the look of a piece apart from its triangles. solid: a closed shape whose inside is not visible.
    dyed: it has vertex colours; clear: some of these are transparent."""

    name: str
    material: PartMaterial | None = None
    textured: bool = False
    solid: bool = False
    dyed: bool = False
    clear: bool = False


class GeomPrimitive(Struct, frozen=True, eq=False):
    """One primitive: positions (n, 3) in metres in the frame of the geom, faces (m, 3); uvs from the upper left.

    Without normals it has flat shading (3.7.2.1).
    """

    finish: Finish
    positions: Singles
    faces: Indices
    normals: Singles | None = None
    uvs: Singles | None = None
    colours: Singles | None = None
    """Linear, (n, 4), or (n, 3) if all are opaque."""
    tangents: Singles | None = None
    """Direction of increasing u, with handedness (3.7.2.1), (n, 4)."""


class Geometry(Struct):
    """Pieces of shapes; each file is read once. A file that cannot be read leaves a note and has no pieces.

    Only files of which another part is still needed are cached.
    """

    scene: Scene
    context: WriterContext
    _original: Callable[[str], str] = field(default_factory=originals)
    _alike: dict[object, dict[str | None, Asset]] = field(default_factory=dict)
    """By content key, one asset of each file with that content."""
    _wanted: dict[object, set[object]] = field(default_factory=dict)
    _files: dict[object, MeshFile | None] = field(default_factory=dict)
    _hidden: frozenset[str] = frozenset()
    _rounded: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._hidden = meshes_without_shown_looks(self.scene, self.context.looks)
        for geom in self.scene.geoms():
            if isinstance(geom.shape, Mesh) and (asset := self.scene.assets.get(geom.shape.asset)) is not None:
                place = self._place(asset)
                self._wanted.setdefault(place, set()).add(self.key(geom)[0])
                self._alike.setdefault(place, {}).setdefault(asset.file, asset)

    def key(self, geom: Geom) -> tuple[object, Vec3]:
        """Return a key of the pieces of a geom (equal for equal content; None: it has none), and the scale that makes
        them its shape."""
        if isinstance(geom.shape, Mesh):
            asset = self.scene.assets.get(geom.shape.asset)
            return (self._place(asset), geom.shape.submesh, geom.shape.centred), geom.shape.scale
        unit, scale = unit_of(geom.shape)
        return (unit if all(scale) else None), scale

    def pieces(self, geom: Geom) -> tuple[GeomPrimitive, ...]:
        """Return the pieces of a geom, at the scale of its key: call once per key.

        Pieces without triangles, or with vertices beyond single precision, are omitted.
        """
        with np.errstate(over="ignore"):
            made = self._pieces(geom)
        return tuple(piece for piece in made if len(piece.faces) and bool(np.isfinite(piece.positions).all()))

    def _pieces(self, geom: Geom) -> tuple[GeomPrimitive, ...]:
        shape = geom.shape
        if shape is None or self.key(geom)[0] is None:
            return ()
        if isinstance(shape, Mesh):
            return self._of_file(geom, shape)
        from converters.assets.tessellate import tessellate

        unit, density = unit_of(shape)[0] or shape, self.context.options.segments
        surface = tessellate(unit, density, heights=self._heights(shape))
        return (
            GeomPrimitive(
                finish=Finish(type(shape).__name__.lower(), textured=surface.uvs is not None, solid=True),
                positions=surface.vertices.astype(np.float32),
                faces=surface.faces.astype(np.uint32),
                normals=None if surface.normals is None else surface.normals.astype(np.float32),
                uvs=None if surface.uvs is None else _uvs_from_above(surface.uvs),
            ),
        )

    def _heights(self, shape: Shape) -> Floats | None:
        if not isinstance(shape, HeightField):
            return None
        from converters.assets.heights import heights

        asset = self.scene.assets.get(shape.asset)
        try:
            return heights(asset)
        except InputError as error:
            reason = f"the height field is shown flat: {error.message}"
            before = asset.uri if asset is not None else shape.asset
            self.context.note("assets/unreadable", f"asset/{shape.asset}", reason, before=before, action="dropped")
            return None

    def _of_file(self, geom: Geom, shape: Mesh) -> tuple[GeomPrimitive, ...]:
        asset = self.scene.assets.get(shape.asset)
        if asset is None or asset.file is None:
            return ()
        place = self._place(asset)
        if place not in self._files:
            self._files[place] = self._load(asset)
        content = self._files[place]
        wanted = self._wanted.get(place, set())
        wanted.discard(self.key(geom)[0])
        if not wanted:
            del self._files[place]
        if content is None:
            return ()
        return tuple(_from_part(part) for part in submesh_of(content.parts, shape.submesh, shape.centred))

    def _place(self, asset: Asset | None) -> object:
        """Return a key for the content of a mesh asset."""
        if asset is None:
            return None
        return asset.file and self._original(asset.file), inside.key(asset)

    def _load(self, asset: Asset) -> MeshFile | None:
        """Return the content of a file; notes about it are added for each file with the same content."""
        content = self._read(asset)
        alike = self._alike.pop(self._place(asset), {}) | {asset.file: asset}
        for file, other in alike.items():
            if content is not None:
                self._tell(other, content)
            elif file != asset.file:
                self._read(other)
        return content

    def _read(self, asset: Asset) -> MeshFile | None:
        try:
            return inside.mesh(asset)
        except InputError as error:
            name, where = Path(asset.file or asset.uri).name, f"asset/{asset.name}"
            self.context.note("assets/unreadable", where, error.message, before=name, action="dropped")
            return None

    def _tell(self, asset: Asset, content: MeshFile) -> None:
        self.context.notes += inside.untold(asset, content, asset.name in self._hidden, coloured=True)

    def tell_rounded(self, name: str, off: float) -> None:
        """Note once by how much (metres) the stored vertices of a mesh file deviate; the graph does not have them."""
        asset = self.scene.assets.get(name)
        if off > 0.0 and asset is not None and name not in self._rounded:
            self._rounded.add(name)
            stored = "--compress stores vertices in steps that depend on the extent of the mesh"
            if self.context.options.compress == "none":
                stored = "glTF stores vertices in single precision, which is coarse where a mesh is far from its origin"
            reason = f"{stored}: at most this far off in each direction"
            self.context.note(
                "gltf/rounded",
                f"asset/{name}",
                reason,
                asset.source,
                before="0 m",
                after=f"{off:.1e} m",
                action="approximated",
                severity="note",
            )


def unit_of(shape: Shape | None) -> tuple[Shape | None, Vec3]:
    """Return a shape of unit size and the scale that makes it this one: all boxes of a robot share one mesh."""
    match shape:
        case Box(size=size):
            return Box(size=ONES), size
        case Sphere(radius=r):
            return Sphere(radius=1.0), (r, r, r)
        case Ellipsoid(radii=radii):
            return Sphere(radius=1.0), radii
        case Cylinder(radius=r, length=length):
            return Cylinder(radius=1.0, length=1.0), (r, r, length)
        case Cone(radius=r, length=length):
            return Cone(radius=1.0, length=1.0), (r, r, length)
    return shape, ONES


def _from_part(part: MeshPart) -> GeomPrimitive:
    """Convert a part to a single set of vertex indices instead of up to four."""
    tables: list[tuple[Singles, Ints]] = [(part.vertices.astype(np.float32), part.faces)]
    if part.normals is not None and part.normal_faces is not None:
        tables.append((_unit(part.normals), part.normal_faces))
    textured = part.uvs is not None and part.uv_faces is not None
    if part.uvs is not None and part.uv_faces is not None:
        tables.append((_uvs_from_above(part.uvs), part.uv_faces))
    if part.colours is not None and part.colour_faces is not None:
        tables.append((_vertex_colours(part.colours), part.colour_faces))
    columns, faces = _with_common_faces(tables)
    colours = columns.pop() if part.colours is not None else None
    normals = uvs = None
    if part.normals is not None and part.normal_faces is not None:
        normals = _with_normals_of_faces(columns[1], columns[0], faces)
    if textured:
        uvs = columns[-1]
    clear = colours is not None and colours.shape[1] > len("rgb")
    finish = Finish(part.name, part.material, textured, dyed=colours is not None, clear=clear)
    return GeomPrimitive(finish=finish, positions=columns[0], faces=faces, normals=normals, uvs=uvs, colours=colours)


def _vertex_colours(colours: Floats) -> Singles:
    """Convert display colours (n, 4) to linear ones; without alpha if all are opaque."""
    opaque = bool((colours[:, 3] == 1.0).all())
    return linear_array(colours[:, :3] if opaque else colours).astype(np.float32)


def _with_common_faces(tables: list[tuple[Singles, Ints]]) -> tuple[list[Singles], Indices]:
    """Convert tables with separate faces to tables with common faces: one row per combination that occurs."""
    first, faces = tables[0]
    if all(other is faces or (len(table) == len(first) and np.array_equal(other, faces)) for table, other in tables):
        return [table for table, _ in tables], faces.astype(np.uint32)
    corners = [(table, other.ravel()) for table, other in tables]
    where, number = _combinations([(len(table), other) for table, other in corners])
    return [table.take(other.take(where), axis=0) for table, other in corners], number.astype(np.uint32).reshape(-1, 3)


def _combinations(columns: list[tuple[int, Ints]]) -> tuple[Ints, Ints]:
    """Like distinct, for combined rows: each column is the number of rows of a table, and indices of some of them."""
    if any(count == len(rows) and np.bincount(rows, minlength=count).all() for count, rows in columns):
        every = np.arange(len(columns[0][1]))
        return every, every
    count, key = columns[0]
    key = key.astype(np.int64)
    for more, rows in columns[1:]:
        if count * more > 1 << 62:
            where, key = unique_rows(key)
            count = len(where)
        key = key * more + rows
        count *= more
    return unique_rows(key)


def _unit(normals: Floats) -> Singles:
    """Return unit normals; zero where a file has no usable one."""
    length = np.sqrt(np.einsum("ij,ij->i", normals, normals))
    poor = ~(np.isfinite(length) & (length >= SHORT))
    length[poor] = 1.0
    unit: Singles = (normals / length[:, None]).astype(np.float32)
    unit[poor] = 0.0
    return unit


def _with_normals_of_faces(normals: Singles, positions: Singles, faces: Indices) -> Singles:
    """Return unit normals in which zero ones are replaced by the normal of the faces around."""
    x, y, z = normals.T
    poor = (x == 0.0) & (y == 0.0) & (z == 0.0)  # numpy is slow along short rows
    if not poor.any():
        return normals
    corners = positions[faces].astype(np.float64)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    around = np.zeros((len(positions), 3))
    for corner in range(3):
        np.add.at(around, faces[:, corner], across)
    length = np.linalg.norm(around, axis=1, keepdims=True)
    around = np.where(length < 1e-30, (0.0, 0.0, 1.0), around / np.maximum(length, 1e-30))
    return np.where(poor[:, None], around.astype(np.float32), normals)


def _uvs_from_above(uvs: Floats) -> Singles:
    """Flip v: the graph measures it from the lower edge of the image, glTF from the upper one (3.8.3)."""
    turned: Singles = uvs[:, :2].astype(np.float32)
    turned[:, 1] = 1.0 - uvs[:, 1]
    return np.nan_to_num(turned, copy=False)


PRODUCTS = ((0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2))
MEASURES = 10
"""Length of the result of Moments.at."""
ALIKE = 2.5e-4
"""Tolerance for equal triangles, as a share of the extent: two steps of a 14-bit grid, to which programs quantise."""


class Moments(Struct, frozen=True, eq=False):
    """Measures of triangles in any order: their number, and the sums over corners of (x y z 1) times (x y z 1).

    sums is (4, 4), in metres; a pose or a scale transforms it without access to the vertices.
    """

    triangles: int
    sums: Array

    def at(self, pose: Pose = IDENTITY, scale: Vec3 = (1.0, 1.0, 1.0)) -> list[float]:
        """Triangle count, mean corner, and mean products xx yy zz xy xz yz, of the mesh at a pose and a scale."""
        mean = self.moved(pose, scale).sums / max(self.triangles * 3, 1)
        return [float(self.triangles), *mean[3, :3].tolist(), *mean[PRODUCTS].tolist()]

    def moved(self, pose: Pose, scale: Vec3 = (1.0, 1.0, 1.0)) -> Moments:
        """Return the moments of the mesh at a pose and a scale."""
        if pose == IDENTITY and scale == ONES:
            return self
        affine = np.eye(4)
        with np.errstate(over="ignore", invalid="ignore"):  # overflow: so far away nothing compares equal
            affine[:3, :3], affine[:3, 3] = matrix(pose.rot) * scale, pose.pos
            return Moments(self.triangles, affine @ self.sums @ affine.T)


def moments(pieces: Iterable[tuple[Singles | Floats, Array]]) -> Moments:
    """Return the moments of pieces: positions (n, 3) and faces (m, 3)."""
    count, sums = 0, np.zeros((4, 4))
    for positions, faces in pieces:
        uses = np.bincount(faces.ravel(), minlength=len(positions))
        points = np.ones((4, len(positions)))
        points[:3] = positions.T
        sums += (points * uses) @ points.T
        count += len(faces)
    return Moments(count, sums)


def measured(numbers: Sequence[float]) -> Moments:
    """Return the moments for which Moments.at gives these numbers."""
    mean = np.ones((4, 4))
    mean[3, :3] = mean[:3, 3] = numbers[1:4]
    mean[PRODUCTS] = mean[PRODUCTS[::-1]] = numbers[4:]
    return Moments(int(numbers[0]), mean * numbers[0] * 3)


def total(several: Iterable[Moments]) -> Moments:
    """Return the combined moments of several meshes."""
    each = [*several]
    return Moments(sum(one.triangles for one in each), np.sum([one.sums for one in each], axis=0))


def same_moments(now: Sequence[float], then: Sequence[float]) -> bool:
    """Whether measures of triangles are equal (Moments.at): same number, about the same centre and extent."""
    if len(now) != len(then) or now[0] != then[0]:
        return False
    extent = max(float(np.sqrt(max(sum(then[4:7]), 0.0))), 1e-9)
    bounds = (extent,) * 3 + (extent**2,) * 6
    return all(abs(a - b) <= ALIKE * bound for a, b, bound in zip(now[1:], then[1:], bounds, strict=True))
