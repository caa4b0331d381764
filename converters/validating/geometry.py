"""Shapes and materials, and links without visuals or collisions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from converters.sdf.parts.surface import rougher_across
from converters.urdf.tables import CAPSULES, GLOBALS, VERSION, version_of
from converters.validating.model import Breach, CheckedModel, broken_rule
from ir.bounds import lengths
from ir.names import with_article
from ir.scene import Scene
from ir.types import WORLD, Body, Capsule, Cone, Ellipsoid, Geom, Material, Plane, Role


def check(model: CheckedModel) -> Iterator[Breach]:
    for body in model.scene.bodies.values():
        for geom in body.geoms:
            where = f"body/{body.name}.geoms.{geom.name}"
            bad = [value for value in lengths(geom.shape) if not (math.isfinite(value) and value > 0.0)]
            if bad:
                message = f"{with_article(type(geom.shape).__name__.lower())} with the size {bad[0]:g}"
                yield Breach(rule="GEOM-DIM", where=where, message=message, source=geom.source)
            if model.format == "mjcf" and isinstance(geom.shape, Plane) and not geom.shape.spacing > 0.0:
                message = f"the third size of a plane is {geom.shape.spacing:g}: MuJoCo draws a grid of it"
                yield Breach(rule="GEOM-DIM", where=where, message=message, source=geom.source)
            if model.format == "urdf":
                yield from _dialect(model, geom, where)
            if model.format == "sdf":
                yield from _sliding(geom, where)
        yield from _shown(body)
    yield from _materials(model)


DIALECTS = {Plane: "Bullet", Cone: "Tesseract", Ellipsoid: "Drake"}


def _dialect(model: CheckedModel, geom: Geom, where: str) -> Iterator[Breach]:
    """Yield breaches for shapes not in URDF, or not in this version of it; only for visuals and collisions."""
    if geom.role not in (Role.VISUAL, Role.COLLISION):
        return
    for kind, reader in DIALECTS.items():
        if isinstance(geom.shape, kind):
            message = f"{with_article(kind.__name__.lower())} is known to {reader} and few others"
            yield Breach(rule="GEOM-DIALECT", where=where, message=message, source=geom.source)
    version = version_of(model.scene.notation.get(VERSION, "")) or (1, 0)
    if isinstance(geom.shape, Capsule) and version < CAPSULES:
        message = "a capsule needs URDF 1.1: MuJoCo and Drake take it in any"
        yield Breach(rule="PORT-CAPSULE", where=where, message=message, source=geom.source)


def _sliding(geom: Geom, where: str) -> Iterator[Breach]:
    found = rougher_across(geom.surface)
    if found is not None and geom.surface is not None:
        unsaid = " (not said)" if geom.surface.mu2 is None else ""
        message = f"mu2 is {found[1]:g}{unsaid}, above mu, which is {found[0]:g}"
        yield Breach(rule="SDF-FRICTION", where=f"{where}.surface", message=message, source=geom.source)


def _shown(body: Body) -> Iterator[Breach]:
    if not body.geoms or body.name == WORLD:
        return
    seen, touched = any(geom.seen for geom in body.geoms), any(geom.collides for geom in body.geoms)
    if touched and not seen:
        yield broken_rule("GEOM-NOVIS", "body", body, f"{body.name!r} has collisions and no visual")
    if seen and not touched:
        yield broken_rule("GEOM-NOCOL", "body", body, f"{body.name!r} has visuals and no collision")


def _materials(model: CheckedModel) -> Iterator[Breach]:
    if model.format != "urdf":
        return
    for material in model.scene.materials.values():
        if material.label == "" and material.source is not None:
            message = "a material named '' is shared with no other visual"
            yield broken_rule("MAT-EMPTYNAME", "material", material, message)
    for material in unsaid_materials(model.scene):
        yield broken_rule("MAT-NOVALUE", "material", material, "it has neither a colour nor a texture")


def unsaid_materials(scene: Scene) -> list[Material]:
    """Return the materials that <robot> defines without a colour or a texture."""
    found = (scene.materials[name] for name in json.loads(scene.notation.get(GLOBALS, "[]")) if name in scene.materials)
    return [material for material in found if material.rgba is None and material.texture is None]
