"""The pipeline: detect, read, prepare, write, read back, audit, deliver."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from converters.carried import ORIGINAL, Audited, audited, restored
from converters.context import Context, Counted, Faults, InputError, Options, Output
from converters.registry import Format, Pass, Target, blocks, detect, entered, formats as formats, marked, named, placed
from converters.report.model import End, Finding, Report
from converters.version import __version__
from ir.scene import Scene
from ir.types import Asset, Source

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

HEAD = 65536
"""Bytes that tell the format of a file."""

NO_MODEL = "a picture shows the model and holds nothing of it: nothing can be read back, so nothing is audited"


class Reading(Struct, frozen=True, kw_only=True):
    """A scene and all that is known about where it came from."""

    scene: Scene
    format: Format
    context: Context
    answers: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    """Every uri that was looked up, and what find of converters.assets.resolve said."""


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

    source and target name formats where the suffix does not tell. dst and its folder of assets appear whole or not at
    all. Raises InputError when src cannot be read or holds no valid model, or when a file that is read would be
    overwritten, OSError when dst cannot be written.
    """
    with no_collection():
        return _delivered(make(load(src, source=source, options=options), dst, target=target, options=options))


def load(
    src: str | Path,
    *,
    source: str | None = None,
    options: Options | None = None,
    faults: Faults | None = None,
) -> Reading:
    """The first half of convert: it may serve several outputs. Raises InputError.

    faults takes what is wrong, where it is gathered; what is read of a document with faults is not to be converted.
    """
    return _read(entered(Path(src)), source, options or Options(), faults)


def make(
    reading: Reading,
    dst: str | Path,
    *,
    target: str | None = None,
    options: Options | None = None,
    packaged: bool | None = None,
) -> Made:
    """The second half of convert, which writes nothing. Raises InputError.

    packaged: dst is the document, and it goes into a folder that is the model (None: see converters.registry.placed).
    """
    to = named(target) if target else detect(str(dst))
    path = placed(Path(dst), to) if packaged is None else Path(dst)
    return _made(reading, path, to, options or Options(), packaged=path != Path(dst) if packaged is None else packaged)


def interpreted(reading: Reading, everything: bool = False) -> Scene:
    """The scene with what its dialects and its engine make of it said in the terms of the graph.

    everything: also what the format itself says elsewhere, and only simulators look at (springs, self-collision).
    """
    home = origin(reading)
    fits = replace(home.fits, simulator_terms=True, bodies_collide=True) if everything else home.fits
    target = Target(fits=fits, options=reading.context.options, load=loaded)
    scene = reading.scene
    for each in home.passes():
        if each.wanted(target):
            scene = each.apply(scene, target)
    return scene


def bodies_collide(reading: Reading) -> bool | None:
    """Whether bodies of one model collide where the model says nothing; None where that is left to who reads it."""
    return origin(reading).fits.bodies_collide


def filed(reading: Reading) -> Reading:
    """The reading with files for all that it shows, where the source names others that nobody finds (Context.spare)."""
    spare = reading.context.spare
    if spare is None:
        return reading
    notes = [
        replace(note, action="approximated", reason=f"{note.reason}: its parts stand for it")
        if note.rule == ORIGINAL
        else note
        for note in reading.context.notes
    ]
    return replace(reading, scene=spare, context=replace(reading.context, notes=notes))


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


def read(src: str | Path, *, source: str | None = None, options: Options | None = None) -> Scene:
    """The scene that a model file describes, with what an earlier conversion carried restored. Raises InputError."""
    return _read(entered(Path(src)), source, options or Options()).scene


def write(scene: Scene, dst: str | Path, *, target: str | None = None, options: Options | None = None) -> Report:
    """Write a scene that did not come from a file. Raises OSError when dst cannot be written."""
    path = Path(dst)
    to = named(target) if target else detect(str(dst))
    reading = Reading(
        scene=scene, format=to, context=Context(file="", folder=path.parent, options=options or Options())
    )
    return _delivered(_made(reading, path, to, options or Options()))


def _read(path: Path, source: str | None, options: Options, faults: Faults | None = None) -> Reading:
    from converters.assets.resolve import Resolver

    data = _bytes(path)
    origin = named(source) if source else detect(str(path), data[:HEAD])
    if origin.read is None:
        raise InputError(f"{origin.title} can be written but not read")
    if options.srdf is not None and not origin.srdf:
        raise InputError(f"{path}: an SRDF goes with a URDF, and this is {origin.title}; leave --srdf out")
    resolver = Resolver(path, options, os.environ)
    context = Context(
        file=str(path),
        folder=path.parent,
        options=options,
        find=resolver.find,
        find_model=resolver.find,
        faults=faults or Faults(),
        bare=not options.carried,
    )
    scene = origin.read(data, context)
    if not options.carried:
        scene.carried.clear()
    scene = restored(scene, context, Source(str(path), 1, "/"), origin)
    if options.model is not None:
        from converters.chosen import chosen

        if context.spare is not None:
            context.spare = chosen(context.spare, replace(context, notes=[]), marked(scene.notation) or origin)
        scene = chosen(scene, context, marked(scene.notation) or origin)
    context.looks = (marked(scene.notation) or origin).looks
    return Reading(scene=scene, format=origin, context=context, answers=resolver.answers)


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise InputError(
                f"{path}: {'is a directory, not a model file' if path.is_dir() else 'there is no such file'}"
            )
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _delivered(made: Made) -> Report:
    from converters.deliver import deliver

    return report(made, deliver(made.output, made.path, sources(made.reading)))


