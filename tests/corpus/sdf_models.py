"""Sources of real SDF files: the installed distributions, and folders that the user gives."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tests.corpus.models import Model, files_of, together

SUFFIXES = (".sdf", ".world")
INSTALLED = ("example-robot-data", "pybullet", "drake")


def sdf_models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Return every SDF file of the distributions, of the folders and of those in KINEGRAPH_CORPUS, by name."""
    found = {}
    for name in INSTALLED:
        for inner, path in files_of(name):
            if path.suffix in SUFFIXES:
                found[path.resolve()] = Model(f"{name}/{inner}", path)
    return together(found, folders, SUFFIXES)


def search(folders: Iterable[str | Path]) -> list[Path]:
    """Return the folders of models in these, for `model://name`. A model is a folder with a model.config."""
    found: dict[Path, None] = {}
    for folder in folders:
        for config in sorted(Path(folder).resolve().rglob("model.config")):
            found[config.parent.parent] = None
    return list(found)


def converted(models: Iterable[Model]) -> list[Model]:
    """Return the models that can be read."""
    from converters.context import InputError
    from converters.convert import read

    found = []
    for model in models:
        with suppress(InputError):
            read(model.path)
            found.append(model)
    return found
