"""What becomes of every model that was found: one job each, with a place in the output that no other job has."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from converters.assets.folders import FOLDER_PATHS, PREFIX_PATHS
from converters.assets.fuel import CACHES
from converters.context import Options
from converters.discovery import HIDDEN, Found
from converters.paths import assets_of
from converters.registry import format_named, stem

Entry = dict[str, Any]
"""What the journal says of one model: entries.success and entries.failure make it."""


class BatchSettings(Struct, frozen=True, kw_only=True):
    """All that a job needs to know of its batch. Paths are absolute; the object travels to other machines."""

    source: str
    target: str
    to: str
    origin: str | None = None
    options: Options = field(default_factory=Options)
    report: str = ""
    """Folder of the reports; "" for none."""
    pages: bool = False
    """Whether the report of each model has a page that shows it."""
    resume: bool = False
    timeout: float = 600.0
    memory: int | None = None
    """Bytes that a process may hold."""
    environment: Mapping[str, str] = field(default_factory=dict)
    source_url: str = ""
    target_url: str = ""
    """Where the folders are when they are not on a disk; source and target are then copies on this machine."""

    @property
    def stage(self) -> Path:
        return Path(self.target, HIDDEN, "stage")

    @property
    def meshes(self) -> Path:
        """Where processes keep what they make of meshes."""
        return self.stage / "meshes"

    def prepare(self) -> None:
        """Make the working folders. Raises OSError."""
        for folder in (self.stage / "objects", self.meshes):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def report_stage(self) -> Path:
        """A report may lie on another file system than the output."""
        return Path(self.report, HIDDEN)

    def digest(self) -> str:
        """Of everything but the source that decides what is written."""
        said = {"to": self.to, "from": self.origin, "options": asdict(self.options)}
        text = json.dumps(said, sort_keys=True, default=str)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Job(Struct, frozen=True):
    """A model and the document to write, relative to their folders. refused: why it is not even tried."""

    model: str
    target: str
    packaged: bool = False
    refused: str = ""


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of a job. entry is its line of the journal; unchanged: there is one already, and it holds."""

    job: Job
    entry: Entry = field(default_factory=dict)
    unchanged: bool = False
    lost: bool = False
    """The process ended, hung or ran out of memory: worth another try with the machine to itself."""


def searched() -> dict[str, str]:
    """The variables of the environment that decide where assets are found."""
    names = ("ROS_PACKAGE_PATH", *PREFIX_PATHS, *FOLDER_PATHS, *CACHES)
    return {name: os.environ[name] for name in names if name in os.environ}


def jobs(found: Iterable[Found], to: str) -> list[Job]:
    """One job for each model, sorted. Models of one folder whose outputs would collide keep their whole names."""
    models = [item for item in found if not item.part]
    suffix = format_named(to).suffixes[0]
    documents = {item.model: _document(item, to, suffix) for item in models}
    folders = {str(parent).casefold() for target in documents.values() for parent in PurePosixPath(target).parents}
    claims = Counter(claim for item in models for claim in _claims(documents[item.model], item.packaged))
    taken = set(claims)
    planned = []
    for item in sorted(models, key=lambda item: item.model):
        target = documents[item.model]
        mine = _claims(target, item.packaged)
        if any(claims[claim] > 1 or claim in folders for claim in mine):
            target = _free(item.model, suffix, taken | folders)
            taken.update(_claims(target, False))
        planned.append(Job(item.model, target, item.packaged and target == documents[item.model], item.refused))
    return planned


def _document(item: Found, to: str, suffix: str) -> str:
    path = PurePosixPath(item.model)
    folder = format_named(to).folder
    if item.packaged and folder:
        return str(path.parent / folder)
    return str(path.with_name(f"{stem(path.name)}{suffix}"))


def _claims(target: str, packaged: bool) -> tuple[str, ...]:
    """The document and its folder of assets, as a file system without regard to case sees them."""
    path = PurePosixPath(target)
    assets = path.parent / "meshes" if packaged else path.with_name(assets_of(path))
    return str(path).casefold(), f"{assets}".casefold()


def _free(model: str, suffix: str, taken: set[str]) -> str:
    path = PurePosixPath(model)
    target, number = f"{path}{suffix}", 1
    while taken.intersection(_claims(target, False)):
        number += 1
        target = f"{path}_{number}{suffix}"
    return target
