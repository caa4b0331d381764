"""Assets embedded in another file: a mesh or an image of a GLB, a mesh whose vertices are written in an MJCF.

A target that needs files gets one made for each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from converters.assets.meshes.sampled import record_samples
from converters.assets.textures import JPEG, PNG, png
from converters.choices import UNWRITABLE
from converters.context import InputError, Note
from converters.paths import tidied
from ir.arrays import Floats, Ints, np
from ir.names import unique
from ir.scene import Scene
from ir.types import WHITE, Asset, Geom, Material

if TYPE_CHECKING:
    from converters.assets.meshes.parts import MeshFile, MeshPart

MARK = "#/"
"""Separator in a uri between the name of the file and the place in it."""
LINEAR = "linear"
"""Parameter of an embedded asset: nine or sixteen numbers, row by row, of a matrix applied to its vertices."""
LOOKS = "looks"
"""Parameter of an embedded asset: its parts use the materials of the file it is embedded in."""

BYTES = "#/files/"
"""Prefix of the name of an asset of which only the bytes of its file are embedded in another one."""
LONGEST = 255
"""Longest file name in bytes."""
FILE = "file"
"""Parameter of an embedded asset: the address of its original file, whose bytes are embedded as well."""

PARAMETERS = frozenset((LINEAR, LOOKS, FILE))
"""Parameters without meaning for an asset with a file of its own."""

_SUFFIXES = (".glb", ".gltf")
_PLACES = ("meshes/", "images/", "files/")
"""What follows the mark in addresses written by this program; a glTF document may have any suffix (.vrm)."""
_READER = "converters.gltf.scene.meshes"
"""Module with part(path, selector, linear, looks) -> MeshFile and image(path, selector) -> bytes."""
_FILES = "converters.gltf.ours.files"
"""Module with stored(path, name) -> bytes."""
_KEPT = ((PNG, ".png"), (JPEG, ".jpg"))


def part_of(asset: Asset) -> str:
    """Return the place of an asset in its file; "" when it is a file of its own."""
    if asset.made:
        return asset.name
    return "" if asset.file is None else _inside(asset.file, asset.uri)


def _inside(file: str, uri: str) -> str:
    """Return the place inside the file that a uri gives; "" where the file is not the one named by the uri but a result
    of processing it, and where the mark is a part of the file name."""
    base, _, selector = uri.partition(MARK)
    ours = selector.startswith(_PLACES) and Path(base).name in ("", Path(file).name)
    return selector if ours or file.lower().endswith(_SUFFIXES) else ""


def shows_part(geom: Geom, scene: Scene) -> bool:
    """Whether a geom shows a mesh embedded in another file, whose material is in the graph."""
    asset = scene.mesh_of(geom.shape)
    return asset is not None and part_of(asset) != ""


def leads(asset: Asset) -> str:
    """Return what identifies the content of an asset: its file, or its uri where it is embedded or has no file."""
    return asset.uri if asset.file is None or part_of(asset) else asset.file


def file_of(uri: str) -> str:
    """Return the uri of the file that an asset is embedded in; "" for an asset that is not embedded."""
    base = uri.partition(MARK)[0]
    return base if _inside(base, uri) else ""


def key(asset: Asset) -> str:
    """Return a key that distinguishes the assets of one file: "" for the file as a whole."""
    selector, said = part_of(asset), dict(asset.parameters)
    return f"{MARK}{selector} {said.get(LINEAR, '')} {said.get(LOOKS, '')}" if selector else ""


def looking(asset: Asset) -> bool:
    """Whether the materials in a mesh's own file apply. A file made for an embedded mesh has the materials of the
    graph, which are written beside it."""
    return bool(asset.made) or part_of(asset) != "" or not file_of(asset.uri) or LOOKS in dict(asset.parameters)


def mesh(asset: Asset) -> MeshFile:
    """Return the parts of a mesh asset with a file. Raises InputError as converters.assets.meshes.files.load does."""
    assert asset.file is not None
    path, selector = Path(asset.file), part_of(asset)
    if asset.made:
        from converters.assets.meshes.wavefront import load as parsed

        return record_samples(parsed(Path(f"{asset.name}.obj"), asset.made), asset.file, key(asset))
    if not selector:
        from converters.assets.meshes.files import load

        content = load(path)
        if looking(asset):
            return content
        return replace(content, parts=tuple(replace(part, material=None) for part in content.parts))
    read: Callable[[Path, str, Floats | None, bool], MeshFile] = _reader().part
    content = read(path, selector, _linear(asset), LOOKS in dict(asset.parameters))
    return record_samples(content, asset.file, key(asset))


def untold(asset: Asset, content: MeshFile, hidden: bool = False, coloured: bool = False) -> Iterator[Note]:
    """Yield notes on what the content of a mesh asset does not express (MeshFile.untold)."""
    name = Path(asset.name if part_of(asset) or asset.file is None else asset.file).name
    for each in content.untold(hidden, coloured):
        yield Note(
            rule=each.rule,
            where=f"asset/{asset.name}",
            before=each.about or name,
            action=each.action,
            severity="note",
            reason=each.reason,
            source=asset.source,
        )


def original(asset: Asset) -> tuple[str, bytes] | None:
    """Return the original file's address and bytes of an embedded asset, where they are embedded as well (FILE). Raises
    InputError where they are damaged, and for an address that is not a file's."""
    address = dict(asset.parameters).get(FILE)
    if address is None or asset.file is None or not part_of(asset):
        return None
    parts = Path(address).parts
    long = max((len(os.fsencode(part)) for part in parts), default=0) > LONGEST
    if not parts or parts[-1] in ("/", "..") or long or UNWRITABLE.search(address):
        raise InputError(f"asset {asset.name!r} has the address {address!r}, which is not the address of a file")
    read: Callable[[Path, str], bytes] = import_module(_FILES).stored
    return address, read(Path(asset.file), asset.name)


