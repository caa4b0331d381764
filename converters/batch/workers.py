"""Processes that convert models, each one job at a time. A crash of one affects its own job only."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from converters.batch.entries import failure
from converters.batch.plan import BatchSettings, Entry, Job, Outcome
from converters.context import InputError

STARTING = 120.0
"""Seconds within which a process must be ready."""
SHARE = 0.8
"""Fraction of the machine's memory for all processes together, if the user gives no limit."""
SINGLE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that keep numerical libraries from using all cores in each of several processes."""


class Pool(Protocol):
    """Interface for running jobs."""

    def free(self) -> bool:
        """Return whether another job can be started."""
        ...

    def busy(self) -> int:
        """Return the number of running jobs."""
        ...

    def start(self, job: Job, entry: Entry | None, apart: bool = False) -> None:
        """Run a job; apart: in a process of its own. entry is the journal entry of an earlier run."""
        ...

    def finished(self, timeout: float) -> list[Outcome]:
        """Return the outcomes of jobs that have ended, waiting at most that many seconds."""
        ...

    def close(self) -> None:
        """End every process, at once."""
        ...


class _Worker(Struct):
    process: subprocess.Popen[bytes]
    connection: Connection
    deadline: float
    ready: bool = False
    work: tuple[Job, Entry | None] | None = None
    apart: bool = False


class Workers:
    """A Pool of processes on this machine, started on demand."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        self.settings = settings
        self.count = count
        self.workers: list[_Worker] = []

    def free(self) -> bool:
        return self.busy() < self.count

    def busy(self) -> int:
        return sum(worker.work is not None for worker in self.workers)

    def start(self, job: Job, entry: Entry | None, apart: bool = False) -> None:
        if apart:
            self.close()
        worker = next((each for each in self.workers if each.work is None), None)
        if worker is None:
            worker = _started(self.settings, self._memory(1 if apart else self.count))
            self.workers.append(worker)
        worker.work, worker.apart = (job, entry), apart
        if worker.ready:
            self._send(worker)

    def _memory(self, processes: int) -> int:
        if self.settings.memory is not None:
            return self.settings.memory
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return int(whole * SHARE / processes)

    def _send(self, worker: _Worker) -> None:
        worker.deadline = time.monotonic() + self.settings.timeout
        with suppress(OSError):  # the worker has just died: finished() detects it
            worker.connection.send(worker.work)

    def finished(self, timeout: float) -> list[Outcome]:
        outcomes = []
        busy = {worker.connection: worker for worker in self.workers if worker.work is not None}
        for connection in wait(list(busy), timeout):
            assert isinstance(connection, Connection)
            outcome = self._heard(busy.pop(connection))
            if outcome is not None:
                outcomes.append(outcome)
        now = time.monotonic()
        for worker in busy.values():
            if now > worker.deadline:
                self._end(worker)
                if not worker.ready:
                    raise InputError(f"a process for conversions was not ready after {STARTING:g} s")
                outcomes.append(self._lost(worker, f"there was no result after {self.settings.timeout:g} s"))
            elif self.settings.memory is not None and _resident(worker.process.pid) > self.settings.memory:
                self._end(worker)
                outcomes.append(self._lost(worker, f"it took more than {self.settings.memory >> 20} MB of memory"))
        return outcomes

    def _heard(self, worker: _Worker) -> Outcome | None:
        try:
            said = worker.connection.recv()
        except (EOFError, OSError):
            code = self._end(worker)
            if not worker.ready:
                raise InputError(f"a process for conversions ended ({code}) before it was ready") from None
            return self._lost(worker, f"the process that converted it ended by itself ({code})")
        if not isinstance(said, Outcome):
            worker.ready = True
            self._send(worker)
            return None
        worker.work = None
        if worker.apart or said.lost:
            self._end(worker)
        return said

    def _lost(self, worker: _Worker, message: str) -> Outcome:
        assert worker.work is not None
        job, _ = worker.work
        return Outcome(job=job, entry=failure(job, self.settings, message), lost=True)

    def _end(self, worker: _Worker) -> str:
        """Kill a process with its children; return how it ended, in words."""
        self.workers.remove(worker)
        worker.connection.close()
        return ended(worker.process)

    def close(self) -> None:
        for worker in list(self.workers):
            self._end(worker)


def _started(settings: BatchSettings, memory: int) -> _Worker:
    ours, theirs = Pipe()
    command = [sys.executable, "-m", "converters.batch.worker", str(theirs.fileno())]
    environment = os.environ | dict.fromkeys(SINGLE, "1")
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        pass_fds=[theirs.fileno()],
        start_new_session=True,  # Ctrl-C goes only to the main process; killing the group ends child processes, too
    )
    theirs.close()
    with suppress(OSError):
        ours.send((settings, memory, os.getpid()))
    return _Worker(process, ours, time.monotonic() + STARTING)


def ended(process: subprocess.Popen[bytes]) -> str:
    """Wait for a process that has ended, else kill it with its group; return how it ended, in words."""
    try:
        code = process.wait(0.2)
    except subprocess.TimeoutExpired:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 where the system does not report it."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0
