"""The looks that a document of ours shows of geoms, held against those of the scene that was written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from converters.assets import inside
from converters.assets.meshes.parts import PartMaterial
from converters.assets.shown import filed
from converters.context import InputError, Sample
from converters.gltf.ours.bodies import material_of
from converters.gltf.reasons import PACKED, SHADE
from converters.gltf.scene.materials import MAPS
from converters.gltf.scene.primitives import COLOURS
from converters.gltf.writing.images import image
from converters.gltf.writing.materials import silence
from converters.source.json import JsonObject
from ir.scene import Scene
from ir.types import WHITE, Geom, Material, Vec4


class Wear(Struct):
    """A document, and the scene that it was written of; rule: whose looks show where a mesh file has some."""

    root: JsonObject
    scene: Scene
    rule: str
    _read: dict[int, Material] = field(default_factory=dict)
    _pictures: dict[str, bool] = field(default_factory=dict)

    def differences(
        self, geom: Geom, mesh: int, samples: Sequence[Sample] | None
    ) -> Iterator[tuple[str, object, object]]:
        """What the pieces of a mesh show otherwise than a geom does. samples: what was read of its file, None where it
        is in none; one with colours at its corners is passed over."""
        pieces = self.root.children("meshes")[mesh].children("primitives")
        if samples is not None and len(samples) != len(pieces):
            return
        asset = self.scene.mesh_of(geom.shape)
        files = asset is not None and not inside.undressed(asset) and filed(geom, self.scene, self.rule)
        for number, piece in enumerate(pieces):
            said = piece.members.get("attributes", {})
            look = samples[number].look if samples is not None and files else None
            if COLOURS not in said:
                yield from self._differences(self._meant(geom, look), piece, "TEXCOORD_0" in said)

    def _differences(self, own: Material, piece: JsonObject, laid: bool) -> Iterator[tuple[str, object, object]]:
        there = self._there(piece)
        for name in ("rgba", "emissive", "metallic", "roughness"):
            ours, theirs = getattr(own, name), getattr(there, name)
            if not _near(ours, theirs):
                yield name, ours, theirs
        if own.double_sided and not there.double_sided:
            yield "double_sided", True, False
        images = {each.role: each.texture for each in own.maps if each.role in MAPS} | {"colour": own.texture}
        shown = {each.texture for each in there.maps} | {there.texture}
        for texture in images.values():
            if laid and texture is not None and texture not in shown and self._picture(texture):
                yield "texture", texture, there.texture
        if there.texture not in (None, own.texture):
            yield "texture", own.texture, there.texture

    def _meant(self, geom: Geom, brought: PartMaterial | None) -> Material:
        """What a geom shows, which may bring its look along from its file."""
        look, silent = self.scene.materials.get(geom.material or ""), silence(self.scene)
        if brought is not None:
            glow = (*brought.emissive, 1.0) if brought.emissive is not None else None
            metal, rough = brought.metallic or 0.0, brought.roughness
            look = Material(name=brought.name, rgba=brought.rgba, emissive=glow, metallic=metal, roughness=rough)
        elif look is None:
            look = Material(name=silent.name, rgba=silent.rgba)
        red, green, blue, alpha = map(_share, look.rgba or WHITE)
        veil = 1.0 - geom.transparency
        by_image = any(self._picture(each.texture) for each in look.maps if each.role in PACKED)
        glow = look.emissive if look.emissive is not None and any(value > 0.0 for value in look.emissive[:3]) else None
        if glow is None and any(each.role == "emissive" and self._picture(each.texture) for each in look.maps):
            glow = WHITE
        return Material(
            name=look.name,
            rgba=(red, green, blue, _share(alpha * veil)),
            emissive=glow and (max(glow[0], 0.0), max(glow[1], 0.0), max(glow[2], 0.0), 1.0),
            metallic=_share(look.metallic if look.metallic is not None else 1.0 if by_image else silent.metallic),
            roughness=_share(look.roughness if look.roughness is not None else 1.0 if by_image else silent.roughness),
            double_sided=look.double_sided,
            texture=look.texture,
            maps=look.maps,
        )

    def _there(self, piece: JsonObject) -> Material:
        entries = self.root.children("materials")
        number = piece.index("material", len(entries))
        if number is None:
            return Material(name="", rgba=WHITE, metallic=1.0, roughness=1.0)
        if number not in self._read:
            images = [node.text("name") for node in self.root.children("textures")]
            self._read[number] = material_of(entries[number], (), images)
        return self._read[number]

    def _picture(self, name: str) -> bool:
        """Whether a texture is one image that somebody can read."""
        if name not in self._pictures:
            asset = self.scene.assets.get(name)
            flat = asset is not None and dict(asset.parameters).get("type", "2d") == "2d"
            try:
                self._pictures[name] = bool(asset and asset.file and flat and image(inside.picture(asset), name))
            except InputError:
                self._pictures[name] = False
        return self._pictures[name]


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _near(ours: Vec4 | float | None, theirs: Vec4 | float | None) -> bool:
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return all(abs(one - other) <= SHADE * max(1.0, abs(one)) for one, other in zip(ours, theirs, strict=True))
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, abs_tol=SHADE)
    return ours is theirs