def alone(asset: Asset) -> Asset:
    """Return the asset without the parameters of an embedded one, where it no longer is embedded: it has a file of its
    own again, or none was found. One of which only the bytes were embedded gets its original uri."""
    said = dict(asset.parameters)
    if PARAMETERS.isdisjoint(said) or (asset.file is not None and part_of(asset)):
        return asset
    kept = tuple(item for item in asset.parameters if item[0] not in PARAMETERS)
    return replace(asset, uri=said[FILE] if BYTES in asset.uri and FILE in said else asset.uri, parameters=kept)


def geometry(asset: Asset) -> Iterable[tuple[Floats, Ints]]:
    """Return the parts of a mesh asset, for passes that are independent of file formats, as (vertices (n, 3) in metres,
    faces (m, 3)); empty where no file can be read."""
    try:
        return [(part.vertices, part.faces) for part in mesh(asset).parts] if asset.file else []
    except InputError:  # reported when the asset is packed
        return []


def picture(asset: Asset) -> Path | bytes:
    """Return the image of a texture asset that has a file: its path, or its bytes. Raises InputError."""
    assert asset.file is not None
    path, selector = Path(asset.file), part_of(asset)
    if asset.made:
        return asset.made
    if not selector:
        return path
    if BYTES in asset.uri and (exact := original(asset)) is not None:
        return exact[1]
    found: bytes = _reader().image(path, selector)
    return found


def _reader() -> Any:
    return import_module(_READER)


def _linear(asset: Asset) -> Floats | None:
    text = dict(asset.parameters).get(LINEAR)
    if text is None:
        return None
    try:
        numbers = np.array([float(word) for word in text.split()])
        return numbers.reshape(4, 4) if numbers.size == 16 else numbers.reshape(3, 3)
    except ValueError:
        raise InputError(f"asset {asset.name!r} has a linear map that is not nine or sixteen numbers") from None


