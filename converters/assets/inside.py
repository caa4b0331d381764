"""Assets that are a part of another file: a mesh or an image of a GLB, a mesh whose vertices stand in an MJCF.

A target that needs files gets one made for each."""

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
from ir.types import Asset, Geom, Material

if TYPE_CHECKING:
    from converters.assets.meshes.parts import MeshFile, MeshPart

MARK = "#/"
"""In a uri, between the name of the file and the place inside."""
LINEAR = "linear"
"""A parameter of such an asset: nine or sixteen numbers, row by row, a matrix that its vertices go through."""
LOOKS = "looks"
"""A parameter of such an asset: its parts bring the materials that they have there."""

BYTES = "#/files/"
"""Before the name of an asset of which nothing but the bytes of its file is inside another one."""
LONGEST = 255
"""Bytes of the name of a file."""
FILE = "file"
"""A parameter of such an asset: the address that its own file had, whose bytes stand inside the other one, too."""

PARAMETERS = frozenset((LINEAR, LOOKS, FILE))
"""Those that mean nothing of a file of its own."""

_SUFFIXES = (".glb", ".gltf")
_PLACES = ("meshes/", "images/", "files/")
"""What stands after the mark in every address of ours: a document of glTF may have any name (.vrm)."""
_READER = "converters.gltf.scene.meshes"
"""Module with part(path, selector, linear, looks) -> MeshFile and image(path, selector) -> bytes."""
_FILES = "converters.gltf.ours.files"
"""Module with stored(path, name) -> bytes."""
_KEPT = ((PNG, ".png"), (JPEG, ".jpg"))


def part_of(asset: Asset) -> str:
    """Where in its file the asset is; "" when it is a file of its own."""
    if asset.made:
        return asset.name
    return "" if asset.file is None else _inside(asset.file, asset.uri)


def _inside(file: str, uri: str) -> str:
    """What an address says of a place inside a file; "" where the file is not the one that the address names, but what
    was made of it, and where the mark stands in the name of a file."""
    base, _, selector = uri.partition(MARK)
    ours = selector.startswith(_PLACES) and Path(base).name in ("", Path(file).name)
    return selector if ours or file.lower().endswith(_SUFFIXES) else ""


def shows_part(geom: Geom, scene: Scene) -> bool:
    """Whether a geom shows a part of another file, which has its material in the graph."""
    asset = scene.mesh_of(geom.shape)
    return asset is not None and part_of(asset) != ""


def leads(asset: Asset) -> str:
    """What tells the content of an asset: its file, or its address where it is a part of one or has none."""
    return asset.uri if asset.file is None or part_of(asset) else asset.file


def file_of(uri: str) -> str:
    """The address of the file that a part is in; "" for what is no part of a file."""
    base = uri.partition(MARK)[0]
    return base if _inside(base, uri) else ""


def key(asset: Asset) -> str:
    """What tells assets of one file apart: "" for the file as a whole."""
    selector = part_of(asset)
    return f"{MARK}{selector} {dict(asset.parameters).get(LINEAR, '')}" if selector else ""


def looking(asset: Asset) -> bool:
    """Whether the looks that the file of a mesh has are of any meaning: what was made for a part of another file has
    those that the graph gives to it, which are written beside it."""
    return bool(asset.made) or part_of(asset) != "" or not file_of(asset.uri) or LOOKS in dict(asset.parameters)


def mesh(asset: Asset) -> MeshFile:
    """The parts of a mesh asset that has a file. Raises InputError as converters.assets.meshes.files.load does."""
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
    """What is to be told of the content of a mesh asset (MeshFile.untold)."""
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
    """The address of the file that an asset inside another one was, and what it held, where that stands there (FILE).
    Raises InputError where it is damaged, and for an address that is none."""
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
    """The asset without what says how it lies inside another file, where it does so no more: it has one of its own
    again, or none is found; one of which nothing but the bytes lay there has its address."""
    said = dict(asset.parameters)
    if PARAMETERS.isdisjoint(said) or (asset.file is not None and part_of(asset)):
        return asset
    kept = tuple(item for item in asset.parameters if item[0] not in PARAMETERS)
    return replace(asset, uri=said[FILE] if BYTES in asset.uri and FILE in said else asset.uri, parameters=kept)


def geometry(asset: Asset) -> Iterable[tuple[Floats, Ints]]:
    """The parts of a mesh asset for passes, which know no file format, as (vertices (n, 3) in metres, faces (m, 3));
    nothing where no file can be read."""
    try:
        return [(part.vertices, part.faces) for part in mesh(asset).parts] if asset.file else []
    except InputError:  # whoever packs the file says so
        return []


def picture(asset: Asset) -> Path | bytes:
    """The image of a texture asset that has a file: its path, or its bytes. Raises InputError."""
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
    """The bytes and the suffix of an image inside another file: its own where they are PNG or JPEG, else PNG."""
    data = picture(asset)
    assert isinstance(data, bytes)
    for signature, suffix in _KEPT:
        if data.startswith(signature):
            return data, suffix
    made = png(data, asset.name)
    assert isinstance(made, bytes)
    return made, ".png"


def obj_files(asset: Asset, content: MeshFile, look: Material | None, texture: str, place: str) -> dict[str, bytes]:
    """A mesh inside another file, with this content, as OBJ at a place (relative, posix), with its material library
    where it has a look.

    texture is the path of its image from the folder of the OBJ, "" for none.
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
    """All parts as one, without looks; normals and texture coordinates where every part has them."""
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
    """A mesh of several parts as OBJ of one; b"" where there is one, or no file that can be read."""
    from converters.assets.meshes.obj_text import obj_text

    try:
        parts = mesh(asset).parts if asset.file is not None else ()
    except InputError:  # whoever packs the file says so
        return b""
    return obj_text(joined(parts, asset.name)) if len(parts) > 1 else b""


UNSEEN = 1e-6
"""Opacity of what nobody sees."""


def library(name: str, look: Material, texture: str) -> bytes:
    """The entry of a material in a library of OBJ; texture is the address of its image, "" for none. What is not seen
    at all is nearly so: an opacity of 0 is taken for a slip (meshes.parts.opaque)."""
    red, green, blue, alpha = look.rgba or (1.0, 1.0, 1.0, 1.0)
    lines = [f"newmtl {name}", f"Kd {red:.6g} {green:.6g} {blue:.6g}", f"d {max(alpha, UNSEEN):.6g}"]
    if look.emissive is not None and any(look.emissive[:3]):
        lines.append("Ke {:.6g} {:.6g} {:.6g}".format(*look.emissive[:3]))
    if texture:
        lines.append(f"map_Kd {texture}")
    return "\n".join([*lines, ""]).encode()


def free(place: str, suffix: str, taken: set[str]) -> str:
    """A place of this suffix, tidied for file systems and below where it starts, that nobody has whatever its suffix;
    it is taken from now on.

    taken: places without suffixes, in lower case.
    """
    *folders, stem = place.split("/")
    tidy = "/".join([*(folder for folder in folders if folder not in ("", ".", "..")), tidied(stem, "part")])
    own = unique(tidy.lower(), taken)
    taken.add(own)
    return f"{tidy}{own.removeprefix(tidy.lower())}{suffix}"
