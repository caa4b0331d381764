"""A scene that came from MJCF, written as its author wrote it: names, classes, frames and angles.

The scene is first written in plain spelling, with every value resolved on its element. The notes made while reading
turn that into the author's document, wherever the values are unchanged.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from converters.context import InputError, Output, ReaderContext, WriterContext
from converters.mjcf.assets.elements import of_one_size
from converters.mjcf.document.files import extracted_files, relocate
from converters.mjcf.document.loading import Part
from converters.mjcf.reader import parse_scene
from converters.mjcf.tables import FORMAT, SPELLING
from converters.mjcf.writing.materials import writable
from converters.mjcf.writing.rendering import render, spelling
from converters.mjcf.writing.silence import angles, with_meaning_of_silence
from converters.source.located import steps_of
from converters.source.parsing import release
from converters.source.respelling import apply_all_notes, apply_notes, replaced_elements
from converters.source.spelling import has_further_parts, in_authors_words, joined_notes, spell_parts
from converters.source.tree import Element, declare, document
from ir.diff import Difference, differences, reordered
from ir.kinematics import moving_bodies
from ir.mapping import map_bodies
from ir.refs import entities, references
from ir.scene import Scene, address
from ir.types import Body, Geom, HeightField, Mesh

T = TypeVar("T")


def write_native(scene: Scene, context: WriterContext) -> Output:
    """Return the document with its files next to it, in their original arrangement."""
    whole = _without_unused_assets(_fitted_scene(scene, context), context)
    single, folds = of_one_size(whole)
    if folds and scene.notation.get(SPELLING):  # if frames give the sizes, one mesh is enough
        scene, made = extracted_files(whole, context)
        root = _with_author_spelling(scene, made, context)
        if not _differences(root, scene, made, context):
            files = relocate(root, scene, made, context)  # this also changes the addresses in root
            declare(root, scene.notation)
            return Output(document=document(root), files=files)
    scene, made = extracted_files(single, context)
    root = _with_author_spelling(scene, made, context)
    files = relocate(root, scene, made, context)
    declare(root, scene.notation)
    return Output(document=document(root), files=files, folds={"asset": folds} if folds else {})


def _with_author_spelling(scene: Scene, made: Mapping[str, bytes], context: WriterContext) -> Element:
    """Return the document with the notes of its author that still apply."""
    plain = render(scene)
    notes = scene.notation.get(SPELLING, "")
    if not notes:
        return plain
    spelt = _notes_that_hold(plain, notes, scene, made, context)
    if has_further_parts(notes, spelt):
        return spelt
    with suppress(InputError):  # a further section was edited: everything else stays as it was
        author = _with_plain_names(apply_all_notes(plain, notes), plain)
        notes = _reading_of_document(author, scene, made, context, partial(spelling, spell=spell_parts))
        return in_authors_words(_notes_that_hold(plain, notes, scene, made, context), author)
    return spelt


def _with_plain_names(author: Element, plain: Element) -> Element:
    """Update references to names that no longer exist to those of the plain document at the same place, and return the
    document, changed in place."""
    names = {item.attrs["name"] for item in plain.below() if "name" in item.attrs}
    sections: dict[str, Element] = {}
    for part in author.elements():
        sections.setdefault(part.tag, Element(part.tag)).content += part.content
    stack = [(section, known) for tag, section in sections.items() if (known := plain.find(tag)) is not None]
    while stack:
        theirs, ours = stack.pop()
        there, here = steps_of(theirs), steps_of(ours)
        stack += (pairs := [(there[step], here[step]) for step in there if step in here])
        for item, known in pairs:
            lost = [key for key, value in item.attrs.items() if value not in names and known.attrs.get(key) in names]
            item.attrs |= {key: known.attrs[key] for key in lost}
    return author


def _notes_that_hold(
    plain: Element, notes: str, scene: Scene, made: Mapping[str, bytes], context: WriterContext
) -> Element:
    if scene.brought:
        spelt, added = apply_all_notes(plain, notes), _elements_of_edits(scene)
        held = {(item.tag, item.attrs["name"]) for item in replaced_elements(plain, notes) if "name" in item.attrs}
        plain = with_meaning_of_silence(plain, spelt, added)
        notes = joined_notes(notes, angles(plain, spelt, added | held))
    # after edits, the document need not mean more than the plain spelling does
    meant = _scene_of_document(plain, scene, made, context) if scene.brought else scene
    return apply_notes(plain, notes, lambda changed: _differences(changed, meant, made, context))


def _elements_of_edits(scene: Scene) -> set[tuple[str, str]]:
    """Return tags and names of elements that edits of another document added."""
    new = {key for key, added in scene.brought.items() if added}
    found = {(kind, name) for kind, _, name in (key.partition("/") for key in new)} if new else set()
    joints = [joint for joint in scene.joints.values() if address(joint)[0] in new] if new else []
    found |= {("joint", dof.name) for joint in joints for dof in joint.dofs}
    sites = (frame for name, body in scene.bodies.items() if f"body/{name}" in new for frame in body.frames)
    return found | {("site", frame.name) for frame in sites}


def _assets_made_now(scene: Scene, made: Collection[str]) -> set[str]:
    """Return assets for which a file is generated now."""
    return {name for name, asset in scene.assets.items() if asset.uri in made}


def _fitted_scene(scene: Scene, context: WriterContext) -> Scene:
    """Remove geoms with shapes that MuJoCo refuses there, after an edit of another document or if roots are released
    (--base)."""
    if not scene.brought and context.options.base == "keep":
        return scene
    moving = moving_bodies(scene)

    def taken(geom: Geom, body: Body) -> bool:
        own = geom.shape is None and any(extra.format == FORMAT for extra in geom.extras)  # e.g. from a plugin
        return own or isinstance(geom.shape, Mesh | HeightField) or writable(geom.shape, body.name not in moving)

    def fitted(body: Body) -> Body:
        kept = tuple(geom for geom in body.geoms if taken(geom, body))
        return body if len(kept) == len(body.geoms) else replace(body, geoms=kept)

    return map_bodies(scene, fitted)


def _without_unused_assets(scene: Scene, context: WriterContext) -> Scene:
    """Remove unused assets without a file, unless the author of this document references them: MuJoCo opens every
    referenced file. Missing models are always removed: only an earlier document attached them."""
    own = context.source == FORMAT
    used = {each.name for _, entity in entities(scene) for each in references(entity) if each.kind == "asset"}
    kept = [
        asset
        for name, asset in scene.assets.items()
        if asset.file or not asset.uri or name in used or (own and asset.kind != "model")
    ]
    return scene if len(kept) == len(scene.assets) else scene.evolve(tables={"asset": kept})


def _differences(root: Element, scene: Scene, made: Mapping[str, bytes], context: WriterContext) -> list[Difference]:
    """Return the differences between a document and the scene. Addresses are settled later (files.relocate), except
    those of assets with generated files (made), which the author did not know."""
    found, own = _scene_of_document(root, scene, made, context), _assets_made_now(scene, made)
    unlike = [each for each in differences(scene, found) if not _means_nothing(each, own)]
    return unlike + reordered(scene, found)


def _means_nothing(difference: Difference, own: Collection[str]) -> bool:
    """Whether a difference does not affect the meaning of a document: an address, or content of an unused class."""
    if difference.field == "asset.uri":
        return difference.path[1] not in own
    return difference.path[:2] == ("scene", "extras") and difference.path[-1].startswith("default[")


def _scene_of_document(root: Element, scene: Scene, made: Mapping[str, bytes], context: WriterContext) -> Scene:
    """Return the scene of a document that was written from a scene."""
    return _reading_of_document(root, scene, made, context, lambda found, _: found)


def _reading_of_document(
    root: Element, scene: Scene, made: Mapping[str, bytes], context: WriterContext, look: Callable[[Scene, Part], T]
) -> T:
    """Return what `look` makes of the scene of a document and its part. Only attached models are searched for, no other
    files. made: files that do not exist yet, by address."""
    models = {asset.uri: (asset.file, "known") for asset in scene.assets.values() if asset.kind == "model"}
    tidy = {posixpath.normpath(uri): data for uri, data in made.items()}
    reading = ReaderContext(
        file=context.file,
        folder=context.folder,
        options=context.options,
        beside=tidy,
        find_model=lambda uri: models.get(uri) or context.find_model(uri),
    )
    found = look(*parse_scene(document(root), reading, told=False))
    release(reading.documents)
    return found
