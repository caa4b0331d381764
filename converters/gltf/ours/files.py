"""Asset files embedded in the graph byte for byte, because glTF shows nothing, or not enough, of them."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from pathlib import Path, PurePosixPath

from converters.assets.inside import FILE, original, part_of
from converters.context import InputError, ReaderContext
from converters.gltf.data.container import unpack
from converters.gltf.ours import graph
from ir.scene import Scene
from ir.types import Asset

MOST = 1 << 23
"""Maximum number of characters of all files together, in each of the two copies."""
LARGEST = 1 << 26
"""Maximum number of bytes of a file."""


def files_inside(scene: Scene, left: Set[str]) -> dict[str, str]:
    """Return the compressed files by asset: those in left, which are neither mesh nor image, and those whose exact
    vertices matter (for a sensor, not for a geom). If one is a model document, all files of the scene are kept, because
    it references them by address.

    A file with an absolute address is not kept, nor is a document next to one.
    """
    found: dict[str, str] = {}
    total = 0
    for name, asset in _files_needed(scene, left).items():
        data = _file_content(asset)
        if data is not None and len(data) <= LARGEST:
            text = b64encode(zlib.compress(data, 9)).decode("ascii")
            total += len(text)
            if total > MOST:
                return {}
            found[name] = text
    return found


def _files_needed(scene: Scene, left: Set[str]) -> dict[str, Asset]:
    files = {name: asset for name, asset in scene.assets.items() if asset.file is not None and asset.uri}
    documents = {name for name in left if name in files and files[name].kind == "model"}
    movable = {name for name, asset in files.items() if _is_relative(asset)}
    if documents and len(movable) == len(files):
        return files
    wanted = (left - documents) | set(_assets_named_by_sensors(scene))
    return {name: files[name] for name in files if name in wanted and name in movable}


def _assets_named_by_sensors(scene: Scene) -> Iterator[str]:
    """Yield assets that a sensor names in a parameter whose key is the kind of the asset."""
    said = {each for sensor in scene.tables["sensor"].values() for each in sensor.parameters}
    for name, asset in scene.assets.items() if said else ():
        if not said.isdisjoint({(asset.kind, name), (asset.kind, asset.label)}):
            yield name


def _is_relative(asset: Asset) -> bool:
    address = dict(asset.parameters).get(FILE, asset.uri)
    return not PurePosixPath(address).is_absolute() and ":" not in address


def _file_content(asset: Asset) -> bytes | None:
    """Return the content of the file of an asset; None if it cannot be read, or is part of another one."""
    assert asset.file is not None
    try:
        if part_of(asset):
            inner = original(asset)
            return inner and inner[1]
        return Path(asset.file).read_bytes()
    except (InputError, OSError):
        return None


def stored(path: Path, name: str) -> bytes:
    """Return the content of the asset file embedded in the document at path. Raises InputError if it is damaged."""
    try:
        state = path.stat()
        text = _files_of_document(path, state.st_mtime_ns, state.st_size)[name]
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(b64decode(text, validate=True), LARGEST)
        if not unpacker.eof:
            raise InputError(f"{path}: the file of asset {name!r} inside is larger than {LARGEST} bytes, or cut off")
    except (KeyError, OSError, ValueError, zlib.error) as error:
        raise InputError(f"{path}: the file of asset {name!r} inside cannot be read: {error}") from None
    return data


@lru_cache(maxsize=2)
def _files_of_document(path: Path, changed: int, size: int) -> Mapping[str, str]:
    """Files embedded in a document; changed and size only distinguish versions of its content in the cache."""
    root = unpack(path.read_bytes(), ReaderContext(file=str(path), folder=path.parent)).document.root
    for _, blob in graph.copies(root.members):
        try:
            return graph.decoded(blob).files
        except ValueError:
            continue
    return {}
