"""The process of a command: its signals and streams. The commands themselves (converters.commands.program) are imported
when signals are handled already, so that Ctrl-C during the import shows no traceback."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from io import BufferedWriter, FileIO, TextIOWrapper
from time import monotonic
from types import FrameType
from typing import Any, TextIO

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a command: Ctrl-C, `kill`, and a closed terminal (missing on Windows)."""
PATIENCE = 1.0
"""Seconds after such a signal during which further ones are ignored."""


def entry() -> None:
    """The process of a command: main without garbage collection, since it is short, and must end quickly."""
    _Signals()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # used by numpy; further threads would only wait here
    try:
        gc.disable()
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # library warnings are for programmers; the report has what users must know
        sys.stdout, sys.stderr = _stream(sys.stdout, BrokenPipeError), _stream(sys.stderr, OSError)
        main()
    finally:
        gc.freeze()


class _Signals:
    """Ends the process as Ctrl-C does, so that unfinished files are removed; a second signal waits for that."""

    def __init__(self) -> None:
        self.heard = -PATIENCE
        for number in (getattr(signal, name) for name in ENDING if hasattr(signal, name)):
            if signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup: keep it so
                signal.signal(number, self)

    def __call__(self, number: int, _: FrameType | None) -> None:
        now = monotonic()
        if now - self.heard >= PATIENCE:
            self.heard = now
            raise SystemExit(128 + number)


class _Pipe(FileIO):
    """A stream whose reader may close it (`| head`); that is no error, and the exit code stays."""

    pardoned: type[OSError] = BrokenPipeError

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except self.pardoned:
            return memoryview(data).nbytes


def _stream(stream: TextIO | None, pardoned: type[OSError]) -> TextIO:
    """stdout or stderr that ignores such an error; a stream that discards everything if it is closed (None)."""
    if not isinstance(stream, TextIOWrapper):
        return stream or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    pipe = _Pipe(stream.fileno(), "w", closefd=False)
    pipe.pardoned = pardoned
    return TextIOWrapper(
        BufferedWriter(pipe), encoding=stream.encoding, errors=stream.errors, line_buffering=stream.line_buffering
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit. Every failure is one message on stderr, never a traceback."""
    try:
        from converters.commands.program import run

        code = run(arguments)
    except SystemExit as end:
        if isinstance(end.code, int) and end.code > 128:
            number = signal.Signals(end.code - 128)
            said = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
            print(f"kinegraph: {said}", file=sys.stderr)
        raise
    sys.exit(code)
