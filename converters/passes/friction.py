"""How the frictions of two surfaces in contact are combined, where source and target have different rules.

Engines of Gazebo take the smaller one (ODE, DART), MuJoCo the larger one, or that of the geom of higher priority
(mj_contactParam), Drake the harmonic mean (CalcContactFrictionFromSurfaceProperties), Bullet the product
(calculateCombinedFriction); materials of KHR_physics_rigid_bodies set the rule themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.contacts import with_surface
from ir.mapping import map_geoms
from ir.scene import Scene
from ir.types import Extra, Geom, Surface

AVERAGE, MINIMUM, MAXIMUM, MULTIPLY = WORDS = ("average", "minimum", "maximum", "multiply")
"""Values of Surface.combine, as in KHR_physics_rigid_bodies."""
HARMONIC = "harmonic"
USUAL = 1.0
"""Default friction of a geom in SDFormat (ode/mu) and in MuJoCo (friction)."""
PRIORITY = "priority"
MOST = 300
"""Largest number of different surfaces that are compared."""
Rubbing = tuple[int, float]
"""Priority and friction."""


def friction(geom: Geom) -> float:
    """The sliding friction of a geom (no unit), at least 0, and the usual one where it says none."""
    surface = geom.surface
    return USUAL if surface is None or surface.mu is None else max(surface.mu, 0.0)


def _priority(geom: Geom) -> int:
    try:
        return int(dict(geom.surface.parameters).get(PRIORITY, "0")) if geom.surface is not None else 0
    except ValueError:
        return 0


def _touching(scene: Scene) -> list[Geom]:
    return [geom for geom in scene.geoms() if geom.collides]


def _combine_word(geom: Geom) -> str | None:
    return geom.surface.combine if geom.surface is not None else None


def smaller(scene: Scene) -> str:
    """The rule of Gazebo; "" if all geoms have the default friction."""
    return MINIMUM if any(friction(geom) != USUAL for geom in _touching(scene)) else ""


def larger(scene: Scene) -> str:
    """The rule that has the effect of MuJoCo's: "" if no two frictions differ, that of Gazebo if priorities give the
    smaller one of any two."""
    kinds: list[Rubbing] = sorted({(_priority(geom), friction(geom)) for geom in _touching(scene)})
    pairs = [each for each in combinations(kinds, 2) if each[0][1] != each[1][1]] if len(kinds) <= MOST else [((), ())]
    if not pairs:
        return ""
    ranked = all(one and other and one[0] < other[0] and other[1] < one[1] for one, other in pairs)
    return MINIMUM if ranked else MAXIMUM


def differing(scene: Scene) -> str:
    """The rule of glTF; "" if no two frictions differ."""
    return AVERAGE if len({friction(geom) for geom in _touching(scene)}) > 1 else ""


def _with_combine(geom: Geom, word: str) -> Geom:
    """The geom with its rule for combining friction, unless it has one already."""
    if not geom.collides or _combine_word(geom) is not None:
        return geom
    return replace(geom, surface=replace(geom.surface or Surface(), combine=word))


def _has_friction(geom: Geom) -> bool:
    return geom.surface is not None and geom.surface.mu is not None


def friction_rule(rule: str, reason: str, word: Callable[[Scene], str], usual: str = "") -> tuple[Pass, Pass]:
    """The passes of a format with a rule of its own: all geoms get it where each can have one, and geoms with a
    friction where the target has another rule, so that the report tells of it.

    usual: the rule of all documents of the format, including those for which word returns "": where each geom sets its
    rule, a missing one would mean another rule, and another friction.
    """

    def every(scene: Scene, _: Target) -> Scene:
        found = word(scene) or usual
        return map_geoms(scene, lambda geom: _with_combine(geom, found)) if found else scene

    def some(scene: Scene, target: Target) -> Scene:
        found = word(scene)
        if found in ("", target.fits.combine):
            return scene
        return map_geoms(scene, lambda geom: _with_combine(geom, found) if _has_friction(geom) else geom)

    return (
        Pass(rule=rule, reason=reason, severity="note", wanted=lambda to: to.fits.combine == "", apply=every),
        Pass(rule=rule, reason=reason, severity="note", wanted=_other, apply=some, silent=True),
    )


def _other(target: Target) -> bool:
    return bool(target.fits.combine)


def across(surface: Surface) -> Surface:
    """The surface of Gazebo: mu is the friction along one direction; across it the default applies unless mu2 is
    given."""
    return replace(surface, mu2=USUAL) if surface.mu not in (None, USUAL) and surface.mu2 is None else surface


def _across(geom: Geom) -> Geom:
    return geom if geom.surface is None or not geom.collides else with_surface(geom, across(geom.surface))


ACROSS = Pass(
    rule="sdf/default-across",
    reason="a collision of SDFormat that sets friction only along one direction (<mu>) has 1 across it (<mu2>)",
    severity="note",
    apply=lambda scene, _: map_geoms(scene, _across),
    silent=True,
)


def _both(geom: Geom) -> Geom:
    surface = geom.surface
    if surface is None or surface.mu is None or surface.mu2 is not None or not geom.collides:
        return geom
    return replace(geom, surface=replace(surface, mu2=surface.mu))


BOTH = Pass(
    rule="contacts/across",
    reason="the target has friction for two directions, and a default of its own for the second where only the "
    "first is given: both are written",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.across is not None,
    apply=lambda scene, _: map_geoms(scene, _both),
)


def _bounded(scene: Scene, target: Target) -> Scene:
    def within(geom: Geom) -> Geom:
        if geom.surface is None:
            return geom
        said = [(name, getattr(geom.surface, name) or 0.0, most) for name, most in target.fits.surfaces]
        near = {name: min(max(value, 0.0), most) for name, value, most in said if not 0.0 <= value <= most}
        return replace(geom, surface=replace(geom.surface, **near)) if near else geom

    return map_geoms(scene, within)


BOUNDED = Pass(
    rule="contacts/bounds",
    reason="the target refuses friction or restitution below 0, and restitution above 1: the nearest valid "
    "value is written",
    wanted=lambda target: bool(target.fits.surfaces),
    apply=_bounded,
)


def drake_friction(said: Callable[[Extra], float | None]) -> tuple[Pass, Pass]:
    """The passes that give geoms the friction in one of their extras for Drake, if nothing else sets it, and that tell
    of Drake's rule."""

    def words(geom: Geom) -> float | None:
        return next((found for extra in geom.extras if (found := said(extra)) is not None), None)

    def rubbed(geom: Geom) -> Geom:
        mu = None if not geom.extras or _has_friction(geom) else words(geom)
        return geom if mu is None else replace(geom, surface=replace(geom.surface or Surface(), mu=mu))

    def harmonic(scene: Scene) -> str:
        geoms = _touching(scene)
        told = len({friction(geom) for geom in geoms}) > 1
        return HARMONIC if told and any(_has_friction(geom) and words(geom) == friction(geom) for geom in geoms) else ""

    _, combined = friction_rule(
        "drake/friction-combine", "Drake combines two friction coefficients to their harmonic mean 2ab/(a+b)", harmonic
    )
    return (
        Pass(
            rule="drake/friction",
            reason="the friction given by Drake's proximity properties, the dynamic one of two coefficients (of two "
            "surfaces Drake takes 2ab/(a+b))",
            severity="note",
            wanted=lambda target: target.fits.simulator_terms,
            apply=lambda scene, _: map_geoms(scene, rubbed),
        ),
        combined,
    )


