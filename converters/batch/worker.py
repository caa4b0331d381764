"""python -m converters.batch.worker FD: a process that converts models until the other end of its connection closes.

It is killed with its parent, sets its own limits, and prints nothing to the terminal.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path

from converters.batch.plan import BatchSettings
from converters.batch.store import Store
from converters.registry import format_named, formats

READY = "ready"
GARBAGE = 50_000
"""Objects made since the last collection above which another one is worthwhile."""
WARM = ("converters.convert", "converters.passes", "converters.report.findings")
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl."""


def main() -> None:
    connection = Connection(int(sys.argv[1]))
    parent: int
    settings: BatchSettings
    settings, memory, parent = connection.recv()
    _follow(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.update(settings.environment)
    _warm(settings)
    if memory is not None:
        _limit(memory)

    from converters.assets.meshes.kept import start_cache
    from converters.batch.task import perform, watch

    watch()
    store = Store(settings.stage)
    start_cache(settings.meshes)
    gc.collect()
    gc.freeze()
    connection.send(READY)
    while True:
        try:
            job, entry = connection.recv()
        except EOFError:
            break
        connection.send(perform(job, settings, entry, store))
        if gc.get_count()[0] > GARBAGE:
            gc.collect()
    os._exit(0)  # nothing is left to do, and interpreter shutdown takes longer than a conversion


def _follow(parent: int) -> None:
    """Have this process killed with its parent, because a worker of a killed batch must not continue to write."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _warm(settings: BatchSettings) -> None:
    """Import what every conversion needs, before any of them is timed."""
    for module in WARM:
        import_module(module)
    formats()
    format_named(settings.to).losses()


def _limit(memory: int) -> None:
    """Limit memory through the address space, a limit that the kernel enforces immediately."""
    if sys.platform == "linux":
        pages = [int(word) for word in Path("/proc/self/statm").read_text("ascii").split()]
        size, resident = (number * resource.getpagesize() for number in pages[:2])
        most = size - resident + max(memory, resident)
        with suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
