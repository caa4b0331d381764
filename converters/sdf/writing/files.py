"""URIs of meshes and textures in SDF, and the files written beside the output."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from converters.assets import inside
from converters.assets.beside import AssetFiles
from converters.assets.meshes.parts import MeshPart
from converters.context import InputError, Note, WriterContext
from converters.sdf.parts.materials import MAPS
from ir.arrays import np
from ir.scene import Scene
from ir.types import Geom, HeightField, Material, Mesh, Role

ROLES = frozenset(role for _, role in MAPS)
COLLIDING = frozenset({".obj", ".gltf", ".vtk"})
"""Formats that every reader of SDF accepts as a collision mesh: Drake refuses others, and Gazebo reads these too."""


class Addresses:
    """The URIs written for geoms and materials. copies and notes are filled as these are requested."""

    def __init__(self, scene: Scene, context: WriterContext, native: bool) -> None:
        reference = context.options.meshes == "reference"
        collected = not native and not reference
        self.files = AssetFiles(scene, context, native, collected=collected)
        self.scene = scene
        self.native = native
        self.copies: dict[str, bytes | Path] = self.files.copies
        self.notes: list[Note] = []
        self._transcode = not native and not reference and context.target is not None
        self._colliding: dict[str, str] = {}
        self._fields: dict[str, str] = {}

    def geom(self, geom: Geom, role: str) -> str:
        """Return the URI of the mesh or height field of a geom; "" if it has none."""
        shape = geom.shape
        if not isinstance(shape, (Mesh, HeightField)):
            return ""
        if isinstance(shape, HeightField):
            return self._image_of_field(shape.asset)
        uri = self.files.address(shape.asset)
        file = self.scene.assets[shape.asset].file
        taken = {Path(file or "").suffix.lower(), Path(uri).suffix.lower()} & COLLIDING
        if role != Role.COLLISION or not self._transcode or file is None or taken:
            return self.files.uri(shape.asset)
        return self.files.instead(shape.asset, self._obj_for_collision(shape.asset, uri, Path(file)))

    def _obj_for_collision(self, asset: str, uri: str, file: Path) -> str:
        """Return the mesh as OBJ, written once beside the original."""
        if uri not in self._colliding:
            place = f"{uri.rpartition('.')[0]}_collision.obj"  # without looks, unlike that of an MJCF beside it
            while place in self.copies:
                place = f"{place.removesuffix('.obj')}_collision.obj"
            try:
                self.copies[place] = _as_obj(file)
                reason = "collision meshes are written as OBJ, which every simulator that reads SDF accepts"
                note = Note(
                    rule="sdf/collision-mesh",
                    where=f"asset/{asset}",
                    before=file.name,
                    after=place.rpartition("/")[2],
                    reason=reason,
                    action="derived",
                    severity="note",
                )
            except InputError as error:
                place = uri
                note = Note(
                    rule="assets/unreadable",
                    where=f"asset/{asset}",
                    before=file.name,
                    reason=f"{error.message}; the file is copied as it is",
                    action="approximated",
                )
            self.notes.append(note)
            self._colliding[uri] = place
        return self._colliding[uri]

    def _image_of_field(self, name: str) -> str:
        """Return the URI of a height field's image, converted for Gazebo beside the original if necessary."""
        uri, asset = self.files.address(name), self.scene.assets[name]
        if not self._transcode or asset.file is None or asset.made:
            return self.files.uri(name)
        if uri not in self._fields:
            self._fields[uri] = uri
            from converters.assets.heights import terrain

            where, before = f"asset/{name}", Path(uri).name
            try:
                made = terrain(asset)
                if made is not None:
                    place = inside.free(f"{uri.rpartition('.')[0]}_terrain", ".png", self.files.taken)
                    self._fields[uri], self.copies[place] = place, made
                    reason = (
                        "Gazebo needs square images of 2^n + 1 pixels a side, black at zero: heights are interpolated"
                    )
                    after = place.rpartition("/")[2]
                    note = Note(rule="sdf/height-image", where=where, before=before, after=after, reason=reason)
                    self.notes.append(replace(note, action="approximated"))
            except InputError as error:
                reason = f"{error.message}; the file is copied as it is"
                note = Note(rule="assets/unreadable", where=where, before=before, reason=reason, action="approximated")
                self.notes.append(note)
        return self.files.uri(name) if self._fields[uri] == uri else self.files.instead(name, self._fields[uri])

    def texture(self, material: Material | None) -> str:
        """The address of the image of a material; "" where it shows none."""
        if material is None or material.texture is None or material.texture not in self.scene.assets:
            return ""
        return self.files.uri(material.texture)

    def maps(self, material: Material | None) -> dict[str, str]:
        """Return the URIs of the images of a material other than its colour, by role (the first of several)."""
        held = material.maps if material is not None else ()
        found = {each.role: each.texture for each in reversed(held) if each.texture in self.scene.assets}
        return {role: uri for role, name in found.items() if role in ROLES and (uri := self.files.uri(name))}


def _as_obj(file: Path) -> bytes:
    """Return a whole mesh file as one object without materials, for collisions."""
    from converters.assets.meshes.files import load
    from converters.assets.meshes.obj_text import obj_text

    parts = load(file).parts
    if not parts:
        raise InputError("there is no surface in it")
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    whole = MeshPart(
        name=file.stem,
        vertices=np.concatenate([part.vertices for part in parts]),
        faces=np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]),
    )
    return obj_text(whole)
