"""Volumes and extents of links. Each mesh file is opened once, and only its measurements are kept."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from converters.context import InputError
from ir.arrays import Floats
from ir.inertia import combine, of_mesh, of_shape
from ir.pose import compose, rotate
from ir.scene import Scene
from ir.types import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, Geom, Inertial, Mesh, Role, Shape, Sphere, Vec3


class MeshFacts(Struct, frozen=True, kw_only=True):
    """Measurements of a mesh file, in metres of the file. error: why there are none."""

    faces: int = 0
    low: Vec3 = (0.0, 0.0, 0.0)
    high: Vec3 = (0.0, 0.0, 0.0)
    error: str = ""


class Solid(Struct, frozen=True, kw_only=True):
    """Solid of a link. unit: its inertia at 1 kg/m^3 in the frame of the body (None: open, or no shape)."""

    unit: Inertial | None
    radius: float
    """Distance from the centre of its bounding box to a corner; 0 if unknown."""


class Solids:
    """Measurements of the assets of a scene, computed on demand."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._facts: dict[str, MeshFacts] = {}
        self._units: dict[tuple[str, Vec3], Inertial | None] = {}

    def facts(self, name: str) -> MeshFacts:
        """Return the measurements of a mesh asset; those of a missing one are empty."""
        if name not in self._facts:
            self._open(name, (1.0, 1.0, 1.0))
        return self._facts[name]

    def unit(self, name: str, scale: Vec3) -> Inertial | None:
        """Return the inertia at 1 kg/m^3 of a closed mesh; None for an open one."""
        if (name, scale) not in self._units:
            self._open(name, scale)
        return self._units[name, scale]

    def _open(self, name: str, scale: Vec3) -> None:
        from converters.assets.inside import mesh

        asset = self.scene.assets.get(name)
        facts, unit = MeshFacts(), None
        if asset is not None and (asset.file or asset.made):
            try:
                parts = [part for part in mesh(asset).parts if len(part.faces)]
            except InputError as error:
                facts = MeshFacts(error=error.message)
            else:
                facts = _measured([part.vertices for part in parts], sum(len(part.faces) for part in parts))
                found = [of_mesh(part.vertices, part.faces, scale, 1.0) for part in parts]
                whole = [each for each in found if each is not None]
                unit = combine(whole) if whole and len(whole) == len(found) else None
        self._facts.setdefault(name, facts)
        self._units[name, scale] = unit

    def solid(self, body: Body) -> Solid:
        """Return the solid of a body's colliding geoms, else of its visible ones."""
        for roles in (Role.COLLIDING, Role.SEEN):
            geoms = [geom for geom in body.geoms if geom.role in roles and geom.shape is not None]
            if geoms:
                units = [self._placed(geom) for geom in geoms]
                known = [unit for unit in units if unit is not None]
                whole = combine(known) if len(known) == len(units) else None
                return Solid(unit=whole, radius=self._radius(geoms))
        return Solid(unit=None, radius=0.0)

    def _placed(self, geom: Geom) -> Inertial | None:
        assert geom.shape is not None
        shape = geom.shape
        unit = self.unit(shape.asset, shape.scale) if isinstance(shape, Mesh) else of_shape(shape, 1.0)
        return None if unit is None else replace(unit, pose=compose(geom.pose, unit.pose))

    def _radius(self, geoms: list[Geom]) -> float:
        corners = [corner for geom in geoms for corner in self.corners(geom)]
        if not corners:
            return 0.0
        return math.dist(*(tuple(edge(column) for column in zip(*corners, strict=True)) for edge in (min, max))) / 2

    def corners(self, geom: Geom) -> list[Vec3]:
        """Return the corners of a geom's bounding box, in the frame of its body; none where its extent is unknown."""
        box = self._box(geom.shape)
        if box is None:
            return []
        low, high = box
        found = []
        for index in range(8):
            point = tuple((high if index >> axis & 1 else low)[axis] for axis in range(3))
            x, y, z = rotate(geom.pose.rot, (point[0], point[1], point[2]))
            found.append((x + geom.pose.pos[0], y + geom.pose.pos[1], z + geom.pose.pos[2]))
        return found

    def _box(self, shape: Shape | None) -> tuple[Vec3, Vec3] | None:
        if isinstance(shape, Mesh):
            facts = self.facts(shape.asset)
            if not facts.faces:
                return None
            pairs = [
                sorted((low * scale, high * scale))
                for low, high, scale in zip(facts.low, facts.high, shape.scale, strict=True)
            ]
            (a, d), (b, e), (c, f) = pairs
            return (a, b, c), (d, e, f)
        half = half_extents(shape)
        return None if half is None else ((-half[0], -half[1], -half[2]), half)


def half_extents(shape: Shape | None) -> Vec3 | None:
    """Return the half extents of a shape centred in its frame; None for planes, meshes and the like."""
    match shape:
        case Box(size=(x, y, z)):
            return (x / 2, y / 2, z / 2)
        case Sphere(radius=r):
            return (r, r, r)
        case Cylinder(radius=r, length=h) | Cone(radius=r, length=h):
            return (r, r, h / 2)
        case Capsule(radius=r, length=h):
            return (r, r, h / 2 + r)
        case Ellipsoid(radii=radii):
            return radii
    return None


def _measured(clouds: list[Floats], faces: int) -> MeshFacts:
    if not clouds:
        return MeshFacts(error="it holds no faces")
    low = [min(float(cloud[:, axis].min()) for cloud in clouds) for axis in range(3)]
    high = [max(float(cloud[:, axis].max()) for cloud in clouds) for axis in range(3)]
    return MeshFacts(faces=faces, low=(low[0], low[1], low[2]), high=(high[0], high[1], high[2]))
