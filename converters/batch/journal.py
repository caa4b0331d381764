"""What a batch has done, in a file of JSON lines that only grows while it runs; and the lock that keeps others out.

A line is {"check": ..., "entry": ...}: the check is of the text of the entry, so that a line torn by a crash or a full
disk is seen and does not count. At the end of a batch the file is written anew, sorted, without what is outdated.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from converters.batch.plan import Entry
from converters.context import InputError
from converters.discovery import HIDDEN

NAME = "journal.jsonl"
SYNC = 1.0
"""Seconds after which entries are on the disk itself."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one batch. Raises InputError when another one has it, OSError when it cannot be written."""
    place = folder / HIDDEN
    place.mkdir(parents=True, exist_ok=True)
    with exclusive(place / "lock", f"{folder}: another batch is writing there; wait for it, or name another folder"):
        yield


@contextmanager
def exclusive(lock: Path, message: str) -> Iterator[None]:
    """Hold a lock file of this machine. Raises InputError with the message when another process has it."""
    with lock.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(message) from None
        yield


def line(entry: Entry) -> bytes:
    """An entry as it stands in the file. Names that are no text are kept: JSON takes lone surrogates as escapes."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    return f'{{"check":"{_check(text.encode())}","entry":{text}}}\n'.encode()


def parsed(data: bytes) -> Entry | None:
    """The entry of a line; None when it is torn or changed."""
    head, colon, text = data.rstrip(b"\n").partition(b',"entry":')
    text = text[:-1]
    if not colon or head != b'{"check":"%s"' % _check(text).encode():
        return None
    entry = json.loads(text)
    return entry if isinstance(entry, dict) and isinstance(entry.get("model"), str) else None


def _check(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


class Journal:
    """The journal of a folder. Entries stay on the disk; here is only where the last one of each model stands."""

    def __init__(self, folder: Path, writable: bool = True) -> None:
        self.path = folder / HIDDEN / NAME
        self.places: dict[str, int] = {}
        self._file = self.path.open("a+b" if writable else "rb") if writable or self.path.exists() else None
        self._torn = False
        self._synced = time.monotonic()
        if self._file is not None:
            self._survey()

    def _survey(self) -> None:
        assert self._file is not None
        self._file.seek(0)
        place = 0
        for data in self._file:
            entry = parsed(data)
            if entry is not None:
                self.places[entry["model"]] = place
            self._torn = not data.endswith(b"\n")
            place += len(data)

    def get(self, model: str) -> Entry | None:
        """The last entry of a model."""
        place = self.places.get(model)
        if place is None or self._file is None:
            return None
        self._file.seek(place)
        return parsed(self._file.readline())

    def append(self, entries: list[Entry]) -> None:
        """Write entries so that they outlast the end of this process. Raises OSError.

        A crash of the machine may cost those of the last second: their models are converted again. Waiting for the disk
        after each would keep processes waiting that have come to the end of their jobs meanwhile.
        """
        assert self._file is not None
        if not entries:
            return
        place = self._file.seek(0, os.SEEK_END)
        data = b"\n" if self._torn else b""
        self._torn = True
        for entry in entries:
            self.places[entry["model"]] = place + len(data)
            data += line(entry)
        self._file.write(data)
        self._file.flush()
        self._torn = False
        if time.monotonic() - self._synced > SYNC:
            self._sync()

    def _sync(self) -> None:
        if self._file is not None and self._file.writable():
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def entries(self) -> Iterator[Entry]:
        """The last entry of every model, in order of their names."""
        for model in sorted(self.places):
            entry = self.get(model)
            if entry is not None:
                yield entry

    def compact(self) -> None:
        """Write the file anew with what counts: the same batch leaves the same bytes in whatever order it ran."""
        work = self.path.with_suffix(".part")
        places: dict[str, int] = {}
        with work.open("wb") as file:
            for entry in self.entries():
                places[entry["model"]] = file.tell()
                file.write(line(entry))
            file.flush()
            os.fsync(file.fileno())
        self.close()
        work.replace(self.path)
        self.places = places
        self._file = self.path.open("a+b")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # what was written stays written; a full disk is told where entries are
                self._sync()
            self._file.close()
            self._file = None
