"""The pipeline: detect, read, prepare, write, read back, audit, deliver."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from converters.carried.asked import choices, kept
from converters.carried.output import Audited, audited
from converters.context import (
    Context,
    Counted,
    Faults,
    InputError,
    Options,
    Output,
    Writer,
    as_path,
    asked,
)
from converters.deliver import deliver, document_path
from converters.reading import Reading, filed, load as load, loaded, origin, read as read, sources, understood
from converters.registry import (
    Format,
    Pass,
    Ran,
    Target,
    blocks,
    detect,
    format_named,
    formats as formats,
    suffixed,
    titled,
    writable,
)
from converters.report.model import End, Finding, Report
from converters.version import __version__
from ir.scene import Scene
from ir.types import NotFiniteError

SUFFIX = "document/suffix"
NAMED = "files of another format are named like this: who goes by the name alone takes the output for one of them"
NO_MODEL = "a picture shows the model and holds nothing of it: nothing can be read back, so nothing is audited"


class Made(Struct, frozen=True, kw_only=True):
    """A conversion that is complete, but nothing of it is on the disk."""

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

    source and target name formats ("urdf", "sdf", "mjcf", "gltf"; target "png", too), or their suffixes ("glb"), where
    that of the file does not tell.
    Where dst is a folder (or ends in a slash), and target is given, the file is named after src and goes there.
    dst and its folder of assets appear whole or not at all. Raises InputError when src cannot be read or holds no valid
    model, when the target cannot hold it or is not written, or when a file that is read would be overwritten; OSError
    when dst cannot be written.
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
    """The second half of convert, which writes nothing. Raises InputError.

    packaged: dst is the document, and it goes into a folder that is the model (None: as deliver.document_path).
    """
    as_path(dst)
    to = format_named(target, "write") if target else detect(str(dst))
    source = reading.context.file
    name = titled(Path(source)) if source else re.sub(r"[^\w.-]+", "_", reading.scene.name).strip(".") or "model"
    path = document_path(dst, to, name) if packaged is None else Path(dst)
    if packaged is None:
        packaged = path.name == to.folder and path != Path(dst)
    return _made(reading, path, to, asked(options), packaged=packaged)


@contextmanager
def no_collection() -> Iterator[None]:
    """A conversion builds large trees that live until it ends.

    Looking for garbage among them makes it slower than linear.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def write(scene: Scene, dst: str | Path, *, target: str | None = None, options: Options | None = None) -> Report:
    """Write a scene that did not come from a file, in SI units and radians, z up, and return the report.

    target names the format where the suffix of dst does not tell. Raises InputError when it cannot hold the scene, when
    this is none, or the format is not written, OSError when dst cannot be written.
    """
    if not isinstance(scene, Scene):
        raise InputError(f"what is written is a scene, as converters.read gives it, and not {scene!r}")
    to = format_named(target, "write") if target else detect(str(dst))
    context = Context(file="", folder=as_path(dst).parent, options=asked(options))
    return _delivered(make(Reading(scene=scene, format=to, context=context), dst, target=target, options=options))


def _delivered(made: Made) -> Report:
    return report(made, deliver(made.output, made.path, sources(made.reading)))


def _made(reading: Reading, path: Path, to: Format, options: Options, packaged: bool = False) -> Made:
    from converters.report.audit import findings
    from converters.report.idle import idle
    from converters.report.wrong import remade, standing, wrong

    writer = _writer(to, options)
    context = _context(reading, path, to, options, packaged)
    home = origin(reading)
    if home.name != to.name or options.meshes == "copy" or options.ros_package is not None:
        reading = filed(reading)
    context.spare = context.spare if reading.scene is context.spare else None
    written = _written(reading, home, to, writer, context)
    audit = _audit(reading, home, written, to, context)
    output = _sparing(audit.output, context, reading.context.documents) if to.srdf else audit.output
    noted = reading.context.notes
    here = (note for note in noted if home.name != to.name or not note.elsewhere)
    told = [*remade(standing(here, audit.told), written.prepared), *wrong(reading.scene, noted)]
    unnamed = _unnamed(reading.scene, to, options)
    notes = [*told, *context.notes, *output.notes, *idle(options, reading.format, to, written.steps, unnamed)]
    found = findings(
        written.scene,
        audit.native,
        audit.lasting,
        written.steps,
        to.losses(),
        notes,
        audit.unmade,
        audit.said,
        audit.drafted,
    )
    if to.picture:
        options = replace(options, audit=False)
    return Made(reading=reading, output=output, path=path, format=to, options=options, findings=found)


class _Written(NamedTuple):
    """scene: what the output is held against; prepared: the same as the target can take it, by these steps."""

    scene: Scene
    prepared: Scene
    steps: tuple[Ran, ...]
    output: Output


def _written(reading: Reading, home: Format, to: Format, writer: Writer, context: Context) -> _Written:
    """What is written of a model of the format home. Raises InputError for numbers that are too large."""
    from converters.passes import prepare

    options = context.options
    own = reading.format.passes() if home.name != reading.format.name else ()
    edited = [each for each in own if reading.format.name != to.name or not each.lacking]
    edited += (each for form in _speaking(reading) if form.name not in (home.name, to.name) for each in form.passes())
    foreign = (*kept(reading.context.asked, options), *home.passes()) if home.name != to.name else ()
    scene = context.original = _asked(reading, own, to, context)
    target = Target(fits=to.fits, options=options, load=loaded)
    try:
        prepared, steps = prepare(scene, target, (*foreign, *blocks(to)), to.older(), edited)
        context.asked = choices(steps)
        if context.order and reading.format.name == to.name:
            from ir.brought import arranged

            prepared = arranged(prepared, context.order)
        return _Written(scene, prepared, steps, writer(prepared, context))
    except NotFiniteError as error:
        from converters.refusals import overflown

        raise overflown(error, to, context, reading.context.documents) from error


