"""Materials that RViz does not show: the mesh file of the visual has its own materials (assets/shown.py), or the
material is not defined."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.assets.beside import gives_looks, looking_in_parts
from converters.assets.shown import overlay_key
from converters.format import Pass, Target
from ir.mapping import map_geoms
from ir.scene import Scene
from ir.types import Geom, Material, Mesh


def _without_hidden_materials(seen: Callable[[str], bool]) -> Callable[[Scene, Target], Scene]:
    """Return a pass that removes materials of visuals whose mesh files have their own (seen: tells this of a file)."""

    def apply(scene: Scene, _: Target) -> Scene:
        shown = _mesh_has_looks(scene, seen)

        def bare(geom: Geom) -> Geom:
            if geom.material is None or not geom.seen or overlay_key(geom) in scene.brought:
                return geom
            return replace(geom, material=None) if shown(geom) else geom

        return _without_materials(scene, bare)

    return apply


def _without_undefined_materials(scene: Scene, _: Target) -> Scene:
    """Remove references to materials without a colour or image, which readers of URDF ignore."""
    empty = {name for name, each in scene.materials.items() if each.rgba is None and each.texture is None}
    shown = _mesh_has_looks(scene, gives_looks)

    def bare(geom: Geom) -> Geom:
        return replace(geom, material=None) if geom.material in empty and not shown(geom) else geom

    return _without_materials(scene, bare) if empty else scene


def _mesh_has_looks(scene: Scene, seen: Callable[[str], bool]) -> Callable[[Geom], bool]:
    """Return a function: whether a geom is a mesh whose file has its own materials (seen); each file is opened once."""
    known: dict[str, bool] = {}

    def shown(geom: Geom) -> bool:
        if not isinstance(geom.shape, Mesh):
            return False
        asset = geom.shape.asset
        if asset not in known:
            file = scene.assets[asset].file
            known[asset] = file is not None and seen(file)
        return known[asset]

    return shown


def _without_materials(scene: Scene, bare: Callable[[Geom], Geom]) -> Scene:
    """Return the scene with each geom as returned by `bare`, and without materials that are no longer used."""
    found = map_geoms(scene, bare)
    if found is scene:
        return scene
    gone = {geom.material for geom in scene.geoms()} - {geom.material for geom in found.geoms()}
    materials: list[Material] = [each for each in scene.materials.values() if each.name not in gone]
    return found.evolve(tables={"material": materials})


UNDEFINED = Pass(
    rule="urdf/undefined-look",
    reason="no material of this name is defined: RViz shows the visual as one without a material, while "
    "readers of the target draw a material without a colour in white",
    severity="note",
    apply=_without_undefined_materials,
    wanted=lambda target: target.fits.material_names,
)
PARTLY = Pass(
    rule="urdf/part-looks",
    reason="some parts of the mesh file have looks of their own, which RViz shows, and readers of the target "
    "where the visual has no material: the other parts, which some programs show in the colour of the "
    "visual, have none in the output (give every part a look in the mesh file)",
    apply=_without_hidden_materials(looking_in_parts),
    wanted=lambda target: target.fits.covers,
)
WHOLLY = Pass(
    rule="urdf/own-looks",
    reason="the mesh file has looks of its own: RViz always shows them, and readers of the target do where the "
    "visual has no material",
    severity="note",
    apply=_without_hidden_materials(gives_looks),
    wanted=lambda target: target.fits.covers,
)
