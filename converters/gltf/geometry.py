"""Shapes of the graph as arrays for primitives: each distinct one made once, its size left to the scale of the node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from converters.assets import inside
from converters.assets.meshes import MeshFile, MeshPart, PartMaterial
from converters.assets.parts import chosen
from converters.context import Context, InputError
from converters.gltf.nodes import ONE
from ir.pose import matrix
from ir.types import Asset, Box, Cone, Cylinder, Ellipsoid, Geom, HeightField, Mesh, Pose, Shape, Sphere, Vec3

if TYPE_CHECKING:
    from numpy import float32, uint32
    from numpy.typing import NDArray

    from converters.assets.parts import Floats, Ints
    from ir.scene import Scene

    Singles = NDArray[float32]
    Indices = NDArray[uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One primitive: positions (n, 3) in metres in the frame of the geom, faces (m, 3); uvs from the upper left.

    Without normals it is shown flat (3.7.2.1). solid: a closed shape whose inside nobody sees.
    """

    name: str
    positions: Singles
    faces: Indices
    normals: Singles | None = None
    uvs: Singles | None = None
    material: PartMaterial | None = None
    solid: bool = False


@dataclass(slots=True)
class Geometry:
    """Pieces of shapes, each file read once. What cannot be read leaves a note and has no pieces."""

    scene: Scene
    context: Context
    _made: dict[object, tuple[Piece, ...]] = field(default_factory=dict)
    _files: dict[object, MeshFile | None] = field(default_factory=dict)

    def pieces(self, geom: Geom) -> tuple[object, tuple[Piece, ...], Vec3]:
        """What a geom is made of: a key (equal for equal content), pieces, and the scale that makes them the shape."""
        key, scale = self._key(geom.shape)
        if key not in self._made:
            self._made[key] = self._make(key, geom.shape)
        return key, self._made[key], scale

    def _key(self, shape: Shape | None) -> tuple[object, Vec3]:
        if isinstance(shape, Mesh):
            asset = self.scene.assets.get(shape.asset)
            return (
                _place(asset),
                shape.submesh,
                shape.centred,
            ), shape.scale
        unit, scale = unit_of(shape)
        return unit, scale

    def _make(self, key: object, shape: Shape | None) -> tuple[Piece, ...]:
        if shape is None or (not isinstance(shape, Mesh) and 0.0 in unit_of(shape)[1]):
            return ()
        if isinstance(shape, Mesh):
            return self._of_file(shape)
        from converters.assets.tessellate import tessellate

        surface = tessellate(unit_of(shape)[0] or shape, heights=self._heights(shape))
        return (
            Piece(
                name=type(shape).__name__.lower(),
                positions=surface.vertices.astype(np.float32),
                faces=surface.faces.astype(np.uint32),
                normals=None if surface.normals is None else surface.normals.astype(np.float32),
                uvs=None if surface.uvs is None else _downwards(surface.uvs),
                solid=True,
            ),
        )

    def _heights(self, shape: Shape) -> Floats | None:
        if not isinstance(shape, HeightField):
            return None
        from converters.assets.heights import heights

        try:
            return heights(self.scene.assets.get(shape.asset))
        except InputError as error:
            reason = f"the height field is shown flat: {error.message}"
            self.context.note("assets/unreadable", f"asset/{shape.asset}", reason=reason, action="dropped")
            return None

    def _of_file(self, shape: Mesh) -> tuple[Piece, ...]:
        asset = self.scene.assets.get(shape.asset)
        if asset is None or asset.file is None:
            return ()
        place = _place(asset)
        if place not in self._files:
            self._files[place] = self._load(asset)
        content = self._files[place]
        if content is None:
            return ()
        return tuple(_piece(part) for part in chosen(content.parts, shape.submesh, shape.centred))

    def _load(self, asset: Asset) -> MeshFile | None:
        try:
            return inside.mesh(asset)
        except InputError as error:
            before = Path(asset.file or asset.uri).name
            where = f"asset/{asset.name}"
            self.context.note("assets/unreadable", where, before=before, action="dropped", reason=error.message)
            return None


def _place(asset: Asset | None) -> object:
    """What tells the content of a mesh asset."""
    return (asset.file, inside.key(asset)) if asset is not None else None


