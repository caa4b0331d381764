"""Where real URDFs come from: distributions that are installed as data, and folders that the user names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

DISTRIBUTIONS = {
    "example-robot-data": "example-robot-data/robots/",
    "rtb-data": "rtbdata/",
    "pybullet": "pybullet_data/",
    "drake": "pydrake/share/drake/",
}
"""Distribution -> what its models' paths contain; the part behind it names the model. None of them is imported."""
RANDOM = "random_urdfs/"
RANDOM_SAMPLE = 20
"""pybullet holds 1 000 objects of one kind: a fixed sample is enough."""
VARIABLE = "KINEGRAPH_CORPUS"


@dataclass(frozen=True, order=True)
class Model:
    """name is unique and says where the model comes from."""

    name: str
    path: Path


def models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Every URDF of the installed distributions, of the folders and of those in the environment variable, by name.

    Raises PackageNotFoundError when a distribution of the extra `corpus` is not installed.
    """
    extra = [Path(folder) for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
    found = {model.path.resolve(): model for name in DISTRIBUTIONS for model in _installed(name)}
    for folder in [*extra, *map(Path, folders)]:
        for model in _below(folder):
            found.setdefault(model.path.resolve(), model)
    return sorted(found.values())


def _installed(name: str) -> Iterator[Model]:
    marker = DISTRIBUTIONS[name]
    if name == "pybullet" and sys.version_info >= (3, 12):  # there is no wheel of it
        return
    files = distribution(name).files or []
    urdfs = sorted(str(file) for file in files if file.suffix.lower() == ".urdf" and marker in file.as_posix())
    numerous = [file for file in urdfs if RANDOM in file]
    sample = set(numerous[:: max(1, len(numerous) // RANDOM_SAMPLE)][:RANDOM_SAMPLE])
    for file in urdfs:
        if RANDOM not in file or file in sample:
            yield Model(f"{name}/{file.partition(marker)[2]}", Path(str(distribution(name).locate_file(file))))


def _below(folder: Path) -> Iterator[Model]:
    folder = folder.resolve()
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = Path(root) / file
            if path.suffix.lower() == ".urdf" and RANDOM not in path.as_posix():
                yield Model(f"{folder.name}/{path.relative_to(folder).as_posix()}", path)


def readable(candidates: Iterable[Model]) -> tuple[list[Model], dict[str, str]]:
    """The models that Pinocchio reads, and why it refuses the others; asked in a process of its own."""
    from tests.oracles.server import DiedError, Server

    reads, refused = [], {}
    with Server("tests.corpus.worker") as server:
        for model in candidates:
            try:
                why = server.ask("reads", timeout=20, path=str(model.path))
            except DiedError as error:
                why = str(error)
            if why is None:
                reads.append(model)
            else:
                refused[model.name] = why
    return reads, refused
