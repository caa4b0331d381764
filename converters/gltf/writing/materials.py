"""Looks of geoms as materials: display colours become linear (3.9.2), images are embedded or put next to the file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace
from pygltflib import (
    Image,
    Material,
    NormalMaterialTexture,
    OcclusionTextureInfo,
    PbrMetallicRoughness,
    Texture,
    TextureInfo,
)

from converters.assets import inside
from converters.assets.meshes.files import PartMaterial
from converters.assets.shown import shown_file_look as shown, shows_vertex_colours
from converters.assets.textures import MEDIA, content, pack_metal_roughness
from converters.context import InputError, WriterContext
from converters.gltf.data.binary import Binary
from converters.gltf.data.colours import to_linear
from converters.gltf.data.extensions import MARK, STRENGTH, TRANSFORM
from converters.gltf.interpret import DEFAULT
from converters.gltf.ours.graph import KEPT, Dye
from converters.gltf.scene.materials import MAPS, ONCE, PACKED
from converters.gltf.writing.geometry import Finish
from converters.gltf.writing.images import image, see_through
from ir.names import Spares
from ir.scene import Scene
from ir.types import WHITE, Geom, Material as Look, Mesh, Role, Vec3, Vec4


class Silence(Struct, frozen=True):
    """Defaults of a look for what the source does not give."""

    name: str
    rgba: Vec4
    """Display colour."""
    metallic: float
    roughness: float


SIMULATED = Silence("plain", (0.8, 0.8, 0.8, 1.0), 0.0, 0.7)
"""Defaults of simulators and viewers."""
GLTF = Silence(DEFAULT, WHITE, 1.0, 1.0)
"""Defaults of the specification (3.9.6)."""


def silence_of(scene: Scene) -> Silence:
    """Return the defaults of a scene: those of glTF if the graph was read from glTF."""
    return GLTF if MARK in scene.notation else SIMULATED


DYED = PartMaterial(name="colours", rgba=WHITE)
"""Look of parts with vertex colours and no other look."""
APART = ("roughness", "metallic")
"""Roles of images that glTF combines in one."""
COLLISION: Vec4 = (0.9, 0.4, 0.1, 0.5)
"""Colour of geoms that are only displayed as collision shapes."""


class _Shown(Struct, frozen=True):
    """What a material shows, in display colours; asset: the texture of the graph that picture comes from."""

    name: str
    rgba: Vec4
    picture: Path | bytes | None = None
    asset: str | None = None
    glow: Vec3 | None = None
    metallic: float = SIMULATED.metallic
    roughness: float = SIMULATED.roughness
    double_sided: bool = False


class MaterialTable(Struct):
    """Every distinct look once. files: images next to the document, if they are not embedded."""

    scene: Scene
    context: WriterContext
    binary: Binary
    embedded: bool = True
    materials: list[Material] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    """Assets whose images materials show."""
    used: set[str] = field(default_factory=set)
    """Extensions that materials need."""
    dyed: set[int] = field(default_factory=set)
    """Materials that are multiplied by vertex colours."""
    written: list[Dye] = field(default_factory=list)
    """What each material shows."""
    brought: dict[tuple[str, PartMaterial], Look] = field(default_factory=dict)
    """Looks that files give to parts of assets, and the corresponding materials."""
    _known: dict[object, int] = field(default_factory=dict)
    _pictures: dict[str, Path | bytes | None] = field(default_factory=dict)
    _images: dict[Path | bytes, tuple[int, bool] | None] = field(default_factory=dict)
    _data: dict[bytes, int] = field(default_factory=dict)
    _textures: dict[tuple[int, str | None], int] = field(default_factory=dict)
    _names: Spares = field(default_factory=Spares)
    """Names of the graph are reserved for its own materials."""
    _called: set[str] = field(default_factory=set)
    _places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        before = self.context.original or self.scene
        self._names = Spares([*self.scene.materials, *before.materials])

    def of(self, geom: Geom, finish: Finish) -> int:
        """Return the index of the material of a piece of a geom: that of the mesh file if it is shown."""
        own = shown(finish.material, geom, self.scene, self.context.looks)
        tinted = finish.dyed and shows_vertex_colours(geom, self.scene, self.context.looks)
        if own is None and tinted and not inside.shows_part(geom, self.scene):
            own = DYED
        look = self.scene.look_of(geom) if own is None else None
        bare = own is None and look is None and geom.role in Role.SEEN
        clear = tinted and finish.clear
        key = (own, look.name if look else None, geom.transparency, finish.solid, finish.textured, bare, tinted, clear)
        if key not in self._known:
            self._known[key] = self._add(own, look, geom, finish, clear)
        if tinted:
            self.dyed.add(self._known[key])
        if own is not None and isinstance(geom.shape, Mesh):
            held = self.written[self._known[key]].look
            self.brought[geom.shape.asset, own] = replace(held, double_sided=own.double_sided)
        return self._known[key]

    def bumpy(self, geom: Geom, finish: Finish) -> bool:
        """Whether a piece of a geom shows a normal map."""
        look = self.scene.look_of(geom)
        if look is None or not finish.textured or shown(finish.material, geom, self.scene, self.context.looks):
            return False
        return any(each.role == "normal" and self._picture(each.texture) is not None for each in look.maps)

    def _add(self, own: PartMaterial | None, look: Look | None, geom: Geom, finish: Finish, clear: bool) -> int:
        """clear: some vertex colours are transparent."""
        source = self._source(own, look, geom)
        picture = source.picture if finish.textured else None
        texture = self._texture(picture, source.asset, f"material/{source.name}") if picture is not None else None
        rgba = (*source.rgba[:3], min(max(source.rgba[3] * (1.0 - geom.transparency), 0.0), 1.0))
        material = Material(
            name=self._name(source.name or "material", look if own is None else None),
            pbrMetallicRoughness=PbrMetallicRoughness(
                baseColorFactor=[*to_linear(rgba[:3]), rgba[3]],
                metallicFactor=_between_0_and_1(source.metallic),
                roughnessFactor=_between_0_and_1(source.roughness),
                baseColorTexture=texture and TextureInfo(index=texture[0], extensions=self._moved(look)),
            ),
            doubleSided=source.double_sided or not (finish.solid or silence_of(self.scene) is GLTF),
        )
        _let_through(material, look if geom.transparency == 0 else None, clear or bool(texture and texture[1]))
        glow = self._map(material, look, source.glow) if look is not None and finish.textured else source.glow
        if glow is not None and any(value > 0 for value in glow):
            self._glow(material, glow)
        self.materials.append(material)
        known = None if own is not None else look.name if look is not None else ""
        image_of = None if texture is None else source.asset or ""
        bare = Look(
            name=material.name,
            emissive=None if glow is None else (*glow, 1.0),
            metallic=own.metallic if own is not None else None,
            roughness=own.roughness if own is not None else None,
        )
        self.written.append(Dye(known, replace(look or bare, name=material.name, rgba=rgba, texture=image_of)))
        return len(self.materials) - 1

    def _name(self, wanted: str, look: Look | None) -> str:
        """Return a free name; a graph material's name is reserved for its own look."""
        if look is None or look.name in self._called:
            return self._names.of(wanted)
        self._called.add(look.name)
        return look.name

    def _source(self, own: PartMaterial | None, look: Look | None, geom: Geom) -> _Shown:
        """Return what is shown: the look of a mesh file, that of the graph, or the default."""
        if own is not None:
            picture = own.image or (Path(own.texture) if own.texture is not None else None)
            share = own.metallic or 0.0, SIMULATED.roughness if own.roughness is None else own.roughness
            return _Shown(own.name, own.rgba, picture, None, own.emissive, *share, own.double_sided)
        silent = silence_of(self.scene)
        if look is None:
            plain = _Shown(silent.name, silent.rgba, metallic=silent.metallic, roughness=silent.roughness)
            return plain if geom.role in Role.SEEN else _Shown("collision", COLLISION)
        return _Shown(
            look.name,
            look.rgba or WHITE,
            self._picture(look.texture) if look.texture is not None else None,
            look.texture,
            look.emissive[:3] if look.emissive is not None else None,
            look.metallic if look.metallic is not None else silent.metallic,
            look.roughness if look.roughness is not None else silent.roughness,
            bool(look.double_sided),
        )

    def _glow(self, material: Material, glow: Vec3) -> None:
        """Make a material emit light; a value above 1 uses a separate strength (KHR_materials_emissive_strength)."""
        light = to_linear(glow, math.inf)
        strength = max(1.0, *light)
        material.emissiveFactor = [value / strength for value in light]
        if strength > 1.0:
            self.used.add(STRENGTH)
            material.extensions[STRENGTH] = {"emissiveStrength": strength}

    def _map(self, material: Material, look: Look, glow: Vec3 | None) -> Vec3 | None:
        """Give a material its images other than that of the colour; return its emission factor, to multiply its image.

        Factors that the source does not give are 1 where an image exists.
        """
        rough = self._packed(look)
        for each in look.maps:
            picture = self._picture(each.texture) if each.role in MAPS else None
            texture = self._texture(picture, each.texture, f"material/{look.name}") if picture is not None else None
            if texture is None:
                continue
            moved = self._moved(look)
            if each.role == "normal":
                material.normalTexture = NormalMaterialTexture(index=texture[0], extensions=moved)
            elif each.role == "emissive":
                material.emissiveTexture = TextureInfo(index=texture[0], extensions=moved)
                glow = glow or (1.0, 1.0, 1.0)
            elif each.role != PACKED:
                material.occlusionTexture = OcclusionTextureInfo(index=texture[0], extensions=moved)
            if each.role in (PACKED, "orm"):
                rough = texture[0]
        if rough is not None:
            pbr = material.pbrMetallicRoughness
            pbr.metallicRoughnessTexture = TextureInfo(index=rough, extensions=self._moved(look))
            pbr.metallicFactor = _between_0_and_1(look.metallic if look.metallic is not None else 1.0)
            pbr.roughnessFactor = _between_0_and_1(look.roughness if look.roughness is not None else 1.0)
        return glow

    def _packed(self, look: Look) -> int | None:
        """Return a texture that combines the roughness and metalness images, which the source has separately."""
        roles = {each.role: each.texture for each in reversed(look.maps)}
        apart = {role: picture for role in APART if (picture := self._picture(roles.get(role, ""))) is not None}
        if not apart or PACKED in roles or "orm" in roles:
            return None
        where = f"material/{look.name}"
        try:
            data = pack_metal_roughness(apart.get("roughness"), apart.get("metallic"), look.name)
        except InputError as error:
            self.context.note("assets/unreadable", where, error.message, before=look.name, action="dropped")
            return None
        texture = self._texture(data, None, where)
        return texture[0] if texture is not None else None

    def _moved(self, look: Look | None) -> dict[str, Any]:
        if look is None or look.repeat == ONCE:
            return {}
        self.used.add(TRANSFORM)
        return {TRANSFORM: {"scale": list(look.repeat)}}

    def _picture(self, name: str) -> Path | bytes | None:
        """Return the image of a texture; None if it has none, or is a cube map."""
        asset = self.scene.assets.get(name)
        if asset is None or asset.file is None or dict(asset.parameters).get("type", "2d") != "2d":
            return None
        if name not in self._pictures:
            try:
                self._pictures[name] = inside.picture(asset)
            except InputError as error:
                self.context.note(
                    "assets/unreadable", f"asset/{name}", error.message, before=asset.uri, action="dropped"
                )
                self._pictures[name] = None
        return self._pictures[name]

    def _texture(self, picture: Path | bytes, asset: str | None, where: str) -> tuple[int, bool] | None:
        """Return the texture of an image, possibly from an asset, and whether it has transparency.

        None, with a note, if it cannot be read.
        """
        if picture not in self._images:
            name = picture.stem if isinstance(picture, Path) else asset or f"image{len(self.images)}"
            called = str(picture) if isinstance(picture, Path) else name
            try:
                data, kind = image(picture, called)
                through = see_through(data, called)
            except InputError as error:
                before = picture.name if isinstance(picture, Path) else name
                self.context.note("assets/unreadable", where, error.message, before=before, action="dropped")
                self._images[picture] = None
            else:
                self._images[picture] = self._embed(data, kind, name), through
        found = self._images[picture]
        if found is None:
            return None
        number, through = found
        if asset is not None:
            self.shown.add(asset)
        if (number, asset) not in self._textures:
            self.textures.append(Texture(source=number, name=asset))
            self._textures[number, asset] = len(self.textures) - 1
        return self._textures[number, asset], through

    def keep(self, name: str, exact: bool = False) -> bool:
        """Embed the image of an asset that no material shows; exact: unchanged, rather than as displayed. Return
        whether it is embedded."""
        asset, kept = self.scene.assets.get(name), f"{KEPT}{name}"
        if any(each.name == kept for each in self.images):
            return True
        if asset is None or asset.file is None:
            return False
        try:
            picture = inside.picture(asset)
            data = content(picture, asset.uri)
            kind = next((kind for kind, start in MEDIA.items() if data.startswith(start)), None)
            if kind is None or not exact:
                data, kind = image(picture, name)
        except InputError:  # reported where it is drawn, or it is not an image
            return False
        if asset.made and asset.uri:
            self.context.note(
                "gltf/height-image",
                f"asset/{name}",
                "a height field file that is no image is stored as an image, square with 2^n + 1 pixels a side, "
                "with interpolated heights: it is used where the file is not found",
                asset.source,
                before=asset.uri,
                action="approximated",
            )
        self.images.append(self._image(data, kind, kept))
        return True

    def _embed(self, data: bytes, kind: str, name: str) -> int:
        """Add an image and return its index; equal images are stored once."""
        if data not in self._data:
            self.images.append(self._image(data, kind, name))
            self._data[data] = len(self.images) - 1
        return self._data[data]

    def _image(self, data: bytes, kind: str, name: str) -> Image:
        if self.embedded:
            return Image(name=name, bufferView=self.binary.blob(data), mimeType=kind)
        suffix, stem = ".png" if kind == "image/png" else ".jpg", name.removeprefix(KEPT).replace("/", "_")
        place = inside.free(f"{self.context.asset_folder}/{stem}", suffix, self._places)
        self.files[place] = data
        return Image(name=name, uri=quote(place))


def _let_through(material: Material, look: Look | None, picture: bool) -> None:
    """Set the alpha mode: that of the look (scene.materials.alpha_of), otherwise by content. picture: whether the
    colour image has transparency."""
    said = dict(look.parameters) if look is not None else {}
    material.alphaMode = "BLEND" if picture or material.pbrMetallicRoughness.baseColorFactor[3] < 1.0 else "OPAQUE"
    if said.get("alphaMode") in ("MASK", "BLEND"):
        material.alphaMode = said["alphaMode"]
    if material.alphaMode == "MASK":
        material.alphaCutoff = float(said.get("alphaCutoff", 0.5))


def _between_0_and_1(value: float) -> float:
    return min(max(value, 0.0), 1.0)
