"""Carried data that is read: what an earlier conversion put into a document is applied to what the document says."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.stamps import stamp
from converters.context import Context
from converters.registry import Format
from ir.plain import as_json
from ir.refs import declared, rename
from ir.scene import Scene
from ir.types import WORLD, Asset, Mesh, Source

ORIGINAL, MADE = "carried/original-file", "carried/made-file"
XMLNS = "xmlns:"
SPLIT = "the mesh was split for this format, and {} (see --package)"
NOT_FOUND = "its file is not found from here"
OTHER = "the file that is found at its address is another one than was converted"


class _Files(Struct):
    """How the files of assets are looked for. places: where an earlier conversion put them; stamps: of those that it
    read, and behind them of what it made of them; edited: assets that have got another look in the document; others:
    those at whose address another file was found."""

    context: Context
    places: dict[str, str]
    stamps: dict[str, str]
    edited: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    known: dict[str, str] = field(default_factory=dict)
    """Stamps of files that were looked at."""

    def original(self, asset: Asset) -> tuple[str | None, str]:
        """The file at the address of an asset, and the rule that found it. Another file of that name is none, nor is
        what was made of it."""
        file, rule = self.context.find(asset.uri)
        with suppress(OSError):  # what cannot be read is not known to be the file
            whole, made = self._stamps(asset)
            if file is None or whole in ("", self._stamp(file)):
                return file, rule
            if made == self._stamp(file):
                return None, NOT_FOUND
        self.others.add(asset.name)
        return None, OTHER

    def better(self, asset: Asset) -> Asset | None:
        """The asset with its original, where nobody has changed what was made of it, which says less."""
        with suppress(OSError):
            made = self._stamps(asset)[1] if asset.name not in self.edited else ""
            if made and asset.file is not None and made == self._stamp(asset.file):
                file, rule = self.original(asset)
                if file is not None and not Path(file).samefile(asset.file):
                    return replace(asset, file=file, rule=rule)
        return None

    def stands_in(self, asset: Asset) -> bool:
        """Whether the file of an asset is another one than was converted, which is not found."""
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
        """Of the file of an asset, and of what was made of it; "" for none."""
        return [*self.stamps.get(asset.name, "").split(" "), ""][:2]

    def why(self, name: str) -> str:
        """Why an asset has no file."""
        return OTHER if name in self.others else NOT_FOUND


def restored(scene: Scene, context: Context, place: Source, form: Format) -> Scene:
    """Apply what an earlier conversion carried in the document, which is of the format form.

    What has been edited since is left as it is, with a note. Where a mesh was split and its original is not found, the
    scene has its address, and context.spare is the scene that has the parts; so is it where the document says how a
    mesh looks whose original does so itself.
    """
    from converters.carried.damage import WRONG, damage
    from converters.carried.looks import dressed, undressed, unseen
    from converters.carried.names import as_called, as_written, called

    if not scene.carried:
        return scene
    native, whole = scene, dict(scene.carried)
    try:
        for text in native.carried.values():
            _writable(text)
        parts = dict(json.loads(native.carried.pop("parts", "{}")))
        places, stamps = (
            {name: str(value) for name, value in json.loads(native.carried.pop(key, "{}")).items()}
            for key in ("places", "stamps")
        )
        files, known = _Files(context, places, stamps), str(json.loads(native.carried.pop("written", '""')))
        edits = {str(key): bool(new) for key, new in json.loads(native.carried.pop("brought", "{}")).items()}
        asked = json.loads(native.carried.pop("asked", "{}"))
        native, names = as_written(native, known) if known else (native, {})
        folded, scene, stale = _applied(native, context, form, known, edits)
        context.asked = context.asked or {str(option): _standing(native, places) for option, places in asked.items()}
        split = _split(native)
        files.edited |= {
            geom.shape.asset
            for body in scene.bodies.values()
            for geom in body.geoms
            if isinstance(geom.shape, Mesh) and f"body/{body.name}.geoms.{geom.name}.material" in stale
        }
        assets = _files(scene, folded, files)
        lost = {name: split[name] for name, asset in assets.items() if name in split and asset.file is None}
        worn = dressed(folded, scene, assets)
        context.worn = unseen(folded, assets, worn) if worn else {}
        if lost or worn:
            kept = undressed(folded, _unfolded(native, lost) if lost else native.carried, worn)
            folded, spare, _ = unpacked(native, kept)
            context.spare = spare.evolve(tables={"asset": _files(spare, folded, files).values()})
            context.split = {name: [native.assets[part] for part in own] for name, own in lost.items()}
    except WRONG as error:
        raise damage(whole, lambda some: unpacked(native, some), context.pieces, place) from error
    for name in lost:
        before, where = assets[name].uri, f"asset/{name}"
        reason = SPLIT.format(files.why(name))
        context.note(ORIGINAL, where, reason, place, before=before, action="noted")
    for name, asset in assets.items():
        if files.stands_in(asset) and name not in lost:
            reason = f"{files.why(name)}: what was made of it is read in its place (see --package)"
            after = native.assets[name].uri if name in native.assets else str(asset.file)
            context.note(MADE, f"asset/{name}", reason, place, before=asset.uri, after=after, action="noted")
        assets[name] = _inside(asset, parts.get(name), files.why(name), context, place)
    for asset in assets.values():
        if asset.file is None and asset.name not in native.assets:
            context.missing(asset.name, asset.uri, asset.rule, place)
    scene = scene.evolve(tables={"asset": assets.values()})
    _tell(stale, whole, scene, context, place)
    if not names:
        return scene
    called(context, names)
    return as_called(scene, names)


def _standing(native: Scene, places: Sequence[Sequence[str]]) -> dict[str, str]:
    """The patch that puts what a document says at these places of what it carries into the scene that it is restored
    to."""
    from ir.diff import compare
    from ir.patches import without

    _, undone, _ = unpacked(native)
    _, left, _ = unpacked(native, without(native.carried, places))
    return compare(left, undone)[1]


def _tell(stale: Sequence[str], carried: Mapping[str, str], scene: Scene, context: Context, place: Source) -> None:
    """Note what no longer counts, with what it was: nothing else may tell of what is lost with it."""
    if not stale:
        return
    from converters.carried.stale import told
    from converters.report.audit import show

    reason = "the file was edited after it was converted: the edit counts, what was carried for this place does not"
    for where, key, before, action in told(stale, carried, scene):
        source = context.pieces.get(key, place)
        context.note("carried/stale", where, reason, source, before=show(before), action=action)


def _applied(
    native: Scene, context: Context, form: Format, known: str, edits: dict[str, bool]
) -> tuple[Scene, Scene, list[str]]:
    """As unpacked, but for what edits took the ground from; what they brought is marked (Scene.brought).

    known: the checksums of what was written; edits: what earlier edits brought. native keeps what still counts.
    """
    from converters.carried.edits import set_aside, unsaid
    from ir.brought import brought, order

    folded, scene, stale = unpacked(native)
    if stale and any(key.startswith("block/") for key in native.carried):
        from converters.carried.words import followed

        native.carried = followed(native, folded, scene, stale, lambda carried: unpacked(native, carried)[1], form)
        folded, scene, stale = unpacked(native)
    if any(key.startswith("actuator/") for key in native.carried):
        from converters.carried.drives import driven

        native.carried, names, lost = driven(native, folded, scene, brought(folded, known))
        if names:
            native.carried["renamed"] = as_json({"actuator": names})
        folded, scene, stale = unpacked(native)
        stale += lost
    derived = json.loads(native.carried.get("derived", "[]"))
    new = brought(folded, known)
    left, own = set_aside(native, folded, scene, stale, new | edits)
    if left:
        folded, scene, _ = unpacked(native, left)
        native.carried, new = left, brought(folded, known)
    scene = unsaid(scene, folded, derived, form.fits.masks)
    scene.brought = new | dict.fromkeys(own, True) | edits
    if scene.brought:
        context.order, context.document = order(native), folded
        scene = _declaring(scene, native)
    return folded, scene, stale


def _declaring(scene: Scene, native: Scene) -> Scene:
    """The scene with the prefixes (xmlns) that the document declares for what an edit brought."""
    from ir.brought import said

    new = {key: uri for key, uri in native.notation.items() if key.startswith(XMLNS) and key not in scene.notation}
    used = said(scene, [f"{key.removeprefix(XMLNS)}:" for key in new]) if new else []
    for prefix in used:
        key = f"{XMLNS}{prefix[:-1]}"
        scene.notation[key] = new[key]
    return scene


def _writable(text: str) -> None:
    """Raise ValueError where a text, or one inside of it, has half a character (RFC 8259, 8.2)."""
    text.encode()
    if "\\u" in text:
        as_json(json.loads(text)).encode()


def _files(scene: Scene, folded: Scene, files: _Files) -> dict[str, Asset]:
    """The assets with their original addresses and files."""
    return {name: _sought(asset, folded.assets.get(name), files) for name, asset in scene.assets.items()}


def _split(scene: Scene) -> dict[str, list[str]]:
    """Assets that were written as several, whose files are all there (one for all is that of the asset: ir.folds)."""
    folds = json.loads(scene.carried.get("folds", "{}")).get("asset", {})
    there = {name for name, asset in scene.assets.items() if asset.file is not None}
    return {name: parts for name, parts in folds.items() if len(parts) > 1 and there.issuperset(parts)}


def _unfolded(scene: Scene, split: Mapping[str, list[str]]) -> dict[str, str]:
    """What a scene carries but for these assets and all that shows them: there the document stays as it is."""
    carried, folds = dict(scene.carried), json.loads(scene.carried["folds"])
    wholes = {part: whole for whole, parts in folds.get("geom", {}).items() for part in parts}
    homes = dict.fromkeys(folds.get(WORLD, {}).get(WORLD, ()), WORLD)
    own = {part for parts in split.values() for part in parts}
    looks: set[str | None] = set()
    for body in scene.bodies.values():
        shown = [geom for geom in body.geoms if isinstance(geom.shape, Mesh) and geom.shape.asset in own]
        looks |= {geom.material for geom in shown}
        names = {wholes.get(geom.name, geom.name) for geom in shown}
        carried |= _but_geoms(carried, f"body/{homes.get(body.name, body.name)}", names)
        for name in names & folds.get("geom", {}).keys():
            del folds["geom"][name]
    textures = {material.texture for name, material in scene.materials.items() if name in looks}
    for kind, kept in (("material", looks), ("asset", own | textures | split.keys())):
        for name in kept:
            carried.pop(f"{kind}/{name}", None)
    folds["asset"] = {name: parts for name, parts in folds["asset"].items() if name not in split}
    return carried | {"folds": as_json(folds)}


def _but_geoms(carried: Mapping[str, str], body: str, names: Collection[str]) -> dict[str, str]:
    """What is carried of a body but for these geoms, and those that were made beside them (a box for a part that is
    flat); nothing where it says nothing of geoms."""
    from ir.patches import parts

    patch = json.loads(carried.get(body, "{}"))
    geoms = parts(patch, "geoms")
    if not names or not geoms:
        return {}
    left = {name: geom for name, geom in geoms if name not in names and not _beside(name, geom, names)}
    return {body: as_json(patch | {"geoms": left})}


def _beside(name: str, geom: object, names: Collection[str]) -> bool:
    """Whether the source has no such geom, and it is called like one of these with a number behind."""
    made = isinstance(geom, list) and len(geom) == 2 and geom[0] is None
    return made and any(
        name.startswith(f"{each}_") and name.removeprefix(f"{each}_").replace("_", "").isdigit() for each in names
    )


def unpacked(scene: Scene, carried: Mapping[str, str] | None = None) -> tuple[Scene, Scene, list[str]]:
    """The scene with its folds made, the same with the patch applied as well, and where the patch no longer fits.

    carried is what is applied, where that is not all that the scene carries.
    """
    from ir.folds import fold
    from ir.grounds import ungrounded
    from ir.patches import without
    from ir.restore import restore
    from ir.seals import broken

    carried = dict(scene.carried if carried is None else carried)
    for key in ("parts", "places", "stamps", "moved", "together", "beside", "derived", "written", "asked"):
        carried.pop(key, None)
    folds, sealed, known, renamed = (
        json.loads(carried.pop(key, "{}")) for key in ("folds", "seals", "loose", "renamed")
    )
    gone = broken(scene, folds, sealed, _shaped(carried) if folds.get("geom") else {})
    if gone:
        folds = {
            kind: {whole: parts for whole, parts in group.items() if f"{kind}/{whole}" not in gone}
            for kind, group in folds.items()
        }
        carried = without(carried, _of_wholes(gone))
    folded = fold(scene, folds)
    stale = list(gone.values())
    while True:
        result, edited = restore(folded, carried)
        places = ungrounded(result, folded, carried, known, edited)
        if not places:
            for kind, names in renamed.items():
                result = rename(
                    result, kind, {old: str(new) for old, new in names.items() if old in declared(result)[kind]}
                )
            return folded, result, list(dict.fromkeys(stale + edited))
        stale += [".".join(place) for place in places]
        carried = without(carried, places)


def _shaped(carried: Mapping[str, str]) -> dict[str, str]:
    """Geoms of which a patch knows the shape, and where: the start of their addresses."""
    from ir.patches import parts

    found: dict[str, str] = {}
    for key, text in carried.items():
        patch = json.loads(text) if key.startswith("body/") and '"shape"' in text else None
        for name, geom in parts(patch, "geoms"):
            if isinstance(geom, dict) and "shape" in geom:
                found[name] = f"{key}.geoms."
    return found


def _of_wholes(gone: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The places of a patch that are about what is several things now."""
    for key, where in gone.items():
        kind, _, name = key.partition("/")
        yield (where.removesuffix(f".geoms.{name}"), "geoms", name) if kind == "geom" else (where,)


