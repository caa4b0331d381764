"""Appearance of geoms in MJCF: the files, meshes, textures and materials that a scene needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.pack import Packed, PackedPart, pack, shrinking
from converters.assets.shown import meshes_without_shown_looks, shown_file_look
from converters.assets.traits import as_material, untold
from converters.context import Note, WriterContext
from converters.mjcf import SMALLEST_VOLUME
from converters.mjcf.assets.shading import gloss, shaded
from converters.mjcf.tables import FORMAT
from converters.report.rows import losses
from converters.source.text import number, numbers
from converters.source.tree import Element, restore
from ir.kinematics import moving_bodies
from ir.names import Spares, unique
from ir.pose import compose
from ir.scene import Scene
from ir.shapes import sizeless
from ir.types import Box, Geom, HeightField, Material, Mesh, Parameters, Plane, Pose, Role, Shape, Vec3

if TYPE_CHECKING:
    from converters.assets.meshes.parts import PartMaterial

Shows = Callable[["PartMaterial | None", Geom], bool]
"""Whether a geom uses the material that a mesh file gives to a part."""
GeomPart = tuple[Shape | str, Pose, str | None]
"""Shape (a string is the name of a mesh), pose in the body, and material of a geom of MJCF."""
NamedPart = tuple[str, Shape | str, Pose, str | None]
"""The same, preceded by the name of the geom."""


class MeshAsset(Struct, frozen=True, kw_only=True):
    """A <mesh> element: a file at a scale."""

    name: str
    file: str
    scale: Vec3
    parameters: Parameters


class WrittenLooks(Struct):
    """Result of `looks`. parts returns the MJCF geoms as which a geom is written."""

    files: dict[str, bytes | Path] = field(default_factory=dict)
    folds: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    textures: dict[str, str] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    meshes: dict[tuple[str, int, Vec3], MeshAsset] = field(default_factory=dict)
    fields: dict[HeightField, str] = field(default_factory=dict)
    """Height fields with their names; placed gives the file of each asset."""
    placed: dict[str, str] = field(default_factory=dict)
    geoms: dict[str, list[NamedPart]] = field(default_factory=dict)

    def parts(self, geom: Geom) -> list[NamedPart]:
        """The geoms of MJCF that a geom is written as; none where it is left out."""
        return self.geoms.get(geom.name, [])


def looks(scene: Scene, context: WriterContext) -> WrittenLooks:
    """Determine for every geom of the scene how it is written in MJCF.

    A geom whose file was not found, or with a shape that MuJoCo refuses, has no parts: the audit reports it.
    """
    base = context.target.parent if context.target is not None and context.options.meshes == "reference" else None
    hidden = meshes_without_shown_looks(scene, context.looks)
    packed = pack(scene, context.asset_folder, hidden, context.options.carry, base)
    look = WrittenLooks(
        files=dict(packed.files), notes=packed.notes, textures=dict(packed.textures), placed=dict(packed.fields)
    )
    for name, material in scene.materials.items():
        look.materials[name] = material if material.texture in look.textures else _plain_look(material)
    names = _MeshNames(look, packed)

    def shows(brought: PartMaterial | None, geom: Geom) -> bool:
        return shown_file_look(brought, geom, scene, context.looks) is not None

    moving = moving_bodies(scene)
    geoms = [(body.name, geom) for body in scene.bodies.values() for geom in body.geoms]
    colliding = {
        (geom.shape.asset, geom.shape.scale)
        for _, geom in geoms
        if isinstance(geom.shape, Mesh) and geom.role in Role.COLLIDING
    }
    spares = Spares(geom.name for _, geom in geoms)
    for body, geom in geoms:
        parts = (
            _mesh_parts(geom, geom.shape, packed, names, colliding, shows)
            if isinstance(geom.shape, Mesh)
            else _shape_parts(geom, packed, names, body not in moving)
        )
        if parts is None:
            continue
        look.geoms[geom.name] = written = _with_names(geom, parts, spares)
        whole = [name for name, shape, _, _ in written if isinstance(shape, str)]
        if len(whole) > 1:
            look.folds.setdefault("geom", {})[geom.name] = whole
    brought = [(scene.assets[asset], own, held) for (asset, own), held in names.brought.items()]
    look.notes += tuple(untold(brought, losses("mjcf")))
    folded = {asset: entries for asset, entries in _names_of_entries(look).items() if entries != [asset]}
    if folded:
        look.folds["asset"] = folded
    return look


def _shape_parts(geom: Geom, packed: Packed, names: _MeshNames, fixed: bool) -> list[GeomPart] | None:
    """Return the one part of a geom without a mesh; None if MuJoCo does not accept its shape."""
    shape = geom.shape
    if isinstance(shape, HeightField):
        if shape.asset not in packed.fields or not all(value > 0 for value in shape.size):
            return None
        return [(names.field(shape), geom.pose, geom.material)]
    if shape is None or not writable(shape, fixed):
        return None
    return [(shape, geom.pose, geom.material)]


def _names_of_entries(look: WrittenLooks) -> dict[str, list[str]]:
    """Return, for each asset, the names of the meshes and height fields that are written for it."""
    found: dict[str, list[str]] = {}
    for (asset, _, _), mesh in look.meshes.items():
        found.setdefault(asset, []).append(mesh.name)
    for shape, name in look.fields.items():
        found.setdefault(shape.asset, []).append(name)
    return found


def _with_names(geom: Geom, parts: list[GeomPart], spares: Spares) -> list[NamedPart]:
    """Return the parts with names, mesh files first; boxes that replace flat parts are geoms of their own."""
    ordered = sorted(parts, key=lambda part: not isinstance(part[0], str))
    written = []
    for index, part in enumerate(ordered):
        name = geom.name if index == 0 else f"{geom.name}_{index}"
        written.append((name if index == 0 else spares.of(name), *part))
    return written


def writable(shape: Shape | None, fixed: bool) -> bool:
    """Whether MuJoCo accepts a shape other than a mesh: sizes above zero, planes only on fixed bodies."""
    match shape:
        case None | Mesh():
            return False
        case Plane():
            return fixed
    return type(shape).__name__ in _SHAPES and not sizeless(shape)


_SHAPES = frozenset({"Box", "Sphere", "Cylinder", "Capsule", "Ellipsoid"})


def _plain_look(material: Material) -> Material:
    return material if material.texture is None else replace(material, texture=None)


class _MeshNames:
    """Names and entries of meshes and of the materials that mesh files contain."""

    def __init__(self, look: WrittenLooks, packed: Packed) -> None:
        self.look = look
        stems = (known.rpartition("_") for known, _ in packed.meshes)
        self.numbered = {stem for stem, _, number in stems if number.isdigit()}
        """Prefixes of asset names that end with a number."""
        self.entered: set[str] = set()
        """Assets that have an entry."""
        self.spares = Spares([*(asset for asset, _ in packed.meshes), *packed.textures, *packed.fields])
        self.found: dict[Material, str] = {}
        """Materials that files give to parts, as in MuJoCo and without names -> their names here."""
        self.brought: dict[tuple[str, PartMaterial], Material] = {}
        """Materials that files give to parts of assets, and their equivalents in MuJoCo."""
        self.files = {file: name for name, file in look.textures.items()}

    def mesh(self, asset: str, index: int, scale: Vec3, part: PackedPart, shell: bool, several: bool) -> str:
        """Return the name of the entry of a part; several: whether its asset has more than one."""
        key = (asset, index, scale)
        entry = self.look.meshes.get(key)
        if entry is None:
            first = not several and asset not in self.entered
            stem = f"{asset}_part" if several and asset in self.numbered else asset  # not the name of another asset
            name = asset if first else self.spares.of(f"{stem}_{index}")
            self.entered.add(asset)
            parameters = (("inertia", "shell"),) if shell else ()
            entry = self.look.meshes[key] = MeshAsset(name=name, file=part.file, scale=scale, parameters=parameters)
        return entry.name

    def field(self, shape: HeightField) -> HeightField:
        """Return the field with the name of its entry: there is one for each size of an asset."""
        if shape not in self.look.fields:
            first = all(known.asset != shape.asset for known in self.look.fields)
            self.look.fields[shape] = shape.asset if first else self.spares.of(shape.asset)
        return replace(shape, asset=self.look.fields[shape])

    def material(self, asset: str, part: PackedPart, veil: float) -> str | None:
        """Return the material that the mesh file gives to a part, as a separate one; equal ones are shared.

        veil: the factor of its alpha (ir.types.Material).
        """
        own = part.material
        if own is None:
            return None
        seen = own if veil == 1 else replace(own, rgba=(*own.rgba[:3], own.rgba[3] * veil))
        texture = self.texture(str(own.texture)) if own.texture is not None else None
        shown = shaded(as_material(seen, "", texture))
        if shown not in self.found:
            name = self.found[shown] = unique(f"{asset}_{own.name}" if own.name else asset, self.look.materials)
            self.look.materials[name] = replace(shown, name=name)
        self.brought[asset, seen] = self.look.materials[self.found[shown]]
        return self.found[shown]

    def texture(self, file: str) -> str:
        if file not in self.files:
            name = self.spares.of(Path(file).stem)
            self.files[file] = name
            self.look.textures[name] = file
        return self.files[file]


def _mesh_parts(
    geom: Geom, mesh: Mesh, packed: Packed, names: _MeshNames, colliding: set[tuple[str, Vec3]], shows: Shows
) -> list[GeomPart]:
    """Return one entry per part of the file.

    A coplanar part has no convex hull: if it must collide, a thin box replaces it.
    """
    parts: list[GeomPart] = []
    collides = geom.role in Role.COLLIDING
    found = packed.meshes.get((mesh.asset, shrinking(mesh.scale)), ())
    for index, part in enumerate(found):
        flat = part.flat or 0.0 in mesh.scale
        if collides and flat:
            parts.append((*_thin_box(geom, mesh, part), geom.material))
            continue
        shell = flat or (mesh.asset, mesh.scale) not in colliding or _is_tiny(mesh, part)
        name = names.mesh(mesh.asset, index, mesh.scale, part, shell, len(found) > 1)
        brought = shows(part.material, geom) and (not collides or geom.role == Role.BOTH)
        said = names.look.materials.get(geom.material or "")
        veil = said.veil if said is not None else 1.0
        material = names.material(mesh.asset, part, veil) if brought else None
        parts.append((name, geom.pose, material or geom.material))
    return parts


def _is_tiny(mesh: Mesh, part: PackedPart) -> bool:
    low, high = part.bounds
    sides = (scale * (b - a) for scale, a, b in zip(mesh.scale, low, high, strict=True))
    return abs(math.prod(sides)) < SMALLEST_VOLUME


THIN = 1e-4
"""Half thickness in metres of the box that replaces a flat collision mesh."""


def _thin_box(geom: Geom, mesh: Mesh, part: PackedPart) -> tuple[Box, Pose]:
    low, high = part.bounds
    size = [max(abs(scale) * (b - a), 2 * THIN) for scale, a, b in zip(mesh.scale, low, high, strict=True)]
    x, y, z = (scale * (a + b) / 2 for scale, a, b in zip(mesh.scale, low, high, strict=True))
    return Box(size=(size[0], size[1], size[2])), compose(geom.pose, Pose((x, y, z)))


def write_material(asset: Element, material: Material) -> None:
    """Append a <material> to <asset>."""
    attrs = {"name": material.name}
    if material.texture is not None:
        attrs["texture"] = material.texture
    if material.rgba is not None:
        attrs["rgba"] = numbers(material.rgba)
    attrs |= {name: number(value) for name, value in gloss(material).items()}
    for name in ("reflectance", "metallic", "roughness"):
        value = getattr(material, name)
        if value is not None:
            attrs[name] = number(value)
    restore(asset.add("material", attrs), material.extras, FORMAT)