# ------------------------------------------------------------------------------------------------------- as files


def image_file(asset: Asset) -> tuple[bytes, str]:
    """Return the bytes and the suffix of an embedded image: unchanged if PNG or JPEG, else converted to PNG."""
    data = picture(asset)
    assert isinstance(data, bytes)
    for signature, suffix in _KEPT:
        if data.startswith(signature):
            return data, suffix
    made = png(data, asset.name)
    assert isinstance(made, bytes)
    return made, ".png"


def obj_files(asset: Asset, content: MeshFile, look: Material | None, texture: str, place: str) -> dict[str, bytes]:
    """Return an embedded mesh with this content as OBJ at a place (relative, posix), with a material library if it has
    a look.

    texture is the path of its image relative to the folder of the OBJ, "" for none.
    """
    from converters.assets.meshes.obj_text import obj_text

    whole = joined(content.parts, asset.name)
    text = obj_text(whole)
    if look is None:
        return {place: text}
    library_at = place.removesuffix(".obj") + ".mtl"
    name = re.sub(r"\s+", "_", look.name)
    head = f"mtllib {library_at.rpartition('/')[2]}\nusemtl {name}\n".encode()
    return {place: head + text, library_at: library(name, look, texture)}


def joined(parts: tuple[MeshPart, ...], name: str) -> MeshPart:
    """Return all parts as one, without materials; with normals and texture coordinates where every part has them."""
    from converters.assets.meshes.parts import MeshPart

    if len(parts) == 1:
        return parts[0]

    found: dict[str, Any] = {}
    for key, faces in (("vertices", "faces"), ("normals", "normal_faces"), ("uvs", "uv_faces")):
        tables = [getattr(part, key) for part in parts]
        if all(table is not None for table in tables):
            starts = np.cumsum([0, *(len(table) for table in tables)])
            found[key] = np.concatenate(tables)
            found[faces] = np.concatenate([getattr(part, faces) + n for part, n in zip(parts, starts, strict=False)])
    return MeshPart(name=name, **found)


def as_one(asset: Asset) -> bytes:
    """Return a mesh of several parts as an OBJ of one part; b"" where it has only one, or no file can be read."""
    from converters.assets.meshes.obj_text import obj_text

    try:
        parts = mesh(asset).parts if asset.file is not None else ()
    except InputError:  # reported when the asset is packed
        return b""
    return obj_text(joined(parts, asset.name)) if len(parts) > 1 else b""


UNSEEN = 1e-6
"""Opacity written for an invisible material."""


def library(name: str, look: Material, texture: str) -> bytes:
    """Return the entry of a material in an OBJ library; texture is the address of its image, "" for none. An invisible
    material is written as nearly invisible because an opacity of 0 is treated as a mistake (meshes.parts.opaque)."""
    red, green, blue, alpha = look.rgba or WHITE
    lines = [f"newmtl {name}", f"Kd {red:.6g} {green:.6g} {blue:.6g}", f"d {max(alpha, UNSEEN):.6g}"]
    if look.emissive is not None and any(look.emissive[:3]):
        lines.append("Ke {:.6g} {:.6g} {:.6g}".format(*look.emissive[:3]))
    if texture:
        lines.append(f"map_Kd {texture}")
    return "\n".join([*lines, ""]).encode()


def free(place: str, suffix: str, taken: set[str]) -> str:
    """Return an unused place with this suffix, tidied for file systems and below its starting folder, and mark it as
    taken.

    taken: places without suffixes, in lower case; a place must differ from all of them whatever its suffix.
    """
    *folders, stem = place.split("/")
    tidy = "/".join([*(folder for folder in folders if folder not in ("", ".", "..")), tidied(stem, "part")])
    own = unique(tidy.lower(), taken)
    taken.add(own)
    return f"{tidy}{own.removeprefix(tidy.lower())}{suffix}"
