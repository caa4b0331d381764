"""Sources of real URDFs: distributions that are installed as data, and folders that the user gives."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from converters.reading import HEAD
from converters.registry import detect

DISTRIBUTIONS = {
    "example-robot-data": "example-robot-data/robots/",
    "rtb-data": "rtbdata/",
    "pybullet": "pybullet_data/",
    "drake": "pydrake/share/drake/",
}
"""Maps a distribution to a part of the paths of its models; what follows it names the model. None is imported."""
RANDOM = "random_urdfs/"
RANDOM_SAMPLE = 20
"""pybullet contains 1 000 objects of one kind: a fixed sample of this size is used."""
VARIABLE = "KINEGRAPH_CORPUS"


@dataclass(frozen=True, order=True)
class Model:
    """name is unique and gives the origin of the model."""

    name: str
    path: Path


def models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Return every URDF of the installed distributions, of the folders and of those in the environment variable, by
    name.

    Raises PackageNotFoundError if a distribution of the extra `corpus` is not installed.
    """
    found = {model.path.resolve(): model for name in DISTRIBUTIONS for model in _installed(name)}
    return together(found, folders, (".urdf",), lambda path: RANDOM not in path.as_posix() and not _is_xacro(path))


def together(
    found: Mapping[Path, Model],
    folders: Iterable[str | Path],
    suffixes: Collection[str],
    fits: Callable[[Path], bool] = lambda path: True,
) -> list[Model]:
    """Return, by name, the given models and those of folders and KINEGRAPH_CORPUS with such a suffix that fit."""
    whole = dict(found)
    named = [folder for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
    for folder in (Path(each).resolve() for each in [*named, *folders]):
        for root, below, files in os.walk(folder):
            below.sort()
            for path in (Path(root) / file for file in sorted(files)):
                if path.suffix.lower() in suffixes and fits(path):
                    name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                    whole.setdefault(path.resolve(), Model(name, path))
    return sorted(whole.values())


def has(name: str) -> bool:
    """Whether a distribution, or that of a model, is available for this Python: pybullet has no wheels from 3.12 on."""
    return name.partition("/")[0] != "pybullet" or sys.version_info < (3, 12)


@cache
def files_of(name: str) -> tuple[tuple[str, Path], ...]:
    """Return, for each file of a distribution, the part of its path after the marker, and the file.

    Raises PackageNotFoundError if it is not installed but available.
    """
    marker = DISTRIBUTIONS[name]
    files = (distribution(name).files or []) if has(name) else []
    named = ((file.as_posix().partition(marker), file) for file in files)
    return tuple((inner, Path(str(file.locate()))) for (_, found, inner), file in named if found)


def _installed(name: str) -> Iterator[Model]:
    urdfs = sorted((inner, path) for inner, path in files_of(name) if path.suffix.lower() == ".urdf")
    numerous = [inner for inner, _ in urdfs if RANDOM in inner]
    sample = set(numerous[:: max(1, len(numerous) // RANDOM_SAMPLE)][:RANDOM_SAMPLE])
    for inner, path in urdfs:
        if RANDOM not in inner or inner in sample:
            yield Model(f"{name}/{inner}", path)


def _is_xacro(path: Path) -> bool:
    """Whether a URDF has to be expanded first: Pinocchio ignores unknown elements, and reads the rest."""
    return detect(str(path), path.read_bytes()[:HEAD]).name == "xacro"


def readable(candidates: Iterable[Model]) -> tuple[list[Model], dict[str, str]]:
    """Return the models that Pinocchio reads, and why it refuses the others; it runs in a separate process."""
    from tests.oracles.server import DiedError, lasting

    reads, refused = [], {}
    for model in candidates:
        try:
            why = lasting("tests.corpus.worker").ask("reads", timeout=20, path=str(model.path))
        except DiedError as error:
            why = str(error)
        if why is None:
            reads.append(model)
        else:
            refused[model.name] = why
    return reads, refused
