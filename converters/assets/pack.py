"""Placing the files of a scene beside the output: copied where MuJoCo reads them unchanged, else written as OBJ.

Rules measured with MuJoCo 4.0.0 (mesh inertia="shell" on geoms with contype = conaffinity = 0):
- STL must be binary, 84 + 50 n bytes exactly, 1 to 200 000 faces, finite, below 2^30; a first word `solid` is fine.
- OBJ keeps the faces of its first object (`o` or `g`) and the vertices of all; usemtl does not split; vertices without
  a face enter the hull; vn or vt at only some corners fail; so do a byte-order mark or a continued line.
- A mesh needs 4 vertices (equal ones count in OBJ, not in STL) and a surface of 1e-15 m^2 at its scale, even if visual.
- A flat visual mesh loads only with inertia="shell", a colliding one never: a thin box must replace it.
- Degenerate faces, inside-out and open meshes, mirroring scales load. Explicit inertials are not changed.
- Textures: complete PNG of any kind; nothing else. A material file is never read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Unpack
from zlib import crc32

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets import inside
from converters.assets.copies import ENOUGH, Copied, as_it_is, bounds_of
from converters.assets.folders import real_file
from converters.assets.meshes.extent import dimensions, surface_area
from converters.assets.meshes.files import load
from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial
from converters.assets.stamps import originals
from converters.assets.textures import png
from converters.context import InputError, Note, NoteDetails
from converters.paths import tidied, way_to
from ir.scene import Scene
from ir.types import Asset, HeightField, Mesh, Vec3

SMALLEST_SURFACE = 1e-14
"""Square metres at the scale of the geom; ten times the area that MuJoCo refuses."""


LEAST_VERTICES = 4


class PackedPart(Struct, frozen=True, kw_only=True):
    """One file of an asset. bounds are opposite corners in metres, unscaled, in the frame of the file.

    flat: its vertices are in a plane, so it has no hull. material.texture is a path relative to the output, like file.
    surface is a lower bound in square metres, unscaled.
    """

    file: str
    name: str
    material: PartMaterial | None
    flat: bool
    bounds: tuple[Vec3, Vec3]
    faces: int
    vertices: int
    surface: float = float("inf")


class Packed(Struct, frozen=True, kw_only=True):
    """Files by path relative to the output; parts of mesh assets by asset and area scale (only parts with enough
    surface at that scale); files of textures and height fields by asset."""

    files: Mapping[str, bytes | Path] = field(default_factory=dict)
    meshes: Mapping[tuple[str, float], tuple[PackedPart, ...]] = field(default_factory=dict)
    textures: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


def pack(
    scene: Scene, folder: str, hidden: frozenset[str] = frozenset(), unused: bool = False, base: Path | None = None
) -> Packed:
    """Every mesh that a geom uses and every texture that a material uses, as files below folder (relative, posix).

    hidden: meshes whose own looks nobody is to see (assets.shown). unused: also images inside other files that nothing
    here shows, as they are, for the way back. base: the folder of the output, whose document names files where they lie
    as long as they need not be made into others (--meshes reference); None: all are copied.
    Assets without a file are left out, unreadable ones too, with a note. Never raises for what a file holds.
    """
    named = {os.path.basename(asset.file).lower() for asset in scene.assets.values() if asset.file}
    shelf = _Shelf(folder, hidden, frozenset(named), base)
    meshes: dict[tuple[str, float], tuple[PackedPart, ...]] = {}
    for name, scale in _used_meshes(scene):
        asset = scene.assets.get(name)
        if asset is not None and asset.file is not None:
            meshes[name, scale] = shelf.mesh(asset, Path(asset.file), scale)
    images = {asset.name: asset for asset in map(scene.image_of, scene.materials.values()) if asset and asset.file}
    textures = {name: place for name, asset in images.items() if (place := shelf.image(asset)) is not None}
    placed_fields = {name: shelf.image(scene.assets[name]) for name in _used_fields(scene)}
    fields = {name: place for name, place in placed_fields.items() if place is not None}
    for asset in scene.assets.values() if unused else ():  # the output does not refer to them: kept for the way back
        if asset.kind == "texture" and asset.file is not None and asset.name not in images and inside.part_of(asset):
            shelf.keep(asset)
    return Packed(
        files=shelf.files,
        meshes={key: parts for key, parts in meshes.items() if parts},
        textures=textures,
        fields=fields,
        notes=tuple(shelf.notes),
    )


def _used_fields(scene: Scene) -> list[str]:
    """Return the height fields that geoms use and that have a file."""
    shapes = [geom.shape for geom in scene.geoms()]
    names = dict.fromkeys(shape.asset for shape in shapes if isinstance(shape, HeightField))
    return [name for name in names if scene.assets[name].file is not None]


def _used_meshes(scene: Scene) -> list[tuple[str, float]]:
    """Return the mesh assets that geoms use, each with its area scales (shrinking), in the order of use."""
    shapes = [geom.shape for geom in scene.geoms()]
    used = dict.fromkeys((shape.asset, shrinking(shape.scale)) for shape in shapes if isinstance(shape, Mesh))
    first = {name: number for number, (name, _) in reversed([*enumerate(used)])}
    return sorted(used, key=lambda item: (first[item[0]], -item[1]))


def shrinking(scale: Vec3) -> float:
    """Return the factor by which a scale shrinks surface area: the smallest product of two factors."""
    small, middle, _ = sorted(map(abs, scale))
    return small * middle or middle


class _Shelf(Struct):
    """The files placed so far. Equal content is placed once; names are unique regardless of case."""

    folder: str
    hidden: frozenset[str]
    named: frozenset[str]
    """Names of the source's files, in lower case. Generated files never use them: the source file may already be there,
    as itself or as a copy beside another output."""
    base: Path | None
    files: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    _numbers: dict[tuple[str, bool], int] = field(default_factory=dict)
    """The last number appended to each name, so that the next search continues from it."""
    _alone: dict[tuple[object, ...], str] = field(default_factory=dict)
    """Files by size and suffix, while unique; where several share these, "", and each is entered by a checksum of its
    start as well, and finally by a digest of all of it. Each file is read only as far as needed to tell it from the
    others."""
    _meshes: dict[tuple[str, bool, float], tuple[PackedPart, ...]] = field(default_factory=dict)
    _whole: dict[tuple[str, bool], tuple[PackedPart, ...]] = field(default_factory=dict)
    """Results at the first scale; they also apply at other scales at which every part has enough surface."""
    _made: dict[tuple[str, bool, float], tuple[tuple[PackedPart, ...], list[Note]]] = field(default_factory=dict)
    _original: Callable[[str], str] = field(default_factory=originals)
    _textures: dict[str, str | None] = field(default_factory=dict)
    _folders: dict[str, str] = field(default_factory=dict)
    """Folder -> its real path."""

    # ----------------------------------------------------------------------------------------- meshes

    def mesh(self, asset: Asset, path: Path, scale: float) -> tuple[PackedPart, ...]:
        file = real_file(str(path), path.is_symlink(), self._folders)
        real = (file + inside.key(asset), asset.name in self.hidden)
        whole = self._whole.get(real)
        if whole is not None and all(part.surface * scale > SMALLEST_SURFACE for part in whole):
            return whole
        if (*real, scale) not in self._meshes:
            dropped = len(self.notes)
            parts = self._alike(asset, path, scale, self._original(file))
            if not any(note.rule == "assets/degenerate" for note in self.notes[dropped:]):
                self._whole[real] = parts
            self._meshes[*real, scale] = parts
        return self._meshes[*real, scale]

    def _alike(self, asset: Asset, path: Path, scale: float, original: str) -> tuple[PackedPart, ...]:
        """Return the files of a mesh, made once for all files with the content of original; notes on one are repeated
        for each."""
        key, told = (original + inside.key(asset), asset.name in self.hidden, scale), len(self.notes)
        if key in self._made:
            parts, notes = self._made[key]
            self.notes += [replace(note, where=f"asset/{asset.name}", source=asset.source) for note in notes]
            return parts
        try:
            parts = self._mesh(asset, path, scale)
        except InputError as error:
            self._note(asset, "assets/unreadable", error.message, before=path.name, action="dropped")
            return ()
        self._made[key] = parts, self.notes[told:]
        return parts

    def _mesh(self, asset: Asset, path: Path, scale: float) -> tuple[PackedPart, ...]:
        if inside.part_of(asset):
            return self._parts(asset, Path(asset.name), inside.mesh(asset), scale)
        copied = as_it_is(path)
        if isinstance(copied, Copied):
            if copied.vertices >= LEAST_VERTICES and copied.surface * scale > SMALLEST_SURFACE:
                if copied.content is not None:
                    self._say_lost(asset, copied.content)
                return (self._copy(asset, path, copied),)
            copied = None
        if copied is None:
            copied = load(path)
        return self._parts(asset, path, copied, scale)

    def _parts(self, asset: Asset, path: Path, content: MeshFile, scale: float) -> tuple[PackedPart, ...]:
        """Return the parts of a mesh as separate files, named after path."""
        self._say_lost(asset, content)
        parts = []
        for part in content.parts:
            if (
                surface_area(part.vertices, part.faces, SMALLEST_SURFACE / scale if scale else 0.0) * scale
                <= SMALLEST_SURFACE
            ):
                before, reason = f"{path.name}: {part.name}", "a part without surface cannot be shown"
                self._note(asset, "assets/degenerate", reason, before=before, action="dropped")
            else:
                parts.append(part)
        several = len(parts) > 1 or inside.part_of(asset) != ""  # m.obj may belong to a URDF beside it, with its .mtl
        packed = tuple(
            self._write(asset, path, part, f"{path.stem}_{i}" if several else path.stem) for i, part in enumerate(parts)
        )
        if packed:
            names = ", ".join(sorted(dict.fromkeys(part.file.rpartition("/")[2] for part in packed)))
            reason = "the target does not read this file as it is: it was converted"
            said: NoteDetails = {"before": path.name, "after": names, "action": "derived", "severity": "note"}
            self._note(asset, "assets/transcoded", reason, **said)
        return packed

    def _copy(self, asset: Asset, path: Path, copied: Copied) -> PackedPart:
        return PackedPart(
            file=self.place(path, path.stem, path.suffix),
            name=path.stem,
            material=self._dressed(asset, copied.material, path.stem),
            flat=copied.flat,
            bounds=copied.bounds,
            faces=copied.faces,
            vertices=copied.vertices,
            surface=copied.surface,
        )

    def _write(self, asset: Asset, path: Path, part: MeshPart, stem: str) -> PackedPart:
        from converters.assets.meshes.obj_text import obj_text

        count = len(part.vertices)
        if count < LEAST_VERTICES:
            reason = f"the target needs at least {LEAST_VERTICES} vertices; one was repeated"
            before, after = str(count), str(LEAST_VERTICES)
            said: NoteDetails = {"before": before, "after": after, "action": "derived", "severity": "note"}
            self._note(asset, "assets/too-few-vertices", reason, **said)
        return PackedPart(
            file=self.place(obj_text(part, LEAST_VERTICES), stem, ".obj"),
            name=part.name,
            material=self._dressed(asset, part.material, path.stem),
            flat=dimensions(part.vertices) < 3,
            bounds=bounds_of(part.vertices),
            faces=len(part.faces),
            vertices=max(count, LEAST_VERTICES),
            surface=surface_area(part.vertices, part.faces, ENOUGH),
        )

    def _dressed(self, asset: Asset, material: PartMaterial | None, stem: str) -> PartMaterial | None:
        """Return the material with its texture placed; None where it is not shown."""
        if asset.name in self.hidden:
            return None
        image = None if material is None else material.picture
        if material is None or image is None:
            return material
        name = f"{stem}_{material.name}" if isinstance(image, bytes) else image.stem
        return replace(material, image=None, texture=self.texture(image, name, asset))

    def _say_lost(self, asset: Asset, content: MeshFile) -> None:
        self.notes += inside.untold(asset, content, asset.name in self.hidden)

    # --------------------------------------------------------------------------------------- textures

    def image(self, asset: Asset) -> str | None:
        """Return where the image of a texture or height field, which must have a file, was placed; None (and a note) if
        unreadable."""
        assert asset.file is not None
        try:
            image = inside.picture(asset)
        except InputError as error:
            self._note(asset, "assets/unreadable", error.message, before=Path(asset.file).name, action="dropped")
            return None
        return self.texture(image, Path(asset.file).stem if isinstance(image, Path) else asset.name, asset)

    def keep(self, asset: Asset) -> None:
        """Place an embedded image unchanged."""
        try:
            data, suffix = inside.image_file(asset)
        except InputError as error:
            self._note(asset, "assets/unreadable", error.message, before=asset.uri, action="dropped")
        else:
            self.place(data, asset.name, suffix)

    def texture(self, image: Path | bytes, stem: str, asset: Asset) -> str | None:
        """Return where an image was placed; None (and a note) if it cannot be read."""
        key = _digest(image).hex() if isinstance(image, bytes) else os.path.realpath(image)
        if key not in self._textures:
            try:
                made = png(image, str(image) if isinstance(image, Path) else stem)
                self._textures[key] = self.place(made, stem, ".png")
            except InputError as error:
                name = image.name if isinstance(image, Path) else stem
                self._note(asset, "assets/unreadable", error.message, before=name, action="dropped")
                self._textures[key] = None
        return self._textures[key]

    # ------------------------------------------------------------------------------------------ files

    def place(self, content: bytes | Path, stem: str, suffix: str) -> str:
        """Return the relative path of this content: that of equal content placed before, else a new one."""
        if self.base is not None and isinstance(content, Path):
            return way_to(content, self.base)
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        key: tuple[object, ...] = (size, suffix.lower())
        for closer in (_start, _digest):
            if key not in self._alone:
                break
            if other := self._alone[key]:
                placed = self.files[other]
                if placed is content or (isinstance(placed, Path) and isinstance(content, Path) and placed == content):
                    return other
                self._alone[key] = ""
                self._alone[*key, closer(placed)] = other
            key = (*key, closer(content))
        name = self._alone.get(key)
        if name is None:
            name = self._name(stem, suffix, self.named if isinstance(content, bytes) else frozenset())
            self._alone[key] = name
            self.files[name] = content
        return name

    def _name(self, stem: str, suffix: str, others: frozenset[str]) -> str:
        stem = tidied(stem, "mesh")
        name = f"{stem}{suffix}"
        start = (name.lower(), bool(others))
        number = self._numbers.get(start, 0)
        while name.lower() in self._taken or name.lower() in others:
            number += 1
            name = f"{stem}_{number}{suffix}"
        self._numbers[start] = number
        self._taken.add(name.lower())
        return f"{self.folder}/{name}" if self.folder else name

    def _note(self, asset: Asset, rule: str, reason: str, **more: Unpack[NoteDetails]) -> None:
        self.notes.append(Note(rule=rule, where=f"asset/{asset.name}", reason=reason, source=asset.source, **more))


HEAD = 4096
"""Leading bytes in which most files of the same size differ."""


def _start(content: bytes | Path) -> int:
    """Return a checksum of the start, which distinguishes most files; else the whole content is compared."""
    if isinstance(content, bytes):
        return crc32(content[:HEAD])
    with content.open("rb", buffering=0) as file:
        return crc32(file.read(HEAD))


def _digest(content: bytes | Path) -> bytes:
    from hashlib import file_digest, sha256

    if isinstance(content, bytes):
        return sha256(content).digest()
    with content.open("rb") as file:
        return file_digest(file, "sha256").digest()
