"""Where files that are copied beside an output stand to each other there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ir.gathering import gathered
from ir.names import Spares


def distinct_places(sides: Mapping[Path, list[Path]]) -> dict[str, Path]:
    """Place -> file, for files and what each brings along, at places that differ on every disk.

    On one that ignores case a file would lie where another does: it has a folder of its own, with what it brings along.
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
    """Where files, and what they bring along, stand to each other. Folders with nothing but the file system in common
    have their last names: an output tells nothing of the machine that it was made on."""
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
