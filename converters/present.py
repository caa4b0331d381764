"""The model file that somebody names: there, or a sentence that says what is there instead."""

from __future__ import annotations

import errno
from pathlib import Path

from converters.context import InputError
from converters.registry import HEAD, formats
from converters.strangers import entries, first_bytes, local

DEEPEST, MOST = 4, 2000
"""Levels and entries of a folder in which a model is looked for, to name one."""


def present(src: Path) -> None:
    """Raise InputError when there is no such file; it names one of a similar name in the same folder."""
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
        raise InputError(f"{src}: is a link to {src.readlink()}, which {end(src)}")
    if src.exists():
        raise InputError(f"{src}: is not a regular file; save it first: a model lies beside its meshes")
    if src == Path("-"):
        raise InputError(f"{src}: stdin is not read, since a model lies beside its meshes: name a file")
    if not src.parent.is_dir():
        raise InputError(f"{src}: there is no folder {src.parent}")
    near = _near(src)
    raise InputError(f"{src}: there is no such file{f'; did you mean {near}?' if near is not None else ''}")


def end(link: Path) -> str:
    """Why a link leads to no file."""
    try:
        link.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "leads back to the link itself"
    return "does not exist"


def _near(src: Path) -> Path | None:
    """A file of the same folder that may have been meant: its name, without what all names end in, is alike."""
    from difflib import get_close_matches

    beside = [entry for entry in entries(src.parent) if entry.is_file()]
    beside.sort(key=lambda entry: (entry.name.casefold() != src.name.casefold(), entry.suffix != src.suffix))
    alike = get_close_matches(src.stem.casefold(), [entry.stem.casefold() for entry in beside], n=1, cutoff=0.6)
    return next((entry for entry in beside if entry.stem.casefold() in alike), None)


def _model(folder: Path) -> Path | None:
    """A file in a folder, or below it, that one of the formats claims: the first of those that lie highest."""
    readable = [each for each in formats().values() if each.read is not None]
    known = {suffix for each in readable for suffix in each.suffixes}
    level, looked = [folder], 0
    for _ in range(DEEPEST):
        below: list[Path] = []
        for each in level:
            for entry in entries(each):
                looked += 1
                if looked > MOST:
                    return None
                if entry.is_dir():
                    below += [entry] if not entry.name.startswith(".") else []
                elif entry.suffix.lower() in known and any(form.claims(first_bytes(entry, HEAD)) for form in readable):
                    return entry
        level = below
    return None
