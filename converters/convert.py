"""The pipeline: detect, read, prepare, write, read back, audit, deliver."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from converters.assets.inside import file_of, part_of
from converters.assets.meshes.sampled import ledger
from converters.audit.output import Audited, Written, audit_output
from converters.carried.earlier_choices import choice_passes, choice_patches
from converters.context import (
    Counted,
    InputError,
    Note,
    Options,
    Output,
    ReaderContext,
    Writer,
    WriterContext,
    as_path,
    checked_options,
)
from converters.deliver import deliver, document_path
from converters.format import Format, Pass, Target
from converters.passes import prepare
from converters.paths import assets_of
from converters.reading import (
    TICK,
    Reading,
    changed_file,
    interpret,
    load as load,
    loaded,
    origin,
    read as read,
    source_files,
    with_files,
    writer_context,
)
from converters.registry import (
    block_passes,
    detect,
    format_by_suffix,
    format_named,
    formats as formats,
    output_title,
    writable,
)
from converters.report.findings import Comparison, findings
from converters.report.idle import idle_options
from converters.report.model import Action, End, Finding, Report
from converters.report.source_faults import impossible_numbers, output_faults, remade_from_edits, unrepaired
from converters.report.values import show
from converters.source.tree import as_read
from converters.version import __version__
from ir.brought import in_order
from ir.diff import differences
from ir.mapping import map_extras, map_table
from ir.scene import Scene
from ir.types import NotFiniteError, Source

SUFFIX = "document/suffix"
NAMED = (
    "this suffix is used for files of another format: programs that go by the name alone take the "
    "output for such a file"
)
NO_MODEL = "a picture shows the model and contains none of it: nothing can be read back, so nothing is audited"


class Made(Struct, frozen=True, kw_only=True):
    """A finished conversion that is not on disk yet: deliver writes it, report tells of it."""

    reading: Reading
    output: Output
    path: Path
    format: Format
    options: Options
    findings: tuple[Finding, ...]


def convert(
    src: str | Path,
    dst: str | Path,
    *,
    source: str | None = None,
    target: str | None = None,
    options: Options | None = None,
) -> Report:
    """Convert the model file src into the file dst and return the report of what was lost.

    source and target name formats ("urdf", "sdf", "mjcf", "gltf"; target "png", too), or their suffixes ("glb"), if the
    suffix of the file does not tell. If dst is a folder (or ends in a slash), and target is given, the file is named
    after src and goes there. dst and its folder of assets appear whole or not at all. Raises InputError when src cannot
    be read or contains no valid model, when the target cannot hold it or is not written, or when a file that is read
    would be overwritten; OSError when dst cannot be written.
    """
    with no_collection():
        reading = load(src, source=source, options=options)
        return _delivered(make(reading, dst, target=target, options=options))


def make(
    reading: Reading,
    dst: str | Path,
    *,
    target: str | None = None,
    options: Options | None = None,
    packaged: bool | None = None,
) -> Made:
    """The second half of convert, without writing to disk. Raises InputError.

    packaged: dst is the document of a folder which as a whole is the model (Gazebo's model.sdf); None decides that from
    dst itself, as deliver.document_path does.
    """
    as_path(dst)
    to = format_named(target, "write") if target else detect(str(dst))
    source = reading.context.file
    name = output_title(Path(source)) if source else re.sub(r"[^\w.-]+", "_", reading.scene.name).strip(".") or "model"
    path = document_path(dst, to, name) if packaged is None else Path(dst)
    if packaged is None:
        packaged = path.name == to.folder and path != Path(dst)
    options = checked_options(options)
    made = _converted(reading, path, to, options, packaged)
    if _unexplained(made):
        _refuse_changed(reading, lambda again: _converted(again, path, to, options, packaged))
    return made


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch the garbage collector off: a conversion builds large trees that all live until it ends, and repeated
    searches for garbage would make it slower than linear."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def write(scene: Scene, dst: str | Path, *, target: str | None = None, options: Options | None = None) -> Report:
    """Write a scene, made or changed in Python, in SI units and radians, z up, and return the report.

    target names the format where the suffix of dst does not tell. Raises InputError when it cannot hold the scene, when
    this is none or says what no model can (ir.check.mistakes), or the format is not written, OSError when dst cannot be
    written.
    """
    from ir.check import mistakes

    if not isinstance(scene, Scene):
        raise InputError(f"what is written is a scene, as converters.read gives it, and not {scene!r}")
    for each in mistakes(scene):
        raise InputError(f"{each.where}: {each.message}", each.source)
    to = format_named(target, "write") if target else detect(str(dst))
    context = ReaderContext(file="", folder=as_path(dst).parent, options=checked_options(options))
    scene = _with_files_at_hand(map_extras(scene, as_read), context)
    return _delivered(make(Reading(scene=scene, format=to, context=context), dst, target=target, options=options))


def _with_files_at_hand(scene: Scene, context: ReaderContext) -> Scene:
    """The scene with those asset files that exist; a note for each of the others. Parts of a file, and assets inside a
    document, are left to their readers; assets made by a program have no file but their name."""
    whole = (asset for asset in scene.assets.values() if asset.file and not asset.made and not part_of(asset))
    gone = {asset.name for asset in whole if not Path(asset.file or "").is_file()}
    for name in sorted(gone):
        asset = scene.assets[name]
        context.missing(name, asset.uri or str(asset.file), f"{asset.file} is not there any more", asset.source)
    files: dict[str, str | None] = dict.fromkeys(gone)
    files |= {name: name for name, asset in scene.assets.items() if asset.made and not asset.file}
    return map_table(scene, "asset", lambda each: replace(each, file=files[each.name]) if each.name in files else each)


def _delivered(made: Made) -> Report:
    return report(made, deliver(made.output, made.path, source_files(made.reading)))


def _converted(reading: Reading, path: Path, to: Format, options: Options, packaged: bool) -> Made:
    """Fit the scene to the target, write it, read the output back, and explain every difference.

    Two formats of a source matter: reading.format is that of the file, and home the one in whose terms the scene is.
    They differ when the file is an output of Kinegraph: an MJCF made of a URDF carries the terms of that URDF.
    """
    writer = _writer(to, options)
    context = _writer_context(reading, path, to, options, packaged)
    home = origin(reading)
    if (
        to.size_limit is not None
        and home.name != to.name
        and to.size_limit.lower_bound(reading.scene) > to.size_limit.most
    ):
        message = f"{to.title} cannot hold this model: it takes more than {to.size_limit.most} {to.size_limit.unit}"
        raise InputError(f"{message}, the most that is read; convert parts of it", Source(context.file, 1, "/"))
    reading = _with_needed_files(reading, home, to, options)
    context.spare = reading.scene is reading.restored.spare
    written = _fit_and_write(reading, home, to, writer, context)
    audit = _audited(reading, home, written, to, context)
    output = _without_overwriting_srdf(audit.output, context, reading.context.documents) if to.srdf else audit.output
    notes = _notes(reading, home, written, audit, [*context.notes, *output.notes], to, options)
    found = findings(written.scene, audit.compared, written.steps, to.losses(), notes, written.fitted, options)
    if to.picture:  # a report on a picture says that nothing was audited
        options = replace(options, audit=False)
    return Made(reading=reading, output=output, path=path, format=to, options=options, findings=found)


def _refuse_changed(reading: Reading, repeat: Callable[[Reading], Made]) -> None:
    """Raises InputError if a file was changed after the reading began. One with a time shortly before may have been
    complete by then: a defect of ours shows again when the conversion is repeated, the effect of a change does not."""
    if file := changed_file(reading, reading.begun):
        raise InputError(f"{file}: the file was changed while it was read: convert it again")
    if file := changed_file(reading, reading.begun - TICK):
        again = load(reading.context.file, source=reading.format.name, options=reading.context.options)
        if not _unexplained(repeat(again)):
            raise InputError(f"{file}: this or another file was changed while it was read: convert it again")


def _unexplained(made: Made) -> bool:
    return any(each.action is Action.UNEXPLAINED for each in made.findings)


def _with_needed_files(reading: Reading, home: Format, to: Format, options: Options) -> Reading:
    """The reading with files for all its assets. On the way back to its own format a document names the files of its
    author, found or not; files are needed if an option copies them, or a mesh was a part of a file which is missing."""
    assets = reading.scene.assets
    lost = any(name in assets and file_of(assets[name].uri) for name in reading.restored.split)
    copied = options.meshes == "copy" or options.ros_package is not None
    return with_files(reading) if home.name != to.name or copied or lost else reading


def _notes(
    reading: Reading, home: Format, written: Written, audit: Audited, made: list[Note], to: Format, options: Options
) -> list[Note]:
    """The notes to report beside the differences: those of the reader and of the writer (made); faults of the output;
    impossible numbers; options without effect."""
    back = home.name == to.name
    noted = reading.context.notes
    own = unrepaired((note for note in noted if not (back and note.elsewhere)), audit.notes)
    notes = [*remade_from_edits(own, written.fitted)]
    if not (back and reading.ours):  # after an edit of our own output, its faults may come from the edit
        older = (options.sdf_version or options.urdf_version) is not None
        notes += output_faults([*noted, *made], audit.notes, older)
    mending = (step for step in written.steps if step.cause.action == Action.REPAIRED)
    repaired = {difference.where for step in mending for difference in step.differences}
    notes += impossible_numbers(reading.scene, noted, repaired)
    notes += made
    unnamed = _pose_name_is_lost(reading.scene, to, options)
    return [*notes, *idle_options(options, reading.format, to, written.steps, unnamed)]


def _fit_and_write(reading: Reading, home: Format, to: Format, writer: Writer, context: WriterContext) -> Written:
    """Fit the scene to the format to and write it. Raises InputError for numbers that are too large."""
    options = context.options
    own = reading.format.passes() if home.name != reading.format.name else ()
    edits = [each for each in own if reading.format.name != to.name or not each.lacking]
    foreign = (form for form in _formats_of_new_blocks(reading) if form.name not in (home.name, to.name))
    edits += (each for form in foreign for each in form.passes())
    dialect = (*choice_passes(reading.restored.asked, options), *home.passes()) if home.name != to.name else ()
    scene = context.original = _scene_to_keep(reading, own, to, context)
    target = Target(fits=to.fits, options=options, load=loaded, find=reading.context.find)
    inside = to.fits.one_file
    try:
        with ledger(corners=inside and options.audit, tables=not (inside or to.picture)) as opened:
            prepared, steps = prepare(scene, target, (*dialect, *block_passes(to)), to.older(), edits)
            context.asked = choice_patches(steps)
            if reading.restored.order and reading.format.name == to.name:
                prepared = in_order(prepared, reading.restored.order)
            return Written(scene, prepared, steps, writer(prepared, context), opened)
    except NotFiniteError as error:
        from converters.refusals import overflow_refusal

        raise overflow_refusal(error, to, context, reading.context.documents) from error


def _formats_of_new_blocks(reading: Reading) -> list[Format]:
    """Formats whose elements are in a block that an edit added, as a <gazebo> block in a URDF made of an MJCF: their
    meaning has not been read yet."""
    scene = reading.scene
    blocks = [block for name, block in scene.tables["block"].items() if f"block/{name}" in scene.brought]
    words = {extra.format for block in blocks for extra in block.extras} - {reading.format.name}
    return [form for name, form in formats().items() if name in words] if words else []


def _audited(reading: Reading, home: Format, written: Written, to: Format, context: WriterContext) -> Audited:
    """Read the output back and compare. A picture contains no model, which a note tells. Raises InputError for an
    output that our own reader refuses."""
    if to.picture:
        context.note("picture/no-model", "document", NO_MODEL, before=_counts(written.scene), action="dropped")
        return Audited(written.output, Comparison())
    seen = partial(interpret, home=to, fits=home.fits, options=context.options)
    try:
        return audit_output(written, to, context, seen)
    except InputError as error:
        from converters.refusals import refusal

        raise refusal(error, written.output, written.fitted, to, context, reading.context.documents) from error


def _writer(to: Format, options: Options) -> Writer:
    """The writer of a format. Raises InputError when it has none, or cannot do what the options ask."""
    write = writable(to)
    if options.meshes == "embed" and not (to.fits.one_file or to.picture):
        raise InputError(f"--meshes embed: {to.title} names the files of its meshes; glTF (.glb, .gltf) can hold them")
    return write


def _writer_context(reading: Reading, path: Path, to: Format, options: Options, packaged: bool) -> WriterContext:
    """The context of the writer, with a note when the name of the output is that of another format."""
    suffix = path.suffix.lower()
    context = replace(
        writer_context(reading, options),
        target=path,
        suffix=suffix if suffix in to.suffixes else to.suffixes[0],
        asset_folder="meshes" if packaged else assets_of(path),
        packaged=packaged,
    )
    if format_by_suffix(path) is not None and suffix not in to.suffixes:
        context.note(SUFFIX, "document", NAMED, before=path.suffix, after=to.name, action="noted", severity="note")
    return context


def _scene_to_keep(reading: Reading, own: Iterable[Pass], to: Format, context: WriterContext) -> Scene:
    """The scene that the output is compared with: the one that was read, in the requested pose.

    If the file is an edited output of Kinegraph, the consequences of the edits for the rest of the model are applied
    (own: the passes of the format of the file).
    """
    scene = _with_meaning_of_edits(reading, own, context) if reading.scene.brought else reading.scene
    if to.picture or not (context.options.posed or context.options.trajectory or context.motions):
        return scene
    from converters.posing import with_pose

    return with_pose(scene, context, to.poses, reading.format.fits.held)


def _pose_name_is_lost(scene: Scene, to: Format, options: Options) -> bool:
    """Whether a pose name (--pose-name) is lost, since the target shows the pose without a name."""
    if options.pose_name is None or not options.pose or not (to.poses or to.picture):
        return False
    from converters.posing.states import keyframe

    return keyframe(options.pose_name, scene) is None


def _with_meaning_of_edits(reading: Reading, own: Iterable[Pass], context: WriterContext) -> Scene:
    """The scene with the consequences of edits for everything that was not edited (Pass.spreads), each with a note."""
    scene = reading.scene
    document = reading.restored.document or scene
    for each in own:
        changed = each.spreads(scene, document, loaded) if each.spreads is not None else scene
        for found in differences(scene, changed) if changed is not scene else ():
            after = show(found.after)
            context.note(each.rule, found.where, each.reason, after=after, action="derived", severity="note")
        scene = changed
    return scene


def _without_overwriting_srdf(output: Output, context: WriterContext, sources: Iterable[Counted]) -> Output:
    """The output without its SRDF, if that would overwrite the SRDF of the source.

    If no SRDF is written and an older one has its place, it will be read with the output: a note tells it.
    """
    assert context.target is not None
    name = f"{context.target.stem}.srdf"
    place = context.target.with_name(name)
    if not place.exists():
        return output
    if any(document.file.endswith(".srdf") and place.samefile(document.file) for document in sources):
        reason = "the SRDF of the source is where that of the output would be written: it stays as it is"
        context.note("srdf/kept", "document", reason, before=name, action="derived", severity="note")
        return replace(output, files={path: file for path, file in output.files.items() if path != name})
    if name not in output.files:
        reason = "this SRDF is beside the output and will be read with it, but was not written by this conversion"
        context.note("srdf/left", "document", reason, before=name, action="approximated")
    return output


def _counts(scene: Scene) -> str:
    """What a picture does not hold, counted: "body: 7, joint: 7"."""
    counts = {"body": len(scene.bodies) - 1, "joint": len(scene.joints), "constraint": len(scene.constraints)}
    counts |= {kind: len(table) for kind, table in scene.tables.items()}
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items() if count) or "nothing"


def report(made: Made, files: tuple[str, ...]) -> Report:
    """The report of a conversion. files are the paths that were written, the document first."""
    reading = made.reading
    documents = reading.context.documents
    counts = [document.totals() for document in {document.file: document for document in reversed(documents)}.values()]
    items, read_, ignored, unread = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    assets = sorted({asset.file for asset in reading.scene.assets.values() if asset.file})
    return Report(
        version=__version__,
        source=End(
            path=reading.context.file,
            format=reading.format.name,
            files=tuple(dict.fromkeys([*(document.file for document in documents), *assets])),
        ),
        target=End(path=str(made.path), format=made.format.name, files=files),
        source_items=items,
        read=read_,
        ignored=ignored,
        unread=unread,
        audited=made.options.audit,
        findings=made.findings,
    )
