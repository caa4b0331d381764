"""A URDF included by an <include>: it is read as the SDFormat model it converts to, as in libsdformat.

Names, poses, placement frames, merging and changes act on that model as on any included model. What the model lacks of
the URDF is computed as for any conversion, and noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from converters.context import Note, Output, ReaderContext, for_writing
from converters.format import Ran, Target
from converters.registry import block_passes, format_named, lazy
from converters.sdf.document.loading import SdfLoading
from converters.sdf.tables import FORMAT
from converters.source.parsing import parse
from converters.source.xml import Document, Node
from ir.diff import Difference, differences
from ir.scene import Scene
from ir.types import Source

URDF = "urdf"
RULE = "sdf/included-format"
SPELT = "1.12"
"""The version that can express the most of a URDF."""
PACKAGE, MODEL = "package://", "model://"


def sdf_of_urdf(path: Path, data: bytes, loading: SdfLoading) -> tuple[Document, list[Note]]:
    """Return the SDFormat of a URDF, its elements located at their sources in the URDF, and notes of what is lost.

    The URDF is counted as a document of the reading; the SDFormat made from it is not. Files are taken as found: the
    reader of that SDFormat looks for them, and notes missing ones. Raises InputError.
    """
    own = {"find_srdf": False, "srdf": None, "model": None, "sdf_version": SPELT, "meshes": "reference"}
    context = loading.context.of_file(
        str(path),
        folder=path.parent,
        options=replace(loading.context.options, **own),
        find=lambda uri: (loading.find(uri, path.parent)[0] or str(path.parent / uri), ""),
        documents=[],
        notes=[],
    )
    read = format_named(URDF).read
    assert read is not None
    found = read(data, context)
    own_root = next(each.root for each in context.documents if isinstance(each, Document))
    loading.context.documents += context.documents
    context = replace(context, documents=[])
    if found.carried:
        reason = "data that an earlier conversion carried in an included URDF is only used when that URDF is converted"
        context.note(RULE, "document", reason, Source(str(path), 1, "/"), action="ignored", severity="note")
    scene = _with_model_addresses(found)
    prepared, steps = _fitted(scene, context)
    write = format_named(FORMAT).write
    assert write is not None
    output = write(prepared, for_writing(context, notes=context.notes))
    document = parse(output.document, context, FORMAT)
    _place_elements(document, prepared, own_root)
    notes = (replace(note, elsewhere=True) for note in context.notes)
    return document, [*notes, *_notes_of_losses(scene, prepared, output, steps, context)]


def _with_model_addresses(scene: Scene) -> Scene:
    """Return the scene with package:// URIs as model://, as libsdformat converts them."""
    assets = [
        replace(asset, uri=MODEL + asset.uri.removeprefix(PACKAGE)) if asset.uri.startswith(PACKAGE) else asset
        for asset in scene.assets.values()
    ]
    return scene.evolve(tables={"asset": assets})


def _fitted(scene: Scene, context: ReaderContext) -> tuple[Scene, tuple[Ran, ...]]:
    from converters.passes import prepare

    urdf, sdf = format_named(URDF), format_named(FORMAT)
    fits = replace(sdf.fits, covers=False)  # Gazebo shows the materials of a URDF that it reads itself
    target = Target(fits=fits, options=context.options, load=lazy("converters.assets.inside", "geometry"))
    return prepare(scene, target, (*urdf.passes(), *block_passes(sdf)), sdf.older())


def _notes_of_losses(
    scene: Scene, prepared: Scene, output: Output, steps: tuple[Ran, ...], context: ReaderContext
) -> Iterator[Note]:
    """Yield notes of what the SDFormat lacks of a robot, which its reader cannot notice. The URDF still has it."""
    from converters.report.findings import Comparison, findings
    from ir.folds import fold, material_folds

    sdf = format_named(FORMAT)
    assert sdf.read is not None
    again = sdf.read(output.document, replace(context, documents=[], notes=[], again=True, strict=False))
    whole = fold(again, output.folds)

    def missed(said: Scene) -> list[Difference]:
        return differences(said, fold(whole, {"material": material_folds(said, whole, sdf.fits.material_names)}))

    lost = missed(scene)
    compared = Comparison(native=lost, lasting=lost, unmade=missed(prepared))
    for found in findings(scene, compared, steps, sdf.losses(), output.notes, prepared):
        for place in found.sources or (None,):
            yield Note(
                rule=RULE,
                where=found.where,
                before=found.before,
                after=found.after,
                reason=f"an included URDF is read as SDFormat converts it ({found.rule}): {found.reason}",
                action="ignored" if found.action in ("dropped", "carried") else found.action,
                severity=found.severity,
                source=place,
                elsewhere=True,
            )


def _place_elements(document: Document, scene: Scene, root: Node) -> None:
    """Locate each element at its source in the URDF, or at that of its parent."""
    known: dict[tuple[str, str, str], Source | None] = {}
    for body in scene.bodies.values():
        known["link", "", body.name] = body.source
        for geom in body.geoms:
            name = geom.label or geom.name
            known["visual", body.name, name] = known["collision", body.name, name] = geom.source
    known |= {("joint", "", joint.name): joint.source for joint in scene.joints.values()}
    known |= {("sensor", "", sensor.name): sensor.source for sensor in scene.tables["sensor"].values()}
    known |= {("plugin", "", block.name): block.source for block in scene.tables["block"].values()}
    stack = [(document.root, "", root.line, str(root))]
    while stack:
        node, link, line, path = stack.pop()
        name = node.attrs.get("name", "")
        place = known.get((node.tag, link, name)) or known.get((node.tag, "", name))
        if place is not None:
            line, path = place.line, place.path
        node.line, document.moved[node] = line, path
        link = name if node.tag == "link" else link
        stack += [(child, link, line, path) for child in node.elements()]
