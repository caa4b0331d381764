"""Scene -> SDF: explicit inertials, exact frames, no lumping; the source's own spelling where it still applies."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from converters.assets.resolve import Resolver
from converters.context import InputError, Output, ReaderContext, WriterContext
from converters.paths import absolute
from converters.sdf.document.demands import faults
from converters.sdf.document.loading import SdfLoading
from converters.sdf.include.package import CONFIG, write_config
from converters.sdf.include.resolve import model_file, uri_of
from converters.sdf.models.joints import has_rotor
from converters.sdf.parts.surface import rougher_across
from converters.sdf.tables import FAULTS, FORMAT, ROOT, SPELLING, VERSION
from converters.sdf.writing.files import Addresses
from converters.sdf.writing.other_files import other_files
from converters.sdf.writing.rendering import render
from converters.sdf.writing.sheet import Sheet
from converters.sdf.writing.versions import (
    ELEMENTS,
    fit_to_version,
    in_elements,
    same_version,
    same_words,
    written_version,
)
from converters.source.parsing import NAMESPACE, PREFIX, release
from converters.source.respelling import apply_notes
from converters.source.rotors import unheard_rotors, unlike_driven
from converters.source.spelling import without_notes
from converters.source.spelling_notes import SpellingNote
from converters.source.tree import Element, declarations, declare_rest, document, fragment
from ir.compound import CHAIN
from ir.folds import fold, material_folds
from ir.scene import Scene
from ir.scopes import DELIMITER
from ir.types import WORLD

if TYPE_CHECKING:
    from ir.diff import Difference

PLAIN, WORLDLY, ROUGHER, NO_WORLD = "sdf/plain", "sdf/world-folder", "sdf/drake-friction", "sdf/no-world"
ALONE = (
    "the document is a model without a world, and Gazebo opens only worlds: spawn it in one, or convert "
    "it into a folder (--to sdf), which a world can <include>"
)
REASON = (
    "includes of the source, and values by the rules of its own version, are valid in that version "
    "only: the document contains the same written out, with the included models in place"
)


def write(scene: Scene, context: WriterContext) -> Output:
    """Return the document and the files beside it. Raises InputError for a version that cannot be written."""
    native = VERSION in scene.notation
    version = written_version(context.options.sdf_version, scene)
    addresses = Addresses(scene, context, native)
    same = native and same_version(context.options.sdf_version, scene)
    root, sheet = render(scene, addresses, version, context, not same)
    notes = scene.notation.get(SPELLING, "")
    if not same:
        fit_to_version(in_elements(root, scene) if version >= ELEMENTS else root, version)
    kept = native and same_words(context.options.sdf_version, scene)
    if notes and native and not kept:
        before, after = scene.notation[VERSION], root.attrs["version"]
        context.note(PLAIN, "document", REASON, before=before, after=after, action="derived", severity="note")
    if notes and kept:
        fitted = (lambda changed: changed) if same else (lambda changed: fit_to_version(changed.copy(), version))
        notes = _without_lost_includes(notes, scene, context)
        root = fitted(apply_notes(root, notes, lambda changed: _differences(fitted(changed), addresses, context)))
        if root.attrs.get("version") == scene.notation[VERSION]:
            root.tag = scene.notation.get(ROOT, root.tag)
    root.attrs |= declarations(scene.notation, native)
    if not native and root.find("world") is not None:
        root.attrs[PREFIX] = NAMESPACE
    if not native or scene.brought:
        declare_rest(root, native)
    joints = sheet.scene.joints.values()
    heard = (
        *unheard_rotors(scene, filter(has_rotor, joints), FORMAT),
        *unlike_driven(scene, joints, context.source, FORMAT),
    )
    refused = () if native else (fault.note() for fault in faults(root, version))
    if not native:
        _tell_rougher(scene, context)
    more, missing = other_files(root, addresses.copies, context)
    described = {CONFIG: write_config(scene, context, version)} if context.packaged else {}
    if described and root.find("world") is not None:
        _tell_world(scene, context)
    if context.target is not None and context.target.suffix == ".world" and root.find("world") is None:
        context.note(NO_WORLD, "document", ALONE, before=context.target.name, action="noted")
    return Output(
        document=document(root),
        files={**addresses.copies, **more, **described},
        folds={kind: found for kind, found in _folds_of_output(root, sheet).items() if found},
        origins=sheet.origins,
        notes=(*addresses.notes, *missing, *refused, *heard),
    )


def _tell_rougher(scene: Scene, context: WriterContext) -> None:
    """Note the surfaces for which Drake refuses the document."""
    reason = (
        "Gazebo uses mu and mu2 (default: 1) for the friction along two directions; Drake uses mu2 as the "
        "dynamic friction, and refuses a model in which it is above mu: for Drake set both, the larger one "
        "as mu"
    )
    for body in scene.bodies.values():
        for geom in body.geoms:
            surface = geom.surface if geom.collides else None
            found = rougher_across(surface)
            if found is not None:
                where, before = f"body/{body.name}.geoms.{geom.name}.surface", f"mu {found[0]:g}, mu2 {found[1]:g}"
                context.note(ROUGHER, where, reason, geom.source, before=before, action="noted", severity="note")


def _tell_world(scene: Scene, context: WriterContext) -> None:
    """Note that the folder of a model contains a world: libsdformat includes only models and lights."""
    assert context.target is not None
    models = [name for name, scope in scene.tables["scope"].items() if name and not scope.parent]
    names = models or [joint.child for joint in scene.child_joints(WORLD)]
    ways = f"; for a folder that other worlds can include choose one with --model: {', '.join(names)}" if names else ""
    reason = f"the document is a world, which Gazebo opens by its path, and no other world can include it{ways}"
    context.note(WORLDLY, "document", reason, before=context.target.name, action="noted")


def _folds_of_output(root: Element, sheet: Sheet) -> dict[str, Mapping[str, list[str]]]:
    """Return the folds of things that SDFormat splits. In the source's own spelling they may still be one."""
    links = {each.attrs.get("name") for each in root.below() if each.tag == "link"} if sheet.chains else set()
    files = sheet.addresses.files
    return {
        "geom": sheet.folds,
        CHAIN: {
            body: parts
            for body, parts in sheet.chains.items()
            if links.issuperset(part.rpartition(DELIMITER)[2] for part in parts)
        },
        WORLD: {WORLD: [sheet.ground]} if sheet.ground else {},
        "asset": files.folds(),
    }


