"""What tells the file that was converted from another one of its name, which may stand at its address later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from ir.types import Asset


def stamp(file: str | Path | bytes) -> str:
    """Size and checksum of a file, or of what goes into one. Raises OSError where it cannot be read."""
    data = file if isinstance(file, bytes) else Path(file).read_bytes()
    return f"{len(data)}:{crc32(data):08x}"


def stamps(assets: Iterable[Asset]) -> dict[str, str]:
    """Name of an asset -> stamp of its file, where it has an address and a file that can be read."""
    known: dict[str, str] = {}
    found: dict[str, str] = {}
    for asset in assets:
        if asset.file and asset.uri:
            with suppress(OSError):  # whoever writes what it shows tells
                known[asset.file] = found[asset.name] = known.get(asset.file) or stamp(asset.file)
    return found
