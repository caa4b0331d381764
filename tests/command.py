"""The command of this checkout in a process of its own, forked from this one instead of started anew."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parents[1]
TIMEOUT = 60.0
"""Timeout of a command in seconds."""


def forked(*arguments: str, cwd: Path, before: Callable[[], object] = lambda: None) -> subprocess.CompletedProcess[str]:
    """Return the result of `kinegraph` with the arguments in the folder cwd, as subprocess.run does. Raises
    TimeoutExpired.

    A short command spends most of its time on imports, which the copy inherits. before: called first in the copy.
    """
    _import()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of other threads: none of them holds a lock for long
            process = os.fork()
        if process == 0:
            _run(arguments, cwd, before, out.fileno(), err.fileno())
        watched = os.pidfd_open(process)
        ended = select.select([watched], [], [], TIMEOUT)[0]
        os.close(watched)
        if not ended:
            os.kill(process, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if not ended:
            raise subprocess.TimeoutExpired(list(arguments), TIMEOUT)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="surrogateescape"))
        return subprocess.CompletedProcess(list(arguments), code, *texts)


@cache
def _import() -> None:
    """Import what most conversions import when they need it."""
    from converters.convert import convert

    for name in ("commands.batch", "commands.convert", "batch.run"):
        import_module(f"converters.{name}")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"a.{suffix}") for suffix in ("urdf", "sdf", "xml", "glb")]
        files[0].write_text('<robot name="a"><link name="a"/></robot>')
        for source, target in pairwise(files):
            convert(source, target)


def _run(arguments: tuple[str, ...], cwd: Path, before: Callable[[], object], out: int, err: int) -> NoReturn:
    """Run the command in the forked process, and exit."""
    code = 1
    try:
        from converters.cli import entry

        os.chdir(cwd)
        os.environ["PYTHONPATH"] = str(ROOT)
        before()
        for there, here in ((os.open(os.devnull, os.O_RDONLY), 0), (out, 1), (err, 2)):
            os.dup2(there, here)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")
        )
        sys.argv = ["kinegraph", *arguments]
        entry()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # what escapes is told as Python tells it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
