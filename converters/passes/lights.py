"""What the light of a lamp does on its way, where its format knows and the document is silent."""

from __future__ import annotations

from msgspec.structs import replace

from converters.registry import Pass, Target
from ir.mapping import map_bodies
from ir.scene import Scene
from ir.types import Body, Light, Vec3

PARALLEL = ("directional",)
"""Kinds whose light does not become weaker."""


def fading(attenuation: Vec3, reach: float | None, rule: str) -> Pass:
    """The pass that gives lamps that say none the attenuation (constant, linear, quadratic) and the reach (m; None: as
    far as one looks) of all of their format."""

    def said(light: Light) -> Light:
        if light.kind in PARALLEL:
            return light
        return replace(
            light,
            attenuation=attenuation if light.attenuation is None else light.attenuation,
            range=reach if light.range is None else light.range,
        )

    def lit(body: Body) -> Body:
        lights = tuple(said(light) for light in body.lights)
        return body if lights == body.lights else replace(body, lights=lights)

    def apply(scene: Scene, _: Target) -> Scene:
        return map_bodies(scene, lit)

    reason = "a lamp that does not say how its light fades, and how far it reaches, does it as all of its format do"
    return Pass(rule=rule, reason=reason, severity="note", apply=apply)
