"""A batch from beginning to end: find, plan, convert in processes, record, report."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from converters.batch import remote
from converters.batch.entries import CONVERTED, failure
from converters.batch.journal import Journal, locked
from converters.batch.plan import BatchSettings, Entry, Job, Outcome, jobs, searched
from converters.batch.progress import Told, outlook, progress_shown, table
from converters.batch.reports import merge, rows
from converters.batch.single import reported
from converters.batch.store import Store
from converters.batch.totals import tally
from converters.batch.unchanged import leftover_outputs, unchanged
from converters.batch.workers import Pool, Workers
from converters.context import InputError, Options
from converters.discovery import Found, find
from converters.paths import short_way
from converters.registry import format_named

TICK = 0.1
"""Seconds between two checks of deadlines and signals."""
PATIENCE = 3.0
"""Seconds that running conversions get to finish after Ctrl-C, SIGTERM or a hangup of the terminal."""
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Wanted(Struct, frozen=True, kw_only=True):
    """Options of a batch besides those of each conversion; names as on the command line.

    origin is the name of a format, report a folder for reports; pages adds a page that shows each model; timeout (s)
    and memory (bytes) limit each conversion.
    """

    origin: str | None = None
    report: str | None = None
    pages: bool = False
    resume: bool = False
    timeout: float = 600.0
    memory: int | None = None
    jobs: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    dry_run: bool = False
    scheduler: str | None = None
    fail_on: str | None = None


class _Stop(Struct):
    """The last signal received that asks to stop, and how many were received."""

    signal: int = 0
    times: int = 0


class _Running(Struct):
    """State of a running batch."""

    settings: BatchSettings
    journal: Journal
    say: Told
    again: deque[Job] = field(default_factory=deque)
    tried: set[str] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    """Models settled by this batch; for others the journal has the results of an earlier one."""
    unchanged: int = 0


def batch(source: str, target: str, to: str, options: Options, wanted: Wanted) -> tuple[int, str]:
    """Convert every model below the folder source into the folder target; folders may be URLs that fsspec supports.

    to names a format, options are those of each conversion. Returns the exit code and the table of results. Raises
    InputError when the batch cannot start or continue, OSError when target cannot be written.
    """
    if wanted.pages and wanted.report is None:
        raise InputError("--pages are linked from the index of a report: name its folder with --report")
    format_named(to, "write")
    if wanted.origin is not None:
        format_named(wanted.origin, "read")
    with remote.local(source, target) as (here, there):
        settings = BatchSettings(
            source=here.folder,
            target=there.folder,
            to=to,
            origin=wanted.origin,
            options=options,
            report="" if wanted.report is None else os.path.abspath(wanted.report),
            pages=wanted.pages,
            resume=wanted.resume,
            timeout=wanted.timeout,
            memory=wanted.memory,
            environment=searched(),
            source_url=here.url,
            target_url=there.url,
        )
        _check(settings, source, target)
        apart = [Path(folder) for folder in (settings.target, settings.report) if folder]
        found = find(
            Path(settings.source),
            include=wanted.include,
            exclude=wanted.exclude,
            origin=wanted.origin,
            options=options,
            without=apart,
        )
        if not found:
            chosen = " that --include and --exclude let through" if wanted.include or wanted.exclude else ""
            raise InputError(f"{source}: there is no model in this folder{chosen}")
        planned, parts = jobs(found, settings.to), [item for item in found if item.part]
        if wanted.dry_run:
            return 0, _dry(settings, planned, parts)
        return _locked(settings, wanted, planned, parts, there)


def _check(settings: BatchSettings, source: str, target: str) -> None:
    """Raise InputError for folders that cannot be used as requested."""
    one, other = Path(settings.source), Path(settings.target)
    if not one.is_dir():
        what = "is no folder; use `kinegraph convert` for one model" if one.exists() else "there is no such folder"
        raise InputError(f"{source}: {what}")
    if other.exists() and not other.is_dir():
        raise InputError(f"{target}: is not a folder")
    real, aim = one.resolve(), other.resolve()
    if real == aim or real.is_relative_to(aim):
        raise InputError(f"{target}: outputs would mix with the models of {source}; choose a folder outside of it")
    if settings.report:
        folder = Path(settings.report)
        if folder.exists() and not folder.is_dir():
            shown = short_way(settings.report, os.curdir)
            raise InputError(f"{shown}: is not a folder; --report of a batch names one")
        if folder.resolve() == real:
            raise InputError(f"{folder}: reports would mix with the models; choose another folder")


def _dry(settings: BatchSettings, planned: list[Job], parts: list[Found]) -> str:
    """Return what would be done, without writing anything."""
    states = {job.model: "refuse" for job in planned if job.refused}
    journal = Journal(Path(settings.target), writable=False)
    if settings.resume:
        store = Store(settings.stage)
        for job in planned:
            entry = journal.get(job.model)
            if entry is not None and not job.refused:
                states[job.model] = "unchanged" if unchanged(job, settings, entry, store) else "again"
    remains = leftover_outputs(planned, parts, journal, settings)
    journal.close()
    return outlook(planned, parts, states, remains)


def _locked(
    settings: BatchSettings, wanted: Wanted, planned: list[Job], parts: list[Found], there: remote.Folder
) -> tuple[int, str]:
    with remote.alone(there), locked(Path(settings.target)):
        journal = Journal(Path(settings.target))
        _clear(settings)
        settings.prepare()
        try:
            with progress_shown(len(planned), "" if settings.source_url else settings.source) as say:
                state = _Running(settings, journal, say)
                stop = _run(wanted, planned, state, there)
            known = rows(planned, parts, journal)
            mine = ((model, entry if model in state.settled else None, why) for model, entry, why in known)
            totals = tally(mine, wanted.fail_on)
            totals.unchanged = state.unchanged
            totals.left = leftover_outputs(planned, parts, journal, settings)
            if not stop.signal:
                journal.compact()
                there.settle(journal)
                if settings.report:
                    merge(settings, planned, parts, journal, totals)
        finally:
            journal.close()
            _clear(settings)
        return (128 + stop.signal if stop.signal else totals.code), table(totals)


def _clear(settings: BatchSettings) -> None:
    """Remove the working folders, which a killed batch leaves behind."""
    shutil.rmtree(settings.stage, ignore_errors=True)
    if settings.report:
        shutil.rmtree(settings.report_stage, ignore_errors=True)


# ---------------------------------------------------------------------------------------- the loop


def _run(wanted: Wanted, planned: list[Job], state: _Running, there: remote.Folder) -> _Stop:
    there.recall(state.journal)
    known = state.journal.places
    # models that are done already come first: checking them lets the others share their files
    queue = deque(sorted(planned, key=lambda job: (job.model not in known, job.model)))
    pool = _pool(state.settings, wanted, len(planned))
    with _signals() as stop:
        try:
            while queue or state.again or pool.busy():
                if stop.signal:
                    _wind_down(pool, state, stop, there)
                    break
                _fill(pool, queue, state)
                outcomes = pool.finished(TICK)
                _fill(pool, queue, state)
                _record([each for outcome in outcomes for each in _settled(outcome, state, there)], state)
        finally:
            pool.close()
    return stop


def _pool(settings: BatchSettings, wanted: Wanted, count: int) -> Pool:
    if wanted.scheduler is not None:
        from converters.batch.cluster import Cluster

        return Cluster(settings, wanted.scheduler)
    return Workers(settings, max(1, min(wanted.jobs or os.cpu_count() or 1, count)))


def _fill(pool: Pool, queue: deque[Job], state: _Running) -> None:
    """Keep every process busy. Jobs that failed because of their process wait until they can run alone."""
    while queue and pool.free():
        job = queue.popleft()
        if job.refused:
            entry = failure(job, state.settings, job.refused)
            _record([(job, reported(entry, state.settings))], state)
        else:
            pool.start(job, state.journal.get(job.model))
    if not queue and state.again and not pool.busy():
        job = state.again.popleft()
        pool.start(job, state.journal.get(job.model), apart=True)


def _settled(outcome: Outcome, state: _Running, there: remote.Folder) -> Iterator[tuple[Job, Entry | None]]:
    """Yield the entry to record for an outcome (None: the existing one is valid), unless it is to be retried."""
    job = outcome.job
    if outcome.lost and job.model not in state.tried:
        state.tried.add(job.model)
        state.again.append(job)
        return
    if outcome.unchanged:
        state.unchanged += 1
        yield job, None
        return
    entry = outcome.entry
    if outcome.lost:
        entry = failure(job, state.settings, f"{entry['message']}, twice")
        entry = reported(entry, state.settings)
    if entry["status"] == CONVERTED:
        try:
            there.publish(entry)
        except OSError as error:
            entry = reported(failure(job, state.settings, f"could not be stored: {error}"), state.settings)
    yield job, entry


def _record(settled: Sequence[tuple[Job, Entry | None]], state: _Running) -> None:
    try:
        state.journal.append([entry for _, entry in settled if entry is not None])
    except OSError as error:
        problem = error.strerror or error
        raise InputError(
            f"{state.journal.path}: the journal cannot be written ({problem}); "
            "what is converted is whole: make room and run again with --resume"
        ) from error
    for job, entry in settled:
        state.settled.add(job.model)
        word: Entry = entry or {"status": "unchanged"}
        state.say(job, str(word["status"]), entry)


def _wind_down(pool: Pool, state: _Running, stop: _Stop, there: remote.Folder) -> None:
    """Give running jobs a short time to finish; a second signal ends them at once."""
    end = time.monotonic() + PATIENCE
    while pool.busy() and stop.times < 2 and time.monotonic() < end:
        outcomes = [outcome for outcome in pool.finished(TICK) if not outcome.lost]
        _record([each for outcome in outcomes for each in _settled(outcome, state, there)], state)


@contextmanager
def _signals() -> Iterator[_Stop]:
    """Record signals that ask to stop, in the main thread only; those that are ignored (nohup) stay ignored."""
    stop = _Stop()

    def note(number: int, _: object) -> None:
        stop.signal, stop.times = number, stop.times + 1

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    heard = [number for number in STOPPING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, note) for number in heard}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
