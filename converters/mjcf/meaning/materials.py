"""Appearance of MJCF models in the graph: layers, repeated images, and generated images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from msgspec.structs import replace

from converters.assets.tessellate import ENDLESS
from converters.format import Fits, Pass, Target
from converters.mjcf.assets.elements import asset_name
from converters.mjcf.assets.geometry import with_content
from converters.mjcf.assets.procedural import painted_texture
from converters.mjcf.assets.shading import EXPONENT
from converters.mjcf.bodies.geoms import GREY
from converters.mjcf.document.extras import said_by
from converters.passes.looks import default_colour, default_highlight
from converters.source.text import so_many_numbers
from converters.source.tree import fragment
from ir.scene import Scene
from ir.types import WHITE, Asset, Geom, Map, Material, Plane

COLOUR = ("rgb", "rgba")
"""Roles of a layer that contains the colour itself."""
ROLES = ("normal", "occlusion", "roughness", "metallic", "opacity", "emissive", "orm")


def _with_layers_and_repetition(scene: Scene, target: Target) -> Scene:
    textures = {asset_name(asset): asset for asset in scene.assets.values() if asset.kind == "texture"}
    geoms = [*scene.geoms()]
    own = {geom.material for geom in geoms if geom.inline}
    planes = _plane_sizes(geoms)
    materials = []
    for material in scene.materials.values():  # rgba of a geom replaces that of its material, of which the rest applies
        base = scene.materials.get(material.label or "") if material.name in own else None
        repeat = _repetition(said_by((base or material).extras), planes.get(material.name, set()))
        materials.append(_look_in_terms_of_graph(material, base or material, repeat, textures, target.fits))
    used = {name for each in materials for name in (each.texture, *(layer.texture for layer in each.maps))}
    assets = [_with_painted_image(asset) if asset.name in used else asset for asset in scene.assets.values()]
    pairs = [*zip(materials, scene.materials.values(), strict=True), *zip(assets, scene.assets.values(), strict=True)]
    if all(new is old for new, old in pairs):
        return scene
    return scene.evolve(tables={"material": materials, "asset": assets})


def _plane_sizes(geoms: Iterable[Geom]) -> dict[str | None, set[tuple[float, float]]]:
    """Return, for each material, the sizes of the planes that use it."""
    found: dict[str | None, set[tuple[float, float]]] = {}
    for geom in geoms:
        if isinstance(geom.shape, Plane):
            found.setdefault(geom.material, set()).add(geom.shape.size)
    return found


def _look_in_terms_of_graph(
    material: Material, base: Material, repeat: tuple[float, float] | None, textures: Mapping[str, Asset], fits: Fits
) -> Material:
    found: dict[str, Any] = {}
    layers = [
        (role, asset)
        for role, word in _layers_of_material(base)
        if (asset := _texture_named(word, base, textures)) is not None
    ]
    colour = next((asset for role, asset in layers if role in COLOUR), None)
    if material.texture is None and colour is not None:
        found["texture"] = colour.name
    maps = [Map(role=role, texture=asset.name) for role, asset in layers if role in ROLES]
    if maps and fits.physical_looks:
        found["maps"] = tuple(sorted(maps, key=lambda each: ROLES.index(each.role)))
    if material.rgba is None and (colour or material.texture) is None:
        found["rgba"] = WHITE
    if repeat not in (None, material.repeat) and (colour or material.texture or maps):
        found["repeat"] = repeat
    if fits.physical_looks and material.roughness is None and material.shininess is not None:
        found["roughness"] = rough(material.shininess)
    return replace(material, **found) if found else material


def _repetition(said: Mapping[str, str], planes: Set[tuple[float, float]]) -> tuple[float, float] | None:
    """Return how often an image is repeated on the geoms that use it, given the sizes of planes.

    With texuniform, or along an infinite side, texrepeat counts repetitions per 2 metres (measured in images of MuJoCo
    4); planes of several sizes would need several materials.
    """
    uniform = said.get("texuniform") == "true"
    repeat = so_many_numbers(said.get("texrepeat", "1 1"), 2)
    if repeat is None or (uniform and len(planes) != 1):
        return None
    (size,) = planes if len(planes) == 1 else ((1.0, 1.0),)
    x, y = (
        times * (side or ENDLESS) / 2 if uniform or not side else times
        for times, side in zip(repeat, size, strict=True)
    )
    return x, y


def rough(exponent: float) -> float:
    """Return the glTF roughness that is as sharp as a Blinn-Phong exponent (Karis 2013: its square is the width of the
    lobe, whose square is 2 / (exponent + 2))."""
    return float((2 / (max(exponent, 0.0) + 2)) ** 0.25)


def _layers_of_material(material: Material) -> list[tuple[str, str]]:
    """Return role and texture of each layer, as the author gives them."""
    found = []
    for extra in material.extras:
        if extra.path.startswith("layer["):
            try:
                element = fragment(extra.text)
            except ValueError:  # the carried text was edited
                continue
            found.append((element.attrs.get("role", ""), element.attrs.get("texture", "")))
    return found


def _texture_named(word: str, material: Material, textures: Mapping[str, Asset]) -> Asset | None:
    """Return the texture with that name, in the model that is attached under the prefix of the material."""
    names = (material.name[:end] + word for end in range(len(material.name), -1, -1))
    return next((textures[name] for name in names if name in textures), None)


def _with_painted_image(asset: Asset) -> Asset:
    """Return the texture with the image that the compiler generates."""
    if asset.made or dict(asset.parameters).get("type", "2d") != "2d":
        return asset
    content = painted_texture(said_by(asset.extras))
    return with_content(asset, content) if content is not None else asset


LOOKS = Pass(
    rule="mjcf/looks",
    reason="layers and repetition of an MJCF material, its default colour (white), and generated images, in "
    "the target's own form",
    severity="note",
    apply=_with_layers_and_repetition,
)


PLAIN_GREY = default_colour(
    "grey", GREY, "mjcf/grey", "MuJoCo draws geoms without a colour in grey; elsewhere the colour is left to the viewer"
)
"""GREY is the rgba of a geom whose author gives none, or gives this value."""


GLOSS = default_highlight(
    0.5, 0.5 * EXPONENT, "mjcf/default-gloss", "a material of MuJoCo has specular 0.5 and shininess 0.5 by default"
)
