"""Triangles of a document of ours, as any program draws them, compared with those read of mesh files, and with shapes.
Of a large mesh, a sample is checked (converters.assets.meshes.sampled)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from converters.assets.meshes.sampled import TOGETHER, places, sums
from converters.assets.surfaces import STEP, in_frame, on_surface
from converters.context import Sample, SampledCorners
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.colours import linear_array
from converters.gltf.data.extensions import DRACO
from converters.source.json import JsonObject
from ir.arrays import Array, np
from ir.pose import matrix
from ir.types import IDENTITY, ONES, Geom, Plane, Pose, Vec3

NEAR = 1e-6
"""Tolerance for equal positions, as a share of the largest coordinate: a few steps of single precision."""
ROUNDED, TURNED = 1e-5, 1e-3
"""Tolerances for numbers between 0 and 1, and for normals, which Draco and 16 bits rotate slightly."""
SHORT = 1e-6
"""Length below which a normal has no direction."""
UNPACKED, LITTLE, FEW = 0.02, 1 << 14, 12
"""Share of the Draco bytes that is unpacked and checked, bytes that always are, and the maximum number of primitives:
together, these take a tenth of the time of the rest."""
COARSE = 1e-4
"""Tolerance for Draco's rounding, as a share of the range of the texture coordinates."""
CORNERS = 9
"""Number of vertices to look up in an unpacked mesh, whose vertices are in a different order than in the file."""
POSITION, NORMAL, UVS, COLOURS = "POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"


class Placement(NamedTuple):
    """Pose and scale of a mesh on its body."""

    pose: Pose
    scale: Vec3

    def of(self, points: Array) -> Array:
        """Transform points (…, 3) of the mesh to the body."""
        return points if self is AS_IT_IS else points * self.scale @ matrix(self.pose.rot).T + self.pose.pos

    def sums(self, found: Array) -> Array:
        """Transform sums of mesh points with their weights (sampled.sums) to sums (b, 3) of points on the body."""
        if self is AS_IT_IS:
            return found[:, :3]
        return found[:, :3] * self.scale @ matrix(self.pose.rot).T + found[:, 3:] * self.pose.pos


AS_IT_IS = Placement(IDENTITY, ONES)
"""Replaces two equal placements, which makes transforming points unnecessary."""


class Piece(NamedTuple):
    """A primitive: faces (m, 3), and the tables of its attributes as stored. packed: from Draco, in an order of its
    own; between: the bounds of its positions, if it was not unpacked."""

    faces: Array
    tables: Mapping[str, Array]
    packed: bool = False
    between: tuple[Sequence[float], Sequence[float]] | None = None

    def rows(self, name: str, some: Any) -> Array | None:
        """Return rows of a table, integers as fractions of their maximum (3.6.2.2)."""
        table = self.tables.get(name)
        return None if table is None else fractions(table[some])


def fractions(values: Array) -> Array:
    """Stored numbers, of any shape, as what they stand for: of integers fractions (3.6.2.2)."""
    found = values.astype(np.float64)
    return found if values.dtype.kind == "f" else found / np.iinfo(values.dtype).max