def unit_of(shape: Shape | None) -> tuple[Shape | None, Vec3]:
    """A shape of unit size and the scale that makes it this one: all boxes of a robot are one mesh."""
    match shape:
        case Box(size=size):
            return Box(size=ONE), size
        case Sphere(radius=r):
            return Sphere(radius=1.0), (r, r, r)
        case Ellipsoid(radii=radii):
            return Sphere(radius=1.0), radii
        case Cylinder(radius=r, length=length):
            return Cylinder(radius=1.0, length=1.0), (r, r, length)
        case Cone(radius=r, length=length):
            return Cone(radius=1.0, length=1.0), (r, r, length)
    return shape, ONE


def _piece(part: MeshPart) -> Piece:
    """The part with one table of corners instead of three."""
    tables: list[tuple[Floats, Ints]] = [(part.vertices, part.faces)]
    if part.normals is not None and part.normal_faces is not None:
        tables.append((part.normals, part.normal_faces))
    if part.uvs is not None and part.uv_faces is not None:
        tables.append((part.uvs, part.uv_faces))
    columns, faces = _joined(tables)
    positions = columns[0].astype(np.float32)
    normals = uvs = None
    if part.normals is not None and part.normal_faces is not None:
        normals = _unit(columns[1], positions, faces)
    if part.uvs is not None and part.uv_faces is not None:
        uvs = _downwards(columns[-1])
    return Piece(name=part.name, positions=positions, faces=faces, normals=normals, uvs=uvs, material=part.material)


def _joined(tables: list[tuple[Floats, Ints]]) -> tuple[list[Floats], Indices]:
    """Tables with faces of their own as tables with common faces: a row for each combination that occurs."""
    first, faces = tables[0]
    if all(other is faces or (len(table) == len(first) and np.array_equal(other, faces)) for table, other in tables):
        return [table for table, _ in tables], faces.astype(np.uint32)
    key, count = np.zeros(faces.size, dtype=np.int64), 1
    for table, other in tables:
        if count * len(table) > 1 << 62:
            values, key = np.unique(key, return_inverse=True)
            count = len(values)
        key = key * len(table) + other.ravel()
        count *= len(table)
    _, where, number = np.unique(key, return_index=True, return_inverse=True)
    return [table[other.ravel()[where]] for table, other in tables], number.reshape(-1, 3).astype(np.uint32)


def _unit(normals: Floats, positions: Singles, faces: Indices) -> Singles:
    """Normals of length one; where a file has none or none to speak of, that of the faces around."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    poor = ~np.isfinite(length[:, 0]) | (length[:, 0] < 1e-12)
    if poor.any():
        corners = positions[faces].astype(np.float64)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        around = np.zeros((len(positions), 3))
        for corner in range(3):
            np.add.at(around, faces[:, corner], across)
        normals = np.where(poor[:, None], around, normals)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        hopeless = length[:, 0] < 1e-30
        normals = np.where(hopeless[:, None], (0.0, 0.0, 1.0), normals)
        length[hopeless] = 1.0
    unit: Singles = (normals / length).astype(np.float32)
    return unit


def _downwards(uvs: Floats) -> Singles:
    """The graph counts v from the lower edge of the image, glTF from the upper one (3.8.3)."""
    turned: Singles = uvs[:, :2].astype(np.float32)
    turned[:, 1] = 1.0 - uvs[:, 1]
    return np.nan_to_num(turned, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What triangles come to in any order: how many, and the sums of (1 x y z) times (1 x y z) over their corners.

    sums is (4, 4), in metres; a pose or a scale moves it without a look at the corners.
    """

    triangles: int
    sums: NDArray[Any]

    def at(self, pose: Pose, scale: Vec3) -> list[float]:
        """Triangles, the mean corner, and the mean products xx yy zz xy xz yz, of the mesh at a pose and a scale."""
        affine = np.eye(4)
        affine[:3, :3], affine[:3, 3] = matrix(pose.rot) * scale, pose.pos
        moved = affine @ self.sums @ affine.T / max(self.triangles * 3, 1)
        return [float(self.triangles), *moved[3, :3].tolist(), *moved[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)].tolist()]


def moments(pieces: Iterable[tuple[Singles | Floats, NDArray[Any]]]) -> Moments:
    """The moments of pieces: positions (n, 3) and faces (m, 3)."""
    count, sums = 0, np.zeros((4, 4))
    for positions, faces in pieces:
        uses = np.bincount(faces.ravel(), minlength=len(positions))
        points = np.ones((len(positions), 4))
        points[:, :3] = positions
        sums += points.T @ (points * uses[:, None])
        count += len(faces)
    return Moments(count, sums)
