"""Putting an output on disk so that it appears whole or not at all."""

from __future__ import annotations

import errno
import shutil
import tempfile
from pathlib import Path, PurePosixPath

from converters.context import Output


def deliver(output: Output, path: Path) -> tuple[str, ...]:
    """Write the document to path and its side files beside it; returns every path written, the document first.

    All is first written to a temporary folder on the same file system and then renamed. The document comes last, so
    that it never names an asset that is not there yet. Raises OSError, and leaves nothing behind, when something cannot
    be written.
    """
    folder = path.parent
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "is there already and is no regular file", str(path))
    folder.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=folder))
    try:
        (work / "document").write_bytes(output.document)
        for name, content in output.files.items():
            _place(work / "files" / _inside(name), content)
        (work / "files").mkdir(exist_ok=True)
        for top in sorted((work / "files").iterdir()):
            _replace(top, folder / top.name, work / "old")
        (work / "document").replace(path)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return (str(path), *sorted(str(folder / name) for name in output.files))


def _inside(name: str) -> PurePosixPath:
    """Writers never leave the folder of the output."""
    relative = PurePosixPath(name)
    assert not relative.is_absolute() and ".." not in relative.parts, name
    return relative


def _place(path: Path, content: bytes | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, path)
    else:
        path.write_bytes(content)


def _replace(new: Path, old: Path, aside: Path) -> None:
    """Put a folder of assets in the place of an earlier one: two renames, so that the old one is never half gone."""
    if old.exists():
        aside.mkdir(exist_ok=True)
        old.rename(aside / old.name)
    try:
        new.rename(old)
    except OSError:
        if (aside / old.name).exists():
            (aside / old.name).rename(old)
        raise
