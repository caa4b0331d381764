"""What MuJoCo's compiler makes of meshes, moved to the geoms: reference poses of assets, and fitted shapes."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from converters.context import InputError
from converters.format import Pass, Target
from converters.mjcf.assets import geometry
from converters.mjcf.assets.geometry import with_content
from converters.mjcf.assets.meshes import UNTURNED, MeshGeometry, inertia_mode, is_skewed, reference_pose
from converters.mjcf.assets.moments import fitted
from converters.mjcf.bodies.geoms import ITSELF
from converters.mjcf.document.extras import Rules, said_by
from converters.source.text import so_many_numbers
from ir.mapping import added, map_bodies, map_geoms, map_table
from ir.names import unique
from ir.pose import compose, conjugate, rotate
from ir.scene import Scene
from ir.types import Asset, Body, Extra, Geom, HeightField, Mesh, Pose


def _with_fitted_shapes(scene: Scene, target: Target) -> Scene:
    """Return the scene with meshes placed by their assets, and with fitted shapes instead of the meshes that only give
    their size."""
    meshes = MeshGeometry(scene, target.load)
    compiler = Rules(scene)
    table: dict[str, Asset] = {}

    def shaped(body: Body) -> Body:
        geoms = tuple(
            _with_shape_in_file(shape_of(geom, scene, meshes, compiler.of(body)), meshes, table) for geom in body.geoms
        )
        same = all(new is old for new, old in zip(geoms, body.geoms, strict=True))
        return body if same else replace(body, geoms=geoms)

    changed = map_bodies(scene, shaped)
    if not table:
        return changed
    assets = [table.pop(name, asset) for name, asset in scene.assets.items()]
    return changed.evolve(tables={"asset": [*assets, *table.values()]})


def shape_of(geom: Geom, scene: Scene, meshes: MeshGeometry, compiler: dict[str, str]) -> Geom:
    """Return the geom with its mesh placed by the asset, or with the shape that is fitted to the mesh."""
    mesh = geom.shape
    if not isinstance(mesh, Mesh):
        return geom
    asset = scene.assets[mesh.asset]
    if mesh.fit == ITSELF:
        return shape_of(replace(geom, shape=replace(mesh, fit="")), scene, meshes, compiler)
    if not mesh.fit:
        shift, turn = reference_pose(asset)
        if (shift == (0.0, 0.0, 0.0) and turn == UNTURNED) or is_skewed(asset, mesh.scale):
            return geom
        back = conjugate(turn)
        x, y, z = rotate(back, shift)
        sx, sy, sz = mesh.scale
        return replace(geom, pose=compose(geom.pose, Pose((-sx * x, -sy * y, -sz * z), back)))
    found = meshes.of(mesh)
    if found is None:
        return replace(geom, shape=replace(mesh, fit=""))
    aabb = compiler.get("fitaabb") == "true"
    (scale,) = so_many_numbers(said_by(geom.extras).get("fitscale"), 1) or (1.0,)
    shape = fitted(*found, inertia_mode(asset), mesh.fit, aabb, scale)
    if shape is None:
        return replace(geom, shape=replace(mesh, fit=""))
    return replace(geom, shape=shape[0], pose=compose(geom.pose, shape[1]))


def _with_shape_in_file(geom: Geom, meshes: MeshGeometry, table: dict[str, Asset]) -> Geom:
    """Return the geom with geometry that a file can contain; assets made for it are added to the table."""
    shape = geom.shape
    if not isinstance(shape, Mesh):
        return geom
    asset = meshes.scene.assets[shape.asset]
    apart = is_skewed(asset, shape.scale)
    if asset.uri and not apart and meshes.corners(asset) is None:
        return geom
    name = unique(f"{asset.name}_turned", meshes.scene.assets) if apart else asset.name
    if name not in table:
        content = _mesh_as_obj(asset, meshes, apart)
        if content is None:
            return geom
        table[name] = with_content(replace(asset, name=name, label=None), content)
        if apart:
            parameters = tuple(item for item in asset.parameters if item[0] not in ("refpos", "refquat"))
            table[name] = replace(table[name], parameters=parameters, uri="", extras=())
    return replace(geom, shape=replace(shape, asset=name)) if apart else geom


def _with_images_of_heights(scene: Scene, _: Target) -> Scene:
    """Return the scene with an image for each height field without one, generated from its numbers. Numbers that the
    image does not represent exactly are removed from the asset."""
    shapes = (geom.shape for geom in scene.geoms())
    shown = dict.fromkeys(shape.asset for shape in shapes if isinstance(shape, HeightField))
    table: dict[str, Asset] = {}
    for asset in (scene.assets[name] for name in shown):
        image = _heights_as_image(asset) if not asset.made and (not asset.uri or asset.file is not None) else None
        if image is not None:
            kept = (
                asset.extras
                if asset.uri or geometry.exact(said_by(asset.extras), image)
                else _extras_without_numbers(asset)
            )
            table[asset.name] = replace(with_content(asset, image), extras=kept)
    return map_table(scene, "asset", lambda asset: table.get(asset.name, asset))


def _extras_without_numbers(asset: Asset) -> tuple[Extra, ...]:
    return tuple(extra for extra in asset.extras if extra.path != "@elevation")


def _heights_as_image(asset: Asset) -> bytes | None:
    """Return the heights of an asset as an image; None if they are one already, or too many: the report says so."""
    grid = geometry.heights(said_by(asset.extras), asset.file)
    if grid is None:
        return None
    from converters.assets.heights import square_image

    with suppress(InputError):
        return square_image(grid)
    return None


def _with_images_beside_heights(scene: Scene, _: Target) -> Scene:
    """Add an image for each height field file that is not one; the file is kept with the model, to be restored."""
    images: dict[str, Asset | None] = {}

    def pictured(geom: Geom) -> Geom:
        shape = geom.shape
        if not isinstance(shape, HeightField):
            return geom
        asset = scene.assets[shape.asset]
        if asset.name not in images:
            content = _heights_as_image(asset) if asset.uri and asset.file is not None and not asset.made else None
            name = unique(f"{asset.name}_image", scene.assets)
            plain = replace(asset, name=name, label=None, uri="", parameters=(), extras=())
            images[asset.name] = None if content is None else with_content(plain, content)
        image = images[asset.name]
        return geom if image is None else replace(geom, shape=replace(shape, asset=image.name))

    changed = map_geoms(scene, pictured)
    return added(changed, "asset", filter(None, images.values()))


def _mesh_as_obj(asset: Asset, meshes: MeshGeometry, turned: bool) -> bytes | None:
    """Return the mesh as OBJ, in the frame of its file; turned: as moved by the asset, without its scale."""
    from converters.assets.meshes.obj_text import obj_text
    from converters.assets.meshes.parts import MeshPart

    found = meshes.of(Mesh(asset=asset.name)) if turned else meshes.raw(asset)
    if found is None:
        return None
    points, faces = found
    if not len(faces):
        from ir.hull import hull

        faces = hull(points)
    if not len(faces):
        return None
    uvs = geometry.texcoords(said_by(asset.extras), len(points)) if not asset.uri else None
    return obj_text(
        MeshPart(name=asset.name, vertices=points, faces=faces, uvs=uvs, uv_faces=None if uvs is None else faces)
    )


SHAPES = Pass(
    rule="mjcf/mesh-reference",
    reason="MJCF places a mesh by its asset (refpos, refquat) or fits a shape to it; in the output the geom "
    "contains the result",
    severity="note",
    apply=_with_fitted_shapes,
)

HEIGHTS = Pass(
    rule="mjcf/heights",
    reason="height fields given as numbers become images of 65 536 shades of grey, square with 2^n + 1 pixels "
    "a side, interpolated where the grid is another one; the heights of this image differ from the "
    "numbers",
    action="approximated",
    apply=_with_images_of_heights,
)

IMAGES = Pass(
    rule="mjcf/height-image",
    reason="a height field file that only MuJoCo reads becomes an image, square with 2^n + 1 pixels a side, "
    "with interpolated heights",
    wanted=lambda target: not target.fits.one_file,
    apply=_with_images_beside_heights,
)
