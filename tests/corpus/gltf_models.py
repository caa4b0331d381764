"""Where glTF files that nobody's robot tool wrote come from: assimp-testmodels of Debian, and folders of the user."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tests.corpus.models import VARIABLE, Model

INSTALLED = Path("/usr/share/assimp/models")
SUFFIXES = frozenset({".glb", ".gltf"})


def gltf_models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Every .glb and .gltf of those folders and of those in the environment variable, by name."""
    extra = [Path(folder) for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
    found: dict[Path, Model] = {}
    for folder in [*([INSTALLED] if INSTALLED.is_dir() else []), *extra, *map(Path, folders)]:
        base = folder.resolve()
        for root, below, files in os.walk(base):
            below.sort()
            for file in sorted(files):
                path = Path(root) / file
                if path.suffix.lower() in SUFFIXES:
                    found.setdefault(path, Model(f"{base.name}/{path.relative_to(base).as_posix()}", path))
    return sorted(found.values())
