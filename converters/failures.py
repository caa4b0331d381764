"""Any exception that stops a conversion, as one sentence for the user."""

from __future__ import annotations

import os
import re
from pathlib import Path

from converters.context import InputError
from converters.paths import short_way

_ADDRESS = re.compile(r" ?<[^<>]* at 0x[0-9a-f]+>")


def sentence(error: Exception) -> str:
    """The message for an exception; for a defect of ours with its place."""
    match error:
        case InputError():
            return _placed(error)
        case UnicodeDecodeError():
            return f"byte {error.start} is not {error.encoding}: save the file as UTF-8"
        case FileNotFoundError() if not error.filename and _lost():
            return "the folder in which the command runs is gone: change into one that exists"
        case OSError():
            named = f"{_shown(error.filename)}: " if error.filename else ""
            return f"{named}{error.strerror or error}"
        case RecursionError():
            return "the model is nested too deeply to be converted"
        case MemoryError():
            return "out of memory: the model or one of its meshes is too large for this machine"
        case ImportError():
            return str(error)
        case _:
            return _defect(error)


def _shown(file: object) -> str:
    """The path of a file as the report shows it: from the current folder, if that is shorter."""
    return short_way(file, os.curdir) if isinstance(file, str) and not _lost() else str(file)


def _lost() -> bool:
    """Whether the current folder has been deleted."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _placed(error: InputError) -> str:
    """The error with the column of the attribute at fault, if the file still contains it."""
    from converters.columns import position

    if error.source is None or "/@" not in error.source.path:
        return str(error)
    line, column = position(error.source)
    return f"{error.source.file}:{line}:{column}: {error.message}" if column else str(error)


def unaddressed(error: Exception) -> str:
    """The message of a library without memory addresses: the same input gives the same report."""
    return _ADDRESS.sub("", str(error))


def _defect(error: Exception) -> str:
    """Our own fault, in one line: exit code 1 with a traceback would look like a conversion with findings."""
    from traceback import extract_tb, walk_tb

    from converters.registry import guest_format

    *_, last = extract_tb(error.__traceback__)
    other = guest_format(str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__))
    place = f"{Path(last.filename).name}:{last.lineno}"
    what = f"{type(error).__name__}: {unaddressed(error)}" if str(error) else type(error).__name__
    whose = f"the format {other!r}, which another package brings" if other else "kinegraph"
    return f"a defect of {whose}, please report it: {what} ({place}; python -X dev -m converters shows more)"
