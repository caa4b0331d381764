"""Materials, textures and images of a document as those of the graph (glTF 2.0, 3.8 and 3.9)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.colours import to_display, to_linear
from converters.gltf.data.container import fetch, inside
from converters.gltf.data.extensions import GLOSSINESS, STRENGTH, TRANSFORM, WEBP, extension
from converters.gltf.data.raw import members
from converters.gltf.scene.primitives import one_colour
from converters.source.json import JsonObject
from ir.names import label_of, unique
from ir.scene import Scene
from ir.types import WHITE, Asset, Map, Material, Parameters, Vec4

IMAGES = ("image/png", "image/jpeg", "image/webp", "image/ktx2", "image/jpg", "application/octet-stream")
SIGNATURES = {
    "image/png": (0, b"\x89PNG"),
    "image/jpeg": (0, b"\xff\xd8\xff"),
    "image/webp": (8, b"WEBP"),
    "image/ktx2": (0, b"\xabKTX 20"),
}
"""Media type -> offset of its signature in a file, and the signature."""
ONCE = (1.0, 1.0)
PACKED = "metallicRoughness"
MAPS = ("normal", "occlusion", "emissive", PACKED, "orm")
"""Images of a glTF material other than that of the colour (3.9), by their role in the graph."""
LAID_OUT = (("offset", [0, 0]), ("rotation", 0), ("scale", [1, 1]))
"""Members of KHR_texture_transform and their defaults."""
STRAIGHT = (0, *(repr(usual) for _, usual in LAID_OUT))


class SceneMaterials(Struct):
    """Materials that are used, and the images that they show."""

    root: JsonObject
    scene: Scene
    context: ReaderContext
    accessors: Accessors
    inner: bool = False
    """Whether images in files next to the document are addressed inside it, like all others."""
    materials: list[JsonObject] = field(default_factory=list)
    _known: dict[int, str] = field(default_factory=dict)
    _dyed: dict[tuple[str | None, tuple[float, ...]], str] = field(default_factory=dict)
    _images: dict[int, str] = field(default_factory=dict)
    _next: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.materials = self.root.children("materials")

    def of(self, primitive: JsonObject) -> str | None:
        """Return the graph name of the material of a primitive, multiplied by the colour that all its vertices share;
        None for the default material."""
        index = primitive.index("material", len(self.materials))
        if index is not None and index not in self._known:
            self._known[index] = self._add(index, self.materials[index])
        plain = None if index is None else self._known[index]
        tint = one_colour(self.root, primitive, self.accessors)
        if tint is None or tint == WHITE:
            return plain
        if (plain, tint) not in self._dyed:
            self._dyed[plain, tint] = self._tinted(plain, tint, primitive)
        return self._dyed[plain, tint]

    def _tinted(self, plain: str | None, tint: tuple[float, ...], primitive: JsonObject) -> str:
        """Return the name of a material whose colour is multiplied by a linear one."""
        base = Material(name="vertex_colour", source=primitive.source)
        if plain is not None:
            base = replace(self.scene.materials[plain], name=f"{plain}_dyed", label=None, extras=())
        *rgb, alpha = base.rgba or WHITE
        name = self.unique("material", base.name)
        product = (a * b for a, b in zip(to_linear(tuple(rgb)), tint, strict=False))
        self.scene.add("material", replace(base, name=name, rgba=(*to_display(tuple(product)), alpha * tint[3])))
        return name

    def unique(self, kind: str, name: str) -> str:
        """Return the name, or like ir.names.unique one that is not yet in the table, in time that does not grow with
        the number of similar names."""
        found = unique(name, self.scene.tables[kind], self._next.get((kind, name), 1))
        if found != name:
            self._next[kind, name] = int(found.removeprefix(f"{name}_")) + 1
        return found

    def _add(self, index: int, node: JsonObject) -> str:
        authored = node.text("name")
        name = self.unique("material", authored or f"material_{index}")
        where = f"material/{name}"
        rough = node.child("pbrMetallicRoughness")
        glossy = extension(node, GLOSSINESS) if rough is None else None
        mode = node.text("alphaMode") or "OPAQUE"
        if mode not in ("OPAQUE", "MASK", "BLEND"):
            node.refuse("alphaMode", f"is {mode!r}; known are OPAQUE, MASK and BLEND")
            mode = "OPAQUE"
        rgba = base_colour(node)
        texture = rough.child("baseColorTexture") if rough is not None else None
        if glossy is not None:
            diffuse, texture = colour(glossy, "diffuseFactor", 4), glossy.child("diffuseTexture")
            red, green, blue, alpha = diffuse or rgba
        else:
            red, green, blue, alpha = rgba
        shown = 1.0 if mode == "OPAQUE" else alpha
        if mode == "MASK" and texture is None:
            shown = 1.0 if alpha >= (node.number("alphaCutoff", 0.5) or 0.0) else 0.0
        if shown != alpha:
            reason = "the material is opaque" + (" whatever its alpha" if mode == "OPAQUE" else ", or not seen at all")
            before, after = f"{alpha:g}", f"{shown:g}"
            self.context.note(
                "gltf/opaque-alpha", where, reason, node.source, before=before, after=after, action="ignored"
            )
            alpha = shown
        picture = texture.attempt(self.texture, texture, where) if texture is not None else None
        self.scene.add(
            "material",
            Material(
                name=name,
                label=label_of(name, authored),
                rgba=(red, green, blue, alpha),
                texture=picture,
                emissive=emission(node),
                maps=self._maps(node, rough, texture, where),
                metallic=_share_of_material(rough, "metallicFactor"),
                roughness=_share_of_material(rough, "roughnessFactor"),
                double_sided=node.boolean("doubleSided"),
                parameters=alpha_of(node, mode, alpha),
                source=node.source,
                extras=node.rest(),
            ),
        )
        return name

    def _maps(
        self, node: JsonObject, rough: JsonObject | None, colour_of: JsonObject | None, where: str
    ) -> tuple[Map, ...]:
        """Return the images other than that of the colour that have the same texture transform (which the triangles
        have); others, and missing ones, stay unread."""
        count, infos = len(self.root.children("textures")), dict[str, JsonObject]()
        usual = _layout_of_image(colour_of.members) if colour_of is not None else STRAIGHT
        for holder, role in ((node, "normal"), (node, "occlusion"), (rough, PACKED), (node, "emissive")):
            said = holder.members.get(f"{role}Texture") if holder is not None else None
            if not isinstance(said, dict) or said.get("index") not in range(count) or _layout_of_image(said) != usual:
                continue
            if role == "emissive" and not any(_linear_colour(node, "emissiveFactor", 3) or ()):
                continue  # no emission: the factor multiplies the image by 0
            info = holder.child(f"{role}Texture") if holder is not None else None
            infos |= {role: info} if info is not None else {}
        shown = {role: info.attempt(self.texture, info, where) for role, info in infos.items()}
        if shown.get(PACKED) is not None and shown.get("occlusion") == shown[PACKED]:
            shown["orm"] = shown.pop(PACKED)
            del shown["occlusion"]
        return tuple(Map(role=role, texture=name) for role in MAPS if (name := shown.get(role)) is not None)

    # ---------------------------------------------------------------- images

    def texture(self, info: JsonObject, where: str) -> str | None:
        """Return the asset of the image that a texture shows; None, with a note, if it has none in a known format."""
        textures = self.root.children("textures")
        index = info.given("index", info.index("index", len(textures)))
        if index is None:
            raise info.fail("index", "is missing")
        moved = extension(info, TRANSFORM)
        if moved is not None and moved.integer("texCoord") is not None:
            info.ignore("texCoord", "gltf/overridden")
        else:
            info.integer("texCoord")
        if moved is not None:
            for key, size in (("offset", 2), ("scale", 2)):
                moved.vector(key, size)
            moved.number("rotation")
        images = self.root.children("images")
        source = textures[index].index("source", len(images))
        if source is None:
            webp = extension(textures[index], WEBP)
            source = webp.index("source", len(images)) if webp is not None else None
        if source is None:
            reason = "the texture has no image in PNG, JPEG or WebP"
            self.context.note("gltf/no-image", where, reason, textures[index].source, action="dropped")
            return None
        if source not in self._images:
            self._images[source] = self._image(source, images[source])
        return self._images[source]

    def _image(self, index: int, node: JsonObject) -> str:
        """Add an asset for an image: a file next to the document, or a part of the document."""
        uri = node.text("uri")
        kind = node.text("mimeType")
        outside = uri is not None and uri[:5].lower() != "data:" and not self.inner
        authored = node.text("name")
        stem = PurePosixPath(unquote(uri)).stem if outside and uri else ""
        name = self.unique("asset", authored or stem or f"image_{index}")
        label = label_of(name, authored)
        if outside:
            assert uri is not None
            address, (file, rule) = unquote(uri), self._found(node, uri, name)
        else:
            part = f"images/{index}"
            address, file, rule = self.address(part), self.context.file, "inside"
            self._check_type(index, kind, node)
            if uri is None:
                view = node.index("bufferView", len(self.root.children("bufferViews")))
                if view is None or kind is None:
                    raise node.fail(None, "has neither a uri nor a bufferView with its mimeType")
        self.scene.add(
            "asset",
            Asset(
                name=name,
                label=label,
                uri=address,
                kind="texture",
                file=file,
                rule=rule,
                source=node.source,
                extras=node.rest(),
            ),
        )
        return name

    def _check_type(self, index: int, kind: str | None, node: JsonObject) -> None:
        """Note an embedded image whose type differs from the declared one; its content decides. Bytes after the image
        in its view are unused."""
        data = image_bytes(self.root, self.accessors, index, self.context)
        view = node.index("bufferView", len(self.root.children("bufferViews")))
        if view is not None and "uri" not in node:
            self.accessors.used[view] = _length_of_image(data)
        found = next((name for name, (at, mark) in SIGNATURES.items() if data[at:].startswith(mark)), None)
        if kind is not None and found != kind:
            reason = "the image is of another type than stated"
            where = f"asset/image_{index}"
            self.context.note("gltf/image-type", where, reason, node.source, before=kind, after=found or "")

    def address(self, part: str) -> str:
        """Return the uri of a part of the document."""
        return f"{Path(self.context.file).name}#/{part}"

    def _found(self, node: JsonObject, uri: str, name: str) -> tuple[str | None, str]:
        """Return the path of an image file next to the document; note if it is missing or outside the folder."""
        if uri in self.context.beside or unquote(uri) in self.context.beside:
            return str(self.context.folder / unquote(uri)), "relative"
        try:
            path = inside(node, uri, self.context.folder)
            if path.is_file():
                return str(path), "relative"
            reason = "there is no such file in the folder of the model"
        except InputError as error:
            reason = error.message
        if not self.context.again:
            self.context.note(
                "assets/missing", f"asset/{name}", reason, node.place("uri"), before=uri, action="dropped"
            )
        return None, ""


def image_bytes(root: JsonObject, accessors: Accessors, index: int, context: ReaderContext) -> bytes:
    """Return the bytes of an image of a document. Raises InputError."""
    images = root.children("images")
    if index >= len(images):
        raise root.fail("images", f"has no number {index}")
    node = images[index]
    uri = node.text("uri")
    if uri is not None:
        return fetch(node, uri, IMAGES, context)
    view = node.index("bufferView", len(root.children("bufferViews")))
    if view is None:
        raise node.fail(None, "has neither a uri nor a bufferView")
    return bytes(accessors.view(view))


def _length_of_image(data: bytes) -> int:
    """Return the length of an image at the start of these bytes."""
    last = {b"\x89PNG": (b"IEND", 8), b"\xff\xd8\xff": (b"\xff\xd9", 2)}
    mark, size = next((found for start, found in last.items() if data.startswith(start)), (b"", 0))
    at = data.rfind(mark) if mark else -1
    return len(data) if at < 0 else min(at + size, len(data))


def _layout_of_image(info: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the texture coordinate set of an image, and their transform (KHR_texture_transform)."""
    said = members(info, "extensions", TRANSFORM)
    number = said.get("texCoord", info.get("texCoord", 0))
    return number, *(repr(said.get(key, usual)) for key, usual in LAID_OUT)


