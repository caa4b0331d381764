"""Shapes and colours of two models, geom by geom."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from converters.assets.inside import MARK, key, mesh as opened
from converters.assets.meshes.parts import MeshPart, submesh_of
from converters.assets.stamps import stamp
from converters.comparing.difference import Unlike, differing_numbers, pose_numbers
from converters.context import InputError
from ir.arrays import column_bounds, np
from ir.plain import to_plain
from ir.scene import Scene
from ir.types import Asset, Geom, Material, Mesh

SINGLE = 1e-6
"""Relative to the extent: tolerance of the bounds of meshes in different files, whose numbers have single precision."""
INSIDE = "an image inside another file"
ABSENT = "the file is not found"
TRAITS = ("specular", "shininess", "emissive", "metallic", "roughness", "reflectance", "repeat")
"""Fields of a material; the last of them is about its images."""
SHADE = 1 / 510
"""Half a step of eight bits."""

Split = Mapping[str, Sequence[Asset]]
"""Meshes without a file of their own, by the name of their assets, and the parts that represent them."""


def pairs(a: Scene, b: Scene) -> Iterator[tuple[str, Geom | None, Geom | None]]:
    """Pairs of geoms of bodies that both models have: by name if both know it, the others of a role in their order."""
    others = b.bodies
    for name, body in a.bodies.items():
        other = others.get(name)
        if other is None:
            continue
        theirs = {geom.name: geom for geom in other.geoms}
        ours = {geom.name: geom for geom in body.geoms}
        left = [geom for geom in other.geoms if geom.name not in ours]
        for geom in body.geoms:
            match = theirs.get(geom.name) or next((each for each in left if each.role == geom.role), None)
            if match is not None and match in left:
                left.remove(match)
            yield f"body/{name}.{geom.name}", geom, match
        yield from ((f"body/{name}.{geom.name}", None, geom) for geom in left)


def shapes(a: Scene, b: Scene, tolerance: float, split: tuple[Split, Split]) -> Iterator[Unlike]:
    """Roles, poses, kinds and sizes; for meshes the number of triangles and the bounds, if the files differ."""
    files: dict[object, _Extent | str] = {}
    known = (_Extents(a, split[0], files), _Extents(b, split[1], files))
    for where, ours, theirs in pairs(a, b):
        if ours is None or theirs is None:
            yield Unlike("geometry", where, _there(ours), _there(theirs))
            continue
        if ours.role != theirs.role:
            yield Unlike("geometry", f"{where}.role", ours.role, theirs.role)
        yield from pose_numbers("geometry", where, ours.pose, theirs.pose, tolerance)
        if isinstance(ours.shape, Mesh) and isinstance(theirs.shape, Mesh):
            yield from _meshes(where, ours.shape, theirs.shape, known, tolerance)
        elif type(ours.shape) is not type(theirs.shape):
            yield Unlike("geometry", f"{where}.shape", _kind(ours), _kind(theirs))
        else:
            yield from _sizes(where, ours, theirs, tolerance)


def _there(geom: Geom | None) -> str:
    return "missing" if geom is None else f"{geom.role} {_kind(geom)}"


def _kind(geom: Geom) -> str:
    return type(geom.shape).__name__.lower() if geom.shape is not None else "nothing"


def _sizes(where: str, ours: Geom, theirs: Geom, tolerance: float) -> Iterator[Unlike]:
    one, other = to_plain(ours.shape) or {}, to_plain(theirs.shape) or {}
    for field in dict.fromkeys([*one, *other]):
        first, second = one.get(field), other.get(field)
        if first == second:
            continue
        rows = [_flat(value) for value in (first, second)]
        if rows[0] is None or rows[1] is None or len(rows[0]) != len(rows[1]):
            yield Unlike("geometry", f"{where}.{field}", first, second)
        else:
            yield from differing_numbers(
                "geometry", f"{where}.{field}", rows[0], rows[1], tolerance, told=(first, second)
            )


def _flat(value: object) -> list[float] | None:
    """The numbers of a value, in order; None if it contains anything else."""
    if isinstance(value, (int, float)):
        return [float(value)]
    if not isinstance(value, list):
        return None
    rows = [_flat(item) for item in value]
    return None if any(row is None for row in rows) else [number for row in rows for number in row or ()]


# ------------------------------------------------------------------------------------------------------------- meshes


class _Extent(Struct, frozen=True):
    """Triangles and bounds of a mesh file, unscaled."""

    triangles: int
    low: tuple[float, ...]
    high: tuple[float, ...]


class _Extents(Struct, frozen=True):
    """The meshes of a scene, and a cache of file facts."""

    scene: Scene
    split: Split
    files: dict[object, _Extent | str]

    def extent(self, mesh: Mesh) -> _Extent | str:
        """Triangles and bounds of a mesh, of all its files together, or why they are not known."""
        asset = self.scene.assets.get(mesh.asset)
        whole = (asset,) if asset is not None and asset.file is not None else self.split.get(mesh.asset, (asset,))
        place = tuple(_place(each, mesh) for each in whole)
        if place not in self.files:
            self.files[place] = _extent(whole, mesh)
        return self.files[place]


def _meshes(where: str, ours: Mesh, theirs: Mesh, known: tuple[_Extents, _Extents], near: float) -> Iterator[Unlike]:
    assets = [each.scene.assets.get(mesh.asset) for each, mesh in zip(known, (ours, theirs), strict=True)]
    places = [_place(asset, mesh) for asset, mesh in zip(assets, (ours, theirs), strict=True)]
    if places[0] == places[1] or _one_address(assets):
        yield from differing_numbers("geometry", f"{where}.scale", ours.scale, theirs.scale, near)
        return
    extents = [each.extent(mesh) for each, mesh in zip(known, (ours, theirs), strict=True)]
    if isinstance(extents[0], str) or isinstance(extents[1], str):
        if extents[0] != extents[1]:
            yield Unlike("geometry", f"{where}.mesh", _extent_text(extents[0]), _extent_text(extents[1]))
        elif extents[0] == ABSENT:
            first, second = (asset.uri if asset is not None else "" for asset in assets)
            yield Unlike("geometry", f"{where}.mesh", first, second)
        elif (first := _content(assets[0])) != (second := _content(assets[1])):
            yield Unlike("geometry", f"{where}.mesh", f"{extents[0]} ({first})", f"{extents[1]} ({second})")
        return
    if extents[0].triangles != extents[1].triangles:
        by = float(abs(extents[0].triangles - extents[1].triangles))
        yield Unlike("geometry", f"{where}.triangles", extents[0].triangles, extents[1].triangles, by)
    bounds = [
        _scaled(extent, mesh.scale)
        for extent, mesh in zip(extents, (ours, theirs), strict=True)
        if isinstance(extent, _Extent)
    ]
    yield from differing_numbers("geometry", f"{where}.bounds", bounds[0], bounds[1], max(near, SINGLE))


def _extent_text(extent: _Extent | str) -> str:
    return extent if isinstance(extent, str) else f"{extent.triangles} triangles"


def _content(asset: Asset | None) -> str:
    """The checksum of a file that cannot be read as a mesh."""
    return stamp(asset.file) if asset is not None and asset.file is not None else ""


def _place(asset: Asset | None, mesh: Mesh) -> object:
    if asset is None or asset.file is None:
        return ("absent", asset.uri if asset is not None else "")
    return (os.path.realpath(asset.file), key(asset), mesh.submesh, mesh.centred)


def _one_address(assets: list[Asset | None]) -> bool:
    """Whether both name the same file, which is not found from one of them."""
    first, second = assets
    if first is None or second is None:
        return False
    return (first.file is None or second.file is None) and first.uri == second.uri


def _extent(assets: Sequence[Asset | None], mesh: Mesh) -> _Extent | str:
    parts: list[MeshPart] = []
    for asset in assets:
        if asset is None or asset.file is None:
            return ABSENT
        try:
            parts += opened(asset).parts
        except (InputError, ValueError):
            return f"cannot be read: {Path(asset.file).name}"
    shown = submesh_of(tuple(parts), mesh.submesh, mesh.centred)
    points = np.concatenate([part.vertices[np.unique(part.faces)] for part in shown])
    low, high = column_bounds(points)
    return _Extent(sum(len(part.faces) for part in shown), tuple(low.tolist()), tuple(high.tolist()))


def _scaled(extent: _Extent, scale: tuple[float, ...]) -> tuple[float, ...]:
    corners = [sorted((a * s, b * s)) for a, b, s in zip(extent.low, extent.high, scale, strict=True)]
    return tuple(corner[side] for side in (0, 1) for corner in corners)


# ------------------------------------------------------------------------------------------------------------ colours


def colours(a: Scene, b: Scene, tolerance: float) -> Iterator[Unlike]:
    """Colours and textures of geoms that both have, as display values. Half a step of eight bits is no difference."""
    for where, ours, theirs in pairs(a, b):
        if ours is None or theirs is None:
            continue
        yield from _tints(where, (a, b), (ours, theirs), tolerance)
        yield from _pictures(where, (a, b), (ours, theirs))
        one, other = a.look_of(ours), b.look_of(theirs)
        if one is not None and other is not None:
            yield from _traits(where, one, other, tolerance)


def _tints(where: str, scenes: Sequence[Scene], geoms: Sequence[Geom], tolerance: float) -> Iterator[Unlike]:
    """The colours of a geom in both scenes; of one without a colour, its transparency."""
    ours, theirs = geoms
    one, other = map(_colour, scenes, geoms)
    if (one is None) != (other is None):
        yield Unlike("colours", f"{where}.colour", one or "none", other or "none")
    elif one is not None and other is not None:
        by = max(abs(x - y) for x, y in zip(one, other, strict=True))
        if by > max(tolerance, SHADE if ours.material != theirs.material else tolerance):
            yield Unlike("colours", f"{where}.colour", one, other, by)
    elif (by := abs(ours.transparency - theirs.transparency)) > tolerance:
        yield Unlike("colours", f"{where}.transparency", ours.transparency, theirs.transparency, by)


def _pictures(where: str, scenes: Sequence[Scene], geoms: Sequence[Geom]) -> Iterator[Unlike]:
    """The images on a geom in both scenes: the pixels of those that are in no file, the names of files."""
    painted = [*map(_painted, scenes, geoms)]
    if all(painted) and painted[0] != painted[1]:
        told = [f"an image with crc32 {crc32(each):08x}" for each in painted]
        yield Unlike("colours", f"{where}.pixels", told[0], told[1])
    one, other = map(_texture, scenes, geoms)
    if one != other and not (one and other and INSIDE in (one, other)):
        yield Unlike("colours", f"{where}.texture", one or "none", other or "none")


def _traits(where: str, ours: Material, theirs: Material, tolerance: float) -> Iterator[Unlike]:
    """The reflection properties that both looks have; a missing one means something else in each format."""
    for field in TRAITS if ours.texture and theirs.texture else TRAITS[:-1]:
        one, other = getattr(ours, field), getattr(theirs, field)
        if one is None or other is None:
            continue
        rows = [value[:3] if isinstance(value, tuple) else (value,) for value in (one, other)]
        yield from differing_numbers("colours", f"{where}.{field}", rows[0], rows[1], tolerance, told=(one, other))


def _colour(scene: Scene, geom: Geom) -> tuple[float, ...] | None:
    """Red, green, blue and alpha in [0, 1], as display values, with the transparency of the geom."""
    material = scene.look_of(geom)
    if material is None or material.rgba is None:
        return None
    return (*material.rgba[:3], material.rgba[3] * (1.0 - geom.transparency))


def _image(scene: Scene, geom: Geom) -> Asset | None:
    material = scene.look_of(geom)
    return scene.image_of(material) if material is not None else None


def _painted(scene: Scene, geom: Geom) -> bytes:
    """The image that a document generates, and that is in no file."""
    asset = _image(scene, geom)
    return asset.made if asset is not None else b""


def _texture(scene: Scene, geom: Geom) -> str:
    asset = _image(scene, geom)
    if asset is not None and MARK in asset.uri:
        return INSIDE
    return Path(asset.uri or asset.name).stem if asset is not None else ""
