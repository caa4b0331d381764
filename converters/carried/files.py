"""Files of assets on the way back: the author's own file, its present place, and what is used if it is not found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.stamps import stamp
from converters.context import ReaderContext
from converters.source.carried import CHANGED
from ir.scene import Scene
from ir.types import Asset, Source

ORIGINAL, MADE = "carried/original-file", "carried/made-file"
SPLIT = "the mesh was split for this format, and {} (see --package)"
NOT_FOUND = "its file is not found from here"
ANOTHER = "the copy of it beside the document has been changed since, and is used"
OTHER = "the file at its address is not the one that was converted"
WRITTEN = "relative"
"""The rule of a file that is found by the address that an earlier conversion wrote, not that of its asset. Elsewhere it
is treated as a path, which leads there or does not."""


class FileSearch(Struct):
    """How the files of assets are looked for."""

    context: ReaderContext
    places: Mapping[str, str]
    """Places of the files that an earlier conversion wrote."""
    stamps: Mapping[str, str]
    """Stamps of the files that it read, followed by those of the files that it made of them."""
    others: set[str] = field(default_factory=set)
    """Assets at whose address another file was found."""
    known: dict[str, str] = field(default_factory=dict)
    """Stamps of files that were examined."""

    def original(self, asset: Asset) -> tuple[str | None, str]:
        """The file at the address of an asset, and the rule that found it; not another file of that name, nor one that
        was made of it."""
        file, rule = self.context.find(asset.uri)
        with suppress(OSError):  # an unreadable file is not taken for the original
            whole, made = self._stamps(asset)
            if file is None or whole in ("", self._stamp(file)):
                return file, rule
            if made == self._stamp(file):
                return None, NOT_FOUND
        self.others.add(asset.name)
        return None, OTHER

    def better(self, asset: Asset) -> Asset | None:
        """The asset with its original, if the file that was made of it, which contains less, is unchanged."""
        with suppress(OSError):
            made = self._stamps(asset)[1]
            if made and asset.file is not None and made == self._stamp(asset.file):
                file, rule = self.original(asset)
                if file is not None and not Path(file).samefile(asset.file):
                    return replace(asset, file=file, rule=rule)
        return None

    def edited(self, asset: Asset) -> bool:
        """Whether the file of an asset was made of its own file, and has been changed since."""
        whole, made = self._stamps(asset)
        with suppress(OSError):  # an unreadable file is not taken for a changed one
            return bool(made and asset.file) and self._stamp(str(asset.file)) not in (whole, made)
        return False

    def changed(self, asset: Asset) -> bool:
        """Whether the file of an asset is its copy beside the document, which the document does not name, and was
        changed since."""
        place = self.places.get(asset.name)
        known = [each for each in self._stamps(asset) if each]
        if not place or not known or asset.file is None or self.context.find(place)[0] != asset.file:
            return False
        with suppress(OSError):  # an unreadable file is not taken for another one
            return self._stamp(asset.file) not in known
        return False

    def stands_in(self, asset: Asset) -> bool:
        """Whether the file of an asset is not the one that was converted, and that one is not found."""
        known = self._stamps(asset)[0]
        if not known or asset.file is None:
            return False
        try:
            return self._stamp(asset.file) != known and self.original(asset)[0] is None
        except OSError:
            return False

    def _stamp(self, file: str) -> str:
        if file not in self.known:
            self.known[file] = stamp(file)
        return self.known[file]

    def _stamps(self, asset: Asset) -> list[str]:
        """Stamps of the file of an asset, and of what was made of it; "" for none."""
        return [*self.stamps.get(asset.name, "").split(" "), ""][:2]

    def why(self, name: str) -> str:
        """Why an asset has no file."""
        return OTHER if name in self.others else NOT_FOUND


def find_assets(scene: Scene, folded: Scene, files: FileSearch) -> dict[str, Asset]:
    """The assets of a scene with their original addresses and files. folded: the document as it is."""
    return {name: _with_original_address(asset, folded.assets.get(name), files) for name, asset in scene.assets.items()}


def settle_assets(
    assets: Mapping[str, Asset],
    native: Scene,
    files: FileSearch,
    parts: Mapping[str, Sequence[str]],
    lost: Collection[str],
    place: Source,
) -> dict[str, Asset]:
    """The assets with replacements, which are reported, for those whose own files are not found.

    native: the document; parts: assets that it contains as parts of itself; lost: those that were split in it; place:
    of the carried data.
    """
    context, found = files.context, dict(assets)
    for name in lost:
        reason = SPLIT.format(files.why(name))
        context.note(ORIGINAL, f"asset/{name}", reason, place, before=assets[name].uri, action="noted")
    for name, asset in assets.items():
        if files.changed(asset):
            after = files.places[name]
            context.note(CHANGED, f"asset/{name}", ANOTHER, place, before=asset.uri, after=after, action="noted")
        elif files.stands_in(asset) and name not in lost:
            reason = f"{files.why(name)}: the file that was made of it is read instead (see --package)"
            after = native.assets[name].uri if name in native.assets else str(asset.file)
            context.note(MADE, f"asset/{name}", reason, place, before=asset.uri, after=after, action="noted")
        found[name] = _found_inside_document(asset, parts.get(name), files.why(name), context, place)
    for asset in found.values():
        if asset.file is None and asset.name not in native.assets:
            context.missing(asset.name, asset.uri, asset.rule, place)
    return found


def _with_original_address(asset: Asset, written: Asset | None, files: FileSearch) -> Asset:
    """The asset with its original address.

    Its file is where the earlier conversion put it, whether the document names it or not, else where that address
    leads.
    """
    if not asset.uri:
        return replace(asset, file=None, rule="")  # it is contained in the document and needs no file
    if (better := files.better(asset)) is not None:
        return better
    place = None if files.edited(asset) else files.places.get(asset.name)
    if written is not None and asset.uri == written.uri and (asset.file is not None or place is None):
        return asset
    file, rule = files.context.find(place) if place else (None, "")
    if file is None and asset.file is not None:
        return replace(asset, rule=WRITTEN) if asset.rule and written is not None else asset
    if file is None:
        file, rule = files.original(asset)
    if file is not None or written is None:
        return replace(asset, file=file, rule=rule)
    return replace(asset, file=written.file, rule=WRITTEN if written.file else written.rule)


def _found_inside_document(
    asset: Asset, part: Sequence[str] | None, why: str, context: ReaderContext, place: Source
) -> Asset:
    """An asset whose file is not found (why), but which the document contains as a part of itself: its address there,
    and the matrix applied to it and whose looks it has there ("": none); more if its bytes are there, too.

    One without an address is in the graph with all its numbers and needs no file.
    """
    from converters.assets.inside import FILE, LINEAR, LOOKS, file_of

    if part is None or asset.file is not None or not asset.uri:
        return asset
    selector, linear, looks, *files = part
    whole = not file_of(asset.uri)  # a part of a file has the looks that the graph gives to it
    said = [(LOOKS, looks)] if whole and looks and selector.startswith("#/meshes/") else []
    said += [(LINEAR, linear)] if linear else []
    said += [(FILE, asset.uri)] if files and whole else []
    said = [each for each in said if each not in asset.parameters]
    reason = f"{why}: what the document contains of it is used instead (see --package)"
    uri = f"{Path(context.file).name}{selector}"
    if uri != asset.uri and whole:  # otherwise the document itself embedded it, or it moved from another container
        context.note(
            "carried/inside",
            f"asset/{asset.name}",
            reason,
            place,
            before=asset.uri,
            after=uri,
            action="noted",
            severity="note",
        )
    nameless = asset.label == "" and not files  # it was named after its file, whose address is not known any more
    label = (PurePosixPath(asset.uri).stem if whole else None) if nameless else asset.label
    # a matrix that it has from another file is applied already
    kept = (each for each in asset.parameters if each[0] != LINEAR or uri == asset.uri)
    return replace(asset, uri=uri, label=label, file=context.file, rule="inside", parameters=(*kept, *said))