def _differences(root: Element, addresses: Addresses, context: WriterContext) -> list[Difference]:
    """Return where a document differs from the scene, and errors in it that the source does not have."""
    from converters.sdf.reader import faults as told, parse_scene
    from ir.diff import Difference, compare

    scene = addresses.scene
    folder = _output_folder(context)
    known = {addresses.files.address(name): asset.file for name, asset in scene.assets.items()}
    reading = ReaderContext(
        file=str(context.target or context.file),
        folder=folder,
        options=context.options,
        find=lambda uri: (known.get(uri), ""),
        find_model=_model_finder(context),
    )
    found = parse_scene(document(root), reading)[0]
    release(reading.documents)
    found = fold(found, {"material": material_folds(scene, found, False)})  # materials have no names in SDF
    written = {
        name for name, each in found.assets.items() if each.source is not None and each.source.file == reading.file
    }
    left = [  # the place of a file before it was put beside the document; an <include> has its own
        Difference(("asset", name, "uri"), "asset.uri", "different", "", found.assets[name].uri, None)
        for name in written & scene.assets.keys()
        if scene.assets[name].file is not None and found.assets[name].uri not in known
    ]
    author = {tuple(fault) for fault in json.loads(scene.notation.get(FAULTS, "[]"))}
    return [
        *(difference for difference in compare(scene, found)[0] if difference.field != "asset.uri"),
        *left,
        *(Difference(fault, "fault", "extra", None, None, None) for fault in told(reading) - author),
    ]


def _without_lost_includes(spelling: str, scene: Scene, context: WriterContext) -> str:
    """Return the notes without each <include> whose model is not found from the output's folder: it is written out."""
    folder = _output_folder(context)
    reading = ReaderContext(
        file=context.file,
        folder=context.folder,
        options=context.options,
        find=context.find,
        find_model=_model_finder(context),
    )
    loading = SdfLoading(reading, scene)

    def lost(note: SpellingNote) -> bool:
        if not note.replaced or note.key.rpartition(":")[2] != "include":
            return False
        try:
            return model_file(uri_of(fragment(note.value[1])), folder, loading)[0] is None
        except InputError:  # of the model.config: reported when it is read
            return False

    try:
        return without_notes(spelling, lost)
    except (ValueError, TypeError, AttributeError, LookupError):  # the notes were edited
        return spelling


def _output_folder(context: WriterContext) -> Path:
    """Return the folder of the output."""
    return context.target.parent if context.target is not None else context.folder


def _model_finder(context: WriterContext) -> Callable[[str], tuple[str | None, str]]:
    """Return a function to find models as readers of the output do: beside the source only if a search path leads
    there."""
    folder, source = absolute(_output_folder(context)), absolute(context.folder)
    if folder == source:
        return context.find_model
    there = Resolver(context.target or folder / "model.sdf", context.options)
    led = [*there.resources, *there.packages.values()]

    def find(uri: str) -> tuple[str | None, str]:
        found, rule = there.find(uri)
        at = absolute(found or "")
        if found is None or not at.is_relative_to(source) or any(map(at.is_relative_to, led)):
            return found, rule
        return None, "beside the source alone"

    return find