class Drawing(Struct):
    """The meshes of a document that was just written."""

    root: JsonObject
    accessors: Accessors
    _pieces: dict[int, list[Piece]] = field(default_factory=dict)
    _unpacked: set[int] | None = None

    def pieces(self, mesh: int) -> list[Piece]:
        """Return the primitives of a mesh as stored in the file; empty if their arrays are invalid."""
        if mesh not in self._pieces:
            try:
                found = [_checked(self._piece(each)) for each in self.root.members["meshes"][mesh]["primitives"]]
            except (IndexError, KeyError, TypeError, ValueError):
                found = []
            self._pieces[mesh] = found
        return self._pieces[mesh]

    def _piece(self, said: Mapping[str, Any]) -> Piece:
        array, packed = self.accessors.written, said.get("extensions", {}).get(DRACO)
        if packed is None:
            tables = {name: array(number) for name, number in said["attributes"].items()}
            return Piece(array(said["indices"]).reshape(-1, 3), tables)
        if packed["bufferView"] in self._chosen():
            return self._unpack(packed)
        known = self.root.members["accessors"]
        place = known[said["attributes"][POSITION]]
        faces = np.zeros((known[said["indices"]]["count"] // 3, 0))
        return Piece(faces, {}, packed=True, between=(place["min"], place["max"]))

    def _unpack(self, packed: Mapping[str, Any]) -> Piece:
        import DracoPy

        content = DracoPy.decode(bytes(self.accessors.view(packed["bufferView"])))
        known = {int(each["unique_id"]): np.asarray(each["data"]) for each in content.attributes}
        tables = {name: known[number] for name, number in packed["attributes"].items()}
        return Piece(np.asarray(content.faces).reshape(-1, 3), tables, packed=True)

    def _chosen(self) -> set[int]:
        """Return the views of Draco data to be unpacked: the smallest ones."""
        if self._unpacked is None:
            said = (one for mesh in self.root.members["meshes"] for one in mesh["primitives"])
            views = {one["extensions"][DRACO]["bufferView"] for one in said if DRACO in one.get("extensions", {})}
            sizes = sorted((self.root.members["bufferViews"][view]["byteLength"], view) for view in views)
            sums = np.cumsum([size for size, _ in sizes])
            many = max(int(np.searchsorted(sums, max(UNPACKED * sums[-1], LITTLE), side="right")), 1)
            many = min(many, FEW)
            self._unpacked = {view for _, view in sizes[:many]}
        return self._unpacked


def _checked(piece: Piece) -> Piece:
    """Return the piece. Raises ValueError if its tables do not fit together."""
    points = piece.tables.get(POSITION)
    if piece.between is None and (
        points is None
        or points.shape[1] != len("xyz")
        or piece.faces.dtype.kind not in "iu"
        or any(len(table) != len(points) for table in piece.tables.values())
    ):
        raise ValueError("no triangles")
    return piece


# ------------------------------------------------------------------------------------------------------- mesh files


def mesh_fault(
    pieces: Sequence[Piece], here: Placement, there: Placement, samples: Sequence[Sample], closely: bool
) -> str:
    """Return what differs between a mesh, placed here, and a mesh file, placed there: "triangles", "normals", "uvs" or
    "colours"; "" if nothing. closely: whether to check more than vertices."""
    if [len(piece.faces) for piece in pieces if not piece.packed] != [
        sample.triangles for piece, sample in zip(pieces, samples, strict=False) if not piece.packed
    ] or len(pieces) != len(samples):
        return "triangles"
    for piece, sample in zip(pieces, samples, strict=True):
        odd = (_packed_fault if piece.packed else _plain_fault)(piece, here, there, sample, closely)
        if odd:
            return odd
    return ""


def _plain_fault(piece: Piece, here: Placement, there: Placement, sample: Sample, closely: bool) -> str:
    some, points, known = piece.faces[places(sample.triangles)], piece.tables[POSITION], corners_of(sample)
    if some.max() >= len(points):
        return "triangles"
    ours, theirs = here.of(fractions(points[some])), there.of(known.corners)
    away = ours - theirs
    if points.dtype.kind != "f":  # quantisation steps are along the axes of the mesh
        away = away @ matrix(here.pose.rot)
    near = _tolerance(points, here, there, theirs)
    if np.abs(away).max() > near or piece.faces.max() >= len(points):
        return "triangles"
    ours, theirs = here.sums(sums(fractions(points), piece.faces)), there.sums(known.sums)
    if (np.abs(ours - theirs) > TOGETHER * near).any():
        return "triangles"
    if not closely:
        return ""
    normals, uvs, wanted = piece.rows(NORMAL, some), piece.rows(UVS, some), _uvs_from_above(known)
    if known.normals is not None and (normals is None or not _same_directions(normals, known.normals)):
        return "normals"
    if (uvs is None) != (wanted is None) or (uvs is not None and wanted is not None and not _same_rows(uvs, wanted)):
        return "uvs"
    colours, tints = piece.rows(COLOURS, some), known.colours
    if colours is not None and (
        tints is None or not _same_rows(colours, linear_array(tints)[..., : colours.shape[-1]])
    ):
        return "colours"
    return ""


def _packed_fault(piece: Piece, here: Placement, there: Placement, sample: Sample, closely: bool) -> str:
    """As _plain_fault. Draco stores vertices in steps and in an order of its own, and leaves out faces without area."""
    known = corners_of(sample)
    corners, faces = known.corners.reshape(-1, 3)[:CORNERS], len(piece.faces)
    theirs = there.of(corners)
    if piece.between is not None:
        low, high = (here.of(np.array(each)) for each in piece.between)
        low, high = np.minimum(low, high), np.maximum(low, high)
        near = 2 * STEP * max(float((high - low).max()), NEAR * known.reach)
        inside = (low - near <= theirs).all() and (theirs <= high + near).all()
        return "" if (inside or here is not AS_IT_IS) and 0 < faces <= sample.triangles else "triangles"
    points = piece.tables[POSITION]
    ours, near = here.of(points.astype(np.float64)), STEP * float(np.ptp(points, axis=0).max()) * max(here.scale)
    met = [(np.abs(ours - corner) <= near + NEAR * known.reach).all(axis=1) for corner in theirs]
    if not (0 < faces <= sample.triangles and all(each.any() for each in met)):
        return "triangles"
    sides = np.abs(known.corners - np.roll(known.corners, 1, axis=1)).max(axis=2).min(axis=1)
    left = np.repeat(sides > 2 * near / min(there.scale), 3)[:CORNERS]
    rows = ((NORMAL, "normals", known.normals), (UVS, "uvs", _uvs_from_above(known))) if closely else ()
    for name, row, wanted in rows:
        table = piece.tables.get(name)
        if wanted is None or table is None:
            continue
        like, far = (_same_directions, TURNED) if name == NORMAL else (_same_rows, COARSE * float(np.ptp(table)))
        flat = wanted.reshape(-1, wanted.shape[-1])[:CORNERS]
        pairs = zip(flat[left], (at for at, stays in zip(met, left, strict=True) if stays), strict=True)
        if not all(any(like(one, each, far) for one in table[at]) for each, at in pairs):
            return row
    return _winding_fault(piece.faces, met)


def _winding_fault(faces: Array, met: Sequence[Array]) -> str:
    """Return "triangles" if a triangle exists in reverse winding only; met are the matches of successive corners."""
    for first, second, third in zip(met[::3], met[1::3], met[2::3], strict=False):
        one, two, three = first[faces], second[faces], third[faces]
        there = (one & np.roll(two, -1, axis=1) & np.roll(three, -2, axis=1)).any()
        back = (one & np.roll(three, -1, axis=1) & np.roll(two, -2, axis=1)).any()
        if back and not there:
            return "triangles"
    return ""


def _tolerance(points: Array, here: Placement, there: Placement, theirs: Array) -> float:
    """Return the tolerance for vertices relative to the file: half a step if they are quantised."""
    near = NEAR * float(np.abs(theirs).max() + max(map(abs, there.pose.pos)))
    return near + (0.501 * STEP * max(map(abs, here.scale)) if points.dtype.kind == "i" else 0.0)


def _same_rows(found: Array, wanted: Array, share: float = ROUNDED) -> bool:
    """Whether rows are equal, except those where NaN is expected."""
    if found.shape != wanted.shape:
        return False
    return not (np.abs(found - wanted) > share * np.maximum(1.0, np.abs(wanted))).any()


def _same_directions(found: Array, normals: Array, share: float = TURNED) -> bool:
    """Whether rows are these normals, scaled to unit length; normals without a usable length are ignored."""
    length = np.sqrt((normals * normals).sum(axis=-1, keepdims=True))
    return not (np.abs(found * length - normals) > share * length + SHORT).any()


def corners_of(sample: Sample) -> SampledCorners:
    assert sample.corners is not None, "an audit records corners (convert)"
    return sample.corners


def _uvs_from_above(known: SampledCorners) -> Array | None:
    """Return texture coordinates with v from the upper edge of the image (3.8.3); NaN where they are not finite."""
    if known.uvs is None:
        return None
    found = known.uvs[..., :2] * (1.0, -1.0) + (0.0, 1.0)
    return np.where(np.isfinite(found), found, np.nan)


# ------------------------------------------------------------------------------------------------------------ shapes


def lies_on_shape(geom: Geom, here: Placement, pieces: Sequence[Piece]) -> bool:
    """Whether all vertices of a mesh, placed here, lie on the surface of a shape, on every side of its centre."""
    for piece in pieces:
        if piece.between is not None:
            continue
        if len(piece.faces) == 0 or piece.faces.max() >= len(piece.tables[POSITION]):
            return False
        points = in_frame(geom.pose, fractions(piece.tables[POSITION]) * here.scale, here.pose)
        if not (
            _lies_on_plane(geom.shape, points, piece) if isinstance(geom.shape, Plane) else on_surface(geom, points)
        ):
            return False
    return len(pieces) > 0


def is_closed(pieces: Sequence[Piece]) -> bool:
    """Whether the triangles of a mesh enclose its origin and face away from it, with their normals and images. Their
    size does not matter."""
    for piece in pieces:
        if piece.between is not None:
            continue
        points = fractions(piece.tables[POSITION])
        corners = points[piece.faces]
        areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        open_ = np.abs(areas.sum(axis=0)).max() > 4 * STEP * np.abs(areas).sum()
        if open_ or np.einsum("ij,ij->i", areas, corners[:, 0]).min() < -STEP:
            return False
        normals, uvs = piece.rows(NORMAL, slice(None)), piece.rows(UVS, slice(None))
        if normals is not None and np.einsum("ij,ij->i", normals, points).min() < -TURNED:
            return False
        if uvs is not None and not _is_unmirrored(uvs[piece.faces]):
            return False
    return True


def _lies_on_plane(plane: Plane, points: Array, piece: Piece) -> bool:
    """Whether points (n, 3) in the frame of a plane lie on it and cover its extent, and what is shown faces along its
    normal."""
    across = np.array(plane.normal) / (np.linalg.norm(plane.normal) or 1.0)
    reach, corners = float(np.abs(points).max()), points[piece.faces]
    sides = np.ptp(points, axis=0)
    ends = [abs(size) for size in plane.size if size]
    near = max(1e-3, 4 * STEP * reach / min(ends, default=reach))  # --compress quantises by the longest extent
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) @ across / 2
    normals, uvs = piece.rows(NORMAL, slice(None)), piece.rows(UVS, slice(None))
    return bool(
        np.abs(points @ across).max() <= 4 * STEP * reach
        and area.min() > 0.0
        and (len(ends) < 2 or abs(area.sum() - ends[0] * ends[1]) <= near * ends[0] * ends[1])
        and all(np.linalg.norm(sides) >= size * (1.0 - near) for size in ends)
        and (normals is None or (normals @ across).min() >= 1.0 - TURNED)
        and (uvs is None or _is_unmirrored(uvs[piece.faces]))
    )


def _is_unmirrored(uvs: Array) -> bool:
    """Whether an image is complete and not mirrored on triangles (m, 3, 2) seen from outside: v grows downwards, so
    their winding is reversed in the image."""
    if uvs.min() > ROUNDED or np.abs(uvs.max(axis=(0, 1)) - 1.0).max() > ROUNDED:
        return False
    one, other = uvs[:, 1] - uvs[:, 0], uvs[:, 2] - uvs[:, 0]
    areas = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return bool(areas.max() <= ROUNDED and areas.min() < -ROUNDED)
