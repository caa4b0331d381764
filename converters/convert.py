"""The pipeline on one page: detect, read, prepare, write, read back, audit, deliver."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from converters.context import Context, InputError, Options, Output
from converters.registry import Format, Loss, detect, named
from converters.registry import formats as formats
from converters.report.model import End, Report
from ir.scene import Scene
from ir.types import Source

HEAD = 4096
"""Bytes that tell the format of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A scene and all that is known about where it came from."""

    scene: Scene
    format: Format
    context: Context


def convert(
    src: str | Path,
    dst: str | Path,
    *,
    source: str | None = None,
    target: str | None = None,
    options: Options | None = None,
) -> Report:
    """Convert the model file src into the file dst and return the report of what was lost.

    source and target name formats where the suffix does not tell. dst and its folder of assets appear whole or not at all.
    Raises InputError when src cannot be read or holds no valid model, OSError when dst cannot be written.
    """
    options = options or Options()
    to = named(target) if target else detect(str(dst))
    reading = _read(Path(src), source, options)
    return _write(reading, Path(dst), to, options)


def read(src: str | Path, *, source: str | None = None, options: Options | None = None) -> Scene:
    """The scene that a model file describes, with what an earlier conversion carried restored. Raises InputError."""
    return _read(Path(src), source, options or Options()).scene


def write(scene: Scene, dst: str | Path, *, target: str | None = None, options: Options | None = None) -> Report:
    """Write a scene that did not come from a file. Raises OSError when dst cannot be written."""
    path = Path(dst)
    to = named(target) if target else detect(str(dst))
    reading = Reading(scene=scene, format=to, context=Context(file="", folder=path.parent, options=options or Options()))
    return _write(reading, path, to, options or Options())


def _read(path: Path, source: str | None, options: Options) -> Reading:
    from converters.assets.resolve import Resolver

    data = _bytes(path)
    format = named(source) if source else detect(str(path), data[:HEAD])
    if format.read is None:
        raise InputError(f"{format.title} can be written but not read")
    resolver = Resolver(path, options, os.environ)
    context = Context(file=str(path), folder=path.parent, options=options, find=resolver.find)
    scene = _restored(format.read(data, context), context, Source(str(path), 1, "/"))
    return Reading(scene=scene, format=format, context=context)


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise InputError(f"{path}: {'is a directory, not a model file' if path.is_dir() else 'there is no such file'}")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _restored(scene: Scene, context: Context, place: Source) -> Scene:
    """Apply what an earlier conversion carried in the document; what has been edited since is left as it is, with a note."""
    from ir.diff import fold, restore

    if not scene.carried:
        return scene
    carried = dict(scene.carried)
    try:
        scene, stale = restore(fold(scene, json.loads(carried.pop("folds", "{}"))), carried)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise InputError(f"the carried data of an earlier conversion is damaged ({error}); take it out or undo the edit", place) from error
    for where in stale:
        reason = "the file was edited after it was converted: the edit counts, what was carried for this place does not"
        context.note("carried/stale", where, reason=reason, source=place)
    return scene


def _write(reading: Reading, path: Path, to: Format, options: Options) -> Report:
    from converters.deliver import deliver
    from converters.passes import prepare

    if to.write is None or to.read is None:
        raise InputError(f"{to.title} can be read but not written")
    context = replace(reading.context, asset_folder=f"{path.stem}_assets", documents=[], notes=[], target=path)
    prepared, steps = prepare(reading.scene, to.fits, options)
    output = to.write(prepared, context)
    findings = []
    output, native, lasting = _audited(reading.scene, output, to, path, options)
    from converters.report.audit import findings as explain

    notes = [*reading.context.notes, *output.notes]
    findings = explain(reading.scene, native, lasting, steps, to.losses(), notes)
    files = deliver(output, path)
    return _report(reading, path, to, files, options, findings)


def _audited(scene: Scene, output: Output, to: Format, path: Path, options: Options):  # type: ignore[no-untyped-def]
    """Read the output back, put what it lacks into it, and read it again as anybody will find it."""
    from ir.diff import compare, fold, restore

    native, patch = compare(scene, fold(_again(output, to, path), output.folds))
    if output.folds:
        patch["folds"] = json.dumps(output.folds, separators=(",", ":"), ensure_ascii=False)
    if patch and to.carry is not None:
        output = to.carry(output, patch)
    if not options.audit:
        return output, native, None
    final = _again(output, to, path)
    carried = dict(final.carried)
    restored, _ = restore(fold(final, json.loads(carried.pop("folds", "{}"))), carried)
    return output, native, compare(scene, restored)[0]


def _again(output: Output, to: Format, path: Path) -> Scene:
    """The output as this program reads it, without looking for its assets."""
    assert to.read is not None
    return to.read(output.document, Context(file=str(path), folder=path.parent))


def _report(
    reading: Reading, path: Path, to: Format, files: tuple[str, ...], options: Options, findings: tuple
) -> Report:  # type: ignore[type-arg]
    documents = reading.context.documents
    counts = [document.totals() for document in documents]
    items, read_, ignored, unread = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    assets = sorted({asset.file for asset in reading.scene.assets.values() if asset.file})
    return Report(
        version=version("kinegraph"),
        source=End(
            path=reading.context.file,
            format=reading.format.name,
            files=tuple([*(document.file for document in documents), *assets]),
        ),
        target=End(path=str(path), format=to.name, files=files),
        source_items=items,
        read=read_,
        ignored=ignored,
        unread=unread,
        audited=options.audit,
        findings=findings,
    )
