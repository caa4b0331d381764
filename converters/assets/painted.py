"""A mesh inside another file that has looks of its own there, as OBJ with its material library and its images."""

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
    """The files of what an asset holds by place (relative, posix), the OBJ at that place; taken: stems of places, to
    which those are added."""
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
    """The parts, all with texture coordinates where any has some: else those would be left out of the whole."""
    if all(part.uvs is None for part in parts):
        return (*parts,)
    return tuple(
        part if part.uvs is not None else replace(part, uvs=np.zeros((1, 2)), uv_faces=np.zeros_like(part.faces))
        for part in parts
    )


def _worn(text: bytes, parts: Sequence[MeshPart], names: dict[PartMaterial | None, str], library: str) -> bytes:
    """The text of all parts, whose faces are its last lines, with the material of each before its faces."""
    lines = text.splitlines(keepends=True)
    at = len(lines) - sum(len(part.faces) for part in parts)
    out = [f"mtllib {library}\n".encode(), *lines[:at]]
    for part in parts:
        out += [f"usemtl {names[part.material]}\n".encode()] if part.material is not None else []
        out += lines[at : at + len(part.faces)]
        at += len(part.faces)
    return b"".join(out)
