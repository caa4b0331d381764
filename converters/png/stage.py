"""Content of the picture: the pieces of all geoms that are shown, their placement, and their looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from converters.assets import inside
from converters.assets.heights import heights
from converters.assets.meshes.files import MeshPart, PartMaterial
from converters.assets.meshes.parts import UP, submesh_of
from converters.assets.tessellate import tessellate
from converters.context import InputError, WriterContext
from converters.png.looks import Look, LookTable
from ir.arrays import Floats, Ints, column_bounds, np
from ir.kinematics import still_bodies
from ir.pose import compose, matrix
from ir.scene import Scene
from ir.types import Asset, Box, Geom, HeightField, Mesh, Plane, Pose, Role, Shape

SHOWN: Mapping[str, frozenset[str]] = {
    "visual": frozenset(Role.SEEN),
    "collision": frozenset(Role.COLLIDING),
    "both": frozenset({Role.VISUAL, Role.COLLISION, Role.BOTH}),
}
EMPTY = "<empty"
"""How SDFormat says that a geom has no shape."""
BEYOND = 1e9
"""Metres from the origin beyond which nothing is shown."""
HELD = 3_000_000
"""Most triangles of mesh files that are kept between framing and drawing."""
MOST = 4_000_000
"""Triangles of a picture above which each further piece is replaced by its bounding box."""
DENSITIES = ((250, 48), (2500, 24))
COARSEST = 12
"""Corners of a circle for up to that many primitive shapes, and for more of them."""
SURROUNDINGS = 5.0
"""A fixed thing at least this many times larger than all that moves is a surrounding, which is not framed."""
_WAYS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)


class Piece(Struct, frozen=True, eq=False):
    """Triangles of one look in the frame of their geom: vertices (n, 3), faces (m, 3), and at their corners normals (m,
    3, 3), uvs (m, 3, 2) and tints (m, 3, 3), or None. extremes (k, 3) are vertices that bound the others."""

    vertices: Floats
    faces: Ints
    normals: Floats | None
    uvs: Floats | None
    material: PartMaterial | None
    extremes: Floats
    tints: Floats | None = None


class Thing(Struct, frozen=True, eq=False):
    """A geom in the picture: linear (3, 3) and offset (3,) map its scaled frame to the world. bounds (k, 3) are world
    points; fixed: it cannot move; boxed: its pieces are replaced by their boxes."""

    geom: Geom
    linear: Floats
    offset: Floats
    bounds: Floats
    fixed: bool
    boxed: bool


class Stage(Struct):
    """Pieces of shapes and files, each cached as long as there are not too many."""

    scene: Scene
    context: WriterContext
    looks: LookTable
    _held: dict[object, tuple[Piece, ...]] = field(default_factory=dict)
    _faces: int = 0
    _shown: int = 0
    _density: int = 0
    _said: set[str] = field(default_factory=set)

    def things(self, poses: Mapping[str, Pose]) -> list[Thing]:
        """Return all geoms with a shape that the user wants to see, including planes (whose bounds are empty)."""
        shown = SHOWN[self.context.options.show]
        still = still_bodies(self.scene)
        wanted = [(body.name, geom) for body in self.scene.bodies.values() for geom in body.geoms if geom.role in shown]
        chosen = [(name, geom) for name, geom in wanted if geom.shape is not None]
        self._tell_shapeless(wanted)
        primitives = sum(not isinstance(geom.shape, Mesh) for _, geom in chosen)
        self._density = next((density for most, density in DENSITIES if primitives <= most), COARSEST)
        things = [self._thing(geom, poses[name], name in still) for name, geom in chosen]
        boxed = sum(thing.boxed for thing in things)
        if boxed:
            self.context.note(
                "picture/boxes",
                "document",
                f"the geoms before them have {MOST} triangles or more: these are drawn as boxes",
                before=f"{boxed} geoms",
                action="approximated",
            )
        return things

    def _thing(self, geom: Geom, pose: Pose, fixed: bool) -> Thing:
        place = compose(pose, geom.pose)
        scale = geom.shape.scale if isinstance(geom.shape, Mesh) else (1.0, 1.0, 1.0)
        linear, offset = matrix(place.rot) * np.array(scale), np.array(place.pos)
        bounds, pieces = np.zeros((0, 3)), self.pieces(geom)
        boxed = self._shown >= MOST
        self._shown += 0 if boxed else sum(len(piece.faces) for piece in pieces)
        if not isinstance(geom.shape, Plane):
            points = [piece.extremes @ linear.T + offset for piece in pieces]
            bounds = np.concatenate([bounds, *points])
            bounds = bounds[(np.abs(bounds) < BEYOND).all(axis=1)]
        return Thing(geom, linear, offset, bounds, fixed, boxed)

    def pieces(self, geom: Geom) -> tuple[Piece, ...]:
        """Return the pieces of a geom; none, with a note, where a file is missing or cannot be read."""
        shape = geom.shape
        key: object = shape
        if isinstance(shape, Mesh):
            asset = self.scene.assets.get(shape.asset)
            place = (asset.file, inside.key(asset)) if asset is not None and asset.file is not None else None
            key = (place, shape.submesh, shape.centred)
        if key in self._held:
            return self._held[key]
        made = self._of_mesh(shape, geom) if isinstance(shape, Mesh) else self._of_shape(shape)
        self._faces += sum(len(piece.faces) for piece in made)
        if self._faces <= HELD or not made:
            self._held[key] = made
        return made

    def look(self, geom: Geom, piece: Piece) -> Look:
        return self.looks.of(geom, piece.material, piece.uvs is not None, piece.tints is not None)

    def _of_shape(self, shape: Shape | None) -> tuple[Piece, ...]:
        assert shape is not None
        heights = self._heights(shape) if isinstance(shape, HeightField) else None
        surface = tessellate(shape, self._density, heights)
        if not len(surface.faces) or not np.isfinite(surface.vertices).all():
            return ()
        uvs = None if surface.uvs is None else surface.uvs[surface.faces]
        normals = surface.normals[surface.faces]
        return (Piece(surface.vertices, surface.faces, normals, uvs, None, _extremes(surface.vertices)),)

    def _of_mesh(self, shape: Mesh, geom: Geom) -> tuple[Piece, ...]:
        asset = self.scene.assets.get(shape.asset)
        if asset is None or asset.file is None:
            self._missing(geom, asset, asset.rule if asset is not None else "", shape.asset)
            return ()
        try:
            content = inside.mesh(asset)
        except InputError as error:
            self._missing(geom, asset, error.message, shape.asset)
            return ()
        if UP in content.lost and shape.asset not in self._said:
            self._said.add(shape.asset)
            notes = [note for note in inside.untold(asset, content) if UP in note.reason]
            self.context.notes += notes
        return tuple(_piece(part) for part in submesh_of(content.parts, shape.submesh, shape.centred))

    def _tell_shapeless(self, wanted: Iterable[tuple[str, Geom]]) -> None:
        """Note the geoms with a shape that is not known here, such as that of a plugin; <empty/> is none."""
        for name, geom in wanted:
            unknown = [extra for extra in geom.extras if not extra.text.startswith(EMPTY)]
            if geom.shape is None and unknown:
                reason, where = "nothing is drawn for it: its shape is not known", f"body/{name}.geoms.{geom.name}"
                self.context.note("picture/not-drawn", where, reason, geom.source, before=geom.name, action="dropped")

    def _missing(self, geom: Geom, asset: Asset | None, reason: str, name: str) -> None:
        if name in self._said:
            return
        self._said.add(name)
        self.context.note(
            "picture/not-drawn",
            f"asset/{name}",
            f"nothing is drawn for it: {reason or 'it has no file of its own'}",
            (asset.source if asset is not None else None) or geom.source,
            before=asset.uri if asset is not None else name,
            action="dropped",
        )

    def _heights(self, shape: HeightField) -> Floats | None:
        """Return the grid of a height field in [0, 1]; None, with a note, where there is none."""
        try:
            return heights(self.scene.assets.get(shape.asset))
        except InputError as error:
            reason = f"it is drawn flat: {error.message}"
            self.context.note("picture/not-drawn", f"asset/{shape.asset}", reason, action="dropped", severity="note")
            return None


def framing(things: Iterable[Thing]) -> Floats:
    """Return the points (n, 3) that the picture must show: of what moves, and of what is not much larger."""
    some = [thing for thing in things if len(thing.bounds)]
    moving = [thing.bounds for thing in some if not thing.fixed]
    if moving:
        size = _size(np.concatenate(moving))
        some = [thing for thing in some if not thing.fixed or _size(thing.bounds) <= SURROUNDINGS * size]
    return np.concatenate([np.zeros((0, 3)), *[thing.bounds for thing in some]])


def _size(points: Floats) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _piece(part: MeshPart) -> Piece:
    normals = uvs = tints = None
    if part.normals is not None and part.normal_faces is not None:
        normals = part.normals[part.normal_faces]
    if part.uvs is not None and part.uv_faces is not None:
        uvs = part.uvs[part.uv_faces][..., :2]
    if part.colours is not None and part.colour_faces is not None:
        tints = part.colours[part.colour_faces][..., :3]
    return Piece(part.vertices, part.faces, normals, uvs, part.material, _extremes(part.vertices), tints)


def box(piece: Piece) -> Piece:
    """Return the bounding box of a piece, with the same material."""
    low, high = column_bounds(piece.vertices)
    x, y, z = (high - low).tolist()
    surface = tessellate(Box(size=(x, y, z)), 0)
    vertices = surface.vertices + (low + high) / 2
    return Piece(vertices, surface.faces, surface.normals[surface.faces], None, piece.material, vertices)


def _extremes(vertices: Floats) -> Floats:
    """Return the farthest vertices in 26 directions."""
    if not len(vertices):
        return vertices
    found: Floats = vertices[np.unique([np.argmax(vertices @ way) for way in _WAYS])]  # one by one, to save memory
    return found
