"""The first half of a conversion: a model file as a scene, with everything known about its origin."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from time import time

from msgspec import Struct, field
from msgspec.structs import replace

from converters.carried.files import ORIGINAL
from converters.carried.restore import Restored, restore_carried
from converters.context import InputError, Options, ReaderContext, WriterContext, as_path, checked_options, for_writing
from converters.faults import Faults
from converters.format import Fits, Format, Target
from converters.present import check_present
from converters.registry import HEAD, detect, format_named, lazy, marked_format, model_document, readable
from converters.report.model import UNASKED
from ir.scene import Scene
from ir.types import Source

NO_XACRO = "only xacro files have arguments, and this is none"
GLB, LARGEST = b"glTF", 1 << 30
"""The magic number of binary glTF, and the largest size in bytes of any other file."""
TICK = 0.01
"""Seconds by which the time of a file may be too early: that of the kernel's last tick."""
loaded = lazy("converters.assets.inside", "geometry")
"""The geometry of a mesh asset, for passes (Target.load)."""


class Reading(Struct, frozen=True, kw_only=True):
    """A scene with everything known about its origin."""

    scene: Scene
    format: Format
    context: ReaderContext
    restored: Restored = Restored()
    ours: bool = False
    """Whether an earlier conversion left carried data in the document."""
    looks: str = "file"
    """Whether the looks of the model or those of a mesh file are shown, by the rule of the source
    (converters.assets.shown)."""
    answers: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    """uri -> the answer of converters.assets.resolve."""
    begun: float = inf
    """When, in seconds of the epoch."""


def load(
    src: str | Path, *, source: str | None = None, options: Options | None = None, faults: Faults | None = None
) -> Reading:
    """The first half of convert: it may serve several outputs. Raises InputError.

    faults gathers what is wrong, if given; a document with faults must not be converted.
    """
    return _read(model_document(as_path(src)), source, checked_options(options), faults)


def read(src: str | Path, *, source: str | None = None, options: Options | None = None) -> Scene:
    """The scene that a model file describes, with carried data of an earlier conversion restored: in SI units and
    radians, z up, whatever the file uses.

    source names the format if the suffix and the content do not tell. Raises InputError, with file and line, when src
    cannot be read or contains no valid model.
    """
    return _read(model_document(as_path(src)), source, checked_options(options)).scene


PLAINLY = {"simulator_terms": True, "bodies_collide": True, "static": False, "parent_child_collide": False}
"""Fits of a format without defaults: with these the passes write out everything."""


def interpreted(reading: Reading, everything: bool = False) -> Scene:
    """The scene with its dialects and the defaults of its engine expressed in terms of the graph.

    everything: including what the format itself expresses in another way, and what only simulators use (springs,
    self-collision).
    """
    home = origin(reading)
    fits = replace(home.fits, **PLAINLY) if everything else home.fits
    return interpret(reading.scene, home, fits, reading.context.options)


def interpret(scene: Scene, home: Format, fits: Fits, options: Options) -> Scene:
    """A scene of the format home, after the passes that express its dialects and defaults in terms of the graph, for a
    target that can hold what fits says."""
    target = Target(fits=fits, options=options, load=loaded)
    for each in home.passes():
        if each.wanted(target):
            scene = each.apply(scene, target)
    return scene


def bodies_collide(reading: Reading) -> bool | None:
    """Whether bodies of one model collide by default; None if that depends on the program."""
    return origin(reading).fits.bodies_collide


def with_files(reading: Reading) -> Reading:
    """The reading with the scene that needs no files beyond those of the document (Restored.spare), if there is one."""
    spare = reading.restored.spare
    if spare is None:
        return reading
    notes = [
        replace(note, action="approximated", reason=f"{note.reason}: its parts are used instead")
        if note.rule == ORIGINAL
        else note
        for note in reading.context.notes
    ]
    return replace(reading, scene=spare, context=replace(reading.context, notes=notes))


def origin(reading: Reading) -> Format:
    """The format in whose terms the scene is: the one from which it was converted, or that of the file."""
    return marked_format(reading.scene.notation) or reading.format


