"""Relative placement of files that are copied beside an output."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ir.gathering import gathered
from ir.names import Spares


def distinct_places(sides: Mapping[Path, list[Path]]) -> dict[str, Path]:
    """Return place -> file for files and their companion files, with places that differ on every file system.

    Where two places would coincide on a file system that ignores case, the later file and its companions get a folder
    of their own.
    """
    places = arranged(sides)
    found: dict[str, Path] = {}
    taken: dict[str, Path] = {}
    for path, own in sides.items():
        number, start = 1, ""
        while any(taken.get((start + places[each]).casefold(), each) != each for each in (path, *own)):
            number += 1
            start = f"{path.stem}_{number}/"
        found |= {start + places[each]: each for each in (path, *own) if start + places[each] not in found}
        taken |= {(start + places[each]).casefold(): each for each in (path, *own)}
    return found


def arranged(sides: Mapping[Path, list[Path]]) -> dict[Path, str]:
    """Return the relative placement of files and their companion files. Folders that share nothing but the file system
    root are replaced by their last names, so that an output reveals nothing of the machine it was made on."""
    paths = [each for path, own in sides.items() for each in (path, *own)]
    root = Path(os.path.commonpath([path.parent for path in paths]))
    branches = gathered((path.relative_to(root).parts[0], path) for path in paths)
    apart = root == Path(root.anchor) and all(path.parent != root for path in paths)
    if not apart or any(side.parts[1] != path.parts[1] for path, own in sides.items() for side in own):
        return {path: path.relative_to(root).as_posix() for path in paths}
    found: dict[Path, str] = {}
    spares = Spares()
    for own in branches.values():
        top = os.path.commonpath([path.parent for path in own])
        name = spares.of(os.path.basename(top))
        found |= {path: f"{name}/{path.relative_to(top).as_posix()}" for path in own}
    return found
