"""glTF -> Scene: from the embedded graph if Kinegraph wrote the document, otherwise as a scene of nodes.

For a document of ours, the returned scene contains what the nodes express; what the graph knows beyond that is carried
in it, as in every other format. An unedited document gives its graph back exactly; gltf.edits handles changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial

from msgspec.structs import replace

from converters.context import DocumentCheck, InputError, ReaderContext
from converters.gltf.audit.document import DocumentAudit
from converters.gltf.audit.physics import as_engines_see
from converters.gltf.audit.storage import Storage
from converters.gltf.audit.triangles import Drawing
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.container import Container, unpack
from converters.gltf.data.extensions import check_said
from converters.gltf.edits.matching import adopt_unmarked_nodes
from converters.gltf.edits.names import with_names
from converters.gltf.ours import graph as graph, words
from converters.gltf.ours.assets import parts_of
from converters.gltf.ours.bodies import mark_as_read, native_scene
from converters.gltf.ours.graph import Inside
from converters.gltf.ours.marks import Tree, expected, tree_of
from converters.gltf.ours.members import changed_members
from converters.gltf.ours.saved import FEW, SAVED, written_anew
from converters.gltf.scene.forms import FORMS
from converters.gltf.scene.primitives import Surfaces
from converters.source.carried import CHANGED, REASON
from converters.source.json import JsonObject
from ir.brought import edits_between
from ir.derivations import Derivation
from ir.diff import Difference, compare, differences
from ir.grounds import dangling_references
from ir.plain import as_json
from ir.refs import Renames
from ir.scene import Scene
from ir.types import Source

OLDER = "another version of Kinegraph wrote it, whose checksums this one does not know: edits are not looked for"


def read(data: bytes, context: ReaderContext) -> Scene:
    """Read the scene of a GLB or a .gltf. Raises InputError for broken or unsafe files and unknown extensions."""
    container = unpack(data, context)
    check_said(container.document.root)
    copies = graph.copies(container.document.root.members)
    if context.bare:
        words.pass_over(container.document.root)
    mine = _read_ours(container, copies, context) if copies and not context.bare else None
    if mine is not None and not context.faults.found:
        return mine
    from converters.gltf.foreign.document import read as read_scene

    if mine is None:
        return read_scene(container, context)
    read_scene(container, replace(context, notes=[]))  # only for its faults: other programs read the whole scene
    return mine


def _read_ours(container: Container, copies: Sequence[tuple[str, str]], context: ReaderContext) -> Scene:
    """Read the scene of a document with an embedded graph. Raises InputError for a damaged or impossible one."""
    document = container.document
    extras = mark_as_read(document.root)
    inside = _usable_copy(copies, context)
    form = FORMS[inside.physics]
    root = JsonObject(form.hear(document.root.members), copy(document), "")
    """A second cursor whose accounting of unread members is not used: the first one has accounted for all."""
    cameras = [address for address, _ in inside.made]
    accessors = Accessors(root, container.buffers)
    surfaces = Surfaces(root, accessors, context)
    tree = tree_of(root, accessors, context, expected(inside.scene, cameras))
    adopt_unmarked_nodes(tree, inside, surfaces)
    native = native_scene(root, tree, context)
    native.extras = (*extras, *words.of_document(root))
    if context.faults.found:
        return native
    said, added = words.taken(inside.scene.extras, extras)
    scene = inside.scene.evolve(extras=said) if added else inside.scene
    changed = _changed_parts(root, container.buffers, inside, context)
    names: Renames = {}
    if changed:
        made = _with_edits(scene, inside, root, tree, surfaces, changed, container.buffers, context)
        scene, names = made or (native, names)
    if "animations" in root:
        from converters.gltf.ours.motions import motions

        context.motions = root.attempt(motions, root, tree, scene, container.buffers, context) or ()
    if context.faults.found:
        return native
    if context.written and changed:
        context.check = DocumentCheck(partial(_as_differences, changed))
    elif context.written:
        storage = Storage(document.root.members, accessors, container.buffers)
        context.check = _check(inside, root, tree, storage, accessors, context)
    found: dict[str, object] = {}
    if context.carrying:
        found["parts"] = parts_of(scene, root, tree, inside)
        if gone := _lost_cameras(scene, inside, tree, names):
            found["derived"] = gone
    if names:
        scene, native = with_names(scene, names), with_names(native, names)
        joints = names.get("joint", {})  # dofs have the names of their joints
        context.motions = [
            replace(each, tracks={joints.get(name, name): track for name, track in each.tracks.items()})
            for each in context.motions
        ]
    context.asked = inside.asked
    if context.carrying:
        native.carried |= _beyond_nodes(scene, native, inside, names)
        native.carried |= {key: as_json(value) for key, value in found.items()}
    return native


def _with_edits(
    scene: Scene,
    inside: Inside,
    root: JsonObject,
    tree: Tree,
    surfaces: Surfaces,
    changed: Sequence[str],
    buffers: Sequence[memoryview],
    context: ReaderContext,
) -> tuple[Scene, Renames] | None:
    """As apply_edits; None if that is not possible, and faults are gathered. Raises InputError."""
    from converters.gltf.edits.document import apply_edits

    try:
        altered = changed_members(changed, root.members, buffers, inside)
        return root.attempt(apply_edits, scene, inside, root, tree, surfaces, changed, altered, context)
    except ValueError as error:  # e.g. coordinates that fit no dof
        raise _unusable(error, context) from None


def _check(
    inside: Inside, root: JsonObject, tree: Tree, storage: Storage, accessors: Accessors, context: ReaderContext
) -> DocumentCheck:
    """What programs make of a document that was just written."""
    form = FORMS[inside.physics]
    audit = DocumentAudit(root, Drawing(root, accessors), tree, inside.positions, storage, context.beside, form.touch)
    drafted = partial(as_engines_see, root, tree, context, inside.scene, form)
    return DocumentCheck(audit.differences, drafted, form.draft)


def _beyond_nodes(scene: Scene, native: Scene, inside: Inside, names: Renames) -> dict[str, str]:
    """What the scene has beyond the nodes, and which of it edits contributed, in the form that ir.restore takes."""
    differences, patch = compare(scene, native)
    found: dict[str, object] = {"loose": dangling_references(scene, differences), "stamps": inside.stamps}
    edits = dict(inside.scene.brought)
    if scene is not inside.scene:
        edits |= edits_between(with_names(inside.scene, names) if names else inside.scene, scene)
    if edits:
        found["brought"] = edits
    return patch | {key: as_json(value) for key, value in found.items()}


def _usable_copy(copies: Sequence[tuple[str, str]], context: ReaderContext) -> Inside:
    """Return the first usable copy of the graph and note other copies that differ. Raises InputError if none is
    usable."""
    found: tuple[Inside, str] | None = None
    failed: dict[str, InputError] = {}
    for place, blob in copies:
        if found is not None or blob in failed:
            continue
        try:
            inside = graph.decoded(blob)
            if not context.written:
                graph.check_inside(inside)
        except ValueError as error:
            failed[blob] = _unusable(error, context, place)
        else:
            found = inside, blob
            if not inside.whole:
                context.note(CHANGED, "document", REASON, Source(context.file, 1, place), action="noted")
    if found is None:
        raise next(iter(failed.values()))
    for place, blob in copies:
        if blob != found[1]:
            _tell_copy(found[0], blob, Source(context.file, 1, place), context)
    return found[0]


def _tell_copy(inside: Inside, blob: str, place: Source, context: ReaderContext) -> None:
    """Note a copy of the graph that is not used: how it differs from the one that is, or the number of differences."""
    from converters.report.values import show

    try:
        other = graph.decoded(blob).scene
    except ValueError as error:
        reason = f"a copy of the graph that cannot be used: {error}"
        context.note(graph.RULE, "scene", reason, place, before="the graph", action="dropped")
        return
    reason = "a copy of the graph differs from the one that is used"
    found = [(each.where, show(each.after), show(each.before)) for each in differences(inside.scene, other)]
    if not 0 < len(found) <= FEW:
        found = [("scene", f"the graph: {len(found)} things" if found else "the graph", "")]
    for where, before, after in found:
        context.note(graph.RULE, where, reason, place, before=before, after=after, action="dropped")


def _changed_parts(
    root: JsonObject, buffers: Sequence[memoryview], inside: Inside, context: ReaderContext
) -> list[str]:
    """Parts of a document whose meaning has changed since it was written, according to its digests."""
    if inside.form != graph.FORM:
        context.note(SAVED, "scene", OLDER, root.source, action="noted", severity="note")
        return []
    changed = graph.changes(graph.digests(root.members, buffers), inside.digests)
    return written_anew(changed, root, buffers, inside, context) if changed else []


def _as_differences(changed: Sequence[str], *_: object) -> Iterator[Difference]:
    """Yield a difference for each part of a just-written document that does not match its digests."""
    for part in changed:
        yield Difference(("document", part), "shown.document", "different", "as it was written", "changed", None)


def _lost_cameras(scene: Scene, inside: Inside, tree: Tree, names: Renames) -> list[Derivation]:
    """Cameras that passes created and that have no node any more, with their origins."""
    bodies = names.get("body", {})
    return [
        Derivation([(f"body/{bodies.get(body, body)}", *rest)], ends, [""])
        for (place, *rest), ends in inside.made
        if (body := place.removeprefix("body/")) in scene.bodies and ("camera", rest[-1]) not in tree.leaves
    ]


def _unusable(error: ValueError, context: ReaderContext, place: str = "/") -> InputError:
    message = f"the graph inside the file cannot be used ({error}); take it out of the extras to read the rest"
    return InputError(message, Source(context.file, 1, place))
