"""The bytes of files that a user names, and the limit of their size."""

from __future__ import annotations

from pathlib import Path

from converters.context import InputError

MAX_BYTES = 64 << 20
"""A limit of memory and time: of every document, and of every file that a user names."""
MAX_ELEMENTS = 1_000_000
"""Likewise, of an XML document; the largest robot known has 150 kB and 3 000 elements."""


def content(path: Path, what: str) -> bytes:
    """The bytes of a file that the user named. Raises InputError."""
    try:
        if not path.is_file():
            raise InputError(f"{path}: {'is no file' if path.exists() else 'there is no such file'} ({what})")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES >> 20} MiB ({what})")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error} ({what})") from error


def is_file(name: str) -> bool:
    """Whether an argument of the user is the name of an existing file; one too long for any file system is none."""
    try:
        return Path(name).is_file()
    except OSError:
        return False
