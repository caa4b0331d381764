"""Images that only MuJoCo can map, around a cube or over a mesh without texture coordinates: their average colour is
used instead in other formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from converters.assets import inside
from converters.assets.textures import as_8_bit, content, decode_image
from converters.context import InputError
from converters.format import Pass, Target
from converters.mjcf.assets.procedural import COLOURS
from converters.mjcf.document.extras import said_by
from converters.mjcf.tables import FACE
from converters.source.text import so_many_numbers
from ir.mapping import map_table
from ir.scene import Scene
from ir.types import WHITE, Asset, Material, Vec3

SHARES = {"flat": 5 / 6, "checker": 0.5, "gradient": 0.5}
"""Fraction of rgb1 in builtin textures; the lower side of a flat cube has rgb2."""
SMALL = 256
"""Pixels per side to which an image is reduced before averaging; all pixels of a larger image have equal weight."""


def _with_mean_colours(scene: Scene, _: Target) -> Scene:
    sides: dict[str, list[Asset]] = {}
    for asset in scene.assets.values():
        if asset.kind == FACE:
            sides.setdefault(dict(asset.parameters)["texture"], []).append(asset)
    means: dict[str, Vec3 | None] = {}
    bare = _materials_without_uvs(scene)

    def tinted(material: Material) -> Material:
        asset = scene.image_of(material)
        if asset is None or not (
            _texture_type(asset) == "cube" or (_texture_type(asset) == "2d" and material.name in bare)
        ):
            return material
        if asset.name not in means:
            means[asset.name] = _mean_colour([asset, *sides.get(asset.name, ())])
        mean = means[asset.name]
        if mean is None:
            return material
        red, green, blue, alpha = material.rgba or WHITE
        return replace(material, rgba=(red * mean[0], green * mean[1], blue * mean[2], alpha))

    return map_table(scene, "material", tinted)


def _texture_type(asset: Asset) -> str:
    return dict(asset.parameters).get("type", "2d")


def _materials_without_uvs(scene: Scene) -> set[str | None]:
    """Return materials that are visible only on meshes without texture coordinates."""
    laid: dict[str | None, bool] = {}
    for geom in scene.geoms():
        if not geom.seen:
            continue
        asset = scene.mesh_of(geom.shape)
        laid[geom.material] = laid.get(geom.material, False) or asset is None or not _lacks_uvs(asset)
    return {name for name, some in laid.items() if not some}


def _lacks_uvs(asset: Asset) -> bool:
    """Whether a mesh has no texture coordinates: STL has none; inline meshes have them if they give them."""
    if asset.uri:
        return asset.uri.lower().endswith(".stl")
    return not {"texcoord", "builtin"} & said_by(asset.extras).keys()


def _mean_colour(images: list[Asset]) -> Vec3 | None:
    """Return the average colour of a texture and its sides; None if none of them can be read."""
    found = [
        mean for each in images if (mean := _mean_of_file(each) or _mean_of_painted(said_by(each.extras))) is not None
    ]
    if not found:
        return None
    red, green, blue = (sum(values) / len(found) for values in zip(*found, strict=True))
    return red, green, blue


def _mean_of_painted(said: Mapping[str, str]) -> Vec3 | None:
    """Return the average colour of a builtin texture, without its marks (mjCTexture::BuiltinCube)."""
    share = SHARES.get(said.get("builtin", ""))
    first, second = (so_many_numbers(said[name], 3) if name in said else COLOURS[name] for name in ("rgb1", "rgb2"))
    if share is None or first is None or second is None:
        return None
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(first, second, strict=True))
    return red, green, blue


def _mean_of_file(asset: Asset) -> Vec3 | None:
    if asset.file is None:
        return None
    try:
        with decode_image(content(inside.picture(asset), asset.uri), Path(asset.uri).name) as picture:
            picture.draft("RGB", (SMALL, SMALL))
            small = as_8_bit(picture, "RGB").reduce(max(1, min(picture.size) // SMALL))
            counts, pixels = small.histogram(), small.width * small.height
    except InputError:  # reported where it is drawn, or it is not an image
        return None
    red, green, blue = (sum(value * counts[256 * band + value] for value in range(256)) for band in range(3))
    return red / pixels / 255, green / pixels / 255, blue / pixels / 255


AROUND = Pass(
    rule="mjcf/cube",
    reason="MuJoCo maps these images around a cube, and onto meshes without texture coordinates: their average "
    "colour replaces them",
    action="approximated",
    apply=_with_mean_colours,
)