def _speaking(reading: Reading) -> list[Format]:
    """Other formats in whose words a block stands that an edit brought: no document has said since what it means."""
    scene = reading.scene
    blocks = [block for name, block in scene.tables["block"].items() if f"block/{name}" in scene.brought]
    words = {extra.format for block in blocks for extra in block.extras} - {reading.format.name}
    return [form for name, form in formats().items() if name in words] if words else []


def _audit(reading: Reading, home: Format, written: _Written, to: Format, context: Context) -> Audited:
    """What reading the output back tells of it. Raises InputError where nobody can read it."""
    scene, prepared, steps, output = written
    if to.picture:
        context.note("picture/no-model", "document", NO_MODEL, before=_held(scene), action="dropped")
        return Audited(output, [], [], [])
    seen = partial(understood, home=to, fits=home.fits, options=context.options)
    try:
        return audited(scene, prepared, steps, output, to, context, seen)
    except InputError as error:
        from converters.refusals import refused

        raise refused(error, output, prepared, to, context, reading.context.documents) from error


def _writer(to: Format, options: Options) -> Writer:
    """Raises InputError where the format has none, or cannot hold what the user asks for."""
    write = writable(to)
    if options.meshes == "embed" and not (to.fits.one_file or to.picture):
        raise InputError(f"--meshes embed: {to.title} names the files of its meshes; glTF (.glb, .gltf) can hold them")
    return write


def _context(reading: Reading, path: Path, to: Format, options: Options, packaged: bool) -> Context:
    """What the writer is given, with a note where the file is named like one of another format."""
    suffix = path.suffix.lower()
    context = replace(
        reading.context,
        faults=Faults(),
        options=options,
        asset_folder="meshes" if packaged else f"{path.stem}_assets",
        packaged=packaged,
        documents=[],
        notes=[],
        target=path,
        suffix=suffix if suffix in to.suffixes else to.suffixes[0],
        source=reading.format.name,
    )
    if suffixed(path) is not None and suffix not in to.suffixes:
        context.note(SUFFIX, "document", NAMED, before=path.suffix, after=to.name, action="noted", severity="note")
    return context


def _asked(reading: Reading, own: Iterable[Pass], to: Format, context: Context) -> Scene:
    """The scene that the output is held against: what was read, with what its edits say of the rest of it (own: the
    passes of its format), and in the pose that the user asks for."""
    scene = _spread(reading.scene, own, context) if reading.scene.brought else reading.scene
    if to.picture or not (context.options.posed or context.options.trajectory or context.motions):
        return scene
    from converters.posing import posed

    return posed(scene, context, to.poses, to.fits.held if reading.format.name == to.name else None)


def _unnamed(scene: Scene, to: Format, options: Options) -> bool:
    """Whether the user calls a pose something, and the target shows it under no name."""
    if options.pose_name is None or not options.pose or not (to.poses or to.picture):
        return False
    from converters.posing.states import keyframe

    return keyframe(options.pose_name, scene) is None


def _spread(scene: Scene, own: Iterable[Pass], context: Context) -> Scene:
    """The scene with what edits of a document say of the rest of it (Pass.spreads), each with a note."""
    from converters.report.audit import show
    from ir.diff import differences

    document = context.document or scene
    for each in own:
        changed = each.spreads(scene, document, loaded) if each.spreads is not None else scene
        for found in differences(scene, changed) if changed is not scene else ():
            after = show(found.after)
            context.note(each.rule, found.where, each.reason, after=after, action="derived", severity="note")
        scene = changed
    return scene


def _sparing(output: Output, context: Context, sources: Iterable[Counted]) -> Output:
    """The output without an SRDF that would take the place of the one that was read.

    An older one that lies where none is written will be taken for a part of the output: a note says so.
    """
    assert context.target is not None
    name = f"{context.target.stem}.srdf"
    place = context.target.with_name(name)
    if not place.exists():
        return output
    if any(document.file.endswith(".srdf") and place.samefile(document.file) for document in sources):
        reason = "the SRDF of the source lies where that of the output would: it stays as it is"
        context.note("srdf/kept", "document", reason, before=name, action="derived", severity="note")
        return replace(output, files={path: file for path, file in output.files.items() if path != name})
    if name not in output.files:
        reason = "this SRDF lies beside the output and will be read with it, but was not written by this conversion"
        context.note("srdf/left", "document", reason, before=name, action="approximated")
    return output


def _held(scene: Scene) -> str:
    """How much there is of everything that a picture does not hold."""
    counts = {"body": len(scene.bodies) - 1, "joint": len(scene.joints), "constraint": len(scene.constraints)}
    counts |= {kind: len(table) for kind, table in scene.tables.items()}
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items() if count) or "nothing"


def report(made: Made, files: tuple[str, ...]) -> Report:
    """What became of a conversion. files are the paths that were written, the document first."""
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
