"""xacro -> Scene: a child process with limits expands the document, and the reader of its resulting format reads it.

A xacro is a program. Nothing of it runs in this process; converters.xacro.safe defines what may run in the child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.format import Format
from converters.registry import HEAD, detect, format_named
from converters.report.model import UNASKED
from ir.scene import Scene
from ir.types import Source

SECONDS, PATIENCE = 30, 60
"""Limits of an expansion in processor time (the largest known robot needs 0.6) and elapsed time, in seconds."""


class Expanded(Struct, frozen=True, kw_only=True):
    """places has (file, line) of each element of the document, in document order; packages those that were found."""

    document: bytes
    places: tuple[tuple[str, int], ...]
    packages: dict[str, Path]
    opened: tuple[str, ...]
    """Files that it includes or loads."""
    asked: tuple[str, ...]
    """Arguments that the document uses."""
    unasked: tuple[str, ...]
    """Arguments that were given but are not used."""
    unmatched: tuple[tuple[str, Source], ...]
    """Included file patterns with * or ? that match no files, with their locations."""


def read(data: bytes, context: ReaderContext) -> Scene:
    """Return the model that a xacro expands to. Raises InputError, with file and line in the xacro, if that fails."""
    expanded = expand(data, context)
    target = _format(context.file, expanded.document)
    if target.read is None or target.name == "xacro":
        raise InputError("the xacro does not expand to a robot model", Source(context.file, 1, "/"))
    context.places = expanded.places
    if PurePath(context.file).suffix.lower() != ".xacro":
        reason = "the document has macros, which were expanded (--from urdf reads it unexpanded)"
        context.note("xacro/found", "document", reason, action="noted", severity="note")
    for name in expanded.unasked:
        known = ", ".join(expanded.asked) or "none"
        reason = f"the xacro does not ask for an argument of this name; it asks for {known}"
        context.note(UNASKED, "document", reason, before=name, action="noted", severity="warning")
    for name, source in expanded.unmatched:
        reason = "no file matches this name: nothing is included there"
        context.note("xacro/include", "document", reason, source, before=name, action="noted", severity="warning")
    _allow(expanded.packages, context)
    return target.read(expanded.document, context)


def expanded(data: bytes, context: ReaderContext) -> tuple[bytes, tuple[tuple[str, int], ...]]:
    """Return the document, and the file and line of each of its elements, for documents other than models."""
    found = expand(data, context)
    return found.document, found.places


def _format(file: str, document: bytes) -> Format:
    """Return the format of a document: robot.sdf.xacro has that of robot.sdf; the default is URDF."""
    inner = PurePath(file).with_suffix("")
    return detect(str(inner), document[:HEAD]) if inner.suffix in (".sdf", ".xml", ".mjcf") else format_named("urdf")


def expand(data: bytes, context: ReaderContext) -> Expanded:
    """Expand a document in a separate process. Raises InputError for any error there."""
    options = context.options
    order = {
        "file": context.file,
        "arguments": dict(options.arguments),
        "packages": {name: str(path) for name, path in options.packages.items()},
        "resources": [str(path) for path in options.resource_paths],
        "seconds": SECONDS,
    }
    place = Source(context.file, 1, "/")
    command = [sys.executable, "-P", "-X", "utf8", "-m", "converters.xacro.child"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(order).encode() + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # output of the document itself, which may be endless
            timeout=PATIENCE,
            check=False,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise InputError(f"the expansion takes longer than {PATIENCE} s", place) from None
    except ValueError:
        raise InputError(
            "the expansion, or an expression in it, needs more time or memory than it is given", place
        ) from None
    found = _answered(answer, place)
    context.opened += found.opened
    context.packages |= found.packages
    return found


def _answered(answer: dict[str, Any], place: Source) -> Expanded:
    if "error" in answer:
        file, line = answer["place"] or (place.file, place.line)
        raise InputError(answer["error"], Source(file, line, "/"))
    files = answer["files"]
    try:
        document = answer["document"].encode()
    except UnicodeEncodeError as error:
        raise InputError(f"it expands to half a character ({error.object[error.start]!r})", place) from None
    return Expanded(
        document=document,
        places=tuple((files[index], line) for index, line in answer["places"]),
        packages={name: Path(folder) for name, folder in answer["packages"].items()},
        opened=tuple(answer["opened"]),
        asked=tuple(answer["asked"]),
        unasked=tuple(answer["unasked"]),
        unmatched=tuple((name, Source(file, line, "/")) for name, file, line in answer["unmatched"]),
    )


def _allow(packages: dict[str, Path], context: ReaderContext) -> None:
    """Allow absolute paths to files of packages that the xacro has found."""
    if not packages:
        return

    from converters.assets.resolve import Resolver

    options = replace(context.options, packages=packages | dict(context.options.packages))
    wider, narrow = Resolver(Path(context.file), options, os.environ), context.find

    def find(uri: str) -> tuple[str | None, str]:
        answer = narrow(uri)
        return answer if answer[0] is not None else wider.find(uri)

    context.find = find
