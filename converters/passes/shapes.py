"""Shapes in the form of a target: planes with normal z, sizes that can be halved, boxes and meshes for missing ones."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cached_property

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from ir.mapping import added, map_bodies, map_geoms
from ir.names import Spares
from ir.pose import compose, from_z_to, multiply
from ir.scene import Scene
from ir.types import UP, Asset, Body, Box, Capsule, Cylinder, Geom, Mesh, Plane, Pose, Role, Shape

THICK, WIDE = 0.001, 100.0
"""Metres: thickness of a box that replaces a plane, and its sides if the plane is infinite."""


def _upright(geom: Geom) -> Geom:
    """A plane with another normal gets the normal z and is rotated."""
    if not isinstance(geom.shape, Plane) or geom.shape.normal == UP:
        return geom
    rot = multiply(geom.pose.rot, from_z_to(geom.shape.normal))
    return replace(geom, shape=replace(geom.shape, normal=UP), pose=Pose(geom.pose.pos, rot))


UPRIGHT = Pass(
    rule="shapes/plane",
    reason="the normal of a plane is its z axis in the target: the plane is rotated",
    severity="note",
    wanted=lambda target: not target.fits.plane_normals,
    apply=lambda scene, _: map_geoms(scene, _upright),
    each=True,
)


def _halved(geom: Geom) -> Geom:
    """Sizes whose half is a double: of the smallest (subnormal) numbers only every second one is."""
    shape = _even(geom.shape)
    return geom if shape is geom.shape else replace(geom, shape=shape)


def _even(shape: Shape | None) -> Shape | None:
    match shape:
        case Box(size=size) if any(value / 2 * 2 != value for value in size):
            return Box(size=(size[0] / 2 * 2, size[1] / 2 * 2, size[2] / 2 * 2))
        case Cylinder(length=length) | Capsule(length=length) if length / 2 * 2 != length:
            return replace(shape, length=length / 2 * 2)
    return shape


HALVES = Pass(
    rule="shapes/half",
    reason="the target has half sizes, and the smallest of all numbers cannot be halved",
    severity="note",
    wanted=lambda target: target.fits.half_sizes,
    apply=lambda scene, _: map_geoms(scene, _halved),
)


def _slab(geom: Geom) -> Geom:
    """A thin box whose upper side is the plane."""
    if not isinstance(geom.shape, Plane):
        return geom
    size = (geom.shape.size[0] or WIDE, geom.shape.size[1] or WIDE, THICK)
    below = compose(Pose(rot=from_z_to(geom.shape.normal)), Pose((0.0, 0.0, -THICK / 2)))
    return replace(geom, shape=Box(size=size), pose=compose(geom.pose, below))


SLABS = Pass(
    rule="shapes/slab",
    reason="the target has no planes: a box 1 mm thick replaces it, 100 m wide where the plane is infinite",
    wanted=lambda target: not target.fits.planes,
    apply=lambda scene, _: map_geoms(scene, _slab),
    each=True,
)


def _meshed(scene: Scene, target: Target) -> Scene:
    """Meshes for shapes that the target lacks: the first of several is the geom itself, the others are added."""
    making = _MadeAssets(scene, target.fits)
    changed = {body.name: geoms for body in scene.bodies.values() if (geoms := making.geoms(body)) is not None}

    def meshed(body: Body) -> Body:
        return replace(body, geoms=changed[body.name]) if body.name in changed else body

    return added(map_bodies(scene, meshed), "asset", making.assets.values())


class _MadeAssets:
    """Assets that are made, by content, the names of all assets, and those of all geoms."""

    def __init__(self, scene: Scene, fits: Fits) -> None:
        assert fits.meshed is not None
        self.scene = scene
        self.meshed = fits.meshed
        self.assets: dict[bytes, Asset] = {}
        self.names = Spares(scene.assets)

    def geoms(self, body: Body) -> tuple[Geom, ...] | None:
        """The geoms of a body with shapes replaced by meshes; None if there are none."""
        geoms = [part for geom in body.geoms for part in self._parts(geom)]
        same = len(geoms) == len(body.geoms) and all(map(operator.is_, geoms, body.geoms))
        return None if same else tuple(geoms)

    def _parts(self, geom: Geom) -> Iterator[Geom]:
        pieces = self.meshed(geom.shape, geom.collides) if geom.shape is not None else ()
        if not pieces:
            yield geom
        for number, (name, content, scale) in enumerate(pieces):
            shape = Mesh(asset=self._asset(geom, name, content), scale=scale)
            yield replace(geom, shape=shape) if number == 0 else self._beside(geom, shape)

    def _beside(self, geom: Geom, shape: Mesh) -> Geom:
        name = self._spares.of(f"{geom.name}_part")
        return replace(geom, name=name, label=None, shape=shape, mass=None, extras=())

    @cached_property
    def _spares(self) -> Spares:
        return Spares(each.name for each in self.scene.geoms())

    def _asset(self, geom: Geom, name: str, content: bytes) -> str:
        if content not in self.assets:
            name = self.names.of(name)
            self.assets[content] = Asset(name=name, uri="", file=name, made=content, source=geom.source)
        return self.assets[content].name


MESHES = Pass(
    rule="shapes/mesh",
    reason="the target has no such shape: a mesh replaces it, cut into convex pieces if possible where only "
    "convex hulls collide",
    wanted=lambda target: target.fits.meshed is not None,
    apply=_meshed,
)


def _wrapped(scene: Scene, target: Target) -> Scene:
    """A mesh of one part for each mesh whose convex hull collides, and whose file has several parts."""
    joined, names = target.fits.joined, Spares(scene.assets)
    assert joined is not None
    made: dict[str, Asset | None] = {}

    def whole(geom: Geom) -> Geom:
        shape = geom.shape
        if geom.role != Role.COLLISION or not isinstance(shape, Mesh) or not shape.hull or shape.submesh is not None:
            return geom
        if shape.asset not in made:
            asset = scene.assets[shape.asset]
            content = joined(asset)
            name = names.of(f"{asset.name}_hull") if content else ""
            single = Asset(name=name, uri="", file=name, made=content, source=asset.source) if content else None
            made[shape.asset] = single
        single = made[shape.asset]
        return geom if single is None else replace(geom, shape=replace(shape, asset=single.name))

    return added(map_geoms(scene, whole), "asset", filter(None, made.values()))


HULLS = Pass(
    rule="shapes/hull",
    reason="in the target the convex hull of each part of a mesh file collides, in the source one hull of all "
    "parts: a mesh of one part replaces it",
    severity="note",
    wanted=lambda target: target.fits.joined is not None,
    apply=_wrapped,
)
