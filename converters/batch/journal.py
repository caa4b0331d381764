"""The journal of a batch, a file of JSON lines that only grows while it runs; and the lock that excludes other batches.

A line is {"check": ..., "entry": ...}: the check is a checksum of the entry's text, so that a line truncated by a crash
or a full disk is detected and ignored. At the end of a batch the file is rewritten, sorted, without outdated entries.
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
"""Seconds after which entries are synced to disk."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder for one batch. Raises InputError when another one has it, OSError when it cannot be written."""
    place = folder / HIDDEN
    place.mkdir(parents=True, exist_ok=True)
    with exclusive(place / "lock", f"{folder}: another batch is writing there; wait for it, or name another folder"):
        yield


@contextmanager
def exclusive(lock: Path, message: str) -> Iterator[None]:
    """Lock a file on this machine. Raises InputError with the message when another process has locked it."""
    with lock.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(message) from None
        yield


def line(entry: Entry) -> bytes:
    """Return an entry as a line of the file. Names that are not valid text are kept: JSON escapes lone surrogates."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    return f'{{"check":"{_check(text.encode())}","entry":{text}}}\n'.encode()


def parsed(data: bytes) -> Entry | None:
    """Return the entry of a line; None when it is truncated or changed."""
    head, colon, text = data.rstrip(b"\n").partition(b',"entry":')
    text = text[:-1]
    if not colon or head != b'{"check":"%s"' % _check(text).encode():
        return None
    entry = json.loads(text)
    return entry if isinstance(entry, dict) and isinstance(entry.get("model"), str) else None


def _check(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


class Journal:
    """The journal of a folder. Entries remain on disk; only the position of each model's last one is in memory."""

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
        """Return the last entry of a model."""
        place = self.places.get(model)
        if place is None or self._file is None:
            return None
        self._file.seek(place)
        return parsed(self._file.readline())

    def append(self, entries: list[Entry]) -> None:
        """Write entries so that they survive the end of this process. Raises OSError.

        A crash of the machine may lose those of the last second, whose models are then converted again. Syncing after
        each entry would block processes that have finished their jobs meanwhile.
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
        """Yield the last entry of every model, sorted by name."""
        for model in sorted(self.places):
            entry = self.get(model)
            if entry is not None:
                yield entry

    def compact(self) -> None:
        """Rewrite the file with the current entries, so that its bytes do not depend on the order of the batch."""
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
            with suppress(OSError):  # written entries remain; a full disk is reported where entries are written
                self._sync()
            self._file.close()
            self._file = None
