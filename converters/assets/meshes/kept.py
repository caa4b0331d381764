"""A cache of decoded meshes for the duration of a batch: processes that share its folder decode each content once.

An entry is keyed by the digest of all that it depends on: its kind, the version of this program, the content. Where a
mesh references other files, the lookups made for it are stored too and repeated whenever the entry is used, because
elsewhere the same content may have another texture beside it, and the result depends on every file read. Entries are
created by renaming, so that none is ever seen half written. Without a folder nothing is cached.
"""

from __future__ import annotations

import json
import os
import struct
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial, Sight, side_files, watch_lookups
from converters.version import __version__
from ir.arrays import Array, np

WORTH = 2e-3
"""Seconds of work above which a result is cached; anything faster is simply computed again."""
MOST = 1 << 31
"""Most bytes cached by each process."""
SHARE = 8
"""A result is cached only if the free disk space is this many times its size, so that outputs have priority."""
ARRAYS = ("vertices", "faces", "normals", "normal_faces", "uvs", "uv_faces", "colours", "colour_faces")


class _Cache(Struct):
    folder: str
    version: str
    kept: int = 0


_shelf: _Cache | None = None


def start_cache(folder: Path | None) -> None:
    """From now on cache in this existing folder (None: do not cache)."""
    global _shelf
    _shelf = None if folder is None else _Cache(str(folder), __version__)


def mesh(path: Path, data: bytes, make: Callable[[], tuple[MeshFile, bool]]) -> tuple[MeshFile, bool]:
    """Return what make gives for the content of a mesh file: its parts and a flag. make may look up side files.

    The arrays of cached parts are writable, like those that make returns.
    """
    if _shelf is None:
        return make()
    name = _name("mesh", (path.name.encode("utf-8", "surrogatepass"), data))
    found = _taken(name)
    known = None if found is None else _unpacked(found, path.parent)
    if known is not None:
        return known
    start = time.perf_counter()
    with watch_lookups() as seen:
        made = make()
    if time.perf_counter() - start > WORTH:
        _keep(name, _packed(*made, seen, path.parent))
    return made


def text(kind: str, tables: Iterable[Array | None], make: Callable[[], bytes]) -> bytes:
    """Return what make gives for tables of numbers; kind identifies everything else that the result depends on."""
    if _shelf is None:
        return make()
    pieces: list[Any] = []
    for table in tables:
        said = f"{None if table is None else (table.shape, table.dtype.str)}"
        pieces += [said.encode(), b"" if table is None else table.tobytes()]
    name = _name(kind, pieces)
    found = _taken(name)
    if found is not None:
        return bytes(found)
    start = time.perf_counter()
    made = make()
    if time.perf_counter() - start > WORTH:
        _keep(name, [made])
    return made


def _name(kind: str, pieces: Iterable[bytes]) -> str:
    from hashlib import sha256

    assert _shelf is not None
    total = sha256(f"{kind} {_shelf.version}".encode())
    for piece in pieces:
        total.update(struct.pack("<Q", len(piece)))
        total.update(piece)
    return total.hexdigest()


def _taken(name: str) -> bytearray | None:
    assert _shelf is not None
    try:
        with open(f"{_shelf.folder}/{name}", "rb", buffering=0) as file:
            content = bytearray(os.fstat(file.fileno()).st_size)
            return content if file.readinto(content) == len(content) else None
    except OSError:
        return None


def _keep(name: str, pieces: Iterable[Any]) -> None:
    """Store an entry if there is room for it; a failure to store it is ignored."""
    assert _shelf is not None
    pieces = list(pieces)
    size = sum(memoryview(piece).nbytes for piece in pieces)
    with suppress(OSError):
        disk = os.statvfs(_shelf.folder)
        if _shelf.kept + size > MOST or size * SHARE > disk.f_bavail * disk.f_frsize:
            return
        number, work = tempfile.mkstemp(dir=_shelf.folder)
        try:
            with open(number, "wb") as file:
                for piece in pieces:
                    file.write(piece)
            os.replace(work, f"{_shelf.folder}/{name}")
        except OSError:
            os.unlink(work)
            raise
        _shelf.kept += size


# ------------------------------------------------------------------------------------------ mesh files


def _packed(content: MeshFile, plain: bool, seen: Iterable[Sight], folder: Path) -> list[Any]:
    """Serialise as the length of a JSON header, the header, and every table as it is in memory."""
    tables: list[Any] = []
    at = 0
    parts = []
    for part in content.parts:
        places: dict[str, Any] = {}
        spelled = {word: np.frombuffer(text, np.uint8) for word, text in part.spelled().items()}
        for name, table in ({field: getattr(part, field) for field in ARRAYS} | spelled).items():
            if table is not None:
                data = table.tobytes()
                data += b" " * (-len(data) % 8)
                places[name] = (table.dtype.str, table.shape, at)
                tables.append(data)
                at += len(data)
        parts.append({"name": part.name, "tables": places, "material": _plain(part.material, folder)})
    looked = [
        (
            os.path.relpath(each.folder, folder),
            each.name,
            None if each.found is None else os.path.relpath(each.found, folder),
            each.digest,
        )
        for each in seen
    ]
    head = json.dumps(
        {
            "parts": parts,
            "lost": content.lost,
            "unlit": content.unlit,
            "idle": content.idle,
            "plain": plain,
            "looked": looked,
        }
    ).encode()
    head += b" " * (-len(head) % 8)
    return [struct.pack("<Q", len(head)), head, *tables]


def _plain(material: PartMaterial | None, folder: Path) -> dict[str, Any] | None:
    if material is None:
        return None
    texture = None if material.texture is None else os.path.relpath(material.texture, folder)
    return asdict(replace(material, texture=texture))


def _unpacked(data: bytearray, folder: Path) -> tuple[MeshFile, bool] | None:
    """Return what _packed was given, relative to a folder; None where the side files there differ."""
    from hashlib import sha256

    (size,) = struct.unpack_from("<Q", data)
    head = json.loads(data[8 : 8 + size])
    finders: dict[str, Callable[[str], Path | None]] = {}
    for base, name, place, digest in head["looked"]:
        if base not in finders:
            finders[base] = side_files(_place_in_folder(folder, base))
        found = finders[base](name)
        if found is None or place is None:
            if found is not place:
                return None
        elif os.path.relpath(found, folder) != place or (digest and digest != sha256(found.read_bytes()).hexdigest()):
            return None
    parts = []
    for said in head["parts"]:
        tables: dict[str, Any] = {
            field: np.frombuffer(data, kind, count=int(np.prod(shape)), offset=8 + size + at).reshape(shape)
            for field, (kind, shape, at) in said["tables"].items()
        }
        spelled = {word: tables.pop(word).tobytes() for word in [*tables] if word not in ARRAYS}
        material = _material(said["material"], folder)
        parts.append(MeshPart(name=said["name"], material=material, spelled=spelled.copy, **tables))
    told = {name: tuple(head.get(name, ())) for name in ("lost", "unlit", "idle")}
    content = MeshFile(parts=tuple(parts), **told)
    return content, bool(head["plain"])


def _material(said: Mapping[str, Any] | None, folder: Path) -> PartMaterial | None:
    if said is None:
        return None
    values: dict[str, Any] = {n: tuple(each) if isinstance(each, list) else each for n, each in said.items()}
    if values["texture"] is not None:
        values["texture"] = _place_in_folder(folder, values["texture"])
    return PartMaterial(**values)


def _place_in_folder(folder: Path, place: str) -> Path:
    return Path(os.path.normpath(folder / place))
