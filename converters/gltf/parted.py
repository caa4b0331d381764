"""Images that hold roughness and metal in one (3.9.2: green and blue), taken apart for formats that have an image for
each."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import InputError
from converters.format import Pass, Target
from ir.mapping import added, map_table
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Map, Material

BANDS = {"metallicRoughness": {"roughness": "G", "metallic": "B"}}
BANDS["orm"] = {"occlusion": "R"} | BANDS["metallicRoughness"]
"""By the role of an image, those of its parts, and where these are."""


def _apply(scene: Scene, _: Target) -> Scene:
    made: dict[tuple[str, str], Asset] = {}

    def parted(material: Material) -> Material:
        maps: list[Map] = []
        for each in material.maps:
            asset, bands = scene.assets.get(each.texture), BANDS.get(each.role, {})
            parts = [(role, _part(scene, asset, role, band, made)) for role, band in bands.items() if asset is not None]
            whole = any(part is None for _, part in parts) or not parts
            maps += [each] if whole else [Map(role=role, texture=part) for role, part in parts if part is not None]
        return replace(material, maps=tuple(maps)) if tuple(maps) != material.maps else material

    return added(map_table(scene, "material", parted), "asset", made.values())


def _part(scene: Scene, asset: Asset, role: str, band: str, made: dict[tuple[str, str], Asset]) -> str | None:
    """The name of the asset of one channel of an image, which is made once; None where the image cannot be read."""
    from converters.assets import inside
    from converters.assets.textures import channel

    key = (asset.name, role)
    if key not in made:
        if asset.file is None:
            return None
        try:
            content = channel(inside.picture(asset), band, asset.name)
        except InputError:  # whoever packs the file says so
            return None
        name = unique(f"{asset.name}_{role}", {*scene.assets, *(each.name for each in made.values())})
        made[key] = replace(asset, name=name, label=None, uri="", made=content, parameters=(), extras=())
    return made[key].name


PARTED = Pass(
    rule="gltf/packed",
    reason="roughness and metal are channels of one image in glTF; the target has an image for each, made of it",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.images_apart,
    apply=_apply,
)
