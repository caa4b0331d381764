"""Stamps that identify files: to tell a converted file from another one later found at its address, and to find
duplicate mesh files, because many packages have the same mesh as visual and as collision."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from converters.assets.folders import SIZE_LIMIT
from ir.types import Asset


def stamp(file: str | Path | bytes) -> str:
    """Return size and checksum of a file, or of content to be written. Raises OSError where it cannot be read."""
    data = file if isinstance(file, bytes) else Path(file).read_bytes()
    return f"{len(data)}:{crc32(data):08x}"


def stamps(assets: Iterable[Asset]) -> dict[str, str]:
    """Return asset name -> stamp of its file, for assets with an address and a readable file."""
    known: dict[str, str] = {}
    found: dict[str, str] = {}
    for asset in assets:
        if asset.file and asset.uri:
            with suppress(OSError):  # reported when its content is written
                known[asset.file] = found[asset.name] = known.get(asset.file) or stamp(asset.file)
    return found


_BESIDE = {".stl": re.compile(rb"(?!)"), ".dae": re.compile(rb"init_from"), ".obj": re.compile(rb"mtllib")}
"""Suffix -> pattern found in files of that kind that may reference files beside them."""


def originals() -> Callable[[str], str]:
    """Return a function that maps a file to the first file with the same name, size and content, or to itself."""
    known: dict[str, str] = {}
    first: dict[tuple[str, int], str] = {}

    def find(file: str) -> str:
        if file not in known:
            known[file] = file
            with suppress(OSError):  # reported when the file is opened
                other = first.setdefault((os.path.basename(file), os.stat(file).st_size), file)
                known[file] = other if other != file and _same_mesh(Path(file), Path(other)) else file
        return known[file]

    return find


def _same_mesh(file: Path, other: Path) -> bool:
    """Whether two mesh files are identical and independent of files beside them. Raises OSError."""
    beside = _BESIDE.get(file.suffix.lower())
    if beside is None or file.stat().st_size > SIZE_LIMIT:
        return False
    content = file.read_bytes()
    return content == other.read_bytes() and beside.search(content) is None