def _made(reading: Reading, path: Path, to: Format, options: Options, packaged: bool = False) -> Made:
    from converters.passes import prepare
    from converters.report.audit import findings

    if to.write is None or (to.read is None and not to.picture):
        raise InputError(f"{to.title} can be read but not written")
    context = replace(
        reading.context,
        faults=Faults(),
        options=options,
        asset_folder="meshes" if packaged else f"{path.stem}_assets",
        packaged=packaged,
        documents=[],
        notes=[],
        target=path,
        source=reading.format.name,
    )
    home = origin(reading)
    interpreting = (*(home.passes() if home.name != to.name else ()), *blocks(to))
    edited = reading.format.passes() if home.name != reading.format.name else ()
    if reading.format.name == to.name:
        edited = tuple(each for each in edited if not each.lacking)
    if home.name != to.name:
        reading = filed(reading)
    scene = _spread(reading.scene, edited, context) if reading.scene.brought else reading.scene
    if (options.pose or options.trajectory or context.motions) and not to.picture:
        from converters.posing import posed

        scene = posed(scene, context, to.poses)
    context.original = scene
    target = Target(fits=to.fits, options=options, load=loaded)
    prepared, steps = prepare(scene, target, interpreting, to.older(), edited)
    if context.order and reading.format.name == to.name:
        from ir.brought import arranged

        prepared = arranged(prepared, context.order)
    output = to.write(prepared, context)
    if to.picture:
        audit = Audited(output, [], None, [])
        context.note("picture/no-model", "document", before=_held(scene), reason=NO_MODEL, action="dropped")
    else:
        try:
            audit = audited(scene, prepared, steps, output, to, context)
        except InputError as error:
            raise _refused(error, reading, to) from error
        output = _sparing(audit.output, context, reading.context.documents) if to.srdf else audit.output
    told = (note for note in reading.context.notes if home.name != to.name or not note.elsewhere)
    notes = [*told, *context.notes, *output.notes]
    found = findings(scene, audit.native, audit.lasting, steps, to.losses(), notes, audit.unmade)
    if to.picture:
        options = replace(options, audit=False)
    return Made(reading=reading, output=output, path=path, format=to, options=options, findings=found)


def _spread(scene: Scene, edited: Iterable[Pass], context: Context) -> Scene:
    """The scene with what edits of a document say of the rest of it (Pass.spreads), each with a note."""
    from converters.report.audit import show
    from ir.diff import differences

    for each in edited:
        changed = each.spreads(scene) if each.spreads is not None else scene
        for found in differences(scene, changed) if changed is not scene else ():
            after = show(found.after)
            context.note(each.rule, found.where, after=after, reason=each.reason, action="derived", severity="note")
        scene = changed
    return scene


def _refused(error: InputError, reading: Reading, to: Format) -> InputError:
    """An output that its own reader refuses is not written, and a place in it says nothing to anybody."""
    message = f"{to.title} cannot hold this model: of what would be written its reader says: {error.message}"
    return InputError(message, Source(reading.context.file, 1, "/"))


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
        context.note("srdf/kept", "document", before=name, reason=reason, action="derived", severity="note")
        return replace(output, files={path: file for path, file in output.files.items() if path != name})
    if name not in output.files:
        reason = "this SRDF lies beside the output and will be read with it, but was not written by this conversion"
        context.note("srdf/left", "document", before=name, reason=reason, action="approximated")
    return output


def origin(reading: Reading) -> Format:
    """The format whose dialects the scene bears: that of the file, or the one it once came from."""
    return marked(reading.scene.notation) or reading.format


def _held(scene: Scene) -> str:
    """How much there is of everything that a picture does not hold."""
    counts = {"body": len(scene.bodies) - 1, "joint": len(scene.joints), "constraint": len(scene.constraints)}
    counts |= {kind: len(table) for kind, table in scene.tables.items()}
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items() if count) or "nothing"


def loaded(asset: Asset) -> Iterable[tuple[NDArray[float64], NDArray[int64]]]:
    """Geometry of a mesh asset for the passes, which know no file format; nothing where no file can be read."""
    from converters.assets.inside import mesh

    try:
        return [(part.vertices, part.faces) for part in mesh(asset).parts] if asset.file else []
    except InputError:  # whoever packs the file says so
        return []


def sources(reading: Reading) -> Iterator[str]:
    """Every file that a reading was made of, and that the next one will look at: none of them may be changed."""
    from converters.assets.beside import brought

    context = reading.context
    named = [asset.file for asset in reading.scene.assets.values()]
    answered = [file for file, _ in reading.answers.values()]
    found = [context.file, *(document.file for document in context.documents), *context.opened, *named, *answered]
    for file in dict.fromkeys(found):
        if file:
            yield file
            yield from brought(file)


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
            files=(*dict.fromkeys(document.file for document in documents), *assets),
        ),
        target=End(path=str(made.path), format=made.format.name, files=files),
        source_items=items,
        read=read_,
        ignored=ignored,
        unread=unread,
        audited=made.options.audit,
        findings=made.findings,
    )
