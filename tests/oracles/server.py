"""A child process that runs engines: a crash or a hang of an engine costs one answer, not the run."""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]


class DiedError(Exception):
    """The child crashed or took too long. The message says which, with the end of its stderr."""


class HungError(DiedError):
    """The child took too long."""


class Lines:
    """A program that answers each line of its input with a line, one at a time; it is restarted after a crash."""

    def __init__(self, *command: str, variables: Mapping[str, str] | None = None, patience: float = 0.0) -> None:
        """patience: seconds that it has to end by itself when there are no more requests."""
        self.command = command
        self.variables = variables or {}
        self.patience = patience
        self.process: subprocess.Popen[bytes] | None = None
        self.noise: IO[bytes] | None = None

    def answer(self, question: bytes, timeout: float = 300.0) -> bytes:
        """Return the answer to a line, both without line ends. Raises DiedError."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise DiedError(self._death(str(error))) from error
        answer = b""
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], timeout)
            if not ready:
                raise HungError(self._death(f"no answer after {timeout:g} s"))
            piece = process.stdout.read()
            if piece == b"":
                raise DiedError(self._death("ended"))
            answer += piece or b""
        return answer[:-1]

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            self.noise = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.noise,
                cwd=ROOT,
                env=os.environ | self.variables,
            )
        return self.process

    def _death(self, how: str) -> str:
        assert self.process is not None
        try:
            code = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = None
        said = self._said()
        self._kill()
        if code is not None and code < 0:
            how = f"killed by {signal.Signals(-code).name}"
        return f"the process died: {how}; {said}" if code is not None else how

    def _said(self) -> str:
        """Return the last line that the child wrote to stderr."""
        if self.noise is None:
            return ""
        end = self.noise.seek(0, os.SEEK_END)
        self.noise.seek(max(0, end - 500))
        lines = self.noise.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        if self.process is not None and self.process.stdin is not None and self.patience:
            with suppress(OSError, subprocess.TimeoutExpired):
                self.process.stdin.close()
                self.process.wait(self.patience)
        self._kill()

    def _kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None
        if self.noise is not None:
            self.noise.close()
            self.noise = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Server(Lines):
    """Sends requests to a module that calls `serve`."""

    def __init__(self, module: str) -> None:
        super().__init__(sys.executable, "-m", module)

    def ask(self, function: str, timeout: float = 300.0, **arguments: Any) -> Any:
        """Return the result of a function of the child. Raises DiedError, or RuntimeError with its traceback."""
        question = json.dumps({"function": function, "arguments": arguments}).encode()
        result = json.loads(self.answer(question, timeout))
        if "error" in result:
            raise RuntimeError(result["error"])
        return result["value"]


@cache
def lasting(module: str) -> Server:
    """Return a server that lasts as long as this process, because its imports take longer than its answers."""
    server = Server(module)
    server.patience = 5.0
    atexit.register(server.close)
    return server


def serve(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Answer requests from stdin until it ends. Output of engines goes to stderr and cannot corrupt an answer."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    os.chdir(tempfile.gettempdir())  # engines leave their logs where they run
    gc.freeze()  # modules stay, and so does most of what a question leaves: see tests/conftest.py
    gc.set_threshold(100_000, 20, 100)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            answer = {"value": functions[request["function"]](**request["arguments"])}
        except Exception:
            answer = {"error": traceback.format_exc()}
        text = json.dumps(answer).encode() + b"\n"
        while text:
            text = text[answers.write(text) or 0 :]


Task = tuple[str, Mapping[str, Any]]


def spread(module: str, tasks: Iterable[Task], processes: int, timeout: float = 300.0) -> Iterator[tuple[Task, Any]]:
    """Yield answers of several servers as they arrive, with their tasks. Answers may be DiedError or RuntimeError."""
    waiting: Queue[Task] = Queue()
    done: Queue[tuple[Task, Any]] = Queue()
    count = 0
    for task in tasks:
        waiting.put(task)
        count += 1

    def work() -> None:
        with Server(module) as server:
            while True:
                try:
                    task = waiting.get_nowait()
                except Empty:
                    return
                try:
                    done.put((task, server.ask(task[0], timeout=timeout, **task[1])))
                except (DiedError, RuntimeError) as error:
                    done.put((task, error))

    for _ in range(min(processes, count)):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(count):
        yield done.get()
