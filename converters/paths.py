"""Ways between files, and their names, on every file system."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)

_STRANGE = re.compile(r"[\\:\x00-\x1f]")


def absolute(file: str | os.PathLike[str]) -> Path:
    """The whole path of a file, without `..`, and without a look at links."""
    return Path(os.path.abspath(file))


def way_to(file: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """The way to a file from a folder, with slashes, as addresses have it; the whole one where none leads there (from
    one drive of Windows to another). `..` goes up from where the folder really is: a link may lead there."""
    try:
        found = os.path.relpath(file, folder)
        if found.startswith(os.pardir):
            above, name = os.path.split(os.path.abspath(file))
            found = os.path.relpath(Path(os.path.realpath(above), name), os.path.realpath(folder))
    except ValueError:
        found = os.path.abspath(file)
    return found.replace(os.sep, "/")


def short_way(file: str, folder: str | os.PathLike[str]) -> str:
    """The way to a file from a folder, or its path as it is, whichever is shorter."""
    return min(way_to(file, folder), file, key=len)


def assets_of(output: PurePath) -> str:
    """The name of the folder for the files of an output: that of the output, but for what begins an address with a
    scheme, parts one on Windows, or is taken off its ends."""
    return _STRANGE.sub("_", output.stem).lstrip() + "_assets"


def tidied(stem: str, instead: str) -> str:
    """The name of a file, without its suffix, as every file system takes it; instead: where nothing is left of it."""
    tidy = re.sub(r"[^A-Za-z0-9._-]+", "_", stem).strip("._-")[:100] or instead
    return f"_{tidy}" if _RESERVED.match(tidy) else tidy  # Windows has devices of these names in every folder
