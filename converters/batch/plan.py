"""The plan of a batch: one job for each model that was found, with output paths that no other job uses."""

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
"""The journal entry of one model, made by entries.success or entries.failure."""


class BatchSettings(Struct, frozen=True, kw_only=True):
    """All that a job needs to know of its batch. Paths are absolute; the object is sent to other machines."""

    source: str
    target: str
    to: str
    origin: str | None = None
    options: Options = field(default_factory=Options)
    report: str = ""
    """Folder of the reports; "" for none."""
    pages: bool = False
    """Whether the report of each model includes a page that shows it."""
    resume: bool = False
    timeout: float = 600.0
    memory: int | None = None
    """Most bytes of memory of a process."""
    environment: Mapping[str, str] = field(default_factory=dict)
    source_url: str = ""
    target_url: str = ""
    """URLs of folders that are not on disk; source and target are then local copies."""

    @property
    def stage(self) -> Path:
        return Path(self.target, HIDDEN, "stage")

    @property
    def meshes(self) -> Path:
        """Folder where processes cache decoded meshes."""
        return self.stage / "meshes"

    def prepare(self) -> None:
        """Make the working folders. Raises OSError."""
        for folder in (self.stage / "objects", self.meshes):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def report_stage(self) -> Path:
        """Working folder of the reports, which may be on another file system than the output."""
        return Path(self.report, HIDDEN)

    def digest(self) -> str:
        """Return a digest of everything but the source that determines the output."""
        said = {"to": self.to, "from": self.origin, "options": asdict(self.options)}
        text = json.dumps(said, sort_keys=True, default=str)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Job(Struct, frozen=True):
    """A model and the document to write, relative to their folders. refused: why it is not attempted."""

    model: str
    target: str
    packaged: bool = False
    refused: str = ""


class Outcome(Struct, frozen=True, kw_only=True):
    """Result of a job. entry is its journal entry; unchanged: the existing entry is still valid."""

    job: Job
    entry: Entry = field(default_factory=dict)
    unchanged: bool = False
    lost: bool = False
    """The process ended, hung or ran out of memory: the job is tried again with the machine to itself."""


def searched() -> dict[str, str]:
    """Return the environment variables that determine where assets are found."""
    names = ("ROS_PACKAGE_PATH", *PREFIX_PATHS, *FOLDER_PATHS, *CACHES)
    return {name: os.environ[name] for name in names if name in os.environ}


def jobs(found: Iterable[Found], to: str) -> list[Job]:
    """Return one job per model, sorted. Models of one folder whose outputs would collide keep their full names."""
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
    """Return the paths of the document and of its asset folder, case-folded."""
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
