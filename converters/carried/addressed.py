"""An output as it is read back with what will lie around it; files that are at hand, and whose addresses there will
lead nowhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from converters.assets.inside import key
from converters.context import Context, Ledger, Note, Sample
from converters.ways import absolute, way_to
from ir.diff import Difference
from ir.folds import Folds, wholes
from ir.scene import Scene
from ir.types import Asset, Geom

MISSING = "assets/missing"
ASTRAY = "nothing will lie there"
FIELD = "beside.asset"


class Plan(Struct, frozen=True):
    """What will lie around an output: the files that are put beside it, and what is on the disk. package: of
    --ros-package, whose folder only the writer knows."""

    files: Mapping[str, bytes | Path]
    folder: Path
    package: str | None = None

    def find(self, uri: str) -> tuple[str | None, str]:
        """As Context.find, but that nothing is ever found, since nothing is there yet: "" where something will lie at
        the address, or where nobody knows (one with a scheme, a part of a file), else why not."""
        if self.package is not None and uri.startswith(f"package://{self.package}/"):
            path = unquote(uri.removeprefix(f"package://{self.package}/"))
            above = (self.folder, *absolute(self.folder).parents)
            ours = any(path == place or path.endswith(f"/{place}") for place in self.files)
            return None, "" if ours or any((folder / path).exists() for folder in above) else ASTRAY
        known = not uri or any(mark in uri for mark in ":#$") or self.holds(uri) or self.holds(unquote(uri))
        return None, "" if known else ASTRAY

    def content(self, uri: str) -> bytes | Path | None:
        """What is put at an address; None where nothing is, or it has a scheme."""
        found = self.files.get(posixpath.normpath(uri))
        return found if found is not None or not uri else self.files.get(posixpath.normpath(unquote(uri)))

    def lying(self, uri: str) -> bytes | Path | None:
        """What is put at an address, or else the file that lies there."""
        found, there = self.content(uri), absolute(self.folder / uri)
        return there if found is None and there.is_file() else found

    def holds(self, path: str) -> bool:
        """Whether a file will lie at a path from the output. Its folder may not be there yet, and `..` is taken off the
        text then."""
        there = self.folder / path
        return posixpath.normpath(path) in self.files or there.exists() or absolute(there).exists()


class ReadBack(Struct, frozen=True):
    """What was written (fitted), and what was read of it again, without folds. opened: what was read of mesh files on
    the way; looks: whose count (converters.assets.shown)."""

    fitted: Scene
    again: Scene
    folds: Folds
    plan: Plan
    opened: Ledger
    looks: str
    _read: dict[str, Geom] = {}

    def __post_init__(self) -> None:
        self._read.update((geom.name, geom) for geom in self.again.geoms())

    def parts(self, geom: str) -> list[Geom]:
        """The geoms of the output as which one is written, as far as they are there."""
        return [self._read[name] for name in self.folds.get("geom", {}).get(geom, [geom]) if name in self._read]

    def samples(self, asset: Asset) -> Sequence[Sample] | None:
        """What was read of the file of an asset; None where nothing was."""
        return self.opened.get((str(asset.file), key(asset)))


def astray(back: ReadBack, notes: Iterable[Note], context: Context) -> Iterator[Difference]:
    """Where an asset of an output stands at an address at which nothing will lie (notes of its reader), although its
    file is at hand or was to be made. context: of the writer; what it has told is lost is no other loss, and where the
    output lies beside the source an address leads where it led there."""
    fitted, plan, whole_of = back.fitted, back.plan, wholes(back.folds, "asset")
    told = {note.where for note in context.notes if note.action != "noted"}
    beside = absolute(plan.folder) == absolute(context.folder)
    for note in notes:
        kind, _, part = note.where.partition("/")
        if note.rule != MISSING or note.reason != ASTRAY or kind != "asset":
            continue
        name = whole_of.get(part, part)
        own = fitted.assets.get(name)
        ours = own is None or own.file is not None
        same = own is not None and own.uri == note.before and own.rule != "relative"
        if ours and not (same and beside) and f"asset/{name}" not in told:
            yield _absent(name, note.before, fitted)


def alone(back: ReadBack) -> Iterator[Difference]:
    """Files that a mesh needs beside it (material libraries, images), and that will not lie beside it, or others."""
    fitted, plan = back.fitted, back.plan
    lost = {posixpath.basename(asset.uri) for asset in fitted.assets.values() if asset.file is None}
    for place, content in plan.files.items():
        for address, wanted in _beside(place, content, plan):
            if not plan.holds(address):
                if posixpath.basename(address) not in lost:
                    yield _absent(place, address, fitted)
            elif wanted is not None and not _is(plan.content(address), wanted):
                path = ("asset", place, "content")
                yield Difference(path, "beside.content", "different", address, "another file", None)


def _beside(place: str, content: bytes | Path, plan: Plan) -> Iterator[tuple[str, Path | None]]:
    """Where files should lie, from the output, which one at this place names: those that are found beside its original,
    each with that, or all that it names where it was made."""
    from converters.assets.beside import NAMED, companions, named

    folder, kind = posixpath.dirname(place), posixpath.splitext(place)[1].lower()

    def lying(way: str) -> Path | None:
        return Path(way) if plan.holds(posixpath.join(folder, way)) else None

    if isinstance(content, Path):
        for side in companions(str(content)):
            yield posixpath.join(folder, way_to(side, content.parent)), Path(side)
    elif kind in NAMED:
        yield from ((posixpath.join(folder, way), None) for way in named(kind, content, lying))


def _is(held: bytes | Path | None, wanted: Path) -> bool:
    """Whether what is put somewhere is a file; nobody knows of what lies there already."""
    if held is None or held == wanted:
        return True
    return (held if isinstance(held, bytes) else held.read_bytes()) == wanted.read_bytes()


def _absent(name: str, address: str, fitted: Scene) -> Difference:
    own = fitted.assets.get(name)
    source = own.source if own is not None else None
    return Difference(("asset", name, "file"), FIELD, "absent", address, None, source)
