"""Appearance: the colour and the image of each piece of a geom."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets import inside
from converters.assets.heights import open_image
from converters.assets.meshes.files import PartMaterial
from converters.assets.shown import shown_file_look as shown, shows_vertex_colours
from converters.context import InputError, WriterContext
from ir.arrays import Bytes, Floats, np
from ir.scene import Scene
from ir.types import WHITE, Asset, Geom, Role, Vec2, Vec3, Vec4

PLAIN: Vec4 = (0.75, 0.76, 0.78, 1.0)
"""Colour of geoms without one."""
COLLISION: Vec4 = (0.93, 0.48, 0.18, 1.0)
"""Colour of collision geoms; transparent where visual geoms are shown too."""
THROUGH = 0.4
FINEST = 1024
"""Pixels of the longer edge of an image; a larger one is reduced once, rather than at every pixel of the picture."""


class Look(Struct, frozen=True, eq=False):
    """Display colour and alpha; multiplied by an image (h, w, 4), which is repeated `repeat` times over u and v
    (Material.repeat). blended: may be transparent. dyed: multiplied by vertex colours."""

    rgba: Vec4
    image: Bytes | None = None
    repeat: Vec2 = (1.0, 1.0)
    glow: Vec3 = (0.0, 0.0, 0.0)
    blended: bool = False
    double_sided: bool = False
    dyed: bool = False


class LookTable(Struct):
    """Every distinct look and every image once."""

    scene: Scene
    context: WriterContext
    _known: dict[object, Look] = field(default_factory=dict)
    _images: dict[Path | bytes, Bytes | None] = field(default_factory=dict)

    def of(self, geom: Geom, own: PartMaterial | None, textured: bool, tinted: bool = False) -> Look:
        """Return the look of a piece of a geom: that of the mesh file, if shown. tinted: it has vertex colours."""
        own = shown(own, geom, self.scene, self.context.looks)
        tinted = tinted and shows_vertex_colours(geom, self.scene, self.context.looks)
        if own is None and tinted and not inside.shows_part(geom, self.scene):
            own = PartMaterial(name="", rgba=WHITE)
        unsaid = geom.material if own is None else None
        key = (own, unsaid, geom.role == Role.COLLISION, geom.transparency, textured, tinted)
        if key not in self._known:
            self._known[key] = replace(self._look(geom, own, textured), dyed=tinted)
        return self._known[key]

    def _look(self, geom: Geom, own: PartMaterial | None, textured: bool) -> Look:
        material = self.scene.look_of(geom)
        picture: Path | bytes | None = None
        glow: tuple[float, ...] | None = None
        double, repeat = False, (1.0, 1.0)
        if own is not None:
            rgba, glow, double = own.rgba, own.emissive, own.double_sided
            picture = own.picture
        elif material is not None:
            rgba, glow, double = material.rgba or WHITE, material.emissive, material.double_sided
            asset = self.scene.image_of(material)
            if asset is not None and asset.file is not None and dict(asset.parameters).get("type", "2d") != "cube":
                picture, repeat = self._file(asset), material.repeat
        elif geom.role == Role.COLLISION:
            rgba = COLLISION
            if self.context.options.show == "both":
                rgba = (*COLLISION[:3], THROUGH)
        else:
            rgba = PLAIN
        image = self._image(picture) if picture is not None and textured else None
        red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in rgba)
        alpha *= 1.0 - min(max(geom.transparency, 0.0), 1.0)
        blended = alpha < 1.0 or (image is not None and bool((image[..., 3] < 255).any()))
        shine = (glow[0], glow[1], glow[2]) if glow is not None else (0.0, 0.0, 0.0)
        return Look((red, green, blue, alpha), image, repeat, shine, blended, double)

    def _file(self, asset: Asset) -> Path | bytes | None:
        try:
            return inside.picture(asset)
        except InputError as error:
            self._lost(asset.uri, error)
            return None

    def _lost(self, name: str, error: InputError) -> None:
        self.context.note("picture/texture", "asset", error.message, before=name, action="dropped", severity="note")

    def _image(self, picture: Path | bytes) -> Bytes | None:
        if picture not in self._images:
            name = str(picture) if isinstance(picture, Path) else "an image inside of a mesh"
            try:
                self._images[picture] = pixels(picture, name)
            except InputError as error:
                self._images[picture] = None
                self._lost(name, error)
        return self._images[picture]


def pixels(picture: Path | bytes, name: str) -> Bytes:
    """Return the image as (h, w, 4). Raises InputError."""
    found: Bytes = open_image(picture, name, "RGBA", FINEST)
    return found


def sampled(image: Bytes, uvs: Floats, repeat: Vec2) -> Floats:
    """Return display colours and alpha (n, 4) in [0, 1] at uvs (n, 2), wrapped, with bilinear interpolation. The image
    is repeated `repeat` times over u and v, from its upper left corner."""
    height, width = image.shape[:2]
    x, y = uvs[:, 0] * (repeat[0] * width) - 0.5, (1.0 - uvs[:, 1]) * (repeat[1] * height) - 0.5
    x, y = np.nan_to_num(x, posinf=0.0, neginf=0.0), np.nan_to_num(y, posinf=0.0, neginf=0.0)
    left, top = np.floor(x), np.floor(y)
    right, down = (x - left)[:, None], (y - top)[:, None]
    a, b = (np.mod(left + step, width).astype(np.int64) for step in (0, 1))
    c, d = (np.mod(top + step, height).astype(np.int64) for step in (0, 1))
    upper = image[c, a] * (1 - right) + image[c, b] * right
    lower = image[d, a] * (1 - right) + image[d, b] * right
    found: Floats = (upper * (1 - down) + lower * down) / 255.0
    return found
