"""Height fields as meshes, for targets that do not support them."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import InputError
from converters.format import Pass, Target
from converters.mjcf.assets.geometry import with_content
from ir.mapping import added, map_geoms
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Geom, HeightField, Mesh


def _with_fields_as_meshes(scene: Scene, _: Target) -> Scene:
    shapes = [geom.shape for geom in scene.geoms()]
    fields = dict.fromkeys(shape for shape in shapes if isinstance(shape, HeightField))
    taken, made = {*scene.assets}, dict[HeightField, Asset]()
    for field in fields:
        mesh = _mesh_of_field(scene.assets[field.asset], field, taken)
        if mesh is not None:
            made[field] = mesh
            taken.add(mesh.name)

    def meshed(geom: Geom) -> Geom:
        asset = made.get(geom.shape) if isinstance(geom.shape, HeightField) else None
        return replace(geom, shape=Mesh(asset=asset.name)) if asset is not None else geom

    return added(map_geoms(scene, meshed), "asset", made.values())


def _mesh_of_field(asset: Asset, field: HeightField, taken: set[str]) -> Asset | None:
    """Return a mesh for a height field; None without a readable image, which is reported where it was searched for."""
    from converters.assets.heights import field_mesh, heights

    try:
        content = field_mesh(heights(asset), field)
    except InputError:
        return None
    name = unique(f"{asset.name}_mesh", taken)
    return with_content(
        replace(asset, name=name, label=None, kind="mesh", uri="", rule="", parameters=(), extras=()), content
    )


FIELDS = Pass(
    rule="mjcf/height-field",
    reason="the target has no height fields: a mesh of at most 257 points along an edge replaces it, made of "
    "its image or of its numbers",
    wanted=lambda target: not target.fits.height_fields,
    apply=_with_fields_as_meshes,
)
