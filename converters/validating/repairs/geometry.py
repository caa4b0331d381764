"""Shapes and roles of geoms."""

from __future__ import annotations

import math

from msgspec.structs import replace

from converters.assets.solids import capsule_parts, obj, solid
from converters.passes.shapes import SLABS
from converters.validating.repairs.job import RepairJob
from ir.bounds import lengths
from ir.mapping import added, map_bodies, map_geoms
from ir.names import Spares, unique
from ir.scene import Scene
from ir.types import WORLD, Asset, Body, Capsule, Geom, Mesh, Role


def solid_geoms(scene: Scene, job: RepairJob) -> Scene:
    """Remove geoms without a shape or a positive size."""

    def kept(geom: Geom) -> bool:
        return geom.shape is not None and all(math.isfinite(size) and size > 0.0 for size in lengths(geom.shape))

    return map_bodies(
        scene, lambda body: body if all(map(kept, body.geoms)) else replace(body, geoms=tuple(filter(kept, body.geoms)))
    )


def known_shapes(scene: Scene, job: RepairJob) -> Scene:
    """Replace a plane by a thin box, a cone or an ellipsoid by a mesh."""
    taken, made = set(scene.assets), dict[str, Asset]()

    def plain(geom: Geom) -> Geom:
        found = solid(geom.shape)
        if found is None or geom.role not in (Role.VISUAL, Role.COLLISION):
            return geom
        name, scale = found
        if name not in made:
            file = geom.source.file if geom.source is not None else name
            made[name] = Asset(name=unique(name, taken), uri="", made=obj(name), file=file)
        return replace(geom, shape=Mesh(asset=made[name].name, scale=scale))

    scene = SLABS.apply(scene, job.target)
    return added(map_geoms(scene, plain), "asset", made.values())


def no_capsules(scene: Scene, job: RepairJob) -> Scene:
    """Replace a capsule by a cylinder and two spheres, where the URDF version has no capsules."""

    def parts(geom: Geom) -> list[Geom]:
        if not isinstance(geom.shape, Capsule) or geom.role not in (Role.VISUAL, Role.COLLISION):
            return [geom]
        made = capsule_parts(geom.name, geom.shape, geom.pose)
        return [
            replace(geom, name=name, shape=shape, pose=pose, label=geom.label if name == geom.name else None)
            for name, shape, pose in made
        ]

    def parted(body: Body) -> Body:
        geoms = tuple(part for geom in body.geoms for part in parts(geom))
        return body if len(geoms) == len(body.geoms) else replace(body, geoms=geoms)

    return map_bodies(scene, parted)


def both_seen_and_touched(scene: Scene, job: RepairJob) -> Scene:
    """Add collisions for links with visuals only, and visuals for links with collisions only."""
    spares = Spares(geom.name for geom in scene.geoms())

    def copied(geom: Geom, role: str) -> Geom:
        name = spares.of(f"{geom.name}_{role}")
        material = geom.material if role == Role.VISUAL else None
        return replace(geom, name=name, label=None, role=role, material=material, inline=False, extras=())

    def whole(body: Body) -> Body:
        if not body.geoms or body.name == WORLD:
            return body
        roles = {geom.role for geom in body.geoms}
        for role, other, wanted in (
            (Role.VISUAL, Role.COLLISION, Role.SEEN),
            (Role.COLLISION, Role.VISUAL, Role.COLLIDING),
        ):
            if other in roles and roles.isdisjoint(wanted):
                more = [copied(geom, role) for geom in body.geoms if geom.role == other and geom.shape is not None]
                return replace(body, geoms=(*body.geoms, *more)) if more else body
        return body

    return map_bodies(scene, whole)
