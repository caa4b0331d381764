"""Folders that are URLs (s3://, memory://, ... whatever fsspec supports), as local folders.

A source is copied completely before its models are searched, because an address in a model may lead to any file in it.
Outputs are made locally and stored one model at a time, side files first, the document last; then its journal entry, as
a separate object, because object stores cannot append. At the end all entries are merged into one journal.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from msgspec import Struct

from converters.batch.journal import NAME, Journal, exclusive, line, parsed
from converters.batch.plan import Entry
from converters.context import InputError
from converters.discovery import HIDDEN

LINES = "journal"
ARCHIVES = ("zip", "tar", "libarchive")
"""Schemes of archive files: the archive's path follows ::."""


class Folder(Struct):
    """A local folder, and the URL that it is a copy of ("": none)."""

    folder: str
    url: str = ""

    def recall(self, journal: Journal) -> None:
        """Import the journal entries at the URL of models whose outputs all exist there."""
        if not self.url:
            return
        fs, root = file_system(self.url)
        sizes = {name: info.get("size") for name, info in _listed(fs, root).items()}
        lines = _cat(fs, f"{root}/{HIDDEN}/{NAME}").splitlines()
        lines += [_cat(fs, name) for name in sorted(sizes) if name.startswith(f"{root}/{HIDDEN}/{LINES}/")]
        entries = {entry["model"]: entry for entry in map(parsed, lines) if entry is not None}
        there = {
            model: entry
            for model, entry in entries.items()
            if all(sizes.get(f"{root}/{name}") == size for name, size in entry.get("sizes", {}).items())
        }
        journal.append([there[model] for model in sorted(there)])

    def publish(self, entry: Entry) -> None:
        """Store the outputs of a model and its entry, and delete the local copies. Raises OSError."""
        if self.url:
            store(self.folder, self.url, entry)

    def settle(self, journal: Journal) -> None:
        """Store the journal as one file."""
        if not self.url:
            return
        fs, root = file_system(self.url)
        with _errors_name_url(self.url):
            fs.makedirs(f"{root}/{HIDDEN}", exist_ok=True)
            fs.pipe_file(f"{root}/{HIDDEN}/{NAME}", journal.path.read_bytes())
            if fs.exists(f"{root}/{HIDDEN}/{LINES}"):
                fs.rm(f"{root}/{HIDDEN}/{LINES}", recursive=True)


def store(folder: str, url: str, entry: Entry) -> None:
    """Store a model's outputs below a URL, the document last, and delete them here; adds their sizes to entry."""
    fs, root = file_system(url)
    names = list(entry["outputs"])
    paths = [os.path.join(folder, name) for name in names]
    with _errors_name_url(url):
        if "sizes" not in entry:
            entry["sizes"] = {name: Path(path).stat().st_size for name, path in zip(names, paths, strict=True)}
            for parent in dict.fromkeys(os.path.dirname(f"{root}/{name}") for name in names):
                fs.makedirs(parent, exist_ok=True)
            if names[1:]:
                fs.put(paths[1:], [f"{root}/{name}" for name in names[1:]])
            fs.put_file(paths[0], f"{root}/{names[0]}")
            for path in paths:
                Path(path).unlink()
        fs.makedirs(f"{root}/{HIDDEN}/{LINES}", exist_ok=True)
        key = hashlib.sha256(os.fsencode(entry["model"])).hexdigest()
        fs.pipe_file(f"{root}/{HIDDEN}/{LINES}/{key}", line(entry))


@contextmanager
def local(source: str, target: str) -> Iterator[tuple[Folder, Folder]]:
    """Yield both folders as local folders; copies of remote ones are deleted at the end."""
    with ExitStack() as stack:
        places = []
        for text, fetch in ((source, True), (target, False)):
            path = _path(text)
            if path is not None:
                places.append(Folder(os.path.abspath(path)))
                continue
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kinegraph-"))
            if fetch:
                fetched(text, Path(folder))
            places.append(Folder(os.path.realpath(folder), text))
        yield places[0], places[1]


def _path(text: str) -> str | None:
    """Return the local path that a text gives; None for a URL of any other scheme than file."""
    scheme, mark, rest = text.partition("://")
    if not mark or not scheme.replace("+", "").isalnum():
        return text
    if scheme != "file":
        return None
    return unquote(rest)


def fetched(url: str, folder: Path) -> None:
    """Copy everything below a URL. Raises InputError."""
    fs, root = file_system(url)
    with _errors_name_url(url):
        names = {name: _relative(name, root) for name in _listed(fs, root)}
        if not names:
            raise InputError(f"{url}: there is nothing there")
        kept = {name: path for name, path in names.items() if not {HIDDEN, ".."} & set(path.split("/"))}
        paths = [folder / path for path in kept.values()]
        for parent in {path.parent for path in paths}:
            parent.mkdir(parents=True, exist_ok=True)
        fs.get(list(kept), [str(path) for path in paths])


def _relative(name: str, root: str) -> str:
    """Return the path below root of a listed name; names that are URLs themselves (http) are percent-decoded."""
    path = name[len(root) :].lstrip("/")
    return unquote(path).lstrip("/") if "://" in name else path


def file_system(url: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path on it. Raises InputError."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise InputError(f"{url}: URLs need the package fsspec: pip install 'kinegraph[remote]'") from error
    with _errors_name_url(url):
        try:
            fs, root = url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise InputError(f"{url}: {error}") from error
        except OSError as error:
            scheme, _, path = url.partition("://")
            inside = "" if "::" in url or scheme not in ARCHIVES else f"; what is in an archive is {scheme}://::{path}"
            raise InputError(f"{url}: {error.strerror or error}{inside}") from error
    return fs, str(root).rstrip("/")


def _listed(fs: Any, root: str) -> dict[str, Any]:
    fs.invalidate_cache()
    found: dict[str, Any] = fs.find(root, detail=True)
    return found


def _cat(fs: Any, name: str) -> bytes:
    try:
        data: bytes = fs.cat_file(name)
    except FileNotFoundError:
        return b""
    return data


@contextmanager
def _errors_name_url(url: str) -> Iterator[None]:
    """Convert any exception of a file system other than InputError and OSError to an OSError about its URL."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as error:  # each file system has exceptions of its own
        raise OSError(None, f"{type(error).__name__}: {error}", url) from error


@contextmanager
def alone(place: Folder) -> Iterator[None]:
    """Lock a URL against other batches on this machine: object stores have no locks that end with a process."""
    if not place.url:
        yield
        return
    path = Path(tempfile.gettempdir(), f"kinegraph-{os.getuid()}-{quote(place.url, safe='')[:150]}.lock")
    with exclusive(path, f"{place.url}: another batch is writing there; wait for it"):
        yield
