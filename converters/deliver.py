"""Putting an output on disk so that it appears whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from converters.context import Output

BLOCK = 1 << 20
"""Bytes that are compared at a time."""

Write = Callable[[str, bytes | Path], None]
"""(path of a new file, its content or the file to copy)."""


def deliver(output: Output, path: Path, stage: Path | None = None, write: Write | None = None) -> tuple[str, ...]:
    """Write the document to path and its side files beside it; returns every path written, the document first.

    Everything is first written to a temporary folder on the same file system, then renamed file by file, the document
    last, so that it never names an asset that is not there yet. Files of other outputs in the same folder stay, and so
    does a side file that is there already, byte for byte. Raises OSError when something cannot be written; then all is
    as it was before. stage is where the temporary folder goes (None: beside path), write how a side file is made.
    """
    folder = path.parent
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "is there already and is no regular file", str(path))
    folder.mkdir(parents=True, exist_ok=True)
    work = tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=stage or folder)
    try:
        moves = []
        for number, (name, content) in enumerate(output.files.items()):
            new, final = f"{work}/{number}", f"{folder}/{_inside(name)}"
            if write is not None:
                write(new, content)
            elif _is_there(final, content):
                continue
            else:
                write_file(new, content)
            moves.append((new, final))
        write_file(f"{work}/document", output.document)
        _move([*moves, (f"{work}/document", f"{folder}/{path.name}")], work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return (str(path), *sorted(str(folder / name) for name in output.files))


def _inside(name: str) -> str:
    """Writers never leave the folder of the output."""
    relative = PurePosixPath(name)
    assert not relative.is_absolute() and ".." not in relative.parts, name
    return str(relative)


def _is_there(path: str, content: bytes | Path) -> bool:
    """Whether a file of this content lies at the path: to look costs less than another copy and the end of this one."""
    try:
        there = os.lstat(path)
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        if not stat.S_ISREG(there.st_mode) or there.st_size != size:
            return False
        if isinstance(content, bytes):
            with open(path, "rb", buffering=0) as old:  # noqa: PTH123
                return old.readall() == content
        return _same_bytes(path, content)
    except OSError:
        return False


def _same_bytes(path: str, other: Path) -> bool:
    """Whether two files of one size are equal. Raises OSError."""
    with open(path, "rb", buffering=0) as old, open(other, "rb", buffering=0) as new:  # noqa: PTH123
        while block := new.read(BLOCK):
            if old.read(BLOCK) != block:
                return False
    return True


def write_file(path: str, content: bytes | Path) -> None:
    """Make a file. Raises OSError."""
    if isinstance(content, Path):
        _copy(content, path)
    else:
        with open(path, "wb") as file:  # noqa: PTH123  a Path for each of hundreds of files costs more than writing them
            file.write(content)


def _copy(source: Path, path: str) -> None:
    """Where the kernel copies by itself it is asked to at once: shutil looks at both files eight times before."""
    if sys.platform != "linux":
        shutil.copyfile(source, path)
        return
    with open(source, "rb", buffering=0) as old, open(path, "xb", buffering=0) as new:  # noqa: PTH123
        done, size = 0, os.fstat(old.fileno()).st_size
        while done < size:
            sent = os.sendfile(new.fileno(), old.fileno(), done, size - done)
            if sent == 0:
                raise OSError(errno.EIO, "became shorter while it was copied", str(source))
            done += sent


def _move(moves: list[tuple[str, str]], work: str) -> None:
    """Rename all or, when one fails, put everything back."""
    done: list[tuple[str, str | None]] = []
    made: list[str] = []
    try:
        for number, (new, final) in enumerate(moves):
            parent = os.path.dirname(final)  # noqa: PTH120
            if not os.path.isdir(parent):  # noqa: PTH112
                os.makedirs(parent)  # noqa: PTH103
                made.append(parent)
            old = None
            if os.path.lexists(final):
                old = f"{work}/old{number}"
                os.rename(final, old)  # noqa: PTH104
            done.append((final, old))
            os.rename(new, final)  # noqa: PTH104
    except OSError:
        for final, old in reversed(done):
            if old is not None:
                os.replace(old, final)  # noqa: PTH105
            elif os.path.lexists(final):
                os.unlink(final)  # noqa: PTH108
        for parent in reversed(made):
            shutil.rmtree(parent, ignore_errors=True)
        raise
