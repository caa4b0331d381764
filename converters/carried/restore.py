"""Applying carried data, which an earlier conversion put into a document."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from converters.carried.files import FileSearch, find_assets, settle_assets
from converters.carried.pieces import EMPTY, derivations, piece
from converters.context import ReaderContext
from converters.format import Format
from converters.registry import marked_format
from ir.addresses import prefixes, value_at, value_at_text
from ir.diff import compare
from ir.patches import ACROSS, patch_items, without_places
from ir.plain import as_json
from ir.refs import Renames, declared, rename
from ir.scene import Address, Scene
from ir.types import Asset, Entity, Joint, Material, Source

XMLNS = "xmlns:"


class Restored(Struct, frozen=True, kw_only=True):
    """What applying carried data gives beside the scene (restore_carried).

    Some things have two versions: a mesh that was split is its original file, which may not be found, or the parts in
    the document; the looks of a mesh are those of its file, or of the document. The scene has the originals.
    """

    spare: Scene | None = None
    """The scene that needs no files beyond those of the document, if an original is not found."""
    split: Mapping[str, Sequence[Asset]] = field(default_factory=dict)
    """Meshes whose original file is not found -> the parts that the document has instead."""
    worn: Mapping[str, tuple[Material, Asset | None]] = field(default_factory=dict)
    """Meshes whose files have lost the looks that they had in the source -> the look (and its image) that the document
    shows instead."""
    document: Scene | None = None
    """A document that was edited after it was converted, as it is, with the names of the time when it was written."""
    order: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The order of names in that document (ir.brought.name_order)."""
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Options of the earlier conversion, and the patches that apply the user's choices by them to the scene
    (converters.carried.earlier_choices)."""


class _Accompanying(Struct):
    """The pieces of carried data (converters.carried.pieces) that have nothing to do with the patch."""

    parts: Mapping[str, Sequence[str]]
    places: Mapping[str, str]
    stamps: Mapping[str, str]
    written: str
    brought: dict[str, bool]
    asked: Mapping[str, Sequence[Sequence[str]]]


def restore_carried(scene: Scene, context: ReaderContext, place: Source, form: Format) -> tuple[Scene, Restored]:
    """The scene of a document of this format, with all its carried data applied, and what else that gives.

    What was edited since stays as it is, with a note. Raises InputError if carried data is damaged.
    """
    from converters.carried.damage import WRONG, damage_error
    from converters.carried.names import as_called, as_written
    from converters.carried.splits import drop_changed_files

    if not scene.carried:
        return scene, Restored(asked=context.asked)
    native, whole = scene, dict(scene.carried)
    try:
        kept = _take_out(native)
        native.carried, edited = drop_changed_files(native, kept.stamps)
        kept.brought |= {key: False for key, *inside in edited if not inside}
        native, names = as_written(native, kept.written) if kept.written else (native, {})
        folded, scene, stale, order = _apply_with_edits(native, form, kept)
        asked = context.asked or {option: _choice_in_document(native, places) for option, places in kept.asked.items()}
        files = FileSearch(context, kept.places, kept.stamps)
        assets, lost, found = _assets_and_looks(native, folded, scene, files, form)
    except WRONG as error:
        raise damage_error(whole, lambda some: apply_carried(native, some), context.pieces, place) from error
    assets = settle_assets(assets, native, files, kept.parts, lost, place)
    scene = scene.evolve(tables={"asset": assets.values()})
    _note_stale([*edited, *stale], whole, scene, context, place)
    found = replace(found, document=folded if scene.brought else None, order=order, asked=asked)
    if scene.brought:
        _mark_overlaid_looks(folded, scene, found, form)
    return (as_called(scene, names), _as_called(found, names)) if names else (scene, found)


def _as_called(found: Restored, names: Renames) -> Restored:
    """The same with the present names of everything."""
    from converters.carried.names import as_called

    return replace(
        found,
        document=as_called(found.document, names) if found.document is not None else None,
        spare=as_called(found.spare, names) if found.spare is not None else None,
        order={
            kind: {names.get(kind, {}).get(name, name): place for name, place in places.items()}
            for kind, places in found.order.items()
        },
    )


def _mark_overlaid_looks(folded: Scene, scene: Scene, found: Restored, form: Format) -> None:
    """Mark (Scene.brought) looks that an edit gave to geoms whose mesh file has looks of its own
    (converters.assets.shown)."""
    from converters.assets.shown import FILE, overlay_key
    from converters.carried.looks import edited_looks

    home = marked_format(scene.notation) or form
    if form.looks == FILE or home.looks != FILE or home.fits.one_file:
        return
    for each in (scene, found.spare):
        if each is not None:
            marks = {overlay_key(geom): False for geom in edited_looks(folded, each, scene.brought, found.worn)}
            each.brought = {**scene.brought, **marks}


def _take_out(scene: Scene) -> _Accompanying:
    """Take everything but the patch out of scene.carried. Raises one of damage.WRONG if it is damaged."""
    for text in scene.carried.values():
        _check_text(text)
    said = {name: piece(scene.carried, name) for name in _Accompanying.__struct_fields__}
    for name in said:
        scene.carried.pop(name, None)
    return _Accompanying(
        parts=dict(said["parts"]),
        places={name: str(place) for name, place in dict(said["places"]).items()},
        stamps={name: str(known) for name, known in dict(said["stamps"]).items()},
        written=str(said["written"]),
        brought={key: bool(new) for key, new in dict(said["brought"]).items()},
        asked=dict(said["asked"]),
    )


def _assets_and_looks(
    native: Scene, folded: Scene, scene: Scene, files: FileSearch, form: Format
) -> tuple[dict[str, Asset], Collection[str], Restored]:
    """(the assets with their own files; those of them that are not found and that the document has in parts; the
    replacements of the latter, and of looks that went from files into the document: spare, split, worn)."""
    from converters.assets.shown import ALONE
    from converters.carried.looks import geoms_shown_as_files, looks_in_document, without_looks_of
    from converters.carried.splits import keep_split, split_assets

    assets = find_assets(scene, folded, files)
    lost = {name: parts for name, parts in split_assets(native).items() if name in assets and assets[name].file is None}
    alone = (marked_format(scene.notation) or form).looks == ALONE  # then no mesh file gives looks
    worn = {} if alone else geoms_shown_as_files(folded, scene, assets)
    found = Restored(worn=looks_in_document(folded, scene, assets, worn) if worn else {})
    if lost or worn:
        left = without_looks_of(folded, keep_split(native, lost) if lost else native.carried, worn)
        folded, spare, _ = apply_carried(native, left)
        spare = spare.evolve(tables={"asset": find_assets(spare, folded, files).values()})
        split = {name: [native.assets[part] for part in parts] for name, parts in lost.items()}
        found = replace(found, spare=spare, split=split)
    return assets, lost, found


def _choice_in_document(native: Scene, places: Sequence[Sequence[str]]) -> dict[str, str]:
    """The patch that changes the restored scene back to the document at these places, except at joints that move in the
    document, which belong elsewhere, as one that closes a loop again; {} if that gives no valid scene."""

    def elsewhere(place: Sequence[str]) -> bool:
        joint = value_at(native, place[:1])
        return isinstance(joint, Joint) and bool(joint.dofs) and not joint.free

    _, undone, _ = apply_carried(native)
    try:
        _, left, _ = apply_carried(
            native, without_places(native.carried, [each for each in places if not elsewhere(each)])
        )
    except ValueError:
        return {}
    return compare(left, undone)[1]


def _note_stale(
    stale: Sequence[Address], carried: Mapping[str, str], scene: Scene, context: ReaderContext, place: Source
) -> None:
    """Note carried data that is not applied, because its place was edited: what it was, and its place in the
    document."""
    if not stale:
        return
    from converters.carried.stale import describe_stale
    from converters.report.values import show

    reason = (
        "the file was edited after it was converted: the edit is kept, and the carried value of this place is not used"
    )
    for where, key, before, action in describe_stale(stale, carried, scene):
        edited = (value_at_text(scene, above) for above in prefixes(where))
        found = (each.source for each in edited if isinstance(each, Entity) and each.source is not None)
        source = next(found, None) or context.pieces.get(key, place)
        context.note("carried/stale", where, reason, source, before=show(before), action=action)


def _apply_with_edits(
    native: Scene, form: Format, kept: _Accompanying
) -> tuple[Scene, Scene, list[Address], Mapping[str, Mapping[str, int]]]:
    """As apply_carried, after all that edits of the document mean for what is carried; also Restored.order.

    First carried things follow edits of what was made of them (_follow_edits). Then goes what an edit left without
    ground (converters.carried.edits). native.carried keeps what still counts, and what edits brought is marked
    (Scene.brought).
    """
    from converters.carried.edits import deny_silence, set_aside
    from ir.brought import edited_entities, name_order

    folded, scene, stale = _follow_edits(native, form, kept)
    derived = derivations(native.carried)
    new = edited_entities(folded, kept.written)
    left, own = set_aside(native, folded, scene, stale, new | kept.brought)
    if left:
        folded, scene, more = apply_carried(native, left)
        stale += [place for place in more if place not in stale]  # what depended on them, too
        native.carried, new = left, edited_entities(folded, kept.written)
    scene = deny_silence(scene, folded, derived, form.fits.masks)
    scene.brought = new | dict.fromkeys(own, True) | kept.brought
    order: Mapping[str, Mapping[str, int]] = {}
    if scene.brought:
        from converters.source.rotors import edited_armatures

        order, scene = name_order(native), edited_armatures(scene)
    return folded, _with_prefixes(scene, native), stale, order


def _follow_edits(native: Scene, form: Format, kept: _Accompanying) -> tuple[Scene, Scene, list[Address]]:
    """As apply_carried, after carried things have followed edits of what was made of them: blocks, devices, frictions,
    actuators. native.carried is what they come to."""
    from ir.brought import edited_entities

    folded, scene, stale = apply_carried(native)
    if stale and any(key.startswith("block/") for key in native.carried):
        from converters.carried.blocks import follow_block_edits

        native.carried = follow_block_edits(
            native, folded, scene, stale, lambda carried: apply_carried(native, carried)[1], form
        )
        folded, scene, stale = apply_carried(native)
    if any(place[0].startswith("sensor/") for place in stale):
        from converters.carried.devices import follow_rate_edits

        native.carried = follow_rate_edits(native.carried, folded)
        folded, scene, stale = apply_carried(native)
    lost: list[Address] = []
    if f'"{ACROSS}"' in native.carried.get("beside", ""):
        from converters.carried.friction import follow_friction_edits

        native.carried, lost = follow_friction_edits(native.carried, folded)
        folded, scene, stale = apply_carried(native)
    if any(key.startswith("actuator/") for key in native.carried):
        from converters.carried.drives import follow_drive_edits

        native.carried, names, more = follow_drive_edits(native, folded, scene, edited_entities(folded, kept.written))
        if names:
            native.carried["renamed"] = as_json({"actuator": names})
        folded, scene, stale = apply_carried(native)
        lost += more
    return folded, scene, [*stale, *lost]


def _with_prefixes(scene: Scene, native: Scene) -> Scene:
    """The scene with the namespace prefixes that the document declares and that something new in it uses."""
    from ir.brought import used_texts

    new = {key: uri for key, uri in native.notation.items() if key.startswith(XMLNS) and key not in scene.notation}
    used = used_texts(scene, [f"{key.removeprefix(XMLNS)}:" for key in new]) if new else []
    for prefix in used:
        key = f"{XMLNS}{prefix[:-1]}"
        scene.notation[key] = new[key]
    return scene


def _check_text(text: str) -> None:
    """Raise ValueError for a lone surrogate in a text, or in JSON inside of it (RFC 8259, 8.2)."""
    text.encode()
    if "\\u" in text:
        as_json(json.loads(text)).encode()


def apply_carried(scene: Scene, carried: Mapping[str, str] | None = None) -> tuple[Scene, Scene, list[Address]]:
    """(the scene with its folds made; that with the patch applied; places where the patch does not fit any more).

    carried is what is applied (None: everything that the scene carries).
    """
    from ir.folds import fold
    from ir.grounds import without_ground
    from ir.restore import restore
    from ir.seals import broken_folds

    carried = dict(scene.carried if carried is None else carried)
    folds, sealed, known, renamed = (piece(carried, key) for key in ("folds", "seals", "loose", "renamed"))
    for key in EMPTY:
        carried.pop(key, None)
    gone = broken_folds(scene, folds, sealed, _shape_keys(carried) if folds.get("geom") else {})
    if gone:
        folds = {
            kind: {whole: parts for whole, parts in group.items() if f"{kind}/{whole}" not in gone}
            for kind, group in folds.items()
        }
        carried = without_places(carried, gone.values())
    folded = fold(scene, folds)
    stale = list(gone.values())
    while True:
        result, edited = restore(folded, carried)
        places = without_ground(result, folded, carried, known, edited)
        if not places:
            for kind, names in renamed.items():
                result = rename(
                    result, kind, {old: str(new) for old, new in names.items() if old in declared(result)[kind]}
                )
            return folded, result, list(dict.fromkeys(stale + edited))
        stale += places
        carried = without_places(carried, places)


def _shape_keys(carried: Mapping[str, str]) -> dict[str, str]:
    """Geoms whose shape is in the patch -> the key of their body there."""
    found: dict[str, str] = {}
    for key, text in carried.items():
        patch = json.loads(text) if key.startswith("body/") and '"shape"' in text else None
        for name, geom in patch_items(patch, "geoms"):
            if isinstance(geom, dict) and "shape" in geom:
                found[name] = key
    return found
