"""Whether the result of an earlier batch is still valid: none of its inputs and outputs has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from converters.batch.entries import CONVERTED, meant_path
from converters.batch.journal import Journal
from converters.batch.plan import BatchSettings, Entry, Job
from converters.batch.single import PAGE
from converters.batch.store import DOCUMENTS, Store
from converters.discovery import Found
from converters.version import __version__


def unchanged(job: Job, settings: BatchSettings, entry: Entry, store: Store) -> bool:
    """Whether a model need not be converted again. Its files are added to the store, so that others can share them."""
    if entry.get("status") != CONVERTED:
        return False
    try:
        said = (entry["target"], entry["options"], entry["tool"])
        if said != (job.target, settings.digest(), __version__):
            return False
        return (
            _has_digests(settings.target, {} if settings.target_url else entry["outputs"], store, shared=True)
            and _reported(settings, entry, store)
            and all(store.digest(meant_path(path, settings)) == digest for path, digest in entry["inputs"].items())
            and _answers(job, settings, entry["answers"], entry["packages"])
            and _srdf(job, settings, *entry.get("srdf", ("", None)))
        )
    except (OSError, KeyError):  # a file is gone, or the line is of another version
        return False


def _has_digests(folder: str, digests: Mapping[str, str], store: Store, shared: bool = False) -> bool:
    for name, digest in digests.items():
        path = os.path.join(folder, name)
        if store.digest(path) != digest:
            return False
        if shared and os.path.splitext(path)[1].lower() not in DOCUMENTS:
            store.adopt(path, digest)
    return True


def _reported(settings: BatchSettings, entry: Entry, store: Store) -> bool:
    if not settings.report:
        return True
    paged = not settings.pages or any(name.endswith(PAGE) for name in entry["reports"])
    return bool(paged and entry["reports"] and _has_digests(settings.report, entry["reports"], store))


def srdf_of(job: Job, settings: BatchSettings, robot: str) -> str | None:
    """Return the SRDF beside a model that would be read with it, or None."""
    from converters.srdf.beside import find

    options = settings.options
    path = find(str(Path(settings.source, job.model)), robot) if options.find_srdf and options.srdf is None else None
    return None if path is None else os.path.abspath(path)


def _srdf(job: Job, settings: BatchSettings, robot: str, path: str | None) -> bool:
    """Whether the model still has the same SRDF, or still has none."""
    return not robot or srdf_of(job, settings, robot) == (path and meant_path(path, settings))


def _answers(job: Job, settings: BatchSettings, answers: Mapping[str, str | None], packages: Mapping[str, str]) -> bool:
    """Whether every address still resolves to the same file, and every name to the same package: a missing one may have
    been added, or one that takes precedence."""
    from converters.assets.resolve import Resolver

    resolver = Resolver(Path(settings.source, job.model), settings.options, settings.environment)
    return all(
        resolver.find(meant_path(uri, settings))[0] == (path and meant_path(path, settings))
        for uri, path in answers.items()
    ) and all(resolver.package(name)[0] == Path(meant_path(folder, settings)) for name, folder in packages.items())


def leftover_outputs(
    planned: Iterable[Job], parts: Iterable[Found], journal: Journal, settings: BatchSettings
) -> dict[str, str]:
    """Return models that no longer exist, or are now parts of others -> their document from an earlier batch."""
    jobs, parted = list(planned), {item.model for item in parts}
    taken = {job.target for job in jobs}
    found: dict[str, str] = {}
    for model in sorted(journal.places.keys() - {job.model for job in jobs}):
        entry = journal.get(model)
        if entry is None or entry.get("status") != CONVERTED or entry["target"] in taken:
            continue
        gone = model in parted or not os.path.lexists(Path(settings.source, model))
        if gone and os.path.lexists(Path(settings.target, entry["target"])):
            found[model] = entry["target"]
    return found
