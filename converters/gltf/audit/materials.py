"""Looks of surfaces in a document of ours, compared with those of the scene and of mesh files: colours, and the content
of images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from msgspec import Struct, field

from converters.assets import inside
from converters.assets.meshes.parts import PartMaterial
from converters.assets.pictures import content, readable, same
from converters.assets.shown import overlay_key, shown_file_look, shows_vertex_colours
from converters.context import InputError, Sample
from converters.gltf.audit.triangles import COLOURS, ROUNDED, UVS, corners_of
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.colours import to_linear
from converters.gltf.data.extensions import MARK, STRENGTH, TRANSFORM
from converters.gltf.ours.graph import KEPT
from converters.gltf.writing.materials import SIMULATED, Silence, silence_of
from ir.diff import Said
from ir.scene import Scene
from ir.shapes import HEIGHT_KINDS
from ir.types import WHITE, Asset, Geom, Material, Mesh, Role


class ShownMaterials(Struct):
    """looks: which ones take precedence, those of the model or of a mesh file (assets.shown)."""

    members: Mapping[str, Any]
    accessors: Accessors
    beside: Mapping[str, bytes | Path]
    scene: Scene
    looks: str
    _told: dict[object, list[Said]] = field(default_factory=dict)
    _known: dict[object, list[Said]] = field(default_factory=dict)
    _alike: dict[tuple[int, Path | bytes | str], bool] = field(default_factory=dict)

    def image_differences(self) -> Iterator[Said]:
        """Yield images that represent assets of the graph but differ from theirs: (asset, its file, the image)."""
        images = self.members.get("images", ())
        named = [(each.get("name"), each.get("source")) for each in self.members.get("textures", ())]
        kept = ((each.get("name") or "", number) for number, each in enumerate(images))
        named += [(name.removeprefix(KEPT), number) for name, number in kept if name.startswith(KEPT)]
        for name, number in named:
            asset = self.scene.assets.get(name or "")
            if asset is None or asset.file is None or asset.kind in HEIGHT_KINDS or not isinstance(number, int):
                continue
            if not self._is_picture(number, asset):
                yield asset.name, asset.uri or asset.name, f"image {number}"

    def differences(self, geom: Geom, mesh: int, samples: Sequence[Sample]) -> list[Said]:
        """Return how the look shown for a geom differs from its own. samples: of its mesh file, empty for a shape."""
        shape, over = geom.shape, overlay_key(geom) if self.scene.brought else ""
        known = (
            mesh,
            shape.asset if isinstance(shape, Mesh) else "",
            geom.material,
            geom.transparency,
            geom.role,
            over,
        )
        if known not in self._told:
            self._told[known] = self._mesh_differences(geom, mesh, samples)
        return self._told[known]

    def _mesh_differences(self, geom: Geom, mesh: int, samples: Sequence[Sample]) -> list[Said]:
        try:
            primitives = self.members["meshes"][mesh]["primitives"]
            parts = [*samples[: len(primitives)], *[None] * (len(primitives) - len(samples))]
            return [
                said for pair in zip(primitives, parts, strict=True) for said in self._piece_differences(geom, *pair)
            ]
        except (IndexError, KeyError, TypeError):
            return [("look", geom.material, None)]

    def _piece_differences(self, geom: Geom, primitive: Mapping[str, Any], sample: Sample | None) -> Sequence[Said]:
        look = self._look_of_file(geom, sample)
        tinted = (
            sample is not None
            and corners_of(sample).colours is not None
            and shows_vertex_colours(geom, self.scene, self.looks)
        )
        alone = look is None and tinted and not inside.shows_part(geom, self.scene)
        meant: PartMaterial | Material | None = None if alone else look or self.scene.look_of(geom)
        attributes = primitive["attributes"]
        named = look or (None if meant is None else meant.name)
        known = (primitive.get("material"), named, geom.transparency, UVS in attributes, tinted, alone, sample is None)
        if known not in self._known:
            found: list[Said] = [("colours", tinted, not tinted)] if tinted != (COLOURS in attributes) else []
            number = primitive.get("material")
            entry = self.members["materials"][number] if number is not None else {}
            if meant is not None:
                found += self._material_differences(entry, meant, geom, UVS in attributes)
            of_scene = isinstance(meant, Material) or (meant is None and not alone and geom.role in Role.SEEN)
            silent = silence_of(self.scene) if of_scene else SIMULATED
            found += _share_differences(entry.get("pbrMetallicRoughness", {}), meant, silent)
            if sample is not None and MARK not in self.scene.notation and not entry.get("doubleSided"):
                found.append(("double_sided", True, False))
            self._known[known] = found
        return self._known[known]

    def _look_of_file(self, geom: Geom, sample: Sample | None) -> PartMaterial | None:
        """Return the look that a mesh file gives to a part, if shown; a part made from a piece of a file has none."""
        asset = self.scene.mesh_of(geom.shape)
        if sample is None or asset is None or not inside.looking(asset):
            return None
        return shown_file_look(sample.material, geom, self.scene, self.looks)

    def _material_differences(
        self, entry: Mapping[str, Any], look: PartMaterial | Material, geom: Geom, textured: bool
    ) -> Iterator[Said]:
        pbr = entry.get("pbrMetallicRoughness", {})
        red, green, blue, alpha = look.rgba or WHITE
        alpha = min(max(alpha * (1.0 - geom.transparency), 0.0), 1.0)
        meant, there = (*to_linear((red, green, blue)), alpha), tuple(pbr.get("baseColorFactor", (1.0,) * 4))
        if not _close(meant, there):
            yield "rgba", meant, there
        mode, said = entry.get("alphaMode", "OPAQUE"), {}
        if isinstance(look, Material) and geom.transparency == 0:
            said = dict(look.parameters)
        wanted = said.get("alphaMode") if said.get("alphaMode") in ("MASK", "BLEND") else None
        if mode != wanted if wanted else mode not in (("BLEND",) if alpha < 1.0 else ("OPAQUE", "BLEND")):
            yield "alpha_mode", wanted or "BLEND", mode
        if look.double_sided and not entry.get("doubleSided"):
            yield "double_sided", True, False
        picture, info = self._picture_of_look(look), pbr.get("baseColorTexture")
        if picture is not None and textured:
            yield from self._texture_differences(picture, info, look)
        elif info is not None:
            yield "texture", None, info
        if isinstance(look, PartMaterial):
            meant_, found = look.emissive or (0.0, 0.0, 0.0), entry.get("emissiveFactor", (0.0, 0.0, 0.0))
            strength = entry.get("extensions", {}).get(STRENGTH, {}).get("emissiveStrength", 1.0)
            if not _close(to_linear(meant_), [each * strength for each in found]):
                yield "emissive", meant_, found

    def _texture_differences(self, picture: Path | bytes, info: Any, look: PartMaterial | Material) -> Iterator[Said]:
        textures = self.members.get("textures", ())
        name = picture.name if isinstance(picture, Path) else look.name
        if info is None:
            if readable(picture):
                yield "texture", name, None
            return
        source = textures[info.get("index", -1)].get("source") if info.get("index", -1) < len(textures) else None
        if source is None or info.get("texCoord") or not self._is_picture(source, picture):
            yield "texture", name, info
        repeat = look.repeat if isinstance(look, Material) else (1.0, 1.0)
        if not _close(repeat, info.get("extensions", {}).get(TRANSFORM, {}).get("scale", (1.0, 1.0))):
            yield "repeat", repeat, info

    def _picture_of_look(self, look: PartMaterial | Material) -> Path | bytes | None:
        if isinstance(look, PartMaterial):
            return look.picture
        asset = self.scene.image_of(look)
        flat = asset is not None and asset.file is not None and dict(asset.parameters).get("type", "2d") == "2d"
        try:
            return inside.picture(asset) if asset is not None and flat else None
        except InputError:  # the file that should contain it does not
            return None

    def _is_picture(self, number: int, picture: Path | bytes | Asset) -> bool:
        """Whether an image of the document is equal to a picture."""
        key = number, picture.name if isinstance(picture, Asset) else picture
        if key not in self._alike:
            try:
                own_ = inside.picture(picture) if isinstance(picture, Asset) else picture
                self._alike[key] = same(self._bytes_of_image(self.members["images"][number]), content(own_))
            except (IndexError, KeyError, TypeError, ValueError, InputError):
                self._alike[key] = False
        return self._alike[key]

    def _bytes_of_image(self, image: Mapping[str, Any]) -> bytes:
        if "uri" not in image:
            return bytes(self.accessors.view(image["bufferView"]))
        return content(self.beside[unquote(image["uri"])])


def _share_differences(pbr: Mapping[str, Any], look: PartMaterial | Material | None, silent: Silence) -> Iterator[Said]:
    """silent: the default metalness and roughness of a surface. If an image gives them, the factor is 1."""
    mapped = isinstance(look, Material) and "metallicRoughnessTexture" in pbr
    for name in ("metallic", "roughness"):
        share = getattr(look, name, None)
        meant = share if share is not None else 1.0 if mapped else getattr(silent, name)
        if not _close((min(max(meant, 0.0), 1.0),), (pbr.get(f"{name}Factor", 1.0),)):
            yield name, share, pbr.get(f"{name}Factor")


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(abs(a - b) <= ROUNDED * max(1.0, abs(a)) for a, b in pairs)