WRITTEN = "relative"
"""The rule of a file that another address than that of its asset leads to: the one that an earlier conversion wrote.
From elsewhere it is as good as that of a path, which leads there or does not."""


def _sought(asset: Asset, written: Asset | None, files: _Files) -> Asset:
    """An asset has its original address back.

    Its file is where the earlier conversion put it, be it that the document names it or not, else where that leads.
    """
    if not asset.uri:
        return replace(asset, file=None, rule="")  # it stands in the document and needs none
    if (better := files.better(asset)) is not None:
        return better
    place = files.places.get(asset.name)
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


def _inside(asset: Asset, part: Sequence[str] | None, why: str, context: Context, place: Source) -> Asset:
    """An asset whose file is not found (why), but which the document holds as a part of itself: its address there, and
    the matrix that it goes through and whose looks it has there ("": none).

    One without an address stands in the graph with all its numbers and needs no file.
    """
    from converters.assets.inside import LINEAR, LOOKS, file_of

    if part is None or asset.file is not None or not asset.uri:
        return asset
    selector, linear, looks = part
    whole = not file_of(asset.uri)  # a part of a file has the looks that the graph gives to it
    said = [(LOOKS, looks)] if whole and looks and selector.startswith("#/meshes/") else []
    said += [(LINEAR, linear)] if linear else []
    said = [each for each in said if each not in asset.parameters]
    reason = f"{why}: what the document holds of it stands for it (see --package)"
    uri = f"{Path(context.file).name}{selector}"
    if uri != asset.uri:  # else it was put into the document itself
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
    label = PurePosixPath(asset.uri).stem if asset.label == "" else asset.label  # its name was that of its file
    return replace(asset, uri=uri, label=label, file=context.file, rule="inside", parameters=(*asset.parameters, *said))
