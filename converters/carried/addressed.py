"""Files that are at hand, and whose addresses in an output lead nowhere."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ir.diff import Difference
from ir.scene import Scene

if TYPE_CHECKING:
    from ir.folds import Folds

SCHEMES = (":", "#")
"""What an address has that is no path: the scheme of another one, the place in a document."""


def astray(
    fitted: Scene, again: Scene, folds: Folds, files: Mapping[str, bytes | Path], folder: Path
) -> Iterator[Difference]:
    """Where an asset of again (read without folds) stands at a path that is neither among the files beside the output
    nor on the disk, from its folder. Of one whose file nobody has found, as fitted says, that is no loss."""
    wholes = {part: whole for whole, parts in folds.get("asset", {}).items() for part in parts}
    for asset in again.assets.values():
        name = wholes.get(asset.name, asset.name)
        own = fitted.assets.get(name)
        lost = own is not None and own.file is None
        if lost or not asset.uri or any(mark in asset.uri for mark in SCHEMES):
            continue
        paths = {os.path.normpath(path) for path in (asset.uri, unquote(asset.uri))}
        if files.keys().isdisjoint(paths) and not any((folder / path).exists() for path in paths):
            source = own.source if own is not None else None
            yield Difference(("asset", name, "file"), "beside.asset", "absent", asset.uri, None, source)
