"""An embedded mesh with its own materials, as OBJ with a material library and images."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from converters.assets import inside
from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial
from converters.assets.textures import JPEG, content as picture_content
from ir.arrays import np
from ir.names import unique
from ir.types import Asset, Material


def painted_files(asset: Asset, content: MeshFile, place: str, taken: set[str]) -> dict[str, bytes]:
    """Return the files of an asset's content by place (relative, posix), with the OBJ at place; taken: place stems in
    use, extended here."""
    from converters.assets.meshes.obj_text import obj_text

    parts = content.parts
    text = obj_text(inside.joined(_laid_out(parts), asset.name))
    looks = dict.fromkeys(part.material for part in parts if part.material is not None)
    if not looks:
        return {place: text}
    files: dict[str, bytes] = {}
    names: dict[PartMaterial | None, str] = {}
    entries: list[bytes] = []
    for look in looks:
        names[look] = unique("_".join(look.name.split()) or "material", names.values())
        picture = ""
        if look.picture is not None:
            data = picture_content(look.picture, look.name)
            suffix = ".jpg" if data.startswith(JPEG) else ".png"
            stem = place.removesuffix(".obj")
            where = inside.free(f"{stem}_{names[look]}", suffix, taken)
            files[where], picture = data, where.rpartition("/")[2]
        glow = None if look.emissive is None else (*look.emissive, 1.0)
        entries.append(inside.library(names[look], Material(name="", rgba=look.rgba, emissive=glow), picture))
    library = f"{place.removesuffix('.obj')}.mtl"
    return {place: _worn(text, parts, names, library.rpartition("/")[2]), library: b"".join(entries)} | files


def _laid_out(parts: Sequence[MeshPart]) -> tuple[MeshPart, ...]:
    """Return the parts, all with texture coordinates if any has some, because joining would otherwise drop them."""
    if all(part.uvs is None for part in parts):
        return (*parts,)
    return tuple(
        part if part.uvs is not None else replace(part, uvs=np.zeros((1, 2)), uv_faces=np.zeros_like(part.faces))
        for part in parts
    )


def _worn(text: bytes, parts: Sequence[MeshPart], names: dict[PartMaterial | None, str], library: str) -> bytes:
    """Insert the material of each part before its faces in an OBJ text whose last lines are the faces of all parts."""
    lines = text.splitlines(keepends=True)
    at = len(lines) - sum(len(part.faces) for part in parts)
    out = [f"mtllib {library}\n".encode(), *lines[:at]]
    for part in parts:
        out += [f"usemtl {names[part.material]}\n".encode()] if part.material is not None else []
        out += lines[at : at + len(part.faces)]
        at += len(part.faces)
    return b"".join(out)
