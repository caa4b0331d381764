"""The same jobs on a Dask cluster: Dask schedules them, and runs them again where a machine was lost.

A task passes its job to a process of its own, as on one machine, so that limits and crashes have the same effect; that
process belongs to the Dask worker thread that runs the task, and is reused by later tasks of the thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import tempfile
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.batch import remote
from converters.batch.entries import CONVERTED, failure
from converters.batch.plan import BatchSettings, Entry, Job, Outcome
from converters.batch.workers import Workers
from converters.context import InputError
from converters.version import __version__

WAITING = 2
"""Jobs queued per thread of the cluster, so that it need not wait for the next one."""
PATIENCE = 5.0
"""Timeout in seconds for reaching the scheduler."""
RETRIES = 2

_here = threading.local()
_everywhere: list[Workers] = []
_copies: dict[str, tempfile.TemporaryDirectory[str]] = {}
_copying = threading.Lock()


class Cluster:
    """A Pool (converters.batch.workers) on the cluster at the address of a Dask scheduler."""

    def __init__(self, settings: BatchSettings, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise InputError("--scheduler needs Dask: pip install 'kinegraph[cluster]'") from error
        try:
            _hush()
            connect: Any = distributed.Client
            self.client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"{address}: there is no Dask scheduler at this address ({error})") from error
        if "memory" in (settings.source_url.partition(":")[0], settings.target_url.partition(":")[0]):
            raise InputError("memory:// is the memory of one process: a cluster cannot see it")
        self.settings = settings
        self.threads, self.counted = 1, 0.0
        """Threads of the cluster, and when they were counted, because workers come and go."""
        self.lost = 0.0
        """Time since which the scheduler has not answered; 0.0 if it answers."""
        self.running: dict[str, tuple[Any, Job]] = {}
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._same_version(address)

    def _same_version(self, address: str) -> None:
        try:
            found: dict[str, str] = self.client.run(_version)
        except Exception as error:  # any exception of a remote machine arrives here
            self.close()
            raise InputError(f"{address}: a Dask worker has no kinegraph that works: {error}") from error
        others = {name for name in found.values() if name != __version__}
        if others:
            self.close()
            raise InputError(f"{address}: Dask workers have kinegraph {', '.join(sorted(others))}, not {__version__}")

    def free(self) -> bool:
        if time.monotonic() - self.counted > 1.0:
            try:
                self.threads = max(1, sum(self.client.nthreads().values()))
            except Exception:  # Dask raises many kinds when the scheduler is gone; finished() sees whether it returns
                return False
            self.counted = time.monotonic()
        return len(self.running) < WAITING * self.threads

    def busy(self) -> int:
        return len(self.running)

    def start(self, job: Job, entry: Entry | None, apart: bool = False) -> None:
        key = f"kinegraph-{uuid.uuid4().hex}"
        future = self.client.submit(attempt, self.settings, job, entry, apart, key=key, pure=False, retries=RETRIES)
        self.running[key] = (future, job)
        future.add_done_callback(self.done.put)

    def finished(self, timeout: float) -> list[Outcome]:
        outcomes = []
        try:
            waiting = [self.done.get(timeout=timeout)]
            while not self.done.empty():
                waiting.append(self.done.get())
        except queue.Empty:
            self._still_there()
            return []
        self.lost = 0.0
        for future in waiting:
            _, job = self.running.pop(future.key)
            try:
                outcomes.append(future.result(timeout=self.settings.timeout + PATIENCE))
            except (Exception, asyncio.CancelledError) as error:  # any exception of the remote task
                message = f"the cluster lost it: {type(error).__name__}"
                outcomes.append(Outcome(job=job, entry=failure(job, self.settings, message), lost=True))
            future.release()
        return outcomes

    def _still_there(self) -> None:
        """Raise InputError when the scheduler has been unreachable for too long, because it loses its tasks."""
        if self.client.status == "running":
            self.lost = 0.0
            return
        self.lost = self.lost or time.monotonic()
        if time.monotonic() - self.lost > PATIENCE:
            raise InputError("the Dask scheduler is gone; run again with --resume when it is back")

    def close(self) -> None:
        with suppress(Exception):  # a scheduler that is gone cannot be told anything
            if self.client.status == "running":
                for future, _ in self.running.values():
                    future.cancel()
                self.client.run(_dismiss, on_error="ignore")
            self.client.close(timeout=PATIENCE)


def _hush() -> None:
    """Silence Dask's messages about lost workers; what they mean for a model is reported here, once."""
    for name in list(logging.root.manager.loggerDict):  # each of its loggers has a level of its own
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _version() -> str:
    return __version__


def attempt(settings: BatchSettings, job: Job, entry: Entry | None, apart: bool) -> Outcome:
    """Run a job in a process of this thread. Source URLs are copied here first, outputs stored from here."""
    settings = _localized(settings)
    pool: Workers | None = getattr(_here, "pool", None)
    if pool is None or pool.settings != settings:
        pool = _here.pool = Workers(settings, 1)
        _everywhere.append(pool)
    pool.start(job, entry, apart)
    while True:
        for outcome in pool.finished(1.0):
            if settings.target_url and outcome.entry.get("status") == CONVERTED:
                remote.store(settings.target, settings.target_url, outcome.entry)
            return outcome


def _localized(settings: BatchSettings) -> BatchSettings:
    """Return the settings with local folders instead of URLs; a source is copied once per process."""
    if not (settings.source_url or settings.target_url):
        return settings
    with _copying:
        for url in filter(None, (settings.source_url, settings.target_url)):
            if url not in _copies:
                kept = tempfile.TemporaryDirectory(prefix="kinegraph-")
                if url == settings.source_url:
                    remote.fetched(url, Path(kept.name))
                _copies[url] = kept
        source = _copies[settings.source_url].name if settings.source_url else settings.source
        target = _copies[settings.target_url].name if settings.target_url else settings.target
        here = replace(settings, source=os.path.realpath(source), target=os.path.realpath(target))
        here.prepare()
    return here


def _dismiss() -> None:
    """End the processes on this machine and delete its copies, because the next batch may find other files."""
    while _everywhere:
        _everywhere.pop().close()
    with _copying:
        while _copies:
            _copies.popitem()[1].cleanup()
