"""Passes for scenes read from glTF that go to another format: they make defaults of glTF explicit in the graph and
split packed images (roughness and metalness: green and blue, 3.9.2)."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import InputError
from converters.format import Pass, Target
from converters.passes.contacts import default_self_collision
from converters.passes.friction import PLAIN, differing, friction_rule
from converters.passes.looks import default_colour
from ir.mapping import added, map_bodies, map_table
from ir.names import unique
from ir.scene import Scene
from ir.types import WHITE, Asset, Map, Material

BANDS = {"metallicRoughness": {"roughness": "G", "metallic": "B"}}
BANDS["orm"] = {"occlusion": "R"} | BANDS["metallicRoughness"]
"""Role of a packed image -> the roles of its parts and their channels."""


def _with_images_apart(scene: Scene, _: Target) -> Scene:
    made: dict[tuple[str, str], Asset] = {}

    def parted(material: Material) -> Material:
        maps: list[Map] = []
        for each in material.maps:
            asset, bands = scene.assets.get(each.texture), BANDS.get(each.role, {})
            parts = [
                (role, _image_of_channel(scene, asset, role, band, made))
                for role, band in bands.items()
                if asset is not None
            ]
            whole = any(part is None for _, part in parts) or not parts
            maps += [each] if whole else [Map(role=role, texture=part) for role, part in parts if part is not None]
        return replace(material, maps=tuple(maps)) if tuple(maps) != material.maps else material

    return added(map_table(scene, "material", parted), "asset", made.values())


def _image_of_channel(
    scene: Scene, asset: Asset, role: str, band: str, made: dict[tuple[str, str], Asset]
) -> str | None:
    """Return the name of the asset of one channel of an image, created once; None if the image cannot be read."""
    from converters.assets import inside
    from converters.assets.textures import channel

    key = (asset.name, role)
    if key not in made:
        if asset.file is None:
            return None
        try:
            content = channel(inside.picture(asset), band, asset.name)
        except InputError:  # reported when the asset is packed
            return None
        name = unique(f"{asset.name}_{role}", {*scene.assets, *(each.name for each in made.values())})
        made[key] = replace(asset, name=name, label=None, uri="", made=content, parameters=(), extras=())
    return made[key].name


PARTED = Pass(
    rule="gltf/packed",
    reason="roughness and metalness are channels of one image in glTF; the target gets an image for each",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.images_apart,
    apply=_with_images_apart,
)


DEFAULT = "white"
"""Name of the material of geoms without one, in a document and on the way to another format."""


def _with_touching_colliders(scene: Scene, _: Target) -> Scene:
    return map_bodies(scene, lambda body: replace(body, self_collide=True) if body.self_collide is None else body)


TOUCHING = Pass(
    rule="gltf/self-collide",
    reason="colliders collide unless a filter or a joint between their bodies excludes it",
    severity="note",
    wanted=lambda target: target.fits.parent_child_collide,
    apply=_with_touching_colliders,
)


def passes() -> tuple[Pass, ...]:
    """Without a material, a surface is white (3.7.2.1); colliders collide unless a filter excludes it."""
    white = default_colour(DEFAULT, WHITE, "gltf/default-material", "the default material of glTF is white")
    average = "materials of KHR_physics_rigid_bodies use the mean of two frictions unless they set another rule"
    return (
        white,
        TOUCHING,
        default_self_collision("gltf/self-collide"),
        *friction_rule("gltf/friction-combine", average, differing),
        PLAIN,
        PARTED,
    )
