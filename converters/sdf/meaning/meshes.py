"""Submeshes, centred meshes and height fields as separate files, for formats without them.

In Gazebo the brightest pixel of a height map has the height of the field; in other formats the darkest pixel is also at
zero.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets import inside
from converters.assets.meshes.parts import submesh_of
from converters.context import InputError
from converters.format import Pass, Target
from converters.sdf.parts.shapes import HEIGHTS
from converters.sdf.tables import FORMAT
from converters.source.text import so_many_numbers
from converters.source.tree import fragment
from ir.arrays import Floats, np
from ir.mapping import added, map_geoms
from ir.names import unique
from ir.pose import compose
from ir.scene import Scene
from ir.types import Asset, Geom, HeightField, Material, Mesh, Pose, Role, Vec4

PLACE = "geometry[1]/heightmap[1]/pos[1]"
"""Path of a height field's offset among the extras of its geom."""


class _MadeMeshes(Struct):
    """New assets and materials, by what they are made from; None if it cannot be made."""

    scene: Scene
    assets: dict[object, Asset | None] = field(default_factory=dict)
    materials: dict[object, Material] = field(default_factory=dict)
    looks: dict[object, Vec4] = field(default_factory=dict)
    """Colours of submeshes, from their mesh files."""
    parts: dict[str, set[str] | None] = field(default_factory=dict)
    """Mesh asset -> names of the parts in its file; None if it cannot be read."""
    grids: dict[str, Floats | None] = field(default_factory=dict)

    def add(self, asset: Asset, wanted: str, content: bytes) -> Asset:
        taken = {*self.scene.assets, *(made.name for made in self.assets.values() if made is not None)}
        name = unique(wanted, taken)
        return replace(
            asset, name=name, label=None, kind="mesh", uri="", made=content, parameters=(), extras=(), rule=""
        )


def _change_all_geoms(scene: Scene, change: Callable[[Geom, _MadeMeshes], Geom]) -> Scene:
    making = _MadeMeshes(scene)
    changed = map_geoms(scene, lambda geom: change(geom, making))
    if changed is scene:
        return scene
    changed = added(changed, "asset", filter(None, making.assets.values()))
    return added(changed, "material", making.materials.values())


# --------------------------------------------------------------------------------------------------------------- meshes


def _with_mesh_in_one_piece(geom: Geom, making: _MadeMeshes) -> Geom:
    shape = geom.shape
    if not isinstance(shape, Mesh) or not (shape.submesh or shape.centred):
        return geom
    key = (shape.asset, shape.submesh, shape.centred)
    if key not in making.assets:
        making.assets[key] = _mesh_of_part(shape, making)
    asset = making.assets[key]
    if asset is None:
        return geom
    material = geom.material
    if material is None and geom.role == Role.VISUAL and key in making.looks:
        if key not in making.materials:
            taken = {*making.scene.materials, *(made.name for made in making.materials.values())}
            making.materials[key] = Material(name=unique(f"{asset.name}_material", taken), rgba=making.looks[key])
        material = making.materials[key].name
    return replace(geom, shape=replace(shape, asset=asset.name, submesh=None, centred=False), material=material)


def _with_whole_mesh(geom: Geom, making: _MadeMeshes) -> Geom:
    """Use the whole mesh if its file has no part with the requested name."""
    shape = geom.shape
    if not isinstance(shape, Mesh) or shape.submesh is None:
        return geom
    asset = making.scene.assets[shape.asset]
    if shape.asset not in making.parts:
        making.parts[shape.asset] = None
        if asset.file is not None:
            with suppress(InputError):  # reported when the asset is packed
                making.parts[shape.asset] = {part.name for part in inside.mesh(asset).parts}
    names = making.parts[shape.asset]
    return geom if names is None or shape.submesh in names else replace(geom, shape=replace(shape, submesh=None))


