"""Mesh assets as MuJoCo sees them: rotated and shifted by the asset, scaled by the geom, in single precision."""

from __future__ import annotations

from math import inf

from converters.format import Load
from converters.mjcf.assets import geometry
from converters.mjcf.document.extras import said_by
from converters.source.text import so_many_numbers
from ir.arrays import Floats, Ints, np
from ir.pose import matrix, normalise
from ir.scene import Scene
from ir.types import Asset, Mesh, Quat, Vec3

UNTURNED: Quat = (1.0, 0.0, 0.0, 0.0)


class MeshGeometry:
    """Geometry of mesh assets as MuJoCo sees it: rotated and shifted by the asset, scaled. Each file is opened once."""

    def __init__(self, scene: Scene, load: Load) -> None:
        self.scene = scene
        self.load = load
        self.found: dict[tuple[str, Vec3], tuple[Floats, Ints] | None] = {}
        self.bare: dict[str, Floats | None] = {}
        self.cut: set[str] = set()
        """Names of the assets read so far whose hull has more vertices than MuJoCo may use (maxhullvert)."""

    def of(self, mesh: Mesh) -> tuple[Floats, Ints] | None:
        """Corners (n, 3) in metres, in the frame of the geom, and faces (m, 3) of a mesh; None where nobody can read
        it."""
        key = (mesh.asset, mesh.scale)
        if key not in self.found:
            self.found[key] = self._triangles_at_scale(self.scene.assets[mesh.asset], mesh.scale)
        return self.found[key]

    def _triangles_at_scale(self, asset: Asset, scale: Vec3) -> tuple[Floats, Ints] | None:
        raw = self.raw(asset)
        if raw is None:
            return None
        points, faces = raw
        shift, turn = reference_pose(asset)
        moved = points - np.array(shift)
        if turn != UNTURNED:
            moved = moved @ matrix(turn)
        moved = moved * np.array(scale)
        if scale[0] * scale[1] * scale[2] < 0:
            faces = faces[:, ::-1]
        if inertia_mode(asset) == "convex" or not len(faces):
            from ir.hull import hull

            faces = hull(moved)
            if faces.size and len(np.unique(faces)) > _hull_limit(asset):
                self.cut.add(asset.name)
        return (moved, faces) if len(faces) else None

    def limited(self, asset: Asset) -> bool:
        """Whether the hull of an asset is used for more than collisions, and its vertices are limited (maxhullvert)."""
        if _hull_limit(asset) == inf:
            return False
        return inertia_mode(asset) == "convex" or not asset.uri or self.corners(asset) is not None

    def raw(self, asset: Asset) -> tuple[Floats, Ints] | None:
        """Return the geometry of the file or document in single precision, as MuJoCo; no faces if the hull is meant."""
        bare = self.corners(asset)
        own = geometry.inline(said_by(asset.extras)) if not asset.uri else None
        own = own if bare is None else (bare, np.zeros((0, 3), np.int64))
        parts = [own] if own is not None else list(self.load(asset))
        if not parts:
            return None
        starts = np.cumsum([0, *(len(points) for points, _ in parts)])
        with np.errstate(over="ignore"):
            points = np.concatenate([points for points, _ in parts]).astype(np.float32).astype(np.float64)
        if not np.isfinite(points).all():
            return None
        if own is None:
            starts = starts[: geometry.parts_of_first_object(asset, len(parts))]
        faces = np.concatenate([faces + start for (_, faces), start in zip(parts, starts, strict=False)])
        return points, faces

    def corners(self, asset: Asset) -> Floats | None:
        """Points (n, 3) in metres of a file without faces; None for any other."""
        if asset.name not in self.bare:
            self.bare[asset.name] = geometry.corners(asset.file) if asset.uri else None
        return self.bare[asset.name]


def reference_pose(asset: Asset) -> tuple[Vec3, Quat]:
    """Return the translation that the asset removes from its mesh, and then the rotation (refpos, refquat)."""
    said = dict(asset.parameters)
    x, y, z = so_many_numbers(said.get("refpos"), 3) or (0.0, 0.0, 0.0)
    quat = so_many_numbers(said.get("refquat"), 4)
    try:
        return (x, y, z), normalise((quat[0], quat[1], quat[2], quat[3])) if quat else UNTURNED
    except ValueError:
        return (x, y, z), UNTURNED


def _hull_limit(asset: Asset) -> float:
    """Return the maximum number of vertices of the hull of a mesh (maxhullvert), infinity if not limited."""
    (most,) = so_many_numbers(said_by(asset.extras).get("maxhullvert"), 1) or (-1.0,)
    return most if most > 0 else inf


def inertia_mode(asset: Asset) -> str:
    """Return how the inertia of the mesh is computed: the attribute inertia; a mesh without a volume is a shell."""
    said = dict(asset.parameters).get("inertia", "legacy")
    if asset.uri or said not in ("legacy", "exact", "convex"):
        return said
    words = said_by(asset.extras)
    whatever = words.get("builtin") == "plate"  # MuJoCo ignores the attribute for a plate (measured)
    return "shell" if whatever or (said == "legacy" and geometry.is_shell(words)) else said


def is_skewed(asset: Asset, scale: Vec3) -> bool:
    """Whether a mesh is rotated before a non-uniform scale, which no pose of a geom can express."""
    return reference_pose(asset)[1] != UNTURNED and not scale[0] == scale[1] == scale[2]
