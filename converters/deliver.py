"""Writing an output to disk so that it appears whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from converters.context import InputError, Output
from converters.format import Format
from converters.not_models import output_place
from converters.registry import ENDS

LONGEST = 40
"""Number of characters of a file name that are part of the name of its temporary folder."""
STAGED = re.compile(r"(old)?\d+|document")
"""The files that deliver writes into its temporary folder."""
BLOCK = 1 << 20
"""Bytes compared at a time."""

Write = Callable[[str, bytes | Path], None]
"""(path of a new file, its content or the file to copy)."""


def document_path(dst: str | Path, target: Format | None, name: str) -> Path:
    """The path of the document: dst, or a file in it if that is a folder or is spelled as one.

    A target with model folders makes one of it, all others a file with this name and their suffix.
    """
    path = Path(dst)
    output_place(path)
    into = path.is_dir() or str(dst).endswith(ENDS)
    if target is None or not (into or (target.folder and not path.suffix)):
        return path
    return path / (target.folder or f"{name}{target.suffixes[0]}")


def deliver(
    output: Output, path: Path, read: Iterable[str] = (), stage: Path | None = None, write: Write | None = None
) -> tuple[str, ...]:
    """Write the document to path and its side files beside it; returns every path written, the document first.

    Everything is first written to a temporary folder on the same file system, then renamed file by file, the document
    last, so that it never names an asset that is not there yet. Files of other outputs in the same folder stay, and a
    side file that exists already with the same content is not written again. Raises OSError when something cannot be
    written, InputError if one of the files in read would be changed, or a link leads a side file out of the folder;
    then everything is as it was before. stage is the place of the temporary folder (None: beside path), write is how a
    side file is made.
    """
    folder = path.parent
    if path.exists() and not path.is_file():
        raise _no_file(str(path))
    made: list[str] = []
    try:
        with naming(path):
            _make(str(folder), made)
            _stay(str(folder), output.files)
            work, lock = _work(f".{path.name[:LONGEST]}", folder) if stage is None else (_fresh(path.name, stage), None)
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
            moves.append((f"{work}/document", f"{folder}/{path.name}"))
            _spare(moves, read)
            _move(moves, work, made)
        finally:
            shutil.rmtree(work, ignore_errors=True)
            if lock is not None:
                os.close(lock)
    except BaseException as error:
        for each in reversed(made):
            with suppress(OSError):  # another process has put something there
                os.rmdir(each)
        if isinstance(error, OSError) and error.filename is None:  # a full disk gives an error without a file name
            raise type(error)(error.errno, error.strerror, str(path)) from error
        raise
    return (str(path), *sorted(str(folder / name) for name in output.files))


def _work(name: str, folder: Path) -> tuple[str, int | None]:
    """The temporary folder of an output, and the lock to close when it is removed. Raises OSError.

    Its name depends only on the output, so that remains of a killed process (SIGKILL, power failure) are cleared by the
    next one; a lock of the folder tells that no other process is using it. Else it gets a name of its own.
    """
    work = folder / f"{name}.part"
    with suppress(FileExistsError):
        work.mkdir(0o700)
    lock = _locked(work)
    if lock is None:
        return _fresh(name, folder), None
    for left in os.listdir(work):
        os.unlink(work / left)
    return str(work), lock


def _fresh(name: str, folder: Path) -> str:
    return tempfile.mkdtemp(prefix=f".{name.lstrip('.')[:LONGEST]}.", suffix=".part", dir=folder)


def _locked(work: Path) -> int | None:
    """A lock of a folder that contains only the files written below; None if it cannot be had."""
    try:
        import fcntl

        lock = os.open(work, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (ImportError, OSError):  # Windows has no fcntl
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours = all(STAGED.fullmatch(each) for each in os.listdir(work))
        if ours and os.path.samestat(os.stat(work, follow_symlinks=False), os.fstat(lock)):
            return lock
    except OSError:  # locked by another process, just removed, or no locks on this file system
        pass
    os.close(lock)
    return None


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError name the requested file, not the folder or the temporary file that failed on the way to it."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, f"cannot be written there: {error.strerror}", str(path)) from error


def _spare(moves: list[tuple[str, str]], read: Iterable[str]) -> None:
    """Raise InputError if a move would change one of the files that were read; read is only iterated if one might.

    A rename changes what a path leads to: other names of a file (hard links) keep its content, links to it do not.
    """
    if not read:
        return
    places = [final for new, final in moves if os.path.lexists(final) and not _equal(new, final)]
    sources: dict[tuple[int, int, str], str] = {}
    for file in read if places else ():
        for spelling in (file, os.path.realpath(file)):
            sources.setdefault(_place(spelling), spelling)
    for place in places:
        file = sources.get(_place(place), "")
        with suppress(FileNotFoundError):  # of two names that differ only in case, one may not exist
            if file and os.path.samefile(file, place):
                what = "is read by this conversion and would be overwritten"
                raise InputError(f"{place}: {what}: give the output another name or folder")


def _equal(new: str, final: str) -> bool:
    """Whether a new file has the same content as an existing one, or as the one to which a link leads."""
    try:
        return _has(final, Path(new), os.stat(final).st_size)
    except OSError:
        return False


def _no_file(path: str) -> OSError:
    return FileExistsError(errno.EEXIST, "is there already and is no regular file", path)


def _make(folder: str, made: list[str]) -> None:
    """Make a folder and its parents, noting each of them. Raises OSError."""
    if os.path.isdir(folder):
        return
    above = os.path.dirname(folder)
    if above not in ("", folder):
        _make(above, made)
    try:
        os.mkdir(folder)
    except FileExistsError as error:
        if not os.path.isdir(folder):  # a dangling link exists, but is not a folder
            raise NotADirectoryError(errno.ENOTDIR, f"{folder} is not a folder", folder) from error
    else:
        made.append(folder)


def _place(path: str) -> tuple[int, int, str]:
    """The folder of a file, however it is spelled, and its name there, without regard to case."""
    folder, name = os.path.split(path)
    try:
        where = os.stat(folder or ".")
    except OSError:
        return 0, 0, path
    return where.st_dev, where.st_ino, name.casefold()


def _inside(name: str) -> str:
    """Writers never leave the folder of the output."""
    relative = PurePosixPath(name)
    assert not relative.is_absolute() and ".." not in relative.parts, name
    return str(relative)


def _stay(folder: str, names: Iterable[str]) -> None:
    """Raises InputError if the place of a side file is not below the folder, since a link leads out of it."""
    real = os.path.realpath(folder)
    for below in sorted({os.path.dirname(_inside(name)) for name in names}):
        place = os.path.join(folder, below)
        if not Path(os.path.realpath(place)).is_relative_to(real):
            what = "is or lies behind a link that leads out of the folder of the output, where nothing is written"
            raise InputError(f"{place}: {what}: remove the link or give the output another name")


def _is_there(path: str, content: bytes | Path) -> bool:
    """Whether a file of this content already has this path: comparing is cheaper than copying it again."""
    try:
        there = os.lstat(path)
        return stat.S_ISREG(there.st_mode) and _has(path, content, there.st_size)
    except OSError:
        return False


def _has(path: str, content: bytes | Path, size: int) -> bool:
    """Whether a file of this size has this content. Raises OSError."""
    if size != (len(content) if isinstance(content, bytes) else content.stat().st_size):
        return False
    if isinstance(content, bytes):
        with open(path, "rb", buffering=0) as old:
            return old.readall() == content
    return _same_bytes(path, content)


def _same_bytes(path: str, other: Path) -> bool:
    """Whether two files of one size are equal. Raises OSError."""
    with open(path, "rb", buffering=0) as old, open(other, "rb", buffering=0) as new:
        while block := new.read(BLOCK):
            if old.read(BLOCK) != block:
                return False
    return True


def write_file(path: str, content: bytes | Path) -> None:
    """Make a file. Raises OSError, and InputError if the file to copy cannot be read."""
    if isinstance(content, Path):
        try:
            _copy(content, path)
        except OSError as error:
            if error.filename != str(content):
                raise
            raise InputError(f"{content}: cannot be copied beside the output: {error.strerror}") from error
    else:
        with open(path, "wb") as file:
            file.write(content)


def _copy(source: Path, path: str) -> None:
    """Copy by the kernel at once, if it can: shutil looks at both files eight times before."""
    if sys.platform != "linux":
        shutil.copyfile(source, path)
        return
    with open(source, "rb", buffering=0) as old, open(path, "xb", buffering=0) as new:
        done, size = 0, os.fstat(old.fileno()).st_size
        while done < size:
            sent = os.sendfile(new.fileno(), old.fileno(), done, size - done)
            if sent == 0:
                raise OSError(errno.EIO, "became shorter while it was copied", str(source))
            done += sent


def _move(moves: list[tuple[str, str]], work: str, made: list[str]) -> None:
    """Rename all or, when one fails or the process is interrupted, restore everything.

    A file that is replaced keeps another name meanwhile, so that the place is never empty. made collects the folders
    that are made on the way.
    """
    done: list[tuple[str, str]] = []
    fresh: set[str] = set()
    try:
        for number, (new, final) in enumerate(moves):
            with naming(Path(final)):
                _make(os.path.dirname(final), made)
            old = f"{work}/old{number}"
            if not os.path.lexists(final):
                fresh.add(final)
            elif os.path.exists(final) and not os.path.isfile(final):
                raise _no_file(final)
            done.append((final, old))
            if final not in fresh:
                _keep(final, old)
            os.replace(new, final)
    except BaseException:
        for final, old in reversed(done):
            if final not in fresh:
                if os.path.lexists(old):
                    os.replace(old, final)
            elif os.path.lexists(final):
                os.unlink(final)
        raise


def _keep(path: str, old: str) -> None:
    """Give a file another name, in addition to its own if the file system allows several. Raises OSError."""
    try:
        os.link(path, old, follow_symlinks=False)
    except (OSError, NotImplementedError):  # NotImplementedError where os.link always follows links
        os.rename(path, old)
