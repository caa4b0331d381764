"""Checking the output files of a command before any work is done."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from converters.context import InputError, Output
from converters.deliver import deliver, document_path
from converters.not_models import output_place
from converters.paths import absolute
from converters.present import check_present, link_fault
from converters.registry import ENDS, detect, format_named, model_document, output_title


def check(src: Path, dst: Path, reports: Iterable[Path] = ()) -> None:
    """Raise InputError when one of the files cannot be written as asked; nothing has been written then."""
    check_present(src)
    _free(dst, "the output")
    if _same_file(src, dst):
        raise InputError(f"{dst}: is the source itself; choose another name for the output")
    for report in reports:
        _free(report, "the report")
        for other, what in ((src, "source"), (dst, "output")):
            if _same_file(report, other):
                raise InputError(f"{report}: is the {what} as well; choose another name for the report")


def places(src: Path, dst: str, target: str | None) -> tuple[Path, Path]:
    """The document behind SRC if it names a model folder, and the one in DST if that is (to be) a folder."""
    src = model_document(src)
    place = document_path(dst, format_named(target, "write") if target else None, output_title(src))
    if target is None and src.is_file() and (dst.endswith(ENDS) or place.is_dir()):
        detect(dst)
    return src, place


def save(path: Path, text: str) -> None:
    """Write a report whole or not at all. Raises OSError."""
    deliver(Output(document=text.encode("utf-8", "backslashreplace")), path)


def _free(path: Path, what: str) -> None:
    """Raise InputError if a file cannot be written; the nearest existing folder must accept new entries.

    It is tried: the permissions of a file system without new files (/proc) do not tell.
    """
    output_place(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file for {what}")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is not a regular file, and {what} would take its place")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{path}: {what} cannot be written there: permission denied")
    folder = path.parent
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        lost = folder.is_symlink() and not folder.exists()
        why = f"is a link to {folder.readlink()}, which {link_fault(folder)}" if lost else "is not a folder"
        raise InputError(f"{path}: {what} cannot be written there: {folder} {why}")
    try:
        Path(tempfile.mkdtemp(prefix=".", suffix=".part", dir=folder)).rmdir()
    except OSError as error:
        why = f"{folder} takes no new files: {error.strerror}"
        raise InputError(f"{path}: {what} cannot be written there: {why}") from error


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return absolute(one) == absolute(other)
