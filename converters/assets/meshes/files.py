"""Loading a mesh file of any known kind. Libraries are imported when the first file needs them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from converters.assets.folders import SIZE_LIMIT
from converters.assets.meshes import kept
from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial
from converters.assets.meshes.sampled import record_samples
from converters.context import InputError
from converters.not_models import stand_in

__all__ = ["SUFFIXES", "MeshFile", "MeshPart", "PartMaterial", "kind", "load"]

_READERS = {
    ".stl": "converters.assets.meshes.stl",
    ".obj": "converters.assets.meshes.wavefront",
    ".msh": "converters.assets.meshes.msh",
    ".dae": "converters.assets.meshes.collada",
    ".glb": "converters.gltf.scene.meshes",
    ".gltf": "converters.gltf.scene.meshes",
    ".ply": "converters.assets.meshes.ply",
    ".off": "converters.assets.meshes.foreign",
}
"""Suffix -> module with load(path, content); formats that are converted themselves are read by their own package."""
SUFFIXES = frozenset(_READERS)
_IMAGES = frozenset({".png", ".jpg", ".jpeg", ".tga", ".bmp", ".tif", ".tiff", ".gif", ".dds", ".webp", ".hdr"})
_WHOLE = frozenset({".stl", ".dae"})
"""Suffixes whose result depends only on the content and side files found by parts.py; OBJ is cached by its reader."""


def kind(suffix: str) -> str:
    """Return the kind of a file by its suffix: files of the same kind (mesh, image) can replace each other."""
    low = suffix.lower()
    return "mesh" if low in SUFFIXES else "image" if low in _IMAGES else low


def load(path: Path, content: bytes | None = None) -> MeshFile:
    """Return the parts of a mesh file, vertices in metres in the file's own frame (no up axis is applied).

    content is given for a file that is not on disk. Raises InputError with path and reason for a file that is
    unreadable, empty, of unknown kind or not finite.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"{path}: no reader for {path.suffix or 'a file without suffix'}; known are {', '.join(sorted(SUFFIXES))}"
        )
    data = _content(path) if content is None else content
    real(path, data)
    read: Callable[[Path, bytes], MeshFile] = import_module(reader).load
    if path.suffix.lower() not in _WHOLE:
        return record_samples(read(path, data), str(path))
    return record_samples(kept.mesh(path, data, lambda: (read(path, data), False))[0], str(path))


def real(path: Path, data: bytes) -> None:
    """Raise InputError where this content is empty or a placeholder for a mesh."""
    if said := stand_in(data):
        raise InputError(f"{path}: {said}")


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise InputError(f"{path}: the mesh is larger than {SIZE_LIMIT >> 30} GiB")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: the mesh cannot be read: {error.strerror or error}") from None