def colour(node: JsonObject, key: str, size: int) -> tuple[float, ...] | None:
    """Return a linear colour as display (sRGB) values, alpha unchanged. Raises InputError for values outside [0, 1]."""
    values = _linear_colour(node, key, size)
    return None if values is None else (*to_display(values[:3]), *values[3:])


def _linear_colour(node: JsonObject, key: str, size: int) -> tuple[float, ...] | None:
    values = node.vector(key, size)
    if values is None:
        return None
    if any(not -1e-6 <= value <= 1.0 + 1e-6 for value in values):
        node.refuse(key, "must hold numbers between 0 and 1")
        return None
    return tuple(min(max(value, 0.0), 1.0) for value in values)


def base_colour(node: JsonObject) -> Vec4:
    """Return the base colour of a material as display values with alpha, white if not given. Raises InputError."""
    rough = node.child("pbrMetallicRoughness")
    factor = colour(rough, "baseColorFactor", 4) if rough is not None else None
    red, green, blue, alpha = factor or WHITE
    return red, green, blue, alpha


def emission(node: JsonObject) -> Vec4 | None:
    """Return the emission as a display colour, above 1 by KHR_materials_emissive_strength. Raises InputError."""
    glow = _linear_colour(node, "emissiveFactor", 3)
    bright = extension(node, STRENGTH)
    strength = bright.number("emissiveStrength", 1.0) if bright is not None else 1.0
    if glow is None or not any(glow) or strength is None:
        return None
    return (*to_display(tuple(value * strength for value in glow), math.inf), 1.0)


def _share_of_material(node: JsonObject | None, key: str) -> float | None:
    """Return a factor between 0 and 1; it is 1 if not given (3.9.2)."""
    if node is None:
        return None
    value = node.number(key, 1.0)
    if value is None or not -1e-6 <= value <= 1.0 + 1e-6:
        node.refuse(key, "must be between 0 and 1")
        return 1.0
    return min(max(value, 0.0), 1.0)


def alpha_of(node: JsonObject, mode: str, alpha: float) -> Parameters:
    """Return the alpha mode as parameters, if it is not the usual one."""
    if mode == "MASK":
        cutoff = node.number("alphaCutoff", 0.5)
        return (("alphaMode", mode), ("alphaCutoff", repr(cutoff)))
    return (("alphaMode", mode),) if mode == "BLEND" and alpha == 1.0 else ()
