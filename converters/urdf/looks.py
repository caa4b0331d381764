"""Materials that RViz does not show, since the mesh file of the visual has looks of its own (assets/shown.py)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.assets.beside import looking, looking_in_parts
from converters.assets.shown import overlaid
from converters.registry import Pass, Target
from ir.mapping import map_geoms
from ir.scene import Scene
from ir.types import Geom, Material, Mesh, Role


def _uncovering(seen: Callable[[str], bool]) -> Callable[[Scene, Target], Scene]:
    """What gives the scene without materials of visuals whose mesh files have looks of their own (seen: of a file)."""

    def apply(scene: Scene, _: Target) -> Scene:
        known: dict[str, bool] = {}

        def shown(asset: str) -> bool:
            file = scene.assets[asset].file
            if asset not in known:
                known[asset] = file is not None and seen(file)
            return known[asset]

        def bare(geom: Geom) -> Geom:
            if geom.material is None or geom.role not in Role.SEEN or not isinstance(geom.shape, Mesh):
                return geom
            if overlaid(geom) in scene.brought:
                return geom
            return replace(geom, material=None) if shown(geom.shape.asset) else geom

        found = map_geoms(scene, bare)
        if found is scene:
            return scene
        gone = {geom.material for geom in scene.geoms()} - {geom.material for geom in found.geoms()}
        materials: list[Material] = [each for each in scene.materials.values() if each.name not in gone]
        return found.evolve(tables={"material": materials})

    return apply


PARTLY = Pass(
    rule="urdf/part-looks",
    reason="some parts of the mesh file have looks of their own, which RViz shows, and readers of the target where the "
    "visual says no material: the other parts, which some programs show in the colour of the visual, have none here "
    "(give every part a look in the mesh file)",
    apply=_uncovering(looking_in_parts),
    wanted=lambda target: target.fits.covers,
)
WHOLLY = Pass(
    rule="urdf/own-looks",
    reason="the mesh file has looks of its own: RViz shows them always, and readers of the target do where the visual "
    "says no material",
    severity="note",
    apply=_uncovering(looking),
    wanted=lambda target: target.fits.covers,
)
