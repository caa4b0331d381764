"""Default looks of a format, written out: colours, highlights, and attenuation of lights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.mapping import added, map_bodies, map_geoms, map_table
from ir.names import Spares, unique
from ir.scene import Scene
from ir.types import WHITE, Body, Geom, Light, Material, Vec3, Vec4

LookT = TypeVar("LookT", Material, Light)
PARALLEL = ("directional",)
"""Kinds of lights without attenuation."""


def default_attenuation(attenuation: Vec3, reach: float | None, rule: str) -> Pass:
    """The pass that gives lights without attenuation (constant, linear, quadratic) or range (reach in m; None:
    infinite) the defaults of their format."""

    def said(light: Light) -> Light:
        if light.kind in PARALLEL:
            return light
        return replace(
            light,
            attenuation=attenuation if light.attenuation is None else light.attenuation,
            range=reach if light.range is None else light.range,
        )

    def apply(scene: Scene, _: Target) -> Scene:
        return _lit(scene, said)

    reason = "a light without attenuation or range has the defaults of its format"
    return Pass(rule=rule, reason=reason, severity="note", apply=apply)


def default_highlight(own: float, exponent: float | None, rule: str, reason: str) -> Pass:
    """The pass that gives materials without a highlight the default of their format: its brightness, and its exponent
    (None: it is invisible)."""

    def apply(scene: Scene, _: Target) -> Scene:
        return map_table(scene, "material", said)

    def said(look: Material) -> Material:
        specular = (own, own, own, 1.0) if look.specular is None else look.specular
        shininess = exponent if look.shininess is None else look.shininess
        same = (specular, shininess) == (look.specular, look.shininess)
        return look if same else replace(look, specular=specular, shininess=shininess)

    return Pass(
        rule=rule,
        reason=reason,
        severity="note",
        wanted=lambda target: target.fits.highlight not in (None, own),
        apply=apply,
    )


def default_colour(name: str, rgba: Vec4, rule: str, reason: str) -> Pass:
    """The pass that gives all visible geoms without a material one of this name and colour."""

    def apply(scene: Scene, _: Target) -> Scene:
        free = unique(name, scene.materials)

        def shown(geom: Geom) -> Geom:
            plain = geom.material is None and geom.shape is not None and geom.seen
            return replace(geom, material=free) if plain else geom

        looks = map_geoms(scene, shown)
        return scene if looks is scene else added(looks, "material", [Material(name=free, rgba=rgba)])

    return Pass(rule=rule, reason=reason, severity="note", apply=apply)


def _opaque(scene: Scene, _: Target) -> Scene:
    """Transparency as the alpha of the colour."""
    if not any(geom.transparency for geom in scene.geoms()):
        return scene
    made: dict[tuple[str | None, float], Material] = {}
    spares = Spares(scene.materials)

    def changed(geom: Geom) -> Geom:
        if not geom.transparency:
            return geom
        key = (geom.material, geom.transparency)
        if key not in made:
            base = scene.look_of(geom) or Material(name=f"{geom.name}_material", blank=True)
            red, green, blue, alpha = base.rgba or WHITE
            veil = 1 - min(max(geom.transparency, 0.0), 1.0)
            name = spares.of(f"{base.name}_transparent")
            made[key] = replace(base, name=name, rgba=(red, green, blue, alpha * veil), veil=veil)
        return replace(geom, transparency=0.0, material=made[key].name)

    return added(map_geoms(scene, changed), "material", made.values())


OPAQUE = Pass(
    rule="looks/transparency",
    reason="the target has no transparency of a visual: it becomes part of the alpha of its colour",
    wanted=lambda target: not target.fits.transparency,
    apply=_opaque,
    lacking=True,
)


def _in_units(scene: Scene, target: Target) -> Scene:
    """Factors of lights as brighter colours, or as intensities if colours cannot exceed 1."""

    def said(light: Light) -> Light:
        factor = light.power
        if factor is None:
            return light
        plain = replace(light, power=None)
        if factor == 1.0:
            return plain
        if "diffuse" not in target.fits.bright:
            return replace(plain, intensity=factor * (1.0 if light.intensity is None else light.intensity))
        diffuse, specular = (tuple(factor * each for each in colour) for colour in (light.diffuse, light.specular))
        return replace(plain, diffuse=diffuse, specular=specular)

    return _lit(scene, said)


POWER = Pass(
    rule="looks/light-power",
    reason="the intensity of a light is a factor of its colours in the source, and in candela or lux in the target: "
    "the factor makes the colours brighter, or the intensity where colours cannot exceed 1",
    severity="note",
    wanted=lambda target: not target.fits.light_factors,
    apply=_in_units,
    lacking=True,
    whole=True,
    values=True,
)


COLOURS = frozenset({"rgba", "ambient", "specular", "emissive", "diffuse"})
"""Fields of materials and lights."""


def _bounded(scene: Scene, target: Target) -> Scene:
    """Materials and lights with colours clamped to 0 to 1, if the target has no others."""
    dim = COLOURS - target.fits.bright

    def looked(look: Material) -> Material:
        return _between(look, dim)

    return _lit(map_table(scene, "material", looked), lambda light: _between(light, dim))


def _lit(scene: Scene, said: Callable[[Light], Light]) -> Scene:
    """The scene with every light changed."""

    def changed(body: Body) -> Body:
        lights = tuple(map(said, body.lights))
        return body if lights == body.lights else replace(body, lights=lights)

    return map_bodies(scene, changed)


BOUNDED = Pass(
    rule="looks/colour",
    reason="a colour outside 0 to 1 (MuJoCo allows it, and intensities of glTF make some) is not valid in the "
    "target: the nearest valid one is written",
    severity="note",
    wanted=lambda target: not target.fits.bright >= COLOURS,
    apply=_bounded,
    lacking=True,
)


def _between(item: LookT, fields: Iterable[str]) -> LookT:
    found: dict[str, Any] = {}
    for name in fields:
        colour = getattr(item, name, None)
        if colour is not None and not all(0.0 <= value <= 1.0 for value in colour):
            found[name] = tuple(min(max(value, 0.0), 1.0) for value in colour)
    return replace(item, **found) if found else item
