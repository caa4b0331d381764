"""Sources of real MJCF files: the installed distributions, and folders that the user gives."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tests.corpus.models import DISTRIBUTIONS, Model, together

SUFFIXES = (".xml", ".mjcf")
INSTALLED = {
    "pybullet": DISTRIBUTIONS["pybullet"],
    "dm_control": "dm_control/",
    "gymnasium": "gymnasium/",
    "gymnasium-robotics": "gymnasium_robotics/",
    "metaworld": "metaworld/",
    "robosuite": "robosuite/",
    "mjlab": "mjlab/",
    "brax": "brax/",
}
"""Maps a distribution to a part of the paths of its models. Those that are not installed are ignored."""
ROOT = re.compile(rb"<mujoco[\s>/]")
HEAD = 65536


def mjcf_models(folders: Iterable[str | Path] = ()) -> list[Model]:
    """Return every MJCF file of the distributions, of the folders and of those in KINEGRAPH_CORPUS, by name.

    A file with another root element (mujocoinclude) is a part of others and not a model.
    """
    found: dict[Path, Model] = {}
    for name, marker in INSTALLED.items():
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            continue
        for file in files:
            if file.suffix in SUFFIXES and marker in file.as_posix():
                path = Path(str(distribution(name).locate_file(file)))
                if _is_model(path):
                    found[path.resolve()] = Model(f"{name}/{file.as_posix().partition(marker)[2]}", path)
    return together(found, folders, SUFFIXES, _is_model)


def _is_model(path: Path) -> bool:
    with path.open("rb") as file:
        return bool(ROOT.search(file.read(HEAD)))
