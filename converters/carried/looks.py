"""Looks that a document gives to what shows a mesh, since the file beside it has none: in the source they were those of
the mesh file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from converters.assets.inside import part_of
from converters.carried.pieces import entry
from ir.patches import patch_at
from ir.plain import as_json
from ir.scene import Scene
from ir.types import WHITE, Asset, Geom, Material, Mesh

NEAR = 1e-6
"""Tolerance of an alpha: documents have few digits."""


def geoms_shown_as_files(folded: Scene, scene: Scene, assets: Mapping[str, Asset]) -> dict[str, str]:
    """Geoms that look in the document as their mesh file does in the scene, and their bodies, even if the model gives
    them a look as well, which that of the file overrides. The file beside the document has no looks: it is an OBJ made
    of a DAE, or one without its material library."""
    from converters.assets.beside import gives_looks

    beside = {name: asset.file for name, asset in folded.assets.items() if asset.file is not None}
    moved = {name: file for name, file in beside.items() if name in assets and assets[name].file == file}
    moved = {name: file for name, file in moved.items() if assets[name].uri != folded.assets[name].uri}
    shown = {mesh.asset for geom in scene.geoms() if isinstance(mesh := geom.shape, Mesh) and mesh.asset in moved}
    plain = {name for name in shown if not gives_looks(moved[name])}
    bare = {geom.name: geom for geom in scene.geoms() if isinstance(geom.shape, Mesh) and geom.shape.asset in plain}
    return {
        geom.name: body.name
        for body in folded.bodies.values()
        for geom in body.geoms
        if geom.name in bare and geom.material not in (None, bare[geom.name].material)
        if _looks_otherwise(folded.materials.get(geom.material), scene.look_of(bare[geom.name]))
        if not _is_transparency_only(folded.materials.get(geom.material), bare[geom.name].transparency)
    }


def looks_in_document(
    folded: Scene, scene: Scene, assets: Mapping[str, Asset], geoms: Mapping[str, str]
) -> dict[str, tuple[Material, Asset | None]]:
    """Meshes of these geoms (geoms_shown_as_files) whose files have no looks, each with the look and the image that the
    document shows instead, except one that an edit gave to a geom (scene: with carried data)."""
    from converters.assets.beside import gives_looks

    found: dict[str, tuple[Material, Asset | None]] = {}
    own = {geom.name for geom in _geoms_painted(folded, scene, scene.brought)}
    for geom in folded.geoms():
        if geom.name in geoms and geom.name not in own and isinstance(geom.shape, Mesh) and geom.material is not None:
            asset, look = assets[geom.shape.asset], folded.materials.get(geom.material)
            if look is not None and asset.file and asset.file.lower().endswith(".obj") and not gives_looks(asset.file):
                found.setdefault(asset.name, (look, folded.image_of(look)))
    return found


def edited_looks(folded: Scene, scene: Scene, brought: Collection[str], worn: Collection[str]) -> Iterator[Geom]:
    """Geoms to which an edit of the document (brought: Scene.brought) gave a look although their mesh file has one, or
    gets it back (worn)."""
    from converters.assets.beside import gives_looks

    known: dict[str, bool] = {}
    for geom in _geoms_painted(folded, scene, brought):
        asset = scene.mesh_of(geom.shape)
        if asset is not None and asset.file and geom.seen and not part_of(asset):
            if asset.file not in known:
                known[asset.file] = asset.name in worn or gives_looks(asset.file)
            if known[asset.file]:
                yield geom


def _geoms_painted(folded: Scene, scene: Scene, brought: Collection[str]) -> Iterator[Geom]:
    """Geoms with a look from an edit of the document."""
    said = {
        geom.name: geom.material
        for geom in folded.geoms()
        if f"geom/{geom.name}" in brought or f"material/{geom.material}" in brought
    }
    for geom in scene.geoms() if said else ():
        if geom.material is not None and said.get(geom.name) == geom.material:
            yield geom


def _looks_otherwise(there: Material | None, said: Material | None) -> bool:
    """Whether a document shows another colour or image than the scene; also if one of them has no material."""
    if there is None or said is None:
        return True
    colours = zip((there.rgba or WHITE)[:3], (said.rgba or WHITE)[:3], strict=True)
    return there.texture != said.texture or any(abs(a - b) > NEAR for a, b in colours)


def _is_transparency_only(material: Material | None, transparency: float) -> bool:
    """Whether a material is no look but a transparency, which the document cannot express otherwise (passes.looks)."""
    if material is None or not transparency or material.texture is not None or material.rgba is None:
        return False
    *colour, alpha = material.rgba
    return colour == [1.0, 1.0, 1.0] and abs(alpha - (1.0 - transparency)) < NEAR


def without_looks_of(folded: Scene, carried: Mapping[str, str], geoms: Mapping[str, str]) -> dict[str, str]:
    """The carried data of a scene without the looks of these geoms: they stay as they are in the document."""
    left = dict(carried)
    for name, body in geoms.items():
        patch = entry(left, f"body/{body}")
        geom = patch_at(patch, ("geoms", name))
        if isinstance(geom, dict) and geom.pop("material", None) is not None:
            geom.pop("transparency", None)  # it is part of that material
            left[f"body/{body}"] = as_json(patch)
    looks = {geom.material for geom in folded.geoms() if geom.name in geoms}
    textures = {material.texture for name, material in folded.materials.items() if name in looks}
    for kind, kept in (("material", looks), ("asset", textures)):
        for each in kept:
            left.pop(f"{kind}/{each}", None)
    return left
