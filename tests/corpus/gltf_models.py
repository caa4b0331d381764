"""Sources of glTF files that no robotics tool wrote: assimp-testmodels of Debian, and folders of the user."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.corpus.models import Model, together

INSTALLED = Path("/usr/share/assimp/models")
SUFFIXES = frozenset({".glb", ".gltf"})


def gltf_models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Return every .glb and .gltf of those folders and of those in the environment variable, by name."""
    return together({}, [*([INSTALLED] if INSTALLED.is_dir() else []), *folders], SUFFIXES)