def source_files(reading: Reading) -> Iterator[str]:
    """Every file on which a reading depends: none of them may be overwritten."""
    from converters.assets.beside import companions

    context = reading.context
    named = [asset.file for asset in reading.scene.assets.values()]
    answered = [file for file, _ in reading.answers.values()]
    found = [context.file, *(document.file for document in context.documents), *context.opened, *named, *answered]
    for file in dict.fromkeys(found):
        if file:
            yield file
            yield from companions(file)


def changed_file(reading: Reading, since: float) -> str | None:
    """The first file of the reading with a time after since, in seconds of the epoch: its content changed then, or it
    took the place of another. A time that is still to come says nothing, and would excuse every defect of ours."""
    now = time()
    for file in source_files(reading):
        with suppress(OSError):
            found = Path(file).stat()
            if since < found.st_mtime <= now or since < found.st_ctime <= now:
                return file
    return None


def _read(path: Path, source: str | None, options: Options, faults: Faults | None = None) -> Reading:
    from converters.assets.resolve import Resolver

    begun = time()
    data = document(path)
    origin = format_named(source, "read") if source else detect(str(path), data[:HEAD])
    parse = readable(origin)
    if options.srdf is not None and not origin.srdf:
        raise InputError(f"{path}: an SRDF goes with a URDF, and this is {origin.title}; leave --srdf out")
    resolver = Resolver(path, options, os.environ)
    context = ReaderContext(
        file=str(path),
        folder=path.parent,
        options=options,
        find=resolver.find,
        find_model=resolver.find,
        faults=faults or Faults(),
        bare=not options.carried,
    )
    scene = parse(data, context)
    for name in options.arguments if "arguments" not in origin.asks else ():
        context.note(UNASKED, "document", NO_XACRO, before=name, action="noted")
    if not options.carried:
        scene.carried.clear()
    ours = bool(scene.carried)
    scene, restored = restore_carried(scene, context, Source(str(path), 1, "/"), origin)
    if options.model is not None:
        from converters.one_model import choose_model

        first = marked_format(scene.notation) or origin
        if restored.spare is not None:
            spare = choose_model(restored.spare, replace(context, notes=[]), first, origin)
            restored = replace(restored, spare=spare)
        scene = choose_model(scene, context, first, origin)
    _note_up_axis(scene, context)
    home = marked_format(scene.notation)  # a model from a one-file format has no looks in other files
    looks = (origin if home is None or home.fits.one_file else home).looks
    return Reading(
        scene=scene,
        format=origin,
        context=context,
        restored=restored,
        ours=ours,
        looks=looks,
        answers=resolver.answers,
        begun=begun,
    )


def writer_context(reading: Reading, options: Options) -> WriterContext:
    """The context for writing a scene that was read, without a target yet."""
    context = reading.context
    return for_writing(
        context,
        options=options,
        source=reading.format.name,
        looks=reading.looks,
        motions=context.motions,
        worn=reading.restored.worn,
    )


def _note_up_axis(scene: Scene, context: ReaderContext) -> None:
    """Note each glTF mesh of a model in another format, since its y axis is up (glTF 2.0, 3.4)."""
    from converters.assets.inside import MARK

    for asset in scene.assets.values():
        if asset.kind == "mesh" and MARK not in asset.uri and asset.uri.lower().endswith((".glb", ".gltf")):
            context.note(
                "assets/up-axis",
                f"asset/{asset.name}",
                "glTF is y-up, and readers treat it differently inside a z-up model: here it is not rotated, as in "
                "Gazebo; Drake rotates it, and so does RViz since 2025",
                asset.source,
                before=asset.uri,
                action="noted",
                elsewhere=True,
            )


def document(path: Path) -> bytes:
    """The content of a model file. Raises InputError if it cannot be read, or is too large."""
    try:
        check_present(path)
        with path.open("rb") as file:
            size, head = os.fstat(file.fileno()).st_size, file.read(len(GLB))
            if size > LARGEST and head != GLB:
                raise InputError(f"{size} bytes are no document of a robot", Source(str(path), 1, "/"), "XML-SIZE")
            return head + file.read()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
