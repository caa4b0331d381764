"""Paths from file to file, and valid file names, on every file system."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)

_STRANGE = re.compile(r"[\\:\x00-\x1f]")


def absolute(file: str | os.PathLike[str]) -> Path:
    """The absolute path of a file, without `..`; links are not resolved."""
    return Path(os.path.abspath(file))


def exists(path: Path) -> bool:
    """Whether there is something at a path; not at one that the file system refuses, as too long."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def way_to(file: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """The path from a folder to a file, with slashes, as in addresses; absolute if there is none (between drives of
    Windows). `..` goes up from the real folder, which may be behind a link."""
    try:
        found = os.path.relpath(file, folder)
        if found.startswith(os.pardir):
            above, name = os.path.split(os.path.abspath(file))
            found = os.path.relpath(Path(os.path.realpath(above), name), os.path.realpath(folder))
    except ValueError:
        found = os.path.abspath(file)
    return found.replace(os.sep, "/")


def short_way(file: str, folder: str | os.PathLike[str]) -> str:
    """The relative path to a file from a folder, or its path as it is, whichever is shorter."""
    return min(way_to(file, folder), file, key=len)


def assets_of(output: PurePath) -> str:
    """The name of the folder for the files of an output: that of the output, without characters that would begin an
    address with a scheme, separate one on Windows, or are stripped."""
    return _STRANGE.sub("_", output.stem).lstrip() + "_assets"


def tidied(stem: str, instead: str) -> str:
    """A file name without suffix that every file system accepts; instead: used if nothing is left of it."""
    tidy = re.sub(r"[^A-Za-z0-9._-]+", "_", stem).strip("._-")[:100] or instead
    return f"_{tidy}" if _RESERVED.match(tidy) else tidy  # Windows reserves these names in every folder
