"""Mesh files that only one program reads: OBJ is written for the others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from converters.context import InputError, WriterContext
from ir.types import Asset

MSH = ".msh"
"""MuJoCo's legacy format: RViz, Gazebo and Drake show nothing of such a file."""


def is_alien(file: str) -> bool:
    """Whether only MuJoCo reads a file of this name."""
    return file.lower().endswith(MSH)


def tell_alien(assets: Iterable[Asset], context: WriterContext) -> None:
    """Note the files of this format that an output refers to where they lie."""
    for asset in assets:
        if asset.file and is_alien(asset.file):
            reason = "only MuJoCo reads this format: other programs show nothing of it (converted without --meshes "
            reason += "reference)"
            where, before = f"asset/{asset.name}", Path(asset.file).name
            context.note("assets/alien", where, reason, asset.source, before=before, action="noted")


def alien_as_obj(asset: Asset, path: Path, place: str, context: WriterContext) -> bytes | None:
    """Return the mesh as OBJ, to be written at this place, and note it; None, noted, if the file is unreadable."""
    from converters.assets.meshes.files import load
    from converters.assets.meshes.obj_text import obj_text

    where, before = f"asset/{asset.name}", path.name
    try:
        content = obj_text(load(path).parts[0])
    except InputError as error:
        reason = f"{error.message}; the file is copied as it is"
        context.note("assets/unreadable", where, reason, asset.source, before=before, action="approximated")
        return None
    context.note(
        "assets/transcoded",
        where,
        "only MuJoCo reads this format: it was converted",
        asset.source,
        before=before,
        after=place.rpartition("/")[2],
        action="derived",
        severity="note",
    )
    return content