def _mesh_of_part(shape: Mesh, making: _MadeMeshes) -> Asset | None:
    """Return the submesh as a separate mesh asset, with its colour from the file; None if the file cannot be read."""
    from converters.assets.meshes.obj_text import obj_text

    asset = making.scene.assets[shape.asset]
    if asset.file is None:
        return None
    try:
        parts = submesh_of(inside.mesh(asset).parts, shape.submesh, shape.centred)
    except InputError:  # reported when the asset is packed
        return None
    if not parts:
        return None
    made = making.add(asset, f"{asset.name}_{shape.submesh or 'centred'}", obj_text(inside.joined(parts, asset.name)))
    look = parts[0].material
    if look is not None and look.rgba is not None:
        making.looks[(shape.asset, shape.submesh, shape.centred)] = look.rgba
    return made


WHOLES = Pass(
    rule="sdf/no-such-submesh",
    reason="the mesh file has no part of this name: the whole mesh is used",
    apply=lambda scene, _: _change_all_geoms(scene, _with_whole_mesh),
)

PIECES = Pass(
    rule="sdf/submesh",
    reason="the target cannot select a part of a mesh or centre it: it becomes a file of its own",
    severity="note",
    wanted=lambda target: not target.fits.submeshes,
    apply=lambda scene, _: _change_all_geoms(scene, _with_mesh_in_one_piece),
)


# -------------------------------------------------------------------------------------------------------------- heights


def _with_raised_fields(scene: Scene, target: Target) -> Scene:
    return _change_all_geoms(scene, lambda geom, making: _raised_field(geom, making, target.fits.height_fields))


def _raised_field(geom: Geom, making: _MadeMeshes, known: bool) -> Geom:
    """Place the field at its lowest point; as a mesh if the target has no height fields. An image that has the asset
    kind of another format already has its lowest point at zero."""
    shape = geom.shape
    if not isinstance(shape, HeightField):
        return geom
    asset = making.scene.assets[shape.asset]
    if asset.name not in making.grids:
        making.grids[asset.name] = _grey_values(asset)
    grid = making.grids[asset.name]
    if grid is None:
        return geom
    geom = _at_its_pos(geom)
    x, y, z = shape.size
    low, high = float(grid.min()), float(grid.max())
    if 0 < low < high and asset.kind == HEIGHTS:
        shape = replace(shape, size=(x, y, z * (high - low) / high))
        geom = replace(geom, shape=shape, pose=compose(geom.pose, Pose((0.0, 0.0, z * low / high))))
    if known:
        return geom
    from converters.assets.heights import field_mesh

    key = (asset.name, shape.size)
    if key not in making.assets:
        making.assets[key] = making.add(asset, f"{asset.name}_mesh", field_mesh(grid, shape))
    made = making.assets[key]
    assert made is not None
    return replace(geom, shape=Mesh(asset=made.name))


def _at_its_pos(geom: Geom) -> Geom:
    """Apply <pos>, which is an offset in the frame of the geom."""
    said = next((extra for extra in geom.extras if extra.format == FORMAT and extra.path == PLACE), None)
    place = so_many_numbers(fragment(said.text).own_text(), 3) if said is not None else None
    if place is None:
        return geom
    x, y, z = place
    extras = tuple(extra for extra in geom.extras if extra is not said)
    return replace(geom, pose=compose(geom.pose, Pose((x, y, z))), extras=extras)


def _grey_values(asset: Asset) -> Floats | None:
    """Return an image's grey values, rows from -y to +y; None if it is unreadable, too large, or one pixel wide."""
    from converters.assets.heights import grey_values

    grid = grey_values(asset)
    return grid if grid is not None and min(grid.shape) > 1 and bool(np.isfinite(grid).all()) else None


FIELDS = Pass(
    rule="sdf/heightmap",
    reason="in other formats a height field is placed by its geom, with its lowest point at 0; or it becomes a mesh",
    severity="note",
    apply=_with_raised_fields,
)
