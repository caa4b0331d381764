"""Looks of an OBJ that was made of a part of another file, by the material library that was made with it, compared with
those that the graph, or that file, gives."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from converters.assets import pictures
from converters.assets.inside import LOOKS, part_of, picture
from converters.assets.meshes.mtl import materials
from converters.assets.shown import shown_file_look
from converters.audit.files import Content
from converters.audit.readback import ReadBack
from converters.context import InputError
from ir.diff import Difference
from ir.scene import Scene
from ir.types import WHITE, Asset, Geom, Vec3, Vec4

ROUNDED = 1e-5
"""Tolerance of colours, which are written with six digits."""
DARK: Vec3 = (0.0, 0.0, 0.0)
_LIBRARY, _USED = re.compile(rb"mtllib (.+)"), re.compile(rb"usemtl (.+)")


class _Look(NamedTuple):
    rgba: Vec4
    glow: Vec3
    image: Content | None


def wrong_obj_looks(back: ReadBack) -> Iterator[Difference]:
    """Meshes made of a part of another file whose material library gives other looks than the geoms that were written
    have."""
    fitted = back.fitted
    for geom in fitted.geoms():
        asset = fitted.mesh_of(geom.shape)
        if asset is None or not part_of(asset) or not geom.seen:
            continue
        brought = _looks_of_file(asset, geom, back)
        meant = brought or _looks_of_graph(geom, fitted)
        for part in back.parts(geom.name):
            shown = back.again.mesh_of(part.shape)
            made = _looks_used(shown.uri, back.files.lying) if shown is not None else None
            if made is None or (not made and not brought):  # not an OBJ, or the document gives the look
                continue
            if len(made) != len(meant) or not all(map(_same_look, meant, made)):
                before, after = ([each and each.rgba for each in looks] for looks in (meant, made))
                path, look = ("asset", asset.name, "colour"), fitted.look_of(geom)
                at = look.source if look is not None else geom.source
                yield Difference(path, "beside.colour", "different", before, after, at)


def _looks_of_file(asset: Asset, geom: Geom, back: ReadBack) -> list[_Look]:
    """The looks that the parts of a mesh have in its own file."""
    if asset.file is None or LOOKS not in dict(asset.parameters):
        return []
    held = [each.material for each in back.samples(asset) or () if each.triangles]
    looks = dict.fromkeys(
        look for each in held if (look := shown_file_look(each, geom, back.fitted, back.looks)) is not None
    )
    return [_Look(look.rgba, look.emissive or DARK, look.picture) for look in looks]


def _looks_of_graph(geom: Geom, scene: Scene) -> list[_Look]:
    """The look that the graph gives to a geom."""
    look = scene.look_of(geom)
    if look is None:
        return []
    asset, glow = scene.image_of(look), look.emissive or (*DARK, 1.0)
    try:
        image = picture(asset) if asset is not None and asset.file is not None else None
    except InputError:  # the file that should contain it does not
        image = None
    return [_Look(look.rgba or WHITE, glow[:3], image)]


def _looks_used(uri: str, find: Callable[[str], Content | None]) -> list[_Look | None] | None:
    """The looks that an OBJ uses, in order, with None for one that its library lacks; None if it is no OBJ."""
    text = find(uri)
    if not isinstance(text, bytes) or not uri.lower().endswith(".obj"):
        return None
    library = _LIBRARY.match(text)
    folder = posixpath.dirname(uri)
    entries = find(posixpath.join(folder, library[1].decode())) if library is not None else None
    held = materials(entries, Path, []) if isinstance(entries, bytes) else {}
    looks: list[_Look | None] = []
    for name in dict.fromkeys(_USED.findall(text)):
        look = held.get(name.decode())
        image = find(posixpath.join(folder, str(look.texture))) if look is not None and look.texture else None
        looks.append(_Look(look.rgba, look.emissive or DARK, image) if look is not None else None)
    return looks or [None] * (library is not None)


def _has_image(look: _Look) -> bool:
    """Whether a look has an image that can be decoded."""
    return look.image is not None and pictures.readable(look.image)


def _same_look(meant: _Look, made: _Look | None) -> bool:
    if made is None or _has_image(made) != _has_image(meant):
        return False
    dark = made.image is not None and meant.rgba[:3] == DARK  # black with an image is taken for a mistake
    pairs = zip((*meant.rgba, *meant.glow), (*made.rgba, *made.glow), strict=True)
    if any(abs(one - other) > ROUNDED for one, other in [*pairs][3 * dark :]):
        return False
    if made.image is None or meant.image is None or not _has_image(made):
        return True
    try:
        return pictures.same(pictures.content(made.image), pictures.content(meant.image))
    except (InputError, OSError):
        return False
