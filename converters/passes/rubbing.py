"""Friction that stands in the words of one engine, in the terms of the graph."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.registry import Pass, Target
from ir.mapping import map_geoms
from ir.scene import Scene
from ir.types import Extra, Geom, Surface


def rubbing(said: Callable[[Extra], float | None]) -> Pass:
    """The pass that gives geoms the friction that one of their extras says, where nothing else gives them one."""

    def rubbed(geom: Geom) -> Geom:
        if not geom.extras or (geom.surface is not None and geom.surface.mu is not None):
            return geom
        mu = next((found for extra in geom.extras if (found := said(extra)) is not None), None)
        return geom if mu is None else replace(geom, surface=replace(geom.surface or Surface(), mu=mu))

    def apply(scene: Scene, _: Target) -> Scene:
        return map_geoms(scene, rubbed)

    return Pass(
        rule="drake/friction",
        reason="the friction that Drake's proximity properties say; of two coefficients the dynamic one",
        severity="note",
        wanted=lambda target: target.fits.simulator_terms,
        apply=apply,
    )
