"""Checking a model file that the user names: it exists, or a sentence tells what is there instead."""

from __future__ import annotations

import errno
import os
from itertools import islice
from pathlib import Path

from converters.context import InputError
from converters.not_models import entries, local

MOST = 20_000
"""Number of files of a folder in which a model is searched for as an example."""


def check_present(src: Path) -> None:
    """Raise InputError if there is no such file; the message names a similar one in the same folder."""
    if src.is_file():
        return
    local(src)
    if src.is_dir():
        some = _model(src)
        all_ = "; kinegraph batch converts all models of a folder"
        raise InputError(
            f"{src}: is a folder, not a model file; name a file{f', such as {some}{all_}' if some else ''}"
        )
    if src.is_symlink() and not src.exists():
        raise InputError(f"{src}: is a link to {src.readlink()}, which {link_fault(src)}")
    if src.exists():
        raise InputError(f"{src}: is not a regular file; save it first: a model lies beside its meshes")
    if src == Path("-"):
        raise InputError(f"{src}: stdin is not read, since a model lies beside its meshes: name a file")
    if not src.parent.is_dir():
        raise InputError(f"{src}: there is no folder {src.parent}")
    near = _near(src)
    raise InputError(f"{src}: there is no such file{f'; did you mean {near}?' if near is not None else ''}")


def link_fault(link: Path) -> str:
    """Why a link leads to no file."""
    try:
        link.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "leads back to the link itself"
    return "does not exist"


def _near(src: Path) -> Path | None:
    """A file of the same folder with a similar name, compared without the suffixes."""
    from difflib import get_close_matches

    beside = [entry for entry in entries(src.parent) if entry.is_file()]
    beside.sort(key=lambda entry: (entry.name.casefold() != src.name.casefold(), entry.suffix != src.suffix))
    alike = get_close_matches(src.stem.casefold(), [entry.stem.casefold() for entry in beside], n=1, cutoff=0.6)
    return next((entry for entry in beside if entry.stem.casefold() in alike), None)


def _model(folder: Path) -> Path | None:
    """A model that `kinegraph batch` would convert, as high up as possible; None if there are too many files."""
    from converters.discovery import find

    files = (name for _, _, names in os.walk(folder) for name in names)
    if next(islice(files, MOST, None), None) is not None:
        return None
    models = [each.model for each in find(folder.absolute()) if not (each.part or each.refused)]
    return folder / min(models, key=lambda model: model.count("/")) if models else None
