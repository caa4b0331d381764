"""Torsional and rolling friction, which MuJoCo applies depending on condim, expressed directly for other formats."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.contacts import with_surface
from ir.mapping import map_geoms
from ir.scene import Scene
from ir.types import Geom, Surface

TWISTING, ROLLING = 4, 6
"""Minimum condim at which a geom requests that friction."""
TORSIONAL, ROLL = 0.005, 0.0001
"""Metres; default coefficients of a geom."""


def _condim(surface: Surface) -> int:
    try:
        return int(dict(surface.parameters).get("condim", "3"))
    except ValueError:
        return 3


def _with_acting_friction(geom: Geom) -> Geom:
    """Return the geom with only the friction that it requests itself."""
    surface = geom.surface
    if surface is None or not geom.collides:
        return geom
    condim = _condim(surface)
    torsional = (TORSIONAL if surface.torsional is None else surface.torsional) if condim >= TWISTING else None
    rolling = (ROLL if surface.rolling is None else surface.rolling) if condim >= ROLLING else None
    return with_surface(geom, replace(surface, torsional=torsional, rolling=rolling))


def _without_friction(geom: Geom) -> Geom:
    """Return the geom without friction."""
    if geom.surface is None or not geom.collides:
        return geom
    return replace(geom, surface=replace(geom.surface, mu=0.0, mu2=None, torsional=None, rolling=None))


def _with_friction_by_condim(scene: Scene, _: Target) -> Scene:
    """Apply condim: a contact has the larger one of its two geoms, so there is no friction if all geoms have 1."""
    geoms = [geom for geom in scene.geoms() if geom.collides]
    asked = [_condim(geom.surface or Surface()) for geom in geoms]
    return map_geoms(scene, _without_friction if asked and max(asked) == 1 else _with_acting_friction)


FRICTION = Pass(
    rule="mjcf/condim",
    reason="in MuJoCo a geom asks for torsional friction by condim 4 and for rolling friction by condim 6, "
    "with defaults of 0.005 m and 0.0001 m; friction that a geom does not ask for acts only against "
    "geoms that do, and is not written; where all have condim 1, there is no friction",
    severity="note",
    apply=_with_friction_by_condim,
)