def _ranked(scene: Scene, _: Target) -> Scene:
    """Geoms with less friction get a higher priority, and geoms with the default friction the default priority 0.

    2ab/(a+b) and the product of what is not above 1 are nearer to the smaller one: the rule stays in the surface, since
    it is another one.
    """
    geoms = _touching(scene)
    words = {_combine_word(geom) for geom in geoms} - {None}
    near = {MINIMUM, HARMONIC} | ({MULTIPLY} if all(friction(geom) <= USUAL for geom in geoms) else set())
    if not words or not words <= near or any(_priority(geom) for geom in geoms):
        return scene
    values = sorted({USUAL, *map(friction, geoms)}, reverse=True)
    ranks = {value: index - values.index(USUAL) for index, value in enumerate(values)}

    def ranked(geom: Geom) -> Geom:
        if geom.surface is None or not geom.collides:
            return geom
        rank = ranks[friction(geom)]
        more = ((PRIORITY, str(rank)),) if rank else ()
        word = None if _combine_word(geom) == MINIMUM else _combine_word(geom)
        return with_surface(geom, replace(geom.surface, combine=word, parameters=(*geom.surface.parameters, *more)))

    return map_geoms(scene, ranked)


RANKED = Pass(
    rule="contacts/priority",
    reason="the source uses the smaller of two frictions, or something near it (a product, Drake's 2ab/(a+b)), "
    "and the target the larger one, unless one geom has a higher priority: here the geom with less "
    "friction gets it (and so its condim, solref and solimp are used)",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.combine == MAXIMUM,
    apply=_ranked,
)


def _without_default_word(scene: Scene, target: Target) -> Scene:
    """The scene without a rule that is that of the target anyway, or has no effect since all frictions are equal."""
    geoms = _touching(scene)
    words = {_combine_word(geom) for geom in geoms} - {None}
    same = len({friction(geom) for geom in geoms}) == 1 and MULTIPLY not in words
    if not words or not (same or words == {target.fits.combine}):
        return scene

    def plain(geom: Geom) -> Geom:
        return geom if geom.surface is None else with_surface(geom, replace(geom.surface, combine=None))

    return map_geoms(scene, plain)


PLAIN = Pass(
    rule="contacts/friction-combine",
    reason="how two frictions are combined: the target does the same by default, or all frictions of the model "
    "are equal",
    severity="note",
    wanted=_other,
    apply=_without_default_word,
)
