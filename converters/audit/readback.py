"""An output as its own reader finds it, before any of it is on the disk, with the files that will lie around it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from converters.assets.inside import key
from converters.context import Ledger, Output, ReaderContext, Sample, WriterContext
from converters.faults import Faults
from converters.format import Format
from converters.paths import absolute, exists
from ir.scene import Scene
from ir.seals import Folds
from ir.types import Asset, Geom

NO_FILE = "no file will be there"
"""Why an address of an output leads nowhere."""


class OutputFiles(Struct, frozen=True):
    """The files around an output once it is on the disk: those that are put beside it (relative path -> content, or the
    file that is copied), and those that are in its folder already. package: that of --ros-package."""

    beside: Mapping[str, bytes | Path]
    folder: Path
    package: str | None = None

    def find(self, uri: str) -> tuple[str | None, str]:
        """As Context.find, but no file is returned, since none is there yet: the reason is "" where one will lie at the
        address, or where nobody can tell (an address with a scheme, a part of a file), else NO_FILE."""
        if self.package is not None and uri.startswith(f"package://{self.package}/"):
            path = unquote(uri.removeprefix(f"package://{self.package}/"))
            above = (self.folder, *absolute(self.folder).parents)
            ours = any(path == place or path.endswith(f"/{place}") for place in self.beside)
            return None, "" if ours or any(exists(folder / path) for folder in above) else NO_FILE
        known = not uri or any(mark in uri for mark in ":#$") or self.holds(uri) or self.holds(unquote(uri))
        return None, "" if known else NO_FILE

    def content(self, uri: str) -> bytes | Path | None:
        """What is put at an address; None where nothing is, or it has a scheme."""
        found = self.beside.get(posixpath.normpath(uri))
        return found if found is not None or not uri else self.beside.get(posixpath.normpath(unquote(uri)))

    def lying(self, uri: str) -> bytes | Path | None:
        """What is put at an address, or else the file that lies there."""
        found, there = self.content(uri), absolute(self.folder / uri)
        return there if found is None and exists(there) and there.is_file() else found

    def holds(self, path: str) -> bool:
        """Whether a file will lie at a path from the output. Its folder may not be there yet, and `..` is taken off the
        text then."""
        there = self.folder / path
        return posixpath.normpath(path) in self.beside or exists(there) or exists(absolute(there))


class ReadBack(Struct, frozen=True):
    """An output beside what it was made of: what the checks of this package compare."""

    fitted: Scene
    """The scene that was written."""
    again: Scene
    """The scene that was read, in which things stand apart that the writer had to split (folds)."""
    folds: Folds
    files: OutputFiles
    opened: Ledger
    """What was seen of the mesh files that were opened on the way."""
    looks: str
    """Whether the looks of the model show, or those of mesh files (converters.assets.shown)."""
    _read: dict[str, Geom] = {}

    def __post_init__(self) -> None:
        self._read.update((geom.name, geom) for geom in self.again.geoms())

    def parts(self, geom: str) -> list[Geom]:
        """The geoms of the output that stand for a geom of the scene; those that are missing are left out."""
        return [self._read[name] for name in self.folds.get("geom", {}).get(geom, [geom]) if name in self._read]

    def samples(self, asset: Asset) -> Sequence[Sample] | None:
        """The parts of the mesh file of an asset; None where it was not opened."""
        return self.opened.get((str(asset.file), key(asset)))


def read_back(
    output: Output, to: Format, context: WriterContext, scene: Scene, faults: Faults, strict: bool = True
) -> tuple[ReaderContext, Callable[[], Scene]]:
    """(the context in which an output is read back, a function that reads it). None of its files is on the disk yet:
    the reader notes those that will not be (audit.addresses).

    scene is what was written. faults collects what is wrong; strict: what other programs refuse is noted, too.
    """
    assert to.read is not None
    assert context.target is not None
    folder = context.target.parent

    models = {absolute(each.file) for each in scene.assets.values() if each.kind == "model" and each.file}

    def find_model(uri: str) -> tuple[str | None, str]:
        there = absolute(folder / uri)
        return (str(there), "relative") if there in models else context.find_model(uri)

    again = ReaderContext(
        file=str(context.target),
        folder=folder,
        find=OutputFiles(output.files, folder, context.options.ros_package).find,
        find_model=find_model,
        beside=output.files,
        written=True,
        carrying=context.options.audit,
        again=to.fits.mark not in scene.notation,
        strict=strict,
        faults=faults,
    )
    return again, partial(to.read, output.document, again)
