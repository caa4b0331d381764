"""One job: a model read, written, put in place and reported on, in whatever process this runs."""

from __future__ import annotations

import hashlib
import os
import sys
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from converters.batch.entries import CONVERTED, failure, noted_path, relative, success
from converters.batch.plan import BatchSettings, Entry, Job, Outcome
from converters.batch.single import reported, save
from converters.batch.store import Store
from converters.batch.unchanged import srdf_of, unchanged
from converters.deliver import deliver
from converters.failures import sentence
from converters.report.model import Report

if TYPE_CHECKING:
    from converters.convert import Made

PASSED = (".py", ".pyc", ".so", "package.xml", "manifest.xml")
"""Suffixes of files on whose content no output depends: that of manifests is covered by the answers of the resolver."""

OURS, DIST = f"{Path(__file__).parents[1]}{os.sep}", ".dist-info/"
"""Folders of this program's own files, which are covered by its version."""

_opened: dict[str, None] = {}
_watching = False


def watch() -> None:
    """From now on record which files this process opens, because an output depends on them."""
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _watching:
        path, _, flags = arguments
        if not isinstance(path, int) and not (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            with suppress(TypeError):
                _opened[os.fsdecode(path)] = None


def perform(job: Job, settings: BatchSettings, entry: Entry | None, store: Store) -> Outcome:
    """Convert one model. No exception escapes; the outcome tells what went wrong."""
    try:
        if settings.resume and entry is not None and unchanged(job, settings, entry, store):
            return Outcome(job=job, unchanged=True)
        return Outcome(job=job, entry=_converted(job, settings, entry or {}, store))
    except Exception as error:  # an internal error fails this model, not the batch
        failed = failure(job, settings, sentence(error))
        return Outcome(job=job, entry=reported(failed, settings), lost=isinstance(error, MemoryError))


def _converted(job: Job, settings: BatchSettings, entry: Entry, store: Store) -> Entry:
    global _watching
    from converters.convert import load, make, no_collection, report

    source = Path(settings.source, job.model)
    _opened.clear()
    with no_collection():
        _watching = True
        try:
            reading = load(source, source=settings.origin, options=settings.options)
            path = Path(settings.target, job.target)
            made = make(reading, path, target=settings.to, options=settings.options, packaged=job.packaged)
            outputs = _deliver(made, settings, store)
        finally:
            _watching = False
        files = [os.path.join(settings.target, name) for name in outputs]
        told = _relative(report(made, (files[0], *sorted(files[1:]))), settings)
        named = [file for end in (report(made, ()).source,) for file in end.files]
        answers = {
            noted_path(uri, settings): file and noted_path(file, settings) for uri, (file, _) in reading.answers.items()
        }
        context = reading.context
        # a xacro is expanded in its own process, which reports the files that it opened
        inputs = _inputs([*named, *context.opened], settings, store)
        done = success(job, settings, told, inputs, answers, outputs)
        done["packages"] = {
            name: noted_path(str(folder), settings) for name, folder in sorted(context.packages.items())
        }
        if reading.format.srdf:
            place = srdf_of(job, settings, reading.scene.name)
            done["srdf"] = [reading.scene.name, place and noted_path(place, settings)]
        _sweep(entry, outputs, settings, store)
        if settings.report:
            done["reports"] = save(job, told, reading, settings, Store(settings.report_stage))
    return done


def _deliver(made: Made, settings: BatchSettings, store: Store) -> dict[str, str]:
    """Put the files in place and return relative path -> digest, the document first.

    An older document is moved away first, so that it is never seen with the assets of the new one.
    """
    aside = store.stage / uuid.uuid4().hex
    replaced = made.path.is_file() and bool(made.output.files)
    if replaced:
        made.path.rename(aside)
    store.written.clear()
    try:
        deliver(made.output, made.path, stage=store.stage, write=store.write)
    except BaseException:
        if replaced:
            aside.replace(made.path)
        raise
    aside.unlink(missing_ok=True)
    folder = os.path.relpath(made.path.parent, settings.target)
    digests = {str(Path(folder, made.path.name)): hashlib.sha256(made.output.document).hexdigest()}
    sides = zip(made.output.files, store.written, strict=True)
    return digests | {os.path.normpath(Path(folder, name)): digest for name, digest in sorted(sides)}


def _inputs(named: list[str], settings: BatchSettings, store: Store) -> dict[str, str]:
    """Return the digest of every file the model was read from: those in the report, and all that were opened."""
    hidden = str(store.stage.parent)
    digests = {}
    for path in dict.fromkeys([*named, *_opened]):
        whole = os.path.abspath(path)
        passed = whole.endswith(PASSED) or whole.startswith((hidden, OURS, "/proc/", "/sys/")) or DIST in whole
        if passed or not os.path.isfile(whole):
            continue
        with suppress(OSError):
            digests[noted_path(whole, settings)] = store.digest(whole)
    return dict(sorted(digests.items()))


def _sweep(entry: Entry, outputs: Mapping[str, str], settings: BatchSettings, store: Store) -> None:
    """Delete what an earlier run wrote for this model and this one did not, if it has not been changed since."""
    if entry.get("status") != CONVERTED:
        return
    for name, digest in entry.get("outputs", {}).items():
        path = Path(settings.target, name)
        if name in outputs or ".." in path.parts or Path(name).is_absolute():
            continue
        with suppress(OSError):
            if store.digest(str(path)) == digest:
                path.unlink()
                path.parent.rmdir()


def _relative(report: Report, settings: BatchSettings) -> Report:
    """Return the report with files in the batch's folders named relative to these."""

    def told(text: str) -> str:
        return relative(text, settings)

    findings = tuple(
        replace(
            finding,
            before=told(finding.before),
            after=told(finding.after),
            reason=told(finding.reason),
            sources=tuple(replace(place, file=told(place.file)) for place in finding.sources),
        )
        for finding in report.findings
    )
    source, target = (
        replace(end, path=told(end.path), files=tuple(map(told, end.files))) for end in (report.source, report.target)
    )
    return replace(report, findings=findings, source=source, target=target)
