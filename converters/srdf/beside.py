"""Which SRDF belongs to a URDF, and where it is written beside one.

An SRDF is searched for where packages usually have it: next to the model, in srdf/ or config/ there, in these folders
next to the model's folder (urdf/a1.urdf, srdf/a1.srdf), and in the MoveIt package next to that of the model. One with
the name of the model is used; another only if it is the only one there and names this robot.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from converters.assets.folders import workspace
from converters.comments import without_comments
from converters.context import InputError, ReaderContext, WriterContext
from converters.not_models import first_bytes
from converters.paths import way_to
from converters.registry import HEAD, format_named
from converters.source.files import MAX_BYTES, content
from converters.srdf.reader import read_document
from converters.srdf.rendering import labels
from converters.srdf.tables import SUFFIX
from converters.srdf.writer import without_srdf_joints, write_document
from ir.scene import Scene

XACRO = ".xacro"
FOLDERS = ("srdf", "config")
_ROBOT = re.compile(rb"""<robot\s(?:[^<>]*\s)?name\s*=\s*["']([^"'<>]*)["']""")


class Candidate(NamedTuple):
    """A path to check, and the folder that it must not lead out of."""

    path: Path
    root: Path


def stem_of(file: str) -> str:
    """Return the name of a model without format suffixes: robot for robot.urdf.xacro."""
    name = PurePath(file).name.removesuffix(XACRO)
    return PurePath(name).stem if PurePath(name).suffix in (".urdf", ".xml") else name


def name_of(file: str) -> str:
    """Return the file name of the SRDF that is written beside a model."""
    return f"{PurePath(file).stem}{SUFFIX}"


def join(scene: Scene, context: ReaderContext) -> Scene:
    """Return the scene of a URDF with the data of its SRDF; the same object if there is none.

    Raises InputError if the SRDF named by the user cannot be read; one that was found is then ignored, with a note.
    """
    if context.written:
        name = name_of(context.file)
        data = context.beside.get(name)
        return (
            read_document(data, scene, _context_of_srdf(context, context.folder / name))
            if isinstance(data, bytes)
            else scene
        )
    options = context.options
    if options.srdf is not None:
        return _read_scene(Path(options.srdf), scene, context)
    path = find(context.file, scene.name) if options.find_srdf and context.file else None
    if path is None:
        return scene
    shown = way_to(path, context.folder)
    notes, documents = list(context.notes), list(context.documents)
    try:
        found = _read_scene(path, scene, context)
    except InputError as error:
        context.notes[:], context.documents[:] = notes, documents
        reason = f"it is beside the model but cannot be read, and nothing of it is used: {error.message}"
        context.note("srdf/unreadable", "document", reason, error.source, before=shown, action="dropped")
        return scene
    reason = "it is beside the model and is read with it (--srdf names another file, --no-srdf ignores it)"
    context.note("srdf/found", "document", reason, before=shown, action="noted", severity="note")
    return found


def _read_scene(path: Path, scene: Scene, context: ReaderContext) -> Scene:
    data = content(path, "an SRDF")
    about = _context_of_srdf(context, path)
    if path.name.endswith(XACRO):
        expand = format_named("xacro").expand
        assert expand is not None
        data, about.places = expand(data, about)
    return read_document(data, scene, about)


def _context_of_srdf(context: ReaderContext, path: Path) -> ReaderContext:
    """Return a context for the second document, which shares the notes and documents of the first."""
    return context.of_file(str(path), folder=path.parent)


def find(file: str, robot: str) -> Path | None:
    """Return the SRDF that belongs to a model, by the name of the file or, if it is the only one, of the robot."""
    stem = stem_of(file)
    for path, root in _candidates_by_name(Path(file).parent, stem):
        if _is_readable_file(path, root):
            return path
    for folder, root in _candidates_in_folders(Path(file).parent):
        try:
            there = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX))
        except OSError:
            continue
        if there:
            alone = there[0] if len(there) == 1 else None
            return (
                alone if alone is not None and _is_readable_file(alone, root) and _about_robot(alone, robot) else None
            )
    return None


def _candidates_in_folders(folder: Path) -> Iterator[Candidate]:
    yield Candidate(folder, folder)
    for name in FOLDERS:
        yield Candidate(folder / name, folder)
    for name in FOLDERS:
        yield Candidate(folder.parent / name, folder.parent)


def _candidates_by_name(folder: Path, stem: str) -> Iterator[Candidate]:
    moveit = folder.parent.parent / f"{stem}_moveit_config" / "config"
    for place in (*_candidates_in_folders(folder), Candidate(moveit, folder.parent.parent)):
        for suffix in (SUFFIX, SUFFIX + XACRO):
            yield Candidate(place.path / f"{stem}{suffix}", place.root)


def _is_readable_file(path: Path, root: Path) -> bool:
    """Whether the path is a file that may be read: symbolic links are only followed below the root or the workspace."""
    try:
        return (
            path.is_file()
            and path.stat().st_size <= MAX_BYTES
            and os.path.realpath(path).startswith(
                tuple(os.path.realpath(each) + os.sep for each in (root, *workspace(path.absolute().parent)))
            )
        )
    except OSError:
        return False


def _about_robot(path: Path, robot: str) -> bool:
    match = _ROBOT.search(without_comments(first_bytes(path, HEAD)))
    return match is not None and match[1].decode("utf-8", "replace") == robot


def split(scene: Scene, context: WriterContext) -> Scene:
    """Return the scene to be written as URDF if an SRDF is written beside it."""
    return without_srdf_joints(scene) if _is_wanted(context) else scene


def write(scene: Scene, written: Scene, native: bool, context: WriterContext) -> dict[str, bytes]:
    """Return the SRDF beside a URDF, by its file name; empty if it would have no content.

    written is the scene as the URDF has it. native: the scene was read from a URDF, whose link names are known.
    """
    if not _is_wanted(context) or context.target is None:
        return {}
    data = write_document(scene, written, labels(scene) if native else {}, context)
    return {} if data is None else {name_of(context.target.name): data}


def _is_wanted(context: WriterContext) -> bool:
    return context.options.find_srdf and context.target is not None
