"""Addresses in an output at which no file will lie, and files that a mesh needs beside it and will not have there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from converters.audit.readback import NO_FILE, OutputFiles, ReadBack
from converters.context import Note, WriterContext
from converters.paths import absolute, way_to
from ir.diff import Difference
from ir.scene import Scene
from ir.seals import wholes

MISSING = "assets/missing"
FIELD = "beside.asset"


def dead_addresses(back: ReadBack, notes: Iterable[Note], context: WriterContext) -> Iterator[Difference]:
    """Assets of an output at whose address no file will lie (notes of its reader), although their file is at hand or
    was to be made. context is that of the writer: what it has noted as lost is not told again, and in an output that
    lies beside the source a relative address leads where it led there."""
    fitted, files, whole_of = back.fitted, back.files, wholes(back.folds, "asset")
    told = {note.where for note in context.notes if note.action != "noted"}
    beside = absolute(files.folder) == absolute(context.folder)
    for note in notes:
        kind, _, part = note.where.partition("/")
        if note.rule != MISSING or note.reason != NO_FILE or kind != "asset":
            continue
        name = whole_of.get(part, part)
        own = fitted.assets.get(name)
        ours = own is None or own.file is not None
        same = own is not None and own.uri == note.before and own.rule != "relative"
        if ours and not (same and beside) and f"asset/{name}" not in told:
            yield _absent(name, note.before, fitted)


def lost_companions(back: ReadBack) -> Iterator[Difference]:
    """Files that a mesh needs beside it (material libraries, images), where they will not be, or other files will."""
    fitted, files = back.fitted, back.files
    lost = {posixpath.basename(asset.uri) for asset in fitted.assets.values() if asset.file is None}
    for place, content in files.beside.items():
        for address, wanted in _files_named_by(place, content, files):
            if not files.holds(address):
                if posixpath.basename(address) not in lost:
                    yield _absent(place, address, fitted)
            elif wanted is not None and not _is_file(files.content(address), wanted):
                path = ("asset", place, "content")
                yield Difference(path, "beside.content", "different", address, "another file", None)


def _files_named_by(place: str, content: bytes | Path, files: OutputFiles) -> Iterator[tuple[str, Path | None]]:
    """The files that the file at this place names, as paths from the output: of a copy those that lie beside its
    original, each with that; of a file that was made all that it names."""
    from converters.assets.beside import NAMED, companions, named_files

    folder, kind = posixpath.dirname(place), posixpath.splitext(place)[1].lower()

    def lying(way: str) -> Path | None:
        return Path(way) if files.holds(posixpath.join(folder, way)) else None

    if isinstance(content, Path):
        for side in companions(str(content)):
            yield posixpath.join(folder, way_to(side, content.parent)), Path(side)
    elif kind in NAMED:
        yield from ((posixpath.join(folder, way), None) for way in named_files(kind, content, lying))


def _is_file(held: bytes | Path | None, wanted: Path) -> bool:
    """Whether what is put at a place is this file, or nothing is put there: what is there already is not read."""
    if held is None or held == wanted:
        return True
    return (held if isinstance(held, bytes) else held.read_bytes()) == wanted.read_bytes()


def _absent(name: str, address: str, fitted: Scene) -> Difference:
    own = fitted.assets.get(name)
    source = own.source if own is not None else None
    return Difference(("asset", name, "file"), FIELD, "absent", address, None, source)
